/* SPDX-License-Identifier: MIT
 *
 * The web server over real sockets: what it refuses, bodies, connections. Files are in web_files_test.c,
 * streams in web_stream_test.c.
 */
#include "net/web.c" /* some tests read limits as numbers */
#include "tests/expected_support.h"
#include "tests/web_support.h"

#include <arpa/inet.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <cmocka.h>

#define HOST "Host: localhost\r\n"

/* ---- refusals ---- */

struct refusal_case {
    int status;
    const char *request, *headers, *body;
};

static const struct refusal_case refusals[] = {
    {200, "GET /api/echo", HOST, ""},
    {200, "GET /", HOST, ""},
    {200, "HEAD /", HOST, ""},
    /* names and origins */
    {403, "GET /api/echo", "Host: evil.example\r\n", ""},
    {403, "GET /", "Host: evil.example\r\n", ""},
    {403, "GET /", "Host: localhost.evil.example\r\n", ""},
    {403, "GET /", "Host: localhost:1\r\n", ""},
    {403, "GET /", "Host: 127.0.0.2\r\n", ""},
    {403, "GET /", "Host: \r\n", ""},
    {400, "GET /", "Host: localhost\r\nHost: evil.example\r\n", ""},
    {200, "GET /", "Host: 127.0.0.1\r\n", ""},
    {200, "GET /", "Host: [::1]\r\n", ""},
    {200, "GET /", "Host: LOCALHOST\r\n", ""},
    {200, "GET /", "Host: event.example.org\r\n", ""},
    {200, "GET /", "Host: tunnel.example.org:9000\r\n", ""},
    {403, "GET /", "Host: tunnel.example.org\r\n", ""},
    {403, "GET /api/echo", HOST "Origin: http://evil.example\r\n", ""},
    {403, "GET /", HOST "Origin: http://evil.example\r\n", ""},
    {403, "GET /api/echo", HOST "Origin: null\r\n", ""},
    {403, "GET /api/echo", HOST "Origin: http://localhost:81\r\n", ""},
    {403, "GET /api/echo", HOST "Origin: http://127.0.0.1\r\n", ""},
    {200, "GET /api/echo", HOST "Origin: http://localhost\r\n", ""},
    {403, "GET /api/echo", HOST "Sec-Fetch-Site: cross-site\r\n", ""},
    {403, "GET /api/echo", HOST "Sec-Fetch-Site: same-site\r\n", ""},
    {200, "GET /api/echo", HOST "Sec-Fetch-Site: same-origin\r\n", ""},
    {200, "GET /api/echo", HOST "Sec-Fetch-Site: none\r\n", ""},
    {200, "GET /", HOST "Sec-Fetch-Site: cross-site\r\n", ""}, /* a link on another page leads here */
    /* paths */
    {400, "GET /../etc/passwd", HOST, ""},
    {400, "GET /assets/../../etc/passwd", HOST, ""},
    {400, "GET /%2e%2e/etc/passwd", HOST, ""},
    {400, "GET /%2e%2e%2fetc/passwd", HOST, ""},
    {400, "GET /..%5cetc", HOST, ""},
    {400, "GET //etc/passwd", HOST, ""},
    {400, "GET /a%00b", HOST, ""},
    {400, "GET /api/echo%0a", HOST, ""},
    {400, "GET /%zz", HOST, ""},
    {400, "GET /%4", HOST, ""},
    {400, "GET /%ff%fe", HOST, ""},
    {400, "GET /%c0%ae%c0%ae/", HOST, ""},
    {400, "GET http://localhost/", HOST, ""},
    {400, "GET /api/echo?a=1&a=2", HOST, ""},
    {400, "GET /api/echo?a=%00", HOST, ""},
    {404, "GET /etc/passwd", HOST, ""},
    {404, "GET /assets", HOST, ""},
    {404, "GET /api/unknown", HOST, ""},
    {404, "GET /apiecho", HOST, ""},
    {404, "GET /api", HOST, ""},
    {400, "GET /api/", HOST, ""},
    {200, "GET /api/echo?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8", HOST, ""},
    {400, "GET /api/echo?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9", HOST, ""},
    {200, "GET /api/status?is=200", HOST, ""},
    {500, "GET /api/status?is=199", HOST, ""},
    {599, "GET /api/status?is=599", HOST, ""},
    {500, "GET /api/status?is=600", HOST, ""},
    {200, "GET /api/file", HOST, ""},
    {200, "GET /assets/a-1.js", HOST, ""},
    {200, "GET /index.html", HOST, ""},
    {304, "GET /assets/a-1.js", HOST "If-None-Match: \"s1\"\r\n", ""},
    {304, "GET /", HOST "If-None-Match: \"i1\"\r\n", ""},
    /* methods */
    {405, "POST /", HOST, ""},
    {405, "DELETE /index.html", HOST, ""},
    {405, "OPTIONS /api/echo", HOST, ""},
    {405, "HEAD /api/echo", HOST, ""},
    {405, "TRACE /", HOST, ""},
    {405, "PATCH /api/echo", HOST, ""},
    {405, "GET /api/only-get", HOST, ""},
    {204, "DELETE /api/nothing", HOST, ""},
    /* bodies */
    {200, "POST /api/echo", HOST "Content-Type: application/json\r\nContent-Length: 2\r\n", "{}"},
    {200, "PUT /api/echo", HOST "Content-Type: Application/JSON; charset=utf-8\r\nContent-Length: 2\r\n",
     "{}"},
    {200, "POST /api/echo", HOST "Content-Length: 0\r\n", ""},
    {200, "DELETE /api/echo", HOST, ""},
    {200, "PUT /api/echo", HOST "Content-Type: application/json\r\n", ""},
    {200, "POST /api/echo", HOST "Content-Type: application/json ;x\r\nContent-Length: 2\r\n", "{}"},
    {200, "POST /api/echo", HOST "Content-Type: application/json\r\nTransfer-Encoding: Chunked\r\n",
     "2\r\n{}\r\n0\r\n\r\n"},
    {415, "POST /api/echo", HOST "Content-Type: text/plain\r\nContent-Length: 0\r\n", ""},
    {415, "POST /api/echo", HOST "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"},
    {415, "POST /api/echo", HOST "Content-Length: 2\r\n", "{}"},
    {415, "POST /api/echo", HOST "Content-Type: text/plain\r\nContent-Length: 2\r\n", "{}"},
    {415, "POST /api/echo", HOST "Content-Type: application/jsonx\r\nContent-Length: 2\r\n", "{}"},
    {415, "POST /api/echo",
     HOST "Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n", "{}"},
    {413, "POST /api/echo",
     HOST "Content-Type: application/json\r\nContent-Length: 4194305\r\nExpect: 100-continue\r\n", ""},
    {413, "POST /api/echo", HOST "Content-Type: application/json\r\nContent-Length: 99999999999\r\n", ""},
    {413, "POST /api/echo", HOST "Content-Type: application/json\r\nContent-Length: 16777217\r\n", ""},
    /* bodies without a defined end */
    {400, "POST /api/echo", HOST "Content-Type: application/json\r\nTransfer-Encoding: gzip\r\n", "{}"},
    {400, "POST /api/echo",
     HOST "Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n",
     "2\r\n{}\r\n0\r\n\r\n"},
    {500, "GET /api/forgets", HOST, ""},
};

/* One header a line, sorted; those of libmicrohttpd itself, and those of every answer of ours, are left out.
 */
static void write_head(const struct web_reply *reply, struct text *out) {
    static const char *const omitted[] = {"HTTP/1",
                                          "Date:",
                                          "Connection:",
                                          "Transfer-Encoding:",
                                          "X-Content-Type-Options: nosniff",
                                          "Referrer-Policy: no-referrer",
                                          "Cross-Origin-Resource-Policy: same-origin",
                                          "Cross-Origin-Opener-Policy: same-origin"};
    const char *lines[40];
    int count = 0;
    for (const char *at = text_string(&reply->head); *at != '\0' && *at != '\r'; at = strchr(at, '\n') + 1) {
        bool is_omitted = false;
        for (size_t i = 0; i < sizeof omitted / sizeof omitted[0]; i++)
            is_omitted = is_omitted || strncmp(at, omitted[i], strlen(omitted[i])) == 0;
        assert_in_range(count, 0, 39);
        int place = is_omitted ? -1 : count++;
        for (; place > 0 && strcmp(lines[place - 1], at) > 0; place--)
            lines[place] = lines[place - 1];
        if (place >= 0)
            lines[place] = at;
    }
    for (int i = 0; i < count; i++)
        text_add(out, "    %.*s\n", (int)strcspn(lines[i], "\r"), lines[i]);
}

static void write_body(const struct web_reply *reply, struct text *out) {
    const char *body = text_string(&reply->body);
    if (*body != '\0')
        text_add(out, "    %.*s\n", (int)strcspn(body, "\n"), body);
}

/* The whole answer to a request: its status is returned, the rest is added to `out`. */
static int note_reply(int port, const struct refusal_case *c, struct text *out) {
    struct web_client client;
    struct web_reply reply;
    web_client_open(&client, port);
    web_client_send_text(&client, "%s HTTP/1.1\r\n%s\r\n%s", c->request, c->headers, c->body);
    const bool came = web_client_reply(&client, strncmp(c->request, "HEAD", 4) == 0, &reply);
    assert_true(came);
    text_add(out, "%s", c->request);
    for (const char *at = c->headers; *at != '\0'; at += strcspn(at, "\r") + 2)
        text_add(out, ", %.*s", (int)strcspn(at, "\r"), at);
    text_add(out, "\n  %d\n", reply.status);
    write_head(&reply, out);
    write_body(&reply, out);
    const int status = reply.status;
    web_reply_done(&reply);
    web_client_close(&client);
    return status;
}

static void every_request_gets_its_answer(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {.hosts = {"event.example.org", "tunnel.example.org:9000"}};
    struct web *web = web_test_open(&setup, &bench);
    struct text found = {0};
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal_case *c = &refusals[i];
        const int status = note_reply(web_port(web), c, &found);
        if (status != c->status)
            fail_msg("%s, %s: %d and not %d", c->request, c->headers, status, c->status);
    }
    web_close(web);
    expected_compare("web.txt", &found);
    text_done(&found);
}

static void our_own_port_may_stand_in_names(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    char headers[256];
    const int port = web_port(web);
    snprintf(headers, sizeof headers, "Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n", port, port);
    assert_int_equal(web_status(port, "GET /api/echo", headers, ""), 200);
    snprintf(headers, sizeof headers, "Host: [::1]:%d\r\n", port);
    assert_int_equal(web_status(port, "GET /api/echo", headers, ""), 200);
    snprintf(headers, sizeof headers, "Host: localhost:%d\r\nOrigin: http://localhost\r\n", port);
    assert_int_equal(web_status(port, "GET /api/echo", headers, ""), 403);
    snprintf(headers, sizeof headers, "Host: localhost:%d0\r\n", port);
    assert_int_equal(web_status(port, "GET /api/echo", headers, ""), 403);
    web_close(web);
}

/* When the head is refused no handler is called. */
static void refused_requests_do_not_reach_the_handler(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {.token = "a-token-of-ours"};
    struct web *web = web_test_open(&setup, &bench);
    const int port = web_port(web);
    assert_int_equal(web_status(port, "GET /api/echo", "Host: evil\r\n", ""), 403);
    assert_int_equal(web_status(port, "GET /api/echo", HOST "Origin: http://evil\r\n", ""), 403);
    assert_int_equal(web_status(port, "GET /api/echo", HOST, ""), 401);
    assert_int_equal(web_status(port, "POST /api/echo", HOST "Content-Length: 2\r\n", "{}"), 401);
    web_close(web);
    assert_int_equal(bench.asked, 0);
}

static void refusals_give_the_reason_and_the_range(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_reply reply;
    web_get(web_port(web), "/api/only-get", "", &reply);
    assert_true(web_reply_has(&reply, "Allow: GET, DELETE"));
    assert_true(web_reply_has(&reply, "Content-Type: application/json"));
    assert_string_equal(text_string(&reply.body), "{\"error\":\"only GET\"}");
    web_reply_done(&reply);
    web_get(web_port(web), "/%2e%2e/x", "", &reply);
    assert_true(web_reply_has(&reply, "Content-Type: text/plain; charset=utf-8"));
    assert_non_null(strstr(text_string(&reply.body), "'..'"));
    web_reply_done(&reply);
    web_close(web);
}

/* ---- the token ---- */

static void a_token_comes_in_a_header_a_cookie_or_once_in_the_address(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {.token = "right-token"};
    struct web *web = web_test_open(&setup, &bench);
    const int port = web_port(web);
    char cookie[128], headers[256];
    struct web_reply reply;
    snprintf(cookie, sizeof cookie, "Set-Cookie: senjutsu-%d=right-token; Path=/; HttpOnly; SameSite=Strict",
             port);
    assert_int_equal(web_get(port, "/", "", &reply), 401);
    assert_true(web_reply_has(&reply, "WWW-Authenticate: Bearer"));
    assert_string_equal(
        text_string(&reply.body),
        "a token is needed: open the address with ?token= that 'senjutsu serve' has printed, or send "
        "'Authorization: Bearer TOKEN'\n");
    web_reply_done(&reply);
    assert_int_equal(web_status(port, "GET /assets/a-1.js", HOST, ""), 401);
    assert_int_equal(web_status(port, "GET /?token=wrong-token", HOST, ""), 401);
    assert_int_equal(web_status(port, "GET /?token=right-toke", HOST, ""), 401);
    assert_int_equal(web_status(port, "GET /?token=right-tokenright-token", HOST, ""), 401);
    assert_int_equal(web_status(port, "GET /?token=", HOST, ""), 401);
    assert_int_equal(web_status(port, "GET /api/echo?token=right-token", HOST, ""), 401);
    assert_int_equal(web_get(port, "/?token=right-token", "", &reply), 200);
    assert_true(web_reply_has(&reply, cookie));
    assert_true(web_reply_has(&reply, "Cache-Control: no-store"));
    assert_true(web_reply_has(&reply, "Content-Type: text/html; charset=utf-8"));
    assert_string_equal(
        text_string(&reply.body),
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" "
        "content=\"0;url=/\">\n<title>senjutsu</title>\n<p><a href=\"/\">senjutsu</a></p>\n</html>\n");
    web_reply_done(&reply);
    assert_int_equal(web_get(port, "/index.html?token=right-token", "", &reply), 401);
    web_reply_done(&reply);
    assert_int_equal(web_get(port, "/?token=right-token", "Authorization: Bearer right-token\r\n", &reply),
                     200);
    assert_true(web_reply_has(&reply, cookie));
    web_reply_done(&reply);
    snprintf(headers, sizeof headers, HOST "Cookie: a=b; senjutsu-%d=right-token\r\n", port);
    assert_int_equal(web_status(port, "GET /api/echo", headers, ""), 200);
    assert_int_equal(web_status(port, "GET /", headers, ""), 200);
    snprintf(headers, sizeof headers, HOST "Cookie: senjutsu-%d=wrong\r\n", port);
    assert_int_equal(web_status(port, "GET /api/echo", headers, ""), 401);
    assert_int_equal(web_status(port, "GET /api/echo", HOST "Authorization: Bearer right-token\r\n", ""),
                     200);
    assert_int_equal(web_status(port, "GET /api/echo", HOST "Authorization: Bearer wrong\r\n", ""), 401);
    assert_int_equal(web_status(port, "GET /api/echo", HOST "Authorization: Basic right-token\r\n", ""), 401);
    web_close(web);
}

/* ---- opening ---- */

static void a_failed_opening_is_reported(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct err e;
    struct web_setup second = setup;
    second.port = web_port(web);
    char expected[32];
    snprintf(expected, sizeof expected, "port %d ", second.port);
    assert_null(web_open(&second, &e));
    assert_ptr_equal(strstr(e.text, expected), e.text);
    assert_non_null(strstr(e.text, "--port"));
    web_close(web);
    struct web_setup wrong = setup;
    wrong.bind = "300.1.1.1";
    assert_null(web_open(&wrong, &e));
    assert_non_null(strstr(e.text, "300.1.1.1"));
    wrong = setup;
    wrong.folder = "/nowhere/at/all";
    assert_null(web_open(&wrong, &e));
    assert_non_null(strstr(e.text, "/nowhere/at/all"));
    wrong = setup;
    wrong.bind = "192.0.2.1"; /* reserved for examples, so of no machine */
    assert_null(web_open(&wrong, &e));
    assert_string_equal(e.text, "192.0.2.1, port 0: Cannot assign requested address");
    wrong = setup;
    wrong.origins[0] = "ftp://x";
    assert_null(web_open(&wrong, &e));
    assert_string_equal(e.text, "'ftp://x' is no origin; expected https://NAME or https://NAME:PORT");
    wrong = setup;
    char token[WEB_TOKEN_MAX + 2] = "";
    memset(token, 'a', WEB_TOKEN_MAX + 1);
    wrong.token = token;
    assert_null(web_open(&wrong, &e));
    assert_string_equal(e.text, "a token has at most 128 characters");
    wrong.token = token + 1;
    web = web_open(&wrong, &e);
    assert_non_null(web);
    web_close(web);
    wrong = setup;
    wrong.hosts[0] = "two words";
    assert_null(web_open(&wrong, &e));
    assert_non_null(strstr(e.text, "two words"));
    web_close(NULL);
}

/* ---- bodies and connections ---- */

static void a_body_arrives_whole_however_it_is_sent(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    struct web_reply reply;
    web_client_open(&client, web_port(web));
    web_client_send_text(&client,
                         "POST /api/echo?x=a%%20b+c&y HTTP/1.1\r\n" HOST "Content-Type: application/json\r\n"
                         "Transfer-Encoding: chunked\r\nLast-Event-ID: 77\r\n\r\n5\r\n");
    for (const char *c = "{\"a\"}"; *c != '\0'; c++)
        web_client_send(&client, c, 1);
    web_client_send_text(&client, "\r\n3\r\nabc\r\n0\r\n\r\n");
    assert_true(web_client_reply(&client, false, &reply));
    assert_string_equal(text_string(&reply.body),
                        "{\"method\":1,\"path\":\"/api/echo\",\"size\":8,\"last\":77,"
                        "\"query\":{\"x\":\"a b c\",\"y\":\"\"},\"body\":true}");
    web_reply_done(&reply);
    web_client_close(&client);
    web_close(web);
}

enum { BLOCK = 0x10000 };

static void send_block(struct web_client *client) {
    static char block[BLOCK];
    memset(block, ' ', sizeof block);
    web_client_send(client, block, sizeof block);
}

/* A body of that many blocks, each a chunk; its end is not sent. */
static void send_in_chunks(struct web_client *client, int blocks) {
    web_client_send_text(client, "POST /api/echo HTTP/1.1\r\n" HOST "Content-Type: application/json\r\n"
                                 "Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < blocks; i++) {
        web_client_send_text(client, "%x\r\n", BLOCK);
        send_block(client);
        web_client_send_text(client, "\r\n");
    }
}

static void a_body_without_announced_size_has_the_same_limit(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    for (int blocks = MESSAGE_BODY_MAX / BLOCK; blocks <= MESSAGE_BODY_MAX / BLOCK + 1; blocks++) {
        struct web_client client;
        struct web_reply reply;
        web_client_open(&client, web_port(web));
        send_in_chunks(&client, blocks);
        web_client_send_text(&client, "0\r\n\r\n");
        assert_true(web_client_reply(&client, false, &reply));
        assert_int_equal(reply.status, blocks * BLOCK <= MESSAGE_BODY_MAX ? 200 : 413);
        web_reply_done(&reply);
        web_client_close(&client);
    }
    assert_int_equal(bench.asked, 1);
    web_close(web);
}

/* A client that sends its whole request before it reads gets the answer, and not a broken connection. */
static void a_body_that_is_too_large_is_read_to_its_end(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    const int blocks = BODY_PATIENCE / BLOCK;
    struct web_client client;
    struct web_reply reply;
    web_client_open(&client, web_port(web));
    web_client_send_text(&client,
                         "POST /api/echo HTTP/1.1\r\n" HOST
                         "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n",
                         blocks * BLOCK);
    for (int i = 0; i < blocks; i++)
        send_block(&client);
    assert_true(web_client_reply(&client, false, &reply));
    assert_int_equal(reply.status, 413);
    assert_int_equal(bench.asked, 0);
    web_reply_done(&reply);
    web_client_close(&client);
    web_close(web);
}

/* The status of a small body, repeated until it is that one: other connections close at an unknown time. */
static int await_status(int port, int wanted) {
    int status = 0;
    for (int i = 0; i < 1000 && status != wanted; i++) {
        status = web_status(port, "POST /api/echo",
                            HOST "Content-Type: application/json\r\nContent-Length: 64\r\n",
                            "{                                                              }");
        if (status != wanted)
            poll(NULL, 0, 10);
    }
    return status;
}

static void bodies_that_never_end_do_not_fill_the_memory(void **state) {
    (void)state;
    enum { CLIENTS = 16 };
    static char block[MESSAGE_BODY_MAX - 1];
    memset(block, ' ', sizeof block);
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client clients[CLIENTS];
    assert_int_equal(await_status(web_port(web), 200), 200);
    for (int i = 0; i < CLIENTS; i++) {
        web_client_open(&clients[i], web_port(web));
        web_client_send_text(&clients[i],
                             "POST /api/echo HTTP/1.1\r\n" HOST
                             "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n",
                             MESSAGE_BODY_MAX);
        web_client_send(&clients[i], block, sizeof block);
    }
    assert_int_equal(await_status(web_port(web), 503), 503);
    for (int i = 0; i < CLIENTS; i++)
        web_client_close(&clients[i]);
    assert_int_equal(await_status(web_port(web), 200), 200);
    web_close(web);
}

/* Too much for libmicrohttpd, which then gives up without an answer or a callback: the server refuses such
 * requests earlier. Memory of the request leaks unless it belongs to the connection: sanitizers detect that.
 */
static void expect_turned_away(const struct text *flood, const char *answer) {
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    for (int i = 0; i < 3; i++) {
        struct web_client client;
        struct web_reply reply;
        web_client_open(&client, web_port(web));
        web_client_send_text(&client, "GET /api/echo?");
        web_client_send(&client, text_string(flood), flood->size);
        web_client_send_text(&client, " HTTP/1.1\r\n" HOST "\r\n");
        assert_true(web_client_reply(&client, false, &reply));
        assert_int_equal(reply.status, 400);
        assert_string_equal(text_string(&reply.body), answer);
        assert_true(web_client_has_ended(&client));
        web_reply_done(&reply);
        assert_int_equal(web_status(web_port(web), "GET /api/echo", HOST, ""), 200);
        web_client_close(&client);
    }
    web_close(web);
    assert_int_equal(bench.asked, 3);
}

static void a_flood_of_parameters_leaves_nothing_behind(void **state) {
    (void)state;
    struct text flood = {0};
    for (int i = 0; i < 1000; i++)
        text_add(&flood, "a%d=1&", i);
    expect_turned_away(&flood, "{\"error\":\"more than 8 parameters\"}");
    text_done(&flood);
}

/* Few enough to be counted, but with them the address just fits. */
static void a_flood_of_long_parameters_leaves_nothing_behind(void **state) {
    (void)state;
    struct text flood = {0};
    for (int i = 0; i < 50; i++)
        text_add(&flood, "%sa%d=%0600d", i > 0 ? "&" : "", i, 0);
    expect_turned_away(&flood, "{\"error\":\"the address is longer than 16384 bytes\"}");
    text_done(&flood);
}

static bool is_turned_away(int port, const struct text *target) {
    struct web_client client;
    struct web_reply reply;
    web_client_open(&client, port);
    web_client_send_text(&client, "GET ");
    web_client_send(&client, text_string(target), target->size);
    web_client_send_text(&client, " HTTP/1.1\r\n" HOST "\r\n");
    assert_true(web_client_reply(&client, false, &reply));
    const bool is = !web_reply_has(&reply, "Referrer-Policy: no-referrer");
    assert_int_equal(reply.status, 400);
    web_reply_done(&reply);
    web_client_close(&client);
    return is;
}

/* A smaller excess is refused as well, but with a whole head, for which libmicrohttpd still has memory. */
static void floods_are_large(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct text many = {0}, longest = {0};
    text_add_string(&many, "/api/echo?p0=1");
    for (int i = 1; i < 100; i++)
        text_add(&many, "&p%d=1", i);
    assert_false(is_turned_away(web_port(web), &many));
    text_add_string(&many, "&p100=1");
    assert_true(is_turned_away(web_port(web), &many));
    text_add_string(&longest, "/api/echo?");
    while (longest.size < 16384)
        text_add_string(&longest, longest.size % 1024 == 0 ? "&" : "0");
    assert_false(is_turned_away(web_port(web), &longest));
    text_add_string(&longest, "0");
    assert_true(is_turned_away(web_port(web), &longest));
    text_done(&many);
    text_done(&longest);
    web_close(web);
    assert_int_equal(bench.asked, 0);
}

static void an_endless_body_is_cut_off(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    web_client_open(&client, web_port(web));
    send_in_chunks(&client, 6 * MESSAGE_BODY_MAX / BLOCK);
    assert_true(web_client_has_ended(&client));
    web_client_close(&client);
    assert_int_equal(web_status(web_port(web), "GET /api/echo", HOST, ""), 200);
    web_close(web);
    assert_int_equal(bench.asked, 1);
}

static void requests_in_a_row_are_answered_in_order(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    struct web_reply reply;
    char path[32];
    web_client_open(&client, web_port(web));
    for (int i = 0; i < 20; i++)
        web_client_send_text(&client, "GET /api/echo?n=%d HTTP/1.1\r\n" HOST "\r\n", i);
    for (int i = 0; i < 20; i++) {
        assert_true(web_client_reply(&client, false, &reply));
        snprintf(path, sizeof path, "\"n\":\"%d\"", i);
        assert_non_null(strstr(text_string(&reply.body), path));
        web_reply_done(&reply);
    }
    web_client_close(&client);
    web_close(web);
}

static void a_half_closed_connection_is_answered(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    struct web_reply reply;
    web_client_open(&client, web_port(web));
    web_client_send_text(&client, "GET /api/echo HTTP/1.1\r\n" HOST "\r\n");
    shutdown(client.fd, SHUT_WR);
    assert_true(web_client_reply(&client, false, &reply));
    assert_int_equal(reply.status, 200);
    web_reply_done(&reply);
    web_client_close(&client);
    web_close(web);
}

/* Garbage, silence, half a head: the other clients are served meanwhile, and silence ends. */
static void nonsense_is_harmless(void **state) {
    (void)state;
    static const char *const nonsense[] = {"",
                                           "\r\n\r\n\r\n",
                                           "GET",
                                           "\x16\x03\x01\x02",
                                           "GET / HTTP/9.9\r\n\r\n",
                                           "GET / HTTP/1.1\r\nHost",
                                           ": :\r\n:\r\n\r\n",
                                           "GET /\r\n\r\n"};
    enum { COUNT = sizeof nonsense / sizeof nonsense[0] };
    struct web_bench bench = {0};
    struct web_setup setup = {.limits = {.silence_s = 1}};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client clients[COUNT];
    for (int i = 0; i < COUNT; i++) {
        web_client_open(&clients[i], web_port(web));
        web_client_send(&clients[i], nonsense[i], strlen(nonsense[i]));
    }
    assert_int_equal(web_status(web_port(web), "GET /api/echo", HOST, ""), 200);
    for (int i = 0; i < COUNT; i++) {
        assert_true(web_client_has_ended(&clients[i]));
        web_client_close(&clients[i]);
    }
    web_close(web);
}

static void a_head_that_never_ends_is_refused(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    web_client_open(&client, web_port(web));
    web_client_send_text(&client, "GET / HTTP/1.1\r\n" HOST);
    for (int i = 0; i < 4000; i++)
        web_client_send_text(&client, "X-Header-%d: something\r\n", i);
    struct web_reply reply;
    if (web_client_head(&client, &reply))
        assert_in_range(reply.status, 400, 499);
    web_reply_done(&reply);
    web_client_close(&client);
    assert_int_equal(web_status(web_port(web), "GET /api/echo", HOST, ""), 200);
    web_close(web);
}

static void connections_are_counted(void **state) {
    (void)state;
    enum { MANY = 8 };
    struct web_bench bench = {0};
    struct web_setup setup = {.limits = {.connections = 50, .per_address = MANY}};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client clients[MANY], late;
    struct web_reply reply;
    for (int i = 0; i < MANY; i++) {
        web_client_open(&clients[i], web_port(web));
        web_client_send_text(&clients[i], "GET / HTTP/1.1\r\n" HOST "\r\n");
        assert_true(web_client_reply(&clients[i], false, &reply));
        web_reply_done(&reply);
    }
    web_client_open(&late, web_port(web));
    web_client_send_text(&late, "GET / HTTP/1.1\r\n" HOST "\r\n");
    assert_false(web_client_reply(&late, false, &reply));
    web_reply_done(&reply);
    web_client_close(&late);
    for (int i = 0; i < MANY; i++)
        web_client_close(&clients[i]);
    web_close(web);
}

/* ---- behind a proxy with TLS ---- */

/* Over real sockets: the cookie that each page gets, and the name under which it is read. */
static void encrypted_pages_have_cookies_of_their_own(void **state) {
    (void)state;
    static const struct {
        const char *headers;
        bool is_secure;
    } cases[] = {
        {"Host: tls.example\r\n", true},
        {"Host: bench.example\r\nX-Forwarded-Proto: https\r\n", true},
        {"Host: bench.example\r\n", false},
        {"Host: bench.example\r\nX-Forwarded-Proto: http\r\n", false},
        {"Host: localhost\r\nX-Forwarded-Proto: https\r\n",
         false}, /* the header names it, but the connection is not encrypted */
    };
    struct web_bench bench = {0};
    struct web_setup setup = {
        .token = "right-token", .hosts = {"bench.example"}, .origins = {"https://tls.example"}};
    struct web *web = web_test_open(&setup, &bench);
    const int port = web_port(web);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct web_client client;
        struct web_reply reply = {0};
        char wanted[128], headers[256];
        web_client_open(&client, port);
        web_client_send_text(&client, "GET /?token=right-token HTTP/1.1\r\n%s\r\n", cases[i].headers);
        assert_true(web_client_reply(&client, false, &reply));
        assert_int_equal(reply.status, 200);
        snprintf(wanted, sizeof wanted,
                 "Set-Cookie: %ssenjutsu-%d=right-token; Path=/; HttpOnly; SameSite=Strict%s",
                 cases[i].is_secure ? "__Host-" : "", port, cases[i].is_secure ? "; Secure" : "");
        assert_true(web_reply_has(&reply, wanted));
        web_reply_done(&reply);
        web_client_close(&client);
        for (int secure = 0; secure < 2; secure++) {
            snprintf(headers, sizeof headers, "%sCookie: %ssenjutsu-%d=right-token\r\n", cases[i].headers,
                     secure ? "__Host-" : "", port);
            assert_int_equal(web_status(port, "GET /api/echo", headers, ""),
                             secure == cases[i].is_secure ? 200 : 401);
        }
    }
    web_close(web);
}

static void encrypted_pages_may_ask(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *headers;
    } cases[] = {
        {200, "Host: tls.example\r\nOrigin: https://tls.example\r\nSec-Fetch-Site: same-origin\r\n"},
        {200, "Host: bench.example\r\nOrigin: https://bench.example\r\n"},
        {403, "Host: tls.example\r\nOrigin: http://tls.example\r\n"},
        {403, "Host: tls.example\r\nOrigin: https://tls.example:8443\r\n"},
        {403, "Host: tls.example\r\nOrigin: https://tls.example.evil.example\r\n"},
        {403, "Host: tls.example\r\nOrigin: null\r\n"},
        {403, "Host: tls.example\r\nOrigin: https://tls.example\r\nSec-Fetch-Site: cross-site\r\n"},
        {403, "Host: localhost\r\nOrigin: https://localhost\r\nX-Forwarded-Proto: https\r\n"},
        {403, "Host: evil.example\r\nOrigin: https://tls.example\r\n"},
    };
    struct web_bench bench = {0};
    struct web_setup setup = {.hosts = {"bench.example"}, .origins = {"https://tls.example"}};
    struct web *web = web_test_open(&setup, &bench);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (web_status(web_port(web), "GET /api/echo", cases[i].headers, "") != cases[i].status)
            fail_msg("not %d: %s", cases[i].status, cases[i].headers);
    web_close(web);
}

/* ---- slow clients ---- */

/* Sends one byte of `request` after the other, the last one endlessly; false while the server accepts it,
 * true once it has disconnected. The bytes come too often for any limit on silence. */
static bool dribble(struct web_client *client, const char *request) {
    const size_t size = strlen(request);
    for (size_t i = 0; i < 4000; i++) {
        struct pollfd ready = {.fd = client->fd, .events = POLLIN};
        if (poll(&ready, 1, 30) > 0)
            return true;
        if (send(client->fd, request + (i < size ? i : size - 1), 1, MSG_NOSIGNAL) != 1)
            return true;
    }
    return false;
}

static void expect_late(struct web_client *client) {
    struct web_reply reply = {0};
    if (web_client_reply(client, false, &reply)) { /* or a reset has overtaken it */
        assert_int_equal(reply.status, 408);
        assert_string_equal(text_string(&reply.body),
                            "The request took too long to arrive; send it all again\n");
        web_reply_done(&reply);
    }
    assert_true(web_client_has_ended(client));
    web_client_close(client);
}

static void slow_heads_end(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {.limits = {.head_ms = 300}};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    web_client_open(&client, web_port(web));
    struct web_client other; /* a later one, which has sent a request before */
    struct web_reply reply;
    web_client_open(&other, web_port(web));
    web_client_send_text(&other, "GET /api/echo HTTP/1.1\r\n" HOST "\r\n");
    assert_true(web_client_reply(&other, false, &reply));
    web_reply_done(&reply);
    assert_true(dribble(&client, "GET /api/echo HTTP/1.1\r\nHost: localhost\r\nX-Slow: aaaaaaaa"));
    expect_late(&client);
    assert_int_equal(bench.asked, 1);
    web_client_send_text(&other, "GET /api/echo HTTP/1.1\r\n" HOST "\r\n");
    assert_true(web_client_reply(&other, false, &reply));
    web_reply_done(&reply);
    web_client_close(&other);
    web_close(web);
}

static void slow_bodies_end(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {.limits = {.body_ms = 300}};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    web_client_open(&client, web_port(web));
    web_client_send_text(&client, "POST /api/echo HTTP/1.1\r\n" HOST
                                  "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n");
    assert_true(dribble(&client, "{\"a\":1       "));
    expect_late(&client);
    assert_int_equal(bench.asked, 0);
    web_close(web);
}

/* The next request of a connection that has been used is no different, but silence between is allowed. */
static void slow_heads_of_later_requests_end(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {.limits = {.head_ms = 300, .silence_s = 1}};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    struct web_reply reply = {0};
    web_client_open(&client, web_port(web));
    web_client_send_text(&client, "GET /api/echo HTTP/1.1\r\n" HOST "\r\n");
    assert_true(web_client_reply(&client, false, &reply));
    assert_int_equal(reply.status, 200);
    web_reply_done(&reply);
    assert_true(dribble(&client, "GET /api/echo HTTP/1.1\r\nX-Slow: aaaaaaaa"));
    assert_true(web_client_has_ended(&client));
    web_client_close(&client);
    web_close(web);
}

/* ---- limits as numbers ---- */

static void limits_have_defaults(void **state) {
    (void)state;
    struct web_limits limits = {0}, given = {1, 2, 3, 4, 5, 6};
    web_limits_fill(&limits);
    assert_int_equal(limits.connections, 1024);
    assert_int_equal(limits.per_address, 768);
    assert_int_equal(limits.silence_s, 30);
    assert_int_equal(limits.head_ms, 20000);
    assert_int_equal(limits.body_ms, 120000);
    assert_int_equal(limits.pulse_ms, 15000);
    assert_int_equal(web_tick_ms(&limits), 500);
    web_limits_fill(&given);
    assert_memory_equal(&given, (&(struct web_limits){1, 2, 3, 4, 5, 6}), sizeof given);
    for (int connections = 1; connections <= 8; connections++) { /* three quarters, rounded up */
        struct web_limits few = {.connections = connections};
        web_limits_fill(&few);
        assert_int_equal(few.per_address, (connections * 3 + 3) / 4);
    }
}

/* A quarter of the shortest limit, at most half a second. */
static void connections_are_looked_at_often_enough(void **state) {
    (void)state;
    assert_int_equal(web_tick_ms(&(struct web_limits){.head_ms = 400, .body_ms = 800, .pulse_ms = 1200}),
                     100);
    assert_int_equal(web_tick_ms(&(struct web_limits){.head_ms = 800, .body_ms = 404, .pulse_ms = 1200}),
                     101);
    assert_int_equal(web_tick_ms(&(struct web_limits){.head_ms = 800, .body_ms = 1200, .pulse_ms = 8}), 2);
    assert_int_equal(web_tick_ms(&(struct web_limits){.head_ms = 3, .body_ms = 1200, .pulse_ms = 8}), 1);
    assert_int_equal(web_tick_ms(&(struct web_limits){.head_ms = 1999, .body_ms = 9000, .pulse_ms = 9000}),
                     499);
    assert_int_equal(web_tick_ms(&(struct web_limits){.head_ms = 2004, .body_ms = 9000, .pulse_ms = 9000}),
                     500);
}

static void phases_have_their_time(void **state) {
    (void)state;
    const struct web_limits limits = {.connections = 40, .silence_s = 7, .head_ms = 1600, .body_ms = 900};
    for (int count = 29; count <= 31; count++) {
        const bool is_crowded = count >= 30;
        assert_int_equal(web_phase_ms(&limits, WEB_FRESH, count), is_crowded ? 200 : 1600);
        assert_int_equal(web_phase_ms(&limits, WEB_IDLE, count), is_crowded ? 200 : 8600);
        assert_int_equal(web_phase_ms(&limits, WEB_BODY, count), 900);
        assert_int_equal(web_phase_ms(&limits, WEB_ANSWER, count), 600000);
        assert_int_equal(web_phase_ms(&limits, WEB_STREAM, count), 0);
    }
}

/* A silent connection from another address of this machine. */
static void open_from(struct web_client *client, int port, const char *address) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
    } own = {.v4 = {.sin_family = AF_INET}},
      server = {.v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)}};
    own.v4.sin_addr.s_addr = inet_addr(address);
    server.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *client = (struct web_client){.fd = socket(AF_INET, SOCK_STREAM, 0), .port = port};
    assert_int_equal(bind(client->fd, &own.any, sizeof own.v4), 0);
    assert_int_equal(connect(client->fd, &server.any, sizeof server.v4), 0);
}

/* Each address has its own share, at least 16 of them. */
static void the_silent_of_two_addresses_are_counted_apart(void **state) {
    (void)state;
    enum { SHARE = 16 };
    static struct web_client silent[2][SHARE], more;
    struct web_bench bench = {0};
    struct web_setup setup = {.limits = {.connections = 56, .per_address = 50}};
    struct web *web = web_test_open(&setup, &bench);
    for (int i = 0; i < SHARE; i++)
        for (int side = 0; side < 2; side++)
            open_from(&silent[side][i], web_port(web), side == 0 ? "127.0.0.1" : "127.0.0.2");
    for (int side = 0; side < 2; side++) {
        open_from(&more, web_port(web), side == 0 ? "127.0.0.1" : "127.0.0.2");
        assert_true(web_client_has_ended(&more));
        web_client_close(&more);
    }
    for (int i = 0; i < SHARE; i++)
        for (int side = 0; side < 2; side++) {
            struct web_reply reply;
            web_client_send_text(&silent[side][i], "GET /api/echo HTTP/1.1\r\n" HOST "\r\n");
            assert_true(web_client_reply(&silent[side][i], false, &reply));
            assert_int_equal(reply.status, 200);
            web_reply_done(&reply);
            web_client_close(&silent[side][i]);
        }
    web_close(web);
}

/* Connections without a request yet: one address gets a part of them only. */
static void the_silent_of_one_address_leave_room(void **state) {
    (void)state;
    enum { CONNECTIONS = 80, SILENT = 60, LEFT = CONNECTIONS / 4 };
    static struct web_client silent[SILENT];
    struct web_bench bench = {0};
    struct web_setup setup = {.limits = {.connections = CONNECTIONS}};
    struct web *web = web_test_open(&setup, &bench);
    for (int i = 0; i < SILENT; i++)
        web_client_open(&silent[i], web_port(web));
    int ended = 0;
    for (int i = LEFT; i < SILENT; i++)
        ended += web_client_has_ended(&silent[i]);
    assert_int_equal(ended, SILENT - LEFT);
    for (int i = 0; i < SILENT; i++)
        web_client_close(&silent[i]);
    int status = 0; /* until the server has seen their ends */
    for (int i = 0; i < 3000 && status != 200; i++) {
        status = web_status(web_port(web), "GET /", HOST, "");
        poll(NULL, 0, status == 200 ? 0 : 10);
    }
    assert_int_equal(status, 200);
    web_close(web);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_gets_its_answer),
        cmocka_unit_test(our_own_port_may_stand_in_names),
        cmocka_unit_test(refused_requests_do_not_reach_the_handler),
        cmocka_unit_test(refusals_give_the_reason_and_the_range),
        cmocka_unit_test(a_token_comes_in_a_header_a_cookie_or_once_in_the_address),
        cmocka_unit_test(a_failed_opening_is_reported),
        cmocka_unit_test(a_body_arrives_whole_however_it_is_sent),
        cmocka_unit_test(a_body_without_announced_size_has_the_same_limit),
        cmocka_unit_test(a_body_that_is_too_large_is_read_to_its_end),
        cmocka_unit_test(bodies_that_never_end_do_not_fill_the_memory),
        cmocka_unit_test(a_flood_of_parameters_leaves_nothing_behind),
        cmocka_unit_test(a_flood_of_long_parameters_leaves_nothing_behind),
        cmocka_unit_test(floods_are_large),
        cmocka_unit_test(an_endless_body_is_cut_off),
        cmocka_unit_test(requests_in_a_row_are_answered_in_order),
        cmocka_unit_test(a_half_closed_connection_is_answered),
        cmocka_unit_test(nonsense_is_harmless),
        cmocka_unit_test(a_head_that_never_ends_is_refused),
        cmocka_unit_test(connections_are_counted),
        cmocka_unit_test(encrypted_pages_have_cookies_of_their_own),
        cmocka_unit_test(encrypted_pages_may_ask),
        cmocka_unit_test(slow_heads_end),
        cmocka_unit_test(slow_bodies_end),
        cmocka_unit_test(slow_heads_of_later_requests_end),
        cmocka_unit_test(the_silent_of_one_address_leave_room),
        cmocka_unit_test(limits_have_defaults),
        cmocka_unit_test(connections_are_looked_at_often_enough),
        cmocka_unit_test(phases_have_their_time),
        cmocka_unit_test(the_silent_of_two_addresses_are_counted_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
