/* SPDX-License-Identifier: MIT
 *
 * New tables: a game that begins, or one that is over, from a record.
 */
#include "serve/table_work.h"

#include "base/charset.h"
#include "base/jsontext.h"
#include "game/tbs/tbs.h"
#include "serve/ground.h"

#include <string.h>

/* ---- seats ---- */

static bool read_name(const json_t *given, const char *field, const char *fallback, struct table_seat *seat,
                      struct message_out *out) {
    const char *name;
    if (!ground_text(given, "name", fallback, &name, out))
        return false;
    if (name != fallback && strlen(name) >= sizeof seat->name) {
        message_fail(out, 400, field, "a name has at most %zu bytes", sizeof seat->name - 1);
        return false;
    }
    charset_copy(seat->name, sizeof seat->name, name, strlen(name));
    return true;
}

static bool read_spec(const struct table *table, const json_t *given, struct table_seat *seat,
                      struct message_out *out) {
    const struct workbench *bench = table->tables->bench;
    const char *spec;
    struct text canonical = {0};
    struct err e;
    if (!ground_text(given, "spec", NULL, &spec, out))
        return false;
    bool ok = spec != NULL || err_set(&e, "a player's seat needs \"spec\", \"uct\" say");
    ok = ok && ground_try_player(bench, spec, table->scenario->game, &canonical, &e);
    if (ok && canonical.size >= sizeof seat->spec)
        ok = err_set(&e, "a spec has at most %zu bytes", sizeof seat->spec - 1);
    if (ok)
        memcpy(seat->spec, text_string(&canonical), canonical.size + 1);
    else
        message_fail(out, 400, "seats", "%s", e.text);
    text_done(&canonical);
    return ok;
}

static bool read_seat(struct table *table, const json_t *given, struct table_seat *seat,
                      struct message_out *out) {
    static const char *const members[] = {"kind", "name", "spec", NULL};
    const char *kind;
    if (!serve_knows(given, members, out) || !ground_text(given, "kind", "", &kind, out))
        return false;
    seat->is_human = strcmp(kind, "human") == 0;
    if (seat->is_human && json_is_string(json_object_get(given, "spec"))) {
        message_fail(out, 400, "seats", "a person has no \"spec\"");
        return false;
    }
    if (seat->is_human) {
        serve_new_id(table->tables->bench, seat->key);
        return read_name(given, "seats", "", seat, out);
    }
    if (strcmp(kind, "player") == 0)
        return read_spec(table, given, seat, out) && read_name(given, "seats", seat->spec, seat, out);
    message_fail(out, 400, "seats", "\"kind\" of a seat: expected \"human\" or \"player\"");
    return false;
}

static bool read_seats(struct table *table, const json_t *body, struct message_out *out) {
    const json_t *seats = json_object_get(body, "seats");
    bool ok = json_is_array(seats) && json_array_size(seats) == 2;
    for (size_t i = 0; ok && i < 2; i++)
        ok = json_is_object(json_array_get(seats, i));
    if (!ok) {
        message_fail(out, 400, "seats",
                     "\"seats\": expected a list of two objects, {\"kind\": \"human\"} say");
        return false;
    }
    return read_seat(table, json_array_get(seats, 0), &table->seats[0], out) &&
           read_seat(table, json_array_get(seats, 1), &table->seats[1], out);
}

/* ---- the rest of a request ---- */

static bool read_clock(struct table *table, const json_t *body, struct message_out *out) {
    const char *clock;
    struct err e;
    if (!ground_text(body, "clock", "", &clock, out))
        return false;
    if (clock[0] != '\0' &&
        (strlen(clock) >= sizeof table->clock || !timing_read(clock, &table->timing, &e))) {
        message_fail(out, 400, "clock", "%s", strlen(clock) >= sizeof table->clock ? "too long" : e.text);
        return false;
    }
    memcpy(table->clock, clock, strlen(clock) + 1);
    return true;
}

/* What was asked for, with what was left out filled in. */
static json_t *ground_json(const struct scenario *scenario, const json_t *body) {
    static const char *const members[] = {"game", "map", "map_text", "rules", NULL};
    json_t *ground = json_object();
    for (int i = 0; members[i] != NULL; i++) {
        json_t *value = json_object_get(body, members[i]);
        if (json_is_string(value))
            json_object_set(ground, members[i], value);
    }
    if (json_object_get(ground, "game") == NULL)
        json_object_set_new(ground, "game", json_string(scenario->game->name));
    if (game_is_tbs(scenario->game) && json_object_get(ground, "map") == NULL &&
        json_object_get(ground, "map_text") == NULL)
        json_object_set_new(ground, "map", json_string("standard"));
    return ground;
}

/* Thirty-two bits are easier to write down. Where something is hidden they are too few: all of them could be
 * tried until one fits what a side sees. */
static uint64_t new_seed(const struct table *table) {
    uint64_t seed;
    table->tables->bench->setup.secret(&seed, sizeof seed);
    return table->scenario->game->hide != NULL ? seed : seed >> 32;
}

/* Who knows the seed of a game with hidden parts can look at the same deal, or at the same choices of a
 * player, in another game. So where people play, nobody chooses it. */
static bool read_seed(const struct table *table, const json_t *body, uint64_t *seed,
                      struct message_out *out) {
    const json_t *given = json_object_get(body, "seed");
    const bool is_given = given != NULL && !json_is_null(given);
    if (is_given && table->scenario->game->hide != NULL && table_has_people(table)) {
        message_fail(
            out, 400, "seed",
            "\"seed\" cannot be chosen where people play and something is hidden: it would tell what "
            "that is");
        return false;
    }
    return ground_seed(body, "seed", new_seed(table), seed, out);
}

static bool fill(struct table *table, const json_t *body, struct message_out *out) {
    struct workbench *bench = table->tables->bench;
    const char *position;
    uint64_t seed;
    struct err e;
    if (!read_seats(table, body, out) || !read_clock(table, body, out) ||
        !read_seed(table, body, &seed, out) || !ground_text(body, "position", NULL, &position, out) ||
        !ground_switch(body, "thoughts", true, &table->wants_thoughts, out))
        return false;
    table->ground = ground_json(table->scenario, body);
    serve_new_id(bench, table->id);
    bench->setup.date(table->created, sizeof table->created);
    if (!table_start(table, seed, position, &e)) {
        message_fail(out, 400, position != NULL ? "position" : NULL, "%s", e.text);
        return false;
    }
    charset_copy(table->record.date, sizeof table->record.date, table->created, strlen(table->created));
    return true;
}

/* ---- answers ---- */

static json_t *key_json(const struct table_seat *seat) {
    return seat->key[0] != '\0' ? json_string(seat->key) : json_null();
}

/* The table is the list's, or gone. */
static void answer_new(struct table *table, struct message_out *out) {
    struct err e;
    if (!tables_add(table->tables, table, &e)) {
        message_fail(out, 507, NULL, "the game was not begun, because it cannot be written: %s",
                     table_reason(&e));
        table_drop(table);
        return;
    }
    table_settle(table);
    message_json(out, 201,
                 json_pack("{ss s[oo]}", "id", table->id, "keys", key_json(&table->seats[0]),
                           key_json(&table->seats[1])));
}

void tables_create(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const members[] = {"game",  "map",  "map_text", "rules",    "position",
                                          "seats", "seed", "clock",    "thoughts", NULL};
    if (!serve_knows(call->body, members, out))
        return;
    struct scenario *scenario = ground_load(bench, call->body, out);
    if (scenario == NULL)
        return;
    struct table *table = table_open(bench->tables, scenario);
    if (table == NULL) {
        message_fail(out, 500, NULL, "not enough memory for a table");
        return;
    }
    if (fill(table, call->body, out) && tables_has_room(bench->tables, table_has_people(table), out))
        answer_new(table, out);
    else
        table_drop(table);
}

/* ---- records ---- */

/* Whose name is no player's is taken for a person. */
static void seat_name(struct table_seat *seat, const char *name) {
    charset_copy(seat->name, sizeof seat->name, name, strlen(name));
    seat->is_human = !player_check(name, NULL, NULL);
    if (!seat->is_human)
        charset_copy(seat->spec, sizeof seat->spec, name, strlen(name));
}

static json_t *record_ground(const struct record *record, const struct scenario *scenario) {
    struct text game = {0};
    const bool maps = game_is_tbs(scenario->game);
    if (maps)
        text_add_string(&game, scenario->game->name);
    else
        record_write_game(scenario, &game);
    json_t *ground = json_pack("{ss ss* ss*}", "game", text_string(&game), "map_text",
                               maps ? text_string(&record->map) : NULL, "rules", maps ? record->rules : NULL);
    text_done(&game);
    return ground;
}

static bool play_all(struct table *table, const struct record *record, struct err *e) {
    if (record->count > TABLE_ACTIONS_MAX)
        return err_set(e, "the game has %d actions; at most %d are shown", record->count, TABLE_ACTIONS_MAX);
    for (int i = 0; i < record->count; i++) {
        const struct record_action *next = &record->actions[i];
        if (table_mover(table) == NOBODY ||
            !table->scenario->game->is_legal(table->referee.state, next->action))
            return err_set(e, "action %d is illegal", i + 1);
        if (!table_add(table, next->action, (double)next->milliseconds, e))
            return false;
    }
    return true;
}

/* Result and comment may say more than the actions: a ruling. */
static bool relive(struct table *table, struct record *record, struct err *e) {
    struct record *own = &table->record;
    for (int side = 0; side < 2; side++)
        seat_name(&table->seats[side], record->players[side]);
    own->deal = record->deal;
    table->ground = record_ground(record, table->scenario);
    if (!table_start(table, record->seed, NULL, e) || !play_all(table, record, e))
        return false;
    for (int side = 0; side < 2; side++)
        memcpy(own->players[side], record->players[side], sizeof own->players[side]);
    memcpy(own->date, record->date, sizeof own->date);
    memcpy(own->result, record->result, sizeof own->result);
    memcpy(own->comment, record->comment, sizeof own->comment);
    memcpy(table->created, record->date, sizeof table->created);
    table->is_ended = true;
    return true;
}

struct table *table_of_record(struct tables *tables, struct record *record, struct err *e) {
    struct scenario *scenario = record_scenario(record, e);
    struct table *table = scenario != NULL ? table_open(tables, scenario) : NULL;
    if (scenario != NULL && table == NULL)
        err_set(e, "not enough memory for a table");
    if (table != NULL && !relive(table, record, e)) {
        table_drop(table);
        table = NULL;
    }
    record_done(record);
    return table;
}

/* The text of what was sent; false after the answer was written. */
static bool record_text(const json_t *body, struct text *text, struct message_out *out) {
    static const char *const members[] = {"record", "text", NULL};
    const json_t *record = json_object_get(body, "record"), *given = json_object_get(body, "text");
    struct err e;
    if (!serve_knows(body, members, out))
        return false;
    if (json_is_string(given) && record == NULL)
        text_add_bytes(text, json_string_value(given), json_string_length(given));
    else if (!json_is_object(record) || given != NULL || !jsontext_member(body, "record", text, &e)) {
        message_fail(out, 400, record != NULL ? "record" : "text",
                     "expected \"record\", a game as record.json has it, or \"text\", that of its file");
        return false;
    }
    if (text->failed)
        message_fail(out, 500, NULL, "not enough memory for the record");
    return !text->failed;
}

static struct table *read_record(struct tables *tables, const struct text *text, struct err *e) {
    struct err difference = {{0}};
    struct record record;
    record_init(&record);
    if (!record_read("the record", text_string(text), text->size, &record, &difference, e)) {
        record_done(&record);
        return NULL;
    }
    struct table *table = table_of_record(tables, &record, e);
    if (table != NULL && difference.text[0] != '\0')
        charset_copy(table->record.comment, sizeof table->record.comment, difference.text,
                     strlen(difference.text));
    return table;
}

void tables_load_record(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct err e;
    struct text text = {0};
    if (record_text(call->body, &text, out)) {
        struct table *table = read_record(bench->tables, &text, &e);
        if (table != NULL) {
            serve_new_id(bench, table->id);
            bench->setup.date(table->created, sizeof table->created);
            answer_new(table, out);
        } else {
            message_fail(out, 400, NULL, "%s", e.text);
        }
    }
    text_done(&text);
}
