/* SPDX-License-Identifier: MIT
 *
 * Ratings: examples solved by hand or published, closed forms, results that must be finite, and simulated
 * tournaments with known true strengths.
 */
#include "match/statistics.h"
#include "tests/memory_support.h"
#include "tests/sample.h"
#include "tests/stats_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES_MAX = 400000, PLAYERS_MAX = RATING_PLAYERS_MAX, MAPS_MAX = RATING_MAPS_MAX };

/* A tournament under construction, and its result. */
static struct rating_game games[GAMES_MAX];
static int count;
static struct rating ratings[PLAYERS_MAX];
static struct rating_side sides[MAPS_MAX];
static double superiority[PLAYERS_MAX * PLAYERS_MAX];

static void add(int red, int blue, int map, int pair, double payoff) {
    assert_in_range(count, 0, GAMES_MAX - 1);
    games[count++] = (struct rating_game){{red, blue}, map, pair, payoff};
}

/* `won` games won by a and `lost` by b, each of them once from every side. */
static void add_results(int a, int b, int won, int lost) {
    for (int i = 0; i < won; i++)
        add(i % 2 ? b : a, i % 2 ? a : b, 0, -1, i % 2 ? 0 : 1);
    for (int i = 0; i < lost; i++)
        add(i % 2 ? b : a, i % 2 ? a : b, 0, -1, i % 2 ? 1 : 0);
}

static struct rating_fit compute(int players, int maps) {
    struct rating_fit fit = {players, maps, ratings, sides, superiority, false};
    rating_compute(games, count, &fit);
    double sum = 0;
    for (int i = 0; i < players; i++) {
        sum += ratings[i].elo;
        assert_true(isfinite(ratings[i].elo) && isfinite(ratings[i].error) && ratings[i].error >= 0);
        for (int j = 0; j < players; j++) {
            const double p = superiority[i * players + j];
            assert_true(p > 0 && p < 1 && fabs(p + superiority[j * players + i] - 1) < 1e-9);
        }
    }
    for (int i = 0; i < maps; i++)
        assert_true(isfinite(sides[i].elo) && isfinite(sides[i].error) && sides[i].error > 0);
    assert_true(fabs(sum) < 1e-6);
    return fit;
}

static bool is_near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}

/* ---- known answers ---- */

static void two_players_have_the_closed_form(void **state) {
    (void)state;
    static const int results[][2] = {{6000, 4000}, {5000, 5000}, {9000, 1000}, {19800, 200}};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        count = 0;
        add_results(0, 1, results[i][0], results[i][1]);
        compute(2, 1);
        const double n = results[i][0] + results[i][1], score = results[i][0] / n;
        const double elo = -400 * log10(1 / score - 1);
        assert_true(is_near(ratings[0].elo - ratings[1].elo, elo, 0.002 * fabs(elo) + 1e-6));
        /* Fisher's information of the difference is n p (1 - p); a rating is half of it from the mean. */
        const double error = STATS_Z95 * ELO_PER_LOGIT / sqrt(n * score * (1 - score)) / 2;
        assert_true(is_near(ratings[0].error / error, 1.05, 0.01));
        assert_true(is_near(sides[0].elo, 0, 0.5));
    }
}

/* Strengths of 4, 2 and 1 win 2 : 1, 2 : 1 and 4 : 1, so these results fit them exactly. */
static void three_players_by_hand(void **state) {
    (void)state;
    count = 0;
    add_results(0, 1, 4000, 2000);
    add_results(1, 2, 4000, 2000);
    add_results(0, 2, 4800, 1200);
    assert_true(compute(3, 1).connected);
    const double step = 400 * log10(2);
    assert_true(is_near(ratings[0].elo, step, 0.2));
    assert_true(is_near(ratings[1].elo, 0, 0.2));
    assert_true(is_near(ratings[2].elo, -step, 0.2));
}

/* American League East 1987 (Agresti, Categorical Data Analysis, section 10.6): wins of row over column, and
 * the published strengths in log odds, the last team's being 0. */
static void baseball(void **state) {
    (void)state;
    static const int wins[7][7] = {
        {0, 7, 9, 7, 7, 9, 11}, {6, 0, 7, 5, 11, 9, 9}, {4, 6, 0, 7, 7, 8, 12}, {6, 8, 6, 0, 6, 7, 10},
        {6, 2, 6, 7, 0, 7, 12}, {4, 4, 5, 6, 6, 0, 6},  {2, 4, 1, 3, 1, 7, 0},
    };
    static const double published[7] = {1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0};
    count = 0;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < i; j++)
            add_results(i, j, wins[i][j], wins[j][i]);
    compute(7, 1);
    for (int i = 0; i < 7; i++)
        assert_true(is_near((ratings[i].elo - ratings[6].elo) / ELO_PER_LOGIT, published[i], 0.03));
}

/* Draws are half points: the same estimates, and smaller errors. */
static void draws_are_half_points(void **state) {
    (void)state;
    count = 0;
    for (int i = 0; i < 1000; i++)
        add(i % 2, 1 - i % 2, 0, -1, i < 400 ? (i % 2 ? 0 : 1) : 0.5);
    compute(2, 1);
    const double elo = ratings[0].elo, error = ratings[0].error;
    assert_true(is_near(2 * elo, -400 * log10(1 / 0.7 - 1), 0.5));
    count = 0;
    add_results(0, 1, 700, 300);
    compute(2, 1);
    assert_true(is_near(elo, ratings[0].elo, 0.3));
    assert_true(error < 0.75 * ratings[0].error);
}

/* Player 0 is always red against 1, player 2 plays all others from both sides. Without sides in the model the
 * map's 200 Elo would go to player 0. */
static void sides_are_separated_from_strengths(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 11);
    count = 0;
    for (int i = 0; i < 40000; i++) {
        add(0, 1, 0, -1, support_play(&r, 200, 0.1));
        const int red = i % 2 ? 2 : i / 2 % 2, blue = i % 2 ? i / 2 % 2 : 2;
        add(red, blue, 0, -1, support_play(&r, 200, 0.1));
    }
    compute(3, 1);
    assert_true(is_near(sides[0].elo, 200, 1.5 * sides[0].error) && sides[0].error < 5);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(ratings[i].elo) <= 1.5 * ratings[i].error && ratings[i].error < 5);
}

/* When the second game of a pair only repeats the first, two games count as one. */
static void errors_use_whole_pairs(void **state) {
    (void)state;
    double errors[2];
    for (int paired = 0; paired < 2; paired++) {
        struct rng r;
        rng_seed(&r, 3);
        count = 0;
        for (int pair = 0; pair < 2000; pair++) {
            const double payoff = support_play(&r, 50, 0);
            add(0, 1, 0, paired ? pair : -1, payoff);
            add(1, 0, 0, paired ? pair : -1, 1 - payoff); /* the same player wins from both sides */
        }
        compute(2, 1);
        errors[paired] = ratings[0].error;
    }
    assert_true(is_near(errors[1] / errors[0], sqrt(2), 0.05));
}

/* ---- whatever the games ---- */

static void nothing_is_infinite(void **state) {
    (void)state;
    count = 0;
    compute(1, 1); /* one player, no games */
    assert_true(is_near(ratings[0].elo, 0, 1e-9));
    assert_false(compute(2, 1).connected);
    assert_true(is_near(ratings[0].elo, 0, 1e-9) && ratings[0].error > 300 && ratings[0].error < 2000);
    assert_true(is_near(superiority[1], 0.5, 1e-9));
    for (int i = 0; i < 6; i++)
        add(i % 2, 1 - i % 2, 0, i / 2, i % 2 ? 0 : 1);
    assert_true(compute(2, 1).connected); /* 6 : 0 */
    assert_true(ratings[0].elo > 200 && ratings[0].elo < 500);
    assert_true(ratings[0].error > 200 && ratings[0].error < 1000);
    assert_true(superiority[1] > 0.9 && superiority[1] < 0.995);
    for (int i = 0; i < 6; i++)
        add(2 + i % 2, 3 - i % 2, 0, 3 + i / 2, 0.5);
    assert_false(compute(4, 1).connected); /* two groups that never met */
    assert_true(is_near(ratings[2].elo, ratings[3].elo, 1e-6));
    assert_false(compute(5, 3).connected); /* a player without games, maps without games */
    add(0, 0, 0, -1, 1);                   /* against itself */
    compute(5, 3);
    struct rating_fit empty = {0};
    rating_compute(NULL, 0, &empty);
}

static void long_clean_scores(void **state) {
    (void)state;
    count = 0;
    for (int i = 0; i < 100000; i++)
        add(i % 2, 1 - i % 2, 0, i / 2, i % 2 ? 0 : 1); /* 100000 : 0 */
    compute(2, 1);
    assert_true(ratings[0].elo > 600 && ratings[0].elo < 2000 && ratings[0].error < 1000);
    count = 0;
    for (int i = 0; i < 1000; i++)
        add(i % 2, 1 - i % 2, 0, i / 2, 1); /* red always wins */
    compute(2, 1);
    assert_true(is_near(ratings[0].elo, 0, 1e-6) && sides[0].elo > 500);
    count = 0;
    for (int i = 0; i < 1000; i++)
        add(i % 2, 1 - i % 2, 0, i / 2, 0.5);
    compute(2, 1);
    assert_true(is_near(ratings[0].elo, 0, 1e-6) && ratings[0].error > 0);
}

static void names_and_views_do_not_matter(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 8);
    count = 0;
    for (int pair = 0; pair < 300; pair++) {
        const int a = (int)rng_below(&r, 5), b = (a + 1 + (int)rng_below(&r, 4)) % 5, map = pair % 3;
        add(a, b, map, pair, support_play(&r, 40 * (a - b) + 90 * map, 0.2));
        add(b, a, map, pair, support_play(&r, 40 * (b - a) + 90 * map, 0.2));
    }
    compute(5, 3);
    struct rating before[5];
    struct rating_side sides_before[3];
    memcpy(before, ratings, sizeof before);
    memcpy(sides_before, sides, sizeof sides_before);
    for (int i = 0; i < count; i++) { /* others' names, and in another order */
        games[i].players[0] = (games[i].players[0] + 2) % 5;
        games[i].players[1] = (games[i].players[1] + 2) % 5;
    }
    for (int i = 0; i < count / 2; i++) {
        const struct rating_game g = games[i];
        games[i] = games[count - 1 - i];
        games[count - 1 - i] = g;
    }
    compute(5, 3);
    for (int i = 0; i < 5; i++) {
        assert_true(is_near(before[i].elo, ratings[(i + 2) % 5].elo, 1e-4));
        assert_true(is_near(before[i].error, ratings[(i + 2) % 5].error, 1e-4));
    }
    for (int i = 0; i < count; i++) /* seen from the other side of the board */
        games[i] = (struct rating_game){
            {games[i].players[1], games[i].players[0]}, games[i].map, games[i].pair, 1 - games[i].payoff};
    compute(5, 3);
    for (int i = 0; i < 5; i++)
        assert_true(is_near(before[i].elo, ratings[(i + 2) % 5].elo, 1e-4));
    for (int i = 0; i < 3; i++)
        assert_true(is_near(sides_before[i].elo, -sides[i].elo, 1e-4));
}

static void one_game_with_a_graded_payoff(void **state) {
    (void)state;
    count = 0;
    add(0, 1, 0, -1, 0.75);
    compute(3, 1);
    assert_true(ratings[0].elo > 1 && ratings[1].elo < -1);
    assert_true(is_near(ratings[2].elo, 0, 1)); /* has no games */
}

static void compute_two(void *unused) {
    (void)unused;
    compute(2, 1);
}

/* Every allocation may fail; nothing is left behind. */
static void memory_may_run_out(void **state) {
    (void)state;
    count = 0;
    add_results(0, 1, 3, 2);
    long n = 1;
    while (memory_runs_out(n, compute_two, NULL))
        n++;
    assert_true(n > 2);
}

/* ---- simulated tournaments ---- */

struct tournament {
    int players, maps, rounds;     /* a round: every player meets every other in one mirrored pair */
    double spread;                 /* of the strengths */
    double side_mean, side_spread; /* of the maps */
    double draws;
    int runs;
};

struct outcome {
    int held, all;
    double width, square; /* sums: of the errors, of the true deviations' squares */
};

static void run(const struct tournament *t, struct rng *r, struct outcome *out) {
    double strengths[PLAYERS_MAX], worth[MAPS_MAX], mean = 0;
    for (int i = 0; i < t->players; i++) {
        strengths[i] = t->spread * support_normal(r);
        mean += strengths[i] / t->players;
    }
    for (int i = 0; i < t->maps; i++)
        worth[i] = t->side_mean + t->side_spread * support_normal(r);
    count = 0;
    for (int round = 0, pair = 0; round < t->rounds; round++)
        for (int a = 0; a < t->players; a++)
            for (int b = 0; b < a; b++, pair++) {
                const int map = pair % t->maps;
                const double d = strengths[a] - strengths[b];
                add(a, b, map, pair, support_play(r, worth[map] + d, t->draws));
                add(b, a, map, pair, support_play(r, worth[map] - d, t->draws));
            }
    compute(t->players, t->maps);
    for (int i = 0; i < t->players; i++) {
        const double off = ratings[i].elo - (strengths[i] - mean);
        out->held += fabs(off) <= ratings[i].error;
        out->all++;
        out->width += ratings[i].error;
        out->square += off * off;
    }
}

/* In at least 95% of all cases the true strength, relative to the mean, lies within the stated error; and the
 * error is not made so by being large: on average at most 1.35 times what the estimates truly scatter. */
static void errors_hold_the_truth(void **state) {
    (void)state;
    static const struct tournament cases[] = {
        {4, 2, 2, 150, 0, 0, 0, 400},        {4, 2, 3, 150, 0, 100, 0.3, 400},
        {6, 3, 2, 150, 100, 100, 0, 400},    {6, 3, 4, 100, 200, 0, 0.2, 400},
        {8, 4, 3, 200, 0, 150, 0.4, 300},    {5, 2, 30, 100, 200, 0, 0, 400},
        {6, 3, 40, 100, 100, 100, 0.3, 200}, {2, 1, 50, 100, 200, 0, 0, 400},
        {3, 2, 300, 80, 100, 100, 0.6, 150}, {12, 40, 2, 150, 0, 200, 0.1, 60},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct tournament *t = &cases[i];
        struct outcome o = {0};
        struct rng r;
        rng_seed(&r, 1000 + i);
        for (int k = 0; k < SAMPLE(t->runs, t->runs / 10); k++)
            run(t, &r, &o);
        if (IS_SANITIZED)
            continue; /* too few for any percentage */
        const double held = (double)o.held / o.all;
        const double ratio = o.width / o.all / (STATS_Z95 * sqrt(o.square / o.all));
        print_message(
            "%2d players, %2d maps, %3d rounds, sides %3g ± %3g, draws %.1f: %.1f%% hold the truth, "
            "±%.0f Elo, %.2f times the scatter\n",
            t->players, t->maps, t->rounds, t->side_mean, t->side_spread, t->draws, 100 * held,
            o.width / o.all, ratio);
        assert_true(held >= 0.95);
        assert_true(held < 0.995 || ratio < 1.35);
        assert_true(ratio < 1.35);
    }
}

/* One pair a map: the value of a side cannot be estimated, with any number of maps. */
static void many_maps_with_a_pair_each(void **state) {
    (void)state;
    static const double spreads[] = {0, 100};
    for (size_t i = 0; i < sizeof spreads / sizeof spreads[0]; i++) {
        struct rng r;
        rng_seed(&r, 20 + i);
        double sum = 0;
        for (int k = 0; k < 10; k++) {
            count = 0;
            for (int map = 0; map < MAPS_MAX; map++) {
                const double worth = spreads[i] * support_normal(&r);
                add(0, 1, map, map, support_play(&r, worth + 100, 0.1));
                add(1, 0, map, map, support_play(&r, worth - 100, 0.1));
            }
            compute(2, MAPS_MAX);
            sum += (ratings[0].elo - ratings[1].elo) / 10;
        }
        print_message("sides 0 ± %g: 100 Elo look like %.1f\n", spreads[i], sum);
        assert_true(is_near(sum, 100, 7));
    }
}

/* The largest there may be. */
static void large_tournaments(void **state) {
    (void)state;
    const struct tournament large = {RATING_PLAYERS_MAX, RATING_MAPS_MAX, 3, 200, 50, 100, 0.2, 1};
    struct outcome o = {0};
    struct rng r;
    rng_seed(&r, 4);
    run(&large, &r, &o);
    assert_true(o.held >= 0.93 * o.all);
    assert_true(o.width / o.all < 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_players_have_the_closed_form),
        cmocka_unit_test(three_players_by_hand),
        cmocka_unit_test(baseball),
        cmocka_unit_test(draws_are_half_points),
        cmocka_unit_test(sides_are_separated_from_strengths),
        cmocka_unit_test(errors_use_whole_pairs),
        cmocka_unit_test(nothing_is_infinite),
        cmocka_unit_test(long_clean_scores),
        cmocka_unit_test(names_and_views_do_not_matter),
        cmocka_unit_test(one_game_with_a_graded_payoff),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(errors_hold_the_truth),
        cmocka_unit_test(many_maps_with_a_pair_each),
        cmocka_unit_test(large_tournaments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
