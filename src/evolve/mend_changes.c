/* SPDX-License-Identifier: MIT */
#include "evolve/mend_changes.h"

#include "base/mem.h"
#include "evolve/space.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS_MAX = 2, COST_SWAP = 2, COST_TERRAIN = 2 };

const char *const mend_kind_names[MEND_KINDS] = {
    [MEND_HP] = "hp", [MEND_MOVE] = "move", [MEND_SWAP] = "swap", [MEND_TERRAIN] = "terrain"};

/* ---- making them ---- */

static int unit_at(const struct tbs_map *map, int x, int y) {
    for (int id = 0; id < map->unit_count; id++)
        if (map->units[id].x == x && map->units[id].y == y)
            return id;
    return -1;
}

static bool set_hp(const struct mend_change *c, struct tbs_map *map) {
    if (c->value < 1 || c->value > TBS_HP_USUAL || map->units[c->unit].hp == c->value)
        return false;
    map->units[c->unit].hp = (uint8_t)c->value;
    return true;
}

static bool move_unit(const struct mend_change *c, struct tbs_map *map) {
    struct tbs_map_unit *u = &map->units[c->unit];
    if (!tbs_map_is_playable(map, c->x, c->y) || unit_at(map, c->x, c->y) >= 0 ||
        !space_can_stand(u->type, map->terrain[c->x][c->y]))
        return false;
    u->x = (uint8_t)c->x;
    u->y = (uint8_t)c->y;
    return true;
}

static bool are_alike(const struct tbs_map_unit *a, const struct tbs_map_unit *b) {
    return a->hp == b->hp && a->done == b->done;
}

static bool swap_places(struct tbs_map_unit *a, struct tbs_map_unit *b, const struct tbs_map *map) {
    if ((a->type == b->type && a->side == b->side && are_alike(a, b)) ||
        !space_can_stand(a->type, map->terrain[b->x][b->y]) ||
        !space_can_stand(b->type, map->terrain[a->x][a->y]))
        return false;
    const struct tbs_map_unit was = *a;
    a->x = b->x;
    a->y = b->y;
    b->x = was.x;
    b->y = was.y;
    return true;
}

/* Within a side, units that are alike otherwise change places, which is the same map. */
static bool swap_types(struct tbs_map_unit *a, struct tbs_map_unit *b, const struct tbs_map *map) {
    if (a->type == b->type || (a->side == b->side && are_alike(a, b)) ||
        !space_can_stand(b->type, map->terrain[a->x][a->y]) ||
        !space_can_stand(a->type, map->terrain[b->x][b->y]))
        return false;
    const uint8_t type = a->type;
    a->type = b->type;
    b->type = type;
    return true;
}

static bool swap_units(const struct mend_change *c, struct tbs_map *map) {
    struct tbs_map_unit *a = &map->units[c->unit], *b = &map->units[c->other];
    return c->types ? swap_types(a, b, map) : swap_places(a, b, map);
}

static bool set_terrain(const struct mend_change *c, struct tbs_map *map) {
    uint8_t *cell = &map->terrain[c->x][c->y];
    const int on_it = unit_at(map, c->x, c->y);
    if (*cell == TBS_NO_ENTRY || *cell == c->value ||
        (on_it >= 0 && !space_can_stand(map->units[on_it].type, c->value)))
        return false;
    *cell = (uint8_t)c->value;
    return true;
}

bool mend_change_apply(const struct mend_change *change, struct tbs_map *map) {
    static bool (*const makers[MEND_KINDS])(const struct mend_change *, struct tbs_map *) = {
        [MEND_HP] = set_hp, [MEND_MOVE] = move_unit, [MEND_SWAP] = swap_units, [MEND_TERRAIN] = set_terrain};
    assert(change->kind < MEND_KINDS);
    return makers[change->kind](change, map);
}

bool mend_changes_clash(const struct mend_change *a, const struct mend_change *b) {
    if (a->kind == MEND_TERRAIN || b->kind == MEND_TERRAIN)
        return a->kind == b->kind && a->x == b->x && a->y == b->y;
    return a->unit == b->unit || a->unit == b->other || a->other == b->unit ||
           (a->other >= 0 && a->other == b->other);
}

/* ---- saying them ---- */

static void say_unit(const struct tbs_map_unit *u, char *out, size_t out_size) {
    snprintf(out, out_size, "%s %s at (%d, %d)", tbs_side_names[u->side], tbs_unit_types[u->type].name, u->x,
             u->y);
}

void mend_change_say(const struct mend_change *change, const struct tbs_map *map, char *out,
                     size_t out_size) {
    char unit[48] = "", other[48] = "";
    if (change->kind != MEND_TERRAIN)
        say_unit(&map->units[change->unit], unit, sizeof unit);
    if (change->kind == MEND_SWAP)
        say_unit(&map->units[change->other], other, sizeof other);
    switch (change->kind) {
    case MEND_HP:
        snprintf(out, out_size, "%s: HP %d becomes %d", unit, map->units[change->unit].hp, change->value);
        break;
    case MEND_MOVE: snprintf(out, out_size, "%s moves to (%d, %d)", unit, change->x, change->y); break;
    case MEND_SWAP:
        snprintf(out, out_size, "%s and %s change %s", unit, other, change->types ? "types" : "places");
        break;
    case MEND_TERRAIN:
    case MEND_KINDS:
        snprintf(out, out_size, "%s at (%d, %d) becomes %s",
                 tbs_terrain_types[map->terrain[change->x][change->y]].name, change->x, change->y,
                 tbs_terrain_types[change->value].name);
        break;
    }
}

/* ---- listing them ---- */

struct lister {
    const struct tbs_map *map;
    struct mend_changes *list;
    uint64_t seed;
    int ahead;
    bool failed;
};

static bool grow(struct mend_changes *list) {
    const int capacity = list->capacity > 0 ? 2 * list->capacity : 256;
    void *grown = mem_resize(list->items, (size_t)capacity * sizeof *list->items);
    if (grown == NULL)
        return false;
    list->items = grown;
    list->capacity = capacity;
    return true;
}

/* Only what is possible. */
static void offer(struct lister *l, struct mend_change change) {
    struct tbs_map map = *l->map;
    if (l->failed || !mend_change_apply(&change, &map))
        return;
    struct mend_changes *list = l->list;
    if (list->count == list->capacity && !grow(list)) {
        l->failed = true;
        return;
    }
    change.lot = rng_job_seed(l->seed, (uint64_t)list->count);
    list->items[list->count++] = change;
}

static void list_hp(struct lister *l) {
    for (int unit = 0; unit < l->map->unit_count; unit++) {
        const struct tbs_map_unit *u = &l->map->units[unit];
        for (int hp = 1; hp <= TBS_HP_USUAL; hp++)
            offer(l, (struct mend_change){.kind = MEND_HP,
                                          .cost = abs(hp - u->hp),
                                          .unit = unit,
                                          .other = -1,
                                          .value = hp,
                                          .rank = (hp > u->hp) == (u->side == l->ahead) ? 2 : 0});
    }
}

static void list_moves(struct lister *l) {
    for (int unit = 0; unit < l->map->unit_count; unit++)
        for (int dx = -STEPS_MAX; dx <= STEPS_MAX; dx++)
            for (int dy = abs(dx) - STEPS_MAX; dy <= STEPS_MAX - abs(dx); dy++)
                offer(l, (struct mend_change){.kind = MEND_MOVE,
                                              .cost = abs(dx) + abs(dy),
                                              .rank = 1,
                                              .unit = unit,
                                              .other = -1,
                                              .x = l->map->units[unit].x + dx,
                                              .y = l->map->units[unit].y + dy});
}

static void list_swaps(struct lister *l) {
    for (int unit = 0; unit < l->map->unit_count; unit++)
        for (int other = unit + 1; other < l->map->unit_count; other++)
            for (int types = 0; types < 2; types++)
                offer(l, (struct mend_change){.kind = MEND_SWAP,
                                              .cost = COST_SWAP,
                                              .rank = 1,
                                              .unit = unit,
                                              .other = other,
                                              .types = types == 1});
}

static void list_terrain(struct lister *l) {
    for (int y = 1; y < l->map->height - 1; y++)
        for (int x = 1; x < l->map->width - 1; x++)
            for (int terrain = TBS_PLAIN; terrain < TBS_TERRAINS; terrain++)
                offer(l, (struct mend_change){.kind = MEND_TERRAIN,
                                              .cost = COST_TERRAIN,
                                              .rank = 1,
                                              .unit = -1,
                                              .other = -1,
                                              .x = x,
                                              .y = y,
                                              .value = terrain});
}

static int by_cost(const void *left, const void *right) {
    const struct mend_change *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->lot < b->lot ? -1 : a->lot > b->lot;
}

bool mend_changes_list(const struct tbs_map *map, unsigned kinds, int ahead, uint64_t seed,
                       struct mend_changes *out) {
    static void (*const listers[MEND_KINDS])(struct lister *) = {[MEND_HP] = list_hp,
                                                                 [MEND_MOVE] = list_moves,
                                                                 [MEND_SWAP] = list_swaps,
                                                                 [MEND_TERRAIN] = list_terrain};
    *out = (struct mend_changes){0};
    struct lister l = {.map = map, .list = out, .seed = seed, .ahead = ahead};
    for (int kind = 0; kind < MEND_KINDS; kind++)
        if ((kinds >> kind & 1) != 0)
            listers[kind](&l);
    if (out->count > 0)
        qsort(out->items, (size_t)out->count, sizeof *out->items, by_cost);
    return !l.failed;
}

void mend_changes_done(struct mend_changes *list) {
    mem_free(list->items);
    *list = (struct mend_changes){0};
}
