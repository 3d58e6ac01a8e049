/* SPDX-License-Identifier: MIT
 *
 * The HTTP server of the workbench, on GNU libmicrohttpd: one thread for all connections, answers that never
 * block, streams that sleep until there is something to say. It knows no game. What it refuses by itself:
 *
 *   - a Host that is not one of ours, an Origin that is not that host (a page from elsewhere, DNS rebinding):
 * 403
 *   - with a token, whoever does not bring it (Authorization: Bearer, or the cookie that /?token= sets): 401
 *   - bodies above MESSAGE_BODY_MAX: 413; bodies that are not application/json: 415; unknown methods: 405
 *   - too many connections in all or from one address; readers that do not read
 */
#ifndef NET_WEB_H
#define NET_WEB_H

#include "base/err.h"
#include "net/message.h"

enum { WEB_HOSTS_MAX = 16, WEB_TOKEN_MAX = 128, WEB_CONNECTIONS_MAX = 512 };

/* One file of the page. */
struct web_file {
    const char *path, *type; /* "/index.html", "text/html; charset=utf-8" */
    const unsigned char *bytes;
    size_t size;
    const unsigned char *packed; /* gzip; NULL: there is none */
    size_t packed_size;
    const char *tag;   /* ETag */
    bool is_immutable; /* its name changes with its content */
};

struct web_setup {
    const char *bind;                 /* an address */
    int port;                         /* 0: any that is free */
    const char *token;                /* NULL or "": none is needed */
    const char *hosts[WEB_HOSTS_MAX]; /* further names it may be called by, ended by NULL */
    const struct web_file
        *files;         /* ended by a NULL path; what is not found is answered by /index.html only for "/" */
    const char *folder; /* for who works on the page: files come from there; NULL: from `files` */
    /* Answers everything under /api/. Called on the network's thread: must not wait for anything. */
    void (*handle)(void *context, const struct message_in *in, struct message_out *out);
    void *context;
};

struct web;

struct web *web_open(const struct web_setup *setup, struct err *e);
int web_port(const struct web *web);

/* Streams and connections end; nothing is handled any more when it returns. */
void web_close(struct web *web);

#endif
