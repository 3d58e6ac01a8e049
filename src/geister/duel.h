/* SPDX-License-Identifier: MIT
 *
 * A game between two policies, for learning and measuring them: nothing but the two sides' sights, each
 * turned to its own side, and the row sums of their bits, which go along with the moves. The rules are those
 * of the game `geister`; of the two ways out of a corner, which lead to the same position, only one is
 * listed.
 */
#ifndef GEISTER_DUEL_H
#define GEISTER_DUEL_H

#include "geister/policy_bits.h"

enum { DUEL_GOES_ON = -1, DUEL_DRAWN = 2 }; /* or who has won: 0, 1 */

struct duel_sums {
    float move[POLICY_ROW];
    float value[POLICY_ROW];
};

struct duel {
    const struct policy_weights *weights[2]; /* NULL: plays at random */
    struct geister_sight sights[2];
    struct duel_sums sums[2];
    int mover, ply;
};

/* The mover's choice at hand. */
struct duel_turn {
    int count;
    action moves[POLICY_MOVES_MAX];
    struct bit_step steps[POLICY_MOVES_MAX];
    float scores[POLICY_MOVES_MAX];  /* less that of the position before */
    float chances[POLICY_MOVES_MAX]; /* by the mover's policy */
};

void duel_start(struct duel *duel, const struct policy_weights *const weights[2], const unsigned reds[2]);

/* The mover's moves and the scores of them, without chances. */
void duel_list(const struct duel *duel, struct duel_turn *out);
void duel_chances(struct duel_turn *turn);

/* How good the position looks to the mover; `list` holds its bits. */
float duel_worth(const struct duel *duel, const struct bit_list *list);

/* Plays a move of the list: who has won, or DUEL_GOES_ON. */
int duel_play(struct duel *duel, action move);

/* How the sides choose: the best score (the first of equals), or by chance. */
enum duel_style { DUEL_BEST, DUEL_SAMPLE };

/* A whole game of at most that many plies: who has won, or DUEL_DRAWN. */
int duel_game(struct duel *duel, enum duel_style style, int plies, struct rng *r);

struct duel_score {
    int wins, draws, losses; /* of the first policy */
};

/* Games with random set-ups, the sides changing after each; game i depends only on (seed, i). */
struct duel_match {
    const struct policy_weights *policies[2];
    enum duel_style style;
    int games, plies;
    uint64_t seed;
};
struct duel_score duel_compare(const struct duel_match *match);

#endif
