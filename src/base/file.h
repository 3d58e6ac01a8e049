/* SPDX-License-Identifier: MIT
 *
 * Whole files. Reading has a size limit; writing goes to a temporary name in the same folder and is renamed,
 * so that a reader, a crash or a full disk never sees or leaves half a file.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"
#include "base/text.h"

/* Appends the file's bytes to `out`. "-" is standard input. */
bool file_read(const char *path, size_t size_max, struct text *out, struct err *e);

/* The file is there with these bytes, or (false) as it was before. */
bool file_write(const char *path, const char *bytes, size_t size, struct err *e);

/* The same without waiting for the disk, for what is soon written again: the end of the program leaves it
 * whole, only that of the machine may not. */
bool file_write_soon(const char *path, const char *bytes, size_t size, struct err *e);

/* For writers that insist on opening the file themselves: the temporary name to give them, then the rename
 * (or, with `keep` false, the removal). */
bool file_temporary_name(const char *path, char *out, size_t out_size, struct err *e);
bool file_finish(const char *temporary, const char *path, bool keep, struct err *e);

/* Removes what writers that were killed left in a folder under temporary names. Only for who knows that
 * nobody else writes there now. A folder that is not there has none. */
bool file_remove_leftovers(const char *folder, struct err *e);

/* A regular file, and no link to one: reading it cannot wait for anybody, or lead elsewhere. */
bool file_is_plain(const char *path);

/* The folder is there: made now, or before. Its parent must be there. */
bool file_make_folder(const char *path, struct err *e);

#endif
