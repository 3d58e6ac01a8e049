/* SPDX-License-Identifier: MIT
 *
 * Full-width Min-Max with alpha-beta, a transposition table and iterative deepening (Sato, Fujiki and Ikeda,
 * section 4.1); each can be switched off. Depth counts turns or single actions; signs come from the mover.
 * For games without hidden information; an action with several outcomes is worth the mean of theirs.
 */
#ifndef SEARCH_MINMAX_H
#define SEARCH_MINMAX_H

#include "search/search.h"

/* A game that ends k turns after the root is worth MINMAX_WIN - k to the winner: an earlier win and a later
 * loss are better. A draw is worth 0. Evaluations beyond a quarter of MINMAX_WIN count as that quarter. */
#define MINMAX_WIN 1e9

/* True for the value of a decided game. */
static inline bool minmax_is_decided(double value) {
    return value > MINMAX_WIN / 2 || value < -MINMAX_WIN / 2;
}

/* Longest line in actions: the position there is evaluated. */
enum { MINMAX_PLIES_MAX = 1024 };

/* The memory of searches of one game, with a table of that size. Its content never changes a result. NULL
 * when memory ran out. */
struct minmax_cache;
struct minmax_cache *minmax_cache_open(const struct game *game, size_t table_bytes, struct err *e);
void minmax_cache_close(struct minmax_cache *cache);

struct minmax_settings {
    int turns; /* depth in turns, the current one included, or 0 */
    int plies; /* depth in single actions, or 0; with both 0: deepen turn by turn until the budget ends */
    const struct eval *eval;        /* NULL: the game's first */
    const double *weights;          /* NULL: the game's own */
    const struct action_list *list; /* the actions searched; NULL: all */
    uint64_t draw;                  /* of a list whose order is drawn */
    const struct prior *order;      /* their order; NULL: as listed */
    bool table;                     /* use the transposition table */
    bool exhaustive;                /* no alpha-beta: every line is searched, whatever is known of it */
    bool random_ties; /* break ties between equal actions at random instead of taking the first */
    struct minmax_cache *cache;
};

/* Work units are nodes: positions reached by playing an action. When the budget ends within an iteration, the
 * last completed one answers; within the first, the best action searched to its end, or the first of all. A
 * proven win ends the search. Among the reported candidates the chosen action's value is exact, the others'
 * may be upper bounds. */
void minmax_search(const struct search_task *task, const struct minmax_settings *settings,
                   struct search_result *out);

/* ---- the transposition table, for the searches and their tests ---- */

/* The table begins a search with a small part of its memory and takes more as it fills, by doubling its
 * buckets in place: a short search stays within the processor's caches and does not pay for touching all of a
 * large table. */

/* The table is cleared by counting up a generation: entries of earlier searches are ignored, so a result
 * never depends on earlier searches. */

/* How the stored value relates to the true one. */
enum minmax_bound { MINMAX_EXACT, MINMAX_AT_LEAST, MINMAX_AT_MOST };

struct minmax_entry {
    uint64_t key;
    double value; /* to the mover */
    action best;
    unsigned depth : 16;     /* of the search that found the value */
    unsigned bound : 2;      /* enum minmax_bound */
    unsigned effort : 6;     /* logarithm of the nodes it cost */
    unsigned generation : 8; /* 0: never used */
};

/* A key belongs to one bucket: one place for the entry that cost most, one for the latest. */
struct minmax_bucket {
    struct minmax_entry entries[2];
};

struct minmax_table {
    struct minmax_bucket *buckets;
    uint64_t count, count_max; /* buckets in use, allocated; powers of two */
    uint64_t filled;           /* entries of this generation */
    uint8_t generation;
};

/* At most `bytes` large, but at least one bucket. */
bool minmax_table_init(struct minmax_table *table, size_t bytes, struct err *e);
void minmax_table_done(struct minmax_table *table);

/* Removes all entries. */
void minmax_table_clear(struct minmax_table *table);

/* NULL when the position is not stored. */
const struct minmax_entry *minmax_table_find(const struct minmax_table *table, uint64_t key);

/* Stores the entry (its generation is filled in), in place of one that cost less or is older. */
void minmax_table_store(struct minmax_table *table, const struct minmax_entry *entry);

#endif
