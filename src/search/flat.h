/* SPDX-License-Identifier: MIT
 *
 * Monte Carlo over the worlds a view can be, without a tree: the actions of the root are the arms of one
 * bandit. One search for PIMC (perfect information Monte Carlo), IIMC (imperfect information Monte Carlo) and
 * AMCTS (adaptive Monte Carlo tree search); what differs between them is a setting. Where nothing is hidden
 * the one world is the state itself.
 *
 * A unit of work is one simulation: a world is drawn, an action chosen, its value found. What that costs is
 * told in leaves: playouts (or ends of games) evaluated, those of searches inside playouts included.
 */
#ifndef SEARCH_FLAT_H
#define SEARCH_FLAT_H

#include "base/err.h"
#include "base/rng.h"
#include "search/search.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- when AMCTS searches again ---- */

/* When adaptive Monte Carlo tree search (AMCTS) throws its random playouts away and searches again with
 * thoughtful ones: equation (6) of the paper, of which only the surroundings survive. So it is a table of
 * readings, none of which is "the paper's", with the controls that show whether the reading matters. */

enum switching_rule {
    SWITCH_GAP_PER_WORLD, /* 6w: best - second < theta / worlds */
    SWITCH_GAP,           /* 6g: best - second < theta */
    SWITCH_GAP_BY_WORLDS, /* 6x: best - second < theta * worlds / worlds at the start */
    SWITCH_ERRORS,        /* 6c: best - second < theta * (their standard errors' sum) */
    SWITCH_RELATIVE,      /* 6q: (best - second) / best < theta */
    SWITCH_REVERSED,      /* 6i: best - second > theta */
    SWITCH_ALWAYS,
    SWITCH_NEVER,
    SWITCH_RANDOM, /* with probability theta */
    SWITCH_RULES,
};

/* As options and tables call them, "|" between; and theta's default for each. 6w's reads "a difference of
 * less than one point, shared by the worlds", where a point is a fourth of the whole: payoffs 0 … 4, as in
 * the paper. What a point is in another game a search cannot know. */
#define SWITCHING_NAMES "6w|6g|6x|6c|6q|6i|always|never|random"
extern const double switching_thetas[SWITCH_RULES];

/* One action after the first search. */
struct switching_arm {
    double mean, variance; /* of rewards in 0 … 1 */
    uint64_t visits;
};

struct switching_case {
    const struct switching_arm *arms;
    int count;
    double worlds, worlds_at_start; /* states of the mover's information set, now and when nothing is known;
                                       the latter is for SWITCH_GAP_BY_WORLDS alone */
    struct rng *rng;                /* drawn from by SWITCH_RANDOM alone */
};

/* Shall it be searched again? Arms that were never played do not count; with less than two of them there is
 * nothing to decide, and no rule says yes. */
bool switching_decide(enum switching_rule rule, double theta, const struct switching_case *c);

/* ---- the search ---- */

enum flat_root {
    FLAT_TUNED,       /* UCB1-tuned, equations (2) and (3) */
    FLAT_UCB1,        /* equation (1) */
    FLAT_ROUND_ROBIN, /* as Algorithm 1 is printed: in each world drawn, every action once */
};

/* What an action is worth in a world: to PIMC, and to the searches inside IIMC's playouts. */
enum flat_leaf {
    FLAT_PLAYOUT, /* a playout */
    FLAT_MINIMAX, /* its exact value to players who see everything (or to `depth` plies, then a playout) */
};

/* Whose moves in a playout are chosen by a search of their own, from what that side sees there. A side that
 * does not think plays its turns by the rollout. */
enum flat_thinkers { FLAT_NO_ONE, FLAT_OWN, FLAT_BOTH };

/* Plies with a choice that FLAT_MINIMAX looks ahead at most: no search could go through more. */
enum { FLAT_DEPTH_MAX = 64 };

struct flat_settings {
    enum flat_root root;
    double c; /* of FLAT_UCB1: mean + c * sqrt(ln n / n_i) */
    enum flat_leaf leaf;
    int depth;                     /* of FLAT_MINIMAX: plies behind the action, forced ones not counted; 0: to
                                      the end */
    bool all_worlds;               /* where N reaches for every action in every world: all of them in turn, as
                                      often as it does (once when the values are exact), not at random */
    const struct rollout *rollout; /* random playouts and those of the inner search */
    bool by_sum;                   /* in the end the highest sum, not the highest mean */

    enum flat_thinkers thinkers; /* FLAT_NO_ONE: PIMC; else IIMC */
    int inner_sims;        /* M: simulations of a search inside a playout; 0: by equation (5), with … */
    double inner_constant; /* … this C */

    /* AMCTS: random playouts first, then (by the rule) all over again with `thinkers`. */
    bool adaptive;
    enum switching_rule rule;
    double theta;
    double worlds_at_start; /* of SWITCH_GAP_BY_WORLDS; no view tells it */
    bool keep;              /* the first search's statistics are kept and added to, not thrown away */
    bool skip_last; /* no second search where it is certain that no thinker has a choice to come: it would be
                       the first again */

    uint64_t sims;       /* N: simulations, of each of AMCTS's two searches; 0: by equation (5), worlds times
                            actions times … */
    double constant;     /* … this C; 0: no limit but the budget's */
    uint64_t leaves_max; /* leaves in place of N, for comparisons at equal cost; 0: N. A simulation that it
                            (or time, or a stop) cuts off does not count */
};

/* What a search did beyond its result: for experiments and tests. */
struct flat_report {
    bool switched;
    uint64_t sims[2]; /* of the first search and of the second */
};

/* The storage of one search; kept by a player so that decisions do not allocate. */
struct flat;

/* NULL and a sentence when there is not enough memory. */
struct flat *flat_open(const struct game *game, struct err *e);
void flat_close(struct flat *flat);

/* The task's root is a view. N, settings->sims or equation (5), is rounded down to whole rounds of
 * FLAT_ROUND_ROBIN where it reaches for one. The budget's work_max (when it is not 0) takes its place. With a
 * limit on time or leaves and no work_max, that takes its place: but AMCTS's first search ends at N
 * nevertheless, and the second has the rest. Values are means, in 0 … 1. One number is drawn from the task's
 * generator; what a search draws depends on nothing else, so that AMCTS's second search does not depend on
 * the first. `report` may be NULL.
 *
 * Actions are first tried in random order, so that an N too small for all of them favours none. A second
 * search that has not finished one simulation leaves the first's result as it is. Where no simulation was
 * finished at all the action is drawn by lot. */
void flat_search(struct flat *flat, const struct search_task *task, const struct flat_settings *settings,
                 struct search_result *out, struct flat_report *report);

/* Equation (5): N = W * A * C, rounded, at least 1. */
uint64_t flat_equation_5(double worlds, int actions, double constant);

/* ---- bounds of one arm, for the bandit and its tests ---- */

struct flat_arm {
    uint64_t visits;
    double sum, squares; /* of rewards in 0 … 1 */
};

/* Upper confidence bounds after `n` plays of all arms; the arm was played at least once. */
double flat_bound_tuned(const struct flat_arm *arm, uint64_t n);
double flat_bound_ucb1(const struct flat_arm *arm, uint64_t n, double c);

#endif
