/* SPDX-License-Identifier: MIT
 *
 * The space of synthetic trees (Long, Sturtevant, Buro and Furtak, AAAI 2010): leaf correlation, bias and
 * disambiguation factor, and how well PIMC plays against optimal play in each part of it. The trees are
 * theirs (payoffs +1 and -1, 8 types a player, 8 moves of two actions), but nothing is sampled: each tree
 * is solved, PIMC's strategy is computed (exact values of all worlds, equal actions with equal
 * probability), and so is its expected payoff. Only the trees are random, and all cells have the same ones.
 *
 * Optimal play is one equilibrium of perhaps many, the one that CFR+ converges to. All of them have the
 * same value, but they need not punish PIMC's mistakes alike: losses depend on the equilibrium,
 * exploitability does not.
 */
#include "base/mem.h"
#include "exact/form.h"
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* Payoffs of the game's table are 0 … 1. */
#define POINTS 2.0

/* Of the equilibrium; a fiftieth of the losses that are looked for. */
#define GAP 1e-3

static const double quarters[] = {0, 0.25, 0.5, 0.75, 1}, factors[SPACE_DFS] = {0, 0.1, 0.3, 0.5, 0.7, 1};

const struct space_axis_scale space_axes[SPACE_AXES] = {
    [SPACE_LC] = {"[leaf_correlation|leaf correlation]", SPACE_LCS, quarters},
    [SPACE_BIAS] = {"[bias|bias]", SPACE_BIASES, quarters},
    [SPACE_DF] = {"[disambiguation|disambiguation factor]", SPACE_DFS, factors},
};

static const char *const value_names[] = {
    [SPACE_VALUE] = "value",
    [SPACE_GAP] = "gap",
    [SPACE_PIMC_FIRST] = "pimc_first",
    [SPACE_PIMC_SECOND] = "pimc_second",
    [SPACE_PIMC] = "pimc_loss",
    [SPACE_RANDOM] = "random_loss",
    [SPACE_GAIN] = "gain",
    [SPACE_PIMC_WORST] = "pimc_exploitability",
    [SPACE_RANDOM_WORST] = "random_exploitability",
    [SPACE_VALUES] = NULL,
};

/* The order of the cells is that of space_place. */
#define CELL(df, bias, lc)                                                                                   \
    {                                                                                                        \
        .label = "lc " #lc "[cell_bias| bias ]" #bias "[cell_df| df ]" #df,                                  \
        .game = "synth:payoffs=signs,depth=8,lc=" #lc ",bias=" #bias ",df=" #df                              \
    }
#define LCS(df, bias)                                                                                        \
    CELL(df, bias, 0), CELL(df, bias, 0.25), CELL(df, bias, 0.5), CELL(df, bias, 0.75), CELL(df, bias, 1)
#define BIASES(df) LCS(df, 0), LCS(df, 0.25), LCS(df, 0.5), LCS(df, 0.75), LCS(df, 1)

static const struct repro_cell cells[SPACE_CELLS] = {BIASES(0),   BIASES(0.1), BIASES(0.3),
                                                     BIASES(0.5), BIASES(0.7), BIASES(1)};

void space_place(int cell, int steps[SPACE_AXES]) {
    assert(cell >= 0 && cell < SPACE_CELLS);
    steps[SPACE_LC] = cell % SPACE_LCS;
    steps[SPACE_BIAS] = cell / SPACE_LCS % SPACE_BIASES;
    steps[SPACE_DF] = cell / SPACE_LCS / SPACE_BIASES;
}

/* ---- a repetition: one tree ---- */

/* What side `side` loses by playing so against the other's optimal play. */
static double loss(const struct form *form, const double *strategy, const double *optimal, int side,
                   double value) {
    const double *pair[2] = {optimal, optimal};
    pair[side] = strategy;
    const double first = form_value(form, pair);
    return POINTS * (side == 0 ? value - first : first - value);
}

/* One probability for each action of each information set of both sides. */
struct strategies {
    double *optimal, *pimc, *random;
};

/* Against the equilibrium, and against the best answer to the strategy itself. */
static bool measure(const struct form *form, const struct strategies *s, double value,
                    struct repro_repetition *out, struct err *e) {
    double worst_pimc = 0, worst_random = 0;
    if (!response_gap(form, (const double *const[2]){s->pimc, s->pimc}, &worst_pimc, e) ||
        !response_gap(form, (const double *const[2]){s->random, s->random}, &worst_random, e))
        return false;
    double *v = out->values;
    v[SPACE_PIMC_FIRST] = loss(form, s->pimc, s->optimal, 0, value);
    v[SPACE_PIMC_SECOND] = loss(form, s->pimc, s->optimal, 1, value);
    v[SPACE_PIMC] = (v[SPACE_PIMC_FIRST] + v[SPACE_PIMC_SECOND]) / 2;
    v[SPACE_RANDOM] =
        (loss(form, s->random, s->optimal, 0, value) + loss(form, s->random, s->optimal, 1, value)) / 2;
    v[SPACE_GAIN] = v[SPACE_RANDOM] - v[SPACE_PIMC];
    /* Of both seats together, so half of it is a seat's. */
    v[SPACE_PIMC_WORST] = POINTS * worst_pimc / 2;
    v[SPACE_RANDOM_WORST] = POINTS * worst_random / 2;
    return true;
}

/* The value of the game is 0 … 1 in its table and -1 … +1 in Long's points. A stopped solver has not
 * reached its gap, so its result is of no use. */
static bool solve(const struct form *form, const struct strategies *s, const struct repro_task *task,
                  struct repro_repetition *out, struct err *e) {
    struct cfr_result result;
    const struct cfr_options options = {.gap = GAP, .stop = task->stop};
    if (!pimc_strategy(form, s->pimc, e) || !cfr_solve(form, &options, s->optimal, &result, e))
        return false;
    if (result.stopped)
        return err_set(e, "stopped");
    out->values[SPACE_VALUE] = POINTS * result.value - POINTS / 2;
    out->values[SPACE_GAP] = POINTS * result.gap;
    snprintf(out->note, sizeof out->note, "%u information sets, %d iterations", form->set_count,
             result.iterations);
    return measure(form, s, result.value, out, e);
}

/* By the seed of the deal, which is the same in all cells: cells differ in parameters and not in luck. */
static bool run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    struct form form;
    struct strategies s = {0};
    bool ok = form_build(task->game, task->deal_seed, FORM_NODES_MAX, task->stop, &form, e);
    if (ok) {
        s = (struct strategies){form_uniform(&form), form_uniform(&form), form_uniform(&form)};
        ok = s.optimal != NULL && s.pimc != NULL && s.random != NULL ? solve(&form, &s, task, out, e)
                                                                     : err_set(e, "not enough memory");
    }
    mem_free(s.optimal);
    mem_free(s.pimc);
    mem_free(s.random);
    form_done(&form);
    return ok;
}

/* ---- means ---- */

/* Of each axis, which steps are meant: a bit each. */
struct space_part {
    unsigned steps[SPACE_AXES];
};

#define SPACE_ALL (~0u)

/* Weights are known only when all cells of the part are counted. */
static int add_terms(const struct space_part *part, enum space_value value, double sign,
                     struct rows_term *terms) {
    int count = 0;
    for (int cell = 0; cell < SPACE_CELLS; cell++) {
        int steps[SPACE_AXES], axis = 0;
        space_place(cell, steps);
        while (axis < SPACE_AXES && (part->steps[axis] >> steps[axis] & 1) != 0)
            axis++;
        if (axis == SPACE_AXES)
            terms[count++] = (struct rows_term){cell, (int)value, sign};
    }
    assert(count > 0);
    for (int i = 0; i < count; i++)
        terms[i].weight = sign / count;
    return count;
}

/* The mean of a value over a part of the cube. The trees are the same in all cells, so the interval is over
 * trees. Less the mean over another part, where `less` is not NULL. */
static struct cell_sum space_mean(const struct repro_data *data, const struct space_part *part,
                                  const struct space_part *less, enum space_value value) {
    struct rows_term terms[2 * SPACE_CELLS];
    int count = add_terms(part, value, 1, terms);
    if (less != NULL)
        count += add_terms(less, value, -1, terms + count);
    return rows_contrast(data, terms, count);
}

/* ---- rows ---- */

static const struct {
    enum space_value value;
    const char *name;
} figures[] = {{SPACE_PIMC, "[loss|PIMC's loss]"},
               {SPACE_GAIN, "[gain|PIMC's gain over random]"},
               {SPACE_PIMC_WORST, "[exploitability|PIMC's exploitability]"}};
enum { FIGURES = sizeof figures / sizeof figures[0] };

/* A row for each step of each axis, over everything else. */
static void add_rows(const struct repro_data *data, struct repro_result *out) {
    static const char *const short_names[SPACE_AXES] = {"lc", "[bias|bias]", "df"};
    for (int i = 0; i < FIGURES; i++)
        for (int axis = 0; axis < SPACE_AXES; axis++)
            for (int step = 0; step < space_axes[axis].count; step++) {
                struct space_part part = {{SPACE_ALL, SPACE_ALL, SPACE_ALL}};
                part.steps[axis] = 1u << step;
                const struct rows_label label =
                    rows_label("%s, %s %g", figures[i].name, short_names[axis], space_axes[axis].steps[step]);
                rows_add_mean(out, label.text, "points", 1, space_mean(data, &part, NULL, figures[i].value),
                              (struct rows_range){-2, 2});
            }
    int most = 0;
    for (int cell = 1; cell < SPACE_CELLS; cell++)
        if (rows_sum(data, cell, SPACE_PIMC).mean > rows_sum(data, most, SPACE_PIMC).mean)
            most = cell;
    rows_add_mean(out, rows_label("[largest_loss|PIMC's largest loss]: %s", cells[most].label).text, "points",
                  1, rows_sum(data, most, SPACE_PIMC), (struct rows_range){-2, 2});
}

/* ---- pictures ----
 *
 * The cube as heat maps: a panel is a slice of it, a cell of the grid a square with its number. Steps of an
 * axis are drawn side by side whatever lies between them. */

/* Columns of the data that are drawn, counted from 1 as gnuplot does; the steps are the first three. The
 * losses follow one another as in enum space_value. */
enum { COLUMN_STEP = 1, COLUMN_PIMC = 7 };

/* All plots of the experiment have the same data: the whole cube, a cell a line. */
static void add_cube(const struct repro_data *data, struct text *out) {
    text_add_string(out,
                    "lc_step,bias_step,df_step,lc,bias,df,pimc_loss,random_loss,gain,pimc_exploitability,"
                    "random_exploitability,value,pimc_loss_low,pimc_loss_high,trees\n");
    for (int cell = 0; cell < SPACE_CELLS; cell++) {
        int steps[SPACE_AXES];
        space_place(cell, steps);
        text_add(out, "%d,%d,%d", steps[SPACE_LC], steps[SPACE_BIAS], steps[SPACE_DF]);
        for (int axis = 0; axis < SPACE_AXES; axis++)
            plot_number(space_axes[axis].steps[steps[axis]], out);
        for (int value = SPACE_PIMC; value <= SPACE_RANDOM_WORST; value++)
            plot_number(rows_sum(data, cell, value).mean, out);
        plot_number(rows_sum(data, cell, SPACE_VALUE).mean, out);
        const struct cell_sum pimc = rows_sum(data, cell, SPACE_PIMC);
        plot_number(pimc.t95.low, out);
        plot_number(pimc.t95.high, out);
        text_add(out, ",%d\n", pimc.n);
    }
}

/* ---- panels ---- */

/* A slice: two axes drawn, the third held at a step. */
struct panel {
    enum space_axis x, y, held;
    int step;
    enum space_value value;
};

/* Panels of one value with a colour scale of their own, drawn beside the last of them. */
struct panel_row {
    int count;
    struct panel panels[SPACE_DFS];
    double bottom, height; /* of the scale, as shares of the picture's height */
    const char *label;
};

/* Steps of the axis at equal distances, drawn along x or y. */
static void add_tics(struct repro_plot *plot, char which, enum space_axis axis) {
    const struct space_axis_scale *scale = &space_axes[axis];
    text_add(&plot->drawing, "set %ctics (", which);
    for (int i = 0; i < scale->count; i++)
        text_add(&plot->drawing, "%s\"%g\" %d", i > 0 ? ", " : "", scale->steps[i], i);
    text_add(&plot->drawing, ") scale 0\nset %clabel \"%s\"\nset %crange [-0.5:%d.5]\n", which,
             plot_text(plot, scale->name).text, which, scale->count - 1);
}

/* The data has all slices: gnuplot leaves out points whose x is NaN, so a condition on the held axis
 * selects one. */
static void add_panel(struct repro_plot *plot, const struct panel *p) {
    const int column = COLUMN_PIMC + (int)p->value - SPACE_PIMC, x = COLUMN_STEP + (int)p->x,
              y = COLUMN_STEP + (int)p->y, held = COLUMN_STEP + (int)p->held;
    const struct space_axis_scale *third = &space_axes[p->held];
    const struct rows_label slice = rows_label("%s %g", third->name, third->steps[p->step]);
    text_add(&plot->drawing, "set title \"%s\"\n", plot_text(plot, slice.text).text);
    add_tics(plot, 'x', p->x);
    add_tics(plot, 'y', p->y);
    text_add(&plot->drawing,
             "plot data skip 1 using ($%d == %d ? $%d : NaN):%d:(0.5):(0.5):%d with boxxyerror "
             "fs solid border rgb \"#dddddd\" lc palette notitle, \\\n"
             "     data skip 1 using ($%d == %d ? $%d : NaN):%d:(shown($%d)) with labels "
             "font \",10\" notitle\n",
             held, p->step, x, y, column, held, p->step, x, y, column);
}

/* Where the panels are, as shares of the picture: two rows with a space between them. */
#define BOTTOM     0.12
#define TOP        0.82
#define SPACE      0.19
#define ROW_HEIGHT ((TOP - BOTTOM - SPACE) / 2)

/* No "-0.00" in a square. */
#define FRAME                                                                                                \
    "shown(x) = sprintf(\"%.2f\", abs(x) < 0.005 ? 0 : x)\n"                                                 \
    "set palette defined (0 \"#ffffff\", 0.25 \"#fdd9a8\", 0.6 \"#f79a5b\", 1 \"#d7402b\")\n"                \
    "set title offset 0,-0.6 font \",12\"\n"                                                                 \
    "set xlabel offset 0,0.6 font \",11\"\n"                                                                 \
    "set ylabel offset 0.3,0 font \",11\"\n"                                                                 \
    "set cblabel offset -1,0 font \",11\"\n"                                                                 \
    "set tics font \",11\"\n"                                                                                \
    "set cbtics font \",11\"\n"                                                                              \
    "unset grid\n"                                                                                           \
    "set border 0\n"

/* gnuplot's multiplot draws panels one after the other; a colour box would be drawn with each of them. */
static void plot_panels(const struct repro_data *data, struct repro_result *out, const char *suffix,
                        const char *title, const struct panel_row *rows, int count) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    add_cube(data, &plot->data);
    text_add_string(&plot->commands, FRAME);
    text_add(
        &plot->drawing,
        "set multiplot layout 2,3 title \"%s%s%s\" font \",14\" margins 0.085,0.885,%g,%g spacing 0.095,%g\n",
        plot->title, plot->scale[0] != '\0' ? "\\n" : "", plot->scale, BOTTOM, TOP, SPACE);
    for (const struct panel_row *row = rows; row < rows + count; row++) {
        double most = 0.05; /* the scale ends at the highest mean, rounded up to a twentieth */
        for (int cell = 0; cell < SPACE_CELLS; cell++)
            most = fmax(most, rows_sum(data, cell, (int)row->panels[0].value).mean);
        text_add(&plot->drawing, "set cbrange [0:%g]\nset cblabel \"%s\"\nunset colorbox\n",
                 ceil(most * 20) / 20, plot_text(plot, row->label).text);
        for (int i = 0; i < row->count; i++) {
            if (i == row->count - 1)
                text_add(&plot->drawing, "set colorbox user origin 0.898,%g size 0.018,%g\n", row->bottom,
                         row->height);
            add_panel(plot, &row->panels[i]);
        }
    }
    text_add_string(&plot->drawing, "unset multiplot\n");
    plot_script(plot);
}

/* Leaf correlation and bias, a panel for each disambiguation factor. */
static void plot_slices(const struct repro_data *data, struct repro_result *out, enum space_value value,
                        const char *suffix, const char *title) {
    struct panel_row all = {.count = SPACE_DFS,
                            .bottom = BOTTOM,
                            .height = TOP - BOTTOM,
                            .label = "[axis_points_a_game|points a game]"};
    for (int step = 0; step < SPACE_DFS; step++)
        all.panels[step] = (struct panel){SPACE_LC, SPACE_BIAS, SPACE_DF, step, value};
    plot_panels(data, out, suffix, title, &all, 1);
}

/* Three slices across each other, as Long et al. show theirs: df 0.3, bias 0.75, leaf correlation 0.5. */
#define CUTS(value)                                                                                          \
    {                                                                                                        \
        {SPACE_LC, SPACE_BIAS, SPACE_DF, 2, value}, {SPACE_LC, SPACE_DF, SPACE_BIAS, 3, value}, {            \
            SPACE_BIAS, SPACE_DF, SPACE_LC, 2, value                                                         \
        }                                                                                                    \
    }

/* ---- findings ---- */

/* Steps as bits. */
enum { LC_LOW = 1 | 2, LC_MIDDLE = 2 | 4 | 8, LC_HIGH = 8 | 16 };
enum { BIAS_EXTREME = 1 | 16, BIAS_EVEN = 4 };
enum { DF_LEAST = 1 | 2, DF_LITTLE = 4, DF_MUCH = 16, DF_WHOLE = 32, DF_PARTLY = 31 };

/* A value is higher on one part of the cube than on another, beyond chance. The paper's claim about the
 * disambiguation factor is tested in two halves, since our losses rise and fall along that axis; the last
 * two claims describe what else happens there. */
struct claim {
    struct space_part more, less;
    enum space_value value;
    const char *text; /* with the difference and its interval behind it */
};

static const struct claim claims[] = {
    {{{LC_LOW, SPACE_ALL, DF_PARTLY}},
     {{LC_HIGH, SPACE_ALL, DF_PARTLY}},
     SPACE_PIMC,
     "[low_correlation|PIMC does poorly where leaf correlation is low: it loses more at 0 and 0.25 than at "
     "0.75 and 1]"},
    {{{LC_MIDDLE, BIAS_EVEN, DF_PARTLY}},
     {{LC_MIDDLE, BIAS_EXTREME, DF_PARTLY}},
     SPACE_PIMC,
     "[extreme_bias|extreme bias helps PIMC: at middling correlation it loses more at bias 0.5 than at 0 and "
     "1]"},
    {{{LC_MIDDLE, SPACE_ALL, DF_LITTLE}},
     {{LC_MIDDLE, SPACE_ALL, DF_MUCH}},
     SPACE_PIMC,
     "[disambiguation_falls|PIMC gets worse as disambiguation falls (middling correlation): it loses more at "
     "df 0.3 than at 0.7]"},
    {{{LC_MIDDLE, SPACE_ALL, DF_LEAST}},
     {{LC_MIDDLE, SPACE_ALL, DF_LITTLE}},
     SPACE_PIMC,
     "[still_worse|… and it goes on getting worse from there: it loses more at df 0 and 0.1 than at 0.3]"},
    {{{LC_MIDDLE, SPACE_ALL, DF_MUCH}},
     {{LC_MIDDLE, SPACE_ALL, DF_LEAST}},
     SPACE_GAIN,
     "[play_alike|where little is learned all play is nearly alike: PIMC's gain over random is higher at df "
     "0.7 than at 0 and 0.1]"},
    {{{LC_MIDDLE, SPACE_ALL, DF_LEAST}},
     {{LC_MIDDLE, SPACE_ALL, DF_MUCH}},
     SPACE_PIMC_WORST,
     "[punished_most|who knows PIMC can punish it most where little is learned: its exploitability is higher "
     "at df 0 and 0.1 than at 0.7]"},
};

/* Losses this close, in points, count as alike. */
#define ALIKE 0.05

/* Claims are differences beyond chance; the other findings are checks of the method, with the precision of
 * the equilibria as their margin. */
static void finish(const struct repro_data *data, struct repro_result *out) {
    static const struct panel_row cuts[] = {
        {3, CUTS(SPACE_PIMC), TOP - ROW_HEIGHT, ROW_HEIGHT, "[axis_lost|points lost]"},
        {3, CUTS(SPACE_GAIN), BOTTOM, ROW_HEIGHT, "[axis_gained|points gained]"}};
    static const struct space_part known = {{SPACE_ALL, SPACE_ALL, DF_WHOLE}};
    add_rows(data, out);
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        const struct claim *c = &claims[i];
        const struct cell_sum d = space_mean(data, &c->more, &c->less, c->value);
        rows_add_finding(out, TESTS(rows_is_above(d, 0)), "finding.points",
                         "%s: by %.3f points (%.3f to %.3f)", rows_plain(c->text).text, d.mean, d.t95.low,
                         d.t95.high)
            ->first = c->text;
    }
    const struct cell_sum none = space_mean(data, &known, NULL, SPACE_PIMC);
    rows_add_finding(
        out, TESTS(test_claim(none.mean < POINTS * GAP)), "finding.df_1_everything_known",
        "with df 1 everything is known, and PIMC loses nothing: %.4f points, equilibria being exact "
        "to 0.002",
        none.mean);
    struct test nowhere[SPACE_CELLS];
    int worse = 0; /* cells in which the gain is below 0, by its interval */
    for (int cell = 0; cell < SPACE_CELLS; cell++) {
        const struct rows_term loss = {cell, SPACE_GAIN, -1};
        const struct cell_sum more = rows_contrast(data, &loss, 1);
        nowhere[cell] = rows_is_at_most(more, POINTS * GAP, ALIKE);
        worse += more.t95.low > POINTS * GAP;
    }
    rows_add_finding(
        out, nowhere, SPACE_CELLS, "finding.nowhere_does_pimc_lose",
        "nowhere does PIMC lose more against optimal play than random play does: it does in %d of %d "
        "cells",
        worse, SPACE_CELLS);
    plot_slices(data, out, SPACE_PIMC, "loss",
                "What PIMC loses against optimal play (a game is worth -1 to +1)");
    plot_panels(data, out, "cuts",
                "What PIMC loses against optimal play (above), and how much less than random play (below)",
                cuts, 2);
    plot_slices(data, out, SPACE_PIMC_WORST, "exploitability",
                "What PIMC loses against the best answer to it (a game is worth -1 to +1)");
}

const struct repro_experiment repro_synth_space = {
    REPRO_EXPERIMENT("synth", "space", cells),
    .title = "where in the space of synthetic trees PIMC plays well",
    .source =
        "Long, Sturtevant, Buro and Furtak, Understanding the Success of Perfect Information Monte Carlo "
        "Sampling in Game Tree Search, AAAI 2010",
    .published =
        "in words and pictures: PIMC does poorly where leaf correlation is low; extreme bias and, at "
        "middling correlation, a higher disambiguation factor help it",
    .duration = "about three minutes on two cores",
    .version = 1,
    .repetitions = 200,
    .repetitions_quick = 16,
    .value_names = value_names,
    .run = run,
    .finish = finish,
};
