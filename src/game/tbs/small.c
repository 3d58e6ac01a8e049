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

static int list_stands(const struct core_lister *l, int target, int out[4]) {
    const uint64_t stands = small_stands(l->state, l->side, l->slot, target, *(const uint64_t *)l->ends);
    const int count = bits_count(stands);
    for (int n = 0; n < count; n++)
        out[n] = small_nth_stand(l->state, l->side, l->slot, target, stands, n);
    return count;
}

/* After the attacks the cells of moves in ascending order. */
int small_slot_actions(const void *state, int side, int slot, enum tbs_attacks which, action *out,
                       int *attacks) {
    const struct tbs_small *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    const uint64_t ends = small_ends(s, side, s->cell[side][slot], sc->type[side][slot]);
    const struct core_lister unit = {state, &ends, side, slot};
    int count = *attacks = core_list_attacks(&unit, which, out, CORE_SMALL, list_stands);
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
