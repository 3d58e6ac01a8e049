/* SPDX-License-Identifier: MIT */
#include "match/referee.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void referee_start(struct referee *referee, const struct scenario *scenario, uint64_t seed,
                   struct record *record) {
    const struct game *game = scenario->game;
    assert(game->state_size <= GAME_STATE_MAX);
    *referee = (struct referee){.scenario = scenario, .record = record, .forfeiter = NOBODY};
    rng_seed_stream(&referee->game_rng, seed, RECORD_STREAM_GAME);
    for (int side = 0; side < 2; side++)
        rng_seed_stream(&referee->seat_rng[side], seed, (uint64_t)(RECORD_STREAM_SEAT + side));
    game->start(referee->state, scenario, &referee->game_rng);
    turn_count_start(&referee->turn, game, referee->state);
    if (record != NULL)
        record->seed = seed;
}

int referee_mover(const struct referee *referee) {
    return referee->forfeiter != NOBODY ? NOBODY : referee->scenario->game->mover(referee->state);
}

void referee_ask(struct referee *referee, struct ask *out) {
    const struct game *game = referee->scenario->game;
    const int side = referee_mover(referee);
    assert(side != NOBODY);
    memcpy(referee->view, referee->state, game->state_size);
    if (game->hide != NULL)
        game->hide(referee->view, side);
    *out = (struct ask){.game = game,
                        .view = referee->view,
                        .side = side,
                        .taken = referee->turn.taken,
                        .rng = &referee->seat_rng[side]};
}

static void forfeit(struct referee *referee, int side, action a) {
    const struct game *game = referee->scenario->game;
    struct text text = {0};
    game->text->write_action(referee->state, a, &text);
    err_set(&referee->fault, "%s forfeits: %s is illegal", game->text->side_names[side], text_string(&text));
    text_done(&text);
    referee->forfeiter = side;
    if (referee->record != NULL)
        snprintf(referee->record->comment, sizeof referee->record->comment, "%.200s", referee->fault.text);
}

bool referee_answer(struct referee *referee, action a, double milliseconds, struct err *e) {
    const struct game *game = referee->scenario->game;
    const int side = referee_mover(referee);
    assert(side != NOBODY);
    if (!game->is_legal(referee->state, a)) {
        forfeit(referee, side, a);
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

double referee_payoff(const struct referee *referee, int side) {
    assert(referee_mover(referee) == NOBODY);
    if (referee->forfeiter != NOBODY)
        return side == referee->forfeiter ? 0.0 : 1.0;
    return referee->scenario->game->payoff(referee->state, side);
}

void referee_result(const struct referee *referee, char *out, size_t out_size) {
    const struct notation *text = referee->scenario->game->text;
    if (referee->forfeiter != NOBODY)
        snprintf(out, out_size, "%s illegal", text->side_names[referee->forfeiter ^ 1]);
    else
        snprintf(out, out_size, "%s", text->result(referee->state));
}
