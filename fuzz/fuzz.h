/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets share. A target is one function from bytes to nothing: it calls the code under test
 * and stops the program when a required property does not hold. The sanitizers check the rest.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "game/tbs/tbs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* AddressSanitizer calls this for its options. Freed memory is checked until the input ends: a small
 * quarantine suffices and keeps used memory in the cache. Allocations are recorded with few stack frames. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
    return "quarantine_size_mb=16:allocator_release_to_os_interval_ms=-1:malloc_context_size=8";
}

/* Unlike assert it stays active in release builds. */
#define REQUIRE(condition)                                                                                   \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition);                  \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* The input as a stream of numbers; behind its end come zeros. */
struct bytes {
    const uint8_t *at, *end;
};

static inline bool bytes_left(const struct bytes *b) {
    return b->at < b->end;
}

static inline unsigned bytes_next(struct bytes *b) {
    return bytes_left(b) ? *b->at++ : 0U;
}

/* 0 … n-1, n > 0. */
static inline unsigned bytes_below(struct bytes *b, unsigned n) {
    unsigned value = bytes_next(b);
    if (n > 256)
        value = value << 8 | bytes_next(b);
    return value % n;
}

/* Room for any game's state. */
union fuzz_state {
    max_align_t align;
    unsigned char bytes[GAME_STATE_MAX];
};

/* Checks the invariants of a state, from any source. */
static inline void fuzz_check_state(const struct game *game, const union fuzz_state *state) {
    REQUIRE(game->valid(state));
    REQUIRE(game->key(state) == game->key_from_scratch(state));
}

#endif
