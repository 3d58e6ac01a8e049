/* SPDX-License-Identifier: MIT
 *
 * The server's end of the platform's network protocol: whole games against our own client over sockets, the
 * order of the messages, and clients with every fault. Clients run on threads of their own.
 */
#include "net/tubstap.h"

#include "match/batch.h"
#include "outside_support.h"
#include "own_maps.h"
#include "player/player.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

static struct clock system_clock;

static struct tubstap_limits manners(double answer_seconds) {
    return (struct tubstap_limits){&system_clock, NULL, (int64_t)(answer_seconds * 1e9)};
}

/* Links want sockets that do not block. */
static struct link *make_link(int socket) {
    assert_int_equal(fcntl(socket, F_SETFL, O_NONBLOCK), 0);
    return link_from_socket(socket);
}

static struct link *make_pair(int *other) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    *other = ends[1];
    struct link *link = make_link(ends[0]);
    assert_non_null(link);
    return link;
}

/* ---- a client of ours on a thread ---- */

struct guest {
    pthread_t thread;
    const char *spec;
    struct link *link;
    uint64_t seed;
    struct tubstap_client client;
    enum tubstap_end end;
    struct err e;
};

static void *guest_main(void *argument) {
    struct guest *g = argument;
    const struct tubstap_join join = {.player = g->spec, .seed = g->seed, .clock = &system_clock};
    tubstap_client_init(&g->client, g->spec);
    g->end = tubstap_client_run(&g->client, g->link, &join, &g->e);
    link_close(g->link, 0);
    return NULL;
}

static struct player *invite(struct guest *g, const char *spec, uint64_t seed) {
    const struct tubstap_limits m = manners(30);
    int other;
    struct err e;
    struct link *link = make_pair(&other);
    *g = (struct guest){.spec = spec, .seed = seed, .link = make_link(other)};
    assert_non_null(g->link);
    assert_int_equal(pthread_create(&g->thread, NULL, guest_main, g), 0);
    struct player *seat = tubstap_seat_open(link, &m, &e);
    assert_non_null(seat);
    assert_string_equal(tubstap_seat_name(seat), spec);
    assert_true(tubstap_seat_is_there(seat));
    return seat;
}

static void play_game(const struct scenario *scenario, struct player *const players[2],
                      struct tubstap_game *table, const struct timing *timing, struct game_run_result *out) {
    struct err e;
    struct game_run game_run = {.game.scenario = scenario,
                                .names = {"red", "blue"},
                                .players = {players[0], players[1]},
                                .game.seed = 5,
                                .game.timing = timing,
                                .clock = &system_clock};
    if (table != NULL) {
        game_run.watch = tubstap_watch;
        game_run.context = table;
        tubstap_begin(table, scenario);
    }
    if (!game_run_play(&game_run, out, &e))
        fail_msg("%s", e.text);
}

static void assert_same_games(const struct record *a, const struct record *b) {
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        assert_int_equal(a->actions[i].action, b->actions[i].action);
    assert_string_equal(a->result, b->result);
}

/* `remote` marks the sides that are clients; the same game is played without a network. */
static void compare_games(const char *map, const char *const specs[2], const bool remote[2]) {
    struct scenario *scenario = own_map(map);
    struct guest guests[2];
    struct tubstap_game table = {.names = {"red", "blue"}};
    struct player *there[2], *here[2];
    struct game_run_result far, near;
    struct err e;
    for (int side = 0; side < 2; side++) {
        here[side] = player_open(specs[side], scenario->game, &e);
        there[side] = remote[side] ? invite(&guests[side], specs[side], 5)
                                   : player_open(specs[side], scenario->game, &e);
        table.seats[side] = remote[side] ? there[side] : NULL;
    }
    play_game(scenario, there, &table, NULL, &far);
    play_game(scenario, here, NULL, NULL, &near);
    assert_same_games(&far.record, &near.record);
    assert_int_equal(far.outcome.fault, PLAYER_FAULT_NONE);
    for (int side = 0; side < 2; side++) {
        player_close(there[side]);
        player_close(here[side]);
    }
    for (int side = 0; side < 2; side++) {
        if (!remote[side])
            continue;
        struct guest *g = &guests[side];
        pthread_join(g->thread, NULL);
        if (g->end != TUBSTAP_END_OVER)
            fail_msg("%s", g->e.text);
        assert_int_equal(g->client.side, side);
        assert_int_equal(g->client.differences, 0);
        assert_same_games(&g->client.record, &near.record);
        tubstap_client_done(&g->client);
    }
    game_run_result_done(&far);
    game_run_result_done(&near);
    game_unload(scenario);
}

static void plays_the_same_games_as_without_a_network(void **unused) {
    (void)unused;
    static const struct {
        const char *map, *specs[2];
        bool remote[2];
    } cases[] = {
        {"duel", {"acteval", "random"}, {true, true}},
        {"standard", {"random", "acteval"}, {true, false}},
        {"late_start", {"aas", "acteval:style=sample"}, {false, true}}, /* aas ends turns early */
        {"battle16", {"random", "acteval"}, {true, true}},              /* a wide board */
        {"duel", {"uct:sims=40", "muct:sims=10"}, {true, true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        compare_games(cases[i].map, cases[i].specs, cases[i].remote);
}

/* ---- clients with a script ---- */

enum habit {
    PROPER,      /* answers everything, ends every turn */
    SILENT,      /* does not answer that command */
    LEAVES,      /* closes in place of an answer */
    SENDS,       /* sends `words` in place of an answer */
    FLOODS,      /* a line without an end */
    DRIBBLES,    /* the proper answer byte by byte, with LF alone and blank lines before it */
    BLANK_FLOOD, /* nothing but line ends */
    LISTENS,     /* proper, and leaves once the game is over */
};

struct rogue {
    pthread_t thread;
    int socket;
    enum habit habit;
    const char *command, *words;
    struct text received_text; /* every command, one a line, less its arguments */
};

static void put(const struct rogue *r, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t sent = send(r->socket, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void flood(const struct rogue *r, char c) {
    char block[4096];
    memset(block, c, sizeof block);
    for (int i = 0; i < 200; i++)
        put(r, block, sizeof block);
}

/* False when it goes. */
static bool misbehave(const struct rogue *r, const char *answer) {
    switch (r->habit) {
    case LEAVES: return false;
    case SENDS: put(r, r->words, strlen(r->words)); return true;
    case FLOODS: flood(r, 'x'); return true;
    case BLANK_FLOOD: flood(r, '\n'); return true;
    case DRIBBLES:
        put(r, "\n \r\n\n", 5);
        for (const char *at = answer; *at != '\0'; at++)
            if (*at != '\r')
                put(r, at, 1);
        return true;
    case PROPER:
    case LISTENS:
    case SILENT: return true;
    }
    return true;
}

static bool react(struct rogue *r, char *line) {
    const size_t length = strcspn(line, " \r");
    line[length] = '\0';
    text_add(&r->received_text, "%s\n", line);
    const char *answer = strcmp(line, "name") == 0      ? "= rogue\r\n\r\n"
                         : strcmp(line, "Genmove") == 0 ? "= -1,-1,-1,0,0,-1,0,0,3,0,0\r\n\r\n"
                                                        : "= \r\n\r\n";
    if (r->command != NULL && strcmp(line, r->command) == 0)
        return misbehave(r, answer);
    put(r, answer, strlen(answer));
    return true;
}

static void *rogue_main(void *argument) {
    struct rogue *r = argument;
    char buffer[70000];
    size_t size = 0;
    for (bool going = true; going;) {
        const ssize_t got = recv(r->socket, buffer + size, sizeof buffer - 1 - size, 0);
        if (got <= 0)
            break;
        size += (size_t)got;
        for (char *end; going && (end = memchr(buffer, '\n', size)) != NULL;) {
            *end = '\0';
            going = react(r, buffer);
            const size_t used = (size_t)(end + 1 - buffer);
            memmove(buffer, end + 1, size - used);
            size -= used;
        }
    }
    close(r->socket);
    return NULL;
}

static struct player *let_in(struct rogue *r, double answer_seconds, struct err *e) {
    const struct tubstap_limits m = manners(answer_seconds);
    struct link *link = make_pair(&r->socket);
    assert_int_equal(pthread_create(&r->thread, NULL, rogue_main, r), 0);
    return tubstap_seat_open(link, &m, e);
}

static void stop_rogue(struct rogue *r) {
    pthread_join(r->thread, NULL);
    text_done(&r->received_text);
}

/* The rogue is blue, against `random`; its fault and the message about it. */
static void expect_ruling(const struct rogue *likeness, enum player_fault fault, const char *reason) {
    struct scenario *scenario = own_map("duel");
    struct rogue rogue = *likeness;
    struct err e;
    const bool waits = rogue.habit == SILENT;
    struct player *seat = let_in(&rogue, waits && strcmp(rogue.command, "Genmove") != 0 ? 2 : 30, &e);
    assert_non_null(seat);
    if (rogue.habit == SENDS && strcmp(rogue.command, "name") == 0) /* its further lines arrive later */
        for (int i = 0; i < 6000 && tubstap_seat_is_there(seat); i++)
            poll(NULL, 0, 10);
    struct player *players[2] = {player_open("random", scenario->game, &e), seat};
    struct tubstap_game table = {.seats = {NULL, seat}, .names = {"random", "rogue"}};
    struct timing timing;
    assert_true(timing_read(waits ? "turn=2,patience=0.1" : "turn=60", &timing, &e));
    struct game_run_result result;
    play_game(scenario, players, &table, &timing, &result);
    if (result.outcome.fault != (int)fault ||
        (reason != NULL && strstr(result.record.comment, reason) == NULL))
        fail_msg("%s %s: %s: %s; expected %s: %s", rogue.command, rogue.words != NULL ? rogue.words : "",
                 player_fault_names[result.outcome.fault], result.record.comment, player_fault_names[fault],
                 reason);
    if (fault != PLAYER_FAULT_NONE) {
        assert_int_equal(result.outcome.forfeiter, 1);
        assert_true(result.outcome.payoff > 0.5);
        if (strcmp(rogue.command, "name") != 0)
            assert_non_null(strstr(text_string(&result.fault_report), "\"opponent random\""));
        assert_null(strstr(text_string(&result.fault_report), "\\r"));
    }
    player_close(players[0]);
    player_close(players[1]);
    stop_rogue(&rogue);
    game_run_result_done(&result);
    game_unload(scenario);
}

static void rules_on_every_fault(void **unused) {
    (void)unused;
    static const struct {
        struct rogue rogue;
        enum player_fault fault;
        const char *reason;
    } cases[] = {
        {{.habit = SILENT, .command = "Genmove"}, PLAYER_FAULT_HANG, "no answer to Genmove"},
        {{.habit = SILENT, .command = "play"}, PLAYER_FAULT_HANG, "no answer to play"},
        {{.habit = SILENT, .command = "MAP"}, PLAYER_FAULT_HANG, "no answer to MAP"},
        {{.habit = LEAVES, .command = "Genmove"}, PLAYER_FAULT_CRASH, "closed before it answered Genmove"},
        {{.habit = LEAVES, .command = "play"}, PLAYER_FAULT_CRASH, "closed before it answered play"},
        {{.habit = LEAVES, .command = "opponent"}, PLAYER_FAULT_CRASH, "closed before it answered opponent"},
        {{.habit = FLOODS, .command = "Genmove"}, PLAYER_FAULT_GARBAGE, "a line of more than 65536 bytes"},
        {{.habit = BLANK_FLOOD, .command = "Genmove"}, PLAYER_FAULT_GARBAGE, "1000 blank lines"},
        {{.habit = SENDS, .command = "Genmove", .words = "hello\x1B[2J\r\n"},
         PLAYER_FAULT_GARBAGE,
         "does not begin with '=': 'hello?[2J'"},
        {{.habit = SENDS, .command = "Genmove", .words = "= pass\r\n\r\n"},
         PLAYER_FAULT_GARBAGE,
         "'pass' is no action"},
        {{.habit = SENDS, .command = "Genmove", .words = "? cannot\r\n\r\n"},
         PLAYER_FAULT_PROTOCOL,
         "it refused Genmove: '? cannot'"},
        {{.habit = SENDS, .command = "Color", .words = "= \r\n\r\n= and more\r\n\r\n"},
         PLAYER_FAULT_PROTOCOL,
         "it sent '= and more' without a question"},
        {{.habit = SENDS, .command = "Genmove", .words = "= 0,2,2,2,2,-1,0,0,1,0,0\r\n\r\n"},
         PLAYER_FAULT_ILLEGAL,
         "unit 0 is"},
        {{.habit = SENDS, .command = "Genmove", .words = "= 2,1,1,3,3,-1,0,0,1,0,0\r\n\r\n"},
         PLAYER_FAULT_ILLEGAL,
         "cannot end its move there"},
        {{.habit = SENDS, .command = "Genmove", .words = "= -5,1,1,3,3,-1,0,0,1,0,0\r\n\r\n"},
         PLAYER_FAULT_ILLEGAL,
         "there is no unit -5"},
        {{.habit = DRIBBLES, .command = "Genmove"}, PLAYER_FAULT_NONE, ""},
        {{.habit = PROPER}, PLAYER_FAULT_NONE, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_ruling(&cases[i].rogue, cases[i].fault, cases[i].reason);
    static char words[70000] = "= rogue\r\n\r\n";
    memset(words + 11, 'x', sizeof words - 12);
    expect_ruling(&(struct rogue){.habit = SENDS, .command = "name", .words = words}, PLAYER_FAULT_GARBAGE,
                  "a line of more than 65536 bytes after an earlier command");
    expect_ruling(&(struct rogue){.habit = SENDS, .command = "name", .words = "= rogue\r\n\r\nmore\r\n"},
                  PLAYER_FAULT_PROTOCOL, "it sent 'more' without a question");
}

static void takes_a_surrender_for_one(void **unused) {
    (void)unused;
    struct scenario *scenario = own_map("duel");
    struct rogue rogue = {.habit = SENDS, .command = "Genmove", .words = "= -1,0,0,0,0,-1,0,0,0,0,0\r\n\r\n"};
    struct err e;
    struct player *seat = let_in(&rogue, 30, &e);
    assert_non_null(seat);
    struct player *players[2] = {seat, player_open("random", scenario->game, &e)};
    struct tubstap_game table = {.seats = {seat, NULL}, .names = {"rogue", "random"}};
    struct game_run_result result;
    play_game(scenario, players, &table, NULL, &result);
    assert_string_equal(result.record.result, "blue resignation");
    assert_int_equal(result.outcome.forfeiter, NOBODY);
    player_close(players[0]);
    player_close(players[1]);
    stop_rogue(&rogue);
    game_run_result_done(&result);
    game_unload(scenario);
}

/* A client without a valid name gets no seat, and a client that leaves loses its seat. */
static void gives_no_seat_to_strangers(void **unused) {
    (void)unused;
    static const struct {
        struct rogue rogue;
        double answer_seconds;
        const char *reason;
    } cases[] = {
        {{.habit = SILENT, .command = "name"}, 0.2, "no answer to name"},
        {{.habit = LEAVES, .command = "name"}, 30, "closed before it answered name"},
        {{.habit = SENDS, .command = "name", .words = "GET / HTTP/1.1\r\n"}, 30, "does not begin with '='"},
        {{.habit = FLOODS, .command = "name"}, 30, "a line of more than"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rogue rogue = cases[i].rogue;
        struct err e;
        assert_null(let_in(&rogue, cases[i].answer_seconds, &e));
        assert_non_null(strstr(e.text, cases[i].reason));
        stop_rogue(&rogue);
    }
    struct rogue nameless = {.habit = SENDS, .command = "name", .words = "=\n"};
    struct err e;
    struct player *seat = let_in(&nameless, 30, &e);
    assert_non_null(seat);
    assert_string_equal(tubstap_seat_name(seat), "nameless");
    assert_true(tubstap_seat_is_there(seat));
    shutdown(nameless.socket, SHUT_RDWR);
    assert_false(tubstap_seat_is_there(seat));
    player_close(seat);
    stop_rogue(&nameless);
}

/* Each client receives each action of the other side as soon as it is played, including the last. */
static void sends_all_in_the_platforms_order(void **unused) {
    (void)unused;
    struct scenario *scenario = own_map("duel");
    struct rogue rogues[2] = {{.habit = LISTENS}, {.habit = LISTENS}};
    struct tubstap_game table = {.names = {"one", "two"}};
    struct game_run_result result;
    struct err e;
    for (int side = 0; side < 2; side++)
        table.seats[side] = let_in(&rogues[side], 30, &e);
    play_game(scenario, table.seats, &table, NULL, &result);
    for (int side = 0; side < 2; side++)
        player_close(table.seats[side]);
    assert_string_equal(result.record.result, "draw limit");
    for (int side = 0; side < 2; side++) {
        struct text expected = {0};
        pthread_join(rogues[side].thread, NULL);
        text_add_string(&expected, "name\nopponent\nMAP\nColor\n");
        for (int turn = 0; turn < result.outcome.turns; turn++)
            text_add_string(&expected, turn % 2 == side ? "Genmove\n" : "play\n");
        assert_string_equal(text_string(&rogues[side].received_text), text_string(&expected));
        text_done(&expected);
        text_done(&rogues[side].received_text);
    }
    game_run_result_done(&result);
    game_unload(scenario);
}

/* ---- our client against a server that breaks the protocol ---- */

static void client_ends_when_the_server_does_wrong(void **unused) {
    (void)unused;
    static const struct {
        const char *said;
        enum tubstap_end end;
        const char *reason;
    } cases[] = {
        {"", TUBSTAP_END_CLOSED, "closed before the game began"},
        {"name\r\ndance\r\n", TUBSTAP_END_FAILED, "'dance' from the server: this command is unknown"},
        {"name\r\nGenmove\r\n", TUBSTAP_END_FAILED, "has not begun"},
        {"\r\n\r\nname\nMAP SIZEX[4];SIZEY[3];TURNLIMIT[4];UNIT[1,1,panzer,0,10,0];UNIT[2,1,panzer,1,10,0];"
         "MAP[0,0,0,0];MAP[0,1,1,0];MAP[0,0,0,0];\nColor 0\nGenmove\nplay x\n",
         TUBSTAP_END_FAILED, "expected 11 numbers"},
        {"MAP SIZEX[4];SIZEY[3];TURNLIMIT[4];UNIT[1,1,panzer,0,10,0];UNIT[2,1,panzer,1,10,0];"
         "MAP[0,0,0,0];MAP[0,1,1,0];MAP[0,0,0,0];\nColor 0\nGenmove\n",
         TUBSTAP_END_CLOSED, "in the middle of the game, after 1 turn; why, the server did not say"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int other;
        struct link *link = make_pair(&other);
        struct tubstap_client client;
        struct err e = {0};
        const struct tubstap_join join = {.player = "random", .seed = 1, .clock = &system_clock};
        assert_int_equal(send(other, cases[i].said, strlen(cases[i].said), MSG_NOSIGNAL),
                         (ssize_t)strlen(cases[i].said));
        shutdown(other, SHUT_WR);
        tubstap_client_init(&client, "x");
        assert_int_equal(tubstap_client_run(&client, link, &join, &e), cases[i].end);
        if (strstr(e.text, cases[i].reason) == NULL)
            fail_msg("%s; expected %s", e.text, cases[i].reason);
        tubstap_client_done(&client);
        link_close(link, 0);
        close(other);
    }
}

/* A game of ours that the server has begun, and its result. */
static enum tubstap_end play_begun(const char *player, const char *said, size_t size, struct err *e) {
    int other;
    struct link *link = make_pair(&other);
    struct tubstap_client client;
    const struct tubstap_join join = {
        .player = player, .grant = &grant_everything, .seed = 1, .clock = &system_clock};
    assert_int_equal(send(other, said, size, MSG_NOSIGNAL), (ssize_t)size);
    tubstap_client_init(&client, "x");
    const enum tubstap_end end = tubstap_client_run(&client, link, &join, e);
    tubstap_client_done(&client);
    link_close(link, 0);
    close(other);
    return end;
}

static void client_ends_when_its_player_does_wrong(void **unused) {
    (void)unused;
    static const char said[] =
        "MAP SIZEX[4];SIZEY[3];TURNLIMIT[4];UNIT[1,1,panzer,0,10,0];UNIT[2,1,panzer,1,10,0];"
        "MAP[0,0,0,0];MAP[0,1,1,0];MAP[0,0,0,0];\nColor 0\nGenmove\n";
    char player[300];
    struct err e;
    snprintf(player, sizeof player, "ext:cmd='%s' error", outside_saboteur());
    assert_int_equal(play_begun(player, said, sizeof said - 1, &e), TUBSTAP_END_FAILED);
    assert_memory_equal(e.text, player, strlen(player));
    assert_non_null(strstr(e.text, ": 'error I do not feel like playing' is no answer to 'go'"));
    assert_int_equal(play_begun("nobody", said, sizeof said - 1, &e), TUBSTAP_END_FAILED);
    assert_non_null(strstr(e.text, "player 'nobody' is unknown"));
}

static void client_reads_no_endless_lines(void **unused) {
    (void)unused;
    static char endless[LINK_LINE_MAX + 1];
    struct err e;
    memset(endless, 'x', sizeof endless);
    assert_int_equal(play_begun("random", endless, sizeof endless, &e), TUBSTAP_END_FAILED);
    assert_string_equal(e.text, "a line of more than 65536 bytes from the server");
}

static void client_stops_when_asked_to(void **unused) {
    (void)unused;
    int other;
    struct link *link = make_pair(&other);
    struct tubstap_client client;
    struct err e = {0};
    atomic_bool stop = true;
    const struct tubstap_join join = {.player = "random", .seed = 1, .clock = &system_clock, .stop = &stop};
    tubstap_client_init(&client, "x");
    assert_int_equal(tubstap_client_run(&client, link, &join, &e), TUBSTAP_END_STOPPED);
    assert_string_equal(e.text, "stopped");
    tubstap_client_done(&client);
    link_close(link, 0);
    close(other);
}

int main(void) {
    system_clock = clock_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_the_same_games_as_without_a_network),
        cmocka_unit_test(rules_on_every_fault),
        cmocka_unit_test(takes_a_surrender_for_one),
        cmocka_unit_test(gives_no_seat_to_strangers),
        cmocka_unit_test(sends_all_in_the_platforms_order),
        cmocka_unit_test(client_ends_when_the_server_does_wrong),
        cmocka_unit_test(client_ends_when_its_player_does_wrong),
        cmocka_unit_test(client_reads_no_endless_lines),
        cmocka_unit_test(client_stops_when_asked_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
