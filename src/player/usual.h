/* SPDX-License-Identifier: MIT
 *
 * Who plays and who is asked when nobody is named: one row a game, and one for all others.
 */
#ifndef PLAYER_USUAL_H
#define PLAYER_USUAL_H

#include "game/game.h"

struct usual_players {
    const char *game;     /* its name; NULL: all others */
    const char *opponent; /* a spec: who is played against */
    const char *adviser;  /* who is asked for hints and for the chance to win */
};

/* Never NULL. */
const struct usual_players *usual_players_of(const struct game *game);

#endif
