/* SPDX-License-Identifier: MIT */
#include "search/solve_table.h"

#include "base/mem.h"

_Static_assert(sizeof(struct solve_entry) == 32, "two entries fill a cache line");

enum { LINE = 64, FIRST_COUNT = 1 << 13 };

bool solve_table_init(struct solve_table *table, size_t size, struct err *e) {
    *table = (struct solve_table){0};
    if (size == 0)
        return true;
    const uint64_t count = size / sizeof(struct solve_bucket);
    table->bucket_max = count == 0 ? 1 : count > UINT32_MAX ? UINT32_MAX : count;
    table->block = mem_alloc((size_t)table->bucket_max * sizeof(struct solve_bucket) + LINE);
    if (table->block == NULL)
        return err_set(e, "not enough memory for a table of %zu MB", size >> 20);
    const uintptr_t start = ((uintptr_t)table->block + LINE - 1) / LINE * LINE;
    table->buckets = (struct solve_bucket *)start;
    table->bucket_count = table->bucket_max;
    while (table->bucket_count > FIRST_COUNT)
        table->bucket_count /= 2;
    return true;
}

void solve_table_done(struct solve_table *table) {
    mem_free(table->block);
    *table = (struct solve_table){0};
}

/* The first place keeps the dearest entry of the bucket; the second takes what comes, so that a bucket of
 * dear but old entries still helps the search at hand. */
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

/* Bucket i becomes 2i and 2i + 1, from the last to the first: by then what stood there has moved on. */
static void grow(struct solve_table *table) {
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
        grow(table);
    put(table, entry);
}
