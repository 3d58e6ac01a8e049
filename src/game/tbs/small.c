/* SPDX-License-Identifier: MIT
 *
 * The rules on small boards. See small.h for the representation.
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

/* The attacker on one target from each of the stand cells, in order; damage 0 is left out when asked. */
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

static int slot_actions(const struct tbs_small *s, int side, int slot, enum tbs_attacks which, action *out,
                        int *attacks) {
    const struct tbs_scenario *sc = s->core.scenario;
    const uint64_t ends = small_ends(s, side, s->cell[side][slot], sc->type[side][slot]);
    *attacks = add_attacks(s, side, slot, ends, which, out);
    return *attacks + add_moves(ends, sc->id[side][slot], out + *attacks);
}

static int small_unit_actions(const void *state, int unit, enum tbs_attacks which, action *out,
                              int *attacks) {
    const struct tbs_small *s = state;
    const int side = s->core.scenario->map.units[unit].side, slot = s->core.scenario->slot_of[unit];
    return slot_actions(s, side, slot, which, out, attacks);
}

static int small_actions(const void *state, action *out) {
    const struct tbs_small *s = state;
    if (s->core.result != TBS_RUNNING)
        return 0;
    int count = 0;
    /* Slots ascend with ids, and only one side moves, so this is the order of ids. */
    for (uint64_t left = s->core.ready[s->core.side]; left != 0; left = bits_without_first(left)) {
        int attacks;
        count += slot_actions(s, s->core.side, bits_first(left), TBS_ATTACKS_POWER, out + count, &attacks);
    }
    return count;
}

static void small_play(void *state, action a, struct rng *r) {
    (void)r;
    struct tbs_small *s = state;
    const struct tbs_scenario *sc = s->core.scenario;
    assert(s->core.result == TBS_RUNNING);
    if (a == TBS_PASS) {
        core_pass(&s->core);
        return;
    }
    if (a == TBS_RESIGN) {
        core_resign(&s->core);
        return;
    }
    const int slot = sc->slot_of[tbs_action_unit(a)];
    HOT_ASSERT(core_is_legal(state, a));
    small_move(s, slot, small_cell(tbs_action_x(a), tbs_action_y(a)), true);
    if (tbs_action_target(a) != TBS_NO_TARGET)
        small_attack(s, slot, sc->slot_of[tbs_action_target(a)], true);
    core_advance(&s->core);
}

/* ---- positions ---- */

static void small_set_position(void *state, const struct tbs_scenario *sc, const struct tbs_position *in) {
    struct tbs_small *s = state;
    memset(s, 0, sizeof *s); /* padding too: states are compared and hashed as bytes */
    s->core.scenario = sc;
    s->core.turn = (uint16_t)in->turn;
    s->core.side = (uint8_t)in->side;
    s->core.result = (uint8_t)in->result;
    for (int id = 0; id < in->unit_count; id++) {
        const struct tbs_unit *u = &in->units[id];
        const int slot = sc->slot_of[id];
        const uint64_t bit = UINT64_C(1) << slot;
        s->hp[u->side][slot] = u->hp;
        s->cell[u->side][slot] = (uint8_t)small_cell(u->x, u->y);
        if (u->hp == 0)
            continue;
        s->core.hp_sum[u->side] = (uint16_t)(s->core.hp_sum[u->side] + u->hp);
        s->core.alive[u->side] |= bit;
        s->core.ready[u->side] |= u->done ? 0 : bit;
        s->occupied[u->side][tbs_is_air(u->type)] |= small_bit(small_cell(u->x, u->y));
    }
    s->core.units_key = small_units_key(s);
}

static void small_position(const void *state, struct tbs_position *out) {
    const struct tbs_small *s = state;
    const struct tbs_map *map = &s->core.scenario->map;
    for (int id = 0; id < map->unit_count; id++) {
        const int side = map->units[id].side, slot = s->core.scenario->slot_of[id],
                  cell = s->cell[side][slot];
        out->units[id] = (struct tbs_unit){
            .x = (uint8_t)small_x(cell),
            .y = (uint8_t)small_y(cell),
            .type = map->units[id].type,
            .side = (uint8_t)side,
            .hp = s->hp[side][slot],
            .done = (s->core.ready[side] >> slot & 1) == 0,
        };
    }
}

/* ---- keys and invariants ---- */

uint64_t small_units_key(const struct tbs_small *s) {
    uint64_t key = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        for (uint64_t left = s->core.alive[side]; left != 0; left = bits_without_first(left))
            key ^= small_unit_key(s, side, bits_first(left));
    return key;
}

static uint64_t small_key(const void *state) {
    const struct tbs_small *s = state;
    return core_key(&s->core, s->core.units_key);
}

static uint64_t small_key_from_scratch(const void *state) {
    const struct tbs_small *s = state;
    return core_key(&s->core, small_units_key(s));
}

static bool small_valid(const void *state) {
    const struct tbs_small *s = state;
    uint64_t seen[TBS_SIDES][2] = {{0}};
    int sums[TBS_SIDES] = {0};
    for (int side = 0; side < TBS_SIDES; side++) {
        for (int slot = 0; slot < s->core.scenario->slots[side]; slot++) {
            const bool alive = s->core.alive[side] >> slot & 1;
            if (alive != (s->hp[side][slot] > 0))
                return false;
            if (alive)
                seen[side][tbs_is_air(s->core.scenario->type[side][slot])] |= small_bit(s->cell[side][slot]);
            sums[side] += s->hp[side][slot];
        }
        if (sums[side] != s->core.hp_sum[side])
            return false;
    }
    const int cells = bits_count(seen[0][0] | seen[0][1] | seen[1][0] | seen[1][1]);
    return memcmp(seen, s->occupied, sizeof seen) == 0 && core_is_valid(&s->core) &&
           cells == bits_count(s->core.alive[0]) + bits_count(s->core.alive[1]) &&
           s->core.units_key == small_units_key(s);
}

const struct tbs_path_table tbs_small_path = {
    .position = small_position,
    .set_position = small_set_position,
    .unit_actions = small_unit_actions,
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
    .actions = small_actions,
    .is_legal = core_is_legal,
    .play = small_play,
    .payoff = core_payoff,
    .turn = core_turn,
    .key = small_key,
    .key_from_scratch = small_key_from_scratch,
    .valid = small_valid,
    .rollouts = small_rollouts,
    .text = &core_notation,
};
