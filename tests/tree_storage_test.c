/* SPDX-License-Identifier: MIT
 *
 * Parts of the real tree search that the naive one lacks: random orders, several trees at a time, and a
 * storage that is taken once and may be full.
 */
#include "search/tree.h"
#include "tests/memory_support.h"

#include "base/mem.h"
#include "tree_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- random order ---- */

static const struct tree_settings plain = {.c = 1, .expand = 1, .rollout = &toy_rollout};

/* A position with all nine actions. */
static void full_root(struct toy *root) {
    action list[TOY_BRANCHES_MAX];
    uint64_t key = 0;
    do
        toy_begin(root, key++, 0);
    while (toy_game.actions(root, list) < TOY_BRANCHES_MAX);
}

static void check_shuffled(const struct prior *prior, int groups) {
    enum { ROUNDS = 3000 };
    struct tree_settings settings = plain;
    settings.shuffle = true;
    settings.prior = prior;
    struct toy root;
    full_root(&root);
    struct tree *tree = open_tree(&toy_game, TREE_MEMORY, 1);
    int at[TOY_BRANCHES_MAX][TOY_BRANCHES_MAX] = {{0}}; /* how often each action came to each place */
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct tree_child list[TREE_CHILDREN_MAX];
        search(tree, &(struct trial){&toy_game, &root, &settings, seed, 1, NULL});
        tree_root_children(tree, list, TREE_CHILDREN_MAX);
        for (int i = 0; i < TOY_BRANCHES_MAX; i++) {
            assert_in_range(list[i].action, 100, 100 + TOY_BRANCHES_MAX - 1);
            at[list[i].action - 100][i]++;
        }
    }
    const int size = TOY_BRANCHES_MAX / groups; /* of a group of equals; the best score comes first */
    const double expected = (double)ROUNDS / size;
    for (int a = 0; a < TOY_BRANCHES_MAX; a++) {
        const int group = groups == 1 ? 0 : 2 - (100 + a) % 3;
        for (int i = 0; i < TOY_BRANCHES_MAX; i++)
            if (i / size == group)
                assert_true(fabs(at[a][i] - expected) < 5 * sqrt(expected));
            else
                assert_int_equal(at[a][i], 0);
    }
    tree_close(tree);
}

static void order_is_random_among_equals(void **state) {
    (void)state;
    check_shuffled(NULL, 1);
    check_shuffled(&toy_prior, 3);
}

/* ---- several trees ---- */

/* Adds one tree's root to a table by action. */
static int add_by_action(const struct tree *tree, struct tree_child *table) {
    struct tree_child list[TREE_CHILDREN_MAX];
    const int count = tree_root_children(tree, list, TREE_CHILDREN_MAX);
    int visits = 0;
    for (int i = 0; i < count; i++) {
        table[list[i].action - 100].visits += list[i].visits;
        table[list[i].action - 100].sum += list[i].sum;
        visits += list[i].visits;
    }
    return visits;
}

/* One search with `trees` trees, and as many single ones with the same numbers. */
static void check_forest(int trees, int simulations, const struct tree_settings *settings, uint64_t seed) {
    struct tree_child together[TREE_CHILDREN_MAX] = {{0}}, single[TREE_CHILDREN_MAX] = {{0}};
    struct toy root;
    struct rng r;
    struct search_result result;
    uint64_t nodes = 0;
    full_root(&root);
    struct tree *forest = open_tree(&toy_game, (size_t)trees * TREE_MEMORY, trees);
    struct tree *one = open_tree(&toy_game, TREE_MEMORY, 1);
    const struct search_result sum =
        search(forest, &(struct trial){&toy_game, &root, settings, seed, simulations, NULL});
    assert_int_equal(add_by_action(forest, together), simulations);
    assert_int_equal(sum.work, simulations);
    rng_seed(&r, seed);
    for (int i = 0; i < trees; i++) {
        const int share = simulations / trees + (i < simulations % trees);
        const struct search_task task = {
            .game = &toy_game, .root = &root, .budget = {.work_max = (uint64_t)share}, .rng = &r};
        tree_search(one, &task, settings, &result);
        assert_int_equal(add_by_action(one, single), share);
        nodes += result.nodes;
    }
    assert_memory_equal(together, single, sizeof together);
    assert_int_equal(sum.nodes, nodes);
    const struct tree_child *chosen = &together[sum.chosen - 100];
    assert_true(is_same(sum.value, chosen->sum / chosen->visits));
    for (int i = 0; i < TOY_BRANCHES_MAX; i++)
        if (together[i].visits > 0 && settings->choice == TREE_CHOOSE_MEAN)
            assert_true(together[i].sum / together[i].visits <= sum.value);
        else
            assert_true(together[i].visits <= chosen->visits || settings->choice == TREE_CHOOSE_MEAN);
    tree_close(one);
    tree_close(forest);
}

static void several_trees_are_the_sum_of_single_ones(void **state) {
    (void)state;
    static const int simulations[] = {64, 100, 1001, 4000};
    struct widening widening;
    struct tree_settings settings = plain;
    widening_init(&widening, naive_branches, NAIVE_SWITCH);
    settings.shuffle = true;
    for (int i = 0; i < 4; i++) {
        for (int trees = 1; trees <= 5; trees++) {
            settings.choice = trees % 2 == 0 ? TREE_CHOOSE_MEAN : TREE_CHOOSE_VISITS;
            settings.widening = i % 2 == 0 ? NULL : &widening;
            check_forest(trees, simulations[i], &settings, (uint64_t)i);
        }
        check_forest(64, simulations[i], &settings, (uint64_t)i);
    }
}

/* ---- storage ---- */

static void a_full_tree_goes_on(void **state) {
    (void)state;
    struct toy root;
    uint64_t fewer_nodes = 0;
    full_root(&root);
    for (size_t memory = 0; memory <= TREE_MEMORY; memory = memory * 4 + 1) {
        struct tree *tree = open_tree(&toy_game, memory, 1);
        struct tree_child list[TREE_CHILDREN_MAX] = {{0}};
        struct thoughts thoughts = {0};
        const struct search_result result =
            search(tree, &(struct trial){&toy_game, &root, &plain, 9, 20000, &thoughts});
        assert_int_equal(result.work, 20000);
        assert_int_equal(add_by_action(tree, list), 20000);
        assert_true(list[result.chosen - 100].visits > 0);
        assert_true(result.nodes >= fewer_nodes);
        if (memory == 0) /* the minimum it needs: the root's children and one node's below */
            assert_true(result.nodes <= 2 * TOY_BRANCHES_MAX);
        fewer_nodes = result.nodes;
        tree_close(tree);
    }
    assert_true(fewer_nodes > 1000);
}

/* The planned allocation failure must still be pending after the search. */
static void searching_allocates_nothing(void **state) {
    (void)state;
    struct toy root;
    full_root(&root);
    struct tree *tree = open_tree(&toy_game, TREE_MEMORY, 1);
    struct thoughts thoughts = {0};
    const struct trial trial = {&toy_game, &root, &plain, 4, 3000, &thoughts};
    struct tree_child before[TREE_CHILDREN_MAX] = {{0}}, after[TREE_CHILDREN_MAX] = {{0}};
    search(tree, &trial);
    add_by_action(tree, before);
    mem_fail_at(1);
    search(tree, &trial);
    assert_null(mem_try_alloc(1));
    add_by_action(tree, after);
    assert_memory_equal(before, after, sizeof before);
    tree_close(tree);
}

/* Threads take memory; without it the trees are grown one after the other. */
static void several_trees_need_no_memory_either(void **state) {
    (void)state;
    struct toy root;
    full_root(&root);
    struct tree *tree = open_tree(&toy_game, TREE_MEMORY, 3);
    const struct trial trial = {&toy_game, &root, &plain, 4, 3000, NULL};
    struct tree_child before[TREE_CHILDREN_MAX] = {{0}};
    search(tree, &trial);
    add_by_action(tree, before);
    for (long n = 1; n <= 4; n++) {
        struct tree_child after[TREE_CHILDREN_MAX] = {{0}};
        mem_fail_at(n);
        search(tree, &trial);
        mem_fail_at(0);
        add_by_action(tree, after);
        assert_memory_equal(before, after, sizeof before);
    }
    tree_close(tree);
}

struct opening {
    struct tree_memory memory;
    bool refused; /* with a sentence */
};

static void open_and_close(void *context) {
    struct opening *o = context;
    struct err e = {0};
    struct tree *tree = tree_open(&toy_game, &o->memory, &e);
    o->refused = tree == NULL;
    assert_int_equal(strncmp(e.text, "not enough memory for a search tree", 35) == 0, o->refused);
    tree_close(tree);
}

static void lack_of_memory_is_a_sentence(void **state) {
    (void)state;
    for (int trees = 1; trees <= 3; trees++) {
        struct opening o = {
            .memory = {TREE_MEMORY, trees, .keyed = trees == 2, .squares = trees == 2, .spare = trees == 3}};
        long n = 1, sentences = 0;
        for (; memory_runs_out(n, open_and_close, &o) || o.refused; n++, o.refused = false)
            sentences += o.refused;
        assert_true(n > 9L * trees); /* every one of its parts was refused once */
        assert_true(sentences >= 5L * trees);
    }
    tree_close(NULL);
}

/* A game of one long line: every simulation makes the tree one deeper, until it may not. */
enum { CHAIN_END = 6000, DEPTH_MOST = 4095 };

static int chain_mover(const void *state) {
    return *(const int *)state == CHAIN_END ? NOBODY : 1;
}

static int chain_actions(const void *state, action *out) {
    out[0] = 7;
    return *(const int *)state < CHAIN_END;
}

static void chain_play(void *state, action a, struct rng *r) {
    (void)r;
    assert_int_equal(a, 7);
    assert_true(*(int *)state < CHAIN_END);
    ++*(int *)state;
}

static double chain_payoff(const void *state, int side) {
    assert_int_equal(*(const int *)state, CHAIN_END);
    return side;
}

static long chain_run(void *state, struct rng *r, int turns_max) {
    (void)r;
    (void)turns_max;
    *(int *)state = CHAIN_END;
    return 1;
}

static void depth_has_a_limit(void **state) {
    (void)state;
    static const struct game chain = {.name = "chain",
                                      .state_size = sizeof(int),
                                      .actions_max = 1,
                                      .mover = chain_mover,
                                      .actions = chain_actions,
                                      .play = chain_play,
                                      .payoff = chain_payoff,
                                      .turn = chain_mover};
    static const struct rollout to_the_end = {"end", "", chain_run};
    const struct tree_settings settings = {.c = 1, .expand = 1, .rollout = &to_the_end};
    const int root = 0;
    struct tree *tree = open_tree(&chain, 4 * TREE_MEMORY, 1);
    struct thoughts thoughts = {0};
    search(tree, &(struct trial){&chain, &root, &settings, 1, 1000, &thoughts});
    assert_int_equal(tree_depth(tree), 999);
    assert_int_equal(thoughts.candidates[0].line_count, THOUGHTS_LINE_MAX);
    const struct search_result result =
        search(tree, &(struct trial){&chain, &root, &settings, 1, 4500, &thoughts});
    assert_int_equal(tree_depth(tree), DEPTH_MOST);
    assert_int_equal(result.work, 4500);
    assert_true(is_same(result.value, 1));
    tree_close(tree);
}

/* ---- a wide node ---- */

enum { FAN = 400 };

static int fan_mover(const void *state) {
    return *(const int *)state == 0 ? 1 : NOBODY;
}

static int fan_actions(const void *state, action *out) {
    for (int i = 0; i < FAN; i++)
        out[i] = (action)i;
    return *(const int *)state == 0 ? FAN : 0;
}

static void fan_play(void *state, action a, struct rng *r) {
    (void)a, (void)r;
    *(int *)state = 1;
}

static double fan_payoff(const void *state, int side) {
    (void)state, (void)side;
    return 0.5;
}

static long fan_run(void *state, struct rng *r, int turns_max) {
    (void)state, (void)r, (void)turns_max;
    return 0;
}

/* How many of the children are visited. */
static int visited(const struct widening *widening, int simulations) {
    static const struct game fan = {.name = "fan",
                                    .state_size = sizeof(int),
                                    .actions_max = FAN,
                                    .mover = fan_mover,
                                    .actions = fan_actions,
                                    .play = fan_play,
                                    .payoff = fan_payoff,
                                    .turn = fan_mover};
    static const struct rollout none = {"none", "", fan_run};
    const struct tree_settings settings = {.c = 1, .expand = 1, .rollout = &none, .widening = widening};
    const int root = 0;
    struct tree *tree = open_tree(&fan, TREE_MEMORY, 1);
    search(tree, &(struct trial){&fan, &root, &settings, 1, simulations, NULL});
    struct tree_child list[FAN];
    int count = 0;
    assert_int_equal(tree_root_children(tree, list, FAN), FAN);
    for (int i = 0; i < FAN; i++)
        count += list[i].visits > 0;
    tree_close(tree);
    return count;
}

/* One more with every simulation, but the last step comes late; beyond it all are open. */
static void beyond_the_last_step_all_are_open(void **state) {
    (void)state;
    struct widening w = {.steps = WIDENING_STEPS};
    for (int i = 0; i < WIDENING_STEPS; i++)
        w.needs[i] = i + 2;
    w.needs[WIDENING_STEPS - 1] = 500;
    assert_int_equal(visited(&w, 1), 1);
    assert_int_equal(visited(&w, 100), 100);
    assert_int_equal(visited(&w, 256), 256);
    assert_int_equal(visited(&w, 499), 256);
    assert_int_equal(visited(&w, 500), 257);
    assert_int_equal(visited(&w, 501), 258);
    assert_int_equal(visited(&w, 643), FAN);
    w.steps = WIDENING_STEPS - 1; /* a table that ends of itself opens no more */
    assert_int_equal(visited(&w, 700), 256);
    assert_int_equal(visited(NULL, 300), 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_random_among_equals),
        cmocka_unit_test(several_trees_are_the_sum_of_single_ones),
        cmocka_unit_test(a_full_tree_goes_on),
        cmocka_unit_test(searching_allocates_nothing),
        cmocka_unit_test(several_trees_need_no_memory_either),
        cmocka_unit_test(lack_of_memory_is_a_sentence),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(beyond_the_last_step_all_are_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
