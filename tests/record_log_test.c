/* SPDX-License-Identifier: MIT
 *
 * Logs of Geister games, as servers write them: what is read of them, what is rejected, and what is written.
 */
#include "match/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define SETS "player=0,SET:BCFG\nplayer=1,SET:ADEH\n"

static const struct {
    const char *text;
    int count; /* of actions; -1: it is refused */
    const char *result, *comment;
    const char *said; /* the error, or what differs; "" when nothing does */
} cases[] = {
    {SETS, 2, "none", "", ""},
    {"player=1,SET:ADEH\nplayer=0,SET:BCFG\n", 2, "none", "", ""}, /* in whatever order */
    {"player=0,SET:BCFG\n", 0, "none", "", ""},                    /* both are needed */
    {"player=0,SET:BCFF\nplayer=0,SET:ABCD\nplayer=0,SET:BCFG\nplayer=1,SET:ADEH\n", 2, "none", "", ""},
    {SETS "player=0,SET:ABCD\n", 2, "none", "", ""}, /* too late */
    {SETS "player=0,MOV:A,N\n", 3, "none", "", ""},
    {SETS "player=0,MOV:A,north\n", 3, "none", "", ""},
    {SETS "player=0,MOV:a,n\n", 3, "none", "", ""},
    {SETS "player=0,MOV:A,NORTHERN\n", 2, "second illegal", "first forfeits: MOV:A,NORTHERN is illegal", ""},
    {SETS "player=0,MOV:A,NO\n", 2, "second illegal", "first forfeits: MOV:A,NO is illegal", ""},
    {SETS "player=0,MOV:A,\n", 2, "second illegal", "first forfeits: MOV:A, is illegal", ""},
    {SETS "player=0,MOV:A\n", 2, "second illegal", "first forfeits: MOV:A is illegal", ""},
    {SETS "player=0,MOV:E,N\n", 2, "second illegal", "first forfeits: MOV:E,N is illegal", ""},
    {SETS "player=0,MOV:E,N\nplayer=0,MOV:A,N\n", 3, "none", "", ""}, /* it was rejected and sent again */
    {SETS "player=0,MOV:E,N\nwinner=1\n", 2, "none", "",
     "log: the log says winner=1; its moves end with 'none'"},
    {SETS "player=1,MOV:A,N\n", 2, "none", "", ""}, /* out of turn */
    {"player=0,MOV:A,N\n" SETS, 2, "none", "", ""},
    {SETS "player=0,hello\nplayer=0,MOVE:A,N\n", 2, "none", "", ""}, /* nonsense is rejected */
    {SETS "winner=2\n", 2, "none", "", "log: the log says winner=2; its moves end with 'none'"},
    {SETS "fault=1,hang: no move in time\n", 2, "first hang", "second forfeits: no move in time", ""},
    {SETS "fault=0,late: slow\nwinner=1\n", 2, "second late", "first forfeits: slow", ""},
    {SETS "fault=0,late: slow\nwinner=0\n", 2, "second late", "first forfeits: slow",
     "log: the log says winner=0; its moves end with 'second late'"},
    {SETS "fault=2,crash: both were gone\nwinner=2\n", 2, "draw crash", "both were gone", ""},
    {SETS "fault=1,hang: x\nplayer=0,MOV:A,N\nplayer=1,SET:ABCD\n", 2, "first hang", "second forfeits: x",
     ""},
    {"\r\n" SETS "\r\nplayer=0,MOV:A,N\r\n\n", 3, "none", "", ""},
    {SETS "player=0,MOV:A,N", 3, "none", "", ""}, /* without the last line's end */
    {SETS "fault=1,sleep: x\n", -1, "", "",
     "log:3: 'sleep' is no fault; expected one as in hang: no move in time"},
    {SETS "fault=1,hang\n", -1, "", "",
     "log:3: 'hang' is no fault; expected one as in hang: no move in time"},
    {SETS "fault=3,hang: x\n", -1, "", "",
     "log:3: 'fault=3,hang: x' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or "
     "winner=0"},
    {SETS "player=2,MOV:A,N\n", -1, "", "",
     "log:3: 'player=2,MOV:A,N' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or "
     "winner=0"},
    {SETS "player=/,MOV:A,N\n", -1, "", "",
     "log:3: 'player=/,MOV:A,N' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or "
     "winner=0"},
    {"winner=1x\n", -1, "", "",
     "log:1: 'winner=1x' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or winner=0"},
    {"fault=1;hang: x\n", -1, "", "",
     "log:1: 'fault=1;hang: x' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or "
     "winner=0"},
    {"player=1\n", -1, "", "",
     "log:1: 'player=1' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or winner=0"},
    {SETS "what\n", -1, "", "",
     "log:3: 'what' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or winner=0"},
};

static void logs_are_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct record record;
        struct err difference = {{0}}, e = {{0}};
        const char *text = cases[i].text;
        record_init(&record);
        const bool ok = record_read_log("log", text, strlen(text), &record, &difference, &e);
        const char *said = ok ? difference.text : e.text;
        if (ok != (cases[i].count >= 0) || strcmp(said, cases[i].said) != 0 ||
            (ok && (record.count != cases[i].count || strcmp(record.result, cases[i].result) != 0 ||
                    strcmp(record.comment, cases[i].comment) != 0)))
            fail_msg("%s: %d actions, '%s', '%s', '%s'", text, record.count, record.result, record.comment,
                     said);
        if (ok) {
            assert_string_equal(record.players[0], "player 0");
            assert_string_equal(record.players[1], "player 1");
            assert_string_equal(record.game, "geister");
        }
        record_done(&record);
        record_init(&record); /* a caller that does not need the difference passes no place for it */
        assert_int_equal(record_read_log("log", text, strlen(text), &record, NULL, &e), ok);
        record_done(&record);
    }
}

static void lines_have_a_length(void **state) {
    (void)state;
    char text[600] = "player=0,";
    struct record record;
    struct err e = {{0}};
    memset(text + 9, 'x', sizeof text - 9);
    record_init(&record);
    assert_true(record_read_log("log", text, 511, &record, NULL, &e));
    assert_false(record_read_log("log", text, 512, &record, NULL, &e));
    assert_string_equal(e.text, "log:1: is no line of a log");
    text[100] = '\0';
    assert_false(record_read_log("log", text, 511, &record, NULL, &e));
    assert_string_equal(e.text, "log:1: is no line of a log");
    record_done(&record);
}

static void logs_are_known_by_their_beginning(void **state) {
    (void)state;
    assert_true(record_is_log("player=0,SET:ABCD"));
    assert_true(record_is_log("fault=1,hang: x"));
    assert_true(record_is_log("winner=1"));
    assert_false(record_is_log("player"));
    assert_false(record_is_log(" winner=1"));
    assert_false(record_is_log("{}"));
    static const char text[] = "\n\n" SETS; /* empty lines before the log are ignored */
    struct record record;
    struct err e = {{0}};
    assert_true(record_read("log", text, sizeof text - 1, &record, NULL, &e));
    assert_int_equal(record.count, 2);
    record_done(&record);
}

/* A record is written back with the same lines, and a ruling names the side at fault. */
static void logs_are_written(void **state) {
    (void)state;
    static const char *const logs[] = {
        SETS,
        SETS "player=0,MOV:A,N\nplayer=1,MOV:A,N\nplayer=0,MOV:A,N\n",
        SETS "player=0,MOV:A,N\nfault=1,hang: no move in time\nwinner=0\n",
        SETS "player=0,MOV:A,N\nfault=0,late: slow\nwinner=1\n",
        SETS "fault=2,crash: both were gone\nwinner=2\n",
    };
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        struct record record;
        struct text text = {0};
        struct err e = {{0}};
        record_init(&record);
        if (!record_read_log("log", logs[i], strlen(logs[i]), &record, NULL, &e) ||
            !record_write_log(&record, &text, &e))
            fail_msg("%s: %s", logs[i], e.text);
        assert_string_equal(text_string(&text), logs[i]);
        text_done(&text);
        record_done(&record);
    }
}

static void what_else_is_written(void **state) {
    (void)state;
    struct record record;
    struct text text = {0};
    struct err e = {{0}};
    record_init(&record);
    assert_true(record_read_log("log", SETS, strlen(SETS), &record, NULL, &e));
    snprintf(record.result, sizeof record.result, "second garbage");
    snprintf(record.comment, sizeof record.comment, "it said\n\"x\"\x07");
    assert_true(record_write_log(&record, &text, &e));
    assert_string_equal(text_string(&text), SETS "fault=0,garbage: it said \"x\" \nwinner=1\n");
    static const char *const no_fault[] = {"second", "seco garbage", "seconds garbage", "second none",
                                           "second garbages"};
    for (size_t i = 0; i < sizeof no_fault / sizeof no_fault[0]; i++) {
        text_clear(&text);
        snprintf(record.result, sizeof record.result, "%s", no_fault[i]);
        assert_true(record_write_log(&record, &text, &e));
        assert_string_equal(text_string(&text), SETS);
    }
    snprintf(record.game, sizeof record.game, "kuhn");
    assert_false(record_write_log(&record, &text, &e));
    assert_string_equal(e.text, "only Geister has server logs; this is a game of kuhn");
    text_done(&text);
    record_done(&record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_are_read),
        cmocka_unit_test(lines_have_a_length),
        cmocka_unit_test(logs_are_known_by_their_beginning),
        cmocka_unit_test(logs_are_written),
        cmocka_unit_test(what_else_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
