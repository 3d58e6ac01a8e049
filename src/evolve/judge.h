/* SPDX-License-Identifier: MIT
 *
 * Judging one map: pair after pair of games until the intervals are tight enough or the budget is used.
 */
#ifndef EVOLVE_JUDGE_H
#define EVOLVE_JUDGE_H

#include "evolve/evaluator.h"
#include "evolve/looks.h"

struct judge_limits {
    double width;             /* intervals may be plus or minus this: 0.05, say */
    int games_min, games_max; /* a map: contests and games of peers together */
};

enum { JUDGE_BATCH = 20 }; /* games of a kind between two looks at the intervals; results depend on it */

struct judge_subject {
    int id;
    const struct tbs_map *map;
    struct judgement judgement; /* grows */
    bool tight;                 /* both intervals are; otherwise the budget was used or it was stopped */
};

/* All maps at once, so that the workers have enough to do; a map that is tight waits for the others. Results
 * of one map do not depend on which others are judged with it. */
bool judge_maps(struct evaluator *evaluator, const struct judge_limits *limits, struct judge_subject *maps,
                int count, bool *complete, struct err *e);

/* Half the width of the interval. */
double judge_margin(const struct share *share);

#endif
