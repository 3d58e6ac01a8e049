/* SPDX-License-Identifier: MIT
 *
 * Training of geist. First its policy (REINFORCE, as in learn.h), in a league: it plays against itself,
 * against its earlier versions, and against `purple`, whose style self-play alone does not teach. Then the
 * values of positions, from games of the same league. Training starts from zero weights and depends on the
 * seed alone; positions and their mirror images are treated alike.
 */
#ifndef GEISTER_GEIST_LEARN_H
#define GEISTER_GEIST_LEARN_H

#include "geister/geist_value.h"

struct geist_recipe {
    int games, value_games;
    double rate, rate_end; /* learning rate of the policy, falling from the first to the second */
    double value_rate, value_rate_end;
    double purple, past; /* shares of games against those opponents; the rest is self-play */
};

enum { GEIST_GAMES = 500000, GEIST_VALUE_GAMES = 200000 }; /* of our own recipe */
extern const struct geist_recipe geist_recipe_own;

/* Counts over the games since the tally was last cleared; results of the learner: won, drawn, lost. */
struct geist_tally {
    uint64_t games, plies, drawn, purple[3], past[3];
    uint64_t positions;
    double surprise[VALUE_HEADS]; /* sum of squared errors */
};

struct geist_learn;
struct geist_learn *geist_learn_open(const struct geist_recipe *recipe, uint64_t seed, struct err *e);
void geist_learn_close(struct geist_learn *learn);

/* Plays the next games, at most that many, and learns from them; false: none are left. The policy's games
 * come first, then those of the values. */
bool geist_learn_go(struct geist_learn *learn, int games);

int geist_learn_done(const struct geist_learn *learn); /* games of both kinds so far */
struct geist_tally *geist_learn_tally(struct geist_learn *learn);
const struct geist_weights *geist_learn_weights(const struct geist_learn *learn);

#endif
