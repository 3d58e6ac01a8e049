/* SPDX-License-Identifier: MIT
 *
 * Messages as data: every conversion is formatted as printf does it, and the arguments are found in the text.
 */
#include "base/text.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void expect_json(const struct msg *m, const char *text, const char *expected) {
    json_t *object = json_object();
    msg_add_json(object, m, text);
    char *dump = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(dump, expected);
    free(dump);
    json_decref(object);
}

static void arguments_are_parts_of_the_text(void **state) {
    (void)state;
    struct msg m;
    char text[200];
    msg_set(&m, text, sizeof text, "a.code", "%s has %d of %ld units, %.1f%% (%5.3s|%-3c|%+g)", "red", -3,
            70000L, 12.25, "abcdef", 'x', 0.5);
    assert_string_equal(text, "red has -3 of 70000 units, 12.2% (  abc|x  |+0.5)");
    expect_json(
        &m, text,
        "{\"args\":[\"red\",\"-3\",\"70000\",\"12.2\",\"  abc\",\"x  \",\"+0.5\"],\"code\":\"a.code\"}");
}

static void all_lengths_are_read(void **state) {
    (void)state;
    struct msg m;
    char text[200], plain[200];
    msg_set(&m, text, sizeof text, "n", "%u %lu %llu %zu %x %lld %*d %.*s %e", 4000000000U, 5000000000UL,
            UINT64_C(18446744073709551615) + 0ULL, (size_t)7, 255U, -9000000000LL, 4, 5, 2, "xyz", 1.5);
    snprintf(plain, sizeof plain, "%u %lu %llu %zu %x %lld %*d %.*s %e", 4000000000U, 5000000000UL,
             UINT64_C(18446744073709551615) + 0ULL, (size_t)7, 255U, -9000000000LL, 4, 5, 2, "xyz", 1.5);
    assert_string_equal(text, plain);
    assert_int_equal(m.arg_count, 9);
}

/* Cut texts: an argument ends with the text, later ones are empty or absent. */
static void a_long_text_is_cut(void **state) {
    (void)state;
    struct msg m;
    char text[8];
    msg_set(&m, text, sizeof text, "c", "ab %s %d", "cdefgh", 4);
    assert_string_equal(text, "ab cdef");
    expect_json(&m, text, "{\"args\":[\"cdef\"],\"code\":\"c\"}");
    msg_set(&m, text, sizeof text, "c", "%s", "ab\xff");
    expect_json(&m, text, "{\"args\":[\"ab?\"],\"code\":\"c\"}");
}

static void a_text_without_a_code_has_no_data(void **state) {
    (void)state;
    struct err e;
    err_set(&e, "%d apples", 3);
    expect_json(&e.msg, e.text, "{}");
}

static void a_prefix_moves_the_arguments(void **state) {
    (void)state;
    struct err e;
    assert_false(err_code(&e, "there", "the name \"%s\" is there", "x"));
    assert_false(err_prefix(&e, "entry %d: ", 2));
    assert_false(err_prefix(&e, "file: "));
    assert_string_equal(e.text, "file: entry 2: the name \"x\" is there");
    expect_json(&e.msg, e.text, "{\"args\":[\"x\"],\"code\":\"there\",\"prefix\":\"file: entry 2: \"}");
}

static void a_prefix_that_fills_the_text_leaves_empty_arguments(void **state) {
    (void)state;
    struct err e;
    char longest[ERR_TEXT_MAX + 10];
    memset(longest, 'y', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    err_code(&e, "there", "%s and %s", "a", "b");
    err_prefix(&e, "%s", longest);
    assert_int_equal(strlen(e.text), ERR_TEXT_MAX - 1);
    assert_int_equal(e.msg.args[0].size + e.msg.args[1].size, 0);
    json_t *object = json_object();
    msg_add_json(object, &e.msg, e.text);
    assert_int_equal(json_string_length(json_object_get(object, "prefix")), ERR_TEXT_MAX - 1);
    json_decref(object);
}

/* The second prefix cuts the first: both together are longer than the text. */
static void a_prefix_that_is_cut_ends_with_the_text(void **state) {
    (void)state;
    struct err e;
    err_code(&e, "there", "%s", "a");
    err_prefix(&e, "%400s: ", "inner");
    err_prefix(&e, "%400s: ", "outer");
    json_t *object = json_object();
    msg_add_json(object, &e.msg, e.text);
    assert_int_equal(json_string_length(json_object_get(object, "prefix")), ERR_TEXT_MAX - 1);
    json_decref(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_parts_of_the_text),
        cmocka_unit_test(all_lengths_are_read),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(a_text_without_a_code_has_no_data),
        cmocka_unit_test(a_prefix_moves_the_arguments),
        cmocka_unit_test(a_prefix_that_fills_the_text_leaves_empty_arguments),
        cmocka_unit_test(a_prefix_that_is_cut_ends_with_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
