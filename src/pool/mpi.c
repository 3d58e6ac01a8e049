/* SPDX-License-Identifier: MIT
 *
 * The cluster on MPI: starting, ending, sharing, and the messages everything is made of. Nothing here waits
 * inside MPI, which would burn a core for each waiting rank: there is always a look, then a short sleep. That
 * is also why there are no collective calls.
 *
 * Whatever goes wrong inside MPI ends the program by MPI's default error handler.
 */
#include "pool/message.h"

#include "base/mem.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <time.h>

enum { SLEEP_MIN_US = 20, SLEEP_MAX_US = 2000, SLEEP_SHARE = 32 };

struct cluster {
    int rank, size;
    char *buffer; /* the message last received */
    size_t capacity;
    bool *left;  /* by rank */
    bool broken; /* a message could not be received: the order of things is lost */
};

/* ---- messages ---- */

/* A wait of length t is prolonged by at most t / 32, and by 2 ms. */
void patience_rest(struct patience *patience) {
    long us = patience->waited_us / SLEEP_SHARE;
    us = us < SLEEP_MIN_US ? SLEEP_MIN_US : us > SLEEP_MAX_US ? SLEEP_MAX_US : us;
    patience->waited_us += us;
    nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
}

static void wait_until_sent(MPI_Request *request) {
    struct patience patience = {0};
    for (int done = 0;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        patience_rest(&patience);
    }
}

void message_send(struct cluster *cluster, int to, const struct message *message) {
    (void)cluster;
    assert(message->size <= INT_MAX);
    MPI_Request request;
    MPI_Isend(message->bytes, (int)message->size, MPI_BYTE, to, (int)message->kind, MPI_COMM_WORLD, &request);
    wait_until_sent(&request);
}

static bool make_room(struct cluster *cluster, size_t size) {
    if (size <= cluster->capacity)
        return true;
    char *buffer = mem_resize(cluster->buffer, size);
    if (buffer == NULL)
        return false;
    cluster->buffer = buffer;
    cluster->capacity = size;
    return true;
}

bool message_poll(struct cluster *cluster, struct message *out, bool *got, struct err *e) {
    MPI_Status status;
    int flag = 0, size = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    *got = flag != 0;
    if (!*got)
        return true;
    MPI_Get_count(&status, MPI_BYTE, &size);
    if (!make_room(cluster, (size_t)size)) {
        cluster->broken = true;
        return err_set(e, "not enough memory for a message of %d bytes from rank %d", size,
                       status.MPI_SOURCE);
    }
    MPI_Recv(cluster->buffer, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    *out = (struct message){.from = status.MPI_SOURCE,
                            .kind = (enum message_kind)status.MPI_TAG,
                            .bytes = cluster->buffer,
                            .size = (size_t)size};
    if (out->kind == MESSAGE_LEFT)
        cluster->left[out->from] = true;
    return true;
}

bool message_has_left(const struct cluster *cluster, int rank) {
    return cluster->left[rank];
}

double message_seconds(void) {
    return MPI_Wtime();
}

/* ---- the cluster ---- */

bool cluster_is_built(void) {
    return true;
}

int cluster_rank(const struct cluster *cluster) {
    return cluster->rank;
}

int cluster_size(const struct cluster *cluster) {
    return cluster->size;
}

struct cluster *cluster_open(struct err *e) {
    int level, rank, size;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        err_set(e, "MPI does not start");
        return NULL;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct cluster *cluster = mem_alloc(sizeof *cluster);
    bool *left = mem_alloc((size_t)size * sizeof *left);
    if (level >= MPI_THREAD_FUNNELED && cluster != NULL && left != NULL) {
        *cluster = (struct cluster){.rank = rank, .size = size, .left = left};
        return cluster;
    }
    err_set(e, level < MPI_THREAD_FUNNELED ? "this MPI cannot be used in a program with threads"
                                           : "not enough memory for the ranks of a cluster");
    mem_free(cluster);
    mem_free(left);
    MPI_Abort(MPI_COMM_WORLD, 1); /* the others would wait for this rank */
    return NULL;
}

/* Rank 0 deals with all others, the others with rank 0. */
static bool all_left(const struct cluster *cluster) {
    if (cluster->rank != 0)
        return cluster->left[0];
    for (int rank = 1; rank < cluster->size; rank++)
        if (!cluster->left[rank])
            return false;
    return true;
}

/* Everybody says that he leaves, and waits until the others have said so; what they still send until then is
 * of no use any more. */
static bool take_leave(struct cluster *cluster) {
    const struct message bye = {.kind = MESSAGE_LEFT, .bytes = ""};
    const int first = cluster->rank == 0 ? 1 : 0, end = cluster->rank == 0 ? cluster->size : 1;
    struct patience patience = {0};
    struct message message;
    struct err ignored;
    bool got;
    for (int rank = first; rank < end; rank++)
        message_send(cluster, rank, &bye);
    while (!all_left(cluster)) {
        if (!message_poll(cluster, &message, &got, &ignored))
            return false;
        if (!got)
            patience_rest(&patience);
    }
    return true;
}

void cluster_close(struct cluster *cluster) {
    if (cluster == NULL)
        return;
    if (cluster->broken || (cluster->size > 1 && !take_leave(cluster)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    mem_free(cluster->left);
    mem_free(cluster->buffer);
    mem_free(cluster);
}

/* ---- sharing ---- */

static bool share_out(struct cluster *cluster, const struct text *bytes, struct err *e) {
    if (bytes->failed)
        return err_set(e, "not enough memory for what the ranks share");
    if (bytes->size > POOL_PACKED_MAX)
        return err_set(e, "the ranks can share at most %d bytes at once, not %zu", POOL_PACKED_MAX,
                       bytes->size);
    const struct message message = {.kind = MESSAGE_SHARE, .bytes = text_string(bytes), .size = bytes->size};
    for (int rank = 1; rank < cluster->size; rank++)
        message_send(cluster, rank, &message);
    return true;
}

static bool share_in(struct cluster *cluster, struct text *bytes, struct err *e) {
    struct patience patience = {0};
    struct message message;
    for (bool got = false; !got;) {
        if (cluster->left[0])
            return err_set(e, "rank 0 has given up");
        if (!message_poll(cluster, &message, &got, e))
            return false;
        if (!got)
            patience_rest(&patience);
    }
    if (message.kind != MESSAGE_SHARE)
        return err_set(e, "rank 0 has given up");
    text_clear(bytes);
    text_add_bytes(bytes, message.bytes, message.size);
    return !bytes->failed || err_set(e, "not enough memory for what the ranks share");
}

bool cluster_share(struct cluster *cluster, struct text *bytes, struct err *e) {
    return cluster->rank == 0 ? share_out(cluster, bytes, e) : share_in(cluster, bytes, e);
}
