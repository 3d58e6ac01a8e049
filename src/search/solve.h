/* SPDX-License-Identifier: MIT
 *
 * The exact value of a small position by alpha-beta with a transposition table. Positions are keyed by what
 * stands where, so different orders of the same actions meet in one entry. The search deepens turn by turn
 * and proves bounds both ways, so that when it has to stop early it can say what it knows.
 *
 * For games without chance and without hidden parts. Only what `actions` lists is looked at.
 */
#ifndef SEARCH_SOLVE_H
#define SEARCH_SOLVE_H

#include "base/err.h"
#include "search/search.h"

enum { SOLVE_LINE_MAX = 512 };

/* All for the side to move at the root. */
struct solution {
    bool solved;               /* low == high */
    double low, high;          /* proven bounds of the payoff: 0, 0.5, 1 */
    bool distance_known;       /* turns_low == turns_high and solved */
    int turns_low, turns_high; /* turns until the game ends under best play (the winner hurries, the loser
                                  delays; a draw lasts as long as the line); a turns_high of 0: not known */
    int depth;                 /* turns of the last completed iteration */
    bool too_deep;             /* it stopped because lines grew longer than it can follow */
    uint64_t nodes;            /* positions looked at */
    uint64_t transpositions;   /* of those, answered from the table */
    uint64_t saved;            /* what those answers took when they were found, in nodes */
    int line_count;            /* best play for both sides, as far as it is known */
    action line[SOLVE_LINE_MAX];
};

struct solve_settings {
    size_t memory_bytes; /* of the table; 0: no table */
    bool wdl_only;       /* stop when won/drawn/lost is known, without looking for the exact distance */
};

/* Work units are nodes; the budget's stop and time are respected, and a watcher is told depth and nodes.
 * False only when memory ran out. */
bool solve(const struct search_task *task, const struct solve_settings *settings, struct solution *out,
           struct err *e);

#endif
