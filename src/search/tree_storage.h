/* SPDX-License-Identifier: MIT
 *
 * The arrays that hold a search tree, allocated once. The children of one node are adjacent, so that
 * selection reads consecutive numbers. A child has its action, its statistics and the number of its own node,
 * which exists once it was expanded: 20 bytes a child (28 with squares), 28 a node. Private to the tree
 * search.
 */
#ifndef SEARCH_TREE_STORAGE_H
#define SEARCH_TREE_STORAGE_H

#include "game/game.h"

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

/* There is always room for the root's children (`actions_max`). False when memory ran out. */
bool tree_storage_init(struct tree_storage *storage, size_t memory_bytes, int actions_max, bool keyed,
                       bool squares);
void tree_storage_done(struct tree_storage *storage);
void tree_storage_clear(struct tree_storage *storage);

/* Makes a node with these children, all unvisited; TREE_LEAF when the storage is full (the root has the same
 * number, so the caller must know which it made). */
uint32_t tree_storage_add(struct tree_storage *storage, const action *list, int count, int mover);

/* The node of that position or view, or TREE_LEAF; and storing one. */
uint32_t tree_storage_find(const struct tree_storage *storage, uint64_t key);
void tree_storage_remember(struct tree_storage *storage, uint64_t key, uint32_t node);

/* Moves the subtree under node `root` into `to`, which is empty and of the same size; shared nodes stay
 * shared. `from` must be cleared before it is used again. */
void tree_storage_move(struct tree_storage *from, uint32_t root, struct tree_storage *to);

#endif
