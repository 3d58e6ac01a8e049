/* SPDX-License-Identifier: MIT
 *
 * The referee and, around it, the game with clocks. The referee alone is what signatures and audits need: it
 * reads no time. The clocked game adds what a decision may take, charges it, and rules on late answers.
 */
#include "match/clocked_game.h"

#include "base/charset.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the referee ---- */

void referee_start(struct referee *referee, const struct scenario *scenario, uint64_t seed,
                   struct record *record) {
    referee_start_dealt(referee, scenario, seed, 0, record);
}

/* The record gets the seeds: with them and the actions the game can be replayed exactly. */
void referee_start_dealt(struct referee *referee, const struct scenario *scenario, uint64_t seed,
                         uint64_t deal, struct record *record) {
    const struct game *game = scenario->game;
    assert(game->state_size <= GAME_STATE_MAX);
    *referee = (struct referee){.scenario = scenario, .record = record, .forfeiter = NOBODY};
    referee->game_rng = record_game_rng(seed, deal);
    for (int side = 0; side < 2; side++)
        rng_seed_stream(&referee->seat_rng[side], seed, (uint64_t)(RECORD_STREAM_SEAT + side));
    game->start(referee->state, scenario, &referee->game_rng);
    turn_count_start(&referee->turn, game, referee->state);
    if (record != NULL) {
        record->seed = seed;
        record->deal = deal;
    }
}

int referee_mover(const struct referee *referee) {
    return referee->forfeiter != NOBODY ? NOBODY : referee->scenario->game->mover(referee->state);
}

/* The view is a copy from which the game has erased what the mover may not see: a player never has the
 * state itself. */
void referee_ask(struct referee *referee, struct ask *out) {
    const struct game *game = referee->scenario->game;
    const int side = referee_mover(referee);
    assert(side != NOBODY);
    game_view(game, referee->state, side, referee->view);
    *out = (struct ask){.game = game,
                        .view = referee->view,
                        .side = side,
                        .taken = referee->turn.taken,
                        .rng = &referee->seat_rng[side]};
}

void referee_rule(struct referee *referee, int side, enum player_fault fault, const char *reason) {
    struct err message;
    err_set(&message, "%s", reason);
    referee_rule_coded(referee, side, fault, &message);
}

/* The reason may quote an external program, so it is cut between two characters and never trusted to be
 * short. */
void referee_rule_coded(struct referee *referee, int side, enum player_fault fault,
                        const struct err *reason) {
    assert(referee_mover(referee) != NOBODY);
    assert(side >= 0 && side <= REFEREE_BOTH);
    assert(fault > PLAYER_FAULT_NONE);
    assert(fault < PLAYER_FAULTS);
    charset_copy(referee->reason, sizeof referee->reason, reason->text, strlen(reason->text));
    referee->fault = *reason;
    if (side != REFEREE_BOTH)
        err_prefix(&referee->fault, "%s forfeits: ", referee->scenario->game->text->side_names[side]);
    referee->forfeiter = side;
    referee->fault_kind = fault;
    if (referee->record != NULL) {
        struct record *record = referee->record;
        charset_copy(record->comment, sizeof record->comment, referee->fault.text,
                     strlen(referee->fault.text));
        referee_result(referee, record->result, sizeof record->result);
    }
}

/* An illegal action ends the game and is not recorded: a record contains only what the rules allow. */
bool referee_answer(struct referee *referee, action a, double milliseconds, struct err *e) {
    const struct game *game = referee->scenario->game;
    assert(referee_mover(referee) != NOBODY);
    if (!game->is_legal(referee->state, a)) {
        struct text text = {0};
        game->text->write_action(referee->state, a, &text);
        text_add_string(&text, " is illegal");
        referee_rule(referee, referee_mover(referee), PLAYER_FAULT_ILLEGAL, text_string(&text));
        text_done(&text);
    } else {
        if (referee->record != NULL && !record_add(referee->record, a, milliseconds, e))
            return false;
        game->play(referee->state, a, &referee->game_rng);
        referee->actions++;
        turn_count_step(&referee->turn, game, referee->state);
    }
    if (referee->record != NULL)
        referee_result(referee, referee->record->result, sizeof referee->record->result);
    return true;
}

bool referee_history(struct referee *referee, struct game_history *out) {
    const struct record *record = referee->record;
    if (record == NULL)
        return false;
    referee->line = (struct record_line){.record = record, .count = record->count};
    *out = record_history(&referee->line, referee->scenario);
    return true;
}

/* A forfeit counts as a loss, whatever the position was. */
double referee_payoff(const struct referee *referee, int side) {
    assert(side == 0 || side == 1);
    assert(referee_mover(referee) == NOBODY);
    if (referee->forfeiter == REFEREE_BOTH)
        return 0.5;
    if (referee->forfeiter != NOBODY)
        return side == referee->forfeiter ? 0.0 : 1.0;
    return referee->scenario->game->payoff(referee->state, side);
}

void referee_result(const struct referee *referee, char *out, size_t out_size) {
    const struct notation *text = referee->scenario->game->text;
    if (referee->forfeiter != NOBODY)
        snprintf(out, out_size, "%s %s",
                 referee->forfeiter == REFEREE_BOTH ? "draw" : text->side_names[referee->forfeiter ^ 1],
                 player_fault_names[referee->fault_kind]);
    else
        snprintf(out, out_size, "%s", text->result(referee->state));
}

/* ---- the game with its clocks ---- */

/* The setup is read here only; what it points to, except record and scenario, may go afterwards. */
void clocked_game_start(struct clocked_game *g, const struct clocked_setup *setup, int64_t now_ns) {
    assert(setup->scenario != NULL);
    *g = (struct clocked_game){.is_untimed = setup->is_untimed,
                               .is_guest = setup->is_guest,
                               .can_be_void = setup->can_be_void,
                               .gap_start_ns = setup->gap_ns,
                               .asked_ns = now_ns};
    if (setup->timing != NULL)
        g->timing = *setup->timing;
    else
        timing_default(&g->timing);
    assert(!g->is_untimed || !timing_is_limited(&g->timing));
    referee_start_dealt(&g->referee, setup->scenario, setup->seed, setup->deal, setup->record);
    memcpy(g->start, g->referee.state, setup->scenario->game->state_size);
    timing_start(&g->clocks, &g->timing);
}

/* Worlds beyond one mean that something in the text is unknown: no referee could answer for it. */
bool clocked_game_place(struct clocked_game *g, const char *position, struct err *e) {
    const struct game *game = g->referee.scenario->game;
    void *state = g->referee.state;
    assert(g->referee.actions == 0);
    if (!game_read_position(g->referee.scenario, position, state, e))
        return false;
    if (game->hide != NULL && game->worlds(state) > 1)
        return err_set(e, "colours or cards in that position are not known: no game can go on from it");
    if (game->mover(state) == NOBODY)
        return err_set(e, "the game is over in that position");
    turn_count_start(&g->referee.turn, game, state);
    memcpy(g->start, state, game->state_size);
    g->is_placed = true;
    return true;
}

int clocked_game_mover(const struct clocked_game *g) {
    return g->is_stopped ? NOBODY : referee_mover(&g->referee);
}

/* ---- a decision ---- */

void clocked_game_ask(struct clocked_game *g, int64_t now_ns, struct ask *out) {
    assert(!g->is_stopped);
    referee_ask(&g->referee, out);
    g->time = timing_allow(&g->clocks, &g->timing, out->side, out->game->progress(out->view).left);
    out->time = g->time;
    out->budget.deadline_ns = g->time.limit_ns > 0 ? now_ns + g->time.share_ns : 0;
    /* A given position has no history, which players could not replay; where something is hidden the history
     * has no actions anyway. */
    if ((!g->is_placed || !game_is_determined(out->game)) && referee_history(&g->referee, &g->history))
        out->history = &g->history;
}

void clocked_game_begin_decision(struct clocked_game *g, int64_t now_ns) {
    g->asked_ns = now_ns;
}

void clocked_game_excuse(struct clocked_game *g, int64_t ns) {
    g->asked_ns += ns;
}

int64_t clocked_game_spent(const struct clocked_game *g, int64_t now_ns) {
    return now_ns > g->asked_ns ? now_ns - g->asked_ns : 0;
}

/* 0: no limit. */
static int64_t limit_of(const struct clocked_game *g) {
    const int mover = clocked_game_mover(g);
    return mover != NOBODY ? timing_allow(&g->clocks, &g->timing, mover, 1).limit_ns : 0;
}

int64_t clocked_game_due(const struct clocked_game *g) {
    const int64_t limit = limit_of(g);
    return limit > 0 ? g->asked_ns + limit : INT64_MAX;
}

void clocked_game_count_time(struct clocked_game *g, int64_t now_ns) {
    const int side = clocked_game_mover(g);
    const int64_t spent = clocked_game_spent(g, now_ns);
    assert(side != NOBODY);
    g->think_ns[side] += spent;
    g->decisions[side]++;
    if (spent > g->longest_ns[side])
        g->longest_ns[side] = spent;
}

/* The answer itself is not looked at: it may come later, or never. */
bool clocked_game_expire(struct clocked_game *g, int64_t now_ns) {
    const int64_t limit = limit_of(g), spent = clocked_game_spent(g, now_ns);
    if (limit == 0 || spent <= limit)
        return false;
    struct err reason;
    err_code(&reason, "ruling.late", "late, after %.2f s of %.2f s", (double)spent * 1e-9,
             (double)limit * 1e-9);
    referee_rule_coded(&g->referee, clocked_game_mover(g), PLAYER_FAULT_LATE, &reason);
    return true;
}

/* The time is counted before anything else, also for an answer that is late or illegal. */
bool clocked_game_answer(struct clocked_game *g, action a, int64_t now_ns, struct err *e) {
    const int side = clocked_game_mover(g);
    const double ms = g->is_untimed ? RECORD_NO_TIME : (double)clocked_game_spent(g, now_ns) * 1e-6;
    const int actions = g->referee.actions;
    clocked_game_count_time(g, now_ns);
    if (!g->is_guest && clocked_game_expire(g, now_ns))
        return true;
    if (!clocked_game_play(g, a, ms, e))
        return false;
    if (g->referee.actions > actions) /* otherwise it was illegal */
        clocked_game_charge(g, side, now_ns);
    return true;
}

bool clocked_game_play(struct clocked_game *g, action a, double milliseconds, struct err *e) {
    assert(!g->is_stopped);
    return referee_answer(&g->referee, a, milliseconds, e);
}

/* Playing the action has determined whether the turn is over. */
void clocked_game_charge(struct clocked_game *g, int side, int64_t now_ns) {
    timing_spend(&g->clocks, &g->timing, side, clocked_game_spent(g, now_ns), g->referee.turn.taken == 0);
    g->asked_ns = now_ns;
}

/* ---- other ends ---- */

void clocked_game_fault(struct clocked_game *g, int side, enum player_fault fault, const char *reason) {
    assert(clocked_game_mover(g) != NOBODY);
    referee_rule(&g->referee, side, fault, reason);
}

/* A resignation is no fault: it has a result of its own, and the fault stays PLAYER_FAULT_NONE. */
void clocked_game_resign(struct clocked_game *g, int side) {
    assert(side == 0 || side == 1);
    assert(clocked_game_mover(g) != NOBODY);
    const char *const *names = g->referee.scenario->game->text->side_names;
    struct record *record = g->referee.record;
    g->referee.forfeiter = side;
    if (record == NULL)
        return;
    snprintf(record->result, sizeof record->result, "%s resignation", names[side ^ 1]);
    snprintf(record->comment, sizeof record->comment, "%s resigns", names[side]);
}

void clocked_game_stop(struct clocked_game *g, const char *comment) {
    struct record *record = g->referee.record;
    g->is_stopped = true;
    if (record != NULL)
        snprintf(record->comment, sizeof record->comment, "%s", comment);
}

int64_t clocked_game_void_ns(const struct clocked_game *g, int64_t gap_ns) {
    return g->can_be_void && timing_is_limited(&g->timing) ? gap_ns - g->gap_start_ns : 0;
}

/* ---- going back ---- */

/* A game that began from a given position is replayed from it, not from the start of the scenario. */
bool clocked_game_replay(const struct clocked_game *g, int count, struct replay *out, struct err *e) {
    const struct game *game = g->referee.scenario->game;
    assert(g->referee.record != NULL);
    assert(count >= 0);
    assert(count <= g->referee.record->count);
    replay_start(out, g->referee.record, g->referee.scenario);
    if (g->is_placed) {
        memcpy(out->state, g->start, game->state_size);
        turn_count_start(&out->turn, game, out->state);
    }
    while (out->next < count)
        if (!replay_step(out, e))
            return false;
    return true;
}

/* No time is given back: otherwise taking moves back would be a way to think for free. */
bool clocked_game_go_back(struct clocked_game *g, int count, int64_t now_ns, struct err *e) {
    struct referee *referee = &g->referee;
    struct replay replay;
    if (!clocked_game_replay(g, count, &replay, e))
        return false;
    if (clocked_game_mover(g) != NOBODY)
        timing_spend(&g->clocks, &g->timing, clocked_game_mover(g), clocked_game_spent(g, now_ns), false);
    memcpy(referee->state, replay.state, sizeof referee->state);
    referee->game_rng = replay.rng;
    referee->turn = replay.turn;
    referee->actions = count;
    if (count < referee->record->count)
        referee_result(referee, referee->record->result, sizeof referee->record->result);
    referee->record->count = count;
    g->asked_ns = now_ns;
    return true;
}
