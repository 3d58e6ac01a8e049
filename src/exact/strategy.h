/* SPDX-License-Identifier: MIT
 *
 * Strategies on a form: equilibria, best responses to a known strategy, and the exact strategy of perfect
 * information Monte Carlo (PIMC).
 */
#ifndef EXACT_STRATEGY_H
#define EXACT_STRATEGY_H

#include "exact/form.h"

/* ---- equilibria ----
 *
 * Counterfactual regret minimisation, CFR+ (Tammelin 2014): regrets are cut at zero, the two sides are
 * updated alternately, and late strategies have a larger weight in the average. The weight is the square of
 * the iteration number: on synthetic trees that needs 1.1 times (little information revealed during play) to
 * 3 times (much revealed) fewer iterations than the published linear weights. Discounted and predictive
 * variants are faster on some of those trees and slower on others.
 *
 * For each side an iteration visits every leaf and every information set once, and no inner node. A tree of 8
 * types per player and 6 plies takes 8 to 40 microseconds. */

enum { CFR_ITERATIONS_DEFAULT = 100000 };

struct cfr_options {
    int iterations_max; /* 0: CFR_ITERATIONS_DEFAULT */
    double gap;         /* stop when response_gap is at most this (0 … 1 scale); computed at intervals */
    const atomic_bool *stop; /* may be NULL */
    /* Called after each computation of the gap; may be NULL. */
    void (*on_gap)(void *context, int iterations, double gap);
    void *context;
};

struct cfr_result {
    double value; /* of the game to side 0: the midpoint of the payoffs that the two strategies guarantee */
    double gap;   /* of the returned strategies: the value is exact to within half of this */
    int iterations;
    bool stopped;
};

/* Fills `strategy` (of both sides) with the average strategy. False when memory ran out. */
bool cfr_solve(const struct form *form, const struct cfr_options *options, double *strategy,
               struct cfr_result *out, struct err *e);

/* ---- best responses ---- */

/* Computes the payoff (0 … 1, to `side`) of the best response of `side` to the other side's strategy,
 * within the information it has. `best` (may be NULL; must not be `strategy`) gets the response in the
 * sets of `side`, the first of equal actions, and stays unchanged elsewhere. False when memory ran out. */
bool response_find(const struct form *form, const double *strategy, int side, double *best, double *value,
                   struct err *e);

/* Computes how much both sides together could gain by best responses to a pair of strategies: 0 exactly
 * for an equilibrium. Half of it bounds the distance of either side's guarantee from the game's value. */
bool response_gap(const struct form *form, const double *const strategies[2], double *gap, struct err *e);

/* ---- the exact strategy of PIMC ----
 *
 * PIMC that looks at every world and has its exact value: the action with the best mean over all states of
 * the information set, all equally likely, as if nothing were hidden from the next action on. */

/* Fills the strategy of both sides; equally good actions share equally. False when memory ran out. */
bool pimc_strategy(const struct form *form, double *strategy, struct err *e);

#endif
