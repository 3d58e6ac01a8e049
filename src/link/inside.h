/* SPDX-License-Identifier: MIT
 *
 * Private to src/link: what a process and a connection share.
 */
#ifndef LINK_INSIDE_H
#define LINK_INSIDE_H

#include "link/link.h"

#include <stdbool.h>
#include <sys/types.h>

/* In the environment of what we start: "SENJUTSU_LINK=mark,mark", the outermost link's first. */
#define LINK_MARK_NAME "SENJUTSU_LINK="

enum {
    LINK_BUFFER = 2 * LINK_LINE_MAX, /* bytes that were received and not yet read by the caller */
    LINK_SLICE_MS = 50,              /* the longest sleep without checking `stop` */
    LINK_LATE_MS = 10, /* a sleep that exceeds its length by this counts as a gap of this program */
};

/* How a process differs from a connection. */
struct link_kind {
    ssize_t (*write)(int fd, const char *bytes, size_t size); /* as write(2), but never a signal */
    bool (*has_ended)(struct link *link);                     /* though its streams may still be open */
    void (*describe_end)(struct link *link, char *out, size_t out_size);
    void (*end)(struct link *link, int grace_ms);
};

struct link {
    const struct link_kind *kind;
    int in, out, err;           /* what we write to, read from, and listen to besides; -1: none */
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
struct link *link_make(const struct link_kind *kind);
void link_free(struct link *link);

/* Reads what is there, waiting at most `ms` for it. False when nothing came. Where memory is short it sleeps
 * and notes that in the link. */
bool link_pump(struct link *link, int ms, bool for_writing);

/* One wait: when is it over? */
struct link_timer {
    const struct link_wait *wait;
    int64_t silent_ns; /* slept without an answer: the time, when there is no clock */
    int64_t gap_ns;    /* gaps of this program: added to the time */
    int64_t slept_at;  /* when the slice began, */
    int slice_ms;      /* and how long it was to be */
};

/* LINK_LINE while the wait goes on, with the next slice in milliseconds, which begins now; otherwise
 * LINK_TIME or LINK_STOPPED. */
enum link_event link_timer_check(struct link_timer *timer, int *slice_ms);

/* Ends the slice. Returns how much of it was a gap of this program, in nanoseconds. */
enum link_slice {
    LINK_SLICE_CAME,   /* something happened */
    LINK_SLICE_SLEPT,  /* nothing did */
    LINK_SLICE_WASTED, /* a shortage prevented the look */
};
int64_t link_timer_slept(struct link_timer *timer, enum link_slice slice);

/* Held while descriptors are made and while a process is forked: no child may inherit another link's. */
void link_fork_lock(void);
void link_fork_unlock(void);

/* Prepares a descriptor of ours: close-on-exec, without blocking, and none of 0, 1 and 2. Returns it or its
 * replacement, or -1 (then the old one is closed). The caller holds the lock. */
int link_own_descriptor(int fd);
void link_close_descriptor(int *fd);

/* For link_free: frees the list of descendants; takes the link off the list of those that have a process. */
void link_forget_family(struct link *link);
void link_delist(struct link *link); /* takes the lock by itself */

#endif
