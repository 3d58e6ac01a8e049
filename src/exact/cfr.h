/* SPDX-License-Identifier: MIT
 *
 * Equilibria by counterfactual regret minimisation, CFR+ (Tammelin 2014): regrets are cut at zero, the two
 * sides are updated in turns, and the average weights late strategies more.
 */
#ifndef EXACT_CFR_H
#define EXACT_CFR_H

#include "exact/form.h"

struct cfr_options {
    int iterations_max; /* 0: 100000 */
    double gap; /* stop when response_gap is at most this (0 … 1 scale); it is looked at now and then */
    const atomic_bool *stop; /* may be NULL */
    /* Told whenever the gap was looked at; may be NULL. */
    void (*on_gap)(void *context, int iterations, double gap);
    void *context;
};

struct cfr_result {
    double value; /* of the game to side 0 */
    double gap;   /* of the strategies found: the value is exact to within this */
    int iterations;
    bool stopped;
};

/* Fills `strategy` (action_count probabilities, both sides') with the average. False when memory ran out. */
bool cfr_solve(const struct form *form, const struct cfr_options *options, double *strategy,
               struct cfr_result *out, struct err *e);

#endif
