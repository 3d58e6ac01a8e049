/* SPDX-License-Identifier: MIT
 *
 * Pictures of a result: gnuplot scripts with their data beside them, boards, and running gnuplot. A reader
 * without senjutsu can run `gnuplot NAME.gp` in the folder to make the plots again.
 */
#ifndef REPRO_PLOT_H
#define REPRO_PLOT_H

#include "repro/rows.h"

/* A new plot of the result, named EXPERIMENT-SUFFIX. */
struct repro_plot *plot_add(struct repro_result *out, const char *suffix, const char *title);

/* Published and our own figures side by side as bars, with our intervals: all rows with that unit. */
struct plot_bars {
    const char *unit, *axis; /* the axis' label, in parts */
    bool logarithmic;
};

void plot_rows(struct repro_result *out, const char *suffix, const char *title, const struct plot_bars *bars);

/* The English of a label in parts (repro/rows.h) for the script, and a note of the label for translations. */
struct rows_label plot_text(struct repro_plot *plot, const char *label);

/* How intervals are drawn: lines with ends, from columns x:low:(0):(high - low). */
#define PLOT_INTERVALS "with vectors heads size screen 0.004,90 lc rgb \"#111111\" lw 1.5 notitle"

/* A comma and the number, or NaN (which gnuplot leaves out) where there is none: for lines of data. */
void plot_number(double number, struct text *out);

/* Settings for the labels of both axes. */
void plot_axes(struct repro_plot *plot, const char *x, const char *y);

/* Makes the script from the plot's commands and its drawing, which is done for SVG and for PNG. In both, the
 * data file is the gnuplot variable `data`. */
void plot_script(struct repro_plot *plot);

/* ---- folders, and drawing ---- */

/* FOLDER and, for experiments that store games, FOLDER/NAME-games. */
bool repro_make_folders(const struct repro_experiment *experiment, const char *folder, struct err *e);

/* For struct repro_options: one of our own maps; the context is the name of their folder. */
bool repro_read_map(void *maps_folder, const char *name, struct text *out, struct err *e);

/* Pictures that could not be made. The result is complete without them: data and scripts are in the folder.
 */
struct repro_missing {
    bool boards;     /* this build has no Cairo */
    bool gnuplot;    /* there is none on this machine */
    int plot;        /* the first plot without a picture; -1: all have one */
    int plot_status; /* of gnuplot on that plot, unless there is none */
};

/* Boards and plots of a finished result that was stored in the folder. False only for failures that the
 * user must be told of (a failed write). */
bool repro_draw(const struct repro_result *result, const char *folder, const char *maps_folder,
                struct repro_missing *missing, struct err *e);

#endif
