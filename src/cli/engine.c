/* SPDX-License-Identifier: MIT
 *
 * `senjutsu engine`: the protocol session on standard input and output. A second thread reads, so that `stop`
 * is seen while a `go` is running; everything else waits its turn in a bounded queue.
 */
#include "cli/cli.h"

#include "base/mem.h"
#include "config.h"
#include "protocol/session.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { QUEUE_MAX = 256 };

/* Lines on their way from the reader to the session. A line that was too long is passed on cut to one byte
 * more than the limit, which the session refuses in its own words. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *lines[QUEUE_MAX];
    int first, count;
    bool ended, closed; /* no more input; nobody takes lines any more */
    atomic_bool stop;   /* a stop has been read and not yet answered */
};

/* ---- the reader's side ---- */

static bool put(struct queue *q, char *line) {
    pthread_mutex_lock(&q->lock);
    while (q->count == QUEUE_MAX && !q->closed)
        pthread_cond_wait(&q->changed, &q->lock);
    const bool taken = !q->closed;
    if (taken)
        q->lines[(q->first + q->count++) % QUEUE_MAX] = line;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return taken;
}

static bool is_stop(const char *line) {
    return strcmp(line, "stop") == 0;
}

/* Hands over a line; false when nobody wants any more. */
static bool put_line(struct queue *q, struct text *line) {
    size_t size = line->size;
    while (size > 0 && line->data[size - 1] == '\r')
        size--;
    char *copy = mem_alloc(size + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, text_string(line), size);
    text_clear(line);
    if (is_stop(copy))
        atomic_store(&q->stop, true);
    if (put(q, copy))
        return true;
    mem_free(copy);
    return false;
}

/* Appends what fits: a longer line keeps one byte too many, so that it is seen to be too long. */
static void add_cut(struct text *line, const char *bytes, size_t size) {
    const size_t room = SESSION_LINE_MAX + 1 - line->size;
    text_add_bytes(line, bytes, size < room ? size : room);
}

static bool take_bytes(struct queue *q, struct text *line, const char *bytes, size_t size) {
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        const size_t part = end != NULL ? (size_t)(end - bytes) : size;
        add_cut(line, bytes, part);
        if (end == NULL)
            return true;
        if (!put_line(q, line))
            return false;
        bytes += part + 1;
        size -= part + 1;
    }
    return true;
}

static void *reader_main(void *argument) {
    struct queue *q = argument;
    struct text line = {0};
    char buffer[65536];
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || !take_bytes(q, &line, buffer, (size_t)got))
            break;
    }
    if (line.size > 0)
        put_line(q, &line);
    text_done(&line);
    pthread_mutex_lock(&q->lock);
    q->ended = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* ---- the session's side ---- */

/* The next line, or NULL when the input has ended. */
static char *take(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !q->ended)
        pthread_cond_wait(&q->changed, &q->lock);
    char *line = NULL;
    if (q->count > 0) {
        line = q->lines[q->first];
        q->first = (q->first + 1) % QUEUE_MAX;
        q->count--;
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return line;
}

static bool converse(struct session *session, struct queue *q) {
    struct text out = {0};
    bool going = true;
    for (char *line; going && (line = take(q)) != NULL;) {
        if (is_stop(line))
            atomic_store(&q->stop, false); /* answered now: later commands are not stopped by it */
        text_clear(&out);
        going = session_line(session, line, &out);
        mem_free(line);
        fwrite(text_string(&out), 1, out.size, stdout);
        if (fflush(stdout) != 0)
            break;
    }
    text_done(&out);
    return ferror(stdout) == 0;
}

/* After quit the reader may still sit in read(): it is left behind and ends with the program. */
static void close_queue(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    while (q->count > 0) {
        mem_free(q->lines[q->first]);
        q->first = (q->first + 1) % QUEUE_MAX;
        q->count--;
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

int cli_engine(const struct cli_command *self, int argc, char **argv) {
    const char *player = "acteval";
    uint64_t seed = 1;
    int status;
    const struct cli_option options[] = {
        {"player", CLI_TEXT, &player, "SPEC", "who answers go", 0, 0},
        {"seed", CLI_U64, &seed, "N", "of that player's random numbers", 0, 0},
        {0},
    };
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    const struct session_setup setup = {.version = SENJUTSU_VERSION,
                                        .player = player,
                                        .seed = seed,
                                        .clock = cli_clock(),
                                        .stop = &queue.stop,
                                        .files = true};
    struct err e;
    struct session *session = session_open(&setup, &e);
    if (session == NULL)
        return cli_fail(self, CLI_USAGE, "%s", e.text);
    pthread_t reader;
    if (pthread_create(&reader, NULL, reader_main, &queue) != 0) {
        session_close(session);
        return cli_fail(self, CLI_FAILED, "no thread can be started");
    }
    pthread_detach(reader);
    const bool written = converse(session, &queue);
    close_queue(&queue);
    session_close(session);
    return written ? CLI_OK : cli_fail(self, CLI_FAILED, "standard output cannot be written");
}
