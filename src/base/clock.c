/* SPDX-License-Identifier: MIT
 *
 * Clocks, and budgets of work and time.
 */
#include "base/clock.h"

#include <assert.h>
#include <time.h>

/* CLOCK_BOOTTIME goes on while the machine sleeps. Not all systems report when they slept. */
#if !defined(CLOCK_BOOTTIME)
#define CLOCK_BOOTTIME CLOCK_MONOTONIC
#endif

/* `self` is the system's name of the clock. */
static int64_t system_now_ns(void *self) {
    struct timespec t;
    clock_gettime(*(const clockid_t *)self, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct clock clock_system(void) {
    static clockid_t which = CLOCK_MONOTONIC;
    return (struct clock){.now_ns = system_now_ns, .self = &which};
}

struct clock clock_boot(void) {
    static clockid_t which = CLOCK_BOOTTIME;
    return (struct clock){.now_ns = system_now_ns, .self = &which};
}

struct clock clock_thread(void) {
    static clockid_t which = CLOCK_THREAD_CPUTIME_ID;
    return (struct clock){.now_ns = system_now_ns, .self = &which};
}

static int64_t manual_now_ns(void *self) {
    return *(const int64_t *)self;
}

struct clock clock_manual(int64_t *now_ns) {
    return (struct clock){.now_ns = manual_now_ns, .self = now_ns};
}

/* ---- the steady clock ---- */

/* The first reading is the first beat: a gap is measured from here. */
void clock_steady_init(struct clock_steady *s, const struct clock *raw, const struct clock *boot) {
    *s = (struct clock_steady){.raw = *raw};
    pthread_mutex_init(&s->lock, NULL);
    const int64_t now = clock_now_ns(raw);
    atomic_init(&s->last_ns, now);
    atomic_init(&s->skipped_ns, 0);
    atomic_init(&s->long_ns, 0);
    if (boot != NULL) {
        s->boot = *boot;
        s->asleep_ns = clock_now_ns(boot) - now;
    }
}

/* A jump back is treated like one forwards: it counts as no time. */
static bool is_gap(int64_t step) {
    return step >= CLOCK_GAP_NS || step <= -CLOCK_GAP_NS;
}

/* Short gaps are left out of the time but disturb no game. */
static void note_long(struct clock_steady *s, int64_t gap) {
    if (gap >= CLOCK_LONG_GAP_NS)
        atomic_fetch_add(&s->long_ns, gap);
}

/* Notes one reading of the clock, with its gap if there is one, and returns the time. A step back counts as
 * no time. now_ns relies on the order of the two stores: a reader that sees the new `last_ns` also sees the
 * new `skipped_ns`. */
static int64_t look(struct clock_steady *s) {
    pthread_mutex_lock(&s->lock);
    const int64_t now = clock_now_ns(&s->raw), step = now - atomic_load(&s->last_ns);
    if (is_gap(step)) {
        note_long(s, step < 0 ? -step : step);
        atomic_fetch_add(&s->skipped_ns, step);
    }
    if (is_gap(step) || step > 0)
        atomic_store(&s->last_ns, now);
    if (s->boot.now_ns != NULL) {
        const int64_t asleep = clock_now_ns(&s->boot) - now;
        note_long(s, asleep - s->asleep_ns);
        s->asleep_ns = asleep;
    }
    const int64_t unskipped = now - atomic_load(&s->skipped_ns);
    pthread_mutex_unlock(&s->lock);
    return unskipped;
}

void clock_steady_beat(struct clock_steady *s) {
    look(s);
}

/* Takes no lock, because searches read the clock often. A thread that is stopped between its two reads, and
 * continues after another thread has noted the gap, finds `skipped_ns` changed and reads again. */
static int64_t steady_now_ns(void *self) {
    struct clock_steady *s = self;
    const int64_t skipped = atomic_load(&s->skipped_ns);
    const int64_t now = clock_now_ns(&s->raw);
    const bool fresh = !is_gap(now - atomic_load(&s->last_ns)) && skipped == atomic_load(&s->skipped_ns);
    return fresh ? now - skipped : look(s);
}

static int64_t steady_gap_ns(void *self) {
    struct clock_steady *s = self;
    look(s);
    return atomic_load(&s->long_ns);
}

struct clock clock_steady(struct clock_steady *s) {
    return (struct clock){.now_ns = steady_now_ns, .self = s, .gap_ns = steady_gap_ns};
}

/* ---- budgets ---- */

/* A budget with a time limit needs a clock; one without may have none. */
void budget_start(struct budget_meter *meter, const struct budget *budget) {
    assert((budget->time_ns_max == 0 && budget->deadline_ns == 0) || budget->clock != NULL);
    *meter = (struct budget_meter){.budget = *budget};
    if (budget->clock_every == 0)
        meter->budget.clock_every = BUDGET_CLOCK_EVERY;
    meter->clock_check_at = (uint64_t)meter->budget.clock_every;
    if (budget->clock != NULL)
        meter->start_ns = clock_now_ns(budget->clock);
}

/* The stop flag is read first: it costs less than the clock. */
bool budget_is_cut(const struct budget *b, int64_t start_ns) {
    if (budget_is_stopped(b->stop))
        return true;
    if (b->time_ns_max == 0 && b->deadline_ns == 0)
        return false;
    const int64_t now = clock_now_ns(b->clock);
    return (b->time_ns_max > 0 && now - start_ns >= b->time_ns_max) ||
           (b->deadline_ns > 0 && now >= b->deadline_ns);
}

/* Once it is over it stays over, also when a caller goes on asking. */
bool budget_spend(struct budget_meter *meter, uint64_t work) {
    meter->work_done += work;
    if (meter->budget.work_max > 0 && meter->work_done >= meter->budget.work_max)
        meter->over = true;
    if (!meter->over && meter->work_done >= meter->clock_check_at) {
        meter->clock_check_at = meter->work_done + (uint64_t)meter->budget.clock_every;
        meter->over = budget_is_cut(&meter->budget, meter->start_ns);
    }
    return !meter->over;
}
