/* SPDX-License-Identifier: MIT
 *
 * Ratings from games: a Bradley-Terry fit in which a draw is half a win, with one more parameter a map for
 * what the first side is worth there, so that unbalanced maps do not distort the ratings of those who met on
 * them. Errors come from pairs of mirrored games.
 */
#ifndef MATCH_RATING_H
#define MATCH_RATING_H

#include "base/err.h"

struct rating_game {
    int players[2]; /* by side */
    int map;
    int pair;      /* games of one pair have the same number; -1: alone */
    double payoff; /* of side 0 */
};

struct rating {
    double elo;   /* the mean over all players is 0 */
    double error; /* half the 95% interval */
    int games;
    double score; /* points a game */
};

struct rating_side {   /* of one map */
    double elo, error; /* what it is worth there to be side 0 */
    int games;
};

struct rating_fit {
    int player_count, map_count;
    struct rating *ratings;    /* the caller's; player_count of them */
    struct rating_side *sides; /* the caller's; map_count of them; NULL: not wanted */
    double
        *superiority; /* NULL, or player_count * player_count: likelihood that row is stronger than column */
    bool connected; /* could everybody be compared with everybody? Otherwise only the weak prior holds groups
                       together */
};

/* False when memory ran out. All numbers are finite, whatever the games. */
bool rating_compute(const struct rating_game *games, int count, struct rating_fit *fit, struct err *e);

#endif
