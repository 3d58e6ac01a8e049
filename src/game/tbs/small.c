/* SPDX-License-Identifier: MIT
 *
 * The small path: rules and playouts on boards of one word; small.h has the representation.
 *
 * Playouts take a random ready unit, then one of its actions, uniformly. Their body is compiled twice, once
 * for every machine and once for those with POPCNT and BMI2; both give the same games from the same seed. The
 * key is not updated on the way but computed at the end.
 */
#include "game/tbs/small.h"

#include <string.h>

/* ---- actions ---- */

static int add_moves(uint64_t ends, int id, action *out) {
    int count = 0;
    for (; ends != 0; ends = bits_without_first(ends)) {
        const int cell = bits_first(ends);
        out[count++] = tbs_action(id, small_x(cell), small_y(cell), TBS_NO_TARGET);
    }
    return count;
}

/* The attacks on one target from each of the stand cells, in order; with TBS_ATTACKS_DAMAGE only those that
 * do damage. */
static int add_attacks_on(const struct tbs_small *s, int side, int slot, int target, uint64_t stands,
                          enum tbs_attacks which, action *out) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int target_cell = s->cell[side ^ 1][target];
    const struct tbs_fighter defender = small_fighter(s, side ^ 1, target, target_cell);
    int count = 0;
    for (int n = 0, total = bits_count(stands); n < total; n++) {
        const int cell =
            sc->type[side][slot] == TBS_CANNON ? bits_first(stands) : small_nth_stand(stands, target_cell, n);
        if (which == TBS_ATTACKS_DAMAGE &&
            core_fight(sc, small_fighter(s, side, slot, cell), defender).damage == 0)
            continue;
        out[count++] = tbs_action(sc->id[side][slot], small_x(cell), small_y(cell), sc->id[side ^ 1][target]);
    }
    return count;
}

static int add_attacks(const struct tbs_small *s, int side, int slot, uint64_t ends, enum tbs_attacks which,
                       action *out) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int type = sc->type[side][slot], own = s->cell[side][slot];
    const uint64_t targets = small_targets(s, side, type, which == TBS_ATTACKS_ALL);
    int count = 0;
    for (uint64_t left = s->core.alive[side ^ 1]; left != 0; left = bits_without_first(left)) {
        const int target = bits_first(left), cell = s->cell[side ^ 1][target];
        if ((targets & small_bit(cell)) == 0)
            continue;
        uint64_t stands = sc->small_adjacent[cell] & ends;
        if (type == TBS_CANNON)
            stands = (sc->small_ring[own] & small_bit(cell)) != 0 ? small_bit(own) : 0;
        count += add_attacks_on(s, side, slot, target, stands, which, out + count);
    }
    return count;
}

static int small_slot_actions(const void *state, int side, int slot, enum tbs_attacks which, action *out,
                              int *attacks) {
    const struct tbs_small *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const uint64_t ends = small_ends(s, side, s->cell[side][slot], sc->type[side][slot]);
    *attacks = add_attacks(s, side, slot, ends, which, out);
    return *attacks + add_moves(ends, sc->id[side][slot], out + *attacks);
}

static void small_act(void *state, action a) {
    struct tbs_small *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const int slot = sc->slot_of[tbs_action_unit(a)];
    small_move(s, slot, small_cell(tbs_action_x(a), tbs_action_y(a)), true);
    if (tbs_action_target(a) != TBS_NO_TARGET)
        small_attack(s, slot, sc->slot_of[tbs_action_target(a)], true);
}

static void small_play(void *state, action a, struct rng *r) {
    (void)r;
    core_play(state, a, small_act);
}

/* ---- places ---- */

static struct core_place small_place_of(const void *state, int side, int slot) {
    const struct tbs_small *s = state;
    const int cell = s->cell[side][slot];
    return (struct core_place){(uint8_t)small_x(cell), (uint8_t)small_y(cell), s->hp[side][slot]};
}

static const uint8_t *small_hp_of(const void *state, int side) {
    return ((const struct tbs_small *)state)->hp[side];
}

static void small_put(void *state, int side, int slot, struct core_place place) {
    struct tbs_small *s = state;
    s->cell[side][slot] = (uint8_t)small_cell(place.x, place.y);
    s->hp[side][slot] = place.hp;
    if (place.hp > 0)
        s->occupied[side][tbs_is_air(s->core.scenario->type[side][slot])] |= small_bit(s->cell[side][slot]);
}

/* ---- playouts ---- */

/* Plays the k-th attack of the mover's unit (by target id, then stand cell). */
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

/* Differences between playout policies; constants where they are used. */
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

static const struct rollout small_rollouts[] = {
    {"uniform", "a random unit, then one of its moves and attacks with power, evenly", run_uniform},
    {"uniform-all", "the same with attacks that have no power, as the platform's generator lists them",
     run_uniform_all},
    {"attack", "a random unit; if it can attack, one of its attacks with power, otherwise one of its moves",
     run_attack},
    {0},
};

/* ---- tables ---- */

const struct tbs_path_table tbs_small_path = {
    .state_size = sizeof(struct tbs_small),
    .place_of = small_place_of,
    .hp_of = small_hp_of,
    .put = small_put,
    .act = small_act,
    .slot_actions = small_slot_actions,
};

const struct game tbs_game = {
    .name = "tbs",
    .help = "the tactical game of the TUBSTAP platform; maps up to 32 x 32 cells and 64 units a side",
    .state_size = sizeof(struct tbs_small),
    .actions_max = SMALL_SIDE_UNITS * (64 + 4 * SMALL_SIDE_UNITS),
    .options = core_options,
    .load = core_load,
    .unload = core_unload,
    .start = core_start,
    .mover = core_mover,
    .actions = core_actions,
    .is_legal = core_is_legal,
    .play = small_play,
    .payoff = core_payoff,
    .turn = core_turn,
    .progress = core_progress,
    .key = core_state_key,
    .key_from_scratch = core_key_from_scratch,
    .valid = core_valid,
    .bounds = core_bounds,
    .secured = core_secured,
    .rollouts = small_rollouts,
    .evals = core_evals,
    .weights = core_weights,
    .priors = core_priors,
    .lists = core_lists,
    .defaults = core_defaults,
    .offer = &core_offer,
    .face = &core_face,
    .text = &core_notation,
};
