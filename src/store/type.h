/* SPDX-License-Identifier: MIT
 *
 * Private to src/store: the interface that every kind of store implements. The functions do what their
 * namesakes of store.h promise.
 */
#ifndef STORE_TYPE_H
#define STORE_TYPE_H

#include "store/store.h"

struct store_type {
    struct store *(*open)(const char *path, enum store_mode mode, struct err *e);
    void (*close)(struct store *store); /* not NULL */
    bool (*get)(struct store *store, const char *name, struct text *out, bool *found, struct err *e);
    bool (*put)(struct store *store, const char *name, const char *value, struct err *e);
    bool (*add_game)(struct store *store, const struct store_game *game, struct err *e);
    bool (*visit_games)(struct store *store, const struct store_visit *visit, struct err *e);
    bool (*check)(struct store *store, struct err *e);
};

/* The first member of an implementation's own struct. */
struct store {
    const struct store_type *type;
};

/* In a file on the disk. */
extern const struct store_type store_sqlite;

/* In the memory of this process, for paths below a mounted base/file_memory.h: tests and fuzzing. */
extern const struct store_type store_memory;

#endif
