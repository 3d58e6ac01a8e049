/* SPDX-License-Identifier: MIT
 *
 * Answers that handlers make: failures as sentences, JSON of any kind, answers when memory is missing, and
 * that any text of a request can be quoted.
 */
#include "net/message.h"

#include "base/encode.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void a_failure_is_a_sentence(void **state) {
    (void)state;
    struct message_out out = {0};
    message_fail(&out, 404, NULL, "there is no map '%s'", "x\"y");
    assert_int_equal(out.status, 404);
    assert_null(out.type);
    assert_string_equal(text_string(&out.body), "{\"error\":\"there is no map 'x\\\"y'\"}");
    message_fail(&out, 400, "ply", "expected a number"); /* in place of the first */
    assert_int_equal(out.status, 400);
    assert_string_equal(text_string(&out.body), "{\"error\":\"expected a number\",\"field\":\"ply\"}");
    message_done(&out);
    assert_null(out.body.data);
}

/* A sentence may quote any bytes, and is cut somewhere: it stays JSON. */
static void a_failure_can_quote_anything(void **state) {
    (void)state;
    static char quoted[3000];
    for (size_t i = 0; i < sizeof quoted - 1; i++)
        quoted[i] = (char)(1 + i % 255);
    for (int length = 0; length < (int)sizeof quoted - 1; length += 7) {
        struct message_out out = {0};
        json_error_t where;
        message_fail(&out, 400, NULL, "not '%.*s'", length, quoted);
        assert_int_equal(out.status, 400);
        json_t *root = json_loadb(out.body.data, out.body.size, 0, &where);
        assert_non_null(root);
        assert_non_null(json_string_value(json_object_get(root, "error")));
        json_decref(root);
        message_done(&out);
    }
}

static void a_field_that_cannot_be_quoted_is_left_out(void **state) {
    (void)state;
    struct message_out out = {0};
    message_fail(&out, 400, "\xff\xfe", "what is that?");
    assert_int_equal(out.status, 400);
    assert_string_equal(text_string(&out.body), "{\"error\":\"what is that?\"}");
    message_done(&out);
}

static void any_value_is_an_answer(void **state) {
    (void)state;
    struct message_out out = {0};
    message_json(&out, 201, json_pack("[i,s,{s:b}]", 1, "\xe6\x88\xa6", "x", 1));
    assert_int_equal(out.status, 201);
    assert_string_equal(text_string(&out.body), "[1,\"\xe6\x88\xa6\",{\"x\":true}]");
    message_json(&out, 200, json_true());
    assert_string_equal(text_string(&out.body), "true");
    message_json(&out, 200, NULL); /* a text in it was not UTF-8 */
    assert_int_equal(out.status, 500);
    assert_string_equal(text_string(&out.body), "{\"error\":\"the answer has a text that is not UTF-8\"}");
    message_done(&out);
}

static void parameters_are_found_by_name(void **state) {
    (void)state;
    const struct message_in in = {.query_count = 2, .query = {{"key", "a"}, {"form", ""}}};
    assert_string_equal(message_query(&in, "key"), "a");
    assert_string_equal(message_query(&in, "form"), "");
    assert_null(message_query(&in, "Key"));
    assert_null(message_query(&in, "ke"));
}

static void a_stream_is_dropped_with_its_answer(void **state) {
    (void)state;
    const struct topic_limits limits = {4, 1024};
    struct topic *topic = topic_open(&limits);
    struct message_out out = {.status = 200, .stream = topic_hold(topic)};
    message_fail(&out, 404, NULL, "not this one"); /* an afterthought */
    assert_null(out.stream);
    out.stream = topic_hold(topic);
    message_done(&out);
    assert_null(out.stream);
    assert_true(topic_add(topic, "all", "0", TOPIC_SNAPSHOT)); /* it is still ours */
    topic_drop(topic);
}

/* ---- JSON from outside ---- */

static void expect_format(const char *json, const char *sentence) {
    struct err e;
    json_t *root = jsontext_load("file.json", json, strlen(json), &e);
    assert_non_null(root);
    assert_int_equal(jsontext_is(root, "senjutsu-x", &e), sentence == NULL);
    if (sentence != NULL)
        assert_string_equal(e.text, sentence);
    json_decref(root);
}

static void files_have_their_types(void **state) {
    (void)state;
    struct err e;
    expect_format("{\"format\": \"senjutsu-x\", \"version\": 1}", NULL);
    expect_format("{\"format\": \"senjutsu-y\", \"version\": 1}", "\"format\" is not \"senjutsu-x\"");
    expect_format("{\"version\": 1}", "\"format\" is not \"senjutsu-x\"");
    expect_format("{\"format\": \"senjutsu-x\", \"version\": 2}", "\"version\" is not 1, the only one known");
    expect_format("{\"format\": \"senjutsu-x\"}", "\"version\" is not 1, the only one known");
    assert_null(jsontext_load("file.json", "{\n\"a\": 1, \"a\": 2}", 18, &e));
    assert_memory_equal(e.text, "file.json:2: ", 13);
}

static void expect_dump(json_t *value, const char *expected) {
    char *dump = json_dumps(value, JSON_ENCODE_ANY);
    assert_non_null(dump);
    assert_string_equal(dump, expected);
    free(dump);
    json_decref(value);
}

static void values_are_written_so_that_readers_can_trust_them(void **state) {
    (void)state;
    expect_dump(jsontext_seed(0), "0");
    expect_dump(jsontext_seed(INT64_MAX), "9223372036854775807");
    expect_dump(jsontext_seed((uint64_t)INT64_MAX + 1), "\"9223372036854775808\"");
    expect_dump(jsontext_seed(UINT64_MAX), "\"18446744073709551615\"");
    expect_dump(jsontext_string("a\xFF", 2), "\"a?\"");
}

static void members_are_text_again(void **state) {
    (void)state;
    struct err e;
    struct text t = {0};
    text_add_string(&t, "{\"a\": [1, \"x\"], \"b\": 2}");
    json_t *root = jsontext_own(&t);
    assert_non_null(root);
    text_clear(&t);
    assert_true(jsontext_member(root, "a", &t, &e));
    assert_true(jsontext_member(root, "b", &t, &e));
    assert_string_equal(text_string(&t), "[1, \"x\"]2");
    assert_false(jsontext_member(root, "c", &t, &e));
    assert_string_equal(e.text, "\"c\" is missing");
    json_decref(root);
    text_done(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_a_sentence),
        cmocka_unit_test(a_failure_can_quote_anything),
        cmocka_unit_test(a_field_that_cannot_be_quoted_is_left_out),
        cmocka_unit_test(any_value_is_an_answer),
        cmocka_unit_test(parameters_are_found_by_name),
        cmocka_unit_test(a_stream_is_dropped_with_its_answer),
        cmocka_unit_test(files_have_their_types),
        cmocka_unit_test(values_are_written_so_that_readers_can_trust_them),
        cmocka_unit_test(members_are_text_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
