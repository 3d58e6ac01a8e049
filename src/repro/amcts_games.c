/* SPDX-License-Identifier: MIT
 *
 * PIMC, IIMC and AMCTS against each other at equal cost, on synthetic trees and on games beside them; and
 * whether leaf correlation, bias and disambiguation factor, measured in a game, predict who is ahead there.
 *
 * The space of synthetic trees (Long, Sturtevant, Buro and Furtak, AAAI 2010: payoffs +1 and -1) is a grid of
 * cells, each with the three pairings. A game's point in this space is measured by random play
 * (audit/measure.h) and its prediction is the space's result there, interpolated linearly between the grid's
 * cells. The games are synthetic trees of other kinds, Kuhn poker and endings of Geister; none of them is a
 * cell of the space.
 */
#include "audit/measure.h"
#include "base/mem.h"
#include "match/clocked_game.h"
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* ---- players: as many leaves a decision for each ----
 *
 * AMCTS's first search is a tenth of that, 400 simulations as in the paper; the second has the rest. Where
 * AMCTS does not search again it uses less: that is its adaptation. */

#define PIMC  "pimc:leaves=4000"
#define IIMC  "iimc:leaves=4000,inner=50,opponent=random"
#define AMCTS "amcts:sims=400,leaves=4000,inner=50,opponent=random"

enum { PAIRINGS = 3 };

static const char *const pairings[PAIRINGS] = {"AMCTS[less| less ]PIMC", "IIMC[less| less ]PIMC",
                                               "AMCTS[less| less ]IIMC"};

#define PAIRS(label, game, part)                                                                             \
    {label ", AMCTS[against| against ]PIMC", 0, {AMCTS, PIMC}, game, part},                                  \
        {label ", IIMC[against| against ]PIMC", 0, {IIMC, PIMC}, game, part}, {                              \
        label ", AMCTS[against| against ]IIMC", 0, {AMCTS, IIMC}, game, part                                 \
    }

/* ---- the space: a grid over the whole cube; a bias below a half is the same with the sides exchanged ----
 */

enum { LCS = 3, BIASES = 3, DFS = 4, PLACES = LCS * BIASES * DFS };

static const double lcs[LCS] = {0, 0.5, 1}, biases[BIASES] = {0.5, 0.75, 1}, dfs[DFS] = {0, 0.3, 0.6, 1};

#define PLACE(df, bias, lc)                                                                                  \
    PAIRS("lc " #lc "[cell_bias| bias ]" #bias "[cell_df| df ]" #df,                                         \
          "synth:payoffs=signs,lc=" #lc ",bias=" #bias ",df=" #df, 0)
#define PLACE_LCS(df, bias) PLACE(df, bias, 0), PLACE(df, bias, 0.5), PLACE(df, bias, 1)
#define PLACE_BIASES(df)    PLACE_LCS(df, 0.5), PLACE_LCS(df, 0.75), PLACE_LCS(df, 1)

/* ---- the games ---- */

/* Endings are positions after so many random actions: so many plies before the draw. Positions of random play
 * that ended earlier are drawn again. */
enum { SETUPS = 2, LIMIT = 120 };

static const struct contest {
    const char *name, *game;
    int opening; /* random actions before the players begin */
} contests[] = {
    {"synth, df 0.1", "synth:df=0.1"},
    {"synth, df 0.5", "synth:df=0.5"},
    {"synth, df 0.9", "synth:df=0.9"},
    {"synth, lc 0.9, df 0.8", "synth:lc=0.9,df=0.8"},
    {"synth, [mirror|mirror]", "synth:uncorr=mirror,lc=0.7,bias=0.6,df=0.3"},
    {"synth, [actions|{3} actions]", "synth:branching=3,depth=5,lc=0.2,bias=0.6,df=0.4"},
    {"synth, [types|{32} types]", "synth:worlds=32,lc=0.4,df=0.7"},
    {"synth, [depth|depth {10}]", "synth:payoffs=signs,depth=10,lc=0.25,bias=0.9,df=0.7"},
    {"synth, [types|{2} types]", "synth:worlds=2,depth=4,lc=0.6,bias=0.5,df=0.2"},
    {"kuhn", "kuhn"},
    {"geister, [last_plies|last {8} plies]", "geister:plies=120", SETUPS + LIMIT - 8},
    {"geister, [last_plies|last {16} plies]", "geister:plies=120", SETUPS + LIMIT - 16},
};
enum { CONTESTS = sizeof contests / sizeof contests[0] };

enum { FIRST_CONTEST = PLACES * PAIRINGS, CELLS = FIRST_CONTEST + CONTESTS * PAIRINGS };

/* In the order of `contests`. */
static const struct repro_cell cells[CELLS] = {
    PLACE_BIASES(0),
    PLACE_BIASES(0.3),
    PLACE_BIASES(0.6),
    PLACE_BIASES(1),
    PAIRS("synth, df 0.1", "synth:df=0.1", 0),
    PAIRS("synth, df 0.5", "synth:df=0.5", 0),
    PAIRS("synth, df 0.9", "synth:df=0.9", 0),
    PAIRS("synth, lc 0.9, df 0.8", "synth:lc=0.9,df=0.8", 0),
    PAIRS("synth, [mirror|mirror]", "synth:uncorr=mirror,lc=0.7,bias=0.6,df=0.3", 0),
    PAIRS("synth, [actions|{3} actions]", "synth:branching=3,depth=5,lc=0.2,bias=0.6,df=0.4", 0),
    PAIRS("synth, [types|{32} types]", "synth:worlds=32,lc=0.4,df=0.7", 0),
    PAIRS("synth, [depth|depth {10}]", "synth:payoffs=signs,depth=10,lc=0.25,bias=0.9,df=0.7", 0),
    PAIRS("synth, [types|{2} types]", "synth:worlds=2,depth=4,lc=0.6,bias=0.5,df=0.2", 0),
    PAIRS("kuhn", "kuhn", 0),
    PAIRS("geister, [last_plies|last {8} plies]", "geister:plies=120", 4),
    PAIRS("geister, [last_plies|last {16} plies]", "geister:plies=120", 4),
};

static int contest_cell(int contest, int pairing) {
    return FIRST_CONTEST + contest * PAIRINGS + pairing;
}

/* ---- a repetition: one position from both seats ---- */

/* Payoffs are shares of the game's whole range; the lead is A's mean above an even result, and moves are the
 * decisions of both sides in a game. */
enum { VALUE_FIRST, VALUE_SECOND, VALUE_LEAD, VALUE_LEAVES_A, VALUE_LEAVES_B, VALUE_MOVES };

static const char *const value_names[] = {"first", "second", "lead", "leaves_a", "leaves_b", "moves", NULL};

static int opening_of(const struct repro_task *task) {
    const int cell = (int)(task->cell - task->experiment->cells);
    return cell < FIRST_CONTEST ? 0 : contests[(cell - FIRST_CONTEST) / PAIRINGS].opening;
}

/* Both seats get the same position: the openings are the same random actions of the same deal. */
static bool start(const struct repro_task *task, struct referee *referee, action *list, struct err *e) {
    const struct game *game = task->game->game;
    const int opening = opening_of(task);
    for (uint64_t attempt = 0;; attempt++) {
        struct rng r;
        rng_seed_stream(&r, task->deal_seed, attempt);
        referee_start(referee, task->game, rng_next(&r), NULL);
        int played = 0;
        for (; played < opening && referee_mover(referee) != NOBODY; played++) {
            const int count = game->actions(referee->state, list);
            if (!referee_answer(referee, list[rng_below(&r, (uint32_t)count)], -1, e))
                return false;
        }
        if (referee_mover(referee) != NOBODY)
            return true;
    }
}

struct deal {
    const struct repro_task *task;
    struct player *players[2]; /* A and B */
    action *list;
    double leaves[2];
    int moves[2];
};

/* A's payoff, with A at that seat. */
static bool play_seat(struct deal *deal, int seat, struct repro_repetition *out, struct err *e) {
    const struct repro_task *task = deal->task;
    struct referee referee;
    bool ok = start(task, &referee, deal->list, e);
    for (int side; ok && !budget_is_stopped(task->stop) && (side = referee_mover(&referee)) != NOBODY;) {
        const int who = side ^ seat;
        const struct play_decision d = play_decide(task, &referee, deal->players[who]);
        out->ms += d.ms;
        deal->leaves[who] += (double)d.answer.leaves;
        deal->moves[who]++;
        ok = referee_answer(&referee, d.answer.chosen, -1, e) &&
             (referee.forfeiter == NOBODY || err_set(e, "%s", referee.fault.text));
    }
    if (ok && referee_mover(&referee) == NOBODY)
        out->values[VALUE_FIRST + seat] = referee_payoff(&referee, seat);
    return ok;
}

static bool run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    const struct game *game = task->game->game;
    struct deal deal = {.task = task, .list = mem_alloc((size_t)game->actions_max * sizeof(action))};
    bool ok = true;
    for (int who = 0; ok && who < 2; who++)
        ok = (deal.players[who] = player_open(task->cell->players[who], game, e)) != NULL;
    for (int seat = 0; ok && seat < 2; seat++)
        ok = play_seat(&deal, seat, out, e);
    double *v = out->values;
    v[VALUE_LEAD] = (v[VALUE_FIRST] + v[VALUE_SECOND]) / 2 - 0.5;
    for (int who = 0; who < 2; who++) {
        v[VALUE_LEAVES_A + who] = deal.leaves[who] / (deal.moves[who] > 0 ? deal.moves[who] : 1);
        player_close(deal.players[who]);
    }
    v[VALUE_MOVES] = (deal.moves[0] + deal.moves[1]) / 2.0;
    snprintf(out->note, sizeof out->note, "%g, %g", v[VALUE_FIRST], v[VALUE_SECOND]);
    mem_free(deal.list);
    return ok;
}

/* ---- points and predictions ---- */

/* A place on an axis: between step `at` and the next one, this far along (0 … 1). */
struct between {
    int at;
    double far;
};

static struct between locate(double x, const double *steps, int count) {
    struct between b = {0, 0};
    assert(count >= 2);
    while (b.at < count - 2 && x > steps[b.at + 1])
        b.at++;
    b.far = fmin(fmax((x - steps[b.at]) / (steps[b.at + 1] - steps[b.at]), 0), 1);
    return b;
}

/* The space's result at that point: a mean of the eight cells around it. */
static struct cell_sum predict(const struct repro_data *data, const struct measure_report *point,
                               int pairing) {
    const double bias = point->bias[MEASURE_WINNER].games > 0 ? point->bias[MEASURE_WINNER].value : 0.5;
    const struct between x = locate(point->correlation[MEASURE_WINNER].value, lcs, LCS),
                         y = locate(fmax(bias, 1 - bias), biases, BIASES),
                         z = locate(point->disambiguation.value, dfs, DFS);
    struct rows_term terms[8];
    int count = 0;
    for (int corner = 0; corner < 8; corner++) {
        const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const int place = ((z.at + k) * BIASES + y.at + j) * LCS + x.at + i;
        const double weight = (i ? x.far : 1 - x.far) * (j ? y.far : 1 - y.far) * (k ? z.far : 1 - z.far);
        if (weight > 0)
            terms[count++] = (struct rows_term){place * PAIRINGS + pairing, VALUE_LEAD, weight};
    }
    assert(count > 0);
    return rows_contrast(data, terms, count);
}

/* The result in a game is ahead, or behind, when its interval excludes an even one. */
static int sign_of(struct cell_sum sum) {
    return (sum.t95.low > 0) - (sum.t95.high < 0);
}

/* ---- rows ---- */

#define LEAD_RANGE ((struct rows_range){-0.5, 0.5})

/* Random games for a point: it is to be about as precise as the results. */
enum { GAMES_MIN = 1000, GAMES_MAX = 20000, GAMES_PER_REPETITION = 50 };

static int measured_games(const struct repro_data *data) {
    const int repetitions = rows_sum(data, FIRST_CONTEST, VALUE_LEAD).n;
    if (repetitions > GAMES_MAX / GAMES_PER_REPETITION)
        return GAMES_MAX;
    return repetitions * GAMES_PER_REPETITION > GAMES_MIN ? repetitions * GAMES_PER_REPETITION : GAMES_MIN;
}

/* In the last decisions only where the players play only those. By one thread: it takes a second or two. */
static bool measure_contest(const struct contest *contest, int games, uint64_t seed,
                            struct measure_report *out, struct err *e) {
    struct scenario *scenario = game_load_spec(contest->game, e);
    const struct measure_task task = {.scenario = scenario,
                                      .games = games,
                                      .last = contest->opening > 0 ? SETUPS + LIMIT - contest->opening : 0,
                                      .seed = seed,
                                      .workers = 1};
    const bool ok = scenario != NULL && measure_game(&task, out, e);
    game_unload(scenario);
    return ok;
}

static void add_figure(struct repro_result *out, const char *name, const char *what,
                       const struct measure_figure *f) {
    struct repro_row *row = rows_add(out, rows_label("%s: %s", name, what).text, "", REPRO_NONE);
    if (f->games == 0)
        return;
    row->ours = f->value;
    row->low = f->t95.low;
    row->high = f->t95.high;
    row->repetitions = f->games;
}

/* The point, then for each pairing the result, its prediction, and the leaves of a decision. */
static void add_contest(const struct repro_data *data, struct repro_result *out, int contest,
                        const struct measure_report *point) {
    const char *name = contests[contest].name;
    add_figure(out, name, "[leaf_correlation|leaf correlation]", &point->correlation[MEASURE_WINNER]);
    add_figure(out, name, "[bias|bias]", &point->bias[MEASURE_WINNER]);
    add_figure(out, name, "[disambiguation|disambiguation factor]", &point->disambiguation);
    for (int pairing = 0; pairing < PAIRINGS; pairing++) {
        const int cell = contest_cell(contest, pairing);
        rows_add_mean(out, rows_label("%s: %s", name, pairings[pairing]).text, "%", 100,
                      rows_sum(data, cell, VALUE_LEAD), LEAD_RANGE);
        rows_add_mean(out, rows_label("%s: %s, [predicted|predicted]", name, pairings[pairing]).text, "%",
                      100, predict(data, point, pairing), LEAD_RANGE);
    }
    rows_add_mean(out, rows_label("%s: [leaves_a_move|leaves a move], AMCTS", name).text, "", 1,
                  rows_sum(data, contest_cell(contest, 0), VALUE_LEAVES_A), ROWS_NOT_NEGATIVE);
}

/* ---- findings ---- */

/* How far a prediction is from the results, less how far the mean of the whole space is: below 0 where the
 * point says something. A mean over games, whose pairings are not independent of each other. */
static struct cell_sum gain_over_mean(const struct repro_data *data, const struct measure_report *points) {
    double means[PAIRINGS] = {0}, gains[CONTESTS], squares = 0;
    struct cell_sum s = {.n = CONTESTS};
    for (int pairing = 0; pairing < PAIRINGS; pairing++)
        for (int place = 0; place < PLACES; place++)
            means[pairing] += rows_sum(data, place * PAIRINGS + pairing, VALUE_LEAD).mean / PLACES;
    for (int i = 0; i < CONTESTS; i++) {
        gains[i] = 0;
        for (int pairing = 0; pairing < PAIRINGS; pairing++) {
            const double result = rows_sum(data, contest_cell(i, pairing), VALUE_LEAD).mean,
                         predicted = predict(data, &points[i], pairing).mean;
            gains[i] += (fabs(result - means[pairing]) - fabs(result - predicted)) / PAIRINGS;
        }
        s.sum += gains[i];
    }
    s.mean = s.sum / CONTESTS;
    for (int i = 0; i < CONTESTS; i++)
        squares += (gains[i] - s.mean) * (gains[i] - s.mean);
    rows_set_error(&s, squares);
    return s;
}

/* A game counts as predicted when the sign is right in all its pairings that are decided; the pairings of one
 * game are not independent, so games and not pairings are the trials. */
static void judge(const struct repro_data *data, struct repro_result *out,
                  const struct measure_report *points) {
    struct proportion games = {0, 0};
    int decided = 0, right = 0;
    for (int i = 0; i < CONTESTS; i++) {
        int decided_here = 0, right_here = 0;
        for (int pairing = 0; pairing < PAIRINGS; pairing++) {
            const int sign = sign_of(rows_sum(data, contest_cell(i, pairing), VALUE_LEAD));
            const double predicted = predict(data, &points[i], pairing).mean;
            decided_here += sign != 0;
            right_here += sign != 0 && sign * predicted > 0;
        }
        decided += decided_here;
        right += right_here;
        games.n += decided_here > 0;
        games.successes += decided_here > 0 && right_here == decided_here;
    }
    const struct cell_sum gain = gain_over_mean(data, points);
    rows_add_finding(
        out, TESTS(test_share_above(games, 0.5)), "finding.point_predicts_who_is_ahead",
        "the measured point predicts who is ahead: in all decided pairings of %.0f of %d games (%d of %d "
        "pairings)",
        games.successes, games.n, right, decided);
    rows_add_finding(
        out, TESTS(rows_is_above(gain, 0)), "finding.point_says_more_than_mean",
        "the point says more than the mean of all synthetic trees: predictions are %.2f %% of the payoff "
        "range nearer (%.2f to %.2f)",
        100 * gain.mean, 100 * gain.t95.low, 100 * gain.t95.high);
}

/* A point for each game and pairing, a colour for each pairing. A perfect prediction is on the diagonal. */
static void plot_predictions(const struct repro_data *data, struct repro_result *out,
                             const struct measure_report *points) {
    static const char *const colours[PAIRINGS] = {"#2f6db5", "#d9822b", "#5a9e4b"};
    struct repro_plot *plot = plot_add(out, "predictions", "Results in games and their predictions");
    text_add_string(&plot->data, "pairing,predicted,result,low,high\n");
    for (int pairing = 0; pairing < PAIRINGS; pairing++)
        for (int i = 0; i < CONTESTS; i++) {
            const struct cell_sum result = rows_sum(data, contest_cell(i, pairing), VALUE_LEAD);
            text_add(&plot->data, "%d", pairing);
            plot_number(100 * predict(data, &points[i], pairing).mean, &plot->data);
            plot_number(100 * result.mean, &plot->data);
            plot_number(100 * result.t95.low, &plot->data);
            plot_number(100 * result.t95.high, &plot->data);
            text_add_string(&plot->data, "\n");
        }
    plot_axes(plot, "[axis_predicted|predicted lead (% of the payoff range)]",
              "[axis_lead|lead in the game (% of the payoff range)]");
    plot_key(plot, PAIRINGS + 1);
    for (int pairing = 0; pairing < PAIRINGS; pairing++)
        text_add(&plot->drawing,
                 "%s data skip 1 using ($1 == %d ? $2 : NaN):3 with points pt %d ps 0.7 lc rgb \"%s\" "
                 "title \"%s\", \\\n"
                 "     data skip 1 using ($1 == %d ? $2 : NaN):4:(0):($5 - $4) with vectors heads "
                 "size screen 0.003,90 lw 1.2 lc rgb \"%s\" notitle, \\\n",
                 pairing == 0 ? "plot" : "    ", pairing, 5 + 2 * pairing, colours[pairing],
                 plot_text(plot, pairings[pairing]).text, pairing, colours[pairing]);
    text_add(&plot->drawing, "     x with lines dt 2 lc rgb \"#111111\" title \"%s\"\n",
             plot_text(plot, "[as_predicted|as predicted]").text);
    plot_script(plot);
}

static void finish(const struct repro_data *data, struct repro_result *out) {
    struct measure_report points[CONTESTS];
    for (int i = 0; i < CONTESTS; i++) {
        if (!measure_contest(&contests[i], measured_games(data), out->seed, &points[i], &out->failure))
            return;
        add_contest(data, out, i, &points[i]);
    }
    judge(data, out, points);
    plot_predictions(data, out, points);
}

const struct repro_experiment repro_amcts_games = {
    REPRO_EXPERIMENT("amcts", "games", cells),
    .title = "PIMC, IIMC and AMCTS at equal cost on several games, and whether a game's measured point "
             "predicts them",
    .source = SYNTH_SOURCE ", section "
                           "7; Long, "
                           "Sturtevant, Buro and Furtak, AAAI 2010",
    .published =
        "(an open question of the paper) whether the parameters of synthetic trees describe real games",
    .duration = "about two minutes on two cores",
    .version = 1,
    .repetitions = 1600,
    .repetitions_quick = 40,
    .value_names = value_names,
    .run = run,
    .finish = finish,
};
