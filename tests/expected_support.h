/* SPDX-License-Identifier: MIT
 *
 * Long results of unit tests, line by line beside those in tests/expected. EXPECTED=update writes them anew.
 */
#ifndef TESTS_EXPECTED_SUPPORT_H
#define TESTS_EXPECTED_SUPPORT_H

#include "base/text.h"

/* The name is that of a file in tests/expected. The first line that differs fails the test. */
void expected_compare(const char *name, const struct text *found);

/* Is the player or game ("player", "game") in tests/expected/registered.txt? Results list only those, so that
 * a new one changes none. */
bool expected_is_registered(const char *kind, const char *name);

/* 32 bits of a text. The sign of what is no number depends on the compiler, and does not count. */
unsigned expected_digest(const struct text *text);

#endif
