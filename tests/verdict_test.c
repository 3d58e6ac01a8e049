/* SPDX-License-Identifier: MIT
 *
 * Distributions, intervals and tests against known values; the rules of verdicts; and how often the verdicts
 * of the published experiments are wrong, by simulation with the experiments' own sums.
 */
#include "match/verdict.h"

#include "base/mem.h"
#include "game/game.h"
#include "repro/experiments.h"
#include "repro_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- known values ---- */

static void students_tail_is_right(void **state) {
    (void)state;
    static const struct {
        double t;
        int degrees;
        double p;
    } known[] = {{12.706205, 1, 0.025}, {4.302653, 2, 0.025}, {3.182446, 3, 0.025},  {2.776445, 4, 0.025},
                 {2.015048, 5, 0.05},   {1.812461, 10, 0.05}, {2.845340, 20, 0.005}, {1.660234, 100, 0.05},
                 {0, 7, 0.5},           {-2.015048, 5, 0.95}, {1.644854, 5000, 0.05}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(repro_is_near(student_tail(known[i].t, known[i].degrees), known[i].p, 1e-6));
    for (int degrees = 1; degrees < 100; degrees++)
        assert_true(repro_is_near(student_tail(stats_student(degrees), degrees), 0.025, 1e-6));
}

/* Newcombe's own examples, table II of the paper, method 10. */
static void differences_of_shares_are_newcombes(void **state) {
    (void)state;
    static const struct {
        struct proportion a, b;
        double low, high;
    } known[] = {{{56, 70}, {48, 80}, 0.0524, 0.3339}, {{9, 10}, {3, 10}, 0.1705, 0.8090},
                 {{6, 7}, {2, 7}, 0.0582, 0.8062},     {{5, 56}, {0, 29}, -0.0381, 0.1926},
                 {{0, 10}, {0, 20}, -0.1611, 0.2775},  {{10, 10}, {0, 10}, 0.6075, 1}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct interval d = shares_difference(known[i].a, known[i].b, STATS_Z95);
        assert_true(repro_is_near(d.low, known[i].low, 1e-4));
        assert_true(repro_is_near(d.high, known[i].high, 1e-4));
    }
}

/* ---- intervals within bounds ---- */

static void intervals_stay_within_bounds(void **state) {
    (void)state;
    const struct interval middle = interval_within(0.5, 0.01, 1000, 0, 1);
    assert_true(repro_is_near(middle.low, 0.5 - 0.01 * stats_student(999), 1e-4));
    const struct interval edge = interval_within(0.99, 0.02, 5, 0, 1), all = interval_within(5, 0, 6, 1, 5);
    assert_true(edge.low < 0.97 && edge.high > 0.99 && edge.high <= 1);
    assert_true(all.low > 1 && all.low < 4 && all.high <= 5); /* six equal answers are no certainty */
    const struct interval attacks = interval_within(3, 4, 3, 0, (double)INFINITY);
    assert_true(attacks.low > 0 && attacks.low < 1 && attacks.high > 15);
    const struct interval line = interval_within(3, 4, 3, -(double)INFINITY, (double)INFINITY);
    assert_true(repro_is_near(line.low, 3 - 4 * stats_student(2), 1e-9));
    const struct interval single = interval_within(3, (double)INFINITY, 1, 0, 4);
    assert_true(repro_is_near(single.low, 0, 1e-12) && repro_is_near(single.high, 4, 1e-12));
    const struct interval none = interval_within(0, 0, 9, 0, (double)INFINITY);
    assert_true(repro_is_near(none.low, 0, 1e-12) && repro_is_near(none.high, 0, 1e-12));
}

/* ---- tests ---- */

static void tests_of_shares_are_their_intervals(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 3);
    for (int i = 0; i < 300; i++) {
        const int n = 1 + (int)rng_below(&r, 200), m = 1 + (int)rng_below(&r, 200);
        const struct proportion a = {(double)rng_below(&r, (uint32_t)n + 1), n},
                                b = {(double)rng_below(&r, (uint32_t)m + 1), m};
        const struct test t = test_shares_greater(a, b);
        const bool above = shares_difference(a, b, STATS_Z95).low > 0;
        assert_true(above || t.p_for >= 0.025);
        assert_true(repro_is_near(test_less(t).p_against, t.p_for, 1e-12));
        assert_true(t.p_for + t.p_against > 1 - 1e-9);
        assert_true(n < 100 || m < 100 || !above || t.p_for < 0.05);
        const struct interval wilson = stats_wilson(proportion_mean(a), n, STATS_Z95);
        const double p = test_share_above(a, 0.3).p_for;
        assert_true(wilson.low > 0.3 || p >= 0.025);
        assert_true((wilson.low > 0.4 && wilson.high < 0.6) || test_share_equal(a, 0.5, 0.1).p_for >= 0.025);
        assert_true(n < 100 || wilson.low <= 0.3 || p < 0.05);
    }
}

/* Of 5 in 100 and 1 in 2 the exact test has 0.0578 and half of 0.0572 more; the interval alone has less. */
static void few_trials_are_tested_exactly(void **state) {
    (void)state;
    const struct proportion many = {5, 100}, few = {1, 2}, none = {0, 0}, tea[] = {{3, 4}, {1, 4}};
    assert_true(shares_difference(few, many, STATS_Z95).low > 0);
    assert_true(repro_is_near(test_shares_greater(few, many).p_for, 0.0589, 1e-3));
    assert_int_equal(verdict_shares(many, few, VERDICT_MARGIN, VERDICT_ALPHA), VERDICT_CANNOT_TELL);
    /* Fisher's lady tasting tea: 17 in 70 for three right or more, 16 of them for exactly three. */
    assert_true(repro_is_near(test_shares_greater(tea[0], tea[1]).p_for, 9 / 70.0, 1e-9));
    assert_true(repro_is_near(test_shares_greater(none, many).p_for, 1, 0));
    const struct proportion once = {1, 1}, thrice = {3, 3};
    assert_true(repro_is_near(test_share_above(once, 0.1).p_for, 0.05, 1e-9)); /* half of 0.1 */
    assert_true(repro_is_near(test_share_above(thrice, 0.5).p_for, 1 / 16.0, 1e-9));
    assert_true(repro_is_near(test_share_above(thrice, 0.5).p_against, 15 / 16.0, 1e-9) ||
                test_share_above(thrice, 0.5).p_against > 15 / 16.0);
    const struct proportion halves = {3.5, 4}, others = {0.5, 4}; /* as 3 in 4 and 1 in 4 */
    assert_true(test_shares_greater(halves, others).p_for > 9 / 70.0 - 1e-9);
}

static void means_are_tested_by_students_t(void **state) {
    (void)state;
    const struct test above = test_greater(2.015048, 1, 6), below = test_greater(-2.015048, 1, 6);
    assert_true(repro_is_near(above.p_for, 0.05, 1e-6) && repro_is_near(above.p_against, 0.95, 1e-6));
    assert_true(repro_is_near(below.p_for, 0.95, 1e-6) && repro_is_near(below.p_against, 0.05, 1e-6));
    assert_true(repro_is_near(test_greater(5, 0, 1).p_for, 1, 0)); /* one trial shows nothing */
    assert_true(repro_is_near(test_greater(5, 0, 4).p_for, 1 / 16.0, 1e-12));
    const struct test equal = test_equal(1, 1, 6, 3.015048), within = test_within(-5.570582, 1, 6, 3),
                      at_most = test_at_most(1, 1, 6, 3.015048);
    assert_true(repro_is_near(equal.p_for, 0.05, 1e-6));
    assert_true(repro_is_near(equal.p_against, 2 * student_tail(1, 5), 1e-12));
    assert_true(repro_is_near(within.p_against, 2 * student_tail(2.570582, 5), 1e-9));
    assert_true(repro_is_near(at_most.p_for, 0.05, 1e-6));
    assert_true(repro_is_near(at_most.p_against, student_tail(1, 5), 1e-12));
}

static struct test with(enum test_kind kind, double p_for, double p_against) {
    return (struct test){.kind = kind, .p_for = p_for, .p_against = p_against};
}

static void shares_that_do_not_fall(void **state) {
    (void)state;
    const struct proportion all = {100, 100}, most = {99, 100}, half = {50, 100}, few = {3, 3};
    assert_true(test_shares_not_less(all, all, 0.05).p_for < 0.05);
    assert_true(test_shares_not_less(most, all, 0.08).p_for < 0.05);
    assert_true(test_shares_not_less(half, all, 0.05).p_against < 0.001);
    assert_int_equal(verdict_of(TESTS(test_shares_not_less(half, all, 0.05)), VERDICT_ALPHA, NULL),
                     VERDICT_DIFFERS);
    assert_int_equal(verdict_of(TESTS(test_shares_not_less(few, few, 0.05)), VERDICT_ALPHA, NULL),
                     VERDICT_CANNOT_TELL);
}

static void several_tests_are_corrected(void **state) {
    (void)state;
    const struct test claim = test_claim(true), lie = test_claim(false),
                      shown = with(TEST_GREATER, 0.01, 0.99), weak = with(TEST_GREATER, 0.03, 0.97),
                      strong = with(TEST_GREATER, 0.02, 0.98), against = with(TEST_GREATER, 0.98, 0.02),
                      small = with(TEST_EQUAL, 0.001, 0.001), off = with(TEST_EQUAL, 0.3, 0.001);
    double p;
    assert_int_equal(verdict_of(TESTS(claim), VERDICT_ALPHA, &p), VERDICT_SAME);
    assert_true(isnan(p));
    assert_int_equal(verdict_of(TESTS(claim, lie), VERDICT_ALPHA, NULL), VERDICT_NOT_SAME);
    assert_int_equal(verdict_of(TESTS(shown, lie), VERDICT_ALPHA, NULL), VERDICT_DIFFERS);
    assert_int_equal(verdict_of(TESTS(weak), VERDICT_ALPHA, &p), VERDICT_AGREES);
    assert_true(repro_is_near(p, 0.03, 1e-12));
    /* Holm: 3 * 0.01, 2 * 0.02, then 0.03 is not below the one before it. */
    assert_int_equal(verdict_of(TESTS(weak, strong, shown), VERDICT_ALPHA, &p), VERDICT_AGREES);
    assert_true(repro_is_near(p, 0.04, 1e-12));
    assert_int_equal(verdict_of(TESTS(weak, weak), VERDICT_ALPHA, &p), VERDICT_CANNOT_TELL);
    assert_true(repro_is_near(p, 0.06, 1e-12));
    assert_int_equal(verdict_of(TESTS(shown, against), VERDICT_ALPHA, &p), VERDICT_DIFFERS);
    assert_true(repro_is_near(p, 0.04, 1e-12));
    assert_int_equal(verdict_of(TESTS(shown, against, shown), VERDICT_ALPHA, NULL), VERDICT_CANNOT_TELL);
    assert_int_equal(verdict_of(TESTS(small), VERDICT_ALPHA, NULL),
                     VERDICT_AGREES); /* not 0, but near enough */
    assert_int_equal(verdict_of(TESTS(off), VERDICT_ALPHA, NULL), VERDICT_DIFFERS);
}

/* ---- published figures ---- */

static void figures_agree_differ_or_cannot_be_told(void **state) {
    (void)state;
    static const struct {
        struct proportion published, ours;
        enum verdict verdict;
    } known[] = {
        {{100, 100}, {40, 40}, VERDICT_AGREES},      {{0, 100}, {0, 100}, VERDICT_AGREES},
        {{250, 500}, {255, 500}, VERDICT_AGREES},    {{250, 500}, {20, 40}, VERDICT_CANNOT_TELL},
        {{250, 500}, {310, 500}, VERDICT_DIFFERS},   {{69, 100}, {91, 100}, VERDICT_DIFFERS},
        {{50, 100}, {50, 100}, VERDICT_CANNOT_TELL}, {{2, 3}, {9, 20}, VERDICT_CANNOT_TELL},
        {{13, 100}, {0, 0}, VERDICT_CANNOT_TELL},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_int_equal(verdict_shares(known[i].published, known[i].ours, VERDICT_MARGIN, VERDICT_ALPHA),
                         known[i].verdict);
}

static int needed(struct proportion published) {
    return verdict_trials(published, VERDICT_MARGIN, VERDICT_ALPHA, VERDICT_POWER);
}

/* The planned number gives the promised power, and none is promised where the published trials are too few.
 */
static void planned_numbers_are_enough(void **state) {
    (void)state;
    enum { ROUNDS = 400 };
    static const struct proportion published[] = {{250, 500}, {31, 250}, {98, 100}, {340, 1000}};
    struct rng r;
    rng_seed(&r, 8);
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const double p = proportion_mean(published[i]);
        const int n = needed(published[i]);
        int same = 0;
        assert_true(n > 0);
        for (int round = 0; round < ROUNDS; round++) {
            struct proportion theirs = {0, published[i].n}, ours = {0, n};
            for (int k = 0; k < theirs.n; k++)
                theirs.successes += rng_unit(&r) < p;
            for (int k = 0; k < n; k++)
                ours.successes += rng_unit(&r) < p;
            same += verdict_shares(theirs, ours, VERDICT_MARGIN, VERDICT_ALPHA) == VERDICT_AGREES;
        }
        if (same < ROUNDS * 0.75)
            fail_msg("%g of %d: %d trials agree in %d of %d", published[i].successes, published[i].n, n, same,
                     ROUNDS);
    }
    assert_int_equal(needed((struct proportion){50, 100}), 0);
    assert_int_equal(needed((struct proportion){2, 3}), 0);
}

/* ---- how often verdicts are wrong ----
 *
 * The experiments' own sums on invented repetitions. Value 0 of a repetition is the success, or the points of
 * the first side. */

enum { SEEDS = 200, UNITS_MAX = 30000, RATES_MAX = 12, JUDGED_MAX = REPRO_ROWS_MAX + REPRO_FINDINGS_MAX };

/* Rates of success by cell, in per cent; cells behind these have 50. Of a cell that is turned the rate is
 * that of the second side. */
struct rates {
    const struct repro_experiment *experiment;
    int count;
    unsigned turned; /* a bit for each cell */
    double ours[RATES_MAX], published[RATES_MAX];
};

/* Ours are near those that docs/experiments.md reports. */
static const struct rates experiments[] = {
    {&repro_tbs_fig4,
     9,
     0,
     {0, 100, 67, 100, 100, 100, 100, 100, 100},
     {0, 100, 13, 69, 100, 100, 100, 100, 100}},
    {&repro_tbs_table5, 8, 0, {0, 100, 100, 100, 1.4, 40, 100, 100}, {0, 100, 97, 100, 0, 28, 100, 100}},
    {&repro_tbs_table6, 6, 0, {23, 82, 100, 0.1, 100, 100}, {17, 89, 100, 0, 100, 100}},
    {&repro_tbs_table7, 6, 0x38, {58, 51.5, 66, 48, 59, 49}, {48.6, 55.5, 73.7, 51.4, 60, 62.4}},
    {&repro_geister_table1,
     10,
     0x2aa,
     {49, 52, 37, 40, 35, 41, 27, 33, 23, 37},
     {50.4, 50.1, 33.8, 35, 34.6, 35.9, 33.8, 35, 34.6, 35.9}},
    {&repro_geister_table2, 6, 0x2a, {34, 30, 21, 31, 22, 34}, {21, 22, 18, 14, 4, 6}},
    {&repro_geister_table3, 6, 0x2a, {14, 15, 19, 18, 15, 7}, {44, 38, 30, 37, 10, 27}},
};
enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

static struct repro_unit units[UNITS_MAX];
static struct repro_repetition repetitions[UNITS_MAX];
static struct repro_result result; /* large */

static void invent(const struct rates *rates, const double *percent, uint64_t seed, int count) {
    for (int i = 0; i < count; i++) {
        const int cell = units[i].cell;
        struct rng r;
        rng_seed_stream(&r, seed, (uint64_t)(units[i].rep * REPRO_CELLS_MAX + cell));
        const double rate = cell < rates->count ? percent[cell] / 100 : 0.5;
        const bool success = rng_unit(&r) < rate, turned = (rates->turned >> cell & 1) != 0;
        repetitions[i] = (struct repro_repetition){.values = {success != turned}, .ms = 1 + rng_unit(&r)};
    }
}

static void sum_up(const struct rates *rates, const double *percent, uint64_t seed, int each) {
    const struct repro_data data = {
        rates->experiment, repro_plan_units(rates->experiment, each, units, UNITS_MAX), units, repetitions};
    invent(rates, percent, seed, data.count);
    result = (struct repro_result){.experiment = rates->experiment, .repetitions = each};
    rates->experiment->finish(&data, &result);
    repro_result_done(&result); /* plots; rows and findings stay */
}

/* Verdicts of all rows, then of all findings. */
static int judged(enum verdict *out) {
    int count = 0;
    for (int i = 0; i < result.row_count; i++)
        out[count++] = result.rows[i].kind;
    for (int i = 0; i < result.finding_count; i++)
        out[count++] = result.findings[i].verdict;
    return count;
}

static bool contradict(enum verdict a, enum verdict b) {
    return (a == VERDICT_AGREES && b == VERDICT_DIFFERS) || (a == VERDICT_DIFFERS && b == VERDICT_AGREES);
}

static void parts_of_a_sample_differ_only_when_that_is_sure(void **state) {
    (void)state;
    const struct proportion published = {55.5 * 2.5, 250}, off = {12, 40}, far = {4, 40};
    assert_int_equal(verdict_shares(published, off, VERDICT_MARGIN, VERDICT_ALPHA), VERDICT_DIFFERS);
    assert_int_equal(verdict_shares(published, off, VERDICT_MARGIN, VERDICT_INTERIM), VERDICT_CANNOT_TELL);
    assert_int_equal(verdict_shares(published, far, VERDICT_MARGIN, VERDICT_INTERIM), VERDICT_DIFFERS);
}

/* A quick run says nothing that the whole run of the same seed refutes, but for one time in twenty. */
static void quick_runs_are_not_refuted(void **state) {
    (void)state;
    for (int i = 0; i < EXPERIMENTS; i++) {
        const struct rates *rates = &experiments[i];
        const struct repro_experiment *x = rates->experiment;
        int refuted[JUDGED_MAX] = {0}, count = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            enum verdict quick[JUDGED_MAX], whole[JUDGED_MAX];
            sum_up(rates, rates->ours, (uint64_t)seed, x->repetitions_quick);
            judged(quick);
            sum_up(rates, rates->ours, (uint64_t)seed, x->repetitions);
            count = judged(whole);
            for (int k = 0; k < count; k++)
                refuted[k] += contradict(quick[k], whole[k]);
        }
        for (int k = 0; k < count; k++)
            if (refuted[k] > SEEDS / 20)
                fail_msg("%s: %s: refuted %d times", x->name,
                         k < result.row_count ? result.rows[k].label
                                              : result.findings[k - result.row_count].text,
                         refuted[k]);
    }
}

/* Ten points off the published figures, towards the middle. Where the published trials are too few for any
 * number of ours, or the whole run is smaller than that number, the rows say so instead. */
static void ten_points_are_found(void **state) {
    (void)state;
    int checked = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
        const struct rates *rates = &experiments[i];
        double percent[RATES_MAX];
        int found[REPRO_ROWS_MAX] = {0};
        for (int cell = 0; cell < rates->count; cell++)
            percent[cell] = rates->published[cell] + (rates->published[cell] < 50 ? 10 : -10);
        for (int seed = 0; seed < SEEDS; seed++) {
            sum_up(rates, percent, (uint64_t)seed, rates->experiment->repetitions);
            for (int k = 0; k < result.row_count; k++)
                found[k] += result.rows[k].kind == VERDICT_DIFFERS;
        }
        for (int k = 0; k < result.row_count; k++) {
            const struct repro_row *row = &result.rows[k];
            const struct proportion published = {row->published / 100 * row->published_n, row->published_n};
            const int trials = row->published_n > 0 ? needed(published) : 0;
            if (trials == 0 || row->repetitions < trials || repro_is_near(row->published, 50, 1e-9))
                continue; /* a published 50 % in all: one seat is ten points up, the other ten down */
            checked++;
            if (found[k] < SEEDS * VERDICT_POWER)
                fail_msg("%s: %s: found %d times", rates->experiment->name, row->label, found[k]);
        }
    }
    assert_in_range(checked, 15, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(students_tail_is_right),
        cmocka_unit_test(differences_of_shares_are_newcombes),
        cmocka_unit_test(intervals_stay_within_bounds),
        cmocka_unit_test(tests_of_shares_are_their_intervals),
        cmocka_unit_test(few_trials_are_tested_exactly),
        cmocka_unit_test(means_are_tested_by_students_t),
        cmocka_unit_test(shares_that_do_not_fall),
        cmocka_unit_test(several_tests_are_corrected),
        cmocka_unit_test(figures_agree_differ_or_cannot_be_told),
        cmocka_unit_test(planned_numbers_are_enough),
        cmocka_unit_test(parts_of_a_sample_differ_only_when_that_is_sure),
        cmocka_unit_test(quick_runs_are_not_refuted),
        cmocka_unit_test(ten_points_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
