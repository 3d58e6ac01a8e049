/* SPDX-License-Identifier: MIT
 *
 * The search itself; what its tree is stored in is tree_ground.h's business, what it makes of its root in the
 * end tree_known.c's.
 */
#include "search/tree.h"

#include "base/mem.h"
#include "pool/pool.h"
#include "search/tree_grove.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct tree {
    const struct game *game;
    struct tree_storage storage;
    int count;
    struct grove *groves[TREE_TREES_MAX];
};

/* ---- storage ---- */

static void close_grove(struct grove *g) {
    if (g == NULL)
        return;
    ground_done(&g->ground);
    ground_done(&g->spare);
    mem_free(g->list);
    mem_free(g->scores);
    mem_free(g->bounds);
    mem_free(g);
}

static struct grove *open_grove(const struct game *game, const struct tree_storage *storage) {
    struct grove *g = mem_alloc(sizeof *g);
    if (g == NULL)
        return NULL;
    const size_t actions_max = (size_t)game->actions_max;
    const size_t share = storage->memory_bytes / (size_t)storage->trees / (storage->spare ? 2 : 1);
    ln_table_fill(&g->logs);
    g->list = mem_alloc(actions_max * sizeof *g->list);
    g->scores = mem_alloc(actions_max * sizeof *g->scores);
    g->bounds = mem_alloc((actions_max + GROUND_LANES) * sizeof *g->bounds);
    if (g->list != NULL && g->scores != NULL && g->bounds != NULL &&
        ground_init(&g->ground, share, game->actions_max, storage->keyed, storage->squares) &&
        (!storage->spare ||
         ground_init(&g->spare, share, game->actions_max, storage->keyed, storage->squares)))
        return g;
    close_grove(g);
    return NULL;
}

struct tree *tree_open(const struct game *game, const struct tree_storage *storage, struct err *e) {
    struct tree *tree = mem_alloc(sizeof *tree);
    assert(storage->trees >= 1);
    assert(storage->trees <= TREE_TREES_MAX);
    if (tree == NULL) {
        err_set(e, "not enough memory for a search tree");
        return NULL;
    }
    tree->game = game;
    tree->storage = *storage;
    for (; tree->count < storage->trees; tree->count++) {
        tree->groves[tree->count] = open_grove(game, storage);
        if (tree->groves[tree->count] == NULL) {
            err_set(e, "not enough memory for a search tree of %zu bytes", storage->memory_bytes);
            tree_close(tree);
            return NULL;
        }
    }
    return tree;
}

void tree_close(struct tree *tree) {
    if (tree == NULL)
        return;
    for (int i = 0; i < tree->count; i++)
        close_grove(tree->groves[i]);
    mem_free(tree);
}

/* ---- making children ---- */

/* Higher scores first, equals as they were: an insertion sort would do for any scores, but most priors know
 * few different ones, so it runs over long stretches that are in order already. */
static void sort_by_score(action *list, float *scores, int count) {
    for (int i = 1; i < count; i++) {
        const action a = list[i];
        const float score = scores[i];
        int k = i;
        for (; k > 0 && scores[k - 1] < score; k--) {
            list[k] = list[k - 1];
            scores[k] = scores[k - 1];
        }
        list[k] = a;
        scores[k] = score;
    }
}

/* Gives a position or view a node of its own; GROUND_LEAF when the storage is full. */
static uint32_t expand(struct grove *g, const void *state) {
    const struct tree_settings *settings = g->settings;
    const struct game *game = g->task.game;
    const int count = game->actions(state, g->list);
    if (settings->shuffle)
        search_shuffle(&g->rng, g->list, count);
    if (settings->prior != NULL) {
        settings->prior->score(state, g->list, count, g->scores);
        sort_by_score(g->list, g->scores, count);
    }
    const bool is_root = g->ground.node_count == 0;
    const uint32_t number = ground_add(&g->ground, g->list, count, game->mover(state));
    g->full = number == GROUND_LEAF && !is_root;
    if (!g->full)
        g->ground.nodes[number].open = settings->widening != NULL ? 1 : (uint32_t)count;
    return number;
}

/* The same for one that other ways may have reached already. */
static uint32_t find_or_expand(struct grove *g, const void *state) {
    const uint64_t key = g->task.game->key(state);
    uint32_t number = ground_find(&g->ground, key);
    if (number == GROUND_LEAF && !g->full) {
        number = expand(g, state);
        if (number != GROUND_LEAF)
            ground_remember(&g->ground, key, number);
    }
    return number;
}

/* ---- selecting ---- */

/* mean + c * sqrt(ln n / n_i) for GROUND_LANES children at a time: a fixed number is what compilers turn into
 * vector instructions, whose divisions and roots round as the scalar ones do. The last lanes may lie behind
 * the visited children; the storage has room for that and nobody looks at the results. */
static void find_bounds(struct grove *g, const struct tree_node *node, double log_n) {
    const double c = g->settings->c;
    for (size_t i = 0; i < node->tried; i += GROUND_LANES) {
        const int32_t *restrict visits = g->ground.visits + node->first + i;
        const double *restrict sums = g->ground.sums + node->first + i;
        double n[GROUND_LANES], bonus[GROUND_LANES], mean[GROUND_LANES];
        for (int k = 0; k < GROUND_LANES; k++)
            n[k] = visits[k];
        for (int k = 0; k < GROUND_LANES; k++)
            bonus[k] = c * sqrt(log_n / n[k]);
        for (int k = 0; k < GROUND_LANES; k++)
            mean[k] = sums[k] / n[k];
        for (int k = 0; k < GROUND_LANES; k++)
            g->bounds[i + k] = mean[k] + bonus[k];
    }
}

/* The same for UCB1-tuned: mean + c * sqrt(ln n / n_i * min(1/4, V_i)), in which V_i is the variance of what
 * child i brought and a bound on how far that may be off, sqrt(2 ln n / n_i). */
static void find_tuned_bounds(struct grove *g, const struct tree_node *node, double log_n) {
    const double c = g->settings->c;
    for (size_t i = 0; i < node->tried; i += GROUND_LANES) {
        const int32_t *restrict visits = g->ground.visits + node->first + i;
        const double *restrict sums = g->ground.sums + node->first + i;
        const double *restrict squares = g->ground.squares + node->first + i;
        double n[GROUND_LANES], mean[GROUND_LANES], share[GROUND_LANES], v[GROUND_LANES];
        for (int k = 0; k < GROUND_LANES; k++)
            n[k] = visits[k];
        for (int k = 0; k < GROUND_LANES; k++)
            mean[k] = sums[k] / n[k];
        for (int k = 0; k < GROUND_LANES; k++)
            share[k] = log_n / n[k];
        for (int k = 0; k < GROUND_LANES; k++)
            v[k] = squares[k] / n[k] - mean[k] * mean[k] + sqrt(2 * share[k]);
        for (int k = 0; k < GROUND_LANES; k++)
            g->bounds[i + k] = mean[k] + c * sqrt(share[k] * (v[k] < 0.25 ? v[k] : 0.25));
    }
}

static uint32_t highest_bound(const struct grove *g, const struct tree_node *node) {
    uint32_t best = 0;
    double highest = g->bounds[0];
    for (uint32_t i = 1; i < node->tried; i++) {
        if (g->bounds[i] > highest) {
            highest = g->bounds[i];
            best = i;
        }
    }
    return best;
}

/* The child with the highest upper confidence bound, the first of equals; in an open loop, of those that are
 * legal in the world at hand. */
static uint32_t best_bound(struct grove *g, const struct tree_node *node, double log_n) {
    if (g->settings->bound == TREE_UCB1)
        find_bounds(g, node, log_n);
    else
        find_tuned_bounds(g, node, log_n);
    uint32_t best = highest_bound(g, node);
    while (g->draws && !g->task.game->is_legal(&g->state, g->ground.actions[node->first + best])) {
        g->bounds[best] = -(double)INFINITY;
        best = highest_bound(g, node);
    }
    return node->first + best;
}

/* In an open loop: the first child that was never visited and is legal now changes places with those before
 * it that are not, so that the visited ones stay together. */
static bool bring_legal_forward(struct grove *g, const struct tree_node *node) {
    action *actions = g->ground.actions + node->first;
    for (uint32_t i = node->tried; i < node->count; i++) {
        if (!g->task.game->is_legal(&g->state, actions[i]))
            continue;
        const action legal = actions[i];
        actions[i] = actions[node->tried];
        actions[node->tried] = legal;
        return true;
    }
    return false;
}

/* `simulations`: how often the node was visited before. */
static uint32_t select_child(struct grove *g, struct tree_node *node, int32_t simulations) {
    const struct widening *w = g->settings->widening;
    while (w != NULL && node->open < node->count && (int)node->open <= w->steps &&
           simulations + 1 >= w->needs[node->open - 1])
        node->open++;
    if (w != NULL && w->steps == WIDENING_STEPS && (int)node->open > w->steps)
        node->open = node->count;
    if (node->tried < node->open && (!g->draws || bring_legal_forward(g, node)))
        return node->first + node->tried++;
    const uint64_t n = g->settings->root_total ? g->simulations : (uint64_t)simulations;
    return best_bound(g, node, ln_table_of(&g->logs, n));
}

/* ---- one simulation ---- */

static bool is_cut(const struct grove *g) {
    return g->turn_end > 0 && g->task.game->turn(&g->state) >= g->turn_end;
}

/* What a finished or cut-off simulation is worth to side 0. */
static double worth(const struct grove *g) {
    const struct game *game = g->task.game;
    const struct tree_settings *settings = g->settings;
    if (g->turn_end == 0 || game->mover(&g->state) == NOBODY)
        return game->payoff(&g->state, 0);
    if (settings->cut == TREE_CUT_LOSS)
        return g->root_mover == 0 ? 0 : 1;
    const double lead = settings->eval->value(&g->state, 0, settings->weights);
    return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
}

static double play_out(struct grove *g) {
    const struct game *game = g->task.game;
    if (game->mover(&g->state) != NOBODY && !is_cut(g)) {
        const int turns = g->turn_end > 0 ? g->turn_end - game->turn(&g->state) : 0;
        g->settings->rollout->run(&g->state, &g->rng, turns);
    }
    return worth(g);
}

/* The number of the child's node, made now if it is time; GROUND_LEAF to simulate from here. */
static uint32_t node_below(struct grove *g, uint32_t child) {
    uint32_t *number = &g->ground.child_nodes[child];
    if (g->draws && g->task.game->mover(&g->state) == NOBODY)
        return GROUND_LEAF; /* in another world the game has gone on from here */
    if (*number != GROUND_LEAF)
        return *number;
    if (g->full || g->ground.visits[child] < g->settings->expand ||
        g->task.game->mover(&g->state) == NOBODY || is_cut(g))
        return GROUND_LEAF;
    return *number = g->merges ? find_or_expand(g, &g->state) : expand(g, &g->state);
}

/* The same where something is hidden. An action may lead to several information sets, depending on the world
 * at hand, so a child has no node of its own: what the mover sees says which it is. */
static uint32_t information_set_below(struct grove *g, uint32_t child) {
    const struct game *game = g->task.game;
    const int mover = game->mover(&g->state);
    if (mover == NOBODY || g->ground.visits[child] < g->settings->expand || is_cut(g))
        return GROUND_LEAF;
    search_copy(game, &g->view, &g->state);
    game->hide(&g->view, mover);
    return find_or_expand(g, &g->view);
}

static void add_value(struct grove *g, int steps, double value_to_0) {
    struct ground *ground = &g->ground;
    for (int i = 0; i < steps; i++) {
        struct tree_node *node = &ground->nodes[g->path_nodes[i]];
        const int side = g->settings->cooperative ? g->root_mover : node->mover;
        node->visits++;
        ground->visits[g->path[i]]++;
        ground->sums[g->path[i]] += side == 0 ? value_to_0 : 1 - value_to_0;
    }
}

static void add_squares(struct grove *g, int steps, double value_to_0) {
    for (int i = 0; i < steps; i++) {
        const int mover = g->ground.nodes[g->path_nodes[i]].mover;
        const int side = g->settings->cooperative ? g->root_mover : mover;
        const double value = side == 0 ? value_to_0 : 1 - value_to_0;
        g->ground.squares[g->path[i]] += value * value;
    }
}

static void simulate(struct grove *g) {
    grove_draw_root(g);
    uint32_t number = 0;
    int steps = 0;
    int32_t visits = g->root_visits + (int32_t)g->simulations;
    do {
        struct tree_node *node = &g->ground.nodes[number];
        const uint32_t child = select_child(g, node, g->counts_nodes ? node->visits : visits);
        g->path[steps] = child;
        g->path_nodes[steps++] = number;
        g->task.game->play(&g->state, g->ground.actions[child], &g->rng);
        visits = g->ground.visits[child];
        number = steps == GROVE_DEPTH_MAX ? GROUND_LEAF
                 : g->hides               ? information_set_below(g, child)
                                          : node_below(g, child);
    } while (number != GROUND_LEAF);
    if (steps - 1 > g->depth)
        g->depth = steps - 1;
    const double value_to_0 = play_out(g);
    add_value(g, steps, value_to_0);
    if (g->settings->bound == TREE_TUNED)
        add_squares(g, steps, value_to_0);
    g->simulations++;
}

/* ---- one tree ---- */

/* The last search's tree, as far as it is about this root; false when it is not. */
static bool take_over(struct grove *g) {
    const struct game *game = g->task.game;
    const uint32_t node = g->has_choice ? g->ground.child_nodes[g->choice] : GROUND_LEAF;
    if (!g->settings->reuse || node == GROUND_LEAF ||
        memcmp(g->choice_state.bytes, g->task.root, game->state_size) != 0)
        return false;
    /* These settings value simulations in the view of who moves at the root. */
    const bool has_view = g->settings->cooperative || g->settings->cut == TREE_CUT_LOSS;
    if (has_view && game->mover(g->task.root) != g->choice_mover)
        return false;
    g->root_visits = g->ground.nodes[node].visits + g->settings->expand; /* as many as its parent counted */
    ground_clear(&g->spare);
    ground_move(&g->ground, node, &g->spare);
    const struct ground moved = g->spare;
    g->spare = g->ground;
    g->ground = moved;
    return true;
}

static void plant(struct grove *g) {
    if (take_over(g))
        return;
    g->root_visits = 0;
    ground_clear(&g->ground);
    expand(g, g->task.root); /* the storage always has room for the root's children */
}

static void grow(struct grove *g) {
    const struct game *game = g->task.game;
    g->simulations = 0;
    g->depth = 0;
    g->full = false;
    /* Where nothing is hidden an information set is a position. */
    g->hides = g->settings->hidden && game->hide != NULL;
    g->draws = g->settings->open_loop;
    g->merges = g->settings->transpositions || (g->settings->hidden && game->hide == NULL);
    g->counts_nodes = g->hides || g->merges;
    g->root_mover = game->mover(g->task.root);
    g->turn_end = g->settings->horizon > 0 ? game->turn(g->task.root) + g->settings->horizon : 0;
    g->watched_at = g->task.watch != NULL ? clock_now_ns(g->task.budget.clock) : 0;
    plant(g);
    struct budget_meter meter;
    budget_start(&meter, &g->task.budget);
    do {
        simulate(g);
        grove_show_to_watcher(g);
    } while (budget_spend(&meter, 1));
}

/* What the next search could go on from. */
static void remember_choice(struct grove *g, action chosen) {
    const struct tree_node *root = &g->ground.nodes[0];
    g->has_choice = g->settings->reuse;
    if (!g->has_choice)
        return;
    g->choice = root->first;
    while (g->ground.actions[g->choice] != chosen)
        g->choice++;
    g->choice_mover = g->root_mover;
    search_copy(g->task.game, &g->choice_state, g->task.root);
    g->task.game->play(&g->choice_state, chosen, &g->rng);
}

/* ---- several trees ---- */

static void run_tree(void *shared, void *worker, int job, void *result) {
    (void)worker;
    (void)result; /* the tree itself */
    grow(((struct tree *)shared)->groves[job]);
}

/* Adds the root statistics of all trees into the first. Each tree has its root's children in an order of its
 * own; the first's order stays. Children that the first has not tried come behind those it has. */
static void add_roots(struct tree *tree) {
    struct grove *sum = tree->groves[0];
    struct tree_node *root = &sum->ground.nodes[0];
    for (int t = 1; t < tree->count; t++) {
        const struct grove *g = tree->groves[t];
        sum->simulations += g->simulations;
        sum->ground.child_count += g->ground.child_count;
        for (uint32_t i = 0; i < g->ground.nodes[0].tried; i++) {
            uint32_t same = root->first;
            while (sum->ground.actions[same] != g->ground.actions[i])
                same++;
            sum->ground.visits[same] += g->ground.visits[i];
            sum->ground.sums[same] += g->ground.sums[i];
        }
    }
    root->tried = root->count;
}

static void grow_all(struct tree *tree) {
    if (tree->count == 1) {
        grow(tree->groves[0]);
        return;
    }
    const struct pool_work work = {
        .jobs = tree->count, .workers = tree->count, .shared = tree, .result_size = 1, .run = run_tree};
    if (pool_run(&work, NULL) < 0) /* no memory for the pool: one after the other gives the same trees */
        for (int i = 0; i < tree->count; i++)
            grow(tree->groves[i]);
    add_roots(tree);
}

void tree_search(struct tree *tree, const struct search_task *task, const struct tree_settings *settings,
                 struct search_result *out) {
    assert(task->game->mover(task->root) != NOBODY);
    assert(!(settings->transpositions || settings->hidden) || tree->storage.keyed);
    assert(!settings->reuse || (tree->storage.spare && !settings->hidden));
    assert(settings->bound == TREE_UCB1 || tree->storage.squares);
    assert(!settings->open_loop || (settings->widening == NULL && !settings->hidden && !settings->reuse));
    const uint64_t work = task->budget.work_max;
    for (int i = 0; i < tree->count; i++) {
        struct grove *g = tree->groves[i];
        g->settings = settings;
        g->task = *task;
        if (i > 0)
            g->task.watch = NULL;
        if (work > 0) { /* shares differ by at most one; every tree does at least one simulation */
            const uint64_t trees = (uint64_t)tree->count;
            g->task.budget.work_max = work / trees + ((uint64_t)i < work % trees);
            g->task.budget.work_max += g->task.budget.work_max == 0;
        }
        rng_seed(&g->rng, rng_next(task->rng));
    }
    grow_all(tree);
    struct grove *g = tree->groves[0];
    const uint32_t best = grove_choose(g);
    *out = (struct search_result){.chosen = g->ground.actions[best],
                                  .value = grove_mean(g, best),
                                  .work = g->simulations,
                                  .nodes = g->ground.child_count,
                                  .leaves = g->simulations};
    if (task->thoughts != NULL)
        grove_think_aloud(g, task->thoughts);
    for (int i = 0; i < tree->count; i++)
        remember_choice(tree->groves[i], out->chosen);
}

/* ---- questions ---- */

int tree_root_children(const struct tree *tree, struct tree_child *out, int out_max) {
    const struct grove *g = tree->groves[0];
    const struct tree_node *root = &g->ground.nodes[0];
    for (uint32_t i = 0; i < root->count && (int)i < out_max; i++)
        out[i] = (struct tree_child){g->ground.actions[root->first + i], g->ground.visits[root->first + i],
                                     g->ground.sums[root->first + i]};
    return (int)root->count;
}

int tree_depth(const struct tree *tree) {
    return tree->groves[0]->depth;
}
