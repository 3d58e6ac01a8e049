/* SPDX-License-Identifier: MIT
 *
 * Jobs of a workbench as tests use them: begun, awaited, compared.
 */
#include "tests/jobs_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define WRITTEN(x) #x
#define TEXT_OF(x) WRITTEN(x)

const char small_match[] = "{\"kind\":\"match\",\"params\":{\"players\":[\"acteval\",\"random\"],"
                           "\"maps\":[\"duel\"],\"games\":11,\"seed\":3}}";
const char small_repro[] =
    "{\"kind\":\"repro\",\"params\":{\"experiment\":\"tbs-table5\",\"trials\":" REPRO_TRIALS "}}";
const char long_event[] = "{\"kind\":\"tournament\",\"params\":{\"players\":[\"uct:sims=500,memory=1\","
                          "\"uct:sims=400,memory=1\"],\"games\":" TEXT_OF(LONG_GAMES) ",\"seed\":5}}";

const char endless_event[] =
    "{\"kind\":\"tournament\",\"params\":{\"players\":[\"uct:sims=" ENDLESS_SIMS ",memory=1\","
    "\"uct:sims=" ENDLESS_SIMS ",c=0.8,memory=1\"],\"games\":" TEXT_OF(ENDLESS_GAMES) ",\"seed\":5}}";

int open_jobs(void **state) {
    static struct served served;
    served = (struct served){0};
    served_open(&served);
    *state = &served;
    return 0;
}

int close_jobs(void **state) {
    served_remove(*state);
    return 0;
}

/* Memory that fontconfig holds for itself when boards are drawn is not a leak of ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\n";
}

/* ---- requests ---- */

void pause_shortly(void) {
    const struct timespec moment = {.tv_nsec = 5000000};
    nanosleep(&moment, NULL);
}

const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

void path_of(const char *id, const char *rest, char out[256]) {
    snprintf(out, 256, "/api/jobs/%s%s", id, rest);
}

void start(struct served *served, const char *body, char id[SERVE_ID_MAX]) {
    json_t *info = served_ask(served, MESSAGE_POST, "/api/jobs", body, 201);
    snprintf(id, SERVE_ID_MAX, "%s", text_of(info, "id"));
    json_decref(info);
}

json_t *ask(struct served *served, const char *id, const char *rest) {
    char path[256];
    path_of(id, rest, path);
    return served_ask(served, MESSAGE_GET, path, NULL, 200);
}

void post(struct served *served, const char *id, const char *verb, int status) {
    char path[256];
    path_of(id, verb, path);
    json_decref(served_ask(served, MESSAGE_POST, path, "{}", status));
}

bool is_at_rest(const json_t *job) {
    const char *state = text_of(job, "state");
    return strcmp(state, "running") != 0 && strcmp(state, "queued") != 0;
}

json_t *await(struct served *served, const char *id, const char *state) {
    for (int i = 0; i < 60000; i++) {
        json_t *job = ask(served, id, "");
        if (is_at_rest(job)) {
            if (strcmp(text_of(job, "state"), state) != 0)
                fail_msg("the job is %s, not %s: %s", text_of(job, "state"), state, text_of(job, "error"));
            return job;
        }
        json_decref(job);
        pause_shortly();
    }
    fail_msg("the job takes minutes");
    return NULL;
}

json_t *finish(struct served *served, const char *body, char id[SERVE_ID_MAX]) {
    start(served, body, id);
    return await(served, id, "done");
}

void await_some(struct served *served, const char *id) {
    for (int i = 0; i < 60000; i++) {
        json_t *job = ask(served, id, "");
        const json_int_t done = json_integer_value(json_object_get(json_object_get(job, "progress"), "done"));
        const bool rests = is_at_rest(job);
        json_decref(job);
        assert_false(rests);
        if (done > 0)
            return;
        pause_shortly();
    }
    fail_msg("nothing is done");
}

/* ---- results ---- */

static bool is_same_object(const json_t *a, const json_t *b) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)a, key, value) {
        if (!is_same(value, json_object_get(b, key))) {
            print_message("\"%s\" differs\n", key);
            return false;
        }
    }
    return json_object_size(a) == json_object_size(b);
}

bool is_same(const json_t *a, const json_t *b) {
    if (json_is_number(a) && json_is_number(b)) {
        const double difference = json_number_value(a) - json_number_value(b);
        return difference < 1e-6 && difference > -1e-6;
    }
    if (json_is_object(a) && json_is_object(b))
        return is_same_object(a, b);
    if (!json_is_array(a) || !json_is_array(b))
        return json_equal(a, b);
    bool same = json_array_size(a) == json_array_size(b);
    for (size_t i = 0; same && i < json_array_size(a); i++)
        same = is_same(json_array_get(a, i), json_array_get(b, i));
    return same;
}

json_t *result_of(json_t *job, const char *unlike) {
    json_t *result = json_incref(json_object_get(job, "result"));
    assert_true(json_is_object(result));
    json_object_del(result, unlike);
    json_decref(job);
    return result;
}

bool has_file(const json_t *job, const char *name) {
    const json_t *files = json_object_get(job, "files");
    for (size_t i = 0; i < json_array_size(files); i++)
        if (strcmp(json_string_value(json_array_get(files, i)), name) == 0)
            return true;
    return false;
}
