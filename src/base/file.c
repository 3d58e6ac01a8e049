/* SPDX-License-Identifier: MIT
 *
 * Files on the disk. Paths below a mounted file system are passed to that system.
 */
#include "base/file.h"

#include "base/file_system.h"
#include "base/hash.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define DRAFT_PREFIX ".senjutsu-"
#define DRAFT_ENDING ".tmp"

enum {
    PATH_SIZE = 4096,
    DRAFT_DIGITS = 16,
    ATTEMPTS = 16,
    ENTRIES_MAX =
        2048, /* entries of a folder that are searched for leftovers before its first file is written */
    FOLDERS_SEEN = 64, /* folders whose leftovers were already removed */
};

/* ---- mounting ---- */

static struct file_system *mounted;

void file_mount(struct file_system *system) {
    assert(mounted == NULL || system == NULL);
    mounted = system;
}

struct file_system *file_system_of(const char *path) {
    const size_t size = mounted != NULL ? strlen(mounted->root) : 0;
    return size > 0 && strncmp(path, mounted->root, size) == 0 && (path[size] == '/' || path[size] == '\0')
               ? mounted
               : NULL;
}

/* ---- reading ---- */

static bool read_all(int fd, const char *path, size_t size_max, struct text *out, struct err *e) {
    char buffer[65536];
    size_t total = 0;
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set(e, "%s: cannot be read: %s", path, strerror(errno));
        if (got == 0)
            break;
        total += (size_t)got;
        if (total > size_max)
            return err_set(e, "%s: larger than %zu bytes, the most that is read of such a file", path,
                           size_max);
        if (!text_reserve(out, (size_t)got))
            return err_set(e, "%s: not enough memory to read it", path);
        text_add_bytes(out, buffer, (size_t)got);
    }
    return true;
}

bool file_path(char out[FILE_PATH_MAX], struct err *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(out, FILE_PATH_MAX, format, args);
    va_end(args);
    return n < FILE_PATH_MAX || err_set(e, "%.200s: the name is too long", out);
}

bool file_read(const char *path, size_t size_max, struct text *out, struct err *e) {
    struct file_system *system = file_system_of(path);
    if (system != NULL)
        return system->type->read(system, path, size_max, out, e);
    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, "standard input", size_max, out, e);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "%s: cannot be opened: %s", path, strerror(errno));
    struct stat info;
    bool ok;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (unsigned long long)info.st_size > size_max)
        ok = err_set(e, "%s: larger than %zu bytes, the most that is read of such a file", path, size_max);
    else
        ok = read_all(fd, path, size_max, out, e);
    close(fd);
    return ok;
}

/* ---- folders ---- */

/* The folder that contains a path: "." for a bare name. */
static bool folder_of(const char *path, char out[PATH_SIZE], struct err *e) {
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    while (size > 0 && path[size - 1] != '/')
        size--;
    while (size > 1 && path[size - 1] == '/')
        size--;
    if (size >= PATH_SIZE)
        return err_set(e, "%.80s…: the name is too long", path);
    memcpy(out, size > 0 ? path : ".", size > 0 ? size : 1);
    out[size > 0 ? size : 1] = '\0';
    return true;
}

/* Some file systems do not support fsync; then there is nothing to wait for. */
static bool sync_file(int fd) {
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

/* Waits until a new, changed or removed name in the folder is on the disk. A folder that may not be read can
 * still be written to, but not waited for. */
static bool sync_folder(const char *folder) {
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES;
    const bool ok = sync_file(fd);
    const int reason = errno;
    close(fd);
    errno = reason;
    return ok;
}

static bool sync_name(const char *path, struct err *e) {
    char folder[PATH_SIZE];
    return folder_of(path, folder, e) &&
           (sync_folder(folder) ||
            err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(errno)));
}

/* ---- leftovers ---- */

static bool is_draft(const char *name) {
    const size_t size = strlen(name);
    return size == sizeof DRAFT_PREFIX - 1 + DRAFT_DIGITS + sizeof DRAFT_ENDING - 1 &&
           strncmp(name, DRAFT_PREFIX, sizeof DRAFT_PREFIX - 1) == 0 &&
           strspn(name + sizeof DRAFT_PREFIX - 1, "0123456789abcdef") == DRAFT_DIGITS &&
           strcmp(name + size - (sizeof DRAFT_ENDING - 1), DRAFT_ENDING) == 0;
}

/* "NAME.123.tmp", of earlier versions */
static bool is_old_draft(const char *name) {
    const char *end = name + strlen(name);
    if (end - name < 4 || strcmp(end - 4, ".tmp") != 0)
        return false;
    const char *digits = end - 4;
    while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    return digits < end - 4 && digits - name >= 2 && digits[-1] == '.';
}

/* True for a temporary file of this program whose writer does not hold its lock any more. */
static bool is_left(int folder, const char *name) {
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    const bool left = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
                      flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return left;
}

/* True when the process asks for this folder for the first time. Folders that share a slot displace each
 * other and are searched again. */
static bool is_first_in(const char *folder) {
    static _Atomic uint64_t seen[FOLDERS_SEEN];
    const uint64_t key = hash_bytes(HASH_START, folder, strlen(folder));
    return atomic_exchange(&seen[key % FOLDERS_SEEN], key) != key;
}

/* Runs before the first file is written. Only the folder's first entries are read, so that it takes no
 * noticeable time; files that cannot be removed stay. */
static void remove_left(const char *folder) {
    DIR *dir = is_first_in(folder) ? opendir(folder) : NULL;
    if (dir == NULL)
        return;
    const struct dirent *entry;
    for (int i = 0; i < ENTRIES_MAX && (entry = readdir(dir)) != NULL; i++)
        if (is_draft(entry->d_name) && is_left(dirfd(dir), entry->d_name))
            unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
}

bool file_remove_leftovers(const char *folder, struct err *e) {
    if (file_system_of(folder) != NULL)
        return true; /* has no temporary names */
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return errno == ENOENT || err_set(e, "%s: cannot be read: %s", folder, strerror(errno));
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(dir)) != NULL;) {
        const char *name = entry->d_name;
        if (!is_old_draft(name) && !(is_draft(name) && is_left(dirfd(dir), name)))
            continue;
        ok = unlinkat(dirfd(dir), name, 0) == 0 || errno == ENOENT ||
             err_set(e, "%s/%.100s: cannot be removed: %s", folder, name, strerror(errno));
    }
    closedir(dir);
    return ok;
}

/* ---- writing ---- */

/* A temporary file that will replace `path`. */
struct draft {
    int fd;
    char path[PATH_SIZE];
};

/* Everywhere else randomness is an argument, so that results are repeatable. A temporary name is in no
 * result, and others could occupy a predictable name first: so it comes from the system. */
static bool name_draft(const char *folder, char out[PATH_SIZE], struct err *e) {
    unsigned char bytes[DRAFT_DIGITS / 2];
    char digits[DRAFT_DIGITS + 1];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return err_set(e, "%s: no random numbers for a temporary name: %s", folder, strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(digits + 2 * i, 3, "%02x", (unsigned)bytes[i]);
    const int size = snprintf(out, PATH_SIZE, "%s/" DRAFT_PREFIX "%s" DRAFT_ENDING, folder, digits);
    return (size > 0 && size < PATH_SIZE) || err_set(e, "%.80s…: the name is too long", folder);
}

/* Takes the lock that marks the file as being written, if the file system has locks. False when another
 * writer removed the file as a leftover just before. */
static bool hold_draft(const struct draft *draft) {
    struct stat info;
    if (flock(draft->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(draft->fd, &info) == 0 && info.st_nlink > 0;
}

static bool open_draft(const char *path, struct draft *draft, struct err *e) {
    char folder[PATH_SIZE];
    if (!folder_of(path, folder, e))
        return false;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!name_draft(folder, draft->path, e))
            return false;
        draft->fd = open(draft->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (draft->fd < 0 && errno != EEXIST)
            return err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(errno));
        if (draft->fd >= 0 && hold_draft(draft))
            return true;
        if (draft->fd >= 0)
            close(draft->fd);
    }
    return err_set(e, "%s: cannot be written: others take every temporary name in its folder", path);
}

/* A network file system may report a failed write only at close. So a copy of the descriptor is closed; the
 * file itself stays open, because its lock ends with it. */
static bool flush_file(int fd) {
    const int copy = dup(fd);
    return copy >= 0 && close(copy) == 0;
}

static bool write_all(int fd, const char *bytes, size_t size, bool sync) {
    while (size > 0) {
        ssize_t put = write(fd, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return sync ? sync_file(fd) : flush_file(fd);
}

/* The lock is held until the file has its final name. */
static bool finish_draft(struct draft *draft, const char *path, bool ok, struct err *e) {
    ok = ok && rename(draft->path, path) == 0;
    const int reason = errno;
    if (!ok)
        unlink(draft->path);
    close(draft->fd);
    return ok || err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(reason));
}

/* Renaming over a device, a pipe or a link like /dev/stdout would replace it. */
static bool is_special_file(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    const bool is_system = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return !S_ISREG(info.st_mode) || (is_system && lstat(path, &info) == 0 && S_ISLNK(info.st_mode));
}

static bool write_special(const char *path, const char *bytes, size_t size, struct err *e) {
    const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, bytes, size, true);
    const int reason = errno;
    if (fd >= 0)
        close(fd);
    return ok || err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(reason));
}

static bool write_file(const char *path, const char *bytes, size_t size, bool sync, struct err *e) {
    struct draft draft;
    return open_draft(path, &draft, e) &&
           finish_draft(&draft, path, write_all(draft.fd, bytes, size, sync), e);
}

bool file_write(const char *path, const char *bytes, size_t size, struct err *e) {
    char folder[PATH_SIZE];
    struct file_system *system = file_system_of(path);
    if (system != NULL)
        return system->type->write(system, path, bytes, size, e);
    if (is_special_file(path))
        return write_special(path, bytes, size, e);
    if (!folder_of(path, folder, e))
        return false;
    remove_left(folder);
    return write_file(path, bytes, size, true, e) && sync_name(path, e);
}

bool file_write_soon(const char *path, const char *bytes, size_t size, struct err *e) {
    struct file_system *system = file_system_of(path);
    if (system != NULL)
        return system->type->write(system, path, bytes, size, e);
    return is_special_file(path) ? write_special(path, bytes, size, e)
                                 : write_file(path, bytes, size, false, e);
}

bool file_sync(const char *path, struct err *e) {
    if (file_system_of(path) != NULL)
        return true;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && sync_file(fd);
    const int reason = errno;
    if (fd >= 0)
        close(fd);
    return ok ? sync_name(path, e)
              : err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(reason));
}

/* ---- removing ---- */

bool file_remove(const char *path, struct err *e) {
    struct file_system *system = file_system_of(path);
    if (system != NULL)
        return system->type->remove(system, path, e);
    if (unlink(path) != 0)
        return errno == ENOENT || err_set(e, "%s: cannot be removed: %s", path, strerror(errno));
    return sync_name(path, e);
}

enum { DEPTH_MAX = 4 };

static bool is_self_or_parent(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool empty_folder(int fd, int depth);

static bool remove_entry(int parent, const char *name, int depth) {
    if (unlinkat(parent, name, 0) == 0)
        return true;
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd >= 0 && empty_folder(fd, depth + 1) && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

/* Closes the descriptor. */
static bool empty_folder(int fd, int depth) {
    DIR *folder = depth <= DEPTH_MAX ? fdopendir(fd) : NULL;
    if (folder == NULL) {
        close(fd);
        return false;
    }
    bool ok = true;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (!is_self_or_parent(entry->d_name))
            ok = remove_entry(dirfd(folder), entry->d_name, depth) && ok;
    closedir(folder);
    return ok;
}

bool file_remove_folder(const char *path, struct err *e) {
    struct file_system *system = file_system_of(path);
    if (system != NULL)
        return system->type->remove(system, path, e);
    return remove_entry(AT_FDCWD, path, 0) || errno == ENOENT ||
           err_set(e, "%s: cannot be removed: %s", path, strerror(errno));
}

/* ---- names and folders ---- */

enum file_kind file_kind(const char *path) {
    struct file_system *system = file_system_of(path);
    struct stat info;
    if (system != NULL)
        return system->type->kind(system, path);
    if (lstat(path, &info) != 0)
        return FILE_NONE;
    return S_ISREG(info.st_mode) ? FILE_PLAIN : S_ISDIR(info.st_mode) ? FILE_FOLDER : FILE_OTHER;
}

bool file_is_plain(const char *path) {
    return file_kind(path) == FILE_PLAIN;
}

bool file_exists(const char *path) {
    return file_system_of(path) != NULL ? file_kind(path) != FILE_NONE : access(path, F_OK) == 0;
}

bool file_list(const char *folder, const struct file_visit *visit, struct err *e) {
    struct file_system *system = file_system_of(folder);
    if (system != NULL)
        return system->type->list(system, folder, visit, e);
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return err_set(e, "%s: cannot be read: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (!is_self_or_parent(entry->d_name) && !visit->entry(visit->context, entry->d_name))
            break;
    closedir(dir);
    return true;
}

bool file_make_folder(const char *path, struct err *e) {
    struct file_system *system = file_system_of(path);
    struct stat info;
    if (system != NULL)
        return system->type->make_folder(system, path, e);
    const bool is_made = mkdir(path, 0777) == 0;
    if (!is_made && errno != EEXIST)
        return err_set(e, "%s: cannot be made: %s", path, strerror(errno));
    if (is_made)
        return sync_name(path, e);
    return (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) || err_set(e, "%s: is no folder", path);
}
