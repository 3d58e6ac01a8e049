/* SPDX-License-Identifier: MIT
 *
 * The space of synthetic trees: single trees of it, the whole experiment on trees made small, and whether
 * PIMC's strategy as it is computed is what the player answers.
 */
#include "audit/exploit.h"
#include "base/mem.h"
#include "exact/form.h"
#include "repro/experiments.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static int64_t now_ns; /* stands still */
static struct clock stopped_clock;

/* ---- the grid ---- */

static void cells_are_at_their_places(void **state) {
    (void)state;
    static const char *const names[SPACE_AXES] = {"lc", "bias", "df"};
    for (int cell = 0; cell < SPACE_CELLS; cell++) {
        int steps[SPACE_AXES];
        space_place(cell, steps);
        for (int axis = 0; axis < SPACE_AXES; axis++) {
            char pair[32], words[32];
            const double step = space_axes[axis].steps[steps[axis]];
            snprintf(pair, sizeof pair, ",%s=%g", names[axis], step);
            snprintf(words, sizeof words, "%s %g", names[axis], step);
            const char *found = strstr(repro_synth_space.cells[cell].game, pair);
            assert_non_null(found);
            assert_true(found[strlen(pair)] == ',' || found[strlen(pair)] == '\0');
            assert_non_null(strstr(rows_plain(repro_synth_space.cells[cell].label).text, words));
        }
    }
}

static void it_is_registered(void **state) {
    (void)state;
    bool found = false;
    for (int i = 0; repro_experiments[i] != NULL; i++)
        found = found || repro_experiments[i] == &repro_synth_space;
    assert_true(found);
}

/* ---- single trees ---- */

static void run_tree(const char *spec, uint64_t seed, struct repro_repetition *out) {
    struct err e = {""};
    struct scenario *scenario = game_load_spec(spec, &e);
    assert_non_null(scenario);
    const struct repro_task task = {
        .experiment = &repro_synth_space, .game = scenario, .seed = 99 + seed, .deal_seed = seed};
    *out = (struct repro_repetition){0};
    if (!repro_synth_space.run(&task, out, &e))
        fail_msg("%s: %s", spec, e.text);
    game_unload(scenario);
}

/* No strategy is better than the optimal one, and the best response costs at least what optimal play does. */
static void values_are_in_range(void **state) {
    (void)state;
    static const char *const specs[] = {"synth:payoffs=signs,lc=0.5,bias=0.5,df=0",
                                        "synth:payoffs=signs,lc=0,bias=0.5,df=0.5",
                                        "synth:payoffs=signs,lc=0.25,bias=0.75,df=0.3,depth=8"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        for (uint64_t seed = 0; seed < SAMPLE(3, 1); seed++) {
            struct repro_repetition t;
            run_tree(specs[i], seed, &t);
            const double *v = t.values, gap = v[SPACE_GAP];
            assert_true(gap >= 0 && gap <= 0.002);
            assert_true(fabs(v[SPACE_VALUE]) <= 1);
            assert_true(v[SPACE_PIMC_FIRST] >= -gap && v[SPACE_PIMC_SECOND] >= -gap);
            assert_true(v[SPACE_PIMC] > 0);
            assert_true(v[SPACE_PIMC_WORST] >= v[SPACE_PIMC] - gap);
            assert_true(v[SPACE_RANDOM_WORST] >= v[SPACE_RANDOM] - gap);
            assert_true(v[SPACE_RANDOM_WORST] <= 2);
            assert_true(fabs(v[SPACE_RANDOM] - v[SPACE_PIMC] - v[SPACE_GAIN]) < 1e-12);
        }
}

static void known_corners(void **state) {
    (void)state;
    struct repro_repetition t;
    run_tree("synth:payoffs=signs,lc=1,bias=1,df=0.3", 1, &t); /* the first always wins */
    assert_true(fabs(t.values[SPACE_VALUE] - 1) <= 0.002);
    assert_true(fabs(t.values[SPACE_RANDOM]) <= 0.002);
    run_tree("synth:payoffs=signs,lc=0,bias=0.5,df=1", 1,
             &t); /* the side with full information and the last move wins */
    assert_true(fabs(t.values[SPACE_VALUE] + 1) <= 0.002);
    assert_true(fabs(t.values[SPACE_PIMC]) <= 0.002);
    assert_true(fabs(t.values[SPACE_PIMC_WORST]) <= 1e-9);
    assert_true(t.values[SPACE_RANDOM] > 0.3);
}

static void a_stop_ends_a_trial(void **state) {
    (void)state;
    struct err e;
    struct repro_repetition out = {0};
    atomic_bool stop = true;
    struct scenario *scenario = game_load_spec("synth:payoffs=signs", &e);
    const struct repro_task task = {.experiment = &repro_synth_space, .game = scenario, .stop = &stop};
    assert_false(repro_synth_space.run(&task, &out, &e));
    assert_non_null(strstr(e.text, "stopped"));
    game_unload(scenario);
}

/* ---- the strategy is the player's ---- */

static void check_answers(const char *spec, const struct form *form, const double *pimc) {
    enum { SAMPLES = 24 };
    struct err e = {""};
    double *even = form_uniform(form), *odd = form_uniform(form);
    const struct exploit_task task = {
        .player = "pimc:evaluator=minimax,worlds=all", .samples = SAMPLES, .seed = 5, .workers = 2};
    double leaves, *const halves[2] = {even, odd};
    if (!exploit_sample(&task, form, halves, &leaves, &e))
        fail_msg("%s: %s", spec, e.text);
    int shared = 0, tried = 0;
    for (uint32_t i = 0; i < form->action_count; i++) {
        const double share = (even[i] + odd[i]) / 2;
        if (!(pimc[i] > 0))
            assert_true(share <= 0); /* never what is not best */
        else if (pimc[i] >= 1)
            assert_true(share >= 1); /* always what is best alone */
        else {
            shared++; /* of equally good ones each now and then */
            tried += share > 0;
        }
    }
    assert_true(shared > 0);
    assert_int_equal(tried, shared); /* a coin that shows one side 24 times would be too improbable */
    mem_free(even);
    mem_free(odd);
}

static void the_player_answers_so(void **state) {
    (void)state;
    static const char *const specs[] = {"synth:payoffs=signs,worlds=4,depth=4,df=0.3",
                                        "synth:worlds=4,depth=4,df=0.3", "kuhn"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct err e;
        struct form form;
        struct scenario *scenario = game_load_spec(specs[i], &e);
        assert_true(form_build(scenario, 3, FORM_NODES_MAX, NULL, &form, &e));
        double *pimc = form_uniform(&form);
        assert_true(pimc_strategy(&form, pimc, &e));
        check_answers(specs[i], &form, pimc);
        mem_free(pimc);
        form_done(&form);
        game_unload(scenario);
    }
}

/* ---- the whole, on trees of four moves ---- */

static char small_specs[SPACE_CELLS][96];
static struct repro_cell small_cells[SPACE_CELLS];
static struct repro_experiment small;

static int make_small(void **state) {
    (void)state;
    small = repro_synth_space;
    stopped_clock = clock_manual(&now_ns);
    for (int cell = 0; cell < SPACE_CELLS; cell++) {
        int steps[SPACE_AXES];
        space_place(cell, steps);
        snprintf(small_specs[cell], sizeof small_specs[cell],
                 "synth:payoffs=signs,worlds=4,depth=4,lc=%g,bias=%g,df=%g",
                 space_axes[SPACE_LC].steps[steps[SPACE_LC]], space_axes[SPACE_BIAS].steps[steps[SPACE_BIAS]],
                 space_axes[SPACE_DF].steps[steps[SPACE_DF]]);
        small_cells[cell] = repro_synth_space.cells[cell];
        small_cells[cell].game = small_specs[cell];
    }
    small.cells = small_cells;
    return 0;
}

static struct repro_result *run_small(int repetitions, int workers) {
    struct err e = {""};
    struct repro_result *result = mem_alloc(sizeof *result);
    const struct repro_options options = {.seed = 7,
                                          .repetitions = repetitions,
                                          .workers = workers,
                                          .program = "test",
                                          .clock = &stopped_clock};
    if (repro_run(&small, &options, result, &e) != REPRO_DONE)
        fail_msg("%s", e.text);
    return result;
}

static void drop(struct repro_result *result) {
    repro_result_done(result);
    mem_free(result);
}

static void workers_change_nothing(void **state) {
    (void)state;
    struct repro_result *one = run_small(3, 1), *four = run_small(3, 4);
    assert_string_equal(text_string(&one->repetitions_csv), text_string(&four->repetitions_csv));
    assert_int_equal(one->plot_count, 3);
    for (int i = 0; i < one->plot_count; i++) {
        assert_string_equal(text_string(&one->plots[i].data), text_string(&four->plots[i].data));
        assert_string_equal(text_string(&one->plots[i].script), text_string(&four->plots[i].script));
    }
    drop(one);
    drop(four);
}

static const struct repro_row *row_of(const struct repro_result *result, const char *label) {
    for (int i = 0; i < result->row_count; i++)
        if (strcmp(result->rows[i].label, label) == 0)
            return &result->rows[i];
    fail_msg("there is no row '%s'", label);
    return NULL;
}

/* The rows of an axis are means over all cells: weighted alike they have the same mean. */
static double mean_of_axis(const struct repro_result *result, const char *const *labels, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += row_of(result, labels[i])->ours;
    return sum / count;
}

static void rows_add_up(void **state) {
    (void)state;
    static const char *const lcs[] = {"PIMC's loss, lc 0", "PIMC's loss, lc 0.25", "PIMC's loss, lc 0.5",
                                      "PIMC's loss, lc 0.75", "PIMC's loss, lc 1"};
    static const char *const dfs[] = {"PIMC's loss, df 0",   "PIMC's loss, df 0.1", "PIMC's loss, df 0.3",
                                      "PIMC's loss, df 0.5", "PIMC's loss, df 0.7", "PIMC's loss, df 1"};
    struct repro_result *result = run_small(3, 2);
    assert_true(fabs(mean_of_axis(result, lcs, 5) - mean_of_axis(result, dfs, 6)) < 1e-9);
    assert_true(fabs(row_of(result, "PIMC's loss, df 1")->ours) <= 0.002);
    assert_true(row_of(result, "PIMC's loss, lc 0.5")->low < row_of(result, "PIMC's loss, lc 0.5")->high);
    assert_int_equal(result->finding_count, 8);
    for (int i = 0; i < result->finding_count; i++)
        assert_true(strlen(result->findings[i].text) < sizeof result->findings[i].text - 1);
    drop(result);
}

/* A line for each cell behind the names, and no number missing. */
static void the_cube_is_whole(void **state) {
    (void)state;
    struct repro_result *result = run_small(2, 2);
    const char *data = text_string(&result->plots[0].data);
    int lines = 0;
    for (const char *c = data; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 1 + SPACE_CELLS);
    assert_null(strstr(data, "NaN"));
    assert_null(strstr(data, ",,"));
    drop(result);
    result = run_small(1, 2); /* one tree has no interval: no finding can be more than chance */
    assert_int_equal(result->findings[0].verdict, VERDICT_CANNOT_TELL);
    drop(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_at_their_places), cmocka_unit_test(it_is_registered),
        cmocka_unit_test(values_are_in_range),       cmocka_unit_test(known_corners),
        cmocka_unit_test(a_stop_ends_a_trial),       cmocka_unit_test(the_player_answers_so),
        cmocka_unit_test(workers_change_nothing),    cmocka_unit_test(rows_add_up),
        cmocka_unit_test(the_cube_is_whole),
    };
    return cmocka_run_group_tests(tests, make_small, NULL);
}
