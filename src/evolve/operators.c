/* SPDX-License-Identifier: MIT
 *
 * Making genomes inside a space: single draws (terrain, types, HP, places), whole random maps, crossover,
 * mutation, and bringing any genome into its space. Sets of terrains and of types are bits.
 */
#include "evolve/genome.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

/* A genome that is being made or changed. */
struct editor {
    const struct space *space;
    struct rng *rng;
    struct genome *genome;
    unsigned terrains[TBS_TYPES + 1]; /* of the space that each type can enter; at GENOME_EMPTY all of them */
};

/* The masks are computed once here: mutation and repair of children ask for them in their inner loops. */
static struct editor editor_of(const struct space *space, struct rng *r, struct genome *g) {
    struct editor m = {.space = space, .rng = r, .genome = g};
    assert(g->width == space->width && g->height == space->height);
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++) {
        if (space->weight[terrain] == 0)
            continue;
        m.terrains[GENOME_EMPTY] |= 1U << terrain;
        for (int type = 0; type < TBS_TYPES; type++)
            m.terrains[type] |= (unsigned)space_can_stand(type, terrain) << terrain;
    }
    return m;
}

/* All changes go through here: genome_put keeps a symmetric space symmetric. */
static void put(const struct editor *m, int cell, struct cell value) {
    genome_put(m->space, m->genome, cell, value);
}

/* The terrain stays. */
static void remove_unit(const struct editor *m, int cell) {
    put(m, cell, (struct cell){.terrain = m->genome->cells[cell].terrain, .type = GENOME_EMPTY});
}

static bool may_stand(const struct editor *m, int type, int terrain) {
    return (m->terrains[type] >> terrain & 1) != 0;
}

/* The types of the space that can stand on a terrain. */
static unsigned types_on(const struct editor *m, int terrain) {
    unsigned types = 0;
    for (int type = 0; type < TBS_TYPES; type++)
        types |= (m->terrains[type] >> terrain & 1) << type;
    return types & m->space->types;
}

/* ---- single draws ---- */

/* One member of a set that is not empty, uniformly. */
static int random_member(unsigned set, struct rng *r) {
    return bits_select(set, (int)rng_below(r, (uint32_t)bits_count(set)), false);
}

/* Uniform; both ends are possible. */
static int random_between(int low, int high, struct rng *r) {
    return low + (int)rng_below(r, (uint32_t)(high - low + 1));
}

/* An index of `weights`, with probability proportional to its weight. No weight is negative, and their sum
 * is positive. */
static int random_weighted(const int *weights, int count, struct rng *r) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    assert(sum > 0);
    int left = (int)rng_below(r, (uint32_t)sum), i = 0;
    while (left >= weights[i]) /* ends: what was drawn is less than the sum */
        left -= weights[i++];
    return i;
}

/* One terrain of a set that has some of the space's terrains, by weight. */
static uint8_t random_terrain(const struct editor *m, unsigned set) {
    int weights[TBS_TERRAINS];
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        weights[terrain] = (set >> terrain & 1) != 0 ? m->space->weight[terrain] : 0;
    return (uint8_t)random_weighted(weights, TBS_TERRAINS, m->rng);
}

/* Any of the types in the set (and in the space), any HP of the space; the terrain is left 0. */
static struct cell random_unit(const struct editor *m, unsigned types, int side) {
    struct cell unit = {.side = (uint8_t)side};
    unit.type = (uint8_t)random_member(types & m->space->types, m->rng);
    unit.hp = (uint8_t)random_between(m->space->hp_low, m->space->hp_high, m->rng);
    return unit;
}

/* A list of cells to draw from. */
struct places {
    int count;
    uint16_t cells[GENOME_CELLS_MAX];
};

static void places_add(struct places *places, int cell) {
    places->cells[places->count++] = (uint16_t)cell;
}

/* One of them, which leaves the list (the last one takes its place). There must be some. */
static int places_take(struct places *places, struct rng *r) {
    const uint32_t i = rng_below(r, (uint32_t)places->count);
    const int cell = places->cells[i];
    places->cells[i] = places->cells[--places->count];
    return cell;
}

/* Free cells where a unit may stand and whose terrain is in the set (all bits: any). */
static void places_free(const struct editor *m, unsigned terrains, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < genome_cells(m->genome); cell++) {
        const struct cell *c = &m->genome->cells[cell];
        if (c->type == GENOME_EMPTY && (terrains >> c->terrain & 1) != 0 && space_may_hold(m->space, cell))
            places_add(out, cell);
    }
}

/* Those where the unit can stand; without any, all free cells. */
static void places_for(const struct editor *m, struct cell unit, struct places *out) {
    places_free(m, m->terrains[unit.type], out);
    if (out->count == 0)
        places_free(m, ~0U, out);
}

/* The cells of the units of these sides, a set of bits. */
static void places_units(const struct editor *m, unsigned sides, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < genome_cells(m->genome); cell++) {
        const struct cell *c = &m->genome->cells[cell];
        if (c->type != GENOME_EMPTY && (sides >> c->side & 1) != 0)
            places_add(out, cell);
    }
}

/* Puts a unit on one of the places, all of them free; the terrain stays if it can stand there, and is drawn
 * again for it if it cannot. False when there is no place. */
static bool place_among(const struct editor *m, struct places *places, struct cell unit) {
    if (places->count == 0)
        return false;
    const int cell = places_take(places, m->rng);
    unit.terrain = m->genome->cells[cell].terrain;
    if (!may_stand(m, unit.type, unit.terrain))
        unit.terrain = random_terrain(m, m->terrains[unit.type]);
    put(m, cell, unit);
    return true;
}

/* The same on any free cell, if possible one where it can stand. */
static bool place_unit(const struct editor *m, struct cell unit) {
    struct places places;
    places_for(m, unit, &places);
    return place_among(m, &places, unit);
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

struct painter {
    const struct editor *editor;
    const struct space *space;
    struct rng *rng;
    int background;         /* TBS_TERRAINS: no area terrain may come */
    int left[TBS_TERRAINS]; /* cells that each terrain shall still get */
    bool is_done[GENOME_CELLS_MAX];
    int fortress_count, fortresses[GENOME_CELLS_MAX];
};

/* How many of the four cells beside one have that terrain. */
static int beside_of_terrain(const struct painter *p, int cell, int terrain) {
    int of_terrain = 0;
    for (int i = 0; i < 4; i++) {
        const int beside = space_beside(p->space, cell, i);
        of_terrain += beside >= 0 && p->editor->genome->cells[beside].terrain == terrain;
    }
    return of_terrain;
}

/* Without a space's symmetry a cell is its own opposite, and one cell; with one, it may be two. */
static int size_of(const struct space *space, int cell) {
    return space_opposite(space, cell) == cell ? 1 : 2;
}

/* Gives the cell and its opposite their final terrain. A terrain may get more cells than it was promised. */
static void paint(struct painter *p, int cell, int terrain) {
    put(p->editor, cell, (struct cell){.terrain = (uint8_t)terrain, .type = GENOME_EMPTY});
    p->is_done[cell] = p->is_done[space_opposite(p->space, cell)] = true;
    p->left[terrain] -= size_of(p->space, cell);
}

/* The cells that are still background. */
static void places_not_done(const struct painter *p, struct places *out) {
    out->count = 0;
    for (int cell = 0; cell < space_cells(p->space); cell++)
        if (!p->is_done[cell])
            places_add(out, cell);
}

/* At first only where they stand neither beside another nor beside their own image, then anywhere. */
static void paint_fortresses(struct painter *p) {
    for (int pass = 0; pass < 2; pass++) {
        struct places places;
        places_not_done(p, &places);
        while (p->left[TBS_FORTRESS] > 0 && places.count > 0) {
            const int cell = places_take(&places, p->rng), other = space_opposite(p->space, cell);
            if (p->is_done[cell] || (pass == 0 && (beside_of_terrain(p, cell, TBS_FORTRESS) > 0 ||
                                                   space_distance(p->space, cell, other) == 1)))
                continue;
            paint(p, cell, TBS_FORTRESS);
            p->fortresses[p->fortress_count++] = cell;
            if (other != cell)
                p->fortresses[p->fortress_count++] = other;
        }
    }
}

/* ---- roads ---- */

/* A line of cells, each beside the one before it. A cell may occur twice, where the line bends back. */
struct path {
    int count;
    int cells[PATH_CELLS_MAX];
};

/* From one cell to another (both included): along columns or rows up to a random bend, over, and on. */
static void path_make(const struct painter *p, int from, int to, bool columns_first, struct path *out) {
    const int width = p->space->width, x = from % width, y = from / width, to_x = to % width,
              to_y = to / width;
    const int begin = columns_first ? x : y, end = columns_first ? to_x : to_y;
    const int bend = random_between(begin < end ? begin : end, begin < end ? end : begin, p->rng);
    const int corners[3] = {columns_first ? y * width + bend : bend * width + x,
                            columns_first ? to_y * width + bend : bend * width + to_x, to};
    int at = out->cells[0] = from;
    out->count = 1;
    for (int i = 0; i < 3; i++)
        while (at != corners[i]) { /* along a row or a column */
            const int step = at / width == corners[i] / width ? 1 : width;
            at += at < corners[i] ? step : -step;
            assert(out->count < PATH_CELLS_MAX);
            out->cells[out->count++] = at;
        }
}

/* Between two different fortresses, or from edge to edge; where the two edges are each other's image, from a
 * cell to its opposite. */
static void path_draw(const struct painter *p, struct path *out) {
    const struct space *space = p->space;
    const bool columns_first = rng_below(p->rng, 2) == 0;
    int from, to;
    if (p->fortress_count >= 2 && rng_below(p->rng, 2) == 0) {
        const uint32_t count = (uint32_t)p->fortress_count;
        const uint32_t first = rng_below(p->rng, count), step = 1 + rng_below(p->rng, count - 1);
        from = p->fortresses[first];
        to = p->fortresses[(first + step) % count];
    } else {
        const int along = columns_first ? space->height : space->width;
        const int begin = random_between(0, along - 1, p->rng), end = random_between(0, along - 1, p->rng);
        from = columns_first ? begin * space->width : begin;
        to = columns_first ? end * space->width + space->width - 1 : (space->height - 1) * space->width + end;
        if (space->symmetry == (columns_first ? SYMMETRY_MIRROR : SYMMETRY_FLIP))
            to = space_opposite(space, from);
    }
    path_make(p, from, to, columns_first, out);
    /* A path to the opposite of its start need only go as far as its image comes to meet it. */
    for (int i = 0; space->symmetry != SYMMETRY_NONE && space_opposite(space, from) == to && i < out->count;
         i++)
        if (space_distance(space, out->cells[i], space_opposite(space, out->cells[i])) <= 1)
            out->count = i + 1;
}

/* A line that brings nothing new is drawn again, a few times at most: where fortresses and roads cover the
 * map there may be no other. */
static void paint_roads(struct painter *p) {
    for (int try = 0; try < TRIES && p->left[TBS_ROAD] > 0;) {
        struct path path;
        bool is_counted[GENOME_CELLS_MAX] = {[0] = false};
        int needs = 0; /* cells of the path and its image that are not road or fortress yet */
        path_draw(p, &path);
        for (int i = 0; i < path.count; i++) {
            const int cell = path.cells[i];
            if (!p->is_done[cell] && !is_counted[cell])
                needs += size_of(p->space, cell);
            is_counted[cell] = is_counted[space_opposite(p->space, cell)] = true;
        }
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

/* Paints up to `size` cells that hang together, from `start` on; fewer where the patch meets others. */
static void grow_patch(struct painter *p, int start, int terrain, int size) {
    bool is_seen[GENOME_CELLS_MAX] = {[0] = false}; /* cells that are or were in the edge */
    struct places edge = {.count = 0};
    is_seen[start] = true;
    places_add(&edge, start);
    while (size > 0 && edge.count > 0) {
        int cell = places_take(&edge, p->rng);
        if (edge.count > 0) { /* of two the one with more of the patch around it; the other stays */
            const int second = places_take(&edge, p->rng);
            const bool swap = beside_of_terrain(p, second, terrain) > beside_of_terrain(p, cell, terrain);
            places_add(&edge, swap ? cell : second);
            cell = swap ? second : cell;
        }
        if (p->is_done[cell])
            continue; /* as the opposite of one that was taken */
        size -= size_of(p->space, cell);
        paint(p, cell, terrain);
        for (int i = 0; i < 4; i++) {
            const int beside = space_beside(p->space, cell, i);
            if (beside < 0 || is_seen[beside] || p->is_done[beside])
                continue;
            is_seen[beside] = true;
            places_add(&edge, beside);
        }
    }
}

/* The terrain of the next patch is drawn by the cells it shall still get. */
static void paint_patches(struct painter *p) {
    const double mean = 1 + p->space->patches * (p->space->width + p->space->height) / 2;
    for (;;) {
        struct places places;
        int weights[TBS_TERRAINS] = {0}, sum = 0;
        for (int i = 0; i < AREAS; i++)
            if (areas[i] != p->background && p->left[areas[i]] > 0) {
                weights[areas[i]] = p->left[areas[i]];
                sum += p->left[areas[i]];
            }
        if (sum == 0)
            return;
        const int terrain = random_weighted(weights, TBS_TERRAINS, p->rng);
        places_not_done(p, &places);
        if (places.count == 0)
            return; /* roads took more than their share */
        /* Uniform up to twice the mean. A remainder of less than half a patch is added to it. */
        int size = random_between(1, (int)(2 * mean) - 1, p->rng);
        if (p->left[terrain] - size < mean / 2)
            size = p->left[terrain];
        grow_patch(p, places_take(&places, p->rng), terrain, size);
    }
}

/* Terrain for all cells; units come later. */
static void draw_terrain(const struct editor *m) {
    const struct space *space = m->space;
    const int cells = space_cells(space);
    struct painter p = {.editor = m, .space = space, .rng = m->rng, .background = TBS_TERRAINS};
    for (int i = AREAS - 1; space->patches > 0 && i >= 0; i--)
        if (space->weight[areas[i]] > 0 &&
            (p.background == TBS_TERRAINS || space->weight[areas[i]] >= space->weight[p.background]))
            p.background = areas[i];
    for (int cell = 0; cell < cells; cell++) {
        if (p.background < TBS_TERRAINS)
            m->genome->cells[cell] = (struct cell){.terrain = (uint8_t)p.background, .type = GENOME_EMPTY};
        if (cell > space_opposite(space, cell))
            continue;
        const uint8_t terrain = random_terrain(m, ~0U);
        if (p.background < TBS_TERRAINS)
            p.left[terrain] += size_of(space, cell);
        else
            put(m, cell, (struct cell){.terrain = terrain, .type = GENOME_EMPTY});
    }
    if (p.background == TBS_TERRAINS)
        return;
    paint_fortresses(&p);
    paint_roads(&p);
    paint_patches(&p);
}

/* ---- new maps ----
 *
 * Infantry can enter all that vehicles can, and aircraft all that infantry can. So units of the choosy
 * classes are placed first: then every unit gets a place it can enter as long as there is one. When there is
 * none, the terrain of a free cell is drawn again. The space was checked, so there always is a free cell. In
 * a symmetric space only the red units are drawn; each brings its opposite along. */

/* From the class with the fewest terrains to the one with the most. */
static const uint8_t choosy_first[TBS_CLASSES] = {TBS_VEHICLE, TBS_FOOT, TBS_AIR};

/* In the half where its side begins; the middle column or row lies in none. False when there is no room. */
static bool place_at_home(const struct editor *m, struct cell unit) {
    const struct space *space = m->space;
    const bool rows = space->symmetry == SYMMETRY_FLIP;
    const int edge = rows ? space->height : space->width;
    struct places places;
    int left = 0;
    places_free(m, m->terrains[unit.type], &places);
    for (int i = 0; i < places.count; i++) {
        const int place = rows ? places.cells[i] / space->width : places.cells[i] % space->width;
        if (unit.side == TBS_RED ? place < edge / 2 : place >= edge - edge / 2)
            places.cells[left++] = places.cells[i];
    }
    places.count = left;
    return place_among(m, &places, unit);
}

/* The units of a class, as far as there is room at home, or all of them anywhere. Returns the rest. */
static int place_class(const struct editor *m, struct cell *units, int count, int class, bool at_home) {
    int left = 0;
    for (int i = 0; i < count; i++)
        if (tbs_unit_types[units[i].type].class != class ||
            !(at_home ? place_at_home(m, units[i]) : place_unit(m, units[i])))
            units[left++] = units[i];
    return left;
}

void genome_random(const struct space *space, struct rng *r, struct genome *out) {
    *out = (struct genome){.width = space->width, .height = space->height};
    const struct editor m = editor_of(space, r, out);
    const int sides = space->symmetry == SYMMETRY_NONE ? TBS_SIDES : 1;
    struct cell units[TBS_UNITS_MAX];
    int count = 0;
    draw_terrain(&m);
    for (int side = 0; side < sides; side++)
        for (int left = random_between(space->units_min[side], space->units_max[side], r); left > 0; left--)
            units[count++] = random_unit(&m, space->types, side);
    for (int i = 0; i < TBS_CLASSES; i++) {
        if (space->placement == PLACEMENT_HALVES)
            count = place_class(&m, units, count, choosy_first[i], true);
        count = place_class(&m, units, count, choosy_first[i], false);
    }
    assert(count == 0);
}

/* ---- legalizing ----
 *
 * Five steps bring a genome into its space, and each leaves the work of the earlier ones alone: numbers into
 * their ranges, symmetry, places, too many units, too few units. A legal map passes all of them unchanged. */

/* Each number by itself is brought into its range. Whether the unit can stand there is the third step. */
static void correct_cell(const struct editor *m, struct cell *cell) {
    const struct space *space = m->space;
    const bool is_known = cell->type < TBS_TYPES && (space->types >> cell->type & 1) != 0;
    if (cell->terrain >= TBS_TERRAINS || !may_stand(m, GENOME_EMPTY, cell->terrain))
        cell->terrain = random_terrain(m, m->terrains[is_known ? cell->type : GENOME_EMPTY]);
    if (cell->type == GENOME_EMPTY) {
        cell->side = cell->hp = 0;
        return;
    }
    if (!is_known) {
        const unsigned types = types_on(m, cell->terrain);
        cell->type = (uint8_t)random_member(types != 0 ? types : space->types, m->rng);
    }
    if (cell->side >= TBS_SIDES)
        cell->side = (uint8_t)rng_below(m->rng, TBS_SIDES);
    if (cell->hp < space->hp_low)
        cell->hp = (uint8_t)space->hp_low;
    if (cell->hp > space->hp_high)
        cell->hp = (uint8_t)space->hp_high;
}

/* Moves the unit to the nearest place where it can stand. Without one its terrain changes, or, on a cell
 * where no unit may stand, that of the nearest free cell. A unit that has no place left is removed, and so
 * is a blue one on a cell that is its own opposite: it is the image of no red unit. */
static void move_unit(const struct editor *m, int from) {
    const struct cell unit = m->genome->cells[from];
    struct places places;
    int nearest = INT16_MAX, kept = 0;
    remove_unit(m, from);
    if (!space_may_hold(m->space, from) && unit.side != TBS_RED)
        return;
    places_for(m, unit, &places);
    for (int i = 0; i < places.count; i++) {
        const int far = space_distance(m->space, from, places.cells[i]);
        if (far < nearest) {
            nearest = far;
            kept = 0;
        }
        if (far == nearest)
            places.cells[kept++] = places.cells[i];
    }
    places.count = kept;
    place_among(m, &places, unit);
}

/* Restores the cell of a unit of that side that a parent has, that is legal in the space and whose place is
 * empty in the child; uniform among those of both parents. False when there is none. */
static bool restore_unit(const struct editor *m, const struct genome *const parents[2], int side) {
    const struct space *space = m->space;
    struct places lost[2] = {{.count = 0}, {.count = 0}};
    for (int i = 0; i < 2; i++)
        for (int cell = 0; parents[i] != NULL && cell < genome_cells(parents[i]); cell++) {
            const struct cell *c = &parents[i]->cells[cell];
            if (c->type < TBS_TYPES && c->side == side && m->genome->cells[cell].type == GENOME_EMPTY &&
                space_may_hold(space, cell) && c->terrain < TBS_TERRAINS &&
                may_stand(m, c->type, c->terrain) && (space->types >> c->type & 1) != 0 &&
                c->hp >= space->hp_low && c->hp <= space->hp_high)
                places_add(&lost[i], cell);
        }
    const int count = lost[0].count + lost[1].count;
    if (count == 0)
        return false;
    const int from = (int)rng_below(m->rng, (uint32_t)count) < lost[0].count ? 0 : 1;
    const int cell = places_take(&lost[from], m->rng);
    put(m, cell, parents[from]->cells[cell]);
    return true;
}

/* Brings any genome of the right size into the space, changing as little as it can. Terrain that may not come
 * is drawn anew, HP moved into its range, types that may not come drawn anew. Of a cell and its opposite that
 * do not match, the one with a red unit decides, or else the left or upper one. Units that stand where they
 * cannot go to the nearest free place (without one, their terrain changes); numbers of units as genome.h
 * describes. `parents` may be {NULL, NULL}. A genome that lies in the space stays as it is, byte for byte. */
static void legalize(const struct space *space, const struct genome *const parents[2], struct rng *r,
                     struct genome *g) {
    const struct editor m = editor_of(space, r, g);
    const int cells = genome_cells(g);
    for (int cell = 0; cell < cells; cell++)
        correct_cell(&m, &g->cells[cell]);
    /* Of a cell and its opposite the one with a red unit decides. Cells that are their own opposite come
     * later: they have the wrong place. */
    for (int cell = 0; cell < cells; cell++) {
        const int other = space_opposite(space, cell);
        const struct cell *c = &g->cells[cell], *d = &g->cells[other];
        const bool red = c->type != GENOME_EMPTY && c->side == TBS_RED;
        const bool other_red = d->type != GENOME_EMPTY && d->side == TBS_RED;
        const int model = !red && other_red ? other : cell;
        if (other > cell)
            put(&m, model, g->cells[model]);
    }
    for (int cell = 0; cell < cells; cell++) {
        const struct cell *c = &g->cells[cell];
        if (c->type != GENOME_EMPTY && (!may_stand(&m, c->type, c->terrain) || !space_may_hold(space, cell)))
            move_unit(&m, cell);
    }
    for (int side = 0; side < TBS_SIDES; side++) {
        struct places units;
        places_units(&m, 1U << side, &units);
        while (units.count > space->units_max[side])
            remove_unit(&m, places_take(&units, r));
    }
    for (int side = 0; side < TBS_SIDES; side++)
        for (int left = space->units_min[side] - genome_units(g, side); left > 0; left--)
            if (!restore_unit(&m, parents, side)) {
                const bool is_placed = place_unit(&m, random_unit(&m, space->types, side));
                assert(is_placed); /* no side has too many, and the most of both sides fit */
                (void)is_placed;
            }
}

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

/* One random word serves 64 cells. */
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

/* Sizes are drawn first, then a place for the rectangle: large rectangles are as likely as small ones. */
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

/* In a symmetric space a pair of opposites counts once. The region's image is never entered from the region
 * (its cells were seen with their opposites), so the region alone is connected. */
static void mask_region(const struct space *space, struct rng *r, struct mask *mask) {
    const int cells = space_cells(space);
    struct places edge = {.count = 0};
    struct mask seen = {{false}}; /* cells that are or were in the edge */
    int pairs = 0;
    for (int cell = 0; cell < cells; cell++)
        pairs += cell <= space_opposite(space, cell);
    const int low = (pairs + 3) / 4, high = pairs / 2 > low ? pairs / 2 : low;
    const int start = random_between(0, cells - 1, r);
    mask_set(space, &seen, start);
    places_add(&edge, start);
    for (int left = random_between(low, high, r); left > 0 && edge.count > 0; left--) {
        const int cell = places_take(&edge, r);
        mask_set(space, mask, cell);
        for (int i = 0; i < 4; i++) {
            const int beside = space_beside(space, cell, i);
            if (beside < 0 || seen.is_set[beside])
                continue;
            mask_set(space, &seen, beside);
            places_add(&edge, beside);
        }
    }
}

void operators_cross(const struct space *space, enum crossover how, const struct genome *const parents[2],
                     struct rng *r, struct genome children[2]) {
    static void (*const makers[CROSSOVERS])(const struct space *, struct rng *, struct mask *) = {
        [CROSSOVER_UNIFORM] = mask_uniform, [CROSSOVER_BLOCK] = mask_block, [CROSSOVER_REGION] = mask_region};
    const int cells = space_cells(space);
    struct mask mask;
    assert((int)how >= 0 && how < CROSSOVERS);
    memset(mask.is_set, 0, (size_t)cells);
    makers[how](space, r, &mask);
    for (int child = 0; child < 2; child++) {
        assert(parents[child]->width == space->width && parents[child]->height == space->height);
        assert(&children[child] != parents[0] && &children[child] != parents[1]);
        children[child] = (struct genome){.width = space->width, .height = space->height};
        for (int cell = 0; cell < cells; cell++)
            children[child].cells[cell] = parents[mask.is_set[cell] ^ child]->cells[cell];
    }
    for (int child = 0; child < 2; child++)
        legalize(space, parents, r, &children[child]);
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

/* What a cell's terrain could become instead. */
static unsigned other_terrains(const struct editor *m, int cell) {
    const struct cell *c = &m->genome->cells[cell];
    return m->terrains[c->type] & ~(1U << c->terrain);
}

/* Those cells beside one that have such a terrain. */
static int useful_neighbours(const struct editor *m, int cell, int out[4]) {
    int useful = 0;
    for (int i = 0; i < 4; i++) {
        const int beside = space_beside(m->space, cell, i);
        if (beside >= 0 && (other_terrains(m, cell) >> m->genome->cells[beside].terrain & 1) != 0)
            out[useful++] = beside;
    }
    return useful;
}

/* The terrain of a neighbour, or any. Where no neighbour has another one: any. */
static bool mutate_terrain(const struct editor *m) {
    struct places places;
    int beside[4];
    for (bool spreads = rng_below(m->rng, 2) == 0;; spreads = false) {
        places.count = 0;
        for (int cell = 0; cell < genome_cells(m->genome); cell++)
            if (spreads ? useful_neighbours(m, cell, beside) > 0 : other_terrains(m, cell) != 0)
                places_add(&places, cell);
        if (places.count == 0 && spreads)
            continue;
        if (places.count == 0)
            return false;
        const int cell = places_take(&places, m->rng), count = useful_neighbours(m, cell, beside);
        struct cell changed = m->genome->cells[cell];
        changed.terrain = spreads ? m->genome->cells[beside[rng_below(m->rng, (uint32_t)count)]].terrain
                                  : random_terrain(m, other_terrains(m, cell));
        put(m, cell, changed);
        return true;
    }
}

/* All units; of a pair in a symmetric space both, which is as good as one of them. */
enum { BOTH_SIDES = 1 << TBS_RED | 1 << TBS_BLUE };

/* A unit that could be no other type on its terrain is not counted as possible. */
static bool mutate_type(const struct editor *m) {
    struct places units;
    places_units(m, BOTH_SIDES, &units);
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

/* Every legal genome has units, and where HP may differ each of them has a possible step. */
static bool mutate_hp(const struct editor *m) {
    struct places units;
    places_units(m, BOTH_SIDES, &units);
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

/* The weight of a place falls with the square of the distance. */
static bool mutate_place(const struct editor *m) {
    struct places units, places;
    int weights[GENOME_CELLS_MAX];
    places_units(m, BOTH_SIDES, &units);
    while (units.count > 0) {
        const int from = places_take(&units, m->rng);
        struct cell unit = m->genome->cells[from];
        places_free(m, m->terrains[unit.type], &places);
        if (places.count == 0)
            continue;
        for (int i = 0; i < places.count; i++) {
            const int far = space_distance(m->space, from, places.cells[i]);
            weights[i] = NEARNESS / (far * far);
        }
        const int to = places.cells[random_weighted(weights, places.count, m->rng)];
        unit.terrain = m->genome->cells[to].terrain;
        remove_unit(m, from);
        put(m, to, unit);
        return true;
    }
    return false;
}

/* Only types that can stand on some free cell are drawn, so that no terrain changes. */
static bool mutate_add(const struct editor *m) {
    unsigned sides = 0, types = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        sides |= (unsigned)(genome_units(m->genome, side) < m->space->units_max[side]) << side;
    struct places places;
    places_free(m, ~0U, &places);
    for (int i = 0; i < places.count; i++)
        types |= types_on(m, m->genome->cells[places.cells[i]].terrain);
    if (sides == 0 || types == 0)
        return false;
    const int side = random_member(sides, m->rng);
    const bool is_placed = place_unit(m, random_unit(m, types, side));
    assert(is_placed);
    return is_placed;
}

/* In a symmetric space both sides have the same limits, and the opposite unit leaves as well. */
static bool mutate_remove(const struct editor *m) {
    unsigned sides = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        sides |= (unsigned)(genome_units(m->genome, side) > m->space->units_min[side]) << side;
    if (sides == 0)
        return false;
    struct places units;
    places_units(m, 1U << random_member(sides, m->rng), &units);
    remove_unit(m, places_take(&units, m->rng));
    return true;
}

/* The first possible kind of a random order is uniform among the possible ones. */
enum mutation operators_mutate(const struct space *space, unsigned kinds, struct rng *r, struct genome *g) {
    /* False: no such change is possible, and nothing was changed. */
    static bool (*const mutate[MUTATIONS])(const struct editor *) = {
        [MUTATION_TERRAIN] = mutate_terrain, [MUTATION_TYPE] = mutate_type, [MUTATION_HP] = mutate_hp,
        [MUTATION_PLACE] = mutate_place,     [MUTATION_ADD] = mutate_add,   [MUTATION_REMOVE] = mutate_remove,
    };
    const struct editor m = editor_of(space, r, g);
    for (kinds &= MUTATION_ALL; kinds != 0;) {
        const int kind = random_member(kinds, r);
        if (mutate[kind](&m))
            return (enum mutation)kind;
        kinds &= ~(1U << kind);
    }
    return MUTATIONS;
}
