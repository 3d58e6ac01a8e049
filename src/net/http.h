/* SPDX-License-Identifier: MIT
 *
 * As much of HTTP/1.1 as a small server needs, without sockets: the head of a request is read from a buffer,
 * an answer is written into a text. Requests have no body (GET and HEAD), every answer ends its connection.
 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "base/text.h"

enum {
    HTTP_HEAD_MAX = 8192, /* bytes of a request's head, its empty line included */
    HTTP_PATH_MAX = 256,  /* of the path, and of the query, with the NUL */
    HTTP_FIELD_MAX = 256, /* of a header's value that we look at, with the NUL */
};

enum http_step {
    HTTP_MORE,  /* the head is not complete yet: call again with more bytes behind these */
    HTTP_READY, /* `out` is filled */
    HTTP_BAD,   /* out->status is what to answer (http_write_error) before closing */
};

struct http_request {
    size_t size;               /* bytes of the buffer that were the head */
    int status;                /* of HTTP_BAD: 400, 405, 414, 431 or 505 */
    bool is_head;              /* HEAD: the answer has no body (http_write knows) */
    char path[HTTP_PATH_MAX];  /* as sent, from the '/'; only unreserved characters and '/' are taken */
    char query[HTTP_PATH_MAX]; /* what followed '?', or "" */
    char host[HTTP_FIELD_MAX]; /* "" when there was none */
    char websocket_key[HTTP_FIELD_MAX];
    int websocket_version; /* 0: none */
    bool wants_websocket;  /* Upgrade: websocket and Connection: Upgrade */
};

enum http_step http_read(const char *bytes, size_t size, struct http_request *out);

/* Is this the whole value of `name` in the query ("name=value&…")? Copies it; false when it is not there or
 * does not fit. No %-decoding: the values here are numbers and words. */
bool http_query(const struct http_request *request, const char *name, char *out, size_t out_size);

struct http_answer {
    int status;
    const char *type; /* Content-Type */
    const char *body;
    size_t size;
};

/* `request` may be NULL (after HTTP_BAD): only its is_head is looked at. */
void http_write(const struct http_answer *answer, const struct http_request *request, struct text *out);

/* A plain answer that says the status in words. */
void http_write_error(int status, const struct http_request *request, struct text *out);

#endif
