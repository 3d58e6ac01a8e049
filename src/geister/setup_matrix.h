/* SPDX-License-Identifier: MIT
 *
 * Which set-ups are good: every one plays every other many times, with a policy for both sides, and the
 * weighted set that no set-up does better against is computed from the results.
 */
#ifndef GEISTER_SETUP_MATRIX_H
#define GEISTER_SETUP_MATRIX_H

#include "geister/policy.h"

#include <stdatomic.h>

struct setup_matrix {
    double first[GEISTER_SETUPS]
                [GEISTER_SETUPS]; /* [i][j]: what i wins on average beginning against j, -1 … 1 */
    double worth[GEISTER_SETUPS][GEISTER_SETUPS]; /* what i wins against j, beginning as often as not */
};

struct setup_task {
    const struct policy_weights *policy;
    int games; /* of each pair of set-ups, the one beginning */
    int plies;
    uint64_t seed;
    int threads;
    const atomic_bool *stop;                   /* may be NULL */
    void (*progress)(void *context, int done); /* set-ups that have played all their games; may be NULL */
    void *context;
};

/* Moves are drawn by the policy. Left and right are the same: a pair and its mirror image share their games.
 * False when it was stopped or could not be done. */
bool setup_matrix_play(const struct setup_task *task, struct setup_matrix *out, struct err *e);

struct setup_solution {
    double weights[GEISTER_SETUPS]; /* sum to 1 */
    double regret;                  /* what the best single set-up wins against them */
    double gain;                    /* what they win against random set-ups */
};

/* The equilibrium by regret matching; weights below `least` are dropped. */
void setup_matrix_solve(const struct setup_matrix *matrix, double least, struct setup_solution *out);

/* The set-up in a mirror. */
int setup_mirror(int number);

#endif
