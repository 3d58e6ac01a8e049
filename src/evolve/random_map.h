/* SPDX-License-Identifier: MIT
 *
 * Drawing at random what maps are made of (terrain, types, HP, places inside a space), and whole new maps.
 * Sets of terrains and of types are bits.
 */
#ifndef EVOLVE_RANDOM_MAP_H
#define EVOLVE_RANDOM_MAP_H

#include "base/bits.h"
#include "evolve/genome.h"

/* The terrains of the space that each type can enter; at GENOME_EMPTY all of them. */
struct terrains {
    unsigned of[TBS_TYPES + 1];
};

void terrains_by_type(const struct space *space, struct terrains *out);

/* An index of `weights`, with probability proportional to its weight. No weight is negative, and their sum
 * is positive. */
int random_weighted(const int *weights, int count, struct rng *r);

/* One terrain of a set that has some of the space's terrains, by weight. */
int random_terrain(const struct space *space, unsigned set, struct rng *r);

/* One member of a set that is not empty, uniformly. */
static inline int random_member(unsigned set, struct rng *r) {
    return bits_select(set, (int)rng_below(r, (uint32_t)bits_count(set)), false);
}

static inline int random_between(int low, int high, struct rng *r) {
    return low + (int)rng_below(r, (uint32_t)(high - low + 1));
}

/* Any of the types in the set (and in the space), any HP of the space; the terrain is left 0. */
struct cell random_unit(const struct space *space, unsigned types, int side, struct rng *r);

/* A list of cells to draw from. */
struct places {
    int count;
    uint16_t cells[GENOME_CELLS_MAX];
};

static inline void places_add(struct places *places, int cell) {
    places->cells[places->count++] = (uint16_t)cell;
}

/* One of them, which leaves the list (the last one takes its place). There must be some. */
static inline int places_take(struct places *places, struct rng *r) {
    const uint32_t i = rng_below(r, (uint32_t)places->count);
    const int cell = places->cells[i];
    places->cells[i] = places->cells[--places->count];
    return cell;
}

/* Free cells where a unit may stand and whose terrain is in the set (all bits: any). */
void places_free(const struct space *space, const struct genome *g, unsigned terrains, struct places *out);

/* The cells of the units of these sides, a set of bits. */
void places_units(const struct genome *g, unsigned sides, struct places *out);

/* Puts a unit on one of the places, all of them free; the terrain stays if it can stand there, and is drawn
 * again for it if it cannot. */
void place_unit_among(const struct space *space, struct places *places, struct cell unit, struct rng *r,
                      struct genome *g);

/* The same on any free cell, if possible one where it can stand. False when no cell is free. */
bool place_unit(const struct space *space, struct cell unit, struct rng *r, struct genome *g);

#endif
