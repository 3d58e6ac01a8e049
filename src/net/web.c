/* SPDX-License-Identifier: MIT
 *
 * The web server as a whole: time limits of connections, event streams, the port, and the path of a request
 * through libmicrohttpd's callbacks (first line, head, body in pieces, answer, end).
 */
#include "net/web.h"

#include "base/mem.h"
#include "net/web_private.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The connection's own data, stored with libmicrohttpd's; NULL: there was no memory for it. */
static struct web_connection *connection_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

/* ---- time limits of connections ---- libmicrohttpd closes silent connections, but a connection that sends
 * a byte every few seconds is never silent and never done. So each connection is in a phase with a start (a
 * tick) and a limit that more bytes do not extend, and late connections are shut down; libmicrohttpd then
 * sees their end. The ticker counts the ticks, so no clock is needed, and a machine that slept does not
 * close all connections when it wakes up. */

enum {
    ANSWER_MS = 600000, /* to take an answer that is no stream */
    CROWDED_SHARE = 8,  /* of the time for a head is left when the server is nearly full */
    FRESH_MIN = 16,
    FRESH_SHARE = 4, /* 1/this of all connections may come from one address without having sent a request */
    TICKS_PER_LIMIT = 4, /* at least: how late a late one can be found */
    TICK_MS_MAX = 500,
};

/* ---- the list ---- */

static int shortest(const struct web_limits *limits) {
    int ms = limits->head_ms < limits->body_ms ? limits->head_ms : limits->body_ms;
    return limits->pulse_ms < ms ? limits->pulse_ms : ms;
}

int web_tick_ms(const struct web_limits *limits) {
    const int ms = shortest(limits) / TICKS_PER_LIMIT;
    return ms < 1 ? 1 : ms > TICK_MS_MAX ? TICK_MS_MAX : ms;
}

static bool is_too_many(const struct web *web, const struct web_connection *c) {
    int fresh = 0;
    for (const struct web_connection *other = web->connections; other != NULL; other = other->after)
        fresh += other->phase == WEB_FRESH && strcmp(other->address, c->address) == 0;
    const int most = web->setup.limits.connections / FRESH_SHARE;
    return fresh > (most > FRESH_MIN ? most : FRESH_MIN);
}

static void hang_up(const struct web_connection *c) {
    shutdown(c->fd, SHUT_RDWR);
}

static void watch_add(struct web *web, struct web_connection *c) {
    pthread_mutex_lock(&web->watch_lock);
    c->phase = WEB_FRESH;
    c->since = web->ticks;
    c->before = NULL;
    c->after = web->connections;
    if (c->after != NULL)
        c->after->before = c;
    web->connections = c;
    web->connection_count++;
    if (is_too_many(web, c))
        hang_up(c);
    pthread_mutex_unlock(&web->watch_lock);
}

static void watch_remove(struct web *web, struct web_connection *c) {
    pthread_mutex_lock(&web->watch_lock);
    if (c->before != NULL)
        c->before->after = c->after;
    else
        web->connections = c->after;
    if (c->after != NULL)
        c->after->before = c->before;
    web->connection_count--;
    assert(web->connection_count >= 0);
    pthread_mutex_unlock(&web->watch_lock);
}

static void watch_phase(struct web *web, struct web_connection *c, enum web_phase phase) {
    pthread_mutex_lock(&web->watch_lock);
    c->phase = phase;
    c->since = web->ticks;
    pthread_mutex_unlock(&web->watch_lock);
}

/* ---- the sweep ---- */

int64_t web_phase_ms(const struct web_limits *limits, enum web_phase phase, int connection_count) {
    const bool is_crowded = connection_count >= limits->connections - limits->connections / 4;
    const int64_t head_ms = is_crowded ? limits->head_ms / CROWDED_SHARE : limits->head_ms;
    switch (phase) {
    case WEB_FRESH: return head_ms;
    case WEB_IDLE: return is_crowded ? head_ms : head_ms + limits->silence_s * INT64_C(1000);
    case WEB_BODY: return limits->body_ms;
    case WEB_ANSWER: return ANSWER_MS;
    case WEB_STREAM: break;
    }
    return 0;
}

/* In these phases no answer is on its way that this one could get mixed up with. */
static void say_late(const struct web_connection *c) {
    static const char late[] = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 55\r\n"
                               "Content-Type: text/plain; charset=utf-8\r\n\r\n"
                               "The request took too long to arrive; send it all again\n";
    if (c->phase == WEB_FRESH || c->phase == WEB_BODY)
        (void)!send(c->fd, late, sizeof late - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void watch_sweep(struct web *web) {
    pthread_mutex_lock(&web->watch_lock);
    web->ticks++;
    const struct web_limits *limits = &web->setup.limits;
    for (struct web_connection *c = web->connections; c != NULL; c = c->after) {
        const int64_t longest = web_phase_ms(limits, c->phase, web->connection_count);
        if (longest == 0 || (int64_t)(web->ticks - c->since) * web_tick_ms(limits) <= longest)
            continue;
        say_late(c);
        hang_up(c);
    }
    pthread_mutex_unlock(&web->watch_lock);
}

/* ---- streams ----
 *
 * A topic's reader for a connection. While the topic has no events the connection is
 * suspended and libmicrohttpd ignores it. A peer that vanished is noticed only when something is sent, hence
 * the regular comment lines. */

enum { BLOCK = 4096 };

struct web_stream {
    struct web *web;
    struct MHD_Connection *connection;
    struct topic_reader reader;
    struct web_stream *before, *after;
};

/* Both are called with the topic locked, so that no wake can come before its sleep. */
static void suspend(void *context) {
    struct web_stream *stream = context;
    MHD_suspend_connection(stream->connection);
}

static void resume(void *context) {
    struct web_stream *stream = context;
    MHD_resume_connection(stream->connection);
}

static ssize_t read_stream(void *context, uint64_t position, char *out, size_t out_size) {
    struct web_stream *stream = context;
    (void)position;
    if (atomic_load(&stream->web->closing))
        return MHD_CONTENT_READER_END_OF_STREAM;
    const long got = topic_read(&stream->reader, out, out_size);
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : (ssize_t)got;
}

static void close_stream(void *context) {
    struct web_stream *stream = context;
    struct web *web = stream->web;
    pthread_mutex_lock(&web->lock);
    if (stream->before != NULL)
        stream->before->after = stream->after;
    else
        web->streams = stream->after;
    if (stream->after != NULL)
        stream->after->before = stream->before;
    pthread_mutex_unlock(&web->lock);
    topic_reader_done(&stream->reader);
    mem_free(stream);
}

/* A server that is closing takes no more of them: it has counted on their number to fall. */
static bool add_stream(struct web *web, struct web_stream *stream) {
    pthread_mutex_lock(&web->lock);
    const bool is_open = !atomic_load(&web->closing);
    if (is_open) {
        stream->after = web->streams;
        if (web->streams != NULL)
            web->streams->before = stream;
        web->streams = stream;
    }
    pthread_mutex_unlock(&web->lock);
    return is_open;
}

struct MHD_Response *web_stream_open(struct web *web, struct MHD_Connection *connection, struct topic *topic,
                                     uint64_t last_seen) {
    struct web_stream *stream = mem_alloc(sizeof *stream);
    stream->web = web;
    stream->connection = connection;
    stream->reader.sleep = suspend;
    stream->reader.wake = resume;
    stream->reader.context = stream;
    stream->reader.run = web->setup.run;
    topic_reader_start(&stream->reader, topic, last_seen);
    if (!add_stream(web, stream)) {
        topic_reader_done(&stream->reader);
        mem_free(stream);
        return NULL;
    }
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, stream, close_stream);
    if (response == NULL)
        close_stream(stream);
    else
        watch_phase(web, connection_of(connection), WEB_STREAM);
    return response;
}

/* ---- the ticker: comment lines for streams, and the time limits ---- */

static void nudge_all(struct web *web) {
    pthread_mutex_lock(&web->lock);
    for (struct web_stream *stream = web->streams; stream != NULL; stream = stream->after)
        topic_reader_nudge(&stream->reader);
    pthread_mutex_unlock(&web->lock);
}

static void *tick(void *context) {
    struct web *web = context;
    struct pollfd stop = {.fd = web->stop_pipe[0], .events = POLLIN};
    const int tick_ms = web_tick_ms(&web->setup.limits);
    for (int quiet_ms = 0;;) {
        const int came = poll(&stop, 1, tick_ms);
        if (came > 0)
            return NULL;
        if (came < 0)
            continue;
        watch_sweep(web);
        quiet_ms += tick_ms;
        if (quiet_ms >= web->setup.limits.pulse_ms) {
            nudge_all(web);
            quiet_ms = 0;
        }
    }
}

static bool ticker_start(struct web *web, struct err *e) {
    if (pipe(web->stop_pipe) != 0) {
        web->stop_pipe[0] = web->stop_pipe[1] = -1;
        return err_set(e, "no pipe can be had: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++)
        fcntl(web->stop_pipe[i], F_SETFD, FD_CLOEXEC);
    const int cause = pthread_create(&web->ticker, NULL, tick, web);
    web->is_ticking = cause == 0;
    return web->is_ticking || err_set(e, "no thread can be had: %s", strerror(cause));
}

static void ticker_stop(struct web *web) {
    if (web->is_ticking) {
        while (write(web->stop_pipe[1], "", 1) < 0 && errno == EINTR)
            ;
        pthread_join(web->ticker, NULL);
    }
    for (int i = 0; i < 2; i++)
        if (web->stop_pipe[i] >= 0)
            close(web->stop_pipe[i]);
}

static void streams_end(struct web *web) {
    pthread_mutex_lock(&web->lock);
    atomic_store(&web->closing, true);
    pthread_mutex_unlock(&web->lock);
    nudge_all(web);
}

enum {
    BACKLOG = 256,
    SILENCE_S = 30,
    PULSE_MS = 15000,
    HEAD_MS = 20000,
    BODY_MS = 120000,
    CONNECTION_MEMORY = 32 << 10, /* for the head of a request and the data being sent */
    BODIES_MAX = 64 << 20,        /* bytes of all bodies that are being received */
    PARAMETERS_MANY = 100,
    TARGET_LONG = 16 << 10, /* bytes of path and parameters */
};

/* ---- one request ---- */

static void drop_body(struct web *web, struct web_request *request) {
    assert(web->bodies >= request->body.size);
    web->bodies -= request->body.size;
    text_done(&request->body);
}

static void begin_connection(struct web *web, struct MHD_Connection *connection, struct web_connection *c) {
    const union MHD_ConnectionInfo *socket =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *peer =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    assert(socket != NULL);
    assert(peer != NULL);
    c->fd = socket->connect_fd;
    if (peer->client_addr->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)peer->client_addr)->sin_addr,
                  c->address, sizeof c->address);
    else if (peer->client_addr->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)peer->client_addr)->sin6_addr,
                  c->address, sizeof c->address);
    watch_add(web, c);
}

/* Requests belong to their connection: libmicrohttpd reports the beginning of a request with too large a
 * head, but not always its end. */
static void change_connection(void *context, struct MHD_Connection *connection, void **slot,
                              enum MHD_ConnectionNotificationCode what) {
    struct web_connection *c = *slot;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        *slot = mem_alloc(sizeof *c);
        begin_connection(context, connection, *slot);
        return;
    }
    watch_remove(context, c);
    drop_body(context, &c->request);
    mem_free(c);
    *slot = NULL;
}

/* Parameters and long addresses may use up libmicrohttpd's memory: then it neither answers nor closes
 * (0.9.75). */
static bool is_flood(const char *raw, struct err *e) {
    int count = 0;
    for (const char *at = strchr(raw, '?'); at != NULL && count <= PARAMETERS_MANY; count++)
        at = strchr(at + 1, '&');
    if (count > PARAMETERS_MANY)
        return !err_set(e, "more than %d parameters", MESSAGE_QUERY_MAX);
    return strlen(raw) > TARGET_LONG && !err_set(e, "the address is longer than %d bytes", TARGET_LONG);
}

static void *begin_request(void *context, const char *raw, struct MHD_Connection *connection) {
    struct web_connection *c = connection_of(connection);
    if (c == NULL)
        return NULL;
    struct web_request *request = &c->request;
    drop_body(context, request);
    *request = (struct web_request){0};
    request->is_wrong = !web_target_read(raw, &request->target, &request->wrong);
    if (is_flood(raw, &request->wrong)) {
        request->is_wrong = true;
        web_turn_away(connection, &request->wrong);
    }
    return request;
}

static void end_request(void *context, struct MHD_Connection *connection, void **slot,
                        enum MHD_RequestTerminationCode how) {
    struct web_connection *c = connection_of(connection);
    (void)how;
    if (*slot != NULL)
        drop_body(context, *slot);
    if (c != NULL)
        watch_phase(context, c, WEB_IDLE);
    *slot = NULL;
}

/* "7", or "RUN-7" if the server has a run id: numbers of another run are ignored. */
static uint64_t read_last_event(const struct web *web, const char *text) {
    unsigned long long number;
    const char *run = web->setup.run;
    const size_t size = run != NULL ? strlen(run) : 0;
    if (text == NULL)
        return 0;
    if (run != NULL) {
        if (strncmp(text, run, size) != 0 || text[size] != '-')
            return 0;
        text += size + 1;
    }
    return text_to_u64(text, &number) ? (uint64_t)number : 0;
}

static enum MHD_Result ask_handler(struct web *web, struct MHD_Connection *connection,
                                   const struct web_request *request) {
    struct message_out out = {0};
    struct message_in in = {
        .method = request->method,
        .path = request->target.path,
        .query_count = request->target.query_count,
        .body = request->body.size > 0 ? request->body.data : NULL,
        .body_size = request->body.size,
        .last_event = read_last_event(web, web_header(connection, "Last-Event-ID")),
    };
    for (int i = 0; i < in.query_count; i++)
        in.query[i] = (struct message_query){request->target.names[i], request->target.values[i]};
    web->setup.handle(web->setup.context, &in, &out);
    if (out.status < 200 || out.status > 599)
        message_fail(&out, 500, NULL, "no answer was made");
    return web_answer_message(web, connection, &in, &out);
}

static enum MHD_Result answer(struct web *web, struct MHD_Connection *connection,
                              const struct web_request *request) {
    if (request->received > MESSAGE_BODY_MAX)
        return web_refuse(connection, request, 413, "the body has more bytes than are taken");
    if (request->is_crowded_out)
        return web_refuse(connection, request, 503, "too many large requests at a time; try again");
    if (atomic_load(&web->closing))
        return web_refuse(connection, request, 503, "the server is stopping");
    if (web_is_api(request))
        return ask_handler(web, connection, request);
    if (web->guard.token[0] != '\0' && strcmp(request->target.path, "/") == 0 &&
        web_target_value(&request->target, "token") != NULL && !request->is_head)
        return web_answer_welcome(web, connection);
    return web_answer_file(web, connection, request);
}

/* False: the body is so large that the connection is closed without an answer. */
static bool take_body(struct web *web, struct web_request *request, const char *bytes, size_t size) {
    request->received += size;
    request->is_crowded_out = request->is_crowded_out || web->bodies + size > BODIES_MAX;
    if (request->received <= MESSAGE_BODY_MAX && !request->is_crowded_out)
        request->is_crowded_out = !text_reserve(&request->body, size);
    if (request->received <= MESSAGE_BODY_MAX && !request->is_crowded_out) {
        const size_t before = request->body.size;
        text_add_bytes(&request->body, bytes, size);
        web->bodies += request->body.size - before;
    } else {
        drop_body(web, request);
    }
    return request->received <= WEB_PATIENCE;
}

/* Called for the head, for every piece of the body, and at its end. */
static enum MHD_Result step_request(void *context, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *bytes, size_t *size,
                                    void **slot) {
    struct web *web = context;
    struct web_request *request = *slot;
    struct err e;
    (void)url;
    (void)version;
    if (request == NULL)
        return MHD_NO;
    struct web_connection *c = connection_of(connection);
    if (!request->begun) {
        const int status = web_check(web, connection, method, request, &e);
        request->begun = true;
        watch_phase(web, c, status == 0 ? WEB_BODY : WEB_ANSWER);
        return status == 0 ? MHD_YES : web_refuse(connection, request, status, e.text);
    }
    if (*size == 0) {
        watch_phase(web, c, WEB_ANSWER); /* streams set their own phase */
        const enum MHD_Result result = answer(web, connection, request);
        drop_body(web, request); /* the body is not needed while the answer is sent */
        return result;
    }
    const bool goes_on = take_body(web, request, bytes, *size);
    *size = 0;
    return goes_on ? MHD_YES : MHD_NO;
}

/* ---- the port ---- */

static bool explain_port(const struct web_setup *setup, int cause, struct err *e) {
    if (cause == EADDRINUSE)
        return err_set(e, "port %d on %s is taken by another program; choose another with --port",
                       setup->port, setup->bind);
    if (cause == EACCES)
        return err_set(e, "port %d may not be used; choose one above 1023 with --port", setup->port);
    return err_set(e, "%s, port %d: %s", setup->bind, setup->port, strerror(cause));
}

static int listen_at(const struct addrinfo *info) {
    const int fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC, info->ai_protocol), on = 1;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    const int cause = errno;
    close(fd);
    errno = cause;
    return -1;
}

/* A listening socket, or -1. */
static int open_port(const struct web_setup *setup, bool *is_v6, struct err *e) {
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *list = NULL;
    char service[16];
    snprintf(service, sizeof service, "%d", setup->port);
    const int status = getaddrinfo(setup->bind, service, &hints, &list);
    if (status != 0) {
        err_set(e, "'%s' is no address to listen on: %s", setup->bind, gai_strerror(status));
        return -1;
    }
    int fd = -1;
    for (const struct addrinfo *info = list; info != NULL && fd < 0; info = info->ai_next) {
        *is_v6 = info->ai_family == AF_INET6;
        fd = listen_at(info);
    }
    if (fd < 0)
        explain_port(setup, errno, e);
    freeaddrinfo(list);
    return fd;
}

static int port_of(int fd) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_storage room;
    } name = {0};
    socklen_t size = sizeof name;
    if (getsockname(fd, &name.any, &size) != 0)
        return 0;
    return ntohs(name.any.sa_family == AF_INET6 ? name.v6.sin6_port : name.v4.sin_port);
}

/* ---- the server ---- */

static int or_default(int value, int otherwise) {
    return value > 0 ? value : otherwise;
}

void web_limits_fill(struct web_limits *limits) {
    limits->connections = or_default(limits->connections, WEB_CONNECTIONS_MAX);
    limits->per_address = or_default(limits->per_address, (limits->connections * 3 + 3) / 4);
    limits->silence_s = or_default(limits->silence_s, SILENCE_S);
    limits->head_ms = or_default(limits->head_ms, HEAD_MS);
    limits->body_ms = or_default(limits->body_ms, BODY_MS);
    limits->pulse_ms = or_default(limits->pulse_ms, PULSE_MS);
}

static bool start_daemon(struct web *web, struct err *e) {
    const struct web_limits *limits = &web->setup.limits;
    bool is_v6 = false;
    const int fd = open_port(&web->setup, &is_v6, e);
    if (fd < 0)
        return false;
    web->port = web->guard.port = port_of(fd);
    snprintf(web->cookie, sizeof web->cookie, "senjutsu-%d", web->port);
    snprintf(web->secure_cookie, sizeof web->secure_cookie, "__Host-senjutsu-%d", web->port);
    const unsigned flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                           MHD_USE_ITC | (is_v6 ? MHD_USE_IPv6 : 0);
    web->daemon = MHD_start_daemon(
        flags, (uint16_t)web->port, NULL, NULL, step_request, web, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_URI_LOG_CALLBACK, begin_request, web, MHD_OPTION_NOTIFY_COMPLETED, end_request, web,
        MHD_OPTION_NOTIFY_CONNECTION, change_connection, web, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)limits->connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)limits->per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)limits->silence_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
    if (web->daemon == NULL)
        close(fd);
    return web->daemon != NULL || err_set(e, "the web server does not start");
}

static bool open_folder(struct web *web, struct err *e) {
    if (web->setup.folder == NULL)
        return true;
    web->folder = open(web->setup.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return web->folder >= 0 ||
           err_set(e, "%s: expected the folder of a built page: %s", web->setup.folder, strerror(errno));
}

static bool start(struct web *web, struct err *e) {
    const char *token = web->setup.token;
    if (!web_guard_init(&web->guard, web->setup.bind, web->setup.hosts, e))
        return false;
    for (int i = 0; web->setup.origins[i] != NULL; i++)
        if (!web_guard_add_origin(&web->guard, web->setup.origins[i], e))
            return false;
    if (token != NULL && strlen(token) > WEB_TOKEN_MAX)
        return err_set(e, "a token has at most %d characters", WEB_TOKEN_MAX);
    if (token != NULL)
        web->guard.token = token;
    return open_folder(web, e) && ticker_start(web, e) && start_daemon(web, e);
}

struct web *web_open(const struct web_setup *setup, struct err *e) {
    assert(setup->handle != NULL);
    assert(setup->bind != NULL);
    struct web *web = mem_alloc(sizeof *web);
    pthread_mutex_init(&web->lock, NULL);
    pthread_mutex_init(&web->watch_lock, NULL);
    web->setup = *setup;
    web->folder = web->stop_pipe[0] = web->stop_pipe[1] = -1;
    web_limits_fill(&web->setup.limits);
    if (start(web, e))
        return web;
    web_close(web);
    return NULL;
}

int web_port(const struct web *web) {
    return web->port;
}

void web_close(struct web *web) {
    if (web == NULL)
        return;
    ticker_stop(web);
    streams_end(web);
    if (web->daemon != NULL)
        MHD_stop_daemon(web->daemon);
    if (web->folder >= 0)
        close(web->folder);
    pthread_mutex_destroy(&web->watch_lock);
    pthread_mutex_destroy(&web->lock);
    mem_free(web);
}
