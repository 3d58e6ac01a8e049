/* SPDX-License-Identifier: MIT
 *
 * A TCP connection as the other end of a link, whichever side opened it.
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
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LISTENERS_MAX = 64, BACKLOG = 512, ADDRESS_MAX = 128 };

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0 /* then SO_NOSIGPIPE does it */
#endif

/* ---- descriptors ---- */

static int make_socket(const struct addrinfo *info) {
    link_fork_lock();
    const int fd = socket(info->ai_family, info->ai_socktype, info->ai_protocol);
    const int owned = fd < 0 ? -1 : link_own_descriptor(fd);
    link_fork_unlock();
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

/* Waits in slices until the descriptor is ready; on false errno has the reason. */
static enum link_event wait_ready(int fd, short events, struct link_timer *timer) {
    int slice, short_ms = 0;
    enum link_event event;
    while ((event = link_timer_check(timer, &slice)) == LINK_LINE) {
        struct pollfd ready = {.fd = fd, .events = events};
        const int found = poll(&ready, 1, slice), cause = errno;
        if (found > 0)
            return LINK_LINE;
        const bool wasted = found < 0 && cause != EINTR;
        if (wasted)
            link_nap(slice);
        link_timer_slept(timer, wasted ? LINK_SLICE_WASTED : found < 0 ? LINK_SLICE_CAME : LINK_SLICE_SLEPT);
        short_ms = wasted ? short_ms + slice : 0;
        errno = cause;
        if (short_ms >= LINK_SHORTAGE_MS)
            return LINK_SHORTAGE;
    }
    errno = event == LINK_TIME ? ETIMEDOUT : ECANCELED;
    return event;
}

/* ---- connecting ---- */

static bool connect_to(int fd, const struct addrinfo *info, struct link_timer *timer, struct err *e) {
    int cause = connect(fd, info->ai_addr, info->ai_addrlen) == 0 ? 0 : errno;
    if (cause == EINPROGRESS || cause == EINTR) {
        const enum link_event event = wait_ready(fd, POLLOUT, timer);
        socklen_t size = sizeof cause;
        if (event != LINK_LINE) {
            cause = errno;
            err_set(e, "%s",
                    event == LINK_TIME       ? "nobody answered in time"
                    : event == LINK_SHORTAGE ? strerror(cause)
                                             : "stopped");
            errno = cause;
            return false;
        }
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &size);
    }
    if (cause != 0)
        err_set(e, "%s", strerror(cause));
    errno = cause;
    return cause == 0;
}

int link_connect_socket(const char *host, int port, const struct link_wait *wait, struct err *e) {
    assert(wait != NULL);
    struct addrinfo *list = look_up(host, port, false, e);
    if (list == NULL)
        return -1;
    struct link_timer timer = {.wait = wait};
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

struct listener {
    char address[ADDRESS_MAX];
    int port, fd;
};

static pthread_mutex_t listeners_lock = PTHREAD_MUTEX_INITIALIZER;
static struct listener listeners[LISTENERS_MAX];
static int listener_count;

static bool listen_on(int fd, const struct addrinfo *info) {
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0;
}

union socket_name {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage room;
};

int link_port_of(int fd) {
    union socket_name name = {0};
    socklen_t size = sizeof name;
    if (getsockname(fd, &name.any, &size) != 0)
        return 0;
    return ntohs(name.any.sa_family == AF_INET6 ? name.v6.sin6_port : name.v4.sin_port);
}

static int open_listener(const char *address, int port, struct err *e) {
    struct addrinfo *list = look_up(address, port, true, e);
    if (list == NULL)
        return -1;
    int fd = -1, cause = 0;
    for (const struct addrinfo *info = list; info != NULL && fd < 0; info = info->ai_next) {
        fd = make_socket(info);
        if (fd >= 0 && listen_on(fd, info))
            break;
        cause = errno;
        err_set(e, "%s:%d: %s", address, port, strerror(cause));
        link_close_descriptor(&fd);
    }
    freeaddrinfo(list);
    errno = cause;
    return fd;
}

/* The listening socket of that port, opened by the first call; -1 on failure. */
static int find_listener(const char *address, int port, struct err *e) {
    assert(listener_count >= 0 && listener_count <= LISTENERS_MAX);
    for (int i = 0; i < listener_count; i++)
        if (port != 0 && listeners[i].port == port && strcmp(listeners[i].address, address) == 0)
            return listeners[i].fd;
    if (listener_count == LISTENERS_MAX || strlen(address) >= ADDRESS_MAX) {
        err_set(e, "%.64s:%d: no more than %d ports with addresses of fewer than %d characters", address,
                port, LISTENERS_MAX, ADDRESS_MAX);
        errno = EINVAL;
        return -1;
    }
    const int fd = open_listener(address, port, e);
    if (fd >= 0) {
        struct listener *l = &listeners[listener_count++];
        snprintf(l->address, sizeof l->address, "%s", address);
        l->port = link_port_of(fd);
        l->fd = fd;
    }
    return fd;
}

static int listener_for(const char *address, int port, struct err *e) {
    pthread_mutex_lock(&listeners_lock);
    const int fd = find_listener(address, port, e);
    pthread_mutex_unlock(&listeners_lock);
    return fd;
}

int link_listener(const char *address, int *port, struct err *e) {
    const int fd = listener_for(address, *port, e);
    if (fd >= 0)
        *port = link_port_of(fd);
    return fd;
}

bool link_listen(const char *address, int *port, struct err *e) {
    return link_listener(address, port, e) >= 0;
}

static int accept_one(int listener, union socket_name *peer) {
    socklen_t size = sizeof *peer;
    link_fork_lock();
    int fd = accept(listener, &peer->any, &size);
    if (fd >= 0)
        fd = link_own_descriptor(fd);
    link_fork_unlock();
    return fd;
}

/* An address that stands for an IPv4 address is written as that. */
static void write_peer(const union socket_name *peer, struct link_peer *out) {
    const char *shown = NULL;
    if (peer->any.sa_family == AF_INET6) {
        shown = inet_ntop(AF_INET6, &peer->v6.sin6_addr, out->address, sizeof out->address);
        if (shown != NULL && IN6_IS_ADDR_V4MAPPED(&peer->v6.sin6_addr))
            memmove(out->address, strrchr(out->address, ':') + 1, strlen(strrchr(out->address, ':')));
    } else if (peer->any.sa_family == AF_INET) {
        shown = inet_ntop(AF_INET, &peer->v4.sin_addr, out->address, sizeof out->address);
    }
    if (shown == NULL)
        snprintf(out->address, sizeof out->address, "somewhere");
    out->port = ntohs(peer->any.sa_family == AF_INET6 ? peer->v6.sin6_port : peer->v4.sin_port);
}

int link_take(int listener, struct link_peer *peer) {
    assert(listener >= 0);
    union socket_name name = {0};
    const int fd = accept_one(listener, &name);
    if (fd < 0)
        return -1;
    set_prompt(fd);
    write_peer(&name, peer);
    return fd;
}

/* No connection came in time, or descriptors were short whenever one did. */
static int accept_failed(const char *address, int port, int cause, struct err *e) {
    if (cause == ECANCELED)
        err_set(e, "%s:%d: stopped", address, port);
    else if (cause == ETIMEDOUT)
        err_set(e, "nobody connected to %s:%d in time", address, port);
    else
        err_set(e, "%s:%d: no connection can be taken: %s", address, port, strerror(cause));
    errno = cause;
    return -1;
}

int link_accept_socket(const char *address, int port, const struct link_wait *wait, struct err *e) {
    assert(wait != NULL);
    const int listener = listener_for(address, port, e);
    union socket_name peer = {0};
    struct link_timer timer = {.wait = wait};
    int shortage = 0;
    while (listener >= 0) {
        const enum link_event event = wait_ready(listener, POLLIN, &timer);
        if (event != LINK_LINE)
            return accept_failed(address, port, event == LINK_TIME && shortage != 0 ? shortage : errno, e);
        const int fd = accept_one(listener, &peer);
        if (fd >= 0) {
            set_prompt(fd);
            return fd;
        }
        /* Another thread was faster, or descriptors are short for a moment. */
        shortage = errno != EAGAIN && errno != EWOULDBLOCK && link_is_shortage(errno) ? errno : 0;
        link_nap(1);
        timer.silent_ns += 1000000;
    }
    return -1;
}

/* ---- the link ---- */

static ssize_t write_socket(int fd, const char *bytes, size_t size) {
    return send(fd, bytes, size, MSG_NOSIGNAL);
}

static bool socket_has_ended(struct link *link) {
    (void)link; /* its stream says so */
    return false;
}

static void socket_describe_end(struct link *link, char *out, size_t out_size) {
    (void)link;
    snprintf(out, out_size, "the connection was closed");
}

static void socket_end(struct link *link, int grace_ms) {
    (void)grace_ms;
    shutdown(link->in, SHUT_RDWR);
}

static const struct link_kind socket_kind = {
    .write = write_socket,
    .has_ended = socket_has_ended,
    .describe_end = socket_describe_end,
    .end = socket_end,
};

struct link *link_from_socket(int socket, const char *name, struct err *e) {
    link_fork_lock();
    const int fd = link_own_descriptor(socket);
    link_fork_unlock();
    if (fd < 0) {
        const int cause = errno;
        err_set(e, "%s: %s", name, strerror(cause));
        errno = cause;
        return NULL;
    }
    struct link *link = link_make(&socket_kind);
    link->in = link->out = fd;
    return link;
}

static struct link *wrap(int fd, const char *host, int port, struct err *e) {
    char name[ADDRESS_MAX + 16];
    snprintf(name, sizeof name, "%.*s:%d", ADDRESS_MAX, host, port);
    return fd < 0 ? NULL : link_from_socket(fd, name, e);
}

struct link *link_connect(const char *host, int port, const struct link_wait *wait, struct err *e) {
    return wrap(link_connect_socket(host, port, wait, e), host, port, e);
}

struct link *link_accept(const char *address, int port, const struct link_wait *wait, struct err *e) {
    return wrap(link_accept_socket(address, port, wait, e), address, port, e);
}
