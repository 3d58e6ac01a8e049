/* SPDX-License-Identifier: MIT
 *
 * `senjutsu measure`: leaf correlation, bias and disambiguation factor of a game, estimated from random play
 * (src/audit/measure.h defines them). Here are options, the table, an explanation of its rows, and JSON.
 */
#include "audit/measure.h"
#include "base/encode.h"
#include "cli/cli.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

enum { GAMES_DEFAULT = 20000, LABEL_WIDTH = 26 };

struct measure {
    struct cli_source source;
    int games, last, jobs;
    uint64_t seed;
    bool json;

    struct scenario *scenario;
    struct measure_report report;
};

/* ---- text ---- */

/* Never "-0.000". */
static double plain(double x) {
    return fabs(x) < 0.0005 ? 0 : x;
}

/* One row; `missing` says why there is no figure. */
static void print_figure(const char *label, const struct measure_figure *f, const char *missing) {
    if (f->games == 0)
        printf("  %-*s      -  %s\n", LABEL_WIDTH, label, missing);
    else
        printf("  %-*s  %5.3f  %5.3f to %5.3f  %9d\n", LABEL_WIDTH, label, plain(f->value), plain(f->t95.low),
               plain(f->t95.high), f->games);
}

#define NO_FAMILY "no random game ended where two actions end it"
#define NO_EQUALS "no siblings had the same payoff"

static void print_rows(const struct measure_report *r) {
    print_figure("leaf correlation", &r->correlation[MEASURE_PAYOFF], NO_FAMILY);
    if (r->has_grades) {
        print_figure("  beyond chance", &r->beyond_chance,
                     r->family.value > 0 ? "all payoffs were equal, or too many different ones" : NO_FAMILY);
        print_figure("  the same winner", &r->correlation[MEASURE_WINNER], NO_FAMILY);
    }
    print_figure("bias", &r->bias[MEASURE_PAYOFF], r->family.value > 0 ? NO_EQUALS : NO_FAMILY);
    if (r->has_grades)
        print_figure("  the same winner", &r->bias[MEASURE_WINNER],
                     r->family.value > 0 ? "no siblings had the same winner" : NO_FAMILY);
    if (r->hides)
        print_figure("disambiguation factor", &r->disambiguation, "no side had anything left to learn");
    else
        printf("  %-*s  1.000  by definition: nothing is hidden in this game\n", LABEL_WIDTH,
               "disambiguation factor");
    print_figure("payoff of random play", &r->payoff, "");
    print_figure("games with siblings", &r->family, "");
}

/* Games are drawn independently and each gives one observation of each row at most. */
static int print_text(const struct measure *c) {
    const struct measure_report *r = &c->report;
    struct text name = {0};
    game_write_spec(c->scenario, &name);
    printf("%s: %d random game%s, %.1f decisions a game, %.1f actions a decision\n", text_string(&name),
           r->games, r->games == 1 ? "" : "s", r->decisions, r->actions);
    text_done(&name);
    if (r->stopped)
        printf("Stopped after %d of %d games.\n", r->games, c->games);
    printf("\n  %-*s  %5s  %14s  %9s\n", LABEL_WIDTH, "", "", "95% interval", "games");
    print_rows(r);
    printf("\nleaf correlation       how often all actions that end the game at its last decision pay the "
           "same\n");
    if (r->has_grades)
        printf(
            "  beyond chance        the same less what random payoffs would give: 0 for independent payoffs\n"
            "  the same winner      only more or less than a half counts\n");
    printf("bias                   what the first side gets there (0 to 1) where they pay the same\n"
           "disambiguation factor  share of attempts to halve an information set that succeed%s\n"
           "games with siblings    share of games whose last decision had at least two actions that end it\n",
           c->last > 0 ? ", near the end" : "");
    return cli_flush();
}

/* ---- JSON ---- */

/* null where it is not known. */
static json_t *figure_json(const struct measure_figure *f) {
    if (f->games == 0)
        return json_null();
    return json_pack("{sf sf sf si}", "value", f->value, "low", f->t95.low, "high", f->t95.high, "games",
                     f->games);
}

/* A game without hidden information has the factor 1 without an interval and without games. */
static json_t *factor_json(const struct measure_report *r) {
    if (r->hides)
        return figure_json(&r->disambiguation);
    return json_pack("{sf sf sf si}", "value", 1.0, "low", 1.0, "high", 1.0, "games", 0);
}

static int print_json(const struct measure *c) {
    const struct measure_report *r = &c->report;
    struct text name = {0};
    game_write_spec(c->scenario, &name);
    json_t *root = json_pack(
        "{ss so si si sb si sb sb sf sf so so so so so so so so}", "game", text_string(&name), "seed",
        jsontext_seed(c->seed), "games", r->games, "games_wanted", c->games, "stopped", r->stopped, "last",
        c->last, "hidden", r->hides, "graded", r->has_grades, "decisions", r->decisions, "actions",
        r->actions, "leaf_correlation", figure_json(&r->correlation[MEASURE_PAYOFF]),
        "leaf_correlation_beyond_chance", figure_json(&r->beyond_chance), "leaf_correlation_winner",
        figure_json(&r->correlation[MEASURE_WINNER]), "bias", figure_json(&r->bias[MEASURE_PAYOFF]),
        "bias_winner", figure_json(&r->bias[MEASURE_WINNER]), "disambiguation", factor_json(r), "payoff",
        figure_json(&r->payoff), "families", figure_json(&r->family));
    text_done(&name);
    return cli_show_json(root);
}

/* ---- the command ---- */

static void show_progress(void *context, double done) {
    const struct measure *c = context;
    if (cli_status_is_due(CLI_REDRAW_MS))
        cli_status_draw("%3.0f%%  %.0f s  %d random games", 100 * done, cli_seconds(), c->games);
}

/* After Ctrl-C the finished games are reported. */
static int run_measure(void *state, const struct cli_call *call, struct err *e) {
    struct measure *c = state;
    (void)call;
    if (c->source.game == NULL && c->source.map == NULL && c->source.rules == NULL)
        c->source.game = "synth";
    if (!cli_check_source(&c->source, e))
        return CLI_USAGE;
    if ((c->scenario = cli_load_source(&c->source, e)) == NULL)
        return CLI_FAILED;
    const struct cli_programs none = {.copies = 1};
    const struct measure_task task = {.scenario = c->scenario,
                                      .games = c->games,
                                      .last = c->last,
                                      .seed = c->seed,
                                      .workers = cli_parallel_games(c->jobs, &none),
                                      .stop = &cli_stop,
                                      .on_progress = show_progress,
                                      .context = c};
    cli_begin();
    cli_status_delay();
    if (!measure_game(&task, &c->report, e))
        return CLI_FAILED;
    cli_status_clear();
    if (c->report.games == 0)
        return cli_error(CLI_FAILED, "stopped");
    return c->json ? print_json(c) : print_text(c);
}

#define AT(field) offsetof(struct measure, field)

static const struct param measure_params[] = {
    {"game", PARAM_STRING, AT(source.game), .value = "SPEC",
     .help =
         "what is measured, as in kuhn ('senjutsu games'; default: synth, or with --map the tactical game)"},
    {"map", PARAM_STRING, AT(source.map), .value = "FILE", .help = "a map of the tactical game"},
    {"rules", PARAM_STRING, AT(source.rules), .value = "SET",
     .help = "of the tactical game: tubstap or paper"},
    {"games", PARAM_INT, AT(games), 1, MEASURE_GAMES_MAX, GAMES_DEFAULT, .help = "random games"},
    {"last", PARAM_INT, AT(last), 0, MEASURE_LAST_MAX, 0, .value = "N",
     .help = "disambiguation in the last N decisions of each game; 0: in all"},
    {"seed", PARAM_U64, AT(seed), .fallback = 1, .help = "of the games"},
    {CLI_JOBS_ROW(AT(jobs))},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON"},
    {0},
};

static void end_measure(void *state) {
    game_unload(((struct measure *)state)->scenario);
}

const struct cli_body cli_measure = {
    sizeof(struct measure), {{measure_params}}, .run = run_measure, .done = end_measure};
