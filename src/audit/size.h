/* SPDX-License-Identifier: MIT
 *
 * How large a game is, without writing it out: for who must refuse one before memory runs out.
 */
#ifndef AUDIT_SIZE_H
#define AUDIT_SIZE_H

#include "game/game.h"

struct size_estimate {
    double deals, nodes; /* as a form counts them */
};

/* From random games (Knuth 1975): exact where every position as deep has as many actions. Infinite when games
 * do not end. False when memory ran out. */
bool size_estimate(const struct scenario *scenario, uint64_t seed, struct size_estimate *out, struct err *e);

#endif
