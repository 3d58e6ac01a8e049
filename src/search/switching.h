/* SPDX-License-Identifier: MIT
 *
 * When adaptive Monte Carlo tree search (AMCTS) throws its random playouts away and searches again with
 * thoughtful ones: equation (6) of the paper, of which only the surroundings survive. So it is a table of
 * readings, none of which is "the paper's", with the controls that show whether the reading matters.
 */
#ifndef SEARCH_SWITCHING_H
#define SEARCH_SWITCHING_H

#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum switching_rule {
    SWITCH_GAP_PER_WORLD, /* 6w: best - second < theta / worlds */
    SWITCH_GAP,           /* 6g: best - second < theta */
    SWITCH_GAP_BY_WORLDS, /* 6x: best - second < theta * worlds / worlds at the start */
    SWITCH_ERRORS,        /* 6c: best - second < theta * (their standard errors' sum) */
    SWITCH_RELATIVE,      /* 6q: (best - second) / best < theta */
    SWITCH_REVERSED,      /* 6i: best - second > theta */
    SWITCH_ALWAYS,
    SWITCH_NEVER,
    SWITCH_RANDOM, /* with probability theta */
    SWITCH_RULES,
};

/* As options and tables call them, "|" between; and theta's default for each. 6w's reads "a difference of
 * less than one point, shared by the worlds", where a point is a fourth of the whole: payoffs 0 … 4, as in
 * the paper. What a point is in another game a search cannot know. */
#define SWITCHING_NAMES "6w|6g|6x|6c|6q|6i|always|never|random"
extern const double switching_thetas[SWITCH_RULES];

/* One action after the first search. */
struct switching_arm {
    double mean, variance; /* of rewards in 0 … 1 */
    uint64_t visits;
};

struct switching_case {
    const struct switching_arm *arms;
    int count;
    double worlds, worlds_at_start; /* states of the mover's information set, now and when nothing is known;
                                       the latter is for SWITCH_GAP_BY_WORLDS alone */
    struct rng *rng;                /* drawn from by SWITCH_RANDOM alone */
};

/* Shall it be searched again? Arms that were never played do not count; with less than two of them there is
 * nothing to decide, and no rule says yes. */
bool switching_decide(enum switching_rule rule, double theta, const struct switching_case *c);

#endif
