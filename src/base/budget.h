/* SPDX-License-Identifier: MIT
 *
 * Limits of a search. Work (simulations, nodes) comes first because it is repeatable; a time limit or a stop
 * request may end the search earlier. The clock is read only every BUDGET_CLOCK_EVERY units of work, unless a
 * search with long units sets clock_every.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/clock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUDGET_CLOCK_EVERY = 32 };

/* True when a stop was requested. `stop` may be NULL. */
static inline bool budget_is_stopped(const atomic_bool *stop) {
    return stop != NULL && atomic_load_explicit(stop, memory_order_relaxed);
}

struct budget {
    uint64_t work_max;   /* 0: no limit */
    int64_t time_ns_max; /* 0: no limit; needs a clock */
    int64_t deadline_ns; /* nanoseconds on the clock; 0: none. It only cuts a search short and does not change
                            what is searched */
    const struct clock *clock; /* may be NULL when there is neither time limit nor deadline */
    const atomic_bool *stop;   /* may be NULL; another thread sets it to end the search */
    int clock_every;           /* units of work between two reads of clock and stop; 0: BUDGET_CLOCK_EVERY */
};

/* True when something other than work ended the budget: a stop, the time limit counted from start_ns, the
 * deadline. */
bool budget_is_cut(const struct budget *budget, int64_t start_ns);

struct budget_meter {
    struct budget budget;
    uint64_t work_done, clock_check_at;
    int64_t start_ns;
    bool over;
};

void budget_start(struct budget_meter *meter, const struct budget *budget);

/* Counts `work` more units as done. False once the budget is used up, and in all later calls. */
bool budget_spend(struct budget_meter *meter, uint64_t work);

#endif
