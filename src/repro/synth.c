/* SPDX-License-Identifier: MIT
 *
 * What the experiments on synthetic trees share: playing a deal from both seats, sums over cells, and
 * pictures.
 */
#include "repro/synth.h"

#include "match/clocked_game.h"
#include "repro/play.h"
#include "repro/plot.h"
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

static bool play_move(struct deal *deal, struct referee *referee, int who, struct text *moves,
                      struct err *e) {
    const struct game *game = referee->scenario->game;
    action list[MOVES_MAX];
    assert(game->actions_max <= MOVES_MAX);
    const struct play_decision d = play_decide(deal->task, referee, deal->players[who]);
    deal->ms[who] += d.ms;
    deal->leaves[who] += (double)d.answer.leaves;
    deal->moves[who]++;
    /* A search that goes beyond N leaves has searched again. */
    const int count = game->actions(referee->view, list);
    deal->switched +=
        who == 0 && d.answer.leaves > flat_equation_5(game->worlds(referee->view), count, PUBLISHED_C);
    game->text->write_action(referee->state, d.answer.chosen, moves);
    if (!referee_answer(referee, d.answer.chosen, -1, e))
        return false;
    return referee->forfeiter == NOBODY || err_set(e, "%s", referee->fault.text);
}

/* A's payoff, with A at that seat. */
static bool play_seat(struct deal *deal, int seat, struct repro_repetition *out, struct err *e) {
    const struct repro_task *task = deal->task;
    const struct game *game = task->game->game;
    struct referee referee;
    struct text moves = {0};
    bool ok = true;
    referee_start(&referee, task->game, task->deal_seed, NULL);
    for (int side; ok && !budget_is_stopped(task->stop) && (side = referee_mover(&referee)) != NOBODY;)
        ok = play_move(deal, &referee, side ^ seat, &moves, e);
    if (ok && game->mover(referee.state) == NOBODY) {
        const double payoff = game_payoff_scaled(task->game, referee_payoff(&referee, seat));
        const size_t used = strlen(out->note);
        out->values[seat == 0 ? SYNTH_FIRST : SYNTH_SECOND] = payoff;
        snprintf(out->note + used, sizeof out->note - used, "%s%s: %g", seat == 0 ? "" : ", ",
                 text_string(&moves), payoff);
    }
    text_done(&moves);
    return ok;
}

bool synth_play_deal(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    struct deal deal = {.task = task};
    bool ok = true;
    for (int who = 0; ok && who < 2; who++)
        ok = (deal.players[who] = player_open(task->cell->players[who], task->game->game, e)) != NULL;
    for (int seat = 0; ok && seat < 2; seat++)
        ok = play_seat(&deal, seat, out, e);
    double *values = out->values;
    values[SYNTH_MEAN] = (values[SYNTH_FIRST] + values[SYNTH_SECOND]) / 2;
    for (int who = 0; who < 2; who++) {
        const int moves = deal.moves[who] > 0 ? deal.moves[who] : 1;
        values[SYNTH_MS_A + who] = deal.ms[who] / moves;
        values[SYNTH_LEAVES_A + who] = deal.leaves[who] / moves;
        player_close(deal.players[who]);
    }
    values[SYNTH_SWITCHED] = deal.moves[0] > 0 ? (double)deal.switched / deal.moves[0] : 0;
    out->ms = deal.ms[0] + deal.ms[1];
    return ok;
}

/* ---- sums ---- */

struct cell_sum synth_pooled(const struct repro_data *data, struct rows_span span, int value) {
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

struct synth_verdicts synth_judge(const struct repro_data *data, struct rows_span span) {
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

double synth_ratio(const struct repro_data *data, int cell, int value, int base_cell, int base) {
    const double below = rows_sum(data, base_cell, base).mean;
    return below > 0 ? rows_sum(data, cell, value).mean / below : 0;
}

struct interval synth_ratios(const struct repro_data *data, int first, int value, int base_first, int base) {
    struct interval r = {(double)INFINITY, 0};
    for (int i = 0; i < SYNTH_DFS; i++) {
        const double ratio = synth_ratio(data, first + i, value, base_first + i, base);
        r.low = fmin(r.low, ratio);
        r.high = fmax(r.high, ratio);
    }
    return r;
}

const struct rows_column synth_payoff = {ROWS_MEAN, SYNTH_MEAN, ": [payoff|payoff]"},
                         synth_switched = {ROWS_MEAN, SYNTH_SWITCHED,
                                           ": [searched_again|moves searched again]", .unit = "%",
                                           .factor = 100};

/* ---- pictures ---- */

/* Grouped bars over df as the paper has them, and lines with intervals where more than two are compared. */

/* Colours that stay apart in grey and for most colour-blind eyes. */
static const char *const colours[] = {"#2f6db5", "#d9822b", "#5a9e4b", "#8a5aa8", "#444444"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

static void add_sum(struct cell_sum s, double factor, struct text *out) {
    plot_number(factor * s.mean, out);
    plot_number(factor * s.t95.low, out);
    plot_number(factor * s.t95.high, out);
}

/* Below the axis' label, with room for both. */
#define KEY_BELOW                                                                                            \
    "set bmargin 5\n"                                                                                        \
    "set key outside bottom center horizontal\n"

void synth_plot_bars(const struct repro_data *data, struct repro_result *out, const char *suffix,
                     const char *title, const struct synth_bars *bars) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    const bool are_payoffs = bars->values[0] == bars->values[1];
    double widest = SYNTH_AXIS; /* how far the longest interval of a payoff reaches from 2.00 */
    text_add_string(&plot->data, "df,a,a_low,a_high,b,b_low,b_high\n");
    for (int i = 0; i < SYNTH_DFS; i++) {
        const struct cell_sum a = rows_sum(data, bars->first + i, bars->values[0]);
        const double sum = 2 * SYNTH_EVEN;
        const struct cell_sum rest = {.mean = sum - a.mean, .t95 = {sum - a.t95.high, sum - a.t95.low}};
        text_add(&plot->data, "%.1f", (i + 1) / 10.0);
        add_sum(a, bars->factor, &plot->data);
        add_sum(are_payoffs ? rest : rows_sum(data, bars->first + i, bars->values[1]), bars->factor,
                &plot->data);
        text_add_string(&plot->data, "\n");
        widest = fmax(widest, fabs(a.mean - SYNTH_EVEN) + (a.n >= 2 ? a.t95.high - a.mean : 0));
    }
    text_add_string(&plot->commands, "set style fill solid 0.9 noborder\nset boxwidth 0.38\n" KEY_BELOW);
    plot_axes(plot, SYNTH_AXIS_DF, bars->axis);
    text_add(&plot->commands,
             "set xrange [-0.6:%d.6]\n"
             "set for [i=0:%d] xtics (sprintf(\"%%.1f\", (i + 1) / 10.0) i)\n",
             SYNTH_DFS - 1, SYNTH_DFS - 1);
    if (are_payoffs)
        text_add(&plot->commands,
                 "set yrange [%.4f:%.4f]\nset format y \"%%.2f\"\n"
                 "set arrow 1 from graph 0, first %g to graph 1, first %g nohead lc rgb \"#111111\" lw 1 "
                 "front\n",
                 SYNTH_EVEN - 1.1 * widest, SYNTH_EVEN + 1.1 * widest, SYNTH_EVEN, SYNTH_EVEN);
    else
        text_add(&plot->commands, "set yrange [0:*]\nset format y \"%s\"\n", bars->format);
    text_add(&plot->drawing,
             "plot data skip 1 using ($0 - 0.2):2 with boxes lc rgb \"%s\" title \"%s\", \\\n"
             "     data skip 1 using ($0 + 0.2):5 with boxes lc rgb \"%s\" title \"%s\", \\\n"
             "     data skip 1 using ($0 - 0.2):3:(0):($4 - $3) " PLOT_INTERVALS ", \\\n"
             "     data skip 1 using ($0 + 0.2):6:(0):($7 - $6) " PLOT_INTERVALS "\n",
             colours[0], bars->names[0], colours[1], bars->names[1]);
    plot_script(plot);
}

void synth_plot_lines(const struct repro_data *data, struct repro_result *out, const char *suffix,
                      const char *title, const struct synth_lines *lines) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    text_add_string(&plot->data, "place");
    for (int line = 0; line < lines->count; line++)
        text_add(&plot->data, ",%s,low,high", rows_plain(lines->names[line]).text);
    for (int point = 0; point < lines->points; point++) {
        text_add(&plot->data, "\n%s", lines->places[point]);
        for (int line = 0; line < lines->count; line++) {
            const int cell = lines->first + line * lines->per_line + point * lines->per_point;
            add_sum(lines->at != NULL ? lines->at(data, line, point) : rows_sum(data, cell, lines->value), 1,
                    &plot->data);
        }
    }
    text_add_string(&plot->data, "\n");
    text_add_string(&plot->commands, KEY_BELOW);
    plot_axes(plot, lines->axis_x, lines->axis_y);
    text_add(&plot->commands,
             "set format y \"%s\"\n"
             "set xrange [-0.5:%d.5]\n"
             "set arrow 1 from graph 0, first %g to graph 1, first %g nohead dt 3 lc rgb \"#111111\"\n"
             "set xtics noenhanced (",
             lines->format, lines->points - 1, lines->level, lines->level);
    for (int i = 0; i < lines->points; i++)
        text_add(&plot->commands, "%s\"%s\" %d", i > 0 ? ", " : "", lines->places[i], i);
    text_add_string(&plot->commands, ")\n");
    for (int line = 0; line < lines->count; line++) {
        /* Side by side, so that the intervals at one place do not overlap. */
        const double shift = 0.12 * (line - (lines->count - 1) / 2.0);
        const int column = 2 + 3 * line;
        const char *colour = colours[line % COLOURS];
        text_add(&plot->drawing,
                 "%s data skip 1 using ($0 + %g):%d with %s pt %d ps 1.2 lw 1.5 lc rgb \"%s\" title \"%s\", "
                 "\\\n"
                 "     data skip 1 using ($0 + %g):%d:(0):($%d - $%d) with vectors heads size screen "
                 "0.003,90 lw 1.2 lc rgb \"%s\" notitle%s\n",
                 line == 0 ? "plot" : "    ", shift, column, lines->joined ? "linespoints" : "points",
                 5 + 2 * line, colour, plot_text(plot, lines->names[line]).text, shift, column + 1,
                 column + 2, column + 1, colour, line + 1 < lines->count ? ", \\" : "");
    }
    plot_script(plot);
}
