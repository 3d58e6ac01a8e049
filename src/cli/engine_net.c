/* SPDX-License-Identifier: MIT
 *
 * The engine over TCP: `--listen` serves whoever connects, each with a session of its own, `--connect` goes
 * to somebody who waits for an engine.
 */
#include "cli/engine.h"

#include "base/mem.h"
#include "link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { ADDRESS_MAX = 128, CONNECT_SECONDS = 60 };

struct server;

struct connection {
    struct server *server;
    struct engine_queue queue;
    int socket; /* -1: the place is free */
    pthread_t thread;
    bool finished; /* the thread is about to end */
};

struct server {
    const struct session_setup *setup;
    pthread_mutex_t lock; /* of the connections' sockets and ends */
    struct connection connections[ENGINE_CONNECTIONS_MAX];
};

bool engine_read_place(const char *text, const char *fallback, char *address, size_t address_size, int *port,
                       struct err *e) {
    const char *colon = strrchr(text, ':');
    size_t size = colon != NULL ? (size_t)(colon - text) : 0;
    const bool in_brackets = size >= 2 && text[0] == '[' && text[size - 1] == ']';
    long number;
    if (!text_to_int(colon != NULL ? colon + 1 : text, &number) || number < 0 || number > 65535 ||
        size >= address_size || (size == 0 && fallback == NULL))
        return err_set(e, "'%.64s' is no place; expected %s, with a port from 0 to 65535", text,
                       fallback != NULL ? "PORT or ADDRESS:PORT" : "HOST:PORT");
    *port = (int)number;
    if (size == 0)
        snprintf(address, address_size, "%s", fallback);
    else
        snprintf(address, address_size, "%.*s", (int)(in_brackets ? size - 2 : size),
                 in_brackets ? text + 1 : text);
    return true;
}

/* ---- one conversation ---- */

static bool write_socket(void *to, const char *bytes, size_t size) {
    const int fd = *(const int *)to;
    while (size > 0) {
        const ssize_t put = send(fd, bytes, size, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

/* Reader and writer have threads of their own and may block, but not on a peer whose machine is gone (its
 * kernel answers no probes), nor on one that takes no answers. A socket that cannot be set so still works. */
static void prepare(int fd) {
    const int flags = fcntl(fd, F_GETFL), on = 1, idle_s = ENGINE_PEER_SILENCE_S / 2, probes = 3,
              between_s = ENGINE_PEER_SILENCE_S / 6;
    const struct timeval longest = {.tv_sec = ENGINE_PEER_SILENCE_S};
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &between_s, sizeof between_s);
}

/* Until quit or the other end's end. Leaves the socket open. */
static bool talk(const struct session_setup *usual, struct engine_queue *queue, int fd, struct err *e) {
    struct session_setup setup = *usual;
    setup.stop = &queue->stop;
    setup.files = false;
    prepare(fd);
    struct session *session = session_open(&setup, e);
    if (session == NULL)
        return false;
    pthread_t reader;
    bool good = pthread_create(&reader, NULL, engine_read, queue) == 0;
    if (good) {
        engine_converse(session, queue, write_socket, &fd);
        engine_close_queue(queue);
        shutdown(fd, SHUT_RDWR); /* the reader wakes up */
        pthread_join(reader, NULL);
    } else {
        err_set(e, "no thread can be started");
    }
    session_close(session);
    return good;
}

/* ---- connecting ---- */

int engine_connect(const struct cli_command *self, const struct session_setup *setup, const char *place) {
    struct err e;
    char host[ADDRESS_MAX];
    int port;
    if (!engine_read_place(place, NULL, host, sizeof host, &port, &e))
        return cli_fail(self, CLI_USAGE, "--connect: %s", e.text);
    const struct link_wait wait = {.clock = setup->clock,
                                   .until_ns =
                                       clock_now_ns(setup->clock) + CONNECT_SECONDS * INT64_C(1000000000)};
    const int fd = link_connect_socket(host, port, &wait, &e);
    if (fd < 0)
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    struct engine_queue queue;
    engine_open_queue(&queue, fd, fd);
    const bool talked = talk(setup, &queue, fd, &e);
    close(fd);
    engine_done_queue(&queue);
    return talked ? CLI_OK : cli_fail(self, CLI_FAILED, "%s", e.text);
}

/* ---- listening ---- */

static void *connection_main(void *argument) {
    struct connection *c = argument;
    struct err e;
    talk(c->server->setup, &c->queue, c->socket, &e);
    pthread_mutex_lock(&c->server->lock);
    close(c->socket);
    c->socket = -1;
    c->finished = true;
    pthread_mutex_unlock(&c->server->lock);
    return NULL;
}

/* Takes back the places of those who have left; returns a free one, or NULL. */
static struct connection *free_place(struct server *server) {
    struct connection *found = NULL;
    for (int i = 0; i < ENGINE_CONNECTIONS_MAX; i++) {
        struct connection *c = &server->connections[i];
        pthread_mutex_lock(&server->lock);
        const bool finished = c->finished, is_free = c->socket < 0;
        pthread_mutex_unlock(&server->lock);
        if (finished) {
            pthread_join(c->thread, NULL);
            engine_done_queue(&c->queue);
            c->finished = false;
        }
        if (is_free)
            found = c;
    }
    return found;
}

static void serve(struct server *server, int fd) {
    struct connection *c = free_place(server);
    if (c != NULL) {
        engine_open_queue(&c->queue, fd, fd);
        c->socket = fd;
        if (pthread_create(&c->thread, NULL, connection_main, c) == 0)
            return;
        engine_done_queue(&c->queue);
        c->socket = -1;
    }
    static const char full[] = "error too many connections\n";
    send(fd, full, sizeof full - 1, MSG_NOSIGNAL);
    close(fd);
}

/* Ends every conversation and waits until they have ended. */
static void dismiss_all(struct server *server) {
    for (int i = 0; i < ENGINE_CONNECTIONS_MAX; i++) {
        struct connection *c = &server->connections[i];
        pthread_mutex_lock(&server->lock);
        const bool is_used = c->socket >= 0 || c->finished;
        if (c->socket >= 0) {
            engine_leave(&c->queue);
            shutdown(c->socket, SHUT_RDWR);
        }
        pthread_mutex_unlock(&server->lock);
        if (is_used) {
            pthread_join(c->thread, NULL);
            engine_done_queue(&c->queue);
        }
    }
}

int engine_listen(const struct cli_command *self, const struct session_setup *setup, const char *place) {
    struct err e;
    char address[ADDRESS_MAX];
    int port;
    if (!engine_read_place(place, "127.0.0.1", address, sizeof address, &port, &e))
        return cli_fail(self, CLI_USAGE, "--listen: %s", e.text);
    if (!link_listen(address, &port, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    struct server *server = mem_alloc(sizeof *server);
    if (server == NULL)
        return cli_fail(self, CLI_FAILED, "not enough memory");
    server->setup = setup;
    pthread_mutex_init(&server->lock, NULL);
    for (int i = 0; i < ENGINE_CONNECTIONS_MAX; i++) {
        server->connections[i].server = server;
        server->connections[i].socket = -1;
    }
    cli_catch_interrupt();
    printf("listening on %s:%d\n", address, port);
    fflush(stdout);
    const struct link_wait wait = {.clock = setup->clock, .stop = &cli_stop};
    for (int fd; (fd = link_accept_socket(address, port, &wait, &e)) >= 0;)
        serve(server, fd);
    dismiss_all(server);
    pthread_mutex_destroy(&server->lock);
    mem_free(server);
    return atomic_load(&cli_stop) ? CLI_OK : cli_fail(self, CLI_FAILED, "%s", e.text);
}
