/* SPDX-License-Identifier: MIT
 *
 * A table as the page sees it. Steps and thoughts are kept as text, so what has them in it is put together as
 * text.
 */
#include "serve/table_show.h"

#include "serve/table_text.h"
#include "serve/table_work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_FLAGS = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6) };

/* ---- who may see and do what ---- */

static bool is_for(enum table_audience audience, int side) {
    return side != NOBODY && ((int)audience >> side & 1) != 0;
}

/* Two people at one screen see what the one to move sees, of the past as well. */
enum shape_viewer table_viewer(const struct table *table, enum table_audience audience) {
    static const enum shape_viewer viewers[] = {
        [AUDIENCE_PUBLIC] = SHAPE_PUBLIC, [AUDIENCE_FIRST] = SHAPE_FIRST, [AUDIENCE_SECOND] = SHAPE_SECOND};
    if (!table_hides(table))
        return SHAPE_ALL;
    return audience == AUDIENCE_BOTH ? (enum shape_viewer)table_mover(table) : viewers[audience];
}

bool table_may_undo(const struct table *table, enum table_audience audience) {
    return is_for(audience, table_mover(table)) && table->referee.turn.taken > 0 && table->record.count > 0;
}

/* Who has both seats takes back for whoever acted last. */
int table_take_back_side(const struct table *table, enum table_audience audience) {
    if (table_is_over(table) || audience == AUDIENCE_PUBLIC || table->record.count == 0)
        return NOBODY;
    int side = audience == AUDIENCE_SECOND;
    if (audience == AUDIENCE_BOTH) {
        struct replay replay;
        table_replay(table, table->record.count - 1, &replay);
        side = table->scenario->game->mover(replay.state);
    }
    return table_turn_start(table, side) >= 0 ? side : NOBODY;
}

json_t *table_may_json(const struct table *table, enum table_audience audience) {
    const bool goes_on = !table_is_over(table), acted = table_may_undo(table, audience);
    const unsigned sides = (unsigned)audience;
    const int side = table_take_back_side(table, audience);
    const bool keeps_action = acted && table_has_shown(table, table->record.count - 1, sides),
               keeps_turn = side != NOBODY && table_has_shown(table, table_turn_start(table, side), sides);
    return json_pack("{sb sb sb sb sb}", "undo", acted && !keeps_action, "take_back",
                     side != NOBODY && !keeps_turn, "revealed", keeps_action || keeps_turn, "resign",
                     goes_on && audience != AUDIENCE_PUBLIC, "hint", is_for(audience, table_mover(table)));
}

/* ---- parts ---- */

static json_t *side_or_null(int side) {
    return side == NOBODY ? json_null() : json_integer(side);
}

static json_t *seat_json(const struct table_seat *seat) {
    return json_pack("{ss ss ss}", "kind", seat->is_human ? "human" : "player", "name", seat->name, "spec",
                     seat->spec);
}

json_t *table_info_json(const struct table *table) {
    return json_pack("{ss sO s[oo] si so sb ss ss}", "id", table->id, "ground", table->ground, "seats",
                     seat_json(&table->seats[0]), seat_json(&table->seats[1]), "ply", table->record.count,
                     "mover", side_or_null(table_mover(table)), "over", table_is_over(table), "result",
                     table->record.result, "created", table->created);
}

static json_t *left_json(const struct table *table, int side) {
    const struct ask_time time = timing_allow(&table->clocks, &table->timing, side, 1);
    if (time.limit_ns == 0)
        return json_null();
    const int64_t grace = (int64_t)(table->timing.grace_s * 1e9);
    const int64_t spent = side == table_mover(table) ? table_spent(table) : 0;
    const int64_t left = time.limit_ns - grace - spent;
    return json_integer(left > 0 ? left / 1000000 : 0);
}

json_t *table_clocks_json(const struct table *table) {
    const bool runs = timing_is_limited(&table->timing) && !table_is_over(table);
    return json_pack("{ss s[oo] so}", "limits", table->clock, "left_ms", left_json(table, 0),
                     left_json(table, 1), "running", side_or_null(runs ? table_mover(table) : NOBODY));
}

static json_t *actions_json(const struct table *table, enum table_audience audience) {
    return is_for(audience, table_mover(table)) ? shape_actions(table->scenario, table->referee.state)
                                                : json_null();
}

static json_t *thinking_json(const struct table *table) {
    return side_or_null(table_is_thinking(table) ? table_mover(table) : NOBODY);
}

/* A ruling's result begins with who has won by it. */
static json_t *ruled_payoffs(const struct table *table) {
    const char *result = table->record.result;
    for (int side = 0; side < 2; side++)
        if (text_after_word(result, table->scenario->game->text->side_names[side]) != NULL)
            return json_pack("[ii]", side == 0, side == 1);
    return json_null();
}

/* The last state; a ruling ends the game where the rules do not. */
static json_t *state_json(const struct table *table, enum table_audience audience) {
    const struct referee *referee = &table->referee;
    json_t *state = shape_state(table->scenario, referee->state, table_viewer(table, audience));
    if (state == NULL || !table_is_over(table) || table->scenario->game->mover(referee->state) == NOBODY)
        return state;
    json_object_set_new(state, "mover", json_null());
    json_object_set_new(state, "over", json_true());
    json_object_set_new(state, "result", json_string(table->record.result));
    json_object_set_new(state, "payoff", ruled_payoffs(table));
    return state;
}

/* ---- steps ---- */

static void add_json(struct text *out, json_t *value) {
    char *dump = value != NULL ? json_dumps(value, JSON_FLAGS) : NULL;
    if (dump != NULL)
        text_add_string(out, dump);
    out->failed = out->failed || dump == NULL;
    free(dump);
    json_decref(value);
}

/* An object that is left open, for members to be added as text. */
static void add_open(struct text *out, json_t *object) {
    add_json(out, object);
    if (!out->failed && out->size > 0)
        out->data[--out->size] = '\0';
}

/* With a point, as all numbers that may have one. */
static void add_chance(double chance, struct text *out) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.6g", chance);
    text_add_string(out, isnan(chance) ? "null" : digits);
    if (!isnan(chance) && strpbrk(digits, ".e") == NULL)
        text_add_string(out, ".0");
}

/* What comes later than the step, or may not be seen yet, stands behind the text that stays. */
static void add_step(struct table *table, int index, enum shape_viewer viewer, struct replay *replay,
                     struct text *out) {
    const struct table_step *step = &table->steps[index];
    table_write_text(table, index, viewer, replay, out);
    text_add_string(out, ",\"chance\":");
    add_chance(step->chance, out);
    text_add_string(out, ",\"thoughts\":");
    text_add_string(out, step->thoughts != NULL && !table_hides(table) ? step->thoughts : "null");
    text_add_string(out, "}");
}

void table_write_step(struct table *table, enum table_audience audience, struct text *out) {
    struct replay replay;
    table_replay(table, 0, &replay);
    table->told_ns = table_now(table);
    text_add_string(out, "{\"step\":");
    add_step(table, table->record.count - 1, table_viewer(table, audience), &replay, out);
    text_add_string(out, ",\"actions\":");
    add_json(out, actions_json(table, audience));
    text_add_string(out, ",\"clocks\":");
    add_json(out, table_clocks_json(table));
    text_add_string(out, ",\"thinking\":");
    add_json(out, thinking_json(table));
    text_add_string(out, ",\"may\":");
    add_json(out, table_may_json(table, audience));
    text_add_string(out, "}");
}

/* ---- the whole ---- */

json_t *table_unsaved_json(const struct table *table) {
    return table->unsaved[0] != '\0' ? json_string(table->unsaved) : json_null();
}

static json_t *sides_json(enum table_audience audience) {
    json_t *sides = json_array();
    for (int side = 0; side < 2; side++)
        if (is_for(audience, side))
            json_array_append_new(sides, json_integer(side));
    return sides;
}

static json_t *head_json(const struct table *table, enum table_audience audience) {
    const struct scenario *scenario = table->scenario;
    json_t *head = table_info_json(table);
    json_t *more = json_pack(
        "{so so so so so so so so so ss sb so}", "you", sides_json(audience), "map", shape_map(scenario),
        "start", shape_state(scenario, table->start, table_viewer(table, audience)), "state",
        state_json(table, audience), "actions", actions_json(table, audience), "clocks",
        table_clocks_json(table), "thinking", thinking_json(table), "may", table_may_json(table, audience),
        "offer", side_or_null(table->offer), "comment", table->record.comment, "sees_all",
        table_viewer(table, audience) == SHAPE_ALL, "unsaved", table_unsaved_json(table));
    if (head == NULL || more == NULL || json_object_update(head, more) != 0) {
        json_decref(head);
        head = NULL;
    }
    json_decref(more);
    return head;
}

void table_write(struct table *table, enum table_audience audience, struct text *out) {
    struct replay replay;
    table->told_ns = table_now(table);
    table_recall_thoughts(table);
    add_open(out, head_json(table, audience));
    text_add_string(out, ",\"steps\":[");
    table_replay(table, 0, &replay);
    for (int i = 0; i < table->record.count; i++) {
        text_add_string(out, i > 0 ? "," : "");
        add_step(table, i, table_viewer(table, audience), &replay, out);
    }
    text_add_string(out, "]}");
    if (table_is_over(table))
        table_drop_thoughts(table);
}
