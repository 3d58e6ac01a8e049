/* SPDX-License-Identifier: MIT
 *
 * Results of experiments as JSON, CSV and text, their files, pictures and the page.
 */
#include "repro/output.h"

#include "base/encode.h"
#include "repro/report.h"
#include "repro/rows.h"
#include "repro/experiments.h"
#include "repro_support.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static int64_t now_ns; /* stands still */
static struct clock clock_still;
static struct repro_result result; /* large */

/* The experiment that answers at once. */
static enum repro_outcome run_fig2(struct err *e) {
    const struct repro_options options = {.seed = 5, .workers = 1, .program = "test", .clock = &clock_still};
    return repro_run(&repro_tbs_fig2, &options, &result, e);
}

/* ---- numbers and files ---- */

static void numbers_are_written_whole_or_short(void **state) {
    (void)state;
    static const struct {
        double number;
        const char *json, *csv, *table;
    } cases[] = {{0.5, "0.5", "0.5", "0.5"},
                 {-3, "-3.0", "-3", "-3"},
                 {999999, "999999.0", "999999", "999999"},
                 {1e6, "1000000", "1000000", "1000000"},
                 {-1500000, "-1500000", "-1500000", "-1500000"},
                 {1500000.5, "1500000.5", "1.5e+06", "1500000"},
                 {1.25e14, "125000000000000", "125000000000000", "125000000000000"},
                 {1e15, "1000000000000000.0", "1e+15", "1000000000000000"},
                 {1.5e15, "1500000000000000.0", "1.5e+15", "1500000000000000"},
                 {1234.5625, "1234.5625", "1234.56", "1235"},
                 {-1234.5625, "-1234.5625", "-1234.56", "-1235"},
                 {123.4375, "123.4375", "123.438", "123.4"},
                 {(double)INFINITY, "null", "", "-"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text csv = {0}, text = {0};
        char wanted[64], row[64];
        result = (struct repro_result){.experiment = &repro_tbs_fig2};
        rows_add(&result, "n", "", REPRO_NONE)->ours = cases[i].number;
        json_t *root = output_json(&result);
        char *dump = json_dumps(json_object_get(json_array_get(json_object_get(root, "rows"), 0), "ours"),
                                JSON_ENCODE_ANY);
        assert_string_equal(dump, cases[i].json);
        output_number(cases[i].number, &csv);
        assert_string_equal(text_string(&csv), cases[i].csv);
        output_text(&result, &text);
        snprintf(wanted, sizeof wanted, "\n  n                       -%13s  ", cases[i].table);
        snprintf(row, sizeof row, "%.*s", (int)strlen(wanted), strstr(text.data, "\n  n    "));
        assert_string_equal(row, wanted);
        free(dump);
        json_decref(root);
        text_done(&csv);
        text_done(&text);
    }
}

/* A folder stands where each of the files should be. */
static void files_that_cannot_be_written_are_named(void **state) {
    (void)state;
    static const char *const names[] = {"tbs-fig2.json", "tbs-fig2.csv", "tbs-fig2-trials.csv",
                                        "tbs-fig2-scatter.csv", "tbs-fig2-scatter.gp"};
    struct err e;
    assert_int_equal(run_fig2(&e), REPRO_DONE);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        remove(repro_path(names[i]));
        assert_int_equal(mkdir(repro_path(names[i]), 0777), 0);
        assert_false(output_store(&result, repro_folder, &e));
        assert_non_null(strstr(e.text, repro_path(names[i])));
        rmdir(repro_path(names[i]));
    }
    assert_true(output_store(&result, repro_folder, &e));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(remove(repro_path(names[i])), 0);
    result.plots[0].script.failed = true;
    assert_false(output_store(&result, repro_folder, &e));
    assert_non_null(strstr(e.text, "not enough memory for "));
    assert_non_null(strstr(e.text, "tbs-fig2-scatter.gp"));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(repro_path(names[i]));
    repro_result_done(&result);
}

static void fields_of_csv_are_quoted(void **state) {
    (void)state;
    struct text out = {0};
    csv_field("plain", &out);
    csv_field("a,b", &out);
    csv_field("say \"x\"", &out);
    assert_string_equal(text_string(&out), "plain\"a,b\"\"say \"\"x\"\"\"");
    text_done(&out);
}

/* A player may call itself anything, and its name ends in a spreadsheet. */
static void formulas_in_csv_are_defused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0"},
        {"=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""},
        {"+1+cmd", "'+1+cmd"},
        {"-2+3", "'-2+3"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"\t=1", "'\t=1"},
        {"\r=1", "\"'\r=1\""},
        {"\n=1", "\"'\n=1\""},
        {"＝1", "'＝1"},
        {"＋1", "'＋1"},
        {"－1", "'－1"},
        {"＠A", "'＠A"},
        {"-inf", "'-inf"},
        {"-0x1", "'-0x1"},
        {"-", "'-"},
        {"-1.5", "-1.5"},
        {"+3e2", "+3e2"},
        {"a=1", "a=1"},
        {"'=1", "'=1"},
        {"uct:c=-1", "uct:c=-1"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text out = {0};
        csv_field(cases[i][0], &out);
        assert_string_equal(text_string(&out), cases[i][1]);
        text_done(&out);
    }
}

/* ---- pictures and the page ---- */

static void svg_names_get_a_prefix(void **state) {
    (void)state;
    struct text out = {0};
    assert_true(
        svg_inline("<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg xmlns=\"http://www.w3.org/2000/svg\">"
                   "<!-- id=\"no\" --><g id=\"a\"/><use href=\"#a\"/><p fill=\"url(#b)\"/></svg>\n<x/>",
                   "p1-", &out));
    assert_string_equal(text_string(&out),
                        "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"p1-a\"/><use href=\"#p1-a\"/>"
                        "<p fill=\"url(#p1-b)\"/></svg>");
    text_done(&out);
}

static void foreign_things_stay_out(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "<g/>",
                                      "<svg>",
                                      "<svg><script>x</script></svg>",
                                      "<svg><image href=\"http://x/y.png\"/></svg>",
                                      "<svg onload=\"x\"></svg>",
                                      "<svg><g fill=\"url(http://x/y)\"/></svg>",
                                      "<svg><style>@import 'x'</style></svg>",
                                      "<svg><foreignObject/></svg>",
                                      "<svg><iframe/></svg>",
                                      "<svg><g onclick=\"x\"/></svg>",
                                      "<svg><image href=\"data:text/html,x\"/></svg>",
                                      "<svg><use href='x#a'/></svg>",
                                      "<svg><a href='javascript:x'/></svg>"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct text out = {0};
        assert_false(svg_inline(bad[i], "p", &out));
        assert_int_equal(out.size, 0);
    }
}

static void references_inside_stay(void **state) {
    (void)state;
    static const char *const good[][2] = {
        {"<svg><use href='#a'/></svg>", "<svg><use href='#p-a'/></svg>"},
        {"<svg><g id='a'/></svg>", "<svg><g id='p-a'/></svg>"},
        {"<svg><g fill=\"url('#b')\"/></svg>", "<svg><g fill=\"url('#p-b')\"/></svg>"},
        {"<svg><g fill='url(\"#b\")'/></svg>", "<svg><g fill='url(\"#p-b\")'/></svg>"},
        {"<svg><g clip-path=\"#c\"/></svg>", "<svg><g clip-path=\"#p-c\"/></svg>"},
        {"<svg><image href=\"data:image/png;base64,eA==\"/></svg>",
         "<svg><image href=\"data:image/png;base64,eA==\"/></svg>"},
        {"<svg><svg></svg><g/></svg> <g/>", "<svg><svg></svg><g/></svg>"},
        {"<svg><!-- a --><g/><!-- b --></svg>", "<svg><g/></svg>"},
        {"<svg><g/><!-- not closed </svg>", "<svg><g/>"},
        {"<svg><g/><!-- not closed </svg> -->", "<svg><g/>"},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct text out = {0};
        assert_true(svg_inline(good[i][0], "p-", &out));
        assert_string_equal(text_string(&out), good[i][1]);
        text_done(&out);
    }
}

/* Every tag is closed in order, attributes are quoted, text has no bare '<' or '&': enough of XML for a page
 * that is written as XML. */
static void assert_well_formed(const char *page) {
    enum { DEPTH_MAX = 64 };
    char open[DEPTH_MAX][32];
    int depth = 0;
    const char *at = strstr(page, "<html");
    assert_non_null(at);
    for (; (at = strchr(at, '<')) != NULL; at++) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        char name[32] = "";
        const bool closing = at[1] == '/';
        sscanf(at + 1 + closing, "%31[a-zA-Z0-9:]", name);
        assert_true(name[0] != '\0');
        if (closing) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < DEPTH_MAX);
            memcpy(open[depth++], name, sizeof name);
        }
        int quotes = 0;
        for (const char *c = at; c < end; c++)
            quotes += *c == '"';
        assert_int_equal(quotes % 2, 0);
        at = end;
    }
    assert_int_equal(depth, 0);
    for (const char *c = page; (c = strchr(c, '&')) != NULL; c++)
        assert_true(c[1] == '#' || strchr(c, ';') - c <= 5);
}

static bool loads_nothing(const char *page) {
    static const char *const words[] = {"src=", "<script", "<link", "@import", "url(http", "href=\"http"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(page, words[i]) != NULL)
            return false;
    return true;
}

static void the_page_is_whole_and_alone(void **state) {
    (void)state;
    struct err e;
    struct text page = {0};
    assert_false(report_make(repro_folder, "", &page, &e));
    assert_non_null(strstr(e.text, "holds no result"));
    assert_int_equal(run_fig2(&e), REPRO_DONE);
    snprintf(result.summary, sizeof result.summary, "<b> & \"quotes\"");
    assert_true(output_store(&result, repro_folder, &e));
    static const char svg[] = "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"one\"/></svg>";
    assert_true(report_make(repro_folder, "today", &page, &e));
    assert_non_null(strstr(page.data, "No picture of <code>tbs-fig2-scatter"));
    repro_write(repro_path("tbs-fig2-scatter.svg"), svg, sizeof svg - 1);
    text_clear(&page);
    assert_true(report_make(repro_folder, "today", &page, &e));
    assert_well_formed(page.data);
    assert_true(loads_nothing(page.data));
    assert_non_null(strstr(page.data, "<g id=\"p1-one\"/>"));
    assert_non_null(strstr(page.data, "&lt;b&gt; &amp; &quot;quotes&quot;"));
    assert_non_null(strstr(page.data, "prefers-color-scheme"));
    assert_non_null(strstr(page.data, "@media print"));
    for (int i = 0; i < result.row_count; i++)
        assert_non_null(strstr(page.data, result.rows[i].label));
    static const char other[] = "{\"name\": \"tbs-fig4\"}",
                      outside[] = "{\"name\": \"tbs-fig2\", \"seed\": \"18446744073709551615\", \"plots\": "
                                  "[{\"name\": \"./tbs-fig2-scatter\", \"title\": \"out\"}]}",
                      two[] = "{\"name\": \"tbs-fig2\", \"plots\": [{\"name\": \"tbs-fig2-scatter\"}, "
                              "{\"name\": \"second\"}]}";
    repro_write(repro_path("tbs-fig2.json"), other, sizeof other - 1);
    text_clear(&page);
    assert_false(report_make(repro_folder, "", &page, &e));
    assert_non_null(strstr(e.text, "tbs-fig2.json: is no result of tbs-fig2"));
    repro_write(repro_path("tbs-fig2.json"), outside,
                sizeof outside - 1); /* only names in the folder are ours */
    assert_true(report_make(repro_folder, "", &page, &e));
    assert_null(strstr(page.data, "<svg"));
    assert_non_null(strstr(page.data, "No picture of <code>./tbs-fig2-scatter.csv</code>"));
    assert_non_null(strstr(page.data, "seed 18446744073709551615; 0 trials"));
    assert_non_null(strstr(page.data, "<p class=\"dim\">senjutsu repro</p>"));
    repro_write(repro_path("tbs-fig2.json"), two, sizeof two - 1);
    text_clear(&page);
    assert_true(report_make(repro_folder, "", &page, &e));
    assert_non_null(strstr(page.data, "<svg"));
    assert_non_null(strstr(page.data, "No picture of <code>second.csv</code>"));
    repro_write(repro_path("tbs-fig2.json"), "{\"name\": 3", 10);
    text_clear(&page);
    assert_false(report_make(repro_folder, "", &page, &e));
    assert_non_null(strstr(e.text, "tbs-fig2.json:1: "));
    remove(repro_path("tbs-fig2.json"));
    repro_result_done(&result);
    text_done(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_whole_or_short),
        cmocka_unit_test(files_that_cannot_be_written_are_named),
        cmocka_unit_test(fields_of_csv_are_quoted),
        cmocka_unit_test(formulas_in_csv_are_defused),
        cmocka_unit_test(svg_names_get_a_prefix),
        cmocka_unit_test(foreign_things_stay_out),
        cmocka_unit_test(references_inside_stay),
        cmocka_unit_test(the_page_is_whole_and_alone),
    };
    clock_still = clock_manual(&now_ns);
    return cmocka_run_group_tests(tests, repro_make_folder, repro_drop_folder);
}
