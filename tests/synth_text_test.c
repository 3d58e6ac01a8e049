/* SPDX-License-Identifier: MIT
 *
 * Synthetic trees: options, states and actions as text.
 */
#include "game/synth/synth.h"

#include "game_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- options and notation ---- */

static void sources_read_back(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"synth", "synth"},
        {"synth:df=0.5,worlds=8", "synth"},
        {"synth:df=0.25,worlds=16,tree=7", "synth:worlds=16,df=0.25,tree=7"},
        {"synth:mu=0.5,sd=0.1,uncorr=mirror", "synth:mu=0.5,sd=0.1,uncorr=mirror"},
        {"synth:payoffs=signs", "synth:payoffs=signs,r=1,uncorr=extreme"},
        {"synth:payoffs=signs,uncorr=independent", "synth:payoffs=signs,r=1,uncorr=independent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scenario *scenario = support_load(cases[i].input);
        struct text spec = {0}, again = {0};
        game_write_spec(scenario, &spec);
        assert_string_equal(text_string(&spec), cases[i].expected);
        struct scenario *back = support_load(text_string(&spec));
        game_write_spec(back, &again);
        assert_string_equal(text_string(&again), cases[i].expected);
        assert_memory_equal(synth_params_of(back), synth_params_of(scenario), sizeof(struct synth_params));
        text_done(&spec);
        text_done(&again);
        game_unload(scenario);
        game_unload(back);
    }
}

static void options_that_contradict_are_refused(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"synth:worlds=6", "worlds=6 is no power of two"},
        {"synth:worlds=0", "expected a whole number from 1 to 4096"},
        {"synth:branching=3,depth=40",
         "branching=3 and depth=40 make too large a tree; expected fewer than 2^62"},
        {"synth:branching=64,depth=11", "too large a tree"},
        {"synth:depth=62", "expected a whole number from 1 to 61"},
        {"synth:payoffs=signs,r=4", "r=4 and payoffs=signs contradict each other"},
        {"synth:payoffs=signs,mu=0.5", "mu and sd belong to payoffs=normal"},
        {"synth:payoffs=signs,sd=0.5", "mu and sd belong to payoffs=normal"},
        {"synth:sd=0,uncorr=different", "uncorr=different cannot be had"},
        {"synth:df=1.5", "df=1.5: expected a number from 0 to 1"},
        {"synth:uncorr=some", "expected one of independent|mirror|extreme|different"},
        {"synth:rules=paper", "option 'rules' is unknown"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {{0}};
        assert_null(game_load_spec(cases[i].input, &e));
        if (strstr(e.text, cases[i].expected) == NULL)
            fail_msg("%s: got '%s', expected '%s'", cases[i].input, e.text, cases[i].expected);
    }
    struct err e = {{0}};
    assert_null(
        game_load(&synth_game, &(struct game_source){.name = "x.tbsmap", .text = "SIZEX=3", .size = 7}, &e));
    assert_string_equal(e.text, "x.tbsmap: synth is played without a map");
}

static void states_that_cannot_be_are_refused(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"", "is no state; expected tree=… moves=… types=…"},
        {"tree=5 moves=L", "is no state"},
        {"tree=5 moves=L types=1,2 more=1", "is no state"},
        {"tree=5 types=1,2 moves=L", "is no state"},
        {"tree=-5 moves=L types=1,2", "tree=-5: expected a whole number"},
        {"tree=5 moves=LX types=1,2", "move 2: 'X' is no action; expected L or R"},
        {"tree=5 moves=LLLLLLL types=1,2", "there are more than 6 moves"},
        {"tree=5 moves=L types=1", "expected two, parted by a comma"},
        {"tree=5 moves=L types=1,2,3", "expected two, parted by a comma"},
        {"tree=5 moves=L types=8,2", "type '8': expected 0 to 7, ?, or a cell"},
        {"tree=5 moves=L types=1,-2", "type '-2': expected 0 to 7"},
        {"tree=5 moves=L types=1,?3-6", "type '?3-6'"},
        {"tree=5 moves=L types=1,?4-6", "type '?4-6'"},
        {"tree=5 moves=L types=1,?6-4", "type '?6-4'"},
        {"tree=5 moves=L types=1,?4-9", "type '?4-9'"},
        {"tree=5 moves=L types=1,", "type ''"},
    };
    struct scenario *scenario = support_load("synth"), *fixed = support_load("synth:tree=6");
    support_refuse_states(scenario, cases, sizeof cases / sizeof cases[0]);
    struct err e = {{0}};
    union support_state s = {0};
    assert_false(synth_game.text->read_state(&s, fixed, "tree=5 moves=- types=1,2", &e));
    assert_string_equal(e.text, "tree=5: this game is played on tree 6");
    game_unload(scenario);
    game_unload(fixed);
}

static void states_and_actions_read_back(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"synth", "tree=5 moves=- types=3,?4-7\n"},
        {"synth", "tree=18446744073709551615 moves=LLLLRR types=?2-3,?\n"},
        {"synth:branching=12,depth=3", "tree=1 moves=11.0.10 types=?,?\n"},
        {"synth:branching=3,depth=2", "tree=1 moves=2 types=0,7\n"},
        {"synth:worlds=1", "tree=1 moves=RL types=0,0\n"},
        {"synth:worlds=4096", "tree=1 moves=L types=?2048-4095,?1024-1151\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scenario *scenario = support_load(cases[i].input);
        struct err e = {{0}};
        union support_state s = {0};
        if (!synth_game.text->read_state(&s, scenario, cases[i].expected, &e))
            fail_msg("%s: %s", cases[i].expected, e.text);
        assert_true(synth_game.valid(&s));
        support_expect_text(scenario, &s, cases[i].expected);
        game_unload(scenario);
    }
    struct scenario *scenario = support_load("synth:depth=1");
    struct err e = {{0}};
    union support_state s = {0};
    action a;
    assert_true(synth_game.text->read_state(&s, scenario, " tree=1 moves=R types=0,?4-7 ", &e));
    assert_false(synth_game.text->read_action(&s, "L", &a, &e));
    assert_string_equal(e.text, "'L' is illegal: the game is over");
    assert_string_equal(synth_game.text->result(&s), "unknown");
    synth_game.world(&s, 1);
    assert_non_null(strstr(synth_game.text->result(&s), " of 4"));
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_read_back),
        cmocka_unit_test(options_that_contradict_are_refused),
        cmocka_unit_test(states_that_cannot_be_are_refused),
        cmocka_unit_test(states_and_actions_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
