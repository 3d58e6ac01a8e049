/* SPDX-License-Identifier: MIT
 *
 * The features of the policy: which bits are set, and how a move changes them. Private to src/geister.
 *
 * Three planes of 42 bits and one bit that is always set. Plane 0, 1, 2: own blues, own reds, the other's
 * pieces by cell; behind the cells of plane k - 1 a bit for each of four counts that is k (1 … 3), and in
 * plane 0 "this move takes a piece" and "this move escapes".
 */
#ifndef GEISTER_POLICY_BITS_H
#define GEISTER_POLICY_BITS_H

#include "geister/policy.h"

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
    BITS_MAX = 2 * GEISTER_PIECES + 4 + 1,
};

struct bit_list {
    int count;
    uint8_t bits[BITS_MAX];
};

/* What a move changes: `off` is cleared and `on` is set; the bit of a taken piece is cleared (BIT_NONE: no
 * piece) and BIT_TAKES is set. */
struct bit_step {
    uint8_t off, on, taken;
};

/* Fills the list in ascending order. */
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
