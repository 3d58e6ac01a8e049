/* SPDX-License-Identifier: MIT
 *
 * The page's files over real sockets: their headers, requests for files that browsers have already, and a
 * folder that no path can leave.
 */
#include "tests/web_support.h"

#include "base/encode.h"

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

#define HOST "Host: localhost\r\n"

/* ---- in the program ---- */

static void files_have_what_browsers_need_to_know(void **state) {
    (void)state;
    static const char *const lines[] = {
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin",
        "Cross-Origin-Opener-Policy: same-origin",
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
        "data: blob:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    };
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_reply reply;
    assert_int_equal(web_get(web_port(web), "/", "", &reply), 200);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_true(web_reply_has(&reply, lines[i]));
    assert_true(web_reply_has(&reply, "Content-Type: text/html; charset=utf-8"));
    assert_true(web_reply_has(&reply, "Cache-Control: no-cache"));
    assert_true(web_reply_has(&reply, "ETag: \"i1\""));
    assert_string_equal(text_string(&reply.body), "<!doctype html><title>test</title>");
    web_reply_done(&reply);
    assert_int_equal(web_get(web_port(web), "/api/echo", "", &reply), 200);
    for (size_t i = 0; i < 4; i++)
        assert_true(web_reply_has(&reply, lines[i]));
    assert_true(web_reply_has(
        &reply,
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"));
    assert_true(web_reply_has(&reply, "Cache-Control: no-store"));
    web_reply_done(&reply);
    web_close(web);
}

/* A server of participants has one folder of the files, and its index is the page. */
static void only_the_files_of_a_folder_are_sent(void **state) {
    (void)state;
    static const char *const others[] = {"/index.html",  "/assets/a-1.js", "/study",
                                         "/studying.js", "/study/b.js",    "/study/study/index.html"};
    struct web_bench bench = {0};
    struct web_setup setup = {.below = "/study"};
    struct web *web = web_test_open(&setup, &bench);
    struct web_reply reply;
    assert_int_equal(web_get(web_port(web), "/", "", &reply), 200);
    assert_true(web_reply_has(&reply, "ETag: \"p1\""));
    web_reply_done(&reply);
    assert_int_equal(web_get(web_port(web), "/study/a.js", "", &reply), 200);
    assert_true(web_reply_has(&reply, "ETag: \"p2\""));
    web_reply_done(&reply);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(web_get(web_port(web), others[i], "", &reply), 404);
        web_reply_done(&reply);
    }
    assert_int_equal(web_get(web_port(web), "/api/echo", "", &reply), 200);
    web_reply_done(&reply);
    web_close(web);
}

static void files_are_packed_on_request(void **state) {
    (void)state;
    static const char *const takers[] = {"gzip",           "br, gzip",     "deflate,gzip;q=0.5",
                                         "GZIP",           "gzip, br;q=0", "br;q=0,\tgzip;q=0.001",
                                         "gzip;q=1,br;q=0"};
    static const char *const others[] = {"br",     "gzip;q=0",      "gzipped", "gzip;q=0.000, br",
                                         "x-gzip", "gzip;q=0 , br", "gzi",     ""};
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    char header[128];
    struct web_reply reply;
    for (size_t i = 0; i < sizeof takers / sizeof takers[0]; i++) {
        snprintf(header, sizeof header, "Accept-Encoding: %s\r\n", takers[i]);
        assert_int_equal(web_get(web_port(web), "/assets/a-1.js", header, &reply), 200);
        assert_true(web_reply_has(&reply, "Content-Encoding: gzip"));
        assert_true(web_reply_has(&reply, "ETag: \"s1-gz\""));
        assert_true(web_reply_has(&reply, "Vary: Accept-Encoding"));
        assert_true(web_reply_has(&reply, "Cache-Control: private, max-age=31536000, immutable"));
        assert_memory_equal(reply.body.data, "\x1f\x8b packed", 9);
        web_reply_done(&reply);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        snprintf(header, sizeof header, "Accept-Encoding: %s\r\n", others[i]);
        assert_int_equal(web_get(web_port(web), "/assets/a-1.js", header, &reply), 200);
        assert_false(web_reply_has(&reply, "Content-Encoding: gzip"));
        assert_true(web_reply_has(&reply, "ETag: \"s1\""));
        assert_non_null(strstr(text_string(&reply.body), "as it is"));
        web_reply_done(&reply);
    }
    web_close(web);
}

static void what_a_browser_has_is_not_sent_again(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_reply reply;
    const int port = web_port(web);
    assert_int_equal(web_get(port, "/", "If-None-Match: \"i1\"\r\n", &reply), 304);
    assert_true(web_reply_has(&reply, "ETag: \"i1\""));
    web_reply_done(&reply);
    assert_int_equal(web_status(port, "GET /", HOST "If-None-Match: \"x\", W/\"i1\"\r\n", ""), 304);
    assert_int_equal(web_status(port, "GET /", HOST "If-None-Match: *\r\n", ""), 304);
    assert_int_equal(web_status(port, "GET /", HOST "If-None-Match: \"i2\"\r\n", ""), 200);
    assert_int_equal(web_status(port, "GET /assets/a-1.js", HOST "If-None-Match: \"s1-gz\"\r\n", ""), 200);
    assert_int_equal(web_status(port, "GET /assets/a-1.js",
                                HOST "Accept-Encoding: gzip\r\nIf-None-Match: \"s1-gz\"\r\n", ""),
                     304);
    web_close(web);
}

static void head_gives_the_size_and_no_body(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_client client;
    struct web_reply reply;
    web_client_open(&client, web_port(web));
    web_client_send_text(&client, "HEAD / HTTP/1.1\r\n" HOST "\r\nGET / HTTP/1.1\r\n" HOST "\r\n");
    assert_true(web_client_reply(&client, true, &reply));
    assert_true(web_reply_has(&reply, "Content-Length: 34"));
    web_reply_done(&reply);
    assert_true(web_client_reply(&client, false, &reply)); /* then comes the next answer */
    assert_int_equal(reply.status, 200);
    assert_int_equal(reply.body.size, 34);
    web_reply_done(&reply);
    web_client_close(&client);
    web_close(web);
}

static void a_name_for_saving_is_made_harmless(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_reply reply;
    assert_int_equal(web_get(web_port(web), "/api/file", "", &reply), 200);
    assert_true(
        web_reply_has(&reply, "Content-Disposition: attachment; filename=\"a _b____X: y~______.txt\""));
    assert_true(web_reply_has(&reply, "Content-Type: text/plain"));
    web_reply_done(&reply);
    web_close(web);
}

static bool head_has(const struct web_reply *reply, const char *part) {
    return strstr(text_string(&reply->head), part) != NULL;
}

/* A page of the API may run the script of reports, and no other; other answers none at all. */
static void a_report_may_run_its_own_script(void **state) {
    (void)state;
    struct web_bench bench = {0};
    struct web_setup setup = {0};
    struct web *web = web_test_open(&setup, &bench);
    struct web_reply reply;
    char script[128];
    snprintf(script, sizeof script, "frame-ancestors 'none'; script-src '%s'\r\n",
             page_bundle.hash != NULL ? page_bundle.hash : "");
    assert_int_equal(web_get(web_port(web), "/api/report", "", &reply), 200);
    assert_int_equal(head_has(&reply, script), page_bundle.hash != NULL);
    assert_false(head_has(&reply, "script-src 'unsafe-inline'"));
    assert_true(head_has(&reply, "Content-Security-Policy: default-src 'none';"));
    web_reply_done(&reply);
    assert_int_equal(web_get(web_port(web), "/api/file", "", &reply), 200);
    assert_false(head_has(&reply, "script-src"));
    assert_true(head_has(&reply, "frame-ancestors 'none'\r\n"));
    web_reply_done(&reply);
    web_close(web);
}

/* ---- a folder ---- */

static void write_file(const char *folder, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void link_file(const char *target, const char *folder, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(symlink(target, path), 0);
}

static void remove_all(const char *folder) {
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void a_folder_is_not_left(void **state) {
    (void)state;
    char folder[] = "/tmp/senjutsu-web-XXXXXX", page[64], assets[128];
    assert_non_null(mkdtemp(folder));
    snprintf(page, sizeof page, "%s/page", folder);
    snprintf(assets, sizeof assets, "%s/assets", page);
    assert_int_equal(mkdir(page, 0700), 0);
    assert_int_equal(mkdir(assets, 0700), 0);
    write_file(folder, "secret.txt", "secret");
    write_file(page, "index.html", "from the folder");
    write_file(page, ".hidden", "hidden");
    write_file(assets, "a.js", "let x;");
    link_file("../secret.txt", page, "link.txt");
    link_file("index.html", page, "inner.html");
    link_file("..", page, "up");
    char pipe_path[128];
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe.txt", page);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    struct web_bench bench = {0};
    struct web_setup setup = {.folder = page};
    struct web *web = web_test_open(&setup, &bench);
    const int port = web_port(web);
    struct web_reply reply;
    assert_int_equal(web_get(port, "/", "", &reply), 200);
    assert_string_equal(text_string(&reply.body), "from the folder");
    web_reply_done(&reply);
    assert_int_equal(web_get(port, "/assets/a.js", "", &reply), 200);
    assert_true(web_reply_has(&reply, "Content-Type: text/javascript; charset=utf-8"));
    web_reply_done(&reply);
    static const char *const typed[][2] = {{"a.html", "text/html; charset=utf-8"},
                                           {"a.css", "text/css; charset=utf-8"},
                                           {"a.b.svg", "image/svg+xml"},
                                           {"a.json", "application/json"},
                                           {"a.js.map", "application/json"},
                                           {"a.png", "image/png"},
                                           {"a.ico", "image/x-icon"},
                                           {"a.woff2", "font/woff2"},
                                           {"a.webmanifest", "application/manifest+json"},
                                           {"a.txt", "text/plain; charset=utf-8"},
                                           {"a.jsx", "application/octet-stream"},
                                           {"plain", "application/octet-stream"}};
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++) {
        char path[64], line[128];
        write_file(page, typed[i][0], typed[i][0]);
        snprintf(path, sizeof path, "/%s", typed[i][0]);
        snprintf(line, sizeof line, "Content-Type: %s", typed[i][1]);
        assert_int_equal(web_get(port, path, "", &reply), 200);
        assert_true(web_reply_has(&reply, line));
        assert_true(web_reply_has(&reply, "Cache-Control: no-cache"));
        assert_string_equal(text_string(&reply.body), typed[i][0]);
        web_reply_done(&reply);
    }
    write_file(page, "empty", "");
    assert_int_equal(web_get(port, "/empty", "", &reply), 200);
    assert_true(web_reply_has(&reply, "Content-Length: 0"));
    web_reply_done(&reply);
    write_file(page, "largest", "");
    char largest[128];
    snprintf(largest, sizeof largest, "%s/largest", page);
    for (int over = 0; over < 2; over++) {
        assert_int_equal(truncate(largest, WEB_FILE_MAX + over), 0);
        assert_int_equal(web_get(port, "/largest", "", &reply), over == 0 ? 200 : 404);
        if (over == 0)
            assert_int_equal(reply.body.size, WEB_FILE_MAX);
        web_reply_done(&reply);
    }
    /* The tag is made of the content. */
    write_file(page, "tagged", "a.png");
    static const char *const tagged[] = {"/a.png", "/tagged"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(web_get(port, tagged[i], "If-None-Match: \"0123456789abcdef\"\r\n", &reply), 200);
        assert_true(web_reply_has(&reply, i == 0 ? "Content-Type: image/png"
                                                 : "Content-Type: application/octet-stream"));
        assert_true(web_reply_has(&reply, "ETag: \"a29205b56ba85779\""));
        web_reply_done(&reply);
        assert_int_equal(web_get(port, tagged[i], "If-None-Match: \"a29205b56ba85779\"\r\n", &reply), 304);
        assert_int_equal(reply.body.size, 0);
        web_reply_done(&reply);
    }
    static const char *const absent[] = {"/link.txt", "/inner.html", "/up/secret.txt",
                                         "/.hidden",  "/assets",     "/index.html/x",
                                         "/none",     "/pipe.txt",   "/assets/none"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        assert_int_equal(web_get(port, absent[i], "", &reply), 404), web_reply_done(&reply);
    web_close(web);
    remove_all(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_what_browsers_need_to_know),
        cmocka_unit_test(only_the_files_of_a_folder_are_sent),
        cmocka_unit_test(files_are_packed_on_request),
        cmocka_unit_test(what_a_browser_has_is_not_sent_again),
        cmocka_unit_test(head_gives_the_size_and_no_body),
        cmocka_unit_test(a_name_for_saving_is_made_harmless),
        cmocka_unit_test(a_report_may_run_its_own_script),
        cmocka_unit_test(a_folder_is_not_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
