/* SPDX-License-Identifier: MIT
 *
 * Figure 5 of Sato, Fujiki and Ikeda (section 5.3): red's cannon must first move out of the way, or the other
 * units cannot remove the blue infantry. A search that leaves out plain moves cannot see it.
 */
#include "repro/play.h"
#include "repro/rows.h"
#include "repro/tbs.h"

enum { FULL, ATTACKS, CELLS };
enum { VALUE_FOUND, VALUE_WORK, VALUE_FIRST_IS_MOVE };

static const char *const maps[] = {"paper_fig5", NULL};
static const char *const value_names[] = {"infantry_removed", "work", "first_is_cannon_move", NULL};

static const struct repro_cell cells[CELLS] = {
    [FULL] = {"full width", 0, {"minmax:depth=1"}},
    [ATTACKS] = {"attacks only", 0, {"minmax:depth=1,prune=attacks"}},
};

static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    const struct scenario *map = task->maps[0];
    struct play_turn turn;
    if (!play_first_turn(task, map, task->cell->players[0], &turn, e))
        return false;
    const int enemy = turn.side ^ 1;
    out->values[VALUE_FOUND] = play_units_left(&turn.before, enemy, TBS_INFANTRY) > 0 &&
                               play_units_left(&turn.after, enemy, TBS_INFANTRY) == 0;
    out->values[VALUE_WORK] = (double)turn.work;
    for (int i = 0; i < turn.count; i++) {
        const action a = turn.actions[i];
        if (tbs_is_unit_action(a) && turn.before.units[tbs_action_unit(a)].type == TBS_CANNON) {
            out->values[VALUE_FIRST_IS_MOVE] = tbs_action_target(a) == TBS_NO_TARGET;
            break;
        }
    }
    play_note_turn(&turn, out);
    return true;
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    const struct cell_sum full = rows_sum(data, FULL, VALUE_FOUND);
    const struct cell_sum attacks = rows_sum(data, ATTACKS, VALUE_FOUND);
    const struct cell_sum moved = rows_sum(data, FULL, VALUE_FIRST_IS_MOVE);
    const bool finds = full.sum > full.n - 0.5, misses = attacks.sum < 0.5;
    rows_add_claim(out, "full width finds the turn", finds);
    rows_add_claim(out, "attacks only misses it", misses);
    rows_add_claim(out, "the cannon moves without attacking", moved.sum > moved.n - 0.5);
    for (int i = 0; i < CELLS; i++) {
        char label[REPRO_NAME_MAX];
        const struct cell_sum time = rows_sum(data, i, CELL_TIME), work = rows_sum(data, i, VALUE_WORK);
        rows_label(label, cells[i].label, " ms");
        rows_add_time(out, label, REPRO_NONE, &time);
        rows_label(label, cells[i].label, " positions");
        rows_add_exact(out, label, REPRO_NONE, work.mean);
    }
    rows_add_finding(out, finds && misses,
                     "search that leaves out plain moves misses the turn that removes the blue infantry; "
                     "full-width search finds it");
    return true;
}

const struct repro_experiment repro_tbs_fig5 = {
    .name = "tbs-fig5",
    .group = "tbs",
    .title = "pruning plain moves misses the turn that needs one",
    .source = "Sato, Fujiki and Ikeda, section 5.3, figure 5",
    .published = "attacks-only search misses the turn that removes the infantry; full width finds it",
    .duration = "seconds",
    .version = 2,
    .trials = 10,
    .trials_quick = 3,
    .maps = maps,
    .rules = "tubstap",
    .cells = cells,
    .cell_count = CELLS,
    .value_names = value_names,
    .run = run,
    .finish = finish,
};
