/* SPDX-License-Identifier: MIT
 *
 * The small path: rules and playouts on boards of one word; small.h has the representation.
 *
 * Playouts take a random ready unit, then one of its actions, uniformly.
 *
 * Nothing here allocates. A board is a word, so that reaching, attacking and counting work on all cells at
 * once; only targets are taken one by one.
 */
#include "game/tbs/small.h"

/* ---- actions ---- */

/* The attacks on one target from each of the stand cells, in order; with TBS_ATTACKS_DAMAGE only those that
 * do damage. */
static int add_attacks_on(const struct tbs_small *s, int side, int slot, int target, uint64_t stands,
                          enum tbs_attacks which, action *out) {
    const struct tbs_scenario *sc = s->core.scenario;
    const struct tbs_fighter defender = small_fighter(s, side ^ 1, target, s->cell[side ^ 1][target]);
    int count = 0;
    for (int n = 0, total = bits_count(stands); n < total; n++) {
        const int cell = small_nth_stand(s, side, slot, target, stands, n);
        if (which == TBS_ATTACKS_DAMAGE &&
            core_fight(sc, small_fighter(s, side, slot, cell), defender).damage == 0)
            continue;
        out[count++] = tbs_action(sc->id[side][slot], small_x(cell), small_y(cell), sc->id[side ^ 1][target]);
    }
    return count;
}

/* Targets by id, stand cells east, north, west, south, then the cells of moves in ascending order. */
static int small_slot_actions(const void *state, int side, int slot, enum tbs_attacks which, action *out,
                              int *attacks) {
    const struct tbs_small *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const int type = sc->type[side][slot];
    const uint64_t ends = small_ends(s, side, s->cell[side][slot], type);
    const uint64_t targets = small_targets(s, side, type, which == TBS_ATTACKS_ALL);
    int count = 0;
    for (uint64_t left = s->core.alive[side ^ 1]; left != 0; left = bits_without_first(left)) {
        const int target = bits_first(left);
        if ((targets & small_bit(s->cell[side ^ 1][target])) != 0)
            count += add_attacks_on(s, side, slot, target, small_stands(s, side, slot, target, ends), which,
                                    out + count);
    }
    *attacks = count;
    for (uint64_t left = ends; left != 0; left = bits_without_first(left)) {
        const int cell = bits_first(left);
        out[count++] = tbs_action(sc->id[side][slot], small_x(cell), small_y(cell), TBS_NO_TARGET);
    }
    return count;
}

/* The key loses the parts of both units before the action and gets them again after it. */
static void small_act(void *state, action a) {
    struct tbs_small *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const int side = s->core.side, slot = sc->slot_of[tbs_action_unit(a)], id = tbs_action_target(a);
    uint64_t change = small_unit_key(s, side, slot);
    small_move(s, slot, small_cell(tbs_action_x(a), tbs_action_y(a)));
    if (id != TBS_NO_TARGET) {
        const int target = sc->slot_of[id];
        change ^= small_unit_key(s, side ^ 1, target);
        small_attack(s, slot, target);
        change ^= small_unit_key(s, side ^ 1, target);
    }
    s->core.units_key ^= change ^ small_unit_key(s, side, slot);
}

void small_play(void *state, action a, struct rng *r) {
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

/* The state has its scenario already; sums and flags are the caller's. */
static void small_put(void *state, int side, int slot, struct core_place place) {
    struct tbs_small *s = state;
    s->cell[side][slot] = (uint8_t)small_cell(place.x, place.y);
    s->hp[side][slot] = place.hp;
    if (place.hp > 0)
        s->occupied[side][tbs_is_air(s->core.scenario->type[side][slot])] |= small_bit(s->cell[side][slot]);
}

/* ---- playouts ---- */

/* Plays the k-th attack of the mover's unit (by target id, then stand cell). */
BITS_INLINE void play_attack(struct tbs_small *s, int slot, uint64_t ends, uint64_t targets, int k) {
    const int side = s->core.side, enemy = side ^ 1;
    for (uint64_t left = s->core.alive[enemy];; left = bits_without_first(left)) {
        HOT_ASSERT(left != 0);
        const int target = bits_first(left);
        const bool is_target = (targets & small_bit(s->cell[enemy][target])) != 0;
        const uint64_t stands = is_target ? small_stands(s, side, slot, target, ends) : 0;
        const int count = bits_count(stands);
        if (k < count) {
            small_move(s, slot, small_nth_stand(s, side, slot, target, stands, k));
            small_attack(s, slot, target);
            return;
        }
        k -= count;
    }
}

/* Counting and selecting bits in place of listing actions: the list of a unit is never made. */
BITS_INLINE void play_random_action(void *state, struct rng *r, struct core_policy policy, bool bmi2) {
    struct tbs_small *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const int side = s->core.side;
    const uint64_t ready = s->core.ready[side];
    const int slot = bits_select(ready, (int)rng_below(r, (uint32_t)bits_count(ready)), bmi2);
    const int type = sc->type[side][slot], cell = s->cell[side][slot];
    const uint64_t ends = small_ends(s, side, cell, type);
    const uint64_t targets = small_targets(s, side, type, policy.all);
    int attacks = 0;
    if (type == TBS_CANNON)
        attacks = bits_count(targets & sc->small_ring[cell]);
    else if ((small_neighbours(targets) & ends) != 0) /* mostly there are none: a branch that is predicted */
        attacks = small_direct_attacks(ends, targets);
    const int k = policy.eager && attacks > 0 ? (int)rng_below(r, (uint32_t)attacks)
                                              : (int)rng_below(r, (uint32_t)(attacks + bits_count(ends)));
    if (k >= attacks)
        small_move(s, slot, bits_select(ends, k - attacks, bmi2));
    else
        play_attack(s, slot, ends, targets, k);
}

CORE_ROLLOUT(run_uniform, BITS_FOR_BMI2, bmi2, play_random_action, .all = false)
CORE_ROLLOUT(run_uniform_all, BITS_FOR_BMI2, bmi2, play_random_action, .all = true)
CORE_ROLLOUT(run_attack, BITS_FOR_BMI2, bmi2, play_random_action, .eager = true)

const struct rollout small_rollouts[] = CORE_ROLLOUTS;

const struct tbs_path_table tbs_small_path = {
    .state_size = sizeof(struct tbs_small),
    .place_of = small_place_of,
    .hp_of = small_hp_of,
    .put = small_put,
    .act = small_act,
    .slot_actions = small_slot_actions,
};
