/* SPDX-License-Identifier: MIT
 *
 * The heap, and the hook and the scopes for exhausted memory.
 */
#include "base/mem.h"

#include <assert.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- when memory is exhausted ---- */

static void (*exhausted_hook)(void);
static _Thread_local struct mem_scope *innermost;

void mem_set_hook(void (*exhausted)(void)) {
    exhausted_hook = exhausted;
}

/* The caller's setjmp must come right after this: an escape before it would jump to garbage. */
void mem_scope_begin(struct mem_scope *scope, enum mem_escape kind) {
    *scope = (struct mem_scope){.kind = kind, .outer = innermost};
    innermost = scope;
}

/* Blocks of the scope live on: only an escape frees them. */
void mem_scope_end(struct mem_scope *scope) {
    assert(scope == innermost);
    innermost = scope->outer;
    free(scope->blocks);
}

bool mem_scope_is_open(void) {
    return innermost != NULL;
}

_Noreturn void mem_exhausted(void) {
    struct mem_scope *scope = innermost;
    if (scope != NULL) {
        for (int i = 0; i < scope->count; i++)
            free(scope->blocks[i]);
        mem_scope_end(scope);
        longjmp(scope->escape, 1);
    }
    if (exhausted_hook != NULL)
        exhausted_hook();
    abort();
}

/* ---- the heap ---- */

/* Written only by single-threaded tests; elsewhere it stays 0 and is only read. */
static long fail_countdown;
static bool fail_is_tested;

static atomic_long failures;

/* Counts down to the allocation that a test wants to fail. */
static bool fails_now(void) {
    return fail_countdown > 0 && --fail_countdown == 0;
}

/* Counts failures, so that a reader of files can tell a faulty file from missing memory. */
static void *noted(void *block) {
    if (block == NULL)
        mem_note_failure();
    return block;
}

/* The block belongs to the scope that must free it. */
static void *owned(void *block) {
    struct mem_scope *scope = innermost;
    if (block == NULL || scope == NULL || scope->kind != MEM_FREES)
        return block;
    if (scope->count == scope->capacity) {
        const int capacity = scope->capacity > 0 ? 2 * scope->capacity : 64;
        void **blocks = realloc(scope->blocks, (size_t)capacity * sizeof blocks[0]);
        if (blocks == NULL) {
            free(block);
            mem_exhausted();
        }
        scope->blocks = blocks;
        scope->capacity = capacity;
    }
    scope->blocks[scope->count++] = block;
    return block;
}

/* Where the innermost scope stores the block, or NULL. */
static void **place_of(const void *block) {
    struct mem_scope *scope = innermost;
    for (int i = scope != NULL ? scope->count - 1 : -1; i >= 0; i--)
        if (scope->blocks[i] == block)
            return &scope->blocks[i];
    return NULL;
}

void *mem_try_alloc(size_t size) {
    return owned(noted(fails_now() ? NULL : calloc(1, size > 0 ? size : 1)));
}

/* A block from outside the innermost scope is not adopted by it: its owner frees it. */
void *mem_try_resize(void *block, size_t size) {
    void **place = block != NULL ? place_of(block) : NULL;
    const bool is_new = block == NULL;
    void *resized = noted(fails_now() ? NULL : realloc(block, size > 0 ? size : 1));
    if (place != NULL && resized != NULL)
        *place = resized;
    return is_new ? owned(resized) : resized;
}

/* NULL only in tests of failing allocations that have neither a scope nor a hook. */
static void *required(void *block) {
    if (block == NULL && (innermost != NULL || exhausted_hook != NULL || !fail_is_tested))
        mem_exhausted();
    return block;
}

void *mem_alloc(size_t size) {
    return required(mem_try_alloc(size));
}

void *mem_resize(void *block, size_t size) {
    return required(mem_try_resize(block, size));
}

/* Doubling keeps the cost of adding one item constant on average. */
void *mem_grow(void *items, int *capacity, int count, size_t item_size) {
    assert(count >= 0 && item_size > 0);
    if (count <= *capacity)
        return items;
    const int doubled = *capacity <= INT_MAX / 2 ? 2 * *capacity : INT_MAX;
    const int room = count > doubled ? count : doubled < 8 ? 8 : doubled;
    items = mem_resize(items, (size_t)room * item_size);
    *capacity = room;
    return items;
}

void *mem_copy(const void *bytes, size_t size) {
    void *copy = mem_alloc(size);
    memcpy(copy, bytes, size);
    return copy;
}

long mem_failures(void) {
    return atomic_load_explicit(&failures, memory_order_relaxed);
}

void mem_note_failure(void) {
    atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
}

/* The innermost scope forgets the block; its place is taken by the last one, because the order does not
 * matter. */
void mem_free(void *block) {
    void **place = place_of(block);
    if (place != NULL)
        *place = innermost->blocks[--innermost->count];
    free(block);
}

void mem_fail_at(long n) {
    fail_countdown = n;
    fail_is_tested = true;
}
