/* SPDX-License-Identifier: MIT
 *
 * Table 6 of Sato, Fujiki and Ikeda (section 7.3, figure 8): six red units before a narrow entrance can
 * destroy all of blue in one turn, if they act in the right order against the right targets.
 */
#include "repro/play.h"
#include "repro/plot.h"
#include "repro/rows.h"
#include "repro/tbs.h"

enum { UCT, PWUCT, AAS, DLMC, MINMAX, CELLS };
enum { VALUE_SUCCESS, VALUE_LEFT, VALUE_WORK };

static const char *const maps[] = {"paper_fig8", NULL};
static const char *const value_names[] = {"all_destroyed", "blue_units_left", "work", NULL};

static const struct repro_cell cells[CELLS] = {
    [UCT] = {"UCT", 0, {"uct:sims=20000,horizon=1,cut=loss"}},
    [PWUCT] = {"PW-UCT", 0, {"pwuct:sims=20000,horizon=1,cut=loss"}},
    [AAS] = {"AAS", 0, {"aas:length=6"}},
    [DLMC] = {"DLMC", 0, {"dlmc:turns=200,sims=100,horizon=1,values=F:1,A:1,P:1,U:1,R:1,I:1"}},
    [MINMAX] = {"Min-Max", 0, {"minmax:depth=1"}},
};

static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    const struct scenario *map = task->maps[0];
    struct play_turn turn;
    if (!play_first_turn(task, map, task->cell->players[0], &turn, e))
        return false;
    const int left = play_units_left(&turn.after, turn.side ^ 1, TBS_TYPES);
    out->values[VALUE_SUCCESS] = left == 0;
    out->values[VALUE_LEFT] = left;
    out->values[VALUE_WORK] = (double)turn.work;
    play_note_turn(&turn, out);
    return true;
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    static const double published[CELLS] = {17, 89, 100, 0, 100};
    static const double ms_published[CELLS] = {1720, 1500, 176, 1779, 4895};
    struct cell_sum success[CELLS], time[CELLS];
    for (int i = 0; i < CELLS; i++) {
        success[i] = rows_sum(data, i, VALUE_SUCCESS);
        time[i] = rows_sum(data, i, CELL_TIME);
        rows_add_share(out, cells[i].label, published[i], success[i].sum, success[i].n);
    }
    for (int i = 0; i < CELLS; i++) {
        char label[REPRO_NAME_MAX];
        rows_label(label, cells[i].label, " ms");
        rows_add_time(out, label, ms_published[i], &time[i]);
    }
    rows_add_finding(out, success[AAS].mean > 0.999 && success[MINMAX].mean > 0.999,
                     "attack action search and one-turn Min-Max always find the winning turn");
    rows_add_finding(
        out, success[PWUCT].mean > success[UCT].mean && success[UCT].mean > success[DLMC].mean,
        "UCT finds it more often with progressive widening than without, and more often than DLMC");
    rows_add_finding(out, time[AAS].mean < time[MINMAX].mean,
                     "attack action search needs less time than one-turn Min-Max");
    plot_rows(out, "success", "Table 6: winning turns found",
              &(struct plot_bars){"%", "winning turns found (%)", false});
    plot_rows(out, "time", "Table 6: thinking time a turn", &(struct plot_bars){"ms", "milliseconds", true});
    return true;
}

const struct repro_experiment repro_tbs_table6 = {
    .name = "tbs-table6",
    .group = "tbs",
    .title = "who finds the turn that destroys all of blue",
    .source = "Sato, Fujiki and Ikeda, section 7.3, table 6, figure 8",
    .published = "UCT 17%, PW-UCT 89%, AAS 100%, DLMC 0%, Min-Max 100%",
    .duration = "seconds",
    .version = 2,
    .trials = 100,
    .trials_quick = 100,
    .maps = maps,
    .rules = "tubstap",
    .cells = cells,
    .cell_count = CELLS,
    .value_names = value_names,
    .run = run,
    .finish = finish,
};
