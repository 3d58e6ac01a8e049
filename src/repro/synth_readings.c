/* SPDX-License-Identifier: MIT
 *
 * Equation (6) of the paper, when AMCTS searches again, is lost. Every reading of it (and the controls
 * `always` and `never`) plays against PIMC and against IIMC, on the same deals, with counted playouts: which
 * of them make AMCTS what the paper reports of it?
 */
#include "repro/synth_plot.h"

#include <stdio.h>

enum { PIMC, IIMC, OPPONENTS };
enum { DFS = 3, READINGS = 10, CELLS = OPPONENTS * READINGS * DFS };

static const char *const opponents[] = {"PIMC", "IIMC"};
static const char *const dfs[] = {"df 0.1", "df 0.5", "df 0.9"};
static const char *const names[READINGS] = {"6w", "6g",     "6x",    "6c",      "6q",
                                            "6i", "always", "never", "6w keep", "6w both"};

#define THREE(name, a, b)                                                                                    \
    SYNTH_CELL(", " name, 0.1, a, b), SYNTH_CELL(", " name, 0.5, a, b), SYNTH_CELL(", " name, 0.9, a, b)

/* "6w keep": the second search adds to the first. "6w both": PIMC chooses both sides' moves in playouts, in
 * IIMC's as well. */
#define AGAINST(name, b, b_both)                                                                             \
    THREE("6w" name, "amcts:rule=6w", b), THREE("6g" name, "amcts:rule=6g", b),                              \
        THREE("6x" name, "amcts:rule=6x", b), THREE("6c" name, "amcts:rule=6c", b),                          \
        THREE("6q" name, "amcts:rule=6q", b), THREE("6i" name, "amcts:rule=6i", b),                          \
        THREE("always" name, "amcts:rule=always", b), THREE("never" name, "amcts:rule=never", b),            \
        THREE("6w keep" name, "amcts:rule=6w,keep=yes", b),                                                  \
        THREE("6w both" name, "amcts:rule=6w,opponent=pimc", b_both)

static const struct repro_cell cells[CELLS] = {
    AGAINST(" against PIMC", SYNTH_PIMC, SYNTH_PIMC),
    AGAINST(" against IIMC", SYNTH_IIMC, SYNTH_IIMC_BOTH),
};

static struct synth_span span_of(int opponent, int reading) {
    return (struct synth_span){(opponent * READINGS + reading) * DFS, DFS};
}

/* ---- rows ---- */

static double relative_leaves(const struct repro_data *data, int cell) {
    const double theirs = rows_sum(data, cell, SYNTH_LEAVES_B).mean;
    return theirs > 0 ? rows_sum(data, cell, SYNTH_LEAVES_A).mean / theirs : 0;
}

static void add_relative(const struct repro_data *data, struct repro_result *out, struct synth_span span,
                         const char *opponent) {
    for (int i = span.first; i < span.first + span.count; i++) {
        char label[REPRO_NAME_MAX];
        snprintf(label, sizeof label, "%s: leaves, %s's are 1", cells[i].label, opponent);
        struct repro_row *row = rows_add(out, label, "", REPRO_NONE);
        row->ours = relative_leaves(data, i);
        row->trials = rows_sum(data, i, SYNTH_LEAVES_A).n;
    }
}

static void add_shares(const struct repro_data *data, struct repro_result *out, struct synth_span span) {
    for (int i = span.first; i < span.first + span.count; i++) {
        const struct cell_sum s = rows_sum(data, i, SYNTH_SWITCHED);
        char label[REPRO_NAME_MAX];
        snprintf(label, sizeof label, "%s: moves searched again", cells[i].label);
        rows_add_mean(out, label, "%", 100, &s);
    }
}

/* ---- what the paper reports, reading by reading ---- */

static void judge_reading(const struct repro_data *data, struct repro_result *out, int reading) {
    double means[OPPONENTS][DFS];
    for (int o = 0; o < OPPONENTS; o++)
        for (int i = 0; i < DFS; i++)
            means[o][i] = rows_sum(data, span_of(o, reading).first + i, SYNTH_MEAN).mean;
    const struct synth_verdicts p = synth_judge(data, span_of(PIMC, reading));
    const struct synth_verdicts q = synth_judge(data, span_of(IIMC, reading));
    const struct cell_sum pooled = synth_pooled(data, span_of(PIMC, reading), SYNTH_MEAN);
    rows_add_finding(
        out, pooled.t95.low > SYNTH_EVEN && p.below == 0,
        "%s: more than PIMC: %.3f, %.3f, %.3f; %.3f (%.3f to %.3f) in all, behind at %d of %d df",
        names[reading], means[PIMC][0], means[PIMC][1], means[PIMC][2], pooled.mean, pooled.t95.low,
        pooled.t95.high, p.below, DFS);
    rows_add_finding(
        out, fabs(q.farthest) <= SYNTH_AXIS && q.above == 0,
        "%s: about equal to IIMC (within %.2f at each df) and not above: %.3f, %.3f, %.3f; by the "
        "intervals above at %d of %d, below at %d",
        names[reading], SYNTH_AXIS, means[IIMC][0], means[IIMC][1], means[IIMC][2], q.above, DFS, q.below);
}

/* ---- pictures: a place for each reading, a colour for each df ---- */

static struct cell_sum against_pimc(const struct repro_data *data, int line, int point) {
    return rows_sum(data, span_of(PIMC, point).first + line, SYNTH_MEAN);
}

static struct cell_sum against_iimc(const struct repro_data *data, int line, int point) {
    return rows_sum(data, span_of(IIMC, point).first + line, SYNTH_MEAN);
}

static struct cell_sum cost(const struct repro_data *data, int line, int point) {
    return (struct cell_sum){.mean = relative_leaves(data, span_of(IIMC, point).first + line),
                             .t95 = {REPRO_NONE, REPRO_NONE}};
}

static void draw(const struct repro_data *data, struct repro_result *out) {
    struct synth_lines lines = {.count = DFS,
                                .points = READINGS,
                                .names = dfs,
                                .places = names,
                                .axis_x = "reading of equation (6)",
                                .axis_y = "mean payoff (the axis does not begin at 0)",
                                .format = "%.2f",
                                .at = against_pimc,
                                .level = SYNTH_EVEN};
    synth_plot_lines(data, out, "pimc", "Readings of equation (6): AMCTS against PIMC", &lines);
    lines.at = against_iimc;
    synth_plot_lines(data, out, "iimc", "Readings of equation (6): AMCTS against IIMC", &lines);
    lines.at = cost;
    lines.axis_y = "leaf evaluations a move (IIMC's are 1)";
    lines.level = 1;
    synth_plot_lines(data, out, "cost", "Readings of equation (6): cost", &lines);
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    for (int o = 0; o < OPPONENTS; o++)
        synth_add_rows(data, out, (struct synth_span){o * READINGS * DFS, READINGS * DFS}, SYNTH_MEAN,
                       "payoff");
    for (int o = 0; o < OPPONENTS; o++)
        add_relative(data, out, (struct synth_span){o * READINGS * DFS, READINGS * DFS}, opponents[o]);
    /* AMCTS does the same against both. */
    synth_add_rows(data, out, (struct synth_span){0, READINGS * DFS}, SYNTH_MS_A, "ms a move");
    add_shares(data, out, (struct synth_span){0, READINGS * DFS});
    for (int reading = 0; reading < READINGS; reading++)
        judge_reading(data, out, reading);
    draw(data, out);
    return true;
}

const struct repro_experiment repro_synth_readings = {
    .name = "synth-readings",
    .group = "synth",
    .part_of = "synth-all",
    .title = "AMCTS under every reading of the lost equation (6), against PIMC and IIMC",
    .source = SYNTH_SOURCE ", equation (6), figures 2 and 4",
    .published = "better than PIMC; about equal to IIMC and not above. The equation itself is lost",
    .duration = "about two and a half minutes on two cores",
    .version = 1,
    .trials = SYNTH_DEALS,
    .trials_quick = 50,
    .cells = cells,
    .cell_count = CELLS,
    .value_names = synth_value_names,
    .run = synth_play_deal,
    .finish = finish,
};
