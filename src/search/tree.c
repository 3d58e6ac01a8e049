/* SPDX-License-Identifier: MIT
 *
 * The tree search: progressive widening, the arrays that hold a tree, selection,
 * simulations, the decision at the root, and several trees whose roots are added.
 *
 * A search is deterministic: all random numbers come from one seed of the task's generator for each tree, the
 * children are made in an order that depends on it alone, and several trees are added in their order.
 */
#include "search/tree.h"

#include "base/bits.h"
#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- progressive widening ---- */

const struct widening_branch widening_paper[2] = {{1.4, 0, 40, 2}, {1.2, 2000, 45, -11}};

/* With the logarithm of base/numbers.h, so that the tables are the same with every C library. */
int widening_count(const struct widening_branch branches[2], int switch_at, int simulations) {
    const struct widening_branch *b = &branches[simulations > switch_at];
    const double ratio = (simulations + b->shift) / b->scale;
    if (!(ratio > 0))
        return 1;
    const double count = floor(ln_of(ratio) / ln_of(b->base) + b->offset);
    return count < 1 ? 1 : count > INT_MAX ? INT_MAX : (int)count;
}

/* Bisection on the formula itself, so that table and formula cannot disagree. */
void widening_init(struct widening *out, const struct widening_branch branches[2], int switch_at) {
    out->steps = 0;
    for (int count = 2; out->steps < WIDENING_STEPS; count++) {
        /* The fewest simulations with so many children, by bisection. */
        int low = 0, high = INT_MAX;
        if (widening_count(branches, switch_at, INT_MAX) < count)
            break;
        while (high - low > 1) {
            const int middle = low + (high - low) / 2;
            *(widening_count(branches, switch_at, middle) >= count ? &high : &low) = middle;
        }
        if (high == INT_MAX)
            break;
        out->needs[out->steps++] = high;
    }
}

/* ---- the arrays of a tree ---- */

/* They are allocated once. The children of one node are adjacent, so that selection reads consecutive
 * numbers. A child has its action, its statistics and the number of its own node, which exists once it was
 * expanded: 20 bytes a child (28 with squares), 28 a node. */

enum {
    TREE_LEAF = 0,  /* node number of a child that is not expanded; node 0 is the root */
    TREE_LANES = 4, /* children that are processed together: so many more can always be read */
};

/* A node with children. */
struct tree_node {
    uint32_t first, count; /* its children */
    uint32_t tried;        /* how many of them have been visited: always the first ones */
    uint32_t open;         /* how many may be visited, by widening */
    int32_t mover;
    int32_t visits; /* over all sequences that lead here */
    uint32_t moved; /* while a subtree is moved: its source or target */
};

/* Places with an earlier stamp are empty: a search need not clear what the previous one has left. */
struct tree_place {
    uint64_t key;
    uint32_t node, stamp;
};

struct tree_storage {
    uint32_t node_count, node_max, child_count, child_max;
    struct tree_node *nodes;
    action *actions;
    int32_t *visits;
    double *sums, *squares; /* sums of values and of their squares; `squares` may be NULL */
    uint32_t *child_nodes;

    /* Nodes by the key of their position or view; a power of two of places, or none. */
    uint32_t place_count, stamp;
    struct tree_place *places;
};

enum { FAMILY = 8 }; /* memory is divided as if every node had at least this many children */

static void tree_storage_done(struct tree_storage *s) {
    void *const blocks[] = {s->nodes, s->actions, s->visits, s->sums, s->squares, s->child_nodes, s->places};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        mem_free(blocks[i]);
    *s = (struct tree_storage){0};
}

/* There is always room for the root's children (`actions_max`). False when memory ran out.
 *
 * Children take most of the memory. Places of keys are counted as three a node, since their number is
 * rounded up to a power of two. */
static bool tree_storage_init(struct tree_storage *s, size_t memory_bytes, int actions_max, bool keyed,
                              bool squares) {
    const size_t child_size = sizeof *s->actions + sizeof *s->visits + sizeof *s->sums +
                              sizeof *s->child_nodes + (squares ? sizeof *s->squares : 0);
    const size_t node_size = sizeof *s->nodes + (keyed ? 3 * sizeof *s->places : 0);
    const size_t family = actions_max < FAMILY ? (size_t)actions_max : FAMILY;
    size_t children = memory_bytes / (child_size + node_size / family + 1);
    const size_t least = 2 * (size_t)actions_max, most = UINT32_MAX / 4;
    children = children < least ? least : children > most ? most : children;
    *s =
        (struct tree_storage){.child_max = (uint32_t)children, .node_max = (uint32_t)(children / family) + 2};
    const size_t readable = children + TREE_LANES;
    /* Not zeroed: entries are initialized when they are made, and most never are. */
    s->nodes = mem_try_resize(NULL, s->node_max * sizeof *s->nodes);
    s->actions = mem_try_resize(NULL, children * sizeof *s->actions);
    s->visits = mem_try_resize(NULL, readable * sizeof *s->visits);
    s->sums = mem_try_resize(NULL, readable * sizeof *s->sums);
    s->squares = squares ? mem_try_resize(NULL, readable * sizeof *s->squares) : NULL;
    s->child_nodes = mem_try_resize(NULL, children * sizeof *s->child_nodes);
    if (keyed) {
        s->place_count = 16; /* a power of two */
        while (s->place_count < 2 * s->node_max)
            s->place_count *= 2;
        s->places = mem_try_alloc(s->place_count * sizeof *s->places);
        s->stamp = 1; /* zeroed places are older */
    }
    if (s->nodes != NULL && s->actions != NULL && s->visits != NULL && s->sums != NULL &&
        s->child_nodes != NULL && (!squares || s->squares != NULL) && (!keyed || s->places != NULL))
        return true;
    tree_storage_done(s);
    return false;
}

/* Raising the stamp empties all places at once. */
static void tree_storage_clear(struct tree_storage *s) {
    s->node_count = s->child_count = 0;
    if (s->places == NULL || ++s->stamp != 0)
        return;
    memset(s->places, 0, s->place_count * sizeof *s->places); /* after 2^32 searches stamps start again */
    s->stamp = 1;
}

/* Makes a node with these children, all unvisited; TREE_LEAF when the storage is full (the root has the same
 * number, so the caller must know which it made). Children are initialized here and not when memory is
 * allocated: most of it is never used. */
static uint32_t tree_storage_add(struct tree_storage *s, const action *list, int count, int mover) {
    if (s->node_count == s->node_max || (uint32_t)count > s->child_max - s->child_count)
        return TREE_LEAF;
    const uint32_t first = s->child_count, number = s->node_count++;
    const size_t n = (size_t)count;
    s->child_count += (uint32_t)count;
    memcpy(s->actions + first, list, n * sizeof *list);
    memset(s->visits + first, 0, n * sizeof *s->visits);
    memset(s->sums + first, 0, n * sizeof *s->sums);
    if (s->squares != NULL)
        memset(s->squares + first, 0, n * sizeof *s->squares);
    memset(s->child_nodes + first, 0, n * sizeof *s->child_nodes);
    s->nodes[number] = (struct tree_node){.first = first, .count = (uint32_t)count, .mover = mover};
    return number;
}

/* The place of the key, or the empty place for it: there are more places than nodes. */
static struct tree_place *place_of(const struct tree_storage *s, uint64_t key) {
    uint32_t i = (uint32_t)key & (s->place_count - 1);
    while (s->places[i].stamp == s->stamp && s->places[i].key != key)
        i = (i + 1) & (s->place_count - 1);
    return &s->places[i];
}

/* The node of that position or view, or TREE_LEAF. */
static uint32_t tree_storage_find(const struct tree_storage *s, uint64_t key) {
    if (s->places == NULL)
        return TREE_LEAF;
    const struct tree_place *place = place_of(s, key);
    return place->stamp == s->stamp ? place->node : TREE_LEAF;
}

static void tree_storage_remember(struct tree_storage *s, uint64_t key, uint32_t node) {
    if (s->places != NULL)
        *place_of(s, key) = (struct tree_place){.key = key, .node = node, .stamp = s->stamp};
}

/* The new number of an old node; it is appended to `to` the first time. Its children follow later. */
static uint32_t moved_number(struct tree_storage *from, uint32_t old, struct tree_storage *to) {
    struct tree_node *node = &from->nodes[old];
    if (node->moved == 0) {
        const uint32_t number = to->node_count++;
        to->nodes[number] = (struct tree_node){.moved = old};
        node->moved = number + 1;
    }
    return node->moved - 1;
}

/* Moves the subtree under node `root` into `to`, which is empty and of the same size; shared nodes stay
 * shared. `from` must be cleared before it is used again.
 *
 * Breadth first: nodes that are still to be copied are those of `to` behind the current one. */
static void tree_storage_move(struct tree_storage *from, uint32_t root, struct tree_storage *to) {
    assert(to->node_count == 0);
    moved_number(from, root, to);
    for (uint32_t number = 0; number < to->node_count; number++) {
        const struct tree_node *old = &from->nodes[to->nodes[number].moved];
        const uint32_t first = to->child_count;
        const size_t n = old->count;
        memcpy(to->actions + first, from->actions + old->first, n * sizeof *to->actions);
        memcpy(to->visits + first, from->visits + old->first, n * sizeof *to->visits);
        memcpy(to->sums + first, from->sums + old->first, n * sizeof *to->sums);
        if (to->squares != NULL)
            memcpy(to->squares + first, from->squares + old->first, n * sizeof *to->squares);
        to->child_count += old->count;
        to->nodes[number] = *old;
        to->nodes[number].first = first;
        to->nodes[number].moved = 0;
        for (uint32_t i = 0; i < old->count; i++) {
            const uint32_t below = from->child_nodes[old->first + i];
            to->child_nodes[first + i] = below == TREE_LEAF ? TREE_LEAF : moved_number(from, below, to);
        }
    }
    for (uint32_t i = 0; from->places != NULL && i < from->place_count; i++) {
        const struct tree_place *place = &from->places[i];
        const uint32_t moved = place->stamp == from->stamp ? from->nodes[place->node].moved : 0;
        if (moved > 1) /* not the new root, which no sequence can reach again */
            tree_storage_remember(to, place->key, moved - 1);
    }
}

/* ---- trees ---- */

enum {
    TREE_DEPTH_MAX = 4096, /* actions in the tree part of one simulation */
    WATCH_EVERY = 256,     /* simulations between two reads of the clock for a watcher */
};

/* One tree and what its search needs. */
struct single_tree {
    const struct tree_settings *settings;
    struct search_task task;
    struct rng rng;
    struct tree_storage storage, spare; /* the spare one is empty unless trees are reused */
    struct ln_table logs;

    action *list; /* of the node being expanded */
    float *scores;
    double *bounds;                /* of the children being compared */
    uint32_t path[TREE_DEPTH_MAX]; /* children along the current simulation, and their parents */
    uint32_t path_nodes[TREE_DEPTH_MAX];
    int turn_end, root_mover, depth;
    bool hides;        /* nodes are information sets */
    bool looks_up;     /* the node behind an action is looked up in every simulation */
    bool draws;        /* nodes are sequences of actions through worlds that differ between simulations */
    bool merges;       /* nodes are positions that several sequences may reach */
    bool counts_nodes; /* either: the node's own visits count, not those of the edge */
    bool full;         /* the storage is full: no further node is made */
    uint64_t simulations;
    int32_t root_visits; /* visits that a reused root already has */
    int64_t watched_at;
    union search_state state;
    union search_state view; /* of the side to move in `state`; where something is hidden */

    bool has_choice; /* of the previous search: the mover, the chosen child, and the position it led to */
    int choice_mover;
    uint32_t choice;
    union search_state choice_state;
};

/* Sets the state of a simulation: the root, or a world that its view allows. */
static inline void draw_root(struct single_tree *t) {
    search_copy(t->task.game, &t->state, t->task.root);
    if (t->hides || t->draws)
        t->task.game->determinize(&t->state, &t->rng);
}

/* One or more trees, searched independently. */
struct tree {
    const struct game *game;
    struct tree_memory memory;
    int count;
    struct single_tree *trees[TREE_TREES_MAX];
};

/* ---- opening ---- */

/* Also of a tree that was opened only in part: what is missing is NULL. */
static void close_single(struct single_tree *t) {
    tree_storage_done(&t->storage);
    tree_storage_done(&t->spare);
    mem_free(t->list);
    mem_free(t->scores);
    mem_free(t->bounds);
    mem_free(t);
}

/* NULL when there is not enough memory for the storage. Trees do not share memory, so that their threads need
 * no locks. Where actions have outcomes, nodes are found by key in any case. */
static struct single_tree *open_single(const struct game *game, const struct tree_memory *memory) {
    struct single_tree *t = mem_alloc(sizeof *t);
    const size_t actions_max = (size_t)game->actions_max;
    const size_t share = memory->memory_bytes / (size_t)memory->trees / (memory->spare ? 2 : 1);
    const bool keyed = memory->keyed || game->outcomes != NULL;
    ln_table_fill(&t->logs);
    t->list = mem_alloc(actions_max * sizeof *t->list);
    t->scores = mem_alloc(actions_max * sizeof *t->scores);
    t->bounds = mem_alloc((actions_max + TREE_LANES) * sizeof *t->bounds);
    if (tree_storage_init(&t->storage, share, game->actions_max, keyed, memory->squares) &&
        (!memory->spare || tree_storage_init(&t->spare, share, game->actions_max, keyed, memory->squares)))
        return t;
    close_single(t);
    return NULL;
}

/* The storage is the only large block; the rest is allocated by mem_alloc, which does not fail. */
struct tree *tree_open(const struct game *game, const struct tree_memory *memory, struct err *e) {
    assert(memory->trees >= 1);
    assert(memory->trees <= TREE_TREES_MAX);
    struct tree *tree = mem_alloc(sizeof *tree);
    tree->game = game;
    tree->memory = *memory;
    for (; tree->count < memory->trees; tree->count++) {
        tree->trees[tree->count] = open_single(game, memory);
        if (tree->trees[tree->count] == NULL) {
            err_set(e, "not enough memory for a search tree of %zu bytes", memory->memory_bytes);
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
        close_single(tree->trees[i]);
    mem_free(tree);
}

/* ---- making children ---- */

/* Sorts by score, highest first, stable. Insertion sort: most priors have few different scores, so long runs
 * are already in order. */
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

/* Makes a node for a position or view; TREE_LEAF when the storage is full. */
static uint32_t expand(struct single_tree *t, const void *state) {
    const struct tree_settings *settings = t->settings;
    const struct game *game = t->task.game;
    const int count = game->actions(state, t->list);
    if (settings->shuffle)
        search_shuffle(&t->rng, t->list, count);
    if (settings->prior != NULL) {
        settings->prior->score(state, t->list, count, t->scores);
        sort_by_score(t->list, t->scores, count);
    }
    const bool is_root = t->storage.node_count == 0;
    const uint32_t number = tree_storage_add(&t->storage, t->list, count, game->mover(state));
    t->full = number == TREE_LEAF && !is_root;
    if (!t->full)
        t->storage.nodes[number].open = settings->widening != NULL ? 1 : (uint32_t)count;
    return number;
}

/* The same for one that other sequences may have reached already. */
static uint32_t find_or_expand(struct single_tree *t, const void *state) {
    const uint64_t key = t->task.game->key(state);
    uint32_t number = tree_storage_find(&t->storage, key);
    if (number == TREE_LEAF && !t->full) {
        number = expand(t, state);
        if (number != TREE_LEAF)
            tree_storage_remember(&t->storage, key, number);
    }
    return number;
}

/* ---- selecting ---- */

/* Upper confidence bounds of the visited children: mean + c * sqrt(ln n / n_i), or UCB1-tuned's mean + c *
 * sqrt(ln n / n_i * min(1/4, V_i)), where V_i is the variance of child i's values plus a bound on its error,
 * sqrt(2 ln n / n_i) (Auer, Cesa-Bianchi and Fischer 2002, section 4).
 *
 * TREE_LANES children at a time: compilers turn loops of a fixed length into vector instructions, whose
 * divisions and roots round as the scalar ones do. The last lanes may lie behind the visited children; the
 * storage has room for that, and their results are not used. `tuned` is a constant where this is inlined. */
BITS_INLINE void find_bounds(struct single_tree *t, const struct tree_node *node, double log_n, bool tuned) {
    const double c = t->settings->c;
    for (size_t i = 0; i < node->tried; i += TREE_LANES) {
        const int32_t *restrict visits = t->storage.visits + node->first + i;
        const double *restrict sums = t->storage.sums + node->first + i;
        const double *restrict squares = tuned ? t->storage.squares + node->first + i : NULL;
        double n[TREE_LANES], mean[TREE_LANES], share[TREE_LANES];
        for (int k = 0; k < TREE_LANES; k++)
            n[k] = visits[k];
        for (int k = 0; k < TREE_LANES; k++)
            mean[k] = sums[k] / n[k];
        for (int k = 0; k < TREE_LANES; k++)
            share[k] = log_n / n[k];
        for (int k = 0; tuned && k < TREE_LANES; k++) {
            const double v = squares[k] / n[k] - mean[k] * mean[k] + sqrt(2 * share[k]);
            share[k] *= v < 0.25 ? v : 0.25;
        }
        for (int k = 0; k < TREE_LANES; k++)
            t->bounds[i + k] = mean[k] + c * sqrt(share[k]);
    }
}

/* Separate from the bounds: that loop is vectorized, this one is a chain of comparisons. */
static uint32_t highest_bound(const struct single_tree *t, const struct tree_node *node) {
    uint32_t best = 0;
    double highest = t->bounds[0];
    for (uint32_t i = 1; i < node->tried; i++) {
        if (t->bounds[i] > highest) {
            highest = t->bounds[i];
            best = i;
        }
    }
    return best;
}

/* The child with the highest upper confidence bound (the first of equals); in an open loop, among those that
 * are legal in the current world. */
static uint32_t best_bound(struct single_tree *t, const struct tree_node *node, double log_n) {
    if (t->settings->bound == TREE_UCB1)
        find_bounds(t, node, log_n, false);
    else
        find_bounds(t, node, log_n, true);
    uint32_t best = highest_bound(t, node);
    while (t->draws && !t->task.game->is_legal(&t->state, t->storage.actions[node->first + best])) {
        t->bounds[best] = -(double)INFINITY;
        best = highest_bound(t, node);
    }
    return node->first + best;
}

/* In an open loop: swaps the first unvisited child that is legal now to the front of the unvisited ones, so
 * that the visited ones stay together. */
static bool bring_legal_forward(struct single_tree *t, const struct tree_node *node) {
    action *actions = t->storage.actions + node->first;
    for (uint32_t i = node->tried; i < node->count; i++) {
        if (!t->task.game->is_legal(&t->state, actions[i]))
            continue;
        const action legal = actions[i];
        actions[i] = actions[node->tried];
        actions[node->tried] = legal;
        return true;
    }
    return false;
}

/* `simulations`: earlier visits of the node. */
static uint32_t select_child(struct single_tree *t, struct tree_node *node, int32_t simulations) {
    const struct widening *w = t->settings->widening;
    while (w != NULL && node->open < node->count && (int)node->open <= w->steps &&
           simulations + 1 >= w->needs[node->open - 1])
        node->open++;
    if (w != NULL && w->steps == WIDENING_STEPS && (int)node->open > w->steps)
        node->open = node->count;
    if (node->tried < node->open && (!t->draws || bring_legal_forward(t, node)))
        return node->first + node->tried++;
    const uint64_t n = t->settings->root_total ? t->simulations : (uint64_t)simulations;
    return best_bound(t, node, ln_table_of(&t->logs, n));
}

/* ---- one simulation ---- */

/* A horizon counts turns from the root, whichever side is to move there. */
static bool is_cut(const struct single_tree *t) {
    return t->turn_end > 0 && t->task.game->turn(&t->state) >= t->turn_end;
}

/* Plays the simulation to its end or its cut; its value to side 0. */
static double play_out(struct single_tree *t) {
    const struct game *game = t->task.game;
    const struct tree_settings *settings = t->settings;
    if (game->mover(&t->state) != NOBODY && !is_cut(t)) {
        const int turns = t->turn_end > 0 ? t->turn_end - game->turn(&t->state) : 0;
        settings->rollout->run(&t->state, &t->rng, turns);
    }
    if (t->turn_end == 0 || game->mover(&t->state) == NOBODY)
        return game->payoff(&t->state, 0);
    if (settings->cut == TREE_CUT_LOSS)
        return t->root_mover == 0 ? 0 : 1;
    const double lead = settings->eval->value(&t->state, 0, settings->weights);
    return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
}

/* The child's node, made now if the child was visited often enough; TREE_LEAF to simulate from here. */
static uint32_t node_below(struct single_tree *t, uint32_t child) {
    uint32_t *number = &t->storage.child_nodes[child];
    if (t->draws && t->task.game->mover(&t->state) == NOBODY)
        return TREE_LEAF; /* in another world the game has continued from here */
    if (*number != TREE_LEAF)
        return *number;
    if (t->full || t->storage.visits[child] < t->settings->expand ||
        t->task.game->mover(&t->state) == NOBODY || is_cut(t))
        return TREE_LEAF;
    return *number = t->merges ? find_or_expand(t, &t->state) : expand(t, &t->state);
}

/* The same where something is hidden or drawn. An action may lead to several information sets, depending on
 * the current world and the outcome, so a child has no node of its own: the mover's view identifies the node.
 */
static uint32_t information_set_below(struct single_tree *t, uint32_t child) {
    const struct game *game = t->task.game;
    const int mover = game->mover(&t->state);
    if (mover == NOBODY || t->storage.visits[child] < t->settings->expand || is_cut(t))
        return TREE_LEAF;
    search_copy(game, &t->view, &t->state);
    if (game->hide != NULL)
        game->hide(&t->view, mover);
    return find_or_expand(t, &t->view);
}

/* Values are to side 0; each node stores them for its own mover (with `cooperative` for the root's). */
static void add_value(struct single_tree *t, int steps, double value_to_0) {
    struct tree_storage *storage = &t->storage;
    for (int i = 0; i < steps; i++) {
        struct tree_node *node = &storage->nodes[t->path_nodes[i]];
        const int side = t->settings->cooperative ? t->root_mover : node->mover;
        const double value = side == 0 ? value_to_0 : 1 - value_to_0;
        node->visits++;
        storage->visits[t->path[i]]++;
        storage->sums[t->path[i]] += value;
        if (t->settings->bound == TREE_TUNED)
            storage->squares[t->path[i]] += value * value;
    }
}

/* One descent, one playout, one update (Kocsis and Szepesvari 2006; UCB1 by Auer, Cesa-Bianchi and Fischer
 * 2002). */
static void simulate(struct single_tree *t) {
    draw_root(t);
    uint32_t number = 0;
    int steps = 0;
    int32_t visits = t->root_visits + (int32_t)t->simulations;
    do {
        struct tree_node *node = &t->storage.nodes[number];
        const uint32_t child = select_child(t, node, t->counts_nodes ? node->visits : visits);
        t->path[steps] = child;
        t->path_nodes[steps++] = number;
        t->task.game->play(&t->state, t->storage.actions[child], &t->rng);
        visits = t->storage.visits[child];
        number = steps == TREE_DEPTH_MAX ? TREE_LEAF
                 : t->looks_up           ? information_set_below(t, child)
                                         : node_below(t, child);
    } while (number != TREE_LEAF);
    if (steps - 1 > t->depth)
        t->depth = steps - 1;
    add_value(t, steps, play_out(t));
    t->simulations++;
}

/* ---- the decision at the root ---- */

/* The mean value of a child to its parent's mover; 0 when it was never visited. */
static double mean_value(const struct single_tree *t, uint32_t entry) {
    return t->storage.visits[entry] > 0 ? t->storage.sums[entry] / t->storage.visits[entry] : 0;
}

/* The root's child to be played; ties go to the first. When several win every simulation, means do not show
 * which wins sooner: one that ends the game (where something is hidden: in a world drawn for it) is
 * preferred. */
static uint32_t choose_child(struct single_tree *t) {
    const int32_t *visits = t->storage.visits;
    const bool by_visits = t->settings->choice == TREE_CHOOSE_VISITS;
    const uint32_t first = t->storage.nodes[0].first, end = first + t->storage.nodes[0].tried;
    const double sure = 1 - 1e-12;
    uint32_t best = first;
    for (uint32_t i = first + 1; i < end; i++)
        if (by_visits && visits[i] != visits[best] ? visits[i] > visits[best]
                                                   : mean_value(t, i) > mean_value(t, best))
            best = i;
    for (uint32_t i = first; t->settings->hurry && mean_value(t, best) >= sure && i < end; i++) {
        if (visits[i] == 0 || mean_value(t, i) < sure)
            continue;
        draw_root(t);
        t->task.game->play(&t->state, t->storage.actions[i], &t->rng);
        if (t->task.game->mover(&t->state) == NOBODY)
            return i;
    }
    return best;
}

/* Follows the most visited children. Where something is hidden the line is one action: the rest depends on
 * the world. */
static int expected_line(const struct single_tree *t, uint32_t entry, action *line) {
    int count = 0;
    line[count++] = t->storage.actions[entry];
    for (uint32_t number = t->storage.child_nodes[entry]; number != TREE_LEAF && count < THOUGHTS_LINE_MAX;) {
        const struct tree_node *node = &t->storage.nodes[number];
        uint32_t best = node->first;
        for (uint32_t i = node->first; i < node->first + node->tried; i++)
            if (t->storage.visits[i] > t->storage.visits[best])
                best = i;
        if (t->storage.visits[best] == 0)
            break;
        line[count++] = t->storage.actions[best];
        number = t->storage.child_nodes[best];
    }
    return count;
}

/* Best first by the same order as the choice at the root. */
static void report_thoughts(const struct single_tree *t, struct thoughts *out) {
    const struct tree_node *root = &t->storage.nodes[0];
    thoughts_start(out);
    for (uint32_t i = root->first; i < root->first + root->tried; i++) {
        if (t->storage.visits[i] == 0)
            continue; /* only another tree could have visited it, and none has */
        const struct thought candidate = {.action = t->storage.actions[i],
                                          .value = mean_value(t, i),
                                          .visits = (uint64_t)t->storage.visits[i]};
        struct thought *stored = thoughts_add(out, &candidate, t->settings->choice == TREE_CHOOSE_VISITS);
        if (stored != NULL)
            stored->line_count = expected_line(t, i, stored->line);
    }
    out->total = (int)root->count;
    out->simulations = t->simulations;
    out->nodes = t->storage.child_count;
    out->depth = t->depth + 1;
}

/* ---- one tree ---- */

/* Reuses the previous search's tree if it contains this root; false otherwise. */
static bool reuse_tree(struct single_tree *t) {
    const struct game *game = t->task.game;
    const uint32_t node = t->has_choice ? t->storage.child_nodes[t->choice] : TREE_LEAF;
    if (!t->settings->reuse || node == TREE_LEAF ||
        memcmp(t->choice_state.bytes, t->task.root, game->state_size) != 0)
        return false;
    /* With these settings values depend on the side to move at the root. */
    const bool has_view = t->settings->cooperative || t->settings->cut == TREE_CUT_LOSS;
    if (has_view && game->mover(t->task.root) != t->choice_mover)
        return false;
    t->root_visits = t->storage.nodes[node].visits + t->settings->expand; /* as many as its parent counted */
    tree_storage_clear(&t->spare);
    tree_storage_move(&t->storage, node, &t->spare);
    const struct tree_storage moved = t->spare;
    t->spare = t->storage;
    t->storage = moved;
    return true;
}

/* Searches one tree, as a job of the pool; the tree holds the result. */
static void grow(void *shared, void *worker, int job, void *result) {
    (void)worker, (void)result;
    struct single_tree *t = ((struct tree *)shared)->trees[job];
    const struct game *game = t->task.game;
    t->simulations = 0;
    t->depth = 0;
    t->full = false;
    /* Where nothing is hidden an information set is a position. */
    t->hides = t->settings->hidden && game->hide != NULL;
    t->looks_up = t->hides || game->outcomes != NULL;
    t->draws = t->settings->open_loop;
    t->merges = t->settings->transpositions || (t->settings->hidden && game->hide == NULL);
    t->counts_nodes = t->looks_up || t->merges;
    t->root_mover = game->mover(t->task.root);
    t->turn_end = t->settings->horizon > 0 ? game->turn(t->task.root) + t->settings->horizon : 0;
    t->watched_at = t->task.watch != NULL ? clock_now_ns(t->task.budget.clock) : 0;
    if (!reuse_tree(t)) {
        t->root_visits = 0;
        tree_storage_clear(&t->storage);
        expand(t, t->task.root); /* the storage always has room for the root's children */
    }
    struct budget_meter meter;
    budget_start(&meter, &t->task.budget);
    do {
        simulate(t);
        if (t->task.watch != NULL && t->simulations % WATCH_EVERY == 0 &&
            search_shows(&t->task, &t->watched_at)) {
            report_thoughts(t, t->task.thoughts);
            search_show(&t->task);
        }
    } while (budget_spend(&meter, 1));
}

/* Stores what the next search can continue from. */
static void remember_choice(struct single_tree *t, action chosen) {
    t->has_choice = t->settings->reuse;
    if (!t->has_choice)
        return;
    t->choice = t->storage.nodes[0].first;
    while (t->storage.actions[t->choice] != chosen)
        t->choice++;
    t->choice_mover = t->root_mover;
    search_copy(t->task.game, &t->choice_state, t->task.root);
    t->task.game->play(&t->choice_state, chosen, &t->rng);
}

/* ---- several trees ---- */

/* Adds the root statistics of all trees to the first. Each tree has its own order of the root's children; the
 * first's order stays. Children that the first has not tried come behind those it has. */
static void add_roots(struct tree *tree) {
    struct single_tree *sum = tree->trees[0];
    struct tree_node *root = &sum->storage.nodes[0];
    for (int other = 1; other < tree->count; other++) {
        const struct single_tree *t = tree->trees[other];
        sum->simulations += t->simulations;
        sum->storage.child_count += t->storage.child_count;
        for (uint32_t i = 0; i < t->storage.nodes[0].tried; i++) {
            uint32_t same = root->first;
            while (sum->storage.actions[same] != t->storage.actions[i])
                same++;
            sum->storage.visits[same] += t->storage.visits[i];
            sum->storage.sums[same] += t->storage.sums[i];
        }
    }
    root->tried = root->count;
}

/* Each tree has a share of the work and its own seed, drawn in the order of the trees; only the first one
 * reports. */
void tree_search(struct tree *tree, const struct search_task *task, const struct tree_settings *settings,
                 struct search_result *out) {
    assert(task->game->mover(task->root) != NOBODY);
    assert(!(settings->transpositions || settings->hidden) || tree->memory.keyed);
    assert(!settings->reuse || (tree->memory.spare && !settings->hidden));
    assert(settings->bound == TREE_UCB1 || tree->memory.squares);
    assert(!settings->open_loop || (settings->widening == NULL && !settings->hidden && !settings->reuse));
    const uint64_t work = task->budget.work_max;
    for (int i = 0; i < tree->count; i++) {
        struct single_tree *t = tree->trees[i];
        t->settings = settings;
        t->task = *task;
        if (i > 0)
            t->task.watch = NULL;
        if (work > 0) { /* shares differ by at most one; every tree does at least one simulation */
            const uint64_t trees = (uint64_t)tree->count;
            t->task.budget.work_max = work / trees + ((uint64_t)i < work % trees);
            t->task.budget.work_max += t->task.budget.work_max == 0;
        }
        rng_seed(&t->rng, rng_next(task->rng));
    }
    const struct pool_work trees = {
        .jobs = tree->count, .workers = tree->count, .shared = tree, .result_size = 1, .run = grow};
    /* Without threads the trees are grown one after the other, with the same result. */
    if (tree->count == 1 || pool_run(&trees, NULL) < 0)
        for (int i = 0; i < tree->count; i++)
            grow(tree, NULL, i, NULL);
    if (tree->count > 1)
        add_roots(tree);
    struct single_tree *t = tree->trees[0];
    const uint32_t best = choose_child(t);
    *out = (struct search_result){.chosen = t->storage.actions[best],
                                  .value = mean_value(t, best),
                                  .work = t->simulations,
                                  .nodes = t->storage.child_count,
                                  .leaves = t->simulations};
    if (task->thoughts != NULL)
        report_thoughts(t, task->thoughts);
    for (int i = 0; i < tree->count; i++)
        remember_choice(tree->trees[i], out->chosen);
}

/* ---- questions ---- */

int tree_root_children(const struct tree *tree, struct tree_child *out, int out_max) {
    const struct single_tree *t = tree->trees[0];
    const struct tree_node *root = &t->storage.nodes[0];
    for (uint32_t i = 0; i < root->count && (int)i < out_max; i++)
        out[i] = (struct tree_child){t->storage.actions[root->first + i], t->storage.visits[root->first + i],
                                     t->storage.sums[root->first + i]};
    return (int)root->count;
}

int tree_depth(const struct tree *tree) {
    return tree->trees[0]->depth;
}
