/* SPDX-License-Identifier: MIT
 *
 * Permitted requests: names of hosts, origins, tokens and the first line of a request, as strings.
 */
#include "net/http.h"
#include "tests/expected_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- names ---- */

struct host_case {
    const char *bind, *host;
    bool is_ours;
};

static const struct host_case hosts[] = {
    {"127.0.0.1", "localhost", true},
    {"127.0.0.1", "localhost:8080", true},
    {"127.0.0.1", "LocalHost:8080", true},
    {"127.0.0.1", "localhost:8081", false},
    {"127.0.0.1", "localhost:", false},
    {"127.0.0.1", ":8080", false},
    {"127.0.0.1", "", false},
    {"127.0.0.1", "127.0.0.1:8080", true},
    {"127.0.0.1", "127.0.0.2", false},
    {"127.0.0.1", "192.168.1.2", false},
    {"127.0.0.1", "[::1]", true},
    {"127.0.0.1", "[::1]:8080", true},
    {"127.0.0.1", "::1", false},
    {"127.0.0.1", "localhost@evil", false},
    {"127.0.0.1", "local host", false},
    {"127.0.0.1", "more.example", true},
    {"127.0.0.1", "more.example:8080", true},
    {"127.0.0.1", "forwarded.example:9000", true},
    {"127.0.0.1", "forwarded.example:8080", false},
    {"127.0.0.1", "forwarded.example", false},
    {"192.168.1.2", "192.168.1.2:8080", true},
    {"192.168.1.2", "192.168.1.3:8080", false},
    {"fe80::2", "[fe80::2]:8080", true},
    {"fe80::2", "[fe80::3]:8080", false},
    /* For a server on all interfaces no address can belong to another machine; a name can. */
    {"0.0.0.0", "192.168.1.3:8080", true},
    {"0.0.0.0", "192.168.1.3", true},
    {"0.0.0.0", "192.168.1.3:81", false},
    {"0.0.0.0", "[fe80::3]:8080", true},
    {"0.0.0.0", "[fe80::3", false},
    {"0.0.0.0", "[evil]", false},
    {"0.0.0.0", "[", false},
    {"0.0.0.0", "evil.example", false},
    {"0.0.0.0", "192.168.1.3.evil.example", false},
    {"::", "10.0.0.1:8080", true},
    {"::", "evil.example:8080", false},
};

static void only_our_own_names_are_answered_to(void **state) {
    (void)state;
    static const char *const further[] = {"more.example", "forwarded.example:9000", NULL};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        struct web_guard guard;
        struct err e;
        assert_true(web_guard_init(&guard, hosts[i].bind, further, &e));
        guard.port = 8080;
        if ((web_guard_schemes(&guard, hosts[i].host) != 0) != hosts[i].is_ours)
            fail_msg("bound to %s, '%s' is %s", hosts[i].bind, hosts[i].host,
                     hosts[i].is_ours ? "refused" : "taken");
        assert_int_equal(web_guard_schemes(&guard, NULL), 0);
    }
}

static void names_that_are_none_are_refused(void **state) {
    (void)state;
    struct web_guard guard;
    struct err e;
    static const char *const wrong[] = {"http://x.example", NULL};
    static const char *const empty[] = {"", NULL};
    static char long_name[WEB_GUARD_NAME_MAX + 1];
    const char *too_long[] = {long_name, NULL}, *many[WEB_GUARD_NAMES_MAX + 1] = {NULL};
    memset(long_name, 'a', WEB_GUARD_NAME_MAX);
    for (int i = 0; i < WEB_GUARD_NAMES_MAX; i++)
        many[i] = "a.example";
    assert_false(web_guard_init(&guard, "127.0.0.1", wrong, &e));
    assert_non_null(strstr(e.text, "http://x.example"));
    assert_false(web_guard_init(&guard, "127.0.0.1", empty, &e));
    assert_false(web_guard_init(&guard, "127.0.0.1", too_long, &e));
    assert_false(web_guard_init(&guard, "127.0.0.1", many, &e));
    assert_string_equal(e.text, "more than 40 names of hosts");
    many[WEB_GUARD_NAMES_MAX - 4] = NULL; /* four are there already */
    assert_true(web_guard_init(&guard, "127.0.0.1", many, &e));
    assert_false(web_guard_add_origin(&guard, "https://one.example", &e));
    assert_string_equal(e.text, "more than 40 names of hosts");
    assert_false(web_guard_init(&guard, "not a name", many, &e));
    assert_string_equal(e.text, "'not a name' is no name of a host");
    long_name[WEB_GUARD_NAME_MAX - 1] = '\0'; /* the longest that fits, but not with brackets or ports */
    assert_true(web_guard_init(&guard, "127.0.0.1", too_long, &e));
}

static void loopback_is_this_machine_alone(void **state) {
    (void)state;
    assert_true(web_guard_is_loopback("127.0.0.1"));
    assert_true(web_guard_is_loopback("127.9.9.9"));
    assert_true(web_guard_is_loopback("::1"));
    assert_true(web_guard_is_loopback("localhost"));
    assert_true(web_guard_is_loopback("LocalHost"));
    assert_false(web_guard_is_loopback("126.0.0.1"));
    assert_false(web_guard_is_loopback("128.0.0.1"));
    assert_false(web_guard_is_loopback("::2"));
    assert_false(web_guard_is_loopback("0.0.0.0"));
    assert_false(web_guard_is_loopback("::"));
    assert_false(web_guard_is_loopback("192.168.1.2"));
    assert_false(web_guard_is_loopback("example.org"));
    assert_false(web_guard_is_loopback("127.0.0.1.example.org"));
}

static void an_origin_is_the_host_itself(void **state) {
    (void)state;
    static const char *const none[] = {NULL};
    struct web_guard guard;
    struct err e;
    assert_true(web_guard_init(&guard, "127.0.0.1", none, &e));
    guard.port = 8080;
    assert_true(web_guard_origin(&guard, "http://localhost:8080", "localhost:8080"));
    assert_true(web_guard_origin(&guard, "HTTP://LOCALHOST:8080", "localhost:8080"));
    assert_false(web_guard_origin(&guard, "http://localhost:8080/", "localhost:8080"));
    assert_false(web_guard_origin(&guard, "http://localhost", "localhost:8080"));
    assert_false(web_guard_origin(&guard, "https://localhost:8080", "localhost:8080"));
    assert_false(web_guard_origin(&guard, "null", "localhost:8080"));
    assert_false(web_guard_origin(&guard, "", "localhost:8080"));
}

/* A TLS proxy in front, and the requests that it may pass on. */

struct origin_case {
    const char *origin, *host;
    bool is_ours;
};

static const struct origin_case origins[] = {
    /* --host bench.example: with TLS or without, but the same host */
    {"https://bench.example", "bench.example", true},
    {"http://bench.example", "bench.example", true},
    {"HTTPS://Bench.Example", "bench.example", true},
    {"http://bench.example:8080", "bench.example:8080", true},
    {"https://bench.example:8443", "bench.example", false},
    {"https://bench.example:443", "bench.example", false}, /* no browser writes it so */
    {"https://other.example", "bench.example", false},
    {"https://bench.example.evil.example", "bench.example", false},
    {"https://evil-bench.example", "bench.example", false},
    {"https://bench.example@evil.example", "bench.example", false},
    {"https://bench.example/", "bench.example", false},
    {"https://bench.example https://evil.example", "bench.example", false},
    {"https:/bench.example", "bench.example", false},
    {"ftp://bench.example", "bench.example", false},
    {"bench.example", "bench.example", false},
    {"null", "bench.example", false},
    {"", "bench.example", false},
    /* --origin https://tls.example,https://tls.example:8443,https://own.example:443/ */
    {"https://tls.example", "tls.example", true},
    {"https://tls.example", "tls.example:443", true},
    {"https://tls.example", "127.0.0.1:8080", true}, /* a proxy that does not pass the name on */
    {"https://tls.example:8443", "tls.example:8443", true},
    {"https://own.example", "own.example", true},
    {"http://tls.example", "tls.example", false},
    {"http://tls.example:8443", "tls.example:8443", false},
    {"https://tls.example:9443", "tls.example:9443", false},
    {"https://tls.example.evil.example", "tls.example", false},
    {"https://localhost", "localhost", false},
    {"https://127.0.0.1:8080", "127.0.0.1:8080", false},
};

static void proxies_with_tls_are_named(void **state) {
    (void)state;
    static const char *const further[] = {"bench.example", NULL};
    static struct web_guard guard;
    struct err e;
    assert_true(web_guard_init(&guard, "127.0.0.1", further, &e));
    guard.port = 8080;
    assert_true(web_guard_add_origin(&guard, "https://tls.example", &e));
    assert_true(web_guard_add_origin(&guard, "https://tls.example:8443", &e));
    assert_true(web_guard_add_origin(&guard, "https://own.example:443/", &e));
    for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++)
        if (web_guard_origin(&guard, origins[i].origin, origins[i].host) != origins[i].is_ours)
            fail_msg("'%s' at '%s' is %s", origins[i].origin, origins[i].host,
                     origins[i].is_ours ? "refused" : "taken");
    assert_int_equal(web_guard_schemes(&guard, "tls.example"), WEB_GUARD_HTTPS);
    assert_int_equal(web_guard_schemes(&guard, "bench.example"), WEB_GUARD_HTTP | WEB_GUARD_HTTPS);
    assert_int_equal(web_guard_schemes(&guard, "localhost"), WEB_GUARD_HTTP);
    assert_int_equal(web_guard_schemes(&guard, "tls.example:8080"), 0); /* past the proxy */
    assert_int_equal(web_guard_schemes(&guard, "tls.example:9443"), 0);
    static const char *const wrong[] = {"",
                                        "tls.example",
                                        "https://",
                                        "https:///",
                                        "ftp://a.de",
                                        "https://a.de/path",
                                        "https://a.de:0",
                                        "https://a.de:x",
                                        "https://:8",
                                        "https://a b",
                                        "https://a.de:70000",
                                        "https://a.de:65536",
                                        "https://a.de//",
                                        "http:/a.de"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (web_guard_add_origin(&guard, wrong[i], &e))
            fail_msg("'%s' is taken", wrong[i]);
        else
            assert_non_null(strstr(e.text, "' is no origin; expected https://NAME or https://NAME:PORT"));
    for (int i = 3; i < WEB_GUARD_ORIGINS_MAX; i++)
        assert_true(web_guard_add_origin(&guard, "https://more.example:1", &e));
    assert_false(web_guard_add_origin(&guard, "https://more.example:1", &e));
    assert_string_equal(e.text, "more than 8 origins");
}

/* What is stored of an origin, in all its forms. */
static void origins_are_stored_once(void **state) {
    (void)state;
    static const char *const none[] = {NULL};
    static const char *const given[] = {"http://plain.example",     "http://plain.example:80",
                                        "http://plain.example:443", "https://tls.example/",
                                        "HTTPS://tls.example:80",   "https://[::1]:65535",
                                        "https://[fe80::2]:443/"};
    static struct web_guard guard;
    struct text found = {0};
    struct err e;
    assert_true(web_guard_init(&guard, "127.0.0.1", none, &e));
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        assert_true(web_guard_add_origin(&guard, given[i], &e));
    for (int i = 0; i < guard.origin_count; i++)
        text_add(&found, "%s\n", guard.origins[i]);
    for (int i = 0; i < guard.name_count; i++)
        text_add(&found, "%s %u%s\n", guard.names[i].text, guard.names[i].schemes,
                 guard.names[i].exact ? " exact" : "");
    assert_string_equal(
        text_string(&found),
        "http://plain.example\nhttp://plain.example\nhttp://plain.example:443\nhttps://tls.example\n"
        "https://tls.example:80\nhttps://[::1]:65535\nhttps://[fe80::2]\n"
        "localhost 1\n127.0.0.1 1\n[::1] 1\n127.0.0.1 1\nplain.example 1 exact\n"
        "plain.example:80 1 exact\nplain.example 1 exact\nplain.example:80 1 exact\n"
        "plain.example:443 1 exact\ntls.example 2 exact\ntls.example:443 2 exact\n"
        "tls.example:80 2 exact\n[::1]:65535 2 exact\n[fe80::2] 2 exact\n[fe80::2]:443 2 exact\n");
    text_done(&found);
    /* A name leaves room for the port that is added to it. */
    char origin[8 + WEB_GUARD_NAME_MAX] = "https://";
    memset(origin + 8, 'a', WEB_GUARD_NAME_MAX - 5);
    assert_true(web_guard_add_origin(&guard, origin, &e));
    assert_int_equal(strlen(guard.names[guard.name_count - 2].text), WEB_GUARD_NAME_MAX - 5);
    origin[8 + WEB_GUARD_NAME_MAX - 5] = 'a';
    assert_false(web_guard_add_origin(&guard, origin, &e));
}

static void a_token_is_right_or_wrong(void **state) {
    (void)state;
    assert_true(web_guard_token("abcdefgh", "abcdefgh"));
    static const char *const wrong[] = {"",         "abcdefg",          "abcdefghi", "bbcdefgh",
                                        "abcdefgg", "abcdefghabcdefgh", NULL};
    for (int i = 0; wrong[i] != NULL; i++)
        assert_false(web_guard_token("abcdefgh", wrong[i]));
    assert_false(web_guard_token("abcdefgh", NULL));
    assert_true(web_guard_token("", NULL));
}

/* ---- the first line ---- */

struct target_case {
    const char *raw, *path; /* NULL: refused */
};

static const struct target_case targets[] = {
    {"/", "/"},
    {"/a/b.c", "/a/b.c"},
    {"/a%20b", "/a b"},
    {"/a+b", "/a+b"},
    {"/%e6%88%a6%e8%a1%93", "/\xe6\x88\xa6\xe8\xa1\x93"},
    {"/.well-known/x", "/.well-known/x"},
    {"/a..b/..c", "/a..b/..c"},
    {"/...", "/..."},
    {"", NULL},
    {"a", NULL},
    {"*", NULL},
    {"http://localhost/", NULL},
    {"/.", NULL},
    {"/..", NULL},
    {"/a/.", NULL},
    {"/a/..", NULL},
    {"/a/../b", NULL},
    {"/%2e%2e/b", NULL},
    {"/a%2f..%2fb", NULL},
    {"//a", NULL},
    {"/a//b", NULL},
    {"/a/", NULL},
    {"/a\\b", NULL},
    {"/%5c", NULL},
    {"/%00", NULL},
    {"/%01", NULL},
    {"/%7f", NULL},
    {"/%", NULL},
    {"/%1", NULL},
    {"/%g1", NULL},
    {"/%1g", NULL},
    {"/%80", NULL},
    {"/%c0%af", NULL},
    {"/%ed%a0%80", NULL},
    {"/%4a%4A%4f%4F%49%40", "/JJOOI@"},
    {"/%4`", NULL},
    {"/%4G", NULL},
    {"/%4@", NULL},
    {"/%4/", NULL},
    {"/%4:", NULL},
    {"/%30%39%7e", "/09~"},
    {"/%1f", NULL},
    {"/a\x1f", NULL},
    {"/%20", "/ "},
    {"/a?b=%4", NULL},
    {"/a?b=%41%4", NULL},
    {"/a?%5a=%61", "/a"},
    {"/a/...", "/a/..."},
    {"/a/.b/c", "/a/.b/c"},
    {"/./a", NULL},
    {"/a?b=c?d", "/a"},
};

static void paths_are_decoded_or_refused(void **state) {
    (void)state;
    struct text found = {0};
    static struct web_target target;
    struct message_in in = {0};
    struct err e;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        const bool ok = web_target_read(targets[i].raw, &target, &in, &e);
        if (ok != (targets[i].path != NULL))
            fail_msg("'%s' is %s", targets[i].raw, ok ? "taken" : "refused");
        if (ok)
            assert_string_equal(in.path, targets[i].path);
        text_add(&found, "%zu: %s", i, ok ? in.path : e.text);
        for (int n = 0; ok && n < in.query_count; n++)
            text_add(&found, ", %s is '%s'", in.query[n].name, in.query[n].value);
        text_add(&found, "\n");
    }
    expected_compare("targets.txt", &found);
    text_done(&found);
}

static void parameters_are_decoded_or_refused(void **state) {
    (void)state;
    static struct web_target target;
    struct message_in in = {0};
    struct err e;
    assert_true(web_target_read("/x?a=1&b=two+words%21&c&&d==%26", &target, &in, &e));
    assert_int_equal(in.query_count, 4);
    assert_string_equal(message_query(&in, "a"), "1");
    assert_string_equal(message_query(&in, "b"), "two words!");
    assert_string_equal(message_query(&in, "c"), "");
    assert_string_equal(message_query(&in, "d"), "=&");
    assert_null(message_query(&in, "e"));
    assert_true(web_target_read("/x?", &target, &in, &e));
    assert_int_equal(in.query_count, 0);
    static const char *const wrong[] = {
        "/x?a=1&a=2", "/x?a=%00", "/x?%00=1", "/x?a=%", "/x?a=%ff", "/x?a=%0d%0a", "/x?1&2&3&4&5&6&7&8&9"};
    static const char *const sentences[] = {
        "the parameter 'a' is there twice",
        "the value of a parameter has a control character",
        "the name of a parameter has a control character",
        "the value of a parameter has a '%' that two hexadecimal digits do not follow",
        "the value of a parameter is not UTF-8",
        "the value of a parameter has a control character",
        "more than 8 parameters"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(web_target_read(wrong[i], &target, &in, &e));
        assert_string_equal(e.text, sentences[i]);
    }
    assert_true(web_target_read("/x?1&2&3&4&5&6&7&8", &target, &in, &e));
    assert_int_equal(in.query_count, 8);
}

static void lengths_have_their_limits(void **state) {
    (void)state;
    static struct web_target target;
    struct message_in in = {0};
    static char raw[2 * MESSAGE_VALUE_MAX + 16];
    struct err e;
    memset(raw, 'a', MESSAGE_PATH_MAX - 1);
    raw[0] = '/';
    assert_true(web_target_read(raw, &target, &in, &e));
    raw[MESSAGE_PATH_MAX - 1] = 'a';
    assert_false(web_target_read(raw, &target, &in, &e));
    assert_string_equal(e.text, "the path is longer than 511 characters");
    memset(raw, 'a', sizeof raw - 1);
    memcpy(raw, "/?a=", 4);
    raw[4 + MESSAGE_VALUE_MAX - 1] = '\0';
    assert_true(web_target_read(raw, &target, &in, &e));
    raw[4 + MESSAGE_VALUE_MAX - 1] = 'a';
    raw[4 + MESSAGE_VALUE_MAX] = '\0';
    assert_false(web_target_read(raw, &target, &in, &e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_our_own_names_are_answered_to),
        cmocka_unit_test(names_that_are_none_are_refused),
        cmocka_unit_test(loopback_is_this_machine_alone),
        cmocka_unit_test(an_origin_is_the_host_itself),
        cmocka_unit_test(proxies_with_tls_are_named),
        cmocka_unit_test(origins_are_stored_once),
        cmocka_unit_test(a_token_is_right_or_wrong),
        cmocka_unit_test(paths_are_decoded_or_refused),
        cmocka_unit_test(parameters_are_decoded_or_refused),
        cmocka_unit_test(lengths_have_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
