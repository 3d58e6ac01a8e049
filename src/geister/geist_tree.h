/* SPDX-License-Identifier: MIT
 *
 * The inside of geist's search: its tree and one simulation. Private to src/geister.
 */
#ifndef GEISTER_GEIST_TREE_H
#define GEISTER_GEIST_TREE_H

#include "geister/geist.h"

enum { GEIST_GUARD_SETS = 8, GEIST_MOVES_MAX = POLICY_MOVES_MAX, GEIST_PATH_MAX = 128 };
#define GEIST_RISK 0.15 /* so much more likely may a forced loss be than after the safest move */

struct geist_edge {
    float prior; /* ours: the policy's chance */
    float sum;   /* of values to us */
    uint32_t visits;
    int32_t child[2];         /* by the colour of what was taken: blue 1; -1: none yet */
    uint32_t their_visits[2]; /* the other's choice, by the colour of the piece that moves: red 1 */
    float their_sum[2];       /* of values to the other, as it sees things */
    uint8_t move;             /* as the mover sees it */
};

struct geist_node {
    int32_t first, count; /* its edges; none yet: 0 */
    uint32_t visits;
    float sum, their_sum;
};

struct geist {
    struct geist_settings settings;
    struct purple *purple;
    struct geist_node *nodes;
    struct geist_edge *edges;
    int nodes_max, edges_max, node_count, edge_count, depth;
    int side; /* whose search it is */
    double danger[GEIST_MOVES_MAX];
};

/* One simulation: the position with the drawn colours, and ours as the other side may imagine them. */
struct geist_sim {
    struct geist_board board;
    uint64_t red, blue; /* imagined, as we see the board */
    uint8_t counts[2];  /* of those, taken: blues, reds */
    enum belief_model who;
    double look[GEISTER_CELLS]; /* of ours, for BELIEF_GUESS; see struct belief */
    float vu, vo;               /* values to us and to the other; negative: not known yet */
};

/* A tree of nothing but the root. */
void geist_plant(struct geist *g, const struct geister *view);

/* Plays a simulation from the root and keeps its result. */
void geist_simulate(struct geist *g, struct geist_sim *sim, struct rng *r);

/* Does the other side, with these reds, have a forced win after that move of ours? */
bool geist_loses(struct geist *g, const struct geister *view, unsigned their_reds, action move);

#endif
