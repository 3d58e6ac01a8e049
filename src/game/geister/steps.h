/* SPDX-License-Identifier: MIT
 *
 * How playouts choose a step: four words say which pieces can step in which direction, and the k-th bit of
 * them all is the move.
 */
#ifndef GAME_GEISTER_STEPS_H
#define GAME_GEISTER_STEPS_H

#include "game/geister/core.h"

/* From where and in which direction, as the first player sees the board. */
struct steps_one {
    int cell, direction;
};

/* All of a side's. */
struct steps {
    uint64_t can[4];
    int counts[4], total;
};

BITS_INLINE struct steps steps_of(uint64_t pieces) {
    const uint64_t north = core_steppers(pieces, 0), east = core_steppers(pieces, 1);
    const uint64_t west = core_steppers(pieces, 2), south = core_steppers(pieces, 3);
    const int n = bits_count(north), e = bits_count(east), w = bits_count(west), s = bits_count(south);
    return (struct steps){{north, east, west, south}, {n, e, w, s}, n + e + w + s};
}

/* The k-th of them, N first, then E, W, S. Two choices between two without a jump: nobody could guess them.
 */
BITS_INLINE struct steps_one steps_nth(const struct steps *all, int k, bool bmi2) {
    const uint64_t *can = all->can;
    const int *counts = all->counts;
    const int upper = counts[0] + counts[1];
    const uint64_t high = -(uint64_t)(k >= upper);
    const uint64_t first = can[0] ^ ((can[0] ^ can[2]) & high), second = can[1] ^ ((can[1] ^ can[3]) & high);
    const int first_count = counts[0] ^ ((counts[0] ^ counts[2]) & (int)high);
    k -= upper & (int)high;
    const uint64_t last = -(uint64_t)(k >= first_count);
    k -= first_count & (int)last;
    return (struct steps_one){
        .cell = bits_select(first ^ ((first ^ second) & last), k, bmi2),
        .direction = (int)((high & 2) | (last & 1)),
    };
}

#endif
