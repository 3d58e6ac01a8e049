/* SPDX-License-Identifier: MIT
 *
 * A linear policy over pairs of features of the position after a move (Shiga's, champion of GAT2021): 127
 * bits, all products of two of them, one weight each. The move with the highest score is played, or one is
 * drawn by softmax. A second set of weights evaluates positions. Everything is as the moving side sees it,
 * itself at the bottom, without the other's colours except those of taken pieces.
 */
#ifndef GEISTER_POLICY_H
#define GEISTER_POLICY_H

#include "base/err.h"
#include "base/text.h"
#include "game/geister/geister.h"

enum {
    POLICY_BITS = 127,
    POLICY_PAIRS = POLICY_BITS * (POLICY_BITS + 1) / 2, /* pair (i, j), i >= j, is number i(i+1)/2 + j */
    POLICY_ROW = 128,
    POLICY_MOVES_MAX = 34,     /* eight pieces, four ways each: two of them out of both corners */
    POLICY_TEXT_MAX = 1 << 20, /* bytes of a weight file */
};

/* The pairs as a square for fast sums: [i][j] and [j][i] are the pair's weight, [i][i] that of the bit. The
 * last column is padding. */
struct policy_weights {
    float move[POLICY_BITS][POLICY_ROW];
    float value[POLICY_BITS][POLICY_ROW];
};

/* The project's own, learned by self-play (data/geister-pg.weights). */
const struct policy_weights *policy_builtin(void);

/* Reads a weight file; `name` is for messages. Weights are whole 1024ths: policy_round gives the value after
 * writing and reading. */
bool policy_read(const char *name, const char *text, size_t size, struct policy_weights *out, struct err *e);
void policy_write(const struct policy_weights *weights, const char *comment, struct text *out);
float policy_round(float weight);

/* Scores of moves (as the side sees them: geister_move of own cells), all at once. Their softmax is the
 * policy. */
void policy_scores(const struct policy_weights *weights, const struct geister_observation *seen,
                   const action *moves, int count, float *out);

/* The moves of the side in the game's order, its escapes in both directions included. */
int policy_moves(const struct geister_observation *seen, action *out);

/* The value of the position to the side, which is to move: -1 … 1. */
float policy_value(const struct policy_weights *weights, const struct geister_observation *seen);

/* Index of the highest score, the first of equals. */
int policy_best(const float *scores, int count);

/* Replaces scores by the probabilities of their softmax. The same result on every machine. */
void policy_softmax(float *scores, int count);

/* Draws an index by such probabilities. */
int policy_draw(const float *chances, int count, struct rng *r);

#endif
