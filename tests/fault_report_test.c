/* SPDX-License-Identifier: MIT
 *
 * A fault in one file: there and back, and files that are none.
 */

#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "match/clocked_game.h"
#include "map_support.h"
#include "memory_support.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

/* Two actions, then a fault of red's. */
static void make_record(struct record *record) {
    static const char *const actions[] = {"0:2,1", "1:3,1x0"}, *const names[2] = {"red one", "blue one"};
    struct err e = {{0}};
    struct scenario *scenario = map_scenario(MAP_ROW);
    struct referee referee;
    record_init(record);
    record_describe(record, scenario, names);
    referee_start(&referee, scenario, UINT64_C(18446744073709551615), record);
    for (int i = 0; i < 2; i++) {
        action a;
        assert_true(tbs_game.text->read_action(referee.state, actions[i], &a, &e));
        assert_true(referee_answer(&referee, a, 125 * (i + 1), &e));
    }
    referee_rule(&referee, referee_mover(&referee), PLAYER_FAULT_GARBAGE, "it said \"太郎\"");
    assert_string_equal(record->result, "blue garbage");
    assert_string_equal(record->comment, "red forfeits: it said \"太郎\"");
    game_unload(scenario);
}

static void bundles_go_there_and_back(void **state) {
    (void)state;
    static const char tail[] = "< a\0b\n! \xff\x80\n> last";
    struct record record;
    make_record(&record);
    for (int fault = PLAYER_FAULT_NONE + 1; fault < PLAYER_FAULTS; fault++)
        for (int side = 0; side < 2; side++) {
            struct fault_report b, back;
            struct text text = {0}, again = {0};
            struct err e = {{0}};
            fault_report_init(&b);
            fault_report_init(&back);
            b.fault = (enum player_fault)fault;
            b.side = side;
            b.limit_ms = 10100.25;
            b.patience_ms = side * 2000;
            snprintf(b.reason, sizeof b.reason, "red forfeits: \"太郎\" \\ %d", fault);
            text_add_string(&b.clock, "10 s a turn");
            text_add(&b.transcript.command, "./bot \"a b\"");
            text_add(&b.transcript.sent, "one\n\nthree\n");
            text_add_bytes(&b.transcript.tail, tail, sizeof tail - 1);
            assert_true(fault_report_write(&b, &record, &text, &e));
            if (!fault_report_read("bundle", text_string(&text), text.size, &back, &e))
                fail_msg("%s", e.text);
            assert_int_equal(back.fault, fault);
            assert_int_equal(back.side, side);
            assert_true(fabs(back.limit_ms - 10100.25) < 0.1);
            assert_true(is_near(back.patience_ms, side * 2000));
            assert_string_equal(back.reason, b.reason);
            assert_string_equal(text_string(&back.clock), text_string(&b.clock));
            assert_string_equal(text_string(&back.transcript.command), "./bot \"a b\"");
            assert_string_equal(text_string(&back.transcript.sent), "one\n\nthree\n");
            /* nothing is lost after a byte that is not text */
            assert_non_null(strstr(text_string(&back.transcript.tail), "< a b\n"));
            assert_non_null(strstr(text_string(&back.transcript.tail), "> last\n"));
            assert_int_equal(back.record.count, record.count);
            assert_string_equal(back.record.result, record.result);
            assert_string_equal(back.record.comment, record.comment);
            assert_string_equal(text_string(&back.record.map), text_string(&record.map));
            assert_true(back.record.seed == record.seed);
            assert_true(fault_report_write(&back, &back.record, &again, &e));
            assert_string_equal(text_string(&text), text_string(&again));
            fault_report_done(&b);
            fault_report_done(&back);
            text_done(&text);
            text_done(&again);
        }
    record_done(&record);
}

/* Replaces the first `from` by `to`. */
static void edit(const char *text, const char *from, const char *to, struct text *out) {
    const char *at = strstr(text, from);
    if (at == NULL)
        fail_msg("there is no %s", from);
    text_clear(out);
    text_add_bytes(out, text, (size_t)(at - text));
    text_add_string(out, to);
    text_add_string(out, at + strlen(from));
}

static void wrong_bundles_are_refused(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"\"senjutsu-bundle\"", "\"senjutsu-record\"", "file: \"format\" is not \"senjutsu-bundle\""},
        {"\"version\": 1,\n \"ruling\"", "\"version\": 2,\n \"ruling\"", "file: \"version\" is not 1"},
        {"\"ruling\": \"hang\"", "\"ruling\": \"none\"", "file: \"ruling\" is no ruling that is known"},
        {"\"ruling\": \"hang\"", "\"ruling\": 3", "file: \"ruling\" is no ruling that is known"},
        {"\"side\": 1", "\"side\": 2", "file: \"side\" is neither 0 nor 1"},
        {"\"side\": 1", "\"side\": \"1\"", "file: \"side\" is neither 0 nor 1"},
        {"\"sent\"", "\"snet\"", "file: \"sent\" is no list of lines"},
        {"\"hello\"", "7", "file: \"sent\": entry 1 is no text"},
        {"\"tail\"", "\"tali\"", "file: \"tail\" is no list of lines"},
        {"\"record\"", "\"rcord\"", "file: \"record\" is missing"},
        {"\"0:2,1\"", "\"0:9,9\"", "file: its record: action 1"},
        {"{", "[", "file:"},
    };
    struct record record;
    struct fault_report b;
    struct text text = {0}, changed = {0};
    struct err e = {{0}};
    make_record(&record);
    fault_report_init(&b);
    b.fault = PLAYER_FAULT_HANG;
    b.side = 1;
    text_add(&b.transcript.sent, "hello\n");
    assert_true(fault_report_write(&b, &record, &text, &e));
    fault_report_done(&b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        edit(text_string(&text), cases[i][0], cases[i][1], &changed);
        fault_report_init(&b);
        assert_false(fault_report_read("file", text_string(&changed), changed.size, &b, &e));
        if (strncmp(e.text, cases[i][2], strlen(cases[i][2])) != 0)
            fail_msg("'%s', expected '%s'", e.text, cases[i][2]);
        fault_report_done(&b);
    }
    text_done(&text);
    text_done(&changed);
    record_done(&record);
}

struct reported {
    struct fault_report report;
    struct record record;
};

static void write_and_read(void *context) {
    const struct reported *r = context;
    struct fault_report back;
    struct text text = {0};
    struct err e = {{0}};
    fault_report_init(&back);
    assert_true(fault_report_write(&r->report, &r->record, &text, &e));
    assert_true(fault_report_read("bundle", text_string(&text), text.size, &back, &e));
    assert_string_equal(text_string(&back.transcript.sent), "hello\nyou\n");
    fault_report_done(&back);
    text_done(&text);
}

static void reports_can_run_out_of_memory(void **state) {
    (void)state;
    struct reported r;
    long n = 1;
    make_record(&r.record);
    fault_report_init(&r.report);
    r.report.fault = PLAYER_FAULT_HANG;
    text_add(&r.report.transcript.sent, "hello\nyou\n");
    while (memory_runs_out(n, write_and_read, &r))
        n++;
    assert_true(n > 5);
    fault_report_done(&r.report);
    record_done(&r.record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bundles_go_there_and_back),
        cmocka_unit_test(wrong_bundles_are_refused),
        cmocka_unit_test(reports_can_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
