/* SPDX-License-Identifier: MIT
 *
 * A small game written out whole: every deal, every course of play, and which of a player's decisions look
 * alike to it. What solves games exactly works on this and knows no rules.
 *
 * The deal is the only chance: all worlds the start can be (to somebody who sees nothing) are equally likely.
 * Nodes are stored parents before children, children side by side; information sets come in the order in
 * which they are first met. Payoffs are those of side 0, 0 … 1.
 */
#ifndef EXACT_FORM_H
#define EXACT_FORM_H

#include "game/game.h"

#include <stdatomic.h>

enum { FORM_NODES_MAX = 20000000 };

struct form_node {
    int32_t set;    /* information set, or -1 at the end of a game */
    uint32_t first; /* child; there are as many as the set has actions */
    double payoff;  /* at the end */
};

struct form_set {
    int side;
    int count;      /* of actions */
    uint32_t first; /* of its actions in `actions`, and of their probabilities in a strategy */
    uint64_t key;   /* of the view */
};

struct form {
    const struct scenario *scenario;
    uint32_t
        deal_count; /* the first nodes are the starts of the deals, each with probability 1 / deal_count */
    uint32_t node_count, set_count, action_count;
    struct form_node *nodes;
    struct form_set *sets;
    action *actions;
    unsigned char *views; /* state_size bytes a set: what its mover sees there */
};

/* Writes the game out. What `start` draws beyond the deal (a tree of its own) comes from the seed. False when
 * it would have more than `nodes_max` nodes, memory ran out or `stop` (may be NULL) was set; the sentence
 * says which. Either way the form is to be done with. */
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

#endif
