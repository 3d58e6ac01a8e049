/* SPDX-License-Identifier: MIT
 *
 * Crossover: which cells come from which parent. A mask says it, and is made so that a cell and its opposite
 * are always of one mind; terrain and unit of a cell travel together, so only the number of units can be
 * wrong in a child of maps that are right.
 */
#include "evolve/chance.h"
#include "evolve/operators.h"

#include <assert.h>
#include <string.h>

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
        width = chance_between(1, space->width, r);
        height = chance_between(1, space->height, r);
    } while (width * height == space_cells(space));
    const int left = chance_between(0, space->width - width, r);
    const int top = chance_between(0, space->height - height, r);
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
    edge_add(space, &edge, chance_between(0, cells - 1, r));
    for (int left = chance_between(low, high, r); left > 0 && edge.places.count > 0; left--) {
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
