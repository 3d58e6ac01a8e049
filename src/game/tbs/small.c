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
    const struct tbs_fighter defender =
        core_fighter(s, side ^ 1, target, s->cell[side ^ 1][target], CORE_SMALL);
    int count = 0;
    for (int n = 0, total = bits_count(stands); n < total; n++) {
        const int cell = small_nth_stand(s, side, slot, target, stands, n);
        if (which == TBS_ATTACKS_DAMAGE &&
            core_fight(sc, core_fighter(s, side, slot, cell, CORE_SMALL), defender).damage == 0)
            continue;
        out[count++] = tbs_action(sc->id[side][slot], core_x(cell, CORE_SMALL), core_y(cell, CORE_SMALL),
                                  sc->id[side ^ 1][target]);
    }
    return count;
}

/* Targets by id, stand cells east, north, west, south, then the cells of moves in ascending order. */
int small_slot_actions(const void *state, int side, int slot, enum tbs_attacks which, action *out,
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
        out[count++] =
            tbs_action(sc->id[side][slot], core_x(cell, CORE_SMALL), core_y(cell, CORE_SMALL), TBS_NO_TARGET);
    }
    return count;
}

void small_play(void *state, action a, struct rng *r) {
    (void)r;
    core_play(state, a, CORE_SMALL);
}

/* ---- playouts ---- */

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
    if (k >= attacks) {
        core_move(s, slot, bits_select(ends, k - attacks, bmi2), CORE_SMALL);
    } else {
        int stand;
        const int target = small_nth_attack(s, side, slot, ends, targets, k, &stand);
        core_move(s, slot, stand, CORE_SMALL);
        core_attack(s, slot, target, CORE_SMALL);
    }
}

CORE_ROLLOUT(run_uniform, BITS_FOR_BMI2, bmi2, play_random_action, .all = false)
CORE_ROLLOUT(run_uniform_all, BITS_FOR_BMI2, bmi2, play_random_action, .all = true)
CORE_ROLLOUT(run_attack, BITS_FOR_BMI2, bmi2, play_random_action, .eager = true)

const struct rollout small_rollouts[] = CORE_ROLLOUTS;
