/* SPDX-License-Identifier: MIT
 *
 * The four remedies of Sato, Fujiki and Ikeda against the size of a turn (section 5.2), each alone, on the
 * positions of figures 4 and 5 and on figure 4 twice, far apart: (a) splitting the position, (b) fewer
 * actions and one fixed order, (c) a shallow search with a better evaluation, (d) UCT.
 */
#include "repro/play.h"
#include "repro/plot.h"
#include "repro/rows.h"
#include "repro/tbs.h"

#include <stdio.h>

enum { FIG4, FIG5, TWICE, POSITIONS };
enum { DEPTH_1, DEPTH_2, SPLIT, ATTACKS, FIXED, BOTH, THREAT, UCT, REMEDIES };
enum { CELLS = POSITIONS * REMEDIES };

/* Full width is hopeless on the larger positions; it stops after so many positions and plays what it has. */
#define LIMIT "nodes=5000000"

static const char *const maps[] = {"paper_fig4", "paper_fig5", NULL};

#define CELLS_OF(position, map)                                                                              \
    {position ", none, depth 1", map, {"minmax:depth=1," LIMIT}},                                            \
        {position ", none, depth 2", map, {"minmax:depth=2," LIMIT}},                                        \
        {position ", (a) split", map, {"split:player=[minmax:depth=2," LIMIT "]"}},                          \
        {position ", (b) attacks only", map, {"minmax:depth=2,prune=attacks," LIMIT}},                       \
        {position ", (b) fixed order", map, {"minmax:depth=2,order=fixed," LIMIT}},                          \
        {position ", (b) both", map, {"minmax:depth=2,prune=attacks,order=fixed," LIMIT}},                   \
        {position ", (c) threat, depth 1", map, {"minmax:depth=1,eval=threat," LIMIT}}, {                    \
        position ", (d) UCT 2000", map, {                                                                    \
            "uct:sims=2000"                                                                                  \
        }                                                                                                    \
    }

/* Cell = position * REMEDIES + remedy; the doubled position is made from figure 4's map. */
static const struct repro_cell cells[CELLS] = {CELLS_OF("fig. 4", 0), CELLS_OF("fig. 5", 1),
                                               CELLS_OF("fig. 4 twice", 0)};

enum { VALUE_RIGHT, VALUE_WORK };
static const char *const value_names[] = {"right", "work", NULL};

/* ---- the doubled position ---- */

/* Two copies at both ends of the widest map there is and nothing between them: each half has exactly the
 * actions it has alone. */
bool remedies_double_map(const struct tbs_map *one, struct tbs_map *out, struct err *e) {
    const int offset = TBS_EDGE_MAX - one->width;
    if (2 * (one->width - 2) > TBS_CELLS_MAX || 2 * one->unit_count > TBS_UNITS_MAX)
        return err_set(e, "the map is too wide to stand twice on one");
    *out = (struct tbs_map){.width = TBS_EDGE_MAX,
                            .height = one->height,
                            .turn_limit = one->turn_limit,
                            .threshold = one->threshold,
                            .unit_count = 2 * one->unit_count};
    for (int side = 0; side < TBS_SIDES; side++)
        out->declared[side] = 2 * tbs_map_side_units(one, side);
    for (int y = 1; y < one->height - 1; y++)
        for (int x = 1; x < TBS_EDGE_MAX - 1; x++)
            out->terrain[x][y] = x < one->width - 1 ? one->terrain[x][y]
                                 : x - offset >= 1  ? one->terrain[x - offset][y]
                                                    : TBS_NO_ENTRY;
    for (int i = 0; i < one->unit_count; i++) {
        out->units[i] = out->units[i + one->unit_count] = one->units[i];
        out->units[i + one->unit_count].x = (uint8_t)(one->units[i].x + offset);
    }
    snprintf(out->comment, sizeof out->comment, "Two copies of one position, far apart.");
    return true;
}

static struct scenario *make_twice(const struct scenario *one, struct err *e) {
    struct tbs_map map;
    return remedies_double_map(tbs_scenario_map(one), &map, e)
               ? tbs_scenario_make(&map, tbs_scenario_rules(one), TBS_PATH_AUTO, e)
               : NULL;
}

/* ---- right or wrong ---- */

/* Figure 4: every red unit destroys the weaker fighter of its own copy. */
static bool is_fig4_right(const struct play_turn *turn, int copies) {
    const int units = turn->before.unit_count / copies;
    int right = 0;
    for (int i = 0; i < turn->count; i++) {
        const action a = turn->actions[i];
        if (!tbs_is_unit_action(a))
            return false;
        const int first = tbs_action_unit(a) / units * units;
        if (!fig4_is_right(&turn->before, a, first, units))
            return false;
        right += turn->after.units[tbs_action_target(a)].hp == 0;
    }
    return right == play_units_left(&turn->before, turn->side, TBS_TYPES);
}

static bool is_right(const struct play_turn *turn, int position) {
    const int enemy = turn->side ^ 1;
    if (position == FIG5)
        return play_units_left(&turn->before, enemy, TBS_INFANTRY) > 0 &&
               play_units_left(&turn->after, enemy, TBS_INFANTRY) == 0;
    return is_fig4_right(turn, position == TWICE ? 2 : 1);
}

static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    const int position = task->unit.cell / REMEDIES;
    struct scenario *twice = position == TWICE ? make_twice(task->maps[0], e) : NULL;
    if (position == TWICE && twice == NULL)
        return false;
    const struct scenario *map = position == TWICE ? twice : task->maps[task->cell->map];
    struct play_turn turn;
    const bool ok = play_first_turn(task, map, task->cell->players[0], &turn, e);
    if (ok) {
        out->values[VALUE_RIGHT] = is_right(&turn, position);
        out->values[VALUE_WORK] = (double)turn.work;
        play_note_turn(&turn, out);
    }
    if (twice != NULL)
        twice->game->unload(twice);
    return ok;
}

/* Only UCT is random; the others are repeated for their times. */
static int cell_trials(const struct repro_experiment *experiment, int cell, int trials) {
    (void)experiment;
    return cell % REMEDIES == UCT || trials < 3 ? trials : 3;
}

/* ---- rows ---- */

struct table {
    double right[CELLS], work[CELLS];
};

static void add_rows(const struct repro_data *data, struct repro_result *out, struct table *t) {
    for (int i = 0; i < CELLS; i++) {
        char label[REPRO_NAME_MAX];
        const struct cell_sum right = rows_sum(data, i, VALUE_RIGHT), time = rows_sum(data, i, CELL_TIME);
        t->right[i] = right.mean;
        t->work[i] = rows_sum(data, i, VALUE_WORK).mean;
        rows_label(label, cells[i].label, ": right");
        rows_add_share(out, label, REPRO_NONE, right.sum, right.n);
        rows_label(label, cells[i].label, ": ms");
        rows_add_time(out, label, REPRO_NONE, &time);
        rows_label(label, cells[i].label, i % REMEDIES == UCT ? ": simulations" : ": positions");
        struct repro_row *row = rows_add_exact(out, label, REPRO_NONE, t->work[i]);
        snprintf(row->unit, sizeof row->unit, "work");
        row->trials = right.n;
    }
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    struct table t;
    add_rows(data, out, &t);
    const double *right4 = t.right, *right5 = t.right + FIG5 * REMEDIES, *right8 = t.right + TWICE * REMEDIES;
    const double *work4 = t.work, *work8 = t.work + TWICE * REMEDIES;
    rows_add_finding(out, right4[DEPTH_1] < 0.5 && right4[DEPTH_2] > 0.99,
                     "without a remedy depth 1 is wrong on figure 4 and depth 2 is right");
    rows_add_finding(
        out, right8[SPLIT] > 0.99 && work8[SPLIT] < work8[DEPTH_2],
        "(a) split into parts, figure 4 twice is solved with fewer positions than the whole takes");
    rows_add_finding(out, right4[BOTH] > 0.99 && work4[BOTH] < work4[DEPTH_2],
                     "(b) attacks only in one fixed order: depth 2 is still right on figure 4, with fewer "
                     "positions than full width");
    rows_add_finding(out, right5[ATTACKS] < 0.5,
                     "(b) attacks only misses the turn of figure 5, which begins with a plain move");
    rows_add_finding(out, right4[THREAT] > 0.99,
                     "(c) with the damage it may suffer next turn in the evaluation, depth 1 is right on "
                     "figure 4");
    rows_add_finding(out, right4[UCT] > 0.5,
                     "(d) UCT with 2000 simulations is right on figure 4 more often "
                     "than not");
    plot_rows(out, "right", "Remedies: how often each is right",
              &(struct plot_bars){"%", "right (%)", false});
    plot_rows(out, "work", "Remedies: positions or simulations a turn",
              &(struct plot_bars){"work", "positions or simulations", true});
    return true;
}

const struct repro_experiment repro_tbs_remedies = {
    .name = "tbs-remedies",
    .group = "tbs",
    .title = "four remedies against the size of a turn, each alone",
    .source = "Sato, Fujiki and Ikeda, sections 5.2 and 5.3",
    .published = "(in words) each makes figure 4 solvable; attacks-only fails on figure 5",
    .duration = "seconds",
    .version = 2,
    .trials = 100,
    .trials_quick = 20,
    .maps = maps,
    .rules = "tubstap",
    .cells = cells,
    .cell_count = CELLS,
    .value_names = value_names,
    .cell_trials = cell_trials,
    .run = run,
    .finish = finish,
};
