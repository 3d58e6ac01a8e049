/* SPDX-License-Identifier: MIT
 *
 * How long a game may be for the exact solver and for Min-Max, on a game in which nothing is decided: every
 * player plays on to its end, and a search can use only the game's own bounds.
 */
#include "search/minmax.h"
#include "search/solve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- a game of one line ---- */

static struct {
    int plies;        /* until the end */
    int choices;      /* at each of them, all alike */
    const int *turns; /* the turn of each ply and of the end; NULL: all in turn 0 */
    bool alternates;  /* or side 0 plays on */
    double worth;     /* to side 0 */
} line;

struct place {
    int at;
};

static int line_mover(const void *state) {
    const struct place *s = state;
    return s->at == line.plies ? NOBODY : line.alternates ? s->at % 2 : 0;
}

static int line_actions(const void *state, action *out) {
    if (line_mover(state) == NOBODY)
        return 0;
    for (int i = 0; i < line.choices; i++)
        out[i] = (action)i;
    return line.choices;
}

static bool line_is_legal(const void *state, action a) {
    return line_mover(state) != NOBODY && (int)a < line.choices;
}

static void line_play(void *state, action a, struct rng *r) {
    (void)a, (void)r;
    ((struct place *)state)->at++;
}

static double line_payoff(const void *state, int side) {
    (void)state;
    return side == 0 ? line.worth : 1 - line.worth;
}

static int line_turn(const void *state) {
    return line.turns == NULL ? 0 : line.turns[((const struct place *)state)->at];
}

static uint64_t line_key(const void *state) {
    return rng_mix((uint64_t)((const struct place *)state)->at);
}

static struct turn_progress line_progress(const void *state) {
    (void)state;
    return (struct turn_progress){0, 2};
}

static double five(const void *state, int side, const double *weights) {
    (void)state, (void)weights;
    return side == 0 ? 5 : -5;
}

static const struct eval line_evals[] = {{"five", "side 0 is ahead", five}, {0}};

static struct game line_game = {
    .name = "line",
    .state_size = sizeof(struct place),
    .actions_max = 1,
    .mover = line_mover,
    .actions = line_actions,
    .is_legal = line_is_legal,
    .play = line_play,
    .payoff = line_payoff,
    .turn = line_turn,
    .progress = line_progress,
    .key = line_key,
    .evals = line_evals,
};

/* ---- the solver ---- */

static struct solution solution;

static void solve_line(void) {
    const struct place root = {0};
    struct rng r;
    struct err e = {{0}};
    rng_seed(&r, 1);
    const struct search_task task = {.game = &line_game, .root = &root, .rng = &r};
    const struct solve_settings settings = {1 << 20, false};
    if (!solve(&task, &settings, &solution, &e))
        fail_msg("%s", e.text);
}

static bool is_value(double value, double expected) {
    return value >= expected && value <= expected;
}

static void the_end_is_found_without_help(void **state) {
    (void)state;
    static const int turns[] = {0, 1, 1, 2, 3, 4, 5};
    static const struct {
        double worth, value;
    } cases[] = {{1, 1}, {0.8, 1}, {0.75, 0.5}, {0.5, 0.5}, {0.25, 0.5}, {0.2, 0}, {0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        line.plies = 6;
        line.choices = line_game.actions_max = 3;
        line.turns = turns;
        line.alternates = true;
        line.worth = cases[i].worth;
        solve_line();
        assert_true(solution.solved && solution.distance_known && !solution.too_deep);
        assert_true(is_value(solution.low, cases[i].value) && is_value(solution.high, cases[i].value));
        assert_int_equal(solution.turns_low, 5);
        assert_int_equal(solution.turns_high, 5);
        assert_int_equal(solution.line_count, 6);
    }
}

/* The end belongs to the turn of the last action, where the game stops counting. */
static void a_game_may_stop_counting(void **state) {
    (void)state;
    static const int turns[] = {7, 8, 8};
    line.plies = 2;
    line.choices = line_game.actions_max = 1;
    line.turns = turns;
    line.alternates = true;
    line.worth = 1;
    solve_line();
    assert_true(solution.solved && is_value(solution.low, 1));
    assert_int_equal(solution.turns_low, 2);
    assert_int_equal(solution.turns_high, 2);
}

/* Beyond 19999 turns a distance would look like a win at some time. */
static void turns_have_a_limit(void **state) {
    (void)state;
    static const int last[] = {0, 19998, 19999}, beyond[] = {0, 19999, 20000};
    line.plies = 2;
    line.choices = line_game.actions_max = 1;
    line.alternates = true;
    line.worth = 1;
    line.turns = last;
    solve_line();
    assert_true(solution.solved && !solution.too_deep);
    assert_int_equal(solution.depth, 19999);
    assert_int_equal(solution.turns_high, 19999);
    line.turns = beyond;
    solve_line();
    assert_true(!solution.solved && solution.too_deep);
    assert_int_equal(solution.depth, 19999);
}

static void plies_have_a_limit(void **state) {
    (void)state;
    line.choices = line_game.actions_max = 1;
    line.turns = NULL;
    line.alternates = false;
    line.worth = 1;
    line.plies = 4095;
    solve_line();
    assert_true(solution.solved && !solution.too_deep && is_value(solution.low, 1));
    line.plies = 4096;
    solve_line();
    assert_true(!solution.solved && solution.too_deep);
}

/* Four lists of the greatest length fit. */
static void lists_have_a_limit(void **state) {
    (void)state;
    line.choices = line_game.actions_max = 1 << 16;
    line.turns = NULL;
    line.alternates = true;
    line.worth = 1;
    line.plies = 4;
    solve_line();
    assert_true(solution.solved && !solution.too_deep && is_value(solution.low, 1));
    line.plies = 5;
    solve_line();
    assert_true(!solution.solved && solution.too_deep);
}

/* ---- Min-Max ---- */

static double minmax_of_line(int plies, int actions_max) {
    const struct place root = {0};
    struct rng r;
    struct err e = {{0}};
    struct search_result out;
    rng_seed(&r, 1);
    line.plies = plies;
    line.choices = 1;
    line_game.actions_max = actions_max;
    line.turns = NULL;
    line.alternates = false;
    line.worth = 1;
    const struct search_task task = {.game = &line_game, .root = &root, .rng = &r};
    const struct minmax_settings settings = {
        .turns = 1, .eval = line_evals, .cache = minmax_cache_open(&line_game, 0, &e)};
    if (settings.cache == NULL)
        fail_msg("%s", e.text);
    minmax_search(&task, &settings, &out);
    minmax_cache_close(settings.cache);
    assert_int_equal(out.chosen, 0);
    return out.value;
}

static void long_lines_are_evaluated_as_they_stand(void **state) {
    (void)state;
    /* 128 lists of the greatest length, behind that of the root */
    assert_true(is_value(minmax_of_line(129, 1), MINMAX_WIN - 1));
    assert_true(is_value(minmax_of_line(130, 1), 5));
    /* shorter lists, but so many actions */
    assert_true(is_value(minmax_of_line(MINMAX_PLIES_MAX, 20), MINMAX_WIN - 1));
    assert_true(is_value(minmax_of_line(MINMAX_PLIES_MAX + 1, 20), 5));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_found_without_help),
        cmocka_unit_test(a_game_may_stop_counting),
        cmocka_unit_test(turns_have_a_limit),
        cmocka_unit_test(plies_have_a_limit),
        cmocka_unit_test(lists_have_a_limit),
        cmocka_unit_test(long_lines_are_evaluated_as_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
