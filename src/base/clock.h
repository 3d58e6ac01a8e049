/* SPDX-License-Identifier: MIT
 *
 * Time is an argument too: whoever needs it is handed a clock. The system clock is made in src/cli; tests
 * hand in one they move by hand.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

struct clock {
    int64_t (*now_ns)(void *self);
    void *self;
};

static inline int64_t clock_now_ns(const struct clock *clock) {
    return clock->now_ns(clock->self);
}

static inline double clock_seconds_since(const struct clock *clock, int64_t start_ns) {
    return (double)(clock_now_ns(clock) - start_ns) * 1e-9;
}

/* CLOCK_MONOTONIC. */
struct clock clock_system(void);

/* Reads *now_ns, which the owner moves. */
struct clock clock_manual(int64_t *now_ns);

#endif
