/* SPDX-License-Identifier: MIT */
#include "clock_support.h"

#include <stddef.h>

static int64_t now(void *self) {
    return ((struct gap_clock *)self)->now_ns += 1000;
}

static int64_t gaps(void *self) {
    struct gap_clock *g = self;
    g->asked++;
    if (g->asked >= g->first && g->asked <= g->last)
        g->gap_ns += g->each_ns;
    return g->gap_ns;
}

struct clock gap_clock(struct gap_clock *self) {
    return (struct clock){.now_ns = now, .self = self, .gap_ns = gaps};
}
