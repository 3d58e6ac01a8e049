/* SPDX-License-Identifier: MIT
 *
 * Private to the flat searches: the bandit whose arms are the actions of one position. It is the larger part
 * of what a simulation on a cheap game costs, so an arm keeps 1 / visits (one division a simulation, not
 * several an arm), and ln n comes from a table, or beyond it from a stretch computed in one go.
 */
#ifndef SEARCH_FLAT_BANDIT_H
#define SEARCH_FLAT_BANDIT_H

#include "base/ln.h"
#include "search/flat.h"

struct bandit_arm {
    double sum, squares; /* of rewards in 0 … 1 */
    double inverse;      /* 1 / visits */
    uint64_t visits;
};

struct bandit {
    enum flat_root root;
    double c;                    /* of FLAT_UCB1 */
    const struct ln_table *logs; /* shared */
    struct bandit_arm *arms;
    int count;
    uint64_t n;                 /* plays of all arms */
    uint64_t stretch_end;       /* where n is beyond the table: ln n for the numbers before this one … */
    double stretch[LN_STRETCH]; /* … are here */
};

/* Forgets everything; the position has `count` actions. */
void bandit_clear(struct bandit *bandit, int count);

/* The arm to play now: first each once, then by the bounds, the first of equals; or all in turn. */
int bandit_next(struct bandit *bandit);

/* The arm to play in the end, of those that were played (of all when none was): the highest mean, or with
 * `by_sum` the highest sum. One of equals by lot; where there are none the generator is left alone. */
int bandit_best(const struct bandit *bandit, bool by_sum, struct rng *r);

static inline void bandit_add(struct bandit *bandit, int index, double reward) {
    struct bandit_arm *arm = &bandit->arms[index];
    arm->visits++;
    arm->sum += reward;
    arm->squares += reward * reward;
    arm->inverse = 1 / (double)(int64_t)arm->visits;
    bandit->n++;
}

/* 0 for an arm that was never played. */
double bandit_mean(const struct bandit_arm *arm);

#endif
