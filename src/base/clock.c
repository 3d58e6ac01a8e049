/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t which) {
    struct timespec t;
    clock_gettime(which, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t system_now_ns(void *self) {
    (void)self;
    return read_clock(CLOCK_MONOTONIC);
}

struct clock clock_system(void) {
    return (struct clock){.now_ns = system_now_ns};
}

static int64_t boot_now_ns(void *self) {
    (void)self;
#if defined(CLOCK_BOOTTIME)
    return read_clock(CLOCK_BOOTTIME);
#else
    return read_clock(CLOCK_MONOTONIC); /* this system does not report when it slept */
#endif
}

struct clock clock_boot(void) {
    return (struct clock){.now_ns = boot_now_ns};
}

static int64_t manual_now_ns(void *self) {
    return *(const int64_t *)self;
}

struct clock clock_manual(int64_t *now_ns) {
    return (struct clock){.now_ns = manual_now_ns, .self = now_ns};
}

/* ---- the steady clock ---- */

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

void clock_steady_done(struct clock_steady *s) {
    pthread_mutex_destroy(&s->lock);
}

static bool is_gap(int64_t step) {
    return step >= CLOCK_GAP_NS || step <= -CLOCK_GAP_NS;
}

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
