/* SPDX-License-Identifier: MIT
 *
 * What a search tree is stored in: parallel arrays taken once. The children of one node lie side by side in
 * them, so that selecting walks through neighbouring numbers. A child has its action, its statistics and the
 * number of its own node, which exists once it was expanded: 20 bytes a child (28 with squares), 28 a node.
 * Private to the tree search.
 */
#ifndef SEARCH_TREE_GROUND_H
#define SEARCH_TREE_GROUND_H

#include "game/game.h"

enum {
    GROUND_LEAF = 0,  /* node number of a child without children of its own; node 0 is the root */
    GROUND_LANES = 4, /* children that are looked at together: so many more can always be read */
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
struct ground_place {
    uint64_t key;
    uint32_t node, stamp;
};

struct ground {
    uint32_t node_count, node_max, child_count, child_max;
    struct tree_node *nodes;
    action *actions;
    int32_t *visits;
    double *sums, *squares; /* of values; the latter may be NULL */
    uint32_t *child_nodes;

    /* Nodes by the key of their position or view; a power of two of places, or none. */
    uint32_t place_count, stamp;
    struct ground_place *places;
};

/* Room for the root's children (`actions_max`) is always there. False when memory ran out. */
bool ground_init(struct ground *ground, size_t memory_bytes, int actions_max, bool keyed, bool squares);
void ground_done(struct ground *ground);
void ground_clear(struct ground *ground);

/* Makes a node with these children, all of them new; GROUND_LEAF when the storage is full (the first node
 * made is the root and has the same number, so the caller knows which it is). */
uint32_t ground_add(struct ground *ground, const action *list, int count, int mover);

/* The node of that position or view, or GROUND_LEAF; and remembering one. */
uint32_t ground_find(const struct ground *ground, uint64_t key);
void ground_remember(struct ground *ground, uint64_t key, uint32_t node);

/* Moves the subtree under node `root` into `to`, which is clear and as large; shared nodes stay shared. What
 * is left of `from` must be cleared before it is used again. */
void ground_move(struct ground *from, uint32_t root, struct ground *to);

#endif
