/* SPDX-License-Identifier: MIT
 *
 * The transposition table of the Min-Max search. It is cleared by counting up a generation: entries of
 * earlier searches are as good as absent, so what a search finds never depends on what was searched before
 * it. Each search begins with a small part of the memory and takes more as it fills: a short search stays
 * within the processor's caches.
 */
#ifndef SEARCH_MINMAX_TABLE_H
#define SEARCH_MINMAX_TABLE_H

#include "base/err.h"
#include "game/game.h"

/* What the stored value says about the true one. */
enum minmax_bound { MINMAX_EXACT, MINMAX_AT_LEAST, MINMAX_AT_MOST };

struct minmax_entry {
    uint64_t key;
    double value; /* to the mover */
    action best;
    unsigned depth : 16;     /* of the search that gave the value */
    unsigned bound : 2;      /* enum minmax_bound */
    unsigned effort : 6;     /* logarithm of the nodes it cost */
    unsigned generation : 8; /* 0: never used */
};

/* A position goes to one bucket: one place for what cost most, one for the latest. */
struct minmax_bucket {
    struct minmax_entry entries[2];
};

struct minmax_table {
    struct minmax_bucket *buckets;
    uint64_t count, count_max; /* of buckets: in use, there; powers of two */
    uint64_t filled;           /* entries of this generation */
    uint8_t generation;
};

/* At most `bytes` large, but at least one bucket. */
bool minmax_table_init(struct minmax_table *table, size_t bytes, struct err *e);
void minmax_table_done(struct minmax_table *table);

/* Forgets everything. */
void minmax_table_clear(struct minmax_table *table);

/* NULL when the position is not there. */
const struct minmax_entry *minmax_table_find(const struct minmax_table *table, uint64_t key);

/* Keeps the entry (its generation is filled in), in place of something that cost less or is older. */
void minmax_table_store(struct minmax_table *table, const struct minmax_entry *entry);

#endif
