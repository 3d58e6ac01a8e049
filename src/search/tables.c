/* SPDX-License-Identifier: MIT
 *
 * Both transposition tables grow by doubling their buckets in place, up to the memory they were opened with.
 */
#include "search/tables.h"

#include "base/mem.h"

#include <string.h>

/* ---- of the Min-Max search ---- */

enum { MINMAX_FIRST_COUNT = 1024 };

bool minmax_table_init(struct minmax_table *table, size_t bytes, struct err *e) {
    uint64_t count = 1;
    while (count * 2 * sizeof(struct minmax_bucket) <= bytes)
        count *= 2;
    *table = (struct minmax_table){.count_max = count};
    table->buckets = mem_try_alloc(count * sizeof(struct minmax_bucket));
    minmax_table_clear(table);
    return table->buckets != NULL || err_set(e, "not enough memory for a table of %zu bytes", bytes);
}

void minmax_table_done(struct minmax_table *table) {
    mem_free(table->buckets);
    *table = (struct minmax_table){0};
}

void minmax_table_clear(struct minmax_table *table) {
    if (table->generation == UINT8_MAX) {
        memset(table->buckets, 0, table->count_max * sizeof(struct minmax_bucket));
        table->generation = 0;
    }
    table->generation++;
    table->count = table->count_max < MINMAX_FIRST_COUNT ? table->count_max : MINMAX_FIRST_COUNT;
    table->filled = 0;
}

const struct minmax_entry *minmax_table_find(const struct minmax_table *table, uint64_t key) {
    const struct minmax_bucket *bucket = &table->buckets[key & (table->count - 1)];
    for (int i = 0; i < 2; i++)
        if (bucket->entries[i].key == key && bucket->entries[i].generation == table->generation)
            return &bucket->entries[i];
    return NULL;
}

/* Doubles the buckets. One more bit of the key decides: an entry stays in its bucket, or moves to the one
 * that is `count` buckets behind it. */
static void grow_minmax(struct minmax_table *table) {
    const uint64_t count = table->count;
    for (uint64_t i = 0; i < count; i++) {
        struct minmax_bucket *from = &table->buckets[i], *to = &table->buckets[i + count];
        for (int k = 0; k < 2; k++) {
            to->entries[k] = (struct minmax_entry){0};
            if (from->entries[k].generation == table->generation && (from->entries[k].key & count) != 0) {
                to->entries[k] = from->entries[k];
                from->entries[k] = (struct minmax_entry){0};
            }
        }
    }
    table->count = count * 2;
}

void minmax_table_store(struct minmax_table *table, const struct minmax_entry *entry) {
    if (table->filled * 2 > table->count && table->count < table->count_max)
        grow_minmax(table);
    struct minmax_entry *costly = table->buckets[entry->key & (table->count - 1)].entries,
                        *latest = costly + 1;
    const bool is_free = costly->generation != table->generation || costly->key == entry->key;
    struct minmax_entry *place = is_free || entry->effort >= costly->effort ? costly : latest;
    /* An entry that loses the first place moves to the second. */
    struct minmax_entry *lost = place == costly && !is_free ? latest : place;
    table->filled += lost->generation != table->generation;
    if (lost != place)
        *lost = *place;
    *place = *entry;
    place->generation = table->generation;
}

/* ---- of the solver ---- */

_Static_assert(sizeof(struct solve_entry) == 32, "two entries fill a cache line");

enum { LINE = 64, SOLVE_FIRST_COUNT = 1 << 13 };

bool solve_table_init(struct solve_table *table, size_t size, struct err *e) {
    *table = (struct solve_table){0};
    if (size == 0)
        return true;
    const uint64_t count = size / sizeof(struct solve_bucket);
    table->bucket_max = count == 0 ? 1 : count > UINT32_MAX ? UINT32_MAX : count;
    table->block = mem_try_alloc((size_t)table->bucket_max * sizeof(struct solve_bucket) + LINE);
    if (table->block == NULL)
        return err_set(e, "not enough memory for a table of %zu MB", size >> 20);
    const uintptr_t start = ((uintptr_t)table->block + LINE - 1) / LINE * LINE;
    table->buckets = (struct solve_bucket *)start;
    table->bucket_count = table->bucket_max;
    while (table->bucket_count > SOLVE_FIRST_COUNT)
        table->bucket_count /= 2;
    return true;
}

void solve_table_done(struct solve_table *table) {
    mem_free(table->block);
    *table = (struct solve_table){0};
}

/* The first place keeps the entry that cost most; the second is always replaced, so that a bucket of costly
 * but old entries still helps the current search. */
static void put(struct solve_table *table, const struct solve_entry *entry) {
    struct solve_entry *places = solve_table_bucket(table, entry->key)->entries;
    if (places[0].key == entry->key || places[0].effort == 0) {
        table->taken += places[0].effort == 0;
        places[0] = *entry;
    } else if (entry->effort >= places[0].effort) {
        table->taken += places[1].effort == 0;
        places[1] = places[0];
        places[0] = *entry;
    } else {
        table->taken += places[1].effort == 0;
        places[1] = *entry;
    }
}

/* Bucket i becomes 2i and 2i + 1, from the last to the first, so that no bucket is overwritten before it has
 * moved. */
static void grow_solve(struct solve_table *table) {
    const uint64_t count = table->bucket_count;
    table->bucket_count = 2 * count;
    table->taken = 0;
    for (uint64_t i = count; i-- > 0;) {
        const struct solve_bucket old = table->buckets[i];
        table->buckets[i] = (struct solve_bucket){0};
        for (int k = SOLVE_BUCKET - 1; k >= 0; k--)
            if (old.entries[k].effort > 0)
                put(table, &old.entries[k]);
    }
}

void solve_table_store(struct solve_table *table, const struct solve_entry *entry) {
    if (table->bucket_count == 0)
        return;
    if (table->taken >= table->bucket_count && 2 * table->bucket_count <= table->bucket_max)
        grow_solve(table);
    put(table, entry);
}
