/* SPDX-License-Identifier: MIT
 *
 * The project's own maps, by name, for tests.
 */
#ifndef TESTS_OWN_MAPS_H
#define TESTS_OWN_MAPS_H

#include "game/game.h"

/* Fails the test when there is no such map; the caller unloads the scenario. */
struct scenario *own_map(const char *name);

#endif
