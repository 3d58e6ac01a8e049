/* SPDX-License-Identifier: MIT
 *
 * A request and its answer, as whoever decides what to answer sees them: without sockets, so that a test and
 * a fuzzer can make them. The network (web.h) has already checked hosts, origins, the token and the size.
 */
#ifndef NET_MESSAGE_H
#define NET_MESSAGE_H

#include "base/text.h"

#include <stdint.h>

struct topic;

enum message_method { MESSAGE_GET, MESSAGE_POST, MESSAGE_PUT, MESSAGE_DELETE, MESSAGE_METHODS };

enum {
    MESSAGE_PATH_MAX = 512,
    MESSAGE_BODY_MAX = 4 << 20,
    MESSAGE_QUERY_MAX = 8, /* parameters */
    MESSAGE_VALUE_MAX = 512,
};

struct message_query {
    const char *name, *value; /* decoded */
};

struct message_in {
    enum message_method method;
    const char *path; /* decoded, from the '/', without the query; no NUL inside */
    int query_count;
    struct message_query query[MESSAGE_QUERY_MAX];
    const char *body; /* not NUL-terminated; NULL without one */
    size_t body_size;
    uint64_t last_event; /* Last-Event-ID; 0: none */
};

/* Begins zeroed; who sends it is done with it. */
struct message_out {
    int status;           /* 200 … */
    const char *type;     /* Content-Type; NULL: application/json */
    struct text body;     /* nothing with 204 */
    struct topic *stream; /* in place of a body: server-sent events; held, the sender drops it */
    char file_name[128];  /* not "": the browser saves it under that name */
    unsigned allowed;     /* with 405: the methods there are, 1 << MESSAGE_GET … */
};

const char *message_query(const struct message_in *in, const char *name); /* NULL: not there */

/* {"error": "sentence"} with that status; `field` may be NULL. */
void message_fail(struct message_out *out, int status, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes the value as JSON and drops it; NULL (memory ran out) becomes a 500. */
struct json_t;
void message_json(struct message_out *out, int status, struct json_t *value);

void message_done(struct message_out *out);

#endif
