/* SPDX-License-Identifier: MIT
 *
 * The cube as heat maps: a panel is a slice of it, a cell of the grid a square with its number. Steps of an
 * axis are drawn side by side whatever lies between them.
 */
#include "repro/plot.h"
#include "repro/synth_space.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* ---- data ---- */

/* Columns of the data that are drawn, counted from 1 as gnuplot does; the steps are the first three. */
enum { COLUMN_STEP = 1, COLUMN_FIGURES = 7 };

static const enum space_value drawn[] = {SPACE_PIMC,       SPACE_RANDOM,       SPACE_GAIN,
                                         SPACE_PIMC_WORST, SPACE_RANDOM_WORST, SPACE_VALUE};
enum { DRAWN = sizeof drawn / sizeof drawn[0] };

static int column_of(enum space_value value) {
    for (int i = 0; i < DRAWN; i++)
        if (drawn[i] == value)
            return COLUMN_FIGURES + i;
    assert(false);
    return 0;
}

static void add_cell(const struct repro_data *data, int cell, struct text *out) {
    int steps[SPACE_AXES];
    space_place(cell, steps);
    text_add(out, "%d,%d,%d", steps[SPACE_LC], steps[SPACE_BIAS], steps[SPACE_DF]);
    for (int axis = 0; axis < SPACE_AXES; axis++)
        plot_number(space_axes[axis].steps[steps[axis]], out);
    for (int i = 0; i < DRAWN; i++)
        plot_number(rows_sum(data, cell, (int)drawn[i]).mean, out);
    const struct cell_sum loss = rows_sum(data, cell, SPACE_PIMC);
    plot_number(loss.t95.low, out);
    plot_number(loss.t95.high, out);
    text_add(out, ",%d\n", loss.n);
}

static void add_cube(const struct repro_data *data, struct text *out) {
    text_add_string(out,
                    "lc_step,bias_step,df_step,lc,bias,df,pimc_loss,random_loss,gain,pimc_exploitability,"
                    "random_exploitability,value,pimc_loss_low,pimc_loss_high,trees\n");
    for (int cell = 0; cell < SPACE_CELLS; cell++)
        add_cell(data, cell, out);
}

/* The end of a colour scale: the highest mean, rounded up to a step people like. */
static double scale_end(const struct repro_data *data, enum space_value value) {
    double most = 0.05;
    for (int cell = 0; cell < SPACE_CELLS; cell++)
        most = fmax(most, rows_sum(data, cell, (int)value).mean);
    return ceil(most * 20) / 20;
}

/* ---- panels ---- */

/* A slice: two axes drawn, the third held at a step. */
struct panel {
    enum space_axis x, y, held;
    int step;
    enum space_value value;
};

/* Where a row of panels has its colour scale, as a share of the picture's height. */
struct colours {
    double end, bottom, height;
    const char *label;
};

static void add_tics(const char *which, enum space_axis axis, struct text *out) {
    text_add(out, "set %stics (", which);
    for (int i = 0; i < space_axes[axis].count; i++)
        text_add(out, "%s\"%g\" %d", i > 0 ? ", " : "", space_axes[axis].steps[i], i);
    text_add(out, ") scale 0\nset %slabel \"%s\"\nset %srange [-0.5:%d.5]\n", which, space_axes[axis].name,
             which, space_axes[axis].count - 1);
}

static void add_panel(const struct panel *p, struct text *out) {
    const int column = column_of(p->value), x = COLUMN_STEP + (int)p->x, y = COLUMN_STEP + (int)p->y;
    const int held = COLUMN_STEP + (int)p->held;
    text_add(out, "set title \"%s %g\"\n", space_axes[p->held].name, space_axes[p->held].steps[p->step]);
    add_tics("x", p->x, out);
    add_tics("y", p->y, out);
    text_add(out,
             "plot data skip 1 using ($%d == %d ? $%d : NaN):%d:(0.5):(0.5):%d with boxxyerror "
             "fs solid border rgb \"#dddddd\" lc palette notitle, \\\n"
             "     data skip 1 using ($%d == %d ? $%d : NaN):%d:(shown($%d)) with labels "
             "font \",10\" notitle\n",
             held, p->step, x, y, column, held, p->step, x, y, column);
}

/* Panels of one colour scale, which is drawn beside the last of them. */
static void add_panels(const struct panel *panels, int count, const struct colours *c, struct text *out) {
    text_add(out,
             "set cbrange [0:%g]\n"
             "set cblabel \"%s\"\n"
             "unset colorbox\n",
             c->end, c->label);
    for (int i = 0; i < count; i++) {
        if (i == count - 1)
            text_add(out, "set colorbox user origin 0.898,%g size 0.018,%g\n", c->bottom, c->height);
        add_panel(&panels[i], out);
    }
}

/* Where the panels are, as shares of the picture: two rows with a space between them. */
#define BOTTOM     0.12
#define TOP        0.86
#define SPACE      0.2
#define ROW_HEIGHT ((TOP - BOTTOM - SPACE) / 2)

/* No "-0.00" in a square. */
#define FRAME                                                                                                \
    "shown(x) = sprintf(\"%.2f\", abs(x) < 0.005 ? 0 : x)\n"                                                 \
    "set palette defined (0 \"#ffffff\", 0.25 \"#fdd9a8\", 0.6 \"#f79a5b\", 1 \"#d7402b\")\n"                \
    "set title offset 0,-0.6 font \",12\"\n"                                                                 \
    "set xlabel offset 0,0.6 font \",11\"\n"                                                                 \
    "set ylabel offset 1.5,0 font \",11\"\n"                                                                 \
    "set cblabel offset -1,0 font \",11\"\n"                                                                 \
    "set tics font \",11\"\n"                                                                                \
    "set cbtics font \",11\"\n"                                                                              \
    "unset grid\n"                                                                                           \
    "set border 0\n"

static void start_picture(const struct repro_plot *plot, struct text *out) {
    text_add(out,
             "set multiplot layout 2,3 title \"%s\" font \",14\" margins 0.085,0.885,%g,%g spacing 0.08,%g\n",
             plot->title, BOTTOM, TOP, SPACE);
}

static void end_picture(struct repro_plot *plot, struct text *drawing) {
    text_add_string(drawing, "unset multiplot\n");
    plot_script(plot, FRAME, text_string(drawing));
    plot->script.failed = plot->script.failed || drawing->failed;
    text_done(drawing);
}

/* ---- pictures ---- */

/* Leaf correlation and bias, a panel for each disambiguation factor. */
static void plot_slices(const struct repro_data *data, struct repro_result *out, enum space_value value,
                        const char *suffix, const char *title) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    struct text drawing = {0};
    struct panel panels[SPACE_DFS];
    const struct colours colours = {scale_end(data, value), BOTTOM, TOP - BOTTOM, "points a game"};
    add_cube(data, &plot->data);
    start_picture(plot, &drawing);
    for (int step = 0; step < SPACE_DFS; step++)
        panels[step] = (struct panel){SPACE_LC, SPACE_BIAS, SPACE_DF, step, value};
    add_panels(panels, SPACE_DFS, &colours, &drawing);
    end_picture(plot, &drawing);
}

/* Three slices across each other, as Long et al. show theirs: df 0.3, bias 0.75, leaf correlation 0.5. */
static void plot_cuts(const struct repro_data *data, struct repro_result *out) {
    static const struct panel above[] = {{SPACE_LC, SPACE_BIAS, SPACE_DF, 2, SPACE_PIMC},
                                         {SPACE_LC, SPACE_DF, SPACE_BIAS, 3, SPACE_PIMC},
                                         {SPACE_BIAS, SPACE_DF, SPACE_LC, 2, SPACE_PIMC}};
    static const struct panel below[] = {{SPACE_LC, SPACE_BIAS, SPACE_DF, 2, SPACE_GAIN},
                                         {SPACE_LC, SPACE_DF, SPACE_BIAS, 3, SPACE_GAIN},
                                         {SPACE_BIAS, SPACE_DF, SPACE_LC, 2, SPACE_GAIN}};
    const struct colours lost = {scale_end(data, SPACE_PIMC), TOP - ROW_HEIGHT, ROW_HEIGHT, "points lost"};
    const struct colours gained = {scale_end(data, SPACE_GAIN), BOTTOM, ROW_HEIGHT, "points gained"};
    struct repro_plot *plot =
        plot_add(out, "cuts",
                 "What PIMC loses against optimal play (above), and how much less than random play (below)");
    struct text drawing = {0};
    add_cube(data, &plot->data);
    start_picture(plot, &drawing);
    add_panels(above, 3, &lost, &drawing);
    add_panels(below, 3, &gained, &drawing);
    end_picture(plot, &drawing);
}

void space_plot(const struct repro_data *data, struct repro_result *out) {
    plot_slices(data, out, SPACE_PIMC, "loss",
                "What PIMC loses against optimal play (a game is worth -1 to +1)");
    plot_cuts(data, out);
    plot_slices(data, out, SPACE_PIMC_WORST, "exploitability",
                "What PIMC loses against the best answer to it (a game is worth -1 to +1)");
}
