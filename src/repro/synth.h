/* SPDX-License-Identifier: MIT
 *
 * The experiments on synthetic trees, for the registry, and what they share. Source: a Japanese paper on
 * adaptive Monte Carlo tree search (AMCTS) for games with imperfect information, on the trees of Long,
 * Sturtevant, Buro and Furtak (AAAI 2010). The paper survives in parts only: no bar of its figures can be
 * read, so what it claims in words stands beside our figures.
 */
#ifndef REPRO_SYNTH_H
#define REPRO_SYNTH_H

#include "repro/rows.h"

extern const struct repro_experiment repro_synth_fig2, repro_synth_fig3, repro_synth_fig4, repro_synth_fig5,
    repro_synth_fig6, repro_synth_fig7, repro_synth_fig8, repro_synth_fig9, repro_synth_readings,
    repro_synth_switching, repro_synth_space;

#define SYNTH_SOURCE "adaptive Monte Carlo tree search for games with imperfect information (in Japanese)"

/* ---- players, as the paper sets them ---- */

#define SYNTH_PIMC "pimc:sims=400"
#define SYNTH_IIMC "iimc:sims=400,inner=50,opponent=random"

/* Whose moves in playouts PIMC chooses is one switch for both players: AMCTS's step 8 has it choose one's own
 * alone, Algorithm 2 (IIMC) reads as if it chose both sides'. */
#define SYNTH_AMCTS_BOTH "amcts:opponent=pimc"
#define SYNTH_IIMC_BOTH  "iimc:sims=400,inner=50,opponent=pimc"

/* ---- a trial: one deal (a tree and both types), played once from each seat ---- */

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

bool synth_play_deal(const struct repro_task *task, struct repro_trial *out, struct err *e);

/* ---- ten values of df: cells `first` … first + 9 are df 0.1 … 1.0 ---- */

enum { SYNTH_DFS = 10, SYNTH_DEALS = 1500 }; /* 3000 matches a point, as published */

#define SYNTH_EVEN 2.0 /* both sides' payoffs sum to 4 */

/* Between these the paper's surviving axes keep both sides: no more than about 0.05 from 2.00. */
#define SYNTH_AXIS 0.05

#define SYNTH_CELL(name, df, a, b)                                                                           \
    { "df " #df name, 0, {a, b}, "synth:df=" #df }

#define SYNTH_CELLS(name, a, b)                                                                              \
    SYNTH_CELL(name, 0.1, a, b), SYNTH_CELL(name, 0.2, a, b), SYNTH_CELL(name, 0.3, a, b),                   \
        SYNTH_CELL(name, 0.4, a, b), SYNTH_CELL(name, 0.5, a, b), SYNTH_CELL(name, 0.6, a, b),               \
        SYNTH_CELL(name, 0.7, a, b), SYNTH_CELL(name, 0.8, a, b), SYNTH_CELL(name, 0.9, a, b),               \
        SYNTH_CELL(name, 1.0, a, b)

/* Cells first … first + count - 1: ten values of df, or a half of them. */
struct synth_span {
    int first, count;
};

/* The mean over these cells, which have the same deals: its interval is over deals. */
struct cell_sum synth_pooled(const struct repro_data *data, struct synth_span span, int value);

/* One cell's value less another's, deal by deal. */
struct cell_sum synth_difference(const struct repro_data *data, int value, int more, int less);

/* In how many of these cells A's payoff is above, or below, 2.00 by its interval, and the mean that is
 * farthest from 2.00. */
struct synth_verdicts {
    int above, below;
    double farthest; /* less 2.00, with its sign */
};

struct synth_verdicts synth_judge(const struct repro_data *data, struct synth_span span);

/* ---- rows ---- */

/* A row for each of these cells: its label, `what`, and the value's mean. */
void synth_add_rows(const struct repro_data *data, struct repro_result *out, struct synth_span span,
                    int value, const char *what);

#endif
