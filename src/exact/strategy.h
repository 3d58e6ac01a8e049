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

/* Room for plan or gains, all 0; NULL when memory ran out. Free with mem_free. */
double *plan_alloc(const struct form *form);

/* The plan of one side's strategy; other sequences stay as they are. */
void plan_fill(const struct form *form, const double *strategy, int side, double *plan);

/* What each sequence of `side` brings it at ends of games that come without another action of its own, while
 * the other side follows its plan. Both count side 0's payoffs, side 1 as losses. Other gains become 0. */
void plan_gains(const struct form *form, const double *plan, int side, double *gains);

/* The most `side` can make of these gains, in the units of plan_gains. Afterwards the gains of a sequence are
 * all it brings when every later action is the best (the first of equal ones), which `best` (a strategy; may
 * be NULL) gets for the sets of `side`. */
double plan_best(const struct form *form, int side, double *gains, double *best);

/* ---- best responses ---- */

/* What `side` expects (0 … 1, to itself) when it answers the other side's strategy as well as can be, without
 * seeing more than it may. `best` (may be NULL; may not be `strategy`) gets the answer in the sets of `side`,
 * the first of equal actions, and stays as it is elsewhere. False when memory ran out. */
bool response_find(const struct form *form, const double *strategy, int side, double *best, double *value,
                   struct err *e);

/* How much both sides together could gain over a pair of strategies by answering it best: 0 exactly for an
 * equilibrium. Half of it bounds how far either side's guarantee is from the game's value. */
bool response_gap(const struct form *form, const double *const strategies[2], double *gap, struct err *e);

/* ---- the exact strategy of PIMC ----
 *
 * PIMC that looks at every world and has its exact value: the action with the best mean over all states of
 * the information set, all equally likely, as if nothing were hidden from the next action on. */

/* Fills the strategy of both sides; equally good actions share evenly. False when memory ran out. */
bool pimc_strategy(const struct form *form, double *strategy, struct err *e);

#endif
