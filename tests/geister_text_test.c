/* SPDX-License-Identifier: MIT */
#include "geister_support.h"

#include "game_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define START "14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u"
#define FIRST "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u"

/* ---- states ---- */

static void expect_again(const struct scenario *scenario, const char *text) {
    union support_state s;
    struct err e = {{0}};
    memset(&s, 0, sizeof s);
    if (!geister_game.text->read_state(&s, scenario, text, &e))
        fail_msg("%s: %s", text, e.text);
    assert_true(geister_game.valid(&s));
    support_expect_text(scenario, &s, text);
}

static void states_are_read_as_they_are_written(void **state) {
    (void)state;
    static const char *const texts[] = {
        "board=" START " mover=first ply=setup from=- moves=-\n",
        "board=" START " mover=second ply=setup from=- moves=-\n", /* as the second player sees it */
        "board=" FIRST " mover=second ply=setup from=- moves=-\n",
        "board=" FIRST " mover=first ply=0 from=- moves=-\n",
        "board=13R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u mover=first ply=2 from=start moves=AN/AN\n",
        /* ended */
        "board=88b50R24R34R25R99b99b45B55b05r21r31r11r40b99b99b mover=second ply=11 from=- moves=-\n",
        "board=14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u mover=first ply=300 from=- moves=-\n",
        /* the second player began */
        "board=13R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u mover=second ply=2 "
        "from=14243444152535454131211140302010 moves=AN/AN\n",
        /* a part of the history is given, with a taken piece */
        "board=32B50R24R34R25R99b99b45B99b99b42b99b10r11r12r13r mover=second ply=11 "
        "from=22502434259999459932429910111213 moves=AE\n",
    };
    struct scenario *scenario = support_load("geister");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_again(scenario, texts[i]);
    game_unload(scenario);
}

static void bad_states_are_refused(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"", "is no state; expected board=… mover=… ply=… from=… moves=…"},
        {"board=" FIRST " mover=first ply=0 from=-", "is no state"},
        {"board=14R mover=first ply=0 from=- moves=-", "board: '14R' has 3 characters; expected 48"},
        {"board=" FIRST " mover=none ply=0 from=- moves=-", "mover=none: expected first or second"},
        {"board=" FIRST " mover=first ply=x from=- moves=-", "ply=x: expected setup or the number"},
        {"board=" FIRST " mover=first ply=-1 from=- moves=-", "ply=-1: expected setup"},
        {"board=" FIRST " mover=first ply=301 from=- moves=-", "ply: 301; expected 0 to 300"},
        {"board=" FIRST " mover=first ply=setup from=- moves=-", "until they are chosen"},
        {"board=13u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u mover=first ply=setup from=- moves=-",
         "all pieces stand where they start"},
        {"board=14R24R34R44R15R25B35B45B41u31u21u11u40u30u20u10u mover=first ply=0 from=- moves=-",
         "of pieces A to H 5 are red and 3 blue"},
        {"board=14R24R34R44R15B25B35B45B14u31u21u11u40u30u20u10u mover=first ply=0 from=- moves=-",
         "two pieces stand on the same cell"},
        {"board=16R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u mover=first ply=0 from=- moves=-",
         "piece A is '16R'; expected column and row of 0 to 5 each, 99 or 88"},
        {"board=14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10x mover=first ply=0 from=- moves=-",
         "piece h is '10x'; expected the colour R, B, r, b or u"},
        {"board=14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u99u mover=first ply=0 from=- moves=-",
         "piece h is '99u'; expected the colour of a piece that is taken"},
        {"board=88r24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u mover=first ply=9 from=- moves=-",
         "piece A is '88r'; expected a piece that left to be blue"},
        {"board=14R24R34R44R88b88b35B45B41u31u21u11u40u30u20u10u mover=first ply=9 from=- moves=-",
         "2 pieces have left; expected at most one"},
        {"board=99r99r99r99r99b99b99b99b41u31u21u11u40u30u20u10u mover=first ply=90 from=- moves=-",
         "the game would have ended earlier"},
        {"board=" FIRST " mover=first ply=2 from=start moves=AN",
         "from=start: 1 moves are told; expected all 2"},
        {"board=" FIRST " mover=first ply=1 from=start moves=AN/AN", "more than the 1 that were played"},
        {"board=" FIRST " mover=first ply=2 from=start moves=AN/XN", "moves: 'XN' is no move"},
        {"board=" FIRST " mover=first ply=2 from=start moves=AN/", "moves: '' is no move"},
        {"board=" FIRST " mover=first ply=2 from=start moves=AN/AN", "moves: they do not lead to the board"},
        {"board=" FIRST " mover=first ply=2 from=start moves=BS/AN", "moves: they do not lead to the board"},
        {"board=13R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u mover=second ply=2 from=start moves=AN/AN",
         "mover=second: expected first after 2 moves from the start"},
        {"board=" FIRST " mover=first ply=2 from=- moves=AN/AN",
         "from=-: expected - where no moves are told"},
        {"board=" FIRST " mover=first ply=2 from=start moves=-", "from=start: expected - where no moves"},
        {"board=" FIRST " mover=first ply=2 from=14 moves=AN/AS", "from=14: expected -, start, or 32 digits"},
        {"board=" FIRST " mover=first ply=2 from=14143444152535454131211140302010 moves=AN/AS",
         "two pieces stand on the same cell"},
    };
    struct scenario *scenario = support_load("geister");
    support_refuse_states(scenario, cases, sizeof cases / sizeof cases[0]);
    game_unload(scenario);
}

/* The longest history there can be fits. */
static void long_games_are_written(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister:plies=400");
    union support_state s;
    struct text text = {0};
    memset(&s, 0, sizeof s);
    geister_begin((struct geister *)&s, scenario, "ABCD", "EFGH");
    while (geister_game.mover(&s) != NOBODY)
        geister_play_all((struct geister *)&s, ((struct geister *)&s)->ply % 4 < 2 ? "AN" : "AS");
    geister_game.text->write_state(&s, &text);
    assert_int_equal(((struct geister *)&s)->recorded, 400);
    expect_again(scenario, text_string(&text));
    text_done(&text);
    game_unload(scenario);
}

/* ---- actions ---- */

static void expect_refused(const struct geister *s, const char *text, const char *expected) {
    struct err e = {{0}};
    action a;
    assert_false(geister_game.text->read_action(s, text, &a, &e));
    assert_string_equal(e.text, expected);
}

static void actions_are_refused_for_a_reason(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"AN", NULL},
        {"an", NULL},
        {"", "'' is no move; expected a piece, A to H, and N, E, S or W, as in AN"},
        {"A", "is no move"},
        {"IN", "is no move"},
        {"AX", "is no move"},
        {"A,N", NULL}, /* as on the server */
        {"A,", "is no move"},
        {"A N", "is no move"},
        {"A,NN", "is no move"},
        {"BCFG", "is no move"},
        {"BN", "'BN' is illegal: a red piece cannot leave"},
        {"BE", "'BE' is illegal: a red piece cannot leave"},
        {"CE", "'CE' is illegal: an own piece stands there"},
        {"ES", "'ES' is illegal: that is off the board"},
        {"FN", "'FN' is illegal: piece F is taken"},
    };
    struct scenario *scenario = support_load("geister");
    struct geister s;
    geister_place(&s, scenario, "00B50R24R34R25R99b99b45B55b05r21r31r11r40b99b99b", 10, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {{0}};
        action a = 0;
        const bool read = geister_game.text->read_action(&s, cases[i].input, &a, &e);
        assert_int_equal(read, cases[i].expected == NULL);
        if (!read && strstr(e.text, cases[i].expected) == NULL)
            fail_msg("'%s': got '%s', expected '%s'", cases[i].input, e.text, cases[i].expected);
    }
    geister_play_all(&s, "AN");
    expect_refused(&s, "AN", "'AN' is illegal: the game is over");
    geister_game.start(&s, scenario, NULL);
    expect_refused(&s, "AN", "'AN' does not name the reds; expected four different letters of A to H");
    game_unload(scenario);
}

static void exits_that_are_closed_are_named(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister:exits=sideways");
    struct geister s;
    geister_place(&s, scenario, "00B50R24R34R25R99b99b45B55b05r21r31r11r40b99b99b", 10, 1);
    expect_refused(&s, "AN", "'AN' is illegal: that is not the way out");
    game_unload(scenario);
}

/* ---- board strings ---- */

/* From any view of any position back to the same view. */
static void boards_are_read_as_they_are_written(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct rng r;
    for (int i = 0; i < 300; i++) {
        struct geister s, back;
        rng_seed_stream(&r, 9, (uint64_t)i);
        geister_game.start(&s, scenario, &r);
        geister_game.rollouts[0].run(&s, &r, 2 + i);
        for (int side = 0; side < 2; side++) {
            char board[GEISTER_BOARD_CHARS + 1], again[GEISTER_BOARD_CHARS + 1];
            struct geister view = s;
            struct err e = {{0}};
            geister_game.hide(&view, side);
            geister_write_board(&view, side, true, board);
            if (!geister_read_board(&back, scenario, side, board, s.ply, s.mover, &e))
                fail_msg("%s: %s", board, e.text);
            assert_true(geister_game.valid(&back));
            assert_int_equal(geister_game.key(&back), geister_game.key(&view));
            assert_memory_equal(back.where, view.where, sizeof view.where);
            assert_int_equal(back.recorded, 0);
            geister_write_board(&back, side, false, again);
            geister_write_board(&s, side, false, board);
            assert_string_equal(again, board);
        }
    }
    game_unload(scenario);
}

static void a_board_shows_what_is_public(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister s;
    char board[GEISTER_BOARD_CHARS + 1];
    geister_place(&s, scenario, "22B50R24R34R25R99b99b45B99b32b42b99r10r11r12r99b", 10, 0);
    geister_write_board(&s, 0, false, board);
    assert_string_equal(board, "22B50R24R34R25R99b99b45B99b32u42u99r10u11u12u99b");
    geister_write_board(&s, 1, false, board);
    assert_string_equal(board, "99b23B13B99r45R44R43R99b33u05u31u21u30u99b99b10u");
    geister_write_board(&s, 1, true, board);
    assert_string_equal(board, "99b23B13B99r45R44R43R99b33b05r31r21r30r99b99b10b");
    game_unload(scenario);
}

/* ---- observations ---- */

/* ---- sources ---- */

static void options_are_sent_again(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"geister", "geister"},
        {"geister:rules=handyrl", "geister:rules=handyrl"},
        {"geister:plies=50,exits=forward", "geister:plies=50,exits=forward"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scenario *scenario = support_load(cases[i].input);
        struct text spec = {0};
        game_write_spec(scenario, &spec);
        assert_string_equal(text_string(&spec), cases[i].expected);
        text_done(&spec);
        game_unload(scenario);
    }
    struct err e = {{0}};
    assert_null(game_load_spec("geister:rules=chess", &e));
    assert_non_null(strstr(e.text, "rules"));
    assert_null(game_load_spec("geister:plies=401", &e));
    assert_non_null(strstr(e.text, "plies"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_read_as_they_are_written),
        cmocka_unit_test(bad_states_are_refused),
        cmocka_unit_test(long_games_are_written),
        cmocka_unit_test(actions_are_refused_for_a_reason),
        cmocka_unit_test(exits_that_are_closed_are_named),
        cmocka_unit_test(boards_are_read_as_they_are_written),
        cmocka_unit_test(a_board_shows_what_is_public),
        cmocka_unit_test(options_are_sent_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
