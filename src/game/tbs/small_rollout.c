/* SPDX-License-Identifier: MIT
 *
 * Playouts on small boards: a random ready unit, then one of its actions, uniformly. The same body is
 * compiled twice, once for every machine and once for those with POPCNT and BMI2; both give the same games
 * from the same seed. The key is not kept up on the way but computed at the end: nobody looks at it in
 * between.
 */
#include "game/tbs/small.h"

/* The mover's unit attacks: the k-th (target by id, then stand cell) of its attacks. */
BITS_INLINE void play_direct_attack(struct tbs_small *s, int slot, uint64_t ends, uint64_t targets, int k) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int enemy = s->core.side ^ 1;
    for (uint64_t left = s->core.alive[enemy];; left = bits_without_first(left)) {
        HOT_ASSERT(left != 0);
        const int target = bits_first(left), cell = s->cell[enemy][target];
        const uint64_t stands = (targets & small_bit(cell)) != 0 ? sc->small_adjacent[cell] & ends : 0;
        const int count = bits_count(stands);
        if (k < count) {
            small_move(s, slot, small_nth_stand(stands, cell, k), false);
            small_attack(s, slot, target, false);
            return;
        }
        k -= count;
    }
}

BITS_INLINE void play_cannon_attack(struct tbs_small *s, int slot, uint64_t targets, int k) {
    const int enemy = s->core.side ^ 1;
    for (uint64_t left = s->core.alive[enemy];; left = bits_without_first(left)) {
        HOT_ASSERT(left != 0);
        const int target = bits_first(left);
        if ((targets & small_bit(s->cell[enemy][target])) != 0 && k-- == 0) {
            s->core.ready[s->core.side] &= ~(UINT64_C(1) << slot);
            small_attack(s, slot, target, false);
            return;
        }
    }
}

/* What a playout policy does differently from the others; constants where it is used. */
struct policy {
    bool all;   /* attacks without power count as attacks */
    bool eager; /* a unit that can attack does */
};

BITS_INLINE void play_random_action(struct tbs_small *s, struct rng *r, struct policy policy, bool bmi2) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int side = s->core.side;
    const uint64_t ready = s->core.ready[side];
    const int slot = bits_select(ready, (int)rng_below(r, (uint32_t)bits_count(ready)), bmi2);
    const int type = sc->type[side][slot], cell = s->cell[side][slot];
    const uint64_t ends = small_ends(s, side, cell, type);
    uint64_t targets = small_targets(s, side, type, policy.all);
    int attacks;
    if (type == TBS_CANNON) {
        targets &= sc->small_ring[cell];
        attacks = bits_count(targets);
    } else {
        attacks = small_direct_attacks(ends, targets);
    }
    const int k = policy.eager && attacks > 0 ? (int)rng_below(r, (uint32_t)attacks)
                                              : (int)rng_below(r, (uint32_t)(attacks + bits_count(ends)));
    if (k >= attacks)
        small_move(s, slot, bits_select(ends, k - attacks, bmi2), false);
    else if (type == TBS_CANNON)
        play_cannon_attack(s, slot, targets, k);
    else
        play_direct_attack(s, slot, ends, targets, k);
}

BITS_INLINE long policy_body(struct tbs_small *s, struct rng *rng, int turns_max, struct policy policy,
                             bool bmi2) {
    struct rng r = *rng; /* a local copy stays in registers */
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

BITS_FOR_BMI2 static long uniform_power_bmi2(struct tbs_small *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.all = false}, true);
}

static long uniform_power_plain(struct tbs_small *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.all = false}, false);
}

BITS_FOR_BMI2 static long uniform_all_bmi2(struct tbs_small *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.all = true}, true);
}

static long uniform_all_plain(struct tbs_small *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.all = true}, false);
}

BITS_FOR_BMI2 static long attack_bmi2(struct tbs_small *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.eager = true}, true);
}

static long attack_plain(struct tbs_small *s, struct rng *r, int turns_max) {
    return policy_body(s, r, turns_max, (struct policy){.eager = true}, false);
}

static long run_uniform(void *state, struct rng *r, int turns_max) {
    struct tbs_small *s = state;
    return s->core.scenario->bmi2 ? uniform_power_bmi2(s, r, turns_max)
                                  : uniform_power_plain(s, r, turns_max);
}

static long run_uniform_all(void *state, struct rng *r, int turns_max) {
    struct tbs_small *s = state;
    return s->core.scenario->bmi2 ? uniform_all_bmi2(s, r, turns_max) : uniform_all_plain(s, r, turns_max);
}

static long run_attack(void *state, struct rng *r, int turns_max) {
    struct tbs_small *s = state;
    return s->core.scenario->bmi2 ? attack_bmi2(s, r, turns_max) : attack_plain(s, r, turns_max);
}

const struct rollout small_rollouts[] = {
    {"uniform", "a random unit, then one of its moves and attacks with power, evenly", run_uniform},
    {"uniform-all", "the same with attacks that have no power, as the platform's generator lists them",
     run_uniform_all},
    {"attack", "a random unit; if it can attack, one of its attacks with power, otherwise one of its moves",
     run_attack},
    {0},
};
