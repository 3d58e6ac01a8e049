/* SPDX-License-Identifier: MIT
 *
 * The exact value of a small position by alpha-beta with a transposition table. Keys depend on the position
 * only, so different orders of the same actions share one entry. The search deepens turn by turn and proves
 * bounds from both sides, so that it can report them when it stops early.
 *
 * For games without hidden information. Only actions that `actions` lists are searched. Games with chance
 * have an expected payoff in place of a result, which is found without bounds: by looking at all positions
 * once. Their lines of best play end at the first action with several outcomes.
 */
#ifndef SEARCH_SOLVE_H
#define SEARCH_SOLVE_H

#include "search/search.h"

enum { SOLVE_LINE_MAX = 512 };

/* All values are for the side to move at the root. */
struct solution {
    bool solved;               /* low == high */
    double low, high;          /* proven bounds of the payoff: 0, 0.5, 1; with chance its expectation */
    bool distance_known;       /* turns_low == turns_high and solved */
    int turns_low, turns_high; /* turns until the game ends under best play (the winner shortens, the loser
                                  delays; a draw lasts as long as the line); a turns_high of 0: unknown */
    int depth;                 /* turns of the last completed iteration */
    bool too_deep;             /* the search stopped because lines exceeded the stack */
    uint64_t nodes;            /* positions visited */
    uint64_t transpositions;   /* of those, answered by the table */
    uint64_t saved;            /* nodes that those answers cost when they were found */
    int line_count;            /* best play for both sides, as far as known */
    action line[SOLVE_LINE_MAX];
};

struct solve_settings {
    size_t memory_bytes; /* of the table; 0: no table */
    bool wdl_only;       /* stop when won, drawn or lost is known, without the exact distance */
};

/* Work units are nodes. The budget's stop and time are respected, and a watcher gets depth and nodes. False
 * only when memory ran out. */
bool solve(const struct search_task *task, const struct solve_settings *settings, struct solution *out,
           struct err *e);

/* ---- the transposition table, for the solver and its tests ---- */

/* Proved scores of positions, by key. When a bucket is full, the cheapest entry is replaced first. Buckets
 * are numbered by the upper bits of the key, so that doubling their number splits each one into two. The
 * table grows with the search, as minmax_table does. */

/* Scores are a side's own, see solve.c. Proofs are final; a failed proof is only valid up to the depth of
 * that search. */
struct solve_entry {
    uint64_t key;
    action best;
    uint32_t effort;         /* nodes it cost, at least; 0: the entry is empty */
    int16_t least[2];        /* by side: the score it can force */
    int16_t failed_goal[2];  /* by side: this score could not be proved … */
    uint16_t failed_turn[2]; /* … within this turn; 0: never tried */
};

enum { SOLVE_BUCKET = 2 }; /* entries a bucket: one cache line */

struct solve_bucket {
    struct solve_entry entries[SOLVE_BUCKET];
};

struct solve_table {
    void *block; /* the allocated block */
    struct solve_bucket *buckets;
    uint64_t bucket_count; /* in use; 0: no table, nothing is found */
    uint64_t bucket_max;   /* bucket_count doubles up to this one as the table fills */
    uint64_t taken;        /* entries */
};

/* Takes at most `size` bytes (rounded up to one bucket; 0: no table). */
bool solve_table_init(struct solve_table *table, size_t size, struct err *e);
void solve_table_done(struct solve_table *table);

/* The bucket's number from the key's upper half, for any number of buckets. */
static inline struct solve_bucket *solve_table_bucket(const struct solve_table *table, uint64_t key) {
    return &table->buckets[(key >> 32) * table->bucket_count >> 32];
}

static inline const struct solve_entry *solve_table_find(const struct solve_table *table, uint64_t key) {
    if (table->bucket_count == 0)
        return NULL;
    const struct solve_bucket *bucket = solve_table_bucket(table, key);
    for (int i = 0; i < SOLVE_BUCKET; i++)
        if (bucket->entries[i].key == key && bucket->entries[i].effort > 0)
            return &bucket->entries[i];
    return NULL;
}

/* Prefetches the bucket for solve_table_find. */
static inline void solve_table_prefetch(const struct solve_table *table, uint64_t key) {
    if (table->bucket_count > 0)
        __builtin_prefetch(solve_table_bucket(table, key));
}

/* Stores the entry in place of an older one of its key, or of the cheapest of its bucket. */
void solve_table_store(struct solve_table *table, const struct solve_entry *entry);

#endif
