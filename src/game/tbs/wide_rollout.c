/* SPDX-License-Identifier: MIT
 *
 * Playouts on wide boards: the same choices from the same random numbers as small_rollout.c, so that on a map
 * that fits both the games are equal. Compiled once for every machine and once for those with AVX2.
 */
#include "game/tbs/wide.h"

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

/* How many (stand cell, target) pairs there are. Mostly none: then one pass over the window says so. */
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

/* What a playout policy does differently from the others; constants where it is used. */
struct policy {
    bool all;   /* attacks without power count as attacks */
    bool eager; /* a unit that can attack does */
};

BITS_INLINE void play_random_action(struct tbs_wide *s, struct rng *r, struct policy policy, bool bmi2) {
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

BITS_INLINE long policy_body(struct tbs_wide *s, struct rng *rng, int turns_max, struct policy policy,
                             bool bmi2) {
    struct rng r = *rng;
    const int turn_end = turns_max > 0 ? s->core.turn + turns_max : TBS_TURN_LIMIT_MAX + 1;
    long count = 0;
    while (s->core.result == TBS_RUNNING && s->core.turn < turn_end) {
        do {
            play_random_action(s, &r, policy, bmi2);
            count++;
        } while (!core_phase_is_over(&s->core));
        core_advance(&s->core);
    }
    s->core.units_key = core_units_key(s);
    *rng = r;
    return count;
}

BITS_FOR_AVX2 static long uniform_power_avx2(struct tbs_wide *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.all = false}, true);
}

static long uniform_power_plain(struct tbs_wide *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.all = false}, false);
}

BITS_FOR_AVX2 static long uniform_all_avx2(struct tbs_wide *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.all = true}, true);
}

static long uniform_all_plain(struct tbs_wide *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.all = true}, false);
}

BITS_FOR_AVX2 static long attack_avx2(struct tbs_wide *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.eager = true}, true);
}

static long attack_plain(struct tbs_wide *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.eager = true}, false);
}

static long run_uniform(void *state, struct rng *r, int turns_max) {
    struct tbs_wide *s = state;
    return s->core.scenario->avx2 ? uniform_power_avx2(s, r, turns_max)
                                  : uniform_power_plain(s, r, turns_max);
}

static long run_uniform_all(void *state, struct rng *r, int turns_max) {
    struct tbs_wide *s = state;
    return s->core.scenario->avx2 ? uniform_all_avx2(s, r, turns_max) : uniform_all_plain(s, r, turns_max);
}

static long run_attack(void *state, struct rng *r, int turns_max) {
    struct tbs_wide *s = state;
    return s->core.scenario->avx2 ? attack_avx2(s, r, turns_max) : attack_plain(s, r, turns_max);
}

const struct rollout wide_rollouts[] = {
    {"uniform", "a random unit, then one of its moves and attacks with power, evenly", run_uniform},
    {"uniform-all", "the same with attacks that have no power, as the platform's generator lists them",
     run_uniform_all},
    {"attack", "a random unit; if it can attack, one of its attacks with power, otherwise one of its moves",
     run_attack},
    {0},
};
