/* SPDX-License-Identifier: MIT
 *
 * Jobs and analyses under a clock that moves by a fixed step at each reading of a worker. Every event of
 * their streams, with its time, and every saved state of a job is compared with
 * tests/expected/served_clock.txt: intervals, estimates of the time left, intermediate results, boards, and
 * the counts of a resumed job.
 */
#include "tests/expected_support.h"
#include "tests/fake/disk.h"
#include "tests/jobs_support.h"

#include "base/file.h"
#include "base/mem.h"
#include "net/message.h"
#include "serve/inside.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { READERS = 2, FILES = 3, BRIEF = 300 };

/* ---- the clock ---- */

struct followed {
    const char *name;
    struct topic_reader reader;
    struct text unread;
    bool is_open;
};

/* The lock may be taken while the workbench's lock is held, not the other way round. */
static struct {
    pthread_t main_thread;
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool is_open; /* workers wait at their first reading until the test listens */
    int64_t now, step, stop_at;
    atomic_bool *stop; /* set at that time; NULL: workers wait again */
    struct followed followed[READERS];
    char files[FILES][256];
    unsigned digests[FILES];
    char root[256]; /* the test's folder, whose name is different in each run */
    struct text log;
} ticker = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};

static void mask_root(const char *bytes, size_t size, struct text *out) {
    struct text all = {0};
    text_add_bytes(&all, bytes, size);
    const char *from = text_string(&all);
    for (const char *at; (at = strstr(from, ticker.root)) != NULL; from = at + strlen(ticker.root)) {
        text_add_bytes(out, from, (size_t)(at - from));
        text_add_string(out, "ROOT");
    }
    text_add_string(out, from);
    text_done(&all);
}

/* Long texts: the beginning, the end, and a digest of all. */
static void note(const char *name, const char *bytes, size_t size) {
    struct text masked = {0};
    mask_root(bytes, size, &masked);
    const char *text = text_string(&masked);
    text_add(&ticker.log, "%9.3f %s ", (double)ticker.now * 1e-9, name);
    if (masked.size <= BRIEF)
        text_add(&ticker.log, "%s\n", text);
    else
        text_add(&ticker.log, "%.*s … %s %08x\n", BRIEF / 4, text, text + masked.size - BRIEF / 4,
                 expected_digest(&masked));
    text_done(&masked);
}

/* A build without Cairo makes no pictures: they are taken out of lists of files. */
static char *without_pictures(const char *data, size_t size) {
    json_t *root = json_loadb(data, size, 0, NULL);
    assert_non_null(root);
    json_t *files = json_object_get(root, "files");
    for (size_t i = json_array_size(files); i > 0; i--) {
        const char *name = json_string_value(json_array_get(files, i - 1));
        if (strstr(name, ".png") != NULL || strncmp(name, "pictures/", 9) == 0)
            json_array_remove(files, i - 1);
    }
    char *dump = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(root);
    return dump;
}

static void note_event(const struct followed *from, const char *event, size_t size) {
    char name[64];
    const char *kind = strstr(event, "event: "), *data = strstr(event, "data: ");
    if (kind == NULL || data == NULL || data >= event + size)
        return;
    kind += strlen("event: ");
    data += strlen("data: ");
    snprintf(name, sizeof name, "%s %.*s", from->name, (int)strcspn(kind, "\n"), kind);
    char *dump = without_pictures(data, (size_t)(event + size - data));
    note(name, dump, strlen(dump));
    free(dump);
}

static void drain(struct followed *from) {
    char bytes[8192];
    long size = 0;
    while (from->is_open && (size = topic_read(&from->reader, bytes, sizeof bytes)) > 0)
        text_add_bytes(&from->unread, bytes, (size_t)size);
    const char *at = text_string(&from->unread);
    for (const char *end; (end = strstr(at, "\n\n")) != NULL; at = end + 2)
        note_event(from, at, (size_t)(end - at));
    struct text rest = {0};
    text_add_string(&rest, at);
    text_done(&from->unread);
    from->unread = rest;
    if (size < 0) {
        topic_reader_done(&from->reader);
        from->is_open = false;
    }
}

/* Records a file whose content has changed since the last reading. */
static void look_at_file(int i) {
    struct text text = {0};
    if (ticker.files[i][0] != '\0' && file_is_plain(ticker.files[i]) &&
        file_read(ticker.files[i], 1 << 24, &text, NULL)) {
        const unsigned digest = expected_digest(&text);
        if (digest != ticker.digests[i])
            note(strrchr(ticker.files[i], '/') + 1, text_string(&text), text.size);
        ticker.digests[i] = digest;
    }
    text_done(&text);
}

static void look(void) {
    for (int i = 0; i < READERS; i++)
        drain(&ticker.followed[i]);
    for (int i = 0; i < FILES; i++)
        look_at_file(i);
}

static void await_opening(void) {
    while (!ticker.is_open)
        pthread_cond_wait(&ticker.opened, &ticker.lock);
}

static int64_t tick(void *self) {
    (void)self;
    pthread_mutex_lock(&ticker.lock);
    if (!pthread_equal(pthread_self(), ticker.main_thread)) {
        await_opening();
        look();
        ticker.now += ticker.step;
        if (ticker.now >= ticker.stop_at) {
            ticker.stop_at = INT64_MAX;
            if (ticker.stop != NULL)
                atomic_store(ticker.stop, true);
            ticker.is_open = ticker.stop != NULL;
            await_opening(); /* the test sends its request meanwhile */
        }
    }
    const int64_t now = ticker.now;
    pthread_mutex_unlock(&ticker.lock);
    return now;
}

static const struct clock ticking = {.now_ns = tick};

/* ---- following ---- */

static void follow(struct served *served, int i, const char *name, const char *path) {
    struct followed *from = &ticker.followed[i];
    struct message_out out = served_raw(served, MESSAGE_GET, path, NULL);
    assert_int_equal(out.status, 200);
    *from = (struct followed){.name = name, .is_open = true};
    topic_reader_start(&from->reader, out.stream, 0);
    message_done(&out);
}

static void let_run(void) {
    pthread_mutex_lock(&ticker.lock);
    ticker.is_open = true;
    pthread_cond_broadcast(&ticker.opened);
    pthread_mutex_unlock(&ticker.lock);
}

static bool is_waiting(void) {
    pthread_mutex_lock(&ticker.lock);
    const bool is = !ticker.is_open;
    pthread_mutex_unlock(&ticker.lock);
    return is;
}

static void stop_following(void) {
    pthread_mutex_lock(&ticker.lock);
    look();
    ticker.is_open = false;
    for (int i = 0; i < READERS; i++) {
        if (ticker.followed[i].is_open)
            topic_reader_done(&ticker.followed[i].reader);
        ticker.followed[i].is_open = false;
        text_done(&ticker.followed[i].unread);
    }
    for (int i = 0; i < FILES; i++)
        ticker.files[i][0] = '\0';
    ticker.stop = NULL;
    ticker.stop_at = INT64_MAX;
    pthread_mutex_unlock(&ticker.lock);
}

static int open_clock(void **state) {
    static struct served served;
    served = (struct served){.cores = 1, .clock = &ticking};
    ticker.main_thread = pthread_self();
    ticker.now = INT64_C(1000000000);
    ticker.stop_at = INT64_MAX;
    served_open(&served);
    snprintf(ticker.root, sizeof ticker.root, "%s", served.root);
    *state = &served;
    return 0;
}

static int close_clock(void **state) {
    served_remove(*state);
    return 0;
}

/* ---- jobs ---- */

struct clocked {
    const char *name, *kind, *params;
    int step_ms, stop_ms; /* stop: since the start; 0: never */
    const char *file;     /* one more to be watched; NULL: none */
    bool full;            /* no file can be replaced while it runs */
};

/* Until no thread works on a job. */
static void await_rest(struct served *served) {
    for (bool rests = false; !rests; pause_shortly()) {
        workbench_lock(served->bench);
        rests = served->bench->jobs->running == 0;
        workbench_unlock(served->bench);
    }
}

static void run_once(struct served *served, const struct clocked *c, const char *id, bool stops) {
    char path[256];
    path_of(id, "/events", path);
    follow(served, 0, "job", path);
    follow(served, 1, "list", "/api/jobs/events");
    snprintf(ticker.files[0], sizeof ticker.files[0], "%s/jobs/%s/job.json", served->data, id);
    snprintf(ticker.files[1], sizeof ticker.files[1], "%s/jobs/%s/result.json", served->data, id);
    if (c->file != NULL)
        snprintf(ticker.files[2], sizeof ticker.files[2], "%s/jobs/%s/files/%s", served->data, id, c->file);
    if (stops) {
        ticker.stop = &served->bench->jobs->items[served->bench->jobs->count - 1]->stop;
        ticker.stop_at = ticker.now + INT64_C(1000000) * c->stop_ms;
    }
    if (c->full)
        disk_fail(DISK_RENAME, ENOSPC, served->data);
    let_run();
    await_rest(served);
    disk_fail(0, 0, NULL);
    stop_following();
}

static void run_job(struct served *served, const struct clocked *c) {
    struct text body = {0};
    char id[SERVE_ID_MAX];
    text_add(&body, "{\"kind\":\"%s\",\"params\":%s}", c->kind, c->params);
    ticker.step = INT64_C(1000000) * c->step_ms;
    text_add(&ticker.log, "\n== %s\n", c->name);
    start(served, text_string(&body), id);
    run_once(served, c, id, c->stop_ms > 0);
    if (c->stop_ms > 0) {
        text_add(&ticker.log, "-- resumed\n");
        post(served, id, "/resume", 200);
        run_once(served, c, id, false);
    }
    text_done(&body);
}

#define FAST "\"maps\":[\"duel\"]"

static const struct clocked jobs[] = {
    {"a match on two maps, stopped and resumed", "match",
     "{\"players\":[\"acteval\",\"random\"],\"maps\":[\"duel\",\"duel_panzer\"],\"games\":9}", 50, 6000,
     "games.csv"},
    {"a match of a game with hidden parts", "match",
     "{\"players\":[\"random\",\"pg\"],\"game\":\"geister:plies=12\",\"games\":3}", 25, 0, NULL},
    {"Swiss, with a clock that runs out", "tournament",
     "{\"players\":[\"random\",\"acteval\",\"first\",\"uct:sims=5\"]," FAST
     ",\"format\":\"swiss\",\"rounds\":2,\"games\":2,\"clock\":\"game=0.21\"}",
     20, 0, NULL},
    {"knock-out", "tournament",
     "{\"players\":[\"random\",\"acteval\",\"first\"]," FAST ",\"format\":\"knock-out\"}", 50, 0, NULL},
    {"a judgement, stopped and resumed", "judge",
     "{\"map\":\"duel\",\"strong\":\"acteval\",\"weak\":\"random\",\"tight\":0.2,\"games\":110,\"min_games\":"
     "30}",
     10, 9000, NULL},
    {"an evolution, stopped and resumed", "evolve",
     "{\"options\":{\"born\":\"4\",\"population\":\"2\",\"generations\":\"2\",\"games\":\"2\",\"verify\":"
     "\"2\","
     "\"show\":\"2\",\"strong\":\"acteval\",\"weak\":\"random\"}}",
     10, 8000, "fitness.csv"},
    {"an evolution for a few seconds", "evolve",
     "{\"seconds\":9,\"options\":{\"born\":\"4\",\"population\":\"2\",\"generations\":\"40\",\"games\":\"2\","
     "\"verify\":\"2\",\"show\":\"2\",\"strong\":\"acteval\",\"weak\":\"random\"}}",
     10, 0, "fitness.csv"},
    {"an experiment, stopped and resumed", "repro", "{\"experiment\":\"tbs-table5\",\"trials\":2}", 100, 700,
     NULL},
    {"a match at a quick pace", "match", "{\"players\":[\"random\",\"first\"]," FAST ",\"games\":6}", 5, 0,
     NULL},
    {"Swiss with a final", "tournament",
     "{\"players\":[\"random\",\"acteval\",\"first\",\"uct:sims=5\"]," FAST ",\"preset\":\"swiss\"}", 10, 0,
     NULL},
    {"play-offs", "tournament",
     "{\"players\":[\"random\",\"random\"],\"maps\":[\"duel\"],\"preset\":\"gat-tactical\",\"clock\":\"turn="
     "99\"}",
     10, 0, NULL},
    {"a match on a full disk", "match", "{\"players\":[\"random\",\"acteval\"]," FAST ",\"games\":2}", 10, 0,
     NULL, true},
    {"a judgement on a full disk", "judge",
     "{\"map\":\"duel\",\"strong\":\"acteval\",\"weak\":\"random\",\"games\":6,\"min_games\":2}", 10, 0, NULL,
     true},
    {"an evolution on a full disk", "evolve",
     "{\"options\":{\"born\":\"4\",\"population\":\"2\",\"generations\":\"2\",\"games\":\"2\",\"verify\":"
     "\"2\","
     "\"show\":\"2\",\"strong\":\"acteval\",\"weak\":\"random\"}}",
     10, 0, NULL, true},
};

static void jobs_by_the_clock(void **state) {
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
        run_job(*state, &jobs[i]);
}

/* ---- analyses ---- */

struct clocked_analysis {
    const char *name, *body;
    int step_ms, stop_ms;
};

#define GEISTER                                                                                              \
    "\"source\":{\"game\":\"geister\",\"position\":\"MOV?"                                                   \
    "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\"}"

static const struct clocked_analysis analyses[] = {
    {"thoughts for a second and a half",
     "{\"source\":{\"map\":\"duel\"},\"player\":\"uct\",\"time_ms\":1500,\"top\":2}", 10, 0},
    {"thoughts until they are stopped",
     "{\"source\":{\"map\":\"duel\"},\"player\":\"uct\",\"sims\":900000000}", 20, 1000},
    {"one simulation", "{\"source\":{\"map\":\"duel\"},\"player\":\"uct\",\"sims\":1}", 10, 0},
    {"thoughts about a game with hidden parts",
     "{" GEISTER ",\"player\":\"ismcts\",\"time_ms\":900,\"top\":3}", 10, 0},
    {"a solution in the default time", "{\"source\":{\"map\":\"standard\"},\"kind\":\"solve\"}", 500, 0},
    {"a solution within a second", "{\"source\":{\"map\":\"bridge\"},\"kind\":\"solve\",\"time_ms\":1000}",
     20, 0},
    {"a solution that is stopped", "{\"source\":{\"map\":\"standard\"},\"kind\":\"solve\"}", 20, 500},
    {"a solution of limited work", "{\"source\":{\"map\":\"duel\"},\"kind\":\"solve\",\"sims\":200000}", 1,
     0},
};

static bool is_running(struct served *served, const char *path) {
    json_t *answer = served_ask(served, MESSAGE_GET, path, NULL, 200);
    const bool runs = strcmp(text_of(answer, "state"), "running") == 0;
    json_decref(answer);
    return runs;
}

static void run_analysis(struct served *served, const struct clocked_analysis *a) {
    char path[100], events[120];
    ticker.step = INT64_C(1000000) * a->step_ms;
    text_add(&ticker.log, "\n== %s\n", a->name);
    json_t *made = served_ask(served, MESSAGE_POST, "/api/analyses", a->body, 201);
    snprintf(path, sizeof path, "/api/analyses/%s", text_of(made, "id"));
    snprintf(events, sizeof events, "%s/events", path);
    json_decref(made);
    follow(served, 0, "analysis", events);
    if (a->stop_ms > 0)
        ticker.stop_at = ticker.now + INT64_C(1000000) * a->stop_ms;
    let_run();
    while (is_running(served, path)) {
        pause_shortly();
        if (is_waiting()) {
            served_ask(served, MESSAGE_DELETE, path, NULL, 204);
            let_run();
        }
    }
    stop_following();
    json_t *whole = served_ask(served, MESSAGE_GET, path, NULL, 200);
    char *dump = json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(12));
    note("whole", dump, strlen(dump));
    free(dump);
    json_decref(whole);
}

static void analyses_by_the_clock(void **state) {
    for (size_t i = 0; i < sizeof analyses / sizeof analyses[0]; i++)
        run_analysis(*state, &analyses[i]);
}

static void as_expected(void **state) {
    (void)state;
    expected_compare("served_clock.txt", &ticker.log);
    text_done(&ticker.log);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(jobs_by_the_clock, open_clock, close_clock),
        cmocka_unit_test_setup_teardown(analyses_by_the_clock, open_clock, close_clock),
        cmocka_unit_test(as_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
