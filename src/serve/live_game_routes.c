/* SPDX-License-Identifier: MIT
 *
 * /api/tables: creating a live game, or loading a finished one from a record; what each holder of a key may
 * do.
 *
 * A seat of a person has an unguessable key, which the answer to the creation shows once. Every request that
 * changes the game, and every request for hidden information, gives the keys of its seats. Two people at one
 * screen give both keys, separated by a comma.
 */
#include "base/encode.h"
#include "serve/live_game.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- seats ---- */

/* A given name that is too long is refused, not cut: it would be another name. */
static bool read_name(const json_t *given, const char *fallback, struct live_game_seat *seat,
                      struct message_out *out) {
    const char *name;
    if (!request_text(given, "name", fallback, &name, out))
        return false;
    if (name != fallback && strlen(name) >= sizeof seat->name)
        return message_fail_code(out, 400, "seats", "json.long", "\"%s\": expected at most %zu bytes", "name",
                                 sizeof seat->name - 1);
    charset_copy(seat->name, sizeof seat->name, name, strlen(name));
    return true;
}

/* Makes the key of a person's seat. A player is opened and closed, to see whether it plays this game. */
static bool read_seat(struct live_game *live, const json_t *given, struct live_game_seat *seat,
                      struct message_out *out) {
    const char *kind, *spec;
    struct text canonical = {0};
    struct err *e = &out->why;
    if (!serve_knows(given, "kind name spec", out) || !request_text(given, "kind", "", &kind, out))
        return false;
    seat->is_human = strcmp(kind, "human") == 0;
    if (seat->is_human && json_is_string(json_object_get(given, "spec")))
        return message_fail(out, 400, "seats", "a person has no \"spec\"");
    if (seat->is_human) {
        serve_new_id(live->games->bench, seat->key);
        return read_name(given, "", seat, out);
    }
    if (strcmp(kind, "player") != 0)
        return message_fail(out, 400, "seats", "\"kind\" of a seat: expected \"human\" or \"player\"");
    if (!request_text(given, "spec", NULL, &spec, out))
        return false;
    const bool ok = (spec != NULL || err_set(e, "a player's seat needs \"spec\", \"uct\" say")) &&
                    serve_try_player(live->games->bench, spec, live->scenario->game, &canonical, e) &&
                    (canonical.size < sizeof seat->spec ||
                     err_set(e, "a spec has at most %zu bytes", sizeof seat->spec - 1));
    if (ok)
        memcpy(seat->spec, text_string(&canonical), canonical.size + 1);
    text_done(&canonical);
    return ok ? read_name(given, seat->spec, seat, out) : err_field(e, "seats");
}

/* ---- the rest of a request ---- */

/* Reads the request into the game. A seed reveals the deal of a game with hidden parts, and a player's
 * choices, to anyone who starts another game with it. So a request may not choose the seed of a game with
 * people. Thirty-two bits are easier to write down; in a game with hidden parts they are too few: a program
 * could try all seeds until one matches what a side sees. */
static bool fill(struct live_game *live, const json_t *body, struct message_out *out) {
    struct workbench *bench = live->games->bench;
    const struct game *game = live->scenario->game;
    const char *position, *clock;
    struct timing timing;
    uint64_t seed;
    const json_t *seats = json_object_get(body, "seats");
    const json_t *first = json_array_get(seats, 0), *second = json_array_get(seats, 1);
    if (json_array_size(seats) != 2 || !json_is_object(first) || !json_is_object(second))
        return message_fail(out, 400, "seats",
                            "\"seats\": expected a list of two objects, {\"kind\": \"human\"} say");
    if (!read_seat(live, first, &live->seats[0], out) || !read_seat(live, second, &live->seats[1], out) ||
        !request_text(body, "clock", "", &clock, out))
        return false;
    if (clock[0] != '\0' && !timing_read(clock, &timing, &out->why))
        return err_field(&out->why, "clock");
    assert(strlen(clock) < sizeof live->clock); /* longer ones are refused by timing_read */
    memcpy(live->clock, clock, strlen(clock) + 1);
    if (request_member(body, "seed") != NULL && game->hide != NULL && live_game_has_people(live))
        return message_fail_code(
            out, 400, "seed", "refused.seed",
            "\"seed\" cannot be chosen where people play and something is hidden: it would tell what "
            "that is");
    bench->setup.secret(&seed, sizeof seed);
    seed >>= game_is_determined(game) ? 32 : 0;
    live->wants_thoughts = true;
    if (!request_read(body, &(struct param){"seed", PARAM_U64}, &seed, out) ||
        !request_text(body, "position", NULL, &position, out) ||
        !request_read(body, &(struct param){"thoughts", PARAM_FLAG}, &live->wants_thoughts, out))
        return false;
    live->start_json = /* as the request gave it, with defaults filled in */
        json_pack("{sO* sO* sO* sO*}", "game", request_member(body, "game"), "map",
                  request_member(body, "map"), "map_text", request_member(body, "map_text"), "rules",
                  request_member(body, "rules"));
    if (json_object_get(live->start_json, "game") == NULL)
        json_object_set_new(live->start_json, "game", json_string(game->name));
    if (game_offer(game)->takes_map && json_object_get(live->start_json, "map") == NULL &&
        json_object_get(live->start_json, "map_text") == NULL)
        json_object_set_new(live->start_json, "map", json_string("standard"));
    serve_new_id(bench, live->id);
    bench->setup.date(live->created, sizeof live->created);
    if (!live_game_start(live, seed, position, &out->why))
        return message_fail_err(out, 400, position != NULL ? "position" : NULL, &out->why);
    charset_copy(live->record.date, sizeof live->record.date, live->created, strlen(live->created));
    return true;
}

/* The list holds the game now, or the game was freed. */
static bool add_new(struct live_game *live, struct message_out *out) {
    if (!live_games_add(live->games, live, &out->why)) {
        live_game_drop(live);
        return message_fail_code(out, 507, NULL, "refused.unbegun",
                                 "the game was not begun, because it cannot be written: %s",
                                 live_game_save_error(&out->why));
    }
    live_game_update(live);
    return true;
}

/* The keys are in no other answer. */
static bool answer_new(const struct live_game *live, struct message_out *out) {
    const char *first = live->seats[0].key, *second = live->seats[1].key;
    return message_json(out, 201,
                        json_pack("{ss s[s?s?]}", "id", live->id, "keys", first[0] != '\0' ? first : NULL,
                                  second[0] != '\0' ? second : NULL));
}

/* The limit of games is checked last, so that a wrong request is refused as wrong. */
struct live_game *live_games_create(struct live_games *games, const json_t *body, struct message_out *out) {
    struct scenario *scenario = start_position_scenario(games->bench, body, out);
    if (scenario == NULL)
        return NULL;
    struct live_game *live = live_game_open(games, scenario);
    if (fill(live, body, out) && live_games_have_room(games, live_game_has_people(live), out))
        return add_new(live, out) ? live : NULL;
    live_game_drop(live);
    return NULL;
}

/* 201 with the id and the keys; otherwise 400, 404, 429 or 507. */
static bool create(const struct call *call, struct message_out *out) {
    const struct live_game *live = live_games_create(call->bench->live_games, call->body, out);
    return live != NULL && answer_new(live, out);
}

/* ---- records ---- */

/* A name that is no player's spec is taken for a person's. A ruling shows in result and comment, not in the
 * actions. */
static bool relive(struct live_game *live, const struct record *record, struct err *e) {
    const struct scenario *scenario = live->scenario;
    const bool maps = game_offer(scenario->game)->takes_map;
    struct record *own = &live->record;
    struct text spec = {0};
    for (int side = 0; side < 2; side++) {
        struct live_game_seat *seat = &live->seats[side];
        const char *name = record->players[side];
        charset_copy(seat->name, sizeof seat->name, name, strlen(name));
        seat->is_human = !player_check(name, NULL, NULL);
        if (!seat->is_human)
            charset_copy(seat->spec, sizeof seat->spec, name, strlen(name));
    }
    own->deal = record->deal;
    game_write_spec(scenario, &spec);
    live->start_json =
        json_pack("{ss ss* ss*}", "game", maps ? scenario->game->name : text_string(&spec), "map_text",
                  maps ? text_string(&record->map) : NULL, "rules", maps ? record->rules : NULL);
    text_done(&spec);
    if (!live_game_start(live, record->seed, NULL, e))
        return false;
    if (record->count > LIVE_GAME_ACTIONS_MAX)
        return err_set(e, "the game has %d actions; at most %d are shown", record->count,
                       LIVE_GAME_ACTIONS_MAX);
    for (int i = 0; i < record->count; i++) {
        const struct record_action *next = &record->actions[i];
        if (live_game_is_over(live) || !scenario->game->is_legal(live_game_state(live), next->action))
            return err_set(e, "action %d is illegal", i + 1);
        live_game_add(live, next->action, (double)next->milliseconds);
    }
    memcpy(own->players, record->players, sizeof own->players);
    memcpy(own->date, record->date, sizeof own->date);
    memcpy(own->result, record->result, sizeof own->result);
    memcpy(own->comment, record->comment, sizeof own->comment);
    memcpy(live->created, record->date, sizeof live->created);
    live->game.is_stopped = true;
    return true;
}

/* A finished game in no list; takes ownership of the record, also after a failure. */
static struct live_game *from_record(struct live_games *games, struct record *record, struct err *e) {
    struct scenario *scenario = record_scenario(record, e);
    struct live_game *live = scenario != NULL ? live_game_open(games, scenario) : NULL;
    if (live != NULL && !relive(live, record, e)) {
        live_game_drop(live);
        live = NULL;
    }
    record_done(record);
    return live;
}

bool live_games_show_record(struct workbench *bench, struct record *record, const char *id, const char *map,
                            struct message_out *out) {
    struct live_game *live = from_record(bench->live_games, record, &out->why);
    if (live == NULL)
        return message_fail_err(out, 500, NULL, &out->why);
    charset_copy(live->id, sizeof live->id, id, strlen(id));
    if (map != NULL && json_object_get(live->start_json, "map_text") != NULL)
        json_object_set_new(live->start_json, "map", json_string(map));
    live_game_write(live, SIDES_NONE, &out->body);
    live_game_drop(live);
    return serve_done(out, 200);
}

/* {"record": the JSON of a game} or {"text": that of its file, in any form}. The game is finished: nothing in
 * it is hidden, and it has no keys. */
static bool load_record(const struct call *call, struct message_out *out) {
    struct workbench *bench = call->bench;
    const json_t *given = json_object_get(call->body, "record"),
                 *given_text = json_object_get(call->body, "text");
    struct err difference = {{0}}, *e = &out->why;
    struct record record;
    struct text text = {0};
    if (json_is_string(given_text) && given == NULL)
        text_add_bytes(&text, json_string_value(given_text), json_string_length(given_text));
    else if (!json_is_object(given) || given_text != NULL || !jsontext_member(call->body, "record", &text, e))
        return message_fail(
            out, 400, given != NULL ? "record" : "text",
            "expected \"record\", a game as record.json has it, or \"text\", that of its file");
    record_init(&record);
    const bool ok = record_read("the record", text_string(&text), text.size, &record, &difference, e);
    text_done(&text);
    if (!ok)
        record_done(&record);
    struct live_game *live = ok ? from_record(bench->live_games, &record, e) : NULL;
    if (live == NULL)
        return message_fail_err(out, 400, NULL, e);
    if (difference.text[0] != '\0')
        charset_copy(live->record.comment, sizeof live->record.comment, difference.text,
                     strlen(difference.text));
    serve_new_id(bench, live->id);
    bench->setup.date(live->created, sizeof live->created);
    return add_new(live, out) && answer_new(live, out);
}

/* ---- requests about one game: keys ---- */

/* Requests that read give the key in the query, requests that change something in the body. */
bool live_games_find_call(struct call *call, struct message_out *out) {
    const char *key = message_query(call->in, "key");
    call->live = live_games_find(call->bench->live_games, call->parts[0], out);
    if (call->live == NULL || (call->body != NULL && !request_text(call->body, "key", "", &key, out)))
        return false;
    const int sides = live_game_sides(call->live, key);
    call->sides = (unsigned)sides;
    return sides >= 0 || message_fail_code(out, 403, "key", "refused.key", "that is not a key of this game");
}

bool live_games_find_seat(struct call *call, struct message_out *out) {
    return live_games_find_call(call, out) &&
           (call->sides != SIDES_NONE || message_fail_code(out, 403, "key", "refused.no_key",
                                                           "only the player of the seat may do that: its key "
                                                           "is needed"));
}

/* A change of an unfinished game needs the key of a seat. */
static bool may_change(const struct call *call, struct message_out *out) {
    if (call->sides == SIDES_NONE)
        return message_fail_code(out, 403, "key", "refused.no_key",
                                 "only the player of the seat may do that: its key is needed");
    return !live_game_is_over(call->live) ||
           message_fail_code(out, 409, NULL, "refused.over", "the game is over: %s",
                             call->live->record.result);
}

/* The change was saved, or it was undone. */
static bool answer_done(const struct live_game *live, bool ok, struct message_out *out) {
    return ok ? message_json(out, 200, json_pack("{si}", "ply", live->record.count))
              : message_fail_err(out, 507, NULL, &out->why);
}

/* ---- looking ---- */

/* Public: neither keys nor states. Whatever is shown here is shown to all who reach the server. */
static bool list(const struct call *call, struct message_out *out) {
    json_t *all = json_array();
    for (const struct live_game *live = call->bench->live_games->newest; live != NULL; live = live->next) {
        json_t *info = live_game_info_json(live), *start = json_copy(live->start_json);
        json_object_del(start, "map_text"); /* a map may be large; GET of the game itself has it */
        json_object_set_new(info, "ground", start);
        json_array_append_new(all, info);
    }
    return message_json(out, 200, all);
}

/* The game is updated, too: its player may have waited for a thread. */
static bool show(const struct call *call, struct message_out *out) {
    live_game_write(call->live, call->sides, &out->body);
    live_game_update(call->live);
    return serve_done(out, 200);
}

static bool follow(const struct call *call, struct message_out *out) {
    serve_stream(out, live_game_stream(call->live, call->sides));
    live_game_update(call->live);
    return true;
}

/* ---- records ---- */

static bool send_record(const struct call *call, struct message_out *out) {
    const struct live_game *live = call->live;
    const struct game *game = live->scenario->game;
    const char *name = message_query(call->in, "form");
    const struct record_form *form = record_find_form(game, name != NULL ? name : "json", &out->why);
    if (form == NULL)
        return message_fail_err(out, 400, "form", &out->why);
    if (!live_game_has_record(live))
        return live->game.is_placed
                   ? message_fail_code(out, 409, NULL, "refused.no_record",
                                       "a game that began in the middle has no record")
                   : message_fail_code(out, 409, NULL, "refused.hidden_record",
                                       "the record is not available while something is hidden");
    if (!form->write(&live->record, &out->body, &out->why))
        return message_fail_err(out, 500, NULL, &out->why);
    out->status = 200;
    out->type = form->type;
    snprintf(out->file_name, sizeof out->file_name, "senjutsu-%s-%s.%s", game->name, live->id, form->ending);
    return true;
}

/* ---- playing ---- */

/* 409 for the other side. The game goes on: may_change was called before. */
static bool is_to_move(const struct call *call, struct message_out *out) {
    const int mover = live_game_mover(call->live);
    return live_game_has_side(call->sides, mover) ||
           message_fail_code(out, 409, NULL, "refused.turn", "it is not your turn: %s is to move",
                             call->live->scenario->game->text->side_names[mover]);
}

/* "ply" protects from a second click, and from a position that the person has not seen yet. */
static bool act(const struct call *call, struct message_out *out) {
    static const struct param ply_row = {"ply", PARAM_INT, .high = LIVE_GAME_ACTIONS_MAX};
    struct live_game *live = call->live;
    const char *text;
    int ply = -1;
    action a;
    if (!may_change(call, out) || !request_read(call->body, &ply_row, &ply, out))
        return false;
    if (ply < 0)
        return message_fail(out, 400, "ply", "\"ply\" is missing: the number of actions you have seen");
    if (ply != live->record.count)
        return message_fail_code(out, 409, "ply", "refused.ply",
                                 "the game has gone on: %d actions were played, you have seen %d",
                                 live->record.count, ply);
    if (!is_to_move(call, out) || !request_text(call->body, "action", "", &text, out))
        return false;
    if (!live->scenario->game->text->read_action(live_game_state(live), text, &a, &out->why))
        return err_field(&out->why, "action");
    return answer_done(live, live_game_act(live, a, &out->why), out);
}

/* A person who has seen a hidden colour or card cannot take back the action that revealed it. Each person is
 * checked for their own side only: a refusal must not reveal what the other side has learned. */
static bool go_back(const struct call *call, int count, bool is_whole_turn, struct message_out *out) {
    if (live_game_has_revealed(call->live, count, call->sides))
        return message_fail_code(
            out, 409, NULL, "refused.revealed",
            "what was played since then showed you something hidden, so it cannot be taken back");
    return answer_done(call->live, live_game_go_back(call->live, count, is_whole_turn, &out->why), out);
}

/* Takes back one action of the turn that goes on. Without consent: the other side has not acted since. */
static bool undo(const struct call *call, struct message_out *out) {
    if (!may_change(call, out) || !is_to_move(call, out))
        return false;
    if (!live_game_may_undo(call->live, call->sides))
        return message_fail_code(out, 409, NULL, "refused.undo", "nothing was done in this turn yet");
    return go_back(call, call->live->record.count - 1, false, out);
}

/* The other side's consent is needed when another person plays it. */
static bool take_back(const struct call *call, struct message_out *out) {
    struct live_game *live = call->live;
    if (!may_change(call, out))
        return false;
    int side = NOBODY;
    const int start = live_game_turn_start(live, call->sides, &side);
    if (start < 0)
        return message_fail_code(out, 409, NULL, "refused.take_back", "there is nothing to take back");
    const bool needs_consent = live->seats[side ^ 1].is_human && !live_game_has_side(call->sides, side ^ 1);
    if (!needs_consent || live_game_has_revealed(live, start, call->sides))
        return go_back(call, start, true, out);
    if (live->offer == (side ^ 1))
        return message_fail_code(out, 409, NULL, "refused.offered",
                                 "the other side asks to take back: answer first");
    return answer_done(live, live_game_make_offer(live, side, &out->why), out);
}

/* Accepting and declining need the key of the side that was asked. */
static bool answer_offer(const struct call *call, struct message_out *out) {
    const json_t *accept = json_object_get(call->body, "accept");
    struct live_game *live = call->live;
    if (!may_change(call, out))
        return false;
    if (!json_is_boolean(accept))
        return message_fail_code(out, 400, "accept", "json.switch", "\"%s\": expected true or false",
                                 "accept");
    if (live->offer == NOBODY || !live_game_has_side(call->sides, live->offer ^ 1))
        return message_fail_code(out, 409, NULL, "refused.no_offer", "there is no offer for you to answer");
    return json_is_true(accept)
               ? go_back(call, live_game_turn_start(live, 1U << live->offer, NULL), true, out)
               : answer_done(live, live_game_make_offer(live, NOBODY, &out->why), out);
}

/* A person with both seats resigns for the side to move. */
static bool resign(const struct call *call, struct message_out *out) {
    if (!may_change(call, out))
        return false;
    const int side =
        call->sides == SIDES_BOTH ? live_game_mover(call->live) : live_game_has_side(call->sides, 1);
    return answer_done(call->live, live_game_end(call->live, side, &out->why), out);
}

/* A game between players belongs to no person, so it can be stopped without a key. */
static bool stop(const struct call *call, struct message_out *out) {
    struct live_game *live = call->live;
    if (live_game_is_over(live))
        return message_fail_code(out, 409, NULL, "refused.over", "the game is over: %s", live->record.result);
    if (live_game_has_people(live))
        return message_fail_code(out, 409, NULL, "refused.stop", "people play here: they may resign");
    return answer_done(live, live_game_end(live, NOBODY, &out->why), out);
}

/* A game without keys, between players or from a record, can be deleted without one. */
static bool remove_game(const struct call *call, struct message_out *out) {
    struct live_game *live = call->live;
    const bool has_keys = live->seats[0].key[0] != '\0' || live->seats[1].key[0] != '\0';
    if (has_keys && call->sides == SIDES_NONE)
        return message_fail_code(out, 403, "key", "refused.delete",
                                 "people play here: only who has a seat's key may delete the game");
    if (!live_game_remove_files(live, &out->why))
        return message_fail_code(out, 507, NULL, "refused.unremoved", "the game cannot be removed: %s",
                                 live_game_save_error(&out->why));
    live_games_remove(call->bench->live_games, live);
    return serve_done(out, 204);
}

const struct route study_table_routes[] = {
    {MESSAGE_GET, "/api/tables/*", show},
    {MESSAGE_GET, "/api/tables/*/events", follow},
    {MESSAGE_POST, "/api/tables/*/action", act, "key ply action"},
    {MESSAGE_POST, "/api/tables/*/undo", undo, "key"},
    {MESSAGE_POST, "/api/tables/*/resign", resign, "key"},
    {MESSAGE_GET, NULL, NULL},
};

const struct route live_game_routes[] = {
    {MESSAGE_POST, "/api/tables", create, "game map map_text rules position seats seed clock thoughts"},
    {MESSAGE_GET, "/api/tables", list},
    {MESSAGE_POST, "/api/tables/load", load_record, "record text"},
    {MESSAGE_GET, "/api/tables/*", show},
    {MESSAGE_GET, "/api/tables/*/events", follow},
    {MESSAGE_POST, "/api/tables/*/action", act, "key ply action"},
    {MESSAGE_POST, "/api/tables/*/undo", undo, "key"},
    {MESSAGE_POST, "/api/tables/*/take-back", take_back, "key"},
    {MESSAGE_POST, "/api/tables/*/answer", answer_offer, "key accept"},
    {MESSAGE_POST, "/api/tables/*/resign", resign, "key"},
    {MESSAGE_POST, "/api/tables/*/stop", stop, ""},
    {MESSAGE_GET, "/api/tables/*/record", send_record},
    {MESSAGE_DELETE, "/api/tables/*", remove_game},
    {MESSAGE_GET, NULL, NULL},
};
