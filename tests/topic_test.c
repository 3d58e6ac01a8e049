/* SPDX-License-Identifier: MIT
 *
 * Topics: every reader gets every event once and in order, at any speed; a reader that begins, returns or
 * falls behind begins with a snapshot; memory stays within its limits.
 */
#include "net/message.c" /* how much a topic stores is private */

#include "base/numbers.h"
#include "base/text.h"
#include "tests/expected_support.h"
#include "tests/memory_support.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

static const struct topic_limits usual = {100, 1 << 20};

/* ---- helpers ---- */

/* Reads until there is nothing, in pieces of `piece` bytes; true when the stream has ended. */
static bool drain(struct topic_reader *reader, size_t piece, struct text *out) {
    char buffer[4096];
    long got;
    assert_true(piece <= sizeof buffer);
    while ((got = topic_read(reader, buffer, piece)) > 0)
        text_add_bytes(out, buffer, (size_t)got);
    return got < 0;
}

/* The stream with all lines "id: …" taken out. */
static void strip_ids(const struct text *stream, struct text *out) {
    for (const char *line = text_string(stream); *line != '\0';) {
        const size_t size = strcspn(line, "\n") + 1;
        if (strncmp(line, "id: ", 4) != 0)
            text_add_bytes(out, line, size);
        line += size;
    }
}

static void check_reads(struct topic_reader *reader, const char *expected) {
    struct text stream = {0}, stripped = {0};
    drain(reader, 4096, &stream);
    strip_ids(&stream, &stripped);
    assert_string_equal(text_string(&stripped), expected);
    text_done(&stream);
    text_done(&stripped);
}

/* What a new reader gets. */
static void check_begins(struct topic *topic, const char *expected) {
    struct topic_reader reader = {0};
    topic_reader_start(&reader, topic, 0);
    check_reads(&reader, expected);
    topic_reader_done(&reader);
}

static uint64_t last_id(const struct text *stream) {
    uint64_t id = 0;
    for (const char *at = text_string(stream); (at = strstr(at, "id: ")) != NULL; at += 4)
        id = strtoull(at + 4, NULL, 10);
    return id;
}

/* ---- histories ---- */

enum { HISTORIES = 60, STEPS_OF_HISTORY = 150, READERS = 4 };

struct history {
    struct rng rng;
    struct topic *topic;
    struct topic_reader readers[READERS];
    uint64_t first, seen; /* the number before the first event; the one that a reader has seen last */
    struct text found;
};

static uint32_t below(struct history *h, uint32_t count) {
    return rng_below(&h->rng, count);
}

static void note_sleep(void *context) {
    text_add(&((struct history *)context)->found, "z");
}

static void note_wake(void *context) {
    text_add(&((struct history *)context)->found, "w");
}

/* Numbers count from the first of the topic, independent of earlier topics. */
static void note_stream(struct history *h, const char *bytes) {
    for (const char *at = bytes; *at != '\0';) {
        if (strncmp(at, "id: ", 4) == 0) {
            char *end;
            h->seen = strtoull(at + 4, &end, 10);
            text_add(&h->found, "id %d", (int)(h->seen - h->first));
            at = end;
        } else {
            text_add_bytes(&h->found, at++, 1);
        }
    }
}

static void begin_or_end_reading(struct history *h, struct topic_reader *reader) {
    if (reader->topic != NULL) {
        topic_reader_done(reader);
        return;
    }
    const uint64_t seen[] = {0, h->seen, h->seen + 1, h->first + 1000};
    *reader = (struct topic_reader){.sleep = note_sleep, .wake = note_wake, .context = h};
    topic_reader_start(reader, h->topic, seen[below(h, 4)]);
}

/* Whole events only: another test checks the pieces of a long one. */
static void read_on(struct history *h, struct topic_reader *reader) {
    char bytes[4096];
    long got;
    size_t size = 0;
    if (reader->topic == NULL)
        return;
    const size_t piece = 1 + below(h, 80);
    while ((got = topic_read(reader, bytes + size, piece)) > 0 && size + piece + 80 < sizeof bytes)
        size += (size_t)got;
    bytes[size + (got > 0 ? (size_t)got : 0)] = '\0';
    note_stream(h, bytes);
    text_add(&h->found, "(%d)", got > 0 ? 1 : (int)got);
}

static void publish_something(struct history *h, int step) {
    char data[120];
    snprintf(data, sizeof data, "%d%0*d", step, (int)below(h, 100), 0);
    bool ok = false;
    switch (below(h, 6)) {
    case 0: ok = topic_add(h->topic, "all", data, TOPIC_SNAPSHOT); break;
    case 1: ok = topic_set(h->topic, below(h, 2) == 0 ? "state" : "other", 0, data); break;
    case 2: ok = topic_set(h->topic, "state", below(h, 3), data); break;
    case 3: ok = topic_wants_base(h->topic) && topic_add(h->topic, "base", data, TOPIC_BASE); break;
    default: ok = topic_add(h->topic, "step", data, TOPIC_EVENT);
    }
    text_add(&h->found, "[%d%d]", ok, topic_wants_base(h->topic));
}

static void take_step(struct history *h, int step) {
    struct topic_reader *reader = &h->readers[below(h, READERS)];
    const uint32_t what = below(h, 20);
    if (what < 10)
        publish_something(h, step);
    else if (what < 16)
        read_on(h, reader);
    else if (what < 18)
        begin_or_end_reading(h, reader);
    else if (what < 19 && reader->topic != NULL)
        topic_reader_nudge(reader);
    else if (step > STEPS_OF_HISTORY - 20)
        topic_end(h->topic);
    text_add(&h->found, "%d\n", topic_readers(h->topic));
}

/* Random operations on topics and readers, in any order: the streams, which readers sleep and wake, and which
 * topics need a snapshot. */
static void histories_give_the_same_streams(void **state) {
    (void)state;
    struct text all = {0};
    for (int i = 0; i < HISTORIES; i++) {
        struct history h = {0};
        rng_seed(&h.rng, (uint64_t)i);
        const struct topic_limits limits = {2 + (int)below(&h, 12),
                                            i % 2 == 0 ? 1 << 20 : 300 + below(&h, 1500)};
        h.topic = topic_open(&limits);
        struct topic_reader probe = {0}; /* numbers of a topic begin with its own high bits */
        char head[200] = "";
        assert_true(topic_add(h.topic, "all", "0", TOPIC_SNAPSHOT));
        topic_reader_start(&probe, h.topic, 0);
        assert_true(topic_read(&probe, head, sizeof head - 1) > 0);
        topic_reader_done(&probe);
        h.first = h.seen = strtoull(head + 4, NULL, 10) - 1;
        for (int step = 0; step < STEPS_OF_HISTORY; step++)
            take_step(&h, step);
        for (int n = 0; n < READERS; n++) {
            read_on(&h, &h.readers[n]);
            if (h.readers[n].topic != NULL)
                topic_reader_done(&h.readers[n]);
        }
        topic_drop(h.topic);
        text_add(&all, "history %d: %08x\n", i, expected_digest(&h.found));
        if (i < 2)
            text_add_bytes(&all, text_string(&h.found), h.found.size);
        text_done(&h.found);
    }
    expected_compare("topics.txt", &all);
    text_done(&all);
}

/* ---- one thread ---- */

static void events_come_in_order_behind_the_newest_snapshot(void **state) {
    (void)state;
    struct topic *topic = topic_open(&usual);
    struct topic_reader first = {0};
    topic_reader_start(&first, topic, 0);
    check_reads(&first, "");
    assert_true(topic_add(topic, "early", "{}", TOPIC_EVENT));
    check_reads(&first, ""); /* no reader can begin in the middle */
    assert_true(topic_add(topic, "all", "{\"n\":0}", TOPIC_SNAPSHOT));
    assert_true(topic_add(topic, "step", "{\"n\":1}", TOPIC_EVENT));
    check_reads(&first, "event: all\ndata: {\"n\":0}\n\nevent: step\ndata: {\"n\":1}\n\n");
    check_reads(&first, "");
    assert_true(topic_add(topic, "all", "{\"n\":2}", TOPIC_SNAPSHOT));
    assert_true(topic_add(topic, "step", "{\"n\":3}", TOPIC_EVENT));
    check_reads(&first, "event: all\ndata: {\"n\":2}\n\nevent: step\ndata: {\"n\":3}\n\n");
    check_begins(topic, "event: all\ndata: {\"n\":2}\n\nevent: step\ndata: {\"n\":3}\n\n");
    assert_int_equal(topic_readers(topic), 1);
    topic_reader_done(&first);
    assert_int_equal(topic_readers(topic), 0);
    topic_drop(topic);
}

static void any_size_of_pieces_gives_the_same_bytes(void **state) {
    (void)state;
    struct topic *topic = topic_open(&usual);
    struct text whole = {0};
    topic_add(topic, "all", "{\"some\":\"text\"}", TOPIC_SNAPSHOT);
    for (int i = 0; i < 20; i++)
        topic_add(topic, "step", i % 2 == 0 ? "1" : "[22,333]", TOPIC_EVENT);
    for (size_t piece = 1; piece < 80; piece++) {
        struct topic_reader reader = {0};
        struct text stream = {0};
        topic_reader_start(&reader, topic, 0);
        assert_false(drain(&reader, piece, &stream));
        if (whole.size == 0)
            text_add_string(&whole, text_string(&stream));
        assert_string_equal(text_string(&stream), text_string(&whole));
        text_done(&stream);
        topic_reader_done(&reader);
    }
    text_done(&whole);
    topic_drop(topic);
}

static void a_reader_that_comes_back_misses_nothing(void **state) {
    (void)state;
    struct topic *topic = topic_open(&usual);
    struct topic_reader reader = {0};
    struct text stream = {0};
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    topic_add(topic, "step", "1", TOPIC_EVENT);
    topic_reader_start(&reader, topic, 0);
    drain(&reader, 100, &stream);
    topic_reader_done(&reader);
    const uint64_t seen = last_id(&stream);
    topic_add(topic, "step", "2", TOPIC_EVENT);
    topic_add(topic, "all", "3", TOPIC_SNAPSHOT);
    topic_add(topic, "step", "4", TOPIC_EVENT);

    topic_reader_start(&reader, topic, seen);
    check_reads(&reader, "event: step\ndata: 2\n\nevent: all\ndata: 3\n\nevent: step\ndata: 4\n\n");
    topic_reader_done(&reader);

    /* A number that was not given yet, and one of another topic. */
    static const char anew[] = "event: all\ndata: 3\n\nevent: step\ndata: 4\n\n";
    topic_reader_start(&reader, topic, seen + 1000);
    check_reads(&reader, anew);
    topic_reader_done(&reader);
    topic_reader_start(&reader, topic, 1);
    check_reads(&reader, anew);
    topic_reader_done(&reader);
    text_done(&stream);
    topic_drop(topic);
}

/* Numbers of an earlier topic in the same place do not fit it. */
static void numbers_are_never_used_twice(void **state) {
    (void)state;
    struct topic_reader reader = {0};
    struct text stream = {0};
    struct topic *topic = topic_open(&usual);
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    topic_add(topic, "step", "1", TOPIC_EVENT);
    topic_reader_start(&reader, topic, 0);
    drain(&reader, 100, &stream);
    topic_reader_done(&reader);
    topic_drop(topic);

    topic = topic_open(&usual);
    for (int i = 0; i < 5; i++)
        topic_add(topic, "all", "9", i == 4 ? TOPIC_SNAPSHOT : TOPIC_EVENT);
    topic_reader_start(&reader, topic, last_id(&stream));
    check_reads(&reader, "event: all\ndata: 9\n\n");
    topic_reader_done(&reader);
    topic_drop(topic);
    text_done(&stream);
}

static void ids_carry_the_run(void **state) {
    (void)state;
    struct topic_reader reader = {.run = "k3f9"};
    struct text stream = {0};
    struct topic *topic = topic_open(&usual);
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    topic_reader_start(&reader, topic, 0);
    drain(&reader, 7, &stream);
    assert_ptr_equal(strstr(text_string(&stream), "id: k3f9-"), text_string(&stream));
    assert_string_equal(strchr(text_string(&stream), '\n'), "\nevent: all\ndata: 0\n\n");
    topic_reader_done(&reader);
    topic_drop(topic);
    text_done(&stream);
}

static void a_slow_reader_gets_a_new_snapshot(void **state) {
    (void)state;
    const struct topic_limits few = {4, 1 << 20};
    struct topic *topic = topic_open(&few);
    struct topic_reader slow = {0}, fast = {0};
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    topic_reader_start(&slow, topic, 0);
    topic_reader_start(&fast, topic, 0);
    check_reads(&slow, "event: all\ndata: 0\n\n");
    check_reads(&fast, "event: all\ndata: 0\n\n");
    for (int i = 1; i <= 3; i++)
        topic_add(topic, "step", "1", TOPIC_EVENT);
    check_reads(&fast, "event: step\ndata: 1\n\nevent: step\ndata: 1\n\nevent: step\ndata: 1\n\n");
    topic_add(topic, "all", "4", TOPIC_SNAPSHOT);
    topic_add(topic, "step", "5", TOPIC_EVENT);
    topic_add(topic, "step", "6", TOPIC_EVENT);
    check_reads(&slow, "event: all\ndata: 4\n\nevent: step\ndata: 5\n\nevent: step\ndata: 6\n\n");
    check_reads(&fast, "event: all\ndata: 4\n\nevent: step\ndata: 5\n\nevent: step\ndata: 6\n\n");
    topic_reader_done(&slow);
    topic_reader_done(&fast);
    topic_drop(topic);
}

/* Half an event was read when it is dropped: the other half still comes. */
static void no_event_is_torn(void **state) {
    (void)state;
    const struct topic_limits few = {2, 1 << 20};
    struct topic *topic = topic_open(&few);
    struct topic_reader reader = {0};
    struct text stream = {0}, stripped = {0};
    char half[25];
    topic_add(topic, "all", "\"a long event that is read in two parts\"", TOPIC_SNAPSHOT);
    topic_reader_start(&reader, topic, 0);
    assert_int_equal(topic_read(&reader, half, sizeof half), sizeof half);
    text_add_bytes(&stream, half, sizeof half);
    for (int i = 0; i < 5; i++)
        topic_add(topic, "all", "2", TOPIC_SNAPSHOT);
    drain(&reader, 100, &stream);
    strip_ids(&stream, &stripped);
    assert_string_equal(
        text_string(&stripped),
        "event: all\ndata: \"a long event that is read in two parts\"\n\nevent: all\ndata: 2\n\n");
    topic_reader_done(&reader);
    topic_drop(topic);
    text_done(&stream);
    text_done(&stripped);
}

static void what_is_set_takes_the_place_of_the_last(void **state) {
    (void)state;
    struct topic *topic = topic_open(&usual);
    struct topic_reader follower = {0};
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    topic_reader_start(&follower, topic, 0);
    check_reads(&follower, "event: all\ndata: 0\n\n");
    topic_set(topic, "progress", 0, "1");
    check_reads(&follower, "event: progress\ndata: 1\n\n");
    for (int i = 0; i < 1000; i++)
        topic_set(topic, "progress", 0, "2");
    topic_set(topic, "progress", 0, "3");
    topic_add(topic, "step", "4", TOPIC_EVENT);
    topic_set(topic, "board", 7, "5");
    topic_set(topic, "board", 8, "6");
    topic_set(topic, "board", 7, "7");
    static const char rest[] = "event: progress\ndata: 3\n\nevent: step\ndata: 4\n\nevent: board\ndata: 6\n\n"
                               "event: board\ndata: 7\n\n";
    char all[sizeof rest + 32];
    snprintf(all, sizeof all, "event: all\ndata: 0\n\n%s", rest);
    check_reads(&follower, rest);
    check_begins(topic, all);
    topic_reader_done(&follower);
    topic_drop(topic);
}

static void a_base_is_only_for_new_runs(void **state) {
    (void)state;
    const struct topic_limits few = {8, 1 << 20};
    struct topic *topic = topic_open(&few);
    struct topic_reader follower = {0};
    assert_true(topic_wants_base(topic));
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    assert_false(topic_wants_base(topic));
    topic_reader_start(&follower, topic, 0);
    check_reads(&follower, "event: all\ndata: 0\n\n");
    int bases = 0;
    for (int i = 0; i < 100; i++) {
        topic_add(topic, "step", "1", TOPIC_EVENT);
        if (topic_wants_base(topic)) {
            topic_add(topic, "all", "0", TOPIC_BASE);
            bases++;
        }
        check_reads(&follower, "event: step\ndata: 1\n\n");
        struct topic_reader reader = {0};
        struct text stream = {0};
        topic_reader_start(&reader, topic, 0);
        drain(&reader, 100, &stream);
        assert_non_null(
            strstr(text_string(&stream), "event: all")); /* there is always something to begin with */
        topic_reader_done(&reader);
        text_done(&stream);
    }
    assert_in_range(bases, 10, 25);
    topic_reader_done(&follower);
    topic_drop(topic);
}

static void the_end_comes_last_and_once(void **state) {
    (void)state;
    struct topic *topic = topic_open(&usual);
    struct topic_reader reader = {0};
    struct text stream = {0}, stripped = {0};
    topic_reader_start(&reader, topic, 0);
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    topic_end(topic);
    assert_false(topic_add(topic, "step", "1", TOPIC_EVENT));
    assert_false(topic_set(topic, "step", 0, "1"));
    assert_false(topic_wants_base(topic));
    assert_true(drain(&reader, 10, &stream));
    strip_ids(&stream, &stripped);
    assert_string_equal(text_string(&stripped), "event: all\ndata: 0\n\nevent: end\ndata: {}\n\n");
    topic_reader_nudge(&reader);
    assert_true(drain(&reader, 10, &stream));
    topic_reader_done(&reader);
    topic_drop(topic);
    text_done(&stream);
    text_done(&stripped);
}

static void memory_stays_within_its_limits(void **state) {
    (void)state;
    const struct topic_limits small = {1000, 20000};
    struct topic *topic = topic_open(&small);
    struct topic_reader asleep = {0};
    char data[1001];
    memset(data, '7', sizeof data - 1);
    data[sizeof data - 1] = '\0';
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    topic_reader_start(&asleep, topic, 0);
    for (int i = 0; i < 1000; i++) {
        topic_add(topic, "step", data, i % 10 == 0 ? TOPIC_SNAPSHOT : TOPIC_EVENT);
        assert_true(topic->bytes <= small.bytes_max + 1200); /* the newest snapshot's own */
    }
    topic_reader_done(&asleep);
    topic_drop(topic);
}

/* Otherwise every further event would drop it, and it would have to be made again each time. */
static void a_snapshot_beyond_the_limits_stays_until_there_is_another(void **state) {
    (void)state;
    const struct topic_limits small = {1000, 20000};
    struct topic *topic = topic_open(&small);
    struct topic_reader reader = {0};
    struct text stream = {0};
    static char huge[30001];
    memset(huge, '8', sizeof huge - 1);
    topic_add(topic, "all", huge, TOPIC_SNAPSHOT);
    for (int i = 0; i < 50; i++) {
        assert_false(topic_wants_base(topic));
        topic_add(topic, "step", "1", TOPIC_EVENT);
    }
    topic_reader_start(&reader, topic, 0);
    drain(&reader, 4096, &stream);
    assert_non_null(strstr(text_string(&stream), huge));
    int steps = 0;
    for (const char *at = text_string(&stream); (at = strstr(at, "event: step")) != NULL; at++)
        steps++;
    assert_int_equal(steps, 50);
    topic_reader_done(&reader);
    text_done(&stream);

    /* A newer one takes its place, and the old one, which counts now, goes. */
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    assert_true(topic->bytes <= small.bytes_max);
    check_begins(topic, "event: all\ndata: 0\n\n");
    topic_drop(topic);
}

static void add_one(void *topic) {
    topic_set(topic, "step", 0, "2");
}

/* The topic is not locked at that moment, and the event that would be replaced is still there. */
static void an_event_without_memory_changes_nothing(void **state) {
    (void)state;
    struct topic *topic = topic_open(&usual);
    struct topic_reader follower = {0};
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    topic_set(topic, "step", 0, "1");
    assert_true(memory_runs_out(1, add_one, topic));
    topic_reader_start(&follower, topic, 0);
    check_reads(&follower, "event: all\ndata: 0\n\nevent: step\ndata: 1\n\n");
    assert_false(memory_runs_out(2, add_one, topic));
    check_reads(&follower, "event: step\ndata: 2\n\n");
    topic_reader_done(&follower);
    topic_drop(topic);
}

/* ---- waking ---- */

struct alarm {
    int slept, woken;
};

static void count_sleep(void *context) {
    ((struct alarm *)context)->slept++;
}

static void count_wake(void *context) {
    ((struct alarm *)context)->woken++;
}

static void a_reader_is_woken_once_for_each_sleep(void **state) {
    (void)state;
    struct alarm alarm = {0};
    struct topic_reader reader = {.sleep = count_sleep, .wake = count_wake, .context = &alarm};
    struct topic *topic = topic_open(&usual);
    topic_reader_start(&reader, topic, 0);
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    assert_int_equal(alarm.woken, 0); /* it did not sleep */
    check_reads(&reader, "event: all\ndata: 0\n\n");
    assert_int_equal(alarm.slept, 1);
    topic_add(topic, "step", "1", TOPIC_EVENT);
    topic_add(topic, "step", "2", TOPIC_EVENT);
    assert_int_equal(alarm.woken, 1);
    check_reads(&reader, "event: step\ndata: 1\n\nevent: step\ndata: 2\n\n");
    topic_reader_nudge(&reader);
    topic_reader_nudge(&reader);
    assert_int_equal(alarm.woken, 2);
    check_reads(&reader, ":\n\n");
    topic_end(topic);
    assert_int_equal(alarm.woken, 3);
    assert_int_equal(alarm.slept, 3);
    topic_reader_done(&reader);
    topic_drop(topic);
}

/* ---- several threads ---- */

enum { THREAD_READERS = 4, WRITERS = 2, EVENTS = 2000 };

struct follower {
    struct topic *topic;
    struct topic_reader reader;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool awake, is_lazy;
    long steps[WRITERS], snapshots;
    bool in_order, ended;
};

static void follower_wakes(void *context) {
    struct follower *f = context;
    pthread_mutex_lock(&f->lock);
    f->awake = true;
    pthread_cond_signal(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void follower_sleeps(void *context) {
    struct follower *f = context;
    pthread_mutex_lock(&f->lock);
    f->awake = false;
    pthread_mutex_unlock(&f->lock);
}

/* "event: wI" with data N: the N-th event of writer I. */
static void note_events(struct follower *f, const char *stream) {
    for (const char *at = stream; (at = strstr(at, "event: w")) != NULL; at++) {
        const int writer = at[8] - '0';
        const long n = strtol(strstr(at, "data: ") + 6, NULL, 10);
        f->in_order = f->in_order && n == f->steps[writer];
        f->steps[writer] = n + 1;
    }
    for (const char *at = stream; (at = strstr(at, "event: all")) != NULL; at++)
        f->snapshots++;
}

static void *follow(void *context) {
    struct follower *f = context;
    struct text stream = {0};
    char buffer[64];
    long got;
    while ((got = topic_read(&f->reader, buffer, f->is_lazy ? 13 : sizeof buffer)) >= 0) {
        text_add_bytes(&stream, buffer, (size_t)got);
        pthread_mutex_lock(&f->lock);
        while (got == 0 && !f->awake)
            pthread_cond_wait(&f->changed, &f->lock);
        pthread_mutex_unlock(&f->lock);
    }
    f->ended = strstr(text_string(&stream), "event: end") != NULL;
    note_events(f, text_string(&stream));
    text_done(&stream);
    return NULL;
}

struct writer {
    struct topic *topic;
    int index;
};

static void *write_events(void *context) {
    const struct writer *w = context;
    char name[8], data[24];
    snprintf(name, sizeof name, "w%d", w->index);
    for (int i = 0; i < EVENTS; i++) {
        snprintf(data, sizeof data, "%d", i);
        topic_add(w->topic, name, data, TOPIC_EVENT);
        topic_set(w->topic, "progress", 0, data);
    }
    topic_drop(w->topic);
    return NULL;
}

static void threads_write_and_read_at_once(void **state) {
    (void)state;
    const struct topic_limits large = {WRITERS * EVENTS + 10, 16 << 20};
    struct topic *topic = topic_open(&large);
    struct follower followers[THREAD_READERS] = {0};
    struct writer writers[WRITERS];
    pthread_t threads[THREAD_READERS + WRITERS];
    topic_add(topic, "all", "0", TOPIC_SNAPSHOT);
    for (int i = 0; i < THREAD_READERS; i++) {
        struct follower *f = &followers[i];
        f->topic = topic;
        f->in_order = true;
        f->is_lazy = i % 2 == 1;
        pthread_mutex_init(&f->lock, NULL);
        pthread_cond_init(&f->changed, NULL);
        f->reader = (struct topic_reader){.sleep = follower_sleeps, .wake = follower_wakes, .context = f};
        topic_reader_start(&f->reader, topic, 0);
        assert_int_equal(pthread_create(&threads[i], NULL, follow, f), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){topic_hold(topic), i};
        assert_int_equal(pthread_create(&threads[THREAD_READERS + i], NULL, write_events, &writers[i]), 0);
    }
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < THREAD_READERS; k++)
            topic_reader_nudge(&followers[k].reader);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[THREAD_READERS + i], NULL);
    topic_end(topic);
    for (int i = 0; i < THREAD_READERS; i++) {
        struct follower *f = &followers[i];
        pthread_join(threads[i], NULL);
        topic_reader_done(&f->reader);
        assert_true(f->ended);
        assert_true(f->in_order);
        assert_int_equal(f->snapshots, 1);
        for (int w = 0; w < WRITERS; w++)
            assert_int_equal(f->steps[w], EVENTS);
        pthread_cond_destroy(&f->changed);
        pthread_mutex_destroy(&f->lock);
    }
    topic_drop(topic);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_give_the_same_streams),
        cmocka_unit_test(events_come_in_order_behind_the_newest_snapshot),
        cmocka_unit_test(any_size_of_pieces_gives_the_same_bytes),
        cmocka_unit_test(a_reader_that_comes_back_misses_nothing),
        cmocka_unit_test(numbers_are_never_used_twice),
        cmocka_unit_test(ids_carry_the_run),
        cmocka_unit_test(a_slow_reader_gets_a_new_snapshot),
        cmocka_unit_test(no_event_is_torn),
        cmocka_unit_test(what_is_set_takes_the_place_of_the_last),
        cmocka_unit_test(a_base_is_only_for_new_runs),
        cmocka_unit_test(the_end_comes_last_and_once),
        cmocka_unit_test(memory_stays_within_its_limits),
        cmocka_unit_test(a_snapshot_beyond_the_limits_stays_until_there_is_another),
        cmocka_unit_test(an_event_without_memory_changes_nothing),
        cmocka_unit_test(a_reader_is_woken_once_for_each_sleep),
        cmocka_unit_test(threads_write_and_read_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
