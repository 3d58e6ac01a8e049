/* SPDX-License-Identifier: MIT
 *
 * Every heap allocation of the project goes through these functions, so that a test can make the n-th one
 * fail and see that the caller reports it instead of crashing.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Zeroed memory, or NULL. */
void *mem_alloc(size_t size);

/* Like realloc: the new part is not zeroed; on NULL the old block is still there. */
void *mem_resize(void *block, size_t size);

void mem_free(void *block);

/* How many allocations have failed so far, of all threads: who reports what is wrong with a file asks whether
 * it was memory that was missing. Libraries with memory of their own are noted by who calls them. */
long mem_failures(void);
void mem_note_failure(void);

/* Tests only: the n-th allocation from now (1 = the next) fails; 0 switches this off. Not thread-safe. */
void mem_fail_at(long n);

#endif
