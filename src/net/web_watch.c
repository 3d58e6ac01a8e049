/* SPDX-License-Identifier: MIT
 *
 * How long a connection may take. libmicrohttpd closes those that are silent; one that sends a byte every few
 * seconds is never silent and never done. So each connection is in a phase that began at some tick, each
 * phase has an end that further bytes do not move, and whoever is late is shut down; libmicrohttpd then sees
 * the end of the connection. Ticks are counted by the ticker (web_stream.c), so that nothing here needs a
 * clock; a machine that slept does not close everything when it wakes up.
 */
#include "net/web_inside.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum {
    ANSWER_MS = 600000, /* to take an answer that is no stream */
    CROWDED_SHARE = 8,  /* of the time for a head is left when the server is nearly full */
    FRESH_MIN = 16,
    FRESH_SHARE = 4,     /* of all connections at most may come from one address and have asked nothing yet */
    TICKS_PER_LIMIT = 4, /* at least: how late a late one can be found */
    TICK_MS_MAX = 500,
};

/* ---- the list ---- */

static int shortest(const struct web_limits *limits) {
    int ms = limits->head_ms < limits->body_ms ? limits->head_ms : limits->body_ms;
    return limits->pulse_ms < ms ? limits->pulse_ms : ms;
}

int web_watch_tick_ms(const struct web *web) {
    const int ms = shortest(&web->setup.limits) / TICKS_PER_LIMIT;
    return ms < 1 ? 1 : ms > TICK_MS_MAX ? TICK_MS_MAX : ms;
}

static bool is_too_many(const struct web *web, const struct web_connection *c) {
    int fresh = 0;
    for (const struct web_connection *other = web->connections; other != NULL; other = other->after)
        fresh += other->phase == WEB_FRESH && strcmp(other->address, c->address) == 0;
    const int most = web->setup.limits.connections / FRESH_SHARE;
    return fresh > (most > FRESH_MIN ? most : FRESH_MIN);
}

static void hang_up(const struct web_connection *c) {
    if (c->fd >= 0)
        shutdown(c->fd, SHUT_RDWR);
}

void web_watch_add(struct web *web, struct web_connection *c) {
    pthread_mutex_lock(&web->watch_lock);
    c->phase = WEB_FRESH;
    c->since = web->ticks;
    c->before = NULL;
    c->after = web->connections;
    if (c->after != NULL)
        c->after->before = c;
    web->connections = c;
    web->connection_count++;
    if (is_too_many(web, c))
        hang_up(c);
    pthread_mutex_unlock(&web->watch_lock);
}

void web_watch_remove(struct web *web, struct web_connection *c) {
    pthread_mutex_lock(&web->watch_lock);
    if (c->before != NULL)
        c->before->after = c->after;
    else
        web->connections = c->after;
    if (c->after != NULL)
        c->after->before = c->before;
    web->connection_count--;
    assert(web->connection_count >= 0);
    pthread_mutex_unlock(&web->watch_lock);
}

void web_watch_phase(struct web *web, struct web_connection *c, enum web_phase phase) {
    pthread_mutex_lock(&web->watch_lock);
    c->phase = phase;
    c->since = web->ticks;
    pthread_mutex_unlock(&web->watch_lock);
}

/* ---- the sweep ---- */

/* The longest that a phase may take, in milliseconds; 0: any time. While the server is nearly full those who
 * only hold a connection get less: others wait for it. */
static int64_t longest_ms(const struct web *web, enum web_phase phase) {
    const struct web_limits *limits = &web->setup.limits;
    const bool is_crowded = web->connection_count >= limits->connections - limits->connections / 4;
    const int64_t head_ms = is_crowded ? limits->head_ms / CROWDED_SHARE : limits->head_ms;
    switch (phase) {
    case WEB_FRESH: return head_ms;
    case WEB_IDLE: return is_crowded ? head_ms : head_ms + limits->silence_s * INT64_C(1000);
    case WEB_BODY: return limits->body_ms;
    case WEB_ANSWER: return ANSWER_MS;
    case WEB_STREAM: break;
    }
    return 0;
}

/* In these phases no answer is on its way that this one could get mixed up with. */
static void say_late(const struct web_connection *c) {
    static const char late[] = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 55\r\n"
                               "Content-Type: text/plain; charset=utf-8\r\n\r\n"
                               "The request took too long to arrive; send it all again\n";
    if (c->phase == WEB_FRESH || c->phase == WEB_BODY)
        (void)!send(c->fd, late, sizeof late - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void web_watch_sweep(struct web *web) {
    pthread_mutex_lock(&web->watch_lock);
    web->ticks++;
    const int tick_ms = web_watch_tick_ms(web);
    for (struct web_connection *c = web->connections; c != NULL; c = c->after) {
        const int64_t longest = longest_ms(web, c->phase);
        if (longest == 0 || (int64_t)(web->ticks - c->since) * tick_ms <= longest || c->fd < 0)
            continue;
        say_late(c);
        hang_up(c);
    }
    pthread_mutex_unlock(&web->watch_lock);
}
