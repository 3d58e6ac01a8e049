/* SPDX-License-Identifier: MIT
 *
 * Private to the experiment on the space of synthetic trees: its grid, and means over parts of it.
 */
#ifndef REPRO_SYNTH_SPACE_H
#define REPRO_SYNTH_SPACE_H

#include "repro/rows.h"

enum { SPACE_LCS = 5, SPACE_BIASES = 5, SPACE_DFS = 6, SPACE_CELLS = SPACE_LCS * SPACE_BIASES * SPACE_DFS };

/* The axes of the cube. */
enum space_axis { SPACE_LC, SPACE_BIAS, SPACE_DF, SPACE_AXES };

struct space_axis_facts {
    const char *name;
    int count;
    const double *steps;
};

extern const struct space_axis_facts space_axes[SPACE_AXES];

/* A trial's values, all in Long's points: a game is won (+1) or lost (-1). Losses are the mean of both seats
 * unless they say which. */
enum space_value {
    SPACE_VALUE,        /* of the game to who moves first */
    SPACE_GAP,          /* how exact that is */
    SPACE_PIMC_FIRST,   /* what PIMC loses against optimal play, moving first … */
    SPACE_PIMC_SECOND,  /* … and second */
    SPACE_PIMC,         /* its mean */
    SPACE_RANDOM,       /* the same of somebody who plays at random */
    SPACE_GAIN,         /* how much less PIMC loses */
    SPACE_PIMC_WORST,   /* what PIMC loses against the best answer to it: its exploitability … */
    SPACE_RANDOM_WORST, /* … and that of playing at random */
    SPACE_VALUES
};

/* Of each axis, which steps are meant: a bit each. */
struct space_part {
    unsigned steps[SPACE_AXES];
};

#define SPACE_ALL (~0u)

/* Where a cell is: the step on each axis. */
void space_place(int cell, int steps[SPACE_AXES]);

/* The mean of a value over a part of the cube; trees are the same in all cells, so its interval is over
 * trees. Less the mean over another part, where `less` is not NULL. */
struct cell_sum space_mean(const struct repro_data *data, const struct space_part *part,
                           const struct space_part *less, enum space_value value);

/* The pictures, each with the whole cube as its data. */
void space_plot(const struct repro_data *data, struct repro_result *out);

#endif
