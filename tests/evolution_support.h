/* SPDX-License-Identifier: MIT
 *
 * Two evolutions that must have come to the same.
 */
#ifndef TESTS_EVOLUTION_SUPPORT_H
#define TESTS_EVOLUTION_SUPPORT_H

#include "evolve/evolution.h"

void assert_same_evolution(const struct evolution *a, const struct evolution *b);

#endif
