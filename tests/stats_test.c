/* SPDX-License-Identifier: MIT
 *
 * Counting results, and Wilson's interval against values computed elsewhere and against its own definition.
 */
#include "match/statistics.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-12;
}

static void tallies_count(void **state) {
    (void)state;
    static const struct {
        struct tally tally;
        int games;
        double score;
    } cases[] = {
        {{0, 0, 0}, 0, 0.5},       {{1, 0, 0}, 1, 1},
        {{0, 1, 0}, 1, 0.5},       {{0, 0, 1}, 1, 0},
        {{3, 2, 5}, 10, 4 / 10.0}, {{2, 1, 0}, 3, 2.5 / 3},
        {{0, 7, 0}, 7, 0.5},       {{1000000, 0, 3000000}, 4000000, 0.25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(tally_games(&cases[i].tally), cases[i].games);
        assert_true(is_near(tally_score(&cases[i].tally), cases[i].score));
    }
}

/* The right-hand sides were computed with 40 decimal digits. */
static void wilson_matches_computed_values(void **state) {
    (void)state;
    static const struct {
        double p;
        int n;
        double z, low, high;
    } cases[] = {
        {0.7, 10, 1.96, 0.396773219979565, 0.892210712513788},
        {0.5, 1, STATS_Z95, 0.054620755528851, 0.945379244471148},
        {0.5, 100, STATS_Z95, 0.403831530365995, 0.596168469634004},
        {0.25, 2, 1, 0.069810194985968, 0.596856471680698},
        {0.625, 8, 1.6448536269514722, 0.347991438404732, 0.838827662239326},
        {0.01, 1000, 2.5758293035489, 0.004530055521673, 0.021929286083665},
        {0.999, 1000, 3, 0.989189797027861, 0.999908319919611},
        {0.53, 100000, 1.96, 0.526905457947172, 0.533092237181371},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct interval w = stats_wilson(cases[i].p, cases[i].n, cases[i].z);
        assert_true(is_near(w.low, cases[i].low));
        assert_true(is_near(w.high, cases[i].high));
    }
}

/* Its limits are the x at which an observation of p lies exactly z standard errors away. */
static void wilson_solves_its_equation(void **state) {
    (void)state;
    for (int n = 1; n <= 60; n++) {
        for (int halves = 0; halves <= 2 * n; halves++) {
            const double p = halves / (2.0 * n);
            const struct interval w = stats_wilson(p, n, 1.5);
            assert_true(w.low >= 0 && w.low <= p && p <= w.high && w.high <= 1);
            assert_true(is_near(p - w.low, 1.5 * sqrt(w.low * (1 - w.low) / n)) || w.low < 1e-12);
            assert_true(is_near(w.high - p, 1.5 * sqrt(w.high * (1 - w.high) / n)) || w.high > 1 - 1e-12);
        }
    }
}

static void wilson_at_its_limits(void **state) {
    (void)state;
    const struct interval nothing = stats_wilson(0.5, 0, STATS_Z95), lost = stats_wilson(0, 10, 1.96),
                          won = stats_wilson(1, 10, 1.96), point = stats_wilson(0.3, 10, 0);
    assert_true(nothing.low <= 0 && nothing.low >= 0 && nothing.high <= 1 && nothing.high >= 1);
    assert_true(lost.low >= 0 && lost.low < 1e-15 && is_near(lost.high, 0.277540168766616));
    assert_true(won.high <= 1 && won.high > 1 - 1e-15 && is_near(won.low, 0.722459831233383));
    assert_true(is_near(point.low, 0.3) && is_near(point.high, 0.3));
    const struct interval many = stats_wilson(0.5, INT_MAX, STATS_Z95); /* no intermediate value overflows */
    assert_true(is_near(many.low + many.high, 1) && many.high - 0.5 > 2.1e-5 && many.high - 0.5 < 2.2e-5);
}

static void more_games_and_less_certainty_narrow_it(void **state) {
    (void)state;
    double width = 1;
    for (int n = 2; n <= 4096; n *= 2) {
        const struct interval w = stats_wilson(0.5, n, 1.96), narrower = stats_wilson(0.5, n, 1.9);
        assert_true(w.high - w.low < width);
        assert_true(narrower.high - narrower.low < w.high - w.low);
        width = w.high - w.low;
    }
}

static void payoffs_become_counts(void **state) {
    (void)state;
    struct tally t = {0};
    static const double payoffs[] = {1, 0, 0.5, 0.5, 1, 1, 0.75};
    for (size_t i = 0; i < sizeof payoffs / sizeof payoffs[0]; i++)
        tally_add(&t, payoffs[i]);
    assert_int_equal(t.wins, 4);
    assert_int_equal(t.draws, 2);
    assert_int_equal(t.losses, 1);
}

/* From printed tables of the normal distribution, with more digits. */
static void normal_distribution(void **state) {
    (void)state;
    static const struct {
        double z, p;
    } cases[] = {
        {0, 0.5},
        {1, 0.841344746068543},
        {-3, 0.00134989803163009},
        {1.6448536269514722, 0.95},
        {STATS_Z95, 0.975},
        {2.3263478740408408, 0.99},
        {-6.361340902404056, 1e-10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(is_near(stats_normal(cases[i].z), cases[i].p));
        assert_true(fabs(stats_normal_quantile(cases[i].p) - cases[i].z) < 1e-9);
    }
}

static void superiority_is_never_certain(void **state) {
    (void)state;
    assert_true(is_near(stats_superiority(0, 10), 0.5));
    assert_true(is_near(stats_superiority(STATS_Z95, 1), 0.975));
    assert_true(is_near(stats_superiority(0, 0), 0.5));
    static const double extremes[][2] = {{1000, 1}, {-1000, 1}, {1, 0}, {-1, 0}, {1e300, 1e-300}};
    for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
        const double p = stats_superiority(extremes[i][0], extremes[i][1]);
        assert_true(p > 0 && p < 1);
        assert_true((p > 0.5) == (extremes[i][0] > 0));
    }
}

/* The probability that Student's t lies within +-x, by Simpson's rule. */
static double student_within(double x, int degrees) {
    enum { STEPS = 20000 };
    const double v = degrees;
    const double scale = exp(lgamma((v + 1) / 2) - lgamma(v / 2)) / sqrt(v * acos(-1));
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double t = x * i / STEPS, density = pow(1 + t * t / v, -(v + 1) / 2);
        sum += density * (i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2);
    }
    return 2 * scale * sum * x / STEPS / 3;
}

/* The first are a table, the others an approximation. */
static void student_leaves_out_a_twentieth(void **state) {
    (void)state;
    for (int degrees = 1; degrees <= 20; degrees++)
        assert_true(fabs(student_within(stats_student(degrees), degrees) - 0.95) < 1e-9);
    static const int more[] = {21, 22, 30, 60, 120, 1000};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(student_within(stats_student(more[i]), more[i]) - 0.95) < 2e-6);
    assert_true(is_near(stats_student(21), 2.0796054847205645)); /* its terms, with more digits */
    assert_true(is_near(stats_student(30), 2.0422704628889576));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tallies_count),
        cmocka_unit_test(wilson_matches_computed_values),
        cmocka_unit_test(wilson_solves_its_equation),
        cmocka_unit_test(wilson_at_its_limits),
        cmocka_unit_test(more_games_and_less_certainty_narrow_it),
        cmocka_unit_test(payoffs_become_counts),
        cmocka_unit_test(normal_distribution),
        cmocka_unit_test(superiority_is_never_certain),
        cmocka_unit_test(student_leaves_out_a_twentieth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
