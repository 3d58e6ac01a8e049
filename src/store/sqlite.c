/* SPDX-License-Identifier: MIT
 *
 * The store in a file of SQLite: opening, closing and checking it, and its named texts.
 * While somebody writes, the file is in SQLite's write-ahead mode with synchronous=NORMAL: a commit is in the
 * system's hands when it returns, so killing the program loses nothing, and the disk is waited for only when
 * the log is folded into the file. A power failure may therefore take the last games with it, never more.
 * Other programs read meanwhile. A clean close goes back to a single file without a log, which can also be
 * read from a folder nobody may write to.
 */
#include "store/sqlite.h"

#include "base/mem.h"
#include "store/backend.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID "1936356467" /* "sjts": SQLite keeps it at byte 68, where file(1) looks */

enum { APPLICATION = 1936356467, VERSION = 1, BUSY_MS = 10000 };

#define VERSION_TEXT "1"

/* Numbers are checked here once more than in C, because other programs can write to the file too. */
static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE text (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;"
    "CREATE TABLE game ("
    "  number INTEGER PRIMARY KEY CHECK (number BETWEEN 0 AND 2147483647),"
    "  stage INTEGER NOT NULL CHECK (stage BETWEEN 0 AND 2147483647),"
    "  round INTEGER NOT NULL CHECK (round BETWEEN 0 AND 2147483647),"
    "  player0 INTEGER NOT NULL CHECK (player0 BETWEEN 0 AND 2147483647),"
    "  player1 INTEGER NOT NULL CHECK (player1 BETWEEN 0 AND 2147483647),"
    "  map INTEGER NOT NULL CHECK (map BETWEEN 0 AND 2147483647),"
    "  seed INTEGER NOT NULL," /* 64 bits; those above 2^63 look negative */
    "  payoff REAL NOT NULL CHECK (payoff BETWEEN 0 AND 1),"
    "  result TEXT NOT NULL,"
    "  forfeiter INTEGER NOT NULL CHECK (forfeiter IN (-1, 0, 1)),"
    "  fault INTEGER NOT NULL CHECK (fault BETWEEN 0 AND 2147483647),"
    "  actions INTEGER NOT NULL CHECK (actions BETWEEN 0 AND 2147483647),"
    "  turns INTEGER NOT NULL CHECK (turns BETWEEN 0 AND 2147483647),"
    "  lead_changes INTEGER NOT NULL CHECK (lead_changes BETWEEN 0 AND 2147483647),"
    "  think0_ns INTEGER NOT NULL CHECK (think0_ns >= 0),"
    "  think1_ns INTEGER NOT NULL CHECK (think1_ns >= 0),"
    "  longest0_ns INTEGER NOT NULL CHECK (longest0_ns >= 0),"
    "  longest1_ns INTEGER NOT NULL CHECK (longest1_ns >= 0),"
    "  decisions0 INTEGER NOT NULL CHECK (decisions0 BETWEEN 0 AND 2147483647),"
    "  decisions1 INTEGER NOT NULL CHECK (decisions1 BETWEEN 0 AND 2147483647),"
    "  finished TEXT NOT NULL) STRICT;"
    /* Tables of their own, so that going through the games does not read the long texts. */
    "CREATE TABLE record (game INTEGER PRIMARY KEY REFERENCES game (number), json TEXT NOT NULL) STRICT;"
    "CREATE TABLE bundle (game INTEGER PRIMARY KEY REFERENCES game (number), json TEXT NOT NULL) STRICT;"
    "PRAGMA application_id = " APPLICATION_ID ";"
    "PRAGMA user_version = " VERSION_TEXT ";"
    "COMMIT;";

static const char *const statement_texts[STORE_STATEMENTS] = {
    [STORE_BEGIN] = "BEGIN IMMEDIATE",
    [STORE_COMMIT] = "COMMIT",
    [STORE_ROLLBACK] = "ROLLBACK",
    [STORE_GET] = "SELECT value FROM text WHERE name = ?1",
    [STORE_PUT] = "INSERT INTO text (name, value) VALUES (?1, ?2) "
                  "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [STORE_ADD_GAME] = "INSERT INTO game (" STORE_COLUMNS ") VALUES "
                       "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, "
                       "?19, ?20, ?21)",
    [STORE_ADD_RECORD] = "INSERT INTO record (game, json) VALUES (?1, ?2)",
    [STORE_ADD_BUNDLE] = "INSERT INTO bundle (game, json) VALUES (?1, ?2)",
    [STORE_VISIT] = "SELECT " STORE_COLUMNS ", NULL, NULL FROM game WHERE number >= ?1 ORDER BY number",
    [STORE_VISIT_TEXTS] = "SELECT " STORE_COLUMNS ", record.json, bundle.json FROM game "
                          "LEFT JOIN record ON record.game = number LEFT JOIN bundle ON bundle.game = number "
                          "WHERE number >= ?1 ORDER BY number",
};

/* ---- running statements ---- */

bool store_fail(struct sqlite_store *store, const char *what, struct err *e) {
    const int code = sqlite3_errcode(store->db) & 0xFF;
    const char *words = sqlite3_errmsg(store->db);
    switch (code) {
    case SQLITE_NOTADB:
        return err_set(e, "%s: is not a store of games; the file holds something else", store->shown);
    case SQLITE_CORRUPT: return err_set(e, "%s: the file is damaged (%s)", store->shown, words);
    case SQLITE_BUSY:
        return err_set(e, "%s: %s: another program has kept it locked for %d seconds", store->shown, what,
                       BUSY_MS / 1000);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return err_set(e,
                       "%s: %s: its last writer was killed, and putting it in order needs leave to write "
                       "to the file and its folder",
                       store->shown, what);
    case SQLITE_FULL: return err_set(e, "%s: %s: the disk is full", store->shown, what);
    case SQLITE_NOMEM: mem_note_failure(); return err_set(e, "%s: %s: not enough memory", store->shown, what);
    default: return err_set(e, "%s: %s: %s", store->shown, what, words);
    }
}

void store_reset(struct sqlite_store *store, enum store_statement which) {
    sqlite3_reset(store->statements[which]);
    sqlite3_clear_bindings(store->statements[which]);
}

int store_run(struct sqlite_store *store, enum store_statement which) {
    const int code = sqlite3_step(store->statements[which]);
    store_reset(store, which);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

void store_bind_text(struct sqlite_store *store, enum store_statement which, int index, const char *text) {
    sqlite3_bind_text(store->statements[which], index, text, -1, SQLITE_STATIC);
}

static bool execute(struct sqlite_store *store, const char *sql, const char *what, struct err *e) {
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    store_fail(store, what, e);
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* ---- opening ---- */

/* What the file says it is. One statement, so that it is seen at one moment. */
static bool read_identity(struct sqlite_store *store, long long identity[3], struct err *e) {
    static const char sql[] = "SELECT (SELECT application_id FROM pragma_application_id), "
                              "(SELECT user_version FROM pragma_user_version), "
                              "(SELECT count(*) FROM sqlite_master)";
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_ROW;
    for (int i = 0; ok && i < 3; i++)
        identity[i] = sqlite3_column_int64(statement, i);
    if (!ok)
        store_fail(store, "cannot be read", e);
    sqlite3_finalize(statement);
    return ok;
}

/* *is_new: nothing was ever written to it, not even by a writer that was killed while it made the tables. */
static bool identify(struct sqlite_store *store, bool *is_new, struct err *e) {
    long long identity[3] = {0};
    if (!read_identity(store, identity, e))
        return false;
    *is_new = identity[0] == 0 && identity[1] == 0 && identity[2] == 0;
    if (*is_new)
        return store->mode == STORE_WRITE ||
               err_set(e, "%s: is empty; expected a store of games", store->shown);
    if (identity[0] != APPLICATION)
        return err_set(e, "%s: is another program's database, not a store of games", store->shown);
    if (identity[1] != VERSION)
        return err_set(e, "%s: is a store of version %lld; this program knows version %d only", store->shown,
                       identity[1], VERSION);
    return true;
}

static bool begin_writing(struct sqlite_store *store, bool is_new, struct err *e) {
    if (is_new && !execute(store, schema, "cannot be written", e))
        return false;
    /* Where the file system cannot do write-ahead logs SQLite stays with its journal, and then every commit
     * waits for the disk: slower, as safe. */
    sqlite3_stmt *mode = NULL;
    const bool ok =
        sqlite3_prepare_v2(store->db, "PRAGMA journal_mode = WAL", -1, &mode, NULL) == SQLITE_OK &&
        sqlite3_step(mode) == SQLITE_ROW;
    const bool logs = ok && strcmp((const char *)sqlite3_column_text(mode, 0), "wal") == 0;
    if (!ok)
        store_fail(store, "cannot be written", e);
    sqlite3_finalize(mode);
    return ok && execute(store,
                         logs ? "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000"
                              : "PRAGMA synchronous = FULL",
                         "cannot be written", e);
}

static bool prepare(struct sqlite_store *store, struct err *e) {
    for (int i = 0; i < STORE_STATEMENTS; i++)
        if (sqlite3_prepare_v3(store->db, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statements[i], NULL) != SQLITE_OK)
            return store_fail(store, "cannot be used as a store", e);
    return true;
}

/* Makes an empty file. SQLite could do that too, but not say why it cannot. */
static bool make_file(const char *path, struct err *e) {
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_set(e, "%s: cannot be written: %s", path, strerror(errno));
    close(fd);
    return true;
}

static bool find_file(const char *path, enum store_mode mode, struct err *e) {
    struct stat info;
    if (strlen(path) >= STORE_PATH_MAX)
        return err_set(e, "%.80s…: the name is too long", path);
    if (path[0] == '\0')
        return err_set(e, "a store needs the name of a file");
    if (stat(path, &info) != 0) {
        if (errno == ENOENT && mode == STORE_WRITE)
            return make_file(path, e);
        return err_set(e, "%s: cannot be opened: %s", path, strerror(errno));
    }
    return S_ISREG(info.st_mode) || err_set(e, "%s: is %s; expected the name of a file", path,
                                            S_ISDIR(info.st_mode) ? "a folder" : "no plain file");
}

/* A path as SQLite's URI wants it. */
static void write_uri(const char *path, struct text *out) {
    text_add(out, "file:%s", path[0] == '/' ? "" : "./");
    for (const char *c = path; *c != '\0'; c++)
        if (*c == '?' || *c == '#' || *c == '%')
            text_add(out, "%%%02x", (unsigned)(unsigned char)*c);
        else
            text_add_bytes(out, c, 1);
    text_add_string(out, "?immutable=1");
}

static bool open_as(struct sqlite_store *store, const char *name, int flags, struct err *e) {
    if (sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) {
        const int reason = store->db == NULL ? ENOMEM : sqlite3_system_errno(store->db);
        return err_set(e, "%s: cannot be opened: %s", store->shown,
                       reason != 0 ? strerror(reason) : sqlite3_errmsg(store->db));
    }
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    /* The file may come from a stranger: its schema may not make us run anything. */
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return true;
}

/* A reader opens it for writing, too, where it may: a file that a killed program left has to be put in order
 * before it can be read. More than that it is not allowed (query_only). */
static bool open_database(struct sqlite_store *store, struct err *e) {
    char name[STORE_PATH_MAX + sizeof "./"]; /* ":memory:" and the like are names of files too */
    snprintf(name, sizeof name, "%s%s", store->shown[0] == '/' ? "" : "./", store->shown);
    if (!open_as(store, name, SQLITE_OPEN_READWRITE, e))
        return false;
    return store->mode == STORE_READ || sqlite3_db_readonly(store->db, "main") == 0 ||
           err_set(e, "%s: cannot be written: %s", store->shown, strerror(EACCES));
}

static bool has_beside(const struct sqlite_store *store, const char *ending) {
    char name[STORE_PATH_MAX + 16];
    snprintf(name, sizeof name, "%s%s", sqlite3_db_filename(store->db, "main"), ending);
    return access(name, F_OK) == 0;
}

/* Where nothing may be written SQLite cannot make the files it wants beside one that has a log, even if that
 * is empty. Such a file is read as it is, as long as nothing says that it is written by others. */
static bool open_as_it_is(struct sqlite_store *store, struct err *e) {
    const int code = sqlite3_errcode(store->db) & 0xFF;
    if (store->mode != STORE_READ || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY) ||
        has_beside(store, "-wal") || has_beside(store, ".lock"))
        return false;
    struct text uri = {0};
    write_uri(store->shown, &uri);
    sqlite3_close(store->db);
    store->db = NULL;
    const bool ok = !uri.failed ? open_as(store, text_string(&uri), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, e)
                                : err_set(e, "%s: not enough memory to open it", store->shown);
    text_done(&uri);
    return ok;
}

/* SQLite's name of it is absolute and without links, so the lock lies beside the file itself. */
static bool lock_store(struct sqlite_store *store, struct err *e) {
    const char *path = sqlite3_db_filename(store->db, "main");
    return store->mode == STORE_READ || store_lock_take(&store->lock, path, store->shown, e);
}

static bool hold_file(struct sqlite_store *store, struct err *e) {
    store->file = store_file_hold(store->shown, store->mode == STORE_WRITE, store->shown, e);
    return store->file != NULL;
}

static bool open_store(struct sqlite_store *store, struct err *e) {
    bool is_new;
    if (!open_database(store, e) || !lock_store(store, e) || !hold_file(store, e))
        return false;
    return (identify(store, &is_new, e) || (open_as_it_is(store, e) && identify(store, &is_new, e))) &&
           execute(store, "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON", "cannot be used", e) &&
           (store->mode == STORE_READ ? execute(store, "PRAGMA query_only = ON", "cannot be used", e)
                                      : begin_writing(store, is_new, e)) &&
           prepare(store, e);
}

/* Folds the log into the file and does without it from now on; while others read it stays, which is as good.
 * They are not waited for. */
static void fold_log(struct sqlite_store *store) {
    sqlite3_busy_timeout(store->db, 0);
    sqlite3_exec(store->db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    sqlite3_exec(store->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
}

static void sqlite_close(struct store *base) {
    struct sqlite_store *store = (struct sqlite_store *)base;
    const bool was_used = store->statements[STORE_STATEMENTS - 1] != NULL;
    for (int i = 0; i < STORE_STATEMENTS; i++)
        sqlite3_finalize(store->statements[i]);
    if (was_used && store->mode == STORE_WRITE)
        fold_log(store);
    sqlite3_close(store->db);
    store_file_drop(store->file, store->mode == STORE_WRITE);
    store_lock_drop(&store->lock);
    mem_free(store);
}

static struct store *sqlite_open(const char *path, enum store_mode mode, struct err *e) {
    if (!find_file(path, mode, e))
        return NULL;
    struct sqlite_store *store = mem_alloc(sizeof *store);
    if (store == NULL) {
        err_set(e, "%s: not enough memory to open it", path);
        return NULL;
    }
    store->store.type = &store_sqlite;
    store->mode = mode;
    store->lock.fd = -1;
    snprintf(store->shown, sizeof store->shown, "%s", path);
    if (open_store(store, e))
        return &store->store;
    sqlite_close(&store->store);
    return NULL;
}

/* ---- texts ---- */

static bool sqlite_get(struct store *base, const char *name, struct text *out, bool *found, struct err *e) {
    struct sqlite_store *store = (struct sqlite_store *)base;
    store_bind_text(store, STORE_GET, 1, name);
    const int code = sqlite3_step(store->statements[STORE_GET]);
    *found = code == SQLITE_ROW;
    if (*found)
        text_add_bytes(out, (const char *)sqlite3_column_text(store->statements[STORE_GET], 0),
                       (size_t)sqlite3_column_bytes(store->statements[STORE_GET], 0));
    const bool ok = *found || code == SQLITE_DONE || store_fail(store, "cannot be read", e);
    store_reset(store, STORE_GET);
    if (ok && out->failed)
        return err_set(e, "%s: not enough memory to read '%s'", store->shown, name);
    return ok;
}

static bool sqlite_put(struct store *base, const char *name, const char *value, struct err *e) {
    struct sqlite_store *store = (struct sqlite_store *)base;
    assert(store->mode == STORE_WRITE);
    store_bind_text(store, STORE_PUT, 1, name);
    store_bind_text(store, STORE_PUT, 2, value);
    return store_run(store, STORE_PUT) == SQLITE_OK || store_fail(store, "cannot be written", e);
}

/* ---- checking ---- */

/* Does every row of the answer say "ok"? (An answer without rows does, too.) */
static bool answers_ok(struct sqlite_store *store, const char *sql, struct err *e) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    bool ok = true;
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code != SQLITE_ROW)
            break;
        const char *word = (const char *)sqlite3_column_text(statement, 0);
        if (word == NULL)
            ok = store_fail(store, "cannot be checked", e); /* only memory can be missing */
        else if (strcmp(word, "ok") != 0)
            ok = err_set(e, "%s: the file is damaged: %s", store->shown, word);
        if (!ok)
            break;
    }
    if (ok && code != SQLITE_DONE)
        ok = store_fail(store, "cannot be checked", e);
    sqlite3_finalize(statement);
    return ok;
}

static bool accept_game(void *context, const struct store_game *game, struct err *e) {
    (void)context, (void)game, (void)e;
    return true;
}

static bool sqlite_check(struct store *base, struct err *e) {
    struct sqlite_store *store = (struct sqlite_store *)base;
    /* First what can be said of a single game; SQLite only says that there is one. */
    const struct store_visit all = {.game = accept_game};
    return sqlite_visit_games(base, &all, e) && answers_ok(store, "PRAGMA integrity_check(1)", e) &&
           answers_ok(store,
                      "SELECT printf('%s of game %d without the game', \"table\", rowid) "
                      "FROM pragma_foreign_key_check",
                      e);
}

const struct store_type store_sqlite = {.open = sqlite_open,
                                        .close = sqlite_close,
                                        .get = sqlite_get,
                                        .put = sqlite_put,
                                        .add_game = sqlite_add_game,
                                        .visit_games = sqlite_visit_games,
                                        .check = sqlite_check};

/* Writing and reading games. */

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
