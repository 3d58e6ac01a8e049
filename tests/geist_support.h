/* SPDX-License-Identifier: MIT
 *
 * What tests of the learned players ask beside the players themselves.
 */
#ifndef TESTS_GEIST_SUPPORT_H
#define TESTS_GEIST_SUPPORT_H

#include "geister/geist.h"

/* The chance that each piece is red; 0 or 1 for taken ones. */
void belief_redness(const struct belief *belief, double out[GEISTER_PIECES]);

/* Fills a view's unknowns with that set of the other side's reds. */
void belief_fill(struct geister *view, int side, unsigned reds);

/* The value of the position to the side, which is to move: -1 … 1. */
float policy_value(const struct policy_weights *weights, const struct geister_observation *seen);

#endif
