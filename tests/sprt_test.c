/* SPDX-License-Identifier: MIT
 *
 * The sequential test: its ratio against a search over all distributions, closed forms, and the errors it
 * makes in simulated matches with draws and on unbalanced maps.
 */
#include "match/statistics.h"
#include "tests/stats_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void bounds_are_wald_s(void **state) {
    (void)state;
    const struct sprt s = {0, 10, 0.05, 0.1};
    assert_true(fabs(sprt_lower(&s) - log(0.1 / 0.95)) < 1e-12);
    assert_true(fabs(sprt_upper(&s) - log(0.9 / 0.05)) < 1e-12);
    assert_int_equal(sprt_decide(&s, 0), SPRT_UNDECIDED);
    assert_int_equal(sprt_decide(&s, 2.8), SPRT_UNDECIDED);
    assert_int_equal(sprt_decide(&s, 2.9), SPRT_H1);
    assert_int_equal(sprt_decide(&s, -2.2), SPRT_UNDECIDED);
    assert_int_equal(sprt_decide(&s, -2.3), SPRT_H0);
}

static void texts_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *complaint; /* NULL: it is right */
    } cases[] = {
        {"0,10", NULL},
        {"-5.5, 2", NULL},
        {"0", "ELO0,ELO1"},
        {"", "ELO0,ELO1"},
        {"0,1,2", "ELO0,ELO1"},
        {"a,b", "ELO0,ELO1"},
        {"nan,1", "expected"},
        {"10,0", "smaller"},
        {"3,3", "smaller"},
        {"0,5000", "from -1000 to 1000"},
        {"0,10000000000000000000000000000000000000000000000000000000000000000000000", "ELO0,ELO1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sprt s = {.alpha = 0.05, .beta = 0.05};
        struct err e = {""};
        const bool ok = sprt_read(cases[i].text, &s, &e) && sprt_check(&s, &e);
        assert_true(ok == (cases[i].complaint == NULL));
        if (!ok)
            assert_non_null(strstr(e.text, cases[i].complaint));
    }
    struct err e;
    assert_false(sprt_check(&(struct sprt){0, 1, 0, 0.05}, &e));
    assert_non_null(strstr(e.text, "alpha"));
    assert_false(sprt_check(&(struct sprt){0, 1, 0.05, 0.5}, &e));
    assert_non_null(strstr(e.text, "beta"));
    static const struct sprt edges[] = {
        {0, 1, 0.5, 0.05},  {0, 1, 0.05, 0},      {0, 1, 0.6, 0.05},
        {0, 1, -0.1, 0.05}, {-1001, 0, 0.1, 0.1}, {0, 1001, 0.1, 0.1},
    };
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        assert_false(sprt_check(&edges[i], &e));
    assert_true(sprt_check(&(struct sprt){-1000, 1000, 0.499, 0.001}, &e));
    char longest[64], text[80];
    struct sprt s;
    snprintf(longest, sizeof longest, "1,%061d", 2); /* 63 characters */
    assert_true(sprt_read(longest, &s, &e));
    assert_true(fabs(s.elo1 - 2) < 1e-9);
    snprintf(text, sizeof text, "%s0", longest);
    assert_false(sprt_read(text, &s, &e));
    assert_string_equal(e.text, "1,00000000000000000000000000000000000000…: expected ELO0,ELO1");
}

/* ---- the ratio ---- */

static double likelihood(const double *numbers, const double *p) {
    double sum = 0;
    for (int i = 0; i < PAIRS_SCORES; i++) {
        if (!(p[i] > 0))
            return -HUGE_VAL;
        sum += numbers[i] * log(p[i]);
    }
    return sum;
}

/* The largest likelihood with a given mean, by walking: three moves preserve sum and mean, and a step is
 * halved when no move climbs. The likelihood is concave, so that the top it finds is the top. */
static double search(const double *numbers, double mean) {
    static const double moves[6][PAIRS_SCORES] = {{1, -2, 1, 0, 0},  {0, 1, -2, 1, 0},  {0, 0, 1, -2, 1},
                                                  {1, -1, -1, 1, 0}, {0, 1, -1, -1, 1}, {1, -1, 0, -1, 1}};
    double p[PAIRS_SCORES]; /* binomial: inside, with that mean */
    static const double ways[PAIRS_SCORES] = {1, 4, 6, 4, 1};
    for (int i = 0; i < PAIRS_SCORES; i++)
        p[i] = ways[i] * pow(mean, i) * pow(1 - mean, 4 - i);
    double best = likelihood(numbers, p);
    for (double step = 0.1; step > 1e-11;) {
        bool climbed = false;
        for (int move = 0; move < 12; move++) {
            double q[PAIRS_SCORES];
            for (int i = 0; i < PAIRS_SCORES; i++)
                q[i] = p[i] + (move % 2 ? -step : step) * moves[move / 2][i];
            const double value = likelihood(numbers, q);
            if (value > best) {
                best = value;
                memcpy(p, q, sizeof p);
                climbed = true;
            }
        }
        if (!climbed)
            step /= 2;
    }
    return best;
}

static void ratio_is_that_of_the_best_distributions(void **state) {
    (void)state;
    static const struct pairs cases[] = {
        {{10, 20, 40, 20, 10}, {0}}, {{3, 0, 94, 0, 9}, {0}},  {{1, 30, 10, 5, 60}, {0}},
        {{12, 8, 3, 2, 1}, {0}},     {{5, 7, 9, 11, 13}, {0}}, {{1, 1, 1, 1, 1}, {0}},
    };
    static const double tests[][2] = {{0, 10}, {-30, 30}, {0, 100}, {50, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++) {
            const struct sprt s = {tests[k][0], tests[k][1], 0.05, 0.05};
            double numbers[PAIRS_SCORES];
            for (int j = 0; j < PAIRS_SCORES; j++)
                numbers[j] = cases[i].counts[j] + 0.001;
            const double expected =
                search(numbers, elo_to_score(s.elo1)) - search(numbers, elo_to_score(s.elo0));
            assert_true(fabs(sprt_ratio(&s, &cases[i]) - expected) < 1e-4 * fmax(1, fabs(expected)));
        }
}

/* Without draws single games are coin tosses, whose likelihood has a closed form. */
static void single_games_are_a_coin(void **state) {
    (void)state;
    const struct sprt s = {0, 100, 0.05, 0.05};
    const double score = elo_to_score(100);
    const struct pairs p = {{0}, {40, 0, 60}};
    const double expected = 60 * log(score / 0.5) + 40 * log((1 - score) / 0.5);
    assert_true(fabs(sprt_ratio(&s, &p) - expected) < 0.01);
    const struct pairs nothing = {0};
    assert_true(fabs(sprt_ratio(&s, &nothing)) < 1e-15);
}

/* The largest likelihood of single games with a given mean: the share of draws decides it. */
static double search_single(const double numbers[PAIRS_SINGLE_SCORES], double mean) {
    double low = 0, high = 2 * fmin(mean, 1 - mean);
    for (int i = 0; i < 200; i++) {
        double value[2];
        for (int k = 0; k < 2; k++) {
            const double draws = low + (high - low) * (k + 1) / 3;
            value[k] = numbers[0] * log(1 - mean - draws / 2) + numbers[1] * log(draws) +
                       numbers[2] * log(mean - draws / 2);
        }
        *(value[0] < value[1] ? &low : &high) = low + (high - low) * (value[0] < value[1] ? 1 : 2) / 3;
    }
    return numbers[0] * log(1 - mean - low / 2) + numbers[1] * log(low) + numbers[2] * log(mean - low / 2);
}

/* Also where one of the three results never occurred, and beside pairs, to which they are added. */
static void single_games_have_draws(void **state) {
    (void)state;
    static const int cases[][PAIRS_SINGLE_SCORES] = {{4, 3, 8}, {0, 5, 9}, {7, 2, 0}, {6, 0, 5}, {1, 0, 0}};
    const struct sprt s = {-20, 120, 0.05, 0.05};
    const struct pairs pairs = {{2, 1, 4, 3, 2}, {0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pairs alone = {0}, both = pairs;
        double numbers[PAIRS_SINGLE_SCORES];
        for (int k = 0; k < PAIRS_SINGLE_SCORES; k++) {
            alone.singles[k] = both.singles[k] = cases[i][k];
            numbers[k] = cases[i][k] + 0.001;
        }
        const double expected =
            search_single(numbers, elo_to_score(s.elo1)) - search_single(numbers, elo_to_score(s.elo0));
        assert_true(fabs(sprt_ratio(&s, &alone) - expected) < 1e-6);
        assert_true(fabs(sprt_ratio(&s, &both) - sprt_ratio(&s, &pairs) - expected) < 1e-6);
    }
}

static void extreme_counts_stay_finite(void **state) {
    (void)state;
    const struct sprt s = {-1000, 1000, 0.05, 0.05};
    for (int i = 0; i < PAIRS_SCORES; i++) {
        struct pairs p = {0};
        p.counts[i] = 50000000;
        const double ratio = sprt_ratio(&s, &p);
        assert_true(isfinite(ratio));
        assert_true(i == 2 ? fabs(ratio) < 1 : (ratio > 0) == (i > 2));
    }
}

/* ---- simulated matches ---- */

struct game_history {
    double h1_share; /* how often H1 was accepted */
    double games;    /* on average */
};

static struct game_history simulate(const struct sprt *s, double elo, double side, double draws) {
    enum { MATCHES = 1500, PAIRS_LIMIT = 20000 };
    const double strength = support_strength(elo, side);
    struct rng r;
    rng_seed(&r, 5);
    struct game_history history = {0};
    for (int i = 0; i < MATCHES; i++) {
        struct pairs p = {0};
        enum sprt_verdict verdict = SPRT_UNDECIDED;
        while (verdict == SPRT_UNDECIDED && pairs_count(&p) < PAIRS_LIMIT) {
            support_add_pair(&r, strength, side, draws, &p);
            verdict = sprt_decide(s, sprt_ratio(s, &p));
        }
        assert_int_not_equal(verdict, SPRT_UNDECIDED);
        history.h1_share += verdict == SPRT_H1 ? 1.0 / MATCHES : 0;
        history.games += (double)pairs_games(&p) / MATCHES;
    }
    return history;
}

/* What the first side is worth there in Elo, and the share of draws. */
struct board {
    double side, draws;
};

/* The true rates are alpha and beta or a little less; three standard errors of 1500 matches are 1.7%. */
static void errors_stay_within_their_bounds(void **state) {
    (void)state;
    static const struct board maps[] = {{0, 0}, {0, 0.4}, {200, 0}, {200, 0.3}, {350, 0}};
    const struct sprt s = {0, 60, 0.05, 0.1};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        const struct game_history none = simulate(&s, 0, maps[i].side, maps[i].draws);
        const struct game_history there = simulate(&s, 60, maps[i].side, maps[i].draws);
        print_message("side %3g, draws %g: alpha %.3f, beta %.3f, %.0f and %.0f games\n", maps[i].side,
                      maps[i].draws, none.h1_share, 1 - there.h1_share, none.games, there.games);
        assert_true(none.h1_share <= 0.05 + 0.017);
        assert_true(1 - there.h1_share <= 0.1 + 0.023);
        assert_true(none.h1_share > 0.01 && 1 - there.h1_share > 0.02); /* nor are games wasted */
    }
}

/* The planner's expectation omits the overshoot of the last pair, so that true matches are a bit longer. */
static void length_is_that_of_the_planner(void **state) {
    (void)state;
    const struct sprt s = {0, 40, 0.05, 0.05};
    const struct needed needed = {0.3, 0.05, 0.95, false};
    const struct needed_sequential expected = needed_sequential(&needed, 40);
    const double none = simulate(&s, 0, 0, 0.3).games, there = simulate(&s, 40, 0, 0.3).games;
    print_message("planned %.0f and %.0f games, played %.0f and %.0f\n", expected.if_none, expected.if_there,
                  none, there);
    assert_true(none > 0.95 * expected.if_none && none < 1.2 * expected.if_none);
    assert_true(there > 0.95 * expected.if_there && there < 1.2 * expected.if_there);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_wald_s),
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(ratio_is_that_of_the_best_distributions),
        cmocka_unit_test(single_games_are_a_coin),
        cmocka_unit_test(single_games_have_draws),
        cmocka_unit_test(extreme_counts_stay_finite),
        cmocka_unit_test(errors_stay_within_their_bounds),
        cmocka_unit_test(length_is_that_of_the_planner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
