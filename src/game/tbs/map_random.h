/* SPDX-License-Identifier: MIT
 *
 * Random maps that are always legal, and their options as a person types them. Terrain is drawn cell by cell;
 * units stand where they can enter, red in the left half and blue in the right one as long as there is room.
 */
#ifndef GAME_TBS_MAP_RANDOM_H
#define GAME_TBS_MAP_RANDOM_H

#include "game/tbs/map.h"

enum { TBS_WEIGHT_MAX = 10000, TBS_ALL_TYPES = (1 << TBS_TYPES) - 1 };

struct tbs_random_options {
    int width, height;        /* playable cells, 1 … TBS_CELLS_MAX */
    int units[TBS_SIDES];     /* 1 … TBS_SIDE_UNITS_MAX */
    int weight[TBS_TERRAINS]; /* relative frequency of each terrain, 0 … TBS_WEIGHT_MAX; TBS_NO_ENTRY makes
                                 walls */
    bool symmetric; /* blue is red turned by 180 degrees, terrain and units: the same types and HP */
    int turn_limit, threshold;
    int hp_low, hp_high; /* 1 … TBS_HP_FULL */
    unsigned types;      /* bit i: units of type i are allowed */
};

/* 6 x 6 cells, six units a side of any type with full HP, mostly plain. */
void tbs_random_defaults(struct tbs_random_options *out);

/* The same options and generator state give the same map, and tbs_map_check finds no problem in it. False
 * when an option is out of range or no such map exists: units without a possible cell. */
bool tbs_map_random(const struct tbs_random_options *options, struct rng *r, struct tbs_map *out,
                    struct err *e);

/* ---- options as a person types them ---- */

/* "plain=60,wood=20,wall=5": each 0 … TBS_WEIGHT_MAX; terrain that is not named gets 0. */
bool tbs_read_weights(const char *string, int weight[TBS_TERRAINS], struct err *e);

/* Names or letters separated by commas ("panzer,I"): bit i is set for type i. */
bool tbs_read_types(const char *string, unsigned *out, struct err *e);

#endif
