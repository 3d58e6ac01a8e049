/* SPDX-License-Identifier: MIT
 *
 * The search for the smallest changes that bring a map into balance. Candidates (sets of changes) race
 * against each other: each plays a few games, then those that may still reach the target play twice as many,
 * and so on. Fresh games confirm what a race leaves.
 *
 * The search goes by cost. First all changes and sets of changes of cost 1, 2 and 3 race; these suffice for
 * nearly balanced maps. Then come large changes along rays (below), which nearly always find a
 * sufficient change where there is one. Then the search tries cheaper ones, as far as the budget of games
 * goes. Where one side nearly always wins, the large changes come first. Sets of two and more changes combine
 * changes that helped; the search assumes that effects on the log-odds add up, and the race tests it.
 */
#include "evolve/repair.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- single changes ---- */

struct change {
    enum repair_kind kind;
    int cost;
    int unit;     /* all but REPAIR_TERRAIN */
    int other;    /* REPAIR_SWAP: the other unit; otherwise -1 */
    bool types;   /* REPAIR_SWAP: they change types; otherwise places */
    int x, y;     /* REPAIR_MOVE: where to; REPAIR_TERRAIN: the cell */
    int value;    /* REPAIR_HP, REPAIR_TERRAIN: the new one */
    int rank;     /* 0: works against the side that is ahead; 1: effect unknown; 2: helps that side */
    uint64_t lot; /* decides between changes that are alike otherwise */
};

struct changes {
    int count, capacity;
    struct change *items;
};

enum { STEPS_MAX = 2, COST_SWAP = 2, COST_TERRAIN = 2 };

const char *const repair_kind_names[REPAIR_KINDS] = {
    [REPAIR_HP] = "hp", [REPAIR_MOVE] = "move", [REPAIR_SWAP] = "swap", [REPAIR_TERRAIN] = "terrain"};

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

/* Makes the change; false, and nothing is changed, when it is not possible on this map. */
static bool change_apply(const struct change *c, struct tbs_map *map) {
    struct tbs_map_unit *u = c->kind != REPAIR_TERRAIN ? &map->units[c->unit] : NULL;
    int there = map->unit_count - 1; /* the unit on the cell; -1: none */
    while (there >= 0 && (map->units[there].x != c->x || map->units[there].y != c->y))
        there--;
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

/* Whether they touch the same unit or the same cell's terrain. Two that do are never made together. */
static bool changes_clash(const struct change *a, const struct change *b) {
    if (a->kind == REPAIR_TERRAIN || b->kind == REPAIR_TERRAIN)
        return a->kind == b->kind && a->x == b->x && a->y == b->y;
    return a->unit == b->unit || a->unit == b->other || a->other == b->unit ||
           (a->other >= 0 && a->other == b->other);
}

static void describe_unit(const struct tbs_map_unit *u, char *out, size_t out_size) {
    snprintf(out, out_size, "%s %s at (%d, %d)", tbs_side_names[u->side], tbs_unit_types[u->type].name, u->x,
             u->y);
}

/* As a sentence without its full stop, about the map before it. */
static void change_describe(const struct change *change, const struct tbs_map *map, char *out,
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

/* Adds the change if it is possible. */
static void offer(const struct tbs_map *map, uint64_t seed, struct change change, struct changes *list) {
    struct tbs_map changed = *map;
    if (!change_apply(&change, &changed))
        return;
    list->items = mem_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    change.lot = rng_job_seed(seed, (uint64_t)list->count);
    list->items[list->count++] = change;
}

static int by_cost(const void *left, const void *right) {
    const struct change *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->lot < b->lot ? -1 : a->lot > b->lot;
}

/* Every change of the kinds that leaves the map legal, by cost; of one cost those that work against `ahead`
 * (the side that scores too much) first, those for it last. Walls are neither made nor torn down. The
 * caller frees the items. */
static void changes_list(const struct tbs_map *map, unsigned kinds, int ahead, uint64_t seed,
                         struct changes *out) {
    struct change c = {.kind = REPAIR_HP, .other = -1};
    *out = (struct changes){0};
    for (c.unit = 0; (kinds >> REPAIR_HP & 1) != 0 && c.unit < map->unit_count; c.unit++)
        for (c.value = 1; c.value <= TBS_HP_FULL; c.value++) {
            const struct tbs_map_unit *u = &map->units[c.unit];
            c.cost = abs(c.value - u->hp);
            c.rank = (c.value > u->hp) == (u->side == ahead) ? 2 : 0;
            offer(map, seed, c, out);
        }
    c = (struct change){.kind = REPAIR_MOVE, .rank = 1, .other = -1};
    for (c.unit = 0; (kinds >> REPAIR_MOVE & 1) != 0 && c.unit < map->unit_count; c.unit++)
        for (int dx = -STEPS_MAX; dx <= STEPS_MAX; dx++)
            for (int dy = abs(dx) - STEPS_MAX; dy <= STEPS_MAX - abs(dx); dy++) {
                c.cost = abs(dx) + abs(dy);
                c.x = map->units[c.unit].x + dx;
                c.y = map->units[c.unit].y + dy;
                offer(map, seed, c, out);
            }
    c = (struct change){.kind = REPAIR_SWAP, .cost = COST_SWAP, .rank = 1};
    for (c.unit = 0; (kinds >> REPAIR_SWAP & 1) != 0 && c.unit < map->unit_count; c.unit++)
        for (c.other = c.unit + 1; c.other < map->unit_count; c.other++)
            for (int types = 0; types < 2; types++) {
                c.types = types == 1;
                offer(map, seed, c, out);
            }
    c = (struct change){.kind = REPAIR_TERRAIN, .cost = COST_TERRAIN, .rank = 1, .unit = -1, .other = -1};
    for (c.y = 1; (kinds >> REPAIR_TERRAIN & 1) != 0 && c.y < map->height - 1; c.y++)
        for (c.x = 1; c.x < map->width - 1; c.x++)
            for (c.value = TBS_PLAIN; c.value < TBS_TERRAINS; c.value++)
                offer(map, seed, c, out);
    if (out->count > 0)
        qsort(out->items, (size_t)out->count, sizeof *out->items, by_cost);
}

/* ---- sets of changes ----
 *
 * Sets of two and more changes combine changes that helped, assuming that their effects on the log-odds add
 * up; the race tests it. Where no single change shows any effect (one side wins every game anyway) there is
 * nothing to combine, so some sets are drawn at random. */

enum {
    DRAWS_MAX = 200, /* attempts to draw sets, or rays, at random */
    JOINED_MAX = 16, /* sets of one cost that are built of changes seen to help */
    DRAWN_MAX = 8,   /* those drawn at random */
    SETS_MAX = JOINED_MAX + DRAWN_MAX,
    KNOWN_MAX = 512,
};

struct change_set {
    int count, cost;
    int changes[REPAIR_CHANGES_MAX]; /* indices into the list, ascending */
    double effect; /* on the log-odds of red's score: expected for a set that was just joined */
};

struct change_sets {
    const struct changes *list;
    int changes_max;
    uint64_t seed;
    double goal; /* the effect the search needs */
    int known_count;
    struct change_set known[KNOWN_MAX]; /* the sets that others are built on */
};

/* Adds one more change and its cost. False, and nothing is changed, when it clashes with another. */
static bool set_join(const struct change_sets *s, struct change_set *set, int change) {
    for (int i = 0; i < set->count; i++)
        if (set->changes[i] == change ||
            changes_clash(&s->list->items[set->changes[i]], &s->list->items[change]))
            return false;
    int place = set->count++;
    for (; place > 0 && set->changes[place - 1] > change; place--)
        set->changes[place] = set->changes[place - 1];
    set->changes[place] = change;
    set->cost += s->list->items[change].cost;
    return true;
}

/* Sets are ordered, so equal ones have equal bytes. Their effects are not compared. */
static bool has_set(const struct change_set *sets, int count, const struct change_set *set) {
    for (int i = 0; i < count; i++)
        if (sets[i].count == set->count &&
            memcmp(sets[i].changes, set->changes, (size_t)set->count * sizeof set->changes[0]) == 0)
            return true;
    return false;
}

/* Keeps the JOINED_MAX sets that are expected to be nearest the middle, nearest first. */
static void insert_set(double goal, const struct change_set *set, struct change_set *sets, int *count) {
    if (has_set(sets, *count, set))
        return;
    int place = *count < JOINED_MAX ? (*count)++ : JOINED_MAX;
    for (; place > 0 && fabs(sets[place - 1].effect - goal) > fabs(set->effect - goal); place--)
        if (place < JOINED_MAX)
            sets[place] = sets[place - 1];
    if (place < JOINED_MAX)
        sets[place] = *set;
}

/* The index of the first change of that cost and rank, or beyond: the list is sorted by both. */
static int first_of(const struct changes *list, int cost, int rank) {
    int at = 0;
    while (at < list->count &&
           (list->items[at].cost < cost || (list->items[at].cost == cost && list->items[at].rank < rank)))
        at++;
    return at;
}

/* Two changes at least, the last one costing just what is left. Preferably they work against the side that is
 * ahead; otherwise their effect is unknown. */
static bool draw_set(const struct change_sets *s, int cost, struct rng *r, struct change_set *out) {
    const int wanted = 2 + (int)rng_below(r, (uint32_t)s->changes_max - 1);
    *out = (struct change_set){0};
    for (int left = cost; out->count < wanted && left > 0; left = cost - out->cost) {
        const bool last = out->count == wanted - 1;
        const int part = last ? left : 1 + (int)rng_below(r, (uint32_t)left);
        const int begin = first_of(s->list, part, 0), unknown = first_of(s->list, part, 1),
                  end = first_of(s->list, part, 2);
        const bool prefer = unknown > begin && (unknown == end || rng_below(r, 4) > 0);
        const int from = prefer ? begin : unknown, to = prefer ? unknown : end;
        if (to == from || !set_join(s, out, from + (int)rng_below(r, (uint32_t)(to - from))))
            return false;
    }
    return out->count >= 2 && out->cost == cost;
}

/* Different sets of two and more changes of that cost, at most SETS_MAX; those expected to be nearest
 * the goal come first. Some may not be possible on the map. Returns how many. */
static int sets_build(const struct change_sets *sets, int cost, struct change_set *out) {
    int count = 0;
    for (int i = 0; i < sets->known_count; i++)
        for (int k = 0; k < sets->known_count; k++) {
            const struct change_set *a = &sets->known[i], *b = &sets->known[k];
            struct change_set joined = *a;
            joined.effect += b->effect;
            /* Joins only sets that are expected to be better than `a` alone. */
            if (b->count == 1 && a->count < sets->changes_max && a->cost + b->cost == cost &&
                fabs(joined.effect - sets->goal) < fabs(a->effect - sets->goal) &&
                set_join(sets, &joined, b->changes[0]))
                insert_set(sets->goal, &joined, out, &count);
        }
    struct rng r;
    const int most = count + DRAWN_MAX, draws = cost > 1 && sets->changes_max > 1 ? DRAWS_MAX : 0;
    rng_seed_stream(&r, sets->seed, (uint64_t)cost);
    for (int i = 0; i < draws && count < most; i++) {
        struct change_set set;
        if (draw_set(sets, cost, &r, &set) && !has_set(out, count, &set))
            out[count++] = set;
    }
    return count;
}

/* Records the observed effect of a set. A known set gets the new effect; a new one is recorded only if it
 * helps and there is room. The list stays small, so it is searched from the beginning. */
static void sets_note(struct change_sets *sets, const struct change_set *set, bool helps) {
    int at = 0;
    while (at < sets->known_count && !has_set(&sets->known[at], 1, set))
        at++;
    if (at == sets->known_count && (!helps || at == KNOWN_MAX))
        return;
    sets->known_count += at == sets->known_count;
    sets->known[at] = *set;
}

/* ---- rays ----
 *
 * Large changes: HP of several units, more and more of it. Where one side always wins no small change shows
 * any effect that could be built on; but along such a ray the score goes from one end to the other, and
 * halving finds where it crosses the middle. */

enum { RAYS_MAX = 16, WITH_BASE = 4 }; /* one ray in WITH_BASE begins with another change */

struct ray {
    struct change_set base;  /* changes of other kinds that are made first; may be none */
    int count;               /* units on the ray */
    int most[TBS_UNITS_MAX]; /* points of HP at most, against the side that is ahead; 0: not on the ray */
};

/* The units whose HP may change against the side that is ahead, and by how much. */
struct pool {
    int count, units[TBS_UNITS_MAX];
    int most[TBS_UNITS_MAX];     /* points, by unit; 0: it is not in the pool */
    bool lowered[TBS_UNITS_MAX]; /* the unit is of the side that is ahead */
};

/* What its end costs. */
static int ray_cost(const struct ray *ray) {
    int cost = ray->base.cost;
    for (int unit = 0; unit < TBS_UNITS_MAX; unit++)
        cost += ray->most[unit];
    return cost;
}

/* The set of changes of that cost on the ray, beyond that of its base and at most that of its end; all units
 * get alike, as long as they have points left. */
static void ray_at(const struct change_sets *sets, const struct ray *ray, int cost, struct change_set *out) {
    int points[TBS_UNITS_MAX] = {0};
    assert(cost > ray->base.cost);
    assert(cost <= ray_cost(ray));
    for (int left = cost - ray->base.cost, unit = 0; left > 0; unit = (unit + 1) % TBS_UNITS_MAX)
        if (points[unit] < ray->most[unit]) {
            points[unit]++;
            left--;
        }
    *out = ray->base;
    for (int i = 0; i < sets->list->count; i++) {
        const struct change *c = &sets->list->items[i];
        if (c->kind == REPAIR_HP && c->rank == 0 && c->cost == points[c->unit])
            set_join(sets, out, i);
    }
    assert(out->cost == cost);
}

/* Adds a unit of the pool to the ray. False when the ray has it, or a change of the base is about it. */
static bool add_unit(const struct change_sets *sets, const struct pool *pool, int unit, struct ray *ray) {
    const struct change hp = {.kind = REPAIR_HP, .unit = unit, .other = -1};
    for (int i = 0; i < ray->base.count; i++)
        if (changes_clash(&hp, &sets->list->items[ray->base.changes[i]]))
            return false;
    if (ray->most[unit] > 0)
        return false;
    ray->most[unit] = pool->most[unit];
    ray->count++;
    return true;
}

/* The units with the most points: of one side (1: ahead, 0: behind), or of both (-1). Equal ones by their
 * ids. */
static void take_most(const struct change_sets *sets, const struct pool *pool, int side, struct ray *ray) {
    for (int points = TBS_HP_FULL; points > 0; points--)
        for (int i = 0; i < pool->count && ray->count < sets->changes_max; i++) {
            const int unit = pool->units[i];
            if (pool->most[unit] == points && (side < 0 || pool->lowered[unit] == side))
                add_unit(sets, pool, unit, ray);
        }
}

static void take_random(const struct change_sets *sets, const struct pool *pool, struct rng *r,
                        struct ray *ray) {
    const int room = sets->changes_max - ray->base.count;
    const int wanted = rng_below(r, 2) > 0 ? room : 1 + (int)rng_below(r, (uint32_t)room);
    for (int tries = 0; tries < 4 * REPAIR_CHANGES_MAX && ray->count < wanted; tries++)
        add_unit(sets, pool, pool->units[rng_below(r, (uint32_t)pool->count)], ray);
}

/* Adds the ray unless it is empty or was drawn before; returns how many there are. One drawing has one base
 * change at most, so bases of the same size are the same. */
static int add_ray(struct ray *rays, int count, const struct ray *ray) {
    for (int i = 0; i < count; i++)
        if (rays[i].base.count == ray->base.count && memcmp(rays[i].most, ray->most, sizeof ray->most) == 0)
            return count;
    rays[count] = *ray;
    return count + (ray->count > 0);
}

/* Rays that differ, no more changes than `sets` allows: those with the most points first, others drawn at
 * random; another `round`, other draws. A few begin with what helped most of the other kinds. Returns how
 * many; none when HP may not change. */
static int rays_draw(const struct change_sets *sets, int round, struct ray out[RAYS_MAX]) {
    struct pool pool = {0};
    struct rng r;
    int count = 0;
    for (const struct change *c = sets->list->items; c < sets->list->items + sets->list->count; c++)
        if (c->kind == REPAIR_HP && c->rank == 0 && c->cost > pool.most[c->unit]) {
            pool.most[c->unit] = c->cost;
            pool.lowered[c->unit] = c->value == 1;
        }
    for (int unit = 0; unit < TBS_UNITS_MAX; unit++)
        if (pool.most[unit] > 0)
            pool.units[pool.count++] = unit;
    rng_seed_stream(&r, sets->seed, UINT64_C(1) << 32 | (uint64_t)round);
    for (int side = -1; side <= 1 && pool.count > 0 && round == 0; side++) {
        struct ray ray = {.count = 0};
        take_most(sets, &pool, side, &ray);
        count = add_ray(out, count, &ray);
    }
    /* The single change of another kind that did most towards the goal; NULL when none did. */
    const struct change_set *other = NULL;
    for (const struct change_set *set = sets->known; set < sets->known + sets->known_count; set++)
        if (sets->changes_max > 1 && set->count == 1 &&
            sets->list->items[set->changes[0]].kind != REPAIR_HP && set->effect * sets->goal > 0 &&
            (other == NULL || fabs(set->effect) > fabs(other->effect)))
            other = set;
    for (int i = 0; i < DRAWS_MAX && pool.count > 0 && count < RAYS_MAX; i++) {
        struct ray ray = {.count = 0};
        if (other != NULL && i % WITH_BASE == 0)
            ray.base = *other;
        take_random(sets, &pool, &r, &ray);
        count = add_ray(out, count, &ray);
    }
    return count;
}

/* ---- the search ---- */

enum {
    CONFIRM_MAX = 3,       /* how many of one race get fresh games */
    FRESH_FIRST = 1 << 20, /* games are numbered from here on when all before may have been used to choose */
    SMALL_COST = 3,        /* all costs up to this come before rays */
    RESERVE_SHARE = 3,     /* one part in this many of the budget is reserved for rays */
    FIRST_GAMES = 3,       /* of each candidate in the first round of a race; each round doubles its games */
    RAY_RACED = 2,         /* rounds of a race that the games at a point of a ray stand for */
    RAY_GAMES = FIRST_GAMES << (RAY_RACED - 1), /* at each point of a ray */
    RAY_BISECTED = 8,                           /* rays on which the crossing is looked for */
    RAY_ROUNDS = 3,                             /* how often rays are drawn at most */
    ROUND_MAX = 4096,                           /* candidates of one race */
    EXTRA_SURVIVORS = 8, /* those nearest the target, if they help at all, stay in the race a while even … */
    EXTRA_GAMES = 24,    /* … when they will not reach it: others are built on them, and the best must be
                            known in the end */
};

#define LOPSIDED 0.05 /* a score below it, or above its opposite: one side wins nearly always */

struct candidate {
    int id;
    struct change_set set;
    struct tbs_map map;
    struct judgement judgement;
    bool is_tried; /* fresh games were asked for */
};

struct repair_search {
    const struct repair_run *run;
    const struct repair_options *options;
    struct repair_result *out;
    struct changes list;
    double middle;  /* of the target */
    double base;    /* red's score at the start */
    double decided; /* the share of decided games that is required */
    int next_id;
    int ray_round; /* how often rays were drawn */
    int reserve;   /* games that races must leave */
    bool stopped;
    bool held; /* fresh games confirmed a candidate of the last race */

    struct request *requests; /* room for ROUND_MAX */
    struct candidate *round;
    int round_capacity, count; /* candidates of this race; after it the best come first */
    int survived;

    struct change_sets sets;
    struct candidate best; /* of all that are known well enough; set.count 0: the map as it is */
};

/* How many go on at most once candidates have had 3, 6, 12, 24, 48 games, and how wide the interval is that
 * must reach the target: many candidates are alike, so losing a good one early costs less than carrying all
 * the others. After 96 games the race is over. */
struct race_round {
    int survivors;
    double z;
};
static const struct race_round race_rounds[] = {{96, 1.28},      {48, 1.645},    {24, STATS_Z95},
                                                {12, STATS_Z95}, {6, STATS_Z95}, {4, STATS_Z95}};
enum { RACE_ROUNDS = sizeof race_rounds / sizeof race_rounds[0] };

/* ---- questions ---- */

/* The share of games between equals that are not drawn; 1 without games. */
static double decided_share(const struct judgement *j) {
    const int games = tally_games(&j->peers);
    return games > 0 ? 1 - (double)j->peers.draws / games : 1;
}

/* Red's score is in the target, and enough games are decided. */
static bool is_good(const struct repair_search *m, const struct judgement *j) {
    const double score = tally_score(&j->peers);
    return score >= m->options->low && score <= m->options->high && decided_share(j) >= m->decided;
}

/* How far from good: the score's distance from the middle, plus the share of decided games that is missing. A
 * draw is worth half, so by the score alone a map on which nothing happens would be the most balanced. */
static double distance(const struct repair_search *m, const struct judgement *j) {
    return fabs(tally_score(&j->peers) - m->middle) + fmax(m->decided - decided_share(j), 0);
}

/* Nearer than the map was at the start. */
static bool helps(const struct repair_search *m, const struct judgement *j) {
    return distance(m, j) < distance(m, &m->out->before);
}

/* Whether the intervals of that width allow a good map. */
static bool may_reach(const struct repair_search *m, const struct judgement *j, double z) {
    const int games = tally_games(&j->peers);
    const struct interval score = stats_wilson(tally_score(&j->peers), games, z);
    return score.low <= m->options->high && score.high >= m->options->low &&
           stats_wilson(decided_share(j), games, z).high >= m->decided;
}

/* Log-odds of a score in that many games, with half a game more on either side so that they are finite. */
static double log_odds(double score, int games) {
    return ln_of((score * games + 0.5) / ((1 - score) * games + 0.5));
}

/* Games that judging one map takes: before, and once more at the end. */
static int judgement_price(int games_sure) {
    return games_sure + 2 * (games_sure / 4);
}

/* Games the search may still use. */
static int games_left(const struct repair_search *m) {
    return m->options->games_max - m->out->games - judgement_price(m->options->games_sure);
}

/* Games its races may use; the rest confirms what they find. */
static int games_for_races(const struct repair_search *m) {
    return games_left(m) - m->options->games_sure - m->reserve;
}

/* ---- games ---- */

static bool play(struct repair_search *m, int count, struct err *e) {
    const int before = evaluator_games(m->run->evaluator);
    bool complete;
    if (!evaluator_play(m->run->evaluator, m->requests, count, &complete, e))
        return false;
    m->stopped = !complete;
    m->out->games += evaluator_games(m->run->evaluator) - before;
    return complete;
}

/* So many games of each kind on one map, numbered on from `first`. False also when it was stopped. */
static bool play_on(struct repair_search *m, const struct candidate *c, int first,
                    const int games[SAMPLE_KINDS], struct judgement *into, struct err *e) {
    const struct request of = {.id = c->id, .map = &c->map, .first = first, .into = into};
    return play(m, request_more(&of, games, m->requests), e);
}

/* `games` more of peers for each candidate from `from` up to `to`. False also when it was stopped. */
static bool play_peers(struct repair_search *m, int from, int to, int games, struct err *e) {
    int count = 0;
    for (int i = from; i < to; i++) {
        struct candidate *c = &m->round[i];
        const struct request of = {.id = c->id, .map = &c->map, .into = &c->judgement};
        count += request_more(&of, (int[SAMPLE_KINDS]){[SAMPLE_PEERS] = games}, &m->requests[count]);
    }
    return play(m, count, e);
}

/* ---- candidates ---- */

/* Returns the candidate's index, or -1: a set that is not possible on this map is left out. */
static int add_candidate(struct repair_search *m, const struct change_set *set) {
    m->round = mem_grow(m->round, &m->round_capacity, m->count + 1, sizeof *m->round);
    struct candidate *c = &m->round[m->count];
    *c = (struct candidate){.id = m->next_id, .set = *set, .map = *m->run->map};
    for (int i = 0; i < set->count; i++)
        if (!change_apply(&m->list.items[set->changes[i]], &c->map))
            return -1;
    m->next_id++;
    return m->count++;
}

/* Records the effect of a candidate: for sets that are built on it, and whether it is the best of all. */
static void remember(struct repair_search *m, const struct candidate *c) {
    const struct judgement *best = m->best.set.count > 0 ? &m->best.judgement : &m->out->before;
    const int games = tally_games(&c->judgement.peers);
    struct change_set set = c->set;
    /* On the log-odds. The base is taken as this many games would have shown it: otherwise 24 wins of 24
     * would look worse than 200 of 200. */
    set.effect = log_odds(tally_score(&c->judgement.peers), games) - log_odds(m->base, games);
    sets_note(&m->sets, &set, helps(m, &c->judgement));
    if (c->id == m->best.id || distance(m, &c->judgement) < distance(m, best))
        m->best = *c;
}

/* ---- the race ---- */

/* Ids break ties: the order is the same whatever came before. */
static bool is_nearer(const struct repair_search *m, const struct candidate *a, const struct candidate *b) {
    const double of_a = distance(m, &a->judgement), of_b = distance(m, &b->judgement);
    return of_a < of_b || (!(of_a > of_b) && a->id < b->id);
}

/* The nearest candidates survive, as many as the table allows, nearest first. One that will not reach the
 * target survives only while it is among the first few and has had few games. */
static void cut(struct repair_search *m, int round) {
    const struct race_round *rule = &race_rounds[round];
    const int wanted = m->survived < rule->survivors ? m->survived : rule->survivors;
    int survived = 0;
    for (int i = 0; i < wanted; i++) {
        int nearest = i;
        for (int k = i + 1; k < m->survived; k++)
            nearest = is_nearer(m, &m->round[k], &m->round[nearest]) ? k : nearest;
        const struct candidate c = m->round[nearest];
        m->round[nearest] = m->round[i];
        const int games = tally_games(&c.judgement.peers);
        const bool wants_more = i < EXTRA_SURVIVORS && games < EXTRA_GAMES && helps(m, &c.judgement);
        if (i < EXTRA_SURVIVORS && games >= EXTRA_GAMES)
            remember(m, &c);
        if (may_reach(m, &c.judgement, rule->z) || wants_more)
            m->round[survived++] = c;
    }
    m->survived = survived;
}

/* After it, `survived` candidates are left, the nearest first. It ends early when there are no games left for
 * it. All of them have had the games of the rounds before `round`. */
static bool race(struct repair_search *m, int round, struct err *e) {
    if (round > 0)
        cut(m, round - 1);
    for (; round < RACE_ROUNDS && m->survived > 0; round++) {
        const int more = round == 0 ? FIRST_GAMES : FIRST_GAMES << (round - 1);
        const int affordable = games_for_races(m) / more;
        if (affordable < 1)
            break;
        m->survived = m->survived < affordable ? m->survived : affordable;
        if (!play_peers(m, 0, m->survived, more, e))
            return false;
        cut(m, round);
    }
    return true;
}

int repair_games_least(int games_sure) {
    return 2 * judgement_price(games_sure) + 2 * games_sure;
}

/* ---- confirming ---- */

/* The candidate is the result: its map, its changes in words, and contests on it for the report. */
static bool accept(struct repair_search *m, const struct candidate *c, struct err *e) {
    const int side = m->options->games_sure / 4;
    struct repair_result *out = m->out;
    out->map = *m->run->map;
    for (int i = 0; i < c->set.count; i++) {
        const struct change *change = &m->list.items[c->set.changes[i]];
        change_describe(change, &out->map, out->changes[i], sizeof out->changes[i]);
        change_apply(change, &out->map);
    }
    out->change_count = c->set.count;
    out->cost = c->set.cost;
    return play_on(m, c, 0, (int[SAMPLE_KINDS]){side, side, 0}, &out->after, e);
}

/* Fresh games for one candidate. If they are good too, the candidate is the result. In two halves: a
 * candidate that cannot reach the target after the first does not play the second. */
static bool confirm(struct repair_search *m, struct candidate *c, struct err *e) {
    const int first = tally_games(&c->judgement.peers), all = m->options->games_sure;
    struct judgement fresh = {0};
    if (!play_on(m, c, first, (int[SAMPLE_KINDS]){[SAMPLE_PEERS] = all / 2}, &fresh, e) ||
        (may_reach(m, &fresh, STATS_Z95) &&
         !play_on(m, c, first, (int[SAMPLE_KINDS]){[SAMPLE_PEERS] = all - all / 2}, &fresh, e)))
        return false;
    m->held = tally_games(&fresh.peers) == all && is_good(m, &fresh);
    if (!m->held) { /* of a candidate only games between equals are looked at */
        c->judgement.peers.wins += fresh.peers.wins;
        c->judgement.peers.draws += fresh.peers.draws;
        c->judgement.peers.losses += fresh.peers.losses;
        remember(m, c);
        return true;
    }
    m->out->found = true;
    m->out->after = fresh;
    return accept(m, c, e);
}

/* Of two good ones the cheaper is better, then the livelier: ten points more of decided games are worth ten
 * points of balance. */
static bool is_better(const struct repair_search *m, const struct candidate *a, const struct candidate *b) {
    if (a->set.cost != b->set.cost)
        return a->set.cost < b->set.cost;
    return decided_share(&a->judgement) - distance(m, &a->judgement) >
           decided_share(&b->judgement) - distance(m, &b->judgement);
}

/* Asks for fresh games of those that seem good, the best first. */
static bool confirm_survivors(struct repair_search *m, struct err *e) {
    for (int i = 0; i < CONFIRM_MAX && !m->held && games_left(m) >= m->options->games_sure; i++) {
        struct candidate *best = NULL;
        int alike = 0; /* that seem good at that cost */
        for (struct candidate *c = m->round; c < m->round + m->survived; c++)
            if (!c->is_tried && is_good(m, &c->judgement) && (best == NULL || is_better(m, c, best)))
                best = c;
        if (best == NULL)
            return true;
        for (int k = 0; k < m->survived; k++)
            alike += m->round[k].set.cost == best->set.cost && is_good(m, &m->round[k].judgement);
        best->is_tried = true;
        if (!confirm(m, best, e))
            return false;
        if (m->held)
            m->out->alike = alike;
    }
    return true;
}

/* No candidate was confirmed: takes the best that was seen, with fresh games; these may find it good. */
static bool take_best_seen(struct repair_search *m, struct err *e) {
    const struct candidate *c = &m->best;
    const int games[SAMPLE_KINDS] = {[SAMPLE_PEERS] = m->options->games_sure};
    if (c->set.count == 0) {
        m->out->map = *m->run->map;
        m->out->after = m->out->before;
        return true;
    }
    if (!play_on(m, c, FRESH_FIRST, games, &m->out->after, e))
        return false;
    m->out->found = is_good(m, &m->out->after);
    return accept(m, c, e);
}

/* ---- all of one cost ---- */

static void notify(const struct repair_search *m, int cost) {
    if (m->count > 0 && m->run->on_round != NULL)
        m->run->on_round(m->run->context, cost, m->count, m->out->games);
}

/* Without games left nothing is tried. The first games of all candidates may take half of the games left.
 * Sets are few and come first. */
static bool try_cost(struct repair_search *m, int cost, struct err *e) {
    const int affordable = games_for_races(m) / (2 * FIRST_GAMES);
    const int room = affordable < ROUND_MAX ? affordable : ROUND_MAX;
    m->held = false;
    if (games_for_races(m) < FIRST_GAMES)
        return true;
    struct change_set sets[SETS_MAX];
    const int count = sets_build(&m->sets, cost, sets), end = first_of(&m->list, cost + 1, 0);
    m->count = 0;
    for (int i = 0; i < count && m->count < room; i++)
        add_candidate(m, &sets[i]);
    for (int i = first_of(&m->list, cost, 0); i < end && m->count < room; i++)
        add_candidate(m, &(struct change_set){.count = 1, .cost = cost, .changes = {i}});
    m->survived = m->count;
    m->out->candidates += m->count;
    notify(m, cost);
    return race(m, 0, e) && confirm_survivors(m, e);
}

/* ---- rays ---- */

/* Where on a ray the score crosses the middle: beyond `low`, at the latest at `high`. */
struct crossing {
    struct ray ray;
    int low, high;
    int candidate; /* in m->round, that was asked last */
};

/* Whether the side that was ahead is no longer ahead. */
static bool has_crossed(const struct repair_search *m, const struct judgement *j) {
    const double score = tally_score(&j->peers);
    return m->base > m->middle ? score <= m->options->high : score >= m->options->low;
}

/* False when the point cannot be made. */
static bool ask_at(struct repair_search *m, struct crossing *c, int cost) {
    struct change_set set;
    ray_at(&m->sets, &c->ray, cost, &set);
    c->candidate = add_candidate(m, &set);
    return c->candidate >= 0;
}

/* The ends of rays, at most of cost `most`; those that suffice are put first, the cheapest of them (those
 * that cost the same stay in their order). Returns how many, -1 on failure. */
static int find_crossings(struct repair_search *m, int most, struct crossing *list, struct err *e) {
    struct ray rays[RAYS_MAX];
    const int count = rays_draw(&m->sets, m->ray_round, rays);
    int asked = 0, crossed = 0;
    m->count = 0;
    for (int i = 0; i < count; i++) {
        const int end = ray_cost(&rays[i]);
        struct crossing c = {rays[i], rays[i].base.cost, end < most ? end : most, -1};
        if (c.high > c.low && ask_at(m, &c, c.high))
            list[asked++] = c;
    }
    notify(m, REPAIR_LARGE);
    if (!play_peers(m, 0, m->count, RAY_GAMES, e))
        return -1;
    for (int i = 0; i < asked; i++) {
        const struct crossing moved = list[i];
        if (!has_crossed(m, &m->round[moved.candidate].judgement))
            continue;
        int place = crossed++;
        for (; place > 0 && list[place - 1].high > moved.high; place--)
            list[place] = list[place - 1];
        list[place] = moved;
    }
    return crossed < RAY_BISECTED ? crossed : RAY_BISECTED;
}

/* Halves all of them at once. *halved: how many there still were to halve. */
static bool halve(struct repair_search *m, struct crossing *list, int count, int *halved, struct err *e) {
    const int from = m->count;
    *halved = 0;
    for (int i = 0; i < count; i++) {
        struct crossing *c = &list[i];
        c->candidate = -1;
        if (c->high - c->low >= 2 && !ask_at(m, c, (c->low + c->high) / 2))
            c->low = c->high;
    }
    if (!play_peers(m, from, m->count, RAY_GAMES, e))
        return false;
    for (int i = 0; i < count; i++) {
        struct crossing *c = &list[i];
        if (c->candidate < 0)
            continue;
        const int cost = m->round[c->candidate].set.cost;
        *(has_crossed(m, &m->round[c->candidate].judgement) ? &c->high : &c->low) = cost;
        ++*halved;
    }
    return true;
}

/* All candidates on the rays race; those far from the target leave at once. */
static bool try_rays(struct repair_search *m, int most, struct err *e) {
    struct crossing list[RAYS_MAX];
    m->held = false;
    if (games_for_races(m) < 2 * RAYS_MAX * RAY_GAMES)
        return true;
    const int crossed = find_crossings(m, most, list, e);
    if (crossed < 0)
        return false;
    m->out->out_of_reach = m->ray_round == 0 && crossed == 0 && m->count > 0;
    for (int halved = crossed; halved > 0 && games_for_races(m) >= RAY_BISECTED * RAY_GAMES;)
        if (!halve(m, list, crossed, &halved, e))
            return false;
    m->survived = m->count;
    m->out->candidates += m->count;
    return race(m, RAY_RACED, e) && confirm_survivors(m, e);
}

/* ---- the order of the search ---- */

/* No set that the options allow costs more. */
static int cost_max(const struct repair_search *m) {
    return m->list.count > 0 ? m->list.items[m->list.count - 1].cost * m->options->changes_max : 0;
}

/* Finds a change that suffices and then, unless only the first is needed, a cheaper one. */
static bool search_rays(struct repair_search *m, bool only_first, struct err *e) {
    for (; m->ray_round < RAY_ROUNDS && !m->out->out_of_reach; m->ray_round++) {
        const int most = m->out->found ? m->out->cost - 1 : cost_max(m);
        if (most <= SMALL_COST || (only_first && m->out->found))
            break;
        if (!try_rays(m, most, e))
            return false;
    }
    return true;
}

/* Sets of middle cost. When a sufficient one is known, only cheaper ones, the cheapest first. Otherwise in
 * jumps first, to 5, 9, 17, …, because a map that is far from its target would use up the budget on changes
 * that are much too small; and then the costs between. */
static bool search_sets(struct repair_search *m, struct err *e) {
    const bool jumps = !m->out->found;
    int from = SMALL_COST + 1, end = jumps ? cost_max(m) + 1 : m->out->cost;
    for (int cost = 2 * SMALL_COST - 1, failed = SMALL_COST; jumps && cost < end; cost = 2 * cost - 1) {
        if (!try_cost(m, cost, e))
            return false;
        if (m->held) {
            from = failed + 1;
            end = cost;
        }
        failed = cost;
    }
    m->held = false;
    for (int cost = from, jump = SMALL_COST; cost < end && !m->held; cost++) {
        while (jump < cost)
            jump = 2 * jump - 1;
        if (!(jumps && cost == jump) && !try_cost(m, cost, e))
            return false;
    }
    return true;
}

/* Where one side wins nearly always, hardly any small change shows whether it helps. Then large changes come
 * first: they show early whether any change can suffice. */
static bool search(struct repair_search *m, struct err *e) {
    const bool is_lopsided = m->base < LOPSIDED || m->base > 1 - LOPSIDED;
    if (is_lopsided && !search_rays(m, true, e))
        return false;
    m->reserve = (m->options->kinds & 1 << REPAIR_HP) != 0 ? games_for_races(m) / RESERVE_SHARE : 0;
    m->held = false;
    for (int cost = 1; cost <= SMALL_COST && !m->held; cost++)
        if (!try_cost(m, cost, e))
            return false;
    m->reserve = 0;
    const bool is_small = m->held; /* nothing cheaper is left to try */
    if (!is_small && !search_rays(m, false, e))
        return false;
    /* Where not even the largest changes suffice and no small one helps there is nothing to build on. */
    const bool hopeless = m->out->out_of_reach && m->sets.known_count == 0;
    if (!is_small && !hopeless && !search_sets(m, e))
        return false;
    const bool ok = m->out->found || take_best_seen(m, e);
    m->out->out_of_reach = m->out->out_of_reach && !m->out->found;
    return ok;
}

/* ---- the whole ---- */

/* Judges the map as it is, and searches unless it is good already. */
static bool repair(struct repair_search *m, struct err *e) {
    const int games = m->options->games_sure;
    m->best = (struct candidate){.id = m->next_id++, .map = *m->run->map};
    if (!play_on(m, &m->best, 0, (int[SAMPLE_KINDS]){games / 4, games / 4, games}, &m->out->before, e))
        return false;
    m->middle = (m->options->low + m->options->high) / 2;
    m->base = tally_score(&m->out->before.peers);
    m->decided = fmin(decided_share(&m->out->before), m->options->decided);
    if (is_good(m, &m->out->before)) {
        m->out->was_good = m->out->found = true;
        m->out->map = *m->run->map;
        m->out->after = m->out->before;
        return true;
    }
    const int ahead = m->base > m->middle ? TBS_RED : TBS_BLUE;
    changes_list(m->run->map, m->options->kinds, ahead, m->run->seed, &m->list);
    m->sets = (struct change_sets){.list = &m->list,
                                   .changes_max = m->options->changes_max,
                                   .seed = m->run->seed,
                                   .goal = log_odds(m->middle, games) - log_odds(m->base, games)};
    return search(m, e);
}

bool repair_check(const struct tbs_map *map, struct err *e) {
    struct tbs_problems problems = {0};
    tbs_map_check(map, &problems);
    return problems.count == 0 ||
           err_set(e, "only a map without problems can be repaired, and %s", problems.items[0].text);
}

static bool check_options(const struct repair_options *o, struct err *e) {
    if (!(o->low >= 0) || !(o->high <= 1) || !(o->low < o->high))
        return err_set(e, "the target is %g to %g; expected two numbers in 0 to 1, the lower one first",
                       o->low, o->high);
    if (!(o->decided >= 0) || !(o->decided <= 1))
        return err_set(e, "%g of the games decided; expected 0 to 1", o->decided);
    if ((o->kinds & REPAIR_ALL) == 0)
        return err_set(e, "no kind of change is allowed");
    if (o->changes_max < 1 || o->changes_max > REPAIR_CHANGES_MAX)
        return err_set(e, "at most %d changes; expected 1 to %d", o->changes_max, REPAIR_CHANGES_MAX);
    if (o->games_sure < REPAIR_SURE_MIN)
        return err_set(e, "%d games to be sure; expected at least %d", o->games_sure, REPAIR_SURE_MIN);
    return o->games_max >= repair_games_least(o->games_sure) ||
           err_set(e, "a budget of %d games is too small; to be sure with %d it takes at least %d",
                   o->games_max, o->games_sure, repair_games_least(o->games_sure));
}

bool repair_map(const struct repair_run *run, struct repair_result *out, bool *complete, struct err *e) {
    *out = (struct repair_result){0};
    *complete = true;
    if (!repair_check(run->map, e) || !check_options(run->options, e))
        return false;
    struct repair_search *m = mem_alloc(sizeof *m);
    *m = (struct repair_search){.run = run,
                                .options = run->options,
                                .out = out,
                                .requests = mem_alloc(ROUND_MAX * sizeof *m->requests)};
    const bool ok = repair(m, e) || m->stopped;
    *complete = !m->stopped;
    mem_free(m->list.items);
    mem_free(m->round);
    mem_free(m->requests);
    mem_free(m);
    return ok;
}
