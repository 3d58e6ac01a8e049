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

/* ---- plots, ticks and table 1 ---- */

static int count_of(const char *text, const char *word) {
    int count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

/* Any number of the same repetitions: each value is 1. */
static struct repro_data even_data(const struct repro_experiment *experiment,
                                   struct repro_repetition *repetitions, struct repro_unit *units) {
    for (int i = 0; i < experiment->cell_count; i++) {
        units[i] = (struct repro_unit){.cell = i};
        repetitions[i] = (struct repro_repetition){.ms = 1};
        for (int v = 0; v < REPRO_VALUES_MAX; v++)
            repetitions[i].values[v] = 1;
    }
    return (struct repro_data){experiment, experiment->cell_count, units, repetitions};
}

static void rows_of_a_plot_have_both_intervals(void **state) {
    (void)state;
    static struct repro_repetition repetitions[REPRO_CELLS_MAX];
    static struct repro_unit units[REPRO_CELLS_MAX];
    static char wide[256];
    const struct repro_data data = even_data(&repro_tbs_table7, repetitions, units);
    result = (struct repro_result){.experiment = &repro_tbs_table7, .repetitions = 1, .quick = true};
    output_finish(&data, &result);
    const struct repro_plot *plot = &result.plots[0];
    const char *first = strchr(text_string(&plot->data), '\n') + 1;
    /* The paper's own margin; a published total has one as well. */
    snprintf(wide, sizeof wide, "%.*s", (int)strcspn(first, "\n"), first);
    assert_string_equal(wide, "\"A, DLMC first\",48.6,42.4,54.8,100,20.6549,100");
    assert_int_equal(count_of(text_string(&plot->data), "\n"), 1 + 12); /* rows in other units are none */
    assert_non_null(strstr(text_string(&plot->script), "set arrow 1 from 50,"));
    assert_non_null(strstr(text_string(&plot->script), "\\nquick, 1 of "));
    assert_null(strstr(text_string(&plot->script), "boxes"));
    repro_result_done(&result);
    result = (struct repro_result){.experiment = &repro_tbs_table5, .repetitions = 1};
    const struct repro_data other = even_data(&repro_tbs_table5, repetitions, units);
    output_finish(&other, &result); /* no margin is stated: Wilson's interval of 97 of 100 */
    assert_non_null(strstr(text_string(&result.plots[0].data), "UCT\",97,91.5481,98.9745,"));
    /* Without a published figure there is none to draw, whatever the number of its trials. */
    assert_non_null(strstr(text_string(&result.plots[0].data), "values of the position\",NaN,NaN,NaN,"));
    repro_result_done(&result);
}

static void answers_without_chance_are_ticks(void **state) {
    (void)state;
    static struct repro_repetition repetitions[REPRO_CELLS_MAX];
    static struct repro_unit units[REPRO_CELLS_MAX];
    const struct repro_data data = even_data(&repro_tbs_remedies, repetitions, units);
    repetitions[9].values[0] = 0; /* depth 2 on figure 5: the second row of the second column */
    result = (struct repro_result){.experiment = &repro_tbs_remedies, .repetitions = 1};
    output_finish(&data, &result);
    json_t *root = output_json(&result);
    const json_t *ticks = json_object_get(root, "ticks"), *rows = json_object_get(ticks, "rows");
    assert_int_equal(json_array_size(json_object_get(ticks, "columns")), 3);
    assert_int_equal(json_array_size(rows), 8);
    for (size_t row = 0; row < 8; row++)
        for (size_t column = 0; column < 3; column++) {
            const json_t *answer =
                json_array_get(json_object_get(json_array_get(rows, row), "answers"), column);
            assert_int_equal(json_number_value(json_object_get(answer, "share")), !(row == 1 && column == 1));
            assert_int_equal(json_is_true(json_object_get(answer, "exact")), row < 7); /* UCT is random */
        }
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 1), "label")),
                        "none, depth 2");
    json_decref(root);
    repro_result_done(&result);
}

static void arithmetic_is_as_the_paper_states_it(void **state) {
    (void)state;
    static const double ours[] = {720000000, 600, 210, 7200, 100, 999, 60000, 531441, 275499014400, 720};
    static struct repro_repetition repetitions[REPRO_CELLS_MAX];
    static struct repro_unit units[REPRO_CELLS_MAX];
    const struct repro_data data = even_data(&repro_tbs_branching, repetitions, units);
    result = (struct repro_result){.experiment = &repro_tbs_branching, .repetitions = 1};
    output_finish(&data, &result);
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        assert_true(repro_is_near(result.rows[i].ours, ours[i], 1e-6));
        assert_int_equal(result.rows[i].kind, VERDICT_SAME); /* no figure that confirms anything */
        assert_true(isnan(result.rows[i].low));
    }
    assert_string_equal(result.rows[3].verdict, "as published (no chance in it)"); /* rounded */
    repro_result_done(&result);
}

/* Whether a point lies within the polygon that the script draws for a cluster: left of all its edges. */
static bool is_within(const char *script, int cluster, double x, double y) {
    char object[64];
    double ax, ay, bx, by;
    snprintf(object, sizeof object, "set object %d polygon from ", cluster + 1);
    const char *at = strstr(script, object) + strlen(object);
    assert_int_equal(sscanf(at, "%lf,%lf", &ax, &ay), 2);
    while (strncmp(at += strcspn(at, " "), " to ", 4) == 0) {
        at += 4;
        assert_int_equal(sscanf(at, "%lf,%lf", &bx, &by), 2);
        if ((bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0)
            return false;
        ax = bx;
        ay = by;
    }
    return true;
}

static void clusters_are_drawn_around_their_games(void **state) {
    (void)state;
    struct err e;
    assert_int_equal(run_fig2(&e), REPRO_DONE);
    const struct repro_plot *plot = &result.plots[0];
    int games = 0, others = 0;
    for (const char *line = strchr(text_string(&plot->data), '\n') + 1; *line != '\0';
         line = strchr(line, '\n') + 1) {
        int cluster;
        double x, y;
        assert_int_equal(sscanf(line, "%*[^,],%*[^,],%d,%lf,%lf", &cluster, &x, &y), 3);
        assert_true(is_within(text_string(&plot->commands), cluster, x, y));
        for (int c = 0; c < 5; c++)
            others += c != cluster && is_within(text_string(&plot->commands), c, x, y);
        games++;
    }
    assert_int_equal(games, 17);
    assert_int_equal(others, 0);
    const char *data = text_string(&result.plots[1].data);
    assert_int_equal(count_of(data, "\n"), 1 + 17);
    assert_int_equal(count_of(data, ",1") + count_of(data, ",0"), 17 * 12);
    assert_int_equal(count_of(data, "?"), 3);
    assert_non_null(strstr(data, "Advanced Daisenryaku,complex rules,many a "
                                 "turn,1,1,1,1,1,1,1,0?,1?,1,1,0?\n"));
    repro_result_done(&result);
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
    assert_true(strstr(page.data, "<h2>All statements</h2>") < strstr(page.data, "<ul>"));
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
        cmocka_unit_test(rows_of_a_plot_have_both_intervals),
        cmocka_unit_test(answers_without_chance_are_ticks),
        cmocka_unit_test(arithmetic_is_as_the_paper_states_it),
        cmocka_unit_test(clusters_are_drawn_around_their_games),
        cmocka_unit_test(the_page_is_whole_and_alone),
    };
    clock_still = clock_manual(&now_ns);
    return cmocka_run_group_tests(tests, repro_make_folder, repro_drop_folder);
}
