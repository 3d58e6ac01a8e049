/* SPDX-License-Identifier: MIT
 *
 * The state machine of the Geister server: lines, clocks, misbehaving clients, views and records. The exact
 * output of the official server is in geister_probes_test.c.
 */
#include "expected_support.h"
#include "geister_support.h"
#include "geister_table_support.h"

#include "net/geister_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define START "14R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b"

/* ---- requests ---- */

struct request_case {
    const char *line;
    enum geister_command command;
    int value; /* reds, or piece * 4 + direction */
};

static void reads_requests(void **state) {
    (void)state;
    static const struct request_case cases[] = {
        {"SET:ABCD", GEISTER_COMMAND_SET, 0x0F},     {"SET:hgfe", GEISTER_COMMAND_SET, 0xF0},
        {"SET:ABC", GEISTER_COMMAND_BAD, 0},         {"SET:ABCDE", GEISTER_COMMAND_BAD, 0},
        {"SET:AABC", GEISTER_COMMAND_BAD, 0},        {"SET:ABCI", GEISTER_COMMAND_BAD, 0},
        {"SET:AB D", GEISTER_COMMAND_BAD, 0},        {"set:ABCD", GEISTER_COMMAND_BAD, 0},
        {"SET?ABCD", GEISTER_COMMAND_BAD, 0},        {"", GEISTER_COMMAND_BAD, 0},
        {"MOV:A,N", GEISTER_COMMAND_MOVE, 0},        {"MOV:h,south", GEISTER_COMMAND_MOVE, 31},
        {"MOV:B_1,WeSt", GEISTER_COMMAND_MOVE, 6},   {"MOV:A,E ", GEISTER_COMMAND_BAD, 0},
        {"MOV:A,", GEISTER_COMMAND_BAD, 0},          {"MOV:,N", GEISTER_COMMAND_BAD, 0},
        {"MOV:A N", GEISTER_COMMAND_BAD, 0},         {"MOV:A,NO", GEISTER_COMMAND_BAD, 0},
        {"MOV:A,N,N", GEISTER_COMMAND_BAD, 0},       {"MOV:I,N", GEISTER_COMMAND_BAD, 0},
        {"MOV:A\xC3\xA9,N", GEISTER_COMMAND_BAD, 0}, {"MOV:A", GEISTER_COMMAND_BAD, 0},
        {" MOV:A,N", GEISTER_COMMAND_BAD, 0},        {"MOV:A,NORTHWEST", GEISTER_COMMAND_BAD, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct geister_request r;
        geister_read_request(cases[i].line, strlen(cases[i].line), &r);
        assert_int_equal(r.command, cases[i].command);
        if (r.command != GEISTER_COMMAND_BAD)
            assert_int_equal(r.value, cases[i].value);
    }
    struct geister_request r; /* the whole line counts, also behind a NUL */
    geister_read_request("MOV:A,NORTH\0", 12, &r);
    assert_int_equal(r.command, GEISTER_COMMAND_BAD);
}

/* A request is an action of the mover, if it is legal. */
static void requests_become_actions(void **state) {
    (void)state;
    const struct geister_request setup = {GEISTER_COMMAND_SET, 0x0F}, bad = {GEISTER_COMMAND_BAD, 0x0F},
                                 north = {GEISTER_COMMAND_MOVE, GEISTER_NORTH},
                                 south = {GEISTER_COMMAND_MOVE, GEISTER_SOUTH};
    struct scenario *scenario = game_load_spec("geister:plies=2", NULL);
    struct geister s;
    action a;
    assert_non_null(scenario);
    geister_game.start(&s, scenario, NULL);
    assert_false(geister_request_action(&s, &bad, &a));
    for (int side = 0; side < 2; side++) {
        assert_true(geister_request_action(&s, &setup, &a));
        assert_int_equal(a, geister_setup(0x0F));
        geister_game.play(&s, a, NULL);
    }
    assert_false(geister_request_action(&s, &setup, &a));
    for (int side = 0; side < 2; side++) {
        assert_false(geister_request_action(&s, &bad, &a));
        assert_false(geister_request_action(&s, &south, &a)); /* onto its own piece */
        assert_true(geister_request_action(&s, &north, &a));
        assert_int_equal(a, geister_move(s.where[side][0], side == 0 ? GEISTER_NORTH : GEISTER_SOUTH));
        geister_game.play(&s, a, NULL);
    }
    assert_false(geister_request_action(&s, &north, &a)); /* the game is over */
    assert_false(geister_request_action(&s, &setup, &a));
    geister_place(&s, scenario, "99r24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u", 0, 0);
    assert_false(geister_request_action(&s, &north, &a)); /* the piece was taken */
    game_unload(scenario);
}

static void reads_replies(void **state) {
    (void)state;
    const char *board;
    assert_int_equal(geister_read_reply("SET?", &board), GEISTER_REPLY_SET);
    assert_int_equal(geister_read_reply("OK ", &board), GEISTER_REPLY_OK);
    assert_int_equal(geister_read_reply("OKR", &board), GEISTER_REPLY_OK_RED);
    assert_int_equal(geister_read_reply("OKB", &board), GEISTER_REPLY_OK_BLUE);
    assert_int_equal(geister_read_reply("NG ", &board), GEISTER_REPLY_NG);
    assert_null(board);
    assert_int_equal(geister_read_reply("LST:" START, &board), GEISTER_REPLY_LOST);
    assert_string_equal(board, START);
    assert_int_equal(geister_read_reply("MOV?" START, &board), GEISTER_REPLY_MOVE);
    static const char *const wrong[] = {"", "OK", "OKX", "NG", "SET? ", "MOV?", "WON:1", "DRW:" START "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(geister_read_reply(wrong[i], &board), GEISTER_REPLY_BAD);
}

/* ---- clocks ---- */

/* Milliseconds are charged exactly, then the grace is all there is; loss comes at the limit, not before. */
static void charges_milliseconds(void **state) {
    (void)state;
    static struct fixture f;
    fixture_open(&f, 3, 1);
    table_begin(&f);
    table_tick(&f, 2500 * ms_ns);
    table_send_line(&f, 0, "MOV:A,N");
    table_expect(&f, 0, "OK ");
    assert_int_equal(f.table.game.clocks.game_left_ns[0], 500 * ms_ns);
    assert_int_equal(f.table.game.clocks.game_left_ns[1], 3 * second_ns);
    table_send_line(&f, 1, "MOV:A,N");
    f.now += 1499 * ms_ns; /* 500 of the budget and less than the grace */
    table_send_line(&f, 0, "MOV:A,N");
    assert_int_equal(f.table.game.clocks.game_left_ns[0], 0);
    table_send_line(&f, 1, "MOV:A,S");
    assert_int_equal(geister_session_due(&f.table), f.now + second_ns);
    table_tick(&f, f.now + second_ns - 1);
    assert_false(geister_session_is_over(&f.table));
    table_tick(&f, f.now + 1);
    assert_true(geister_session_is_over(&f.table));
    assert_true(f.table.cut);
    assert_int_equal(f.table.winner, 1);
    assert_int_equal(f.table.game.referee.forfeiter, 0);
    assert_int_equal(f.table.game.referee.fault_kind, PLAYER_FAULT_HANG);
    assert_int_equal(geister_session_due(&f.table), INT64_MAX);
    table_close(&f);
}

static void charges_whole_seconds(void **state) {
    (void)state;
    static struct fixture f;
    fixture_open(&f, 3, 1);
    f.terms.whole_seconds = true;
    table_again(&f);
    table_begin(&f);
    for (int i = 0; i < 8; i++) {
        f.now += 999 * ms_ns;
        table_send_line(&f, i % 2, i % 4 < 2 ? "MOV:A,N" : "MOV:A,S");
    }
    assert_int_equal(f.table.game.clocks.game_left_ns[0], 3 * second_ns);
    f.now += 1001 * ms_ns;
    table_send_line(&f, 0, "MOV:A,N");
    assert_int_equal(f.table.game.clocks.game_left_ns[0], 2 * second_ns);
    table_close(&f);
}

/* A line that comes at the limit is late, even without a tick before it; the clock continues after an NG. */
static void loses_at_the_limit(void **state) {
    (void)state;
    static struct fixture f;
    fixture_open(&f, 0, 2);
    f.terms.go_on = true;
    table_begin(&f);
    f.now = 2 * second_ns - 1;
    table_send_line(&f, 0, "MOV:E,N");
    table_expect(&f, 0, "NG ");
    f.now++;
    table_send_line(&f, 0, "MOV:A,N");
    table_expect(&f, 0, "LST:" START);
    table_expect(&f, 1, "WON:" START);
    table_close(&f);
}

static void limits_the_setup(void **state) {
    (void)state;
    static struct fixture f;
    fixture_open(&f, 600, 10);
    f.terms.setup_ns = 60 * second_ns;
    geister_session_join(&f.table, 0, 0);
    table_collect(&f);
    assert_int_equal(geister_session_due(&f.table), INT64_MAX); /* alone it may take for ever */
    table_send_line(&f, 0, "SET:ABCD");
    f.now = 1000 * second_ns;
    geister_session_join(&f.table, 1, f.now);
    table_collect(&f);
    assert_int_equal(geister_session_due(&f.table), f.now + 60 * second_ns);
    table_tick(&f, f.now + 60 * second_ns);
    table_expect(&f, 0, "SET?");
    table_expect(&f, 0, "OK ");
    table_expect(&f, 0, "WON:14R24R34R44R15B25B35B45B41b31b21b11b40b30b20b10b");
    assert_string_equal(f.table.record.result, "first hang");
    table_again(&f);
    f.now = 0;
    table_join(&f);
    table_tick(&f, 60 * second_ns);
    table_expect(&f, 0, "SET?");
    table_expect_bytes(&f, 0, "DRW:", 4);
    assert_int_equal(f.table.winner, 2);
    assert_int_equal(f.table.game.referee.forfeiter, REFEREE_BOTH);
    table_close(&f);
}

/* --wait: the other is prompted later, and only then its clock runs; before that its lines are out of turn.
 */
static void waits_before_a_prompt(void **state) {
    (void)state;
    static struct fixture f;
    fixture_open(&f, 600, 10);
    f.terms.wait_ns = 600 * ms_ns;
    table_begin(&f);
    table_send_line(&f, 0, "MOV:A,N");
    table_expect(&f, 0, "OK ");
    table_expect_silence(&f, 1);
    assert_int_equal(geister_session_asked(&f.table), NOBODY);
    table_tick(&f, 599 * ms_ns);
    table_send_line(&f, 1, "MOV:A,N");
    table_expect(&f, 1, "NG ");
    table_tick(&f, 600 * ms_ns);
    table_expect(&f, 1, "MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
    assert_int_equal(geister_session_asked(&f.table), 1);
    table_tick(&f, 700 * ms_ns);
    table_send_line(&f, 1, "MOV:A,N");
    assert_int_equal(f.table.game.think_ns[1], 100 * ms_ns);
    table_close(&f);
}

/* ---- misbehaving clients ---- */

static void cuts_off_floods(void **state) {
    (void)state;
    static struct fixture f;
    fixture_open(&f, 600, 10);
    table_begin(&f);
    for (int i = 0; i < GEISTER_REJECTED_MAX; i++) {
        table_send_line(&f, 1, i % 2 == 0 ? "x" : "");
        assert_false(geister_session_is_over(&f.table));
    }
    f.size[1] = 0;
    table_send_line(&f, 1, "x");
    table_expect(&f, 1, "LST:" START);
    table_expect(&f, 0, "WON:" START);
    assert_true(f.table.cut);
    assert_int_equal(f.table.game.referee.fault_kind, PLAYER_FAULT_PROTOCOL);
    assert_string_equal(f.table.game.referee.reason, "too many lines that were not asked for");
    table_again(&f);
    table_begin(&f);
    for (int i = 0; i <= GEISTER_REJECTED_MAX; i++) {
        assert_false(geister_session_is_over(&f.table));
        table_send_line(&f, 1, "");
    }
    assert_true(f.table.cut);
    assert_string_equal(f.table.game.referee.reason, "too many empty lines");
    table_close(&f);
}

static void judges_long_lines(void **state) {
    (void)state;
    static struct fixture f;
    char line[GEISTER_LINE_MAX + 1];
    fixture_open(&f, 600, 10);
    table_begin(&f);
    /* The longest accepted line, its end included, and one more. */
    memset(line, 'A', sizeof line);
    memcpy(line, "MOV:", 4);
    memcpy(line + GEISTER_LINE_MAX - 4, ",N\r\n", 4);
    table_send_bytes(&f, 0, line, GEISTER_LINE_MAX);
    table_expect(&f, 0, "OK ");
    f.size[1] = 0;
    memset(line + GEISTER_LINE_MAX - 4, 'A', 4);
    memcpy(line + GEISTER_LINE_MAX - 3, ",N\r\n", 4);
    table_send_bytes(&f, 1, line, GEISTER_LINE_MAX + 1);
    table_expect(&f, 1, "NG ");
    assert_int_equal(f.table.game.referee.forfeiter, 1);
    /* One without an end. */
    table_again(&f);
    table_begin(&f);
    memset(line, 'A', sizeof line);
    for (size_t sent = 0; sent <= GEISTER_SKIPPED_MAX && !geister_session_is_over(&f.table); sent += 256)
        table_send_bytes(&f, 1, line, 256);
    assert_true(f.table.cut);
    assert_int_equal(f.table.game.referee.forfeiter, 1);
    assert_int_equal(f.table.game.referee.fault_kind, PLAYER_FAULT_GARBAGE);
    table_close(&f);
}

/* Every byte alone, and all at once: the same. */
static void does_not_care_about_segments(void **state) {
    (void)state;
    static struct fixture f, g;
    static const char all[] = "SET:ABCD\r\nMOV:A,N\r\n\r\nMOV:A,N\r\nMOV:B\nMOV\r:\r\r\n";
    fixture_open(&f, 600, 10);
    fixture_open(&g, 600, 10);
    table_join(&f);
    table_join(&g);
    table_send_line(&f, 1, "SET:EFGH");
    table_send_line(&g, 1, "SET:EFGH");
    table_send_bytes(&f, 0, all, sizeof all - 1);
    for (size_t i = 0; i + 1 < sizeof all; i++)
        table_send_bytes(&g, 0, all + i, 1);
    for (int side = 0; side < 2; side++)
        assert_string_equal(f.received_text[side], g.received_text[side]);
    table_expect(&f, 0, "SET?");
    table_expect(&f, 0, "OK ");
    table_expect_bytes(&f, 0, "MOV?", 4);
    table_expect_bytes(&f, 0, "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\r\n", 50);
    table_expect(&f, 0, "OK ");
    table_expect(&f, 0, "NG ");
    table_expect(&f, 0, "NG ");
    table_expect_silence(&f, 0);
    table_close(&f);
    table_close(&g);
}

/* ---- views and records ---- */

static void shows_viewers_only_what_is_public(void **state) {
    (void)state;
    static struct fixture f;
    char view[GEISTER_SPECTATOR_VIEW_MAX];
    fixture_open(&f, 600, 10);
    table_join(&f);
    table_send_line(&f, 1, "SET:ABCD");
    geister_session_spectator_view(&f.table, true, view);
    assert_string_equal(view, "MOV:14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u");
    geister_session_spectator_view(&f.table, false, view);
    assert_string_equal(view, "MOV:14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u");
    table_send_line(&f, 0, "SET:EFGH");
    geister_session_spectator_view(&f.table, true, view);
    assert_string_equal(view, "MV0:14R24R34R44R15B25B35B45B41b31b21b11b40r30r20r10r");
    geister_session_spectator_view(&f.table, false, view);
    assert_string_equal(view, "MV0:14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u");
    table_send_line(&f, 0, "MOV:D,N");
    table_send_line(&f, 1, "MOV:A,N");
    table_send_line(&f, 0, "MOV:D,N"); /* takes a red */
    geister_session_spectator_view(&f.table, false, view);
    assert_string_equal(view, "MV1:99r24u34u44u15u25u35u45u41u31u21u13u40u30u20u10u");
    geister_session_leave(&f.table, 0, f.now);
    geister_session_spectator_view(&f.table, false, view);
    assert_string_equal(view, "WI1:99r24R34R44R15B25B35B45B41b31b21b13b40r30r20r10r");
    table_close(&f);
}

/* H runs up the right column and leaves. The answer to the escape repeats that of the last move: the other
 * side has put its blue E on the exit (`steps` 1), or before it (2), to be taken there, or nowhere (0). */
static void escape(struct fixture *f, int runner, const char *way, int steps) {
    static const char *const offered[] = {"MOV:E,W", "MOV:E,N"};
    const char *const answer = steps == 1 ? "OKB" : "OK ";
    for (int i = 0; i < 14 && !geister_session_is_over(&f->table); i++) {
        const int side = i % 2, turn = i / 2;
        f->size[side] = 0;
        if (side == runner)
            table_send_line(f, side, turn == 0 ? "MOV:H,E" : turn < 6 ? "MOV:H,N" : way);
        else if (turn < steps)
            table_send_line(f, side, offered[turn]);
        else
            table_send_line(f, side, (turn - steps) % 2 == 0 ? "MOV:A,N" : "MOV:A,S");
        if (side == runner && turn >= 5)
            table_expect(f, side, answer);
    }
}

static void escapes_are_answered(void **state) {
    (void)state;
    static struct fixture f;
    for (int i = 0; i < 12; i++) {
        fixture_open(&f, 600, 10);
        table_begin(&f);
        escape(&f, i & 1, (i & 2) == 0 ? "MOV:H,N" : "MOV:H,E", i / 4);
        assert_true(geister_session_is_over(&f.table));
        assert_int_equal(f.table.winner, i & 1);
        table_close(&f);
    }
}

/* A stopped server gives no side a win and reveals nothing. */
static void a_stopped_game_stays_hidden(void **state) {
    (void)state;
    static struct fixture f;
    char view[GEISTER_SPECTATOR_VIEW_MAX];
    fixture_open(&f, 600, 10);
    table_join(&f);
    table_send_line(&f, 0, "SET:EFGH");
    table_send_line(&f, 1, "SET:ABCD");
    geister_session_stop(&f.table, "", f.now);
    assert_true(geister_session_is_over(&f.table));
    geister_session_spectator_view(&f.table, false, view);
    assert_string_equal(view + 4, "14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u");
    geister_session_spectator_view(&f.table, true, view);
    assert_string_equal(view + 4, "14R24R34R44R15B25B35B45B41b31b21b11b40r30r20r10r");
    table_close(&f);
}

static void stores_logs_and_records(void **state) {
    (void)state;
    static struct fixture f;
    struct text log = {0}, json = {0};
    struct record again_read;
    struct err e = {0};
    const char *const players[2] = {"here", "there"};
    fixture_open(&f, 600, 10);
    table_begin(&f);
    table_tick(&f, 7 * ms_ns);
    table_send_line(&f, 0, "MOV:A,N");
    table_send_line(&f, 0, "what\n\x01?");
    table_send_line(&f, 1, "MOV:E,N");
    geister_session_write_log(&f.table, false, &log);
    assert_string_equal(text_string(&log), "player=0,SET:ABCD\nplayer=1,SET:ABCD\nplayer=0,MOV:A,N\n"
                                           "player=0,what???\nplayer=1,MOV:E,N\n"
                                           "fault=1,illegal: an illegal move\nwinner=0\n");
    text_clear(&log);
    geister_session_write_log(&f.table, true, &log);
    assert_null(strstr(text_string(&log), "winner"));
    const struct record *record = geister_session_record(&f.table, players);
    assert_string_equal(record->result, "first illegal");
    assert_string_equal(record->comment, "second forfeits: an illegal move");
    assert_int_equal(record->count, 3);
    assert_true(record_write_json(record, &json, &e));
    record_init(&again_read);
    if (!record_read_json("record", text_string(&json), json.size, &again_read, &e))
        fail_msg("%s", e.text);
    assert_int_equal(again_read.count, 3);
    assert_int_equal((int)again_read.actions[2].milliseconds, 7);
    record_done(&again_read);
    text_done(&json);
    text_done(&log);
    table_close(&f);
}

static void expect_stored(struct fixture *f, const char *log, const char *result, const char *comment,
                          int actions) {
    const char *const players[2] = {"here", "there"};
    struct text found = {0};
    geister_session_write_log(&f->table, false, &found);
    assert_string_equal(text_string(&found), log);
    const struct record *record = geister_session_record(&f->table, players);
    assert_string_equal(record->result, result);
    assert_string_equal(record->comment, comment);
    assert_int_equal(record->count, actions);
    text_done(&found);
}

/* Reds that were chosen alone are an action only when they are the first player's. */
static void games_that_never_began_are_recorded(void **state) {
    (void)state;
    static struct fixture f;
    fixture_open(&f, 600, 10);
    f.terms.setup_ns = 5 * second_ns;
    table_join(&f);
    table_tick(&f, 5 * second_ns);
    expect_stored(&f, "fault=2,hang: neither side chose its reds in time\nwinner=2\n", "draw hang",
                  "neither side chose its reds in time", 0);
    for (int side = 0; side < 2; side++) {
        table_again(&f);
        table_join(&f);
        table_send_line(&f, side, "SET:ABCD");
        table_tick(&f, f.now + 5 * second_ns);
        expect_stored(&f,
                      side == 0 ? "player=0,SET:ABCD\nfault=1,hang: no reds were chosen in time\nwinner=0\n"
                                : "player=1,SET:ABCD\nfault=0,hang: no reds were chosen in time\nwinner=1\n",
                      side == 0 ? "first hang" : "second hang",
                      side == 0 ? "second forfeits: no reds were chosen in time"
                                : "first forfeits: no reds were chosen in time",
                      1 - side);
    }
    table_again(&f);
    table_begin(&f);
    geister_session_stop(&f.table, "", f.now);
    expect_stored(&f, "player=0,SET:ABCD\nplayer=1,SET:ABCD\n", "none", "the server was stopped", 2);
    table_close(&f);
}

/* ---- whole games, of all kinds ---- */

enum { GAMES = 120, EVENTS = 700 };

static void note_state(struct fixture *f, struct text *out) {
    const struct geister_session *t = &f->table;
    char view[2][GEISTER_SPECTATOR_VIEW_MAX];
    geister_session_spectator_view(t, false, view[0]);
    geister_session_spectator_view(t, true, view[1]);
    for (int side = 0; side < 2; side++) {
        text_add(out, "%s%d %.1f %.1f %d|", f->received_text[side], (int)t->here[side],
                 (double)t->game.clocks.game_left_ns[side] / 1e6, (double)t->game.think_ns[side] / 1e6,
                 t->rejected[side]);
        f->size[side] = 0;
        f->received_text[side][0] = '\0';
    }
    const int64_t due = geister_session_due(t);
    text_add(out, "%d %d %s %s %d %.1f\n", (int)t->phase, geister_session_asked(t), view[0], view[1],
             (int)t->changes, due == INT64_MAX ? -1 : (double)due / 1e6);
}

/* A line of the side: mostly a legal move when it is asked, sometimes something else. */
static void write_line(const struct geister_session *t, struct rng *rng, int side, char *out,
                       size_t out_size) {
    static const char *const others[] = {"",         "SET:EFGH", "MOV:A,N", "MOV:E,N", "MOV:A,X",
                                         "SET:AAAA", "hello",    "MOV:H,W", "SET:BCFG"};
    action list[GEISTER_SETUPS];
    if (t->phase == GEISTER_PHASE_SETTING && rng_below(rng, 10) > 0) {
        snprintf(out, out_size, "SET:%s\r\n", rng_below(rng, 2) == 0 ? "ABCD" : "cfhe");
    } else if (geister_session_asked(t) == side && rng_below(rng, 200) > 0) {
        const int count = geister_game.actions(geister_session_state(t), list);
        const action a = list[rng_below(rng, (uint32_t)count)];
        snprintf(out, out_size, "MOV:%c,%c\r\n",
                 'A' + geister_piece_at(geister_session_state(t), side, (int)(a / 4)),
                 "NEWS"[geister_turned(a, side) % 4]);
    } else {
        snprintf(out, out_size, "%s\r\n", others[rng_below(rng, sizeof others / sizeof others[0])]);
    }
}

static void take_event(struct fixture *f, struct rng *rng) {
    struct geister_session *t = &f->table;
    const int asked = geister_session_asked(t);
    const int side = asked != NOBODY && rng_below(rng, 20) > 0 ? asked : (int)rng_below(rng, 2);
    const uint32_t what = rng_below(rng, 1500);
    char line[40];
    f->now += (int64_t)rng_below(rng, 2000) * ms_ns + rng_below(rng, 1000000);
    if (what == 0)
        geister_session_leave(t, side, f->now);
    else if (what == 1)
        geister_session_stop(t, "", f->now);
    else if (what == 2)
        geister_session_blame(t, side, PLAYER_FAULT_GARBAGE, "it is blamed", f->now);
    else if (what < 12)
        f->now = geister_session_due(t) == INT64_MAX ? f->now : geister_session_due(t) - (what < 6);
    if (what < 100) {
        geister_session_tick(t, f->now);
    } else {
        write_line(t, rng, side, line, sizeof line);
        table_send_bytes(f, side, line, strlen(line));
    }
    table_collect(f);
}

static void note_end(struct fixture *f, struct text *out) {
    struct geister_session *t = &f->table;
    static const char *const players[2] = {"one", "two"};
    const struct record *record = geister_session_record(t, players);
    const struct referee *referee = &t->game.referee;
    text_add(out, "%s, %s, winner %d, culprit %d, fault %d, '%s'%s, from %.1f, %.1f to %.1f, %d actions\n",
             record->result, record->comment, t->winner,
             referee->forfeiter == REFEREE_BOTH ? NOBODY : referee->forfeiter, (int)referee->fault_kind,
             referee->reason, t->cut ? ", cut" : "", (double)t->started_ns / 1e6, (double)t->spoke_ns / 1e6,
             (double)t->ended_ns / 1e6, record->count);
}

static void games_of_all_kinds_are_the_same(void **state) {
    (void)state;
    static struct fixture f;
    struct text all = {0};
    for (int game = 0; game < GAMES; game++) {
        struct text notes = {0};
        struct rng rng;
        rng_seed(&rng, (uint64_t)game);
        fixture_open(&f, game % 4 == 0 ? 20 : 600, 2);
        f.terms.go_on = game % 2 == 1;
        f.terms.whole_seconds = game % 3 == 1;
        f.terms.wait_ns = game % 5 == 2 ? 300 * ms_ns : 0;
        f.terms.setup_ns = game % 7 < 3 ? 3 * second_ns : 0;
        table_again(&f);
        f.now = second_ns;
        table_join(&f);
        for (int i = 0; i < EVENTS && !geister_session_is_over(&f.table); i++) {
            take_event(&f, &rng);
            note_state(&f, &notes);
        }
        for (int official = 0; official < 2; official++)
            geister_session_write_log(&f.table, official == 1, &notes);
        text_add(&all, "game %d: %08x, ", game, expected_digest(&notes));
        note_end(&f, &all);
        text_done(&notes);
        table_close(&f);
    }
    expected_compare("geister_session.txt", &all);
    text_done(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_requests),
        cmocka_unit_test(requests_become_actions),
        cmocka_unit_test(reads_replies),
        cmocka_unit_test(charges_milliseconds),
        cmocka_unit_test(charges_whole_seconds),
        cmocka_unit_test(loses_at_the_limit),
        cmocka_unit_test(limits_the_setup),
        cmocka_unit_test(waits_before_a_prompt),
        cmocka_unit_test(cuts_off_floods),
        cmocka_unit_test(judges_long_lines),
        cmocka_unit_test(does_not_care_about_segments),
        cmocka_unit_test(shows_viewers_only_what_is_public),
        cmocka_unit_test(escapes_are_answered),
        cmocka_unit_test(a_stopped_game_stays_hidden),
        cmocka_unit_test(stores_logs_and_records),
        cmocka_unit_test(games_that_never_began_are_recorded),
        cmocka_unit_test(games_of_all_kinds_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
