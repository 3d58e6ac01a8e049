/* SPDX-License-Identifier: MIT
 *
 * The one workbench that a test, or a whole group of them, asks.
 */
#ifndef TESTS_BENCH_SUPPORT_H
#define TESTS_BENCH_SUPPORT_H

#include "tests/served_support.h"

extern struct served served;
extern int64_t now_ns; /* of the clock of an idle workbench */

/* Set-ups and a tear-down: nothing is done in the background, and time stands still; players think; players
 * think while time stands still; programs may be players. */
int open_idle(void **state);
int open_busy(void **state);
int open_frozen(void **state);
int open_programs(void **state);
int close_it(void **state);
void restart(void); /* with the stored data */

#endif
