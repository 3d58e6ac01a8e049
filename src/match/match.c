/* SPDX-License-Identifier: MIT */
#include "match/match.h"

#include "base/charset.h"
#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>
#include <string.h>

struct run {
    const struct match *match;
    struct match_totals *totals;
    bool deals[MATCH_MAPS_MAX]; /* does the game draw something at its start? */
    atomic_bool stop;           /* from outside, from the callback, or after a failure */
    bool failed;
    bool ended; /* later games do not count: their number depends on the workers */
    struct err reason;
};

/* A worker's players, opened once for each implementation of the game: a match may mix small and wide maps,
 * which have different ones. */
struct worker {
    const struct match *match;
    struct player *players[MATCH_MAPS_MAX][2]; /* by the first map of that implementation */
};

struct job_result {
    struct match_game game;
    struct game_run_result game_run;
    bool aborted; /* stopped in the middle: does not count */
    bool failed;
    struct err reason;
};

/* ---- workers ---- */

static int first_of_table(const struct match *match, int map) {
    int first = 0;
    while (match->scenarios[first]->game != match->scenarios[map]->game)
        first++;
    return first;
}

static void close_players(struct worker *w) {
    for (int map = 0; map < w->match->map_count; map++)
        for (int i = 0; i < 2; i++) {
            player_close(w->players[map][i]);
            w->players[map][i] = NULL;
        }
}

static bool open_players(struct worker *w, struct err *e) {
    const struct match *match = w->match;
    for (int map = 0; map < match->map_count; map++)
        for (int i = 0; i < 2 && first_of_table(match, map) == map; i++) {
            w->players[map][i] =
                player_open_granted(match->players[i], match->scenarios[map]->game, match->grant, e);
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
    w->match = ((struct run *)shared)->match;
    if (open_players(w, e))
        return w;
    end_worker(w);
    return NULL;
}

/* ---- one game ---- */

static bool is_stopped(const struct match *match) {
    return budget_is_stopped(match->stop);
}

/* The second game of a pair has the deal of the first; the players' random numbers differ. */
static void describe_game(const struct run *run, int job, struct match_game *g) {
    assert(job >= 0);
    assert(job < run->match->games);
    const struct match *match = run->match;
    g->index = job;
    g->map = match->one_sided ? job % match->map_count : job / 2 % match->map_count;
    g->red = match->one_sided ? 0 : job % 2;
    g->seed = rng_job_seed(match->seed, (uint64_t)job);
    g->deal = g->red == 1 && run->deals[g->map] ? rng_job_seed(match->seed, (uint64_t)job - 1) : 0;
}

static void note_result(const struct game_run_result *game_run, struct match_game *g) {
    for (int side = 0; side < 2; side++) {
        const int who = side == 0 ? g->red : g->red ^ 1;
        g->think_ns[who] = game_run->think_ns[side];
        g->decisions[who] = game_run->decisions[side];
        g->leaves[who] = game_run->leaves[side];
    }
    g->payoff = g->red == 0 ? game_run->payoff : 1 - game_run->payoff;
    g->actions = game_run->actions;
    g->turns = game_run->turns;
    g->forfeited = game_run->forfeiter != NOBODY;
    g->fault = game_run->fault;
    memcpy(g->result, game_run->record.result, sizeof g->result);
}

static bool play_once(struct worker *w, struct job_result *result) {
    const struct match *match = w->match;
    const struct match_game *g = &result->game;
    const int red = g->red, blue = g->red ^ 1, table = first_of_table(match, g->map);
    const struct game_run game_run = {
        .scenario = match->scenarios[g->map],
        .names = {match->players[red], match->players[blue]},
        .players = {w->players[table][red], w->players[table][blue]},
        .seed = g->seed,
        .deal = g->deal,
        .timing = match->timing,
        .clock = match->clock,
        .stop = match->stop,
        .can_be_void = true,
    };
    return game_run_play(&game_run, &result->game_run, &result->reason);
}

/* A void game is played again by newly opened players: connections may have been lost during the gap. */
static bool play_until_valid(struct worker *w, struct job_result *result) {
    struct match_game *g = &result->game;
    for (;;) {
        if (!play_once(w, result))
            return false;
        const int64_t gap = result->game_run.gap_ns;
        if (gap == 0)
            return true;
        g->voids++;
        g->gap_ns += gap;
        if (g->voids > GAME_RUN_REPLAYS_MAX)
            return game_run_give_up(g->voids, gap, &result->reason);
        game_run_result_done(&result->game_run);
        close_players(w);
        if (!open_players(w, &result->reason))
            return false;
    }
}

static void run_game(void *shared, void *worker, int job, void *argument) {
    struct job_result *result = argument;
    describe_game(shared, job, &result->game);
    result->failed = !play_until_valid(worker, result);
    result->aborted = result->game_run.stopped;
    if (!result->failed && !result->aborted)
        note_result(&result->game_run, &result->game);
}

/* ---- totals ---- */

/* The result without the winner: "escape" of "first escape". */
static void count_end(struct match_totals *t, const struct match_game *g) {
    const char *blank = strchr(g->result, ' '), *how = blank != NULL ? blank + 1 : g->result;
    int i = 0;
    while (i < t->end_count && strncmp(t->ends[i].how, how, MATCH_END_MAX - 1) != 0)
        i++;
    if (i == MATCH_ENDS_MAX)
        return;
    if (i == t->end_count) {
        charset_copy(t->ends[i].how, sizeof t->ends[i].how, how, strlen(how));
        t->end_count++;
    }
    tally_add(&t->ends[i].tally, g->payoff);
}

static void add_to_totals(struct match_totals *t, const struct match_game *g, bool paired) {
    assert(g->red == 0 || g->red == 1);
    assert(g->map >= 0);
    assert(g->map < MATCH_MAPS_MAX);
    payoffs_add(&t->payoffs, g->payoff, paired);
    tally_add(&t->total, g->payoff);
    tally_add(&t->as_side[g->red], g->payoff); /* player 0 has side g->red: 0 when it is red */
    tally_add(&t->by_map[g->map], g->payoff);
    t->games++;
    t->forfeits += g->forfeited;
    t->voids += g->voids;
    t->gap_ns += g->gap_ns;
    if (g->forfeited) /* the loser of a forfeited game committed the fault */
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
    const struct match *match = run->match;
    if (result->failed && !run->failed) {
        run->failed = true;
        run->reason = result->reason;
        atomic_store(&run->stop, true);
    }
    run->ended = run->ended || result->aborted; /* the games that count are a prefix */
    result->game.record = &result->game_run.record;
    result->game.fault_report = &result->game_run.fault_report;
    if (!run->failed && !run->ended) {
        add_to_totals(run->totals, &result->game, !match->one_sided);
        if (match->scenarios[result->game.map]->game->text->scale == NULL)
            count_end(run->totals, &result->game);
        run->ended = match->on_game != NULL && !match->on_game(match->context, &result->game, run->totals);
    }
    if (run->ended || is_stopped(match))
        atomic_store(&run->stop, true);
    game_run_result_done(&result->game_run);
}

bool match_run(const struct match *match, struct match_totals *out, struct err *e) {
    assert(match->players[0] != NULL);
    assert(match->players[1] != NULL);
    assert(match->games >= 0);
    assert(match->map_count >= 1);
    assert(match->map_count <= MATCH_MAPS_MAX);
    *out = (struct match_totals){0};
    struct run run = {.match = match, .totals = out};
    for (int map = 0; map < match->map_count; map++)
        run.deals[map] = record_deals(match->scenarios[map]);
    const struct pool_work work = {
        .jobs = match->games,
        .workers = match->workers,
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
