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

static const struct repro_experiment *const experiments[] = {&repro_mapgen_trials,    &repro_mapgen_cost,
                                                             &repro_mapgen_random,    &repro_mapgen_features,
                                                             &repro_mapgen_crossover, &repro_mapgen_readings};
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

/* Cells with the same seed are the same run, however the repetition's own seed differs. */
static void cells_can_share_their_seed(void **state) {
    (void)state;
    static const struct repro_cell cells[2] = {{.label = "own"}, {.label = "shared"}};
    static const struct mapgen_run runs[2] = {{"paper", SMALL, mapgen_describe_best, false},
                                              {"paper", SMALL, mapgen_describe_best, true}};
    static const struct repro_experiment x = {.cells = cells, .cell_count = 2, .details = runs};
    for (int cell = 0; cell < 2; cell++) {
        struct repro_repetition out[2] = {{.ms = 0}, {.ms = 0}};
        for (int i = 0; i < 2; i++) {
            struct err e;
            struct repro_task task = task_of(&x, cell, 11 + (uint64_t)i);
            task.deal_seed = 4;
            assert_true(mapgen_run(&task, &out[i], &e));
        }
        if (cell == 1)
            assert_memory_equal(out[0].values, out[1].values, sizeof out[0].values);
        else
            assert_memory_not_equal(out[0].values, out[1].values, sizeof out[0].values);
    }
}

/* Two generations of children. Within each the children follow the mean of their parents, against the trend
 * from one generation to the next. */
static void correlation_is_within_generations(void **state) {
    (void)state;
    struct origin origins[] = {
        {.parents = {-1, -1}, .generation = 0, .fitness = 10},
        {.parents = {-1, -1}, .generation = 0, .fitness = 20},
        {.parents = {-1, -1}, .generation = 0, .fitness = 40},
        {.parents = {0, 1}, .generation = 1, .fitness = 115},
        {.parents = {0, 2}, .generation = 1, .fitness = 125},
        {.parents = {1, 2}, .generation = 1, .fitness = 130},
        {.parents = {3, 4}, .generation = 2, .fitness = 20},
        {.parents = {5, -1}, .generation = 2, .fitness = 30},
    };
    struct evolution ev = {.origins = origins, .origin_count = 8};
    assert_true(repro_is_near(mapgen_correlation(&ev), 1, 1e-9));
    ev.origin_count = 3; /* no children */
    assert_true(repro_is_near(mapgen_correlation(&ev), 0, 0));
    ev.origin_count = 6;
    origins[3].fitness = 130; /* parents 15, 25, 30; children 130, 125, 130 */
    const double expected = ((15 - 70 / 3.0) * (130 - 385 / 3.0) + (25 - 70 / 3.0) * (125 - 385 / 3.0) +
                             (30 - 70 / 3.0) * (130 - 385 / 3.0)) /
                            sqrt(350 / 3.0 * 50 / 3.0);
    assert_true(repro_is_near(mapgen_correlation(&ev), expected, 1e-9));
}

static void diversity_is_the_mean_of_all_pairs(void **state) {
    (void)state;
    struct individual maps[3] = {{.id = 0}};
    struct evolution ev = {.individuals = maps, .count = 3};
    for (int i = 0; i < 3; i++)
        maps[i].genome = (struct genome){.width = 6, .height = 6};
    assert_true(repro_is_near(mapgen_diversity(&ev), 0, 0));
    maps[2].genome.cells[7].terrain = 1; /* half a cell of 36, in two of three pairs */
    assert_true(repro_is_near(mapgen_diversity(&ev), 0.5 / 36 * 2 / 3, 1e-12));
    ev.count = 1;
    assert_true(repro_is_near(mapgen_diversity(&ev), 0, 0));
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

enum { TRIALS_MAX = 160 };

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

static const struct repro_row *row_of(const char *label) {
    for (int i = 0; i < result.row_count; i++)
        if (strcmp(result.rows[i].label, label) == 0)
            return &result.rows[i];
    fail_msg("no row '%s'", label);
    return NULL;
}

/* Sums up invented trials; the caller drops the result. */
static void sum_up(const struct repro_experiment *x, int repetitions,
                   void (*change)(struct repro_repetition *, int)) {
    static struct repro_unit units[TRIALS_MAX];
    static struct repro_repetition results[TRIALS_MAX];
    assert_true(repetitions * x->cell_count <= TRIALS_MAX);
    invent(x, repetitions, units, results);
    for (int i = 0; change != NULL && i < repetitions * x->cell_count; i++)
        change(&results[i], units[i].rep);
    result = (struct repro_result){.experiment = x, .repetitions = repetitions};
    const struct repro_data data = {
        .experiment = x, .count = repetitions * x->cell_count, .units = units, .results = results};
    output_finish(&data, &result);
}

/* As published: in the first run all rises, in the two others nothing does. */
static void publish(struct repro_repetition *run, int rep) {
    const bool rises = rep == 0;
    run->values[0] = 64;                 /* best at birth … */
    run->values[1] = rises ? 216 : 64;   /* … and at the end */
    run->values[2] = 20;                 /* the survivors' mean … */
    run->values[12] = rises ? 120 : 30;  /* … hardly rises */
    run->values[13] = 20;                /* the mean before selection … */
    run->values[14] = rises ? 110 : 130; /* … rises always */
}

static void the_published_pattern_has_a_chance(void **state) {
    (void)state;
    sum_up(&repro_mapgen_readings, 3, publish);
    assert_true(repro_is_near(row_of("as built: best unchanged")->ours, 200 / 3.0, 1e-9));
    assert_true(repro_is_near(row_of("as built: mean rises, survivors")->ours, 100 / 3.0, 1e-9));
    assert_true(repro_is_near(row_of("as built: mean rises, before selection")->ours, 100, 1e-9));
    assert_true(repro_is_near(row_of("as built: rise, survivors")->ours, 40, 1e-9));
    const struct repro_row *row = row_of("as built: pattern, survivors");
    assert_true(repro_is_near(row->ours, 100 * 3 * (1 / 3.0) * (4 / 9.0), 1e-9));
    assert_true(row->low > 0 && row->low < row->ours);
    assert_true(repro_is_near(row->high, 100 * 3 * (1 / 3.0) * (4 / 9.0), 1e-9)); /* no chances give more */
    assert_true(repro_is_near(row_of("as built: pattern, before selection")->ours, 0, 1e-9));
    repro_result_done(&result);
}

/* Where no run is flat, twice as many runs leave the pattern less of a chance. */
static void rise_always(struct repro_repetition *run, int rep) {
    publish(run, 0);
    run->values[1] += rep;
}

static void more_runs_narrow_the_chance(void **state) {
    (void)state;
    double high[2];
    for (int i = 0; i < 2; i++) {
        sum_up(&repro_mapgen_readings, 4 * (i + 1), rise_always);
        high[i] = row_of("judged again: pattern, survivors")->high;
        assert_true(repro_is_near(row_of("judged again: pattern, survivors")->low, 0, 1e-9));
        repro_result_done(&result);
    }
    assert_true(high[1] < 0.8 * high[0]);
    assert_true(high[0] < 45);
}

/* One run with both, ten with neither, nine in between. */
static void rise_seldom(struct repro_repetition *run, int rep) {
    publish(run, rep < 1 ? 0 : 1);
    run->values[1] = rep < 1 || rep > 10 ? 216 : 64;
}

/* The greatest and the least chance of all shares within their intervals, by trying them. */
static void the_interval_holds_all_chances(void **state) {
    (void)state;
    enum { RUNS = 20, STEPS = 400 };
    const double z = stats_normal_quantile(0.9875);
    const struct interval both = stats_wilson(1.0 / RUNS, RUNS, z), neither = stats_wilson(0.5, RUNS, z);
    double least = 1, most = 0;
    for (int i = 0; i <= STEPS; i++)
        for (int k = 0; k <= STEPS; k++) {
            const double p = both.low + (both.high - both.low) * i / STEPS,
                         q = neither.low + (neither.high - neither.low) * k / STEPS;
            if (p + q <= 1) {
                least = fmin(least, 3 * p * q * q);
                most = fmax(most, 3 * p * q * q);
            }
        }
    sum_up(&repro_mapgen_readings, RUNS, rise_seldom);
    const struct repro_row *row = row_of("as built: pattern, survivors");
    assert_true(repro_is_near(row->ours, 100 * 3 * 0.05 * 0.25, 1e-9));
    assert_true(repro_is_near(row->low, 100 * least, 1e-9));
    assert_true(row->high >= 100 * most - 1e-9 && row->high < 100 * most + 0.5);
    repro_result_done(&result);
}

/* All runs are drawn, and their means over them. */
static void every_run_is_drawn(void **state) {
    (void)state;
    sum_up(&repro_mapgen_trials, 20, NULL);
    const char *script = text_string(&result.plots[0].script), *data = text_string(&result.plots[0].data);
    int lines = 0;
    for (const char *at = script; (at = strstr(at, "using 1:")) != NULL; at++)
        lines++;
    assert_int_equal(lines, 2 * (2 + 2 * 20)); /* for SVG and for PNG */
    assert_non_null(strstr(data, ",best of run 20,mean of run 20\n"));
    repro_result_done(&result);
}

static void ratings_are_as_printed(void **state) {
    (void)state;
    static const struct {
        const char *label;
        double mean, margin;
    } printed[] = {{"people: looks hand-made, low fitness B", 1.2, 0.88},
                   {"people: looks hand-made, hand-made B", 4.0, 3.4},
                   {"people: fun to think about, high fitness A", 4.4, 1.1},
                   {"people: fun to think about, hand-made B", 5.0, 0.0}};
    int ratings = 0;
    sum_up(&repro_mapgen_features, 2, NULL);
    for (int i = 0; i < result.row_count; i++)
        ratings += strncmp(result.rows[i].label, "people: ", 8) == 0 && result.rows[i].published_n == 5;
    assert_int_equal(ratings, 12);
    for (size_t i = 0; i < sizeof printed / sizeof printed[0]; i++) {
        assert_true(repro_is_near(row_of(printed[i].label)->published, printed[i].mean, 0));
        assert_true(repro_is_near(row_of(printed[i].label)->published_margin, printed[i].margin, 0));
    }
    assert_int_equal(result.plot_count, 1);
    assert_non_null(strstr(text_string(&result.plots[0].data), "\n0,2,1,5,5,5\n")); /* fun, hand-made B */
    assert_non_null(strstr(text_string(&result.plots[0].data), "\n4,0,1,1.2,1,2.08\n")); /* within 1 … 5 */
    repro_result_done(&result);
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
        cmocka_unit_test(cells_can_share_their_seed),
        cmocka_unit_test(correlation_is_within_generations),
        cmocka_unit_test(diversity_is_the_mean_of_all_pairs),
        cmocka_unit_test(fitness_is_on_the_published_scale),
        cmocka_unit_test(rows_follow_from_trials),
        cmocka_unit_test(the_published_pattern_has_a_chance),
        cmocka_unit_test(more_runs_narrow_the_chance),
        cmocka_unit_test(the_interval_holds_all_chances),
        cmocka_unit_test(every_run_is_drawn),
        cmocka_unit_test(ratings_are_as_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
