/* SPDX-License-Identifier: MIT
 *
 * Questions to the tree-searching players that use every member of a question, and a position for them.
 */
#ifndef TESTS_UCT_SUPPORT_H
#define TESTS_UCT_SUPPORT_H

#include "player_support.h"

#include <string.h>

/* Six by six plain cells. */
#define EMPTY_ROWS                                                                                           \
    "MAP[0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];"                   \
    "MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0,0];"

/* Four red units against three blue ones. Red's infantry 0 can attack the panzer 4 beside it and lose its HP.
 */
extern const char uct_field[];

struct question {
    const struct game *game; /* NULL: the scenario's */
    struct budget budget;
    int taken;
    uint64_t seed;
    struct thoughts *thoughts;
    const struct watch *watch;
};

struct answer ask_question(struct player *player, const struct position *p, const struct question *q);

static inline bool same_number(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

bool same_answer(const struct answer *a, const struct answer *b);
void assert_same_thoughts(const struct thoughts *a, const struct thoughts *b);
uint64_t sum_of_visits(const struct thoughts *t);

#endif
