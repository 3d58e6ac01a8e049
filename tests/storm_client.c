/* SPDX-License-Identifier: MIT */
#include "storm_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MS INT64_C(1000000)

enum {
    REST_MS = 2,         /* between two pieces of what is sent slowly */
    RUDE_LIFE_MS = 2000, /* after that even a silent client gives up */
    FLOOD_MAX = 4 << 20, /* bytes */
};

static void say(struct storm_client *c, const char *text) {
    text_add_string(&c->out, text);
}

static void leave(struct storm_client *c) {
    c->end = STORM_GONE;
}

/* With a reset and not with a goodbye. */
static void tear(struct storm_client *c) {
    const struct linger none = {1, 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    leave(c);
}

static void complain(struct storm_client *c, const char *what) {
    err_set(&c->reason, "%s player, %s: %s (after %d moves; surprises: %d, %s)",
            c->side == 0 ? "first" : "second", c->mode->name, what, (int)geister_client_state(&c->game)->ply,
            c->game.surprises, c->game.first.text);
    c->end = STORM_FAILED;
}

/* ---- honest ones ---- */

static void decide(struct storm_client *c, char answer[GEISTER_ANSWER_MAX]) {
    struct geister view;
    struct err e;
    action list[GEISTER_SETUPS];
    game_view(&geister_game, geister_client_state(&c->game), c->game.side, &view);
    const int count = geister_game.actions(&view, list);
    if (!geister_client_decide(&c->game, list[rng_below(c->rng, (uint32_t)count)], -1, answer, &e))
        complain(c, e.text);
}

static void play_line(struct storm_client *c, const char *line) {
    struct err e = {{0}};
    char answer[GEISTER_ANSWER_MAX] = "";
    switch (geister_client_take(&c->game, line, &e)) {
    case GEISTER_STEP_FAILED:
    case GEISTER_STEP_REFUSED: complain(c, e.text[0] != '\0' ? e.text : "a legal move was refused"); return;
    case GEISTER_STEP_OVER:
        /* A client that plays by the rules can lose only by them; another one may lose at any time. */
        if (!c->game.by_rules && c->game.outcome != GEISTER_WON)
            complain(c, "lost without having done anything wrong");
        else if (c->game.surprises > 0)
            complain(c, "the server was inconsistent");
        else
            c->end = STORM_OVER;
        return;
    case GEISTER_STEP_NOTHING: break;
    }
    if (c->game.wants == GEISTER_WANTS_NOTHING)
        return;
    decide(c, answer);
    say(c, answer);
}

/* The same in another spelling: small letters, long directions. */
static void play_wordily(struct storm_client *c, const char *line) {
    static const char *const directions[] = {"North", "EAST", "west", "sOUTH"};
    static const char letters[] = "NEWS";
    const size_t before = c->out.size;
    play_line(c, line);
    if (c->out.size == before)
        return;
    char *answer = c->out.data + before;
    if (strncmp(answer, "SET:", 4) == 0) {
        for (int i = 4; i < 8; i++)
            answer[i] = (char)(answer[i] - 'A' + 'a');
        return;
    }
    const char piece = answer[4], way = answer[6];
    c->out.size = before;
    text_add(&c->out, "MOV:%chost,%s\r\n", piece - 'A' + 'a', directions[strchr(letters, way) - letters]);
}

/* ---- rude ones ---- */

static void leave_on_line(struct storm_client *c, const char *line) {
    (void)line;
    leave(c);
}

static void set_and_leave(struct storm_client *c, const char *line) {
    if (strcmp(line, "SET?") == 0)
        say(c, "SET:ABCD\r\n");
    else
        leave(c);
}

/* Once the game has begun the second time is against the rules. */
static void set_twice(struct storm_client *c, const char *line) {
    play_line(c, line);
    if (strcmp(line, "SET?") == 0)
        say(c, "SET:ABCD\r\n");
}

static void set_and_sleep(struct storm_client *c, const char *line) {
    if (strcmp(line, "SET?") == 0)
        say(c, "SET:EFGH\r\n");
}

/* Plays well until it leaves in the middle of the game. */
static void play_and_leave(struct storm_client *c, const char *line) {
    if (strncmp(line, "MOV?", 4) == 0 && ++c->steps > 5)
        leave(c);
    else
        play_line(c, line);
}

static void play_and_tear(struct storm_client *c, const char *line) {
    if (strncmp(line, "MOV?", 4) == 0 && ++c->steps > 3)
        tear(c);
    else
        play_line(c, line);
}

static void play_illegally(struct storm_client *c, const char *line) {
    if (strncmp(line, "MOV?", 4) == 0 && ++c->steps > 4)
        say(c, "MOV:A,Q\r\n");
    else if (strncmp(line, "SET?", 4) == 0 || strncmp(line, "MOV?", 4) == 0 || c->steps <= 4)
        play_line(c, line);
}

/* Everything at once, in turn or not, empty lines and halves of lines between. */
static void babble(struct storm_client *c, const char *line) {
    (void)line;
    if (c->steps++ < 50)
        say(c, "\r\n\r\nMOV:A,N\r\nSET:ABCD\r\nSET:AAAA\r\nMOV:,N\r\nset:abcd\r\nMOV:A,NORTH\r\n\n\n\r");
}

static void send_garbage(struct storm_client *c) {
    char bytes[512];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)rng_below(c->rng, 256);
    text_add_bytes(&c->out, bytes, sizeof bytes);
    say(c, "\r\n");
}

static void send_half(struct storm_client *c) {
    say(c, "SET:AB");
}

static void send_http(struct storm_client *c) {
    say(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

static void flood(struct storm_client *c) {
    if (c->out.size < FLOOD_MAX)
        for (int i = 0; i < 400; i++)
            say(c, "SET:ABCD\r\nMOV:A,N\r\n");
}

/* A line without an end. */
static void flood_line(struct storm_client *c) {
    char bytes[8192];
    memset(bytes, 'A', sizeof bytes);
    if (c->out.size < FLOOD_MAX)
        text_add_bytes(&c->out, bytes, sizeof bytes);
}

/* ---- rude ones before the viewers' door ---- */

static void shake_hands(struct storm_client *c) {
    say(c, "GET /ws/geister HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n");
}

static void shake_hands_and_send_garbage(struct storm_client *c) {
    shake_hands(c);
    send_garbage(c);
}

static void ask_for_games(struct storm_client *c) {
    say(c, "GET /games HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

static void send_headers(struct storm_client *c) {
    if (c->steps++ == 0)
        say(c, "GET / HTTP/1.1\r\n");
    say(c, "X-More: and more\r\n");
}

const struct storm_mode storm_modes[] = {
    {.name = "honest", .is_honest = true, .line = play_line},
    {.name = "honest, byte by byte", .is_honest = true, .piece = 1, .line = play_line},
    {.name = "honest, in other words", .is_honest = true, .line = play_wordily},
    {.name = "silent"},
    {.name = "leaves at once", .ready = leave},
    {.name = "leaves at SET?", .line = leave_on_line},
    {.name = "leaves after SET", .line = set_and_leave},
    {.name = "reds twice", .line = set_twice},
    {.name = "leaves in the game", .line = play_and_leave},
    {.name = "resets in the game", .line = play_and_tear},
    {.name = "sleeps in the game", .line = set_and_sleep},
    {.name = "illegal moves", .line = play_illegally},
    {.name = "babbles", .line = babble},
    {.name = "garbage", .ready = send_garbage, .tick = send_garbage},
    {.name = "half a line", .ready = send_half},
    {.name = "HTTP on the game's port", .ready = send_http},
    {.name = "floods", .tick = flood},
    {.name = "endless line", .tick = flood_line},
    {.name = "floods and never reads", .is_deaf = true, .tick = flood},
    {.name = "watches", .is_viewer = true, .ready = shake_hands},
    {.name = "watches and never reads", .is_viewer = true, .is_deaf = true, .ready = shake_hands},
    {.name = "WebSocket garbage", .is_viewer = true, .ready = shake_hands_and_send_garbage},
    {.name = "asks for games", .is_viewer = true, .ready = ask_for_games},
    {.name = "endless headers", .is_viewer = true, .piece = 40, .tick = send_headers},
    {.name = "HTTP garbage", .is_viewer = true, .ready = send_garbage},
    {0},
};

/* ---- the connection ---- */

bool storm_client_open(struct storm_client *c, const struct storm_mode *mode, int port, int side,
                       const struct scenario *scenario, int64_t now_ns) {
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0)
        return false;
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    fcntl(c->fd, F_SETFD, FD_CLOEXEC);
    c->mode = mode;
    c->side = side;
    c->is_connected = false;
    c->end = STORM_GOES_ON;
    c->since_ns = now_ns;
    c->rest_until_ns = 0;
    c->steps = 0;
    c->in_size = c->out_sent = 0;
    text_clear(&c->out);
    geister_client_init(&c->game, scenario, side, mode->name);
    c->has_game = true;
    if (connect(c->fd, (const struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS)
        return true;
    storm_client_close(c);
    return false;
}

void storm_client_close(struct storm_client *c) {
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    if (c->has_game)
        record_done(&c->game.record);
    c->has_game = false;
}

static void connected(struct storm_client *c) {
    struct sockaddr_in own;
    socklen_t size = sizeof own;
    int error = 0;
    socklen_t error_size = sizeof error;
    getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &error_size);
    if (error != 0 || getsockname(c->fd, (struct sockaddr *)&own, &size) != 0) {
        leave(c); /* the queue of the port was full: another try */
        return;
    }
    c->local_port = ntohs(own.sin_port);
    c->is_connected = true;
    if (c->mode->ready != NULL)
        c->mode->ready(c);
}

/* The server closed. */
static void closed(struct storm_client *c) {
    if (c->mode->is_honest && c->game.greeted)
        complain(c, "the server closed the connection");
    else
        leave(c);
}

static void take_lines(struct storm_client *c) {
    char *start = c->in;
    for (char *end;
         c->end == STORM_GOES_ON && (end = memchr(start, '\n', c->in_size - (size_t)(start - c->in))) != NULL;
         start = end + 1) {
        if (end > start && end[-1] == '\r')
            end[-1] = '\0';
        *end = '\0';
        c->mode->line(c, start);
    }
    c->in_size -= (size_t)(start - c->in);
    memmove(c->in, start, c->in_size);
}

static void receive(struct storm_client *c) {
    if (c->in_size == sizeof c->in)
        c->in_size = 0; /* a viewer's page, for example: ignored */
    const ssize_t n = recv(c->fd, c->in + c->in_size, sizeof c->in - c->in_size, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        closed(c);
        return;
    }
    c->in_size += n > 0 ? (size_t)n : 0;
    if (c->mode->line != NULL)
        take_lines(c);
    else
        c->in_size = 0;
}

static void transmit(struct storm_client *c, int64_t now_ns) {
    size_t size = c->out.size - c->out_sent;
    if (c->mode->piece > 0 && size > (size_t)c->mode->piece)
        size = (size_t)c->mode->piece;
    const ssize_t n = send(c->fd, c->out.data + c->out_sent, size, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        closed(c);
        return;
    }
    c->out_sent += n > 0 ? (size_t)n : 0;
    if (c->mode->piece > 0)
        c->rest_until_ns = now_ns + REST_MS * MS;
    if (c->out_sent == c->out.size) {
        text_clear(&c->out);
        c->out_sent = 0;
    }
}

static bool has_to_send(const struct storm_client *c, int64_t now_ns) {
    return c->out.size > c->out_sent && now_ns >= c->rest_until_ns;
}

short storm_client_events(const struct storm_client *c, int64_t now_ns) {
    if (!c->is_connected)
        return POLLOUT;
    return (short)((c->mode->is_deaf ? 0 : POLLIN) | (has_to_send(c, now_ns) ? POLLOUT : 0));
}

void storm_client_serve(struct storm_client *c, short events, int64_t now_ns) {
    if (!c->is_connected && events != 0)
        connected(c);
    if (c->is_connected && c->end == STORM_GOES_ON && (events & (POLLIN | POLLHUP | POLLERR)) != 0) {
        if (c->mode->is_deaf)
            leave(c);
        else
            receive(c);
    }
    if (c->is_connected && c->end == STORM_GOES_ON && c->mode->tick != NULL)
        c->mode->tick(c);
    if (c->is_connected && c->end == STORM_GOES_ON && has_to_send(c, now_ns))
        transmit(c, now_ns);
    if (c->end == STORM_GOES_ON && !c->mode->is_honest && now_ns - c->since_ns > RUDE_LIFE_MS * MS)
        leave(c);
    if (c->mode->line != NULL && !c->mode->is_honest && c->end != STORM_GOES_ON)
        c->end = STORM_GONE; /* any end is allowed for a client that breaks rules */
}
