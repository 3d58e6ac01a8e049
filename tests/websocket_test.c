/* SPDX-License-Identifier: MIT
 *
 * The output of the viewer's port: SHA-1 and base64 against published vectors, requests whole, cut and
 * broken, the official server's handshake, frames both ways.
 */
#include "base/encode.h"
#include "base/numbers.h"
#include "net/geister_server.h"
#include "net/http.h"
#include "tests/expected_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- SHA-1 and base64 ---- */

static void check_sha1(const char *bytes, size_t size, const char *expected) {
    unsigned char digest[SHA1_SIZE];
    char hex[2 * SHA1_SIZE + 1];
    sha1(bytes, size, digest);
    for (int i = 0; i < SHA1_SIZE; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned)digest[i]);
    assert_string_equal(hex, expected);
}

/* FIPS 180 examples and the vectors of its successor pages; lengths around a block's end from an independent
 * implementation. */
static void sha1_matches_published_vectors(void **state) {
    (void)state;
    static char a[1000000];
    memset(a, 'a', sizeof a);
    check_sha1("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    check_sha1("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
    check_sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
               "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    check_sha1(a, sizeof a, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    check_sha1(a, 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a");
    check_sha1(a, 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699");
    check_sha1(a, 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5");
    check_sha1(a, 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    check_sha1(a, 119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56");
    check_sha1(a, 120, "f34c1488385346a55709ba056ddd08280dd4c6d6");
}

struct base64_case {
    const char *bytes, *text;
};

/* RFC 4648, section 10. */
static const struct base64_case base64_cases[] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
    {"0123456789abcdef", "MDEyMzQ1Njc4OWFiY2RlZg=="},
    {"\xfb\xff\xbf", "+/+/"},
};

static void base64_matches_published_vectors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof base64_cases / sizeof base64_cases[0]; i++) {
        char out[64];
        const size_t size = strlen(base64_cases[i].bytes);
        base64_write((const unsigned char *)base64_cases[i].bytes, size, out);
        assert_string_equal(out, base64_cases[i].text);
        assert_int_equal(base64_size(out), size);
    }
    static const char *const bad[] = {
        "Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zh==", "Zm9=", "Zg==Zg==", "Zm 9"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(base64_size(bad[i]), -1);
}

/* ---- requests ---- */

static const char golden_request[] =
    "GET /ws/geister HTTP/1.1\r\nHost: localhost:8080\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
    "Sec-WebSocket-Version: 13\r\nOrigin: http://localhost\r\n\r\n";

static const char golden_answer[] =
    "HTTP/1.1 101 Web Socket Protocol Handshake\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: BACScCJPNqyz+UBoqMH89VmURoA=\r\nUpgrade: websocket\r\n\r\n";

static void a_request_may_come_in_pieces(void **state) {
    (void)state;
    struct http_request r;
    const size_t size = strlen(golden_request);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(http_read(golden_request, i, &r), HTTP_MORE);
    assert_int_equal(http_read("", 0, &r), HTTP_MORE);
    assert_memory_equal(&r, &(struct http_request){0}, sizeof r);
    assert_int_equal(http_read(golden_request, size, &r), HTTP_READY);
    assert_int_equal(r.size, size);
    assert_string_equal(r.path, "/ws/geister");
    assert_string_equal(r.query, "");
    assert_string_equal(r.host, "localhost:8080");
    assert_true(r.wants_websocket);
    assert_int_equal(r.websocket_version, 13);
    assert_false(r.is_head);
}

static void the_handshake_is_the_official_servers(void **state) {
    (void)state;
    struct http_request r;
    struct text out = {0};
    assert_int_equal(http_read(golden_request, strlen(golden_request), &r), HTTP_READY);
    assert_int_equal(websocket_handshake(&r, &out), 101);
    assert_string_equal(text_string(&out), golden_answer);
    text_done(&out);
}

struct request_case {
    const char *text;
    int status; /* of http_read; 0: ready */
};

static const struct request_case request_cases[] = {
    {"GET / HTTP/1.1\r\n\r\n", 0},
    {"GET /a-b_c.d/~e HTTP/1.0\r\nhOsT:x\r\n\r\n", 0},
    {"HEAD / HTTP/1.1\nHost: x\n\n", 0},
    {"POST / HTTP/1.1\r\n\r\n", 405},
    {"get / HTTP/1.1\r\n\r\n", 405},
    {"GET / HTTP/2.0\r\n\r\n", 505},
    {"GET / HTTP/1.1 \r\n\r\n", 400},
    {"GET /\r\n\r\n", 400},
    {"GET  / HTTP/1.1\r\n\r\n", 400},
    {"GET x HTTP/1.1\r\n\r\n", 400},
    {"GET /%2e HTTP/1.1\r\n\r\n", 400},
    {"\r\nGET / HTTP/1.1\r\n\r\n", 400},
    {"SET:ABCD\r\n", 400},
    {"\x16\x03\x01\x02\n", 400},
    {"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\n: x\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\n folded: x\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: \x01\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nSec-WebSocket-Version: x\r\n\r\n", 400},
    {"GET /azAZ09/-._~?b=c&&d=%7e HTTP/1.1\r\nHost:\t x y \t\r\nX: y\r\n\r\nmore", 0},
    {"GET /?~ HTTP/1.1\r\nHost:   \r\nSec-WebSocket-Version: 0\r\n\r\n", 0},
    {"HEAD /? HTTP/1.0\nUpgrade: a,websocket\nConnection: \tx, UPGRADE \nSec-WebSocket-Version: 255\n\n", 0},
    {"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: updated\r\nSec-WebSocket-Version: 256\r\n\r\n", 0},
    {"GET / HTTP/1.1\r\nUpgrade: webstock2\r\nConnection: upgrade\r\nSec-WebSocket-Version: -1\r\n\r\n", 0},
    {"GET / HTTP/1.1\r\nUpgrade: websocket2\r\nConnection: upgrade\r\nSec-WebSocket-Key: k\r\n\r\n", 0},
    {"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrades\r\n\r\n", 0},
    {"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 1\r\n\r\n", 0},
    {"HEA / HTTP/1.1\r\n\r\n", 405},
    {"GETS / HTTP/1.1\r\n\r\n", 405},
    {"PUT / HTTP/1.1\r\n\r\n", 405},
    {"HEAT / HTTP/1.1\r\n\r\n", 405},
    {"G@T / HTTP/1.1\r\n\r\n", 400},
    {"G\x7fT / HTTP/1.1\r\n\r\n", 400},
    {"G~T / HTTP/1.1\r\n\r\n", 405},
    {"GET / HTTQ/1.1\r\n\r\n", 400},
    {"GET / HTTP/1.12\r\n\r\n", 400},
    {"GET / HTTP/1.2\r\n\r\n", 505},
    {"GET /` HTTP/1.1\r\n\r\n", 400},
    {"GET /{ HTTP/1.1\r\n\r\n", 400},
    {"GET /@ HTTP/1.1\r\n\r\n", 400},
    {"GET /[ HTTP/1.1\r\n\r\n", 400},
    {"GET /: HTTP/1.1\r\n\r\n", 400},
    {"GET /+ HTTP/1.1\r\n\r\n", 400},
    {"GET /?\x7f HTTP/1.1\r\n\r\n", 400},
    {"GET /?\x1f HTTP/1.1\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: \x7f\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nX: \x7f\r\nHos: y\r\nHostt: z\r\n\r\n", 0},
    {"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: b\r\nUpgrade: c\r\n\r\n", 0},
};

static void requests_are_judged(void **state) {
    (void)state;
    struct text found = {0};
    for (size_t i = 0; i < sizeof request_cases / sizeof request_cases[0]; i++) {
        struct http_request r;
        const struct request_case *c = &request_cases[i];
        const enum http_step step = http_read(c->text, strlen(c->text), &r);
        if (step != (c->status == 0 ? HTTP_READY : HTTP_BAD) || r.status != c->status)
            fail_msg("case %zu: step %d, status %d; expected %d", i, (int)step, r.status, c->status);
        text_add(&found, "case %zu: status %d", i, r.status);
        if (c->status == 0)
            text_add(&found, ", %zu bytes, %s '%s', query '%s', host '%s', key '%s', version %d%s", r.size,
                     r.is_head ? "HEAD" : "GET", r.path, r.query, r.host, r.websocket_key,
                     r.websocket_version, r.wants_websocket ? ", wants a WebSocket" : "");
        text_add(&found, "\n");
    }
    static const int statuses[] = {200, 400, 404, 405, 414, 426, 431, 503, 505};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        http_write_error(statuses[i], NULL, &found);
    expected_compare("http.txt", &found);
    text_done(&found);
}

static void requests_have_a_size(void **state) {
    (void)state;
    static char big[HTTP_HEAD_MAX + 100];
    struct http_request r;
    memset(big, 'x', sizeof big);
    assert_int_equal(http_read(big, HTTP_HEAD_MAX - 1, &r), HTTP_MORE);
    assert_int_equal(http_read(big, HTTP_HEAD_MAX, &r), HTTP_BAD);
    assert_int_equal(r.status, 414);
    memcpy(big, "GET / HTTP/1.1\r\nx:", 18);
    assert_int_equal(http_read(big, HTTP_HEAD_MAX, &r), HTTP_BAD);
    assert_int_equal(r.status, 431);
    memcpy(big + HTTP_HEAD_MAX - 4, "\r\n\r\n", 4);
    assert_int_equal(http_read(big, HTTP_HEAD_MAX, &r), HTTP_READY);

    char line[2 * HTTP_PATH_MAX];
    for (int length = HTTP_PATH_MAX - 2; length <= HTTP_PATH_MAX; length++) { /* with the slash */
        snprintf(line, sizeof line, "GET /%0*d HTTP/1.1\r\n\r\n", length - 1, 0);
        const bool fits = length < HTTP_PATH_MAX;
        assert_int_equal(http_read(line, strlen(line), &r), fits ? HTTP_READY : HTTP_BAD);
        assert_int_equal(r.status, fits ? 0 : 414);
        snprintf(line, sizeof line, "GET /?%0*d HTTP/1.1\r\n\r\n", length, 0);
        assert_int_equal(http_read(line, strlen(line), &r), fits ? HTTP_READY : HTTP_BAD);
        snprintf(line, sizeof line, "GET / HTTP/1.1\r\nHost: %0*d\r\n\r\n", length, 0);
        assert_int_equal(http_read(line, strlen(line), &r), fits ? HTTP_READY : HTTP_BAD);
        assert_int_equal(r.status, fits ? 0 : 431);
    }
}

static void queries_are_found_by_name(void **state) {
    (void)state;
    static const char text[] = "GET /x?table=12&b=&tab=3 HTTP/1.1\r\n\r\n";
    struct http_request r;
    char out[8];
    assert_int_equal(http_read(text, strlen(text), &r), HTTP_READY);
    assert_string_equal(r.path, "/x");
    assert_true(http_query(&r, "table", out, sizeof out));
    assert_string_equal(out, "12");
    assert_true(http_query(&r, "tab", out, sizeof out));
    assert_string_equal(out, "3");
    assert_true(http_query(&r, "b", out, sizeof out));
    assert_string_equal(out, "");
    assert_false(http_query(&r, "able", out, sizeof out));
    assert_false(http_query(&r, "t", out, sizeof out));
    assert_false(http_query(&r, "bb", out, sizeof out));
    assert_true(http_query(&r, "table", out, 3));
    static const char ends[] = "GET /x?a&b=1& HTTP/1.1\r\n\r\n";
    struct http_request other;
    assert_int_equal(http_read(ends, strlen(ends), &other), HTTP_READY);
    assert_true(http_query(&other, "b", out, sizeof out));
    assert_string_equal(out, "1");
    assert_false(http_query(&other, "a", out, sizeof out));
    assert_false(http_query(&other, "c", out, sizeof out));
    assert_false(http_query(&r, "table", out, 2));
}

static int shake(const char *headers, struct text *out) {
    struct http_request r;
    char text[1024];
    text_clear(out);
    snprintf(text, sizeof text, "GET /ws/geister HTTP/1.1\r\n%s\r\n", headers);
    assert_int_equal(http_read(text, strlen(text), &r), HTTP_READY);
    return websocket_handshake(&r, out);
}

#define KEY  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define HOST "Host: example.com\r\n"

static void handshakes_are_judged(void **state) {
    (void)state;
    struct text out = {0};
    /* Section 1.3 of the RFC; lists of words and any case. */
    assert_int_equal(shake(HOST "upgrade: WebSocket\r\nconnection: keep-alive, upgrade\r\n" KEY
                                "sec-websocket-version: 13\r\n",
                           &out),
                     101);
    assert_non_null(strstr(text_string(&out), "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
    assert_int_equal(shake(HOST, &out), 426);
    assert_non_null(strstr(text_string(&out), "Sec-WebSocket-Version: 13\r\n"));
    assert_int_equal(
        shake(HOST "Upgrade: websocket\r\nConnection: Upgrade\r\n" KEY "Sec-WebSocket-Version: 8\r\n", &out),
        426);
    assert_int_equal(
        shake(HOST "Upgrade: websocket\r\nConnection: close\r\n" KEY "Sec-WebSocket-Version: 13\r\n", &out),
        426);
    assert_int_equal(shake(HOST "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\n",
                           &out),
                     400);
    assert_int_equal(
        shake("Upgrade: websocket\r\nConnection: Upgrade\r\n" KEY "Sec-WebSocket-Version: 13\r\n", &out),
        400);
    static const char head[] =
        "HEAD /ws/geister HTTP/1.1\r\n" HOST "Upgrade: websocket\r\nConnection: Upgrade\r\n" KEY
        "Sec-WebSocket-Version: 13\r\n\r\n";
    struct http_request r;
    assert_int_equal(http_read(head, strlen(head), &r), HTTP_READY);
    assert_int_equal(websocket_handshake(&r, &out), 405);
    text_done(&out);
}

static void answers_have_their_length(void **state) {
    (void)state;
    struct text out = {0};
    struct http_request head = {.is_head = true};
    http_write_error(404, NULL, &out);
    const char *body = strstr(text_string(&out), "\r\n\r\n");
    char length[64];
    assert_non_null(body);
    snprintf(length, sizeof length, "Content-Length: %zu\r\n", strlen(body + 4));
    assert_non_null(strstr(text_string(&out), length));
    assert_memory_equal(text_string(&out), "HTTP/1.1 404 Not Found\r\n", 24);
    text_clear(&out);
    http_write_error(404, &head, &out);
    assert_non_null(strstr(text_string(&out), length));
    assert_string_equal(strstr(text_string(&out), "\r\n\r\n"), "\r\n\r\n");
    text_done(&out);
}

/* ---- frames ---- */

static void frames_are_the_official_servers(void **state) {
    (void)state;
    static const char board[] = "MV0:14R24B34B44R15R25B35B45R41b31r21r11b40b30r20r10b";
    static char big[70000];
    struct text out = {0};
    websocket_write_text("null", 4, &out);
    assert_int_equal(out.size, 6);
    assert_memory_equal(out.data, "\x81\x04null", 6);
    text_clear(&out);
    websocket_write_text(board, strlen(board), &out);
    assert_int_equal(out.size, 54);
    assert_memory_equal(out.data, "\x81\x34", 2);
    assert_memory_equal(out.data + 2, board, 52);
    text_clear(&out);
    websocket_write_text(big, 126, &out);
    assert_int_equal(out.size, 130);
    assert_memory_equal(out.data, "\x81\x7e\x00\x7e", 4);
    text_clear(&out);
    websocket_write_text(big, 125, &out);
    assert_int_equal(out.size, 127);
    assert_memory_equal(out.data, "\x81\x7d", 2);
    text_clear(&out);
    websocket_write_text(big, 0xFFFF, &out);
    assert_int_equal(out.size, 4 + 0xFFFF);
    assert_memory_equal(out.data, "\x81\x7e\xff\xff", 4);
    text_clear(&out);
    websocket_write_text(big, 0x10000, &out);
    assert_int_equal(out.size, 10 + 0x10000);
    assert_memory_equal(out.data, "\x81\x7f\0\0\0\0\0\x01\0\0", 10);
    text_clear(&out);
    websocket_write_text(big, sizeof big, &out);
    assert_int_equal(out.size, 10 + sizeof big);
    assert_memory_equal(out.data, "\x81\x7f\0\0\0\0\0\x01\x11\x70", 10);
    text_clear(&out);
    websocket_write_close(WEBSOCKET_CODE_TOO_BIG, &out);
    assert_int_equal(out.size, 4);
    assert_memory_equal(out.data, "\x88\x02\x03\xf1", 4);
    text_done(&out);
}

struct frame_case {
    const char *bytes;
    size_t size;
    enum websocket_step step; /* of the last frame in it */
    const char *answer;
    size_t answer_size;
};

#define BYTES(s) s, sizeof s - 1

static const struct frame_case frame_cases[] = {
    /* RFC 6455, section 5.7: "Hello" masked; and a ping of it */
    {BYTES("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"), WEBSOCKET_TAKEN, BYTES("")},
    {BYTES("\x89\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"), WEBSOCKET_TAKEN, BYTES("\x8a\x05Hello")},
    {BYTES("\x89\x80\1\2\3\4\x89\x81\1\2\3\4y"), WEBSOCKET_TAKEN, BYTES("\x8a\x00\x8a\x01x")},
    {BYTES("\x8a\x80\1\2\3\4"), WEBSOCKET_TAKEN, BYTES("")},
    /* fragments, with a ping between them */
    {BYTES("\x01\x80\1\2\3\4\x89\x80\1\2\3\4\x80\x80\1\2\3\4\x82\x80\1\2\3\4"), WEBSOCKET_TAKEN,
     BYTES("\x8a\x00")},
    {BYTES("\x80\x80\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x01\x80\1\2\3\4\x81\x80\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    /* close: with nothing, with 1000, with a code that may not be sent, with half a code */
    {BYTES("\x88\x80\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x00")},
    {BYTES("\x88\x82\0\0\0\0\x03\xe8"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xe8")},
    {BYTES("\x88\x82\0\0\0\0\x03\xee"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x88\x81\0\0\0\0\x03"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    /* not masked, reserved bits, reserved opcodes, a long ping, a ping in fragments */
    {BYTES("\x81\x05Hello"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\xc1\x80\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x83\x80\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x8b\x80\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x89\xfe\x00\x7e\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x09\x80\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    /* lengths: not the shortest, too long, absurd; all are seen before the payload comes */
    {BYTES("\x81\xfe\x00\x7d\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x81\xfe\x04\x01\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xf1")},
    {BYTES("\x81\xff\0\0\0\0\0\1\0\0\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xf1")},
    {BYTES("\x81\xff\xff\0\0\0\0\1\0\0\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x81\xfe\x04\x00\1\2\3\4"), WEBSOCKET_MORE, BYTES("")},
    {BYTES("\x81\xfe\x00\x7e\1\2\3\4"), WEBSOCKET_MORE, BYTES("")},
    {BYTES("\x89\xfd\1\2\3\4"), WEBSOCKET_MORE, BYTES("")},
    {BYTES("\x81\xff\0\0\0\0\0\0\xff\xff\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x81\xff\x7f\0\0\0\0\1\0\0\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xf1")},
    /* what can be refused after two bytes is; what cannot, waits for the mask */
    {BYTES("\x81"), WEBSOCKET_MORE, BYTES("")},
    {BYTES("\x81\x05"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x91\x80"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\xa1\x80"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x8f\x80"), WEBSOCKET_MORE, BYTES("")},
    {BYTES("\x87\x80\1\2\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x02\x80\1\2\3\4\x00\x80\1\2\3\4\x80\x80\1\2\3\4\x80\x80\1\2\3\4"), WEBSOCKET_CLOSED,
     BYTES("\x88\x02\x03\xea")},
    /* close codes at the ends of what is allowed */
    {BYTES("\x88\x82\0\0\0\0\x03\xe7"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x88\x82\0\0\0\0\x03\xeb"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xeb")},
    {BYTES("\x88\x82\0\0\0\0\x03\xec"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x88\x82\0\0\0\0\x03\xed"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x88\x82\0\0\0\0\x03\xef"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xef")},
    {BYTES("\x88\x82\0\0\0\0\x03\xf6"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xf6")},
    {BYTES("\x88\x82\0\0\0\0\x03\xf7"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x88\x82\0\0\0\0\x0b\xb7"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x88\x82\0\0\0\0\x0b\xb8"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x0b\xb8")},
    {BYTES("\x88\x82\0\0\0\0\x13\x87"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x13\x87")},
    {BYTES("\x88\x82\0\0\0\0\x13\x88"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xea")},
    {BYTES("\x88\x84\1\2\3\4\x02\xea\3\4"), WEBSOCKET_CLOSED, BYTES("\x88\x02\x03\xe8")},
};

static void frames_are_judged(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof frame_cases / sizeof frame_cases[0]; i++) {
        const struct frame_case *c = &frame_cases[i];
        struct websocket_reader reader = {0};
        struct text answer = {0};
        char bytes[64];
        enum websocket_step step = WEBSOCKET_TAKEN;
        memcpy(bytes, c->bytes, c->size);
        for (size_t at = 0, taken = 0; at < c->size && step == WEBSOCKET_TAKEN; at += taken)
            step = websocket_read(&reader, bytes + at, c->size - at, &taken, &answer);
        if (step != c->step || answer.size != c->answer_size ||
            (c->answer_size > 0 && memcmp(answer.data, c->answer, c->answer_size) != 0))
            fail_msg("case %zu: step %d, answer of %zu bytes", i, (int)step, answer.size);
        text_done(&answer);
    }
}

static void frames_may_come_in_pieces(void **state) {
    (void)state;
    static const char ping[] = "\x89\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58";
    for (size_t size = 0; size < sizeof ping - 1; size++) {
        struct websocket_reader reader = {0};
        struct text answer = {0};
        char bytes[sizeof ping];
        size_t taken = 99;
        memcpy(bytes, ping, sizeof ping);
        assert_int_equal(websocket_read(&reader, bytes, size, &taken, &answer), WEBSOCKET_MORE);
        assert_int_equal(taken, 0);
        assert_int_equal(answer.size, 0);
        assert_memory_equal(bytes, ping, sizeof ping);
    }
}

/* A message in fragments has the size of one that is not. */
static void messages_have_a_size(void **state) {
    (void)state;
    static char bytes[WEBSOCKET_FRAME_MAX + 14];
    struct websocket_reader reader = {0};
    struct text answer = {0};
    size_t taken;
    memcpy(bytes, "\x01\xfe\x04\x00\1\2\3\4", 8);
    assert_int_equal(websocket_read(&reader, bytes, sizeof bytes, &taken, &answer), WEBSOCKET_TAKEN);
    assert_int_equal(taken, WEBSOCKET_FRAME_MAX + 8);
    char more[] = "\x80\x80\1\2\3\4";
    assert_int_equal(websocket_read(&reader, more, 6, &taken, &answer), WEBSOCKET_TAKEN);
    memcpy(bytes, "\x01\xfe\x04\x00\1\2\3\4", 8);
    assert_int_equal(websocket_read(&reader, bytes, sizeof bytes, &taken, &answer), WEBSOCKET_TAKEN);
    char one[] = "\x80\x81\1\2\3\4x";
    assert_int_equal(websocket_read(&reader, one, 7, &taken, &answer), WEBSOCKET_CLOSED);
    assert_memory_equal(answer.data, "\x88\x02\x03\xf1", 4);
    text_done(&answer);
}

/* ---- the page ---- */

/* It connects to its own server only: the only addresses in it are an SVG namespace and the ones it builds
 * itself. */
static void the_page_stands_alone(void **state) {
    (void)state;
    static const char svg[] = "http://www.w3.org/2000/svg";
    int addresses = 0;
    assert_int_equal(strlen(geister_viewer_page), geister_viewer_page_size);
    for (const char *at = geister_viewer_page; (at = strstr(at, "://")) != NULL; at++) {
        const bool is_own = at[3] == '\'';
        const bool is_svg = at - geister_viewer_page > 4 && strncmp(at - 4, svg, sizeof svg - 1) == 0;
        assert_true(is_own || is_svg);
        addresses += is_svg;
    }
    assert_int_equal(addresses, 1);
    assert_null(strstr(geister_viewer_page, " src="));
    assert_non_null(strstr(geister_viewer_page, "default-src 'none'"));
    assert_memory_equal(geister_viewer_page + geister_viewer_page_size - 8, "</html>\n", 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha1_matches_published_vectors),
        cmocka_unit_test(base64_matches_published_vectors),
        cmocka_unit_test(a_request_may_come_in_pieces),
        cmocka_unit_test(the_handshake_is_the_official_servers),
        cmocka_unit_test(requests_are_judged),
        cmocka_unit_test(requests_have_a_size),
        cmocka_unit_test(queries_are_found_by_name),
        cmocka_unit_test(handshakes_are_judged),
        cmocka_unit_test(answers_have_their_length),
        cmocka_unit_test(frames_are_the_official_servers),
        cmocka_unit_test(frames_are_judged),
        cmocka_unit_test(frames_may_come_in_pieces),
        cmocka_unit_test(messages_have_a_size),
        cmocka_unit_test(the_page_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
