/* SPDX-License-Identifier: MIT */
#include "evolve/mend_rays.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { DRAWS_MAX = 200, WITH_BASE = 4 /* one ray in so many begins with another change */ };

/* Whose HP may change against the side that is ahead, and by how much. */
struct pool {
    int count;
    int units[TBS_UNITS_MAX], most[TBS_UNITS_MAX];
    bool lowered[TBS_UNITS_MAX]; /* the side's that is ahead */
};

static void fill_pool(const struct mend_changes *list, struct pool *pool) {
    int most[TBS_UNITS_MAX] = {0};
    bool lowered[TBS_UNITS_MAX] = {false};
    for (int i = 0; i < list->count; i++) {
        const struct mend_change *c = &list->items[i];
        if (c->kind == MEND_HP && c->rank == 0 && c->cost > most[c->unit]) {
            most[c->unit] = c->cost;
            lowered[c->unit] = c->value == 1;
        }
    }
    pool->count = 0;
    for (int unit = 0; unit < TBS_UNITS_MAX; unit++)
        if (most[unit] > 0) {
            pool->units[pool->count] = unit;
            pool->most[pool->count] = most[unit];
            pool->lowered[pool->count++] = lowered[unit];
        }
}

/* ---- one ray ---- */

static int find_change(const struct mend_changes *list, int unit, int cost) {
    for (int i = 0; i < list->count; i++) {
        const struct mend_change *c = &list->items[i];
        if (c->kind == MEND_HP && c->rank == 0 && c->unit == unit && c->cost == cost)
            return i;
    }
    return -1;
}

int mend_ray_cost(const struct mend_ray *ray) {
    int cost = ray->base.cost;
    for (int i = 0; i < ray->count; i++)
        cost += ray->most[i];
    return cost;
}

void mend_ray_at(const struct mend_sets *sets, const struct mend_ray *ray, int cost, struct mend_set *out) {
    int points[MEND_CHANGES_MAX] = {0};
    assert(cost > ray->base.cost);
    assert(cost <= mend_ray_cost(ray));
    for (int left = cost - ray->base.cost, i = 0; left > 0; i = (i + 1) % ray->count)
        if (points[i] < ray->most[i]) {
            points[i]++;
            left--;
        }
    *out = ray->base;
    for (int i = 0; i < ray->count; i++) {
        struct mend_set joined;
        if (points[i] == 0)
            continue;
        const int change = find_change(sets->list, ray->units[i], points[i]);
        if (change >= 0 && mend_set_join(sets, out, change, &joined))
            *out = joined;
    }
    out->cost = cost;
}

/* Keeps the units in ascending order. */
static void add_unit(const struct pool *pool, int index, struct mend_ray *ray) {
    int place = ray->count++;
    for (; place > 0 && ray->units[place - 1] > pool->units[index]; place--) {
        ray->units[place] = ray->units[place - 1];
        ray->most[place] = ray->most[place - 1];
    }
    ray->units[place] = pool->units[index];
    ray->most[place] = pool->most[index];
}

static bool has_unit(const struct mend_sets *sets, const struct mend_ray *ray, int unit) {
    for (int i = 0; i < ray->count; i++)
        if (ray->units[i] == unit)
            return true;
    const struct mend_change hp = {.kind = MEND_HP, .unit = unit, .other = -1};
    for (int i = 0; i < ray->base.count; i++)
        if (mend_changes_clash(&hp, &sets->list->items[ray->base.changes[i]]))
            return true;
    return false;
}

/* ---- many rays ---- */

/* Those with the most points: of one side (1: ahead, 0: behind), or of both (-1). */
static void take_most(const struct mend_sets *sets, const struct pool *pool, int side, struct mend_ray *ray) {
    while (ray->count < sets->changes_max) {
        int best = -1;
        for (int i = 0; i < pool->count; i++)
            if ((side < 0 || pool->lowered[i] == side) && !has_unit(sets, ray, pool->units[i]) &&
                (best < 0 || pool->most[i] > pool->most[best]))
                best = i;
        if (best < 0)
            return;
        add_unit(pool, best, ray);
    }
}

static void take_random(const struct mend_sets *sets, const struct pool *pool, struct rng *r,
                        struct mend_ray *ray) {
    const int room = sets->changes_max - ray->base.count;
    const int wanted = rng_below(r, 2) > 0 ? room : 1 + (int)rng_below(r, (uint32_t)room);
    for (int tries = 0; tries < 4 * MEND_CHANGES_MAX && ray->count < wanted; tries++) {
        const int index = (int)rng_below(r, (uint32_t)pool->count);
        if (!has_unit(sets, ray, pool->units[index]))
            add_unit(pool, index, ray);
    }
}

/* The single change of another kind that did most towards the goal; NULL when none did. */
static const struct mend_set *best_other(const struct mend_sets *sets) {
    const struct mend_set *best = NULL;
    for (int i = 0; i < sets->kept_count; i++) {
        const struct mend_set *set = &sets->kept[i];
        if (set->count == 1 && sets->list->items[set->changes[0]].kind != MEND_HP &&
            set->effect * sets->goal > 0 && (best == NULL || fabs(set->effect) > fabs(best->effect)))
            best = set;
    }
    return best;
}

static bool is_new(const struct mend_ray *rays, int count, const struct mend_ray *ray) {
    const size_t size = (size_t)ray->count * sizeof ray->units[0];
    for (int i = 0; i < count; i++)
        if (rays[i].count == ray->count && rays[i].base.count == ray->base.count &&
            memcmp(rays[i].units, ray->units, size) == 0)
            return false;
    return ray->count > 0;
}

int mend_rays_draw(const struct mend_sets *sets, int round, struct mend_ray out[MEND_RAYS_MAX]) {
    struct pool pool;
    struct rng r;
    int count = 0;
    fill_pool(sets->list, &pool);
    rng_seed_stream(&r, sets->seed, UINT64_C(1) << 32 | (uint64_t)round);
    for (int side = -1; side <= 1 && pool.count > 0 && round == 0; side++) {
        struct mend_ray ray = {.count = 0};
        take_most(sets, &pool, side, &ray);
        if (is_new(out, count, &ray))
            out[count++] = ray;
    }
    const struct mend_set *other = sets->changes_max > 1 ? best_other(sets) : NULL;
    for (int i = 0; i < DRAWS_MAX && pool.count > 0 && count < MEND_RAYS_MAX; i++) {
        struct mend_ray ray = {.count = 0};
        if (other != NULL && i % WITH_BASE == 0)
            ray.base = *other;
        take_random(sets, &pool, &r, &ray);
        if (is_new(out, count, &ray))
            out[count++] = ray;
    }
    return count;
}
