/* SPDX-License-Identifier: MIT
 *
 * Full-width Min-Max with alpha-beta, a transposition table and iterative deepening (Sato, Fujiki and Ikeda,
 * section 4.1). Depth counts turns or single actions; signs come from the mover.
 */
#ifndef SEARCH_MINMAX_H
#define SEARCH_MINMAX_H

#include "base/err.h"
#include "search/search.h"

/* Values of decided games: far outside any evaluation, and better the sooner won. */
#define MINMAX_WIN 1e9

struct minmax_settings {
    int turns; /* depth in turns, or 0 */
    int plies; /* depth in single actions, or 0; with both 0: deepen turn by turn until the budget ends */
    const struct eval *eval;
    const double *weights;
    const struct action_list *list; /* what is looked at; NULL: all actions */
    const struct prior *order;      /* what is looked at first; NULL: as listed */
    bool table;                     /* use the transposition table */
    size_t memory_bytes;            /* of the table */
};

/* Work units are nodes. When the budget ends within an iteration the last completed one answers (the first
 * iteration is always completed as far as its first action). False only when memory ran out. */
bool minmax_search(const struct search_task *task, const struct minmax_settings *settings,
                   struct search_result *out, struct err *e);

#endif
