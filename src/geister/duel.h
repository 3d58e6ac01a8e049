/* SPDX-License-Identifier: MIT
 *
 * A game between two policies, for learning and measuring them. It holds only the position as each side sees
 * it, and the row sums of both sides' bits, which are updated with the moves. The rules are those of the game
 * `geister`; of the two ways out of a corner, which lead to the same position, only one is listed.
 */
#ifndef GEISTER_DUEL_H
#define GEISTER_DUEL_H

#include "geister/geist_value.h"

enum { DUEL_GOES_ON = GEIST_GOES_ON, DUEL_DRAWN = GEIST_DRAWN }; /* or the winner: 0, 1 */

struct duel_sums {
    float move[POLICY_ROW];
    float value[POLICY_ROW];
};

struct duel {
    const struct policy_weights *weights[2]; /* NULL: plays at random */
    struct geist_board board;
    struct geister_observation observations[2]; /* of the board, by side */
    struct duel_sums sums[2];
    int mover, ply;
};

/* The mover's current choice. */
struct duel_turn {
    int count;
    action moves[POLICY_MOVES_MAX];
    struct bit_step steps[POLICY_MOVES_MAX];
    float scores[POLICY_MOVES_MAX];  /* relative to the position before the move */
    float chances[POLICY_MOVES_MAX]; /* by the mover's policy */
};

void duel_start(struct duel *duel, const struct policy_weights *const weights[2], const unsigned reds[2]);

/* Fills in the mover's moves and their scores, without probabilities. */
void duel_list(const struct duel *duel, struct duel_turn *out);
void duel_chances(struct duel_turn *turn);

/* The mover's value of the position; `list` gets its bits. */
float duel_worth(const struct duel *duel, const struct bit_list *list);

/* Plays a move of the list; returns the winner or DUEL_GOES_ON. */
int duel_play(struct duel *duel, action move);

/* How the sides choose: the best score (the first of equals), or at random by the probabilities. */
enum duel_style { DUEL_BEST, DUEL_SAMPLE };

/* Plays a whole game of at most that many plies; returns the winner or DUEL_DRAWN. */
int duel_game(struct duel *duel, enum duel_style style, int plies, struct rng *r);

struct duel_score {
    int wins, draws, losses; /* of the first policy */
};

/* Plays games with random set-ups, the sides alternating; game i depends only on (seed, i). */
struct duel_match {
    const struct policy_weights *policies[2];
    enum duel_style style;
    int games, plies;
    uint64_t seed;
};
struct duel_score duel_compare(const struct duel_match *match);

#endif
