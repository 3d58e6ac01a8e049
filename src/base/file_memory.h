/* SPDX-License-Identifier: MIT
 *
 * Files in memory: the second implementation of base/file_system.h. Threads may use it at the same time.
 */
#ifndef BASE_FILE_MEMORY_H
#define BASE_FILE_MEMORY_H

#include "base/err.h"

/* Mounts an empty folder at `root`, a path that need not be there on the disk; the string is borrowed until
 * the end. NULL when there is no memory for it. */
struct file_memory *file_memory_open(const char *root);

/* Unmounts it; all files are gone. NULL is allowed. */
void file_memory_close(struct file_memory *memory);

/* An object that lives in a file, in place of bytes. It counts its holders: the file is one of them until it
 * is removed or written over. */
struct file_object {
    void *object;
    void (*hold)(void *object);
    void (*drop)(void *object);
};

/* Makes the file, which must not be there, with the object in it. On false the object is still the caller's.
 */
bool file_memory_put(const char *path, struct file_object object, struct err *e);

/* The object, held for the caller. NULL: there is no such file, or it holds bytes. */
void *file_memory_get(const char *path);

#endif
