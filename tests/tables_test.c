/* SPDX-License-Identifier: MIT
 *
 * Live games of people, through the requests of a page: making them, playing, taking back, clocks, restarts
 * and limits. Players are in tables_players_test.c, hidden games in tables_hidden_test.c.
 */
#include "tests/follow_support.h"
#include "tests/seated_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* ---- making live games ---- */

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

static void check_record_forms(const json_t *table, const char *expected) {
    char *forms = json_dumps(at(table, "record_forms"), JSON_COMPACT | JSON_ENCODE_ANY);
    assert_string_equal(forms, expected);
    free(forms);
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
    check_record_forms(table, "[\"json\",\"sgf\"]");
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

/* The longest name and the longest text of a clock are taken, and one byte more is refused. */
static void test_lengths(void **unused) {
    static const int longest[] = {80, 505};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        char text[600], body[1500];
        const int size = longest[i / 2] + i % 2;
        memset(text, i < 2 ? 'n' : '0', sizeof text);
        memcpy(text, "turn=", i < 2 ? 0 : 5);
        memcpy(text + size - 1, i < 2 ? "n" : "9", 2);
        snprintf(body, sizeof body,
                 "{\"map\":\"duel\",\"clock\":\"%s\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"human\","
                 "\"name\":\"%s\"}]}",
                 i < 2 ? "" : text, i < 2 ? text : "");
        if (i % 2 == 1) {
            refuse(body, i < 2 ? "seats" : "clock",
                   i < 2 ? "\"name\": expected at most 80 bytes" : "more than 505 bytes");
            continue;
        }
        const struct game_at game = sit(body);
        json_t *table = look(&game, "");
        assert_string_equal(text_at(json_array_get(at(table, "seats"), 1), "name"), i < 2 ? text : "");
        assert_string_equal(text_at(at(table, "clocks"), "limits"), i < 2 ? "" : text);
        json_decref(table);
    }
}

/* A list gives the map of each game, without its text. */
static void test_terrain(void **unused) {
    (void)unused;
    sit("{\"map_text\":\"" APART "\"," TWO_PEOPLE "}");
    const struct game_at named =
        sit("{\"map\":\"own\",\"rules\":\"paper\",\"map_text\":\"" APART "\"," TWO_PEOPLE "}");
    sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    sit("{" TWO_PEOPLE "}");
    static const char *const grounds[] = {"{\"game\":\"tbs\",\"map\":\"standard\"}", "{\"game\":\"kuhn\"}",
                                          "{\"map\":\"own\",\"rules\":\"paper\",\"game\":\"tbs\"}",
                                          "{\"game\":\"tbs\"}"};
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 4);
    for (size_t i = 0; i < 4; i++) {
        json_t *expected = json_loads(grounds[i], 0, NULL);
        assert_true(json_equal(at(json_array_get(list, i), "ground"), expected));
        json_decref(expected);
    }
    json_t *table = look(&named, "");
    assert_int_equal(json_object_size(at(table, "ground")), 4);
    assert_non_null(strstr(text_at(at(table, "ground"), "map_text"), "senjutsu-map"));
    restart();
    json_t *again = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200), *same = look(&named, "");
    assert_true(json_equal(list, again));
    assert_true(json_equal(table, same));
    sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    json_t *more = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(more), 5);
    for (size_t i = 0; i < 4; i++) /* the new one is the first */
        assert_true(json_equal(json_array_get(more, i + 1), json_array_get(list, i)));
    json_decref(list);
    json_decref(again);
    json_decref(table);
    json_decref(same);
    json_decref(more);
}

/* ---- people ---- */

/* Reads with that key; expects that status. */
static void read_with(const struct game_at *game, const char *key, int status, const char *you) {
    char path[200];
    snprintf(path, sizeof path, "/api/tables/%s?key=%s", game->id, key);
    json_t *answer = served_ask(&served, MESSAGE_GET, path, NULL, status);
    if (status == 200) {
        char *dump = json_dumps(at(answer, "you"), JSON_COMPACT);
        assert_string_equal(dump, you);
        free(dump);
    }
    json_decref(answer);
}

static void test_keys(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    char key[100];
    read_with(&game, game.keys[0], 200, "[0]");
    read_with(&game, game.keys[1], 200, "[1]");
    read_with(&game, "", 200, "[]");
    snprintf(key, sizeof key, "%s,%s", game.keys[1], game.keys[0]);
    read_with(&game, key, 200, "[0,1]");
    snprintf(key, sizeof key, "%s,", game.keys[1]);
    read_with(&game, key, 200, "[1]");
    snprintf(key, sizeof key, ",%s", game.keys[1]);
    read_with(&game, key, 403, NULL);
    snprintf(key, sizeof key, "%sx", game.keys[0]);
    read_with(&game, key, 403, NULL);
    snprintf(key, sizeof key, "%.15s", game.keys[0]);
    read_with(&game, key, 403, NULL);
    for (size_t i = 0; i < 16; i++) {
        snprintf(key, sizeof key, "%s", game.keys[0]);
        key[i] = key[i] == 'x' ? 'y' : 'x';
        read_with(&game, key, 403, NULL);
    }
    /* A player has no key, so no text is accepted as its key. */
    const struct game_at against =
        sit("{\"map\":\"duel\",\"seats\":[{\"kind\":\"player\",\"spec\":\"random\"},"
            "{\"kind\":\"human\"}]}");
    assert_string_equal(against.keys[0], "");
    read_with(&against, ",", 403, NULL);
    snprintf(key, sizeof key, "%s,,", against.keys[1]);
    read_with(&against, key, 403, NULL);
    char path[200];
    snprintf(path, sizeof path, "/api/tables/%s", against.id);
    served_fail(&served, MESSAGE_DELETE, path, NULL, 403, "key",
                "people play here: only who has a seat's key may delete the game");
    post_to(&against, "action", 409, "{\"key\":\"%s\",\"ply\":0,\"action\":\"pass\"}", against.keys[1]);
    post_to(&against, "resign", 200, "{\"key\":\"%s\"}", against.keys[1]);
    json_t *table = look(&against, "");
    assert_string_equal(text_at(table, "result"), "red resignation");
    json_decref(table);
}

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

/* Within the turn the last action is taken back, and no action before the turn. */
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
    act(&game, 1, 2, "pass"); /* playing on declines the offer */
    offer = offer_of(&game);
    assert_true(json_is_null(offer));
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[1]);
    post_to(&game, "answer", 200, "{\"key\":\"%s\",\"accept\":true}", game.keys[0]);
    assert_int_equal(ply_of(&game), 2);
    post_to(&game, "take-back", 200, "{\"key\":\"%s,%s\"}", game.keys[0],
            game.keys[1]); /* the owner of both seats */
    assert_int_equal(ply_of(&game), 0);
}

/* Readers get an event for an offer, and for its end, also by a move. */
static void test_offer_events(void **unused) {
    static const char *const sides[] = {"{\"side\":0}", "{\"side\":null}"};
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    struct follower follower;
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/events", game.id);
    act(&game, 0, 0, "pass");
    follow(&follower, &served, path);
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    act(&game, 1, 1, "pass");
    act(&game, 0, 2, "pass");
    follow_more(&follower);
    for (int i = 0; i < 2; i++) {
        json_t *event = followed(&follower, "offer", i);
        char *dump = json_dumps(event, JSON_COMPACT);
        assert_string_equal(dump, sides[i]);
        free(dump);
        json_decref(event);
    }
    assert_null(followed(&follower, "offer", 2));
    json_t *last = followed(&follower, "step", 1);
    assert_int_equal(number_at(at(last, "step"), "ply"), 3);
    json_decref(last);
    assert_null(followed(&follower, "table", 1));
    follow_done(&follower);
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[0]); /* out of turn, with an offer */
    json_t *table = look(&game, "");
    assert_true(json_is_null(at(table, "offer")));
    assert_string_equal(text_at(table, "comment"), "red resigns");
    json_decref(table);
}

/* A position that is already over cannot start a game. */
static void test_positions_that_are_over(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[0]);
    json_t *table = look(&game, ""),
           *body = json_pack("{ss ss s[{ss}{ss}]}", "map", "duel", "position",
                             text_at(at(table, "state"), "text"), "seats", "kind", "human", "kind", "human");
    char *dump = json_dumps(body, 0);
    refuse(dump, "position", "the game is over in that position");
    free(dump);
    json_decref(body);
    json_decref(table);
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

/* The ruling as data: the time that was used, and the limit. */
static void assert_late(const json_t *table, const char *used, const char *limit) {
    const json_t *message = at(table, "comment_message"), *args = at(message, "args");
    assert_string_equal(text_at(message, "code"), "ruling.late");
    assert_int_equal(json_array_size(args), 2);
    assert_string_equal(json_string_value(json_array_get(args, 0)), used);
    assert_string_equal(json_string_value(json_array_get(args, 1)), limit);
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
    assert_late(table, "10.20", "10.10");
    assert_true(json_is_null(at(at(table, "clocks"), "running")));
    json_decref(table);
}

static double ms_of(const struct game_at *game, size_t step) {
    json_t *table = look(game, "");
    const double ms = json_number_value(at(json_array_get(at(table, "steps"), step), "ms"));
    json_decref(table);
    return ms;
}

/* The last moment counts, and the first one after it does not. An offer ends with the game. */
static void test_late(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"turn=10,grace=0\"," TWO_PEOPLE "}");
    json_t *table = look(&game, "");
    assert_null(json_object_get(table, "comment_message"));
    json_decref(table);
    now_ns += INT64_C(4000000000);
    act(&game, 0, 0, "1:2,3x2");
    assert_true(ms_of(&game, 0) == 4000);
    now_ns += INT64_C(6000000000);
    act(&game, 0, 1, "pass");
    assert_true(ms_of(&game, 1) == 6000);
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    now_ns += INT64_C(10000000000);
    table = look(&game, "");
    assert_false(is_true(table, "over"));
    assert_int_equal(number_at(table, "offer"), 0);
    assert_int_equal(number_at(at(table, "clocks"), "running"), 1);
    json_decref(table);
    assert_int_equal(left_of(&game, 1), 0);
    now_ns += 1;
    table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "red late");
    assert_string_equal(text_at(table, "comment"), "blue forfeits: late, after 10.00 s of 10.00 s");
    assert_late(table, "10.00", "10.00");
    assert_true(json_is_null(at(table, "offer")));
    assert_true(json_is_null(at(at(table, "clocks"), "running")));
    assert_int_equal(json_integer_value(json_array_get(at(at(table, "state"), "payoff"), 0)), 1);
    assert_int_equal(json_integer_value(json_array_get(at(at(table, "state"), "payoff"), 1)), 0);
    json_decref(table);
    restart();
    table = look(&game, "");
    assert_late(table, "10.00", "10.00");
    json_decref(table);
}

/* A turn that begins anew has all of its time; the time of the game does not come back. */
static void test_clocks_taken_back(void **unused) {
    (void)unused;
    const struct game_at turns = sit("{\"map\":\"duel\",\"clock\":\"turn=10\"," TWO_PEOPLE "}");
    now_ns += INT64_C(4000000000);
    act(&turns, 0, 0, "1:2,3x2");
    act(&turns, 0, 1, "pass");
    now_ns += INT64_C(3000000000);
    post_to(&turns, "take-back", 200, "{\"key\":\"%s,%s\"}", turns.keys[0], turns.keys[1]);
    assert_int_equal(left_of(&turns, 0), 10000);
    assert_int_equal(left_of(&turns, 1), 10000);
    const struct game_at games = sit("{\"map\":\"duel\",\"clock\":\"game=5,byoyomi=10\"," TWO_PEOPLE "}");
    assert_int_equal(left_of(&games, 0), 15000);
    now_ns += INT64_C(8000000000);
    act(&games, 0, 0, "1:2,3x2");
    assert_int_equal(left_of(&games, 0), 7000);
    post_to(&games, "undo", 200, "{\"key\":\"%s\"}", games.keys[0]);
    assert_int_equal(left_of(&games, 0), 7000);
    act(&games, 0, 0, "1:2,3x2");
    post_to(&games, "take-back", 200, "{\"key\":\"%s,%s\"}", games.keys[0], games.keys[1]);
    assert_int_equal(left_of(&games, 0), 10000);
    act(&games, 0, 0, "pass");
    now_ns += INT64_C(8000000000);
    act(&games, 1, 1, "2:3,2");
    assert_int_equal(left_of(&games, 1), 7000);
    post_to(&games, "take-back", 200, "{\"key\":\"%s,%s\"}", games.keys[0], games.keys[1]);
    assert_int_equal(left_of(&games, 1), 10000);
    assert_int_equal(left_of(&games, 0), 10000);
}

/* The clock runs out without any request. */
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

/* The game's own file with one member changed, under another id. */
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

static json_t *file_of(const struct game_at *game) {
    char path[200];
    snprintf(path, sizeof path, "%s/tables/%s.json", served.data, game->id);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    return root;
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
    before = file_of(&game);
    post_to(&game, "answer", 200, "{\"key\":\"%s\",\"accept\":false}", game.keys[1]);
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    after = file_of(&game); /* as it was written before the restart */
    assert_true(json_equal(before, after));
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

/* A file that is not a live game's stays unchanged, and is not read. */
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
    assert_int_equal(mkfifo(pipe, 0600), 0); /* the server does not wait for a writer */
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

/* A file may have an offer with nothing to take back, and actions in its head that are not the game's. */
static void test_edited_file(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    json_t *root = file_of(&game), *head = json_object_get(root, "head");
    assert_int_equal(json_object_set_new(root, "offer", json_integer(0)), 0);
    assert_int_equal(json_object_set_new(head, "actions", json_pack("[s]", "pass")), 0);
    assert_int_equal(json_object_set_new(head, "milliseconds", json_pack("[i]", 1)), 0);
    char *text = json_dumps(root, 0), name[40];
    snprintf(name, sizeof name, "%s.json", game.id);
    write_file(name, text);
    free(text);
    json_decref(root);
    restart();
    json_t *table = look(&game, game.keys[0]);
    assert_int_equal(json_integer_value(at(table, "ply")), 0);
    json_decref(table);
    post_to(&game, "answer", 409, "{\"key\":\"%s\",\"accept\":true}", game.keys[1]);
    act(&game, 0, 0, "pass");
}

/* The sentence about a damaged file with that id; NULL: there is none. */
static const char *damage_of(const json_t *about, const char *id) {
    const json_t *list = at(about, "damaged"), *sentence;
    char name[40];
    size_t i;
    snprintf(name, sizeof name, "%s.json: ", id);
    json_array_foreach(list, i, sentence) {
        if (strstr(json_string_value(sentence), name) != NULL)
            return json_string_value(sentence);
    }
    return NULL;
}

static bool is_listed(const json_t *list, const char *id) {
    size_t i;
    const json_t *info;
    json_array_foreach(list, i, info) {
        if (strcmp(text_at(info, "id"), id) == 0)
            return true;
    }
    return false;
}

#define LEFT_OUT "a part of it is missing, or has no meaning"
#define DIGITS   "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
#define TEN      "xxxxxxxxxx"
#define SEAT     "{\"human\":true,\"name\":\"\",\"spec\":\"\",\"key\":\"\"}"

/* A member of a game's file, another value for it (NULL: it is missing), and what is wrong then (NULL:
 * nothing). */
struct changed_member {
    const char *key, *value, *words;
};

static const struct changed_member changed_members[] = {
    {"format", "\"other\"", "format"},
    {"version", "2", "version"},
    {"number", "-1", LEFT_OUT},
    {"number", "0", NULL},
    {"number", "1000000000000000000", NULL},
    {"number", "1000000000000000001", LEFT_OUT},
    {"created", NULL, LEFT_OUT},
    {"created", "7", LEFT_OUT},
    {"created", "\"" TEN TEN TEN TEN TEN TEN "xxx\"", NULL},
    {"created", "\"" TEN TEN TEN TEN TEN TEN "xxxx\"", LEFT_OUT},
    {"seats", NULL, LEFT_OUT},
    {"seats", "[" SEAT "]", LEFT_OUT},
    {"seats", "[" SEAT "," SEAT "," SEAT "]", LEFT_OUT},
    {"seats", "[" SEAT "," SEAT "]", NULL},
    {"seats", "[" SEAT ",{\"spec\":\"\",\"key\":\"\"}]", LEFT_OUT},
    {"seats", "[{\"name\":\"\",\"key\":\"\"}," SEAT "]", LEFT_OUT},
    {"seats", "[" SEAT ",{\"name\":\"\",\"spec\":\"\"}]", LEFT_OUT},
    {"seats", "[" SEAT ",{\"spec\":\"\",\"key\":\"\",\"name\":\"" TEN TEN TEN TEN TEN TEN TEN TEN "x\"}]",
     LEFT_OUT},
    {"seats",
     "[" SEAT ",{\"human\":true,\"spec\":\"\",\"key\":\"\",\"name\":\"" TEN TEN TEN TEN TEN TEN TEN TEN
     "\"}]",
     NULL},
    {"clock", NULL, LEFT_OUT},
    {"clock", "\"\"", NULL},
    {"clock", "\"turn=x\"", "turn"},
    {"ground", NULL, LEFT_OUT},
    {"ground", "[]", LEFT_OUT},
    {"head", NULL, "head"},
    {"head", "{}", "head"},
    {"position", "\"nonsense\"", ""},
    {"position", NULL, NULL},
    {"actions", "[[\"0:9,9\",0,false]]", ""},
    {"actions", "[[7,0,false]]", LEFT_OUT},
    {"actions", "[[\"pass\",\"0\",false]]", LEFT_OUT},
    {"actions", "[[\"pass\",1e39,false]]", LEFT_OUT}, /* more than a record can hold */
    {"actions", "[[\"pass\",-1e39,false]]", LEFT_OUT},
    {"actions", "[[\"pass\",1e11,false],[\"pass\",-1,false]]", NULL},
    {"actions", "[[\"pass\",0,false],[\"pass\",0.5,0.25],[\"pass\",1,null]]", NULL},
    {"streams", NULL, LEFT_OUT},
    {"streams", "[\"" DIGITS "f\"]", LEFT_OUT},
    {"streams", "[\"" DIGITS "f\",\"" DIGITS "f\"]", NULL},
    {"streams", "[\"" DIGITS "\",\"" DIGITS "f\"]", LEFT_OUT},
    {"streams", "[\"" DIGITS "f\",\"" DIGITS "ff\"]", LEFT_OUT},
    {"streams", "[\"" DIGITS "f\",\"" DIGITS "g\"]", LEFT_OUT},
    {"streams", "[\"0000000000000000000000000000000000000000000000000000000000000000\",\"" DIGITS "f\"]",
     LEFT_OUT},
    {"game_left", NULL, LEFT_OUT},
    {"game_left", "[1]", LEFT_OUT},
    {"game_left", "[1,1.5]", LEFT_OUT},
    {"game_left", "[-1000000000000000000,1000000000000000000]", NULL},
    {"game_left", "[-1000000000000000001,0]", LEFT_OUT},
    {"game_left", "[0,1000000000000000001]", LEFT_OUT},
    {"turn_used", NULL, LEFT_OUT},
    {"byoyomi_used", "[null,0]", LEFT_OUT},
    {"result", NULL, LEFT_OUT},
    {"comment", NULL, LEFT_OUT},
    {"comment_message", "1", NULL}, /* not read: the game has the comment */
    {"comment_message", "{\"code\":\"ruling.late\",\"args\":1}", NULL},
    {"forfeiter", "1", NULL},
    {"forfeiter", "2", LEFT_OUT},
    {"forfeiter", "-1", NULL},
    {"forfeiter", "-2", LEFT_OUT},
    {"fault", "-1", LEFT_OUT},
    {"fault", "99", LEFT_OUT},
    {"offer", "1", NULL},
    {"offer", "2", LEFT_OUT},
    {"offer", "-1", NULL},
    {"offer", "-2", LEFT_OUT},
    {"ended", "true", NULL},
    {"wants_thoughts", "true", NULL},
};

enum { CHANGED = sizeof changed_members / sizeof changed_members[0] };

static void write_without(const char *id, const char *other, const char *key) {
    char path[200];
    write_changed(id, other, key, "null");
    snprintf(path, sizeof path, "%s/tables/%s.json", served.data, other);
    json_t *root = json_load_file(path, 0, NULL);
    json_object_del(root, key);
    assert_int_equal(json_dump_file(root, path, 0), 0);
    json_decref(root);
}

static void name_change(int i, char id[20]) {
    snprintf(id, 20, "change%c%caaaaaaaa", 'a' + i / 26, 'a' + i % 26);
}

/* Each member of a game's file is read or refused, and a refusal is shown and reported. */
static void test_changed_files(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"turn=10\"," TWO_PEOPLE "}");
    char id[20], path[200];
    for (int i = 0; i < CHANGED; i++) {
        const struct changed_member *c = &changed_members[i];
        name_change(i, id);
        if (c->value != NULL)
            write_changed(game.id, id, c->key, c->value);
        else
            write_without(game.id, id, c->key);
    }
    write_changed(game.id, "copycopycopycopy", "id", "\"changeaaaaaaaaaa\"");
    write_changed(game.id, "wrongwrongwrongw", "id", "\"CHANGEAAAAAAAAAA\"");
    static const char *const others[] = {".json",
                                         "none",
                                         "x.json.bak",
                                         "abcdefghijklmnop.jso",
                                         "abcdefghijklmnopqrstuvwxyz.json",
                                         "abcdefghijklmnopqrstuvw.json"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        write_file(others[i], "{");
    write_file(".senjutsu.tmp", "");
    restart();
    json_t *about = served_ask(&served, MESSAGE_GET, "/api/about", NULL, 200);
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    size_t damaged = 0;
    for (int i = 0; i < CHANGED; i++) {
        const struct changed_member *c = &changed_members[i];
        name_change(i, id);
        const char *sentence = damage_of(about, id);
        damaged += c->words != NULL;
        if ((sentence == NULL) != (c->words == NULL) || is_listed(list, id) != (c->words == NULL) ||
            (c->words != NULL && strstr(sentence, c->words) == NULL))
            fail_msg("\"%s\" %s: %s", c->key, c->value != NULL ? c->value : "is missing",
                     sentence != NULL ? sentence : "not refused");
        if (sentence != NULL)
            assert_non_null(strstr(served_warned, sentence));
    }
    assert_non_null(
        strstr(damage_of(about, "copycopycopycopy"),
               "this game cannot be read: it is a copy of game changeaaaaaaaaaa; the file is left as it is"));
    assert_non_null(strstr(damage_of(about, "wrongwrongwrongw"), LEFT_OUT));
    assert_int_equal(json_array_size(at(about, "damaged")), damaged + 2);
    assert_int_equal(json_array_size(list), CHANGED - damaged + 1);
    json_decref(about);
    json_decref(list);
    for (int i = 0; i < 120; i++) {
        snprintf(path, sizeof path, "empty%c%caaaaaaaaa.json", 'a' + i / 26, 'a' + i % 26);
        write_file(path, "");
    }
    restart();
    about = served_ask(&served, MESSAGE_GET, "/api/about", NULL, 200);
    assert_int_equal(json_array_size(at(about, "damaged")), 100); /* the page shows no more */
    json_decref(about);
}

/* ---- positions, limits ---- */

static json_t *record_of(const struct game_at *game, const char *form) {
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/record?form=%s", game->id, form);
    struct message_out out = served_raw(&served, MESSAGE_GET, path, NULL);
    assert_int_equal(out.status, 200);
    json_t *record = strcmp(form, "json") == 0 ? json_loads(text_string(&out.body), 0, NULL)
                                               : json_string(text_string(&out.body));
    message_done(&out);
    assert_non_null(record);
    return record;
}

/* Loads the record, which is dropped, with "record" or "text". */
static struct game_at load_record(const char *key, json_t *record) {
    struct game_at game = {{0}, {{0}, {0}}};
    json_t *body = json_pack("{so}", key, record);
    char *dump = json_dumps(body, 0);
    json_t *made = served_ask(&served, MESSAGE_POST, "/api/tables/load", dump, 201);
    check_members(made, "id keys");
    snprintf(game.id, sizeof game.id, "%s", text_at(made, "id"));
    json_decref(made);
    json_decref(body);
    free(dump);
    return game;
}

/* A game that was loaded from its record is the game, but for its names. */
static void check_loaded(const struct game_at *loaded, const struct game_at *played) {
    json_t *one = look(loaded, ""), *other = look(played, "");
    static const char *const own[] = {"id", "ground", "seats"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        json_object_del(one, own[i]);
        json_object_del(other, own[i]);
    }
    if (!json_equal(one, other))
        fail_msg("%s\nis not\n%s", json_dumps(one, 0), json_dumps(other, 0));
    json_decref(one);
    json_decref(other);
}

static void test_loaded(void **unused) {
    (void)unused;
    const struct game_at played = sit("{\"map\":\"duel\",\"seed\":5," TWO_PEOPLE "}");
    now_ns += INT64_C(2500000000);
    act(&played, 0, 0, "1:2,3x2");
    act(&played, 0, 1, "pass");
    json_t *unfinished = record_of(&played, "json");
    post_to(&played, "resign", 200, "{\"key\":\"%s\"}", played.keys[0]); /* out of turn */
    json_t *record = record_of(&played, "json");
    assert_string_equal(text_at(record, "date"), "2024-05-01T10:00:00Z");
    const struct game_at loaded = load_record("record", record);
    check_loaded(&loaded, &played);
    json_t *table = look(&loaded, "");
    const json_t *seats = at(table, "seats");
    assert_string_equal(text_at(json_array_get(seats, 0), "name"), "Ann");
    assert_string_equal(text_at(json_array_get(seats, 1), "name"), "human");
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(text_at(json_array_get(seats, i), "kind"), "human");
        assert_string_equal(text_at(json_array_get(seats, i), "spec"), "");
    }
    assert_string_equal(text_at(at(table, "ground"), "game"), "tbs");
    assert_non_null(strstr(text_at(at(table, "ground"), "map_text"), "SIZEX[6]"));
    json_decref(table);
    restart();
    check_loaded(&loaded, &played);
    json_object_set_new(unfinished, "players", json_pack("[ss]", "random", "uct:sims=5"));
    const struct game_at stopped = load_record("record", unfinished);
    table = look(&stopped, "");
    assert_true(is_true(table, "over"));
    assert_int_equal(number_at(table, "ply"), 2);
    assert_string_equal(text_at(table, "result"), "none");
    for (size_t i = 0; i < 2; i++) {
        const json_t *seat = json_array_get(at(table, "seats"), i);
        assert_string_equal(text_at(seat, "kind"), "player");
        assert_string_equal(text_at(seat, "spec"), i == 0 ? "random" : "uct:sims=5");
        assert_string_equal(text_at(seat, "name"), i == 0 ? "random" : "uct:sims=5");
    }
    json_decref(table);
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s", stopped.id);
    served_ask(&served, MESSAGE_DELETE, path, NULL, 204); /* it has no keys */
}

/* The log of a game holds another winner than its moves give: the game is shown, with the difference. */
static void test_loaded_log(void **unused) {
    (void)unused;
    const struct game_at loaded = load_record(
        "text", json_string("player=0,SET:ABCD\nplayer=1,SET:EFGH\nplayer=0,MOV:A,N\nwinner=1\n"));
    json_t *table = look(&loaded, "");
    assert_string_equal(text_at(table, "comment"),
                        "the record: the log says winner=1; its moves end with 'none'");
    assert_int_equal(number_at(table, "ply"), 3);
    assert_true(is_true(table, "over"));
    json_decref(table);
}

/* Of a record only as many actions are shown as a game may have. */
static void test_long_record(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map_text\":\"" APART "\"," TWO_PEOPLE "}");
    act(&game, 0, 0, "pass");
    json_t *record = record_of(&game, "json"), *actions = json_object_get(record, "actions");
    while (json_array_size(actions) < 4000)
        json_array_append(actions, json_array_get(actions, 0));
    const struct game_at loaded = load_record("record", json_deep_copy(record));
    assert_int_equal(ply_of(&loaded), 4000);
    restart();
    assert_int_equal(ply_of(&loaded), 4000);
    json_array_append(actions, json_array_get(actions, 0));
    json_t *body = json_pack("{so}", "record", record);
    char *dump = json_dumps(body, 0);
    served_fail(&served, MESSAGE_POST, "/api/tables/load", dump, 400, NULL,
                "the game has 4001 actions; at most 4000 are shown");
    free(dump);
    json_decref(body);
}

/* The seed that is drawn for a game is short in an open game, and long where a short one would reveal hidden
 * parts. */
static void test_seeds(void **unused) {
    static const char *const bodies[] = {"{\"map\":\"duel\"," PLAYERS("random", "random") "}",
                                         "{\"game\":\"geister\"," PLAYERS("random", "random") "}"};
    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        const struct game_at game = sit(bodies[i]);
        json_t *record = record_of(&game, "json");
        const json_t *seed = at(record, "seed");
        const unsigned long long number = json_is_string(seed) ? strtoull(json_string_value(seed), NULL, 10)
                                                               : (unsigned long long)json_integer_value(seed);
        assert_true(number >> 32 == (i == 0 ? 0 : 0x312a231c));
        if (i == 0)
            assert_true(number == 0x312a231c);
        json_decref(record);
    }
}

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
    check_record_forms(placed, "null");
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
    now_ns += INT64_C(25) * 3600 * 1000000000; /* no request for a day */
    sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    char folder[100];
    snprintf(folder, sizeof folder, "%s/tables", served.data);
    assert_int_equal(served_count(folder), 200);
}

static const int64_t hour_ns = INT64_C(3600000000000);

static bool is_there(const struct game_at *game) {
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s", game->id);
    struct message_out out = served_raw(&served, MESSAGE_GET, path, NULL);
    const bool is = out.status == 200;
    message_done(&out);
    return is;
}

/* The oldest game that has had no visitor for more than a day makes room; a reader is one. */
static void test_left_games(void **unused) {
    (void)unused;
    struct game_at games[4];
    struct follower follower;
    char path[200];
    now_ns = 100 * hour_ns;
    for (int i = 0; i < 200; i++) {
        const struct game_at game = sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
        if (i < 4)
            games[i] = game;
    }
    snprintf(path, sizeof path, "/api/tables/%s/events?key=%s,%s", games[0].id, games[0].keys[0],
             games[0].keys[1]);
    follow(&follower, &served, path);
    now_ns += 23 * hour_ns;
    act(&games[1], 0, 0, "pass");
    now_ns += hour_ns;
    served_fail(&served, MESSAGE_POST, "/api/tables", "{\"game\":\"kuhn\"," TWO_PEOPLE "}", 429, NULL,
                "200 games are under way; finish or delete one");
    now_ns++;
    sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    for (int i = 0; i < 4; i++)
        assert_int_equal(is_there(&games[i]), i != 2);
    follow_done(&follower);
    sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    for (int i = 0; i < 4; i++)
        assert_int_equal(is_there(&games[i]), i == 1 || i == 3);
    restart(); /* a restart counts as a visit */
    served_fail(&served, MESSAGE_POST, "/api/tables", "{\"game\":\"kuhn\"," TWO_PEOPLE "}", 429, NULL,
                "200 games");
    post_to(&games[3], "resign", 200, "{\"key\":\"%s\"}",
            games[3].keys[0]); /* a finished one counts no more */
    sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    assert_true(is_there(&games[3]));
}

/* More stored games than there may be: the oldest finished ones go when the workbench is opened. */
static void test_too_many_files(void **unused) {
    (void)unused;
    const struct game_at open = sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}"),
                         over = sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    post_to(&over, "resign", 200, "{\"key\":\"%s\"}", over.keys[0]);
    struct game_at copies[503] = {0};
    for (int i = 0; i < 503; i++) {
        char number[10];
        snprintf(copies[i].id, sizeof copies[i].id, "copy%c%caaaaaaaaaa", 'a' + i / 26, 'a' + i % 26);
        snprintf(number, sizeof number, "%d", 1000 - i);
        write_changed(over.id, copies[i].id, "number", number);
    }
    restart();
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 500);
    for (size_t i = 0; i < 499; i++) /* newest first */
        assert_string_equal(text_at(json_array_get(list, i), "id"), copies[i].id);
    assert_string_equal(text_at(json_array_get(list, 499), "id"), open.id);
    json_decref(list);
    const struct game_at newest = sit("{\"game\":\"kuhn\"," TWO_PEOPLE "}");
    list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 500);
    assert_string_equal(text_at(json_array_get(list, 0), "id"), newest.id);
    assert_string_equal(text_at(json_array_get(list, 498), "id"), copies[497].id);
    json_decref(list);
}

/* Games of people do not use up places of games between players. */
static void test_limit_of_players(void **unused) {
    (void)unused;
    for (int i = 0; i < 24; i++)
        sit("{\"map\":\"duel\",\"seats\":[{\"kind\":\"player\",\"spec\":\"random\"},{\"kind\":\"human\"}]}");
    struct game_at game;
    for (int i = 0; i < 24; i++)
        game = sit("{\"map\":\"duel\"," PLAYERS("random", "random") "}");
    served_fail(&served, MESSAGE_POST, "/api/tables", "{\"map\":\"duel\"," PLAYERS("random", "random") "}",
                429, NULL, "24 games between players are under way; wait for one, or stop one");
    post_to(&game, "stop", 200, "{}");
    sit("{\"map\":\"duel\"," PLAYERS("random", "random") "}");
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

#define IDLE(test) cmocka_unit_test_setup_teardown(test, open_idle, close_it)
#define BUSY(test) cmocka_unit_test_setup_teardown(test, open_busy, close_it)

int main(void) {
    const struct CMUnitTest tests[] = {
        IDLE(test_refused),
        IDLE(test_made),
        IDLE(test_people),
        IDLE(test_undo),
        IDLE(test_offers),
        IDLE(test_resign),
        IDLE(test_clocks),
        BUSY(test_clock_runs_out),
        IDLE(test_restart_people),
        IDLE(test_strange_files),
        IDLE(test_position),
        IDLE(test_removed),
        IDLE(test_limits),
        IDLE(test_finished_limit),
        IDLE(test_lengths),
        IDLE(test_terrain),
        IDLE(test_keys),
        IDLE(test_late),
        IDLE(test_clocks_taken_back),
        IDLE(test_changed_files),
        IDLE(test_edited_file),
        IDLE(test_loaded),
        IDLE(test_loaded_log),
        IDLE(test_long_record),
        IDLE(test_seeds),
        IDLE(test_left_games),
        IDLE(test_too_many_files),
        IDLE(test_limit_of_players),
        IDLE(test_offer_events),
        IDLE(test_positions_that_are_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
