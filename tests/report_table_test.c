/* SPDX-License-Identifier: MIT
 *
 * The terminal output for a tournament that was made by hand (report_support.c).
 */
#include "report_support.h"

#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct sample sample; /* too large for a stack */

static int make_small(void **state) {
    (void)state;
    sample_small(&sample);
    return 0;
}

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

/* ---- highlights ---- */

static void highlights_are_sentences(void **state) {
    (void)state;
    static const struct {
        enum highlight_kind kind;
        int game;
        const char *text;
    } expected[] = {
        {HIGHLIGHT_UPSET, 10,
         "random beat uct, \"the\" <b>first</b>, rated 515 above it, in 17 turns on island <2>"},
        {HIGHLIGHT_UPSET, 15, "tactics beat 木探索プログラム, rated 226 above it, in 15 turns on island <2>"},
        {HIGHLIGHT_LEAD_CHANGES, 10,
         "The lead changed 7 times before random beat uct, \"the\" <b>first</b> in 17 turns on island <2>"},
        {HIGHLIGHT_LEAD_CHANGES, 1,
         "The lead changed 5 times before 木探索プログラム beat uct, \"the\" <b>first</b> in 12 turns on "
         "duel"},
        {HIGHLIGHT_SHORT_WIN, 8, "uct, \"the\" <b>first</b> beat random in 4 turns on duel"},
        {HIGHLIGHT_SHORT_WIN, 16, "木探索プログラム beat random in 4 turns on duel"},
        {HIGHLIGHT_FAULT, 21,
         "tactics answered after its time was over: it lost to random on duel, and the same way 1 "
         "more time"},
        {HIGHLIGHT_FAULT, 7,
         "tactics stopped running, or the connection to it was lost: it lost to uct, \"the\" <b>first</b> on "
         "island <2>"},
    };
    struct highlight list[REPORT_HIGHLIGHTS_MAX];
    const int count = report_highlights(&sample.report, 2, list);
    assert_int_equal(count, sizeof expected / sizeof expected[0]);
    for (int i = 0; i < count; i++) {
        assert_int_equal(list[i].kind, expected[i].kind);
        assert_int_equal(list[i].game, expected[i].game);
        assert_string_equal(list[i].text, expected[i].text);
    }
    /* 515.25 above, less the errors of both. */
    assert_true(is_near(list[0].weight, 515.25 - sqrt(88.5 * 88.5 + 110.0 * 110.0)));
}

static void highlights_know_their_limits(void **state) {
    (void)state;
    struct highlight list[REPORT_HIGHLIGHTS_MAX];
    assert_int_equal(report_highlights(&sample.report, 0, list), 0);
    sample.report.ratings = NULL;
    assert_true(report_highlights(&sample.report, REPORT_PER_KIND_MAX, list) > 0);
    assert_int_not_equal(list[0].kind, HIGHLIGHT_UPSET);
    sample_large(&sample, 20);
    const int count = report_highlights(&sample.report, REPORT_PER_KIND_MAX, list);
    assert_true(count <= REPORT_HIGHLIGHTS_MAX);
    for (int i = 1; i < count; i++)
        if (list[i].kind == list[i - 1].kind) {
            assert_true(list[i].weight <= list[i - 1].weight);
            if (!(list[i].weight < list[i - 1].weight))
                assert_true(list[i].game > list[i - 1].game);
        }
}

/* The longest names there are, of characters that take three bytes each. */
static void highlights_are_cut_between_characters(void **state) {
    (void)state;
    struct highlight list[REPORT_HIGHLIGHTS_MAX];
    for (int p = 0; p < 4; p++)
        for (int i = 0; i < 85; i++)
            memcpy(sample.players[p].name + 3 * i, "探", 4);
    const int count = report_highlights(&sample.report, 3, list);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        assert_true(charset_is_utf8(list[i].text, strlen(list[i].text)));
        assert_non_null(strstr(list[i].text, "…"));
    }
}

/* ---- the terminal ---- */

static void table_is_plain_text(void **state) {
    (void)state;
    struct text table = {0};
    report_table(&sample.report, &(struct report_style){0}, &table);
    assert_string_equal(text_string(&table),
                        "  #  player                   points  games  W  D  L  score   Elo        faults\n"
                        "  1  uct, \"the\" <b>first</b>       9     12  8  2  2  75.0%  +185   ±88       0\n"
                        "  2  木探索プログラム              9     12  8  2  2  75.0%  +185   ±90       0\n"
                        "3-4  tactics                       3     12  3  0  9  25.0%   -41   ±95       3\n"
                        "3-4  random                        3     12  3  0  9  25.0%  -330  ±110       0\n"
                        "26 of 28 games, 4.0 games a second, 1 s left\n");
    text_done(&table);
}

static void assert_lines_fit(const char *table, int columns) {
    char line[512];
    for (const char *at = table; *at != '\0';) {
        const size_t size = strcspn(at, "\n");
        assert_true(size < sizeof line);
        memcpy(line, at, size);
        line[size] = '\0';
        if (charset_width(line) > columns)
            fail_msg("\"%s\" is wider than %d", line, columns);
        at += size + 1;
    }
}

static void table_fits_every_width(void **state) {
    (void)state;
    struct text table = {0};
    for (int large = 0; large < 2; large++) {
        if (large)
            sample_large(&sample, 20);
        for (int columns = 16; columns <= 130; columns++) {
            text_clear(&table);
            report_table(&sample.report, &(struct report_style){.columns = columns, .rows = 7}, &table);
            assert_lines_fit(text_string(&table), columns);
            assert_int_equal(sample_parts(&table, "\n"), large ? 10 : 6);
        }
    }
    sample_has(&table, "… and 13 more\n");
    /* Names with the same beginning stay distinguishable. */
    text_clear(&table);
    report_table(&sample.report, &(struct report_style){.columns = 90}, &table);
    sample_has(&table, "depth-4 ");
    sample_has(&table, "depth-7 ");
    sample_lacks(&table, "long-name:sims");
    text_done(&table);
}

static void colours_change_nothing_else(void **state) {
    (void)state;
    struct text plain = {0}, coloured = {0}, stripped = {0};
    report_table(&sample.report, &(struct report_style){.columns = 70}, &plain);
    report_table(&sample.report, &(struct report_style){.columns = 70, .colour = true}, &coloured);
    sample_lacks(&plain, "\033");
    sample_has(&coloured, "\033[1muct");
    for (const char *at = text_string(&coloured); *at != '\0'; at++) {
        if (*at == '\033')
            at = strchr(at, 'm');
        else
            text_add_bytes(&stripped, at, 1);
    }
    assert_string_equal(text_string(&stripped), text_string(&plain));
    text_done(&plain);
    text_done(&coloured);
    text_done(&stripped);
}

static void names_cannot_steer_the_terminal(void **state) {
    (void)state;
    struct text table = {0};
    snprintf(sample.players[0].name, sizeof sample.players[0].name,
             "a\033[2Jb\nc\xC2\x9B"
             "d\xFF"
             "e\x7F");
    report_table(&sample.report, &(struct report_style){.columns = 80}, &table);
    sample_has(&table, "a?[2Jb?c?d?e?");
    assert_int_equal(sample_parts(&table, "\n"), 6);
    text_done(&table);
}

static void last_line_estimates_the_duration(void **state) {
    (void)state;
    static const struct {
        double seconds;
        int played, untimed, expected;
        bool complete;
        const char *line;
    } cases[] = {
        {-1, 10, 0, 20, false, "10 of 20 games\n"},
        {0, 0, 0, 20, false, "0 of 20 games\n"},
        {100, 10, 0, 20, false, "10 of 20 games, 6.0 games a minute, 2 min left\n"},
        {100, 110, 10, 210, false, "110 of 210 games, 1.0 games a second, 2 min left\n"},
        {9000, 10, 5, 20, false, "10 of 20 games, 2.0 games an hour, 5 h 0 min left\n"},
        {864000, 240, 0, 480, false, "240 of 480 games, 1.0 games an hour, 10 days left\n"},
        {10, 10, 0, 70, false, "10 of 70 games, 1.0 games a second, 1 min left\n"},
        {10, 10, 0, 69, false, "10 of 69 games, 1.0 games a second, 59 s left\n"},
        {600, 10, 0, 70, false, "10 of 70 games, 1.0 games a minute, 1 h 0 min left\n"},
        {600, 10, 0, 69, false, "10 of 69 games, 1.0 games a minute, 59 min left\n"},
        {36000, 10, 0, 58, false, "10 of 58 games, 1.0 games an hour, 2 days left\n"},
        {36000, 10, 0, 57, false, "10 of 57 games, 1.0 games an hour, 47 h 0 min left\n"},
        {5, 20, 0, 20, false, "20 of 20 games, 4.0 games a second\n"},
        {5, 20, 20, 40, false, "20 of 40 games\n"},
        {5, 20, 0, 20, true, "20 of 20 games, 4.0 games a second, complete\n"},
    };
    struct text table = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample.report.seconds = cases[i].seconds;
        sample.report.games_played = cases[i].played;
        sample.report.games_untimed = cases[i].untimed;
        sample.report.games_expected = cases[i].expected;
        sample.report.complete = cases[i].complete;
        text_clear(&table);
        report_table(&sample.report, &(struct report_style){.columns = 80}, &table);
        const char *last = text_string(&table);
        for (const char *next; (next = strchr(last, '\n')) != NULL && next[1] != '\0';)
            last = next + 1;
        assert_string_equal(last, cases[i].line);
    }
    text_done(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(highlights_are_sentences, make_small),
        cmocka_unit_test_setup(highlights_know_their_limits, make_small),
        cmocka_unit_test_setup(highlights_are_cut_between_characters, make_small),
        cmocka_unit_test_setup(table_is_plain_text, make_small),
        cmocka_unit_test_setup(table_fits_every_width, make_small),
        cmocka_unit_test_setup(colours_change_nothing_else, make_small),
        cmocka_unit_test_setup(names_cannot_steer_the_terminal, make_small),
        cmocka_unit_test_setup(last_line_estimates_the_duration, make_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
