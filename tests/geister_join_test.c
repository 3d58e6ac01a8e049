/* SPDX-License-Identifier: MIT
 *
 * Games on a server that behaves like the official one, or worse: it disconnects clients that come too early,
 * refuses moves, leaves during a game, falls silent, sends invalid lines. The server is a thread here.
 */
#include "link/link.h"
#include "net/geister_client.h"
#include "expected_support.h"
#include "outside_support.h"
#include "player/player.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum manner {
    PROPER,
    CUTS_BEFORE_SET,  /* the first two connections, without a word */
    HOLDS_BEFORE_SET, /* the first connection, without a word and longer than the client's patience; then
                         closes it */
    CUTS_AFTER_SET,   /* the first connection, once the reds are chosen */
    REFUSES,          /* the first move, and lets one try again */
    LEAVES,           /* in the middle */
    FORFEITS,         /* the other player leaves in the middle */
    SILENT,           /* after SET? */
    NONSENSE,         /* after SET? */
    NO_SERVER,        /* something else at the port */
    TALKS_FIRST,      /* an answer to nothing */
    NO_GREETING,      /* not a word */
    ENDLESS,          /* a line that does not end */
};

enum { HELD_MS = 1200 };

struct fake {
    enum manner manner;
    int port, games, connections;
    struct scenario *scenario;
    struct geister state;
    struct rng rng;
    struct link *link;
};

/* ---- the server ---- */

static const struct link_wait patient = {NULL, INT64_C(60000000000), NULL};

static void say(struct fake *f, const char *word, const char *rest) {
    char line[128];
    struct err e;
    const int size = snprintf(line, sizeof line, "%s%s\r\n", word, rest);
    link_send(f->link, line, (size_t)size, &patient, &e);
}

static bool receive_line(struct fake *f, struct geister_request *out) {
    const char *line;
    if (link_receive(f->link, &patient, &line) != LINK_LINE)
        return false;
    geister_read_request(line, strlen(line), out);
    return true;
}

static void send_board(struct fake *f, const char *word, bool reveal) {
    char board[GEISTER_BOARD_CHARS + 1];
    geister_write_board(&f->state, 0, reveal, board);
    say(f, word, board);
}

/* The client has the first side. Its move, and the answer. */
static bool take_move(struct fake *f) {
    struct geister_request request;
    const struct geister before = f->state;
    action a;
    send_board(f, "MOV?", false);
    if (!receive_line(f, &request))
        return false;
    if (f->manner == REFUSES && f->state.ply == 0) {
        say(f, "NG ", "");
        if (!receive_line(f, &request))
            return false;
    }
    if (!geister_request_action(&f->state, &request, &a)) {
        say(f, "NG ", "");
        return false;
    }
    geister_game.play(&f->state, a, NULL);
    const char *word = "OK ";
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (f->state.where[1][i] != before.where[1][i])
            word = (f->state.reds[1] >> i & 1) != 0 ? "OKR" : "OKB";
    say(f, word, "");
    return true;
}

static void move_other(struct fake *f) {
    action list[GEISTER_SETUPS];
    if (geister_game.mover(&f->state) == NOBODY)
        return;
    const int count = geister_game.actions(&f->state, list);
    geister_game.play(&f->state, list[rng_below(&f->rng, (uint32_t)count)], NULL);
}

static void play(struct fake *f) {
    static const char *const words[] = {"WON:", "LST:", "DRW:"};
    while (geister_game.mover(&f->state) != NOBODY) {
        if (f->manner == LEAVES && f->state.ply >= 6)
            return;
        if (f->manner == FORFEITS && f->state.ply >= 6)
            break;
        if (!take_move(f))
            return;
        move_other(f);
    }
    send_board(f, f->manner == FORFEITS ? "WON:" : words[f->state.winner], true);
    const char *line;
    while (link_receive(f->link, &patient, &line) == LINK_LINE)
        ; /* the client has to close first */
}

static void send_endless(struct fake *f) {
    static char bytes[LINK_LINE_MAX + 1];
    struct err e;
    memset(bytes, 'x', sizeof bytes);
    link_send(f->link, bytes, sizeof bytes, &patient, &e);
}

static void hold_game(struct fake *f) {
    struct geister_request request;
    const char *line;
    if (f->manner == ENDLESS)
        send_endless(f);
    else if (f->manner != NO_GREETING)
        say(f, f->manner == NO_SERVER ? "220 ready" : f->manner == TALKS_FIRST ? "OK " : "SET?", "");
    if (f->manner >= SILENT && f->manner != NONSENSE) {
        while (link_receive(f->link, &patient, &line) == LINK_LINE)
            ;
        return;
    }
    geister_game.start(&f->state, f->scenario, NULL);
    if (!receive_line(f, &request) || request.command != GEISTER_COMMAND_SET)
        return;
    if (f->manner == CUTS_AFTER_SET && f->connections == 1)
        return;
    say(f, f->manner == NONSENSE ? "HELLO" : "OK ", "");
    geister_game.play(&f->state, geister_setup(request.value), NULL);
    geister_game.play(&f->state, geister_setup(0x66), NULL);
    play(f);
}

static void *run_server(void *context) {
    struct fake *f = context;
    struct err e;
    const bool cuts = f->manner == HOLDS_BEFORE_SET || f->manner == CUTS_AFTER_SET;
    const int extra = f->manner == CUTS_BEFORE_SET ? 2 : cuts ? 1 : 0;
    for (f->connections = 1; f->connections <= f->games + extra; f->connections++) {
        f->link = link_accept("127.0.0.1", f->port, &patient, &e);
        if (f->link == NULL)
            break;
        if (f->manner == HOLDS_BEFORE_SET && f->connections == 1)
            poll(NULL, 0, HELD_MS);
        else if (f->manner != CUTS_BEFORE_SET || f->connections > 2)
            hold_game(f);
        link_close(f->link, 0);
    }
    return NULL;
}

/* ---- the client ---- */

struct seen {
    int games, events[GEISTER_JOIN_REFUSED + 1], surprises;
    enum geister_join_end end;
    enum geister_outcome outcome;
    bool by_rules;
    int plies;
    char result[64];
    int64_t start_ns;
};

static const char *who_plays = "random";
static struct text log_of_all; /* what was reported, for every server; ports differ and are left out */

static void log_words(const char *words) {
    const char *port = strstr(words, "127.0.0.1:");
    const int before = port != NULL ? (int)(port - words) + 9 : 0;
    text_add(&log_of_all, " '%.*s%s'", before, words,
             words + before + (port != NULL ? 1 + strspn(port + 10, "0123456789") : 0));
}

static void on_event(void *context, int index, enum geister_join_event event, const char *words) {
    static const char *const names[] = {"trying", "connected", "waiting", "playing", "refused"};
    struct seen *seen = context;
    text_add(&log_of_all, "  game %d: %s", index, names[event]);
    log_words(words);
    text_add(&log_of_all, "\n");
    seen->events[event]++;
}

static bool on_game(void *context, const struct geister_joined *game) {
    struct seen *seen = context;
    assert_int_equal(game->index, seen->games);
    const struct record *record = &game->client->record;
    text_add(&log_of_all, "  game %d ended: %d, %s, %s, seed %llu, %d actions, %d surprises, outcome %d%s,",
             game->index, (int)game->end, record->result, record->players[0],
             (unsigned long long)record->seed, record->count, game->client->surprises,
             (int)game->client->outcome, game->client->by_rules ? " by rules" : "");
    if (strcmp(who_plays, "random") == 0) { /* an outside player's sentence has its path in it */
        log_words(record->comment);
        log_words(game->reason);
    }
    text_add(&log_of_all, "\n");
    /* Decisions were made one after the other, since the start. */
    const struct clock clock = clock_system();
    const double passed_ms = (double)(clock_now_ns(&clock) - seen->start_ns) * 1e-6;
    double spent_ms = 0;
    for (int i = 0; i < record->count; i++)
        spent_ms += fmax((double)record->actions[i].milliseconds, 0);
    assert_true(game->longest_ms >= 0);
    assert_true(game->longest_ms <= passed_ms);
    assert_true(spent_ms <= passed_ms);
    seen->games++;
    seen->end = game->end;
    seen->outcome = game->client->outcome;
    seen->by_rules = game->client->by_rules;
    seen->plies = geister_client_state(game->client)->ply;
    seen->surprises = game->client->surprises;
    snprintf(seen->result, sizeof seen->result, "%s", game->client->record.result);
    return true;
}

static enum geister_join_end join(enum manner manner, int games, struct seen *seen, struct err *e) {
    const struct clock clock = clock_system();
    struct fake fake = {.manner = manner, .games = games};
    pthread_t thread;
    rng_seed(&fake.rng, 11);
    fake.scenario = game_load_spec("geister", e);
    assert_non_null(fake.scenario);
    assert_true(link_listener("127.0.0.1", &fake.port, e) >= 0);
    assert_int_equal(pthread_create(&thread, NULL, run_server, &fake), 0);
    const struct geister_join terms = {.host = "127.0.0.1",
                                       .port = fake.port,
                                       .side = 0,
                                       .player = who_plays,
                                       .grant = &grant_everything,
                                       .scenario = fake.scenario,
                                       .games = games,
                                       .retry_s = manner >= SILENT             ? 0
                                                  : manner == HOLDS_BEFORE_SET ? HELD_MS * 1e-3 - 0.1
                                                                               : 60,
                                       .silence_s = manner == SILENT || manner == NO_GREETING ? 0.2
                                                    : manner == PROPER ? 0 /* no limit */
                                                                       : 60,
                                       .seed = 3,
                                       .clock = &clock,
                                       .on_event = on_event,
                                       .on_game = on_game,
                                       .context = seen};
    *seen = (struct seen){.start_ns = clock_now_ns(&clock)};
    text_add(&log_of_all, "manner %d, %d games\n", (int)manner, games);
    const enum geister_join_end end = geister_join_run(&terms, e);
    text_add(&log_of_all, "  %d", (int)end);
    log_words(end == GEISTER_JOIN_OVER || strcmp(who_plays, "random") != 0 ? "" : e->text);
    text_add(&log_of_all, "\n");
    pthread_join(thread, NULL);
    game_unload(fake.scenario);
    return end;
}

static void games_in_a_row(void **state) {
    (void)state;
    struct seen seen;
    struct err e;
    assert_int_equal(join(PROPER, 4, &seen, &e), GEISTER_JOIN_OVER);
    assert_int_equal(seen.games, 4);
    assert_true(seen.by_rules);
    assert_int_equal(seen.events[GEISTER_JOIN_PLAYING], 4);
    assert_int_equal(seen.events[GEISTER_JOIN_TRYING], 0);
    assert_int_equal(seen.surprises, 0);
}

/* The official server's ports between two games. */
static void a_disconnected_client_returns(void **state) {
    (void)state;
    static const enum manner manners[] = {CUTS_BEFORE_SET, CUTS_AFTER_SET, HOLDS_BEFORE_SET};
    for (int i = 0; i < 3; i++) {
        struct seen seen;
        struct err e;
        assert_int_equal(join(manners[i], 2, &seen, &e), GEISTER_JOIN_OVER);
        assert_int_equal(seen.games, 2);
        assert_true(seen.by_rules);
        assert_int_equal(seen.events[GEISTER_JOIN_TRYING], i == 0 ? 2 : 1);
    }
}

static void a_refused_move_is_followed_by_another(void **state) {
    (void)state;
    struct seen seen;
    struct err e;
    assert_int_equal(join(REFUSES, 1, &seen, &e), GEISTER_JOIN_OVER);
    assert_int_equal(seen.events[GEISTER_JOIN_REFUSED], 1);
    assert_true(seen.by_rules);
}

/* The next game is played nevertheless. */
static void a_server_that_leaves_breaks_one_game(void **state) {
    (void)state;
    struct seen seen;
    struct err e;
    assert_int_equal(join(LEAVES, 2, &seen, &e), GEISTER_JOIN_BROKEN);
    assert_int_equal(seen.games, 2);
    assert_int_equal(seen.outcome, GEISTER_GOES_ON);
    assert_string_equal(seen.result, "none");
    assert_string_equal(e.text, "the server closed the connection in the middle of the game, after 5 moves");
    assert_int_equal(join(FORFEITS, 2, &seen, &e), GEISTER_JOIN_OVER);
    assert_int_equal(seen.outcome, GEISTER_WON);
    assert_string_equal(seen.result, "first forfeit");
    assert_int_equal(seen.plies, 6);
}

struct sentence {
    enum manner manner;
    enum geister_join_end end;
    const char *words;
};

static void errors_are_reported(void **state) {
    (void)state;
    static const struct sentence cases[] = {
        {SILENT, GEISTER_JOIN_BROKEN, "the server has said nothing for 0.2 seconds, after 0 moves"},
        {NONSENSE, GEISTER_JOIN_BROKEN, "'HELLO' from the server: this is no line of a Geister server"},
        {NO_SERVER, GEISTER_JOIN_FAILED, "no SET? at the beginning: '220 ready' from the server"},
        {TALKS_FIRST, GEISTER_JOIN_FAILED, "no SET? at the beginning: 'OK ' from the server"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct seen seen;
        struct err e;
        assert_int_equal(join(cases[i].manner, 1, &seen, &e), cases[i].end);
        assert_memory_equal(e.text, cases[i].words, strlen(cases[i].words));
    }
}

static void a_wrong_greeting_is_reported(void **state) {
    (void)state;
    static const struct sentence cases[] = {
        {NO_GREETING, GEISTER_JOIN_FAILED, " says nothing; expected SET? within 0.2 seconds"},
        {ENDLESS, GEISTER_JOIN_FAILED, ": a line of more than 65536 bytes; expected SET?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct seen seen;
        struct err e;
        assert_int_equal(join(cases[i].manner, 1, &seen, &e), cases[i].end);
        assert_memory_equal(e.text, "127.0.0.1:", 10);
        assert_string_equal(e.text + 10 + strspn(e.text + 10, "0123456789"), cases[i].words);
        assert_int_equal(seen.games, 1);
        assert_int_equal(seen.end, cases[i].end);
    }
}

/* Fault of our own player: no further game is possible with it. */
static void a_player_at_fault_ends_it(void **state) {
    (void)state;
    struct seen seen;
    struct err e;
    char player[300];
    snprintf(player, sizeof player, "ext:cmd='%s' error", outside_saboteur());
    who_plays = player;
    const enum geister_join_end end = join(PROPER, 1, &seen, &e);
    who_plays = "random";
    assert_int_equal(end, GEISTER_JOIN_FAILED);
    assert_memory_equal(e.text, player, strlen(player));
    assert_non_null(strstr(e.text, ": 'error I do not feel like playing' is no answer to 'go'"));
    assert_string_equal(seen.result, "none");
}

static void a_stop_ends_it(void **state) {
    (void)state;
    struct err e;
    struct seen seen = {0};
    const atomic_bool stop = true;
    const struct clock clock = clock_system();
    struct scenario *scenario = game_load_spec("geister", &e);
    assert_non_null(scenario);
    const struct geister_join terms = {.host = "127.0.0.1",
                                       .port = 1, /* nothing listens there */
                                       .player = "random",
                                       .scenario = scenario,
                                       .games = 3,
                                       .retry_s = 60,
                                       .clock = &clock,
                                       .stop = &stop,
                                       .on_game = on_game,
                                       .context = &seen};
    assert_int_equal(geister_join_run(&terms, &e), GEISTER_JOIN_STOPPED);
    assert_string_equal(e.text, "stopped");
    assert_int_equal(seen.games, 1);
    game_unload(scenario);
}

enum { TRIES_MAX = 8 };

struct tries {
    const struct clock *clock;
    int count;
    int64_t at_ns[TRIES_MAX];
};

static void note_try(void *context, int index, enum geister_join_event event, const char *words) {
    struct tries *tries = context;
    (void)index;
    (void)words;
    if (event == GEISTER_JOIN_TRYING && tries->count++ < TRIES_MAX)
        tries->at_ns[tries->count - 1] = clock_now_ns(tries->clock);
}

/* The client does not retry a missing server without pause: each rest is twice as long as the one before. */
static void tries_become_rarer(void **state) {
    (void)state;
    struct err e;
    const struct clock clock = clock_system();
    struct tries tries = {.clock = &clock};
    struct scenario *scenario = game_load_spec("geister", &e);
    assert_non_null(scenario);
    const struct geister_join terms = {.host = "127.0.0.1",
                                       .port = 1, /* nothing listens there */
                                       .player = "random",
                                       .scenario = scenario,
                                       .games = 1,
                                       .retry_s = 0.5,
                                       .silence_s = 60,
                                       .seed = 3,
                                       .clock = &clock,
                                       .on_event = note_try,
                                       .context = &tries};
    const int64_t start = clock_now_ns(&clock);
    assert_int_equal(geister_join_run(&terms, &e), GEISTER_JOIN_FAILED);
    assert_true(clock_now_ns(&clock) - start >= 500000000);
    assert_non_null(strstr(e.text, "refused"));
    assert_in_range(tries.count, 1, 6);
    for (int i = 1; i < tries.count; i++)
        assert_true(tries.at_ns[i] - tries.at_ns[i - 1] >= INT64_C(10000000) << i);
    game_unload(scenario);
}

static void everything_was_reported(void **state) {
    (void)state;
    expected_compare("geister_join.txt", &log_of_all);
    text_done(&log_of_all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_in_a_row),
        cmocka_unit_test(a_disconnected_client_returns),
        cmocka_unit_test(a_refused_move_is_followed_by_another),
        cmocka_unit_test(a_server_that_leaves_breaks_one_game),
        cmocka_unit_test(errors_are_reported),
        cmocka_unit_test(a_wrong_greeting_is_reported),
        cmocka_unit_test(a_player_at_fault_ends_it),
        cmocka_unit_test(everything_was_reported), /* by servers; the later tests have none */
        cmocka_unit_test(a_stop_ends_it),
        cmocka_unit_test(tries_become_rarer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
