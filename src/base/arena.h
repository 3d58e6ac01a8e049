/* SPDX-License-Identifier: MIT
 *
 * A bump allocator of fixed capacity: one per search or session. Allocation is an addition, freeing all is
 * `arena_reset`, and "full" is a normal outcome that the caller handles.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/err.h"

#include <stddef.h>

struct arena {
    unsigned char *data;
    size_t used, capacity;
};

bool arena_init(struct arena *arena, size_t capacity, struct err *e);
void arena_done(struct arena *arena);

/* 16-byte aligned, not zeroed; NULL when the arena is full. */
void *arena_alloc(struct arena *arena, size_t size);

/* A mark remembers how full the arena is; releasing it frees everything allocated since. */
size_t arena_mark(const struct arena *arena);
void arena_release(struct arena *arena, size_t mark);
void arena_reset(struct arena *arena);

#endif
