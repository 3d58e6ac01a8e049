/* SPDX-License-Identifier: MIT
 *
 * The storage of a tree: its capacity, lookups, and the contents after a subtree is moved.
 */
#include "search/tree.c" /* the storage is internal */

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void open_storage(struct tree_storage *g, size_t bytes, int actions_max, bool keyed, bool squares) {
    assert_true(tree_storage_init(g, bytes, actions_max, keyed, squares));
}

/* A child takes 20 bytes, 28 with squares; a node 28, 76 with places, shared by eight children or by all. */
static void memory_is_divided(void **state) {
    (void)state;
    static const struct {
        size_t bytes;
        int actions_max;
        bool keyed, squares;
        uint32_t children, nodes, places;
    } cases[] = {
        {24000, 50, false, false, 1000, 127, 0},  {23999, 50, false, false, 999, 126, 0},
        {24000, 8, false, false, 1000, 127, 0},   {24000, 7, false, false, 960, 139, 0},
        {24000, 2, false, false, 685, 344, 0},    {32000, 50, false, true, 1000, 127, 0},
        {30000, 50, true, false, 1000, 127, 256}, {38000, 50, true, true, 1000, 127, 256},
        {0, 50, false, false, 100, 14, 0},        {2399, 50, false, false, 100, 14, 0},
        {2424, 50, false, false, 101, 14, 0},     {0, 1, true, false, 2, 4, 16},
        {0, 7, true, false, 14, 4, 16},           {0, 48, true, false, 96, 14, 32},
        {0, 57, true, false, 114, 16, 32},        {0, 64, true, false, 128, 18, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tree_storage g;
        open_storage(&g, cases[i].bytes, cases[i].actions_max, cases[i].keyed, cases[i].squares);
        if (g.child_max != cases[i].children || g.node_max != cases[i].nodes ||
            g.place_count != cases[i].places)
            fail_msg("case %zu: %u children, %u nodes, %u places", i, g.child_max, g.node_max, g.place_count);
        assert_int_equal(g.squares != NULL, cases[i].squares);
        assert_int_equal(g.places != NULL, cases[i].keyed);
        tree_storage_done(&g);
        assert_null(g.nodes);
    }
}

static void every_piece_of_memory_is_needed(void **state) {
    (void)state;
    for (int n = 1; n <= 7; n++) {
        struct tree_storage g;
        mem_fail_at(n);
        const bool ok = tree_storage_init(&g, 24000, 50, true, true);
        mem_fail_at(0);
        assert_false(ok);
        assert_null(g.nodes);
    }
}

static void nodes_are_made_until_one_store_is_full(void **state) {
    (void)state;
    static const action list[5] = {3, 1, 4, 1, 5};
    struct tree_storage g;
    open_storage(&g, 0, 5, false, true); /* 10 children, 4 nodes */
    assert_int_equal(g.child_max, 10);
    assert_int_equal(g.node_max, 4);
    for (uint32_t i = 0; i < 10; i++) {
        g.visits[i] = 9;
        g.sums[i] = g.squares[i] = 9;
        g.child_nodes[i] = 9;
    }
    assert_int_equal(tree_storage_add(&g, list, 5, 1), 0);
    assert_int_equal(tree_storage_add(&g, list, 3, 0), 1);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(g.actions[i], list[i % 5]);
        assert_int_equal(g.visits[i], 0);
        assert_true(g.sums[i] <= 0 && g.squares[i] <= 0);
        assert_int_equal(g.child_nodes[i], TREE_LEAF);
    }
    assert_int_equal(g.visits[8], 9);
    assert_int_equal(g.nodes[1].first, 5);
    assert_int_equal(g.nodes[1].count, 3);
    assert_int_equal(g.nodes[0].mover, 1);
    assert_int_equal(tree_storage_add(&g, list, 3, 0), TREE_LEAF); /* no room for the children */
    assert_int_equal(tree_storage_add(&g, list, 1, 0), 2);
    assert_int_equal(tree_storage_add(&g, list, 1, 0), 3); /* the last child and the last node */
    assert_int_equal(tree_storage_add(&g, list, 0, 0), TREE_LEAF);
    assert_int_equal(g.child_count, 10);
    tree_storage_clear(&g);
    assert_int_equal(g.child_count, 0);
    assert_int_equal(tree_storage_add(&g, list, 5, 1), 0);
    tree_storage_done(&g);
}

static void positions_are_found_by_their_keys(void **state) {
    (void)state;
    struct tree_storage g;
    open_storage(&g, 0, 1, true, false); /* 16 places */
    assert_int_equal(tree_storage_find(&g, 15), TREE_LEAF);
    tree_storage_remember(&g, 15, 1);
    tree_storage_remember(&g, 31, 2); /* the same place: behind the last one comes the first */
    tree_storage_remember(&g, 0, 3);
    assert_int_equal(tree_storage_find(&g, 15), 1);
    assert_int_equal(tree_storage_find(&g, 31), 2);
    assert_int_equal(tree_storage_find(&g, 0), 3);
    assert_int_equal(tree_storage_find(&g, 47), TREE_LEAF);
    assert_int_equal(g.places[0].node, 2);
    assert_int_equal(g.places[1].node, 3);
    tree_storage_remember(&g, 31, 5);
    assert_int_equal(tree_storage_find(&g, 31), 5);
    tree_storage_clear(&g);
    assert_int_equal(tree_storage_find(&g, 15), TREE_LEAF);
    tree_storage_remember(&g, 15, 7);
    g.stamp = UINT32_MAX; /* as after so many searches */
    tree_storage_clear(&g);
    assert_int_equal(g.stamp, 1);
    assert_int_equal(tree_storage_find(&g, 15), TREE_LEAF); /* entries with stamp 1 are not of this search */
    assert_int_equal(g.places[15].node, 0);
    tree_storage_done(&g);
    open_storage(&g, 0, 1, false, false);
    tree_storage_remember(&g, 15, 1);
    assert_int_equal(tree_storage_find(&g, 15), TREE_LEAF);
    tree_storage_done(&g);
}

/* Under the root two nodes, both of which lead to a third, which has statistics of its own. */
static void plant(struct tree_storage *g) {
    static const action list[2] = {7, 8};
    assert_int_equal(tree_storage_add(g, list, 2, 0), 0);
    const uint32_t left = tree_storage_add(g, list, 2, 1), right = tree_storage_add(g, list, 2, 1),
                   shared = tree_storage_add(g, list, 1, 0);
    g->child_nodes[0] = left;
    g->child_nodes[1] = right;
    g->child_nodes[g->nodes[left].first + 1] = shared;
    g->child_nodes[g->nodes[right].first] = shared;
    g->child_nodes[g->nodes[right].first + 1] = shared;
    g->nodes[right].visits = 12;
    g->nodes[right].tried = 2;
    for (uint32_t i = 0; i < g->child_count; i++) {
        g->visits[i] = (int32_t)(10 + i);
        g->sums[i] = 0.5 * i;
        if (g->squares != NULL)
            g->squares[i] = 0.25 * i;
    }
    for (uint32_t i = 1; i < 4; i++)
        tree_storage_remember(g, 100 + i, i);
    for (uint32_t i = 0; i < 4; i++)
        g->nodes[i].moved = 0;
}

static void a_moved_subtree_stays_complete(void **state) {
    (void)state;
    for (int squares = 0; squares < 2; squares++) {
        struct tree_storage from, to;
        open_storage(&from, 4000, 4, true, squares == 1);
        open_storage(&to, 4000, 4, true, squares == 1);
        plant(&from);
        tree_storage_move(&from, 2, &to);
        assert_int_equal(to.node_count, 2);
        assert_int_equal(to.child_count, 3);
        assert_int_equal(to.nodes[0].visits, 12);
        assert_int_equal(to.nodes[0].tried, 2);
        assert_int_equal(to.nodes[0].first, 0);
        assert_int_equal(to.nodes[1].first, 2);
        assert_int_equal(to.nodes[0].moved, 0);
        assert_int_equal(to.nodes[1].moved, 0);
        assert_int_equal(to.child_nodes[0], 1);
        assert_int_equal(to.child_nodes[1], 1);
        assert_int_equal(to.child_nodes[2], TREE_LEAF);
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t old = i + 4;
            assert_int_equal(to.actions[i], i == 1 ? 8 : 7);
            assert_int_equal(to.visits[i], 10 + old);
            assert_true(to.sums[i] >= 0.5 * old && to.sums[i] <= 0.5 * old);
            assert_true(squares == 0 || (to.squares[i] >= 0.25 * old && to.squares[i] <= 0.25 * old));
        }
        assert_int_equal(tree_storage_find(&to, 103), 1);
        assert_int_equal(tree_storage_find(&to, 101), TREE_LEAF); /* not under it */
        assert_int_equal(tree_storage_find(&to, 102), TREE_LEAF); /* the new root */
        tree_storage_done(&from);
        tree_storage_done(&to);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_divided),
        cmocka_unit_test(every_piece_of_memory_is_needed),
        cmocka_unit_test(nodes_are_made_until_one_store_is_full),
        cmocka_unit_test(positions_are_found_by_their_keys),
        cmocka_unit_test(a_moved_subtree_stays_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
