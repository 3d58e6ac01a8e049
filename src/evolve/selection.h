/* SPDX-License-Identifier: MIT
 *
 * Who goes on and who has children, from numbers alone.
 */
#ifndef EVOLVE_SELECTION_H
#define EVOLVE_SELECTION_H

#include "base/rng.h"
#include "evolve/recipe.h"

/* One of n with probability proportional to its weight (all at least 0; all 0: uniformly). */
int selection_roulette(const double *weights, int n, struct rng *r);

/* Chooses `keep` different ones of n: the best of all first, the others by the rule, in the order in which
 * they were chosen. Ties for the best go to the lowest index. `chosen` has room for all n; those behind
 * the first `keep` are the others. */
struct selection_rule {
    enum selection how;
    int tournament;
};
void selection_survive(const struct selection_rule *rule, const double *fitness, int n, int keep,
                       struct rng *r, int *chosen);

/* Two different parents of n >= 2, each by the rule; with SELECTION_BEST evenly, as those who survived are
 * the best already. */
void selection_pair(const struct selection_rule *rule, const double *fitness, int n, struct rng *r,
                    int parents[2]);

#endif
