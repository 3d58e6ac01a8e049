/* SPDX-License-Identifier: MIT
 *
 * Monte-Carlo tree search: one search for UCT, UCT with progressive widening, M-UCT and information-set UCT.
 * They differ in settings: when a node gets children, in which order and how many of them may be visited,
 * whose mean selects, how a simulation that is cut off is judged, which root action is played, and whether a
 * node is a sequence of actions, a position or an information set.
 *
 * Nodes store no states: every simulation plays from the root.
 */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include "search/search.h"

/* ---- progressive widening ---- */

/* The number of children of a node that may be visited, by the number of its simulations (Sato, Fujiki and
 * Ikeda, A.2.2). Two branches of the form floor(log_base((n + shift) / scale) + offset), the second from
 * `switch_at` on; at least one child is always open. */

enum { WIDENING_STEPS = 256 };

/* floor(log_base((n + shift) / scale) + offset) children after n simulations. */
struct widening_branch {
    double base, shift, scale, offset;
};

struct widening {
    int steps;
    int needs[WIDENING_STEPS]; /* the k-th further child opens at this many simulations; ascending. Beyond the
                                  last step all children are open */
};

/* The paper's numbers: log_1.4(n / 40) + 2 up to 3000, log_1.2((n + 2000) / 45) - 11 beyond. */
extern const struct widening_branch widening_paper[2];
enum { WIDENING_PAPER_SWITCH = 3000 };

/* The formula; at least 1. */
int widening_count(const struct widening_branch branches[2], int switch_at, int simulations);

/* Tabulates it, so that a search needs no logarithm. */
void widening_init(struct widening *out, const struct widening_branch branches[2], int switch_at);

/* ---- the search ---- */

enum tree_cut {
    TREE_CUT_SIGN, /* the side that is ahead by the evaluation has won */
    TREE_CUT_LOSS, /* the side to move at the root has lost: only a decided game counts */
};

/* The exploration term: c * sqrt(ln n / n_i), or UCB1-tuned's sqrt(ln n / n_i * min(1/4, V_i)) (times c). */
enum tree_bound { TREE_UCB1, TREE_TUNED };

enum tree_choice { TREE_CHOOSE_MEAN, TREE_CHOOSE_VISITS };

struct tree_settings {
    enum tree_bound bound;         /* TREE_TUNED needs tree_open's `squares` */
    double c;                      /* of the exploration term */
    int expand;                    /* visits after which a node gets children */
    const struct rollout *rollout; /* the playout policy */
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
    bool hurry;          /* among actions that won every simulation, prefer one that ends the game at once */
    bool transpositions; /* positions reached by several sequences share their children; needs tree_open's
                            `keyed` */
    bool hidden; /* the root is a view: each simulation draws its unknowns, and a node is an information set
                    of its mover. Needs `keyed`; not with reuse. In a game that hides nothing: the same as
                    transpositions */
    bool open_loop; /* the root is a view: each simulation lets the game draw unknowns (`determinize`), a node
                       is a sequence of actions in any world, and its children are what `actions` lists. Those
                       that `is_legal` forbids in the current world are skipped. Not with widening, `hidden`
                       or reuse */
    bool reuse;     /* continue with the previous search's tree when its choice led to this root: faster, but
                       answers then depend on earlier searches */
};

/* One or more trees; a player keeps them so that decisions do not allocate. */
struct tree;

/* What is allocated once. The settings of a search must fit: see the asserts of tree_search. */
struct tree_memory {
    size_t memory_bytes; /* for all trees together */
    int trees; /* 1 … TREE_TREES_MAX trees, a thread each, searched independently; their root statistics are
                  added */
    bool keyed;   /* for transpositions and hidden information */
    bool squares; /* for TREE_TUNED */
    bool spare;   /* for reuse: half of the memory, where a subtree is moved to */
};

enum { TREE_TREES_MAX = 64 };

/* NULL and a sentence when memory ran out. */
struct tree *tree_open(const struct game *game, const struct tree_memory *memory, struct err *e);
void tree_close(struct tree *tree);

/* Work units are simulations. When the storage is full the tree stops growing and the search continues. */
void tree_search(struct tree *tree, const struct search_task *task, const struct tree_settings *settings,
                 struct search_result *out);

/* The statistics of the last search's root, in the order in which the children were made (of the first tree),
 * for tests and tools. Returns the number of children. */
struct tree_child {
    action action;
    int visits;
    double sum; /* of values to the root's mover */
};

int tree_root_children(const struct tree *tree, struct tree_child *out, int out_max);

/* Depth of the last search's (first) tree: 0 when only the root has children. */
int tree_depth(const struct tree *tree);

#endif
