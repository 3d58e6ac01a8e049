/* SPDX-License-Identifier: MIT
 *
 * A knock-out: who is still in it, who has to play, who came how far. Computed anew from the games each time.
 */
#ifndef TOURNAMENT_BRACKET_H
#define TOURNAMENT_BRACKET_H

#include "tournament/pairing.h"

struct bracket {
    int stage;
    int games; /* per pairing and map; a tie is played again */
    int count;
    const int *order; /* the players by seed, best first */
};

struct bracket_state {
    int round;      /* the one to be played, from 0 */
    int open_count; /* its pairings that are not decided yet; 0: the knock-out is over */
    struct pairing open[EVENT_PLAYERS_MAX / 2];
    int level[EVENT_PLAYERS_MAX]; /* by player: rounds survived; -1 for who is not in it */
};

void bracket_walk(const struct event *event, const struct games *games, const struct bracket *bracket,
                  struct bracket_state *out);

#endif
