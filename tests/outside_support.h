/* SPDX-License-Identifier: MIT
 *
 * For tests of external programs and of files: processes that should have ended, and memory and open files
 * that should not grow.
 */
#ifndef TESTS_OUTSIDE_SUPPORT_H
#define TESTS_OUTSIDE_SUPPORT_H

/* The path of the engine that misbehaves, and of the program itself. */
const char *outside_saboteur(void);
const char *outside_senjutsu(void);

/* How many living processes carry this mark in their environment. */
int outside_carriers(const char *mark);

/* How many dead children of this process wait to be reaped. */
int outside_zombies(void);

/* How many living processes that descend from this one (or are orphans of what did) have this name. */
int outside_processes_named(const char *name);

/* How many descriptors this process has open, counting alike at each call. */
int outside_open_files(void);

/* The most memory this process has had, in kilobytes; 0 when it is unknown (or not meaningful). */
long outside_peak_kilobytes(void);

#endif
