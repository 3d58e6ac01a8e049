/* SPDX-License-Identifier: MIT
 *
 * A disk that is watched, and that fails on demand, for unit tests: disk.c is linked to them and takes the
 * place of the C library's calls. Syncs and renames are noted in their order, so that a test can require an
 * order of writes to the disk. (faults.c does such things to whole programs.)
 */
#ifndef FAKE_DISK_H
#define FAKE_DISK_H

#include <stdbool.h>
#include <stddef.h>

/* Forgets what was noted. */
void disk_watch(void);

/* What was done since, a line each: "sync NAME", "rename FROM TO". Names are without their folders; a
 * temporary one is "DRAFT". What does not fit is left out. */
const char *disk_log(void);

enum disk_call { DISK_WRITE = 1, DISK_SYNC = 2, DISK_RENAME = 4 };

/* From now on those calls (bits) fail with that errno for everything below the folder; 0: they work. */
void disk_fail(int calls, int reason, const char *folder);

/* The same, but so many of them succeed before. */
void disk_fail_later(int calls, int reason, const char *folder, int successes);

/* Random numbers from the system are these bytes again and again; NULL: they are random. */
void disk_random(const unsigned char *bytes, size_t size);

#endif
