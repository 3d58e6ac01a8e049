/* SPDX-License-Identifier: MIT
 *
 * Pictures of the experiments on synthetic trees.
 */
#ifndef REPRO_SYNTH_PLOT_H
#define REPRO_SYNTH_PLOT_H

#include "repro/synth.h"

/* Bars of A and B over the ten values of df, as the paper draws them. */
struct synth_bars {
    int first;            /* cell */
    const char *names[2]; /* of A and B */
    const char *axis;     /* label */
    int values[2];        /* of A and B */
    double factor;        /* from the values to the axis */
    const char *format;   /* of the axis, gnuplot's */
};

void synth_plot_bars(const struct repro_data *data, struct repro_result *out, const char *suffix,
                     const char *title, const struct synth_bars *bars);

/* The same for payoffs, around 2.00; B has what A has not. */
void synth_plot_payoffs(const struct repro_data *data, struct repro_result *out, const char *suffix,
                        const char *title, const struct synth_bars *bars);

/* Payoffs of several kinds of A over df (or readings), a line each with intervals. */
struct synth_lines {
    int count, points;
    const char *const *names;             /* of the lines */
    const char *const *places;            /* of the points */
    const char *axis_x, *axis_y, *format; /* labels, and gnuplot's format of the numbers at the y axis */
    struct cell_sum (*at)(const struct repro_data *data, int line, int point);
    double level; /* a dotted line */
    bool joined;  /* the points of a line, because between them there is something */
};

void synth_plot_lines(const struct repro_data *data, struct repro_result *out, const char *suffix,
                      const char *title, const struct synth_lines *lines);

#endif
