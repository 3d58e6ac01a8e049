/* SPDX-License-Identifier: MIT */
#include "repro/play.h"

#include "match/referee.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool is_stopped(const struct repro_task *task) {
    return budget_is_stopped(task->stop);
}

struct play_decision play_decide(const struct repro_task *task, struct referee *referee,
                                 struct player *player) {
    struct ask ask;
    struct play_decision d;
    referee_ask(referee, &ask);
    ask.budget.clock = task->clock;
    ask.budget.stop = task->stop;
    const int64_t start = clock_now_ns(task->clock);
    player_choose(player, &ask, &d.answer);
    d.ms = (double)(clock_now_ns(task->clock) - start) * 1e-6;
    return d;
}

/* ---- a turn ---- */

static void note_action(const struct referee *referee, action a, char *note) {
    struct text text = {0};
    const size_t used = strlen(note);
    text_add_string(&text, used > 0 ? " " : "");
    referee->scenario->game->text->write_action(referee->state, a, &text);
    snprintf(note + used, REPRO_NOTE_MAX - used, "%s", text_string(&text));
    text_done(&text);
}

static bool add_decision(const struct play_decision *d, struct referee *referee, struct play_turn *out,
                         struct err *e) {
    assert(out->count < PLAY_ACTIONS_MAX);
    out->actions[out->count++] = d->answer.chosen;
    out->ms += d->ms;
    out->work += d->answer.work_done;
    note_action(referee, d->answer.chosen, out->note);
    if (!referee_answer(referee, d->answer.chosen, d->ms, e))
        return false;
    return referee->forfeiter == NOBODY || err_set(e, "%s", referee->fault.text);
}

static bool play_on(const struct repro_task *task, struct referee *referee, struct player *player,
                    struct play_turn *out, struct err *e) {
    const struct game *game = referee->scenario->game;
    const int turn = game->turn(referee->state);
    while (!is_stopped(task) && referee_mover(referee) == out->side && game->turn(referee->state) == turn) {
        const struct play_decision d = play_decide(task, referee, player);
        if (!is_stopped(task) && !add_decision(&d, referee, out, e))
            return false;
    }
    return true;
}

bool play_first_turn(const struct repro_task *task, const struct scenario *scenario, const char *spec,
                     struct play_turn *out, struct err *e) {
    struct player *player = player_open(spec, scenario->game, e);
    if (player == NULL)
        return false;
    struct referee referee;
    referee_start(&referee, scenario, task->seed, NULL);
    *out = (struct play_turn){.side = referee_mover(&referee)};
    assert(out->side != NOBODY);
    tbs_position_of(referee.state, &out->before);
    const bool ok = play_on(task, &referee, player, out, e) || err_prefix(e, "%s: ", spec);
    tbs_position_of(referee.state, &out->after);
    player_close(player);
    return ok;
}

void play_note_turn(const struct play_turn *turn, struct repro_repetition *out) {
    memcpy(out->note, turn->note, sizeof out->note);
    out->ms = turn->ms;
}

int play_units_left(const struct tbs_position *p, int side, int type) {
    int count = 0;
    for (int id = 0; id < p->unit_count; id++)
        count += p->units[id].hp > 0 && p->units[id].side == side &&
                 (type == TBS_TYPES || p->units[id].type == type);
    return count;
}

/* ---- a game ---- */

const char *const play_game_names[] = {"red_points", "turns", "actions", "red_hp", "blue_hp", NULL};

/* Thinking times stay out of the record: they are the one thing that would differ from run to run. */
static bool play_out(const struct repro_task *task, struct referee *referee, struct player *const players[2],
                     double *ms, struct err *e) {
    for (int side; !is_stopped(task) && (side = referee_mover(referee)) != NOBODY;) {
        const struct play_decision d = play_decide(task, referee, players[side]);
        *ms += d.ms;
        if (!is_stopped(task) && !referee_answer(referee, d.answer.chosen, -1, e))
            return false;
    }
    return true;
}

static const struct scenario *scenario_of(const struct repro_task *task) {
    return task->game != NULL ? task->game : task->maps[task->cell->map];
}

static void describe_units(const struct referee *referee, struct repro_repetition *out) {
    struct tbs_position p;
    tbs_position_of(referee->state, &p);
    out->values[GAME_RED_HP] = p.hp_sum[TBS_RED];
    out->values[GAME_BLUE_HP] = p.hp_sum[TBS_BLUE];
}

static void describe_game(const struct repro_task *task, const struct referee *referee,
                          struct repro_repetition *out) {
    out->values[GAME_RED_POINTS] = referee_payoff(referee, 0);
    out->values[GAME_TURNS] = referee->scenario->game->turn(referee->state);
    out->values[GAME_ACTIONS] = referee->actions;
    if (task->game == NULL)
        describe_units(referee, out);
    referee_result(referee, out->note, sizeof out->note);
}

static bool play_between(const struct repro_task *task, struct player *const players[2],
                         struct repro_repetition *out, struct err *e) {
    const struct scenario *scenario = scenario_of(task);
    struct record record;
    struct referee referee;
    record_init(&record);
    record_describe(&record, scenario, task->cell->players);
    referee_start(&referee, scenario, task->seed, &record);
    bool ok = !record.map.failed || err_set(e, "not enough memory");
    ok = ok && play_out(task, &referee, players, &out->ms, e);
    if (ok && !is_stopped(task)) {
        describe_game(task, &referee, out);
        ok = record_write_json(&record, &out->game, e);
    }
    record_done(&record);
    return ok;
}

bool play_game(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    struct player *players[2] = {NULL, NULL};
    const struct game *game = scenario_of(task)->game;
    bool ok = true;
    for (int side = 0; ok && side < 2; side++)
        ok = (players[side] = player_open(task->cell->players[side], game, e)) != NULL;
    ok = ok && play_between(task, players, out, e);
    for (int side = 0; side < 2; side++)
        if (players[side] != NULL)
            player_close(players[side]);
    return ok;
}

struct play_score play_score(const struct repro_data *data, int cell, int side) {
    struct play_score s = {0};
    for (int i = 0; i < data->count; i++) {
        if (data->units[i].cell != cell)
            continue;
        const double red = data->results[i].values[GAME_RED_POINTS];
        const double points = side == 0 ? red : 1 - red;
        s.n++;
        s.points += points;
        s.wins += points > 0.75;
        s.draws += points > 0.25 && points < 0.75;
    }
    return s;
}
