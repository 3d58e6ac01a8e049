/* SPDX-License-Identifier: MIT
 *
 * A stream of events that many readers follow, each at its own pace. Events are kept once, whoever reads
 * them: a reader is a place in the log, so a slow one costs nothing but its connection. Readers begin with
 * the newest snapshot (an event that says everything) and get all events behind it, in order, each once; a
 * reader that has fallen so far behind that events were dropped begins with the newest snapshot again.
 *
 * Written by any thread, read by the network's; locks are inside.
 */
#ifndef NET_TOPIC_H
#define NET_TOPIC_H

#include "base/text.h"

#include <stdint.h>

enum { TOPIC_NAME_MAX = 24 };

struct topic;

struct topic_limits {
    int events_max; /* behind the newest snapshot; then the oldest are dropped with all readers that are there
                     */
    size_t bytes_max; /* likewise */
};

/* Counted: who keeps a pointer holds it. NULL when memory ran out. */
struct topic *topic_open(const struct topic_limits *limits);
struct topic *topic_hold(struct topic *topic);
void topic_drop(struct topic *topic); /* NULL is allowed */

/* Adds an event; `data` is one line of JSON. A snapshot makes those before it unnecessary for new readers.
 * False when memory ran out: then all readers begin again with the next snapshot. */
bool topic_add(struct topic *topic, const char *name, const char *data, bool is_snapshot);

/* In place of the event of the same name and `key` that came last, when nobody needs the one between
 * (progress): new readers get only the newest; those who are behind may miss older ones. */
bool topic_set(struct topic *topic, const char *name, const char *data);

/* Nothing more comes: readers get what there is, then "event: end", then their connections end. */
void topic_end(struct topic *topic);

/* ---- reading ---- */

struct topic_reader {
    struct topic *topic; /* held */
    uint64_t next;       /* the event it wants; 0: begin with the newest snapshot */
    size_t offset;       /* bytes of it that were read already */
    void (*wake)(
        void *context); /* called once after a read that had nothing, when there is something; any thread */
    void *context;
    bool waiting;
    struct topic_reader *before, *after;
};

/* `last_seen` is the id of the last event the reader has had (Last-Event-ID); 0: none. */
void topic_reader_start(struct topic_reader *reader, struct topic *topic, uint64_t last_seen);
void topic_reader_done(struct topic_reader *reader);

/* Copies the next bytes of the stream ("id: 7\nevent: step\ndata: {…}\n\n"). Returns how many; 0: nothing at
 * the moment, `wake` will be called; -1: the end. */
long topic_read(struct topic_reader *reader, char *out, size_t out_size);

/* For whoever keeps connections alive: adds a comment line for all readers that wait. */
void topic_reader_nudge(struct topic_reader *reader);

int topic_readers(struct topic *topic);

#endif
