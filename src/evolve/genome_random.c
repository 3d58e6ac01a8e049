/* SPDX-License-Identifier: MIT
 *
 * New maps. What vehicles can enter, infantry can, and what infantry can enter, aircraft can: so placing the
 * choosy classes first leaves nobody without a place as long as there is one, and when there is none the
 * terrain of a free cell is drawn again. As the space was checked, there always is a free cell.
 *
 * In a symmetric space the red units alone are drawn; each brings its opposite along.
 */
#include "evolve/chance.h"

#include <assert.h>

/* From the class with the fewest terrains to the one with the most. */
static const uint8_t choosy_first[TBS_CLASSES] = {TBS_VEHICLE, TBS_FOOT, TBS_AIR};

struct maker {
    const struct space *space;
    struct rng *rng;
    struct genome *genome;
    struct terrains terrains;
    int unit_count; /* of those that still look for a place */
    struct cell units[TBS_UNITS_MAX];
};

void genome_strew(const struct space *space, struct rng *r, struct genome *g) {
    for (int i = 0; i < genome_cells(g); i++)
        if (i <= space_opposite(space, i)) {
            const uint8_t terrain = (uint8_t)chance_terrain(space, ~0U, r);
            genome_put(space, g, i, (struct cell){.terrain = terrain, .type = GENOME_NOBODY});
        }
}

static void draw_units(struct maker *m) {
    const struct space *space = m->space;
    const int sides = space->symmetry == SYMMETRY_NONE ? TBS_SIDES : 1;
    for (int side = 0; side < sides; side++)
        for (int left = chance_between(space->units_min[side], space->units_max[side], m->rng); left > 0;
             left--)
            m->units[m->unit_count++] = chance_unit(space, space->types, side, m->rng);
}

/* Does the cell lie in the half where a side begins? The middle column or row lies in none. */
static bool is_own_half(const struct space *space, int cell, int side) {
    const bool rows = space->symmetry == SYMMETRY_FLIP;
    const int edge = rows ? space->height : space->width;
    const int place = rows ? cell / space->width : cell % space->width;
    return side == TBS_RED ? place < edge / 2 : place >= edge - edge / 2;
}

static void keep_own_half(const struct space *space, int side, struct places *places) {
    int kept = 0;
    for (int i = 0; i < places->count; i++)
        if (is_own_half(space, places->cells[i], side))
            places->cells[kept++] = places->cells[i];
    places->count = kept;
}

static bool place_at_home(struct maker *m, struct cell unit) {
    struct places places;
    places_free(m->space, m->genome, m->terrains.of[unit.type], &places);
    keep_own_half(m->space, unit.side, &places);
    if (places.count == 0)
        return false;
    chance_settle(m->space, &places, unit, m->rng, m->genome);
    return true;
}

/* The units of a class, as far as there is room at home, or all of them anywhere. */
static void place_class(struct maker *m, int class, bool at_home) {
    int left = 0;
    for (int i = 0; i < m->unit_count; i++) {
        const struct cell unit = m->units[i];
        bool is_placed = false;
        if (tbs_unit_types[unit.type].class == class)
            is_placed = at_home ? place_at_home(m, unit) : chance_place(m->space, unit, m->rng, m->genome);
        if (!is_placed)
            m->units[left++] = unit;
    }
    m->unit_count = left;
}

void genome_random(const struct space *space, struct rng *r, struct genome *out) {
    *out = (struct genome){.width = space->width, .height = space->height};
    struct maker m = {.space = space, .rng = r, .genome = out};
    chance_terrains(space, &m.terrains);
    if (space->patches > 0)
        genome_patches(space, r, out);
    else
        genome_strew(space, r, out);
    draw_units(&m);
    for (int i = 0; i < TBS_CLASSES; i++) {
        if (space->placement == PLACEMENT_HALVES)
            place_class(&m, choosy_first[i], true);
        place_class(&m, choosy_first[i], false);
    }
    assert(m.unit_count == 0);
}
