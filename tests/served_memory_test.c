/* SPDX-License-Identifier: MIT
 *
 * Memory runs out at every point of every request: the answer says so, and the next request finds all in
 * order. Nothing works in the background meanwhile.
 */
#include "tests/bench_support.h"

#include "base/mem.h"
#include "serve/inside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PEOPLE  "\"seats\":[{\"kind\":\"human\",\"name\":\"Ann\"},{\"kind\":\"human\"}]"
#define PLAYERS "\"seats\":[{\"kind\":\"player\",\"spec\":\"uct\"},{\"kind\":\"player\",\"spec\":\"random\"}]"
#define DUEL                                                                                                 \
    "SIZEX[6];SIZEY[6];TURNLIMIT[16];HPTHRESHOLD[3];UNITNUMRED[1];UNITNUMBLUE[1];AUTHOR[];MAPCOM[];"         \
    "UNIT[2,2,infantry,0,10,0];UNIT[3,3,infantry,1,10,0];MAP[0,0,0,0,0,0];MAP[0,1,3,1,1,0];"                 \
    "MAP[0,3,4,1,3,0];MAP[0,3,1,4,3,0];MAP[0,1,1,3,1,0];MAP[0,0,0,0,0,0];"

enum { ALLOCATIONS_MAX = 20000 };

struct question {
    enum message_method method;
    const char *path, *body; /* %T: a table, %K: its first key, %O: one that is over, %J: a job */
};

static char table_id[32], table_key[32], over_id[32], job_id[32];

static void fill_in(const char *text, char *out, size_t out_size) {
    size_t size = 0;
    for (; *text != '\0' && size + 40 < out_size; text++) {
        const char *word = NULL;
        if (text[0] == '%')
            word = text[1] == 'T' ? table_id : text[1] == 'K' ? table_key : text[1] == 'O' ? over_id : job_id;
        if (word != NULL) {
            size += (size_t)snprintf(out + size, out_size - size, "%s", word);
            text++;
        } else {
            out[size++] = *text;
        }
    }
    out[size] = '\0';
}

static void copy_id(char out[32], const json_t *id) {
    snprintf(out, 32, "%s", json_string_value(id));
}

static void make(const char *game, char id[32]) {
    json_t *made = served_ask(&served, MESSAGE_POST, "/api/tables", game, 201);
    copy_id(id, json_object_get(made, "id"));
    copy_id(table_key, json_array_get(json_object_get(made, "keys"), 0));
    json_decref(made);
}

/* Two tables and a job to be asked for. */
static int prepare(void **state) {
    open_idle(state);
    char path[100], body[100];
    make("{\"map\":\"duel\"," PEOPLE "}", over_id);
    snprintf(path, sizeof path, "/api/tables/%s/resign", over_id);
    snprintf(body, sizeof body, "{\"key\":\"%s\"}", table_key);
    json_decref(served_ask(&served, MESSAGE_POST, path, body, 200));
    make("{\"map\":\"duel\"," PEOPLE "}", table_id);
    json_t *job = served_ask(
        &served, MESSAGE_POST, "/api/jobs",
        "{\"kind\":\"match\",\"params\":{\"players\":[\"random\",\"acteval\"],\"maps\":[\"duel\"]}}", 201);
    copy_id(job_id, json_object_get(job, "id"));
    json_decref(job);
    return 0;
}

/* A map's file that cannot be read whole is taken for one that is no map. */
static void check_refusal(const struct question *q, long n, const struct message_out *out) {
    const char *sentence = text_string(&out->body);
    const bool is_map = q->method == MESSAGE_GET && strncmp(q->path, "/api/maps/", 10) == 0;
    const bool is_fit = out->status == 400 || out->status == 429 || out->status == 500 || out->status == 507;
    if (!is_fit && !(is_map && out->status == 404))
        fail_msg("%s, allocation %ld: status %d: %s", q->path, n, out->status, sentence);
    if (strstr(sentence, "memory") == NULL && sentence[0] != '\0' && out->status != 404)
        fail_msg("%s, allocation %ld: %d '%s' says nothing of memory", q->path, n, out->status, sentence);
}

/* False once there are fewer allocations than that. */
static bool ask_without(const struct question *q, long n, int *status) {
    char path[200], body[2000];
    const long before = mem_failures();
    fill_in(q->path, path, sizeof path);
    fill_in(q->body != NULL ? q->body : "", body, sizeof body);
    mem_fail_at(n);
    struct message_out out = served_raw(&served, q->method, path, q->body != NULL ? body : NULL);
    mem_fail_at(0);
    const bool failed = mem_failures() > before;
    *status = out.status;
    if (failed && out.status >= 300)
        check_refusal(q, n, &out);
    message_done(&out);
    return failed;
}

/* Asks until it has all the memory it needs; the last status. */
static int ask_all(const struct question *q) {
    int status = 0;
    for (long n = 1; ask_without(q, n, &status); n++) {
        assert_true(n < ALLOCATIONS_MAX);
        if (status < 300 && q->method != MESSAGE_GET && strchr(q->path, '%') != NULL)
            break; /* it is done: it cannot be done once more */
    }
    return status;
}

static void test_requests(void **unused) {
    (void)unused;
    static const struct question questions[] = {
        {MESSAGE_GET, "/api/maps", NULL},
        {MESSAGE_GET, "/api/maps/duel", NULL},
        {MESSAGE_GET, "/api/maps/duel/file", NULL},
        {MESSAGE_PUT, "/api/maps/mine/one", "{\"text\":\"" DUEL "\"}"},
        {MESSAGE_GET, "/api/maps/mine/one", NULL},
        {MESSAGE_POST, "/api/maps/check", "{\"text\":\"" DUEL "\"}"},
        {MESSAGE_POST, "/api/maps/random", "{}"},
        {MESSAGE_POST, "/api/positions", "{\"map\":\"duel\"}"},
        {MESSAGE_POST, "/api/positions", "{\"map_text\":\"" DUEL "\"}"},
        {MESSAGE_POST, "/api/positions", "{\"game\":\"geister\"}"},
        {MESSAGE_POST, "/api/positions", "{\"table\":\"%T\",\"key\":\"%K\",\"after\":0}"},
        {MESSAGE_POST, "/api/positions/play", "{\"source\":{\"map\":\"duel\"},\"actions\":[\"pass\"]}"},
        {MESSAGE_POST, "/api/tables", "{\"map\":\"duel\"," PEOPLE "}"},
        {MESSAGE_POST, "/api/tables", "{\"game\":\"kuhn\"," PEOPLE "}"},
        {MESSAGE_GET, "/api/tables", NULL},
        {MESSAGE_GET, "/api/tables/%T?key=%K", NULL},
        {MESSAGE_GET, "/api/tables/%O", NULL},
        {MESSAGE_GET, "/api/tables/%O/record", NULL},
        {MESSAGE_GET, "/api/tables/%O/record?form=sgf", NULL},
        {MESSAGE_GET, "/api/tables/%T/events", NULL},
        {MESSAGE_POST, "/api/tables/%T/action", "{\"key\":\"%K\",\"ply\":0,\"action\":\"0:4,3x2\"}"},
        {MESSAGE_POST, "/api/tables/%T/undo", "{\"key\":\"%K\"}"},
        {MESSAGE_POST, "/api/tables/%T/action", "{\"key\":\"%K\",\"ply\":0,\"action\":\"0:4,3x2\"}"},
        {MESSAGE_POST, "/api/tables/%T/take-back", "{\"key\":\"%K\"}"},
        {MESSAGE_POST, "/api/tables/%T/resign", "{\"key\":\"%K\"}"},
        {MESSAGE_POST, "/api/analyses", "{\"source\":{\"map\":\"duel\"},\"kind\":\"solve\"}"},
        {MESSAGE_POST, "/api/jobs",
         "{\"kind\":\"tournament\",\"params\":{\"players\":[\"random\",\"acteval\"],\"maps\":[\"duel\"]}}"},
        {MESSAGE_POST, "/api/jobs",
         "{\"kind\":\"judge\",\"params\":{\"map\":\"duel\",\"strong\":\"acteval\",\"weak\":\"random\"}}"},
        {MESSAGE_POST, "/api/jobs",
         "{\"kind\":\"evolve\",\"params\":{\"options\":{\"strong\":\"acteval\",\"weak\":\"random\"}}}"},
        {MESSAGE_POST, "/api/jobs", "{\"kind\":\"repro\",\"params\":{\"experiment\":\"tbs-fig2\"}}"},
        {MESSAGE_GET, "/api/jobs", NULL},
        {MESSAGE_GET, "/api/jobs/%J", NULL},
        {MESSAGE_GET, "/api/jobs/%J/games", NULL},
        {MESSAGE_GET, "/api/jobs/%J/events", NULL},
        {MESSAGE_POST, "/api/jobs/%J/cancel", NULL},
        {MESSAGE_POST, "/api/jobs/%J/resume", NULL},
        {MESSAGE_DELETE, "/api/jobs/%J", NULL},
        {MESSAGE_DELETE, "/api/tables/%T?key=%K", NULL},
        {MESSAGE_DELETE, "/api/maps/mine/one", NULL},
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const int status = ask_all(&questions[i]);
        assert_true(status >= 200);
        assert_true(status < 300);
    }
    restart();
}

/* What cannot be read for want of memory is left as it is, and is there the next time. */
static void test_opening(void **unused) {
    (void)unused;
    const struct workbench_setup setup = served.bench->setup;
    char data[200], maps[4096];
    snprintf(data, sizeof data, "%s", setup.data);
    snprintf(maps, sizeof maps, "%s", setup.maps);
    served_close(&served);
    bool failed = true;
    for (long n = 1; failed; n++) {
        struct workbench_setup again = setup;
        struct err e = {""};
        again.data = data;
        again.maps = maps;
        const long before = mem_failures();
        mem_fail_at(n);
        struct workbench *bench = workbench_open(&again, &e);
        mem_fail_at(0);
        failed = mem_failures() > before;
        if (bench == NULL)
            assert_non_null(strstr(e.text, "memory"));
        assert_true(bench != NULL || failed);
        assert_true(workbench_close(bench));
    }
    served_open(&served);
    json_t *tables = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    json_t *jobs = served_ask(&served, MESSAGE_GET, "/api/jobs", NULL, 200);
    assert_int_equal(json_array_size(tables), 2);
    assert_int_equal(json_array_size(jobs), 1);
    json_decref(tables);
    json_decref(jobs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_requests, prepare, close_it),
        cmocka_unit_test_setup_teardown(test_opening, prepare, close_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
