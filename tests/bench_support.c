/* SPDX-License-Identifier: MIT */
#include "tests/bench_support.h"

struct served served;
int64_t now_ns;

int open_idle(void **state) {
    static struct clock clock;
    (void)state;
    now_ns = 1000000000;
    clock = clock_manual(&now_ns);
    served = (struct served){.idle = true, .clock = &clock};
    served_open(&served);
    return 0;
}

int open_busy(void **state) {
    (void)state;
    served = (struct served){0};
    served_open(&served);
    return 0;
}

int open_frozen(void **state) {
    static struct clock clock;
    (void)state;
    now_ns = 1000000000;
    clock = clock_manual(&now_ns);
    served = (struct served){.clock = &clock};
    served_open(&served);
    return 0;
}

int open_programs(void **state) {
    (void)state;
    served = (struct served){.programs = true};
    served_open(&served);
    return 0;
}

int close_it(void **state) {
    (void)state;
    served_remove(&served);
    return 0;
}

void restart(void) {
    served_close(&served);
    served_open(&served);
}
