/* SPDX-License-Identifier: MIT
 *
 * Requests about jobs: wrong ones, their order, the events of subscribers, games and files.
 */
#include "tests/expected_support.h"
#include "tests/jobs_support.h"

#include "base/clock.h"
#include "net/message.h"
#include "serve/inside.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A few games that take a while each. */
static const char seen_event[] = "{\"kind\":\"tournament\",\"params\":{\"players\":[\"uct:sims=200\","
                                 "\"uct:sims=150\"],\"games\":8,\"seed\":5}}";

/* ---- beginning them ---- */

static void wrong_params(void **state) {
    struct served *served = *state;
    static const struct wrong {
        const char *kind, *params;
        int status;
        const char *field, *words;
    } wrongs[] = {
        {"nosuch", "{}", 400, "kind", "expected match, tournament"},
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
        {"match", "{\"players\":[\"random\",\"first\"],\"rules\":\"\"}", 400, "rules", "unknown"},
        {"match", "{\"players\":[\"random\",\"first\"],\"games\":100000001}", 400, "games", "1 to 100000000"},
        {"match", "{\"players\":[\"random\",\"first\"],\"games\":100001}", 400, "games", "100000 at most"},
        {"tournament", "{\"players\":[\"random\",\"first\"],\"maps-per-pairing\":-1}", 400,
         "maps-per-pairing", "whole number"},
        {"tournament", "{\"players\":[\"random\",\"first\"],\"format\":\"x\"}", 400, "format", "round-robin"},
        {"tournament", "{\"players\":[\"random\",\"first\"],\"preset\":\"x\"}", 400, "preset", "no preset"},
        {"tournament", "{\"players\":[\"random\",\"first\"],\"rounds\":2}", 400, "rounds", "Swiss"},
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
        {"judge", "{\"map\":\"duel\",\"games\":10000001}", 400, "games", "from 2 to 10000000"},
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

/* Also where programs are allowed: none is started for the list of what the other players can do. */
static void wrong_players_beside_programs(void **state) {
    (void)state;
    struct served open = {.idle = true, .programs = true};
    served_open(&open);
    served_fail(&open, MESSAGE_POST, "/api/jobs",
                "{\"kind\":\"match\",\"params\":{\"players\":[\"ext:cmd=false\",\"minmax:eval=best\"]}}", 400,
                "players", "eval=best is unknown");
    served_fail(&open, MESSAGE_POST, "/api/jobs",
                "{\"kind\":\"judge\",\"params\":{\"map\":\"duel\",\"strong\":\"minmax:eval=best\"}}", 400,
                "strong", "eval=best is unknown");
    json_decref(served_ask(&open, MESSAGE_POST, "/api/jobs",
                           "{\"kind\":\"match\",\"params\":{\"players\":[\"ext:cmd=false\",\"random\"]}}",
                           201));
    served_remove(&open);
}

/* ---- requests and their results ---- */

/* A text that may be long: its beginning and a digest. */
static void add_brief(struct text *log, const char *bytes, size_t size) {
    struct text text = {0};
    text_add_bytes(&text, bytes, size);
    text_add(log, "    %.*s", size < 500 ? (int)size : 300, bytes);
    if (size < 500)
        text_add(log, "\n");
    else
        text_add(log, " … %08x\n", expected_digest(&text));
    text_done(&text);
}

/* The answer to a request for a job and, if there is a job now, its stored work. */
static void add_request(struct served *served, const char *kind, const char *params, struct text *log) {
    struct text body = {0};
    text_add(&body, "{\"kind\":\"%s\",\"params\":%s}", kind, params);
    struct message_out out = served_raw(served, MESSAGE_POST, "/api/jobs", text_string(&body));
    json_t *answer = json_loadb(text_string(&out.body), out.body.size, 0, NULL);
    json_t *id = json_incref(json_object_get(answer, "id"));
    json_object_del(answer, "id");
    char *shown = json_dumps(answer, JSON_COMPACT);
    text_add(log, "%s %.200s\n    %d %s\n", kind, params, out.status, shown);
    free(shown);
    if (out.status == 201) {
        char path[256];
        snprintf(path, sizeof path, "%s/jobs/%s/work.json", served->data, json_string_value(id));
        json_t *root = json_load_file(path, 0, NULL);
        char *dump = json_dumps(json_object_get(root, "work"), JSON_COMPACT);
        assert_non_null(dump);
        add_brief(log, dump, strlen(dump));
        free(dump);
        json_decref(root);
    }
    json_decref(id);
    json_decref(answer);
    message_done(&out);
    text_done(&body);
}

/* {"KEY":["ITEM",…]MORE}, with `count` items. */
static void add_list(struct served *served, const char *kind, const char *key, const char *item, int count,
                     const char *more, struct text *log) {
    struct text params = {0};
    text_add(&params, "{\"%s\":[", key);
    for (int i = 0; i < count; i++)
        text_add(&params, "%s\"%s\"", i > 0 ? "," : "", item);
    text_add(&params, "]%s}", more);
    text_add(log, "%d items: ", count);
    add_request(served, kind, text_string(&params), log);
    text_done(&params);
}

#define TWO  "{\"players\":[\"random\",\"acteval\"]"
#define FOUR "{\"players\":[\"random\",\"acteval\",\"first\",\"uct\"]"
#define MAP(comment)                                                                                         \
    "{\"map_text\":\"SIZEX[6];SIZEY[6];TURNLIMIT[12];HPTHRESHOLD[2];UNITNUMRED[1];UNITNUMBLUE[2];AUTHOR[];"  \
    "MAPCOM[" comment "];UNIT[1,1,infantry,0,10,0];UNIT[4,4,infantry,1,10,0];UNIT[4,3,panzer,1,10,0];"       \
    "MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];MAP[0,1,1,1,1,0];MAP[0,1,1,1,1,0];MAP[0,1,1,1,1,0];"                  \
    "MAP[0,0,0,0,0,0];\"}"

static const char *const requests[][2] = {
    {"match", TWO ",\"clock\":\"\"}"},
    {"match", TWO ",\"clock\":\"turn=3\"}"},
    {"match", TWO ",\"title\":\"A match\",\"rules\":\"paper\",\"seed\":\"18446744073709551615\"}"},
    {"match", TWO ",\"games\":1,\"maps\":[\"duel\",\"duel_panzer\",\"standard\"]}"},
    {"match", TWO ",\"games\":3,\"maps\":[\"duel\",\"duel_panzer\",\"standard\"]}"},
    {"match", TWO ",\"games\":4,\"maps\":[\"duel\",\"duel_panzer\",\"standard\"]}"},
    {"match", TWO ",\"games\":null,\"maps\":null,\"seed\":null,\"clock\":null}"},
    {"match", TWO ",\"games\":100000}"},
    {"match", TWO ",\"games\":100001}"},
    {"match", TWO ",\"maps\":[\"duel\",7]}"},
    {"match", TWO ",\"maps\":\"duel\"}"},
    {"match", TWO ",\"maps\":{}}"},
    {"match", TWO ",\"title\":7}"},
    {"match", TWO ",\"format\":\"swiss\"}"},
    {"match", "{\"players\":[\"random\",\"random\"],\"game\":\"geister\"}"},
    {"match", "{\"players\":[\"random\",\"random\"],\"game\":\"kuhn\",\"maps\":[\"duel\"]}"},
    {"match", "{\"players\":[\"random\",\"random\"],\"game\":\"kuhn\",\"games\":5}"},
    {"match", "{\"players\":\"random\"}"},
    {"match", "{\"players\":[]}"},
    {"match", "{\"players\":[\"random\",null]}"},
    {"match", "{\"players\":[\"random\",{\"spec\":7}]}"},
    {"match", "{\"players\":[{\"spec\":\"random\",\"name\":\"Ann\",\"author\":\"Bob\"},\"acteval\"]}"},
    {"match", FOUR "}"},
    {"tournament", FOUR ",\"format\":\"swiss\",\"games\":10000,\"rounds\":5}"},
    {"tournament", FOUR ",\"format\":\"swiss\",\"games\":10000,\"rounds\":6}"},
    {"tournament", FOUR ",\"format\":\"swiss\",\"games\":10000}"},
    {"tournament", FOUR ",\"format\":\"swiss\",\"rounds\":-1}"},
    {"tournament", FOUR ",\"format\":\"swiss\",\"rounds\":1}"},
    {"tournament", FOUR ",\"format\":\"swiss\",\"rounds\":1001}"},
    {"tournament", FOUR ",\"format\":\"round-robin\",\"games\":10000}"},
    {"tournament", FOUR ",\"games\":10000,\"maps\":[\"duel\",\"duel_panzer\"]}"},
    {"tournament", FOUR ",\"preset\":\"swiss\"}"},
    {"tournament", FOUR ",\"preset\":\"gat-tactical\",\"title\":\"Ours\",\"clock\":\"turn=1\"}"},
    {"tournament", FOUR ",\"preset\":\"gat-tactical\",\"clock\":\"\"}"},
    {"tournament", FOUR ",\"preset\":7}"},
    {"tournament", FOUR ",\"format\":7}"},
    {"tournament", FOUR ",\"game\":7}"},
    {"tournament", FOUR ",\"rules\":7}"},
    {"tournament", FOUR ",\"clock\":7}"},
    {"tournament", FOUR ",\"nothing\":7}"},
    {"judge", "{\"map\":\"duel\"}"},
    {"judge", "{\"map\":\"duel\",\"games\":1}"},
    {"judge", "{\"map\":\"duel\",\"games\":2}"},
    {"judge", "{\"map\":\"duel\",\"games\":100000,\"min_games\":100000}"},
    {"judge", "{\"map\":\"duel\",\"games\":10000001}"},
    {"judge", "{\"map\":\"duel\",\"games\":50,\"min_games\":51}"},
    {"judge", "{\"map\":\"duel\",\"min_games\":-1}"},
    {"judge", "{\"map\":\"duel\",\"min_games\":0}"},
    {"judge", "{\"map\":\"duel\",\"tight\":0.005,\"fair\":0.001}"},
    {"judge", "{\"map\":\"duel\",\"tight\":0.5,\"fair\":0.5}"},
    {"judge", "{\"map\":\"duel\",\"tight\":0.0049}"},
    {"judge", "{\"map\":\"duel\",\"tight\":0.51}"},
    {"judge", "{\"map\":\"duel\",\"tight\":\"0.1\"}"},
    {"judge", "{\"map\":\"duel\",\"tight\":null}"},
    {"judge", "{\"map\":\"duel\",\"fair\":0.0009}"},
    {"judge", "{\"map\":\"duel\",\"fair\":0.51}"},
    {"judge", "{\"map\":\"duel\",\"rules\":\"mine\"}"},
    {"judge", "{\"map\":\"duel\",\"rules\":\"paper\"}"},
    {"judge", "{\"map\":\"duel\",\"seed\":1.5}"},
    {"judge", "{\"map\":\"duel\",\"strong\":7}"},
    {"judge", "{\"map\":\"duel\",\"strong\":\"geist\"}"},
    {"judge", "{\"map\":\"duel\",\"weak\":\"geist\"}"},
    {"judge", "{\"map\":\"duel\",\"nothing\":7}"},
    {"judge", MAP("")},
    {"judge", MAP("A")},
    {"judge", MAP(" ")},
    {"judge", MAP("Two against one.")},
    {"evolve", "{}"},
    {"evolve", "{\"preset\":\"designer\",\"options\":null,\"from\":null,\"seconds\":null}"},
    {"evolve", "{\"preset\":\"random\"}"},
    {"evolve", "{\"preset\":7}"},
    {"evolve", "{\"options\":7}"},
    {"evolve", "{\"options\":{\"preset\":\"paper\"}}"},
    {"evolve", "{\"options\":{\"strong\":\"nobody\"}}"},
    {"evolve", "{\"options\":{\"weak\":\"geist\"}}"},
    {"evolve", "{\"options\":{\"born\":\"x\"}}"},
    {"evolve", "{\"options\":{\"born\":null}}"},
    {"evolve", "{\"options\":{\"generations\":\"100000\",\"games\":\"1000\",\"born\":\"1000\",\"population\":"
               "\"1000\"}}"},
    {"evolve", "{\"seconds\":1000000000}"},
    {"evolve", "{\"seconds\":1000000001}"},
    {"evolve", "{\"seconds\":\"7\"}"},
    {"evolve", "{\"seed\":-1}"},
    {"evolve", "{\"from\":[]}"},
    {"evolve", "{\"from\":7}"},
    {"evolve", "{\"from\":[\"duel\"]}"},
    {"evolve", "{\"nothing\":7}"},
    {"repro", "{\"experiment\":\"tbs-table5\"}"},
    {"repro", "{\"experiment\":\"tbs-table5\",\"quick\":true}"},
    {"repro", "{\"experiment\":\"tbs-table5\",\"trials\":1}"},
    {"repro", "{\"experiment\":\"tbs-table5\",\"trials\":1000000}"},
    {"repro", "{\"experiment\":\"tbs-table5\",\"trials\":1000001}"},
    {"repro", "{\"experiment\":\"tbs-table5\",\"seed\":\"x\"}"},
    {"repro", "{\"experiment\":7}"},
    {"repro", "{\"experiment\":\"tbs-table55\"}"},
    {"repro", "{\"experiment\":\"tbs-table5\",\"nothing\":7}"},
    {"nothing", "{}"},
    {"match", "7"},
};

static void requests_become_jobs(void **state) {
    (void)state;
    struct text log = {0};
    struct served idle = {.idle = true};
    served_open(&idle);
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        add_request(&idle, requests[i][0], requests[i][1], &log);
    add_list(&idle, "tournament", "players", "random", 64, "", &log);
    add_list(&idle, "tournament", "players", "random", 65, "", &log);
    add_list(&idle, "match", "maps", "duel", 64, ",\"players\":[\"random\",\"first\"]", &log);
    add_list(&idle, "match", "maps", "duel", 65, ",\"players\":[\"random\",\"first\"]", &log);
    add_list(&idle, "evolve", "from", "duel", 64, "", &log);
    add_list(&idle, "evolve", "from", "duel", 65, "", &log);
    for (int count = 64; count <= 65; count++) {
        struct text params = {0};
        text_add_string(&params, "{\"options\":{\"x0\":\"1\"");
        for (int i = 1; i < count; i++)
            text_add(&params, ",\"x%d\":\"1\"", i);
        text_add_string(&params, "}}");
        add_request(&idle, "evolve", text_string(&params), &log);
        text_done(&params);
    }
    served_remove(&idle);
    expected_compare("job_requests.txt", &log);
    text_done(&log);
}

/* The amount of work is available before the first result. */
static void totals_are_known_at_once(void **state) {
    (void)state;
    static const struct known {
        const char *kind, *params;
        int total;
    } jobs[] = {
        {"match", "{\"players\":[\"random\",\"acteval\"]}", 100},
        {"match", "{\"players\":[\"random\",\"acteval\"],\"games\":11,\"maps\":[\"duel\",\"standard\"]}", 12},
        {"tournament", "{\"players\":[\"random\",\"acteval\",\"uct\"],\"games\":4}", 12},
        {"tournament", "{\"players\":[\"random\",\"acteval\",\"uct\",\"muct\"],\"format\":\"knock-out\"}", 6},
        {"judge", "{\"map\":\"duel\"}", 2000},
        {"judge", "{\"map\":\"duel\",\"games\":50}", 50},
        {"evolve",
         "{\"options\":{\"born\":\"6\",\"population\":\"4\",\"generations\":\"3\",\"games\":\"10\","
         "\"verify\":\"0\"}}",
         180},
        {"repro", "{\"experiment\":\"tbs-table5\",\"trials\":3}", 24},
    };
    struct served idle = {.idle = true};
    served_open(&idle);
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        char body[512];
        snprintf(body, sizeof body, "{\"kind\":\"%s\",\"params\":%s}", jobs[i].kind, jobs[i].params);
        json_t *info = served_ask(&idle, MESSAGE_POST, "/api/jobs", body, 201);
        const json_t *progress = json_object_get(info, "progress");
        assert_int_equal(json_integer_value(json_object_get(progress, "done")), 0);
        assert_int_equal(json_integer_value(json_object_get(progress, "total")), jobs[i].total);
        json_decref(info);
    }
    served_remove(&idle);
}

/* Two at a time, the others in their order. */
static void wait_in_line(void **state) {
    struct served *served = *state;
    char ids[3][SERVE_ID_MAX];
    for (int i = 0; i < 3; i++)
        start(served, endless_event, ids[i]);
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

static void events_report_changes(void **state) {
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
    /* A late subscriber gets the whole state and the end. */
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

/* ---- games and files ---- */

static void games_can_be_looked_at(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    json_decref(finish(served, small_match, id));
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
    /* The job can be requested again with its own description. */
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

/* Finished games can be viewed while others are played. */
static void games_while_it_runs(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], rest[64];
    start(served, endless_event, id);
    await_some(served, id);
    json_t *rows = ask(served, id, "/games?count=1000");
    assert_int_equal(json_array_size(rows), ENDLESS_GAMES);
    int number = 0;
    while (number < ENDLESS_GAMES &&
           json_is_null(json_object_get(json_array_get(rows, (size_t)number), "payoff")))
        number++;
    assert_true(number < ENDLESS_GAMES);
    snprintf(rest, sizeof rest, "/games/%d", number);
    json_decref(ask(served, id, rest));
    json_decref(rows);
}

static void files_only_by_their_names(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX], path[256];
    json_t *job = finish(served, small_match, id);
    static const char *const there[] = {"results.json", "standings.csv", "games.csv", "cross-table.html"};
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++) {
        assert_true(has_file(job, there[i]));
        snprintf(path, sizeof path, "/api/jobs/%s/files/%s", id, there[i]);
        struct message_out out = served_raw(served, MESSAGE_GET, path, NULL);
        assert_int_equal(out.status, 200);
        assert_true(out.body.size > 0);
        /* A page opens in the browser; other files are saved. */
        assert_string_equal(out.file_name, strstr(there[i], ".html") != NULL ? "" : there[i]);
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

/* Minutes may pass within one game. */
static void time_goes_on_between_steps(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    double seconds = 0;
    json_int_t done = 0;
    start(served,
          "{\"kind\":\"match\",\"params\":{\"players\":[\"uct:sims=1000000000\",\"random\"],\"maps\":["
          "\"duel\"]}}",
          id);
    while (seconds == 0) {
        pause_shortly();
        json_t *job = ask(served, id, "");
        const json_t *progress = json_object_get(job, "progress");
        seconds = json_number_value(json_object_get(progress, "seconds"));
        done = json_integer_value(json_object_get(progress, "done"));
        json_decref(job);
    }
    assert_int_equal(done, 0);
    post(served, id, "/cancel", 200);
    json_decref(await(served, id, "cancelled"));
}

/* A result also updates the progress, even when that was not published yet. */
static void no_time_is_counted_twice(void **state) {
    (void)state;
    int64_t now = INT64_C(1000000000);
    const struct clock clock = clock_manual(&now);
    struct served idle = {.idle = true, .clock = &clock};
    char id[SERVE_ID_MAX];
    served_open(&idle);
    start(&idle, small_match, id);
    struct job *job = idle.bench->jobs->items[0];
    struct job_run run = {.bench = idle.bench, .job = job, .start_ns = now, .progress = job->progress};
    job->state = JOB_RUNNING;
    run.saved_ns = now - INT64_C(10000000000); /* the first report is saved, too */
    now += INT64_C(1000000000);
    const struct job_note note = {.msg.code = "stage.final", .text = "final"};
    job_report_progress(&run, 1, 4, 1, &note);
    now += INT64_C(125000000); /* too soon for another event */
    job_report_progress(&run, 2, 4, 2, &note);
    job_publish_result(&run, json_object());
    now += INT64_C(500000000);
    json_t *answer = ask(&idle, id, "");
    const json_t *progress = json_object_get(answer, "progress");
    assert_int_equal(json_integer_value(json_object_get(progress, "done")), 2);
    assert_int_equal(lround(json_number_value(json_object_get(progress, "seconds")) * 1000), 1625);
    const json_t *message = json_object_get(progress, "note_message");
    assert_string_equal(json_string_value(json_object_get(message, "code")), "stage.final");
    char path[SERVE_PATH_MAX];
    struct text saved = {0};
    assert_true(job_path(job, "job.json", path, NULL) && file_read(path, 1 << 20, &saved, NULL));
    assert_non_null(strstr(text_string(&saved), "\"final\""));
    assert_null(strstr(text_string(&saved), "note_message")); /* the format of files has the text alone */
    text_done(&saved);
    json_decref(answer);
    job->state = JOB_QUEUED;
    served_remove(&idle);
}

static void expect_beginning(struct served *served, const char *path, const char *event) {
    struct text text = {0};
    struct message_out out = served_raw(served, MESSAGE_GET, path, NULL);
    read_all(out.stream, &text, false);
    message_done(&out);
    const char *first = strstr(text_string(&text), "event: ");
    if (first == NULL || strncmp(first, event, strlen(event)) != 0)
        fail_msg("%s begins with '%.40s'", path, first != NULL ? first : "nothing");
    text_done(&text);
}

/* A new reader begins with a snapshot, however many events came before; a long summary stays UTF-8. */
static void many_events_before_a_reader(void **state) {
    (void)state;
    int64_t now = INT64_C(1000000000);
    const struct clock clock = clock_manual(&now);
    struct served idle = {.idle = true, .clock = &clock};
    char id[SERVE_ID_MAX], path[256];
    served_open(&idle);
    start(&idle, small_match, id);
    struct job *job = idle.bench->jobs->items[0];
    struct job_run run = {.bench = idle.bench, .job = job, .start_ns = now, .progress = job->progress};
    path_of(id, "/events", path);
    expect_beginning(&idle, path, "event: job\n");
    job->state = JOB_RUNNING;
    for (int i = 0; i < 3000; i++) {
        topic_set(job->topic, "board", (uint64_t)i, "{}");
        topic_set(idle.bench->jobs->list, "progress", (uint64_t)i + 9, "{}");
        if (i % 50 == 0) {
            now += INT64_C(1000000000);
            job_report_progress(&run, i, 3000, i, NULL);
        }
    }
    expect_beginning(&idle, path, "event: job\n");
    expect_beginning(&idle, "/api/jobs/events", "event: jobs\n");
    struct text sentence = {0};
    for (int i = 0; i < 300; i++)
        text_add_string(&sentence, "あ");
    job_summarize(&run, text_string(&sentence), NULL);
    json_t *summary = json_string(job->summary);
    assert_non_null(summary);
    assert_true(json_string_length(summary) > 500);
    json_decref(summary);
    text_done(&sentence);
    job->state = JOB_QUEUED;
    served_remove(&idle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_params, open_jobs, close_jobs),
        cmocka_unit_test(wrong_players_beside_programs),
        cmocka_unit_test(requests_become_jobs),
        cmocka_unit_test(totals_are_known_at_once),
        cmocka_unit_test_setup_teardown(wait_in_line, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(events_report_changes, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(games_can_be_looked_at, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(games_while_it_runs, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(time_goes_on_between_steps, open_jobs, close_jobs),
        cmocka_unit_test(no_time_is_counted_twice),
        cmocka_unit_test(many_events_before_a_reader),
        cmocka_unit_test_setup_teardown(files_only_by_their_names, open_jobs, close_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
