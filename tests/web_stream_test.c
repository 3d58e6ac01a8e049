/* SPDX-License-Identifier: MIT
 *
 * Server-sent events over real sockets: connections that sleep, are woken, return, read slowly, vanish; many
 * of them; a server that stops meanwhile.
 */
#include "net/message.c" /* how much a topic stores is private */

#include "tests/web_support.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

static const struct topic_limits usual = {1000, 1 << 22};

struct stage {
    struct web_bench bench;
    struct web_setup setup;
    struct web *web;
};

static void set_up(struct stage *stage, const struct topic_limits *limits) {
    stage->bench.topic = topic_open(limits);
    stage->web = web_test_open(&stage->setup, &stage->bench);
}

static void clear_away(struct stage *stage) {
    web_close(stage->web);
    assert_int_equal(topic_readers(stage->bench.topic), 0);
    topic_drop(stage->bench.topic);
}

/* Asks for the stream; the head has come. */
static void begin(struct stage *stage, struct web_client *client, const char *headers) {
    struct web_reply reply;
    web_client_open(client, web_port(stage->web));
    web_client_send_text(client, "GET /api/stream HTTP/1.1\r\nHost: localhost\r\n%s\r\n", headers);
    assert_true(web_client_head(client, &reply));
    assert_int_equal(reply.status, 200);
    assert_true(web_reply_has(&reply, "Content-Type: text/event-stream"));
    assert_true(web_reply_has(&reply, "X-Accel-Buffering: no"));
    assert_true(web_reply_has(&reply, "Cache-Control: no-store"));
    web_reply_done(&reply);
}

static void add_number(struct topic *topic, const char *name, int n, bool is_snapshot) {
    char data[16];
    snprintf(data, sizeof data, "%d", n);
    assert_true(topic_add(topic, name, data, is_snapshot ? TOPIC_SNAPSHOT : TOPIC_EVENT));
}

static void wait_for_readers(struct topic *topic, int count) {
    for (int i = 0; i < 3000 && topic_readers(topic) != count; i++)
        poll(NULL, 0, 10);
    assert_int_equal(topic_readers(topic), count);
}

static void events_arrive_while_the_connection_sleeps(void **state) {
    (void)state;
    struct stage stage = {0};
    struct web_client client;
    struct text stream = {0};
    set_up(&stage, &usual);
    add_number(stage.bench.topic, "all", 0, true);
    begin(&stage, &client, "");
    for (int i = 1; i < 200; i++) {
        char expected[64];
        add_number(stage.bench.topic, "step", i, false);
        snprintf(expected, sizeof expected, "event: step\ndata: %d\n\n", i);
        assert_true(web_client_until(&client, expected, &stream));
    }
    topic_end(stage.bench.topic);
    assert_false(web_client_until(&client, "never", &stream));
    assert_non_null(strstr(text_string(&stream), "event: end\ndata: {}\n\n"));
    /* The same connection can be used again. */
    struct web_reply reply;
    web_client_send_text(&client, "GET /api/echo HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_true(web_client_reply(&client, false, &reply));
    assert_int_equal(reply.status, 200);
    web_reply_done(&reply);
    web_client_close(&client);
    text_done(&stream);
    clear_away(&stage);
}

/* The last "id: …" of a stream. */
static void last_id(const struct text *stream, char *out, size_t out_size) {
    const char *last = NULL;
    for (const char *at = text_string(stream); (at = strstr(at, "id: ")) != NULL; at += 4)
        last = at + 4;
    assert_non_null(last);
    snprintf(out, out_size, "%.*s", (int)strcspn(last, "\n"), last);
}

static void a_returning_reader_continues(void **state) {
    (void)state;
    struct stage stage = {.setup = {.run = "run1"}};
    struct web_client client;
    struct text stream = {0};
    char id[64], header[128];
    set_up(&stage, &usual);
    add_number(stage.bench.topic, "all", 0, true);
    begin(&stage, &client, "");
    assert_true(web_client_until(&client, "data: 0", &stream));
    web_client_close(&client);
    last_id(&stream, id, sizeof id);
    assert_memory_equal(id, "run1-", 5);
    add_number(stage.bench.topic, "step", 1, false);
    add_number(stage.bench.topic, "step", 2, false);

    snprintf(header, sizeof header, "Last-Event-ID: %s\r\n", id);
    begin(&stage, &client, header);
    text_clear(&stream);
    assert_true(web_client_until(&client, "data: 2\n\n", &stream));
    assert_null(strstr(text_string(&stream), "event: all"));
    assert_non_null(strstr(text_string(&stream), "data: 1\n\n"));
    web_client_close(&client);

    /* An id of another run, or none at all: everything from the beginning. */
    static const char *const strange[] = {"run2-4294967297", "-1", "run1-", "run1-x",
                                          "99999999999999999999999"};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        snprintf(header, sizeof header, "Last-Event-ID: %s\r\n", strange[i]);
        begin(&stage, &client, header);
        text_clear(&stream);
        assert_true(web_client_until(&client, "data: 2\n\n", &stream));
        assert_non_null(strstr(text_string(&stream), "event: all"));
        web_client_close(&client);
    }
    text_done(&stream);
    clear_away(&stage);
}

static void idle_streams_get_signs_of_life_and_the_dead_are_noticed(void **state) {
    (void)state;
    struct stage stage = {.setup = {.limits = {.pulse_ms = 20, .silence_s = 5}}};
    struct web_client client, vanishing;
    struct text stream = {0};
    set_up(&stage, &usual);
    begin(&stage, &client, "");
    begin(&stage, &vanishing, "");
    wait_for_readers(stage.bench.topic, 2);
    assert_true(web_client_until(&client, ":\n\n:\n\n:\n\n", &stream));
    web_client_close(&vanishing);
    wait_for_readers(stage.bench.topic, 1);
    add_number(stage.bench.topic, "all", 7, true);
    assert_true(web_client_until(&client, "data: 7\n\n", &stream));
    web_client_close(&client);
    wait_for_readers(stage.bench.topic, 0);
    text_done(&stream);
    clear_away(&stage);
}

/* It reads nothing while far more data come than the sockets and the log hold: then a snapshot, and the later
 * events. */
static void a_slow_reader_gets_a_new_snapshot(void **state) {
    (void)state;
    const struct topic_limits small = {64, 1 << 20};
    struct stage stage = {0};
    struct web_client client;
    struct text stream = {0};
    static char data[8192];
    memset(data, '7', sizeof data - 1);
    set_up(&stage, &small);
    add_number(stage.bench.topic, "all", 0, true);
    begin(&stage, &client, "");
    for (int i = 0; i < 3000; i++) {
        assert_true(topic_add(stage.bench.topic, "step", data, i % 20 == 0 ? TOPIC_SNAPSHOT : TOPIC_EVENT));
        assert_true(stage.bench.topic->bytes <= small.bytes_max);
        if (i % 100 == 0)
            poll(NULL, 0, 1);
    }
    add_number(stage.bench.topic, "all", 12345, true);
    add_number(stage.bench.topic, "step", 54321, false);
    assert_true(web_client_until(&client, "data: 54321\n\n", &stream));
    assert_non_null(strstr(text_string(&stream), "event: all\ndata: 12345\n\n"));
    assert_true(stream.size < 3000 * sizeof data);
    web_client_close(&client);
    text_done(&stream);
    clear_away(&stage);
}

/* A connection that reads nothing for too long is closed. */
static void a_connection_that_reads_nothing_is_closed(void **state) {
    (void)state;
    const struct topic_limits small = {64, 1 << 20};
    struct stage stage = {.setup = {.limits = {.pulse_ms = 50, .silence_s = 1}}};
    struct web_client client;
    static char data[65536];
    memset(data, '7', sizeof data - 1);
    set_up(&stage, &small);
    add_number(stage.bench.topic, "all", 0, true);
    begin(&stage, &client, "");
    wait_for_readers(stage.bench.topic, 1);
    for (int i = 0; i < 3000 && topic_readers(stage.bench.topic) > 0; i++) {
        topic_add(stage.bench.topic, "all", data, TOPIC_SNAPSHOT);
        poll(NULL, 0, 10);
    }
    wait_for_readers(stage.bench.topic, 0);
    web_client_close(&client);
    clear_away(&stage);
}

static void a_half_closed_stream_goes_on_or_ends_but_does_not_hang(void **state) {
    (void)state;
    struct stage stage = {.setup = {.limits = {.pulse_ms = 20}}};
    struct web_client client;
    set_up(&stage, &usual);
    add_number(stage.bench.topic, "all", 0, true);
    begin(&stage, &client, "");
    shutdown(client.fd, SHUT_WR);
    topic_end(stage.bench.topic);
    assert_true(web_client_has_ended(&client));
    wait_for_readers(stage.bench.topic, 0);
    web_client_close(&client);
    clear_away(&stage);
}

static void an_old_client_gets_the_stream_without_chunks(void **state) {
    (void)state;
    struct stage stage = {0};
    struct web_client client;
    struct web_reply reply;
    set_up(&stage, &usual);
    add_number(stage.bench.topic, "all", 0, true);
    topic_end(stage.bench.topic);
    web_client_open(&client, web_port(stage.web));
    web_client_send_text(&client, "GET /api/stream HTTP/1.0\r\nHost: localhost\r\n\r\n");
    assert_true(web_client_head(&client, &reply));
    assert_true(web_client_has_ended(&client));
    assert_non_null(strstr(text_string(&client.unread), "event: end\ndata: {}\n\n"));
    web_reply_done(&reply);
    web_client_close(&client);
    clear_away(&stage);
}

/* ---- a crowd ---- */

enum { CROWD = 100, STEPS = 300 };

static void *write_steps(void *context) {
    struct topic *topic = context;
    for (int i = 1; i <= STEPS; i++) {
        add_number(topic, "step", i, false);
        if (i % 7 == 0)
            poll(NULL, 0, 1);
    }
    topic_end(topic);
    return NULL;
}

/* Every step once and in order, after one snapshot. */
static void check_steps(const struct text *stream) {
    const char *at = strstr(text_string(stream), "event: all\n");
    assert_non_null(at);
    for (int i = 1; i <= STEPS; i++) {
        at = strstr(at + 1, "event: ");
        assert_non_null(at);
        assert_int_equal(strtol(strstr(at, "data: ") + 6, NULL, 10), i);
    }
    assert_non_null(strstr(at, "event: end\n"));
}

static void a_crowd_gets_every_event_in_order(void **state) {
    (void)state;
    struct stage stage = {0};
    static struct web_client clients[CROWD];
    pthread_t writer;
    set_up(&stage, &usual);
    add_number(stage.bench.topic, "all", 0, true);
    for (int i = 0; i < CROWD; i++)
        begin(&stage, &clients[i], "");
    wait_for_readers(stage.bench.topic, CROWD);
    assert_int_equal(pthread_create(&writer, NULL, write_steps, stage.bench.topic), 0);
    for (int i = 0; i < CROWD; i++) {
        struct text stream = {0};
        assert_false(web_client_until(&clients[i], "never", &stream));
        check_steps(&stream);
        text_done(&stream);
    }
    pthread_join(writer, NULL);
    for (int i = 0; i < CROWD; i++)
        web_client_close(&clients[i]);
    clear_away(&stage);
}

/* ---- stopping ---- */

static atomic_bool writing_goes_on;

static void *write_on(void *context) {
    struct topic *topic = context;
    for (int i = 0; atomic_load(&writing_goes_on); i++)
        add_number(topic, i % 50 == 0 ? "all" : "step", i, i % 50 == 0);
    return NULL;
}

/* Repeatedly: sleeping streams, streams with data under way, and new connections. */
static void a_server_stops_under_its_streams(void **state) {
    (void)state;
    for (int round = 0; round < 30; round++) {
        struct stage stage = {.setup = {.limits = {.pulse_ms = 1}}};
        struct web_client clients[8];
        pthread_t writer;
        set_up(&stage, &usual);
        add_number(stage.bench.topic, "all", 0, true);
        for (int i = 0; i < 8; i++)
            begin(&stage, &clients[i], "");
        atomic_store(&writing_goes_on, true);
        if (round % 2 == 0)
            assert_int_equal(pthread_create(&writer, NULL, write_on, stage.bench.topic), 0);
        poll(NULL, 0, round % 5);
        struct web_client late;
        web_client_open(&late, web_port(stage.web));
        web_client_send_text(&late, "GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
        web_close(stage.web);
        assert_int_equal(topic_readers(stage.bench.topic), 0);
        atomic_store(&writing_goes_on, false);
        if (round % 2 == 0)
            pthread_join(writer, NULL);
        for (int i = 0; i < 8; i++) {
            assert_true(web_client_has_ended(&clients[i]));
            web_client_close(&clients[i]);
        }
        web_client_close(&late);
        topic_drop(stage.bench.topic);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_arrive_while_the_connection_sleeps),
        cmocka_unit_test(a_returning_reader_continues),
        cmocka_unit_test(idle_streams_get_signs_of_life_and_the_dead_are_noticed),
        cmocka_unit_test(a_slow_reader_gets_a_new_snapshot),
        cmocka_unit_test(a_connection_that_reads_nothing_is_closed),
        cmocka_unit_test(a_half_closed_stream_goes_on_or_ends_but_does_not_hang),
        cmocka_unit_test(an_old_client_gets_the_stream_without_chunks),
        cmocka_unit_test(a_crowd_gets_every_event_in_order),
        cmocka_unit_test(a_server_stops_under_its_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
