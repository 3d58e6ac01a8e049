/* SPDX-License-Identifier: MIT
 *
 * Learning what geist knows. First its policy (REINFORCE, as in learn.h), but in a league: it plays against
 * itself, against what it was earlier, and against `purple`, whose ways self-play alone does not teach. Then
 * the values of positions, from games of the same league. Everything starts from nothing and depends on the
 * seed alone; left and right are alike, so that whatever is learned is learned for both.
 */
#ifndef GEISTER_GEIST_LEARN_H
#define GEISTER_GEIST_LEARN_H

#include "geister/geist_value.h"

struct geist_recipe {
    int games, value_games;
    double rate, rate_end; /* of the policy, falling from one to the other */
    double value_rate, value_rate_end;
    double purple, past; /* shares of games against those; the rest is against itself */
};

extern const struct geist_recipe geist_recipe_own;

/* Of the games since the tally was last cleared; results for who learns: won, drawn, lost. */
struct geist_tally {
    uint64_t games, plies, drawn, purple[3], past[3];
    uint64_t positions;
    double surprise[VALUE_HEADS]; /* sum of squared errors */
};

struct geist_learn;
struct geist_learn *geist_learn_open(const struct geist_recipe *recipe, uint64_t seed, struct err *e);
void geist_learn_close(struct geist_learn *learn);

/* Plays and learns from the next games, at most so many; false: there are none left. The policy's come first,
 * then those of the values. */
bool geist_learn_go(struct geist_learn *learn, int games);

int geist_learn_done(const struct geist_learn *learn); /* games of both kinds so far */
struct geist_tally *geist_learn_tally(struct geist_learn *learn);
const struct geist_weights *geist_learn_weights(const struct geist_learn *learn);

#endif
