/* SPDX-License-Identifier: MIT
 *
 * Long games, whose steps are stored as text: the output equals that of a new serialisation, after any
 * mixture of take-backs, storing and dropping.
 */
#include "tests/served_support.h"

#include "base/mem.h"
#include "serve/live_game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Longer than a game whose texts are not stored. */
enum { PASSES = 300 };

#define LONG_MAP                                                                                             \
    "SIZEX[6];SIZEY[6];\\nTURNLIMIT[9999];HPTHRESHOLD[3];\\nUNITNUMRED[2];UNITNUMBLUE[2];\\nAUTHOR[];\\n"    \
    "MAPCOM[];\\nUNIT[2,2,infantry,0,10,0];\\nUNIT[1,1,panzer,0,10,0];\\nUNIT[3,3,infantry,1,10,0];\\n"      \
    "UNIT[4,4,panzer,1,10,0];\\nMAP[0,0,0,0,0,0];\\nMAP[0,1,3,1,1,0];\\nMAP[0,3,4,1,3,0];\\n"                \
    "MAP[0,3,1,4,3,0];\\nMAP[0,1,1,3,1,0];\\nMAP[0,0,0,0,0,0];\\n"

struct sitting {
    struct served served;
    char path[64], keys[72]; /* both keys, with a comma between them */
    int ply;
};

static void sit_down_to(struct sitting *s, const char *body) {
    s->ply = 0;
    json_t *made = served_ask(&s->served, MESSAGE_POST, "/api/tables", body, 201);
    const json_t *keys = json_object_get(made, "keys");
    snprintf(s->path, sizeof s->path, "/api/tables/%s", json_string_value(json_object_get(made, "id")));
    snprintf(s->keys, sizeof s->keys, "%s,%s", json_string_value(json_array_get(keys, 0)),
             json_string_value(json_array_get(keys, 1)));
    json_decref(made);
}

static void sit_down(struct sitting *s) {
    sit_down_to(s, "{\"game\":\"tbs\",\"map_text\":\"" LONG_MAP "\",\"seed\":1,\"seats\":["
                   "{\"kind\":\"human\"},{\"kind\":\"human\"}]}");
}

static void sit(struct sitting *s) {
    *s = (struct sitting){.served = {.idle = true}};
    served_open(&s->served);
    sit_down(s);
}

static void post(struct sitting *s, const char *verb, const char *more) {
    char path[100], body[200];
    snprintf(path, sizeof path, "%s/%s", s->path, verb);
    snprintf(body, sizeof body, "{\"key\":\"%s\"%s}", s->keys, more);
    json_t *answer = served_ask(&s->served, MESSAGE_POST, path, body, 200);
    s->ply = (int)json_integer_value(json_object_get(answer, "ply"));
    json_decref(answer);
}

static void act(struct sitting *s, const char *text) {
    char more[64];
    snprintf(more, sizeof more, ",\"ply\":%d,\"action\":\"%s\"", s->ply, text);
    post(s, "action", more);
}

/* The current steps in JSON, owned by the caller. */
static json_t *steps_of(struct sitting *s) {
    json_t *table = served_ask(&s->served, MESSAGE_GET, s->path, NULL, 200);
    json_t *steps = json_incref(json_object_get(table, "steps"));
    assert_int_equal(json_array_size(steps), s->ply);
    json_decref(table);
    return steps;
}

/* A workbench that was closed has nothing in memory: all texts are made anew. */
static void check_against_anew(struct sitting *s) {
    json_t *kept = steps_of(s);
    served_close(&s->served);
    served_open(&s->served);
    json_t *anew = steps_of(s), *again = steps_of(s);
    assert_true(json_equal(kept, anew));
    assert_true(json_equal(kept, again));
    json_decref(kept);
    json_decref(anew);
    json_decref(again);
}

static void sends_long_games_unchanged(void **state) {
    (void)state;
    struct sitting s;
    sit(&s);
    for (int i = 0; i < PASSES; i++)
        act(&s, "pass");
    check_against_anew(&s);
    for (int i = 0; i < 3; i++)
        act(&s, "pass");
    check_against_anew(&s);
    served_remove(&s.served);
}

static const char *last_action(const json_t *steps) {
    const json_t *last = json_array_get(steps, json_array_size(steps) - 1);
    return json_string_value(json_object_get(last, "action"));
}

/* Steps that were taken back are no longer sent. */
static void forgets_what_was_taken_back(void **state) {
    (void)state;
    struct sitting s;
    sit(&s);
    for (int i = 0; i < PASSES; i++)
        act(&s, "pass");
    act(&s, "0:2,1");
    json_t *before = steps_of(&s);
    assert_string_equal(last_action(before), "0:2,1");
    post(&s, "undo", "");
    act(&s, "0:1,2");
    json_t *after = steps_of(&s);
    assert_string_equal(last_action(after), "0:1,2");
    check_against_anew(&s);
    post(&s, "take-back", "");
    assert_int_equal(s.ply, PASSES);
    act(&s, "pass");
    check_against_anew(&s);
    json_decref(before);
    json_decref(after);
    served_remove(&s.served);
}

/* A further game of the same kind, in the same workbench. */
static void sit_beside(const struct sitting *other, struct sitting *s) {
    *s = *other;
    sit_down(s);
    for (int i = 0; i < PASSES; i++)
        act(s, "pass");
}

/* The amount of stored text is limited; games without readers make room, and are sent as before. */
static void stores_a_limited_amount(void **state) {
    (void)state;
    struct sitting games[3];
    sit(&games[0]);
    struct live_games *tables = games[0].served.bench->live_games;
    for (int i = 0; i < PASSES; i++)
        act(&games[0], "pass");
    json_t *steps = steps_of(&games[0]);
    const size_t one = tables->cached_bytes;
    assert_true(one > 0);
    tables->cached_max = one + one / 2;
    sit_beside(&games[0], &games[1]);
    sit_beside(&games[0], &games[2]);
    for (int i = 0; i < 6; i++) {
        json_t *again = steps_of(&games[i % 3]);
        assert_true(tables->cached_bytes >= one / 2);
        assert_true(tables->cached_bytes < tables->cached_max);
        assert_int_equal(json_array_size(again), json_array_size(steps));
        json_decref(again);
    }
    json_t *again = steps_of(&games[0]);
    assert_true(json_equal(again, steps));
    for (int i = 0; i < 3; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s?key=%s", games[i].path, games[i].keys);
        served_ask(&games[0].served, MESSAGE_DELETE, path, NULL, 204);
    }
    assert_int_equal(tables->cached_bytes, 0);
    json_decref(again);
    json_decref(steps);
    served_remove(&games[0].served);
}

static int count_of(struct sitting *s, const char *words) {
    struct message_out out = served_raw(&s->served, MESSAGE_GET, s->path, NULL);
    int count = 0;
    for (const char *at = text_string(&out.body); (at = strstr(at, words)) != NULL; at++)
        count++;
    message_done(&out);
    return count;
}

/* No text of a game is stored before the whole game is public. */
static void stores_nothing_that_is_hidden(void **state) {
    (void)state;
    static const char *const moves[] = {"BN", "BN", "BS", "BS"};
    struct sitting s = {.served = {.idle = true}};
    served_open(&s.served);
    sit_down_to(&s, "{\"game\":\"geister:plies=400\",\"seats\":["
                    "{\"kind\":\"human\"},{\"kind\":\"human\"}]}");
    const struct live_games *tables = s.served.bench->live_games;
    act(&s, "ABCD");
    act(&s, "EFGH");
    for (int i = 0; i < PASSES; i++)
        act(&s, moves[i % 4]);
    assert_int_equal(count_of(&s, "\"colour\":\"red\""), 0);
    assert_true(count_of(&s, "\"colour\":\"unknown\"") > PASSES);
    assert_int_equal(tables->cached_bytes, 0);
    post(&s, "resign", "");
    for (int i = 0; i < 2; i++) {
        assert_true(count_of(&s, "\"colour\":\"red\"") > PASSES);
        assert_int_equal(count_of(&s, "\"colour\":\"unknown\""), 16 + 8); /* not set up yet */
        assert_true(tables->cached_bytes > 0);
    }
    served_remove(&s.served);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_long_games_unchanged),
        cmocka_unit_test(forgets_what_was_taken_back),
        cmocka_unit_test(stores_a_limited_amount),
        cmocka_unit_test(stores_nothing_that_is_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
