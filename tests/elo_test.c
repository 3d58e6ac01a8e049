/* SPDX-License-Identifier: MIT
 *
 * Scores and Elo differences against closed forms; error bars by hand at a few points, and over simulated
 * matches: they must contain the true difference at their nominal rate.
 */
#include "match/statistics.h"
#include "tests/stats_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static bool is_near(double a, double b, double tolerance) {
    return fabs(a - b) < tolerance;
}

static void the_curve(void **state) {
    (void)state;
    assert_true(is_near(elo_to_score(0), 0.5, 1e-15));
    assert_true(is_near(elo_to_score(400), 10 / 11.0, 1e-14));
    assert_true(is_near(elo_to_score(-800), 1 / 101.0, 1e-14));
    assert_true(is_near(elo_from_score(0.75), 190.8485018878649, 1e-9));
    assert_true(is_near(elo_from_score(0.64), 99.95098928663995, 1e-9));
    for (double score = 0.01; score < 0.995; score += 0.01) {
        assert_true(is_near(elo_from_score(score), -400 * log10(1 / score - 1), 1e-9));
        assert_true(is_near(elo_to_score(elo_from_score(score)), score, 1e-14));
    }
}

static void differences_are_the_curve_s(void **state) {
    (void)state;
    const struct pairs p = {{2, 3, 5, 4, 6}, {1, 0, 2}};
    const struct elo_estimate e = elo_estimate(&p);
    const double score = (3 * 0.5 + 5 + 4 * 1.5 + 6 * 2 + 2) / 43;
    assert_true(is_near(pairs_score(&p), score, 1e-14));
    assert_true(is_near(e.elo, -400 * log10(1 / score - 1), 1e-9));
}

static void errors_by_hand(void **state) {
    (void)state;
    const struct pairs even = {{10, 20, 40, 20, 10}, {0}}, won = {{0, 0, 0, 0, 3}, {0}};
    assert_true(is_near(elo_estimate(&even).elo, 0, 1e-9));
    assert_true(is_near(elo_estimate(&even).error, 38.056775482746, 1e-6));
    assert_true(is_near(elo_estimate(&even).superiority, 0.5, 1e-12));
    assert_true(is_near(elo_estimate(&won).elo, 544.691134407037, 1e-6));
    assert_true(is_near(elo_estimate(&won).error, 703.041982548603, 1e-6));
    /* Six wins: the familiar (wins - losses) / sqrt(wins + losses) = sqrt 6 standard errors. */
    assert_true(is_near(elo_estimate(&won).superiority, stats_normal(sqrt(6)), 1e-12));
}

static void everything_is_finite(void **state) {
    (void)state;
    static const int numbers[] = {0, 1, 2, 7, 1000, 50000000};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        for (int outcome = 0; outcome < PAIRS_SCORES + PAIRS_SINGLE_SCORES; outcome++) {
            struct pairs p = {0};
            if (outcome < PAIRS_SCORES)
                p.counts[outcome] = numbers[i];
            else
                p.singles[outcome - PAIRS_SCORES] = numbers[i];
            const struct elo_estimate e = elo_estimate(&p);
            assert_true(isfinite(e.elo) && isfinite(e.error) && e.error > 0);
            assert_true(e.superiority > 0 && e.superiority < 1);
        }
}

/* A longer match without a loss gives the stronger evidence, and both sides see the same evidence. */
static void clean_scores_grow(void **state) {
    (void)state;
    double before = 0, low_before = -10000;
    for (int n = 1; n <= 1024; n *= 2) {
        const struct pairs won = {{0, 0, 0, 0, n}, {0}}, lost = {{n, 0, 0, 0, 0}, {0}};
        const struct elo_estimate e = elo_estimate(&won), mirror = elo_estimate(&lost);
        assert_true(e.elo > before && e.elo - e.error > low_before);
        assert_true(is_near(e.elo, -mirror.elo, 1e-9) && is_near(e.error, mirror.error, 1e-9));
        assert_true(is_near(e.superiority, 1 - mirror.superiority, 1e-12));
        before = e.elo;
        low_before = e.elo - e.error;
    }
    const struct pairs two_of_three = {{0, 0, 0, 0, 2}, {0}}, and_a_draw = {{0, 0, 0, 1, 2}, {0}};
    assert_true(elo_estimate(&and_a_draw).elo < elo_estimate(&two_of_three).elo + 200);
}

static void draws_and_unbalanced_maps_narrow_the_error(void **state) {
    (void)state;
    const struct pairs decided = {{25, 0, 50, 0, 25}, {0}}, drawn = {{5, 20, 50, 20, 5}, {0}},
                       unbalanced = {{3, 0, 94, 0, 3}, {0}};
    assert_true(elo_estimate(&drawn).error < 0.8 * elo_estimate(&decided).error);
    assert_true(elo_estimate(&unbalanced).error < 0.5 * elo_estimate(&decided).error);
}

/* The truth is the difference that the expected score stands for. Counts are coarse in short matches, so that
 * coverage jumps from case to case: they are taken together. */
static void errors_hold_the_truth(void **state) {
    (void)state;
    static const int lengths[] = {5, 20, 100, 500};
    static const double strengths[] = {0, 70, 150, 250}, sides[] = {0, 200}, shares[] = {0, 0.3};
    enum { MATCHES = 120 };
    struct rng r;
    rng_seed(&r, 2024);
    for (size_t length = 0; length < 4; length++) {
        int held = 0, all = 0;
        for (int kind = 0; kind < 16 * MATCHES; kind++) {
            const double elo = strengths[kind % 4], side = sides[kind / 4 % 2], draws = shares[kind / 8 % 2];
            const double as_red = elo_to_score(elo + side), as_blue = elo_to_score(elo - side);
            struct pairs p = {0};
            for (int i = 0; i < lengths[length]; i++)
                support_add_pair(&r, elo, side, draws, &p);
            const struct elo_estimate e = elo_estimate(&p);
            held += fabs(e.elo - elo_from_score((as_red + as_blue) / 2)) <= e.error;
            all++;
        }
        print_message("%3d pairs: %.1f%% of the intervals hold the truth\n", lengths[length],
                      100.0 * held / all);
        assert_true(held >= 0.94 * all && held <= 0.995 * all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve),
        cmocka_unit_test(differences_are_the_curve_s),
        cmocka_unit_test(errors_by_hand),
        cmocka_unit_test(everything_is_finite),
        cmocka_unit_test(clean_scores_grow),
        cmocka_unit_test(draws_and_unbalanced_maps_narrow_the_error),
        cmocka_unit_test(errors_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
