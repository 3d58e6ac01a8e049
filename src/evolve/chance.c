/* SPDX-License-Identifier: MIT */
#include "evolve/chance.h"

#include <assert.h>

void chance_terrains(const struct space *space, struct terrains *out) {
    *out = (struct terrains){{0}};
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++) {
        if (space->weight[terrain] == 0)
            continue;
        out->of[GENOME_NOBODY] |= 1U << terrain;
        for (int type = 0; type < TBS_TYPES; type++)
            out->of[type] |= (unsigned)space_can_stand(type, terrain) << terrain;
    }
}

int chance_weighted(const int *weights, int count, struct rng *r) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    assert(sum > 0);
    int left = (int)rng_below(r, (uint32_t)sum), i = 0;
    while (left >= weights[i]) /* ends: what was drawn is less than the sum */
        left -= weights[i++];
    return i;
}

int chance_terrain(const struct space *space, unsigned set, struct rng *r) {
    int weights[TBS_TERRAINS];
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        weights[terrain] = (set >> terrain & 1) != 0 ? space->weight[terrain] : 0;
    return chance_weighted(weights, TBS_TERRAINS, r);
}

struct cell chance_unit(const struct space *space, unsigned types, int side, struct rng *r) {
    struct cell unit = {.side = (uint8_t)side};
    unit.type = (uint8_t)chance_member(types & space->types, r);
    unit.hp = (uint8_t)chance_between(space->hp_low, space->hp_high, r);
    return unit;
}

void places_free(const struct space *space, const struct genome *g, unsigned terrains, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < genome_cells(g); cell++)
        if (g->cells[cell].type == GENOME_NOBODY && (terrains >> g->cells[cell].terrain & 1) != 0 &&
            space_may_hold(space, cell))
            places_add(out, cell);
}

void places_units(const struct genome *g, int side, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < genome_cells(g); cell++)
        if (g->cells[cell].type != GENOME_NOBODY && g->cells[cell].side == side)
            places_add(out, cell);
}

void chance_settle(const struct space *space, struct places *places, struct cell unit, struct rng *r,
                   struct genome *g) {
    const int cell = places_take(places, r);
    struct terrains terrains;
    chance_terrains(space, &terrains);
    unit.terrain = g->cells[cell].terrain;
    if ((terrains.of[unit.type] >> unit.terrain & 1) == 0)
        unit.terrain = (uint8_t)chance_terrain(space, terrains.of[unit.type], r);
    genome_put(space, g, cell, unit);
}

bool chance_place(const struct space *space, struct cell unit, struct rng *r, struct genome *g) {
    struct terrains terrains;
    struct places places;
    chance_terrains(space, &terrains);
    places_free(space, g, terrains.of[unit.type], &places);
    if (places.count == 0)
        places_free(space, g, ~0U, &places);
    if (places.count == 0)
        return false;
    chance_settle(space, &places, unit, r, g);
    return true;
}
