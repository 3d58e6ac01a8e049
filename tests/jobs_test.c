/* SPDX-License-Identifier: MIT
 *
 * Jobs through the workbench's own requests: the same results as the command line prints for the same seed,
 * whether they were interrupted or not.
 */
#include "tests/served_support.h"

#include "evolve/judge.h"
#include "net/topic.h"
#include "serve/inside.h"
#include "serve/jobs.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const char match[] = "{\"kind\":\"match\",\"params\":{\"players\":[\"acteval\",\"random\"],"
                            "\"maps\":[\"duel\"],\"games\":11,\"seed\":3}}";
static const char tournament[] = "{\"kind\":\"tournament\",\"params\":{\"players\":[\"random\",\"acteval\","
                                 "\"first\"],\"maps\":[\"duel\",\"duel_panzer\"],\"seed\":\"3\"}}";
static const char judge[] = "{\"kind\":\"judge\",\"params\":{\"map\":\"duel\",\"strong\":\"acteval\","
                            "\"weak\":\"random\",\"tight\":0.2,\"games\":100,\"min_games\":40}}";
static const char evolve[] =
    "{\"kind\":\"evolve\",\"params\":{\"options\":{\"born\":\"4\",\"population\":\"2\",\"generations\":\"2\","
    "\"games\":\"2\",\"verify\":\"2\",\"show\":\"2\",\"strong\":\"acteval\",\"weak\":\"random\"}}}";
static const char repro[] = "{\"kind\":\"repro\",\"params\":{\"experiment\":\"tbs-fig4\",\"trials\":3}}";

/* Long enough to be stopped in the middle. */
static const char long_event[] = "{\"kind\":\"tournament\",\"params\":{\"players\":[\"uct:sims=200\","
                                 "\"uct:sims=150\"],\"games\":90,\"seed\":5}}";

/* A few games that take a while each. */
static const char seen_event[] = "{\"kind\":\"tournament\",\"params\":{\"players\":[\"uct:sims=200\","
                                 "\"uct:sims=150\"],\"games\":8,\"seed\":5}}";

enum { LONG_GAMES = 90 };

static int setup(void **state) {
    static struct served served;
    served = (struct served){0};
    served_open(&served);
    *state = &served;
    return 0;
}

static int teardown(void **state) {
    served_remove(*state);
    return 0;
}

/* ---- helpers ---- */

static void pause_shortly(void) {
    const struct timespec moment = {.tv_nsec = 5000000};
    nanosleep(&moment, NULL);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static void path_of(const char *id, const char *rest, char out[256]) {
    snprintf(out, 256, "/api/jobs/%s%s", id, rest);
}

/* Its id is kept in `id`. */
static void start(struct served *served, const char *body, char id[SERVE_ID_MAX]) {
    json_t *info = served_ask(served, MESSAGE_POST, "/api/jobs", body, 201);
    snprintf(id, SERVE_ID_MAX, "%s", text_of(info, "id"));
    json_decref(info);
}

static json_t *ask(struct served *served, const char *id, const char *rest) {
    char path[256];
    path_of(id, rest, path);
    return served_ask(served, MESSAGE_GET, path, NULL, 200);
}

static void post(struct served *served, const char *id, const char *verb, int status) {
    char path[256];
    path_of(id, verb, path);
    json_decref(served_ask(served, MESSAGE_POST, path, "{}", status));
}

static bool is_at_rest(const json_t *job) {
    const char *state = text_of(job, "state");
    return strcmp(state, "running") != 0 && strcmp(state, "queued") != 0;
}

/* The whole job, once it is in that state. */
static json_t *await(struct served *served, const char *id, const char *state) {
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

static json_t *finish(struct served *served, const char *body, char id[SERVE_ID_MAX]) {
    start(served, body, id);
    return await(served, id, "done");
}

/* Until something was done, but not all of it. */
static void await_some(struct served *served, const char *id) {
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

/* What the command line prints. */
static json_t *by_command(const char *arguments) {
    char line[1024];
    struct text text = {0};
    char bytes[4096];
    snprintf(line, sizeof line, "'%s' %s", getenv("SENJUTSU"), arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, pipe)) > 0;)
        text_add_bytes(&text, bytes, size);
    assert_int_equal(pclose(pipe), 0);
    json_t *value = json_loadb(text_string(&text), text.size, 0, NULL);
    text_done(&text);
    assert_non_null(value);
    return value;
}

/* Numbers are printed with different precisions. */
static bool is_same(const json_t *a, const json_t *b);

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

static bool is_same(const json_t *a, const json_t *b) {
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

/* Takes the result out, without what differs from run to run. */
static json_t *result_of(json_t *job, const char *unlike) {
    json_t *result = json_incref(json_object_get(job, "result"));
    assert_true(json_is_object(result));
    json_object_del(result, unlike);
    json_decref(job);
    return result;
}

static bool has_file(const json_t *job, const char *name) {
    const json_t *files = json_object_get(job, "files");
    for (size_t i = 0; i < json_array_size(files); i++)
        if (strcmp(json_string_value(json_array_get(files, i)), name) == 0)
            return true;
    return false;
}

/* ---- what comes out ---- */

static void tournament_is_the_command_lines(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *ours = result_of(finish(served, tournament, id), "times");
    json_t *theirs = by_command("tournament --players random,acteval,first --maps duel,duel_panzer --seed 3 "
                                "--json --quiet");
    json_object_del(theirs, "times");
    assert_true(is_same(ours, theirs));
    json_decref(ours);
    json_decref(theirs);
}

static void judge_is_the_command_lines(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *job = finish(served, judge, id);
    json_t *theirs = by_command("map judge duel --strong acteval --weak random --tight 0.2 --games 100 "
                                "--min-games 40 --json --quiet");
    json_t *ours = json_object_get(job, "result"), *value;
    json_t *map = json_array_get(json_object_get(theirs, "maps"), 0);
    const char *key;
    json_object_del(map, "file");
    json_object_foreach(map, key, value) {
        assert_true(is_same(json_object_get(ours, key), value));
    }
    assert_true(json_is_true(json_object_get(ours, "complete")));
    assert_true(
        json_equal(json_object_get(job, "title"), json_object_get(json_object_get(job, "params"), "map")));
    json_decref(job);
    json_decref(theirs);
}

static void evolve_is_the_command_lines(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *job = finish(served, evolve, id);
    json_t *theirs =
        by_command("evolve --born 4 --population 2 --generations 2 --games 2 --verify 2 --show 2 "
                   "--strong acteval --weak random --json --quiet");
    json_t *ours = json_object_get(job, "result"), *maps = json_object_get(ours, "maps");
    assert_true(has_file(job, "fitness.csv"));
    assert_true(has_file(job, "fitness.svg"));
    assert_int_equal(json_array_size(maps), 2);
    for (size_t i = 0; i < json_array_size(maps); i++) {
        json_t *one = json_array_get(maps, i);
        char name[64];
        assert_string_equal(text_of(json_object_get(one, "map"), "format"), "senjutsu-map");
        snprintf(name, sizeof name, "maps/%04" JSON_INTEGER_FORMAT ".tbsmap",
                 json_integer_value(json_object_get(one, "id")));
        assert_true(has_file(job, name));
        json_object_set(one, "map", json_object_get(one, "text"));
        json_object_del(one, "text");
    }
    assert_true(is_same(ours, theirs));
    json_decref(job);
    json_decref(theirs);
}

/* Times differ from run to run. */
static void drop_times(json_t *result) {
    json_t *rows = json_object_get(result, "rows");
    json_object_del(result, "seconds");
    for (size_t i = json_array_size(rows); i-- > 0;)
        if (strcmp(text_of(json_array_get(rows, i), "unit"), "ms") == 0)
            json_array_remove(rows, i);
    assert_true(json_array_size(rows) > 0);
}

static void repro_is_the_command_lines(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    assert_null(jobs_last_result(served->bench, "tbs-fig4"));
    json_t *ours = result_of(finish(served, repro, id), "seconds");
    json_t *theirs = by_command("repro tbs-fig4 --trials 3 --json --quiet");
    drop_times(ours);
    drop_times(theirs);
    assert_true(is_same(ours, theirs));
    json_t *last = jobs_last_result(served->bench, "tbs-fig4");
    assert_string_equal(text_of(last, "job"), id);
    assert_string_equal(text_of(last, "summary"), text_of(theirs, "summary"));
    assert_null(jobs_last_result(served->bench, "tbs-fig5"));
    json_decref(last);
    json_decref(ours);
    json_decref(theirs);
}

static void match_has_its_figures(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *job = finish(served, match, id);
    const json_t *figures = json_object_get(json_object_get(job, "result"), "match");
    const json_t *wins = json_object_get(figures, "wins");
    assert_int_equal(json_integer_value(json_object_get(figures, "games")), 11);
    assert_int_equal(json_integer_value(json_array_get(wins, 0)) +
                         json_integer_value(json_array_get(wins, 1)) +
                         json_integer_value(json_object_get(figures, "draws")),
                     11);
    /* acteval wins all it can win against random: what the table says of it is what the match says. */
    const json_t *first = json_array_get(json_object_get(json_object_get(job, "result"), "standings"), 0);
    assert_string_equal(text_of(first, "player"), "acteval");
    assert_true(json_equal(json_object_get(first, "wins"), json_array_get(wins, 0)));
    assert_true(json_number_value(json_object_get(json_object_get(figures, "elo"), "difference")) > 100);
    json_t *pairs = json_object_get(figures, "pairs");
    json_int_t sum = 0;
    for (size_t i = 0; i < json_array_size(pairs); i++)
        sum += json_integer_value(json_array_get(pairs, i));
    assert_int_equal(sum, 5);
    json_decref(job);
}

/* ---- games and files ---- */

static void games_can_be_looked_at(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    json_decref(finish(served, match, id));
    json_t *rows = ask(served, id, "/games?from=8&count=100");
    assert_int_equal(json_array_size(rows), 3);
    const json_t *row = json_array_get(rows, 0);
    assert_int_equal(json_integer_value(json_object_get(row, "number")), 8);
    assert_true(json_is_number(json_object_get(row, "payoff")));
    assert_string_equal(text_of(row, "map"), "duel");
    json_t *record = ask(served, id, "/games/8/record");
    assert_int_equal(json_array_size(json_object_get(record, "actions")),
                     json_integer_value(json_object_get(row, "actions")));
    json_t *table = ask(served, id, "/games/8");
    assert_string_equal(text_of(json_object_get(table, "ground"), "map"), "duel");
    /* As it was answered it can be sent back. */
    json_t *source = json_copy(json_object_get(table, "ground"));
    char *body = json_dumps(source, JSON_COMPACT);
    json_decref(served_ask(served, MESSAGE_POST, "/api/positions", body, 200));
    free(body);
    json_decref(source);
    assert_int_equal(json_array_size(json_object_get(table, "steps")),
                     json_integer_value(json_object_get(row, "actions")));
    json_decref(table);
    json_decref(record);
    json_decref(rows);
    static const char *const missing[] = {"/games/11", "/games/-1", "/games/x", "/games/99999999999",
                                          "/games/11/record"};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        path_of(id, missing[i], path);
        served_fail(served, MESSAGE_GET, path, NULL, 404, NULL, "no game");
    }
    path_of(id, "/games?from=-1", path);
    served_fail(served, MESSAGE_GET, path, NULL, 400, "from", "expected a whole number");
    path_of(id, "/games?count=1001", path);
    served_fail(served, MESSAGE_GET, path, NULL, 400, "count", "expected a whole number");
    /* After a restart they come from the store. */
    served_close(served);
    served_open(served);
    rows = ask(served, id, "/games");
    assert_int_equal(json_array_size(rows), 11);
    assert_true(json_is_number(json_object_get(json_array_get(rows, 10), "payoff")));
    json_decref(rows);
}

static void files_only_by_their_names(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    json_t *job = finish(served, match, id);
    static const char *const there[] = {"results.json", "standings.csv", "games.csv", "cross-table.html"};
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++) {
        assert_true(has_file(job, there[i]));
        snprintf(path, sizeof path, "/api/jobs/%s/files/%s", id, there[i]);
        struct message_out out = served_raw(served, MESSAGE_GET, path, NULL);
        assert_int_equal(out.status, 200);
        assert_true(out.body.size > 0);
        assert_string_equal(out.file_name, there[i]);
        message_done(&out);
    }
    static const char *const wrong[] = {"job.json",      "..",          "../job.json",
                                        "games.db",      "nothing.csv", "..%2fjob.json",
                                        "maps/1.tbsmap", ".",           "maps"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(path, sizeof path, "/api/jobs/%s/files/%s", id, wrong[i]);
        struct message_out out = served_raw(served, MESSAGE_GET, path, NULL);
        assert_int_equal(out.status, 404);
        message_done(&out);
    }
    json_decref(job);
}

/* ---- interrupted ---- */

/* Others that take a moment. */
static const struct long_job {
    const char *body, *unlike; /* what differs from run to run */
} long_jobs[] = {
    {"{\"kind\":\"judge\",\"params\":{\"map\":\"standard\",\"strong\":\"uct:sims=50\",\"weak\":\"random\","
     "\"tight\":0.04,\"games\":200}}",
     ""},
    {"{\"kind\":\"evolve\",\"params\":{\"options\":{\"born\":\"12\",\"population\":\"6\",\"generations\":"
     "\"3\","
     "\"games\":\"4\",\"verify\":\"4\",\"show\":\"3\",\"strong\":\"uct:sims=100\",\"weak\":\"random\"}}}",
     ""},
    {"{\"kind\":\"repro\",\"params\":{\"experiment\":\"tbs-table6\",\"trials\":2}}", "seconds"},
};

/* Played once for all tests. */
static json_t *uninterrupted(struct served *served) {
    static json_t *whole;
    char id[SERVE_ID_MAX];
    if (whole == NULL)
        whole = result_of(finish(served, long_event, id), "times");
    return whole;
}

static void interrupt(struct served *served, const char *id) {
    char path[256];
    path_of(id, "/cancel", path);
    struct message_out out = served_raw(served, MESSAGE_POST, path, "{}");
    const bool in_time = out.status == 200; /* otherwise it was quicker */
    message_done(&out);
    if (!in_time)
        return;
    json_t *job = NULL;
    do {
        json_decref(job);
        pause_shortly();
        job = ask(served, id, "");
    } while (!is_at_rest(job));
    const bool was_stopped = strcmp(text_of(job, "state"), "cancelled") == 0;
    json_decref(job);
    served_close(served);
    served_open(served);
    if (was_stopped)
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
        if (json_object_get(ours, "rows") != NULL) {
            drop_times(ours);
            drop_times(whole);
        }
        assert_true(is_same(ours, whole));
        json_decref(ours);
        json_decref(whole);
    }
}

/* Games that are over can be looked at while others are played. */
static void games_while_it_runs(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], rest[64];
    start(served, long_event, id);
    await_some(served, id);
    json_t *rows = ask(served, id, "/games");
    assert_int_equal(json_array_size(rows), LONG_GAMES);
    int number = 0;
    while (number < LONG_GAMES &&
           json_is_null(json_object_get(json_array_get(rows, (size_t)number), "payoff")))
        number++;
    assert_true(number < LONG_GAMES);
    snprintf(rest, sizeof rest, "/games/%d", number);
    json_decref(ask(served, id, rest));
    json_decref(rows);
}

static void cancelled_and_resumed(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    start(served, long_event, id);
    await_some(served, id);
    post(served, id, "/resume", 409);
    post(served, id, "/cancel", 200);
    json_t *job = await(served, id, "cancelled");
    const json_int_t done = json_integer_value(json_object_get(json_object_get(job, "progress"), "done"));
    const json_t *partial = json_object_get(job, "result");
    assert_true(done > 0 && done < LONG_GAMES);
    assert_int_equal(json_integer_value(json_object_get(partial, "games")), done);
    assert_true(json_is_false(json_object_get(partial, "complete")));
    json_decref(job);
    post(served, id, "/cancel", 409);
    post(served, id, "/resume", 200);
    json_t *ours = result_of(await(served, id, "done"), "times"), *whole = uninterrupted(served);
    assert_true(is_same(ours, whole));
    json_decref(ours);
}

#define SMALL_MAP                                                                                            \
    "SIZEX[6];SIZEY[6];TURNLIMIT[12];HPTHRESHOLD[2];UNITNUMRED[1];UNITNUMBLUE[1];AUTHOR[];MAPCOM[];"         \
    "UNIT[1,1,infantry,0,10,0];UNIT[4,4,infantry,1,10,0];MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];"                 \
    "MAP[0,1,1,1,1,0];MAP[0,1,1,1,1,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];"

/* Within its first batch: what was seen is kept, and nothing is said of what was not played. */
static void a_cancelled_judgement_keeps_its_games(void **state) {
    static const struct judge_limits usual = JUDGE_LIMITS_USUAL;
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    start(served,
          "{\"kind\":\"judge\",\"params\":{\"map_text\":\"" SMALL_MAP
          "\",\"strong\":\"uct:sims=20000\",\"weak\":\"uct:sims=20000\"}}",
          id);
    await_some(served, id);
    post(served, id, "/cancel", 200);
    json_t *job = await(served, id, "cancelled");
    const json_int_t done = json_integer_value(json_object_get(json_object_get(job, "progress"), "done"));
    const json_t *partial = json_object_get(job, "result"), *strong = json_object_get(partial, "strong");
    assert_true(done > 0 && done < usual.games_min / 2); /* then come games of equals */
    assert_int_equal(json_integer_value(json_object_get(partial, "games")), done);
    assert_true(json_is_null(json_object_get(partial, "red_between_equals")));
    assert_string_equal(text_of(partial, "fairness"), "fairness not measured");
    assert_true(json_is_object(json_object_get(strong, "both")) ==
                (json_is_object(json_object_get(strong, "as_red")) &&
                 json_is_object(json_object_get(strong, "as_blue"))));
    assert_string_equal(text_of(job, "title"), "4x4, 1:1");
    json_decref(job);
}

static void restarted_in_the_middle(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    start(served, long_event, id);
    await_some(served, id);
    served_close(served);
    served_open(served);
    json_t *job = ask(served, id, "");
    assert_false(is_at_rest(job));
    assert_true(json_integer_value(json_object_get(json_object_get(job, "progress"), "done")) > 0);
    json_decref(job);
    json_t *ours = result_of(await(served, id, "done"), "times"), *whole = uninterrupted(served);
    assert_true(is_same(ours, whole));
    json_decref(ours);
}

/* Two at a time, the others in their order. */
static void wait_in_line(void **state) {
    struct served *served = *state;
    char ids[3][SERVE_ID_MAX];
    for (int i = 0; i < 3; i++)
        start(served, long_event, ids[i]);
    json_t *list = served_ask(served, MESSAGE_GET, "/api/jobs", NULL, 200);
    assert_int_equal(json_array_size(list), 3);
    for (int i = 0; i < 3; i++) {
        const json_t *info = json_array_get(list, (size_t)(2 - i));
        assert_string_equal(text_of(info, "id"), ids[i]);
        assert_string_equal(text_of(info, "state"), i < 2 ? "running" : "queued");
    }
    json_decref(list);
    post(served, ids[2], "/cancel", 200);
    json_decref(await(served, ids[2], "cancelled"));
    post(served, ids[2], "/resume", 200);
    post(served, ids[0], "/cancel", 200);
    json_decref(await(served, ids[0], "cancelled"));
    await_some(served, ids[2]);
}

static void removed(void **state) {
    struct served *served = *state;
    char ids[2][SERVE_ID_MAX], path[256], folder[256];
    json_decref(finish(served, match, ids[0]));
    start(served, long_event, ids[1]);
    await_some(served, ids[1]);
    snprintf(folder, sizeof folder, "%s/jobs", served->data);
    for (int i = 0; i < 2; i++) {
        path_of(ids[i], "", path);
        served_ask(served, MESSAGE_DELETE, path, NULL, 204);
        served_fail(served, MESSAGE_GET, path, NULL, 404, NULL, "no job");
        served_fail(served, MESSAGE_DELETE, path, NULL, 404, NULL, "no job");
    }
    json_t *list = served_ask(served, MESSAGE_GET, "/api/jobs", NULL, 200);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    served_close(served);
    assert_int_equal(served_count(folder), 0);
    served_open(served);
}

/* ---- events ---- */

static void read_all(struct topic *topic, struct text *out, bool to_the_end) {
    struct topic_reader reader = {0};
    char bytes[8192];
    topic_reader_start(&reader, topic, 0);
    for (int i = 0; i < 60000; i++) {
        const long size = topic_read(&reader, bytes, sizeof bytes);
        if (size > 0)
            text_add_bytes(out, bytes, (size_t)size);
        if (size < 0 || (size == 0 && !to_the_end))
            break;
        if (size == 0)
            pause_shortly();
    }
    topic_reader_done(&reader);
}

static void events_tell_what_happens(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    struct text text = {0};
    start(served, seen_event, id);
    path_of(id, "/events", path);
    struct message_out out = served_raw(served, MESSAGE_GET, path, NULL);
    assert_int_equal(out.status, 200);
    read_all(out.stream, &text, true);
    message_done(&out);
    const char *all = text_string(&text);
    const char *first = strstr(all, "event: ");
    assert_int_equal(strncmp(first, "event: job\n", 11), 0);
    assert_non_null(strstr(all, "event: progress\n"));
    assert_non_null(strstr(all, "event: board\n"));
    assert_non_null(strstr(all, "\"over\":true"));
    assert_non_null(strstr(all, "\"board\":{\"format\":\"senjutsu-map\""));
    assert_non_null(strstr(all, "\"state\":\"done\""));
    assert_non_null(strstr(all, "event: end\n"));
    /* Who comes later gets the whole and the end. */
    text_clear(&text);
    out = served_raw(served, MESSAGE_GET, path, NULL);
    read_all(out.stream, &text, true);
    message_done(&out);
    assert_non_null(strstr(text_string(&text), "\"state\":\"done\""));
    assert_non_null(strstr(text_string(&text), "event: end\n"));
    text_clear(&text);
    out = served_raw(served, MESSAGE_GET, "/api/jobs/events", NULL);
    read_all(out.stream, &text, false);
    message_done(&out);
    assert_non_null(strstr(text_string(&text), "event: jobs\n"));
    assert_non_null(strstr(text_string(&text), id));
    text_done(&text);
}

/* ---- wrong requests ---- */

static void wrong_params(void **state) {
    struct served *served = *state;
    static const struct wrong {
        const char *kind, *params;
        int status;
        const char *field, *words;
    } wrongs[] = {
        {"nosuch", "{}", 400, "kind", "unknown"},
        {"match", "[]", 400, "params", "an object"},
        {"match", "{}", 400, "players", "list of 2 to"},
        {"match", "{\"players\":[\"random\"]}", 400, "players", "two players or more"},
        {"match", "{\"players\":[\"random\",\"first\",\"acteval\"]}", 400, "players", "two players"},
        {"match", "{\"players\":[\"random\",7]}", 400, "players", "its spec as text"},
        {"match", "{\"players\":[\"random\",\"nosuch\"]}", 400, "players", "unknown"},
        {"match", "{\"players\":[\"random\",\"ext:cmd=true\"]}", 400, "players", ""},
        {"match", "{\"players\":[\"random\",\"first\"],\"preset\":\"x\"}", 400, "preset", "not known here"},
        {"match", "{\"players\":[\"random\",\"first\"],\"games\":0}", 400, "games", "whole number"},
        {"match", "{\"players\":[\"random\",\"first\"],\"games\":\"9\"}", 400, "games", "whole number"},
        {"match", "{\"players\":[\"random\",\"first\"],\"maps\":[]}", 400, "maps", "list of 1 to"},
        {"match", "{\"players\":[\"random\",\"first\"],\"maps\":[\"../duel\"]}", 404, "map", "no map"},
        {"match", "{\"players\":[\"random\",\"first\"],\"maps\":[\"/etc/passwd\"]}", 404, "map", "no map"},
        {"match", "{\"players\":[\"random\",\"first\"],\"maps\":[\"duel\",\"duel\"]}", 400, "maps",
         "already"},
        {"match", "{\"players\":[\"random\",\"first\"],\"game\":\"geister\",\"maps\":[\"duel\"]}", 400,
         "maps", "without maps"},
        {"match", "{\"players\":[\"random\",\"first\"],\"game\":\"nosuch\"}", 400, "game", "unknown"},
        {"match", "{\"players\":[\"random\",\"uct\"],\"game\":\"geister\"}", 400, "players", "hidden"},
        {"match", "{\"players\":[\"random\",\"first\"],\"seed\":-1}", 400, "seed", "whole number"},
        {"match", "{\"players\":[\"random\",\"first\"],\"clock\":\"trun=1\"}", 400, "clock", "unknown"},
        {"match", "{\"players\":[\"random\",\"first\"],\"rules\":\"nosuch\"}", 400, "rules", "unknown"},
        {"tournament", "{\"players\":[\"random\",\"first\"],\"format\":\"x\"}", 400, "format", "round-robin"},
        {"tournament", "{\"players\":[\"random\",\"first\"],\"preset\":\"x\"}", 400, "preset", "no preset"},
        {"tournament", "{\"players\":[\"random\",\"first\"],\"rounds\":2}", 400, NULL, "Swiss"},
        {"tournament", "{\"players\":[{\"name\":\"a\"},\"first\"]}", 400, "players", "spec"},
        {"tournament", "{\"players\":[{\"spec\":\"first\",\"x\":1},\"first\"]}", 400, "x", "not known"},
        {"tournament",
         "{\"players\":[\"random\",\"random\",\"random\",\"random\",\"random\",\"random\"],\"games\":10000}",
         400, "games", "100000 at most"},
        {"judge", "{}", 400, "map", "which map"},
        {"judge", "{\"map\":\"duel\",\"map_text\":\"x\"}", 400, "map_text", ""},
        {"judge", "{\"map\":\"../duel\",\"map_text\":\"x\"}", 400, "map", "its name"},
        {"judge", "{\"map_text\":\"x\"}", 400, "map_text", ""},
        {"judge", "{\"map\":\"nosuch\"}", 404, "map", "no map"},
        {"judge", "{\"map\":\"duel\",\"tight\":0}", 400, "tight", "a number from"},
        {"judge", "{\"map\":\"duel\",\"games\":20,\"min_games\":21}", 400, "min_games", "from 0 to 20"},
        {"judge", "{\"map\":\"duel\",\"strong\":\"nosuch\"}", 400, "strong", "unknown"},
        {"judge", "{\"map\":\"duel\",\"weak\":\"purple\"}", 400, "weak", ""},
        {"evolve", "{\"preset\":\"best\"}", 400, "preset", "unknown"},
        {"evolve", "{\"options\":{\"games\":\"11\"}}", 400, "options", "even number"},
        {"evolve", "{\"options\":{\"nosuch\":\"1\"}}", 400, "options", "nosuch"},
        {"evolve", "{\"options\":{\"games\":10}}", 400, "options", "text"},
        {"evolve", "{\"options\":{\"preset\":\"paper\"}}", 400, "options", "preset"},
        {"evolve", "{\"options\":{\"strong\":\"ext:cmd=true\"}}", 400, "options", "strong"},
        {"evolve", "{\"from\":[\"nosuch\"]}", 404, "map", "no map"},
        {"evolve", "{\"from\":[\"duel\"]}", 400, "from", "expected 6 x 6"},
        {"evolve", "{\"seconds\":-1}", 400, "seconds", "a number from"},
        {"repro", "{}", 400, "experiment", "no experiment"},
        {"repro", "{\"experiment\":\"../x\"}", 400, "experiment", "no experiment"},
        {"repro", "{\"experiment\":\"tbs-fig4\",\"trials\":0}", 400, "trials", "whole number"},
        {"repro", "{\"experiment\":\"tbs-fig4\",\"quick\":1}", 400, "quick", "true or false"},
        {"repro", "{\"experiment\":\"tbs-fig4\",\"out\":\"/tmp\"}", 400, "out", "not known"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        const struct wrong *w = &wrongs[i];
        char body[512];
        snprintf(body, sizeof body, "{\"kind\":\"%s\",\"params\":%s}", w->kind, w->params);
        served_fail(served, MESSAGE_POST, "/api/jobs", body, w->status, w->field, w->words);
    }
    served_fail(served, MESSAGE_POST, "/api/jobs", "{\"kind\":\"match\",\"params\":{},\"x\":1}", 400, "x",
                "not known");
    served_fail(served, MESSAGE_GET, "/api/jobs/aaaaaaaaaaaaaaaa", NULL, 404, NULL, "no job");
    served_fail(served, MESSAGE_GET, "/api/jobs/../events", NULL, 404, NULL, "no job");
    json_t *list = served_ask(served, MESSAGE_GET, "/api/jobs", NULL, 200);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    char folder[256];
    snprintf(folder, sizeof folder, "%s/jobs", served->data);
    assert_int_equal(served_count(folder), 0);
}

/* What is not a job's folder is left alone, and nobody trips over it. */
static void strange_folders(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    json_decref(finish(served, repro, id));
    served_close(served);
    snprintf(path, sizeof path, "%s/jobs/%s/job.json", served->data, id);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"format\":\"senjutsu-job\",\"version\":1,\"kind\":\"repro\"}", file);
    fclose(file);
    served_open(served);
    json_t *list = served_ask(served, MESSAGE_GET, "/api/jobs", NULL, 200);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    assert_int_equal(access(path, F_OK), 0);
}

static void set_member(const char *path, const char *key, json_t *value) {
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    json_object_set_new(root, key, value);
    assert_int_equal(json_dump_file(root, path, JSON_COMPACT), 0);
    json_decref(root);
}

/* A job somebody has been at is still told as JSON, and others come after it. */
static void strange_members(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], other[SERVE_ID_MAX], path[256], title[1000] = "";
    json_decref(finish(served, repro, id));
    json_decref(finish(served, repro, other));
    served_close(served);
    for (int i = 0; i < 300; i++)
        memcpy(title + (size_t)3 * i, "あ", 4);
    snprintf(path, sizeof path, "%s/jobs/%s/job.json", served->data, id);
    set_member(path, "number", json_integer(INT_MAX));
    set_member(path, "title", json_string(title));
    snprintf(path, sizeof path, "%s/jobs/%s/job.json", served->data, other);
    set_member(path, "number", json_integer(INT_MIN));
    snprintf(path, sizeof path, "%s/jobs/%s/result.json", served->data, id);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"half\":", file);
    fclose(file);
    served_open(served);
    json_t *list = served_ask(served, MESSAGE_GET, "/api/jobs", NULL, 200);
    assert_int_equal(json_array_size(list), 2);
    json_decref(list);
    json_t *job = ask(served, id, "");
    assert_true(json_is_null(json_object_get(job, "result")));
    json_decref(job);
    json_decref(finish(served, repro, id));
}

/* What fontconfig keeps for itself when boards are drawn is not ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\n";
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tournament_is_the_command_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(judge_is_the_command_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(evolve_is_the_command_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(repro_is_the_command_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(match_has_its_figures, setup, teardown),
        cmocka_unit_test_setup_teardown(games_can_be_looked_at, setup, teardown),
        cmocka_unit_test_setup_teardown(files_only_by_their_names, setup, teardown),
        cmocka_unit_test_setup_teardown(cancelled_and_resumed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_cancelled_judgement_keeps_its_games, setup, teardown),
        cmocka_unit_test_setup_teardown(restarted_in_the_middle, setup, teardown),
        cmocka_unit_test_setup_teardown(every_kind_goes_on, setup, teardown),
        cmocka_unit_test_setup_teardown(games_while_it_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(wait_in_line, setup, teardown),
        cmocka_unit_test_setup_teardown(removed, setup, teardown),
        cmocka_unit_test_setup_teardown(events_tell_what_happens, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_params, setup, teardown),
        cmocka_unit_test_setup_teardown(strange_folders, setup, teardown),
        cmocka_unit_test_setup_teardown(strange_members, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
