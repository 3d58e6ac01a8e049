/* SPDX-License-Identifier: MIT
 *
 * Code under test while memory runs out.
 */
#ifndef TESTS_MEMORY_SUPPORT_H
#define TESTS_MEMORY_SUPPORT_H

#include <stdbool.h>

/* Calls the function while its n-th allocation (from 1) fails. True: a small allocation failed, the function
 * was left, and everything that it had allocated is free again. False: it returned; it had fewer than n
 * allocations, or reported a large one that failed. */
bool memory_runs_out(long n, void (*function)(void *context), void *context);

#endif
