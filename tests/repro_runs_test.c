/* SPDX-License-Identifier: MIT
 *
 * Runs of experiments that fail, and trials that one experiment takes over from another.
 */
#include "repro/experiments.h"
#include "repro_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static int64_t now_ns; /* stands still */
static struct clock clock_still;
static struct repro_result result; /* large */

/* ---- runs that fail ---- */

static bool fail_third(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    out->values[0] = task->unit.rep;
    return task->unit.rep != 2 || err_set(e, "the third is bad");
}

static void fail_to_finish(const struct repro_data *data, struct repro_result *out) {
    (void)data;
    err_set(&out->failure, "nothing adds up");
}

static void expect_failure(const struct repro_experiment *x, const char *reason) {
    struct err e;
    for (int workers = 1; workers <= 2; workers++) {
        const struct repro_options options = {.workers = workers, .program = "test", .clock = &clock_still};
        assert_int_equal(repro_run(x, &options, &result, &e), REPRO_FAILED);
        assert_non_null(strstr(e.text, reason));
        repro_result_done(&result);
    }
}

static void failures_end_a_run(void **state) {
    (void)state;
    static const struct repro_cell one[] = {{.label = "one"}}, no_game[] = {{.label = "x", .game = "chess"}},
                                   no_player[] = {{.label = "x", .players = {"acteval", "nobody"}}};
    struct repro_experiment x = {.name = "x",
                                 .version = 1,
                                 .repetitions = 5,
                                 .cells = one,
                                 .cell_count = 1,
                                 .value_names = play_game_names,
                                 .run = fail_third,
                                 .finish = fail_to_finish};
    expect_failure(&x, "the third is bad");
    x.repetitions = 2;
    expect_failure(&x, "nothing adds up");
    x.cells = no_game;
    expect_failure(&x, "chess");
    x.cells = no_player;
    expect_failure(&x, "'nobody' is unknown");
}

/* ---- trials of another experiment ---- */

static bool number_repetition(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    (void)e;
    out->values[0] = task->unit.rep;
    return true;
}

static void sum_numbers(const struct repro_data *data, struct repro_result *out) {
    rows_add_exact(out, "sum", REPRO_NONE, rows_sum(data, 0, 0).sum);
}

/* The sum of the trials of an experiment that may reuse stored trials. */
static double sum_with(const struct repro_experiment *x, uint64_t seed, int repetitions,
                       struct repro_stored *stored) {
    struct err e;
    const struct repro_options options = {.seed = seed,
                                          .repetitions = repetitions,
                                          .workers = 1,
                                          .program = "test",
                                          .clock = &clock_still,
                                          .stored = stored};
    assert_int_equal(repro_run(x, &options, &result, &e), REPRO_DONE);
    const double sum = result.rows[0].ours;
    repro_result_done(&result);
    return sum;
}

static void only_the_same_trials_are_taken_over(void **state) {
    (void)state;
    static const struct repro_cell cells[] = {{.label = "one"}}, others[] = {{"one", 0, {"random"}}};
    const struct repro_experiment x = {.name = "x",
                                       .version = 2,
                                       .repetitions = 5,
                                       .cells = cells,
                                       .cell_count = 1,
                                       .value_names = play_game_names,
                                       .run = number_repetition,
                                       .finish = sum_numbers};
    for (int difference = 0; difference < 8; difference++) {
        struct repro_stored stored = {0};
        struct repro_experiment second = x;
        second.name = "y";
        second.repetitions_of = difference == 1 ? "z" : "x";
        second.cells = difference == 3 ? others : cells;
        second.version += difference == 6;
        assert_true(repro_is_near(sum_with(&x, 5, 0, &stored), 0 + 1 + 2 + 3 + 4, 0));
        assert_int_equal(stored.count, 5);
        stored.results[4].values[0] = 100; /* so that they differ from new ones */
        stored.count += difference == 5;
        const double sum = sum_with(difference == 7 ? &x : &second, difference == 2 ? 6 : 5,
                                    difference == 4 ? 6 : 0, &stored);
        const double expected = difference == 0 || difference == 7 ? 106 : difference == 4 ? 15 : 10;
        assert_true(repro_is_near(sum, expected, 0));
        repro_stored_done(&stored);
        assert_null(stored.results);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_end_a_run),
        cmocka_unit_test(only_the_same_trials_are_taken_over),
    };
    clock_still = clock_manual(&now_ns);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
