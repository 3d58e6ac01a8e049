/* SPDX-License-Identifier: MIT
 *
 * The Monte-Carlo tree search on toys. On one whose tree is drawn by a hash, a naive search must agree with
 * the real one in every visit, for all settings; another is a small tree written down, whose values are
 * known.
 */
#include "search/tree.h"

#include "tree_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- the two agree ---- */

static bool is_better(const struct naive_node *a, const struct naive_node *b, enum tree_choice choice) {
    const bool higher = a->visits > 0 && a->sum / a->visits > b->sum / b->visits;
    return choice == TREE_CHOOSE_MEAN || a->visits == b->visits ? higher : a->visits > b->visits;
}

static void compare_thought(const struct naive_node *child, const struct thought *thought) {
    action line[THOUGHTS_LINE_MAX];
    const int count = naive_line(child, line);
    assert_int_equal(thought->visits, child->visits);
    assert_true(is_same(thought->value, child->sum / child->visits));
    assert_int_equal(thought->line_count, count);
    assert_memory_equal(thought->line, line, (size_t)count * sizeof line[0]);
}

/* Returns the child to be chosen. */
static const struct naive_node *compare_roots(const struct naive *n, const struct tree *tree,
                                              const struct thoughts *thoughts) {
    struct tree_child list[TREE_CHILDREN_MAX];
    const struct naive_node *best = n->root->children[0];
    int thought = 0;
    assert_int_equal(tree_root_children(tree, list, TREE_CHILDREN_MAX), n->root->count);
    for (int i = 0; i < n->root->count; i++) {
        const struct naive_node *child = n->root->children[i];
        assert_int_equal(list[i].action, child->action);
        assert_int_equal(list[i].visits, child->visits);
        assert_true(is_same(list[i].sum, child->sum));
        if (is_better(child, best, n->settings->choice))
            best = child;
        for (int k = 0; k < thoughts->count; k++) {
            if (thoughts->candidates[k].action == child->action) {
                compare_thought(child, &thoughts->candidates[k]);
                thought++;
            }
        }
    }
    assert_int_equal(thoughts->count, thought);
    assert_int_equal(thoughts->total, n->root->count);
    return best;
}

/* In a hurry a child that has ended the game goes before one that has only won all its simulations. */
static const struct naive_node *hurry(const struct naive *n, const struct naive_node *best) {
    for (int i = 0; i < n->root->count && is_same(best->sum, best->visits); i++) {
        const struct naive_node *child = n->root->children[i];
        if (child->visits > 0 && is_same(child->sum, child->visits) && child->state.result >= 0)
            return child;
    }
    return best;
}

static void compare(const struct naive *n, const struct tree *tree, const struct search_result *result,
                    const struct thoughts *thoughts) {
    const struct naive_node *best = compare_roots(n, tree, thoughts);
    if (n->settings->hurry)
        best = hurry(n, best);
    assert_int_equal(result->chosen, best->action);
    assert_true(is_same(result->value, best->sum / best->visits));
    assert_int_equal(result->work, n->root->visits);
    assert_int_equal(result->nodes, n->children);
    assert_int_equal(tree_depth(tree), n->depth);
    assert_int_equal(thoughts->simulations, n->root->visits);
    assert_int_equal(thoughts->nodes, n->children);
    assert_int_equal(thoughts->depth, n->depth + 1);
}

static struct tree_settings draw_settings(struct rng *r, const struct widening *widening) {
    static const double cs[] = {0, 0.15, 0.7, 1, 3}, weights[2] = {1, -1};
    static const int expands[] = {1, 1, 2, 11};
    return (struct tree_settings){
        .c = cs[rng_below(r, 5)],
        .expand = expands[rng_below(r, 4)],
        .rollout = &toy_rollout,
        .horizon = (int)rng_below(r, 5),
        .cut = rng_below(r, 2) == 0 ? TREE_CUT_SIGN : TREE_CUT_LOSS,
        .eval = &toy_eval,
        .weights = &weights[rng_below(r, 2)],
        .prior = rng_below(r, 2) == 0 ? &toy_prior : NULL,
        .widening = rng_below(r, 2) == 0 ? widening : NULL,
        .hurry = rng_below(r, 2) == 0,
        .root_total = rng_below(r, 2) == 0,
        .cooperative = rng_below(r, 3) == 0,
        .choice = rng_below(r, 2) == 0 ? TREE_CHOOSE_MEAN : TREE_CHOOSE_VISITS,
    };
}

static void check_against_naive(struct rng *r, struct tree *tree, int simulations) {
    struct widening widening;
    struct thoughts thoughts = {0};
    struct toy root;
    widening_init(&widening, naive_branches, NAIVE_SWITCH);
    struct tree_settings settings = draw_settings(r, &widening);
    settings.bound = rng_below(r, 2) == 0 ? TREE_UCB1 : TREE_TUNED;
    struct naive naive = {.settings = &settings,
                          .branches = settings.widening != NULL ? naive_branches : NULL};
    const uint64_t seed = rng_next(r);
    toy_draw(&root, r);
    naive_search(&naive, &root, seed, simulations);
    toy_latest_turn = -1;
    const struct search_result result =
        search(tree, &(struct trial){&toy_game, &root, &settings, seed, simulations, &thoughts});
    compare(&naive, tree, &result, &thoughts);
    if (settings.horizon > 0)
        assert_true(toy_latest_turn < root.turn + settings.horizon);
    naive_free(naive.root);
}

static void searches_as_a_naive_one_does(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 1);
    struct tree *tree =
        open_tree(&toy_game, TREE_MEMORY, 1); /* one for all: no data may be left of a search */
    for (int i = 0; i < 600; i++)
        check_against_naive(&r, tree, 1 + (int)rng_below(&r, 700));
    for (int i = 0; i < 10; i++)
        check_against_naive(&r, tree, 5000);
    tree_close(tree);
}

/* And not only in the end: after every single simulation. */
static void every_simulation_is_the_naive_ones(void **state) {
    (void)state;
    struct tree *tree = open_tree(&toy_game, TREE_MEMORY, 1);
    for (uint64_t game = 0; game < 12; game++) {
        for (int simulations = 1; simulations <= 150; simulations++) {
            struct rng r;
            rng_seed(&r, game);
            check_against_naive(&r, tree, simulations);
        }
    }
    tree_close(tree);
}

/* ---- a tree written down ---- */

/* Red (the root's mover) acts twice, blue answers once or twice. Action 10 is a trap: at random it wins more
 * often than any other, but blue can refute it. Action 11 wins if red goes on well. Action 12 draws. */
enum { WON = 100, DRAWN, LOST };

static const struct {
    int mover, turn, count, next[4];
} hand[] = {
    {0, 0, 3, {1, 2, DRAWN}},    {0, 0, 2, {3, 4}},
    {0, 0, 2, {5, 6}},           {1, 1, 4, {WON, WON, WON, LOST}},
    {1, 1, 3, {WON, LOST, WON}}, {1, 1, 4, {LOST, LOST, LOST, LOST}},
    {1, 1, 2, {7, 7}},           {1, 1, 2, {WON, WON}},
};
static const double hand_means[] = {(3.0 / 4 + 2.0 / 3) / 2, 0.5, 0.5};

struct hand_state {
    int at, mirror; /* mirror: 1 when red and blue change places */
};

static int hand_mover(const void *state) {
    const struct hand_state *s = state;
    return s->at >= WON ? NOBODY : hand[s->at].mover ^ s->mirror;
}

static int hand_actions(const void *state, action *out) {
    const struct hand_state *s = state;
    for (int i = 0; i < hand[s->at].count; i++)
        out[i] = (action)(10 + i);
    return hand[s->at].count;
}

static void hand_play(void *state, action a, struct rng *r) {
    (void)r;
    struct hand_state *s = state;
    s->at = hand[s->at].next[a - 10];
}

static double hand_payoff(const void *state, int side) {
    const struct hand_state *s = state;
    const double value = s->at == WON ? 1 : s->at == DRAWN ? 0.5 : 0;
    return side == s->mirror ? value : 1 - value;
}

static int hand_turn(const void *state) {
    const struct hand_state *s = state;
    return s->at >= WON ? 2 : hand[s->at].turn;
}

static long hand_run(void *state, struct rng *r, int turns_max) {
    (void)turns_max;
    struct hand_state *s = state;
    long played = 0;
    for (; s->at < WON; played++)
        hand_play(s, 10 + rng_below(r, (uint32_t)hand[s->at].count), r);
    return played;
}

static const struct game hand_game = {
    .name = "hand",
    .state_size = sizeof(struct hand_state),
    .actions_max = 4,
    .mover = hand_mover,
    .actions = hand_actions,
    .play = hand_play,
    .payoff = hand_payoff,
    .turn = hand_turn,
};
static const struct rollout hand_rollout = {"random", "", hand_run};

static struct search_result search_hand(int mirror, int expand, bool cooperative, struct tree_child *list) {
    const struct hand_state root = {.mirror = mirror};
    const struct tree_settings settings = {
        .c = 2, .expand = expand, .rollout = &hand_rollout, .cooperative = cooperative};
    struct tree *tree = open_tree(&hand_game, TREE_MEMORY, 1);
    const struct search_result result =
        search(tree, &(struct trial){&hand_game, &root, &settings, 5, 20000, NULL});
    assert_int_equal(tree_root_children(tree, list, TREE_CHILDREN_MAX), 3);
    assert_int_equal(list[0].visits + list[1].visits + list[2].visits, 20000);
    tree_close(tree);
    return result;
}

static void values_of_a_flat_search_are_the_means(void **state) {
    (void)state;
    struct tree_child list[TREE_CHILDREN_MAX];
    for (int mirror = 0; mirror < 2; mirror++) {
        assert_int_equal(search_hand(mirror, 1000000, false, list).chosen, 10); /* it falls into the trap */
        for (int i = 0; i < 3; i++) {
            assert_true(list[i].visits > 100);
            const double mean = list[i].sum / list[i].visits;
            assert_true(fabs(mean - hand_means[i]) < 4 * 0.5 / sqrt(list[i].visits));
        }
    }
}

static void a_growing_tree_finds_the_minimax_action(void **state) {
    (void)state;
    struct tree_child list[TREE_CHILDREN_MAX];
    for (int mirror = 0; mirror < 2; mirror++) {
        const struct search_result result = search_hand(mirror, 1, false, list);
        assert_int_equal(result.chosen, 11);
        assert_true(result.value > 0.98);
        assert_true(list[1].visits > 19000);
        assert_true(list[0].sum / list[0].visits < 0.4);
        assert_true(fabs(list[2].sum / list[2].visits - 0.5) < 1e-9);
    }
}

/* With both sides choosing for the root's mover the trap is no trap. */
static void a_cooperative_opponent_does_not_refute(void **state) {
    (void)state;
    struct tree_child list[TREE_CHILDREN_MAX];
    for (int mirror = 0; mirror < 2; mirror++) {
        search_hand(mirror, 1, true, list);
        assert_true(list[0].sum / list[0].visits > 0.95);
        assert_true(list[1].sum / list[1].visits > 0.95);
    }
}

static double minimax(const struct toy *t) {
    action list[TOY_BRANCHES_MAX];
    if (t->result >= 0)
        return t->result / 2.0;
    const int count = toy_game.actions(t, list);
    double best = t->side == 0 ? 0 : 1;
    for (int i = 0; i < count; i++) {
        struct toy next = *t;
        toy_play(&next, list[i], NULL);
        best = t->side == 0 ? fmax(best, minimax(&next)) : fmin(best, minimax(&next));
    }
    return best;
}

/* Positions of the other toy, three turns before its end at most. */
static void late_positions_get_their_minimax_value(void **state) {
    (void)state;
    const struct tree_settings settings = {.c = 1, .expand = 1, .rollout = &toy_rollout};
    struct tree *tree = open_tree(&toy_game, 8 * TREE_MEMORY, 1);
    struct rng r;
    rng_seed(&r, 3);
    int seen[3] = {0};
    for (uint64_t i = 0; i < 60; i++) {
        struct toy root;
        toy_draw(&root, &r);
        root.turn = TOY_TURNS - 2;
        const double value = minimax(&root);
        const struct search_result result =
            search(tree, &(struct trial){&toy_game, &root, &settings, i, 15000, NULL});
        struct toy next = root;
        toy_play(&next, result.chosen, NULL);
        assert_true(is_same(minimax(&next), value));
        assert_true(fabs(result.value - (root.side == 0 ? value : 1 - value)) < 0.1);
        seen[(int)(2 * value)]++;
    }
    assert_true(seen[0] > 2 && seen[1] > 2 && seen[2] > 2);
    tree_close(tree);
}

/* ---- where a simulation is cut ---- */

static double only_value(int side, const struct tree_settings *settings, int seed) {
    const struct toy *found = NULL;
    struct toy root;
    struct rng r;
    rng_seed(&r, (uint64_t)seed);
    while (found == NULL) { /* a position whose turn cannot end the game and is one action long */
        toy_draw(&root, &r);
        action list[TOY_BRANCHES_MAX];
        root.left = 1;
        root.side = side;
        const int count = toy_game.actions(&root, list);
        found = &root;
        for (int i = 0; i < count && found != NULL; i++) {
            struct toy next = root;
            toy_play(&next, list[i], NULL);
            if (next.result >= 0)
                found = NULL;
        }
    }
    struct tree *tree = open_tree(&toy_game, TREE_MEMORY, 1);
    const double value = search(tree, &(struct trial){&toy_game, &root, settings, 1, 200, NULL}).value;
    assert_int_equal(tree_depth(tree), 0); /* nothing grows beyond the horizon either */
    tree_close(tree);
    return value;
}

static double fixed_lead(const void *state, int side, const double *weights) {
    (void)state;
    return side == 0 ? weights[0] : -weights[0];
}

static void cuts_are_decided_by_sign_or_lost(void **state) {
    (void)state;
    static const struct eval fixed = {"fixed", "", fixed_lead};
    static const double leads[3] = {-0.001, 0, 1000};
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 3; i++) {
            struct tree_settings settings = {.c = 1,
                                             .expand = 1,
                                             .rollout = &toy_rollout,
                                             .horizon = 1,
                                             .cut = TREE_CUT_SIGN,
                                             .eval = &fixed,
                                             .weights = &leads[i]};
            const double to_0 = i / 2.0;
            assert_true(is_same(only_value(side, &settings, i), side == 0 ? to_0 : 1 - to_0));
            settings.cut = TREE_CUT_LOSS;
            assert_true(is_same(only_value(side, &settings, i), 0));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_as_a_naive_one_does),
        cmocka_unit_test(every_simulation_is_the_naive_ones),
        cmocka_unit_test(values_of_a_flat_search_are_the_means),
        cmocka_unit_test(a_growing_tree_finds_the_minimax_action),
        cmocka_unit_test(a_cooperative_opponent_does_not_refute),
        cmocka_unit_test(late_positions_get_their_minimax_value),
        cmocka_unit_test(cuts_are_decided_by_sign_or_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
