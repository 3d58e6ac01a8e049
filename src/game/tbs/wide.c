/* SPDX-License-Identifier: MIT
 *
 * The wide path: rules and playouts on boards of one word a column; wide.h has the representation. The
 * functions mirror those of small.c: playouts make the same choices from the same random numbers, so that on
 * a map that fits both the games are equal. Their body is compiled once for every machine and once for those
 * with AVX2.
 */
#include "game/tbs/wide.h"

/* ---- actions ---- */

static int add_moves(const struct wide_window *ends, int id, action *out) {
    int count = 0;
    for (int i = 0; i < WIDE_WINDOW; i++)
        for (uint64_t left = ends->column[i]; left != 0; left = bits_without_first(left))
            out[count++] = tbs_action(id, ends->first + i + 1, bits_first(left) + 1, TBS_NO_TARGET);
    return count;
}

static int add_attacks_on(const struct tbs_wide *s, int side, int slot, int target,
                          const struct wide_window *ends, enum tbs_attacks which, action *out) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int own = s->cell[side][slot], target_cell = s->cell[side ^ 1][target];
    int stands[4] = {own}, total;
    if (sc->type[side][slot] == TBS_CANNON)
        total = wide_in_range(own, target_cell);
    else
        total = wide_stands(ends, target_cell, stands);
    const struct tbs_fighter defender = wide_fighter(s, side ^ 1, target, target_cell);
    int count = 0;
    for (int i = 0; i < total; i++) {
        if (which == TBS_ATTACKS_DAMAGE &&
            core_fight(sc, wide_fighter(s, side, slot, stands[i]), defender).damage == 0)
            continue;
        out[count++] =
            tbs_action(sc->id[side][slot], wide_x(stands[i]), wide_y(stands[i]), sc->id[side ^ 1][target]);
    }
    return count;
}

static int wide_slot_actions(const void *state, int side, int slot, enum tbs_attacks which, action *out,
                             int *attacks) {
    const struct tbs_wide *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const int type = sc->type[side][slot];
    struct wide_window ends;
    wide_ends(s, side, s->cell[side][slot], type, &ends);
    int count = 0;
    for (uint64_t left = s->core.alive[side ^ 1]; left != 0; left = bits_without_first(left)) {
        const int target = bits_first(left);
        if (wide_is_target(sc, type, sc->type[side ^ 1][target], which == TBS_ATTACKS_ALL))
            count += add_attacks_on(s, side, slot, target, &ends, which, out + count);
    }
    *attacks = count;
    return count + add_moves(&ends, sc->id[side][slot], out + count);
}

static void wide_act(void *state, action a) {
    struct tbs_wide *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const int slot = sc->slot_of[tbs_action_unit(a)];
    wide_move(s, slot, wide_cell(tbs_action_x(a), tbs_action_y(a)), true);
    if (tbs_action_target(a) != TBS_NO_TARGET)
        wide_attack(s, slot, sc->slot_of[tbs_action_target(a)], true);
}

static void wide_play(void *state, action a, struct rng *r) {
    (void)r;
    core_play(state, a, wide_act);
}

/* ---- places ---- */

static struct core_place wide_place_of(const void *state, int side, int slot) {
    const struct tbs_wide *s = state;
    const int cell = s->cell[side][slot];
    return (struct core_place){(uint8_t)wide_x(cell), (uint8_t)wide_y(cell), s->hp[side][slot]};
}

static const uint8_t *wide_hp_of(const void *state, int side) {
    return ((const struct tbs_wide *)state)->hp[side];
}

static void wide_put(void *state, int side, int slot, struct core_place place) {
    struct tbs_wide *s = state;
    s->cell[side][slot] = (uint16_t)wide_cell(place.x, place.y);
    s->hp[side][slot] = place.hp;
    if (place.hp > 0)
        *wide_column(s, side, slot) |= wide_row_bit(s->cell[side][slot]);
}

/* ---- playouts ---- */

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

BITS_INLINE int cannon_attacks(const uint32_t targets[WIDE_WINDOW], int first, int cell) {
    int count = 0;
    for (int dx = -TBS_RANGE_HIGH; dx <= TBS_RANGE_HIGH; dx++) {
        const int i = (cell >> 5) + dx - first;
        if (i >= 0 && i < WIDE_WINDOW)
            count += bits_count(targets[i] & wide_ring(dx, cell & 31));
    }
    return count;
}

/* The k-th attack of the mover's unit: target by id, then stand cell. */
BITS_INLINE void play_attack(struct tbs_wide *s, int slot, const struct wide_window *ends, bool all, int k) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int side = s->core.side, enemy = side ^ 1, type = sc->type[side][slot], own = s->cell[side][slot];
    for (uint64_t left = s->core.alive[enemy];; left = bits_without_first(left)) {
        HOT_ASSERT(left != 0);
        const int target = bits_first(left);
        if (!wide_is_target(sc, type, sc->type[enemy][target], all))
            continue;
        int stands[4] = {own};
        const int count = type == TBS_CANNON ? wide_in_range(own, s->cell[enemy][target])
                                             : wide_stands(ends, s->cell[enemy][target], stands);
        if (k < count) {
            wide_move(s, slot, stands[k], false);
            wide_attack(s, slot, target, false);
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
        wide_move(s, slot, window_select(&ends, k - attacks, bmi2), false);
}

CORE_ROLLOUT(run_uniform, BITS_FOR_AVX2, avx2, play_random_action, .all = false)
CORE_ROLLOUT(run_uniform_all, BITS_FOR_AVX2, avx2, play_random_action, .all = true)
CORE_ROLLOUT(run_attack, BITS_FOR_AVX2, avx2, play_random_action, .eager = true)

static const struct rollout wide_rollouts[] = CORE_ROLLOUTS;

/* ---- tables ---- */

const struct tbs_path_table tbs_wide_path = {
    .state_size = sizeof(struct tbs_wide),
    .place_of = wide_place_of,
    .hp_of = wide_hp_of,
    .put = wide_put,
    .act = wide_act,
    .slot_actions = wide_slot_actions,
};

const struct game tbs_wide_game = {
    .name = "tbs-wide",
    .help =
        "the same game on the boards made for large maps, whatever the map's size (for tests and comparison)",
    .state_size = sizeof(struct tbs_wide),
    .actions_max = TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX,
    .options = core_wide_options,
    .load = core_load_wide,
    .play = wide_play,
    .rollouts = wide_rollouts,
    CORE_SLOTS,
};
