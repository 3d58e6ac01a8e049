/* SPDX-License-Identifier: MIT
 *
 * One writer at a time: a lock on PATH.lock that the system drops when its holder ends, however it ends. The
 * file is removed when the lock is; a file that a killed program left does not block others.
 *
 * A file may have several names (hard links), each with a PATH.lock of its own: so the file itself is locked,
 * too.
 */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H

#include "base/text.h"

enum { STORE_PATH_MAX = 4096 };

struct store_lock {
    int fd; /* -1: not held */
    char path[STORE_PATH_MAX];
};

/* Fails at once when another program holds it. `display_path` is the store's name in messages. */
bool store_lock_take(struct store_lock *lock, const char *path, const char *display_path, struct err *e);
void store_lock_drop(struct store_lock *lock);

/* A file that is open in this process, by whatever names and how often. NULL: it is not. */
struct store_file;

/* Before it is opened: notes that it is used, and with `writes` that no other user writes to it. NULL and a
 * reason when one does, here or in another process. */
struct store_file *store_file_hold(const char *path, bool writes, struct err *e);

/* After it was closed. NULL is allowed. */
void store_file_drop(struct store_file *file, bool writes);

#endif
