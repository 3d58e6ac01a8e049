/* SPDX-License-Identifier: MIT
 *
 * Table 7 of Sato, Fujiki and Ikeda (section 7.4, figures 9 to 11): one side plays its first turn by DLMC and
 * every later one by PW-UCT, the other PW-UCT throughout. Whoever wins more has set up better.
 */
#include "repro/play.h"
#include "repro/plot.h"
#include "repro/rows.h"
#include "repro/tbs.h"

#include <stdio.h>

/* The paper says of UCT's simulations that units attack when they can, under the head of settings common to
 * all players, and of DLMC's only that they are random. The first half of the cells reads that as common; the
 * second takes DLMC's simulations to be evenly random, and is there to show how much depends on it. */
enum {
    POSITIONS = 3,
    SIDES = 2,
    CELLS = 2 * SIDES * POSITIONS,
    UNIFORM = SIDES * POSITIONS,
    UNIFORM_SHARE = 5
};

#define DLMC  "first:player=dlmc,then=[pwuct:sims=6000]"
#define EVEN  "first:player=[dlmc:policy=uniform],then=[pwuct:sims=6000]"
#define PWUCT "pwuct:sims=6000"

static const char *const maps[] = {"paper_fig9_a", "paper_fig10_b", "paper_fig11_c", NULL};

static const struct repro_cell cells[CELLS] = {
    {"A, DLMC first", 0, {DLMC, PWUCT}},   {"B, DLMC first", 1, {DLMC, PWUCT}},
    {"C, DLMC first", 2, {DLMC, PWUCT}},   {"A, DLMC second", 0, {PWUCT, DLMC}},
    {"B, DLMC second", 1, {PWUCT, DLMC}},  {"C, DLMC second", 2, {PWUCT, DLMC}},
    {"A, even, first", 0, {EVEN, PWUCT}},  {"B, even, first", 1, {EVEN, PWUCT}},
    {"C, even, first", 2, {EVEN, PWUCT}},  {"A, even, second", 0, {PWUCT, EVEN}},
    {"B, even, second", 1, {PWUCT, EVEN}}, {"C, even, second", 2, {PWUCT, EVEN}},
};

static const double published[UNIFORM] = {48.6, 55.5, 73.7, 51.4, 60.0, 62.4};
static const double margin[UNIFORM] = {6.2, 6.2, 5.5, 6.2, 6.1, 6.1};
static const double total_published[POSITIONS] = {50.0, 57.8, 68.1};
static const double total_margin[POSITIONS] = {4.4, 4.3, 4.1};

static int cell_trials(const struct repro_experiment *experiment, int cell, int trials) {
    (void)experiment;
    return cell < UNIFORM ? trials : (trials + UNIFORM_SHARE - 1) / UNIFORM_SHARE;
}

/* DLMC has red in the first three of each six cells. */
static struct play_score dlmc_score(const struct repro_data *data, int cell) {
    return play_score(data, cell, cell % UNIFORM < POSITIONS ? TBS_RED : TBS_BLUE);
}

static void add_even_rows(const struct repro_data *data, struct repro_result *out) {
    for (int i = 0; i < POSITIONS; i++) {
        const struct play_score a = dlmc_score(data, UNIFORM + i),
                                b = dlmc_score(data, UNIFORM + POSITIONS + i);
        char label[REPRO_NAME_MAX];
        snprintf(label, sizeof label, "%c, total, even simulations", 'A' + i);
        rows_add_share(out, label, REPRO_NONE, a.points + b.points, a.n + b.n);
    }
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    double low[POSITIONS], mean[POSITIONS], high[POSITIONS];
    int draws = 0, played = 0;
    for (int i = 0; i < UNIFORM; i++) {
        const struct play_score s = dlmc_score(data, i);
        rows_add_share(out, cells[i].label, published[i], s.points, s.n)->published_margin = margin[i];
        draws += s.draws;
        played += s.n;
    }
    for (int i = 0; i < POSITIONS; i++) {
        const struct play_score a = dlmc_score(data, i), b = dlmc_score(data, i + POSITIONS);
        char label[REPRO_NAME_MAX];
        snprintf(label, sizeof label, "%c, total", 'A' + i);
        struct repro_row *row =
            rows_add_share(out, label, total_published[i], a.points + b.points, a.n + b.n);
        row->published_margin = total_margin[i];
        low[i] = row->low;
        mean[i] = row->ours;
        high[i] = row->high;
    }
    add_even_rows(data, out);
    rows_add_exact(out, "drawn games (half a win each)", REPRO_NONE, draws)->trials = played;
    rows_add_finding(out, low[1] > 50 && low[2] > 50,
                     "with DLMC's first turn a side wins significantly more than half in B and in C");
    rows_add_finding(out, low[0] <= 50 && high[0] >= 50, "in A it makes no significant difference");
    rows_add_finding(out, mean[0] < mean[1] && mean[1] < mean[2], "the advantage grows from A to B to C");
    plot_rows(out, "wins", "Table 7: games won by the side that plays its first turn by DLMC",
              &(struct plot_bars){"%", "win rate (%)", false});
    return true;
}

const struct repro_experiment repro_tbs_table7 = {
    .name = "tbs-table7",
    .group = "tbs",
    .title = "the first turn by DLMC against PW-UCT throughout",
    .source = "Sato, Fujiki and Ikeda, section 7.4, table 7, figures 9 to 11",
    .published = "DLMC's win rate in all: A 50.0%, B 57.8%, C 68.1%",
    .duration = "about five minutes on two cores (3600 games)",
    .version = 3,
    .trials = 500,
    .trials_quick = 40,
    .maps = maps,
    .rules = "tubstap",
    .cells = cells,
    .cell_count = CELLS,
    .value_names = play_game_names,
    .stores_games = true,
    .cell_trials = cell_trials,
    .run = play_game,
    .finish = finish,
};
