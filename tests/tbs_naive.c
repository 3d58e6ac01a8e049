/* SPDX-License-Identifier: MIT */
#include "tbs_naive.h"

#include <stdlib.h>
#include <string.h>

enum { FAR = 1000 };

static const int steps[4][2] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}}; /* the generator's order of stand cells */

/* ---- movement ---- */

static int unit_at(const struct naive *n, int x, int y) {
    for (int id = 0; id < n->p.unit_count; id++)
        if (n->p.units[id].hp > 0 && n->p.units[id].x == x && n->p.units[id].y == y)
            return id;
    return -1;
}

/* The cost for this unit to enter a cell: enemies block it, friends do not. */
static int entry_cost(const struct naive *n, int unit, int x, int y) {
    const struct tbs_unit *u = &n->p.units[unit];
    const int other = unit_at(n, x, y);
    if (!tbs_map_is_playable(n->map, x, y) || (other >= 0 && n->p.units[other].side != u->side))
        return FAR;
    return tbs_terrain_types[n->map->terrain[x][y]].cost[tbs_unit_types[u->type].class];
}

/* Path costs to all cells, improved until nothing changes. */
static void path_costs(const struct naive *n, int unit, int cost[TBS_EDGE_MAX][TBS_EDGE_MAX]) {
    const struct tbs_unit *u = &n->p.units[unit];
    int entry[TBS_EDGE_MAX][TBS_EDGE_MAX];
    for (int x = 0; x < n->map->width; x++)
        for (int y = 0; y < n->map->height; y++) {
            cost[x][y] = FAR;
            entry[x][y] = abs(x - u->x) + abs(y - u->y) <= TBS_MOVE_MAX ? entry_cost(n, unit, x, y) : FAR;
        }
    cost[u->x][u->y] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int x = 1; x < n->map->width - 1; x++)
            for (int y = 1; y < n->map->height - 1; y++)
                for (int i = 0; i < 4; i++) {
                    const int through = cost[x + steps[i][0]][y + steps[i][1]] + entry[x][y];
                    if (through < cost[x][y] && through <= tbs_unit_types[u->type].move) {
                        cost[x][y] = through;
                        changed = true;
                    }
                }
    }
}

static bool can_end(const struct naive *n, int unit, int x, int y, int cost[TBS_EDGE_MAX][TBS_EDGE_MAX]) {
    if (!tbs_map_is_playable(n->map, x, y) || cost[x][y] > tbs_unit_types[n->p.units[unit].type].move)
        return false;
    const int there = unit_at(n, x, y);
    return there < 0 || there == unit;
}

/* ---- actions ---- */

static int stars_at(const struct naive *n, int type, int x, int y) {
    return tbs_unit_types[type].class == TBS_AIR ? 0 : tbs_terrain_types[n->map->terrain[x][y]].stars;
}

static int strike(int power, int hp, int stars, int target_hp) {
    const int damage = (power * hp + 70) / (100 + stars * target_hp);
    return damage > target_hp ? target_hp : damage;
}

static bool counts(const struct naive *n, int unit, int target, enum tbs_attacks which) {
    const struct tbs_unit *u = &n->p.units[unit], *t = &n->p.units[target];
    const int power = n->rules->power[u->type][t->type];
    switch (which) {
    case TBS_ATTACKS_ALL: return true;
    case TBS_ATTACKS_POWER: return power > 0;
    case TBS_ATTACKS_DAMAGE: return strike(power, u->hp, stars_at(n, t->type, t->x, t->y), t->hp) > 0;
    }
    return false;
}

static int attacks_on(const struct naive *n, int unit, int target, int cost[TBS_EDGE_MAX][TBS_EDGE_MAX],
                      action *out) {
    const struct tbs_unit *u = &n->p.units[unit], *t = &n->p.units[target];
    int count = 0;
    if (!tbs_unit_types[u->type].direct) {
        const int distance = abs(u->x - t->x) + abs(u->y - t->y);
        if (distance == 2 || distance == 3)
            out[count++] = tbs_action(unit, u->x, u->y, target);
        return count;
    }
    for (int i = 0; i < 4; i++)
        if (can_end(n, unit, t->x + steps[i][0], t->y + steps[i][1], cost))
            out[count++] = tbs_action(unit, t->x + steps[i][0], t->y + steps[i][1], target);
    return count;
}

int naive_unit_actions(const struct naive *n, int unit, enum tbs_attacks which, action *out, int *attacks) {
    int cost[TBS_EDGE_MAX][TBS_EDGE_MAX], count = 0;
    path_costs(n, unit, cost);
    for (int target = 0; target < n->p.unit_count; target++)
        if (n->p.units[target].hp > 0 && n->p.units[target].side != n->p.units[unit].side &&
            counts(n, unit, target, which))
            count += attacks_on(n, unit, target, cost, out + count);
    *attacks = count;
    for (int x = 1; x < n->map->width - 1; x++)
        for (int y = 1; y < n->map->height - 1; y++)
            if (can_end(n, unit, x, y, cost))
                out[count++] = tbs_action(unit, x, y, TBS_NO_TARGET);
    return count;
}

static bool is_ready(const struct naive *n, int id) {
    return n->p.units[id].hp > 0 && n->p.units[id].side == n->p.side && !n->p.units[id].done;
}

int naive_actions(const struct naive *n, enum tbs_attacks which, action *out) {
    int count = 0, attacks;
    if (n->p.result != TBS_RUNNING)
        return 0;
    for (int id = 0; id < n->p.unit_count; id++)
        if (is_ready(n, id))
            count += naive_unit_actions(n, id, which, out + count, &attacks);
    return count;
}

/* ---- the history of the game ---- */

static int sum_hp(const struct naive *n, int side) {
    int sum = 0;
    for (int id = 0; id < n->p.unit_count; id++)
        sum += n->p.units[id].side == side ? n->p.units[id].hp : 0;
    return sum;
}

static bool any_ready(const struct naive *n) {
    for (int id = 0; id < n->p.unit_count; id++)
        if (is_ready(n, id))
            return true;
    return false;
}

static int judge(const struct naive *n) {
    const int lead = sum_hp(n, TBS_RED) - sum_hp(n, TBS_BLUE);
    if (abs(lead) > n->map->threshold)
        return lead > 0 ? TBS_RED_LIMIT : TBS_BLUE_LIMIT;
    if (n->rules->equal_lead_wins && lead != 0 && abs(lead) == n->map->threshold)
        return lead > 0 ? TBS_RED_LIMIT : TBS_BLUE_LIMIT;
    return TBS_DRAW_LIMIT;
}

static void end_phase(struct naive *n) {
    for (int id = 0; id < n->p.unit_count; id++)
        if (n->p.units[id].side == n->p.side)
            n->p.units[id].done = false;
    n->p.turn++;
    n->p.side = 1 - n->p.side;
    if (sum_hp(n, TBS_RED) == 0)
        n->p.result = TBS_BLUE_ANNIHILATION;
    else if (sum_hp(n, TBS_BLUE) == 0)
        n->p.result = TBS_RED_ANNIHILATION;
    else if (n->p.turn == n->map->turn_limit)
        n->p.result = judge(n);
}

static void go_on(struct naive *n) {
    while (n->p.result == TBS_RUNNING && (!any_ready(n) || sum_hp(n, 0) == 0 || sum_hp(n, 1) == 0))
        end_phase(n);
    n->p.hp_sum[TBS_RED] = sum_hp(n, TBS_RED);
    n->p.hp_sum[TBS_BLUE] = sum_hp(n, TBS_BLUE);
}

void naive_start(struct naive *n, const struct tbs_map *map, const struct tbs_rules *rules) {
    *n = (struct naive){.map = map, .rules = rules, .p = {.unit_count = map->unit_count}};
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        n->p.units[id] = (struct tbs_unit){u->x, u->y, u->type, u->side, u->hp, u->done};
    }
    go_on(n);
}

static void fight(struct naive *n, struct tbs_unit *a, struct tbs_unit *d) {
    const int stars_a = stars_at(n, a->type, a->x, a->y), stars_d = stars_at(n, d->type, d->x, d->y);
    d->hp = (uint8_t)(d->hp - strike(n->rules->power[a->type][d->type], a->hp, stars_d, d->hp));
    if (d->hp > 0 && a->type != TBS_CANNON && d->type != TBS_CANNON)
        a->hp = (uint8_t)(a->hp - strike(n->rules->power[d->type][a->type], d->hp, stars_a, a->hp));
}

void naive_play(struct naive *n, action a) {
    if (a == TBS_RESIGN) {
        end_phase(n);
        n->p.result = n->p.side == TBS_RED ? TBS_RED_RESIGNATION : TBS_BLUE_RESIGNATION;
        return;
    }
    for (int id = 0; a == TBS_PASS && id < n->p.unit_count; id++)
        n->p.units[id].done = n->p.units[id].done || n->p.units[id].side == n->p.side;
    if (a != TBS_PASS) {
        struct tbs_unit *u = &n->p.units[tbs_action_unit(a)];
        u->x = (uint8_t)tbs_action_x(a);
        u->y = (uint8_t)tbs_action_y(a);
        u->done = true;
        if (tbs_action_target(a) != TBS_NO_TARGET)
            fight(n, u, &n->p.units[tbs_action_target(a)]);
    }
    go_on(n);
}

uint64_t naive_perft(const struct naive *n, int depth) {
    if (depth == 0)
        return 1;
    const size_t list_max = (size_t)TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX;
    action *list = malloc(list_max * sizeof *list);
    uint64_t nodes = 0;
    for (int i = list != NULL ? naive_actions(n, TBS_ATTACKS_POWER, list) - 1 : -1; i >= 0; i--) {
        struct naive next = *n;
        naive_play(&next, list[i]);
        nodes += naive_perft(&next, depth - 1);
    }
    free(list);
    return nodes;
}

/* ---- random maps ---- */

static void place_unit(struct tbs_map *map, struct rng *r, int side) {
    int x, y;
    bool taken;
    do {
        x = 1 + (int)rng_below(r, (uint32_t)map->width - 2);
        y = 1 + (int)rng_below(r, (uint32_t)map->height - 2);
        taken = false;
        for (int i = 0; i < map->unit_count; i++)
            taken = taken || (map->units[i].x == x && map->units[i].y == y);
    } while (taken);
    const uint32_t hp_max = rng_below(r, 8) == 0 ? TBS_HP_MAX : TBS_HP_FULL;
    map->units[map->unit_count++] = (struct tbs_map_unit){
        .x = (uint8_t)x,
        .y = (uint8_t)y,
        .type = (uint8_t)rng_below(r, TBS_TYPES),
        .side = (uint8_t)side,
        .hp = (uint8_t)(1 + rng_below(r, hp_max)),
        .done = rng_below(r, 8) == 0,
    };
}

void random_map(const struct shape *shape, struct rng *r, struct tbs_map *out) {
    static const uint8_t ground[] = {TBS_PLAIN,    TBS_PLAIN, TBS_PLAIN,    TBS_PLAIN,
                                     TBS_ROAD,     TBS_ROAD,  TBS_WOOD,     TBS_WOOD,
                                     TBS_MOUNTAIN, TBS_SEA,   TBS_FORTRESS, TBS_NO_ENTRY};
    *out = (struct tbs_map){.width = shape->cells_x + 2, .height = shape->cells_y + 2};
    out->turn_limit = 1 + (int)rng_below(r, 12);
    out->threshold = (int)rng_below(r, 6);
    for (int x = 1; x <= shape->cells_x; x++)
        for (int y = 1; y <= shape->cells_y; y++)
            out->terrain[x][y] = ground[rng_below(r, sizeof ground)];
    int left[TBS_SIDES] = {shape->units[0], shape->units[1]};
    while (left[0] + left[1] > 0) {
        const int side = (int)rng_below(r, (uint32_t)(left[0] + left[1])) < left[0] ? TBS_RED : TBS_BLUE;
        place_unit(out, r, side);
        left[side]--;
    }
}

struct shape random_small_shape(struct rng *r) {
    struct shape s = {.cells_x = 1 + (int)rng_below(r, 8), .cells_y = 1 + (int)rng_below(r, 8)};
    const int cells = s.cells_x * s.cells_y;
    for (int side = 0; side < TBS_SIDES; side++) {
        const int most = cells / 2 < 16 ? cells / 2 : 16;
        s.units[side] = most > 0 ? 1 + (int)rng_below(r, (uint32_t)most) : side == 0;
    }
    return s;
}
