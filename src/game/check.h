/* SPDX-License-Identifier: MIT
 *
 * The laws every game obeys, checked by playing random games. They catch what all games have in common
 * (copies, keys, notation, views); they do not replace perft, golden games and position pictures, which say
 * what one game's rules are.
 */
#ifndef GAME_CHECK_H
#define GAME_CHECK_H

#include "game/game.h"

/* Plays `games` random games from the scenario's start and checks every law at every position. False with the
 * first broken law; the sentence names seed, game and ply, and the same arguments break it again. */
bool game_check(const struct scenario *scenario, int games, uint64_t seed, struct err *e);

/* The tables themselves: names unique and usable in spec strings, required slots there, sizes within limits.
 * `tables` ends with NULL. */
bool game_tables_check(const struct game *const *tables, struct err *e);

/* game_tables_check of all registered games. */
bool game_registry_check(struct err *e);

#endif
