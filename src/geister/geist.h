/* SPDX-License-Identifier: MIT
 *
 * The search of geist: a tree over what the side to move at the root can see. Each simulation draws the
 * other's reds and its player model from a belief. Nodes are sequences of moves (with the colours of taken
 * pieces), so that our choices never depend on a colour that we could not see. The other side knows its own
 * colours but not ours: it chooses by its own values of positions as it sees them, for which our colours are
 * drawn, too. Learned policies order the moves, learned values evaluate the leaves.
 */
#ifndef GEISTER_GEIST_H
#define GEISTER_GEIST_H

#include "geister/belief.h"
#include "search/search.h"

struct geist_settings {
    const struct geist_weights *weights;
    double explore;  /* weight of the exploration term */
    double known;    /* probability that in a simulation the other side has guessed our colours correctly */
    double follow;   /* probability that in a simulation the other side plays the move of its model instead of
                        its best move */
    int model_depth; /* of `purple` within simulations */
    int mate;        /* plies of the search for forced wins before the simulations; 0: none */
    uint64_t mate_nodes_max;
    int guard;   /* plies of the search for the other's forced wins after each move; 0: none */
    double draw; /* what a draw is worth to us */
};

struct geist;
struct geist *geist_open(const struct geist_settings *settings, size_t memory_bytes, struct err *e);
void geist_close(struct geist *geist);

/* The root of the task is a view of its mover, who has a move to make (not reds to choose). The chosen action
 * is a move as the side sees the board, an escape a step to the side; the same holds for the thoughts. Work
 * units are simulations. */
void geist_search(struct geist *geist, const struct search_task *task, const struct belief *belief,
                  struct search_result *out);

#endif
