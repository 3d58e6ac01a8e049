/* SPDX-License-Identifier: MIT
 *
 * Depth-limited Monte Carlo over whole turns (Sato, Fujiki and Ikeda, sections 4.3.3 and A.2.4). Complete
 * turns of the mover are drawn at random, each resulting position is evaluated by the mean evaluation at the
 * end of short random simulations, and the turn with the best mean is the answer.
 *
 * Turn i and its simulations have their own generator, so the result is the same for any number of threads.
 */
#ifndef SEARCH_TURNS_H
#define SEARCH_TURNS_H

#include "base/err.h"
#include "search/search.h"
#include "search/thoughts.h"

struct turns_settings {
    int turns;   /* number of turns when the budget sets no limit */
    int sims;    /* simulations from the end of each */
    int horizon; /* turns that a simulation plays after the drawn one; 0: the position itself is evaluated */
    const struct rollout *rollout;
    const struct eval *eval; /* also of games that ended earlier */
    const double *weights;
};

struct turns_result {
    struct search_result result; /* work: simulations; nodes: turns drawn */
    struct turn_line line;       /* the best turn */
};

/* Memory for searches of one game on up to `threads` threads; later calls need no further allocation to
 * succeed. NULL when memory ran out. */
struct turns *turns_open(const struct game *game, int threads);
void turns_close(struct turns *turns);

/* Work units are simulations. work_max is rounded down to whole turns; with only a time limit, turns are
 * drawn until it is over. At least one turn is always evaluated, by at least one simulation. With several
 * threads the watcher is called from any of them, one call at a time. */
void turns_search(struct turns *turns, const struct search_task *task, const struct turns_settings *settings,
                  struct turns_result *out);

#endif
