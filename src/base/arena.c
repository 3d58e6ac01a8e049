/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/mem.h"

#include <assert.h>

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
