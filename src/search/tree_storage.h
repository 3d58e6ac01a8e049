/* SPDX-License-Identifier: MIT
 *
 * What a search tree is stored in: parallel arrays taken once. The children of one node lie side by side in
 * them, so that selecting walks through neighbouring numbers. A child has its action, its statistics and the
 * number of its own node, which exists once it was expanded: 20 bytes a child (28 with squares), 28 a node.
 * Private to the tree search.
 */
#ifndef SEARCH_TREE_STORAGE_H
#define SEARCH_TREE_STORAGE_H

#include "game/game.h"

enum {
    TREE_LEAF = 0,  /* node number of a child without children of its own; node 0 is the root */
    TREE_LANES = 4, /* children that are looked at together: so many more can always be read */
};

/* A node with children. */
struct tree_node {
    uint32_t first, count; /* its children */
    uint32_t tried;        /* how many of them have been visited: always the first ones */
    uint32_t open;         /* how many may be, by widening */
    int32_t mover;
    int32_t visits; /* on all ways that lead here */
    uint32_t moved; /* while a subtree is moved: where from or to */
};

/* Places of an earlier stamp are empty: so a search need not wipe what the one before has left. */
struct tree_place {
    uint64_t key;
    uint32_t node, stamp;
};

struct tree_storage {
    uint32_t node_count, node_max, child_count, child_max;
    struct tree_node *nodes;
    action *actions;
    int32_t *visits;
    double *sums, *squares; /* of values; the latter may be NULL */
    uint32_t *child_nodes;

    /* Nodes by the key of their position or view; a power of two of places, or none. */
    uint32_t place_count, stamp;
    struct tree_place *places;
};

/* Room for the root's children (`actions_max`) is always there. False when memory ran out. */
bool tree_storage_init(struct tree_storage *storage, size_t memory_bytes, int actions_max, bool keyed,
                       bool squares);
void tree_storage_done(struct tree_storage *storage);
void tree_storage_clear(struct tree_storage *storage);

/* Makes a node with these children, all of them new; TREE_LEAF when the storage is full (the first node
 * made is the root and has the same number, so the caller knows which it is). */
uint32_t tree_storage_add(struct tree_storage *storage, const action *list, int count, int mover);

/* The node of that position or view, or TREE_LEAF; and remembering one. */
uint32_t tree_storage_find(const struct tree_storage *storage, uint64_t key);
void tree_storage_remember(struct tree_storage *storage, uint64_t key, uint32_t node);

/* Moves the subtree under node `root` into `to`, which is clear and as large; shared nodes stay shared. What
 * is left of `from` must be cleared before it is used again. */
void tree_storage_move(struct tree_storage *from, uint32_t root, struct tree_storage *to);

#endif
