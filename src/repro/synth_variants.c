/* SPDX-License-Identifier: MIT
 *
 * Variants of AMCTS on synthetic trees: the readings of the lost equation (6), and whether it matters when
 * AMCTS searches again.
 */
#include "repro/experiments.h"
#include "repro/plot.h"
#include "repro/synth.h"

/* ---- pictures ---- */

/* Payoffs of several kinds of A over df (or readings), a line each with intervals. */
struct lines {
    int count, points;
    const char *const *names;             /* of the lines */
    const char *const *places;            /* of the points */
    const char *axis_x, *axis_y, *format; /* labels, and gnuplot's format of the numbers at the y axis */
    int first, per_line, per_point,
        value; /* what is drawn: cell first + line * per_line + point * per_point */
    struct cell_sum (*at)(const struct repro_data *data, int line, int point); /* in place of that, or NULL */
    double level;                                                              /* a dotted line */
    bool joined; /* joins the points of a line: values between them make sense */
};

/* Colours that stay apart in grey and for most colour-blind eyes. */
static const char *const colours[] = {"#2f6db5", "#d9822b", "#5a9e4b", "#8a5aa8", "#444444"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

/* Points of one line are three columns of the data: mean, low, high. Where there is no interval these are
 * NaN, which gnuplot leaves out. */
static void plot_lines(const struct repro_data *data, struct repro_result *out, const char *suffix,
                       const char *title, const struct lines *lines) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    text_add_string(&plot->data, "place");
    for (int line = 0; line < lines->count; line++)
        text_add(&plot->data, ",%s,low,high", rows_plain(lines->names[line]).text);
    for (int point = 0; point < lines->points; point++) {
        text_add(&plot->data, "\n%s", lines->places[point]);
        for (int line = 0; line < lines->count; line++) {
            const int cell = lines->first + line * lines->per_line + point * lines->per_point;
            synth_add_sum(lines->at != NULL ? lines->at(data, line, point)
                                            : rows_sum(data, cell, lines->value),
                          1, &plot->data);
        }
    }
    text_add_string(&plot->data, "\n");
    text_add_string(&plot->commands, SYNTH_KEY_BELOW);
    plot_axes(plot, lines->axis_x, lines->axis_y);
    text_add(&plot->commands,
             "set format y \"%s\"\n"
             "set xrange [-0.5:%d.5]\n"
             "set arrow 1 from graph 0, first %g to graph 1, first %g nohead dt 3 lc rgb \"#111111\"\n"
             "set xtics noenhanced (",
             lines->format, lines->points - 1, lines->level, lines->level);
    for (int i = 0; i < lines->points; i++)
        text_add(&plot->commands, "%s\"%s\" %d", i > 0 ? ", " : "", lines->places[i], i);
    text_add_string(&plot->commands, ")\n");
    for (int line = 0; line < lines->count; line++) {
        /* Side by side, so that the intervals at one place do not overlap. */
        const double shift = 0.12 * (line - (lines->count - 1) / 2.0);
        const int column = 2 + 3 * line;
        const char *colour = colours[line % COLOURS];
        text_add(&plot->drawing,
                 "%s data skip 1 using ($0 + %g):%d with %s pt %d ps 1.2 lw 1.5 lc rgb \"%s\" title \"%s\", "
                 "\\\n"
                 "     data skip 1 using ($0 + %g):%d:(0):($%d - $%d) with vectors heads size screen "
                 "0.003,90 lw 1.2 lc rgb \"%s\" notitle%s\n",
                 line == 0 ? "plot" : "    ", shift, column, lines->joined ? "linespoints" : "points",
                 5 + 2 * line, colour, plot_text(plot, lines->names[line]).text, shift, column + 1,
                 column + 2, column + 1, colour, line + 1 < lines->count ? ", \\" : "");
    }
    plot_script(plot);
}

/* ---- readings ----
 *
 * Equation (6) of the paper, which decides when AMCTS searches again, is lost. Every reading of it (and the
 * controls `always` and `never`) plays against PIMC and against IIMC, on the same deals, with counted
 * playouts. The findings show which readings reproduce the paper's report. */

enum { PIMC, IIMC, OPPONENTS };
enum { DFS = 3, READINGS = 10, READINGS_CELLS = OPPONENTS * READINGS * DFS };

static const char *const opponents[] = {"PIMC", "IIMC"};
static const char *const readings_dfs[] = {"df 0.1", "df 0.5", "df 0.9"};
static const char *const readings_names[READINGS] = {"6w", "6g",     "6x",    "6c",      "6q",
                                                     "6i", "always", "never", "6w keep", "6w both"};

#define THREE(name, a, b)                                                                                    \
    SYNTH_CELL(", " name, 0.1, a, b), SYNTH_CELL(", " name, 0.5, a, b), SYNTH_CELL(", " name, 0.9, a, b)

/* "6w keep": the second search adds to the first. "6w both": PIMC chooses both sides' moves in playouts, in
 * IIMC's as well. */
#define READINGS_AGAINST(name, b, b_both)                                                                    \
    THREE("6w" name, "amcts:rule=6w", b), THREE("6g" name, "amcts:rule=6g", b),                              \
        THREE("6x" name, "amcts:rule=6x", b), THREE("6c" name, "amcts:rule=6c", b),                          \
        THREE("6q" name, "amcts:rule=6q", b), THREE("6i" name, "amcts:rule=6i", b),                          \
        THREE("always" name, "amcts:rule=always", b), THREE("never" name, "amcts:rule=never", b),            \
        THREE("6w keep" name, "amcts:rule=6w,keep=yes", b),                                                  \
        THREE("6w both" name, "amcts:rule=6w,opponent=pimc", b_both)

static const struct repro_cell readings_cells[READINGS_CELLS] = {
    READINGS_AGAINST("[against| against ]PIMC", SYNTH_PIMC, SYNTH_PIMC),
    READINGS_AGAINST("[against| against ]IIMC", SYNTH_IIMC, SYNTH_IIMC_BOTH),
};

/* Cells are ordered by opponent, then reading, then df. */
static struct rows_span readings_span_of(int opponent, int reading) {
    return (struct rows_span){(opponent * READINGS + reading) * DFS, DFS};
}

/* ---- rows ---- */

/* AMCTS's leaves, the opponent's being 1. */
static double relative_leaves(const struct repro_data *data, int cell) {
    return synth_ratio(data, cell, SYNTH_LEAVES_A, cell, SYNTH_LEAVES_B);
}

/* ---- what the paper reports, reading by reading ---- */

/* Two findings for each reading: what the paper says about PIMC, and about IIMC. A reading that makes both
 * hold could be the lost equation. */
static void judge_reading(const struct repro_data *data, struct repro_result *out, int reading) {
    double means[OPPONENTS][DFS];
    for (int o = 0; o < OPPONENTS; o++)
        for (int i = 0; i < DFS; i++)
            means[o][i] = rows_sum(data, readings_span_of(o, reading).first + i, SYNTH_MEAN).mean;
    const struct synth_verdicts p = synth_judge(data, readings_span_of(PIMC, reading));
    const struct synth_verdicts q = synth_judge(data, readings_span_of(IIMC, reading));
    const struct cell_sum pooled =
        synth_contrast(data, SYNTH_MEAN, readings_span_of(PIMC, reading), (struct rows_span){0});
    rows_add_finding(
        out, pooled.t95.low > SYNTH_EVEN && p.below == 0, "finding.more_pimc_all_behind",
        "%s: more than PIMC: %.3f, %.3f, %.3f; %.3f (%.3f to %.3f) in all, behind at %d of %d df",
        readings_names[reading], means[PIMC][0], means[PIMC][1], means[PIMC][2], pooled.mean, pooled.t95.low,
        pooled.t95.high, p.below, DFS);
    rows_add_finding(
        out, fabs(q.farthest) <= SYNTH_AXIS && q.above == 0, "finding.about_equal_iimc_within",
        "%s: about equal to IIMC (within %.2f at each df) and not above: %.3f, %.3f, %.3f; by the "
        "intervals above at %d of %d, below at %d",
        readings_names[reading], SYNTH_AXIS, means[IIMC][0], means[IIMC][1], means[IIMC][2], q.above, DFS,
        q.below);
}

/* ---- pictures: a place for each reading, a colour for each df ---- */

/* A ratio without an interval. */
static struct cell_sum readings_cost(const struct repro_data *data, int line, int point) {
    return (struct cell_sum){.mean = relative_leaves(data, readings_span_of(IIMC, point).first + line),
                             .t95 = {REPRO_NONE, REPRO_NONE}};
}

static void readings_finish(const struct repro_data *data, struct repro_result *out) {
    static const struct rows_column ms = {ROWS_TIME, SYNTH_MS_A, ": [ms_a_move|ms a move]"};
    const struct rows_span pimc = {0, READINGS * DFS}; /* AMCTS does the same against both */
    rows_add_columns(data, out, (struct rows_span){0, READINGS_CELLS}, &synth_payoff, 1);
    for (int cell = 0; cell < READINGS_CELLS; cell++) {
        const struct rows_label label =
            rows_label("%s: [leaves|leaves], %s[are_1|'s are 1]", readings_cells[cell].label,
                       opponents[cell / (READINGS * DFS)]);
        struct repro_row *row = rows_add(out, label.text, "", REPRO_NONE);
        row->ours = relative_leaves(data, cell); /* no interval: costs hardly vary */
        row->repetitions = rows_sum(data, cell, SYNTH_LEAVES_A).n;
    }
    rows_add_columns(data, out, pimc, &ms, 1);
    rows_add_columns(data, out, pimc, &synth_switched, 1);
    for (int reading = 0; reading < READINGS; reading++)
        judge_reading(data, out, reading);
    struct lines lines = {.count = DFS,
                          .points = READINGS,
                          .names = readings_dfs,
                          .places = readings_names,
                          .axis_x = "[axis_reading|reading of equation (6)]",
                          .axis_y = SYNTH_AXIS_PAYOFF,
                          .format = "%.2f",
                          .per_line = 1,
                          .per_point = DFS,
                          .value = SYNTH_MEAN,
                          .level = SYNTH_EVEN};
    plot_lines(data, out, "pimc", "Readings of equation (6): AMCTS against PIMC", &lines);
    lines.first = readings_span_of(IIMC, 0).first;
    plot_lines(data, out, "iimc", "Readings of equation (6): AMCTS against IIMC", &lines);
    lines.at = readings_cost;
    lines.axis_y = "[axis_leaves_of_iimc|leaf evaluations a move (IIMC's are 1)]";
    lines.level = 1;
    plot_lines(data, out, "cost", "Readings of equation (6): cost", &lines);
}

const struct repro_experiment repro_synth_readings = {
    REPRO_EXPERIMENT("synth", "readings", readings_cells),
    .part_of = "synth-all",
    .title = "AMCTS under every reading of the lost equation (6), against PIMC and IIMC",
    .source = SYNTH_SOURCE ", equation (6), figures 2 and 4",
    .published = "better than PIMC; about equal to IIMC and not above. The equation itself is lost",
    .duration = "about two and a half minutes on two cores",
    .version = 1,
    .repetitions = SYNTH_DEALS,
    .repetitions_quick = 50,
    .value_names = synth_value_names,
    .run = synth_play_deal,
    .finish = readings_finish,
};

/* ---- switching ----
 *
 * Does it matter when AMCTS searches again? The reading 6w, `never`, `always`, and random switching at the
 * same cost all play against PIMC on the same deals, so that differences are taken deal by deal; 6w also
 * plays against random switching itself.
 *
 * A search's cost depends only on the cell sizes along the path, and their distribution does not depend on
 * the moves. So random switching with probability p costs never's leaves plus p times the difference to
 * always's, and
 *     p = (leaves of 6w - leaves of never) / (leaves of always - leaves of never)
 * costs as much as 6w. The probabilities below were found that way by
 *     senjutsu repro synth-switching --seed 2026
 * (its row "probability of equal cost"); other seeds then show whether the costs meet. */

enum { ADAPTIVE, RANDOM, NEVER, ALWAYS, ARMS, DUEL = ARMS, KINDS };
enum { SWITCHING_CELLS = KINDS * SYNTH_DFS };

static const char *const switching_names[ARMS] = {"6w", "[random|random]", "never", "always"};

/* How far the costs of 6w and random switching may be apart to be called equal. */
#define COST_MARGIN 0.05

#define ADAPTIVE_SPEC "amcts:rule=6w"

#define WITH_RANDOM(df, theta)                                                                               \
    SYNTH_CELL(", [random|random]", df, "amcts:rule=random,theta=" #theta, SYNTH_PIMC)
#define SWITCHING_AGAINST(df, theta)                                                                         \
    SYNTH_CELL(", 6w[against| against ][random|random]", df, ADAPTIVE_SPEC, "amcts:rule=random,theta=" #theta)

#define EACH(cell)                                                                                           \
    cell(0.1, 0.511), cell(0.2, 0.522), cell(0.3, 0.547), cell(0.4, 0.561), cell(0.5, 0.591),                \
        cell(0.6, 0.611), cell(0.7, 0.645), cell(0.8, 0.691), cell(0.9, 0.756), cell(1.0, 0.898)

static const struct repro_cell switching_cells[SWITCHING_CELLS] = {
    SYNTH_CELLS(", 6w", ADAPTIVE_SPEC, SYNTH_PIMC),
    EACH(WITH_RANDOM),
    SYNTH_CELLS(", never", "amcts:rule=never", SYNTH_PIMC),
    SYNTH_CELLS(", always", "amcts:rule=always", SYNTH_PIMC),
    EACH(SWITCHING_AGAINST),
};

/* Cells are ordered by kind, then df. */
static int cell_of(int kind, int i) {
    return kind * SYNTH_DFS + i;
}

static double leaves_of(const struct repro_data *data, int kind, int i) {
    return rows_sum(data, cell_of(kind, i), SYNTH_LEAVES_A).mean;
}

/* ---- rows ---- */

static void add_row(const struct repro_data *data, struct repro_result *out, int i, const char *what,
                    double ours) {
    struct repro_row *row =
        rows_add(out, rows_label("df %.1f: %s", (i + 1) / 10.0, what).text, "", REPRO_NONE);
    row->ours = ours;
    row->repetitions = rows_sum(data, cell_of(ADAPTIVE, i), SYNTH_MEAN).n;
}

/* One arm's leaves, another's being 1, at the df where they are fewest and where they are most. */
static struct interval relative_costs(const struct repro_data *data, int arm, int other) {
    return synth_ratios(data, cell_of(arm, 0), SYNTH_LEAVES_A, cell_of(other, 0), SYNTH_LEAVES_A);
}

/* The probability of equal cost is what `theta` of random switching should be, measured in this run: a
 * check of the constants above. */
static void add_costs(const struct repro_data *data, struct repro_result *out) {
    static const struct rows_column leaves = {ROWS_MEAN, SYNTH_LEAVES_A, ": [leaves_a_move|leaves a move]"};
    rows_add_columns(data, out, (struct rows_span){0, ARMS * SYNTH_DFS}, &leaves, 1);
    for (int i = 0; i < SYNTH_DFS; i++) {
        const double never = leaves_of(data, NEVER, i), more = leaves_of(data, ALWAYS, i) - never;
        add_row(data, out, i, "[randoms_leaves|random's leaves], 6w[are_1|'s are 1]",
                synth_ratio(data, cell_of(RANDOM, i), SYNTH_LEAVES_A, cell_of(ADAPTIVE, i), SYNTH_LEAVES_A));
        add_row(data, out, i, "[equal_cost|probability of equal cost]",
                more > 0 ? (leaves_of(data, ADAPTIVE, i) - never) / more : 0);
    }
    rows_add_columns(data, out, (struct rows_span){0, (RANDOM + 1) * SYNTH_DFS}, &synth_switched, 1);
}

/* 6w's payoff against PIMC less another arm's: at df number i, or with i < 0 over all of them. */
static struct cell_sum difference(const struct repro_data *data, int other, int i) {
    const struct rows_span at = {i < 0 ? 0 : i, i < 0 ? SYNTH_DFS : 1};
    return synth_contrast(data, SYNTH_MEAN, (struct rows_span){cell_of(ADAPTIVE, at.first), at.count},
                          (struct rows_span){cell_of(other, at.first), at.count});
}

/* By df and over all: at one df the difference is mostly smaller than its interval. */
static void add_differences(const struct repro_data *data, struct repro_result *out, int other) {
    for (int i = 0; i < SYNTH_DFS; i++) {
        const struct rows_label label =
            rows_label("df %.1f: [payoff|payoff], 6w[less| less ]%s", (i + 1) / 10.0, switching_names[other]);
        rows_add_mean(out, label.text, "", 1, difference(data, other, i));
    }
    rows_add_mean(
        out, rows_label("[all_df|all df]: [payoff|payoff], 6w[less| less ]%s", switching_names[other]).text,
        "", 1, difference(data, other, -1));
}

/* ---- findings ---- */

/* The first finding is a condition of the others. That the difference to `always` may be 0 or above is
 * enough for the last: 6w costs less. */
static void judge(const struct repro_data *data, struct repro_result *out) {
    const struct rows_span duels = {cell_of(DUEL, 0), SYNTH_DFS}, none = {0};
    const struct cell_sum random = difference(data, RANDOM, -1), never = difference(data, NEVER, -1),
                          always = difference(data, ALWAYS, -1),
                          duel = synth_contrast(data, SYNTH_MEAN, duels, none);
    const struct synth_verdicts v = synth_judge(data, duels);
    const struct interval share = relative_costs(data, ADAPTIVE, ALWAYS),
                          cost = relative_costs(data, RANDOM, ADAPTIVE);
    rows_add_finding(
        out, cost.low >= 1 - COST_MARGIN && cost.high <= 1 + COST_MARGIN,
        "finding.random_switching_costs_much",
        "random switching costs as much as 6w, or the rest would mean nothing: %.3f to %.3f times its leaves",
        cost.low, cost.high);
    rows_add_finding(
        out, random.t95.low > 0, "finding.matters_when_against_pimc",
        "it matters when: against PIMC 6w gets more than random switching at equal cost, by %+.4f "
        "(%+.4f to %+.4f) over all df",
        random.mean, random.t95.low, random.t95.high);
    rows_add_finding(
        out, duel.t95.low > SYNTH_EVEN && v.below == 0, "finding.head_head_6w_gets",
        "head to head 6w gets more than random switching: %.4f (%.4f to %.4f) over all df, above "
        "2.00 at %d of %d df, below at %d",
        duel.mean, duel.t95.low, duel.t95.high, v.above, SYNTH_DFS, v.below);
    rows_add_finding(out, never.t95.low > 0, "finding.searching_again_pays_6w",
                     "searching again pays: 6w gets more than never, by %+.4f (%+.4f to %+.4f) over all df",
                     never.mean, never.t95.low, never.t95.high);
    rows_add_finding(
        out, always.t95.high >= 0, "finding.6w_not_behind_always",
        "6w is not behind always: the difference is %+.4f (%+.4f to %+.4f) over all df, at %.3g to %.3g of "
        "its leaves",
        always.mean, always.t95.low, always.t95.high, share.low, share.high);
}

/* ---- pictures ---- */

static const char *const switching_dfs[SYNTH_DFS] = {"0.1", "0.2", "0.3", "0.4", "0.5",
                                                     "0.6", "0.7", "0.8", "0.9", "1.0"};

/* 6w's lead over random switching: against PIMC, and head to head. */
static struct cell_sum lead_at(const struct repro_data *data, int line, int point) {
    if (line == 0)
        return difference(data, RANDOM, point);
    struct cell_sum s = rows_sum(data, cell_of(DUEL, point), SYNTH_MEAN);
    s.mean -= SYNTH_EVEN;
    s.t95.low -= SYNTH_EVEN;
    s.t95.high -= SYNTH_EVEN;
    return s;
}

static void switching_finish(const struct repro_data *data, struct repro_result *out) {
    rows_add_columns(data, out, (struct rows_span){0, SWITCHING_CELLS}, &synth_payoff, 1);
    for (int other = RANDOM; other < ARMS; other++)
        add_differences(data, out, other);
    add_costs(data, out);
    judge(data, out);
    static const char *const leads[] = {"[key_difference|against PIMC, the difference]",
                                        "[key_head_to_head|head to head, above 2.00]"};
    struct lines lines = {.count = ARMS,
                          .points = SYNTH_DFS,
                          .names = switching_names,
                          .places = switching_dfs,
                          .axis_x = SYNTH_AXIS_DF,
                          .axis_y = SYNTH_AXIS_PAYOFF,
                          .format = "%.2f",
                          .per_line = SYNTH_DFS,
                          .per_point = 1,
                          .value = SYNTH_MEAN,
                          .level = SYNTH_EVEN,
                          .joined = true};
    plot_lines(data, out, "payoff", "When AMCTS searches again: payoff against PIMC", &lines);
    lines.value = SYNTH_LEAVES_A;
    lines.axis_y = SYNTH_AXIS_LEAVES;
    lines.format = "%.0f";
    lines.level = 400;
    plot_lines(data, out, "leaves", "When AMCTS searches again: cost (dotted: PIMC's)", &lines);
    lines.count = 2;
    lines.names = leads;
    lines.at = lead_at;
    lines.axis_y = "[payoff|payoff]";
    lines.format = "%.2f";
    lines.level = 0;
    plot_lines(data, out, "lead", "Lead of 6w over random switching at equal cost", &lines);
}

const struct repro_experiment repro_synth_switching = {
    REPRO_EXPERIMENT("synth", "switching", switching_cells),
    .part_of = "synth-all",
    .title = "AMCTS that searches again by 6w, at random at the same cost, never and always",
    .source = SYNTH_SOURCE ", equation (6)",
    .published = "(not in the paper) that the choice of when to search again is what pays",
    .duration = "about a minute on two cores",
    .version = 1,
    .repetitions = SYNTH_DEALS,
    .repetitions_quick = 150,
    .value_names = synth_value_names,
    .run = synth_play_deal,
    .finish = switching_finish,
};
