/* SPDX-License-Identifier: MIT */
#include "search/thoughts.h"

#include <string.h>

void thoughts_start(struct thoughts *t) {
    t->count = t->total = t->depth = 0;
    t->simulations = t->nodes = 0;
}

/* Is a strictly better than b? */
static bool is_better(const struct thought *a, const struct thought *b, bool by_visits) {
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
    if (at == THOUGHTS_MAX)
        return NULL;
    const int last = t->count < THOUGHTS_MAX ? t->count++ : THOUGHTS_MAX - 1;
    memmove(&t->candidates[at + 1], &t->candidates[at], (size_t)(last - at) * sizeof t->candidates[0]);
    t->candidates[at] = *candidate;
    return &t->candidates[at];
}
