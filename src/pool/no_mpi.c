/* SPDX-License-Identifier: MIT
 *
 * The cluster in a build without MPI: opening one fails with a sentence, so no other function is ever called.
 */
#include "pool/pool.h"

#include <assert.h>
#include <stdlib.h>

bool cluster_is_built(void) {
    return false;
}

struct cluster *cluster_open(struct err *e) {
    err_set(e, "this senjutsu was built without MPI: it cannot run on the ranks of a cluster");
    return NULL;
}

void cluster_close(struct cluster *cluster) {
    assert(cluster == NULL);
    (void)cluster;
}

int cluster_rank(const struct cluster *cluster) {
    (void)cluster;
    abort(); /* no cluster can be open */
}

int cluster_size(const struct cluster *cluster) {
    (void)cluster;
    abort(); /* no cluster can be open */
}

int cluster_lost(const struct cluster *cluster) {
    (void)cluster;
    abort(); /* no cluster can be open */
}

bool cluster_share(struct cluster *cluster, struct text *bytes, struct err *e) {
    (void)cluster, (void)bytes, (void)e;
    abort(); /* no cluster can be open */
}

int cluster_run(const struct pool_work *work, struct err *e) {
    (void)work, (void)e;
    abort(); /* no cluster can be open */
}
