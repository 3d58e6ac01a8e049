/* SPDX-License-Identifier: MIT
 *
 * How fast the searches are. Questions: how much work a second, on the start of the 8 x 8 map; and how
 * long a whole turn takes on the position in which one turn wins (see maps/paper_fig8.tbsmap). And how late
 * answers come on the largest map when time is short.
 */
#include "cli/bench.h"

#include "cli/cli.h"
#include "player/player.h"

#include <jansson.h>
#include <stdio.h>

/* Each pair of one and two threads stands together, so that the second line can tell the ratio. */
static const char *const rate_players[] = {
    "uct:sims=80000",          "uct:sims=80000,threads=2",
    "pwuct:sims=80000",        "pwuct:sims=80000,threads=2",
    "dlmc:turns=500,sims=100", "dlmc:turns=500,sims=100,threads=2",
    "muct:sims=2000",
};

static const char *const turn_players[] = {"uct:sims=20000,horizon=1,cut=loss",
                                           "pwuct:sims=20000,horizon=1,cut=loss", "aas", "dlmc:horizon=1",
                                           "minmax:depth=1"};

struct search_figures {
    double work_per_second, ms;
};

/* Asks the player about the start again and again; the best share of the time counts. */
static struct search_figures measure_rate(struct player *player, const struct scenario *scenario,
                                          double seconds) {
    const struct game *game = scenario->game;
    struct search_figures best = {0};
    struct rng r;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    game->start(state, scenario, NULL);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        rng_seed(&r, 1);
        struct answer answer;
        const struct position_ask ask = {
            .game = game, .state = state, .budget = {.stop = &cli_stop, .clock = cli_clock()}, .rng = &r};
        const int64_t start = clock_now_ns(cli_clock());
        player_choose_in(player, &ask, &answer);
        const double spent = clock_seconds_since(cli_clock(), start);
        if (answer.work_done > 0 && (double)answer.work_done / spent > best.work_per_second)
            best = (struct search_figures){(double)answer.work_done / spent, spent * 1e3};
    } while (clock_seconds_since(cli_clock(), begin) < seconds && !atomic_load(&cli_stop));
    return best;
}

/* Plays whole first turns; the fastest counts. */
static struct search_figures measure_turn(struct player *player, const struct scenario *scenario,
                                          double seconds) {
    const struct game *game = scenario->game;
    struct search_figures best = {.ms = 1e300};
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        struct rng r;
        struct answer answer;
        _Alignas(16) unsigned char state[GAME_STATE_MAX];
        rng_seed(&r, 1);
        game->start(state, scenario, NULL);
        const int turn = game->turn(state);
        const int64_t start = clock_now_ns(cli_clock());
        for (int taken = 0; game->mover(state) != NOBODY && game->turn(state) == turn; taken++) {
            const struct position_ask ask = {.game = game,
                                             .state = state,
                                             .taken = taken,
                                             .budget = {.stop = &cli_stop, .clock = cli_clock()},
                                             .rng = &r};
            player_choose_in(player, &ask, &answer);
            game->play(state, answer.chosen, &r);
        }
        const double ms = clock_seconds_since(cli_clock(), start) * 1e3;
        if (ms < best.ms)
            best.ms = ms;
    } while (clock_seconds_since(cli_clock(), begin) < seconds && !atomic_load(&cli_stop));
    return best;
}

static void print_rate(const char *spec, struct search_figures f, double one_thread, json_t *json) {
    if (json != NULL) {
        json_array_append_new(json, json_pack("{ss ss sf}", "player", spec, "map", "standard8",
                                              "work_per_second", f.work_per_second));
        return;
    }
    printf("  %-36s %10.0f a second", spec, f.work_per_second);
    if (one_thread > 0)
        printf("  %.2f times one thread", f.work_per_second / one_thread);
    putchar('\n');
}

static void print_turn(const char *spec, struct search_figures f, json_t *json) {
    if (json != NULL)
        json_array_append_new(
            json, json_pack("{ss ss sf}", "player", spec, "map", "paper_fig8", "ms_per_turn", f.ms));
    else
        printf("  %-36s %10.3f ms a turn\n", spec, f.ms);
}

static bool bench_rates(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    double before = 0;
    if (json == NULL)
        printf("simulations of the searching players, standard8\n");
    for (size_t i = 0; i < sizeof rate_players / sizeof rate_players[0] && !atomic_load(&cli_stop); i++) {
        struct player *player = player_open(rate_players[i], scenario->game, e);
        if (player == NULL)
            return false;
        const struct search_figures f = measure_rate(player, scenario, seconds);
        print_rate(rate_players[i], f, i % 2 == 1 ? before : 0, json);
        fflush(stdout);
        before = f.work_per_second;
        player_close(player);
    }
    return true;
}

static bool bench_turns(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    if (json == NULL)
        printf("a whole turn, paper_fig8\n");
    for (size_t i = 0; i < sizeof turn_players / sizeof turn_players[0] && !atomic_load(&cli_stop); i++) {
        struct player *player = player_open(turn_players[i], scenario->game, e);
        if (player == NULL)
            return false;
        print_turn(turn_players[i], measure_turn(player, scenario, seconds), json);
        fflush(stdout);
        player_close(player);
    }
    return true;
}

/* ---- how late players are ---- */

enum { OVERRUN_LIMIT_MS = 50, OVERRUN_ASKS = 3 };

/* Beside every player with its own options: specs that ask for much more than the time allows. */
static const char *const slow_players[] = {"dlmc:sims=1000000", "muct:sims=1000000", "minmax:depth=4"};

/* Asks about positions of a random game, each time with the same limit; by how much the latest answer came
 * too late, in milliseconds. */
static double worst_overrun(struct player *player, const struct scenario *scenario) {
    const struct game *game = scenario->game;
    double worst = 0;
    struct rng r;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    rng_seed(&r, 1);
    game->start(state, scenario, &r);
    for (int i = 0; i < OVERRUN_ASKS && game->mover(state) != NOBODY && !atomic_load(&cli_stop); i++) {
        struct answer answer;
        const int64_t start = clock_now_ns(cli_clock()), limit = OVERRUN_LIMIT_MS * INT64_C(1000000);
        const struct position_ask ask = {.game = game,
                                         .state = state,
                                         .budget = {.stop = &cli_stop,
                                                    .clock = cli_clock(),
                                                    .time_ns_max = limit,
                                                    .deadline_ns = start + limit},
                                         .rng = &r};
        player_choose_in(player, &ask, &answer);
        const double late = clock_seconds_since(cli_clock(), start) * 1e3 - OVERRUN_LIMIT_MS;
        worst = late > worst ? late : worst;
        if (answer.fault != PLAYER_FAULT_NONE)
            break;
        const int turn = game->turn(state); /* the rest of the turn by chance */
        while (game->mover(state) != NOBODY && game->turn(state) == turn)
            game->rollouts[0].run(state, &r, 1);
    }
    return worst;
}

static void bench_overrun(const char *spec, const struct scenario *scenario, json_t *json) {
    struct player *player = player_open(spec, scenario->game, NULL);
    if (player == NULL)
        return; /* it plays other games, or is a program of somebody else */
    const double worst = worst_overrun(player, scenario);
    player_close(player);
    if (json != NULL)
        json_array_append_new(json, json_pack("{ss ss si sf}", "player", spec, "map", "largest", "limit_ms",
                                              OVERRUN_LIMIT_MS, "overrun_ms", worst));
    else
        printf("  %-36s %10.1f ms\n", spec, worst);
    fflush(stdout);
}

static void bench_overruns(const struct scenario *scenario, json_t *json) {
    if (json == NULL)
        printf("latest answer beyond a limit of %d ms, largest\n", OVERRUN_LIMIT_MS);
    for (int i = 0; player_types[i] != NULL && !atomic_load(&cli_stop); i++)
        bench_overrun(player_types[i]->name, scenario, json);
    for (size_t i = 0; i < sizeof slow_players / sizeof slow_players[0] && !atomic_load(&cli_stop); i++)
        bench_overrun(slow_players[i], scenario, json);
}

bool bench_searches(double seconds, json_t *json, struct err *e) {
    struct scenario *large = cli_load_map("standard8", NULL, e), *puzzle = NULL;
    bool ok = large != NULL && bench_rates(large, seconds, json, e);
    if (ok)
        puzzle = cli_load_map("paper_fig8", NULL, e);
    ok = puzzle != NULL && bench_turns(puzzle, seconds, json, e);
    struct scenario *largest = ok ? cli_load_map("largest", NULL, e) : NULL;
    ok = largest != NULL;
    if (ok) {
        bench_overruns(largest, json);
        largest->game->unload(largest);
    }
    if (puzzle != NULL)
        puzzle->game->unload(puzzle);
    if (large != NULL)
        large->game->unload(large);
    return ok;
}
