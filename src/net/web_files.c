/* SPDX-License-Identifier: MIT
 *
 * The page's files: those in the program, or those of a folder for who works on the page. A path has been
 * checked before it comes here (web_target.h); in a folder it is followed a segment at a time, and a symbolic
 * link is followed nowhere.
 */
#include "net/web_inside.h"

#include "base/hash.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct type {
    const char *ending, *type;
};

static const struct type types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".webmanifest", "application/manifest+json"},
    {".txt", "text/plain; charset=utf-8"},
    {NULL, "application/octet-stream"},
};

static const char *type_of(const char *path) {
    const char *ending = strrchr(path, '.');
    const struct type *type = types;
    while (type->ending != NULL && (ending == NULL || strcmp(type->ending, ending) != 0))
        type++;
    return type->type;
}

/* ---- a folder ---- */

/* The descriptor of a file below the folder, or -1. */
static int open_below(int folder, const char *path) {
    int at = dup(folder);
    while (at >= 0) {
        char segment[MESSAGE_PATH_MAX];
        const size_t size = strcspn(++path, "/");
        const bool is_last = path[size] == '\0';
        snprintf(segment, sizeof segment, "%.*s", (int)size, path);
        const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (is_last ? O_NONBLOCK : O_DIRECTORY);
        const int next = segment[0] == '.' ? -1 : openat(at, segment, flags);
        close(at);
        at = next;
        if (is_last)
            break;
        path += size;
    }
    return at;
}

static bool read_whole(int fd, char *out, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t got = read(fd, out + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static bool read_below(int folder, const char *path, char **bytes, size_t *size) {
    struct stat info;
    const int fd = open_below(folder, path);
    *bytes = NULL;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= WEB_FILE_MAX) {
        *size = (size_t)info.st_size;
        *bytes = mem_alloc(*size + 1);
    }
    const bool ok = *bytes != NULL && read_whole(fd, *bytes, *size);
    if (fd >= 0)
        close(fd);
    if (!ok)
        mem_free(*bytes);
    return ok;
}

static bool find_in_folder(const struct web *web, const char *path, struct web_found *out) {
    size_t size = 0;
    if (!read_below(web->folder, path, &out->owned, &size))
        return false;
    snprintf(out->tag, sizeof out->tag, "\"%016llx\"",
             (unsigned long long)hash_bytes(HASH_START, out->owned, size));
    out->file = (struct web_file){.path = path,
                                  .type = type_of(path),
                                  .bytes = (const unsigned char *)out->owned,
                                  .size = size,
                                  .tag = out->tag};
    return true;
}

bool web_find_file(const struct web *web, const char *path, struct web_found *out) {
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    out->owned = NULL;
    if (web->folder >= 0)
        return find_in_folder(web, path, out);
    for (const struct web_file *file = web->setup.files; file->path != NULL; file++)
        if (strcmp(file->path, path) == 0) {
            out->file = *file;
            return true;
        }
    return false;
}
