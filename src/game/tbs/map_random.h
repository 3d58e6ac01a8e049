/* SPDX-License-Identifier: MIT
 *
 * Random maps that are always legal. Terrain is drawn cell by cell; units stand where they can enter, red in
 * the left half and blue in the right one as long as those have room.
 */
#ifndef GAME_TBS_MAP_RANDOM_H
#define GAME_TBS_MAP_RANDOM_H

#include "game/tbs/map.h"

enum { TBS_WEIGHT_MAX = 10000, TBS_ALL_TYPES = (1 << TBS_TYPES) - 1 };

struct tbs_random_options {
    int width, height;        /* playable cells, 1 … TBS_CELLS_MAX */
    int units[TBS_SIDES];     /* 1 … TBS_SIDE_UNITS_MAX */
    int weight[TBS_TERRAINS]; /* how often each terrain comes, 0 … TBS_WEIGHT_MAX; TBS_NO_ENTRY makes walls */
    bool symmetric; /* blue is red turned by 180 degrees, terrain and units: the same types and HP */
    int turn_limit, threshold;
    int hp_low, hp_high; /* 1 … TBS_HP_USUAL */
    unsigned types;      /* bit i: units of type i may come */
};

/* 6 x 6 cells, six units a side of any type with full HP, mostly plain. */
void tbs_random_defaults(struct tbs_random_options *out);

/* The same options and generator state give the same map, and tbs_map_check finds nothing wrong with it.
 * False when an option is out of range or no such map exists: units that have nowhere to stand. */
bool tbs_map_random(const struct tbs_random_options *options, struct rng *r, struct tbs_map *out,
                    struct err *e);

#endif
