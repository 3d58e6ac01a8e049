/* SPDX-License-Identifier: MIT
 *
 * Actions that one side cannot see (the other's set-up, say). No game is asked which they are: an action is
 * secret from a side when another one would have looked the same to it, by the key and the text of what it
 * sees next.
 */
#ifndef MATCH_SECRET_H
#define MATCH_SECRET_H

#include "game/game.h"

/* Lists the legal actions that look to `side` like `played`, itself among them, in the game's order; `out`
 * has room for actions_max. Returns how many: 1 when the action is no secret. */
int secret_alike(const struct game *game, const void *state, action played, int side, action *out);

/* Is it hidden from that side which action this is? False, too, when memory ran out. */
bool secret_is(const struct game *game, const void *state, action played, int side);

#endif
