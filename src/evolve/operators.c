/* SPDX-License-Identifier: MIT
 *
 * Crossover, mutation, and bringing any genome into its space.
 */
#include "evolve/operators.h"

#include "evolve/random_map.h"

#include <assert.h>
#include <string.h>

/* ---- crossover: which cells come from which parent ----
 *
 * A mask decides, and always gives a cell and its opposite to the same parent. Terrain and unit of a cell
 * travel together, so a child of legal maps can have only one defect: a wrong number of units. */

/* True: the first child has that cell from the second parent. */
struct mask {
    bool is_set[GENOME_CELLS_MAX];
};

static void mask_set(const struct space *space, struct mask *mask, int cell) {
    mask->is_set[cell] = mask->is_set[space_opposite(space, cell)] = true;
}

static void mask_uniform(const struct space *space, struct rng *r, struct mask *mask) {
    uint64_t bits = 0;
    for (int cell = 0, used = 0; cell < space_cells(space); cell++) {
        if (space_opposite(space, cell) < cell)
            continue;
        if (used++ % 64 == 0)
            bits = rng_next(r);
        if ((bits & 1) != 0)
            mask_set(space, mask, cell);
        bits >>= 1;
    }
}

static void mask_block(const struct space *space, struct rng *r, struct mask *mask) {
    int width, height;
    do { /* ends: a map for two sides has more than one cell */
        width = random_between(1, space->width, r);
        height = random_between(1, space->height, r);
    } while (width * height == space_cells(space));
    const int left = random_between(0, space->width - width, r);
    const int top = random_between(0, space->height - height, r);
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++)
            mask_set(space, mask, y * space->width + x);
}

/* The edge of a region while it grows. */
struct edge {
    struct places places;
    bool is_seen[GENOME_CELLS_MAX];
};

static void edge_add(const struct space *space, struct edge *edge, int cell) {
    if (edge->is_seen[cell])
        return;
    edge->is_seen[cell] = edge->is_seen[space_opposite(space, cell)] = true;
    places_add(&edge->places, cell);
}

/* In a symmetric space a pair of opposites counts once. The region's image is never entered from the region
 * (its cells were seen with their opposites), so the region alone is connected. */
static void mask_region(const struct space *space, struct rng *r, struct mask *mask) {
    const int cells = space_cells(space);
    int pairs = 0, beside[4];
    for (int cell = 0; cell < cells; cell++)
        pairs += cell <= space_opposite(space, cell);
    const int low = (pairs + 3) / 4, high = pairs / 2 > low ? pairs / 2 : low;
    struct edge edge;
    edge.places.count = 0;
    memset(edge.is_seen, 0, (size_t)cells);
    edge_add(space, &edge, random_between(0, cells - 1, r));
    for (int left = random_between(low, high, r); left > 0 && edge.places.count > 0; left--) {
        const int cell = places_take(&edge.places, r);
        mask_set(space, mask, cell);
        const int count = space_beside(space, cell, beside);
        for (int i = 0; i < count; i++)
            edge_add(space, &edge, beside[i]);
    }
}

typedef void mask_maker(const struct space *space, struct rng *r, struct mask *mask);

static mask_maker *const makers[CROSSOVERS] = {
    [CROSSOVER_UNIFORM] = mask_uniform,
    [CROSSOVER_BLOCK] = mask_block,
    [CROSSOVER_REGION] = mask_region,
};

void operators_cross(const struct space *space, enum crossover how, const struct genome *const parents[2],
                     struct rng *r, struct genome children[2]) {
    const int cells = space_cells(space);
    struct mask mask;
    assert((int)how >= 0 && how < CROSSOVERS);
    memset(mask.is_set, 0, (size_t)cells);
    makers[how](space, r, &mask);
    for (int child = 0; child < 2; child++) {
        assert(parents[child]->width == space->width && parents[child]->height == space->height);
        assert(&children[child] != parents[0] && &children[child] != parents[1]);
        children[child] = (struct genome){.width = space->width, .height = space->height};
    }
    for (int cell = 0; cell < cells; cell++)
        for (int child = 0; child < 2; child++)
            children[child].cells[cell] = parents[mask.is_set[cell] ^ child]->cells[cell];
    for (int child = 0; child < 2; child++)
        operators_legalize(space, parents, r, &children[child]);
}

/* ---- mutation ----
 *
 * One small change. Each kind lists everything it could do before it draws, so an impossible kind is
 * noticed and every possible change has the same chance. In a symmetric space every change is made to a
 * cell and to its opposite. */

enum { HP_STEP_MAX = 3, NEARNESS = 4096 };

const char *const mutation_names[MUTATIONS] = {
    [MUTATION_TERRAIN] = "terrain", [MUTATION_TYPE] = "type", [MUTATION_HP] = "hp",
    [MUTATION_PLACE] = "place",     [MUTATION_ADD] = "add",   [MUTATION_REMOVE] = "remove",
};

struct editor {
    const struct space *space;
    struct rng *rng;
    struct genome *genome;
    struct terrains terrains;
};

static void put(const struct editor *m, int cell, struct cell value) {
    genome_put(m->space, m->genome, cell, value);
}

static struct cell emptied(struct cell cell) {
    return (struct cell){.terrain = cell.terrain, .type = GENOME_EMPTY};
}

/* ---- mutation: terrain ---- */

/* What a cell's terrain could become instead. */
static unsigned other_terrains(const struct editor *m, int cell) {
    const struct cell *c = &m->genome->cells[cell];
    return m->terrains.of[c->type] & ~(1U << c->terrain);
}

/* Those cells beside one that have such a terrain. */
static int useful_neighbours(const struct editor *m, int cell, int out[4]) {
    const unsigned others = other_terrains(m, cell);
    int beside[4], useful = 0;
    const int count = space_beside(m->space, cell, beside);
    for (int i = 0; i < count; i++)
        if ((others >> m->genome->cells[beside[i]].terrain & 1) != 0)
            out[useful++] = beside[i];
    return useful;
}

static void set_terrain(const struct editor *m, int cell, int terrain) {
    struct cell changed = m->genome->cells[cell];
    changed.terrain = (uint8_t)terrain;
    put(m, cell, changed);
}

static bool spread_terrain(const struct editor *m) {
    struct places places;
    places.count = 0;
    int beside[4];
    for (int cell = 0; cell < genome_cells(m->genome); cell++)
        if (useful_neighbours(m, cell, beside) > 0)
            places_add(&places, cell);
    if (places.count == 0)
        return false;
    const int cell = places_take(&places, m->rng), count = useful_neighbours(m, cell, beside);
    set_terrain(m, cell, m->genome->cells[beside[rng_below(m->rng, (uint32_t)count)]].terrain);
    return true;
}

static bool replace_terrain(const struct editor *m) {
    struct places places;
    places.count = 0;
    for (int cell = 0; cell < genome_cells(m->genome); cell++)
        if (other_terrains(m, cell) != 0)
            places_add(&places, cell);
    if (places.count == 0)
        return false;
    const int cell = places_take(&places, m->rng);
    set_terrain(m, cell, random_terrain(m->space, other_terrains(m, cell), m->rng));
    return true;
}

static bool mutate_terrain(const struct editor *m) {
    return (rng_below(m->rng, 2) == 0 && spread_terrain(m)) || replace_terrain(m);
}

/* ---- mutation: units ---- */

/* All units; of a pair in a symmetric space both, which is as good as one of them. */
enum { BOTH_SIDES = 1 << TBS_RED | 1 << TBS_BLUE };

/* The types of the space that can stand on a terrain. */
static unsigned types_on(const struct editor *m, int terrain) {
    unsigned types = 0;
    for (int type = 0; type < TBS_TYPES; type++)
        types |= (m->terrains.of[type] >> terrain & 1) << type;
    return types & m->space->types;
}

static bool mutate_type(const struct editor *m) {
    struct places units;
    places_units(m->genome, BOTH_SIDES, &units);
    while (units.count > 0) {
        const int cell = places_take(&units, m->rng);
        struct cell changed = m->genome->cells[cell];
        const unsigned others = types_on(m, changed.terrain) & ~(1U << changed.type);
        if (others == 0)
            continue;
        changed.type = (uint8_t)random_member(others, m->rng);
        put(m, cell, changed);
        return true;
    }
    return false;
}

static bool mutate_hp(const struct editor *m) {
    struct places units;
    places_units(m->genome, BOTH_SIDES, &units);
    if (m->space->hp_low == m->space->hp_high)
        return false;
    const int cell = places_take(&units, m->rng);
    struct cell changed = m->genome->cells[cell];
    unsigned steps = 0; /* bit i: HP_STEP_MAX - i less */
    for (int step = -HP_STEP_MAX; step <= HP_STEP_MAX; step++)
        if (step != 0 && changed.hp + step >= m->space->hp_low && changed.hp + step <= m->space->hp_high)
            steps |= 1U << (step + HP_STEP_MAX);
    changed.hp = (uint8_t)(changed.hp + random_member(steps, m->rng) - HP_STEP_MAX);
    put(m, cell, changed);
    return true;
}

/* One of the places, with a weight that falls with the square of the distance. */
static int draw_near(const struct editor *m, int from, const struct places *places) {
    int weights[GENOME_CELLS_MAX];
    for (int i = 0; i < places->count; i++) {
        const int far = space_distance(m->space, from, places->cells[i]);
        weights[i] = NEARNESS / (far * far);
    }
    return places->cells[random_weighted(weights, places->count, m->rng)];
}

static bool mutate_place(const struct editor *m) {
    struct places units, places;
    places_units(m->genome, BOTH_SIDES, &units);
    while (units.count > 0) {
        const int from = places_take(&units, m->rng);
        struct cell unit = m->genome->cells[from];
        places_free(m->space, m->genome, m->terrains.of[unit.type], &places);
        if (places.count == 0)
            continue;
        const int to = draw_near(m, from, &places);
        unit.terrain = m->genome->cells[to].terrain;
        put(m, from, emptied(m->genome->cells[from]));
        put(m, to, unit);
        return true;
    }
    return false;
}

static bool mutate_add(const struct editor *m) {
    unsigned sides = 0, types = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        sides |= (unsigned)(genome_units(m->genome, side) < m->space->units_max[side]) << side;
    struct places places;
    places_free(m->space, m->genome, ~0U, &places);
    for (int i = 0; i < places.count; i++)
        types |= types_on(m, m->genome->cells[places.cells[i]].terrain);
    if (sides == 0 || types == 0)
        return false;
    const int side = random_member(sides, m->rng);
    const bool is_placed =
        place_unit(m->space, random_unit(m->space, types, side, m->rng), m->rng, m->genome);
    assert(is_placed);
    return is_placed;
}

static bool mutate_remove(const struct editor *m) {
    unsigned sides = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        sides |= (unsigned)(genome_units(m->genome, side) > m->space->units_min[side]) << side;
    if (sides == 0)
        return false;
    struct places units;
    places_units(m->genome, 1U << random_member(sides, m->rng), &units);
    const int cell = places_take(&units, m->rng);
    put(m, cell, emptied(m->genome->cells[cell]));
    return true;
}

/* ---- mutation: all kinds ---- */

/* False: no such change is possible, and nothing was changed. */
typedef bool mutate_kind(const struct editor *m);

static mutate_kind *const kinds_of_mutation[MUTATIONS] = {
    [MUTATION_TERRAIN] = mutate_terrain, [MUTATION_TYPE] = mutate_type, [MUTATION_HP] = mutate_hp,
    [MUTATION_PLACE] = mutate_place,     [MUTATION_ADD] = mutate_add,   [MUTATION_REMOVE] = mutate_remove,
};

/* The first possible kind of a random order is uniform among the possible ones. */
enum mutation operators_mutate(const struct space *space, unsigned kinds, struct rng *r, struct genome *g) {
    assert(g->width == space->width && g->height == space->height);
    struct editor m = {.space = space, .rng = r, .genome = g};
    terrains_by_type(space, &m.terrains);
    kinds &= MUTATION_ALL;
    while (kinds != 0) {
        const int kind = random_member(kinds, r);
        if (kinds_of_mutation[kind](&m))
            return (enum mutation)kind;
        kinds &= ~(1U << kind);
    }
    return MUTATIONS;
}

/* ---- legalizing ----
 *
 * Five steps bring a genome into its space, and each leaves the work of the earlier ones alone: numbers into
 * their ranges, symmetry, places, too many units, too few units. A legal map passes all of them unchanged. */

static bool may_stand(const struct editor *l, int type, int terrain) {
    return (l->terrains.of[type] >> terrain & 1) != 0;
}

/* ---- legalizing: ranges ---- */

static void correct_cell(const struct editor *l, struct cell *cell) {
    const struct space *space = l->space;
    const bool is_known = cell->type < TBS_TYPES && (space->types >> cell->type & 1) != 0;
    if (cell->terrain >= TBS_TERRAINS || !may_stand(l, GENOME_EMPTY, cell->terrain))
        cell->terrain =
            (uint8_t)random_terrain(space, l->terrains.of[is_known ? cell->type : GENOME_EMPTY], l->rng);
    if (cell->type == GENOME_EMPTY) {
        cell->side = cell->hp = 0;
        return;
    }
    if (!is_known) {
        const unsigned types = types_on(l, cell->terrain);
        cell->type = (uint8_t)random_member(types != 0 ? types : space->types, l->rng);
    }
    if (cell->side >= TBS_SIDES)
        cell->side = (uint8_t)rng_below(l->rng, TBS_SIDES);
    if (cell->hp < space->hp_low)
        cell->hp = (uint8_t)space->hp_low;
    if (cell->hp > space->hp_high)
        cell->hp = (uint8_t)space->hp_high;
}

/* ---- legalizing: symmetry ---- */

static bool is_red(const struct genome *g, int cell) {
    return g->cells[cell].type != GENOME_EMPTY && g->cells[cell].side == TBS_RED;
}

/* Cells that are their own opposite come later: they have the wrong place. */
static void make_symmetric(const struct editor *l) {
    struct genome *g = l->genome;
    for (int cell = 0; cell < genome_cells(g); cell++) {
        const int other = space_opposite(l->space, cell);
        if (other > cell) {
            const int model = !is_red(g, cell) && is_red(g, other) ? other : cell;
            genome_put(l->space, g, model, g->cells[model]);
        }
    }
}

/* ---- legalizing: places ---- */

static void keep_nearest(const struct space *space, int from, struct places *places) {
    int nearest = INT16_MAX, kept = 0;
    for (int i = 0; i < places->count; i++) {
        const int far = space_distance(space, from, places->cells[i]);
        if (far < nearest) {
            nearest = far;
            kept = 0;
        }
        if (far == nearest)
            places->cells[kept++] = places->cells[i];
    }
    places->count = kept;
}

/* Moves the unit to the nearest place where it can stand. Without one its terrain changes, or, on a cell
 * where no unit may stand, that of the nearest free cell. A unit that has no place left is removed, and so
 * is a blue one on a cell that is its own opposite: it is the image of no red unit. */
static void move_unit(const struct editor *l, int cell) {
    struct genome *g = l->genome;
    const struct cell unit = g->cells[cell];
    struct places places;
    put(l, cell, emptied(unit));
    if (!space_may_hold(l->space, cell) && unit.side != TBS_RED)
        return;
    places_free(l->space, g, l->terrains.of[unit.type], &places);
    if (places.count == 0)
        places_free(l->space, g, ~0U, &places);
    keep_nearest(l->space, cell, &places);
    if (places.count > 0)
        place_unit_among(l->space, &places, unit, l->rng, g);
}

static bool is_misplaced(const struct editor *l, int cell) {
    const struct cell *c = &l->genome->cells[cell];
    return c->type != GENOME_EMPTY && (!may_stand(l, c->type, c->terrain) || !space_may_hold(l->space, cell));
}

/* ---- legalizing: limits ---- */

static void remove_surplus(const struct editor *l, int side) {
    struct genome *g = l->genome;
    struct places units;
    places_units(g, 1U << side, &units);
    while (units.count > l->space->units_max[side]) {
        const int cell = places_take(&units, l->rng);
        put(l, cell, emptied(g->cells[cell]));
    }
}

/* Whether this cell of a parent is legal in the space. */
static bool is_usable(const struct editor *l, int cell, const struct cell *c) {
    const struct space *space = l->space;
    return space_may_hold(space, cell) && c->terrain < TBS_TERRAINS && may_stand(l, c->type, c->terrain) &&
           (space->types >> c->type & 1) != 0 && c->hp >= space->hp_low && c->hp <= space->hp_high;
}

/* The cells where a parent has a unit of that side and the child has none. */
static void find_lost(const struct editor *l, const struct genome *parent, int side, struct places *out) {
    out->count = 0;
    if (parent == NULL)
        return;
    for (int cell = 0; cell < genome_cells(parent); cell++) {
        const struct cell *c = &parent->cells[cell];
        if (c->type < TBS_TYPES && c->side == side && l->genome->cells[cell].type == GENOME_EMPTY &&
            is_usable(l, cell, c))
            places_add(out, cell);
    }
}

/* Restores one of these cells, uniform among those of both parents; false when there is none. */
static bool restore_unit(const struct editor *l, const struct genome *const parents[2], int side) {
    struct places lost[2];
    for (int i = 0; i < 2; i++)
        find_lost(l, parents[i], side, &lost[i]);
    const int count = lost[0].count + lost[1].count;
    if (count == 0)
        return false;
    const int from = (int)rng_below(l->rng, (uint32_t)count) < lost[0].count ? 0 : 1;
    const int cell = places_take(&lost[from], l->rng);
    genome_put(l->space, l->genome, cell, parents[from]->cells[cell]);
    return true;
}

static void add_missing(const struct editor *l, const struct genome *const parents[2], int side) {
    for (int left = l->space->units_min[side] - genome_units(l->genome, side); left > 0; left--) {
        if (restore_unit(l, parents, side))
            continue;
        const struct cell unit = random_unit(l->space, l->space->types, side, l->rng);
        const bool is_placed = place_unit(l->space, unit, l->rng, l->genome);
        assert(is_placed); /* no side has too many, and the most of both sides fit */
        (void)is_placed;
    }
}

void operators_legalize(const struct space *space, const struct genome *const parents[2], struct rng *r,
                        struct genome *g) {
    assert(g->width == space->width && g->height == space->height);
    struct editor l = {.space = space, .rng = r, .genome = g};
    const int cells = genome_cells(g);
    terrains_by_type(space, &l.terrains);
    for (int cell = 0; cell < cells; cell++)
        correct_cell(&l, &g->cells[cell]);
    if (space->symmetry != SYMMETRY_NONE)
        make_symmetric(&l);
    for (int cell = 0; cell < cells; cell++)
        if (is_misplaced(&l, cell))
            move_unit(&l, cell);
    for (int side = 0; side < TBS_SIDES; side++)
        remove_surplus(&l, side);
    for (int side = 0; side < TBS_SIDES; side++)
        add_missing(&l, parents, side);
}
