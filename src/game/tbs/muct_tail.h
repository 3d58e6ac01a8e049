/* SPDX-License-Identifier: MIT
 *
 * What M-UCT's model adds to a state, behind it: private to muct.c and small_muct.c.
 */
#ifndef GAME_TBS_MUCT_TAIL_H
#define GAME_TBS_MUCT_TAIL_H

#include "game/tbs/small.h"

/* The share of playout decisions that do not even look for an attack. */
#define MUCT_RANDOM_SHARE 0.2

enum { MUCT_TAIL_AT_SMALL = sizeof(struct tbs_small) };

struct muct_tail {
    uint8_t searcher; /* whose view it is: who was to move at the root */
    bool at_root;     /* no action was played yet */
};

static inline const struct muct_tail *muct_tail(const void *state) {
    return (const struct muct_tail *)((const char *)state + core_path(core_of(state)->scenario)->state_size);
}

static inline struct muct_tail *muct_tail_of(void *state) {
    return (struct muct_tail *)((char *)state + core_path(core_of(state)->scenario)->state_size);
}

/* The playout on small boards: the same choices from the same random numbers as the plain one. */
long small_muct_run(void *state, struct rng *r, int turns_max);

#endif
