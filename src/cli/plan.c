/* SPDX-License-Identifier: MIT
 *
 * `senjutsu plan`: planning a match: how many games a difference needs, or which difference a number of
 * games can show.
 */
#include "cli/cli.h"

#include "match/statistics.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

struct plan {
    const struct cli_command *command;
    const char *elo_text;
    int games;
    double elo;
    struct needed wanted;
    bool json;
};

/* The largest match, and the factor by which a sequential test may exceed its expected length. */
enum { MATCH_GAMES_MAX = 100000000, SEQUENTIAL_PATIENCE = 5 };

#define PLAN_ELO_MIN 0.1
#define PLAN_ELO_MAX 1000.0

/* The same request with the other hypothesis: stronger (one-sided), or different (two-sided). */
static struct needed sided(const struct plan *p, int sides) {
    struct needed needed = p->wanted;
    needed.two_sided = sides == 2;
    return needed;
}

/* Rounds expected numbers up to complete pairs. */
static int whole_pairs(double games) {
    return 2 * (int)ceil(games / 2);
}

/* ---- games for a difference ---- */

static int plan_games(const struct plan *p) {
    const struct needed *w = &p->wanted;
    struct err e;
    int games[2];
    for (int i = 0; i < 2; i++) {
        const struct needed needed = sided(p, i + 1);
        if (!needed_games(&needed, p->elo, &games[i], &e))
            return cli_fail(p->command, CLI_USAGE, "%s", e.text);
    }
    const struct needed_sequential s = needed_sequential(w, p->elo);
    const int if_none = whole_pairs(s.if_none), if_there = whole_pairs(s.if_there),
              halfway = whole_pairs(s.halfway);
    if (p->json) {
        json_t *root = json_pack("{sf sf sf sf sf s{si si} s{si si si}}", "elo", p->elo, "score",
                                 elo_to_score(p->elo), "draws", w->draws, "alpha", w->alpha, "power",
                                 w->power, "games", "one_sided", games[0], "two_sided", games[1],
                                 "sprt_games", "if_none", if_none, "if_there", if_there, "halfway", halfway);
        return cli_print_json(p->command, root) ? CLI_OK : CLI_FAILED;
    }
    printf("To show a difference of %g Elo (a score of %.1f%%) with %g%% draws, alpha %g and power %g:\n\n",
           p->elo, 100 * elo_to_score(p->elo), 100 * w->draws, w->alpha, w->power);
    printf("  one-sided test    %10d games   is it stronger?\n", games[0]);
    printf("  two-sided test    %10d games   do they differ?\n", games[1]);
    printf("  sequential test   %10d games   on average, if there is no difference\n", if_none);
    printf("                    %10d games   if it is %g Elo\n", if_there, p->elo);
    printf("                    %10d games   if it lies halfway, where the test takes longest\n", halfway);
    if (s.halfway <= MATCH_GAMES_MAX / SEQUENTIAL_PATIENCE)
        printf("\n  senjutsu match A B --games %d\n"
               "  senjutsu match A B --games %d --sprt 0,%g --alpha %g --beta %g\n",
               games[0], SEQUENTIAL_PATIENCE * halfway, p->elo, w->alpha, 1 - w->power);
    return cli_finish_output(p->command) ? CLI_OK : CLI_FAILED;
}

/* ---- a difference for games ---- */

static int plan_difference(const struct plan *p) {
    static const char *const labels[2] = {"one-sided test", "two-sided test"};
    static const char *const questions[2] = {"is it stronger?", "do they differ?"};
    struct err e;
    bool known[2];
    double elo[2] = {0};
    for (int i = 0; i < 2; i++) {
        const struct needed needed = sided(p, i + 1);
        known[i] = needed_elo(&needed, p->games, &elo[i], &e);
    }
    const double error = needed_error(&p->wanted, p->games);
    if (p->json) {
        json_t *root = json_pack("{si sf sf sf s{so? so?} sf}", "games", p->games, "draws", p->wanted.draws,
                                 "alpha", p->wanted.alpha, "power", p->wanted.power, "elo", "one_sided",
                                 known[0] ? json_real(elo[0]) : NULL, "two_sided",
                                 known[1] ? json_real(elo[1]) : NULL, "error", error);
        return cli_print_json(p->command, root) ? CLI_OK : CLI_FAILED;
    }
    printf("What %d game%s can show with %g%% draws, alpha %g and power %g:\n\n", p->games,
           p->games == 1 ? "" : "s", 100 * p->wanted.draws, p->wanted.alpha, p->wanted.power);
    for (int i = 0; i < 2; i++) {
        if (known[i])
            printf("  %s    %8.1f Elo or more (a score of %.1f%%)   %s\n", labels[i], elo[i],
                   100 * elo_to_score(elo[i]), questions[i]);
        else
            printf("  %s    nothing: too few games\n", labels[i]);
    }
    printf("  error bars        ±%7.1f Elo between equals (95%%)\n", error);
    return cli_finish_output(p->command) ? CLI_OK : CLI_FAILED;
}

/* ---- the command ---- */

#define AT(field) offsetof(struct plan, field)

static const struct param plan_params[] = {
    {"elo", PARAM_STRING, AT(elo_text), .value = "N", .help = "the difference that is to be shown"},
    {"games", PARAM_INT, AT(games), 1, NEEDED_GAMES_MAX, .help = "or: how many games there will be"},
    {"draws", PARAM_REAL, AT(wanted.draws), 0, 0.99, 0, .value = "SHARE",
     .help = "how many games are drawn, of 1"},
    {"alpha", PARAM_REAL, AT(wanted.alpha), 0.0001, 0.4, 0.05, .value = "P",
     .help = "how often a difference may be found where there is none"},
    {"power", PARAM_REAL, AT(wanted.power), 0.6, 0.9999, 0.95, .value = "P",
     .help = "how often a true difference must be found"},
    {"json", PARAM_FLAG, AT(json), .help = "the answer as JSON"},
    {0},
};

int cli_plan(const struct cli_command *self, int argc, char **argv) {
    struct plan p = {.command = self};
    int status;
    struct params options[] = {{plan_params, &p, 0}, {0}};
    if (!cli_parse(self, options, argc, argv, NULL, &status))
        return status;
    if ((p.elo_text != NULL) == (p.games > 0))
        return cli_fail(self, CLI_USAGE, "one of --elo and --games is needed");
    if (p.games > 0)
        return plan_difference(&p);
    if (!text_to_real(p.elo_text, &p.elo) || !(p.elo >= PLAN_ELO_MIN && p.elo <= PLAN_ELO_MAX))
        return cli_fail(self, CLI_USAGE, "--elo %s: expected a number from %g to %g", p.elo_text,
                        PLAN_ELO_MIN, PLAN_ELO_MAX);
    return plan_games(&p);
}
