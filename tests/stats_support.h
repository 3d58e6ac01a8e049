/* SPDX-License-Identifier: MIT
 *
 * Games drawn from players of given strengths, for tests of statistics.
 */
#ifndef TESTS_STATS_SUPPORT_H
#define TESTS_STATS_SUPPORT_H

#include "base/numbers.h"
#include "match/statistics.h"

/* A payoff of a side that is `elo` stronger; as many draws as asked for, if the expected score allows it. */
double support_play(struct rng *r, double elo, double draws);

/* About normal, with mean 0 and standard deviation 1. */
double support_normal(struct rng *r);

/* A mirrored pair, from the view of a player that is `elo` stronger, on a map that is worth `side` to red. */
void support_add_pair(struct rng *r, double elo, double side, double draws, struct pairs *out);

/* How much stronger a player must be to have the score of `elo` on maps worth `side`, both seats together:
 * unbalanced maps hide a part of the difference. */
double support_strength(double elo, double side);

#endif
