/* SPDX-License-Identifier: MIT
 *
 * Our logarithm against the C library's, which is used nowhere else: within 2 units in the last place over
 * the whole range, and exact where the true value is.
 */
#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* How many doubles lie between two of the same sign. */
static int64_t steps_between(double a, double b) {
    int64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x > y ? x - y : y - x;
}

static void check(double x) {
    const double ours = ln_of(x), theirs = log(x);
    if ((ours < 0) != (theirs < 0) || steps_between(ours, theirs) > 2)
        fail_msg("ln(%a) = %a, the C library says %a", x, ours, theirs);
}

static void whole_numbers(void **state) {
    (void)state;
    for (int n = 2; n <= 200000; n++)
        check(n);
    for (uint64_t n = 200000; n < UINT64_MAX / 3 * 2; n += n / 1000)
        check((double)n);
}

/* Every sign, size and mantissa that a double can have. */
static void any_positive_double(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 1);
    for (int i = 0; i < 500000; i++) {
        const uint64_t bits = rng_next(&r) >> 1;
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x) && x > 0)
            check(x);
    }
}

/* Where the result is small, relative errors are largest. */
static void near_one(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 2);
    for (int i = 0; i < 500000; i++)
        check(0.5 + 1.5 * rng_unit(&r));
    for (double d = 0x1p-52; d < 0.5; d *= 1.001) {
        check(1 + d);
        check(1 - d);
    }
    double below = sqrt(2), above = sqrt(2);
    for (int i = 0; i < 1000; i++) { /* where the mantissa is halved */
        check(below);
        check(above);
        check(below / 2);
        check(above / 2);
        below = nextafter(below, 0);
        above = nextafter(above, 4);
    }
}

static void assert_same(double a, double b) {
    assert_memory_equal(&a, &b, sizeof a);
}

static void exact_points(void **state) {
    (void)state;
    assert_same(ln_of(1), 0);
    const double ln2 = 0x1.62e42fefa39efp-1;
    assert_same(ln_of(2), ln2);
    assert_same(ln_of(0.5), -ln2);
    for (int e = 0; e < 10; e++) /* two to a power of two: only the exponent of the result changes */
        assert_same(ln_of(ldexp(1, 1 << e)), ldexp(ln2, e));
}

static void ends_of_the_range(void **state) {
    (void)state;
    check(DBL_MAX);
    check(DBL_MIN);
    check(nextafter(DBL_MIN, 0)); /* the largest subnormal */
    check(DBL_TRUE_MIN);
    check(3 * DBL_TRUE_MIN);
}

/* A property that searches rely on: a larger number never has a smaller logarithm. */
static void never_falls(void **state) {
    (void)state;
    double before = ln_of(1);
    for (int n = 2; n <= 1000000; n++) {
        const double now = ln_of(n);
        assert_true(now > before);
        before = now;
    }
}

/* ---- many at a time ---- */

/* A number must not have two logarithms: searches mix these with single ones. */
static void stretches_are_the_same(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 3);
    for (int i = 0; i < 20000; i++) {
        /* From 1 on, then of every size there is. */
        const uint64_t first =
            i < 1000 ? 1 + (uint64_t)i : 1 + (rng_next(&r) >> (11 + i % 50)) % (1ULL << 52);
        double logs[LN_STRETCH];
        ln_of_stretch(first, logs);
        for (int k = 0; k < LN_STRETCH; k++)
            assert_same(logs[k], ln_of((double)(first + (uint64_t)k)));
    }
}

static void the_table_ends_where_single_ones_begin(void **state) {
    (void)state;
    static struct ln_table table;
    ln_table_fill(&table);
    assert_same(ln_table_of(&table, 0), 0);
    for (uint64_t n = 1; n < 2 * LN_TABLE_MAX; n++)
        assert_same(ln_table_of(&table, n), ln_of((double)n));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(any_positive_double),
        cmocka_unit_test(near_one),
        cmocka_unit_test(exact_points),
        cmocka_unit_test(ends_of_the_range),
        cmocka_unit_test(never_falls),
        cmocka_unit_test(stretches_are_the_same),
        cmocka_unit_test(the_table_ends_where_single_ones_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
