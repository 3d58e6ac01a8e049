/* SPDX-License-Identifier: MIT
 *
 * Changes of a map: single ones, sets of several, and rays of large changes of HP.
 */
#include "evolve/repair.h"

#include "base/mem.h"
#include "evolve/genome.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- single changes ---- */

enum { STEPS_MAX = 2, COST_SWAP = 2, COST_TERRAIN = 2 };

const char *const repair_kind_names[REPAIR_KINDS] = {
    [REPAIR_HP] = "hp", [REPAIR_MOVE] = "move", [REPAIR_SWAP] = "swap", [REPAIR_TERRAIN] = "terrain"};

/* ---- making them ---- */

static int unit_at(const struct tbs_map *map, int x, int y) {
    for (int id = 0; id < map->unit_count; id++)
        if (map->units[id].x == x && map->units[id].y == y)
            return id;
    return -1;
}

/* Two units swap types, or places. Swapping the types of units that are alike otherwise is swapping their
 * places. */
static bool swap_units(struct tbs_map_unit *a, struct tbs_map_unit *b, bool types,
                       const struct tbs_map *map) {
    const bool same_type = a->type == b->type;
    const bool alike = a->side == b->side && a->hp == b->hp && a->done == b->done;
    if ((types ? same_type || alike : same_type && alike) ||
        !space_can_stand(a->type, map->terrain[b->x][b->y]) ||
        !space_can_stand(b->type, map->terrain[a->x][a->y]))
        return false;
    const struct tbs_map_unit before = *a;
    if (types) {
        a->type = b->type;
        b->type = before.type;
    } else {
        a->x = b->x;
        a->y = b->y;
        b->x = before.x;
        b->y = before.y;
    }
    return true;
}

bool repair_change_apply(const struct repair_change *c, struct tbs_map *map) {
    struct tbs_map_unit *u = c->kind != REPAIR_TERRAIN ? &map->units[c->unit] : NULL;
    const int there = unit_at(map, c->x, c->y);
    assert(c->kind < REPAIR_KINDS);
    switch (c->kind) {
    case REPAIR_HP:
        if (c->value < 1 || c->value > TBS_HP_FULL || u->hp == c->value)
            return false;
        u->hp = (uint8_t)c->value;
        return true;
    case REPAIR_MOVE:
        if (!tbs_map_is_playable(map, c->x, c->y) || there >= 0 ||
            !space_can_stand(u->type, map->terrain[c->x][c->y]))
            return false;
        u->x = (uint8_t)c->x;
        u->y = (uint8_t)c->y;
        return true;
    case REPAIR_SWAP: return swap_units(u, &map->units[c->other], c->types, map);
    case REPAIR_TERRAIN:
    case REPAIR_KINDS: break;
    }
    uint8_t *cell = &map->terrain[c->x][c->y];
    if (*cell == TBS_NO_ENTRY || *cell == c->value ||
        (there >= 0 && !space_can_stand(map->units[there].type, c->value)))
        return false;
    *cell = (uint8_t)c->value;
    return true;
}

bool repair_changes_clash(const struct repair_change *a, const struct repair_change *b) {
    if (a->kind == REPAIR_TERRAIN || b->kind == REPAIR_TERRAIN)
        return a->kind == b->kind && a->x == b->x && a->y == b->y;
    return a->unit == b->unit || a->unit == b->other || a->other == b->unit ||
           (a->other >= 0 && a->other == b->other);
}

/* ---- saying them ---- */

static void describe_unit(const struct tbs_map_unit *u, char *out, size_t out_size) {
    snprintf(out, out_size, "%s %s at (%d, %d)", tbs_side_names[u->side], tbs_unit_types[u->type].name, u->x,
             u->y);
}

void repair_change_describe(const struct repair_change *change, const struct tbs_map *map, char *out,
                            size_t out_size) {
    char unit[48] = "", other[48] = "";
    if (change->kind != REPAIR_TERRAIN)
        describe_unit(&map->units[change->unit], unit, sizeof unit);
    if (change->kind == REPAIR_SWAP)
        describe_unit(&map->units[change->other], other, sizeof other);
    switch (change->kind) {
    case REPAIR_HP:
        snprintf(out, out_size, "%s: HP %d becomes %d", unit, map->units[change->unit].hp, change->value);
        break;
    case REPAIR_MOVE: snprintf(out, out_size, "%s moves to (%d, %d)", unit, change->x, change->y); break;
    case REPAIR_SWAP:
        snprintf(out, out_size, "%s and %s change %s", unit, other, change->types ? "types" : "places");
        break;
    case REPAIR_TERRAIN:
    case REPAIR_KINDS:
        snprintf(out, out_size, "%s at (%d, %d) becomes %s",
                 tbs_terrain_types[map->terrain[change->x][change->y]].name, change->x, change->y,
                 tbs_terrain_types[change->value].name);
        break;
    }
}

/* ---- listing them ---- */

/* Adds the change if it is possible. */
static void offer(const struct tbs_map *map, uint64_t seed, struct repair_change change,
                  struct repair_changes *list) {
    struct tbs_map changed = *map;
    if (!repair_change_apply(&change, &changed))
        return;
    list->items = mem_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    change.lot = rng_job_seed(seed, (uint64_t)list->count);
    list->items[list->count++] = change;
}

static void list_hp(const struct tbs_map *map, int ahead, uint64_t seed, struct repair_changes *out) {
    struct repair_change c = {.kind = REPAIR_HP, .other = -1};
    for (c.unit = 0; c.unit < map->unit_count; c.unit++)
        for (c.value = 1; c.value <= TBS_HP_FULL; c.value++) {
            const struct tbs_map_unit *u = &map->units[c.unit];
            c.cost = abs(c.value - u->hp);
            c.rank = (c.value > u->hp) == (u->side == ahead) ? 2 : 0;
            offer(map, seed, c, out);
        }
}

static void list_moves(const struct tbs_map *map, uint64_t seed, struct repair_changes *out) {
    struct repair_change c = {.kind = REPAIR_MOVE, .rank = 1, .other = -1};
    for (c.unit = 0; c.unit < map->unit_count; c.unit++)
        for (int dx = -STEPS_MAX; dx <= STEPS_MAX; dx++)
            for (int dy = abs(dx) - STEPS_MAX; dy <= STEPS_MAX - abs(dx); dy++) {
                c.cost = abs(dx) + abs(dy);
                c.x = map->units[c.unit].x + dx;
                c.y = map->units[c.unit].y + dy;
                offer(map, seed, c, out);
            }
}

static void list_swaps(const struct tbs_map *map, uint64_t seed, struct repair_changes *out) {
    struct repair_change c = {.kind = REPAIR_SWAP, .cost = COST_SWAP, .rank = 1};
    for (c.unit = 0; c.unit < map->unit_count; c.unit++)
        for (c.other = c.unit + 1; c.other < map->unit_count; c.other++)
            for (int types = 0; types < 2; types++) {
                c.types = types == 1;
                offer(map, seed, c, out);
            }
}

static void list_terrain(const struct tbs_map *map, uint64_t seed, struct repair_changes *out) {
    struct repair_change c = {
        .kind = REPAIR_TERRAIN, .cost = COST_TERRAIN, .rank = 1, .unit = -1, .other = -1};
    for (c.y = 1; c.y < map->height - 1; c.y++)
        for (c.x = 1; c.x < map->width - 1; c.x++)
            for (c.value = TBS_PLAIN; c.value < TBS_TERRAINS; c.value++)
                offer(map, seed, c, out);
}

static int by_cost(const void *left, const void *right) {
    const struct repair_change *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->lot < b->lot ? -1 : a->lot > b->lot;
}

void repair_changes_list(const struct tbs_map *map, unsigned kinds, int ahead, uint64_t seed,
                         struct repair_changes *out) {
    *out = (struct repair_changes){0};
    if ((kinds >> REPAIR_HP & 1) != 0)
        list_hp(map, ahead, seed, out);
    if ((kinds >> REPAIR_MOVE & 1) != 0)
        list_moves(map, seed, out);
    if ((kinds >> REPAIR_SWAP & 1) != 0)
        list_swaps(map, seed, out);
    if ((kinds >> REPAIR_TERRAIN & 1) != 0)
        list_terrain(map, seed, out);
    if (out->count > 0)
        qsort(out->items, (size_t)out->count, sizeof *out->items, by_cost);
}

void repair_changes_done(struct repair_changes *list) {
    mem_free(list->items);
    *list = (struct repair_changes){0};
}

/* ---- sets of changes ----
 *
 * Sets of two and more changes combine changes that helped, assuming that their effects on the log-odds add
 * up; the race tests it. Where no single change shows any effect (one side wins every game anyway) there is
 * nothing to combine, so some sets are drawn at random. */

enum { DRAWS_MAX = 200 }; /* attempts to draw sets, or rays, at random */

bool repair_set_join(const struct repair_sets *s, const struct repair_set *set, int change,
                     struct repair_set *out) {
    *out = *set;
    for (int i = 0; i < set->count; i++)
        if (set->changes[i] == change ||
            repair_changes_clash(&s->list->items[set->changes[i]], &s->list->items[change]))
            return false;
    int place = out->count++;
    for (; place > 0 && out->changes[place - 1] > change; place--)
        out->changes[place] = out->changes[place - 1];
    out->changes[place] = change;
    return true;
}

static bool has_set(const struct repair_set *sets, int count, const struct repair_set *set) {
    for (int i = 0; i < count; i++)
        if (sets[i].count == set->count &&
            memcmp(sets[i].changes, set->changes, (size_t)set->count * sizeof set->changes[0]) == 0)
            return true;
    return false;
}

/* Keeps the REPAIR_JOINED_MAX sets that are expected to be nearest the middle, nearest first. */
static void insert_set(double goal, const struct repair_set *set, struct repair_set *sets, int *count) {
    if (has_set(sets, *count, set))
        return;
    int place = *count < REPAIR_JOINED_MAX ? (*count)++ : REPAIR_JOINED_MAX;
    for (; place > 0 && fabs(sets[place - 1].effect - goal) > fabs(set->effect - goal); place--)
        if (place < REPAIR_JOINED_MAX)
            sets[place] = sets[place - 1];
    if (place < REPAIR_JOINED_MAX)
        sets[place] = *set;
}

/* A change of that cost, preferably one that works against the side that is ahead, otherwise one of unknown
 * effect; -1 when there is neither. */
static int draw_change(const struct repair_sets *s, int cost, struct rng *r) {
    int begin = 0, known, end;
    while (begin < s->list->count && s->list->items[begin].cost < cost)
        begin++;
    for (known = begin; known < s->list->count && s->list->items[known].cost == cost; known++)
        if (s->list->items[known].rank > 0)
            break;
    for (end = known; end < s->list->count && s->list->items[end].cost == cost; end++)
        if (s->list->items[end].rank > 1)
            break;
    const bool prefer = known > begin && (known == end || rng_below(r, 4) > 0);
    const int from = prefer ? begin : known, to = prefer ? known : end;
    return to > from ? from + (int)rng_below(r, (uint32_t)(to - from)) : -1;
}

/* Two changes at least, the last one costing just what is left. */
static bool draw_set(const struct repair_sets *s, int cost, struct rng *r, struct repair_set *out) {
    const int wanted = 2 + (int)rng_below(r, (uint32_t)s->changes_max - 1);
    *out = (struct repair_set){0};
    for (int left = cost; out->count < wanted && left > 0; left = cost - out->cost) {
        const bool last = out->count == wanted - 1;
        const int part = last ? left : 1 + (int)rng_below(r, (uint32_t)left);
        const int change = draw_change(s, part, r);
        struct repair_set joined;
        if (change < 0 || !repair_set_join(s, out, change, &joined))
            return false;
        *out = joined;
        out->cost += part;
    }
    return out->count >= 2 && out->cost == cost;
}

int repair_sets_build(const struct repair_sets *sets, int cost, struct repair_set *out) {
    int count = 0;
    for (int i = 0; i < sets->known_count; i++)
        for (int k = 0; k < sets->known_count; k++) {
            const struct repair_set *a = &sets->known[i], *b = &sets->known[k];
            const double effect = a->effect + b->effect;
            struct repair_set joined;
            /* Joins only sets that are expected to be better than `a` alone. */
            if (b->count != 1 || a->count >= sets->changes_max || a->cost + b->cost != cost ||
                fabs(effect - sets->goal) >= fabs(a->effect - sets->goal) ||
                !repair_set_join(sets, a, b->changes[0], &joined))
                continue;
            joined.cost = cost;
            joined.effect = effect;
            insert_set(sets->goal, &joined, out, &count);
        }
    struct rng r;
    const int most = count + REPAIR_DRAWN_MAX, draws = cost > 1 && sets->changes_max > 1 ? DRAWS_MAX : 0;
    rng_seed_stream(&r, sets->seed, (uint64_t)cost);
    for (int i = 0; i < draws && count < most; i++) {
        struct repair_set set;
        if (draw_set(sets, cost, &r, &set) && !has_set(out, count, &set))
            out[count++] = set;
    }
    return count;
}

void repair_sets_note(struct repair_sets *sets, const struct repair_set *set, bool helps) {
    int at = 0;
    while (at < sets->known_count && !has_set(&sets->known[at], 1, set))
        at++;
    if (at == sets->known_count && (!helps || at == REPAIR_KNOWN_MAX))
        return;
    sets->known_count += at == sets->known_count;
    sets->known[at] = *set;
}

/* ---- rays ---- */

enum { WITH_BASE = 4 }; /* one ray in so many begins with another change */

/* The units whose HP may change against the side that is ahead, and by how much. */
struct pool {
    int count, units[TBS_UNITS_MAX];
    int most[TBS_UNITS_MAX];     /* of a unit */
    bool lowered[TBS_UNITS_MAX]; /* the unit is of the side that is ahead */
};

static struct pool pool_of(const struct repair_changes *list) {
    struct pool pool = {0};
    for (int i = 0; i < list->count; i++) {
        const struct repair_change *c = &list->items[i];
        if (c->kind == REPAIR_HP && c->rank == 0 && c->cost > pool.most[c->unit]) {
            pool.most[c->unit] = c->cost;
            pool.lowered[c->unit] = c->value == 1;
        }
    }
    for (int unit = 0; unit < TBS_UNITS_MAX; unit++)
        if (pool.most[unit] > 0)
            pool.units[pool.count++] = unit;
    return pool;
}

int repair_ray_cost(const struct repair_ray *ray) {
    int cost = ray->base.cost;
    for (int i = 0; i < ray->count; i++)
        cost += ray->most[i];
    return cost;
}

void repair_ray_at(const struct repair_sets *sets, const struct repair_ray *ray, int cost,
                   struct repair_set *out) {
    int points[REPAIR_CHANGES_MAX] = {0};
    assert(cost > ray->base.cost);
    assert(cost <= repair_ray_cost(ray));
    for (int left = cost - ray->base.cost, i = 0; left > 0; i = (i + 1) % ray->count)
        if (points[i] < ray->most[i]) {
            points[i]++;
            left--;
        }
    *out = ray->base;
    for (int i = 0; i < ray->count; i++) {
        struct repair_set joined;
        int change = 0;
        for (; change < sets->list->count; change++) {
            const struct repair_change *c = &sets->list->items[change];
            if (c->kind == REPAIR_HP && c->rank == 0 && c->unit == ray->units[i] && c->cost == points[i])
                break;
        }
        if (change < sets->list->count && repair_set_join(sets, out, change, &joined))
            *out = joined;
    }
    out->cost = cost;
}

/* Keeps the units in ascending order. */
static void add_unit(const struct pool *pool, int unit, struct repair_ray *ray) {
    int place = ray->count++;
    for (; place > 0 && ray->units[place - 1] > unit; place--) {
        ray->units[place] = ray->units[place - 1];
        ray->most[place] = ray->most[place - 1];
    }
    ray->units[place] = unit;
    ray->most[place] = pool->most[unit];
}

static bool has_unit(const struct repair_sets *sets, const struct repair_ray *ray, int unit) {
    for (int i = 0; i < ray->count; i++)
        if (ray->units[i] == unit)
            return true;
    const struct repair_change hp = {.kind = REPAIR_HP, .unit = unit, .other = -1};
    for (int i = 0; i < ray->base.count; i++)
        if (repair_changes_clash(&hp, &sets->list->items[ray->base.changes[i]]))
            return true;
    return false;
}

/* Those with the most points: of one side (1: ahead, 0: behind), or of both (-1). */
static void take_most(const struct repair_sets *sets, const struct pool *pool, int side,
                      struct repair_ray *ray) {
    while (ray->count < sets->changes_max) {
        int best = -1;
        for (int i = 0; i < pool->count; i++) {
            const int unit = pool->units[i];
            if ((side < 0 || pool->lowered[unit] == side) && !has_unit(sets, ray, unit) &&
                (best < 0 || pool->most[unit] > pool->most[best]))
                best = unit;
        }
        if (best < 0)
            return;
        add_unit(pool, best, ray);
    }
}

static void take_random(const struct repair_sets *sets, const struct pool *pool, struct rng *r,
                        struct repair_ray *ray) {
    const int room = sets->changes_max - ray->base.count;
    const int wanted = rng_below(r, 2) > 0 ? room : 1 + (int)rng_below(r, (uint32_t)room);
    for (int tries = 0; tries < 4 * REPAIR_CHANGES_MAX && ray->count < wanted; tries++) {
        const int unit = pool->units[rng_below(r, (uint32_t)pool->count)];
        if (!has_unit(sets, ray, unit))
            add_unit(pool, unit, ray);
    }
}

static bool is_new(const struct repair_ray *rays, int count, const struct repair_ray *ray) {
    const size_t size = (size_t)ray->count * sizeof ray->units[0];
    for (int i = 0; i < count; i++)
        if (rays[i].count == ray->count && rays[i].base.count == ray->base.count &&
            memcmp(rays[i].units, ray->units, size) == 0)
            return false;
    return ray->count > 0;
}

int repair_rays_draw(const struct repair_sets *sets, int round, struct repair_ray out[REPAIR_RAYS_MAX]) {
    const struct pool pool = pool_of(sets->list);
    struct rng r;
    int count = 0;
    rng_seed_stream(&r, sets->seed, UINT64_C(1) << 32 | (uint64_t)round);
    for (int side = -1; side <= 1 && pool.count > 0 && round == 0; side++) {
        struct repair_ray ray = {.count = 0};
        take_most(sets, &pool, side, &ray);
        if (is_new(out, count, &ray))
            out[count++] = ray;
    }
    /* The single change of another kind that did most towards the goal; NULL when none did. */
    const struct repair_set *other = NULL;
    for (const struct repair_set *set = sets->known; set < sets->known + sets->known_count; set++)
        if (sets->changes_max > 1 && set->count == 1 &&
            sets->list->items[set->changes[0]].kind != REPAIR_HP && set->effect * sets->goal > 0 &&
            (other == NULL || fabs(set->effect) > fabs(other->effect)))
            other = set;
    for (int i = 0; i < DRAWS_MAX && pool.count > 0 && count < REPAIR_RAYS_MAX; i++) {
        struct repair_ray ray = {.count = 0};
        if (other != NULL && i % WITH_BASE == 0)
            ray.base = *other;
        take_random(sets, &pool, &r, &ray);
        if (is_new(out, count, &ray))
            out[count++] = ray;
    }
    return count;
}
