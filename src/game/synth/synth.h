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

struct synth_scenario;

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

/* A state or view. What is known of a side's type is an aligned block of types; a full state has spans of 0.
 * Views do not record whose they are. */
struct synth_state {
    const struct synth_scenario *scenario;
    uint64_t tree, path; /* path: the moves so far, read as a number in base `branching` */
    uint16_t first[2];   /* first of the possible types … */
    uint8_t span[2];     /* … of which there are 2^span */
    uint8_t ply, unused;
};

/* Equation (4): the whole number for a draw of the normal distribution, clamped to 0 … 1. */
int synth_round(double draw, int top);

#endif
