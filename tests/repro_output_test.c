/* SPDX-License-Identifier: MIT
 *
 * Results of experiments as JSON, CSV and text, their files, pictures and the page.
 */
#include "repro/experiments.h"

#include "base/encode.h"
#include "html_support.h"
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

/* A player's name may have any characters, and ends as a formula of a spreadsheet. */
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

/* The data of the page that the folder gives. */
static json_t *page_data(struct text *page) {
    static const char start[] = "id=\"data\">\n", end[] = "\n</script>";
    struct err e;
    text_clear(page);
    assert_true(report_make(repro_folder, "today", page, &e));
    remove_page_code(page);
    assert_elements_close(text_string(page));
    const char *from = strstr(text_string(page), start) + strlen(start);
    json_t *root = json_loadb(from, (size_t)(strstr(from, end) - from), 0, NULL);
    assert_non_null(root);
    json_t *data = json_incref(json_object_get(root, "data"));
    json_decref(root);
    return data;
}

static const char *picture(const json_t *data, const char *name) {
    const json_t *first = json_array_get(json_object_get(data, "experiments"), 0);
    return json_string_value(json_object_get(json_object_get(first, "pictures"), name));
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
    json_t *data = page_data(&page);
    assert_null(picture(data, "tbs-fig2-scatter"));
    json_decref(data);
    repro_write(repro_path("tbs-fig2-scatter.svg"), svg, sizeof svg - 1);
    data = page_data(&page);
    assert_string_equal(picture(data, "tbs-fig2-scatter"), svg);
    assert_string_equal(json_string_value(json_object_get(data, "date")), "today");
    json_decref(data);
    assert_non_null(strstr(page.data, "<p>&lt;b&gt; &amp; &quot;quotes&quot;</p>"));
    assert_null(strstr(page.data, "<svg"));
    for (int i = 0; i < result.row_count; i++)
        assert_non_null(strstr(page.data, result.rows[i].label));
    static const char other[] = "{\"name\": \"tbs-fig4\"}",
                      outside[] = "{\"name\": \"tbs-fig2\", \"seed\": \"18446744073709551615\", \"plots\": "
                                  "[{\"name\": \"./tbs-fig2-scatter\", \"title\": \"out\"}]}";
    repro_write(repro_path("tbs-fig2.json"), other, sizeof other - 1);
    text_clear(&page);
    assert_false(report_make(repro_folder, "", &page, &e));
    assert_non_null(strstr(e.text, "tbs-fig2.json: is no result of tbs-fig2"));
    repro_write(repro_path("tbs-fig2.json"), outside,
                sizeof outside - 1); /* only file names in the folder are fixed by us */
    data = page_data(&page);
    assert_null(picture(data, "./tbs-fig2-scatter"));
    json_decref(data);
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
        cmocka_unit_test(the_page_is_whole_and_alone),
    };
    clock_still = clock_manual(&now_ns);
    return cmocka_run_group_tests(tests, repro_make_folder, repro_drop_folder);
}
