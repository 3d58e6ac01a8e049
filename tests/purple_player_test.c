/* SPDX-License-Identifier: MIT
 *
 * `purple`, `eacp` and `guess`: what they decide, what they conclude from how pieces were moved, and that
 * they play.
 */
#include "base/bits.h"
#include "base/mem.h"
#include "geister/fusion_position.h"
#include "geister/guess.h"
#include "geister_support.h"
#include "match/batch.h"
#include "player/player.h"
#include "player_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct table {
    struct scenario *scenario;
    struct geister state;
};

static void set_table(struct table *t, const char *spec) {
    struct err e = {""};
    t->scenario = game_load_spec(spec, &e);
    if (t->scenario == NULL)
        fail_msg("%s", e.text);
}

static void clear_table(struct table *t) {
    game_unload(t->scenario);
}

static struct answer ask_budget(const char *spec, const struct geister *state, struct thoughts *thoughts,
                                const struct budget *budget) {
    const struct ask question = {
        .game = &geister_game, .view = state, .budget = *budget, .thoughts = thoughts};
    return ask_once_in(spec, &question, 4);
}

static struct answer ask(const char *spec, const struct geister *state, struct thoughts *thoughts) {
    return ask_budget(spec, state, thoughts, &(struct budget){0});
}

/* ---- strategy fusion ---- */

static void worlds_apart_miss_a_forced_win(void **unused) {
    (void)unused;
    struct table t;
    struct thoughts thoughts = {0};
    set_table(&t, "geister");
    geister_place(&t.state, t.scenario, FUSION_BOARD, 100, 0);
    const struct answer won = ask("purple", &t.state, &thoughts);
    assert_int_equal(won.chosen, FUSION_WINNING_MOVE);
    assert_true(won.value == FUSION_WINNING_VALUE);
    assert_int_equal(thoughts.candidates[0].action, won.chosen);
    assert_true(thoughts.candidates[0].line_count >= 3);
    static const char *const fused[] = {"eacp", "eacp:depth=3", "eacp:depth=6", "eacp:combine=worst"};
    for (size_t i = 0; i < sizeof fused / sizeof fused[0]; i++) {
        const struct answer lost = ask(fused[i], &t.state, &thoughts);
        assert_int_equal(lost.chosen, FUSION_FUSED_MOVE);
        assert_true(lost.value == FUSION_FUSED_VALUE);
        assert_int_equal(thoughts.candidates[0].action, lost.chosen);
        assert_int_equal(thoughts.total, geister_game.actions(&t.state, (action[GEISTER_SETUPS]){0}));
    }
    /* Each of the two worlds has a quicker win: no move gets the votes of both. */
    const struct answer votes = ask("eacp:combine=votes", &t.state, NULL);
    assert_true(votes.value == 1);
    assert_int_not_equal(votes.chosen, FUSION_WINNING_MOVE);
    clear_table(&t);
}

/* What eacp believes is no win in 3 plies: no answer to its move leaves a win with the next ply that holds in
 * both worlds. The escape comes two plies later than after the right move. */
static void and_the_win_comes_later(void **unused) {
    (void)unused;
    struct table t;
    struct err e;
    struct purple *purple = purple_open(1 << 20, &e);
    action answers[GEISTER_SETUPS];
    set_table(&t, "geister");
    geister_place(&t.state, t.scenario, FUSION_BOARD, 100, 0);
    geister_game.play(&t.state, FUSION_FUSED_MOVE, NULL);
    const int count = geister_game.actions(&t.state, answers);
    assert_int_equal(count, 3);
    for (int i = 0; i < count; i++) {
        struct geister after = t.state;
        struct geister_observation seen;
        struct purple_result found;
        geister_game.play(&after, answers[i], NULL);
        geister_observe(&after, 0, &seen);
        assert_false(purple_mate(purple, &seen, &(struct purple_task){.depth = 3}, &found));
        assert_true(found.complete);
        assert_true(purple_mate(purple, &seen, &(struct purple_task){.depth = 10}, &found));
        assert_int_equal(2 + PURPLE_WIN - found.value + 1, FUSION_FUSED_PLIES);
    }
    purple_close(purple);
    clear_table(&t);
}

/* In each world one piece can be taken for a win with the third ply after any answer, but not the same. */
static void each_world_has_its_own_win(void **unused) {
    (void)unused;
    struct table t;
    action answers[GEISTER_SETUPS], moves[GEISTER_SETUPS];
    set_table(&t, "geister");
    for (int world = 0; world < 2; world++) {
        geister_place(&t.state, t.scenario,
                      world == 0 ? "30B02R11R99r99r99b99b99b00r10b99r99r99r99b99b99b"
                                 : "30B02R11R99r99r99b99b99b00b10r99r99r99r99b99b99b",
                      100, 0);
        geister_game.play(&t.state, FUSION_FUSED_MOVE, NULL);
        const int count = geister_game.actions(&t.state, answers);
        for (int i = 0; i < count; i++) {
            struct geister after = t.state;
            int wins = 0;
            geister_game.play(&after, answers[i], NULL);
            const int all = geister_game.actions(&after, moves);
            for (int k = 0; k < all; k++) {
                struct geister end = after;
                geister_game.play(&end, moves[k], NULL);
                wins += end.stage == GEISTER_OVER && end.end == GEISTER_BY_BLUES && end.winner == 0;
            }
            assert_true(wins > 0);
        }
    }
    clear_table(&t);
}

/* ---- conclusions from moves ---- */

/* One side's D walks down the edge to its exit and stays there, the other's H moves back and forth. */
static const char to_the_exit[] = "HE/DE/HW/DN/HE/DN/HW/DN/HE/DN";

struct stay {
    const char *more;
    int redness; /* of D then: 5 for stepping beside a piece on its way */
};

static const struct stay stays[] = {
    {"", 5}, {"HW/AN", 1005}, {"HE/AS", 2005}, {"HW/DS", 3005}, {"HE/AN", 3005},
};

static void expect_redness(const struct geister *state, int side, int redness) {
    struct geister view = *state;
    int found[GEISTER_PIECES];
    geister_game.hide(&view, side);
    purple_redness(&view, side, found);
    assert_int_equal(found[3], redness);
    assert_int_equal(purple_surely_red(&view, side), redness >= PURPLE_STAYED ? 3 : -1);
    double blueness[GEISTER_PIECES], sum = 0;
    guess_blueness(&view, side, blueness);
    for (int i = 0; i < GEISTER_PIECES; i++)
        sum += blueness[i];
    assert_true(fabs(sum - 4) < 1e-9);
    if (redness >= PURPLE_STAYED)
        assert_true(blueness[3] < 0.01);
    else
        assert_true(blueness[3] > 0.01);
}

static void a_piece_that_stays_on_its_exit_is_red(void **unused) {
    (void)unused;
    struct table t;
    set_table(&t, "geister");
    geister_begin(&t.state, t.scenario, "EFGH", "EFGH");
    geister_play_all(&t.state, to_the_exit);
    for (size_t i = 0; i < sizeof stays / sizeof stays[0]; i++) {
        if (stays[i].more[0] != '\0')
            geister_play_all(&t.state, stays[i].more);
        expect_redness(&t.state, 0, stays[i].redness);
    }
    clear_table(&t);
}

static void from_the_other_side_too(void **unused) {
    (void)unused;
    struct table t;
    set_table(&t, "geister");
    geister_begin(&t.state, t.scenario, "EFGH", "EFGH");
    geister_play_all(&t.state, "DE/HE/DN/HW/DN/HE/DN/HW/DN");
    expect_redness(&t.state, 1, 5);
    geister_play_all(&t.state, "HE/AN");
    expect_redness(&t.state, 1, 1005);
    geister_play_all(&t.state, "HW/DS");
    expect_redness(&t.state, 1, 2005);
    clear_table(&t);
}

/* What purple should answer, asked of the searches themselves. */
static struct purple_result search_as(const struct geister *state, int red_cell) {
    struct geister view = *state;
    struct geister_observation seen;
    struct purple_result found;
    struct err e;
    const struct purple_task task = {.depth = 4, .open = red_cell >= 0};
    struct purple *purple = purple_open(1 << 20, &e);
    geister_game.hide(&view, 0);
    geister_observe(&view, 0, &seen);
    if (red_cell >= 0) {
        seen.their_red = UINT64_C(1) << red_cell;
        seen.their_blue = seen.unknown & ~seen.their_red;
        seen.unknown = 0;
    }
    purple_search(purple, &seen, &task, &found);
    purple_close(purple);
    return found;
}

static void purple_takes_it_as_the_only_red(void **unused) {
    (void)unused;
    struct table t;
    char board[GEISTER_BOARD_CHARS + 1];
    set_table(&t, "geister");
    geister_begin(&t.state, t.scenario, "EFGH", "EFGH");
    geister_play_all(&t.state, to_the_exit);
    geister_play_all(&t.state, "HW/AN");
    const struct purple_result open = search_as(&t.state, 30), hidden = search_as(&t.state, -1);
    assert_true(open.value != hidden.value); /* the one takes the piece on its exit for a winner */
    struct answer answer = ask("purple:depth=4", &t.state, NULL);
    assert_int_equal(answer.chosen, open.move);
    assert_true(answer.value == open.value);
    /* The same position without its history. */
    geister_write_board(&t.state, 0, false, board);
    geister_place(&t.state, t.scenario, board, 12, 0);
    answer = ask("purple:depth=4", &t.state, NULL);
    assert_int_equal(answer.chosen, hidden.move);
    assert_true(answer.value == hidden.value);
    clear_table(&t);
}

static void flight_suggests_blue_and_offers_suggest_red(void **unused) {
    (void)unused;
    struct table t;
    double blueness[GEISTER_PIECES];
    set_table(&t, "geister");
    geister_begin(&t.state, t.scenario, "EFGH", "EFGH");
    /* A goes up to the second player's D, which flees to the side; then its A steps beside C. */
    geister_play_all(&t.state, "AN/BN/AN/DE/HE/BN");
    geister_game.hide(&t.state, 0);
    guess_blueness(&t.state, 0, blueness);
    assert_true(blueness[3] > 0.5);
    assert_true(blueness[1] < 0.5);
    assert_true(blueness[4] == blueness[7]); /* pieces that never moved */
    clear_table(&t);
}

/* ---- rules and ways out ---- */

struct way {
    const char *game;
    action out; /* of a blue on cell 0 */
};

static void leaves_as_the_rules_allow(void **unused) {
    (void)unused;
    static const char board[] = "00B11B31R02R99r99r99b99b55u20u99r99r99r99b99b99b";
    static const struct way ways[] = {{"geister", GEISTER_WEST},
                                      {"geister:rules=uctgeister", GEISTER_NORTH},
                                      {"geister:rules=handyrl", GEISTER_WEST}};
    static const char *const players[] = {"purple", "eacp", "guess"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct table t;
        set_table(&t, ways[i].game);
        geister_place(&t.state, t.scenario, board, 100, 0);
        for (size_t k = 0; k < sizeof players / sizeof players[0]; k++)
            assert_int_equal(ask(players[k], &t.state, NULL).chosen, ways[i].out);
        clear_table(&t);
    }
}

static void the_set_up_is_an_option(void **unused) {
    (void)unused;
    static const char *const players[] = {"purple:setup=ABGH", "eacp:setup=ABGH", "guess:setup=ABGH"};
    struct table t;
    struct rng r;
    struct err e;
    set_table(&t, "geister");
    rng_seed(&r, 1);
    geister_game.start(&t.state, t.scenario, &r);
    for (size_t i = 0; i < sizeof players / sizeof players[0]; i++)
        assert_int_equal(ask(players[i], &t.state, NULL).chosen, geister_setup(0xC3));
    assert_null(player_open("purple:setup=ABCX", &geister_game, &e));
    assert_non_null(strstr(e.text, "purple"));
    assert_null(player_open("guess", game_find("kuhn"), &e));
    assert_non_null(strstr(e.text, "guess plays only Geister"));
    clear_table(&t);
}

/* ---- budgets ---- */

/* A clock that goes on by a step whenever it is read. */
struct ticking {
    int64_t now, step;
};

static int64_t tick(void *self) {
    struct ticking *t = self;
    return t->now += t->step;
}

static void time_is_used_to_deepen(void **unused) {
    (void)unused;
    struct table t;
    struct thoughts thoughts = {0};
    struct ticking ticking = {1, 100000};
    const struct clock clock = {.now_ns = tick, .self = &ticking};
    set_table(&t, "geister");
    geister_begin(&t.state, t.scenario, "EFGH", "EFGH");
    static const char *const players[] = {"purple:depth=1,time=10", "eacp:depth=1,time=60"};
    for (size_t i = 0; i < sizeof players / sizeof players[0]; i++) {
        ask_budget(players[i], &t.state, &thoughts, &(struct budget){.clock = &clock});
        assert_true(thoughts.depth > 1);
        ask_budget(players[i], &t.state, &thoughts, &(struct budget){0}); /* without a clock: its depth */
        assert_int_equal(thoughts.depth, 1);
        /* Too late for anything: still an answer. */
        const struct budget late = {.deadline_ns = 1, .clock = &clock};
        ask_budget(players[i], &t.state, NULL, &late);
        ask_budget(players[i], &t.state, NULL, &(struct budget){.work_max = 3});
    }
    clear_table(&t);
}

/* ---- playing ---- */

static double play(const struct scenario *scenario, const char *first, const char *second, uint64_t seed) {
    struct err e = {""};
    struct game_run_result result;
    struct game_run game_run = {.game.scenario = scenario, .names = {first, second}, .game.seed = seed};
    game_run.players[0] = player_open(first, &geister_game, &e);
    game_run.players[1] = player_open(second, &geister_game, &e);
    assert_non_null(game_run.players[0]);
    assert_non_null(game_run.players[1]);
    if (!game_run_play(&game_run, &result, &e))
        fail_msg("%s", e.text);
    assert_int_equal(result.outcome.forfeiter, NOBODY);
    const double payoff = result.outcome.payoff;
    game_run_result_done(&result);
    player_close(game_run.players[0]);
    player_close(game_run.players[1]);
    return payoff;
}

struct pairing {
    const char *better, *worse;
    int games, least; /* so many wins, draws being half of one */
};

static void the_better_ones_win(void **unused) {
    (void)unused;
    static const struct pairing pairings[] = {
        {"guess", "random", 40, 34},
        {"purple:depth=3", "random", 20, 18},
        {"eacp:depth=2", "random", 12, 9},
        {"march:depth=3", "random", 20, 18},
    };
    struct table t;
    set_table(&t, "geister");
    for (size_t i = 0; i < sizeof pairings / sizeof pairings[0]; i++) {
        const struct pairing *p = &pairings[i];
        double won = 0;
        for (int game = 0; game < p->games; game++)
            won += game % 2 == 0 ? play(t.scenario, p->better, p->worse, (uint64_t)game)
                                 : 1 - play(t.scenario, p->worse, p->better, (uint64_t)game);
        if (won < p->least)
            fail_msg("%s won %.1f of %d games against %s", p->better, won, p->games, p->worse);
    }
    clear_table(&t);
}

/* ---- march ---- */

/* Of all own pieces, as the first player sees the board. */
static int steps_of(const struct geister *state) {
    int steps = 0;
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (state->where[0][piece] < GEISTER_CELLS)
            steps += purple_distance[0][state->where[0][piece]];
    return steps;
}

/* Sets of own reds that differ in the front row: a march that spared one colour would begin elsewhere. */
static void march_begins_alike_whatever_the_colours(void **unused) {
    (void)unused;
    struct table t;
    set_table(&t, "geister");
    for (int number = 0; number < GEISTER_SETUPS; number++) {
        char reds[GEISTER_REDS + 1];
        geister_write_reds(geister_setup_reds(number), reds);
        geister_begin(&t.state, t.scenario, reds, "BCFG");
        assert_int_equal(ask("march:depth=2", &t.state, NULL).chosen, geister_move(25, GEISTER_NORTH));
    }
    clear_table(&t);
}

/* The rule itself, in positions of a game: no move that is about as good leads nearer. A move that costs a
 * blue is not about as good, and such moves occur. */
static void march_steps_forward_where_it_costs_nothing(void **unused) {
    (void)unused;
    struct table t;
    struct err e = {""};
    struct purple *purple = purple_open(1 << 20, &e);
    int costly = 0, forward = 0;
    assert_non_null(purple);
    set_table(&t, "geister");
    geister_begin(&t.state, t.scenario, "ACFH", "BCFG");
    while (t.state.stage == GEISTER_PLAYING) {
        const struct answer answer =
            ask(t.state.mover == 0 ? "march:depth=3" : "purple:depth=3", &t.state, NULL);
        struct geister_observation seen;
        struct purple_roots roots;
        struct purple_result best;
        struct geister after = t.state;
        geister_game.play(&after, answer.chosen, NULL);
        geister_observe(&t.state, 0, &seen);
        if (t.state.mover == 0 && (seen.blue & PURPLE_OUR_EXITS) == 0) {
            purple_search(purple, &seen,
                          &(struct purple_task){.depth = 3, .roots = &roots, .exact_roots = true}, &best);
            for (int i = 0; i < roots.count; i++) {
                struct geister other = t.state;
                geister_game.play(&other, roots.moves[i].move, NULL);
                if (best.value > PURPLE_MATE || best.value < -PURPLE_MATE)
                    assert_int_equal(answer.chosen, best.move);
                else if (steps_of(&other) < steps_of(&after))
                    assert_true(roots.moves[i].value < best.value - 4 && ++costly > 0);
            }
            forward += steps_of(&after) < steps_of(&t.state);
        }
        t.state = after;
    }
    assert_true(costly > 0);
    assert_true(forward > 8);
    purple_close(purple);
    clear_table(&t);
}

static void march_plays_a_forced_win(void **unused) {
    (void)unused;
    struct table t;
    struct thoughts thoughts = {0};
    set_table(&t, "geister");
    geister_place(&t.state, t.scenario, FUSION_BOARD, 100, 0);
    const struct answer won = ask("march", &t.state, &thoughts);
    assert_int_equal(won.chosen, FUSION_WINNING_MOVE);
    assert_true(won.value == FUSION_WINNING_VALUE);
    assert_true(thoughts.total > 1);
    clear_table(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_apart_miss_a_forced_win),
        cmocka_unit_test(and_the_win_comes_later),
        cmocka_unit_test(each_world_has_its_own_win),
        cmocka_unit_test(a_piece_that_stays_on_its_exit_is_red),
        cmocka_unit_test(from_the_other_side_too),
        cmocka_unit_test(purple_takes_it_as_the_only_red),
        cmocka_unit_test(flight_suggests_blue_and_offers_suggest_red),
        cmocka_unit_test(leaves_as_the_rules_allow),
        cmocka_unit_test(the_set_up_is_an_option),
        cmocka_unit_test(time_is_used_to_deepen),
        cmocka_unit_test(the_better_ones_win),
        cmocka_unit_test(march_begins_alike_whatever_the_colours),
        cmocka_unit_test(march_steps_forward_where_it_costs_nothing),
        cmocka_unit_test(march_plays_a_forced_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
