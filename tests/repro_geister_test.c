/* SPDX-License-Identifier: MIT
 *
 * The experiments on Geister: the figures beside which ours are set, rows and findings from made-up games,
 * and strategy fusion as a whole.
 */
#include "base/mem.h"
#include "tests/memory_support.h"
#include "geister/fusion_position.h"
#include "repro/experiments.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES = 100 }; /* of each cell in made-up data */

struct made_up {
    struct repro_unit units[REPRO_CELLS_MAX * GAMES];
    struct repro_repetition results[REPRO_CELLS_MAX * GAMES];
    struct repro_result result;
};

/* In each cell the first player wins so many games of GAMES and loses the others. */
static struct made_up *make_up(const struct repro_experiment *experiment, const int *wins) {
    struct made_up *m = mem_alloc(sizeof *m);
    assert_non_null(m);
    struct repro_data data = {.experiment = experiment,
                              .count = experiment->cell_count * GAMES,
                              .units = m->units,
                              .results = m->results};
    for (int i = 0; i < data.count; i++) {
        m->units[i] = (struct repro_unit){i % experiment->cell_count, i / experiment->cell_count};
        m->results[i].values[GAME_RED_POINTS] = m->units[i].rep < wins[m->units[i].cell];
    }
    m->result.experiment = experiment;
    m->result.repetitions = experiment->repetitions;
    output_finish(&data, &m->result);
    return m;
}

static void drop(struct made_up *m) {
    repro_result_done(&m->result);
    mem_free(m);
}

static const struct repro_row *row_of(const struct repro_result *result, const char *label) {
    for (int i = 0; i < result->row_count; i++)
        if (strcmp(result->rows[i].label, label) == 0)
            return &result->rows[i];
    fail_msg("no row '%s'", label);
    return NULL;
}

static bool is_near(double a, double b) {
    return a - b < 0.001 && b - a < 0.001;
}

static void table_1_sets_both_seats_beside_the_paper(void **state) {
    (void)state;
    static const int wins[] = {50, 50, 35, 65, 35, 65, 50, 50, 50, 50};
    struct made_up *m = make_up(&repro_geister_table1, wins);
    assert_true(is_near(row_of(&m->result, "A against B, first")->published, 50.4));
    assert_true(is_near(row_of(&m->result, "A against B, second")->published, 50.1));
    assert_true(is_near(row_of(&m->result, "C against A, both")->published, 34.4));
    assert_true(is_near(row_of(&m->result, "C against A, first")->ours, 35));
    assert_true(is_near(row_of(&m->result, "C against A, second")->ours, 35)); /* A won 65 as first */
    assert_int_equal(row_of(&m->result, "C against B, both")->repetitions, 2 * GAMES);
    assert_int_equal(m->result.findings[0].verdict, VERDICT_CANNOT_TELL); /* 200 games are few for 5 points */
    assert_int_equal(m->result.findings[1].verdict, VERDICT_AGREES);
    assert_int_equal(m->result.findings[2].verdict, VERDICT_CANNOT_TELL); /* as printed: even here */
    drop(m);
}

static void an_uneven_pairing_is_not_called_even(void **state) {
    (void)state;
    static const int wins[] = {70, 30, 50, 50, 50, 50, 35, 65, 35, 65}; /* A wins 140 of 200 against B */
    struct made_up *m = make_up(&repro_geister_table1, wins);
    assert_int_equal(m->result.findings[0].verdict, VERDICT_DIFFERS);
    assert_int_equal(m->result.findings[1].verdict, VERDICT_CANNOT_TELL);
    assert_int_equal(m->result.findings[2].verdict, VERDICT_AGREES);
    drop(m);
}

static void table_2_counts_the_points_of_uct(void **state) {
    (void)state;
    static const int wins[] = {21, 80, 18, 85, 4, 95, 3, 99};
    struct made_up *m = make_up(&repro_geister_table2, wins);
    assert_true(is_near(row_of(&m->result, "A, first")->published, 21));
    assert_true(is_near(row_of(&m->result, "C, both")->published, 5));
    assert_true(is_near(row_of(&m->result, "A, both")->ours, 20.5));
    assert_true(is_near(row_of(&m->result, "C as printed, both")->ours, 2));
    assert_true(is_near(row_of(&m->result, "C as printed, second")->published, 6));
    assert_int_equal(m->result.findings[0].verdict, VERDICT_AGREES);
    assert_int_equal(m->result.findings[1].verdict, VERDICT_AGREES);
    assert_int_equal(m->result.findings[2].verdict, VERDICT_AGREES);
    drop(m);
}

static void a_method_with_equal_results_is_reported(void **state) {
    (void)state;
    static const int wins[] = {50, 50, 18, 85, 60, 40, 20, 70, 21, 80, 18, 85, 4, 95, 3, 99};
    struct made_up *m = make_up(&repro_geister_table3, wins);
    assert_true(is_near(row_of(&m->result, "B, second")->published, 37));
    assert_int_equal(m->result.findings[0].verdict, VERDICT_DIFFERS); /* C won 60 of 100 in both seats */
    assert_int_equal(m->result.findings[1].verdict, VERDICT_DIFFERS); /* C got the most */
    assert_int_equal(m->result.findings[2].verdict, VERDICT_DIFFERS); /* C as printed got more than B */
    assert_true(is_near(row_of(&m->result, "A (paper's policy), both")->ours, 20.5));
    assert_true(is_near(row_of(&m->result, "C (paper's policy), second")->published, 27));
    for (int i = 4; i < 7; i++)
        assert_int_equal(m->result.findings[i].verdict, VERDICT_AGREES); /* against the other policy */
    drop(m);
}

/* ---- how games are won ---- */

/* One game of a cell: who won it, and how. */
static void set_game(struct made_up *m, int rep, int cell, int cells, double first_points,
                     enum geister_end end) {
    double *values = m->results[rep * cells + cell].values;
    values[GAME_RED_POINTS] = first_points;
    values[GAME_END] = end;
}

/* The second player of every game wins by an escape, but for the games that a test sets itself. */
static struct made_up *make_up_ends(const struct repro_experiment *experiment) {
    static const int none[REPRO_CELLS_MAX] = {0};
    struct made_up *m = make_up(experiment, none);
    for (int i = 0; i < experiment->cell_count * GAMES; i++)
        m->results[i].values[GAME_END] = GEISTER_BY_ESCAPE;
    return m;
}

static void finish_again(struct made_up *m) {
    const struct repro_experiment *experiment = m->result.experiment;
    const struct repro_data data = {.experiment = experiment,
                                    .count = experiment->cell_count * GAMES,
                                    .units = m->units,
                                    .results = m->results};
    repro_result_done(&m->result);
    m->result = (struct repro_result){.experiment = experiment, .repetitions = experiment->repetitions};
    output_finish(&data, &m->result);
}

static const struct repro_finding *finding_of(const struct repro_result *result, const char *code) {
    for (int i = 0; i < result->finding_count; i++)
        if (strcmp(result->findings[i].msg.code, code) == 0)
            return &result->findings[i];
    fail_msg("no finding '%s'", code);
    return NULL;
}

/* B is first in cell 2 and second in cell 3. */
static void ends_are_counted_by_winner_from_both_seats(void **state) {
    (void)state;
    struct made_up *m = make_up_ends(&repro_geister_table2);
    const int cells = repro_geister_table2.cell_count;
    for (int rep = 0; rep < GAMES; rep++) {
        set_game(m, rep, 1, cells, 1, GEISTER_BY_REDS);  /* A lost them as second */
        set_game(m, rep, 3, cells, 1, GEISTER_BY_BLUES); /* and B these */
    }
    set_game(m, 0, 2, cells, 1, GEISTER_BY_REDS);
    set_game(m, 1, 2, cells, 1, GEISTER_BY_ESCAPE);
    set_game(m, 2, 2, cells, 1, GEISTER_BY_ESCAPE);
    set_game(m, 3, 2, cells, 0.5, GEISTER_BY_LIMIT);
    set_game(m, 4, 3, cells, 0, GEISTER_BY_BLUES);
    finish_again(m);
    assert_int_equal(row_of(&m->result, "B, won by escape")->repetitions, 4);
    assert_true(is_near(row_of(&m->result, "B, won by escape")->ours, 50));
    assert_true(is_near(row_of(&m->result, "B, won by taking blues")->ours, 25));
    assert_true(is_near(row_of(&m->result, "B, won by having reds taken")->ours, 25));
    assert_int_equal(row_of(&m->result, "B, lost by escape")->repetitions, 96 + 99);
    assert_true(is_near(row_of(&m->result, "B, lost by having blues taken")->ours, 100 * 99.0 / (96 + 99)));
    assert_true(is_near(row_of(&m->result, "B, lost by taking reds")->ours, 0));
    assert_int_equal(row_of(&m->result, "A, won by escape")->repetitions, 0);
    assert_true(isnan(row_of(&m->result, "A, won by escape")->ours)); /* A won no game */
    drop(m);
}

/* Cells of A, B and C as first: 0, 2, 4. */
static void what_the_paper_says_of_wins_is_judged(void **state) {
    (void)state;
    struct made_up *m = make_up_ends(&repro_geister_table2);
    const int cells = repro_geister_table2.cell_count;
    for (int cell = 1; cell < cells; cell += 2) /* no player of the paper wins as second */
        for (int rep = 0; rep < GAMES; rep++)
            set_game(m, rep, cell, cells, 1, GEISTER_BY_ESCAPE);
    for (int rep = 0; rep < 30; rep++) {
        set_game(m, rep, 0, cells, 1, GEISTER_BY_ESCAPE);
        set_game(m, rep, 2, cells, 1, GEISTER_BY_ESCAPE);
    }
    finish_again(m);
    assert_int_equal(finding_of(&m->result, "finding.uct_wins_by_escape")->verdict, VERDICT_AGREES);
    assert_int_equal(finding_of(&m->result, "finding.uct_reds_not_taken")->verdict, VERDICT_AGREES);
    assert_int_equal(finding_of(&m->result, "finding.c_escapes_less")->verdict, VERDICT_AGREES);
    for (int rep = 0; rep < 80; rep++)
        set_game(m, rep, 4, cells, 1, rep < 40 ? GEISTER_BY_ESCAPE : GEISTER_BY_BLUES);
    set_game(m, 0, 0, cells, 1, GEISTER_BY_REDS);
    finish_again(m); /* 99 escapes and one win by reds among 140 wins */
    assert_int_equal(finding_of(&m->result, "finding.uct_wins_by_escape")->verdict, VERDICT_AGREES);
    assert_int_equal(finding_of(&m->result, "finding.uct_reds_not_taken")->verdict, VERDICT_AGREES);
    assert_int_equal(finding_of(&m->result, "finding.c_escapes_less")->verdict, VERDICT_CANNOT_TELL);
    for (int rep = 0; rep < GAMES; rep++) {
        set_game(m, rep, 2, cells, 1, GEISTER_BY_REDS);
        set_game(m, rep, 4, cells, 1, rep < 70 ? GEISTER_BY_ESCAPE : GEISTER_BY_REDS);
    }
    finish_again(m);
    assert_int_equal(finding_of(&m->result, "finding.uct_wins_by_escape")->verdict, VERDICT_DIFFERS);
    assert_int_equal(finding_of(&m->result, "finding.uct_reds_not_taken")->verdict, VERDICT_DIFFERS);
    assert_int_equal(finding_of(&m->result, "finding.c_escapes_less")->verdict, VERDICT_DIFFERS);
    drop(m);
}

static void some_wins_by_reds_are_told_against_each_policy(void **state) {
    (void)state;
    struct made_up *m = make_up_ends(&repro_geister_table3);
    const int cells = repro_geister_table3.cell_count;
    for (int rep = 0; rep < GAMES; rep++) { /* B wins as first, by escape against one, by reds against both */
        set_game(m, rep, 2, cells, 1, rep < 93 ? GEISTER_BY_ESCAPE : GEISTER_BY_REDS);
        set_game(m, rep, 10, cells, 1, rep < 60 ? GEISTER_BY_ESCAPE : GEISTER_BY_REDS);
    }
    for (int cell = 1; cell < cells; cell += 2)
        for (int rep = 0; rep < GAMES; rep++)
            set_game(m, rep, cell, cells, 1, GEISTER_BY_REDS); /* the policies' wins */
    finish_again(m);
    assert_int_equal(m->result.findings[3].verdict, VERDICT_CANNOT_TELL);
    assert_int_equal(m->result.findings[7].verdict, VERDICT_AGREES);
    drop(m);
}

/* Each end occurs among the games below, so that no two of them could be exchanged. */
static void note_ends(const struct repro_data *data, struct repro_result *out) {
    static const char *const words[] = {"", "escape", "blues", "reds", "limit"};
    int seen[GEISTER_BY_LIMIT + 1] = {0};
    (void)out;
    for (int i = 0; i < data->count; i++) {
        const struct repro_repetition *r = &data->results[i];
        const int end = (int)r->values[GAME_END];
        assert_in_range(end, GEISTER_BY_ESCAPE, GEISTER_BY_LIMIT);
        assert_string_equal(strchr(r->note, ' ') + 1, words[end]); /* "first escape" */
        seen[end]++;
    }
    for (int end = GEISTER_BY_ESCAPE; end <= GEISTER_BY_LIMIT; end++)
        assert_true(seen[end] > 0);
}

/* Games that are played, not made up: how they ended is a value of each. The record of a game says the same.
 */
static void the_end_of_a_game_is_stored(void **state) {
    (void)state;
    static const struct repro_cell cells[] = {{"a", 0, {"random", "guess"}, "geister:plies=60"}};
    static const char *const names[] = {"first_points", "turns", "actions", "end", NULL};
    const struct repro_experiment games = {REPRO_EXPERIMENT("geister", "ends", cells),
                                           .title = "",
                                           .source = "",
                                           .published = "",
                                           .duration = "",
                                           .version = 1,
                                           .repetitions = 60,
                                           .repetitions_quick = 60,
                                           .value_names = names,
                                           .finish = note_ends};
    struct err e = {""};
    struct repro_result *result = mem_alloc(sizeof *result);
    int64_t now_ns = 0; /* stands still */
    const struct clock clock = clock_manual(&now_ns);
    const struct repro_options options = {.seed = 3, .workers = 1, .program = "test", .clock = &clock};
    assert_int_equal(repro_run(&games, &options, result, &e), REPRO_DONE);
    repro_result_done(result);
    mem_free(result);
}

/* ---- forced wins ---- */

static void plies_to_a_win_are_counted(void **state) {
    (void)state;
    struct err e = {""};
    struct scenario *scenario = game_load_spec("geister", &e);
    struct purple *purple = purple_open(1 << 20, &e);
    struct geister s, after;
    action moves[GEISTER_SETUPS];
    assert_non_null(scenario);
    assert_non_null(purple);
    assert_true(geister_read_board(&s, scenario, 0, FUSION_BOARD, 0, 0, &e));
    const int count = geister_game.actions(&s, moves);
    for (int i = 0; i < count; i++) {
        if (moves[i] == geister_move(7, GEISTER_NORTH))
            continue; /* takes a piece whose colour is not given here */
        after = s;
        geister_game.play(&after, moves[i], NULL);
        const int plies = geister_plies_to_win(purple, &after, 0, 8);
        if (moves[i] == FUSION_WINNING_MOVE)
            assert_int_equal(plies, 5);
        else if (moves[i] == FUSION_FUSED_MOVE)
            assert_int_equal(plies, FUSION_FUSED_PLIES);
        else
            assert_true(plies == 0 || plies > 5);
        if (moves[i] == FUSION_WINNING_MOVE) /* with less depth it is not seen */
            assert_int_equal(geister_plies_to_win(purple, &after, 0, 1), 0);
        assert_true(plies <= 11);
    }
    purple_close(purple);
    game_unload(scenario);
}

static struct repro_result *run_small(const struct repro_experiment *experiment, int repetitions) {
    struct err e = {""};
    struct repro_result *result = mem_alloc(sizeof *result);
    int64_t now_ns = 0; /* stands still */
    const struct clock clock = clock_manual(&now_ns);
    const struct repro_options options = {
        .seed = 9, .repetitions = repetitions, .workers = 2, .program = "test", .clock = &clock};
    if (repro_run(experiment, &options, result, &e) != REPRO_DONE)
        fail_msg("%s", e.text);
    return result;
}

/* Two cells of each length: positions are those of the deal, and a decision is judged by the rule. */
static void look_at_mates(const struct repro_data *data, struct repro_result *out) {
    (void)out;
    static const int plies[] = {3, 5, 7};
    struct err e = {""};
    struct scenario *scenario = game_load_spec("geister", &e);
    struct purple *purple = purple_open(1 << 20, &e);
    int missed = 0;
    for (int i = 0; i < data->count; i++) {
        const struct repro_repetition *r = &data->results[i];
        const int length = plies[data->units[i].cell / 5];
        char board[GEISTER_BOARD_CHARS + 1] = "";
        struct geister s;
        struct geister_observation seen;
        struct purple_result win;
        memcpy(board, r->note, GEISTER_BOARD_CHARS);
        assert_memory_equal(board, data->results[i - i % 5].note, GEISTER_BOARD_CHARS); /* all players' */
        assert_true(geister_read_board(&s, scenario, 0, board, 0, 0, &e));
        geister_observe(&s, 0, &seen);
        assert_true(purple_mate(purple, &seen, &(struct purple_task){.depth = 8}, &win));
        assert_int_equal(PURPLE_WIN - win.value + 1, length);
        assert_true(r->values[0] + r->values[1] < 1.5); /* missed, or won later, or neither */
        missed += data->units[i].cell % 5 == 0 && r->values[0] > 0.5;
    }
    assert_true(missed > 0); /* by random moves */
    purple_close(purple);
    game_unload(scenario);
}

static void mates_are_as_long_as_they_say(void **state) {
    (void)state;
    struct repro_experiment looked = repro_geister_mates;
    struct repro_cell cells[15];
    memcpy(cells, looked.cells, sizeof cells);
    for (int i = 0; i < 15; i++)
        cells[i].players[0] = i % 5 == 0 ? "random" : "pg";
    looked.cells = cells;
    looked.finish = look_at_mates;
    struct repro_result *result = run_small(&looked, 4);
    repro_result_done(result);
    mem_free(result);
}

static void misses_of_a_b_and_c_count_together(void **state) {
    (void)state;
    static const int none[15] = {0};
    struct made_up *m = make_up(&repro_geister_mates, none);
    for (int i = 0; i < 15 * GAMES; i++)
        m->results[i].values[0] = 0;
    for (int rep = 0; rep < 30; rep++) {
        m->results[rep * 15 + 5 + 1].values[0] = 1;  /* A misses wins of 5 plies, */
        m->results[rep * 15 + 10 + 3].values[0] = 1; /* C those of 7, */
        m->results[rep * 15].values[0] = 1;          /* and random and C as printed do not count */
        m->results[rep * 15 + 4].values[0] = 1;
    }
    finish_again(m);
    assert_true(is_near(row_of(&m->result, "5 plies: A, missed")->ours, 30));
    assert_true(is_near(row_of(&m->result, "3 plies: A, missed")->ours, 0));
    assert_int_equal(m->result.findings[0].verdict, VERDICT_DIFFERS);
    assert_int_equal(m->result.findings[1].verdict, VERDICT_AGREES);
    assert_int_equal(m->result.findings[2].verdict, VERDICT_AGREES);
    assert_int_equal(m->result.findings[3].verdict, VERDICT_AGREES);
    drop(m);
}

/* ---- beliefs ---- */

/* By the order of value_names. Of the 12 values by ply four for each bin; then six for each believer. */
static void look_at_beliefs(const struct repro_data *data, struct repro_result *out) {
    (void)out;
    double gain = 0;
    for (int i = 0; i < data->count; i++) {
        const double *v = data->results[i].values;
        const double pieces = v[0] + v[4] + v[8];
        assert_true(v[0] >= 8 * 5); /* every own turn of the first ones */
        for (int bin = 0; bin < 3; bin++) {
            const double *b = v + 4 * (ptrdiff_t)bin;
            assert_true(b[0] > 0 || (b[1] <= 0 && b[2] <= 0 && b[3] <= 0));
            assert_true(b[1] <= b[0] * 0.693148); /* the prior by counts: at most one bit */
        }
        for (int who = 0; who < 2; who++) {
            const double *low = v + 12 + 6 * (ptrdiff_t)who, *high = low + 3;
            assert_true(is_near(low[0] + high[0], pieces));
            assert_true(low[1] >= 0.5 * low[0] && low[1] <= 0.75 * low[0]);
            assert_true(high[1] >= 0.75 * high[0] && high[1] <= high[0] * 1.000001);
            assert_true(low[2] <= low[0] && high[2] <= high[0]);
        }
        gain += data->units[i].cell == 3 ? v[1] + v[5] + v[9] - v[2] - v[6] - v[10] : 0;
    }
    assert_true(gain > 0); /* geist on pg, of which it has a model */
}

static void beliefs_are_compared_with_colours(void **state) {
    (void)state;
    struct repro_experiment looked = repro_geister_beliefs;
    looked.finish = look_at_beliefs;
    struct repro_result *result = run_small(&looked, 2);
    repro_result_done(result);
    mem_free(result);
}

/* Ten pieces a game in the first 20 plies, and five later; half of the games end before ply 20. */
static void made_up_beliefs_are_summed_up(void **state) {
    (void)state;
    static const int none[7] = {0};
    struct made_up *m = make_up(&repro_geister_beliefs, none);
    const int cells = repro_geister_beliefs.cell_count;
    for (int i = 0; i < cells * GAMES; i++) {
        const int rep = i / cells;
        const double late = rep % 2 == 0 ? 5 : 0;
        const double values[24] = {10, 7,   1, 5, late, late * 0.7, late * 0.2, late * 0.8, 0, 0, 0, 0,
                                   4,  2.4, 2, 6, 5.4,  6,          10,         7,          5, 0, 0, 0};
        memcpy(m->results[i].values, values, sizeof values);
    }
    finish_again(m);
    assert_true(is_near(row_of(&m->result, "pg, plies 0 to 19: geist")->ours, 0.1));
    assert_true(is_near(row_of(&m->result, "pg, plies 20 to 39: guess")->ours, 0.8));
    assert_int_equal(row_of(&m->result, "pg, plies 20 to 39: guess")->repetitions, GAMES / 2);
    assert_int_equal(row_of(&m->result, "pg, from ply 40 on: guess")->repetitions, 0);
    assert_true(is_near(row_of(&m->result, "pg, all plies: geist")->ours, (0.1 + 2 / 15.0) / 2));
    assert_true(is_near(row_of(&m->result, "pg, geist, under 75% sure: too sure by")->ours, 10));
    assert_true(is_near(row_of(&m->result, "pg, geist, 75% sure or more: too sure by")->ours, -10));
    assert_true(is_near(row_of(&m->result, "march, guess, under 75% sure: too sure by")->ours, 20));
    assert_int_equal(finding_of(&m->result, "finding.random_tells_nothing")->verdict, VERDICT_DIFFERS);
    assert_int_equal(finding_of(&m->result, "finding.geist_reads_pg")->verdict, VERDICT_AGREES);
    drop(m);
}

/* ---- march ---- */

/* A, B and C lose all games by taking reds, and nissy wins one of 200. */
static void march_is_judged_by_its_games(void **state) {
    (void)state;
    struct made_up *m = make_up_ends(&repro_geister_march);
    const int cells = repro_geister_march.cell_count;
    for (int i = 0; i < cells * GAMES; i++)
        set_game(m, i / cells, i % cells, cells, i % cells % 2, GEISTER_BY_REDS);
    set_game(m, 5, 6, cells, 1, GEISTER_BY_ESCAPE);
    finish_again(m);
    for (int i = 0; i < 3; i++)
        assert_int_equal(m->result.findings[i].verdict, VERDICT_AGREES);
    assert_true(isnan(row_of(&m->result, "nissy, both")->published));
    assert_true(is_near(row_of(&m->result, "nissy, both")->ours, 0.5));
    for (int rep = 0; rep < 60; rep++) {
        set_game(m, rep, 6, cells, 1, GEISTER_BY_ESCAPE);
        set_game(m, rep, 2, cells, 1, GEISTER_BY_ESCAPE);
        set_game(m, rep, 3, cells, 0, GEISTER_BY_ESCAPE);
    }
    for (int i = 0; i < cells * GAMES; i++)
        m->results[i].values[GAME_END] = GEISTER_BY_ESCAPE;
    finish_again(m);
    for (int i = 0; i < 3; i++)
        assert_int_equal(m->result.findings[i].verdict, VERDICT_DIFFERS);
    drop(m);
}

static void strategy_fusion_comes_out(void **state) {
    (void)state;
    struct err e = {""};
    struct repro_result *result = mem_alloc(sizeof *result);
    int64_t now_ns = 0; /* stands still */
    const struct clock clock = clock_manual(&now_ns);
    const struct repro_options options = {
        .seed = 5, .repetitions = 2, .workers = 1, .program = "test", .clock = &clock};
    assert_non_null(result);
    assert_int_equal(repro_run(&repro_geister_fusion, &options, result, &e), REPRO_DONE);
    assert_int_equal(result->finding_count, 4);
    for (int i = 0; i < result->finding_count; i++)
        assert_int_equal(result->findings[i].verdict, i == 1 ? VERDICT_CANNOT_TELL : VERDICT_SAME);
    repro_result_done(result);
    mem_free(result);
}

static void finish_fusion(void *context) {
    struct made_up *m = context;
    const struct repro_data data = {.experiment = &repro_geister_fusion,
                                    .count = repro_geister_fusion.cell_count,
                                    .units = m->units,
                                    .results = m->results};
    m->result = (struct repro_result){.experiment = &repro_geister_fusion};
    output_finish(&data, &m->result);
    const char *failure = m->result.failure.text;
    assert_true(failure[0] == '\0' ? m->result.finding_count == 4 : strstr(failure, "memory") != NULL);
}

static void memory_for_the_sum_may_run_out(void **state) {
    (void)state;
    struct made_up *m = mem_alloc(sizeof *m);
    for (int i = 0; i < repro_geister_fusion.cell_count; i++)
        m->units[i].cell = i;
    long n = 1;
    while (memory_runs_out(n, finish_fusion, m))
        n++;
    assert_true(n > 1);
    drop(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_1_sets_both_seats_beside_the_paper),
        cmocka_unit_test(an_uneven_pairing_is_not_called_even),
        cmocka_unit_test(table_2_counts_the_points_of_uct),
        cmocka_unit_test(a_method_with_equal_results_is_reported),
        cmocka_unit_test(ends_are_counted_by_winner_from_both_seats),
        cmocka_unit_test(what_the_paper_says_of_wins_is_judged),
        cmocka_unit_test(some_wins_by_reds_are_told_against_each_policy),
        cmocka_unit_test(the_end_of_a_game_is_stored),
        cmocka_unit_test(plies_to_a_win_are_counted),
        cmocka_unit_test(mates_are_as_long_as_they_say),
        cmocka_unit_test(misses_of_a_b_and_c_count_together),
        cmocka_unit_test(beliefs_are_compared_with_colours),
        cmocka_unit_test(made_up_beliefs_are_summed_up),
        cmocka_unit_test(march_is_judged_by_its_games),
        cmocka_unit_test(strategy_fusion_comes_out),
        cmocka_unit_test(memory_for_the_sum_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
