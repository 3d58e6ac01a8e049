/* SPDX-License-Identifier: MIT
 *
 * Jobs survive interruptions: they are stopped and continued, the server is restarted, files in their folders
 * are edited. Their results are the same with and without interruptions.
 */
#include "tests/expected_support.h"
#include "tests/fake/disk.h"
#include "tests/jobs_support.h"

#include "evolve/judge.h"
#include "serve/inside.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- interrupted ---- */

static json_int_t done_of(struct served *served, const char *id) {
    json_t *job = ask(served, id, "");
    const json_int_t done = json_integer_value(json_object_get(json_object_get(job, "progress"), "done"));
    json_decref(job);
    return done;
}

/* Played once for all tests. */
static json_t *uninterrupted(struct served *served) {
    static json_t *whole;
    char id[SERVE_ID_MAX];
    if (whole == NULL)
        whole = result_of(finish(served, long_event, id), "times");
    return whole;
}

/* Its result is the same, though it was interrupted. */
static void expect_whole(struct served *served, const char *id) {
    json_t *ours = result_of(await(served, id, "done"), "times"), *whole = uninterrupted(served);
    assert_true(is_same(ours, whole));
    json_decref(ours);
}

/* Stops one and waits until it rests; false when it was quicker. */
static bool cancel(struct served *served, const char *id) {
    char path[256];
    path_of(id, "/cancel", path);
    struct message_out out = served_raw(served, MESSAGE_POST, path, "{}");
    const bool in_time = out.status == 200;
    message_done(&out);
    json_t *job = NULL;
    do {
        json_decref(job);
        pause_shortly();
        job = ask(served, id, "");
    } while (!is_at_rest(job));
    const bool was_stopped = strcmp(text_of(job, "state"), "cancelled") == 0;
    assert_true(was_stopped ? in_time : strcmp(text_of(job, "state"), "done") == 0);
    json_decref(job);
    return was_stopped;
}

/* Begins the long one, and returns in the middle of it unless it is quicker. */
static void start_long(struct served *served, char id[SERVE_ID_MAX]) {
    start(served, long_event, id);
    while (done_of(served, id) == 0)
        pause_shortly();
}

static void cancelled_and_resumed(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    do
        start_long(served, id);
    while (!cancel(served, id));
    json_t *job = ask(served, id, "");
    const json_int_t done = json_integer_value(json_object_get(json_object_get(job, "progress"), "done"));
    const json_t *partial = json_object_get(job, "result");
    assert_true(done > 0 && done < LONG_GAMES);
    assert_int_equal(json_integer_value(json_object_get(partial, "games")), done);
    assert_true(json_is_false(json_object_get(partial, "complete")));
    json_decref(job);
    post(served, id, "/cancel", 409);
    post(served, id, "/resume", 200);
    expect_whole(served, id);
}

#define SMALL_MAP                                                                                            \
    "SIZEX[6];SIZEY[6];TURNLIMIT[12];HPTHRESHOLD[2];UNITNUMRED[1];UNITNUMBLUE[1];AUTHOR[];MAPCOM[];"         \
    "UNIT[1,1,infantry,0,10,0];UNIT[4,4,infantry,1,10,0];MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];"                 \
    "MAP[0,1,1,1,1,0];MAP[0,1,1,1,1,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];"

/* Cancelled within its first batch: results so far are stored, and the job reports no unplayed game. */
static void a_cancelled_judgement_stores_its_games(void **state) {
    static const struct judge_limits default_limits = {.width = 0.05, .games_min = 120, .games_max = 2000};
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    start(served,
          "{\"kind\":\"judge\",\"params\":{\"map_text\":\"" SMALL_MAP
          "\",\"strong\":\"uct:sims=20000\",\"weak\":\"uct:sims=20000\"}}",
          id);
    post(served, id, "/resume", 409); /* it runs */
    await_some(served, id);
    json_t *job = ask(served, id, "");
    assert_true(json_is_real(json_object_get(json_object_get(job, "progress"), "left")));
    json_decref(job);
    post(served, id, "/cancel", 200);
    job = await(served, id, "cancelled");
    const json_int_t done = json_integer_value(json_object_get(json_object_get(job, "progress"), "done"));
    const json_t *partial = json_object_get(job, "result"), *strong = json_object_get(partial, "strong");
    assert_true(done > 0 && done < default_limits.games_min / 2); /* then come games of equals */
    assert_int_equal(json_integer_value(json_object_get(partial, "games")), done);
    assert_true(json_is_null(json_object_get(partial, "red_between_equals")));
    assert_string_equal(text_of(partial, "fairness"), "fairness not measured");
    assert_true(json_is_object(json_object_get(strong, "both")) ==
                (json_is_object(json_object_get(strong, "as_red")) &&
                 json_is_object(json_object_get(strong, "as_blue"))));
    assert_string_equal(text_of(job, "title"), "4x4, 1:1");
    json_decref(job);
}

/* The server is closed in the middle of one and opened again; false when the job was quicker. */
static bool restart(struct served *served, const char *id) {
    served_close(served);
    served_open(served);
    json_t *job = ask(served, id, "");
    const bool goes_on = !is_at_rest(job);
    assert_true(goes_on || strcmp(text_of(job, "state"), "done") == 0);
    json_decref(job);
    assert_true(done_of(served, id) > 0);
    return goes_on;
}

static void restarted_in_the_middle(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    do
        start_long(served, id);
    while (!restart(served, id));
    expect_whole(served, id);
}

/* Others that take a moment. */
static const struct long_job {
    const char *body, *unlike; /* what differs from run to run */
} long_jobs[] = {
    {"{\"kind\":\"judge\",\"params\":{\"map\":\"standard\",\"strong\":\"uct:sims=20,memory=1\",\"weak\":"
     "\"random\","
     "\"tight\":0.04,\"games\":120}}",
     ""},
    {"{\"kind\":\"evolve\",\"params\":{\"options\":{\"born\":\"12\",\"population\":\"6\",\"generations\":"
     "\"3\","
     "\"games\":\"4\",\"verify\":\"4\",\"show\":\"3\",\"strong\":\"uct:sims=20,memory=1\",\"weak\":"
     "\"random\"}}}",
     ""},
    {"{\"kind\":\"repro\",\"params\":{\"experiment\":\"tbs-table5\",\"trials\":1}}", "seconds"},
};

static void interrupt(struct served *served, const char *id) {
    if (!cancel(served, id))
        return;
    served_close(served);
    served_open(served);
    post(served, id, "/resume", 200);
}

/* Cancelled, then gone on with after a restart. */
static void every_kind_goes_on(void **state) {
    struct served *served = *state;
    for (size_t i = 0; i < sizeof long_jobs / sizeof long_jobs[0]; i++) {
        char id[SERVE_ID_MAX], again[SERVE_ID_MAX];
        start(served, long_jobs[i].body, id);
        interrupt(served, id);
        json_t *ours = result_of(await(served, id, "done"), long_jobs[i].unlike);
        json_t *whole = result_of(finish(served, long_jobs[i].body, again), long_jobs[i].unlike);
        assert_true(is_same(ours, whole));
        json_decref(ours);
        json_decref(whole);
    }
}

/* ---- folders ---- */

static void expect_jobs(struct served *served, size_t count) {
    json_t *list = served_ask(served, MESSAGE_GET, "/api/jobs", NULL, 200);
    assert_int_equal(json_array_size(list), count);
    json_decref(list);
}

static void removed(void **state) {
    struct served *served = *state;
    char ids[2][SERVE_ID_MAX], path[256], folder[256];
    json_decref(finish(served, small_match, ids[0]));
    start(served, endless_event, ids[1]);
    await_some(served, ids[1]);
    snprintf(folder, sizeof folder, "%s/jobs", served->data);
    for (int i = 0; i < 2; i++) {
        path_of(ids[i], "", path);
        served_ask(served, MESSAGE_DELETE, path, NULL, 204);
        served_fail(served, MESSAGE_GET, path, NULL, 404, NULL, "no job");
        served_fail(served, MESSAGE_DELETE, path, NULL, 404, NULL, "no job");
    }
    expect_jobs(served, 0);
    served_close(served);
    assert_int_equal(served_count(folder), 0);
    served_open(served);
}

/* Overwrites a file of a job from outside. */
static void overwrite(const char *path, const char *content) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

/* A folder that does not belong to a job stays unchanged and causes no error. */
static void strange_folders(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    json_decref(finish(served, small_match, id));
    served_close(served);
    snprintf(path, sizeof path, "%s/jobs/%s/job.json", served->data, id);
    overwrite(path, "{\"format\":\"senjutsu-job\",\"version\":1,\"kind\":\"repro\"}");
    served_open(served);
    expect_jobs(served, 0);
    assert_int_equal(access(path, F_OK), 0);
}

static void set_member(const char *path, const char *key, json_t *value) {
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    json_object_set_new(root, key, value);
    assert_int_equal(json_dump_file(root, path, JSON_COMPACT), 0);
    json_decref(root);
}

/* A job with an edited folder is still served as JSON, and so are the jobs after it. */
static void strange_members(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], other[SERVE_ID_MAX], path[256], title[1000] = "";
    json_decref(finish(served, small_match, id));
    json_decref(finish(served, small_match, other));
    served_close(served);
    for (int i = 0; i < 300; i++)
        memcpy(title + (size_t)3 * i, "あ", 4);
    snprintf(path, sizeof path, "%s/jobs/%s/job.json", served->data, id);
    set_member(path, "number", json_integer(INT_MAX));
    set_member(path, "title", json_string(title));
    snprintf(path, sizeof path, "%s/jobs/%s/job.json", served->data, other);
    set_member(path, "number", json_integer(INT_MIN));
    snprintf(path, sizeof path, "%s/jobs/%s/result.json", served->data, id);
    overwrite(path, "{\"half\":");
    served_open(served);
    expect_jobs(served, 2);
    json_t *job = ask(served, id, "");
    assert_true(json_is_null(json_object_get(job, "result")));
    json_decref(job);
    json_decref(finish(served, small_match, id));
}

/* ---- a disk that is full, or was ---- */

/* Files cannot be replaced; stores of games can be written, so that jobs go on. */
static void fill_disk(const struct served *served) {
    disk_fail(DISK_RENAME, ENOSPC, served->data);
}

static void empty_disk(void) {
    disk_fail(0, 0, NULL);
}

static void expect_state(struct served *served, const char *id, const char *state) {
    json_t *job = ask(served, id, "");
    assert_string_equal(text_of(job, "state"), state);
    json_decref(job);
}

static json_t *kept_file(const struct served *served, const char *id, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/jobs/%s/%s", served->data, id, name);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    return root;
}

/* What cannot be written is refused, and nothing has changed. */
static void requests_are_stored_or_refused(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    fill_disk(served);
    served_fail(served, MESSAGE_POST, "/api/jobs", small_match, 507, NULL, "No space left on device");
    expect_jobs(served, 0);
    empty_disk();
    start(served, endless_event, id);
    await_some(served, id);
    fill_disk(served);
    post(served, id, "/cancel", 507);
    empty_disk();
    expect_state(served, id, "running");
    post(served, id, "/cancel", 200);
    json_t *kept = kept_file(served, id, "job.json"); /* also if the machine ends now */
    assert_string_equal(text_of(kept, "state"), "cancelled");
    json_decref(kept);
    json_decref(await(served, id, "cancelled"));
    fill_disk(served);
    post(served, id, "/resume", 507);
    expect_state(served, id, "cancelled");
    path_of(id, "", path);
    served_ask(served, MESSAGE_DELETE, path, NULL, 204); /* that makes room */
    empty_disk();
    served_close(served);
    served_open(served);
    expect_jobs(served, 0);
}

/* The final state of a job is on the disk before it is reported. */
static void results_are_on_the_disk(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    disk_watch();
    json_decref(finish(served, small_match, id));
    assert_non_null(strstr(disk_log(), "rename DRAFT work.json\nsync "));
    assert_non_null(strstr(disk_log(), "sync DRAFT\nrename DRAFT result.json\nsync "));
    assert_non_null(strstr(disk_log(), "sync DRAFT\nrename DRAFT job.json\nsync "));
    assert_null(strstr(disk_log(), "json\nrename DRAFT")); /* never one without a sync */
}

static void expect_damaged(struct served *served, const char *words) {
    json_t *about = served_ask(served, MESSAGE_GET, "/api/about", NULL, 200);
    const json_t *list = json_object_get(about, "damaged");
    assert_int_equal(json_array_size(list), 1);
    const char *sentence = json_string_value(json_array_get(list, 0));
    if (strstr(sentence, words) == NULL)
        fail_msg("'%s', expected '%s'", sentence, words);
    json_decref(about);
}

/* The server is started with one of the job's files replaced by this. */
static void restart_with(struct served *served, const char *id, const char *name, const char *content) {
    char path[256];
    served_close(served);
    snprintf(path, sizeof path, "%s/jobs/%s/%s", served->data, id, name);
    overwrite(path, content);
    served_open(served);
}

/* A file that a power failure emptied is reported, and rebuilt from the other data. */
static void emptied_files_are_made_again(void **state) {
    static const char *const contents[] = {"", "{\"format\":\"senjutsu-job\",\"ver"};
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *whole = result_of(finish(served, small_match, id), "times");
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        restart_with(served, id, "job.json", contents[i]);
        expect_damaged(served, "was made again from work.json");
        json_t *job = await(served, id, "cancelled");
        assert_non_null(strstr(text_of(job, "error"), "empty or cut off"));
        json_decref(job);
        post(served, id, "/resume", 200);
        json_t *again = result_of(await(served, id, "done"), "times");
        assert_true(is_same(again, whole));
        json_decref(again);
    }
    char path[256];
    snprintf(path, sizeof path, "%s/jobs/%s/job.json.damaged", served->data, id);
    assert_int_equal(access(path, F_OK), 0);
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        restart_with(served, id, "result.json", contents[i]);
        expect_damaged(served, "resume the job to have it made again");
        post(served, id, "/resume", 200);
        json_t *again = result_of(await(served, id, "done"), "times");
        assert_true(is_same(again, whole));
        json_decref(again);
    }
    restart_with(served, id, "games.db", "");
    expect_damaged(served, "are lost: the file is empty");
    json_decref(whole);
}

/* Without data about its content the folder is left unchanged, and reported. */
static void what_cannot_be_made_again_is_named(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    json_decref(finish(served, small_match, id));
    json_t *work = kept_file(served, id, "work.json");
    snprintf(path, sizeof path, "%s/jobs/%s/work.json", served->data, id);
    assert_int_equal(json_dump_file(json_object_get(work, "work"), path, 0), 0); /* as it once was written */
    json_decref(work);
    restart_with(served, id, "job.json", "");
    expect_damaged(served, "cannot be read");
    expect_jobs(served, 0);
}

/* The server ended while it made a job's folder: the request was not answered, so that nothing is missing. A
 * folder with more than that is left alone, and named. */
static void unfinished_folders_are_removed(void **state) {
    static const char *const names[] = {"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"};
    static const char *const contents[] = {NULL, "work.json", "files/notes.txt"};
    struct served *served = *state;
    char path[256];
    served_close(served);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/jobs/%s", served->data, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        if (i == 0)
            continue; /* the server ended between the two folders */
        snprintf(path, sizeof path, "%s/jobs/%s/files", served->data, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        snprintf(path, sizeof path, "%s/jobs/%s/%s", served->data, names[i], contents[i]);
        overwrite(path, "{");
    }
    served_open(served);
    expect_damaged(served, names[2]);
    expect_jobs(served, 0);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/jobs/%s", served->data, names[i]);
        assert_int_equal(access(path, F_OK), i == 2 ? 0 : -1);
    }
}

/* Jobs stored by earlier versions can still be continued. */
static void old_work_is_read(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    json_t *whole = result_of(finish(served, small_match, id), "times");
    json_t *work = kept_file(served, id, "work.json");
    snprintf(path, sizeof path, "%s/jobs/%s/work.json", served->data, id);
    assert_int_equal(json_dump_file(json_object_get(work, "work"), path, 0), 0);
    json_decref(work);
    restart_with(served, id, "result.json", "");
    post(served, id, "/resume", 200);
    json_t *again = result_of(await(served, id, "done"), "times");
    assert_true(is_same(again, whole));
    json_decref(again);
    json_decref(whole);
}

/* ---- folders that were changed, by their whole consequence ---- */

static void add_replaced(struct text *log, const char *text, const char *from, const char *to) {
    for (const char *at; (at = strstr(text, from)) != NULL; text = at + strlen(from)) {
        text_add_bytes(log, text, (size_t)(at - text));
        text_add_string(log, to);
    }
    text_add_string(log, text);
}

/* The text with the job's id and the test's folder replaced. */
static void add_shown(const struct served *served, const char *id, const char *text, struct text *log) {
    struct text without_id = {0};
    add_replaced(&without_id, text, id, "ID");
    text_add_string(log, "    ");
    add_replaced(log, text_string(&without_id), served->root, "ROOT");
    text_add_string(log, "\n");
    text_done(&without_id);
}

static void add_answer(struct served *served, enum message_method method, const char *path, const char *id,
                       struct text *log) {
    struct message_out out = served_raw(served, method, path, method == MESSAGE_POST ? "{}" : NULL);
    text_add(log, "  %d\n", out.status);
    add_shown(served, id, text_string(&out.body), log);
    message_done(&out);
}

static void add_damage(struct served *served, const char *id, struct text *log) {
    json_t *about = served_ask(served, MESSAGE_GET, "/api/about", NULL, 200);
    char *dump = json_dumps(json_object_get(about, "damaged"), JSON_COMPACT);
    add_shown(served, id, dump, log);
    free(dump);
    json_decref(about);
}

static void file_of(const struct served *served, const char *id, const char *name, char out[256]) {
    snprintf(out, 256, "%s/jobs/%s/%s", served->data, id, name);
}

/* What a server makes of the folder: the job, what is damaged, the job after a cancel, and what is saved. */
static void add_opened(struct served *idle, const char *id, struct text *log) {
    char path[256];
    struct text saved = {0};
    served_open(idle);
    path_of(id, "", path);
    add_answer(idle, MESSAGE_GET, path, id, log);
    add_damage(idle, id, log);
    path_of(id, "/cancel", path);
    add_answer(idle, MESSAGE_POST, path, id, log);
    served_close(idle);
    file_of(idle, id, "job.json", path);
    FILE *file = fopen(path, "r");
    char bytes[4096];
    if (file != NULL) {
        text_add_bytes(&saved, bytes, fread(bytes, 1, sizeof bytes, file));
        fclose(file);
    }
    add_shown(idle, id, text_string(&saved), log);
    text_done(&saved);
}

/* Members of job.json and what they become; NULL: left out. "removed" is the last: its folder goes. */
static const char *const members[][2] = {
    {"format", "\"nothing\""},
    {"version", "2"},
    {"kind", "\"nothing\""},
    {"kind", "7"},
    {"kind", NULL},
    {"params", "[]"},
    {"params", NULL},
    {"number", "0"},
    {"number", "-1"},
    {"number", "1000000000"},
    {"number", "1000000001"},
    {"number", NULL},
    {"title", "7"},
    {"title", NULL},
    {"created", NULL},
    {"finished", NULL},
    {"error", NULL},
    {"summary", NULL},
    {"summary", "\"a sentence\""},
    {"progress", NULL},
    {"progress", "{\"done\":-1,\"total\":-1,\"seconds\":\"x\",\"note\":7}"},
    {"progress", "{\"done\":1000000000,\"total\":1000000001,\"seconds\":2.5,\"note\":\"birth\"}"},
    {"progress", "{\"done\":1000000001,\"total\":1000000000,\"seconds\":2,\"left\":7}"},
    {"progress", "{\"done\":1,\"total\":null}"},
    {"state", NULL},
    {"state", "\"nothing\""},
    {"state", "\"running\""},
    {"state", "\"failed\""},
    {"state", "\"cancelled\""},
    {"state", "\"done\""},
    {"state", "\"removed\""},
};

static void set_text(const char *path, const char *key, const char *value) {
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    if (value == NULL)
        json_object_del(root, key);
    else
        json_object_set_new(root, key, json_loads(value, JSON_DECODE_ANY, NULL));
    assert_int_equal(json_dump_file(root, path, JSON_COMPACT), 0);
    json_decref(root);
}

/* An idle server's job, in a folder that can be opened again. */
static void make_idle(struct served *idle, char id[SERVE_ID_MAX]) {
    *idle = (struct served){.idle = true};
    served_open(idle);
    start(idle, small_match, id);
    served_close(idle);
}

static void changed_members(struct text *log) {
    struct served idle;
    char id[SERVE_ID_MAX], path[256];
    make_idle(&idle, id);
    file_of(&idle, id, "job.json", path);
    json_t *whole = json_load_file(path, 0, NULL);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        text_add(log, "\n%s: %s\n", members[i][0], members[i][1] != NULL ? members[i][1] : "none");
        assert_int_equal(json_dump_file(whole, path, JSON_COMPACT), 0);
        set_text(path, members[i][0], members[i][1]);
        add_opened(&idle, id, log);
    }
    json_decref(whole);
    served_remove(&idle);
}

/* Files of a job and what they hold; NULL: a folder is there in place of a file. */
static const char *const contents[][3] = {
    {"result.json", "\"done\"", ""},
    {"result.json", "\"done\"", "{"},
    {"result.json", "\"done\"", "}"},
    {"result.json", "\"done\"", "{}"},
    {"result.json", "\"done\"", "[]"},
    {"result.json", "\"done\"", "{x}"},
    {"result.json", "\"done\"", " {}"},
    {"result.json", "\"done\"", "{} "},
    {"result.json", "\"done\"", "{\"a\":1}"},
    {"result.json", "\"done\"", "{\n  \"a\": 1\r\n}\n"},
    {"result.json", "\"failed\"", "{\"a\":1}"},
    {"result.json", "\"failed\"", "{"},
    {"result.json", "\"done\"", NULL},
    {"games.db", "\"done\"", ""},
    {"games.db", "\"done\"", "x"},
    {"job.json", "\"done\"", NULL},
    {"job.json", "\"done\"", ""},
    {"job.json", "\"done\"", "[]"},
    {"job.json", "\"done\"", "{}"},
};

static void changed_files(struct text *log) {
    struct served idle;
    char id[SERVE_ID_MAX], path[256], file[256];
    make_idle(&idle, id);
    file_of(&idle, id, "job.json", path);
    json_t *whole = json_load_file(path, 0, NULL);
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        const char *const *c = contents[i];
        for (int done = 0; done < (strcmp(c[0], "games.db") == 0 ? 2 : 1); done++) {
            text_add(log, "\n%s of %s, %d done: %s\n", c[0], c[1], done, c[2] != NULL ? c[2] : "a folder");
            assert_int_equal(json_dump_file(whole, path, JSON_COMPACT), 0);
            set_text(path, "state", c[1]);
            set_text(path, "progress", done > 0 ? "{\"done\":1}" : "{}");
            file_of(&idle, id, c[0], file);
            if (c[2] != NULL)
                overwrite(file, c[2]);
            else
                assert_true((remove(file) == 0 || errno == ENOENT) && mkdir(file, 0700) == 0);
            add_opened(&idle, id, log);
            remove(file);
        }
    }
    json_decref(whole);
    served_remove(&idle);
}

static void make_file(const struct served *served, const char *id, const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/jobs/%s/files/%s", served->data, id, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(name, file);
    fclose(file);
}

/* Which files the page may fetch, as what, and under which name they are saved. */
static void files_for_the_page(struct text *log) {
    static const char *const names[] = {"b.csv",
                                        "a.csv",
                                        "c.svg",
                                        "d.json",
                                        "e.html",
                                        "f.gp",
                                        "g.tbsmap",
                                        "h.txt",
                                        "i",
                                        "j.db",
                                        "k.png",
                                        ".l.csv",
                                        ".csv",
                                        "csv",
                                        "m.csv.x",
                                        "n..csv",
                                        "maps/1.tbsmap",
                                        "maps/.2.tbsmap",
                                        "faults/3.json",
                                        "pictures/4.svg",
                                        "other/5.csv"};
    struct served idle;
    char id[SERVE_ID_MAX], path[600], long_name[210];
    make_idle(&idle, id);
    static const char *const folders[] = {"maps", "faults", "pictures", "other", "folder.csv"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s/jobs/%s/files/%s", idle.data, id, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        make_file(&idle, id, names[i]);
    for (int size = 200; size <= 201; size++) {
        snprintf(long_name, sizeof long_name, "%0*d.csv", size - 4, 0);
        make_file(&idle, id, long_name);
    }
    snprintf(path, sizeof path, "%s/jobs/%s/files/link.csv", idle.data, id);
    assert_int_equal(symlink("a.csv", path), 0);
    served_open(&idle);
    json_t *job = ask(&idle, id, "");
    char *dump = json_dumps(json_object_get(job, "files"), JSON_COMPACT);
    text_add(log, "\nfiles\n");
    add_shown(&idle, id, dump, log);
    free(dump);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "/api/jobs/%s/files/%s", id, names[i]);
        struct message_out out = served_raw(&idle, MESSAGE_GET, path, NULL);
        text_add(log, "%s: %d %s '%s' %s\n", names[i], out.status, out.type != NULL ? out.type : "-",
                 out.file_name, text_string(&out.body));
        message_done(&out);
    }
    for (int i = 0; i < 600; i++) {
        snprintf(long_name, sizeof long_name, "maps/x%d.tbsmap", i);
        make_file(&idle, id, long_name);
    }
    json_t *many = ask(&idle, id, "");
    text_add(log, "of more than 600: %zu\n", json_array_size(json_object_get(many, "files")));
    json_decref(many);
    json_decref(job);
    served_remove(&idle);
}

/* Two hundred jobs are all: a further folder is named, and a further request refused. */
static void most_jobs(struct text *log) {
    struct served idle;
    char id[SERVE_ID_MAX], path[256], copy[SERVE_ID_MAX];
    make_idle(&idle, id);
    file_of(&idle, id, "job.json", path);
    json_t *whole = json_load_file(path, 0, NULL);
    for (int i = 0; i < JOBS_MAX; i++) {
        snprintf(copy, sizeof copy, "%016d", i);
        for (char *digit = copy; *digit != '\0'; digit++)
            *digit = (char)('a' + *digit - '0');
        snprintf(path, sizeof path, "%s/jobs/%s", idle.data, copy);
        assert_int_equal(mkdir(path, 0700), 0);
        file_of(&idle, copy, "job.json", path);
        json_object_set_new(whole, "number", json_integer(i / 2 + 2));
        assert_int_equal(json_dump_file(whole, path, JSON_COMPACT), 0);
    }
    json_decref(whole);
    served_open(&idle);
    json_t *about = served_ask(&idle, MESSAGE_GET, "/api/about", NULL, 200);
    json_t *list = served_ask(&idle, MESSAGE_GET, "/api/jobs", NULL, 200);
    const json_t *damaged = json_object_get(about, "damaged");
    const char *sentence = json_string_value(json_array_get(damaged, 0));
    text_add(log, "\nmost jobs\n%zu jobs, %zu damaged: …%s\n", json_array_size(list),
             json_array_size(damaged), strstr(sentence, " cannot"));
    for (size_t i = 2; i < json_array_size(list); i++) { /* newest first; of the same number by their ids */
        const char *after = text_of(json_array_get(list, i - 1), "id"),
                   *before = text_of(json_array_get(list, i), "id");
        assert_true(strcmp(before, after) < 0 || strcmp(before, id) == 0 || strcmp(after, id) == 0);
    }
    served_fail(&idle, MESSAGE_POST, "/api/jobs", small_match, 429, NULL,
                "there are 200 jobs; remove some that are not needed any more");
    path_of(text_of(json_array_get(list, 100), "id"), "", path);
    served_ask(&idle, MESSAGE_DELETE, path, NULL, 204);
    start(&idle, small_match, copy);
    served_fail(&idle, MESSAGE_POST, "/api/jobs", small_match, 429, NULL, "there are 200 jobs");
    json_decref(list);
    list = served_ask(&idle, MESSAGE_GET, "/api/jobs", NULL, 200);
    assert_string_equal(text_of(json_array_get(list, 0), "id"), copy);
    json_decref(list);
    json_decref(about);
    served_remove(&idle);
}

static void add_step(struct served *idle, const char *id, const char *step, struct text *log) {
    char path[256];
    text_add(log, "%s:", step);
    path_of(id, strcmp(step, "get") == 0 || strcmp(step, "delete") == 0 ? "" : step, path);
    add_answer(idle,
               step[0] == '/'   ? MESSAGE_POST
               : step[0] == 'g' ? MESSAGE_GET
                                : MESSAGE_DELETE,
               path, id, log);
}

/* A job that waits, on a disk that is full: nothing changes until there is room, but it can be removed. */
static void full_disk_while_waiting(struct text *log) {
    struct served idle;
    char id[SERVE_ID_MAX], path[256];
    make_idle(&idle, id);
    served_open(&idle);
    text_add(log, "\na full disk\n");
    for (int full = 1; full >= 0; full--) {
        if (full)
            fill_disk(&idle);
        add_step(&idle, id, "/cancel", log);
        empty_disk();
        add_step(&idle, id, "get", log);
    }
    served_close(&idle);
    file_of(&idle, id, "job.json", path);
    set_text(path, "error", "\"it was stopped\"");
    served_open(&idle);
    for (int full = 1; full >= 0; full--) {
        if (full)
            fill_disk(&idle);
        add_step(&idle, id, "/resume", log);
        empty_disk();
        add_step(&idle, id, "get", log);
    }
    fill_disk(&idle);
    add_step(&idle, id, "delete", log);
    empty_disk();
    add_step(&idle, id, "get", log);
    served_remove(&idle);
}

static void folders_as_expected(void **state) {
    (void)state;
    struct text log = {0};
    changed_members(&log);
    changed_files(&log);
    files_for_the_page(&log);
    most_jobs(&log);
    full_disk_while_waiting(&log);
    expected_compare("job_folders.txt", &log);
    text_done(&log);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cancelled_and_resumed, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(a_cancelled_judgement_stores_its_games, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(restarted_in_the_middle, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(every_kind_goes_on, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(removed, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(strange_folders, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(strange_members, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(requests_are_stored_or_refused, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(results_are_on_the_disk, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(emptied_files_are_made_again, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(what_cannot_be_made_again_is_named, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(unfinished_folders_are_removed, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(old_work_is_read, open_jobs, close_jobs),
        cmocka_unit_test(folders_as_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
