/* SPDX-License-Identifier: MIT
 *
 * The sorted list of candidates that every search reports.
 */
#include "search/search.h"

#include "base/mem.h"

#include <string.h>

/* A list that was made before is dropped, not copied: callers widen before a search. */
void thoughts_widen(struct thoughts *t, int capacity) {
    if (capacity <= thoughts_room(t))
        return;
    thoughts_done(t);
    t->candidates = mem_alloc((size_t)capacity * sizeof *t->candidates);
    t->capacity = capacity;
}

void thoughts_done(struct thoughts *t) {
    if (t->capacity > 0)
        mem_free(t->candidates);
    t->candidates = NULL;
    t->count = t->capacity = 0;
}

/* Keeps a widened list, so that the next report needs no allocation. */
void thoughts_start(struct thoughts *t) {
    if (t->capacity == 0)
        t->candidates = t->few;
    t->count = t->total = t->depth = 0;
    t->simulations = t->nodes = 0;
}

/* True when a is strictly better than b. */
static bool is_better(const struct thought *a, const struct thought *b, bool by_visits) {
    if (a->leads || b->leads)
        return a->leads;
    if (by_visits && a->visits != b->visits)
        return a->visits > b->visits;
    if (a->value < b->value || a->value > b->value)
        return a->value > b->value;
    return a->visits > b->visits;
}

struct thought *thoughts_add(struct thoughts *t, const struct thought *candidate, bool by_visits) {
    t->total++;
    int at = t->count;
    while (at > 0 && is_better(candidate, &t->candidates[at - 1], by_visits))
        at--;
    const int room = thoughts_room(t);
    if (at == room)
        return NULL;
    const int last = t->count < room ? t->count++ : room - 1;
    memmove(&t->candidates[at + 1], &t->candidates[at], (size_t)(last - at) * sizeof t->candidates[0]);
    t->candidates[at] = *candidate;
    return &t->candidates[at];
}
