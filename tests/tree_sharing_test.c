/* SPDX-License-Identifier: MIT
 *
 * What a tree search may reuse: positions that several orders of actions lead to (compared with a naive
 * search that shares them too, on a toy in which the order within a turn does not matter), and the tree
 * behind the played action.
 */
#include "base/numbers.h"
#include "sample.h"
#include "tree_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* ---- a game of bags: each side puts three things into one bag, then the other; twice ---- */

enum { KINDS = 4, A_TURN = 3, BAG_TURNS = 4, NODES_MAX = 4096 };

struct bag {
    uint8_t things[BAG_TURNS][KINDS]; /* how many of each kind, by turn */
    int played;
};

static int bag_turn(const void *state) {
    return ((const struct bag *)state)->played / A_TURN;
}

static int bag_mover(const void *state) {
    const int turn = bag_turn(state);
    return turn == BAG_TURNS ? NOBODY : turn % 2;
}

static int bag_actions(const void *state, action *out) {
    if (bag_mover(state) == NOBODY)
        return 0;
    for (int i = 0; i < KINDS; i++)
        out[i] = (action)i;
    return KINDS;
}

static void bag_play(void *state, action a, struct rng *r) {
    (void)r;
    struct bag *b = state;
    b->things[bag_turn(b)][a]++;
    b->played++;
}

static uint64_t bag_key(const void *state) {
    const struct bag *b = state;
    uint64_t key = (uint64_t)b->played;
    for (int t = 0; t < BAG_TURNS; t++)
        for (int i = 0; i < KINDS; i++)
            key = rng_mix(key * 31 + b->things[t][i]);
    return key;
}

static double bag_payoff(const void *state, int side) {
    const double value = (double)(bag_key(state) % 3) / 2;
    return side == 0 ? value : 1 - value;
}

static long bag_run(void *state, struct rng *r, int turns_max) {
    (void)turns_max;
    long played = 0;
    for (; bag_mover(state) != NOBODY; played++)
        bag_play(state, rng_below(r, KINDS), r);
    return played;
}

static const struct game bag_game = {
    .name = "bags",
    .state_size = sizeof(struct bag),
    .actions_max = KINDS,
    .mover = bag_mover,
    .actions = bag_actions,
    .play = bag_play,
    .payoff = bag_payoff,
    .turn = bag_turn,
    .key = bag_key,
};
static const struct rollout bag_rollout = {"random", "", bag_run};

/* ---- a naive search in which nodes are found by comparing positions ---- */

struct edge {
    int visits;
    double sum;
    int node; /* -1: none yet */
};

struct shared_node {
    struct bag state;
    int visits;
    struct edge edges[KINDS];
};

static struct shared_node nodes[NODES_MAX];
static int node_count;

static int find_or_make(const struct bag *state) {
    for (int i = 0; i < node_count; i++)
        if (memcmp(&nodes[i].state, state, sizeof *state) == 0)
            return i;
    assert_true(node_count < NODES_MAX);
    nodes[node_count] = (struct shared_node){.state = *state};
    for (int i = 0; i < KINDS; i++)
        nodes[node_count].edges[i].node = -1;
    return node_count++;
}

static int select_edge(const struct shared_node *node, double c) {
    int best = -1;
    double highest = 0;
    for (int i = 0; i < KINDS; i++) {
        const struct edge *e = &node->edges[i];
        if (e->visits == 0)
            return i;
        const double bound =
            e->sum / e->visits + c * sqrt((node->visits > 1 ? ln_of(node->visits) : 0) / e->visits);
        if (best < 0 || bound > highest) {
            best = i;
            highest = bound;
        }
    }
    return best;
}

static double run_shared(int number, const struct tree_settings *s, struct rng *r) {
    struct shared_node *node = &nodes[number];
    const int chosen = select_edge(node, s->c);
    struct edge *edge = &node->edges[chosen];
    struct bag next = node->state;
    double value;
    bag_play(&next, (action)chosen, NULL);
    if (edge->node < 0 && edge->visits >= s->expand && bag_mover(&next) != NOBODY)
        edge->node = find_or_make(&next);
    if (edge->node >= 0) {
        value = run_shared(edge->node, s, r);
    } else {
        bag_run(&next, r, 0);
        value = bag_payoff(&next, 0);
    }
    node->visits++;
    edge->visits++;
    edge->sum += bag_mover(&node->state) == 0 ? value : 1 - value;
    return value;
}

static struct tree *open_keyed(const struct game *game, bool spare) {
    struct err e = {0};
    const struct tree_memory storage = {4 * TREE_MEMORY, 1, .keyed = true, .spare = spare};
    struct tree *tree = tree_open(game, &storage, &e);
    assert_non_null(tree);
    return tree;
}

static void check_shared(struct tree *tree, const struct trial *t) {
    struct tree_child list[TREE_CHILDREN_MAX];
    struct rng r, own;
    node_count = 0;
    find_or_make(t->root);
    rng_seed(&r, t->seed);
    rng_seed(&own, rng_next(&r));
    for (int i = 0; i < t->simulations; i++)
        run_shared(0, t->settings, &own);
    const struct search_result result = search(tree, t);
    assert_int_equal(tree_root_children(tree, list, TREE_CHILDREN_MAX), KINDS);
    for (int i = 0; i < KINDS; i++) {
        assert_int_equal(list[i].visits, nodes[0].edges[i].visits);
        assert_true(is_same(list[i].sum, nodes[0].edges[i].sum));
    }
    assert_int_equal(result.nodes, node_count * KINDS);
}

static void transpositions_are_those_of_a_naive_search(void **state) {
    (void)state;
    static const double cs[] = {0, 0.5, 1, 3};
    struct tree *tree = open_keyed(&bag_game, false);
    struct rng r;
    rng_seed(&r, 2);
    for (uint64_t i = 0; i < SAMPLE(150, 15); i++) {
        const struct tree_settings settings = {.c = cs[i % 4],
                                               .expand = 1 + (int)rng_below(&r, 3),
                                               .rollout = &bag_rollout,
                                               .transpositions = true};
        struct bag root = {.played = 0};
        for (uint32_t left = rng_below(&r, 5); left > 0; left--)
            bag_play(&root, rng_below(&r, KINDS), NULL);
        check_shared(tree,
                     &(struct trial){&bag_game, &root, &settings, i, 1 + (int)rng_below(&r, 1500), NULL});
    }
    tree_close(tree);
}

/* Sharing makes fewer nodes of the same simulations, and thoughts remain playable. */
static void sharing_saves_nodes(void **state) {
    (void)state;
    struct tree_settings settings = {.c = 1, .expand = 1, .rollout = &bag_rollout};
    const struct bag root = {.played = 2 * A_TURN}; /* two turns from the end all orders come up */
    struct tree *tree = open_keyed(&bag_game, false);
    struct thoughts thoughts = {0};
    struct trial trial = {&bag_game, &root, &settings, 3, 20000, &thoughts};
    const uint64_t apart = search(tree, &trial).nodes;
    settings.transpositions = true;
    assert_true(search(tree, &trial).nodes < apart / 2);
    for (int i = 0; i < thoughts.count; i++) {
        struct bag at = root;
        for (int k = 0; k < thoughts.candidates[i].line_count; k++) {
            assert_true(bag_mover(&at) != NOBODY);
            bag_play(&at, thoughts.candidates[i].line[k], NULL);
        }
    }
    tree_close(tree);
}

/* ---- going on from the last search ---- */

static int sum_of_children(const struct tree *tree) {
    struct tree_child list[TREE_CHILDREN_MAX];
    const int count = tree_root_children(tree, list, TREE_CHILDREN_MAX);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += list[i].visits;
    return sum;
}

static int visits_of(const struct tree *tree, action a) {
    struct tree_child list[TREE_CHILDREN_MAX];
    const int count = tree_root_children(tree, list, TREE_CHILDREN_MAX);
    for (int i = 0; i < count; i++)
        if (list[i].action == a)
            return list[i].visits;
    return 0;
}

/* Two searches in a row: the second starts at the position after the first one's choice, or at another
 * position. Returns the number of the root's visits that the second one reused. */
static int visits_reused(struct tree *tree, const struct tree_settings *settings, uint64_t key,
                         bool elsewhere) {
    struct toy root;
    toy_begin(&root, key, 0);
    const struct search_result first =
        search(tree, &(struct trial){&toy_game, &root, settings, 1, 3000, NULL});
    const int before = visits_of(tree, first.chosen);
    toy_play(&root, first.chosen, NULL);
    if (root.result >= 0)
        return -1;
    if (elsewhere)
        root.key++;
    const struct search_result second =
        search(tree, &(struct trial){&toy_game, &root, settings, 2, 500, NULL});
    assert_int_equal(second.work, 500);
    const int kept = sum_of_children(tree) - 500;
    if (kept > 0) /* all but those before it had children; a shared position may have had other visitors */
        assert_int_equal(kept, before - settings->expand);
    return kept;
}

static void reuse_takes_the_tree_behind_the_choice(void **state) {
    (void)state;
    struct tree *tree = open_keyed(&toy_game, true);
    int seen = 0;
    for (uint64_t key = 0; key < SAMPLE(60, 9); key++) {
        struct tree_settings settings = {.c = 1,
                                         .expand = 1 + (int)(key % 3),
                                         .rollout = &toy_rollout,
                                         .reuse = true,
                                         .transpositions = key % 2 == 0};
        const int kept = visits_reused(tree, &settings, key, false);
        seen += kept > 0;
        assert_true(kept != 0); /* -1: the choice ended the game */
        assert_true(visits_reused(tree, &settings, key, true) <= 0);
        settings.reuse = false;
        assert_true(visits_reused(tree, &settings, key, false) <= 0);
    }
    assert_true(seen > SAMPLE(40, 4));
    tree_close(tree);
}

/* Where simulations are valued in the view of the root's mover, a tree serves that mover only. */
static void reuse_minds_whose_view_it_is(void **state) {
    (void)state;
    struct tree *tree = open_keyed(&toy_game, true);
    struct rng r;
    int same = 0, other = 0;
    rng_seed(&r, 6);
    for (uint64_t key = 0; key < SAMPLE(60, 16); key++) {
        const struct tree_settings settings = {.c = 1,
                                               .expand = 1,
                                               .rollout = &toy_rollout,
                                               .horizon = key % 2 == 0 ? 0 : 50,
                                               .cut = key % 2 == 0 ? TREE_CUT_SIGN : TREE_CUT_LOSS,
                                               .cooperative = key % 2 == 0,
                                               .reuse = true};
        struct toy root;
        toy_draw(&root, &r);
        const int mover = root.side;
        const action chosen =
            search(tree, &(struct trial){&toy_game, &root, &settings, 1, 3000, NULL}).chosen;
        toy_play(&root, chosen, NULL);
        if (root.result >= 0)
            continue;
        search(tree, &(struct trial){&toy_game, &root, &settings, 2, 500, NULL});
        const bool kept = sum_of_children(tree) > 500;
        assert_int_equal(kept, root.side == mover);
        same += root.side == mover;
        other += root.side != mover;
    }
    assert_true(same > SAMPLE(5, 0) && other > SAMPLE(5, 0));
    tree_close(tree);
}

/* The same root again is not the position after its choice. */
static void reuse_forgets_when_asked_again(void **state) {
    (void)state;
    const struct tree_settings settings = {.c = 1, .expand = 1, .rollout = &toy_rollout, .reuse = true};
    struct tree *tree = open_keyed(&toy_game, true);
    struct toy root;
    toy_begin(&root, 3, 0);
    const struct trial trial = {&toy_game, &root, &settings, 1, 2000, NULL};
    const struct search_result first = search(tree, &trial), again = search(tree, &trial);
    assert_int_equal(first.chosen, again.chosen);
    assert_true(is_same(first.value, again.value));
    assert_int_equal(sum_of_children(tree), 2000);
    tree_close(tree);
}

static void compare_children(const struct tree *tree, const struct naive_node *root) {
    struct tree_child list[TREE_CHILDREN_MAX];
    assert_int_equal(tree_root_children(tree, list, TREE_CHILDREN_MAX), root->count);
    for (int i = 0; i < root->count; i++) {
        assert_int_equal(list[i].action, root->children[i]->action);
        assert_int_equal(list[i].visits, root->children[i]->visits);
        assert_true(is_same(list[i].sum, root->children[i]->sum));
    }
}

/* A naive search continues from one of its nodes; every visit is the same, now and in a later search of
 * another position. */
static void reuse_is_that_of_a_naive_search(void **state) {
    (void)state;
    struct tree *tree = open_keyed(&toy_game, true);
    struct widening widening;
    struct rng r;
    int seen = 0;
    rng_seed(&r, 8);
    widening_init(&widening, naive_branches, NAIVE_SWITCH);
    for (uint64_t i = 0; i < SAMPLE(200, 20); i++) {
        const struct tree_settings settings = {.c = 0.5 + (double)(i % 3),
                                               .expand = 1 + (int)(i % 2),
                                               .rollout = &toy_rollout,
                                               .widening = i % 4 == 0 ? &widening : NULL,
                                               .reuse = true};
        struct naive naive = {.settings = &settings, .branches = i % 4 == 0 ? naive_branches : NULL};
        struct toy root;
        toy_draw(&root, &r);
        naive_search(&naive, &root, i, 400);
        struct naive_node *const first = naive.root, *next = NULL;
        const action chosen = search(tree, &(struct trial){&toy_game, &root, &settings, i, 400, NULL}).chosen;
        compare_children(tree, first);
        for (int k = 0; k < first->count; k++)
            if (first->children[k]->action == chosen)
                next = first->children[k];
        if (next->count > 0) {
            naive_go_on(&naive, next, i + 1, 300);
            search(tree, &(struct trial){&toy_game, &next->state, &settings, i + 1, 300, NULL});
            compare_children(tree, next);
            seen++;
        }
        naive_free(first);
    }
    assert_true(seen > SAMPLE(100, 8));
    tree_close(tree);
}

static bool is_listed(const struct toy *t, action a) {
    action list[TOY_BRANCHES_MAX];
    for (int i = toy_game.actions(t, list) - 1; i >= 0; i--)
        if (list[i] == a)
            return true;
    return false;
}

/* Both sides' choices to the end, with storage from none to plenty: every choice is one of the position's. */
static void reuse_follows_whole_games(void **state) {
    (void)state;
    struct widening widening;
    widening_init(&widening, naive_branches, NAIVE_SWITCH);
    for (uint64_t game = 0; game < SAMPLE(60, 21); game++) {
        const struct tree_memory storage = {.memory_bytes = (size_t)1 << game % 21,
                                            .trees = 1 + (int)(game % 3),
                                            .keyed = true,
                                            .spare = true};
        const struct tree_settings settings = {.c = 1,
                                               .expand = 1,
                                               .rollout = &toy_rollout,
                                               .shuffle = true,
                                               .widening = game % 4 == 0 ? &widening : NULL,
                                               .transpositions = game % 2 == 0,
                                               .reuse = true};
        struct err e = {0};
        struct toy at;
        struct tree *tree = tree_open(&toy_game, &storage, &e);
        assert_non_null(tree);
        toy_begin(&at, game, 0);
        while (at.result < 0) {
            const struct search_result result =
                search(tree, &(struct trial){&toy_game, &at, &settings, game, 600, NULL});
            assert_int_equal(result.work, 600);
            assert_true(sum_of_children(tree) >= 600);
            assert_true(is_listed(&at, result.chosen));
            assert_true(result.value >= 0 && result.value <= 1);
            toy_play(&at, result.chosen, NULL);
        }
        tree_close(tree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transpositions_are_those_of_a_naive_search),
        cmocka_unit_test(sharing_saves_nodes),
        cmocka_unit_test(reuse_takes_the_tree_behind_the_choice),
        cmocka_unit_test(reuse_minds_whose_view_it_is),
        cmocka_unit_test(reuse_forgets_when_asked_again),
        cmocka_unit_test(reuse_is_that_of_a_naive_search),
        cmocka_unit_test(reuse_follows_whole_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
