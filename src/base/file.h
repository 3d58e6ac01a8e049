/* SPDX-License-Identifier: MIT
 *
 * Whole files. Reading has a size limit; writing goes to a temporary file in the same folder, which is
 * renamed, so that a reader, a crash or a full disk never sees or leaves half a file.
 *
 * Temporary files are called ".senjutsu-" and 16 hexadecimal digits that cannot be foreseen and ".tmp". They
 * are made anew and never through a link, so that what others put into the folder cannot lead us elsewhere.
 * While one is written it is locked (flock): one that is not locked was left by a writer that was killed.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"
#include "base/text.h"

enum { FILE_PATH_MAX = 4096 };

/* A path from its parts. One that is longer than paths can be is refused. */
bool file_path(char out[FILE_PATH_MAX], struct err *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends the file's bytes to `out`. "-" is standard input. */
bool file_read(const char *path, size_t size_max, struct text *out, struct err *e);

/* The file is there with these bytes, also after a power failure: the bytes are on the disk before the name
 * is theirs, and the name is before this returns. Or (false) it is as it was before; only where the disk
 * fails at the very last step, writing down the new name, the new bytes may be there, too. The first write of
 * the process to a folder removes what killed writers have left in it. Devices and pipes (/dev/stdout) are
 * written as they are. */
bool file_write(const char *path, const char *bytes, size_t size, struct err *e);

/* The same without waiting for the disk, for what can be made again: the end of the program leaves it whole,
 * that of the machine may leave it empty. */
bool file_write_soon(const char *path, const char *bytes, size_t size, struct err *e);

/* A file that was written without waiting is on the disk now. */
bool file_sync(const char *path, struct err *e);

/* The file is gone, also after a power failure. One that is not there is. */
bool file_remove(const char *path, struct err *e);

/* Removes what writers that were killed left in a folder under temporary names: those of this version that
 * nobody writes at the moment, and those of earlier ones ("NAME.123.tmp"), of which that is not known: only
 * for folders of our own. A folder that is not there has none. */
bool file_remove_leftovers(const char *folder, struct err *e);

/* The same for a folder with all that is in it, a few folders deep; links are not followed, and the disk is
 * not waited for. */
bool file_remove_folder(const char *path, struct err *e);

/* What a path is; a link is FILE_OTHER, wherever it leads. */
enum file_kind { FILE_NONE, FILE_PLAIN, FILE_FOLDER, FILE_OTHER };
enum file_kind file_kind(const char *path);

/* A regular file, and no link to one: reading it cannot wait for anybody, or lead elsewhere. */
bool file_is_plain(const char *path);

/* Is there anything at that path, or where its link leads? */
bool file_exists(const char *path);

/* The folder is there: made now, for good like a file, or before. Its parent must be there. */
bool file_make_folder(const char *path, struct err *e);

/* The names in a folder, in no particular order. A visitor that returns false ends it; it may remove what it
 * is shown. */
struct file_visit {
    bool (*entry)(void *context, const char *name);
    void *context;
};

bool file_list(const char *folder, const struct file_visit *visit, struct err *e);

#endif
