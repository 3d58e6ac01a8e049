/* SPDX-License-Identifier: MIT
 *
 * The tables of the exact solver and of the Min-Max search: their size, the order of replacement, and that no
 * entry is lost when they grow.
 */
#include "base/mem.h"
#include "search/minmax.h"
#include "search/solve.c" /* its table is internal */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- of the solver ---- */

static void solver_tables_have_their_size(void **state) {
    (void)state;
    static const struct {
        size_t bytes;
        uint64_t most, used;
    } cases[] = {{0, 0, 0},
                 {1, 1, 1},
                 {64, 1, 1},
                 {127, 1, 1},
                 {128, 2, 2},
                 {64 << 13, 1 << 13, 1 << 13},
                 {64 * 8193, 8193, 4096},
                 {64 * 20001, 20001, 5000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct solve_table table;
        struct err e = {{0}};
        assert_true(solve_table_init(&table, cases[i].bytes, &e));
        assert_int_equal(table.bucket_max, cases[i].most);
        assert_int_equal(table.bucket_count, cases[i].used);
        assert_int_equal((uintptr_t)table.buckets % 64, 0);
        assert_null(solve_table_find(&table, 5));
        solve_table_prefetch(&table, 5);
        solve_table_store(&table, &(struct solve_entry){.key = 5, .effort = 1});
        assert_int_equal(solve_table_find(&table, 5) != NULL, cases[i].bytes > 0);
        solve_table_done(&table);
        assert_null(table.block);
        assert_int_equal(table.bucket_count, 0);
    }
    struct solve_table table;
    struct err e = {{0}};
    mem_fail_at(1);
    const bool ok = solve_table_init(&table, 3 << 20, &e);
    mem_fail_at(0);
    assert_false(ok);
    assert_string_equal(e.text, "not enough memory for a table of 3 MB");
}

static void store(struct solve_table *table, uint64_t key, uint32_t effort) {
    solve_table_store(table, &(struct solve_entry){.key = key, .effort = effort, .best = (action)key});
}

static void expect_places(const struct solve_table *table, uint64_t first, uint64_t second, uint64_t taken) {
    const struct solve_entry *places = table->buckets[0].entries;
    assert_int_equal(places[0].key, first);
    assert_int_equal(places[1].key, second);
    assert_int_equal(table->taken, taken);
}

static void the_dearest_entry_stays(void **state) {
    (void)state;
    struct solve_table table;
    struct err e = {{0}};
    assert_true(solve_table_init(&table, 64, &e));
    store(&table, 1, 10);
    expect_places(&table, 1, 0, 1);
    store(&table, 2, 9); /* cheaper: the second place */
    expect_places(&table, 1, 2, 2);
    store(&table, 3, 5);
    expect_places(&table, 1, 3, 2);
    assert_null(solve_table_find(&table, 2));
    store(&table, 4, 10); /* of equal cost: it takes the first place, the older one the second */
    expect_places(&table, 4, 1, 2);
    store(&table, 4, 2); /* the same position once more */
    expect_places(&table, 4, 1, 2);
    assert_int_equal(solve_table_find(&table, 4)->effort, 2);
    assert_int_equal(solve_table_find(&table, 1)->best, 1);
    assert_null(solve_table_find(&table, 0));
    solve_table_done(&table);
    assert_true(solve_table_init(&table, 64, &e));
    store(&table, 1, 3);
    store(&table, 2, 4); /* dearer than the only one there */
    expect_places(&table, 2, 1, 2);
    solve_table_done(&table);
}

/* Keys whose upper half spreads them evenly: one to a place. */
static uint64_t spread_key(uint64_t i, uint64_t count) {
    return (((i << 32) + (UINT64_C(1) << 31)) / count) << 32 | i;
}

static void a_solver_table_grows_and_forgets_nothing(void **state) {
    (void)state;
    struct solve_table table;
    struct err e = {{0}};
    assert_true(solve_table_init(&table, 64 * 16384 + 64, &e));
    assert_int_equal(table.bucket_count, 8192);
    for (uint64_t i = 0; i < 8192; i++)
        store(&table, spread_key(i, 8192), 1 + (uint32_t)(i % 5));
    assert_int_equal(table.taken, 8192);
    assert_int_equal(table.bucket_count, 8192);
    store(&table, spread_key(0, 8192) + 1, 1);
    assert_int_equal(table.bucket_count, 16384);
    assert_int_equal(table.taken, 8193);
    for (uint64_t i = 0; i < 8192; i++) {
        const struct solve_entry *entry = solve_table_find(&table, spread_key(i, 8192));
        assert_non_null(entry);
        assert_int_equal(entry->effort, 1 + i % 5);
    }
    for (uint64_t i = 0; i < 16384; i++)
        store(&table, spread_key(i, 16384) + (UINT64_C(1) << 31), 1);
    assert_int_equal(table.bucket_count, 16384); /* twice as many entries would be too many */
    solve_table_done(&table);
}

/* Both entries of a bucket, in their order, when it is split and both go to the same half. */
static void growing_preserves_the_order_of_a_bucket(void **state) {
    (void)state;
    struct solve_table table;
    struct err e = {{0}};
    assert_true(solve_table_init(&table, 128, &e));
    table.bucket_count = 1;
    store(&table, 1, 7);
    assert_int_equal(table.bucket_count, 1);
    table.taken = 0;
    store(&table, 2, 7);
    expect_places(&table, 2, 1, 1);
    table.taken = 2;
    store(&table, UINT64_C(3) << 62, 1); /* grows first */
    assert_int_equal(table.bucket_count, 2);
    expect_places(&table, 2, 1, 3);
    assert_int_equal(table.buckets[1].entries[0].key, UINT64_C(3) << 62);
    assert_int_equal(table.buckets[1].entries[1].effort, 0);
    solve_table_done(&table);
}

/* ---- of Min-Max ---- */

static void keep(struct minmax_table *table, uint64_t key, unsigned effort) {
    minmax_table_store(table,
                       &(struct minmax_entry){.key = key, .effort = effort & 63U, .value = (double)key});
}

static void minmax_tables_have_their_size(void **state) {
    (void)state;
    const size_t one = sizeof(struct minmax_bucket);
    static const uint64_t expected[][2] = {{0, 1}, {1, 1},       {2, 2},      {3, 2},
                                           {4, 4}, {2048, 2048}, {4095, 2048}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct minmax_table table;
        struct err e = {{0}};
        assert_true(minmax_table_init(&table, one * expected[i][0], &e));
        assert_int_equal(table.count_max, expected[i][1]);
        assert_int_equal(table.count, expected[i][1] < 1024 ? expected[i][1] : 1024);
        assert_int_equal(table.generation, 1);
        assert_null(minmax_table_find(&table, 0));
        minmax_table_done(&table);
        assert_null(table.buckets);
    }
    struct minmax_table table;
    struct err e = {{0}};
    mem_fail_at(1);
    const bool ok = minmax_table_init(&table, 1000, &e);
    mem_fail_at(0);
    assert_false(ok);
    assert_string_equal(e.text, "not enough memory for a table of 1000 bytes");
}

static void expect_entries(const struct minmax_table *table, uint64_t costly, uint64_t latest,
                           uint64_t filled) {
    const struct minmax_entry *entries = table->buckets[0].entries;
    assert_int_equal(entries[0].key, costly);
    assert_int_equal(entries[1].key, latest);
    assert_int_equal(table->filled, filled);
}

static void what_cost_most_stays(void **state) {
    (void)state;
    struct minmax_table table;
    struct err e = {{0}};
    assert_true(minmax_table_init(&table, 0, &e));
    keep(&table, 1, 10);
    expect_entries(&table, 1, 0, 1);
    keep(&table, 2, 9);
    expect_entries(&table, 1, 2, 2);
    keep(&table, 3, 8);
    expect_entries(&table, 1, 3, 2);
    keep(&table, 4, 10);
    expect_entries(&table, 4, 1, 2);
    keep(&table, 4, 1); /* the same position once more */
    expect_entries(&table, 4, 1, 2);
    assert_int_equal(minmax_table_find(&table, 4)->effort, 1);
    assert_null(minmax_table_find(&table, 2));
    minmax_table_clear(&table);
    assert_null(minmax_table_find(&table, 4));
    assert_null(minmax_table_find(&table, 1));
    assert_int_equal(table.filled, 0);
    keep(&table, 5, 0); /* entries of an earlier search count as absent */
    expect_entries(&table, 5, 1, 1);
    keep(&table, 6, 3);
    expect_entries(&table, 6, 5, 2);
    minmax_table_done(&table);
}

static void generations_begin_again(void **state) {
    (void)state;
    struct minmax_table table;
    struct err e = {{0}};
    assert_true(minmax_table_init(&table, 2 * sizeof(struct minmax_bucket), &e));
    keep(&table, 1, 1); /* into the last bucket, in the first generation */
    for (int i = 1; i < 255; i++)
        minmax_table_clear(&table);
    assert_int_equal(table.generation, 255);
    keep(&table, 2, 1);
    minmax_table_clear(&table);
    assert_int_equal(table.generation, 1);
    assert_null(minmax_table_find(&table, 1));
    assert_null(minmax_table_find(&table, 2));
    minmax_table_done(&table);
}

static void a_minmax_table_grows_and_forgets_nothing(void **state) {
    (void)state;
    struct minmax_table table;
    struct err e = {{0}};
    assert_true(minmax_table_init(&table, 4096 * sizeof(struct minmax_bucket), &e));
    memset(table.buckets, 0x55, 4096 * sizeof(struct minmax_bucket)); /* of another search */
    for (uint64_t key = 0; key < 513; key++)
        keep(&table, key * 8, 1); /* few buckets, so that entries lie in both places … */
    assert_int_equal(table.count, 1024);
    minmax_table_clear(&table);
    for (uint64_t key = 0; key < 513; key++)
        keep(&table, key * 5, 1);
    assert_int_equal(table.filled, 513);
    assert_int_equal(table.count, 1024);
    keep(&table, 513 * 5, 1);
    assert_int_equal(table.count, 2048);
    for (uint64_t key = 514; key < 6000; key++)
        keep(&table, key * 5, 1);
    assert_int_equal(table.count, 4096); /* the most there are */
    int found = 0;
    for (uint64_t key = 0; key < 6000; key++) {
        const struct minmax_entry *entry = minmax_table_find(&table, key * 5);
        if (entry != NULL)
            assert_true(entry->value >= (double)key * 5 && entry->value <= (double)key * 5);
        found += entry != NULL;
    }
    assert_int_equal(found, 6000);
    assert_int_equal(table.filled, 6000);
    minmax_table_done(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solver_tables_have_their_size),
        cmocka_unit_test(the_dearest_entry_stays),
        cmocka_unit_test(a_solver_table_grows_and_forgets_nothing),
        cmocka_unit_test(growing_preserves_the_order_of_a_bucket),
        cmocka_unit_test(minmax_tables_have_their_size),
        cmocka_unit_test(what_cost_most_stays),
        cmocka_unit_test(generations_begin_again),
        cmocka_unit_test(a_minmax_table_grows_and_forgets_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
