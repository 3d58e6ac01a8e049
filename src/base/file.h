/* SPDX-License-Identifier: MIT
 *
 * Whole files. Reading has a size limit. Writing goes to a temporary file in the same folder, which is then
 * renamed: a reader, a crash or a full disk never sees or leaves half a file.
 *
 * Temporary files are called ".senjutsu-", 16 unpredictable hexadecimal digits and ".tmp". They are created
 * new and never through a link, so that other users of the folder cannot redirect them. A temporary file is
 * locked (flock) while it is written; one without a lock was left by a writer that was killed.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/text.h"

enum { FILE_PATH_MAX = 4096 };

/* Builds a path from its parts. False when it is longer than the system allows. */
bool file_path(char out[FILE_PATH_MAX], struct err *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends the file's bytes to `out`. "-" is standard input. */
bool file_read(const char *path, size_t size_max, struct text *out, struct err *e);

/* Writes the file durably: the bytes are on the disk before the name refers to them, and the name is on the
 * disk before this returns. On false the old file is unchanged, except that the new bytes may be there when
 * the disk failed in the very last step, writing the new name. The first write of the process to a folder
 * removes leftovers of killed writers. Devices and pipes (/dev/stdout) are written directly. */
bool file_write(const char *path, const char *bytes, size_t size, struct err *e);

/* The same without waiting for the disk, for files that can be made again: a crash of the program leaves the
 * file whole, a crash of the machine may leave it empty. */
bool file_write_soon(const char *path, const char *bytes, size_t size, struct err *e);

/* Waits until a file that was written without waiting is on the disk. */
bool file_sync(const char *path, struct err *e);

/* Removes the file durably. True also when there was none. */
bool file_remove(const char *path, struct err *e);

/* Removes temporary files of killed writers from a folder: those of this version that are not locked, and all
 * of earlier versions ("NAME.123.tmp"), which have no lock. Use it only for folders of this program. True
 * when the folder does not exist. */
bool file_remove_leftovers(const char *folder, struct err *e);

/* Removes a folder with its contents, a few folders deep. Links are not followed, and the disk is not waited
 * for. */
bool file_remove_folder(const char *path, struct err *e);

/* The kind of a path; a link is FILE_OTHER, wherever it leads. */
enum file_kind { FILE_NONE, FILE_PLAIN, FILE_FOLDER, FILE_OTHER };
enum file_kind file_kind(const char *path);

/* True for a regular file that is not a link: reading it cannot block and cannot lead elsewhere. */
bool file_is_plain(const char *path);

/* True when something exists at that path, or where its link leads. */
bool file_exists(const char *path);

/* Creates the folder durably, or does nothing when it exists. Its parent must exist. */
bool file_make_folder(const char *path, struct err *e);

/* Visits the names in a folder, in no particular order. A visitor that returns false ends it; it may remove
 * the entry it is shown. */
struct file_visit {
    bool (*entry)(void *context, const char *name);
    void *context;
};

bool file_list(const char *folder, const struct file_visit *visit, struct err *e);

/* ---- files in memory ----
 *
 * Without a mounted system every path is on the disk. A mounted system handles its root and all paths below
 * it: tests and fuzzing keep a whole data folder in memory, and so can a build for a machine without a disk.
 */

/* The mounted system that handles the path; NULL: the path is on the disk. */
struct file_memory *file_system_of(const char *path);

/* A file system in memory; several threads may use it. Mounts an empty folder at `root`, a path that need not
 * exist on the disk; the string must live until file_memory_close. NULL when memory ran out. */
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

/* Creates the file, which must not exist, with the object in it. On false the caller keeps the object. */
bool file_memory_put(const char *path, struct file_object object, struct err *e);

/* The object, with a reference for the caller. NULL: no such file, or it holds bytes. */
void *file_memory_get(const char *path);

#endif
