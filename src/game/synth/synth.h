/* SPDX-License-Identifier: MIT
 *
 * Synthetic game trees with hidden information (Long, Sturtevant, Buro and Furtak, "Understanding the success
 * of perfect information Monte Carlo sampling in game tree search", AAAI 2010), with the integer payoffs of
 * the paper on adaptive Monte Carlo tree search. Each of two players is dealt a private type; they alternate,
 * all moves are public, and the payoff at the end depends on the moves and on both types.
 *
 * Nothing is stored: the payoff of a leaf and what a player learns at a node are hashes of the tree's seed
 * and the place. So trees far too large for any memory can be played, and the same seed gives the same tree.
 *
 * A state is written `tree=123 moves=LRL types=3,?4-7`: moves are L and R (numbers from 0, separated by dots,
 * when there are more than two), a type is a number, `?` when it can be any, `?4-7` when it is one of these.
 */
#ifndef GAME_SYNTH_SYNTH_H
#define GAME_SYNTH_SYNTH_H

#include "game/game.h"

enum { SYNTH_WORLDS_MAX = 4096, SYNTH_DEPTH_MAX = 61, SYNTH_BRANCHING_MAX = 64, SYNTH_TOP_MAX = 64 };

/* Payoffs of siblings that are not made equal by correlation. The definition in the paper is lost: all
 * readings are here. */
enum synth_uncorrelated {
    SYNTH_INDEPENDENT, /* independent draws */
    SYNTH_MIRROR,    /* r and top - r, in random order; with more than two siblings each gets one of them, not
                        all the same */
    SYNTH_EXTREME,   /* top and 0, likewise */
    SYNTH_DIFFERENT, /* independent draws, repeated until they are not all equal */
};

enum synth_payoffs {
    SYNTH_NORMAL, /* 0 … top by equation (4): a normal distribution, clamped and rounded */
    SYNTH_SIGNS,  /* Long's +1 and -1: top is 1, correlated siblings are 1 with probability `bias`, others are
                     opposites (SYNTH_EXTREME) unless `uncorrelated` was given */
};

struct synth_params {
    int worlds;               /* types of each player; a power of two */
    int depth, branching;     /* branching^depth is below 2^62 */
    int payoffs, top;         /* enum synth_payoffs; payoffs are whole numbers 0 … top */
    double correlation, bias; /* of siblings at the leaves */
    double mean, deviation;   /* of the normal distribution; negative: bias, and 1 / top */
    int uncorrelated;         /* enum synth_uncorrelated */
    double disambiguation;    /* probability that a player's cell of possible types is halved at a move */
    int tree;                 /* the tree's seed; 0: a new tree for every game */
};

extern const struct game synth_game;

/* The parameters of a scenario of this game. */
const struct synth_params *synth_params_of(const struct scenario *scenario);

/* ---- for tests and exact statistics ---- */

/* A place in a tree: the moves so far, read as a number in base `branching`, and how many there were. */
struct synth_place {
    uint64_t tree, path;
    int ply;
};

/* The place of a state or view of synth_game. */
struct synth_place synth_place_of(const void *state);

/* The payoff to player 0, 0 … top, at a place of full depth, for these types. */
int synth_leaf(const struct scenario *scenario, const struct synth_place *place, const int types[2]);

/* The types of the other player that `side` cannot distinguish: first … first + size - 1. */
struct synth_cell {
    int first, size;
};

/* The knowledge of `side` at that place: the cell may be halved at each of its own moves up to and including
 * this place. */
struct synth_cell synth_cell(const struct scenario *scenario, const struct synth_place *place, int side,
                             const int types[2]);

/* Fills a state (of synth_game) at that place. */
void synth_set(void *state, const struct scenario *scenario, const struct synth_place *place,
               const int types[2]);

/* Equation (4): the whole number for a draw of the normal distribution, clamped to 0 … 1. */
int synth_round(double draw, int top);

#endif
