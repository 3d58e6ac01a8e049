/* SPDX-License-Identifier: MIT */
#include "geister_support.h"

#include "game_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct rng dice = {{1, 2, 3, 4}};

/* All actions as they are written, parted by blanks. */
static void expect_actions(const struct geister *s, const char *expected) {
    action list[GEISTER_SETUPS];
    struct text text = {0};
    const int count = geister_game.actions(s, list);
    for (int i = 0; i < count; i++) {
        text_add_string(&text, i == 0 ? "" : " ");
        geister_game.text->write_action(s, list[i], &text);
        assert_true(geister_game.is_legal(s, list[i]));
    }
    assert_string_equal(text_string(&text), expected);
    text_done(&text);
}

/* How many of all numbers are legal actions. */
static int count_legal(const struct geister *s) {
    int count = 0;
    for (action a = 0; a < 1024; a++)
        count += geister_game.is_legal(s, a);
    return count;
}

/* ---- set-ups ---- */

static void setups_are_in_the_order_of_their_letters(void **state) {
    (void)state;
    char last[GEISTER_REDS + 1] = "", letters[GEISTER_REDS + 1];
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        const unsigned reds = geister_setup_reds(i);
        unsigned back = 0;
        geister_write_reds(reds, letters);
        assert_true(strcmp(last, letters) < 0);
        assert_int_equal(geister_setup_number(reds), i);
        assert_true(geister_read_reds(letters, &back, NULL));
        assert_int_equal(back, reds);
        memcpy(last, letters, sizeof last);
    }
    assert_string_equal(last, "EFGH");
    assert_int_equal(geister_setup_reds(0), 0x0F);
    assert_int_equal(geister_setup_number(0x1F), -1);
    assert_int_equal(geister_setup_number(0x10F), -1);
}

static void reds_are_four_different_letters(void **state) {
    (void)state;
    static const char *const bad[] = {"", "ABC", "ABCDE", "AABC", "ABCI", "ABC ", "AB1D", "abcA"};
    unsigned reds = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err e = {{0}};
        assert_false(geister_read_reds(bad[i], &reds, &e));
        assert_non_null(strstr(e.text, "expected four different letters of A to H"));
    }
    assert_true(geister_read_reds("hBcF", &reds, NULL));
    assert_int_equal(reds, 0xA6);
}

static void both_choose_in_secret(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister s, view;
    geister_game.start(&s, scenario, &dice);
    assert_int_equal(geister_game.mover(&s), 0);
    assert_int_equal(count_legal(&s), GEISTER_SETUPS);
    assert_true(fabs(geister_game.worlds(&s) - 1) < 1e-12); /* nothing is chosen, nothing hidden */
    geister_game.play(&s, geister_setup(0x33), &dice);
    assert_int_equal(geister_game.mover(&s), 1);
    view = s;
    geister_game.hide(&view, 1);
    assert_int_equal(view.known[0], 0);
    assert_int_equal(view.reds[0], 0);
    assert_true(fabs(geister_game.worlds(&view) - 70) < 1e-12);
    geister_game.play(&s, geister_setup(0xCC), &dice);
    assert_int_equal(geister_game.mover(&s), 0);
    assert_int_equal(s.ply, 0);
    assert_int_equal(geister_game.turn(&s), 2);
    geister_game.hide(&s, NOBODY);
    assert_true(fabs(geister_game.worlds(&s) - 4900) < 1e-12);
    game_unload(scenario);
}

/* ---- moves ---- */

static void both_have_the_same_moves_at_the_start(void **state) {
    (void)state;
    static const char start[] = "AN AW BN CN DN DE EW HE";
    struct scenario *scenario = support_load("geister");
    struct geister s;
    geister_begin(&s, scenario, "ABCD", "EFGH");
    expect_actions(&s, start);
    assert_int_equal(count_legal(&s), 8);
    geister_play_all(&s, "BN");
    expect_actions(&s, start);
    geister_play_all(&s, "HE");
    expect_actions(&s, "BN BE BS BW AN AE AW CN CW DN DE EW FN HE");
    game_unload(scenario);
}

static void move_sequences_are_as_many(void **state) {
    (void)state;
    static const uint64_t counts[] = {8, 64, 768, 9200, 118488};
    struct scenario *scenario = support_load("geister");
    struct geister s;
    geister_begin(&s, scenario, "ACEG", "BDFH");
    for (int depth = 1; depth <= 5; depth++) {
        uint64_t nodes = 0;
        assert_true(game_perft(&geister_game, &s, depth, NULL, &nodes));
        assert_int_equal(nodes, counts[depth - 1]);
    }
    game_unload(scenario);
}

/* Up to the plies that are alike, every world of a view has as many sequences. */
static void unknown_colours_do_not_matter_at_first(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister s, view;
    struct rng r;
    int looked_at = 0, differ = 0;
    rng_seed(&r, 3);
    geister_begin(&s, scenario, "ACEG", "BDFH");
    view = s;
    geister_game.hide(&view, NOBODY);
    assert_int_equal(geister_plies_alike(&view), 7);
    assert_true(geister_plies_alike(&s) > 100); /* nothing is unknown */
    for (int ply = 0; ply < 2000; ply++) {
        action list[GEISTER_SETUPS];
        const int count = geister_game.actions(&s, list);
        if (count == 0) {
            geister_begin(&s, scenario, "BCFG", "ABGH");
            continue;
        }
        view = s;
        geister_game.hide(&view, s.mover);
        const int alike = geister_plies_alike(&view);
        uint64_t here[4] = {0};
        assert_true(alike >= 0);
        for (int world = 0; world < 4 && alike < 3; world++) {
            struct geister other = view;
            geister_game.world(&other, rng_below(&r, (uint32_t)geister_game.worlds(&view)));
            for (int depth = 1; depth <= 3; depth++) {
                uint64_t nodes = 0;
                assert_true(game_perft(&geister_game, &other, depth, NULL, &nodes));
                if (world == 0)
                    here[depth] = nodes;
                if (depth <= alike)
                    assert_int_equal(nodes, here[depth]);
                differ += nodes != here[depth];
            }
            looked_at++;
        }
        geister_game.play(&s, list[rng_below(&r, (uint32_t)count)], NULL);
    }
    assert_true(looked_at > 100 && differ > 10);
    game_unload(scenario);
}

/* A blue and a red piece on the exits of the first player; the second player has the same. */
#define ON_EXITS "00B50R24R34R25R99b99b45B55b05r21r31r11r40b99b99b"

struct exit_case {
    const char *spec, *first, *second;
};

static void only_blues_leave(void **state) {
    (void)state;
    static const struct exit_case cases[] = {
        {"geister", "AN AE AS AW BS BW", "AN AE AS AW BS BW"},
        {"geister:rules=uctgeister", "AN AE AS BS BW", "AN AE AS BS BW"},
        {"geister:rules=handyrl", "AE AS AW BS BW", "AE AS AW BS BW"},
        {"geister:rules=geister-rl", "AE AS AW BS BW", "AE AS AW BS BW"},
        {"geister:rules=cpp-lib", "AE AS AW BS BW", "AE AS AW BS BW"},
        {"geister:rules=handyrl,exits=both", "AN AE AS AW BS BW", "AN AE AS AW BS BW"},
        {"geister:exits=forward", "AN AE AS BS BW", "AN AE AS BS BW"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scenario *scenario = support_load(cases[i].spec);
        for (int mover = 0; mover < 2; mover++) {
            struct geister s;
            struct text text = {0};
            const char *expected = mover == 0 ? cases[i].first : cases[i].second;
            action list[GEISTER_SETUPS];
            geister_place(&s, scenario, ON_EXITS, 10, mover);
            const int count = geister_game.actions(&s, list);
            for (int k = 0; k < count; k++) {
                text_add_string(&text, k == 0 ? "" : " ");
                geister_game.text->write_action(&s, list[k], &text);
            }
            assert_memory_equal(text_string(&text), expected, strlen(expected)); /* the far row comes first */
            assert_int_equal(count_legal(&s), count);
            text_done(&text);
        }
        game_unload(scenario);
    }
}

/* ---- ends ---- */

struct end_case {
    const char *board;
    int ply, mover;
    const char *moves, *result;
};

static const struct end_case ends[] = {
    /* leaving, each way and each side */
    {ON_EXITS, 10, 0, "AN", "first escape"},
    {ON_EXITS, 10, 0, "AW", "first escape"},
    {ON_EXITS, 10, 1, "AN", "second escape"},
    {ON_EXITS, 10, 1, "AW", "second escape"},
    {"50B00R24R34R25R99b99b45B55b05r21r31r11r40b99b99b", 10, 0, "AE", "first escape"},
    {"50B00R24R34R25R99b99b45B55b05r21r31r11r40b99b99b", 10, 0, "AN", "first escape"},
    /* stepping on the exit is not enough */
    {"01B50R24R34R25R99b99b45B54b05r21r31r11r40b99b99b", 10, 0, "AN", "none"},
    {"01B50R24R34R25R99b99b45B54b05r21r31r11r40b99b99b", 10, 0, "AN/CN/AN", "first escape"},
    /* the last blue, the last red, and the last but one */
    {"22B50R24R34R25R99b99b45B99b32b99b99b10r11r12r13r", 10, 0, "AE", "first blues"},
    {"22B50R24R34R25R99b99b45B99b10b11b99b32r13r14r15r", 10, 0, "AE", "none"},
    {"22B50R24R34R25R99b99b45B32r99r99r99r10b11b99b99b", 10, 0, "AE", "second reds"},
    {"22B50R24R34R25R99b99b45B32r99r99r13r10b11b99b99b", 10, 0, "AE", "none"},
    {"32B99b99b99b24R34R25R99r22b10b11b12b40r41r42r43r", 10, 1, "AW", "second blues"},
    {"32R99r99r99r24B34B25B99b22b10b11b12b40r41r42r43r", 10, 1, "AW", "first reds"},
    /* the limit, and a win with the last ply */
    {ON_EXITS, 299, 0, "AS", "draw limit"},
    {ON_EXITS, 298, 0, "AS", "none"},
    {ON_EXITS, 299, 1, "CN", "draw limit"},
    {ON_EXITS, 299, 0, "AN", "first escape"},
    {"22B50R24R34R25R99b99b45B99b32b99b99b10r11r12r13r", 299, 0, "AE", "first blues"},
};

static void games_end_as_they_should(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct geister s;
        geister_place(&s, scenario, ends[i].board, ends[i].ply, ends[i].mover);
        geister_play_all(&s, ends[i].moves);
        if (strcmp(geister_game.text->result(&s), ends[i].result) != 0)
            fail_msg("case %zu, %s: %s, expected %s", i, ends[i].moves, geister_game.text->result(&s),
                     ends[i].result);
        assert_true(geister_game.valid(&s));
        const double first = ends[i].result[0] == 'f' ? 1 : ends[i].result[0] == 's' ? 0 : 0.5;
        if (geister_game.mover(&s) == NOBODY)
            assert_true(fabs(geister_game.payoff(&s, 0) - first) < 1e-12);
    }
    game_unload(scenario);
}

static void the_limit_is_a_draw(void **state) {
    (void)state;
    static const char *const specs[] = {"geister", "geister:rules=cpp-lib", "geister:plies=8"};
    static const int plies[] = {300, 200, 8};
    for (int i = 0; i < 3; i++) {
        struct scenario *scenario = support_load(specs[i]);
        struct geister s;
        geister_begin(&s, scenario, "ABCD", "ABCD");
        while (s.ply < plies[i]) {
            assert_int_equal(geister_game.mover(&s), s.ply % 2);
            geister_play_all(&s, s.ply % 4 < 2 ? "AN" : "AS");
        }
        assert_int_equal(geister_game.mover(&s), NOBODY);
        assert_string_equal(geister_game.text->result(&s), "draw limit");
        game_unload(scenario);
    }
}

/* ---- views ---- */

static void a_view_hides_colours_until_they_are_taken(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister s, view, alike;
    geister_place(&s, scenario, "22B50R24R34R25R99b99b45B99b32b42b99b10r11r12r13r", 10, 0);
    view = s;
    geister_game.hide(&view, 0);
    assert_int_equal(view.known[0], 0xFF);
    assert_int_equal(view.known[1], 0x09);
    assert_int_equal(view.reds[1], 0);
    assert_true(fabs(geister_game.worlds(&view) - 15) < 1e-12); /* four reds among six */
    geister_place(&alike, scenario, "22B50R24R34R25R99b99b45B99b32r42r99b10b11b12r13r", 10, 0);
    geister_game.hide(&alike, 0);
    assert_memory_equal(&view, &alike, sizeof view);
    geister_game.hide(&s, 1);
    assert_int_equal(s.known[0], 0x60);
    geister_place(&s, scenario, ON_EXITS, 10, 0);
    geister_play_all(&s, "AN");
    view = s;
    geister_game.hide(&view, NOBODY); /* over: everything is shown */
    assert_memory_equal(&view, &s, sizeof s);
    game_unload(scenario);
}

static void every_world_is_drawn_alike(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister s;
    struct rng r;
    int hits[256] = {0};
    const int draws = 15 * 2000;
    rng_seed(&r, 5);
    geister_place(&s, scenario, "22B50R24R34R25R99b99b45B99b32b42b99b10r11r12r13r", 10, 0);
    geister_game.hide(&s, 0);
    for (int i = 0; i < draws; i++) {
        struct geister full = s;
        geister_game.determinize(&full, &r);
        hits[full.reds[1]]++;
    }
    int kinds = 0;
    double chi = 0;
    for (int i = 0; i < 256; i++) {
        kinds += hits[i] > 0;
        chi += hits[i] > 0 ? (hits[i] - 2000.0) * (hits[i] - 2000.0) / 2000.0 : 0;
    }
    assert_int_equal(kinds, 15);
    assert_true(chi < 42.6); /* 14 degrees of freedom: once in 10,000 */
    game_unload(scenario);
}

/* A playout from a view learns the colour of a taken piece by chance: here two of three are red. */
static void a_taken_unknown_is_drawn(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister s;
    struct rng r;
    struct support_mean reds = {0};
    rng_seed(&r, 6);
    geister_place(&s, scenario, "22B50R24R34R25R99b99b45B99b99b99b32u99r11u12u99r", 10, 0);
    for (int i = 0; i < 4000; i++) {
        struct geister next = s;
        geister_game.play(&next, geister_move(14, GEISTER_EAST), &r);
        assert_true(geister_game.valid(&next));
        support_mean_add(&reds, next.reds[1] >> 3 & 1);
    }
    support_expect_mean("reds among those taken", &reds, 2.0 / 3);
    game_unload(scenario);
}

static void an_observation_is_turned_around(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister s;
    struct geister_observation seen;
    char board[GEISTER_CELLS + 1];
    geister_place(&s, scenario, "22B50R24R34R25R99b99b45B99b32b42b99r10r11r12r99b", 10, 0);
    geister_observe(&s, 0, &seen);
    geister_write_observation(&seen, board);
    assert_string_equal(board, ".r...R"
                               ".r...."
                               ".rBbb."
                               "......"
                               "..RR.."
                               "..R.B.");
    assert_int_equal(seen.hidden_reds, 3);
    assert_int_equal(seen.taken_reds, 1);
    assert_int_equal(seen.taken_blues, 2);
    assert_int_equal(seen.lost_reds, 0);
    assert_int_equal(seen.lost_blues, 2);
    geister_game.hide(&s, 1);
    geister_observe(&s, 1, &seen);
    geister_write_observation(&seen, board);
    assert_string_equal(board, ".u.u.."
                               "..uu.."
                               "......"
                               ".BBuR."
                               "....R."
                               "u...R.");
    assert_int_equal(seen.taken_blues, 2);
    assert_int_equal(seen.lost_reds, 1);
    game_unload(scenario);
}

/* ---- history ---- */

static void history_can_be_played_again(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct rng r;
    for (int i = 0; i < 40; i++) {
        struct geister s, at;
        rng_seed_stream(&r, 8, (uint64_t)i);
        if (i % 2 == 0)
            geister_begin(&s, scenario, "ABEF", "CDGH");
        else
            geister_place(&s, scenario, ON_EXITS, 37, i / 2 % 2);
        geister_game.rollouts[0].run(&s, &r, i % 5 == 0 ? 0 : i);
        geister_rewind(&s, &at);
        assert_int_equal(at.ply, i % 2 == 0 ? 0 : 37);
        for (int k = 0; k < s.recorded; k++)
            geister_game.play(&at, geister_recorded_action(&at, s.moves[k]), &r);
        assert_memory_equal(&at, &s, sizeof s);
    }
    game_unload(scenario);
}

static void turning_twice_is_nothing(void **state) {
    (void)state;
    for (int cell = 0; cell < GEISTER_CELLS; cell++) {
        assert_int_equal(geister_turn_board(UINT64_C(1) << cell), UINT64_C(1) << (35 - cell));
        for (int d = 0; d < 4; d++) {
            const action a = geister_move(cell, (enum geister_direction)d);
            assert_int_equal(geister_turned(geister_turned(a, 1), 1), a);
            assert_int_equal(geister_turned(a, 0), a);
            assert_int_equal(geister_turned(a, 1), geister_move(35 - cell, (enum geister_direction)(3 - d)));
        }
    }
}

/* ---- laws, knowledge ---- */

static void the_laws_hold(void **state) {
    (void)state;
    support_check_laws("geister", 6);
    support_check_laws("geister:rules=uctgeister,plies=60", 4);
    support_check_laws("geister:rules=handyrl", 3);
    support_check_laws("geister:plies=1", 3);
}

static void a_piece_that_can_leave_is_searched(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister s;
    action list[GEISTER_SETUPS];
    float scores[GEISTER_SETUPS];
    double weights[GAME_WEIGHTS_MAX] = {0};
    for (int i = 0; geister_game.weights[i].name != NULL; i++)
        weights[i] = geister_game.weights[i].fallback;
    geister_place(&s, scenario, ON_EXITS, 10, 0);
    assert_true(geister_game.evals[0].value(&s, 0, weights) > 0); /* alike, but for the move */
    int count = geister_game.actions(&s, list);
    geister_game.priors[0].score(&s, list, count, scores);
    for (int i = 0; i < count; i++)
        assert_int_equal(scores[i] > 50, i == 0 || i == 3); /* AN and AW */
    count = game_list(&geister_game, "wins")->list(&s, list);
    assert_int_equal(count, 2);
    geister_place(&s, scenario, "22B50R24R34R25R44B35B45B99b99b99b32b10r11r12r13r", 10, 1);
    assert_true(geister_game.evals[0].value(&s, 0, weights) > 0); /* four blues against one */
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setups_are_in_the_order_of_their_letters),
        cmocka_unit_test(reds_are_four_different_letters),
        cmocka_unit_test(both_choose_in_secret),
        cmocka_unit_test(both_have_the_same_moves_at_the_start),
        cmocka_unit_test(move_sequences_are_as_many),
        cmocka_unit_test(unknown_colours_do_not_matter_at_first),
        cmocka_unit_test(only_blues_leave),
        cmocka_unit_test(games_end_as_they_should),
        cmocka_unit_test(the_limit_is_a_draw),
        cmocka_unit_test(a_view_hides_colours_until_they_are_taken),
        cmocka_unit_test(every_world_is_drawn_alike),
        cmocka_unit_test(a_taken_unknown_is_drawn),
        cmocka_unit_test(an_observation_is_turned_around),
        cmocka_unit_test(history_can_be_played_again),
        cmocka_unit_test(turning_twice_is_nothing),
        cmocka_unit_test(the_laws_hold),
        cmocka_unit_test(a_piece_that_can_leave_is_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
