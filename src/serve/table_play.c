/* SPDX-License-Identifier: MIT
 *
 * What is done at a table, and what follows from it: everybody is told, the game is kept, and whoever is to
 * think next begins.
 *
 * What people do is written before it is acknowledged: it is done, written, and put back when that fails.
 * What players and clocks do has no one who could be told to try again: it is done, and written as soon as
 * that is possible.
 */
#include "serve/table_work.h"

#include "base/charset.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "serve/table_text.h"

#include <stdio.h>
#include <string.h>

/* Games between players change many times a second: they are written so often at most. So is what an adviser
 * says, and what could not be written. */
#define SAVE_EVERY_NS INT64_C(2000000000)

/* ---- saving ---- */

const char *table_reason(const struct err *e) {
    const char *words = strstr(e->text, "cannot be "), *colon = words != NULL ? strstr(words, ": ") : NULL;
    return colon != NULL ? colon + 2 : e->text;
}

static void note_saved(struct table *table) {
    if (table->unsaved[0] == '\0')
        return;
    table->unsaved[0] = '\0';
    serve_warn(table->tables->bench, "game %s is saved again", table->id);
    table_tell_unsaved(table);
}

static void note_unsaved(struct table *table, const struct err *e) {
    const bool was_saved = table->unsaved[0] == '\0';
    charset_copy(table->unsaved, sizeof table->unsaved, table_reason(e), strlen(table_reason(e)));
    if (!was_saved)
        return;
    serve_warn(table->tables->bench, "game %s is not saved: %s", table->id, e->text);
    table_tell_unsaved(table);
}

static void save(struct table *table) {
    struct err e;
    if (table_save(table, &e))
        note_saved(table);
    else
        note_unsaved(table, &e);
}

void table_try_again(struct table *table) {
    if (table->is_changed && !table->is_gone && table_now(table) - table->saved_ns >= SAVE_EVERY_NS)
        save(table);
}

/* Nothing more will come. */
static bool is_done(const struct table *table) {
    return table_is_over(table) && !table->is_advised && !table_wants_advice(table);
}

static void save_if_due(struct table *table) {
    const bool is_awaited = table_has_people(table) || table_is_over(table) || table->saved_ns == 0;
    const bool is_last = table->is_changed && is_done(table) && table->unsaved[0] == '\0';
    if ((table->is_urgent && is_awaited) || is_last)
        save(table);
    else
        table_try_again(table);
}

/* ---- after a change ---- */

void table_settle(struct table *table) {
    if (table->is_gone)
        return;
    table_think(table);
    tables_advise(table->tables);
    save_if_due(table);
    tables_tick(table->tables);
    if (!is_done(table))
        return;
    if (!table->is_filed)
        table_save_thoughts(table);
    if (table->is_changed)
        return; /* who follows it is told when it is saved */
    table_end_streams(table);
    table_drop_thoughts(table);
}

static void note_change(struct table *table) {
    table->is_changed = table->is_urgent = true;
    table->touched_ns = table_now(table);
}

static void tell_end(struct table *table) {
    table_forget(table);
    table_tell_all(table);
    table_settle(table);
}

static void conclude(struct table *table) {
    table->offer = NOBODY;
    note_change(table);
    tell_end(table);
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

static void mark(const struct table *table, struct mark *out) {
    *out = (struct mark){.count = table->record.count,
                         .advised = table->advised,
                         .version = table->version,
                         .offer = table->offer,
                         .is_ended = table->is_ended,
                         .is_changed = table->is_changed,
                         .decision_ns = table->decision_ns,
                         .touched_ns = table->touched_ns,
                         .clocks = table->clocks,
                         .referee = table->referee};
    memcpy(out->result, table->record.result, sizeof out->result);
    memcpy(out->comment, table->record.comment, sizeof out->comment);
}

/* The steps of actions that were taken back are still there. */
static void put_back(struct table *table, const struct mark *before) {
    table_drop_steps(table, before->count, table->record.count);
    table->record.count = before->count;
    table->advised = before->advised;
    table->version = before->version;
    table->offer = before->offer;
    table->is_ended = before->is_ended;
    table->is_changed = before->is_changed;
    table->is_urgent = false;
    table->decision_ns = before->decision_ns;
    table->touched_ns = before->touched_ns;
    table->clocks = before->clocks;
    table->referee = before->referee;
    memcpy(table->record.result, before->result, sizeof before->result);
    memcpy(table->record.comment, before->comment, sizeof before->comment);
}

/* It is written, or was never done. */
static bool keep(struct table *table, const struct mark *before, struct err *e) {
    struct err why;
    note_change(table);
    if (table_save(table, &why)) {
        note_saved(table);
        table_drop_steps(table, table->record.count, before->count);
        return true;
    }
    put_back(table, before);
    return err_set(e, "it was not done, because the game cannot be written: %s", table_reason(&why));
}

/* ---- ends that the rules do not know ---- */

void table_fault(struct table *table, enum player_fault fault, const char *reason) {
    referee_rule(&table->referee, fault, reason);
    conclude(table);
}

static void end(struct table *table, const char *comment) {
    table->is_ended = true;
    snprintf(table->record.comment, sizeof table->record.comment, "%s", comment);
}

void table_stop(struct table *table, const char *comment) {
    end(table, comment);
    conclude(table);
}

bool table_cancel(struct table *table, struct err *e) {
    struct mark before;
    mark(table, &before);
    end(table, "stopped");
    if (!keep(table, &before, e))
        return false;
    tell_end(table);
    return true;
}

/* The tactical game has an action for it, for who is to move. */
bool table_resign(struct table *table, int side, struct err *e) {
    const struct game *game = table->scenario->game;
    struct record *record = &table->record;
    struct mark before;
    if (game_is_tbs(game) && table_mover(table) == side)
        return table_act(table, TBS_RESIGN, e);
    mark(table, &before);
    table->referee.forfeiter = side;
    table->offer = NOBODY;
    snprintf(record->result, sizeof record->result, "%s resignation", game->text->side_names[side ^ 1]);
    snprintf(record->comment, sizeof record->comment, "%s resigns", game->text->side_names[side]);
    if (!keep(table, &before, e))
        return false;
    tell_end(table);
    return true;
}

/* ---- actions ---- */

static void keep_thoughts(struct table *table, int index, char *thoughts) {
    if (index < TABLE_THOUGHTS_MAX)
        table->steps[index].thoughts = thoughts;
    else
        mem_free(thoughts);
}

/* What an action changes at the table. False when there is no memory for it: then nothing has changed. */
static bool play(struct table *table, action a, int64_t spent_ns, char *thoughts, struct err *e) {
    const int side = table_mover(table), index = table->record.count;
    _Alignas(16) unsigned char before[GAME_STATE_MAX];
    memcpy(before, table->referee.state, table->scenario->game->state_size);
    const bool ok = table_add(table, a, (double)spent_ns * 1e-6, e);
    if (!ok || table->record.count == index) { /* it was illegal: the game has ended without it */
        mem_free(thoughts);
        return ok;
    }
    keep_thoughts(table, index, thoughts);
    table_keep_text(table, before);
    table_book(table, side, spent_ns);
    table->decision_ns = table_now(table);
    table->offer = NOBODY;
    if (!table_is_over(table) && table->record.count >= TABLE_ACTIONS_MAX)
        end(table, "stopped: the game is too long to be kept");
    return true;
}

static void tell_play(struct table *table, int offer_before, int count_before) {
    if (offer_before != NOBODY)
        table_tell_offer(table);
    if (table->record.count > count_before)
        table_tell_step(table);
    if (table_is_over(table))
        tell_end(table);
    else
        table_settle(table);
}

void table_play(struct table *table, action a, int64_t spent_ns, char *thoughts) {
    const int offer = table->offer, count = table->record.count;
    struct err e;
    if (!play(table, a, spent_ns, thoughts, &e)) {
        table_stop(table, e.text);
        return;
    }
    note_change(table);
    tell_play(table, offer, count);
}

bool table_act(struct table *table, action a, struct err *e) {
    struct mark before;
    mark(table, &before);
    if (!play(table, a, table_spent(table), NULL, e) || !keep(table, &before, e))
        return false;
    tell_play(table, before.offer, before.count);
    return true;
}

/* ---- taking back ---- */

/* Time that was used stays used. */
static void go_back(struct table *table, int count) {
    timing_spend(&table->clocks, &table->timing, table_mover(table), table_spent(table), false);
    table_rewind(table, count);
    table->decision_ns = table_now(table);
    table->offer = NOBODY;
}

/* Whoever thinks does so in vain. */
static bool finish_back(struct table *table, const struct mark *before, struct err *e) {
    if (!keep(table, before, e))
        return false;
    table_forget(table);
    table_tell_all(table);
    table_settle(table);
    return true;
}

bool table_undo(struct table *table, struct err *e) {
    struct mark before;
    mark(table, &before);
    go_back(table, table->record.count - 1);
    return finish_back(table, &before, e);
}

/* A turn that begins anew has all of its own time. */
bool table_take_back(struct table *table, int side, struct err *e) {
    struct mark before;
    mark(table, &before);
    go_back(table, table_turn_start(table, side));
    for (int i = 0; i < 2; i++)
        table->clocks.turn_used_ns[i] = table->clocks.byoyomi_used_ns[i] = 0;
    return finish_back(table, &before, e);
}

bool table_make_offer(struct table *table, int side, struct err *e) {
    struct mark before;
    mark(table, &before);
    table->offer = side;
    if (!keep(table, &before, e))
        return false;
    table_tell_offer(table);
    table_settle(table);
    return true;
}
