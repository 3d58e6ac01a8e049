/* SPDX-License-Identifier: MIT
 *
 * Random maps: single draws, which the operators use too, units placed on a whole new map, and terrain in
 * patches as a person would draw it.
 */
#include "evolve/random_map.h"

#include <assert.h>

/* ---- single draws ---- */

void terrains_by_type(const struct space *space, struct terrains *out) {
    *out = (struct terrains){{0}};
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++) {
        if (space->weight[terrain] == 0)
            continue;
        out->of[GENOME_EMPTY] |= 1U << terrain;
        for (int type = 0; type < TBS_TYPES; type++)
            out->of[type] |= (unsigned)space_can_stand(type, terrain) << terrain;
    }
}

int random_weighted(const int *weights, int count, struct rng *r) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    assert(sum > 0);
    int left = (int)rng_below(r, (uint32_t)sum), i = 0;
    while (left >= weights[i]) /* ends: what was drawn is less than the sum */
        left -= weights[i++];
    return i;
}

int random_terrain(const struct space *space, unsigned set, struct rng *r) {
    int weights[TBS_TERRAINS];
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        weights[terrain] = (set >> terrain & 1) != 0 ? space->weight[terrain] : 0;
    return random_weighted(weights, TBS_TERRAINS, r);
}

struct cell random_unit(const struct space *space, unsigned types, int side, struct rng *r) {
    struct cell unit = {.side = (uint8_t)side};
    unit.type = (uint8_t)random_member(types & space->types, r);
    unit.hp = (uint8_t)random_between(space->hp_low, space->hp_high, r);
    return unit;
}

void places_free(const struct space *space, const struct genome *g, unsigned terrains, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < genome_cells(g); cell++)
        if (g->cells[cell].type == GENOME_EMPTY && (terrains >> g->cells[cell].terrain & 1) != 0 &&
            space_may_hold(space, cell))
            places_add(out, cell);
}

void places_units(const struct genome *g, unsigned sides, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < genome_cells(g); cell++)
        if (g->cells[cell].type != GENOME_EMPTY && (sides >> g->cells[cell].side & 1) != 0)
            places_add(out, cell);
}

void place_unit_among(const struct space *space, struct places *places, struct cell unit, struct rng *r,
                      struct genome *g) {
    const int cell = places_take(places, r);
    struct terrains terrains;
    terrains_by_type(space, &terrains);
    unit.terrain = g->cells[cell].terrain;
    if ((terrains.of[unit.type] >> unit.terrain & 1) == 0)
        unit.terrain = (uint8_t)random_terrain(space, terrains.of[unit.type], r);
    genome_put(space, g, cell, unit);
}

bool place_unit(const struct space *space, struct cell unit, struct rng *r, struct genome *g) {
    struct terrains terrains;
    struct places places;
    terrains_by_type(space, &terrains);
    places_free(space, g, terrains.of[unit.type], &places);
    if (places.count == 0)
        places_free(space, g, ~0U, &places);
    if (places.count == 0)
        return false;
    place_unit_among(space, &places, unit, r, g);
    return true;
}

/* ---- new maps ----
 *
 * Infantry can enter all that vehicles can, and aircraft all that infantry can. So units of the choosy
 * classes are placed first: then every unit gets a place it can enter as long as there is one. When there is
 * none, the terrain of a free cell is drawn again. The space was checked, so there always is a free cell. In
 * a symmetric space only the red units are drawn; each brings its opposite along. */

/* From the class with the fewest terrains to the one with the most. */
static const uint8_t choosy_first[TBS_CLASSES] = {TBS_VEHICLE, TBS_FOOT, TBS_AIR};

struct maker {
    const struct space *space;
    struct rng *rng;
    struct genome *genome;
    struct terrains terrains;
    int unit_count; /* units not placed yet */
    struct cell units[TBS_UNITS_MAX];
};

/* Draws the terrain of each cell independently. */
static void strew_terrain(const struct space *space, struct rng *r, struct genome *g) {
    for (int i = 0; i < genome_cells(g); i++)
        if (i <= space_opposite(space, i)) {
            const uint8_t terrain = (uint8_t)random_terrain(space, ~0U, r);
            genome_put(space, g, i, (struct cell){.terrain = terrain, .type = GENOME_EMPTY});
        }
}

static void draw_units(struct maker *m) {
    const struct space *space = m->space;
    const int sides = space->symmetry == SYMMETRY_NONE ? TBS_SIDES : 1;
    for (int side = 0; side < sides; side++)
        for (int left = random_between(space->units_min[side], space->units_max[side], m->rng); left > 0;
             left--)
            m->units[m->unit_count++] = random_unit(space, space->types, side, m->rng);
}

/* Whether the cell lies in the half where a side begins. The middle column or row lies in none. */
static bool is_own_half(const struct space *space, int cell, int side) {
    const bool rows = space->symmetry == SYMMETRY_FLIP;
    const int edge = rows ? space->height : space->width;
    const int place = rows ? cell / space->width : cell % space->width;
    return side == TBS_RED ? place < edge / 2 : place >= edge - edge / 2;
}

static bool place_at_home(struct maker *m, struct cell unit) {
    struct places places;
    places_free(m->space, m->genome, m->terrains.of[unit.type], &places);
    int left = 0;
    for (int i = 0; i < places.count; i++)
        if (is_own_half(m->space, places.cells[i], unit.side))
            places.cells[left++] = places.cells[i];
    places.count = left;
    if (places.count == 0)
        return false;
    place_unit_among(m->space, &places, unit, m->rng, m->genome);
    return true;
}

/* The units of a class, as far as there is room at home, or all of them anywhere. */
static void place_class(struct maker *m, int class, bool at_home) {
    int left = 0;
    for (int i = 0; i < m->unit_count; i++) {
        const struct cell unit = m->units[i];
        bool is_placed = false;
        if (tbs_unit_types[unit.type].class == class)
            is_placed = at_home ? place_at_home(m, unit) : place_unit(m->space, unit, m->rng, m->genome);
        if (!is_placed)
            m->units[left++] = unit;
    }
    m->unit_count = left;
}

/* ---- terrain as a person would draw it ----
 *
 * The number of cells of each terrain is drawn as if every cell were drawn independently. Then they are
 * placed in this order:
 * - The whole map becomes the background: the terrain of the greatest weight among those that cover areas
 *     (plain, wood, mountain, sea, walls); of equal ones the first in that order.
 * - Fortresses stand alone, if possible none beside another.
 * - Roads are lines with at most two bends, across the map from edge to edge or between two fortresses. A
 *     road that needs more cells than are left is drawn with probability left / needed, so that the expected
 *     number of road cells is right.
 * - Everything else grows in patches on the remaining background, from a random cell to a random size; of
 *     two cells at the edge the one with more of the patch around it is taken.
 * In a symmetric space every step changes a cell and its opposite. A line across the axis of a mirrored map
 * is drawn up to the axis; its image is the other half. When no terrain that covers areas has a weight,
 * every cell is drawn independently. */

enum { PATH_CELLS_MAX = 2 * TBS_CELLS_MAX, TRIES = 8 };

static const uint8_t areas[] = {TBS_PLAIN, TBS_WOOD, TBS_MOUNTAIN, TBS_SEA, TBS_NO_ENTRY};
enum { AREAS = sizeof areas };

struct point {
    int x, y;
};

struct painter {
    const struct space *space;
    struct rng *rng;
    struct genome *genome;
    int background;
    int left[TBS_TERRAINS]; /* cells that each terrain shall still get */
    bool is_done[GENOME_CELLS_MAX];
    int fortress_count;
    struct point fortresses[GENOME_CELLS_MAX];
};

static int index_of(const struct painter *p, struct point at) {
    return at.y * p->space->width + at.x;
}

static struct point point_of(const struct painter *p, int cell) {
    return (struct point){cell % p->space->width, cell / p->space->width};
}

static int beside_of_terrain(const struct painter *p, int cell, int terrain) {
    int around[4], of_terrain = 0;
    const int count = space_beside(p->space, cell, around);
    for (int i = 0; i < count; i++)
        of_terrain += p->genome->cells[around[i]].terrain == terrain;
    return of_terrain;
}

/* Without a space's symmetry a cell is its own opposite, and one cell; with one, it may be two. */
static int size_of(const struct painter *p, int cell) {
    return space_opposite(p->space, cell) == cell ? 1 : 2;
}

static void paint(struct painter *p, int cell, int terrain) {
    genome_put(p->space, p->genome, cell, (struct cell){.terrain = (uint8_t)terrain, .type = GENOME_EMPTY});
    p->is_done[cell] = p->is_done[space_opposite(p->space, cell)] = true;
    p->left[terrain] -= size_of(p, cell);
}

static void places_not_done(const struct painter *p, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < space_cells(p->space); cell++)
        if (!p->is_done[cell])
            places_add(out, cell);
}

/* ---- fortresses ---- */

/* Whether a fortress there would stand beside another, or beside its own image. */
static bool is_crowded(const struct painter *p, int cell) {
    return beside_of_terrain(p, cell, TBS_FORTRESS) > 0 ||
           space_distance(p->space, cell, space_opposite(p->space, cell)) == 1;
}

/* At first only where they stand alone, then anywhere. */
static void paint_fortresses(struct painter *p) {
    for (int pass = 0; pass < 2; pass++) {
        struct places places;
        places_not_done(p, &places);
        while (p->left[TBS_FORTRESS] > 0 && places.count > 0) {
            const int cell = places_take(&places, p->rng), other = space_opposite(p->space, cell);
            if (p->is_done[cell] || (pass == 0 && is_crowded(p, cell)))
                continue;
            paint(p, cell, TBS_FORTRESS);
            p->fortresses[p->fortress_count++] = point_of(p, cell);
            if (other != cell)
                p->fortresses[p->fortress_count++] = point_of(p, other);
        }
    }
}

/* ---- roads ---- */

struct path {
    int count;
    int cells[PATH_CELLS_MAX];
};

static void path_add(const struct painter *p, struct path *path, struct point at) {
    assert(path->count < PATH_CELLS_MAX);
    path->cells[path->count++] = index_of(p, at);
}

static int towards(int from, int to) {
    return (to > from) - (to < from);
}

static int bend_between(int from, int to, struct rng *r) {
    return from < to ? random_between(from, to, r) : random_between(to, from, r);
}

/* From one point to another (both included): along columns or rows up to a random bend, over, and on. */
static void path_make(const struct painter *p, struct point from, struct point to, bool columns_first,
                      struct path *out) {
    const int bend = columns_first ? bend_between(from.x, to.x, p->rng) : bend_between(from.y, to.y, p->rng);
    const struct point corners[3] = {
        columns_first ? (struct point){bend, from.y} : (struct point){from.x, bend},
        columns_first ? (struct point){bend, to.y} : (struct point){to.x, bend},
        to,
    };
    struct point at = from;
    out->count = 0;
    path_add(p, out, at);
    for (int i = 0; i < 3; i++)
        while (at.x != corners[i].x || at.y != corners[i].y) {
            at.x += towards(at.x, corners[i].x);
            at.y += towards(at.y, corners[i].y);
            path_add(p, out, at);
        }
}

/* A path to the opposite of its start need only go as far as its image comes to meet it. */
static void path_meet_image(const struct painter *p, struct path *path) {
    for (int i = 0; i < path->count; i++) {
        const int cell = path->cells[i];
        if (space_distance(p->space, cell, space_opposite(p->space, cell)) <= 1)
            path->count = i + 1;
    }
}

/* Two different fortresses. */
static void between_fortresses(const struct painter *p, struct point ends[2]) {
    const uint32_t count = (uint32_t)p->fortress_count;
    const uint32_t first = rng_below(p->rng, count), step = 1 + rng_below(p->rng, count - 1);
    ends[0] = p->fortresses[first];
    ends[1] = p->fortresses[(first + step) % count];
}

/* From edge to edge; where the two edges are each other's image, from a cell to its opposite. */
static void across_map(const struct painter *p, bool columns_first, struct point ends[2]) {
    const struct space *space = p->space;
    const int along = columns_first ? space->height : space->width;
    const int from = random_between(0, along - 1, p->rng), to = random_between(0, along - 1, p->rng);
    ends[0] = columns_first ? (struct point){0, from} : (struct point){from, 0};
    ends[1] = columns_first ? (struct point){space->width - 1, to} : (struct point){to, space->height - 1};
    if (space->symmetry == (columns_first ? SYMMETRY_MIRROR : SYMMETRY_FLIP))
        ends[1] = point_of(p, space_opposite(space, index_of(p, ends[0])));
}

static void path_draw(const struct painter *p, struct path *out) {
    const bool columns_first = rng_below(p->rng, 2) == 0;
    struct point ends[2];
    if (p->fortress_count >= 2 && rng_below(p->rng, 2) == 0)
        between_fortresses(p, ends);
    else
        across_map(p, columns_first, ends);
    path_make(p, ends[0], ends[1], columns_first, out);
    if (p->space->symmetry != SYMMETRY_NONE &&
        space_opposite(p->space, index_of(p, ends[0])) == index_of(p, ends[1]))
        path_meet_image(p, out);
}

/* How many cells of a path and its image are not road or fortress yet. */
static int path_needs(const struct painter *p, const struct path *path) {
    bool is_counted[GENOME_CELLS_MAX] = {[0] = false};
    int needs = 0;
    for (int i = 0; i < path->count; i++) {
        const int cell = path->cells[i], other = space_opposite(p->space, cell);
        if (!p->is_done[cell] && !is_counted[cell])
            needs += size_of(p, cell);
        is_counted[cell] = is_counted[other] = true;
    }
    return needs;
}

static void paint_roads(struct painter *p) {
    for (int try = 0; try < TRIES && p->left[TBS_ROAD] > 0;) {
        struct path path;
        path_draw(p, &path);
        const int needs = path_needs(p, &path);
        if (needs == 0) {
            try++;
            continue;
        }
        if ((int)rng_below(p->rng, (uint32_t)needs) >= p->left[TBS_ROAD])
            return;
        for (int i = 0; i < path.count; i++)
            if (!p->is_done[path.cells[i]])
                paint(p, path.cells[i], TBS_ROAD);
    }
}

/* ---- patches ---- */

/* The cell of two of the edge's that has more of the patch around it; it leaves the edge. */
static int take_edge(struct painter *p, struct places *edge, int terrain) {
    const int first = places_take(edge, p->rng);
    if (edge->count == 0)
        return first;
    const int second = places_take(edge, p->rng);
    const bool swap = beside_of_terrain(p, second, terrain) > beside_of_terrain(p, first, terrain);
    places_add(edge, swap ? first : second);
    return swap ? second : first;
}

/* `is_seen`: cells that are or were in the edge. */
static void extend_edge(const struct painter *p, int cell, bool *is_seen, struct places *edge) {
    int around[4];
    const int count = space_beside(p->space, cell, around);
    for (int i = 0; i < count; i++)
        if (!is_seen[around[i]] && !p->is_done[around[i]]) {
            is_seen[around[i]] = true;
            places_add(edge, around[i]);
        }
}

static void grow_patch(struct painter *p, int start, int terrain, int size) {
    bool is_seen[GENOME_CELLS_MAX] = {[0] = false};
    struct places edge = {.count = 0};
    is_seen[start] = true;
    places_add(&edge, start);
    while (size > 0 && edge.count > 0) {
        const int cell = take_edge(p, &edge, terrain);
        if (p->is_done[cell])
            continue; /* as the opposite of one that was taken */
        size -= size_of(p, cell);
        paint(p, cell, terrain);
        extend_edge(p, cell, is_seen, &edge);
    }
}

/* An area terrain other than the background, by the cells it shall still get; TBS_TERRAINS: none is left. */
static int next_terrain(const struct painter *p) {
    int weights[TBS_TERRAINS] = {0}, sum = 0;
    for (int i = 0; i < AREAS; i++)
        if (areas[i] != p->background && p->left[areas[i]] > 0) {
            weights[areas[i]] = p->left[areas[i]];
            sum += weights[areas[i]];
        }
    return sum == 0 ? TBS_TERRAINS : random_weighted(weights, TBS_TERRAINS, p->rng);
}

/* Uniform up to twice the mean. A remainder of less than half a patch is added to it. */
static int patch_size(const struct painter *p, int terrain) {
    const double mean = 1 + p->space->patches * (p->space->width + p->space->height) / 2;
    const int size = random_between(1, (int)(2 * mean) - 1, p->rng);
    return p->left[terrain] - size < mean / 2 ? p->left[terrain] : size;
}

static void paint_patches(struct painter *p) {
    for (int terrain = next_terrain(p); terrain != TBS_TERRAINS; terrain = next_terrain(p)) {
        struct places places;
        places_not_done(p, &places);
        if (places.count == 0)
            return;                              /* roads took more than their share */
        const int size = patch_size(p, terrain); /* first: the order of arguments is the compiler's */
        grow_patch(p, places_take(&places, p->rng), terrain, size);
    }
}

/* The background; TBS_TERRAINS when no area terrain may come. */
static int find_background(const struct space *space) {
    int best = TBS_TERRAINS;
    for (int i = AREAS - 1; i >= 0; i--)
        if (space->weight[areas[i]] > 0 &&
            (best == TBS_TERRAINS || space->weight[areas[i]] >= space->weight[best]))
            best = areas[i];
    return best;
}

static void paint_terrain(const struct space *space, struct rng *r, struct genome *g) {
    struct painter p = {.space = space, .rng = r, .genome = g, .background = find_background(space)};
    if (p.background == TBS_TERRAINS) {
        strew_terrain(space, r, g);
        return;
    }
    for (int cell = 0; cell < genome_cells(g); cell++) {
        g->cells[cell] = (struct cell){.terrain = (uint8_t)p.background, .type = GENOME_EMPTY};
        if (cell <= space_opposite(space, cell))
            p.left[random_terrain(space, ~0U, r)] += size_of(&p, cell);
    }
    paint_fortresses(&p);
    paint_roads(&p);
    paint_patches(&p);
}

/* ---- the whole map ---- */

void genome_random(const struct space *space, struct rng *r, struct genome *out) {
    *out = (struct genome){.width = space->width, .height = space->height};
    struct maker m = {.space = space, .rng = r, .genome = out};
    terrains_by_type(space, &m.terrains);
    if (space->patches > 0)
        paint_terrain(space, r, out);
    else
        strew_terrain(space, r, out);
    draw_units(&m);
    for (int i = 0; i < TBS_CLASSES; i++) {
        if (space->placement == PLACEMENT_HALVES)
            place_class(&m, choosy_first[i], true);
        place_class(&m, choosy_first[i], false);
    }
    assert(m.unit_count == 0);
}
