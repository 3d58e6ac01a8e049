/* SPDX-License-Identifier: MIT
 *
 * Two experiments on the genetic algorithm of Taguchi and Sato: their future work, other crossover operators,
 * with and without mutation; and the readings that their text allows, for the pattern of figures 3 to 5.
 */
#include "evolve/evolution.h"
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#define MAPGEN_SOURCE "Taguchi and Sato, IPSJ SIG Technical Report, 2019"

/* ---- measures of a run ---- */

/* Deviations from the means of one generation, summed over all generations. */
struct deviations {
    double xx, yy, xy;
};

/* The origins of a generation follow each other. Welford's recurrence for two variables: x is the parents'
 * mean, y the child's fitness. Returns the index behind the generation. */
static int add_generation(const struct evolution *run, int first, struct deviations *sum) {
    const int generation = run->origins[first].generation;
    double mean_x = 0, mean_y = 0;
    int n = 0, i = first;
    for (; i < run->origin_count && run->origins[i].generation == generation; i++) {
        const struct origin *o = &run->origins[i];
        if (o->parents[0] < 0)
            continue;
        const double one = (double)run->origins[o->parents[0]].fitness;
        const double x = o->parents[1] < 0 ? one : (one + (double)run->origins[o->parents[1]].fitness) / 2;
        const double y = (double)o->fitness, dx = x - mean_x, dy = y - mean_y;
        n++;
        mean_x += dx / n;
        mean_y += dy / n;
        sum->xx += dx * (x - mean_x);
        sum->yy += dy * (y - mean_y);
        sum->xy += dx * (y - mean_y);
    }
    return i;
}

double mapgen_correlation(const struct evolution *run) {
    struct deviations sum = {0};
    for (int i = 0; i < run->origin_count;)
        i = add_generation(run, i, &sum);
    return sum.xx > 0 && sum.yy > 0 ? sum.xy / sqrt(sum.xx * sum.yy) : 0;
}

double mapgen_diversity(const struct evolution *run) {
    double sum = 0;
    for (int i = 0; i < run->count; i++)
        for (int k = 0; k < i; k++)
            sum += genome_difference(&run->individuals[i].genome, &run->individuals[k].genome);
    return run->count > 1 ? sum / (0.5 * run->count * (run->count - 1)) : 0;
}

/* The mean of all maps born in a generation, as first judged. */
static double born_mean(const struct evolution *run, int generation) {
    double sum = 0;
    int n = 0;
    for (int i = 0; i < run->origin_count; i++)
        if (run->origins[i].generation == generation) {
            sum += (double)run->origins[i].fitness;
            n++;
        }
    return n > 0 ? sum / n : 0;
}

/* ---- crossover operators ----
 *
 * The paper chose uniform crossover for its diversity, doubts that it hands on what is good about a map
 * (sections 4.2.2 and 5.2.1), and names better crossover as future work. Runs have half of the published
 * population and all of its ten generations: 240 maps, 2400 games, half of the time, and the population
 * still converges. All cells have the same maps at birth, so differences are taken run by run. */

enum { UNIFORM, BLOCK, REGION, OPERATORS, CROSSOVER_CELLS = 2 * OPERATORS }; /* mutation: behind OPERATORS */
enum { C_FRESH, C_SELECTED, C_MEAN, C_DIVERSITY, C_DIFFERENT, C_CORRELATION, C_MAPS, C_GAMES };

static const struct repro_cell crossover_cells[CROSSOVER_CELLS] = {
    {"[crossover_uniform|uniform]", 0, {NULL}},
    {"[crossover_block|block]", 0, {NULL}},
    {"[crossover_region|region]", 0, {NULL}},
    {"[crossover_uniform|uniform] + [mutation|mutation]", 0, {NULL}},
    {"[crossover_block|block] + [mutation|mutation]", 0, {NULL}},
    {"[crossover_region|region] + [mutation|mutation]", 0, {NULL}},
};

static void describe_crossover(const struct evolution *run, struct repro_repetition *out) {
    const struct individual *best = &run->individuals[run->shown[0]];
    const struct generation *last = &run->generations[run->generation_count - 1];
    out->values[C_FRESH] = mapgen_fitness(&best->fresh);
    out->values[C_SELECTED] = best->fitness;
    out->values[C_MEAN] = last->mean;
    out->values[C_DIVERSITY] = mapgen_diversity(run);
    out->values[C_DIFFERENT] = last->filled;
    out->values[C_CORRELATION] = mapgen_correlation(run);
    out->values[C_MAPS] = run->evaluations;
    out->values[C_GAMES] = last->games;
    snprintf(out->note, sizeof out->note, "map %d: selected with %g, %d fresh games", best->id, best->fitness,
             judgement_contests(&best->fresh));
}

#define HALF "born=40 population=20 show=1 crossover="

static const struct mapgen_run crossover_runs[CROSSOVER_CELLS] = {
    {"paper", HALF "uniform", describe_crossover, true},
    {"paper", HALF "block", describe_crossover, true},
    {"paper", HALF "region", describe_crossover, true},
    {"paper", HALF "uniform mutation=all", describe_crossover, true},
    {"paper", HALF "block mutation=all", describe_crossover, true},
    {"paper", HALF "region mutation=all", describe_crossover, true},
};

static void crossover_finish(const struct repro_data *data, struct repro_result *out) {
    const struct rows_column columns[] = {
        {ROWS_MEAN, C_FRESH, NULL},     {ROWS_MEAN, C_SELECTED, NULL},  {ROWS_MEAN, C_MEAN, NULL},
        {ROWS_MEAN, C_DIVERSITY, NULL}, {ROWS_MEAN, C_DIFFERENT, NULL}, {ROWS_MEAN, C_CORRELATION, NULL},
        {ROWS_MEAN, C_MAPS, NULL},      {ROWS_MEAN, C_GAMES, NULL},
    };
    rows_add_columns(data, out, (struct rows_span){0, CROSSOVER_CELLS}, columns,
                     sizeof columns / sizeof columns[0]);
}

const struct repro_experiment repro_mapgen_crossover = {
    REPRO_EXPERIMENT("mapgen", "crossover", crossover_cells),
    .title = "crossover operators of the genetic algorithm, with and without mutation, same games",
    .source = MAPGEN_SOURCE ", sections 4.2.2, 5.2.1 and 7 (in words)",
    .published =
        "uniform crossover hardly hands on what is good about a map; better crossover is future work",
    .duration = "about ten minutes on two cores (120 runs of 240 maps)",
    .version = 1,
    .repetitions = 20,
    .repetitions_quick = 1,
    .value_names = (const char *const[]){"fresh", "selected", "mean", "diversity", "different", "correlation",
                                         "maps", "games", NULL},
    .run = mapgen_run,
    .details = crossover_runs,
    .finish = crossover_finish,
};

/* ---- readings of the published algorithm ---- */

enum { AS_BUILT, COPIES, ONCE, CHILDREN, WEAKEST, REJUDGE, EVEN, READINGS_CELLS };
enum {
    R_GENERATIONS = 10,
    R_BEST_FIRST = 0,
    R_BEST_LAST,
    R_MEAN,
    R_CANDIDATES_FIRST = R_MEAN + R_GENERATIONS + 1,
    R_CANDIDATES_LAST,
    R_CHILDREN_FIRST,
    R_CHILDREN_LAST,
    R_GAMES
};

static const struct repro_cell readings_cells[READINGS_CELLS] = {
    [AS_BUILT] = {"[reading_built|as built]", 0, {NULL}},
    [COPIES] = {"[reading_copies|a map may survive several times]", 0, {NULL}},
    [ONCE] = {"[reading_once|each survivor is a parent once]", 0, {NULL}},
    [CHILDREN] = {"[reading_children|children replace parents]", 0, {NULL}},
    [WEAKEST] = {"[reading_weakest|children replace, each a parent once]", 0, {NULL}},
    [REJUDGE] = {"[reading_rejudge|parents are judged again]", 0, {NULL}},
    [EVEN] = {"[reading_even|all but the best by chance]", 0, {NULL}},
};

static void describe_reading(const struct evolution *run, struct repro_repetition *out) {
    assert(run->generation_count == R_GENERATIONS + 1);
    const struct generation *last = &run->generations[R_GENERATIONS];
    out->values[R_BEST_FIRST] = run->generations[0].best;
    out->values[R_BEST_LAST] = last->best;
    for (int g = 0; g <= R_GENERATIONS; g++)
        out->values[R_MEAN + g] = run->generations[g].mean;
    out->values[R_CANDIDATES_FIRST] = run->generations[0].candidates;
    out->values[R_CANDIDATES_LAST] = last->candidates;
    out->values[R_CHILDREN_FIRST] = born_mean(run, 1);
    out->values[R_CHILDREN_LAST] = born_mean(run, R_GENERATIONS);
    out->values[R_GAMES] = last->games;
    snprintf(out->note, sizeof out->note, "best %g to %g, mean %.1f to %.1f", run->generations[0].best,
             last->best, run->generations[0].mean, last->mean);
}

static const struct mapgen_run readings_runs[READINGS_CELLS] = {
    [AS_BUILT] = {"paper", "verify=0", describe_reading, true},
    [COPIES] = {"paper", "verify=0 copies=yes", describe_reading, true},
    [ONCE] = {"paper", "verify=0 parents=once", describe_reading, true},
    [CHILDREN] = {"paper", "verify=0 replacement=children", describe_reading, true},
    [WEAKEST] = {"paper", "verify=0 replacement=children parents=once", describe_reading, true},
    [REJUDGE] = {"paper", "verify=0 rejudge=yes", describe_reading, true},
    [EVEN] = {"paper", "verify=0 selection=even", describe_reading, true},
};

static void readings_finish(const struct repro_data *data, struct repro_result *out) {
    const struct rows_column columns[] = {{ROWS_MEAN, R_MEAN, NULL}, {ROWS_MEAN, R_MEAN + 10, NULL}};
    rows_add_columns(data, out, (struct rows_span){0, READINGS_CELLS}, columns, 2);
}

const struct repro_experiment repro_mapgen_readings = {
    REPRO_EXPERIMENT("mapgen", "readings", readings_cells),
    .title = "readings of the published genetic algorithm: how often the mean fitness rises",
    .source = MAPGEN_SOURCE ", sections 5.1.3, 5.1.4 and 5.2, figures 3 to 5",
    .published = "3 runs: best and mean fitness rise in one, neither in two",
    .duration = "about ten minutes on two cores (70 runs of 480 maps)",
    .version = 1,
    .repetitions = 10,
    .repetitions_quick = 1,
    .value_names =
        (const char *const[]){"best_0", "best_10", "mean_0", "mean_1", "mean_2", "mean_3", "mean_4", "mean_5",
                              "mean_6", "mean_7", "mean_8", "mean_9", "mean_10", "candidates_0",
                              "candidates_10", "children_1", "children_10", "games", NULL},
    .run = mapgen_run,
    .details = readings_runs,
    .finish = readings_finish,
};
