/* SPDX-License-Identifier: MIT
 *
 * Every way in which a game record can be wrong, cut, damaged or too long.
 */
#include "match/record.h"

#include "base/text.h"
#include "game/tbs/tbs.h"
#include "memory_support.h"
#include "record_support.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- wrong files ---- */

/* Differences are reported with their line, and the turns before them are preserved. */
static void sgf_differences_name_the_line(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        int kept;
        const char *expected;
    } cases[] = {
        {"4,1,2,7,0]", "4,1,2,6,0]", 0,
         "test:14: action 1: the file says damage 6 and counter 0; the rules give 7 and 0"},
        {"4,1,2,3,0]", "4,1,2,3,1]", 3,
         "test:19: action 4: the file says damage 3 and counter 1; the rules give 3 and 0"},
        {"ACTION[0,3,1,3,1,", "ACTION[0,3,1,2,1,", 3,
         "test:19: action 4: the file moves the unit from 2,1; it stands at 3,1"},
        {"TURNINFO[2,0,2]", "TURNINFO[3,0,2]", 2,
         "test:17: action 3: the file says turn 3 of team 0; by the rules it is turn 2 of team 0"},
        {"TURNINFO[1,1,1]", "TURNINFO[1,0,1]", 1,
         "test:15: action 2: the file says turn 1 of team 0; by the rules it is turn 1 of team 1"},
        {"ACTION[2,4,1,", "ACTION[2,2,1,", 1, "test:16: action 2: illegal by the rules"},
        {"ACTION[2,4,1,", "\n\nACTION[0,4,1,", 1, "test:18: action 2: illegal by the rules"},
        {"2,3,0];\n", "2,3,0];\nACTION[1,1,1,1,1,-1,0,0,1,0,0];", 4,
         "test:20: action 5: the game is over by the rules"},
        {"TURNINFO[0,0,1]", "TURNINFO[0,0,3]", 1,
         "test:13: action 2: TURNINFO says 3 actions in this turn; the file has 1"},
        {"TURNINFO[2,0,2]", "TURNINFO[2,0,1]", 4,
         "test:17: action 5: TURNINFO says 1 actions in this turn; the file has 2"},
        {"ACTION[0,3,1,3,1,2,4,1,2,3,0];\n", "", 3,
         "test:17: action 4: TURNINFO says 2 actions in this turn; the file has 1"},
        {"ACTION[1,1,1,", "ACTION[9,1,1,", 2, "test:18: action 3: the numbers name no action of this map"},
        {"ACTION[1,1,1,", "ACTION[1,-1,99,", 2, "test:18: action 3: the numbers name no action of this map"},
        {"-1,0,0,1,0,0", "-1,0,0,3,0,0", 1, "test:16: action 2: the numbers name no action of this map"},
        {"-1,0,0,1,0,0", "-1,0,0,2,0,0", 1, "test:16: action 2: the numbers name no action of this map"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = replaced(row_sgf, cases[i].from, cases[i].to);
        struct record record;
        struct err e = {0}, difference = {0};
        record_init(&record);
        assert_true(record_read_sgf("test", text_string(&text), text.size, &record, &difference, &e));
        assert_string_equal(difference.text, cases[i].expected);
        assert_int_equal(record.count, cases[i].kept);
        assert_string_equal(record.result, record.count == 4 ? "red annihilation" : "none");
        record_done(&record);
        record_init(&record);
        assert_true(
            record_read_sgf("test", text_string(&text), text.size, &record, NULL, &e)); /* not wanted */
        record_done(&record);
        text_done(&text);
    }
}

static void wrong_sgf_is_explained(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *expected;
    } cases[] = {
        {"ACTION[2,4,1,4,1,-1,0,0,1,0,0]", "ACTION[2,4,1,4,1,-1,0,0,1,0]",
         "test:16: ACTION needs 11 numbers"},
        {"ACTION[2,4,1,4,1,-1,0,0,1,0,0]", "ACTION[2,4,1,4,1,-1,0,0,1,0,0,0]",
         "test:16: ACTION needs 11 numbers"},
        {"ACTION[2,4,1,4,1,", "ACTION[2,4,1,4,one,", "test:16: ACTION needs 11 numbers"},
        {"ACTION[2,4,1,4,1,", "ACTION[2,4,1,4,99999999999999999999,", "test:16: ACTION needs 11 numbers"},
        {"ACTION[2,4,1,4,1,-1,0,0,1,0,0]", "ACTION[]", "test:16: ACTION needs 11 numbers"},
        {"TURNINFO[1,1,1]", "TURNINFO[1,1]", "test:15: TURNINFO needs turn,team,actions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = replaced(row_sgf, cases[i].from, cases[i].to);
        struct record record;
        struct err e = {0}, difference = {0};
        record_init(&record);
        assert_false(record_read_sgf("test", text_string(&text), text.size, &record, &difference, &e));
        assert_string_equal(e.text, cases[i].expected);
        record_done(&record);
        text_done(&text);
    }
    struct record record;
    struct err e = {0};
    record_init(&record);
    assert_false(record_read_sgf("test", ROW_MAP, strlen(ROW_MAP), &record, NULL, &e));
    assert_string_equal(e.text, "test: neither PLAYEDRULE nor TURNINFO in it; it is no game record");
    record_done(&record);
}

#define HEAD "{\"format\": \"senjutsu-record\", \"version\": 1, \"game\": \"tbs\", "

/* Each with the name of the file in front, then what is wrong with which field. */
static const struct {
    const char *from, *to, *expected;
} wrong_json[] = {
    {"{", "[", "test:"},
    {"\"format\": \"senjutsu-record\"", "\"format\": 3", "test: \"format\" is not \"senjutsu-record\""},
    {"\"format\": \"senjutsu-record\",", "", "test: \"format\" is not \"senjutsu-record\""},
    {"\"version\": 1", "\"version\": 2", "test: \"version\" is not 1, the only one known"},
    {"\"version\": 1,", "", "test: \"version\" is not 1, the only one known"},
    {"\"game\": \"tbs\"", "\"game\": \"chess\"", "test: the record's game 'chess' is unknown"},
    {"\"game\": \"tbs\",", "", "test: the record's game '' is unknown"},
    {"\"game\": \"tbs\"", "\"game\": null", "test: \"game\" is no text of at most 31 bytes"},
    {"\"rules\": \"tubstap\"", "\"rules\": \"home\"",
     "test: tbs: rules=home is unknown; expected one of tubstap|paper"},
    {"\"rules\": \"tubstap\"", "\"rules\": [1]", "test: \"rules\" is no text of at most 31 bytes"},
    {NULL, HEAD "\"map\": 5, \"players\": [\"a\", \"b\"], \"actions\": []}", "test: \"map\" is no text"},
    {NULL, HEAD "\"players\": [\"a\", \"b\"], \"actions\": []}", "test: the record's map: "},
    {NULL, HEAD "\"map\": \"\", \"players\": {}}",
     "test: \"players\" is no list of two names of at most 511 bytes"},
    {NULL, HEAD "\"map\": \"\"}", "test: \"players\" is no list of two names of at most 511 bytes"},
    {NULL, "[]", "test: not a JSON object"},
    {NULL, "", "test:1: "},
    {"\"acteval\",", "", "test: \"players\" is no list of two names of at most 511 bytes"},
    {"\"acteval\"", "1", "test: \"players\" is no list of two names of at most 511 bytes"},
    {"\"seed\": 7", "\"seed\": -7", "test: \"seed\" is no whole number"},
    {"\"seed\": 7", "\"seed\": 7.5", "test: \"seed\" is no whole number"},
    {"\"seed\": 7", "\"seed\": \"seven\"", "test: \"seed\" is no whole number"},
    {"\"seed\": 7", "\"seed\": 7, \"seed\": 8", "test:"},
    {"\"pass\"", "12", "test: action 2 is no text"},
    {"\"pass\"", "\"0:1,1\"", "test: action 2: '0:1,1' is illegal: unit 0 is red and it is blue's turn"},
    {"\"pass\"", "\"wait\"", "test: action 2: 'wait' is no action; expected UNIT:X,Y"},
    {"\"milliseconds\": [", "\"milliseconds\": 3, \"actions\": [", "test:"},
    {"-1.0", "\"long\"", "test: \"milliseconds\" is no list of numbers up to 1e+12"},
    {"-1.0", "1e300", "test: \"milliseconds\" is no list of numbers up to 1e+12"},
    {"\"result\": \"red annihilation\"", "\"result\": \"red limit\"",
     "test: \"result\" is \"red limit\"; the actions end with \"red annihilation\""},
    {"\"comment\": \"\"", "\"comment\": false", "test: \"comment\" is no text of at most 511 bytes"},
    {"\"comment\"", "\"coment\"", "test: \"coment\" is no field of a record"},
    {"\"actions\": [", "\"actions\": 7, \"milliseconds\": [", "test:"},
    {"\"rules\": ", "\"options\": \"depth=3\", \"rules\": ",
     "test: \"options\" belongs to games without maps; tbs has \"rules\""},
    {NULL,
     "{\"format\": \"senjutsu-record\", \"version\": 1, \"game\": \"kuhn\", \"players\": [\"a\", \"b\"]}",
     "test: \"actions\" is no list"},
    {NULL,
     "{\"format\": \"senjutsu-record\", \"version\": 1, \"game\": \"kuhn\", \"rules\": \"paper\", "
     "\"players\": "
     "[\"a\", \"b\"], \"actions\": []}",
     "test: \"rules\" and \"map\" do not belong to kuhn, which has \"options\""},
    {NULL,
     "{\"format\": \"senjutsu-record\", \"version\": 1, \"game\": \"kuhn\", \"map\": \"x\", \"players\": "
     "[\"a\", "
     "\"b\"], \"actions\": []}",
     "test: \"rules\" and \"map\" do not belong to kuhn, which has \"options\""},
};

static void wrong_json_is_explained(void **state) {
    (void)state;
    struct record good;
    struct text json = {0};
    struct err e = {0};
    make_row_game(&good);
    assert_true(record_write_json(&good, &json, &e));
    for (size_t i = 0; i < sizeof wrong_json / sizeof wrong_json[0]; i++) {
        struct text text = {0};
        struct record record;
        if (wrong_json[i].from != NULL)
            text = replaced(text_string(&json), wrong_json[i].from, wrong_json[i].to);
        else
            text_add_string(&text, wrong_json[i].to); /* the whole */
        e.text[0] = '\0';
        record_init(&record);
        assert_false(record_read_json("test", text_string(&text), text.size, &record, &e));
        assert_memory_equal(e.text, wrong_json[i].expected, strlen(wrong_json[i].expected));
        record_done(&record);
        text_done(&text);
    }
    record_done(&good);
    text_done(&json);
}

/* ---- cut files ---- */

typedef bool (*reader)(const char *text, size_t size, struct record *out, struct err *e);

static bool read_json(const char *text, size_t size, struct record *out, struct err *e) {
    return record_read_json("cut", text, size, out, e);
}

static bool read_sgf(const char *text, size_t size, struct record *out, struct err *e) {
    struct err difference;
    return record_read_sgf("cut", text, size, out, &difference, e);
}

/* Every beginning of a file, in a block of exactly its size, so that a sanitizer sees a byte too far. */
static int count_readable(const char *text, size_t size, reader read) {
    int readable = 0;
    for (size_t cut = 0; cut <= size; cut++) {
        char *copy = malloc(cut > 0 ? cut : 1);
        struct record record;
        struct err e = {0};
        assert_non_null(copy);
        memcpy(copy, text, cut);
        record_init(&record);
        const bool ok = read(copy, cut, &record, &e);
        assert_true(ok || strncmp(e.text, "cut:", 4) == 0); /* a sentence that names the file */
        readable += ok;
        record_done(&record);
        free(copy);
    }
    return readable;
}

static void cut_files_are_refused_or_read(void **state) {
    (void)state;
    struct record record;
    struct text json = {0};
    struct err e = {0};
    make_row_game(&record);
    assert_true(record_write_json(&record, &json, &e));
    assert_int_equal(count_readable(text_string(&json), json.size, read_json),
                     2);                                                 /* with and without line end */
    assert_true(count_readable(row_sgf, strlen(row_sgf), read_sgf) > 0); /* a game that was not finished */
    record_done(&record);
    text_done(&json);
}

/* Each byte in turn becomes something else: whatever is still read can be written in both formats. */
static void damaged_files_do_no_harm(void **state) {
    (void)state;
    static const char strange[] = {'\0', ']', ';', '"', '9', '-', '\xE6', '\n'};
    const size_t size = strlen(row_sgf);
    for (size_t at = 0; at < size; at++) {
        for (size_t k = 0; k < sizeof strange; k++) {
            struct record record;
            struct text copy = {0}, text = {0};
            struct err e = {0}, difference = {0};
            text_add_string(&copy, row_sgf);
            copy.data[at] = strange[k];
            record_init(&record);
            if (record_read_sgf("damaged", copy.data, size, &record, &difference, &e)) {
                assert_true(record_write_json(&record, &text, &e));
                assert_true(record_write_sgf(&record, &text, &e));
            }
            record_done(&record);
            text_done(&copy);
            text_done(&text);
        }
    }
}

/* ---- limits ---- */

static void records_have_a_limit(void **state) {
    (void)state;
    struct record record;
    struct err e = {0};
    record_init(&record);
    for (int i = 0; i < RECORD_ACTIONS_MAX; i++)
        assert_true(record_add(&record, (action)i, i, &e));
    assert_false(record_add(&record, 0, 0, &e));
    assert_string_equal(e.text, "a record holds at most 1048576 actions");
    for (int i = 0; i < RECORD_ACTIONS_MAX; i += 4097)
        assert_int_equal(record.actions[i].action, i);
    record_done(&record);
}

/* Names longer than a record holds are cut between characters in .sgf (the platform sets no limit) and
 * refused in JSON, which only we write. */
static void long_names_stay_text(void **state) {
    (void)state;
    struct text name = {0}, key = {0};
    text_add_string(&name, "a"); /* or the limit would lie between two characters by itself */
    for (int i = 0; i < 200; i++)
        text_add_string(&name, "名");
    text_add(&key, "PLAYERRED[%s]", text_string(&name));
    struct text sgf = replaced(row_sgf, "PLAYERRED[acteval]", text_string(&key)), json = {0};
    struct record record;
    struct err e = {0}, difference = {0};
    record_init(&record);
    assert_true(record_read_sgf("long", text_string(&sgf), sgf.size, &record, &difference, &e));
    assert_int_equal(strlen(record.players[0]), 1 + 170 * 3);
    assert_true(charset_is_utf8(record.players[0], strlen(record.players[0])));
    memcpy(record.date, "x", 2);
    assert_true(record_write_json(&record, &json, &e));
    record_done(&record);

    text_clear(&key);
    text_add(&key, "\"%s\"", text_string(&name));
    struct text longer = replaced(text_string(&json), "\"random\"", text_string(&key));
    record_init(&record);
    assert_false(record_read_json("long", text_string(&longer), longer.size, &record, &e));
    assert_string_equal(e.text, "long: \"players\" is no list of two names of at most 511 bytes");
    record_done(&record);
    text_done(&name);
    text_done(&key);
    text_done(&sgf);
    text_done(&json);
    text_done(&longer);
}

/* A game longer than a map file may be: passing to the largest turn limit writes more than a megabyte. */
static void long_games_come_back(void **state) {
    (void)state;
    struct record record, again;
    struct text text = {0};
    struct err e = {0}, difference = {0};
    record_init(&record);
    snprintf(record.game, sizeof record.game, "tbs");
    text_add_string(&record.map,
                    "SIZEX[6];SIZEY[3];TURNLIMIT[9999];HPTHRESHOLD[3];UNITNUMRED[4];UNITNUMBLUE[0];");
    for (int x = 1; x <= 3; x++)
        text_add(&record.map, "UNIT[%d,1,panzer,0,10,0];", x);
    text_add_string(&record.map,
                    "UNIT[4,1,infantry,1,10,0];MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];");
    for (int turn = 0; turn < 9999; turn++)
        add_action(&record, TBS_PASS, -1);
    record_init(&again);
    assert_true(record_write_sgf(&record, &text, &e));
    assert_true(record_read_sgf("again", text_string(&text), text.size, &again, &difference, &e));
    assert_string_equal(difference.text, "");
    assert_int_equal(again.count, 5000 * 3 + 4999);
    assert_string_equal(again.result, "red limit");
    record_done(&record);
    record_done(&again);
    text_done(&text);
}

/* ---- memory ---- */

struct conversion {
    int kind;
    struct record record;
    struct text json;
};

static void convert_record(void *context) {
    struct conversion *c = context;
    struct record out;
    struct text text = {0};
    struct err e = {0};
    record_init(&out);
    const bool ok = c->kind == 0   ? record_write_json(&c->record, &text, &e)
                    : c->kind == 1 ? record_write_sgf(&c->record, &text, &e)
                    : c->kind == 2 ? read_json(text_string(&c->json), c->json.size, &out, &e)
                                   : read_sgf(row_sgf, strlen(row_sgf), &out, &e);
    assert_true(ok);
    if (c->kind < 2)
        assert_string_equal(text_string(&text), c->kind == 0 ? text_string(&c->json) : row_sgf);
    text_done(&text);
    record_done(&out);
}

static void records_can_run_out_of_memory(void **state) {
    (void)state;
    struct conversion c = {0};
    struct err e = {0};
    make_row_game(&c.record);
    assert_true(record_write_json(&c.record, &c.json, &e));
    for (; c.kind < 4; c.kind++) {
        long n = 1;
        while (memory_runs_out(n, convert_record, &c))
            n++;
        assert_true(n > 3);
    }
    record_done(&c.record);
    text_done(&c.json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sgf_differences_name_the_line), cmocka_unit_test(wrong_sgf_is_explained),
        cmocka_unit_test(wrong_json_is_explained),       cmocka_unit_test(cut_files_are_refused_or_read),
        cmocka_unit_test(damaged_files_do_no_harm),      cmocka_unit_test(records_have_a_limit),
        cmocka_unit_test(long_names_stay_text),          cmocka_unit_test(long_games_come_back),
        cmocka_unit_test(records_can_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
