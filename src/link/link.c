/* SPDX-License-Identifier: MIT
 *
 * What processes and connections share: waiting in slices, lines from a buffer of fixed size, and a log of
 * the last lines.
 */
#include "link/inside.h"

#include "base/budget.h"
#include "base/charset.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LAST_ERRORS_MAX = 64, /* reads of standard error after the end */
    SHORTAGE_NAP_MS = 20,
    /* As much as a pipe holds: a program that writes a lot and is woken for every few bytes makes no progress
       on a busy machine, and would seem to hang. */
    ERRORS_AT_ONCE = 1 << 16,
    MS = 1000000, /* nanoseconds */
};

struct link *link_make(const struct link_kind *kind) {
    struct link *link = mem_alloc(sizeof *link);
    *link = (struct link){.kind = kind, .in = -1, .out = -1, .err = -1};
    link->buffer = mem_alloc(LINK_BUFFER);
    link->tail = mem_alloc(LINK_TAIL_LINES * sizeof *link->tail);
    return link;
}

void link_close_descriptor(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void link_free(struct link *link) {
    if (link->pid > 0)
        link_delist(link);
    if (link->out == link->in) /* a socket */
        link->out = -1;
    link_close_descriptor(&link->in);
    link_close_descriptor(&link->out);
    link_close_descriptor(&link->err);
    mem_free(link->buffer);
    mem_free(link->tail);
    text_done(&link->sent);
    link_forget_family(link);
    mem_free(link);
}

/* ---- shortages ---- */

bool link_is_shortage(int cause) {
    switch (cause) {
    case EMFILE:
    case ENFILE:
    case EAGAIN:
    case ENOMEM:
    case ENOBUFS:
    case EADDRNOTAVAIL: /* all local ports are taken */ return true;
    default: return false;
    }
}

void link_nap(int ms) {
    assert(ms >= 0);
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&pause, NULL);
}

/* Did a call that reads, writes or waits fail because this machine lacks something? (That it would have to
 * wait is no shortage.) Then sleeps in its place. */
static bool is_short(struct link *link, int cause, int ms) {
    if (cause == EAGAIN || cause == EWOULDBLOCK || !link_is_shortage(cause))
        return false;
    const int pause = ms > SHORTAGE_NAP_MS ? ms : SHORTAGE_NAP_MS;
    link_nap(pause);
    link->shortage = cause;
    link->shortage_ms += pause;
    return true;
}

static bool is_short_too_long(const struct link *link) {
    return link->shortage != 0 && link->shortage_ms >= LINK_SHORTAGE_MS;
}

int64_t link_gap_ns(const struct link *link) {
    return link->gap_ns;
}

/* ---- the log of lines ---- */

void link_show(char *out, size_t out_size, const char *bytes, size_t size) {
    assert(out_size > 0);
    const bool is_utf8 = charset_is_utf8(bytes, size);
    charset_copy(out, out_size, bytes, size); /* cuts between two characters, if they are any */
    const size_t length = size < out_size ? size : is_utf8 ? strnlen(out, out_size) : out_size - 1;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        out[i] = c < ' ' || (c > 0x7F && !is_utf8) ? '?' : (char)c;
    }
    out[length] = '\0';
    charset_disarm(out);
}

static void remember(struct link *link, char mark, const char *line, size_t size) {
    char *out = link->tail[link->tail_count++ % LINK_TAIL_LINES];
    out[0] = mark;
    out[1] = ' ';
    link_show(out + 2, LINK_TAIL_LINE_MAX + 1, line, size);
}

static void remember_sent(struct link *link, const char *bytes, size_t size) {
    if (size <= LINK_SENT_MAX - link->sent.size && !link->sent_is_full)
        text_add_bytes(&link->sent, bytes, size);
    else
        link->sent_is_full = true; /* what comes later would not follow on what is there */
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        const size_t part = end != NULL ? (size_t)(end - bytes) : size;
        remember(link, '>', bytes, part);
        const size_t used = end != NULL ? part + 1 : part;
        bytes += used;
        size -= used;
    }
}

void link_sent(const struct link *link, struct text *out) {
    text_add_bytes(out, text_string(&link->sent), link->sent.size);
}

void link_tail(const struct link *link, struct text *out) {
    const unsigned long count = link->tail_count;
    for (unsigned long i = count > LINK_TAIL_LINES ? count - LINK_TAIL_LINES : 0; i < count; i++)
        text_add(out, "%s\n", link->tail[i % LINK_TAIL_LINES]);
}

uint64_t link_received_bytes(const struct link *link) {
    return link->received;
}

const char *link_mark(const struct link *link) {
    return link->mark;
}

/* ---- reading ---- */

static size_t room(struct link *link) {
    if (link->start > 0) {
        memmove(link->buffer, link->buffer + link->start, link->end - link->start);
        link->end -= link->start;
        link->start = 0;
    }
    return LINK_BUFFER - link->end;
}

static void read_output(struct link *link) {
    assert(link->end < LINK_BUFFER); /* reading 0 bytes would look like the end */
    const ssize_t got = read(link->out, link->buffer + link->end, LINK_BUFFER - link->end);
    if (got > 0) {
        link->end += (size_t)got;
        link->received += (uint64_t)got;
    } else if (got == 0 ||
               (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR && !is_short(link, errno, 0))) {
        link->out_ended = true;
    }
}

static void flush_errors(struct link *link) {
    if (link->error_size > 0)
        remember(link, '!', link->error_line, link->error_size);
    link->error_size = 0;
}

static void take_errors(struct link *link, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n')
            flush_errors(link);
        else if (link->error_size < LINK_TAIL_LINE_MAX && bytes[i] != '\r')
            link->error_line[link->error_size++] = bytes[i];
    }
}

static void read_errors(struct link *link) {
    char bytes[ERRORS_AT_ONCE];
    const ssize_t got = read(link->err, bytes, sizeof bytes);
    if (got > 0) {
        take_errors(link, bytes, (size_t)got);
    } else if (got == 0 ||
               (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR && !is_short(link, errno, 0))) {
        flush_errors(link);
        link_close_descriptor(&link->err);
    }
}

bool link_pump(struct link *link, int ms, bool for_writing) {
    assert(ms >= 0);
    assert(link->start <= link->end && link->end <= LINK_BUFFER);
    const bool reads = !link->out_ended && room(link) > 0;
    struct pollfd fds[3] = {{.fd = reads ? link->out : -1, .events = POLLIN},
                            {.fd = link->err, .events = POLLIN},
                            {.fd = for_writing ? link->in : -1, .events = POLLOUT}};
    const int ready = poll(fds, 3, ms);
    if (ready < 0)
        return !is_short(link, errno, ms); /* otherwise a signal: something happened */
    link->shortage = 0;
    if (fds[0].revents != 0)
        read_output(link);
    if (fds[1].revents != 0)
        read_errors(link);
    if (link->shortage == 0)
        link->shortage_ms = 0;
    return ready > 0 && link->shortage == 0;
}

/* ---- lines ---- */

/* Skips what is left of a line that was too long; false while its end has not come. */
static bool skip_line(struct link *link) {
    const char *begin = link->buffer + link->start;
    const char *end = memchr(begin, '\n', link->end - link->start);
    link->start = end != NULL ? (size_t)(end + 1 - link->buffer) : link->end;
    link->skipping = end == NULL;
    return end != NULL;
}

static enum link_event give_line(struct link *link, char *begin, size_t size, const char **line) {
    if (size > 0 && begin[size - 1] == '\r')
        size--;
    begin[size] = '\0'; /* in place of the line end */
    for (size_t i = 0; i < size; i++)
        if (begin[i] == '\0')
            begin[i] = '?';
    remember(link, '<', begin, size);
    *line = begin;
    return LINK_LINE;
}

/* LINK_LINE, LINK_TOO_LONG, or LINK_TIME when neither is there yet. */
static enum link_event take_line(struct link *link, const char **line) {
    if (link->skipping && !skip_line(link))
        return LINK_TIME;
    char *begin = link->buffer + link->start;
    const size_t unread = link->end - link->start;
    const char *end = memchr(begin, '\n', unread);
    const size_t size = end != NULL ? (size_t)(end - begin) : unread;
    if (size > LINK_LINE_MAX && !(size == LINK_LINE_MAX + 1 && begin[size - 1] == '\r')) {
        remember(link, '<', begin, size);
        link->skipping = true;
        skip_line(link);
        return LINK_TOO_LONG;
    }
    if (end == NULL)
        return LINK_TIME;
    link->start += size + 1;
    return give_line(link, begin, size, line);
}

/* No more lines will come. Half of one, and what is still on its way on standard error, is worth seeing. */
static void end_output(struct link *link) {
    if (link->end > link->start && !link->skipping)
        remember(link, '<', link->buffer + link->start, link->end - link->start);
    link->start = link->end = 0;
    link->out_ended = true;
    for (int i = 0; i < LAST_ERRORS_MAX && link->err >= 0 && link_pump(link, 0, false); i++)
        ;
    flush_errors(link);
}

static bool has_whole_line(const struct link *link) {
    const size_t unread = link->end - link->start;
    return !link->skipping &&
           (unread > LINK_LINE_MAX + 1 || memchr(link->buffer + link->start, '\n', unread) != NULL);
}

bool link_has_line(struct link *link) {
    if (!has_whole_line(link))
        link_pump(link, 0, false);
    if (link->skipping)
        skip_line(link);
    return has_whole_line(link);
}

/* Reads the last lines of a process that has ended. Its descendants may keep the streams open, so the end of
 * file may never come. */
static bool read_last_words(struct link *link) {
    const uint64_t before = link->received;
    while (!link->out_ended && !has_whole_line(link) && link->end - link->start <= LINK_LINE_MAX &&
           link_pump(link, 0, false))
        ;
    return link->received != before;
}

bool link_has_ended(struct link *link) {
    if (!link->out_ended && !has_whole_line(link))
        link_pump(link, 0, false);
    return link->out_ended || link->kind->has_ended(link);
}

void link_describe_end(struct link *link, char *out, size_t out_size) {
    link->kind->describe_end(link, out, out_size);
}

/* ---- waiting ---- */

enum link_event link_timer_check(struct link_timer *timer, int *slice_ms) {
    const struct link_wait *wait = timer->wait;
    *slice_ms = timer->slice_ms = LINK_SLICE_MS;
    const int64_t now = wait->clock != NULL ? clock_now_ns(wait->clock) : timer->silent_ns;
    timer->slept_at = now;
    if (budget_is_stopped(wait->stop))
        return LINK_STOPPED;
    if (wait->until_ns == 0)
        return LINK_LINE;
    const int64_t left = wait->until_ns + timer->gap_ns - now;
    if (left <= 0)
        return LINK_TIME;
    if (left < (int64_t)LINK_SLICE_MS * MS)
        *slice_ms = timer->slice_ms = (int)((left + MS - 1) / MS);
    return LINK_LINE;
}

int64_t link_timer_slept(struct link_timer *timer, enum link_slice slice) {
    const struct clock *clock = timer->wait->clock;
    const int64_t asked = (int64_t)timer->slice_ms * MS;
    if (clock == NULL && slice == LINK_SLICE_SLEPT)
        timer->silent_ns += asked;
    if (clock == NULL)
        return 0;
    const int64_t slept = clock_now_ns(clock) - timer->slept_at;
    const int64_t gap = slice == LINK_SLICE_WASTED ? slept : slept - asked;
    if (slice != LINK_SLICE_WASTED && gap < (int64_t)LINK_LATE_MS * MS)
        return 0;
    timer->gap_ns += gap;
    return gap;
}

/* Waits for a slice, or (0 ms) polls once more at the end; adds up gaps. */
static void pump_slice(struct link *link, struct link_timer *timer, int ms, bool for_writing) {
    const bool came = link_pump(link, ms, for_writing);
    link->gap_ns += link_timer_slept(timer, link->shortage != 0 ? LINK_SLICE_WASTED
                                            : came              ? LINK_SLICE_CAME
                                                                : LINK_SLICE_SLEPT);
}

enum link_event link_receive(struct link *link, const struct link_wait *wait, const char **line) {
    assert(wait != NULL && line != NULL);
    struct link_timer timer = {.wait = wait};
    for (;;) {
        enum link_event event = take_line(link, line);
        if (event != LINK_TIME)
            return event;
        if (link->out_ended || (link->kind->has_ended(link) && !read_last_words(link))) {
            end_output(link);
            return LINK_ENDED;
        }
        int slice;
        event = link_timer_check(&timer, &slice);
        if (event == LINK_STOPPED)
            return event;
        pump_slice(link, &timer, event == LINK_TIME ? 0 : slice, false);
        if (is_short_too_long(link)) {
            errno = link->shortage;
            return LINK_SHORTAGE;
        }
        /* What came in time is looked at, however late we are ourselves, once we can look. */
        if (event == LINK_TIME && link->shortage == 0)
            return link->skipping || !has_whole_line(link) ? event : take_line(link, line);
    }
}

/* ---- sending ---- */

static bool cannot_send(struct err *e, int cause, const char *why) {
    err_set(e, "%s", why);
    errno = cause;
    return false;
}

/* Writes what can be written now; false when nothing ever will be. */
static bool send_some(struct link *link, const char **bytes, size_t *size, struct err *e) {
    const ssize_t put = *size == 0 ? 0 : link->kind->write(link->in, *bytes, *size);
    const int cause = errno;
    if (put > 0) {
        *bytes += put;
        *size -= (size_t)put;
    }
    if (put < 0 && is_short(link, cause, 0))
        return true;
    link->shortage = link->shortage_ms = 0;
    if (put >= 0 || cause == EAGAIN || cause == EWOULDBLOCK || cause == EINTR)
        return true;
    err_set(e, "nothing can be sent: %s", strerror(cause));
    errno = cause;
    return false;
}

/* Waits until more can be sent; false when waiting is pointless. */
static bool wait_to_send(struct link *link, struct link_timer *timer, enum link_event event, struct err *e) {
    if (link->kind->has_ended(link))
        return cannot_send(e, EPIPE, "nothing can be sent: the other end is gone");
    if (is_short_too_long(link))
        return cannot_send(e, link->shortage, strerror(link->shortage));
    if (event == LINK_STOPPED)
        return cannot_send(e, ECANCELED, "stopped");
    if (link->shortage != 0)
        link->gap_ns += link_timer_slept(timer, LINK_SLICE_WASTED);
    else if (event == LINK_TIME)
        return cannot_send(e, ETIMEDOUT, "what was sent was not read in time");
    else
        pump_slice(link, timer, timer->slice_ms, true);
    return true;
}

bool link_send(struct link *link, const char *bytes, size_t size, const struct link_wait *wait,
               struct err *e) {
    assert(wait != NULL);
    struct link_timer timer = {.wait = wait};
    remember_sent(link, bytes, size);
    for (;;) {
        int slice;
        const enum link_event event = link_timer_check(&timer, &slice);
        if (!send_some(link, &bytes, &size, e))
            return false;
        if (size == 0)
            return true;
        if (!wait_to_send(link, &timer, event, e))
            return false;
    }
}

void link_close(struct link *link, int grace_ms) {
    assert(grace_ms >= 0);
    if (link == NULL)
        return;
    link->kind->end(link, grace_ms);
    link_free(link);
}
