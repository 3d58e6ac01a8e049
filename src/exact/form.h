/* SPDX-License-Identifier: MIT
 *
 * A small game written out whole: every deal, every course of play, and which of a player's decisions look
 * alike to it. What solves games exactly works on this and knows no rules.
 *
 * The deal is the only chance: all worlds the start can be (to somebody who sees nothing) are equally likely.
 * Nodes are stored parents before children, children side by side; information sets come in the order in
 * which they are first met, so a set comes after those its mover passed on the way. Payoffs are those of side
 * 0, 0 … 1.
 *
 * Players remember what they saw and did (perfect recall): all nodes of a set share the mover's own actions
 * before it. So what a side did so far is told by its last action alone: that is a sequence, 0 for nothing
 * yet, else 1 + the index of the action in `actions`. A game that forgets is refused.
 */
#ifndef EXACT_FORM_H
#define EXACT_FORM_H

#include "game/game.h"

#include <stdatomic.h>

enum { FORM_NODES_MAX = 20000000, FORM_DEPTH_MAX = 4096 };

struct form_node {
    int32_t set;    /* information set, or -1 at the end of a game */
    uint32_t first; /* child; there are as many as the set has actions */
    double payoff;  /* at the end */
};

struct form_set {
    int side;
    int count;       /* of actions */
    uint32_t first;  /* of its actions in `actions`, and of their probabilities in a strategy */
    uint32_t before; /* the mover's sequence on the way here */
    uint64_t key;    /* of the view */
};

/* The end of a course of play that pays side 0 something, with what both sides did. */
struct form_leaf {
    uint32_t sequences[2];
    double payoff;
};

struct form {
    const struct scenario *scenario;
    uint32_t deal_count; /* the first nodes are the starts of the deals, each with probability 1/deal_count */
    uint32_t node_count, set_count, action_count, leaf_count;
    struct form_node *nodes;
    struct form_set *sets;
    action *actions;
    struct form_leaf *leaves;
    unsigned char *views; /* what the mover of each set sees there: see form_view */
};

/* Writes the game out. What `start` draws beyond the deal (a tree of its own) comes from the seed. False when
 * it would have more than `nodes_max` nodes, a course of play is longer than FORM_DEPTH_MAX, memory ran out,
 * `stop` (may be NULL) was set, or the game breaks its laws (views that look alike but allow different
 * actions, equal keys for different views, no perfect recall); the sentence says which. Either way the form
 * is to be done with. Where nothing is hidden every node is a set of its own. */
bool form_build(const struct scenario *scenario, uint64_t seed, uint32_t nodes_max, const atomic_bool *stop,
                struct form *out, struct err *e);
void form_done(struct form *form);

/* What is seen at a set; aligned as states need. */
const void *form_view(const struct form *form, uint32_t set);

/* ---- strategies: the probability of each action of each set (both sides'), in the form's order ---- */

/* All actions alike; NULL when memory ran out. Free with mem_free. */
double *form_uniform(const struct form *form);

/* What side 0 expects when side i plays by strategies[i] (only its own sets are looked at). */
double form_value(const struct form *form, const double *const strategies[2]);

/* Do the probabilities of every set sum to 1? */
bool form_is_strategy(const struct form *form, const double *strategy);

/* ---- the size of a game that has not been written out ---- */

struct form_size {
    double deals, nodes; /* as a form counts them */
};

/* From random games (Knuth 1975): exact where every position as deep has as many actions. Infinite when games
 * do not end. False when memory ran out. */
bool form_estimate_size(const struct scenario *scenario, uint64_t seed, struct form_size *out, struct err *e);

#endif
