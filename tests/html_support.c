/* SPDX-License-Identifier: MIT */
#include "html_support.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { DEPTH_MAX = 32, NAME_SIZE = 16 };

void assert_elements_close(const char *page) {
    char open[DEPTH_MAX][NAME_SIZE];
    int depth = 0;
    const char *start = page + (strncmp(page, "<!DOCTYPE", 9) == 0);
    for (const char *at = strchr(start, '<'); at != NULL; at = strchr(at + 1, '<')) {
        const char *end = strchr(at, '>');
        char name[NAME_SIZE] = "";
        assert_non_null(end);
        const bool closes = at[1] == '/';
        assert_int_equal(sscanf(at + (closes ? 2 : 1), "%15[a-z0-9]", name), 1);
        if (closes) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < DEPTH_MAX);
            strcpy(open[depth++], name);
        }
    }
    assert_int_equal(depth, 0);
}

void remove_page_code(struct text *page) {
    static const char *const parts[][2] = {{"<style>\n", "\n</style>\n"}, {"<script>\n", "\n</script>\n"}};
    for (int i = 0; i < 2; i++) {
        char *from = strstr(page->data, parts[i][0]);
        if (from == NULL)
            continue;
        char *end = strstr(from, parts[i][1]);
        assert_non_null(end);
        end += strlen(parts[i][1]);
        memmove(from, end, strlen(end) + 1);
        page->size = strlen(page->data);
    }
}
