/* SPDX-License-Identifier: MIT
 *
 * The experiments of Nishikori, Aoki and Hashimoto on Geister: their tables 1 to 3, and strategy fusion.
 */
#include "geister/fusion_position.h"
#include "match/clocked_game.h"
#include "repro/experiments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GEISTER_SOURCE "Nishikori, Aoki and Hashimoto, research of Geister AI using UCT (in Japanese)"

/* ---- tables 1 to 3 ----
 *
 * Tables 1 to 3 of Nishikori, Aoki and Hashimoto (section 6): UCT that fixes all hidden colours before a
 * simulation (A), only those it needs (B) or none (C), against each other, against the purple-piece Min-Max
 * of depth 6, and against a policy without search. All choose their set-ups at random, as in the paper. */

#define A "gst-a:sims=30000"
#define B "gst-b:sims=30000"
#define C "gst-c:sims=30000"

/* Formula (2) as it is printed; gst-c itself takes into account that fewer than four reds suffice when some
 * are gone. */
#define LETTER "gst-c:reading=letter,sims=30000"

#define PURPLE "purple:depth=6"
#define POLICY "pg"

#define GAME(name, first, second)                                                                            \
    { name, 0, {first, second}, "geister" }

/* The same, with a name of both players. */
#define SEATS(a_name, b_name, a, b) GAME(a_name " [first|first], " b_name " [second|second]", a, b)
#define AS_PRINTED                  "[c_as_printed|C as printed]"

enum { CONTESTS = 3, ROBIN_CONTESTS = 5 };

/* The first of the values of a game (GAME_RED_POINTS …). */
static const char *const value_names[] = {"first_points", "turns", "actions", NULL};

/* ---- what the tables have in common ---- */

/* Games of one player as the paper reports them. */
struct published_games {
    int won, lost, drawn;
};

/* One player against another: cell 2 * i has it first, cell 2 * i + 1 second. */
struct contest {
    const char *name;
    struct published_games first, second;
};

/* In per cent; a draw is half a win. */
static struct rows_published share_of(const struct published_games *p) {
    const int n = p->won + p->lost + p->drawn;
    return (struct rows_published){100 * (p->won + p->drawn / 2.0) / n, n};
}

static struct proportion share_in(const struct repro_row *row) {
    return (struct proportion){row->ours / 100 * row->repetitions, row->repetitions};
}

/* Both seats and their sum; findings are about the row of the sum. */
static const struct repro_row *add_contest(const struct repro_data *data, struct repro_result *out,
                                           const struct contest *c, int cell) {
    const struct play_score first = play_score(data, cell, 0), second = play_score(data, cell + 1, 1);
    const struct published_games both = {c->first.won + c->second.won, c->first.lost + c->second.lost,
                                         c->first.drawn + c->second.drawn};
    rows_add_share(out, rows_label("%s, [first|first]", c->name).text, share_of(&c->first), first.points,
                   first.n);
    rows_add_share(out, rows_label("%s, [second|second]", c->name).text, share_of(&c->second), second.points,
                   second.n);
    return rows_add_share(out, rows_label("%s, [both_seats|both]", c->name).text, share_of(&both),
                          first.points + second.points, first.n + second.n);
}

/* All contests, then what is common to the games of all of them. */
static void add_contests(const struct repro_data *data, struct repro_result *out,
                         const struct contest *contests, int count, const struct repro_row **totals) {
    for (int i = 0; i < count; i++)
        totals[i] = add_contest(data, out, &contests[i], 2 * i);
    int draws = 0;
    double turns = 0;
    for (int cell = 0; cell < 2 * count; cell++) {
        draws += play_score(data, cell, 0).draws;
        turns += rows_sum(data, cell, GAME_TURNS).sum;
    }
    rows_add_exact(out, "[drawn_games|drawn games (half a win each)]", REPRO_NONE, draws)->repetitions =
        data->count;
    rows_add_exact(out, "[turns_a_game|turns a game], [set_ups|set-ups included]", REPRO_NONE,
                   turns / data->count)
        ->repetitions = data->count;
}

/* ---- table 1 ---- */

enum { A_AND_B, C_AND_A, C_AND_B, LETTER_AND_A, LETTER_AND_B };

static const struct contest round_robin[ROBIN_CONTESTS] = {
    [A_AND_B] = {"A[against| against ]B", {252, 248, 0}, {250, 249, 1}},
    [C_AND_A] = {"C[against| against ]A", {169, 331, 0}, {175, 325, 0}},
    [C_AND_B] = {"C[against| against ]B", {173, 327, 0}, {179, 319, 0}},
    [LETTER_AND_A] = {AS_PRINTED "[against| against ]A", {169, 331, 0}, {175, 325, 0}},
    [LETTER_AND_B] = {AS_PRINTED "[against| against ]B", {173, 327, 0}, {179, 319, 0}},
};

static const struct repro_cell round_robin_cells[2 * ROBIN_CONTESTS] = {
    SEATS("A", "B", A, B),
    SEATS("B", "A", B, A),
    SEATS("C", "A", C, A),
    SEATS("A", "C", A, C),
    SEATS("C", "B", C, B),
    SEATS("B", "C", B, C),
    SEATS(AS_PRINTED, "A", LETTER, A),
    SEATS("A", AS_PRINTED, A, LETTER),
    SEATS(AS_PRINTED, "B", LETTER, B),
    SEATS("B", AS_PRINTED, B, LETTER),
};

/* The sentence names who is weak; `first` lets a translation name it, too. */
static void judge_weakness(struct repro_result *out, const char *who, const struct repro_row *a,
                           const struct repro_row *b) {
    rows_add_finding(
        out,
        TESTS(test_less(test_share_above(share_in(a), 0.5)), test_less(test_share_above(share_in(b), 0.5))),
        "finding.clearly_weaker_both_against",
        "%s is clearly weaker than both: %.1f%% (%.1f to %.1f) against A, %.1f%% (%.1f to "
        "%.1f) against B",
        rows_plain(who).text, a->ours, a->low, a->high, b->ours, b->low, b->high)
        ->first = who;
}

/* "Even" means within five points of a half, both seats together. */
#define EVEN_MARGIN 0.05

static void finish_round_robin(const struct repro_data *data, struct repro_result *out) {
    const struct repro_row *t[ROBIN_CONTESTS];
    add_contests(data, out, round_robin, ROBIN_CONTESTS, t);
    rows_add_finding(out, TESTS(test_share_equal(share_in(t[A_AND_B]), 0.5, EVEN_MARGIN)),
                     "finding.b_even_gets", "A and B are even: A gets %.1f%% (%.1f to %.1f)",
                     t[A_AND_B]->ours, t[A_AND_B]->low, t[A_AND_B]->high);
    judge_weakness(out, "C", t[C_AND_A], t[C_AND_B]);
    judge_weakness(out, "[c_by_formula|C by formula (2) as it is printed]", t[LETTER_AND_A], t[LETTER_AND_B]);
}

/* ---- tables 2 and 3 ---- */

enum { OF_A, OF_B, OF_C };

/* Of an experiment in which A, B and C play against one opponent. */
struct opposition {
    struct contest contests[CONTESTS];
    const char *opponent;
};

#define AGAINST(opponent)                                                                                    \
    GAME("A [first|first]", A, opponent), GAME("A [second|second]", opponent, A),                            \
        GAME("B [first|first]", B, opponent), GAME("B [second|second]", opponent, B),                        \
        GAME("C [first|first]", C, opponent), GAME("C [second|second]", opponent, C)

/* Shared by tables 2 and 3, which differ in the opponent alone. */
static void finish_opposition(const struct repro_data *data, struct repro_result *out) {
    const struct opposition *o = data->experiment->details;
    const struct repro_row *t[CONTESTS];
    add_contests(data, out, o->contests, CONTESTS, t);
    rows_add_finding(
        out,
        TESTS(test_less(test_share_above(share_in(t[OF_A]), 0.5)),
              test_less(test_share_above(share_in(t[OF_B]), 0.5)),
              test_less(test_share_above(share_in(t[OF_C]), 0.5))),
        "finding.all_three_lose_gets",
        "all three lose to %s: A gets %.1f%% (%.1f to %.1f), B %.1f%% (%.1f to %.1f), C %.1f%% (%.1f to "
        "%.1f)",
        rows_plain(o->opponent).text, t[OF_A]->ours, t[OF_A]->low, t[OF_A]->high, t[OF_B]->ours, t[OF_B]->low,
        t[OF_B]->high, t[OF_C]->ours, t[OF_C]->low, t[OF_C]->high)
        ->first = o->opponent;
    rows_add_finding(out,
                     TESTS(test_shares_greater(share_in(t[OF_A]), share_in(t[OF_C])),
                           test_shares_greater(share_in(t[OF_B]), share_in(t[OF_C]))),
                     "finding.c_gets_least_them", "C gets the least of them");
}

static const struct repro_cell against_purple_cells[] = {AGAINST(PURPLE)};
static const struct opposition against_purple = {
    .contests = {[OF_A] = {"A", {10, 39, 1}, {11, 39, 0}},
                 [OF_B] = {"B", {9, 41, 0}, {7, 43, 0}},
                 [OF_C] = {"C", {2, 48, 0}, {3, 47, 0}}},
    .opponent = "[purple_search|the purple-piece search of depth 6]",
};

static const struct repro_cell against_policy_cells[] = {AGAINST(POLICY)};
static const struct opposition against_policy = {
    .contests = {[OF_A] = {"A", {22, 28, 0}, {19, 31, 0}},
                 [OF_B] = {"B", {15, 35, 0}, {18, 31, 1}},
                 [OF_C] = {"C", {5, 45, 0}, {13, 36, 1}}},
    .opponent = "[policy|the policy without search]",
};

#define TABLE(number, array, picture)                                                                        \
    REPRO_EXPERIMENT("geister", "table" #number, array),                                                     \
        .source = GEISTER_SOURCE ", section 6.3, table " #number, .version = 1, .value_names = value_names,  \
        .bars = {{"points", "Table " #number ": " picture, "%",                                              \
                  "[axis_points|points (%, a draw is half of one)]"}}

const struct repro_experiment repro_geister_table1 = {
    TABLE(1, round_robin_cells, "three ways of fixing colours"),
    .title = "UCT that fixes hidden colours before a simulation (A), when needed (B) or never (C)",
    .published = "A and B even (A-B 252-248, B-A 249-250-1), C about 35% against both",
    .duration = "about three hours on two cores (5000 games); a quarter of an hour with --trials 40",
    .repetitions = 500,
    .repetitions_quick = 10,
    .finish = finish_round_robin,
};

const struct repro_experiment repro_geister_table2 = {
    TABLE(2, against_purple_cells, "UCT against the purple-piece search"),
    .title = "UCT A, B and C against the purple-piece Min-Max of depth 6",
    .published = "A 10-39-1 first and 11-39 second, B 9-41 and 7-43, C 2-48 and 3-47",
    .duration = "about five minutes on two cores (300 games)",
    .repetitions = 400,
    .repetitions_quick = 5,
    .finish = finish_opposition,
    .details = &against_purple,
};

const struct repro_experiment repro_geister_table3 = {
    TABLE(3, against_policy_cells, "UCT against a policy without search"),
    .title = "UCT A, B and C against a policy-gradient player without search",
    .published = "A 22-28 first and 19-31 second, B 15-35 and 18-31-1, C 5-45 and 13-36-1",
    .duration = "about five minutes on two cores (300 games)",
    .repetitions = 400,
    .repetitions_quick = 5,
    .finish = finish_opposition,
    .details = &against_policy,
};

/* ---- strategy fusion ----
 *
 * Strategy fusion as Nishikori, Aoki and Hashimoto show it (section 4): in the one-player game of two
 * worlds of their figures 2 and 3, and in a position of Geister like that of their figure 5. A repetition
 * is one decision. */

enum { PER_WORLD, INFORMATION_SET, EACP, FUSION_PURPLE, FUSION_CELLS };
enum { VALUE_AS_TOLD, VALUE_BELIEVED };

static const struct repro_cell fusion_cells[FUSION_CELLS] = {
    [PER_WORLD] = {"[two_worlds|two worlds]: [min_max_in_each|Min-Max in each]",
                   0,
                   {"pimc:evaluator=minimax,worlds=all"},
                   "fusion",
                   .is_deterministic = true},
    [INFORMATION_SET] = {"[two_worlds|two worlds]: [information_sets|information sets]",
                         0,
                         {"ismcts:sims=20000,c=4"},
                         "fusion"},
    [EACP] = {"[geister|Geister]: [enumerated|all placements enumerated]",
              0,
              {"eacp:depth=6"},
              "geister",
              .is_deterministic = true},
    [FUSION_PURPLE] = {"[geister|Geister]: [purple_pieces|purple pieces]",
                       0,
                       {"purple:depth=6"},
                       "geister",
                       .is_deterministic = true},
};

/* The choices that the paper reports: actions of the two-world game by name, of Geister by number. */
static const char *const told_names[FUSION_CELLS] = {[PER_WORLD] = "a1", [INFORMATION_SET] = "a2"};
static const action told_moves[FUSION_CELLS] = {
    [EACP] = FUSION_FUSED_MOVE, [FUSION_PURPLE] = FUSION_WINNING_MOVE};

/* The position of Geister cannot be reached from a start by a seed, so it is written over the state of a
 * new game. */
static bool fusion_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    const struct game *game = task->game->game;
    const char *told = told_names[task->unit.cell]; /* NULL: the position of Geister */
    struct player *player = player_open(task->cell->players[0], game, e);
    struct referee referee;
    struct text name = {0};
    if (player == NULL)
        return false;
    referee_start(&referee, task->game, task->seed, NULL);
    const bool ok = told != NULL ||
                    geister_read_board((struct geister *)referee.state, task->game, 0, FUSION_BOARD, 0, 0, e);
    if (ok) {
        const struct play_decision d = play_decide(task, &referee, player);
        game->text->write_action(referee.state, d.answer.chosen, &name);
        out->values[VALUE_AS_TOLD] = told != NULL ? strcmp(text_string(&name), told) == 0
                                                  : d.answer.chosen == told_moves[task->unit.cell];
        out->values[VALUE_BELIEVED] =
            told != NULL ? game_payoff_scaled(task->game, d.answer.value) : d.answer.value;
        out->ms = d.ms;
        snprintf(out->note, sizeof out->note, "%s", text_string(&name));
    }
    text_done(&name);
    player_close(player);
    return ok;
}

/* Whether a win is still forced for us in the position of Geister, after the move that enumeration picks
 * and the best answer to it. */
static bool find_win(bool *wins, struct err *e) {
    struct purple *purple = purple_open((size_t)1 << 20, e);
    struct scenario *scenario = purple != NULL ? game_load_spec("geister", e) : NULL;
    struct geister s;
    const bool ok = scenario != NULL && geister_read_board(&s, scenario, 0, FUSION_BOARD, 0, 0, e);
    if (ok) {
        struct geister_observation seen;
        struct purple_result result;
        geister_game.play(&s, FUSION_FUSED_MOVE, NULL);
        geister_game.play(&s, FUSION_REFUTATION, NULL);
        geister_observe(&s, 0, &seen);
        *wins = purple_mate(purple, &seen, &(struct purple_task){.depth = 8}, &result);
    }
    game_unload(scenario);
    purple_close(purple);
    return ok;
}

/* What a player believes is on its own scale: in the game of two worlds a payoff, in Geister a win less the
 * plies to it. */
static void fusion_finish(const struct repro_data *data, struct repro_result *out) {
    bool wins;
    if (!find_win(&wins, &out->failure))
        return;
    const struct rows_column told = {ROWS_SHARE, VALUE_AS_TOLD,
                                     .published = (const double[]){100, REPRO_NONE, 100, 100}};
    rows_add_columns(data, out, (struct rows_span){0, FUSION_CELLS}, &told, 1);
    double believed[FUSION_CELLS];
    for (int cell = 0; cell < FUSION_CELLS; cell++)
        believed[cell] = rows_sum(data, cell, VALUE_BELIEVED).mean;
    rows_add_exact(out, "[two_worlds|two worlds]: [each_believes|what Min-Max in each believes]", 1,
                   believed[PER_WORLD]);
    rows_add_exact(out, "[two_worlds|two worlds]: [sets_say|what information sets say]", 0.5,
                   believed[INFORMATION_SET]);
    rows_add_exact(out, "[geister|Geister]: [plies_to_win|plies to the win eacp believes in]", 3,
                   PURPLE_WIN - believed[EACP]);
    rows_add_exact(out, "[geister|Geister]: [plies_to_escape|plies to the escape purple finds]", 5,
                   PURPLE_WIN - believed[FUSION_PURPLE] + 1);
    rows_add_finding(out,
                     TESTS(test_claim(rows_always(data, PER_WORLD, VALUE_AS_TOLD)),
                           test_claim(believed[PER_WORLD] > 0.999)),
                     "finding.searching_each_world_picks",
                     "searching each world picks a1 and believes in +1 (it is worth 0)");
    rows_add_finding(out,
                     TESTS(test_share_above(rows_share(data, INFORMATION_SET, VALUE_AS_TOLD), 0.5),
                           rows_is_equal(rows_sum(data, INFORMATION_SET, VALUE_BELIEVED), 0.5, 0.01)),
                     "finding.searching_information_sets", "searching information sets picks a2, worth +0.5");
    rows_add_finding(out, TESTS(test_claim(rows_always(data, EACP, VALUE_AS_TOLD)), test_claim(!wins)),
                     "finding.enumerating_all_colour",
                     "enumerating all colour placements picks a move after which nothing is forced any more");
    rows_add_finding(out, TESTS(test_claim(rows_always(data, FUSION_PURPLE, VALUE_AS_TOLD))),
                     "finding.purple_piece_search_finds",
                     "the purple-piece search finds the forced escape in the same position");
}

const struct repro_experiment repro_geister_fusion = {
    REPRO_EXPERIMENT("geister", "fusion", fusion_cells),
    .title = "strategy fusion: in a game of two worlds, and in a position of Geister",
    .source = GEISTER_SOURCE ", section 4, figures 2, 3 and 5",
    .published = "per world: a1, believed +1; information sets: a2, +0.5; placements enumerated: no win, "
                 "purple: escape in 5 plies",
    .duration = "seconds",
    .version = 1,
    .repetitions = 20,
    .repetitions_quick = 20,
    .value_names = (const char *const[]){"chose_as_told", "believed", NULL},
    .run = fusion_run,
    .finish = fusion_finish,
};
