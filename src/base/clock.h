/* SPDX-License-Identifier: MIT
 *
 * Clocks, and the limits of a search. Time is an argument: code that needs it gets a clock. src/cli makes the
 * system clock; tests pass one that they move by hand.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clock {
    int64_t (*now_ns)(void *self);
    void *self;
    int64_t (*gap_ns)(void *self); /* see clock_gap_ns; NULL: this clock has no gaps */
};

static inline int64_t clock_now_ns(const struct clock *clock) {
    return clock->now_ns(clock->self);
}

/* Never negative: a start that was read inside a gap, before the gap was noted, lies ahead of the clock. */
static inline double clock_seconds_since(const struct clock *clock, int64_t start_ns) {
    const int64_t passed_ns = clock_now_ns(clock) - start_ns;
    return passed_ns > 0 ? (double)passed_ns * 1e-9 : 0;
}

/* Nanoseconds, in total, that this program did not run although it should have: the sum of its long gaps
 * (CLOCK_LONG_GAP_NS). Anything during which this number changed was disturbed. */
static inline int64_t clock_gap_ns(const struct clock *clock) {
    return clock->gap_ns != NULL ? clock->gap_ns(clock->self) : 0;
}

/* CLOCK_MONOTONIC: it continues while this program is stopped and stands still while the machine sleeps. */
struct clock clock_system(void);

/* CLOCK_BOOTTIME: the same, but it continues while the machine sleeps. */
struct clock clock_boot(void);

/* CLOCK_THREAD_CPUTIME_ID: the processor time of the calling thread. What else runs does not count. */
struct clock clock_thread(void);

/* Reads *now_ns, which the caller owns and moves. */
struct clock clock_manual(int64_t *now_ns);

/* ---- a clock that stands still while this program is stopped ---- */

/* A thread of the owner reads it every CLOCK_BEAT_MS milliseconds. Two readings further apart than
 * CLOCK_GAP_NS have a gap between them: the program was stopped (Ctrl-Z, SIGSTOP, a debugger, a frozen
 * container) or starved. The gap does not count as time, so no limit expires in it and no player is charged
 * for it.
 *
 * CLOCK_GAP_NS is five beats. A thread that only sleeps and reads is woken within milliseconds even when
 * every core has a dozen busy threads, so shorter limits would mostly detect noise of the scheduler. A gap
 * above CLOCK_LONG_GAP_NS also counts as a disturbance: with a lower limit a busy machine would be reported
 * now and then, and below it an external program has gained less than a second. */
enum { CLOCK_BEAT_MS = 50 };
#define CLOCK_GAP_NS      INT64_C(250000000)
#define CLOCK_LONG_GAP_NS INT64_C(1000000000)

struct clock_steady {
    struct clock raw, boot; /* boot.now_ns NULL: sleep of the machine is not detected */
    pthread_mutex_t lock;   /* held while a reading is noted */
    _Atomic int64_t last_ns, skipped_ns, long_ns;
    int64_t asleep_ns; /* boot less raw, at the last reading */
};

/* `boot` may be NULL. */
void clock_steady_init(struct clock_steady *steady, const struct clock *raw, const struct clock *boot);

/* The owner's thread calls this every CLOCK_BEAT_MS. */
void clock_steady_beat(struct clock_steady *steady);

/* Any number of threads may read it. A jump of the underlying clock, forwards or back, counts as a gap. */
struct clock clock_steady(struct clock_steady *steady);

/* ---- budgets ----
 *
 * Limits of a search. Work (simulations, nodes) comes first because it is repeatable; a time limit or a stop
 * request may end the search earlier. The clock is read only every BUDGET_CLOCK_EVERY units of work, unless a
 * search with long units sets clock_every. */

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
