/* SPDX-License-Identifier: MIT
 *
 * Searches over whole turns of the mover (Sato, Fujiki and Ikeda): depth-limited Monte Carlo over turns drawn
 * at random, and attack action search over sequences of attacks.
 */
#ifndef SEARCH_TURNS_H
#define SEARCH_TURNS_H

#include "search/search.h"

/* ---- drawn turns (sections 4.3.3 and A.2.4) ---- */

/* Complete turns are drawn at random, each resulting position is evaluated by the mean evaluation at the end
 * of short random simulations, and the turn with the best mean is the answer. Turn i and its simulations have
 * their own generator, so the result is the same for any number of threads. */

struct turns_settings {
    int turns;   /* number of turns when the budget sets no limit */
    int sims;    /* simulations from the end of each */
    int horizon; /* turns that a simulation plays after the drawn one; 0: the position itself is evaluated */
    const struct rollout *rollout;
    const struct eval *eval; /* also of games that ended earlier */
    const double *weights;
};

/* The answer of both searches over turns. */
struct turns_result {
    struct search_result result; /* value: the evaluation to the mover; work and nodes: see each search */
    struct turn_line line;       /* the best turn, whole */
    /* Of sequences_search: sequences, merged ones included; their different ends (merging), or all ends. */
    uint64_t sequences, positions;
};

/* Memory for searches of one game on up to `threads` threads; later calls need no further allocation to
 * succeed. NULL when memory ran out. */
struct turns *turns_open(const struct game *game, int threads);
void turns_close(struct turns *turns);

/* Work units are simulations, and nodes are drawn turns. work_max is rounded down to whole turns; with only a
 * time limit, turns are drawn until it is over. At least one turn is always evaluated, by at least one
 * simulation. With several threads the watcher is called from any of them, one call at a time. */
void turns_search(struct turns *turns, const struct search_task *task, const struct turns_settings *settings,
                  struct turns_result *out);

/* ---- sequences of attacks (sections 4.3.4 and A.2.3) ---- */

/* Every ordered sequence of attacks that fits into the turn, of any length (also zero), is completed to a
 * whole turn by a rule and evaluated; the best turn is the answer. The game defines attacks: by a list of
 * attacks and a score that is positive for attacks. Different orders of the same attacks often end in the
 * same position; merging enumerates only the first of them. */

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

/* Memory for searches of one game; `table_bytes` is for merging (0: none). NULL when memory ran out. */
struct sequences *sequences_open(const struct game *game, size_t table_bytes, struct err *e);
void sequences_close(struct sequences *sequences);

/* Work units and nodes are evaluated positions, for `greedy` also those on the way. When the budget ends the
 * best turn so far is the answer; the turn without attacks is always evaluated. */
void sequences_search(struct sequences *sequences, const struct search_task *task,
                      const struct sequences_settings *settings, struct turns_result *out);

#endif
