/* SPDX-License-Identifier: MIT
 *
 * A small game written out as a tree: every deal, every line of play, and the information sets. Exact
 * solvers work on a form and are independent of the rules: equilibria, best responses to a known strategy,
 * and the exact strategy of perfect information Monte Carlo (PIMC).
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

/* ---- equilibria ----
 *
 * Counterfactual regret minimisation, CFR+ (Tammelin 2014): regrets are cut at zero, the two sides are
 * updated alternately, and late strategies have a larger weight in the average. The weight is the square of
 * the iteration number: on synthetic trees that needs 1.1 times (little information revealed during play) to
 * 3 times (much revealed) fewer iterations than the published linear weights. Discounted and predictive
 * variants are faster on some of those trees and slower on others.
 *
 * For each side an iteration visits every leaf and every information set once, and no inner node. A tree of 8
 * types per player and 6 plies takes 8 to 40 microseconds. */

enum { CFR_ITERATIONS_DEFAULT = 100000 };

struct cfr_options {
    int iterations_max; /* 0: CFR_ITERATIONS_DEFAULT */
    double gap;         /* stop when response_gap is at most this (0 … 1 scale); computed at intervals */
    const atomic_bool *stop; /* may be NULL */
    /* Called after each computation of the gap; may be NULL. */
    void (*on_gap)(void *context, int iterations, double gap);
    void *context;
};

struct cfr_result {
    double value; /* of the game to side 0: the midpoint of the payoffs that the two strategies guarantee */
    double gap;   /* of the returned strategies: the value is exact to within half of this */
    int iterations;
    bool stopped;
};

/* Fills `strategy` (of both sides) with the average strategy. False when memory ran out. */
bool cfr_solve(const struct form *form, const struct cfr_options *options, double *strategy,
               struct cfr_result *out, struct err *e);

/* ---- best responses ---- */

/* Computes the payoff (0 … 1, to `side`) of the best response of `side` to the other side's strategy,
 * within the information it has. `best` (may be NULL; must not be `strategy`) gets the response in the
 * sets of `side`, the first of equal actions, and stays unchanged elsewhere. False when memory ran out. */
bool response_find(const struct form *form, const double *strategy, int side, double *best, double *value,
                   struct err *e);

/* Computes how much both sides together could gain by best responses to a pair of strategies: 0 exactly
 * for an equilibrium. Half of it bounds the distance of either side's guarantee from the game's value. */
bool response_gap(const struct form *form, const double *const strategies[2], double *gap, struct err *e);

/* ---- the exact strategy of PIMC ----
 *
 * PIMC that looks at every world and has its exact value: the action with the best mean over all states of
 * the information set, all equally likely, as if nothing were hidden from the next action on. */

/* Fills the strategy of both sides; equally good actions share equally. False when memory ran out. */
bool pimc_strategy(const struct form *form, double *strategy, struct err *e);

#endif
