/* SPDX-License-Identifier: MIT
 *
 * Which maps may be made: their size, their units, their terrain. Everything that makes or changes a map
 * stays inside a space.
 */
#ifndef EVOLVE_SPACE_H
#define EVOLVE_SPACE_H

#include "base/err.h"
#include "game/tbs/map.h"

enum symmetry {
    SYMMETRY_NONE,
    SYMMETRY_TURN,   /* blue is red turned by 180 degrees */
    SYMMETRY_MIRROR, /* blue is red seen in a mirror between left and right */
    SYMMETRY_FLIP,   /* the same between top and bottom */
    SYMMETRIES,
};

enum placement {
    PLACEMENT_ANYWHERE,
    PLACEMENT_HALVES, /* red in the left half, blue in the right one, as long as those have room; only for
                         maps that are drawn anew: operators may move units anywhere */
};

struct space {
    int width, height;                              /* playable cells, 1 … TBS_CELLS_MAX */
    int units_min[TBS_SIDES], units_max[TBS_SIDES]; /* 1 … TBS_SIDE_UNITS_MAX */
    int hp_low, hp_high;                            /* 1 … TBS_HP_USUAL */
    unsigned types;                                 /* bit i: units of type i may come */
    int weight[TBS_TERRAINS]; /* how often each terrain comes in a random cell; 0: never */
    enum symmetry symmetry;   /* with one, both sides have the same limits */
    enum placement placement;
    double patches; /* 0: each cell of a new map is drawn for itself; towards 1: terrain comes in patches */
    int turn_limit, threshold;
};

/* Is there such a map at all? Says which field is out of range, or what has nowhere to stand. */
bool space_check(const struct space *space, struct err *e);

/* Can a unit of that type stand on that terrain? */
bool space_can_stand(int type, int terrain);

#endif
