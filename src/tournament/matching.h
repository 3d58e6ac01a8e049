/* SPDX-License-Identifier: MIT
 *
 * The cheapest perfect matching of a complete graph: an exact one, for pairings that promise something. Costs
 * have several levels, of which each counts only where all before it are equal.
 */
#ifndef TOURNAMENT_MATCHING_H
#define TOURNAMENT_MATCHING_H

#include <stdint.h>

enum { MATCHING_LEVELS = 7, MATCHING_VERTICES_MAX = 256 };

/* What one level of one edge may cost at most (and with a minus sign, at least): sums stay far from overflow.
 */
#define MATCHING_COST_MAX (INT64_C(1) << 45)

struct matching_cost {
    int64_t level[MATCHING_LEVELS]; /* the most important first */
};

/* Less than, equal to or greater than 0, as the cost a is less than, equal to or greater than b. */
int matching_compare(const struct matching_cost *a, const struct matching_cost *b);

/* costs[a * count + b] is the symmetric cost of joining a and b; `count` is even and may be 0. mate[a] gets
 * the vertex that a is joined with. The sum of all costs is minimal; the same costs give the same matching.
 */
void matching_cheapest(const struct matching_cost *costs, int count, int *mate);

#endif
