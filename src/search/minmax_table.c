/* SPDX-License-Identifier: MIT */
#include "search/minmax_table.h"

#include "base/mem.h"

#include <string.h>

enum { COUNT_START = 1024 };

bool minmax_table_init(struct minmax_table *table, size_t bytes, struct err *e) {
    uint64_t count = 1;
    while (count * 2 * sizeof(struct minmax_bucket) <= bytes)
        count *= 2;
    *table = (struct minmax_table){.count_max = count};
    table->buckets = mem_alloc(count * sizeof(struct minmax_bucket));
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
    table->count = table->count_max < COUNT_START ? table->count_max : COUNT_START;
    table->filled = 0;
}

const struct minmax_entry *minmax_table_find(const struct minmax_table *table, uint64_t key) {
    const struct minmax_bucket *bucket = &table->buckets[key & (table->count - 1)];
    for (int i = 0; i < 2; i++)
        if (bucket->entries[i].key == key && bucket->entries[i].generation == table->generation)
            return &bucket->entries[i];
    return NULL;
}

/* Twice the buckets: one more bit of the key decides, so an entry stays in its bucket or goes to the one that
 * lies as far behind it as there were buckets. */
static void grow(struct minmax_table *table) {
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
        grow(table);
    struct minmax_entry *costly = table->buckets[entry->key & (table->count - 1)].entries,
                        *latest = costly + 1;
    const bool is_free = costly->generation != table->generation || costly->key == entry->key;
    struct minmax_entry *place = is_free || entry->effort >= costly->effort ? costly : latest;
    /* Who loses the first place is still worth the second. */
    struct minmax_entry *lost = place == costly && !is_free ? latest : place;
    table->filled += lost->generation != table->generation;
    if (lost != place)
        *lost = *place;
    *place = *entry;
    place->generation = table->generation;
}
