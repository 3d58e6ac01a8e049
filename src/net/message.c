/* SPDX-License-Identifier: MIT
 *
 * Requests and answers, and topics.
 *
 * A topic's log is a list of events. Each event counts its holders: the log, and every reader in the middle
 * of it. So an event can be replaced or dropped at any time without tearing a reader's stream.
 */
#include "net/message.h"

#include "base/mem.h"

#include <assert.h>
#include <jansson.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

const char *const message_method_names[] = {
    [MESSAGE_GET] = "GET", [MESSAGE_POST] = "POST", [MESSAGE_PUT] = "PUT", [MESSAGE_DELETE] = "DELETE"};

/* At most MESSAGE_QUERY_MAX parameters, so a search is enough. */
const char *message_query(const struct message_in *in, const char *name) {
    for (int i = 0; i < in->query_count; i++)
        if (strcmp(in->query[i].name, name) == 0)
            return in->query[i].value;
    return NULL;
}

/* Replaces whatever the answer held before, also a stream: an error may be found late. */
bool message_json(struct message_out *out, int status, json_t *value) {
    char *text = value == NULL ? NULL : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(value);
    text_clear(&out->body);
    topic_drop(out->stream);
    out->stream = NULL;
    out->type = NULL;
    out->status = text == NULL ? 500 : status;
    text_add_string(&out->body,
                    text == NULL ? "{\"error\":\"the answer has a text that is not UTF-8\"}" : text);
    mem_free(text);
    return true;
}

/* The sentence may quote a part of the request in any encoding; the JSON writer takes only UTF-8. */
static void fail_with(struct message_out *out, int status, const char *field, const char *sentence,
                      const struct msg *msg) {
    assert(status >= 400);
    assert(status < 600);
    char repaired[1024];
    snprintf(repaired, sizeof repaired, "%s", sentence);
    charset_repair(repaired); /* it may quote a part of the request */
    json_t *body = json_pack("{s:s}", "error", repaired);
    if (field != NULL)
        json_object_set_new(body, "field", json_string(field));
    msg_add_json(body, msg, sentence);
    out->file_name[0] = '\0';
    message_json(out, status, body);
}

bool message_fail_code(struct message_out *out, int status, const char *field, const char *code,
                       const char *format, ...) {
    char sentence[1024];
    struct msg msg;
    va_list arguments;
    va_start(arguments, format);
    msg_format(&msg, sentence, sizeof sentence, code, format, arguments);
    va_end(arguments);
    fail_with(out, status, field, sentence, &msg);
    return false;
}

bool message_fail_err(struct message_out *out, int status, const char *field, const struct err *e) {
    fail_with(out, status, field, e->text, &e->msg);
    return false;
}

/* The stream is the answer's own hold; readers have theirs. */
void message_done(struct message_out *out) {
    text_done(&out->body);
    topic_drop(out->stream);
    out->stream = NULL;
}

/* ---- topics ---- */

/* Numbers are unique within a run, also between topics that follow each other at one address. */
enum { NUMBERS_BITS = 32 };

static atomic_uint_fast32_t topics_opened;

/* One stored event. A reader in the middle of an event that has left the log still holds its bytes. */
struct topic_event {
    uint64_t number, key;
    int holders;
    enum topic_kind kind;
    char name[TOPIC_NAME_MAX];
    size_t size;
    char bytes[]; /* "event: NAME\ndata: DATA\n\n" */
};

/* Numbers rise but have gaps: a status that was replaced leaves one. The log is an array, although the oldest
 * events are dropped first: it holds a few thousand pointers at most, and moving them costs less than one
 * event's text. */
struct topic {
    pthread_mutex_t lock;
    struct topic_limits limits;
    int holders;
    bool has_ended;
    struct topic_event **log, *snapshot; /* oldest first; the newest stored snapshot */
    int event_count, log_capacity;
    size_t bytes;
    uint64_t last, lost; /* the number used last; up to which not all events are there any more */
    struct topic_reader *readers;
    int reader_count;
};

/* ---- events ---- */

/* What an event counts towards bytes_max, its own struct and its place in the log included (an array that
 * grows may be half empty): many small events use memory, too. */
static size_t weight_of(const struct topic_event *event) {
    return sizeof *event + 2 * sizeof event + event->size;
}

/* A snapshot of a long game has tens of megabytes: they are copied once. */
static struct topic_event *event_open(const char *name, const char *data, enum topic_kind kind) {
    assert(strlen(name) < TOPIC_NAME_MAX);
    assert(strpbrk(data, "\r\n") == NULL); /* a line end would end the event's data */
    const size_t size = strlen("event: \ndata: \n\n") + strlen(name) + strlen(data);
    struct topic_event *event = mem_alloc(sizeof *event + size + 1);
    event->kind = kind;
    event->holders = 1;
    event->size = size;
    snprintf(event->name, sizeof event->name, "%s", name);
    snprintf(event->bytes, size + 1, "event: %s\ndata: %s\n\n", name, data);
    return event;
}

/* Called with the topic locked, or when the topic has no other users left. */
static void event_drop(struct topic_event *event) {
    if (event != NULL && --event->holders == 0)
        mem_free(event);
}

/* Takes an event out of the log. Readers in the middle of it keep it. */
static void remove_event(struct topic *topic, int i) {
    struct topic_event *event = topic->log[i];
    assert(i >= 0);
    assert(i < topic->event_count);
    assert(topic->bytes >= weight_of(event));
    topic->event_count--;
    memmove(topic->log + i, topic->log + i + 1, (size_t)(topic->event_count - i) * sizeof *topic->log);
    topic->bytes -= weight_of(event);
    if (topic->snapshot == event)
        topic->snapshot = NULL;
    event_drop(event);
}

/* The snapshot does not count: one larger than the limit would be dropped by the next event, and made and
 * dropped again by each following one. */
static bool is_within_limits(const struct topic *topic) {
    const size_t snapshot = topic->snapshot != NULL ? weight_of(topic->snapshot) : 0;
    return topic->event_count <= topic->limits.events_max &&
           topic->bytes - snapshot <= topic->limits.bytes_max;
}

/* ---- the topic ---- */

/* Numbers begin with the topic's own in the upper half: a Last-Event-ID of another topic is never valid. */
struct topic *topic_open(const struct topic_limits *limits) {
    assert(limits->events_max > 0);
    assert(limits->bytes_max > 0);
    struct topic *topic = mem_alloc(sizeof *topic);
    pthread_mutex_init(&topic->lock, NULL);
    topic->limits = *limits;
    topic->holders = 1;
    topic->last = topic->lost = ((uint64_t)atomic_fetch_add(&topics_opened, 1) + 1) << NUMBERS_BITS;
    return topic;
}

struct topic *topic_hold(struct topic *topic) {
    pthread_mutex_lock(&topic->lock);
    topic->holders++;
    pthread_mutex_unlock(&topic->lock);
    return topic;
}

/* Readers hold their topic, so the last hold is dropped after the last reader has ended. */
void topic_drop(struct topic *topic) {
    if (topic == NULL)
        return;
    pthread_mutex_lock(&topic->lock);
    const int left = --topic->holders;
    pthread_mutex_unlock(&topic->lock);
    if (left > 0)
        return;
    assert(topic->readers == NULL);
    while (topic->event_count > 0)
        remove_event(topic, topic->event_count - 1);
    mem_free(topic->log);
    pthread_mutex_destroy(&topic->lock);
    mem_free(topic);
}

/* ---- writing ---- */

/* Each sleep is followed by at most one wake: libmicrohttpd must not resume a connection twice. */
static void wake(struct topic_reader *reader) {
    if (reader->waiting && reader->wake != NULL)
        reader->wake(reader->context);
    reader->waiting = false;
}

static void wake_all(const struct topic *topic) {
    for (struct topic_reader *reader = topic->readers; reader != NULL; reader = reader->after)
        wake(reader);
}

/* The event is built before the lock is taken: copying a large snapshot must not stop the readers. The
 * limits are applied after the event was added, so the newest event is always stored. */
static bool publish(struct topic *topic, const char *name, const char *data, enum topic_kind kind,
                    uint64_t key) {
    struct topic_event *event = event_open(name, data, kind);
    pthread_mutex_lock(&topic->lock);
    const bool is_wanted = !topic->has_ended;
    /* A status replaces the last one that was set under that name, if it is still there. */
    for (int i = is_wanted && kind == TOPIC_STATUS ? topic->event_count - 1 : -1; i >= 0; i--)
        if (topic->log[i]->kind == TOPIC_STATUS && topic->log[i]->key == key &&
            strcmp(topic->log[i]->name, name) == 0) {
            remove_event(topic, i);
            break;
        }
    if (is_wanted) {
        event->key = key;
        event->number = ++topic->last;
        topic->log = mem_grow(topic->log, &topic->log_capacity, topic->event_count + 1, sizeof *topic->log);
        topic->log[topic->event_count++] = event;
        topic->bytes += weight_of(event);
        if (kind >= TOPIC_SNAPSHOT)
            topic->snapshot = event;
        while (topic->event_count > 1 && !is_within_limits(topic)) {
            topic->lost =
                topic->log[0]->number; /* readers before it begin again with a snapshot (find_next) */
            remove_event(topic, 0);
        }
        wake_all(topic);
    }
    pthread_mutex_unlock(&topic->lock);
    if (!is_wanted)
        mem_free(event);
    return is_wanted;
}

bool topic_add(struct topic *topic, const char *name, const char *data, enum topic_kind kind) {
    assert(kind != TOPIC_STATUS);
    return publish(topic, name, data, kind, 0);
}

bool topic_set(struct topic *topic, const char *name, uint64_t key, const char *data) {
    return publish(topic, name, data, TOPIC_STATUS, key);
}

/* A base is expensive to make (a snapshot of a long game), so it is wanted only when the events since the
 * last one use more than half of the limits. */
bool topic_wants_base(struct topic *topic) {
    int count = 0;
    size_t bytes = 0;
    pthread_mutex_lock(&topic->lock);
    for (int i = topic->event_count - 1; topic->snapshot != NULL && topic->log[i] != topic->snapshot; i--) {
        count++;
        bytes += weight_of(topic->log[i]);
    }
    const bool wants =
        !topic->has_ended && (topic->snapshot == NULL || count > topic->limits.events_max / 2 ||
                              bytes > topic->limits.bytes_max / 2);
    pthread_mutex_unlock(&topic->lock);
    return wants;
}

/* Readers see the end after the remaining events. */
void topic_end(struct topic *topic) {
    pthread_mutex_lock(&topic->lock);
    topic->has_ended = true;
    wake_all(topic);
    pthread_mutex_unlock(&topic->lock);
}

int topic_readers(struct topic *topic) {
    pthread_mutex_lock(&topic->lock);
    const int count = topic->reader_count;
    pthread_mutex_unlock(&topic->lock);
    return count;
}

/* ---- reading ---- */

/* A number that this topic has not used yet comes from another run or another topic: the reader begins
 * with the snapshot. */
void topic_reader_start(struct topic_reader *reader, struct topic *topic, uint64_t last_seen) {
    assert(reader->topic == NULL);
    assert(reader->run == NULL || strlen(reader->run) < TOPIC_RUN_MAX);
    reader->topic = topic_hold(topic);
    pthread_mutex_lock(&topic->lock);
    reader->next = last_seen > topic->last ? 0 : last_seen + 1; /* numbers are large: 1 is before the first */
    reader->after = topic->readers;
    topic->readers = reader;
    topic->reader_count++;
    pthread_mutex_unlock(&topic->lock);
}

/* May be called in the middle of an event. */
void topic_reader_done(struct topic_reader *reader) {
    assert(reader->topic != NULL);
    struct topic *topic = reader->topic;
    pthread_mutex_lock(&topic->lock);
    LIST_REMOVE(topic->readers, reader, after);
    topic->reader_count--;
    assert(topic->reader_count >= 0);
    event_drop(reader->event);
    pthread_mutex_unlock(&topic->lock);
    topic_drop(topic);
    *reader = (struct topic_reader){0};
}

/* Readers are mostly near the end of the log, so the search begins there. */
static struct topic_event *find_next(struct topic_reader *reader) {
    const struct topic *topic = reader->topic;
    if (reader->next <= topic->lost)
        return topic->snapshot;
    int i = topic->event_count;
    while (i > 0 && topic->log[i - 1]->number >= reader->next)
        i--;
    while (i < topic->event_count && topic->log[i]->kind == TOPIC_BASE)
        i++;
    return i < topic->event_count ? topic->log[i] : NULL;
}

/* False when there is nothing to go on with. */
static bool begin_next(struct topic_reader *reader) {
    struct topic_event *event = find_next(reader);
    int size;
    if (event != NULL) {
        size = snprintf(reader->head, sizeof reader->head, "id: %s%s%llu\n",
                        reader->run != NULL ? reader->run : "", reader->run != NULL ? "-" : "",
                        (unsigned long long)event->number);
        event->holders++;
        reader->event = event;
        reader->next = event->number + 1;
        reader->nudged = false;
    } else if (reader->topic->has_ended && !reader->ended) {
        size = snprintf(reader->head, sizeof reader->head, "event: end\ndata: {}\n\n");
        reader->ended = true;
    } else if (reader->nudged && !reader->ended) {
        size = snprintf(reader->head, sizeof reader->head, ":\n\n");
        reader->nudged = false;
    } else {
        return false;
    }
    assert(size > 0 && size < (int)sizeof reader->head);
    reader->head_size = (size_t)size;
    reader->offset = 0;
    return true;
}

/* Fills `out` from as many events as fit, so that a reader that is behind needs few calls. The event being
 * read is held, not copied. */
long topic_read(struct topic_reader *reader, char *out, size_t out_size) {
    size_t put = 0;
    assert(out_size > 0);
    pthread_mutex_lock(&reader->topic->lock);
    while (put < out_size) {
        const size_t size = reader->head_size + (reader->event != NULL ? reader->event->size : 0);
        assert(reader->offset <= size);
        if (reader->offset == size) { /* between two events */
            event_drop(reader->event);
            reader->event = NULL;
            reader->head_size = reader->offset = 0;
            if (!begin_next(reader))
                break;
            continue;
        }
        const bool in_head = reader->offset < reader->head_size;
        const char *from = in_head ? reader->head + reader->offset
                                   : reader->event->bytes + (reader->offset - reader->head_size);
        const size_t left = (in_head ? reader->head_size : size) - reader->offset;
        const size_t count = left < out_size - put ? left : out_size - put;
        memcpy(out + put, from, count);
        reader->offset += count;
        put += count;
    }
    const bool is_over = put == 0 && reader->ended;
    if (put == 0 && !is_over) {
        reader->waiting = true;
        if (reader->sleep != NULL)
            reader->sleep(reader->context);
    }
    pthread_mutex_unlock(&reader->topic->lock);
    return is_over ? -1 : (long)put;
}

/* Also wakes a reader whose connection shall end: its next read finds that. */
void topic_reader_nudge(struct topic_reader *reader) {
    pthread_mutex_lock(&reader->topic->lock);
    reader->nudged = true;
    wake(reader);
    pthread_mutex_unlock(&reader->topic->lock);
}
