/* SPDX-License-Identifier: MIT
 *
 * A match is a list of games that follow from (seed, number), given to a batch in slices, and sums over their
 * results in the order of the list.
 */
#include "match/match.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* Games that are scheduled at a time: a match may have more than fit in memory. */
enum { SLICE_GAMES = 16384 };

struct run {
    const struct match *match;
    struct match_totals *totals;
    bool deals[MATCH_MAPS_MAX]; /* does the game draw something at its start? */
    bool ended;
    struct void_games voids; /* the store's */
    struct scheduled_game games[SLICE_GAMES];
    struct outcome outcomes[SLICE_GAMES];
};

/* ---- totals ---- */

/* Payoffs are those of side 0, which player 1 has in every second game. */
double match_payoff(const struct batch_result *game) {
    return game->game->players[0] == 0 ? game->outcome->payoff : 1 - game->outcome->payoff;
}

/* The result without the winner: "escape" of "first escape". */
static void count_end(struct match_totals *t, const char *result, double payoff) {
    const char *blank = strchr(result, ' '), *how = blank != NULL ? blank + 1 : result;
    int i = 0;
    while (i < t->end_count && strncmp(t->ends[i].how, how, MATCH_END_MAX - 1) != 0)
        i++;
    if (i == MATCH_ENDS_MAX)
        return;
    if (i == t->end_count) {
        charset_copy(t->ends[i].how, sizeof t->ends[i].how, how, strlen(how));
        t->end_count++;
    }
    tally_add(&t->ends[i].tally, payoff);
}

/* Called in the order of the games, so that the totals do not depend on the workers. */
static bool take_game(void *context, const struct batch_result *game) {
    struct run *run = context;
    const struct match *match = run->match;
    struct match_totals *t = run->totals;
    const struct outcome *o = game->outcome;
    const int *players = game->game->players, map = game->game->map;
    const double payoff = match_payoff(game);
    payoffs_add(&t->payoffs, payoff, !match->one_sided);
    tally_add(&t->total, payoff);
    tally_add(&t->as_side[players[0]], payoff); /* player 0 has side 0 when it is the first */
    tally_add(&t->by_map[map], payoff);
    t->games++;
    t->voids += o->voids;
    t->gap_ns += o->gap_ns;
    if (o->forfeiter != NOBODY) {
        t->forfeits++;
        t->faults[players[o->forfeiter]][o->fault]++;
    }
    t->actions += o->actions;
    t->turns += o->turns;
    for (int side = 0; side < 2; side++) {
        t->think_ns[players[side]] += o->think_ns[side];
        t->decisions[players[side]] += o->decisions[side];
        t->leaves[players[side]] += o->leaves[side];
    }
    if (match->scenarios[map]->game->text->scale == NULL)
        count_end(t, o->result, payoff);
    run->ended = match->on_game != NULL && !match->on_game(match->batch.context, game, t);
    return !run->ended;
}

/* ---- playing ---- */

/* The second game of a pair has the deal of the first; the players' random numbers differ. */
static bool play_slice(struct run *run, struct batch *batch, int first, int count, struct err *e) {
    const struct match *match = run->match;
    const struct batch_list list = {count, run->games, run->outcomes, match->scenarios, NULL};
    int beyond;
    for (int i = 0; i < count; i++) {
        const int number = first + i, map = (match->one_sided ? number : number / 2) % match->map_count;
        const int red = match->one_sided ? 0 : number % 2;
        run->games[i] = (struct scheduled_game){
            .number = number,
            .players = {red, red ^ 1},
            .map = map,
            .scenario = map,
            .pair = match->one_sided ? -1 : number - red,
            .seed = rng_job_seed(match->seed, (uint64_t)number),
            .deal = red == 1 && run->deals[map] ? rng_job_seed(match->seed, (uint64_t)number - 1) : 0,
        };
        run->outcomes[i] = (struct outcome){.forfeiter = NOBODY};
    }
    struct store *store = match->batch.store;
    if (store != NULL && !batch_resume(store, &list, first, &beyond, e))
        return false;
    for (int i = 0; i < run->voids.count; i++) {
        const struct void_game *v = &run->voids.games[i];
        if (v->number < first || v->number - first >= count || !run->outcomes[v->number - first].played)
            continue;
        run->outcomes[v->number - first].voids++;
        run->outcomes[v->number - first].gap_ns += v->gap_ns;
    }
    return batch_play(batch, &list, e);
}

/* In slices: a match of millions of games needs the memory of one slice. */
bool match_run(const struct match *match, struct match_totals *out, struct err *e) {
    assert(match->players[0] != NULL);
    assert(match->players[1] != NULL);
    assert(match->games >= 0);
    assert(match->map_count >= 1);
    assert(match->map_count <= MATCH_MAPS_MAX);
    atomic_bool own_stop = false;
    struct run *run = mem_alloc(sizeof *run);
    *out = (struct match_totals){0};
    run->match = match;
    run->totals = out;
    for (int map = 0; map < match->map_count; map++)
        run->deals[map] = record_deals(match->scenarios[map]);
    const struct batch_player players[2] = {{match->players[0], match->players[0], NULL},
                                            {match->players[1], match->players[1], NULL}};
    struct batch_setup setup = match->batch;
    setup.players = players;
    setup.player_count = 2;
    setup.leaves = true;
    setup.stop = setup.stop != NULL ? setup.stop : &own_stop;
    setup.take = take_game;
    setup.context = run;
    bool ok = setup.store == NULL || batch_load_voids(setup.store, &run->voids, e);
    struct batch *batch = batch_open(&setup);
    for (int first = 0; ok && first < match->games && !run->ended; first += SLICE_GAMES) {
        const int rest = match->games - first, count = rest < SLICE_GAMES ? rest : SLICE_GAMES;
        ok = play_slice(run, batch, first, count, e);
        run->ended = run->ended || !batch_is_whole(run->outcomes, 0, count);
    }
    ok = batch_close(batch, e) && ok;
    mem_free(run->voids.games);
    mem_free(run);
    return ok;
}
