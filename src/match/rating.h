/* SPDX-License-Identifier: MIT
 *
 * Ratings from games: a Bradley-Terry fit in which a draw is half a win, with one more parameter a map for
 * the advantage of the first side there, so that unbalanced maps do not distort the ratings of the players
 * that met on them. Errors come from pairs of mirrored games. docs/statistics.md has the formulas.
 */
#ifndef MATCH_RATING_H
#define MATCH_RATING_H

#include <stdbool.h>

enum { RATING_PLAYERS_MAX = 256, RATING_MAPS_MAX = 1024 };

struct rating_game {
    int players[2]; /* by side */
    int map;
    int pair;      /* games of one pair have the same number, and the same map; -1: alone */
    double payoff; /* of side 0, from 0 to 1 */
};

struct rating {
    double elo;   /* the mean over all players is 0 */
    double error; /* half the 95% interval */
};

struct rating_side {   /* of one map */
    double elo, error; /* what it is worth there to be side 0 */
};

struct rating_fit {
    int player_count, map_count; /* up to RATING_PLAYERS_MAX and RATING_MAPS_MAX */
    struct rating *ratings;      /* the caller's; player_count of them */
    struct rating_side *sides;   /* the caller's; map_count of them; NULL: not computed */
    double *superiority;         /* the caller's; NULL, or player_count * player_count: the likelihood that
                                    the row is stronger than the column, within (0, 1); 1/2 for itself */
    bool connected; /* can all players be compared, directly or through others? If not, only the weak prior
                       relates the groups */
};

/* All numbers are finite for any games: none, one player, all won, players that
 * never met. The order of the games does not matter except for rounding. */
void rating_compute(const struct rating_game *games, int count, struct rating_fit *fit);

#endif
