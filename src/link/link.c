/* SPDX-License-Identifier: MIT
 *
 * A link: waiting in slices, lines from a buffer of fixed size, a log of the last lines, and TCP connections
 * as the other end, whichever side opened them. Child processes are in process.c.
 */
#include "link/inside.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    SLICE_MS = 50,        /* the longest sleep without checking `stop` */
    LATE_MS = 10,         /* a sleep that exceeds its length by this counts as a gap of this program */
    LAST_ERRORS_MAX = 64, /* reads of standard error after the end */
    SHORTAGE_NAP_MS = 20,
    /* As much as a pipe holds: a program that writes a lot and is woken for every few bytes makes no progress
       on a busy machine, and would seem to hang. */
    ERRORS_AT_ONCE = 1 << 16,
    LISTENERS_MAX = 64,
    BACKLOG = 512,
    ADDRESS_MAX = 128,
    MS = 1000000, /* nanoseconds */
};

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0 /* then SO_NOSIGPIPE does it */
#endif

/* The buffers are as large as the limits, so that a link never allocates while it reads. */
struct link *link_make(bool is_process) {
    struct link *link = mem_alloc(sizeof *link);
    *link = (struct link){.is_process = is_process, .in = -1, .out = -1, .err = -1};
    link->buffer = mem_alloc(LINK_BUFFER);
    link->tail = mem_alloc(LINK_TAIL_LINES * sizeof *link->tail);
    return link;
}

/* Mostly called after a failure, whose reason in errno is still wanted. */
void link_close_descriptor(int *fd) {
    const int cause = errno;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    errno = cause;
}

/* A socket is both streams: its descriptor is closed once. */
void link_free(struct link *link) {
    if (link->is_process)
        link_process_forget(link);
    if (link->out == link->in) /* a socket */
        link->out = -1;
    link_close_descriptor(&link->in);
    link_close_descriptor(&link->out);
    link_close_descriptor(&link->err);
    mem_free(link->buffer);
    mem_free(link->tail);
    text_done(&link->sent);
    mem_free(link);
}

/* ---- shortages ---- */

/* EAGAIN: fork has no process left. EADDRNOTAVAIL: all local ports are taken. */
bool link_is_shortage(int cause) {
    return cause == EMFILE || cause == ENFILE || cause == EAGAIN || cause == ENOMEM || cause == ENOBUFS ||
           cause == EADDRNOTAVAIL;
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

int64_t link_gap_ns(const struct link *link) {
    return link->gap_ns;
}

/* ---- the log of lines ---- */

/* Bytes that are not UTF-8 become '?' one by one: the length stays, and a quotation is cut where it was. */
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

/* The marks: '>' sent, '<' received, '!' standard error. */
static void remember(struct link *link, char mark, const char *line, size_t size) {
    char *out = link->tail[link->tail_count++ % LINK_TAIL_LINES];
    out[0] = mark;
    out[1] = ' ';
    link_show(out + 2, LINK_TAIL_LINE_MAX + 1, line, size);
}

/* Sent bytes are remembered as they were, for reproducing a conversation; the tail shows a CR as '?'. */
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

/* Oldest line first. */
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

/* Has that read found the end of its stream? */
static bool found_end(struct link *link, ssize_t got) {
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR &&
                        !is_short(link, errno, 0));
}

/* Ends the line that is being collected; a blank one is not remembered. */
static void flush_errors(struct link *link) {
    if (link->error_size > 0)
        remember(link, '!', link->error_line, link->error_size);
    link->error_size = 0;
}

/* Standard error is only remembered. It must be read: a full pipe would stop the program. */
static void read_errors(struct link *link) {
    char bytes[ERRORS_AT_ONCE];
    const ssize_t got = read(link->err, bytes, sizeof bytes);
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n')
            flush_errors(link);
        else if (link->error_size < LINK_TAIL_LINE_MAX && bytes[i] != '\r')
            link->error_line[link->error_size++] = bytes[i];
    }
    if (found_end(link, got)) {
        flush_errors(link);
        link_close_descriptor(&link->err);
    }
}

/* One poll for both directions and standard error. The unread bytes are moved to the front first, so that
 * the buffer has room for a whole line. */
bool link_pump(struct link *link, int ms, bool for_writing) {
    assert(ms >= 0);
    assert(link->start <= link->end && link->end <= LINK_BUFFER);
    if (link->start > 0) {
        memmove(link->buffer, link->buffer + link->start, link->end - link->start);
        link->end -= link->start;
        link->start = 0;
    }
    const bool reads = !link->out_ended && link->end < LINK_BUFFER; /* reading 0 bytes looks like the end */
    struct pollfd fds[3] = {{.fd = reads ? link->out : -1, .events = POLLIN},
                            {.fd = link->err, .events = POLLIN},
                            {.fd = for_writing ? link->in : -1, .events = POLLOUT}};
    const int ready = poll(fds, 3, ms);
    if (ready < 0)
        return !is_short(link, errno, ms); /* otherwise a signal: something happened */
    link->shortage = 0;
    if (fds[0].revents != 0) {
        const ssize_t got = read(link->out, link->buffer + link->end, LINK_BUFFER - link->end);
        if (got > 0) {
            link->end += (size_t)got;
            link->received += (uint64_t)got;
        }
        link->out_ended = found_end(link, got);
    }
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

/* LINK_LINE, LINK_TOO_LONG, or LINK_TIME when neither is there yet. */
static enum link_event take_line(struct link *link, const char **line) {
    if (link->skipping && !skip_line(link))
        return LINK_TIME;
    char *begin = link->buffer + link->start;
    const size_t unread = link->end - link->start;
    const char *end = memchr(begin, '\n', unread);
    size_t size = end != NULL ? (size_t)(end - begin) : unread;
    if (size > LINK_LINE_MAX && !(size == LINK_LINE_MAX + 1 && begin[size - 1] == '\r')) {
        remember(link, '<', begin, size);
        link->skipping = true;
        skip_line(link);
        return LINK_TOO_LONG;
    }
    if (end == NULL)
        return LINK_TIME;
    link->start += size + 1;
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

/* A line that is too long counts: it can be reported. */
static bool has_whole_line(const struct link *link) {
    const size_t unread = link->end - link->start;
    return !link->skipping &&
           (unread > LINK_LINE_MAX + 1 || memchr(link->buffer + link->start, '\n', unread) != NULL);
}

/* The rest of a line that was too long is no line. */
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

/* Lines that are still in the buffer come first: the end is looked for only without one. */
bool link_has_ended(struct link *link) {
    if (!link->out_ended && !has_whole_line(link))
        link_pump(link, 0, false);
    return link->out_ended || link_process_has_ended(link);
}

/* ---- waiting ---- */

/* One wait: when is it over? */
struct timer {
    const struct link_wait *wait;
    int64_t silent_ns; /* slept without an answer: the time, when there is no clock */
    int64_t gap_ns;    /* gaps of this program: added to the time */
    int64_t slept_at;  /* when the slice began, */
    int slice_ms;      /* and how long it was to be */
};

/* LINK_LINE while the wait goes on, with the next slice, which begins now; otherwise LINK_TIME or
 * LINK_STOPPED. */
static enum link_event timer_check(struct timer *timer) {
    const struct link_wait *wait = timer->wait;
    timer->slept_at = wait->clock != NULL ? clock_now_ns(wait->clock) : timer->silent_ns;
    timer->slice_ms = SLICE_MS;
    if (budget_is_stopped(wait->stop))
        return LINK_STOPPED;
    if (wait->until_ns == 0)
        return LINK_LINE;
    const int64_t left = wait->until_ns + timer->gap_ns - timer->slept_at;
    if (left <= 0)
        return LINK_TIME;
    if (left < (int64_t)SLICE_MS * MS)
        timer->slice_ms = (int)((left + MS - 1) / MS);
    return LINK_LINE;
}

/* How a slice of waiting ended. */
enum slice {
    SLICE_CAME,   /* something happened */
    SLICE_SLEPT,  /* nothing did */
    SLICE_WASTED, /* a shortage prevented the look */
};

/* Ends the slice. Returns how much of it was a gap of this program, in nanoseconds. */
static int64_t timer_slept(struct timer *timer, enum slice slice) {
    const struct clock *clock = timer->wait->clock;
    const int64_t asked = (int64_t)timer->slice_ms * MS;
    if (clock == NULL) {
        timer->silent_ns += slice == SLICE_SLEPT ? asked : 0;
        return 0;
    }
    const int64_t slept = clock_now_ns(clock) - timer->slept_at;
    const int64_t gap = slice == SLICE_WASTED ? slept : slept - asked;
    if (slice != SLICE_WASTED && gap < (int64_t)LATE_MS * MS)
        return 0;
    timer->gap_ns += gap;
    return gap;
}

/* Waits for a slice, or (0 ms) polls once more at the end; adds up gaps. */
static void pump_slice(struct link *link, struct timer *timer, int ms, bool for_writing) {
    const bool came = link_pump(link, ms, for_writing);
    link->gap_ns += timer_slept(timer, link->shortage != 0 ? SLICE_WASTED : came ? SLICE_CAME : SLICE_SLEPT);
}

/* The order of the checks decides who is at fault: a line that is there counts before the end, the end
 * before the time, and after the time one more look finds what came while this program was late. */
enum link_event link_receive(struct link *link, const struct link_wait *wait, const char **line) {
    assert(wait != NULL && line != NULL);
    struct timer timer = {.wait = wait};
    for (;;) {
        enum link_event event = take_line(link, line);
        if (event != LINK_TIME)
            return event;
        if (link->out_ended || (link_process_has_ended(link) && !read_last_words(link))) {
            /* Half of a line, and what is still on its way on standard error, is worth seeing. */
            if (link->end > link->start && !link->skipping)
                remember(link, '<', link->buffer + link->start, link->end - link->start);
            link->start = link->end = 0;
            link->out_ended = true;
            for (int i = 0; i < LAST_ERRORS_MAX && link->err >= 0 && link_pump(link, 0, false); i++)
                ;
            flush_errors(link);
            return LINK_ENDED;
        }
        event = timer_check(&timer);
        if (event == LINK_STOPPED)
            return event;
        pump_slice(link, &timer, event == LINK_TIME ? 0 : timer.slice_ms, false);
        if (link->shortage != 0 && link->shortage_ms >= LINK_SHORTAGE_MS) {
            errno = link->shortage;
            return LINK_SHORTAGE;
        }
        /* What came in time is looked at, however late we are ourselves, once we can look. */
        if (event == LINK_TIME && link->shortage == 0)
            return link->skipping || !has_whole_line(link) ? event : take_line(link, line);
    }
}

/* ---- sending ---- */

/* False, with a sentence of both texts, and errno. */
static bool fail(struct err *e, int cause, const char *why, const char *more) {
    err_set(e, "%s%s", why, more);
    errno = cause;
    return false;
}

/* Bytes are remembered before they are sent: the tail shows what the other end may have received. */
bool link_send(struct link *link, const char *bytes, size_t size, const struct link_wait *wait,
               struct err *e) {
    assert(wait != NULL);
    struct timer timer = {.wait = wait};
    remember_sent(link, bytes, size);
    for (;;) {
        const enum link_event event = timer_check(&timer);
        if (size == 0)
            return true;
        const ssize_t put = link->is_process ? link_process_write(link->in, bytes, size)
                                             : send(link->in, bytes, size, MSG_NOSIGNAL);
        const int cause = put < 0 ? errno : 0;
        if (put > 0) {
            bytes += put;
            size -= (size_t)put;
        }
        if (cause == 0 || !is_short(link, cause, 0)) {
            link->shortage = link->shortage_ms = 0;
            if (cause != 0 && cause != EAGAIN && cause != EWOULDBLOCK && cause != EINTR)
                return fail(e, cause, "nothing can be sent: ", strerror(cause));
        }
        if (size == 0)
            return true;
        if (link_process_has_ended(link))
            return fail(e, EPIPE, "nothing can be sent: the other end is gone", "");
        if (link->shortage != 0 && link->shortage_ms >= LINK_SHORTAGE_MS)
            return fail(e, link->shortage, strerror(link->shortage), "");
        if (event == LINK_STOPPED)
            return fail(e, ECANCELED, "stopped", "");
        if (link->shortage != 0)
            link->gap_ns += timer_slept(&timer, SLICE_WASTED);
        else if (event == LINK_TIME)
            return fail(e, ETIMEDOUT, "what was sent was not read in time", "");
        else
            pump_slice(link, &timer, timer.slice_ms, true);
    }
}

void link_close(struct link *link, int grace_ms) {
    assert(grace_ms >= 0);
    if (link == NULL)
        return;
    if (link->is_process)
        link_process_end(link, grace_ms);
    else
        shutdown(link->in, SHUT_RDWR);
    link_free(link);
}

/* ---- sockets ---- */

/* Under the lock: a child that is forked meanwhile would inherit the descriptor without close-on-exec. */
static int make_socket(const struct addrinfo *info) {
    pthread_mutex_lock(&link_fork_lock);
    const int fd = socket(info->ai_family, info->ai_socktype, info->ai_protocol);
    const int owned = fd < 0 ? -1 : link_own_descriptor(fd);
    pthread_mutex_unlock(&link_fork_lock);
    return owned;
}

/* Lines are small and each waits for an answer. Keep-alive probes detect a peer that vanished (a cable, a
 * crash); by default only after hours. */
static void set_prompt(int fd) {
    assert(fd >= 0);
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#if defined(TCP_KEEPIDLE) && defined(TCP_KEEPINTVL) && defined(TCP_KEEPCNT)
    const int idle_s = 60, again_s = 10, times = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &again_s, sizeof again_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
#endif
#if defined(SO_NOSIGPIPE)
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
}

/* All addresses of a name, to be tried in their order. */
static struct addrinfo *look_up(const char *host, int port, bool to_listen, struct err *e) {
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0)};
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    const int status = getaddrinfo(host, service, &hints, &found);
    if (status == 0)
        return found;
    const int cause = status == EAI_MEMORY ? ENOMEM : status == EAI_SYSTEM ? errno : EHOSTUNREACH;
    err_set(e, "%s:%d: %s", host, port, status == EAI_SYSTEM ? strerror(cause) : gai_strerror(status));
    errno = cause;
    return NULL;
}

/* Waits in slices until the descriptor is ready (LINK_LINE); otherwise errno has the reason. */
static enum link_event wait_ready(int fd, short events, struct timer *timer) {
    int short_ms = 0;
    enum link_event event;
    while ((event = timer_check(timer)) == LINK_LINE) {
        struct pollfd ready = {.fd = fd, .events = events};
        const int found = poll(&ready, 1, timer->slice_ms), cause = errno;
        if (found > 0)
            return LINK_LINE;
        const bool wasted = found < 0 && cause != EINTR;
        if (wasted)
            link_nap(timer->slice_ms);
        timer_slept(timer, wasted ? SLICE_WASTED : found < 0 ? SLICE_CAME : SLICE_SLEPT);
        short_ms = wasted ? short_ms + timer->slice_ms : 0;
        errno = cause;
        if (short_ms >= LINK_SHORTAGE_MS)
            return LINK_SHORTAGE;
    }
    errno = event == LINK_TIME ? ETIMEDOUT : ECANCELED;
    return event;
}

/* ---- connecting ---- */

/* Does not block: the wait can be stopped, and has an end. */
static bool connect_to(int fd, const struct addrinfo *info, struct timer *timer, struct err *e) {
    int cause = connect(fd, info->ai_addr, info->ai_addrlen) == 0 ? 0 : errno;
    if (cause == EINPROGRESS || cause == EINTR) {
        const enum link_event event = wait_ready(fd, POLLOUT, timer);
        socklen_t size = sizeof cause;
        cause = errno;
        if (event == LINK_TIME)
            return fail(e, cause, "no answer came in time", "");
        if (event == LINK_STOPPED)
            return fail(e, cause, "stopped", "");
        if (event == LINK_LINE)
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &size);
    }
    errno = cause;
    return cause == 0 || fail(e, cause, strerror(cause), "");
}

/* One time limit for all addresses of the name together. */
int link_connect_socket(const char *host, int port, const struct link_wait *wait, struct err *e) {
    assert(wait != NULL);
    struct addrinfo *list = look_up(host, port, false, e);
    if (list == NULL)
        return -1;
    struct timer timer = {.wait = wait};
    int fd = -1, cause = 0;
    for (const struct addrinfo *info = list; info != NULL && fd < 0; info = info->ai_next) {
        fd = make_socket(info);
        if (fd < 0)
            err_set(e, "%s", strerror(errno));
        const bool connected = fd >= 0 && connect_to(fd, info, &timer, e);
        /* A shortage met at any of the addresses explains why none was reached. */
        cause = link_is_shortage(cause) ? cause : errno;
        if (!connected)
            link_close_descriptor(&fd);
    }
    freeaddrinfo(list);
    if (fd >= 0)
        set_prompt(fd);
    else
        err_prefix(e, "%s:%d: ", host, port);
    errno = cause;
    return fd;
}

/* ---- listening ---- */

/* Ports stay open until the program ends; see link_accept. */
struct listener {
    char address[ADDRESS_MAX];
    int port, fd;
};

static pthread_mutex_t listeners_lock = PTHREAD_MUTEX_INITIALIZER;
static struct listener listeners[LISTENERS_MAX];
static int listener_count;

void link_read_peer(const struct sockaddr *name, struct link_peer *out) {
    const bool is_v6 = name->sa_family == AF_INET6;
    const struct sockaddr_in *v4 = (const void *)name;
    const struct sockaddr_in6 *v6 = (const void *)name;
    const void *address = is_v6 ? (const void *)&v6->sin6_addr : &v4->sin_addr;
    if (inet_ntop(name->sa_family, address, out->address, sizeof out->address) == NULL)
        snprintf(out->address, sizeof out->address, "somewhere");
    else if (is_v6 && IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) { /* written as the IPv4 address it means */
        const char *mapped = strrchr(out->address, ':') + 1;
        memmove(out->address, mapped, strlen(mapped) + 1);
    }
    out->port = ntohs(is_v6 ? v6->sin6_port : v4->sin_port);
}

int link_port_of(int fd) {
    struct sockaddr_storage name = {0};
    struct link_peer own = {.port = 0};
    socklen_t size = sizeof name;
    if (getsockname(fd, (struct sockaddr *)&name, &size) == 0)
        link_read_peer((const struct sockaddr *)&name, &own);
    return own.port;
}

/* SO_REUSEADDR: a server that is started again must not wait until old connections are forgotten. */
int link_open_port(const char *address, int port, struct err *e) {
    struct addrinfo *list = look_up(address, port, true, e);
    if (list == NULL)
        return -1;
    int fd = -1, cause = 0;
    for (const struct addrinfo *info = list; info != NULL && fd < 0; info = info->ai_next) {
        const int on = 1;
        fd = make_socket(info);
        if (fd >= 0)
            setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (fd >= 0 && bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
            break;
        cause = errno;
        err_set(e, "%s:%d: %s", address, port, strerror(cause));
        link_close_descriptor(&fd);
    }
    freeaddrinfo(list);
    errno = cause;
    return fd;
}

int link_listener(const char *address, int *port, struct err *e) {
    int fd = -1;
    pthread_mutex_lock(&listeners_lock);
    assert(listener_count >= 0 && listener_count <= LISTENERS_MAX);
    for (int i = 0; i < listener_count && *port != 0; i++)
        if (listeners[i].port == *port && strcmp(listeners[i].address, address) == 0)
            fd = listeners[i].fd;
    if (fd < 0 && (listener_count == LISTENERS_MAX || strlen(address) >= ADDRESS_MAX)) {
        err_set(e, "%.64s:%d: no more than %d ports with addresses of fewer than %d characters", address,
                *port, LISTENERS_MAX, ADDRESS_MAX);
        errno = EINVAL;
    } else if (fd < 0 && (fd = link_open_port(address, *port, e)) >= 0) {
        struct listener *l = &listeners[listener_count++];
        snprintf(l->address, sizeof l->address, "%s", address);
        l->port = link_port_of(fd);
        l->fd = fd;
    }
    pthread_mutex_unlock(&listeners_lock);
    if (fd >= 0)
        *port = link_port_of(fd);
    return fd;
}

int link_take(int listener, struct link_peer *peer) {
    assert(listener >= 0);
    struct sockaddr_storage name = {0};
    socklen_t size = sizeof name;
    pthread_mutex_lock(&link_fork_lock);
    int fd = accept(listener, (struct sockaddr *)&name, &size);
    if (fd >= 0)
        fd = link_own_descriptor(fd);
    pthread_mutex_unlock(&link_fork_lock);
    if (fd < 0)
        return -1;
    set_prompt(fd);
    link_read_peer((const struct sockaddr *)&name, peer);
    return fd;
}

/* Several threads may wait for the same port: a connection that another one took is not an error. */
int link_accept_socket(const char *address, int port, const struct link_wait *wait, struct err *e) {
    assert(wait != NULL);
    const int listener = link_listener(address, &port, e);
    struct link_peer peer;
    struct timer timer = {.wait = wait};
    int shortage = 0;
    while (listener >= 0) {
        const enum link_event event = wait_ready(listener, POLLIN, &timer);
        if (event != LINK_LINE) {
            const int cause = event == LINK_TIME && shortage != 0 ? shortage : errno;
            if (cause == ECANCELED)
                err_set(e, "%s:%d: stopped", address, port);
            else if (cause == ETIMEDOUT)
                err_set(e, "no client connected to %s:%d in time", address, port);
            else
                err_set(e, "%s:%d: no connection can be taken: %s", address, port, strerror(cause));
            errno = cause;
            return -1;
        }
        const int fd = link_take(listener, &peer);
        if (fd >= 0)
            return fd;
        /* Another thread was faster, or descriptors are short for a moment. */
        shortage = errno != EAGAIN && errno != EWOULDBLOCK && link_is_shortage(errno) ? errno : 0;
        link_nap(1);
        timer.silent_ns += 1000000;
    }
    return -1;
}

/* ---- links of sockets ---- */

/* The socket is non-blocking and close-on-exec already. */
struct link *link_from_socket(int socket) {
    if (socket < 0)
        return NULL;
    struct link *link = link_make(false);
    link->in = link->out = socket;
    return link;
}

struct link *link_connect(const char *host, int port, const struct link_wait *wait, struct err *e) {
    return link_from_socket(link_connect_socket(host, port, wait, e));
}

struct link *link_accept(const char *address, int port, const struct link_wait *wait, struct err *e) {
    return link_from_socket(link_accept_socket(address, port, wait, e));
}
