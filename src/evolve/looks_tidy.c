/* SPDX-License-Identifier: MIT
 *
 * Mending a map: for each fault a handful of small changes is tried, each on the map as a whole, and the one
 * that leaves the fewest faults stays if those are fewer than before. So it never makes one fault out of
 * another, changes little, and ends.
 */
#include "evolve/looks.h"

#include <assert.h>
#include <string.h>

enum {
    ROUNDS_MAX = 4,    /* over all cells of the map */
    PLACES_TRIED = 48, /* for one unit: all cells of a usual map */
};

/* How far a change goes: small ones come first among those that leave as few faults. A move ranks by its
 * distance, the others by these. */
enum { RANK_USUAL = 0, RANK_OTHER = 1, RANK_LAST = 2, RANK_TYPE = 100, RANK_MOST = 1000 };

struct tidy {
    const struct space *space;
    const struct tbs_rules *rules;
    struct rng *r;
    struct genome now, best; /* `best` only when best_count > 0 */
    struct tbs_map map;      /* of `now` */
    int faults;              /* of `now` */
    int best_faults, best_rank, best_count;
};

static int faults_of(const struct tidy *t, const struct genome *g, struct tbs_map *map) {
    struct looks looks;
    genome_to_map(t->space, g, map);
    looks_of(map, t->rules, &looks);
    return looks_faults(&looks);
}

/* ---- candidates ---- */

/* Keeps the candidate if it is the best so far; among equals each is as likely. */
static void weigh(struct tidy *t, const struct genome *candidate, int rank) {
    struct tbs_map map;
    const int faults = faults_of(t, candidate, &map);
    if (faults > t->best_faults || (faults == t->best_faults && rank > t->best_rank))
        return;
    if (faults < t->best_faults || rank < t->best_rank)
        t->best_count = 0;
    t->best_faults = faults;
    t->best_rank = rank;
    t->best_count++;
    if (rng_below(t->r, (uint32_t)t->best_count) == 0)
        t->best = *candidate;
}

static void try_terrain(struct tidy *t, int cell, int terrain, int rank) {
    struct cell value = t->now.cells[cell];
    if (value.terrain == terrain || t->space->weight[terrain] == 0 ||
        (value.type != GENOME_NOBODY && !space_can_stand(value.type, terrain)))
        return;
    struct genome candidate = t->now;
    value.terrain = (uint8_t)terrain;
    genome_put(t->space, &candidate, cell, value);
    weigh(t, &candidate, rank);
}

static void try_type(struct tidy *t, int cell, int type, int rank) {
    struct cell value = t->now.cells[cell];
    if (value.type == type || (t->space->types >> type & 1) == 0 || !space_can_stand(type, value.terrain))
        return;
    struct genome candidate = t->now;
    value.type = (uint8_t)type;
    genome_put(t->space, &candidate, cell, value);
    weigh(t, &candidate, rank);
}

static void try_place(struct tidy *t, int from, int to, int type, int rank) {
    const struct cell unit = t->now.cells[from];
    if (t->now.cells[to].type != GENOME_NOBODY || !space_may_hold(t->space, to) ||
        !space_can_stand(type, t->now.cells[to].terrain))
        return;
    struct genome candidate = t->now;
    const uint8_t below = candidate.cells[from].terrain, there = candidate.cells[to].terrain;
    genome_put(t->space, &candidate, from, (struct cell){.terrain = below, .type = GENOME_NOBODY});
    genome_put(t->space, &candidate, to,
               (struct cell){.terrain = there, .type = (uint8_t)type, .side = unit.side, .hp = unit.hp});
    weigh(t, &candidate, rank);
}

/* The best candidate, if it is an improvement. */
static bool take_best(struct tidy *t) {
    if (t->best_count == 0 || t->best_faults >= t->faults)
        return false;
    t->now = t->best;
    t->faults = faults_of(t, &t->now, &t->map);
    return true;
}

static void start_candidates(struct tidy *t) {
    t->best_faults = t->faults;
    t->best_rank = RANK_MOST;
    t->best_count = 0;
}

/* ---- neighbours ---- */

static const int near_dx[8] = {1, 0, -1, 0, 1, 1, -1, -1}, near_dy[8] = {0, -1, 0, 1, 1, -1, 1, -1};

/* The i-th cell around (the first four are beside), or -1. */
static int near_cell(const struct genome *g, int cell, int i) {
    const int x = cell % g->width + near_dx[i], y = cell / g->width + near_dy[i];
    return x >= 0 && y >= 0 && x < g->width && y < g->height ? y * g->width + x : -1;
}

static int count_near(const struct genome *g, int cell, int reach, int terrain) {
    int count = 0;
    for (int i = 0; i < reach; i++) {
        const int there = near_cell(g, cell, i);
        count += there >= 0 && g->cells[there].terrain == terrain;
    }
    return count;
}

static bool is_ground(int terrain) {
    return terrain == TBS_PLAIN || terrain == TBS_WOOD || terrain == TBS_MOUNTAIN || terrain == TBS_SEA;
}

/* The cell becomes what is near it: the commonest kind of ground that its unit can stand on, if that helps as
 * much as the others. */
static void try_grounds_near(struct tidy *t, int cell, int reach) {
    const int type = t->now.cells[cell].type;
    int most = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int terrain = 0; terrain < TBS_TERRAINS; terrain++) {
            const int count = count_near(&t->now, cell, reach, terrain);
            if (!is_ground(terrain) || count == 0 ||
                (type != GENOME_NOBODY && !space_can_stand(type, terrain)))
                continue;
            if (pass == 0)
                most = count > most ? count : most;
            else
                try_terrain(t, cell, terrain, count == most ? RANK_USUAL : RANK_OTHER);
        }
}

/* ---- what can be the matter with a cell ---- */

/* It becomes ground, or grows by a cell that joins it to another road or a fortress. */
static bool mend_road(struct tidy *t, int cell) {
    start_candidates(t);
    try_grounds_near(t, cell, 4);
    for (int i = 0; i < 4; i++) {
        const int there = near_cell(&t->now, cell, i);
        if (there < 0)
            continue;
        const bool joins =
            count_near(&t->now, there, 4, TBS_ROAD) > 1 || count_near(&t->now, there, 4, TBS_FORTRESS) > 0;
        try_terrain(t, there, TBS_ROAD, joins ? RANK_USUAL : RANK_LAST);
    }
    return take_best(t);
}

/* Sea becomes plain together with the road that was a bridge because of it. */
static void try_without_bridge(struct tidy *t, int cell) {
    for (int i = 0; i < 4; i++) {
        const int there = near_cell(&t->now, cell, i);
        if (there < 0 || t->now.cells[there].terrain != TBS_ROAD || t->space->weight[TBS_PLAIN] == 0)
            continue;
        struct genome candidate = t->now;
        struct cell below = candidate.cells[cell], beside = candidate.cells[there];
        below.terrain = beside.terrain = TBS_PLAIN;
        genome_put(t->space, &candidate, cell, below);
        genome_put(t->space, &candidate, there, beside);
        weigh(t, &candidate, RANK_LAST);
    }
}

/* It becomes what is around it, or grows. Plain disturbs no other ground, so that is left when all else does.
 */
static bool mend_strewn(struct tidy *t, int cell) {
    const int terrain = t->now.cells[cell].terrain;
    start_candidates(t);
    try_grounds_near(t, cell, 8);
    try_terrain(t, cell, TBS_PLAIN, RANK_LAST);
    for (int i = 0; i < 4; i++) {
        const int there = near_cell(&t->now, cell, i);
        if (there >= 0 && is_ground(t->now.cells[there].terrain))
            try_terrain(t, there, terrain, RANK_USUAL);
    }
    if (take_best(t))
        return true;
    try_without_bridge(t, cell);
    return take_best(t);
}

/* Another place for the unit, perhaps as another type; nearer ones rank first. */
static void try_places(struct tidy *t, int cell, int type, int rank) {
    const int cells = genome_cells(&t->now), width = t->now.width;
    /* All cells of a small map, a sample of those of a large one. */
    for (int i = 0; i < cells && i < PLACES_TRIED; i++) {
        const int to = cells <= PLACES_TRIED ? i : (int)rng_below(t->r, (uint32_t)cells);
        const int dx = to % width - cell % width, dy = to / width - cell / width;
        try_place(t, cell, to, type, rank + (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy));
    }
}

static void try_types(struct tidy *t, int cell, int rank) {
    for (int type = 0; type < TBS_TYPES; type++)
        try_type(t, cell, type, rank);
}

/* Another type; if that does not help, another type in another place, or other enemies. */
static bool mend_prey(struct tidy *t, int cell) {
    start_candidates(t);
    try_types(t, cell, RANK_USUAL);
    if (take_best(t))
        return true;
    for (int type = 0; type < TBS_TYPES; type++)
        if (t->space->types >> type & 1)
            try_places(t, cell, type, RANK_LAST);
    for (int i = 0; i < genome_cells(&t->now); i++)
        if (t->now.cells[i].type != GENOME_NOBODY && t->now.cells[i].side != t->now.cells[cell].side)
            try_types(t, i, RANK_OTHER);
    return take_best(t);
}

/* Ground of the space that the type can enter: plain if there is any. The unit stands on some. */
static int terrain_for(const struct tidy *t, int type) {
    int terrain = TBS_PLAIN;
    while (terrain < TBS_FORTRESS && (t->space->weight[terrain] == 0 || !space_can_stand(type, terrain)))
        terrain++;
    return terrain;
}

/* Opens a way for the unit to another cell, first along its row, or first along its column: whatever it
 * cannot enter becomes ground that it can. */
static void try_way(struct tidy *t, int from, int to, bool row_first) {
    const int width = t->now.width, type = t->now.cells[from].type, terrain = terrain_for(t, type);
    const int dx = to % width < from % width ? -1 : 1, dy = to / width < from / width ? -width : width;
    struct genome candidate = t->now;
    int changes = 0;
    for (int cell = from; cell != to;) {
        const bool row_done = cell % width == to % width, column_done = cell / width == to / width;
        cell += row_first ? (row_done ? dy : dx) : (column_done ? dx : dy);
        struct cell value = candidate.cells[cell];
        const bool is_blocked = !space_can_stand(type, value.terrain);
        if (cell == to || !is_blocked)
            continue;
        /* Who stands where this unit cannot go is less choosy: vehicles, infantry, aircraft. */
        assert(value.type == GENOME_NOBODY || space_can_stand(value.type, terrain));
        value.terrain = (uint8_t)terrain;
        genome_put(t->space, &candidate, cell, value);
        changes++;
    }
    if (changes > 0)
        weigh(t, &candidate, RANK_TYPE + changes);
}

static void try_ways(struct tidy *t, int cell) {
    for (int i = 0; i < genome_cells(&t->now); i++)
        if (t->now.cells[i].type != GENOME_NOBODY && t->now.cells[i].side != t->now.cells[cell].side) {
            try_way(t, cell, i, true);
            try_way(t, cell, i, false);
        }
}

/* Another place; if that does not help, another type, or a way to an enemy. */
static bool mend_stranded(struct tidy *t, int cell) {
    start_candidates(t);
    try_places(t, cell, t->now.cells[cell].type, RANK_USUAL);
    if (take_best(t))
        return true;
    try_types(t, cell, RANK_TYPE);
    try_ways(t, cell);
    return take_best(t);
}

static enum useless use_of_cell(const struct tidy *t, int cell) {
    const int x = cell % t->now.width + 1, y = cell / t->now.width + 1;
    for (int id = 0; id < t->map.unit_count; id++)
        if (t->map.units[id].x == x && t->map.units[id].y == y)
            return looks_unit(&t->map, t->rules, id);
    return USELESS_NOT;
}

static bool mend_cell(struct tidy *t, int cell) {
    const int x = cell % t->now.width + 1, y = cell / t->now.width + 1;
    bool changed = false;
    if (looks_is_isolated_road(&t->map, x, y))
        changed |= mend_road(t, cell);
    if (looks_is_strewn(&t->map, x, y))
        changed |= mend_strewn(t, cell);
    if (t->now.cells[cell].type == GENOME_NOBODY)
        return changed;
    const enum useless use = use_of_cell(t, cell);
    if (use == USELESS_NO_PREY)
        changed |= mend_prey(t, cell);
    else if (use != USELESS_NOT)
        changed |= mend_stranded(t, cell);
    return changed;
}

bool looks_tidy(const struct space *space, const struct tbs_rules *rules, struct rng *r, struct genome *g) {
    struct tidy t = {.space = space, .rules = rules, .r = r, .now = *g};
    bool changed = false, again = true;
    t.faults = faults_of(&t, &t.now, &t.map);
    for (int round = 0; round < ROUNDS_MAX && again && t.faults > 0; round++) {
        again = false;
        for (int cell = 0; cell < genome_cells(&t.now) && t.faults > 0; cell++)
            again |= mend_cell(&t, cell);
        changed |= again;
    }
    *g = t.now;
    return changed;
}
