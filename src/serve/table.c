/* SPDX-License-Identifier: MIT */
#include "serve/table_work.h"

#include "base/mem.h"
#include "match/secret.h"
#include "net/topic.h"
#include "serve/table_text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- making ---- */

struct table *table_open(struct tables *tables, struct scenario *scenario) {
    struct table *table = mem_alloc(sizeof *table);
    if (table == NULL) {
        scenario->game->unload(scenario);
        return NULL;
    }
    table->tables = tables;
    table->holders = 1;
    table->scenario = scenario;
    table->offer = NOBODY;
    table->has_thoughts = true;
    params_default(timing_params, &table->timing);
    record_init(&table->record);
    return table;
}

static const char *player_name(const struct table_seat *seat) {
    if (seat->is_human)
        return seat->name[0] != '\0' ? seat->name : "human";
    return seat->spec[0] != '\0' ? seat->spec : seat->name;
}

/* Somebody must be to move, and everything known: a game can go on from there. */
static bool place(struct table *table, const char *position, struct err *e) {
    const struct game *game = table->scenario->game;
    struct referee *referee = &table->referee;
    if (!game_read_position(table->scenario, position, referee->state, e))
        return false;
    if (game->hide != NULL && game->worlds(referee->state) > 1)
        return err_set(e, "colours or cards in that position are not known: no game can go on from it");
    if (game->mover(referee->state) == NOBODY)
        return err_set(e, "the game is over in that position");
    turn_count_start(&referee->turn, game, referee->state);
    table->is_placed = true;
    return true;
}

bool table_start(struct table *table, uint64_t seed, const char *position, struct err *e) {
    const char *const names[2] = {player_name(&table->seats[0]), player_name(&table->seats[1])};
    if (table->record.game[0] == '\0')
        record_describe(&table->record, table->scenario, names);
    if (table->record.map.failed)
        return err_set(e, "not enough memory for a game");
    referee_start_dealt(&table->referee, table->scenario, seed, table->record.deal, &table->record);
    if (position != NULL && !place(table, position, e))
        return false;
    memcpy(table->start, table->referee.state, table->scenario->game->state_size);
    timing_start(&table->clocks, &table->timing);
    table->decision_ns = table_now(table);
    return true;
}

struct table *table_hold(struct table *table) {
    table->holders++;
    return table;
}

void table_drop_steps(struct table *table, int from, int to) {
    for (int i = from; i < to; i++) {
        mem_free(table->steps[i].thoughts);
        table->steps[i].thoughts = NULL;
        table_drop_text(table, i);
    }
}

void table_drop(struct table *table) {
    if (--table->holders > 0)
        return;
    for (int i = 0; i < AUDIENCES; i++)
        topic_drop(table->topics[i]);
    table_drop_steps(table, 0, table->record.count);
    mem_free(table->steps);
    record_done(&table->record);
    table->scenario->game->unload(table->scenario);
    json_decref(table->ground);
    mem_free(table);
}

/* ---- playing ---- */

static bool grow_steps(struct table *table, struct err *e) {
    if (table->record.count < table->steps_capacity)
        return true;
    const int capacity = table->steps_capacity > 0 ? 2 * table->steps_capacity : 64;
    void *grown = mem_resize(table->steps, (size_t)capacity * sizeof table->steps[0]);
    if (grown == NULL)
        return err_set(e, "not enough memory for the game");
    table->steps = grown;
    table->steps_capacity = capacity;
    return true;
}

bool table_add(struct table *table, action a, double milliseconds, struct err *e) {
    const int index = table->record.count;
    if (!grow_steps(table, e) || !referee_answer(&table->referee, a, milliseconds, e))
        return false;
    if (table->record.count == index)
        return true; /* it was illegal: the game has ended without it */
    const struct game *game = table->scenario->game;
    struct table_step *step = &table->steps[index];
    *step = (struct table_step){.chance = (double)NAN};
    if (game->mover(table->referee.state) == NOBODY) {
        step->chance = game->payoff(table->referee.state, 0);
        step->is_asked = true;
    }
    return true;
}

void table_rewind(struct table *table, int count) {
    struct referee *referee = &table->referee;
    struct replay replay;
    assert(count >= 0);
    assert(count <= table->record.count);
    table->record.count = count;
    table->version++;
    table->advised = table->advised < count ? table->advised : count;
    table_replay(table, count, &replay);
    memcpy(referee->state, replay.state, sizeof referee->state);
    referee->game_rng = replay.rng;
    referee->turn = replay.turn;
    referee->actions = count;
    referee_result(referee, table->record.result, sizeof table->record.result);
}

/* ---- questions ---- */

int table_mover(const struct table *table) {
    return table->is_ended ? NOBODY : referee_mover(&table->referee);
}

bool table_is_over(const struct table *table) {
    return table_mover(table) == NOBODY;
}

bool table_has_people(const struct table *table) {
    return table->seats[0].is_human || table->seats[1].is_human;
}

bool table_hides(const struct table *table) {
    return table->scenario->game->hide != NULL && table_has_people(table) && !table_is_over(table);
}

bool table_is_thinking(const struct table *table) {
    const int mover = table_mover(table);
    return mover != NOBODY && !table->seats[mover].is_human;
}

/* Every action was found legal when it was played. */
void table_replay(const struct table *table, int count, struct replay *out) {
    const struct game *game = table->scenario->game;
    replay_start(out, &table->record, table->scenario);
    if (table->is_placed) {
        memcpy(out->state, table->start, game->state_size);
        turn_count_start(&out->turn, game, out->state);
    }
    while (out->next < count && replay_step(out, NULL))
        continue;
    assert(out->next == count);
}

bool table_has_shown(const struct table *table, int count, unsigned sides) {
    struct replay back;
    if (table->scenario->game->hide == NULL)
        return false;
    table_replay(table, count, &back);
    return secret_was_shown(&back, sides);
}

int table_turn_start(const struct table *table, int side) {
    const struct game *game = table->scenario->game;
    struct replay replay;
    int found = -1, start = 0;
    table_replay(table, 0, &replay);
    while (replay.next < table->record.count) {
        if (replay.turn.taken == 0)
            start = replay.next;
        if (game->mover(replay.state) == side)
            found = start;
        if (!replay_step(&replay, NULL))
            break;
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

int table_sides(const struct table *table, const char *key) {
    int sides = 0;
    while (key != NULL && *key != '\0') {
        const size_t length = strcspn(key, ",");
        const int fits = is_key(table->seats[0].key, length, key) | is_key(table->seats[1].key, length, key)
                                                                        << 1;
        if (fits == 0)
            return -1;
        sides |= fits;
        key += length + (key[length] == ',');
    }
    return sides;
}
