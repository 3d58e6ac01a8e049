/* SPDX-License-Identifier: MIT
 *
 * Tic-tac-toe, the smallest open game here: an example for a new game, and a game that is solved in moments.
 */
#ifndef GAME_TICTACTOE_TICTACTOE_H
#define GAME_TICTACTOE_TICTACTOE_H

#include "game/game.h"

extern const struct game tictactoe_game;

#endif
