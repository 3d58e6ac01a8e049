/* SPDX-License-Identifier: MIT
 *
 * The folder for files of tests: in memory, if possible. A store waits for its disk after every game; the
 * data of a test need not survive a power cut.
 */
#ifndef TESTS_SCRATCH_SUPPORT_H
#define TESTS_SCRATCH_SUPPORT_H

#include <stdbool.h>

enum { SCRATCH_PATH_MAX = 64 };

/* Makes a new folder, with `name` (a few letters) in its own. */
bool scratch_folder(const char *name, char path[SCRATCH_PATH_MAX]);

#endif
