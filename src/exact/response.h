/* SPDX-License-Identifier: MIT
 *
 * The best that can be done against a known strategy.
 */
#ifndef EXACT_RESPONSE_H
#define EXACT_RESPONSE_H

#include "exact/form.h"

/* What `side` expects (0 … 1, to itself) when it answers the other side's strategy as well as can be, without
 * seeing more than it may. `best` (may be NULL; may not be `strategy`) gets the answer in the sets of `side`,
 * the first of equal actions, and stays as it is elsewhere. False when memory ran out. */
bool response_find(const struct form *form, const double *strategy, int side, double *best, double *value,
                   struct err *e);

/* How much both sides together could gain over a pair of strategies by answering it best: 0 exactly for an
 * equilibrium. Half of it bounds how far either side's guarantee is from the game's value. */
bool response_gap(const struct form *form, const double *const strategies[2], double *gap, struct err *e);

#endif
