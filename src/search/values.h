/* SPDX-License-Identifier: MIT
 *
 * Piece values for the position at hand (Sato, Fujiki and Ikeda, section 6.2: what a piece is worth changes
 * with the position, so it must be estimated online).
 */
#ifndef SEARCH_VALUES_H
#define SEARCH_VALUES_H

#include "search/search.h"

/* Simulations of an estimate, the turns that each plays beyond the noted position, and the weight of the
 * values given beforehand against what the simulations show: as of that many simulations whose features
 * differ by one. */
enum { VALUES_SIMS = 400, VALUES_HORIZON = 16, VALUES_FAITH = 100 };

/* The least part of its value beforehand that a piece keeps: taking one is never worth nothing. */
#define VALUES_LEAST 0.05

/* Simulations from the root show how the evaluation after some turns decides the evaluation at their own end:
 * least squares of the second over the parts of the first, one part for each weight. Weights on which no
 * simulation differs stay as they were. */
struct values_settings {
    const struct eval *eval; /* a weighted sum: each weight times its part */
    const struct rollout *rollout;
    const double *before; /* the weights without an estimate */
    int turns; /* that the search plays before it evaluates, the one under way included; at least 1 */
};

/* `weights` gets GAME_WEIGHTS_MAX values. A time limit or deadline of the task's budget ends the estimate,
 * the limit after a quarter of it; at least one simulation is made. Draws one number from the task's
 * generator. Work is not counted. */
void values_estimate(const struct search_task *task, const struct values_settings *settings, double *weights);

#endif
