/* SPDX-License-Identifier: MIT */
#include "match/payoffs.h"

#include <math.h>

/* Welford's way: no large sums that nearly cancel. */
static void observe(struct payoffs *p, double value) {
    const double before = value - p->mean;
    p->count++;
    p->mean += before / p->count;
    p->squares += before * (value - p->mean);
}

void payoffs_add(struct payoffs *p, double payoff, bool paired) {
    if (paired && !p->is_waiting) {
        p->is_waiting = true;
        p->waiting = payoff;
        return;
    }
    observe(p, paired ? (p->waiting + payoff) / 2 : payoff);
    p->is_waiting = false;
}

struct interval payoffs_interval(const struct payoffs *p) {
    if (p->count < 2)
        return (struct interval){0, 1};
    const double half = stats_student(p->count - 1) * sqrt(p->squares / (p->count - 1) / p->count);
    return (struct interval){fmax(p->mean - half, 0), fmin(p->mean + half, 1)};
}
