/* SPDX-License-Identifier: MIT
 *
 * When should AMCTS search again? Equation (6) is lost; 6w is the reading that this program uses. Here other
 * rules play against it at equal cost. A rule is a row of one table, with the theta at which it costs as many
 * leaves as 6w. `synth-tuning` finds the thetas, `synth-rules` tests the rules. The two run on trees of
 * different seeds: the constants below come from
 *     senjutsu repro synth-tuning --seed 2026
 * and `synth-rules` is meant to be run with another seed.
 */
#include "repro/experiments.h"
#include "search/flat.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* ---- the rules ---- */

/* In how many of the deals a rule is tested. Rules that were ahead of 6w with
 *     senjutsu repro synth-rules --seed 2026
 * have every fourth deal, the others every eighth. One of them was chosen there, for its interval: its test
 * is a finding of its own, with all deals. */
enum { CHOSEN = 0, AHEAD = 4, OTHERS = 8 };

/* X(label, name of the rule, further options, the rule, 2 * power, w0, theta of equal cost, deals) */
#define RULES(X)                                                                                             \
    X("6g", "6g", "", SWITCH_GAP, 0, 8, 0.0401, OTHERS)                                                      \
    X("6g / W^0.5", "6g", ",power=0.5", SWITCH_GAP, 1, 8, 0.1014, OTHERS)                                    \
    X("6g / W^1.5", "6g", ",power=1.5", SWITCH_GAP, 3, 8, 0.6517, AHEAD)                                     \
    X("6g / W^2", "6g", ",power=2", SWITCH_GAP, 4, 8, 1.758, OTHERS)                                         \
    X("6x", "6x", "", SWITCH_GAP_BY_WORLDS, 0, 8, 0.0456, OTHERS)                                            \
    X("6c", "6c", "", SWITCH_ERRORS, 0, 8, 1.067, OTHERS)                                                    \
    X("6c / W^0.5", "6c", ",power=0.5", SWITCH_ERRORS, 1, 8, 2.652, AHEAD)                                   \
    X("6c / W", "6c", ",power=1", SWITCH_ERRORS, 2, 8, 6.837, AHEAD)                                         \
    X("6e", "6e", "", SWITCH_SQUARES, 0, 8, 1.478, OTHERS)                                                   \
    X("6e / W^0.5", "6e", ",power=0.5", SWITCH_SQUARES, 1, 8, 3.677, AHEAD)                                  \
    X("6s", "6s", "", SWITCH_SPREAD, 0, 8, 0.1775, OTHERS)                                                   \
    X("6s / W^0.5", "6s", ",power=0.5", SWITCH_SPREAD, 1, 8, 0.4507, OTHERS)                                 \
    X("6s / W", "6s", ",power=1", SWITCH_SPREAD, 2, 8, 1.131, CHOSEN)                                        \
    X("6s / W^1.5", "6s", ",power=1.5", SWITCH_SPREAD, 3, 8, 2.893, AHEAD)                                   \
    X("6q", "6q", "", SWITCH_RELATIVE, 0, 8, 0.0844, OTHERS)                                                 \
    X("6q / W", "6q", ",power=1", SWITCH_RELATIVE, 2, 8, 0.5172, OTHERS)                                     \
    X("6v", "6v", "", SWITCH_GAIN, 0, 8, 0.01099, AHEAD)                                                     \
    X("6v / W^0.5", "6v", ",power=0.5", SWITCH_GAIN, 1, 8, 0.004028, AHEAD)                                  \
    X("6v / W", "6v", ",power=1", SWITCH_GAIN, 2, 8, 0.001437, OTHERS)                                       \
    X("6n", "6n", "", SWITCH_VISITS, 0, 8, 0.4599, OTHERS)                                                   \
    X("6d", "6d", "", SWITCH_OPEN, 0, 8, 0.2363, OTHERS)                                                     \
    X("6l", "6l", "", SWITCH_BEHIND, 0, 8, 0.7206, OTHERS)                                                   \
    X("6m (W >= 2)", "6m", ",w0=2", SWITCH_MANY, 0, 2, 0.04169, OTHERS)                                      \
    X("6k", "6k", "", SWITCH_COST, 0, 8, 0.4116, OTHERS)                                                     \
    X("6j", "6j", "", SWITCH_LATER, 0, 8, 0.1458, OTHERS)                                                    \
    X("6i", "6i", "", SWITCH_REVERSED, 0, 8, 0.03071, OTHERS)                                                \
    X("random", "random", "", SWITCH_RANDOM, 0, 8, 0.5554, OTHERS)

/* Of 4 points: the smallest lead that would matter. */
#define LEAD 0.01

/* The constants of the two experiments. */
#define BASELINE       "amcts:rule=6w"
#define BASELINE_THETA 0.25
enum { DFS = 3 };

#define AS_RULE(label, name, options, rule, halves, w0, theta, one_in)                                       \
    {label, rule, halves, w0, theta, one_in},
static const struct rule {
    const char *name;
    enum switching_rule rule;
    int halves;
    double w0, theta;
    int one_in;
} rules[] = {RULES(AS_RULE)};
enum { COUNT = sizeof rules / sizeof rules[0] };

/* ---- tuning: what a decision costs under each rule ---- */

/* One decision of a game that AMCTS (6w) plays against itself: what the rules look at after the first search,
 * and the leaves without and with the second. */
enum { MEAN_1, MEAN_2, SQUARES_1, SQUARES_2, VISITS_1, VISITS_2, WORLDS, CHOICES, COST, COST_AGAIN };

static const char *const seen_names[] = {"mean_1",   "mean_2",       "squares_1", "squares_2",
                                         "visits_1", "visits_2",     "worlds",    "choices",
                                         "leaves",   "leaves_again", NULL};

static const struct repro_cell tuning_cells[DFS] = {
    {"df 0.1", 0, {BASELINE}, "synth:df=0.1"},
    {"df 0.5", 0, {BASELINE}, "synth:df=0.5"},
    {"df 0.9", 0, {BASELINE}, "synth:df=0.9"},
};

/* As the player `amcts` fills them by default. */
static struct flat_settings settings_of(const struct game *game) {
    return (struct flat_settings){.root = FLAT_TUNED,
                                  .rollout = &game->rollouts[0],
                                  .thinkers = FLAT_OWN,
                                  .inner_sims = 50,
                                  .inner_constant = 25,
                                  .adaptive = true,
                                  .rule = SWITCH_GAP_PER_WORLD,
                                  .theta = BASELINE_THETA,
                                  .worlds_at_start = 8,
                                  .skip_last = true,
                                  .constant = 25};
}

static void note_decision(const struct flat_report *report, const struct search_result *result, double *out) {
    for (int i = 0; i < 2; i++) {
        const struct flat_arm *arm = &report->leaders[i];
        const double n = arm->visits > 0 ? (double)arm->visits : 1;
        out[MEAN_1 + i] = arm->sum / n;
        out[SQUARES_1 + i] = arm->squares / n;
        out[VISITS_1 + i] = (double)arm->visits;
    }
    out[WORLDS] = report->worlds;
    out[CHOICES] = report->choices;
    out[COST] = (double)report->first_leaves;
    out[COST_AGAIN] = (double)result->leaves;
}

/* The decision at ply rep % depth. Its second search always runs, so that its cost is known; the plies before
 * it are played as the baseline plays. */
static bool tuning_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    const struct game *game = task->game->game;
    const int ply = task->unit.rep % 6;
    struct flat *flat = flat_open(game);
    struct flat_settings settings = settings_of(game);
    union search_state state, view;
    struct rng deal, rng;
    (void)e;
    rng_seed(&deal, task->deal_seed);
    rng_seed(&rng, task->seed);
    game->start(&state, task->game, &deal);
    for (int at = 0; at <= ply; at++) {
        struct flat_report report;
        struct search_result result;
        assert(game->mover(&state) != NOBODY); /* six moves, as in every tree here */
        game_view(game, &state, game->mover(&state), &view);
        const struct search_task search = {
            .game = game, .root = &view, .budget = {.stop = task->stop}, .rng = &rng};
        if (at == ply) { /* the choices to come are counted only for rules that use them; theta: always */
            settings.rule = SWITCH_LATER;
            settings.theta = 1e9;
        }
        flat_search(flat, &search, &settings, &result, &report);
        if (at == ply)
            note_decision(&report, &result, out->values);
        game->play(&state, result.chosen, &deal);
    }
    snprintf(out->note, sizeof out->note, "ply %d", ply);
    flat_close(flat);
    return true;
}

/* Leaves of that decision under a rule. It has one random number for all thetas of the random rule. */
static double leaves_of(const struct repro_data *data, int i, const struct rule *rule, double theta) {
    const double *v = data->results[i].values;
    struct flat_arm arms[2];
    struct rng lot;
    rng_seed_stream(&lot, 1, (uint64_t)i);
    for (int k = 0; k < 2; k++)
        arms[k] = (struct flat_arm){.visits = (uint64_t)v[VISITS_1 + k],
                                    .sum = v[MEAN_1 + k] * v[VISITS_1 + k],
                                    .squares = v[SQUARES_1 + k] * v[VISITS_1 + k]};
    const struct switching_case c = {.arms = arms,
                                     .count = 2,
                                     .worlds = v[WORLDS],
                                     .worlds_at_start = rule->w0,
                                     .choices = v[CHOICES],
                                     .halves = rule->halves,
                                     .rng = &lot};
    return switching_decide(rule->rule, theta, &c) ? v[COST_AGAIN] : v[COST];
}

/* The mean over all decisions. */
static double cost_of(const struct repro_data *data, const struct rule *rule, double theta) {
    double leaves = 0;
    for (int i = 0; i < data->count; i++)
        leaves += leaves_of(data, i, rule, theta);
    return data->count > 0 ? leaves / data->count : 0;
}

/* By bisection on a logarithmic scale: leaves rise with theta, or fall (6i, 6v, 6n). */
static double equal_theta(const struct repro_data *data, const struct rule *rule, double leaves) {
    double low = 1e-6, high = 1e3;
    const bool rises = cost_of(data, rule, high) > cost_of(data, rule, low);
    for (int i = 0; i < 60; i++) {
        const double theta = sqrt(low * high);
        if ((cost_of(data, rule, theta) < leaves) == rises)
            low = theta;
        else
            high = theta;
    }
    return high;
}

/* How far costs may be apart to be called equal. */
#define COST_MARGIN 0.05

static const struct rule baseline = {"6w", SWITCH_GAP_PER_WORLD, 0, 8, BASELINE_THETA, CHOSEN};

/* A rule's leaves with the theta in use less 6w's, decision by decision: within the margin of 6w's mean,
 * whose error is small beside it, or one leaf. */
static struct test theta_is_equal(const struct repro_data *data, const struct rule *rule, double leaves) {
    const double mean = cost_of(data, rule, rule->theta) - leaves;
    double squares = 0;
    for (int i = 0; i < data->count; i++) {
        const double d =
            leaves_of(data, i, rule, rule->theta) - leaves_of(data, i, &baseline, BASELINE_THETA) - mean;
        squares += d * d;
    }
    const double error = data->count > 1 ? sqrt(squares / (data->count - 1) / data->count) : (double)INFINITY;
    return test_within(mean, error, data->count, fmax(COST_MARGIN * leaves, 1));
}

static void tuning_finish(const struct repro_data *data, struct repro_result *out) {
    const double leaves = cost_of(data, &baseline, BASELINE_THETA);
    double least = (double)INFINITY, most = 0;
    struct test equal[COUNT];
    struct repro_row *row = rows_add(out, "6w: [leaves_a_move|leaves a move]", "", REPRO_NONE);
    row->ours = leaves;
    row->repetitions = data->count;
    for (int i = 0; i < COUNT; i++) {
        row = rows_add(out, rows_label("%s: [equal_theta|theta of equal leaves]", rules[i].name).text, "",
                       REPRO_NONE);
        row->ours = equal_theta(data, &rules[i], leaves);
        row->repetitions = data->count;
        const double cost = leaves > 0 ? cost_of(data, &rules[i], rules[i].theta) / leaves : 0;
        least = fmin(least, cost);
        most = fmax(most, cost);
        equal[i] = theta_is_equal(data, &rules[i], leaves);
    }
    rows_add_finding(out, equal, COUNT, "finding.thetas_cost_as_much",
                     "with the thetas in use every rule costs as much as 6w: %.3f to %.3f times its leaves",
                     least, most);
}

const struct repro_experiment repro_synth_tuning = {
    REPRO_EXPERIMENT("synth", "tuning", tuning_cells),
    .title = "the theta at which each switching rule of AMCTS costs as much as 6w",
    .source = SYNTH_SOURCE ", equation (6)",
    .published = "(not in the paper)",
    .duration = "a few seconds",
    .version = 1,
    .repetitions = 6000,
    .repetitions_quick = 2400,
    .value_names = seen_names,
    .run = tuning_run,
    .finish = tuning_finish,
};

/* ---- the test: each rule against 6w ---- */

/* Three cells a rule. Both players have the same random numbers at a seat and 6w against itself gets exactly
 * 2.00, so only decisions at which the two rules differ count. */
#define AGAINST(df, label, name, options, theta, one_in)                                                     \
    {                                                                                                        \
        "df " #df ", " label, 0, {"amcts:rule=" name options ",theta=" #theta, BASELINE}, "synth:df=" #df,   \
            one_in                                                                                           \
    }
#define AS_CELLS(label, name, options, rule, halves, w0, theta, one_in)                                      \
    AGAINST(0.1, label, name, options, theta, one_in), AGAINST(0.5, label, name, options, theta, one_in),    \
        AGAINST(0.9, label, name, options, theta, one_in),

static const struct repro_cell rules_cells[] = {RULES(AS_CELLS)};

static const char *const rules_names[] = {"first",    "second",   "mean",     "ms_a", "ms_b",
                                          "leaves_a", "leaves_b", "switched", NULL};

static struct rows_span cells_of(int rule) {
    return (struct rows_span){rule * DFS, DFS};
}

/* A mean over the three df. */
static struct cell_sum over_dfs(const struct repro_data *data, int rule, int value) {
    return synth_contrast(data, value, cells_of(rule), (struct rows_span){0});
}

#define PAYOFF_RANGE ((struct rows_range){0, 2 * SYNTH_EVEN})

/* Payoffs by df and over all of them, 2.00 being 6w's, and what the rule costs. */
static void add_rule(const struct repro_data *data, struct repro_result *out, int rule) {
    static const struct rows_column payoff = {ROWS_MEAN, SYNTH_MEAN, ": [payoff|payoff]",
                                              .range = {0, 2 * SYNTH_EVEN}};
    const struct cell_sum mean = over_dfs(data, rule, SYNTH_MEAN), own = over_dfs(data, rule, SYNTH_LEAVES_A),
                          other = over_dfs(data, rule, SYNTH_LEAVES_B);
    rows_add_columns(data, out, cells_of(rule), &payoff, 1);
    rows_add_mean(out, rows_label("[all_df|all df], %s: [payoff|payoff]", rules[rule].name).text, "", 1, mean,
                  PAYOFF_RANGE);
    struct repro_row *row = rows_add(
        out, rows_label("[all_df|all df], %s: [leaves|leaves], 6w[are_1|'s are 1]", rules[rule].name).text,
        "", REPRO_NONE);
    row->ours = other.mean > 0 ? own.mean / other.mean : 0; /* no interval: costs hardly vary */
    row->repetitions = mean.n;
}

/* A line for each rule, from the top; the broken line is 6w. */
static void plot_rules(const struct repro_data *data, struct repro_result *out) {
    struct repro_plot *plot = plot_add(out, "payoff", "Switching rules of AMCTS against 6w at equal cost");
    text_add_string(&plot->data, "rule,payoff,low,high\n");
    text_add(&plot->commands, "high = %d\n", 140 + 20 * COUNT);
    plot_axes(plot, "[axis_payoff|mean payoff (the axis does not begin at 0)]", "[axis_rule|rule]");
    text_add(&plot->commands,
             "set yrange [%d.5:-0.5]\n"
             "set format x \"%%.2f\"\n"
             "set grid xtics ytics " PLOT_GRID "\n"
             "set arrow 1 from %g, graph 0 to %g, graph 1 nohead dt 2 lw 1.5 lc rgb \"#111111\"\n"
             "set ytics scale 0 noenhanced\n",
             COUNT - 1, SYNTH_EVEN, SYNTH_EVEN);
    for (int rule = 0; rule < COUNT; rule++) {
        const struct cell_sum mean = over_dfs(data, rule, SYNTH_MEAN);
        text_add(&plot->data, "%s", rows_plain(rules[rule].name).text);
        plot_number(mean.mean, &plot->data);
        plot_number(mean.t95.low, &plot->data);
        plot_number(mean.t95.high, &plot->data);
        text_add_string(&plot->data, "\n");
    }
    plot_key(plot, 2);
    text_add(
        &plot->drawing,
        "plot data skip 1 using 2:0:ytic(1) with points pt 7 ps 0.7 lc rgb \"#2f6db5\" title \"%s\", \\\n"
        "     data skip 1 using 3:0:($4 - $3):(0) " PLOT_INTERVALS_OF(
            "#2f6db5") ", \\\n     NaN with lines dt 2 lw 1.5 lc rgb \"#111111\" title \"6w\"\n",
        plot_text(plot, "[ours_interval|ours, with 95% interval]").text);
    plot_script(plot);
}

/* A's leaves less B's are within the margin of B's, whose error is small beside it, or one leaf. */
static struct test costs_are_equal(const struct repro_data *data, int rule) {
    struct rows_term terms[2 * DFS];
    for (int i = 0; i < DFS; i++) {
        terms[2 * i] = (struct rows_term){cells_of(rule).first + i, SYNTH_LEAVES_A, 1.0 / DFS};
        terms[2 * i + 1] = (struct rows_term){cells_of(rule).first + i, SYNTH_LEAVES_B, -1.0 / DFS};
    }
    const double margin = COST_MARGIN * over_dfs(data, rule, SYNTH_LEAVES_B).mean;
    return rows_is_within(rows_contrast(data, terms, 2 * DFS), 0, fmax(margin, 1));
}

/* The chosen rule has a test of its own. All rules are tested together, so that the best of many is not taken
 * for better by chance: that one of them gets more would be the alternative of the third finding. */
static void rules_finish(const struct repro_data *data, struct repro_result *out) {
    struct test costs[COUNT], more[COUNT], less[COUNT];
    int best = 0, chosen = 0, ahead = 0, behind = 0;
    for (int rule = 0; rule < COUNT; rule++) {
        const struct cell_sum mean = over_dfs(data, rule, SYNTH_MEAN);
        const struct test above = rows_is_above(mean, SYNTH_EVEN);
        add_rule(data, out, rule);
        costs[rule] = costs_are_equal(data, rule);
        more[rule] = rows_is_at_most(mean, SYNTH_EVEN, LEAD);
        less[rule] = test_less(above);
        best = mean.mean > over_dfs(data, best, SYNTH_MEAN).mean ? rule : best;
        chosen = rules[rule].one_in == CHOSEN ? rule : chosen;
        ahead += above.p_for < VERDICT_ALPHA / COUNT;
        behind += above.p_against < VERDICT_ALPHA / COUNT;
    }
    const struct cell_sum top = over_dfs(data, best, SYNTH_MEAN), own = over_dfs(data, chosen, SYNTH_MEAN);
    rows_add_finding(out, costs, COUNT, "finding.rules_cost_as_much",
                     "every rule costs as much as 6w (within %.0f %%), with thetas from other trees",
                     100 * COST_MARGIN);
    rows_add_finding(
        out, TESTS(rows_is_above(own, SYNTH_EVEN)), "finding.chosen_rule_gets_more",
        "the rule that was chosen on other trees, %s, gets more than 6w: %.4f of 4 (%.4f to %.4f)",
        rules[chosen].name, own.mean, own.t95.low, own.t95.high);
    rows_add_finding(
        out, more, COUNT, "finding.no_rule_gets_more",
        "no rule gets more than 6w: %d of %d do and %d get less, each with a %d-th of 5%%; the most: "
        "%s, %.4f of 4 (%.4f to %.4f)",
        ahead, COUNT, behind, COUNT, rules[best].name, top.mean, top.t95.low, top.t95.high);
    rows_add_finding(out, TESTS(less[COUNT - 2], less[COUNT - 1]), "finding.controls_get_less",
                     "the controls get less than 6w: 6i %.4f, random %.4f of 4",
                     over_dfs(data, COUNT - 2, SYNTH_MEAN).mean, over_dfs(data, COUNT - 1, SYNTH_MEAN).mean);
    plot_rules(data, out);
}

const struct repro_experiment repro_synth_rules = {
    REPRO_EXPERIMENT("synth", "rules", rules_cells),
    .title = "rules for when AMCTS searches again, against 6w at equal cost",
    .source = SYNTH_SOURCE ", equation (6)",
    .published = "(not in the paper) a better equation (6) should let AMCTS exceed IIMC",
    .duration = "about three minutes on two cores",
    .version = 1,
    .repetitions = 8 * SYNTH_DEALS,
    .repetitions_quick = 240,
    .value_names = rules_names,
    .run = synth_play_deal,
    .finish = rules_finish,
};
