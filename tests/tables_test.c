/* SPDX-License-Identifier: MIT
 *
 * Games of people at tables, asked as a page asks them: making them, playing, taking back, clocks, restarts
 * and limits. Players are in tables_players_test.c, what hidden games tell in tables_hidden_test.c.
 */
#include "tests/follow_support.h"
#include "tests/seated_support.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* ---- making tables ---- */

static void refuse(const char *body, const char *field, const char *words) {
    served_fail(&served, MESSAGE_POST, "/api/tables", body, 400, field, words);
}

static void test_refused(void **unused) {
    (void)unused;
    refuse("{\"seats\":[]}", "seats", "two objects");
    refuse("{}", "seats", "two objects");
    refuse("{\"speed\":1}", "speed", "not known here");
    refuse("{" TWO_PEOPLE ",\"clock\":\"turn=x\"}", "clock", "turn");
    refuse("{" TWO_PEOPLE ",\"clock\":\"byoyomi=5\"}", "clock", "game=SECONDS");
    refuse("{" TWO_PEOPLE ",\"seed\":-1}", "seed", "");
    refuse("{" TWO_PEOPLE ",\"game\":\"chess\"}", "game", "chess");
    refuse("{" PLAYERS("nobody", "uct") "}", "seats", "nobody");
    refuse("{" PLAYERS("geist", "uct") "}", "seats", "geist");
    refuse("{" PLAYERS("ext:cmd=/bin/true", "uct") "}", "seats", "program");
    refuse("{\"seats\":[{\"kind\":\"cat\"},{\"kind\":\"human\"}]}", "seats", "expected \"human\"");
    refuse("{\"seats\":[{\"kind\":\"human\",\"spec\":\"uct\"},{\"kind\":\"human\"}]}", "seats",
           "no \"spec\"");
    refuse("{\"seats\":[{\"kind\":\"human\",\"age\":3},{\"kind\":\"human\"}]}", "age", "not known");
    refuse("{" TWO_PEOPLE ",\"position\":\"nonsense\"}", "position", "");
    refuse("{\"game\":\"geister\"," TWO_PEOPLE
           ",\"position\":\"board=14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u mover=first ply=0 from=- "
           "moves=-\"}",
           "position", "not known");
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

static void test_made(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    json_t *table = look(&game, "");
    assert_string_equal(text_at(table, "id"), game.id);
    assert_string_equal(text_at(at(table, "ground"), "map"), "duel");
    assert_string_equal(text_at(at(table, "ground"), "game"), "tbs");
    assert_string_equal(text_at(table, "result"), "none");
    assert_true(json_is_null(at(table, "actions")));
    assert_int_equal(json_array_size(at(table, "you")), 0);
    const json_t *seat = json_array_get(at(table, "seats"), 0);
    check_members(seat, "kind name spec");
    assert_string_equal(text_at(seat, "name"), "Ann");
    check_members(at(table, "clocks"), "limits left_ms running");
    assert_true(is_true(table, "sees_all"));
    json_decref(table);
    table = look(&game, game.keys[0]);
    assert_string_equal(text_at(at(table, "actions"), "game"), "tbs");
    assert_int_equal(json_integer_value(json_array_get(at(table, "you"), 0)), 0);
    json_decref(table);
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 1);
    check_members(json_array_get(list, 0), "id ground seats ply mover over result created");
    json_decref(list);
}

/* ---- people ---- */

static void test_people(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    post_to(&game, "action", 403, "{\"key\":\"wrong\",\"ply\":0,\"action\":\"pass\"}");
    post_to(&game, "action", 403, "{\"ply\":0,\"action\":\"pass\"}");
    post_to(&game, "action", 409, "{\"key\":\"%s\",\"ply\":0,\"action\":\"pass\"}", game.keys[1]);
    post_to(&game, "action", 409, "{\"key\":\"%s\",\"ply\":1,\"action\":\"pass\"}", game.keys[0]);
    post_to(&game, "action", 400, "{\"key\":\"%s\",\"action\":\"pass\"}", game.keys[0]);
    post_to(&game, "action", 400, "{\"key\":\"%s\",\"ply\":0,\"action\":\"0:9,9\"}", game.keys[0]);
    post_to(&game, "action", 400, "{\"key\":\"%s\",\"ply\":0,\"action\":7}", game.keys[0]);
    assert_int_equal(ply_of(&game), 0);
    act(&game, 0, 0, "1:2,3x2");
    post_to(&game, "action", 409, "{\"key\":\"%s\",\"ply\":0,\"action\":\"pass\"}", game.keys[0]);
    json_t *table = look(&game, game.keys[1]);
    const json_t *step = json_array_get(at(table, "steps"), 0);
    check_members(step, STEP_MEMBERS);
    assert_int_equal(number_at(step, "ply"), 1);
    assert_string_equal(text_at(step, "action"), "1:2,3x2");
    assert_true(json_is_null(at(step, "thoughts")));
    assert_true(json_is_null(at(table, "actions")));
    json_decref(table);
    served_fail(&served, MESSAGE_GET, "/api/tables/abcdefghijklmnop", NULL, 404, NULL, "no table");
    served_fail(&served, MESSAGE_GET, "/api/tables/..%2f..", NULL, 404, NULL, "no table");
}

/* Within the turn the last action is taken back, and no more than the turn's. */
static void test_undo(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    assert_false(may(&game, game.keys[0], "undo"));
    post_to(&game, "undo", 409, "{\"key\":\"%s\"}", game.keys[0]);
    act(&game, 0, 0, "1:2,3x2");
    assert_true(may(&game, game.keys[0], "undo"));
    assert_false(may(&game, game.keys[1], "undo"));
    post_to(&game, "undo", 409, "{\"key\":\"%s\"}", game.keys[1]);
    post_to(&game, "undo", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *table = look(&game, "");
    assert_int_equal(number_at(table, "ply"), 0);
    assert_int_equal(json_array_size(at(table, "steps")), 0);
    assert_true(json_equal(at(table, "start"), at(table, "state")));
    json_decref(table);
    act(&game, 0, 0, "pass");
    assert_false(may(&game, game.keys[0], "undo"));
    assert_true(may(&game, game.keys[0], "take_back"));
    post_to(&game, "undo", 409, "{\"key\":\"%s\"}", game.keys[0]);
}

static json_t *offer_of(const struct game_at *game) {
    json_t *table = look(game, "");
    json_t *offer = json_incref(json_object_get(table, "offer"));
    json_decref(table);
    return offer;
}

static void test_offers(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    post_to(&game, "take-back", 409, "{\"key\":\"%s\"}", game.keys[0]);
    act(&game, 0, 0, "1:2,3x2");
    act(&game, 0, 1, "pass");
    post_to(&game, "answer", 409, "{\"key\":\"%s\",\"accept\":true}", game.keys[1]);
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *offer = offer_of(&game);
    assert_true(json_is_integer(offer));
    json_decref(offer);
    assert_int_equal(ply_of(&game), 2);
    post_to(&game, "answer", 409, "{\"key\":\"%s\",\"accept\":true}", game.keys[0]);
    post_to(&game, "answer", 400, "{\"key\":\"%s\",\"accept\":1}", game.keys[1]);
    post_to(&game, "answer", 200, "{\"key\":\"%s\",\"accept\":false}", game.keys[1]);
    offer = offer_of(&game);
    assert_true(json_is_null(offer));
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    act(&game, 1, 2, "pass"); /* who goes on has answered */
    offer = offer_of(&game);
    assert_true(json_is_null(offer));
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[1]);
    post_to(&game, "answer", 200, "{\"key\":\"%s\",\"accept\":true}", game.keys[0]);
    assert_int_equal(ply_of(&game), 2);
    post_to(&game, "take-back", 200, "{\"key\":\"%s,%s\"}", game.keys[0],
            game.keys[1]); /* who has both seats */
    assert_int_equal(ply_of(&game), 0);
}

static void test_resign(void **unused) {
    (void)unused;
    struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "blue resignation");
    assert_int_equal(number_at(table, "ply"), 1); /* an action of the game's own */
    json_decref(table);
    post_to(&game, "resign", 409, "{\"key\":\"%s\"}", game.keys[1]);
    game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[1]); /* out of turn */
    table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "red resignation");
    assert_string_equal(text_at(table, "comment"), "blue resigns");
    assert_true(is_true(table, "over"));
    assert_true(is_true(at(table, "state"), "over"));
    assert_int_equal(json_integer_value(json_array_get(at(at(table, "state"), "payoff"), 0)), 1);
    assert_true(json_is_null(at(table, "mover")));
    json_decref(table);
}

/* ---- clocks ---- */

static int left_of(const struct game_at *game, size_t side) {
    json_t *table = look(game, "");
    const int left = (int)json_integer_value(json_array_get(at(at(table, "clocks"), "left_ms"), side));
    json_decref(table);
    return left;
}

static void test_clocks(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"turn=10\"," TWO_PEOPLE "}");
    assert_int_equal(left_of(&game, 0), 10000);
    now_ns += INT64_C(4000000000);
    assert_int_equal(left_of(&game, 0), 6000);
    assert_int_equal(left_of(&game, 1), 10000);
    act(&game, 0, 0, "1:2,3x2");
    assert_int_equal(left_of(&game, 0), 6000); /* the turn goes on */
    now_ns += INT64_C(1000000000);
    post_to(&game, "undo", 200, "{\"key\":\"%s\"}", game.keys[0]);
    assert_int_equal(left_of(&game, 0), 5000); /* time does not come back */
    act(&game, 0, 0, "pass");
    assert_int_equal(left_of(&game, 0), 10000);
    now_ns += INT64_C(10050000000); /* within the grace */
    act(&game, 1, 1, "pass");
    now_ns += INT64_C(10200000000);
    post_to(&game, "action", 409, "{\"key\":\"%s\",\"ply\":2,\"action\":\"pass\"}", game.keys[0]);
    json_t *table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "blue late");
    assert_non_null(strstr(text_at(table, "comment"), "red forfeits: late, after 10.20 s"));
    assert_true(json_is_null(at(at(table, "clocks"), "running")));
    json_decref(table);
}

/* Nobody comes to look, and the clock is over all the same. */
static void test_clock_runs_out(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"turn=0.05,grace=0\"," TWO_PEOPLE "}");
    struct follower follower;
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/events", game.id);
    follow(&follower, &served, path);
    for (int i = 0; i < 5000 && !follower.has_ended; i++) {
        nap();
        follow_more(&follower);
    }
    assert_true(follower.has_ended);
    json_t *last = followed(&follower, "table", -1);
    assert_string_equal(text_at(last, "result"), "blue late");
    json_decref(last);
    follow_done(&follower);
}

/* ---- restarts ---- */

static void write_file(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/tables/%s", served.data, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The table's own file with one member changed, under another id. */
static void write_changed(const char *id, const char *other, const char *key, const char *value) {
    char path[200], name[40];
    snprintf(path, sizeof path, "%s/tables/%s.json", served.data, id);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    json_object_set_new(root, "id", json_string(other));
    json_object_set_new(root, key, json_loads(value, JSON_DECODE_ANY, NULL));
    char *text = json_dumps(root, JSON_COMPACT);
    snprintf(name, sizeof name, "%s.json", other);
    write_file(name, text);
    free(text);
    json_decref(root);
}

static void test_restart_people(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"game=100\"," TWO_PEOPLE "}");
    now_ns += INT64_C(30000000000);
    act(&game, 0, 0, "1:2,3x2");
    act(&game, 0, 1, "pass");
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *before = look(&game, game.keys[1]);
    restart();
    json_t *after = look(&game, game.keys[1]);
    assert_true(json_equal(before, after));
    assert_int_equal(left_of(&game, 0), 70000);
    json_decref(before);
    json_decref(after);
    post_to(&game, "answer", 200, "{\"key\":\"%s\",\"accept\":true}", game.keys[1]);
    act(&game, 0, 0, "pass");
    now_ns += INT64_C(200000000000);
    json_decref(look(&game, ""));
    restart();
    json_t *over = look(&game, "");
    assert_string_equal(text_at(over, "result"), "red late");
    assert_true(is_true(over, "over"));
    json_decref(over);
}

/* What is not a table's file is left alone, and nothing else is read. */
static void test_strange_files(void **unused) {
    static const char *const texts[] = {"", "{", "[]", "{\"format\":\"senjutsu-table\",\"version\":1}"};
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char name[40];
        snprintf(name, sizeof name, "strange%zu.json", i);
        write_file(name, texts[i]);
    }
    char pipe[200];
    snprintf(pipe, sizeof pipe, "%s/tables/aaaaaaaaaaaaaaaa.json", served.data);
    assert_int_equal(mkfifo(pipe, 0600), 0); /* nobody waits for who might write into it */
    write_changed(game.id, "bbbbbbbbbbbbbbbb", "number", "-1");
    write_changed(game.id, "cccccccccccccccc", "number", "9223372036854775807");
    write_changed(game.id, "dddddddddddddddd", "game_left", "[-9223372036854775808,9223372036854775807]");
    write_changed(game.id, "eeeeeeeeeeeeeeee", "turn_used", "[9223372036854775807,0]");
    static const char *const wrong[][2] = {{"forfeiter", "2"}, {"forfeiter", "-2"}, {"fault", "-1"},
                                           {"fault", "99"},    {"offer", "2"},      {"offer", "-2"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char id[] = "ffffffffffffffff";
        id[0] = (char)('f' + (int)i);
        write_changed(game.id, id, wrong[i][0], wrong[i][1]);
    }
    restart();
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text_at(json_array_get(list, 0), "id"), game.id);
    json_decref(list);
}

/* ---- positions, limits ---- */

static void test_position(void **unused) {
    (void)unused;
    struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    act(&game, 0, 0, "1:2,3x2");
    act(&game, 0, 1, "pass");
    json_t *table = look(&game, ""),
           *body = json_pack("{ss ss s[{ss}{ss}]}", "map", "duel", "position",
                             text_at(at(table, "state"), "text"), "seats", "kind", "human", "kind", "human");
    char *dump = json_dumps(body, 0);
    game = sit(dump);
    json_t *placed = look(&game, game.keys[1]);
    assert_true(json_equal(at(placed, "state"), at(table, "state")));
    assert_true(json_equal(at(placed, "start"), at(table, "state")));
    json_decref(placed);
    act(&game, 1, 0, "pass");
    restart();
    placed = look(&game, "");
    assert_int_equal(number_at(placed, "ply"), 1);
    json_decref(placed);
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/record", game.id);
    served_fail(&served, MESSAGE_GET, path, NULL, 409, NULL, "no record");
    json_decref(table);
    json_decref(body);
    free(dump);
}

static void test_removed(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    struct follower follower;
    char path[200];
    snprintf(path, sizeof path, "/api/tables/%s/events?key=%s", game.id, game.keys[0]);
    follow(&follower, &served, path);
    snprintf(path, sizeof path, "/api/tables/%s", game.id);
    served_fail(&served, MESSAGE_DELETE, path, NULL, 403, "key", "key");
    snprintf(path, sizeof path, "/api/tables/%s?key=%s", game.id, game.keys[1]);
    served_ask(&served, MESSAGE_DELETE, path, NULL, 204);
    follow_more(&follower);
    assert_true(follower.has_ended);
    follow_done(&follower);
    snprintf(path, sizeof path, "%s/tables", served.data);
    assert_int_equal(served_count(path), 0);
    served_fail(&served, MESSAGE_GET, "/api/tables/..", NULL, 404, NULL, "no table");
}

static void test_limits(void **unused) {
    (void)unused;
    for (int i = 0; i < 24; i++)
        sit("{\"map\":\"duel\"," PLAYERS("random", "random") "}"); /* in an idle workbench they wait */
    served_fail(&served, MESSAGE_POST, "/api/tables", "{\"map\":\"duel\"," PLAYERS("random", "random") "}",
                429, NULL, "24 games between players");
    for (int i = 24; i < 200; i++)
        sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    served_fail(&served, MESSAGE_POST, "/api/tables", "{\"game\":\"kuhn\"," TWO_PEOPLE "}", 429, NULL,
                "200 games");
    now_ns += INT64_C(25) * 3600 * 1000000000; /* nobody has touched them for a day */
    sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    char folder[100];
    snprintf(folder, sizeof folder, "%s/tables", served.data);
    assert_int_equal(served_count(folder), 200);
}

/* The oldest finished games go. */
static void test_finished_limit(void **unused) {
    (void)unused;
    char first[32] = "";
    for (int i = 0; i < 505; i++) {
        const struct game_at game = sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
        if (i == 0)
            snprintf(first, sizeof first, "%s", game.id);
        post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[0]);
    }
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 500);
    json_decref(list);
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s", first);
    served_fail(&served, MESSAGE_GET, path, NULL, 404, NULL, "no table");
}

/* ---- too little memory ---- */

/* Asks and takes any answer: there must be one. */
static void ask_anything(enum message_method method, const char *path, const char *body) {
    struct message_out out = served_raw(&served, method, path, body);
    assert_true(out.status >= 200 && out.status <= 507);
    message_done(&out);
}

/* Wherever memory runs out, there is an answer, and the workbench goes on. */
static void test_memory(void **unused) {
    (void)unused;
    for (long n = 1; n < 120; n++) {
        char path[200], body[200];
        const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
        mem_fail_at(n);
        ask_anything(MESSAGE_POST, "/api/tables", "{\"map\":\"duel\"," TWO_PEOPLE "}");
        mem_fail_at(n);
        snprintf(path, sizeof path, "/api/tables/%s/events", game.id);
        ask_anything(MESSAGE_GET, path, NULL);
        mem_fail_at(n);
        snprintf(path, sizeof path, "/api/tables/%s/action", game.id);
        snprintf(body, sizeof body, "{\"key\":\"%s\",\"ply\":0,\"action\":\"1:2,3x2\"}", game.keys[0]);
        ask_anything(MESSAGE_POST, path, body);
        mem_fail_at(n);
        snprintf(path, sizeof path, "/api/tables/%s/undo", game.id);
        snprintf(body, sizeof body, "{\"key\":\"%s\"}", game.keys[0]);
        ask_anything(MESSAGE_POST, path, body);
        mem_fail_at(n);
        snprintf(path, sizeof path, "/api/tables/%s/record?form=sgf", game.id);
        ask_anything(MESSAGE_GET, path, NULL);
        mem_fail_at(0);
        snprintf(path, sizeof path, "/api/tables/%s?key=%s", game.id, game.keys[0]);
        ask_anything(MESSAGE_DELETE, path, NULL);
    }
    restart();
    const struct game_at other = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    act(&other, 0, 0, "pass");
}

#define IDLE(test) cmocka_unit_test_setup_teardown(test, open_idle, close_it)
#define BUSY(test) cmocka_unit_test_setup_teardown(test, open_busy, close_it)

int main(void) {
    const struct CMUnitTest tests[] = {
        IDLE(test_refused),        IDLE(test_made),           IDLE(test_people),   IDLE(test_undo),
        IDLE(test_offers),         IDLE(test_resign),         IDLE(test_clocks),   BUSY(test_clock_runs_out),
        IDLE(test_restart_people), IDLE(test_strange_files),  IDLE(test_position), IDLE(test_removed),
        IDLE(test_limits),         IDLE(test_finished_limit), IDLE(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
