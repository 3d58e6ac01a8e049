/* SPDX-License-Identifier: MIT
 *
 * Independent jobs on the threads of this machine, or on the ranks of a cluster. Job i depends only on i (and
 * shared read-only data), so the results do not depend on the number of workers. The caller gets results in
 * the order of their numbers, or as soon as they are done, or both.
 */
#ifndef POOL_POOL_H
#define POOL_POOL_H

#include "base/text.h"

#include <stdatomic.h>
#include <stddef.h>

/* ---- jobs ---- */

enum { POOL_WORKERS_MAX = 256, POOL_PACKED_MAX = 64 << 20 };

struct cluster;

struct pool_work {
    int jobs;
    int workers;
    void *shared;
    size_t result_size; /* bytes of one job's result */

    /* Makes and frees what each worker owns (players, buffers); NULL and a reason when it cannot begin. When
     * both are NULL, `worker` is `shared`. */
    void *(*begin)(void *shared, struct err *e);
    void (*end)(void *worker);
    /* Fills `result` (zeroed before). Runs on any thread. */
    void (*run)(void *shared, void *worker, int job, void *result);
    /* Called with each result as soon as the job is done, in any order: for results that must be stored at
     * once. May be NULL. */
    void (*landed)(void *shared, int job, void *result);
    /* Takes the results one after the other, job 0 first, after they have landed. NULL where `landed` handles
     * everything, or jobs write their results into `shared`: then no job waits for a slow one before it. */
    void (*take)(void *shared, int job, void *result);
    /* Only one of `landed` and `take` runs at any time. The last of them frees what the result owns. */

    /* When true no new job is begun; those under way are finished and handed over. May be NULL. */
    const atomic_bool *stop;

    /* NULL: threads of this machine. Otherwise all ranks call pool_run with the same work: rank 0 hands out
     * the jobs and is handed the results, the others do one job after the other (`workers` does not matter;
     * with only one rank it uses threads). The jobs of a rank that died go to the others. A stop on
     * any rank stops all once that rank is done with its job. Results travel as bytes, at most
     * POOL_PACKED_MAX: `pack` appends them and frees what the result owns, `unpack` fills a zeroed result
     * from them; when it fails it leaves nothing to free. */
    struct cluster *cluster;
    void (*pack)(void *shared, void *result, struct text *out);
    bool (*unpack)(void *shared, const char *bytes, size_t size, void *result, struct err *e);
    /* A worker that could not begin with a job, or a result that could not be packed or unpacked, leaves a
     * gap. The run then fails, and results behind the gap that have landed are dropped instead of taken. May
     * be NULL when results own nothing. */
    void (*drop)(void *shared, int job, void *result);
};

/* Returns how many jobs were done and handed over (a prefix 0 … n-1), or -1 with a reason; on the ranks of a
 * cluster the same everywhere. */
int pool_run(const struct pool_work *work, struct err *e);

/* ---- a cluster ----
 *
 * The ranks of a program that was started by `mpirun`, in a build with MPI. Rank 0 holds stores and files;
 * the others work for it. All ranks run the same program with the same arguments, and all calls come from the
 * thread that opened the cluster.
 * A rank may fail and close at any time: the others then fail where they wait for it, instead of waiting for
 * ever. When a rank beside 0 dies, the others do its jobs, if the launcher lets them live (see cluster.c);
 * when rank 0 dies, they fail. */

/* Was this build made with MPI? */
bool cluster_is_built(void);

/* NULL and a reason when MPI is not built in or does not start. At most once in a program, and only in one
 * that was started by mpirun: it takes a tenth of a second. */
struct cluster *cluster_open(struct err *e);

/* Waits until all ranks have come here. NULL is allowed. */
void cluster_close(struct cluster *cluster);

int cluster_rank(const struct cluster *cluster);
int cluster_size(const struct cluster *cluster);

/* How many ranks have died, as seen by rank 0. */
int cluster_lost(const struct cluster *cluster);

/* Sends rank 0's bytes, at most POOL_PACKED_MAX, to all: on the others they replace `bytes`. All ranks must
 * call it. */
bool cluster_share(struct cluster *cluster, struct text *bytes, struct err *e);

/* For pool_run: the same on the ranks of a cluster, at least two. */
int cluster_run(const struct pool_work *work, struct err *e);

#endif
