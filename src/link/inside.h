/* SPDX-License-Identifier: MIT
 *
 * Private to src/link: the link itself (link.c) and what it needs of a child process (process.c).
 */
#ifndef LINK_INSIDE_H
#define LINK_INSIDE_H

#include "link/link.h"

#include <sys/types.h>

/* In the environment of what we start: "SENJUTSU_LINK=mark,mark", the outermost link's first. */
#define LINK_MARK_NAME "SENJUTSU_LINK="

enum { LINK_BUFFER = 2 * LINK_LINE_MAX /* bytes that were received and not yet read by the caller */ };

struct link {
    bool is_process;            /* otherwise a connection */
    int in, out, err;           /* what we write to, read from, and read besides; -1: none */
    pid_t pid;                  /* of the process, and of its group; 0: no process */
    unsigned long long born;    /* when it was started, in ticks as /proc counts; 0: unknown */
    struct link *next;          /* of those that have a process, under the fork lock */
    char mark[48];              /* what its environment and all its descendants' carry */
    struct link_family *family; /* descendants that were seen; NULL before the first look */

    char *buffer; /* LINK_BUFFER bytes; start … end of them are unread */
    size_t start, end;
    bool skipping, out_ended; /* the rest of a line that was too long is skipped; there is no more to read */
    uint64_t received;
    int64_t gap_ns;  /* see link_gap_ns */
    int shortage;    /* errno of the last system call, if it failed by a shortage; otherwise 0 */
    int shortage_ms; /* for how long that has been so */

    char error_line[LINK_TAIL_LINE_MAX + 1]; /* what has come of a line on standard error */
    size_t error_size;

    char (*tail)[LINK_TAIL_LINE_MAX + 4]; /* LINK_TAIL_LINES, a ring */
    unsigned long tail_count;
    struct text sent;
    bool sent_is_full;
};

/* A link without streams. */
struct link *link_make(bool is_process);
void link_free(struct link *link);

/* Reads what is there, waiting at most `ms` for it. False when nothing came. Where memory is short it sleeps
 * and notes that in the link. */
bool link_pump(struct link *link, int ms, bool for_writing);

/* Held while descriptors are made and while a process is forked: no child may inherit another link's. */
extern pthread_mutex_t link_fork_lock;

/* Prepares a descriptor of ours: close-on-exec, without blocking, and none of 0, 1 and 2. Returns it or its
 * replacement, or -1 (then the old one is closed). The caller holds the lock. */
int link_own_descriptor(int fd);
void link_close_descriptor(int *fd); /* sets it to -1; errno stays */

/* ---- of processes ---- */

ssize_t link_process_write(int fd, const char *bytes, size_t size); /* as write(2), but never a signal */
bool link_process_has_ended(struct link *link);                     /* though its streams may still be open */
void link_process_end(struct link *link, int grace_ms);

/* For link_free: takes the link off the list of those that have a process, frees the list of descendants. */
void link_process_forget(struct link *link);

#endif
