/* SPDX-License-Identifier: MIT
 *
 * Progressive widening: the paper's formula, worked out a second time by powers in place of logarithms, and
 * the table the search uses in its place.
 */
#include "search/tree.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { SIMULATIONS = 20000 };

static int paper_count(int n) {
    return widening_count(widening_paper, WIDENING_PAPER_SWITCH, n);
}

/* floor(log_base(x)) for x > 0, by multiplying: no power of the paper's bases hits a ratio of whole numbers
 * but the zeroth and first, which long doubles have exactly. */
static int floor_log(long double base, long double x) {
    int k = 0;
    long double power = 1;
    for (; power > x; k--)
        power /= base;
    for (; power * base <= x; k++)
        power *= base;
    return k;
}

static int plain_count(int n) {
    const int count =
        n <= 3000 ? floor_log(1.4L, n / 40.0L) + 2 : floor_log(1.2L, (n + 2000.0L) / 45.0L) - 11;
    return count < 1 ? 1 : count;
}

/* The table's values: one child, and one more for each step that was reached. */
static int tabulated_count(const struct widening *w, int n) {
    int count = 1;
    while (count <= w->steps && n >= w->needs[count - 1])
        count++;
    return count;
}

static void formula_has_the_papers_values(void **state) {
    (void)state;
    static const struct {
        int n, count;
    } cases[] = {
        {1, 1},     {28, 1},    {29, 1},    {39, 1},    {40, 2},     {55, 2},
        {56, 3},    {78, 3},    {79, 4},    {2999, 14}, {3000, 14},  {3001, 14},
        {3151, 14}, {3152, 15}, {6000, 17}, {8000, 18}, {20000, 22}, {1000000, 43},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(paper_count(cases[i].n), cases[i].count);
}

static void formula_is_the_papers(void **state) {
    (void)state;
    for (int n = 1; n <= SIMULATIONS; n++)
        assert_int_equal(paper_count(n), plain_count(n));
    for (int n = SIMULATIONS; n < INT_MAX / 3 * 2; n += n / 3 + 1)
        assert_int_equal(paper_count(n), plain_count(n));
}

/* The switch itself still belongs to the first branch. */
static void the_second_branch_begins_beyond_the_switch(void **state) {
    (void)state;
    static const struct widening_branch apart[2] = {{2, 0, 1, 1}, {2, 0, 1, 5}};
    assert_int_equal(widening_count(apart, 64, 64), 7);
    assert_int_equal(widening_count(apart, 64, 65), 11);
}

/* The scan does not show clearly that the numbers are bases; both branches give 14 where they meet only if
 * they are. */
static void branches_meet(void **state) {
    (void)state;
    assert_int_equal(widening_count(widening_paper, INT_MAX, 3000), 14);
    assert_int_equal(widening_count(widening_paper, 0, 3000), 14);
}

static void at_least_one_and_never_fewer(void **state) {
    (void)state;
    assert_int_equal(paper_count(0), 1);
    for (int n = 1; n <= SIMULATIONS; n++) {
        assert_true(paper_count(n) >= 1);
        assert_true(paper_count(n) >= paper_count(n - 1));
        assert_true(paper_count(n) <= paper_count(n - 1) + 1);
    }
}

static void table_is_the_formula(void **state) {
    (void)state;
    struct widening w;
    widening_init(&w, widening_paper, WIDENING_PAPER_SWITCH);
    for (int n = 1; n <= SIMULATIONS; n++)
        assert_int_equal(tabulated_count(&w, n), paper_count(n));
    static const int large[] = {99999,      100000,     1000000,        12345678,
                                1000000000, 2000000000, INT_MAX - 2001, INT_MAX - 1};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        assert_int_equal(tabulated_count(&w, large[i]), paper_count(large[i]));
    assert_int_equal(w.steps, paper_count(INT_MAX - 1) - 1);
    for (int i = 0; i < w.steps; i++) { /* each step at the first number that allows it */
        assert_true(paper_count(w.needs[i]) >= i + 2);
        assert_true(paper_count(w.needs[i] - 1) < i + 2);
    }
}

/* A player's options may have any values; the table then equals the formula as long as it has steps. */
static void other_numbers(void **state) {
    (void)state;
    static const struct {
        struct widening_branch branches[2];
        int switch_at;
    } cases[] = {
        {{{2, 0, 1, 1}, {2, 0, 1, 1}}, 0},
        {{{1.1, 0, 10, 0}, {1.1, 0, 10, 0}}, 500},
        {{{1.4, 0, 5, 2}, {1.2, 100, 5, -10}}, 100},
        {{{100, 0, 1e9, -1000}, {100, 0, 1e9, -1000}}, 3000}, /* never more than one */
        {{{1.5, 0, 40, 2}, {1.5, 0, 40, 6}}, 1000},           /* several open at once */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct widening w;
        widening_init(&w, cases[i].branches, cases[i].switch_at);
        assert_true(w.steps < WIDENING_STEPS);
        for (int n = 1; n <= SIMULATIONS; n++)
            assert_int_equal(tabulated_count(&w, n),
                             widening_count(cases[i].branches, cases[i].switch_at, n));
    }
}

/* The table is limited, and its steps ascend even where the second branch begins below the first. */
static void the_table_has_an_end(void **state) {
    (void)state;
    static const struct widening_branch fast[2] = {{1.001, 0, 1, 1}, {1.001, 0, 1, 1}},
                                        falling[2] = {{1.4, 0, 1, 2}, {1.4, 0, 1, -5}};
    struct widening w;
    widening_init(&w, fast, 3000);
    assert_int_equal(w.steps, WIDENING_STEPS);
    assert_int_equal(w.needs[0], 2);
    widening_init(&w, falling, 100);
    assert_true(w.steps > 10);
    for (int i = 1; i < w.steps; i++)
        assert_true(w.needs[i] >= w.needs[i - 1]);
    assert_int_equal(tabulated_count(&w, 1000000), widening_count(falling, 100, 1000000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_has_the_papers_values),
        cmocka_unit_test(formula_is_the_papers),
        cmocka_unit_test(the_second_branch_begins_beyond_the_switch),
        cmocka_unit_test(branches_meet),
        cmocka_unit_test(at_least_one_and_never_fewer),
        cmocka_unit_test(table_is_the_formula),
        cmocka_unit_test(other_numbers),
        cmocka_unit_test(the_table_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
