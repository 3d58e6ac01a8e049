/* SPDX-License-Identifier: MIT
 *
 * The experiments on synthetic trees that play games: a deal from both seats, sums over cells; figures 2 to 9
 * (AMCTS against PIMC and against IIMC, df from 0.1 to 1.0; payoff and time a move with counted playouts in 2
 * to 5, payoff with a fixed time a move in 6 to 9); the readings of the lost equation (6), and whether it
 * matters when AMCTS searches again. 3000 matches a point are 1500 deals from both seats.
 */
#include "repro/experiments.h"

#include "match/clocked_game.h"
#include "search/flat.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- players, as the paper sets them ---- */

#define PIMC_400 "pimc:sims=400"
#define IIMC_400 "iimc:sims=400,inner=50,opponent=random"

/* Whose moves in playouts PIMC chooses is one switch for both players: AMCTS's step 8 has it choose one's own
 * alone, Algorithm 2 (IIMC) reads as if it chose both sides'. */
#define AMCTS_BOTH "amcts:opponent=pimc"
#define IIMC_BOTH  "iimc:sims=400,inner=50,opponent=pimc"

/* Labels of axes. */
#define AXIS_DF     "[axis_df|disambiguation factor df]"
#define AXIS_PAYOFF "[axis_payoff|mean payoff (the axis does not begin at 0)]"
#define AXIS_LEAVES "[axis_leaves|leaf evaluations a move]"

#define EVEN_LEVEL "[even_payoff|even: {2.00}]" /* the key of the line at SYNTH_EVEN */

/* ---- cells: ten values of df ---- */

/* The paper's surviving axes end here: no side is more than about 0.05 from 2.00. */
#define AXIS 0.05

#define CELL(name, df, a, b)                                                                                 \
    { "df " #df name, 0, {a, b}, "synth:df=" #df }

#define CELLS(name, a, b)                                                                                    \
    CELL(name, 0.1, a, b), CELL(name, 0.2, a, b), CELL(name, 0.3, a, b), CELL(name, 0.4, a, b),              \
        CELL(name, 0.5, a, b), CELL(name, 0.6, a, b), CELL(name, 0.7, a, b), CELL(name, 0.8, a, b),          \
        CELL(name, 0.9, a, b), CELL(name, 1.0, a, b)

static const char *const value_names[] = {"first",    "second",   "mean",     "ms_a", "ms_b",
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

/* In how many of these cells A's payoff is above, or below, 2.00, and the mean that is farthest from 2.00. */
struct verdicts {
    int above, below;
    double farthest; /* less 2.00, with its sign */
};

/* For the text of a finding: an interval that excludes 2.00 is what "above" and "below" mean there. */
static struct verdicts judge_cells(const struct repro_data *data, struct rows_span span) {
    struct verdicts v = {0};
    for (int i = 0; i < span.count; i++) {
        const struct cell_sum s = rows_sum(data, span.first + i, SYNTH_MEAN);
        const double off = s.mean - SYNTH_EVEN;
        v.above += s.t95.low > SYNTH_EVEN;
        v.below += s.t95.high < SYNTH_EVEN;
        v.farthest = fabs(off) > fabs(v.farthest) ? off : v.farthest;
    }
    return v;
}

/* The mean of a value as a multiple of the mean of `base` in another cell. Of means, not a mean of ratios: a
 * single move may cost nothing. A multiple of nothing counts as 0. */
static double cost_ratio(const struct repro_data *data, int cell, int value, int base_cell, int base) {
    const double below = rows_sum(data, base_cell, base).mean;
    return below > 0 ? rows_sum(data, cell, value).mean / below : 0;
}

/* From the df where it is least to the one where it is greatest. */
static struct interval cost_ratios(const struct repro_data *data, int first, int value, int base_first,
                                   int base) {
    struct interval r = {(double)INFINITY, 0};
    for (int i = 0; i < SYNTH_DFS; i++) {
        const double ratio = cost_ratio(data, first + i, value, base_first + i, base);
        r.low = fmin(r.low, ratio);
        r.high = fmax(r.high, ratio);
    }
    return r;
}

/* Of payoffs, and of differences of two. */
#define PAYOFF_RANGE ((struct rows_range){0, 2 * SYNTH_EVEN})
#define LEAD_RANGE   ((struct rows_range){-2 * SYNTH_EVEN, 2 * SYNTH_EVEN})

/* Columns of rows: A's payoff, and the share of its moves at which it searched again. */
static const struct rows_column payoff_column = {ROWS_MEAN, SYNTH_MEAN, ": [payoff|payoff]",
                                                 .range = {0, 2 * SYNTH_EVEN}},
                                switched_column = {
                                    ROWS_MEAN,   SYNTH_SWITCHED, ": [searched_again|moves searched again]",
                                    .unit = "%", .factor = 100,  .range = {0, 1}};

/* The mean and its interval: three numbers of a line of data. */
static void add_sum(struct cell_sum s, struct text *out) {
    plot_number(s.mean, out);
    plot_number(s.t95.low, out);
    plot_number(s.t95.high, out);
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
        {ROWS_MEAN, SYNTH_LEAVES_A, ": [leaves_a_move|leaves a move], AMCTS", .range = ROWS_NOT_NEGATIVE},
        {ROWS_MEAN, SYNTH_LEAVES_B, leaves.text, .range = ROWS_NOT_NEGATIVE},
    };
    for (int i = 0; i < 4; i++)
        rows_add_columns(data, out, all_of(s), &columns[i], 1);
}

/* The difference of both halves has its own interval, which the intervals of the halves do not give: deals
 * are shared. */
static void add_payoffs(const struct repro_data *data, struct repro_result *out,
                        const struct synth_series *s) {
    rows_add_columns(data, out, all_of(s), &payoff_column, 1);
    const struct rows_span none = {0};
    rows_add_mean(out, rows_label("df 0.1[to| to ]0.5%s: [payoff|payoff]", s->setting).text, "", 1,
                  synth_contrast(data, SYNTH_MEAN, small_of(s), none), PAYOFF_RANGE);
    rows_add_mean(out, rows_label("df 0.6[to| to ]1.0%s: [payoff|payoff]", s->setting).text, "", 1,
                  synth_contrast(data, SYNTH_MEAN, large_of(s), none), PAYOFF_RANGE);
    rows_add_mean(out,
                  rows_label("[large_less_small|large df less small]%s: [payoff|payoff]", s->setting).text,
                  "", 1, synth_contrast(data, SYNTH_MEAN, large_of(s), small_of(s)), LEAD_RANGE);
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

/* "More" over several cells: in all, and in none of them behind. Returns the number of tests. */
static int more_tests(const struct repro_data *data, struct rows_span span, struct test *tests) {
    tests[0] = rows_is_above(synth_contrast(data, SYNTH_MEAN, span, (struct rows_span){0}), SYNTH_EVEN);
    for (int i = 0; i < span.count; i++) {
        const struct rows_term rest = {span.first + i, SYNTH_MEAN, -1}; /* B's payoff less 4 */
        tests[1 + i] = rows_is_at_most(rows_contrast(data, &rest, 1), -SYNTH_EVEN, AXIS);
    }
    return 1 + span.count;
}

/* Claims about payoffs. A rule looks at all df, or at the half of them that the claim names. */
static void claim_payoff(const struct repro_data *data, struct repro_result *out,
                         const struct synth_series *s, enum synth_claim claim) {
    const struct rows_span span = claim == SYNTH_BETTER_AT_LARGE   ? large_of(s)
                                  : claim == SYNTH_BEHIND_AT_SMALL ? small_of(s)
                                                                   : all_of(s);
    const struct cell_sum m = synth_contrast(data, SYNTH_MEAN, span, (struct rows_span){0});
    const struct verdicts v = judge_cells(data, span);
    struct test each[SYNTH_DFS], more[1 + SYNTH_DFS];
    for (int i = 0; i < span.count; i++) {
        const struct cell_sum s_i = rows_sum(data, span.first + i, SYNTH_MEAN);
        each[i] = claim == SYNTH_EQUAL       ? rows_is_equal(s_i, SYNTH_EVEN, AXIS)
                  : claim == SYNTH_NOT_ABOVE ? rows_is_at_most(s_i, SYNTH_EVEN, AXIS)
                                             : rows_is_within(s_i, SYNTH_EVEN, AXIS);
    }
    if (claim == SYNTH_BETTER)
        rows_add_finding(
            out, more, more_tests(data, span, more), "finding.amcts_gets_more_over",
            "%s%sAMCTS gets more than %s: over all df %.3f (%.3f to %.3f); above 2.00 by its interval "
            "at %d of %d df, below at %d (at which df the paper sees it cannot be read)",
            under(s).text, colon(s), s->opponent, m.mean, m.t95.low, m.t95.high, v.above, SYNTH_DFS, v.below);
    else if (claim == SYNTH_EQUAL)
        rows_add_finding(
            out, each, span.count, "finding.amcts_about_equal_each",
            "%s%sAMCTS and %s are about equal: each mean within %.2f of 2.00 (the farthest: %+.3f)",
            under(s).text, colon(s), s->opponent, AXIS, v.farthest);
    else if (claim == SYNTH_NOT_ABOVE)
        rows_add_finding(
            out, each, span.count, "finding.amcts_does_not_exceed",
            "%s%sAMCTS does not exceed %s: above 2.00 by its interval at %d of %d df, below at %d",
            under(s).text, colon(s), s->opponent, v.above, SYNTH_DFS, v.below);
    else if (claim == SYNTH_WITHIN_AXIS)
        rows_add_finding(
            out, each, span.count, "finding.no_side_more_above",
            "%s%sno side is more than %.2f above 2.00, as far as the axis shows (the farthest: %.3f)",
            under(s).text, colon(s), AXIS, fabs(v.farthest));
    else if (claim == SYNTH_BETTER_AT_LARGE)
        rows_add_finding(out, TESTS(rows_is_above(m, SYNTH_EVEN)), "finding.amcts_gets_more_where",
                         "%s%sAMCTS gets more than %s where df is large (a reading, not certain): %.3f (%.3f "
                         "to %.3f) over df 0.6 to 1.0, above 2.00 at %d of %d",
                         under(s).text, colon(s), s->opponent, m.mean, m.t95.low, m.t95.high, v.above, HALF);
    else
        rows_add_finding(
            out, TESTS(test_less(rows_is_above(m, SYNTH_EVEN))), "finding.amcts_behind_where_df",
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
    struct test falls[SYNTH_DFS] = {test_less(rows_is_above(change, 0))};
    int rises = 0, steps = 1;
    for (struct rows_span at = {s->first, 1}; at.first < last.first; at.first++) {
        const struct cell_sum step =
            synth_contrast(data, SYNTH_LEAVES_A, (struct rows_span){at.first + 1, 1}, at);
        falls[steps++] = test_less(rows_is_above(step, 0));
        rises += step.t95.low > 0;
    }
    rows_add_finding(
        out, falls, steps, "finding.amcts_time_falls_df",
        "%s%sAMCTS's time falls as df grows: from %.3g ms a move at df 0.1 to %.3g at 1.0; its leaves "
        "rise at %d of %d steps of df",
        under(s).text, colon(s), low.mean, high.mean, rises, SYNTH_DFS - 1);
}

/* AMCTS takes longer than the opponent, or the opponent longer than AMCTS. */
static void claim_longer(const struct repro_data *data, struct repro_result *out,
                         const struct synth_series *s, bool amcts) {
    const int a = amcts ? 0 : 1;
    const struct interval ms = cost_ratios(data, s->first, SYNTH_MS_A + a, s->first, SYNTH_MS_B - a),
                          leaves =
                              cost_ratios(data, s->first, SYNTH_LEAVES_A + a, s->first, SYNTH_LEAVES_B - a);
    struct test longer[SYNTH_DFS];
    int count = 0; /* df at which that is so, by the interval of the difference */
    for (int i = 0; i < SYNTH_DFS; i++) {
        const int cell = s->first + i;
        const struct rows_term terms[] = {{cell, SYNTH_MS_A + a, 1}, {cell, SYNTH_MS_B - a, -1}};
        const struct cell_sum d = rows_contrast(data, terms, 2);
        longer[i] = rows_is_above(d, 0);
        count += d.t95.low > 0;
    }
    if (amcts)
        rows_add_finding(
            out, longer, SYNTH_DFS, "finding.amcts_takes_longer_df",
            "%s%sAMCTS takes longer than %s, at %d of %d df: %.3g to %.3g times the time, %.3g to %.3g "
            "times the leaves",
            under(s).text, colon(s), s->opponent, count, SYNTH_DFS, ms.low, ms.high, leaves.low, leaves.high);
    else
        rows_add_finding(
            out, longer, SYNTH_DFS, "finding.amcts_takes_far_less",
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
        out, TESTS(rows_is_above(d, 0)), "finding.where_df_large_amcts",
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

/* A series with its pictures. */
struct part {
    struct synth_series series;
    const char *ending, *title; /* of its pictures: of the names, and the title */
};

/* A and B over the ten values of df. The paper draws bars; here are points, because the axis of payoffs does
 * not begin at 0, and that of costs is one of powers. */
static const struct pair {
    const char *name, *axis; /* of the picture, and the axis' label */
    int values[2]; /* of A and B; with the same one for both, payoffs around 2.00: B has what A has not */
} payoffs = {"payoff", AXIS_PAYOFF, {SYNTH_MEAN, SYNTH_MEAN}},
  /* Times depend on the machine; the leaves beside them show the same on every machine. */
    costs[] = {{"time", "[axis_time|time a move (ms)]", {SYNTH_MS_A, SYNTH_MS_B}},
               {"leaves", AXIS_LEAVES, {SYNTH_LEAVES_A, SYNTH_LEAVES_B}}};

/* B's payoff is 4 less A's, so its point follows from A's sum and no second one is needed. Returns how far
 * the longest interval of a payoff reaches from 2.00, at least as far as the paper's surviving axis. */
static double add_pair_data(const struct repro_data *data, const struct part *part, const struct pair *pair,
                            struct text *out) {
    const double sum = 2 * SYNTH_EVEN;
    double widest = AXIS;
    text_add_string(out, "df,a,a_low,a_high,b,b_low,b_high\n");
    for (int i = 0; i < SYNTH_DFS; i++) {
        const struct cell_sum a = rows_sum(data, part->series.first + i, pair->values[0]);
        const struct cell_sum rest = {.mean = sum - a.mean, .t95 = {sum - a.t95.high, sum - a.t95.low}};
        text_add(out, "%.1f", (i + 1) / 10.0);
        add_sum(a, out);
        add_sum(pair == &payoffs ? rest : rows_sum(data, part->series.first + i, pair->values[1]), out);
        text_add_string(out, "\n");
        widest = fmax(widest, fabs(a.mean - SYNTH_EVEN) + (a.n >= 2 ? a.t95.high - a.mean : 0));
    }
    return widest;
}

static void plot_pair(const struct repro_data *data, struct repro_result *out, const struct part *part,
                      const struct pair *pair) {
    struct repro_plot *plot = plot_add(out, rows_label("%s%s", pair->name, part->ending).text, part->title);
    const double widest = add_pair_data(data, part, pair, &plot->data);
    plot_key(plot, pair == &payoffs ? 3 : 2);
    plot_axes(plot, AXIS_DF, pair->axis);
    text_add(&plot->commands,
             "set xrange [-0.6:%d.6]\n"
             "set for [i=0:%d] xtics (sprintf(\"%%.1f\", (i + 1) / 10.0) i)\n",
             SYNTH_DFS - 1, SYNTH_DFS - 1);
    if (pair == &payoffs)
        text_add(&plot->commands, "set yrange [%.4f:%.4f]\nset format y \"%%.2f\"\n",
                 SYNTH_EVEN - 1.1 * widest, SYNTH_EVEN + 1.1 * widest);
    else
        text_add_string(&plot->commands, "set logscale y\nset format y \"%.10g\"\n");
    text_add(
        &plot->drawing,
        "plot data skip 1 using ($0 - 0.1):2 with points pt 7 ps 0.7 lc rgb \"#2f6db5\" title "
        "\"AMCTS\", \\\n"
        "     data skip 1 using ($0 + 0.1):5 with points pt 5 ps 0.7 lc rgb \"#d9822b\" title \"%s\", \\\n"
        "     data skip 1 using ($0 - 0.1):3:(0):($4 - $3) " PLOT_INTERVALS_OF(
            "#2f6db5") ", \\\n"
                       "     data skip 1 using ($0 + 0.1):6:(0):($7 - $6) " PLOT_INTERVALS_OF("#d9822b"),
        part->series.opponent);
    if (pair == &payoffs)
        text_add(&plot->drawing, ", \\\n     %g with lines dt 2 lw 1.5 lc rgb \"#111111\" title \"%s\"",
                 SYNTH_EVEN, plot_text(plot, EVEN_LEVEL).text);
    text_add_string(&plot->drawing, "\n");
    plot_script(plot);
}

/* ---- figures: rows, claims and a picture or two of each series ---- */

struct figure {
    struct part parts[2]; /* one of them, or both */
    bool is_time;         /* by df; else it is the payoff */
    enum synth_claim claims[2];
};

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
        rows_add_columns(data, out, (struct rows_span){counted, HALF}, &payoff_column, 1);
    for (const struct part *part = f->parts; part < end; part++) {
        for (int i = 0; i < 2 && f->claims[i] != SYNTH_NOTHING; i++)
            synth_add_claim(data, out, &part->series, f->claims[i]);
        for (int i = 0; i < (f->is_time ? 2 : 1); i++)
            plot_pair(data, out, part, f->is_time ? &costs[i] : &payoffs);
    }
}

/* ---- figures 2 and 3: counted playouts, against PIMC ----
 *
 * The time of figure 3 is measured on the games of figure 2: one run serves both (`repetitions_of`). */

static const struct repro_cell against_pimc[] = {CELLS("", "amcts", PIMC_400)};

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
 * Whose moves PIMC chooses in playouts cannot be decided from the paper (Algorithm 2): both readings are run.
 */

#define THINKING ", [both_by_pimc|both sides' playouts by PIMC]"

static const struct repro_cell against_iimc[] = {CELLS("", "amcts", IIMC_400),
                                                 CELLS(THINKING, AMCTS_BOTH, IIMC_BOTH)};

#define BOTH_READINGS(number)                                                                                \
    .parts = {{{0, "", "IIMC"}, "", "Figure " number ": AMCTS against IIMC, counted playouts"},              \
              {{SYNTH_DFS, THINKING, "IIMC"},                                                                \
               "-thinking",                                                                                  \
               "As figure " number ", both sides' moves in playouts chosen by PIMC"}}

static const struct figure fig4 = {
    BOTH_READINGS("4"),
    .claims = {SYNTH_EQUAL, SYNTH_NOT_ABOVE},
};

static const struct figure fig5 = {
    BOTH_READINGS("5"),
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

static const struct repro_cell fig6_cells[] = {CELLS(", 0.01[seconds| s]", "amcts:time=10", "pimc:time=10"),
                                               CELLS(LEAVES_10MS, "amcts:leaves=10000", "pimc:leaves=10000")};

/* Figure 7 is compared with figure 4 where df is large: those cells come once more, on the same deals. */
#define COUNTED ", [counted|counted playouts]"

static const struct repro_cell fig7_cells[] = {
    CELLS(", 0.01[seconds| s]", "amcts:time=10", TIMED_IIMC "time=10"),
    CELLS(LEAVES_10MS, "amcts:leaves=10000", TIMED_IIMC "leaves=10000"),
    CELL(COUNTED, 0.6, "amcts", IIMC_400),
    CELL(COUNTED, 0.7, "amcts", IIMC_400),
    CELL(COUNTED, 0.8, "amcts", IIMC_400),
    CELL(COUNTED, 0.9, "amcts", IIMC_400),
    CELL(COUNTED, 1.0, "amcts", IIMC_400)};

static const struct repro_cell fig8_cells[] = {CELLS(", 0.001[seconds| s]", "amcts:time=1", "pimc:time=1"),
                                               CELLS(LEAVES_1MS, "amcts:leaves=1000", "pimc:leaves=1000")};

static const struct repro_cell fig9_cells[] = {
    CELLS(", 0.001[seconds| s]", "amcts:time=1", TIMED_IIMC "time=1"),
    CELLS(LEAVES_1MS, "amcts:leaves=1000", TIMED_IIMC "leaves=1000")};

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

#define FIGURE(number, table, quick)                                                                         \
    REPRO_EXPERIMENT("synth", "fig" #number, table),                                                         \
        .part_of = "synth-all", .source = SYNTH_SOURCE ", figure " #number, .version = 1,                    \
        .repetitions = SYNTH_DEALS, .repetitions_quick = (quick), .value_names = value_names,                \
        .run = synth_play_deal, .finish = finish, .details = &fig##number

const struct repro_experiment repro_synth_fig2 = {
    FIGURE(2, against_pimc, 300),
    .title = "AMCTS against PIMC, counted playouts: payoff by df",
    .published = "AMCTS gets more than PIMC; at which df cannot be read",
    .duration = "some ten seconds on two cores",
};

const struct repro_experiment repro_synth_fig3 = {
    FIGURE(3, against_pimc, 300),
    .repetitions_of = "synth-fig2",
    .title = "AMCTS against PIMC, counted playouts: time a move by df",
    .published = "AMCTS's time falls as df grows; it takes longer than PIMC",
    .duration = "as figure 2; at once after it",
};

const struct repro_experiment repro_synth_fig4 = {
    FIGURE(4, against_iimc, 60),
    .title = "AMCTS against IIMC, counted playouts: payoff by df",
    .published = "almost equal; AMCTS does not exceed IIMC",
    .duration = "about two minutes on two cores",
};

const struct repro_experiment repro_synth_fig5 = {
    FIGURE(5, against_iimc, 60),
    .repetitions_of = "synth-fig4",
    .title = "AMCTS against IIMC, counted playouts: time a move by df",
    .published = "AMCTS is clearly cheaper than IIMC; its time falls as df grows",
    .duration = "as figure 4; at once after it",
};

const struct repro_experiment repro_synth_fig6 = {
    FIGURE(6, fig6_cells, 20),
    .title = "AMCTS against PIMC, 0.01 s a move: payoff by df",
    .published = "AMCTS better where df is large (a likely reading)",
    .duration = "about twelve minutes on two cores, which must be free",
};

const struct repro_experiment repro_synth_fig7 = {
    FIGURE(7, fig7_cells, 20),
    .title = "AMCTS against IIMC, 0.01 s a move: payoff by df",
    .published = "where df is large, better for AMCTS than in figure 4",
    .duration = "about twelve minutes on two cores, which must be free",
};

const struct repro_experiment repro_synth_fig8 = {
    FIGURE(8, fig8_cells, 100),
    .title = "AMCTS against PIMC, 0.001 s a move: payoff by df",
    .published = "AMCTS behind PIMC where df is small; no side more than 0.05 above 2.00",
    .duration = "a good minute on two cores, which must be free",
};

const struct repro_experiment repro_synth_fig9 = {
    FIGURE(9, fig9_cells, 100),
    .title = "AMCTS against IIMC, 0.001 s a move: payoff by df",
    .published = "no statement survives; no side more than 0.05 above 2.00",
    .duration = "a good minute on two cores, which must be free",
};

/* ---- pictures of lines ---- */

/* Payoffs of several kinds of A over df (or readings), a line each with intervals. */
struct lines {
    int count, points;
    const char *const *names;             /* of the lines */
    const char *const *places;            /* of the points */
    const char *axis_x, *axis_y, *format; /* labels, and gnuplot's format of the numbers at the y axis */
    int first, per_line, per_point,
        value; /* what is drawn: cell first + line * per_line + point * per_point */
    struct cell_sum (*at)(const struct repro_data *data, int line, int point); /* in place of that, or NULL */
    double level;          /* a broken line at this value … */
    const char *level_key; /* … and its entry of the key, in parts */
    bool joined;           /* joins the points of a line: values between them make sense */
    bool logarithmic;
};

/* Colours that stay apart in grey and for most colour-blind eyes. */
static const char *const colours[] = {"#2f6db5", "#d9822b", "#5a9e4b", "#8a5aa8", "#444444"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

/* Points of one line are three columns of the data: mean, low, high. Where there is no interval these are
 * NaN, which gnuplot leaves out. */
static void plot_lines(const struct repro_data *data, struct repro_result *out, const char *suffix,
                       const char *title, const struct lines *lines) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    text_add_string(&plot->data, "place");
    for (int line = 0; line < lines->count; line++)
        text_add(&plot->data, ",%s,low,high", rows_plain(lines->names[line]).text);
    for (int point = 0; point < lines->points; point++) {
        text_add(&plot->data, "\n%s", lines->places[point]);
        for (int line = 0; line < lines->count; line++) {
            const int cell = lines->first + line * lines->per_line + point * lines->per_point;
            add_sum(lines->at != NULL ? lines->at(data, line, point) : rows_sum(data, cell, lines->value),
                    &plot->data);
        }
    }
    text_add_string(&plot->data, "\n");
    plot_key(plot, lines->count + 1);
    plot_axes(plot, lines->axis_x, lines->axis_y);
    text_add(&plot->commands,
             "set format y \"%s\"\n"
             "set xrange [-0.5:%d.5]\n"
             "%s"
             "set xtics noenhanced (",
             lines->format, lines->points - 1, lines->logarithmic ? "set logscale y\n" : "");
    for (int i = 0; i < lines->points; i++)
        text_add(&plot->commands, "%s\"%s\" %d", i > 0 ? ", " : "", lines->places[i], i);
    text_add_string(&plot->commands, ")\n");
    for (int line = 0; line < lines->count; line++) {
        /* Side by side, so that the intervals at one place do not overlap. */
        const double shift = 0.12 * (line - (lines->count - 1) / 2.0);
        const int column = 2 + 3 * line;
        const char *colour = colours[line % COLOURS];
        text_add(&plot->drawing,
                 "%s data skip 1 using ($0 + %g):%d with %s pt %d ps 0.7 lw 1.5 lc rgb \"%s\" title \"%s\", "
                 "\\\n"
                 "     data skip 1 using ($0 + %g):%d:(0):($%d - $%d) with vectors heads size screen "
                 "0.003,90 lw 1.2 lc rgb \"%s\" notitle, \\\n",
                 line == 0 ? "plot" : "    ", shift, column, lines->joined ? "linespoints" : "points",
                 5 + 2 * line, colour, plot_text(plot, lines->names[line]).text, shift, column + 1,
                 column + 2, column + 1, colour);
    }
    text_add(&plot->drawing, "     %g with lines dt 2 lw 1.5 lc rgb \"#111111\" title \"%s\"\n", lines->level,
             plot_text(plot, lines->level_key).text);
    plot_script(plot);
}

/* ---- readings ----
 *
 * Equation (6) of the paper, which decides when AMCTS searches again, is lost. Every reading of it (and the
 * controls `always` and `never`) plays against PIMC and against IIMC, on the same deals, with counted
 * playouts. The findings show which readings reproduce the paper's report. */

enum { PIMC, IIMC, OPPONENTS };
enum { DFS = 3, READINGS = 10, READINGS_CELLS = OPPONENTS * READINGS * DFS };

static const char *const opponents[] = {"PIMC", "IIMC"};
static const char *const readings_dfs[] = {"df 0.1", "df 0.5", "df 0.9"};
static const char *const readings_names[READINGS] = {"6w", "6g",     "6x",    "6c",      "6q",
                                                     "6i", "always", "never", "6w keep", "6w both"};

#define THREE(name, a, b) CELL(", " name, 0.1, a, b), CELL(", " name, 0.5, a, b), CELL(", " name, 0.9, a, b)

/* "6w keep": the second search adds to the first. "6w both": PIMC chooses both sides' moves in playouts, in
 * IIMC's as well. */
#define READINGS_AGAINST(name, b, b_both)                                                                    \
    THREE("6w" name, "amcts:rule=6w", b), THREE("6g" name, "amcts:rule=6g", b),                              \
        THREE("6x" name, "amcts:rule=6x", b), THREE("6c" name, "amcts:rule=6c", b),                          \
        THREE("6q" name, "amcts:rule=6q", b), THREE("6i" name, "amcts:rule=6i", b),                          \
        THREE("always" name, "amcts:rule=always", b), THREE("never" name, "amcts:rule=never", b),            \
        THREE("6w keep" name, "amcts:rule=6w,keep=yes", b),                                                  \
        THREE("6w both" name, "amcts:rule=6w,opponent=pimc", b_both)

static const struct repro_cell readings_cells[READINGS_CELLS] = {
    READINGS_AGAINST("[against| against ]PIMC", PIMC_400, PIMC_400),
    READINGS_AGAINST("[against| against ]IIMC", IIMC_400, IIMC_BOTH),
};

/* Cells are ordered by opponent, then reading, then df. */
static struct rows_span readings_span_of(int opponent, int reading) {
    return (struct rows_span){(opponent * READINGS + reading) * DFS, DFS};
}

/* ---- what the paper reports, reading by reading ---- */

/* Two findings for each reading: what the paper says about PIMC, and about IIMC. A reading that makes both
 * hold could be the lost equation. */
static void judge_reading(const struct repro_data *data, struct repro_result *out, int reading) {
    double means[OPPONENTS][DFS];
    for (int o = 0; o < OPPONENTS; o++)
        for (int i = 0; i < DFS; i++)
            means[o][i] = rows_sum(data, readings_span_of(o, reading).first + i, SYNTH_MEAN).mean;
    const struct verdicts p = judge_cells(data, readings_span_of(PIMC, reading));
    const struct verdicts q = judge_cells(data, readings_span_of(IIMC, reading));
    const struct cell_sum pooled =
        synth_contrast(data, SYNTH_MEAN, readings_span_of(PIMC, reading), (struct rows_span){0});
    struct test more[1 + DFS];
    rows_add_finding(
        out, more, more_tests(data, readings_span_of(PIMC, reading), more), "finding.more_pimc_all_behind",
        "%s: more than PIMC: %.3f, %.3f, %.3f; %.3f (%.3f to %.3f) in all, behind at %d of %d df",
        readings_names[reading], means[PIMC][0], means[PIMC][1], means[PIMC][2], pooled.mean, pooled.t95.low,
        pooled.t95.high, p.below, DFS);
    struct test equal[DFS];
    for (int i = 0; i < DFS; i++)
        equal[i] = rows_is_equal(rows_sum(data, readings_span_of(IIMC, reading).first + i, SYNTH_MEAN),
                                 SYNTH_EVEN, AXIS);
    rows_add_finding(
        out, equal, DFS, "finding.about_equal_iimc_within",
        "%s: about equal to IIMC (within %.2f at each df) and not above: %.3f, %.3f, %.3f; by the "
        "intervals above at %d of %d, below at %d",
        readings_names[reading], AXIS, means[IIMC][0], means[IIMC][1], means[IIMC][2], q.above, DFS, q.below);
}

/* ---- pictures: a place for each reading, a colour for each df ---- */

/* A ratio without an interval. */
static struct cell_sum readings_cost(const struct repro_data *data, int line, int point) {
    const int cell = readings_span_of(IIMC, point).first + line;
    return (struct cell_sum){.mean = cost_ratio(data, cell, SYNTH_LEAVES_A, cell, SYNTH_LEAVES_B),
                             .t95 = {REPRO_NONE, REPRO_NONE}};
}

static void readings_finish(const struct repro_data *data, struct repro_result *out) {
    static const struct rows_column ms = {ROWS_TIME, SYNTH_MS_A, ": [ms_a_move|ms a move]"};
    const struct rows_span pimc = {0, READINGS * DFS}; /* AMCTS does the same against both */
    rows_add_columns(data, out, (struct rows_span){0, READINGS_CELLS}, &payoff_column, 1);
    for (int cell = 0; cell < READINGS_CELLS; cell++) {
        const struct rows_label label =
            rows_label("%s: [leaves|leaves], %s[are_1|'s are 1]", readings_cells[cell].label,
                       opponents[cell / (READINGS * DFS)]);
        struct repro_row *row = rows_add(out, label.text, "", REPRO_NONE);
        /* No interval: costs hardly vary. */
        row->ours = cost_ratio(data, cell, SYNTH_LEAVES_A, cell, SYNTH_LEAVES_B);
        row->repetitions = rows_sum(data, cell, SYNTH_LEAVES_A).n;
    }
    rows_add_columns(data, out, pimc, &ms, 1);
    rows_add_columns(data, out, pimc, &switched_column, 1);
    for (int reading = 0; reading < READINGS; reading++)
        judge_reading(data, out, reading);
    struct lines lines = {.count = DFS,
                          .points = READINGS,
                          .names = readings_dfs,
                          .places = readings_names,
                          .axis_x = "[axis_reading|reading of equation (6)]",
                          .axis_y = AXIS_PAYOFF,
                          .format = "%.2f",
                          .per_line = 1,
                          .per_point = DFS,
                          .value = SYNTH_MEAN,
                          .level = SYNTH_EVEN,
                          .level_key = EVEN_LEVEL};
    plot_lines(data, out, "pimc", "Readings of equation (6): AMCTS against PIMC", &lines);
    lines.first = readings_span_of(IIMC, 0).first;
    plot_lines(data, out, "iimc", "Readings of equation (6): AMCTS against IIMC", &lines);
    lines.at = readings_cost;
    lines.axis_y = "[axis_leaves_of_iimc|leaf evaluations a move (IIMC's are 1)]";
    lines.level = 1;
    lines.level_key = "IIMC";
    plot_lines(data, out, "cost", "Readings of equation (6): cost", &lines);
}

const struct repro_experiment repro_synth_readings = {
    REPRO_EXPERIMENT("synth", "readings", readings_cells),
    .part_of = "synth-all",
    .title = "AMCTS under every reading of the lost equation (6), against PIMC and IIMC",
    .source = SYNTH_SOURCE ", equation (6), figures 2 and 4",
    .published = "better than PIMC; about equal to IIMC and not above. The equation itself is lost",
    .duration = "about two and a half minutes on two cores",
    .version = 1,
    .repetitions = SYNTH_DEALS,
    .repetitions_quick = 50,
    .value_names = value_names,
    .run = synth_play_deal,
    .finish = readings_finish,
};

/* ---- switching ----
 *
 * Does it matter when AMCTS searches again? The reading 6w, `never`, `always`, and random switching at the
 * same cost all play against PIMC on the same deals, so that differences are taken deal by deal; 6w also
 * plays against random switching itself.
 *
 * A search's cost depends only on the cell sizes along the path, and their distribution does not depend on
 * the moves. So random switching with probability p costs never's leaves plus p times the difference to
 * always's, and
 *     p = (leaves of 6w - leaves of never) / (leaves of always - leaves of never)
 * costs as much as 6w. The probabilities below were found that way by
 *     senjutsu repro synth-switching --seed 2026
 * (its row "probability of equal cost"); other seeds then show whether the costs meet. */

enum { ADAPTIVE, RANDOM, NEVER, ALWAYS, ARMS, DUEL = ARMS, KINDS };
enum { SWITCHING_CELLS = KINDS * SYNTH_DFS };

static const char *const switching_names[ARMS] = {"6w", "[random|random]", "never", "always"};

/* How far the costs of 6w and random switching may be apart to be called equal. */
#define COST_MARGIN 0.05

/* Payoffs this close are "not behind". */
#define BEHIND 0.02

#define ADAPTIVE_SPEC "amcts:rule=6w"

#define WITH_RANDOM(df, theta) CELL(", [random|random]", df, "amcts:rule=random,theta=" #theta, PIMC_400)
#define SWITCHING_AGAINST(df, theta)                                                                         \
    CELL(", 6w[against| against ][random|random]", df, ADAPTIVE_SPEC, "amcts:rule=random,theta=" #theta)

#define EACH(cell)                                                                                           \
    cell(0.1, 0.511), cell(0.2, 0.522), cell(0.3, 0.547), cell(0.4, 0.561), cell(0.5, 0.591),                \
        cell(0.6, 0.611), cell(0.7, 0.645), cell(0.8, 0.691), cell(0.9, 0.756), cell(1.0, 0.898)

static const struct repro_cell switching_cells[SWITCHING_CELLS] = {
    CELLS(", 6w", ADAPTIVE_SPEC, PIMC_400),
    EACH(WITH_RANDOM),
    CELLS(", never", "amcts:rule=never", PIMC_400),
    CELLS(", always", "amcts:rule=always", PIMC_400),
    EACH(SWITCHING_AGAINST),
};

/* Cells are ordered by kind, then df. */
static int cell_of(int kind, int i) {
    return kind * SYNTH_DFS + i;
}

static double leaves_of(const struct repro_data *data, int kind, int i) {
    return rows_sum(data, cell_of(kind, i), SYNTH_LEAVES_A).mean;
}

/* ---- rows ---- */

static void add_row(const struct repro_data *data, struct repro_result *out, int i, const char *what,
                    double ours) {
    struct repro_row *row =
        rows_add(out, rows_label("df %.1f: %s", (i + 1) / 10.0, what).text, "", REPRO_NONE);
    row->ours = ours;
    row->repetitions = rows_sum(data, cell_of(ADAPTIVE, i), SYNTH_MEAN).n;
}

/* One arm's leaves, another's being 1, at the df where they are fewest and where they are most. */
static struct interval relative_costs(const struct repro_data *data, int arm, int other) {
    return cost_ratios(data, cell_of(arm, 0), SYNTH_LEAVES_A, cell_of(other, 0), SYNTH_LEAVES_A);
}

/* The probability of equal cost is what `theta` of random switching should be, measured in this run: a
 * check of the constants above. */
static void add_switching_costs(const struct repro_data *data, struct repro_result *out) {
    static const struct rows_column leaves = {ROWS_MEAN, SYNTH_LEAVES_A, ": [leaves_a_move|leaves a move]",
                                              .range = {0, (double)INFINITY}};
    rows_add_columns(data, out, (struct rows_span){0, ARMS * SYNTH_DFS}, &leaves, 1);
    for (int i = 0; i < SYNTH_DFS; i++) {
        const double never = leaves_of(data, NEVER, i), more = leaves_of(data, ALWAYS, i) - never;
        add_row(data, out, i, "[randoms_leaves|random's leaves], 6w[are_1|'s are 1]",
                cost_ratio(data, cell_of(RANDOM, i), SYNTH_LEAVES_A, cell_of(ADAPTIVE, i), SYNTH_LEAVES_A));
        add_row(data, out, i, "[equal_cost|probability of equal cost]",
                more > 0 ? (leaves_of(data, ADAPTIVE, i) - never) / more : 0);
    }
    rows_add_columns(data, out, (struct rows_span){0, (RANDOM + 1) * SYNTH_DFS}, &switched_column, 1);
}

/* 6w's payoff against PIMC less another arm's: at df number i, or with i < 0 over all of them. */
static struct cell_sum difference(const struct repro_data *data, int other, int i) {
    const struct rows_span at = {i < 0 ? 0 : i, i < 0 ? SYNTH_DFS : 1};
    return synth_contrast(data, SYNTH_MEAN, (struct rows_span){cell_of(ADAPTIVE, at.first), at.count},
                          (struct rows_span){cell_of(other, at.first), at.count});
}

/* By df and over all: at one df the difference is mostly smaller than its interval. */
static void add_differences(const struct repro_data *data, struct repro_result *out, int other) {
    for (int i = 0; i < SYNTH_DFS; i++) {
        const struct rows_label label =
            rows_label("df %.1f: [payoff|payoff], 6w[less| less ]%s", (i + 1) / 10.0, switching_names[other]);
        rows_add_mean(out, label.text, "", 1, difference(data, other, i), LEAD_RANGE);
    }
    rows_add_mean(
        out, rows_label("[all_df|all df]: [payoff|payoff], 6w[less| less ]%s", switching_names[other]).text,
        "", 1, difference(data, other, -1), LEAD_RANGE);
}

/* ---- findings ---- */

/* Random's leaves less a multiple of 6w's. */
static struct cell_sum costs_apart(const struct repro_data *data, int i, double multiple) {
    const struct rows_term terms[] = {{cell_of(RANDOM, i), SYNTH_LEAVES_A, 1},
                                      {cell_of(ADAPTIVE, i), SYNTH_LEAVES_A, -multiple}};
    return rows_contrast(data, terms, 2);
}

/* A ratio within 1 +- COST_MARGIN, tested deal by deal (E. C. Fieller's way: the ratio is above r when the
 * one less r times the other is above 0). */
static struct test costs_are_equal(const struct repro_data *data, int i) {
    struct test t = rows_is_within(costs_apart(data, i, 1), 0, 1);
    t.kind = TEST_EQUAL;
    t.margin = COST_MARGIN;
    t.p_for = fmax(rows_is_above(costs_apart(data, i, 1 - COST_MARGIN), 0).p_for,
                   rows_is_above(costs_apart(data, i, 1 + COST_MARGIN), 0).p_against);
    t.p_against = 2 * fmin(rows_is_above(costs_apart(data, i, 1), 0).p_for,
                           rows_is_above(costs_apart(data, i, 1), 0).p_against);
    return t;
}

/* The first finding is a condition of the others. That the difference to `always` may be 0 or above is
 * enough for the last: 6w costs less. */
static void judge_switching(const struct repro_data *data, struct repro_result *out) {
    const struct rows_span duels = {cell_of(DUEL, 0), SYNTH_DFS}, none = {0};
    const struct cell_sum random = difference(data, RANDOM, -1), never = difference(data, NEVER, -1),
                          always = difference(data, ALWAYS, -1),
                          behind = {always.n, -always.sum, -always.mean, always.error, {0}},
                          duel = synth_contrast(data, SYNTH_MEAN, duels, none);
    const struct verdicts v = judge_cells(data, duels);
    const struct interval share = relative_costs(data, ADAPTIVE, ALWAYS),
                          cost = relative_costs(data, RANDOM, ADAPTIVE);
    struct test same_cost[SYNTH_DFS], more[1 + SYNTH_DFS];
    for (int i = 0; i < SYNTH_DFS; i++)
        same_cost[i] = costs_are_equal(data, i);
    rows_add_finding(
        out, same_cost, SYNTH_DFS, "finding.random_switching_costs_much",
        "random switching costs as much as 6w, or the rest would mean nothing: %.3f to %.3f times its leaves",
        cost.low, cost.high);
    rows_add_finding(
        out, TESTS(rows_is_above(random, 0)), "finding.matters_when_against_pimc",
        "it matters when: against PIMC 6w gets more than random switching at equal cost, by %+.4f "
        "(%+.4f to %+.4f) over all df",
        random.mean, random.t95.low, random.t95.high);
    rows_add_finding(
        out, more, more_tests(data, duels, more), "finding.head_head_6w_gets",
        "head to head 6w gets more than random switching: %.4f (%.4f to %.4f) over all df, above "
        "2.00 at %d of %d df, below at %d",
        duel.mean, duel.t95.low, duel.t95.high, v.above, SYNTH_DFS, v.below);
    rows_add_finding(out, TESTS(rows_is_above(never, 0)), "finding.searching_again_pays_6w",
                     "searching again pays: 6w gets more than never, by %+.4f (%+.4f to %+.4f) over all df",
                     never.mean, never.t95.low, never.t95.high);
    rows_add_finding(
        out, TESTS(rows_is_at_most(behind, 0, BEHIND)), "finding.6w_not_behind_always",
        "6w is not behind always: the difference is %+.4f (%+.4f to %+.4f) over all df, at %.3g to %.3g of "
        "its leaves",
        always.mean, always.t95.low, always.t95.high, share.low, share.high);
}

/* ---- pictures ---- */

static const char *const switching_dfs[SYNTH_DFS] = {"0.1", "0.2", "0.3", "0.4", "0.5",
                                                     "0.6", "0.7", "0.8", "0.9", "1.0"};

/* 6w's lead over random switching: against PIMC, and head to head. */
static struct cell_sum lead_at(const struct repro_data *data, int line, int point) {
    if (line == 0)
        return difference(data, RANDOM, point);
    struct cell_sum s = rows_sum(data, cell_of(DUEL, point), SYNTH_MEAN);
    s.mean -= SYNTH_EVEN;
    s.t95.low -= SYNTH_EVEN;
    s.t95.high -= SYNTH_EVEN;
    return s;
}

static void switching_finish(const struct repro_data *data, struct repro_result *out) {
    rows_add_columns(data, out, (struct rows_span){0, SWITCHING_CELLS}, &payoff_column, 1);
    for (int other = RANDOM; other < ARMS; other++)
        add_differences(data, out, other);
    add_switching_costs(data, out);
    judge_switching(data, out);
    static const char *const leads[] = {"[key_difference|against PIMC, the difference]",
                                        "[key_head_to_head|head to head, above 2.00]"};
    struct lines lines = {.count = ARMS,
                          .points = SYNTH_DFS,
                          .names = switching_names,
                          .places = switching_dfs,
                          .axis_x = AXIS_DF,
                          .axis_y = AXIS_PAYOFF,
                          .format = "%.2f",
                          .per_line = SYNTH_DFS,
                          .per_point = 1,
                          .value = SYNTH_MEAN,
                          .level = SYNTH_EVEN,
                          .level_key = EVEN_LEVEL,
                          .joined = true};
    plot_lines(data, out, "payoff", "When AMCTS searches again: payoff against PIMC", &lines);
    lines.value = SYNTH_LEAVES_A;
    lines.axis_y = AXIS_LEAVES;
    lines.format = "%.0f";
    lines.logarithmic = true;
    lines.level = 400;
    lines.level_key = "PIMC";
    plot_lines(data, out, "leaves", "When AMCTS searches again: cost", &lines);
    lines.count = 2;
    lines.names = leads;
    lines.at = lead_at;
    lines.axis_y = "[payoff|payoff]";
    lines.format = "%.2f";
    lines.logarithmic = false;
    lines.level = 0;
    lines.level_key = "[no_lead|no lead]";
    plot_lines(data, out, "lead", "Lead of 6w over random switching at equal cost", &lines);
}

const struct repro_experiment repro_synth_switching = {
    REPRO_EXPERIMENT("synth", "switching", switching_cells),
    .part_of = "synth-all",
    .title = "AMCTS that searches again by 6w, at random at the same cost, never and always",
    .source = SYNTH_SOURCE ", equation (6)",
    .published = "(not in the paper) that the choice of when to search again is what pays",
    .duration = "about a minute on two cores",
    .version = 1,
    .repetitions = SYNTH_DEALS,
    .repetitions_quick = 150,
    .value_names = value_names,
    .run = synth_play_deal,
    .finish = switching_finish,
};
