/* SPDX-License-Identifier: MIT
 *
 * Kuhn poker: three cards, one each, one bet. It is small enough to be solved completely (worth -1/18 chips
 * to the first player), so it is the reference for players and solvers of games with hidden information.
 */
#ifndef GAME_KUHN_KUHN_H
#define GAME_KUHN_KUHN_H

#include "game/game.h"

extern const struct game kuhn_game;

#endif
