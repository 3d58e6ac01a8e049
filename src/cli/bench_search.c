/* SPDX-License-Identifier: MIT
 *
 * How fast the searches are. Two questions: how much work a second, on the start of the 8 x 8 map; and how
 * long a whole turn takes on the position in which one turn wins (see maps/paper_fig8.tbsmap).
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

bool bench_searches(double seconds, json_t *json, struct err *e) {
    struct scenario *large = cli_load_map("standard8", NULL, e), *puzzle = NULL;
    bool ok = large != NULL && bench_rates(large, seconds, json, e);
    if (ok)
        puzzle = cli_load_map("paper_fig8", NULL, e);
    ok = puzzle != NULL && bench_turns(puzzle, seconds, json, e);
    if (puzzle != NULL)
        puzzle->game->unload(puzzle);
    if (large != NULL)
        large->game->unload(large);
    return ok;
}
