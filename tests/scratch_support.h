/* SPDX-License-Identifier: MIT
 *
 * Where tests keep their files: in memory, where there is some. A store waits for its disk after every game;
 * nothing of a test's has to outlast a power cut.
 */
#ifndef TESTS_SCRATCH_SUPPORT_H
#define TESTS_SCRATCH_SUPPORT_H

#include <stdbool.h>

enum { SCRATCH_PATH_MAX = 64 };

/* Makes a folder that nobody else has, with `name` (a few letters) in its own. */
bool scratch_folder(const char *name, char path[SCRATCH_PATH_MAX]);

#endif
