/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

static int64_t system_now_ns(void *self) {
    (void)self;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct clock clock_system(void) {
    return (struct clock){.now_ns = system_now_ns};
}

static int64_t manual_now_ns(void *self) {
    return *(const int64_t *)self;
}

struct clock clock_manual(int64_t *now_ns) {
    return (struct clock){.now_ns = manual_now_ns, .self = now_ns};
}
