/* SPDX-License-Identifier: MIT */
#include "repro/synth.h"

#include "match/referee.h"
#include "repro/play.h"
#include "search/flat.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *const synth_value_names[] = {"first",    "second",   "mean",     "ms_a", "ms_b",
                                         "leaves_a", "leaves_b", "switched", NULL};

/* ---- one deal from both seats ---- */

enum { MOVES_MAX = 64 };

#define PUBLISHED_C 25.0 /* of equation (5): N = W * A * C */

struct deal {
    const struct repro_task *task;
    struct player *players[2]; /* A and B */
    double ms[2], leaves[2];
    int moves[2], switched;
};

/* A search that goes beyond N leaves has searched again. */
static bool has_switched(const struct referee *referee, const struct answer *answer) {
    const struct game *game = referee->scenario->game;
    action list[MOVES_MAX];
    assert(game->actions_max <= MOVES_MAX);
    const int count = game->actions(referee->view, list);
    return answer->leaves > flat_equation_5(game->worlds(referee->view), count, PUBLISHED_C);
}

static bool play_move(struct deal *deal, struct referee *referee, int who, struct text *moves,
                      struct err *e) {
    const struct play_decision d = play_decide(deal->task, referee, deal->players[who]);
    deal->ms[who] += d.ms;
    deal->leaves[who] += (double)d.answer.leaves;
    deal->moves[who]++;
    deal->switched += who == 0 && has_switched(referee, &d.answer);
    referee->scenario->game->text->write_action(referee->state, d.answer.chosen, moves);
    if (!referee_answer(referee, d.answer.chosen, -1, e))
        return false;
    return referee->forfeiter == NOBODY || err_set(e, "%s", referee->fault.text);
}

/* A's payoff, with A at that seat. */
static bool play_seat(struct deal *deal, int seat, struct repro_trial *out, struct err *e) {
    const struct repro_task *task = deal->task;
    const struct game *game = task->game->game;
    struct referee referee;
    struct text moves = {0};
    bool ok = true;
    referee_start(&referee, task->game, task->deal_seed, NULL);
    for (int side; ok && !budget_is_stopped(task->stop) && (side = referee_mover(&referee)) != NOBODY;)
        ok = play_move(deal, &referee, side ^ seat, &moves, e);
    if (ok && game->mover(referee.state) == NOBODY) {
        const double payoff = game_payoff_shown(task->game, referee_payoff(&referee, seat));
        const size_t used = strlen(out->note);
        out->values[seat == 0 ? SYNTH_FIRST : SYNTH_SECOND] = payoff;
        snprintf(out->note + used, sizeof out->note - used, "%s%s: %g", seat == 0 ? "" : ", ",
                 text_string(&moves), payoff);
    }
    text_done(&moves);
    return ok;
}

static void sum_up(const struct deal *deal, struct repro_trial *out) {
    double *values = out->values;
    values[SYNTH_MEAN] = (values[SYNTH_FIRST] + values[SYNTH_SECOND]) / 2;
    for (int who = 0; who < 2; who++) {
        const int moves = deal->moves[who] > 0 ? deal->moves[who] : 1;
        values[SYNTH_MS_A + who] = deal->ms[who] / moves;
        values[SYNTH_LEAVES_A + who] = deal->leaves[who] / moves;
    }
    values[SYNTH_SWITCHED] = deal->moves[0] > 0 ? (double)deal->switched / deal->moves[0] : 0;
    out->ms = deal->ms[0] + deal->ms[1];
}

bool synth_play_deal(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    struct deal deal = {.task = task};
    bool ok = true;
    for (int who = 0; ok && who < 2; who++)
        ok = (deal.players[who] = player_open(task->cell->players[who], task->game->game, e)) != NULL;
    for (int seat = 0; ok && seat < 2; seat++)
        ok = play_seat(&deal, seat, out, e);
    if (ok)
        sum_up(&deal, out);
    for (int who = 0; who < 2; who++)
        if (deal.players[who] != NULL)
            player_close(deal.players[who]);
    return ok;
}

/* ---- sums ---- */

struct cell_sum synth_pooled(const struct repro_data *data, struct synth_span span, int value) {
    struct rows_term terms[REPRO_CELLS_MAX];
    assert(span.count <= REPRO_CELLS_MAX);
    for (int i = 0; i < span.count; i++)
        terms[i] = (struct rows_term){span.first + i, value, 1.0 / span.count};
    return rows_contrast(data, terms, span.count);
}

struct cell_sum synth_difference(const struct repro_data *data, int value, int more, int less) {
    const struct rows_term terms[] = {{more, value, 1}, {less, value, -1}};
    return rows_contrast(data, terms, 2);
}

struct synth_verdicts synth_judge(const struct repro_data *data, struct synth_span span) {
    struct synth_verdicts v = {0};
    for (int i = 0; i < span.count; i++) {
        const struct cell_sum s = rows_sum(data, span.first + i, SYNTH_MEAN);
        const double off = s.mean - SYNTH_EVEN;
        v.above += s.t95.low > SYNTH_EVEN;
        v.below += s.t95.high < SYNTH_EVEN;
        v.farthest = fabs(off) > fabs(v.farthest) ? off : v.farthest;
    }
    return v;
}

/* ---- rows ---- */

void synth_add_rows(const struct repro_data *data, struct repro_result *out, struct synth_span span,
                    int value, const char *what) {
    for (int i = span.first; i < span.first + span.count; i++) {
        const struct cell_sum s = rows_sum(data, i, value);
        char label[REPRO_NAME_MAX];
        snprintf(label, sizeof label, "%s: %s", data->experiment->cells[i].label, what);
        if (value == SYNTH_MS_A || value == SYNTH_MS_B)
            rows_add_time(out, label, REPRO_NONE, &s);
        else
            rows_add_mean(out, label, "", 1, &s);
    }
}
