/* SPDX-License-Identifier: MIT
 *
 * `senjutsu engine`: the protocol session on standard input and output, or over TCP. `--listen` gives every
 * connection a session of its own; `--connect` goes to a peer that waits for an engine. A second thread reads
 * the input, so that `stop` and the end of the connection are noticed while a `go` runs; all other lines wait
 * in a bounded queue.
 */
#define _GNU_SOURCE /* POLLRDHUP */
#include "cli/cli.h"
#include "config.h"
#include "link/link.h"
#include "player/player.h"
#include "protocol/session.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Lines passed from the reader to the session. */
struct engine_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct text waiting; /* complete lines, each with its end */
    int count;           /* of these lines */
    bool ended, gone;    /* no more input; the conversation is over, from either side */
    atomic_bool stop;    /* a stop was read and is not yet answered, or the peer has gone */
    int input, output; /* the descriptor that is read, and the one that others write to; equal for a socket */
    int64_t ended_ns;  /* when the peer closed its side of a socket; 0: not yet */
};

enum { LOOK_MS = 50 }; /* between two tests whether the peer is still there, while nothing is read */

/* ---- the queue ---- */

/* Waits use the monotonic clock: with the default one a change of system time would end or extend them. */
static void open_queue(struct engine_queue *q, int input, int output) {
    memset(q, 0, sizeof *q);
    q->input = input;
    q->output = output;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void done_queue(struct engine_queue *q) {
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
}

/* Ends the conversation: the peer has gone, or the session does not want more lines. Wakes both sides. */
static void mark_gone(struct engine_queue *q) {
    pthread_mutex_lock(&q->lock);
    q->gone = true;
    atomic_store(&q->stop, true);
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

/* Waits until the queue changes or LOOK_MS have passed. Called with the lock held. */
static void wait_slice(struct engine_queue *q) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&q->changed, &q->lock, &until);
}

/* ---- the reader's side ---- */

/* True when the peer has gone. The end of its input is not enough: a script may have sent all its commands
 * and wait for the answers. A pipe's peer has gone when our output has no reader. For a socket that shows
 * only on writing, so it gets ENGINE_FAREWELL_MS. */
static bool is_gone(struct engine_queue *q) {
    const bool is_socket = q->input == q->output;
    struct pollfd output = {.fd = q->output, .events = is_socket ? POLLRDHUP : 0};
    if (poll(&output, 1, 0) <= 0)
        return false;
    if ((output.revents & (POLLERR | POLLHUP)) != 0)
        return true;
    if ((output.revents & POLLRDHUP) == 0)
        return false;
    const int64_t now = clock_now_ns(cli_clock());
    if (q->ended_ns == 0)
        q->ended_ns = now;
    return now - q->ended_ns >= ENGINE_FAREWELL_MS * INT64_C(1000000);
}

/* Other spellings (with blanks, say) wait in the queue like any command: they end no running search. */
static bool is_stop(const char *line) {
    return strcmp(line, "stop") == 0;
}

/* Adds a complete line to the queue, once there is room; false when lines are no longer accepted. */
static bool put_line(struct engine_queue *q, struct text *line) {
    while (line->size > 0 && line->data[line->size - 1] == '\r')
        line->data[--line->size] = '\0';
    for (size_t i = 0; i < line->size; i++)
        if (line->data[i] == '\0')
            line->data[i] = '\1'; /* also not text, but does not end the string */
    if (is_stop(text_string(line)))
        atomic_store(&q->stop, true); /* at once: the line itself waits until the running command has ended */
    pthread_mutex_lock(&q->lock);
    while ((q->count == ENGINE_QUEUE_MAX ||
            (q->count > 0 && q->waiting.size + line->size + 1 > ENGINE_QUEUE_BYTES_MAX)) &&
           !q->gone) {
        wait_slice(q);
        q->gone = q->gone || is_gone(q);
    }
    const bool taken = !q->gone;
    if (taken) {
        text_add(&q->waiting, "%s\n", text_string(line));
        q->count++;
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    text_clear(line);
    return taken;
}

/* Waits for input; false when answers are no longer read. */
static bool wait_for_input(struct engine_queue *q) {
    const bool is_socket = q->input == q->output;
    struct pollfd fds[2] = {{.fd = q->input, .events = POLLIN}, {.fd = is_socket ? -1 : q->output}};
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno == EINTR)
            continue;
        if ((fds[1].revents & (POLLERR | POLLHUP)) != 0)
            return false;
        if (fds[0].revents != 0)
            return true;
        fds[1].fd = -1; /* was never open: the write reports it */
    }
}

/* False when the peer has gone, true at the end of its input. A line that is too long is cut to one byte more
 * than the limit, so that the session refuses it with its own message. */
static bool read_all(struct engine_queue *q, struct text *line) {
    char buffer[65536];
    while (wait_for_input(q)) {
        const ssize_t got = read(q->input, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 || q->input != q->output; /* a socket was reset */
        for (const char *at = buffer, *end = buffer + got; at < end;) {
            const char *line_end = memchr(at, '\n', (size_t)(end - at));
            const size_t part = (size_t)((line_end != NULL ? line_end : end) - at);
            const size_t room = SESSION_LINE_MAX + 1 - line->size;
            text_add_bytes(line, at, part < room ? part : room);
            if (line_end != NULL && !put_line(q, line))
                return false;
            at = line_end != NULL ? line_end + 1 : end;
        }
    }
    return false;
}

/* The reader thread; its argument is the queue. Reads lines to the end of the input, then tests whether
 * the peer is still there until the queue is closed. When the peer has gone, sets `stop` and drops the
 * waiting lines. */
static void *read_lines(void *argument) {
    struct engine_queue *q = argument;
    struct text line = {0};
    if (read_all(q, &line)) {
        if (line.size > 0)
            put_line(q, &line);
        pthread_mutex_lock(&q->lock);
        q->ended = true;
        pthread_cond_broadcast(&q->changed);
        while (!q->gone && !is_gone(q))
            wait_slice(q);
        pthread_mutex_unlock(&q->lock);
    }
    text_done(&line);
    mark_gone(q);
    return NULL;
}

/* ---- the session's side ---- */

/* Takes the next line; false at the end of the input or when the peer has gone. */
static bool take(struct engine_queue *q, struct text *line) {
    struct text *waiting = &q->waiting;
    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !q->ended && !q->gone)
        pthread_cond_wait(&q->changed, &q->lock);
    const bool taken = q->count > 0 && !q->gone;
    if (taken) {
        const size_t size = strcspn(waiting->data, "\n");
        assert(waiting->data[size] == '\n');
        text_clear(line);
        text_add_bytes(line, waiting->data, size);
        waiting->size -= size + 1; /* mostly this was the only line */
        memmove(waiting->data, waiting->data + size + 1, waiting->size + 1); /* with the NUL */
        q->count--;
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return taken;
}

/* Standard output may be a pipe, a file or a terminal, and its stream handles short writes. Sending to a
 * socket whose peer is gone must not raise SIGPIPE, which would end all other conversations. */
static bool write_answer(const struct engine_queue *q, const char *bytes, size_t size) {
    if (q->input != q->output) {
        fwrite(bytes, 1, size, stdout);
        return fflush(stdout) == 0 && ferror(stdout) == 0;
    }
    while (size > 0) {
        const ssize_t put = send(q->output, bytes, size, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

/* ---- TCP ---- */

enum { ADDRESS_MAX = 128, CONNECT_SECONDS = 60 };

/* A thread of its own serves each connection; it is detached, and frees the entry at its end. */
struct connection {
    struct engine_queue queue;
    bool is_used; /* false: this entry is free, and its queue undefined */
};

/* A process has one server at most. */
static struct {
    const struct session_setup *setup;
    pthread_mutex_t lock; /* protects is_used of the connections */
    pthread_cond_t ended; /* a connection has */
    struct connection connections[ENGINE_CONNECTIONS_MAX];
} server = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

/* Reads the value of --listen, "PORT" or "ADDRESS:PORT", also "[V6]:PORT", with an address where none is
 * given; or of --connect, which needs one. */
static bool read_place(const char *text, bool listens, char address[ADDRESS_MAX], int *port, struct err *e) {
    const char *colon = strrchr(text, ':');
    size_t size = colon != NULL ? (size_t)(colon - text) : 0;
    const bool in_brackets = size >= 2 && text[0] == '[' && text[size - 1] == ']';
    long number;
    if (!text_to_int(colon != NULL ? colon + 1 : text, &number) || number < 0 || number > 65535 ||
        size >= ADDRESS_MAX || (size == 0 && !listens))
        return err_set(e, "--%s: '%.64s' is no address; expected %s, with a port from 0 to 65535",
                       listens ? "listen" : "connect", text, listens ? "PORT or ADDRESS:PORT" : "HOST:PORT");
    *port = (int)number;
    snprintf(address, ADDRESS_MAX, "127.0.0.1");
    if (size > 0)
        snprintf(address, ADDRESS_MAX, "%.*s", (int)(in_brackets ? size - 2 : size),
                 in_brackets ? text + 1 : text);
    return true;
}

/* Reader and writer threads may block, but not on a peer whose machine is gone (no answers to keep-alive
 * probes) nor on one that does not read answers. A socket that does not take these settings still works. */
static void prepare(int fd) {
    const int flags = fcntl(fd, F_GETFL), on = 1, idle_s = ENGINE_PEER_SILENCE_S / 2, probes = 3,
              between_s = ENGINE_PEER_SILENCE_S / 6;
    const struct timeval longest = {.tv_sec = ENGINE_PEER_SILENCE_S};
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &between_s, sizeof between_s);
}

/* Converses until quit or the end of the peer's input; returns the subcommand's status. Leaves a socket open.
 * A network peer may not open files. On standard input the reader may be blocked in read() after quit; it
 * ends with the program. */
static int talk(const struct session_setup *common, struct engine_queue *q, struct err *e) {
    const bool is_socket = q->input == q->output;
    struct session_setup setup = *common;
    setup.stop = &q->stop;
    setup.files = !is_socket;
    if (is_socket)
        prepare(q->input);
    struct session *session = session_open(&setup, e);
    if (session == NULL)
        return CLI_USAGE;
    pthread_t reader; /* a go runs in this thread, so that another must see `stop` */
    if (pthread_create(&reader, NULL, read_lines, q) != 0) {
        session_close(session);
        err_set(e, "no thread can be started");
        return CLI_FAILED;
    }
    struct text line = {0}, out = {0};
    bool going = true, written = true;
    while (going && written && take(q, &line)) {
        if (is_stop(line.data))
            atomic_store(&q->stop, false); /* answered now; it must not stop later commands */
        text_clear(&out);
        going = session_line(session, line.data, &out);
        written = out.size == 0 || write_answer(q, out.data, out.size);
    }
    text_done(&line);
    text_done(&out);
    mark_gone(q); /* releases the reader, which adds no more lines from now on */
    text_done(&q->waiting);
    if (is_socket) {
        shutdown(q->input, SHUT_RDWR); /* wakes the reader */
        pthread_join(reader, NULL);    /* before the caller closes the socket and frees the queue */
    } else
        pthread_detach(reader);
    session_close(session);
    return is_socket || written || err_set(e, "standard output cannot be written") ? CLI_OK : CLI_FAILED;
}

/* One conversation with a peer that waits for an engine, for instance senjutsu with ext:listen=PORT on
 * another machine. */
static int connect_to_peer(const struct session_setup *setup, const char *place, struct err *e) {
    char host[ADDRESS_MAX];
    int port;
    if (!read_place(place, false, host, &port, e))
        return CLI_USAGE;
    const int64_t until_ns = clock_now_ns(setup->clock) + CONNECT_SECONDS * INT64_C(1000000000);
    const int fd =
        link_connect_socket(host, port, &(struct link_wait){.clock = setup->clock, .until_ns = until_ns}, e);
    if (fd < 0)
        return CLI_FAILED;
    struct engine_queue queue;
    open_queue(&queue, fd, fd);
    const bool talked = talk(setup, &queue, e) == CLI_OK;
    close(fd);
    done_queue(&queue);
    return talked ? CLI_OK : CLI_FAILED;
}

/* The thread of one connection. Its errors are the peer's concern: the other conversations go on. */
static void *connection_main(void *argument) {
    struct connection *c = argument;
    struct err e;
    talk(server.setup, &c->queue, &e);
    pthread_mutex_lock(&server.lock);
    close(c->queue.input);
    done_queue(&c->queue);
    c->is_used = false;
    pthread_cond_signal(&server.ended);
    pthread_mutex_unlock(&server.lock);
    return NULL;
}

/* Takes ownership of the socket. A peer that finds no free entry is told so: otherwise it would wait for a
 * greeting until its time is over. */
static void serve(int fd) {
    static const char full[] = "error too many connections\n";
    struct connection *c = server.connections, *end = c + ENGINE_CONNECTIONS_MAX;
    pthread_t thread;
    pthread_mutex_lock(&server.lock);
    while (c < end && c->is_used)
        c++;
    bool ok = c < end;
    if (ok) {
        open_queue(&c->queue, fd, fd);
        ok = pthread_create(&thread, NULL, connection_main, c) == 0; /* it waits for the lock to end */
        c->is_used = ok;
        if (ok)
            pthread_detach(thread);
        else
            done_queue(&c->queue);
    }
    pthread_mutex_unlock(&server.lock);
    if (!ok) {
        send(fd, full, sizeof full - 1, MSG_NOSIGNAL);
        close(fd);
    }
}

/* Serves peers until it is stopped. Network peers may neither open files nor start programs. */
static int listen_for_peers(const struct session_setup *setup, const char *place, struct err *e) {
    char address[ADDRESS_MAX];
    int port;
    if (!read_place(place, true, address, &port, e))
        return CLI_USAGE;
    if (link_listener(address, &port, e) < 0)
        return CLI_FAILED;
    server.setup = setup;
    cli_catch_interrupt();
    printf("listening on %s:%d\n", address, port);
    fflush(stdout);
    const struct link_wait wait = {.clock = setup->clock, .stop = &cli_stop};
    for (int fd; (fd = link_accept_socket(address, port, &wait, e)) >= 0;)
        serve(fd);
    struct connection *all = server.connections;
    pthread_mutex_lock(&server.lock); /* ends all conversations and waits for them */
    for (int i = 0; i < ENGINE_CONNECTIONS_MAX; i++)
        if (all[i].is_used) {
            mark_gone(&all[i].queue);
            shutdown(all[i].queue.input, SHUT_RDWR);
        }
    for (int i = 0; i < ENGINE_CONNECTIONS_MAX; i++)
        while (all[i].is_used)
            pthread_cond_wait(&server.ended, &server.lock);
    pthread_mutex_unlock(&server.lock);
    return atomic_load(&cli_stop) ? CLI_OK : CLI_FAILED;
}

/* ---- the command ---- */

struct engine_options {
    const char *player, *game, *listen_at, *connect_to;
    bool programs;
    uint64_t seed;
    int longest_s;
};

#define AT(field) offsetof(struct engine_options, field)

static const struct param engine_params[] = {
    {"player", PARAM_PLAYER, AT(player),
     .help = "the player that answers go (default: acteval; with hidden parts ismcts or the game's own)"},
    {"game", PARAM_STRING, AT(game), .value = "SPEC", .help = "begin with that game, as after newgame"},
    {"seed", PARAM_U64, AT(seed), .fallback = 1, .help = "of that player's random numbers"},
    {"listen", PARAM_STRING, AT(listen_at), .value = "[ADDRESS:]PORT",
     .help = "answer clients that connect, several at once, until Ctrl-C; on 127.0.0.1 unless given"},
    {"connect", PARAM_STRING, AT(connect_to), .value = "HOST:PORT", .help = "connect and answer there"},
    {"longest", PARAM_INT, AT(longest_s), 1, ENGINE_PEER_SECONDS_MAX, ENGINE_PEER_SECONDS, .value = "SECONDS",
     .help = "over TCP: how long one go or perft may take; it is cut short then"},
    {"programs", PARAM_FLAG, AT(programs),
     .help = "on standard input: setoption may choose players that start programs or read files"},
    {0},
};

static int run_engine(void *state, const struct cli_call *call, struct err *e) {
    const struct engine_options *o = state;
    if (o->listen_at != NULL && o->connect_to != NULL)
        return cli_error(CLI_USAGE, "either --listen or --connect, not both");
    const bool over_tcp = o->listen_at != NULL || o->connect_to != NULL;
    if (o->programs && over_tcp)
        return cli_error(CLI_USAGE,
                         "--programs is for standard input only: it is not available over the network");
    if (params_given(call->sections, "longest") && !over_tcp)
        return cli_error(CLI_USAGE, "--longest is for peers: it needs --listen or --connect");
    /* Limits are for peers: a person or a script at standard input decides about this machine anyway. */
    const struct session_limits limits = {.memory_mb = ENGINE_PEER_MEMORY_MB,
                                          .threads = cli_cores(),
                                          .command_ns = o->longest_s * INT64_C(1000000000)};
    struct session_setup setup = {.version = SENJUTSU_VERSION,
                                  .player = o->player != NULL ? o->player : "acteval",
                                  .plays_opponents = o->player == NULL,
                                  .game = o->game,
                                  .seed = o->seed,
                                  .grant = o->programs ? &grant_everything : cli_grant(),
                                  .clock = cli_clock(),
                                  .limits = over_tcp ? &limits : NULL};
    const struct cli_source source = {.game = o->game};
    if (!player_check(setup.player, NULL, e) || !cli_check_source(&source, e))
        return CLI_USAGE;
    if (o->listen_at != NULL)
        return listen_for_peers(&setup, o->listen_at, e);
    if (o->connect_to != NULL)
        return connect_to_peer(&setup, o->connect_to, e);
    static struct engine_queue queue; /* the reader may outlive this function */
    open_queue(&queue, STDIN_FILENO, STDOUT_FILENO);
    return talk(&setup, &queue, e);
}

const struct cli_body cli_engine = {sizeof(struct engine_options), {{engine_params}}, .run = run_engine};
