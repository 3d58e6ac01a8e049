/* SPDX-License-Identifier: MIT */
#include "match/series.h"

#include "base/mem.h"
#include "match/referee.h"
#include "pool/pool.h"

#include <assert.h>
#include <string.h>

struct run {
    const struct series *series;
    struct series_totals *totals;
    atomic_bool stop; /* from outside, from the callback, or after a failure */
    bool failed;
    bool ended; /* games taken from now on do not count: how many there are depends on the workers */
    struct err reason;
};

/* A worker's players, opened for each table its scenarios need: a series may mix small and wide maps. */
struct worker {
    struct player *players[SERIES_MAPS_MAX][2];
    int map_count;
};

struct job_result {
    struct series_game game;
    bool aborted; /* stopped in the middle: does not count */
    bool failed;
    struct err reason;
};

/* ---- workers ---- */

static void end_worker(void *argument) {
    struct worker *w = argument;
    for (int map = 0; map < w->map_count; map++)
        for (int i = 0; i < 2; i++)
            player_close(w->players[map][i]);
    mem_free(w);
}

static void *begin_worker(void *shared, struct err *e) {
    const struct series *series = ((struct run *)shared)->series;
    struct worker *w = mem_alloc(sizeof *w);
    if (w == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    w->map_count = series->map_count;
    for (int map = 0; map < series->map_count; map++)
        for (int i = 0; i < 2; i++) {
            w->players[map][i] = player_open(series->players[i], series->scenarios[map]->game, e);
            if (w->players[map][i] == NULL) {
                end_worker(w);
                return NULL;
            }
        }
    return w;
}

/* ---- one game ---- */

static uint64_t game_seed(uint64_t seed, int index) {
    struct rng r;
    rng_seed_stream(&r, seed, (uint64_t)index);
    return rng_next(&r);
}

static void free_record(struct record *record) {
    if (record != NULL) {
        record_done(record);
        mem_free(record);
    }
}

static struct record *new_record(const struct series *series, const struct scenario *scenario, int red) {
    struct record *record = mem_alloc(sizeof *record);
    if (record == NULL)
        return NULL;
    record_init(record);
    const char *const players[2] = {series->players[red], series->players[red ^ 1]};
    record_describe(record, scenario, players);
    if (record->map.failed) {
        free_record(record);
        return NULL;
    }
    return record;
}

static bool is_stopped(const struct series *series) {
    return budget_is_stopped(series->stop);
}

static bool play_out(const struct series *series, struct worker *w, struct referee *referee,
                     struct job_result *result) {
    struct series_game *g = &result->game;
    for (int side; (side = referee_mover(referee)) != NOBODY;) {
        if (is_stopped(series)) {
            result->aborted = true;
            return false;
        }
        const int who = side == 0 ? g->red : g->red ^ 1;
        struct ask ask;
        struct answer answer;
        const int64_t start = series->clock != NULL ? clock_now_ns(series->clock) : 0;
        referee_ask(referee, &ask);
        ask.budget.stop = series->stop;
        ask.budget.clock = series->clock;
        player_choose(w->players[g->map][who], &ask, &answer);
        if (is_stopped(series)) { /* the player may have been cut short: its answer does not count */
            result->aborted = true;
            return false;
        }
        const int64_t spent = series->clock != NULL ? clock_now_ns(series->clock) - start : 0;
        g->think_ns[who] += spent;
        g->decisions[who]++;
        if (!referee_answer(referee, answer.chosen, series->clock != NULL ? (double)spent * 1e-6 : -1,
                            &result->reason)) {
            result->failed = true;
            return false;
        }
    }
    return true;
}

static void run_game(void *shared, void *worker, int job, void *argument) {
    const struct series *series = ((struct run *)shared)->series;
    struct job_result *result = argument;
    struct series_game *g = &result->game;
    g->index = job;
    g->map = series->one_sided ? job % series->map_count : job / 2 % series->map_count;
    g->red = series->one_sided ? 0 : job % 2;
    g->seed = game_seed(series->seed, job);
    const struct scenario *scenario = series->scenarios[g->map];
    if (series->keep_records && (g->record = new_record(series, scenario, g->red)) == NULL) {
        result->failed = true;
        err_set(&result->reason, "not enough memory for a record");
        return;
    }
    struct referee referee;
    referee_start(&referee, scenario, g->seed, g->record);
    if (!play_out(series, worker, &referee, result))
        return;
    g->payoff = referee_payoff(&referee, g->red == 0 ? 0 : 1);
    g->actions = referee.actions;
    g->turns = scenario->game->turn(referee.state);
    g->forfeited = referee.forfeiter != NOBODY;
    referee_result(&referee, g->result, sizeof g->result);
}

/* ---- totals ---- */

static void count(struct tally *t, double payoff) {
    t->wins += payoff > 0.5;
    t->losses += payoff < 0.5;
    t->draws += !(payoff > 0.5) && !(payoff < 0.5);
}

static void add_to_totals(struct series_totals *t, const struct series_game *g) {
    count(&t->total, g->payoff);
    count(&t->as_side[g->red], g->payoff); /* player 0 has side g->red: 0 when it is red */
    count(&t->by_map[g->map], g->payoff);
    t->games++;
    t->forfeits += g->forfeited;
    t->actions += g->actions;
    t->turns += g->turns;
    for (int i = 0; i < 2; i++) {
        t->think_ns[i] += g->think_ns[i];
        t->decisions[i] += g->decisions[i];
    }
}

static void take_game(void *shared, int job, void *argument) {
    (void)job;
    struct run *run = shared;
    struct job_result *result = argument;
    const struct series *series = run->series;
    if (result->failed && !run->failed) {
        run->failed = true;
        run->reason = result->reason;
        atomic_store(&run->stop, true);
    }
    run->ended = run->ended || result->aborted; /* keeps the games that count a prefix */
    if (!run->failed && !run->ended) {
        add_to_totals(run->totals, &result->game);
        run->ended = series->on_game != NULL && !series->on_game(series->context, &result->game, run->totals);
    }
    if (run->ended || is_stopped(series))
        atomic_store(&run->stop, true);
    free_record(result->game.record);
}

bool series_run(const struct series *series, struct series_totals *out, struct err *e) {
    assert(series->map_count >= 1);
    assert(series->map_count <= SERIES_MAPS_MAX);
    *out = (struct series_totals){0};
    struct run run = {.series = series, .totals = out};
    const struct pool_work work = {
        .jobs = series->games,
        .workers = series->workers,
        .shared = &run,
        .result_size = sizeof(struct job_result),
        .begin = begin_worker,
        .end = end_worker,
        .run = run_game,
        .take = take_game,
        .stop = &run.stop,
    };
    if (pool_run(&work, e) < 0)
        return false;
    return run.failed ? err_set(e, "%s", run.reason.text) : true;
}
