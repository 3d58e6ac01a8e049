/* SPDX-License-Identifier: MIT
 *
 * Large changes: HP of several units, more and more of it. Where one side always wins no small change shows
 * any effect that could be built on; but along such a ray the score goes from one end to the other, and
 * halving finds where it crosses the middle. Private to src/evolve/mend*.c and tests.
 */
#ifndef EVOLVE_MEND_RAYS_H
#define EVOLVE_MEND_RAYS_H

#include "evolve/mend_sets.h"

enum { MEND_RAYS_MAX = 16 };

struct mend_ray {
    struct mend_set base; /* changes of other kinds that are made first; may be none */
    int count;
    int units[MEND_CHANGES_MAX]; /* ascending; theirs is the HP that changes, against the side that is ahead
                                  */
    int most[MEND_CHANGES_MAX];  /* points at most */
};

/* Rays that differ, no more changes than `sets` allows: those with the most points first, others drawn at
 * random; another `round`, other draws. A few begin with what helped most of the other kinds. Returns how
 * many; none when HP may not change. */
int mend_rays_draw(const struct mend_sets *sets, int round, struct mend_ray out[MEND_RAYS_MAX]);

/* What its end costs. */
int mend_ray_cost(const struct mend_ray *ray);

/* The set of changes of that cost on the ray, beyond that of its base and at most that of its end; all units
 * get alike, as long as they have points left. */
void mend_ray_at(const struct mend_sets *sets, const struct mend_ray *ray, int cost, struct mend_set *out);

#endif
