/* SPDX-License-Identifier: MIT
 *
 * The transposition tables of the two exact searches (minmax.c, solve.c). Both begin a search with a small
 * part of their memory and take more as it fills: a short search stays within the processor's caches and does
 * not pay for touching all of a large table. They grow by doubling their buckets in place.
 */
#ifndef SEARCH_TABLES_H
#define SEARCH_TABLES_H

#include "base/err.h"
#include "game/game.h"

/* ---- of the Min-Max search ---- */

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

/* ---- of the solver ---- */

/* Proved scores of positions, by key. When a bucket is full, the cheapest entry is replaced first. Buckets
 * are numbered by the upper bits of the key, so that doubling their number splits each one into two. */

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
