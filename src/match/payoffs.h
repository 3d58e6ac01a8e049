/* SPDX-License-Identifier: MIT
 *
 * The mean payoff of a series, for games whose payoffs have shades. What is observed is a pair: the same deal
 * once from each side, so that neither the seat nor the luck of the deal counts for either player. Only a
 * one-sided series, which has no pairs, takes every game for itself.
 */
#ifndef MATCH_PAYOFFS_H
#define MATCH_PAYOFFS_H

#include "match/stats.h"

#include <stdbool.h>

struct payoffs {
    int count;      /* pairs, or games */
    double mean;    /* 0 … 1, of the player whose view this is */
    double squares; /* of the distances from the mean, summed */
    bool is_waiting;
    double waiting; /* the payoff of a pair's first game: it counts when the second is there */
};

/* Games come in order, those of a pair one after the other. */
void payoffs_add(struct payoffs *p, double payoff, bool paired);

/* 95 % of Student's t around the mean, within 0 … 1; all of that while there are fewer than two
 * observations. */
struct interval payoffs_interval(const struct payoffs *p);

#endif
