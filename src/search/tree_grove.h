/* SPDX-License-Identifier: MIT
 *
 * One tree and what its search needs. Private to tree.c, which grows it, and tree_known.c, which says what it
 * knows.
 */
#ifndef SEARCH_TREE_GROVE_H
#define SEARCH_TREE_GROVE_H

#include "base/ln.h"
#include "search/tree.h"
#include "search/tree_ground.h"

enum { GROVE_DEPTH_MAX = 4096 }; /* actions in the tree part of one simulation */

struct grove {
    const struct tree_settings *settings;
    struct search_task task;
    struct rng rng;
    struct ground ground, spare; /* the spare one is empty unless trees are reused */
    struct ln_table logs;

    action *list; /* of the node being expanded */
    float *scores;
    double *bounds;                 /* of the children being compared */
    uint32_t path[GROVE_DEPTH_MAX]; /* children on the way down, and whose parent */
    uint32_t path_nodes[GROVE_DEPTH_MAX];
    int turn_end, root_mover, depth;
    bool hides;        /* nodes are information sets, found anew on every way down */
    bool draws;        /* nodes are ways through worlds that differ from simulation to simulation */
    bool merges;       /* nodes are positions that several ways may lead to */
    bool counts_nodes; /* either: a node's own visits count, not those of the one way */
    bool full;         /* the storage: no further node is made */
    uint64_t simulations;
    int32_t root_visits; /* those that a reused root brought along */
    int64_t watched_at;
    union search_state state;
    union search_state view; /* of who is to move in it; where something is hidden */

    bool has_choice; /* of the search before: who moved, the child chosen, and the position it led to */
    int choice_mover;
    uint32_t choice;
    union search_state choice_state;
};

/* Where a simulation begins: the root, or a world that it can be. */
static inline void grove_draw_root(struct grove *g) {
    search_copy(g->task.game, &g->state, g->task.root);
    if (g->hides || g->draws)
        g->task.game->determinize(&g->state, &g->rng);
}

/* The mean value of a child to its parent's mover; 0 when it was never visited. */
double grove_mean(const struct grove *g, uint32_t child);

/* The root's child to be played. */
uint32_t grove_choose(struct grove *g);

void grove_think_aloud(const struct grove *g, struct thoughts *out);

/* When it is time, and somebody watches. */
void grove_show_to_watcher(struct grove *g);

#endif
