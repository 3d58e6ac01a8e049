/* SPDX-License-Identifier: MIT
 *
 * Section 5.1 of Sato, Fujiki and Ikeda: a turn of r units with n actions each has about n^r * r!
 * combinations. The exact numbers on a few maps stand beside that estimate: sequences of actions (the order
 * counts), and different positions at the turn's end (it does not).
 */
#include "game/tbs/map_stats.h"
#include "repro/plot.h"
#include "repro/rows.h"
#include "repro/tbs.h"

#include <stdio.h>

static const char *const maps[] = {"duel", "rooms", "lane", "standard", NULL};

enum { CELLS = 4, CHESS = 35, GO = 250, POSITIONS_MAX = 100000000 };

static const struct repro_cell cells[CELLS] = {
    {.label = "duel", .map = 0},
    {.label = "rooms", .map = 1},
    {.label = "lane", .map = 2},
    {.label = "standard", .map = 3},
};

enum { VALUE_UNITS, VALUE_MEAN, VALUE_ESTIMATE, VALUE_EXACT, VALUE_ENDS };
static const char *const value_names[] = {"units",        "actions_per_unit", "estimate",
                                          "combinations", "positions_at_end", NULL};

/* A number that cannot be had within the limit is -1. */
static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    const struct scenario *map = task->maps[task->cell->map];
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r;
    struct tbs_turn_stats stats;
    rng_seed(&r, task->seed);
    map->game->start(state, map, &r);
    if (!tbs_turn_stats(map->game, state, POSITIONS_MAX, &stats, e))
        return false;
    out->values[VALUE_UNITS] = stats.units;
    out->values[VALUE_MEAN] = stats.actions_mean;
    out->values[VALUE_ESTIMATE] = stats.estimate;
    out->values[VALUE_EXACT] = !stats.is_counted ? -1
                               : stats.is_exact  ? (double)stats.combinations
                                                 : stats.combinations_real;
    out->values[VALUE_ENDS] = stats.ends_are_counted ? (double)stats.ends : -1;
    return true;
}

/* Nothing in it is random. */
static int cell_trials(const struct repro_experiment *experiment, int cell, int trials) {
    (void)experiment;
    (void)cell;
    (void)trials;
    return 1;
}

static double factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

static double power(double base, int exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

static double known(double count) {
    return count > 0 ? count : REPRO_NONE;
}

static void add_plot(const struct repro_data *data, struct repro_result *out) {
    struct repro_plot *plot = plot_add(out, "counts", "Action combinations of the first turn");
    text_add_string(&plot->data, "map,estimate,combinations,positions_at_end\n");
    for (int cell = 0; cell < CELLS; cell++) {
        const double *v = rows_first(data, cell)->values;
        text_add(&plot->data, "%s,%.6g,%.6g,%.6g\n", cells[cell].label, v[VALUE_ESTIMATE],
                 known(v[VALUE_EXACT]), known(v[VALUE_ENDS]));
    }
    plot_script(
        plot,
        "set style fill solid 0.9 noborder\n"
        "set boxwidth 0.26\n"
        "set logscale y\n"
        "set format y \"10^%T\"\n"
        "set ytics enhanced\n"
        "set xrange [-0.6:3.6]\n"
        "set xtics noenhanced\n"
        "set key outside bottom center horizontal\n",
        "plot data skip 1 using ($0 - 0.27):2 with boxes lc rgb \"#9aa5b1\" title \"estimate\", \\\n"
        "     data skip 1 using 0:3:xtic(1) with boxes lc rgb \"#2f6db5\" title \"exact, in order\", \\\n"
        "     data skip 1 using ($0 + 0.27):4 with boxes lc rgb \"#2a9d4b\" title \"different ends\"\n");
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    rows_add_exact(out, "10 actions, 6 units: n^r * r!", 720000000, power(10, 6) * factorial(6));
    rows_add_exact(out, "the same in three parts of 2 units", 600, 3 * power(10, 2) * factorial(2));
    rows_add_exact(out, "the same, one action at a time", 210, 10 * (6 + 5 + 4 + 3 + 2 + 1));
    bool large = true, near = true;
    for (int cell = 0; cell < CELLS; cell++) {
        char label[REPRO_NAME_MAX];
        const double *v = rows_first(data, cell)->values;
        snprintf(label, sizeof label, "%s: %d units, actions each", cells[cell].label, (int)v[VALUE_UNITS]);
        rows_add_exact(out, label, REPRO_NONE, v[VALUE_MEAN]);
        rows_label(label, cells[cell].label, ": estimate");
        rows_add_exact(out, label, REPRO_NONE, v[VALUE_ESTIMATE]);
        rows_label(label, cells[cell].label, ": exact, in order");
        rows_add_exact(out, label, REPRO_NONE, known(v[VALUE_EXACT]));
        rows_label(label, cells[cell].label, ": different ends");
        rows_add_exact(out, label, REPRO_NONE, known(v[VALUE_ENDS]));
        const double ratio = v[VALUE_EXACT] / v[VALUE_ESTIMATE];
        large = large && (v[VALUE_UNITS] < 6 || v[VALUE_EXACT] > GO);
        near = near && ratio > 0.1 && ratio < 10;
    }
    rows_add_finding(out, large,
                     "a turn of six units has far more combinations than a move in chess (%d) or Go (%d)",
                     CHESS, GO);
    rows_add_finding(out, near, "the estimate is right to a factor of ten on every map");
    add_plot(data, out);
    return true;
}

const struct repro_experiment repro_tbs_branching = {
    .name = "tbs-branching",
    .group = "tbs",
    .title = "how many combinations of actions a turn has",
    .source = "Sato, Fujiki and Ikeda, section 5.1",
    .published = "10 actions, 6 units: 720,000,000",
    .duration = "seconds",
    .version = 2,
    .trials = 1,
    .trials_quick = 1,
    .maps = maps,
    .rules = "tubstap",
    .cells = cells,
    .cell_count = CELLS,
    .value_names = value_names,
    .cell_trials = cell_trials,
    .run = run,
    .finish = finish,
};
