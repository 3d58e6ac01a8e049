/* SPDX-License-Identifier: MIT */
#include "match/game_run.h"

#include "base/charset.h"
#include "game/game.h"
#include "match/fault_report.h"
#include "match/referee.h"

#include <assert.h>
#include <string.h>

struct play {
    const struct game_run *game_run;
    struct game_run_result *result;
    struct referee referee;
    struct timing timing;
    struct timing_clocks clocks;
    struct ask_time time; /* of the decision under way */
    int64_t gap_start_ns; /* of the clock, when the game began */
    int leader;           /* the side ahead at the end of the last turn; NOBODY: neither was ahead so far */
    int turn;
    double weights[GAME_WEIGHTS_MAX];
};

/* ---- the lead ---- */

/* Evaluated once a turn: within a turn one side's losses are not answered yet. The last turn may end with the
 * game. */
static void note_lead(struct play *p) {
    const struct game *game = p->game_run->scenario->game;
    const int turn = game->turn(p->referee.state);
    const bool goes_on = turn == p->turn && game->mover(p->referee.state) != NOBODY;
    if (goes_on || p->referee.forfeiter != NOBODY)
        return;
    p->turn = turn;
    const double ahead = game->evals[0].value(p->referee.state, 0, p->weights);
    const int leader = ahead > 0 ? 0 : ahead < 0 ? 1 : NOBODY;
    if (leader == NOBODY)
        return;
    p->result->lead_changes += p->leader != NOBODY && leader != p->leader;
    p->leader = leader;
}

/* ---- one decision ---- */

static bool is_stopped(const struct play *p) {
    return budget_is_stopped(p->game_run->stop);
}

/* Was this program stopped since the game began? Sets gap_ns. */
static bool is_disturbed(struct play *p) {
    const struct game_run *game_run = p->game_run;
    if (game_run->can_be_void && timing_is_limited(&p->timing))
        p->result->gap_ns = clock_gap_ns(game_run->clock) - p->gap_start_ns;
    return p->result->gap_ns > 0;
}

static void fill_ask(struct play *p, int64_t now, struct ask *ask, struct game_history *history) {
    const struct game_run *game_run = p->game_run;
    referee_ask(&p->referee, ask);
    ask->budget.stop = game_run->stop;
    ask->budget.clock = game_run->clock;
    p->time = timing_allow(&p->clocks, &p->timing, ask->side, ask->game->progress(ask->view).left);
    ask->time = p->time;
    ask->budget.deadline_ns = p->time.limit_ns > 0 ? now + p->time.share_ns : 0;
    if (referee_history(&p->referee, history))
        ask->history = history;
}

static void count_time(struct play *p, int side, int64_t spent) {
    assert(side == 0 || side == 1);
    assert(spent >= 0);
    struct game_run_result *r = p->result;
    r->think_ns[side] += spent;
    r->decisions[side]++;
    if (spent > r->longest_ns[side])
        r->longest_ns[side] = spent;
}

/* Playing the action determines whether the turn ends, so the clock is booked afterwards. A late answer is
 * not played. */
static bool apply(struct play *p, int side, const struct answer *answer, int64_t spent, struct err *e) {
    struct referee *referee = &p->referee;
    if (answer->fault != PLAYER_FAULT_NONE) {
        referee_rule(referee, answer->fault, answer->reason);
        return true;
    }
    if (p->time.limit_ns > 0 && spent > p->time.limit_ns) {
        struct text reason = {0};
        text_add(&reason, "late, after %.2f s of %.2f s", (double)spent * 1e-9,
                 (double)p->time.limit_ns * 1e-9);
        referee_rule(referee, PLAYER_FAULT_LATE, text_string(&reason));
        text_done(&reason);
        return true;
    }
    const double ms = p->game_run->clock != NULL ? (double)spent * 1e-6 : -1;
    if (!referee_answer(referee, answer->chosen, ms, e))
        return false;
    timing_spend(&p->clocks, &p->timing, side, spent, referee->turn.taken == 0);
    return true;
}

static bool decide(struct play *p, struct err *e) {
    const struct game_run *game_run = p->game_run;
    const int side = referee_mover(&p->referee);
    const int64_t start = game_run->clock != NULL ? clock_now_ns(game_run->clock) : 0;
    struct ask ask;
    struct answer answer;
    struct game_history history;
    fill_ask(p, start, &ask, &history);
    player_choose(game_run->players[side], &ask, &answer);
    if (is_stopped(p)) /* the search may have been cut short: the answer does not count */
        return true;
    if (is_disturbed(p))
        return true;
    if (answer.fault == PLAYER_SHORTAGE)
        return err_set(e, "%.200s: %s", game_run->names[side], answer.reason);
    const int64_t took = game_run->clock != NULL ? clock_now_ns(game_run->clock) - start : 0;
    const int64_t spent = took > answer.setup_ns ? took - answer.setup_ns : 0;
    count_time(p, side, spent);
    p->result->leaves[side] += answer.leaves;
    if (!apply(p, side, &answer, spent, e))
        return false;
    note_lead(p);
    if (game_run->watch != NULL)
        game_run->watch(game_run->context, p->referee.state, &p->result->record);
    return true;
}

/* ---- the end ---- */

static bool make_bundle(struct play *p, struct err *e) {
    const struct game_run *game_run = p->game_run;
    struct game_run_result *r = p->result;
    struct player *culprit = game_run->players[r->forfeiter];
    struct fault_report fault_report;
    struct text clock = {0};
    fault_report_init(&fault_report);
    fault_report.fault = r->fault;
    fault_report.side = r->forfeiter;
    fault_report.limit_ms = (double)p->time.limit_ns * 1e-6;
    fault_report.patience_ms = (double)p->time.patience_ns * 1e-6;
    charset_copy(fault_report.reason, sizeof fault_report.reason, r->record.comment,
                 strlen(r->record.comment));
    timing_describe(&p->timing, &clock);
    charset_copy(fault_report.clock, sizeof fault_report.clock, text_string(&clock), clock.size);
    if (culprit->type->transcript != NULL)
        culprit->type->transcript(culprit, &fault_report.transcript);
    const bool ok = fault_report_write(&fault_report, &r->record, &r->fault_report, e);
    text_done(&clock);
    fault_report_done(&fault_report);
    return ok;
}

static bool conclude(struct play *p, struct err *e) {
    struct game_run_result *r = p->result;
    r->actions = p->referee.actions;
    r->turns = p->game_run->scenario->game->turn(p->referee.state);
    r->payoff = referee_payoff(&p->referee, 0);
    assert(r->payoff >= 0);
    assert(r->payoff <= 1);
    r->forfeiter = p->referee.forfeiter;
    r->fault = p->referee.fault_kind;
    return r->fault == PLAYER_FAULT_NONE || make_bundle(p, e);
}

static bool start(struct play *p, struct err *e) {
    const struct game_run *game_run = p->game_run;
    struct record *record = &p->result->record;
    record_init(record);
    record_describe(record, game_run->scenario, game_run->names);
    if (record->map.failed)
        return err_set(e, "not enough memory for a record");
    referee_start_dealt(&p->referee, game_run->scenario, game_run->seed, game_run->deal, record);
    weights_default(game_run->scenario->game, p->weights);
    params_default(timing_params, &p->timing);
    if (game_run->timing != NULL)
        p->timing = *game_run->timing;
    timing_start(&p->clocks, &p->timing);
    p->gap_start_ns = game_run->clock != NULL ? clock_gap_ns(game_run->clock) : 0;
    p->leader = NOBODY;
    p->turn = game_run->scenario->game->turn(p->referee.state);
    if (game_run->watch != NULL)
        game_run->watch(game_run->context, p->referee.state, record);
    return true;
}

bool game_run_play(const struct game_run *game_run, struct game_run_result *out, struct err *e) {
    assert(game_run->scenario != NULL);
    assert(game_run->players[0] != NULL);
    assert(game_run->players[1] != NULL);
    assert(game_run->names[0] != NULL);
    assert(game_run->names[1] != NULL);
    *out = (struct game_run_result){.forfeiter = NOBODY};
    struct play play = {.game_run = game_run, .result = out};
    if (!start(&play, e))
        return false;
    assert(game_run->clock != NULL || !timing_is_limited(&play.timing));
    while (referee_mover(&play.referee) != NOBODY) {
        out->stopped = is_stopped(&play); /* a stop is final */
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

bool game_run_give_up(int times, int64_t gap_ns, struct err *e) {
    return err_set(e,
                   "a game with clocks was void %d times: this program was stopped in the middle of it, for "
                   "%.1f s the last time (Ctrl-Z, SIGSTOP, or a machine that slept)",
                   times, (double)gap_ns * 1e-9);
}
