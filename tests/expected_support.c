/* SPDX-License-Identifier: MIT */
#include "expected_support.h"

#include "base/file.h"
#include "base/numbers.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

void expected_compare(const char *name, const struct text *found) {
    char path[FILE_PATH_MAX];
    struct err e;
    struct text text = {0};
    const char *update = getenv("EXPECTED");
    assert_true(file_path(path, &e, "%s/tests/expected/%s", getenv("SENJUTSU_ROOT"), name));
    if (update != NULL && strcmp(update, "update") == 0)
        assert_true(file_write(path, found->data, found->size, &e));
    if (!file_read(path, 1 << 24, &text, &e))
        fail_msg("%s", e.text);
    for (const char *old = text_string(&text), *now = text_string(found); *old != '\0' || *now != '\0';) {
        const int a = (int)strcspn(old, "\n"), b = (int)strcspn(now, "\n");
        if (a != b || memcmp(old, now, (size_t)a) != 0)
            fail_msg("expected: %.*s; found: %.*s", a, old, b, now);
        old += a + (old[a] != '\0');
        now += b + (now[b] != '\0');
    }
    text_done(&text);
}

bool expected_is_registered(const char *kind, const char *name) {
    char path[FILE_PATH_MAX];
    struct err e;
    struct text names = {0}, line = {0};
    assert_true(file_path(path, &e, "%s/tests/expected/registered.txt", getenv("SENJUTSU_ROOT")));
    text_add_string(&names, "\n");
    if (!file_read(path, 1 << 20, &names, &e))
        fail_msg("%s", e.text);
    text_add(&line, "\n%s %s\n", kind, name);
    const bool is_there = strstr(text_string(&names), text_string(&line)) != NULL;
    text_done(&names);
    text_done(&line);
    return is_there;
}

unsigned expected_digest(const struct text *text) {
    uint64_t hash = HASH_START;
    for (const char *at = text_string(text); *at != '\0'; at++)
        if (strncmp(at, "-nan", 4) != 0)
            hash = hash_bytes(hash, at, 1);
    return (unsigned)(hash ^ hash >> 32);
}
