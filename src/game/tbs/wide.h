/* SPDX-License-Identifier: MIT
 *
 * The wide path: up to 32 x 32 playable cells, one 32-bit word a column, up to 64 units a side. Private to
 * wide.c and muct.c.
 *
 * No unit moves further than nine cells, so movement uses a window of 24 columns around the unit, whatever
 * the size of the map. The loops over the window have a constant length, so that compilers vectorize them.
 */
#ifndef GAME_TBS_WIDE_H
#define GAME_TBS_WIDE_H

#include "game/tbs/core.h"

#include <string.h>

struct tbs_wide {
    struct tbs_core core;
    uint32_t occupied[TBS_SIDES][2][WIDE_CELLS]; /* [side][is air][column] */
    uint16_t cell[TBS_SIDES][TBS_SIDE_UNITS_MAX];
    uint8_t hp[TBS_SIDES][TBS_SIDE_UNITS_MAX];
};

_Static_assert(sizeof(struct tbs_wide) <= GAME_STATE_MAX, "a wide state fits the limit for states");

enum { WIDE_WINDOW = 24 };

/* Sets of cells in the columns first … first + WIDE_WINDOW - 1. */
struct wide_window {
    int first;
    uint32_t column[WIDE_WINDOW];
};

BITS_INLINE int wide_x(int cell) {
    return (cell >> 5) + 1;
}

BITS_INLINE int wide_y(int cell) {
    return (cell & 31) + 1;
}

BITS_INLINE int wide_cell(int x, int y) {
    return (x - 1) << 5 | (y - 1);
}

BITS_INLINE int wide_window_first(int cell) {
    const int first = (cell >> 5) - WIDE_WINDOW / 2;
    const int most = WIDE_CELLS - WIDE_WINDOW;
    return first < 0 ? 0 : first > most ? most : first;
}

BITS_INLINE bool wide_has(const struct wide_window *w, int column, int row) {
    const int i = column - w->first;
    if (i < 0 || i >= WIDE_WINDOW || row < 0 || row >= WIDE_CELLS)
        return false;
    return w->column[i] >> row & 1;
}

/* All cells beside the cells of `in` (which has a spare column at each end). */
BITS_INLINE void wide_neighbours(const uint32_t in[WIDE_WINDOW + 2], uint32_t out[WIDE_WINDOW]) {
    for (int i = 0; i < WIDE_WINDOW; i++)
        out[i] = in[i + 1] << 1 | in[i + 1] >> 1 | in[i] | in[i + 2];
}

/* The cells where this unit may end its move; compare small_ends. */
BITS_INLINE void wide_ends(const struct tbs_wide *s, int side, int cell, int type, struct wide_window *out) {
    const struct tbs_scenario *sc = s->core.scenario;
    const struct tbs_unit_type *t = &tbs_unit_types[type];
    const int first = wide_window_first(cell), own = (cell >> 5) - first;
    const uint32_t *enemy0 = s->occupied[side ^ 1][0] + first, *enemy1 = s->occupied[side ^ 1][1] + first;
    const uint32_t *friend0 = s->occupied[side][0] + first, *friend1 = s->occupied[side][1] + first;
    const uint32_t *terrain1 = sc->wide_cost1[t->class] + first, *terrain2 = sc->wide_cost2[t->class] + first;
    uint32_t cost1[WIDE_WINDOW], cost2[WIDE_WINDOW], around[WIDE_WINDOW], before[WIDE_WINDOW] = {0};
    uint32_t reached[WIDE_WINDOW + 2] = {0};
    for (int i = 0; i < WIDE_WINDOW; i++) {
        const uint32_t free = ~(enemy0[i] | enemy1[i]);
        cost1[i] = terrain1[i] & free;
        cost2[i] = terrain2[i] & free;
    }
    const uint32_t own_bit = UINT32_C(1) << (cell & 31);
    reached[own + 1] = own_bit;
    for (int step = t->move; step > 0; step--) {
        wide_neighbours(reached, around);
        for (int i = 0; i < WIDE_WINDOW; i++) {
            reached[i + 1] |= (around[i] & cost1[i]) | (before[i] & cost2[i]);
            before[i] = around[i];
        }
    }
    out->first = first;
    for (int i = 0; i < WIDE_WINDOW; i++)
        out->column[i] = reached[i + 1] & ~(enemy0[i] | enemy1[i] | friend0[i] | friend1[i]);
    out->column[own] |= own_bit;
}

/* Enemy cells this type attacks, in the same window. */
BITS_INLINE void wide_targets(const struct tbs_wide *s, int side, int type, bool all, int first,
                              uint32_t out[WIDE_WINDOW]) {
    const struct tbs_scenario *sc = s->core.scenario;
    const uint32_t ground = all || sc->hits_ground[type] ? UINT32_MAX : 0;
    const uint32_t air = all || sc->hits_air[type] ? UINT32_MAX : 0;
    const uint32_t *enemy0 = s->occupied[side ^ 1][0] + first, *enemy1 = s->occupied[side ^ 1][1] + first;
    for (int i = 0; i < WIDE_WINDOW; i++)
        out[i] = (enemy0[i] & ground) | (enemy1[i] & air);
}

/* The rows of column `dx` beside a cannon in row `row` that it reaches. */
BITS_INLINE uint32_t wide_ring(int dx, int row) {
    /* Bit 3 is the cannon's own row; distance 2..3 in all. */
    static const uint32_t pattern[TBS_RANGE_HIGH + 1] = {0x63, 0x36, 0x1C, 0x08};
    const uint32_t p = pattern[dx < 0 ? -dx : dx];
    return row >= 3 ? p << (row - 3) : p >> (3 - row);
}

BITS_INLINE uint64_t wide_unit_key(const struct tbs_wide *s, int side, int slot) {
    const int cell = s->cell[side][slot];
    return core_unit_key(s->core.scenario->id[side][slot], wide_x(cell), wide_y(cell), s->hp[side][slot]);
}

BITS_INLINE uint32_t *wide_column(struct tbs_wide *s, int side, int slot) {
    const bool air = tbs_is_air(s->core.scenario->type[side][slot]);
    return &s->occupied[side][air][s->cell[side][slot] >> 5];
}

BITS_INLINE uint32_t wide_row_bit(int cell) {
    return UINT32_C(1) << (cell & 31);
}

BITS_INLINE void wide_hurt(struct tbs_wide *s, int side, int slot, int loss) {
    s->hp[side][slot] = (uint8_t)(s->hp[side][slot] - loss);
    s->core.hp_sum[side] = (uint16_t)(s->core.hp_sum[side] - loss);
    if (s->hp[side][slot] > 0)
        return;
    const uint64_t bit = UINT64_C(1) << slot;
    s->core.alive[side] &= ~bit;
    s->core.ready[side] &= ~bit;
    *wide_column(s, side, slot) &= ~wide_row_bit(s->cell[side][slot]);
}

BITS_INLINE void wide_move(struct tbs_wide *s, int slot, int to, bool keyed) {
    const int side = s->core.side;
    if (keyed)
        s->core.units_key ^= wide_unit_key(s, side, slot);
    *wide_column(s, side, slot) &= ~wide_row_bit(s->cell[side][slot]);
    s->cell[side][slot] = (uint16_t)to;
    *wide_column(s, side, slot) |= wide_row_bit(to);
    s->core.ready[side] &= ~(UINT64_C(1) << slot);
    if (keyed)
        s->core.units_key ^= wide_unit_key(s, side, slot);
}

BITS_INLINE struct tbs_fighter wide_fighter(const struct tbs_wide *s, int side, int slot, int cell) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int type = sc->type[side][slot];
    return (struct tbs_fighter){type, s->hp[side][slot], tbs_is_air(type) ? 0 : sc->wide_stars[cell]};
}

BITS_INLINE void wide_attack(struct tbs_wide *s, int slot, int target, bool keyed) {
    const int side = s->core.side, enemy = side ^ 1;
    const struct tbs_exchange x =
        core_fight(s->core.scenario, wide_fighter(s, side, slot, s->cell[side][slot]),
                   wide_fighter(s, enemy, target, s->cell[enemy][target]));
    if (keyed)
        s->core.units_key ^= wide_unit_key(s, side, slot) ^ wide_unit_key(s, enemy, target);
    wide_hurt(s, enemy, target, x.damage);
    wide_hurt(s, side, slot, x.counter);
    if (keyed) {
        s->core.units_key ^= s->hp[side][slot] > 0 ? wide_unit_key(s, side, slot) : 0;
        s->core.units_key ^= s->hp[enemy][target] > 0 ? wide_unit_key(s, enemy, target) : 0;
    }
}

/* Stand cells beside a target that lie in `ends`, in the order east, north, west, south: fills `out`, returns
 * how many. A cannon's own cell is its only stand cell, if the target is in range. */
BITS_INLINE int wide_stands(const struct wide_window *ends, int target_cell, int out[4]) {
    const int column = target_cell >> 5, row = target_cell & 31;
    int count = 0;
    if (wide_has(ends, column + 1, row))
        out[count++] = target_cell + WIDE_CELLS;
    if (wide_has(ends, column, row - 1))
        out[count++] = target_cell - 1;
    if (wide_has(ends, column - 1, row))
        out[count++] = target_cell - WIDE_CELLS;
    if (wide_has(ends, column, row + 1))
        out[count++] = target_cell + 1;
    return count;
}

BITS_INLINE bool wide_in_range(int cannon_cell, int target_cell) {
    const int dx = (cannon_cell >> 5) - (target_cell >> 5), dy = (cannon_cell & 31) - (target_cell & 31);
    const int distance = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
    return distance >= TBS_RANGE_LOW && distance <= TBS_RANGE_HIGH;
}

/* True when this type attacks that one. */
BITS_INLINE bool wide_is_target(const struct tbs_scenario *sc, int type, int target_type, bool all) {
    return all || (tbs_is_air(target_type) ? sc->hits_air[type] : sc->hits_ground[type]);
}

#endif
