/* SPDX-License-Identifier: MIT
 *
 * The player types, for the registry alone.
 */
#ifndef PLAYER_PLAYERS_H
#define PLAYER_PLAYERS_H

#include "player/player.h"

enum { PLAYER_OPTIONS_MAX = 2048 };

extern const struct player_type player_random;
extern const struct player_type player_acteval;

#endif
