/* SPDX-License-Identifier: MIT
 *
 * The workbench's front: requests that are refused before any part of it is called; and its threads.
 */
#include "base/mem.h"
#include "serve/inside.h"
#include "tests/bench_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void refuse(enum message_method method, const char *path, const char *body, int status,
                   const char *words) {
    served_fail(&served, method, path, body, status, NULL, words);
}

static void test_paths(void **unused) {
    (void)unused;
    char path[MESSAGE_PATH_MAX + 8];
    refuse(MESSAGE_GET, "/api/nothing", NULL, 404, "nothing at /api/nothing");
    refuse(MESSAGE_GET, "/api/", NULL, 404, "nothing");
    refuse(MESSAGE_GET, "/", NULL, 404, "nothing");
    refuse(MESSAGE_GET, "", NULL, 404, "nothing");
    refuse(MESSAGE_GET, "api/tables", NULL, 404, "nothing");
    refuse(MESSAGE_GET, "/api/tables/", NULL, 404, "nothing");
    refuse(MESSAGE_GET, "/api//tables", NULL, 404, "nothing");
    refuse(MESSAGE_GET, "/api/tables/a/events/b/c/d/e", NULL, 404, "nothing");
    refuse(MESSAGE_GET, "/api/maps/../../etc/passwd", NULL, 404, "");
    refuse(MESSAGE_DELETE, "/api/tables", NULL, 405, "not for DELETE");
    refuse(MESSAGE_PUT, "/api/tables/abcdefghijklmnop", "{}", 405, "not for PUT");
    refuse(MESSAGE_GET, "/api/tables/abcdefghijklmnop/action", NULL, 405, "not for GET");
    refuse(MESSAGE_POST, "/api/maps", "{}", 405, "/api/maps is not for POST");
    /* A wrong member is refused before a game or job of that name is searched. */
    served_fail(&served, MESSAGE_POST, "/api/tables/abcdefghijklmnop/undo", "{\"kay\":\"\"}", 400, "kay",
                "expected \"key\"");
    refuse(MESSAGE_POST, "/api/tables/abcdefghijklmnop/undo", "{\"key\":\"\"}", 404, "no table");
    served_fail(&served, MESSAGE_POST, "/api/jobs/abcdefghijklmnop/cancel", "{\"now\":true}", 400, "now",
                "no members at all");
    refuse(MESSAGE_POST, "/api/jobs/abcdefghijklmnop/cancel", "{}", 404, "no job");
    memset(path, 'a', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    refuse(MESSAGE_GET, path, NULL, 404, "nothing");
    for (size_t i = 1; i < MESSAGE_PATH_MAX - 1; i++)
        path[i] = '/';
    path[MESSAGE_PATH_MAX - 1] = '\0';
    refuse(MESSAGE_GET, path, NULL, 404, "nothing");
}

/* The refusal of a method lists the allowed ones. */
static void test_methods(void **unused) {
    static const struct {
        enum message_method method;
        const char *path;
        unsigned allowed;
    } cases[] = {
        {MESSAGE_DELETE, "/api/tables", 1u << MESSAGE_GET | 1u << MESSAGE_POST},
        {MESSAGE_PUT, "/api/tables/abcdefghijklmnop", 1u << MESSAGE_GET | 1u << MESSAGE_DELETE},
        {MESSAGE_GET, "/api/tables/abcdefghijklmnop/undo", 1u << MESSAGE_POST},
        {MESSAGE_POST, "/api/maps/mine/a", 1u << MESSAGE_GET | 1u << MESSAGE_PUT | 1u << MESSAGE_DELETE},
        {MESSAGE_GET, "/api/nothing", 0},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct message_out out = served_raw(&served, cases[i].method, cases[i].path, NULL);
        assert_int_equal(out.status, cases[i].allowed != 0 ? 405 : 404);
        assert_int_equal(out.allowed, cases[i].allowed);
        message_done(&out);
    }
}

/* A body of that many brackets within each other. */
static void nest(char *out, int depth) {
    strcpy(out, "{\"seats\":");
    memset(out + strlen(out), '[', (size_t)depth - 1);
    memset(out + 9 + depth - 1, ']', (size_t)depth - 1);
    strcpy(out + 9 + 2 * (depth - 1), "}");
}

static void test_bodies(void **unused) {
    (void)unused;
    char deep[200];
    refuse(MESSAGE_POST, "/api/tables", "{", 400, "the body:1:");
    refuse(MESSAGE_POST, "/api/tables", "[]", 400, "not a JSON object");
    refuse(MESSAGE_POST, "/api/tables", "7", 400, "the body");
    refuse(MESSAGE_POST, "/api/tables", "{\"seed\":1,\"seed\":2}", 400, "duplicate");
    refuse(MESSAGE_POST, "/api/tables", "{\"game\":\"\xff\"}", 400, "the body");
    refuse(MESSAGE_POST, "/api/tables", "{} {}", 400, "the body");
    nest(deep, 33);
    refuse(MESSAGE_POST, "/api/tables", deep, 400, "more than 32 brackets");
    strcpy(deep, "{\"seats\":[[]");
    for (int i = 0; i < 20; i++)
        strcat(deep, ",[{}]");
    strcat(deep, "]}"); /* beside each other there may be more */
    served_fail(&served, MESSAGE_POST, "/api/tables", deep, 400, "seats", "two objects");
    served_fail(&served, MESSAGE_POST, "/api/tables", "{\"game\":\"\\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"}",
                400, "game", "");
    nest(deep, 32);
    served_fail(&served, MESSAGE_POST, "/api/tables", deep, 400, "seats", "two objects");
    served_fail(&served, MESSAGE_POST, "/api/tables",
                "{\"game\":\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[\"}", 400, "game", "");
    served_fail(&served, MESSAGE_POST, "/api/tables", NULL, 400, "seats", "two objects");
    served_fail(&served, MESSAGE_POST, "/api/tables", "{\"colour\":1}", 400, "colour",
                "not known here; expected \"game\"");
}

static void test_ids(void **unused) {
    (void)unused;
    char id[SERVE_ID_MAX], path[SERVE_PATH_MAX];
    struct err e;
    serve_new_id(served.bench, id);
    assert_true(serve_is_id(id));
    assert_int_equal(strlen(id), 16);
    assert_false(serve_is_id(""));
    assert_false(serve_is_id("../../../../../x"));
    assert_false(serve_is_id("abcdefghijklmno."));
    assert_false(serve_is_id("abcdefghijklmnopq"));
    assert_true(serve_path(served.bench, "tables", "x.json", path, &e));
    assert_int_equal(strncmp(path, served.data, strlen(served.data)), 0);
    assert_string_equal(path + strlen(served.data), "/tables/x.json");
    assert_true(serve_path(served.bench, "tables", "", path, &e));
    assert_string_equal(path + strlen(served.data), "/tables");
}

/* Each byte gives one letter of an id. */
static unsigned char first_byte;

static void ramp(void *out, size_t size) {
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)out)[i] = (unsigned char)(first_byte + i);
}

static void test_letters(void **unused) {
    static const struct {
        unsigned char first;
        const char *id;
    } cases[] = {{0, "abcdefghijklmnop"},
                 {16, "qrstuvwxyz234567"},
                 {32, "abcdefghijklmnop"},
                 {255, "7abcdefghijklmno"}};
    (void)unused;
    struct workbench bench = {.setup.secret = ramp};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char id[SERVE_ID_MAX];
        first_byte = cases[i].first;
        serve_new_id(&bench, id);
        assert_string_equal(id, cases[i].id);
    }
}

/* The longest path fits; one byte more is refused. */
static void test_long_paths(void **unused) {
    (void)unused;
    static struct workbench bench;
    static char path[SERVE_PATH_MAX];
    struct err e = {""};
    const size_t longest = SERVE_PATH_MAX - 1 - strlen("/tables/x.json");
    static char data[SERVE_PATH_MAX];
    bench.setup.data = memset(data, 'a', longest);
    assert_true(serve_path(&bench, "tables", "x.json", path, &e));
    assert_int_equal(strlen(path), SERVE_PATH_MAX - 1);
    data[longest] = 'a';
    assert_false(serve_path(&bench, "tables", "x.json", path, &e));
    assert_non_null(strstr(e.text, "aaaa"));
}

/* The data folder must be writable; a wrong one is refused with a message. */
static void test_folder(void **unused) {
    (void)unused;
    struct err e = {""};
    struct workbench_setup setup = served.bench->setup;
    setup.data = "/proc/no/such/folder";
    assert_null(workbench_open(&setup, &e));
    assert_non_null(strstr(e.text, "/proc/no/such/folder"));
    char long_name[SERVE_PATH_MAX + 10];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    setup.data = long_name;
    assert_null(workbench_open(&setup, &e));
    setup.data = "";
    assert_null(workbench_open(&setup, &e));
    assert_string_equal(e.text, "'': a folder's name has 1 to 4095 bytes");
    setup.data = served.data;
    setup.maps = long_name;
    for (size_t size = SERVE_PATH_MAX + 1; size >= SERVE_PATH_MAX; size--) {
        long_name[size] = '\0';
        assert_null(workbench_open(&setup, &e));
        assert_non_null(strstr(e.text, "aaaa': a folder's name has 1 to 4095 bytes"));
    }
    long_name[SERVE_PATH_MAX - 1] = '\0'; /* it need not be there */
    char data[100];
    snprintf(data, sizeof data, "%s/other", served.root);
    setup.data = data;
    struct workbench *bench = workbench_open(&setup, &e);
    assert_non_null(bench);
    assert_true(workbench_close(bench));
}

/* ---- the task pool ---- */

struct work {
    atomic_bool go;
    atomic_int begun, ended, dropped;
};

static void nap(void) {
    const struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
}

static void labour(void *context) {
    struct work *work = context;
    atomic_fetch_add(&work->begun, 1);
    while (!atomic_load(&work->go))
        nap();
    atomic_fetch_add(&work->ended, 1);
}

static void dropped(void *context) {
    struct work *work = context;
    atomic_fetch_add(&work->dropped, 1);
}

static void test_task_pool(void **unused) {
    (void)unused;
    struct work one = {0}, other = {0};
    struct err e;
    struct task_pool *pool = task_pool_open(3, false);
    const struct task first = {labour, dropped, &one}, second = {labour, dropped, &other};
    assert_true(task_pool_start(pool, &first, &e));
    assert_true(task_pool_start(pool, &first, &e));
    assert_true(task_pool_start(pool, &second, &e));
    assert_false(task_pool_start(pool, &second, &e));
    assert_non_null(strstr(e.text, "3 things"));
    assert_int_equal(task_pool_size(pool), 3);
    atomic_store(&one.go, true);
    for (int i = 0; i < 60000 && task_pool_size(pool) > 1; i++)
        nap();
    assert_int_equal(atomic_load(&one.ended), 2);
    assert_int_equal(task_pool_size(pool), 1);
    assert_true(task_pool_start(pool, &second, &e));
    atomic_store(&other.go, true);
    task_pool_close(pool);
    assert_int_equal(atomic_load(&other.ended), 2);
    assert_int_equal(atomic_load(&other.dropped), 0);
}

static void test_idle_task_pool(void **unused) {
    (void)unused;
    struct work one = {0}, other = {0};
    struct err e;
    struct task_pool *pool = task_pool_open(1, true);
    const struct task first = {labour, dropped, &one}, second = {labour, dropped, &other};
    for (int i = 0; i < 5; i++)
        assert_true(task_pool_start(pool, i < 2 ? &first : &second, &e));
    assert_int_equal(task_pool_size(pool), 0);
    assert_int_equal(atomic_load(&one.dropped) + atomic_load(&other.dropped), 0);
    task_pool_close(pool);
    assert_int_equal(atomic_load(&one.dropped), 2);
    assert_int_equal(atomic_load(&other.dropped), 3);
    assert_int_equal(atomic_load(&one.begun) + atomic_load(&other.begun), 0);
}

struct heir {
    struct task_pool *pool;
    struct work work;
    int dropped;
};

static void drop_and_start(void *context) {
    struct heir *heir = context;
    const struct task next = {labour, dropped, &heir->work}, last = {.run = labour, .context = &heir->work};
    struct err e;
    heir->dropped++;
    assert_true(task_pool_start(heir->pool, &next, &e));
    assert_true(task_pool_start(heir->pool, &last, &e)); /* dropped without a word */
}

/* A task that is started while the pool is closed is dropped at once. */
static void test_closing_task_pool(void **unused) {
    (void)unused;
    struct err e;
    struct heir heir = {.pool = task_pool_open(1, true)};
    const struct task first = {labour, drop_and_start, &heir},
                      silent = {.run = labour, .context = &heir.work};
    assert_true(task_pool_start(heir.pool, &first, &e));
    assert_true(task_pool_start(heir.pool, &silent, &e));
    assert_int_equal(heir.dropped, 0);
    task_pool_close(heir.pool);
    assert_int_equal(heir.dropped, 1);
    assert_int_equal(atomic_load(&heir.work.dropped), 1);
    assert_int_equal(atomic_load(&heir.work.begun), 0);
    task_pool_close(NULL);
}

/* A text that cannot be JSON ends neither the server nor a file that was good. */
static void test_no_json(void **unused) {
    (void)unused;
    char path[SERVE_PATH_MAX];
    struct err e;
    struct text text = {0};
    char *dump = serve_dump(json_pack("{ss}", "name", "\xff"), 0);
    assert_string_equal(dump, "{}");
    mem_free(dump);
    assert_true(serve_path(served.bench, "", "kept.json", path, &e));
    assert_true(serve_save(path, json_pack("{ss}", "name", "good"), &e));
    assert_false(serve_save(path, json_pack("{ss}", "name", "\xff"), &e));
    assert_non_null(strstr(e.text, "kept.json: it has a text that is not UTF-8"));
    assert_true(file_read(path, SERVE_PATH_MAX, &text, &e));
    assert_string_equal(text_string(&text), "{\"name\":\"good\"}");
    text_done(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_paths, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_bodies, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_ids, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_folder, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_methods, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_no_json, open_idle, close_it),
        cmocka_unit_test(test_letters),
        cmocka_unit_test(test_long_paths),
        cmocka_unit_test(test_task_pool),
        cmocka_unit_test(test_closing_task_pool),
        cmocka_unit_test(test_idle_task_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
