/* SPDX-License-Identifier: MIT
 *
 * The system's calls are made directly (syscall), so that it works under sanitizers, too.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* would make one name of pwrite and pwrite64 */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { LOG_SIZE = 1 << 16, RANDOM_MAX = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char log_text[LOG_SIZE];
static size_t log_used;
static int fault_calls, fault_reason, fault_after;
static char fault_folder[PATH_MAX];
static unsigned char random_bytes[RANDOM_MAX];
static size_t random_size;

void disk_watch(void) {
    pthread_mutex_lock(&lock);
    log_used = 0;
    log_text[0] = '\0';
    pthread_mutex_unlock(&lock);
}

const char *disk_log(void) {
    return log_text;
}

void disk_fail(int calls, int reason, const char *folder) {
    disk_fail_later(calls, reason, folder, 0);
}

void disk_fail_later(int calls, int reason, const char *folder, int successes) {
    pthread_mutex_lock(&lock);
    fault_after = successes;
    fault_calls = reason != 0 ? calls : 0;
    fault_reason = reason;
    snprintf(fault_folder, sizeof fault_folder, "%s", folder != NULL ? folder : "");
    pthread_mutex_unlock(&lock);
}

void disk_random(const unsigned char *bytes, size_t size) {
    random_size = bytes != NULL && size <= sizeof random_bytes ? size : 0;
    if (random_size > 0)
        memcpy(random_bytes, bytes, random_size);
}

/* ---- names ---- */

static bool path_of_fd(int fd, char out[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t size = readlink(link, out, PATH_MAX - 1);
    out[size > 0 ? size : 0] = '\0';
    return size > 0 && out[0] == '/';
}

static const char *shown(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const size_t size = strlen(name);
    return size > 4 && strcmp(name + size - 4, ".tmp") == 0 ? "DRAFT" : name;
}

static void note(const char *what, const char *first, const char *second) {
    pthread_mutex_lock(&lock);
    const int size = snprintf(log_text + log_used, sizeof log_text - log_used, "%s %s%s%s\n", what,
                              shown(first), second != NULL ? " " : "", second != NULL ? shown(second) : "");
    if (size > 0 && (size_t)size < sizeof log_text - log_used)
        log_used += (size_t)size;
    log_text[log_used] = '\0';
    pthread_mutex_unlock(&lock);
}

/* ---- faults ---- */

static bool fails(enum disk_call call, const char *path) {
    pthread_mutex_lock(&lock);
    bool is_hit = (fault_calls & (int)call) != 0 && fault_folder[0] != '\0' &&
                  strncmp(path, fault_folder, strlen(fault_folder)) == 0;
    if (is_hit && fault_after > 0) {
        fault_after--;
        is_hit = false;
    }
    const int reason = fault_reason;
    pthread_mutex_unlock(&lock);
    if (is_hit)
        errno = reason;
    return is_hit;
}

static bool write_fails(int fd) {
    char path[PATH_MAX];
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && path_of_fd(fd, path) && fails(DISK_WRITE, path);
}

/* ---- in place of the C library's ---- */

#define EXPORTED __attribute__((visibility("default")))

EXPORTED ssize_t write(int fd, const void *bytes, size_t size) {
    return write_fails(fd) ? -1 : (ssize_t)syscall(SYS_write, fd, bytes, size);
}

EXPORTED ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    return write_fails(fd) ? -1 : (ssize_t)syscall(SYS_pwrite64, fd, bytes, size, at);
}

EXPORTED ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    return pwrite(fd, bytes, size, at);
}

static int sync_with(long call, int fd) {
    char path[PATH_MAX];
    const bool has_path = path_of_fd(fd, path);
    if (has_path && fails(DISK_SYNC, path))
        return -1;
    if (has_path)
        note("sync", path, NULL);
    return (int)syscall(call, fd);
}

EXPORTED int fsync(int fd) {
    return sync_with(SYS_fsync, fd);
}

EXPORTED int fdatasync(int fd) {
    return sync_with(SYS_fdatasync, fd);
}

EXPORTED int rename(const char *from, const char *to) {
    if (fails(DISK_RENAME, to))
        return -1;
    const int status = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (status == 0)
        note("rename", from, to);
    return status;
}

EXPORTED ssize_t getrandom(void *out, size_t size, unsigned flags) {
    if (random_size == 0)
        return (ssize_t)syscall(SYS_getrandom, out, size, flags);
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)out)[i] = random_bytes[i % random_size];
    return (ssize_t)size;
}
