/* SPDX-License-Identifier: MIT
 *
 * The result of one game: what a game run gives, a batch hands on, a store holds and reports sum up. Plain
 * bytes, so it travels to other ranks as it is.
 */
#ifndef STORE_OUTCOME_H
#define STORE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

enum { OUTCOME_RESULT_MAX = 64 };

struct outcome {
    bool played;   /* false: there is no result yet */
    double payoff; /* of side 0 */
    int forfeiter; /* the side that broke a rule; -1 (NOBODY): none did */
    int fault;     /* enum player_fault: which rule */
    int actions, turns;
    int lead_changes; /* how often the side ahead (by the game's first evaluation, at the ends of turns)
                         changed */
    int64_t think_ns[2], longest_ns[2]; /* by side: in all, and the longest decision */
    int decisions[2];
    uint64_t leaves[2];              /* leaf evaluations, by side; 0: not counted */
    char result[OUTCOME_RESULT_MAX]; /* as in a record: "red annihilation", "blue late" */
    int voids;                       /* how often it was void and played again before it counted, */
    int64_t gap_ns;                  /* and how long this program was stopped in those, in all */
};

#endif
