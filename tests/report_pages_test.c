/* SPDX-License-Identifier: MIT
 *
 * The pages of an event that was made by hand (report_support.c): well-formed, complete, harmless.
 */
#include "html_support.h"
#include "report_support.h"

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

/* ---- HTML ---- */

/* Every element is closed in its turn, and nothing in the page is loaded or run. */
static void assert_well_formed(const struct text *page) {
    assert_elements_close(text_string(page));
    static const char *const forbidden[] = {"<script", "<link", "<img", "<iframe", "http:", "https:",
                                            "src=",    "href=", "url(", "@import", "nan",   "inf%"};
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        sample_lacks(page, forbidden[i]);
    sample_has(page, "<meta charset=\"utf-8\"/>");
    sample_has(page, "<meta name=\"viewport\"");
}

static void cross_table_has_every_cell(void **state) {
    (void)state;
    struct text page = {0};
    report_cross_table_html(&sample.report, &page);
    assert_false(page.failed);
    assert_well_formed(&page);
    sample_has(&page, "<h1>Spring &lt;Cup&gt; &amp; &quot;Friends&quot;</h1>");
    sample_lacks(&page, "<b>first");
    assert_int_equal(sample_parts(&page, "<td class=\"c self\">"), 4);
    assert_int_equal(sample_parts(&page, "<td class=\"c s"), 16);
    sample_has(&page, "title=\"tactics against random: 2 won, 0 drawn, 2 lost; 50.0% (95% interval 15.0% to "
                      "85.0%)\">2 <small>2/0/2</small></td>");
    sample_has(&page, "<td>3–4</td>");
    sample_has(&page, "−330 ± 110");
    sample_has(&page, "prefers-color-scheme:dark");
    sample_has(&page, "<caption>");
    assert_int_equal(sample_parts(&page, "scope=\"row\""), 4 + 2);
    sample_has(&page, "island &lt;2&gt; <small>by Linus</small>");
    sample_has(&page, "<h3>Play-off, round 1</h3>");
    sample_has(&page, "1.5 : 0.5");
    sample_has(&page, "2 games to be played");
    /* In the order of the table. */
    assert_true(strstr(text_string(&page), "<div>tactics</div>") <
                strstr(text_string(&page), "<div>random</div>"));
    text_done(&page);
}

static void shades_follow_the_score(void **state) {
    (void)state;
    struct text page = {0};
    report_cross_table_html(&sample.report, &page);
    sample_has(
        &page,
        "<td class=\"c s8\" title=\"uct, &quot;the&quot; &lt;b&gt;first&lt;/b&gt; against tactics: 4 won");
    sample_has(&page, "<td class=\"c s0\" title=\"tactics against uct");
    sample_has(&page, "<td class=\"c s4\" title=\"random against tactics");
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

static void printed_page_has_it_all(void **state) {
    (void)state;
    struct text page = {0};
    report_print_html(&sample.report, &page);
    assert_false(page.failed);
    assert_well_formed(&page);
    static const char *const parts[] = {
        "@page{size:A4",
        "@media print",
        "<p>Result so far</p>",
        "<dd>1 May 2024, 10:00 UTC</dd>",
        "<dt>Clock</dt><dd>no limit</dd>",
        "<dd>Round robin, 2 games a pairing and map; a tie for the first place is played off; then a "
        "knock-out "
        "of the best 2</dd>",
        "<dd>26 of 28 played</dd>",
        "Sonneborn-Berger",
        "* placed by a play-off.",
        "<td class=\"nowrap\">3–4</td>",
        "<h2>Cross-table</h2>",
        "<h3>Play-off, round 1</h3>",
        "<td>21</td><td class=\"name\">tactics</td><td class=\"name\">random</td>",
        "<td class=\"name\">late</td><td class=\"name\">answered after its time was over</td>",
        "<h2>Highlights</h2>",
        "<code>senjutsu verify spring.db</code>",
        "<code>ext:cmd=./tree --fast</code>",
        "<h2>Appendix: rules</h2>\n<pre>{",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        sample_has(&page, parts[i]);
    sample_lacks(&page, "Walk-overs");
    text_done(&page);
}

static void printed_page_of_a_final_result(void **state) {
    (void)state;
    struct text page = {0};
    for (int i = 0; i < sample.games.count; i++) {
        sample.outcomes[i].forfeiter = NOBODY;
        sample.outcomes[i].fault = PLAYER_FAULT_NONE;
    }
    sample.games.walkovers[2] = 2;
    sample.report.complete = true;
    sample.report.date = "some day";
    sample.report.store = NULL;
    sample.standings[0].decided_by = STAGE_FINAL;
    sample_count(&sample);
    report_print_html(&sample.report, &page);
    assert_well_formed(&page);
    sample_has(&page, "<p>Final result</p>");
    sample_has(&page, "<dd>some day</dd>");
    sample_has(&page, "None: every game was played to its end by the rules.");
    sample_has(&page, "<th scope=\"col\">Walk-overs</th>");
    sample_has(&page, "† placed by the final.");
    sample_has(&page, "<code>senjutsu verify STORE</code>");
    sample_lacks(&page, "Faults</th>");
    text_done(&page);
}

static void many_players_get_a_list_of_pairings(void **state) {
    (void)state;
    struct text page = {0};
    sample_large(&sample, 16);
    report_print_html(&sample.report, &page);
    assert_well_formed(&page);
    sample_has(&page, "<h2>Cross-table</h2>");
    sample_lacks(&page, "<h2>Pairings</h2>");
    text_clear(&page);
    sample_large(&sample, 17);
    report_print_html(&sample.report, &page);
    assert_well_formed(&page);
    sample_has(&page, "<h2>Pairings</h2>");
    sample_lacks(&page, "<h2>Cross-table</h2>");
    assert_int_equal(sample_parts(&page, "<li><span>"), 17 * 16 / 2);
    text_done(&page);
}

static void many_faults_are_cut_with_a_word(void **state) {
    (void)state;
    struct text page = {0};
    sample_large(&sample, 20);
    for (int i = 0; i < sample.games.count; i++) {
        sample.outcomes[i].forfeiter = i < 130 ? 0 : NOBODY;
        sample.outcomes[i].fault = i < 130 ? PLAYER_FAULT_HANG : PLAYER_FAULT_NONE;
    }
    report_print_html(&sample.report, &page);
    assert_well_formed(&page);
    assert_int_equal(sample_parts(&page, "and was stopped</td>"), 100);
    sample_has(&page, "And 30 more;");
    text_done(&page);
}

static void a_knock_out_is_told_round_by_round(void **state) {
    (void)state;
    struct text page = {0};
    sample.event.rules.format = EVENT_KNOCK_OUT;
    for (int i = 12; i < 24; i++)
        sample.scheduled[i].round = 1;
    report_cross_table_html(&sample.report, &page);
    assert_well_formed(&page);
    sample_has(&page, "<h2>Round by round</h2>\n<h3>Knock-out, round 1</h3>");
    sample_has(&page, "<h3>Knock-out, round 2</h3>");
    sample_has(&page,
               "<li><strong>uct, &quot;the&quot; &lt;b&gt;first&lt;/b&gt;</strong> – <span>tactics</span> "
               "<span class=\"result\">4 : 0</span></li>");
    text_done(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(cross_table_has_every_cell, make_small),
        cmocka_unit_test_setup(shades_follow_the_score, make_small),
        cmocka_unit_test_setup(pages_change_only_with_the_games, make_small),
        cmocka_unit_test_setup(printed_page_has_it_all, make_small),
        cmocka_unit_test_setup(printed_page_of_a_final_result, make_small),
        cmocka_unit_test_setup(many_players_get_a_list_of_pairings, make_small),
        cmocka_unit_test_setup(many_faults_are_cut_with_a_word, make_small),
        cmocka_unit_test_setup(a_knock_out_is_told_round_by_round, make_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
