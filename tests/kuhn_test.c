/* SPDX-License-Identifier: MIT */
#include "game/plain.h"

#include "game_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void read_state(const struct scenario *scenario, const char *text, union support_state *out) {
    struct err e = {{0}};
    memset(out, 0, sizeof *out);
    if (!kuhn_game.text->read_state(out, scenario, text, &e))
        fail_msg("%s: %s", text, e.text);
}

/* How a hand ends: what the first player wins with the higher card and with the lower one. */
struct ending {
    const char *moves;
    int higher, lower;
};

static void hands_end_as_they_should(void **state) {
    (void)state;
    static const struct ending endings[] = {{"pass,pass", 1, -1},
                                            {"pass,bet,pass", -1, -1},
                                            {"pass,bet,bet", 2, -2},
                                            {"bet,pass", 1, 1},
                                            {"bet,bet", 2, -2}};
    static const char cards[] = "JQK";
    struct scenario *scenario = support_load("kuhn");
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        for (int deal = 0; deal < 9; deal++) {
            const int first = deal / 3, second = deal % 3;
            if (first == second)
                continue;
            char text[64];
            union support_state s;
            snprintf(text, sizeof text, "cards=%c,%c moves=%s\n", cards[first], cards[second],
                     endings[i].moves);
            read_state(scenario, text, &s);
            support_expect_text(scenario, &s, text);
            assert_int_equal(kuhn_game.mover(&s), NOBODY);
            const int won = first > second ? endings[i].higher : endings[i].lower;
            const double shown = game_payoff_scaled(scenario, kuhn_game.payoff(&s, 0));
            assert_true(fabs(shown - won) < 1e-12);
            snprintf(text, sizeof text, "%+d chip%s", won, won == 1 || won == -1 ? "" : "s");
            assert_string_equal(kuhn_game.text->result(&s), text);
        }
    game_unload(scenario);
}

static void sides_take_turns(void **state) {
    (void)state;
    static const char *const places[] = {"-", "pass", "bet", "pass,bet"};
    static const int movers[] = {0, 1, 1, 0};
    struct scenario *scenario = support_load("kuhn");
    for (int i = 0; i < 4; i++) {
        char text[64];
        union support_state s;
        action list[2];
        snprintf(text, sizeof text, "cards=Q,? moves=%s", places[i]);
        read_state(scenario, text, &s);
        assert_int_equal(kuhn_game.mover(&s), movers[i]);
        assert_int_equal(kuhn_game.actions(&s, list), 2);
        assert_string_equal(kuhn_game.text->result(&s), "none");
    }
    uint64_t nodes = 0;
    union support_state start;
    read_state(scenario, "cards=J,Q moves=-", &start);
    assert_true(game_perft(&kuhn_game, &start, 2, NULL, &nodes));
    assert_int_equal(nodes, 4);
    assert_true(game_perft(&kuhn_game, &start, 3, NULL, &nodes));
    assert_int_equal(nodes, 2);
    game_unload(scenario);
}

/* A player sees its own card until both are shown; a viewer without a side sees neither card. */
static void cards_are_hidden(void **state) {
    (void)state;
    static const char *const views[][4] = {
        {"cards=J,K moves=bet\n", "cards=?,? moves=bet\n", "cards=J,? moves=bet\n", "cards=?,K moves=bet\n"},
        {"cards=J,K moves=bet,pass\n", "cards=?,? moves=bet,pass\n", "cards=J,? moves=bet,pass\n",
         "cards=?,K moves=bet,pass\n"},
        {"cards=J,K moves=bet,bet\n", "cards=J,K moves=bet,bet\n", "cards=J,K moves=bet,bet\n",
         "cards=J,K moves=bet,bet\n"},
    };
    struct scenario *scenario = support_load("kuhn");
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
        for (int side = NOBODY; side < 2; side++) {
            union support_state s;
            read_state(scenario, views[i][0], &s);
            kuhn_game.hide(&s, side);
            support_expect_text(scenario, &s, views[i][side - NOBODY + 1]);
        }
    game_unload(scenario);
}

/* Six deals, two hands beside a card one holds. */
static void worlds_are_the_possible_deals(void **state) {
    (void)state;
    static const char *const deals[] = {"J,Q", "J,K", "Q,J", "Q,K", "K,J", "K,Q"};
    struct scenario *scenario = support_load("kuhn");
    union support_state view;
    read_state(scenario, "cards=?,? moves=-", &view);
    assert_int_equal((int)kuhn_game.worlds(&view), 6);
    for (uint64_t i = 0; i < 6; i++) {
        union support_state s = view;
        char text[32];
        kuhn_game.world(&s, i);
        snprintf(text, sizeof text, "cards=%s moves=-\n", deals[i]);
        support_expect_text(scenario, &s, text);
    }
    read_state(scenario, "cards=?,Q moves=pass", &view);
    assert_int_equal((int)kuhn_game.worlds(&view), 2);
    kuhn_game.world(&view, 1);
    support_expect_text(scenario, &view, "cards=K,Q moves=pass\n");
    game_unload(scenario);
}

/* Each deal as often as the others; within SUPPORT_ERRORS standard errors. */
static void deals_are_even(void **state) {
    (void)state;
    enum { DEALS = 30000 };
    struct scenario *scenario = support_load("kuhn");
    struct support_mean kings[2] = {{0}}, jack_and_king = {0};
    struct rng r;
    rng_seed(&r, 1);
    for (int i = 0; i < DEALS; i++) {
        union support_state s = {0};
        struct text text = {0};
        kuhn_game.start(&s, scenario, &r);
        kuhn_game.text->write_state(&s, &text);
        support_mean_add(&kings[0], text.data[6] == 'K');
        support_mean_add(&kings[1], text.data[8] == 'K');
        support_mean_add(&jack_and_king, text.data[6] == 'J' && text.data[8] == 'K');
        text_done(&text);
    }
    support_expect_mean("kings of the first", &kings[0], 1.0 / 3);
    support_expect_mean("kings of the second", &kings[1], 1.0 / 3);
    support_expect_mean("jack and king", &jack_and_king, 1.0 / 6);
    game_unload(scenario);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"cards=A,K moves=-", "cards=A,K: expected two of J, Q, K and ?"},
        {"cards=K moves=-", "cards=K: expected two"},
        {"cards=K,K moves=-", "cards=K,K: there is one card of each kind"},
        {"cards=J,K", "is no state; expected cards=… moves=…"},
        {"cards=J,K moves=fold", "move 1: 'fold' is no action; expected pass or bet"},
        {"cards=J,K moves=bet,bet,bet", "move 3: 'bet' is illegal: the game is over"},
    };
    struct scenario *scenario = support_load("kuhn");
    support_refuse_states(scenario, cases, sizeof cases / sizeof cases[0]);
    game_unload(scenario);
}

static void the_laws_hold(void **state) {
    (void)state;
    support_check_laws("kuhn", 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_end_as_they_should),
        cmocka_unit_test(sides_take_turns),
        cmocka_unit_test(cards_are_hidden),
        cmocka_unit_test(worlds_are_the_possible_deals),
        cmocka_unit_test(deals_are_even),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(the_laws_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
