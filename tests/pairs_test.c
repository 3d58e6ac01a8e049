/* SPDX-License-Identifier: MIT
 *
 * Counts of mirrored pairs, and the variance of their mean against values worked out by hand.
 */
#include "match/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-12;
}

static void pairs_are_counted_by_points(void **state) {
    (void)state;
    struct pairs p = {0};
    for (int first = 0; first <= 2; first++)
        for (int second = 0; second <= 2; second++)
            pairs_add(&p, 0.5 * first, 0.5 * second);
    static const int expected[PAIRS_SCORES] = {1, 2, 3, 2, 1};
    for (int i = 0; i < PAIRS_SCORES; i++)
        assert_int_equal(p.counts[i], expected[i]);
    pairs_add_single(&p, 1);
    pairs_add_single(&p, 0.5);
    assert_int_equal(pairs_count(&p), 9);
    assert_int_equal(pairs_singles(&p), 2);
    assert_int_equal(pairs_games(&p), 20);
    assert_true(is_near(pairs_score(&p), 10.5 / 20));
}

static void variance_by_hand(void **state) {
    (void)state;
    static const struct {
        struct pairs pairs;
        double score, variance;
    } cases[] = {
        {{{0}, {0}}, 0.5, 0},
        {{{0, 0, 1, 0, 0}, {0}}, 0.5, 0}, /* one pair has no spread */
        {{{0, 0, 7, 0, 0}, {0}}, 0.5, 0},
        /* Points 0, 1, 1, 2: sample variance 2/3, of the mean 1/6, of the mean a game 1/24. */
        {{{1, 0, 2, 0, 1}, {0}}, 0.5, 1 / 24.0},
        /* Points 1.5 and 2: mean 1.75, sample variance 1/8, of the mean 1/16, a game 1/64. */
        {{{0, 0, 0, 1, 1}, {0}}, 0.875, 1 / 64.0},
        /* Single games 1, 1, 1, 0.5, 0, 0: mean 7/12, squares' sum 1.20833…, over 5, over 6. */
        {{{0}, {2, 1, 3}}, 7 / 12.0, (3 * 25 / 144.0 + 1 / 144.0 + 2 * 49 / 144.0) / 30},
        /* A pair with 2 points and a lost game: mean 2/3; (2 - 4/3)^2 + (2/3)^2 = 8/9, twice, over 9. */
        {{{0, 0, 0, 0, 1}, {1, 0, 0}}, 2 / 3.0, 2 * 8 / 81.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(is_near(pairs_score(&cases[i].pairs), cases[i].score));
        assert_true(is_near(pairs_variance(&cases[i].pairs), cases[i].variance));
    }
}

/* On a map that always gives the game to one side, pairs show that the players are equal, and single games
 * would not. */
static void pairs_see_through_unbalanced_maps(void **state) {
    (void)state;
    struct pairs mirrored = {0}, alone = {0};
    for (int i = 0; i < 50; i++) {
        pairs_add(&mirrored, 1, 0);
        pairs_add_single(&alone, 1);
        pairs_add_single(&alone, 0);
    }
    assert_true(is_near(pairs_score(&mirrored), pairs_score(&alone)));
    assert_true(is_near(pairs_variance(&mirrored), 0));
    assert_true(is_near(pairs_variance(&alone), 0.25 / 99));
}

static void streams_wait_for_the_second_half(void **state) {
    (void)state;
    struct pairs_stream s = {0};
    pairs_stream_add(&s, 1, true);
    assert_true(s.is_waiting);
    assert_int_equal(pairs_games(&s.pairs), 0);
    struct pairs all = pairs_stream_all(&s);
    assert_int_equal(all.singles[2], 1);
    pairs_stream_add(&s, 0.5, true);
    assert_false(s.is_waiting);
    assert_int_equal(s.pairs.counts[3], 1);
    all = pairs_stream_all(&s);
    assert_int_equal(pairs_singles(&all), 0);
    pairs_stream_add(&s, 0, false);
    assert_false(s.is_waiting);
    assert_int_equal(s.pairs.singles[0], 1);
    assert_int_equal(pairs_games(&s.pairs), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_counted_by_points),
        cmocka_unit_test(variance_by_hand),
        cmocka_unit_test(pairs_see_through_unbalanced_maps),
        cmocka_unit_test(streams_wait_for_the_second_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
