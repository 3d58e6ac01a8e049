/* SPDX-License-Identifier: MIT
 *
 * Pictures as gnuplot scripts with their data beside them. Nothing here runs gnuplot: whoever has the program
 * (src/cli, or a reader years later) runs `gnuplot NAME.gp` in the folder.
 */
#ifndef REPRO_PLOT_H
#define REPRO_PLOT_H

#include "repro/repro.h"

/* A new plot of the result, named EXPERIMENT-SUFFIX. */
struct repro_plot *plot_add(struct repro_result *out, const char *suffix, const char *title);

/* Published and our own figures side by side as bars, with our intervals: all rows with that unit. */
struct plot_bars {
    const char *unit, *axis; /* the axis' label */
    bool logarithmic;
};

void plot_rows(struct repro_result *out, const char *suffix, const char *title, const struct plot_bars *bars);

/* How intervals are drawn: lines with ends, from columns x:low:(0):(high - low). */
#define PLOT_INTERVALS "with vectors heads size screen 0.004,90 lc rgb \"#111111\" lw 1.5 notitle"

/* A comma and the number, or NaN (which gnuplot leaves out) where there is none: for lines of data. */
void plot_number(double number, struct text *out);

/* The frame of every script: `commands` (settings), then `drawing` (one plot command) for SVG and PNG. In
 * both, the data file is the gnuplot variable `data`. */
void plot_script(struct repro_plot *plot, const char *commands, const char *drawing);

#endif
