/* SPDX-License-Identifier: MIT
 *
 * HTTP without sockets: as much of HTTP/1.1 and of WebSocket (RFC 6455) as the viewers' port of the Geister
 * server needs, and the checks of a request that the web server (net/web.h) makes, too. The head of a request
 * and frames are read from a buffer, answers are written into a text. Requests have no body (GET and HEAD),
 * and every HTTP answer ends its connection.
 *
 * The viewers' port is not served by net/web.h, because the viewers' connections are part of the Geister
 * server's own loop: they share its thread, its clock, its limits of connections and its time limits.
 * libmicrohttpd limits only the silence of a connection, needs a second thread for total limits, and cannot
 * send the official server's answer to the handshake.
 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "net/message.h"

enum {
    HTTP_HEAD_MAX = 8192, /* bytes of a request's head, its empty line included */
    HTTP_PATH_MAX = 256,  /* of the path, and of the query, with the NUL */
    HTTP_FIELD_MAX = 256, /* bytes of a header's value that is used, with the NUL */
};

enum http_step {
    HTTP_MORE,  /* the head is incomplete: call again with more bytes appended */
    HTTP_READY, /* `out` is filled */
    HTTP_BAD,   /* out->status is the answer (http_write_error) before closing */
};

struct http_request {
    size_t size;               /* bytes of the buffer that were the head */
    int status;                /* of HTTP_BAD: 400, 405, 414, 431 or 505 */
    bool is_head;              /* HEAD: the answer has no body (http_write leaves it out) */
    char path[HTTP_PATH_MAX];  /* as sent, from the '/'; only unreserved characters and '/' are taken */
    char query[HTTP_PATH_MAX]; /* the part after '?', or "" */
    bool has_host;             /* a second Host is refused: two readers could choose different ones */
    char host[HTTP_FIELD_MAX], upgrade[HTTP_FIELD_MAX], connection[HTTP_FIELD_MAX]; /* headers, or "" */
    char websocket_key[HTTP_FIELD_MAX], version[HTTP_FIELD_MAX]; /* version: Sec-WebSocket-Version as sent */
    int websocket_version;                                       /* 0: none */
    bool wants_websocket; /* Upgrade: websocket and Connection: Upgrade */
};

/* Reads the head at the beginning of the bytes received so far. It keeps no state: each call reads the head
 * again, which its limit makes cheap. A wrong line is refused as soon as it is complete, so that a client of
 * another protocol is not waited for. */
enum http_step http_read(const char *bytes, size_t size, struct http_request *out);

/* Copies the value of `name` in the query ("name=value&…"); false when it is missing or does not fit. No
 * %-decoding: the values are numbers and words. */
bool http_query(const struct http_request *request, const char *name, char *out, size_t out_size);

struct http_answer {
    int status;
    const char *type; /* Content-Type */
    const char *body;
    size_t size;
};

/* `request` may be NULL (after HTTP_BAD): only its is_head is used. */
void http_write(const struct http_answer *answer, const struct http_request *request, struct text *out);

/* A plain answer with the status in words. */
void http_write_error(int status, const struct http_request *request, struct text *out);

/* ---- WebSocket ----
 *
 * The server's side: the answer to the handshake, frames to send, and a reader of a client's frames. Nothing
 * blocks or stores bytes: the caller owns both buffers.
 *
 *     http_read              the request; if it wants_websocket on our path:
 *     websocket_handshake    101 (frames follow) or an error (send it, then close)
 *     websocket_write_text   for each update
 *     websocket_read         for the client's bytes, until it returns WEBSOCKET_CLOSED
 */

/* Payload of one frame of a client, and of a message in fragments. A frame has up to 14 bytes more. */
enum { WEBSOCKET_FRAME_MAX = 1024 };

enum websocket_code { /* of closing */
                      WEBSOCKET_CODE_PROTOCOL = 1002,
                      WEBSOCKET_CODE_NONE = 1005, /* the client's close frame had no code; never sent */
                      WEBSOCKET_CODE_TOO_BIG = 1009,
};

/* Appends the answer to `out`; a successful one has the official server's bytes. Returns its status: 101, or
 * 400 (no key, no Host), 405 (HEAD), 426 (not WebSocket 13). The Origin is ignored, like by the official
 * server: any client that reaches the port may watch. */
int websocket_handshake(const struct http_request *request, struct text *out);

/* Append one frame, unmasked and in one piece, as servers send them (section 5.1). */
void websocket_write_text(const char *bytes, size_t size, struct text *out);
void websocket_write_close(enum websocket_code code, struct text *out);

/* One for each connection; starts as zeros. */
struct websocket_reader {
    bool in_message;     /* fragments are still to come */
    size_t message_size; /* so far */
};

enum websocket_step {
    WEBSOCKET_MORE,   /* no complete frame yet; nothing was taken */
    WEBSOCKET_TAKEN,  /* one frame of `*taken` bytes; call again for the next one */
    WEBSOCKET_CLOSED, /* send `answer` and close: the client closed or broke the protocol */
};

/* Takes one frame from the front of the buffer (and may unmask it in place). Appends the required answer
 * (pong, close) to `answer`. Data frames of clients are ignored. */
enum websocket_step websocket_read(struct websocket_reader *reader, char *bytes, size_t size, size_t *taken,
                                   struct text *answer);

/* ---- checks of a request ----
 *
 * A page from elsewhere can make a browser send requests here, but it cannot forge the Host and Origin
 * headers. struct web_guard holds the names of this server. struct web_target is the address of a request,
 * "/api/tables/k3?key=ab%2Cd", as path and parameters; addresses that two readers could read differently are
 * refused. */

enum { WEB_GUARD_NAMES_MAX = 40, WEB_GUARD_NAME_MAX = 260, WEB_GUARD_ORIGINS_MAX = 8 };

/* Schemes of our pages. This server speaks HTTP; HTTPS is added by a proxy in front of it. */
enum { WEB_GUARD_HTTP = 1, WEB_GUARD_HTTPS = 2 };

struct web_guard_name {
    char text[WEB_GUARD_NAME_MAX]; /* "localhost", "[::1]", "example.org:9000" */
    unsigned schemes;
    bool exact; /* with our port appended it is a different name */
};

struct web_guard {
    int port;
    bool any_address; /* listens on all addresses: any numeric Host is accepted */
    int name_count, origin_count;
    struct web_guard_name names[WEB_GUARD_NAMES_MAX];
    char origins[WEB_GUARD_ORIGINS_MAX][WEB_GUARD_NAME_MAX + 8]; /* "https://example.org" */
};

/* The names of a server that listens on `bind`; `hosts` are further ones, ended by NULL. A name may have a
 * port, for forwarded connections. A proxy may serve such a name with TLS. */
bool web_guard_init(struct web_guard *guard, const char *bind, const char *const *hosts, struct err *e);

/* Adds an origin of our page: "https://example.org:8443". Its name is accepted only with that scheme and
 * port. */
bool web_guard_add_origin(struct web_guard *guard, const char *origin, struct err *e);

/* The Host header: which schemes may lead there? 0: it is none of our names, with our port or none. */
unsigned web_guard_schemes(const struct web_guard *guard, const char *host);

/* The Origin header of a request with that Host: the host itself, or a place that was added. */
bool web_guard_origin(const struct web_guard *guard, const char *origin, const char *host);

/* Is `given` (NULL: nothing was given) the token? With "" as the token everything is. It takes the same time
 * wherever the two differ, so that a client cannot guess the token one character after the other. */
bool web_guard_token(const char *token, const char *given);

/* Is the address reachable only from this machine? */
bool web_guard_is_loopback(const char *bind);

/* The storage of a message's path and parameters. */
struct web_target {
    char path[MESSAGE_PATH_MAX];
    char names[MESSAGE_QUERY_MAX][MESSAGE_VALUE_MAX], values[MESSAGE_QUERY_MAX][MESSAGE_VALUE_MAX];
};

/* Reads the address of a request (its first line without method and version) into `in`, whose path and
 * parameters point into `out`. False, with a sentence, for a path that does not begin with '/', has a segment
 * "." or "..", an empty one, a backslash, an escape that is none, control characters or bytes that are not
 * UTF-8, or is too long; likewise for parameters, of which none may come twice. */
bool web_target_read(const char *raw, struct web_target *out, struct message_in *in, struct err *e);

/* Does a header (NULL: not there) with words between commas have this one, and not with ";q=0"? */
bool web_accepts(const char *list, const char *word);

#endif
