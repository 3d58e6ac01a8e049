/* SPDX-License-Identifier: MIT
 *
 * `senjutsu engine` and its peers, over real pipes and sockets: after a peer has gone no work continues, a
 * client that is not an engine's controller is turned away, and the resources of one connection are limited.
 * All time limits here are long, for machines under load; a successful test does not wait for them.
 */
#include "cli/cli.h"
#include "outside_support.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

enum { WAIT_MS = 120000, LOOK_MS = 20 };

/* Both would take years. */
#define ENDLESS_PERFT "newgame synth branching=4 depth=30\nperft 30\n"
#define ENDLESS_GO    "newgame geister\nsetoption player ismcts:sims=1000000000\ngo\n"

struct engine {
    pid_t pid;
    int in, out; /* its standard streams, our ends; -1: closed */
    int port;
};

static void pause_ms(long ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void start(struct engine *engine, const char *option, const char *value, const char *longest) {
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    for (int i = 0; i < 2; i++) { /* a second engine must not hold the first one's pipes */
        fcntl(in[i], F_SETFD, FD_CLOEXEC);
        fcntl(out[i], F_SETFD, FD_CLOEXEC);
    }
    engine->pid = fork();
    assert_true(engine->pid >= 0);
    if (engine->pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execl(outside_senjutsu(), "senjutsu", "engine", option, value, longest != NULL ? "--longest" : NULL,
              longest, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    engine->in = in[1];
    engine->out = out[0];
}

/* Reads until `needle` is there or there is no more to come; false then. */
static bool read_until(int fd, const char *needle, char *said, size_t said_room) {
    size_t size = strlen(said);
    while (strstr(said, needle) == NULL) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (size + 1 >= said_room || poll(&ready, 1, WAIT_MS) <= 0)
            return false;
        const ssize_t got = read(fd, said + size, said_room - size - 1);
        if (got <= 0)
            return false;
        size += (size_t)got;
        said[size] = '\0';
    }
    return true;
}

/* Reads the other side's output to its end. */
static void read_rest(int fd, char *said, size_t said_room) {
    assert_false(read_until(fd, "\1 is never said", said, said_room));
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char byte;
    assert_int_equal(poll(&ready, 1, WAIT_MS), 1);
    assert_true(read(fd, &byte, 1) <= 0);
}

static void say(int fd, const char *text) {
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void listen_with(struct engine *engine, const char *longest) {
    char said[256] = "";
    start(engine, "--listen", "0", longest);
    assert_true(read_until(engine->out, "\n", said, sizeof said));
    assert_int_equal(sscanf(said, "listening on 127.0.0.1:%d", &engine->port), 1);
}

static int connect_to(const struct engine *engine) {
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)engine->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static int threads_of(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static bool wait_for_threads(const struct engine *engine, bool some, int quiet) {
    for (int waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
        if ((threads_of(engine->pid) > quiet) == some)
            return true;
        pause_ms(LOOK_MS);
    }
    return false;
}

/* The status it ended with by itself; -1 when it had to be killed. */
static int ended_with(struct engine *engine) {
    int status = 0;
    for (int waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
        if (waitpid(engine->pid, &status, WNOHANG) == engine->pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        pause_ms(LOOK_MS);
    }
    kill(engine->pid, SIGKILL);
    waitpid(engine->pid, &status, 0);
    return -1;
}

static void close_pipes(struct engine *engine) {
    if (engine->in >= 0)
        close(engine->in);
    if (engine->out >= 0)
        close(engine->out);
}

static void kill_engine(struct engine *engine) {
    kill(engine->pid, SIGKILL);
    waitpid(engine->pid, NULL, 0);
    close_pipes(engine);
}

/* ---- peers that have gone ---- */

/* Waits until the endless command runs: one before it was answered by then. */
static void begin_work(int to, int from, const char *work) {
    char said[512] = "";
    say(to, work);
    assert_true(read_until(from, "ok\n", said, sizeof said));
    pause_ms(50);
}

static void pipes_that_broke_end_the_work(void **state) {
    (void)state;
    static const char *const works[] = {ENDLESS_PERFT, ENDLESS_GO};
    for (int i = 0; i < 4; i++) {
        struct engine engine;
        start(&engine, NULL, NULL, NULL);
        begin_work(engine.in, engine.out, works[i % 2]);
        close(engine.out); /* the reader of the answers has gone ... */
        engine.out = -1;
        if (i < 2) { /* ... and does not even hold the input open */
            close(engine.in);
            engine.in = -1;
        }
        const int status = ended_with(&engine);
        close_pipes(&engine);
        assert_in_range(status, 0, 1);
    }
}

/* A script that has sent all its lines waits for its answers. */
static void the_end_of_the_input_is_no_departure(void **state) {
    (void)state;
    char said[512] = "";
    struct engine engine;
    start(&engine, NULL, NULL, NULL);
    say(engine.in, "newgame synth depth=30\nperft 20\nperft 1\n");
    close(engine.in);
    engine.in = -1;
    read_rest(engine.out, said, sizeof said);
    const int status = ended_with(&engine);
    close_pipes(&engine);
    assert_string_equal(said, "ok\nnodes 1048576\nok\nnodes 2\nok\n");
    assert_int_equal(status, 0);
}

static void reset(int fd) {
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd);
}

static void peers_that_left_end_their_work(void **state) {
    (void)state;
    static const char *const works[] = {ENDLESS_PERFT, ENDLESS_GO};
    struct engine engine;
    listen_with(&engine, NULL);
    const int quiet = threads_of(engine.pid);
    bool ended = true;
    for (int i = 0; i < 3 && ended; i++) {
        const int fd = connect_to(&engine);
        begin_work(fd, fd, works[i % 2]);
        ended = wait_for_threads(&engine, true, quiet);
        if (i < 2)
            reset(fd);
        else
            close(fd);
        ended = ended && wait_for_threads(&engine, false, quiet);
    }
    kill_engine(&engine);
    assert_true(ended);
}

/* More lines than the queue takes: the reader waits, and must see the end all the same. It must not wait for
 * each of the lines that are left, which would take minutes. */
static void peers_that_left_much_behind_end_too(void **state) {
    (void)state;
    static char lines[2 * (ENGINE_QUEUE_MAX + 16000) + 1];
    struct engine engine;
    listen_with(&engine, NULL);
    const int quiet = threads_of(engine.pid), fd = connect_to(&engine);
    begin_work(fd, fd, ENDLESS_PERFT);
    for (size_t i = 0; i + 2 < sizeof lines; i += 2)
        memcpy(lines + i, "x\n", 2);
    say(fd, lines);
    pause_ms(100);
    close(fd);
    const bool ended = wait_for_threads(&engine, false, quiet);
    kill_engine(&engine);
    assert_true(ended);
}

static void peers_that_sent_everything_are_answered(void **state) {
    (void)state;
    char said[512] = "";
    struct engine engine;
    listen_with(&engine, NULL);
    const int fd = connect_to(&engine);
    say(fd, "newgame synth depth=30\nperft 18\nperft 1\n");
    shutdown(fd, SHUT_WR);
    read_rest(fd, said, sizeof said);
    close(fd);
    kill_engine(&engine);
    assert_string_equal(said, "ok\nnodes 262144\nok\nnodes 2\nok\n");
}

/* ---- clients that are not controllers ---- */

static void other_protocols_are_turned_away(void **state) {
    (void)state;
    static const char *const heads[] = {
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n",
        "GET /sjp HTTP/1.0\r\n\r\n",
        "Host: 127.0.0.1\r\n",
        "\x16\x03\x01\x02\n",
        "PRI * HTTP/2.0\r\n\r\n",
    };
    struct engine engine;
    listen_with(&engine, NULL);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        char said[1024] = "";
        const int fd = connect_to(&engine);
        say(fd, heads[i]);
        send(fd, "sjp 1\nhelp\n", 11, MSG_NOSIGNAL);
        read_until(fd, "\1 is never said", said, sizeof said); /* to its end, which may be a reset */
        close(fd);
        assert_null(strstr(said, "id name"));
        assert_null(strstr(said, "commands"));
    }
    kill_engine(&engine);
}

/* ---- limits of a connection ---- */

static void connections_have_a_limit(void **state) {
    (void)state;
    static int fds[ENGINE_CONNECTIONS_MAX];
    char said[256] = "";
    struct engine engine;
    listen_with(&engine, NULL);
    for (int i = 0; i < ENGINE_CONNECTIONS_MAX; i++) {
        char greeting[512] = "";
        fds[i] = connect_to(&engine);
        say(fds[i], "newgame kuhn\n");
        assert_true(read_until(fds[i], "ok\n", greeting, sizeof greeting));
    }
    const int late = connect_to(&engine);
    assert_true(read_until(late, "\n", said, sizeof said));
    char more;
    struct pollfd end = {.fd = late, .events = POLLIN};
    assert_int_equal(poll(&end, 1, 60000), 1);
    assert_int_equal(recv(late, &more, 1, 0), 0); /* a refused client is disconnected */
    close(late);
    assert_string_equal(said, "error too many connections\n");
    /* The place of one that left is free for two others, one after the other. */
    for (int i = 0; i < 2; i++) {
        const int threads = threads_of(engine.pid);
        char greeting[512] = "";
        say(fds[7], "quit\n");
        close(fds[7]);
        assert_true(wait_for_threads(&engine, false, threads - 2)); /* its own and its reader's */
        fds[7] = connect_to(&engine);
        say(fds[7], "newgame kuhn\n");
        assert_true(read_until(fds[7], "ok\n", greeting, sizeof greeting));
    }
    for (int i = 0; i < ENGINE_CONNECTIONS_MAX; i++)
        close(fds[i]);
    kill_engine(&engine);
}

/* Ctrl-C ends all conversations, those with work and those without. */
static void an_engine_that_is_stopped_ends_with_its_peers(void **state) {
    (void)state;
    struct engine engine;
    char said[512] = "";
    listen_with(&engine, NULL);
    const int busy = connect_to(&engine), idle = connect_to(&engine), left = connect_to(&engine);
    begin_work(busy, busy, ENDLESS_PERFT);
    say(idle, "newgame kuhn\n");
    assert_true(read_until(idle, "ok\n", said, sizeof said));
    close(left);
    kill(engine.pid, SIGINT);
    const int status = ended_with(&engine);
    char rest[512] = "";
    read_until(busy, "\1 is never said", rest, sizeof rest);
    close(busy);
    close(idle);
    close_pipes(&engine);
    assert_int_equal(status, 130);
}

static void commands_of_peers_have_a_limit(void **state) {
    (void)state;
    char said[512] = "";
    struct engine engine;
    listen_with(&engine, "1");
    const int fd = connect_to(&engine);
    say(fd, ENDLESS_PERFT);
    assert_true(read_until(fd, "error perft was stopped after 1000 ms", said, sizeof said));
    said[0] = '\0';
    say(fd, ENDLESS_GO);
    assert_true(read_until(fd, "info limit 1000\n", said, sizeof said));
    assert_true(read_until(fd, "\nbest ", said, sizeof said));
    close(fd);
    kill_engine(&engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipes_that_broke_end_the_work),
        cmocka_unit_test(the_end_of_the_input_is_no_departure),
        cmocka_unit_test(peers_that_left_end_their_work),
        cmocka_unit_test(peers_that_left_much_behind_end_too),
        cmocka_unit_test(peers_that_sent_everything_are_answered),
        cmocka_unit_test(other_protocols_are_turned_away),
        cmocka_unit_test(connections_have_a_limit),
        cmocka_unit_test(an_engine_that_is_stopped_ends_with_its_peers),
        cmocka_unit_test(commands_of_peers_have_a_limit),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
