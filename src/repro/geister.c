/* SPDX-License-Identifier: MIT
 *
 * The experiments of Nishikori, Aoki and Hashimoto on Geister: their tables 1 to 3, and strategy fusion.
 */
#include "game/geister/geister.h"
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
 * of depth 6, and against policies without search. All choose their set-ups at random, as in the paper. */

#define A "gst-a:sims=30000"
#define B "gst-b:sims=30000"
#define C "gst-c:sims=30000"

/* Formula (2) as it is printed; gst-c itself takes into account that fewer than four reds suffice when some
 * are gone. */
#define LETTER "gst-c:reading=letter,sims=30000"

#define PURPLE "purple:depth=6"
#define POLICY "pg"

/* The paper's own opponent as far as it is published: its features and its way of learning, in as many games.
 */
#define PAPER_POLICY "pg:recipe=published"

#define GAME(name, first, second, most)                                                                      \
    { name, 0, {first, second}, "geister", 0, most }

/* The same, with a name of both players. */
#define SEATS(a_name, b_name, a, b, most)                                                                    \
    GAME(a_name " [first|first], " b_name " [second|second]", a, b, most)
#define AS_PRINTED "[c_as_printed|C as printed]"

/* Contests of a table; in tables 2 and 3 with one opponent. */
enum { CONTESTS = 4, ROBIN_CONTESTS = 5, OPPONENTS = 2 };

/* The values of a game (GAME_RED_POINTS … GAME_END). */
static const char *const value_names[] = {"first_points", "turns", "actions", "end", NULL};

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
    if (n == 0)
        return ROWS_UNPUBLISHED;
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

/* ---- how games are won ---- */

/* The games that one player wins in a contest, from both seats, by their ends. */
struct wins {
    int all, by[GEISTER_BY_LIMIT];
};

/* Wins of the contest's first player, or (`loses`) of the other. */
static struct wins count_wins(const struct repro_data *data, int cell, bool loses) {
    struct wins w = {0};
    for (int i = 0; i < data->count; i++) {
        const double *values = data->results[i].values;
        const int seat = data->units[i].cell - cell; /* of the contest's first player */
        const int end = (int)values[GAME_END];
        if (seat < 0 || seat > 1 || end < GEISTER_BY_ESCAPE || end >= GEISTER_BY_LIMIT)
            continue;
        const bool first_won = values[GAME_RED_POINTS] > 0.5;
        if (((first_won ? 0 : 1) == seat) != loses) {
            w.all++;
            w.by[end]++;
        }
    }
    return w;
}

static struct wins add_wins(struct wins a, struct wins b) {
    a.all += b.all;
    for (int end = 0; end < GEISTER_BY_LIMIT; end++)
        a.by[end] += b.by[end];
    return a;
}

/* Shares of the wins and of the losses. Games without a winner have a row of their own. */
static void add_ways(const struct repro_data *data, struct repro_result *out, const char *name, int cell) {
    static const char *const ways[2][GEISTER_BY_LIMIT] = {
        {[GEISTER_BY_ESCAPE] = "[won_escape|won by escape]",
         [GEISTER_BY_BLUES] = "[won_blues|won by taking blues]",
         [GEISTER_BY_REDS] = "[won_reds|won by having reds taken]"},
        {[GEISTER_BY_ESCAPE] = "[lost_escape|lost by escape]",
         [GEISTER_BY_BLUES] = "[lost_blues|lost by having blues taken]",
         [GEISTER_BY_REDS] = "[lost_reds|lost by taking reds]"},
    };
    for (int loses = 0; loses < 2; loses++) {
        const struct wins w = count_wins(data, cell, loses);
        for (int end = GEISTER_BY_ESCAPE; end < GEISTER_BY_LIMIT; end++) {
            const struct rows_label label = rows_label("%s, %s", name, ways[loses][end]);
            if (w.all > 0)
                rows_add_share(out, label.text, ROWS_UNPUBLISHED, w.by[end], w.all);
            else
                rows_add(out, label.text, "%", REPRO_NONE)->repetitions = 0;
        }
    }
}

/* All contests, then what is common to the games of all of them, then how the games ended. */
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
    for (int i = 0; i < count; i++)
        add_ways(data, out, contests[i].name, 2 * i);
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

/* Games of a cell of C as printed: enough to tell how much weaker this reading is. */
enum { LETTER_GAMES = 100 };

static const struct repro_cell round_robin_cells[2 * ROBIN_CONTESTS] = {
    SEATS("A", "B", A, B, 0),
    SEATS("B", "A", B, A, 0),
    SEATS("C", "A", C, A, 0),
    SEATS("A", "C", A, C, 0),
    SEATS("C", "B", C, B, 0),
    SEATS("B", "C", B, C, 0),
    SEATS(AS_PRINTED, "A", LETTER, A, LETTER_GAMES),
    SEATS("A", AS_PRINTED, A, LETTER, LETTER_GAMES),
    SEATS(AS_PRINTED, "B", LETTER, B, LETTER_GAMES),
    SEATS("B", AS_PRINTED, B, LETTER, LETTER_GAMES),
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

enum { OF_A, OF_B, OF_C, OF_LETTER };

/* Of an experiment in which A, B and C play against one opponent, or against each of two. */
struct opposition {
    int count;
    const char *opponents[OPPONENTS];
    struct contest contests[OPPONENTS * CONTESTS]; /* CONTESTS for each */
    /* What the paper says of how the games of A, B and C were won. `first` is the contest of A. */
    void (*judge_ways)(const struct repro_data *data, struct repro_result *out, int first);
};

/* The mark behind a name says which opponent it is where there are two. */
#define BOTH_SEATS(name, player, opponent, most)                                                             \
    GAME(name " [first|first]", player, opponent, most), GAME(name " [second|second]", opponent, player, most)
#define AGAINST(opponent, mark)                                                                              \
    BOTH_SEATS("A" mark, A, opponent, 0), BOTH_SEATS("B" mark, B, opponent, 0),                              \
        BOTH_SEATS("C" mark, C, opponent, 0), BOTH_SEATS(AS_PRINTED mark, LETTER, opponent, LETTER_GAMES)

static int games_of(const struct repro_data *data, int contest) {
    return rows_sum(data, 2 * contest, GAME_TURNS).n + rows_sum(data, 2 * contest + 1, GAME_TURNS).n;
}

/* Ways to win that make up less of the wins are rare. */
#define RARE 0.05

/* Section 6.3: "when UCT won it was mostly by the escape of a blue"; section 7: no win by having reds taken,
 * and C possibly gives less weight to escapes. */
static void judge_against_purple(const struct repro_data *data, struct repro_result *out, int first) {
    struct wins all = {0};
    struct proportion escapes[OF_C + 1];
    for (int i = OF_A; i <= OF_C; i++) {
        const struct wins w = count_wins(data, 2 * (first + i), false);
        all = add_wins(all, w);
        escapes[i] = (struct proportion){w.by[GEISTER_BY_ESCAPE], games_of(data, first + i)};
    }
    rows_add_finding(out,
                     TESTS(test_share_above((struct proportion){all.by[GEISTER_BY_ESCAPE], all.all}, 0.5)),
                     "finding.uct_wins_by_escape", "the wins of UCT are mostly escapes: %d of %d",
                     all.by[GEISTER_BY_ESCAPE], all.all);
    rows_add_finding(
        out, TESTS(test_less(test_share_above((struct proportion){all.by[GEISTER_BY_REDS], all.all}, RARE))),
        "finding.uct_reds_not_taken", "UCT hardly ever wins by having its reds taken: %d of %d wins",
        all.by[GEISTER_BY_REDS], all.all);
    rows_add_finding(out,
                     TESTS(test_shares_greater(escapes[OF_A], escapes[OF_C]),
                           test_shares_greater(escapes[OF_B], escapes[OF_C])),
                     "finding.c_escapes_less",
                     "C escapes in fewer of its games than A and B: %.1f%%, A %.1f%%, B %.1f%%",
                     100 * proportion_mean(escapes[OF_C]), 100 * proportion_mean(escapes[OF_A]),
                     100 * proportion_mean(escapes[OF_B]));
}

/* Section 7: pushing reds at the other's pieces worked against the policy, and won games. */
static void judge_against_policy(const struct repro_data *data, struct repro_result *out, int first) {
    struct wins all = {0};
    for (int i = OF_A; i <= OF_C; i++)
        all = add_wins(all, count_wins(data, 2 * (first + i), false));
    rows_add_finding(out,
                     TESTS(test_share_above((struct proportion){all.by[GEISTER_BY_REDS], all.all}, RARE)),
                     "finding.uct_reds_taken", "UCT also wins by having its reds taken: %d of %d wins",
                     all.by[GEISTER_BY_REDS], all.all);
}

/* The rows of one opponent's contests. */
static void judge_opponent(struct repro_result *out, const char *opponent, const struct repro_row *const *t) {
    rows_add_finding(
        out,
        TESTS(test_less(test_share_above(share_in(t[OF_A]), 0.5)),
              test_less(test_share_above(share_in(t[OF_B]), 0.5)),
              test_less(test_share_above(share_in(t[OF_C]), 0.5))),
        "finding.all_three_lose_gets",
        "all three lose to %s: A gets %.1f%% (%.1f to %.1f), B %.1f%% (%.1f to %.1f), C %.1f%% (%.1f to "
        "%.1f)",
        rows_plain(opponent).text, t[OF_A]->ours, t[OF_A]->low, t[OF_A]->high, t[OF_B]->ours, t[OF_B]->low,
        t[OF_B]->high, t[OF_C]->ours, t[OF_C]->low, t[OF_C]->high)
        ->first = opponent;
    rows_add_finding(out,
                     TESTS(test_shares_greater(share_in(t[OF_A]), share_in(t[OF_C])),
                           test_shares_greater(share_in(t[OF_B]), share_in(t[OF_C]))),
                     "finding.c_gets_least_them", "C gets the least of them");
    rows_add_finding(out,
                     TESTS(test_shares_greater(share_in(t[OF_A]), share_in(t[OF_LETTER])),
                           test_shares_greater(share_in(t[OF_B]), share_in(t[OF_LETTER]))),
                     "finding.c_as_printed_gets_less",
                     "C by formula (2) as it is printed gets less than A and B");
}

/* Shared by tables 2 and 3. */
static void finish_opposition(const struct repro_data *data, struct repro_result *out) {
    const struct opposition *o = data->experiment->details;
    const struct repro_row *t[OPPONENTS * CONTESTS];
    add_contests(data, out, o->contests, o->count * CONTESTS, t);
    for (int i = 0; i < o->count; i++) {
        judge_opponent(out, o->opponents[i], t + (ptrdiff_t)i * CONTESTS);
        o->judge_ways(data, out, i * CONTESTS);
    }
}

static const struct repro_cell against_purple_cells[] = {AGAINST(PURPLE, "")};
static const struct opposition against_purple = {
    .count = 1,
    .opponents = {"[purple_search|the purple-piece search of depth 6]"},
    .contests = {[OF_A] = {"A", {10, 39, 1}, {11, 39, 0}},
                 [OF_B] = {"B", {9, 41, 0}, {7, 43, 0}},
                 [OF_C] = {"C", {2, 48, 0}, {3, 47, 0}},
                 [OF_LETTER] = {AS_PRINTED, {2, 48, 0}, {3, 47, 0}}},
    .judge_ways = judge_against_purple,
};

#define PAPER_MARK " ([paper_policy|paper's policy])"
#define AGAINST_POLICY(mark)                                                                                 \
    {"A" mark, {22, 28, 0}, {19, 31, 0}}, {"B" mark, {15, 35, 0}, {18, 31, 1}},                              \
        {"C" mark, {5, 45, 0}, {13, 36, 1}}, {                                                               \
        AS_PRINTED mark, {5, 45, 0}, {                                                                       \
            13, 36, 1                                                                                        \
        }                                                                                                    \
    }

static const struct repro_cell against_policy_cells[] = {AGAINST(POLICY, ""),
                                                         AGAINST(PAPER_POLICY, PAPER_MARK)};
static const struct opposition against_policy = {
    .count = 2,
    .opponents = {"[policy|the policy without search]",
                  "[paper_policy_of|the policy of the published recipe and 5 million games]"},
    .contests = {AGAINST_POLICY(""), AGAINST_POLICY(PAPER_MARK)},
    .judge_ways = judge_against_policy,
};

#define TABLE(number, array, picture)                                                                        \
    REPRO_EXPERIMENT("geister", "table" #number, array),                                                     \
        .source = GEISTER_SOURCE ", section 6.3, table " #number, .version = 2, .value_names = value_names,  \
        .bars = {{"points", "Table " #number ": " picture, "%",                                              \
                  "[axis_points|points (%, a draw is half of one)]", .level = 50, .published_only = true}}

const struct repro_experiment repro_geister_table1 = {
    TABLE(1, round_robin_cells, "three ways of fixing colours"),
    .title = "UCT that fixes hidden colours before a simulation (A), when needed (B) or never (C)",
    .published = "A and B even (A-B 252-248, B-A 249-250-1), C about 35% against both",
    .duration = "about two hours on two cores (3400 games); a quarter of an hour with --trials 40",
    .repetitions = 500,
    .repetitions_quick = 10,
    .finish = finish_round_robin,
};

const struct repro_experiment repro_geister_table2 = {
    TABLE(2, against_purple_cells, "UCT against the purple-piece search"),
    .title = "UCT A, B and C against the purple-piece Min-Max of depth 6",
    .published = "A 10-39-1 first and 11-39 second, B 9-41 and 7-43, C 2-48 and 3-47",
    .duration = "about six minutes on two cores (400 games)",
    .repetitions = 50,
    .repetitions_quick = 5,
    .finish = finish_opposition,
    .details = &against_purple,
};

const struct repro_experiment repro_geister_table3 = {
    TABLE(3, against_policy_cells, "UCT against a policy without search"),
    .title = "UCT A, B and C against policy-gradient players without search",
    .published = "A 22-28 first and 19-31 second, B 15-35 and 18-31-1, C 5-45 and 13-36-1",
    .duration = "about twelve minutes on two cores (800 games)",
    .repetitions = 50,
    .repetitions_quick = 5,
    .finish = finish_opposition,
    .details = &against_policy,
};

/* ---- march ----
 *
 * Section 8: the authors took part in GAT2022 with Nissy (B beside the purple-piece search), which never won
 * against the champion. That program leads reds and blues alike to the exits; UCT tends to take pieces near
 * them. Our march is a player after this description. */

enum { OF_NISSY = OF_LETTER };

static const struct contest against_march[CONTESTS] = {
    [OF_A] = {.name = "A"}, [OF_B] = {.name = "B"}, [OF_C] = {.name = "C"}, [OF_NISSY] = {.name = "nissy"}};

#define MARCH "march:depth=6"

static const struct repro_cell against_march_cells[] = {
    BOTH_SEATS("A", A, MARCH, 0), BOTH_SEATS("B", B, MARCH, 0), BOTH_SEATS("C", C, MARCH, 0),
    BOTH_SEATS("nissy", "nissy:sims=30000", MARCH, 0)};

static void finish_march(const struct repro_data *data, struct repro_result *out) {
    const struct repro_row *t[CONTESTS];
    struct wins lost = {0};
    add_contests(data, out, against_march, CONTESTS, t);
    for (int i = 0; i < CONTESTS; i++)
        lost = add_wins(lost, count_wins(data, 2 * i, true));
    const struct wins nissy = count_wins(data, 2 * OF_NISSY, false);
    rows_add_finding(
        out,
        TESTS(test_less(test_share_above(share_in(t[OF_A]), 0.5)),
              test_less(test_share_above(share_in(t[OF_B]), 0.5)),
              test_less(test_share_above(share_in(t[OF_C]), 0.5))),
        "finding.march_beats_uct",
        "march beats UCT: A gets %.1f%% (%.1f to %.1f), B %.1f%% (%.1f to %.1f), C %.1f%% (%.1f to "
        "%.1f)",
        t[OF_A]->ours, t[OF_A]->low, t[OF_A]->high, t[OF_B]->ours, t[OF_B]->low, t[OF_B]->high, t[OF_C]->ours,
        t[OF_C]->low, t[OF_C]->high);
    rows_add_finding(
        out,
        TESTS(test_less(test_share_above((struct proportion){nissy.all, games_of(data, OF_NISSY)}, RARE))),
        "finding.nissy_does_not_win", "nissy hardly ever wins against march: %d of %d games", nissy.all,
        games_of(data, OF_NISSY));
    rows_add_finding(
        out, TESTS(test_share_above((struct proportion){lost.by[GEISTER_BY_REDS], lost.all}, RARE)),
        "finding.reds_near_exits_taken", "games are also lost to march by taking its reds: %d of %d losses",
        lost.by[GEISTER_BY_REDS], lost.all);
}

const struct repro_experiment repro_geister_march = {
    REPRO_EXPERIMENT("geister", "march", against_march_cells),
    .title = "UCT A, B, C and nissy against a player that leads reds and blues alike to the exits",
    .source = GEISTER_SOURCE ", section 8",
    .published = "Nissy never won against the champion of GAT2022, which plays in this way",
    .duration = "about ten minutes on two cores (400 games)",
    .version = 2,
    .repetitions = 50,
    .repetitions_quick = 3,
    .value_names = value_names,
    .finish = finish_march,
};

/* ---- strategy fusion ----
 *
 * Strategy fusion as Nishikori, Aoki and Hashimoto show it (section 4): in the one-player game of two
 * worlds of their figures 2 and 3, and in the position of Geister of their figure 5. A repetition
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

/* The plies that the win takes in the position of Geister by the move that enumeration picks. */
static bool count_plies(int *plies, struct err *e) {
    struct purple *purple = purple_open((size_t)1 << 20, e);
    struct scenario *scenario = purple != NULL ? game_load_spec("geister", e) : NULL;
    struct geister s;
    const bool ok = scenario != NULL && geister_read_board(&s, scenario, 0, FUSION_BOARD, 0, 0, e);
    if (ok) {
        geister_game.play(&s, FUSION_FUSED_MOVE, NULL);
        *plies = geister_plies_to_win(purple, &s, 0, 8);
    }
    game_unload(scenario);
    purple_close(purple);
    return ok;
}

/* What a player believes is on its own scale: in the game of two worlds a payoff, in Geister a win less the
 * plies to it. */
static void fusion_finish(const struct repro_data *data, struct repro_result *out) {
    int plies;
    if (!count_plies(&plies, &out->failure))
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
    rows_add_exact(out, "[geister|Geister]: [plies_really|plies to a win after eacp's move]", REPRO_NONE,
                   plies);
    rows_add_finding(out,
                     TESTS(test_claim(rows_always(data, PER_WORLD, VALUE_AS_TOLD)),
                           test_claim(believed[PER_WORLD] > 0.999)),
                     "finding.searching_each_world_picks",
                     "searching each world picks a1 and believes in +1 (it is worth 0)");
    rows_add_finding(out,
                     TESTS(test_share_above(rows_share(data, INFORMATION_SET, VALUE_AS_TOLD), 0.5),
                           rows_is_equal(rows_sum(data, INFORMATION_SET, VALUE_BELIEVED), 0.5, 0.01)),
                     "finding.searching_information_sets", "searching information sets picks a2, worth +0.5");
    rows_add_finding(
        out, TESTS(test_claim(rows_always(data, EACP, VALUE_AS_TOLD)), test_claim(plies == 0 || plies > 5)),
        "finding.enumerating_all_colour",
        "enumerating all colour placements picks a move after which a win takes longer than the forced "
        "escape");
    rows_add_finding(out, TESTS(test_claim(rows_always(data, FUSION_PURPLE, VALUE_AS_TOLD))),
                     "finding.purple_piece_search_finds",
                     "the purple-piece search finds the forced escape in the same position");
}

const struct repro_experiment repro_geister_fusion = {
    REPRO_EXPERIMENT("geister", "fusion", fusion_cells),
    .title = "strategy fusion: in a game of two worlds, and in a position of Geister",
    .source = GEISTER_SOURCE ", section 4, figures 2, 3 and 5",
    .published =
        "per world: a1, believed +1; information sets: a2, +0.5; placements enumerated: no win in 3, "
        "purple: escape in 5 plies",
    .duration = "seconds",
    .version = 2,
    .repetitions = 20,
    .repetitions_quick = 20,
    .value_names = (const char *const[]){"chose_as_told", "believed", NULL},
    .run = fusion_run,
    .finish = fusion_finish,
};
