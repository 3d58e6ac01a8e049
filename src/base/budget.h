/* SPDX-License-Identifier: MIT
 *
 * How much thinking is allowed. Work (simulations, nodes) comes first because it is repeatable; a time limit
 * or a stop request may end it earlier. The clock is looked at only every BUDGET_CLOCK_EVERY units of work,
 * unless a search whose units are long asks for more.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/clock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUDGET_CLOCK_EVERY = 32 };

/* Has somebody asked to end early? `stop` may be NULL. */
static inline bool budget_is_stopped(const atomic_bool *stop) {
    return stop != NULL && atomic_load_explicit(stop, memory_order_relaxed);
}

struct budget {
    uint64_t work_max;         /* 0: no limit */
    int64_t time_ns_max;       /* 0: no limit; needs a clock */
    int64_t deadline_ns;       /* on the clock; 0: none. Only cuts short: what is searched is as without it */
    const struct clock *clock; /* may be NULL when there is neither limit nor deadline */
    const atomic_bool *stop;   /* may be NULL; set by somebody else to end early */
    int clock_every;           /* units of work between looks at clock and stop; 0: BUDGET_CLOCK_EVERY */
};

/* Has it ended for reasons that are not work: a stop, a time limit since start_ns, the deadline? */
bool budget_is_cut(const struct budget *budget, int64_t start_ns);

struct budget_meter {
    struct budget budget;
    uint64_t work_done, clock_check_at;
    int64_t start_ns;
    bool over;
};

void budget_start(struct budget_meter *meter, const struct budget *budget);

/* Counts `work` more units as done; false once the budget is used up (and from then on). */
bool budget_spend(struct budget_meter *meter, uint64_t work);

#endif
