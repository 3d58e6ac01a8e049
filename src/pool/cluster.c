/* SPDX-License-Identifier: MIT
 *
 * The cluster on MPI: messages between rank 0 and the others, starting and ending, sharing, and the pool on
 * its ranks.
 *
 * No call waits inside MPI, which would use a whole core for each waiting rank: the code polls, then sleeps
 * for a short time. For the same reason it makes no collective calls. An error inside MPI ends the program by
 * MPI's default error handler. MPI does not notice the death of another rank; lifelines do (see lifeline.h).
 * The launcher decides whether the others live on: Open MPI's mpirun kills them without --enable-recovery.
 *
 * Rank 0 hands out job numbers and is handed results; the others do one job after the other. Rank 0 does no
 * jobs itself: a result that is on its way should not wait for one. A rank holds one job at a time when jobs
 * take long, so that a stop ends soon; short ones come a few at a time, because otherwise the way to rank 0
 * and back would take longer than they do. When a rank dies, what it held is handed out again.
 */
#include "pool/pool.h"

#include "base/clock.h"
#include "base/mem.h"
#include "pool/lifeline.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_MIN_US = 20, SLEEP_MAX_US = 2000, SLEEP_SHARE = 32, FINALIZE_SECONDS_MAX = 60 };
enum { WINDOW_PER_RANK = 16, HELD_MAX = 4 };

#define SHORT_SECONDS 0.01 /* jobs that take less come a few at a time; never decides a result */

struct cluster {
    int rank, size;
    int first_peer, last_peer; /* rank 0 deals with all others, they deal with rank 0 alone */
    char *buffer;              /* the message last received */
    size_t capacity;
    bool *left;  /* by rank: has announced that it closes */
    bool *lost;  /* by rank: has died before it did; nothing is sent to it any more */
    bool maimed; /* some rank is lost, maybe one that only rank 0 deals with */
    bool broken; /* a message could not be received: the order of things is lost */
    struct lifeline *line;
};

/* ---- messages, in the order they were sent ---- */

enum message_kind {
    MESSAGE_LEFT,  /* either way: the sender is closing; nothing more comes from it but, from rank 0, CLOSE */
    MESSAGE_CLOSE, /* from rank 0: all have come; a byte when a rank was lost */
    MESSAGE_SHARE, /* from rank 0: bytes for cluster_share */
    MESSAGE_JOB,   /* from rank 0: the number of a job to do */
    MESSAGE_END,   /* from rank 0: the run is over; a struct ending */
    MESSAGE_READY, /* to rank 0: waits for jobs; a struct header */
    MESSAGE_RESULT, /* to rank 0: a struct header and a packed result */
    MESSAGE_FAILED, /* to rank 0: the worker could not begin, or a result cannot be sent; a struct failure */
};

struct message {
    int from;
    enum message_kind kind;
    const char *bytes; /* valid until the next one is received */
    size_t size;
};

/* Waiting for others sleeps between two looks, longer the longer it has taken: ranks often share a core. A
 * wait of length t is prolonged by at most t / 32, and by 2 ms. */
static void rest(long *waited_us) {
    long us = *waited_us / SLEEP_SHARE;
    us = us < SLEEP_MIN_US ? SLEEP_MIN_US : us > SLEEP_MAX_US ? SLEEP_MAX_US : us;
    *waited_us += us;
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
    long waited_us = 0;
    for (int done = 0;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done || cluster->lost[other])
            return done != 0;
        look_for_losses(cluster);
        rest(&waited_us);
    }
}

/* Returns when the bytes may be changed again. */
static void send_to(struct cluster *cluster, int to, enum message_kind kind, const void *bytes, size_t size) {
    assert(size <= INT_MAX);
    assert(to >= 0 && to < cluster->size && to != cluster->rank);
    MPI_Request request;
    if (cluster->lost[to])
        return;
    MPI_Isend(bytes, (int)size, MPI_BYTE, to, (int)kind, MPI_COMM_WORLD, &request);
    wait_for_transfer(cluster, to, &request);
}

/* One message after the other: a rank that does not receive would hold up the rest, but only until it is
 * known to have died. */
static void send_to_peers(struct cluster *cluster, enum message_kind kind, const void *bytes, size_t size) {
    for (int rank = cluster->first_peer; rank <= cluster->last_peer; rank++)
        send_to(cluster, rank, kind, bytes, size);
}

/* *got is false when no message has arrived. Fails only for lack of memory; then nothing can be received any
 * more, and closing the cluster ends all ranks. MPI announces a large message before its bytes: a sender that
 * dies in between leaves one that never arrives. */
static bool poll_message(struct cluster *cluster, struct message *out, bool *got, struct err *e) {
    MPI_Status status;
    int flag = 0, size = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    *got = flag != 0;
    if (!*got) {
        look_for_losses(cluster); /* after the last message of a rank that died */
        return true;
    }
    MPI_Get_count(&status, MPI_BYTE, &size);
    if ((size_t)size > cluster->capacity) {
        char *buffer = mem_try_resize(cluster->buffer, (size_t)size);
        if (buffer == NULL) {
            cluster->broken = true;
            return err_set(e, "not enough memory for a message of %d bytes from rank %d", size,
                           status.MPI_SOURCE);
        }
        cluster->buffer = buffer;
        cluster->capacity = (size_t)size;
    }
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

/* The next message of rank 0. */
static bool await_message(struct cluster *cluster, struct message *out, struct err *e) {
    long waited_us = 0;
    for (bool got;;) {
        if (cluster->left[0] || cluster->lost[0])
            return err_set(e, "rank 0 has %s", cluster->left[0] ? "given up" : "died");
        if (!poll_message(cluster, out, &got, e))
            return false;
        if (got)
            return true;
        rest(&waited_us);
    }
}

/* ---- the pool: rank 0 ---- */

/* In front of all that goes to rank 0. */
struct header {
    int job;      /* that comes back; -1: none */
    int wanted;   /* how many jobs that rank would like to hold */
    bool stopped; /* it was asked to stop */
};

struct failure {
    struct header header;
    struct err reason;
};

/* What the ranks return. */
struct ending {
    int taken;
    struct err reason;
};

/* What rank 0 knows about another rank. Jobs are held from when they are handed out until their result is
 * back. */
struct other {
    int held, wanted;   /* jobs it has, and would like to have */
    int jobs[HELD_MAX]; /* those it has */
    bool awaited;       /* has not come yet */
    bool lost;          /* has died */
};

/* The run as rank 0 sees it. */
struct coordinator {
    const struct pool_work *work;
    struct cluster *cluster;
    struct other *others; /* by rank */
    int next, held;       /* jobs handed out; those of them that are not back */
    int *again, agains;   /* jobs of ranks that died, to be handed out again */
    int taken, window;
    unsigned char *results; /* `window` of them, job i in slot i % window; one when nothing is taken */
    bool *landed;           /* by slot: waits to be taken */
    bool stopped, failed;
    struct err reason;
};

/* The first failure is the one that is reported. */
static void fail(struct coordinator *h, int rank, const char *reason) {
    if (!h->failed)
        err_set(&h->reason, "rank %d: %s", rank, reason);
    h->failed = true;
}

/* The window bounds how many results wait for a slow job before them. */
static bool may_begin_more(const struct coordinator *h) {
    return !h->stopped && !h->failed &&
           (h->agains > 0 ||
            (h->next < h->work->jobs && (h->work->take == NULL || h->next < h->taken + h->window)));
}

/* The next job goes to the rank that has the fewest: every rank gets one before any gets a second. */
static void hand_out(struct coordinator *h) {
    while (may_begin_more(h)) {
        int best = 0;
        for (int rank = 1; rank < h->cluster->size; rank++) {
            const struct other *o = &h->others[rank];
            if (o->held < o->wanted && (best == 0 || o->held < h->others[best].held))
                best = rank;
        }
        if (best == 0)
            return;
        struct other *o = &h->others[best];
        const int job = h->agains > 0 ? h->again[--h->agains] : h->next++;
        send_to(h->cluster, best, MESSAGE_JOB, &job, sizeof job);
        assert(o->held < HELD_MAX);
        o->jobs[o->held++] = job;
        h->held++;
    }
}

/* Where the result of that job is: results of a window of jobs share the memory. */
static void *slot(struct coordinator *h, int job) {
    return h->results + (size_t)(job % h->window) * h->work->result_size;
}

/* After a failure results are still handed over, so that they can be stored and freed. */
static void accept_result(struct coordinator *h, const struct message *m, int job) {
    const struct pool_work *work = h->work;
    struct err e;
    memset(slot(h, job), 0, work->result_size);
    if (!work->unpack(work->shared, m->bytes + sizeof(struct header), m->size - sizeof(struct header),
                      slot(h, job), &e)) {
        fail(h, m->from, e.text);
        return;
    }
    if (work->landed != NULL)
        work->landed(work->shared, job, slot(h, job));
    if (work->take == NULL) {
        h->taken++;
        return;
    }
    h->landed[job % h->window] = true;
    for (; h->landed[h->taken % h->window]; h->taken++) {
        h->landed[h->taken % h->window] = false;
        work->take(work->shared, h->taken, slot(h, h->taken));
    }
}

/* The job that a rank sends back one way or the other, or -1. */
static int get_back(struct coordinator *h, const struct message *m) {
    struct other *o = &h->others[m->from];
    struct header header;
    assert(m->size >= sizeof header);
    memcpy(&header, m->bytes, sizeof header);
    o->wanted = header.wanted;
    h->stopped = h->stopped || header.stopped;
    if (header.job < 0) {
        o->awaited = false;
        return header.job;
    }
    int place = 0;
    while (place < o->held && o->jobs[place] != header.job)
        place++;
    assert(place < o->held);
    o->jobs[place] = o->jobs[--o->held];
    h->held--;
    return header.job;
}

/* A rank that has closed on its own gives no results any more: the run fails. */
static void forget(struct coordinator *h, int rank) {
    h->held -= h->others[rank].held;
    h->others[rank] = (struct other){0};
    fail(h, rank, "has given up");
}

/* The others do what a rank that died had in hand. */
static void note_losses(struct coordinator *h) {
    for (int rank = 1; rank < h->cluster->size; rank++) {
        struct other *o = &h->others[rank];
        if (!h->cluster->lost[rank] || o->lost)
            continue;
        for (int i = 0; i < o->held; i++)
            h->again[h->agains++] = o->jobs[i];
        h->held -= o->held;
        *o = (struct other){.lost = true};
        bool is_last = true;
        for (int i = 1; i < h->cluster->size; i++)
            is_last = is_last && h->others[i].lost;
        if (is_last)
            fail(h, rank, "has died, as have all others but rank 0");
    }
}

/* Messages of a rank that was given up for dead may still arrive: its jobs are others' now. */
static void handle(struct coordinator *h, const struct message *m) {
    assert(m->kind == MESSAGE_READY || m->kind == MESSAGE_RESULT || m->kind == MESSAGE_FAILED ||
           m->kind == MESSAGE_LEFT); /* only rank 0 sends others */
    if (h->others[m->from].lost)
        return;
    if (m->kind == MESSAGE_LEFT) {
        forget(h, m->from);
        return;
    }
    const int job = get_back(h, m);
    if (m->kind == MESSAGE_RESULT)
        accept_result(h, m, job);
    else if (m->kind == MESSAGE_FAILED)
        fail(h, m->from, m->bytes + offsetof(struct failure, reason.text));
}

/* False when messages cannot be received any more. */
static bool coordinate(struct coordinator *h, struct err *e) {
    for (long waited_us = 0;;) {
        h->stopped = h->stopped || budget_is_stopped(h->work->stop);
        hand_out(h);
        bool is_over = h->held == 0 && !may_begin_more(h);
        for (int rank = 1; rank < h->cluster->size; rank++)
            is_over = is_over && !h->others[rank].awaited;
        if (is_over)
            return true;
        struct message message;
        bool got;
        if (!poll_message(h->cluster, &message, &got, e))
            return false;
        if (got) {
            handle(h, &message);
            waited_us = 0;
        } else {
            note_losses(h);
            rest(&waited_us);
        }
    }
}

/* Rank 0. Its failure is sent to all, so that every rank returns the same. */
static int run_coordinator(const struct pool_work *work, struct err *e) {
    struct cluster *cluster = work->cluster;
    const size_t size = (size_t)cluster->size;
    struct coordinator h = {.work = work, .cluster = cluster};
    h.window = work->take == NULL ? 1 : (cluster->size - 1) * WINDOW_PER_RANK;
    h.others = mem_alloc(size * sizeof *h.others);
    h.results = mem_alloc((size_t)h.window * work->result_size);
    h.landed = mem_alloc((size_t)h.window * sizeof *h.landed);
    h.again = mem_alloc(size * HELD_MAX * sizeof *h.again);
    for (int rank = 1; rank < cluster->size; rank++) {
        h.others[rank].awaited = true;
        if (cluster->left[rank])
            forget(&h, rank);
    }
    note_losses(&h);
    int taken = -1;
    if (coordinate(&h, e)) {
        struct ending ending = {.taken = h.failed ? -1 : h.taken, .reason = h.reason};
        send_to_peers(cluster, MESSAGE_END, &ending, sizeof ending);
        if (h.failed)
            err_set(e, "%s", h.reason.text);
        taken = ending.taken;
    }
    for (int job = h.taken; job < h.next; job++) /* results behind a gap */
        if (work->take != NULL && h.landed[job % h.window] && work->drop != NULL)
            work->drop(work->shared, job, slot(&h, job));
    mem_free(h.others);
    mem_free(h.results);
    mem_free(h.landed);
    mem_free(h.again);
    return taken;
}

/* ---- the pool: the other ranks ---- */

/* A run as one of the other ranks sees it: one job at a time, whatever the number of workers asked for. */
struct worker {
    const struct pool_work *work;
    void *worker; /* NULL: has not begun */
    void *result;
    struct text packed;
};

/* The stop is looked at after the job, so that rank 0 learns of it before it hands out another. */
static struct header header_of(const struct pool_work *work, int job, int wanted) {
    return (struct header){.job = job, .wanted = wanted, .stopped = budget_is_stopped(work->stop)};
}

/* With the job, which rank 0 does not expect back any longer. */
static void send_failure(const struct pool_work *work, int job, const struct err *reason) {
    const struct failure failure = {.header = header_of(work, job, 0), .reason = *reason};
    send_to(work->cluster, 0, MESSAGE_FAILED, &failure, sizeof failure);
}

/* One job and its result, or the reason why there is none. */
static void do_job(struct worker *f, const struct message *m) {
    const struct pool_work *work = f->work;
    struct err e;
    int job;
    assert(m->size == sizeof job);
    memcpy(&job, m->bytes, sizeof job);
    if (f->worker == NULL) { /* with the first job: a rank that gets none has nothing to begin */
        f->worker = work->begin != NULL ? work->begin(work->shared, &e) : work->shared;
        if (f->worker == NULL) {
            send_failure(work, job, &e);
            return;
        }
    }
    memset(f->result, 0, work->result_size);
    const double start = MPI_Wtime();
    work->run(work->shared, f->worker, job, f->result);
    const struct header header = header_of(work, job, MPI_Wtime() - start < SHORT_SECONDS ? HELD_MAX : 1);
    text_clear(&f->packed);
    text_add_bytes(&f->packed, (const char *)&header, sizeof header);
    work->pack(work->shared, f->result, &f->packed);
    const size_t size = f->packed.size - sizeof header;
    if (size <= POOL_PACKED_MAX) {
        send_to(work->cluster, 0, MESSAGE_RESULT, f->packed.data, f->packed.size);
        return;
    }
    err_set(&e, "the result of job %d has %zu bytes; at most %d can be sent", job, size, POOL_PACKED_MAX);
    text_done(&f->packed);
    send_failure(work, job, &e);
}

/* Until rank 0 ends the run, gives up, or dies. */
static int run_worker(const struct pool_work *work, struct err *e) {
    struct worker f = {.work = work, .result = mem_alloc(work->result_size)};
    const struct header ready = header_of(work, -1, 1);
    struct message m;
    struct ending ending = {.taken = -1};
    send_to(work->cluster, 0, MESSAGE_READY, &ready, sizeof ready);
    bool ok;
    while ((ok = await_message(work->cluster, &m, e)) && m.kind == MESSAGE_JOB)
        do_job(&f, &m);
    if (ok && m.kind == MESSAGE_END) {
        assert(m.size == sizeof ending);
        memcpy(&ending, m.bytes, sizeof ending);
        if (ending.taken < 0)
            err_set(e, "%s", ending.reason.text);
    } else if (ok) {
        err_set(e, "rank 0 has given up");
    }
    if (f.worker != NULL && work->end != NULL)
        work->end(f.worker);
    mem_free(f.result);
    text_done(&f.packed);
    return ending.taken;
}

int cluster_run(const struct pool_work *work, struct err *e) {
    assert(work->cluster->size > 1);
    assert(work->pack != NULL);
    assert(work->unpack != NULL);
    return work->cluster->rank == 0 ? run_coordinator(work, e) : run_worker(work, e);
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

/* Rank 0 sees every loss; the others see only that of rank 0. */
int cluster_lost(const struct cluster *cluster) {
    int count = 0;
    for (int rank = 0; rank < cluster->size; rank++)
        count += cluster->lost[rank] ? 1 : 0;
    return count;
}

/* One message to each rank: sharing is rare, and MPI's broadcast would wait inside MPI. */
bool cluster_share(struct cluster *cluster, struct text *bytes, struct err *e) {
    struct message message;
    if (cluster->rank == 0) {
        if (bytes->size > POOL_PACKED_MAX)
            return err_set(e, "the ranks can share at most %d bytes at once, not %zu", POOL_PACKED_MAX,
                           bytes->size);
        send_to_peers(cluster, MESSAGE_SHARE, text_string(bytes), bytes->size);
        return true;
    }
    if (!await_message(cluster, &message, e))
        return false;
    if (message.kind != MESSAGE_SHARE)
        return err_set(e, "rank 0 has given up");
    text_clear(bytes);
    text_add_bytes(bytes, message.bytes, message.size);
    return true;
}

/* The lifelines' address is the first that rank 0 shares. */
static bool tie_lifeline(struct cluster *cluster, struct err *e) {
    struct text address = {0};
    MPI_Comm near;
    int size = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &size); /* ranks on this machine */
    MPI_Comm_free(&near);
    if (cluster->rank == 0)
        cluster->line = lifeline_listen(cluster->size, size == cluster->size, &address);
    const bool shared = cluster_share(cluster, &address, e);
    if (shared && cluster->rank != 0)
        cluster->line = lifeline_connect(cluster->rank, &address);
    text_done(&address);
    return shared;
}

/* When it fails all ranks end: the others would wait for this one. */
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
        *cluster = (struct cluster){.rank = rank,
                                    .size = size,
                                    .first_peer = rank == 0 ? 1 : 0,
                                    .last_peer = rank == 0 ? size - 1 : 0,
                                    .left = flags,
                                    .lost = flags + size};
        if (size == 1 || tie_lifeline(cluster, e))
            return cluster;
    }
    mem_free(cluster);
    mem_free(flags);
    MPI_Abort(MPI_COMM_WORLD, 1); /* the others would wait for this rank */
    return NULL;
}

/* A rank that died has left as well: nothing more comes from it. */
static bool peers_have_left(const struct cluster *cluster) {
    int rank = cluster->first_peer;
    while (rank <= cluster->last_peer && (cluster->left[rank] || cluster->lost[rank]))
        rank++;
    return rank > cluster->last_peer;
}

/* Every rank announces that it leaves, and waits until the others have. Then rank 0 reports to all whether
 * every rank is alive: if one is missing, no rank may wait for all inside MPI. Other messages are discarded
 * meanwhile. */
static bool part(struct cluster *cluster) {
    long waited_us = 0;
    struct message message;
    struct err ignored;
    bool got, is_told = cluster->rank == 0;
    send_to_peers(cluster, MESSAGE_LEFT, "", 0);
    while (!peers_have_left(cluster) || (!is_told && !cluster->lost[0])) {
        if (!poll_message(cluster, &message, &got, &ignored))
            return false;
        if (got && message.kind == MESSAGE_CLOSE) {
            cluster->maimed = message.size > 0;
            is_told = true;
        }
        if (!got)
            rest(&waited_us);
    }
    if (cluster->rank == 0)
        send_to_peers(cluster, MESSAGE_CLOSE, "x", cluster->maimed ? 1 : 0);
    return true;
}

/* MPI may only be ended by all ranks together. After a loss it is not ended at all, and the process just
 * exits. */
void cluster_close(struct cluster *cluster) {
    if (cluster == NULL)
        return;
    if (cluster->broken || (cluster->size > 1 && !part(cluster)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (!cluster->maimed) {
        /* If a rank died at this moment, the others would wait for it for ever. All results are stored and
         * printed by now. */
        alarm(FINALIZE_SECONDS_MAX);
        MPI_Finalize();
        alarm(0);
    }
    lifeline_close(cluster->line);
    mem_free(cluster->left); /* and lost, behind it */
    mem_free(cluster->buffer);
    mem_free(cluster);
}
