/* SPDX-License-Identifier: MIT
 *
 * A map as the operators see it: cells, each with its terrain and whoever stands on it. The pair travels
 * together, so a unit never comes to stand where it cannot.
 */
#ifndef EVOLVE_GENOME_H
#define EVOLVE_GENOME_H

#include "base/rng.h"
#include "evolve/space.h"

enum { GENOME_CELLS_MAX = TBS_CELLS_MAX * TBS_CELLS_MAX, GENOME_NOBODY = TBS_TYPES };

struct cell {
    uint8_t terrain;
    uint8_t type; /* GENOME_NOBODY: the cell is empty; then side and hp are 0 */
    uint8_t side, hp;
};

struct genome {
    int width, height;
    struct cell cells[GENOME_CELLS_MAX]; /* row by row; those behind width * height are all zero */
};

static inline int genome_cells(const struct genome *g) {
    return g->width * g->height;
}

int genome_units(const struct genome *g, int side);

/* Sets a cell, and in a symmetric space its opposite. */
void genome_put(const struct space *space, struct genome *g, int index, struct cell value);

/* A new map of the space (which must have been checked): number of units uniform between the limits, types
 * uniform, HP uniform, terrain by weight (in patches if the space says so), places uniform among those where
 * the unit can stand. When all those are taken, the terrain of a free cell is drawn again for it. Never
 * fails. */
void genome_random(const struct space *space, struct rng *r, struct genome *out);

/* Units get their ids red first, then blue, each side by rows; the limits of the game come from the space. */
void genome_to_map(const struct space *space, const struct genome *g, struct tbs_map *out);

/* False when the map does not lie in the space; says why. A unit that has acted already is taken as fresh. */
bool genome_from_map(const struct space *space, const struct tbs_map *map, struct genome *out, struct err *e);

/* Does it lie in the space: size, limits, types, HP, terrain, symmetry, everybody where they can stand?
 * `why` (may be NULL) gets the first thing that is wrong. */
bool genome_is_legal(const struct space *space, const struct genome *g, struct err *why);

uint64_t genome_hash(const struct genome *g);

/* How different two maps of one size look, 0 … 1: the mean over the cells of a half for other terrain plus a
 * half for another unit (type or side, or nobody), or a quarter when only its HP is another. */
double genome_difference(const struct genome *a, const struct genome *b);

#endif
