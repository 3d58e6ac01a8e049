/* SPDX-License-Identifier: MIT
 *
 * Monte Carlo over the worlds that a view allows, without a tree: the actions of the root are the arms of one
 * bandit. One search implements PIMC (perfect information Monte Carlo), IIMC (imperfect information Monte
 * Carlo) and AMCTS (adaptive Monte Carlo tree search); they differ in settings. Where nothing is hidden, the
 * state itself is the only world.
 *
 * A unit of work is one simulation: a world is drawn, an action chosen, its value found. Cost is reported in
 * leaves: evaluated playouts (or ends of games), those of searches inside playouts included.
 */
#ifndef SEARCH_FLAT_H
#define SEARCH_FLAT_H

#include "search/search.h"

#include <stdbool.h>
#include <stdint.h>

/* An arm is an action of the position whose actions are compared. On a cheap game the bandit is the larger
 * part of a simulation's cost, so an arm stores 1 / visits: one division a simulation instead of several an
 * arm. */
struct flat_arm {
    uint64_t visits;
    double sum, squares; /* of rewards in 0 … 1, the payoffs to the mover */
    double inverse;      /* 1 / visits */
};

/* ---- when AMCTS searches again ---- */

/* The rule by which adaptive Monte Carlo tree search (AMCTS) drops its random playouts and searches again
 * with thinkers: equation (6) of the paper, of which only the surrounding text survives. So this is a table
 * of readings, none of which is known to be the paper's, and of controls that show whether the reading
 * matters. */

enum switching_rule {
    SWITCH_GAP_PER_WORLD, /* 6w: best - second < theta / worlds */
    SWITCH_GAP,           /* 6g: best - second < theta */
    SWITCH_GAP_BY_WORLDS, /* 6x: best - second < theta * worlds / worlds at the start */
    SWITCH_ERRORS,        /* 6c: best - second < theta * (their standard errors' sum) */
    SWITCH_RELATIVE,      /* 6q: (best - second) / best < theta */
    SWITCH_REVERSED,      /* 6i: best - second > theta */
    SWITCH_ALWAYS,
    SWITCH_NEVER,
    SWITCH_RANDOM,  /* with probability theta */
    SWITCH_SQUARES, /* 6e: best - second < theta * (the root of the sum of their squared standard errors) */
    SWITCH_SPREAD,  /* 6s: best - second < theta * (the mean of their rewards' standard deviations) */
    SWITCH_GAIN,   /* 6v: e * e / (e + best - second) > theta, e being 6e's root: about the gain that is to be
                      expected of better values */
    SWITCH_VISITS, /* 6n: visits of the second > theta * visits of the best */
    SWITCH_OPEN,   /* 6d: the best is less than theta away from a half */
    SWITCH_BEHIND, /* 6l: the best is below theta */
    SWITCH_MANY,   /* 6m: best - second < theta, where worlds are at least w0 */
    SWITCH_COST,  /* 6k: best - second < theta / (worlds * choices to come): about the second search's cost */
    SWITCH_LATER, /* 6j: best - second < theta * choices to come / worlds */
    SWITCH_RULES,
};

/* Names in options and tables, separated by "|", and the default theta of each. The default of 6w is a
 * difference of less than one point, divided by the number of worlds, where a point is a fourth of the payoff
 * range: payoffs 0 … 4, as in the paper. A search cannot know what a point is in another game. */
#define SWITCHING_NAMES "6w|6g|6x|6c|6q|6i|always|never|random|6e|6s|6v|6n|6d|6l|6m|6k|6j"
extern const double switching_thetas[SWITCH_RULES];

struct switching_case {
    const struct flat_arm *arms; /* the actions after the first search */
    int count;
    double worlds, worlds_at_start; /* number of states in the mover's information set, now and at the start;
                                       the latter is used by SWITCH_GAP_BY_WORLDS only, and as w0 by
                                       SWITCH_MANY */
    double choices;                 /* of thinkers behind the action: see switching_needs_choices */
    int halves;                     /* 2 p: the rule's margin (6v: its gain) is divided by worlds^p */
    struct rng *rng;                /* used by SWITCH_RANDOM only */
};

/* Whether the rule uses `choices`, which cost some playouts. */
bool switching_needs_choices(enum switching_rule rule);

/* Whether the rule uses `halves`: all that compare best - second with a margin (6g, 6c, 6e, 6s, 6q), and 6v.
 * The others assert that it is 0. */
bool switching_has_power(enum switching_rule rule);

/* True when the search is to be repeated. Arms that were never played do not count; with fewer than two arms
 * the answer is always false. */
bool switching_decide(enum switching_rule rule, double theta, const struct switching_case *c);

/* ---- the search ---- */

enum flat_root {
    FLAT_TUNED,       /* UCB1-tuned, equations (2) and (3) */
    FLAT_UCB1,        /* equation (1) */
    FLAT_ROUND_ROBIN, /* as Algorithm 1 is printed: in each world drawn, every action once */
};

/* The value of an action in a world, for PIMC and for the searches inside IIMC's playouts. */
enum flat_leaf {
    FLAT_PLAYOUT, /* a playout */
    FLAT_MINIMAX, /* its exact value with perfect information (or to `depth` plies, then a playout) */
};

/* The sides whose moves in a playout are chosen by a search of their own, from what that side sees there.
 * Other sides play their turns by the rollout. */
enum flat_thinkers { FLAT_NO_ONE, FLAT_OWN, FLAT_BOTH };

/* Most plies with a choice that FLAT_MINIMAX looks ahead. */
enum { FLAT_DEPTH_MAX = 64 };

/* A player fills this once; a search does not change it. */
struct flat_settings {
    enum flat_root root;
    double c; /* of FLAT_UCB1: mean + c * sqrt(ln n / n_i) */
    enum flat_leaf leaf;
    int depth;       /* of FLAT_MINIMAX: plies behind the action, without forced ones; 0: to the end */
    bool all_worlds; /* where N suffices for every action in every world: all worlds in order, as often as
                        possible (once when the values are exact), instead of at random */
    const struct rollout *rollout; /* random playouts and those of the inner search */
    bool by_sum;                   /* the final choice is the highest sum instead of the highest mean */

    enum flat_thinkers thinkers; /* FLAT_NO_ONE: PIMC; else IIMC */
    int inner_sims;        /* M: simulations of a search inside a playout; 0: by equation (5) with … */
    double inner_constant; /* … this C */

    /* AMCTS: random playouts first, then, if the rule decides so, a second search with `thinkers`. */
    bool adaptive;
    enum switching_rule rule;
    double theta;
    double worlds_at_start; /* for SWITCH_GAP_BY_WORLDS and SWITCH_MANY; not part of a view */
    int halves;             /* see struct switching_case */
    bool keep;      /* the second search adds to the first search's statistics instead of dropping them */
    bool skip_last; /* no second search where no thinker can have a choice to come: it would repeat the first
                     */

    uint64_t sims; /* N: simulations of each of AMCTS's two searches; 0: by equation (5), worlds times actions
                      times … */
    double constant;     /* … this C; 0: only the budget limits */
    uint64_t leaves_max; /* limit in leaves in place of N, for comparisons at equal cost; 0: N. A simulation
                            that is cut off does not count */
};

/* Details of a search for experiments and tests. */
struct flat_report {
    bool switched;
    uint64_t sims[2]; /* of the first search and of the second */
    /* Of AMCTS, at the decision on the second search: the best and the second of the actions that were
     * played (zero visits: there is none), the worlds, and the thinkers' choices to come. */
    struct flat_arm leaders[2];
    double worlds, choices;
    uint64_t first_leaves;
};

/* The memory of one search; a player keeps it so that decisions do not allocate. */
struct flat;

struct flat *flat_open(const struct game *game);
void flat_close(struct flat *flat);

/* The task's root is a view. N (settings->sims or equation (5)) is rounded down to whole rounds of
 * FLAT_ROUND_ROBIN if there is at least one. The budget's work_max, if not 0, replaces N. Otherwise a limit
 * on time or leaves replaces N, except that AMCTS's first search still ends at N and the second has the rest.
 * Values are means in 0 … 1. One number is drawn from the task's generator; all random numbers of a search
 * follow from it, so that AMCTS's second search does not depend on the first. `report` may be NULL.
 *
 * Actions are first tried in random order, so that an N too small for all of them favours none. A second
 * search that has not finished one simulation leaves the first's result unchanged. If no simulation was
 * finished at all the action is random. */
void flat_search(struct flat *flat, const struct search_task *task, const struct flat_settings *settings,
                 struct search_result *out, struct flat_report *report);

/* Equation (5): N = W * A * C, rounded, at least 1. */
uint64_t flat_equation_5(double worlds, int actions, double constant);

/* The upper confidence bound after `n` plays of all arms, for tests; the arm was played at least once. It
 * does not read `inverse`. */
double flat_bound(const struct flat_arm *arm, uint64_t n, enum flat_root root, double c);

#endif
