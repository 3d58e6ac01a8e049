/* SPDX-License-Identifier: MIT
 *
 * Live games with hidden parts: a whole game is played twice, by the same moves, with colours that differ
 * only where one side can see them. All bytes sent to the other side and the public, answers and events, must
 * be equal, until the end shows all.
 */
#include "tests/bench_support.h"
#include "tests/follow_support.h"
#include "tests/sample.h"

#include "game/geister/geister.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { PLIES = SAMPLE(50, 30), BOTH = 3, VIEWERS = 4 };

/* ---- a script of moves that both games allow ---- */

struct script {
    int count, back; /* the ply whose move is taken back: it shows nothing */
    char moves[PLIES][8];
};

/* May it be played in both without showing that they differ? Nothing is taken that has another colour. */
static bool fits(const struct geister *one, const struct geister *other, action a) {
    struct geister next[2] = {*one, *other};
    struct rng r;
    rng_seed(&r, 1);
    if (!geister_game.is_legal(other, a))
        return false;
    geister_game.play(&next[0], a, &r);
    geister_game.play(&next[1], a, &r);
    for (int side = 0; side < 2; side++)
        for (int piece = 0; piece < GEISTER_PIECES; piece++)
            if (next[0].where[side][piece] >= GEISTER_CELLS &&
                (next[0].reds[side] ^ next[1].reds[side]) >> piece & 1)
                return false;
    return geister_game.mover(&next[0]) != NOBODY && geister_game.mover(&next[1]) != NOBODY;
}

/* The piece that the action takes, or -1; -2 when it ends the game, as far as can be foreseen. */
static int taken_by(const struct geister *s, action a) {
    struct geister next = *s;
    struct rng any;
    rng_seed(&any, 1);
    geister_game.play(&next, a, &any);
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (next.where[s->mover ^ 1][piece] == GEISTER_TAKEN &&
            s->where[s->mover ^ 1][piece] != GEISTER_TAKEN)
            return piece;
    return geister_game.mover(&next) == NOBODY ? -2 : -1;
}

static void set_up(const struct scenario *scenario, const char *const reds[2], struct geister *out) {
    struct rng r;
    struct err e;
    rng_seed(&r, 1);
    geister_game.start(out, scenario, &r);
    for (int side = 0; side < 2; side++) {
        action a;
        assert_true(geister_game.text->read_action(out, reds[side], &a, &e));
        geister_game.play(out, a, &r);
    }
}

static void write_script(const char *const one[2], const char *const other[2], uint64_t seed,
                         struct script *out) {
    struct err e;
    struct scenario *scenario = game_load_spec("geister", &e);
    struct geister states[2];
    struct rng r;
    rng_seed(&r, seed);
    set_up(scenario, one, &states[0]);
    set_up(scenario, other, &states[1]);
    out->back = 0;
    for (out->count = 0; out->count < PLIES; out->count++) {
        action list[GEISTER_SETUPS], fitting[GEISTER_SETUPS];
        const int count = geister_game.actions(&states[0], list);
        struct text text = {0};
        uint32_t n = 0;
        for (int i = 0; i < count; i++)
            if (fits(&states[0], &states[1], list[i]))
                fitting[n++] = list[i];
        assert_true(n > 0);
        const action a = fitting[rng_below(&r, n)];
        if (out->back == 0 && out->count >= 18 && out->count % 2 == 0 && taken_by(&states[0], a) == -1)
            out->back = out->count + 2;
        geister_game.text->write_action(&states[0], a, &text);
        snprintf(out->moves[out->count], sizeof out->moves[0], "%s", text_string(&text));
        text_done(&text);
        geister_game.play(&states[0], a, &r);
        geister_game.play(&states[1], a, &r);
    }
    assert_true(out->back > 0);
    game_unload(scenario);
}

/* ---- a game, and all that is sent ---- */

/* By viewer: without a key, with the first's, the second's, both. The last has an entry for each side to
 * move. */
struct sent {
    struct text answers[VIEWERS], events[VIEWERS], both[2];
    struct text shown; /* at the end, to all viewers */
    char id[32], keys[2][32];
};

static void sent_done(struct sent *sent) {
    for (int i = 0; i < VIEWERS; i++) {
        text_done(&sent->answers[i]);
        text_done(&sent->events[i]);
    }
    text_done(&sent->both[0]);
    text_done(&sent->both[1]);
    text_done(&sent->shown);
}

/* Copies what stands between `mark` and the next `end`, again and again: marks are left out up to there. */
static void add_without(struct text *out, const char *text, const char *mark, const char *end) {
    for (const char *hit; (hit = strstr(text, mark)) != NULL;) {
        text_add_bytes(out, text, (size_t)(hit - text));
        text = hit + strlen(mark);
        text += strcspn(text, end);
    }
    text_add_string(out, text);
}

/* Ids of live games and of events differ from game to game. */
static void add_blotted(struct text *out, const char *text, const char *id) {
    struct text without = {0};
    add_without(&without, text, id, "\",?/");
    add_without(out, text_string(&without), "id: ", "\n");
    text_done(&without);
}

static void path_for(const struct sent *sent, int viewer, const char *what, char *out, size_t out_size) {
    const char *first = viewer & 1 ? sent->keys[0] : "", *second = viewer & 2 ? sent->keys[1] : "";
    snprintf(out, out_size, "/api/tables/%s%s%s%s%s%s", sent->id, what, viewer != 0 ? "?key=" : "", first,
             viewer == BOTH ? "," : "", second);
}

static void look(struct sent *sent, int mover) {
    for (int viewer = 0; viewer < VIEWERS; viewer++) {
        char path[200];
        path_for(sent, viewer, "", path, sizeof path);
        struct message_out out = served_raw(&served, MESSAGE_GET, path, NULL);
        assert_int_equal(out.status, 200);
        assert_non_null(strstr(text_string(&out.body), "\"record_forms\":[],"));
        add_blotted(viewer == BOTH ? &sent->both[mover] : &sent->answers[viewer], text_string(&out.body),
                    sent->id);
        message_done(&out);
    }
    for (int viewer = 0; viewer < VIEWERS; viewer++) { /* a refusal must not reveal anything either */
        char path[200];
        path_for(sent, viewer, "/record", path, sizeof path);
        struct message_out out = served_raw(&served, MESSAGE_GET, path, NULL);
        assert_int_equal(out.status, 409);
        message_done(&out);
    }
}

static void post(const struct sent *sent, const char *verb, const char *body) {
    char path[100];
    snprintf(path, sizeof path, "/api/tables/%s/%s", sent->id, verb);
    json_decref(served_ask(&served, MESSAGE_POST, path, body, 200));
}

static void act(const struct sent *sent, int ply, const char *text) {
    char body[200];
    snprintf(body, sizeof body, "{\"key\":\"%s\",\"ply\":%d,\"action\":\"%s\"}", sent->keys[ply % 2], ply,
             text);
    post(sent, "action", body);
}

static void sit(struct sent *sent, const char *body) {
    json_t *made = served_ask(&served, MESSAGE_POST, "/api/tables", body, 201);
    snprintf(sent->id, sizeof sent->id, "%s", json_string_value(json_object_get(made, "id")));
    for (size_t i = 0; i < 2; i++) {
        const char *key = json_string_value(json_array_get(json_object_get(made, "keys"), i));
        snprintf(sent->keys[i], sizeof sent->keys[i], "%s", key != NULL ? key : "");
    }
    json_decref(made);
}

/* Plays on, with a take-back and an offer on the way. */
static void play_through(struct sent *sent, const char *const reds[2], const struct script *script) {
    char body[100];
    for (int ply = 0; ply < script->count + 2; ply++) {
        look(sent, ply % 2);
        act(sent, ply, ply < 2 ? reds[ply] : script->moves[ply - 2]);
        if (ply == script->back) {
            snprintf(body, sizeof body, "{\"key\":\"%s\"}", sent->keys[0]);
            post(sent, "take-back", body);
            look(sent, (ply + 1) % 2);
            snprintf(body, sizeof body, "{\"key\":\"%s\",\"accept\":true}", sent->keys[1]);
            post(sent, "answer", body);
            look(sent, ply % 2);
            act(sent, ply, script->moves[ply - 2]);
        }
    }
    look(sent, script->count % 2);
}

static void play(const char *const reds[2], const struct script *script, struct sent *sent) {
    struct follower followers[VIEWERS];
    char body[100], path[200];
    *sent = (struct sent){0};
    sit(sent, "{\"game\":\"geister\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"human\"}]}");
    for (int viewer = 0; viewer < VIEWERS; viewer++) {
        path_for(sent, viewer, "/events", path, sizeof path);
        follow(&followers[viewer], &served, path);
    }
    play_through(sent, reds, script);
    for (int viewer = 0; viewer < VIEWERS; viewer++) {
        follow_more(&followers[viewer]);
        add_blotted(&sent->events[viewer], text_string(&followers[viewer].text), sent->id);
        assert_false(followers[viewer].has_ended);
    }
    snprintf(body, sizeof body, "{\"key\":\"%s\"}", sent->keys[0]);
    post(sent, "resign", body);
    for (int viewer = 0; viewer < VIEWERS; viewer++) {
        json_t *last;
        follow_more(&followers[viewer]);
        assert_true(followers[viewer].has_ended);
        last = followed(&followers[viewer], "table", -1);
        assert_true(json_is_true(json_object_get(last, "sees_all")));
        json_decref(last);
        follow_done(&followers[viewer]);
    }
    path_for(sent, 0, "", path, sizeof path);
    struct message_out out = served_raw(&served, MESSAGE_GET, path, NULL);
    add_blotted(&sent->shown, text_string(&out.body), sent->id);
    message_done(&out);
}

static bool same(const struct text *one, const struct text *other) {
    assert_true(one->size > 1000);
    return one->size == other->size && memcmp(one->data, other->data, one->size) == 0;
}

static void expect_same(const struct text *one, const struct text *other, const char *what) {
    if (same(one, other))
        return;
    size_t i = 0;
    while (one->data[i] == other->data[i])
        i++;
    const size_t from = i > 150 ? i - 150 : 0;
    fail_msg("%s: what is hidden shows:\n%.200s\n%.200s", what, one->data + from, other->data + from);
}

/* The same game with the colours of one side flipped. */
static void compare_games(int flipped, const char *const one[2], const char *const other[2], uint64_t seed) {
    struct script script;
    struct sent sent[2];
    const int watcher = flipped == 0 ? 2 : 1, owner = flipped == 0 ? 1 : 2;
    write_script(one, other, seed, &script);
    play(one, &script, &sent[0]);
    play(other, &script, &sent[1]);
    expect_same(&sent[0].answers[0], &sent[1].answers[0], "answers to the public");
    expect_same(&sent[0].events[0], &sent[1].events[0], "events of the public");
    expect_same(&sent[0].answers[watcher], &sent[1].answers[watcher], "answers to the other side");
    expect_same(&sent[0].events[watcher], &sent[1].events[watcher], "events of the other side");
    expect_same(&sent[0].both[flipped ^ 1], &sent[1].both[flipped ^ 1], "answers to both at one screen");
    /* Control: the colours were visible to the other viewers. */
    assert_false(same(&sent[0].answers[owner], &sent[1].answers[owner]));
    assert_false(same(&sent[0].events[owner], &sent[1].events[owner]));
    assert_false(same(&sent[0].both[flipped], &sent[1].both[flipped]));
    assert_false(same(&sent[0].shown, &sent[1].shown));
    sent_done(&sent[0]);
    sent_done(&sent[1]);
}

static void test_second_flipped(void **unused) {
    static const char *const one[] = {"ABGH", "ABCD"}, *const other[] = {"ABGH", "ABEF"};
    (void)unused;
    for (uint64_t seed = 1; seed <= SAMPLE(2, 1); seed++)
        compare_games(1, one, other, seed);
}

static void test_first_flipped(void **unused) {
    static const char *const one[] = {"ABCD", "EFGH"}, *const other[] = {"ABEF", "EFGH"};
    (void)unused;
    for (uint64_t seed = 1; seed <= SAMPLE(2, 1); seed++)
        compare_games(0, one, other, seed);
}

/* ---- two people at one screen, event by event ---- */

/* No whole state that they receive shows a colour of the side that is not to move, except of taken pieces. */
static void test_both(void **unused) {
    static const char *const reds[] = {"ABGH", "ABCD"};
    (void)unused;
    struct script script;
    struct sent sent = {0};
    struct follower follower;
    char path[200];
    write_script(reds, reds, 5, &script);
    script.count = 30;
    sit(&sent, "{\"game\":\"geister\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"human\"}]}");
    path_for(&sent, BOTH, "/events", path, sizeof path);
    follow(&follower, &served, path);
    for (int ply = 0; ply < script.count + 2; ply++)
        act(&sent, ply, ply < 2 ? reds[ply] : script.moves[ply - 2]);
    follow_more(&follower);
    int tables = 0;
    for (json_t *table; (table = followed(&follower, "table", tables)) != NULL; tables++) {
        const json_int_t mover = json_integer_value(json_object_get(table, "mover"));
        const json_t *pieces = json_object_get(json_object_get(table, "state"), "pieces"), *piece;
        size_t i;
        json_array_foreach(pieces, i, piece) {
            const bool own = json_integer_value(json_object_get(piece, "side")) == mover;
            const bool here = !json_is_null(json_object_get(piece, "at"));
            const char *colour = json_string_value(json_object_get(piece, "colour"));
            const bool unknown = strcmp(colour, "unknown") == 0;
            assert_int_equal(unknown, (!own && here) || tables < (mover == 0 ? 1 : 2));
        }
        json_decref(table);
    }
    assert_int_equal(tables, script.count + 3);
    assert_null(followed(&follower, "step", 0));
    follow_done(&follower);
}

/* ---- against a player ---- */

static void nap(void) {
    const struct timespec moment = {.tv_nsec = 2000000};
    nanosleep(&moment, NULL);
}

static json_t *see(const struct sent *sent, int viewer) {
    char path[200];
    path_for(sent, viewer, "", path, sizeof path);
    return served_ask(&served, MESSAGE_GET, path, NULL, 200);
}

/* How many steps have thoughts, or a chance. */
static int count_known(const json_t *table, const char *what) {
    const json_t *steps = json_object_get(table, "steps");
    int count = 0;
    for (size_t i = 0; i < json_array_size(steps); i++)
        count += !json_is_null(json_object_get(json_array_get(steps, i), what));
    return count;
}

static json_t *wait_for(const struct sent *sent, int ply) {
    for (int i = 0; i < 30000; i++) {
        json_t *table = see(sent, 1);
        if (json_integer_value(json_object_get(table, "ply")) >= ply)
            return table;
        json_decref(table);
        nap();
    }
    fail_msg("the player does not answer");
    return NULL;
}

/* The player's thoughts and the adviser's comments are not sent before the end: both depend on its colours.
 */
static void test_player_without_thoughts(void **unused) {
    static const char *const moves[] = {"ABCD", "AN", "AS", "AN"};
    (void)unused;
    struct sent sent = {0};
    struct follower follower;
    char body[100], path[200];
    sit(&sent, "{\"game\":\"geister\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"player\",\"spec\":\"geist:"
               "sims=50\"}]}");
    path_for(&sent, 1, "/events", path, sizeof path);
    follow(&follower, &served, path);
    for (int i = 0; i < 4; i++) {
        act(&sent, 2 * i, moves[i]);
        json_t *table = wait_for(&sent, 2 * i + 2);
        assert_int_equal(count_known(table, "thoughts"), 0);
        assert_int_equal(count_known(table, "chance"), 0);
        assert_true(
            json_is_null(json_object_get(json_array_get(json_object_get(table, "steps"), 1), "action")));
        assert_false(json_is_true(json_object_get(table, "sees_all")));
        json_decref(table);
    }
    follow_more(&follower);
    assert_null(followed(&follower, "thinking", 0));
    assert_null(followed(&follower, "chance", 0));
    snprintf(body, sizeof body, "{\"key\":\"%s\"}", sent.keys[0]);
    post(&sent, "resign", body);
    for (int i = 0; i < 30000 && !follower.has_ended; i++) {
        nap();
        follow_more(&follower);
    }
    json_t *table = see(&sent, 0);
    assert_true(count_known(table, "thoughts") >= 3);
    assert_true(count_known(table, "chance") >= 5);
    assert_string_equal(json_string_value(json_object_get(table, "result")), "second resignation");
    assert_false(json_is_null(json_object_get(json_array_get(json_object_get(table, "steps"), 1), "action")));
    json_decref(table);
    follow_done(&follower);
}

/* A position for an analysis: only for the side to move, and as that side sees it. */
static void test_positions(void **unused) {
    static const char *const reds[] = {"ABCD", "EFGH"};
    static const char *const states[] = {"403", "200", "403", "200"};
    (void)unused;
    struct sent sent = {0};
    sit(&sent, "{\"game\":\"geister\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"human\"}]}");
    for (int ply = 0; ply < 2; ply++)
        act(&sent, ply, reds[ply]);
    for (int viewer = 0; viewer < VIEWERS; viewer++) {
        char body[200];
        snprintf(body, sizeof body, "{\"table\":\"%s\",\"key\":\"%s%s%s\"}", sent.id,
                 viewer & 1 ? sent.keys[0] : "", viewer == BOTH ? "," : "", viewer & 2 ? sent.keys[1] : "");
        struct message_out out = served_raw(&served, MESSAGE_POST, "/api/positions", body);
        assert_int_equal(out.status, atoi(states[viewer]));
        if (out.status == 200) {
            assert_non_null(strstr(text_string(&out.body), "41u31u21u11u"));
            assert_null(strstr(text_string(&out.body), "\"reds\":\"EFGH\""));
        }
        message_done(&out);
    }
}

/* ---- taking back moves that showed a colour ---- */

/* The hunter has the first seat and learns a piece's colour when it takes one. The second is a person who
 * lets it happen, at another browser or at the same screen, or a player. */
enum opponent { OTHER_BROWSER, SAME_SCREEN, PLAYER };

struct hunt {
    struct sent sent;
    enum opponent opponent;
    struct scenario *scenario;
    struct rng rng;
    unsigned seen; /* pieces of the second whose colours the first has been shown */
};

static void see_board(const struct hunt *hunt, int side, struct geister *out, int *ply) {
    struct err e;
    json_t *table = see(&hunt->sent, side + 1);
    const char *text = json_string_value(json_object_get(json_object_get(table, "state"), "text"));
    assert_true(geister_game.text->read_state(out, hunt->scenario, text, &e));
    *ply = (int)json_integer_value(json_object_get(table, "ply"));
    json_decref(table);
}

static int steps_between(int a, int b) {
    return abs(a % GEISTER_SIZE - b % GEISTER_SIZE) + abs(a / GEISTER_SIZE - b / GEISTER_SIZE);
}

/* The distance of the first to a piece whose colour is hidden from it. */
static int distance_after(const struct hunt *hunt, const struct geister *s, action a) {
    struct geister next = *s;
    struct rng any;
    int least = 100;
    rng_seed(&any, 1);
    geister_game.play(&next, a, &any);
    for (int own = 0; own < GEISTER_PIECES; own++)
        for (int other = 0; other < GEISTER_PIECES; other++) {
            const int from = next.where[0][own], to = next.where[1][other];
            if (from < GEISTER_CELLS && to < GEISTER_CELLS && (hunt->seen >> other & 1) == 0 &&
                steps_between(from, to) < least)
                least = steps_between(from, to);
        }
    return least;
}

/* The second moves at random and takes nothing. The first takes pieces of hidden colour, or approaches them.
 */
static action hunter_move(struct hunt *hunt, const struct geister *s, bool *takes) {
    action list[GEISTER_SETUPS], best = 0;
    const int count = geister_game.actions(s, list);
    int least = 1000;
    *takes = false;
    for (int i = 0; i < count; i++) {
        const int piece = taken_by(s, list[i]);
        if (piece >= 0 && s->mover == 0 && (hunt->seen >> piece & 1) == 0) {
            *takes = true;
            return list[i];
        }
        int worth = 8 * (s->mover == 0 ? distance_after(hunt, s, list[i]) : 1);
        worth = piece == -1 ? worth + (int)rng_below(&hunt->rng, 12) : 900;
        if (worth < least) {
            least = worth;
            best = list[i];
        }
    }
    return best;
}

/* Sends a request that may be granted or refused, but for no other reason than that one. */
static void try_to(const struct hunt *hunt, const char *verb, int sides, const char *more) {
    char path[100], body[200];
    const char *const keys[] = {hunt->sent.keys[0], hunt->sent.keys[1]};
    snprintf(path, sizeof path, "/api/tables/%s/%s", hunt->sent.id, verb);
    snprintf(body, sizeof body, "{\"key\":\"%s%s%s\"%s}", sides & 1 ? keys[0] : "", sides == BOTH ? "," : "",
             sides & 2 ? keys[1] : "", more);
    struct message_out out = served_raw(&served, MESSAGE_POST, path, body);
    assert_true(out.status == 200 || out.status == 409);
    if (out.status == 409 && strcmp(verb, "take-back") == 0)
        assert_non_null(strstr(text_string(&out.body), "showed"));
    message_done(&out);
}

/* All ways to take back: alone, by agreement after either side's request, for both at one screen. */
static void try_to_take_back(const struct hunt *hunt) {
    static const char accepted[] = ",\"accept\":true";
    if (hunt->opponent == OTHER_BROWSER) {
        try_to(hunt, "take-back", 1, "");
        try_to(hunt, "answer", 2, accepted);
        try_to(hunt, "take-back", 2, "");
        try_to(hunt, "answer", 1, accepted);
        try_to(hunt, "undo", 2, "");
        return;
    }
    const int sides = hunt->opponent == PLAYER ? 1 : BOTH;
    try_to(hunt, "take-back", sides, "");
    try_to(hunt, "undo", sides, "");
}

/* Of a player, unless the game is over. */
static void await_reply(const struct hunt *hunt, int ply) {
    bool waits = hunt->opponent == PLAYER;
    while (waits) {
        json_t *table = see(&hunt->sent, 1);
        waits = !json_is_true(json_object_get(table, "over")) &&
                json_integer_value(json_object_get(table, "ply")) < ply;
        json_decref(table);
        nap();
    }
}

/* A live game shows in advance which requests would be refused, and why. */
static void check_may(const struct hunt *hunt, bool takes) {
    json_t *table = see(&hunt->sent, 1);
    const json_t *may = json_object_get(table, "may");
    assert_int_equal(json_is_true(json_object_get(may, "take_back")), !takes);
    assert_int_equal(json_is_true(json_object_get(may, "revealed")), takes);
    json_decref(table);
}

static void hunt_on(struct hunt *hunt) {
    for (int turns = 0; turns < 120 && hunt->seen != 0xff; turns++) {
        struct geister s;
        struct text text = {0};
        int ply, later;
        bool takes;
        see_board(hunt, 0, &s, &ply);
        if (s.mover == 1) /* with both keys: the second's view, without colours */
            see_board(hunt, 1, &s, &ply);
        if (s.stage == GEISTER_OVER)
            return;
        const action a = hunter_move(hunt, &s, &takes);
        geister_game.text->write_action(&s, a, &text);
        act(&hunt->sent, ply, text_string(&text));
        text_done(&text);
        await_reply(hunt, ply + 2);
        see_board(hunt, 0, &s, &later);
        hunt->seen |= s.stage == GEISTER_OVER ? 0 : s.known[1];
        if (s.stage != GEISTER_OVER && s.mover == 1 && later == ply + 1)
            check_may(hunt, takes);
        if (takes && s.stage != GEISTER_OVER)
            try_to_take_back(hunt);
        see_board(hunt, 0, &s, &later);
        if (s.stage != GEISTER_OVER && s.known[1] != hunt->seen)
            fail_msg("%d colours are known, and %d pieces taken", bits_count(hunt->seen),
                     bits_count(s.known[1]));
    }
}

static int hunt_colours(enum opponent opponent, const char *second, const char *reds) {
    struct err e;
    char body[200];
    struct hunt hunt = {.opponent = opponent, .scenario = game_load_spec("geister", &e)};
    rng_seed(&hunt.rng, 5);
    snprintf(body, sizeof body, "{\"game\":\"geister\",\"seats\":[{\"kind\":\"human\"},%s]}", second);
    sit(&hunt.sent, body);
    act(&hunt.sent, 0, "ABCD");
    await_reply(&hunt, 2);
    if (opponent != PLAYER)
        act(&hunt.sent, 1, reds);
    hunt_on(&hunt);
    game_unload(hunt.scenario);
    return bits_count(hunt.seen);
}

/* A chosen seed would reveal the deal, or allow a rehearsal of a player's choices in another game. */
static void test_seeds_are_not_chosen(void **unused) {
    static const char *const seats[] = {
        "{\"kind\":\"human\"},{\"kind\":\"human\"}",
        "{\"kind\":\"human\"},{\"kind\":\"player\",\"spec\":\"random\"}",
        "{\"kind\":\"player\",\"spec\":\"random\"},{\"kind\":\"player\",\"spec\":\"random\"}",
    };
    static const char *const games[] = {"geister", "kuhn", "synth", "tbs"};
    (void)unused;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        for (size_t k = 0; k < sizeof seats / sizeof seats[0]; k++) {
            char body[300];
            snprintf(body, sizeof body, "{\"game\":\"%s\",\"seed\":7,\"seats\":[%s]}", games[i], seats[k]);
            if (game_find(games[i])->hide != NULL && k < 2)
                served_fail(&served, MESSAGE_POST, "/api/tables", body, 400, "seed", "cannot be chosen");
            else
                json_decref(served_ask(&served, MESSAGE_POST, "/api/tables", body, 201));
        }
}

/* A move that has shown hidden information cannot be taken back. */
static void test_no_take_back_after_a_revelation(void **unused) {
    (void)unused;
    assert_true(hunt_colours(OTHER_BROWSER, "{\"kind\":\"human\"}", "ABEF") > 3);
    assert_true(hunt_colours(SAME_SCREEN, "{\"kind\":\"human\"}", "BDEH") > 3);
}

static void test_players_are_not_looked_at(void **unused) {
    (void)unused;
    assert_true(hunt_colours(PLAYER, "{\"kind\":\"player\",\"spec\":\"random\"}", "") > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_second_flipped, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_first_flipped, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_both, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_player_without_thoughts, open_busy, close_it),
        cmocka_unit_test_setup_teardown(test_positions, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_seeds_are_not_chosen, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_no_take_back_after_a_revelation, open_idle, close_it),
        cmocka_unit_test_setup_teardown(test_players_are_not_looked_at, open_busy, close_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
