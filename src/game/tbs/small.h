/* SPDX-License-Identifier: MIT
 *
 * The small path: boards of up to 8 x 8 playable cells as one 64-bit word, up to 16 units a side. Private to
 * small.c and muct.c, which share these inline functions, and to core.c for the tables of cells.
 *
 * Movement is a flood fill by shifts: every enterable cell costs 1 or 2, so two words (reached now, reached
 * one step ago) are the whole frontier. All functions take the state by pointer and allocate nothing.
 */
#ifndef GAME_TBS_SMALL_H
#define GAME_TBS_SMALL_H

#include "game/tbs/core.h"

#define SMALL_TOP    UINT64_C(0x0101010101010101) /* cells of the first row */
#define SMALL_BOTTOM UINT64_C(0x8080808080808080)

BITS_INLINE uint64_t small_bit(int cell) {
    return UINT64_C(1) << cell;
}

/* A board moved by one cell. */
BITS_INLINE uint64_t small_east(uint64_t b) {
    return b << 8;
}

BITS_INLINE uint64_t small_west(uint64_t b) {
    return b >> 8;
}

BITS_INLINE uint64_t small_south(uint64_t b) {
    return (b & ~SMALL_BOTTOM) << 1;
}

BITS_INLINE uint64_t small_north(uint64_t b) {
    return (b & ~SMALL_TOP) >> 1;
}

BITS_INLINE uint64_t small_neighbours(uint64_t b) {
    return small_east(b) | small_west(b) | small_south(b) | small_north(b);
}

BITS_INLINE uint64_t small_side_cells(const struct tbs_small *s, int side) {
    return s->occupied[side][0] | s->occupied[side][1];
}

/* The cells this unit can reach, own units' cells included: they may be passed. */
BITS_INLINE uint64_t small_reached(const struct tbs_small *s, int side, int cell, int type) {
    const struct tbs_scenario *sc = s->core.scenario;
    const struct tbs_unit_type *t = &tbs_unit_types[type];
    const uint64_t enemy = small_side_cells(s, side ^ 1), own = small_bit(cell);
    const uint64_t cost1 = sc->small_cost1[t->class] & ~enemy, cost2 = sc->small_cost2[t->class] & ~enemy;
    const int move = t->move;
    uint64_t reached = own, around_before = 0;
    /* Unrolled: a separate branch for every step is predicted better than the end of a short loop. */
#pragma GCC unroll 9
    for (int step = 0; step < TBS_MOVE_MAX; step++) {
        if (step == move)
            break;
        const uint64_t around = small_neighbours(reached);
        reached |= (around & cost1) | (around_before & cost2);
        around_before = around;
    }
    return reached;
}

/* The cells where this unit may end its move: reachable and empty, or its own. */
BITS_INLINE uint64_t small_ends(const struct tbs_small *s, int side, int cell, int type) {
    return (small_reached(s, side, cell, type) & ~small_side_cells(s, side)) | small_bit(cell);
}

/* Enemy cells this type attacks: with `all`, also those against which it has no power. */
BITS_INLINE uint64_t small_targets(const struct tbs_small *s, int side, int type, bool all) {
    const struct tbs_scenario *sc = s->core.scenario;
    const uint64_t *enemy = s->occupied[side ^ 1];
    if (all)
        return enemy[0] | enemy[1];
    return (sc->hits_ground[type] ? enemy[0] : 0) | (sc->hits_air[type] ? enemy[1] : 0);
}

/* Number of (stand cell, target) pairs of a unit that attacks its neighbours. */
BITS_INLINE int small_direct_attacks(uint64_t ends, uint64_t targets) {
    return bits_count(small_east(targets) & ends) + bits_count(small_north(targets) & ends) +
           bits_count(small_west(targets) & ends) + bits_count(small_south(targets) & ends);
}

/* The cells from which a unit attacks that target. */
BITS_INLINE uint64_t small_stands(const struct tbs_small *s, int side, int slot, int target, uint64_t ends) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int own = s->cell[side][slot], cell = s->cell[side ^ 1][target];
    if (sc->type[side][slot] != TBS_CANNON)
        return sc->small_adjacent[cell] & ends;
    return (sc->small_ring[own] & small_bit(cell)) != 0 ? small_bit(own) : 0;
}

/* The n-th of the stand cells in the order east, north, west, south. A loop would end after a random number
 * of steps: adding up the stands to the east, to the north, and so on, needs no branch. In M-UCT's playouts
 * this saves a tenth of the time. */
BITS_INLINE int small_nth_stand(const struct tbs_small *s, int side, int slot, int target, uint64_t stands,
                                int n) {
    static const int8_t steps[4] = {SMALL_CELLS, -1, -SMALL_CELLS, 1};
    if (s->core.scenario->type[side][slot] == TBS_CANNON)
        return bits_first(stands);
    const int cell = s->cell[side ^ 1][target];
    const uint64_t bit = small_bit(cell);
    const int east = (small_east(bit) & stands) != 0;
    const int north = east + ((small_north(bit) & stands) != 0);
    const int west = north + ((small_west(bit) & stands) != 0);
    return cell + steps[(east <= n) + (north <= n) + (west <= n)];
}

/* The k-th attack of a unit on `targets`, by target id, then stand cell: sets the cell to attack from,
 * returns the target's slot. */
BITS_INLINE int small_nth_attack(const struct tbs_small *s, int side, int slot, uint64_t ends,
                                 uint64_t targets, int k, int *stand) {
    for (uint64_t left = s->core.alive[side ^ 1];; left = bits_without_first(left)) {
        HOT_ASSERT(left != 0);
        const int target = bits_first(left);
        const bool is_target = (targets & small_bit(s->cell[side ^ 1][target])) != 0;
        const uint64_t stands = is_target ? small_stands(s, side, slot, target, ends) : 0;
        const int count = bits_count(stands);
        if (k < count) {
            *stand = small_nth_stand(s, side, slot, target, stands, k);
            return target;
        }
        k -= count;
    }
}

#endif
