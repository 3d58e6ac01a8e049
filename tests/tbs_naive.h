/* SPDX-License-Identifier: MIT
 *
 * The tactical game once more, written from the rule text in the simplest way: arrays, loops, divisions. A
 * reference for the real one.
 */
#ifndef TESTS_TBS_NAIVE_H
#define TESTS_TBS_NAIVE_H

#include "game/tbs/tbs.h"

struct naive {
    const struct tbs_map *map;
    const struct tbs_rules *rules;
    struct tbs_position p;
};

void naive_start(struct naive *n, const struct tbs_map *map, const struct tbs_rules *rules);
int naive_unit_actions(const struct naive *n, int unit, enum tbs_attacks which, action *out, int *attacks);
int naive_actions(const struct naive *n, enum tbs_attacks which, action *out);
void naive_play(struct naive *n, action a);
uint64_t naive_perft(const struct naive *n, int depth);

/* A map of that many playable cells and units a side, otherwise random: terrain, types, places (also where a
 * unit could not go), HP, flags, limit and threshold. */
struct shape {
    int cells_x, cells_y;
    int units[TBS_SIDES];
};

void random_map(const struct shape *shape, struct rng *r, struct tbs_map *out);

/* Up to 8 x 8 cells and 16 units a side. */
struct shape random_small_shape(struct rng *r);

#endif
