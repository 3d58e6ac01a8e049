/* SPDX-License-Identifier: MIT
 *
 * Bringing a genome into its space, in five steps of which each leaves the work of the earlier ones alone:
 * numbers into their ranges, symmetry, places, too many units, too few units. A map that is right passes all
 * of them unchanged.
 */
#include "evolve/chance.h"
#include "evolve/operators.h"

#include <assert.h>

struct legalizer {
    const struct space *space;
    struct rng *rng;
    struct genome *genome;
    struct terrains terrains;
};

static bool may_stand(const struct legalizer *l, int type, int terrain) {
    return (l->terrains.of[type] >> terrain & 1) != 0;
}

/* ---- ranges ---- */

/* The types of the space that can stand on a terrain; all of them when none can. */
static unsigned types_for(const struct legalizer *l, int terrain) {
    unsigned types = 0;
    for (int type = 0; type < TBS_TYPES; type++)
        types |= (unsigned)may_stand(l, type, terrain) << type;
    types &= l->space->types;
    return types != 0 ? types : l->space->types;
}

static void correct_cell(const struct legalizer *l, struct cell *cell) {
    const struct space *space = l->space;
    const bool is_known = cell->type < TBS_TYPES && (space->types >> cell->type & 1) != 0;
    if (cell->terrain >= TBS_TERRAINS || !may_stand(l, GENOME_NOBODY, cell->terrain))
        cell->terrain =
            (uint8_t)chance_terrain(space, l->terrains.of[is_known ? cell->type : GENOME_NOBODY], l->rng);
    if (cell->type == GENOME_NOBODY) {
        cell->side = cell->hp = 0;
        return;
    }
    if (!is_known)
        cell->type = (uint8_t)chance_member(types_for(l, cell->terrain), l->rng);
    if (cell->side >= TBS_SIDES)
        cell->side = (uint8_t)rng_below(l->rng, TBS_SIDES);
    if (cell->hp < space->hp_low)
        cell->hp = (uint8_t)space->hp_low;
    if (cell->hp > space->hp_high)
        cell->hp = (uint8_t)space->hp_high;
}

/* ---- symmetry ---- */

static bool is_red(const struct genome *g, int cell) {
    return g->cells[cell].type != GENOME_NOBODY && g->cells[cell].side == TBS_RED;
}

/* Cells that are their own opposite come later: they have the wrong place. */
static void make_symmetric(const struct legalizer *l) {
    struct genome *g = l->genome;
    for (int cell = 0; cell < genome_cells(g); cell++) {
        const int other = space_opposite(l->space, cell);
        if (other > cell) {
            const int model = !is_red(g, cell) && is_red(g, other) ? other : cell;
            genome_put(l->space, g, model, g->cells[model]);
        }
    }
}

/* ---- places ---- */

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

/* To the nearest place where it can stand; otherwise its terrain changes, or where nobody may stand that of
 * the nearest free cell. A unit that has no place left is given up, and so is a blue one on a cell that is
 * its own opposite: there is no red one whose image it could be. */
static void move_unit(const struct legalizer *l, int cell) {
    struct genome *g = l->genome;
    const struct cell unit = g->cells[cell];
    struct places places;
    genome_put(l->space, g, cell, (struct cell){.terrain = unit.terrain, .type = GENOME_NOBODY});
    if (!space_may_hold(l->space, cell) && unit.side != TBS_RED)
        return;
    places_free(l->space, g, l->terrains.of[unit.type], &places);
    if (places.count == 0)
        places_free(l->space, g, ~0U, &places);
    keep_nearest(l->space, cell, &places);
    if (places.count > 0)
        chance_settle(l->space, &places, unit, l->rng, g);
}

static bool is_misplaced(const struct legalizer *l, int cell) {
    const struct cell *c = &l->genome->cells[cell];
    return c->type != GENOME_NOBODY &&
           (!may_stand(l, c->type, c->terrain) || !space_may_hold(l->space, cell));
}

/* ---- limits ---- */

static void remove_surplus(const struct legalizer *l, int side) {
    struct genome *g = l->genome;
    struct places units;
    places_units(g, side, &units);
    while (units.count > l->space->units_max[side]) {
        const int cell = places_take(&units, l->rng);
        genome_put(l->space, g, cell,
                   (struct cell){.terrain = g->cells[cell].terrain, .type = GENOME_NOBODY});
    }
}

/* Could this cell of a parent stand in a map of the space? */
static bool is_usable(const struct legalizer *l, int cell, const struct cell *c) {
    const struct space *space = l->space;
    return space_may_hold(space, cell) && c->terrain < TBS_TERRAINS && may_stand(l, c->type, c->terrain) &&
           (space->types >> c->type & 1) != 0 && c->hp >= space->hp_low && c->hp <= space->hp_high;
}

/* The cells where a parent has a unit of that side and nobody is here. */
static void find_lost(const struct legalizer *l, const struct genome *parent, int side, struct places *out) {
    out->count = 0;
    if (parent == NULL)
        return;
    for (int cell = 0; cell < genome_cells(parent); cell++) {
        const struct cell *c = &parent->cells[cell];
        if (c->type < TBS_TYPES && c->side == side && l->genome->cells[cell].type == GENOME_NOBODY &&
            is_usable(l, cell, c))
            places_add(out, cell);
    }
}

/* Gives back such a cell, uniformly among those of both; false when there is none. */
static bool recall_unit(const struct legalizer *l, const struct genome *const parents[2], int side) {
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

static void add_missing(const struct legalizer *l, const struct genome *const parents[2], int side) {
    for (int left = l->space->units_min[side] - genome_units(l->genome, side); left > 0; left--) {
        if (recall_unit(l, parents, side))
            continue;
        const struct cell unit = chance_unit(l->space, l->space->types, side, l->rng);
        const bool is_placed = chance_place(l->space, unit, l->rng, l->genome);
        assert(is_placed); /* nobody has too many, and the most of both sides fit */
        (void)is_placed;
    }
}

void operators_legalize(const struct space *space, const struct genome *const parents[2], struct rng *r,
                        struct genome *g) {
    assert(g->width == space->width && g->height == space->height);
    struct legalizer l = {.space = space, .rng = r, .genome = g};
    const int cells = genome_cells(g);
    chance_terrains(space, &l.terrains);
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
