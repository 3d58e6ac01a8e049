/* SPDX-License-Identifier: MIT
 *
 * Memory. A small allocation never fails for its caller: when memory is exhausted, one hook of the program
 * ends it (or, inside a scope, leaves the call that was made). So no code above carries an error path for
 * it. What may be large (trees, tables, maps, files) uses the mem_try_ functions and reports a sentence.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/text.h"

#include <setjmp.h>
#include <stddef.h>

/* ---- the heap ---- */

/* Zeroed memory; never NULL. */
void *mem_alloc(size_t size);

/* Like realloc, but never NULL: the new part is not zeroed. */
void *mem_resize(void *block, size_t size);

/* Room for at least `count` items of `item_size` bytes, of which *capacity fit so far; the capacity at least
 * doubles. Returns the items at their new place; the new part is not zeroed. */
void *mem_grow(void *items, int *capacity, int count, size_t item_size);

/* A copy of the bytes. */
void *mem_copy(const void *bytes, size_t size);

/* For large blocks: NULL when there is not enough memory; then the old block is still valid. */
void *mem_try_alloc(size_t size);
void *mem_try_resize(void *block, size_t size);

void mem_free(void *block);

/* ---- when memory is exhausted ---- */

/* The hook that ends the program; it does not return. Without one the program is aborted. */
void mem_set_hook(void (*exhausted)(void));

/* Calls the hook, or leaves the innermost scope. For libraries with allocators of their own. */
_Noreturn void mem_exhausted(void);

/* A scope turns exhausted memory into a failed call, for the public library and for tests:
 *
 *     struct mem_scope scope;
 *     mem_scope_begin(&scope, MEM_FREES);
 *     if (setjmp(scope.escape) != 0)
 *         return err_set(e, "not enough memory");
 *     …
 *     mem_scope_end(&scope);
 *
 * Scopes belong to their thread and nest. MEM_FREES: an escape frees all blocks that were allocated in the
 * scope, so it is for calls that make new objects. MEM_LEAVES: it frees none, for calls that change objects
 * which exist already; these can still be closed. */
enum mem_escape { MEM_FREES, MEM_LEAVES };

struct mem_scope {
    jmp_buf escape;
    enum mem_escape kind;
    struct mem_scope *outer;
    void **blocks; /* allocated in the scope and not freed yet */
    int count, capacity;
};

void mem_scope_begin(struct mem_scope *scope, enum mem_escape kind);
void mem_scope_end(struct mem_scope *scope);
bool mem_scope_is_open(void); /* on this thread */

/* Number of failed allocations so far, of all threads: a reader of files uses it to tell a faulty file from
 * missing memory. Callers of libraries with memory of their own report failures with mem_note_failure. */
long mem_failures(void);
void mem_note_failure(void);

/* Tests only: the n-th allocation from now (1 = the next) fails; 0 switches this off. Not thread-safe. */
void mem_fail_at(long n);

/* ---- lists ---- */

/* Takes `item` out of the linked list from `first` on, if it is there; `next` is the member that links. */
#define LIST_REMOVE(first, item, next)                                                                       \
    do {                                                                                                     \
        __typeof__(first) *list_at_ = &(first);                                                              \
        while (*list_at_ != NULL && *list_at_ != (item))                                                     \
            list_at_ = &(*list_at_)->next;                                                                   \
        if (*list_at_ != NULL)                                                                               \
            *list_at_ = (item)->next;                                                                        \
    } while (false)

#endif
