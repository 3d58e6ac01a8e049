/* SPDX-License-Identifier: MIT
 *
 * The `minmax` player: what its options do, its budgets, that it plays the turn it announced, and that it
 * keeps no memory.
 */
#include "base/mem.h"
#include "game/game.h"
#include "minmax_support.h"
#include "search/minmax.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- positions made by hand ---- */

static action asked(const char *spec, const struct position *p) {
    struct player *player = open_player(spec, p->scenario->game);
    const struct answer first = ask_player(player, p, 1, NULL), second = ask_player(player, p, 1, NULL);
    assert_int_equal(first.chosen, second.chosen);
    assert_int_equal(first.work_done, second.work_done);
    player_close(player);
    return first.chosen;
}

static int victim(const char *spec, const struct position *p) {
    action a = asked(spec, p);
    struct position next = *p;
    /* The units may act in any order. */
    if (tbs_action_unit(a) != 0) {
        p->scenario->game->play(next.state, a, NULL);
        a = asked(spec, &next);
    }
    return tbs_action_target(a);
}

static void test_values_change_the_choice(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(two_victims, &p);
    assert_int_equal(victim("minmax:values=I:100,U:1", &p), 2);
    assert_int_equal(victim("minmax:values=U:100,I:1", &p), 3);
    assert_int_equal(victim("minmax:values=u:100,i:1,eval=linear,table=no", &p), 3);
    /* The largest weights there may be are still no win. */
    struct player *player = open_player("minmax:values=P:1000000,I:1000000,U:-1000000", scenario->game);
    assert_false(minmax_is_decided(ask_player(player, &p, 1, NULL).value));
    player_close(player);
    game_unload(scenario);
}

/* Every answer of a turn follows the turn of the first answer. */
static void test_turn_realises_its_value(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 14);
    struct player *players[] = {open_player("minmax", &tbs_game), open_player("minmax:depth=2", &tbs_game),
                                open_player("minmax:eval=threat,ties=random", &tbs_game)};
    for (int i = 0; i < 120; i++) {
        struct position p;
        struct scenario *scenario = draw_tiny(&r, i % 3 == 1 ? 2 : 3, TBS_PATH_SMALL, &p);
        const struct game *game = scenario->game;
        const int side = game->mover(p.state), turn = game->turn(p.state);
        const double promised = ask_player(players[i % 3], &p, 1, NULL).value;
        while (game->mover(p.state) == side && game->turn(p.state) == turn) {
            const struct answer answer = ask_player(players[i % 3], &p, 1, NULL);
            assert_true(answer.value >= promised && answer.value <= promised);
            game->play(p.state, answer.chosen, NULL);
        }
        if (i % 3 != 1 && game->mover(p.state) != NOBODY) {
            double weights[GAME_WEIGHTS_MAX];
            weights_default(game, weights);
            const double got = game->evals[i % 3 == 2].value(p.state, side, weights);
            assert_true(got >= promised && got <= promised);
        }
        game_unload(scenario);
    }
    for (int i = 0; i < 3; i++)
        player_close(players[i]);
}

/* Earlier questions change nothing: neither the answer nor the work nor the thoughts. */
static void test_earlier_asks_change_nothing(void **unused) {
    (void)unused;
    enum { POSITIONS = 12, ROUNDS = 30 };
    static struct position positions[POSITIONS];
    struct scenario *scenarios[POSITIONS];
    struct answer expected[POSITIONS];
    struct rng r;
    rng_seed(&r, 15);
    for (int i = 0; i < POSITIONS; i++) {
        scenarios[i] = draw_tiny(&r, 3, TBS_PATH_SMALL, &positions[i]);
        struct player *fresh = open_player("minmax:depth=2,nodes=5000,memory=1", &tbs_game);
        expected[i] = ask_player(fresh, &positions[i], 3, NULL);
        player_close(fresh);
    }
    struct player *kept = open_player("minmax:depth=2,nodes=5000,memory=1", &tbs_game);
    for (int round = 0; round < ROUNDS * POSITIONS; round++) { /* more asks than the table has generations */
        const int i = (int)rng_below(&r, POSITIONS);
        const struct answer answer = ask_player(kept, &positions[i], 3, NULL);
        assert_int_equal(answer.chosen, expected[i].chosen);
        assert_int_equal(answer.work_done, expected[i].work_done);
        assert_true(answer.value >= expected[i].value && answer.value <= expected[i].value);
    }
    player_close(kept);
    for (int i = 0; i < POSITIONS; i++)
        game_unload(scenarios[i]);
}

/* The same map on both tables: same answers, same work. */
static void test_wide_equals_small(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 16);
    struct player *small = open_player("minmax:depth=2,nodes=20000", &tbs_game);
    struct player *wide = open_player("minmax:depth=2,nodes=20000", &tbs_wide_game);
    for (int i = 0; i < 40; i++) {
        struct tbs_map map;
        struct position a, b;
        draw_map(&r, &map);
        struct scenario *on_small = make_scenario(&map, TBS_PATH_SMALL),
                        *on_wide = make_scenario(&map, TBS_PATH_WIDE);
        struct rng same = r;
        const int steps = i % 9;
        const bool runs = walk(&a, on_small, steps, &same);
        same = r;
        assert_int_equal(walk(&b, on_wide, steps, &same), runs);
        if (runs) {
            const struct answer x = ask_player(small, &a, 1, NULL), y = ask_player(wide, &b, 1, NULL);
            assert_int_equal(x.chosen, y.chosen);
            assert_int_equal(x.work_done, y.work_done);
        }
        game_unload(on_small);
        game_unload(on_wide);
    }
    player_close(small);
    player_close(wide);
}

/* A lane: the cannon cannot fire at the infantry beside it and blocks the panzer, which could. */
static const char in_the_way[] =
    "SIZEX[8];SIZEY[4];TURNLIMIT[8];HPTHRESHOLD[0];UNITNUMRED[2];UNITNUMBLUE[1];"
    "MAP[0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,0,0];MAP[0,0,0,1,0,0,0,0];MAP[0,0,0,0,0,0,0,0];"
    "UNIT[1,1,panzer,0,10,0];UNIT[4,1,cannon,0,10,0];UNIT[5,1,infantry,1,5,0];";

/* Full width finds the turn in which a unit must first get out of the way; attacks alone do not. */
static void test_pruning_misses_moves(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(in_the_way, &p);
    assert_int_equal(tbs_action_unit(asked("minmax", &p)), 1);
    assert_int_equal(tbs_action_target(asked("minmax", &p)), TBS_NO_TARGET);
    assert_int_not_equal(tbs_action_target(asked("minmax:prune=attacks", &p)), 2);
    game_unload(scenario);
}

/* While a unit can attack no other one moves; units that never can still move. */
static void test_early_moves_are_pruned(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(in_the_way, &p);
    assert_int_equal(asked("minmax:prune=early", &p), asked("minmax", &p));
    game_unload(scenario);
    scenario = load_position(two_victims, &p);
    assert_int_equal(victim("minmax:prune=early,values=I:100,U:1", &p), 2);
    action list[TBS_UNIT_ACTIONS_MAX];
    game_list(scenario->game, "late-moves")->list(p.state, list);
    assert_int_not_equal(tbs_action_target(list[0]), TBS_NO_TARGET);
    assert_int_not_equal(tbs_action_target(asked("minmax:prune=early,values=I:0,U:0,P:0", &p)),
                         TBS_NO_TARGET);
    game_unload(scenario);
}

/* One order for a whole turn: with its own seed the player plays what it announced, whatever the game's
 * generator draws. Seeds differ in their orders. */
static void test_random_order_lasts_a_turn(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 24);
    struct player *players[] = {open_player("minmax:order=random,seed=7", &tbs_game),
                                open_player("minmax:order=random,seed=8", &tbs_game),
                                open_player("minmax:order=random", &tbs_game)};
    int differ = 0, redrawn = 0;
    for (int i = 0; i < 60; i++) {
        struct position p;
        struct scenario *scenario = draw_tiny(&r, 3, TBS_PATH_SMALL, &p);
        const struct game *game = scenario->game;
        const int side = game->mover(p.state), turn = game->turn(p.state);
        differ += tbs_action_unit(ask_player(players[0], &p, 1, NULL).chosen) !=
                  tbs_action_unit(ask_player(players[1], &p, 1, NULL).chosen);
        redrawn += tbs_action_unit(ask_player(players[2], &p, 1, NULL).chosen) !=
                   tbs_action_unit(ask_player(players[2], &p, 2, NULL).chosen);
        const double promised = ask_player(players[0], &p, 1, NULL).value;
        for (uint64_t seed = 2; turn_goes_on(game, p.state, side, turn); seed++) {
            const struct answer answer = ask_player(players[0], &p, seed, NULL);
            assert_true(answer.value >= promised && answer.value <= promised);
            game->play(p.state, answer.chosen, NULL);
        }
        game_unload(scenario);
    }
    assert_true(differ > 10 && redrawn > 10);
    for (int i = 0; i < 3; i++)
        player_close(players[i]);
}

/* In a game its number decides, so that all decisions of a turn have one order without a seed, too. */
static void test_random_order_of_a_game(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(two_victims, &p);
    struct player *player = open_player("minmax:order=random", scenario->game);
    int units = 0;
    for (uint64_t id = 0; id < 16; id++) {
        const struct game_history history = {.scenario = scenario, .id = id};
        int first = -1;
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct rng r;
            struct answer answer;
            rng_seed(&r, seed);
            player_choose(
                player,
                &(struct ask){.game = scenario->game, .view = p.state, .rng = &r, .history = &history},
                &answer);
            first = seed == 1 ? tbs_action_unit(answer.chosen) : first;
            assert_int_equal(tbs_action_unit(answer.chosen), first);
        }
        units |= 1 << first;
    }
    assert_true((units & (units - 1)) != 0); /* more than one unit was first */
    player_close(player);
    game_unload(scenario);
}

/* ---- budgets ---- */

static const char crowd[] =
    "SIZEX[8];SIZEY[8];TURNLIMIT[20];HPTHRESHOLD[10];UNITNUMRED[5];UNITNUMBLUE[5];"
    "MAP[0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,3,3,1,1,0];MAP[0,1,1,1,1,1,1,0]"
    ";"
    "MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0,0];"
    "UNIT[1,1,panzer,0,10,0];UNIT[1,2,infantry,0,10,0];UNIT[2,1,antiair,0,10,0];UNIT[2,2,attacker,0,10,0];"
    "UNIT[1,3,fighter,0,10,0];UNIT[6,6,panzer,1,10,0];UNIT[5,6,infantry,1,10,0];UNIT[6,5,antiair,1,10,0];"
    "UNIT[5,5,attacker,1,10,0];UNIT[6,4,fighter,1,10,0];";

static void test_nodes_are_reused(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(crowd, &p);
    for (int nodes = 1; nodes <= 100000; nodes *= 10) {
        char spec[64];
        snprintf(spec, sizeof spec, "minmax:depth=0,nodes=%d", nodes);
        struct player *player = open_player(spec, scenario->game);
        const struct answer answer = ask_player(player, &p, 1, NULL);
        const int share = nodes / 5 > 0 ? nodes / 5 : 1;
        assert_int_equal(answer.work_done, share);
        assert_true(scenario->game->is_legal(p.state, answer.chosen));
        player_close(player);
    }
    game_unload(scenario);
}

static int64_t tick(void *self) {
    return *(int64_t *)self += 1000000;
}

static void test_time_ends_the_search(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(crowd, &p);
    struct player *player = open_player("minmax:depth=0,time=1000", scenario->game);
    int64_t now = 0;
    struct rng r;
    rng_seed(&r, 1);
    const struct clock clock = {.now_ns = tick, .self = &now};
    const struct ask ask = {
        .game = scenario->game, .view = p.state, .side = 0, .budget = {.clock = &clock}, .rng = &r};
    struct answer answer;
    player_choose(player, &ask, &answer);
    assert_in_range(now, 200000000, 210000000); /* a fifth of the turn's second */
    assert_true(scenario->game->is_legal(p.state, answer.chosen));
    player_close(player);
    game_unload(scenario);
}

/* Without any limit a turn is searched instead of everything. */
static void test_no_limit_means_one_turn(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(two_victims, &p);
    assert_int_equal(asked("minmax:depth=0,nodes=0", &p), asked("minmax", &p));
    game_unload(scenario);
}

/* ---- specs, games and memory that do not fit ---- */

static void assert_refused(const char *spec, const char *part) {
    struct err e = {0};
    assert_null(player_open(spec, &tbs_game, &e));
    if (strstr(e.text, part) == NULL)
        fail_msg("'%s' does not say '%s'", e.text, part);
}

static void test_wrong_options(void **unused) {
    (void)unused;
    assert_refused("minmax:values=X:1", "value 'X' is unknown");
    assert_refused("minmax:eval=best", "eval=best is unknown; tbs has linear, threat");
    assert_refused("minmax:sort=luck", "sort=luck is unknown; tbs has attacks, damage, none");
    assert_refused("minmax:depth=-1", "depth=-1");
    assert_refused("minmax:prune=moves", "prune=moves");
    struct text canonical = {0};
    struct err e;
    assert_true(player_check("minmax:values=A:100,F:1,depth=2,table=no", &canonical, &e));
    assert_string_equal(text_string(&canonical), "minmax:depth=2,values=[A:100,F:1],table=no");
    struct text again = {0};
    assert_true(player_check(text_string(&canonical), &again, &e));
    assert_string_equal(text_string(&canonical), text_string(&again));
    text_done(&canonical);
    text_done(&again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_change_the_choice),
        cmocka_unit_test(test_turn_realises_its_value),
        cmocka_unit_test(test_earlier_asks_change_nothing),
        cmocka_unit_test(test_wide_equals_small),
        cmocka_unit_test(test_pruning_misses_moves),
        cmocka_unit_test(test_early_moves_are_pruned),
        cmocka_unit_test(test_random_order_lasts_a_turn),
        cmocka_unit_test(test_random_order_of_a_game),
        cmocka_unit_test(test_nodes_are_reused),
        cmocka_unit_test(test_time_ends_the_search),
        cmocka_unit_test(test_no_limit_means_one_turn),
        cmocka_unit_test(test_wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
