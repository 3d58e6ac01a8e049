/* SPDX-License-Identifier: MIT
 *
 * The pages of a tournament that was made by hand (report_support.c): well-formed, complete, harmless.
 */
#include "html_support.h"
#include "report_support.h"

#include "base/encode.h"

#include <jansson.h>
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

/* ---- the page ---- */

/* Every element is closed in its turn, names from outside are data, and nothing is loaded. Returns the data.
 */
static json_t *check_page(struct text *page) {
    static const char *const forbidden[] = {"<link", "<img", "<iframe", "http:", "https:", "src=",
                                            "href=", "url(", "@import", "nan",   "inf%",   "<b>first"};
    static const char start[] = "id=\"data\">\n";
    remove_page_code(page);
    assert_elements_close(text_string(page));
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        sample_lacks(page, forbidden[i]);
    sample_has(page, "<meta charset=\"utf-8\"/>");
    sample_has(page, "<meta name=\"viewport\"");
    const char *from = strstr(text_string(page), start);
    assert_non_null(from);
    from += strlen(start);
    json_error_t error;
    json_t *root = json_loadb(from, (size_t)(strstr(from, "\n</script>") - from), 0, &error);
    assert_non_null(root);
    json_t *data = json_incref(json_object_get(root, "data"));
    assert_string_equal(json_string_value(json_object_get(root, "page")), "tournament");
    json_decref(root);
    return data;
}

static void a_page_has_plain_tables(void **state) {
    (void)state;
    struct text page = {0};
    report_cross_table_html(&sample.report, &page);
    json_decref(check_page(&page));
    sample_has(&page, "<h1>Spring &lt;Cup&gt; &amp; &quot;Friends&quot;</h1>");
    sample_has(&page, "<td>3-4</td>");
    sample_has(&page, "<td>-330</td><td>±110</td>");
    sample_has(&page, "<td>uct, &quot;the&quot; &lt;b&gt;first&lt;/b&gt;</td>");
    sample_has(&page, "<td>island &lt;2&gt;</td>");
    sample_has(&page, "<th scope=\"col\">Sonneborn-Berger</th>");
    sample_has(&page, "<td>late</td><td>tactics</td><td>answered after its time was over</td>");
    sample_has(&page, "<td>play-off</td><td>1</td>");
    sample_has(&page, "<td>final</td><td>1</td>");
    /* In the order of the table. */
    assert_true(strstr(text_string(&page), "<td>tactics</td>") <
                strstr(text_string(&page), "<td>random</td>"));
    text_done(&page);
}

/* As far as both are written. */
static void assert_same(const json_t *a, const json_t *b) {
    char *one = json_dumps(a, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    char *two = json_dumps(b, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    assert_string_equal(one, two);
    free(one);
    free(two);
}

static void a_page_has_its_data(void **state) {
    (void)state;
    struct text page = {0};
    json_t *whole = report_json_value(&sample.report);
    report_print_html(&sample.report, &page);
    json_t *data = check_page(&page), *report = json_object_get(data, "report");
    static const char *const same[] = {"title", "standings", "pairings", "meetings",
                                       "maps",  "rules",     "seed",     "highlights"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        assert_same(json_object_get(report, same[i]), json_object_get(whole, same[i]));
    assert_true(json_is_true(json_object_get(data, "print")));
    assert_true(json_is_true(json_object_get(data, "on_maps")));
    assert_string_equal(json_string_value(json_object_get(data, "store")), "spring.db");
    const json_t *faults = json_object_get(data, "faults");
    assert_int_equal(json_array_size(faults), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(faults, 0), "ruling")),
                        "stopped running, or the connection to it was lost");
    const json_t *columns = json_object_get(data, "columns");
    assert_string_equal(json_string_value(json_object_get(json_array_get(columns, 1), "name")), "player");
    json_decref(data);
    json_decref(whole);
    text_done(&page);
}

static void pages_change_only_with_the_games(void **state) {
    (void)state;
    struct text one = {0}, two = {0};
    sample.report.date = NULL;
    report_cross_table_html(&sample.report, &one);
    report_print_html(&sample.report, &one);
    sample_change_times(&sample);
    sample.report.date = NULL;
    report_cross_table_html(&sample.report, &two);
    report_print_html(&sample.report, &two);
    assert_string_equal(text_string(&one), text_string(&two));
    text_done(&one);
    text_done(&two);
}

static void columns_without_content_are_left_out(void **state) {
    (void)state;
    struct text page = {0};
    report_print_html(&sample.report, &page);
    json_decref(check_page(&page));
    sample_lacks(&page, "walk-overs");
    text_clear(&page);
    for (int i = 0; i < sample.games.count; i++) {
        sample.outcomes[i].forfeiter = NOBODY;
        sample.outcomes[i].fault = PLAYER_FAULT_NONE;
    }
    sample.games.walkovers[2] = 2;
    sample.report.store = NULL;
    sample.tournament.rules.title[0] = '\0';
    sample_count(&sample);
    report_print_html(&sample.report, &page);
    json_t *data = check_page(&page);
    assert_true(json_is_null(json_object_get(data, "store")));
    assert_int_equal(json_integer_value(json_object_get(data, "fault_count")), 0);
    sample_has(&page, "<h1>Tournament</h1>");
    sample_has(&page, "<th scope=\"col\">walk-overs</th>");
    sample_lacks(&page, "<th scope=\"col\">faults</th>");
    json_decref(data);
    text_done(&page);
}

static void a_page_has_not_all_of_many_faults(void **state) {
    (void)state;
    struct text page = {0};
    sample_large(&sample, 20);
    for (int i = 0; i < sample.games.count; i++) {
        sample.outcomes[i].forfeiter = i < 130 ? 0 : NOBODY;
        sample.outcomes[i].fault = i < 130 ? PLAYER_FAULT_HANG : PLAYER_FAULT_NONE;
    }
    report_print_html(&sample.report, &page);
    json_t *data = check_page(&page);
    assert_int_equal(json_array_size(json_object_get(data, "faults")), 100);
    assert_int_equal(json_integer_value(json_object_get(data, "fault_count")), 130);
    assert_int_equal(sample_parts(&page, "<td>hang</td>"), 100);
    sample_has(&page, "<h2>Faults: 130</h2>");
    json_decref(data);
    text_done(&page);
}

/* Text that would end a script or begin an element is escaped; the value stays the same. */
static void json_in_a_page_is_no_markup(void **state) {
    (void)state;
    struct text text = {0};
    json_t *value = json_pack("{ss}", "k", "</script><!-- & \xe2\x80\xa8\xe2\x80\xa9 \xe2\x88\x92");
    page_add_json(value, &text);
    assert_string_equal(text_string(&text), "{\"k\":\"\\u003c/script\\u003e\\u003c!-- \\u0026 "
                                            "\\u2028\\u2029 \xe2\x88\x92\"}");
    json_t *back = json_loads(text_string(&text), 0, NULL);
    assert_true(json_equal(value, back));
    json_decref(back);
    json_decref(value);
    text_done(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_page_has_plain_tables, make_small),
        cmocka_unit_test_setup(a_page_has_its_data, make_small),
        cmocka_unit_test_setup(pages_change_only_with_the_games, make_small),
        cmocka_unit_test_setup(columns_without_content_are_left_out, make_small),
        cmocka_unit_test_setup(a_page_has_not_all_of_many_faults, make_small),
        cmocka_unit_test(json_in_a_page_is_no_markup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
