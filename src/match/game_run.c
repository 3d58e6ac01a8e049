/* SPDX-License-Identifier: MIT */
#include "match/game_run.h"

#include "base/charset.h"
#include "match/fault_report.h"
#include "match/clocked_game.h"

#include <assert.h>
#include <string.h>

struct play {
    const struct game_run *game_run;
    struct game_run_result *result;
    struct clocked_game game;
    int leader; /* the side ahead at the end of the last turn; NOBODY: neither was ahead so far */
    int turn;
    double weights[GAME_WEIGHTS_MAX];
};

/* Evaluated once a turn: within a turn one side's losses are not answered yet. The last turn may end with the
 * game. */
static void note_lead(struct play *p) {
    const struct game *game = p->game_run->scenario->game;
    const struct referee *referee = &p->game.referee;
    const int turn = game->turn(referee->state);
    const bool goes_on = turn == p->turn && game->mover(referee->state) != NOBODY;
    if (goes_on || referee->forfeiter != NOBODY)
        return;
    p->turn = turn;
    const double ahead = game->evals[0].value(referee->state, 0, p->weights);
    const int leader = ahead > 0 ? 0 : ahead < 0 ? 1 : NOBODY;
    if (leader == NOBODY)
        return;
    p->result->outcome.lead_changes += p->leader != NOBODY && leader != p->leader;
    p->leader = leader;
}

/* 0 without a clock: then no times are measured. */
static int64_t now(const struct game_run *game_run) {
    return game_run->clock != NULL ? clock_now_ns(game_run->clock) : 0;
}

/* Looking for gaps takes a lock and several readings of the clock, so only games that can be void do it. */
static int64_t gap_ns(const struct game_run *game_run) {
    const bool matters =
        game_run->can_be_void && game_run->timing != NULL && timing_is_limited(game_run->timing);
    return matters ? clock_gap_ns(game_run->clock) : 0;
}

/* At the start of the game and after each decision. */
static void watch(const struct play *p) {
    if (p->game_run->watch != NULL)
        p->game_run->watch(p->game_run->context, p->game.referee.state, &p->result->record);
}

/* One decision of the mover: ask, answer or fault. True without a change of the game when it was stopped, or
 * is void by now. */
static bool decide(struct play *p, struct err *e) {
    const struct game_run *game_run = p->game_run;
    struct clocked_game *game = &p->game;
    const int side = clocked_game_mover(game);
    struct ask ask;
    struct answer answer;
    const int64_t start = now(game_run);
    clocked_game_begin_decision(game, start);
    clocked_game_ask(game, start, &ask);
    ask.budget.stop = game_run->stop;
    ask.budget.clock = game_run->clock;
    player_choose(game_run->players[side], &ask, &answer);
    if (budget_is_stopped(game_run->stop)) /* the search may have been cut short: the answer does not count */
        return true;
    p->result->gap_ns = clocked_game_void_ns(game, gap_ns(game_run));
    if (p->result->gap_ns > 0)
        return true;
    if (answer.fault == PLAYER_SHORTAGE)
        return err_set(e, "%.200s: %s", game_run->names[side], answer.reason);
    const int64_t end = now(game_run);
    clocked_game_excuse(game, answer.setup_ns);
    p->result->outcome.leaves[side] += answer.leaves;
    if (answer.fault != PLAYER_FAULT_NONE) {
        clocked_game_count_time(game, end);
        clocked_game_fault(game, side, answer.fault, answer.reason);
    } else if (!clocked_game_answer(game, answer.chosen, end, e)) {
        return false;
    }
    note_lead(p);
    watch(p);
    return true;
}

/* ---- the end ---- */

/* The transcript of an external program (what it was sent, and its last lines) goes into the report. */
static bool report_fault(struct play *p, struct err *e) {
    struct game_run_result *r = p->result;
    const struct clocked_game *game = &p->game;
    struct player *culprit = p->game_run->players[r->outcome.forfeiter];
    struct fault_report report = {.fault = (enum player_fault)r->outcome.fault,
                                  .side = r->outcome.forfeiter,
                                  .limit_ms = (double)game->time.limit_ns * 1e-6,
                                  .patience_ms = (double)game->time.patience_ns * 1e-6};
    struct text clock = {0};
    charset_copy(report.reason, sizeof report.reason, r->record.comment, strlen(r->record.comment));
    timing_describe(&game->timing, &clock);
    charset_copy(report.clock, sizeof report.clock, text_string(&clock), clock.size);
    if (culprit->type->transcript != NULL)
        culprit->type->transcript(culprit, &report.transcript);
    const bool ok = fault_report_write(&report, &r->record, &r->fault_report, e);
    text_done(&clock);
    fault_report_done(&report);
    return ok;
}

/* Copies what the referee and the clocks have counted into the outcome. */
static bool conclude(struct play *p, struct err *e) {
    struct outcome *o = &p->result->outcome;
    const struct referee *referee = &p->game.referee;
    o->played = true;
    o->actions = referee->actions;
    o->turns = p->game_run->scenario->game->turn(referee->state);
    o->payoff = referee_payoff(referee, 0);
    assert(o->payoff >= 0);
    assert(o->payoff <= 1);
    o->forfeiter = referee->forfeiter;
    o->fault = (int)referee->fault_kind;
    memcpy(o->think_ns, p->game.think_ns, sizeof o->think_ns);
    memcpy(o->longest_ns, p->game.longest_ns, sizeof o->longest_ns);
    memcpy(o->decisions, p->game.decisions, sizeof o->decisions);
    memcpy(o->result, p->result->record.result, sizeof o->result);
    return o->fault == PLAYER_FAULT_NONE || report_fault(p, e);
}

/* On every way out the record has the actions so far: a void game's record is stored as well. */
bool game_run_play(const struct game_run *game_run, struct game_run_result *out, struct err *e) {
    assert(game_run->scenario != NULL);
    assert(game_run->players[0] != NULL);
    assert(game_run->players[1] != NULL);
    assert(game_run->names[0] != NULL);
    assert(game_run->names[1] != NULL);
    *out = (struct game_run_result){.outcome.forfeiter = NOBODY};
    struct play play = {.game_run = game_run, .result = out, .leader = NOBODY};
    const struct clocked_setup setup = {.scenario = game_run->scenario,
                                        .seed = game_run->seed,
                                        .deal = game_run->deal,
                                        .timing = game_run->timing,
                                        .record = &out->record,
                                        .is_untimed = game_run->clock == NULL,
                                        .can_be_void = game_run->can_be_void,
                                        .gap_ns = gap_ns(game_run)};
    record_init(&out->record);
    record_describe(&out->record, game_run->scenario, game_run->names);
    clocked_game_start(&play.game, &setup, 0); /* each decision sets its own beginning */
    weights_default(game_run->scenario->game, play.weights);
    play.turn = game_run->scenario->game->turn(play.game.referee.state);
    watch(&play);
    while (clocked_game_mover(&play.game) != NOBODY) {
        out->stopped = budget_is_stopped(game_run->stop); /* a stop is final */
        if (out->stopped)
            return true;
        if (!decide(&play, e))
            return false;
        if (out->gap_ns > 0)
            return true;
    }
    return conclude(&play, e);
}

void game_run_result_done(struct game_run_result *result) {
    record_done(&result->record);
    text_done(&result->fault_report);
}
