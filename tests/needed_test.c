/* SPDX-License-Identifier: MIT
 *
 * The planner: numbers of games computed elsewhere, its inverse, its errors, and whether simulated matches of
 * the planned length find the difference as often as promised.
 */
#include "match/statistics.h"
#include "tests/stats_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void games_match_computed_values(void **state) {
    (void)state;
    static const struct {
        struct needed needed;
        double elo;
        int games;
    } cases[] = {
        {{0, 0.05, 0.95, false}, 20, 3268},   /* 3267.71 */
        {{0, 0.05, 0.95, true}, 20, 3926},    /* 3924.26 */
        {{0.2, 0.05, 0.95, false}, 20, 2614}, /* 2613.08 */
        {{0.5, 0.01, 0.9, false}, 50, 314},   /* 313.95 */
        {{0.4, 0.05, 0.8, true}, 5, 22740},   /* 22739.58 */
        {{0.4, 0.05, 0.8, true}, -5, 22740},  /* the sign does not matter */
        {{0, 0.4, 0.6, false}, 1000, 2},      /* never less than a pair */
        {{0, 0.5, 0.5, false}, 1000, 2},
    };
    struct err e;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int games = 0;
        assert_true(needed_games(&cases[i].needed, cases[i].elo, &games, &e));
        assert_int_equal(games, cases[i].games);
    }
}

static void the_inverse(void **state) {
    (void)state;
    static const double shares[] = {0, 0.2, 0.6};
    struct err e;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        for (int games = 100; games < 1000000; games *= 3) {
            const struct needed needed = {shares[i], 0.05, 0.9, true};
            double elo;
            int back;
            assert_true(needed_elo(&needed, games, &elo, &e));
            assert_true(needed_games(&needed, elo, &back, &e));
            assert_int_equal(back, games + games % 2);
        }
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    const struct needed needed = {0.5, 0.05, 0.95, false};
    struct err e;
    int games;
    double elo;
    assert_false(needed_games(&needed, 0, &games, &e));
    assert_non_null(strstr(e.text, "0 Elo"));
    assert_false(needed_games(&needed, 300, &games, &e));
    assert_non_null(strstr(e.text, "at most 190 Elo"));
    assert_false(needed_games(&needed, 0.001, &games, &e));
    assert_non_null(strstr(e.text, "more than"));
    assert_false(needed_elo(&needed, 2, &elo, &e));
    assert_non_null(strstr(e.text, "2 games"));
}

static void error_bars_before_and_after(void **state) {
    (void)state;
    const struct needed needed = {0, 0.05, 0.95, false};
    const struct pairs p = {{2500, 0, 5000, 0, 2500}, {0}};
    assert_true(fabs(needed_error(&needed, 20000) / elo_estimate(&p).error - 1) < 0.001);
}

/* How often a match of so many games shows that the first player is stronger. */
static double found(double elo, double draws, int games) {
    enum { MATCHES = 3000 };
    struct rng r;
    rng_seed(&r, 77);
    int count = 0;
    for (int i = 0; i < MATCHES; i++) {
        struct pairs p = {0};
        for (int k = 0; k < games; k += 2)
            support_add_pair(&r, elo, 0, draws, &p);
        const double z = (pairs_score(&p) - 0.5) / sqrt(pairs_variance(&p));
        count += z > stats_normal_quantile(0.95);
    }
    return (double)count / MATCHES;
}

static void promises_hold(void **state) {
    (void)state;
    static const double shares[] = {0, 0.3};
    struct err e;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        const struct needed needed = {shares[i], 0.05, 0.9, false};
        int games;
        assert_true(needed_games(&needed, 60, &games, &e));
        const double power = found(60, shares[i], games), mistakes = found(0, shares[i], games);
        print_message("%d games, %g draws: found in %.1f%%, where there is nothing in %.1f%%\n", games,
                      shares[i], 100 * power, 100 * mistakes);
        assert_true(power > 0.88 && power < 0.925);
        assert_true(mistakes > 0.035 && mistakes < 0.065);
    }
}

/* Symmetric errors: both ends cost the same, the middle more; draws make all shorter. */
static void sequential_numbers(void **state) {
    (void)state;
    const struct needed plain = {0, 0.05, 0.95, false}, drawn = {0.4, 0.05, 0.95, false};
    const struct needed_sequential a = needed_sequential(&plain, 20), b = needed_sequential(&drawn, 20);
    /* 0.9 ln 19 standard steps, each (0.02875 / 0.5)^2 / 2 long; the variance is taken halfway. */
    assert_true(fabs(a.if_none - 0.9 * log(19) / (0.028750564 * 0.028750564 / 2 / 0.249793)) < 1);
    assert_true(fabs(a.if_none - a.if_there) < 1e-6);
    assert_true(fabs(a.halfway / a.if_none - log(19) / 0.9 / 2) < 1e-9);
    assert_true(fabs(b.halfway / a.halfway - 0.6) < 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_match_computed_values),
        cmocka_unit_test(the_inverse),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(error_bars_before_and_after),
        cmocka_unit_test(promises_hold),
        cmocka_unit_test(sequential_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
