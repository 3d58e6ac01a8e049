/* SPDX-License-Identifier: MIT
 *
 * The rules on wide boards. See wide.h for the representation; the functions mirror those of small.c.
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
    .unload = core_unload,
    .start = core_start,
    .mover = core_mover,
    .actions = core_actions,
    .is_legal = core_is_legal,
    .play = wide_play,
    .payoff = core_payoff,
    .turn = core_turn,
    .progress = core_progress,
    .key = core_state_key,
    .key_from_scratch = core_key_from_scratch,
    .valid = core_valid,
    .bounds = core_bounds,
    .secured = core_secured,
    .rollouts = wide_rollouts,
    .evals = core_evals,
    .weights = core_weights,
    .priors = core_priors,
    .lists = core_lists,
    .text = &core_notation,
};
