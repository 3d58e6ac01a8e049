/* SPDX-License-Identifier: MIT
 *
 * The HTTP server of the workbench, on GNU libmicrohttpd: one thread for all connections, answers that never
 * block, streams that sleep until there is an event. It contains no game code. It refuses by itself:
 *
 *   - paths that climb or are ambiguous: 400
 *   - a Host that is not one of this server's names, an Origin that is neither that host nor a configured one
 * (a page from elsewhere, DNS rebinding): 403
 *   - with a token, requests without it (Authorization: Bearer, or the cookie that /?token= sets): 401
 *   - bodies above MESSAGE_BODY_MAX: 413; bodies that are not application/json: 415; unknown methods: 405
 *   - too many connections in all or from one address; connections that neither send nor read
 *   - requests whose head or body takes too long to arrive: 408
 */
#ifndef NET_WEB_H
#define NET_WEB_H

#include "net/message.h"

enum {
    WEB_HOSTS_MAX = 16,
    WEB_ORIGINS_MAX = 8,
    WEB_TOKEN_MAX = 128,
    WEB_CONNECTIONS_MAX = 1024,
    WEB_FILE_MAX = 16 << 20, /* bytes of a file of the page */
};

/* One file of the page. */
struct web_file {
    const char *path, *type; /* "/index.html", "text/html; charset=utf-8" */
    const unsigned char *bytes;
    size_t size;
    const unsigned char *packed; /* gzip; NULL: there is none */
    size_t packed_size;
    const char *tag;   /* ETag, in its quotation marks: changes with the content */
    bool is_immutable; /* its name changes with its content */
};

/* 0: as it comes. */
struct web_limits {
    int connections; /* in all: WEB_CONNECTIONS_MAX */
    int per_address; /* three quarters of them: a lecture hall may share one address */
    int silence_s;   /* a connection that neither sends nor reads for so long is closed: 30 */
    int head_ms;     /* for the complete head of a request: 20000; an eighth of it when nearly full */
    int body_ms;     /* for its complete body: 120000 */
    int pulse_ms;    /* between comment lines on silent streams: 15000 */
};

/* Everything it points to must stay valid until web_close. */
struct web_setup {
    const char *bind;                         /* an address */
    int port;                                 /* 0: any that is free */
    const char *token;                        /* NULL or "": none is needed */
    const char *run;                          /* unique prefix of this run's event ids; NULL: none */
    const char *hosts[WEB_HOSTS_MAX];         /* further names it may be called by, ended by NULL */
    const char *origins[WEB_ORIGINS_MAX + 1]; /* where else the page is, through a proxy; ended by NULL */
    const struct web_file *files;             /* ended by a NULL path */
    const char
        *below; /* "/study": "/" is "/study/index.html", and only files there are sent; NULL: all are */
    const char *folder; /* for work on the page: files are read from there; NULL: from `files` */
    struct web_limits limits;
    /* Answers everything under /api/. Called on the network's thread: must not wait for anything. */
    void (*handle)(void *context, const struct message_in *in, struct message_out *out);
    void *context;
};

struct web;

struct web *web_open(const struct web_setup *setup, struct err *e);
int web_port(const struct web *web);

/* Streams and connections end; nothing is handled any more when it returns. NULL is allowed. */
void web_close(struct web *web);

/* The page that is part of the program: made of web/ by tools/build-page, or of src/net/no_page where that
 * was not possible. */

extern const struct web_file web_page[]; /* ended by a NULL path */

#endif
