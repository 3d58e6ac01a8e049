/* SPDX-License-Identifier: MIT
 *
 * The calls of store.h, forwarded to the implementation that the path selects, and the columns of a game.
 */
#include "store/store.h"

#include "base/file_system.h"
#include "store/backend.h"

#include <limits.h>
#include <stddef.h>

struct store *store_open(const char *path, enum store_mode mode, struct err *e) {
    const struct store_type *type = file_system_of(path) != NULL ? &store_memory : &store_sqlite;
    return type->open(path, mode, e);
}

void store_close(struct store *store) {
    if (store != NULL)
        store->type->close(store);
}

bool store_get(struct store *store, const char *name, struct text *out, bool *found, struct err *e) {
    return store->type->get(store, name, out, found, e);
}

bool store_put(struct store *store, const char *name, const char *value, struct err *e) {
    return store->type->put(store, name, value, e);
}

bool store_add_game(struct store *store, const struct store_game *game, struct err *e) {
    return store->type->add_game(store, game, e);
}

bool store_visit_games(struct store *store, const struct store_visit *visit, struct err *e) {
    return store->type->visit_games(store, visit, e);
}

bool store_check(struct store *store, struct err *e) {
    return store->type->check(store, e);
}

/* ---- columns ---- */

const struct store_column store_columns[STORE_COLUMN_COUNT] = {
    {"number", STORE_INTEGER, offsetof(struct store_game, number), 0, INT_MAX},
    {"stage", STORE_INTEGER, offsetof(struct store_game, stage), 0, INT_MAX},
    {"round", STORE_INTEGER, offsetof(struct store_game, round), 0, INT_MAX},
    {"player0", STORE_INTEGER, offsetof(struct store_game, players[0]), 0, INT_MAX},
    {"player1", STORE_INTEGER, offsetof(struct store_game, players[1]), 0, INT_MAX},
    {"map", STORE_INTEGER, offsetof(struct store_game, map), 0, INT_MAX},
    {"seed", STORE_LONG, offsetof(struct store_game, seed), INT64_MIN, INT64_MAX},
    {"payoff", STORE_REAL, offsetof(struct store_game, outcome.payoff), 0, 1},
    {"result", STORE_NAME, offsetof(struct store_game, outcome.result), 0, 0},
    {"forfeiter", STORE_INTEGER, offsetof(struct store_game, outcome.forfeiter), -1, 1},
    {"fault", STORE_INTEGER, offsetof(struct store_game, outcome.fault), 0, INT_MAX},
    {"actions", STORE_INTEGER, offsetof(struct store_game, outcome.actions), 0, INT_MAX},
    {"turns", STORE_INTEGER, offsetof(struct store_game, outcome.turns), 0, INT_MAX},
    {"lead_changes", STORE_INTEGER, offsetof(struct store_game, outcome.lead_changes), 0, INT_MAX},
    {"think0_ns", STORE_LONG, offsetof(struct store_game, outcome.think_ns[0]), 0, INT64_MAX},
    {"think1_ns", STORE_LONG, offsetof(struct store_game, outcome.think_ns[1]), 0, INT64_MAX},
    {"longest0_ns", STORE_LONG, offsetof(struct store_game, outcome.longest_ns[0]), 0, INT64_MAX},
    {"longest1_ns", STORE_LONG, offsetof(struct store_game, outcome.longest_ns[1]), 0, INT64_MAX},
    {"decisions0", STORE_INTEGER, offsetof(struct store_game, outcome.decisions[0]), 0, INT_MAX},
    {"decisions1", STORE_INTEGER, offsetof(struct store_game, outcome.decisions[1]), 0, INT_MAX},
    {"finished", STORE_TEXT, offsetof(struct store_game, finished), 0, 0},
    {"note", STORE_TEXT, offsetof(struct store_game, note), 0, 0},
    {"record", STORE_TEXT, offsetof(struct store_game, record), 0, 0},
    {"bundle", STORE_TEXT, offsetof(struct store_game, fault_report), 0, 0},
};

static bool is_in_range(const struct store_column *column, const void *field) {
    switch (column->kind) {
    case STORE_INTEGER: return *(const int *)field >= column->low && *(const int *)field <= column->high;
    case STORE_LONG: return *(const int64_t *)field >= column->low && *(const int64_t *)field <= column->high;
    case STORE_REAL:
        return *(const double *)field >= (double)column->low &&
               *(const double *)field <= (double)column->high;
    case STORE_NAME:
    case STORE_TEXT: break;
    }
    return true;
}

const struct store_column *store_bad_column(const struct store_game *game) {
    for (int i = 0; i < STORE_COLUMN_COUNT; i++)
        if (!is_in_range(&store_columns[i], (const char *)game + store_columns[i].offset))
            return &store_columns[i];
    return NULL;
}
