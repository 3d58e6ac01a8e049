/* SPDX-License-Identifier: MIT
 *
 * A toy game whose tree is drawn by a hash (turns of one to three actions, ends at all depths), and a naive
 * tree search on it: nodes on the heap, one formula after the other, without optimisation.
 */
#ifndef TESTS_TREE_SUPPORT_H
#define TESTS_TREE_SUPPORT_H

#include "search/tree.h"

#include <string.h>

enum { TOY_BRANCHES_MAX = 9, TOY_TURNS = 7 };

struct toy {
    uint64_t key;
    int turn, left, side; /* left: actions until the turn is over */
    int result;           /* in half points of side 0; -1 while it goes on */
};

void toy_begin(struct toy *t, uint64_t key, int side);
void toy_play(void *state, action a, struct rng *r);

/* A random position that is not over. */
void toy_draw(struct toy *t, struct rng *r);

/* The latest turn in which the table's play or the rollout played something, on this thread. */
extern _Thread_local int toy_latest_turn;

extern const struct game toy_game;
extern const struct rollout toy_rollout; /* uniform */
extern const struct eval toy_eval;   /* from -2 to 2, so that being level comes up; times its one weight */
extern const struct prior toy_prior; /* a third of the actions each with score 0, 1 and 2 */

struct naive_node {
    struct toy state;
    action action;
    int visits;
    double sum, squares;
    int count; /* of children; 0: none yet */
    struct naive_node *children[TOY_BRANCHES_MAX];
};

struct naive {
    const struct tree_settings *settings;
    const struct widening_branch
        *branches; /* of the settings' widening, if any; they change at NAIVE_SWITCH */
    struct naive_node *root;
    struct rng rng;
    int children, depth;
};

enum { NAIVE_SWITCH = 100 };
extern const struct widening_branch naive_branches[2]; /* that widen within hundreds of simulations */

/* Searches with these settings, with the real search's use of the seed. The caller frees the nodes. */
void naive_search(struct naive *n, const struct toy *root, uint64_t seed, int simulations);
void naive_free(struct naive_node *node);

/* Continues from a node of such a search, which retains its statistics. */
void naive_go_on(struct naive *n, struct naive_node *root, uint64_t seed, int simulations);

/* The most visited line from this node on, itself included. */
int naive_line(const struct naive_node *node, action *line);

/* ---- the real search ---- */

enum { TREE_MEMORY = 1 << 20, TREE_CHILDREN_MAX = 16 };

/* One search to be made. */
struct trial {
    const struct game *game;
    const void *root;
    const struct tree_settings *settings;
    uint64_t seed;
    int simulations;
    struct thoughts *thoughts; /* may be NULL */
};

struct tree *open_tree(const struct game *game, size_t memory, int trees);
struct search_result search(struct tree *tree, const struct trial *t);

static inline bool is_same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

#endif
