/* SPDX-License-Identifier: MIT
 *
 * Games at tables, asked as a page asks them: people, players, clocks, taking back, restarts, and that the
 * same seed gives the game that a match would play. What hidden games tell is in tables_hidden_test.c.
 */
#include "tests/follow_support.h"
#include "tests/own_maps.h"
#include "tests/served_support.h"

#include "match/bout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define TABLE_MEMBERS                                                                                        \
    "id ground seats ply mover over result created you map start steps state actions clocks thinking may "   \
    "offer comment sees_all"
#define STEP_MEMBERS "ply side action did state ms chance thoughts"

static struct served served;
static int64_t now_ns;

static const json_t *at(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("there is no \"%s\"", key);
    return value;
}

static const char *text_at(const json_t *object, const char *key) {
    return json_string_value(at(object, key));
}

static int number_at(const json_t *object, const char *key) {
    assert_true(json_is_integer(at(object, key)));
    return (int)json_integer_value(at(object, key));
}

static bool is_true(const json_t *object, const char *key) {
    assert_true(json_is_boolean(at(object, key)));
    return json_is_true(at(object, key));
}

static void check_members(const json_t *object, const char *names) {
    char list[512];
    char *pieces[32];
    snprintf(list, sizeof list, "%s", names);
    const int count = text_split(list, ' ', pieces, 32);
    for (int i = 0; i < count; i++)
        at(object, pieces[i]);
    assert_int_equal(json_object_size(object), count);
}

/* ---- asking ---- */

struct game_at {
    char id[32], keys[2][32];
};

static struct game_at sit(const char *body) {
    struct game_at game = {{0}, {{0}, {0}}};
    json_t *made = served_ask(&served, MESSAGE_POST, "/api/tables", body, 201);
    check_members(made, "id keys");
    snprintf(game.id, sizeof game.id, "%s", text_at(made, "id"));
    for (size_t i = 0; i < 2; i++) {
        const char *key = json_string_value(json_array_get(at(made, "keys"), i));
        snprintf(game.keys[i], sizeof game.keys[i], "%s", key != NULL ? key : "");
    }
    json_decref(made);
    return game;
}

static json_t *look(const struct game_at *game, const char *key) {
    char path[200];
    snprintf(path, sizeof path, "/api/tables/%s%s%s", game->id, key[0] != '\0' ? "?key=" : "", key);
    json_t *table = served_ask(&served, MESSAGE_GET, path, NULL, 200);
    check_members(table, TABLE_MEMBERS);
    return table;
}

/* POST /api/tables/ID/VERB; wants that status. */
static void post(const struct game_at *game, const char *verb, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void post(const struct game_at *game, const char *verb, int status, const char *format, ...) {
    char path[200], body[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(body, sizeof body, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "/api/tables/%s/%s", game->id, verb);
    json_decref(served_ask(&served, MESSAGE_POST, path, body, status));
}

static void act(const struct game_at *game, int side, int ply, const char *text) {
    post(game, "action", 200, "{\"key\":\"%s\",\"ply\":%d,\"action\":\"%s\"}", game->keys[side], ply, text);
}

static int ply_of(const struct game_at *game) {
    json_t *table = look(game, "");
    const int ply = number_at(table, "ply");
    json_decref(table);
    return ply;
}

static bool may(const struct game_at *game, const char *key, const char *what) {
    json_t *table = look(game, key);
    check_members(at(table, "may"), "undo take_back resign hint");
    const bool is = is_true(at(table, "may"), what);
    json_decref(table);
    return is;
}

static void nap(void) {
    const struct timespec moment = {.tv_nsec = 2000000};
    nanosleep(&moment, NULL);
}

/* Looks again and again until the game is over, or that many actions were played. */
static json_t *wait_for(const struct game_at *game, int ply) {
    for (int i = 0; i < 60000; i++) {
        json_t *table = look(game, "");
        if (is_true(table, "over") || (ply >= 0 && number_at(table, "ply") >= ply))
            return table;
        json_decref(table);
        nap();
    }
    fail_msg("the game does not go on");
    return NULL;
}

enum { TO_THE_END = -1 };

#define TWO_PEOPLE "\"seats\":[{\"kind\":\"human\",\"name\":\"Ann\"},{\"kind\":\"human\"}]"
#define PLAYERS(a, b)                                                                                        \
    "\"seats\":[{\"kind\":\"player\",\"spec\":\"" a "\"},{\"kind\":\"player\",\"spec\":\"" b "\"}]"

/* ---- set-up ---- */

static int open_idle(void **state) {
    static struct clock clock;
    (void)state;
    now_ns = 1000000000;
    clock = clock_manual(&now_ns);
    served = (struct served){.idle = true, .clock = &clock};
    served_open(&served);
    return 0;
}

static int open_busy(void **state) {
    (void)state;
    served = (struct served){0};
    served_open(&served);
    return 0;
}

static int open_programs(void **state) {
    (void)state;
    served = (struct served){.programs = true};
    served_open(&served);
    return 0;
}

static int close_it(void **state) {
    (void)state;
    served_remove(&served);
    return 0;
}

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
    post(&game, "action", 403, "{\"key\":\"wrong\",\"ply\":0,\"action\":\"pass\"}");
    post(&game, "action", 403, "{\"ply\":0,\"action\":\"pass\"}");
    post(&game, "action", 409, "{\"key\":\"%s\",\"ply\":0,\"action\":\"pass\"}", game.keys[1]);
    post(&game, "action", 409, "{\"key\":\"%s\",\"ply\":1,\"action\":\"pass\"}", game.keys[0]);
    post(&game, "action", 400, "{\"key\":\"%s\",\"action\":\"pass\"}", game.keys[0]);
    post(&game, "action", 400, "{\"key\":\"%s\",\"ply\":0,\"action\":\"0:9,9\"}", game.keys[0]);
    post(&game, "action", 400, "{\"key\":\"%s\",\"ply\":0,\"action\":7}", game.keys[0]);
    assert_int_equal(ply_of(&game), 0);
    act(&game, 0, 0, "1:2,3x2");
    post(&game, "action", 409, "{\"key\":\"%s\",\"ply\":0,\"action\":\"pass\"}", game.keys[0]);
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
    post(&game, "undo", 409, "{\"key\":\"%s\"}", game.keys[0]);
    act(&game, 0, 0, "1:2,3x2");
    assert_true(may(&game, game.keys[0], "undo"));
    assert_false(may(&game, game.keys[1], "undo"));
    post(&game, "undo", 409, "{\"key\":\"%s\"}", game.keys[1]);
    post(&game, "undo", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *table = look(&game, "");
    assert_int_equal(number_at(table, "ply"), 0);
    assert_int_equal(json_array_size(at(table, "steps")), 0);
    assert_true(json_equal(at(table, "start"), at(table, "state")));
    json_decref(table);
    act(&game, 0, 0, "pass");
    assert_false(may(&game, game.keys[0], "undo"));
    assert_true(may(&game, game.keys[0], "take_back"));
    post(&game, "undo", 409, "{\"key\":\"%s\"}", game.keys[0]);
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
    post(&game, "take-back", 409, "{\"key\":\"%s\"}", game.keys[0]);
    act(&game, 0, 0, "1:2,3x2");
    act(&game, 0, 1, "pass");
    post(&game, "answer", 409, "{\"key\":\"%s\",\"accept\":true}", game.keys[1]);
    post(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *offer = offer_of(&game);
    assert_true(json_is_integer(offer));
    json_decref(offer);
    assert_int_equal(ply_of(&game), 2);
    post(&game, "answer", 409, "{\"key\":\"%s\",\"accept\":true}", game.keys[0]);
    post(&game, "answer", 400, "{\"key\":\"%s\",\"accept\":1}", game.keys[1]);
    post(&game, "answer", 200, "{\"key\":\"%s\",\"accept\":false}", game.keys[1]);
    offer = offer_of(&game);
    assert_true(json_is_null(offer));
    post(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    act(&game, 1, 2, "pass"); /* who goes on has answered */
    offer = offer_of(&game);
    assert_true(json_is_null(offer));
    post(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[1]);
    post(&game, "answer", 200, "{\"key\":\"%s\",\"accept\":true}", game.keys[0]);
    assert_int_equal(ply_of(&game), 2);
    post(&game, "take-back", 200, "{\"key\":\"%s,%s\"}", game.keys[0], game.keys[1]); /* who has both seats */
    assert_int_equal(ply_of(&game), 0);
}

static void test_resign(void **unused) {
    (void)unused;
    struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    post(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "blue resignation");
    assert_int_equal(number_at(table, "ply"), 1); /* an action of the game's own */
    json_decref(table);
    post(&game, "resign", 409, "{\"key\":\"%s\"}", game.keys[1]);
    game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    post(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[1]); /* out of turn */
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
    post(&game, "undo", 200, "{\"key\":\"%s\"}", game.keys[0]);
    assert_int_equal(left_of(&game, 0), 5000); /* time does not come back */
    act(&game, 0, 0, "pass");
    assert_int_equal(left_of(&game, 0), 10000);
    now_ns += INT64_C(10050000000); /* within the grace */
    act(&game, 1, 1, "pass");
    now_ns += INT64_C(10200000000);
    post(&game, "action", 409, "{\"key\":\"%s\",\"ply\":2,\"action\":\"pass\"}", game.keys[0]);
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

/* ---- players ---- */

/* The record of the same game as a match plays it. */
static json_t *bout_record(struct scenario *scenario, const char *first, const char *second, uint64_t seed) {
    const char *const specs[2] = {first, second};
    struct err e;
    struct bout_result result;
    struct bout bout = {.scenario = scenario, .seed = seed};
    struct text text = {0};
    for (int side = 0; side < 2; side++) {
        bout.names[side] = specs[side];
        bout.players[side] = player_open(specs[side], scenario->game, &e);
        assert_non_null(bout.players[side]);
    }
    assert_true(bout_play(&bout, &result, &e));
    assert_true(record_write_json(&result.record, &text, &e));
    json_t *record = json_loads(text_string(&text), 0, NULL);
    assert_non_null(record);
    text_done(&text);
    bout_result_done(&result);
    for (int side = 0; side < 2; side++)
        player_close(bout.players[side]);
    return record;
}

static json_t *record_of(const struct game_at *game) {
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/record", game->id);
    return served_ask(&served, MESSAGE_GET, path, NULL, 200);
}

static void check_same_game(const json_t *one, const json_t *other) {
    static const char *const members[] = {"actions", "result", "players", "seed", "game", "comment"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (!json_equal(at(one, members[i]), at(other, members[i])))
            fail_msg("\"%s\" is not the same: %s", members[i],
                     json_dumps(at(one, members[i]), JSON_ENCODE_ANY | JSON_COMPACT));
}

struct pairing {
    const char *game, *map, *players[2];
    uint64_t seed;
};

static const struct pairing pairings[] = {
    {"tbs", "duel", {"uct:sims=200", "acteval"}, 7},
    {"tbs", "ambush", {"acteval", "pwuct:sims=100"}, 8},
    {"geister", NULL, {"geist:sims=10", "random"}, 9},
    {"geister:rules=uctgeister", NULL, {"gst-a:sims=20", "guess"}, 10},
    {"kuhn", NULL, {"ismcts:sims=50", "random"}, 11},
    {"synth:depth=6", NULL, {"random", "pimc:sims=50"}, 12},
};

static struct game_at start_pairing(const struct pairing *p) {
    char body[500];
    snprintf(body, sizeof body,
             "{\"game\":\"%s\",%s%s%s\"seed\":%d,\"seats\":[{\"kind\":\"player\",\"spec\":\"%s\"},{\"kind\":"
             "\"player\",\"spec\":\"%s\"}]}",
             p->game, p->map != NULL ? "\"map\":\"" : "", p->map != NULL ? p->map : "",
             p->map != NULL ? "\"," : "", (int)p->seed, p->players[0], p->players[1]);
    return sit(body);
}

static json_t *bout_of(const struct pairing *p) {
    struct err e;
    struct scenario *scenario = p->map != NULL ? own_map(p->map) : game_load_spec(p->game, &e);
    assert_non_null(scenario);
    json_t *record = bout_record(scenario, p->players[0], p->players[1], p->seed);
    scenario->game->unload(scenario);
    return record;
}

static void test_same_as_match(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof pairings / sizeof pairings[0]; i++) {
        const struct game_at game = start_pairing(&pairings[i]);
        json_decref(wait_for(&game, TO_THE_END));
        json_t *here = record_of(&game), *there = bout_of(&pairings[i]);
        check_same_game(here, there);
        json_decref(here);
        json_decref(there);
    }
}

/* Every step once and in order, then the whole table, then the end. */
static void test_stream(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"seed\":3," PLAYERS("uct:sims=300", "acteval") "}");
    struct follower follower;
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/events", game.id);
    follow(&follower, &served, path);
    for (int i = 0; i < 30000 && !follower.has_ended; i++) {
        nap();
        follow_more(&follower);
    }
    assert_true(follower.has_ended);
    json_t *first = followed(&follower, "table", 0), *last = followed(&follower, "table", -1);
    check_members(first, TABLE_MEMBERS);
    check_members(last, TABLE_MEMBERS);
    const int begun = number_at(first, "ply"), ended = number_at(last, "ply");
    assert_true(is_true(last, "over"));
    int steps = 0;
    for (json_t *event; (event = followed(&follower, "step", steps)) != NULL; steps++) {
        check_members(event, "step actions clocks thinking may");
        check_members(at(event, "step"), STEP_MEMBERS);
        assert_int_equal(number_at(at(event, "step"), "ply"), begun + steps + 1);
        json_decref(event);
    }
    assert_int_equal(begun + steps, ended);
    int known = 0, thoughts = 0;
    json_t *table = wait_for(&game, TO_THE_END);
    for (size_t i = 0; i < json_array_size(at(table, "steps")); i++) {
        const json_t *step = json_array_get(at(table, "steps"), i);
        known += json_is_real(at(step, "chance"));
        thoughts += json_is_object(at(step, "thoughts"));
        if (number_at(step, "side") == 0)
            check_members(at(step, "thoughts"),
                          "side player candidates total simulations nodes depth seconds");
    }
    assert_int_equal(known, ended); /* the stream ends when the adviser has said all */
    assert_true(thoughts > 0 && thoughts < ended);
    json_decref(table);
    json_decref(first);
    json_decref(last);
    follow_done(&follower);
}

#define AGAINST_ACTEVAL                                                                                      \
    "{\"map\":\"duel\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"player\",\"spec\":\"acteval\"}]}"

static void test_against_player(void **unused) {
    (void)unused;
    const struct game_at game = sit(AGAINST_ACTEVAL);
    assert_string_equal(game.keys[1], "");
    act(&game, 0, 0, "pass");
    json_decref(wait_for(&game, 3)); /* both its units have acted */
    assert_true(may(&game, game.keys[0], "take_back"));
    assert_true(may(&game, game.keys[0], "hint"));
    post(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    assert_int_equal(ply_of(&game), 0);
    act(&game, 0, 0, "1:2,3x2");
    act(&game, 0, 1, "pass");
    json_t *table = wait_for(&game, 3);
    assert_int_equal(number_at(json_array_get(at(table, "steps"), 2), "side"), 1);
    json_decref(table);
    post(&game, "stop", 409, "{}");
}

/* A player that thinks for long is interrupted: the person is to move again at once. */
static void test_take_back_while_it_thinks(void **unused) {
    (void)unused;
    const struct game_at game =
        sit("{\"map\":\"ambush\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"player\","
            "\"spec\":\"uct:sims=1000000000\"}]}");
    for (int i = 0; i < 3; i++) {
        act(&game, 0, 0, "pass");
        json_t *table = look(&game, "");
        assert_int_equal(number_at(table, "thinking"), 1);
        json_decref(table);
        post(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
        assert_int_equal(ply_of(&game), 0);
    }
    act(&game, 0, 0, "pass");
}

/* While it thinks it says what it thinks. */
static void test_live_thoughts(void **unused) {
    (void)unused;
    const struct game_at game =
        sit("{\"map\":\"ambush\"," PLAYERS("uct:sims=1000000000", "uct:sims=1000000000") "}");
    struct follower follower;
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/events", game.id);
    follow(&follower, &served, path);
    json_t *event = NULL;
    for (int i = 0; i < 10000 && event == NULL; i++) {
        nap();
        follow_more(&follower);
        event = followed(&follower, "thinking", 0);
    }
    assert_non_null(event);
    check_members(event, "side thoughts clocks");
    assert_true(json_array_size(at(at(event, "thoughts"), "candidates")) > 0);
    json_decref(event);
    post(&game, "stop", 200, "{}");
    for (int i = 0; i < 10000 && !follower.has_ended; i++) {
        nap();
        follow_more(&follower);
    }
    event = followed(&follower, "table", -1);
    assert_string_equal(text_at(event, "comment"), "stopped");
    assert_true(is_true(event, "over"));
    json_decref(event);
    follow_done(&follower);
    post(&game, "stop", 409, "{}");
}

/* ---- faults ---- */

static void test_faults(void **unused) {
    static const char *const modes[] = {"illegal", "crash", "banner"};
    const char *saboteur = getenv("SENJUTSU_SABOTEUR");
    (void)unused;
    if (saboteur == NULL)
        skip();
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char body[800];
        snprintf(body, sizeof body,
                 "{\"map\":\"duel\",\"seats\":[{\"kind\":\"player\",\"spec\":\"ext:cmd=%s "
                 "%s\"},{\"kind\":\"player\",\"spec\":\"random\"}]}",
                 saboteur, modes[i]);
        const struct game_at game = sit(body);
        json_t *table = wait_for(&game, TO_THE_END);
        assert_non_null(strstr(text_at(table, "comment"), "red forfeits: "));
        assert_int_equal(strncmp(text_at(table, "result"), "blue ", 5), 0);
        json_decref(table);
    }
    const struct game_at game = sit(AGAINST_ACTEVAL); /* and the server goes on */
    act(&game, 0, 0, "pass");
}

/* ---- restarts ---- */

static void restart(void) {
    served_close(&served);
    served_open(&served);
}

static void test_restart_people(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"game=100\"," TWO_PEOPLE "}");
    now_ns += INT64_C(30000000000);
    act(&game, 0, 0, "1:2,3x2");
    act(&game, 0, 1, "pass");
    post(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *before = look(&game, game.keys[1]);
    restart();
    json_t *after = look(&game, game.keys[1]);
    assert_true(json_equal(before, after));
    assert_int_equal(left_of(&game, 0), 70000);
    json_decref(before);
    json_decref(after);
    post(&game, "answer", 200, "{\"key\":\"%s\",\"accept\":true}", game.keys[1]);
    act(&game, 0, 0, "pass");
    now_ns += INT64_C(200000000000);
    json_decref(look(&game, ""));
    restart();
    json_t *over = look(&game, "");
    assert_string_equal(text_at(over, "result"), "red late");
    assert_true(is_true(over, "over"));
    json_decref(over);
}

/* Stopped in the middle and gone on with, it is the game that was never stopped. */
static void test_restart_players(void **unused) {
    static const struct pairing longer = {"tbs", "ambush", {"uct:sims=2000", "uct:sims=1000"}, 21};
    (void)unused;
    const struct game_at game = start_pairing(&longer);
    for (int ply = 2; ply < 20; ply += 5) {
        json_t *table = wait_for(&game, ply);
        assert_false(is_true(table, "over"));
        json_decref(table);
        restart();
    }
    json_decref(wait_for(&game, TO_THE_END));
    json_t *here = record_of(&game), *there = bout_of(&longer);
    check_same_game(here, there);
    json_decref(here);
    json_decref(there);
    json_t *before = look(&game, "");
    restart();
    json_t *after = look(&game, "");
    const json_t *last = json_array_get(at(after, "steps"), json_array_size(at(after, "steps")) - 1);
    assert_true(json_is_object(at(last, "thoughts")));
    assert_true(json_equal(at(before, "state"), at(after, "state")));
    json_decref(before);
    json_decref(after);
}

/* What is not a table's file is left alone, and nothing else is read. */
static void test_strange_files(void **unused) {
    static const char *const texts[] = {"", "{", "[]", "{\"format\":\"senjutsu-table\",\"version\":1}"};
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s/tables/strange%zu.json", served.data, i);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(texts[i], file);
        fclose(file);
    }
    restart();
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text_at(json_array_get(list, 0), "id"), game.id);
    json_decref(list);
}

/* ---- positions, records, limits ---- */

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

static void test_records(void **unused) {
    (void)unused;
    const struct game_at game = start_pairing(&pairings[0]);
    json_decref(wait_for(&game, TO_THE_END));
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/record?form=sgf", game.id);
    struct message_out sgf = served_raw(&served, MESSAGE_GET, path, NULL);
    assert_int_equal(sgf.status, 200);
    assert_non_null(strstr(sgf.file_name, ".sgf"));
    json_t *record = record_of(&game);
    json_t *bodies[] = {json_pack("{sO}", "record", record),
                        json_pack("{ss}", "text", text_string(&sgf.body))};
    for (size_t i = 0; i < 2; i++) {
        char *dump = json_dumps(bodies[i], 0);
        json_t *made = served_ask(&served, MESSAGE_POST, "/api/tables/load", dump, 201);
        struct game_at again = {{0}, {{0}, {0}}};
        snprintf(again.id, sizeof again.id, "%s", text_at(made, "id"));
        json_t *table = look(&again, "");
        assert_true(is_true(table, "over"));
        assert_string_equal(text_at(table, "result"), text_at(record, "result"));
        assert_int_equal(number_at(table, "ply"), json_array_size(at(record, "actions")));
        json_decref(table);
        json_decref(made);
        json_decref(bodies[i]);
        free(dump);
    }
    json_decref(record);
    message_done(&sgf);
    snprintf(path, sizeof path, "/api/tables/%s/record?form=log", game.id);
    served_fail(&served, MESSAGE_GET, path, NULL, 400, "form", "json or sgf");
    served_fail(&served, MESSAGE_POST, "/api/tables/load", "{}", 400, "text", "expected");
    served_fail(&served, MESSAGE_POST, "/api/tables/load", "{\"text\":\"{}\"}", 400, NULL, "format");
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
        post(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[0]);
    }
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 500);
    json_decref(list);
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s", first);
    served_fail(&served, MESSAGE_GET, path, NULL, 404, NULL, "no table");
}

#define IDLE(test)     cmocka_unit_test_setup_teardown(test, open_idle, close_it)
#define BUSY(test)     cmocka_unit_test_setup_teardown(test, open_busy, close_it)
#define PROGRAMS(test) cmocka_unit_test_setup_teardown(test, open_programs, close_it)

int main(void) {
    const struct CMUnitTest tests[] = {
        IDLE(test_refused),        IDLE(test_made),
        IDLE(test_people),         IDLE(test_undo),
        IDLE(test_offers),         IDLE(test_resign),
        IDLE(test_clocks),         BUSY(test_clock_runs_out),
        BUSY(test_same_as_match),  BUSY(test_stream),
        BUSY(test_against_player), BUSY(test_take_back_while_it_thinks),
        BUSY(test_live_thoughts),  PROGRAMS(test_faults),
        IDLE(test_restart_people), BUSY(test_restart_players),
        IDLE(test_strange_files),  IDLE(test_position),
        BUSY(test_records),        IDLE(test_removed),
        IDLE(test_limits),         IDLE(test_finished_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
