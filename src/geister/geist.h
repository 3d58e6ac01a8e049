/* SPDX-License-Identifier: MIT
 *
 * The player geist: its belief about the other's colours, and its search.
 *
 * What a side can conclude about the other's colours is a probability for each set of reds that agrees with
 * the view, from how the pieces were moved (the history in the state). Without history all sets are equally
 * likely. A move is evidence because different players would move differently with different reds (Bayes'
 * rule). The model of the other player is inferred along with the colours: one that plays at random (whose
 * moves are no evidence), one that plays like geist's own policy, one like `guess`, one like `pg`, one like
 * `purple`.
 *
 * The search is a tree over what the side to move at the root can see. Each simulation draws the
 * other's reds and its player model from a belief. Nodes are sequences of moves (with the colours of taken
 * pieces), so that our choices never depend on a colour that we could not see. The other side knows its own
 * colours but not ours: it chooses by its own values of positions as it sees them, for which our colours are
 * drawn, too. Learned policies order the moves, learned values evaluate the leaves.
 */
#ifndef GEISTER_GEIST_H
#define GEISTER_GEIST_H

#include "geister/policy.h"
#include "geister/purple.h"
#include "search/search.h"

/* ---- beliefs ---- */

enum belief_model { BELIEF_CHANCE, BELIEF_POLICY, BELIEF_GUESS, BELIEF_PG, BELIEF_PURPLE, BELIEF_MODELS };

struct belief {
    int count;                     /* sets that agree with the view */
    uint8_t reds[GEISTER_SETUPS];  /* of the other side: bit 0 is its piece A; taken reds included */
    double weight[GEISTER_SETUPS]; /* they sum to 1 */
    double share[GEISTER_SETUPS][BELIEF_MODELS]; /* parts of the weight by model; they sum to it */
    double look[GEISTER_CELLS]; /* how blue our own pieces look to BELIEF_GUESS, as the other side sees the
                                   board */
};

/* Draws a set by its weight, and the model that plays with it (`who` may be NULL). */
unsigned belief_draw(const struct belief *belief, struct rng *r, enum belief_model *who);

struct belief_settings {
    const struct geist_weights *weights; /* of BELIEF_POLICY */
    bool models;                         /* false: only BELIEF_CHANCE and BELIEF_POLICY */
    int depth;                           /* of BELIEF_PURPLE; 0: this model is not used */
    double sharpness;                    /* scores are multiplied by it before the softmax of BELIEF_POLICY */
    double doubt;                        /* share of moves that a model does not explain */
};

/* Inference from the history. It stores the last game so that the next question of the same game continues
 * from there; the answers are the same without that. */
struct inference;
struct inference *inference_open(const struct belief_settings *settings, struct err *e);
void inference_close(struct inference *inference);
void inference_conclude(struct inference *inference, const struct geister *view, int side,
                        struct belief *out);

/* ---- the search ---- */

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
