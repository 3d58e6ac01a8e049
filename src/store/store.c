/* SPDX-License-Identifier: MIT
 *
 * The store in a SQLite database: opening, closing and checking it, its named texts and its games.
 *
 * While a program writes, the file is in SQLite's write-ahead mode with synchronous=NORMAL. The operating
 * system holds a commit when it returns, so killing the program loses nothing, and the program waits for the
 * disk only when the log is folded into the file. A power failure may therefore lose the last games, never
 * more. Other programs can read meanwhile. A clean close goes back to a single file without a log, which can
 * also be read from a folder without write permission.
 *
 * Below a folder in memory the database is SQLite's own in memory ("memdb"). It lives while a connection to
 * it does: one belongs to the file of that folder.
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "store/store.h"

#include "base/file.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum statement {
    STATEMENT_BEGIN,
    STATEMENT_COMMIT,
    STATEMENT_ROLLBACK,
    STATEMENT_GET,
    STATEMENT_PUT,
    STATEMENT_ADD_GAME,
    STATEMENT_ADD_NOTE,
    STATEMENT_ADD_RECORD,
    STATEMENT_ADD_FAULT_REPORT,
    STATEMENT_VISIT,
    STATEMENT_VISIT_TEXTS,
    STATEMENT_NAMED,
    STATEMENT_ERASE,
    STATEMENTS,
};

struct store {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENTS];
    enum store_mode mode;
    struct store_lock lock;
    struct store_file *file;
    struct content *content;           /* held; NULL: a file on the disk */
    char display_path[STORE_PATH_MAX]; /* the path as the user gave it */
};

/* ---- one writer: PATH.lock ---- */

/* PATH.lock is locked by flock rather than POSIX's fcntl locks: those are dropped when a process closes any
 * descriptor of the file, and do not exclude each other within one process. The descriptor is closed on
 * exec, so that a player's program that outlives us does not hold the lock. A process that was killed while
 * it started a program leaves the lock to that program's exec, which is waited for: ATTEMPTS naps at most. */

enum { ATTEMPTS = 100, NAP_NS = 20000000, PID_TEXT_MAX = 32 };

/* The previous holder removes the file before it releases the lock, so one may be on a removed file. */
static bool is_still_there(int fd, const char *path) {
    struct stat held, found;
    return fstat(fd, &held) == 0 && stat(path, &found) == 0 && held.st_dev == found.st_dev &&
           held.st_ino == found.st_ino;
}

/* The name is predictable: another user may have put a link there, to a file that we would overwrite with our
 * number. */
static bool is_ours(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink <= 1 &&
           info.st_size < PID_TEXT_MAX;
}

/* The process that took the lock; 0: unknown. */
static long read_holder(int fd) {
    char pid[PID_TEXT_MAX] = "";
    return pread(fd, pid, sizeof pid - 1, 0) > 0 ? strtol(pid, NULL, 10) : 0;
}

bool store_lock_take(struct store_lock *lock, const char *path, const char *display_path, struct err *e) {
    lock->fd = -1;
    const int size = snprintf(lock->path, sizeof lock->path, "%s.lock", path);
    if (size < 0 || (size_t)size >= sizeof lock->path)
        return err_set(e, "%s: the name is too long", display_path);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const int fd = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (fd < 0)
            return err_set(e, "%s: cannot be written: %s.lock: %s", display_path, display_path,
                           strerror(errno));
        if (!is_ours(fd)) {
            close(fd);
            return err_set(e, "%s: cannot be locked: %s.lock is no lock of a store; remove it", display_path,
                           display_path);
        }
        int status;
        while ((status = flock(fd, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR)
            ;
        if (status != 0) {
            const int reason = errno;
            const long holder = read_holder(fd);
            const bool has_ended = holder > 0 && kill((pid_t)holder, 0) != 0 && errno == ESRCH;
            char name[PID_TEXT_MAX + sizeof " (process )"] = "";
            close(fd);
            if (reason != EWOULDBLOCK)
                return err_set(e, "%s: cannot be locked: %s", display_path, strerror(reason));
            if (has_ended && attempt < ATTEMPTS - 1) { /* a child of it has the lock */
                nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
                continue;
            }
            if (holder > 0 && !has_ended)
                snprintf(name, sizeof name, " (process %ld)", holder);
            return err_set(e, "%s: another run%s is using this store; only one may write to it at a time",
                           display_path, name);
        }
        if (is_still_there(fd, lock->path)) {
            char pid[PID_TEXT_MAX];
            const int pid_size = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
            lock->fd = fd;
            /* On a full disk the number is missing: then a second program cannot name the holder. */
            (void)!(ftruncate(fd, 0) == 0 && pwrite(fd, pid, (size_t)pid_size, 0) == pid_size);
            return true;
        }
        close(fd);
    }
    return err_set(e, "%s: cannot be locked: others open and close it all the time", display_path);
}

/* The file is removed while it is locked: another program that opens it then sees that it is gone. */
void store_lock_drop(struct store_lock *lock) {
    if (lock->fd < 0)
        return;
    unlink(lock->path);
    close(lock->fd);
    lock->fd = -1;
}

/* ---- one writer: the file itself ----
 *
 * A file may have several names (hard links), each with a PATH.lock of its own. The file has SQLite's own
 * locks on it, which are POSIX's: no descriptor of ours may be closed while SQLite has the file open anywhere
 * in this process. So all users of a file share one descriptor, which is closed after the last of them. The
 * lock on it belongs to the descriptor (an "open file description" lock) and is on a byte where SQLite has
 * none, far behind the end of every file. */

/* A file that is open in this process, by whatever names and how often. */
struct store_file {
    struct store_file *next;
    dev_t device;
    ino_t inode;
    int users;
    int fd;          /* -1: none was needed yet */
    bool is_written; /* by one of the users */
};

static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static struct store_file *files;

#define LOCKED_BYTE (INT64_C(1) << 62)

/* The last user closes the descriptor, and with it the lock. The caller holds files_lock. */
static void leave_file(struct store_file *file) {
    assert(file->users > 0);
    if (--file->users > 0)
        return;
    LIST_REMOVE(files, file, next);
    if (file->fd >= 0)
        close(file->fd);
    mem_free(file);
}

static int set_lock(int fd, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = LOCKED_BYTE, .l_len = 1};
    return fcntl(fd, F_OFD_SETLK, &lock);
}

/* On a file system without such locks PATH.lock alone protects the store. */
static bool lock_file(struct store_file *file, const char *path, struct err *e) {
    if (file->fd < 0)
        file->fd = open(path, O_RDWR | O_CLOEXEC);
    if (file->fd < 0)
        return err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(errno));
    if (file->is_written || (set_lock(file->fd, F_WRLCK) != 0 && (errno == EAGAIN || errno == EACCES)))
        return err_set(
            e, "%s: another run is using this store under another name; only one may write to it at a time",
            path);
    file->is_written = true;
    return true;
}

/* Before the file is opened: notes that it is used, and with `writes` that no other user writes to it. NULL
 * and a reason when one does, here or in another process. Identified by device and inode. */
static struct store_file *store_file_hold(const char *path, bool writes, struct err *e) {
    struct stat info;
    if (stat(path, &info) != 0) {
        err_set(e, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    pthread_mutex_lock(&files_lock);
    struct store_file *file = files;
    while (file != NULL && (file->device != info.st_dev || file->inode != info.st_ino))
        file = file->next;
    if (file == NULL) {
        file = mem_alloc(sizeof *file);
        *file = (struct store_file){files, info.st_dev, info.st_ino, 0, -1, false};
        files = file;
    }
    file->users++;
    if (writes && !lock_file(file, path, e)) {
        leave_file(file);
        file = NULL;
    }
    pthread_mutex_unlock(&files_lock);
    return file;
}

/* After it was closed. NULL is allowed. */
static void store_file_drop(struct store_file *file, bool writes) {
    if (file == NULL)
        return;
    pthread_mutex_lock(&files_lock);
    if (writes) {
        assert(file->is_written);
        set_lock(file->fd, F_UNLCK);
        file->is_written = false;
    }
    leave_file(file);
    pthread_mutex_unlock(&files_lock);
}

/* ---- columns ---- */

/* A STORE_NAME is OUTCOME_RESULT_MAX bytes within the game, a STORE_TEXT a pointer. */
enum kind { STORE_INTEGER, STORE_LONG, STORE_REAL, STORE_NAME, STORE_TEXT };

/* The last three (note, record, fault report) are read with the others but are in tables of their own. */
enum { COLUMN_COUNT = 24, COLUMNS_WRITTEN = COLUMN_COUNT - 3 };

/* In the order in which they are written and read. Ranges are checked when a game is read, because other
 * programs can write to the file; readers of games may rely on them. */
static const struct {
    const char *name;
    enum kind kind;
    size_t offset;
    int64_t low, high;
} columns[COLUMN_COUNT] = {
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

/* The names of the columns, for statements. */
#define COLUMN_NAMES                                                                                         \
    "number, stage, round, player0, player1, map, seed, payoff, result, forfeiter, fault, actions, turns, "  \
    "lead_changes, think0_ns, think1_ns, longest0_ns, longest1_ns, decisions0, decisions1, finished"

#define APPLICATION_ID "1936356467" /* "sjts": SQLite keeps it at byte 68, where file(1) looks */

enum { APPLICATION = 1936356467, VERSION = 1, BUSY_MS = 10000 };

#define VERSION_TEXT "1"

/* A later addition: older stores lack it. A writer adds it to them; for a reader it is an empty
 * temporary table. Programs of older versions can still read the rest. */
#define NOTE_TABLE(kind) "CREATE " kind "TABLE note (game INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;"

/* Ranges are checked here as well as in C, because other programs can write to the file. */
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
    "CREATE TABLE bundle (game INTEGER PRIMARY KEY REFERENCES game (number), json TEXT NOT NULL) "
    "STRICT;" NOTE_TABLE("") "PRAGMA application_id = " APPLICATION_ID ";"
                             "PRAGMA user_version = " VERSION_TEXT ";"
                             "COMMIT;";

static const char *const statement_texts[STATEMENTS] = {
    [STATEMENT_BEGIN] = "BEGIN IMMEDIATE",
    [STATEMENT_COMMIT] = "COMMIT",
    [STATEMENT_ROLLBACK] = "ROLLBACK",
    [STATEMENT_GET] = "SELECT value FROM text WHERE name = ?1",
    [STATEMENT_PUT] = "INSERT INTO text (name, value) VALUES (?1, ?2) "
                      "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [STATEMENT_ADD_GAME] =
        "INSERT INTO game (" COLUMN_NAMES ") VALUES "
        "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, "
        "?19, ?20, ?21)",
    [STATEMENT_ADD_NOTE] = "INSERT INTO note (game, json) VALUES (?1, ?2)",
    [STATEMENT_ADD_RECORD] = "INSERT INTO record (game, json) VALUES (?1, ?2)",
    [STATEMENT_ADD_FAULT_REPORT] = "INSERT INTO bundle (game, json) VALUES (?1, ?2)",
    [STATEMENT_VISIT] = "SELECT " COLUMN_NAMES ", note.json, NULL, NULL FROM game "
                        "LEFT JOIN note ON note.game = number WHERE number >= ?1 ORDER BY number",
    [STATEMENT_VISIT_TEXTS] = "SELECT " COLUMN_NAMES ", note.json, record.json, bundle.json FROM game "
                              "LEFT JOIN note ON note.game = number LEFT JOIN record ON record.game = number "
                              "LEFT JOIN bundle ON bundle.game = number "
                              "WHERE number >= ?1 ORDER BY number",
    [STATEMENT_NAMED] = "SELECT name, value FROM text WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name",
    [STATEMENT_ERASE] = "DELETE FROM text WHERE substr(name, 1, length(?1)) = ?1",
};

/* ---- running statements ---- */

/* Sets "PATH: WHAT: SQLite's message", or a plainer sentence for a known code; false. */
static bool fail(struct store *store, const char *what, struct err *e) {
    const int code = sqlite3_errcode(store->db) & 0xFF;
    const char *words = sqlite3_errmsg(store->db);
    switch (code) {
    case SQLITE_NOTADB:
        return err_set(e, "%s: is not a store of games; the file holds something else", store->display_path);
    case SQLITE_CORRUPT: return err_set(e, "%s: the file is damaged (%s)", store->display_path, words);
    case SQLITE_BUSY:
        return err_set(e, "%s: %s: another program has kept it locked for %d seconds", store->display_path,
                       what, BUSY_MS / 1000);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return err_set(e,
                       "%s: %s: its last writer was killed, and putting it in order needs leave to write "
                       "to the file and its folder",
                       store->display_path, what);
    case SQLITE_FULL: return err_set(e, "%s: %s: the disk is full", store->display_path, what);
    case SQLITE_NOMEM:
        mem_note_failure();
        return err_set(e, "%s: %s: not enough memory", store->display_path, what);
    default: return err_set(e, "%s: %s: %s", store->display_path, what, words);
    }
}

/* Ends a statement that was stepped through and forgets its parameters. */
static void reset_statement(struct store *store, enum statement which) {
    sqlite3_reset(store->statements[which]);
    sqlite3_clear_bindings(store->statements[which]);
}

/* Runs a statement that returns no rows and prepares it for the next time. Returns SQLite's code. */
static int run_statement(struct store *store, enum statement which) {
    const int code = sqlite3_step(store->statements[which]);
    reset_statement(store, which);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* The text is not copied: it must live until the statement has run. NULL becomes SQL's NULL. */
static void bind_text(struct store *store, enum statement which, int index, const char *text) {
    sqlite3_bind_text(store->statements[which], index, text, -1, SQLITE_STATIC);
}

/* Statements that were begun and failed are rolled back, so that the connection can be used again. */
static bool execute(struct store *store, const char *sql, const char *what, struct err *e) {
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    fail(store, what, e);
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* ---- opening ---- */

/* *missing: the statements that add the tables which the file lacks. A new file is empty (a writer that was
 * killed while it made the tables leaves it empty). */
static bool identify(struct store *store, const char **missing, struct err *e) {
    /* One statement reads all at one moment. */
    static const char sql[] = "SELECT (SELECT application_id FROM pragma_application_id), "
                              "(SELECT user_version FROM pragma_user_version), "
                              "(SELECT count(*) FROM sqlite_master), "
                              "(SELECT count(*) FROM sqlite_master WHERE name = 'note')";
    sqlite3_stmt *statement = NULL;
    long long values[4] = {0};
    const bool ok = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                    sqlite3_step(statement) == SQLITE_ROW;
    for (int i = 0; ok && i < 4; i++)
        values[i] = sqlite3_column_int64(statement, i);
    if (!ok)
        fail(store, "cannot be read", e);
    sqlite3_finalize(statement);
    if (!ok)
        return false;
    const long long application = values[0], version = values[1], tables = values[2], notes = values[3];
    const bool is_new = application == 0 && version == 0 && tables == 0;
    *missing = is_new                       ? schema
               : notes != 0                 ? ""
               : store->mode == STORE_WRITE ? NOTE_TABLE("")
                                            : NOTE_TABLE("TEMP ");
    if (is_new)
        return store->mode == STORE_WRITE ||
               err_set(e, "%s: is empty; expected a store of games", store->display_path);
    if (application != APPLICATION)
        return err_set(e, "%s: is another program's database, not a store of games", store->display_path);
    return version == VERSION ||
           err_set(e, "%s: is a store of version %lld; this program knows version %d only",
                   store->display_path, version, VERSION);
}

/* The first statements that change the file: they add what it lacks and switch the log on. */
static bool begin_writing(struct store *store, const char *missing, struct err *e) {
    if (!execute(store, missing, "cannot be written", e))
        return false;
    /* Where the file system cannot do write-ahead logs SQLite stays with its journal, and then every commit
     * waits for the disk: slower, but as safe. */
    sqlite3_stmt *mode = NULL;
    const bool ok =
        sqlite3_prepare_v2(store->db, "PRAGMA journal_mode = WAL", -1, &mode, NULL) == SQLITE_OK &&
        sqlite3_step(mode) == SQLITE_ROW;
    const bool logs = ok && strcmp((const char *)sqlite3_column_text(mode, 0), "wal") == 0;
    if (!ok)
        fail(store, "cannot be written", e);
    sqlite3_finalize(mode);
    return ok && execute(store,
                         logs ? "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000"
                              : "PRAGMA synchronous = FULL",
                         "cannot be written", e);
}

/* SQLite reports one code for a missing file, a folder and a lack of rights; here each has its sentence. */
static bool find_file(const char *path, enum store_mode mode, struct err *e) {
    struct stat info;
    if (stat(path, &info) == 0)
        return S_ISREG(info.st_mode) || err_set(e, "%s: is %s; expected the name of a file", path,
                                                S_ISDIR(info.st_mode) ? "a folder" : "no plain file");
    if (errno != ENOENT || mode != STORE_WRITE)
        return err_set(e, "%s: cannot be opened: %s", path, strerror(errno));
    /* Makes an empty file. SQLite could, too, but would not report the reason of a failure. */
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(errno));
    close(fd);
    return true;
}

/* Full mutexes: calls come from different threads, one at a time. */
static bool open_as(struct store *store, const char *name, int flags, struct err *e) {
    if (sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) {
        const int reason = store->db == NULL ? ENOMEM : sqlite3_system_errno(store->db);
        return err_set(e, "%s: cannot be opened: %s", store->display_path,
                       reason != 0 ? strerror(reason) : sqlite3_errmsg(store->db));
    }
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    /* The file may come from an untrusted source: its schema must not execute anything. */
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return true;
}

/* Does a file PATH-wal or the like exist? */
static bool has_beside(const struct store *store, const char *ending) {
    char name[STORE_PATH_MAX + 16];
    snprintf(name, sizeof name, "%s%s", sqlite3_db_filename(store->db, "main"), ending);
    return access(name, F_OK) == 0;
}

/* In a folder without write permission SQLite cannot make the files it needs beside a database with a log,
 * even an empty one. Such a file is read as immutable, unless a log or a lock beside it shows a writer. */
static bool open_as_it_is(struct store *store, struct err *e) {
    const int code = sqlite3_errcode(store->db) & 0xFF;
    if (store->mode != STORE_READ || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY) ||
        has_beside(store, "-wal") || has_beside(store, ".lock"))
        return false;
    struct text uri = {0};
    text_add(&uri, "file:%s", store->display_path[0] == '/' ? "" : "./");
    for (const char *c = store->display_path; *c != '\0'; c++)
        text_add(&uri, *c == '?' || *c == '#' || *c == '%' ? "%%%02x" : "%c", (unsigned)(unsigned char)*c);
    text_add_string(&uri, "?immutable=1");
    sqlite3_close(store->db);
    store->db = NULL;
    const bool ok = open_as(store, text_string(&uri), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, e);
    text_done(&uri);
    return ok;
}

/* ---- in memory ---- */

/* What a file in memory holds. */
struct content {
    atomic_int holders;
    atomic_bool has_writer;
    char uri[64];    /* of the database */
    sqlite3 *anchor; /* the connection that keeps it */
};

/* For files in memory: one reference more. */
static void hold_content(void *object) {
    atomic_fetch_add(&((struct content *)object)->holders, 1);
}

/* The last one closes the database, and its content is gone. */
static void drop_content(void *object) {
    struct content *content = object;
    if (atomic_fetch_sub(&content->holders, 1) > 1)
        return;
    sqlite3_close(content->anchor);
    mem_free(content);
}

enum { MEMORY_FLAGS = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX };

/* Finds the content or makes it, with a hold for the store. One writer at a time, as on the disk, where a
 * lock on a file does it. */
static bool open_in_memory(struct store *store, struct err *e) {
    static atomic_ulong serial;
    const char *path = store->display_path;
    const enum file_kind kind = file_kind(path);
    store->content = file_memory_get(path);
    if (store->content == NULL) {
        if (kind == FILE_PLAIN)
            return err_set(e, "%s: is not a store of games; the file holds something else", path);
        if (kind != FILE_NONE)
            return err_set(e, "%s: is a folder; expected the name of a file", path);
        if (store->mode != STORE_WRITE)
            return err_set(e, "%s: cannot be opened: %s", path, strerror(ENOENT));
        struct content *content = store->content = mem_alloc(sizeof *content);
        atomic_init(&content->holders, 1);
        snprintf(content->uri, sizeof content->uri, "file:/senjutsu-%lu?vfs=memdb",
                 atomic_fetch_add(&serial, 1));
        if (sqlite3_open_v2(content->uri, &content->anchor, MEMORY_FLAGS, NULL) != SQLITE_OK)
            return err_set(e, "%s: cannot be opened: not enough memory", path);
        if (!file_memory_put(path, (struct file_object){content, hold_content, drop_content}, e))
            return false;
        hold_content(content);
    }
    if (store->mode == STORE_WRITE && atomic_exchange(&store->content->has_writer, true)) {
        drop_content(store->content);
        store->content = NULL; /* the writing is not this one's to end */
        return err_set(e, "%s: another run (process %ld) is using this store", store->display_path,
                       (long)getpid());
    }
    return open_as(store, store->content->uri, MEMORY_FLAGS, e);
}

/* ---- opening and closing ---- */

/* A reader, too, opens the file for writing where it can: a file that a killed program left must be recovered
 * before it can be read. Nothing else is written (query_only). The lock lies beside the file itself: SQLite's
 * name of it is absolute and without links. */
static bool open_on_disk(struct store *store, struct err *e) {
    const char *path = store->display_path;
    const bool writes = store->mode == STORE_WRITE;
    char name[STORE_PATH_MAX + sizeof "./"]; /* ":memory:" and the like are names of files too */
    snprintf(name, sizeof name, "%s%s", path[0] == '/' ? "" : "./", path);
    if (!find_file(path, store->mode, e) || !open_as(store, name, SQLITE_OPEN_READWRITE, e))
        return false;
    if (writes && sqlite3_db_readonly(store->db, "main") != 0)
        return err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(EACCES));
    if (writes && !store_lock_take(&store->lock, sqlite3_db_filename(store->db, "main"), path, e))
        return false;
    store->file = store_file_hold(path, writes, e);
    return store->file != NULL;
}

void store_close(struct store *store) {
    if (store == NULL)
        return;
    const bool was_used = store->statements[STATEMENTS - 1] != NULL;
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(store->statements[i]);
    if (was_used && store->mode == STORE_WRITE) {
        /* Folds the log into the file and switches the log off. Both fail while others read, without waiting
         * for them: the log stays, and the store is as safe. */
        sqlite3_busy_timeout(store->db, 0);
        sqlite3_exec(store->db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
        sqlite3_exec(store->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(store->db);
    store_file_drop(store->file, store->mode == STORE_WRITE);
    store_lock_drop(&store->lock);
    if (store->content != NULL) {
        if (store->mode == STORE_WRITE)
            atomic_store(&store->content->has_writer, false);
        drop_content(store->content);
    }
    mem_free(store);
}

/* A file that is no store is recognised before anything is written to it. */
struct store *store_open(const char *path, enum store_mode mode, struct err *e) {
    const bool has_name = (path[0] != '\0' || err_set(e, "a store needs the name of a file")) &&
                          (strlen(path) < STORE_PATH_MAX || err_set(e, "%.80s…: the name is too long", path));
    if (!has_name)
        return NULL;
    struct store *store = mem_alloc(sizeof *store);
    const char *missing;
    store->mode = mode;
    store->lock.fd = -1;
    snprintf(store->display_path, sizeof store->display_path, "%s", path);
    bool ok = (file_system_of(path) != NULL ? open_in_memory(store, e) : open_on_disk(store, e)) &&
              (identify(store, &missing, e) || (open_as_it_is(store, e) && identify(store, &missing, e))) &&
              execute(store, "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON", "cannot be used", e) &&
              (mode == STORE_READ ? execute(store, missing, "cannot be used", e) &&
                                        execute(store, "PRAGMA query_only = ON", "cannot be used", e)
                                  : begin_writing(store, missing, e));
    for (int i = 0; ok && i < STATEMENTS; i++)
        ok = sqlite3_prepare_v3(store->db, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                                &store->statements[i], NULL) == SQLITE_OK ||
             fail(store, "cannot be used as a store", e);
    if (ok)
        return store;
    store_close(store);
    return NULL;
}

/* ---- texts ---- */

/* The text may be long: it is copied once, into `out`. */
bool store_get(struct store *store, const char *name, struct text *out, bool *found, struct err *e) {
    bind_text(store, STATEMENT_GET, 1, name);
    const int code = sqlite3_step(store->statements[STATEMENT_GET]);
    *found = code == SQLITE_ROW;
    if (*found)
        text_add_bytes(out, (const char *)sqlite3_column_text(store->statements[STATEMENT_GET], 0),
                       (size_t)sqlite3_column_bytes(store->statements[STATEMENT_GET], 0));
    const bool ok = *found || code == SQLITE_DONE || fail(store, "cannot be read", e);
    reset_statement(store, STATEMENT_GET);
    return ok;
}

bool store_put(struct store *store, const char *name, const char *value, struct err *e) {
    assert(store->mode == STORE_WRITE);
    bind_text(store, STATEMENT_PUT, 1, name);
    bind_text(store, STATEMENT_PUT, 2, value);
    return run_statement(store, STATEMENT_PUT) == SQLITE_OK || fail(store, "cannot be written", e);
}

bool store_visit_texts(struct store *store, const struct store_text_visit *visit, struct err *e) {
    sqlite3_stmt *row = store->statements[STATEMENT_NAMED];
    assert(!sqlite3_stmt_busy(row));
    bind_text(store, STATEMENT_NAMED, 1, visit->prefix);
    bool ok = true;
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 0),
                   *value = (const char *)sqlite3_column_text(row, 1);
        ok = name != NULL && value != NULL ? visit->text(visit->context, name, value, e)
                                           : fail(store, "cannot be read", e);
    }
    if (ok && code != SQLITE_DONE)
        ok = fail(store, "cannot be read", e);
    reset_statement(store, STATEMENT_NAMED);
    return ok;
}

/* Deleted rows stay in free pages and in the log until these are written over. secure_delete overwrites
 * the pages, store_shred writes the file without free pages and empties the log. */
bool store_erase(struct store *store, const struct store_erasure *what, struct err *e) {
    static const char *const tables[] = {"note", "record", "bundle"};
    assert(store->mode == STORE_WRITE);
    assert(what->first <= what->last);
    struct text sql = {0};
    text_add_string(&sql, "PRAGMA secure_delete = ON; BEGIN IMMEDIATE;");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        text_add(&sql, "DELETE FROM %s WHERE game BETWEEN %d AND %d;", tables[i], what->first, what->last);
    text_add(&sql, "DELETE FROM game WHERE number BETWEEN %d AND %d;", what->first, what->last);
    bool ok = execute(store, text_string(&sql), "cannot be written", e);
    text_done(&sql);
    bind_text(store, STATEMENT_ERASE, 1, what->prefix);
    ok = ok && (run_statement(store, STATEMENT_ERASE) == SQLITE_OK || fail(store, "cannot be written", e));
    ok = ok && (run_statement(store, STATEMENT_COMMIT) == SQLITE_OK || fail(store, "cannot be written", e));
    reset_statement(store, STATEMENT_ERASE);
    if (!ok && !sqlite3_get_autocommit(store->db))
        run_statement(store, STATEMENT_ROLLBACK);
    return ok;
}

bool store_shred(struct store *store, struct err *e) {
    assert(store->mode == STORE_WRITE);
    return execute(store, "VACUUM", "cannot be written anew", e) &&
           (sqlite3_wal_checkpoint_v2(store->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) ==
                SQLITE_OK ||
            fail(store, "its log cannot be emptied", e));
}

/* ---- writing games ---- */

/* Texts are borrowed until the statement has run. */
static void bind_columns(sqlite3_stmt *statement, const struct store_game *game) {
    for (int i = 0; i < COLUMNS_WRITTEN; i++) {
        const void *field = (const char *)game + columns[i].offset;
        switch (columns[i].kind) {
        case STORE_INTEGER: sqlite3_bind_int(statement, i + 1, *(const int *)field); break;
        case STORE_LONG: sqlite3_bind_int64(statement, i + 1, *(const int64_t *)field); break;
        case STORE_REAL: sqlite3_bind_double(statement, i + 1, *(const double *)field); break;
        case STORE_NAME: sqlite3_bind_text(statement, i + 1, field, -1, SQLITE_STATIC); break;
        case STORE_TEXT:
            sqlite3_bind_text(statement, i + 1, *(const char *const *)field, -1, SQLITE_STATIC);
            break;
        }
    }
}

/* Adds the game and its long texts, which are in tables of their own. Called within a transaction. */
static bool add_parts(struct store *store, const struct store_game *game, struct err *e) {
    const struct {
        enum statement which;
        const char *json; /* NULL: there is none */
    } documents[] = {{STATEMENT_ADD_NOTE, game->note},
                     {STATEMENT_ADD_RECORD, game->record},
                     {STATEMENT_ADD_FAULT_REPORT, game->fault_report}};
    char what[64];
    bind_columns(store->statements[STATEMENT_ADD_GAME], game);
    int code = run_statement(store, STATEMENT_ADD_GAME);
    if (code == SQLITE_CONSTRAINT_PRIMARYKEY || code == SQLITE_CONSTRAINT_ROWID)
        return err_set(e, "%s: game %d is there already; every game is stored once", store->display_path,
                       game->number);
    for (size_t i = 0; code == SQLITE_OK && i < sizeof documents / sizeof *documents; i++) {
        if (documents[i].json == NULL)
            continue;
        sqlite3_bind_int(store->statements[documents[i].which], 1, game->number);
        bind_text(store, documents[i].which, 2, documents[i].json);
        code = run_statement(store, documents[i].which);
    }
    if (code == SQLITE_OK && run_statement(store, STATEMENT_COMMIT) == SQLITE_OK)
        return true;
    snprintf(what, sizeof what, "game %d cannot be written", game->number);
    return fail(store, what, e);
}

/* One transaction: the game, its texts and the commit, or nothing. */
bool store_add_game(struct store *store, const struct store_game *game, struct err *e) {
    assert(store->mode == STORE_WRITE);
    assert(game->finished != NULL);
    int moved = 0; /* writing into a file that was removed would silently lose everything */
    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved != 0)
        return err_set(e, "%s: was removed or replaced while it was in use", store->display_path);
    if (run_statement(store, STATEMENT_BEGIN) != SQLITE_OK)
        return fail(store, "cannot be written", e);
    if (add_parts(store, game, e))
        return true;
    if (!sqlite3_get_autocommit(store->db))
        run_statement(store, STATEMENT_ROLLBACK);
    return false;
}

/* ---- reading games ---- */

/* Fills the field; false when the file's value is out of range. */
static bool read_column(sqlite3_stmt *row, int index, void *field) {
    const int64_t value = sqlite3_column_int64(row, index);
    const double real = sqlite3_column_double(row, index);
    switch (columns[index].kind) {
    case STORE_INTEGER: *(int *)field = (int)value; break;
    case STORE_LONG: *(int64_t *)field = value; break;
    case STORE_REAL: *(double *)field = real; return real >= 0 && real <= 1;
    case STORE_NAME:
        if (sqlite3_column_text(row, index) == NULL || sqlite3_column_bytes(row, index) >= OUTCOME_RESULT_MAX)
            return false;
        strcpy(field, (const char *)sqlite3_column_text(row, index));
        return true;
    case STORE_TEXT:
        /* None, or none because there was no memory to read it. */
        if (sqlite3_column_type(row, index) == SQLITE_NULL)
            return true;
        *(const char **)field = (const char *)sqlite3_column_text(row, index);
        return *(const char **)field != NULL;
    }
    return value >= columns[index].low && value <= columns[index].high;
}

/* Values out of range are reported as damage of the file, with the game and the column. */
static bool read_game(struct store *store, sqlite3_stmt *row, struct store_game *game, struct err *e) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (!read_column(row, i, (char *)game + columns[i].offset))
            return columns[i].kind == STORE_TEXT
                       ? fail(store, "cannot be read", e)
                       : err_set(e, "%s: the file is damaged: game %lld has %s = %s", store->display_path,
                                 (long long)sqlite3_column_int64(row, 0), columns[i].name,
                                 (const char *)sqlite3_column_text(row, i));
    game->outcome.played = true;
    if (game->finished == NULL)
        return err_set(e, "%s: the texts of game %d cannot be read", store->display_path, game->number);
    return true;
}

bool store_visit_games(struct store *store, const struct store_visit *visit, struct err *e) {
    assert(visit->first >= 0);
    const enum statement which = visit->texts ? STATEMENT_VISIT_TEXTS : STATEMENT_VISIT;
    sqlite3_stmt *row = store->statements[which];
    assert(!sqlite3_stmt_busy(row));
    sqlite3_bind_int(row, 1, visit->first);
    bool ok = true;
    int code = SQLITE_DONE;
    while (ok && (code = sqlite3_step(row)) == SQLITE_ROW) {
        struct store_game game = {0};
        ok =
            read_game(store, row, &game, e) && (visit->game == NULL || visit->game(visit->context, &game, e));
    }
    if (ok && code != SQLITE_DONE)
        ok = fail(store, "cannot be read", e);
    reset_statement(store, which);
    return ok;
}

/* ---- whose games they are ---- */

static bool has_text(struct store *store, const char *name) {
    struct text text = {0};
    struct err ignored;
    bool found;
    store_get(store, name, &text, &found, &ignored);
    text_done(&text);
    return found;
}

/* The first game is enough. Older stores have the note of a judged game in place of its record. */
static bool note_first(void *context, const struct store_game *game, struct err *e) {
    const char *note = game->note != NULL ? game->note : game->record;
    *(bool *)context = note != NULL && strncmp(note, "{\"trial\":", 9) == 0;
    return err_set(e, "the first game was seen");
}

/* A store whose games cannot be read is not without games. A study has people before it has games. */
bool store_is_of(struct store *store, const char *name, struct err *e) {
    const char *path = store->display_path, *slash = strrchr(path, '/');
    bool judges = false;
    struct err seen;
    if ((name == NULL || strcmp(name, STORE_STUDY) != 0) && has_text(store, STORE_STUDY))
        return err_set(e, "%s: is a study with people; 'senjutsu study report %s' shows it", path, path);
    const struct store_visit visit = {.game = note_first, .context = &judges, .texts = true};
    if (store_visit_games(store, &visit, &seen) || (name != NULL ? has_text(store, name) : judges))
        return true;
    if (has_text(store, STORE_RECIPE))
        return err_set(e, "%s: is the store of an evolution; 'senjutsu evolve --out %.*s' shows it", path,
                       slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    if (judges)
        return err_set(e, "%s: is a store of 'map judge'; 'senjutsu map judge MAP --store %s' shows it", path,
                       path);
    const bool is_match = has_text(store, STORE_MATCH);
    if (!is_match && !has_text(store, STORE_TOURNAMENT))
        return err_set(e, "%s holds the games of something else; choose another file or folder", path);
    const char *what = is_match ? "match" : "tournament";
    return err_set(e, "%s: is the store of a %s; 'senjutsu %s --store %s' shows it", path, what, what, path);
}

/* ---- checking ---- */

/* Is every row of the answer "ok"? True for an answer without rows. */
static bool answers_ok(struct store *store, const char *sql, struct err *e) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    bool ok = code == SQLITE_OK;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *word = (const char *)sqlite3_column_text(statement, 0);
        if (word == NULL)
            break; /* only memory can be missing */
        ok = strcmp(word, "ok") == 0 || err_set(e, "%s: the file is damaged: %s", store->display_path, word);
    }
    if (code != SQLITE_DONE && (ok || code != SQLITE_ROW))
        ok = fail(store, "cannot be checked", e);
    sqlite3_finalize(statement);
    return ok;
}

/* Games first: their messages name the game, SQLite's do not. */
bool store_check(struct store *store, struct err *e) {
    const struct store_visit all = {0};
    return store_visit_games(store, &all, e) && answers_ok(store, "PRAGMA integrity_check(1)", e) &&
           answers_ok(store,
                      "SELECT printf('%s of game %d without the game', \"table\", rowid) "
                      "FROM pragma_foreign_key_check",
                      e);
}
