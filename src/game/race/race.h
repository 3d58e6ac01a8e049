/* SPDX-License-Identifier: MIT
 *
 * A race with a die: the smallest example of an open game with chance after its start.
 */
#ifndef GAME_RACE_RACE_H
#define GAME_RACE_RACE_H

#include "game/game.h"

extern const struct game race_game;

#endif
