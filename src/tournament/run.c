/* SPDX-License-Identifier: MIT */
#include "tournament/run.h"

#include "base/mem.h"
#include "match/bout.h"
#include "pool/cluster.h"
#include "pool/pool.h"
#include "store/store.h"
#include "tournament/seats.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* One batch under way. On a cluster the ranks know of it only what is in `jobs`. */
struct batch {
    const struct tournament_run *run;
    struct games *games; /* rank 0's */
    const struct fixture *jobs;
    int job_count;
    bool failed;
    struct err reason;
};

/* What comes of a job. Plain bytes travel as they are, the texts behind them. */
struct job_result {
    struct outcome outcome;
    bool stopped, failed;
    struct err reason;
    struct text record, bundle;
};

/* ---- the games ---- */

static void *begin_worker(void *shared, struct err *e) {
    const struct batch *b = shared;
    struct seats *seats = mem_alloc(sizeof *seats);
    if (seats == NULL)
        err_set(e, "not enough memory for a worker");
    else
        seats_init(seats, b->run->event);
    return seats;
}

static void end_worker(void *worker) {
    seats_done(worker);
    mem_free(worker);
}

static void note_outcome(const struct bout_result *bout, struct outcome *o) {
    *o = (struct outcome){
        .played = true,
        .payoff = bout->payoff,
        .forfeiter = bout->forfeiter,
        .fault = (int)bout->fault,
        .actions = bout->actions,
        .turns = bout->turns,
        .lead_changes = bout->lead_changes,
    };
    memcpy(o->think_ns, bout->think_ns, sizeof o->think_ns);
    memcpy(o->longest_ns, bout->longest_ns, sizeof o->longest_ns);
    memcpy(o->decisions, bout->decisions, sizeof o->decisions);
    snprintf(o->result, sizeof o->result, "%s", bout->record.result);
}

/* The record is written here and not where it is stored: many workers write at once, one stores. */
static bool finish_game(const struct tournament_run *run, const struct scenario *scenario,
                        struct bout_result *bout, struct job_result *result) {
    note_outcome(bout, &result->outcome);
    if (run->date != NULL)
        run->date(bout->record.date, sizeof bout->record.date);
    result->bundle = bout->bundle;
    bout->bundle = (struct text){0};
    return record_write_json_of(&bout->record, scenario, &result->record, &result->reason);
}

/* A game that somebody looks at. */
struct watched {
    const struct tournament_run *run;
    const struct fixture *fixture;
};

static void watch_game(void *context, const void *state, const struct record *record) {
    const struct watched *w = context;
    w->run->watch(w->run->context, w->fixture, state, record);
}

static bool play_game(const struct tournament_run *run, struct seats *seats, const struct fixture *f,
                      struct job_result *result) {
    const struct event *event = run->event;
    const struct scenario *scenario = event->maps[f->map].scenario;
    struct watched watched = {run, f};
    struct bout bout = {
        .scenario = scenario,
        .seed = f->seed,
        .deal = f->deal,
        .timing = &event->rules.timing,
        .clock = run->clock,
        .stop = run->stop,
        .watch = run->watch != NULL ? watch_game : NULL,
        .context = &watched,
    };
    for (int side = 0; side < 2; side++) {
        bout.names[side] = event->players[f->players[side]].name;
        bout.players[side] = seats_take(seats, f->players[side], scenario->game, &result->reason);
        if (bout.players[side] == NULL)
            return false;
    }
    struct bout_result played;
    bool ok = bout_play(&bout, &played, &result->reason);
    result->stopped = played.stopped;
    if (ok && !played.stopped)
        ok = finish_game(run, scenario, &played, result);
    bout_result_done(&played);
    return ok;
}

static void run_job(void *shared, void *worker, int job, void *argument) {
    const struct batch *b = shared;
    struct job_result *result = argument;
    result->failed = !play_game(b->run, worker, &b->jobs[job], result);
}

/* ---- their results ---- */

static bool store_result(const struct batch *b, const struct fixture *f, const struct job_result *r,
                         struct err *e) {
    char date[64] = "";
    if (b->run->date != NULL)
        b->run->date(date, sizeof date);
    const struct outcome *o = &r->outcome;
    const struct store_game game = {
        .number = f->number,
        .stage = f->stage,
        .round = f->round,
        .players = {f->players[0], f->players[1]},
        .map = f->map,
        .seed = f->seed,
        .payoff = o->payoff,
        .result = o->result,
        .forfeiter = o->forfeiter,
        .fault = o->fault,
        .actions = o->actions,
        .turns = o->turns,
        .lead_changes = o->lead_changes,
        .think_ns = {o->think_ns[0], o->think_ns[1]},
        .longest_ns = {o->longest_ns[0], o->longest_ns[1]},
        .decisions = {o->decisions[0], o->decisions[1]},
        .record = text_string(&r->record),
        .bundle = r->bundle.size > 0 ? text_string(&r->bundle) : NULL,
        .finished = date,
    };
    return b->run->store == NULL || store_add_game(b->run->store, &game, e);
}

static void fail(struct batch *b, const struct err *reason) {
    if (!b->failed)
        b->reason = *reason;
    b->failed = true;
    atomic_store(b->run->stop, true);
}

static void done_with(struct job_result *r) {
    text_done(&r->record);
    text_done(&r->bundle);
}

static void land_result(void *shared, int job, void *argument) {
    struct batch *b = shared;
    struct job_result *r = argument;
    const struct fixture *f = &b->jobs[job];
    struct err e;
    if (r->failed) {
        fail(b, &r->reason);
    } else if (!r->stopped) {
        if (store_result(b, f, r, &e)) {
            b->games->outcomes[f->number] = r->outcome;
            if (b->run->on_game != NULL)
                b->run->on_game(b->run->context, b->games, f->number, false);
        } else {
            fail(b, &e);
        }
    }
    done_with(r);
}

/* ---- on a cluster ---- */

static void pack_result(void *shared, void *argument, struct text *out) {
    (void)shared;
    struct job_result *r = argument;
    const struct text texts[2] = {r->record, r->bundle};
    struct job_result plain = *r;
    plain.record = (struct text){.size = texts[0].size};
    plain.bundle = (struct text){.size = texts[1].size};
    text_add_bytes(out, (const char *)&plain, sizeof plain);
    for (int i = 0; i < 2; i++)
        text_add_bytes(out, text_string(&texts[i]), texts[i].size);
    done_with(r);
}

static bool unpack_result(void *shared, const char *bytes, size_t size, void *argument, struct err *e) {
    (void)shared;
    struct job_result *r = argument;
    if (size < sizeof *r)
        return err_set(e, "a rank sent %zu bytes in place of a result", size);
    memcpy(r, bytes, sizeof *r);
    const size_t sizes[2] = {r->record.size, r->bundle.size};
    r->record = r->bundle = (struct text){0};
    if (size - sizeof *r != sizes[0] + sizes[1])
        return err_set(e, "a rank sent a result of the wrong size");
    text_add_bytes(&r->record, bytes + sizeof *r, sizes[0]);
    text_add_bytes(&r->bundle, bytes + sizeof *r + sizes[0], sizes[1]);
    if (!r->record.failed && !r->bundle.failed)
        return true;
    done_with(r);
    return err_set(e, "not enough memory for a result");
}

/* ---- batches ---- */

static bool play_batch(struct batch *b, struct err *e) {
    const struct pool_work work = {
        .jobs = b->job_count,
        .workers = b->run->workers,
        .shared = b,
        .result_size = sizeof(struct job_result),
        .begin = begin_worker,
        .end = end_worker,
        .run = run_job,
        .landed = land_result,
        .stop = b->run->stop,
        .cluster = b->run->cluster,
        .pack = pack_result,
        .unpack = unpack_result,
    };
    if (pool_run(&work, e) < 0)
        return false;
    return b->failed ? err_set(e, "%s", b->reason.text) : true;
}

/* The fixtures from `first` on that are not played, as bytes: what the ranks of a cluster need to know. */
static void list_missing(const struct games *games, int first, struct text *out) {
    text_clear(out);
    for (int i = first; i < games->count; i++)
        if (!games->outcomes[i].played)
            text_add_bytes(out, (const char *)&games->fixtures[i], sizeof games->fixtures[i]);
}

/* A run and how far it is. */
struct course_of_run {
    const struct tournament_run *run;
    struct games *games; /* NULL on ranks beside 0 */
    struct text missing;
    bool broken; /* the pool or the cluster failed, for all ranks alike: nothing more can be shared */
};

static bool play_jobs(struct course_of_run *c, struct err *e) {
    /* A copy, because text promises no alignment. */
    struct fixture *jobs = mem_alloc(c->missing.size);
    if (jobs == NULL)
        return err_set(e, "not enough memory for the schedule");
    memcpy(jobs, c->missing.data, c->missing.size);
    struct batch batch = {.run = c->run,
                          .games = c->games,
                          .jobs = jobs,
                          .job_count = (int)(c->missing.size / sizeof(struct fixture))};
    const bool ok = play_batch(&batch, e);
    c->broken = !ok && !batch.failed;
    mem_free(jobs);
    return ok;
}

static bool play_missing(struct course_of_run *c, struct err *e) {
    if (c->missing.failed)
        return err_set(e, "not enough memory for the schedule");
    if (c->run->cluster != NULL && !cluster_share(c->run->cluster, &c->missing, e)) {
        c->broken = true;
        return false;
    }
    return c->missing.size == 0 || play_jobs(c, e);
}

static bool is_whole(const struct games *games, int first) {
    for (int i = first; i < games->count; i++)
        if (!games->outcomes[i].played)
            return false;
    return true;
}

static void tell_recalled(const struct tournament_run *run, const struct games *games, int first) {
    for (int i = first; run->on_game != NULL && i < games->count; i++)
        if (games->outcomes[i].played)
            run->on_game(run->context, games, i, true);
}

/* Rank 0, or the only one there is. */
static bool lead(struct course_of_run *c, bool *complete, struct err *e) {
    const struct tournament_run *run = c->run;
    for (bool more = true; !budget_is_stopped(run->stop);) {
        int beyond = 0;
        const int first = c->games->count;
        if (!event_next_batch(run->event, c->games, &more, e))
            return false;
        if (run->store != NULL && !tournament_recall(run->store, c->games, first, &beyond, e))
            return false;
        if (!more && beyond > 0)
            return err_set(e, "the store has %d games that the event does not have", beyond);
        if (!more) {
            *complete = true;
            return true;
        }
        tell_recalled(run, c->games, first);
        list_missing(c->games, first, &c->missing);
        if (c->missing.size > 0 && !play_missing(c, e))
            return false;
        if (!is_whole(c->games, first))
            return true; /* stopped */
    }
    return true;
}

/* Tells the other ranks that there is nothing more to do. */
static bool dismiss(struct course_of_run *c, struct err *e) {
    text_clear(&c->missing);
    return c->run->cluster == NULL || c->broken || cluster_share(c->run->cluster, &c->missing, e);
}

/* The others do what rank 0 shares until it shares nothing. */
static bool follow(struct course_of_run *c, struct err *e) {
    do {
        text_clear(&c->missing);
        if (!play_missing(c, e))
            return false;
    } while (c->missing.size > 0);
    return true;
}

bool tournament_play(const struct tournament_run *run, struct games *games, bool *complete, struct err *e) {
    const bool leads = run->cluster == NULL || cluster_rank(run->cluster) == 0;
    struct course_of_run c = {.run = run, .games = leads ? games : NULL};
    struct err ignored;
    *complete = false;
    bool ok;
    if (leads) {
        ok = lead(&c, complete, e);
        ok = dismiss(&c, ok ? e : &ignored) && ok;
    } else {
        ok = follow(&c, e);
    }
    text_done(&c.missing);
    return ok;
}

bool tournament_check(const struct event *event, struct err *e) {
    for (int map = 0; map < event->map_count; map++)
        for (int i = 0; i < event->player_count; i++) {
            const struct game *game = event->maps[map].scenario->game;
            bool seen = false; /* a table that was tried already needs no second try */
            for (int before = 0; before < map && !seen; before++)
                seen = event->maps[before].scenario->game == game;
            struct player *player = seen ? NULL : player_open(event->players[i].spec, game, e);
            if (!seen && player == NULL)
                return err_prefix(e, "%s on %s: ", event->players[i].name, event->maps[map].name);
            player_close(player);
        }
    return true;
}
