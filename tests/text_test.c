/* SPDX-License-Identifier: MIT
 *
 * Growing strings, numbers in strings, and character sets.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "base/encode.h"
#include "base/mem.h"
#include "base/text.h"

#include <dlfcn.h>
#include <iconv.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- growing strings ---- */

static void a_text_grows(void **state) {
    (void)state;
    struct text t = {0};
    assert_string_equal(text_string(&t), "");
    for (int i = 0; i < 1000; i++)
        text_add(&t, "%d,", i % 10);
    assert_int_equal(t.size, 2000);
    assert_int_equal(strlen(text_string(&t)), 2000);
    assert_memory_equal(t.data + 1980, "0,1,2,3,4,5,6,7,8,9,", 20);
    text_clear(&t);
    assert_string_equal(text_string(&t), "");
    text_add_string(&t, "again");
    text_add_bytes(&t, "\0x", 2);
    assert_int_equal(t.size, 7);
    assert_memory_equal(t.data, "again\0x", 8);
    text_done(&t);
    assert_null(t.data);
}

/* The terminating NUL needs room too: every length around the first growth. */
static void a_text_has_room_for_its_end(void **state) {
    (void)state;
    char bytes[600];
    memset(bytes, 'x', sizeof bytes);
    for (size_t size = 250; size < 520; size++) {
        struct text by_bytes = {0}, by_format = {0};
        text_add_bytes(&by_bytes, bytes, size);
        text_add(&by_format, "%.*s", (int)size, bytes);
        assert_true(by_bytes.capacity > size && by_format.capacity > size);
        assert_int_equal(strlen(text_string(&by_bytes)), size);
        assert_string_equal(text_string(&by_bytes), text_string(&by_format));
        text_done(&by_bytes);
        text_done(&by_format);
    }
}

static void trimming(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"  a b \t\r\n", "a b"}, {"", ""}, {" \n ", ""}, {"x", "x"}, {"\tx", "x"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char copy[32];
        snprintf(copy, sizeof copy, "%s", cases[i][0]);
        assert_string_equal(text_trim(copy), cases[i][1]);
    }
}

static void splitting(void **state) {
    (void)state;
    char list[] = "a,,bc,", *pieces[4];
    assert_int_equal(text_split(list, ',', pieces, 4), 4);
    assert_string_equal(pieces[0], "a");
    assert_string_equal(pieces[1], "");
    assert_string_equal(pieces[2], "bc");
    assert_string_equal(pieces[3], "");
    char empty[] = "", many[] = "1 2 3";
    assert_int_equal(text_split(empty, ',', pieces, 4), 1);
    assert_int_equal(text_split(many, ' ', pieces, 2), -1);
}

/* ---- numbers ---- */

static void whole_numbers(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "", " ", "x", "1x", "1 2", "0x10", "--1", "1.0", "99999999999999999999"};
    long value;
    assert_true(text_to_int("42", &value) && value == 42);
    assert_true(text_to_int(" -7\r\n", &value) && value == -7);
    assert_true(text_to_int("+007", &value) && value == 7);
    assert_true(text_to_int("9223372036854775807", &value) && value == LONG_MAX);
    value = 5;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(text_to_int(wrong[i], &value));
    assert_int_equal(value, 5); /* untouched */
}

static void large_numbers(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "-1", " -0", "18446744073709551616", "1e3", "seed"};
    unsigned long long value;
    assert_true(text_to_u64("18446744073709551615", &value) && value == UINT64_MAX);
    assert_true(text_to_u64(" 0 ", &value) && value == 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(text_to_u64(wrong[i], &value));
}

static void real_numbers(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "x", "1,5", "inf", "nan", "1e999", "0.5 0.5"};
    double value;
    assert_true(text_to_real("0.15", &value) && value > 0.1499 && value < 0.1501);
    assert_true(text_to_real(" -2e3 ", &value) && value < -1999 && value > -2001);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(text_to_real(wrong[i], &value));
}

/* ---- character sets ---- */

static void well_formed_utf8(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        bool valid;
    } cases[] = {
        {"", true},
        {"plain", true},
        {"\xC2\x80", true},     /* U+0080, the first of two bytes */
        {"\xDF\xBF", true},     /* U+07FF, the last */
        {"\xE0\xA0\x80", true}, /* U+0800 */
        {"\xE6\x88\xA6\xE8\xA1\x93", true},
        {"\xED\x9F\xBF", true},     /* U+D7FF, before the surrogates */
        {"\xEE\x80\x80", true},     /* U+E000, behind them */
        {"\xEF\xBF\xBF", true},     /* U+FFFF */
        {"\xF0\x90\x80\x80", true}, /* U+10000 */
        {"\xF4\x8F\xBF\xBF", true}, /* U+10FFFF */
        {"\x80", false},            /* a continuation alone */
        {"\xC0\x80", false},        /* overlong NUL */
        {"\xC1\xBF", false},        /* overlong */
        {"\xC2", false},            /* cut short */
        {"\xC2x", false},
        {"\xE0\x9F\xBF", false}, /* overlong */
        {"\xE6\x88", false},
        {"\xED\xA0\x80", false}, /* surrogate */
        {"\xED\xBF\xBF", false},
        {"\xF0\x8F\xBF\xBF", false}, /* overlong */
        {"\xF0\x90\x80", false},
        {"\xF4\x90\x80\x80", false}, /* above U+10FFFF */
        {"\xF5\x80\x80\x80", false},
        {"\xFF", false},
        {"ok\xE3\x81\x82\xFEok", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (charset_is_utf8(cases[i].bytes, strlen(cases[i].bytes)) != cases[i].valid)
            fail_msg("case %zu: expected %s", i, cases[i].valid ? "valid" : "not valid");
}

static void expect_converted(const char *bytes, size_t size, const char *expected) {
    struct text t = {0};
    charset_to_utf8(bytes, size, &t);
    assert_string_equal(text_string(&t), expected);
    assert_true(charset_is_utf8(text_string(&t), t.size));
    assert_int_equal(strlen(text_string(&t)), t.size);
    text_done(&t);
}

static void text_becomes_utf8(void **state) {
    (void)state;
    expect_converted("", 0, "");
    expect_converted("MAP[1];", 7, "MAP[1];");
    expect_converted("\xE6\x88\xA6", 3, "\xE6\x88\xA6");
    expect_converted("\xEF\xBB\xBFx", 4, "x"); /* the mark goes */
    expect_converted("a\0b", 3, "a b");        /* one C string */
    expect_converted("\x90\xED\x8Fp", 4,
                     "\xE6\x88\xA6\xE8\xA1\x93"); /* CP932: two characters, the second ends in 'p' */
    expect_converted("\xB1\xB2", 2, "\xEF\xBD\xB1\xEF\xBD\xB2"); /* CP932: half-width katakana */
    expect_converted("\x83\x5C", 2, "\xE3\x82\xBD");             /* CP932: the second byte is a backslash */
    expect_converted("\x87\x40", 2, "\xE2\x91\xA0"); /* CP932, not plain Shift_JIS: a circled one */
    expect_converted("ok\xFF"
                     "ok\xE6",
                     6, "ok?ok?"); /* neither: a question mark each */
}

/* The converter works through a buffer: characters on its edge must survive. */
static void long_text_becomes_utf8(void **state) {
    (void)state;
    enum { PAIRS = 5000 };
    static char bytes[2 * PAIRS + 1];
    for (int shift = 0; shift < 2; shift++) {
        bytes[0] = 'x';
        for (int i = 0; i < PAIRS; i++)
            memcpy(bytes + shift + 2 * i, "\x82\xA0", 2);
        struct text t = {0};
        charset_to_utf8(bytes, (size_t)(2 * PAIRS + shift), &t);
        assert_int_equal(t.size, 3 * PAIRS + shift);
        for (int i = 0; i < PAIRS; i++)
            assert_memory_equal(t.data + shift + 3 * i, "\xE3\x81\x82", 3);
        text_done(&t);
    }
}

/* Takes the place of the C library's function, so that a test can refuse conversions. */
static bool conversions_refused;

iconv_t iconv_open(const char *to, const char *from) {
    iconv_t (*open)(const char *, const char *);
    *(void **)&open = dlsym(RTLD_NEXT, "iconv_open");
    return conversions_refused ? (iconv_t)-1 : open(to, from);
}

/* Some systems have no conversion from Shift_JIS: the ASCII characters stay. */
static void without_a_conversion_ascii_stays(void **state) {
    (void)state;
    struct text t = {0};
    conversions_refused = true;
    charset_to_utf8("map \x90\xED\0\x7F\x80!", 10, &t);
    conversions_refused = false;
    assert_string_equal(text_string(&t), "map ???\x7F?!");
    assert_int_equal(t.size, 10);
    text_clear(&t);
    charset_to_utf8("map \x90\xED", 6, &t);
    assert_string_equal(text_string(&t), "map \xE6\x88\xA6");
    text_done(&t);
}

static void columns_of_a_terminal(void **state) {
    (void)state;
    static const struct {
        const char *utf8;
        int columns;
    } cases[] = {
        {"", 0},
        {"red", 3},
        {"\xC3\xA9", 1},                 /* e with an accent */
        {"\xE6\x88\xA6\xE8\xA1\x93", 4}, /* two ideographs */
        {"\xEF\xBD\xB1", 1},             /* half-width katakana */
        {"\xEF\xBC\xA1", 2},             /* full-width A */
        {"\xF0\x9F\x9A\x80!", 3},        /* a rocket and a mark */
        {"a\xFF"
         "b",
         3}, /* a stray byte takes one */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(charset_width(cases[i].utf8), cases[i].columns);
}

struct repair_case {
    const char *before, *after;
};

static void invalid_utf8_is_repaired(void **state) {
    (void)state;
    const struct repair_case cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"\xE6\x88\xA6\xE8\xA1", "\xE6\x88\xA6??"}, /* cut in the second character */
        {"\xFF'\xC3\xA9'\x80", "?'\xC3\xA9'?"},
        {"\xED\xA0\x80", "???"}, /* half of a pair */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        strcpy(text, cases[i].before);
        charset_repair(text);
        assert_string_equal(text, cases[i].after);
    }
}

static void terminals_obey_nothing(void **state) {
    (void)state;
    static const struct {
        const char *given, *shown;
    } cases[] = {
        {"", ""},
        {"plain ~ text\n", "plain ~ text\n"},
        {"\x1b[2J\x07\x7f\r\t", "?[2J????"},
        {"\xc2\x9b"
         "31m",
         "??31m"}, /* the one-character CSI */
        {"\xc2\x80\xc2\x9f\xc2\xa0", "??????"},
        {"\x9b"
         "31m",
         "?31m"},                                           /* no UTF-8 */
        {"\xe2\x80\xaeX\xe2\x81\xa6\xd8\x9c", "???X?????"}, /* marks of direction */
        {"\xe2\x80\x94 \xe5\x9b\xb2\xe7\xa2\x81 \xf0\x9f\x98\x80",
         "\xe2\x80\x94 \xe5\x9b\xb2\xe7\xa2\x81 \xf0\x9f\x98\x80"},
        {"\xe5\x9b", "??"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", cases[i].given);
        charset_disarm(text);
        assert_string_equal(text, cases[i].shown);
    }
}

/* ---- every character ---- */

static int encode(uint32_t c, char out[5]) {
    const int size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (int i = size - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(marks[size] | c);
    out[size] = '\0';
    return size;
}

static bool is_two_columns(const char *utf8, int size) {
    (void)size;
    return charset_width(utf8) == 2;
}

static bool is_harmful(const char *utf8, int size) {
    bool harmless;
    assert_int_equal(charset_glyph(utf8, (size_t)size, &harmless), size);
    return !harmless;
}

/* All ranges of characters with a given property. */
static void expect_ranges(bool (*is)(const char *utf8, int size), const char *expected) {
    struct text found = {0};
    bool inside = false;
    for (uint32_t c = 1; c <= 0x110000; c++) {
        char utf8[5];
        if (c == 0xD800)
            c = 0xE000; /* halves of pairs are no characters */
        const int size = c < 0x110000 ? encode(c, utf8) : 0;
        const bool now = size > 0 && is(utf8, size);
        if (now && !inside)
            text_add(&found, "%X-", (unsigned)c);
        if (!now && inside)
            text_add(&found, "%X ", (unsigned)c - 1);
        inside = now;
    }
    assert_string_equal(text_string(&found), expected);
    text_done(&found);
}

static void every_character_has_its_width(void **state) {
    (void)state;
    expect_ranges(is_two_columns, "1100-115F 2E80-A4CF AC00-D7A3 F900-FAFF FE30-FE6F FF00-FF60 FFE0-FFE6 "
                                  "1F300-1FAFF 20000-3FFFD ");
}

static void every_character_that_is_not_seen_is_known(void **state) {
    (void)state;
    expect_ranges(is_harmful, "1-1F 7F-A0 AD-AD 34F-34F 600-605 61C-61C 6DD-6DD 70F-70F 115F-1160 1680-1680 "
                              "17B4-17B5 180B-180F 2000-200F 2028-202F 205F-206F 3164-3164 FE00-FE0F "
                              "FEFF-FEFF FFA0-FFA0 FFF0-FFFB E0000-E0FFF ");
}

/* ---- showing and copying ---- */

static void what_is_not_seen_is_shown_by_number(void **state) {
    (void)state;
    static const char bytes[] = "a\\b \x1f\x7f\xff\xc2\xa0\xe2\x80\xae\xe6\x88\xa6";
    struct text exact = {0}, sentence = {0};
    charset_show(bytes, sizeof bytes - 1, &exact);
    assert_string_equal(text_string(&exact), "a\\\\b \\x1F\\x7F\\xFF\\u{00A0}\\u{202E}\xe6\x88\xa6");
    charset_show_sentence(bytes, sizeof bytes - 1, &sentence);
    assert_string_equal(text_string(&sentence), "a\\b \\x1F\\x7F\\xFF\\u{00A0}\\u{202E}\xe6\x88\xa6");
    text_done(&exact);
    text_done(&sentence);
}

static void copies_end_between_characters(void **state) {
    (void)state;
    static const struct {
        const char *utf8;
        size_t room;
        const char *copy;
    } cases[] = {{"abc", 4, "abc"},
                 {"abc", 3, "ab"},
                 {"abc", 1, ""},
                 {"a\xe6\x88\xa6", 5, "a\xe6\x88\xa6"},
                 {"a\xe6\x88\xa6", 4, "a"},
                 {"a\xe6\x88\xa6", 3, "a"},
                 {"\xe6\x88\xa6", 2, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char copy[8];
        charset_copy(copy, cases[i].room, cases[i].utf8, strlen(cases[i].utf8));
        assert_string_equal(copy, cases[i].copy);
    }
}

static void expect_html(const char *string, const char *expected) {
    struct text t = {0};
    html_escape(string, &t);
    assert_string_equal(text_string(&t), expected);
    text_done(&t);
}

static void pages_get_no_markup(void **state) {
    (void)state;
    expect_html("<a href=\"x\">&amp;</a>\n", "&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;\n");
    expect_html("\x01\x1f \x7f~\t!", " ~!");
    expect_html("\x90\xED\x8Fp<", "\xE6\x88\xA6\xE8\xA1\x93&lt;"); /* CP932 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_grows),
        cmocka_unit_test(a_text_has_room_for_its_end),
        cmocka_unit_test(trimming),
        cmocka_unit_test(splitting),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(large_numbers),
        cmocka_unit_test(real_numbers),
        cmocka_unit_test(well_formed_utf8),
        cmocka_unit_test(text_becomes_utf8),
        cmocka_unit_test(long_text_becomes_utf8),
        cmocka_unit_test(without_a_conversion_ascii_stays),
        cmocka_unit_test(columns_of_a_terminal),
        cmocka_unit_test(invalid_utf8_is_repaired),
        cmocka_unit_test(terminals_obey_nothing),
        cmocka_unit_test(every_character_has_its_width),
        cmocka_unit_test(every_character_that_is_not_seen_is_known),
        cmocka_unit_test(what_is_not_seen_is_shown_by_number),
        cmocka_unit_test(copies_end_between_characters),
        cmocka_unit_test(pages_get_no_markup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
