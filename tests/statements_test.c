/* SPDX-License-Identifier: MIT
 *
 * docs/experiments.md has a row for each statement that an experiment tests, and no row without one: the rows
 * of tools/statements, whose keys are labels and codes of findings, against the experiments' own lists.
 */
#include "repro/experiments.h"
#include "repro_support.h"

#include "base/mem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { UNITS_MAX = 2 * REPRO_CELLS_MAX };

static struct repro_unit units[UNITS_MAX];
static struct repro_repetition repetitions[UNITS_MAX];
static struct repro_result result; /* large */

/* Rows and findings of two repetitions of each cell in which nothing happened. */
static void sum_up(const struct repro_experiment *x) {
    const struct repro_data data = {x, repro_plan_units(x, 2, units, UNITS_MAX), units, repetitions};
    memset(repetitions, 0, sizeof repetitions);
    result = (struct repro_result){.experiment = x, .repetitions = 2};
    output_finish(&data, &result);
    assert_string_equal(result.failure.text, "");
    repro_result_done(&result);
}

/* The table of an experiment in the page: from its headline to the next one. */
static char *table_of(const char *page, const char *name) {
    char head[128];
    snprintf(head, sizeof head, "\n**`senjutsu repro %s`**", name);
    const char *from = strstr(page, head);
    if (from == NULL)
        fail_msg("no table of %s", name);
    const char *next = strstr(from + 1, "\n**`senjutsu repro "),
               *end = strstr(from, "\n<!-- statements: end");
    assert_non_null(end);
    return strndup(from, (size_t)((next != NULL && next < end ? next : end) - from));
}

static bool has_key(const char *table, const char *key) {
    char mark[256];
    snprintf(mark, sizeof mark, " <!-- %s --> |", key);
    return strstr(table, mark) != NULL;
}

static int rows_in(const char *table) {
    int count = 0;
    for (const char *at = table; (at = strstr(at, " --> |")) != NULL; at++)
        count++;
    return count;
}

/* A statement of the paper is a row beside a published figure or a claim, and every finding. */
static int check_rows(const char *table) {
    int count = 0;
    for (const struct repro_row *row = result.rows; row < result.rows + result.row_count; row++) {
        if (isnan(row->published) && row->kind == VERDICT_NONE)
            continue;
        count++;
        if (!has_key(table, row->label))
            fail_msg("%s: no row '%s'", result.experiment->name, row->label);
    }
    for (int i = 0; i < result.finding_count; i++) {
        char key[128];
        int same = 1;
        for (int k = 0; k < i; k++)
            same += strcmp(result.findings[k].msg.code, result.findings[i].msg.code) == 0;
        const char *code = result.findings[i].msg.code + strlen("finding.");
        snprintf(key, sizeof key, same > 1 ? "%s#%d" : "%s", code, same);
        count++;
        if (!has_key(table, key))
            fail_msg("%s: no row of finding '%s'", result.experiment->name, key);
    }
    return count;
}

static void check_page(const char *file) {
    struct text page = {0};
    char path[4096];
    const char *root = getenv("SENJUTSU_ROOT");
    assert_non_null(root);
    snprintf(path, sizeof path, "%s/docs/%s", root, file);
    repro_read(path, &page);
    for (int i = 0; repro_experiments[i] != NULL; i++) {
        char *table = table_of(text_string(&page), repro_experiments[i]->name);
        sum_up(repro_experiments[i]);
        const int count = check_rows(table);
        if (rows_in(table) != count)
            fail_msg("%s: %s: %d rows for %d statements", file, repro_experiments[i]->name, rows_in(table),
                     count);
        free(table);
    }
    text_done(&page);
}

static void every_statement_has_a_row(void **state) {
    (void)state;
    check_page("experiments.md");
    check_page("ja/experiments.md");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_statement_has_a_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
