/* SPDX-License-Identifier: MIT
 *
 * Spaces for tests, from the published setting to the smallest and the fullest boards, and checks for every
 * map made in one.
 */
#ifndef TESTS_SPACE_SUPPORT_H
#define TESTS_SPACE_SUPPORT_H

#include "evolve/genome.h"

struct named_space {
    const char *name; /* NULL ends the list */
    struct space space;
};

extern const struct named_space test_spaces[];

/* The published one: 6 x 6, six terrains alike, 1 to 6 units a side with HP 1 to 10. */
void space_published(struct space *out);

/* One of the spaces, by its name. */
const struct space *space_named(const char *name);

/* Fails the test unless the genome is legal, has nothing behind its last cell, is a map without any problem,
 * and the game loads that. */
void assert_lies_in(const struct named_space *named, const struct genome *g);

enum { CELLS = 36 }; /* of the published space */

/* Two maps that differ in the terrain of every cell and in nothing else: each cell's parent is recognisable,
 * and no child needs repair. The unit stands in the first cell; its enemy in the opposite one, or the last.
 */
void make_plain_and_wood(const struct space *space, struct genome g[2]);

/* The cells in which two maps of at most that many cells differ. */
int differing(const struct genome *a, const struct genome *b, int out[CELLS]);

/* A unit came to a cell, or left it; its terrain stayed. */
void assert_added(struct cell before, struct cell after);
void assert_removed(struct cell before, struct cell after);

/* Do the counts fit a uniform draw? Chi-square, five standard deviations. */
void assert_uniform(const char *what, const int *counts, int n);

/* Is a share of `of` trials within 4.5 standard errors of p? */
void assert_share(const char *what, int count, int of, double p);

#endif
