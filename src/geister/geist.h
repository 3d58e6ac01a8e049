/* SPDX-License-Identifier: MIT
 *
 * The search of geist: a tree over what the side to move at the root can see. Each simulation draws the
 * other's reds, and who the other is, from a belief; nodes are ways (with the colours of what was taken), so
 * that our choices never depend on a colour that we could not see. The other side knows its own colours, but
 * not ours: it chooses by values of its own, of positions as it sees them, for which our colours are drawn,
 * too. Learned policies say which moves to look at first, learned values what the leaves are worth.
 */
#ifndef GEISTER_GEIST_H
#define GEISTER_GEIST_H

#include "geister/belief.h"
#include "search/search.h"

struct geist_settings {
    const struct geist_weights *weights;
    double explore;  /* the weight of the policy and of what was seldom tried */
    double known;    /* how often a simulation takes the other side to have guessed our colours rightly */
    double follow;   /* how often a simulation lets the other side do what it is believed to do, not what is
                        best for it */
    int model_depth; /* of `purple` within simulations */
    int mate;        /* plies within which forced wins are looked for first; 0: not at all */
    uint64_t mate_nodes_max;
    int guard;   /* plies within which the other's forced wins are looked for after each move; 0: not */
    double draw; /* what a draw is worth to us */
};

struct geist;
struct geist *geist_open(const struct geist_settings *settings, size_t memory_bytes, struct err *e);
void geist_close(struct geist *geist);

/* The root of the task is a view of its mover, somebody being to move (and not choosing reds). The chosen
 * action is a move as the side sees the board, an escape a step to the side; so are those of the thoughts.
 * Work units are simulations. */
void geist_search(struct geist *geist, const struct search_task *task, const struct belief *belief,
                  struct search_result *out);

#endif
