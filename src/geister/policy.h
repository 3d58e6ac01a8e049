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

/* The same relative to the score of the position before the move, by one set of weights; returns that score.
 */
float policy_changes(const float weights[POLICY_BITS][POLICY_ROW], const struct geister_observation *seen,
                     const action *moves, int count, float *out);

/* The moves of the side in the game's order, its escapes in both directions included. */
int policy_moves(const struct geister_observation *seen, action *out);

/* Index of the highest score, the first of equals. */
int policy_best(const float *scores, int count);

/* Replaces scores by the probabilities of their softmax. The same result on every machine. */
void policy_softmax(float *scores, int count);

/* Draws an index by such probabilities. */
int policy_draw(const float *chances, int count, struct rng *r);

/* ---- features, for the other files of src/geister ---- */

/* Three planes of 42 bits and one bit that is always set. Plane 0, 1, 2: own blues, own reds, the other's
 * pieces by cell; behind the cells of plane k - 1 a bit for each of four counts that is k (1 … 3), and in
 * plane 0 "this move takes a piece" and "this move escapes". */

enum {
    BIT_PLANE = 42,
    BIT_BLUE = 0,
    BIT_RED = BIT_PLANE,
    BIT_THEIRS = 2 * BIT_PLANE,
    BIT_COUNTS = GEISTER_CELLS, /* of taken pieces: their blues, their reds, own blues, own reds */
    BIT_TAKES = GEISTER_CELLS + 4,
    BIT_ESCAPES = GEISTER_CELLS + 5,
    BIT_ALWAYS = POLICY_BITS - 1,
    BIT_NONE = POLICY_ROW - 1,
    BITS_MAX = 2 * GEISTER_PIECES + 4 + 8 + 1, /* also of the values of geist (geist_value.h) */
};

struct bit_list {
    int count;
    uint8_t bits[BITS_MAX]; /* ascending */
};

/* What a move changes: `off` is cleared and `on` is set; the bit of a taken piece is cleared (BIT_NONE: no
 * piece) and BIT_TAKES is set. */
struct bit_step {
    uint8_t off, on, taken;
};

void bits_of(const struct geister_observation *seen, struct bit_list *out);

extern const int8_t bits_targets[GEISTER_CELLS * 4]; /* where a move ends; -1: off the board */

/* The change by a move of a side with these blues, the other's pieces being `theirs`. */
static inline struct bit_step bits_step(uint64_t blue, uint64_t theirs, action move) {
    const int from = (int)move / 4, to = bits_targets[move];
    const int plane = blue >> from & 1 ? BIT_BLUE : BIT_RED;
    if (to < 0)
        return (struct bit_step){(uint8_t)(plane + from), BIT_ESCAPES, BIT_NONE};
    const int taken = theirs >> to & 1 ? BIT_THEIRS + to : BIT_NONE;
    return (struct bit_step){(uint8_t)(plane + from), (uint8_t)(plane + to), (uint8_t)taken};
}

/* Row sums: out[j] is the sum of the weights of j with the bits of the list. */
void bits_sum(const float weights[POLICY_BITS][POLICY_ROW], const struct bit_list *list,
              float out[POLICY_ROW]);

/* The score of the bits whose row sums these are. */
float bits_score(const float weights[POLICY_BITS][POLICY_ROW], const struct bit_list *list,
                 const float sums[POLICY_ROW]);

/* How a step changes the score: pairs with cleared bits are subtracted, pairs with set bits added. */
static inline float bits_change(const float (*w)[POLICY_ROW], const float *sums, struct bit_step s) {
    const float plain = sums[s.on] + w[s.on][s.on] - w[s.off][s.on] - sums[s.off];
    if (s.taken == BIT_NONE)
        return plain;
    const float *const t = w[BIT_TAKES], *const c = w[s.taken];
    const float loses = sums[s.taken] - c[s.off] + c[s.on];
    const float wins = sums[BIT_TAKES] + t[BIT_TAKES] - t[s.off] - t[s.taken] + t[s.on];
    return plain - loses + wins;
}

/* The side's value of its position: 2 / (1 + exp(-score)) - 1. */
float bits_worth(float score);

/* Lists moves by cells and directions in the game's order: `both` ways out of a corner, or only sideways
 * (both lead to the same position). */
int bits_moves(uint64_t red, uint64_t blue, bool both, action *out);

/* The mirror image of a bit (left and right exchanged). */
int bits_mirror(int bit);

#endif
