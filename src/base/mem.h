/* SPDX-License-Identifier: MIT
 *
 * Memory. Every heap allocation of the project goes through the mem_ functions, so that a test can make the
 * n-th one fail and check that the caller reports it instead of crashing. An arena takes one such block and
 * hands out parts of it.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/err.h"

#include <stddef.h>

/* ---- the heap ---- */

/* Zeroed memory, or NULL. */
void *mem_alloc(size_t size);

/* Like realloc: the new part is not zeroed; on NULL the old block is still valid. */
void *mem_resize(void *block, size_t size);

void mem_free(void *block);

/* Number of failed allocations so far, of all threads: a reader of files uses it to tell a faulty file from
 * missing memory. Callers of libraries with memory of their own report failures with mem_note_failure. */
long mem_failures(void);
void mem_note_failure(void);

/* Tests only: the n-th allocation from now (1 = the next) fails; 0 switches this off. Not thread-safe. */
void mem_fail_at(long n);

/* ---- arenas ---- */

/* A bump allocator of fixed capacity: one per search or session. Allocation is an addition, `arena_reset`
 * frees everything, and "full" is a normal result that the caller handles. */
struct arena {
    unsigned char *data;
    size_t used, capacity;
};

bool arena_init(struct arena *arena, size_t capacity, struct err *e);
void arena_done(struct arena *arena);

/* 16-byte aligned, not zeroed; NULL when the arena is full. */
void *arena_alloc(struct arena *arena, size_t size);

/* A mark records how full the arena is; releasing it frees everything allocated since. */
size_t arena_mark(const struct arena *arena);
void arena_release(struct arena *arena, size_t mark);
void arena_reset(struct arena *arena);

#endif
