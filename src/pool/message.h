/* SPDX-License-Identifier: MIT
 *
 * Private to src/pool: messages between rank 0 and the others, in the order they were sent.
 */
#ifndef POOL_MESSAGE_H
#define POOL_MESSAGE_H

#include "pool/pool.h"

#include <stddef.h>

enum message_kind {
    MESSAGE_LEFT,  /* either way: the sender is closing; nothing more comes from it but, from rank 0, CLOSE */
    MESSAGE_CLOSE, /* from rank 0: all have come; a byte when a rank was lost */
    MESSAGE_SHARE, /* from rank 0: bytes for cluster_share */
    MESSAGE_JOB,   /* from rank 0: the number of a job to do */
    MESSAGE_END,   /* from rank 0: the run is over; what pool_run returns, and a reason */
    MESSAGE_READY, /* to rank 0: waits for jobs */
    MESSAGE_RESULT, /* to rank 0: a packed result */
    MESSAGE_FAILED, /* to rank 0: the worker could not begin, or a result cannot be sent; a reason */
};

struct message {
    int from;
    enum message_kind kind;
    const char *bytes; /* valid until the next one is received */
    size_t size;
};

/* Waiting for others sleeps between two looks, longer the longer it has taken: ranks often share a core. */
struct patience {
    long waited_us;
};
void patience_rest(struct patience *patience);

/* Returns when the bytes may be changed again. */
void message_send(struct cluster *cluster, int to, const struct message *message);

/* *got is false when no message has arrived. Fails only for lack of memory; then nothing can be received
 * any more, and closing the cluster ends all ranks. */
bool message_poll(struct cluster *cluster, struct message *out, bool *got, struct err *e);

/* Has that rank announced that it is closing? */
bool message_has_left(const struct cluster *cluster, int rank);

/* Has that rank died without announcing it? Nothing is sent to it any more. */
bool message_is_lost(const struct cluster *cluster, int rank);

/* The time in seconds, to measure jobs: that decides how many are sent ahead, never a result. */
double message_seconds(void);

/* pool_run on the ranks of a cluster, at least two. */
int ranks_run(const struct pool_work *work, struct err *e);

#endif
