/* SPDX-License-Identifier: MIT
 *
 * The models that Geister is searched with: the chances by which colours are drawn, what ends are worth
 * when none is drawn, and that the playouts, which are written for speed, play by the same rules.
 */
#include "game/geister/geister.h"

#include "geister_support.h"
#include "sample.h"
#include "search/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const struct game *const early = &geister_models[GEISTER_EARLY];
static const struct game *const late = &geister_models[GEISTER_LATE];
static const struct game *const never = &geister_models[GEISTER_NEVER];

/* The first position as the first player sees it. */
static void view_start(struct geister *s) {
    geister_begin(s, geister_scenario, "ABCD", "EFGH");
    geister_game.hide(s, 0);
}

/* Two hidden pieces, e and f, stand on their exits, cells 30 and 35. */
static const char near_exits[] = "14R24R34R44R31B32B33B13B41u22u21u11u05u55u20u10u";

static void play_text(const struct game *model, struct geister *s, const char *moves, struct rng *r) {
    for (; *moves != '\0'; moves += moves[2] == '/' ? 3 : 2) {
        const int recorded = (moves[0] - 'A') * 4 + (int)(strchr("NEWS", moves[1]) - "NEWS");
        const action a = geister_recorded_action(s, (uint8_t)recorded);
        assert_true(model->is_legal(s, a));
        model->play(s, a, r);
        assert_true(model->valid(s));
    }
}

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

/* ---- formulas ---- */

/* Over all sets of reds: how often are they all among the first `taken` pieces? */
static double count_all_taken(int hidden, int reds, int taken) {
    int sets = 0, all = 0;
    for (unsigned set = 0; set < 1U << hidden; set++) {
        if (bits_count(set) != reds)
            continue;
        sets++;
        all += (set & ~((1U << taken) - 1)) == 0;
    }
    return (double)all / sets;
}

static void formula_2_is_what_counting_gives(void **state) {
    (void)state;
    for (int hidden = 1; hidden <= GEISTER_PIECES; hidden++)
        for (int reds = 1; reds <= GEISTER_REDS && reds <= hidden; reds++)
            for (int taken = 0; taken <= hidden; taken++)
                assert_true(is_near(geister_all_reds_taken(hidden, reds, taken),
                                    count_all_taken(hidden, reds, taken)));
    assert_true(is_near(geister_all_reds_taken(8, 4, 5), 4.0 / 56));
    assert_true(geister_all_reds_taken(8, 4, 3) <= 0);
    for (int taken = 0; taken <= 8; taken++)
        assert_true(is_near(geister_four_reds_taken(8, 4, taken), geister_all_reds_taken(8, 4, taken)));
    assert_true(geister_all_reds_taken(6, 2, 3) > 0.1);
    assert_true(geister_four_reds_taken(6, 2, 3) <= 0); /* as printed: two reds are too few to lose by */
}

/* We have left with five pieces taken and piece `stood` seen on its exit. */
static double worth_of_example(int stood) {
    struct geister s;
    struct rng r = {{1}};
    view_start(&s);
    never->determinize(&s, &r);
    for (int i = 0; i < 5; i++) {
        s.unknown[1] &= ~(UINT64_C(1) << s.where[1][i]);
        s.where[1][i] = GEISTER_TAKEN;
    }
    s.alive = 0.5F;
    s.seen_exit = (uint8_t)(1U << stood);
    s.stage = GEISTER_OVER;
    s.end = GEISTER_BY_ESCAPE;
    s.winner = 0;
    return never->payoff(&s, 0);
}

/* The paper's (3); the exact chances beside it show what is lost by taking E and F for independent. */
static void the_papers_example_is_13_28(void **state) {
    (void)state;
    int free_piece = 0, taken_piece = 0;
    assert_true(is_near(worth_of_example(6), 13.0 / 28));
    assert_true(is_near(worth_of_example(2), 13.0 / 28));
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        const unsigned reds = geister_setup_reds(i);
        const bool lost = (reds & ~0x1FU) == 0; /* all among A to E, which were taken */
        free_piece += !lost && (reds >> 6 & 1) != 0;
        taken_piece += !lost && (reds >> 2 & 1) != 0;
    }
    assert_int_equal(free_piece, 35);  /* of 70: 1/2 */
    assert_int_equal(taken_piece, 31); /* of 70 */
}

/* ---- drawing ---- */

enum { DRAWS = 70000 };

/* Is a count of `tries` with that chance within five deviations? */
static void expect_share(int count, int tries, double chance) {
    const double deviation = sqrt(tries * chance * (1 - chance));
    if (fabs(count - tries * chance) > 5 * deviation + 1e-9)
        fail_msg("%d of %d, expected %.1f", count, tries, tries * chance);
}

static void early_draws_every_set_alike(void **state) {
    (void)state;
    int counts[GEISTER_SETUPS] = {0};
    struct geister root, s;
    struct rng r;
    rng_seed(&r, 3);
    view_start(&root);
    for (int i = 0; i < DRAWS; i++) {
        s = root;
        early->determinize(&s, &r);
        assert_int_equal(s.known[1], 0xFF);
        assert_int_equal(s.drawn[1], 0xFF);
        assert_true(early->valid(&s));
        counts[geister_setup_number(s.reds[1])]++;
    }
    for (int i = 0; i < GEISTER_SETUPS; i++)
        expect_share(counts[i], DRAWS, 1.0 / GEISTER_SETUPS);
}

/* The paper's picture 8: five hidden pieces, two of them red; taking one. */
static void late_takes_two_of_five(void **state) {
    (void)state;
    struct geister root, s;
    struct rng r;
    int red = 0;
    rng_seed(&r, 4);
    geister_place(&root, geister_scenario, "14R24R34R44R15B25B35B33B32u31u30u20u10u99r99r99b", 40, 0);
    for (int i = 0; i < DRAWS; i++) {
        s = root;
        late->determinize(&s, &r);
        assert_int_equal(s.drawn[1], 0);
        play_text(late, &s, "HN", &r);
        assert_int_equal(s.drawn[1], 1); /* this one and no other */
        red += s.reds[1] & 1;
    }
    expect_share(red, DRAWS, 2.0 / 5);
}

/* Three taken of eight with four reds: hypergeometric, in whatever order they are taken. */
static void late_draws_without_replacement(void **state) {
    (void)state;
    static const double expected[] = {4.0 / 56, 24.0 / 56, 24.0 / 56, 4.0 / 56};
    int counts[4] = {0}, sets[1 << 3] = {0};
    struct geister root, s;
    struct rng r;
    rng_seed(&r, 5);
    geister_place(&root, geister_scenario, "14R24R34R44R15B25B35B33B32u31u30u21u11u20u00u10u", 40, 0);
    for (int i = 0; i < DRAWS; i++) {
        s = root;
        late->determinize(&s, &r);
        play_text(late, &s, "HN/GN/HN/GS/HN", &r);
        assert_int_equal(s.drawn[1], 7);
        counts[bits_count(s.reds[1])]++;
        sets[s.reds[1] & 7]++;
    }
    for (int k = 0; k < 4; k++)
        expect_share(counts[k], DRAWS, expected[k]);
    for (int set = 0; set < 8; set++)
        expect_share(sets[set], DRAWS,
                     expected[bits_count((uint64_t)set)] / (double[]){1, 3, 3, 1}[bits_count((uint64_t)set)]);
}

/* ---- exits ---- */

static bool lists(const struct game *model, const struct geister *s, action a) {
    action list[64];
    const int count = model->actions(s, list);
    for (int i = 0; i < count; i++)
        if (list[i] == a)
            return true;
    return false;
}

/* A hidden piece steps on its exit: it is blue every second time, and then may leave. */
static void late_draws_pieces_on_their_exit(void **state) {
    (void)state;
    enum { TRIES = 4000 };
    struct geister root, s;
    struct rng r;
    int red = 0;
    rng_seed(&r, 6);
    geister_place(&root, geister_scenario, "14R24R34R44R31B32B33B13B41u21u22u11u04u54u20u10u", 60, 1);
    for (int i = 0; i < TRIES; i++) {
        s = root;
        play_text(late, &s, "EN", &r);
        assert_int_equal(s.where[1][4], 30);
        assert_int_equal(s.drawn[1], 1 << 4);
        play_text(late, &s, "AS", &r);
        const bool is_red = (s.reds[1] >> 4 & 1) != 0;
        for (int d = 0; d < 4; d++) {
            const bool is_out = d == GEISTER_SOUTH || d == GEISTER_WEST;
            assert_true(!is_out || lists(late, &s, geister_move(30, (enum geister_direction)d)));
            if (is_out)
                assert_int_equal(late->is_legal(&s, geister_move(30, (enum geister_direction)d)), !is_red);
        }
        red += is_red;
    }
    expect_share(red, TRIES, 0.5);
}

/* Whose colour was drawn early may leave in some worlds: both are listed in all. */
static void early_lists_what_any_colours_allow(void **state) {
    (void)state;
    struct geister root, s;
    struct rng r;
    int legal = 0;
    rng_seed(&r, 7);
    geister_place(&root, geister_scenario, near_exits, 61, 1);
    for (int i = 0; i < 100; i++) {
        s = root;
        early->determinize(&s, &r);
        assert_true(lists(early, &s, geister_move(30, GEISTER_SOUTH)));
        assert_true(lists(early, &s, geister_move(35, GEISTER_EAST)));
        legal += early->is_legal(&s, geister_move(30, GEISTER_SOUTH));
        assert_true(early->key(&s) == early->key(&root));
    }
    assert_in_range(legal, 30, 70);
}

static void never_counts_a_piece_once(void **state) {
    (void)state;
    struct geister s;
    struct rng r = {{1}};
    geister_place(&s, geister_scenario, "14R24R34R44R31B32B33B13B41u21u22u11u04u54u20u10u", 60, 1);
    never->determinize(&s, &r);
    play_text(never, &s, "EN", &r);
    assert_true(is_near((double)s.alive, 4.0 / 8));
    assert_false(lists(never, &s, geister_move(30, GEISTER_SOUTH)));
    play_text(never, &s, "AS/ES/AN/EN", &r); /* away and back again */
    assert_true(is_near((double)s.alive, 4.0 / 8));
    play_text(never, &s, "AS/FN", &r);
    assert_true(is_near((double)s.alive, 4.0 / 8 * 3 / 7));
    assert_int_equal(s.known[1], 0);
    assert_int_equal(never->mover(&s), 0);
}

/* The other reading: each time is as the first. */
static void again_counts_every_step(void **state) {
    (void)state;
    const struct game *again = &geister_models[GEISTER_AGAIN];
    struct geister s;
    struct rng r = {{1}};
    geister_place(&s, geister_scenario, "14R24R34R44R31B32B33B13B41u21u22u11u04u54u20u10u", 60, 1);
    again->determinize(&s, &r);
    play_text(again, &s, "EN/AS/AN", &r); /* it stays there */
    assert_true(is_near((double)s.alive, 0.5));
    play_text(again, &s, "AN/ES/AS/EN/AN/FN", &r);
    assert_true(is_near((double)s.alive, 0.125));
}

/* Five different pieces on exits cannot all be red. */
static void never_ends_without_living_units(void **state) {
    (void)state;
    struct geister s;
    struct rng r = {{1}};
    geister_place(&s, geister_scenario, "14R24R34R44R31B32B33B13B41u21u22u11u04u54u20u10u", 60, 1);
    never->determinize(&s, &r);
    s.seen_exit = 0x0F;
    s.alive = 1.0F / 70;
    play_text(never, &s, "EN", &r);
    assert_int_equal(never->mover(&s), NOBODY);
    assert_true(never->payoff(&s, 0) <= 0);
    assert_true(never->payoff(&s, 1) >= 1);
}

/* On its exit at the root: taken it does no harm, left there it counts; B draws it at once. */
static void pieces_on_exits_at_the_root(void **state) {
    (void)state;
    static const char board[] = "14R24R34R44R31B32B33B04B41u21u22u11u05u53u20u10u";
    struct geister s;
    struct rng r = {{1}};
    geister_place(&s, geister_scenario, board, 60, 0);
    never->determinize(&s, &r);
    assert_true(is_near((double)s.alive, 1));
    play_text(never, &s, "HS", &r);
    assert_true(is_near((double)s.alive, 1));
    geister_place(&s, geister_scenario, board, 60, 0);
    never->determinize(&s, &r);
    play_text(never, &s, "HN", &r);
    assert_true(is_near((double)s.alive, 4.0 / 8));
    geister_place(&s, geister_scenario, board, 60, 0);
    late->determinize(&s, &r);
    assert_int_equal(s.drawn[1], 1 << 4);
}

/* ---- ends of C ---- */

/* Two hidden pieces, one of them red. Taking one is right every second time; taking the other as well changes
 * nothing: the game was over before. */
static void never_values_the_last_pieces(void **state) {
    (void)state;
    struct geister s;
    struct rng r = {{1}};
    geister_place(&s, geister_scenario, "14R24R34R44R15B25B35B33B32u30u99r99r99r99b99b99b", 60, 0);
    never->determinize(&s, &r);
    play_text(never, &s, "HN", &r);
    assert_int_equal(never->mover(&s), 1);
    play_text(never, &s, "BN/HN", &r);
    assert_int_equal(never->mover(&s), NOBODY);
    assert_int_equal(s.known[1] & 3, 0);
    assert_true(is_near(never->payoff(&s, 0), 0.5));
    assert_true(is_near(never->payoff(&s, 1), 0.5));
}

static void never_halves_draws_and_loses_with_its_blues(void **state) {
    (void)state;
    struct geister s;
    struct rng r = {{1}};
    geister_place(&s, geister_scenario, "14R24R34R44R31B32B33B13B41u21u22u11u04u54u20u10u", 298, 1);
    never->determinize(&s, &r);
    play_text(never, &s, "EN/AS", &r);
    assert_int_equal(s.end, GEISTER_BY_LIMIT);
    assert_true(is_near(never->payoff(&s, 0), 0.25));
    geister_place(&s, geister_scenario, "14R24R34R44R31B99b99b99b32u21u22u11u04u54u20u10u", 60, 1);
    never->determinize(&s, &r);
    play_text(never, &s, "AS", &r);
    assert_int_equal(s.end, GEISTER_BY_BLUES);
    assert_true(never->payoff(&s, 0) <= 0);
}

/* ---- playouts ---- */

/* A game of random legal actions by the model's table. */
static double play_by_table(const struct game *model, struct geister *s, struct rng *r, long *moves) {
    while (model->mover(s) != NOBODY) {
        action list[64];
        int legal = 0;
        const int count = model->actions(s, list);
        for (int i = 0; i < count; i++)
            if (model->is_legal(s, list[i]))
                list[legal++] = list[i];
        model->play(s, list[rng_below(r, (uint32_t)legal)], r);
        (*moves)++;
    }
    assert_true(model->valid(s));
    return model->payoff(s, 0);
}

/* The same, but with the model's playout from the second move on. */
static double play_by_rollout(const struct game *model, struct geister *s, struct rng *r, long *moves) {
    const struct rollout *rollout = game_rollout(model, "random");
    action list[64];
    const int count = model->actions(s, list);
    model->play(s, list[rng_below(r, (uint32_t)count)], r);
    const int ply = s->ply;
    const long played = model->mover(s) != NOBODY ? rollout->run(s, r, 0) : 0;
    assert_int_equal(s->ply, ply + played);
    assert_int_equal(model->mover(s), NOBODY);
    assert_true(model->valid(s));
    *moves += 1 + played;
    return model->payoff(s, 0);
}

enum { GAMES = SAMPLE(4000, 400) };

static void compare_playouts(const struct game *model, const struct geister *root, uint64_t seed) {
    double table = 0, fast = 0;
    long table_moves = 0, fast_moves = 0;
    struct rng r;
    rng_seed(&r, seed);
    for (int i = 0; i < GAMES; i++) {
        struct geister s = *root;
        model->determinize(&s, &r);
        table += play_by_table(model, &s, &r, &table_moves);
        s = *root;
        model->determinize(&s, &r);
        fast += play_by_rollout(model, &s, &r, &fast_moves);
    }
    /* Payoffs deviate by at most 1/2, lengths by less than 90 plies; five deviations of a difference. */
    const double root_games = sqrt((double)GAMES);
    if (fabs(table - fast) / GAMES > 5 * 0.5 * sqrt(2) / root_games ||
        fabs((double)(table_moves - fast_moves)) / GAMES > 5 * 90 * sqrt(2) / root_games)
        fail_msg("%s: %.4f and %.1f moves by the table, %.4f and %.1f by the playout", model->name,
                 table / GAMES, (double)table_moves / GAMES, fast / GAMES, (double)fast_moves / GAMES);
}

static void playouts_play_by_the_rules(void **state) {
    (void)state;
    struct geister start, exits, few, known;
    view_start(&start);
    geister_place(&exits, geister_scenario, near_exits, 60, 0);
    geister_place(&few, geister_scenario, "14R99r99r99r35B01B99b99b32u31u99r99r21u99b24u99b", 100, 0);
    /* A red piece of the other side is known, two other pieces are not. */
    geister_place(&known, geister_scenario, "14R99r99r99r35B34B99b99b32r31u99r99r21u99b99b99b", 100, 0);
    for (int m = 0; m < GEISTER_MODELS; m++) {
        compare_playouts(&geister_models[m], &known, 14);
        compare_playouts(&geister_models[m], &start, 11);
        compare_playouts(&geister_models[m], &exits, 12);
        compare_playouts(&geister_models[m], &few, 13);
    }
}

/* A player that leaves when it can ends every game in which a blue reaches its exit at once. */
static void eager_playouts_leave(void **state) {
    (void)state;
    struct geister root;
    struct rng r;
    rng_seed(&r, 14);
    geister_place(&root, geister_scenario, "14R24R34R44R00B25B35B33B32u31u30u21u11u20u10u40u", 40, 0);
    for (int m = 0; m < GEISTER_MODELS; m++) {
        struct geister s = root;
        geister_models[m].determinize(&s, &r);
        assert_int_equal(game_rollout(&geister_models[m], "leave")->run(&s, &r, 0), 1);
        assert_int_equal(s.end, GEISTER_BY_ESCAPE);
        assert_int_equal(s.where[0][4], GEISTER_ESCAPED);
        assert_true(is_near(geister_models[m].payoff(&s, 0), 1));
    }
}

static void playouts_stop_at_their_limit(void **state) {
    (void)state;
    struct geister root;
    struct rng r;
    rng_seed(&r, 15);
    view_start(&root);
    for (int m = GEISTER_LATE; m < GEISTER_MODELS; m++) {
        struct geister s = root;
        geister_models[m].determinize(&s, &r);
        assert_int_equal(game_rollout(&geister_models[m], "random")->run(&s, &r, 3), 3);
        assert_int_equal(s.ply, 3);
        assert_int_equal(geister_models[m].mover(&s), 1);
        assert_true(geister_models[m].valid(&s));
    }
}

/* ---- searching them ---- */

/* Searches a model and returns the tree's statistics of an action. */
static struct tree_child search_child(const struct game *model, const struct geister *root, action wanted,
                                      bool merge) {
    enum { SIMS = 3000 };
    struct err e;
    struct rng r;
    struct search_result result;
    struct tree_child children[64], found = {0};
    const struct tree_memory storage = {.memory_bytes = 1 << 22, .trees = 1, .keyed = merge};
    struct tree *tree = tree_open(model, &storage, &e);
    assert_non_null(tree);
    rng_seed(&r, 21);
    const struct search_task task = {.game = model, .root = root, .budget = {.work_max = SIMS}, .rng = &r};
    const struct tree_settings settings = {.c = 1,
                                           .expand = 1,
                                           .rollout = game_rollout(model, "leave"),
                                           .shuffle = true,
                                           .transpositions = merge,
                                           .open_loop = true};
    tree_search(tree, &task, &settings, &result);
    const int count = tree_root_children(tree, children, 64);
    int visits = 0;
    for (int i = 0; i < count; i++) {
        visits += children[i].visits;
        if (children[i].action == wanted)
            found = children[i];
    }
    assert_int_equal(visits, SIMS);
    assert_true(tree_depth(tree) >= 2);
    tree_close(tree);
    return found;
}

/* Taking one of five hidden pieces, the only red among them, loses at once; otherwise the game goes on: the
 * same move ends simulations and continues them. */
static void ends_in_some_worlds_only(void **state) {
    (void)state;
    struct geister root;
    geister_place(&root, geister_scenario, "14R24R34R44R15B25B35B33B32u31u30u20u10u99r99r99r", 40, 0);
    for (int m = 0; m < GEISTER_MODELS; m++)
        for (int merge = 0; merge < 2; merge++) {
            const struct tree_child child =
                search_child(&geister_models[m], &root, geister_move(21, GEISTER_NORTH), merge != 0);
            assert_true(child.visits > 20);
            assert_true(child.sum / child.visits < 0.85);
            assert_true(child.sum / child.visits > 0.1);
        }
}

/* Ours cannot be stopped from leaving; theirs, one step from its exit, comes too late. In the tree their
 * piece may leave in some worlds and not in others, and only where it may it does (play asserts that). C
 * counts a piece that steps on its exit as gone, and gives it a lower value. */
static void forbidden_moves_are_passed_over(void **state) {
    (void)state;
    struct geister root;
    geister_place(&root, geister_scenario, "24R34R44R13R01B25B35B33B40u31u30u41u04u54u22u50u", 40, 0);
    for (int m = 0; m < GEISTER_MODELS; m++)
        for (int merge = 0; merge < 2; merge++) {
            const struct tree_child child =
                search_child(&geister_models[m], &root, geister_move(6, GEISTER_NORTH), merge != 0);
            assert_true(child.visits > 200);
            assert_true(child.sum / child.visits > (m >= GEISTER_NEVER ? 0.45 : 0.85));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_2_is_what_counting_gives),
        cmocka_unit_test(the_papers_example_is_13_28),
        cmocka_unit_test(early_draws_every_set_alike),
        cmocka_unit_test(late_takes_two_of_five),
        cmocka_unit_test(late_draws_without_replacement),
        cmocka_unit_test(late_draws_pieces_on_their_exit),
        cmocka_unit_test(early_lists_what_any_colours_allow),
        cmocka_unit_test(never_counts_a_piece_once),
        cmocka_unit_test(again_counts_every_step),
        cmocka_unit_test(never_ends_without_living_units),
        cmocka_unit_test(pieces_on_exits_at_the_root),
        cmocka_unit_test(never_values_the_last_pieces),
        cmocka_unit_test(never_halves_draws_and_loses_with_its_blues),
        cmocka_unit_test(playouts_play_by_the_rules),
        cmocka_unit_test(eager_playouts_leave),
        cmocka_unit_test(playouts_stop_at_their_limit),
        cmocka_unit_test(ends_in_some_worlds_only),
        cmocka_unit_test(forbidden_moves_are_passed_over),
    };
    return cmocka_run_group_tests(tests, geister_set_up, geister_tear_down);
}
