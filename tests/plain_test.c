/* SPDX-License-Identifier: MIT
 *
 * What games without a map share, and how games, maps and positions are found by their names. Kuhn poker
 * stands for all of them.
 */
#include "base/mem.h"
#include "game/plain.h"
#include "game/synth/synth.h"
#include "game/tbs/tbs.h"

#include "game_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void nothing_is_known(void **state) {
    (void)state;
    const action list[3] = {0, 1, 2};
    float scores[4] = {7, 7, 7, 7};
    assert_string_equal(plain_evals[0].name, "even");
    assert_true(plain_evals[0].value(NULL, 0, NULL) >= 0 && plain_evals[0].value(NULL, 1, NULL) <= 0);
    assert_null(plain_evals[1].name);
    assert_string_equal(plain_priors[0].name, "none");
    plain_priors[0].score(NULL, list, 3, scores);
    for (int i = 0; i < 3; i++)
        assert_true(scores[i] >= 0 && scores[i] <= 0);
    assert_true(scores[3] > 6);
    assert_null(plain_priors[1].name);
}

/* ---- fields ---- */

static const char *const two[] = {"a", "bc", NULL};

static void expect_fields(const char *text, const char *a, const char *bc) {
    struct plain_fields fields;
    struct err e = {{0}};
    if (!plain_read_fields(text, two, &fields, &e))
        fail_msg("%s", e.text);
    assert_string_equal(fields.values[0], a);
    assert_string_equal(fields.values[1], bc);
}

static void expect_no_fields(const char *text, const char *sentence) {
    struct plain_fields fields;
    struct err e = {{0}};
    assert_false(plain_read_fields(text, two, &fields, &e));
    assert_string_equal(e.text, sentence);
}

static void fields_are_read_in_their_order(void **state) {
    (void)state;
    expect_fields("a=1 bc=2", "1", "2");
    expect_fields("  a=x,y   bc=\n", "x,y", "");
    expect_fields("a= bc==", "", "=");
    expect_no_fields("", "'' is no state; expected a=… bc=…");
    expect_no_fields("a=1", "'a=1' is no state; expected a=… bc=…");
    expect_no_fields("bc=2 a=1", "'bc=2 a=1' is no state; expected a=… bc=…");
    expect_no_fields("a=1 b=2", "'a=1 b=2' is no state; expected a=… bc=…");
    expect_no_fields("a:1 bc=2", "'a:1 bc=2' is no state; expected a=… bc=…");
    expect_no_fields("a=1 bc=2 d=3", "'a=1 bc=2 d=3' is no state; expected a=… bc=…");
}

static void a_line_has_a_limit(void **state) {
    (void)state;
    char text[PLAIN_LINE_MAX + 1];
    struct plain_fields fields;
    struct err e = {{0}};
    memset(text, ' ', sizeof text);
    memcpy(text, "a=1 bc=2", 8);
    text[PLAIN_LINE_MAX - 1] = '\0';
    assert_true(plain_read_fields(text, two, &fields, &e));
    text[PLAIN_LINE_MAX - 1] = ' ';
    text[PLAIN_LINE_MAX] = '\0';
    expect_no_fields(text, "a state of 2048 characters is too long; the limit is 2047");
}

static void moves_have_a_limit(void **state) {
    (void)state;
    struct scenario *scenario = support_load("kuhn");
    for (int count = 64; count <= 65; count++) {
        union support_state s;
        struct text text = {0};
        struct err e = {{0}};
        text_add_string(&text, "cards=J,K moves=pass");
        for (int i = 1; i < count; i++)
            text_add_string(&text, ",pass");
        assert_false(kuhn_game.text->read_state(&s, scenario, text_string(&text), &e));
        assert_string_equal(e.text, count == 64 ? "move 3: 'pass' is illegal: the game is over"
                                                : "there are more than 64 moves");
        text_done(&text);
    }
    game_unload(scenario);
}

static bool is_bet(const void *state, action a) {
    return a == 1 && kuhn_game.is_legal(state, a);
}

static void only_legal_names_are_read(void **state) {
    (void)state;
    struct game only_bets = kuhn_game;
    only_bets.is_legal = is_bet;
    const struct scenario scenario = {&only_bets};
    union support_state s;
    struct err e = {{0}};
    action a;
    assert_true(kuhn_game.text->read_state(&s, &scenario, "cards=J,K moves=-", &e));
    assert_true(plain_read_action(&s, "bet", &a, &e));
    assert_int_equal(a, 1);
    assert_false(plain_read_action(&s, "pass", &a, &e));
    assert_string_equal(e.text, "'pass' is illegal here; expected bet");
    assert_false(plain_read_action(&s, "fold", &a, &e));
    assert_string_equal(e.text, "'fold' is no action; expected bet");
    only_bets.is_legal = kuhn_game.is_legal;
    assert_false(plain_read_action(&s, "fold", &a, &e));
    assert_string_equal(e.text, "'fold' is no action; expected pass or bet");
}

/* ---- rollouts and sources ---- */

static void rollouts_stop_where_they_should(void **state) {
    (void)state;
    struct scenario *scenario = support_load("kuhn");
    struct rng r;
    rng_seed(&r, 5);
    for (int game = 0; game < 50; game++) {
        union support_state s;
        kuhn_game.start(&s, scenario, &r);
        assert_int_equal(plain_rollout(&s, &r, 1), 1);
        assert_int_equal(kuhn_game.turn(&s), 1);
        const long rest = plain_rollout(&s, &r, 0);
        assert_in_range(rest, 1, 2);
        assert_int_equal(kuhn_game.mover(&s), NOBODY);
        assert_int_equal(plain_rollout(&s, &r, 0), 0);
    }
    game_unload(scenario);
}

static void a_game_without_a_map_refuses_one(void **state) {
    (void)state;
    struct err e = {{0}};
    const struct game_source map = {"some.tbsmap", "SIZEX[3];", 9, NULL};
    assert_null(game_load(&kuhn_game, &map, &e));
    assert_string_equal(e.text, "some.tbsmap: kuhn is played without a map");
    const struct game_source empty = {"empty", "", 0, NULL};
    struct scenario *scenario = game_load(&kuhn_game, &empty, &e);
    assert_non_null(scenario);
    assert_ptr_equal(scenario->game, &kuhn_game);
    game_unload(scenario);
}

static void specs_are_written(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:tree=4,depth=4");
    struct text spec = {0}, newgame = {0};
    game_write_spec(scenario, &spec);
    game_write_newgame(scenario, &newgame);
    assert_string_equal(text_string(&spec), "synth:depth=4,tree=4");
    assert_string_equal(text_string(&newgame), "synth depth=4 tree=4");
    text_done(&spec);
    text_done(&newgame);
    game_unload(scenario);
}

/* ---- the registry ---- */

static void expect_no_game(const char *spec, const char *sentence) {
    struct err e = {{0}};
    assert_null(game_load_spec(spec, &e));
    assert_string_equal(e.text, sentence);
}

static void games_are_found_by_their_names(void **state) {
    (void)state;
    expect_no_game("chess", "game 'chess' is unknown; 'senjutsu games' lists them");
    expect_no_game("tbs", "the tactical game needs a map");
    struct err e = {{0}};
    assert_null(game_load_spec("kuhn:=", &e));
    assert_true(e.text[0] != '\0');
    assert_null(game_load_spec("kuhn:cards=9", &e));
    assert_non_null(strstr(e.text, "cards"));
    assert_ptr_equal(game_rollout(&tbs_game, "uniform"), &tbs_game.rollouts[0]);
    assert_null(game_rollout(&tbs_game, "nothing"));
    assert_ptr_equal(game_eval(&kuhn_game, "even"), plain_evals);
    assert_null(game_eval(&kuhn_game, "threat"));
    assert_ptr_equal(game_prior(&kuhn_game, "none"), plain_priors);
    assert_null(game_prior(&kuhn_game, "attacks"));
    assert_ptr_equal(game_list(&tbs_game, tbs_game.lists[1].name), &tbs_game.lists[1]);
    assert_null(game_list(&tbs_game, "nothing"));
}

static void payoffs_are_shown_on_their_scale(void **state) {
    (void)state;
    struct payoff_scale scale;
    struct scenario *scenario = support_load("kuhn");
    assert_true(game_scale(scenario, &scale));
    assert_true(scale.low <= -2 && scale.low >= -2 && scale.high <= 2 && scale.high >= 2);
    const double low = game_payoff_scaled(scenario, 0), some = game_payoff_scaled(scenario, 0.75);
    assert_true(low <= -2 && low >= -2 && some >= 1 && some <= 1);
    game_unload(scenario);
    scenario = support_load("geister");
    assert_false(game_scale(scenario, &scale));
    assert_true(scale.low >= 0 && scale.low <= 0 && scale.high >= 1 && scale.high <= 1);
    assert_string_equal(scale.unit, "");
    game_unload(scenario);
}

/* ---- a game with more actions than the examples ---- */

struct wide {
    const struct scenario *scenario;
    int played;
    action last;
};

static int wide_mover(const void *state) {
    const int played = ((const struct wide *)state)->played;
    return played < 50 ? played % 2 : NOBODY;
}

static int wide_turn(const void *state) {
    return ((const struct wide *)state)->played;
}

static int wide_actions(const void *state, action *out) {
    for (action a = 0; a < PLAIN_ACTIONS_MAX; a++)
        out[a] = a;
    return wide_mover(state) == NOBODY ? 0 : PLAIN_ACTIONS_MAX;
}

static void wide_play(void *state, action a, struct rng *r) {
    struct wide *s = state;
    (void)r;
    s->played++;
    s->last = a > s->last ? a : s->last;
}

/* A board of 19 x 19 has 361 cells. */
static void rollouts_play_games_with_many_actions(void **state) {
    static const struct game game = {.actions_max = PLAIN_ACTIONS_MAX,
                                     .mover = wide_mover,
                                     .actions = wide_actions,
                                     .turn = wide_turn,
                                     .play = wide_play};
    static const struct scenario scenario = {&game};
    struct wide s = {.scenario = &scenario};
    struct rng r;
    (void)state;
    rng_seed(&r, 1);
    assert_true(PLAIN_ACTIONS_MAX >= 19 * 19);
    assert_int_equal(plain_rollout(&s, &r, 0), 50);
    assert_true(s.last > 361 && s.last < PLAIN_ACTIONS_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known),
        cmocka_unit_test(fields_are_read_in_their_order),
        cmocka_unit_test(a_line_has_a_limit),
        cmocka_unit_test(moves_have_a_limit),
        cmocka_unit_test(only_legal_names_are_read),
        cmocka_unit_test(rollouts_stop_where_they_should),
        cmocka_unit_test(rollouts_play_games_with_many_actions),
        cmocka_unit_test(a_game_without_a_map_refuses_one),
        cmocka_unit_test(specs_are_written),
        cmocka_unit_test(games_are_found_by_their_names),
        cmocka_unit_test(payoffs_are_shown_on_their_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
