/* SPDX-License-Identifier: MIT
 *
 * What is said of a match in numbers, as JSON for programs; docs/statistics.md explains them. All return new
 * values, NULL when memory ran out.
 */
#ifndef MATCH_FIGURES_H
#define MATCH_FIGURES_H

#include "match/pairs.h"
#include "match/stats.h"

#include <jansson.h>

/* {"wins": [ours, theirs], "draws": …, "score": …, "interval": [low, high]}. */
json_t *figures_tally(const struct tally *tally);

/* {"difference": …, "error": …, "interval": [low, high], "superiority": …}. */
json_t *figures_elo(const struct pairs *pairs);

/* How many pairs had 0, 0.5, 1, 1.5 and 2 points. */
json_t *figures_pairs(const struct pairs *pairs);

#endif
