/* SPDX-License-Identifier: MIT
 *
 * The sequence form (von Stengel): a strategy as a plan, which holds for every sequence of a side how likely
 * that side is to get through it if the other lets it. What a side expects is linear in its plan, so the
 * courses of play are looked at once and everything else works on information sets alone.
 *
 * Plans and gains have action_count + 1 numbers. Sequences of both sides differ (but for 0, the beginning),
 * so one array can hold both sides' plans.
 */
#ifndef EXACT_PLAN_H
#define EXACT_PLAN_H

#include "exact/form.h"

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

#endif
