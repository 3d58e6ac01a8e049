/* SPDX-License-Identifier: MIT
 *
 * Places of synthetic trees: their payoffs, and the information of a side there.
 */
#ifndef TESTS_SYNTH_SUPPORT_H
#define TESTS_SYNTH_SUPPORT_H

#include "game/synth/synth.h"

/* A place in a tree: the moves so far, read as a number in base `branching`, and how many there were. */
struct synth_place {
    uint64_t tree, path;
    int ply;
};

/* Fills a state (of synth_game) at that place. */
void synth_set(void *state, const struct scenario *scenario, const struct synth_place *place,
               const int types[2]);

/* The payoff to player 0, 0 … top, at a place of full depth, for these types. */
int synth_leaf(const struct scenario *scenario, const struct synth_place *place, const int types[2]);

/* The types of the other player that `side` cannot distinguish: first … first + size - 1. */
struct synth_cell {
    int first, size;
};

struct synth_cell synth_cell(const struct scenario *scenario, const struct synth_place *place, int side,
                             const int types[2]);

#endif
