/* SPDX-License-Identifier: MIT
 *
 * Private to src/store: the columns of a game, in the order in which they are written and read, with the
 * ranges that every implementation keeps to. Other programs can write to a file, too, and code that reads a
 * game may rely on these ranges.
 */
#ifndef STORE_COLUMNS_H
#define STORE_COLUMNS_H

#include "store/store.h"

#include <stddef.h>

enum store_kind { STORE_INTEGER, STORE_LONG, STORE_REAL, STORE_TEXT };

/* The last two, record and bundle, are read, not written with the others. */
enum { STORE_COLUMN_COUNT = 23, STORE_COLUMNS_WRITTEN = STORE_COLUMN_COUNT - 2 };

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
