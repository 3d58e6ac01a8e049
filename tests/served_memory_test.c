/* SPDX-License-Identifier: MIT
 *
 * Memory runs out in the middle of each request, which ends the server: the next start finds nothing damaged
 * and everything that was acknowledged. Each request runs in a process of its own.
 */
#include "tests/bench_support.h"

#include "tests/memory_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PEOPLE  "\"seats\":[{\"kind\":\"human\",\"name\":\"Ann\"},{\"kind\":\"human\"}]"
#define PLAYERS "\"seats\":[{\"kind\":\"player\",\"spec\":\"uct\"},{\"kind\":\"player\",\"spec\":\"random\"}]"
#define DUEL                                                                                                 \
    "SIZEX[6];SIZEY[6];TURNLIMIT[16];HPTHRESHOLD[3];UNITNUMRED[1];UNITNUMBLUE[1];AUTHOR[];MAPCOM[];"         \
    "UNIT[2,2,infantry,0,10,0];UNIT[3,3,infantry,1,10,0];MAP[0,0,0,0,0,0];MAP[0,1,3,1,1,0];"                 \
    "MAP[0,3,4,1,3,0];MAP[0,3,1,4,3,0];MAP[0,1,1,3,1,0];MAP[0,0,0,0,0,0];"

/* Ends of a process: the request succeeded, memory ran out, it was refused. */
enum { DONE, SHORT = 3, OTHER };

struct question {
    enum message_method method;
    const char *path, *body; /* %T: a live game, %K: its first key, %O: one that is over, %J: a job */
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

/* Two live games and a job for the requests. */
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

static void ask(void *context) {
    const struct question *q = context;
    char path[200], body[2000];
    fill_in(q->path, path, sizeof path);
    fill_in(q->body != NULL ? q->body : "", body, sizeof body);
    struct message_out out = served_raw(&served, q->method, path, q->body != NULL ? body : NULL);
    const bool is_fit = out.status >= 200 && out.status < 300;
    message_done(&out);
    if (!is_fit)
        _exit(OTHER);
}

/* The n-th allocation of the request fails; how the process ends. */
static int ask_without(const struct question *q, long n) {
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        served_open(&served);
        struct question copy = *q;
        _exit(memory_runs_out(n, ask, &copy) ? SHORT : DONE);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Everything in the folder can still be read. */
static void check_folder(const char *path) {
    served_open(&served);
    if (served_warned[0] != '\0')
        fail_msg("%s: %s", path, served_warned);
    served_close(&served);
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
    int asked = 0; /* requests in which a small allocation failed: some only read or delete a file */
    served_close(&served);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const struct question *q = &questions[i];
        bool was_short = false;
        int end = SHORT;
        /* Every allocation would take minutes. Large ones are refused with a sentence. A request that was
         * completed before memory ran out cannot be repeated. */
        for (long n = 1; end == SHORT || (end == OTHER && n < 1000); n += 1 + n / 3) {
            end = ask_without(q, n);
            was_short = was_short || end == SHORT;
            check_folder(q->path);
        }
        asked += was_short;
    }
    assert_true(asked > 30);
    served_open(&served);
}

static void reopen(void *unused) {
    (void)unused;
    served_open(&served);
}

/* A start that fails changes nothing. */
static void test_opening(void **unused) {
    (void)unused;
    int status = SHORT << 8;
    served_close(&served);
    for (long n = 1; WEXITSTATUS(status) == SHORT; n += 1 + n / 8) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(memory_runs_out(n, reopen, NULL) ? SHORT : DONE);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
    }
    check_folder("opening");
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
