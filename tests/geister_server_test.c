/* SPDX-License-Identifier: MIT
 *
 * The Geister server with clients and viewers in the same thread: the test calls every round and advances the
 * clock. The lines that clients receive are compared to the byte.
 */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include "link/link.h"
#include "net/geister_server.c" /* one test inspects the data that wait for a viewer */
#include "player/player.h"
#include "tests/outside_support.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { RECEIVED_MAX = 16 << 10, CLIENTS_MAX = 12, ENDED_MAX = 1000, PATIENCE_MS = 60000 };

static const int64_t second_ns = 1000000000, ms_ns = 1000000;

struct client {
    int fd, port;
    char received_text[RECEIVED_MAX];
    size_t size;
    bool closed; /* by the server */
};

struct world {
    int64_t now;
    struct clock clock;
    struct scenario *scenario;
    struct geister_service service;
    struct geister_server *server;
    struct geister_server_state state;
    struct client clients[CLIENTS_MAX];
    int count;
    char ended[ENDED_MAX]; /* a line for each game */
};

/* ---- the world ---- */

static void on_finished(void *context, const struct geister_finished *game) {
    struct world *w = context;
    const size_t size = strlen(w->ended);
    snprintf(w->ended + size, sizeof w->ended - size, "%d %s: %s\n", game->number,
             game->session->record.result, game->session->game.referee.reason);
    for (int side = 0; side < 2; side++)
        assert_true(game->names[side][0] != '\0');
}

static void world_init(struct world *w) {
    struct err e;
    *w = (struct world){.now = 1000 * second_ns};
    w->clock = clock_manual(&w->now);
    w->scenario = game_load_spec("geister", &e);
    assert_non_null(w->scenario);
    w->service = (struct geister_service){
        .address = "127.0.0.1",
        .terms = {.scenario = w->scenario, .budget_ns = 600 * second_ns, .grace_ns = 10 * second_ns},
        .connections_max = 100,
        .waiting_max = 100,
        .linger_ns = 5 * second_ns,
        .clock = &w->clock,
        .finished = on_finished,
        .context = w};
}

static void world_open(struct world *w) {
    struct err e;
    w->server = geister_server_open(&w->service, &e);
    if (w->server == NULL)
        fail_msg("%s", e.text);
    geister_server_look(w->server, &w->state);
}

/* On the ports of the world before: a program has a number of listeners, which stay until it ends. */
static void world_open_again(struct world *w) {
    static int ports[3];
    w->service.ports[0] = ports[0];
    w->service.ports[1] = ports[1];
    w->service.viewer_port = ports[2];
    world_open(w);
    ports[0] = w->state.ports[0];
    ports[1] = w->state.ports[1];
    ports[2] = w->state.viewer_port;
}

static void world_close(struct world *w) {
    geister_server_close(w->server);
    for (int i = 0; i < w->count; i++)
        if (w->clients[i].fd >= 0)
            close(w->clients[i].fd);
    game_unload(w->scenario);
}

static void listen_to(struct client *c) {
    ssize_t n;
    while (c->fd >= 0 && !c->closed &&
           (n = recv(c->fd, c->received_text + c->size, sizeof c->received_text - 1 - c->size, 0)) >= 0) {
        c->closed = n == 0;
        c->size += (size_t)n;
    }
    c->received_text[c->size] = '\0';
}

/* One round of the server; then all clients read what was sent. */
static void go_round(struct world *w) {
    geister_server_round(w->server, 1);
    geister_server_look(w->server, &w->state);
    for (int i = 0; i < w->count; i++)
        listen_to(&w->clients[i]);
}

static void pass(struct world *w, int64_t ns) {
    w->now += ns;
    for (int i = 0; i < 3; i++)
        go_round(w);
}

static int64_t machine_ms(void) {
    const struct clock clock = clock_system();
    return clock_now_ns(&clock) / ms_ns;
}

/* Rounds until the server counts this. */
static void expect_counts(struct world *w, const char *expected) {
    const int64_t end = machine_ms() + PATIENCE_MS;
    char found[200];
    do {
        go_round(w);
        snprintf(found, sizeof found,
                 "waiting %d, running %d, viewers %d, wires %d, finished %d of %d, turned away %d",
                 w->state.waiting, w->state.running, w->state.viewers, w->state.connections,
                 (int)w->state.finished, (int)w->state.started, (int)w->state.turned_away);
    } while (strcmp(found, expected) != 0 && machine_ms() < end);
    assert_string_equal(found, expected);
}

/* ---- clients ---- */

static struct client *come(struct world *w, int port) {
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    struct err e;
    assert_true(w->count < CLIENTS_MAX);
    struct client *c = &w->clients[w->count++];
    c->fd = link_connect_socket("127.0.0.1", port, &(struct link_wait){NULL, second_ns * 60, NULL}, &e);
    assert_true(c->fd >= 0);
    assert_int_equal(getsockname(c->fd, (struct sockaddr *)&name, &size), 0);
    c->port = ntohs(name.sin_port);
    go_round(w);
    return c;
}

static void leave(struct client *c) {
    close(c->fd);
    c->fd = -1;
}

static void say(struct client *c, const char *words) {
    assert_int_equal(send(c->fd, words, strlen(words), MSG_NOSIGNAL), strlen(words));
}

/* This and nothing else since the last time. */
static void expect_received(struct world *w, struct client *c, const char *expected) {
    const int64_t end = machine_ms() + PATIENCE_MS;
    while (strcmp(c->received_text, expected) != 0 && !c->closed && machine_ms() < end)
        go_round(w);
    assert_string_equal(c->received_text, expected);
    c->size = 0;
    c->received_text[0] = '\0';
}

/* The end of the received text; the rest does not matter. */
static void expect_end(struct world *w, struct client *c, const char *expected) {
    const int64_t end = machine_ms() + PATIENCE_MS;
    const size_t size = strlen(expected);
    while ((c->size < size || strcmp(c->received_text + c->size - size, expected) != 0) && machine_ms() < end)
        go_round(w);
    assert_true(c->size >= size);
    assert_string_equal(c->received_text + c->size - size, expected);
    c->size = 0;
    c->received_text[0] = '\0';
}

static void expect_closed(struct world *w, struct client *c) {
    const int64_t end = machine_ms() + PATIENCE_MS;
    while (!c->closed && machine_ms() < end)
        go_round(w);
    assert_true(c->closed);
}

#define OWN_ABCD "14R24R34R44R15B25B35B45B"
#define OTHERS   "41u31u21u11u40u30u20u10u"

/* Two clients that have chosen ABCD and EFGH; the first is prompted. */
static void begin(struct world *w, struct client **first, struct client **second) {
    *first = come(w, w->state.ports[0]);
    expect_received(w, *first, "SET?\r\n");
    *second = come(w, w->state.ports[1]);
    expect_received(w, *second, "SET?\r\n");
    say(*first, "SET:ABCD\r\n");
    expect_received(w, *first, "OK \r\n");
    say(*second, "SET:EFGH\r\n");
    expect_received(w, *second, "OK \r\n");
    expect_received(w, *first, "MOV?" OWN_ABCD OTHERS "\r\n");
}

/* ---- players ---- */

static void clients_are_paired_in_the_order_of_their_coming(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.service.viewer_port = -1;
    world_open(&w);
    assert_int_equal(w.state.viewer_port, -1);
    struct client *a = come(&w, w.state.ports[0]), *b = come(&w, w.state.ports[0]);
    expect_counts(&w, "waiting 2, running 0, viewers 0, wires 2, finished 0 of 0, turned away 0");
    struct client *c = come(&w, w.state.ports[1]);
    expect_counts(&w, "waiting 1, running 1, viewers 0, wires 3, finished 0 of 1, turned away 0");
    say(c, "SET:ABCD\r\nMOV:A,N\r\n"); /* two lines at once */
    expect_received(&w, c, "SET?\r\nOK \r\nNG \r\n");
    say(a, "SET:ABCD\r\n");
    expect_received(&w, a, "SET?\r\nOK \r\nMOV?" OWN_ABCD OTHERS "\r\n");
    say(a, "MOV:E,N\r\n");
    expect_received(&w, a, "NG \r\nLST:" OWN_ABCD "41r31r21r11r40b30b20b10b\r\n");
    expect_received(&w, c, "WON:" OWN_ABCD "41r31r21r11r40b30b20b10b\r\n");
    expect_received(&w, b, "SET?\r\n");
    assert_string_equal(w.ended, "1 second illegal: an illegal move\n");
    expect_counts(&w, "waiting 1, running 0, viewers 0, wires 3, finished 1 of 1, turned away 0");
    world_close(&w);
}

/* Clients may close first; the server does after a while, and waits a second for the other end. */
static void connections_linger_after_a_game(void **state) {
    (void)state;
    struct world w;
    struct client *a, *b;
    world_init(&w);
    w.service.viewer_port = -1;
    world_open(&w);
    begin(&w, &a, &b);
    say(a, "MOV:A,X\r\n");
    expect_received(&w, b, "WON:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b\r\n");
    pass(&w, 5 * second_ns - 1);
    assert_false(a->closed || b->closed);
    pass(&w, 1);
    expect_closed(&w, a);
    expect_closed(&w, b);
    pass(&w, second_ns - 1);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 2, finished 1 of 1, turned away 0");
    pass(&w, 1);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 1 of 1, turned away 0");
    assert_string_equal(w.ended, "1 second garbage: a line that is no move\n");
    world_close(&w);
}

static void the_side_that_leaves_loses(void **state) {
    (void)state;
    struct world w;
    struct client *a, *b;
    world_init(&w);
    w.service.viewer_port = -1;
    world_open(&w);
    leave(come(&w, w.state.ports[1])); /* before it has an opponent: nothing has happened */
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 0 of 0, turned away 0");
    begin(&w, &a, &b);
    leave(a);
    expect_received(&w, b, "WON:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b\r\n");
    assert_string_equal(w.ended, "1 second crash: the connection was closed\n");
    assert_false(b->closed);
    begin(&w, &a, &b);
    pass(&w, 610 * second_ns + 1);
    assert_string_equal(w.ended,
                        "1 second crash: the connection was closed\n2 second hang: no move in time\n");
    expect_end(&w, b, "\r\n");
    leave(a); /* after the end: the other connection has no more use */
    expect_closed(&w, b);
    leave(b);
    pass(&w, second_ns); /* the winner of game 1 has not closed */
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 2 of 2, turned away 0");
    world_close(&w);
}

static void the_end_of_the_server_stops_games(void **state) {
    (void)state;
    struct world w;
    struct client *a, *b;
    const int before = outside_open_files();
    world_init(&w);
    world_open(&w);
    come(&w, w.state.ports[0]);
    come(&w, w.state.ports[1]);
    begin(&w, &a, &b);
    come(&w, w.state.ports[0]);
    expect_counts(&w, "waiting 1, running 2, viewers 0, wires 5, finished 0 of 2, turned away 0");
    geister_server_stop(w.server);
    assert_string_equal(w.ended, "1 none: \n2 none: \n");
    world_close(&w);
    assert_string_equal(w.ended, "1 none: \n2 none: \n"); /* each once */
    assert_int_equal(outside_open_files(), before + 3);   /* listeners stay until the program ends */
}

/* ---- limits ---- */

static void late_clients_are_turned_away(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.service.viewer_port = -1;
    w.service.waiting_max = 2;
    w.service.games_max = 1;
    world_open(&w);
    struct client *a = come(&w, w.state.ports[0]), *b = come(&w, w.state.ports[0]),
                  *c = come(&w, w.state.ports[0]);
    expect_closed(&w, c); /* two wait already */
    expect_counts(&w, "waiting 2, running 0, viewers 0, wires 2, finished 0 of 0, turned away 1");
    come(&w, w.state.ports[1]);
    expect_closed(&w, b); /* the last game has begun */
    leave(b);
    expect_counts(&w, "waiting 0, running 1, viewers 0, wires 2, finished 0 of 1, turned away 2");
    expect_closed(&w, come(&w, w.state.ports[1]));
    expect_received(&w, a, "SET?\r\n");
    expect_counts(&w, "waiting 0, running 1, viewers 0, wires 2, finished 0 of 1, turned away 3");
    world_close(&w);
}

static void connections_have_limits(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.service.connections_max = 3;
    world_open(&w);
    for (int i = 0; i < 2; i++)
        come(&w, w.state.ports[0]);
    come(&w, w.state.viewer_port);
    expect_counts(&w, "waiting 2, running 0, viewers 1, wires 3, finished 0 of 0, turned away 0");
    expect_closed(&w, come(&w, w.state.ports[1]));
    expect_closed(&w, come(&w, w.state.viewer_port));
    expect_counts(&w, "waiting 2, running 0, viewers 1, wires 3, finished 0 of 0, turned away 2");
    world_close(&w);
    world_init(&w);
    w.service.address_max = 2; /* of players, and of viewers */
    world_open(&w);
    for (int i = 0; i < 2; i++) {
        come(&w, w.state.ports[0]);
        come(&w, w.state.viewer_port);
    }
    expect_counts(&w, "waiting 2, running 0, viewers 2, wires 4, finished 0 of 0, turned away 0");
    expect_closed(&w, come(&w, w.state.ports[0]));
    expect_closed(&w, come(&w, w.state.viewer_port));
    expect_counts(&w, "waiting 2, running 0, viewers 2, wires 4, finished 0 of 0, turned away 2");
    world_close(&w);
}

static void a_port_is_for_one_thing(void **state) {
    (void)state;
    struct world w;
    struct err e;
    char words[100];
    world_init(&w);
    world_open(&w);
    const int before = outside_open_files();
    w.service.ports[0] = w.service.viewer_port = w.state.ports[0];
    snprintf(words, sizeof words, "port %d is wanted twice", w.state.ports[0]);
    assert_null(geister_server_open(&w.service, &e));
    assert_string_equal(e.text, words);
    assert_int_equal(outside_open_files(), before + 1); /* the second player's listener stays */
    geister_server_close(w.server);
    w.service.ports[0] = w.state.ports[1]; /* given ones, each once */
    w.service.ports[1] = w.state.ports[0];
    w.service.viewer_port = w.state.viewer_port;
    world_open(&w);
    assert_int_equal(w.state.ports[0], w.service.ports[0]);
    assert_int_equal(w.state.ports[1], w.service.ports[1]);
    assert_int_equal(w.state.viewer_port, w.service.viewer_port);
    geister_server_close(NULL);
    world_close(&w);
}

/* ---- viewers ---- */

#define UNKNOWN "14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u"
#define FRAME   "\x81\x34" /* a text of 52 bytes */

static struct client *ask(struct world *w, const char *target) {
    char request[600];
    struct client *c = come(w, w->state.viewer_port);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: here\r\n\r\n", target);
    say(c, request);
    return c;
}

static struct client *watch(struct world *w, const char *target) {
    char request[600];
    struct client *c = come(w, w->state.viewer_port);
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n",
             target);
    say(c, request);
    return c;
}

/* Game 1 waits for both, game 2 has begun: the latest game is the one with the newest line. */
static void viewers_see_the_game_they_ask_for(void **state) {
    (void)state;
    struct world w;
    struct client *a, *b;
    world_init(&w);
    w.service.token = "secret";
    world_open(&w);
    struct client *early = watch(&w, "/ws/geister");
    expect_end(&w, early, "\x81\x04null");
    come(&w, w.state.ports[0]);
    come(&w, w.state.ports[1]);
    begin(&w, &a, &b);
    expect_end(&w, early, FRAME "MV0:" UNKNOWN);
    expect_end(&w, watch(&w, "/ws/geister"), FRAME "MV0:" UNKNOWN);
    expect_end(&w, watch(&w, "/ws/geister/"), FRAME "MV0:" UNKNOWN);
    expect_end(&w, watch(&w, "/ws/geister/1"), FRAME "MOV:" UNKNOWN);
    expect_end(&w, watch(&w, "/ws/geister/2?token=secre"), FRAME "MV0:" UNKNOWN);
    struct client *all = watch(&w, "/ws/geister/2?token=secret");
    expect_end(&w, all, FRAME "MV0:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b");
    struct client *third = watch(&w, "/ws/geister/3"); /* has not begun */
    expect_end(&w, third, "\x81\x04null");
    say(a, "MOV:A,N\r\n");
    expect_received(&w, all, FRAME "MV1:14B24B34B44B15R25R35R45R42r31r21r11r40b30b20b10b");
    expect_received(&w, early, FRAME "MV1:14u24u34u44u15u25u35u45u42u31u21u11u40u30u20u10u");
    expect_received(&w, third, "");
    world_close(&w);
}

static void the_state_comes_again_every_half_second(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    world_open(&w);
    struct client *c = watch(&w, "/ws/geister");
    expect_end(&w, c, "\x81\x04null");
    pass(&w, 500 * ms_ns - 1);
    expect_received(&w, c, "");
    pass(&w, 1);
    expect_received(&w, c, "\x81\x04null");
    say(c, "\x89\x82\x01\x01\x01\x01hi"); /* a ping, masked */
    expect_received(&w, c, "\x8a\x02ih");
    say(c, "\x88\x80\x01\x01\x01\x01"); /* the end */
    expect_closed(&w, c);
    world_close(&w);
}

/* What stays of a game: for viewers of its number, and for a moment as the latest. */
static void finished_games_are_still_known(void **state) {
    (void)state;
    struct world w;
    struct client *a, *b;
    char expected[600];
    world_init(&w);
    world_open(&w);
    begin(&w, &a, &b);
    struct client *c = watch(&w, "/ws/geister");
    expect_end(&w, c, "MV0:" UNKNOWN);
    pass(&w, 3 * second_ns);
    expect_end(&w, c, "MV0:" UNKNOWN);
    say(a, "MOV:A,N\r\n");
    expect_end(&w, b, "42u31u21u11u40u30u20u10u\r\n");
    expect_end(&w, c, "MV1:14u24u34u44u15u25u35u45u42u31u21u11u40u30u20u10u");
    struct client *games = ask(&w, "/games");
    expect_closed(&w, games);
    snprintf(expected, sizeof expected,
             "{\"running\":[{\"game\":1,\"players\":[\"127.0.0.1:%d\",\"127.0.0.1:%d\"],\"plies\":1,"
             "\"left_ms_first\":597000,\"left_ms_second\":600000,\"to_move\":1}],\"finished\":[]}",
             a->port, b->port);
    assert_memory_equal(games->received_text, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n", 49);
    expect_end(&w, games, expected);
    say(b, "MOV:H,S\r\n");
    expect_end(&w, c, "WI0:14B24B34B44B15R25R35R45R42r31r21r11r40b30b20b10b");
    leave(a);
    leave(b);
    expect_end(&w, watch(&w, "/ws/geister/1"), FRAME "WI0:14B24B34B44B15R25R35R45R42r31r21r11r40b30b20b10b");
    games = ask(&w, "/games");
    expect_closed(&w, games);
    snprintf(expected, sizeof expected,
             "{\"running\":[],\"finished\":[{\"game\":1,\"players\":[\"127.0.0.1:%d\",\"127.0.0.1:%d\"],"
             "\"plies\":1,"
             "\"winner\":0,\"result\":\"first illegal\"}]}",
             a->port, b->port);
    expect_end(&w, games, expected);
    world_close(&w);
}

static void requests_are_answered_or_refused(void **state) {
    (void)state;
    static const char *const missing[] = {"/nothing",     "/ws/geister/0",  "/ws/geister/x",
                                          "/ws/geisters", "/ws/geister/1x", "/ws/geister/2147483648"};
    struct world w;
    world_init(&w);
    world_open(&w);
    for (int i = 0; i < 6; i++) {
        struct client *c = watch(&w, missing[i]);
        expect_closed(&w, c);
        assert_memory_equal(c->received_text, "HTTP/1.1 404 ", 13);
        leave(c);
    }
    struct client *page = ask(&w, "/"), *bad = come(&w, w.state.viewer_port), *plain = ask(&w, "/ws/geister");
    say(bad, "nonsense\r\n\r\n");
    expect_closed(&w, page);
    assert_memory_equal(page->received_text, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n",
                        57);
    expect_closed(&w, bad);
    assert_memory_equal(bad->received_text, "HTTP/1.1 400 ", 13);
    expect_closed(&w, plain);
    assert_memory_equal(plain->received_text, "HTTP/1.1 426 ", 13);
    world_close(&w);
}

/* Neither one that asks nothing nor one that takes nothing holds its connection. */
static void viewers_have_limits_of_time(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    world_open(&w);
    struct client *c = come(&w, w.state.viewer_port);
    say(c, "GET / HT");
    pass(&w, 10 * second_ns - 1);
    assert_false(c->closed);
    pass(&w, 1);
    expect_closed(&w, c);
    assert_string_equal(c->received_text, "");
    pass(&w, second_ns);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 0 of 0, turned away 0");
    world_close(&w);
}

static void expect_public(struct world *w, const char *target, bool is_public) {
    expect_end(w, watch(w, target),
               is_public ? FRAME "MV0:" UNKNOWN
                         : FRAME "MV0:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b");
}

/* All colours are for the right token, or for all viewers if the server is open. */
static void tokens_are_compared_whole(void **state) {
    (void)state;
    char token[129] = "", longer[300], target[400];
    memset(token, 'a', 127); /* the longest */
    for (int open = 0; open < 2; open++) {
        struct world w;
        struct client *a, *b;
        world_init(&w);
        w.service.token = token;
        w.service.open_viewers = open == 1;
        world_open_again(&w);
        begin(&w, &a, &b);
        snprintf(target, sizeof target, "/ws/geister?token=%s", token);
        expect_public(&w, target, false);
        snprintf(longer, sizeof longer, "/ws/geister?token=%sa", token);
        expect_public(&w, longer, open == 0);
        target[strlen(target) - 1] = '\0';
        expect_public(&w, target, open == 0);
        expect_public(&w, "/ws/geister/1?token=", open == 0);
        expect_public(&w, "/ws/geister/1", open == 0);
        world_close(&w);
    }
    struct world w; /* without a token no guess is right */
    struct client *a, *b;
    world_init(&w);
    world_open_again(&w);
    begin(&w, &a, &b);
    expect_public(&w, "/ws/geister?token=", true);
    expect_public(&w, "/ws/geister", true);
    world_close(&w);
}

/* The latest state stays with a game to its end and for half a second after it, and goes on with the game
 * that changed last. */
static void the_latest_state_follows_one_game_after_the_other(void **state) {
    (void)state;
    struct world w;
    struct client *a[3], *b[3];
    world_init(&w);
    world_open_again(&w);
    for (int i = 0; i < 3; i++)
        begin(&w, &a[i], &b[i]);
    struct client *c = watch(&w, "/ws/geister");
    expect_end(&w, c, FRAME "MV0:" UNKNOWN);
    say(a[0], "MOV:A,N\r\n");
    expect_received(&w, c, FRAME "MV1:14u24u34u44u15u25u35u45u42u31u21u11u40u30u20u10u");
    say(a[2], "MOV:B,N\r\n");
    expect_end(&w, b[2], "41u32u21u11u40u30u20u10u\r\n");
    say(a[1], "MOV:C,N\r\n");
    expect_end(&w, b[1], "41u31u22u11u40u30u20u10u\r\n");
    assert_string_equal(c->received_text, "");
    say(b[0], "MOV:H,S\r\n"); /* illegal */
    expect_received(&w, c, FRAME "WI0:14B24B34B44B15R25R35R45R42r31r21r11r40b30b20b10b");
    pass(&w, 500 * ms_ns - 1);
    assert_string_equal(c->received_text, "");
    pass(&w, 1);
    expect_received(&w, c, FRAME "MV1:14u24u34u44u15u25u35u45u41u31u22u11u40u30u20u10u");
    leave(a[1]);
    expect_received(&w, c, FRAME "WI1:14B24B34B44B15R25R35R45R41r31r22r11r40b30b20b10b");
    pass(&w, 500 * ms_ns);
    expect_received(&w, c, FRAME "MV1:14u24u34u44u15u25u35u45u41u32u21u11u40u30u20u10u");
    world_close(&w);
}

/* A connection of its own, without a receive buffer. */
static int connect_raw(int port) {
    struct err e;
    const int fd =
        link_connect_socket("127.0.0.1", port, &(struct link_wait){NULL, second_ns * 60, NULL}, &e);
    assert_true(fd >= 0);
    return fd;
}

/* All that comes until the server closes. */
static size_t receive_all(struct world *w, int fd, char *out, size_t out_size) {
    const int64_t end = machine_ms() + PATIENCE_MS;
    size_t size = 0;
    for (ssize_t n = -1; n != 0 && machine_ms() < end; go_round(w))
        while ((n = recv(fd, out + size, out_size - 1 - size, 0)) > 0)
            size += (size_t)n;
    out[size] = '\0';
    return size;
}

/* Of the finished games the last 256 are still shown. */
static void old_games_are_forgotten(void **state) {
    (void)state;
    enum { GAMES = GEISTER_FINISHED_MAX + 2 };
    static char received_text[64 << 10];
    struct world w;
    char counts[200];
    world_init(&w);
    w.service.finished = NULL;
    world_open_again(&w);
    for (int i = 0; i < GAMES; i++) {
        const int a = connect_raw(w.state.ports[0]), b = connect_raw(w.state.ports[1]);
        const int64_t end = machine_ms() + PATIENCE_MS;
        while ((int)w.state.started <= i && machine_ms() < end)
            go_round(&w);
        close(a);
        close(b);
        while ((int)w.state.finished <= i && machine_ms() < end)
            go_round(&w);
    }
    snprintf(counts, sizeof counts,
             "waiting 0, running 0, viewers 0, wires 0, finished %d of %d, turned away 0", GAMES, GAMES);
    expect_counts(&w, counts);
    const int fd = connect_raw(w.state.viewer_port);
    static const char request[] = "GET /games HTTP/1.1\r\n\r\n";
    assert_int_equal(send(fd, request, sizeof request - 1, 0), sizeof request - 1);
    receive_all(&w, fd, received_text, sizeof received_text);
    close(fd);
    int found = 0;
    for (const char *at = received_text; (at = strstr(at, "{\"game\":")) != NULL; at++, found++)
        assert_int_equal(strtol(at + 8, NULL, 10), GAMES - GEISTER_FINISHED_MAX + 1 + found);
    assert_int_equal(found, GEISTER_FINISHED_MAX);
    struct client *c = watch(&w, "/ws/geister/2"); /* forgotten */
    expect_closed(&w, c);
    assert_memory_equal(c->received_text, "HTTP/1.1 404 ", 13);
    c = watch(&w, "/ws/geister/3");
    expect_end(&w, c, ":" UNKNOWN);
    world_close(&w);
}

static void viewers_have_a_number(void **state) {
    (void)state;
    static int fds[GEISTER_VIEWERS_MAX];
    struct world w;
    char counts[200];
    world_init(&w);
    w.service.connections_max = 1000;
    world_open_again(&w);
    for (int i = 0; i < GEISTER_VIEWERS_MAX; i++)
        fds[i] = connect_raw(w.state.viewer_port);
    expect_counts(&w, "waiting 0, running 0, viewers 256, wires 256, finished 0 of 0, turned away 0");
    expect_closed(&w, come(&w, w.state.viewer_port));
    come(&w, w.state.ports[0]); /* players still come */
    snprintf(counts, sizeof counts,
             "waiting 1, running 0, viewers %d, wires %d, finished 0 of 0, turned away 1",
             GEISTER_VIEWERS_MAX, GEISTER_VIEWERS_MAX + 1);
    expect_counts(&w, counts);
    for (int i = 0; i < GEISTER_VIEWERS_MAX; i++)
        close(fds[i]);
    expect_counts(&w, "waiting 1, running 0, viewers 0, wires 1, finished 0 of 0, turned away 1");
    world_close(&w);
}

enum { PINGS = 40000, PING = 131, PONG = 127, GREETING = 139 + 6 /* the handshake, and the first state */ };

/* A viewer that sends pings and takes no answer: more than all buffers on the way can hold. */
static int fill_up(struct world *w) {
    static const char request[] =
        "GET /ws/geister HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    static const char ping[PING] = "\x89\xfd";
    static char block[64 * PING];
    const int fd = connect_raw(w->state.viewer_port);
    assert_int_equal(send(fd, request, sizeof request - 1, 0), sizeof request - 1);
    expect_counts(w, "waiting 0, running 0, viewers 1, wires 1, finished 0 of 0, turned away 0");
    for (int i = 0; i < 64; i++)
        memcpy(block + (size_t)i * PING, ping, PING);
    for (size_t left = (size_t)PINGS * PING; left > 0; go_round(w)) {
        const size_t start = ((size_t)PINGS * PING - left) % sizeof block, most = sizeof block - start;
        const ssize_t n = send(fd, block + start, most < left ? most : left, MSG_NOSIGNAL);
        left -= n > 0 ? (size_t)n : 0;
    }
    for (int i = 0; i < 50; i++)
        go_round(w);
    return fd;
}

/* What waits for a viewer is bounded; it gets all of it, frame by frame, once it reads. */
static void a_viewer_may_read_late(void **state) {
    (void)state;
    static char received_text[PINGS * PONG + 1000];
    struct world w;
    size_t size = 0;
    world_init(&w);
    world_open_again(&w);
    const int fd = fill_up(&w);
    int64_t end = machine_ms() + PATIENCE_MS;
    for (int quiet = 0;
         (quiet < 200 || size <= GREETING || (size - GREETING) % PONG != 0) && machine_ms() < end;
         quiet++, go_round(&w))
        for (ssize_t n; (n = recv(fd, received_text + size, sizeof received_text - size, 0)) > 0; quiet = 0)
            size += (size_t)n;
    assert_true(size > GREETING);
    assert_int_equal((size - GREETING) % PONG, 0);
    assert_true(size < (size_t)PINGS * PONG); /* the others were not answered */
    static const char pong[PONG] = "\x8a\x7d";
    size_t at = GREETING - 6;
    for (int states = 0; at < size; at += received_text[at + 1] == 4 ? 6 : PONG) {
        const bool is_state = memcmp(received_text + at, "\x81\x04null", 6) == 0;
        assert_true(is_state ? states++ == 0 : memcmp(received_text + at, pong, PONG) == 0);
    }
    assert_int_equal(at, size);
    assert_int_equal(send(fd, "\x89\x80\0\0\0\0", 6, 0), 6);
    end = machine_ms() + PATIENCE_MS;
    size = 0;
    for (ssize_t n; size < 2 && machine_ms() < end; go_round(&w))
        if ((n = recv(fd, received_text + size, sizeof received_text - size, 0)) > 0)
            size += (size_t)n;
    assert_int_equal(size, 2);
    assert_memory_equal(received_text, "\x8a\0", 2);
    pass(&w, 500 * ms_ns);
    assert_int_equal(recv(fd, received_text, sizeof received_text, 0), 6);
    assert_memory_equal(received_text, "\x81\x04null", 6);
    close(fd);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 0 of 0, turned away 0");
    world_close(&w);
}

/* A ping is answered while at most 4096 bytes wait. */
static void what_waits_for_a_viewer_has_a_limit(void **state) {
    (void)state;
    static const char ping[] = "\x89\x80\0\0\0\0", filling[4096 + 1];
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    while (send(fds[0], filling, sizeof filling, 0) > 0)
        ;
    for (size_t waiting = 4096; waiting <= 4097; waiting++) {
        struct connection connection = {
            .fd = fds[0], .until_ns = INT64_MAX, .is_viewer = true, .watcher = {.is_open = true}};
        text_add_bytes(&connection.out, filling, waiting);
        assert_int_equal(send(fds[1], ping, 6, 0), 6);
        viewer_receive(NULL, &connection, 0);
        assert_int_equal(connection.out.size, waiting == 4096 ? 4098 : 4097);
        text_done(&connection.out);
        text_done(&connection.watcher.in);
    }
    close(fds[0]);
    close(fds[1]);
}

static void a_viewer_that_never_reads_is_let_go(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    world_open_again(&w);
    const int fd = fill_up(&w);
    pass(&w, 30 * second_ns - 1);
    pass(&w, 0);
    expect_counts(&w, "waiting 0, running 0, viewers 1, wires 1, finished 0 of 0, turned away 0");
    pass(&w, 1);
    pass(&w, second_ns - 1);
    expect_counts(&w, "waiting 0, running 0, viewers 1, wires 1, finished 0 of 0, turned away 0");
    pass(&w, 1);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 0 of 0, turned away 0");
    close(fd);
    world_close(&w);
}

/* A client that misbehaves before its opponent comes is sent away, and is no opponent. */
static void the_impatient_are_sent_away(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    world_open_again(&w);
    struct client *a = come(&w, w.state.ports[0]);
    expect_received(&w, a, "SET?\r\n");
    for (int i = 0; i <= GEISTER_REJECTED_MAX; i++)
        say(a, "\r\n");
    expect_closed(&w, a);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 1, finished 0 of 0, turned away 0");
    struct client *b = come(&w, w.state.ports[1]);
    expect_received(&w, b, "SET?\r\n");
    expect_counts(&w, "waiting 1, running 0, viewers 0, wires 2, finished 0 of 0, turned away 0");
    pass(&w, second_ns);
    expect_counts(&w, "waiting 1, running 0, viewers 0, wires 1, finished 0 of 0, turned away 0");
    assert_string_equal(w.ended, "");
    world_close(&w);
}

/* A request with a frame behind it, in one piece. */
static void frames_may_come_with_the_request(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    world_open_again(&w);
    struct client *c = come(&w, w.state.viewer_port);
    static const char request[] =
        "GET /ws/geister HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        "\x89\x82\1\1\1\1hi\x89\x81\2\2\2\2c\x89\x83\1\1";
    say(c, request);
    expect_received(&w, c,
                    "HTTP/1.1 101 Web Socket Protocol Handshake\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Accept: BACScCJPNqyz+UBoqMH89VmURoA=\r\nUpgrade: websocket\r\n\r\n"
                    "\x8a\x02ih\x8a\x01"
                    "a\x81\x04null");
    say(c, "\1\1abc");
    expect_received(&w, c, "\x8a\x03`cb");
    say(c, "\x81\x01x"); /* not masked */
    expect_received(&w, c, "\x88\x02\x03\xea");
    expect_closed(&w, c);
    world_close(&w);
}

/* ---- our own player ---- */

static void our_player_sits_on_its_side(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.service.player = "random";
    w.service.player_side = 1;
    w.service.seed = 7;
    world_open(&w);
    expect_closed(&w, come(&w, w.state.ports[1])); /* taken */
    struct client *c = come(&w, w.state.ports[0]);
    expect_counts(&w, "waiting 0, running 1, viewers 0, wires 1, finished 0 of 1, turned away 1");
    expect_received(&w, c, "SET?\r\n");
    say(c, "SET:ABCD\r\n");
    expect_received(&w, c, "OK \r\nMOV?" OWN_ABCD OTHERS "\r\n");
    say(c, "MOV:A,N\r\n");
    const int64_t end = machine_ms() + PATIENCE_MS;
    while (strncmp(c->received_text, "OK \r\nMOV?13R24R", 15) != 0 && machine_ms() < end)
        go_round(&w);
    assert_int_equal(c->size, strlen("OK \r\nMOV?" OWN_ABCD OTHERS "\r\n"));
    assert_string_not_equal(c->received_text,
                            "OK \r\nMOV?13R24R34R44R15B25B35B45B" OTHERS "\r\n"); /* it has moved */
    leave(c);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 1 of 1, turned away 1");
    assert_string_equal(w.ended, "1 second crash: the connection was closed\n");
    world_close(&w);
}

static void a_player_that_cannot_be_opened_gets_no_game(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.service.player = "acteval"; /* of another game */
    world_open(&w);
    expect_closed(&w, come(&w, w.state.ports[1]));
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 0 of 0, turned away 1");
    world_close(&w);
}

#ifdef __GLIBC__
/* Threads get stacks larger than the address space from now on, or normal ones again. */
static void let_threads_fail(bool fail) {
    static pthread_attr_t normal;
    static bool is_known;
    pthread_attr_t huge;
    if (!is_known)
        assert_int_equal(pthread_getattr_default_np(&normal), 0);
    is_known = true;
    pthread_attr_init(&huge);
    assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 48), 0);
    assert_int_equal(pthread_setattr_default_np(fail ? &huge : &normal), 0);
    pthread_attr_destroy(&huge);
}

/* The client is turned away, and the next one has a game. */
static void a_player_without_a_thread_gets_no_game(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.service.player = "ismcts:sims=10";
    w.service.player_side = 1;
    world_open_again(&w);
    let_threads_fail(true);
    expect_closed(&w, come(&w, w.state.ports[0]));
    let_threads_fail(false);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 0 of 0, turned away 1");
    struct client *c = come(&w, w.state.ports[0]);
    expect_counts(&w, "waiting 0, running 1, viewers 0, wires 1, finished 0 of 1, turned away 1");
    expect_received(&w, c, "SET?\r\n");
    world_close(&w);
}
#endif

/* ---- how many ---- */

static void our_player_has_a_number_of_seats(void **state) {
    (void)state;
    static int fds[GEISTER_SEATS_MAX];
    struct world w;
    world_init(&w);
    w.service.player = "random";
    w.service.player_side = 1;
    world_open_again(&w);
    for (int i = 0; i < GEISTER_SEATS_MAX; i++)
        fds[i] = connect_raw(w.state.ports[0]);
    expect_counts(&w, "waiting 0, running 64, viewers 0, wires 64, finished 0 of 64, turned away 0");
    expect_closed(&w, come(&w, w.state.ports[0]));
    expect_counts(&w, "waiting 0, running 64, viewers 0, wires 64, finished 0 of 64, turned away 1");
    for (int i = 0; i < GEISTER_SEATS_MAX; i++)
        close(fds[i]);
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 0, finished 64 of 64, turned away 1");
    come(&w, w.state.ports[0]);
    expect_counts(&w, "waiting 0, running 1, viewers 0, wires 1, finished 64 of 65, turned away 1");
    world_close(&w);
}

/* Ours is the first: it is asked before its opponent has chosen, and moves first. */
static void our_player_may_be_the_first(void **state) {
    (void)state;
    struct world w;
    char expected[600];
    world_init(&w);
    w.service.player = "purple:depth=1,setup=BCFG";
    w.service.player_side = 0;
    w.service.open_viewers = true;
    world_open_again(&w);
    struct client *c = come(&w, w.state.ports[1]);
    expect_received(&w, c, "SET?\r\n");
    struct client *v = watch(&w, "/ws/geister/1");
    expect_end(&w, v, FRAME "MOV:14u24u34u44u15u25u35u45u41b31r21r11b40b30r20r10b");
    struct client *games = ask(&w, "/games");
    expect_closed(&w, games);
    snprintf(expected, sizeof expected,
             "{\"running\":[{\"game\":1,\"players\":[\"purple\",\"127.0.0.1:%d\"],\"plies\":0,"
             "\"left_ms_first\":600000,\"left_ms_second\":600000,\"to_move\":null}],\"finished\":[]}",
             c->port);
    expect_end(&w, games, expected);
    say(c, "SET:ABCD\r\n");
    const int64_t end = machine_ms() + PATIENCE_MS;
    while (strstr(c->received_text, "MOV?") == NULL && machine_ms() < end)
        go_round(&w);
    assert_memory_equal(c->received_text, "OK \r\nMOV?" OWN_ABCD, 33);
    assert_string_not_equal(c->received_text, "OK \r\nMOV?" OWN_ABCD OTHERS "\r\n");
    c->size = 0;
    say(c, "MOV:A,N\r\n");
    c->received_text[0] = '\0';
    while (strstr(c->received_text, "MOV?") == NULL && machine_ms() < end)
        go_round(&w);
    assert_memory_equal(c->received_text, "OK \r\nMOV?13R24R34R44R15B25B35B45B", 33);
    w.now += second_ns; /* what our player thinks is charged by the server's clock */
    say(c, "MOV:A,S\r\nMOV:A,S\r\n");
    leave(c);
    expect_counts(&w, "waiting 0, running 0, viewers 1, wires 1, finished 1 of 1, turned away 0");
    assert_memory_equal(w.ended, "1 first ", 8);
    world_close(&w);
}

/* A player that cannot answer loses like a client. */
static void our_player_may_be_at_fault(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.service.player =
        "ext:cmd=cat"; /* it would need the game from its beginning, which is not available here */
    w.service.player_side = 1;
    w.service.grant = &grant_everything;
    world_open_again(&w);
    struct client *c = come(&w, w.state.ports[0]);
    expect_received(&w, c, "SET?\r\nWON:14B24B34B44B15B25B35B45B41b31b21b11b40b30b20b10b\r\n");
    assert_string_equal(w.ended, "1 first protocol: an external player needs the game from its beginning\n");
    expect_counts(&w, "waiting 0, running 0, viewers 0, wires 1, finished 1 of 1, turned away 0");
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clients_are_paired_in_the_order_of_their_coming),
        cmocka_unit_test(connections_linger_after_a_game),
        cmocka_unit_test(the_side_that_leaves_loses),
        cmocka_unit_test(the_end_of_the_server_stops_games),
        cmocka_unit_test(late_clients_are_turned_away),
        cmocka_unit_test(connections_have_limits),
        cmocka_unit_test(a_port_is_for_one_thing),
        cmocka_unit_test(viewers_see_the_game_they_ask_for),
        cmocka_unit_test(the_state_comes_again_every_half_second),
        cmocka_unit_test(finished_games_are_still_known),
        cmocka_unit_test(requests_are_answered_or_refused),
        cmocka_unit_test(viewers_have_limits_of_time),
        cmocka_unit_test(our_player_sits_on_its_side),
        cmocka_unit_test(a_player_that_cannot_be_opened_gets_no_game),
#ifdef __GLIBC__
        cmocka_unit_test(a_player_without_a_thread_gets_no_game),
#endif
        cmocka_unit_test(tokens_are_compared_whole),
        cmocka_unit_test(the_latest_state_follows_one_game_after_the_other),
        cmocka_unit_test(old_games_are_forgotten),
        cmocka_unit_test(viewers_have_a_number),
        cmocka_unit_test(a_viewer_may_read_late),
        cmocka_unit_test(what_waits_for_a_viewer_has_a_limit),
        cmocka_unit_test(a_viewer_that_never_reads_is_let_go),
        cmocka_unit_test(the_impatient_are_sent_away),
        cmocka_unit_test(frames_may_come_with_the_request),
        cmocka_unit_test(our_player_has_a_number_of_seats),
        cmocka_unit_test(our_player_may_be_the_first),
        cmocka_unit_test(our_player_may_be_at_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
