/* SPDX-License-Identifier: MIT
 *
 * Before a match: how many games does a difference need, and what difference can so many games show? Games
 * count as independent, which is right on balanced maps and careful on unbalanced ones (mirrored pairs vary
 * less).
 */
#ifndef MATCH_NEEDED_H
#define MATCH_NEEDED_H

#include "base/err.h"

enum { NEEDED_GAMES_MAX = 1000000000 };

struct needed {
    double draws; /* the share of drawn games, 0 .. 0.99 */
    double alpha; /* how often "there is a difference" may be said though there is none */
    double power; /* how often a true difference must be found */
    bool two_sided;
};

/* The largest difference there can be with so many draws. */
double needed_elo_max(const struct needed *needed);

/* Games of a fixed-length match, rounded up to whole pairs. False when the difference is 0 or cannot occur
 * with so many draws, or more than NEEDED_GAMES_MAX games would be needed. */
bool needed_games(const struct needed *needed, double elo, int *out, struct err *e);

/* The smallest difference that a match of `games` games shows with that power; false when none does. */
bool needed_elo(const struct needed *needed, int games, double *out, struct err *e);

/* Half of the 95% interval of the Elo difference after so many games between equals. */
double needed_error(const struct needed *needed, int games);

/* A sequential test of 0 against `elo` with the same errors (beta is 1 - power): the expected number of games
 * when the difference is 0, `elo`, or halfway, where the test takes longest (Wald 1945, without overshoot).
 */
struct needed_sequential {
    double if_none, if_there, halfway;
};

struct needed_sequential needed_sequential(const struct needed *needed, double elo);

#endif
