/* SPDX-License-Identifier: MIT
 *
 * Players in live games: the same games as in a match, sent step by step; people against them; faults,
 * restarts in the middle, records, and games that never end.
 */
#include "sample.h"
#include "serve/live_game.h"
#include "tests/follow_support.h"
#include "tests/own_maps.h"
#include "tests/seated_support.h"

#include "match/batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- players ---- */

/* The record of the same game as a match plays it. */
static json_t *game_run_record(struct scenario *scenario, const char *first, const char *second,
                               uint64_t seed) {
    const char *const specs[2] = {first, second};
    struct err e;
    struct game_run_result result;
    struct game_run game_run = {.game.scenario = scenario, .game.seed = seed};
    struct text text = {0};
    for (int side = 0; side < 2; side++) {
        game_run.names[side] = specs[side];
        game_run.players[side] = player_open(specs[side], scenario->game, &e);
        assert_non_null(game_run.players[side]);
    }
    assert_true(game_run_play(&game_run, &result, &e));
    assert_true(record_write_json(&result.record, &text, &e));
    json_t *record = json_loads(text_string(&text), 0, NULL);
    assert_non_null(record);
    text_done(&text);
    game_run_result_done(&result);
    for (int side = 0; side < 2; side++)
        player_close(game_run.players[side]);
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

static json_t *game_run_of(const struct pairing *p) {
    struct err e;
    struct scenario *scenario = p->map != NULL ? own_map(p->map) : game_load_spec(p->game, &e);
    assert_non_null(scenario);
    json_t *record = game_run_record(scenario, p->players[0], p->players[1], p->seed);
    game_unload(scenario);
    return record;
}

static void test_same_as_match(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof pairings / sizeof pairings[0]; i++) {
        const struct game_at game = start_pairing(&pairings[i]);
        json_decref(wait_for(&game, TO_THE_END));
        json_t *here = record_of(&game), *there = game_run_of(&pairings[i]);
        check_same_game(here, there);
        json_decref(here);
        json_decref(there);
    }
}

/* Every step once and in order, then the whole game, then the end. */
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
    assert_int_equal(known, ended); /* the stream ends when the adviser has finished */
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
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    assert_int_equal(ply_of(&game), 0);
    act(&game, 0, 0, "1:2,3x2");
    act(&game, 0, 1, "pass");
    json_t *table = wait_for(&game, 3);
    assert_int_equal(number_at(json_array_get(at(table, "steps"), 2), "side"), 1);
    json_decref(table);
    post_to(&game, "stop", 409, "{}");
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
        post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
        assert_int_equal(ply_of(&game), 0);
    }
    act(&game, 0, 0, "pass");
}

static bool is_advised(void) {
    workbench_lock(served.bench);
    const bool is = served.bench->live_games->newest->is_advised;
    workbench_unlock(served.bench);
    return is;
}

/* The adviser is still evaluating an action that was taken back when the game ends: its answer no longer
 * counts, but subscribers get the end of its comments. */
static void test_end_while_it_advises(void **unused) {
    (void)unused;
    char path[200];
    struct follower follower;
    const struct game_at game = sit("{\"map\":\"largest\"," TWO_PEOPLE "}");
    snprintf(path, sizeof path, "/api/tables/%s/events", game.id);
    follow(&follower, &served, path);
    act(&game, 0, 0, "pass");
    for (int i = 0; i < 100 && !is_advised(); i++)
        nap();
    post_to(&game, "take-back", 200, "{\"key\":\"%s,%s\"}", game.keys[0], game.keys[1]);
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[1]);
    for (int i = 0; i < 10000 && !follower.has_ended; i++) {
        nap();
        follow_more(&follower);
    }
    assert_true(follower.has_ended);
    follow_done(&follower);
}

/* While it thinks it publishes its thoughts. */
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
    post_to(&game, "stop", 200, "{}");
    for (int i = 0; i < 10000 && !follower.has_ended; i++) {
        nap();
        follow_more(&follower);
    }
    event = followed(&follower, "table", -1);
    assert_string_equal(text_at(event, "comment"), "stopped");
    assert_true(is_true(event, "over"));
    json_decref(event);
    follow_done(&follower);
    post_to(&game, "stop", 409, "{}");
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

/* ---- restarts, records ---- */

/* Stopped in the middle and continued, the game equals one that was never stopped. */
static void test_restart_players(void **unused) {
    static const struct pairing longer = {
        "tbs",
        "ambush",
        {SAMPLE("uct:sims=2000", "uct:sims=600"), SAMPLE("uct:sims=1000", "uct:sims=300")},
        21};
    (void)unused;
    struct game_at game;
    int stops = 0;
    while (stops == 0) { /* the game may be over before the first request: then another one starts */
        game = start_pairing(&longer);
        bool over = false;
        for (int ply = 2; ply < 20 && !over; ply += 5) {
            json_t *table = wait_for(&game, ply);
            over = is_true(table, "over");
            stops += !over;
            json_decref(table);
            restart();
        }
    }
    json_decref(wait_for(&game, TO_THE_END));
    json_t *here = record_of(&game), *there = game_run_of(&longer);
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

/* Replaces a game's thoughts by these lines; of its first steps only this one still has thoughts then. */
static void check_strange(const struct game_at *game, const char *lines, size_t good) {
    char path[200];
    struct follower follower;
    snprintf(path, sizeof path, "%s/tables/%s.thoughts", served.data, game->id);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(lines, file);
    fclose(file);
    json_t *table = look(game, "");
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(json_is_object(at(json_array_get(at(table, "steps"), i), "thoughts")), i == good);
    json_decref(table);
    snprintf(path, sizeof path, "/api/tables/%s/events", game->id);
    follow(&follower, &served, path);
    json_t *told = followed(&follower, "table", 0);
    follow_done(&follower);
    assert_non_null(told);
    json_decref(told);
}

/* Foreign lines in place of the thoughts are not sent: answers stay JSON, and events lines. That also holds
 * when the thoughts were sent before. */
static void test_strange_thoughts(void **unused) {
    (void)unused;
    const struct game_at game = start_pairing(&pairings[0]);
    json_decref(wait_for(&game, TO_THE_END));
    restart(); /* they are in their file */
    check_strange(&game, "{\"side\":\n{},{}\n{\"side\":0}\n{\"side\":\r1}\n", 2);
    check_strange(&game, "{\"side\":1}\nnull\nnull\nnull\n", 0);
    check_strange(&game, "{\"side\":1]\nnull\nnull\n{}\n", 3);
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
    /* What was read before the fault is released; LeakSanitizer checks that. */
    served_fail(&served, MESSAGE_POST, "/api/tables/load",
                "{\"record\":{\"format\":\"senjutsu-record\",\"version\":1,\"map\":\"SIZEX=3\"}}", 400, NULL,
                "players");
}

/* ---- a game that is too long ---- */

static bool is_over_in_list(void) {
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    const bool over = is_true(json_array_get(list, 0), "over");
    json_decref(list);
    return over;
}

static void test_too_long(void **unused) {
    (void)unused;
    if (IS_SANITIZED)
        skip(); /* four thousand times the same */
    const struct game_at game = sit("{\"map_text\":\"" APART "\"," PLAYERS("uct:sims=1", "random") "}");
    for (int i = 0; i < 30000 && !is_over_in_list(); i++)
        nap();
    json_t *table = look(&game, "");
    const json_t *steps = at(table, "steps");
    assert_int_equal(number_at(table, "ply"), 4000);
    assert_non_null(strstr(text_at(table, "comment"), "too long"));
    assert_string_equal(text_at(table, "result"), "none");
    for (size_t i = 0; i < json_array_size(steps);
         i += 500) /* red's: thoughts of the first thousand steps are stored */
        assert_int_equal(json_is_object(at(json_array_get(steps, i), "thoughts")), i < 1000);
    json_decref(table);
}

/* ---- while time stands still ---- */

/* Until the stream of the game has ended: it is over, advised and saved. */
static void await_end(const struct game_at *game) {
    struct follower follower;
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/events", game->id);
    follow(&follower, &served, path);
    for (int i = 0; i < 60000 && !follower.has_ended; i++) {
        nap();
        follow_more(&follower);
    }
    assert_true(follower.has_ended);
    follow_done(&follower);
}

/* Polls until this side (NOBODY: any) is to move and every step has a chance; the game, as that key sees it.
 */
static json_t *await_chances(const struct game_at *game, int mover, const char *key) {
    for (int i = 0; i < 60000; i++) {
        json_t *table = look(game, key);
        bool is_known = mover == NOBODY || json_integer_value(at(table, "mover")) == mover;
        for (size_t k = 0; k < json_array_size(at(table, "steps")); k++)
            is_known = is_known && json_is_real(at(json_array_get(at(table, "steps"), k), "chance"));
        if (is_known)
            return table;
        json_decref(table);
        nap();
    }
    fail_msg("the adviser does not answer");
    return NULL;
}

/* Until no thread works any more. */
static void await_rest(void) {
    for (int i = 0; i < 60000 && task_pool_size(served.bench->task_pool) > 0; i++)
        nap();
    assert_int_equal(task_pool_size(served.bench->task_pool), 0);
}

static void test_removed_while_it_thinks(void **unused) {
    (void)unused;
    char path[200];
    const struct game_at game =
        sit("{\"map\":\"duel\"," PLAYERS("uct:sims=1000000000", "uct:sims=1000000000") "}");
    assert_int_equal(task_pool_size(served.bench->task_pool), 1);
    snprintf(path, sizeof path, "/api/tables/%s", game.id);
    served_ask(&served, MESSAGE_DELETE, path, NULL, 204);
    await_rest();
}

/* A finished game is saved at once. A restart does not change it, and no file is left when it is removed. */
static void test_saved_at_the_end(void **unused) {
    char path[200];
    (void)unused;
    const struct game_at game = start_pairing(&pairings[0]);
    await_end(&game);
    await_rest();
    json_t *before = look(&game, "");
    int thoughts = 0;
    for (size_t i = 0; i < json_array_size(at(before, "steps")); i++) {
        const json_t *step = json_array_get(at(before, "steps"), i);
        assert_true(json_is_real(at(step, "chance")));
        assert_true(json_number_value(at(step, "ms")) == 0);
        thoughts += json_is_object(at(step, "thoughts"));
    }
    assert_true(thoughts > 0);
    snprintf(path, sizeof path, "%s/tables", served.data);
    assert_int_equal(served_count(path), 2);
    restart();
    for (int i = 0; i < 2; i++) {
        json_t *after = look(&game, "");
        assert_true(json_equal(before, after));
        json_decref(after);
    }
    json_decref(before);
    await_rest();
    snprintf(path, sizeof path, "/api/tables/%s", game.id);
    served_ask(&served, MESSAGE_DELETE, path, NULL, 204);
    snprintf(path, sizeof path, "%s/tables", served.data);
    assert_int_equal(served_count(path), 0);
}

static void sit_against(bool thoughts, struct game_at *game) {
    char body[300];
    snprintf(body, sizeof body,
             "{\"map\":\"duel\",\"seed\":4,\"clock\":\"game=100\",%s\"seats\":[{\"kind\":\"human\"},"
             "{\"kind\":\"player\",\"spec\":\"uct:sims=50\"}]}",
             thoughts ? "" : "\"thoughts\":false,");
    *game = sit(body);
}

/* A game in the middle is the same after a restart, with the player's thoughts and the comments still to
 * come. */
static void test_restart_in_the_middle(void **unused) {
    (void)unused;
    for (int thinks = 0; thinks < 2; thinks++) {
        struct game_at game;
        sit_against(thinks != 0, &game);
        act(&game, 0, 0, "pass");
        json_t *before = await_chances(&game, 0, game.keys[0]);
        const int ply = number_at(before, "ply");
        for (size_t i = 1; i < (size_t)ply; i++)
            assert_int_equal(json_is_object(at(json_array_get(at(before, "steps"), i), "thoughts")), thinks);
        restart();
        json_t *after = look(&game, game.keys[0]);
        assert_true(json_equal(before, after));
        act(&game, 0, ply, "pass");
        json_decref(after);
        after = wait_for(&game, ply + 2);
        assert_int_equal(json_is_object(at(json_array_get(at(after, "steps"), (size_t)ply + 1), "thoughts")),
                         thinks);
        json_decref(before);
        json_decref(after);
    }
}

/* Thoughts whose file cannot be written stay in memory, and are written when the workbench is closed. */
static void test_thoughts_without_a_file(void **unused) {
    char path[200], below[220];
    (void)unused;
    struct game_at game;
    sit_against(true, &game);
    snprintf(path, sizeof path, "%s/tables/%s.thoughts", served.data, game.id);
    snprintf(below, sizeof below, "%s/below", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(mkdir(below, 0700), 0);
    act(&game, 0, 0, "pass");
    json_decref(await_chances(&game, 0, ""));
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[0]);
    await_end(&game);
    json_t *before = look(&game, "");
    assert_true(json_is_object(at(json_array_get(at(before, "steps"), 1), "thoughts")));
    for (int i = 0; i < 4; i++) {
        json_t *after = look(&game, "");
        assert_true(json_equal(before, after));
        json_decref(after);
        if (i == 1) {
            assert_int_equal(rmdir(below), 0);
            assert_int_equal(rmdir(path), 0);
            restart();
        }
    }
    json_decref(before);
}

/* The steps of a game of people, who try other actions first or do not. */
static json_t *advised_steps(bool hesitate) {
    const struct game_at game = sit("{\"map\":\"duel\",\"seed\":5," TWO_PEOPLE "}");
    if (hesitate) {
        act(&game, 0, 0, "0:4,3x2");
        json_decref(await_chances(&game, NOBODY, ""));
        post_to(&game, "undo", 200, "{\"key\":\"%s\"}", game.keys[0]);
        act(&game, 0, 0, "pass");
        act(&game, 1, 1, "pass");
        json_decref(await_chances(&game, NOBODY, ""));
        post_to(&game, "take-back", 200, "{\"key\":\"%s,%s\"}", game.keys[0], game.keys[1]);
        post_to(&game, "take-back", 200, "{\"key\":\"%s,%s\"}", game.keys[0], game.keys[1]);
        assert_int_equal(ply_of(&game), 0);
    }
    act(&game, 0, 0, "1:2,3x2");
    act(&game, 0, 1, "pass");
    act(&game, 1, 2, "pass");
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[1]);
    await_end(&game);
    json_t *table = await_chances(&game, NOBODY, "");
    json_t *steps = json_incref(json_object_get(table, "steps"));
    json_decref(table);
    return steps;
}

/* Actions that were taken back have no effect on the adviser's comments. */
static void test_advice_after_taking_back(void **unused) {
    (void)unused;
    json_t *straight = advised_steps(false), *hesitant = advised_steps(true);
    assert_int_equal(json_array_size(straight), 3);
    assert_true(json_equal(straight, hesitant));
    json_decref(straight);
    json_decref(hesitant);
    await_rest();
}

/* ---- threads and clocks ---- */

/* Tasks that take threads until they may end. */
struct occupation {
    atomic_bool is_over;
    atomic_int ended;
};

static void occupy(void *context) {
    struct occupation *o = context;
    while (!atomic_load(&o->is_over))
        nap();
    atomic_fetch_add(&o->ended, 1);
}

static long left_of(const struct game_at *game) {
    json_t *table = look(game, "");
    const long left = (long)json_integer_value(json_array_get(at(at(table, "clocks"), "left_ms"), 0));
    json_decref(table);
    return left;
}

/* Without a free thread a player waits. It begins when there is one, without any request, and its clock
 * begins then. */
static void test_waits_for_a_thread(void **unused) {
    (void)unused;
    static struct occupation occupation;
    struct err e;
    int others = 0;
    const struct task task = {.run = occupy, .context = &occupation};
    const struct game_at people =
        sit("{\"map\":\"duel\",\"clock\":\"turn=1000\"," TWO_PEOPLE "}"); /* its clock needs one thread */
    while (task_pool_start(served.bench->task_pool, &task, &e))
        others++;
    assert_int_equal(others, 63);
    assert_string_equal(e.text, "64 things are thought about at the moment; that is the most there may be");
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"turn=1000\"," PLAYERS(
        "uct:sims=1000000000", "uct:sims=1000000000") "}");
    act(&people, 0, 0, "pass"); /* nor is there one for the adviser */
    workbench_lock(served.bench);
    const int advisers = served.bench->live_games->advisers;
    workbench_unlock(served.bench);
    long left = left_of(&game);
    for (int i = 0; i < 60000 && left > 999900; i++) {
        nap();
        left = left_of(&game);
    }
    assert_true(left <= 999900);
    atomic_store(&occupation.is_over, true);
    while (atomic_load(&occupation.ended) < others)
        nap();
    assert_int_equal(advisers, 0);
    long next = left_of(&game);
    for (int i = 0; i < 60000 && next <= left; i++) {
        left = next;
        nap();
        next = left_of(&game);
    }
    assert_true(next > left);
    post_to(&game, "stop", 200, "{}");
}

/* A player that could think for ever answers within its time. */
static void test_time_limits_hold(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"turn=0.05,grace=1000\"," PLAYERS(
        "uct:sims=1000000000", "uct:sims=1000000000") "}");
    json_t *table = wait_for(&game, 3);
    assert_int_equal(number_at(table, "thinking"), number_at(table, "mover"));
    for (size_t i = 0; i < 3; i++)
        assert_true(json_number_value(at(json_array_get(at(table, "steps"), i), "ms")) > 1);
    json_decref(table);
    post_to(&game, "stop", 200, "{}");
}

/* A player that has lost its permission does not lose: the game is stopped. */
static void test_program_that_is_not_allowed_any_more(void **unused) {
    const char *saboteur = getenv("SENJUTSU_SABOTEUR");
    char body[800];
    (void)unused;
    if (saboteur == NULL)
        skip();
    snprintf(body, sizeof body,
             "{\"map\":\"duel\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"player\",\"spec\":"
             "\"ext:cmd=%s crash 1000\"}]}",
             saboteur);
    const struct game_at game = sit(body);
    served_close(&served);
    served.programs = false;
    served_open(&served);
    act(&game, 0, 0, "pass");
    json_t *table = wait_for(&game, TO_THE_END);
    assert_string_equal(text_at(table, "comment"),
                        "stopped: ext: programs of others are not allowed here; 'senjutsu serve --programs' "
                        "allows them");
    assert_string_equal(text_at(table, "result"), "none");
    assert_int_equal(number_at(table, "ply"), 1);
    assert_true(json_is_null(at(at(table, "state"), "payoff")));
    json_decref(table);
}

#define BUSY(test)     cmocka_unit_test_setup_teardown(test, open_busy, close_it)
#define FROZEN(test)   cmocka_unit_test_setup_teardown(test, open_frozen, close_it)
#define PROGRAMS(test) cmocka_unit_test_setup_teardown(test, open_programs, close_it)

int main(void) {
    const struct CMUnitTest tests[] = {
        BUSY(test_same_as_match),
        BUSY(test_stream),
        BUSY(test_against_player),
        BUSY(test_take_back_while_it_thinks),
        BUSY(test_end_while_it_advises),
        BUSY(test_live_thoughts),
        PROGRAMS(test_faults),
        BUSY(test_restart_players),
        BUSY(test_records),
        BUSY(test_too_long),
        BUSY(test_strange_thoughts),
        BUSY(test_removed_while_it_thinks),
        FROZEN(test_saved_at_the_end),
        FROZEN(test_restart_in_the_middle),
        FROZEN(test_thoughts_without_a_file),
        FROZEN(test_advice_after_taking_back),
        BUSY(test_waits_for_a_thread),
        BUSY(test_time_limits_hold),
        PROGRAMS(test_program_that_is_not_allowed_any_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
