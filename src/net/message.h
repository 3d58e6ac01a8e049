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
extern const char *const message_method_names[MESSAGE_METHODS]; /* "GET" … */

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

/* Begins zeroed; the sender calls message_done. */
struct message_out {
    int status;           /* 200 … */
    const char *type;     /* Content-Type; NULL: application/json */
    struct text body;     /* nothing with 204 */
    struct topic *stream; /* in place of a body: server-sent events; held, the sender drops it */
    char file_name[128];  /* not "": the browser saves it under that name */
    unsigned allowed;     /* with 405: the methods there are, 1 << MESSAGE_GET … */
    struct err why;       /* for who makes the answer: the reason, until it becomes a refusal */
};

const char *message_query(const struct message_in *in, const char *name); /* NULL: not there */

/* {"error": "sentence"} with that status; `field` may be NULL. With a code (base/text.h; NULL: none) the
 * answer has "code" and "args" too. Returns false, like err_set. */
bool message_fail_code(struct message_out *out, int status, const char *field, const char *code,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
#define message_fail(out, status, field, ...) message_fail_code(out, status, field, NULL, __VA_ARGS__)

/* The same for the reason in `e`, with its code if it has one. */
bool message_fail_err(struct message_out *out, int status, const char *field, const struct err *e);

/* Writes the value as JSON and drops it; NULL (a text in it was not UTF-8) becomes a 500. True. */
struct json_t;
bool message_json(struct message_out *out, int status, struct json_t *value);

void message_done(struct message_out *out);

/* ---- topics ----
 *
 * A topic is a stream of events for many readers, each at its own pace. Each event is
 * stored once: a reader is a position in the log, so a slow reader costs only its connection. Readers begin
 * with the newest snapshot (an event with the complete state) and get all later events in order, each once.
 * A reader that is so late that events were dropped begins again with the newest snapshot. Any thread may
 * write, the network thread reads; topics lock themselves. */

enum { TOPIC_NAME_MAX = 24, TOPIC_HEAD_MAX = 64, TOPIC_RUN_MAX = 24 };

struct topic;

/* Limits of all stored events except the newest snapshot. Beyond them the oldest events are dropped, read or
 * not; the newest event is stored whatever its size. If even the newest snapshot was dropped, new readers
 * get nothing until the next one: see topic_wants_base. */
struct topic_limits {
    int events_max;
    size_t bytes_max;
};

/* Reference-counted: every stored pointer needs a hold. */
struct topic *topic_open(const struct topic_limits *limits);
struct topic *topic_hold(struct topic *topic);
void topic_drop(struct topic *topic); /* NULL is allowed */

enum topic_kind {
    TOPIC_EVENT,    /* for all readers */
    TOPIC_STATUS,   /* topic_set's */
    TOPIC_SNAPSHOT, /* replaces all earlier events for new readers */
    TOPIC_BASE,     /* a snapshot for new readers only; current readers do not get it */
};

/* Adds an event; `data` is one line of JSON. False after topic_end. */
bool topic_add(struct topic *topic, const char *name, const char *data, enum topic_kind kind);

/* For short-lived values (progress): replaces the last event set under this name and key. A reader that has
 * read the old event gets the new one; a reader that has not gets only the new one. */
bool topic_set(struct topic *topic, const char *name, uint64_t key, const char *data);

/* A base is wanted when there is no snapshot, or when it would soon be dropped. */
bool topic_wants_base(struct topic *topic);

/* No more events: readers get the remaining ones, then "event: end", then their connections end. */
void topic_end(struct topic *topic);

int topic_readers(struct topic *topic);

/* ---- reading ---- */

struct topic_event;

/* Zeroed except for the caller's members. Both functions are called with the topic locked and must not use
 * it. A read that finds nothing calls `sleep`; `wake` is called once after that, on any thread, when there
 * is something to read. */
struct topic_reader {
    void (*sleep)(void *context), (*wake)(void *context); /* the caller's; may be NULL */
    void *context;
    const char *run; /* the caller's; may be NULL. Ids become "RUN-7": those of another run are recognised */

    struct topic *topic;         /* held */
    struct topic_event *event;   /* held: the event being read */
    uint64_t next;               /* number of the next event; 0: begin with the newest snapshot */
    char head[TOPIC_HEAD_MAX];   /* bytes before those of the event */
    size_t head_size, offset;    /* the offset is into both */
    bool waiting, nudged, ended; /* ended: "event: end" was taken */
    struct topic_reader *after;
};

/* `last_seen` is the number of the last event that the reader received (Last-Event-ID); 0: none. */
void topic_reader_start(struct topic_reader *reader, struct topic *topic, uint64_t last_seen);
void topic_reader_done(struct topic_reader *reader);

/* Copies the next bytes of the stream ("id: 7\nevent: step\ndata: {…}\n\n"). Returns how many; 0: nothing at
 * the moment; -1: the end. */
long topic_read(struct topic_reader *reader, char *out, size_t out_size);

/* Makes the next read return something: a comment line if there is nothing else. Used to keep connections
 * alive, or to end them. */
void topic_reader_nudge(struct topic_reader *reader);

#endif
