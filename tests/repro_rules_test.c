/* SPDX-License-Identifier: MIT
 *
 * AMCTS's switching rules against 6w: thetas that cost as much, and findings from invented results. PIMC,
 * IIMC and AMCTS on several games: positions, and predictions that follow from the space of synthetic trees.
 */
#include "match/verdict.h"
#include "repro/experiments.h"
#include "repro_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { DEALS = 120, TRIALS_MAX = DEALS * REPRO_CELLS_MAX };

static struct repro_unit units[TRIALS_MAX];
static struct repro_repetition repetitions[TRIALS_MAX];
static struct repro_result result; /* large */

static struct repro_data data_of(const struct repro_experiment *x, int deals) {
    for (int i = 0; i < deals * x->cell_count; i++)
        units[i] = (struct repro_unit){i % x->cell_count, i / x->cell_count};
    return (struct repro_data){
        .experiment = x, .count = deals * x->cell_count, .units = units, .results = repetitions};
}

static void run_one(const struct repro_experiment *x, struct repro_unit unit, const char *spec,
                    struct repro_repetition *out) {
    const struct clock clock = clock_system();
    struct err e = {""};
    struct scenario *scenario = game_load_spec(spec, &e);
    const struct repro_task task = {.experiment = x,
                                    .cell = &x->cells[unit.cell],
                                    .unit = unit,
                                    .seed = 1000 + (uint64_t)unit.rep,
                                    .deal_seed = 7 + (uint64_t)unit.rep,
                                    .game = scenario,
                                    .clock = &clock};
    *out = (struct repro_repetition){0};
    assert_non_null(scenario);
    if (!x->run(&task, out, &e))
        fail_msg("%s: %s", spec, e.text);
    game_unload(scenario);
}

static const struct repro_row *row_of(const char *label) {
    for (int i = 0; i < result.row_count; i++)
        if (strcmp(result.rows[i].label, label) == 0)
            return &result.rows[i];
    fail_msg("there is no row '%s'", label);
    return NULL;
}

/* ---- the thetas ---- */

/* Measured again on a few trees of another seed than the one they come from: about the same costs. */
static void thetas_cost_as_much(void **state) {
    (void)state;
    const struct repro_experiment *x = &repro_synth_tuning;
    const struct repro_data data = data_of(x, DEALS);
    for (int i = 0; i < data.count; i++)
        run_one(x, units[i], x->cells[units[i].cell].game, &repetitions[i]);
    result = (struct repro_result){.experiment = x};
    x->finish(&data, &result);
    assert_int_equal(result.finding_count, 1);
    assert_true(result.row_count > 20);
    double leaves = 0; /* under 6w: mean_1, mean_2, …, worlds (6), choices, leaves, leaves_again */
    for (int i = 0; i < data.count; i++) {
        const double *v = repetitions[i].values;
        /* Own moves behind the action, and what a second search costs: 1 + 50 k leaves a simulation. */
        const int choices = (5 - units[i].rep % 6) / 2;
        assert_true(repro_is_near(v[7], choices, 1e-12));
        assert_true(repro_is_near(v[8], 50 * v[6], 1e-9));
        assert_true(repro_is_near(v[9] - v[8], choices > 0 ? 50 * v[6] * (1 + 50 * choices) : 0, 1e-9));
        leaves += v[fabs(v[0] - v[1]) < 0.25 / v[6] ? 9 : 8] / data.count;
    }
    assert_true(repro_is_near(result.rows[0].ours, leaves, 1e-6 * leaves));
    for (int i = 1; i < result.row_count; i++) {
        const struct repro_row *row = &result.rows[i];
        double theta = 0;
        char name[REPRO_NAME_MAX];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(row->label, ":"), row->label);
        for (int c = 0; c < repro_synth_rules.cell_count; c++) {
            const struct repro_cell *cell = &repro_synth_rules.cells[c];
            if (strcmp(cell->label + strlen("df 0.1, "), name) == 0)
                assert_int_equal(sscanf(strstr(cell->players[0], "theta="), "theta=%lf", &theta), 1);
        }
        if (!(theta > 0 && row->ours > theta / 1.6 && row->ours < theta * 1.6))
            fail_msg("%s: %g in use, measured %g", name, theta, row->ours);
    }
    repro_result_done(&result);
}

/* ---- findings about rules ---- */

/* Two rules (6c and 6s / W) get `lead` more than 6w, the two controls at the end `control` less. */
static void invent_rules(const struct repro_data *data, double lead, double control, double cost) {
    const int rules = data->experiment->cell_count / 3;
    struct rng r;
    rng_seed(&r, 3);
    for (int i = 0; i < data->count; i++) {
        const int rule = units[i].cell / 3;
        double *v = repetitions[i].values;
        repetitions[i] = (struct repro_repetition){0};
        v[SYNTH_MEAN] = SYNTH_EVEN + 0.02 * (rng_unit(&r) - 0.5) + (rule == 5 || rule == 12 ? lead : 0) -
                        (rule >= rules - 2 ? control : 0);
        v[SYNTH_LEAVES_A] = 6000 * (rule == 3 ? cost : 1) + 100 * rng_unit(&r);
        v[SYNTH_LEAVES_B] = 6000 + 100 * rng_unit(&r);
    }
}

static void check_rules(double lead, double control, double cost, const enum verdict expected[4]) {
    const struct repro_data data = data_of(&repro_synth_rules, DEALS);
    invent_rules(&data, lead, control, cost);
    result = (struct repro_result){.experiment = &repro_synth_rules};
    repro_synth_rules.finish(&data, &result);
    repro_check_result(&result);
    assert_int_equal(result.finding_count, 4);
    for (int i = 0; i < 4; i++)
        if (result.findings[i].verdict != expected[i])
            fail_msg("lead %g, control %g, cost %g: %s", lead, control, cost, result.findings[i].text);
}

static void rules_are_judged_together(void **state) {
    (void)state;
    check_rules(0, 0.05, 1,
                (const enum verdict[]){VERDICT_AGREES, VERDICT_CANNOT_TELL, VERDICT_AGREES, VERDICT_AGREES});
    assert_non_null(strstr(result.findings[2].text, "0 of 27 do and 2 get less"));
    repro_result_done(&result);
    check_rules(
        0.01, 0, 1.1,
        (const enum verdict[]){VERDICT_DIFFERS, VERDICT_AGREES, VERDICT_DIFFERS, VERDICT_CANNOT_TELL});
    assert_non_null(strstr(result.findings[2].text, "2 of 27 do and 0 get less"));
    assert_non_null(strstr(result.findings[1].text, "6s / W"));
    const struct repro_row *dear = row_of("all df, 6g / W^2: leaves, 6w's are 1");
    assert_true(repro_is_near(dear->ours, 1.1, 0.01));
    repro_result_done(&result);
}

/* ---- several games ---- */

enum { LEAD = 2, LEAVES_A = 3, LEAVES_B = 4, MOVES = 5 }; /* values of a repetition */

/* A is ahead by this at a point of the cube: linear, so interpolation between cells is exact. */
static double lead_at(int pairing, double lc, double bias, double df) {
    return 0.01 * (pairing + 1) * (lc - 2 * bias + 3 * df) + 0.005;
}

static void predictions_are_interpolated(void **state) {
    (void)state;
    const struct repro_data data = data_of(&repro_amcts_games, 2);
    struct rng r;
    rng_seed(&r, 4);
    for (int i = 0; i < data.count; i++) {
        const struct repro_cell *cell = &repro_amcts_games.cells[units[i].cell];
        double lc, bias, df;
        repetitions[i] = (struct repro_repetition){0};
        if (sscanf(cell->game, "synth:payoffs=signs,lc=%lf,bias=%lf,df=%lf", &lc, &bias, &df) == 3)
            repetitions[i].values[LEAD] = lead_at(units[i].cell % 3, lc, bias, df);
        else
            repetitions[i].values[LEAD] = 0.1 * rng_unit(&r);
    }
    result = (struct repro_result){.experiment = &repro_amcts_games, .seed = 1};
    repro_amcts_games.finish(&data, &result);
    repro_check_result(&result);
    assert_string_equal(result.failure.text, "");
    static const char *const games[] = {"synth, df 0.9", "synth, mirror", "synth, depth 10", "kuhn"};
    static const char *const pairings[] = {"AMCTS less PIMC", "IIMC less PIMC", "AMCTS less IIMC"};
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) {
        char label[REPRO_NAME_MAX];
        double point[3];
        static const char *const axes[] = {"leaf correlation", "bias", "disambiguation factor"};
        for (int axis = 0; axis < 3; axis++) {
            snprintf(label, sizeof label, "%s: %s", games[g], axes[axis]);
            point[axis] = row_of(label)->ours;
        }
        for (int p = 0; p < 3; p++) {
            snprintf(label, sizeof label, "%s: %s, predicted", games[g], pairings[p]);
            const double expected = 100 * lead_at(p, point[0], fmax(point[1], 1 - point[1]), point[2]);
            if (!repro_is_near(row_of(label)->ours, expected, 1e-6))
                fail_msg("%s: %g, expected %g", label, row_of(label)->ours, expected);
        }
    }
    repro_result_done(&result);
}

/* Games follow the space, in every pairing: then both findings agree. Against it, the first differs. */
static void findings_follow_predictions(void **state) {
    (void)state;
    const struct repro_experiment *x = &repro_amcts_games;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const struct repro_data data = data_of(x, 4);
        for (int i = 0; i < data.count; i++) {
            const int pairing = units[i].cell % 3, contest = (units[i].cell - (x->cell_count - 36)) / 3;
            const bool in_space = units[i].cell < x->cell_count - 36;
            double lc = 0, bias = 0, df = 0;
            repetitions[i] = (struct repro_repetition){0};
            if (in_space)
                assert_int_equal(sscanf(x->cells[units[i].cell].game,
                                        "synth:payoffs=signs,lc=%lf,bias=%lf,df=%lf", &lc, &bias, &df),
                                 3);
            repetitions[i].values[LEAD] =
                0.001 * (units[i].rep - 1.5) +
                (in_space ? 0.02 + 0.05 * lc : sign * 0.04 + 0.0001 * contest * pairing);
        }
        result = (struct repro_result){.experiment = x, .seed = 1};
        x->finish(&data, &result);
        assert_int_equal(result.finding_count, 2);
        assert_int_equal(result.findings[0].verdict, sign > 0 ? VERDICT_AGREES : VERDICT_DIFFERS);
        assert_non_null(strstr(result.findings[0].text, sign > 0 ? "12 of 12 games (36 of 36 pairings)"
                                                                 : "0 of 12 games (0 of 36 pairings)"));
        repro_result_done(&result);
    }
}

/* An ending begins that many plies before the draw, so a game has at most so many decisions. */
static void endings_are_played(void **state) {
    (void)state;
    const struct repro_experiment *x = &repro_amcts_games;
    int seen = 0;
    for (int cell = x->cell_count - 36; cell < x->cell_count; cell++) {
        struct repro_repetition one, again;
        const char *last = strstr(x->cells[cell].label, "last {");
        int plies = 3; /* of Kuhn poker */
        if (cell % 3 != 0 || strncmp(x->cells[cell].game, "synth", 5) == 0)
            continue;
        run_one(x, (struct repro_unit){cell, 1}, x->cells[cell].game, &one);
        run_one(x, (struct repro_unit){cell, 1}, x->cells[cell].game, &again);
        assert_memory_equal(one.values, again.values, sizeof one.values);
        assert_true(last == NULL || sscanf(last, "last {%d}", &plies) == 1);
        assert_true(one.values[MOVES] >= 1 && one.values[MOVES] <= plies);
        assert_true(fabs(one.values[LEAD]) <= 0.5);
        assert_true(one.values[LEAVES_A] > 0 && one.values[LEAVES_A] <= 4001);
        assert_true(one.values[LEAVES_B] > 0 && one.values[LEAVES_B] <= 4001);
        seen++;
    }
    assert_int_equal(seen, 3);
}

/* Each player plays each seat once. If one of them had the same seat in both games, these would be equal, and
 * the lead 0. */
static void seats_are_exchanged(void **state) {
    (void)state;
    const struct repro_experiment *x = &repro_amcts_games;
    const int cell = x->cell_count - 36 + 2 * 3 + 1; /* IIMC against PIMC */
    int uneven = 0;
    assert_string_equal(x->cells[cell].game, "synth:df=0.9");
    for (int rep = 0; rep < 20; rep++) {
        struct repro_repetition one;
        run_one(x, (struct repro_unit){cell, rep}, x->cells[cell].game, &one);
        assert_true(repro_is_near(one.values[LEAD], (one.values[0] + one.values[1]) / 2 - 0.5, 1e-12));
        uneven += fabs(one.values[LEAD]) > 1e-9;
    }
    assert_true(uneven > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thetas_cost_as_much),          cmocka_unit_test(rules_are_judged_together),
        cmocka_unit_test(predictions_are_interpolated), cmocka_unit_test(findings_follow_predictions),
        cmocka_unit_test(endings_are_played),           cmocka_unit_test(seats_are_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
