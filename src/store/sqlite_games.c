/* SPDX-License-Identifier: MIT
 *
 * Writing and reading games.
 */
#include "store/columns.h"
#include "store/sqlite.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>

static void bind_columns(sqlite3_stmt *statement, const struct store_game *game) {
    for (int i = 0; i < STORE_COLUMNS_WRITTEN; i++) {
        const void *field = (const char *)game + store_columns[i].offset;
        switch (store_columns[i].kind) {
        case STORE_INTEGER: sqlite3_bind_int(statement, i + 1, *(const int *)field); break;
        case STORE_LONG: sqlite3_bind_int64(statement, i + 1, *(const int64_t *)field); break;
        case STORE_REAL: sqlite3_bind_double(statement, i + 1, *(const double *)field); break;
        case STORE_TEXT:
            sqlite3_bind_text(statement, i + 1, *(const char *const *)field, -1, SQLITE_STATIC);
            break;
        }
    }
}

/* One more text of a game; none where there is nothing to say. */
static int add_document(struct sqlite_store *store, enum store_statement which, int number,
                        const char *json) {
    if (json == NULL)
        return SQLITE_OK;
    sqlite3_bind_int(store->statements[which], 1, number);
    store_bind_text(store, which, 2, json);
    return store_run(store, which);
}

/* The transaction is open. */
static bool add_parts(struct sqlite_store *store, const struct store_game *game, struct err *e) {
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
static bool is_in_place(struct sqlite_store *store, struct err *e) {
    int moved = 0;
    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved == 0 || err_set(e, "%s: was removed or replaced while it was in use", store->shown);
}

bool sqlite_add_game(struct store *base, const struct store_game *game, struct err *e) {
    struct sqlite_store *store = (struct sqlite_store *)base;
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
    const struct store_column *column = &store_columns[index];
    const int64_t value = sqlite3_column_int64(row, index);
    const double real = sqlite3_column_double(row, index);
    switch (column->kind) {
    case STORE_INTEGER: *(int *)field = (int)value; break;
    case STORE_LONG: *(int64_t *)field = value; break;
    case STORE_REAL: *(double *)field = real; return real >= 0 && real <= 1;
    case STORE_TEXT:
        /* None, or none because there was no memory to read it. */
        if (sqlite3_column_type(row, index) == SQLITE_NULL)
            return true;
        *(const char **)field = (const char *)sqlite3_column_text(row, index);
        return *(const char **)field != NULL;
    }
    return value >= column->low && value <= column->high;
}

static bool read_game(struct sqlite_store *store, sqlite3_stmt *row, struct store_game *game, struct err *e) {
    for (int i = 0; i < STORE_COLUMN_COUNT; i++)
        if (!read_column(row, i, (char *)game + store_columns[i].offset))
            return store_columns[i].kind == STORE_TEXT
                       ? store_fail(store, "cannot be read", e)
                       : err_set(e, "%s: the file is damaged: game %lld has %s = %s", store->shown,
                                 (long long)sqlite3_column_int64(row, 0), sqlite3_column_name(row, i),
                                 (const char *)sqlite3_column_text(row, i));
    if (game->result == NULL || game->finished == NULL)
        return err_set(e, "%s: the texts of game %d cannot be read", store->shown, game->number);
    return true;
}

bool sqlite_visit_games(struct store *base, const struct store_visit *visit, struct err *e) {
    struct sqlite_store *store = (struct sqlite_store *)base;
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
