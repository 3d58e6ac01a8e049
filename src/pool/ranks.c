/* SPDX-License-Identifier: MIT
 *
 * The pool on the ranks of a cluster. Rank 0 hands out job numbers and is handed results; the others do one
 * job after the other. Rank 0 does no jobs itself: a result that is on its way should not wait for one.
 *
 * A rank holds one job at a time when jobs take long, so that a stop ends soon; short ones come a few at a
 * time, because otherwise the way to rank 0 and back would take longer than they do. When a rank dies, what
 * it held is handed out again.
 */
#include "pool/message.h"

#include "base/budget.h"
#include "base/mem.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { WINDOW_PER_RANK = 16, HELD_MAX = 4 };

#define SHORT_SECONDS 0.01

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

/* ---- rank 0 ---- */

struct other {
    int held, wanted;   /* jobs it has, and would like to have */
    int jobs[HELD_MAX]; /* those it has */
    bool awaited;       /* has not come yet */
    bool lost;          /* has died */
};

struct hub {
    const struct pool_work *work;
    struct other *others; /* by rank */
    int size;             /* of the cluster */
    int next, held;       /* jobs handed out; those of them that are not back */
    int *again, agains;   /* jobs of ranks that died, to be handed out again */
    int taken, window;
    unsigned char *results; /* `window` of them, job i in slot i % window; one when nothing is taken */
    bool *landed;           /* by slot: waits to be taken */
    bool stopped, failed;
    struct err reason;
};

static void fail(struct hub *h, int rank, const char *reason) {
    if (!h->failed)
        err_set(&h->reason, "rank %d: %s", rank, reason);
    h->failed = true;
}

static bool may_begin_more(const struct hub *h) {
    if (h->stopped || h->failed)
        return false;
    return h->agains > 0 ||
           (h->next < h->work->jobs && (h->work->take == NULL || h->next < h->taken + h->window));
}

/* The next job goes to the rank that has the fewest: every rank gets one before any gets a second. */
static int neediest(const struct hub *h) {
    int best = 0;
    for (int rank = 1; rank < h->size; rank++) {
        const struct other *o = &h->others[rank];
        if (o->held < o->wanted && (best == 0 || o->held < h->others[best].held))
            best = rank;
    }
    return best;
}

static void hand_out(struct hub *h) {
    for (int rank; may_begin_more(h) && (rank = neediest(h)) != 0;) {
        struct other *o = &h->others[rank];
        const int job = h->agains > 0 ? h->again[--h->agains] : h->next++;
        const struct message message = {.kind = MESSAGE_JOB, .bytes = (const char *)&job, .size = sizeof job};
        message_send(h->work->cluster, rank, &message);
        assert(o->held < HELD_MAX);
        o->jobs[o->held++] = job;
        h->held++;
    }
}

static void *slot(struct hub *h, int job) {
    return h->results + (size_t)(job % h->window) * h->work->result_size;
}

static void take_finished(struct hub *h) {
    while (h->landed[h->taken % h->window]) {
        h->landed[h->taken % h->window] = false;
        h->work->take(h->work->shared, h->taken, slot(h, h->taken));
        h->taken++;
    }
}

/* After a failure results are still handed over, so that they can be stored and freed. */
static void accept_result(struct hub *h, const struct message *m, int job) {
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
    } else {
        h->landed[job % h->window] = true;
        take_finished(h);
    }
}

/* The job that a rank sends back one way or the other, or -1. */
static int get_back(struct hub *h, const struct message *m) {
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

static void forget(struct hub *h, int rank) {
    h->held -= h->others[rank].held;
    h->others[rank] = (struct other){0};
    fail(h, rank, "has given up");
}

/* The others do what a rank that died had in hand. */
static void lose(struct hub *h, int rank) {
    struct other *o = &h->others[rank];
    for (int i = 0; i < o->held; i++)
        h->again[h->agains++] = o->jobs[i];
    h->held -= o->held;
    *o = (struct other){.lost = true};
    for (int i = 1; i < h->size; i++)
        if (!h->others[i].lost)
            return;
    fail(h, rank, "has died, as have all others but rank 0");
}

static void look_for_losses(struct hub *h) {
    for (int rank = 1; rank < h->size; rank++)
        if (message_is_lost(h->work->cluster, rank) && !h->others[rank].lost)
            lose(h, rank);
}

static void handle(struct hub *h, const struct message *m) {
    if (h->others[m->from].lost)
        return; /* its job is another's now */
    switch (m->kind) {
    case MESSAGE_READY: get_back(h, m); break;
    case MESSAGE_RESULT: accept_result(h, m, get_back(h, m)); break;
    case MESSAGE_FAILED:
        get_back(h, m);
        fail(h, m->from, m->bytes + offsetof(struct failure, reason.text));
        break;
    case MESSAGE_LEFT: forget(h, m->from); break;
    case MESSAGE_SHARE:
    case MESSAGE_JOB:
    case MESSAGE_CLOSE:
    case MESSAGE_END: assert(false); break; /* only rank 0 sends these */
    }
}

static bool is_over(const struct hub *h) {
    for (int rank = 1; rank < h->size; rank++)
        if (h->others[rank].awaited)
            return false;
    return h->held == 0 && !may_begin_more(h);
}

/* False when messages cannot be received any more. */
static bool coordinate(struct hub *h, struct err *e) {
    struct patience patience = {0};
    for (;;) {
        h->stopped = h->stopped || budget_is_stopped(h->work->stop);
        hand_out(h);
        if (is_over(h))
            return true;
        struct message message;
        bool got;
        if (!message_poll(h->work->cluster, &message, &got, e))
            return false;
        if (got) {
            handle(h, &message);
            patience = (struct patience){0};
        } else {
            look_for_losses(h);
            patience_rest(&patience);
        }
    }
}

static int finish(struct hub *h, struct err *e) {
    struct ending ending = {.taken = h->failed ? -1 : h->taken, .reason = h->reason};
    const struct message end = {.kind = MESSAGE_END, .bytes = (const char *)&ending, .size = sizeof ending};
    for (int rank = 1; rank < h->size; rank++)
        message_send(h->work->cluster, rank, &end);
    if (h->failed)
        err_set(e, "%s", h->reason.text);
    return ending.taken;
}

static int run_coordinator(const struct pool_work *work, struct err *e) {
    struct hub h = {.work = work, .size = cluster_size(work->cluster)};
    h.window = work->take == NULL ? 1 : (h.size - 1) * WINDOW_PER_RANK;
    h.others = mem_alloc((size_t)h.size * sizeof *h.others);
    h.results = mem_alloc((size_t)h.window * work->result_size);
    h.landed = mem_alloc((size_t)h.window * sizeof *h.landed);
    h.again = mem_alloc((size_t)h.size * HELD_MAX * sizeof *h.again);
    for (int rank = 1; rank < h.size; rank++) {
        h.others[rank].awaited = true;
        if (message_has_left(work->cluster, rank))
            forget(&h, rank);
    }
    look_for_losses(&h);
    const int taken = coordinate(&h, e) ? finish(&h, e) : -1;
    for (int job = h.taken; job < h.next; job++) /* results behind a gap */
        if (work->take != NULL && h.landed[job % h.window] && work->drop != NULL)
            work->drop(work->shared, job, slot(&h, job));
    mem_free(h.others);
    mem_free(h.results);
    mem_free(h.landed);
    mem_free(h.again);
    return taken;
}

/* ---- the other ranks ---- */

struct worker {
    const struct pool_work *work;
    void *worker; /* NULL: has not begun */
    void *result;
    struct text packed;
};

static void tell(struct worker *f, enum message_kind kind, const char *bytes, size_t size) {
    const struct message message = {.kind = kind, .bytes = bytes, .size = size};
    message_send(f->work->cluster, 0, &message);
}

/* The stop is looked at after the job, so that rank 0 learns of it before it hands out another. */
static struct header about(const struct worker *f, int job, int wanted) {
    return (struct header){.job = job, .wanted = wanted, .stopped = budget_is_stopped(f->work->stop)};
}

static void tell_failure(struct worker *f, int job, const struct err *reason) {
    const struct failure failure = {.header = about(f, job, 0), .reason = *reason};
    tell(f, MESSAGE_FAILED, (const char *)&failure, sizeof failure);
}

static void do_job(struct worker *f, const struct message *m) {
    const struct pool_work *work = f->work;
    struct err e;
    int job;
    assert(m->size == sizeof job);
    memcpy(&job, m->bytes, sizeof job);
    if (f->worker == NULL) { /* with the first job: a rank that gets none has nothing to begin */
        f->worker = work->begin != NULL ? work->begin(work->shared, &e) : work->shared;
        if (f->worker == NULL) {
            tell_failure(f, job, &e);
            return;
        }
    }
    memset(f->result, 0, work->result_size);
    const double start = message_seconds();
    work->run(work->shared, f->worker, job, f->result);
    const struct header header = about(f, job, message_seconds() - start < SHORT_SECONDS ? HELD_MAX : 1);
    text_clear(&f->packed);
    text_add_bytes(&f->packed, (const char *)&header, sizeof header);
    work->pack(work->shared, f->result, &f->packed);
    const size_t size = f->packed.size - sizeof header;
    if (size <= POOL_PACKED_MAX) {
        tell(f, MESSAGE_RESULT, f->packed.data, f->packed.size);
        return;
    }
    err_set(&e, "the result of job %d has %zu bytes; at most %d can be sent", job, size, POOL_PACKED_MAX);
    text_done(&f->packed);
    tell_failure(f, job, &e);
}

/* The next message of rank 0. */
static bool await(const struct worker *f, struct message *out, struct err *e) {
    struct patience patience = {0};
    for (bool got;;) {
        if (message_has_left(f->work->cluster, 0))
            return err_set(e, "rank 0 has given up");
        if (message_is_lost(f->work->cluster, 0))
            return err_set(e, "rank 0 has died");
        if (!message_poll(f->work->cluster, out, &got, e))
            return false;
        if (got)
            return true;
        patience_rest(&patience);
    }
}

static int read_ending(const struct message *m, struct err *e) {
    struct ending ending;
    assert(m->size == sizeof ending);
    memcpy(&ending, m->bytes, sizeof ending);
    if (ending.taken < 0)
        err_set(e, "%s", ending.reason.text);
    return ending.taken;
}

static int serve(struct worker *f, struct err *e) {
    struct message m;
    while (await(f, &m, e)) {
        if (m.kind == MESSAGE_END)
            return read_ending(&m, e);
        if (m.kind != MESSAGE_JOB) {
            err_set(e, "rank 0 has given up");
            return -1;
        }
        do_job(f, &m);
    }
    return -1;
}

static int run_worker(const struct pool_work *work, struct err *e) {
    struct worker f = {.work = work, .result = mem_alloc(work->result_size)};
    const struct header ready = about(&f, -1, 1);
    tell(&f, MESSAGE_READY, (const char *)&ready, sizeof ready);
    const int taken = serve(&f, e);
    if (f.worker != NULL && work->end != NULL)
        work->end(f.worker);
    mem_free(f.result);
    text_done(&f.packed);
    return taken;
}

int ranks_run(const struct pool_work *work, struct err *e) {
    assert(cluster_size(work->cluster) > 1);
    assert(work->pack != NULL);
    assert(work->unpack != NULL);
    return cluster_rank(work->cluster) == 0 ? run_coordinator(work, e) : run_worker(work, e);
}
