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

static int slot_actions(const struct tbs_wide *s, int side, int slot, enum tbs_attacks which, action *out,
                        int *attacks) {
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

static int wide_unit_actions(const void *state, int unit, enum tbs_attacks which, action *out, int *attacks) {
    const struct tbs_wide *s = state;
    const int side = s->core.scenario->map.units[unit].side, slot = s->core.scenario->slot_of[unit];
    return slot_actions(s, side, slot, which, out, attacks);
}

static int wide_actions(const void *state, action *out) {
    const struct tbs_wide *s = state;
    if (s->core.result != TBS_RUNNING)
        return 0;
    int count = 0;
    for (uint64_t left = s->core.ready[s->core.side]; left != 0; left = bits_without_first(left)) {
        int attacks;
        count += slot_actions(s, s->core.side, bits_first(left), TBS_ATTACKS_POWER, out + count, &attacks);
    }
    return count;
}

static void wide_play(void *state, action a, struct rng *r) {
    (void)r;
    struct tbs_wide *s = state;
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
    wide_move(s, slot, wide_cell(tbs_action_x(a), tbs_action_y(a)), true);
    if (tbs_action_target(a) != TBS_NO_TARGET)
        wide_attack(s, slot, sc->slot_of[tbs_action_target(a)], true);
    core_advance(&s->core);
}

/* ---- positions ---- */

static void wide_set_position(void *state, const struct tbs_scenario *sc, const struct tbs_position *in) {
    struct tbs_wide *s = state;
    memset(s, 0, sizeof *s);
    s->core.scenario = sc;
    s->core.turn = (uint16_t)in->turn;
    s->core.side = (uint8_t)in->side;
    s->core.result = (uint8_t)in->result;
    for (int id = 0; id < in->unit_count; id++) {
        const struct tbs_unit *u = &in->units[id];
        const int slot = sc->slot_of[id];
        const uint64_t bit = UINT64_C(1) << slot;
        s->hp[u->side][slot] = u->hp;
        s->cell[u->side][slot] = (uint16_t)wide_cell(u->x, u->y);
        if (u->hp == 0)
            continue;
        s->core.hp_sum[u->side] = (uint16_t)(s->core.hp_sum[u->side] + u->hp);
        s->core.alive[u->side] |= bit;
        s->core.ready[u->side] |= u->done ? 0 : bit;
        *wide_column(s, u->side, slot) |= wide_row_bit(s->cell[u->side][slot]);
    }
    s->core.units_key = wide_units_key(s);
}

static void wide_position(const void *state, struct tbs_position *out) {
    const struct tbs_wide *s = state;
    const struct tbs_map *map = &s->core.scenario->map;
    for (int id = 0; id < map->unit_count; id++) {
        const int side = map->units[id].side, slot = s->core.scenario->slot_of[id],
                  cell = s->cell[side][slot];
        out->units[id] = (struct tbs_unit){
            .x = (uint8_t)wide_x(cell),
            .y = (uint8_t)wide_y(cell),
            .type = map->units[id].type,
            .side = (uint8_t)side,
            .hp = s->hp[side][slot],
            .done = (s->core.ready[side] >> slot & 1) == 0,
        };
    }
}

/* ---- keys and invariants ---- */

uint64_t wide_units_key(const struct tbs_wide *s) {
    uint64_t key = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        for (uint64_t left = s->core.alive[side]; left != 0; left = bits_without_first(left))
            key ^= wide_unit_key(s, side, bits_first(left));
    return key;
}

static uint64_t wide_key(const void *state) {
    const struct tbs_wide *s = state;
    return core_key(&s->core, s->core.units_key);
}

static uint64_t wide_key_from_scratch(const void *state) {
    const struct tbs_wide *s = state;
    return core_key(&s->core, wide_units_key(s));
}

static int cells_in(uint32_t seen[TBS_SIDES][2][WIDE_CELLS]) {
    int cells = 0;
    for (int x = 0; x < WIDE_CELLS; x++)
        cells += bits_count(seen[0][0][x] | seen[0][1][x] | seen[1][0][x] | seen[1][1][x]);
    return cells;
}

static bool wide_valid(const void *state) {
    const struct tbs_wide *s = state;
    uint32_t seen[TBS_SIDES][2][WIDE_CELLS] = {{{0}}};
    for (int side = 0; side < TBS_SIDES; side++) {
        int sum = 0;
        for (int slot = 0; slot < s->core.scenario->slots[side]; slot++) {
            const bool alive = s->core.alive[side] >> slot & 1;
            const int cell = s->cell[side][slot];
            if (alive != (s->hp[side][slot] > 0))
                return false;
            if (alive)
                seen[side][tbs_is_air(s->core.scenario->type[side][slot])][cell >> 5] |= wide_row_bit(cell);
            sum += s->hp[side][slot];
        }
        if (sum != s->core.hp_sum[side])
            return false;
    }
    return memcmp(seen, s->occupied, sizeof seen) == 0 && core_is_valid(&s->core) &&
           cells_in(seen) == bits_count(s->core.alive[0]) + bits_count(s->core.alive[1]) &&
           s->core.units_key == wide_units_key(s);
}

const struct tbs_path_table tbs_wide_path = {
    .position = wide_position,
    .set_position = wide_set_position,
    .unit_actions = wide_unit_actions,
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
    .actions = wide_actions,
    .is_legal = core_is_legal,
    .play = wide_play,
    .payoff = core_payoff,
    .turn = core_turn,
    .key = wide_key,
    .key_from_scratch = wide_key_from_scratch,
    .valid = wide_valid,
    .rollouts = wide_rollouts,
    .text = &core_notation,
};
