/* SPDX-License-Identifier: MIT */
#include "match/referee.h"

#include "base/charset.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void referee_start(struct referee *referee, const struct scenario *scenario, uint64_t seed,
                   struct record *record) {
    referee_start_dealt(referee, scenario, seed, 0, record);
}

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
