/* SPDX-License-Identifier: MIT */
#include "tests/web_support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <cmocka.h>

enum { PATIENCE_S = 30 };

/* ---- the server's side ---- */

static void answer_echo(const struct message_in *in, struct message_out *out) {
    json_t *query = json_object();
    for (int i = 0; i < in->query_count; i++)
        json_object_set_new(query, in->query[i].name, json_string(in->query[i].value));
    message_json(out, 200,
                 json_pack("{si ss sI sI so sb}", "method", (int)in->method, "path", in->path, "size",
                           (json_int_t)in->body_size, "last", (json_int_t)in->last_event, "query", query,
                           "body", in->body != NULL));
}

static void answer_file(struct message_out *out) {
    out->status = 200;
    out->type = "text/plain";
    snprintf(out->file_name, sizeof out->file_name, "a \"b\";\r\nX: %s~\x7f%%\\/\xc3\xa9.txt", "y");
    text_add_string(&out->body, "a file");
}

/* A status that is a number of the query; a handler must not choose one outside of 200 … 599. */
static void answer_status(const struct message_in *in, struct message_out *out) {
    message_json(out, 200, json_pack("{}"));
    out->status = (int)strtol(message_query(in, "is"), NULL, 10);
    out->allowed = 1u << MESSAGE_POST | 1u << MESSAGE_PUT;
}

/* /api/echo, /api/file, /api/report, /api/nothing, /api/stream, /api/large, /api/only-get, /api/status; and a
 * handler that does not answer. */
void web_bench_handle(void *context, const struct message_in *in, struct message_out *out) {
    struct web_bench *bench = context;
    bench->asked++;
    if (strcmp(in->path, "/api/echo") == 0) {
        answer_echo(in, out);
    } else if (strcmp(in->path, "/api/file") == 0) {
        answer_file(out);
    } else if (strcmp(in->path, "/api/report") == 0) {
        out->status = 200;
        out->type = "text/html; charset=utf-8";
        text_add_string(&out->body, "<p>a report</p>");
    } else if (strcmp(in->path, "/api/nothing") == 0) {
        out->status = 204;
    } else if (strcmp(in->path, "/api/stream") == 0) {
        out->status = 200;
        out->stream = topic_hold(bench->topic);
    } else if (strcmp(in->path, "/api/large") == 0) {
        out->status = 200;
        for (int i = 0; i < 100000; i++)
            text_add_string(&out->body, "0123456789");
    } else if (strcmp(in->path, "/api/status") == 0) {
        answer_status(in, out);
    } else if (strcmp(in->path, "/api/only-get") == 0) {
        message_fail(out, 405, NULL, "only GET");
        out->allowed = 1u << MESSAGE_GET | 1u << MESSAGE_DELETE;
    } else if (strcmp(in->path, "/api/forgets") != 0) {
        message_fail(out, 404, "path", "there is no %s", in->path);
    }
}

static const unsigned char index_bytes[] = "<!doctype html><title>test</title>";
static const unsigned char script_bytes[] = "let a = 1; let b = 2; let c = 3; // as it is";
static const unsigned char script_packed[] = "\x1f\x8b packed";

const struct web_file web_test_files[] = {
    {"/index.html", "text/html; charset=utf-8", index_bytes, sizeof index_bytes - 1, NULL, 0, "\"i1\"",
     false},
    {"/assets/a-1.js", "text/javascript", script_bytes, sizeof script_bytes - 1, script_packed,
     sizeof script_packed - 1, "\"s1\"", true},
    {"/study/index.html", "text/html; charset=utf-8", index_bytes, 9, NULL, 0, "\"p1\"", false},
    {"/study/a.js", "text/javascript", script_bytes, 3, NULL, 0, "\"p2\"", true},
    {"/studying.js", "text/javascript", script_bytes, 3, NULL, 0, "\"p3\"", true},
    {0},
};

struct web *web_test_open(struct web_setup *setup, struct web_bench *bench) {
    struct err e = {{0}};
    setup->bind = setup->bind != NULL ? setup->bind : "127.0.0.1";
    setup->files = web_test_files;
    setup->handle = web_bench_handle;
    setup->context = bench;
    struct web *web = web_open(setup, &e);
    if (web == NULL)
        fail_msg("%s", e.text);
    return web;
}

/* ---- the client ---- */

void web_client_open(struct web_client *client, int port) {
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
    } address = {.v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)}};
    address.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *client = (struct web_client){.fd = socket(AF_INET, SOCK_STREAM, 0), .port = port};
    assert_true(client->fd >= 0);
    setsockopt(client->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(client->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(client->fd, &address.any, sizeof address.v4), 0);
}

void web_client_close(struct web_client *client) {
    close(client->fd);
    text_done(&client->unread);
}

/* The reader must detect a server that disconnects in the middle. */
void web_client_send(struct web_client *client, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t put = send(client->fd, bytes, size, MSG_NOSIGNAL);
        if (put <= 0)
            return;
        bytes += put;
        size -= (size_t)put;
    }
}

void web_client_send_text(struct web_client *client, const char *format, ...) {
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_in_range(size, 0, sizeof text - 1);
    web_client_send(client, text, (size_t)size);
}

/* False at the end. */
static bool receive(struct web_client *client) {
    char buffer[16384];
    const ssize_t got = recv(client->fd, buffer, sizeof buffer, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        fail_msg("nothing came for %d seconds", PATIENCE_S);
    if (got > 0)
        text_add_bytes(&client->unread, buffer, (size_t)got);
    return got > 0;
}

static void take(struct web_client *client, size_t size, struct text *out) {
    if (size > 0)
        text_add_bytes(out, client->unread.data, size);
    memmove(client->unread.data, client->unread.data + size, client->unread.size - size + 1);
    client->unread.size -= size;
}

static bool wait_for_size(struct web_client *client, size_t size) {
    while (client->unread.size < size)
        if (!receive(client))
            return false;
    return true;
}

bool web_client_head(struct web_client *client, struct web_reply *out) {
    const char *end;
    *out = (struct web_reply){0};
    while ((end = strstr(text_string(&client->unread), "\r\n\r\n")) == NULL)
        if (!receive(client))
            return false;
    take(client, (size_t)(end - client->unread.data) + 4, &out->head);
    out->status = (int)strtol(strchr(out->head.data, ' '), NULL, 10);
    return true;
}

/* One chunk; false at the last one and at the end of the connection. */
static bool read_chunk(struct web_client *client, struct text *out) {
    const char *end;
    struct text dropped = {0};
    while ((end = strstr(text_string(&client->unread), "\r\n")) == NULL)
        if (!receive(client))
            return false;
    const size_t size = strtoul(client->unread.data, NULL, 16);
    take(client, (size_t)(end - client->unread.data) + 2, &dropped);
    const bool ok = wait_for_size(client, size + 2);
    if (ok) {
        take(client, size, out);
        take(client, 2, &dropped);
    }
    text_done(&dropped);
    return ok && size > 0;
}

static const char *find_header(const struct web_reply *reply, const char *name) {
    for (const char *line = strchr(text_string(&reply->head), '\n'); line != NULL; line = strchr(line, '\n'))
        if (strncasecmp(++line, name, strlen(name)) == 0)
            return line + strlen(name);
    return NULL;
}

bool web_client_reply(struct web_client *client, bool without_body, struct web_reply *out) {
    if (!web_client_head(client, out))
        return false;
    const char *length = find_header(out, "Content-Length: ");
    if (without_body || out->status == 304 || out->status == 204)
        return true;
    if (find_header(out, "Transfer-Encoding: chunked") != NULL) {
        while (read_chunk(client, &out->body))
            ;
        return true;
    }
    const size_t size = length != NULL ? strtoul(length, NULL, 10) : 0;
    if (!wait_for_size(client, size))
        return false;
    take(client, size, &out->body);
    return true;
}

bool web_client_until(struct web_client *client, const char *needle, struct text *stream) {
    while (strstr(text_string(stream), needle) == NULL)
        if (!read_chunk(client, stream))
            return false;
    return true;
}

bool web_client_has_ended(struct web_client *client) {
    while (receive(client))
        ;
    return true;
}

bool web_reply_has(const struct web_reply *reply, const char *line) {
    char whole[512];
    snprintf(whole, sizeof whole, "\r\n%s\r\n", line);
    return strstr(text_string(&reply->head), whole) != NULL;
}

void web_reply_done(struct web_reply *reply) {
    text_done(&reply->head);
    text_done(&reply->body);
}

int web_get(int port, const char *path, const char *headers, struct web_reply *out) {
    struct web_client client;
    web_client_open(&client, port);
    web_client_send_text(&client, "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", path, headers);
    const bool came = web_client_reply(&client, false, out);
    web_client_close(&client);
    return came ? out->status : -1;
}

int web_status(int port, const char *request_line, const char *headers, const char *body) {
    struct web_client client;
    struct web_reply reply;
    web_client_open(&client, port);
    web_client_send_text(&client, "%s HTTP/1.1\r\n%s\r\n%s", request_line, headers, body);
    const bool came = web_client_reply(&client, strncmp(request_line, "HEAD", 4) == 0, &reply);
    const int status = came ? reply.status : -1;
    web_reply_done(&reply);
    web_client_close(&client);
    return status;
}
