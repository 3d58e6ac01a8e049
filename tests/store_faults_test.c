/* SPDX-License-Identifier: MIT
 *
 * Faults of a store's file, and the error message for each.
 */
#define _GNU_SOURCE      /* syscall */
#include "store/store.c" /* its file locks are private */

#include "fake/disk.h"
#include "outside_support.h"
#include "store_support.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { NOBODY = 65534, LONG_NAME = 5000 };

/* Opening fails with a sentence that names the file and holds `words`. */
static void assert_refused(const char *path, enum store_mode mode, const char *words) {
    struct err e = {0};
    struct store *store = store_open(path, mode, &e);
    if (store != NULL)
        fail_msg("'%s' was opened, expected: %s", path, words);
    if (strstr(e.text, words) == NULL || strncmp(e.text, path, strlen(path)) != 0)
        fail_msg("expected '%s … %s', got '%s'", path, words, e.text);
}

static void sql(const char *name, const char *commands) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(store_path(name), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, commands, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void make_store(const char *name, int games) {
    struct store *store = open_store(name, STORE_WRITE);
    for (int i = 0; i < games; i++)
        add_number(store, i);
    store_close(store);
}

static void names_that_are_no_files(void **state) {
    (void)state;
    char long_name[LONG_NAME + 1];
    memset(long_name, 'x', LONG_NAME);
    long_name[LONG_NAME] = '\0';
    struct err e;
    assert_refused("/tmp", STORE_WRITE, "is a folder; expected the name of a file");
    assert_refused("/tmp", STORE_READ, "is a folder; expected the name of a file");
    assert_refused("/dev/null", STORE_WRITE, "is no plain file; expected the name of a file");
    assert_refused(store_path("none/a.db"), STORE_WRITE, "cannot be written: No such file or directory");
    assert_refused(store_path("none.db"), STORE_READ, "cannot be opened: No such file or directory");
    assert_false(has_stored_file("none.db"));
    assert_refused(store_path("none/"), STORE_WRITE, "cannot be written: Is a directory");
    assert_refused("", STORE_WRITE, "needs the name of a file");
    assert_null(store_open(long_name, STORE_WRITE, &e));
    assert_non_null(strstr(e.text, "the name is too long"));
}

/* A name is taken literally: SQLite's own special ones too. */
static void strange_names_are_files(void **state) {
    (void)state;
    static const char *const names[] = {":memory:", "file:x.db?mode=memory", "-", "空 'quoted'.db"};
    char back[1024];
    assert_non_null(getcwd(back, sizeof back));
    assert_int_equal(chdir(store_path("")), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct err e;
        struct store *store = store_open(names[i], STORE_WRITE, &e);
        assert_non_null(store);
        add_number(store, 1);
        store_close(store);
        assert_only_file(names[i]);
        store = store_open(names[i], STORE_READ, &e);
        assert_non_null(store);
        assert_int_equal(count_games(store, 0, true).games, 1);
        store_close(store);
    }
    assert_int_equal(chdir(back), 0);
}

static void an_empty_file_is_new(void **state) {
    (void)state;
    write_bytes("empty.db", "", 0);
    assert_refused(store_path("empty.db"), STORE_READ, "is empty; expected a store of games");
    make_store("empty.db", 3);
    struct store *store = open_store("empty.db", STORE_READ);
    assert_int_equal(count_games(store, 0, true).games, 3);
    store_close(store);
}

/* The file is what it was after it was refused, to the byte. */
static void assert_left_alone(const char *name, const char *words) {
    struct text before = {0}, after = {0};
    char buffer[65536];
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(store_path(name), "rb");
        assert_non_null(file);
        for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
            text_add_bytes(i == 0 ? &before : &after, buffer, got);
        fclose(file);
        if (i == 0) {
            assert_refused(store_path(name), STORE_WRITE, words);
            assert_refused(store_path(name), STORE_READ, words);
        }
    }
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, before.size);
    assert_only_file(name);
    text_done(&before);
    text_done(&after);
}

static void files_of_others_are_left_alone(void **state) {
    (void)state;
    static const char garbage[] = "[general]\nthis = is no database\n";
    char noise[9000];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)(i * 2654435761U >> 13);
    write_bytes("garbage.db", garbage, sizeof garbage);
    assert_left_alone("garbage.db", "is not a store of games; the file holds something else");
    write_bytes("noise.db", noise, sizeof noise);
    assert_left_alone("noise.db", "is not a store of games");
    sql("other.db", "CREATE TABLE bookmarks (url TEXT)");
    assert_left_alone("other.db", "is another program's database, not a store of games");
    sql("marked.db", "PRAGMA application_id = 252006675");
    assert_left_alone("marked.db", "is another program's database");
    make_store("newer.db", 1);
    sql("newer.db", "PRAGMA user_version = 2");
    assert_left_alone("newer.db", "is a store of version 2; this program knows version 1 only");
}

static void a_store_without_its_tables_is_refused(void **state) {
    (void)state;
    make_store("torn.db", 1);
    sql("torn.db", "DROP TABLE bundle");
    assert_refused(store_path("torn.db"), STORE_READ, "cannot be used as a store: no such table: bundle");
    assert_refused(store_path("torn.db"), STORE_WRITE, "cannot be used as a store: no such table: bundle");
}

static void a_truncated_file_is_refused(void **state) {
    (void)state;
    make_store("cut.db", 60);
    struct stat info;
    assert_int_equal(stat(store_path("cut.db"), &info), 0);
    assert_int_equal(truncate(store_path("cut.db"), info.st_size / 2), 0);
    assert_left_alone("cut.db", "the file is damaged");
    assert_int_equal(truncate(store_path("cut.db"), 50), 0);
    assert_left_alone("cut.db", "cut.db");
}

static void the_check_finds_what_is_wrong(void **state) {
    (void)state;
    struct err e;
    make_store("check.db", 60);
    struct store *store = open_store("check.db", STORE_READ);
    assert_true(store_check(store, &e));
    store_close(store);

    sql("check.db", "DELETE FROM game WHERE number = 7");
    store = open_store("check.db", STORE_READ);
    assert_false(store_check(store, &e));
    assert_non_null(strstr(e.text, "check.db: the file is damaged: record of game 7 without the game"));
    store_close(store);
}

/* Values that our own writer refuses: the reader refuses them too. */
static void impossible_values_are_found(void **state) {
    (void)state;
    static const struct {
        const char *set, *words;
    } cases[] = {
        {"actions = -5", "game 3 has actions = -5"},
        {"turns = 3000000000", "game 3 has turns = 3000000000"},
        {"forfeiter = 2", "game 3 has forfeiter = 2"},
        {"payoff = 1.25", "game 3 has payoff = 1.25"},
        {"think1_ns = -1", "game 3 has think1_ns = -1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e;
        char command[200];
        make_store("values.db", 10);
        snprintf(command, sizeof command,
                 "PRAGMA ignore_check_constraints = ON; UPDATE game SET %s WHERE number = 3", cases[i].set);
        sql("values.db", command);
        struct store *store = open_store("values.db", STORE_READ);
        assert_false(store_check(store, &e));
        if (strstr(e.text, cases[i].words) == NULL)
            fail_msg("expected '%s', got '%s'", cases[i].words, e.text);
        store_close(store);
        assert_int_equal(unlink(store_path("values.db")), 0);
    }
}

/* The ends of the range of every number. */
static void every_number_has_a_range(void **state) {
    (void)state;
    static const char *const names[] = {"stage",        "round",      "player0",   "player1",
                                        "map",          "fault",      "actions",   "turns",
                                        "lead_changes", "decisions0", "decisions1"};
    static const char *const times[] = {"think0_ns", "think1_ns", "longest0_ns", "longest1_ns"};
    const size_t numbers = sizeof names / sizeof names[0];
    make_store("ranges.db", 2);
    for (size_t i = 0; i < numbers + 4; i++)
        for (int large = 0; large < (i < numbers ? 2 : 1); large++) {
            struct err e;
            char command[200], words[80];
            const char *column = i < numbers ? names[i] : times[i - numbers];
            snprintf(command, sizeof command, "PRAGMA ignore_check_constraints = ON; UPDATE game SET %s = %s",
                     column, large ? "2147483648" : "-1");
            sql("ranges.db", command);
            struct store *store = open_store("ranges.db", STORE_READ);
            assert_false(store_check(store, &e));
            snprintf(words, sizeof words, "game 0 has %s = %s", column, large ? "2147483648" : "-1");
            assert_non_null(strstr(e.text, words));
            store_close(store);
            snprintf(command, sizeof command, "UPDATE game SET %s = %s", column, large ? "2147483647" : "0");
            sql("ranges.db", command);
        }
    struct store *store = open_store("ranges.db", STORE_READ);
    struct err e;
    assert_true(store_check(store, &e));
    store_close(store);
}

static void a_damaged_page_is_found(void **state) {
    (void)state;
    struct err e;
    struct stat info;
    make_store("page.db", 200);
    assert_int_equal(stat(store_path("page.db"), &info), 0);
    const int fd = open(store_path("page.db"), O_WRONLY);
    char zeros[4096] = {0};
    for (off_t at = 5 * 4096; at < info.st_size - 4096; at += 10 * 4096)
        assert_int_equal(pwrite(fd, zeros, sizeof zeros, at), sizeof zeros);
    close(fd);
    struct store *store = open_store("page.db", STORE_READ);
    assert_false(store_check(store, &e));
    assert_non_null(strstr(e.text, "page.db: the file is damaged"));
    store_close(store);
}

/* Switches to a user without write permission, when this user is root. */
static void become(uid_t user) {
    if (getuid() == 0)
        assert_int_equal(seteuid(user), 0);
}

static void where_nothing_may_be_written(void **state) {
    (void)state;
    assert_int_equal(chmod(store_path(""), 0755), 0);
    assert_int_equal(mkdir(store_path("shut"), 0755), 0);
    make_store("shut/here.db", 5);
    make_store("file.db", 1);
    assert_int_equal(chmod(store_path("file.db"), 0444), 0);
    assert_int_equal(chmod(store_path("shut"), 0555), 0);
    become(NOBODY);
    assert_refused(store_path("shut/new.db"), STORE_WRITE, "cannot be written: Permission denied");
    assert_refused(store_path("shut/here.db"), STORE_WRITE, "cannot be written: ");
    assert_refused(store_path("file.db"), STORE_WRITE, "cannot be written: Permission denied");
    struct store *store = open_store("shut/here.db", STORE_READ);
    const struct store_tally seen = count_games(store, 0, true);
    store_close(store);
    become(0);
    assert_int_equal(seen.games, 5);
    assert_int_equal(chmod(store_path("shut"), 0755), 0);
    assert_int_equal(unlink(store_path("shut/here.db")), 0);
}

static void a_killed_writers_store_needs_leave_to_write(void **state) {
    (void)state;
    assert_int_equal(mkdir(store_path("left"), 0755), 0);
    const pid_t child = fork();
    if (child == 0) {
        add_number(open_store("left/a.db", STORE_WRITE), 0);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(has_stored_file("left/a.db-wal"));
    assert_int_equal(unlink(store_path("left/a.db-shm")), 0); /* as after a restart of the machine */
    assert_int_equal(chmod(store_path("left"), 0555), 0);
    become(NOBODY);
    assert_refused(store_path("left/a.db"), STORE_READ, "its last writer was killed");
    become(0);
    assert_int_equal(chmod(store_path("left"), 0755), 0);
    struct store *store = open_store("left/a.db", STORE_READ);
    assert_int_equal(count_games(store, 0, true).games, 1);
    store_close(store);
    assert_int_equal(unlink(store_path("left/a.db")), 0); /* the reader has put it in order */
    assert_int_equal(unlink(store_path("left/a.db.lock")), 0);
}

/* In a folder where nothing may be written, a file with a log that is empty, as other programs leave it. */
static void a_file_with_an_empty_log_is_read_as_it_is(void **state) {
    (void)state;
    assert_int_equal(chmod(store_path(""), 0755), 0);
    assert_int_equal(mkdir(store_path("cd?rom #1%"), 0755), 0);
    make_store("cd?rom #1%/a.db", 5);
    sql("cd?rom #1%/a.db", "PRAGMA journal_mode = WAL");
    assert_false(has_stored_file("cd?rom #1%/a.db-wal"));
    assert_int_equal(chmod(store_path("cd?rom #1%/a.db"), 0444), 0);
    assert_int_equal(chmod(store_path("cd?rom #1%"), 0555), 0);
    become(NOBODY);
    struct store *store = open_store("cd?rom #1%/a.db", STORE_READ);
    const struct store_tally seen = count_games(store, 0, true);
    store_close(store);
    become(0);
    assert_int_equal(seen.games, 5);
    assert_int_equal(chmod(store_path("cd?rom #1%"), 0755), 0);
    assert_int_equal(unlink(store_path("cd?rom #1%/a.db")), 0); /* and nothing was left beside it */
    assert_int_equal(rmdir(store_path("cd?rom #1%")), 0);
}

/* ---- two names of one file ---- */

/* Opened by another process; its status. */
static int child_opens(const char *name, const char *words) {
    const pid_t child = fork();
    if (child == 0) {
        struct err e = {{0}};
        struct store *store = store_open(store_path(name), STORE_WRITE, &e);
        _exit(store != NULL ? 0 : strstr(e.text, words) != NULL ? 1 : 2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void two_names_of_a_file_are_one_store(void **state) {
    (void)state;
    static const char words[] = "another run is using this store under another name";
    char first[1024];
    make_store("first.db", 3);
    snprintf(first, sizeof first, "%s", store_path("first.db"));
    assert_int_equal(link(first, store_path("second.db")), 0);
    struct store *store = open_store("first.db", STORE_WRITE);
    assert_refused(store_path("second.db"), STORE_WRITE, words);
    assert_int_equal(child_opens("second.db", words), 1);
    add_number(store, 3); /* and it is still ours alone */
    assert_int_equal(child_opens("second.db", words), 1);
    struct store *reader = open_store("first.db", STORE_READ);
    store_close(store);
    store = open_store("second.db", STORE_WRITE);
    assert_int_equal(child_opens("first.db", words), 1);
    store_close(reader);
    assert_int_equal(child_opens("first.db", words), 1); /* closing a reader has not freed it */
    store_close(store);
    assert_int_equal(child_opens("second.db", words), 0);
    assert_int_equal(unlink(store_path("second.db")), 0);
}

/* The name of the lock is predictable. */
static void a_planted_lock_is_not_followed(void **state) {
    (void)state;
    char victim[1024];
    write_bytes("victim", "precious", 8);
    snprintf(victim, sizeof victim, "%s", store_path("victim"));
    make_store("trap.db", 1);
    assert_int_equal(symlink(victim, store_path("trap.db.lock")), 0);
    assert_refused(store_path("trap.db"), STORE_WRITE, "cannot be written: ");
    assert_int_equal(unlink(store_path("trap.db.lock")), 0);
    assert_int_equal(link(victim, store_path("trap.db.lock")), 0);
    assert_refused(store_path("trap.db"), STORE_WRITE, "is no lock of a store");
    assert_int_equal(unlink(store_path("trap.db.lock")), 0);
    struct stat info;
    assert_int_equal(stat(victim, &info), 0);
    assert_int_equal(info.st_size, 8);
    assert_int_equal(child_opens("trap.db", ""), 0);
}

/* Objects at the place of the lock, and how they are refused; no descriptor stays open. */
static void strange_locks_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *holder, *words;
    } cases[] = {
        {"1\n", "another run (process 1) is using this store; only one may write to it at a time"},
        {"1x", "another run (process 1) is using this store; only one may write to it at a time"},
        {"", "held.db: another run is using this store; only one may write to it at a time"},
        {"x12", "held.db: another run is using this store; only one may write to it at a time"},
    };
    make_store("held.db", 1);
    const int before = outside_open_files();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_bytes("held.db.lock", cases[i].holder, strlen(cases[i].holder));
        const int fd = open(store_path("held.db.lock"), O_RDWR);
        assert_int_equal(flock(fd, LOCK_EX), 0);
        assert_refused(store_path("held.db"), STORE_WRITE, cases[i].words);
        close(fd);
    }
    static const char zeros[32] = "0";
    write_bytes("held.db.lock", zeros, 32);
    assert_refused(store_path("held.db"), STORE_WRITE, "held.db.lock is no lock of a store; remove it");
    assert_int_equal(unlink(store_path("held.db.lock")), 0);
    assert_int_equal(mkfifo(store_path("held.db.lock"), 0666), 0);
    assert_refused(store_path("held.db"), STORE_WRITE, "held.db.lock is no lock of a store; remove it");
    assert_int_equal(unlink(store_path("held.db.lock")), 0);
    write_bytes("held.db.lock", zeros, 31); /* may be one of ours */
    store_close(open_store("held.db", STORE_WRITE));
    store_close(open_store("held.db", STORE_READ));
    assert_only_file("held.db");
    assert_int_equal(outside_open_files(), before);
}

/* So often the holder before has removed the lock's file when it is ours. */
static int removals;
static char removed[1024];

int flock(int fd, int operation) {
    const int status = (int)syscall(SYS_flock, fd, operation);
    if (status == 0 && removals > 0) {
        removals--;
        unlink(removed);
    }
    return status;
}

static void a_lock_without_a_name_is_none(void **state) {
    (void)state;
    const int before = outside_open_files();
    make_store("shared.db", 1);
    snprintf(removed, sizeof removed, "%s", store_path("shared.db.lock"));
    removals = 99;
    struct store *store = open_store("shared.db", STORE_WRITE);
    assert_int_equal(removals, 0);
    assert_true(has_stored_file("shared.db.lock"));
    store_close(store);
    removals = 100;
    assert_refused(store_path("shared.db"), STORE_WRITE,
                   "cannot be locked: others open and close it all the time");
    assert_int_equal(removals, 0);
    assert_only_file("shared.db");
    assert_int_equal(outside_open_files(), before);
}

static void names_of_locks_have_a_length(void **state) {
    (void)state;
    char path[STORE_PATH_MAX];
    struct store_lock lock;
    struct err e = {0};
    memset(path, 'x', sizeof path);
    for (int more = 0; more < 2; more++) {
        path[STORE_PATH_MAX - sizeof ".lock" + (size_t)more] = '\0';
        assert_false(store_lock_take(&lock, path, "it", &e));
        assert_int_equal(strcmp(e.text, "it: the name is too long") == 0, more == 1);
        assert_int_equal(lock.fd, -1);
        path[STORE_PATH_MAX - sizeof ".lock" + (size_t)more] = 'x';
    }
    store_lock_drop(&lock);
    assert_null(store_file_hold(store_path("nothing.db"), true, &e));
    assert_non_null(strstr(e.text, "nothing.db: cannot be opened: No such file or directory"));
    store_file_drop(NULL, true);
}

/* ---- order of writes to the disk ---- */

/* A commit only writes; when the log is folded into the file both are synced, the log first. */
static void the_disk_is_waited_for(void **state) {
    (void)state;
    struct store *store = open_store("sync.db", STORE_WRITE);
    add_number(store, 0);
    disk_watch();
    add_number(store, 1);
    assert_string_equal(disk_log(), "");
    store_close(store);
    const char *log = strstr(disk_log(), "sync sync.db-wal\n"), *file = strstr(disk_log(), "sync sync.db\n");
    if (log == NULL || file == NULL || log > file)
        fail_msg("expected that the log is synced, then the file; got:\n%s", disk_log());
}

static void a_removed_file_is_noticed(void **state) {
    (void)state;
    struct err e;
    struct store *store = open_store("gone.db", STORE_WRITE);
    add_number(store, 0);
    assert_int_equal(unlink(store_path("gone.db")), 0);
    const struct store_game game = make_game(1);
    assert_false(store_add_game(store, &game, &e));
    assert_non_null(strstr(e.text, "gone.db: was removed or replaced while it was in use"));
    store_close(store);
}

/* A child whose files may not grow any more: as on a full disk. */
static void fill_the_disk(void) {
    const struct rlimit limit = {.rlim_cur = 400000, .rlim_max = 400000};
    struct err e = {0};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(2);
    struct store *store = store_open(store_path("full.db"), STORE_WRITE, &e);
    int number = 0;
    for (struct store_game game; store != NULL && number < 1000; number++) {
        game = make_game(number);
        if (!store_add_game(store, &game, &e))
            break;
    }
    store_close(store);
    const bool ok = number > 3 && number < 1000 && strstr(e.text, "full.db: game ") != NULL;
    _exit(ok ? number : 1);
}

static void a_full_disk_preserves_existing_files(void **state) {
    (void)state;
    struct err e;
    const pid_t child = fork();
    if (child == 0)
        fill_the_disk();
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) > 2);
    struct store *store = open_store("full.db", STORE_WRITE);
    assert_true(store_check(store, &e));
    assert_int_equal(count_games(store, 0, true).games, WEXITSTATUS(status));
    store_close(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_no_files),
        cmocka_unit_test(strange_names_are_files),
        cmocka_unit_test(an_empty_file_is_new),
        cmocka_unit_test(files_of_others_are_left_alone),
        cmocka_unit_test(a_store_without_its_tables_is_refused),
        cmocka_unit_test(a_truncated_file_is_refused),
        cmocka_unit_test(the_check_finds_what_is_wrong),
        cmocka_unit_test(impossible_values_are_found),
        cmocka_unit_test(every_number_has_a_range),
        cmocka_unit_test(a_damaged_page_is_found),
        cmocka_unit_test(where_nothing_may_be_written),
        cmocka_unit_test(a_killed_writers_store_needs_leave_to_write),
        cmocka_unit_test(a_file_with_an_empty_log_is_read_as_it_is),
        cmocka_unit_test(two_names_of_a_file_are_one_store),
        cmocka_unit_test(a_planted_lock_is_not_followed),
        cmocka_unit_test(strange_locks_are_refused),
        cmocka_unit_test(a_lock_without_a_name_is_none),
        cmocka_unit_test(names_of_locks_have_a_length),
        cmocka_unit_test(the_disk_is_waited_for),
        cmocka_unit_test(a_removed_file_is_noticed),
        cmocka_unit_test(a_full_disk_preserves_existing_files),
    };
    return cmocka_run_group_tests(tests, store_make_folder, store_drop_folder);
}
