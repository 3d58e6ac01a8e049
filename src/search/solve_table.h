/* SPDX-License-Identifier: MIT
 *
 * The solver's memory: what was proved about positions, by key. Allocated once; when a bucket is full, what
 * was cheap to find out goes first. Private to solve.c.
 *
 * A short search should not pay for touching all of a large table, so only a part is in use at first. Buckets
 * are numbered by the upper bits of the key, so that doubling their number splits each one into two.
 */
#ifndef SEARCH_SOLVE_TABLE_H
#define SEARCH_SOLVE_TABLE_H

#include "base/err.h"
#include "game/game.h"

/* Scores are a side's own, see solve.c. What is proved holds for ever; what could not be proved is known only
 * as far as that search looked. */
struct solve_entry {
    uint64_t key;
    action best;
    uint32_t effort;         /* nodes it took, at least; 0: the entry is empty */
    int16_t least[2];        /* by side: the score it has for certain */
    int16_t failed_goal[2];  /* by side: this score could not be proved … */
    uint16_t failed_turn[2]; /* … by looking as far as this turn; 0: never tried */
};

enum { SOLVE_BUCKET = 2 }; /* entries a bucket: one cache line */

struct solve_bucket {
    struct solve_entry entries[SOLVE_BUCKET];
};

struct solve_table {
    void *block; /* as allocated */
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

/* Begins to fetch what solve_table_find will look at. */
static inline void solve_table_prefetch(const struct solve_table *table, uint64_t key) {
    if (table->bucket_count > 0)
        __builtin_prefetch(solve_table_bucket(table, key));
}

/* Puts the entry in the place of an older one of its key, or of the cheapest of its bucket. */
void solve_table_store(struct solve_table *table, const struct solve_entry *entry);

#endif
