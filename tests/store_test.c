/* SPDX-License-Identifier: MIT
 *
 * The store's guarantees: a committed game is there, once, after any crash of the program; one writer at a
 * time; a file of another program is refused and left alone. Tests that need no disk run with both
 * implementations.
 */
#include "store/store.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/numbers.h"
#include "pool/pool.h"
#include "store_support.h"

#include <fcntl.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- games ---- */

static void every_column_comes_back(void **state) {
    (void)state;
    struct store *store = open_store("columns.db", STORE_WRITE);
    const struct store_game game = {.number = 7,
                                    .stage = 1,
                                    .round = 2,
                                    .players = {3, 4},
                                    .map = 5,
                                    .seed = UINT64_C(0xFEDCBA9876543210),
                                    .outcome.payoff = 0.5,
                                    .outcome.result = "赤 \"annihilation\"",
                                    .outcome.forfeiter = -1,
                                    .outcome.fault = 6,
                                    .outcome.actions = 8,
                                    .outcome.turns = 9,
                                    .outcome.lead_changes = 10,
                                    .outcome.think_ns = {INT64_C(11000000000), 12},
                                    .outcome.longest_ns = {13, INT64_MAX},
                                    .outcome.decisions = {14, INT32_MAX},
                                    .record = "{\"record\":1}",
                                    .fault_report = "{\"bundle\":1}",
                                    .finished = "2024-02-29T12:00:00Z"};
    add_game(store, &game);
    struct store_game seen = {0};
    const struct store_visit visit = {.game = keep_game, .context = &seen, .texts = true};
    struct err e;
    assert_true(store_visit_games(store, &visit, &e));
    assert_same_game(&seen, &game);
    free_game(&seen);
    store_close(store);
}

static void texts_of_games_are_read_when_asked_for(void **state) {
    (void)state;
    struct store *store = open_store("documents.db", STORE_WRITE);
    struct store_game game = make_game(0);
    game.record = game.fault_report = NULL; /* never begun */
    add_game(store, &game);
    game = make_game(1);
    game.record = "{}";
    game.fault_report = NULL;
    add_game(store, &game);
    struct store_tally all = count_games(store, 0, true), from_1 = count_games(store, 1, true);
    struct store_tally bare = count_games(store, 0, false);
    assert_int_equal(all.games, 2);
    assert_int_equal(all.records, 1);
    assert_int_equal(all.bundles, 0);
    assert_int_equal(from_1.games, 1);
    assert_int_equal(bare.games, 2);
    assert_int_equal(bare.records, 0);
    store_close(store);
}

static bool stop_at_3(void *context, const struct store_game *game, struct err *e) {
    ++*(int *)context;
    return game->number < 3 || err_set(e, "three is enough");
}

static void a_visitor_can_end_it(void **state) {
    (void)state;
    struct store *store = open_store("visitor.db", STORE_WRITE);
    for (int i = 9; i >= 0; i--) /* the order of writing does not matter */
        add_number(store, i);
    struct err e;
    for (int round = 0; round < 2; round++) { /* and the next visit begins anew */
        int calls = 0;
        const struct store_visit visit = {.game = stop_at_3, .context = &calls};
        assert_false(store_visit_games(store, &visit, &e));
        assert_string_equal(e.text, "three is enough");
        assert_int_equal(calls, 4);
    }
    store_close(store);
}

static void a_number_is_stored_once(void **state) {
    (void)state;
    struct store *store = open_store("once.db", STORE_WRITE);
    add_number(store, 5);
    struct store_game again = make_game(5);
    strcpy(again.outcome.result, "another result");
    struct err e;
    assert_false(store_add_game(store, &again, &e));
    assert_non_null(strstr(e.text, "once.db: game 5 is there already"));
    struct store_game seen = {0};
    const struct store_visit visit = {.game = keep_game, .context = &seen, .texts = true};
    assert_true(store_visit_games(store, &visit, &e));
    const struct store_game first = make_game(5);
    assert_same_game(&seen, &first);
    free_game(&seen);
    add_number(store, 6); /* and the store goes on */
    assert_int_equal(count_games(store, 0, true).games, 2);
    store_close(store);
}

static void impossible_games_are_refused_as_a_whole(void **state) {
    (void)state;
    struct store *store = open_store("refused.db", STORE_WRITE);
    const struct {
        size_t offset;
        int value;
        const char *column;
    } cases[] = {
        {offsetof(struct store_game, number), -1, "number"},
        {offsetof(struct store_game, stage), -1, "stage"},
        {offsetof(struct store_game, round), -2, "round"},
        {offsetof(struct store_game, players[0]), -1, "player0"},
        {offsetof(struct store_game, players[1]), -1, "player1"},
        {offsetof(struct store_game, map), -1, "map"},
        {offsetof(struct store_game, outcome.forfeiter), 2, "forfeiter"},
        {offsetof(struct store_game, outcome.fault), -1, "fault"},
        {offsetof(struct store_game, outcome.actions), -1, "actions"},
        {offsetof(struct store_game, outcome.turns), -1, "turns"},
        {offsetof(struct store_game, outcome.lead_changes), -1, "lead_changes"},
        {offsetof(struct store_game, outcome.decisions[0]), -1, "decisions0"},
        {offsetof(struct store_game, outcome.decisions[1]), -1, "decisions1"},
    };
    struct err e;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct store_game game = make_game(1);
        *(int *)((char *)&game + cases[i].offset) = cases[i].value;
        assert_false(store_add_game(store, &game, &e));
        assert_non_null(strstr(e.text, cases[i].column));
    }
    struct store_game game = make_game(1);
    game.outcome.payoff = 1.3;
    assert_false(store_add_game(store, &game, &e));
    assert_non_null(strstr(e.text, "refused.db: game 1 cannot be written: "));
    assert_non_null(strstr(e.text, "payoff"));
    assert_int_equal(count_games(store, 0, true).games, 0);
    add_number(store, 1); /* nothing of the refused ones is in the way */
    assert_true(store_check(store, &e));
    store_close(store);
}

static void texts_have_names(void **state) {
    (void)state;
    struct store *store = open_store("texts.db", STORE_WRITE);
    struct text out = {0};
    struct err e;
    bool found = true;
    assert_true(store_get(store, "rules", &out, &found, &e));
    assert_false(found);
    assert_true(store_put(store, "rules", "first", &e));
    assert_true(store_put(store, "rules", "ルール", &e));
    assert_true(store_put(store, "empty", "", &e));
    store_close(store);
    store = open_store("texts.db", STORE_READ);
    assert_true(store_get(store, "rules", &out, &found, &e));
    assert_true(found);
    assert_string_equal(text_string(&out), "ルール");
    assert_true(store_get(store, "empty", &out, &found, &e)); /* appended */
    assert_true(found);
    assert_string_equal(text_string(&out), "ルール");
    text_done(&out);
    store_close(store);
}

/* ---- whose games they are ---- */

/* `words` NULL: it is of that name. "@" stands for the store's path. */
static void assert_of(struct store *store, const char *path, const char *name, const char *words) {
    struct err e = {{0}};
    struct text expected = {0};
    assert_int_equal(store_is_of(store, name, &e), words == NULL);
    for (const char *at = words; at != NULL && *at != '\0'; at++)
        if (*at == '@')
            text_add_string(&expected, path);
        else
            text_add_bytes(&expected, at, 1);
    assert_string_equal(e.text, text_string(&expected)); /* nothing is left in it otherwise */
    text_done(&expected);
}

static void stores_say_whose_they_are(void **state) {
    (void)state;
    struct err e;
    char path[512];
    snprintf(path, sizeof path, "%s", store_path("whose.db"));
    struct store *store = open_store("whose.db", STORE_WRITE);
    assert_of(store, path, STORE_MATCH, NULL); /* nobody's yet */
    assert_true(store_put(store, STORE_TOURNAMENT, "", &e));
    assert_of(store, path, STORE_MATCH, NULL); /* as long as it has no games */
    add_number(store, 7);
    assert_of(store, path, STORE_TOURNAMENT, NULL);
    assert_of(store, path, STORE_MATCH,
              "@: is the store of a tournament; 'senjutsu tournament --store @' shows it");
    assert_true(store_put(store, STORE_MATCH, "", &e));
    assert_of(store, path, STORE_RECIPE, "@: is the store of a match; 'senjutsu match --store @' shows it");
    assert_of(store, path, NULL, "@: is the store of a match; 'senjutsu match --store @' shows it");
    store_close(store);

    snprintf(path, sizeof path, "%s", store_path("judged.db"));
    store = open_store("judged.db", STORE_WRITE);
    struct store_game game = make_game(3);
    game.note = NULL, game.record = "{\"trial\"}";
    add_game(store, &game);
    assert_of(store, path, STORE_RECIPE,
              "@ holds the games of something else; choose another file or folder");
    game.number = 2, game.record = "{\"trial\": \"12\"}"; /* older stores */
    add_game(store, &game);
    assert_of(store, path, NULL, NULL);
    game.number = 1, game.record = "{}", game.note = "{\"trial\": \"12\"}";
    add_game(store, &game);
    assert_of(store, path, NULL, NULL);
    assert_of(store, path, STORE_RECIPE,
              "@: is a store of 'map judge'; 'senjutsu map judge MAP --store @' shows it");
    assert_true(store_put(store, STORE_RECIPE, "", &e));
    assert_of(store, path, STORE_RECIPE, NULL);
    assert_of(store, path, NULL, NULL);
    char expected[2048];
    *strrchr(path, '/') = '\0';
    snprintf(expected, sizeof expected,
             "%s/judged.db: is the store of an evolution; 'senjutsu evolve --out %s' shows it", path, path);
    assert_of(store, path, STORE_TOURNAMENT, expected);
    store_close(store);
}

/* ---- several users ---- */

static void there_is_one_writer(void **state) {
    (void)state;
    struct err e;
    struct store *store = open_store("one.db", STORE_WRITE);
    char expected[64];
    snprintf(expected, sizeof expected, "one.db: another run (process %ld) is using this store",
             (long)getpid());
    assert_null(store_open(store_path("one.db"), STORE_WRITE, &e));
    assert_non_null(strstr(e.text, expected));
    store_close(open_store("one.db", STORE_READ)); /* a reader does not end the writing */
    assert_null(store_open(store_path("one.db"), STORE_WRITE, &e));
    add_number(store, 0); /* the refused attempts did no harm */
    store_close(store);
    store = open_store("one.db", STORE_WRITE);
    assert_int_equal(count_games(store, 0, true).games, 1);
    store_close(store);
}

static void links_and_other_processes_do_not_get_around_it(void **state) {
    (void)state;
    struct err e;
    struct store *store = open_store("writer.db", STORE_WRITE);
    assert_int_equal(symlink("writer.db", store_path("alias.db")), 0);
    assert_null(store_open(store_path("alias.db"), STORE_WRITE, &e)); /* the same store by another name */
    assert_non_null(strstr(e.text, "alias.db: another run"));
    const pid_t child = fork();
    if (child == 0)
        _exit(store_open(store_path("writer.db"), STORE_WRITE, &e) == NULL ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    store_close(store);
    store_close(open_store("alias.db", STORE_WRITE));
    assert_int_equal(unlink(store_path("alias.db")), 0);
}

/* A process that is being started still has the descriptors of the one that starts it, and with them the lock
 * when that one is killed, until its exec closes them. Here the descriptors stay open for `held_ms`. */
static pid_t leave_lock_to_child(int held_ms) {
    struct err e;
    int ends[2];
    pid_t heir;
    assert_int_equal(pipe(ends), 0);
    const pid_t owner = fork();
    assert_true(owner >= 0);
    if (owner == 0) {
        const bool ok = store_open(store_path("left.db"), STORE_WRITE, &e) != NULL;
        heir = ok ? fork() : -1;
        if (heir == 0) {
            close(ends[0]), close(ends[1]);
            nanosleep(&(struct timespec){held_ms / 1000, held_ms % 1000 * 1000000L}, NULL);
            _exit(0);
        }
        _exit(heir > 0 && write(ends[1], &heir, sizeof heir) == sizeof heir ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(owner, &status, 0), owner);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], &heir, sizeof heir), sizeof heir);
    close(ends[0]), close(ends[1]);
    return heir;
}

static void a_lock_that_a_dead_writer_left_to_a_child_is_waited_for(void **state) {
    (void)state;
    struct err e = {{0}};
    leave_lock_to_child(300);
    struct store *store = store_open(store_path("left.db"), STORE_WRITE, &e);
    assert_non_null(store);
    assert_string_equal(e.text, ""); /* of the attempts before */
    store_close(store);
    const pid_t heir = leave_lock_to_child(60000);
    assert_null(store_open(store_path("left.db"), STORE_WRITE, &e)); /* not for ever */
    assert_non_null(strstr(e.text, "left.db: another run is using this store"));
    assert_int_equal(kill(heir, SIGKILL), 0);
    store_close(open_store("left.db", STORE_WRITE));
    assert_only_file("left.db");
}

static void it_is_read_while_it_is_written(void **state) {
    (void)state;
    struct store *writer = open_store("both.db", STORE_WRITE);
    struct store *reader = open_store("both.db", STORE_READ);
    for (int i = 0; i < 300; i++) {
        add_number(writer, i);
        if (i % 50 == 0)
            assert_int_equal(count_games(reader, 0, true).games, i + 1);
    }
    store_close(writer); /* with a reader there: SQLite's log stays */
    assert_int_equal(count_games(reader, 0, true).games, 300);
    store_close(reader);
    store_close(open_store("both.db", STORE_WRITE));
}

static void a_reader_that_leaves_last_leaves_one_file(void **state) {
    (void)state;
    struct store *writer = open_store("last.db", STORE_WRITE);
    struct store *reader = open_store("last.db", STORE_READ);
    add_number(writer, 0);
    store_close(writer);
    store_close(reader);
    store_close(open_store("last.db", STORE_WRITE));
    assert_only_file("last.db");
}

/* After its file is removed a store is new the next time; the process that has it open still ends in order.
 */
static void a_removed_store_begins_anew(void **state) {
    (void)state;
    struct err e;
    struct store *store = open_store("removed.db", STORE_WRITE);
    add_number(store, 0);
    store_close(store);
    struct store *reader = open_store("removed.db", STORE_READ);
    assert_true(file_remove(store_path("removed.db"), &e));
    assert_null(store_open(store_path("removed.db"), STORE_READ, &e));
    assert_non_null(strstr(e.text, "removed.db: cannot be opened"));
    store = open_store("removed.db", STORE_WRITE);
    assert_int_equal(count_games(store, 0, true).games, 0);
    store_close(store);
    store_close(reader);
}

static void other_files_are_refused(void **state) {
    (void)state;
    struct err e;
    assert_true(file_write(store_path("other.db"), "no store, and long enough to see that", 37, &e));
    assert_true(file_make_folder(store_path("folder.db"), &e));
    for (int mode = 0; mode < 2; mode++) {
        assert_null(store_open(store_path("other.db"), mode == 0 ? STORE_WRITE : STORE_READ, &e));
        assert_non_null(strstr(e.text, "other.db: is not a store of games"));
        assert_null(store_open(store_path("folder.db"), mode == 0 ? STORE_WRITE : STORE_READ, &e));
        assert_non_null(strstr(e.text, "folder.db: is a folder"));
    }
    assert_true(file_remove_folder(store_path("folder.db"), &e));
}

static void a_clean_close_leaves_one_file(void **state) {
    (void)state;
    struct store *store = open_store("clean.db", STORE_WRITE);
    add_number(store, 0);
    assert_true(has_stored_file("clean.db.lock"));
    assert_true(has_stored_file("clean.db-wal"));
    store_close(store);
    assert_only_file("clean.db");
    store_close(open_store("clean.db", STORE_READ));
    assert_only_file("clean.db");
}

static void leftovers_lock_no_process_out(void **state) {
    (void)state;
    write_bytes("left.db.lock", "4711\n", 5);
    struct store *store = open_store("left.db", STORE_WRITE);
    add_number(store, 0);
    store_close(store);
    assert_only_file("left.db");
}

static int land_work(void *shared, int job) {
    struct store_game game = make_game(job);
    struct err e;
    return store_add_game(shared, &game, &e) ? 1 : 0;
}

static void run_job(void *shared, void *worker, int job, void *result) {
    (void)shared, (void)worker, (void)job;
    *(int *)result = 0;
}

static void land_job(void *shared, int job, void *result) {
    *(int *)result = land_work(shared, job);
}

/* One call at a time, from any thread: as the pool's `landed`. */
static void threads_may_take_turns(void **state) {
    (void)state;
    struct store *store = open_store("threads.db", STORE_WRITE);
    const struct pool_work work = {.jobs = 500,
                                   .workers = 4,
                                   .shared = store,
                                   .result_size = sizeof(int),
                                   .run = run_job,
                                   .landed = land_job};
    struct err e;
    assert_int_equal(pool_run(&work, &e), 500);
    assert_int_equal(count_games(store, 0, true).games, 500);
    store_close(store);
}

/* ---- many threads ---- */

struct contest {
    const char *path;
    atomic_int writers, readers, added, failures;
};

static void count_writer(struct contest *c, struct store *store, int job) {
    const struct store_game game = {.number = job, .outcome.result = "none", .finished = "", .record = "{}"};
    struct err e;
    if (atomic_fetch_add(&c->writers, 1) != 0 || !store_put(store, "last", "x", &e) ||
        !store_add_game(store, &game, &e))
        c->failures++;
    c->added++;
    c->writers--;
}

static void count_reader(struct contest *c, struct store *store) {
    struct text text = {0};
    struct err e;
    bool found;
    const bool ok = store != NULL && store_get(store, "last", &text, &found, &e);
    const int games = ok ? count_games(store, 0, true).games : 0;
    if (!ok || games > c->added + 1)
        c->failures++;
    text_done(&text);
    c->readers++;
}

/* Each tries to be the writer, and reads if another is. */
static void open_and_use(void *shared, void *worker, int job, void *result) {
    (void)worker, (void)result;
    struct contest *c = shared;
    struct err e;
    struct store *store = store_open(c->path, STORE_WRITE, &e);
    if (store != NULL) {
        count_writer(c, store, job);
    } else {
        store = store_open(c->path, STORE_READ, &e);
        count_reader(c, store);
    }
    store_close(store);
}

static void do_nothing(void *shared, int job, void *result) {
    (void)shared, (void)job, (void)result;
}

/* ThreadSanitizer runs this test, too. */
static void threads_open_it_together(void **state) {
    (void)state;
    char path[200];
    struct contest c = {.path = path};
    const struct pool_work work = {
        .jobs = 200, .workers = 4, .shared = &c, .run = open_and_use, .landed = do_nothing, .result_size = 1};
    struct err e;
    snprintf(path, sizeof path, "%s", store_path("together.db"));
    store_close(open_store("together.db", STORE_WRITE));
    assert_int_equal(pool_run(&work, &e), 200);
    assert_int_equal(c.failures, 0);
    assert_int_equal(c.added + c.readers, 200);
    struct store *store = open_store("together.db", STORE_READ);
    assert_int_equal(count_games(store, 0, true).games, c.added);
    store_close(store);
}

/* ---- being killed ---- */

enum { KILLS = 20, KILL_LATEST_US = 30000, NUMBERS_MAX = 200000 };

/* Stores game after game and reports each once it is safe, until it is killed. */
static void write_until_killed(int first, int report) {
    struct err e;
    struct store *store = store_open(store_path("killed.db"), STORE_WRITE, &e);
    for (int number = first; store != NULL && number < NUMBERS_MAX; number++) {
        const struct store_game game = make_game(number);
        if (!store_add_game(store, &game, &e) || write(report, &number, sizeof number) != sizeof number)
            break;
    }
    _exit(1); /* not reached, unless it cannot write */
}

/* The last number that the killed child reported, or `last` when it had no time to. */
static int kill_a_writer(int last, struct rng *r) {
    int ends[2], number;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        write_until_killed(last + 1, ends[1]);
    close(ends[1]);
    /* Some are killed while they open the file, most while they write. */
    if (rng_below(r, 4) != 0 && read(ends[0], &number, sizeof number) == sizeof number)
        last = number;
    nanosleep(&(struct timespec){.tv_nsec = 1000 * (long)rng_below(r, KILL_LATEST_US)}, NULL);
    kill(child, SIGKILL);
    while (read(ends[0], &number, sizeof number) == sizeof number)
        last = number;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    return last;
}

struct expected {
    int next;
    bool whole;
};

static bool check_number(void *context, const struct store_game *game, struct err *e) {
    (void)e;
    struct expected *x = context;
    const struct store_game wanted = make_game(game->number);
    x->whole = x->whole && game->number == x->next && is_same_game(game, &wanted);
    x->next++;
    return true;
}

static void a_kill_loses_nothing(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 2024);
    int last = -1;
    for (int i = 0; i < KILLS; i++) {
        const int reported = kill_a_writer(last, &r);
        struct err e;
        struct expected x = {.whole = true};
        const struct store_visit visit = {.game = check_number, .context = &x, .texts = true};
        struct store *store = open_store("killed.db", i % 2 == 0 ? STORE_WRITE : STORE_READ);
        assert_true(store_check(store, &e));
        assert_true(store_visit_games(store, &visit, &e));
        assert_true(x.whole);
        /* The reported games, and at most the one that was committed but not yet reported. */
        assert_in_range(x.next, reported + 1, reported + 2);
        last = x.next - 1;
        store_close(store);
    }
    assert_true(last > KILLS);
}

/* Every number as large, or as small, as it may be. */
static void extreme_numbers_come_back(void **state) {
    (void)state;
    struct store *store = open_store("extreme.db", STORE_WRITE);
    for (int large = 0; large < 2; large++) {
        const int most = large ? INT32_MAX : 0;
        const int64_t longest = large ? INT64_MAX : 0;
        const struct store_game game = {.number = most,
                                        .stage = most,
                                        .round = most,
                                        .players = {most, most},
                                        .map = most,
                                        .seed = large ? UINT64_MAX : 0,
                                        .outcome.payoff = large ? 1 : 0,
                                        .outcome.result = "",
                                        .outcome.forfeiter = large ? 1 : -1,
                                        .outcome.fault = most,
                                        .outcome.actions = most,
                                        .outcome.turns = most,
                                        .outcome.lead_changes = most,
                                        .outcome.think_ns = {longest, longest},
                                        .outcome.longest_ns = {longest, longest},
                                        .outcome.decisions = {most, most},
                                        .finished = ""};
        add_game(store, &game);
        struct store_game seen = {0};
        struct err e;
        const struct store_visit visit = {
            .game = keep_game, .context = &seen, .texts = true, .first = game.number};
        assert_true(store_visit_games(store, &visit, &e));
        assert_same_game(&seen, &game);
        free_game(&seen);
    }
    assert_int_equal(count_games(store, 0, true).games, 2);
    store_close(store);
}

static void impossible_times_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        const char *column;
    } cases[] = {
        {offsetof(struct store_game, outcome.think_ns[0]), "think0_ns"},
        {offsetof(struct store_game, outcome.think_ns[1]), "think1_ns"},
        {offsetof(struct store_game, outcome.longest_ns[0]), "longest0_ns"},
        {offsetof(struct store_game, outcome.longest_ns[1]), "longest1_ns"},
    };
    struct store *store = open_store("times.db", STORE_WRITE);
    struct err e;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct store_game game = make_game(1);
        *(int64_t *)((char *)&game + cases[i].offset) = -1;
        assert_false(store_add_game(store, &game, &e));
        assert_non_null(strstr(e.text, cases[i].column));
    }
    struct store_game game = make_game(1);
    game.outcome.forfeiter = -2;
    assert_false(store_add_game(store, &game, &e));
    game = make_game(1);
    game.outcome.payoff = -0.01;
    assert_false(store_add_game(store, &game, &e));
    assert_int_equal(count_games(store, 0, true).games, 0);
    store_close(store);
}

int main(void) {
    const struct CMUnitTest both[] = {
        cmocka_unit_test(every_column_comes_back),
        cmocka_unit_test(texts_of_games_are_read_when_asked_for),
        cmocka_unit_test(a_visitor_can_end_it),
        cmocka_unit_test(a_number_is_stored_once),
        cmocka_unit_test(impossible_games_are_refused_as_a_whole),
        cmocka_unit_test(extreme_numbers_come_back),
        cmocka_unit_test(impossible_times_are_refused),
        cmocka_unit_test(texts_have_names),
        cmocka_unit_test(stores_say_whose_they_are),
        cmocka_unit_test(there_is_one_writer),
        cmocka_unit_test(it_is_read_while_it_is_written),
        cmocka_unit_test(a_removed_store_begins_anew),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(threads_may_take_turns),
    };
    const struct CMUnitTest on_disk[] = {
        cmocka_unit_test(links_and_other_processes_do_not_get_around_it),
        cmocka_unit_test(a_lock_that_a_dead_writer_left_to_a_child_is_waited_for),
        cmocka_unit_test(a_clean_close_leaves_one_file),
        cmocka_unit_test(a_reader_that_leaves_last_leaves_one_file),
        cmocka_unit_test(leftovers_lock_no_process_out),
        cmocka_unit_test(a_kill_loses_nothing),
    };
    const struct CMUnitTest in_memory[] = {
        cmocka_unit_test(threads_open_it_together),
    };
    return cmocka_run_group_tests_name("SQLite", both, store_make_folder, store_drop_folder) +
           cmocka_run_group_tests_name("SQLite's files", on_disk, store_make_folder, store_drop_folder) +
           cmocka_run_group_tests_name("memory", both, store_make_memory, store_drop_memory) +
           cmocka_run_group_tests_name("memory's threads", in_memory, store_make_memory, store_drop_memory);
}
