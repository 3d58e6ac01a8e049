/* SPDX-License-Identifier: MIT
 *
 * Selection: the frequency of each choice, that the best always survives, and that none is chosen twice.
 * Bounds on frequencies are 4.5 standard errors: one run in some hundred thousand would miss them by chance,
 * and the seeds are fixed.
 */
#include "evolve/evolution.c" /* selection is internal */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { TRIES = 200000, N = 6 };

static const double weights[N] = {1, 216, 0, 27, 64, 1};

static void assert_share(int count, int tries, double expected, const char *what) {
    const double error = sqrt(expected * (1 - expected) / tries);
    const double share = (double)count / tries;
    if (fabs(share - expected) > 4.5 * error + 1e-12)
        fail_msg("%s: %.5f, expected %.5f", what, share, expected);
}

static double sum(const double *values, int n) {
    double total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total;
}

static void roulette_is_proportional(void **state) {
    (void)state;
    int counts[N] = {0};
    struct rng r;
    rng_seed(&r, 1);
    for (int i = 0; i < TRIES; i++)
        counts[selection_roulette(weights, N, &r)]++;
    for (int i = 0; i < N; i++)
        assert_share(counts[i], TRIES, weights[i] / sum(weights, N), "roulette");
    assert_int_equal(counts[2], 0);
}

static void roulette_without_weights_is_even(void **state) {
    (void)state;
    static const double nothing[4] = {0};
    int counts[4] = {0};
    struct rng r;
    rng_seed(&r, 2);
    for (int i = 0; i < TRIES; i++)
        counts[selection_roulette(nothing, 4, &r)]++;
    for (int i = 0; i < 4; i++)
        assert_share(counts[i], TRIES, 0.25, "even");
    assert_int_equal(selection_roulette(nothing, 1, &r), 0);
}

/* For any rule: the best first, then others, each once; all n are still in the list. */
static void assert_survivors(const double *fitness, int n, int keep, const int *chosen) {
    int seen[64] = {0}, best = 0;
    for (int i = 1; i < n; i++)
        best = fitness[i] > fitness[best] ? i : best;
    assert_int_equal(chosen[0], best);
    for (int i = 0; i < n; i++)
        assert_int_equal(seen[chosen[i]]++, 0);
    assert_true(keep <= n);
}

static void the_best_survives_and_no_map_twice(void **state) {
    (void)state;
    static const enum selection hows[] = {SELECTION_ROULETTE, SELECTION_TOURNAMENT, SELECTION_BEST,
                                          SELECTION_EVEN};
    struct rng r;
    rng_seed(&r, 3);
    for (int i = 0; i < 3000; i++) {
        double fitness[64];
        int chosen[64];
        const int n = 1 + (int)rng_below(&r, 64), keep = 1 + (int)rng_below(&r, (uint32_t)n);
        for (int k = 0; k < n; k++) /* few values: many ties, also for the best */
            fitness[k] = (double)rng_below(&r, 4) * (double)rng_below(&r, 3);
        const struct selection_rule rule = {hows[i % 4], 2 + i / 4 % 4};
        selection_survive(&rule, fitness, n, keep, &r, chosen);
        assert_survivors(fitness, n, keep, chosen);
    }
}

/* The second place: proportional among the remaining ones after the best was chosen. */
static void survivors_are_drawn_without_replacement(void **state) {
    (void)state;
    int second[N] = {0}, third[N] = {0};
    const struct selection_rule rule = {SELECTION_ROULETTE, 0};
    struct rng r;
    rng_seed(&r, 4);
    for (int i = 0; i < TRIES; i++) {
        int chosen[N];
        selection_survive(&rule, weights, N, 3, &r, chosen);
        second[chosen[1]]++;
        third[chosen[2]]++;
    }
    const double rest = sum(weights, N) - weights[1];
    for (int i = 0; i < N; i++) {
        const double expected = i == 1 ? 0 : weights[i] / rest;
        double later = 0; /* over all candidates for the second place */
        for (int k = 0; k < N; k++)
            if (k != 1 && k != i && i != 1)
                later += weights[k] / rest * weights[i] / (rest - weights[k]);
        assert_share(second[i], TRIES, expected, "second");
        assert_share(third[i], TRIES, later, "third");
    }
}

/* Without pressure: the best, and any others. */
static void the_others_are_even(void **state) {
    (void)state;
    int second[N] = {0};
    const struct selection_rule rule = {SELECTION_EVEN, 0};
    struct rng r;
    rng_seed(&r, 13);
    for (int i = 0; i < TRIES; i++) {
        int chosen[N];
        selection_survive(&rule, weights, N, 2, &r, chosen);
        assert_int_equal(chosen[0], 1);
        second[chosen[1]]++;
    }
    for (int i = 0; i < N; i++)
        assert_share(second[i], TRIES, i == 1 ? 0 : 1.0 / (N - 1), "even");
}

/* The best has one place; the others are drawn again and again, in proportion to their weights. */
static void copies_are_drawn_with_replacement(void **state) {
    (void)state;
    enum { KEEP = 11 };
    int sums[N] = {0};
    const struct selection_rule rule = {SELECTION_ROULETTE, 0};
    struct rng r;
    rng_seed(&r, 14);
    for (int i = 0; i < TRIES / 10; i++) {
        int chosen[N], times[N], places = 0;
        const int different = selection_copy(&rule, weights, N, KEEP, &r, chosen, times);
        assert_int_equal(chosen[0], 1);
        assert_int_equal(times[1], 1);
        for (int k = 0; k < different; k++) {
            assert_true(times[chosen[k]] > 0);
            places += times[chosen[k]];
        }
        assert_int_equal(places, KEEP); /* so each of the different ones is listed once */
        for (int k = 0; k < N; k++)
            sums[k] += times[k];
    }
    const double rest = sum(weights, N) - weights[1];
    for (int i = 0; i < N; i++)
        if (i != 1)
            assert_share(sums[i], TRIES / 10 * (KEEP - 1), weights[i] / rest, "copies");
}

/* Zeroes are drawn last, evenly. */
static void when_all_weight_is_gone_the_others_follow(void **state) {
    (void)state;
    static const double fitness[4] = {0, 5, 0, 0};
    int counts[4] = {0}, chosen[4];
    const struct selection_rule rule = {SELECTION_ROULETTE, 0};
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < TRIES; i++) {
        selection_survive(&rule, fitness, 4, 2, &r, chosen);
        assert_int_equal(chosen[0], 1);
        counts[chosen[1]]++;
    }
    assert_int_equal(counts[1], 0);
    for (int i = 0; i < 4; i++)
        assert_share(counts[i], TRIES, i == 1 ? 0 : 1.0 / 3, "the others");
}

static void the_best_ones_in_order(void **state) {
    (void)state;
    static const double fitness[N] = {3, 9, 9, 1, 4, 9};
    static const int expected[N] = {1, 2, 5, 4, 0, 3};
    int chosen[N];
    struct rng r;
    rng_seed(&r, 6);
    const struct rng before = r;
    selection_survive(&(struct selection_rule){SELECTION_BEST, 0}, fitness, N, N, &r, chosen);
    assert_memory_equal(chosen, expected, sizeof expected);
    assert_memory_equal(&r, &before, sizeof r); /* nothing is left to chance */
}

/* Of k draws with replacement the best is at most the m-th worst with probability (m/n)^k. */
static void tournaments_prefer_the_better(void **state) {
    (void)state;
    static const double fitness[5] = {10, 20, 30, 40, 50};
    int counts[5] = {0};
    const struct selection_rule rule = {SELECTION_TOURNAMENT, 3};
    struct rng r;
    rng_seed(&r, 7);
    for (int i = 0; i < TRIES; i++) {
        int parents[2];
        selection_pair(&rule, fitness, 5, &r, parents);
        counts[parents[0]]++;
    }
    for (int i = 0; i < 5; i++)
        assert_share(counts[i], TRIES, (pow(i + 1, 3) - pow(i, 3)) / 125, "tournament");
}

static void pairs_are_two_different_ones(void **state) {
    (void)state;
    static const enum selection hows[] = {SELECTION_ROULETTE, SELECTION_TOURNAMENT, SELECTION_BEST};
    static const double lonely[3] = {0, 7, 0};
    struct rng r;
    rng_seed(&r, 8);
    for (int i = 0; i < 30000; i++) {
        const struct selection_rule rule = {hows[i % 3], 3};
        int parents[2];
        selection_pair(&rule, i % 2 == 0 ? weights : lonely, i % 2 == 0 ? N : 3, &r, parents);
        assert_int_not_equal(parents[0], parents[1]);
        selection_pair(&rule, lonely, 2, &r, parents);
        assert_int_equal(parents[0] + parents[1], 1);
    }
}

static void parents_are_proportional(void **state) {
    (void)state;
    int first[N] = {0}, second[N] = {0};
    const struct selection_rule rule = {SELECTION_ROULETTE, 0};
    const double total = sum(weights, N);
    struct rng r;
    rng_seed(&r, 9);
    for (int i = 0; i < TRIES; i++) {
        int parents[2];
        selection_pair(&rule, weights, N, &r, parents);
        first[parents[0]]++;
        second[parents[1]]++;
    }
    for (int i = 0; i < N; i++) {
        double expected = 0;
        for (int k = 0; k < N; k++)
            if (k != i)
                expected += weights[k] / total * weights[i] / (total - weights[k]);
        assert_share(first[i], TRIES, weights[i] / total, "first");
        assert_share(second[i], TRIES, expected, "second");
    }
}

/* Survivors are the best already: parents are drawn evenly among them. */
static void the_best_are_all_parents(void **state) {
    (void)state;
    int counts[N] = {0};
    const struct selection_rule rule = {SELECTION_BEST, 0};
    struct rng r;
    rng_seed(&r, 10);
    for (int i = 0; i < TRIES; i++) {
        int parents[2];
        selection_pair(&rule, weights, N, &r, parents);
        counts[parents[1]]++;
    }
    for (int i = 0; i < N; i++)
        assert_share(counts[i], TRIES, 1.0 / N, "even");
}

/* The choice for each seed is the same with every compiler on every machine. */
static void same_seed_same_choice(void **state) {
    (void)state;
    static const double fitness[][N] = {{1, 216, 0, 27, 64, 1},
                                        {8, 8, 8, 8, 8, 8},
                                        {0, 0, 0, 0, 0, 0},
                                        {0, 0, 1, 0, 0, 2},
                                        {125, 1, 1, 216, 216, 8}};
    uint64_t hash = 0;
    struct rng r;
    rng_seed(&r, 12);
    for (int i = 0; i < 300; i++) {
        const struct selection_rule rule = {(enum selection)(i % 3), 2 + i % 4};
        const double *all = fitness[i / 3 % 5];
        int chosen[N], pair[2];
        selection_survive(&rule, all, N, 1 + i % N, &r, chosen);
        selection_pair(&rule, all, 2 + i % (N - 1), &r, pair);
        for (int k = 0; k < N; k++)
            hash = rng_mix(hash ^ (uint64_t)chosen[k]);
        hash = rng_mix(hash ^ (uint64_t)(10 * pair[0] + pair[1]));
        hash = rng_mix(hash ^ (uint64_t)selection_roulette(all, N, &r));
    }
    if (hash != UINT64_C(0xba6223f3ff325145))
        fail_msg("the number is 0x%016llx", (unsigned long long)hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roulette_is_proportional),
        cmocka_unit_test(roulette_without_weights_is_even),
        cmocka_unit_test(the_best_survives_and_no_map_twice),
        cmocka_unit_test(survivors_are_drawn_without_replacement),
        cmocka_unit_test(the_others_are_even),
        cmocka_unit_test(copies_are_drawn_with_replacement),
        cmocka_unit_test(when_all_weight_is_gone_the_others_follow),
        cmocka_unit_test(the_best_ones_in_order),
        cmocka_unit_test(tournaments_prefer_the_better),
        cmocka_unit_test(pairs_are_two_different_ones),
        cmocka_unit_test(parents_are_proportional),
        cmocka_unit_test(the_best_are_all_parents),
        cmocka_unit_test(same_seed_same_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
