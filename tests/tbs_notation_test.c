/* SPDX-License-Identifier: MIT
 *
 * States and actions as text: the written form, the accepted forms, and the messages for wrong text. (Reading
 * back all written text is a law; see check_test.c and tbs_property_test.c.)
 */
#include "game/tbs/tbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const char map_text[] = "SIZEX[5];SIZEY[4];TURNLIMIT[3];HPTHRESHOLD[2];"
                               "UNIT[1,1,panzer,0,10,0];UNIT[1,2,infantry,0,7,1];UNIT[3,2,infantry,1,10,0];"
                               "MAP[0,0,0,0,0];MAP[0,1,1,1,0];MAP[0,1,3,1,0];MAP[0,0,0,0,0];";

#define TURN "turn 0 side red limit 3 threshold 2\n"
#define P0   "unit 0 red panzer 1,1 hp 10 ready\n"
#define I1   "unit 1 red infantry 1,2 hp 7 done\n"
#define I2   "unit 2 blue infantry 3,2 hp 10 ready\n"

struct board {
    struct scenario *scenario;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

static const struct game *const paths[] = {&tbs_game, &tbs_wide_game};

static void board_open(struct board *b, const struct game *game) {
    b->scenario =
        game_load(game, &(struct game_source){"a.tbsmap", map_text, sizeof map_text - 1, NULL}, NULL);
    assert_non_null(b->scenario);
    game->start(b->state, b->scenario, NULL);
}

static void board_close(struct board *b) {
    game_unload(b->scenario);
}

static void a_state_is_lines(void **state) {
    (void)state;
    for (int path = 0; path < 2; path++) {
        struct board b;
        struct text t = {0};
        board_open(&b, paths[path]);
        b.scenario->game->text->write_state(b.state, &t);
        assert_string_equal(text_string(&t), TURN P0 I1 I2 "result none\n");
        text_done(&t);
        board_close(&b);
    }
}

/* Positions no game of ours has come to are read too, as long as they can be. */
static void other_positions_are_read(void **state) {
    (void)state;
    static const char *const texts[] = {
        "turn 2 side red limit 3 threshold 2\nunit 0 red panzer 3,1 hp 1 ready\nunit 2 blue infantry 2,2 hp "
        "9 done\n"
        "result none\n",
        "turn 1 side blue limit 3 threshold 2\nunit 0 red panzer 1,1 hp 10 ready\nresult red annihilation\n",
        "turn 2 side red limit 3 threshold 2\nunit 2 blue infantry 3,2 hp 10 ready\nresult blue "
        "annihilation\n",
        "turn 3 side blue limit 3 threshold 2\nunit 0 red panzer 1,1 hp 10 ready\nunit 2 blue infantry 3,2 "
        "hp 9 ready\n"
        "result draw limit\n",
        "turn 1 side blue limit 3 threshold 2\nunit 0 red panzer 1,1 hp 10 ready\nunit 2 blue infantry 3,2 "
        "hp 9 ready\n"
        "result blue resignation\n",
    };
    for (int path = 0; path < 2; path++)
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            struct board b;
            struct text t = {0};
            struct err e = {{0}};
            board_open(&b, paths[path]);
            if (!b.scenario->game->text->read_state(b.state, b.scenario, texts[i], &e))
                fail_msg("text %zu: %s", i, e.text);
            b.scenario->game->text->write_state(b.state, &t);
            assert_string_equal(text_string(&t), texts[i]);
            text_done(&t);
            board_close(&b);
        }
}

static void wrong_states_give_the_reason(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "the turn line is missing"},
        {P0 I2, "the turn line is missing"},
        {"board\n", "'board' is no line of a state; expected turn, unit or result"},
        {"turn x side red limit 3 threshold 2\n", "is no turn line"},
        {"turn 0 side red limit 3 threshold 2 more\n", "is no turn line"},
        {"turn 0 side green limit 3 threshold 2\n", "does not fit the map (limit 3, threshold 2)"},
        {"turn 4 side red limit 3 threshold 2\n", "does not fit the map"},
        {"turn -1 side red limit 3 threshold 2\n", "does not fit the map"},
        {"turn 0 side red limit 4 threshold 2\n", "does not fit the map"},
        {TURN "unit 0 red panzer 1,1 hp ten ready\n", "is no unit line"},
        {TURN "unit 0 red panzer 1,1 hp 10 ready now\n", "is no unit line"},
        {TURN "unit 3 red panzer 1,1 hp 10 ready\n", "the map has no such unit"},
        {TURN "unit -1 red panzer 1,1 hp 10 ready\n", "the map has no such unit"},
        {TURN "unit 0 blue panzer 1,1 hp 10 ready\n", "the map has no such unit"},
        {TURN "unit 0 red cannon 1,1 hp 10 ready\n", "the map has no such unit"},
        {TURN "unit 0 red panzer 1,1 hp 0 ready\n", "expected HP 1 to 99"},
        {TURN "unit 0 red panzer 1,1 hp 100 ready\n", "expected HP 1 to 99"},
        {TURN "unit 0 red panzer 1,1 hp 10 asleep\n", "and ready or done"},
        {TURN "unit 0 red panzer 0,1 hp 10 ready\n", "0,1 is outside the map"},
        {TURN "unit 0 red panzer 4,1 hp 10 ready\n", "4,1 is outside the map"},
        {TURN P0 P0, "unit 0 is given twice"},
        {TURN P0 I2 "result red\n", "no such result"},
        {TURN P0 "unit 2 blue infantry 1,1 hp 10 ready\nresult none\n", "do not make a position"},
        {TURN P0 "result none\n", "do not make a position"},
        {TURN I2 "result none\n", "do not make a position"},
        {TURN I1 I2 "result none\n", "do not make a position"}, /* red's only unit has acted */
        {TURN P0 I2 "result red annihilation\n", "do not make a position"},
        {TURN P0 I2 "result blue annihilation\n", "do not make a position"},
        {TURN P0 "result blue annihilation\n", "do not make a position"},
        {TURN P0 I2 "result draw limit\n", "do not make a position"},
        {TURN P0 "result red resignation\n", "do not make a position"},
        {"turn 3 side blue limit 3 threshold 2\n" P0 I2 "result none\n", "do not make a position"},
        {"turn 3 side blue limit 3 threshold 2\n" P0 I2 "result red limit\n", "do not make a position"},
    };
    for (int path = 0; path < 2; path++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct board b;
            struct err e = {{0}};
            board_open(&b, paths[path]);
            if (b.scenario->game->text->read_state(b.state, b.scenario, cases[i][0], &e))
                fail_msg("case %zu was read", i);
            if (strstr(e.text, cases[i][1]) == NULL)
                fail_msg("case %zu: got '%s', expected '%s'", i, e.text, cases[i][1]);
            board_close(&b);
        }
}

static void long_lines_are_refused(void **state) {
    (void)state;
    struct board b;
    struct err e;
    char line[500];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    board_open(&b, &tbs_game);
    assert_false(tbs_game.text->read_state(b.state, b.scenario, line, &e));
    assert_string_equal(e.text, "a line of a state has 499 characters; the limit is 159");
    board_close(&b);
}

static void expect_action(const struct board *b, const char *text, action expected) {
    action a;
    struct err e = {{0}};
    struct text back = {0};
    if (!b->scenario->game->text->read_action(b->state, text, &a, &e))
        fail_msg("%s", e.text);
    assert_int_equal(a, expected);
    b->scenario->game->text->write_action(b->state, a, &back);
    assert_string_equal(text_string(&back), text);
    text_done(&back);
}

static void actions_are_short(void **state) {
    (void)state;
    struct board b;
    board_open(&b, &tbs_game);
    expect_action(&b, "0:3,1", tbs_action(0, 3, 1, TBS_NO_TARGET));
    expect_action(&b, "0:3,1x2", tbs_action(0, 3, 1, 2));
    expect_action(&b, "pass", TBS_PASS);
    expect_action(&b, "resign", TBS_RESIGN);
    board_close(&b);
}

/* The parts of an action are what was put in, up to the largest map there is. */
static void actions_are_packed(void **state) {
    (void)state;
    const action a = tbs_action(TBS_UNITS_MAX - 1, TBS_CELLS_MAX, TBS_CELLS_MAX - 1, TBS_UNITS_MAX - 2);
    assert_int_equal(tbs_action_unit(a), TBS_UNITS_MAX - 1);
    assert_int_equal(tbs_action_x(a), TBS_CELLS_MAX);
    assert_int_equal(tbs_action_y(a), TBS_CELLS_MAX - 1);
    assert_int_equal(tbs_action_target(a), TBS_UNITS_MAX - 2);
    assert_true(tbs_is_unit_action(a));
    assert_int_equal(tbs_action_target(tbs_action(0, 1, 1, TBS_NO_TARGET)), TBS_NO_TARGET);
    assert_false(tbs_is_unit_action(TBS_PASS) || tbs_is_unit_action(TBS_RESIGN));
}

static void wrong_actions_give_the_reason(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "'' is no action; expected UNIT:X,Y or UNIT:X,YxTARGET"},
        {"Pass", "'Pass' is no action"},
        {"0", "is no action"},
        {"0:3", "is no action"},
        {"0:3,1x", "is no action"},
        {"0:3,1 ", "is no action"},
        {"-1:3,1", "is no action"},
        {"0:3,99", "is no action"},
        {"999999999999:1,1", "is no action"},
        {"3:1,1", "there is no unit 3"},
        {"2:1,1", "unit 2 is blue and it is red's turn"},
        {"1:2,2", "unit 1 has already acted in this turn"},
        {"0:3,2", "unit 0 cannot end its move there"},
        {"0:1,1x2", "unit 0 cannot attack unit 2 from there"},
        {"0:3,1x1", "unit 1 is no enemy on the board"},
        {"0:3,1x9", "unit 9 is no enemy on the board"},
    };
    struct board b;
    board_open(&b, &tbs_wide_game);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {{0}};
        action a;
        assert_false(tbs_wide_game.text->read_action(b.state, cases[i][0], &a, &e));
        if (strstr(e.text, cases[i][1]) == NULL)
            fail_msg("'%s': got '%s', expected '%s'", cases[i][0], e.text, cases[i][1]);
    }
    board_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_is_lines),
        cmocka_unit_test(other_positions_are_read),
        cmocka_unit_test(wrong_states_give_the_reason),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(actions_are_short),
        cmocka_unit_test(actions_are_packed),
        cmocka_unit_test(wrong_actions_give_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
