/* SPDX-License-Identifier: MIT
 *
 * The rest of a turn, remembered. A player that searches whole turns is still asked once per action: at the
 * first decision of a turn it settles all of them, and must play the others when it is asked again.
 *
 * This is the one exception from "players keep no secret state": a player that saw the beginning of a turn
 * plays it to its end, while another one asked in the middle of it searches the rest anew. So that nothing
 * else can be mistaken for a turn that was begun, a plan holds only where the whole state is the one expected
 * and as many decisions were taken as the plan foresaw; it never answers for the position it was made in, and
 * making another plan drops it.
 */
#ifndef PLAYER_PLAN_H
#define PLAYER_PLAN_H

#include "player/common.h"
#include "search/turn_line.h"

struct plan {
    const struct game *game;
    struct turn_line line;
    double value;
    int taken;             /* as the ask it was made for said */
    int expected;          /* states 1 … expected-1 of the turn are known */
    unsigned char *states; /* before each action of the line */
};

bool plan_init(struct plan *plan, const struct game *game, struct err *e);
void plan_done(struct plan *plan);

/* Remembers the line found for this ask. */
void plan_make(struct plan *plan, const struct ask *ask, const struct turn_line *line, double value);

/* Answers from the plan (without work), or false when it does not hold here. */
bool plan_answer(const struct plan *plan, const struct ask *ask, struct answer *out);

/* One decision's task that settles all decisions left in the turn, so it gets all of their shares. */
struct search_task plan_task(const struct ask *ask, const struct common_options *common, uint64_t work,
                             struct rng *rng);

#endif
