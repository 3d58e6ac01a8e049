/* SPDX-License-Identifier: MIT
 *
 * Scores as differences of strength: the logistic curve on which 400 points are odds of ten to one.
 */
#ifndef MATCH_ELO_H
#define MATCH_ELO_H

#include "match/pairs.h"

/* Elo points in one unit of log odds: 400 / ln 10. */
#define ELO_PER_LOGIT 173.71779276130073

/* The expected score of a player that is `elo` stronger. */
double elo_to_score(double elo);

/* Its inverse, for 0 < score < 1. */
double elo_from_score(double score);

struct elo_estimate {
    double score; /* points a game */
    double elo;
    double error;       /* half the 95% interval, on the Elo scale */
    double superiority; /* the likelihood of being stronger, within (0, 1) */
};

/* Finite whatever the counts. The difference is the plain value of the curve; a side without any point is
 * treated as if it had a quarter of one. The error comes from the spread of pairs, to which one virtual pair
 * of two independent decided games is added, with a factor for few pairs (docs/statistics.md). Without games:
 * 0, with a very wide error. */
struct elo_estimate elo_estimate(const struct pairs *p);

#endif
