/* SPDX-License-Identifier: MIT
 *
 * Positions small enough to be searched in full.
 */
#ifndef TESTS_MINMAX_SUPPORT_H
#define TESTS_MINMAX_SUPPORT_H

#include "player_support.h"

/* Few cells and few units, close to each other and weak, so that a game may end within the horizon. The
 * caller unloads the scenario. */
struct scenario *draw_tiny(struct rng *r, int units_max, enum tbs_path path, struct position *p);

/* One panzer, two victims of which it can kill either; the other units only watch. */
extern const char two_victims[];

#endif
