/* SPDX-License-Identifier: MIT
 *
 * Two evolutions that must have come to the same, and one that must come to what it came to before.
 */
#ifndef TESTS_EVOLUTION_SUPPORT_H
#define TESTS_EVOLUTION_SUPPORT_H

#include "evolve/evolution.h"

/* Its text, until the next call. */
const char *origin_note(const struct origin *origin);

void assert_same_evolution(const struct evolution *a, const struct evolution *b);

/* Continues a hash by all origins, generations, maps and games of an evolution; numbers to six decimals. */
uint64_t evolution_hash(uint64_t hash, const struct evolution *ev);

#endif
