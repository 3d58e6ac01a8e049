/* SPDX-License-Identifier: MIT
 *
 * docs/tournaments.md shows the presets as they are, and every field with its default.
 */
#include "tournament/tournament.h"

#include "base/file.h"

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

static void read_page(struct text *out) {
    char path[1024];
    struct err e = {{0}};
    const char *root = getenv("SENJUTSU_ROOT");
    assert_non_null(root);
    snprintf(path, sizeof path, "%s/docs/tournaments.md", root);
    if (!file_read(path, 1 << 20, out, &e))
        fail_msg("%s", e.text);
}

/* Indented by four blanks, as code is. */
static void assert_page_shows(const struct text *page, const char *text, const char *what) {
    struct text code = {0};
    for (const char *line = text; *line != '\0';) {
        const size_t size = strcspn(line, "\n");
        text_add_string(&code, "    ");
        text_add_bytes(&code, line, size);
        text_add_string(&code, "\n");
        line += size + (line[size] == '\n');
    }
    if (strstr(text_string(page), text_string(&code)) == NULL)
        fail_msg("docs/tournaments.md does not show %s:\n%s", what, text_string(&code));
    text_done(&code);
}

static void the_page_shows_every_preset(void **state) {
    (void)state;
    struct text page = {0};
    read_page(&page);
    for (const struct tournament_rules_preset *p = tournament_rules_presets; p->name != NULL; p++) {
        struct tournament_rules r;
        struct text written = {0};
        assert_true(tournament_rules_preset(p->name, &r, NULL));
        assert_true(event_file_write(&r, &written, NULL));
        assert_page_shows(&page, text_string(&written), p->name);
        text_done(&written);
    }
    text_done(&page);
}

/* One row of the table, with the value that holds without it. */
static void assert_row(const struct text *page, const char *path, const json_t *value) {
    char row[128], shown[64];
    const size_t size = json_dumpb(value, shown, sizeof shown - 1, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    assert_in_range(size, 1, sizeof shown - 1);
    shown[size] = '\0';
    snprintf(row, sizeof row, "\n| `%s` |", path);
    const char *found = strstr(text_string(page), row);
    if (found == NULL)
        fail_msg("docs/tournaments.md has no row for %s", path);
    char line[512], cell[96];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(found + 1, "\n"), found + 1);
    snprintf(cell, sizeof cell, "| `%s` |", shown);
    if (strstr(line, cell) == NULL)
        fail_msg("docs/tournaments.md: the default of %s is %s, but the row says:\n%s", path, shown, line);
}

static void the_page_explains_every_field(void **state) {
    (void)state;
    struct text page = {0}, written = {0};
    struct tournament_rules r;
    read_page(&page);
    tournament_rules_default(&r);
    assert_true(event_file_write(&r, &written, NULL));
    json_t *root = json_loads(text_string(&written), 0, NULL);
    const char *key, *inner;
    json_t *value, *inner_value;
    json_object_foreach(root, key, value) {
        if (!json_is_object(value))
            assert_row(&page, key, value);
        json_object_foreach(value, inner, inner_value) {
            char path[64];
            snprintf(path, sizeof path, "%s.%s", key, inner);
            assert_row(&page, path, inner_value);
        }
    }
    json_decref(root);
    text_done(&page);
    text_done(&written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_shows_every_preset),
        cmocka_unit_test(the_page_explains_every_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
