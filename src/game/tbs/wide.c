/* SPDX-License-Identifier: MIT
 *
 * The wide path: rules and playouts on boards of up to 32 x 32 playable cells, one 32-bit word a column, with
 * up to 64 units a side.
 *
 * No unit moves further than nine cells, so movement uses a window of 24 columns around the unit, whatever
 * the size of the map. The loops over the window have a constant length, so that compilers vectorize them.
 * Playouts make the same choices from the same random numbers as those of small.c: on a map that fits both,
 * the games are equal.
 */
#include "game/tbs/core.h"

#include <string.h>

/* ---- the board ---- */

enum { WIDE_WINDOW = 24 };

/* Sets of cells in the columns first … first + WIDE_WINDOW - 1. */
struct wide_window {
    int first;
    uint32_t column[WIDE_WINDOW];
};

/* Rows and columns outside the window or the board are allowed: they hold nothing. */
BITS_INLINE bool wide_has(const struct wide_window *w, int column, int row) {
    const int i = column - w->first;
    return i >= 0 && i < WIDE_WINDOW && row >= 0 && row < WIDE_CELLS && (w->column[i] >> row & 1);
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
    const int middle = (cell >> 5) - WIDE_WINDOW / 2, most = WIDE_CELLS - WIDE_WINDOW;
    const int first = middle < 0 ? 0 : middle > most ? most : middle, own = (cell >> 5) - first;
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

/* Stand cells beside a target that lie in its `ends`, in the order east, north, west, south: fills `out`,
 * returns how many. A cannon's own cell is its only stand cell, if the target is in range. */
BITS_INLINE int wide_stands(const struct core_lister *l, int target, int out[4]) {
    const struct tbs_wide *s = l->state;
    const struct wide_window *ends = l->ends;
    const int target_cell = s->cell[l->side ^ 1][target], column = target_cell >> 5, row = target_cell & 31;
    if (s->core.scenario->type[l->side][l->slot] == TBS_CANNON) {
        const int own = s->cell[l->side][l->slot], dx = (own >> 5) - column, dy = (own & 31) - row;
        const int distance = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
        out[0] = own;
        return distance >= TBS_RANGE_LOW && distance <= TBS_RANGE_HIGH;
    }
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

/* ---- actions ---- */

/* The same order as small_slot_actions: on maps that fit both, the lists are equal. */
int wide_slot_actions(const void *state, int side, int slot, enum tbs_attacks which, action *out,
                      int *attacks) {
    const struct tbs_wide *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    struct wide_window ends;
    wide_ends(s, side, s->cell[side][slot], sc->type[side][slot], &ends);
    const struct core_lister unit = {state, &ends, side, slot};
    int count = *attacks = core_list_attacks(&unit, which, out, CORE_WIDE, wide_stands);
    for (int i = 0; i < WIDE_WINDOW; i++)
        for (uint64_t left = ends.column[i]; left != 0; left = bits_without_first(left))
            out[count++] =
                tbs_action(sc->id[side][slot], ends.first + i + 1, bits_first(left) + 1, TBS_NO_TARGET);
    return count;
}

void wide_play(void *state, action a, struct rng *r) {
    (void)r;
    core_play(state, a, CORE_WIDE);
}

/* ---- playouts ---- */

/* Two columns at a time: one population count of 64 bits. */
BITS_INLINE int window_count(const uint32_t column[WIDE_WINDOW]) {
    int count = 0;
    for (int i = 0; i < WIDE_WINDOW; i += 2)
        count += bits_count((uint64_t)column[i + 1] << 32 | column[i]);
    return count;
}

/* The k-th cell of the window in generator order, as a cell index. */
BITS_INLINE int window_select(const struct wide_window *w, int k, bool bmi2) {
    for (int i = 0;; i += 2) {
        HOT_ASSERT(i < WIDE_WINDOW);
        const uint64_t pair = (uint64_t)w->column[i + 1] << 32 | w->column[i];
        const int count = bits_count(pair);
        if (k < count)
            return (w->first + i) * WIDE_CELLS + bits_select(pair, k, bmi2);
        k -= count;
    }
}

/* Number of (stand cell, target) pairs. Mostly 0: then one pass over the window detects it. */
BITS_INLINE int direct_attacks(const struct wide_window *ends, const uint32_t targets[WIDE_WINDOW]) {
    uint32_t padded[WIDE_WINDOW + 2] = {0}, around[WIDE_WINDOW], touched = 0;
    memcpy(padded + 1, targets, WIDE_WINDOW * sizeof targets[0]);
    wide_neighbours(padded, around);
    for (int i = 0; i < WIDE_WINDOW; i++)
        touched |= around[i] & ends->column[i];
    if (touched == 0)
        return 0;
    int count = 0;
    for (int i = 0; i < WIDE_WINDOW; i++) {
        const uint32_t here = ends->column[i];
        count += bits_count((uint64_t)(here & padded[i]) << 32 | (here & padded[i + 2])) +
                 bits_count((uint64_t)(here & (targets[i] << 1)) << 32 | (here & (targets[i] >> 1)));
    }
    return count;
}

/* Targets in range lie in at most seven columns around the cannon. */
BITS_INLINE int cannon_attacks(const uint32_t targets[WIDE_WINDOW], int first, int cell) {
    /* The rows in range of a cannon in row 3, by the distance of columns. */
    static const uint32_t pattern[TBS_RANGE_HIGH + 1] = {0x63, 0x36, 0x1C, 0x08};
    const int row = cell & 31;
    int count = 0;
    for (int dx = -TBS_RANGE_HIGH; dx <= TBS_RANGE_HIGH; dx++) {
        const int i = (cell >> 5) + dx - first;
        const uint32_t rows = pattern[dx < 0 ? -dx : dx];
        if (i >= 0 && i < WIDE_WINDOW)
            count += bits_count(targets[i] & (row >= 3 ? rows << (row - 3) : rows >> (3 - row)));
    }
    return count;
}

/* The k-th attack of the mover's unit: target by id, then stand cell. */
BITS_INLINE void play_attack(struct tbs_wide *s, int slot, const struct wide_window *ends, bool all, int k) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int side = s->core.side, enemy = side ^ 1, type = sc->type[side][slot];
    const struct core_lister unit = {s, ends, side, slot};
    for (uint64_t left = s->core.alive[enemy];; left = bits_without_first(left)) {
        HOT_ASSERT(left != 0);
        const int target = bits_first(left);
        if (!all && !core_hits(sc, type, sc->type[enemy][target]))
            continue;
        int stands[4];
        const int count = wide_stands(&unit, target, stands);
        if (k < count) {
            core_move(s, slot, stands[k], CORE_WIDE);
            core_attack(s, slot, target, CORE_WIDE);
            return;
        }
        k -= count;
    }
}

BITS_INLINE void play_random_action(void *state, struct rng *r, struct core_policy policy, bool bmi2) {
    struct tbs_wide *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const int side = s->core.side;
    const uint64_t ready = s->core.ready[side];
    const int slot = bits_select(ready, (int)rng_below(r, (uint32_t)bits_count(ready)), bmi2);
    const int type = sc->type[side][slot], cell = s->cell[side][slot];
    struct wide_window ends;
    uint32_t targets[WIDE_WINDOW];
    wide_ends(s, side, cell, type, &ends);
    wide_targets(s, side, type, policy.all, ends.first, targets);
    const int attacks =
        type == TBS_CANNON ? cannon_attacks(targets, ends.first, cell) : direct_attacks(&ends, targets);
    const int k = policy.eager && attacks > 0
                      ? (int)rng_below(r, (uint32_t)attacks)
                      : (int)rng_below(r, (uint32_t)(attacks + window_count(ends.column)));
    if (k < attacks)
        play_attack(s, slot, &ends, policy.all, k);
    else
        core_move(s, slot, window_select(&ends, k - attacks, bmi2), CORE_WIDE);
}

CORE_ROLLOUT(run_uniform, BITS_FOR_AVX2, avx2, play_random_action, .all = false)
CORE_ROLLOUT(run_uniform_all, BITS_FOR_AVX2, avx2, play_random_action, .all = true)
CORE_ROLLOUT(run_attack, BITS_FOR_AVX2, avx2, play_random_action, .eager = true)

const struct rollout wide_rollouts[] = CORE_ROLLOUTS;
