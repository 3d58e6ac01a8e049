/* SPDX-License-Identifier: MIT */
#include "tournament/run.h"

#include "base/jsontext.h"
#include "base/mem.h"
#include "match/game_run.h"
#include "pool/pool.h"
#include "store/store.h"
#include "tournament/event_store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a worker's open players ---- */

void player_cache_init(struct player_cache *cache, const struct event *event, const struct grant *grant) {
    *cache = (struct player_cache){.event = event, .grant = grant};
}

void player_cache_done(struct player_cache *cache) {
    for (int i = 0; i < PLAYER_CACHE_MAX; i++)
        player_close(cache->entries[i].open);
}

struct player *player_cache_take(struct player_cache *cache, int player, const struct game *game,
                                 struct err *e) {
    assert(player >= 0);
    assert(player < cache->event->player_count);
    struct cached_player *oldest = &cache->entries[0];
    cache->clock++;
    for (int i = 0; i < PLAYER_CACHE_MAX; i++) {
        struct cached_player *s = &cache->entries[i];
        if (s->open != NULL && s->player == player && s->game == game) {
            s->used_at = cache->clock;
            return s->open;
        }
        if (oldest->open != NULL && (s->open == NULL || s->used_at < oldest->used_at))
            oldest = s;
    }
    player_close(oldest->open);
    const char *spec = cache->event->players[player].spec;
    *oldest =
        (struct cached_player){player, game, player_open_granted(spec, game, cache->grant, e), cache->clock};
    return oldest->open;
}

/* ---- jobs and results ---- */

/* The current batch. On the ranks of a cluster beside 0 only `jobs` is filled. */
struct batch {
    const struct tournament_run *run;
    struct games *games; /* rank 0's */
    const struct scheduled_game *jobs;
    int job_count;
    bool failed;
    struct err reason;
};

/* The result of a job. On a cluster it is sent as plain bytes followed by the texts. */
struct job_result {
    struct outcome outcome;
    bool stopped, failed;
    struct err reason;
    struct text record, fault_report;
    struct text voids; /* lines, see tournament_read_voids */
};

/* ---- the games ---- */

static void *begin_worker(void *shared, struct err *e) {
    const struct batch *b = shared;
    struct player_cache *cache = mem_alloc(sizeof *cache);
    if (cache == NULL)
        err_set(e, "not enough memory for a worker");
    else
        player_cache_init(cache, b->run->event, b->run->grant);
    return cache;
}

static void end_worker(void *worker) {
    player_cache_done(worker);
    mem_free(worker);
}

static void note_outcome(const struct game_run_result *game_run, struct outcome *o) {
    *o = (struct outcome){
        .played = true,
        .payoff = game_run->payoff,
        .forfeiter = game_run->forfeiter,
        .fault = (int)game_run->fault,
        .actions = game_run->actions,
        .turns = game_run->turns,
        .lead_changes = game_run->lead_changes,
    };
    memcpy(o->think_ns, game_run->think_ns, sizeof o->think_ns);
    memcpy(o->longest_ns, game_run->longest_ns, sizeof o->longest_ns);
    memcpy(o->decisions, game_run->decisions, sizeof o->decisions);
    snprintf(o->result, sizeof o->result, "%s", game_run->record.result);
}

/* The record is written here and not where it is stored: many workers write at once, one stores. */
static bool finish_game(const struct tournament_run *run, const struct scenario *scenario,
                        struct game_run_result *game_run, struct job_result *result) {
    note_outcome(game_run, &result->outcome);
    if (run->date != NULL)
        run->date(game_run->record.date, sizeof game_run->record.date);
    result->fault_report = game_run->fault_report;
    game_run->fault_report = (struct text){0};
    return record_write_json_of(&game_run->record, scenario, &result->record, &result->reason);
}

/* Adds a line with the gap and the record so far of a void game. */
static bool note_void(const struct tournament_run *run, const struct scheduled_game *f,
                      struct game_run_result *game_run, struct job_result *result) {
    struct text record = {0};
    char *line = NULL;
    if (run->date != NULL)
        run->date(game_run->record.date, sizeof game_run->record.date);
    if (!record_write_json(&game_run->record, &record, &result->reason)) {
        text_done(&record);
        return false;
    }
    json_t *root =
        json_pack("{si sf si ss so}", "game", f->number, "gap_s", (double)game_run->gap_ns * 1e-9, "actions",
                  game_run->record.count, "date", game_run->record.date, "record", jsontext_own(&record));
    line = root != NULL ? json_dumps(root, JSON_COMPACT) : NULL;
    if (line != NULL)
        text_add(&result->voids, "%s\n", line);
    const bool ok = line != NULL && !result->voids.failed;
    free(line);
    json_decref(root);
    text_done(&record);
    return ok || err_set(&result->reason, "not enough memory for a void game");
}

/* The context of watch_game. */
struct watched {
    const struct tournament_run *run;
    const struct scheduled_game *scheduled;
};

static void watch_game(void *context, const void *state, const struct record *record) {
    const struct watched *w = context;
    w->run->watch(w->run->context, w->scheduled, state, record);
}

/* *gap_ns is 0, or how long this program was stopped: then the game is void. */
static bool play_game(const struct tournament_run *run, struct player_cache *cache,
                      const struct scheduled_game *f, struct job_result *result, int64_t *gap_ns) {
    const struct event *event = run->event;
    const struct scenario *scenario = event->maps[f->map].scenario;
    struct watched watched = {run, f};
    struct game_run game_run = {
        .scenario = scenario,
        .seed = f->seed,
        .deal = f->deal,
        .timing = &event->rules.timing,
        .clock = run->clock,
        .stop = run->stop,
        .can_be_void = true,
        .watch = run->watch != NULL ? watch_game : NULL,
        .context = &watched,
    };
    for (int side = 0; side < 2; side++) {
        game_run.names[side] = event->players[f->players[side]].name;
        game_run.players[side] = player_cache_take(cache, f->players[side], scenario->game, &result->reason);
        if (game_run.players[side] == NULL)
            return false;
    }
    struct game_run_result played;
    bool ok = game_run_play(&game_run, &played, &result->reason);
    result->stopped = played.stopped;
    *gap_ns = ok ? played.gap_ns : 0;
    if (*gap_ns > 0)
        ok = note_void(run, f, &played, result);
    else if (ok && !played.stopped)
        ok = finish_game(run, scenario, &played, result);
    game_run_result_done(&played);
    return ok;
}

static bool give_up(const struct event *event, const struct scheduled_game *f, int64_t gap_ns,
                    struct err *e) {
    game_run_give_up(GAME_RUN_REPLAYS_MAX + 1, gap_ns, e);
    return err_prefix(e, "game %d, %s against %s on %s: ", f->number, event->players[f->players[0]].name,
                      event->players[f->players[1]].name, event->maps[f->map].name);
}

/* A void game is played again by newly opened players: connections may have been lost during the gap. */
static bool play_until_valid(const struct batch *b, struct player_cache *cache,
                             const struct scheduled_game *f, struct job_result *result) {
    for (int replays = 0;; replays++) {
        int64_t gap_ns;
        if (!play_game(b->run, cache, f, result, &gap_ns))
            return false;
        if (gap_ns == 0)
            return true;
        if (replays == GAME_RUN_REPLAYS_MAX)
            return give_up(b->run->event, f, gap_ns, &result->reason);
        player_cache_done(cache);
        player_cache_init(cache, b->run->event, b->run->grant);
    }
}

static void run_job(void *shared, void *worker, int job, void *argument) {
    const struct batch *b = shared;
    struct job_result *result = argument;
    assert(job >= 0);
    assert(job < b->job_count);
    result->failed = !play_until_valid(b, worker, &b->jobs[job], result);
}

/* ---- their results ---- */

static bool store_result(const struct batch *b, const struct scheduled_game *f, const struct job_result *r,
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
        .fault_report = r->fault_report.size > 0 ? text_string(&r->fault_report) : NULL,
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

static void free_result(struct job_result *r) {
    text_done(&r->record);
    text_done(&r->fault_report);
    text_done(&r->voids);
}

static void land_result(void *shared, int job, void *argument) {
    struct batch *b = shared;
    struct job_result *r = argument;
    const struct scheduled_game *f = &b->jobs[job];
    struct err e;
    assert(f->number < b->games->count);
    if (!tournament_store_voids(b->run->store, text_string(&r->voids), &e) ||
        !tournament_read_voids(text_string(&r->voids), b->games, &e))
        fail(b, &e);
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
    free_result(r);
}

/* ---- on a cluster ---- */

enum { TEXTS = 3 }; /* of a result */

static void pack_result(void *shared, void *argument, struct text *out) {
    (void)shared;
    struct job_result *r = argument;
    const struct text texts[TEXTS] = {r->record, r->fault_report, r->voids};
    struct job_result plain = *r;
    plain.record = (struct text){.size = texts[0].size};
    plain.fault_report = (struct text){.size = texts[1].size};
    plain.voids = (struct text){.size = texts[2].size};
    text_add_bytes(out, (const char *)&plain, sizeof plain);
    for (int i = 0; i < TEXTS; i++)
        text_add_bytes(out, text_string(&texts[i]), texts[i].size);
    free_result(r);
}

static bool unpack_result(void *shared, const char *bytes, size_t size, void *argument, struct err *e) {
    (void)shared;
    struct job_result *r = argument;
    if (size < sizeof *r)
        return err_set(e, "a rank sent %zu bytes in place of a result", size);
    memcpy(r, bytes, sizeof *r);
    const size_t sizes[TEXTS] = {r->record.size, r->fault_report.size, r->voids.size};
    r->record = r->fault_report = r->voids = (struct text){0};
    if (size - sizeof *r != sizes[0] + sizes[1] + sizes[2])
        return err_set(e, "a rank sent a result of the wrong size");
    text_add_bytes(&r->record, bytes + sizeof *r, sizes[0]);
    text_add_bytes(&r->fault_report, bytes + sizeof *r + sizes[0], sizes[1]);
    text_add_bytes(&r->voids, bytes + sizeof *r + sizes[0] + sizes[1], sizes[2]);
    if (!r->record.failed && !r->fault_report.failed && !r->voids.failed)
        return true;
    free_result(r);
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

/* The scheduled games from `first` on that are not played, as bytes to be sent to the ranks of a cluster. */
static void list_missing(const struct games *games, int first, struct text *out) {
    text_clear(out);
    for (int i = first; i < games->count; i++)
        if (!games->outcomes[i].played)
            text_add_bytes(out, (const char *)&games->scheduled[i], sizeof games->scheduled[i]);
}

/* A run and how far it is. */
struct run_state {
    const struct tournament_run *run;
    struct games *games; /* NULL on ranks beside 0 */
    struct text missing;
    bool broken; /* the pool or the cluster failed, for all ranks alike: nothing more can be shared */
};

static bool play_jobs(struct run_state *c, struct err *e) {
    /* A copy, because text promises no alignment. */
    struct scheduled_game *jobs = mem_alloc(c->missing.size);
    if (jobs == NULL)
        return err_set(e, "not enough memory for the schedule");
    memcpy(jobs, c->missing.data, c->missing.size);
    struct batch batch = {.run = c->run,
                          .games = c->games,
                          .jobs = jobs,
                          .job_count = (int)(c->missing.size / sizeof(struct scheduled_game))};
    const bool ok = play_batch(&batch, e);
    c->broken = !ok && !batch.failed;
    mem_free(jobs);
    return ok;
}

static bool play_missing(struct run_state *c, struct err *e) {
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

static void report_resumed(const struct tournament_run *run, const struct games *games, int first) {
    for (int i = first; run->on_game != NULL && i < games->count; i++)
        if (games->outcomes[i].played)
            run->on_game(run->context, games, i, true);
}

/* Schedules, plays and stores all batches: for rank 0, or without a cluster. */
static bool coordinate(struct run_state *c, bool *complete, struct err *e) {
    const struct tournament_run *run = c->run;
    if (run->store != NULL && !tournament_load_voids(run->store, c->games, e))
        return false;
    for (bool more = true; !budget_is_stopped(run->stop);) {
        int beyond = 0;
        const int first = c->games->count;
        if (!event_next_batch(run->event, c->games, &more, e))
            return false;
        if (run->store != NULL && !tournament_resume(run->store, c->games, first, &beyond, e))
            return false;
        const bool is_end = !more || (run->resume_only && !is_whole(c->games, first));
        if (is_end && beyond > 0)
            return err_set(e, "the store has %d games that the event does not have", beyond);
        if (!more) {
            *complete = true;
            return true;
        }
        report_resumed(run, c->games, first);
        list_missing(c->games, first, &c->missing);
        const bool any = c->missing.size > 0 || c->missing.failed;
        if (any && !run->resume_only && !play_missing(c, e))
            return false;
        if (!is_whole(c->games, first))
            return true; /* stopped */
    }
    return true;
}

/* Shares an empty batch, which ends the other ranks' loop. */
static bool shut_workers_down(struct run_state *c, struct err *e) {
    text_clear(&c->missing);
    return c->run->cluster == NULL || c->broken || cluster_share(c->run->cluster, &c->missing, e);
}

/* Plays the batches that rank 0 shares, until an empty one. */
static bool work_for_rank_0(struct run_state *c, struct err *e) {
    do {
        text_clear(&c->missing);
        if (!play_missing(c, e))
            return false;
    } while (c->missing.size > 0);
    return true;
}

bool tournament_play(const struct tournament_run *run, struct games *games, bool *complete, struct err *e) {
    assert(run->stop != NULL);
    assert(run->event->player_count <= EVENT_PLAYERS_MAX);
    const bool is_coordinator = run->cluster == NULL || cluster_rank(run->cluster) == 0;
    struct run_state c = {.run = run, .games = is_coordinator ? games : NULL};
    struct err ignored;
    *complete = false;
    bool ok;
    if (is_coordinator) {
        ok = coordinate(&c, complete, e);
        ok = shut_workers_down(&c, ok ? e : &ignored) && ok;
    } else {
        ok = work_for_rank_0(&c, e);
    }
    text_done(&c.missing);
    return ok;
}

bool tournament_check(const struct event *event, const struct grant *grant, struct err *e) {
    for (int map = 0; map < event->map_count; map++)
        for (int i = 0; i < event->player_count; i++) {
            const struct game *game = event->maps[map].scenario->game;
            bool seen = false; /* a table that was tried already needs no second try */
            for (int before = 0; before < map && !seen; before++)
                seen = event->maps[before].scenario->game == game;
            struct player *player = seen ? NULL : player_open_granted(event->players[i].spec, game, grant, e);
            if (!seen && player == NULL)
                return err_prefix(e, "%s on %s: ", event->players[i].name, event->maps[map].name);
            player_close(player);
        }
    return true;
}
