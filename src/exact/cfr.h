/* SPDX-License-Identifier: MIT
 *
 * Equilibria by counterfactual regret minimisation, CFR+ (Tammelin 2014): regrets are cut at zero, the two
 * sides are updated in turns, and late strategies weigh more in the average: by the square of their number,
 * since on synthetic trees that needs 1.1 times (where little is learned during play) to 3 times (where much
 * is) fewer iterations than the published linear weights. Discounted and predictive variants were tried: each
 * is faster on some of those trees and slower on others.
 *
 * Works on the sequence form (plan.h): an iteration looks at every end of a game and at every information set
 * once for each side, at nodes never. A tree of 8 types a player and 6 plies takes 8 to 40 microseconds.
 */
#ifndef EXACT_CFR_H
#define EXACT_CFR_H

#include "exact/form.h"

enum { CFR_ITERATIONS_USUAL = 100000 };

struct cfr_options {
    int iterations_max; /* 0: CFR_ITERATIONS_USUAL */
    double gap; /* stop when response_gap is at most this (0 … 1 scale); it is looked at now and then */
    const atomic_bool *stop; /* may be NULL */
    /* Told whenever the gap was looked at; may be NULL. */
    void (*on_gap)(void *context, int iterations, double gap);
    void *context;
};

struct cfr_result {
    double value; /* of the game to side 0: the middle of what both strategies guarantee */
    double gap;   /* of the strategies found: the value is exact to within half of this */
    int iterations;
    bool stopped;
};

/* Fills `strategy` (action_count probabilities, both sides') with the average. False when memory ran out. */
bool cfr_solve(const struct form *form, const struct cfr_options *options, double *strategy,
               struct cfr_result *out, struct err *e);

#endif
