/* SPDX-License-Identifier: MIT
 *
 * Kuhn poker: three cards, one each, one bet. Small enough that everything about it is known (to the first
 * player it is worth -1/18 chips), which makes it the yardstick of whatever claims to play or to solve games
 * with hidden information.
 */
#ifndef GAME_KUHN_KUHN_H
#define GAME_KUHN_KUHN_H

#include "game/game.h"

extern const struct game kuhn_game;

#endif
