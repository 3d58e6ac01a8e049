/* SPDX-License-Identifier: MIT
 *
 * Spaces of maps and genomes in them: checks, conversion to and from maps, comparison.
 */
#include "evolve/genome.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/tbs/map.h"

/* ---- spaces ---- */

bool space_can_stand(int type, int terrain) {
    return tbs_terrain_types[terrain].cost[tbs_unit_types[type].class] < TBS_IMPASSABLE;
}

/* The order is part of the results: mutations draw from a list of them. */
int space_beside(const struct space *space, int cell, int i) {
    static const int dx[4] = {-1, 1, 0, 0}, dy[4] = {0, 0, -1, 1};
    const int x = cell % space->width + dx[i], y = cell / space->width + dy[i];
    const bool is_inside = x >= 0 && y >= 0 && x < space->width && y < space->height;
    return is_inside ? y * space->width + x : -1;
}

int space_distance(const struct space *space, int a, int b) {
    return abs(a % space->width - b % space->width) + abs(a / space->width - b / space->width);
}

/* Makes one map of the space, with the most units it allows: if that succeeds the space is not empty. The
 * generator of random maps checks every range and finds units that have nowhere to stand. */
static bool make_one(const struct space *space, struct err *e) {
    struct tbs_random_options options = {
        .width = space->width,
        .height = space->height,
        .units = {space->units_max[TBS_RED], space->units_max[TBS_BLUE]},
        .turn_limit = space->turn_limit,
        .threshold = space->threshold,
        .hp_low = space->hp_low,
        .hp_high = space->hp_high,
        .types = space->types,
    };
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        options.weight[terrain] = space->weight[terrain];
    struct rng r;
    struct tbs_map map;
    rng_seed(&r, 0);
    return tbs_map_random(&options, &r, &map, e);
}

bool space_check(const struct space *space, struct err *e) {
    if ((int)space->symmetry < 0 || space->symmetry >= SYMMETRIES)
        return err_set(e, "the symmetry is number %d; expected 0 to %d", (int)space->symmetry,
                       SYMMETRIES - 1);
    if ((int)space->placement < 0 || space->placement >= PLACEMENTS)
        return err_set(e, "the placement is number %d; expected 0 to %d", (int)space->placement,
                       PLACEMENTS - 1);
    if (!(space->patches >= 0 && space->patches <= 1))
        return err_set(e, "the patches are %g; expected 0 to 1", space->patches);
    if (!make_one(space, e))
        return false;
    for (int side = 0; side < TBS_SIDES; side++)
        if (space->units_min[side] < 1 || space->units_min[side] > space->units_max[side])
            return err_code(e, "refused.least_units",
                            "the least number of %s units is %d; expected 1 to %d, the most",
                            tbs_side_names[side], space->units_min[side], space->units_max[side]);
    if (space->symmetry == SYMMETRY_NONE)
        return true;
    for (int i = 0; i < 2; i++) {
        const int *limit = i == 0 ? space->units_min : space->units_max;
        if (limit[TBS_RED] != limit[TBS_BLUE])
            return err_code(e, "refused.symmetric",
                            "a symmetric map has as many red as blue units: at %s %d and %d cannot be",
                            i == 0 ? "least" : "most", limit[TBS_RED], limit[TBS_BLUE]);
    }
    int room = 0; /* cells that are their own opposite hold no unit: an odd map has fewer places than cells */
    for (int cell = 0; cell < space_cells(space); cell++)
        room += space_may_hold(space, cell);
    return 2 * space->units_max[TBS_RED] <= room ||
           err_code(e, "refused.units_side",
                    "%d units a side do not fit on %d x %d cells: a map with this symmetry has room for %d",
                    space->units_max[TBS_RED], space->width, space->height, room / 2);
}

/* ---- cells of a genome ---- */

int genome_units(const struct genome *g, int side) {
    int count = 0;
    for (int i = 0; i < genome_cells(g); i++)
        count += g->cells[i].type != GENOME_EMPTY && g->cells[i].side == side;
    return count;
}

/* What stands on the opposite cell. */
static struct cell seen_from_there(struct cell cell) {
    if (cell.type != GENOME_EMPTY)
        cell.side = (uint8_t)(1 - cell.side);
    return cell;
}

/* A cell that is its own opposite can hold terrain only: a unit there would have both sides. */
void genome_put(const struct space *space, struct genome *g, int index, struct cell value) {
    const int other = space_opposite(space, index);
    assert(value.type == GENOME_EMPTY || space_may_hold(space, index));
    g->cells[index] = value;
    if (other != index)
        g->cells[other] = seen_from_there(value);
}

/* ---- maps ---- */

/* The sides are walked one after the other, because ids are given red first. */
void genome_to_map(const struct space *space, const struct genome *g, struct tbs_map *out) {
    *out = (struct tbs_map){
        .width = g->width + 2,
        .height = g->height + 2,
        .turn_limit = space->turn_limit,
        .threshold = space->threshold,
    };
    for (int side = 0; side < TBS_SIDES; side++) {
        assert(genome_units(g, side) <= TBS_SIDE_UNITS_MAX);
        for (int i = 0; i < genome_cells(g); i++) {
            const struct cell *cell = &g->cells[i];
            const uint8_t x = (uint8_t)(i % g->width + 1), y = (uint8_t)(i / g->width + 1);
            out->terrain[x][y] = cell->terrain;
            if (cell->type == GENOME_EMPTY || cell->side != side)
                continue;
            out->units[out->unit_count++] =
                (struct tbs_map_unit){.x = x, .y = y, .type = cell->type, .side = cell->side, .hp = cell->hp};
            out->declared[side]++;
        }
    }
}

bool genome_from_map(const struct space *space, const struct tbs_map *map, struct genome *out,
                     struct err *e) {
    const int width = map->width - 2, height = map->height - 2;
    if (width != space->width || height != space->height)
        return err_code(e, "refused.map_cells", "the map has %d x %d cells; expected %d x %d", width, height,
                        space->width, space->height);
    *out = (struct genome){.width = width, .height = height};
    for (int i = 0; i < genome_cells(out); i++)
        out->cells[i] =
            (struct cell){.terrain = map->terrain[i % width + 1][i / width + 1], .type = GENOME_EMPTY};
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        if (!tbs_map_is_playable(map, u->x, u->y))
            return err_set(e, "unit %d stands at (%d, %d), outside the map", id, u->x, u->y);
        struct cell *cell = &out->cells[(u->y - 1) * width + u->x - 1];
        if (cell->type != GENOME_EMPTY)
            return err_set(e, "two units stand at (%d, %d)", u->x, u->y);
        *cell = (struct cell){.terrain = cell->terrain, .type = u->type, .side = u->side, .hp = u->hp};
    }
    return genome_is_legal(space, out, e);
}

/* ---- what is legal ---- */

/* Where a cell is, in the words of a map file. */
#define AT(g, i) (i) % (g)->width + 1, (i) / (g)->width + 1

/* Every number may come from a file or from a store, so none is trusted. */
static bool check_cell(const struct space *space, const struct genome *g, int i, struct err *why) {
    const struct cell *cell = &g->cells[i];
    if (cell->terrain >= TBS_TERRAINS)
        return err_set(why, "the terrain at (%d, %d) is number %d, which is none", AT(g, i), cell->terrain);
    if (space->weight[cell->terrain] == 0)
        return err_set(why, "the terrain at (%d, %d) is %s, which may not come", AT(g, i),
                       tbs_terrain_types[cell->terrain].name);
    if (cell->type > GENOME_EMPTY)
        return err_set(why, "the unit at (%d, %d) is of type %d, which is none", AT(g, i), cell->type);
    if (cell->type == GENOME_EMPTY)
        return (cell->side == 0 && cell->hp == 0) ||
               err_set(why, "there is no unit at (%d, %d), but a side or HP", AT(g, i));
    if (cell->side >= TBS_SIDES)
        return err_set(why, "the unit at (%d, %d) has no side", AT(g, i));
    const char *side = tbs_side_names[cell->side], *name = tbs_unit_types[cell->type].name;
    if ((space->types >> cell->type & 1) == 0)
        return err_set(why, "%s's %s at (%d, %d) is of a type that may not come", side, name, AT(g, i));
    if (cell->hp < space->hp_low || cell->hp > space->hp_high)
        return err_set(why, "%s's %s at (%d, %d) has HP %d; expected %d to %d", side, name, AT(g, i),
                       cell->hp, space->hp_low, space->hp_high);
    return space_can_stand(cell->type, cell->terrain) ||
           err_set(why, "%s's %s at (%d, %d) stands on %s, which it cannot enter", side, name, AT(g, i),
                   tbs_terrain_types[cell->terrain].name);
}

bool genome_is_legal(const struct space *space, const struct genome *g, struct err *why) {
    if (g->width != space->width || g->height != space->height)
        return err_set(why, "the map has %d x %d cells; expected %d x %d", g->width, g->height, space->width,
                       space->height);
    for (int i = 0; i < genome_cells(g); i++)
        if (!check_cell(space, g, i, why))
            return false;
    for (int side = 0; side < TBS_SIDES; side++) {
        const int count = genome_units(g, side);
        if (count < space->units_min[side] || count > space->units_max[side])
            return err_set(why, "%s has %d units; expected %d to %d", tbs_side_names[side], count,
                           space->units_min[side], space->units_max[side]);
    }
    for (int i = 0; space->symmetry != SYMMETRY_NONE && i < genome_cells(g); i++) {
        const int other = space_opposite(space, i);
        const struct cell expected = seen_from_there(g->cells[i]);
        if (other == i && g->cells[i].type != GENOME_EMPTY)
            return err_set(why,
                           "a unit stands at (%d, %d), which is its own opposite: the map is not symmetric",
                           AT(g, i));
        if (other > i && memcmp(&g->cells[other], &expected, sizeof expected) != 0)
            return err_set(why, "(%d, %d) and its opposite (%d, %d) do not match: the map is not symmetric",
                           AT(g, i), AT(g, other));
    }
    return true;
}

/* ---- comparing ---- */

/* A cell has no padding, so its bytes are hashed as they are. FNV alone spreads the last bytes badly; rng_mix
 * spreads them over all bits. */
uint64_t genome_hash(const struct genome *g) {
    const uint64_t size = (uint64_t)g->width << 32 | (uint64_t)g->height;
    _Static_assert(sizeof(struct cell) == 4, "a cell is its four numbers");
    const uint64_t hash = hash_u64(HASH_START, size);
    return rng_mix(hash_bytes(hash, g->cells, (size_t)genome_cells(g) * sizeof g->cells[0]));
}

double genome_difference(const struct genome *a, const struct genome *b) {
    assert(a->width == b->width && a->height == b->height);
    int quarters = 0; /* of a cell */
    for (int i = 0; i < genome_cells(a); i++) {
        const struct cell *c = &a->cells[i], *d = &b->cells[i];
        const bool other_unit = c->type != d->type || c->side != d->side;
        quarters += (c->terrain != d->terrain ? 2 : 0) + (other_unit ? 2 : c->hp != d->hp);
    }
    return (double)quarters / (4.0 * genome_cells(a));
}
