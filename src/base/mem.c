/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

/* Written only by single-threaded tests; elsewhere it stays 0 and is only read. */
static long fail_countdown;

static bool fails_now(void) {
    return fail_countdown > 0 && --fail_countdown == 0;
}

void *mem_alloc(size_t size) {
    return fails_now() ? NULL : calloc(1, size > 0 ? size : 1);
}

void *mem_resize(void *block, size_t size) {
    return fails_now() ? NULL : realloc(block, size > 0 ? size : 1);
}

void mem_free(void *block) {
    free(block);
}

void mem_fail_at(long n) {
    fail_countdown = n;
}
