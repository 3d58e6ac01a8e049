/* SPDX-License-Identifier: MIT
 *
 * The tree lies in parallel arrays taken once: children are entries 0, 1, … of them, the children of one node
 * side by side, so that selecting walks through neighbouring numbers. An entry has its action, its statistics
 * and the number of its own node, which exists once it was expanded: 20 bytes a child and 20 a node.
 */
#include "search/tree.h"

#include "base/ln.h"
#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    LEAF = 0,            /* node number of an entry without children; node 0 is the root */
    DEPTH_MAX = 4096,    /* actions in the tree part of one simulation */
    WATCH_EVERY = 256,   /* simulations between two looks at the clock for a watcher */
    LANES = 4,           /* children whose bounds are computed together */
    CHILDREN_A_NODE = 8, /* storage is divided on the assumption that nodes have at least so many */
};

/* A node with children. */
struct node {
    uint32_t first, count; /* its children */
    uint32_t tried;        /* how many of them have been visited: always the first ones */
    uint32_t open;         /* how many may be, by widening */
    int32_t mover;
};

/* One tree and what its search needs. */
struct grove {
    const struct tree_settings *settings;
    struct search_task task;
    struct rng rng;
    uint32_t node_count, node_max, child_count, child_max;
    struct node *nodes;
    action *actions;
    int32_t *visits;
    double *sums;
    uint32_t *child_nodes;

    action *list; /* of the node being expanded */
    float *scores;
    double *bounds; /* of the children being compared */
    uint32_t path[DEPTH_MAX];
    int path_movers[DEPTH_MAX];
    int turn_end, root_mover, depth;
    uint64_t simulations;
    int64_t watched_at;
    union search_state state;
};

struct tree {
    const struct game *game;
    int count;
    struct grove *groves[64];
};

/* ---- storage ---- */

static void close_grove(struct grove *g) {
    if (g == NULL)
        return;
    mem_free(g->nodes);
    mem_free(g->actions);
    mem_free(g->visits);
    mem_free(g->sums);
    mem_free(g->child_nodes);
    mem_free(g->list);
    mem_free(g->scores);
    mem_free(g->bounds);
    mem_free(g);
}

static struct grove *open_grove(const struct game *game, size_t memory_bytes) {
    struct grove *g = mem_alloc(sizeof *g);
    if (g == NULL)
        return NULL;
    const size_t child_size =
        sizeof *g->actions + sizeof *g->visits + sizeof *g->sums + sizeof *g->child_nodes;
    size_t children = memory_bytes / (child_size + sizeof(struct node) / CHILDREN_A_NODE + 1);
    const size_t least = 2 * (size_t)game->actions_max;
    children = children < least ? least : children > UINT32_MAX / 2 ? UINT32_MAX / 2 : children;
    g->child_max = (uint32_t)children;
    g->node_max = (uint32_t)(children / CHILDREN_A_NODE) + 2;
    g->nodes = mem_alloc(g->node_max * sizeof *g->nodes);
    g->actions = mem_alloc(children * sizeof *g->actions);
    g->visits = mem_alloc((children + LANES) * sizeof *g->visits);
    g->sums = mem_alloc((children + LANES) * sizeof *g->sums);
    g->child_nodes = mem_alloc(children * sizeof *g->child_nodes);
    g->list = mem_alloc((size_t)game->actions_max * sizeof *g->list);
    g->scores = mem_alloc((size_t)game->actions_max * sizeof *g->scores);
    g->bounds = mem_alloc(((size_t)game->actions_max + LANES) * sizeof *g->bounds);
    if (g->nodes != NULL && g->actions != NULL && g->visits != NULL && g->sums != NULL &&
        g->child_nodes != NULL && g->list != NULL && g->scores != NULL && g->bounds != NULL)
        return g;
    close_grove(g);
    return NULL;
}

struct tree *tree_open(const struct game *game, size_t memory_bytes, int trees, struct err *e) {
    struct tree *tree = mem_alloc(sizeof *tree);
    assert(trees >= 1 && trees <= 64);
    if (tree == NULL) {
        err_set(e, "not enough memory for a search tree");
        return NULL;
    }
    tree->game = game;
    for (; tree->count < trees; tree->count++) {
        tree->groves[tree->count] = open_grove(game, memory_bytes / (size_t)trees);
        if (tree->groves[tree->count] == NULL) {
            err_set(e, "not enough memory for a search tree of %zu bytes", memory_bytes);
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

static void shuffle(struct rng *r, action *list, int count) {
    for (int i = count - 1; i > 0; i--) {
        const uint32_t k = rng_below(r, (uint32_t)i + 1);
        const action swapped = list[i];
        list[i] = list[k];
        list[k] = swapped;
    }
}

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

/* Gives the position at hand a node of its own; LEAF when the storage is full. */
static uint32_t expand(struct grove *g) {
    const struct tree_settings *settings = g->settings;
    const struct game *game = g->task.game;
    if (g->node_count == g->node_max)
        return LEAF;
    const int count = game->actions(&g->state, g->list);
    if (count <= 0 || (uint32_t)count > g->child_max - g->child_count)
        return LEAF;
    if (settings->shuffle)
        shuffle(&g->rng, g->list, count);
    if (settings->prior != NULL) {
        settings->prior->score(&g->state, g->list, count, g->scores);
        sort_by_score(g->list, g->scores, count);
    }
    const uint32_t first = g->child_count, number = g->node_count++;
    g->child_count += (uint32_t)count;
    memcpy(g->actions + first, g->list, (size_t)count * sizeof *g->list);
    memset(g->visits + first, 0, (size_t)count * sizeof *g->visits);
    memset(g->sums + first, 0, (size_t)count * sizeof *g->sums);
    memset(g->child_nodes + first, 0, (size_t)count * sizeof *g->child_nodes);
    g->nodes[number] = (struct node){.first = first,
                                     .count = (uint32_t)count,
                                     .open = settings->widening != NULL ? 1 : (uint32_t)count,
                                     .mover = game->mover(&g->state)};
    return number;
}

/* ---- selecting ---- */

/* mean + c * sqrt(ln n / n_i) for LANES children at a time: a fixed number is what compilers turn into vector
 * instructions, whose divisions and roots round as the scalar ones do. The last lanes may lie behind the
 * visited children; the storage has room for that and nobody looks at the results. */
static void find_bounds(struct grove *g, const struct node *node, double log_n) {
    const double c = g->settings->c;
    for (size_t i = 0; i < node->tried; i += LANES) {
        const int32_t *restrict visits = g->visits + node->first + i;
        const double *restrict sums = g->sums + node->first + i;
        double *restrict bounds = g->bounds + i;
        double n[LANES], bonus[LANES];
        for (int k = 0; k < LANES; k++)
            n[k] = visits[k];
        for (int k = 0; k < LANES; k++)
            bonus[k] = sqrt(log_n / n[k]);
        for (int k = 0; k < LANES; k++)
            bounds[k] = sums[k] / n[k] + c * bonus[k];
    }
}

/* The child with the highest upper confidence bound, the first of equals. */
static uint32_t best_bound(struct grove *g, const struct node *node, double log_n) {
    find_bounds(g, node, log_n);
    uint32_t best = 0;
    double highest = g->bounds[0];
    for (uint32_t i = 1; i < node->tried; i++) {
        if (g->bounds[i] > highest) {
            highest = g->bounds[i];
            best = i;
        }
    }
    return node->first + best;
}

/* `simulations`: how often the node was visited before. */
static uint32_t select_child(struct grove *g, struct node *node, int32_t simulations) {
    const struct widening *w = g->settings->widening;
    while (w != NULL && node->open < node->count && (int)node->open <= w->steps &&
           simulations + 1 >= w->needs[node->open - 1])
        node->open++;
    if (node->tried < node->open)
        return node->first + node->tried++;
    const uint64_t n = g->settings->root_total ? g->simulations : (uint64_t)simulations;
    return best_bound(g, node, n > 1 ? ln_of((double)n) : 0);
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

/* The number of the entry's node, made now if it is time; LEAF to simulate from here. */
static uint32_t node_below(struct grove *g, uint32_t entry) {
    if (g->child_nodes[entry] != LEAF)
        return g->child_nodes[entry];
    if (g->visits[entry] < g->settings->expand || g->task.game->mover(&g->state) == NOBODY || is_cut(g))
        return LEAF;
    g->child_nodes[entry] = expand(g);
    return g->child_nodes[entry];
}

static void add_value(struct grove *g, int steps, double value_to_0) {
    for (int i = 0; i < steps; i++) {
        const int side = g->settings->cooperative ? g->root_mover : g->path_movers[i];
        g->visits[g->path[i]]++;
        g->sums[g->path[i]] += side == 0 ? value_to_0 : 1 - value_to_0;
    }
}

static void simulate(struct grove *g) {
    search_copy(g->task.game, &g->state, g->task.root);
    uint32_t number = 0;
    int steps = 0;
    int32_t simulations = (int32_t)g->simulations;
    do {
        struct node *node = &g->nodes[number];
        const uint32_t entry = select_child(g, node, simulations);
        g->path[steps] = entry;
        g->path_movers[steps] = node->mover;
        steps++;
        g->task.game->play(&g->state, g->actions[entry], &g->rng);
        simulations = g->visits[entry];
        number = steps < DEPTH_MAX ? node_below(g, entry) : LEAF;
    } while (number != LEAF);
    if (steps - 1 > g->depth)
        g->depth = steps - 1;
    add_value(g, steps, play_out(g));
    g->simulations++;
}

/* ---- what is known ---- */

static double mean_of(const struct grove *g, uint32_t entry) {
    return g->visits[entry] > 0 ? g->sums[entry] / g->visits[entry] : 0;
}

/* Is entry a a better decision than entry b? The first of equals is as good as any. */
static bool is_better(const struct grove *g, uint32_t a, uint32_t b) {
    if (g->settings->choice == TREE_CHOOSE_VISITS && g->visits[a] != g->visits[b])
        return g->visits[a] > g->visits[b];
    return mean_of(g, a) > mean_of(g, b);
}

static uint32_t best_child(const struct grove *g, const struct node *node) {
    uint32_t best = node->first;
    for (uint32_t i = node->first + 1; i < node->first + node->tried; i++)
        if (is_better(g, i, best))
            best = i;
    return best;
}

/* Follows the most visited children. */
static int expected_line(const struct grove *g, uint32_t entry, action *line) {
    int count = 0;
    line[count++] = g->actions[entry];
    for (uint32_t number = g->child_nodes[entry]; number != LEAF && count < THOUGHTS_LINE_MAX;) {
        const struct node *node = &g->nodes[number];
        uint32_t best = node->first;
        for (uint32_t i = node->first; i < node->first + node->tried; i++)
            if (g->visits[i] > g->visits[best])
                best = i;
        if (g->visits[best] == 0)
            break;
        line[count++] = g->actions[best];
        number = g->child_nodes[best];
    }
    return count;
}

static void think_aloud(const struct grove *g, struct thoughts *out) {
    const struct node *root = &g->nodes[0];
    thoughts_start(out);
    for (uint32_t i = root->first; i < root->first + root->tried; i++) {
        if (g->visits[i] == 0)
            continue; /* only another tree could have tried it, and none has */
        const struct thought candidate = {
            .action = g->actions[i], .value = mean_of(g, i), .visits = (uint64_t)g->visits[i]};
        struct thought *kept = thoughts_add(out, &candidate, g->settings->choice == TREE_CHOOSE_VISITS);
        if (kept != NULL)
            kept->line_count = expected_line(g, i, kept->line);
    }
    out->total = (int)root->count;
    out->simulations = g->simulations;
    out->nodes = g->child_count;
    out->depth = g->depth + 1;
}

static void show_to_watcher(struct grove *g) {
    const struct watch *watch = g->task.watch;
    if (watch == NULL || g->simulations % WATCH_EVERY != 0)
        return;
    const int64_t now = clock_now_ns(g->task.budget.clock);
    if (now - g->watched_at < watch->every_ns)
        return;
    g->watched_at = now;
    think_aloud(g, g->task.thoughts);
    watch->show(watch->context, g->task.thoughts);
}

/* ---- one tree ---- */

static void grow(struct grove *g) {
    const struct game *game = g->task.game;
    g->node_count = g->child_count = 0;
    g->simulations = 0;
    g->depth = 0;
    g->root_mover = game->mover(g->task.root);
    g->turn_end = g->settings->horizon > 0 ? game->turn(g->task.root) + g->settings->horizon : 0;
    g->watched_at = g->task.watch != NULL ? clock_now_ns(g->task.budget.clock) : 0;
    search_copy(game, &g->state, g->task.root);
    expand(g); /* the storage always has room for the root's children */
    struct budget_meter meter;
    budget_start(&meter, &g->task.budget);
    do {
        simulate(g);
        show_to_watcher(g);
    } while (budget_spend(&meter, 1));
}

/* ---- several trees ---- */

struct forest {
    struct tree *tree;
    int unused; /* workers own nothing, but a pool wants to hear of something */
};

static void *begin_worker(void *shared, struct err *e) {
    (void)e;
    return &((struct forest *)shared)->unused;
}

static void end_worker(void *worker) {
    (void)worker;
}

static void run_tree(void *shared, void *worker, int job, void *result) {
    (void)worker;
    (void)result;
    grow(((struct forest *)shared)->tree->groves[job]);
}

static void take_tree(void *shared, int job, void *result) {
    (void)shared;
    (void)job;
    (void)result;
}

/* Adds the root statistics of all trees into the first. Each tree has its root's children in an order of its
 * own; the first's order stays. Children that the first has not tried come behind those it has. */
static void add_roots(struct tree *tree) {
    struct grove *sum = tree->groves[0];
    struct node *root = &sum->nodes[0];
    for (int t = 1; t < tree->count; t++) {
        const struct grove *g = tree->groves[t];
        sum->simulations += g->simulations;
        sum->child_count += g->child_count;
        for (uint32_t i = 0; i < g->nodes[0].tried; i++) {
            uint32_t same = root->first;
            while (sum->actions[same] != g->actions[i])
                same++;
            sum->visits[same] += g->visits[i];
            sum->sums[same] += g->sums[i];
        }
    }
    root->tried = root->count;
}

static void grow_all(struct tree *tree) {
    if (tree->count == 1) {
        grow(tree->groves[0]);
        return;
    }
    struct forest forest = {.tree = tree};
    const struct pool_work work = {.jobs = tree->count,
                                   .workers = tree->count,
                                   .shared = &forest,
                                   .result_size = 1,
                                   .begin = begin_worker,
                                   .end = end_worker,
                                   .run = run_tree,
                                   .take = take_tree};
    if (pool_run(&work, NULL) < 0) /* no memory for the pool: one after the other gives the same trees */
        for (int i = 0; i < tree->count; i++)
            grow(tree->groves[i]);
    add_roots(tree);
}

void tree_search(struct tree *tree, const struct search_task *task, const struct tree_settings *settings,
                 struct search_result *out) {
    assert(task->game->mover(task->root) != NOBODY);
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
    const struct grove *g = tree->groves[0];
    const uint32_t best = best_child(g, &g->nodes[0]);
    *out = (struct search_result){.chosen = g->actions[best],
                                  .value = mean_of(g, best),
                                  .work = g->simulations,
                                  .nodes = g->child_count};
    if (task->thoughts != NULL)
        think_aloud(g, task->thoughts);
}

/* ---- questions ---- */

int tree_root_children(const struct tree *tree, struct tree_child *out, int out_max) {
    const struct grove *g = tree->groves[0];
    const struct node *root = &g->nodes[0];
    for (uint32_t i = 0; i < root->count && (int)i < out_max; i++)
        out[i] = (struct tree_child){g->actions[root->first + i], g->visits[root->first + i],
                                     g->sums[root->first + i]};
    return (int)root->count;
}

int tree_depth(const struct tree *tree) {
    return tree->groves[0]->depth;
}
