/* SPDX-License-Identifier: MIT
 *
 * How playouts choose a step: four words hold which pieces can step in which direction, and the k-th bit of
 * them all is the move.
 */
#ifndef GAME_GEISTER_STEPS_H
#define GAME_GEISTER_STEPS_H

#include "game/geister/core.h"

/* Start cell and direction, as the first player sees the board. */
struct steps_one {
    int cell, direction;
};

/* All steps of a side. */
struct steps {
    uint64_t can[4], sums[4]; /* sums: as in bits_sums, used without those instructions */
    int counts[4], total;
};

/* The steps in one direction. */
BITS_INLINE int steps_towards(struct steps *all, uint64_t pieces, int direction, bool bmi2) {
    const uint64_t can = core_steppers(pieces, direction), sums = bmi2 ? 0 : bits_sums(can);
    all->can[direction] = can;
    all->sums[direction] = sums;
    return all->counts[direction] = bmi2 ? bits_count(can) : (int)(sums >> 56);
}

/* Without a loop, so that the four words stay in registers. */
BITS_INLINE struct steps steps_of(uint64_t pieces, bool bmi2) {
    struct steps all;
    all.total = steps_towards(&all, pieces, GEISTER_NORTH, bmi2);
    all.total += steps_towards(&all, pieces, GEISTER_EAST, bmi2);
    all.total += steps_towards(&all, pieces, GEISTER_WEST, bmi2);
    all.total += steps_towards(&all, pieces, GEISTER_SOUTH, bmi2);
    return all;
}

/* Selects one of two without a branch, which would be unpredictable. `other` is all ones or 0. */
BITS_INLINE uint64_t steps_either(uint64_t a, uint64_t b, uint64_t other) {
    return a ^ ((a ^ b) & other);
}

/* The k-th step, N first, then E, W, S. */
BITS_INLINE struct steps_one steps_nth(const struct steps *all, int k, bool bmi2) {
    const uint64_t *can = all->can, *sums = all->sums;
    const int *counts = all->counts;
    const int upper = counts[0] + counts[1];
    const uint64_t high = -(uint64_t)(k >= upper);
    k -= upper & (int)high;
    const int first = (int)steps_either((uint64_t)counts[0], (uint64_t)counts[2], high);
    const uint64_t last = -(uint64_t)(k >= first);
    k -= first & (int)last;
    const uint64_t word =
        steps_either(steps_either(can[0], can[2], high), steps_either(can[1], can[3], high), last);
    const uint64_t its_sums =
        steps_either(steps_either(sums[0], sums[2], high), steps_either(sums[1], sums[3], high), last);
    return (struct steps_one){
        .cell = bmi2 ? bits_select(word, k, true) : bits_select_sums(word, its_sums, k),
        .direction = (int)((high & 2) | (last & 1)),
    };
}

#endif
