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
        double published, successes;
        int n;
        const char *verdict;
    } shares[] = {
        {50, 50, 100, "inside our interval"},         {41, 50, 100, "inside our interval"},
        {40, 50, 100, "outside our interval"},        {0, 0, 100, "inside our interval"},
        {3.6, 0, 100, "inside our interval"},         {3.8, 0, 100, "outside our interval"},
        {100, 100, 100, "inside our interval"},       {100, 99, 100, "outside our interval"},
        {97, 100, 100, "inside our interval"},        {17, 1, 2, "inside our interval"},
        {REPRO_NONE, 50, 100, "no published figure"},
    };
    memset(&result, 0, sizeof result);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        const struct repro_row *row =
            rows_add_share(&result, "x", shares[i].published, shares[i].successes, shares[i].n);
        assert_string_equal(row->verdict, shares[i].verdict);
        assert_true(row->low <= row->ours && row->ours <= row->high);
        assert_true(repro_is_near(row->ours, 100 * shares[i].successes / shares[i].n, 1e-9));
    }
    const struct cell_sum quick = {.n = 5, .mean = 10, .t95 = {8, 12}}, none = {.n = 5};
    assert_string_equal(rows_add_time(&result, "t", 500, quick)->verdict, "faster (x 50)");
    assert_string_equal(rows_add_time(&result, "t", 2.5, quick)->verdict, "slower (x 4)");
    assert_string_equal(rows_add_time(&result, "t", 2.5, none)->verdict, "too short to measure");
    assert_string_equal(rows_add_time(&result, "t", REPRO_NONE, quick)->verdict, "no published figure");
    assert_string_equal(rows_add_exact(&result, "n", 720, 720)->verdict, "inside our interval");
    assert_string_equal(rows_add_exact(&result, "n", 720, 721)->verdict, "outside our interval");
    assert_string_equal(rows_add_claim(&result, "c", true)->verdict, "holds");
    assert_string_equal(rows_add_claim(&result, "c", false)->verdict, "does not hold");
}

static void summaries_are_complete(void **state) {
    (void)state;
    memset(&result, 0, sizeof result);
    rows_add_finding(&result, true, "finding.one", "one");
    rows_summarize(&result);
    assert_string_equal(result.summary,
                        "The finding holds; the paper gives no figure that could lie in an interval.");
    rows_add_exact(&result, "a", 1, 1);
    rows_add_finding(&result, false, "finding.two", "two");
    rows_summarize(&result);
    assert_string_equal(result.summary,
                        "1 of 2 findings holds; the published figure lies inside our interval.");
    assert_string_equal(result.findings[1].msg.code, "finding.two");
    assert_string_equal(result.sentences[0].msg.code, "summary.some");
    assert_int_equal(result.sentences[0].msg.arg_count, 3);
    assert_string_equal(result.sentences[1].text, "the published figure lies inside our interval");
    assert_string_equal(result.sentences[1].msg.code, "summary.figure_inside");
    assert_string_equal(result.rows[0].msg.code, "verdict.inside");
    rows_add_exact(&result, "b", 1, 2);
    rows_add_exact(&result, "c", 2, 2);
    result.findings[1].holds = true;
    rows_summarize(&result);
    assert_string_equal(result.summary,
                        "All findings hold (2 of 2); 2 of 3 published figures lie inside our intervals.");
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
        cmocka_unit_test(verdicts_follow_the_rules),   cmocka_unit_test(summaries_are_complete),
        cmocka_unit_test(students_t_is_right),         cmocka_unit_test(means_have_their_interval),
        cmocka_unit_test(components_of_a_known_table), cmocka_unit_test(components_obey_their_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
