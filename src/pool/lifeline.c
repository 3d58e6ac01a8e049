/* SPDX-License-Identifier: MIT
 *
 * Lifelines between the ranks of a cluster: silent TCP connections whose end is a rank's death.
 */
#define _GNU_SOURCE /* accept4, getifaddrs, getentropy */
#include "pool/lifeline.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    TOKEN_SIZE = 16,
    ADDRESSES_MAX = 16,
    CONNECT_MS = 2000, /* for each address */
    IDLE_SECONDS = 30, /* until the first probe of the keep-alive */
    PROBE_SECONDS = 10,
    PROBES = 3,
};

/* Rank 0's address, sent as bytes: all ranks have the same byte order, or MPI would not start. */
struct address {
    unsigned char token[TOKEN_SIZE]; /* a secret that other programs lack */
    in_port_t port;                  /* in network order, as the addresses are */
    int count;
    struct in_addr addresses[ADDRESSES_MAX];
};

/* The first and only message of a rank. */
struct greeting {
    unsigned char token[TOKEN_SIZE];
    int rank;
};

struct lifeline {
    int size;      /* 1 on ranks beside 0, which watch rank 0 alone */
    int listening; /* -1: not */
    unsigned char token[TOKEN_SIZE];
    struct pollfd *watched;   /* by rank; fd -1: none */
    struct pollfd *strangers; /* connections without a known rank yet; `size` places */
    bool *cut;                /* by rank */
};

/* Without any connection yet. */
static struct lifeline *make_line(int size) {
    struct lifeline *line = mem_alloc(sizeof *line);
    line->listening = -1;
    line->watched = mem_alloc((size_t)size * sizeof *line->watched);
    line->strangers = mem_alloc((size_t)size * sizeof *line->strangers);
    line->cut = mem_alloc((size_t)size * sizeof *line->cut);
    line->size = size;
    for (int i = 0; i < size; i++)
        line->watched[i] = line->strangers[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    return line;
}

/* Closing the connections is what the other end notices. */
void lifeline_close(struct lifeline *line) {
    if (line == NULL)
        return;
    if (line->listening >= 0)
        close(line->listening);
    for (int i = 0; i < line->size; i++) {
        if (line->watched[i].fd >= 0)
            close(line->watched[i].fd);
        if (line->strangers[i].fd >= 0)
            close(line->strangers[i].fd);
    }
    mem_free(line->watched);
    mem_free(line->strangers);
    mem_free(line->cut);
    mem_free(line);
}

/* A node that lost its power closes nothing: only unanswered probes show it. */
static void keep_alive(int fd) {
    const struct {
        int level, option, value;
    } options[] = {{SOL_SOCKET, SO_KEEPALIVE, 1},
#ifdef TCP_KEEPIDLE
                   {IPPROTO_TCP, TCP_KEEPIDLE, IDLE_SECONDS},
                   {IPPROTO_TCP, TCP_KEEPINTVL, PROBE_SECONDS},
                   {IPPROTO_TCP, TCP_KEEPCNT, PROBES}
#endif
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) /* without them a loss is noticed later */
        setsockopt(fd, options[i].level, options[i].option, &options[i].value, sizeof options[i].value);
}

/* ---- rank 0 ---- */

/* All addresses of this machine: it is unknown which of them another node can reach. */
static void list_addresses(struct address *out) {
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *i = all; i != NULL && out->count < ADDRESSES_MAX; i = i->ifa_next) {
        if (i->ifa_addr == NULL || i->ifa_addr->sa_family != AF_INET || (i->ifa_flags & IFF_UP) == 0)
            continue;
        struct sockaddr_in address;
        memcpy(&address, i->ifa_addr, sizeof address);
        out->addresses[out->count++] = address.sin_addr;
    }
    freeifaddrs(all);
}

/* Without entropy there is no secret, and any local program could pose as a rank: then there are no
 * lifelines. */
struct lifeline *lifeline_listen(int size, bool here, struct text *out) {
    assert(size > 1);
    struct lifeline *line = make_line(size);
    struct address address = {0};
    struct sockaddr_in own = {.sin_family = AF_INET,
                              .sin_addr.s_addr = htonl(here ? INADDR_LOOPBACK : INADDR_ANY)};
    socklen_t own_size = sizeof own;
    line->listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (getentropy(line->token, sizeof line->token) != 0 || line->listening < 0 ||
        bind(line->listening, (struct sockaddr *)&own, own_size) != 0 ||
        listen(line->listening, line->size) != 0 ||
        getsockname(line->listening, (struct sockaddr *)&own, &own_size) != 0) {
        lifeline_close(line);
        return NULL;
    }
    address.port = own.sin_port;
    memcpy(address.token, line->token, sizeof address.token);
    if (here)
        address.addresses[address.count++].s_addr = htonl(INADDR_LOOPBACK);
    else
        list_addresses(&address);
    text_add_bytes(out, (const char *)&address, sizeof address);
    return line;
}

/* A connection that proves its rank is assigned to it; any other is closed. */
static void meet(struct lifeline *line, struct pollfd *stranger) {
    struct greeting greeting;
    const ssize_t got = recv(stranger->fd, &greeting, sizeof greeting, MSG_PEEK);
    if ((got < 0 && (errno == EAGAIN || errno == EINTR)) || (got > 0 && got < (ssize_t)sizeof greeting))
        return;
    const bool known = got == (ssize_t)sizeof greeting &&
                       memcmp(greeting.token, line->token, TOKEN_SIZE) == 0 && greeting.rank > 0 &&
                       greeting.rank < line->size && line->watched[greeting.rank].fd < 0;
    if (known && recv(stranger->fd, &greeting, sizeof greeting, 0) == (ssize_t)sizeof greeting) {
        keep_alive(stranger->fd);
        line->watched[greeting.rank].fd = stranger->fd;
    } else {
        close(stranger->fd);
    }
    stranger->fd = -1;
}

/* ---- the others ---- */

/* False after CONNECT_MS: an address that swallows everything must not hold up the start. */
static bool connect_in_time(int fd, const struct sockaddr_in *to) {
    if (connect(fd, (const struct sockaddr *)to, sizeof *to) == 0)
        return true;
    struct pollfd waiting = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;
    return errno == EINPROGRESS && poll(&waiting, 1, CONNECT_MS) == 1 &&
           getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

/* Tries the addresses of rank 0 one after the other; -1 when none answers. */
static int reach(const struct address *address, int rank) {
    struct greeting greeting = {.rank = rank};
    memcpy(greeting.token, address->token, TOKEN_SIZE);
    for (int i = 0; i < address->count; i++) {
        const struct sockaddr_in to = {
            .sin_family = AF_INET, .sin_port = address->port, .sin_addr = address->addresses[i]};
        const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
            return -1;
        if (connect_in_time(fd, &to) &&
            send(fd, &greeting, sizeof greeting, MSG_NOSIGNAL) == (ssize_t)sizeof greeting)
            return fd;
        close(fd);
    }
    return -1;
}

/* An address of the wrong size means that rank 0 does not listen. */
struct lifeline *lifeline_connect(int rank, const struct text *bytes) {
    struct address address;
    if (bytes->size != sizeof address)
        return NULL;
    memcpy(&address, bytes->data, sizeof address);
    struct lifeline *line = make_line(1);
    line->watched[0].fd = reach(&address, rank);
    if (line->watched[0].fd >= 0) {
        keep_alive(line->watched[0].fd);
        return line;
    }
    lifeline_close(line);
    return NULL;
}

/* ---- watching ---- */

/* Rank 0 also accepts ranks that connect late: those are watched from then on. */
void lifeline_look(struct lifeline *line) {
    if (line == NULL)
        return;
    for (int i = 0, fd = 0; i < line->size && line->listening >= 0 && fd >= 0; i++)
        if (line->strangers[i].fd < 0)
            line->strangers[i].fd = fd = accept4(line->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    for (int i = 0; i < line->size; i++)
        if (line->strangers[i].fd >= 0)
            meet(line, &line->strangers[i]);
    if (poll(line->watched, (nfds_t)line->size, 0) <= 0)
        return;
    for (int rank = 0; rank < line->size; rank++) {
        struct pollfd *watched = &line->watched[rank];
        char byte;
        if (watched->fd < 0 || watched->revents == 0)
            continue;
        /* No further bytes are sent on it, so anything readable is its end. */
        const ssize_t got = recv(watched->fd, &byte, 1, 0);
        if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)))
            continue;
        close(watched->fd);
        watched->fd = -1;
        line->cut[rank] = true;
    }
}

/* A rank that never connected counts as alive: only a connection that ends shows a death. */
bool lifeline_is_cut(const struct lifeline *line, int rank) {
    return line != NULL && rank < line->size && line->cut[rank];
}
