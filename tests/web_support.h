/* SPDX-License-Identifier: MIT
 *
 * A small HTTP client for tests of the web server, which can also misbehave: it sends any bytes. A read that
 * waits for half a minute fails the test.
 */
#ifndef TESTS_WEB_SUPPORT_H
#define TESTS_WEB_SUPPORT_H

#include "base/text.h"
#include "net/message.h"
#include "net/web.h"

struct web_reply {
    int status;
    struct text head, body; /* the body with its chunks put together */
};

struct web_client {
    int fd, port;
    struct text unread;
};

/* This handler answers everything under /api/: see web_support.c for its paths. */
struct web_bench {
    struct topic *topic;
    int asked; /* how often the handler was called */
};
void web_bench_handle(void *context, const struct message_in *in, struct message_out *out);

extern const struct web_file web_test_files[];
struct web *web_test_open(struct web_setup *setup, struct web_bench *bench);

void web_client_open(struct web_client *client, int port);
void web_client_close(struct web_client *client);
void web_client_send(struct web_client *client, const char *bytes, size_t size);

/* "%d" of the port may stand in it. */
void web_client_send_text(struct web_client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One whole answer; of HEAD and 304 there is no body. False when the connection ended before. */
bool web_client_reply(struct web_client *client, bool without_body, struct web_reply *out);
bool web_client_head(struct web_client *client, struct web_reply *out); /* only up to the empty line */

/* Reads on until the text of a stream has this in it; false at its end. Chunks are put together. */
bool web_client_until(struct web_client *client, const char *needle, struct text *stream);

bool web_client_has_ended(struct web_client *client); /* waits for it */

/* Does the head have that line, "Name: value"? */
bool web_reply_has(const struct web_reply *reply, const char *line);
void web_reply_done(struct web_reply *reply);

/* GET of one path on a connection of its own, with further header lines; the status. */
int web_get(int port, const char *path, const char *headers, struct web_reply *out);

/* The status alone of any request line. */
int web_status(int port, const char *request_line, const char *headers, const char *body);

#endif
