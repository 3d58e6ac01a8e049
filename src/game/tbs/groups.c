/* SPDX-License-Identifier: MIT
 *
 * Groups of units that cannot influence each other (Sato, Fujiki and Ikeda, section 5.2 a): where units may
 * come within the horizon, which of them may meet, and the game of one group. Contact, the first turn in
 * which a unit can attack, is the same question for one unit and one target. Sets of cells are words of 64
 * bits a column, because they are unions over many units and turns.
 */
#include "game/tbs/core.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of cells ---- */

static bool has_cell(const struct tbs_cells *cells, int x, int y) {
    return cells->columns[x] >> y & 1;
}

static void add_cell(struct tbs_cells *cells, int x, int y) {
    cells->columns[x] |= UINT64_C(1) << y;
}

/* Without an early end: the loop is vectorized, and sets rarely share their first columns. */
static bool meet(const struct tbs_cells *a, const struct tbs_cells *b) {
    uint64_t both = 0;
    for (int x = 0; x < TBS_EDGE_MAX; x++)
        both |= a->columns[x] & b->columns[x];
    return both != 0;
}

/* All cells at a distance from low to high of one of the set: the sum of the sets moved by (dx, dy). Cells
 * that leave the board are dropped, and the edge is never playable. */
static void around(const struct tbs_cells *from, int low, int high, struct tbs_cells *out) {
    *out = (struct tbs_cells){{0}};
    for (int dx = -high; dx <= high; dx++)
        for (int dy = -high; dy <= high; dy++) {
            if (abs(dx) + abs(dy) < low || abs(dx) + abs(dy) > high)
                continue;
            for (int x = dx < 0 ? -dx : 0; x < TBS_EDGE_MAX && x + dx < TBS_EDGE_MAX; x++)
                out->columns[x + dx] |= dy < 0 ? from->columns[x] >> -dy : from->columns[x] << dy;
        }
}

/* ---- where units may come ---- */

/* Cells that a class of units enters for one or two points; there are no other costs: core.c checks. */
struct costs {
    struct tbs_cells one[TBS_CLASSES], two[TBS_CLASSES];
};

static void find_costs(const struct tbs_map *map, struct costs *out) {
    *out = (struct costs){0};
    for (int class = 0; class < TBS_CLASSES; class ++)
        for (int x = 1; x < map->width - 1; x++)
            for (int y = 1; y < map->height - 1; y++) {
                const int cost = tbs_terrain_types[map->terrain[x][y]].cost[class];
                if (cost <= 2)
                    add_cell(cost == 1 ? &out->one[class] : &out->two[class], x, y);
            }
}

/* One turn's movement from any of the cells, ignoring units in the way. */
static void move_once(struct tbs_cells *reach, int type, const struct costs *costs) {
    const int class = tbs_unit_types[type].class;
    struct tbs_cells near, near_before = {{0}};
    for (int step = 0; step < tbs_unit_types[type].move; step++) {
        around(reach, 1, 1, &near);
        for (int x = 0; x < TBS_EDGE_MAX; x++)
            reach->columns[x] |= (near.columns[x] & costs->one[class].columns[x]) |
                                 (near_before.columns[x] & costs->two[class].columns[x]);
        near_before = near;
    }
}

/* A unit acts in its side's turns within the horizon, but not in the current one if it has acted. */
static void find_influence(const struct tbs_position *p, const struct tbs_unit *u, int horizon,
                           const struct costs *costs, struct tbs_cells *reach, struct tbs_cells *attack) {
    const int turns = u->side == p->side ? (horizon + 1) / 2 : horizon / 2;
    const int acts = u->done && turns > 0 ? turns - 1 : turns;
    *reach = *attack = (struct tbs_cells){{0}};
    add_cell(reach, u->x, u->y);
    struct tbs_cells before = *reach;
    for (int i = 0; i < acts; i++) {
        before = *reach;
        move_once(reach, u->type, costs);
        if (memcmp(&before, reach, sizeof before) == 0)
            break;
    }
    if (acts > 0 && tbs_unit_types[u->type].direct)
        around(reach, 1, 1, attack);
    else if (acts > 0)
        around(&before, TBS_RANGE_LOW, TBS_RANGE_HIGH, attack); /* it fires instead of moving */
}

/* ---- contact ---- */

/* Unused move power is lost at the end of a turn: the cells of n turns are one turn's movement from those of
 * n - 1 turns. A cannon fires in the turn after it has moved. Stops before turn `best`, which is known to be
 * possible (0: none is), and when no more cells are reached; then the result is `best`. */
static int first_attack(const struct tbs_map_unit *unit, const struct tbs_map_unit *target,
                        struct costs costs, int best) {
    const bool direct = tbs_unit_types[unit->type].direct;
    const int class = tbs_unit_types[unit->type].class, high = direct ? 1 : TBS_RANGE_HIGH;
    const int distance = abs(unit->x - target->x) + abs(unit->y - target->y);
    int turn = unit->done ? 2 : 1;
    if (best > 0 && distance > (best - turn) * tbs_unit_types[unit->type].move + high)
        return best; /* too far, whatever the terrain */
    struct tbs_cells reach = {{0}}, before = {{0}}, at = {{0}}, stands;
    add_cell(&reach, unit->x, unit->y);
    add_cell(&at, target->x, target->y);
    around(&at, direct ? 1 : TBS_RANGE_LOW, high, &stands);
    costs.one[class].columns[target->x] &= ~at.columns[target->x];
    costs.two[class].columns[target->x] &= ~at.columns[target->x];
    if (!direct && meet(&reach, &stands))
        return turn;
    for (turn += !direct; best == 0 || turn < best; turn++) {
        before = reach;
        move_once(&reach, unit->type, &costs);
        if (meet(&reach, &stands))
            return turn;
        if (memcmp(&before, &reach, sizeof before) == 0)
            break;
    }
    return best;
}

int tbs_unit_contact(const struct tbs_map *map, const struct tbs_rules *rules, int id) {
    const struct tbs_map_unit *unit = &map->units[id];
    struct costs costs;
    int best = 0;
    find_costs(map, &costs);
    for (int other = 0; other < map->unit_count; other++) {
        const struct tbs_map_unit *target = &map->units[other];
        if (target->side != unit->side && rules->power[unit->type][target->type] > 0)
            best = first_attack(unit, target, costs, best);
    }
    return best;
}

/* ---- groups ---- */

/* Units of one side also meet when they need the same cell. */
static bool may_meet(const struct tbs_groups *g, const struct tbs_position *p, int a, int b) {
    return meet(&g->reach[a], &g->reach[b]) ||
           (p->units[a].side != p->units[b].side &&
            (meet(&g->attack[a], &g->reach[b]) || meet(&g->attack[b], &g->reach[a])));
}

static void put_together(struct tbs_groups *g, int unit_count, int16_t from, int16_t to) {
    for (int id = 0; id < unit_count; id++)
        if (g->of[id] == from)
            g->of[id] = to;
}

/* Every unit begins as a group with its own number; a joined group keeps the lowest number. */
static void join_groups(struct tbs_groups *g, const struct tbs_position *p) {
    for (int id = 0; id < p->unit_count; id++)
        g->of[id] = (int16_t)(p->units[id].hp > 0 ? id : TBS_NO_GROUP);
    for (int b = 0; b < p->unit_count; b++)
        for (int a = 0; a < b && g->of[b] != TBS_NO_GROUP; a++) {
            if (g->of[a] == TBS_NO_GROUP || g->of[a] == g->of[b] || !may_meet(g, p, a, b))
                continue;
            const int16_t low = g->of[a] < g->of[b] ? g->of[a] : g->of[b];
            put_together(g, p->unit_count, low == g->of[a] ? g->of[b] : g->of[a], low);
        }
    g->count = 0;
    for (int id = 0; id < p->unit_count; id++)
        if (g->of[id] == id)
            put_together(g, p->unit_count, (int16_t)id, (int16_t)g->count++);
}

/* ---- stand-ins ---- */

/* A side's units outside a group. */
struct elsewhere {
    int hp;     /* HP of all of them */
    bool ready; /* true when one of them can act in its side's next turn, or in this one */
};

static struct elsewhere find_elsewhere(const struct tbs_groups *g, const struct tbs_position *p, int group,
                                       int side) {
    struct elsewhere out = {0, false};
    for (int id = 0; id < p->unit_count; id++) {
        const struct tbs_unit *u = &p->units[id];
        if (u->hp == 0 || u->side != side || g->of[id] == group)
            continue;
        out.hp += u->hp;
        out.ready = out.ready || !u->done;
    }
    return out;
}

/* True when this cell can be closed off without effect on the group. */
static bool is_apart(const struct tbs_cells *reach, const struct tbs_cells *attack, struct tbs_cell taken,
                     int x, int y) {
    if (has_cell(reach, x, y) || has_cell(attack, x, y) || abs(taken.x - x) + abs(taken.y - y) < 2)
        return false;
    return !has_cell(reach, x + 1, y) && !has_cell(reach, x - 1, y) && !has_cell(reach, x, y + 1) &&
           !has_cell(reach, x, y - 1);
}

/* False when there is no room for them. */
static bool find_stand_ins(struct tbs_groups *g, const struct tbs_map *map, const struct tbs_position *p,
                           int group) {
    struct tbs_cells reach = {{0}}, attack = {{0}};
    struct tbs_cell taken = {TBS_EDGE_MAX, TBS_EDGE_MAX};
    for (int id = 0; id < p->unit_count; id++)
        for (int x = 0; g->of[id] == group && x < TBS_EDGE_MAX; x++) {
            reach.columns[x] |= g->reach[id].columns[x];
            attack.columns[x] |= g->attack[id].columns[x];
        }
    for (int side = 0; side < TBS_SIDES; side++) {
        struct tbs_cell *at = &g->stand_in[group][side];
        *at = (struct tbs_cell){0, 0};
        if (find_elsewhere(g, p, group, side).hp == 0)
            continue;
        for (int x = 1; x < map->width - 1 && at->x == 0; x++)
            for (int y = 1; y < map->height - 1 && at->x == 0; y++)
                if (is_apart(&reach, &attack, taken, x, y))
                    *at = (struct tbs_cell){(uint8_t)x, (uint8_t)y};
        if (at->x == 0)
            return false;
        taken = *at;
    }
    return true;
}

void tbs_groups_find(const void *state, int horizon, struct tbs_groups *out) {
    const struct tbs_map *map = tbs_map_of(state);
    struct tbs_position p;
    struct costs costs;
    tbs_position_of(state, &p);
    find_costs(map, &costs);
    for (int id = 0; id < p.unit_count; id++)
        if (p.units[id].hp > 0)
            find_influence(&p, &p.units[id], horizon, &costs, &out->reach[id], &out->attack[id]);
    join_groups(out, &p);
    for (int group = 0; group < out->count; group++)
        if (!find_stand_ins(out, map, &p, group)) { /* then the position cannot be split */
            for (int id = 0; id < p.unit_count; id++)
                out->of[id] = out->of[id] != TBS_NO_GROUP ? 0 : TBS_NO_GROUP;
            out->count = 1;
            out->stand_in[0][TBS_RED] = out->stand_in[0][TBS_BLUE] = (struct tbs_cell){0, 0};
        }
}

/* ---- a group's game ---- */

/* To the map and to the position: both have the same ids. */
static void add_unit(struct tbs_map *map, struct tbs_position *p, const struct tbs_unit *u) {
    map->units[map->unit_count++] = (struct tbs_map_unit){
        .x = u->x, .y = u->y, .type = u->type, .side = u->side, .hp = u->hp, .done = u->done};
    p->units[p->unit_count++] = *u;
}

static void add_stand_in(struct tbs_map *map, struct tbs_position *p, struct tbs_cell at, int side,
                         struct elsewhere others) {
    const struct tbs_unit u = {.x = at.x,
                               .y = at.y,
                               .type = TBS_INFANTRY,
                               .side = (uint8_t)side,
                               .hp = (uint8_t)(others.hp < TBS_HP_MAX ? others.hp : TBS_HP_MAX),
                               /* Stand-ins do not act in the current turn. */
                               .done = side == p->side || !others.ready};
    map->terrain[at.x][at.y] = TBS_PLAIN;
    map->terrain[at.x + 1][at.y] = map->terrain[at.x - 1][at.y] = TBS_NO_ENTRY;
    map->terrain[at.x][at.y + 1] = map->terrain[at.x][at.y - 1] = TBS_NO_ENTRY;
    add_unit(map, p, &u);
}

bool tbs_group_start(const void *state, const struct tbs_groups *groups, int group,
                     struct tbs_group_game *out, struct err *e) {
    struct tbs_map map = *tbs_map_of(state);
    struct tbs_position whole, p;
    tbs_position_of(state, &whole);
    p = (struct tbs_position){.turn = whole.turn, .side = whole.side, .result = whole.result};
    map.unit_count = 0;
    for (int id = 0; id < whole.unit_count; id++)
        if (groups->of[id] == group) {
            out->id_of[map.unit_count] = (int16_t)id;
            add_unit(&map, &p, &whole.units[id]);
        }
    for (int side = 0; side < TBS_SIDES; side++) {
        const struct tbs_cell at = groups->stand_in[group][side];
        if (at.x == 0)
            continue;
        out->id_of[map.unit_count] = TBS_NO_UNIT;
        add_stand_in(&map, &p, at, side, find_elsewhere(groups, &whole, group, side));
    }
    const enum tbs_path path = core_of(state)->scenario->wide ? TBS_PATH_WIDE : TBS_PATH_SMALL;
    struct scenario *made = tbs_scenario_make(&map, tbs_rules_of(state), path, e);
    if (made == NULL)
        return false;
    const bool stays = out->whole == core_of(state)->scenario;
    if (stays)
        *(struct tbs_scenario *)out->scenario = *(const struct tbs_scenario *)made;
    game_unload(stays ? made : out->scenario);
    out->scenario = stays ? out->scenario : made;
    out->whole = core_of(state)->scenario;
    core_set_position(out->state, (const struct tbs_scenario *)out->scenario, &p);
    core_advance((struct tbs_core *)out->state); /* the mover may have no unit in this group that can act */
    return true;
}

bool tbs_group_action(const struct tbs_group_game *game, action a, action *out) {
    if (!tbs_is_unit_action(a) || game->id_of[tbs_action_unit(a)] == TBS_NO_UNIT)
        return false;
    const int target = tbs_action_target(a);
    const int whole_target = target == TBS_NO_TARGET ? TBS_NO_TARGET : game->id_of[target];
    if (target != TBS_NO_TARGET && whole_target == TBS_NO_UNIT)
        return false;
    *out = tbs_action(game->id_of[tbs_action_unit(a)], tbs_action_x(a), tbs_action_y(a), whole_target);
    return true;
}
