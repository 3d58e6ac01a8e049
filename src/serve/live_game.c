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
    if (live == NULL) {
        scenario->game->unload(scenario);
        return NULL;
    }
    live->games = games;
    live->holders = 1;
    live->scenario = scenario;
    live->offer = NOBODY;
    live->has_thoughts = true;
    params_default(timing_params, &live->timing);
    record_init(&live->record);
    return live;
}

static const char *player_name(const struct live_game_seat *seat) {
    if (seat->is_human)
        return seat->name[0] != '\0' ? seat->name : "human";
    return seat->spec;
}

/* A game can start from a position only if a side is to move and nothing is unknown. */
static bool place(struct live_game *live, const char *position, struct err *e) {
    const struct game *game = live->scenario->game;
    struct referee *referee = &live->referee;
    if (!game_read_position(live->scenario, position, referee->state, e))
        return false;
    if (game->hide != NULL && game->worlds(referee->state) > 1)
        return err_set(e, "colours or cards in that position are not known: no game can go on from it");
    if (game->mover(referee->state) == NOBODY)
        return err_set(e, "the game is over in that position");
    turn_count_start(&referee->turn, game, referee->state);
    live->is_placed = true;
    return true;
}

bool live_game_start(struct live_game *live, uint64_t seed, const char *position, struct err *e) {
    const char *const names[2] = {player_name(&live->seats[0]), player_name(&live->seats[1])};
    if (live->record.game[0] == '\0')
        record_describe(&live->record, live->scenario, names);
    if (live->record.map.failed)
        return err_set(e, "not enough memory for a game");
    referee_start_dealt(&live->referee, live->scenario, seed, live->record.deal, &live->record);
    if (position != NULL && !place(live, position, e))
        return false;
    memcpy(live->start, live->referee.state, live->scenario->game->state_size);
    timing_start(&live->clocks, &live->timing);
    live->decision_ns = live_game_now(live);
    return true;
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

static bool grow_steps(struct live_game *live, struct err *e) {
    if (live->record.count < live->steps_capacity)
        return true;
    const int capacity = live->steps_capacity > 0 ? 2 * live->steps_capacity : 64;
    void *grown = mem_resize(live->steps, (size_t)capacity * sizeof live->steps[0]);
    if (grown == NULL)
        return err_set(e, "not enough memory for the game");
    live->steps = grown;
    live->steps_capacity = capacity;
    return true;
}

bool live_game_add(struct live_game *live, action a, double milliseconds, struct err *e) {
    const int index = live->record.count;
    if (!grow_steps(live, e) || !referee_answer(&live->referee, a, milliseconds, e))
        return false;
    if (live->record.count == index)
        return true; /* it was illegal: the game has ended without it */
    const struct game *game = live->scenario->game;
    struct live_game_step *step = &live->steps[index];
    *step = (struct live_game_step){.chance = (double)NAN};
    if (game->mover(live->referee.state) == NOBODY) {
        step->chance = game->payoff(live->referee.state, 0);
        step->is_asked = true;
    }
    return true;
}

static void rewind_to(struct live_game *live, int count) {
    struct referee *referee = &live->referee;
    struct replay replay;
    assert(count >= 0);
    assert(count <= live->record.count);
    live->record.count = count;
    live->version++;
    live->advised = live->advised < count ? live->advised : count;
    live_game_replay(live, count, &replay);
    memcpy(referee->state, replay.state, sizeof referee->state);
    referee->game_rng = replay.rng;
    referee->turn = replay.turn;
    referee->actions = count;
}

/* ---- questions ---- */

int live_game_mover(const struct live_game *live) {
    return live->is_ended ? NOBODY : referee_mover(&live->referee);
}

bool live_game_is_over(const struct live_game *live) {
    return live_game_mover(live) == NOBODY;
}

bool live_game_has_people(const struct live_game *live) {
    return live->seats[0].is_human || live->seats[1].is_human;
}

bool live_game_has_secrets(const struct live_game *live) {
    return live->scenario->game->hide != NULL && live_game_has_people(live) && !live_game_is_over(live);
}

bool live_game_awaits_player(const struct live_game *live) {
    const int mover = live_game_mover(live);
    return mover != NOBODY && !live->seats[mover].is_human;
}

/* Every action was found legal when it was played. */
void live_game_replay(const struct live_game *live, int count, struct replay *out) {
    assert(count >= 0);
    assert(count <= live->record.count);
    const struct game *game = live->scenario->game;
    replay_start(out, &live->record, live->scenario);
    if (live->is_placed) {
        memcpy(out->state, live->start, game->state_size);
        turn_count_start(&out->turn, game, out->state);
    }
    while (out->next < count && replay_step(out, NULL))
        continue;
    assert(out->next == count);
}

bool live_game_has_revealed(const struct live_game *live, int count, unsigned sides) {
    struct replay back;
    if (live->scenario->game->hide == NULL)
        return false;
    live_game_replay(live, count, &back);
    return secret_was_shown(&back, sides);
}

int live_game_turn_start(const struct live_game *live, int side) {
    assert(side == 0 || side == 1);
    const struct game *game = live->scenario->game;
    struct replay replay;
    int found = -1, start = 0;
    live_game_replay(live, 0, &replay);
    while (replay.next < live->record.count) {
        if (replay.turn.taken == 0)
            start = replay.next;
        if (game->mover(replay.state) == side)
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

int64_t live_game_now(const struct live_game *live) {
    return clock_now_ns(live->games->bench->setup.clock);
}

int64_t live_game_spent(const struct live_game *live) {
    const int64_t spent = live_game_now(live) - live->decision_ns;
    return spent > 0 ? spent : 0;
}

static void charge_clock(struct live_game *live, int side, int64_t spent_ns) {
    assert(side == 0 || side == 1);
    assert(spent_ns >= 0);
    timing_spend(&live->clocks, &live->timing, side, spent_ns, live->referee.turn.taken == 0);
}

bool live_game_rule_late(struct live_game *live, int64_t spent_ns) {
    assert(!live_game_is_over(live));
    const struct ask_time time = timing_allow(&live->clocks, &live->timing, live_game_mover(live), 1);
    if (time.limit_ns == 0 || spent_ns <= time.limit_ns)
        return false;
    struct text reason = {0};
    text_add(&reason, "late, after %.2f s of %.2f s", (double)spent_ns * 1e-9, (double)time.limit_ns * 1e-9);
    live_game_fault(live, PLAYER_FAULT_LATE, text_string(&reason));
    text_done(&reason);
    return true;
}

static bool is_persons_clock(const struct live_game *live) {
    const int mover = live_game_mover(live);
    return mover != NOBODY && live->seats[mover].is_human && timing_is_limited(&live->timing);
}

void live_game_check_time(struct live_game *live) {
    if (is_persons_clock(live))
        live_game_rule_late(live, live_game_spent(live));
}

/* ---- the task ---- */

static bool needs_ticks(const struct live_games *games) {
    for (const struct live_game *live = games->newest; live != NULL; live = live->next)
        if (live->is_waiting || live->is_changed || is_persons_clock(live) ||
            (games->advisers == 0 && live_game_needs_advice(live)))
            return true;
    return false;
}

static void look_at_all(struct live_games *games) {
    for (struct live_game *live = games->newest; live != NULL; live = live->next) {
        live_game_check_time(live);
        if (live->is_waiting)
            live_game_think(live);
        if (live->is_changed)
            live_game_update(live);
    }
    live_games_advise(games);
}

static void tick(void *context) {
    struct live_games *games = context;
    const struct timespec pause = {.tv_nsec = TICK_MS * 1000000L};
    workbench_lock(games->bench);
    while (!games->is_stopping && needs_ticks(games)) {
        look_at_all(games);
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

static void note_unsaved(struct live_game *live, const struct err *e) {
    const bool was_saved = live->unsaved[0] == '\0';
    charset_copy(live->unsaved, sizeof live->unsaved, live_game_save_error(e),
                 strlen(live_game_save_error(e)));
    if (!was_saved)
        return;
    serve_warn(live->games->bench, "game %s is not saved: %s", live->id, e->text);
    live_game_publish_unsaved(live);
}

static void save(struct live_game *live) {
    struct err e;
    if (live_game_save(live, &e))
        note_saved(live);
    else
        note_unsaved(live, &e);
}

static void retry_save(struct live_game *live) {
    if (live->is_changed && !live->is_removed && live_game_now(live) - live->saved_ns >= SAVE_EVERY_NS)
        save(live);
}

/* Nothing more will come. */
static bool is_done(const struct live_game *live) {
    return live_game_is_over(live) && !live->is_advised && !live_game_needs_advice(live);
}

static void save_if_due(struct live_game *live) {
    const bool is_awaited = live_game_has_people(live) || live_game_is_over(live);
    const bool is_last = live->is_changed && is_done(live) && live->unsaved[0] == '\0';
    if ((live->is_urgent && is_awaited) || is_last)
        save(live);
    else
        retry_save(live);
}

/* ---- after a change ---- */

void live_game_update(struct live_game *live) {
    if (live->is_removed)
        return;
    live_game_think(live);
    live_games_advise(live->games);
    save_if_due(live);
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
    bool is_ended, is_changed;
    int64_t decision_ns, touched_ns;
    struct timing_clocks clocks;
    struct referee referee;
    char result[sizeof((struct record *)0)->result], comment[sizeof((struct record *)0)->comment];
};

static void mark(const struct live_game *live, struct mark *out) {
    *out = (struct mark){.count = live->record.count,
                         .advised = live->advised,
                         .version = live->version,
                         .offer = live->offer,
                         .is_ended = live->is_ended,
                         .is_changed = live->is_changed,
                         .decision_ns = live->decision_ns,
                         .touched_ns = live->touched_ns,
                         .clocks = live->clocks,
                         .referee = live->referee};
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
    live->is_ended = before->is_ended;
    live->is_changed = before->is_changed;
    live->decision_ns = before->decision_ns;
    live->touched_ns = before->touched_ns;
    live->clocks = before->clocks;
    live->referee = before->referee;
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
    return err_set(e, "it was not done, because the game cannot be written: %s", live_game_save_error(&why));
}

/* ---- ends that are not in the rules ---- */

void live_game_fault(struct live_game *live, enum player_fault fault, const char *reason) {
    referee_rule(&live->referee, fault, reason);
    conclude(live);
}

static void end(struct live_game *live, const char *comment) {
    live->is_ended = true;
    snprintf(live->record.comment, sizeof live->record.comment, "%s", comment);
}

void live_game_stop(struct live_game *live, const char *comment) {
    end(live, comment);
    conclude(live);
}

bool live_game_cancel(struct live_game *live, struct err *e) {
    assert(!live_game_has_people(live));
    assert(!live_game_is_over(live));
    struct mark before;
    mark(live, &before);
    end(live, "stopped");
    if (!save_or_undo(live, &before, e))
        return false;
    publish_end(live);
    return true;
}

/* Some games have an action for it, which the side to move can take. */
bool live_game_resign(struct live_game *live, int side, struct err *e) {
    assert(side == 0 || side == 1);
    assert(!live_game_is_over(live));
    const struct game *game = live->scenario->game;
    struct record *record = &live->record;
    struct mark before;
    if (game_offer(game)->can_resign && live_game_mover(live) == side)
        return live_game_act(live, game_offer(game)->resign, e);
    mark(live, &before);
    live->referee.forfeiter = side;
    live->offer = NOBODY;
    snprintf(record->result, sizeof record->result, "%s resignation", game->text->side_names[side ^ 1]);
    snprintf(record->comment, sizeof record->comment, "%s resigns", game->text->side_names[side]);
    if (!save_or_undo(live, &before, e))
        return false;
    publish_end(live);
    return true;
}

/* ---- actions ---- */

static void store_thoughts(struct live_game *live, int index, char *thoughts) {
    if (index < LIVE_GAME_THOUGHTS_MAX)
        live->steps[index].thoughts = thoughts;
    else
        mem_free(thoughts);
}

/* Applies an action to the game. False when memory ran out: then nothing has changed. */
static bool play(struct live_game *live, action a, int64_t spent_ns, char *thoughts, struct err *e) {
    const int side = live_game_mover(live), index = live->record.count;
    _Alignas(16) unsigned char before[GAME_STATE_MAX];
    memcpy(before, live->referee.state, live->scenario->game->state_size);
    const bool ok = live_game_add(live, a, (double)spent_ns * 1e-6, e);
    if (!ok || live->record.count == index) { /* it was illegal: the game has ended without it */
        mem_free(thoughts);
        return ok;
    }
    store_thoughts(live, index, thoughts);
    live_game_cache_text(live, before);
    charge_clock(live, side, spent_ns);
    live->decision_ns = live_game_now(live);
    live->offer = NOBODY;
    if (!live_game_is_over(live) && live->record.count >= LIVE_GAME_ACTIONS_MAX)
        end(live, "stopped: the game is too long to be kept");
    return true;
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

void live_game_play(struct live_game *live, action a, int64_t spent_ns, char *thoughts) {
    assert(!live_game_is_over(live));
    const int offer = live->offer, count = live->record.count;
    struct err e;
    if (!play(live, a, spent_ns, thoughts, &e)) {
        live_game_stop(live, e.text);
        return;
    }
    note_change(live);
    publish_play(live, offer, count);
}

bool live_game_act(struct live_game *live, action a, struct err *e) {
    assert(!live_game_is_over(live));
    struct mark before;
    mark(live, &before);
    if (!play(live, a, live_game_spent(live), NULL, e) || !save_or_undo(live, &before, e))
        return false;
    publish_play(live, before.offer, before.count);
    return true;
}

/* ---- taking back ---- */

/* Time already used is not given back. */
static void go_back(struct live_game *live, int count) {
    timing_spend(&live->clocks, &live->timing, live_game_mover(live), live_game_spent(live), false);
    rewind_to(live, count);
    live->decision_ns = live_game_now(live);
    live->offer = NOBODY;
}

/* The answer of a running thinker is discarded. */
static bool finish_back(struct live_game *live, const struct mark *before, struct err *e) {
    if (!save_or_undo(live, before, e))
        return false;
    live_game_cancel_thinking(live);
    live_game_publish_all(live);
    live_game_update(live);
    return true;
}

bool live_game_undo(struct live_game *live, struct err *e) {
    assert(live->record.count > 0);
    struct mark before;
    mark(live, &before);
    go_back(live, live->record.count - 1);
    return finish_back(live, &before, e);
}

/* A turn that starts again has its full time per turn. */
bool live_game_take_back(struct live_game *live, int side, struct err *e) {
    assert(side == 0 || side == 1);
    struct mark before;
    mark(live, &before);
    go_back(live, live_game_turn_start(live, side));
    for (int i = 0; i < 2; i++)
        live->clocks.turn_used_ns[i] = live->clocks.byoyomi_used_ns[i] = 0;
    return finish_back(live, &before, e);
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
