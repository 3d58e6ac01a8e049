/* SPDX-License-Identifier: MIT
 *
 * Figure 4 of Sato, Fujiki and Ikeda (section 5.3): red may destroy either of two fighters. The one with more
 * HP looks better to a search of one turn; only a search that sees blue's answer takes the other.
 */
#include "repro/play.h"
#include "repro/plot.h"
#include "repro/rows.h"
#include "repro/tbs.h"

enum { DEPTH_1, DEPTH_2, UCT_100, UCT_1000, UCT_2000, CELLS };
enum { VALUE_RIGHT, VALUE_WORK };

static const char *const maps[] = {"paper_fig4", NULL};
static const char *const value_names[] = {"right", "work", NULL};

static const struct repro_cell cells[CELLS] = {
    [DEPTH_1] = {"Min-Max depth 1", 0, {"minmax:depth=1"}},
    [DEPTH_2] = {"Min-Max depth 2", 0, {"minmax:depth=2"}},
    [UCT_100] = {"UCT 100", 0, {"uct:sims=100"}},
    [UCT_1000] = {"UCT 1000", 0, {"uct:sims=1000"}},
    [UCT_2000] = {"UCT 2000", 0, {"uct:sims=2000"}},
};

/* Right is what destroys the weaker of the fighters among units first … first + count - 1. */
bool fig4_is_right(const struct tbs_position *p, action a, int first, int count) {
    int weakest = -1;
    for (int id = first; id < first + count; id++) {
        const struct tbs_unit *u = &p->units[id];
        if (u->hp > 0 && u->side != p->side && u->type == TBS_FIGHTER &&
            (weakest < 0 || u->hp < p->units[weakest].hp))
            weakest = id;
    }
    return weakest >= 0 && tbs_is_unit_action(a) && tbs_action_target(a) == weakest;
}

static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    const struct scenario *map = task->maps[0];
    struct play_turn turn;
    if (!play_first_turn(task, map, task->cell->players[0], &turn, e))
        return false;
    const int target = turn.count > 0 && tbs_is_unit_action(turn.actions[0])
                           ? tbs_action_target(turn.actions[0])
                           : TBS_NO_TARGET;
    out->values[VALUE_RIGHT] = turn.count > 0 &&
                               fig4_is_right(&turn.before, turn.actions[0], 0, turn.before.unit_count) &&
                               turn.after.units[target].hp == 0;
    out->values[VALUE_WORK] = (double)turn.work;
    play_note_turn(&turn, out);
    return true;
}

/* Min-Max answers the same every time: a few times are enough to time it. */
static int cell_trials(const struct repro_experiment *experiment, int cell, int trials) {
    (void)experiment;
    return cell <= DEPTH_2 && trials > 10 ? 10 : trials;
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    static const double right_published[CELLS] = {REPRO_NONE, REPRO_NONE, 13, 69, 100};
    static const double ms_published[CELLS] = {1.0, 503, 20.0, 226, 388};
    struct cell_sum right[CELLS], time[CELLS];
    for (int i = 0; i < CELLS; i++) {
        right[i] = rows_sum(data, i, VALUE_RIGHT);
        time[i] = rows_sum(data, i, CELL_TIME);
    }
    const bool wrong_1 = right[DEPTH_1].sum<0.5, right_2 = right[DEPTH_2].sum> right[DEPTH_2].n - 0.5;
    rows_add_claim(out, "Min-Max depth 1 is wrong", wrong_1);
    rows_add_claim(out, "Min-Max depth 2 is right", right_2);
    for (int i = UCT_100; i < CELLS; i++)
        rows_add_share(out, cells[i].label, right_published[i], right[i].sum, right[i].n);
    for (int i = 0; i < CELLS; i++) {
        char label[REPRO_NAME_MAX];
        rows_label(label, cells[i].label, " ms");
        rows_add_time(out, label, ms_published[i], &time[i]);
    }
    rows_add_finding(out, wrong_1 && right_2,
                     "full-width search with the linear evaluation fails at depth 1 and succeeds at depth 2");
    rows_add_finding(out,
                     right[UCT_100].mean < right[UCT_1000].mean &&
                         right[UCT_1000].mean <= right[UCT_2000].mean &&
                         right[UCT_100].mean < right[UCT_2000].mean,
                     "UCT finds the right action more often the more simulations it has");
    rows_add_finding(out, time[UCT_2000].mean < time[DEPTH_2].mean,
                     "UCT with 2000 simulations needs less time than full-width search of depth 2");
    plot_rows(out, "right", "Figure 4: how often UCT is right",
              &(struct plot_bars){"%", "right actions (%)", false});
    plot_rows(out, "time", "Figure 4: thinking time", &(struct plot_bars){"ms", "milliseconds", true});
    return true;
}

const struct repro_experiment repro_tbs_fig4 = {
    .name = "tbs-fig4",
    .group = "tbs",
    .title = "depth 1 takes the wrong fighter; depth 2 and UCT take the right one",
    .source = "Sato, Fujiki and Ikeda, section 5.3, figure 4",
    .published = "Min-Max wrong at depth 1, right at depth 2; UCT 100/1000/2000: 13/69/100 of 100",
    .duration = "seconds",
    .version = 2,
    .trials = 100,
    .trials_quick = 100,
    .maps = maps,
    .rules = "tubstap",
    .cells = cells,
    .cell_count = CELLS,
    .value_names = value_names,
    .cell_trials = cell_trials,
    .run = run,
    .finish = finish,
};
