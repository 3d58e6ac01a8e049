/* SPDX-License-Identifier: MIT
 *
 * Private to src/store: the interface that every kind of store implements, and the columns of a game that all
 * of them share.
 */
#ifndef STORE_BACKEND_H
#define STORE_BACKEND_H

#include "store/store.h"

#include <stddef.h>

/* ---- the interface ---- */

/* The functions fulfil the contracts of their namesakes in store.h. */
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

/* In the memory of this process, for paths below a mounted base/file_system.h: tests and fuzzing. */
extern const struct store_type store_memory;

/* ---- columns ----
 *
 * The columns of a game in the order in which they are written and read. Every implementation checks the
 * ranges when it reads, because other programs can write to a file; readers of games may rely on them. */

/* A STORE_NAME is OUTCOME_RESULT_MAX bytes within the game, a STORE_TEXT a pointer. */
enum store_kind { STORE_INTEGER, STORE_LONG, STORE_REAL, STORE_NAME, STORE_TEXT };

/* The last three (note, record, fault report) are read with the others but are in tables of their own. */
enum { STORE_COLUMN_COUNT = 24, STORE_COLUMNS_WRITTEN = STORE_COLUMN_COUNT - 3 };

struct store_column {
    const char *name;
    enum store_kind kind;
    size_t offset;
    int64_t low, high;
};

extern const struct store_column store_columns[STORE_COLUMN_COUNT];

/* The first column whose value is out of range; NULL when there is none. Texts have no range. */
const struct store_column *store_bad_column(const struct store_game *game);

#endif
