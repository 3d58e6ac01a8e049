/* SPDX-License-Identifier: MIT
 *
 * Judgements by hand, and how often their intervals hold the truth.
 */
#include "evolve/judge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) < 1e-9))
        fail_msg("%.12g is not %.12g", value, expected);
}

/* `count` games of a kind with that payoff of red. */
static void add_games(struct judgement *j, enum sample_kind kind, double payoff, int count) {
    const struct sample_game trial = {.kind = kind, .outcome = {.payoff = payoff, .actions = 20, .turns = 4}};
    for (int i = 0; i < count; i++)
        judgement_add(j, &trial);
}

/* ---- fitness ---- */

static void fitness_is_the_published_one(void **state) {
    (void)state;
    static const struct {
        double points;
        int games;
        double fitness;
    } cases[] = {
        {8, 10, 64}, /* 7 wins, 2 draws, 1 loss */
        {0, 10, 1},  {4.5, 10, 1},   {5, 10, 1},   {5.5, 10, 3.375}, {6, 10, 8}, {10, 10, 216},
        {0, 0, 1},   {20, 20, 1728}, {12, 20, 64}, {2, 2, 1.728},    {5, 5, 27},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_near(judgement_fitness(cases[i].points, cases[i].games), cases[i].fitness);
}

static void points_are_strong_s_from_both_sides(void **state) {
    (void)state;
    struct judgement j = {0};
    add_games(&j, SAMPLE_STRONG_RED, 1, 4);
    add_games(&j, SAMPLE_STRONG_RED, 0.5, 1);
    add_games(&j, SAMPLE_STRONG_BLUE, 0, 3); /* red's payoff: strong wins */
    add_games(&j, SAMPLE_STRONG_BLUE, 0.5, 1);
    add_games(&j, SAMPLE_STRONG_BLUE, 1, 1);
    add_games(&j, SAMPLE_PEERS, 1, 7); /* no contest */
    assert_int_equal(judgement_contests(&j), 10);
    assert_int_equal(judgement_games(&j), 17);
    assert_near(judgement_points(&j), 8);
    assert_near(judgement_fitness(judgement_points(&j), judgement_contests(&j)), 64);
    assert_int_equal(j.strong[TBS_RED].wins, 4);
    assert_int_equal(j.strong[TBS_BLUE].losses, 1);
}

/* ---- shares ---- */

static void assert_share(struct share s, double value, int games) {
    assert_near(s.value, value);
    assert_int_equal(s.games, games);
    assert_true(0 <= s.interval.low && s.interval.low <= value);
    assert_true(value <= s.interval.high && s.interval.high <= 1);
}

static void without_games_nothing_is_known(void **state) {
    (void)state;
    const struct judgement none = {0};
    const struct share shares[] = {judgement_strong_with(&none, TBS_RED),
                                   judgement_strong_with(&none, TBS_BLUE), judgement_strength(&none),
                                   judgement_red(&none), judgement_decisive(&none)};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        assert_share(shares[i], 0.5, 0);
        assert_near(shares[i].interval.low, 0);
        assert_near(shares[i].interval.high, 1);
    }
    assert_near(judgement_turns(&none), 0);
    assert_near(judgement_first_kills(&none, TBS_RED, 0), 0);
    assert_near(judgement_first_kills_mean(&none, TBS_RED), 0);
}

static void both_sides_weigh_the_same(void **state) {
    (void)state;
    struct judgement j = {0};
    add_games(&j, SAMPLE_STRONG_RED, 1, 30);
    add_games(&j, SAMPLE_STRONG_BLUE, 1, 6);
    add_games(&j, SAMPLE_STRONG_BLUE, 0, 4);
    assert_share(judgement_strong_with(&j, TBS_RED), 1, 30);
    assert_share(judgement_strong_with(&j, TBS_BLUE), 0.4, 10);
    const struct share strength = judgement_strength(&j);
    assert_share(strength, 0.7, 40);
    /* By hand: z = 1.959964 * (1 + 4.841459 / (4 * 38)) = 2.022392. With one win and one loss more the scores
     * are 31/32 and 5/12, so chance accounts for (0.030273 / 30 + 0.243056 / 10) / 4 = 0.006329 of the square
     * of half their difference, 0.09: they are taken to be 0.289260 from their mean. At a mean of 0.544556
     * that is 0.833815 and 0.255296, with a variance of the mean of 0.005908; at 0.847283 one is 1, so the
     * other is 0.694565, with 0.005304. */
    assert_true(fabs((0.7 - 0.544556) - 2.022392 * sqrt(0.005908)) < 1e-4);
    assert_true(fabs((0.847283 - 0.7) - 2.022392 * sqrt(0.005304)) < 1e-4);
    assert_true(fabs(strength.interval.low - 0.544556) < 1e-6);
    assert_true(fabs(strength.interval.high - 0.847283) < 1e-6);
}

static void one_side_alone_is_half_of_it(void **state) {
    (void)state;
    struct judgement j = {0};
    add_games(&j, SAMPLE_STRONG_RED, 1, 1000);
    const struct share strength = judgement_strength(&j);
    assert_share(strength, 0.75, 1000);
    const struct interval wilson = stats_wilson(1, 1000, STATS_Z95);
    assert_near(strength.interval.low, wilson.low / 2);
    assert_near(strength.interval.high, 1);
}

/* Two games, one from each side, leave no freedom: as if there were one degree of it, z is 1.959964 * (1
 * + 4.841459 / 4) = 4.332235. What was seen, 1, is z standard errors from m when (1 - m)^2 = z^2 m (1 - m)
 * / 2. */
static void two_games_give_a_wide_interval(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) { /* a third game brings the one degree */
        struct judgement j = {0};
        add_games(&j, SAMPLE_STRONG_RED, 1, 1 + more);
        add_games(&j, SAMPLE_STRONG_BLUE, 0, 1);
        const double z = 4.332235, part = more == 0 ? 0.5 : 0.375; /* of m (1 - m): (1 / n + 1 / k) / 4 */
        assert_share(judgement_strength(&j), 1, 2 + more);
        assert_true(fabs(judgement_strength(&j).interval.low - 1 / (1 + z * z * part)) < 1e-5);
    }
}

static void fairness_comes_from_peers_or_else_from_contests(void **state) {
    (void)state;
    struct judgement j = {0};
    add_games(&j, SAMPLE_STRONG_RED, 1, 9); /* strong has 0.9 with red */
    add_games(&j, SAMPLE_STRONG_RED, 0, 1);
    add_games(&j, SAMPLE_STRONG_BLUE, 1, 5); /* weak has 0.5 with red */
    add_games(&j, SAMPLE_STRONG_BLUE, 0, 5);
    assert_share(judgement_red(&j), 0.7, 20);
    add_games(&j, SAMPLE_PEERS, 1, 1);
    add_games(&j, SAMPLE_PEERS, 0, 3);
    add_games(&j, SAMPLE_PEERS, 0.5, 4);
    assert_share(judgement_red(&j), 3.0 / 8, 8);
    assert_share(judgement_decisive(&j), 24.0 / 28, 28);
    assert_near(judgement_turns(&j), 4);
}

/* Seen from the other side everything is the other way round. */
static void fairness_is_symmetric(void **state) {
    (void)state;
    for (int red = 0; red <= 6; red++)
        for (int blue = 0; blue <= 9; blue++) {
            struct judgement j = {0}, turned = {0};
            add_games(&j, SAMPLE_STRONG_RED, 1, red);
            add_games(&j, SAMPLE_STRONG_RED, 0, 6 - red);
            add_games(&j, SAMPLE_STRONG_BLUE, 0, blue);
            add_games(&j, SAMPLE_STRONG_BLUE, 1, 9 - blue);
            add_games(&turned, SAMPLE_STRONG_BLUE, 0, red);
            add_games(&turned, SAMPLE_STRONG_BLUE, 1, 6 - red);
            add_games(&turned, SAMPLE_STRONG_RED, 1, blue);
            add_games(&turned, SAMPLE_STRONG_RED, 0, 9 - blue);
            assert_near(judgement_red(&j).value, 1 - judgement_red(&turned).value);
            assert_near(judgement_red(&j).interval.low, 1 - judgement_red(&turned).interval.high);
            assert_near(judgement_strength(&j).interval.low, judgement_strength(&turned).interval.low);
        }
}

/* ---- coverage ---- */

static double binomial(int n, int k, double p) {
    if (p >= 1)
        return k == n;
    return exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * log(p) + (n - k) * log(1 - p));
}

enum { A_SIDE_MAX = 200 };

static struct interval intervals[A_SIDE_MAX + 1][A_SIDE_MAX + 1];

/* Of the strength, for all outcomes of n games a side; or of red's score without peers. */
static void fill_intervals(int n, struct share (*share)(const struct judgement *)) {
    for (int i = 0; i <= n; i++)
        for (int k = 0; k <= n; k++) {
            const struct judgement j = {.strong = {{i, 0, n - i}, {k, 0, n - k}}};
            intervals[i][k] = share(&j).interval;
        }
}

/* How often they hold the truth: all outcomes, each with its probability. */
static double coverage(int n, double red, double blue, double truth) {
    double others[A_SIDE_MAX + 1], sum = 0;
    for (int k = 0; k <= n; k++)
        others[k] = binomial(n, k, blue);
    for (int i = 0; i <= n; i++) {
        const double one = binomial(n, i, red);
        for (int k = 0; k <= n; k++)
            if (intervals[i][k].low - 1e-9 <= truth && truth <= intervals[i][k].high + 1e-9)
                sum += one * others[k];
    }
    return sum;
}

/* The coverage stated in the header. */
static void intervals_hold_the_truth(void **state) {
    (void)state;
    static const double scores[] = {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 1};
    static const int games[] = {10, 20, 40, 100, 200, 400};
    enum { SCORES = sizeof scores / sizeof scores[0] };
    int all = 0, low = 0;
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) {
        fill_intervals(games[g] / 2, judgement_strength);
        for (int i = 0; i < SCORES * SCORES; i++) {
            const double red = scores[i / SCORES], blue = scores[i % SCORES];
            const double share = coverage(games[g] / 2, red, blue, (red + blue) / 2);
            all++;
            low += share < 0.93;
            if (share < (red + blue > 1.94 ? 0.9 : 0.925))
                fail_msg("%d games, %.2f and %.2f: %.4f", games[g], red, blue, share);
        }
    }
    if (low > all / 50)
        fail_msg("%d of %d below 93 %%", low, all);
}

/* Of sides that are nearly certain of different things it is narrow, and holds the truth all the same. */
static void certain_sides_are_certain(void **state) {
    (void)state;
    static const double far[][2] = {{1, 0}, {0.99, 0.01}, {1, 0.05}, {0.95, 0.1}, {0.9, 0.3}};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        const double red = far[i][0], weak = far[i][1];
        fill_intervals(100, judgement_red);
        const double share = coverage(100, red, 1 - weak, (red + weak) / 2);
        if (share < 0.93)
            fail_msg("%.2f and %.2f: %.4f", red, weak, share);
    }
    struct judgement j = {0};
    add_games(&j, SAMPLE_STRONG_RED, 1, 99);
    add_games(&j, SAMPLE_STRONG_RED, 0, 1);
    add_games(&j, SAMPLE_STRONG_BLUE, 0, 99);
    add_games(&j, SAMPLE_STRONG_BLUE, 1, 1);
    const struct interval red = judgement_red(&j).interval;
    assert_near(red.low, 1 - red.high);
    assert_true(red.high - red.low < 0.04); /* of 200 games at 0.5 it would be 0.14 */
}

/* Draws make results vary less, so the interval is then wider than it would have to be, never narrower: the
 * width depends on the points alone. */
static void draws_do_not_narrow(void **state) {
    (void)state;
    struct judgement drawn = {0}, decided = {0};
    add_games(&drawn, SAMPLE_STRONG_RED, 0.5, 10);
    add_games(&decided, SAMPLE_STRONG_RED, 1, 5);
    add_games(&decided, SAMPLE_STRONG_RED, 0, 5);
    assert_near(judgement_strength(&drawn).interval.low, judgement_strength(&decided).interval.low);
}

/* ---- the rest ---- */

static void first_turns_are_counted(void **state) {
    (void)state;
    struct judgement j = {0};
    static const int kills[] = {0, 2, 2, 3, 99};
    for (size_t i = 0; i < sizeof kills / sizeof kills[0]; i++) {
        const struct sample_game trial = {
            .kind = SAMPLE_PEERS, .outcome.payoff = 1, .first_kills = {kills[i], 0}};
        judgement_add(&j, &trial);
    }
    assert_near(judgement_first_kills(&j, TBS_RED, 0), 1);
    assert_near(judgement_first_kills(&j, TBS_RED, 1), 0.8);
    assert_near(judgement_first_kills(&j, TBS_RED, 2), 0.8);
    assert_near(judgement_first_kills(&j, TBS_RED, 3), 0.4);
    assert_near(judgement_first_kills(&j, TBS_RED, JUDGEMENT_KILLS_MAX), 0.2);
    assert_near(judgement_first_kills(&j, TBS_RED, JUDGEMENT_KILLS_MAX + 1), 0);
    assert_near(judgement_first_kills_mean(&j, TBS_RED), (2 + 2 + 3 + JUDGEMENT_KILLS_MAX) / 5.0);
    assert_near(judgement_first_kills(&j, TBS_BLUE, 1), 0);
}

static void facts_are_counted(void **state) {
    (void)state;
    struct judgement j = {0};
    const struct sample_game trials[] = {
        {.kind = SAMPLE_PEERS,
         .outcome = {.payoff = 1, .result = "red annihilation"},
         .attacked = UINT64_C(1) << 63 | 5},
        {.kind = SAMPLE_STRONG_RED,
         .outcome = {.payoff = 0, .fault = PLAYER_FAULT_CRASH, .turns = 7, .result = "blue crash"},
         .attacked = 1},
        {.kind = SAMPLE_PEERS, .outcome = {.payoff = 0.5, .turns = 2, .actions = 11, .result = "draw limit"}},
    };
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++)
        judgement_add(&j, &trials[i]);
    assert_int_equal(j.actions, 11);
    assert_int_equal(j.annihilated, 1);
    assert_int_equal(j.forfeits, 1);
    assert_int_equal(j.attacked[0], 2);
    assert_int_equal(j.attacked[1], 0);
    assert_int_equal(j.attacked[2], 1);
    assert_int_equal(j.attacked[63], 1);
    assert_near(judgement_turns(&j), 3);
}

/* Any number that a trial can have, from its index. */
static struct sample_game any_trial(int i) {
    struct sample_game sample = {
        .kind = (enum sample_kind)(i % SAMPLE_KINDS),
        .outcome = {.payoff = i % 5 == 0 ? 0.5 : i % 2,
                    .actions = 3 * i,
                    .turns = i % 17,
                    .fault = i % 11 == 0 ? PLAYER_FAULT_HANG : PLAYER_FAULT_NONE},
        .first_kills = {i % 4, i % 20},
        .attacked = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)i,
    };
    strcpy(sample.outcome.result, i % 3 == 1 ? "blue annihilation" : "blue limit");
    return sample;
}

static void the_order_of_games_does_not_matter(void **state) {
    (void)state;
    struct judgement all = {0}, back = {0};
    for (int i = 0; i < 200; i++) {
        const struct sample_game trial = any_trial(i);
        judgement_add(&all, &trial);
    }
    for (int i = 199; i >= 0; i--) {
        const struct sample_game trial = any_trial(i);
        judgement_add(&back, &trial);
    }
    assert_memory_equal(&back, &all, sizeof all);
    assert_int_equal(judgement_games(&all), 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fitness_is_the_published_one),
        cmocka_unit_test(points_are_strong_s_from_both_sides),
        cmocka_unit_test(without_games_nothing_is_known),
        cmocka_unit_test(both_sides_weigh_the_same),
        cmocka_unit_test(one_side_alone_is_half_of_it),
        cmocka_unit_test(two_games_give_a_wide_interval),
        cmocka_unit_test(fairness_comes_from_peers_or_else_from_contests),
        cmocka_unit_test(fairness_is_symmetric),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(certain_sides_are_certain),
        cmocka_unit_test(draws_do_not_narrow),
        cmocka_unit_test(first_turns_are_counted),
        cmocka_unit_test(facts_are_counted),
        cmocka_unit_test(the_order_of_games_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
