/* SPDX-License-Identifier: MIT
 *
 * Independent jobs on the threads of this machine, or on the ranks of a cluster. Job i depends only on i (and
 * what is shared read-only), so the results do not depend on the number of workers; they are handed over in
 * the order of their numbers.
 */
#ifndef POOL_POOL_H
#define POOL_POOL_H

#include "base/err.h"
#include "base/text.h"

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
    /* Is told of each job as soon as it is done, in whatever order they are done, before it is taken; never
     * two at a time. For results that must be safe at once. May be NULL. */
    void (*landed)(void *shared, int job, void *result);
    /* When true no new job is begun; those under way are finished and taken. May be NULL. */
    const atomic_bool *stop;

    /* NULL: threads of this machine. Otherwise all ranks call pool_run with the same work: rank 0 hands out
     * the jobs, takes the results and returns as with threads; the others do the jobs and return 0 (or -1).
     * Results travel as bytes: `pack` appends them and frees what the result owns, `unpack` fills a zeroed
     * result from them. */
    struct cluster *cluster;
    void (*pack)(void *shared, void *result, struct text *out);
    bool (*unpack)(void *shared, const char *bytes, size_t size, void *result, struct err *e);
};

/* Returns how many jobs were done and taken (a prefix 0 … n-1), or -1 with a reason. */
int pool_run(const struct pool_work *work, struct err *e);

#endif
