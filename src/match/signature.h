/* SPDX-License-Identifier: MIT
 *
 * One number over a fixed set of fixed-seed games: every action chosen by every player, every playout's end,
 * and the legal actions on the way. A change that is meant to be pure speed must leave it alone.
 */
#ifndef MATCH_SIGNATURE_H
#define MATCH_SIGNATURE_H

#include "game/game.h"

/* Over the given scenarios, in their order. */
bool signature_compute(struct scenario *const *scenarios, int count, uint64_t *out, struct err *e);

#endif
