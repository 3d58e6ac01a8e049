/* SPDX-License-Identifier: MIT
 *
 * Positions from every kind of source, and analyses of them: thoughts, the rest of the turn, exact results.
 */
#include "tests/bench_support.h"

#include "net/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BOARD "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u"

static json_t *post(const char *path, const char *body, int status) {
    return served_ask(&served, MESSAGE_POST, path, body, status);
}

static void refuse(const char *path, const char *body, int status, const char *field, const char *words) {
    served_fail(&served, MESSAGE_POST, path, body, status, field, words);
}

static const json_t *at(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("there is no \"%s\"", key);
    return value;
}

static const char *text_at(const json_t *object, const char *key) {
    const char *text = json_string_value(at(object, key));
    if (text == NULL)
        fail_msg("\"%s\" is no text", key);
    return text;
}

/* ---- positions ---- */

static void shows_where_games_begin(void **state) {
    (void)state;
    json_t *tbs = post("/api/positions", "{\"game\":\"tbs\",\"map\":\"duel\",\"rules\":\"paper\"}", 200);
    assert_string_equal(text_at(at(tbs, "state"), "game"), "tbs");
    assert_true(json_is_object(at(tbs, "map")));
    assert_true(json_array_size(at(at(tbs, "actions"), "units")) > 0);
    json_t *geister = post("/api/positions", "{\"game\":\"geister\"}", 200);
    assert_string_equal(text_at(at(geister, "state"), "phase"), "setup");
    assert_true(json_is_null(at(geister, "map")));
    json_t *kuhn = post("/api/positions", "{\"game\":\"kuhn\"}", 200);
    assert_string_equal(text_at(at(kuhn, "state"), "game"), "plain");
    json_decref(tbs);
    json_decref(geister);
    json_decref(kuhn);
}

static void refuses_grounds_that_are_none(void **state) {
    (void)state;
    refuse("/api/positions", "{\"game\":\"chess\"}", 400, "game", "unknown");
    refuse("/api/positions", "{\"game\":7}", 400, "game", "no text");
    refuse("/api/positions", "{\"game\":\"geister:wrong=1\"}", 400, "game", "unknown");
    refuse("/api/positions", "{\"game\":\"geister\",\"map\":\"duel\"}", 400, "map", "without maps");
    refuse("/api/positions", "{\"game\":\"tbs\",\"map\":\"nowhere\"}", 404, "map", "no map");
    refuse("/api/positions", "{\"game\":\"tbs\",\"map\":\"../maps/duel\"}", 404, "map", "no map");
    refuse("/api/positions", "{\"game\":\"tbs\",\"map\":\"/etc/passwd\"}", 404, "map", "no map");
    refuse("/api/positions", "{\"game\":\"tbs\",\"rules\":\"mine\"}", 400, "rules", "rules");
    refuse("/api/positions", "{\"game\":\"tbs\",\"map_text\":\"x\"}", 400, "map_text", "map_text");
    refuse("/api/positions", "{\"game\":\"tbs\",\"map_text\":\"{}\"}", 400, "map_text", "format");
    refuse("/api/positions", "{\"game\":\"tbs\",\"map\":\"a b\",\"map_text\":\"x\"}", 400, "map", "its name");
    refuse("/api/positions", "{\"game\":\"tbs\",\"file\":\"x\"}", 400, "file", "not known");
    refuse("/api/positions", "{\"game\":\"tbs\",\"table\":\"aaaaaaaaaaaaaaaa\",\"record\":{}}", 400, "source",
           "not several");
    refuse("/api/positions", "{\"game\":\"tbs\",\"after\":3}", 400, "after", "belongs");
    refuse("/api/positions", "{\"game\":\"tbs\",\"record\":7}", 400, "record", "expected");
}

/* As `senjutsu analyze --position` takes it: the own notation, and a server's line. */
static void reads_positions(void **state) {
    (void)state;
    const char *const lines[] = {BOARD, "MOV?" BOARD, "  MOV?" BOARD "\\r\\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char body[300];
        snprintf(body, sizeof body, "{\"game\":\"geister\",\"position\":\"%s\"}", lines[i]);
        json_t *answer = post("/api/positions", body, 200);
        assert_string_equal(text_at(at(answer, "state"), "phase"), "play");
        assert_int_equal(json_integer_value(at(at(answer, "state"), "mover")), 0);
        json_t *again = json_pack("{ss sO}", "game", "geister", "position", at(at(answer, "state"), "text"));
        char *dump = json_dumps(again, 0);
        json_t *same = post("/api/positions", dump, 200);
        assert_true(json_equal(at(answer, "state"), at(same, "state")));
        free(dump);
        json_decref(again);
        json_decref(same);
        json_decref(answer);
    }
    refuse("/api/positions", "{\"game\":\"geister\",\"position\":\"14R\"}", 400, "position", "no position");
    refuse("/api/positions", "{\"game\":\"kuhn\",\"position\":\"x\"}", 400, "position", "");
}

static void plays_on(void **state) {
    (void)state;
    const char *setups = "{\"source\":{\"game\":\"geister\"},\"actions\":[\"ABCD\",\"EFGH\",\"AN\"]}";
    json_t *answer = post("/api/positions/play", setups, 200);
    const json_t *steps = at(answer, "steps");
    assert_int_equal(json_array_size(steps), 3);
    assert_string_equal(text_at(at(json_array_get(steps, 0), "did"), "reds"), "ABCD");
    assert_int_equal(json_integer_value(at(json_array_get(steps, 2), "ply")), 3);
    assert_true(json_equal(at(json_array_get(steps, 2), "state"), at(answer, "state")));
    assert_int_equal(json_integer_value(at(at(answer, "state"), "mover")), 1);
    json_decref(answer);
    refuse("/api/positions/play", "{\"source\":{\"game\":\"geister\"},\"actions\":[\"ABCD\",\"AN\"]}", 400,
           "actions", "action 2");
    refuse("/api/positions/play", "{\"source\":{\"game\":\"geister\"},\"actions\":[7]}", 400, "actions",
           "no text");
    refuse("/api/positions/play", "{\"source\":{\"game\":\"geister\"},\"actions\":7}", 400, "actions",
           "list");
    refuse("/api/positions/play", "{\"actions\":[]}", 400, "source", "expected");
    refuse("/api/positions/play",
           "{\"source\":{\"game\":\"geister\",\"position\":\"" BOARD "\"},\"actions\":[\"AN\"]}", 400,
           "source", "unknown");
}

#define RECORD                                                                                               \
    "{\"format\":\"senjutsu-record\",\"version\":1,\"game\":\"geister\",\"options\":\"\",\"players\":"       \
    "[\"a\",\"b\"],\"date\":\"\",\"seed\":1,\"actions\":[\"ABCD\",\"EFGH\",\"AN\"],\"milliseconds\":"        \
    "[1,1,1],\"result\":\"none\",\"comment\":\"\"}"

static void reads_records(void **state) {
    (void)state;
    json_t *all = post("/api/positions", "{\"game\":\"geister\",\"record\":" RECORD "}", 200);
    json_t *earlier = post("/api/positions", "{\"game\":\"geister\",\"record\":" RECORD ",\"after\":2}", 200);
    assert_int_equal(json_integer_value(at(at(all, "state"), "ply")), 1);
    assert_int_equal(json_integer_value(at(at(earlier, "state"), "ply")), 0);
    json_t *text = json_pack("{ss ss}", "game", "geister", "record", RECORD);
    char *dump = json_dumps(text, 0);
    json_t *same = post("/api/positions", dump, 200);
    assert_true(json_equal(all, same));
    free(dump);
    json_decref(text);
    json_decref(all);
    json_decref(earlier);
    json_decref(same);
    refuse("/api/positions", "{\"game\":\"geister\",\"record\":" RECORD ",\"after\":4}", 400, "after",
           "not 4");
    refuse("/api/positions", "{\"game\":\"geister\",\"record\":{}}", 400, "record", "format");
    refuse("/api/positions", "{\"game\":\"geister\",\"record\":\"\"}", 400, "record", "empty");
}

/* A message that quotes the request may be cut anywhere: the answer is valid JSON. */
static void quotes_cut_text(void **state) {
    (void)state;
    for (int blanks = 0; blanks < 4; blanks++) {
        struct text body = {0};
        text_add(&body, "{\"game\":\"geister\",\"position\":\"%.*s", blanks, "xxxx");
        for (int i = 0; i < 300; i++)
            text_add_string(&body, "あ");
        text_add_string(&body, "\"}");
        refuse("/api/positions", text_string(&body), 400, "position", "no position");
        text_done(&body);
    }
}

/* ---- positions of live games ---- */

struct made_table {
    char id[40], keys[2][40];
};

static void make_table(const char *body, struct made_table *out) {
    json_t *made = post("/api/tables", body, 201);
    snprintf(out->id, sizeof out->id, "%s", text_at(made, "id"));
    for (size_t i = 0; i < 2; i++)
        snprintf(out->keys[i], sizeof out->keys[i], "%s",
                 json_string_value(json_array_get(at(made, "keys"), i)));
    json_decref(made);
}

/* The body of a request about a live game's position; valid until the next call. */
static const char *about_table(const char *before, const struct made_table *table, const char *key,
                               const char *after) {
    static char body[400];
    snprintf(body, sizeof body, "%s{\"game\":\"geister\",\"table\":\"%s\"%s%s%s}%s", before, table->id,
             key != NULL ? ",\"key\":\"" : "", key != NULL ? key : "", key != NULL ? "\"" : "", after);
    return body;
}

/* Only the side to move may analyse, and the analysis shows what that side sees. */
static void hides_the_secrets_of_live_games(void **state) {
    (void)state;
    struct made_table table;
    make_table("{\"game\":\"geister\",\"position\":\"board=14R24R34R44R15B25B35B45B41b31b21b11b40r30r20r10r "
               "mover=first ply=0 from=- moves=-\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"human\"}]}",
               &table);
    refuse("/api/positions", about_table("", &table, NULL, ""), 403, "key", "hidden");
    refuse("/api/positions", about_table("", &table, table.keys[1], ""), 403, "key", "hidden");
    refuse("/api/positions", about_table("", &table, "wrong", ""), 403, "key", "not a key");
    json_t *seen = post("/api/positions", about_table("", &table, table.keys[0], ""), 200);
    size_t i;
    const json_t *piece;
    json_array_foreach(at(at(seen, "state"), "pieces"), i, piece) {
        const bool own = json_integer_value(at(piece, "side")) == 0;
        assert_true((strcmp(text_at(piece, "colour"), "unknown") == 0) == !own);
    }
    refuse("/api/analyses", about_table("{\"source\":", &table, table.keys[1], ",\"player\":\"guess\"}"), 403,
           "key", "hidden");
    json_t *made = post("/api/analyses",
                        about_table("{\"source\":", &table, table.keys[0], ",\"player\":\"guess\"}"), 201);
    char path[100];
    snprintf(path, sizeof path, "/api/analyses/%s", text_at(made, "id"));
    json_t *analysis = served_wait(&served, path);
    assert_true(json_equal(at(analysis, "position"), at(seen, "state")));
    assert_true(json_is_string(at(analysis, "chosen")));
    assert_int_equal(json_array_size(at(analysis, "turn")), 0);
    refuse("/api/positions", "{\"game\":\"geister\",\"table\":\"aaaaaaaaaaaaaaaa\"}", 404, NULL, "");
    json_decref(seen);
    json_decref(made);
    json_decref(analysis);
}

/* ---- analyses ---- */

/* Asks for one and waits for its end. */
static json_t *analyse(const char *body) {
    json_t *made = post("/api/analyses", body, 201);
    char path[100];
    snprintf(path, sizeof path, "/api/analyses/%s", text_at(made, "id"));
    json_t *analysis = served_wait(&served, path);
    assert_non_null(analysis);
    json_decref(made);
    return analysis;
}

/* All candidates of a map that has more than a hundred. */
static void lists_all_candidates(void **state) {
    (void)state;
    json_t *a = analyse("{\"source\":{\"game\":\"tbs\",\"map\":\"bridge\"},\"player\":\"uct:sims=3000\","
                        "\"top\":4096}");
    const json_t *thoughts = at(a, "thoughts");
    const size_t count = json_array_size(at(thoughts, "candidates"));
    assert_true(count > 100);
    assert_int_equal(count, json_integer_value(at(thoughts, "total")));
    json_decref(a);
}

/* The same answer as of `senjutsu analyze`: the whole turn, which can be played. */
static void thinks(void **state) {
    (void)state;
    json_t *a = analyse("{\"source\":{\"game\":\"tbs\",\"map\":\"standard\"},\"kind\":\"think\","
                        "\"player\":\"uct:sims=600\",\"top\":3}");
    assert_string_equal(text_at(a, "state"), "done");
    assert_string_equal(text_at(a, "error"), "");
    const json_t *thoughts = at(a, "thoughts"), *turn = at(a, "turn");
    assert_int_equal(json_array_size(at(thoughts, "candidates")), 3);
    assert_string_equal(text_at(thoughts, "player"), "uct:sims=600");
    assert_true(json_array_size(turn) > 1);
    assert_string_equal(text_at(json_array_get(turn, 0), "action"), text_at(a, "chosen"));
    json_t *actions = json_array();
    size_t i;
    const json_t *step;
    json_array_foreach(turn, i, step) {
        json_array_append(actions, json_object_get(step, "action"));
    }
    json_t *body = json_pack("{s{ss ss} so}", "source", "game", "tbs", "map", "standard", "actions", actions);
    char *dump = json_dumps(body, 0);
    json_t *played = post("/api/positions/play", dump, 200);
    assert_true(
        json_equal(at(json_array_get(turn, json_array_size(turn) - 1), "state"), at(played, "state")));
    assert_int_equal(json_integer_value(at(at(played, "state"), "mover")), 1);
    free(dump);
    json_decref(body);
    json_decref(played);
    json_decref(a);
}

static void gives_the_same_again(void **state) {
    (void)state;
    const char *body = "{\"source\":{\"game\":\"tbs\",\"map\":\"duel\"},\"player\":\"uct\",\"sims\":200,"
                       "\"seed\":\"12345678901234567890\"}";
    json_t *one = analyse(body), *two = analyse(body);
    assert_string_equal(text_at(one, "chosen"), text_at(two, "chosen"));
    assert_true(json_equal(at(at(one, "thoughts"), "candidates"), at(at(two, "thoughts"), "candidates")));
    json_decref(one);
    json_decref(two);
}

/* The answer shows nothing that is hidden from the side to move; an action with a hidden result is not played
 * out. */
static void thinks_about_what_is_hidden(void **state) {
    (void)state;
    json_t *a = analyse("{\"source\":{\"game\":\"geister\",\"position\":\"" BOARD "\"},\"kind\":\"think\","
                        "\"player\":\"purple:depth=2\"}");
    assert_string_equal(text_at(a, "state"), "done");
    assert_int_equal(json_array_size(at(a, "turn")), 0);
    assert_true(json_is_string(at(a, "chosen")));
    json_decref(a);
    a = analyse("{\"source\":{\"game\":\"geister\",\"record\":" RECORD "},\"player\":\"guess\"}");
    assert_string_equal(text_at(a, "state"), "done");
    size_t i;
    const json_t *piece;
    json_array_foreach(at(at(a, "position"), "pieces"), i, piece) {
        const bool own = json_integer_value(at(piece, "side")) == 1;
        assert_true((strcmp(text_at(piece, "colour"), "unknown") == 0) == !own);
    }
    const json_t *state_after = at(json_array_get(at(a, "turn"), 0), "state");
    json_array_foreach(at(state_after, "pieces"), i, piece) {
        if (json_integer_value(at(piece, "side")) == 0)
            assert_string_equal(text_at(piece, "colour"), "unknown");
    }
    json_decref(a);
}

static void solves(void **state) {
    (void)state;
    json_t *a = analyse("{\"source\":{\"game\":\"tbs\",\"map\":\"duel\"},\"kind\":\"solve\"}");
    assert_string_equal(text_at(a, "state"), "done");
    const json_t *solution = at(a, "solution");
    assert_true(json_is_true(at(solution, "solved")));
    assert_true(json_is_string(at(solution, "value")));
    assert_true(json_array_size(at(solution, "line")) > 0);
    assert_true(json_is_null(at(a, "chosen")));
    json_decref(a);
    a = analyse("{\"source\":{\"game\":\"tbs\",\"map\":\"standard\"},\"kind\":\"solve\",\"sims\":300}");
    assert_string_equal(text_at(a, "state"), "done");
    assert_true(json_is_false(at(at(a, "solution"), "solved")));
    assert_true(json_is_null(at(at(a, "solution"), "value")));
    json_decref(a);
}

static void refuses_what_cannot_be_asked(void **state) {
    (void)state;
    const char *const path = "/api/analyses";
    refuse(path, "{}", 400, "source", "expected");
    refuse(path, "{\"source\":{\"game\":\"tbs\"},\"kind\":\"guess\"}", 400, "kind", "expected");
    refuse(path, "{\"source\":{\"game\":\"geister\"},\"kind\":\"solve\"}", 400, "kind", "hidden");
    refuse(path, "{\"source\":{\"game\":\"tbs\"},\"player\":\"ext:cmd=true\"}", 400, "player", "not allowed");
    refuse(path, "{\"source\":{\"game\":\"tbs\"},\"top\":4097}", 400, "top", "from 1 to 4096");
    refuse(path, "{\"source\":{\"game\":\"tbs\"},\"time_ms\":-1}", 400, "time_ms", "expected");
    refuse(path, "{\"source\":{\"game\":\"tbs\"},\"sims\":1.5}", 400, "sims", "expected");
    refuse(path, "{\"source\":{\"game\":\"tbs\"},\"quick\":true}", 400, "quick", "not known");
    refuse(path, "{\"source\":{\"game\":\"geister\",\"record\":" RECORD ",\"position\":\"x\"}}", 400,
           "source", "not several");
    served_fail(&served, MESSAGE_GET, "/api/analyses/nobody", NULL, 404, NULL, "no analysis");
    served_fail(&served, MESSAGE_GET, "/api/analyses/nobody/events", NULL, 404, NULL, "no analysis");
    served_fail(&served, MESSAGE_DELETE, "/api/analyses/nobody", NULL, 404, NULL, "no analysis");
}

/* The valid options of a player depend on the game: invalid ones are refused at once, as for a live game. */
static void refuses_players_that_cannot_play(void **state) {
    (void)state;
    const char *const path = "/api/analyses";
    refuse(path, "{\"source\":{\"game\":\"tbs\"},\"player\":\"geist\"}", 400, "player", "plays only Geister");
    refuse(path, "{\"source\":{\"game\":\"tbs\"},\"player\":\"minmax:eval=best\"}", 400, "player",
           "eval=best is unknown; tbs has linear, threat");
    refuse(path, "{\"source\":{\"game\":\"geister\"},\"player\":\"uct\"}", 400, "player", "hidden");
}

#define ENDLESS                                                                                              \
    "{\"source\":{\"game\":\"tbs\",\"map\":\"standard\"},\"player\":\"uct:memory=1\",\"time_ms\":3600000}"

/* Too many analyses are refused; stopped ones make room, and their partial results stay available. */
static void stops_and_has_limits(void **state) {
    (void)state;
    char paths[8][100];
    for (int i = 0; i < 8; i++) {
        json_t *made = post("/api/analyses", ENDLESS, 201);
        snprintf(paths[i], sizeof paths[i], "/api/analyses/%s", text_at(made, "id"));
        json_decref(made);
    }
    refuse("/api/analyses", ENDLESS, 429, NULL, "limit");
    for (int i = 0; i < 8; i++)
        served_ask(&served, MESSAGE_DELETE, paths[i], NULL, 204);
    for (int i = 0; i < 8; i++) {
        json_t *a = served_wait(&served, paths[i]);
        assert_string_equal(text_at(a, "state"), "stopped");
        assert_int_equal(json_array_size(at(a, "turn")), 0);
        json_decref(a);
    }
    served_ask(&served, MESSAGE_DELETE, paths[0], NULL, 204); /* again does no harm */
    json_decref(analyse("{\"source\":{\"game\":\"tbs\",\"map\":\"duel\"},\"player\":\"acteval\"}"));
}

/* All of a stream that has ended. */
static void read_all(struct topic *topic, struct text *out) {
    struct topic_reader reader = {0};
    char bytes[4096];
    topic_reader_start(&reader, topic, 0);
    for (long size; (size = topic_read(&reader, bytes, sizeof bytes)) >= 0;) {
        assert_true(size > 0);
        text_add_bytes(out, bytes, (size_t)size);
    }
    topic_reader_done(&reader);
}

/* A reader that joins late receives the final result, complete. */
static void streams(void **state) {
    (void)state;
    json_t *made = post("/api/analyses", "{\"source\":{\"game\":\"tbs\",\"map\":\"duel\"},\"sims\":50}", 201);
    char path[100], events[120];
    snprintf(path, sizeof path, "/api/analyses/%s", text_at(made, "id"));
    snprintf(events, sizeof events, "%s/events", path);
    json_decref(served_wait(&served, path));
    struct message_out out = served_raw(&served, MESSAGE_GET, events, NULL);
    assert_int_equal(out.status, 200);
    assert_non_null(out.stream);
    struct text stream = {0};
    read_all(out.stream, &stream);
    assert_non_null(strstr(text_string(&stream), "event: analysis\n"));
    assert_non_null(strstr(text_string(&stream), "\"state\":\"done\""));
    assert_non_null(strstr(text_string(&stream), "event: end\n"));
    assert_null(strstr(text_string(&stream), "\"state\":\"running\""));
    text_done(&stream);
    message_done(&out);
    json_decref(made);
}

/* The newest 64 finished analyses are stored. */
static void forgets_old_ones(void **state) {
    (void)state;
    char first[100] = "", last[100] = "";
    for (int i = 0; i < 66; i++) {
        json_t *a = analyse("{\"source\":{\"game\":\"tbs\",\"map\":\"duel\"},\"player\":\"random\"}");
        snprintf(i == 0 ? first : last, 100, "/api/analyses/%s", text_at(a, "id"));
        json_decref(a);
    }
    served_fail(&served, MESSAGE_GET, first, NULL, 404, NULL, "any more");
    json_decref(served_ask(&served, MESSAGE_GET, last, NULL, 200));
}

/* Closing stops running analyses; in an idle workbench no thread runs. */
static void closes_while_thinking(void **state) {
    (void)state;
    struct served other = {0}, idle = {.idle = true};
    served_open(&other);
    json_decref(served_ask(&other, MESSAGE_POST, "/api/analyses", ENDLESS, 201));
    served_remove(&other);
    served_open(&idle);
    json_t *made = served_ask(&idle, MESSAGE_POST, "/api/analyses", ENDLESS, 201);
    char path[100];
    snprintf(path, sizeof path, "/api/analyses/%s", text_at(made, "id"));
    json_t *a = served_ask(&idle, MESSAGE_GET, path, NULL, 200);
    assert_string_equal(text_at(a, "state"), "running");
    json_decref(a);
    served_ask(&idle, MESSAGE_DELETE, path, NULL, 204);
    a = served_ask(&idle, MESSAGE_GET, path, NULL, 200);
    assert_string_equal(text_at(a, "state"), "stopped");
    json_decref(a);
    json_decref(made);
    served_remove(&idle);
}

/* The error of an analysis that fails. */
static void expect_failure(struct served *open, const char *source, const char *player, const char *error) {
    char path[100], body[600];
    snprintf(body, sizeof body, "{\"source\":%s,\"player\":\"%s\"}", source, player);
    json_t *made = served_ask(open, MESSAGE_POST, "/api/analyses", body, 201);
    snprintf(path, sizeof path, "/api/analyses/%s", text_at(made, "id"));
    json_t *a = served_wait(open, path);
    assert_string_equal(text_at(a, "state"), "failed");
    assert_int_equal(strncmp(text_at(a, "error"), error, strlen(error)), 0);
    assert_true(strlen(text_at(a, "error")) > strlen(player) + 5);
    assert_true(json_is_null(at(a, "chosen")));
    assert_int_equal(json_array_size(at(a, "turn")), 0);
    json_decref(a);
    json_decref(made);
}

/* A program that ends at once fails, with its name and a reason. A position without a history is not for
 * programs. */
static void fails_with_a_program(void **state) {
    (void)state;
    struct served open = {.programs = true};
    served_open(&open);
    expect_failure(&open, "{\"map\":\"duel\"}", "ext:cmd=false", "ext:cmd=false: ");
    json_t *start = served_ask(&open, MESSAGE_POST, "/api/positions", "{\"map\":\"duel\"}", 200);
    json_t *source = json_pack("{ss sO}", "map", "duel", "position", at(at(start, "state"), "text"));
    char *dump = json_dumps(source, JSON_COMPACT);
    expect_failure(&open, dump, "ext:cmd=false",
                   "ext:cmd=false: an external player needs the game from its beginning");
    free(dump);
    json_decref(source);
    json_decref(start);
    json_t *players = served_ask(&open, MESSAGE_GET, "/api/players", NULL, 200), *player;
    size_t i, found = 0;
    json_array_foreach(players, i, player) {
        if (strcmp(text_at(player, "name"), "ext") == 0)
            found = json_array_size(at(player, "games"));
    }
    assert_true(found > 3);
    json_decref(players);
    served_remove(&open);
}

/* The greatest values are accepted; 64 analyses that were stopped before their start are stored. */
static void limits_of_requests(void **state) {
    (void)state;
    struct served idle = {.idle = true};
    char paths[66][100];
    served_open(&idle);
    for (int i = 0; i < 66; i++) {
        json_t *made = served_ask(&idle, MESSAGE_POST, "/api/analyses",
                                  "{\"source\":{\"map\":\"duel\"},\"player\":\"uct\",\"sims\":1000000000,"
                                  "\"time_ms\":3600000,\"top\":4096}",
                                  201);
        snprintf(paths[i], sizeof paths[i], "/api/analyses/%s", text_at(made, "id"));
        json_decref(made);
        served_ask(&idle, MESSAGE_DELETE, paths[i], NULL, 204);
    }
    served_fail(&idle, MESSAGE_GET, paths[0], NULL, 404, NULL, "any more");
    served_fail(&idle, MESSAGE_GET, paths[1], NULL, 404, NULL, "any more");
    for (int i = 2; i < 66; i++)
        json_decref(served_ask(&idle, MESSAGE_GET, paths[i], NULL, 200));
    served_remove(&idle);
}

/* As many actions as may be played at once, and one more. */
static void limits_of_actions(void **state) {
    (void)state;
    for (int count = 512; count <= 513; count++) {
        struct text body = {0};
        text_add_string(&body, "{\"source\":{\"map\":\"duel\"},\"actions\":[\"pass\"");
        for (int i = 1; i < count; i++)
            text_add_string(&body, ",\"pass\"");
        text_add_string(&body, "]}");
        refuse("/api/positions/play", text_string(&body), 400, "actions",
               count <= 512 ? "action 17: the game is over" : "a list of at most 512 actions");
        text_done(&body);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_where_games_begin),
        cmocka_unit_test(refuses_grounds_that_are_none),
        cmocka_unit_test(reads_positions),
        cmocka_unit_test(plays_on),
        cmocka_unit_test(reads_records),
        cmocka_unit_test(quotes_cut_text),
        cmocka_unit_test(hides_the_secrets_of_live_games),
        cmocka_unit_test(lists_all_candidates),
        cmocka_unit_test(thinks),
        cmocka_unit_test(gives_the_same_again),
        cmocka_unit_test(thinks_about_what_is_hidden),
        cmocka_unit_test(solves),
        cmocka_unit_test(refuses_what_cannot_be_asked),
        cmocka_unit_test(refuses_players_that_cannot_play),
        cmocka_unit_test(stops_and_has_limits),
        cmocka_unit_test(streams),
        cmocka_unit_test(forgets_old_ones),
        cmocka_unit_test(closes_while_thinking),
        cmocka_unit_test(fails_with_a_program),
        cmocka_unit_test(limits_of_requests),
        cmocka_unit_test(limits_of_actions),
    };
    return cmocka_run_group_tests(tests, open_busy, close_it);
}
