/* SPDX-License-Identifier: MIT
 *
 * Leaf correlation, bias and disambiguation factor from random play: synthetic trees return their own
 * parameters, small games their exact figures, and the number of workers does not matter.
 */
#include "audit/measure.h"
#include "game/synth/synth.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES = 20000 };

static void measure(const char *spec, struct measure_task task, struct measure_report *out) {
    struct err e = {""};
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s: %s", spec, e.text);
    task.scenario = scenario;
    task.seed = task.seed > 0 ? task.seed : 5;
    task.workers = task.workers > 0 ? task.workers : 1;
    task.games = task.games > 0 ? task.games : GAMES;
    if (!measure_game(&task, out, &e))
        fail_msg("%s: %s", spec, e.text);
    game_unload(scenario);
}

static void check_near(const char *spec, const char *what, const struct measure_figure *f, double expected,
                       double tolerance) {
    if (f->games == 0 || !(fabs(f->value - expected) <= tolerance))
        fail_msg("%s: %s is %.4f (%d games), expected %.4f", spec, what, f->value, f->games, expected);
    if (!(f->t95.low <= f->value && f->value <= f->t95.high && f->t95.high <= 1))
        fail_msg("%s: %s: %.4f to %.4f around %.4f", spec, what, f->t95.low, f->t95.high, f->value);
}

/* ---- synthetic trees ---- */

/* Long's trees. With a correlation of 0 no siblings are equal, so there is no bias. */
static void trees_return_their_parameters(void **state) {
    (void)state;
    static const struct {
        double lc, bias, df;
        const char *shape;
    } points[] = {
        {0.3, 0.75, 0.5, ""},
        {0.8, 0.25, 0.1, ",depth=7"},
        {0.6, 0.5, 0.9, ",worlds=32"},
        {1, 1, 0, ""},
        {0, 0.5, 1, ""},
        {0.5, 0, 0.3, ",branching=3,depth=4"},
        {0.9, 0.6, 0.7, ",worlds=2,depth=10"},
    };
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        struct measure_report r;
        char spec[128];
        snprintf(spec, sizeof spec, "synth:payoffs=signs,lc=%g,bias=%g,df=%g%s", points[i].lc, points[i].bias,
                 points[i].df, points[i].shape);
        measure(spec, (struct measure_task){.games = SAMPLE(GAMES, 10000)}, &r);
        for (int reading = 0; reading < MEASURE_READINGS; reading++) {
            check_near(spec, "leaf correlation", &r.correlation[reading], points[i].lc, 0.02);
            if (points[i].lc > 0)
                check_near(spec, "bias", &r.bias[reading], points[i].bias, 0.02);
            else
                assert_int_equal(r.bias[reading].games, 0);
        }
        check_near(spec, "disambiguation", &r.disambiguation, points[i].df, 0.02);
        check_near(spec, "families", &r.family, 1, 0);
        assert_true(r.hides && !r.has_grades && !r.stopped);
    }
}

/* Whole-number payoffs: uncorrelated siblings are equal by chance, which is taken out again. */
static void chance_is_taken_out(void **state) {
    (void)state;
    static const double lcs[] = {0, 0.3, 0.7};
    for (size_t i = 0; i < sizeof lcs / sizeof lcs[0]; i++) {
        struct measure_report r;
        char spec[64];
        snprintf(spec, sizeof spec, "synth:lc=%g", lcs[i]);
        measure(spec, (struct measure_task){0}, &r);
        check_near(spec, "beyond chance", &r.beyond_chance, lcs[i], 0.02);
        check_near(spec, "by payoff", &r.correlation[MEASURE_PAYOFF], lcs[i] + (1 - lcs[i]) * 0.3045, 0.02);
        check_near(spec, "bias", &r.bias[MEASURE_PAYOFF], 0.75, 0.03);
        assert_true(r.beyond_chance.t95.high - r.beyond_chance.t95.low < 0.05);
        assert_true(r.has_grades);
    }
}

/* The intervals of 60 runs hold the truth about as often as they say. */
static void intervals_cover(void **state) {
    (void)state;
    int lc = 0, bias = 0, df = 0, beyond = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct measure_report r;
        measure("synth:payoffs=signs", (struct measure_task){.games = 400, .seed = seed}, &r);
        const struct interval shares = stats_wilson(r.correlation[0].value, 400, STATS_Z95);
        assert_true(fabs(shares.low - r.correlation[0].t95.low) < 1e-3);
        assert_true(fabs(shares.high - r.correlation[0].t95.high) < 1e-3);
        lc += r.correlation[0].t95.low <= 0.3 && 0.3 <= r.correlation[0].t95.high;
        bias += r.bias[0].t95.low <= 0.75 && 0.75 <= r.bias[0].t95.high;
        df += r.disambiguation.t95.low <= 0.5 && 0.5 <= r.disambiguation.t95.high;
        measure("synth", (struct measure_task){.games = 400, .seed = seed}, &r);
        beyond += r.beyond_chance.t95.low <= 0.3 && 0.3 <= r.beyond_chance.t95.high;
    }
    assert_in_range(lc, 51, 60);
    assert_in_range(bias, 51, 60);
    assert_in_range(df, 51, 60);
    assert_in_range(beyond, 51, 60);
}

/* ---- other games ---- */

/* Kuhn poker by hand: the game ends in a family after `bet` (a half of all games) and after `pass, bet` (a
 * fourth). There folding loses 1 and calling wins or loses 2: never the same payoff, and the same winner when
 * the bettor has the higher card. Nothing is learned before the end. */
static void kuhn_is_known(void **state) {
    (void)state;
    struct measure_report r;
    measure("kuhn", (struct measure_task){0}, &r);
    check_near("kuhn", "families", &r.family, 0.75, 0.02);
    check_near("kuhn", "correlation", &r.correlation[MEASURE_PAYOFF], 0, 0);
    check_near("kuhn", "winners", &r.correlation[MEASURE_WINNER], 0.5, 0.02);
    check_near("kuhn", "bias", &r.bias[MEASURE_WINNER], 2.0 / 3, 0.02);
    check_near("kuhn", "disambiguation", &r.disambiguation, 0, 0);
    assert_int_equal(r.bias[MEASURE_PAYOFF].games, 0);
    assert_true(fabs(r.decisions - 2.25) < 0.02 && fabs(r.actions - 2) < 1e-9);
    assert_true(r.disambiguation.t95.low < 1e-9 && r.disambiguation.t95.high > 0);
}

/* In a game without hidden information nothing can be learned; where all families agree they do so for
 * certain only as far as the number of games shows. */
static void open_games_have_no_factor(void **state) {
    (void)state;
    struct measure_report r;
    measure("tictactoe", (struct measure_task){.games = 2000}, &r);
    assert_false(r.hides);
    assert_int_equal(r.disambiguation.games, 0);
    check_near("tictactoe", "correlation", &r.correlation[MEASURE_PAYOFF], 1, 0);
    assert_true(r.correlation[MEASURE_PAYOFF].t95.low < 1);
    assert_true(r.family.value > 0.1 && r.family.value < 0.3);
    /* An action with chance belongs to a family when every outcome ends the game. */
    measure("race", (struct measure_task){.games = 2000}, &r);
    assert_true(r.correlation[MEASURE_PAYOFF].games > 100);
}

/* Three moves, two types. The last move is the first side's second: it can learn something there if its first
 * move has taught it nothing, in half of the games. The move before is the second side's first. */
static void the_last_decisions_are_counted_back(void **state) {
    (void)state;
    struct measure_report one, two;
    measure("synth:worlds=2,depth=3,df=0.5", (struct measure_task){.games = 4000, .last = 1}, &one);
    measure("synth:worlds=2,depth=3,df=0.5", (struct measure_task){.games = 4000, .last = 2}, &two);
    assert_in_range(one.disambiguation.games, 1850, 2150);
    assert_int_equal(two.disambiguation.games, 4000);
}

/* In Geister information comes from taken pieces only; near the start nothing is taken. */
static void only_the_last_decisions_count(void **state) {
    (void)state;
    struct measure_report all, last, whole;
    const struct measure_task task = {.games = 200};
    struct measure_task near = task, far = task;
    near.last = 2;
    far.last = MEASURE_LAST_MAX;
    measure("geister:plies=40", task, &all);
    measure("geister:plies=40", near, &last);
    measure("geister:plies=40", far, &whole);
    assert_true(all.disambiguation.value > 0 && all.disambiguation.value < 0.2);
    assert_memory_equal(&all.disambiguation.value, &whole.disambiguation.value, sizeof(double));
    assert_true(fabs(last.disambiguation.value - all.disambiguation.value) > 1e-6);
    assert_memory_equal(&all.family.value, &last.family.value, sizeof(double));
}

/* ---- the run ---- */

static void workers_do_not_matter(void **state) {
    (void)state;
    struct measure_report one, three;
    measure("synth", (struct measure_task){.games = 3333}, &one);
    measure("synth", (struct measure_task){.games = 3333, .workers = 3}, &three);
    assert_int_equal(one.games, 3333);
    assert_memory_equal(&one.beyond_chance.t95, &three.beyond_chance.t95, sizeof one.beyond_chance.t95);
    assert_memory_equal(&one.disambiguation.t95, &three.disambiguation.t95, sizeof one.disambiguation.t95);
    assert_memory_equal(&one.bias[0].t95, &three.bias[0].t95, sizeof one.bias[0].t95);
}

/* Stops when half of the games are done. */
struct stopper {
    atomic_bool stop;
    double done;
};

static void stop_at_half(void *context, double done) {
    struct stopper *s = context;
    assert_true(done > s->done && done <= 1);
    s->done = done;
    atomic_store(&s->stop, done >= 0.5);
}

static void a_stop_keeps_what_is_done(void **state) {
    (void)state;
    struct stopper s = {0};
    struct measure_report r;
    measure("synth",
            (struct measure_task){.games = 1000, .stop = &s.stop, .on_progress = stop_at_half, .context = &s},
            &r);
    assert_true(r.stopped);
    assert_int_equal(r.games, 500);
    atomic_store(&s.stop, true);
    measure("synth", (struct measure_task){.games = 1000, .stop = &s.stop}, &r);
    assert_int_equal(r.games, 0);
    assert_int_equal(r.correlation[0].games, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_return_their_parameters),
        cmocka_unit_test(chance_is_taken_out),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(kuhn_is_known),
        cmocka_unit_test(open_games_have_no_factor),
        cmocka_unit_test(only_the_last_decisions_count),
        cmocka_unit_test(the_last_decisions_are_counted_back),
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(a_stop_keeps_what_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
