/* SPDX-License-Identifier: MIT
 *
 * Writing and reading games.
 */
#include "store/store.h"

#include "store/file.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum kind { INTEGER, LONG, REAL, TEXT };

/* As STORE_COLUMNS says, with the ranges of the tables: other programs can write to the file too, and whoever
 * reads a game may rely on them. */
static const struct column {
    enum kind kind;
    size_t offset;
    int64_t low, high;
} columns[] = {
    {INTEGER, offsetof(struct store_game, number), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, stage), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, round), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, players[0]), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, players[1]), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, map), 0, INT_MAX},
    {LONG, offsetof(struct store_game, seed), INT64_MIN, INT64_MAX},
    {REAL, offsetof(struct store_game, payoff)},
    {TEXT, offsetof(struct store_game, result)},
    {INTEGER, offsetof(struct store_game, forfeiter), -1, 1},
    {INTEGER, offsetof(struct store_game, fault), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, actions), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, turns), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, lead_changes), 0, INT_MAX},
    {LONG, offsetof(struct store_game, think_ns[0]), 0, INT64_MAX},
    {LONG, offsetof(struct store_game, think_ns[1]), 0, INT64_MAX},
    {LONG, offsetof(struct store_game, longest_ns[0]), 0, INT64_MAX},
    {LONG, offsetof(struct store_game, longest_ns[1]), 0, INT64_MAX},
    {INTEGER, offsetof(struct store_game, decisions[0]), 0, INT_MAX},
    {INTEGER, offsetof(struct store_game, decisions[1]), 0, INT_MAX},
    {TEXT, offsetof(struct store_game, finished)},
    {TEXT, offsetof(struct store_game, record)}, /* the last two are read, not written with the others */
    {TEXT, offsetof(struct store_game, bundle)},
};

enum { COLUMNS = sizeof columns / sizeof columns[0], COLUMNS_WRITTEN = COLUMNS - 2 };

static void bind_columns(sqlite3_stmt *statement, const struct store_game *game) {
    for (int i = 0; i < COLUMNS_WRITTEN; i++) {
        const void *field = (const char *)game + columns[i].offset;
        switch (columns[i].kind) {
        case INTEGER: sqlite3_bind_int(statement, i + 1, *(const int *)field); break;
        case LONG: sqlite3_bind_int64(statement, i + 1, *(const int64_t *)field); break;
        case REAL: sqlite3_bind_double(statement, i + 1, *(const double *)field); break;
        case TEXT: sqlite3_bind_text(statement, i + 1, *(const char *const *)field, -1, SQLITE_STATIC); break;
        }
    }
}

/* One more text of a game; none where there is nothing to say. */
static int add_document(struct store *store, enum store_statement which, int number, const char *json) {
    if (json == NULL)
        return SQLITE_OK;
    sqlite3_bind_int(store->statements[which], 1, number);
    store_bind_text(store, which, 2, json);
    return store_run(store, which);
}

/* The transaction is open. */
static bool add_parts(struct store *store, const struct store_game *game, struct err *e) {
    char what[64];
    bind_columns(store->statements[STORE_ADD_GAME], game);
    int code = store_run(store, STORE_ADD_GAME);
    if (code == SQLITE_CONSTRAINT_PRIMARYKEY || code == SQLITE_CONSTRAINT_ROWID)
        return err_set(e, "%s: game %d is there already; every game is stored once", store->shown,
                       game->number);
    if (code == SQLITE_OK)
        code = add_document(store, STORE_ADD_RECORD, game->number, game->record);
    if (code == SQLITE_OK)
        code = add_document(store, STORE_ADD_BUNDLE, game->number, game->bundle);
    if (code == SQLITE_OK)
        code = store_run(store, STORE_COMMIT);
    if (code == SQLITE_OK)
        return true;
    snprintf(what, sizeof what, "game %d cannot be written", game->number);
    return store_fail(store, what, e);
}

/* Writing on into a file that somebody removed would lose everything without a word. */
static bool is_in_place(struct store *store, struct err *e) {
    int moved = 0;
    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved == 0 || err_set(e, "%s: was removed or replaced while it was in use", store->shown);
}

bool store_add_game(struct store *store, const struct store_game *game, struct err *e) {
    assert(store->mode == STORE_WRITE);
    assert(game->result != NULL);
    assert(game->finished != NULL);
    if (!is_in_place(store, e))
        return false;
    if (store_run(store, STORE_BEGIN) != SQLITE_OK)
        return store_fail(store, "cannot be written", e);
    if (add_parts(store, game, e))
        return true;
    if (!sqlite3_get_autocommit(store->db))
        store_run(store, STORE_ROLLBACK);
    return false;
}

/* ---- reading ---- */

/* Fills the field; false when the file holds what cannot be. */
static bool read_column(sqlite3_stmt *row, int index, void *field) {
    const struct column *column = &columns[index];
    const int64_t value = sqlite3_column_int64(row, index);
    const double real = sqlite3_column_double(row, index);
    switch (column->kind) {
    case INTEGER: *(int *)field = (int)value; break;
    case LONG: *(int64_t *)field = value; break;
    case REAL: *(double *)field = real; return real >= 0 && real <= 1;
    case TEXT: *(const char **)field = (const char *)sqlite3_column_text(row, index); return true;
    }
    return value >= column->low && value <= column->high;
}

static bool read_game(struct store *store, sqlite3_stmt *row, struct store_game *game, struct err *e) {
    for (int i = 0; i < COLUMNS; i++)
        if (!read_column(row, i, (char *)game + columns[i].offset))
            return err_set(e, "%s: the file is damaged: game %lld has %s = %s", store->shown,
                           (long long)sqlite3_column_int64(row, 0), sqlite3_column_name(row, i),
                           (const char *)sqlite3_column_text(row, i));
    if (game->result == NULL || game->finished == NULL)
        return err_set(e, "%s: the texts of game %d cannot be read", store->shown, game->number);
    return true;
}

bool store_visit_games(struct store *store, const struct store_visit *visit, struct err *e) {
    const enum store_statement which = visit->texts ? STORE_VISIT_TEXTS : STORE_VISIT;
    sqlite3_stmt *row = store->statements[which];
    assert(!sqlite3_stmt_busy(row));
    sqlite3_bind_int(row, 1, visit->first);
    bool ok = true;
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(row)) == SQLITE_ROW) {
        struct store_game game = {0};
        ok = read_game(store, row, &game, e) && visit->game(visit->context, &game, e);
    }
    if (ok && code != SQLITE_DONE)
        ok = store_fail(store, "cannot be read", e);
    store_reset(store, which);
    return ok;
}
