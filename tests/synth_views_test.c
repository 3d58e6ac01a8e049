/* SPDX-License-Identifier: MIT
 *
 * Synthetic trees: information gained during the game, and views.
 */
#include "synth_support.h"

#include "game_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { NODES = 40000, DEPTH = 6 };

/* ---- cells ---- */

static uint64_t path_before(const struct synth_params *p, uint64_t path, int plies) {
    for (; plies > 0; plies--)
        path /= (uint64_t)p->branching;
    return path;
}

static bool is_within(struct synth_cell inner, struct synth_cell outer) {
    return inner.first >= outer.first && inner.first + inner.size <= outer.first + outer.size;
}

/* Everything about the cells of one player's type along one path: they hold the true type, they are a
 * partition, they only shrink, and only at the player's own moves. */
static void check_cells(const struct scenario *scenario, uint64_t tree, uint64_t path, int side, int own) {
    const struct synth_params *p = synth_params_of(scenario);
    for (int other = 0; other < p->worlds; other++) {
        const int types[2] = {side == 0 ? own : other, side == 0 ? other : own};
        struct synth_cell before = {0, p->worlds};
        for (int ply = 0; ply <= p->depth; ply++) {
            const struct synth_place place = {tree, path_before(p, path, p->depth - ply), ply};
            const struct synth_cell cell = synth_cell(scenario, &place, side, types);
            assert_in_range(other, cell.first, cell.first + cell.size - 1);
            assert_true(is_within(cell, before));
            if (ply % 2 != side || ply == p->depth)
                assert_int_equal(cell.size, before.size);
            for (int mate = cell.first; mate < cell.first + cell.size; mate++) {
                const int alike[2] = {side == 0 ? own : mate, side == 0 ? mate : own};
                const struct synth_cell same = synth_cell(scenario, &place, side, alike);
                assert_int_equal(same.first, cell.first);
                assert_int_equal(same.size, cell.size);
            }
            before = cell;
        }
    }
}

static void cells_are_partitions_with_perfect_recall(void **state) {
    (void)state;
    static const char *const specs[] = {
        "synth",          "synth:df=0.1,depth=7",  "synth:df=0.9,worlds=16", "synth:branching=3,depth=5",
        "synth:worlds=1", "synth:worlds=2,depth=1"};
    struct rng r;
    rng_seed(&r, 5);
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct scenario *scenario = support_load(specs[i]);
        const struct synth_params *p = synth_params_of(scenario);
        for (int trial = 0; trial < 20; trial++) {
            const uint64_t tree = rng_next(&r);
            uint64_t path = 0;
            for (int ply = 0; ply < p->depth; ply++)
                path = path * (uint64_t)p->branching + rng_below(&r, (uint32_t)p->branching);
            check_cells(scenario, tree, path, trial % 2, (int)rng_below(&r, (uint32_t)p->worlds));
        }
        game_unload(scenario);
    }
}

/* The size after one more own move, from size 2^k: c 2^k + (1 - c) df^k. Sizes 2^k are split with the same
 * df, so from the distribution of sizes comes that of the next move. */
static double expected_size(double df, int worlds_log, int own_moves) {
    double share[16] = {0}, size = 0;
    share[worlds_log] = 1;
    for (int move = 0; move < own_moves; move++)
        for (int k = worlds_log; k > 0; k--) { /* downwards in one sweep: a split set may be split again */
            share[k - 1] += share[k] * df;
            share[k] *= 1 - df;
        }
    for (int k = 0; k <= worlds_log; k++)
        size += share[k] * (1 << k);
    return size;
}

/* The formula for one move, and the published figures for three. */
static void the_expected_sizes_are_the_stated_ones(void **state) {
    (void)state;
    static const double stated[][4] = {
        {0.1, 7.58, 7.18, 6.80}, {0.5, 5.38, 3.69, 2.62}, {0.9, 2.05, 1.15, 1.02}, {1, 1, 1, 1}};
    for (size_t i = 0; i < 4; i++) {
        const double df = stated[i][0], c = (1 - df) / (1 - df / 2);
        assert_true(fabs(expected_size(df, 3, 1) - (c * 8 + (1 - c) * df * df * df)) < 1e-9);
        for (int move = 1; move <= 3; move++)
            assert_true(fabs(expected_size(df, 3, move) - stated[i][move]) < 0.0051);
    }
}

static void cells_have_the_expected_sizes(void **state) {
    (void)state;
    static const double factors[] = {0, 0.1, 0.5, 0.9, 1};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        char spec[32];
        snprintf(spec, sizeof spec, "synth:df=%g", factors[i]);
        struct scenario *scenario = support_load(spec);
        struct rng r;
        rng_seed(&r, 6);
        for (int ply = 0; ply < DEPTH; ply++) {
            struct support_mean sizes = {0};
            for (int trial = 0; trial < NODES / 4; trial++) {
                const struct synth_place place = {rng_next(&r), rng_next(&r) >> 32 & ((1U << ply) - 1), ply};
                const int types[2] = {trial % 8, trial / 8 % 8};
                support_mean_add(&sizes, synth_cell(scenario, &place, ply % 2, types).size);
            }
            support_expect_mean(spec, &sizes, expected_size(factors[i], 3, ply / 2 + 1));
        }
        game_unload(scenario);
    }
}

/* Information gained with one's own type at one place is independent of that with another type or at another
 * place. */
static void splits_are_independent(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:worlds=2");
    struct support_pairs types = {0}, paths = {0};
    for (uint64_t i = 0; i < NODES; i++) {
        const struct synth_place here = {i, 0, 2}, there = {i, 2, 2};
        const int zero[2] = {0, 0}, one[2] = {1, 0};
        const double size = synth_cell(scenario, &here, 0, zero).size;
        support_pairs_add(&types, size, synth_cell(scenario, &here, 0, one).size);
        /* The first move is common to both places: only where no information was gained then. */
        if (synth_cell(scenario, &(struct synth_place){i, 0, 0}, 0, zero).size == 2)
            support_pairs_add(&paths, size, synth_cell(scenario, &there, 0, zero).size);
    }
    support_expect_uncorrelated("own types", &types);
    support_expect_uncorrelated("paths", &paths);
    game_unload(scenario);
}

/* ---- views ---- */

/* Hiding more of a view erases more, and erased parts do not come back. */
static void views_hide_cells(void **state) {
    (void)state;
    struct scenario *blind = support_load("synth:df=0"), *open = support_load("synth:df=1");
    const struct synth_place place = {5, 5, 3};
    const int types[2] = {3, 6};
    union support_state s = {0}, view;
    synth_set(&s, blind, &place, types);
    support_expect_text(blind, &s, "tree=5 moves=RLR types=3,6\n");
    view = s;
    synth_game.hide(&view, 0);
    support_expect_text(blind, &view, "tree=5 moves=RLR types=3,?\n");
    synth_game.hide(&view, 1);
    support_expect_text(blind, &view, "tree=5 moves=RLR types=?,?\n");
    synth_game.hide(&view, 0);
    support_expect_text(blind, &view, "tree=5 moves=RLR types=?,?\n");
    assert_true(synth_game.worlds(&view) > 63.5 && synth_game.worlds(&view) < 64.5);
    synth_game.world(&view, 3 * 8 + 6);
    assert_memory_equal(view.bytes, s.bytes, synth_game.state_size);
    synth_set(&s, open, &place, types);
    view = s;
    synth_game.hide(&view, 0);
    synth_game.hide(&view, 1);
    assert_memory_equal(view.bytes, s.bytes, synth_game.state_size);
    synth_set(&s, open, &(struct synth_place){5, 0, 0}, types);
    synth_game.hide(&s, 1);
    support_expect_text(open, &s, "tree=5 moves=- types=?,6\n"); /* has not moved yet */
    game_unload(blind);
    game_unload(open);
}

/* Determinizing draws evenly from the cell (64 pairs for a viewer without a side): each within SUPPORT_ERRORS
 * deviations. */
static void worlds_are_drawn_evenly(void **state) {
    (void)state;
    enum { DRAWS = 64000 };
    struct scenario *scenario = support_load("synth");
    union support_state view = {0}, full;
    int counts[64] = {0};
    struct rng r;
    rng_seed(&r, 7);
    synth_set(&view, scenario, &(struct synth_place){5, 0, 0}, (int[]){0, 0});
    synth_game.hide(&view, NOBODY);
    union support_state worlds[64];
    for (uint64_t i = 0; i < 64; i++) {
        worlds[i] = view;
        synth_game.world(&worlds[i], i);
    }
    for (int i = 0; i < DRAWS; i++) {
        full = view;
        synth_game.determinize(&full, &r);
        for (int k = 0; k < 64; k++)
            counts[k] += memcmp(full.bytes, worlds[k].bytes, synth_game.state_size) == 0;
    }
    int sum = 0;
    for (int k = 0; k < 64; k++) {
        sum += counts[k];
        assert_true(fabs(counts[k] - DRAWS / 64.0) < SUPPORT_ERRORS * sqrt(DRAWS / 64.0));
    }
    assert_int_equal(sum, DRAWS);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_partitions_with_perfect_recall),
        cmocka_unit_test(the_expected_sizes_are_the_stated_ones),
        cmocka_unit_test(cells_have_the_expected_sizes),
        cmocka_unit_test(splits_are_independent),
        cmocka_unit_test(views_hide_cells),
        cmocka_unit_test(worlds_are_drawn_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
