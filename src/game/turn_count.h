/* SPDX-License-Identifier: MIT
 *
 * How many decisions the mover has taken in its turn: known only to whoever watched the turn from its
 * beginning.
 */
#ifndef GAME_TURN_COUNT_H
#define GAME_TURN_COUNT_H

#include "game/game.h"

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
