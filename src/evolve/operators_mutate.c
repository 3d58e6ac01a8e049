/* SPDX-License-Identifier: MIT
 *
 * One small change. Each kind looks at everything it could do before it draws, so that it knows when nothing
 * is possible and every possible change has its fair chance; in a symmetric space whatever is done to a cell
 * is done to its opposite.
 */
#include "evolve/chance.h"
#include "evolve/operators.h"

#include <assert.h>

enum { HP_STEP_MAX = 3, NEARNESS = 4096 };

const char *const mutation_names[MUTATIONS] = {
    [MUTATION_TERRAIN] = "terrain", [MUTATION_TYPE] = "type", [MUTATION_HP] = "hp",
    [MUTATION_PLACE] = "place",     [MUTATION_ADD] = "add",   [MUTATION_REMOVE] = "remove",
};

struct mutator {
    const struct space *space;
    struct rng *rng;
    struct genome *genome;
    struct terrains terrains;
};

static void put(const struct mutator *m, int cell, struct cell value) {
    genome_put(m->space, m->genome, cell, value);
}

static struct cell emptied(struct cell cell) {
    return (struct cell){.terrain = cell.terrain, .type = GENOME_NOBODY};
}

/* ---- terrain ---- */

/* What a cell's terrain could become instead. */
static unsigned other_terrains(const struct mutator *m, int cell) {
    const struct cell *c = &m->genome->cells[cell];
    return m->terrains.of[c->type] & ~(1U << c->terrain);
}

/* Those cells beside one that have such a terrain. */
static int useful_neighbours(const struct mutator *m, int cell, int out[4]) {
    const unsigned others = other_terrains(m, cell);
    int beside[4], useful = 0;
    const int count = space_beside(m->space, cell, beside);
    for (int i = 0; i < count; i++)
        if ((others >> m->genome->cells[beside[i]].terrain & 1) != 0)
            out[useful++] = beside[i];
    return useful;
}

static void set_terrain(const struct mutator *m, int cell, int terrain) {
    struct cell changed = m->genome->cells[cell];
    changed.terrain = (uint8_t)terrain;
    put(m, cell, changed);
}

static bool spread_terrain(const struct mutator *m) {
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

static bool replace_terrain(const struct mutator *m) {
    struct places places;
    places.count = 0;
    for (int cell = 0; cell < genome_cells(m->genome); cell++)
        if (other_terrains(m, cell) != 0)
            places_add(&places, cell);
    if (places.count == 0)
        return false;
    const int cell = places_take(&places, m->rng);
    set_terrain(m, cell, chance_terrain(m->space, other_terrains(m, cell), m->rng));
    return true;
}

static bool mutate_terrain(const struct mutator *m) {
    return (rng_below(m->rng, 2) == 0 && spread_terrain(m)) || replace_terrain(m);
}

/* ---- units ---- */

/* All units; of a pair in a symmetric space both, which is as good as one of them. */
static void find_units(const struct mutator *m, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < genome_cells(m->genome); cell++)
        if (m->genome->cells[cell].type != GENOME_NOBODY)
            places_add(out, cell);
}

static unsigned types_on(const struct mutator *m, int terrain) {
    unsigned types = 0;
    for (int type = 0; type < TBS_TYPES; type++)
        types |= (m->terrains.of[type] >> terrain & 1) << type;
    return types & m->space->types;
}

static bool mutate_type(const struct mutator *m) {
    struct places units;
    find_units(m, &units);
    while (units.count > 0) {
        const int cell = places_take(&units, m->rng);
        struct cell changed = m->genome->cells[cell];
        const unsigned others = types_on(m, changed.terrain) & ~(1U << changed.type);
        if (others == 0)
            continue;
        changed.type = (uint8_t)chance_member(others, m->rng);
        put(m, cell, changed);
        return true;
    }
    return false;
}

static bool mutate_hp(const struct mutator *m) {
    struct places units;
    find_units(m, &units);
    if (m->space->hp_low == m->space->hp_high)
        return false;
    const int cell = places_take(&units, m->rng);
    struct cell changed = m->genome->cells[cell];
    unsigned steps = 0; /* bit i: HP_STEP_MAX - i less */
    for (int step = -HP_STEP_MAX; step <= HP_STEP_MAX; step++)
        if (step != 0 && changed.hp + step >= m->space->hp_low && changed.hp + step <= m->space->hp_high)
            steps |= 1U << (step + HP_STEP_MAX);
    changed.hp = (uint8_t)(changed.hp + chance_member(steps, m->rng) - HP_STEP_MAX);
    put(m, cell, changed);
    return true;
}

/* One of the places, with a weight that falls with the square of the distance. */
static int draw_near(const struct mutator *m, int from, const struct places *places) {
    int weights[GENOME_CELLS_MAX];
    for (int i = 0; i < places->count; i++) {
        const int far = space_distance(m->space, from, places->cells[i]);
        weights[i] = NEARNESS / (far * far);
    }
    return places->cells[chance_weighted(weights, places->count, m->rng)];
}

static bool mutate_place(const struct mutator *m) {
    struct places units, places;
    find_units(m, &units);
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

static bool mutate_add(const struct mutator *m) {
    unsigned sides = 0, types = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        sides |= (unsigned)(genome_units(m->genome, side) < m->space->units_max[side]) << side;
    struct places places;
    places_free(m->space, m->genome, ~0U, &places);
    for (int i = 0; i < places.count; i++)
        types |= types_on(m, m->genome->cells[places.cells[i]].terrain);
    if (sides == 0 || types == 0)
        return false;
    const int side = chance_member(sides, m->rng);
    const bool is_placed =
        chance_place(m->space, chance_unit(m->space, types, side, m->rng), m->rng, m->genome);
    assert(is_placed);
    return is_placed;
}

static bool mutate_remove(const struct mutator *m) {
    unsigned sides = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        sides |= (unsigned)(genome_units(m->genome, side) > m->space->units_min[side]) << side;
    if (sides == 0)
        return false;
    struct places units;
    places_units(m->genome, chance_member(sides, m->rng), &units);
    const int cell = places_take(&units, m->rng);
    put(m, cell, emptied(m->genome->cells[cell]));
    return true;
}

/* ---- all kinds ---- */

/* False: no such change is possible, and nothing was changed. */
typedef bool mutate_kind(const struct mutator *m);

static mutate_kind *const kinds_of_mutation[MUTATIONS] = {
    [MUTATION_TERRAIN] = mutate_terrain, [MUTATION_TYPE] = mutate_type, [MUTATION_HP] = mutate_hp,
    [MUTATION_PLACE] = mutate_place,     [MUTATION_ADD] = mutate_add,   [MUTATION_REMOVE] = mutate_remove,
};

/* The first possible kind of a random order is uniform among the possible ones. */
enum mutation operators_mutate(const struct space *space, unsigned kinds, struct rng *r, struct genome *g) {
    assert(g->width == space->width && g->height == space->height);
    struct mutator m = {.space = space, .rng = r, .genome = g};
    chance_terrains(space, &m.terrains);
    kinds &= MUTATION_ALL;
    while (kinds != 0) {
        const int kind = chance_member(kinds, r);
        if (kinds_of_mutation[kind](&m))
            return (enum mutation)kind;
        kinds &= ~(1U << kind);
    }
    return MUTATIONS;
}
