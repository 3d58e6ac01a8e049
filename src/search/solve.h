/* SPDX-License-Identifier: MIT
 *
 * The exact value of a small position by alpha-beta with a transposition table. Keys depend on the position
 * only, so different orders of the same actions share one entry. The search deepens turn by turn and proves
 * bounds from both sides, so that it can report them when it stops early.
 *
 * For games without hidden information. Only actions that `actions` lists are searched. Games with chance
 * have an expected payoff in place of a result, which is found without bounds: by looking at all positions
 * once. Their lines of best play end at the first action with several outcomes.
 */
#ifndef SEARCH_SOLVE_H
#define SEARCH_SOLVE_H

#include "search/search.h"

enum { SOLVE_LINE_MAX = 512 };

/* All values are for the side to move at the root. */
struct solution {
    bool solved;               /* low == high */
    double low, high;          /* proven bounds of the payoff: 0, 0.5, 1; with chance its expectation */
    bool distance_known;       /* turns_low == turns_high and solved */
    int turns_low, turns_high; /* turns until the game ends under best play (the winner shortens, the loser
                                  delays; a draw lasts as long as the line); a turns_high of 0: unknown */
    int depth;                 /* turns of the last completed iteration */
    bool too_deep;             /* the search stopped because lines exceeded the stack */
    uint64_t nodes;            /* positions visited */
    uint64_t transpositions;   /* of those, answered by the table */
    uint64_t saved;            /* nodes that those answers cost when they were found */
    int line_count;            /* best play for both sides, as far as known */
    action line[SOLVE_LINE_MAX];
};

struct solve_settings {
    size_t memory_bytes; /* of the table; 0: no table */
    bool wdl_only;       /* stop when won, drawn or lost is known, without the exact distance */
};

/* Work units are nodes. The budget's stop and time are respected, and a watcher gets depth and nodes. False
 * only when memory ran out. */
bool solve(const struct search_task *task, const struct solve_settings *settings, struct solution *out,
           struct err *e);

#endif
