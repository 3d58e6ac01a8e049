/* SPDX-License-Identifier: MIT
 *
 * How a player chooses its reds: at random, always the same, or from a weighted set that self-play found.
 */
#ifndef GEISTER_SETUP_H
#define GEISTER_SETUP_H

#include "game/geister/geister.h"

enum setup_kind { SETUP_RANDOM, SETUP_FIXED, SETUP_STRONG };

struct setup_strategy {
    enum setup_kind kind;
    unsigned reds; /* fixed */
};

#define SETUP_HELP "the own reds: random, strong (a weighted set found by self-play), or four letters (BCFG)"

bool setup_read(const char *text, struct setup_strategy *out, struct err *e);

/* The action of the set-up. */
action setup_choose(const struct setup_strategy *strategy, struct rng *r);

/* The weights of the strong set, by set-up number; they sum to 1. */
extern const float setup_strong_weights[GEISTER_SETUPS];

#endif
