/* SPDX-License-Identifier: MIT
 *
 * What hidden information costs: playouts of the synthetic trees, leaves and simulations of the players that
 * search over worlds, and iterations of the exact solver, on a tree of the standard size.
 */
#include "cli/bench.h"

#include "base/mem.h"
#include "cli/cli.h"
#include "exact/cfr.h"
#include "player/player.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 1024, FORM_SEED = 1, ITERATIONS = 1000 };

static const char tree_spec[] = "synth:tree=1";

static const char *const players[] = {"pimc:sims=100000", "iimc:sims=2000", "amcts:constant=100,rule=always",
                                      "ismcts", "ismcts:sims=100000"};

/* Of several measurements the best counts. */
struct cost {
    double leaf_ns, work_per_second;
};

static void start(const struct scenario *scenario, void *state) {
    struct rng r;
    rng_seed(&r, FORM_SEED);
    scenario->game->start(state, scenario, &r);
}

/* A playout: a copy of the start, moves to the end, the payoff. */
static double measure_playout(const struct scenario *scenario, double seconds) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char root[GAME_STATE_MAX], state[GAME_STATE_MAX];
    struct rng r;
    double best = 1e300, sum = 0;
    rng_seed(&r, 1);
    start(scenario, root);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        const int64_t batch_begin = clock_now_ns(cli_clock());
        for (int i = 0; i < BATCH; i++) {
            memcpy(state, root, game->state_size);
            game->rollouts[0].run(state, &r, 0);
            sum += game->payoff(state, 0);
        }
        const double ns = clock_seconds_since(cli_clock(), batch_begin) * 1e9 / BATCH;
        if (ns < best)
            best = ns;
    } while (clock_seconds_since(cli_clock(), begin) < seconds && !atomic_load(&cli_stop));
    return sum >= 0 ? best : 0; /* the payoffs are wanted */
}

static struct cost measure_player(struct player *player, const struct scenario *scenario, double seconds) {
    _Alignas(16) unsigned char root[GAME_STATE_MAX];
    struct cost best = {.leaf_ns = 1e300};
    start(scenario, root);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        struct rng r;
        struct answer answer;
        rng_seed(&r, 1);
        const struct position_ask ask = {.game = scenario->game,
                                         .state = root,
                                         .budget = {.stop = &cli_stop, .clock = cli_clock()},
                                         .rng = &r};
        const int64_t ask_begin = clock_now_ns(cli_clock());
        player_choose_in(player, &ask, &answer);
        const double spent = clock_seconds_since(cli_clock(), ask_begin);
        if (answer.leaves > 0 && spent * 1e9 / (double)answer.leaves < best.leaf_ns)
            best = (struct cost){spent * 1e9 / (double)answer.leaves, (double)answer.work_done / spent};
    } while (clock_seconds_since(cli_clock(), begin) < seconds && !atomic_load(&cli_stop));
    return best;
}

static bool bench_players(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    for (size_t i = 0; i < sizeof players / sizeof players[0] && !atomic_load(&cli_stop); i++) {
        struct player *player = player_open(players[i], scenario->game, e);
        if (player == NULL)
            return false;
        const struct cost c = measure_player(player, scenario, seconds);
        if (json != NULL)
            json_object_set_new(
                json, players[i],
                json_pack("{sf sf}", "leaf_ns", c.leaf_ns, "simulations_per_second", c.work_per_second));
        else
            printf("  %-36s %10.0f simulations a second  %7.1f ns a leaf\n", players[i], c.work_per_second,
                   c.leaf_ns);
        fflush(stdout);
        player_close(player);
    }
    return true;
}

/* Iterations in one go, without looking for the gap in between: it is never small enough. */
static bool measure_solver(const struct form *form, double seconds, double *per_second, struct err *e) {
    const struct cfr_options options = {.iterations_max = ITERATIONS, .gap = -1, .stop = &cli_stop};
    struct cfr_result result;
    double *strategy = form_uniform(form);
    bool ok = strategy != NULL || err_set(e, "not enough memory");
    const int64_t begin = clock_now_ns(cli_clock());
    *per_second = 0;
    do {
        const int64_t solve_begin = clock_now_ns(cli_clock());
        ok = ok && cfr_solve(form, &options, strategy, &result, e);
        const double spent = clock_seconds_since(cli_clock(), solve_begin);
        if (ok && result.iterations / spent > *per_second)
            *per_second = result.iterations / spent;
    } while (ok && clock_seconds_since(cli_clock(), begin) < seconds && !atomic_load(&cli_stop));
    mem_free(strategy);
    return ok;
}

static bool bench_solver(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    struct form form;
    double per_second = 0;
    const bool ok = form_build(scenario, FORM_SEED, FORM_NODES_MAX, &cli_stop, &form, e) &&
                    measure_solver(&form, seconds, &per_second, e);
    if (ok && json != NULL)
        json_object_set_new(json, "cfr_iterations_per_second", json_real(per_second));
    else if (ok)
        printf("  CFR+, %6u information sets         %10.0f iterations a second\n", form.set_count,
               per_second);
    form_done(&form);
    return ok || atomic_load(&cli_stop);
}

bool bench_hidden(double seconds, json_t *json, struct err *e) {
    struct scenario *scenario = game_load_spec(tree_spec, e);
    if (scenario == NULL)
        return false;
    const double ns = measure_playout(scenario, seconds);
    if (json != NULL)
        json_object_set_new(json, "playout_ns", json_real(ns));
    else
        printf("hidden information, %s\n  %-36s %10.1f ns\n", tree_spec, "a random playout", ns);
    const bool ok = bench_players(scenario, seconds, json, e) && bench_solver(scenario, seconds, json, e);
    scenario->game->unload(scenario);
    return ok;
}
