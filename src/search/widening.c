/* SPDX-License-Identifier: MIT */
#include "search/widening.h"

#include "base/ln.h"

#include <limits.h>
#include <math.h>

const struct widening_branch widening_paper[2] = {{1.4, 0, 40, 2}, {1.2, 2000, 45, -11}};

int widening_count(const struct widening_branch branches[2], int switch_at, int simulations) {
    const struct widening_branch *b = &branches[simulations > switch_at];
    const double ratio = (simulations + b->shift) / b->scale;
    if (!(ratio > 0))
        return 1;
    const double count = floor(ln_of(ratio) / ln_of(b->base) + b->offset);
    return count < 1 ? 1 : count > INT_MAX ? INT_MAX : (int)count;
}

/* The fewest simulations with at least `count` children, by bisection; INT_MAX when there are none. */
static int simulations_for(const struct widening_branch branches[2], int switch_at, int count) {
    int low = 0, high = INT_MAX;
    if (widening_count(branches, switch_at, INT_MAX) < count)
        return INT_MAX;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (widening_count(branches, switch_at, middle) >= count)
            high = middle;
        else
            low = middle;
    }
    return high;
}

void widening_init(struct widening *out, const struct widening_branch branches[2], int switch_at) {
    out->steps = 0;
    for (int count = 2; out->steps < WIDENING_STEPS; count++) {
        const int needs = simulations_for(branches, switch_at, count);
        if (needs == INT_MAX)
            break;
        out->needs[out->steps++] = needs;
    }
}
