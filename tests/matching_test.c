/* SPDX-License-Identifier: MIT
 *
 * Cheapest matchings against an exhaustive search over subsets where that is possible, and against local
 * improvements where it is not.
 */
#include "sample.h"
#include "tournament/swiss.c" /* the matching is internal */

#include "base/numbers.h"
#include "memory_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { SMALL_MAX = 14, BIG = TOURNAMENT_PLAYERS_MAX };

static struct matching_cost costs[BIG * BIG];
static int mate[BIG];

static struct matching_cost sum(struct matching_cost a, const struct matching_cost *b) {
    for (int i = 0; i < LEVELS; i++)
        a.level[i] += b->level[i];
    return a;
}

/* Many equal costs make ties and nested blossoms, many levels lexicographic order. */
static void draw_costs(struct rng *r, int count, int levels, int range) {
    memset(costs, 0, sizeof costs);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            for (int i = 0; i < levels; i++)
                costs[a * count + b].level[i] = (int)rng_below(r, (uint32_t)range) - range / 3;
            costs[b * count + a] = costs[a * count + b];
        }
}

static struct matching_cost check_matching(int count) {
    struct matching_cost total = {{0}};
    for (int a = 0; a < count; a++) {
        assert_in_range(mate[a], 0, count - 1);
        assert_int_not_equal(mate[a], a);
        assert_int_equal(mate[mate[a]], a);
        if (mate[a] > a)
            total = sum(total, &costs[a * count + mate[a]]);
    }
    return total;
}

/* The least cost of every subset: its lowest member has to be joined with one of the others. */
static struct matching_cost least_cost(int count) {
    static struct matching_cost least[1 << SMALL_MAX];
    memset(&least[0], 0, sizeof least[0]);
    for (int set = 1; set < 1 << count; set++) {
        const int a = __builtin_ctz((unsigned)set);
        bool any = false;
        for (int b = a + 1; __builtin_popcount((unsigned)set) % 2 == 0 && b < count; b++) {
            if ((set >> b & 1) == 0)
                continue;
            const struct matching_cost c = sum(least[set ^ 1 << a ^ 1 << b], &costs[a * count + b]);
            if (!any || compare(&c, &least[set]) < 0)
                least[set] = c;
            any = true;
        }
    }
    return least[(1 << count) - 1];
}

static void is_cheapest_of_all(void **state) {
    (void)state;
    static const int ranges[] = {2, 3, 7, 50, 100000};
    struct rng r;
    rng_seed(&r, 2001);
    for (int i = 0; i < SAMPLE(6000, 1000); i++) {
        const int count = 2 + 2 * (int)rng_below(&r, i % 100 == 0 ? SMALL_MAX / 2 : 5);
        draw_costs(&r, count, 1 + (int)rng_below(&r, LEVELS), ranges[i % 5]);
        match_cheapest(costs, count, mate);
        const struct matching_cost found = check_matching(count), least = least_cost(count);
        assert_int_equal(compare(&found, &least), 0);
    }
}

/* Points on a line that are cheap within an odd cluster and dear between clusters: blossoms within blossoms.
 */
static void odd_clusters(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 77);
    for (int i = 0; i < 400; i++) {
        const int count = 12;
        memset(costs, 0, sizeof costs);
        int cluster[12], fine[12];
        for (int a = 0; a < count; a++) {
            cluster[a] = (int)rng_below(&r, 4);
            fine[a] = (int)rng_below(&r, 2);
        }
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++) {
                costs[a * count + b].level[0] = cluster[a] != cluster[b];
                costs[a * count + b].level[1] = 1 - (fine[a] ^ fine[b]) + (a + b) % 3;
            }
        match_cheapest(costs, count, mate);
        const struct matching_cost found = check_matching(count), least = least_cost(count);
        assert_int_equal(compare(&found, &least), 0);
    }
}

/* Exchanging the partners of two pairs never makes it cheaper. */
static void check_exchanges(int count) {
    for (int a = 0; a < count; a++)
        for (int c = 0; c < count; c++) {
            const int b = mate[a], d = mate[c];
            if (c == a || c == b)
                continue;
            const struct matching_cost now = sum(costs[a * count + b], &costs[c * count + d]);
            const struct matching_cost then = sum(costs[a * count + c], &costs[b * count + d]);
            assert_true(compare(&now, &then) <= 0);
        }
}

static void large_ones_cannot_be_improved(void **state) {
    (void)state;
    static const int counts[] = {60, 100, BIG};
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < SAMPLE(6, 3); i++) {
        const int count = counts[i % 3];
        draw_costs(&r, count, 3, i < 3 ? 4 : 1000);
        match_cheapest(costs, count, mate);
        check_matching(count);
        check_exchanges(count);
    }
}

/* With costs (x - y)^2 neighbours are the best partners: the answer is known for any size. */
static void neighbours_on_a_line(void **state) {
    (void)state;
    for (int count = 2; count <= BIG; count += 2 + count / 3 * 2) {
        memset(costs, 0, sizeof costs);
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++)
                costs[a * count + b].level[3] = (int64_t)(a - b) * (a - b);
        match_cheapest(costs, count, mate);
        for (int a = 0; a < count; a++)
            assert_int_equal(mate[a], a ^ 1);
    }
}

static void largest_costs_do_not_overflow(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 9);
    for (int i = 0; i < 50; i++) {
        const int count = 10;
        draw_costs(&r, count, LEVELS, 5);
        for (int k = 0; k < count * count; k++)
            for (int level = 0; level < LEVELS; level++)
                costs[k].level[level] = costs[k].level[level] > 0 ? COST_MAX : -COST_MAX;
        match_cheapest(costs, count, mate);
        const struct matching_cost found = check_matching(count), least = least_cost(count);
        assert_int_equal(compare(&found, &least), 0);
    }
}

static void same_costs_same_matching(void **state) {
    (void)state;
    struct rng r;
    int before[40];
    rng_seed(&r, 10);
    draw_costs(&r, 40, 2, 3);
    match_cheapest(costs, 40, mate);
    memcpy(before, mate, sizeof before);
    memset(mate, 0x55, sizeof mate);
    match_cheapest(costs, 40, mate);
    assert_memory_equal(before, mate, sizeof before);
}

static void match_two(void *context) {
    (void)context;
    match_cheapest(costs, 2, mate);
}

static void no_players_and_no_memory(void **state) {
    (void)state;
    memset(costs, 0, sizeof costs);
    match_cheapest(costs, 0, mate);
    for (long n = 1; n <= 4; n++)
        assert_true(memory_runs_out(n, match_two, NULL));
    assert_false(memory_runs_out(5, match_two, NULL));
    assert_int_equal(mate[0], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_cheapest_of_all),
        cmocka_unit_test(odd_clusters),
        cmocka_unit_test(large_ones_cannot_be_improved),
        cmocka_unit_test(neighbours_on_a_line),
        cmocka_unit_test(largest_costs_do_not_overflow),
        cmocka_unit_test(same_costs_same_matching),
        cmocka_unit_test(no_players_and_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
