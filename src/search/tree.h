/* SPDX-License-Identifier: MIT
 *
 * Monte-Carlo tree search: one search for UCT, UCT with progressive widening, M-UCT and information-set UCT.
 * What differs between them is a setting: when a node gets children, in which order and how many of them may
 * be visited, whose view selects, how a simulation that is cut off is decided, which root action is played in
 * the end, and whether a node is a way, a position or what its mover sees.
 *
 * The state of a node is not kept: every simulation plays its way down from the root.
 */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include "base/err.h"
#include "search/search.h"

/* ---- progressive widening ---- */

/* How many children of a node may be visited, by the number of its simulations (Sato, Fujiki and Ikeda,
 * A.2.2). Two branches of the form floor(log_base((n + shift) / scale) + offset), the second from `switch_at`
 * on; at least one child is always open. */

enum { WIDENING_STEPS = 256 };

struct widening_branch {
    double base, shift, scale, offset;
};

struct widening {
    int steps;
    int needs[WIDENING_STEPS]; /* the k-th further child opens at this many simulations; ascending. Beyond the
                                  last step all are open: nobody widens to hundreds one by one */
};

/* The paper's numbers: log_1.4(n / 40) + 2 up to 3000, log_1.2((n + 2000) / 45) - 11 beyond. */
extern const struct widening_branch widening_paper[2];
enum { WIDENING_PAPER_SWITCH = 3000 };

/* The formula itself; at least 1. */
int widening_count(const struct widening_branch branches[2], int switch_at, int simulations);

/* Tabulates it, so that a search needs no logarithm. */
void widening_init(struct widening *out, const struct widening_branch branches[2], int switch_at);

/* ---- the search ---- */

enum tree_cut {
    TREE_CUT_SIGN, /* whoever is ahead by the evaluation has won */
    TREE_CUT_LOSS, /* who is to move at the root has lost: only a decided game counts */
};

/* The exploration term: c * sqrt(ln n / n_i), or UCB1-tuned's sqrt(ln n / n_i * min(1/4, V_i)) (times c). */
enum tree_bound { TREE_UCB1, TREE_TUNED };

enum tree_choice { TREE_CHOOSE_MEAN, TREE_CHOOSE_VISITS };

struct tree_settings {
    enum tree_bound bound;         /* TREE_TUNED needs tree_open's `squares` */
    double c;                      /* of the exploration term */
    int expand;                    /* visits after which a node gets children */
    const struct rollout *rollout; /* plays a simulation to its end */
    int horizon;                   /* turns from the root until a simulation is cut; 0: never */
    enum tree_cut cut;             /* with a horizon */
    const struct eval *eval;       /* for TREE_CUT_SIGN */
    const double *weights;         /* of that */
    const struct prior *prior;     /* children with a higher score come first; NULL: as the game lists them */
    bool shuffle;                  /* children of equal score in random order */
    const struct widening *widening; /* NULL: every child may be visited at once */
    bool root_total;  /* ln n with n the simulations of the whole search, not the visits of the parent */
    bool cooperative; /* both sides select by the root mover's mean */
    enum tree_choice choice;
    bool hurry;          /* of actions that won every simulation, play one that wins at once */
    bool transpositions; /* positions reached in several ways share their children; needs tree_open's `keyed`
                          */
    bool hidden;    /* the root is a view: each simulation fills in its unknowns at random, and a node is what
                       its mover sees (an information set). Needs `keyed`; without reuse. In a game that hides
                       nothing: the same as transpositions */
    bool open_loop; /* the root is a view: each simulation lets the game fill in what it wants to
                       (`determinize`), a node is a way, whatever was filled in, and its children are what
                       `actions` lists of any world. Those that `is_legal` forbids in the world at hand are
                       passed over. Without widening, `hidden` and reuse */
    bool reuse;     /* go on from the last search's tree where the root is the position its choice led to:
                       a cache, but one whose answers depend on earlier searches */
};

/* The storage of one or more trees; kept by a player so that decisions do not allocate. */
struct tree;

struct tree_memory {
    size_t memory_bytes; /* for all trees together */
    int trees;  /* 1 … TREE_TREES_MAX, searched independently, their root statistics added; a thread each */
    bool keyed; /* for transpositions and hidden information */
    bool squares; /* for TREE_TUNED */
    bool spare;   /* for reuse: half of the memory is where a subtree is moved to */
};

enum { TREE_TREES_MAX = 64 };

/* NULL and a sentence when there is not enough memory. */
struct tree *tree_open(const struct game *game, const struct tree_memory *memory, struct err *e);
void tree_close(struct tree *tree);

/* Work units are simulations. When the storage is full the tree stops growing and the search goes on. */
void tree_search(struct tree *tree, const struct search_task *task, const struct tree_settings *settings,
                 struct search_result *out);

/* The statistics of the last search's root, in the order the children were made (several trees: the first's):
 * for tests and tools. Returns how many children there are. */
struct tree_child {
    action action;
    int visits;
    double sum; /* of values to the root's mover */
};

int tree_root_children(const struct tree *tree, struct tree_child *out, int out_max);

/* How deep the last search's tree is (several: the first's): 0 when only the root has children. */
int tree_depth(const struct tree *tree);

#endif
