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
    PLACEMENT_HALVES, /* red in the left half, blue in the right one (with SYMMETRY_FLIP: above and below), as
                         long as those have room; only for maps that are drawn anew: operators may move units
                         anywhere */
    PLACEMENTS,
};

struct space {
    int width, height;                              /* playable cells, 1 … TBS_CELLS_MAX */
    int units_min[TBS_SIDES], units_max[TBS_SIDES]; /* 1 … TBS_SIDE_UNITS_MAX; the most must fit */
    int hp_low, hp_high;                            /* 1 … TBS_HP_USUAL */
    unsigned types;                                 /* bit i: units of type i may come */
    int weight[TBS_TERRAINS]; /* how often each terrain comes in a random cell; 0: never, nowhere */
    enum symmetry symmetry;   /* with one, both sides have the same limits */
    enum placement placement;
    double patches; /* 0: each cell of a new map is drawn for itself; up to 1: terrain comes in patches whose
                       mean size grows to about a row of the map, roads in lines (genome_patches.c) */
    int turn_limit, threshold;
};

/* Is there such a map at all? Says which field is out of range, or what has nowhere to stand. */
bool space_check(const struct space *space, struct err *e);

/* Can a unit of that type stand on that terrain? */
bool space_can_stand(int type, int terrain);

static inline int space_cells(const struct space *space) {
    return space->width * space->height;
}

/* Cells are counted row by row. The one that is the same for the other side; without symmetry the cell
 * itself. */
static inline int space_opposite(const struct space *space, int cell) {
    switch (space->symmetry) {
    case SYMMETRY_TURN: return space_cells(space) - 1 - cell;
    case SYMMETRY_MIRROR: return cell + space->width - 1 - 2 * (cell % space->width);
    case SYMMETRY_FLIP: return cell + space->width * (space->height - 1 - 2 * (cell / space->width));
    case SYMMETRY_NONE:
    case SYMMETRIES: break;
    }
    return cell;
}

/* The cells beside one, left, right, above, below; returns how many of them there are. */
int space_beside(const struct space *space, int cell, int out[4]);

/* In steps along rows and columns. */
int space_distance(const struct space *space, int a, int b);

/* May anybody stand there? In a symmetric map nobody can on a cell that is its own opposite. */
static inline bool space_may_hold(const struct space *space, int cell) {
    return space->symmetry == SYMMETRY_NONE || space_opposite(space, cell) != cell;
}

#endif
