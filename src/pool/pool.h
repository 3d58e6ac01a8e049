/* SPDX-License-Identifier: MIT
 *
 * Independent jobs on the threads of this machine. Job i depends only on i (and what is shared read-only), so
 * the results do not depend on the number of workers; they are handed over in the order of their numbers.
 */
#ifndef POOL_POOL_H
#define POOL_POOL_H

#include "base/err.h"

#include <stdatomic.h>
#include <stddef.h>

enum { POOL_WORKERS_MAX = 256 };

struct pool_work {
    int jobs;
    int workers;
    void *shared;
    size_t result_size; /* bytes of one job's result */

    /* Each worker's own things (players, buffers); NULL and a reason when it cannot begin. Workers that have
     * nothing of their own leave both out and are handed `shared`. */
    void *(*begin)(void *shared, struct err *e);
    void (*end)(void *worker);
    /* Fills `result` (zeroed before). Runs on any thread. */
    void (*run)(void *shared, void *worker, int job, void *result);
    /* Takes the results one after the other, job 0 first; never two at a time. May free what they own. NULL
     * where jobs leave all they have to say in what is shared. */
    void (*take)(void *shared, int job, void *result);
    /* When true no new job is begun; those under way are finished and taken. May be NULL. */
    const atomic_bool *stop;
};

/* Returns how many jobs were done and taken (a prefix 0 … n-1), or -1 with a reason. */
int pool_run(const struct pool_work *work, struct err *e);

#endif
