/* SPDX-License-Identifier: MIT
 *
 * The ranks of a program that was started by `mpirun`, when it was built with MPI. Rank 0 keeps whatever
 * there is to keep; the others work for it. Everybody runs the same program with the same arguments.
 */
#ifndef POOL_CLUSTER_H
#define POOL_CLUSTER_H

#include "base/err.h"
#include "base/text.h"

struct cluster;

/* Was this build made with MPI? */
bool cluster_is_built(void);

/* NULL and a reason when MPI is not built in or does not start. At most once in a program. */
struct cluster *cluster_open(struct err *e);
void cluster_close(struct cluster *cluster);

int cluster_rank(const struct cluster *cluster);
int cluster_size(const struct cluster *cluster);

/* Rank 0's bytes reach all: on the others `bytes` is replaced. Everybody must call it. */
bool cluster_share(struct cluster *cluster, struct text *bytes, struct err *e);

#endif
