/* SPDX-License-Identifier: MIT */
#include "match/match.h"

#include "base/charset.h"
#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>
#include <string.h>

struct run {
    const struct series *series;
    struct series_totals *totals;
    bool deals[SERIES_MAPS_MAX]; /* does the game draw something at its start? */
    atomic_bool stop;            /* from outside, from the callback, or after a failure */
    bool failed;
    bool ended; /* games taken from now on do not count: how many there are depends on the workers */
    struct err reason;
};

/* A worker's players, opened for each table its scenarios need: a series may mix small and wide maps. Maps of
 * one table share them. */
struct worker {
    const struct series *series;
    struct player *players[SERIES_MAPS_MAX][2]; /* by the first map of that table */
};

struct job_result {
    struct series_game game;
    struct bout_result bout;
    bool aborted; /* stopped in the middle: does not count */
    bool failed;
    struct err reason;
};

/* ---- workers ---- */

static int first_of_table(const struct series *series, int map) {
    int first = 0;
    while (series->scenarios[first]->game != series->scenarios[map]->game)
        first++;
    return first;
}

static void close_players(struct worker *w) {
    for (int map = 0; map < w->series->map_count; map++)
        for (int i = 0; i < 2; i++) {
            player_close(w->players[map][i]);
            w->players[map][i] = NULL;
        }
}

static bool open_players(struct worker *w, struct err *e) {
    const struct series *series = w->series;
    for (int map = 0; map < series->map_count; map++)
        for (int i = 0; i < 2 && first_of_table(series, map) == map; i++) {
            w->players[map][i] =
                player_open_granted(series->players[i], series->scenarios[map]->game, series->grant, e);
            if (w->players[map][i] == NULL)
                return false;
        }
    return true;
}

static void end_worker(void *argument) {
    close_players(argument);
    mem_free(argument);
}

static void *begin_worker(void *shared, struct err *e) {
    struct worker *w = mem_alloc(sizeof *w);
    if (w == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    w->series = ((struct run *)shared)->series;
    if (open_players(w, e))
        return w;
    end_worker(w);
    return NULL;
}

/* ---- one game ---- */

static bool is_stopped(const struct series *series) {
    return budget_is_stopped(series->stop);
}

/* The second game of a pair is played on the deal of the first, with players that are as random as ever. */
static void describe_game(const struct run *run, int job, struct series_game *g) {
    const struct series *series = run->series;
    g->index = job;
    g->map = series->one_sided ? job % series->map_count : job / 2 % series->map_count;
    g->red = series->one_sided ? 0 : job % 2;
    g->seed = rng_job_seed(series->seed, (uint64_t)job);
    g->deal = g->red == 1 && run->deals[g->map] ? rng_job_seed(series->seed, (uint64_t)job - 1) : 0;
}

static void note_bout(const struct bout_result *bout, struct series_game *g) {
    for (int side = 0; side < 2; side++) {
        const int who = side == 0 ? g->red : g->red ^ 1;
        g->think_ns[who] = bout->think_ns[side];
        g->decisions[who] = bout->decisions[side];
        g->leaves[who] = bout->leaves[side];
    }
    g->payoff = g->red == 0 ? bout->payoff : 1 - bout->payoff;
    g->actions = bout->actions;
    g->turns = bout->turns;
    g->forfeited = bout->forfeiter != NOBODY;
    g->fault = bout->fault;
    memcpy(g->result, bout->record.result, sizeof g->result);
}

static bool play_once(struct worker *w, struct job_result *result) {
    const struct series *series = w->series;
    const struct series_game *g = &result->game;
    const int red = g->red, blue = g->red ^ 1, table = first_of_table(series, g->map);
    const struct bout bout = {
        .scenario = series->scenarios[g->map],
        .names = {series->players[red], series->players[blue]},
        .players = {w->players[table][red], w->players[table][blue]},
        .seed = g->seed,
        .deal = g->deal,
        .timing = series->timing,
        .clock = series->clock,
        .stop = series->stop,
        .can_be_void = true,
    };
    return bout_play(&bout, &result->bout, &result->reason);
}

/* A void game says nothing about its players. It is played again by fresh ones: connections may have been
 * lost while we slept. */
static bool play_until_valid(struct worker *w, struct job_result *result) {
    struct series_game *g = &result->game;
    for (;;) {
        if (!play_once(w, result))
            return false;
        const int64_t gap = result->bout.gap_ns;
        if (gap == 0)
            return true;
        g->voids++;
        g->gap_ns += gap;
        if (g->voids > BOUT_REPLAYS_MAX)
            return bout_give_up(g->voids, gap, &result->reason);
        bout_result_done(&result->bout);
        close_players(w);
        if (!open_players(w, &result->reason))
            return false;
    }
}

static void run_game(void *shared, void *worker, int job, void *argument) {
    struct job_result *result = argument;
    describe_game(shared, job, &result->game);
    result->failed = !play_until_valid(worker, result);
    result->aborted = result->bout.stopped;
    if (!result->failed && !result->aborted)
        note_bout(&result->bout, &result->game);
}

/* ---- totals ---- */

/* "first escape", "draw limit": who won is in the tally. */
static void count_end(struct series_totals *t, const struct series_game *g) {
    const char *blank = strchr(g->result, ' '), *how = blank != NULL ? blank + 1 : g->result;
    int i = 0;
    while (i < t->end_count && strncmp(t->ends[i].how, how, SERIES_END_MAX - 1) != 0)
        i++;
    if (i == SERIES_ENDS_MAX)
        return;
    if (i == t->end_count) {
        charset_copy(t->ends[i].how, sizeof t->ends[i].how, how, strlen(how));
        t->end_count++;
    }
    tally_add(&t->ends[i].tally, g->payoff);
}

static void add_to_totals(struct series_totals *t, const struct series_game *g, bool paired) {
    payoffs_add(&t->payoffs, g->payoff, paired);
    tally_add(&t->total, g->payoff);
    tally_add(&t->as_side[g->red], g->payoff); /* player 0 has side g->red: 0 when it is red */
    tally_add(&t->by_map[g->map], g->payoff);
    t->games++;
    t->forfeits += g->forfeited;
    t->voids += g->voids;
    t->gap_ns += g->gap_ns;
    if (g->forfeited) /* whoever lost a forfeited game did it */
        t->faults[g->payoff > 0.5 ? 1 : 0][g->fault]++;
    t->actions += g->actions;
    t->turns += g->turns;
    for (int i = 0; i < 2; i++) {
        t->think_ns[i] += g->think_ns[i];
        t->decisions[i] += g->decisions[i];
        t->leaves[i] += g->leaves[i];
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
    result->game.record = &result->bout.record;
    result->game.bundle = &result->bout.bundle;
    if (!run->failed && !run->ended) {
        add_to_totals(run->totals, &result->game, !series->one_sided);
        if (series->scenarios[result->game.map]->game->text->scale == NULL)
            count_end(run->totals, &result->game);
        run->ended = series->on_game != NULL && !series->on_game(series->context, &result->game, run->totals);
    }
    if (run->ended || is_stopped(series))
        atomic_store(&run->stop, true);
    bout_result_done(&result->bout);
}

bool series_run(const struct series *series, struct series_totals *out, struct err *e) {
    assert(series->map_count >= 1);
    assert(series->map_count <= SERIES_MAPS_MAX);
    *out = (struct series_totals){0};
    struct run run = {.series = series, .totals = out};
    for (int map = 0; map < series->map_count; map++)
        run.deals[map] = record_deals(series->scenarios[map]);
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
