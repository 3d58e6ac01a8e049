/* SPDX-License-Identifier: MIT
 *
 * The inside of the learner: private to learn.c, geist_learn.c and tests.
 */
#ifndef GEISTER_LEARN_INSIDE_H
#define GEISTER_LEARN_INSIDE_H

#include "geister/duel.h"
#include "geister/learn.h"

/* The gradient over a sum of games: a pair's part is [i][j] + [j][i]. The part of a single bit is that of its
 * pair with the bit that is always set, so it is not stored separately. */
struct learn_slope {
    float move[POLICY_BITS][POLICY_ROW];
    float value[POLICY_BITS][POLICY_ROW];
};

/* A decision, stored until the game is over. */
struct learn_note {
    struct bit_list list;
    struct duel_turn turn;
    int chosen;
    float worth; /* of the position, before the move */
};

struct learn_lane {
    struct learn_slope slope;
    struct learn_tally tally;
    int past_side; /* the side that plays by earlier weights; -1: none */
    int note_count;
    struct learn_note notes[LEARN_PLIES_MAX];
};

enum { LEARN_MOVE, LEARN_VALUE, LEARN_HEADS };

/* A weight and the optimizer's state for it. */
struct learn_weight {
    float now, mean, square, average;
};

struct learn {
    struct learn_recipe recipe;
    uint64_t seed, games, steps;
    struct learn_tally tally;
    struct learn_weight weights[LEARN_HEADS][POLICY_PAIRS];
    uint16_t mirrored[POLICY_PAIRS]; /* the mirror image of each pair */
    struct policy_weights square;    /* `now` as a square, for playing */
    uint64_t stored;                 /* number of earlier weights stored so far; the last of them are here */
    struct policy_weights past[LEARN_PAST_MAX]; /* move weights only: they are not used for values */
    struct learn_lane lanes[LEARN_LANES];
};

static inline int learn_pair(int i, int j) {
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

/* Adds the gradient of a decision: the probabilities of its moves up or down by `gain` (for the chosen one).
 */
void learn_move_slope(const struct learn_note *note, float gain, float entropy, struct learn_slope *out);
void learn_value_slope(const struct learn_note *note, float gain, struct learn_slope *out);

/* Number of earlier weights available as opponents. */
static inline int learn_past_count(const struct learn *learn) {
    return learn->stored < LEARN_PAST_MAX ? (int)learn->stored : LEARN_PAST_MAX;
}

#endif
