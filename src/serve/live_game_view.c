/* SPDX-License-Identifier: MIT
 *
 * Live games as JSON for the page, and the event streams of their readers. Steps and thoughts are cached as
 * text, so the whole is assembled as text.
 */
#include "base/mem.h"
#include "net/message.h"
#include "serve/live_game.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shorter games are serialised again for each request, which takes a few milliseconds. */
enum { LONG_GAME = 256 };

/* ---- cached texts ----
 *
 * The text of a step never changes, and a long game has tens of megabytes of them.
 * The texts of long games are cached, as far as there is room, for readers from whom nothing is hidden. A
 * text with hidden parts left out is never cached. */

void live_game_drop_text(struct live_game *live, int index) {
    struct live_game_step *step = &live->steps[index];
    if (step->text == NULL)
        return;
    const size_t size = strlen(step->text) + 1;
    live->cached_bytes -= size;
    live->games->cached_bytes -= size;
    mem_free(step->text);
    step->text = NULL;
}

static bool has_room(const struct live_game *live, size_t size) {
    return live->games->cached_bytes + size < live->games->cached_max;
}

/* Drops the texts of the games that were shown longest ago. */
static bool make_room(const struct live_game *but, size_t size) {
    while (!has_room(but, size)) {
        struct live_game *stale = NULL;
        for (struct live_game *live = but->games->newest; live != NULL; live = live->next)
            if (live != but && live->cached_bytes > 0 &&
                (stale == NULL || live->published_ns < stale->published_ns))
                stale = live;
        if (stale == NULL)
            return false;
        for (int i = 0; i < stale->record.count && stale->cached_bytes > 0; i++)
            live_game_drop_text(stale, i);
    }
    return true;
}

/* A game in no list (number 0) is shown only once. */
static bool is_worth_while(const struct live_game *live, enum json_viewer viewer) {
    return viewer == JSON_VIEWER_ALL && !live_game_has_secrets(live) && live->record.count >= LONG_GAME &&
           live->number > 0;
}

static void cache_text(struct live_game *live, int index, const char *text, size_t size) {
    live_game_drop_text(live, index);
    live->steps[index].text = mem_alloc(size + 1);
    memcpy(live->steps[index].text, text, size);
    live->cached_bytes += size + 1;
    live->games->cached_bytes += size + 1;
}

/* ---- making it ---- */

/* A step between two states. */
struct moment {
    int index;
    enum json_viewer viewer;
    const void *before, *after;
};

static void make(const struct live_game *live, const struct moment *m, struct text *out) {
    const struct scenario *scenario = live->scenario;
    const struct record_action played = live->record.actions[m->index];
    json_t *head =
        json_pack("{si si so so so}", "ply", m->index + 1, "side", scenario->game->mover(m->before), "action",
                  json_view_action(scenario, m->before, played.action, m->viewer), "did",
                  json_view_played(scenario, m->before, played.action, m->viewer), "ms",
                  played.milliseconds < 0 ? json_null() : json_real((double)played.milliseconds));
    char *dump = json_dumps(head, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(head);
    text_add_bytes(out, dump, strlen(dump) - 1); /* the object continues */
    free(dump);
    text_add_string(out, ",\"state\":");
    json_view_write_state(scenario, m->after, m->viewer, out);
}

static void write_step_head(struct live_game *live, int index, enum json_viewer viewer, struct replay *replay,
                            struct text *out) {
    assert(index >= 0);
    assert(index < live->record.count);
    const struct live_game_step *step = &live->steps[index];
    _Alignas(16) unsigned char before[GAME_STATE_MAX];
    const size_t start = out->size;
    if (viewer == JSON_VIEWER_ALL && step->text != NULL) {
        text_add_string(out, step->text);
        return;
    }
    while (replay->next < index)
        replay_step(replay, NULL);
    memcpy(before, replay->state, live->scenario->game->state_size);
    replay_step(replay, NULL);
    make(live, &(struct moment){index, viewer, before, replay->state}, out);
    if (is_worth_while(live, viewer) && make_room(live, out->size - start))
        cache_text(live, index, out->data + start, out->size - start);
}

/* The step may not be read for a long time: no other game's cached texts are dropped for it. */
void live_game_cache_text(struct live_game *live, const void *before) {
    assert(live->record.count > 0);
    struct text text = {0};
    if (!is_worth_while(live, JSON_VIEWER_ALL) || !has_room(live, 0))
        return;
    make(live, &(struct moment){live->record.count - 1, JSON_VIEWER_ALL, before, live_game_state(live)},
         &text);
    if (has_room(live, text.size))
        cache_text(live, live->record.count - 1, text_string(&text), text.size);
    text_done(&text);
}

enum { JSON_FLAGS = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6) };

/* ---- permissions ---- */

static bool is_for(enum audience audience, int side) {
    return side != NOBODY && ((int)audience >> side & 1) != 0;
}

/* Two people at one screen see the view of the side to move, also of past positions. */
static enum json_viewer viewer_of(const struct live_game *live, enum audience audience) {
    static const enum json_viewer viewers[] = {[AUDIENCE_PUBLIC] = JSON_VIEWER_PUBLIC,
                                               [AUDIENCE_FIRST] = JSON_VIEWER_FIRST,
                                               [AUDIENCE_SECOND] = JSON_VIEWER_SECOND};
    if (!live_game_has_secrets(live))
        return JSON_VIEWER_ALL;
    return audience == AUDIENCE_BOTH ? (enum json_viewer)live_game_mover(live) : viewers[audience];
}

bool live_game_may_undo(const struct live_game *live, enum audience audience) {
    return is_for(audience, live_game_mover(live)) && live->game.referee.turn.taken > 0 &&
           live->record.count > 0;
}

/* A person with both seats takes back for the side that acted last. */
int live_game_take_back_side(const struct live_game *live, enum audience audience) {
    if (live_game_is_over(live) || audience == AUDIENCE_PUBLIC || live->record.count == 0)
        return NOBODY;
    int side = audience == AUDIENCE_SECOND;
    if (audience == AUDIENCE_BOTH) {
        struct replay replay;
        clocked_game_replay(&live->game, live->record.count - 1, &replay, NULL);
        side = live->scenario->game->mover(replay.state);
    }
    return live_game_turn_start(live, side) >= 0 ? side : NOBODY;
}

static json_t *may_json(const struct live_game *live, enum audience audience) {
    const bool goes_on = !live_game_is_over(live), acted = live_game_may_undo(live, audience);
    const unsigned sides = (unsigned)audience;
    const int side = live_game_take_back_side(live, audience);
    const bool keeps_action = acted && live_game_has_revealed(live, live->record.count - 1, sides),
               keeps_turn =
                   side != NOBODY && live_game_has_revealed(live, live_game_turn_start(live, side), sides);
    return json_pack("{sb sb sb sb sb}", "undo", acted && !keeps_action, "take_back",
                     side != NOBODY && !keeps_turn, "revealed", keeps_action || keeps_turn, "resign",
                     goes_on && audience != AUDIENCE_PUBLIC, "hint", is_for(audience, live_game_mover(live)));
}

/* ---- parts ---- */

static json_t *side_or_null(int side) {
    return side == NOBODY ? json_null() : json_integer(side);
}

static json_t *seat_json(const struct live_game_seat *seat) {
    return json_pack("{ss ss ss}", "kind", seat->is_human ? "human" : "player", "name", seat->name, "spec",
                     seat->spec);
}

json_t *live_game_info_json(const struct live_game *live) {
    return json_pack("{ss sO s[oo] si so sb ss ss}", "id", live->id, "ground", live->start_json, "seats",
                     seat_json(&live->seats[0]), seat_json(&live->seats[1]), "ply", live->record.count,
                     "mover", side_or_null(live_game_mover(live)), "over", live_game_is_over(live), "result",
                     live->record.result, "created", live->created);
}

static json_t *left_json(const struct live_game *live, int side) {
    const struct clocked_game *game = &live->game;
    const struct ask_time time = timing_allow(&game->clocks, &game->timing, side, 1);
    if (time.limit_ns == 0)
        return json_null();
    const int64_t grace = (int64_t)(game->timing.grace_s * 1e9);
    const int64_t spent = side == live_game_mover(live) ? clocked_game_spent(game, live_game_now(live)) : 0;
    const int64_t left = time.limit_ns - grace - spent;
    return json_integer(left > 0 ? left / 1000000 : 0);
}

static json_t *clocks_json(const struct live_game *live) {
    const bool runs = timing_is_limited(&live->game.timing) && !live_game_is_over(live);
    return json_pack("{ss s[oo] so}", "limits", live->clock, "left_ms", left_json(live, 0),
                     left_json(live, 1), "running", side_or_null(runs ? live_game_mover(live) : NOBODY));
}

static json_t *actions_json(const struct live_game *live, enum audience audience) {
    return is_for(audience, live_game_mover(live)) ? json_view_actions(live->scenario, live_game_state(live))
                                                   : json_null();
}

static json_t *thinking_json(const struct live_game *live) {
    return side_or_null(live_game_awaits_player(live) ? live_game_mover(live) : NOBODY);
}

/* The result of a ruling begins with the winner's name. */
static json_t *ruled_payoffs(const struct live_game *live) {
    const char *result = live->record.result;
    for (int side = 0; side < 2; side++)
        if (text_after_word(result, live->scenario->game->text->side_names[side]) != NULL)
            return json_pack("[ii]", side == 0, side == 1);
    return json_null();
}

/* The last state; a ruling ends the game where the rules do not. */
static json_t *state_json(const struct live_game *live, enum audience audience) {
    json_t *state = json_view_state(live->scenario, live_game_state(live), viewer_of(live, audience));
    if (!live_game_is_over(live) || live->scenario->game->mover(live_game_state(live)) == NOBODY)
        return state;
    json_object_set_new(state, "mover", json_null());
    json_object_set_new(state, "over", json_true());
    json_object_set_new(state, "result", json_string(live->record.result));
    json_object_set_new(state, "payoff", ruled_payoffs(live));
    return state;
}

/* ---- steps ---- */

static void add_json(struct text *out, json_t *value) {
    char *dump = json_dumps(value, JSON_FLAGS);
    text_add_string(out, dump);
    free(dump);
    json_decref(value);
}

/* An object that is left open, for members to be added as text. */
static void add_open(struct text *out, json_t *object) {
    add_json(out, object);
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

/* Chance and thoughts come later than the step, or are hidden at first: they follow the cached text. */
static void add_step(struct live_game *live, int index, enum json_viewer viewer, struct replay *replay,
                     struct text *out) {
    const struct live_game_step *step = &live->steps[index];
    write_step_head(live, index, viewer, replay, out);
    text_add_string(out, ",\"chance\":");
    add_chance(step->chance, out);
    text_add_string(out, ",\"thoughts\":");
    text_add_string(out, step->thoughts != NULL && !live_game_has_secrets(live) ? step->thoughts : "null");
    text_add_string(out, "}");
}

static void write_last_step(struct live_game *live, enum audience audience, struct text *out) {
    assert(live->record.count > 0);
    struct replay replay;
    clocked_game_replay(&live->game, 0, &replay, NULL);
    live->published_ns = live_game_now(live);
    text_add_string(out, "{\"step\":");
    add_step(live, live->record.count - 1, viewer_of(live, audience), &replay, out);
    text_add_string(out, ",\"actions\":");
    add_json(out, actions_json(live, audience));
    text_add_string(out, ",\"clocks\":");
    add_json(out, clocks_json(live));
    text_add_string(out, ",\"thinking\":");
    add_json(out, thinking_json(live));
    text_add_string(out, ",\"may\":");
    add_json(out, may_json(live, audience));
    text_add_string(out, "}");
}

/* ---- the whole game ---- */

static json_t *unsaved_json(const struct live_game *live) {
    return live->unsaved[0] != '\0' ? json_string(live->unsaved) : json_null();
}

static json_t *sides_json(enum audience audience) {
    json_t *sides = json_array();
    for (int side = 0; side < 2; side++)
        if (is_for(audience, side))
            json_array_append_new(sides, json_integer(side));
    return sides;
}

static json_t *head_json(const struct live_game *live, enum audience audience) {
    const struct scenario *scenario = live->scenario;
    json_t *head = live_game_info_json(live);
    json_t *more = json_pack(
        "{so so so so so so so so so ss sb so}", "you", sides_json(audience), "map", json_view_map(scenario),
        "start", json_view_state(scenario, live->game.start, viewer_of(live, audience)), "state",
        state_json(live, audience), "actions", actions_json(live, audience), "clocks", clocks_json(live),
        "thinking", thinking_json(live), "may", may_json(live, audience), "offer", side_or_null(live->offer),
        "comment", live->record.comment, "sees_all", viewer_of(live, audience) == JSON_VIEWER_ALL, "unsaved",
        unsaved_json(live));
    json_object_update(head, more);
    json_decref(more);
    return head;
}

void live_game_write(struct live_game *live, enum audience audience, struct text *out) {
    struct replay replay;
    live->published_ns = live_game_now(live);
    live_game_load_thoughts(live);
    add_open(out, head_json(live, audience));
    text_add_string(out, ",\"steps\":[");
    clocked_game_replay(&live->game, 0, &replay, NULL);
    for (int i = 0; i < live->record.count; i++) {
        text_add_string(out, i > 0 ? "," : "");
        add_step(live, i, viewer_of(live, audience), &replay, out);
    }
    text_add_string(out, "]}");
    if (live_game_is_over(live))
        live_game_drop_thoughts(live);
}

/* ---- streams ----
 *
 * One for each audience with readers. A stream is opened for its first reader and lives as
 * long as the game; the stream of a finished game sends one snapshot and ends. */

static const struct topic_limits limits = {.events_max = 2048, .bytes_max = 32 << 20};

static void add_snapshot(struct live_game *live, enum audience audience, struct topic *topic, bool is_base) {
    struct text text = {0};
    live_game_write(live, audience, &text);
    if (is_base)
        topic_add_base(topic, "table", text_string(&text));
    else
        topic_add(topic, "table", text_string(&text), true);
    text_done(&text);
}

struct topic *live_game_stream(struct live_game *live, enum audience audience) {
    assert(audience < AUDIENCES);
    if (live->topics[audience] != NULL)
        return topic_hold(live->topics[audience]);
    struct topic *topic = topic_open(&limits);
    add_snapshot(live, audience, topic, false);
    live->topics[audience] = topic;
    return topic_hold(topic);
}

void live_game_end_streams(struct live_game *live) {
    for (int i = 0; i < AUDIENCES; i++) {
        if (live->topics[i] != NULL)
            topic_end(live->topics[i]);
        topic_drop(live->topics[i]);
        live->topics[i] = NULL;
    }
}

int live_game_readers(const struct live_game *live) {
    int count = 0;
    for (int i = 0; i < AUDIENCES; i++)
        count += live->topics[i] != NULL ? topic_readers(live->topics[i]) : 0;
    return count;
}

void live_game_publish_all(struct live_game *live) {
    for (int i = 0; i < AUDIENCES; i++)
        if (live->topics[i] != NULL)
            add_snapshot(live, (enum audience)i, live->topics[i], false);
}

/* A new snapshot spares new readers all earlier events of a long game. */
static void shorten(struct live_game *live, enum audience audience) {
    if (topic_wants_base(live->topics[audience]))
        add_snapshot(live, audience, live->topics[audience], true);
}

static void publish_step_to(struct live_game *live, enum audience audience) {
    struct topic *topic = live->topics[audience];
    struct text text = {0};
    write_last_step(live, audience, &text);
    topic_add(topic, "step", text_string(&text), false);
    text_done(&text);
    shorten(live, audience);
}

/* Two people at one screen: the visible part of the whole game changes with the side to move. */
void live_game_publish_step(struct live_game *live) {
    for (int i = 0; i < AUDIENCES; i++) {
        if (live->topics[i] == NULL)
            continue;
        if (i == AUDIENCE_BOTH && live_game_has_secrets(live))
            add_snapshot(live, AUDIENCE_BOTH, live->topics[i], false);
        else
            publish_step_to(live, (enum audience)i);
    }
}

/* Something that is the same for all audiences; drops the data. */
static void publish(struct live_game *live, const char *name, json_t *data, bool is_status) {
    char *dump = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(data);
    for (int i = 0; i < AUDIENCES; i++) {
        if (live->topics[i] == NULL)
            continue;
        if (is_status)
            topic_set(live->topics[i], name, dump);
        else
            topic_add(live->topics[i], name, dump, false);
        shorten(live, (enum audience)i);
    }
    free(dump);
}

void live_game_publish_chance(struct live_game *live, int ply) {
    assert(ply >= 1);
    assert(ply <= live->record.count);
    publish(live, "chance", json_pack("{si sf}", "ply", ply, "chance", live->steps[ply - 1].chance), false);
}

void live_game_publish_offer(struct live_game *live) {
    publish(live, "offer",
            json_pack("{so}", "side", live->offer == NOBODY ? json_null() : json_integer(live->offer)),
            false);
}

void live_game_publish_unsaved(struct live_game *live) {
    publish(live, "unsaved", json_pack("{so}", "unsaved", unsaved_json(live)), false);
}

void live_game_publish_thinking(struct live_game *live, json_t *thoughts) {
    publish(live, "thinking",
            json_pack("{si so so}", "side", live_game_mover(live), "thoughts", thoughts, "clocks",
                      clocks_json(live)),
            true);
}
