/* SPDX-License-Identifier: MIT
 *
 * A small game written out as a tree: every deal, every line of play, and the information sets. Exact
 * solvers work on a form and are independent of the rules.
 *
 * The deal is the only chance event: all worlds of the start (with everything hidden) are equally likely.
 * Parents are stored before their children, siblings are contiguous. Information sets are numbered in the
 * order in which they are first reached, so a set comes after all sets that its mover passed before it.
 * Payoffs are those of side 0, from 0 to 1.
 *
 * Perfect recall is required: all nodes of a set share the mover's own earlier actions. So the last action
 * of a side identifies all its earlier ones; it is called a sequence: 0 for none, otherwise 1 + the index of
 * the action in `actions`. A game without perfect recall is refused.
 */
#ifndef EXACT_FORM_H
#define EXACT_FORM_H

#include "game/game.h"

#include <stdatomic.h>

enum { FORM_NODES_MAX = 20000000, FORM_DEPTH_MAX = 4096 };

struct form_node {
    int32_t set;    /* information set, or -1 at the end of a game */
    uint32_t first; /* first child; the number of children is the set's action count */
    double payoff;  /* at the end of a game */
};

struct form_set {
    int side;
    int count;       /* of actions */
    uint32_t first;  /* of its actions in `actions`, and of their probabilities in a strategy */
    uint32_t before; /* the mover's sequence at the set */
    uint64_t key;    /* of the view */
};

/* A leaf with a non-zero payoff to side 0, and the sequences of both sides that lead to it. */
struct form_leaf {
    uint32_t sequences[2];
    double payoff;
};

struct form {
    const struct scenario *scenario;
    uint32_t deal_count; /* the first nodes are the roots of the deals, each with probability 1/deal_count */
    uint32_t node_count, set_count, action_count, leaf_count;
    struct form_node *nodes;
    struct form_set *sets;
    action *actions;
    struct form_leaf *leaves;
    unsigned char *views; /* the mover's view at each set: see form_view */
};

/* Writes the game out. Random choices of `start` beyond the deal (such as a synthetic tree) come from the
 * seed. False with a reason when the form would have more than `nodes_max` nodes, a line of play is longer
 * than FORM_DEPTH_MAX, memory ran out, `stop` (may be NULL) was set, or the game breaks its laws: equal
 * views with different actions, different views with equal keys, no perfect recall. In either case call
 * form_done. Where nothing is hidden every node is a set of its own. */
bool form_build(const struct scenario *scenario, uint64_t seed, uint32_t nodes_max, const atomic_bool *stop,
                struct form *out, struct err *e);
void form_done(struct form *form);

/* The mover's view at a set, aligned for states. */
const void *form_view(const struct form *form, uint32_t set);

/* ---- strategies: the probability of each action of each set (both sides'), in the form's order ---- */

/* Uniform probabilities; NULL when memory ran out. Free with mem_free. */
double *form_uniform(const struct form *form);

/* Expected payoff of side 0 when side i plays by strategies[i]; only the sets of that side are read. */
double form_value(const struct form *form, const double *const strategies[2]);

/* ---- the size of a game that has not been written out ---- */

struct form_size {
    double deals, nodes; /* in the units of struct form */
};

/* Estimates the size by random games (Knuth 1975): exact when all positions of equal depth have equally
 * many actions, infinite when games do not end. */
struct form_size form_estimate_size(const struct scenario *scenario, uint64_t seed);

#endif
