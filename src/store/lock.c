/* SPDX-License-Identifier: MIT
 *
 * flock rather than POSIX's fcntl locks: those are dropped when a process closes any descriptor of the file,
 * and do not keep two users within one process apart. The descriptor is closed on exec, so that a player's
 * program that outlives us does not hold the lock.
 */
#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100, PID_TEXT_MAX = 32 };

/* The previous holder removes the file before it lets go: whoever waited for a moment may then hold a lock on
 * a file that nobody will find again. */
static bool is_still_there(int fd, const char *path) {
    struct stat held, found;
    return fstat(fd, &held) == 0 && stat(path, &found) == 0 && held.st_dev == found.st_dev &&
           held.st_ino == found.st_ino;
}

static int try_lock(int fd) {
    int status;
    do
        status = flock(fd, LOCK_EX | LOCK_NB);
    while (status != 0 && errno == EINTR);
    return status;
}

/* Who holds it is only a help for people; the lock itself says whether somebody does. */
static bool refuse(int fd, const char *shown, struct err *e) {
    char pid[PID_TEXT_MAX] = "";
    const ssize_t got = pread(fd, pid, sizeof pid - 1, 0);
    pid[got > 0 ? strspn(pid, "0123456789") : 0] = '\0';
    if (pid[0] == '\0')
        return err_set(e, "%s: another run is using this store; only one may write to it at a time", shown);
    return err_set(e, "%s: another run (process %s) is using this store; only one may write to it at a time",
                   shown, pid);
}

static void note_holder(int fd) {
    char pid[PID_TEXT_MAX];
    const int size = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, pid, (size_t)size, 0) != size)
        return; /* a full disk: whoever comes second will not be told who was first */
}

bool store_lock_take(struct store_lock *lock, const char *path, const char *shown, struct err *e) {
    lock->fd = -1;
    const int size = snprintf(lock->path, sizeof lock->path, "%s.lock", path);
    if (size < 0 || (size_t)size >= sizeof lock->path)
        return err_set(e, "%s: the name is too long", shown);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const int fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return err_set(e, "%s: cannot be written: %s.lock: %s", shown, shown, strerror(errno));
        if (try_lock(fd) != 0) {
            const int reason = errno;
            const bool ok = reason == EWOULDBLOCK
                                ? refuse(fd, shown, e)
                                : err_set(e, "%s: cannot be locked: %s", shown, strerror(reason));
            close(fd);
            return ok;
        }
        if (is_still_there(fd, lock->path)) {
            lock->fd = fd;
            note_holder(fd);
            return true;
        }
        close(fd);
    }
    return err_set(e, "%s: cannot be locked: others open and close it all the time", shown);
}

void store_lock_drop(struct store_lock *lock) {
    if (lock->fd < 0)
        return;
    unlink(lock->path);
    close(lock->fd);
    lock->fd = -1;
}
