/* SPDX-License-Identifier: MIT
 *
 * Table 5 of Sato, Fujiki and Ikeda (section 6.3, figures 6 and 7): what a unit is worth depends on the
 * position. Fixed piece values win one position and lose the other; UCT needs none.
 */
#include "repro/play.h"
#include "repro/plot.h"
#include "repro/rows.h"
#include "repro/tbs.h"

enum { CELLS = 6 };

#define A_HEAVY "minmax:depth=1,values=A:100,F:1"
#define F_HEAVY "minmax:depth=1,values=F:100,A:1"
#define UCT     "uct:sims=1000"
#define BLUE    "uct:sims=6000"

static const char *const maps[] = {"paper_fig6", "paper_fig7", NULL};

static const struct repro_cell cells[CELLS] = {
    {"fig. 6, A-heavy", 0, {A_HEAVY, BLUE}}, {"fig. 6, F-heavy", 0, {F_HEAVY, BLUE}},
    {"fig. 6, UCT", 0, {UCT, BLUE}},         {"fig. 7, A-heavy", 1, {A_HEAVY, BLUE}},
    {"fig. 7, F-heavy", 1, {F_HEAVY, BLUE}}, {"fig. 7, UCT", 1, {UCT, BLUE}},
};

static const double published[CELLS] = {0, 100, 97, 100, 0, 28};

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    double rate[CELLS];
    for (int i = 0; i < CELLS; i++) {
        const struct play_score s = play_score(data, i, TBS_RED);
        rows_add_share(out, cells[i].label, published[i], s.wins, s.n);
        rate[i] = (double)s.wins / s.n;
    }
    for (int i = 0; i < CELLS; i++) {
        char label[REPRO_NAME_MAX];
        rows_label(label, cells[i].label, ", drawn");
        const struct play_score s = play_score(data, i, TBS_RED);
        rows_add_exact(out, label, REPRO_NONE, s.draws);
    }
    rows_add_finding(
        out, rate[1] > rate[0] && rate[3] > rate[4],
        "where the fighter decides, F-heavy values do better than A-heavy ones; where the attacker "
        "decides, it is the other way round");
    rows_add_finding(out, rate[0] < 0.05 && rate[1] > 0.95 && rate[3] > 0.95 && rate[4] < 0.05,
                     "the right fixed values win (nearly) all games, the wrong ones (nearly) none");
    rows_add_finding(
        out, rate[2] > rate[0] && rate[2] <= rate[1] && rate[5] > rate[4] && rate[5] <= rate[3],
        "UCT without piece values wins sometimes in both positions: between the two fixed values");
    plot_rows(out, "wins", "Table 5: games won by red", &(struct plot_bars){"%", "games won (%)", false});
    return true;
}

const struct repro_experiment repro_tbs_table5 = {
    .name = "tbs-table5",
    .group = "tbs",
    .title = "fixed piece values against UCT on two positions",
    .source = "Sato, Fujiki and Ikeda, section 6.3, table 5, figures 6 and 7",
    .published = "fig. 6: A-heavy 0%, F-heavy 100%, UCT 97%; fig. 7: A-heavy 100%, F-heavy 0%, UCT 28%",
    .duration = "minutes",
    .version = 2,
    .trials = 100,
    .trials_quick = 40,
    .maps = maps,
    .rules = "tubstap",
    .cells = cells,
    .cell_count = CELLS,
    .value_names = play_game_names,
    .stores_games = true,
    .run = play_game,
    .finish = finish,
};
