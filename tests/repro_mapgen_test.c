/* SPDX-License-Identifier: MIT
 *
 * The experiments on map generation: one trial, a whole run made small, being stopped, and the rows computed
 * from invented trials.
 */
#include "evolve/evolution.h"
#include "repro/experiments.h"

#include "own_maps.h"
#include "repro_support.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct repro_experiment *const experiments[] = {&repro_mapgen_trials, &repro_mapgen_cost,
                                                             &repro_mapgen_random, &repro_mapgen_features};
enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

#define SMALL "strong=acteval weak=random born=8 population=4 generations=2 games=4 verify=6 show=1"

static int64_t now_ns = 5000000000; /* stands still */
static struct clock stopped_clock;

static struct repro_task task_of(const struct repro_experiment *x, int cell, uint64_t seed) {
    stopped_clock = clock_manual(&now_ns);
    return (struct repro_task){
        .experiment = x, .cell = &x->cells[cell], .unit = {cell, 0}, .seed = seed, .clock = &stopped_clock};
}

/* ---- tables ---- */

static void all_are_registered(void **state) {
    (void)state;
    for (int i = 0; i < EXPERIMENTS; i++) {
        bool found = false;
        for (int k = 0; repro_experiments[k] != NULL; k++)
            found = found || repro_experiments[k] == experiments[i];
        assert_true(found);
        assert_string_equal(experiments[i]->group, "mapgen");
        assert_int_equal(strncmp(experiments[i]->name, "mapgen-", 7), 0);
    }
}

/* The maps must exist, whichever experiment made them. */
static void the_maps_are_ours(void **state) {
    (void)state;
    int count = 0;
    for (int i = 0; i < EXPERIMENTS; i++)
        for (int k = 0; experiments[i]->maps != NULL && experiments[i]->maps[k] != NULL; k++, count++) {
            struct scenario *map = own_map(experiments[i]->maps[k]);
            game_unload(map);
        }
    assert_true(count > 0 && count <= REPRO_MAPS_MAX);
}

/* ---- trials ---- */

static void run_cost(uint64_t seed, struct repro_repetition *out) {
    struct err e;
    const struct repro_task task = task_of(&repro_mapgen_cost, 0, seed);
    *out = (struct repro_repetition){0};
    if (!repro_mapgen_cost.run(&task, out, &e))
        fail_msg("%s", e.text);
}

static void one_map_is_judged(void **state) {
    (void)state;
    struct repro_repetition first, again, other;
    run_cost(3, &first);
    assert_true(first.values[0] >= 1 && first.values[0] <= 216); /* fitness */
    assert_true(first.values[1] >= 10);                          /* an action a game at least */
    assert_true(first.values[2] >= 2 && first.values[2] <= 12);  /* units */
    assert_true(fabs(first.ms) <= 0);
    run_cost(3, &again);
    run_cost(4, &other);
    assert_memory_equal(first.values, again.values, sizeof first.values);
    assert_memory_not_equal(first.values, other.values, sizeof first.values);
}

/* A digest of all results of a run. */
static double run_small(const char *preset, const char *settings) {
    struct err e;
    struct plan plan;
    struct evolution ev;
    const struct repro_task task = task_of(&repro_mapgen_trials, 0, 7);
    if (!mapgen_evolve(&task, preset, settings, &plan, &ev, &e))
        fail_msg("%s", e.text);
    assert_int_equal(ev.shown_count, 1);
    assert_true(ev.verified);
    const struct individual *best = &ev.individuals[ev.shown[0]];
    assert_int_equal(judgement_contests(&best->fresh), 6);
    double sum = best->fitness + mapgen_fitness(&best->fresh);
    for (int g = 0; g < ev.generation_count; g++)
        sum = 3 * sum + ev.generations[g].mean + ev.generations[g].games;
    if (strcmp(preset, "designer") != 0) {
        assert_int_equal(ev.generation_count, 3);
        assert_int_equal(ev.evaluations, 8 + 2 * 4);
    }
    evolution_done(&ev);
    return sum;
}

static void small_runs_work(void **state) {
    (void)state;
    static const char *const presets[] = {"paper", "random", "designer"};
    double sums[3];
    for (int i = 0; i < 3; i++) {
        sums[i] = run_small(presets[i], SMALL);
        assert_true(repro_is_near(sums[i], run_small(presets[i], SMALL), 0));
    }
    assert_false(repro_is_near(sums[0], sums[1], 0));
    assert_false(repro_is_near(sums[0], sums[2], 0));
}

/* All that the two experiments store of a run. */
static void runs_are_described(void **state) {
    (void)state;
    struct err e;
    struct plan plan;
    struct evolution ev;
    struct repro_repetition course = {0}, best = {0};
    const struct repro_task task = task_of(&repro_mapgen_trials, 0, 7);
    assert_true(
        mapgen_evolve(&task, "paper",
                      "strong=acteval weak=random born=8 population=4 generations=10 games=4 verify=6 show=1",
                      &plan, &ev, &e));
    const struct individual *const elite = &ev.individuals[ev.shown[0]];
    mapgen_describe_history(&ev, &course);
    mapgen_describe_best(&ev, &best);
    for (int g = 0; g <= 10; g++) {
        assert_true(repro_is_near(course.values[g], ev.generations[g].best, 0));
        assert_true(repro_is_near(course.values[11 + g], ev.generations[g].mean, 0));
    }
    assert_true(repro_is_near(course.values[22], mapgen_fitness(&elite->fresh), 0));
    assert_true(repro_is_near(course.values[23], 0, 0));
    const double expected[] = {mapgen_fitness(&elite->judgement),
                               mapgen_fitness(&elite->fresh),
                               judgement_strength(&elite->fresh).value,
                               judgement_red(&elite->fresh).value,
                               elite->static_features.natural,
                               ev.evaluations,
                               ev.generations[10].games};
    for (int i = 0; i < 7; i++)
        assert_true(repro_is_near(best.values[i], expected[i], 0));
    char note[REPRO_NOTE_MAX];
    snprintf(note, sizeof note, "elite %d: selected with %g, 6 fresh games: %.1f points", elite->id,
             elite->fitness, judgement_points(&elite->fresh));
    assert_string_equal(course.note, note);
    snprintf(note, sizeof note, "map %d: %d games selected it, 6 fresh ones", elite->id,
             judgement_contests(&elite->judgement));
    assert_string_equal(best.note, note);
    evolution_done(&ev);
}

/* On a random map of the least fitness, and on one of ours. */
static void features_are_measured(void **state) {
    (void)state;
    struct scenario *maps[REPRO_MAPS_MAX];
    static const double expected[2][8] = {{0, 5.9, 3, 0, 1, 0.28423727633502738, 0.62798062481972527, 0.5},
                                          {0.35, 12.025, 6, 0, 0, 0.75, 0.65, 1}};
    for (int i = 0; i < REPRO_MAPS_MAX; i++)
        maps[i] = own_map(repro_mapgen_features.maps[i]);
    for (int hand_made = 0; hand_made < SAMPLE(2, 1); hand_made++) {
        struct err e;
        struct repro_repetition trial = {0};
        struct repro_task task = task_of(&repro_mapgen_features, hand_made == 1 ? 2 : 0, 3);
        task.unit.rep = 11; /* the fourth map once more */
        task.maps = maps;
        assert_true(repro_mapgen_features.run(&task, &trial, &e));
        assert_string_equal(trial.note, hand_made == 1 ? "skirmish_open" : "");
        for (int i = 0; i < 8; i++)
            assert_true(repro_is_near(trial.values[i], expected[hand_made][i], 1e-9));
    }
    for (int i = 0; i < REPRO_MAPS_MAX; i++)
        game_unload(maps[i]);
}

static void wrong_settings_are_named(void **state) {
    (void)state;
    struct err e;
    struct plan plan;
    struct evolution ev;
    const struct repro_task task = task_of(&repro_mapgen_trials, 0, 7);
    static const char *const wrong[][3] = {{"nosuch", "", "'nosuch' is unknown"},
                                           {"paper", "games", "'games' sets nothing"},
                                           {"paper", "games=4 colour=red", "colour"},
                                           {"paper", "games=3", "games=3: expected an even number"},
                                           {"paper", "strong=nobody", "'nobody' is unknown"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(mapgen_evolve(&task, wrong[i][0], wrong[i][1], &plan, &ev, &e));
        assert_non_null(strstr(e.text, wrong[i][2]));
        evolution_done(&ev);
    }
}

/* Ctrl-C: every trial ends after its current game. */
static void every_trial_can_be_stopped(void **state) {
    (void)state;
    const atomic_bool stop = true;
    struct scenario *map = own_map("duel");
    struct scenario *maps[REPRO_MAPS_MAX];
    for (int i = 0; i < REPRO_MAPS_MAX; i++)
        maps[i] = map;
    for (int i = 0; i < EXPERIMENTS; i++)
        for (int cell = 0; cell < experiments[i]->cell_count; cell++) {
            struct err e = {{0}};
            struct repro_repetition trial = {0};
            struct repro_task task = task_of(experiments[i], cell, 5);
            task.maps = maps;
            task.stop = &stop;
            assert_false(experiments[i]->run(&task, &trial, &e));
            assert_string_equal(e.text, "stopped");
        }
    game_unload(map);
}

static void fitness_is_on_the_published_scale(void **state) {
    (void)state;
    struct judgement j = {0};
    assert_true(repro_is_near(mapgen_fitness(&j), 1, 0));
    for (int i = 0; i < 20; i++)
        tally_add(&j.strong[i % 2], i < 14 ? 1 : i < 18 ? 0.5 : 0); /* 16 of 20: 8 of 10 */
    assert_true(repro_is_near(mapgen_fitness(&j), 64, 1e-9));
}

/* ---- rows ---- */

enum { TRIALS_MAX = 64 };

static struct repro_result result; /* large */

/* Trials with arbitrary numbers in the range of scores. */
static void invent(const struct repro_experiment *x, int repetitions, struct repro_unit *units,
                   struct repro_repetition *results) {
    struct rng r;
    rng_seed(&r, 9);
    for (int i = 0; i < repetitions * x->cell_count; i++) {
        units[i] = (struct repro_unit){i % x->cell_count, i / x->cell_count};
        results[i] = (struct repro_repetition){.ms = 1 + rng_unit(&r)};
        for (int k = 0; k < REPRO_VALUES_MAX; k++)
            results[i].values[k] = rng_unit(&r);
    }
}

static void check_rows(const struct repro_result *r, int repetitions) {
    repro_check_result(r);
    for (int i = 0; i < r->row_count; i++) {
        const struct repro_row *row = &r->rows[i];
        assert_true(isfinite(row->ours) || isfinite(row->published));
        assert_true(isnan(row->ours) || repetitions < 2 || isfinite(row->low));
    }
}

static void rows_follow_from_trials(void **state) {
    (void)state;
    static struct repro_unit units[TRIALS_MAX];
    static struct repro_repetition results[TRIALS_MAX];
    for (int i = 0; i < EXPERIMENTS; i++)
        for (int repetitions = 1; repetitions <= 4; repetitions += 3) {
            const struct repro_experiment *x = experiments[i];
            assert_true(repetitions * x->cell_count <= TRIALS_MAX);
            invent(x, repetitions, units, results);
            result = (struct repro_result){.experiment = x};
            const struct repro_data data = {
                .experiment = x, .count = repetitions * x->cell_count, .units = units, .results = results};
            output_finish(&data, &result);
            check_rows(&result, repetitions);
            repro_result_done(&result);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_registered),
        cmocka_unit_test(the_maps_are_ours),
        cmocka_unit_test(one_map_is_judged),
        cmocka_unit_test(small_runs_work),
        cmocka_unit_test(runs_are_described),
        cmocka_unit_test(features_are_measured),
        cmocka_unit_test(wrong_settings_are_named),
        cmocka_unit_test(every_trial_can_be_stopped),
        cmocka_unit_test(fitness_is_on_the_published_scale),
        cmocka_unit_test(rows_follow_from_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
