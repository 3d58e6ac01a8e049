/* SPDX-License-Identifier: MIT
 *
 * What is done at a table, and what follows from it: everybody is told, the game is kept, and whoever is to
 * think next begins.
 */
#include "serve/table_work.h"

#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "serve/table_text.h"

#include <stdio.h>
#include <string.h>

/* Games between players change many times a second: they are written so often at most. */
#define SAVE_EVERY_NS INT64_C(2000000000)

/* ---- after a change ---- */

static void save_if_due(struct table *table) {
    struct err e;
    const bool is_due = table_has_people(table) || table_is_over(table) || table->saved_ns == 0 ||
                        table_now(table) - table->saved_ns >= SAVE_EVERY_NS;
    if (table->is_changed && is_due)
        table_save(table, &e); /* what cannot be written is tried again after the next change */
}

void table_settle(struct table *table) {
    if (table->is_gone)
        return;
    table_think(table);
    tables_advise(table->tables);
    tables_tick(table->tables);
    save_if_due(table);
    if (!table_is_over(table) || table->is_advised || table_wants_advice(table))
        return;
    if (!table->is_filed)
        table_save_thoughts(table);
    table_end_streams(table);
    table_drop_thoughts(table);
}

static void note_change(struct table *table) {
    table->is_changed = true;
    table->touched_ns = table_now(table);
}

static void withdraw_offer(struct table *table) {
    if (table->offer == NOBODY)
        return;
    table->offer = NOBODY;
    table_tell_offer(table);
}

static void conclude(struct table *table) {
    table_forget(table);
    table->offer = NOBODY;
    note_change(table);
    table_tell_all(table);
    table_settle(table);
}

/* ---- ends that the rules do not know ---- */

void table_fault(struct table *table, enum player_fault fault, const char *reason) {
    referee_rule(&table->referee, fault, reason);
    conclude(table);
}

void table_stop(struct table *table, const char *comment) {
    table->is_ended = true;
    snprintf(table->record.comment, sizeof table->record.comment, "%s", comment);
    conclude(table);
}

/* The tactical game has an action for it, for who is to move. */
void table_resign(struct table *table, int side) {
    const struct game *game = table->scenario->game;
    struct record *record = &table->record;
    if (tbs_is_table_of(game) && table_mover(table) == side) {
        table_play(table, TBS_RESIGN, table_spent(table), NULL);
        return;
    }
    table->referee.forfeiter = side;
    snprintf(record->result, sizeof record->result, "%s resignation", game->text->side_names[side ^ 1]);
    snprintf(record->comment, sizeof record->comment, "%s resigns", game->text->side_names[side]);
    conclude(table);
}

/* ---- actions ---- */

static void keep_thoughts(struct table *table, int index, char *thoughts) {
    if (index < TABLE_THOUGHTS_MAX)
        table->steps[index].thoughts = thoughts;
    else
        mem_free(thoughts);
}

static void go_on(struct table *table) {
    withdraw_offer(table);
    note_change(table);
    table_tell_step(table);
    if (table_is_over(table))
        conclude(table);
    else if (table->record.count >= TABLE_ACTIONS_MAX)
        table_stop(table, "stopped: the game is too long to be kept");
    else
        table_settle(table);
}

void table_play(struct table *table, action a, int64_t spent_ns, char *thoughts) {
    const int side = table_mover(table), index = table->record.count;
    _Alignas(16) unsigned char before[GAME_STATE_MAX];
    struct err e;
    memcpy(before, table->referee.state, table->scenario->game->state_size);
    const bool ok = table_add(table, a, (double)spent_ns * 1e-6, &e);
    if (!ok || table->record.count == index) {
        mem_free(thoughts);
        if (ok)
            conclude(table);
        else
            table_stop(table, e.text);
        return;
    }
    keep_thoughts(table, index, thoughts);
    table_keep_text(table, before);
    table_book(table, side, spent_ns);
    table->decision_ns = table_now(table);
    go_on(table);
}

/* Time that was used stays used. */
static void go_back(struct table *table, int count) {
    timing_spend(&table->clocks, &table->timing, table_mover(table), table_spent(table), false);
    table_rewind(table, count);
    table->decision_ns = table_now(table);
    table->offer = NOBODY;
    note_change(table);
}

void table_undo(struct table *table) {
    go_back(table, table->record.count - 1);
    table_tell_all(table);
    table_settle(table);
}

/* A turn that begins anew has all of its own time. */
void table_take_back(struct table *table, int side) {
    go_back(table, table_turn_start(table, side));
    for (int i = 0; i < 2; i++)
        table->clocks.turn_used_ns[i] = table->clocks.byoyomi_used_ns[i] = 0;
    table_tell_all(table);
    table_settle(table);
}
