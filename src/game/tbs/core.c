/* SPDX-License-Identifier: MIT
 *
 * The members of the game table, and the questions of tbs.h, that do not depend on how boards are stored;
 * knowledge for searches (evaluations, action scores, shorter lists, bounds on the result); and scenarios,
 * the tables a game runs on, made from a map and a rule set.
 */
#include "game/tbs/small.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- the rules as data ---- */

const struct tbs_unit_type tbs_unit_types[TBS_TYPES] = {
    /*                name        mark move direct class */
    [TBS_FIGHTER] = {"fighter", 'F', 9, true, TBS_AIR},
    [TBS_ATTACKER] = {"attacker", 'A', 7, true, TBS_AIR},
    [TBS_PANZER] = {"panzer", 'P', 6, true, TBS_VEHICLE},
    [TBS_CANNON] = {"cannon", 'U', 5, false, TBS_VEHICLE},
    [TBS_ANTIAIR] = {"antiair", 'R', 6, true, TBS_VEHICLE},
    [TBS_INFANTRY] = {"infantry", 'I', 3, true, TBS_FOOT},
};

#define NO TBS_IMPASSABLE
const struct tbs_terrain_type tbs_terrain_types[TBS_TERRAINS] = {
    /*                  name        mark stars  air vehicle foot */
    [TBS_NO_ENTRY] = {"no-entry", '#', 0, {NO, NO, NO}},
    [TBS_PLAIN] = {"plain", '.', 1, {1, 1, 1}},
    [TBS_SEA] = {"sea", '~', 0, {1, NO, NO}},
    [TBS_WOOD] = {"wood", '*', 3, {1, 2, 1}},
    [TBS_MOUNTAIN] = {"mountain", '^', 4, {1, NO, 2}},
    [TBS_ROAD] = {"road", '=', 0, {1, 1, 1}},
    [TBS_FORTRESS] = {"fortress", '@', 4, {1, 1, 1}},
};
#undef NO

/* ORDER TYPES: rows attack, columns defend, both F A P U R I. */
#define POWER(antiair_on_infantry)                                                                           \
    {                                                                                                        \
        {55, 65, 0, 0, 0, 0}, {0, 0, 105, 105, 85, 115}, {0, 0, 55, 70, 75, 75}, {0, 0, 60, 75, 65, 90},     \
            {70, 70, 15, 50, 45, antiair_on_infantry}, {                                                     \
            0, 0, 5, 10, 3, 55                                                                               \
        }                                                                                                    \
    }

const struct tbs_rules tbs_rule_sets[] = {
    {"tubstap", "as the TUBSTAP platform, version 1.08, plays", POWER(105), false},
    {"paper",
     "as Sato, Fujiki and Ikeda print them: antiair on infantry 115, a lead equal to the threshold wins",
     POWER(115), true},
    {0},
};

const char *const tbs_side_names[TBS_SIDES] = {"red", "blue"};

int tbs_type_find(const char *name) {
    int type = 0;
    while (type < TBS_TYPES && strcmp(tbs_unit_types[type].name, name) != 0)
        type++;
    return type;
}

int tbs_stars(int type, int terrain) {
    return tbs_is_air(type) ? 0 : tbs_terrain_types[terrain].stars;
}

/* The published formula in integers; core_strike in core.h is the same by table. */
static int strike(const struct tbs_rules *rules, struct tbs_fighter attacker, struct tbs_fighter defender) {
    int damage = (rules->power[attacker.type][defender.type] * attacker.hp + 70) /
                 (100 + defender.stars * defender.hp);
    return damage < defender.hp ? damage : defender.hp;
}

struct tbs_exchange tbs_fight(const struct tbs_rules *rules, struct tbs_fighter attacker,
                              struct tbs_fighter defender) {
    assert(attacker.hp > 0);
    assert(defender.hp > 0);
    struct tbs_exchange x = {.damage = strike(rules, attacker, defender)};
    defender.hp -= x.damage;
    bool both_direct = tbs_unit_types[attacker.type].direct && tbs_unit_types[defender.type].direct;
    if (defender.hp > 0 && both_direct)
        x.counter =
            strike(rules, defender, attacker); /* the attacker's own loss comes last: it is undamaged here */
    return x;
}

const struct tbs_rules *tbs_read_rules(const char *name, struct err *e) {
    struct text known = {0};
    const struct tbs_rules *found = NULL;
    for (const struct tbs_rules *r = tbs_rule_sets; r->name != NULL; r++) {
        if (strcmp(r->name, name) == 0)
            found = r;
        text_add(&known, "%s%s", r == tbs_rule_sets ? "" : ", ", r->name);
    }
    if (found == NULL)
        err_set(e, "rule set '%.64s' is unknown; known are %s", name, text_string(&known));
    text_done(&known);
    return found;
}

/* ---- results ---- */

const char *const tbs_result_names[TBS_RESULTS] = {
    [TBS_RUNNING] = "none",
    [TBS_RED_ANNIHILATION] = "red annihilation",
    [TBS_BLUE_ANNIHILATION] = "blue annihilation",
    [TBS_RED_LIMIT] = "red limit",
    [TBS_BLUE_LIMIT] = "blue limit",
    [TBS_DRAW_LIMIT] = "draw limit",
    [TBS_RED_RESIGNATION] = "red resignation",
    [TBS_BLUE_RESIGNATION] = "blue resignation",
};

/* A result's name begins with the side that has won. */
int tbs_winner(int result) {
    const char first = tbs_result_names[result][0];
    return first == 'r' ? TBS_RED : first == 'b' ? TBS_BLUE : NOBODY;
}

/* ---- game table ---- */

/* The map decides everything: red moves first, unless all its units are marked as done. */
static void core_start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)r;
    const struct tbs_scenario *sc = (const struct tbs_scenario *)scenario;
    struct tbs_position p;
    tbs_map_position(&sc->map, &p);
    core_set_position(state, sc, &p);
    core_advance(state); /* the core is the state's first member */
}

static int core_mover(const void *state) {
    return core_of(state)->result == TBS_RUNNING ? core_of(state)->side : NOBODY;
}

/* 1 for the winner, 0.5 each for a draw; resigning counts as any other loss. */
static double core_payoff(const void *state, int side) {
    const int winner = tbs_winner(core_of(state)->result);
    return winner == NOBODY ? 0.5 : winner == side ? 1.0 : 0.0;
}

int core_turn(const void *state) {
    return core_of(state)->turn;
}

/* Attacks without power, passing and resigning are legal, too, although `actions` does not list them. */
bool core_is_legal(const void *state, action a) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_map *map = &c->scenario->map;
    if (c->result != TBS_RUNNING || !tbs_is_unit_action(a))
        return c->result == TBS_RUNNING;
    const int unit = tbs_action_unit(a);
    if (unit >= map->unit_count || map->units[unit].side != c->side ||
        (c->ready[c->side] >> c->scenario->slot_of[unit] & 1) == 0)
        return false;
    action list[TBS_UNIT_ACTIONS_MAX];
    int attacks;
    const int count = tbs_unit_actions(state, unit, TBS_ATTACKS_ALL, list, &attacks);
    for (int i = 0; i < count; i++)
        if (list[i] == a)
            return true;
    return false;
}

/* True when a game can end in this position with this result. */
static bool is_possible_end(const struct tbs_core *c) {
    const bool red = c->alive[TBS_RED] != 0, blue = c->alive[TBS_BLUE] != 0;
    if (c->result == TBS_RED_ANNIHILATION || c->result == TBS_BLUE_ANNIHILATION)
        return c->result == TBS_RED_ANNIHILATION ? red && !blue : !red;
    const bool resigned = c->result == TBS_RED_RESIGNATION || c->result == TBS_BLUE_RESIGNATION;
    return red && blue &&
           (resigned || (c->turn == c->scenario->map.turn_limit && c->result == core_judge(c)));
}

/* Rebuilding the state from its position must give the same bytes: boards, sums, flags and key. */
static bool core_valid(const void *state) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_scenario *sc = c->scenario;
    for (int side = 0; side < TBS_SIDES; side++) {
        const uint64_t slots = sc->slots[side] == 64 ? UINT64_MAX : (UINT64_C(1) << sc->slots[side]) - 1;
        if ((c->alive[side] & ~slots) != 0 || (c->ready[side] & ~c->alive[side]) != 0)
            return false;
    }
    if (c->result == TBS_RUNNING
            ? c->turn >= sc->map.turn_limit || core_phase_is_over(c)
            : c->result >= TBS_RESULTS || c->turn > sc->map.turn_limit || !is_possible_end(c))
        return false;
    struct tbs_position p;
    bool taken[TBS_EDGE_MAX][TBS_EDGE_MAX] = {{false}};
    _Alignas(16) unsigned char again[GAME_STATE_MAX];
    tbs_position_of(state, &p);
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        if (u->hp > 0 && taken[u->x][u->y])
            return false;
        taken[u->x][u->y] = taken[u->x][u->y] || u->hp > 0;
    }
    core_set_position(again, sc, &p);
    return memcmp(state, again, core_state_size(sc)) == 0;
}

static int core_actions(const void *state, action *out) {
    const struct tbs_core *c = core_of(state);
    const uint64_t units = c->result == TBS_RUNNING ? c->ready[c->side] : 0;
    return core_list_actions(state, c->side, units, TBS_ATTACKS_POWER, out);
}

/* ---- keys ---- */

uint64_t core_units_key(const void *state) {
    const struct tbs_core *c = core_of(state);
    uint64_t key = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        for (uint64_t left = c->alive[side]; left != 0; left = bits_without_first(left))
            key ^= core_unit_key(state, side, bits_first(left), c->scenario->wide);
    return key;
}

static uint64_t core_state_key(const void *state) {
    return core_key(core_of(state), core_of(state)->units_key);
}

static uint64_t core_key_from_scratch(const void *state) {
    return core_key(core_of(state), core_units_key(state));
}

/* ---- positions ---- */

/* Unit ids of the position are those of the scenario's map. Destroyed units keep their cell, but not on the
 * board. */
void core_set_position(void *state, const struct tbs_scenario *sc, const struct tbs_position *in) {
    struct tbs_core *c = state;            /* the core is the state's first member */
    memset(state, 0, core_state_size(sc)); /* padding too: states are compared as bytes */
    c->scenario = sc;
    c->turn = (uint16_t)in->turn;
    c->side = (uint8_t)in->side;
    c->result = (uint8_t)in->result;
    for (int id = 0; id < in->unit_count; id++) {
        const struct tbs_unit *u = &in->units[id];
        const int slot = sc->slot_of[id], cell = core_cell(u->x, u->y, sc->wide);
        const uint64_t bit = UINT64_C(1) << slot;
        core_set_hp(state, u->side, slot, u->hp, sc->wide);
        core_set_cell(state, u->side, slot, cell, sc->wide);
        if (u->hp == 0)
            continue;
        core_relocate(state, u->side, slot, cell, sc->wide);
        c->hp_sum[u->side] = (uint16_t)(c->hp_sum[u->side] + u->hp);
        c->alive[u->side] |= bit;
        c->ready[u->side] |= u->done ? 0 : bit;
    }
    c->units_key = core_units_key(state);
}

/* ---- questions ---- */

/* For code that is not hot: one form for both paths, indexed by the map's unit ids. */
void tbs_position_of(const void *state, struct tbs_position *out) {
    const struct tbs_core *c = core_of(state);
    *out = (struct tbs_position){
        .turn = c->turn,
        .side = c->side,
        .result = c->result,
        .hp_sum = {c->hp_sum[0], c->hp_sum[1]},
        .unit_count = c->scenario->map.unit_count,
    };
    const bool wide = c->scenario->wide;
    for (int id = 0; id < out->unit_count; id++) {
        const struct tbs_map_unit *u = &c->scenario->map.units[id];
        const int slot = c->scenario->slot_of[id], cell = core_cell_of(state, u->side, slot, wide);
        out->units[id] = (struct tbs_unit){.x = (uint8_t)core_x(cell, wide),
                                           .y = (uint8_t)core_y(cell, wide),
                                           .type = u->type,
                                           .side = u->side,
                                           .hp = core_hp(state, u->side, wide)[slot],
                                           .done = (c->ready[u->side] >> slot & 1) == 0};
    }
}

/* Before any phase ends: a side whose units are all done is still to move here. */
void tbs_map_position(const struct tbs_map *map, struct tbs_position *out) {
    *out = (struct tbs_position){.side = TBS_RED, .result = TBS_RUNNING, .unit_count = map->unit_count};
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        out->units[id] = (struct tbs_unit){u->x, u->y, u->type, u->side, u->hp, u->done};
        out->hp_sum[u->side] += u->hp;
    }
}

const struct tbs_map *tbs_map_of(const void *state) {
    return &core_of(state)->scenario->map;
}

const struct tbs_rules *tbs_rules_of(const void *state) {
    return core_of(state)->scenario->rules;
}

const struct tbs_map *tbs_scenario_map(const struct scenario *scenario) {
    return &((const struct tbs_scenario *)scenario)->map;
}

const struct tbs_rules *tbs_scenario_rules(const struct scenario *scenario) {
    return ((const struct tbs_scenario *)scenario)->rules;
}

int tbs_unit_actions(const void *state, int unit, enum tbs_attacks which, action *out, int *attacks) {
    const struct tbs_scenario *sc = core_of(state)->scenario;
    return core_slot_actions(state, sc->map.units[unit].side, sc->slot_of[unit], which, out, attacks);
}

static bool is_attack(action a) {
    return tbs_is_unit_action(a) && tbs_action_target(a) != TBS_NO_TARGET;
}

/* The fight of an attack, with the attacker's defence in the cell that the action leads to. */
static struct tbs_exchange exchange_of(const void *state, action a, int *target_hp) {
    const struct tbs_scenario *sc = core_of(state)->scenario;
    const bool wide = sc->wide;
    const int unit = tbs_action_unit(a), target = tbs_action_target(a), enemy = sc->map.units[target].side;
    const struct tbs_fighter attacker = core_fighter(state, sc->map.units[unit].side, sc->slot_of[unit],
                                                     core_cell(tbs_action_x(a), tbs_action_y(a), wide), wide);
    const struct tbs_fighter defender = core_fighter(
        state, enemy, sc->slot_of[target], core_cell_of(state, enemy, sc->slot_of[target], wide), wide);
    *target_hp = defender.hp;
    return core_fight(sc, attacker, defender);
}

struct tbs_exchange tbs_preview(const void *state, action a) {
    int target_hp;
    return is_attack(a) ? exchange_of(state, a, &target_hp) : (struct tbs_exchange){0};
}

/* Knowledge for searches (Sato, Fujiki and Ikeda, sections 4.1 and 5.2). */

/* ---- weights: one a unit type, in the order of the types, then the evaluations' own ---- */

enum { WEIGHT_THREAT = TBS_TYPES };

static const struct weight core_weights[] = {
    {"F", "of a fighter's HP", 1},
    {"A", "of an attacker's", 1},
    {"P", "of a panzer's", 1},
    {"U", "of a cannon's", 1},
    {"R", "of an antiair's", 1},
    {"I", "of an infantry's", 1},
    {"threat", "of HP that may be lost in the enemy's next turn (threat evaluation)", 1},
    {0},
};

/* ---- evaluations ---- */

/* The lead in the weighted sum of HP of section 4.1. */
static double linear_value(const void *state, int side, const double *weights) {
    const struct tbs_core *c = core_of(state);
    double sums[TBS_SIDES] = {0};
    for (int i = 0; i < TBS_SIDES; i++) {
        const uint8_t *hp = core_hp(state, i, c->scenario->wide);
        for (uint64_t left = c->alive[i]; left != 0; left = bits_without_first(left)) {
            const int slot = bits_first(left);
            sums[i] += weights[c->scenario->type[i][slot]] * hp[slot];
        }
    }
    return sums[side] - sums[side ^ 1];
}

/* The highest value that one enemy's attack takes from the exposed units. The victim's HP are reduced, so
 * that the next enemy finds it weaker. */
static double worst_attack(const void *state, int enemy_id, const bool *exposed, struct tbs_position *p,
                           const double *weights) {
    action list[TBS_UNIT_ACTIONS_MAX];
    int attacks, victim = -1, worst_loss = 0;
    double worst = 0;
    tbs_unit_actions(state, enemy_id, TBS_ATTACKS_POWER, list, &attacks);
    const struct tbs_unit *u = &p->units[enemy_id];
    for (int i = 0; i < attacks; i++) {
        const int target = tbs_action_target(list[i]);
        const struct tbs_unit *t = &p->units[target];
        if (!exposed[target] || t->hp == 0)
            continue;
        const int stars = tbs_stars(t->type, tbs_map_of(state)->terrain[t->x][t->y]);
        const int loss = tbs_fight(tbs_rules_of(state), (struct tbs_fighter){u->type, u->hp, 0},
                                   (struct tbs_fighter){t->type, t->hp, stars})
                             .damage;
        if (loss * weights[t->type] > worst) {
            worst = loss * weights[t->type];
            worst_loss = loss;
            victim = target;
        }
    }
    if (victim >= 0)
        p->units[victim].hp = (uint8_t)(p->units[victim].hp - worst_loss);
    return worst;
}

/* Exposed are the units that cannot get out of the way any more: between turns all units of the side that has
 * just played, within a turn the mover's units that have acted. */
static double threat_value(const void *state, int side, const double *weights) {
    const struct tbs_core *c = core_of(state);
    const double linear = linear_value(state, side, weights);
    if (c->result != TBS_RUNNING)
        return linear;
    struct tbs_position p;
    bool exposed[TBS_UNITS_MAX];
    tbs_position_of(state, &p);
    const bool within = c->ready[c->side] != c->alive[c->side];
    const int exposed_side = within ? p.side : p.side ^ 1;
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        exposed[id] = u->hp > 0 && u->side == exposed_side && (u->done || !within);
    }
    double loss = 0;
    for (int id = 0; id < p.unit_count; id++)
        if (p.units[id].hp > 0 && p.units[id].side != exposed_side)
            loss += worst_attack(state, id, exposed, &p, weights);
    loss *= weights[WEIGHT_THREAT];
    return exposed_side == side ? linear - loss : linear + loss;
}

static const struct eval core_evals[] = {
    {"linear", "own HP less enemy HP, each unit's weighted by its type", linear_value},
    {"threat", "linear, less what units that have acted can lose in the enemy's next turn", threat_value},
    {0},
};

/* ---- priors ---- */

/* For progressive widening, which opens attacks before moves (A.2.2). */
static void score_attacks(const void *state, const action *list, int count, float *out) {
    (void)state;
    for (int i = 0; i < count; i++)
        out[i] = is_attack(list[i]) ? 1 : 0;
}

/* An attack's damage counts twice its counter's, and a kill counts more: it also prevents the victim's future
 * damage. */
static void score_damage(const void *state, const action *list, int count, float *out) {
    for (int i = 0; i < count; i++) {
        out[i] = 0;
        if (!is_attack(list[i]))
            continue;
        int target_hp;
        const struct tbs_exchange x = exchange_of(state, list[i], &target_hp);
        out[i] = (float)(1 + 2 * x.damage - x.counter + (x.damage == target_hp ? 10 : 0));
    }
}

static const struct prior core_priors[] = {
    {"attacks", "attacks before moves", score_attacks},
    {"damage", "attacks by the damage they do and suffer, kills first; then moves", score_damage},
    {0},
};

/* ---- shorter lists ---- */

/* Remedy (b) of section 5.2: without moves a turn is far smaller. Passing keeps the list from being empty. */
static int list_attacks(const void *state, action *out) {
    const struct tbs_core *c = core_of(state);
    int count = 0, attacks;
    if (c->result != TBS_RUNNING)
        return 0;
    for (uint64_t left = c->ready[c->side]; left != 0; left = bits_without_first(left)) {
        core_slot_actions(state, c->side, bits_first(left), TBS_ATTACKS_POWER, out + count, &attacks);
        count += attacks;
    }
    if (count == 0)
        out[count++] = TBS_PASS;
    return count;
}

/* The reading under which the paper's one-turn search of figure 8 takes the time that it reports: attacks as
 * long as there are any, then every move of the units that are left. */
static int list_late_moves(const void *state, action *out) {
    const int count = list_attacks(state, out);
    return count > 0 && out[0] == TBS_PASS ? core_actions(state, out) : count;
}

/* Which actions of a unit are listed. */
enum kept {
    KEPT_ALL,
    KEPT_ATTACKS,    /* a unit without attacks stays */
    KEPT_LATE_MOVES, /* its moves if it has no attacks */
};

static int list_one(const void *state, int slot, enum kept kept, action *out) {
    const struct tbs_core *c = core_of(state);
    int attacks;
    const int count = core_slot_actions(state, c->side, slot, TBS_ATTACKS_POWER, out, &attacks);
    if (kept == KEPT_ALL || (kept == KEPT_LATE_MOVES && attacks == 0))
        return count;
    if (attacks > 0)
        return attacks;
    const bool wide = c->scenario->wide;
    const int cell = core_cell_of(state, c->side, slot, wide);
    out[0] =
        tbs_action(c->scenario->id[c->side][slot], core_x(cell, wide), core_y(cell, wide), TBS_NO_TARGET);
    return 1;
}

/* The actions of the ready unit with the most HP (the first of equals): a fixed order, because units that
 * have not acted keep their HP while their own side moves. */
static int list_fixed_order(const void *state, enum kept kept, action *out) {
    const struct tbs_core *c = core_of(state);
    if (c->result != TBS_RUNNING)
        return 0;
    const uint8_t *hp = core_hp(state, c->side, c->scenario->wide);
    int best = bits_first(c->ready[c->side]);
    for (uint64_t left = c->ready[c->side]; left != 0; left = bits_without_first(left))
        if (hp[bits_first(left)] > hp[best])
            best = bits_first(left);
    return list_one(state, best, kept, out);
}

/* The actions of the ready unit that comes first in an order drawn at random: that of a hash of draw and id,
 * so that the order of the units that are left stays the same. */
static int list_drawn_order(const void *state, uint64_t draw, enum kept kept, action *out) {
    const struct tbs_core *c = core_of(state);
    if (c->result != TBS_RUNNING)
        return 0;
    uint64_t least = UINT64_MAX;
    int first = -1;
    for (uint64_t left = c->ready[c->side]; left != 0; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        const uint64_t lot = rng_mix(draw ^ rng_mix(c->scenario->id[c->side][slot] + UINT64_C(1)));
        if (first < 0 || lot < least) {
            least = lot;
            first = slot;
        }
    }
    return list_one(state, first, kept, out);
}

/* The functions of one list in each order. */
#define LISTS_IN_ORDER(name, kept)                                                                           \
    static int list_fixed##name(const void *state, action *out) {                                            \
        return list_fixed_order(state, kept, out);                                                           \
    }                                                                                                        \
    static int list_drawn##name(const void *state, uint64_t draw, action *out) {                             \
        return list_drawn_order(state, draw, kept, out);                                                     \
    }                                                                                                        \
    static int list_random##name(const void *state, action *out) {                                           \
        return list_drawn_order(state, 0, kept, out);                                                        \
    }

LISTS_IN_ORDER(, KEPT_ALL)
LISTS_IN_ORDER(_attacks, KEPT_ATTACKS)
LISTS_IN_ORDER(_late_moves, KEPT_LATE_MOVES)

static const struct action_list core_lists[] = {
    {"all", "every action", core_actions},
    {"attacks", "attacks only; when there is none the turn ends", list_attacks},
    {"late-moves", "attacks only; when there is none every move", list_late_moves},
    {"fixed", "units in one order, most HP first", list_fixed},
    {"fixed-attacks", "both: in one order, attacks only, units that have none stay", list_fixed_attacks},
    {"fixed-late-moves", "in one order, attacks only, units that have none move", list_fixed_late_moves},
    {"random", "units in one order, drawn at random", list_random, list_drawn},
    {"random-attacks", "in an order drawn at random, attacks only, units that have none stay",
     list_random_attacks, list_drawn_attacks},
    {"random-late-moves", "in an order drawn at random, attacks only, units that have none move",
     list_random_late_moves, list_drawn_late_moves},
    {0},
};

/* ---- bounds ---- */

/* HP that a side cannot lose: of the units against which no living enemy has power (without power the formula
 * gives no damage, and enemies only become fewer). */
static int safe_hp(const void *state, int side) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_scenario *sc = c->scenario;
    bool air_in_danger = false, ground_in_danger = false;
    for (uint64_t left = c->alive[side ^ 1]; left != 0; left = bits_without_first(left)) {
        const int enemy = sc->type[side ^ 1][bits_first(left)];
        air_in_danger |= sc->hits_air[enemy];
        ground_in_danger |= sc->hits_ground[enemy];
    }
    if (air_in_danger && ground_in_danger)
        return 0;
    const uint8_t *hp = core_hp(state, side, sc->wide);
    int sum = 0;
    for (uint64_t left = c->alive[side]; left != 0; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        sum += (tbs_is_air(sc->type[side][slot]) ? air_in_danger : ground_in_danger) ? 0 : hp[slot];
    }
    return sum;
}

/* The most HP that one turn of a side can cost the other, if only the `acting` units attack: no attack does
 * more damage than the formula gives against a unit without stars. */
static int most_damage(const void *state, int side, uint64_t acting) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_scenario *sc = c->scenario;
    const uint8_t *hp = core_hp(state, side, sc->wide);
    unsigned types = 0;
    for (uint64_t left = c->alive[side ^ 1]; left != 0; left = bits_without_first(left))
        types |= 1U << sc->type[side ^ 1][bits_first(left)];
    int sum = 0;
    for (uint64_t left = acting; left != 0; left = bits_without_first(left)) {
        const uint8_t *power = sc->rules->power[sc->type[side][bits_first(left)]];
        int most = 0;
        for (int type = 0; type < TBS_TYPES; type++)
            if ((types >> type & 1) != 0 && power[type] > most)
                most = power[type];
        sum += (most * hp[bits_first(left)] + 70) / 100;
    }
    return sum;
}

/* The least payoff of a side that keeps its safe HP (they are never lost in any play), or, with `stays`, at
 * least those that it has at the limit if its units only stay. The enemy never gains HP. */
static double least_payoff(const void *state, int side, bool stays) {
    const struct tbs_core *c = core_of(state);
    const int needed = core_needed_lead(c->scenario), enemy = side ^ 1;
    int kept = safe_hp(state, side);
    if (stays) { /* it is hurt only in the enemy's turns: in this one, and in those still to begin */
        const bool now = c->side == enemy;
        const int turns = (c->scenario->map.turn_limit - c->turn - now) / 2;
        const int loss = turns * most_damage(state, enemy, c->alive[enemy]) +
                         (now ? most_damage(state, enemy, c->ready[enemy]) : 0);
        kept = c->hp_sum[side] - loss > kept ? c->hp_sum[side] - loss : kept;
    }
    if (kept == 0)
        return 0;
    return kept - c->hp_sum[enemy] >= needed ? 1 : c->hp_sum[enemy] - kept < needed ? 0.5 : 0;
}

static void find_bounds(const void *state, bool stays, double *low, double *high) {
    const bool over = core_of(state)->result != TBS_RUNNING;
    *low = over ? core_payoff(state, TBS_RED) : least_payoff(state, TBS_RED, stays);
    *high = over ? *low : 1 - least_payoff(state, TBS_BLUE, stays);
}

static void core_secured(const void *state, double *low, double *high) {
    find_bounds(state, true, low, high);
}

static void core_bounds(const void *state, double *low, double *high) {
    find_bounds(state, false, low, high);
}

/* Destroyed units are in neither number: a unit that died in its own attack does not count as a decision. */
static struct turn_progress core_progress(const void *state) {
    const struct tbs_core *c = core_of(state);
    const uint64_t ready = c->ready[c->side], alive = c->alive[c->side];
    return c->result != TBS_RUNNING ? (struct turn_progress){0, 0}
                                    : (struct turn_progress){bits_count(alive & ~ready), bits_count(ready)};
}

/* ---- scenarios ---- */

/* Both edges and both sides' units; the border of the map is not stored on the board. */
static bool fits_small(const struct tbs_map *map) {
    return map->width - 2 <= SMALL_CELLS && map->height - 2 <= SMALL_CELLS &&
           tbs_map_side_units(map, TBS_RED) <= SMALL_SIDE_UNITS &&
           tbs_map_side_units(map, TBS_BLUE) <= SMALL_SIDE_UNITS;
}

/* The shortcuts of both paths depend on these facts about the rules; a new rule set that breaks one must be
 * detected. */
static void check_rules(const struct tbs_rules *rules) {
    for (int attacker = 0; attacker < TBS_TYPES; attacker++)
        for (int defender = 0; defender < TBS_TYPES; defender++)
            assert((rules->power[attacker][defender] > 0) ==
                   (rules->power[attacker][tbs_is_air(defender) ? TBS_FIGHTER : TBS_INFANTRY] > 0));
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        for (int class = 0; class < TBS_CLASSES; class ++) {
            const int cost = tbs_terrain_types[terrain].cost[class];
            assert(cost == 1 || cost == 2 || cost == TBS_IMPASSABLE);
        }
    for (int type = 0; type < TBS_TYPES; type++) {
        assert(tbs_unit_types[type].direct == (type != TBS_CANNON));
        assert(tbs_unit_types[type].move <= TBS_MOVE_MAX);
    }
}

/* Costs and stars of one playable cell; for the small board also which cells are in a cannon's range. */
static void fill_cell(struct tbs_scenario *sc, int x, int y) {
    const struct tbs_terrain_type *terrain = &tbs_terrain_types[sc->map.terrain[x][y]];
    const int cell = core_cell(x, y, CORE_SMALL);
    for (int class = 0; class < TBS_CLASSES; class ++) {
        const int cost = terrain->cost[class];
        if (cost == TBS_IMPASSABLE)
            continue;
        if (sc->wide)
            (cost == 1 ? sc->wide_cost1 : sc->wide_cost2)[class][x - 1] |= UINT32_C(1) << (y - 1);
        else
            (cost == 1 ? sc->small_cost1 : sc->small_cost2)[class] |= small_bit(cell);
    }
    if (sc->wide) {
        sc->wide_stars[(x - 1) * WIDE_CELLS + y - 1] = terrain->stars;
        return;
    }
    sc->small_stars[cell] = terrain->stars;
    sc->small_adjacent[cell] = small_neighbours(small_bit(cell));
    for (int other = 0; other < SMALL_CELLS * SMALL_CELLS; other++) {
        const int distance = abs(core_x(other, CORE_SMALL) - x) + abs(core_y(other, CORE_SMALL) - y);
        sc->small_ring[cell] |=
            distance >= TBS_RANGE_LOW && distance <= TBS_RANGE_HIGH ? small_bit(other) : 0;
    }
}

/* The scenario is zeroed; everything here is constant during all games on it. */
static void fill_tables(struct tbs_scenario *sc) {
    for (int id = 0; id < sc->map.unit_count; id++) {
        const struct tbs_map_unit *u = &sc->map.units[id];
        const int slot = sc->slots[u->side]++;
        sc->type[u->side][slot] = u->type;
        sc->id[u->side][slot] = (uint8_t)id;
        sc->slot_of[id] = (uint8_t)slot;
    }
    for (int type = 0; type < TBS_TYPES; type++) {
        sc->hits_air[type] = sc->rules->power[type][TBS_FIGHTER] > 0;
        sc->hits_ground[type] = sc->rules->power[type][TBS_INFANTRY] > 0;
    }
    for (uint32_t k = 0; k < RECIPROCALS; k++)
        sc->reciprocal[k] = UINT32_MAX / (100 + k) + 1;
    for (int x = 1; x < sc->map.width - 1; x++)
        for (int y = 1; y < sc->map.height - 1; y++)
            fill_cell(sc, x, y);
}

struct scenario *tbs_scenario_make(const struct tbs_map *map, const struct tbs_rules *rules,
                                   enum tbs_path path, struct err *e) {
    if (path == TBS_PATH_SMALL && !fits_small(map)) {
        err_set(e, "path=small holds up to %d x %d cells and %d units a side; this map is larger",
                SMALL_CELLS, SMALL_CELLS, SMALL_SIDE_UNITS);
        return NULL;
    }
    struct tbs_scenario *sc = mem_alloc(sizeof *sc);
    if (sc == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    sc->wide = path == TBS_PATH_WIDE || !fits_small(map);
    sc->base.game = sc->wide ? &tbs_wide_game : &tbs_game;
    sc->rules = rules;
    sc->map = *map;
    sc->bmi2 = bits_have_bmi2();
    sc->avx2 = bits_have_avx2();
    check_rules(rules);
    fill_tables(sc);
    return &sc->base;
}

/* ---- scenarios: loading ---- */

struct options {
    int rules, path;
};

#define RULES_ROW                                                                                            \
    {                                                                                                        \
        "rules", PARAM_CHOICE, offsetof(struct options, rules), .choices = "tubstap|paper",                  \
                                                                .help = "the rule set"                       \
    }

static const struct param core_wide_options[] = {RULES_ROW, {0}};

static const struct param core_options[] = {
    RULES_ROW,
    {"path", PARAM_CHOICE, offsetof(struct options, path), .choices = "auto|small|wide",
     .help = "how boards are stored; auto takes the small one where the map fits"},
    {0},
};

/* Progressive widening looks at the better actions more often, so that the mean over all simulations is
 * meaningful. */
static const struct game_offer core_offer = {
    .public_name = "tbs",
    .takes_map = true,
    .record_form = "sgf",
    .opponent = "acteval",
    .adviser = "uct",
    .commentator = "pwuct",
    .commentator_work = 600,
    .can_pass = true,
    .can_resign = true,
    .pass = TBS_PASS,
    .resign = TBS_RESIGN,
};

/* As in the experiments of Sato, Fujiki and Ikeda. */
static const struct game_default core_defaults[] = {
    {"uct", "policy", "attack"},
    {"pwuct", "policy", "attack"},
    {"dlmc", "policy", "attack"},
    {"dlmc", "values", "F:1,A:1,P:1,U:1,R:1,I:0.2"},
    {"aas", "values", "F:1,A:1,P:1,U:1,R:1,I:1"},
    {0},
};

/* The table of small boards may still give a wide scenario. */
static struct scenario *load(const struct game_source *source, const struct game *game, struct err *e) {
    struct options options = {.path = TBS_PATH_WIDE}; /* the wide table has no such option */
    params_default(game->options, &options);
    if (source->options != NULL && !params_read(game->options, source->options, &options, e))
        return NULL;
    if (source->text == NULL) {
        err_set(e, "the tactical game needs a map");
        return NULL;
    }
    struct tbs_map map;
    if (!tbs_map_load(source->name, source->text, source->size, &map, e))
        return NULL;
    return tbs_scenario_make(&map, &tbs_rule_sets[options.rules], (enum tbs_path)options.path, e);
}

/* ---- the tables ---- */

#define CORE_SLOTS                                                                                           \
    .load = load, .start = core_start, .mover = core_mover, .actions = core_actions,                         \
    .is_legal = core_is_legal, .payoff = core_payoff, .turn = core_turn, .progress = core_progress,          \
    .key = core_state_key, .key_from_scratch = core_key_from_scratch, .valid = core_valid,                   \
    .bounds = core_bounds, .secured = core_secured, .evals = core_evals, .weights = core_weights,            \
    .priors = core_priors, .lists = core_lists, .defaults = core_defaults, .offer = &core_offer,             \
    .face = &core_face, .text = &core_notation

const struct game tbs_game = {
    .name = "tbs",
    .help = "the tactical game of the TUBSTAP platform; maps up to 32 x 32 cells and 64 units a side",
    .state_size = sizeof(struct tbs_small),
    .actions_max = SMALL_SIDE_UNITS * (64 + 4 * SMALL_SIDE_UNITS),
    .options = core_options,
    .play = small_play,
    .rollouts = small_rollouts,
    CORE_SLOTS,
};

const struct game tbs_wide_game = {
    .name = "tbs-wide",
    .help =
        "the same game on the boards made for large maps, whatever the map's size (for tests and comparison)",
    .state_size = sizeof(struct tbs_wide),
    .actions_max = TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX,
    .options = core_wide_options,
    .play = wide_play,
    .rollouts = wide_rollouts,
    CORE_SLOTS,
};
