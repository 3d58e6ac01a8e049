/* SPDX-License-Identifier: MIT
 *
 * States inside of sentences.
 */
#ifndef AUDIT_WORDS_H
#define AUDIT_WORDS_H

#include "game/game.h"

/* Appends the state as its notation has it, on one line. */
void words_state(const struct game *game, const void *state, struct text *out);

#endif
