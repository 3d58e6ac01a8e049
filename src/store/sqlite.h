/* SPDX-License-Identifier: MIT
 *
 * Private to src/store: the SQLite implementation's open file, its prepared statements, and how they are run.
 */
#ifndef STORE_SQLITE_H
#define STORE_SQLITE_H

#include "store/lock.h"
#include "store/type.h"

#include <sqlite3.h>

enum store_statement {
    STORE_BEGIN,
    STORE_COMMIT,
    STORE_ROLLBACK,
    STORE_GET,
    STORE_PUT,
    STORE_ADD_GAME,
    STORE_ADD_RECORD,
    STORE_ADD_BUNDLE,
    STORE_VISIT,
    STORE_VISIT_TEXTS,
    STORE_STATEMENTS,
};

struct sqlite_store {
    struct store store;
    sqlite3 *db;
    sqlite3_stmt *statements[STORE_STATEMENTS];
    enum store_mode mode;
    struct store_lock lock;
    struct store_file *file;
    char shown[STORE_PATH_MAX]; /* what the user called it */
};

/* The names of store_columns, for statements. */
#define STORE_COLUMNS                                                                                        \
    "number, stage, round, player0, player1, map, seed, payoff, result, forfeiter, fault, actions, turns, "  \
    "lead_changes, think0_ns, think1_ns, longest0_ns, longest1_ns, decisions0, decisions1, finished"

/* "PATH: WHAT: SQLite's own words", or a plainer sentence where there is one for the code; false. */
bool store_fail(struct sqlite_store *store, const char *what, struct err *e);

/* Runs a statement that returns no rows and makes it ready for the next time; SQLite's code. */
int store_run(struct sqlite_store *store, enum store_statement which);

/* Ends a statement that was stepped through; its parameters are forgotten. */
void store_reset(struct sqlite_store *store, enum store_statement which);

/* Copies of the text are not needed: it lives until the statement has run. NULL becomes NULL. */
void store_bind_text(struct sqlite_store *store, enum store_statement which, int index, const char *text);

/* Of struct store_type. */
bool sqlite_add_game(struct store *base, const struct store_game *game, struct err *e);
bool sqlite_visit_games(struct store *base, const struct store_visit *visit, struct err *e);

#endif
