/* SPDX-License-Identifier: MIT */
#include "game/plain.h"

#include "game_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* A state and what is then won. */
struct end_case {
    const char *state, *result;
    double shown;
};

static void both_worlds_pay_as_in_the_figure(void **state) {
    (void)state;
    static const struct end_case cases[] = {
        {"world=x moves=a1,a3", "-1", -1}, {"world=x moves=a1,a4", "+1", 1},
        {"world=y moves=a1,a3", "+1", 1},  {"world=y moves=a1,a4", "-1", -1},
        {"world=x moves=a2", "+0.5", 0.5}, {"world=y moves=a2", "+0.5", 0.5},
    };
    struct scenario *scenario = support_load("fusion");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        union support_state s = {0};
        struct err e = {{0}};
        assert_true(fusion_game.text->read_state(&s, scenario, cases[i].state, &e));
        assert_int_equal(fusion_game.mover(&s), NOBODY);
        assert_string_equal(fusion_game.text->result(&s), cases[i].result);
        const double shown = game_payoff_scaled(scenario, fusion_game.payoff(&s, 0));
        assert_false(shown < cases[i].shown || shown > cases[i].shown);
    }
    game_unload(scenario);
}

/* Knowing the world, a1 is worth 1 (the better of a3 and a4 in each); not knowing it, 0. */
static void a1_is_good_only_for_who_knows(void **state) {
    (void)state;
    struct scenario *scenario = support_load("fusion");
    struct rng r = {{0}};
    union support_state view = {0};
    struct err e = {{0}};
    double best_known = 0, means[2] = {0, 0};
    assert_true(fusion_game.text->read_state(&view, scenario, "world=? moves=-", &e));
    assert_int_equal((int)fusion_game.worlds(&view), 2);
    for (uint64_t world = 0; world < 2; world++) {
        double best = -1;
        for (int i = 0; i < 2; i++) {
            union support_state s = view;
            action list[2];
            fusion_game.world(&s, world);
            fusion_game.play(&s, 1, &r);
            assert_int_equal(fusion_game.mover(&s), 0);
            assert_int_equal(fusion_game.actions(&s, list), 2);
            fusion_game.play(&s, list[i], &r);
            const double shown = game_payoff_scaled(scenario, fusion_game.payoff(&s, 0));
            best = shown > best ? shown : best;
            means[i] += shown / 2;
        }
        best_known += best / 2;
    }
    assert_true(best_known > 0.999);
    assert_true(means[0] > -1e-9 && means[0] < 1e-9);
    assert_true(means[1] > -1e-9 && means[1] < 1e-9);
    game_unload(scenario);
}

static void no_player_sees_the_world(void **state) {
    (void)state;
    struct scenario *scenario = support_load("fusion");
    for (int side = NOBODY; side < 2; side++) {
        union support_state s = {0};
        struct err e = {{0}};
        assert_true(fusion_game.text->read_state(&s, scenario, "world=y moves=a1\n", &e));
        fusion_game.hide(&s, side);
        support_expect_text(scenario, &s, "world=? moves=a1\n");
    }
    game_unload(scenario);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    static const struct support_case cases[] = {
        {"world=z moves=-", "world=z is unknown; expected x, y or ?"},
        {"world= moves=-", "world= is unknown"},
        {"moves=-", "is no state; expected world=… moves=…"},
        {"world=x moves=a3", "move 1: 'a3' is illegal here; expected a1 or a2"},
        {"world=x moves=a1,a2", "move 2: 'a2' is illegal here; expected a3 or a4"},
        {"world=x moves=a2,a3", "move 2: 'a3' is illegal: the game is over"},
        {"world=x moves=b1", "move 1: 'b1' is no action; expected a1, a2, a3 or a4"},
    };
    struct scenario *scenario = support_load("fusion");
    support_refuse_states(scenario, cases, sizeof cases / sizeof cases[0]);
    game_unload(scenario);
    struct err e = {{0}};
    assert_null(game_load_spec("fusion:worlds=3", &e));
    assert_non_null(strstr(e.text, "has no options"));
}

static void the_laws_hold(void **state) {
    (void)state;
    support_check_laws("fusion", 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_worlds_pay_as_in_the_figure),
        cmocka_unit_test(a1_is_good_only_for_who_knows),
        cmocka_unit_test(no_player_sees_the_world),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(the_laws_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
