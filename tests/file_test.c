/* SPDX-License-Identifier: MIT
 *
 * Whole files: limits, missing and unwritable ones, and that a file is never half written.
 */
#include "base/file.h"

#include <dirent.h>
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

enum { NAME_LIMIT = 300 };

static char folder[NAME_LIMIT / 2];

static int make_folder(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/senjutsu-file-XXXXXX", parent != NULL ? parent : "/tmp");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static const char *name_of(const char *file, char out[NAME_LIMIT]) {
    snprintf(out, NAME_LIMIT, "%s/%s", folder, file);
    return out;
}

/* How many entries the folder has; with `remove_all` they go. */
static int count_entries(bool remove_all) {
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char name[NAME_LIMIT + 256];
        if (entry->d_name[0] == '.')
            continue;
        count++;
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (remove_all)
            remove(name);
    }
    closedir(dir);
    return count;
}

static int remove_folder(void **state) {
    (void)state;
    count_entries(true);
    return rmdir(folder);
}

static void expect_content(const char *name, const char *expected) {
    struct text t = {0};
    struct err e;
    if (!file_read(name, 1000, &t, &e))
        fail_msg("%s", e.text);
    assert_string_equal(text_string(&t), expected);
    text_done(&t);
}

static void expect_error(const struct err *e, const char *name, const char *words) {
    assert_memory_equal(e->text, name, strlen(name)); /* which file comes first */
    if (strstr(e->text, words) == NULL)
        fail_msg("got '%s', expected '%s'", e->text, words);
}

static void what_is_written_is_read(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct text t = {0};
    name_of("plain", name);
    assert_true(file_write(name, "a\0b", 3, NULL));
    assert_true(file_read(name, 3, &t, NULL));
    assert_int_equal(t.size, 3);
    assert_memory_equal(t.data, "a\0b", 4);
    assert_true(file_read(name, 3, &t, NULL)); /* appends */
    assert_int_equal(t.size, 6);
    text_done(&t);
    assert_true(file_write(name, "", 0, NULL));
    expect_content(name, "");
}

static void the_old_content_is_replaced_and_nothing_else_left(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    name_of("replaced", name);
    assert_true(file_write(name, "a long first content", 20, NULL));
    const int before = count_entries(false);
    assert_true(file_write(name, "short", 5, NULL));
    expect_content(name, "short");
    assert_true(file_write_soon(name, "sooner", 6, NULL));
    expect_content(name, "sooner");
    assert_int_equal(count_entries(false), before);
}

/* A reader that has the old file open keeps the old content: the new one is another file, renamed. */
static void readers_never_see_half_a_file(void **state) {
    (void)state;
    char name[NAME_LIMIT], old[4] = {0};
    name_of("atomic", name);
    assert_true(file_write(name, "old", 3, NULL));
    FILE *reader = fopen(name, "rb");
    assert_non_null(reader);
    assert_true(file_write(name, "new", 3, NULL));
    assert_int_equal(fread(old, 1, 3, reader), 3);
    fclose(reader);
    assert_string_equal(old, "old");
    expect_content(name, "new");
}

static void reading_has_a_limit(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct text t = {0};
    struct err e;
    name_of("large", name);
    char *bytes = calloc(1, 200000);
    assert_non_null(bytes);
    memset(bytes, 'x', 200000);
    assert_true(file_write(name, bytes, 200000, NULL));
    assert_true(file_read(name, 200000, &t, NULL)); /* more than one piece of the buffer */
    assert_memory_equal(t.data, bytes, 200000);
    text_done(&t);
    assert_false(file_read(name, 199999, &t, &e));
    expect_error(&e, name, "larger than 199999 bytes");
    text_done(&t);
    free(bytes);
}

/* Devices have no size to ask for: the limit holds all the same. */
static void endless_files_have_a_limit_too(void **state) {
    (void)state;
    struct text t = {0};
    struct err e;
    assert_false(file_read("/dev/zero", 100000, &t, &e));
    expect_error(&e, "/dev/zero", "larger than 100000 bytes");
    text_done(&t);
}

static void missing_files_are_named(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct text t = {0};
    struct err e;
    name_of("missing", name);
    assert_false(file_read(name, 10, &t, &e));
    expect_error(&e, name, "cannot be opened: No such file");
    assert_false(file_read(folder, 10, &t, &e));
    expect_error(&e, folder, "cannot be read: ");
    assert_false(file_read(name, 10, &t, NULL));
    text_done(&t);
}

static void unwritable_files_are_named(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct err e;
    name_of("no/such/folder", name);
    assert_false(file_write(name, "x", 1, &e));
    expect_error(&e, name, "cannot be written: No such file");
    assert_false(file_write(folder, "x", 1, &e));
    expect_error(&e, folder, "cannot be written: Is a directory");
    assert_true(file_write(name_of("plain", name), "x", 1, NULL));
    assert_false(file_write(name_of("plain/below", name), "x", 1, &e));
    expect_error(&e, name, "cannot be written: Not a directory");
}

static void a_full_disk_is_reported(void **state) {
    (void)state;
    struct err e;
    if (access("/dev/full", W_OK) != 0) {
        print_message("There is no /dev/full here: a full disk is not tried.\n");
        skip();
    }
    assert_false(file_write("/dev/full", "x", 1, &e));
    expect_error(&e, "/dev/full", "cannot be written: No space left");
    assert_true(file_write("/dev/null", "x", 1, NULL));
}

static void names_have_a_limit(void **state) {
    (void)state;
    char name[5000];
    struct err e;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(file_write(name, "x", 1, &e));
    char out[20];
    assert_false(file_temporary_name("a-name-of-some-length", out, sizeof out, &e));
    assert_string_equal(e.text, "a-name-of-some-length: the name is too long");
}

/* For writers that open the file themselves. */
static void temporary_names_are_kept_or_dropped(void **state) {
    (void)state;
    char name[NAME_LIMIT], temporary[NAME_LIMIT + 50];
    struct err e;
    name_of("made", name);
    assert_true(file_write(name, "before", 6, NULL));
    assert_true(file_temporary_name(name, temporary, sizeof temporary, NULL));
    assert_string_not_equal(name, temporary);
    assert_true(file_write(temporary, "after", 5, NULL));
    assert_true(file_finish(temporary, name, false, NULL));
    expect_content(name, "before");
    assert_int_not_equal(access(temporary, F_OK), 0);
    assert_true(file_write(temporary, "after", 5, NULL));
    assert_true(file_finish(temporary, name, true, NULL));
    expect_content(name, "after");
    assert_false(file_finish(temporary, name, true, &e)); /* it is gone */
    expect_error(&e, name, "cannot be written: ");
    expect_content(name, "after");
}

static void folders_are_made_once(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct err e;
    name_of("inner", name);
    assert_true(file_make_folder(name, &e));
    assert_true(file_make_folder(name, &e));
    rmdir(name);
    assert_true(file_write(name, "x", 1, &e));
    assert_false(file_make_folder(name, &e));
    assert_non_null(strstr(e.text, "inner: is no folder"));
    unlink(name);
    name_of("missing/made", name);
    assert_false(file_make_folder(name, &e));
    assert_non_null(strstr(e.text, "missing/made: cannot be made: "));
}

static void leftovers_are_removed_and_nothing_else(void **state) {
    (void)state;
    static const char *const kept[] = {"a.tmp", ".12.tmp", "a.b.tmp", "a.12.tmp.svg", "12.tmp", "page.html"};
    static const char *const left[] = {"page.html.12.tmp", "0001.svg.99999.tmp"};
    char name[NAME_LIMIT];
    struct err e;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_true(file_write(name_of(kept[i], name), "x", 1, &e));
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        assert_true(file_write(name_of(left[i], name), "x", 1, &e));
    assert_true(file_remove_leftovers(folder, &e));
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        assert_int_not_equal(access(name_of(left[i], name), F_OK), 0);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_int_equal(access(name_of(kept[i], name), F_OK), 0);
    assert_true(file_remove_leftovers(name_of("nosuch", name), &e));
    assert_false(file_remove_leftovers(name_of("page.html", name), &e));
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_int_equal(unlink(name_of(kept[i], name)), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_old_content_is_replaced_and_nothing_else_left),
        cmocka_unit_test(readers_never_see_half_a_file),
        cmocka_unit_test(reading_has_a_limit),
        cmocka_unit_test(endless_files_have_a_limit_too),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(unwritable_files_are_named),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(names_have_a_limit),
        cmocka_unit_test(temporary_names_are_kept_or_dropped),
        cmocka_unit_test(leftovers_are_removed_and_nothing_else),
        cmocka_unit_test(folders_are_made_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
