/* SPDX-License-Identifier: MIT
 *
 * Requests and answers without sockets, so that a test or a fuzzer can make them; and topics, the streams of
 * events that an answer may be. The network (web.h) has already checked hosts, origins, the token and sizes.
 */
#ifndef NET_MESSAGE_H
#define NET_MESSAGE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
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

/* A stream of events that many readers follow, each at its own pace. Events are kept once, whoever reads
 * them: a reader is a place in the log, so a slow one costs nothing but its connection. Readers begin with
 * the newest snapshot (an event that says everything) and get all events behind it, in order, each once; a
 * reader that has fallen so far behind that events were dropped begins with the newest snapshot again.
 * Written by any thread, read by the network's; locks are inside. */

enum { TOPIC_NAME_MAX = 24, TOPIC_HEAD_MAX = 64, TOPIC_RUN_MAX = 24 };

struct topic;

/* Of all that is kept but the newest snapshot. Beyond them the oldest events are dropped, whoever has not
 * read them yet; the newest one is kept however large it is. Once even the newest snapshot had to go, who
 * begins gets nothing until the next one comes: see topic_wants_base. */
struct topic_limits {
    int events_max;
    size_t bytes_max;
};

/* Counted: who keeps a pointer holds it. NULL when memory ran out. */
struct topic *topic_open(const struct topic_limits *limits);
struct topic *topic_hold(struct topic *topic);
void topic_drop(struct topic *topic); /* NULL is allowed */

/* Adds an event that everybody gets; `data` is one line of JSON. A snapshot makes those before it unnecessary
 * for who begins. False after topic_end, and when memory ran out: then all readers begin again with the next
 * snapshot. */
bool topic_add(struct topic *topic, const char *name, const char *data, bool is_snapshot);

/* For what is soon out of date (progress): takes the place of the last event that was set under this name
 * (and key). Who has read that one gets this one, who has not misses nothing but it. */
bool topic_set(struct topic *topic, const char *name, const char *data);
bool topic_set_keyed(struct topic *topic, const char *name, uint64_t key, const char *data);

/* A snapshot only for those who begin: who follows knows all that is in it already and does not get it. It is
 * wanted when there is no snapshot yet, or so much behind it that it would soon be dropped. */
bool topic_add_base(struct topic *topic, const char *name, const char *data);
bool topic_wants_base(struct topic *topic);

/* Nothing more comes: readers get what there is, then "event: end", then their connections end. */
void topic_end(struct topic *topic);

int topic_readers(struct topic *topic);
size_t topic_bytes(struct topic *topic); /* of the events that are kept */

/* ---- reading ---- */

struct topic_event;

/* Begins zeroed but for what the caller sets. The two functions are called with the topic locked: they must
 * not touch it. `sleep` is called by a read that has nothing, `wake` once after that, by any thread, when
 * there is something. */
struct topic_reader {
    void (*sleep)(void *context), (*wake)(void *context); /* the caller's; may be NULL */
    void *context;
    const char
        *run; /* the caller's; may be NULL. Ids are "RUN-7" then: another server's are told from ours */

    struct topic *topic;         /* held */
    struct topic_event *event;   /* held: what is being read */
    uint64_t next;               /* the event it wants then; 0: begin with the newest snapshot */
    char head[TOPIC_HEAD_MAX];   /* what stands before the event's own bytes */
    size_t head_size, offset;    /* the offset is into both */
    bool waiting, nudged, ended; /* ended: "event: end" was taken */
    struct topic_reader *before, *after;
};

/* `last_seen` is the number of the last event the reader has had (Last-Event-ID); 0: none. */
void topic_reader_start(struct topic_reader *reader, struct topic *topic, uint64_t last_seen);
void topic_reader_done(struct topic_reader *reader);

/* Copies the next bytes of the stream ("id: 7\nevent: step\ndata: {…}\n\n"). Returns how many; 0: nothing at
 * the moment; -1: the end. */
long topic_read(struct topic_reader *reader, char *out, size_t out_size);

/* The next read has something in any case: a comment line when there is nothing else. For whoever keeps
 * connections alive, or ends them. */
void topic_reader_nudge(struct topic_reader *reader);

#endif
