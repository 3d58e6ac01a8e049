/* SPDX-License-Identifier: MIT
 *
 * The tree search over information sets: which nodes there are, that values are those of players without
 * hidden information, what a full storage does, and that no search affects the next.
 */
#include "search/tree.c" /* the storage is internal */

#include "game/synth/synth.h"
#include "tree_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* A position of a game without a map. */
struct table {
    struct scenario *scenario;
    union search_state state;
};

static void sit_down(struct table *t, const char *spec, const char *state) {
    struct err e = {0};
    t->scenario = game_load_spec(spec, &e);
    assert_string_equal(e.text, "");
    assert_non_null(t->scenario);
    const struct game *game = t->scenario->game;
    if (!game->text->read_state(&t->state, t->scenario, state, &e))
        fail_msg("%s", e.text);
}

/* The same as the view of the side to move. */
static void sit_down_blind(struct table *t, const char *spec, const char *state) {
    sit_down(t, spec, state);
    t->scenario->game->hide(&t->state, t->scenario->game->mover(&t->state));
}

static void stand_up(struct table *t) {
    game_unload(t->scenario);
}

static struct tree *open_hidden(const struct game *game, size_t memory, int trees) {
    const struct tree_memory storage = {
        .memory_bytes = memory, .trees = trees, .keyed = true, .squares = true};
    struct err e = {0};
    struct tree *tree = tree_open(game, &storage, &e);
    assert_non_null(tree);
    return tree;
}

static struct tree_settings settings_for(const struct game *game) {
    return (struct tree_settings){.c = 1, .expand = 1, .rollout = game->rollouts, .hidden = true};
}

/* The root's statistics of one of its actions. */
static struct tree_child child_of(const struct tree *tree, action a) {
    struct tree_child list[TREE_CHILDREN_MAX];
    const int count = tree_root_children(tree, list, TREE_CHILDREN_MAX);
    for (int i = 0; i < count; i++)
        if (list[i].action == a)
            return list[i];
    fail();
    return list[0];
}

static double mean(struct tree_child child) {
    return child.sum / child.visits;
}

/* ---- strategy fusion ---- */

enum { FUSION_A1 = 1, FUSION_A2 = 2 };

static void what_is_not_seen_is_not_used(void **state) {
    (void)state;
    struct table t;
    sit_down(&t, "fusion", "world=? moves=-");
    const struct game *game = t.scenario->game;
    struct tree *tree = open_hidden(game, TREE_MEMORY, 1);
    struct tree_settings settings = settings_for(game);
    for (int bound = TREE_UCB1; bound <= TREE_TUNED; bound++) {
        settings.bound = (enum tree_bound)bound;
        settings.c = 20; /* so that the worse action gets many visits too */
        const struct search_result r =
            search(tree, &(struct trial){game, &t.state, &settings, 5, 40000, NULL});
        assert_int_equal(r.chosen, FUSION_A2);
        assert_true(is_same(r.value, 0.75));
        assert_true(fabs(mean(child_of(tree, FUSION_A1)) - 0.5) < 0.02);
        assert_int_equal(r.nodes, 4); /* two decisions: the second is one for both worlds */
        assert_int_equal(r.leaves, 40000);
    }
    tree_close(tree);
    stand_up(&t);
}

/* A search of each world alone overestimates a1 as a win. */
static void one_world_misleads(void **state) {
    (void)state;
    struct table t;
    sit_down(&t, "fusion", "world=y moves=-");
    const struct game *game = t.scenario->game;
    struct tree *tree = open_hidden(game, TREE_MEMORY, 1);
    struct tree_settings settings = settings_for(game);
    settings.hidden = false;
    const struct search_result r = search(tree, &(struct trial){game, &t.state, &settings, 5, 40000, NULL});
    assert_int_equal(r.chosen, FUSION_A1);
    assert_true(r.value > 0.98);
    tree_close(tree);
    stand_up(&t);
}

/* ---- bounds ---- */

/* Equations (2) and (3) for an arm with a constant `reward`: its variance is zero. */
static double tuned_bound(double reward, int visits, int n) {
    const double share = log(n) / visits;
    return reward + sqrt(share * fmin(0.25, sqrt(2 * share)));
}

/* Two actions of which one always loses and one always wins: every visit can be computed. */
static void tuned_bounds_are_the_papers(void **state) {
    (void)state;
    struct table t;
    sit_down(&t, "fusion", "world=x moves=a1");
    const struct game *game = t.scenario->game;
    struct tree *tree = open_hidden(game, TREE_MEMORY, 1);
    struct tree_settings settings = settings_for(game);
    settings.bound = TREE_TUNED;
    int visits[2] = {1, 1};
    for (int n = 2; n < 3000; n++) {
        if (n == 10 || n == 100 || n == 1000 || n == 2999) {
            struct tree_child found[2];
            search(tree, &(struct trial){game, &t.state, &settings, 1, n, NULL});
            assert_int_equal(tree_root_children(tree, found, 2), 2);
            for (int i = 0; i < 2; i++)
                assert_int_equal(found[i].visits, visits[i]);
        }
        visits[tuned_bound(1, visits[1], n) > tuned_bound(0, visits[0], n)]++;
    }
    tree_close(tree);
    stand_up(&t);
}

/* ---- the nodes of a tree ---- */

/* With J in hand the other has Q or K: two nodes of its own behind each action, and our second decision,
 * after pass and bet, is one again. */
static void nodes_are_information_sets(void **state) {
    (void)state;
    struct table t;
    sit_down(&t, "kuhn", "cards=J,? moves=-");
    const struct game *game = t.scenario->game;
    struct tree *tree = open_hidden(game, TREE_MEMORY, 1);
    const struct tree_settings settings = settings_for(game);
    struct thoughts thoughts = {0};
    const struct search_result r =
        search(tree, &(struct trial){game, &t.state, &settings, 3, 5000, &thoughts});
    assert_int_equal(r.nodes, 2 * (1 + 2 * 2 + 1));
    assert_int_equal(thoughts.count, 2);
    for (int i = 0; i < thoughts.count; i++) /* the continuation depends on the world */
        assert_int_equal(thoughts.candidates[i].line_count, 1);
    tree_close(tree);
    stand_up(&t);
}

/* Where nothing is hidden an information set is a position. */
static void without_secrets_nodes_are_positions(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 77);
    struct tree *tree = open_hidden(&toy_game, TREE_MEMORY, 1);
    for (int i = 0; i < 50; i++) {
        struct tree_settings settings = {
            .c = 1, .expand = 1 + i % 3, .rollout = &toy_rollout, .shuffle = true};
        struct tree_child hidden[TREE_CHILDREN_MAX], shared[TREE_CHILDREN_MAX];
        struct thoughts thoughts = {0};
        struct toy root;
        toy_draw(&root, &r);
        const struct trial trial = {&toy_game, &root, &settings, (uint64_t)i, 700, &thoughts};
        settings.hidden = true;
        const struct search_result a = search(tree, &trial);
        const int count = tree_root_children(tree, hidden, TREE_CHILDREN_MAX);
        settings.hidden = false;
        settings.transpositions = true;
        const struct search_result b = search(tree, &trial);
        tree_root_children(tree, shared, TREE_CHILDREN_MAX);
        assert_memory_equal(hidden, shared, (size_t)count * sizeof hidden[0]);
        assert_int_equal(a.chosen, b.chosen);
        assert_int_equal(a.nodes, b.nodes);
    }
    tree_close(tree);
}

/* ---- exact values ---- */

/* To side 0, between players with full information. */
static double minimax(const struct game *game, const union search_state *state) {
    const int mover = game->mover(state);
    if (mover == NOBODY)
        return game->payoff(state, 0);
    action list[SYNTH_BRANCHING_MAX];
    const int count = game->actions(state, list);
    double best = mover == 0 ? -1 : 2;
    for (int i = 0; i < count; i++) {
        union search_state next = *state;
        game->play(&next, list[i], NULL);
        const double value = minimax(game, &next);
        best = mover == 0 ? fmax(best, value) : fmin(best, value);
    }
    return best;
}

/* The mean over all worlds of the value of a root action to side 0 against an opponent with full information.
 */
static double worth_of(const struct game *game, const union search_state *view, action a) {
    const uint64_t worlds = (uint64_t)game->worlds(view);
    double sum = 0;
    for (uint64_t i = 0; i < worlds; i++) {
        union search_state world = *view;
        game->world(&world, i);
        game->play(&world, a, NULL);
        sum += minimax(game, &world);
    }
    return sum / (double)worlds;
}

static void check_values(const char *spec, double worlds, int simulations) {
    struct table t;
    struct err e = {0};
    struct rng r;
    t.scenario = game_load_spec(spec, &e);
    assert_string_equal(e.text, "");
    const struct game *game = t.scenario->game;
    struct tree *tree = open_hidden(game, TREE_MEMORY, 1);
    rng_seed(&r, 11);
    for (int i = 0; i < 8; i++) {
        struct tree_settings settings = settings_for(game);
        settings.bound = i % 2 == 0 ? TREE_UCB1 : TREE_TUNED;
        game->start(&t.state, t.scenario, &r);
        game->hide(&t.state, 0);
        assert_true(is_same(game->worlds(&t.state), worlds));
        const struct search_result found =
            search(tree, &(struct trial){game, &t.state, &settings, (uint64_t)i, simulations, NULL});
        const double best = fmax(worth_of(game, &t.state, 0), worth_of(game, &t.state, 1));
        assert_true(fabs(found.value - best) < 0.04);
        assert_true(worth_of(game, &t.state, found.chosen) > best - 0.02);
    }
    tree_close(tree);
    stand_up(&t);
}

static void values_tend_to_the_exact_ones(void **state) {
    (void)state;
    check_values("synth:df=1,depth=4", 1, 30000); /* everything is seen from the first move on */
    check_values("synth:df=0,depth=2", 8, 30000); /* only the answering player sees anything */
    check_values("synth:df=0,depth=1", 8, 30000);
}

/* ---- storage ---- */

static void a_full_tree_goes_on(void **state) {
    (void)state;
    struct table t;
    sit_down_blind(&t, "synth:depth=20,df=0.3,tree=9", "tree=9 moves=- types=3,5");
    const struct game *game = t.scenario->game;
    uint64_t fewer = 0;
    for (size_t memory = 0; memory <= TREE_MEMORY; memory = memory * 8 + 1) {
        struct tree *tree = open_hidden(game, memory, 1);
        const struct tree_settings settings = settings_for(game);
        const struct search_result r =
            search(tree, &(struct trial){game, &t.state, &settings, 2, 5000, NULL});
        assert_int_equal(r.work, 5000);
        assert_int_equal(child_of(tree, 0).visits + child_of(tree, 1).visits, 5000);
        assert_true(r.nodes >= fewer);
        fewer = r.nodes;
        tree_close(tree);
    }
    assert_true(fewer > 1500);
    stand_up(&t);
}

/* Two searches of another position in between leave no trace; several trees give one result. */
static void searches_do_not_remember(void **state) {
    (void)state;
    struct table t, other;
    sit_down_blind(&t, "synth:tree=4", "tree=4 moves=- types=1,2");
    sit_down_blind(&other, "synth:tree=5", "tree=5 moves=R types=0,6");
    const struct game *game = t.scenario->game;
    struct tree_settings settings = settings_for(game);
    settings.shuffle = true;
    for (int trees = 1; trees <= 3; trees++) {
        struct tree *tree = open_hidden(game, TREE_MEMORY, trees);
        struct tree_child before[2], after[2];
        const struct trial trial = {game, &t.state, &settings, 8, 900, NULL};
        const struct search_result a = search(tree, &trial);
        tree_root_children(tree, before, 2);
        assert_int_equal(before[0].visits + before[1].visits, 900);
        for (int i = 0; i < 2; i++)
            search(tree, &(struct trial){game, &other.state, &settings, 7, 2000, NULL});
        const struct search_result b = search(tree, &trial);
        tree_root_children(tree, after, 2);
        assert_memory_equal(before, after, sizeof before);
        assert_int_equal(a.chosen, b.chosen);
        assert_int_equal(a.nodes, b.nodes);
        tree_close(tree);
    }
    stand_up(&other);
    stand_up(&t);
}

/* Places are not wiped between searches but stamped; stamps come to an end and begin again. */
static void stamps_begin_again(void **state) {
    (void)state;
    struct tree_storage ground;
    const action list[2] = {4, 5};
    assert_true(tree_storage_init(&ground, 1 << 12, 2, true, false));
    ground.stamp = UINT32_MAX - 2;
    for (int round = 0; round < 6; round++) {
        tree_storage_clear(&ground);
        assert_true(ground.stamp != 0);
        tree_storage_add(&ground, list, 2, 0); /* the root */
        for (uint64_t key = 1; key <= 20; key++) {
            const uint64_t far = key * 64 + (uint64_t)round % 2;
            assert_int_equal(tree_storage_find(&ground, far), TREE_LEAF);
            const uint32_t node = tree_storage_add(&ground, list, 2, 1);
            tree_storage_remember(&ground, far, node);
            assert_int_equal(tree_storage_find(&ground, far), node);
        }
    }
    tree_storage_done(&ground);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_seen_is_not_used),
        cmocka_unit_test(one_world_misleads),
        cmocka_unit_test(tuned_bounds_are_the_papers),
        cmocka_unit_test(nodes_are_information_sets),
        cmocka_unit_test(without_secrets_nodes_are_positions),
        cmocka_unit_test(values_tend_to_the_exact_ones),
        cmocka_unit_test(a_full_tree_goes_on),
        cmocka_unit_test(searches_do_not_remember),
        cmocka_unit_test(stamps_begin_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
