/* SPDX-License-Identifier: MIT
 *
 * What the experiments on synthetic trees share. Source: a Japanese paper on adaptive Monte Carlo tree
 * search (AMCTS) for games with imperfect information, on the trees of Long, Sturtevant, Buro and Furtak
 * (AAAI 2010). The paper survives in parts only. No bar of its figures can be read, so our figures are
 * compared with its claims in words.
 */
#ifndef REPRO_SYNTH_H
#define REPRO_SYNTH_H

#include "repro/rows.h"

#define SYNTH_SOURCE "adaptive Monte Carlo tree search for games with imperfect information (in Japanese)"

/* ---- players, as the paper sets them ---- */

#define SYNTH_PIMC "pimc:sims=400"
#define SYNTH_IIMC "iimc:sims=400,inner=50,opponent=random"

/* Whose moves in playouts PIMC chooses is one switch for both players: AMCTS's step 8 has it choose one's own
 * alone, Algorithm 2 (IIMC) reads as if it chose both sides'. */
#define SYNTH_AMCTS_BOTH "amcts:opponent=pimc"
#define SYNTH_IIMC_BOTH  "iimc:sims=400,inner=50,opponent=pimc"

/* ---- a repetition: one deal (a tree and both types), played once from each seat ---- */

/* A is the cell's first player, B its second. Payoffs are counted as the paper does, 0 … 4: B has the rest.
 * Both games of a deal have the same random numbers at each seat, and so has every cell. */
enum {
    SYNTH_FIRST,  /* A's payoff where it moved first … */
    SYNTH_SECOND, /* … and where it moved second; */
    SYNTH_MEAN,   /* of both */
    SYNTH_MS_A,   /* milliseconds a move */
    SYNTH_MS_B,
    SYNTH_LEAVES_A, /* leaf evaluations a move */
    SYNTH_LEAVES_B,
    SYNTH_SWITCHED, /* share of A's moves at which AMCTS searched again; only of N by equation (5) */
    SYNTH_VALUES
};

extern const char *const synth_value_names[];

bool synth_play_deal(const struct repro_task *task, struct repro_repetition *out, struct err *e);

/* Labels of axes. */
#define SYNTH_AXIS_DF     "[axis_df|disambiguation factor df]"
#define SYNTH_AXIS_PAYOFF "[axis_payoff|mean payoff (the axis does not begin at 0)]"
#define SYNTH_AXIS_LEAVES "[axis_leaves|leaf evaluations a move]"

/* ---- ten values of df: cells `first` … first + 9 are df 0.1 … 1.0 ---- */

enum { SYNTH_DFS = 10, SYNTH_DEALS = 1500 }; /* 3000 matches a point, as published */

#define SYNTH_EVEN 2.0 /* both sides' payoffs sum to 4 */

/* The paper's surviving axes end here: no side is more than about 0.05 from 2.00. */
#define SYNTH_AXIS 0.05

#define SYNTH_CELL(name, df, a, b)                                                                           \
    { "df " #df name, 0, {a, b}, "synth:df=" #df }

#define SYNTH_CELLS(name, a, b)                                                                              \
    SYNTH_CELL(name, 0.1, a, b), SYNTH_CELL(name, 0.2, a, b), SYNTH_CELL(name, 0.3, a, b),                   \
        SYNTH_CELL(name, 0.4, a, b), SYNTH_CELL(name, 0.5, a, b), SYNTH_CELL(name, 0.6, a, b),               \
        SYNTH_CELL(name, 0.7, a, b), SYNTH_CELL(name, 0.8, a, b), SYNTH_CELL(name, 0.9, a, b),               \
        SYNTH_CELL(name, 1.0, a, b)

/* The mean of a value over some cells (ten values of df, or a half of them), less that over others, if there
 * are any. All cells have the same deals, so differences are taken deal by deal and intervals are over deals.
 */
struct cell_sum synth_contrast(const struct repro_data *data, int value, struct rows_span cells,
                               struct rows_span less);

/* In how many of these cells A's payoff is above, or below, 2.00 by its interval, and the mean that is
 * farthest from 2.00. */
struct synth_verdicts {
    int above, below;
    double farthest; /* less 2.00, with its sign */
};

struct synth_verdicts synth_judge(const struct repro_data *data, struct rows_span span);

/* The mean of a value as a multiple of the mean of `base` in the cells from `base_first` on: from the df
 * where it is least to the one where it is greatest. A multiple of nothing counts as 0. */
double synth_ratio(const struct repro_data *data, int cell, int value, int base_cell, int base);
struct interval synth_ratios(const struct repro_data *data, int first, int value, int base_first, int base);

/* Columns of rows: A's payoff, and the share of its moves at which it searched again. */
extern const struct rows_column synth_payoff, synth_switched;

/* ---- claims of the figures, each with the rule that decides it ----
 *
 * A claim is the paper's text as far as it survives. Where a word of it cannot be read the finding says that
 * it is a reading. Small df are 0.1 to 0.5, large ones 0.6 to 1.0. */

/* Ten cells, AMCTS against one opponent for df 0.1 … 1.0. `setting` is the part of their labels after the
 * df (", 0.01 s"), or "". */
struct synth_series {
    int first;
    const char *setting, *opponent;
    int counted; /* cells with counted playouts at large df, on the same deals; 0: none */
};

enum synth_claim {
    SYNTH_NOTHING,          /* no claim: the end of a list */
    SYNTH_BETTER,           /* the interval over all df is above 2.00, and at no df below */
    SYNTH_EQUAL,            /* each mean is within 0.05 of 2.00 */
    SYNTH_NOT_ABOVE,        /* at no df is the interval above 2.00 */
    SYNTH_WITHIN_AXIS,      /* each mean is within what the surviving axes show */
    SYNTH_FALLS,            /* less time at df 1.0 than at 0.1, and at no step of df more leaves */
    SYNTH_LONGER,           /* more time than the opponent at every df */
    SYNTH_CHEAPER,          /* less time than the opponent at every df */
    SYNTH_BETTER_AT_LARGE,  /* the interval over large df is above 2.00 */
    SYNTH_BEHIND_AT_SMALL,  /* the interval over small df is below 2.00 */
    SYNTH_MORE_THAN_COUNTED /* more at large df than with counted playouts, by the interval of the difference
                             */
};

void synth_add_claim(const struct repro_data *data, struct repro_result *out, const struct synth_series *s,
                     enum synth_claim claim);

/* ---- pictures ---- */

/* Below the axis' label, with room for both. */
#define SYNTH_KEY_BELOW                                                                                      \
    "set bmargin 5\n"                                                                                        \
    "set key outside bottom center horizontal\n"

/* The mean and its interval times the factor: three numbers of a line of data. */
void synth_add_sum(struct cell_sum s, double factor, struct text *out);

/* ---- the space of synthetic trees: a grid, and means over parts of it ---- */

enum { SPACE_LCS = 5, SPACE_BIASES = 5, SPACE_DFS = 6, SPACE_CELLS = SPACE_LCS * SPACE_BIASES * SPACE_DFS };

/* The axes of the cube. */
enum space_axis { SPACE_LC, SPACE_BIAS, SPACE_DF, SPACE_AXES };

struct space_axis_scale {
    const char *name;
    int count;
    const double *steps;
};

extern const struct space_axis_scale space_axes[SPACE_AXES];

/* A repetition's values, all in Long's points: a game is won (+1) or lost (-1). Losses are the mean of both
 * seats where no seat is named. */
enum space_value {
    SPACE_VALUE,        /* of the game to the side that moves first */
    SPACE_GAP,          /* how exact that is */
    SPACE_PIMC_FIRST,   /* what PIMC loses against optimal play, moving first … */
    SPACE_PIMC_SECOND,  /* … and second */
    SPACE_PIMC,         /* its mean */
    SPACE_RANDOM,       /* the same of random play */
    SPACE_GAIN,         /* how much less PIMC loses */
    SPACE_PIMC_WORST,   /* what PIMC loses against the best answer to it: its exploitability … */
    SPACE_RANDOM_WORST, /* … and that of playing at random */
    SPACE_VALUES
};

/* Where a cell is: the step on each axis. */
void space_place(int cell, int steps[SPACE_AXES]);

#endif
