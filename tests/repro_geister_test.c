/* SPDX-License-Identifier: MIT
 *
 * The experiments on Geister: the figures beside which ours are set, rows and findings from made-up games,
 * and strategy fusion as a whole.
 */
#include "base/mem.h"
#include "tests/memory_support.h"
#include "repro/experiments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES = 100 }; /* of each cell in made-up data */

struct made_up {
    struct repro_unit units[REPRO_CELLS_MAX * GAMES];
    struct repro_repetition results[REPRO_CELLS_MAX * GAMES];
    struct repro_result result;
};

/* In each cell the first player wins so many games of GAMES and loses the others. */
static struct made_up *make_up(const struct repro_experiment *experiment, const int *wins) {
    struct made_up *m = mem_alloc(sizeof *m);
    assert_non_null(m);
    struct repro_data data = {.experiment = experiment,
                              .count = experiment->cell_count * GAMES,
                              .units = m->units,
                              .results = m->results};
    for (int i = 0; i < data.count; i++) {
        m->units[i] = (struct repro_unit){i % experiment->cell_count, i / experiment->cell_count};
        m->results[i].values[GAME_RED_POINTS] = m->units[i].rep < wins[m->units[i].cell];
    }
    m->result.experiment = experiment;
    output_finish(&data, &m->result);
    return m;
}

static void drop(struct made_up *m) {
    repro_result_done(&m->result);
    mem_free(m);
}

static const struct repro_row *row_of(const struct repro_result *result, const char *label) {
    for (int i = 0; i < result->row_count; i++)
        if (strcmp(result->rows[i].label, label) == 0)
            return &result->rows[i];
    fail_msg("no row '%s'", label);
    return NULL;
}

static bool is_near(double a, double b) {
    return a - b < 0.001 && b - a < 0.001;
}

static void table_1_sets_both_seats_beside_the_paper(void **state) {
    (void)state;
    static const int wins[] = {50, 50, 35, 65, 35, 65, 50, 50, 50, 50};
    struct made_up *m = make_up(&repro_geister_table1, wins);
    assert_true(is_near(row_of(&m->result, "A against B, first")->published, 50.4));
    assert_true(is_near(row_of(&m->result, "A against B, second")->published, 50.1));
    assert_true(is_near(row_of(&m->result, "C against A, both")->published, 34.4));
    assert_true(is_near(row_of(&m->result, "C against A, first")->ours, 35));
    assert_true(is_near(row_of(&m->result, "C against A, second")->ours, 35)); /* A won 65 as first */
    assert_int_equal(row_of(&m->result, "C against B, both")->repetitions, 2 * GAMES);
    assert_int_equal(m->result.findings[0].verdict, VERDICT_CANNOT_TELL); /* 200 games are few for 5 points */
    assert_int_equal(m->result.findings[1].verdict, VERDICT_AGREES);
    assert_int_equal(m->result.findings[2].verdict, VERDICT_CANNOT_TELL); /* as printed: even here */
    drop(m);
}

static void an_uneven_pairing_is_not_called_even(void **state) {
    (void)state;
    static const int wins[] = {70, 30, 50, 50, 50, 50, 35, 65, 35, 65}; /* A wins 140 of 200 against B */
    struct made_up *m = make_up(&repro_geister_table1, wins);
    assert_int_equal(m->result.findings[0].verdict, VERDICT_DIFFERS);
    assert_int_equal(m->result.findings[1].verdict, VERDICT_CANNOT_TELL);
    assert_int_equal(m->result.findings[2].verdict, VERDICT_AGREES);
    drop(m);
}

static void table_2_counts_the_points_of_uct(void **state) {
    (void)state;
    static const int wins[] = {21, 80, 18, 85, 4, 95};
    struct made_up *m = make_up(&repro_geister_table2, wins);
    assert_true(is_near(row_of(&m->result, "A, first")->published, 21));
    assert_true(is_near(row_of(&m->result, "C, both")->published, 5));
    assert_true(is_near(row_of(&m->result, "A, both")->ours, 20.5));
    assert_int_equal(m->result.findings[0].verdict, VERDICT_AGREES);
    assert_int_equal(m->result.findings[1].verdict, VERDICT_AGREES);
    drop(m);
}

static void a_method_with_equal_results_is_reported(void **state) {
    (void)state;
    static const int wins[] = {50, 50, 18, 85, 60, 40};
    struct made_up *m = make_up(&repro_geister_table3, wins);
    assert_true(is_near(row_of(&m->result, "B, second")->published, 37));
    assert_int_equal(m->result.findings[0].verdict, VERDICT_DIFFERS); /* C won 60 of 100 in both seats */
    assert_int_equal(m->result.findings[1].verdict, VERDICT_DIFFERS); /* C got the most */
    drop(m);
}

static void strategy_fusion_comes_out(void **state) {
    (void)state;
    struct err e = {""};
    struct repro_result *result = mem_alloc(sizeof *result);
    int64_t now_ns = 0; /* stands still */
    const struct clock clock = clock_manual(&now_ns);
    const struct repro_options options = {
        .seed = 5, .repetitions = 2, .workers = 1, .program = "test", .clock = &clock};
    assert_non_null(result);
    assert_int_equal(repro_run(&repro_geister_fusion, &options, result, &e), REPRO_DONE);
    assert_int_equal(result->finding_count, 4);
    for (int i = 0; i < result->finding_count; i++)
        assert_int_equal(result->findings[i].verdict, i == 1 ? VERDICT_CANNOT_TELL : VERDICT_SAME);
    repro_result_done(result);
    mem_free(result);
}

static void finish_fusion(void *context) {
    struct made_up *m = context;
    const struct repro_data data = {.experiment = &repro_geister_fusion,
                                    .count = repro_geister_fusion.cell_count,
                                    .units = m->units,
                                    .results = m->results};
    m->result = (struct repro_result){.experiment = &repro_geister_fusion};
    output_finish(&data, &m->result);
    const char *failure = m->result.failure.text;
    assert_true(failure[0] == '\0' ? m->result.finding_count == 4 : strstr(failure, "memory") != NULL);
}

static void memory_for_the_sum_may_run_out(void **state) {
    (void)state;
    struct made_up *m = mem_alloc(sizeof *m);
    for (int i = 0; i < repro_geister_fusion.cell_count; i++)
        m->units[i].cell = i;
    long n = 1;
    while (memory_runs_out(n, finish_fusion, m))
        n++;
    assert_true(n > 1);
    drop(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_1_sets_both_seats_beside_the_paper),
        cmocka_unit_test(an_uneven_pairing_is_not_called_even),
        cmocka_unit_test(table_2_counts_the_points_of_uct),
        cmocka_unit_test(a_method_with_equal_results_is_reported),
        cmocka_unit_test(strategy_fusion_comes_out),
        cmocka_unit_test(memory_for_the_sum_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
