/* SPDX-License-Identifier: MIT
 *
 * The smallest changes that bring a map's balance into an interval, found by search: all single changes
 * first, the promising ones looked at more closely, then two changes, and so on.
 */
#ifndef EVOLVE_MEND_H
#define EVOLVE_MEND_H

#include "evolve/evaluator.h"
#include "evolve/genome.h"

enum mend_kind { MEND_HP, MEND_MOVE, MEND_SWAP, MEND_TERRAIN, MEND_KINDS };

enum { MEND_ALL = (1 << MEND_KINDS) - 1, MEND_CHANGES_MAX = 8, MEND_TEXT_MAX = 120 };

struct mend_options {
    double low, high; /* red's score between equals shall be in here */
    unsigned kinds;   /* which changes are allowed: bit 1 << kind */
    int changes_max;  /* at most so many */
    int games_max;    /* budget of games */
    int games_sure;   /* games of peers of a map before it is believed */
};

struct mend_result {
    bool was_good; /* the map's balance lies in the interval already: nothing was changed */
    bool found;    /* otherwise `map` is the best that was seen */
    struct tbs_map map;
    int change_count;
    double
        cost; /* sum of the sizes of the changes: a point of HP 1, a step 1, a swap 2, a cell's terrain 2 */
    char changes[MEND_CHANGES_MAX][MEND_TEXT_MAX]; /* "red panzer at (3, 2): HP 10 becomes 8" */
    struct judgement before, after;                /* `after` from games that were not used to choose it */
    int games, candidates;
};

struct mend_run {
    const struct tbs_map *map;
    const struct tbs_rules *rules;
    const struct mend_options *options;
    struct evaluator *evaluator;
    uint64_t seed;
    /* After each round of the search; may be NULL. */
    void (*on_round)(void *context, int changes, int candidates, int games);
    void *context;
};

bool mend_map(const struct mend_run *run, struct mend_result *out, bool *complete, struct err *e);

#endif
