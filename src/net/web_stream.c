/* SPDX-License-Identifier: MIT
 *
 * Streams: a topic's reader behind a connection. While the topic has nothing to say the connection is
 * suspended, and libmicrohttpd does not look at it; so a peer that vanished shows only when something is
 * sent to it, and a comment line every now and then sees to that.
 */
#include "net/web_inside.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096 };

struct web_stream {
    struct web *web;
    struct MHD_Connection *connection;
    struct topic_reader reader;
    struct web_stream *before, *after;
};

/* Both are called with the topic locked, so that no wake can come before its sleep. */
static void suspend(void *context) {
    struct web_stream *stream = context;
    MHD_suspend_connection(stream->connection);
}

static void resume(void *context) {
    struct web_stream *stream = context;
    MHD_resume_connection(stream->connection);
}

static ssize_t read_stream(void *context, uint64_t position, char *out, size_t out_size) {
    struct web_stream *stream = context;
    (void)position;
    if (atomic_load(&stream->web->closing))
        return MHD_CONTENT_READER_END_OF_STREAM;
    const long got = topic_read(&stream->reader, out, out_size);
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : (ssize_t)got;
}

static void close_stream(void *context) {
    struct web_stream *stream = context;
    struct web *web = stream->web;
    pthread_mutex_lock(&web->lock);
    if (stream->before != NULL)
        stream->before->after = stream->after;
    else
        web->streams = stream->after;
    if (stream->after != NULL)
        stream->after->before = stream->before;
    pthread_mutex_unlock(&web->lock);
    topic_reader_done(&stream->reader);
    mem_free(stream);
}

/* A server that is closing takes no more of them: it has counted on their number to fall. */
static bool add_stream(struct web *web, struct web_stream *stream) {
    pthread_mutex_lock(&web->lock);
    const bool is_open = !atomic_load(&web->closing);
    if (is_open) {
        stream->after = web->streams;
        if (web->streams != NULL)
            web->streams->before = stream;
        web->streams = stream;
    }
    pthread_mutex_unlock(&web->lock);
    return is_open;
}

struct MHD_Response *web_stream_open(struct web *web, struct MHD_Connection *connection, struct topic *topic,
                                     uint64_t last_seen) {
    struct web_stream *stream = mem_alloc(sizeof *stream);
    if (stream == NULL)
        return NULL;
    stream->web = web;
    stream->connection = connection;
    stream->reader.sleep = suspend;
    stream->reader.wake = resume;
    stream->reader.context = stream;
    stream->reader.run = web->setup.run;
    topic_reader_start(&stream->reader, topic, last_seen);
    if (!add_stream(web, stream)) {
        topic_reader_done(&stream->reader);
        mem_free(stream);
        return NULL;
    }
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, stream, close_stream);
    if (response == NULL)
        close_stream(stream);
    else
        web_watch_phase(web, web_connection_of(connection), WEB_STREAM);
    return response;
}

/* ---- signs of life, and a look at those who are late ---- */

static void nudge_all(struct web *web) {
    pthread_mutex_lock(&web->lock);
    for (struct web_stream *stream = web->streams; stream != NULL; stream = stream->after)
        topic_reader_nudge(&stream->reader);
    pthread_mutex_unlock(&web->lock);
}

static void *tick(void *context) {
    struct web *web = context;
    struct pollfd stop = {.fd = web->stop_pipe[0], .events = POLLIN};
    const int tick_ms = web_watch_tick_ms(web);
    for (int quiet_ms = 0;;) {
        const int came = poll(&stop, 1, tick_ms);
        if (came > 0)
            return NULL;
        if (came < 0)
            continue;
        web_watch_sweep(web);
        quiet_ms += tick_ms;
        if (quiet_ms >= web->setup.limits.pulse_ms) {
            nudge_all(web);
            quiet_ms = 0;
        }
    }
}

bool web_ticker_start(struct web *web, struct err *e) {
    if (pipe(web->stop_pipe) != 0) {
        web->stop_pipe[0] = web->stop_pipe[1] = -1;
        return err_set(e, "no pipe can be had: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++)
        fcntl(web->stop_pipe[i], F_SETFD, FD_CLOEXEC);
    const int cause = pthread_create(&web->ticker, NULL, tick, web);
    web->is_ticking = cause == 0;
    return web->is_ticking || err_set(e, "no thread can be had: %s", strerror(cause));
}

void web_ticker_stop(struct web *web) {
    if (web->is_ticking) {
        while (write(web->stop_pipe[1], "", 1) < 0 && errno == EINTR)
            ;
        pthread_join(web->ticker, NULL);
    }
    for (int i = 0; i < 2; i++)
        if (web->stop_pipe[i] >= 0)
            close(web->stop_pipe[i]);
}

void web_streams_end(struct web *web) {
    pthread_mutex_lock(&web->lock);
    atomic_store(&web->closing, true);
    pthread_mutex_unlock(&web->lock);
    nudge_all(web);
}
