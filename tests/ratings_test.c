/* SPDX-License-Identifier: MIT
 *
 * The statistics of ratings: published examples, hand calculations, and what intervals cover.
 */
#include "study/ratings.h"

#include "base/numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct ratings_scale five = {1, 5};

static void assert_near(double got, double wanted, double tolerance) {
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%.9g, expected %.9g", got, wanted);
}

/* ---- means ---- */

static void means_stay_within_the_scale(void **state) {
    (void)state;
    const double equal[] = {5, 5, 5, 5, 5}, mixed[] = {1, 2, 4, 4, 5}, halves[] = {1.5, 2.5};
    struct ratings_mean mean = ratings_mean(five, equal, 5);
    assert_int_equal(mean.count, 5);
    assert_near(mean.mean, 5, 0);
    assert_near(mean.interval.high, 5, 0);
    assert_true(mean.interval.low > 2.5 && mean.interval.low < 4); /* five equal ratings are no certainty */
    mean = ratings_mean(five, mixed, 5);
    assert_near(mean.mean, 3.2, 1e-12);
    /* 1 1 2 4 4 5 5: mean 22/7, variance 22/7, error 0.6701, t(6) 2.4469 */
    assert_near(mean.interval.low, 22.0 / 7 - 2.4469 * 0.67006, 2e-3);
    assert_near(mean.interval.high, 22.0 / 7 + 2.4469 * 0.67006, 2e-3);
    assert_near(ratings_mean(five, halves, 2).mean, 2, 1e-12);
    mean = ratings_mean(five, NULL, 0);
    assert_true(isnan(mean.mean));
    assert_near(mean.interval.low, 1, 0);
    assert_near(mean.interval.high, 5, 0);
}

/* A rating drawn with these weights. */
static int draw(struct rng *r, const double weights[5]) {
    double left = rng_unit(r);
    int value = 1;
    while (value < 5 && (left -= weights[value - 1]) >= 0)
        value++;
    return value;
}

/* How often the interval holds the true mean, for few raters and lopsided tastes. */
static void means_cover_what_they_promise(void **state) {
    (void)state;
    static const double tastes[][5] = {{0.2, 0.2, 0.2, 0.2, 0.2},
                                       {0.05, 0.1, 0.2, 0.35, 0.3},
                                       {0, 0, 0.05, 0.25, 0.7},
                                       {0.6, 0.3, 0.1, 0, 0},
                                       {0.4, 0.1, 0, 0.1, 0.4}};
    static const int counts[] = {5, 10, 20};
    for (size_t t = 0; t < sizeof tastes / sizeof *tastes; t++)
        for (size_t c = 0; c < 3; c++) {
            double mean = 0, values[20];
            int held = 0;
            struct rng r;
            rng_seed_stream(&r, 3, t * 3 + c);
            for (int i = 0; i < 5; i++)
                mean += (i + 1) * tastes[t][i];
            for (int trial = 0; trial < 2000; trial++) {
                for (int i = 0; i < counts[c]; i++)
                    values[i] = draw(&r, tastes[t]);
                const struct interval interval = ratings_mean(five, values, counts[c]).interval;
                held += interval.low <= mean && mean <= interval.high;
            }
            if (held < 2000 * 0.93)
                fail_msg("taste %zu, %d raters: %.1f %%", t, counts[c], held / 20.0);
        }
}

/* ---- rank correlations ---- */

static void correlations_of_ranks(void **state) {
    (void)state;
    /* IQ and hours of television, the example of Spearman's rho in many textbooks: -29/165. */
    const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    const double hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    assert_near(ratings_spearman(iq, hours, 10).value, -29.0 / 165, 1e-12);
    const double a[] = {1, 2, 3, 4}, b[] = {1, 3, 2, 4}, tied[] = {1, 1, 2, 2}, same[] = {3, 3, 3, 3};
    assert_near(ratings_kendall(a, b, 4).value, 4.0 / 6, 1e-12);
    assert_near(ratings_kendall(a, tied, 4).value, 4 / sqrt(6.0 * 4), 1e-12);
    assert_near(ratings_spearman(a, tied, 4).value, 2 / sqrt(5), 1e-12);
    assert_true(isnan(ratings_spearman(a, same, 4).value));
    assert_true(isnan(ratings_kendall(a, same, 4).value));
    assert_true(isnan(ratings_spearman(a, b, 2).value));
    assert_true(isnan(ratings_kendall(a, b, 2).value));
}

static void correlations_have_intervals(void **state) {
    (void)state;
    double x[12], y[12];
    for (int i = 0; i < 12; i++) {
        x[i] = i;
        y[i] = i * i;
    }
    struct ratings_correlation c = ratings_spearman(x, y, 12);
    assert_near(c.value, 1, 1e-12);
    assert_near(c.interval.high, 1, 1e-12);
    assert_true(c.interval.low > 0.8 && c.interval.low < 1);
    assert_true(ratings_spearman(x, y, 4).interval.low < 0.3); /* four maps show little */
    const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    const double hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    const double rho = -29.0 / 165, reach = 1.959964 * sqrt((1 + rho * rho / 2) / 7);
    c = ratings_spearman(iq, hours, 10);
    assert_near(c.interval.low, tanh(atanh(rho) - reach), 1e-6);
    assert_near(c.interval.high, tanh(atanh(rho) + reach), 1e-6);
    c = ratings_kendall(x, y, 4);
    assert_near(c.interval.low, -1, 0); /* nothing can be said */
    y[11] = -5;
    c = ratings_kendall(x, y, 12);
    assert_near(c.value, 44.0 / 66, 1e-12);
    assert_near(c.interval.low, tanh(atanh(44.0 / 66) - 1.959964 * sqrt(0.437 / 8)), 1e-6);
    assert_near(c.interval.high, tanh(atanh(44.0 / 66) + 1.959964 * sqrt(0.437 / 8)), 1e-6);
}

/* ---- agreement ---- */

/* Krippendorff 2011, section D: four observers, twelve units, missing values. */
static const int published[4][12] = {{1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0},
                                     {1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3},
                                     {0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0},
                                     {1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0}};

static void alpha_of_the_published_example(void **state) {
    (void)state;
    const struct ratings_table table = {five, 4, 12, &published[0][0]};
    const struct ratings_alpha alpha = ratings_alpha(&table, 1);
    assert_near(alpha.value, 0.815, 0.0005);
    assert_int_equal(alpha.pairable, 40);
    assert_true(alpha.interval.low > 0.4 && alpha.interval.low < 0.75);
    assert_true(alpha.interval.high > 0.85 && alpha.interval.high <= 1);
    const struct ratings_alpha again = ratings_alpha(&table, 1), other = ratings_alpha(&table, 2);
    assert_memory_equal(&alpha, &again, sizeof alpha);
    assert_true(memcmp(&alpha.interval, &other.interval, sizeof alpha.interval) != 0);
}

static void alpha_of_extremes(void **state) {
    (void)state;
    const int agree[] = {1, 3, 5, 1, 3, 5}, equal[] = {4, 4, 4, 4, 4, 4}, alone[] = {1, 0, 0, 0, 2, 0};
    const int against[] = {1, 5, 5, 1}; /* two raters, two units, the opposite: worse than chance */
    assert_near(ratings_alpha(&(struct ratings_table){five, 2, 3, agree}, 1).value, 1, 1e-12);
    assert_true(isnan(ratings_alpha(&(struct ratings_table){five, 2, 3, equal}, 1).value));
    assert_true(isnan(ratings_alpha(&(struct ratings_table){five, 2, 3, alone}, 1).value));
    assert_true(ratings_alpha(&(struct ratings_table){five, 2, 2, against}, 1).value < 0);
    assert_true(isnan(ratings_alpha(&(struct ratings_table){five, 0, 3, agree}, 1).value));
}

static void concordance_of_ranks(void **state) {
    (void)state;
    const int same[] = {1, 2, 4, 5, 1, 3, 4, 5, 2, 3, 4, 5};
    const int opposite[] = {1, 2, 3, 3, 2, 1}, equal[] = {2, 2, 2, 2, 2, 2};
    struct ratings_concordance w = ratings_concordance(&(struct ratings_table){five, 3, 4, same});
    assert_near(w.value, 1, 1e-12);
    assert_near(w.chi_squared, 9, 1e-12);
    assert_int_equal(w.raters, 3);
    w = ratings_concordance(&(struct ratings_table){five, 2, 3, opposite});
    assert_near(w.value, 0, 1e-12);
    assert_true(isnan(ratings_concordance(&(struct ratings_table){five, 2, 3, equal}).value));
    /* Ties and a rater who left one out: ranks 1.5 1.5 3 4 and 1 2 3.5 3.5 of the complete ones;
     * S = 25.5, W = 12 * 25.5 / (4 * 60 - 2 * 12) */
    const int tied[] = {1, 1, 2, 4, 1, 2, 5, 5, 0, 1, 2, 3};
    w = ratings_concordance(&(struct ratings_table){five, 3, 4, tied});
    assert_int_equal(w.raters, 2);
    const double sums[] = {2.5, 3.5, 6.5, 7.5};
    double spread = 0;
    for (int i = 0; i < 4; i++)
        spread += (sums[i] - 5) * (sums[i] - 5);
    assert_near(w.value, 12 * spread / (4 * 60 - 2 * 12), 1e-12);
}

/* ---- the fit ---- */

static void a_fit_finds_the_weights(void **state) {
    (void)state;
    enum { ROWS = 40 };
    double x[ROWS * 3], y[ROWS], noise[ROWS];
    struct ratings_fit fit;
    struct err e;
    struct rng r;
    rng_seed(&r, 7);
    for (int i = 0; i < ROWS; i++) {
        x[3 * i] = rng_unit(&r);
        x[3 * i + 1] = rng_unit(&r);
        x[3 * i + 2] = 0.5; /* constant */
        y[i] = 1.5 + 2 * x[3 * i] - 0.8 * x[3 * i + 1];
        noise[i] = 5 * rng_unit(&r);
    }
    assert_true(ratings_fit(x, y, ROWS, 3, &fit, &e));
    assert_near(fit.weights[0], 2, 0.05);
    assert_near(fit.weights[1], -0.8, 0.05);
    assert_near(fit.weights[2], 0, 0);
    assert_near(fit.base, 1.5, 0.05);
    assert_true(fit.error < 0.05 && fit.error_mean > 0.4);
    assert_true(fit.standardized[0] > -fit.standardized[1]);
    assert_true(ratings_fit(x, noise, ROWS, 3, &fit, &e));
    assert_true(fit.error > 0.95 * fit.error_mean); /* nothing to find: the honest error shows it */
    assert_true(fit.penalty >= 1);
}

/* The plain formula for one feature, without the rows a and b (-1: none): the value that it predicts at x. */
static double predict(const double *x, const double *y, int a, int b, double penalty, double at) {
    double n = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (int i = 0; i < 6; i++)
        if (i != a && i != b) {
            n++;
            mean_x += x[i];
            mean_y += y[i];
        }
    mean_x /= n;
    mean_y /= n;
    for (int i = 0; i < 6; i++)
        if (i != a && i != b) {
            xx += (x[i] - mean_x) * (x[i] - mean_x);
            xy += (x[i] - mean_x) * (y[i] - mean_y);
        }
    return mean_y + xy / (xx * (1 + penalty)) * (at - mean_x);
}

/* The error comes from rows that neither the fit nor the choice of the penalty has seen. */
static void the_error_of_a_fit_is_honest(void **state) {
    (void)state;
    static const double penalties[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100};
    const double x[] = {0, 1, 2, 3, 4, 9}, y[] = {1, 2.5, 2, 4.5, 3, 1.5};
    struct ratings_fit fit;
    struct err e;
    double error = 0, error_mean = 0;
    for (int out = 0; out < 6; out++) {
        double best = 0, least = (double)INFINITY;
        for (int p = 0; p < 9; p++) {
            double sum = 0;
            for (int i = 0; i < 6; i++)
                if (i != out)
                    sum += pow(predict(x, y, out, i, penalties[p], x[i]) - y[i], 2);
            best = sum < least ? penalties[p] : best;
            least = fmin(sum, least);
        }
        error += pow(predict(x, y, out, -1, best, x[out]) - y[out], 2) / 6;
        error_mean += pow((14.5 - y[out]) / 5 - y[out], 2) / 6;
    }
    assert_true(ratings_fit(x, y, 6, 1, &fit, &e));
    assert_near(fit.error, sqrt(error), 1e-9);
    assert_near(fit.error_mean, sqrt(error_mean), 1e-9);
    assert_near(fit.base + fit.weights[0] * 4, predict(x, y, -1, -1, fit.penalty, 4), 1e-9);
}

static void a_fit_needs_something(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 2, 3, 4, 5}, same[] = {2, 2, 2, 2, 2};
    struct ratings_fit fit;
    struct err e;
    assert_false(ratings_fit(x, y, 3, 1, &fit, &e));
    assert_non_null(strstr(e.text, "3 observations are too few to fit; at least 4"));
    assert_false(ratings_fit(x, same, 5, 1, &fit, &e));
    assert_non_null(strstr(e.text, "all values are equal"));
    assert_false(ratings_fit(same, y, 5, 1, &fit, &e));
    assert_non_null(strstr(e.text, "all features are equal"));
    assert_true(ratings_fit(x, y, 5, 1, &fit, &e));
    assert_near(fit.base + fit.weights[0] * 2, 3, 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_stay_within_the_scale),    cmocka_unit_test(means_cover_what_they_promise),
        cmocka_unit_test(correlations_of_ranks),          cmocka_unit_test(correlations_have_intervals),
        cmocka_unit_test(alpha_of_the_published_example), cmocka_unit_test(alpha_of_extremes),
        cmocka_unit_test(concordance_of_ranks),           cmocka_unit_test(a_fit_finds_the_weights),
        cmocka_unit_test(the_error_of_a_fit_is_honest),   cmocka_unit_test(a_fit_needs_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
