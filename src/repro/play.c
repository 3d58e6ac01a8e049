/* SPDX-License-Identifier: MIT
 *
 * Turns and games of a repetition. Players measure nothing themselves: the time of a decision is taken around
 * the call, on the clock of the task, so that tests with a manual clock have the same times in every run.
 */
#include "repro/play.h"

#include "match/batch.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

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

/* Until the turn or the game is over. A stop is looked at before and after each decision, because a player
 * that is stopped answers early: such an answer is not noted. */
static bool play_on(const struct repro_task *task, struct referee *referee, struct player *player,
                    struct play_turn *out, struct repro_repetition *repetition, struct err *e) {
    const struct game *game = referee->scenario->game;
    const int turn = game->turn(referee->state);
    while (referee_mover(referee) == out->side && game->turn(referee->state) == turn) {
        if (budget_is_stopped(task->stop))
            return true;
        const struct play_decision d = play_decide(task, referee, player);
        if (budget_is_stopped(task->stop))
            return true;
        assert(out->count < PLAY_ACTIONS_MAX);
        out->actions[out->count++] = d.answer.chosen;
        out->work += d.answer.work_done;
        repetition->ms += d.ms;
        struct text text = {0};
        const size_t used = strlen(repetition->note);
        game->text->write_action(referee->state, d.answer.chosen, &text);
        snprintf(repetition->note + used, REPRO_NOTE_MAX - used, "%s%s", used > 0 ? " " : "",
                 text_string(&text));
        text_done(&text);
        if (!referee_answer(referee, d.answer.chosen, d.ms, e))
            return false;
        if (referee->forfeiter != NOBODY)
            return err_set(e, "%s", referee->fault.text);
    }
    return true;
}

/* The positions before and after are copied: judging a turn needs both, and the state itself moves on. */
bool play_first_turn(const struct repro_task *task, const struct scenario *scenario, struct play_turn *out,
                     struct repro_repetition *repetition, struct err *e) {
    const char *spec = task->cell->players[0];
    struct player *player = player_open(spec, scenario->game, e);
    if (player == NULL)
        return false;
    struct referee referee;
    referee_start(&referee, scenario, task->seed, NULL);
    *out = (struct play_turn){.side = referee_mover(&referee)};
    assert(out->side != NOBODY);
    tbs_position_of(referee.state, &out->before);
    const bool ok = play_on(task, &referee, player, out, repetition, e) || err_prefix(e, "%s: ", spec);
    tbs_position_of(referee.state, &out->after);
    player_close(player);
    return ok;
}

/* Units that are destroyed stay in the list with 0 HP. */
int play_units_left(const struct tbs_position *p, int side, int type) {
    int count = 0;
    for (int id = 0; id < p->unit_count; id++)
        count += p->units[id].hp > 0 && p->units[id].side == side &&
                 (type == TBS_TYPES || p->units[id].type == type);
    return count;
}

/* ---- a game ---- */

const char *const play_game_names[] = {"red_points", "turns", "actions", "red_hp", "blue_hp", NULL};

/* Hit points are those of the last position, which is reached by replaying the record: the outcome has only
 * the result. A stopped game has no values; its repetition does not count. */
bool play_game(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    const struct scenario *scenario = task->game != NULL ? task->game : task->maps[task->cell->map];
    struct game_run run = {
        .game = {.scenario = scenario, .seed = task->seed}, .clock = task->clock, .stop = task->stop};
    struct game_run_result played = {0};
    bool ok = true;
    for (int side = 0; ok && side < 2; side++) {
        run.names[side] = task->cell->players[side];
        run.players[side] = player_open(run.names[side], scenario->game, e);
        ok = run.players[side] != NULL;
    }
    ok = ok && game_run_play(&run, &played, e);
    if (ok && !played.stopped) {
        const struct outcome *o = &played.outcome;
        struct replay end;
        struct tbs_position p = {0};
        replay_to(&end, &played.record, scenario, played.record.count, NULL);
        if (task->game == NULL)
            tbs_position_of(end.state, &p);
        const double values[] = {[GAME_RED_POINTS] = o->payoff,
                                 [GAME_TURNS] = o->turns,
                                 [GAME_ACTIONS] = o->actions,
                                 [GAME_RED_HP] = p.hp_sum[TBS_RED],
                                 [GAME_BLUE_HP] = p.hp_sum[TBS_BLUE]};
        memcpy(out->values, values, sizeof values);
        out->ms = (double)(o->think_ns[0] + o->think_ns[1]) * 1e-6;
        snprintf(out->note, sizeof out->note, "%s", o->result);
        /* Without the times, which differ from run to run. */
        for (int i = 0; i < played.record.count; i++)
            played.record.actions[i].milliseconds = RECORD_NO_TIME;
        ok = record_write_json_of(&played.record, scenario, &out->game, e);
    }
    game_run_result_done(&played);
    player_close(run.players[0]);
    player_close(run.players[1]);
    return ok;
}

/* Points are compared with a margin: 0, 1/2 and 1 are stored as doubles. */
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
