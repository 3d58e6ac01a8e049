/* SPDX-License-Identifier: MIT
 *
 * Searching players under a clock that advances by itself: they answer in time for any options of the search.
 */
#include "match/batch.h"
#include "own_maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Advances by two milliseconds at each reading. */
static int64_t tick(void *self) {
    return *(int64_t *)self += 2000000;
}

static void search_under_clock(const char *spec, const char *map, const char *clock_text) {
    struct scenario *scenario = own_map(map);
    int64_t now = 0;
    const struct clock clock = {.now_ns = tick, .self = &now};
    struct timing timing;
    struct err e = {{0}};
    struct game_run_result r;
    struct player *players[2] = {player_open(spec, scenario->game, &e),
                                 player_open("acteval", scenario->game, &e)};
    if (players[0] == NULL || !timing_read(clock_text, &timing, &e))
        fail_msg("%s", e.text);
    const struct game_run game_run = {.game.scenario = scenario,
                                      .names = {spec, "acteval"},
                                      .players = {players[0], players[1]},
                                      .game.seed = 5,
                                      .game.timing = &timing,
                                      .clock = &clock};
    assert_true(game_run_play(&game_run, &r, &e));
    if (r.outcome.forfeiter != NOBODY)
        fail_msg("%s with %s: %s", spec, clock_text, r.record.comment);
    assert_true(r.outcome.think_ns[0] > 0);
    for (int side = 0; side < 2; side++)
        player_close(players[side]);
    game_run_result_done(&r);
    game_unload(scenario);
}

/* Their search would never end; the deadline alone ends it, without the grace. */
static void searching_players_answer_in_time(void **state) {
    (void)state;
    static const char *const players[] = {
        "uct:sims=100000000",
        "pwuct:sims=100000000",
        "muct:sims=100000000",
        "minmax:depth=30",
        "dlmc:turns=1000000,sims=1000000",
        "aas",
        "pimc:sims=100000000",
        "pimc:evaluator=minimax",
        "iimc:sims=100000000",
        "amcts:sims=100000000",
        "split:player=[uct:sims=100000000]",
        "first:player=[uct:sims=100000000],then=[dlmc:turns=1000000]",
        "random",
    };
    static const char *const clocks[] = {"turn=0.3,grace=0.03", "move=0.1,grace=0.02",
                                         "game=1,increment=0.1,grace=0.02",
                                         "game=0.3,byoyomi=0.2,grace=0.02"};
    for (size_t i = 0; i < sizeof players / sizeof players[0]; i++)
        for (size_t k = 0; k < sizeof clocks / sizeof clocks[0]; k++)
            search_under_clock(players[i], "duel", clocks[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searching_players_answer_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
