/* SPDX-License-Identifier: MIT
 *
 * Private to the web server: types and functions shared by web.c, web_request.c and web_answer.c.
 *
 * Locks are taken in this order: the server's own (its streams), a topic's, then libmicrohttpd's. The lock of
 * the connections is held only briefly, and no other lock is taken under it.
 */
#ifndef NET_WEB_PRIVATE_H
#define NET_WEB_PRIVATE_H

#include "net/message.h"
#include "net/web.h"
#include "net/web_request.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    WEB_COOKIE_MAX = 32,
    WEB_PATIENCE = 4 * MESSAGE_BODY_MAX, /* bytes of a body that is refused anyway, before we hang up */
};

struct web_stream;

struct web {
    struct web_setup setup; /* with all limits filled in */
    struct web_guard guard;
    /* Names of the cookies. Browsers store cookies for a host, regardless of the port. A name with __Host-
     * is accepted only in an encrypted answer of this host. */
    char cookie[WEB_COOKIE_MAX], secure_cookie[WEB_COOKIE_MAX];
    int port, folder; /* a descriptor, or -1 */
    struct MHD_Daemon *daemon;
    size_t bodies; /* bytes of those that are being received; the network thread's own */

    pthread_mutex_t lock;
    struct web_stream *streams;
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
    struct web_target target;
    bool is_wrong; /* the target is invalid; `wrong` is the reason */
    struct err wrong;
    bool begun, is_head, is_crowded_out; /* crowded out: the bodies of others have filled the memory */
    enum message_method method;
    struct text body;
    size_t received; /* bytes of the body, including discarded ones */
};

/* What a connection is doing; each phase has its own time limit (web.c). */
enum web_phase {
    WEB_FRESH,  /* its first request's head has not come yet */
    WEB_IDLE,   /* between requests: the next one's head may be on its way */
    WEB_BODY,   /* a body is being received */
    WEB_ANSWER, /* an answer is being sent */
    WEB_STREAM, /* one that takes as long as it takes */
};

struct web_connection {
    struct web_request request;
    struct web_connection *before, *after;
    int fd; /* owned by libmicrohttpd */
    char address[64];
    enum web_phase phase;
    uint64_t since; /* the tick it began at */
};

/* ---- web_request.c ---- */

bool web_is_api(const struct web_request *request);

/* Checks the head of a request: 0, or the status of a refusal with its sentence in `e`. */
int web_check(const struct web *web, struct MHD_Connection *connection, const char *method,
              struct web_request *request, struct err *e);

/* Did the request come to us through a proxy that speaks TLS with the browser? */
bool web_is_secure(const struct web *web, struct MHD_Connection *connection);

const char *web_header(struct MHD_Connection *connection, const char *name); /* NULL: not there */

/* Does a header with words between commas have this one, and not with ";q=0"? */
bool web_accepts(const char *list, const char *word);

/* ---- web_answer.c: each queues an answer ---- */

enum MHD_Result web_refuse(struct MHD_Connection *connection, const struct web_request *request, int status,
                           const char *sentence);
enum MHD_Result web_answer_message(struct web *web, struct MHD_Connection *connection,
                                   const struct message_in *in, struct message_out *out);
enum MHD_Result web_answer_file(const struct web *web, struct MHD_Connection *connection,
                                const struct web_request *request);
/* An answer before libmicrohttpd takes any, a 400, and the end of the connection. */
void web_turn_away(struct MHD_Connection *connection, const struct err *why);
/* The right token came in the address: from now on it comes in a cookie. */
enum MHD_Result web_answer_welcome(const struct web *web, struct MHD_Connection *connection);

/* ---- web.c ---- */

/* Replaces limits that are 0 by their defaults. */
void web_limits_fill(struct web_limits *limits);

/* Milliseconds between two looks at the connections. */
int web_tick_ms(const struct web_limits *limits);

/* The time limit of a phase in milliseconds; 0: none. While the server is nearly full, idle connections get
 * less time. */
int64_t web_phase_ms(const struct web_limits *limits, enum web_phase phase, int connection_count);

/* A response that follows the topic; NULL when memory ran out or the server is closing. */
struct MHD_Response *web_stream_open(struct web *web, struct MHD_Connection *connection, struct topic *topic,
                                     uint64_t last_seen);

#endif
