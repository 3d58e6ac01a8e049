/* SPDX-License-Identifier: MIT
 *
 * PATH.lock is locked by flock rather than POSIX's fcntl locks: those are dropped when a process closes any
 * descriptor of the file, and do not exclude each other within one process. The descriptor is closed on
 * exec, so that a player's program that outlives us does not hold the lock.
 *
 * The store's file has SQLite's own locks on it, which are POSIX's: no descriptor of ours may be closed while
 * SQLite has the file open anywhere in this process. So all users of a file share one descriptor, which is
 * closed after the last of them. The lock on it belongs to the descriptor (an "open file description" lock)
 * and is on a byte where SQLite has none, far behind the end of every file.
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "store/lock.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100, PID_TEXT_MAX = 32 };

/* The previous holder removes the file before it releases the lock, so a waiting program may get a lock on a
 * removed file. */
static bool is_still_there(int fd, const char *path) {
    struct stat held, found;
    return fstat(fd, &held) == 0 && stat(path, &found) == 0 && held.st_dev == found.st_dev &&
           held.st_ino == found.st_ino;
}

/* The name is predictable: another user may have put a link there, to a file that we would overwrite with our
 * number. */
static bool is_ours(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink <= 1 &&
           info.st_size < PID_TEXT_MAX;
}

/* The holder's number is only for messages; the lock itself decides. */
static bool refuse(int fd, const char *display_path, struct err *e) {
    char pid[PID_TEXT_MAX] = "";
    const ssize_t got = pread(fd, pid, sizeof pid - 1, 0);
    pid[got > 0 ? strspn(pid, "0123456789") : 0] = '\0';
    return err_set(e, "%s: another run%s%s%s is using this store; only one may write to it at a time",
                   display_path, pid[0] != '\0' ? " (process " : "", pid, pid[0] != '\0' ? ")" : "");
}

bool store_lock_take(struct store_lock *lock, const char *path, const char *display_path, struct err *e) {
    lock->fd = -1;
    const int size = snprintf(lock->path, sizeof lock->path, "%s.lock", path);
    if (size < 0 || (size_t)size >= sizeof lock->path)
        return err_set(e, "%s: the name is too long", display_path);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const int fd = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (fd < 0)
            return err_set(e, "%s: cannot be written: %s.lock: %s", display_path, display_path,
                           strerror(errno));
        if (!is_ours(fd)) {
            close(fd);
            return err_set(e, "%s: cannot be locked: %s.lock is no lock of a store; remove it", display_path,
                           display_path);
        }
        int status;
        while ((status = flock(fd, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR)
            ;
        if (status != 0) {
            const int reason = errno;
            const bool ok = reason == EWOULDBLOCK
                                ? refuse(fd, display_path, e)
                                : err_set(e, "%s: cannot be locked: %s", display_path, strerror(reason));
            close(fd);
            return ok;
        }
        if (is_still_there(fd, lock->path)) {
            char pid[PID_TEXT_MAX];
            const int pid_size = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
            lock->fd = fd;
            /* On a full disk the number is missing: then a second program cannot name the holder. */
            (void)!(ftruncate(fd, 0) == 0 && pwrite(fd, pid, (size_t)pid_size, 0) == pid_size);
            return true;
        }
        close(fd);
    }
    return err_set(e, "%s: cannot be locked: others open and close it all the time", display_path);
}

/* The file is removed while it is locked: another program that opens it then sees that it is gone. */
void store_lock_drop(struct store_lock *lock) {
    if (lock->fd < 0)
        return;
    unlink(lock->path);
    close(lock->fd);
    lock->fd = -1;
}

/* ---- the file itself ---- */

struct store_file {
    struct store_file *next;
    dev_t device;
    ino_t inode;
    int users;
    int fd;          /* -1: none was needed yet */
    bool is_written; /* by one of the users */
};

static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static struct store_file *files;

#define LOCKED_BYTE (INT64_C(1) << 62)

/* The last user closes the descriptor, and with it the lock. The caller holds files_lock. */
static void leave_file(struct store_file *file) {
    assert(file->users > 0);
    if (--file->users > 0)
        return;
    struct store_file **at = &files;
    while (*at != file)
        at = &(*at)->next;
    *at = file->next;
    if (file->fd >= 0)
        close(file->fd);
    mem_free(file);
}

/* An "open file description" lock: it ends with the descriptor, not with any other one of the process. */
static int set_lock(int fd, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = LOCKED_BYTE, .l_len = 1};
    return fcntl(fd, F_OFD_SETLK, &lock);
}

/* On a file system without such locks PATH.lock alone protects the store. */
static bool lock_file(struct store_file *file, const char *path, struct err *e) {
    if (file->fd < 0)
        file->fd = open(path, O_RDWR | O_CLOEXEC);
    if (file->fd < 0)
        return err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(errno));
    if (file->is_written || (set_lock(file->fd, F_WRLCK) != 0 && (errno == EAGAIN || errno == EACCES)))
        return err_set(
            e, "%s: another run is using this store under another name; only one may write to it at a time",
            path);
    file->is_written = true;
    return true;
}

/* Identified by device and inode: a file may have several names. */
struct store_file *store_file_hold(const char *path, bool writes, struct err *e) {
    struct stat info;
    if (stat(path, &info) != 0) {
        err_set(e, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    pthread_mutex_lock(&files_lock);
    struct store_file *file = files;
    while (file != NULL && (file->device != info.st_dev || file->inode != info.st_ino))
        file = file->next;
    if (file == NULL) {
        file = mem_alloc(sizeof *file);
        *file = (struct store_file){files, info.st_dev, info.st_ino, 0, -1, false};
        files = file;
    }
    file->users++;
    if (writes && !lock_file(file, path, e)) {
        leave_file(file);
        file = NULL;
    }
    pthread_mutex_unlock(&files_lock);
    return file;
}

void store_file_drop(struct store_file *file, bool writes) {
    if (file == NULL)
        return;
    pthread_mutex_lock(&files_lock);
    if (writes) {
        assert(file->is_written);
        set_lock(file->fd, F_UNLCK);
        file->is_written = false;
    }
    leave_file(file);
    pthread_mutex_unlock(&files_lock);
}
