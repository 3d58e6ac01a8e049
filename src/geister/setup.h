/* SPDX-License-Identifier: MIT
 *
 * Set-ups: how a player chooses its reds (at random, always the same, or from a weighted set found by
 * self-play), and how that set is found. Every set-up plays every other many times, with a policy for both
 * sides, and the weighted set that no single set-up beats is computed from the results.
 */
#ifndef GEISTER_SETUP_H
#define GEISTER_SETUP_H

#include "geister/policy.h"

/* ---- strategies of players ---- */

enum setup_kind { SETUP_RANDOM, SETUP_FIXED, SETUP_STRONG };

struct setup_strategy {
    enum setup_kind kind;
    unsigned reds; /* for SETUP_FIXED */
};

#define SETUP_HELP "the own reds: random, strong (a weighted set found by self-play), or four letters (BCFG)"

bool setup_read(const char *text, struct setup_strategy *out, struct err *e);

/* The action that sets up the reds. */
action setup_choose(const struct setup_strategy *strategy, struct rng *r);

/* The weights of the strong set, by set-up number; they sum to 1. */
extern const float setup_strong_weights[GEISTER_SETUPS];

/* ---- the matrix of all set-ups and its equilibrium ---- */

struct setup_matrix {
    double first[GEISTER_SETUPS]
                [GEISTER_SETUPS]; /* [i][j]: mean result of i moving first against j, -1 … 1 */
    double worth[GEISTER_SETUPS]
                [GEISTER_SETUPS]; /* mean result of i against j, moving first and second equally often */
};

struct setup_task {
    const struct policy_weights *policy;
    int games; /* of each ordered pair of set-ups */
    int plies;
    uint64_t seed;
    int threads;
    const atomic_bool *stop; /* may be NULL */
    void (*progress)(
        void *context,
        int done); /* called with the number of set-ups that have played all their games; may be NULL */
    void *context;
};

/* Moves are drawn by the policy. A pair and its mirror image share their games. False when it was stopped or
 * failed. */
bool setup_matrix_play(const struct setup_task *task, struct setup_matrix *out, struct err *e);

struct setup_solution {
    double weights[GEISTER_SETUPS]; /* sum to 1 */
    double regret;                  /* result of the best single set-up against them */
    double gain;                    /* result against random set-ups */
};

/* The equilibrium by regret matching; weights below `least` are dropped. */
void setup_matrix_solve(const struct setup_matrix *matrix, double least, struct setup_solution *out);

#endif
