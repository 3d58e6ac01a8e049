/* SPDX-License-Identifier: MIT
 *
 * The heap behind a counter of failures, and arenas on top of it.
 */
#include "base/mem.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- the heap ---- */

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

/* ---- arenas ---- */

enum { ALIGNMENT = 16 };

bool arena_init(struct arena *arena, size_t capacity, struct err *e) {
    *arena = (struct arena){.data = mem_alloc(capacity), .capacity = capacity};
    if (arena->data == NULL)
        return err_set(e, "not enough memory: %zu bytes were asked for", capacity);
    return true;
}

void arena_done(struct arena *arena) {
    mem_free(arena->data);
    *arena = (struct arena){0};
}

void *arena_alloc(struct arena *arena, size_t size) {
    size_t left = arena->capacity - arena->used;
    if (size > left)
        return NULL;
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded > left)
        return NULL;
    void *block = arena->data + arena->used;
    arena->used += rounded;
    return block;
}

size_t arena_mark(const struct arena *arena) {
    return arena->used;
}

void arena_release(struct arena *arena, size_t mark) {
    assert(mark <= arena->used);
    arena->used = mark;
}

void arena_reset(struct arena *arena) {
    arena->used = 0;
}
