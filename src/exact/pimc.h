/* SPDX-License-Identifier: MIT
 *
 * How perfect information Monte Carlo plays when it looks at every world and knows each world's exact value:
 * the action with the best mean over the states of the information set, all of them equally likely, as if
 * everything were open from the next move on. No samples, no search: the strategy itself.
 */
#ifndef EXACT_PIMC_H
#define EXACT_PIMC_H

#include "exact/form.h"

/* Fills the strategy of both sides; equally good actions share evenly. False when memory ran out. */
bool pimc_strategy(const struct form *form, double *strategy, struct err *e);

#endif
