/* SPDX-License-Identifier: MIT
 *
 * /api/tables: who may do what, and then does it.
 */
#include "serve/table_work.h"

#include "game/geister/geister.h"
#include "game/tbs/tbs.h"
#include "serve/ground.h"
#include "serve/table_show.h"

#include <stdio.h>
#include <string.h>

/* ---- finding out who asks ---- */

/* Who asks, and where. */
struct visit {
    struct table *table;
    enum table_audience audience;
};

static bool use_key(struct visit *v, const char *key, struct message_out *out) {
    const int sides = table_sides(v->table, key);
    if (sides < 0)
        message_fail(out, 403, "key", "that is not a key of this table");
    else
        v->audience = (enum table_audience)sides;
    return sides >= 0;
}

/* Somebody who only looks. */
static bool visit(struct workbench *bench, const struct call *call, struct visit *v,
                  struct message_out *out) {
    v->table = tables_find(bench->tables, call->parts[0], out);
    return v->table != NULL && use_key(v, message_query(call->in, "key"), out);
}

static const char *const key_only[] = {"key", NULL};

/* Somebody who has a seat and wants to do something in a game that goes on. */
static bool sit_down(struct workbench *bench, const struct call *call, const char *const *members,
                     struct visit *v, struct message_out *out) {
    const char *key;
    v->table = tables_find(bench->tables, call->parts[0], out);
    if (v->table == NULL || !serve_knows(call->body, members, out) ||
        !ground_text(call->body, "key", "", &key, out) || !use_key(v, key, out))
        return false;
    if (v->audience == AUDIENCE_PUBLIC) {
        message_fail(out, 403, "key", "only who sits there may do that: the key of the seat is needed");
        return false;
    }
    if (!table_is_over(v->table))
        return true;
    message_fail(out, 409, NULL, "the game is over: %s", v->table->record.result);
    return false;
}

static bool is_seated(const struct visit *v, int side) {
    return ((int)v->audience >> side & 1) != 0;
}

/* What was asked for is done and kept, or it was not done at all. */
static void answer_done(const struct table *table, bool ok, const struct err *e, struct message_out *out) {
    if (ok)
        message_json(out, 200, json_pack("{si}", "ply", table->record.count));
    else
        message_fail(out, 507, NULL, "%s", e->text);
}

/* ---- looking ---- */

static void list(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
    json_t *all = json_array();
    for (const struct table *table = bench->tables->newest; table != NULL; table = table->next) {
        json_t *info = table_info_json(table);
        json_t *ground = json_copy(table->ground);
        json_object_del(ground, "map_text"); /* as large as a map; the table itself has it */
        json_object_set_new(info, "ground", ground);
        json_array_append_new(all, info);
    }
    message_json(out, 200, all);
}

static void show(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct visit v;
    if (!visit(bench, call, &v, out))
        return;
    table_write(v.table, v.audience, &out->body);
    out->status = 200;
    if (out->body.failed)
        message_fail(out, 500, NULL, "not enough memory to show the table");
    table_settle(v.table);
}

static void follow(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct visit v;
    if (!visit(bench, call, &v, out))
        return;
    out->stream = table_stream(v.table, v.audience);
    out->status = 200;
    if (out->stream == NULL)
        message_fail(out, 500, NULL, "not enough memory to follow the table");
    table_settle(v.table);
}

/* ---- records ---- */

struct form {
    const char *name, *ending, *type;
    bool (*is_for)(const struct game *game);
    bool (*write)(const struct record *record, struct text *out, struct err *e);
};

static bool is_any(const struct game *game) {
    return game != NULL;
}

static bool is_geister(const struct game *game) {
    return game == &geister_game;
}

static const struct form forms[] = {
    {"json", "json", "application/json", is_any, record_write_json},
    {"sgf", "sgf", "text/plain; charset=utf-8", game_is_tbs, record_write_sgf},
    {"log", "txt", "text/plain; charset=utf-8", is_geister, record_write_log},
};

static const struct form *find_form(const struct game *game, const char *name, struct message_out *out) {
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].name, name) == 0 && forms[i].is_for(game))
            return &forms[i];
    message_fail(out, 400, "form", "a record of %s has no form '%.16s'; expected json%s", game->name, name,
                 game_is_tbs(game)  ? " or sgf"
                 : is_geister(game) ? " or log"
                                    : "");
    return NULL;
}

static void send_record(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct visit v;
    struct err e;
    if (!visit(bench, call, &v, out))
        return;
    const struct table *table = v.table;
    const char *name = message_query(call->in, "form");
    const struct form *form = find_form(table->scenario->game, name != NULL ? name : "json", out);
    if (form == NULL)
        return;
    if (table_hides(table) || table->is_placed) {
        message_fail(out, 409, NULL, "%s",
                     table->is_placed ? "a game that began in the middle has no record"
                                      : "while something is hidden the record is nobody's to see");
        return;
    }
    out->status = 200;
    out->type = form->type;
    snprintf(out->file_name, sizeof out->file_name, "senjutsu-%s-%s.%s", table->scenario->game->name,
             table->id, form->ending);
    if (form->write(&table->record, &out->body, &e))
        return;
    out->file_name[0] = '\0';
    message_fail(out, 500, NULL, "%s", e.text);
}

/* ---- playing ---- */

static bool read_ply(const struct visit *v, const json_t *body, struct message_out *out) {
    const struct ground_range range = {0, TABLE_ACTIONS_MAX, -1};
    long ply;
    if (!ground_int(body, "ply", range, &ply, out))
        return false;
    if (ply < 0) {
        message_fail(out, 400, "ply", "\"ply\" is missing: the number of actions you have seen");
        return false;
    }
    if (ply == v->table->record.count)
        return true;
    message_fail(out, 409, "ply", "the game has gone on: %d actions were played, you have seen %ld",
                 v->table->record.count, ply);
    return false;
}

static bool is_to_move(const struct visit *v, struct message_out *out) {
    const int mover = table_mover(v->table);
    if (is_seated(v, mover))
        return true;
    message_fail(out, 409, NULL, "it is not your turn: %s is to move",
                 v->table->scenario->game->text->side_names[mover]);
    return false;
}

static void act(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const members[] = {"key", "ply", "action", NULL};
    struct visit v;
    struct err e;
    const char *text;
    action a;
    if (!sit_down(bench, call, members, &v, out) || !read_ply(&v, call->body, out) || !is_to_move(&v, out) ||
        !ground_text(call->body, "action", "", &text, out))
        return;
    if (!v.table->scenario->game->text->read_action(v.table->referee.state, text, &a, &e)) {
        message_fail(out, 400, "action", "%s", e.text);
        return;
    }
    answer_done(v.table, table_act(v.table, a, &e), &e, out);
}

/* What was seen stays seen: who has learned a colour or a card keeps the action that showed it, too.
 * Everybody who has a say in it is asked about its own side alone: a refusal must not tell what the other one
 * has learned. */
static bool may_go_back(const struct visit *v, int count, struct message_out *out) {
    if (!table_has_shown(v->table, count, (unsigned)v->audience))
        return true;
    message_fail(out, 409, NULL,
                 "what was played since then showed you something hidden, so it cannot be taken back");
    return false;
}

static void undo(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct visit v;
    struct err e;
    if (!sit_down(bench, call, key_only, &v, out) || !is_to_move(&v, out))
        return;
    if (!table_may_undo(v.table, v.audience)) {
        message_fail(out, 409, NULL, "nothing was done in this turn yet");
        return;
    }
    if (!may_go_back(&v, v.table->record.count - 1, out))
        return;
    answer_done(v.table, table_undo(v.table, &e), &e, out);
}

/* The other side's consent is needed when it is somebody else. */
static bool needs_consent(const struct visit *v, int side) {
    return v->table->seats[side ^ 1].is_human && !is_seated(v, side ^ 1);
}

static void take_back(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct visit v;
    struct err e;
    if (!sit_down(bench, call, key_only, &v, out))
        return;
    struct table *table = v.table;
    const int side = table_take_back_side(table, v.audience);
    if (side == NOBODY) {
        message_fail(out, 409, NULL, "there is nothing to take back");
        return;
    }
    if (!may_go_back(&v, table_turn_start(table, side), out))
        return;
    if (!needs_consent(&v, side)) {
        answer_done(table, table_take_back(table, side, &e), &e, out);
    } else if (table->offer == (side ^ 1)) {
        message_fail(out, 409, NULL, "the other side asks to take back: answer first");
    } else {
        answer_done(table, table_make_offer(table, side, &e), &e, out);
    }
}

static void answer_offer(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const members[] = {"key", "accept", NULL};
    struct visit v;
    struct err e;
    bool accepts;
    if (!sit_down(bench, call, members, &v, out))
        return;
    struct table *table = v.table;
    if (!json_is_boolean(json_object_get(call->body, "accept"))) {
        message_fail(out, 400, "accept", "\"accept\": expected true or false");
        return;
    }
    accepts = json_is_true(json_object_get(call->body, "accept"));
    if (table->offer == NOBODY || !is_seated(&v, table->offer ^ 1)) {
        message_fail(out, 409, NULL, "there is no offer for you to answer");
        return;
    }
    if (accepts && !may_go_back(&v, table_turn_start(table, table->offer), out))
        return;
    const bool ok = accepts ? table_take_back(table, table->offer, &e) : table_make_offer(table, NOBODY, &e);
    answer_done(table, ok, &e, out);
}

/* Who has both seats resigns for the one to move. */
static void resign(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct visit v;
    struct err e;
    if (!sit_down(bench, call, key_only, &v, out))
        return;
    const int side = v.audience == AUDIENCE_BOTH     ? table_mover(v.table)
                     : v.audience == AUDIENCE_SECOND ? 1
                                                     : 0;
    answer_done(v.table, table_resign(v.table, side, &e), &e, out);
}

static void stop(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const members[] = {NULL};
    struct err e;
    struct table *table = tables_find(bench->tables, call->parts[0], out);
    if (table == NULL || !serve_knows(call->body, members, out))
        return;
    if (table_has_people(table) || table_is_over(table)) {
        message_fail(out, 409, NULL, "%s",
                     table_is_over(table) ? "the game is over" : "people play here: they may resign");
        return;
    }
    answer_done(table, table_cancel(table, &e), &e, out);
}

static bool has_keys(const struct table *table) {
    return table->seats[0].key[0] != '\0' || table->seats[1].key[0] != '\0';
}

static void remove_table(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct visit v;
    struct err e;
    if (!visit(bench, call, &v, out))
        return;
    if (has_keys(v.table) && v.audience == AUDIENCE_PUBLIC) {
        message_fail(out, 403, "key", "people play here: only who has a seat's key may delete the game");
        return;
    }
    if (!table_remove_files(v.table, &e)) {
        message_fail(out, 507, NULL, "the game cannot be removed: %s", table_reason(&e));
        return;
    }
    tables_remove(bench->tables, v.table);
    out->status = 204;
}

const struct route table_routes[] = {
    {MESSAGE_POST, "/api/tables", tables_create},
    {MESSAGE_GET, "/api/tables", list},
    {MESSAGE_POST, "/api/tables/load", tables_load_record},
    {MESSAGE_GET, "/api/tables/*", show},
    {MESSAGE_GET, "/api/tables/*/events", follow},
    {MESSAGE_POST, "/api/tables/*/action", act},
    {MESSAGE_POST, "/api/tables/*/undo", undo},
    {MESSAGE_POST, "/api/tables/*/take-back", take_back},
    {MESSAGE_POST, "/api/tables/*/answer", answer_offer},
    {MESSAGE_POST, "/api/tables/*/resign", resign},
    {MESSAGE_POST, "/api/tables/*/stop", stop},
    {MESSAGE_GET, "/api/tables/*/record", send_record},
    {MESSAGE_DELETE, "/api/tables/*", remove_table},
    {MESSAGE_GET, NULL, NULL},
};
