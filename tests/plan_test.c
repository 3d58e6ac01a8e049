/* SPDX-License-Identifier: MIT
 *
 * Plans: where a player plays the rest of a turn that it decided at the turn's beginning, where it does not,
 * what it costs; and that games do not depend on earlier questions to a player.
 */
#include "player/common.h"

#include "match/batch.h"
#include "player_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* Four units against one, out of reach. */
static const char four[] =
    "SIZEX[7];SIZEY[5];TURNLIMIT[20];HPTHRESHOLD[0];UNIT[1,1,infantry,0,10,0];UNIT[1,2,infantry,0,10,0];"
    "UNIT[1,3,infantry,0,10,0];UNIT[2,3,infantry,0,10,0];UNIT[5,3,infantry,1,10,0];"
    "MAP[0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0];";

/* A clock that advances by one millisecond at each reading. */
static int64_t ticking(void *self) {
    int64_t *now = self;
    return *now += 1000000;
}

static struct answer ask_in_turn(struct player *player, const struct position *p, int taken, struct rng *r) {
    const struct ask ask = {.game = p->scenario->game, .view = p->state, .taken = taken, .rng = r};
    struct answer answer;
    player_choose_in(player, &ask, &answer);
    return answer;
}

/* A plan gives no answer at its own beginning, elsewhere, or at another count of decisions; for a caller that
 * does not count them it answers within a turn. */
static void plans_hold_only_where_they_were_made_for(void **state) {
    (void)state;
    struct position p;
    struct rng r;
    struct scenario *scenario = load_position(four, &p);
    struct player *player = open_player("dlmc:turns=20,sims=4", &tbs_game),
                  *fresh = open_player("dlmc:turns=20,sims=4", &tbs_game);
    rng_seed(&r, 1);
    const struct answer first = ask_in_turn(player, &p, 0, &r);
    rng_seed(&r, 1);
    const struct answer again = ask_in_turn(player, &p, 0, &r);
    assert_int_equal(again.chosen, first.chosen);
    assert_int_equal(again.work_done, 80);
    struct position second = p;
    tbs_game.play(second.state, first.chosen, &r);
    assert_int_equal(ask_in_turn(player, &second, 1, &r).work_done, 0);
    assert_int_equal(ask_in_turn(player, &second, 1, &r).work_done, 0); /* asked twice, answered twice */
    assert_int_equal(ask_in_turn(player, &second, 0, &r).work_done, 0); /* the state shows the turn is on */
    assert_int_equal(ask_in_turn(fresh, &second, 1, &r).work_done, 80);
    assert_int_equal(ask_in_turn(player, &second, 2, &r).work_done, 80); /* not the turn it was made for */
    /* That made another plan, from the second position; the old one is gone. */
    assert_int_equal(ask_in_turn(player, &second, 1, &r).work_done, 80);
    /* After another action than the plan's. */
    const action planned = ask_in_turn(player, &p, 0, &r).chosen;
    static action list[1 << 12];
    const int count = tbs_game.actions(p.state, list);
    struct position other = p;
    tbs_game.play(other.state, list[0] != planned ? list[0] : list[count - 1], &r);
    assert_int_equal(tbs_game.turn(other.state), tbs_game.turn(p.state));
    assert_int_equal(ask_in_turn(player, &other, 1, &r).work_done, 80);
    player_close(player);
    player_close(fresh);
    game_unload(scenario);
}

static void plans_show_what_is_left(void **state) {
    (void)state;
    static struct thoughts thoughts;
    struct position p;
    struct rng r;
    struct scenario *scenario = load_position(four, &p);
    struct player *player = open_player("dlmc:turns=20,sims=4", &tbs_game);
    rng_seed(&r, 1);
    tbs_game.play(p.state, ask_in_turn(player, &p, 0, &r).chosen, &r);
    const struct ask ask = {.game = &tbs_game, .view = p.state, .taken = 1, .rng = &r, .thoughts = &thoughts};
    struct answer answer;
    player_choose_in(player, &ask, &answer);
    assert_int_equal(thoughts.count, 1);
    assert_int_equal(thoughts.candidates[0].action, answer.chosen);
    assert_int_equal(thoughts.candidates[0].line_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(tbs_game.is_legal(p.state, thoughts.candidates[0].line[i]));
        tbs_game.play(p.state, thoughts.candidates[0].line[i], &r);
    }
    assert_int_equal(tbs_game.mover(p.state), TBS_BLUE);
    player_close(player);
    game_unload(scenario);
}

/* The whole turn's time goes to the decision that makes the plan; asked in the middle of a turn, it is the
 * remaining share. */
static void time_is_for_the_whole_turn(void **state) {
    (void)state;
    struct position p;
    struct rng r;
    int64_t now = 0;
    const struct clock clock = {.now_ns = ticking, .self = &now};
    struct scenario *scenario = load_position(four, &p);
    struct player *player = open_player("dlmc:sims=5,time=40", &tbs_game);
    rng_seed(&r, 1);
    struct ask ask = {.game = &tbs_game, .view = p.state, .budget = {.clock = &clock}, .rng = &r};
    struct answer answer;
    player_choose_in(player, &ask, &answer);
    assert_int_equal(answer.work_done, 40); /* a reading of the clock before each simulation */
    const action stays[2] = {tbs_action(0, 1, 1, TBS_NO_TARGET), tbs_action(1, 1, 2, TBS_NO_TARGET)};
    tbs_game.play(p.state, stays[answer.chosen == stays[0]], &r); /* not what was planned */
    now = 0;
    ask.taken = 1;
    player_choose_in(player, &ask, &answer);
    assert_int_equal(answer.work_done, 30);
    now = 0;
    ask.budget.work_max = 10; /* an ask's own budget goes before */
    ask.taken = 0;
    player_close(player);
    player = open_player("dlmc:sims=5,time=40", &tbs_game);
    player_choose_in(player, &ask, &answer);
    assert_int_equal(answer.work_done, 10);
    player_close(player);
    game_unload(scenario);
}

/* A unit that is lost in its own attack is not visible in the state, which then looks like the beginning of a
 * turn: only the count of decisions distinguishes the two. */
static void lost_units_do_not_confuse(void **state) {
    (void)state;
    struct position p;
    struct rng r;
    struct scenario *scenario =
        load_position("SIZEX[6];SIZEY[3];TURNLIMIT[20];HPTHRESHOLD[0];UNIT[2,1,infantry,0,1,0];"
                      "UNIT[1,1,infantry,0,10,0];UNIT[3,1,panzer,1,10,0];"
                      "MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];",
                      &p);
    const struct turn_line line = {.count = 2,
                                   .actions = {tbs_action(0, 2, 1, 2), tbs_action(1, 1, 1, TBS_NO_TARGET)}};
    struct plan plan;
    struct answer answer;
    rng_seed(&r, 1);
    plan_init(&plan, &tbs_game);
    struct ask ask = {.game = &tbs_game, .view = p.state, .side = TBS_RED, .rng = &r};
    plan_make(&plan, &ask, &line, 3.5);
    assert_false(plan_answer(&plan, &ask, &answer)); /* where it was made */
    struct position next = p;
    tbs_game.play(next.state, line.actions[0], &r);
    assert_int_equal(tbs_game.progress(next.state).taken, 0); /* the attacker died of the counter-attack */
    ask.view = next.state;
    assert_false(plan_answer(&plan, &ask, &answer)); /* by the state alone, a turn begins */
    ask.taken = 1;
    assert_true(plan_answer(&plan, &ask, &answer));
    assert_int_equal(answer.chosen, line.actions[1]);
    assert_int_equal(answer.work_done, 0);
    tbs_game.play(next.state, line.actions[1], &r);
    ask.taken = 2;
    assert_false(plan_answer(&plan, &ask, &answer)); /* the turn is over */
    plan_done(&plan);
    game_unload(scenario);
}

/* Actions beyond the end of the turn are dropped, and a line that is too short ends the plan. */
static void lines_may_be_too_long_or_too_short(void **state) {
    (void)state;
    struct position p;
    struct rng r;
    struct scenario *scenario = load_position(four, &p);
    struct plan plan;
    struct answer answer;
    const action stays[4] = {tbs_action(0, 1, 1, TBS_NO_TARGET), tbs_action(1, 1, 2, TBS_NO_TARGET),
                             tbs_action(2, 1, 3, TBS_NO_TARGET), tbs_action(3, 2, 3, TBS_NO_TARGET)};
    rng_seed(&r, 1);
    plan_init(&plan, &tbs_game);
    for (int length = 1; length <= 6; length++) {
        struct turn_line line = {0};
        struct position now = p;
        struct ask ask = {.game = &tbs_game, .view = now.state, .side = TBS_RED, .rng = &r};
        for (int i = 0; i < length; i++)
            turn_line_add(&line, stays[i % 4]);
        plan_make(&plan, &ask, &line, 0);
        for (int i = 0; i < 4; i++) {
            ask.taken = i;
            assert_true(plan_answer(&plan, &ask, &answer) == (i > 0 && i < length));
            tbs_game.play(now.state, stays[i], &r);
        }
        ask.side = TBS_BLUE;
        ask.taken = 0;
        assert_false(plan_answer(&plan, &ask, &answer));
    }
    struct turn_line full = {0};
    for (int i = 0; i < 2 * TURN_LINE_MAX; i++)
        turn_line_add(&full, stays[0]);
    assert_int_equal(full.count, TURN_LINE_MAX);
    plan_done(&plan);
    game_unload(scenario);
}

/* ---- games ---- */

struct turn_history {
    int count;
    int actions[64];
    double payoff[64];
};

static bool note_game(void *context, const struct batch_result *game, const struct match_totals *totals) {
    struct turn_history *course = context;
    (void)totals;
    course->actions[course->count] = game->outcome->actions;
    course->payoff[course->count++] = match_payoff(game);
    return true;
}

/* Each worker's players see other games before; the games are the same all the same. */
static void games_do_not_depend_on_workers(void **state) {
    (void)state;
    struct tbs_map map;
    struct rng r;
    struct scenario *scenarios[4];
    rng_seed(&r, 9);
    for (int i = 0; i < 4; i++) {
        draw_map(&r, &map);
        scenarios[i] = make_scenario(&map, TBS_PATH_SMALL);
    }
    struct turn_history courses[3] = {{0}};
    for (int workers = 1; workers <= 3; workers++) {
        struct match_totals totals;
        struct err e = {0};
        const struct match match = {.map_count = 4,
                                    .scenarios = scenarios,
                                    .players = {"dlmc:turns=8,sims=3,threads=2", "aas"},
                                    .games = 24,
                                    .batch.workers = workers,
                                    .seed = 3,
                                    .on_game = note_game,
                                    .batch.context = &courses[workers - 1]};
        assert_true(match_run(&match, &totals, &e));
        assert_int_equal(totals.forfeits, 0);
        assert_memory_equal(&courses[workers - 1], &courses[0], sizeof courses[0]);
    }
    assert_int_equal(courses[0].count, 24);
    for (int i = 0; i < 4; i++)
        game_unload(scenarios[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_hold_only_where_they_were_made_for),
        cmocka_unit_test(plans_show_what_is_left),
        cmocka_unit_test(time_is_for_the_whole_turn),
        cmocka_unit_test(lost_units_do_not_confuse),
        cmocka_unit_test(lines_may_be_too_long_or_too_short),
        cmocka_unit_test(games_do_not_depend_on_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
