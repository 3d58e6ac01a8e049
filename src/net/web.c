/* SPDX-License-Identifier: MIT
 *
 * The web server: time limits of connections, event streams, checks of a request's head, answers, and the
 * path of a request through libmicrohttpd's callbacks (first line, head, body in pieces, answer, end).
 *
 * Locks are taken in this order: the server's own (its streams), a topic's, then libmicrohttpd's. The lock of
 * the connections is held only briefly, and no other lock is taken under it.
 */
#include "net/web.h"

#include "base/encode.h"
#include "base/mem.h"
#include "base/numbers.h"
#include "link/link.h"
#include "net/http.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    COOKIE_MAX = 32,
    SILENCE_S = 30,
    PULSE_MS = 15000,
    HEAD_MS = 20000,
    BODY_MS = 120000,
    ANSWER_MS = 600000, /* to take an answer that is no stream */
    CROWDED_SHARE = 8,  /* of the time for a head is left when the server is nearly full */
    FRESH_MIN = 16,
    FRESH_SHARE = 4, /* 1/this of all connections may come from one address without having sent a request */
    TICKS_PER_LIMIT = 4, /* at least: how late a late one can be found */
    TICK_MS_MAX = 500,
    STREAM_BLOCK = 4096,
    CONNECTION_MEMORY = 32 << 10,         /* for the head of a request and the data being sent */
    BODIES_MAX = 64 << 20,                /* bytes of all bodies that are being received */
    BODY_PATIENCE = 4 * MESSAGE_BODY_MAX, /* bytes of a body that is refused anyway, before we hang up */
    PARAMETERS_MANY = 100,
    TARGET_LONG = 16 << 10, /* bytes of path and parameters */
};

/* Members above `lock` are set before the daemon starts, or belong to the network thread. `lock` guards
 * the streams, `watch_lock` the list of connections with their phases. */
struct web {
    struct web_setup setup; /* with all limits filled in; the token is never NULL */
    struct web_guard guard;
    /* Names of the cookies. Browsers store cookies for a host, regardless of the port. A name with __Host-
     * is accepted only in an encrypted answer of this host. */
    char cookie[COOKIE_MAX], secure_cookie[COOKIE_MAX];
    int port, folder; /* a descriptor, or -1 */
    struct MHD_Daemon *daemon;
    size_t bodies; /* bytes of those that are being received; the network thread's own */

    pthread_mutex_t lock;
    struct stream *streams;
    atomic_bool closing;

    pthread_mutex_t watch_lock;
    struct web_connection *connections;
    int connection_count;
    uint64_t ticks; /* of the ticker so far */

    bool is_ticking;
    pthread_t ticker;
    int stop_pipe[2]; /* a byte ends the ticker */
};

/* One request, from its first line to the end of its answer; owned and reused by the connection. */
struct web_request {
    struct web *web;
    struct MHD_Connection *connection;
    struct web_target target;            /* what `in` points to */
    struct message_in in;                /* complete once the body is */
    struct err wrong;                    /* why the head is refused; no text: it is not */
    bool begun, is_head, is_crowded_out; /* crowded out: the bodies of others have filled the memory */
    struct text body;
    size_t received; /* bytes of the body, including discarded ones */
};

/* What a connection is doing; each phase has its own time limit. */
enum web_phase {
    WEB_FRESH,  /* its first request's head has not come yet */
    WEB_IDLE,   /* between requests: the next one's head may be on its way */
    WEB_BODY,   /* a body is being received */
    WEB_ANSWER, /* an answer is being sent */
    WEB_STREAM, /* one that takes as long as it takes */
};

struct web_connection {
    struct web_request request;
    struct web_connection *next;
    int fd; /* owned by libmicrohttpd */
    struct link_peer peer;
    enum web_phase phase;
    uint64_t since; /* the tick it began at */
};

/* The connection's own data, stored with libmicrohttpd's; NULL: there was no memory for it. */
static struct web_connection *connection_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static const char *header_of(const struct web_request *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name); /* NULL: not there */
}

/* ---- time limits of connections ----
 *
 * libmicrohttpd closes silent connections, but a connection that sends a byte every few seconds is never
 * silent and never done. So each connection is in a phase with a start (a tick) and a limit that more bytes
 * do not extend, and late connections are shut down; libmicrohttpd then sees their end. The ticker counts the
 * ticks, so no clock is needed, and a machine that slept does not close all connections when it wakes up. */

static int given_or(int given, int fallback) {
    return given > 0 ? given : fallback;
}

/* Replaces limits that are 0 by their defaults. */
static void web_limits_fill(struct web_limits *limits) {
    limits->connections = given_or(limits->connections, WEB_CONNECTIONS_MAX);
    limits->per_address = given_or(limits->per_address, (limits->connections * 3 + 3) / 4);
    limits->silence_s = given_or(limits->silence_s, SILENCE_S);
    limits->head_ms = given_or(limits->head_ms, HEAD_MS);
    limits->body_ms = given_or(limits->body_ms, BODY_MS);
    limits->pulse_ms = given_or(limits->pulse_ms, PULSE_MS);
}

/* Milliseconds between two looks at the connections. */
static int web_tick_ms(const struct web_limits *limits) {
    int ms = limits->head_ms < limits->body_ms ? limits->head_ms : limits->body_ms;
    ms = (limits->pulse_ms < ms ? limits->pulse_ms : ms) / TICKS_PER_LIMIT;
    return ms < 1 ? 1 : ms > TICK_MS_MAX ? TICK_MS_MAX : ms;
}

/* The time limit of a phase in milliseconds; 0: none. While the server is nearly full, idle connections get
 * less time. */
static int64_t web_phase_ms(const struct web_limits *limits, enum web_phase phase, int connection_count) {
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

/* A new phase has a limit of its own, which begins now. */
static void watch_phase(struct web *web, struct web_connection *c, enum web_phase phase) {
    pthread_mutex_lock(&web->watch_lock);
    c->phase = phase;
    c->since = web->ticks;
    pthread_mutex_unlock(&web->watch_lock);
}

/* Answers without libmicrohttpd, and ends the connection. Only for connections that no other answer is on its
 * way to. If the socket has no room for the answer, the end must do. */
static void hang_up(int fd, int status, const char *type, const char *body) {
    struct text bytes = {0};
    http_write(&(struct http_answer){status, type, body, strlen(body)}, NULL, &bytes);
    (void)!send(fd, text_string(&bytes), bytes.size, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(fd, SHUT_RDWR);
    text_done(&bytes);
}

static void watch_sweep(struct web *web) {
    pthread_mutex_lock(&web->watch_lock);
    web->ticks++;
    const struct web_limits *limits = &web->setup.limits;
    for (struct web_connection *c = web->connections; c != NULL; c = c->next) {
        const int64_t longest = web_phase_ms(limits, c->phase, web->connection_count);
        if (longest == 0 || (int64_t)(web->ticks - c->since) * web_tick_ms(limits) <= longest)
            continue;
        if (c->phase == WEB_FRESH || c->phase == WEB_BODY)
            hang_up(c->fd, 408, "text/plain; charset=utf-8",
                    "The request took too long to arrive; send it all again\n");
        else
            shutdown(c->fd, SHUT_RDWR);
    }
    pthread_mutex_unlock(&web->watch_lock);
}

/* ---- streams ----
 *
 * A topic's reader for a connection. While the topic has no events the connection is suspended and
 * libmicrohttpd ignores it. A peer that vanished is noticed only when something is sent, hence the regular
 * comment lines. */

struct stream {
    struct web *web;
    struct MHD_Connection *connection;
    struct topic_reader reader;
    struct stream *next;
};

/* Both are called with the topic locked, so that no wake can come before its sleep. */
static void suspend(void *context) {
    MHD_suspend_connection(((struct stream *)context)->connection);
}

static void resume(void *context) {
    MHD_resume_connection(((struct stream *)context)->connection);
}

/* Called by the network thread when the connection can take bytes. 0 suspends the connection. */
static ssize_t read_stream(void *context, uint64_t position, char *out, size_t out_size) {
    struct stream *stream = context;
    (void)position;
    const long got = atomic_load(&stream->web->closing) ? -1 : topic_read(&stream->reader, out, out_size);
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : (ssize_t)got;
}

/* Called by libmicrohttpd when the connection has ended, however it ended. */
static void close_stream(void *context) {
    struct stream *stream = context;
    struct web *web = stream->web;
    pthread_mutex_lock(&web->lock);
    LIST_REMOVE(web->streams, stream, next); /* it is not there if the server closed when it was opened */
    pthread_mutex_unlock(&web->lock);
    topic_reader_done(&stream->reader);
    mem_free(stream);
}

/* A response that follows the topic; NULL when memory ran out or the server is closing. */
static struct MHD_Response *open_stream(const struct web_request *request, struct topic *topic) {
    struct web *web = request->web;
    struct stream *stream = mem_alloc(sizeof *stream);
    stream->web = web;
    stream->connection = request->connection;
    stream->reader =
        (struct topic_reader){.sleep = suspend, .wake = resume, .context = stream, .run = web->setup.run};
    topic_reader_start(&stream->reader, topic, request->in.last_event);
    pthread_mutex_lock(&web->lock);
    /* A server that is closing takes no more of them: it has counted on their number to fall. */
    const bool is_open = !atomic_load(&web->closing);
    if (is_open) {
        stream->next = web->streams;
        web->streams = stream;
    }
    pthread_mutex_unlock(&web->lock);
    struct MHD_Response *response = is_open
                                        ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK,
                                                                            read_stream, stream, close_stream)
                                        : NULL;
    if (response == NULL)
        close_stream(stream);
    else
        watch_phase(web, connection_of(request->connection), WEB_STREAM);
    return response;
}

/* Every stream writes something, or ends if the server is closing. */
static void nudge_all(struct web *web) {
    pthread_mutex_lock(&web->lock);
    for (struct stream *stream = web->streams; stream != NULL; stream = stream->next)
        topic_reader_nudge(&stream->reader);
    pthread_mutex_unlock(&web->lock);
}

/* ---- the head of a request: everything that can be refused before its body comes ----
 *
 * A check that fails leaves the status of the refusal in *status and its sentence in `e`. */

/* Everything else is a file of the page. */
static bool is_api(const struct web_request *request) {
    return strncmp(request->in.path, "/api/", 5) == 0 || strcmp(request->in.path, "/api") == 0;
}

/* With two Host headers a proxy and this server could choose different ones. */
static enum MHD_Result count_hosts(void *context, enum MHD_ValueKind kind, const char *name,
                                   const char *value) {
    (void)kind;
    (void)value;
    *(int *)context += strcasecmp(name, "Host") == 0;
    return MHD_YES;
}

/* Protects from DNS rebinding: a page from elsewhere whose name was pointed at this machine sends that
 * name as the Host. */
static bool check_host(const struct web_request *request, int *status, struct err *e) {
    int hosts = 0;
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, count_hosts, &hosts);
    const char *host = header_of(request, "Host");
    *status = hosts > 1 ? 400 : 403;
    if (hosts > 1)
        return err_set(e, "there is more than one Host header");
    return web_guard_schemes(&request->web->guard, host) != 0 ||
           err_set(e,
                   "'%.100s' is none of the names this server goes by; start it with --host %.100s if it "
                   "should be",
                   host != NULL ? host : "", host != NULL ? host : "NAME");
}

/* Browsers send the origin of the page that makes a request. */
static bool check_origin(const struct web_request *request, int *status, struct err *e) {
    const char *origin = header_of(request, "Origin");
    const char *site = header_of(request, "Sec-Fetch-Site");
    *status = 403;
    if (origin != NULL && !web_guard_origin(&request->web->guard, origin, header_of(request, "Host")))
        return err_set(e,
                       "a page from '%.100s' may not use this server; start it with --origin %.100s if that "
                       "is its own page, behind a proxy",
                       origin, origin);
    return site == NULL || !is_api(request) || strcmp(site, "same-origin") == 0 ||
           strcmp(site, "none") == 0 || err_set(e, "a page from elsewhere may not use this server");
}

/* Files are only read. HEAD is for files only: handlers of the API do not know it. */
static bool check_method(const char *name, struct web_request *request, int *status, struct err *e) {
    const bool api = is_api(request);
    int method = MESSAGE_GET;
    *status = 405;
    request->is_head = !api && strcmp(name, "HEAD") == 0;
    while (api && method < MESSAGE_METHODS - 1 && strcmp(message_method_names[method], name) != 0)
        method++;
    request->in.method = (enum message_method)method;
    return request->is_head || strcmp(message_method_names[method], name) == 0 ||
           err_set(e, "expected %s", api ? "GET, POST, PUT or DELETE" : "GET or HEAD");
}

/* Did the request come to us through a proxy that speaks TLS with the browser? The proxy's header matters
 * only for a name that is reachable with both schemes, and only selects the cookie. */
static bool is_secure(const struct web_request *request) {
    const unsigned allowed = web_guard_schemes(&request->web->guard, header_of(request, "Host"));
    const char *scheme = header_of(request, "X-Forwarded-Proto");
    return (allowed & WEB_GUARD_HTTPS) != 0 &&
           ((allowed & WEB_GUARD_HTTP) == 0 || (scheme != NULL && strcasecmp(scheme, "https") == 0));
}

/* The token in a header, the cookie or the address of the page. */
static bool check_token(const struct web_request *request, int *status, struct err *e) {
    const struct web *web = request->web;
    static const char bearer[] = "Bearer ";
    const char *header = header_of(request, "Authorization");
    const char *cookie = MHD_lookup_connection_value(request->connection, MHD_COOKIE_KIND,
                                                     is_secure(request) ? web->secure_cookie : web->cookie);
    const char *address = strcmp(request->in.path, "/") == 0 ? message_query(&request->in, "token") : NULL;
    const bool has_bearer = header != NULL && strncasecmp(header, bearer, sizeof bearer - 1) == 0;
    *status = 401;
    return web_guard_token(web->setup.token, has_bearer ? header + sizeof bearer - 1 : NULL) ||
           web_guard_token(web->setup.token, cookie) || web_guard_token(web->setup.token, address) ||
           err_set(e, "a token is needed: open the address with ?token= that 'senjutsu serve' has printed, "
                      "or send 'Authorization: Bearer TOKEN'");
}

/* A request whose length two readers could read differently (request smuggling) is refused, and so are
 * types that a form of a foreign page could send without asking the browser for permission. */
static bool check_body(const struct web_request *request, int *status, struct err *e) {
    const char *length = header_of(request, "Content-Length");
    const char *type = header_of(request, "Content-Type");
    const char *encoding = header_of(request, "Transfer-Encoding");
    const bool has_body = encoding != NULL || (length != NULL && strcmp(length, "0") != 0);
    static const char json[] = "application/json";
    const size_t json_size = sizeof json - 1;
    unsigned long long size = 0;
    *status = 400;
    if (encoding != NULL && (length != NULL || strcasecmp(encoding, "chunked") != 0))
        return err_set(e, "where the body ends is not clear: expected a Content-Length, or "
                          "'Transfer-Encoding: chunked' alone");
    *status = 413;
    /* Most programs send the complete body before they read the answer: a body that is only a little too
     * large is read, so that they see the refusal. A client that waits for permission (Expect) is answered
     * at once. */
    if (length != NULL && (!text_to_u64(length, &size) || size > BODY_PATIENCE ||
                           (size > MESSAGE_BODY_MAX && header_of(request, "Expect") != NULL)))
        return err_set(e, "a body of more than %d bytes is not taken", MESSAGE_BODY_MAX);
    *status = 415;
    const bool is_json = type != NULL && strncasecmp(type, json, json_size) == 0 &&
                         strchr("; \t", type[json_size]) != NULL; /* or its NUL */
    return ((is_json || (type == NULL && !has_body)) && header_of(request, "Content-Encoding") == NULL) ||
           err_set(e, "expected a body with 'Content-Type: application/json', not packed");
}

/* ---- responses ----
 *
 * The headers of every answer allow browsers no code but ours, no requests elsewhere, and no other page to
 * look in. A response is NULL when memory ran out; then the connection is closed. */

static const char page_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* A file from the API (a plot, a report) may be opened on its own: it may have styles, but no scripts except
 * the one that this program puts into reports. */
static const char api_policy[] = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; "
                                 "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* A NULL response is passed on: send_response closes the connection for it. */
static void add(struct MHD_Response *response, const char *name, const char *value) {
    if (response != NULL)
        MHD_add_response_header(response, name, value);
}

/* Takes ownership of the response. */
static enum MHD_Result send_response(const struct web_request *request, struct MHD_Response *response,
                                     int status, const char *policy) {
    if (response == NULL)
        return MHD_NO;
    add(response, "X-Content-Type-Options", "nosniff");
    add(response, "Referrer-Policy", "no-referrer");
    add(response, "Cross-Origin-Resource-Policy", "same-origin");
    add(response, "Cross-Origin-Opener-Policy", "same-origin");
    add(response, "Content-Security-Policy", policy);
    const enum MHD_Result queued = MHD_queue_response(request->connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return queued;
}

static struct MHD_Response *from_constant(const void *bytes, size_t size) {
    return MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT);
}

/* The text is the response's then. */
static struct MHD_Response *from_text(struct text *text) {
    if (text->size == 0)
        return from_constant("", 0);
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback(text->size, text->data, mem_free);
    if (response != NULL)
        *text = (struct text){0};
    return response;
}

/* The answer as a response. A file name may contain what a user has typed. */
static enum MHD_Result answer_message(const struct web_request *request, struct message_out *out) {
    const bool is_stream = out->stream != NULL;
    struct MHD_Response *response = is_stream ? open_stream(request, out->stream) : from_text(&out->body);
    const char *type = is_stream ? "text/event-stream" : out->type != NULL ? out->type : "application/json";
    const int status = out->status;
    add(response, "Cache-Control", "no-store");
    if (is_stream)
        add(response, "X-Accel-Buffering", "no"); /* nginx passes events on as they come */
    if (status != 204)
        add(response, "Content-Type", type);
    if (out->allowed != 0) {
        char list[40] = "";
        for (int i = 0; i < MESSAGE_METHODS; i++)
            if ((out->allowed >> i & 1) != 0)
                snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", list[0] != '\0' ? ", " : "",
                         message_method_names[i]);
        if (!is_api(request))
            snprintf(list + strlen(list), sizeof list - strlen(list), ", HEAD");
        add(response, "Allow", list);
    }
    if (status == 401)
        add(response, "WWW-Authenticate", "Bearer");
    if (out->file_name[0] != '\0') {
        char value[sizeof out->file_name + 32];
        snprintf(value, sizeof value, "attachment; filename=\"%s\"", out->file_name);
        for (char *c = strchr(value, '"') + 1; c[1] != '\0'; c++) /* safe in headers and file systems */
            if (strchr("\"\\/;%", *c) != NULL || *c < ' ' || *c > '~')
                *c = '_';
        add(response, "Content-Disposition", value);
    }
    char policy[512];
    const bool has_script = page_bundle.hash != NULL && strncmp(type, "text/html", 9) == 0;
    snprintf(policy, sizeof policy, "%s%s%s%s", api_policy, has_script ? "; script-src '" : "",
             has_script ? page_bundle.hash : "", has_script ? "'" : "");
    message_done(out);
    return send_response(request, response, status, policy);
}

/* The API answers in JSON, the page's files in plain text. */
static enum MHD_Result refuse(const struct web_request *request, int status, const char *sentence) {
    assert(status >= 400);
    assert(status < 600);
    struct message_out out = {.status = status, .type = "text/plain; charset=utf-8"};
    if (is_api(request))
        message_fail(&out, status, NULL, "%s", sentence);
    else
        text_add(&out.body, "%s\n", sentence);
    if (status == 405)
        out.allowed = is_api(request) ? (1U << MESSAGE_METHODS) - 1 : 1U << MESSAGE_GET;
    return answer_message(request, &out);
}

/* ---- the API ---- */

/* The handler gets decoded strings that live in the connection's memory until the answer is sent. */
static enum MHD_Result ask_handler(struct web_request *request) {
    const struct web *web = request->web;
    /* "7", or "RUN-7" if the server has a run id: numbers of another run are ignored. */
    const char *last = header_of(request, "Last-Event-ID"), *run = web->setup.run;
    const size_t run_size = run != NULL ? strlen(run) + 1 : 0;
    unsigned long long number = 0;
    if (last != NULL &&
        (run == NULL || (strncmp(last, run, run_size - 1) == 0 && last[run_size - 1] == '-')) &&
        !text_to_u64(last + run_size, &number))
        number = 0;
    struct message_out out = {0};
    request->in.body = request->body.size > 0 ? request->body.data : NULL;
    request->in.body_size = request->body.size;
    request->in.last_event = number;
    web->setup.handle(web->setup.context, &request->in, &out);
    if (out.status < 200 || out.status > 599)
        message_fail(&out, 500, NULL, "no answer was made");
    return answer_message(request, &out);
}

/* ---- files of the page ----
 *
 * Those in the program, or those of a folder, for work on the page. The path was checked before
 * (web_target_read); in a folder it is opened segment by segment, and symbolic links are not followed. */

/* For folders; files of the program carry their type. Without a known ending browsers save the file. */
static const char *type_of(const char *path) {
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".webmanifest", "application/manifest+json"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].ending, ending) == 0)
            return types[i].type;
    return "application/octet-stream";
}

/* The descriptor of a file below the folder, or -1. */
static int open_below(int folder, const char *path) {
    int at = dup(folder);
    while (at >= 0) {
        char segment[MESSAGE_PATH_MAX];
        const size_t size = strcspn(++path, "/");
        const bool is_last = path[size] == '\0';
        snprintf(segment, sizeof segment, "%.*s", (int)size, path);
        const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (is_last ? O_NONBLOCK : O_DIRECTORY);
        const int next = segment[0] == '.' ? -1 : openat(at, segment, flags);
        close(at);
        at = next;
        if (is_last)
            break;
        path += size;
    }
    return at;
}

/* Files are read for every request, so a reload shows the last change. NULL: there is no such file. */
static char *read_below(int folder, const char *path, size_t *size) {
    struct stat info;
    char *bytes = NULL;
    const int fd = open_below(folder, path);
    FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (file != NULL && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= WEB_FILE_MAX) {
        *size = (size_t)info.st_size;
        bytes = mem_try_alloc(*size + 1);
    }
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
        mem_free(bytes);
        bytes = NULL;
    }
    if (file != NULL)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    return bytes;
}

/* A browser that has the file already gets 304 without a body. A folder's file has a hash as its tag. */
static enum MHD_Result answer_file(const struct web_request *request) {
    const struct web *web = request->web;
    const char *below = web->setup.below != NULL ? web->setup.below : "";
    const size_t below_size = strlen(below);
    char index[MESSAGE_PATH_MAX];
    snprintf(index, sizeof index, "%s/index.html", below);
    const char *path = strcmp(request->in.path, "/") == 0 ? index : request->in.path;
    struct web_file file = {.type = type_of(path)};
    char *owned = NULL, hash[24], tag[64];
    if (strncmp(path, below, below_size) != 0 || path[below_size] != '/')
        return refuse(request, 404, "There is no such page here");
    if (web->folder >= 0) {
        owned = read_below(web->folder, path, &file.size);
        file.bytes = (const unsigned char *)owned;
        file.tag = hash;
    } else {
        const struct web_file *at = web->setup.files;
        while (at->path != NULL && strcmp(at->path, path) != 0)
            at++;
        file = *at;
    }
    if (file.bytes == NULL)
        return refuse(request, 404, "There is no such page here; the workbench is at /");
    if (owned != NULL)
        snprintf(hash, sizeof hash, "\"%016llx\"",
                 (unsigned long long)hash_bytes(HASH_START, owned, file.size));
    const bool is_packed = file.packed != NULL && web_accepts(header_of(request, "Accept-Encoding"), "gzip");
    /* A compressed file needs a tag of its own, so that caches do not mix them up. */
    snprintf(tag, sizeof tag, "%.*s%s\"", (int)strlen(file.tag) - 1, file.tag, is_packed ? "-gz" : "");
    const char *known = header_of(request, "If-None-Match");
    const bool is_known = known != NULL && (strcmp(known, "*") == 0 || strstr(known, tag) != NULL);
    struct MHD_Response *response;
    if (is_known)
        response = from_constant("", 0);
    else if (owned != NULL)
        response = MHD_create_response_from_buffer_with_free_callback(file.size, owned, mem_free);
    else
        response =
            is_packed ? from_constant(file.packed, file.packed_size) : from_constant(file.bytes, file.size);
    if (is_known)
        mem_free(owned);
    add(response, "ETag", tag);
    add(response, "Cache-Control", file.is_immutable ? "private, max-age=31536000, immutable" : "no-cache");
    if (file.packed != NULL)
        add(response, "Vary", "Accept-Encoding");
    if (!is_known)
        add(response, "Content-Type", file.type);
    if (is_packed && !is_known)
        add(response, "Content-Encoding", "gzip");
    return send_response(request, response, is_known ? 304 : 200, page_policy);
}

/* The right token came in the address: from now on it comes in a cookie. The page forwards by itself, not by
 * a status: after a redirection that began on another site, browsers do not send a SameSite=Strict cookie. */
static enum MHD_Result answer_welcome(const struct web_request *request) {
    const struct web *web = request->web;
    static const char page[] = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                               "<meta http-equiv=\"refresh\" content=\"0;url=/\">\n<title>senjutsu</title>\n"
                               "<p><a href=\"/\">senjutsu</a></p>\n</html>\n";
    char cookie[COOKIE_MAX + WEB_TOKEN_MAX + 64];
    struct MHD_Response *response = from_constant(page, sizeof page - 1);
    const bool secure = is_secure(request);
    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict%s",
             secure ? web->secure_cookie : web->cookie, web->setup.token, secure ? "; Secure" : "");
    add(response, "Set-Cookie", cookie);
    add(response, "Cache-Control", "no-store");
    add(response, "Content-Type", "text/html; charset=utf-8");
    return send_response(request, response, 200, page_policy);
}

/* ---- one request ---- */

/* `bodies` counts what all connections hold, so a crowd of large requests cannot use up the memory. */
static void drop_body(struct web *web, struct web_request *request) {
    assert(web->bodies >= request->body.size);
    web->bodies -= request->body.size;
    text_done(&request->body);
}

/* Requests belong to their connection: libmicrohttpd reports the beginning of a request with too large a
 * head, but not always its end. */
static void change_connection(void *context, struct MHD_Connection *connection, void **slot,
                              enum MHD_ConnectionNotificationCode what) {
    struct web *web = context;
    struct web_connection *c = *slot;
    if (what != MHD_CONNECTION_NOTIFY_STARTED) {
        pthread_mutex_lock(&web->watch_lock);
        LIST_REMOVE(web->connections, c, next);
        web->connection_count--;
        assert(web->connection_count >= 0);
        pthread_mutex_unlock(&web->watch_lock);
        drop_body(web, &c->request);
        mem_free(c);
        *slot = NULL;
        return;
    }
    const union MHD_ConnectionInfo *socket =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *peer =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    assert(socket != NULL);
    assert(peer != NULL);
    *slot = c = mem_alloc(sizeof *c);
    c->fd = socket->connect_fd;
    link_read_peer(peer->client_addr, &c->peer);
    pthread_mutex_lock(&web->watch_lock);
    c->phase = WEB_FRESH;
    c->since = web->ticks;
    c->next = web->connections;
    web->connections = c;
    web->connection_count++;
    int fresh = 0;
    for (const struct web_connection *other = c; other != NULL; other = other->next)
        fresh += other->phase == WEB_FRESH && strcmp(other->peer.address, c->peer.address) == 0;
    const int most = web->setup.limits.connections / FRESH_SHARE;
    if (fresh > (most > FRESH_MIN ? most : FRESH_MIN))
        shutdown(c->fd, SHUT_RDWR);
    pthread_mutex_unlock(&web->watch_lock);
}

/* The earliest moment: the first line has come, headers and body have not. */
static void *begin_request(void *context, const char *raw, struct MHD_Connection *connection) {
    struct web_connection *c = connection_of(connection);
    if (c == NULL)
        return NULL;
    struct web_request *request = &c->request;
    drop_body(context, request);
    *request = (struct web_request){.web = context, .connection = connection};
    web_target_read(raw, &request->target, &request->in, &request->wrong);
    /* Parameters and long addresses may use up libmicrohttpd's memory: then it neither answers nor closes
     * (0.9.75). All earlier requests on this connection were answered, so no answer is overtaken. */
    int count = 0;
    for (const char *at = strchr(raw, '?'); at != NULL && count <= PARAMETERS_MANY; count++)
        at = strchr(at + 1, '&');
    if (count > PARAMETERS_MANY)
        err_set(&request->wrong, "more than %d parameters", MESSAGE_QUERY_MAX);
    else if (strlen(raw) > TARGET_LONG)
        err_set(&request->wrong, "the address is longer than %d bytes", TARGET_LONG);
    else
        return request;
    struct message_out out = {0};
    message_fail(&out, 400, NULL, "%s", request->wrong.text);
    hang_up(c->fd, 400, "application/json", text_string(&out.body));
    message_done(&out);
    return request;
}

/* Called also when the connection breaks before the answer was sent. */
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

/* The request is complete and was checked. */
static enum MHD_Result answer(struct web_request *request) {
    const struct web *web = request->web;
    if (request->received > MESSAGE_BODY_MAX)
        return refuse(request, 413, "the body has more bytes than are taken");
    if (request->is_crowded_out)
        return refuse(request, 503, "too many large requests at a time; try again");
    if (atomic_load(&web->closing))
        return refuse(request, 503, "the server is stopping");
    if (is_api(request))
        return ask_handler(request);
    if (web->setup.token[0] != '\0' && strcmp(request->in.path, "/") == 0 &&
        message_query(&request->in, "token") != NULL && !request->is_head)
        return answer_welcome(request);
    return answer_file(request);
}

/* False: the body is so large that the connection is closed without an answer. */
static bool take_body(struct web *web, struct web_request *request, const char *bytes, size_t size) {
    request->received += size;
    request->is_crowded_out = request->is_crowded_out || web->bodies + size > BODIES_MAX;
    if (request->received <= MESSAGE_BODY_MAX && !request->is_crowded_out)
        request->is_crowded_out = !text_reserve(&request->body, size);
    if (request->received <= MESSAGE_BODY_MAX && !request->is_crowded_out) {
        text_add_bytes(&request->body, bytes, size);
        web->bodies += size;
    } else {
        drop_body(web, request);
    }
    return request->received <= BODY_PATIENCE;
}

/* Called for the head, for every piece of the body, and at its end. */
static enum MHD_Result step_request(void *context, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *bytes, size_t *size,
                                    void **slot) {
    struct web *web = context;
    struct web_request *request = *slot;
    (void)url;
    (void)version;
    if (request == NULL)
        return MHD_NO;
    struct web_connection *c = connection_of(connection);
    if (!request->begun) {
        int status = 400;
        struct err *e = &request->wrong;
        const bool ok = e->text[0] == '\0' && check_host(request, &status, e) &&
                        check_origin(request, &status, e) && check_method(method, request, &status, e) &&
                        check_token(request, &status, e) && check_body(request, &status, e);
        request->begun = true;
        watch_phase(web, c, ok ? WEB_BODY : WEB_ANSWER);
        return ok ? MHD_YES : refuse(request, status, e->text);
    }
    if (*size == 0) {
        watch_phase(web, c, WEB_ANSWER); /* streams set their own phase */
        const enum MHD_Result result = answer(request);
        drop_body(web, request); /* the body is not needed while the answer is sent */
        return result;
    }
    const bool goes_on = take_body(web, request, bytes, *size);
    *size = 0;
    return goes_on ? MHD_YES : MHD_NO;
}

/* ---- the server ---- */

/* Comment lines for streams, and the time limits. */
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

/* Opens the listening socket; -1 with a sentence that names the option to change. */
static int open_port(const struct web_setup *setup, struct err *e) {
    const int fd = link_open_port(setup->bind, setup->port, e);
    if (fd >= 0)
        return fd;
    if (errno == EADDRINUSE)
        err_set(e, "port %d on %s is taken by another program; choose another with --port", setup->port,
                setup->bind);
    else if (errno == EACCES)
        err_set(e, "port %d may not be used; choose one above 1023 with --port", setup->port);
    else if (errno == EHOSTUNREACH)
        err_prefix(e, "'%s' is no address to listen on: ", setup->bind);
    else
        err_set(e, "%s, port %d: %s", setup->bind, setup->port, strerror(errno));
    return -1;
}

/* Cookies are named after the port: two servers on one machine must not overwrite each other's. */
static bool start_daemon(struct web *web, struct err *e) {
    const struct web_limits *limits = &web->setup.limits;
    const int fd = open_port(&web->setup, e);
    if (fd < 0)
        return false;
    struct sockaddr_storage name = {0};
    socklen_t size = sizeof name;
    const bool is_v6 = getsockname(fd, (void *)&name, &size) == 0 && name.ss_family == AF_INET6;
    web->port = web->guard.port = link_port_of(fd);
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

/* What the user has given is checked before the port is opened. */
static bool start(struct web *web, struct err *e) {
    const struct web_setup *setup = &web->setup;
    if (!web_guard_init(&web->guard, setup->bind, setup->hosts, e))
        return false;
    for (int i = 0; setup->origins[i] != NULL; i++)
        if (!web_guard_add_origin(&web->guard, setup->origins[i], e))
            return false;
    if (strlen(setup->token) > WEB_TOKEN_MAX)
        return err_set(e, "a token has at most %d characters", WEB_TOKEN_MAX);
    if (setup->folder != NULL) {
        web->folder = open(setup->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (web->folder < 0)
            return err_set(e, "%s: expected the folder of a built page: %s", setup->folder, strerror(errno));
    }
    if (!link_open_pipe(web->stop_pipe))
        return err_set(e, "no pipe can be had: %s", strerror(errno));
    const int cause = pthread_create(&web->ticker, NULL, tick, web);
    web->is_ticking = cause == 0;
    return web->is_ticking ? start_daemon(web, e) : err_set(e, "no thread can be had: %s", strerror(cause));
}

/* web_close also ends what was half opened. */
struct web *web_open(const struct web_setup *setup, struct err *e) {
    assert(setup->handle != NULL);
    assert(setup->bind != NULL);
    assert(setup->files != NULL || setup->folder != NULL);
    assert(setup->port >= 0 && setup->port <= 65535);
    struct web *web = mem_alloc(sizeof *web);
    pthread_mutex_init(&web->lock, NULL);
    pthread_mutex_init(&web->watch_lock, NULL);
    web->setup = *setup;
    web->folder = web->stop_pipe[0] = web->stop_pipe[1] = -1; /* not open yet */
    if (setup->token == NULL)
        web->setup.token = "";
    web_limits_fill(&web->setup.limits);
    if (start(web, e))
        return web;
    web_close(web);
    return NULL;
}

int web_port(const struct web *web) {
    return web->port;
}

/* The ticker ends first: it uses the list of connections. Streams are ended before the daemon stops,
 * because libmicrohttpd does not stop with suspended connections. */
void web_close(struct web *web) {
    if (web == NULL)
        return;
    if (web->is_ticking) {
        while (write(web->stop_pipe[1], "", 1) < 0 && errno == EINTR)
            ;
        pthread_join(web->ticker, NULL);
    }
    pthread_mutex_lock(&web->lock);
    atomic_store(&web->closing, true);
    pthread_mutex_unlock(&web->lock);
    nudge_all(web); /* streams end */
    if (web->daemon != NULL)
        MHD_stop_daemon(web->daemon);
    link_close_pipe(web->stop_pipe);
    if (web->folder >= 0)
        close(web->folder);
    pthread_mutex_destroy(&web->watch_lock);
    pthread_mutex_destroy(&web->lock);
    mem_free(web);
}
