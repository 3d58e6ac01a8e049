/* SPDX-License-Identifier: MIT
 *
 * Set-up strategies, the matrix of set-ups and its equilibrium.
 */
#include "geister/setup.c" /* mirror images are internal */

#include "base/mem.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_strategies(void **state) {
    struct setup_strategy s;
    struct err e;
    struct rng r;
    int seen[GEISTER_SETUPS] = {0};
    (void)state;
    rng_seed(&r, 1);
    assert_true(setup_read("gbcf", &s, &e));
    assert_int_equal(s.kind, SETUP_FIXED);
    assert_int_equal(setup_choose(&s, &r), geister_setup(0x66));
    assert_true(setup_read("random", &s, &e));
    for (int i = 0; i < 7000; i++)
        seen[geister_setup_number(setup_choose(&s, &r) & 0xFF)]++;
    for (int i = 0; i < GEISTER_SETUPS; i++)
        assert_true(seen[i] > 50 && seen[i] < 150);
    assert_false(setup_read("AABC", &s, &e));
    assert_string_equal(e.text,
                        "setup=AABC: expected random, strong, or four different letters of A to H (BCFG)");
}

static void test_strong(void **state) {
    struct setup_strategy s;
    struct err e;
    struct rng r;
    int seen[GEISTER_SETUPS] = {0};
    double sum = 0;
    (void)state;
    rng_seed(&r, 2);
    assert_true(setup_read("strong", &s, &e));
    for (int i = 0; i < 20000; i++)
        seen[geister_setup_number(setup_choose(&s, &r) & 0xFF)]++;
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        sum += (double)setup_strong_weights[i];
        assert_true(fabs(seen[i] / 20000.0 - (double)setup_strong_weights[i]) < 0.015);
        assert_true(setup_strong_weights[setup_mirror(i)] == setup_strong_weights[i]);
    }
    assert_true(fabs(sum - 1) < 1e-3);
}

static void test_mirror(void **state) {
    unsigned reds;
    (void)state;
    assert_true(geister_read_reds("ABEG", &reds, NULL));
    assert_true(geister_read_reds("DCHF", &reds, NULL));
    for (int i = 0; i < GEISTER_SETUPS; i++)
        assert_int_equal(setup_mirror(setup_mirror(i)), i);
    assert_int_equal(setup_mirror(geister_setup_number(0x0F)), geister_setup_number(0x0F));
    assert_int_equal(setup_mirror(geister_setup_number(0x53)), geister_setup_number(0xAC));
}

/* Paper, scissors and stone among three set-ups, all others lose to them: the equilibrium is known. */
static void test_equilibrium(void **state) {
    struct setup_matrix *m = mem_alloc(sizeof *m);
    struct setup_solution s;
    (void)state;
    assert_non_null(m);
    for (int i = 0; i < 3; i++)
        for (int j = 3; j < GEISTER_SETUPS; j++)
            m->worth[i][j] = 0.5, m->worth[j][i] = -0.5;
    m->worth[0][1] = 1, m->worth[1][0] = -1;
    m->worth[1][2] = 1, m->worth[2][1] = -1;
    m->worth[2][0] = 0.5, m->worth[0][2] = -0.5;
    setup_matrix_solve(m, 0.01, &s);
    assert_true(fabs(s.weights[0] - 0.4) < 0.01);
    assert_true(fabs(s.weights[1] - 0.2) < 0.01);
    assert_true(fabs(s.weights[2] - 0.4) < 0.01);
    assert_true(s.regret < 0.01 && s.gain > 0.4);
    mem_free(m);
}

static void test_matrix(void **state) {
    struct setup_matrix *one = mem_alloc(sizeof *one), *other = mem_alloc(sizeof *other);
    struct err e;
    (void)state;
    assert_non_null(one);
    assert_non_null(other);
    struct setup_task task = {
        .policy = policy_builtin(), .games = 1, .plies = SAMPLE(100, 20), .seed = 3, .threads = 1};
    assert_true(setup_matrix_play(&task, one, &e));
    task.threads = 3;
    assert_true(setup_matrix_play(&task, other, &e));
    assert_memory_equal(one, other, sizeof *one);
    for (int i = 0; i < GEISTER_SETUPS; i++)
        for (int j = 0; j < GEISTER_SETUPS; j++)
            assert_true(one->first[i][j] == one->first[setup_mirror(i)][setup_mirror(j)] &&
                        one->worth[i][j] == -one->worth[j][i]);
    const atomic_bool stop = true;
    task.stop = &stop;
    assert_false(setup_matrix_play(&task, other, &e));
    assert_non_null(strstr(e.text, "interrupted"));
    mem_free(one);
    mem_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strategies),  cmocka_unit_test(test_strong), cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_equilibrium), cmocka_unit_test(test_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
