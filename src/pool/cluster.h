/* SPDX-License-Identifier: MIT
 *
 * The ranks of a program that was started by `mpirun`, when it was built with MPI. Rank 0 keeps whatever
 * there is to keep; the others work for it. Everybody runs the same program with the same arguments, and all
 * calls come from the thread that opened the cluster.
 *
 * A rank may give up and close at any time: the others then fail where they wait for it, instead of waiting
 * for ever. When a rank beside 0 dies, the others do its jobs, if what started them lets them live (see
 * mpi.c); when rank 0 dies, they fail.
 */
#ifndef POOL_CLUSTER_H
#define POOL_CLUSTER_H

#include "base/err.h"
#include "base/text.h"

struct cluster;

/* Was this build made with MPI? */
bool cluster_is_built(void);

/* NULL and a reason when MPI is not built in or does not start. At most once in a program, and only in one
 * that was started by mpirun: it takes a tenth of a second. */
struct cluster *cluster_open(struct err *e);

/* Waits until all ranks have come here. NULL is allowed. */
void cluster_close(struct cluster *cluster);

int cluster_rank(const struct cluster *cluster);
int cluster_size(const struct cluster *cluster);

/* How many ranks have died, as far as rank 0 knows. */
int cluster_lost(const struct cluster *cluster);

/* Rank 0's bytes, at most POOL_PACKED_MAX, reach all: on the others `bytes` is replaced. Everybody must call
 * it. */
bool cluster_share(struct cluster *cluster, struct text *bytes, struct err *e);

#endif
