/* SPDX-License-Identifier: MIT
 *
 * Tables 5, 6 and 7 of Sato, Fujiki and Ikeda, and their four remedies against the size of a turn.
 */
#include "repro/experiments.h"

#include <stdio.h>

/* ---- table 5 ----
 *
 * Table 5 of Sato, Fujiki and Ikeda (section 6.3, figures 6 and 7): what a unit is worth depends on the
 * position. Fixed piece values win one position and lose the other; UCT needs none. Its section 6.2 expects
 * that values adapted online win both; it has no such player, so ours has no published figure. */

enum { AUTO_6 = 6, AUTO_7, TABLE5_CELLS, TABLE5_PUBLISHED = 100 };

#define A_HEAVY    "minmax:depth=1,values=A:100,F:1"
#define F_HEAVY    "minmax:depth=1,values=F:100,A:1"
#define AUTO       "minmax:depth=1,values=auto"
#define TABLE5_UCT "uct:sims=1000"
#define BLUE       "uct:sims=6000"

static const struct repro_cell table5_cells[TABLE5_CELLS] = {
    {"[fig|fig. {6}], [a_heavy|A-heavy]", 0, {A_HEAVY, BLUE}},
    {"[fig|fig. {6}], [f_heavy|F-heavy]", 0, {F_HEAVY, BLUE}},
    {"[fig|fig. {6}], UCT", 0, {TABLE5_UCT, BLUE}},
    {"[fig|fig. {7}], [a_heavy|A-heavy]", 1, {A_HEAVY, BLUE}},
    {"[fig|fig. {7}], [f_heavy|F-heavy]", 1, {F_HEAVY, BLUE}},
    {"[fig|fig. {7}], UCT", 1, {TABLE5_UCT, BLUE}},
    [AUTO_6] = {"[fig|fig. {6}], [values_auto|values of the position]", 0, {AUTO, BLUE}},
    [AUTO_7] = {"[fig|fig. {7}], [values_auto|values of the position]", 1, {AUTO, BLUE}},
};

/* (Nearly) all games are more than nine tenths here: a published 97 of 100 is. */
#define NEARLY 0.1

/* The paper counts won games. Drawn ones have rows of their own, because they are neither. */
static void table5_finish(const struct repro_data *data, struct repro_result *out) {
    static const double published[TABLE5_CELLS] = {0, 100, 97, 100, 0, 28, REPRO_NONE, REPRO_NONE};
    struct play_score scores[TABLE5_CELLS];
    struct proportion won[TABLE5_CELLS];
    for (int i = 0; i < TABLE5_CELLS; i++) {
        const struct play_score s = scores[i] = play_score(data, i, TBS_RED);
        rows_add_share(out, table5_cells[i].label, (struct rows_published){published[i], TABLE5_PUBLISHED},
                       s.wins, s.n);
        won[i] = (struct proportion){s.wins, s.n};
    }
    for (int i = 0; i < TABLE5_CELLS; i++)
        rows_add_exact(out, rows_label("%s, [drawn|drawn]", table5_cells[i].label).text, REPRO_NONE,
                       scores[i].draws);
    rows_add_finding(
        out, TESTS(test_shares_greater(won[1], won[0]), test_shares_greater(won[3], won[4])),
        "finding.where_fighter_decides_f",
        "where the fighter decides, F-heavy values do better than A-heavy ones; where the attacker "
        "decides, it is the other way round");
    rows_add_finding(out,
                     TESTS(test_less(test_share_above(won[0], NEARLY)), test_share_above(won[1], 1 - NEARLY),
                           test_share_above(won[3], 1 - NEARLY), test_less(test_share_above(won[4], NEARLY))),
                     "finding.right_fixed_values_win",
                     "the right fixed values win (nearly) all games, the wrong ones (nearly) none");
    rows_add_finding(
        out, TESTS(test_shares_greater(won[2], won[0]), test_shares_greater(won[5], won[4])),
        "finding.uct_without_piece_values",
        "UCT without piece values wins sometimes in both positions: more than the wrong fixed values");
    rows_add_finding(
        out, TESTS(test_share_above(won[AUTO_6], 1 - NEARLY), test_share_above(won[AUTO_7], 1 - NEARLY)),
        "finding.values_adapted_win_both", "values adapted to the position win on both");
}

const struct repro_experiment repro_tbs_table5 = {
    REPRO_EXPERIMENT("tbs", "table5", table5_cells),
    .title = "fixed piece values against UCT on two positions",
    .source = "Sato, Fujiki and Ikeda, section 6.3, table 5, figures 6 and 7",
    .published = "fig. 6: A-heavy 0%, F-heavy 100%, UCT 97%; fig. 7: A-heavy 100%, F-heavy 0%, UCT 28%",
    .duration = "minutes",
    .version = 3,
    .repetitions = 1000,
    .repetitions_quick = 40,
    .maps = (const char *const[]){"paper_fig6", "paper_fig7", NULL},
    .value_names = play_game_names,
    .finish = table5_finish,
    .bars = {{"wins", "Table 5: games won by red", "%", "[axis_won|games won (%)]", .level = 50}},
};

/* ---- table 6 ----
 *
 * Table 6 of Sato, Fujiki and Ikeda (section 7.3, figure 8): six red units before a narrow entrance can
 * destroy all of blue in one turn, if they act in the right order against the right targets. */

enum {
    TABLE6_UCT,
    TABLE6_PWUCT,
    AAS,
    TABLE6_DLMC,
    MINMAX,
    PLAIN,
    PLAIN_ALL,
    TABLE6_CELLS,
    TABLE6_PUBLISHED = 100
};
enum { VALUE_SUCCESS, VALUE_LEFT, TABLE6_VALUE_WORK };

/* The Min-Max that the paper timed had no table, and it visited some 10^5 positions (4.9 seconds at "tens of
 * thousands a second"), where all ordered turns of this position are 10^10. So it left out a part of them.
 * Plain moves after the attacks give 10^6; the other cell leaves out nothing and stops at its limit, so that
 * its time is less than that of the whole search. */
#define PLAIN_MINMAX "minmax:depth=1,alphabeta=no,table=no,sort=none"

static const struct repro_cell table6_cells[TABLE6_CELLS] = {
    [TABLE6_UCT] = {"UCT", 0, {"uct:sims=20000,horizon=1,cut=loss"}},
    [TABLE6_PWUCT] = {"PW-UCT", 0, {"pwuct:sims=20000,horizon=1,cut=loss"}},
    [AAS] = {"AAS", 0, {"aas:length=6"}, .repetitions_max = 100, .is_deterministic = true},
    [TABLE6_DLMC] = {"DLMC", 0, {"dlmc:turns=200,sims=100,horizon=1,values=F:1,A:1,P:1,U:1,R:1,I:1"}},
    [MINMAX] = {"Min-Max", 0, {"minmax:depth=1"}, .repetitions_max = 100, .is_deterministic = true},
    [PLAIN] = {"[plain_minmax|plain Min-Max]",
               0,
               {PLAIN_MINMAX ",prune=early,nodes=100000000"},
               .repetitions_max = 10,
               .is_deterministic = true},
    [PLAIN_ALL] = {"[plain_minmax|plain Min-Max], [every_move|every move]",
                   0,
                   {PLAIN_MINMAX ",nodes=10000000"},
                   .repetitions_max = 3,
                   .is_deterministic = true},
};

/* How many blue units are left shows how near a player came; the paper has only the successes. */
static bool table6_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    struct play_turn turn;
    if (!play_first_turn(task, task->maps[0], &turn, out, e))
        return false;
    const int left = play_units_left(&turn.after, turn.side ^ 1, TBS_TYPES);
    out->values[VALUE_SUCCESS] = left == 0;
    out->values[VALUE_LEFT] = left;
    out->values[TABLE6_VALUE_WORK] = (double)turn.work;
    return true;
}

/* Successes are compared with the paper's, times only with each other. */
static void table6_finish(const struct repro_data *data, struct repro_result *out) {
    const struct rows_column successes = {ROWS_SHARE, VALUE_SUCCESS,
                                          .published = (const double[]){17, 89, 100, 0, 100, 100, REPRO_NONE},
                                          .published_n = TABLE6_PUBLISHED};
    const struct rows_column times = {ROWS_TIME, CELL_TIME, "[time_of| ms]",
                                      .published =
                                          (const double[]){1720, 1500, 176, 1779, 4895, 4895, REPRO_NONE}};
    struct proportion found[TABLE6_CELLS];
    for (int i = 0; i < TABLE6_CELLS; i++)
        found[i] = rows_share(data, i, VALUE_SUCCESS);
    rows_add_columns(data, out, (struct rows_span){0, TABLE6_CELLS}, &successes, 1);
    rows_add_columns(data, out, (struct rows_span){0, TABLE6_CELLS}, &times, 1);
    rows_add_finding(out,
                     TESTS(test_claim(rows_always(data, AAS, VALUE_SUCCESS)),
                           test_claim(rows_always(data, MINMAX, VALUE_SUCCESS)),
                           test_claim(rows_always(data, PLAIN, VALUE_SUCCESS))),
                     "finding.attack_action_search_one",
                     "attack action search and one-turn Min-Max always find the winning turn");
    rows_add_finding(
        out,
        TESTS(test_shares_greater(found[TABLE6_PWUCT], found[TABLE6_UCT]),
              test_shares_greater(found[TABLE6_UCT], found[TABLE6_DLMC])),
        "finding.uct_finds_more_often",
        "UCT finds it more often with progressive widening than without, and more often than DLMC");
    rows_add_finding(
        out,
        TESTS(rows_is_above(
            rows_difference(rows_sum(data, MINMAX, CELL_TIME), rows_sum(data, AAS, CELL_TIME)), 0)),
        "finding.attack_action_search_needs", "attack action search needs less time than one-turn Min-Max");
    const struct cell_sum aas = rows_sum(data, AAS, CELL_TIME);
    rows_add_finding(out,
                     TESTS(rows_is_above(rows_difference(rows_sum(data, PLAIN, CELL_TIME), aas), 0),
                           rows_is_above(rows_difference(rows_sum(data, PLAIN_ALL, CELL_TIME), aas), 0)),
                     "finding.attack_action_search_plain",
                     "attack action search needs less time than plain Min-Max, which was timed");
}

const struct repro_experiment repro_tbs_table6 = {
    REPRO_EXPERIMENT("tbs", "table6", table6_cells),
    .title = "who finds the turn that destroys all of blue",
    .source = "Sato, Fujiki and Ikeda, section 7.3, table 6, figure 8",
    .published = "UCT 17%, PW-UCT 89%, AAS 100%, DLMC 0%, Min-Max 100%",
    .duration = "seconds",
    .version = 3,
    .repetitions = 2500,
    .repetitions_quick = 100,
    .maps = (const char *const[]){"paper_fig8", NULL},
    .value_names = (const char *const[]){"all_destroyed", "blue_units_left", "work", NULL},
    .run = table6_run,
    .finish = table6_finish,
    .bars = {{"success", "Table 6: winning turns found", "%", "[axis_found|winning turns found (%)]"},
             {"time", "Table 6: thinking time a turn", "ms", "[axis_ms|milliseconds]", true}},
};

/* ---- table 7 ----
 *
 * Table 7 of Sato, Fujiki and Ikeda (section 7.4, figures 9 to 11): one side plays its first turn by DLMC
 * and every later one by PW-UCT, the other PW-UCT throughout. The side that wins more has the better set-
 * up. */

/* Under the settings common to all players the paper has UCT's simulations attack when units can; of DLMC's
 * it states only that they are random. The first half of the cells takes that setting as common; the second
 * takes DLMC's simulations to be uniformly random, to show how much depends on it. */
enum {
    TABLE7_POSITIONS = 3,
    SIDES = 2,
    TABLE7_CELLS = 2 * SIDES * TABLE7_POSITIONS,
    UNIFORM = SIDES * TABLE7_POSITIONS,
    UNIFORM_SHARE = 5
};

#define TABLE7_DLMC  "first:player=dlmc,then=[pwuct:sims=6000]"
#define EVEN         "first:player=[dlmc:policy=uniform],then=[pwuct:sims=6000]"
#define TABLE7_PWUCT "pwuct:sims=6000"

static const struct repro_cell table7_cells[TABLE7_CELLS] = {
    {"A, DLMC [first|first]", 0, {TABLE7_DLMC, TABLE7_PWUCT}},
    {"B, DLMC [first|first]", 1, {TABLE7_DLMC, TABLE7_PWUCT}},
    {"C, DLMC [first|first]", 2, {TABLE7_DLMC, TABLE7_PWUCT}},
    {"A, DLMC [second|second]", 0, {TABLE7_PWUCT, TABLE7_DLMC}},
    {"B, DLMC [second|second]", 1, {TABLE7_PWUCT, TABLE7_DLMC}},
    {"C, DLMC [second|second]", 2, {TABLE7_PWUCT, TABLE7_DLMC}},
    {"A, [even|even], [first|first]", 0, {EVEN, TABLE7_PWUCT}, .one_in = UNIFORM_SHARE},
    {"B, [even|even], [first|first]", 1, {EVEN, TABLE7_PWUCT}, .one_in = UNIFORM_SHARE},
    {"C, [even|even], [first|first]", 2, {EVEN, TABLE7_PWUCT}, .one_in = UNIFORM_SHARE},
    {"A, [even|even], [second|second]", 0, {TABLE7_PWUCT, EVEN}, .one_in = UNIFORM_SHARE},
    {"B, [even|even], [second|second]", 1, {TABLE7_PWUCT, EVEN}, .one_in = UNIFORM_SHARE},
    {"C, [even|even], [second|second]", 2, {TABLE7_PWUCT, EVEN}, .one_in = UNIFORM_SHARE},
};

/* Win rates with the paper's own intervals. These are 1.96 standard errors of 250 games in each seat. */
enum { TABLE7_PUBLISHED = 250 };

static const struct {
    double rate, margin;
} table7_published[UNIFORM] = {{48.6, 6.2}, {55.5, 6.2}, {73.7, 5.5}, {51.4, 6.2}, {60.0, 6.1}, {62.4, 6.1}},
  totals_published[TABLE7_POSITIONS] = {{50.0, 4.4}, {57.8, 4.3}, {68.1, 4.1}};

/* How far from a half is no difference: the paper's own interval of A in all is 4.4 points. */
#define EVEN_MARGIN 0.05

/* DLMC has red in the first three of each six cells. */
static struct play_score dlmc_score(const struct repro_data *data, int cell) {
    return play_score(data, cell, cell % UNIFORM < TABLE7_POSITIONS ? TBS_RED : TBS_BLUE);
}

/* Both seats of a position, from cell `first` on. */
static struct repro_row *add_total(const struct repro_data *data, struct repro_result *out, int first,
                                   int position, const char *ending, struct rows_published published) {
    const struct play_score a = dlmc_score(data, first + position),
                            b = dlmc_score(data, first + TABLE7_POSITIONS + position);
    return rows_add_share(out, rows_label("%c, [total|total]%s", 'A' + position, ending).text, published,
                          a.points + b.points, a.n + b.n);
}

/* A draw is half a win. Findings are about both seats together: in each alone the map's better side counts as
 * well. */
static void table7_finish(const struct repro_data *data, struct repro_result *out) {
    const struct rows_published none = ROWS_UNPUBLISHED;
    struct proportion total[TABLE7_POSITIONS];
    int draws = 0, played = 0;
    for (int i = 0; i < UNIFORM; i++) {
        const struct play_score s = dlmc_score(data, i);
        rows_add_share(out, table7_cells[i].label,
                       (struct rows_published){table7_published[i].rate, TABLE7_PUBLISHED}, s.points, s.n)
            ->published_margin = table7_published[i].margin;
        draws += s.draws;
        played += s.n;
    }
    for (int i = 0; i < TABLE7_POSITIONS; i++) {
        struct repro_row *row = add_total(
            data, out, 0, i, "", (struct rows_published){totals_published[i].rate, SIDES * TABLE7_PUBLISHED});
        row->published_margin = totals_published[i].margin;
        total[i] = (struct proportion){row->ours / 100 * row->repetitions, row->repetitions};
    }
    for (int i = 0; i < TABLE7_POSITIONS; i++)
        add_total(data, out, UNIFORM, i, ", [even_simulations|even simulations]", none);
    rows_add_exact(out, "[drawn_games|drawn games (half a win each)]", REPRO_NONE, draws)->repetitions =
        played;
    rows_add_finding(out, TESTS(test_share_above(total[1], 0.5), test_share_above(total[2], 0.5)),
                     "finding.dlmc_first_turn_side",
                     "with DLMC's first turn a side wins significantly more than half in B and in C");
    rows_add_finding(out, TESTS(test_share_equal(total[0], 0.5, EVEN_MARGIN)), "finding.makes_no_significant",
                     "in A it makes no difference: within %.0f points of half", 100 * EVEN_MARGIN);
    rows_add_finding(out,
                     TESTS(test_shares_greater(total[1], total[0]), test_shares_greater(total[2], total[1])),
                     "finding.advantage_grows_from_b", "the advantage grows from A to B to C");
}

const struct repro_experiment repro_tbs_table7 = {
    REPRO_EXPERIMENT("tbs", "table7", table7_cells),
    .title = "the first turn by DLMC against PW-UCT throughout",
    .source = "Sato, Fujiki and Ikeda, section 7.4, table 7, figures 9 to 11",
    .published = "DLMC's win rate in all: A 50.0%, B 57.8%, C 68.1%",
    .duration = "about five minutes on two cores (3600 games)",
    .version = 3,
    .repetitions = 500,
    .repetitions_quick = 40,
    .maps = (const char *const[]){"paper_fig9_a", "paper_fig10_b", "paper_fig11_c", NULL},
    .value_names = play_game_names,
    .finish = table7_finish,
    .bars = {{"wins", "Table 7: games won by the side that plays its first turn by DLMC", "%",
              "[axis_win_rate|win rate (%)]", .level = 50}},
};

/* ---- remedies ----
 *
 * The four remedies of Sato, Fujiki and Ikeda against the size of a turn (section 5.2), each alone, on the
 * positions of figures 4 and 5 and on figure 4 twice, far apart: (a) splitting the position, (b) fewer
 * actions and one fixed order, (c) a shallow search with a better evaluation, (d) UCT. */

enum { FIG4, FIG5, TWICE, REMEDIES_POSITIONS };
enum { DEPTH_1, DEPTH_2, SPLIT, ATTACKS, FIXED, BOTH, THREAT, REMEDIES_UCT, REMEDIES };
enum { RANDOM = REMEDIES_POSITIONS * REMEDIES, REMEDIES_CELLS = RANDOM + REMEDIES_POSITIONS };

/* Full width takes too long on the larger positions; it stops after this many positions and plays the best
 * turn found. */
#define LIMIT "nodes=5000000"

/* Only UCT and the drawn order are random; the others are repeated for their times. */
#define SURE(label, map, player)                                                                             \
    { label, map, {player}, .repetitions_max = 3, .is_deterministic = true }

#define CELLS_OF(position, map)                                                                              \
    SURE(position ", [none|none], [depth|depth {1}]", map, "minmax:depth=1," LIMIT),                         \
        SURE(position ", [none|none], [depth|depth {2}]", map, "minmax:depth=2," LIMIT),                     \
        SURE(position ", [split|(a) split]", map, "split:player=[minmax:depth=2," LIMIT "]"),                \
        SURE(position ", [b_attacks_only|(b) attacks only]", map, "minmax:depth=2,prune=attacks," LIMIT),    \
        SURE(position ", [fixed_order|(b) fixed order]", map, "minmax:depth=2,order=fixed," LIMIT),          \
        SURE(position ", [b_both|(b) both]", map, "minmax:depth=2,prune=attacks,order=fixed," LIMIT),        \
        SURE(position ", [threat|(c) threat], [depth|depth {1}]", map, "minmax:depth=1,eval=threat," LIMIT), \
    {                                                                                                        \
        position ", (d) UCT 2000", map, {                                                                    \
            "uct:sims=2000"                                                                                  \
        }                                                                                                    \
    }

#define DRAWN(position, map, most)                                                                           \
    {                                                                                                        \
        position ", [random_order|(b) random order]", map, {"minmax:depth=2,order=random," LIMIT},           \
            .repetitions_max = most                                                                          \
    }

/* Cell = position * REMEDIES + remedy; then the random order on each position. The doubled position is made
 * from figure 4's map. */
static const struct repro_cell remedies_cells[REMEDIES_CELLS] = {
    CELLS_OF("[fig|fig. {4}]", 0), CELLS_OF("[fig|fig. {5}]", 1), CELLS_OF("[fig_twice|fig. {4} twice]", 0),
    DRAWN("[fig|fig. {4}]", 0, 0), DRAWN("[fig|fig. {5}]", 1, 0), DRAWN("[fig_twice|fig. {4} twice]", 0, 10)};

static int remedies_position(int cell) {
    return cell < RANDOM ? cell / REMEDIES : cell - RANDOM;
}

enum { VALUE_RIGHT, REMEDIES_VALUE_WORK };

/* ---- remedies: the doubled position ---- */

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

/* ---- remedies: right or wrong ---- */

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

/* The doubled map is made here from figure 4's: there is no file of it. */
static bool remedies_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    const int position = remedies_position(task->unit.cell);
    const struct scenario *map = task->maps[task->cell->map];
    struct scenario *twice = NULL;
    if (position == TWICE) {
        struct tbs_map two;
        if (!remedies_double_map(tbs_scenario_map(map), &two, e) ||
            (twice = tbs_scenario_make(&two, tbs_scenario_rules(map), TBS_PATH_AUTO, e)) == NULL)
            return false;
    }
    struct play_turn turn;
    const bool ok = play_first_turn(task, twice != NULL ? twice : map, &turn, out, e);
    if (ok) {
        out->values[VALUE_RIGHT] =
            position == FIG5 ? play_removes_infantry(&turn) : is_fig4_right(&turn, position == TWICE ? 2 : 1);
        out->values[REMEDIES_VALUE_WORK] = (double)turn.work;
    }
    game_unload(twice);
    return ok;
}

/* ---- remedies: rows ---- */

/* Work is what a player counts, so it has a unit of its own, and its own picture. */
static void remedies_finish(const struct repro_data *data, struct repro_result *out) {
    double work[REMEDIES_CELLS];
    struct test right[REMEDIES_CELLS], wrong[REMEDIES_CELLS];
    for (int i = 0; i < REMEDIES_CELLS; i++) {
        const struct rows_column columns[] = {{ROWS_SHARE, VALUE_RIGHT, ": [right|right]"},
                                              {ROWS_TIME, CELL_TIME, ": [time|ms]"}};
        const struct cell_sum done = rows_sum(data, i, REMEDIES_VALUE_WORK);
        const char *unit =
            i % REMEDIES == REMEDIES_UCT ? "[simulations|simulations]" : "[positions|positions]";
        rows_add_columns(data, out, (struct rows_span){i, 1}, columns, 2);
        const struct rows_label label = rows_label("%s: %s", remedies_cells[i].label, unit);
        work[i] = done.mean;
        struct repro_row *row = i < RANDOM ? rows_add_exact(out, label.text, REPRO_NONE, done.mean)
                                           : rows_add_mean(out, label.text, "", 1, done, ROWS_NOT_NEGATIVE);
        snprintf(row->unit, sizeof row->unit, "work");
        row->repetitions = done.n;
        right[i] = test_claim(rows_always(data, i, VALUE_RIGHT));
        wrong[i] = test_claim(rows_never(data, i, VALUE_RIGHT));
    }
    const struct test *right4 = right, *right8 = right + TWICE * REMEDIES;
    const double *work4 = work, *work8 = work + TWICE * REMEDIES;
    rows_add_finding(out, TESTS(wrong[DEPTH_1], right4[DEPTH_2]), "finding.without_remedy_depth_1",
                     "without a remedy depth 1 is wrong on figure 4 and depth 2 is right");
    rows_add_finding(
        out, TESTS(right8[SPLIT], test_claim(work8[SPLIT] < work8[DEPTH_2])),
        "finding.split_into_parts_figure",
        "(a) split into parts, figure 4 twice is solved with fewer positions than the whole takes");
    rows_add_finding(out, TESTS(right4[BOTH], test_claim(work4[BOTH] < work4[DEPTH_2])),
                     "finding.b_attacks_only_one",
                     "(b) attacks only in one fixed order: depth 2 is still right on figure 4, with fewer "
                     "positions than full width");
    rows_add_finding(out, TESTS(wrong[FIG5 * REMEDIES + ATTACKS]), "finding.b_attacks_only_misses",
                     "(b) attacks only misses the turn of figure 5, which begins with a plain move");
    rows_add_finding(out, TESTS(right4[THREAT]), "finding.c_damage_may_suffer",
                     "(c) with the damage it may suffer next turn in the evaluation, depth 1 is right on "
                     "figure 4");
    rows_add_finding(out, TESTS(test_share_above(rows_share(data, REMEDIES_UCT, VALUE_RIGHT), 0.5)),
                     "finding.d_uct_2000_simulations",
                     "(d) UCT with 2000 simulations is right on figure 4 more often "
                     "than not");
    rows_add_finding(
        out,
        TESTS(test_share_above(rows_share(data, RANDOM + FIG4, VALUE_RIGHT), 1 - NEARLY),
              test_less(rows_is_above(rows_sum(data, RANDOM + FIG4, REMEDIES_VALUE_WORK), work4[DEPTH_2]))),
        "finding.b_random_order",
        "(b) one order drawn at random: depth 2 is right on figure 4 (nearly) always, with fewer positions "
        "than "
        "all orders take");
    rows_add_finding(
        out,
        TESTS(wrong[FIG5 * REMEDIES + FIXED],
              test_share_above(rows_share(data, RANDOM + FIG5, VALUE_RIGHT), NEARLY)),
        "finding.b_random_order_figure_5",
        "(b) on figure 5 the order decides: most HP first misses the turn, orders drawn at random "
        "find it more than one time in ten");
}

static const struct repro_ticks remedies_ticks = {
    VALUE_RIGHT, REMEDIES_POSITIONS, REMEDIES,
    (const char *const[]){"[fig|fig. {4}]", "[fig|fig. {5}]", "[fig_twice|fig. {4} twice]"},
    (const char *const[]){"[none|none], [depth|depth {1}]", "[none|none], [depth|depth {2}]",
                          "[split|(a) split]", "[b_attacks_only|(b) attacks only]",
                          "[fixed_order|(b) fixed order]", "[b_both|(b) both]",
                          "[threat|(c) threat], [depth|depth {1}]", "(d) UCT 2000"}};

const struct repro_experiment repro_tbs_remedies = {
    REPRO_EXPERIMENT("tbs", "remedies", remedies_cells),
    .title = "four remedies against the size of a turn, each alone",
    .source = "Sato, Fujiki and Ikeda, sections 5.2 and 5.3",
    .published = "(in words) each makes figure 4 solvable; attacks-only fails on figure 5",
    .duration = "seconds",
    .version = 3,
    .repetitions = 100,
    .repetitions_quick = 20,
    .maps = (const char *const[]){"paper_fig4", "paper_fig5", NULL},
    .value_names = (const char *const[]){"right", "work", NULL},
    .run = remedies_run,
    .finish = remedies_finish,
    .ticks = &remedies_ticks,
    .bars = {{"work", "Remedies: positions or simulations a turn", "work",
              "[axis_work|positions or simulations]", true}},
};
