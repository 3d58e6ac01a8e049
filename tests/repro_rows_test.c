/* SPDX-License-Identifier: MIT
 *
 * Intervals, verdicts and summaries; principal components of tables with known results.
 */
#include "repro/experiments.h"
#include "repro_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct repro_result result; /* large */

/* ---- rows ---- */

static void verdicts_follow_the_rules(void **state) {
    (void)state;
    static const struct {
        struct rows_published published;
        double successes;
        int n;
        enum verdict kind;
        const char *verdict;
    } shares[] = {
        {{100, 100}, 100, 100, VERDICT_AGREES, "agrees (within 10 points)"},
        {{13, 100}, 170, 1000, VERDICT_AGREES, "agrees (within 10 points)"},
        {{69, 100}, 91, 100, VERDICT_DIFFERS, "differs"},
        {{50, 500}, 20, 40, VERDICT_CANNOT_TELL, "cannot tell with 40 trials; 375 could"},
        {{50, 500}, 224, 400, VERDICT_CANNOT_TELL, "cannot tell with 400 trials: between"},
        {{50, 100}, 50, 100, VERDICT_CANNOT_TELL, "cannot tell: the 100 published trials are few"},
        {{REPRO_NONE, 0}, 50, 100, VERDICT_NONE, "no published figure"},
    };
    memset(&result, 0, sizeof result);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        const struct repro_row *row =
            rows_add_share(&result, "x", shares[i].published, shares[i].successes, shares[i].n);
        assert_string_equal(row->verdict, shares[i].verdict);
        assert_int_equal(row->kind, shares[i].kind);
        assert_true(row->low <= row->ours && row->ours <= row->high);
        assert_true(repro_is_near(row->ours, 100 * shares[i].successes / shares[i].n, 1e-9));
    }
    const struct cell_sum quick = {.n = 5, .mean = 10, .error = 9}, none = {.n = 5};
    const struct repro_row *time = rows_add_time(&result, "t", 500, quick);
    assert_string_equal(time->verdict, "faster (x 50)");
    assert_true(time->low > 0 && time->low < 2 && time->high > 19);
    assert_string_equal(rows_add_time(&result, "t", 2.5, quick)->verdict, "slower (x 4)");
    assert_string_equal(rows_add_time(&result, "t", 2.5, none)->verdict, "too short to measure");
    assert_string_equal(rows_add_time(&result, "t", REPRO_NONE, quick)->verdict, "no published figure");
    assert_string_equal(rows_add_exact(&result, "n", 720, 720)->verdict, "as published (no chance in it)");
    assert_string_equal(rows_add_exact(&result, "n", 720, 721)->verdict,
                        "not as published (no chance in it)");
    assert_true(isnan(rows_add_exact(&result, "n", 720, 720)->low));
    assert_string_equal(rows_add_claim(&result, "c", true)->verdict, "holds");
    assert_string_equal(rows_add_claim(&result, "c", false)->verdict, "does not hold");
}

/* Half of the values are 1: the mean's interval stays within what a share can be. */
static void bounded_means_have_bounded_intervals(void **state) {
    (void)state;
    const struct cell_sum high = {.n = 4, .mean = 0.97, .error = 0.1}, few = {.n = 3, .mean = 2, .error = 3};
    memset(&result, 0, sizeof result);
    const struct repro_row *share = rows_add_mean(&result, "s", "%", 100, high, ROWS_UNIT);
    assert_true(share->low > 0 && share->low < 90 && share->high <= 100 && share->high > 97);
    const struct repro_row *attacks = rows_add_mean(&result, "a", "", 1, few, ROWS_NOT_NEGATIVE);
    assert_true(attacks->low > 0 && attacks->high > 10);
    const struct repro_row *any = rows_add_mean(&result, "d", "", 1, few, (struct rows_range){0, 0});
    assert_true(any->low < -10);
}

static void summaries_are_complete(void **state) {
    (void)state;
    static const struct repro_experiment experiment = {.repetitions = 500};
    const struct test shown = {.kind = TEST_GREATER, .p_for = 0.001, .p_against = 0.999};
    result = (struct repro_result){.experiment = &experiment, .repetitions = 500};
    rows_summarize(&result);
    assert_string_equal(result.summary, "nothing published to compare with.");
    rows_add_finding(&result, TESTS(shown), "finding.one", "one");
    rows_add_finding(&result, TESTS(test_claim(true)), "finding.two", "two");
    rows_add_exact(&result, "a", 1, 2);
    rows_summarize(&result);
    assert_string_equal(result.summary, "findings: agrees 1, differs 0, cannot tell 0; without chance: 1 as "
                                        "published, 1 not.");
    rows_add_share(&result, "b", (struct rows_published){69, 100}, 91, 100);
    result.repetitions = 40;
    rows_summarize(&result);
    assert_string_equal(result.sentences[1].text, "published figures: agrees 0, differs 1, cannot tell 0");
    assert_string_equal(result.sentences[1].msg.code, "summary.figures");
    assert_int_equal(result.sentences[1].msg.arg_count, 3);
    assert_string_equal(result.sentences[3].text, "40 of 500 trials");
    result.quick = true;
    rows_summarize(&result);
    assert_string_equal(result.sentences[3].text, "quick, 40 of 500 trials");
    assert_non_null(strstr(result.summary, "; quick, 40 of 500 trials."));
}

/* Welch: variances 4 and 9 over 5 and 10. */
static void independent_means_are_compared(void **state) {
    (void)state;
    const struct cell_sum a = {.n = 5, .mean = 7, .error = sqrt(0.8)},
                          b = {.n = 10, .mean = 4, .error = sqrt(0.9)}, d = rows_difference(a, b),
                          none = rows_difference(a, (struct cell_sum){.n = 1, .mean = 4});
    assert_true(repro_is_near(d.mean, 3, 1e-12) && repro_is_near(d.error, sqrt(1.7), 1e-12));
    assert_int_equal(d.n, 12); /* 2.89 / (0.64 / 4 + 0.81 / 9) = 11.56 */
    assert_int_equal(verdict_of(TESTS(rows_is_above(none, 0)), VERDICT_ALPHA, NULL), VERDICT_CANNOT_TELL);
}

static void students_t_is_right(void **state) {
    (void)state;
    static const struct {
        int degrees;
        double t;
    } known[] = {{1, 12.7062},  {2, 4.30265},  {5, 2.57058},  {10, 2.22814}, {20, 2.08596},
                 {21, 2.07961}, {30, 2.04227}, {60, 2.00030}, {99, 1.98422}, {1000, 1.96234}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(repro_is_near(stats_student(known[i].degrees), known[i].t, 2e-5));
}

static void means_have_their_interval(void **state) {
    (void)state;
    /* Mean 3, standard deviation sqrt(2.5), five values: 3 +- 2.7764 * sqrt(0.5). */
    struct repro_unit units[6] = {{0, 0}, {1, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}};
    struct repro_repetition repetitions[6] = {{.ms = 1}, {.ms = 1000}, {.ms = 2},
                                              {.ms = 3}, {.ms = 4},    {.ms = 5}};
    const struct repro_data data = {.count = 6, .units = units, .results = repetitions};
    const struct cell_sum s = rows_sum(&data, 0, CELL_TIME), single = rows_sum(&data, 1, CELL_TIME);
    assert_int_equal(s.n, 5);
    assert_true(repro_is_near(s.mean, 3, 1e-12));
    assert_true(repro_is_near(s.t95.low, 3 - 2.776445 * sqrt(0.5), 1e-5));
    assert_true(repro_is_near(s.t95.high, 3 + 2.776445 * sqrt(0.5), 1e-5));
    assert_int_equal(single.n, 1);
    assert_true(isinf(single.t95.high));
}

/* ---- principal components ---- */

/* Covariance [[2, 1], [1, 2]] has the values 3 and 1 and the axes (1, 1) and (1, -1). */
static void components_of_a_known_table(void **state) {
    (void)state;
    const double a = sqrt(4.5), b = sqrt(1.5);
    struct pca_table table = {.observations = 4, .variables = 2};
    const double along[4] = {a, -a, 0, 0}, across[4] = {0, 0, b, -b};
    for (int i = 0; i < 4; i++) {
        table.x[i][0] = 10 + (along[i] + across[i]) / sqrt(2);
        table.x[i][1] = -7 + (along[i] - across[i]) / sqrt(2);
    }
    struct pca pca;
    pca_compute(&table, 0, &pca);
    assert_true(repro_is_near(pca.variance[0], 3, 1e-12));
    assert_true(repro_is_near(pca.variance[1], 1, 1e-12));
    assert_true(repro_is_near(pca.share[0], 0.75, 1e-12));
    assert_true(repro_is_near(pca.loading[0][0], sqrt(0.5), 1e-9));
    assert_true(repro_is_near(pca.loading[0][1], sqrt(0.5), 1e-9));
    assert_true(repro_is_near(pca.loading[1][0], sqrt(0.5), 1e-9)); /* the first of equals is positive */
    assert_true(repro_is_near(pca.loading[1][1], -sqrt(0.5), 1e-9));
    assert_true(repro_is_near(pca.score[0][0], a, 1e-9));
    assert_true(repro_is_near(pca.score[3][1], -b, 1e-9));
}

/* Axes are perpendicular and of length one, variances are those of the scores and add up. */
static void components_obey_their_laws(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 11);
    for (int round = 0; round < 20; round++) {
        struct pca_table table = {.observations = 3 + round, .variables = 2 + round % 10};
        if (round == 19) /* the largest table */
            table = (struct pca_table){.observations = PCA_OBSERVATIONS_MAX, .variables = PCA_VARIABLES_MAX};
        struct pca pca;
        for (int i = 0; i < table.observations; i++)
            for (int v = 0; v < table.variables; v++)
                table.x[i][v] = v == 0                     ? i % 2
                                : v == 1 && round % 3 == 0 ? 4 /* a column without variance */
                                                           : (int)rng_below(&r, 2);
        pca_compute(&table, round % 2, &pca);
        double sum = 0;
        for (int a = 0; a < table.variables; a++) {
            double variance = 0;
            for (int i = 0; i < table.observations; i++)
                variance += pca.score[i][a] * pca.score[i][a] / (table.observations - 1);
            assert_true(repro_is_near(variance, pca.variance[a], 1e-9));
            assert_true(a == 0 || pca.variance[a] <= pca.variance[a - 1] + 1e-12);
            sum += pca.share[a];
            for (int b = 0; b < table.variables; b++) {
                double dot = 0;
                for (int v = 0; v < table.variables; v++)
                    dot += pca.loading[a][v] * pca.loading[b][v];
                assert_true(repro_is_near(dot, a == b, 1e-9));
            }
        }
        assert_true(repro_is_near(sum, 1, 1e-9));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_follow_the_rules),
        cmocka_unit_test(summaries_are_complete),
        cmocka_unit_test(bounded_means_have_bounded_intervals),
        cmocka_unit_test(independent_means_are_compared),
        cmocka_unit_test(students_t_is_right),
        cmocka_unit_test(means_have_their_interval),
        cmocka_unit_test(components_of_a_known_table),
        cmocka_unit_test(components_obey_their_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
