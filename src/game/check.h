/* SPDX-License-Identifier: MIT
 *
 * Laws that every game obeys, checked by playing random games. They cover what all games have in common
 * (copies, keys, notation, views). They do not replace perft, golden games and position pictures, which
 * define one game's rules.
 */
#ifndef GAME_CHECK_H
#define GAME_CHECK_H

#include "game/game.h"

/* Plays `games` random games from the scenario's start and checks every law at every position. False with the
 * first broken law; the sentence names seed, game and ply, and the same arguments reproduce it. */
bool game_check(const struct scenario *scenario, int games, uint64_t seed, struct err *e);

/* Checks the tables themselves: names unique and usable in spec strings, required members present, sizes
 * within limits. `tables` ends with NULL. */
bool game_tables_check(const struct game *const *tables, struct err *e);

#endif
