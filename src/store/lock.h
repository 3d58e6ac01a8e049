/* SPDX-License-Identifier: MIT
 *
 * One writer at a time: a lock on PATH.lock that the system drops when its holder ends, however it ends. The
 * file is removed when the lock is; one that a killed program left behind locks nobody out.
 */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H

#include "base/err.h"

enum { STORE_PATH_MAX = 4096 };

struct store_lock {
    int fd; /* -1: not held */
    char path[STORE_PATH_MAX];
};

/* Fails at once when somebody else holds it. `shown` is the store's name in messages. */
bool store_lock_take(struct store_lock *lock, const char *path, const char *shown, struct err *e);
void store_lock_drop(struct store_lock *lock);

#endif
