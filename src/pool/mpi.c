/* SPDX-License-Identifier: MIT
 *
 * The cluster on MPI: starting, ending, sharing, and messages. No call waits inside MPI, which would use a
 * whole core for each waiting rank: the code polls, then sleeps for a short time. For the same reason it
 * makes no collective calls.
 *
 * An error inside MPI ends the program by MPI's default error handler. MPI does not notice the death of
 * another rank; lifelines do (see lifeline.h). The launcher decides whether the others live on: Open MPI's
 * mpirun kills them without --enable-recovery.
 */
#include "pool/message.h"

#include "base/mem.h"
#include "pool/lifeline.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_MIN_US = 20, SLEEP_MAX_US = 2000, SLEEP_SHARE = 32, FINALIZE_SECONDS_MAX = 60 };

struct cluster {
    int rank, size;
    char *buffer; /* the message last received */
    size_t capacity;
    bool *left;  /* by rank: has announced that it closes */
    bool *lost;  /* by rank: has died before it did */
    bool maimed; /* some rank is lost, maybe one that only rank 0 deals with */
    bool broken; /* a message could not be received: the order of things is lost */
    struct lifeline *line;
};

/* ---- messages ---- */

/* A wait of length t is prolonged by at most t / 32, and by 2 ms. */
void patience_rest(struct patience *patience) {
    long us = patience->waited_us / SLEEP_SHARE;
    us = us < SLEEP_MIN_US ? SLEEP_MIN_US : us > SLEEP_MAX_US ? SLEEP_MAX_US : us;
    patience->waited_us += us;
    nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
}

/* No rank ends before rank 0 has sent MESSAGE_CLOSE. */
static void look_for_losses(struct cluster *cluster) {
    lifeline_look(cluster->line);
    for (int rank = 0; rank < cluster->size; rank++)
        if (lifeline_is_cut(cluster->line, rank))
            cluster->lost[rank] = cluster->maimed = true;
}

/* Waits until a message to or from another rank has been transferred. False if that rank dies meanwhile: then
 * the request is never completed, and MPI keeps the message's bytes. */
static bool wait_for_transfer(struct cluster *cluster, int other, MPI_Request *request) {
    struct patience patience = {0};
    for (int done = 0;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done || cluster->lost[other])
            return done != 0;
        look_for_losses(cluster);
        patience_rest(&patience);
    }
}

void message_send(struct cluster *cluster, int to, const struct message *message) {
    assert(message->size <= INT_MAX);
    MPI_Request request;
    if (cluster->lost[to])
        return;
    MPI_Isend(message->bytes, (int)message->size, MPI_BYTE, to, (int)message->kind, MPI_COMM_WORLD, &request);
    wait_for_transfer(cluster, to, &request);
}

/* MPI announces a large message before its bytes: a sender that dies in between leaves one that never
 * arrives. */
bool message_poll(struct cluster *cluster, struct message *out, bool *got, struct err *e) {
    MPI_Status status;
    int flag = 0, size = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    *got = flag != 0;
    if (!*got) {
        look_for_losses(cluster); /* after the last word of who died */
        return true;
    }
    MPI_Get_count(&status, MPI_BYTE, &size);
    char *buffer =
        (size_t)size > cluster->capacity ? mem_try_resize(cluster->buffer, (size_t)size) : cluster->buffer;
    if (buffer == NULL && size > 0) {
        cluster->broken = true;
        return err_set(e, "not enough memory for a message of %d bytes from rank %d", size,
                       status.MPI_SOURCE);
    }
    cluster->buffer = buffer;
    cluster->capacity = (size_t)size > cluster->capacity ? (size_t)size : cluster->capacity;
    MPI_Request request;
    MPI_Irecv(cluster->buffer, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &request);
    if (!wait_for_transfer(cluster, status.MPI_SOURCE, &request)) {
        cluster->buffer = NULL; /* MPI may still write there */
        cluster->capacity = 0;
        *got = false;
        return true;
    }
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

bool message_is_lost(const struct cluster *cluster, int rank) {
    return cluster->lost[rank];
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

int cluster_lost(const struct cluster *cluster) {
    int count = 0;
    for (int rank = 0; rank < cluster->size; rank++)
        count += cluster->lost[rank] ? 1 : 0;
    return count;
}

/* Are all ranks on this machine? */
static bool is_one_machine(const struct cluster *cluster) {
    MPI_Comm near;
    int size = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &size);
    MPI_Comm_free(&near);
    return size == cluster->size;
}

/* The lifelines' address is the first that rank 0 shares. */
static bool tie_lifeline(struct cluster *cluster, struct err *e) {
    struct text address = {0};
    const bool here = is_one_machine(cluster);
    if (cluster->rank == 0)
        cluster->line = lifeline_listen(cluster->size, here, &address);
    const bool shared = cluster_share(cluster, &address, e);
    if (shared && cluster->rank != 0)
        cluster->line = lifeline_connect(cluster->rank, &address);
    text_done(&address);
    return shared;
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
    bool *flags = mem_alloc(2 * (size_t)size * sizeof *flags);
    if (level < MPI_THREAD_FUNNELED) {
        err_set(e, "this MPI cannot be used in a program with threads");
    } else {
        *cluster = (struct cluster){.rank = rank, .size = size, .left = flags, .lost = flags + size};
        if (size == 1 || tie_lifeline(cluster, e))
            return cluster;
    }
    mem_free(cluster);
    mem_free(flags);
    MPI_Abort(MPI_COMM_WORLD, 1); /* the others would wait for this rank */
    return NULL;
}

/* Rank 0 deals with all others, the others with rank 0. */
static bool all_left(const struct cluster *cluster) {
    if (cluster->rank != 0)
        return cluster->left[0] || cluster->lost[0];
    for (int rank = 1; rank < cluster->size; rank++)
        if (!cluster->left[rank] && !cluster->lost[rank])
            return false;
    return true;
}

/* Every rank announces that it leaves, and waits until the others have. Other messages are discarded
 * meanwhile. */
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

/* Rank 0 reports to all whether every rank is alive: if one is missing, no rank may wait for all inside MPI.
 */
static bool agree_on_losses(struct cluster *cluster) {
    const struct message close = {.kind = MESSAGE_CLOSE, .bytes = "x", .size = cluster->maimed ? 1 : 0};
    struct patience patience = {0};
    struct message message;
    struct err ignored;
    for (int rank = 1; cluster->rank == 0 && rank < cluster->size; rank++)
        message_send(cluster, rank, &close);
    for (bool got = false; cluster->rank != 0 && !cluster->lost[0];) {
        if (!message_poll(cluster, &message, &got, &ignored))
            return false;
        if (got && message.kind == MESSAGE_CLOSE) {
            cluster->maimed = message.size > 0;
            return true;
        }
        if (!got)
            patience_rest(&patience);
    }
    return true;
}

/* If a rank died at this moment, the others would wait for it for ever. All results are stored and printed by
 * now. */
static void finalize(const struct cluster *cluster) {
    if (cluster->maimed)
        return;
    alarm(FINALIZE_SECONDS_MAX);
    MPI_Finalize();
    alarm(0);
}

void cluster_close(struct cluster *cluster) {
    if (cluster == NULL)
        return;
    const bool parted =
        !cluster->broken && (cluster->size == 1 || (take_leave(cluster) && agree_on_losses(cluster)));
    if (!parted)
        MPI_Abort(MPI_COMM_WORLD, 1);
    finalize(cluster);
    lifeline_close(cluster->line);
    mem_free(cluster->left); /* and lost, behind it */
    mem_free(cluster->buffer);
    mem_free(cluster);
}

/* ---- sharing ---- */

static bool share_out(struct cluster *cluster, const struct text *bytes, struct err *e) {
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
        if (cluster->left[0] || cluster->lost[0])
            return err_set(e, "rank 0 has %s", cluster->left[0] ? "given up" : "died");
        if (!message_poll(cluster, &message, &got, e))
            return false;
        if (!got)
            patience_rest(&patience);
    }
    if (message.kind != MESSAGE_SHARE)
        return err_set(e, "rank 0 has given up");
    text_clear(bytes);
    text_add_bytes(bytes, message.bytes, message.size);
    return true;
}

bool cluster_share(struct cluster *cluster, struct text *bytes, struct err *e) {
    return cluster->rank == 0 ? share_out(cluster, bytes, e) : share_in(cluster, bytes, e);
}
