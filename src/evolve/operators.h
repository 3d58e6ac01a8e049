/* SPDX-License-Identifier: MIT
 *
 * Operators that make new maps of old ones. Their results always lie in the space.
 *
 * The published algorithm does not define what happens to a child with too few or too many units. Here
 * surplus units are removed at random. A side with too few units gets cells (terrain and unit) of its
 * parents' units of that side back, at random, and new random units only when there are none.
 */
#ifndef EVOLVE_OPERATORS_H
#define EVOLVE_OPERATORS_H

#include "evolve/genome.h"

/* In a symmetric space a cell and its opposite come from the same parent: rectangles and regions come with
 * their image. */
enum crossover {
    CROSSOVER_UNIFORM, /* every cell from either parent, with probability 1/2 */
    CROSSOVER_BLOCK,   /* one rectangle from the other parent, its edges uniform; not the whole map */
    CROSSOVER_REGION,  /* a connected region, grown at random to between a quarter and half of the map */
    CROSSOVERS,
};

/* Two children: the second has the cells that the first does not have, except for legalizing. They must not
 * be the parents. */
void operators_cross(const struct space *space, enum crossover how, const struct genome *const parents[2],
                     struct rng *r, struct genome children[2]);

enum mutation {
    MUTATION_TERRAIN, /* a cell becomes what one of its neighbours is, or any terrain (half and half) */
    MUTATION_TYPE,    /* to one that can stand there */
    MUTATION_HP,      /* one to three more or less, never none */
    MUTATION_PLACE,   /* a unit goes to another cell; nearer ones are likelier */
    MUTATION_ADD,     /* to a free cell where it can stand; terrain stays */
    MUTATION_REMOVE,
    MUTATIONS,
};

enum { MUTATION_ALL = (1 << MUTATIONS) - 1 };

extern const char *const mutation_names[MUTATIONS]; /* "terrain", "type", … */

/* One change of one of the kinds in the set (bit 1 << kind), drawn uniformly among those kinds that are
 * possible here; in a symmetric space made to a cell and its opposite. The genome must lie in the space, and
 * is another one afterwards. Returns the kind, or MUTATIONS when none is possible: nothing was changed. */
enum mutation operators_mutate(const struct space *space, unsigned kinds, struct rng *r, struct genome *g);

/* Brings any genome of the right size into the space, changing as little as it can. Terrain that may not come
 * is drawn anew, HP moved into its range, types that may not come drawn anew. Of a cell and its opposite that
 * do not match, the one with a red unit decides, or else the left or upper one. Units that stand where they
 * cannot go to the nearest free place (without one, their terrain changes); limits as above. `parents` may be
 * {NULL, NULL}. A genome that lies in the space stays as it is, byte for byte. */
void operators_legalize(const struct space *space, const struct genome *const parents[2], struct rng *r,
                        struct genome *g);

#endif
