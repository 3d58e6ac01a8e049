/* SPDX-License-Identifier: MIT
 *
 * Where a turn ends, and how many decisions the mover has taken in it, which only whoever watched it from its
 * beginning knows.
 */
#ifndef GAME_TURN_COUNT_H
#define GAME_TURN_COUNT_H

#include "game/game.h"

/* Is it still that side's turn number `turn`? */
static inline bool turn_goes_on(const struct game *game, const void *state, int side, int turn) {
    return game->mover(state) == side && game->turn(state) == turn;
}

struct turn_count {
    int turn, mover, taken;
};

static inline void turn_count_start(struct turn_count *count, const struct game *game, const void *state) {
    *count = (struct turn_count){game->turn(state), game->mover(state), 0};
}

/* After an action was played. */
static inline void turn_count_step(struct turn_count *count, const struct game *game, const void *state) {
    const int turn = game->turn(state), mover = game->mover(state);
    count->taken = turn == count->turn && mover == count->mover ? count->taken + 1 : 0;
    count->turn = turn;
    count->mover = mover;
}

#endif
