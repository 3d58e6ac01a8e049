/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
        text_add_bytes(out, buffer, (size_t)got);
    }
    if (out->failed)
        return err_set(e, "%s: not enough memory to read it", path);
    return true;
}

bool file_read(const char *path, size_t size_max, struct text *out, struct err *e) {
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

bool file_temporary_name(const char *path, char *out, size_t out_size, struct err *e) {
    int n = snprintf(out, out_size, "%s.%ld.tmp", path, (long)getpid());
    if (n < 0 || (size_t)n >= out_size)
        return err_set(e, "%s: the name is too long", path);
    return true;
}

bool file_finish(const char *temporary, const char *path, bool keep, struct err *e) {
    if (keep && rename(temporary, path) == 0)
        return true;
    int reason = errno;
    unlink(temporary);
    return keep ? err_set(e, "%s: cannot be written: %s", path, strerror(reason)) : true;
}

/* "NAME.123.tmp" */
static bool is_temporary(const char *name) {
    const char *end = name + strlen(name);
    if (end - name < 4 || strcmp(end - 4, ".tmp") != 0)
        return false;
    const char *digits = end - 4;
    while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    return digits < end - 4 && digits - name >= 2 && digits[-1] == '.';
}

bool file_remove_leftovers(const char *folder, struct err *e) {
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return errno == ENOENT || err_set(e, "%s: cannot be read: %s", folder, strerror(errno));
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(dir)) != NULL;) {
        if (!is_temporary(entry->d_name))
            continue;
        ok = unlinkat(dirfd(dir), entry->d_name, 0) == 0 || errno == ENOENT ||
             err_set(e, "%s/%.100s: cannot be removed: %s", folder, entry->d_name, strerror(errno));
    }
    closedir(dir);
    return ok;
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
    return !sync || fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

/* Renaming over a device or a pipe (/dev/stdout) would replace it: those are written in place. */
static bool is_special_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static bool write_file(const char *path, const char *bytes, size_t size, bool sync, struct err *e) {
    char temporary[4096];
    bool special = is_special_file(path);
    if (!file_temporary_name(path, temporary, sizeof temporary, e))
        return false;
    const char *target = special ? path : temporary;
    int fd = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_set(e, "%s: cannot be written: %s", path, strerror(errno));
    bool ok = write_all(fd, bytes, size, sync);
    int reason = errno;
    ok = close(fd) == 0 && ok;
    if (special)
        return ok ? true : err_set(e, "%s: cannot be written: %s", path, strerror(reason));
    if (!ok) {
        unlink(temporary);
        return err_set(e, "%s: cannot be written: %s", path, strerror(reason));
    }
    return file_finish(temporary, path, true, e);
}

bool file_write(const char *path, const char *bytes, size_t size, struct err *e) {
    return write_file(path, bytes, size, true, e);
}

bool file_write_soon(const char *path, const char *bytes, size_t size, struct err *e) {
    return write_file(path, bytes, size, false, e);
}

bool file_is_plain(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool file_make_folder(const char *path, struct err *e) {
    struct stat info;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return err_set(e, "%s: cannot be made: %s", path, strerror(errno));
    return (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) || err_set(e, "%s: is no folder", path);
}
