/* SPDX-License-Identifier: MIT */
#include "tree_support.h"

#include "base/mem.h"
#include "base/numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- the game ---- */

static uint64_t draw(const struct toy *t, uint64_t what) {
    return rng_mix(t->key ^ what * 0x9E3779B97F4A7C15U);
}

void toy_begin(struct toy *t, uint64_t key, int side) {
    memset(t, 0, sizeof *t);
    t->key = rng_mix(key + 1);
    t->side = side;
    t->left = 2;
    t->result = -1;
}

static int toy_mover(const void *state) {
    const struct toy *t = state;
    return t->result >= 0 ? NOBODY : t->side;
}

static int toy_actions(const void *state, action *out) {
    const struct toy *t = state;
    const int count = t->result >= 0 ? 0 : 1 + (int)(draw(t, 1) % TOY_BRANCHES_MAX);
    for (int i = 0; i < count; i++)
        out[i] = (action)(100 + (i * 11 + 3) % count); /* in an order of its own */
    return count;
}

static double toy_payoff(const void *state, int side) {
    const double value = ((const struct toy *)state)->result / 2.0;
    return side == 0 ? value : 1 - value;
}

static uint64_t toy_key(const void *state) {
    return draw(state, 6);
}

static int toy_turn(const void *state) {
    return ((const struct toy *)state)->turn;
}

void toy_play(void *state, action a, struct rng *r) {
    (void)r;
    struct toy *t = state;
    t->key = rng_mix(t->key + a);
    if (--t->left == 0) {
        t->turn++;
        t->side ^= 1;
        t->left = 1 + (int)(draw(t, 2) % 3);
    }
    if (t->turn == TOY_TURNS || draw(t, 3) % 12 == 0)
        t->result = (int)(draw(t, 4) % 3);
}

static double toy_lead(const void *state, int side, const double *weights) {
    const double lead = (double)(draw(state, 5) % 5) - 2;
    return weights[0] * (side == 0 ? lead : -lead);
}

_Thread_local int toy_latest_turn = -1;

static void toy_play_noting(void *state, action a, struct rng *r) {
    if (toy_turn(state) > toy_latest_turn)
        toy_latest_turn = toy_turn(state);
    toy_play(state, a, r);
}

static long toy_run(void *state, struct rng *r, int turns_max) {
    action list[TOY_BRANCHES_MAX];
    const int begin = toy_turn(state);
    long played = 0;
    for (; toy_mover(state) != NOBODY && (turns_max == 0 || toy_turn(state) < begin + turns_max); played++)
        toy_play_noting(state, list[rng_below(r, (uint32_t)toy_actions(state, list))], r);
    return played;
}

static void toy_score(const void *state, const action *list, int count, float *out) {
    (void)state;
    for (int i = 0; i < count; i++)
        out[i] = (float)(list[i] % 3);
}

const struct rollout toy_rollout = {"random", "", toy_run};
const struct eval toy_eval = {"lead", "", toy_lead};
const struct prior toy_prior = {"thirds", "", toy_score};

const struct game toy_game = {
    .name = "hash",
    .state_size = sizeof(struct toy),
    .actions_max = TOY_BRANCHES_MAX,
    .mover = toy_mover,
    .actions = toy_actions,
    .play = toy_play_noting,
    .payoff = toy_payoff,
    .turn = toy_turn,
    .key = toy_key,
};

/* Somewhere in a game, so that turns do not begin at 0 and either side may be the root's. */
void toy_draw(struct toy *t, struct rng *r) {
    action list[TOY_BRANCHES_MAX];
    do {
        toy_begin(t, rng_next(r), (int)rng_below(r, 2));
        for (uint32_t left = rng_below(r, 5); left > 0 && t->result < 0; left--)
            toy_play(t, list[rng_below(r, (uint32_t)toy_actions(t, list))], NULL);
    } while (t->result >= 0);
}

/* ---- a naive search ---- */

const struct widening_branch naive_branches[2] = {{1.4, 0, 5, 0}, {1.2, 100, 40, 0}};

static struct naive_node *naive_make(const struct toy *state, action a) {
    struct naive_node *node = mem_alloc(sizeof *node);
    assert_non_null(node);
    node->state = *state;
    node->action = a;
    return node;
}

void naive_free(struct naive_node *node) {
    for (int i = 0; i < node->count; i++)
        naive_free(node->children[i]);
    mem_free(node);
}

static void naive_expand(struct naive *n, struct naive_node *node) {
    action list[TOY_BRANCHES_MAX];
    const int count = toy_actions(&node->state, list);
    for (int score = 2; score >= 0; score--) {
        for (int i = 0; i < count; i++) {
            if (n->settings->prior != NULL ? list[i] % 3 != (action)score : score > 0)
                continue;
            struct toy next = node->state;
            toy_play(&next, list[i], NULL);
            node->children[node->count++] = naive_make(&next, list[i]);
        }
    }
    assert_int_equal(node->count, count);
    n->children += count;
}

/* Equations (2) and (3) of UCB1-tuned, times c; or UCB1's. */
static double naive_bound(const struct tree_settings *s, const struct naive_node *child, double log_n) {
    const int n = child->visits;
    const double xbar = child->sum / n;
    if (s->bound == TREE_UCB1)
        return xbar + s->c * sqrt(log_n / n);
    const double v = child->squares / n - xbar * xbar + sqrt(2 * (log_n / n));
    return xbar + s->c * sqrt(log_n / n * fmin(0.25, v));
}

static struct naive_node *naive_select(const struct naive *n, const struct naive_node *node) {
    const struct tree_settings *s = n->settings;
    int open = node->count;
    if (n->branches != NULL && widening_count(n->branches, NAIVE_SWITCH, node->visits + 1) < open)
        open = widening_count(n->branches, NAIVE_SWITCH, node->visits + 1);
    const int total = s->root_total ? n->root->visits : node->visits;
    struct naive_node *best = NULL;
    double highest = 0;
    for (int i = 0; i < open; i++) {
        struct naive_node *child = node->children[i];
        if (child->visits == 0)
            return child;
        const double bound = naive_bound(s, child, total > 1 ? ln_of(total) : 0);
        if (best == NULL || bound > highest) {
            best = child;
            highest = bound;
        }
    }
    return best;
}

/* The value to side 0 of a simulation that has ended or was cut. */
static double naive_worth(const struct naive *n, const struct toy *end) {
    const struct tree_settings *s = n->settings;
    if (end->result >= 0)
        return end->result / 2.0;
    assert_true(s->horizon > 0);
    assert_int_equal(end->turn, n->root->state.turn + s->horizon);
    if (s->cut == TREE_CUT_LOSS)
        return n->root->state.side; /* side 0 gets nothing if it is the searching side, else all */
    const double lead = toy_lead(end, 0, s->weights);
    return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
}

/* One simulation from this node on; returns its value to side 0. */
static double naive_run(struct naive *n, struct naive_node *node, int depth) {
    const struct tree_settings *s = n->settings;
    struct toy end = node->state;
    const int turns = s->horizon > 0 ? n->root->state.turn + s->horizon - end.turn : 0;
    if (end.result >= 0 || (s->horizon > 0 && turns <= 0))
        return naive_worth(n, &end);
    if (node != n->root && node->count == 0 && node->visits < s->expand) {
        toy_run(&end, &n->rng, turns);
        return naive_worth(n, &end);
    }
    if (node->count == 0)
        naive_expand(n, node);
    if (depth > n->depth)
        n->depth = depth;
    struct naive_node *child = naive_select(n, node);
    const double value = naive_run(n, child, depth + 1);
    const int side = s->cooperative ? n->root->state.side : node->state.side;
    child->visits++;
    child->sum += side == 0 ? value : 1 - value;
    child->squares += side == 0 ? value * value : (1 - value) * (1 - value);
    return value;
}

void naive_go_on(struct naive *n, struct naive_node *root, uint64_t seed, int simulations) {
    struct rng r;
    rng_seed(&r, seed);
    rng_seed(&n->rng, rng_next(&r)); /* a tree's generator is seeded by one number of the task's */
    n->root = root;
    for (int i = 0; i < simulations; i++) {
        naive_run(n, n->root, 0);
        n->root->visits++;
    }
}

void naive_search(struct naive *n, const struct toy *root, uint64_t seed, int simulations) {
    n->children = n->depth = 0;
    naive_go_on(n, naive_make(root, 0), seed, simulations);
}

int naive_line(const struct naive_node *node, action *line) {
    int count = 0;
    for (; node != NULL && count < THOUGHTS_LINE_MAX; count++) {
        line[count] = node->action;
        const struct naive_node *best = NULL;
        for (int i = 0; i < node->count; i++)
            if (node->children[i]->visits > (best == NULL ? 0 : best->visits))
                best = node->children[i];
        node = best;
    }
    return count;
}

/* ---- the real search ---- */

struct tree *open_tree(const struct game *game, size_t memory, int trees) {
    const struct tree_memory storage = {.memory_bytes = memory, .trees = trees, .squares = true};
    struct err e = {0};
    struct tree *tree = tree_open(game, &storage, &e);
    assert_string_equal(e.text, "");
    assert_non_null(tree);
    return tree;
}

struct search_result search(struct tree *tree, const struct trial *t) {
    struct search_result result;
    struct rng r;
    rng_seed(&r, t->seed);
    const struct search_task task = {.game = t->game,
                                     .root = t->root,
                                     .budget = {.work_max = (uint64_t)t->simulations},
                                     .rng = &r,
                                     .thoughts = t->thoughts};
    tree_search(tree, &task, t->settings, &result);
    return result;
}
