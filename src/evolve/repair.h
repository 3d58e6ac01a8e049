/* SPDX-License-Identifier: MIT
 *
 * The smallest changes that bring a map's balance into an interval, found by search: all changes of cost 1,
 * 2 and 3 first, then large changes, then those between. Promising ones get more games. Draws count half,
 * so a map on which nothing is decided would be balanced. Therefore enough games must be decided, and of
 * changes of the same cost the one with more decided games is taken.
 */
#ifndef EVOLVE_REPAIR_H
#define EVOLVE_REPAIR_H

#include "evolve/judge.h"

enum repair_kind { REPAIR_HP, REPAIR_MOVE, REPAIR_SWAP, REPAIR_TERRAIN, REPAIR_KINDS };

enum {
    REPAIR_ALL = (1 << REPAIR_KINDS) - 1,
    REPAIR_CHANGES_MAX = 8,
    REPAIR_TEXT_MAX = 120,
    REPAIR_SURE_MIN = 20,
    REPAIR_LARGE = 0
};

extern const char *const repair_kind_names[REPAIR_KINDS]; /* "hp", "move", "swap", "terrain" */

struct repair_options {
    double low, high; /* red's score between equals shall be in here */
    double decided; /* share of those games that must be decided, 0 … 1; less if the map had fewer before */
    unsigned kinds; /* which changes are allowed: bit 1 << kind */
    int changes_max; /* at most so many, 1 … REPAIR_CHANGES_MAX */
    int games_max;   /* budget of games, at least repair_games_least(games_sure) */
    int games_sure;  /* games of peers of a map before it is believed, at least REPAIR_SURE_MIN */
};

/* What judging the map before and after takes, and a little for the search between. */
int repair_games_least(int games_sure);

struct repair_result {
    bool was_good; /* the map's balance lies in the interval already: nothing was changed */
    bool found;    /* otherwise `map` is the best that was seen, perhaps with no change at all */
    struct tbs_map map;
    int change_count;
    int alike; /* found: how many of that cost seemed good; this is the one with the most decided games */
    bool out_of_reach; /* not even the largest changes of HP that were tried sufficed */
    int cost; /* sum of the sizes of the changes: a point of HP 1, a step 1, a swap 2, a cell's terrain 2 */
    char changes[REPAIR_CHANGES_MAX][REPAIR_TEXT_MAX]; /* "red panzer at (3, 2): HP 10 becomes 8" */
    struct judgement before, after; /* contests too; `after` from games that were not used to choose it */
    int games, candidates;
};

struct repair_run {
    const struct tbs_map *map;
    const struct repair_options *options;
    struct evaluator *evaluator;
    uint64_t seed; /* which changes come first when there are more than the budget allows */
    /* Before the changes of each cost are tried, or large ones of several costs (REPAIR_LARGE). Or NULL. */
    void (*on_round)(void *context, int cost, int candidates, int games);
    void *context;
};

/* Whether the map can be repaired: units on both sides, every unit on terrain it can enter, HP in the
 * ordinary range. */
bool repair_check(const struct tbs_map *map, struct err *e);

/* *complete is false when it was stopped: then the result means nothing. False when the map or an option
 * cannot be used, or something failed. */
bool repair_map(const struct repair_run *run, struct repair_result *out, bool *complete, struct err *e);

#endif
