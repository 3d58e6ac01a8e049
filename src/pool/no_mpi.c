/* SPDX-License-Identifier: MIT
 *
 * What there is of a cluster when MPI is not built in: a sentence. As none can be opened, nothing else is
 * ever called.
 */
#include "pool/message.h"

#include <assert.h>

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
    assert(false); /* there is none */
    return 0;
}

int cluster_size(const struct cluster *cluster) {
    (void)cluster;
    assert(false); /* there is none */
    return 1;
}

int cluster_lost(const struct cluster *cluster) {
    (void)cluster;
    assert(false); /* there is none */
    return 0;
}

bool cluster_share(struct cluster *cluster, struct text *bytes, struct err *e) {
    (void)cluster, (void)bytes;
    assert(false); /* there is none */
    return err_set(e, "this senjutsu was built without MPI");
}

int ranks_run(const struct pool_work *work, struct err *e) {
    (void)work;
    assert(false); /* there is none */
    err_set(e, "this senjutsu was built without MPI");
    return -1;
}
