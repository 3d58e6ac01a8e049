/* SPDX-License-Identifier: MIT
 *
 * What a side can conclude about the other's colours: a probability for each set of reds that agrees with
 * what was seen, from how its pieces were moved (the history in the state). Without history, and for all that
 * moves do not tell, all sets are equally likely.
 */
#ifndef GEISTER_BELIEF_H
#define GEISTER_BELIEF_H

#include "geister/policy.h"

struct belief {
    int count;                        /* sets that agree with what was seen */
    uint8_t reds[GEISTER_SETUPS];     /* of the other side: bit 0 is its piece A; taken reds included */
    double weight[GEISTER_SETUPS];    /* they sum to 1 */
};

/* All sets that agree, equally likely. */
void belief_even(const struct geister *view, int side, struct belief *out);

/* The chance that each piece is red; 0 or 1 for taken ones. */
void belief_redness(const struct belief *belief, double out[GEISTER_PIECES]);

/* A set drawn by its weight. */
unsigned belief_draw(const struct belief *belief, struct rng *r);

/* Fills a view's unknowns with that set. */
void belief_fill(struct geister *view, int side, unsigned reds);

#endif
