/* SPDX-License-Identifier: MIT
 *
 * One live game: its state, its clocks, and every change of it.
 *
 * A change by a person is saved before it is acknowledged, and undone if it cannot be saved. A change by a
 * player or a clock has no requester who could try again: it is made, and saved as soon as possible.
 */
#include "serve/live_game.h"

#include "base/charset.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "match/secret.h"
#include "net/message.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

static const char *player_name(const struct live_game_seat *seat) {
    if (seat->is_human)
        return seat->name[0] != '\0' ? seat->name : "human";
    return seat->spec;
}

bool live_game_start(struct live_game *live, uint64_t seed, const char *position, struct err *e) {
    const char *const names[2] = {player_name(&live->seats[0]), player_name(&live->seats[1])};
    struct timing timing;
    timing_default(&timing);
    if (live->clock[0] != '\0' && !timing_read(live->clock, &timing, e))
        return false;
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

struct live_game *live_game_hold(struct live_game *live) {
    assert(live->holders > 0);
    live->holders++;
    return live;
}

static void drop_steps(struct live_game *live, int from, int to) {
    for (int i = from; i < to; i++) {
        mem_free(live->steps[i].thoughts);
        live->steps[i].thoughts = NULL;
        live_game_drop_text(live, i);
    }
}

void live_game_drop(struct live_game *live) {
    assert(live->holders > 0);
    if (--live->holders > 0)
        return;
    for (int i = 0; i < AUDIENCES; i++)
        topic_drop(live->topics[i]);
    drop_steps(live, 0, live->record.count);
    mem_free(live->steps);
    record_done(&live->record);
    live->scenario->game->unload(live->scenario);
    json_decref(live->start_json);
    mem_free(live);
}

/* ---- playing ---- */

/* For the record's last action. */
static void add_step(struct live_game *live) {
    const struct game *game = live->scenario->game;
    const void *state = live_game_state(live);
    const bool is_end = game->mover(state) == NOBODY;
    live->steps = mem_grow(live->steps, &live->steps_capacity, live->record.count, sizeof live->steps[0]);
    live->steps[live->record.count - 1] =
        (struct live_game_step){.chance = is_end ? game->payoff(state, 0) : (double)NAN, .is_asked = is_end};
}

void live_game_add(struct live_game *live, action a, double milliseconds) {
    assert(live->record.count < LIVE_GAME_ACTIONS_MAX); /* far less than a record holds */
    const int count = live->record.count;
    clocked_game_play(&live->game, a, milliseconds, NULL);
    if (live->record.count > count) /* otherwise it was illegal: the game has ended without it */
        add_step(live);
}

/* ---- questions ---- */

bool live_game_has_secrets(const struct live_game *live) {
    return live->scenario->game->hide != NULL && live_game_has_people(live) && !live_game_is_over(live);
}

bool live_game_awaits_player(const struct live_game *live) {
    const int mover = live_game_mover(live);
    return mover != NOBODY && !live->seats[mover].is_human;
}

bool live_game_has_revealed(const struct live_game *live, int count, unsigned sides) {
    struct replay back;
    return !game_is_determined(live->scenario->game) &&
           clocked_game_replay(&live->game, count, &back, NULL) && secret_was_shown(&back, sides);
}

int live_game_turn_start(const struct live_game *live, int side) {
    assert(side == 0 || side == 1);
    struct replay replay;
    int found = -1, start = 0;
    clocked_game_replay(&live->game, 0, &replay, NULL);
    while (replay.next < live->record.count) {
        if (replay.turn.taken == 0)
            start = replay.next;
        if (live->scenario->game->mover(replay.state) == side)
            found = start;
        replay_step(&replay, NULL);
    }
    return found;
}

/* As long for a wrong key as for a right one. */
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
        const int fits = is_key(live->seats[0].key, length, key) | is_key(live->seats[1].key, length, key)
                                                                       << 1;
        if (fits == 0)
            return -1;
        sides |= fits;
        key += length + (key[length] == ',');
    }
    return sides;
}

/* ---- clocks ----
 *
 * A player's time is checked when it answers. A person may never answer: every visitor of
 * the game checks its clock, and so does a task that runs while a clock runs. The task also saves games that
 * were not saved yet. */

enum { TICK_MS = 100 };

static void conclude(struct live_game *live);

int64_t live_game_now(const struct live_game *live) {
    return clock_now_ns(live->games->bench->setup.clock);
}

static bool is_persons_clock(const struct live_game *live) {
    const int mover = live_game_mover(live);
    return mover != NOBODY && live->seats[mover].is_human && timing_is_limited(&live->game.timing);
}

void live_game_check_time(struct live_game *live) {
    if (is_persons_clock(live) && clocked_game_expire(&live->game, live_game_now(live)))
        conclude(live);
}

/* ---- the task ---- */

static bool needs_ticks(const struct live_games *games) {
    for (const struct live_game *live = games->newest; live != NULL; live = live->next)
        if (live->is_waiting || live->is_changed || is_persons_clock(live) ||
            (games->advisers == 0 && live_game_needs_advice(live)))
            return true;
    return false;
}

static void tick(void *context) {
    struct live_games *games = context;
    const struct timespec pause = {.tv_nsec = TICK_MS * 1000000L};
    workbench_lock(games->bench);
    while (!games->is_stopping && needs_ticks(games)) {
        for (struct live_game *live = games->newest; live != NULL; live = live->next) {
            live_game_check_time(live);
            if (live->is_waiting)
                live_game_think(live);
            if (live->is_changed)
                live_game_update(live);
        }
        live_games_advise(games);
        workbench_unlock(games->bench);
        nanosleep(&pause, NULL);
        workbench_lock(games->bench);
    }
    games->is_ticking = false;
    workbench_unlock(games->bench);
}

static void start_ticking(struct live_games *games) {
    const struct task task = {.run = tick, .context = games, .owner = games};
    if (games->is_ticking || games->is_stopping || games->bench->setup.idle || !needs_ticks(games))
        return;
    games->is_ticking = task_pool_start(games->bench->task_pool, &task, NULL);
}

/* Games between players change many times a second: they are written at most this often. So are the
 * adviser's values, and games whose last write failed. */
#define SAVE_EVERY_NS INT64_C(2000000000)

/* ---- saving ---- */

const char *live_game_save_error(const struct err *e) {
    const char *words = strstr(e->text, "cannot be "), *colon = words != NULL ? strstr(words, ": ") : NULL;
    return colon != NULL ? colon + 2 : e->text;
}

static void note_saved(struct live_game *live) {
    if (live->unsaved[0] == '\0')
        return;
    live->unsaved[0] = '\0';
    serve_warn(live->games->bench, "game %s is saved again", live->id);
    live_game_publish_unsaved(live);
}

static void save(struct live_game *live) {
    struct err e;
    if (live_game_save(live, &e)) {
        note_saved(live);
        return;
    }
    const bool was_saved = live->unsaved[0] == '\0';
    const char *reason = live_game_save_error(&e);
    charset_copy(live->unsaved, sizeof live->unsaved, reason, strlen(reason));
    if (!was_saved)
        return;
    serve_warn(live->games->bench, "game %s is not saved: %s", live->id, e.text);
    live_game_publish_unsaved(live);
}

/* Nothing more will come. */
static bool is_done(const struct live_game *live) {
    return live_game_is_over(live) && !live->is_advised && !live_game_needs_advice(live);
}

/* ---- after a change ---- */

void live_game_update(struct live_game *live) {
    if (live->is_removed)
        return;
    live_game_think(live);
    live_games_advise(live->games);
    const bool is_awaited = live_game_has_people(live) || live_game_is_over(live);
    const bool is_last = live->is_changed && is_done(live) && live->unsaved[0] == '\0';
    const bool is_due = live->is_changed && live_game_now(live) - live->saved_ns >= SAVE_EVERY_NS;
    if ((live->is_urgent && is_awaited) || is_last || is_due)
        save(live);
    start_ticking(live->games);
    if (!is_done(live))
        return;
    if (!live->thoughts_saved)
        live_game_save_thoughts(live);
    if (live->is_changed)
        return; /* readers get the end of the stream after the game is saved */
    live_game_end_streams(live);
    live_game_drop_thoughts(live);
}

static void note_change(struct live_game *live) {
    live->is_changed = live->is_urgent = true;
    live->touched_ns = live_game_now(live);
}

static void publish_end(struct live_game *live) {
    live_game_cancel_thinking(live);
    live_game_publish_all(live);
    live_game_update(live);
}

static void conclude(struct live_game *live) {
    live->offer = NOBODY;
    note_change(live);
    publish_end(live);
}

/* ---- putting back ---- */

/* All that a person can change. */
struct mark {
    int count, advised, version, offer;
    bool is_changed;
    int64_t touched_ns;
    struct clocked_game game;
    char result[sizeof((struct record *)0)->result], comment[sizeof((struct record *)0)->comment];
};

static void mark(const struct live_game *live, struct mark *out) {
    *out = (struct mark){.count = live->record.count,
                         .advised = live->advised,
                         .version = live->version,
                         .offer = live->offer,
                         .is_changed = live->is_changed,
                         .touched_ns = live->touched_ns,
                         .game = live->game};
    memcpy(out->result, live->record.result, sizeof out->result);
    memcpy(out->comment, live->record.comment, sizeof out->comment);
}

/* The steps of actions that were taken back are still there. */
static void put_back(struct live_game *live, const struct mark *before) {
    drop_steps(live, before->count, live->record.count);
    live->record.count = before->count;
    live->advised = before->advised;
    live->version = before->version;
    live->offer = before->offer;
    live->is_changed = before->is_changed;
    live->touched_ns = before->touched_ns;
    live->game = before->game;
    memcpy(live->record.result, before->result, sizeof before->result);
    memcpy(live->record.comment, before->comment, sizeof before->comment);
}

/* It is written, or was never done. */
static bool save_or_undo(struct live_game *live, const struct mark *before, struct err *e) {
    struct err why;
    note_change(live);
    if (live_game_save(live, &why)) {
        note_saved(live);
        drop_steps(live, live->record.count, before->count);
        return true;
    }
    put_back(live, before);
    return err_code(e, "refused.unwritten", "it was not done, because the game cannot be written: %s",
                    live_game_save_error(&why));
}

/* ---- ends that are not in the rules ---- */

void live_game_fault(struct live_game *live, enum player_fault fault, const char *reason) {
    clocked_game_fault(&live->game, live_game_mover(live), fault, reason);
    conclude(live);
}

void live_game_stop(struct live_game *live, const char *comment) {
    clocked_game_stop(&live->game, comment);
    conclude(live);
}

static bool end_for_people(struct live_game *live, const struct mark *before, struct err *e) {
    live->offer = NOBODY;
    if (!save_or_undo(live, before, e))
        return false;
    publish_end(live);
    return true;
}

bool live_game_cancel(struct live_game *live, struct err *e) {
    assert(!live_game_has_people(live));
    assert(!live_game_is_over(live));
    struct mark before;
    mark(live, &before);
    clocked_game_stop(&live->game, "stopped");
    return end_for_people(live, &before, e);
}

/* Some games have an action for it, which the side to move can take. */
bool live_game_resign(struct live_game *live, int side, struct err *e) {
    assert(side == 0 || side == 1);
    assert(!live_game_is_over(live));
    const struct game_offer *offer = game_offer(live->scenario->game);
    struct mark before;
    if (offer->can_resign && live_game_mover(live) == side)
        return live_game_act(live, offer->resign, e);
    mark(live, &before);
    clocked_game_resign(&live->game, side);
    return end_for_people(live, &before, e);
}

/* ---- actions ---- */

/* The mover's answer. Illegal and late ones end the game and add no step. */
static void answer(struct live_game *live, action a, int64_t now_ns, char *thoughts) {
    const int index = live->record.count;
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
    live_game_cache_text(live, before);
    clocked_game_begin_decision(&live->game, live_game_now(live));
    if (!live_game_is_over(live) && live->record.count >= LIVE_GAME_ACTIONS_MAX)
        clocked_game_stop(&live->game, "stopped: the game is too long to be kept");
}

static void publish_play(struct live_game *live, int offer_before, int count_before) {
    if (offer_before != NOBODY)
        live_game_publish_offer(live);
    if (live->record.count > count_before)
        live_game_publish_step(live);
    if (live_game_is_over(live))
        publish_end(live);
    else
        live_game_update(live);
}

void live_game_play(struct live_game *live, action a, int64_t now_ns, char *thoughts) {
    assert(!live_game_is_over(live));
    const int offer = live->offer, count = live->record.count;
    answer(live, a, now_ns, thoughts);
    note_change(live);
    publish_play(live, offer, count);
}

bool live_game_act(struct live_game *live, action a, struct err *e) {
    assert(!live_game_is_over(live));
    struct mark before;
    mark(live, &before);
    answer(live, a, live_game_now(live), NULL);
    if (!save_or_undo(live, &before, e))
        return false;
    publish_play(live, before.offer, before.count);
    return true;
}

/* ---- taking back ---- */

/* A turn that starts again has its full time per turn. */
static bool go_back(struct live_game *live, int count, bool is_whole_turn, struct err *e) {
    struct mark before;
    mark(live, &before);
    clocked_game_go_back(&live->game, count, live_game_now(live), NULL);
    for (int side = 0; side < 2 && is_whole_turn; side++)
        live->game.clocks.turn_used_ns[side] = live->game.clocks.byoyomi_used_ns[side] = 0;
    live->version++;
    live->advised = live->advised < count ? live->advised : count;
    live->offer = NOBODY;
    if (!save_or_undo(live, &before, e))
        return false;
    live_game_cancel_thinking(live); /* the answer of a running thinker is discarded */
    live_game_publish_all(live);
    live_game_update(live);
    return true;
}

bool live_game_undo(struct live_game *live, struct err *e) {
    return go_back(live, live->record.count - 1, false, e);
}

bool live_game_take_back(struct live_game *live, int side, struct err *e) {
    return go_back(live, live_game_turn_start(live, side), true, e);
}

bool live_game_make_offer(struct live_game *live, int side, struct err *e) {
    assert(side == NOBODY || side == 0 || side == 1);
    struct mark before;
    mark(live, &before);
    live->offer = side;
    if (!save_or_undo(live, &before, e))
        return false;
    live_game_publish_offer(live);
    live_game_update(live);
    return true;
}
