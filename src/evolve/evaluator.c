/* SPDX-License-Identifier: MIT
 *
 * A call's games become jobs, except for those that the store has. Opening players costs more than playing
 * a quick game, so workers stay open from call to call.
 */
#include "evolve/evaluator.h"

#include "base/budget.h"
#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

/* ---- slices as bytes, for the other ranks ----
 *
 * All ranks are the same program on the same kind of machine, so structs travel as they are. */

struct header {
    int map_first, map_count, job_count;
};

_Static_assert(SLICE_JOBS_MAX * sizeof(struct slice_job) + SLICE_MAPS_MAX * sizeof(struct tbs_map) +
                       sizeof(struct header) <=
                   POOL_PACKED_MAX,
               "a slice can be shared");

void slice_pack(const struct slice *slice, struct text *out) {
    const struct header header = {slice->map_first, slice->map_count, slice->job_count};
    text_clear(out);
    text_add_bytes(out, (const char *)&header, sizeof header);
    for (int i = 0; i < slice->map_count; i++)
        text_add_bytes(out, (const char *)slice->maps[i], sizeof *slice->maps[i]);
    text_add_bytes(out, (const char *)slice->jobs, (size_t)slice->job_count * sizeof *slice->jobs);
}

static bool is_whole(const struct text *bytes, const struct header *h) {
    return h->map_first >= 0 && h->map_count >= 1 && h->map_count <= SLICE_MAPS_MAX && h->job_count >= 1 &&
           h->job_count <= SLICE_JOBS_MAX &&
           bytes->size == sizeof *h + (size_t)h->map_count * sizeof(struct tbs_map) +
                              (size_t)h->job_count * sizeof(struct slice_job);
}

static bool have_maps(const struct own_slice *own) {
    const struct slice *s = &own->slice;
    for (int i = 0; i < s->job_count; i++) {
        const struct slice_job *j = &s->jobs[i];
        if (j->map < s->map_first || j->map - s->map_first >= s->map_count || j->key.kind >= SAMPLE_KINDS)
            return false;
    }
    return true;
}

bool slice_unpack(const struct text *bytes, struct own_slice *out, struct err *e) {
    struct header h = {0};
    *out = (struct own_slice){0};
    if (bytes->size >= sizeof h)
        memcpy(&h, bytes->data, sizeof h);
    if (!is_whole(bytes, &h))
        return err_set(e, "rank 0 sent %zu bytes in place of games to play", bytes->size);
    const size_t maps_size = (size_t)h.map_count * sizeof *out->maps;
    const size_t jobs_size = (size_t)h.job_count * sizeof *out->jobs;
    out->maps = mem_alloc(maps_size);
    out->map_list = mem_alloc((size_t)h.map_count * sizeof *out->map_list);
    out->jobs = mem_alloc(jobs_size);
    if (out->maps == NULL || out->map_list == NULL || out->jobs == NULL)
        return err_set(e, "not enough memory for %d maps", h.map_count);
    /* Copies, because text promises no alignment. */
    memcpy(out->maps, bytes->data + sizeof h, maps_size);
    memcpy(out->jobs, bytes->data + sizeof h + maps_size, jobs_size);
    for (int i = 0; i < h.map_count; i++)
        out->map_list[i] = &out->maps[i];
    out->slice = (struct slice){h.map_first, h.map_count, out->map_list, h.job_count, out->jobs};
    return have_maps(out) || err_set(e, "rank 0 sent games on maps that it did not send");
}

void own_slice_done(struct own_slice *own) {
    mem_free(own->maps);
    mem_free(own->map_list);
    mem_free(own->jobs);
    *own = (struct own_slice){0};
}

/* ---- the evaluator ---- */

struct worker {
    struct evaluator *evaluator;
    struct sample_players *players;
    struct worker *next; /* in the list of the idle */
};

struct evaluator {
    struct evaluator_setup setup;
    uint64_t players_digest;
    struct sample_store samples;
    int games, stored; /* asked for and answered so far; of these, found in the store */
    bool over;         /* it was stopped, or something failed */
    bool broken;       /* the pool or the cluster failed, for all ranks alike: nothing more can be shared */
    struct text shared;
    pthread_mutex_t lock; /* of `idle` */
    struct worker *idle;
};

/* ---- requests ---- */

int request_more(const struct request *of, const int games[SAMPLE_KINDS], struct request out[SAMPLE_KINDS]) {
    int count = 0;
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        if (games[kind] <= 0)
            continue;
        struct request *r = &out[count++];
        *r = *of;
        r->kind = (enum sample_kind)kind;
        r->first = of->first + judgement_games_of(of->into, r->kind);
        r->count = games[kind];
    }
    return count;
}

/* ---- workers ---- */

static struct worker *make_worker(struct evaluator *ev, struct err *e) {
    struct worker *w = mem_alloc(sizeof *w);
    if (w == NULL) {
        err_set(e, "not enough memory for a worker");
        return NULL;
    }
    w->evaluator = ev;
    w->players = sample_players_open(ev->setup.strong, ev->setup.weak, ev->setup.grant, e);
    if (w->players != NULL)
        return w;
    mem_free(w);
    return NULL;
}

static void put_idle(void *worker) {
    struct worker *w = worker;
    struct evaluator *ev = w->evaluator;
    pthread_mutex_lock(&ev->lock);
    w->next = ev->idle;
    ev->idle = w;
    pthread_mutex_unlock(&ev->lock);
}

static struct worker *take_idle(struct evaluator *ev) {
    pthread_mutex_lock(&ev->lock);
    struct worker *w = ev->idle;
    if (w != NULL)
        ev->idle = w->next;
    pthread_mutex_unlock(&ev->lock);
    return w;
}

static void close_idle(struct evaluator *ev) {
    for (struct worker *w; (w = take_idle(ev)) != NULL; mem_free(w))
        sample_players_close(w->players);
}

/* ---- one slice ---- */

struct batch {
    struct evaluator *evaluator;
    const struct slice *slice;
    struct scenario **scenarios; /* a map's */
    struct sample_game *samples; /* rank 0's, by slot */
    int landed;
    bool failed;
    struct err reason;
};

/* Plain bytes: travels as it is. */
struct job_result {
    struct sample_game sample;
    bool stopped, failed;
    struct err reason;
};

static void *begin_worker(void *shared, struct err *e) {
    const struct batch *b = shared;
    struct worker *w = take_idle(b->evaluator);
    return w != NULL ? w : make_worker(b->evaluator, e);
}

static void run_job(void *shared, void *worker, int number, void *argument) {
    const struct batch *b = shared;
    const struct evaluator *ev = b->evaluator;
    const struct slice_job *job = &b->slice->jobs[number];
    struct worker *w = worker;
    struct job_result *r = argument;
    const struct sample_setup game = {
        .scenario = b->scenarios[job->map - b->slice->map_first],
        .kind = job->key.kind,
        .seed = sample_seed(ev->setup.seed, &job->key),
        .clock = ev->setup.clock,
        .stop = ev->setup.stop,
    };
    r->failed = !sample_game_play(w->players, &game, &r->sample, &r->stopped, &r->reason);
}

static void notify(const struct evaluator *ev, const struct sample_game *sample, bool stored) {
    if (ev->setup.on_result != NULL)
        ev->setup.on_result(ev->setup.context, sample);
    if (ev->setup.on_game != NULL)
        ev->setup.on_game(ev->setup.context, stored);
}

static void fail(struct batch *b, const struct err *reason) {
    if (!b->failed)
        b->reason = *reason;
    b->failed = true;
    atomic_store(b->evaluator->setup.stop, true);
}

static void land_result(void *shared, int number, void *argument) {
    struct batch *b = shared;
    struct evaluator *ev = b->evaluator;
    const struct slice_job *job = &b->slice->jobs[number];
    const struct job_result *r = argument;
    char date[64] = "";
    struct err e;
    if (r->stopped)
        return;
    if (r->failed) {
        fail(b, &r->reason);
        return;
    }
    if (ev->setup.date != NULL)
        ev->setup.date(date, sizeof date);
    const struct stored_sample stored = {job->key, r->sample};
    if (!sample_store_add(&ev->samples, &stored, date, &e)) {
        fail(b, &e);
        return;
    }
    b->samples[job->slot] = r->sample;
    b->landed++;
    ev->games++;
    notify(ev, &r->sample, false);
}

static void pack_result(void *shared, void *argument, struct text *out) {
    (void)shared;
    text_add_bytes(out, argument, sizeof(struct job_result));
}

static bool unpack_result(void *shared, const char *bytes, size_t size, void *argument, struct err *e) {
    (void)shared;
    if (size != sizeof(struct job_result))
        return err_set(e, "a rank sent %zu bytes in place of a result", size);
    memcpy(argument, bytes, size);
    return true;
}

static bool run_pool(struct batch *b, struct err *e) {
    struct evaluator *ev = b->evaluator;
    const struct pool_work work = {
        .jobs = b->slice->job_count,
        .workers = ev->setup.workers,
        .shared = b,
        .result_size = sizeof(struct job_result),
        .begin = begin_worker,
        .end = put_idle,
        .run = run_job,
        .landed = land_result,
        .stop = ev->setup.stop,
        .cluster = ev->setup.cluster,
        .pack = pack_result,
        .unpack = unpack_result,
    };
    if (pool_run(&work, e) < 0) {
        ev->broken = true;
        return false;
    }
    return b->failed ? err_set(e, "%s", b->reason.text) : true;
}

static bool make_scenarios(struct batch *b, struct err *e) {
    const struct slice *s = b->slice;
    b->scenarios = mem_alloc((size_t)s->map_count * sizeof *b->scenarios);
    if (b->scenarios == NULL)
        return err_set(e, "not enough memory for %d maps", s->map_count);
    for (int i = 0; i < s->map_count; i++) {
        b->scenarios[i] = tbs_scenario_make(s->maps[i], b->evaluator->setup.rules, TBS_PATH_AUTO, e);
        if (b->scenarios[i] == NULL)
            return false;
    }
    return true;
}

static void drop_scenarios(struct batch *b) {
    for (int i = 0; b->scenarios != NULL && i < b->slice->map_count; i++)
        if (b->scenarios[i] != NULL)
            b->scenarios[i]->game->unload(b->scenarios[i]);
    mem_free(b->scenarios);
}

static bool is_coordinator(const struct evaluator *ev) {
    return ev->setup.cluster != NULL && cluster_rank(ev->setup.cluster) == 0;
}

/* Rank 0 sends the slice to the worker ranks; on the other ranks this does nothing. */
static bool share_slice(struct evaluator *ev, const struct slice *slice, struct err *e) {
    if (!is_coordinator(ev))
        return true;
    slice_pack(slice, &ev->shared);
    if (ev->shared.failed)
        return err_set(e, "not enough memory for %d maps", slice->map_count);
    ev->broken = !cluster_share(ev->setup.cluster, &ev->shared, e);
    return !ev->broken;
}

/* `samples` is NULL on the ranks that only play. *complete: all jobs have landed here. */
static bool play_slice(struct evaluator *ev, const struct slice *slice, struct sample_game *samples,
                       bool *complete, struct err *e) {
    struct batch b = {.evaluator = ev, .slice = slice, .samples = samples};
    const bool ok = make_scenarios(&b, e) && share_slice(ev, slice, e) && run_pool(&b, e);
    drop_scenarios(&b);
    *complete = b.landed == slice->job_count;
    return ok;
}

/* ---- a call ---- */

struct call {
    const struct request *requests;
    int count;
    int sample_count;
    struct sample_game *samples; /* one for each game of each request, in order */
    int job_count, map_count;
    struct slice_job *jobs;      /* games that the store does not have */
    const struct tbs_map **maps; /* theirs; one that several requests in a row name is there once */
};

static void call_done(struct call *c) {
    mem_free(c->samples);
    mem_free(c->jobs);
    mem_free(c->maps);
}

static bool call_init(struct call *c, const struct request *requests, int count, struct err *e) {
    *c = (struct call){.requests = requests, .count = count};
    for (int i = 0; i < count; i++) {
        assert(requests[i].id >= 0);
        assert(requests[i].first >= 0);
        assert(requests[i].count >= 0);
        c->sample_count += requests[i].count;
    }
    c->samples = mem_alloc((size_t)(c->sample_count + 1) * sizeof *c->samples);
    c->jobs = mem_alloc((size_t)(c->sample_count + 1) * sizeof *c->jobs);
    c->maps = mem_alloc((size_t)(count + 1) * sizeof *c->maps);
    return (c->samples != NULL && c->jobs != NULL && c->maps != NULL) ||
           err_set(e, "not enough memory for %d games", c->sample_count);
}

static void add_job(struct call *c, const struct request *r, const struct sample_key *key, int slot) {
    if (c->map_count == 0 || c->maps[c->map_count - 1] != r->map)
        c->maps[c->map_count++] = r->map;
    c->jobs[c->job_count++] = (struct slice_job){.key = *key, .map = c->map_count - 1, .slot = slot};
}

/* Takes the games that the store has; the others become jobs. */
static bool sort_out(struct evaluator *ev, struct call *c, struct err *e) {
    int slot = 0;
    for (int i = 0; i < c->count; i++) {
        const struct request *r = &c->requests[i];
        struct sample_key key = {
            .map = r->id, .kind = r->kind, .digest = sample_digest(ev->players_digest, r->map)};
        for (int game = 0; game < r->count; game++, slot++) {
            const struct sample_game *found;
            key.number = r->first + game;
            if (!sample_store_find(&ev->samples, &key, &found, e))
                return false;
            if (found == NULL) {
                add_job(c, r, &key, slot);
                continue;
            }
            c->samples[slot] = *found;
            ev->games++;
            ev->stored++;
            notify(ev, found, true);
        }
    }
    return true;
}

/* As many jobs from `first` on as go at once. */
static struct slice cut_slice(const struct call *c, int first) {
    const struct slice_job *jobs = &c->jobs[first];
    const int map_first = jobs[0].map;
    int n = 0;
    while (first + n < c->job_count && n < SLICE_JOBS_MAX && jobs[n].map - map_first < SLICE_MAPS_MAX)
        n++;
    return (struct slice){map_first, jobs[n - 1].map - map_first + 1, &c->maps[map_first], n, jobs};
}

static bool play_jobs(struct evaluator *ev, struct call *c, bool *complete, struct err *e) {
    *complete = c->job_count == 0 || !ev->setup.stored_only;
    for (int first = 0; *complete && first < c->job_count;) {
        const struct slice slice = cut_slice(c, first);
        if (!play_slice(ev, &slice, c->samples, complete, e))
            return false;
        first += slice.job_count;
    }
    return true;
}

static void judge(const struct call *c) {
    int slot = 0;
    for (int i = 0; i < c->count; i++)
        for (int game = 0; game < c->requests[i].count; game++)
            judgement_add(c->requests[i].into, &c->samples[slot++]);
}

bool evaluator_play(struct evaluator *evaluator, const struct request *requests, int count, bool *complete,
                    struct err *e) {
    struct call call;
    *complete = false;
    evaluator->over = evaluator->over || budget_is_stopped(evaluator->setup.stop);
    if (evaluator->over)
        return true;
    const bool ok = call_init(&call, requests, count, e) && sort_out(evaluator, &call, e) &&
                    play_jobs(evaluator, &call, complete, e);
    evaluator->over = !ok || !*complete;
    if (!evaluator->over)
        judge(&call);
    call_done(&call);
    return ok;
}

int evaluator_games(const struct evaluator *evaluator) {
    return evaluator->games;
}

int evaluator_stored(const struct evaluator *evaluator) {
    return evaluator->stored;
}

/* ---- other ranks ---- */

bool evaluator_work(struct evaluator *evaluator, struct err *e) {
    for (;;) {
        struct own_slice own;
        bool complete;
        text_clear(&evaluator->shared);
        if (!cluster_share(evaluator->setup.cluster, &evaluator->shared, e))
            return false;
        if (evaluator->shared.size == 0)
            return true;
        const bool ok = slice_unpack(&evaluator->shared, &own, e) &&
                        play_slice(evaluator, &own.slice, NULL, &complete, e);
        own_slice_done(&own);
        if (!ok)
            return false;
    }
}

/* Rank 0 sends an empty slice, which ends evaluator_work on the worker ranks. */
static void shut_down_workers(struct evaluator *ev) {
    struct err ignored;
    text_clear(&ev->shared);
    if (is_coordinator(ev) && !ev->broken)
        cluster_share(ev->setup.cluster, &ev->shared, &ignored);
}

/* ---- opening and closing ---- */

struct evaluator *evaluator_open(const struct evaluator_setup *setup, struct err *e) {
    assert(setup->stop != NULL);
    struct evaluator *ev = mem_alloc(sizeof *ev);
    if (ev == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    ev->setup = *setup;
    ev->players_digest = sample_digest_players(setup->rules, setup->strong, setup->weak);
    pthread_mutex_init(&ev->lock, NULL);
    /* The first worker is made here, so that a wrong spec is noticed before anything is played. */
    struct worker *first = make_worker(ev, e);
    if (first != NULL)
        put_idle(first);
    if (first != NULL && sample_store_read(&ev->samples, setup->store, setup->seed, e))
        return ev;
    ev->broken = true; /* the worker ranks do not wait for an evaluator that never opened */
    evaluator_close(ev);
    return NULL;
}

void evaluator_close(struct evaluator *evaluator) {
    if (evaluator == NULL)
        return;
    shut_down_workers(evaluator);
    close_idle(evaluator);
    sample_store_done(&evaluator->samples);
    text_done(&evaluator->shared);
    pthread_mutex_destroy(&evaluator->lock);
    mem_free(evaluator);
}
