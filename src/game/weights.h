/* SPDX-License-Identifier: MIT
 *
 * The numbers a game's evaluations are tuned by, and the text that sets them: "F:1,A:100".
 */
#ifndef GAME_WEIGHTS_H
#define GAME_WEIGHTS_H

#include "game/game.h"

/* All weights as the game has them; `out` has GAME_WEIGHTS_MAX places. */
void weights_default(const struct game *game, double *out);

/* Sets those named in the text ("NAME:NUMBER,NAME:NUMBER"; empty: none) and leaves the others. Names are
 * matched without regard to case. */
bool weights_read(const struct game *game, const char *text, double *out, struct err *e);

#endif
