/* SPDX-License-Identifier: MIT
 *
 * One live game: its state, its JSON and event streams, every change of it, and the task in which its players
 * think.
 *
 * A change by a person is saved before it is acknowledged, and undone if it cannot be saved. A change by a
 * player or a clock has no requester who could try again: it is made, and saved as soon as possible.
 */
#include "serve/live_game.h"

#include "base/mem.h"
#include "match/clocked_game.h"
#include "net/message.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- making ---- */

struct live_game *live_game_open(struct live_games *games, struct scenario *scenario) {
    assert(games != NULL);
    assert(scenario != NULL);
    struct live_game *live = mem_alloc(sizeof *live);
    live->games = games;
    live->holders = 1;
    live->scenario = scenario;
    live->offer = NOBODY;
    live->has_thoughts = true;
    record_init(&live->record);
    return live;
}

/* The record gets its head here, unless a file has given it one. */
bool live_game_start(struct live_game *live, uint64_t seed, const char *position, struct err *e) {
    const char *names[2];
    struct timing timing;
    timing_default(&timing);
    if (live->clock[0] != '\0' && !timing_read(live->clock, &timing, e))
        return false;
    for (int side = 0; side < 2; side++) {
        const struct live_game_seat *seat = &live->seats[side];
        names[side] = !seat->is_human ? seat->spec : seat->name[0] != '\0' ? seat->name : "human";
    }
    if (live->record.game[0] == '\0')
        record_describe(&live->record, live->scenario, names);
    const struct clocked_setup setup = {.scenario = live->scenario,
                                        .seed = seed,
                                        .deal = live->record.deal,
                                        .timing = &timing,
                                        .record = &live->record};
    clocked_game_start(&live->game, &setup, live_game_now(live));
    return position == NULL || clocked_game_place(&live->game, position, e);
}

/* The byte counts must agree with the texts, because they decide when texts are dropped. */
static void drop_text(struct live_game *live, int index) {
    struct live_game_step *step = &live->steps[index];
    if (step->text == NULL)
        return;
    const size_t size = strlen(step->text) + 1;
    assert(size <= live->cached_bytes);
    live->cached_bytes -= size;
    live->games->cached_bytes -= size;
    mem_free(step->text);
    step->text = NULL;
}

static void drop_steps(struct live_game *live, int from, int to) {
    for (int i = from; i < to; i++) {
        mem_free(live->steps[i].thoughts);
        live->steps[i].thoughts = NULL;
        drop_text(live, i);
    }
}

void live_game_drop(struct live_game *live) {
    assert(live->holders > 0);
    if (--live->holders > 0)
        return;
    assert(live_game_readers(live) == 0); /* its streams were ended when it left the list */
    drop_steps(live, 0, live->record.count);
    mem_free(live->steps);
    record_done(&live->record);
    game_unload(live->scenario);
    json_decref(live->start_json);
    json_decref(live->loaded_message);
    mem_free(live);
}

/* For the record's last action. The chance at the end of a game is its result: no adviser is asked. */
static void add_step(struct live_game *live) {
    const struct game *game = live->scenario->game;
    const void *state = live_game_state(live);
    const double chance = game->mover(state) == NOBODY ? game->payoff(state, 0) : (double)NAN;
    live->steps = mem_grow(live->steps, &live->steps_capacity, live->record.count, sizeof live->steps[0]);
    live->steps[live->record.count - 1] = (struct live_game_step){.chance = chance};
}

void live_game_add(struct live_game *live, action a, double milliseconds) {
    assert(live->record.count < LIVE_GAME_ACTIONS_MAX); /* far less than a record holds */
    const int count = live->record.count;
    clocked_game_play(&live->game, a, milliseconds, NULL);
    if (live->record.count > count) /* otherwise it was illegal: the game has ended without it */
        add_step(live);
}

/* ---- questions ---- */

int64_t live_game_now(const struct live_game *live) {
    return clock_now_ns(live->games->bench->setup.clock);
}

bool live_game_has_secrets(const struct live_game *live) {
    return live->scenario->game->hide != NULL && live_game_has_people(live) && !live_game_is_over(live);
}

bool live_game_has_record(const struct live_game *live) {
    const bool draws =
        live->scenario->game->outcomes != NULL && live_game_has_people(live) && !live_game_is_over(live);
    return !live_game_has_secrets(live) && !draws && !live->game.is_placed;
}

/* Is a player, not a person, to move? */
static bool awaits_player(const struct live_game *live) {
    const int mover = live_game_mover(live);
    return mover != NOBODY && !live->seats[mover].is_human;
}

bool live_game_has_revealed(const struct live_game *live, int count, unsigned sides) {
    struct replay back;
    return !game_is_determined(live->scenario->game) &&
           clocked_game_replay(&live->game, count, &back, NULL) && secret_was_shown(&back, sides);
}

/* The game is replayed, because the starts of turns are not stored. */
int live_game_turn_start(const struct live_game *live, unsigned sides, int *side) {
    assert(sides <= SIDES_BOTH);
    struct replay replay;
    int found = -1, start = 0;
    clocked_game_replay(&live->game, 0, &replay, NULL);
    while (replay.next < live->record.count) {
        const int mover = live->scenario->game->mover(replay.state);
        start = replay.turn.taken == 0 ? replay.next : start;
        if (live_game_has_side(sides, mover)) {
            found = start;
            if (side != NULL)
                *side = mover;
        }
        replay_step(&replay, NULL);
    }
    return found;
}

/* Takes as long for a wrong key as for a right one. */
static bool is_key(const char *key, size_t length, const char *asked) {
    unsigned differs = length != strlen(key) || length == 0;
    for (size_t i = 0; i < length && key[i] != '\0'; i++)
        differs |= (unsigned char)(key[i] ^ asked[i]);
    return differs == 0;
}

int live_game_sides(const struct live_game *live, const char *key) {
    int sides = 0;
    while (key != NULL && *key != '\0') {
        const size_t length = strcspn(key, ",");
        const bool first = is_key(live->seats[0].key, length, key),
                   second = is_key(live->seats[1].key, length, key);
        if (!first && !second)
            return -1;
        sides |= first | second << 1;
        key += length + (key[length] == ',');
    }
    return sides;
}

/* ---- cached texts ----
 *
 * The text of a step never changes, and a long game has tens of megabytes of them. The texts of long games
 * are cached, as far as there is room, for readers from whom nothing is hidden. A text with hidden parts left
 * out is never cached. */

/* Shorter games are serialised again for each request, which takes a few milliseconds. */
enum { LONG_GAME = 256 };

static bool has_room(const struct live_game *live, size_t size) {
    return live->games->cached_bytes + size < live->games->cached_max;
}

/* Drops the texts of the games that were shown longest ago, never those of the game that is read now. */
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
            drop_text(stale, i);
    }
    return true;
}

/* For those who see all. A game in no list (number 0) is shown only once. */
static bool is_cacheable(const struct live_game *live) {
    return !live_game_has_secrets(live) && live->record.count >= LONG_GAME && live->number > 0;
}

static void cache_text(struct live_game *live, int index, const char *text, size_t size) {
    assert(index >= 0 && index < live->record.count);
    drop_text(live, index);
    live->steps[index].text = mem_alloc(size + 1);
    memcpy(live->steps[index].text, text, size);
    live->cached_bytes += size + 1;
    live->games->cached_bytes += size + 1;
}

/* Adds an object, which it drops, without its closing bracket: members follow as text. The steps of a long
 * game would take jansson a hundred thousand small allocations. */
static void add_open(struct text *out, json_t *object) {
    char *dump = serve_dump(object, 6);
    text_add_bytes(out, dump, strlen(dump) - 1);
    mem_free(dump);
}

/* A step between two states. */
struct moment {
    int index;
    enum json_viewer viewer;
    const void *before, *after;
};

static void write_moment(const struct live_game *live, const struct moment *m, struct text *out) {
    const struct scenario *scenario = live->scenario;
    const struct record_action played = live->record.actions[m->index];
    add_open(out, json_pack("{si si so so so}", "ply", m->index + 1, "side", scenario->game->mover(m->before),
                            "action", json_view_action(scenario, m->before, played.action, m->viewer), "did",
                            json_view_played(scenario, m->before, played.action, m->viewer), "ms",
                            played.milliseconds < 0 ? json_null() : json_real((double)played.milliseconds)));
    text_add_string(out, ",\"state\":");
    json_view_write_state(scenario, m->after, m->viewer, out);
}

/* `replay` is before the step; it moves behind it unless the text is cached. Chance and thoughts come later
 * than the step, or are hidden at first: they follow the cached text. */
static void write_step(struct live_game *live, int index, enum json_viewer viewer, struct replay *replay,
                       struct text *out) {
    assert(index >= 0);
    assert(index < live->record.count);
    const struct live_game_step *step = &live->steps[index];
    if (viewer == JSON_VIEWER_ALL && step->text != NULL) {
        text_add_string(out, step->text);
    } else {
        _Alignas(16) unsigned char before[GAME_STATE_MAX];
        const size_t start = out->size;
        while (replay->next < index)
            replay_step(replay, NULL);
        memcpy(before, replay->state, live->scenario->game->state_size);
        replay_step(replay, NULL);
        write_moment(live, &(struct moment){index, viewer, before, replay->state}, out);
        if (viewer == JSON_VIEWER_ALL && is_cacheable(live) && make_room(live, out->size - start))
            cache_text(live, index, out->data + start, out->size - start);
    }
    char chance[32] = "null"; /* with a point, as all numbers that may have one */
    if (!isnan(step->chance))
        snprintf(chance, sizeof chance, "%.6g", step->chance);
    text_add(out, ",\"chance\":%s%s,\"thoughts\":", chance, strpbrk(chance, ".en") == NULL ? ".0" : "");
    text_add_string(out, step->thoughts != NULL && !live_game_has_secrets(live) ? step->thoughts : "null");
    text_add_string(out, "}");
}

/* ---- JSON: permissions and parts ---- */

/* Two people at one screen see the view of the side to move, also of past positions. */
static enum json_viewer viewer_of(const struct live_game *live, unsigned sides) {
    static const enum json_viewer viewers[] = {JSON_VIEWER_PUBLIC, JSON_VIEWER_FIRST, JSON_VIEWER_SECOND};
    if (!live_game_has_secrets(live))
        return JSON_VIEWER_ALL;
    return sides == SIDES_BOTH ? (enum json_viewer)live_game_mover(live) : viewers[sides];
}

bool live_game_may_undo(const struct live_game *live, unsigned sides) {
    return live_game_has_side(sides, live_game_mover(live)) && live->game.referee.turn.taken > 0 &&
           live->record.count > 0;
}

/* What the holder of these keys may do now. It is for the page's buttons: each request is checked again. */
static json_t *may_json(const struct live_game *live, unsigned sides) {
    const bool goes_on = !live_game_is_over(live), acted = live_game_may_undo(live, sides);
    const int start = goes_on ? live_game_turn_start(live, sides, NULL) : -1;
    const bool keeps_action = acted && live_game_has_revealed(live, live->record.count - 1, sides),
               keeps_turn = start >= 0 && live_game_has_revealed(live, start, sides);
    return json_pack("{sb sb sb sb sb}", "undo", acted && !keeps_action, "take_back",
                     start >= 0 && !keeps_turn, "revealed", keeps_action || keeps_turn, "resign",
                     goes_on && sides != SIDES_NONE, "hint",
                     live_game_has_side(sides, live_game_mover(live)));
}

/* The forms in which its record can be had now, as names of send_record; null: there will be none. */
static json_t *record_forms_json(const struct live_game *live) {
    const char *own = game_offer(live->scenario->game)->record_form;
    if (!live_game_has_record(live))
        return live->game.is_placed ? json_null() : json_array();
    return own != NULL ? json_pack("[ss]", "json", own) : json_pack("[s]", "json");
}

static json_t *side_json(int side) {
    return side == NOBODY ? json_null() : json_integer(side);
}

/* Public: it never has the keys. */
json_t *live_game_info_json(const struct live_game *live) {
    const struct live_game_seat *seat = live->seats;
    return json_pack("{ss sO s[{ss ss ss}{ss ss ss}] si so sb ss ss}", "id", live->id, "ground",
                     live->start_json, "seats", "kind", seat[0].is_human ? "human" : "player", "name",
                     seat[0].name, "spec", seat[0].spec, "kind", seat[1].is_human ? "human" : "player",
                     "name", seat[1].name, "spec", seat[1].spec, "ply", live->record.count, "mover",
                     side_json(live_game_mover(live)), "over", live_game_is_over(live), "result",
                     live->record.result, "created", live->created);
}

/* Milliseconds, without the grace; null without a limit. */
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

/* The time that is left at this moment; it is not stored. */
static json_t *clocks_json(const struct live_game *live) {
    const bool runs = timing_is_limited(&live->game.timing) && !live_game_is_over(live);
    return json_pack("{ss s[oo] so}", "limits", live->clock, "left_ms", left_json(live, 0),
                     left_json(live, 1), "running", side_json(runs ? live_game_mover(live) : NOBODY));
}

/* Members that change with each action. The actions are null for others than the side to move: a list of them
 * could reveal what is hidden. "thinking" is the side whose player is to move; null: a person is, or the game
 * is over. */
static json_t *turn_json(const struct live_game *live, unsigned sides) {
    const int mover = live_game_mover(live);
    json_t *actions = live_game_has_side(sides, mover)
                          ? json_view_actions(live->scenario, live_game_state(live))
                          : json_null();
    return json_pack("{so so so so}", "actions", actions, "clocks", clocks_json(live), "thinking",
                     side_json(awaits_player(live) ? mover : NOBODY), "may", may_json(live, sides));
}

/* The last state. A ruling ends the game where the rules do not; its result begins with the winner's name. */
static json_t *state_json(const struct live_game *live, unsigned sides) {
    const struct game *game = live->scenario->game;
    const char *result = live->record.result;
    json_t *state = json_view_state(live->scenario, live_game_state(live), viewer_of(live, sides));
    if (!live_game_is_over(live) || game->mover(live_game_state(live)) == NOBODY)
        return state;
    json_t *payoff = NULL;
    for (int side = 0; side < 2 && payoff == NULL; side++)
        if (text_after_word(result, game->text->side_names[side]) != NULL)
            payoff = json_pack("[ii]", side == 0, side == 1);
    return serve_join(state, json_pack("{sn sb ss so}", "mover", "over", true, "result", result, "payoff",
                                       payoff != NULL ? payoff : json_null()));
}

json_t *live_game_message_json(const struct live_game *live) {
    const struct err *fault = &live->game.referee.fault;
    json_t *message = msg_json(&fault->msg, fault->text);
    return message != NULL ? message : json_incref(live->loaded_message);
}

void live_game_write(struct live_game *live, unsigned sides, struct text *out) {
    assert(sides < AUDIENCES);
    const enum json_viewer viewer = viewer_of(live, sides);
    struct replay replay;
    json_t *seats = json_array();
    for (int side = 0; side < 2; side++)
        if (live_game_has_side(sides, side))
            json_array_append_new(seats, json_integer(side));
    live->published_ns = live_game_now(live);
    live_game_load_thoughts(live);
    json_t *views = json_pack("{so so so so}", "you", seats, "map", json_view_map(live->scenario), "start",
                              json_view_state(live->scenario, live->game.start, viewer), "state",
                              state_json(live, sides));
    json_t *more = json_pack("{so ss so* sb so ss?}", "offer", side_json(live->offer), "comment",
                             live->record.comment, "comment_message", live_game_message_json(live),
                             "sees_all", viewer == JSON_VIEWER_ALL, "record_forms", record_forms_json(live),
                             "unsaved", live->unsaved[0] != '\0' ? live->unsaved : NULL);
    serve_join(views, serve_join(turn_json(live, sides), more));
    add_open(out, serve_join(live_game_info_json(live), views));
    text_add_string(out, ",\"steps\":[");
    clocked_game_replay(&live->game, 0, &replay, NULL);
    for (int i = 0; i < live->record.count; i++) {
        text_add_string(out, i > 0 ? "," : "");
        write_step(live, i, viewer, &replay, out);
    }
    text_add_string(out, "]}");
    live_game_drop_thoughts(live);
}

/* ---- streams ----
 *
 * One for each audience with readers. A stream is opened for its first reader and lives as long as the game;
 * the stream of a finished game sends one snapshot and ends. */

static void add_snapshot(struct live_game *live, unsigned sides, enum topic_kind kind) {
    struct text text = {0};
    live_game_write(live, sides, &text);
    topic_add(live->topics[sides], "table", text_string(&text), kind);
    text_done(&text);
}

struct topic *live_game_stream(struct live_game *live, unsigned sides) {
    static const struct topic_limits limits = {.events_max = 2048, .bytes_max = 32 << 20};
    assert(sides < AUDIENCES);
    if (live->topics[sides] == NULL) {
        live->topics[sides] = topic_open(&limits);
        add_snapshot(live, sides, TOPIC_SNAPSHOT);
    }
    return topic_hold(live->topics[sides]);
}

void live_game_end_streams(struct live_game *live) {
    for (int i = 0; i < AUDIENCES; i++)
        serve_end_stream(&live->topics[i]);
}

int live_game_readers(const struct live_game *live) {
    int count = 0;
    for (int i = 0; i < AUDIENCES; i++)
        count += live->topics[i] != NULL ? topic_readers(live->topics[i]) : 0;
    return count;
}

/* A new snapshot spares new readers all earlier events of a long game. The topic drops old events when it is
 * full, and a reader that comes then would get nothing without one. */
static void shorten(struct live_game *live, unsigned sides) {
    if (topic_wants_base(live->topics[sides]))
        add_snapshot(live, sides, TOPIC_BASE);
}

/* The last step. For two people at one screen the visible part of the whole game changes with the mover. */
static void publish_step(struct live_game *live) {
    assert(live->record.count > 0);
    for (unsigned sides = 0; sides < AUDIENCES; sides++) {
        struct replay replay;
        struct text text = {0};
        if (live->topics[sides] == NULL)
            continue;
        if (sides == SIDES_BOTH && live_game_has_secrets(live)) {
            add_snapshot(live, sides, TOPIC_SNAPSHOT);
            continue;
        }
        clocked_game_replay(&live->game, 0, &replay, NULL);
        live->published_ns = live_game_now(live);
        text_add_string(&text, "{\"step\":");
        write_step(live, live->record.count - 1, viewer_of(live, sides), &replay, &text);
        char *more = serve_dump(turn_json(live, sides), 6);
        text_add(&text, ",%s", more + 1);
        mem_free(more);
        topic_add(live->topics[sides], "step", text_string(&text), TOPIC_EVENT);
        text_done(&text);
        shorten(live, sides);
    }
}

void live_game_publish(struct live_game *live, const char *name, json_t *data, bool is_status) {
    assert(workbench_is_locked(live->games->bench));
    char *dump = serve_dump(data, 6);
    for (unsigned sides = 0; sides < AUDIENCES; sides++) {
        if (live->topics[sides] == NULL)
            continue;
        if (is_status)
            topic_set(live->topics[sides], name, 0, dump);
        else
            topic_add(live->topics[sides], name, dump, TOPIC_EVENT);
        shorten(live, sides);
    }
    mem_free(dump);
}

/* ---- saving ---- */

/* Games between players change many times a second: they are written at most this often. So are the
 * adviser's values, and games whose last write failed. */
#define SAVE_EVERY_NS INT64_C(2000000000)

const char *live_game_save_error(const struct err *e) {
    const bool is_of_file =
        strcmp(e->msg.code, "refused.file") == 0 || strcmp(e->msg.code, "refused.file_removal") == 0;
    return is_of_file ? e->text + e->msg.args[1].at : e->text;
}

/* Readers and the server's owner get to know a change between saved (NULL) and not saved. */
static void note_saved(struct live_game *live, const struct err *failure) {
    const bool was_saved = live->unsaved[0] == '\0';
    const char *reason = failure != NULL ? live_game_save_error(failure) : "";
    charset_copy(live->unsaved, sizeof live->unsaved, reason, strlen(reason));
    if (was_saved == (failure == NULL))
        return;
    serve_warn(live->games->bench, SERVE_UNSAVED, "game %s is %s%s", live->id,
               failure == NULL ? "saved again" : "not saved: ", failure == NULL ? "" : failure->text);
    live_game_publish(live, "unsaved", json_pack("{ss?}", "unsaved", failure != NULL ? live->unsaved : NULL),
                      false);
}

/* Is the game over, with all its chances estimated? Then its file is written for the last time. */
static bool is_done(const struct live_game *live) {
    return live_game_is_over(live) && !live->is_advised && !live_game_needs_advice(live);
}

/* It does only what is due, so it may be called at any time. Players think while the file is written. */
void live_game_update(struct live_game *live) {
    assert(workbench_is_locked(live->games->bench));
    struct err e;
    if (live->is_removed)
        return;
    live_game_think(live);
    live_games_advise(live->games);
    const bool is_awaited = live_game_has_people(live) || live_game_is_over(live);
    const bool is_last = live->is_changed && is_done(live) && live->unsaved[0] == '\0';
    const bool is_due = live->is_changed && live_game_now(live) - live->saved_ns >= SAVE_EVERY_NS;
    if ((live->is_urgent && is_awaited) || is_last || is_due)
        note_saved(live, live_game_save(live, &e) ? NULL : &e);
    live_games_start_ticking(live->games);
    study_site_note(live);
    if (!is_done(live))
        return;
    if (!live->thoughts_saved)
        live_game_save_thoughts(live);
    if (live->is_changed)
        return; /* readers get the end of the stream after the game is saved */
    live_game_end_streams(live);
    live_game_drop_thoughts(live);
}

/* ---- after a change ---- */

/* Something was changed that must be saved. */
static void note_change(struct live_game *live) {
    live->is_changed = live->is_urgent = true;
    live->touched_ns = live_game_now(live);
}

/* Sends new snapshots, also where the whole game changes at once (live_game_go_back). At the end of a game
 * with hidden parts they show what was hidden until then, in all steps. */
static void publish_end(struct live_game *live) {
    live_game_cancel_thinking(live);
    for (unsigned sides = 0; sides < AUDIENCES; sides++)
        if (live->topics[sides] != NULL)
            add_snapshot(live, sides, TOPIC_SNAPSHOT);
    live_game_update(live);
}

void live_game_conclude(struct live_game *live) {
    assert(live_game_is_over(live));
    live->offer = NOBODY;
    note_change(live);
    publish_end(live);
}

/* Saves the change, or undoes it: everything that a person can change is then restored from `before`. The
 * steps of actions that were taken back still exist then. */
static bool save_or_undo(struct live_game *live, const struct live_game *before, struct err *e) {
    const int count = before->record.count;
    struct err why;
    note_change(live);
    if (live_game_save(live, &why)) {
        note_saved(live, NULL);
        drop_steps(live, live->record.count, count);
        return true;
    }
    drop_steps(live, count, live->record.count);
    live->record.count = count;
    memcpy(live->record.result, before->record.result, sizeof live->record.result);
    memcpy(live->record.comment, before->record.comment, sizeof live->record.comment);
    live->advised = before->advised;
    live->version = before->version;
    live->offer = before->offer;
    live->is_changed = before->is_changed;
    live->touched_ns = before->touched_ns;
    live->game = before->game;
    return err_code(e, "refused.unwritten", "it was not done, because the game cannot be written: %s",
                    live_game_save_error(&why));
}

/* ---- changes by people ---- */

/* Some games have an action for resigning, which the side to move can take. */
bool live_game_end(struct live_game *live, int side, struct err *e) {
    assert(side == 0 || side == 1 || !live_game_has_people(live));
    assert(!live_game_is_over(live));
    const struct game_offer *offer = game_offer(live->scenario->game);
    if (offer->can_resign && live_game_mover(live) == side)
        return live_game_act(live, offer->resign, e);
    const struct live_game before = *live;
    if (side == NOBODY)
        clocked_game_stop(&live->game, "stopped");
    else
        clocked_game_resign(&live->game, side);
    live->offer = NOBODY;
    if (!save_or_undo(live, &before, e))
        return false;
    publish_end(live);
    return true;
}

/* The mover's answer. Illegal and late ones end the game and add no step. The text of the step is cached,
 * because making it costs least now; it may not be read for a long time, so no other game's cached texts are
 * dropped for it. */
static void answer(struct live_game *live, action a, int64_t now_ns, char *thoughts) {
    const int index = live->record.count;
    struct text text = {0};
    _Alignas(16) unsigned char before[GAME_STATE_MAX];
    memcpy(before, live_game_state(live), live->scenario->game->state_size);
    clocked_game_answer(&live->game, a, now_ns, NULL);
    live->offer = NOBODY;
    if (live->record.count == index) {
        mem_free(thoughts);
        return;
    }
    add_step(live);
    if (index < LIVE_GAME_THOUGHTS_MAX)
        live->steps[index].thoughts = thoughts;
    else
        mem_free(thoughts);
    if (is_cacheable(live) && has_room(live, 0)) {
        write_moment(live, &(struct moment){index, JSON_VIEWER_ALL, before, live_game_state(live)}, &text);
        if (has_room(live, text.size))
            cache_text(live, index, text_string(&text), text.size);
        text_done(&text);
    }
    clocked_game_begin_decision(&live->game, live_game_now(live));
    if (!live_game_is_over(live) && live->record.count >= LIVE_GAME_ACTIONS_MAX)
        clocked_game_stop(&live->game, "stopped: the game is too long to be kept");
}

/* Sends what changed to the readers, in the order in which it happened. */
static void publish_play(struct live_game *live, int offer_before, int count_before) {
    if (offer_before != NOBODY)
        live_game_publish(live, "offer", json_pack("{so}", "side", side_json(live->offer)), false);
    if (live->record.count > count_before)
        publish_step(live);
    if (live_game_is_over(live))
        publish_end(live);
    else
        live_game_update(live);
}

bool live_game_act(struct live_game *live, action a, struct err *e) {
    assert(!live_game_is_over(live));
    const struct live_game before = *live;
    answer(live, a, live_game_now(live), NULL);
    if (!save_or_undo(live, &before, e))
        return false;
    publish_play(live, before.offer, before.record.count);
    return true;
}

/* A turn that starts again has its full time per turn. */
bool live_game_go_back(struct live_game *live, int count, bool is_whole_turn, struct err *e) {
    assert(count >= 0);
    assert(count < live->record.count);
    const struct live_game before = *live;
    clocked_game_go_back(&live->game, count, live_game_now(live), NULL);
    for (int side = 0; side < 2 && is_whole_turn; side++)
        live->game.clocks.turn_used_ns[side] = live->game.clocks.byoyomi_used_ns[side] = 0;
    live->version++;
    live->advised = live->advised < count ? live->advised : count;
    live->offer = NOBODY;
    if (!save_or_undo(live, &before, e))
        return false;
    publish_end(live); /* the answer of a running thinker is discarded */
    return true;
}

bool live_game_make_offer(struct live_game *live, int side, struct err *e) {
    assert(side == NOBODY || side == 0 || side == 1);
    const struct live_game before = *live;
    live->offer = side;
    if (!save_or_undo(live, &before, e))
        return false;
    live_game_publish(live, "offer", json_pack("{so}", "side", side_json(live->offer)), false);
    live_game_update(live);
    return true;
}

/* ---- the thinker ----
 *
 * A task that makes players' decisions. It takes its input with the lock held, works without the lock, and
 * then plays the answer, unless the game has changed meanwhile. */

#define SHOW_EVERY_NS INT64_C(250000000)

struct live_game_thinker {
    struct live_game *live; /* held */
    atomic_bool stop;
    struct player *players[2]; /* each is opened at its first decision */

    /* The current decision, in a copy of the game. */
    struct clocked_game game;
    struct record record; /* only seed and actions */
    int side;
    bool is_shown; /* readers may see the thoughts */
    int64_t start_ns, end_ns;
    struct thoughts thoughts;
    struct answer answer;
    char *thoughts_text; /* the thoughts as JSON */
};

/* With the lock: fills in the next decision; false: there is none for this task. The player gets a copy of
 * the game with its actions, because people may take back actions while it thinks. */
static bool prepare(struct live_game_thinker *t) {
    struct live_game *live = t->live;
    const struct record *record = &live->record;
    if (live->thinker != t || live->games->bench->is_idle || !awaits_player(live))
        return false;
    t->record.actions =
        mem_grow(t->record.actions, &t->record.capacity, record->count + 1, sizeof t->record.actions[0]);
    if (record->count > 0)
        memcpy(t->record.actions, record->actions, (size_t)record->count * sizeof record->actions[0]);
    t->record.count = record->count;
    t->record.seed = record->seed;
    t->record.deal = record->deal;
    t->game = live->game;
    t->game.referee.record = &t->record;
    t->side = live_game_mover(live);
    t->is_shown = !live_game_has_secrets(live);
    return true;
}

/* With the lock: false when the game has changed since the decision began, or is being stopped. */
static bool still_counts(const struct live_game_thinker *t) {
    return t->live->thinker == t && !atomic_load(&t->stop) && !t->live->games->bench->is_idle;
}

/* With the lock. A fault ends the game; a shortage, which is not the player's fault, gives no result. */
static void give_answer(struct live_game_thinker *t) {
    assert(!live_game_is_over(t->live));
    struct live_game *live = t->live;
    const struct answer *given = &t->answer;
    const int offer = live->offer, count = live->record.count;
    live->game.referee.seat_rng[t->side] = t->game.referee.seat_rng[t->side];
    if (given->fault == PLAYER_FAULT_NONE) {
        clocked_game_excuse(&live->game, given->setup_ns);
        answer(live, given->chosen, t->end_ns, t->thoughts_text);
        t->thoughts_text = NULL;
        note_change(live);
        publish_play(live, offer, count);
        return;
    }
    if (given->fault == PLAYER_SHORTAGE) {
        char comment[PLAYER_REASON_MAX + 16];
        snprintf(comment, sizeof comment, "stopped: %s", given->reason);
        clocked_game_stop(&live->game, comment);
    } else {
        clocked_game_fault(&live->game, live_game_mover(live), given->fault, given->reason);
    }
    live_game_conclude(live);
}

static json_t *thoughts_json(struct live_game_thinker *t, const struct thoughts *thoughts) {
    const struct json_view_thoughts of = {
        .thoughts = thoughts,
        .player = t->live->seats[t->side].spec,
        .seconds = clock_seconds_since(t->live->games->bench->setup.clock, t->start_ns),
        .top = LIVE_GAME_CANDIDATES};
    return json_view_thoughts(t->live->scenario, t->game.referee.view, &of);
}

/* Called by the player while it thinks, on the task's thread. The JSON is made before the lock is taken. */
static void show_thoughts(void *context, const struct thoughts *so_far) {
    struct live_game_thinker *t = context;
    struct live_game *live = t->live;
    json_t *thoughts = thoughts_json(t, so_far);
    workbench_lock(live->games->bench);
    if (still_counts(t))
        live_game_publish(live, "thinking",
                          json_pack("{si sO so}", "side", live_game_mover(live), "thoughts", thoughts,
                                    "clocks", clocks_json(live)),
                          true);
    workbench_unlock(live->games->bench);
    json_decref(thoughts);
}

/* Without the lock. */
static void decide(struct live_game_thinker *t) {
    struct workbench *bench = t->live->games->bench;
    const char *spec = t->live->seats[t->side].spec; /* constant, as wants_thoughts is */
    const bool wants_thoughts = t->live->wants_thoughts;
    const struct watch watch = {show_thoughts, t, SHOW_EVERY_NS};
    struct player **player = &t->players[t->side];
    struct ask ask;
    struct err e;
    t->answer = (struct answer){0};
    if (*player == NULL && serve_check_player(bench, spec, NULL, &e))
        *player = player_open_granted(spec, t->live->scenario->game, serve_grant(bench), &e);
    if (*player == NULL) {
        t->answer.fault = PLAYER_SHORTAGE; /* not a fault: its spec was checked when the game was made */
        charset_copy(t->answer.reason, sizeof t->answer.reason, e.text, strlen(e.text));
        return;
    }
    workbench_lock(bench); /* its clock begins to run */
    t->start_ns = live_game_now(t->live);
    if (still_counts(t))
        clocked_game_begin_decision(&t->live->game, t->start_ns);
    workbench_unlock(bench);
    clocked_game_ask(&t->game, t->start_ns, &ask);
    ask.budget.clock = bench->setup.clock;
    ask.budget.stop = &t->stop;
    ask.thoughts = wants_thoughts ? &t->thoughts : NULL;
    ask.watch = wants_thoughts && t->is_shown ? &watch : NULL;
    player_choose(*player, &ask, &t->answer);
    t->end_ns = clock_now_ns(bench->setup.clock);
    if (!wants_thoughts || t->answer.fault != PLAYER_FAULT_NONE || t->thoughts.count == 0)
        return;
    mem_free(t->thoughts_text); /* of an answer that was discarded */
    t->thoughts_text = serve_dump(thoughts_json(t, &t->thoughts), 6);
}

/* With the lock: the task has ended, or was never begun. */
static void drop_thinker(void *context) {
    struct live_game_thinker *t = context;
    struct live_game *live = t->live;
    if (live->thinker == t)
        live->thinker = NULL;
    mem_free(t->record.actions);
    mem_free(t->thoughts_text);
    mem_free(t);
    live_game_drop(live);
}

/* The task: one decision after another, until a person is to move, the game is over, or another thinker has
 * taken over. */
static void think(void *context) {
    struct live_game_thinker *t = context;
    struct live_game *live = t->live;
    struct workbench *bench = live->games->bench;
    workbench_lock(bench);
    while (prepare(t)) {
        workbench_unlock(bench);
        decide(t);
        workbench_lock(bench);
        if (still_counts(t))
            give_answer(t);
    }
    if (live->thinker == t)
        live->thinker = NULL;
    workbench_unlock(bench);
    for (int side = 0; side < 2; side++)
        player_close(t->players[side]); /* takes long when a program must end first */
    workbench_lock(bench);
    drop_thinker(t); /* may be the last to hold the game */
    workbench_unlock(bench);
}

/* A game that gets no thread is marked as waiting: the ticking task tries again. */
void live_game_think(struct live_game *live) {
    assert(workbench_is_locked(live->games->bench));
    struct live_games *games = live->games;
    const bool is_due = live->thinker == NULL && awaits_player(live);
    if (!is_due || live->is_removed || games->bench->is_idle) {
        live->is_waiting = live->is_waiting && is_due;
        return;
    }
    struct live_game_thinker *t = mem_alloc(sizeof *t);
    const struct task task = {.run = think, .dropped = drop_thinker, .context = t};
    t->live = live;
    live->holders++;
    live->thinker = t;
    live->is_waiting = !task_pool_start(games->bench->task_pool, &task, NULL);
    if (live->is_waiting)
        drop_thinker(t);
}

/* The task keeps its hold of the game and ends by itself. */
void live_game_cancel_thinking(struct live_game *live) {
    if (live->thinker != NULL)
        atomic_store(&live->thinker->stop, true);
    live->thinker = NULL;
}
