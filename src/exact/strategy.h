/* SPDX-License-Identifier: MIT
 *
 * Strategies on a form: sequence-form plans, best responses to a known strategy, and the exact strategy of
 * perfect information Monte Carlo (PIMC).
 */
#ifndef EXACT_STRATEGY_H
#define EXACT_STRATEGY_H

#include "exact/form.h"

/* ---- plans ----
 *
 * The sequence form (von Stengel 1996): a plan holds, for every sequence of a side, the probability that the
 * side plays all its actions if the other side allows it. A side's expected payoff is linear in its plan, so
 * the ends of games are visited once and everything else works on information sets alone.
 *
 * Plans and gains have action_count + 1 numbers. Apart from 0, the empty sequence, the sequences of the two
 * sides differ, so one array can hold the plans of both. */

/* Allocates a plan or gains, all 0; NULL when memory ran out. Free with mem_free. */
double *plan_alloc(const struct form *form);

/* Fills the gains of each sequence of `side`: its payoff from leaves that follow without another action of
 * `side`, while the other side follows its plan. Payoffs are those of side 0, negated for side 1. Other
 * gains become 0. */
void plan_gains(const struct form *form, const double *plan, int side, double *gains);

/* Returns the largest total that `side` can reach with these gains, in the units of plan_gains. Afterwards
 * the gain of a sequence includes the best continuation. `best` (a strategy; may be NULL) gets that
 * continuation in the sets of `side`, the first of equal actions. */
double plan_best(const struct form *form, int side, double *gains, double *best);

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

/* Fills the strategy of both sides; equally good actions get equal probabilities. False when memory ran
 * out. */
bool pimc_strategy(const struct form *form, double *strategy, struct err *e);

#endif
