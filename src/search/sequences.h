/* SPDX-License-Identifier: MIT
 *
 * Attack action search (Sato, Fujiki and Ikeda, sections 4.3.4 and A.2.3). Every ordered sequence of attacks
 * that fits into the mover's turn, of any length (also zero), is completed to a whole turn by a rule and
 * evaluated; the best turn is the answer.
 *
 * The game defines attacks: by a list of attacks and a score that is positive for attacks. Different orders
 * of the same attacks often end in the same position; merging enumerates only the first of them.
 */
#ifndef SEARCH_SEQUENCES_H
#define SEARCH_SEQUENCES_H

#include "base/err.h"
#include "search/search.h"
#include "search/thoughts.h"

/* Added to (taken from) the evaluation of turns that win (lose) the game: far outside any evaluation. */
#define SEQUENCES_WIN 1e9

enum { SEQUENCES_LENGTH_MAX = 64 };

/* How a sequence is completed to a whole turn. */
enum sequences_rest {
    SEQUENCES_RANDOM, /* any legal actions, equally likely (the paper's way) */
    SEQUENCES_GREEDY, /* the best evaluation after each single action */
    SEQUENCES_STAY,   /* the turn is ended; needs `pass` */
};

struct sequences_settings {
    const struct action_list *list; /* the attacks, or other actions when there is no attack */
    const struct prior *attacks;    /* positive for attacks */
    int length;                     /* most attacks in a sequence; 0: no limit */
    enum sequences_rest rest;
    int samples;               /* completions of each sequence by `random`; the best counts */
    const struct prior *order; /* tie-break of `greedy`; NULL: none */
    const struct eval *eval;
    const double *weights;
    /* True when actions other than attacks can change the evaluation. When false, a sequence after which no
     * unit can attack needs no completion: the remaining units only move. */
    bool moves_matter;
    bool merge;
    bool has_pass;
    action pass; /* ends the turn at once, where the game has such an action */
};

struct sequences_result {
    struct search_result result; /* work and nodes: evaluated positions, for `greedy` also on the way */
    uint64_t sequences,
        positions;         /* sequences, merged ones included; their different ends (merging), or all ends */
    struct turn_line line; /* the best turn, whole */
};

/* Memory for searches of one game; `table_bytes` is for merging (0: none). NULL when memory ran out. */
struct sequences *sequences_open(const struct game *game, size_t table_bytes, struct err *e);
void sequences_close(struct sequences *sequences);

/* Work units are evaluated positions. When the budget ends the best turn so far is the answer; the turn
 * without attacks is always evaluated. */
void sequences_search(struct sequences *sequences, const struct search_task *task,
                      const struct sequences_settings *settings, struct sequences_result *out);

#endif
