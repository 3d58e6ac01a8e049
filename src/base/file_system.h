/* SPDX-License-Identifier: MIT
 *
 * Files in memory behind base/file.h. Without a mounted system every path is on the disk. A mounted system
 * handles its root and all paths below it: tests and fuzzing keep a whole data folder in memory, and so can a
 * build for a machine without a disk.
 */
#ifndef BASE_FILE_SYSTEM_H
#define BASE_FILE_SYSTEM_H

#include "base/err.h"
#include "base/file.h"

/* The mounted system that handles the path; NULL: the path is on the disk. */
struct file_memory *file_system_of(const char *path);

/* A file system in memory; several threads may use it. Mounts an empty folder at `root`, a path that need
 * not exist on the disk; the string must live until file_memory_close. NULL when memory ran
 * out. */
struct file_memory *file_memory_open(const char *root);

/* Unmounts it and frees all files. NULL is allowed. */
void file_memory_close(struct file_memory *memory);

/* An object stored in a file in place of bytes. It is reference-counted: the file holds one reference until
 * it is removed or overwritten. */
struct file_object {
    void *object;
    void (*hold)(void *object);
    void (*drop)(void *object);
};

/* Creates the file, which must not exist, with the object in it. On false the caller still owns the object.
 */
bool file_memory_put(const char *path, struct file_object object, struct err *e);

/* The object, with a reference for the caller. NULL: no such file, or it holds bytes. */
void *file_memory_get(const char *path);

#endif
