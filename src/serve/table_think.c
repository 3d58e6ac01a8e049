/* SPDX-License-Identifier: MIT
 *
 * A player's thinking: one task for all decisions up to a person's or the end. It takes what it needs with
 * the lock held, thinks without it, and leaves what it found, unless the game has gone another way meanwhile.
 * The decisions are those of a bout with the same seed: the same asks, the same random streams.
 */
#include "serve/table_work.h"

#include "base/charset.h"
#include "base/mem.h"
#include "serve/ground.h"
#include "serve/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOW_EVERY_NS INT64_C(250000000)

struct table_thinker {
    struct table *table; /* held */
    atomic_bool stop;
    struct player *players[2]; /* opened when they are first asked */

    /* The decision at hand. */
    int side, taken, count;
    char spec[SPEC_TEXT_MAX];
    struct rng rng;
    struct ask_time time;
    struct record record; /* of the game so far: only seed and actions */
    struct record_line line;
    struct course course;
    bool has_course, is_shown, wants_thoughts;
    int64_t start_ns, spent_ns;
    struct thoughts thoughts;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];

    struct answer answer;
    char *words; /* the thoughts as JSON */
};

/* ---- with the lock ---- */

static bool copy_actions(struct table_thinker *t) {
    const struct record *record = &t->table->record;
    struct record *mine = &t->record;
    if (mine->capacity < record->count + 1) {
        void *grown = mem_resize(mine->actions, 2 * (size_t)(record->count + 1) * sizeof mine->actions[0]);
        if (grown == NULL)
            return false;
        mine->actions = grown;
        mine->capacity = 2 * (record->count + 1);
    }
    if (record->count > 0)
        memcpy(mine->actions, record->actions, (size_t)record->count * sizeof mine->actions[0]);
    mine->count = record->count;
    mine->seed = record->seed;
    mine->deal = record->deal;
    return true;
}

/* Is there another decision for this task? */
static bool prepare(struct table_thinker *t) {
    struct table *table = t->table;
    struct ask ask;
    if (table->thinker != t || table->tables->is_stopping || !table_is_thinking(table))
        return false;
    if (!copy_actions(t)) {
        table_stop(table, "stopped: there was not enough memory to think");
        return false;
    }
    referee_ask(&table->referee, &ask);
    t->side = ask.side;
    t->taken = ask.taken;
    t->rng = *ask.rng;
    memcpy(t->view, ask.view, ask.game->state_size);
    memcpy(t->spec, table->seats[t->side].spec, sizeof t->spec);
    t->time = timing_allow(&table->clocks, &table->timing, t->side, ask.game->progress(t->view).left);
    t->line = (struct record_line){.record = &t->record, .count = t->record.count};
    t->course = record_course(&t->line, table->scenario);
    t->has_course = !table->is_placed || ask.game->hide != NULL; /* who is placed has no past */
    t->wants_thoughts = table->wants_thoughts;
    t->is_shown = !table_hides(table);
    return true;
}

/* False when somebody has changed the game meanwhile, or wants it to end. */
static bool still_counts(const struct table_thinker *t) {
    return t->table->thinker == t && !atomic_load(&t->stop) && !t->table->tables->is_stopping;
}

/* It was not the player who failed: the game ends without a result. */
static void stop_short(struct table_thinker *t) {
    char comment[PLAYER_REASON_MAX + 16];
    snprintf(comment, sizeof comment, "stopped: %s", t->answer.reason);
    table_stop(t->table, comment);
}

static void give_answer(struct table_thinker *t) {
    struct table *table = t->table;
    char *words = t->words;
    t->words = NULL;
    table->referee.seat_rng[t->side] = t->rng;
    if (t->answer.fault == PLAYER_FAULT_NONE && !table_rule_late(table, t->spent_ns)) {
        table_play(table, t->answer.chosen, t->spent_ns, words);
        return;
    }
    mem_free(words);
    if (t->answer.fault == PLAYER_SHORTAGE)
        stop_short(t);
    else if (t->answer.fault != PLAYER_FAULT_NONE)
        table_fault(table, t->answer.fault, t->answer.reason);
}

/* ---- without it ---- */

static json_t *thoughts_json(struct table_thinker *t, const struct thoughts *thoughts) {
    const struct shape_thoughts of = {
        .thoughts = thoughts,
        .player = t->spec,
        .seconds = clock_seconds_since(t->table->tables->bench->setup.clock, t->start_ns),
        .top = TABLE_CANDIDATES};
    return shape_thoughts(t->table->scenario, t->view, &of);
}

static void show(void *context, const struct thoughts *so_far) {
    struct table_thinker *t = context;
    struct workbench *bench = t->table->tables->bench;
    json_t *thoughts = thoughts_json(t, so_far);
    workbench_lock(bench);
    if (still_counts(t))
        table_tell_thinking(t->table, thoughts);
    else
        json_decref(thoughts);
    workbench_unlock(bench);
}

static void put_into_words(struct table_thinker *t) {
    json_t *thoughts = t->thoughts.count > 0 ? thoughts_json(t, &t->thoughts) : NULL;
    char *dump = thoughts != NULL ? json_dumps(thoughts, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    t->words = dump != NULL ? mem_alloc(strlen(dump) + 1) : NULL;
    if (t->words != NULL)
        memcpy(t->words, dump, strlen(dump) + 1);
    free(dump);
    json_decref(thoughts);
}

static bool open_player(struct table_thinker *t, struct err *e) {
    struct table *table = t->table;
    if (t->players[t->side] == NULL && ground_check_player(table->tables->bench, t->spec, NULL, e))
        t->players[t->side] =
            player_open_granted(t->spec, table->scenario->game, ground_grant(table->tables->bench), e);
    return t->players[t->side] != NULL;
}

static void ask_player(struct table_thinker *t) {
    const struct clock *clock = t->table->tables->bench->setup.clock;
    const struct watch watch = {show, t, SHOW_EVERY_NS};
    const struct ask ask = {
        .game = t->table->scenario->game,
        .view = t->view,
        .side = t->side,
        .taken = t->taken,
        .budget = {.clock = clock,
                   .stop = &t->stop,
                   .deadline_ns = t->time.limit_ns > 0 ? t->start_ns + t->time.share_ns : 0},
        .time = t->time,
        .rng = &t->rng,
        .course = t->has_course ? &t->course : NULL,
        .thoughts = t->wants_thoughts ? &t->thoughts : NULL,
        .watch = t->wants_thoughts && t->is_shown ? &watch : NULL,
    };
    player_choose(t->players[t->side], &ask, &t->answer);
    const int64_t took = clock_now_ns(clock) - t->start_ns;
    t->spent_ns = took > t->answer.setup_ns ? took - t->answer.setup_ns : 0;
    if (t->wants_thoughts && t->answer.fault == PLAYER_FAULT_NONE)
        put_into_words(t);
}

static void decide(struct table_thinker *t) {
    struct err e;
    t->answer = (struct answer){0};
    t->spent_ns = 0;
    if (open_player(t, &e)) {
        workbench_lock(t->table->tables->bench); /* its clock begins to run */
        t->start_ns = table_now(t->table);
        if (still_counts(t))
            t->table->decision_ns = t->start_ns;
        workbench_unlock(t->table->tables->bench);
        ask_player(t);
        return;
    }
    t->answer.fault = PLAYER_SHORTAGE; /* its spec was good when it sat down */
    charset_copy(t->answer.reason, sizeof t->answer.reason, e.text, strlen(e.text));
}

/* ---- the task ---- */

static void thinker_close(struct table_thinker *t) {
    for (int side = 0; side < 2; side++)
        player_close(t->players[side]);
    mem_free(t->record.actions);
    mem_free(t->words);
    mem_free(t);
}

static void think(void *context) {
    struct table_thinker *t = context;
    struct table *table = t->table;
    struct workbench *bench = table->tables->bench;
    workbench_lock(bench);
    while (prepare(t)) {
        workbench_unlock(bench);
        decide(t);
        workbench_lock(bench);
        if (still_counts(t))
            give_answer(t);
    }
    if (table->thinker == t)
        table->thinker = NULL;
    workbench_unlock(bench);
    thinker_close(t); /* before the table, which may be the last to hold the game */
    workbench_lock(bench);
    table_drop(table);
    workbench_unlock(bench);
}

/* With the lock: it was to be started. */
static void drop(void *context) {
    struct table_thinker *t = context;
    struct table *table = t->table;
    if (table->thinker == t)
        table->thinker = NULL;
    thinker_close(t);
    table_drop(table);
}

void table_think(struct table *table) {
    struct tables *tables = table->tables;
    if (table->thinker != NULL || table->is_gone || tables->is_stopping || tables->bench->setup.idle ||
        !table_is_thinking(table)) {
        table->is_waiting = table->is_waiting && table->thinker == NULL && table_is_thinking(table);
        return;
    }
    struct table_thinker *t = mem_alloc(sizeof *t);
    const struct crew_task task = {.run = think, .dropped = drop, .context = t, .owner = tables};
    table->is_waiting = t == NULL;
    if (t == NULL)
        return;
    t->table = table_hold(table);
    table->thinker = t;
    if (crew_start(tables->bench->crew, &task, NULL))
        return;
    table->is_waiting = true;
    drop(t);
}

void table_forget(struct table *table) {
    if (table->thinker != NULL)
        atomic_store(&table->thinker->stop, true);
    table->thinker = NULL;
}
