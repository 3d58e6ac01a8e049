/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Written only by single-threaded tests; elsewhere it stays 0 and is only read. */
static long fail_countdown;

static atomic_long failures;

static bool fails_now(void) {
    return fail_countdown > 0 && --fail_countdown == 0;
}

static void *noted(void *block) {
    if (block == NULL)
        mem_note_failure();
    return block;
}

void *mem_alloc(size_t size) {
    return noted(fails_now() ? NULL : calloc(1, size > 0 ? size : 1));
}

void *mem_resize(void *block, size_t size) {
    return noted(fails_now() ? NULL : realloc(block, size > 0 ? size : 1));
}

long mem_failures(void) {
    return atomic_load_explicit(&failures, memory_order_relaxed);
}

void mem_note_failure(void) {
    atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
}

void mem_free(void *block) {
    free(block);
}

void mem_fail_at(long n) {
    fail_countdown = n;
}
