/* SPDX-License-Identifier: MIT
 *
 * What the experiments on synthetic trees share (playing a deal from both seats, sums over cells), and
 * figures 2 to 9: AMCTS against PIMC and against IIMC, df from 0.1 to 1.0; payoff and time a move with
 * counted playouts (2 to 5), payoff with a fixed time a move (6 to 9). 3000 matches a point are 1500 deals
 * from both seats.
 */
#include "repro/synth.h"

#include "match/clocked_game.h"
#include "repro/experiments.h"
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

/* A repetition. Payoffs and costs are summed over both games, since a player may move a different number of
 * times in each seat. */
struct deal {
    const struct repro_task *task;
    struct player *players[2]; /* A and B */
    double ms[2], leaves[2];
    int moves[2], switched;
};

/* Equation (5) with the published constant gives N, the leaves of one search. The number of worlds comes
 * from the view of the side to move, so nothing hidden is looked at. */
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

/* Both games begin from the same deal: a side that is dealt the better tree has it once for A and once for
 * B. */
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

/* Each cell of a span has the same weight, whatever its number of deals. */
struct cell_sum synth_contrast(const struct repro_data *data, int value, struct rows_span cells,
                               struct rows_span less) {
    struct rows_term terms[REPRO_CELLS_MAX];
    assert(cells.count + less.count <= REPRO_CELLS_MAX);
    for (int i = 0; i < cells.count; i++)
        terms[i] = (struct rows_term){cells.first + i, value, 1.0 / cells.count};
    for (int i = 0; i < less.count; i++)
        terms[cells.count + i] = (struct rows_term){less.first + i, value, -1.0 / less.count};
    return rows_contrast(data, terms, cells.count + less.count);
}

/* The paper gives no test. An interval that excludes 2.00 is this program's meaning of "above" and "below".
 */
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

/* Of means, not a mean of ratios: a single move may cost nothing. */
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

void synth_add_sum(struct cell_sum s, double factor, struct text *out) {
    plot_number(factor * s.mean, out);
    plot_number(factor * s.t95.low, out);
    plot_number(factor * s.t95.high, out);
}

/* The paper speaks of small and of large df. Here that is the lower and the upper half of its ten values. */
enum { HALF = SYNTH_DFS / 2 };

static struct rows_span all_of(const struct synth_series *s) {
    return (struct rows_span){s->first, SYNTH_DFS};
}

static struct rows_span small_of(const struct synth_series *s) {
    return (struct rows_span){s->first, HALF};
}

static struct rows_span large_of(const struct synth_series *s) {
    return (struct rows_span){s->first + HALF, HALF};
}

/* ---- rows of ten cells ---- */

/* Column by column and not cell by cell: a reader compares one cost over df. */
static void add_costs(const struct repro_data *data, struct repro_result *out, const struct synth_series *s) {
    const struct rows_label ms = rows_label(": [ms_a_move|ms a move], %s", s->opponent),
                            leaves = rows_label(": [leaves_a_move|leaves a move], %s", s->opponent);
    const struct rows_column columns[] = {
        {ROWS_TIME, SYNTH_MS_A, ": [ms_a_move|ms a move], AMCTS"},
        {ROWS_TIME, SYNTH_MS_B, ms.text},
        {ROWS_MEAN, SYNTH_LEAVES_A, ": [leaves_a_move|leaves a move], AMCTS"},
        {ROWS_MEAN, SYNTH_LEAVES_B, leaves.text},
    };
    for (int i = 0; i < 4; i++)
        rows_add_columns(data, out, all_of(s), &columns[i], 1);
}

/* The difference of both halves has its own interval, which the intervals of the halves do not give: deals
 * are shared. */
static void add_payoffs(const struct repro_data *data, struct repro_result *out,
                        const struct synth_series *s) {
    rows_add_columns(data, out, all_of(s), &synth_payoff, 1);
    const struct rows_span none = {0};
    rows_add_mean(out, rows_label("df 0.1[to| to ]0.5%s: [payoff|payoff]", s->setting).text, "", 1,
                  synth_contrast(data, SYNTH_MEAN, small_of(s), none));
    rows_add_mean(out, rows_label("df 0.6[to| to ]1.0%s: [payoff|payoff]", s->setting).text, "", 1,
                  synth_contrast(data, SYNTH_MEAN, large_of(s), none));
    rows_add_mean(out,
                  rows_label("[large_less_small|large df less small]%s: [payoff|payoff]", s->setting).text,
                  "", 1, synth_contrast(data, SYNTH_MEAN, large_of(s), small_of(s)));
}

/* ---- claims, each with its rule ---- */

/* What a finding's sentence begins with: the setting, if there is one, and a colon. */
static const char *setting(const struct synth_series *s) {
    return s->setting[0] == ',' ? s->setting + 2 : "";
}

/* The setting is translated by its code (`first` of the finding); the sentence itself has the English. */
static struct rows_label under(const struct synth_series *s) {
    return rows_plain(setting(s));
}

static const char *colon(const struct synth_series *s) {
    return s->setting[0] == ',' ? ": " : "";
}

/* Claims about payoffs. A rule looks at all df, or at the half of them that the claim names. */
static void claim_payoff(const struct repro_data *data, struct repro_result *out,
                         const struct synth_series *s, enum synth_claim claim) {
    const struct rows_span span = claim == SYNTH_BETTER_AT_LARGE   ? large_of(s)
                                  : claim == SYNTH_BEHIND_AT_SMALL ? small_of(s)
                                                                   : all_of(s);
    const struct cell_sum m = synth_contrast(data, SYNTH_MEAN, span, (struct rows_span){0});
    const struct synth_verdicts v = synth_judge(data, span);
    if (claim == SYNTH_BETTER)
        rows_add_finding(
            out, m.t95.low > SYNTH_EVEN && v.below == 0, "finding.amcts_gets_more_over",
            "%s%sAMCTS gets more than %s: over all df %.3f (%.3f to %.3f); above 2.00 by its interval "
            "at %d of %d df, below at %d (at which df the paper sees it cannot be read)",
            under(s).text, colon(s), s->opponent, m.mean, m.t95.low, m.t95.high, v.above, SYNTH_DFS, v.below);
    else if (claim == SYNTH_EQUAL)
        rows_add_finding(
            out, fabs(v.farthest) <= SYNTH_AXIS, "finding.amcts_about_equal_each",
            "%s%sAMCTS and %s are about equal: each mean within %.2f of 2.00 (the farthest: %+.3f)",
            under(s).text, colon(s), s->opponent, SYNTH_AXIS, v.farthest);
    else if (claim == SYNTH_NOT_ABOVE)
        rows_add_finding(
            out, v.above == 0, "finding.amcts_does_not_exceed",
            "%s%sAMCTS does not exceed %s: above 2.00 by its interval at %d of %d df, below at %d",
            under(s).text, colon(s), s->opponent, v.above, SYNTH_DFS, v.below);
    else if (claim == SYNTH_WITHIN_AXIS)
        rows_add_finding(
            out, fabs(v.farthest) <= SYNTH_AXIS, "finding.no_side_more_above",
            "%s%sno side is more than %.2f above 2.00, as far as the axis shows (the farthest: %.3f)",
            under(s).text, colon(s), SYNTH_AXIS, fabs(v.farthest));
    else if (claim == SYNTH_BETTER_AT_LARGE)
        rows_add_finding(out, m.t95.low > SYNTH_EVEN, "finding.amcts_gets_more_where",
                         "%s%sAMCTS gets more than %s where df is large (a reading, not certain): %.3f (%.3f "
                         "to %.3f) over df 0.6 to 1.0, above 2.00 at %d of %d",
                         under(s).text, colon(s), s->opponent, m.mean, m.t95.low, m.t95.high, v.above, HALF);
    else
        rows_add_finding(
            out, m.t95.high < SYNTH_EVEN, "finding.amcts_behind_where_df",
            "%s%sAMCTS is behind %s where df is small: %.3f (%.3f to %.3f) over df 0.1 to 0.5, below "
            "2.00 at %d of %d",
            under(s).text, colon(s), s->opponent, m.mean, m.t95.low, m.t95.high, v.below, HALF);
}

/* The claim is about time, which differs between machines and is noisy from df to df. So times are compared
 * between both ends only, and each step by leaves, which are exact. */
static void claim_falls(const struct repro_data *data, struct repro_result *out,
                        const struct synth_series *s) {
    const struct cell_sum low = rows_sum(data, s->first, SYNTH_MS_A);
    const struct cell_sum high = rows_sum(data, s->first + SYNTH_DFS - 1, SYNTH_MS_A);
    const struct rows_span first = {s->first, 1}, last = {s->first + SYNTH_DFS - 1, 1};
    const struct cell_sum change = synth_contrast(data, SYNTH_MS_A, last, first);
    int rises = 0;
    for (struct rows_span at = {s->first, 1}; at.first < last.first; at.first++)
        rises += synth_contrast(data, SYNTH_LEAVES_A, (struct rows_span){at.first + 1, 1}, at).t95.low > 0;
    rows_add_finding(
        out, change.t95.high < 0 && rises == 0, "finding.amcts_time_falls_df",
        "%s%sAMCTS's time falls as df grows: from %.3g ms a move at df 0.1 to %.3g at 1.0; its leaves "
        "rise at %d of %d steps of df",
        under(s).text, colon(s), low.mean, high.mean, rises, SYNTH_DFS - 1);
}

/* AMCTS takes longer than the opponent, or the opponent longer than AMCTS. */
static void claim_longer(const struct repro_data *data, struct repro_result *out,
                         const struct synth_series *s, bool amcts) {
    const int a = amcts ? 0 : 1;
    const struct interval ms = synth_ratios(data, s->first, SYNTH_MS_A + a, s->first, SYNTH_MS_B - a),
                          leaves =
                              synth_ratios(data, s->first, SYNTH_LEAVES_A + a, s->first, SYNTH_LEAVES_B - a);
    int count = 0; /* df at which that is so, by the interval of the difference */
    for (int i = s->first; i < s->first + SYNTH_DFS; i++) {
        const struct rows_term terms[] = {{i, SYNTH_MS_A + a, 1}, {i, SYNTH_MS_B - a, -1}};
        count += rows_contrast(data, terms, 2).t95.low > 0;
    }
    if (amcts)
        rows_add_finding(
            out, count == SYNTH_DFS, "finding.amcts_takes_longer_df",
            "%s%sAMCTS takes longer than %s, at %d of %d df: %.3g to %.3g times the time, %.3g to %.3g "
            "times the leaves",
            under(s).text, colon(s), s->opponent, count, SYNTH_DFS, ms.low, ms.high, leaves.low, leaves.high);
    else
        rows_add_finding(
            out, count == SYNTH_DFS, "finding.amcts_takes_far_less",
            "%s%sAMCTS takes far less time than %s, at %d of %d df: %s needs %.3g to %.3g times the "
            "time, %.3g to %.3g times the leaves",
            under(s).text, colon(s), s->opponent, count, SYNTH_DFS, s->opponent, ms.low, ms.high, leaves.low,
            leaves.high);
}

/* The counted playouts are played on the same deals in the same experiment, so the difference is taken deal
 * by deal. */
static void claim_more_than_counted(const struct repro_data *data, struct repro_result *out,
                                    const struct synth_series *s) {
    const struct cell_sum d =
        synth_contrast(data, SYNTH_MEAN, large_of(s), (struct rows_span){s->counted, HALF});
    rows_add_finding(
        out, d.t95.low > 0, "finding.where_df_large_amcts",
        "%s%swhere df is large AMCTS does better against %s than with counted playouts: by %+.3f "
        "(%+.3f to %+.3f) over df 0.6 to 1.0",
        under(s).text, colon(s), s->opponent, d.mean, d.t95.low, d.t95.high);
}

/* All claims of one series share their beginning. */
void synth_add_claim(const struct repro_data *data, struct repro_result *out, const struct synth_series *s,
                     enum synth_claim claim) {
    if (claim == SYNTH_FALLS)
        claim_falls(data, out, s);
    else if (claim == SYNTH_LONGER || claim == SYNTH_CHEAPER)
        claim_longer(data, out, s, claim == SYNTH_LONGER);
    else if (claim == SYNTH_MORE_THAN_COUNTED)
        claim_more_than_counted(data, out, s);
    else
        claim_payoff(data, out, s, claim);
    out->findings[out->finding_count - 1].first = setting(s);
}

/* ---- pictures ---- */

/* Bars of A and B over the ten values of df, as the paper draws them. */
struct bars {
    int first;            /* cell */
    const char *names[2]; /* of A and B */
    const char *axis;     /* label */
    int values[2]; /* of A and B; with the same one for both, payoffs around 2.00: B has what A has not */
    double factor; /* from the values to the axis */
    const char *format; /* of the axis, gnuplot's; not of payoffs */
};

/* B's payoff is 4 less A's, so its bar follows from A's sum and no second one is needed. The axis of
 * payoffs is at least as wide as the surviving one of the paper. */
static void plot_bars(const struct repro_data *data, struct repro_result *out, const char *suffix,
                      const char *title, const struct bars *bars) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    const bool are_payoffs = bars->values[0] == bars->values[1];
    double widest = SYNTH_AXIS; /* how far the longest interval of a payoff reaches from 2.00 */
    text_add_string(&plot->data, "df,a,a_low,a_high,b,b_low,b_high\n");
    for (int i = 0; i < SYNTH_DFS; i++) {
        const struct cell_sum a = rows_sum(data, bars->first + i, bars->values[0]);
        const double sum = 2 * SYNTH_EVEN;
        const struct cell_sum rest = {.mean = sum - a.mean, .t95 = {sum - a.t95.high, sum - a.t95.low}};
        text_add(&plot->data, "%.1f", (i + 1) / 10.0);
        synth_add_sum(a, bars->factor, &plot->data);
        synth_add_sum(are_payoffs ? rest : rows_sum(data, bars->first + i, bars->values[1]), bars->factor,
                      &plot->data);
        text_add_string(&plot->data, "\n");
        widest = fmax(widest, fabs(a.mean - SYNTH_EVEN) + (a.n >= 2 ? a.t95.high - a.mean : 0));
    }
    text_add_string(&plot->commands,
                    "set style fill solid 0.9 noborder\nset boxwidth 0.38\n" SYNTH_KEY_BELOW);
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
             "plot data skip 1 using ($0 - 0.2):2 with boxes lc rgb \"#2f6db5\" title \"%s\", \\\n"
             "     data skip 1 using ($0 + 0.2):5 with boxes lc rgb \"#d9822b\" title \"%s\", \\\n"
             "     data skip 1 using ($0 - 0.2):3:(0):($4 - $3) " PLOT_INTERVALS ", \\\n"
             "     data skip 1 using ($0 + 0.2):6:(0):($7 - $6) " PLOT_INTERVALS "\n",
             bars->names[0], bars->names[1]);
    plot_script(plot);
}

/* ---- figures: rows, claims and a picture or two of each series ---- */

struct part {
    struct synth_series series;
    const char *ending, *title; /* of its pictures: of the names, and the title */
};

struct figure {
    struct part parts[2]; /* one of them, or both */
    bool is_time;         /* by df; else it is the payoff */
    enum synth_claim claims[2];
};

/* Times depend on the machine; the leaves beside them show the same on every machine. */
static void draw(const struct repro_data *data, struct repro_result *out, const struct part *part,
                 bool is_time) {
    struct bars bars = {part->series.first,
                        {"AMCTS", part->series.opponent},
                        SYNTH_AXIS_PAYOFF,
                        {SYNTH_MEAN, SYNTH_MEAN},
                        1,
                        NULL};
    if (!is_time) {
        plot_bars(data, out, rows_label("payoff%s", part->ending).text, part->title, &bars);
        return;
    }
    bars = (struct bars){part->series.first,
                         {"AMCTS", part->series.opponent},
                         "[axis_time|time a move (s)]",
                         {SYNTH_MS_A, SYNTH_MS_B},
                         1e-3,
                         "%g"};
    plot_bars(data, out, rows_label("time%s", part->ending).text, part->title, &bars);
    bars = (struct bars){part->series.first,
                         {"AMCTS", part->series.opponent},
                         SYNTH_AXIS_LEAVES,
                         {SYNTH_LEAVES_A, SYNTH_LEAVES_B},
                         1,
                         "%.0f"};
    plot_bars(data, out, rows_label("leaves%s", part->ending).text, part->title, &bars);
}

/* Rows of payoffs come first and costs last, in figures of time there are only costs. Each part then has
 * its claims and its picture. */
static void finish(const struct repro_data *data, struct repro_result *out) {
    const struct figure *f = data->experiment->details;
    const struct part *end = f->parts + (f->parts[1].title != NULL ? 2 : 1);
    const int counted = f->parts[0].series.counted;
    for (const struct part *part = f->parts; !f->is_time && part < end; part++)
        add_payoffs(data, out, &part->series);
    for (const struct part *part = f->parts; part < end; part++)
        add_costs(data, out, &part->series);
    if (counted > 0)
        rows_add_columns(data, out, (struct rows_span){counted, HALF}, &synth_payoff, 1);
    for (const struct part *part = f->parts; part < end; part++) {
        for (int i = 0; i < 2 && f->claims[i] != SYNTH_NOTHING; i++)
            synth_add_claim(data, out, &part->series, f->claims[i]);
        draw(data, out, part, f->is_time);
    }
}

/* ---- figures 2 and 3: counted playouts, against PIMC ----
 *
 * The time of figure 3 is measured on the games of figure 2: one run serves both (`repetitions_of`). */

static const struct repro_cell against_pimc[] = {SYNTH_CELLS("", "amcts", SYNTH_PIMC)};

static const struct figure fig2 = {
    .parts = {{{0, "", "PIMC"}, "", "Figure 2: AMCTS against PIMC, counted playouts"}},
    .claims = {SYNTH_BETTER},
};

static const struct figure fig3 = {
    .parts = {{{0, "", "PIMC"}, "", "Figure 3: AMCTS against PIMC, counted playouts"}},
    .is_time = true,
    .claims = {SYNTH_FALLS, SYNTH_LONGER},
};

/* ---- figures 4 and 5: counted playouts, against IIMC ----
 *
 * Whose moves PIMC chooses in playouts cannot be decided from the paper (synth.h), so both readings are run.
 */

#define THINKING ", [both_by_pimc|both sides' playouts by PIMC]"

static const struct repro_cell against_iimc[] = {SYNTH_CELLS("", "amcts", SYNTH_IIMC),
                                                 SYNTH_CELLS(THINKING, SYNTH_AMCTS_BOTH, SYNTH_IIMC_BOTH)};

static const struct figure fig4 = {
    .parts = {{{0, "", "IIMC"}, "", "Figure 4: AMCTS against IIMC, counted playouts"},
              {{SYNTH_DFS, THINKING, "IIMC"},
               "-thinking",
               "As figure 4, both sides' moves in playouts chosen by PIMC"}},
    .claims = {SYNTH_EQUAL, SYNTH_NOT_ABOVE},
};

static const struct figure fig5 = {
    .parts = {{{0, "", "IIMC"}, "", "Figure 5: AMCTS against IIMC, counted playouts"},
              {{SYNTH_DFS, THINKING, "IIMC"},
               "-thinking",
               "As figure 5, both sides' moves in playouts chosen by PIMC"}},
    .is_time = true,
    .claims = {SYNTH_FALLS, SYNTH_CHEAPER},
};

/* ---- figures 6 to 9: a fixed time a move ---- */

/* A machine of today does far more in a millisecond than the paper's. Only an axis shows how much: that of
 * figure 3 puts AMCTS's move at no more than about 0.02 s, where ours has some ten thousand leaves. So a
 * microsecond a leaf is its order of magnitude, and each figure is run a second time with that many leaves
 * in place of the time. These cells are repeatable as well. */
#define LEAVES_10MS ", [leaves_each|{10000} leaves]"
#define LEAVES_1MS  ", [leaves_each|{1000} leaves]"

#define TIMED_IIMC "iimc:inner=50,opponent=random,"

static const struct repro_cell fig6_cells[] = {
    SYNTH_CELLS(", 0.01[seconds| s]", "amcts:time=10", "pimc:time=10"),
    SYNTH_CELLS(LEAVES_10MS, "amcts:leaves=10000", "pimc:leaves=10000")};

/* Figure 7 is compared with figure 4 where df is large: those cells come once more, on the same deals. */
#define COUNTED ", [counted|counted playouts]"

static const struct repro_cell fig7_cells[] = {
    SYNTH_CELLS(", 0.01[seconds| s]", "amcts:time=10", TIMED_IIMC "time=10"),
    SYNTH_CELLS(LEAVES_10MS, "amcts:leaves=10000", TIMED_IIMC "leaves=10000"),
    SYNTH_CELL(COUNTED, 0.6, "amcts", SYNTH_IIMC),
    SYNTH_CELL(COUNTED, 0.7, "amcts", SYNTH_IIMC),
    SYNTH_CELL(COUNTED, 0.8, "amcts", SYNTH_IIMC),
    SYNTH_CELL(COUNTED, 0.9, "amcts", SYNTH_IIMC),
    SYNTH_CELL(COUNTED, 1.0, "amcts", SYNTH_IIMC)};

static const struct repro_cell fig8_cells[] = {
    SYNTH_CELLS(", 0.001[seconds| s]", "amcts:time=1", "pimc:time=1"),
    SYNTH_CELLS(LEAVES_1MS, "amcts:leaves=1000", "pimc:leaves=1000")};

static const struct repro_cell fig9_cells[] = {
    SYNTH_CELLS(", 0.001[seconds| s]", "amcts:time=1", TIMED_IIMC "time=1"),
    SYNTH_CELLS(LEAVES_1MS, "amcts:leaves=1000", TIMED_IIMC "leaves=1000")};

/* The time first, then as many leaves. */
#define TIMED(number, opponent, time, leaves, counted)                                                       \
    .parts = {                                                                                               \
        {{0, time, opponent, counted}, "", "Figure " number ": AMCTS against " opponent time " a move"},     \
        {{SYNTH_DFS, leaves, opponent, counted},                                                             \
         "-leaves",                                                                                          \
         "As figure " number leaves " a move in place of the time"}}

static const struct figure fig6 = {TIMED("6", "PIMC", ", 0.01[seconds| s]", LEAVES_10MS, 0),
                                   .claims = {SYNTH_BETTER_AT_LARGE}};
static const struct figure fig7 = {TIMED("7", "IIMC", ", 0.01[seconds| s]", LEAVES_10MS, 2 * SYNTH_DFS),
                                   .claims = {SYNTH_MORE_THAN_COUNTED}};
static const struct figure fig8 = {TIMED("8", "PIMC", ", 0.001[seconds| s]", LEAVES_1MS, 0),
                                   .claims = {SYNTH_BEHIND_AT_SMALL, SYNTH_WITHIN_AXIS}};
static const struct figure fig9 = {TIMED("9", "IIMC", ", 0.001[seconds| s]", LEAVES_1MS, 0),
                                   .claims = {SYNTH_WITHIN_AXIS}};

/* ---- the experiments ---- */

#define FIGURE(number, table)                                                                                \
    REPRO_EXPERIMENT("synth", "fig" #number, table),                                                         \
        .part_of = "synth-all", .source = SYNTH_SOURCE ", figure " #number, .version = 1,                    \
        .repetitions = SYNTH_DEALS, .value_names = synth_value_names, .run = synth_play_deal,                \
        .finish = finish, .details = &fig##number

const struct repro_experiment repro_synth_fig2 = {
    FIGURE(2, against_pimc),
    .title = "AMCTS against PIMC, counted playouts: payoff by df",
    .published = "AMCTS gets more than PIMC; at which df cannot be read",
    .duration = "some ten seconds on two cores",
    .repetitions_quick = 300,
};

const struct repro_experiment repro_synth_fig3 = {
    FIGURE(3, against_pimc),
    .repetitions_of = "synth-fig2",
    .title = "AMCTS against PIMC, counted playouts: time a move by df",
    .published = "AMCTS's time falls as df grows; it takes longer than PIMC",
    .duration = "as figure 2; at once after it",
    .repetitions_quick = 300,
};

const struct repro_experiment repro_synth_fig4 = {
    FIGURE(4, against_iimc),
    .title = "AMCTS against IIMC, counted playouts: payoff by df",
    .published = "almost equal; AMCTS does not exceed IIMC",
    .duration = "about two minutes on two cores",
    .repetitions_quick = 60,
};

const struct repro_experiment repro_synth_fig5 = {
    FIGURE(5, against_iimc),
    .repetitions_of = "synth-fig4",
    .title = "AMCTS against IIMC, counted playouts: time a move by df",
    .published = "AMCTS is clearly cheaper than IIMC; its time falls as df grows",
    .duration = "as figure 4; at once after it",
    .repetitions_quick = 60,
};

const struct repro_experiment repro_synth_fig6 = {
    FIGURE(6, fig6_cells),
    .title = "AMCTS against PIMC, 0.01 s a move: payoff by df",
    .published = "AMCTS better where df is large (a likely reading)",
    .duration = "about twelve minutes on two cores, which must be free",
    .repetitions_quick = 20,
};

const struct repro_experiment repro_synth_fig7 = {
    FIGURE(7, fig7_cells),
    .title = "AMCTS against IIMC, 0.01 s a move: payoff by df",
    .published = "where df is large, better for AMCTS than in figure 4",
    .duration = "about twelve minutes on two cores, which must be free",
    .repetitions_quick = 20,
};

const struct repro_experiment repro_synth_fig8 = {
    FIGURE(8, fig8_cells),
    .title = "AMCTS against PIMC, 0.001 s a move: payoff by df",
    .published = "AMCTS behind PIMC where df is small; no side more than 0.05 above 2.00",
    .duration = "a good minute on two cores, which must be free",
    .repetitions_quick = 100,
};

const struct repro_experiment repro_synth_fig9 = {
    FIGURE(9, fig9_cells),
    .title = "AMCTS against IIMC, 0.001 s a move: payoff by df",
    .published = "no statement survives; no side more than 0.05 above 2.00",
    .duration = "a good minute on two cores, which must be free",
    .repetitions_quick = 100,
};
