/* SPDX-License-Identifier: MIT */
#include "tests/seated_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

const json_t *at(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("there is no \"%s\"", key);
    return value;
}

const char *text_at(const json_t *object, const char *key) {
    return json_string_value(at(object, key));
}

int number_at(const json_t *object, const char *key) {
    assert_true(json_is_integer(at(object, key)));
    return (int)json_integer_value(at(object, key));
}

bool is_true(const json_t *object, const char *key) {
    assert_true(json_is_boolean(at(object, key)));
    return json_is_true(at(object, key));
}

void check_members(const json_t *object, const char *names) {
    char list[512];
    char *pieces[32];
    snprintf(list, sizeof list, "%s", names);
    const int count = text_split(list, ' ', pieces, 32);
    for (int i = 0; i < count; i++)
        at(object, pieces[i]);
    assert_int_equal(json_object_size(object), count);
}

/* ---- asking ---- */

struct game_at sit(const char *body) {
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

json_t *look(const struct game_at *game, const char *key) {
    char path[200];
    snprintf(path, sizeof path, "/api/tables/%s%s%s", game->id, key[0] != '\0' ? "?key=" : "", key);
    json_t *table = served_ask(&served, MESSAGE_GET, path, NULL, 200);
    check_members(table, json_object_get(table, "comment_message") != NULL ? TABLE_MEMBERS " comment_message"
                                                                           : TABLE_MEMBERS);
    return table;
}

void post_to(const struct game_at *game, const char *verb, int status, const char *format, ...) {
    char path[200], body[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(body, sizeof body, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "/api/tables/%s/%s", game->id, verb);
    json_decref(served_ask(&served, MESSAGE_POST, path, body, status));
}

void act(const struct game_at *game, int side, int ply, const char *text) {
    post_to(game, "action", 200, "{\"key\":\"%s\",\"ply\":%d,\"action\":\"%s\"}", game->keys[side], ply,
            text);
}

int ply_of(const struct game_at *game) {
    json_t *table = look(game, "");
    const int ply = number_at(table, "ply");
    json_decref(table);
    return ply;
}

bool may(const struct game_at *game, const char *key, const char *what) {
    json_t *table = look(game, key);
    check_members(at(table, "may"), "undo take_back revealed resign hint");
    const bool is = is_true(at(table, "may"), what);
    json_decref(table);
    return is;
}

void nap(void) {
    const struct timespec moment = {.tv_nsec = 2000000};
    nanosleep(&moment, NULL);
}

/* Polls until the game is over, or that many actions were played. */
json_t *wait_for(const struct game_at *game, int ply) {
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
