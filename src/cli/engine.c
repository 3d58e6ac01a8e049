/* SPDX-License-Identifier: MIT
 *
 * `senjutsu engine`: the protocol session on standard input and output, or over TCP. A second thread reads,
 * so that `stop` is seen while a `go` is running; everything else waits its turn in a bounded queue.
 */
#include "cli/engine.h"

#include "base/mem.h"
#include "config.h"
#include "player/usual.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the reader's side ---- */

static bool put(struct engine_queue *q, char *line) {
    pthread_mutex_lock(&q->lock);
    while (q->count == ENGINE_QUEUE_MAX && !q->closed)
        pthread_cond_wait(&q->changed, &q->lock);
    const bool taken = !q->closed;
    if (taken)
        q->lines[(q->first + q->count++) % ENGINE_QUEUE_MAX] = line;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return taken;
}

static bool is_stop(const char *line) {
    return strcmp(line, "stop") == 0;
}

/* Hands over a line; false when nobody wants any more. */
static bool put_line(struct engine_queue *q, struct text *line) {
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

static bool take_bytes(struct engine_queue *q, struct text *line, const char *bytes, size_t size) {
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

void *engine_read(void *argument) {
    struct engine_queue *q = argument;
    struct text line = {0};
    char buffer[65536];
    for (;;) {
        const ssize_t got = read(q->input, buffer, sizeof buffer);
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
static char *take(struct engine_queue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !q->ended)
        pthread_cond_wait(&q->changed, &q->lock);
    char *line = NULL;
    if (q->count > 0) {
        line = q->lines[q->first];
        q->first = (q->first + 1) % ENGINE_QUEUE_MAX;
        q->count--;
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return line;
}

bool engine_converse(struct session *session, struct engine_queue *q,
                     bool (*write_all)(void *to, const char *bytes, size_t size), void *to) {
    struct text out = {0};
    bool going = true, written = true;
    for (char *line; going && written && (line = take(q)) != NULL;) {
        if (is_stop(line))
            atomic_store(&q->stop, false); /* answered now: later commands are not stopped by it */
        text_clear(&out);
        going = session_line(session, line, &out);
        mem_free(line);
        written = out.size == 0 || write_all(to, out.data, out.size);
    }
    text_done(&out);
    return written;
}

void engine_close_queue(struct engine_queue *q) {
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    while (q->count > 0) {
        mem_free(q->lines[q->first]);
        q->first = (q->first + 1) % ENGINE_QUEUE_MAX;
        q->count--;
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

/* ---- standard input and output ---- */

static bool write_output(void *to, const char *bytes, size_t size) {
    (void)to;
    fwrite(bytes, 1, size, stdout);
    return fflush(stdout) == 0 && ferror(stdout) == 0;
}

/* After quit the reader may still sit in read(): it is left behind and ends with the program. */
static int talk_here(const struct cli_command *self, struct session_setup *setup) {
    static struct engine_queue queue = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .input = STDIN_FILENO};
    setup->stop = &queue.stop;
    setup->files = setup->outsiders = true;
    struct err e;
    struct session *session = session_open(setup, &e);
    if (session == NULL)
        return cli_fail(self, CLI_USAGE, "%s", e.text);
    pthread_t reader;
    if (pthread_create(&reader, NULL, engine_read, &queue) != 0) {
        session_close(session);
        return cli_fail(self, CLI_FAILED, "no thread can be started");
    }
    pthread_detach(reader);
    const bool written = engine_converse(session, &queue, write_output, NULL);
    engine_close_queue(&queue);
    session_close(session);
    return written ? CLI_OK : cli_fail(self, CLI_FAILED, "standard output cannot be written");
}

static const char *usual_player(const struct game *game) {
    return usual_players_of(game)->opponent;
}

int cli_engine(const struct cli_command *self, int argc, char **argv) {
    const char *player = NULL, *game = NULL, *listen_at = NULL, *connect_to = NULL;
    uint64_t seed = 1;
    int status;
    const struct cli_option options[] = {
        {"player", CLI_TEXT, &player, "SPEC",
         "who answers go (default: acteval; in games that hide something, ismcts or the game's own)", 0, 0},
        {"game", CLI_TEXT, &game, "SPEC", "begin with that game, as after newgame", 0, 0},
        {"seed", CLI_U64, &seed, "N", "of that player's random numbers", 0, 0},
        {"listen", CLI_TEXT, &listen_at, "[ADDRESS:]PORT",
         "answer whoever connects, several at once, until Ctrl-C; the address is 127.0.0.1 unless given", 0,
         0},
        {"connect", CLI_TEXT, &connect_to, "HOST:PORT", "connect and answer there", 0, 0},
        {0},
    };
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    if (listen_at != NULL && connect_to != NULL)
        return cli_fail(self, CLI_USAGE, "either --listen or --connect, not both");
    struct session_setup setup = {.version = SENJUTSU_VERSION,
                                  .player = player != NULL ? player : "acteval",
                                  .usual_player = player == NULL ? usual_player : NULL,
                                  .game = game,
                                  .seed = seed,
                                  .clock = cli_clock()};
    const struct cli_source source = {.game = game};
    struct err e;
    if (!player_check(setup.player, NULL, &e) || !cli_check_source(&source, &e))
        return cli_fail(self, CLI_USAGE, "%s", e.text);
    return listen_at != NULL    ? engine_listen(self, &setup, listen_at)
           : connect_to != NULL ? engine_connect(self, &setup, connect_to)
                                : talk_here(self, &setup);
}
