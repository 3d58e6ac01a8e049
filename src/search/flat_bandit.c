/* SPDX-License-Identifier: MIT */
#include "search/flat_bandit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void bandit_clear(struct bandit *bandit, int count) {
    bandit->count = count;
    bandit->n = bandit->stretch_end = 0;
    memset(bandit->arms, 0, (size_t)count * sizeof bandit->arms[0]);
}

/* ---- bounds ---- */

/* Equations (2) and (3). The error term of V alone reaches the cap of 1/4 as long as an arm was played less
 * than 32 ln n times; the comparison that tells saves a square root and leaves the result as it is. */
static inline double bound_tuned(const struct bandit_arm *arm, double log_n) {
    const double mean = arm->sum * arm->inverse, rate = log_n * arm->inverse;
    double variance = 0.25;
    if (2 * rate < 0.0625) {
        const double spread = arm->squares * arm->inverse - mean * mean;
        const double v = (spread > 0 ? spread : 0) + sqrt(2 * rate);
        variance = v < 0.25 ? v : 0.25;
    }
    return mean + sqrt(rate * variance);
}

/* Equation (1) with its constant as a setting. */
static inline double bound_ucb1(const struct bandit_arm *arm, double log_n, double c) {
    return arm->sum * arm->inverse + c * sqrt(log_n * arm->inverse);
}

static struct bandit_arm from_outside(const struct flat_arm *arm) {
    assert(arm->visits > 0);
    return (struct bandit_arm){arm->sum, arm->squares, 1 / (double)arm->visits, arm->visits};
}

double flat_bound_tuned(const struct flat_arm *arm, uint64_t n) {
    const struct bandit_arm inside = from_outside(arm);
    return bound_tuned(&inside, ln_of((double)n));
}

double flat_bound_ucb1(const struct flat_arm *arm, uint64_t n, double c) {
    const struct bandit_arm inside = from_outside(arm);
    return bound_ucb1(&inside, ln_of((double)n), c);
}

/* ---- choosing ---- */

/* Which bound is higher decides what is simulated next, which decides the next bound: a chain that a
 * processor can only get ahead of by guessing. So this is to be a branch (the empty statement keeps it one)
 * and not a conditional move, which waits. */
static inline __attribute__((always_inline)) int highest_bound(const struct bandit *bandit, double log_n,
                                                               bool tuned) {
    double highest = 0;
    int best = 0;
    for (int i = 0; i < bandit->count; i++) {
        const struct bandit_arm *arm = &bandit->arms[i];
        const double bound = tuned ? bound_tuned(arm, log_n) : bound_ucb1(arm, log_n, bandit->c);
        if (i == 0 || bound > highest) {
            __asm__ volatile("");
            highest = bound;
            best = i;
        }
    }
    return best;
}

/* n only grows until the bandit is cleared. */
static inline double log_of_plays(struct bandit *bandit) {
    const uint64_t n = bandit->n;
    if (n <= LN_TABLE_MAX)
        return bandit->logs->values[n];
    if (n >= bandit->stretch_end) {
        ln_of_stretch(n, bandit->stretch);
        bandit->stretch_end = n + LN_STRETCH;
    }
    return bandit->stretch[n + LN_STRETCH - bandit->stretch_end];
}

int bandit_next(struct bandit *bandit) {
    const uint64_t n = bandit->n, count = (uint64_t)bandit->count;
    if (n < count)
        return (int)n;
    if (bandit->root == FLAT_ROUND_ROBIN)
        return (int)(n % count);
    const double log_n = log_of_plays(bandit);
    if (bandit->root == FLAT_TUNED)
        return highest_bound(bandit, log_n, true);
    return highest_bound(bandit, log_n, false);
}

double bandit_mean(const struct bandit_arm *arm) {
    return arm->visits > 0 ? arm->sum / (double)arm->visits : 0;
}

/* Is arm a better in the end (1), as good (0) or worse (-1) than arm b? Not by `inverse`: 3 of 3 and 5 of 5
 * must be equal. */
static int compare(const struct bandit_arm *a, const struct bandit_arm *b, bool by_sum) {
    if (a->visits == 0 || b->visits == 0)
        return (a->visits > 0) - (b->visits > 0);
    const double left = by_sum ? a->sum : bandit_mean(a), right = by_sum ? b->sum : bandit_mean(b);
    return (left > right) - (left < right);
}

int bandit_best(const struct bandit *bandit, bool by_sum, struct rng *r) {
    const struct bandit_arm *arms = bandit->arms;
    int best = 0, equals = 1;
    for (int i = 1; i < bandit->count; i++) {
        const int order = compare(&arms[i], &arms[best], by_sum);
        equals = order > 0 ? 1 : equals + (order == 0);
        best = order > 0 ? i : best;
    }
    const int first = best;
    uint32_t pass = equals > 1 ? rng_below(r, (uint32_t)equals) : 0; /* how many equals to pass over */
    for (int i = first + 1; pass > 0; i++) {
        if (compare(&arms[i], &arms[first], by_sum) == 0) {
            best = i;
            pass--;
        }
    }
    return best;
}
