/* SPDX-License-Identifier: MIT
 *
 * Equilibria by counterfactual regret minimisation, CFR+ (Tammelin 2014): regrets are cut at zero, the two
 * sides are updated alternately, and late strategies have a larger weight in the average. The weight is the
 * square of the iteration number: on synthetic trees that needs 1.1 times (little information revealed
 * during play) to 3 times (much revealed) fewer iterations than the published linear weights. Discounted and
 * predictive variants are faster on some of those trees and slower on others.
 *
 * Works on the sequence form (strategy.h): for each side an iteration visits every leaf and every
 * information set once, and no inner node. A tree of 8 types per player and 6 plies takes 8 to 40
 * microseconds.
 */
#ifndef EXACT_CFR_H
#define EXACT_CFR_H

#include "exact/form.h"

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

/* Fills `strategy` (action_count probabilities, of both sides) with the average strategy. False when
 * memory ran out. */
bool cfr_solve(const struct form *form, const struct cfr_options *options, double *strategy,
               struct cfr_result *out, struct err *e);

#endif
