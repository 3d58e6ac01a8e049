/* SPDX-License-Identifier: MIT
 *
 * HTTP heads and answers, and WebSocket frames, without sockets.
 */
#include "net/http.h"

#include "base/encode.h"
#include "base/hash.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- statuses ---- */

static const struct status_words {
    int status;
    const char *words, *sentence;
} statuses[] = {
    {200, "OK", ""},
    {400, "Bad Request", "This is not a request that can be understood."},
    {404, "Not Found", "There is nothing here."},
    {405, "Method Not Allowed", "Only GET and HEAD are answered here."},
    {414, "URI Too Long", "That address is too long."},
    {426, "Upgrade Required", "Here one talks WebSocket, version 13."},
    {431, "Request Header Fields Too Large", "That request is too long."},
    {503, "Service Unavailable", "Too many are connected; try again later."},
    {505, "HTTP Version Not Supported", "Expected HTTP/1.1."},
};

static const struct status_words *words_of(int status) {
    const struct status_words *words = statuses;
    while (words->status != status) {
        words++;
        assert(words < statuses + sizeof statuses / sizeof statuses[0]);
    }
    return words;
}

/* ---- reading ---- */

/* Copies `size` bytes and a NUL; false when they do not fit or are not visible ASCII or blanks. */
static bool copy_visible(char *out, size_t out_size, const char *from, size_t size) {
    if (size >= out_size)
        return false;
    for (size_t i = 0; i < size; i++)
        if (from[i] < ' ' || from[i] > '~')
            return false;
    memcpy(out, from, size);
    out[size] = '\0';
    return true;
}

/* "/path?query" between the two blanks of the first line. */
static int read_target(const char *target, size_t size, struct http_request *out) {
    static const char path_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~";
    const char *mark = memchr(target, '?', size);
    const size_t path_size = mark != NULL ? (size_t)(mark - target) : size;
    if (size == 0 || target[0] != '/')
        return 400;
    if (path_size >= sizeof out->path || size - path_size > sizeof out->query)
        return 414;
    memcpy(out->path, target, path_size);
    out->path[path_size] = '\0';
    if (strspn(out->path, path_chars) != path_size)
        return 400;
    return mark == NULL || copy_visible(out->query, sizeof out->query, mark + 1, size - path_size - 1) ? 0
                                                                                                       : 400;
}

static bool is_token(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] <= ' ' || text[i] > '~' || strchr("()<>@,;:\\\"/[]?={}", text[i]) != NULL)
            return false;
    return size > 0;
}

/* METHOD SP target SP HTTP/1.x; 0, or the status of the error. */
static int read_first_line(const char *line, size_t size, struct http_request *out) {
    const char *blank = memchr(line, ' ', size);
    if (blank == NULL || !is_token(line, (size_t)(blank - line)))
        return 400;
    const size_t method_size = (size_t)(blank - line);
    const char *target = blank + 1;
    const char *second = memchr(target, ' ', size - method_size - 1);
    if (second == NULL)
        return 400;
    const char *version = second + 1;
    const size_t version_size = (size_t)(line + size - version);
    if (version_size != 8 || memcmp(version, "HTTP/", 5) != 0)
        return 400;
    if (memcmp(version, "HTTP/1.1", 8) != 0 && memcmp(version, "HTTP/1.0", 8) != 0)
        return 505;
    out->is_head = method_size == 4 && memcmp(line, "HEAD", 4) == 0;
    if (!out->is_head && !(method_size == 3 && memcmp(line, "GET", 3) == 0))
        return 405;
    return read_target(target, (size_t)(second - target), out);
}

/* Is the word among those between the commas, in any case? */
static bool has_word(const char *list, const char *word) {
    const size_t size = strlen(word);
    while (*list != '\0') {
        list += strspn(list, " \t,");
        const size_t length = strcspn(list, " \t,");
        if (length == size && strncasecmp(list, word, size) == 0)
            return true;
        list += length;
    }
    return false;
}

/* The headers this server uses, collected until the end of the head. */
struct fields {
    char upgrade[HTTP_FIELD_MAX], connection[HTTP_FIELD_MAX], version[HTTP_FIELD_MAX];
    struct http_request *request;
    int hosts;
};

/* "Name: value"; 0, or the status of the error. */
static int read_field(const char *line, size_t size, struct fields *fields) {
    const struct {
        const char *name;
        char *value;
    } used[] = {
        {"Host", fields->request->host},
        {"Upgrade", fields->upgrade},
        {"Connection", fields->connection},
        {"Sec-WebSocket-Key", fields->request->websocket_key},
        {"Sec-WebSocket-Version", fields->version},
    };
    const char *colon = memchr(line, ':', size);
    if (colon == NULL || !is_token(line, (size_t)(colon - line)))
        return 400;
    const size_t name_size = (size_t)(colon - line);
    const char *value = colon + 1;
    size_t value_size = size - name_size - 1, i = 0;
    while (value_size > 0 && (*value == ' ' || *value == '\t')) {
        value++;
        value_size--;
    }
    while (value_size > 0 && (value[value_size - 1] == ' ' || value[value_size - 1] == '\t'))
        value_size--;
    while (i < sizeof used / sizeof used[0] &&
           (strlen(used[i].name) != name_size || strncasecmp(used[i].name, line, name_size) != 0))
        i++;
    if (i == sizeof used / sizeof used[0])
        return 0;
    if (i == 0 && fields->hosts++ > 0)
        return 400;
    if (value_size >= HTTP_FIELD_MAX)
        return 431;
    return copy_visible(used[i].value, HTTP_FIELD_MAX, value, value_size) ? 0 : 400;
}

/* The line at *at, which is moved past it; lines end with CR LF or LF. */
static const char *next_line(const char *bytes, size_t size, size_t *at, size_t *line_size) {
    const char *line = bytes + *at;
    const char *end = memchr(line, '\n', size - *at);
    if (end == NULL)
        return NULL;
    *at += (size_t)(end - line) + 1;
    *line_size = (size_t)(end - line);
    if (*line_size > 0 && line[*line_size - 1] == '\r')
        --*line_size;
    return line;
}

enum http_step http_read(const char *bytes, size_t size, struct http_request *out) {
    *out = (struct http_request){0};
    struct fields fields = {.request = out};
    const size_t limit = size < HTTP_HEAD_MAX ? size : HTTP_HEAD_MAX;
    size_t line_size;
    for (const char *line; (line = next_line(bytes, limit, &out->size, &line_size)) != NULL;) {
        const bool is_end = line != bytes && line_size == 0;
        long version = 0;
        if (line == bytes)
            out->status = read_first_line(line, line_size, out);
        else if (!is_end)
            out->status = read_field(line, line_size, &fields);
        else if (fields.version[0] != '\0' && !text_to_int(fields.version, &version))
            out->status = 400;
        if (out->status != 0)
            return HTTP_BAD;
        if (is_end) {
            out->websocket_version = version > 0 && version < 256 ? (int)version : 0;
            out->wants_websocket =
                has_word(fields.upgrade, "websocket") && has_word(fields.connection, "upgrade");
            return HTTP_READY;
        }
    }
    if (size < HTTP_HEAD_MAX)
        return HTTP_MORE;
    out->status = out->size == 0 ? 414 : 431;
    return HTTP_BAD;
}

bool http_query(const struct http_request *request, const char *name, char *out, size_t out_size) {
    const size_t name_size = strlen(name);
    for (const char *at = request->query; *at != '\0';) {
        const size_t size = strcspn(at, "&");
        if (size > name_size && at[name_size] == '=' && memcmp(at, name, name_size) == 0)
            return copy_visible(out, out_size, at + name_size + 1, size - name_size - 1);
        at += size + (at[size] == '&');
    }
    return false;
}

/* ---- writing ---- */

void http_write(const struct http_answer *answer, const struct http_request *request, struct text *out) {
    text_add(out,
             "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n"
             "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n",
             answer->status, words_of(answer->status)->words, answer->type, answer->size);
    if (answer->status == 405)
        text_add_string(out, "Allow: GET, HEAD\r\n");
    if (answer->status == 426)
        text_add_string(out, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
    text_add_string(out, "\r\n");
    if (request == NULL || !request->is_head)
        text_add_bytes(out, answer->body, answer->size);
}

void http_write_error(int status, const struct http_request *request, struct text *out) {
    char body[160];
    const struct status_words *words = words_of(status);
    snprintf(body, sizeof body, "%d %s. %s\n", status, words->words, words->sentence);
    const struct http_answer answer = {status, "text/plain; charset=utf-8", body, strlen(body)};
    http_write(&answer, request, out);
}

/* ---- websocket ---- */

/* Section 1.3: the constant that servers append to the key. */
static const char accept_suffix[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

enum { KEY_BYTES = 16, CONTROL_MAX = 125, MASK_SIZE = 4 };

enum opcode {
    OPCODE_MORE = 0,
    OPCODE_TEXT = 1,
    OPCODE_BINARY = 2,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    OPCODE_PONG = 10,
};

/* ---- the handshake ---- */

int websocket_handshake(const struct http_request *request, struct text *out) {
    int status = 101;
    if (request->is_head)
        status = 405;
    else if (!request->wants_websocket || request->websocket_version != 13)
        status = 426;
    else if (base64_size(request->websocket_key) != KEY_BYTES || request->host[0] == '\0')
        status = 400;
    if (status != 101) {
        http_write_error(status, request, out);
        return status;
    }
    char both[HTTP_FIELD_MAX + sizeof accept_suffix], accept[BASE64_CHARS(SHA1_SIZE) + 1];
    unsigned char digest[SHA1_SIZE];
    const int size = snprintf(both, sizeof both, "%s%s", request->websocket_key, accept_suffix);
    sha1(both, (size_t)size, digest);
    base64_write(digest, sizeof digest, accept);
    text_add(out,
             "HTTP/1.1 101 Web Socket Protocol Handshake\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\nUpgrade: websocket\r\n\r\n",
             accept);
    return status;
}

/* ---- writing ---- */

static void write_frame(enum opcode opcode, const char *bytes, size_t size, struct text *out) {
    unsigned char head[10] = {(unsigned char)(0x80 | opcode)};
    const int extra = size < 126 ? 0 : size <= 0xFFFF ? 2 : 8;
    head[1] = (unsigned char)(extra == 0 ? size : extra == 2 ? 126 : 127);
    for (int i = 0; i < extra; i++)
        head[2 + i] = (unsigned char)((uint64_t)size >> 8 * (extra - 1 - i));
    text_add_bytes(out, (const char *)head, 2 + (size_t)extra);
    if (size > 0)
        text_add_bytes(out, bytes, size);
}

void websocket_write_text(const char *bytes, size_t size, struct text *out) {
    write_frame(OPCODE_TEXT, bytes, size, out);
}

void websocket_write_close(enum websocket_code code, struct text *out) {
    const char bytes[2] = {(char)((unsigned)code >> 8), (char)((unsigned)code & 0xFF)};
    write_frame(OPCODE_CLOSE, bytes, code == WEBSOCKET_CODE_NONE ? 0 : 2, out);
}

/* ---- reading ---- */

struct frame {
    bool is_last;
    enum opcode opcode;
    uint64_t size;
    size_t head_size;
    char *payload;
};

/* WEBSOCKET_TAKEN when the head is complete (*code is 0, or the error). */
static enum websocket_step read_head(char *bytes, size_t size, struct frame *out, int *code) {
    const unsigned char *b = (const unsigned char *)bytes;
    *code = 0;
    if (size < 2)
        return WEBSOCKET_MORE;
    const int length = b[1] & 0x7F;
    const size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0;
    const bool is_masked = (b[1] & 0x80) != 0;
    if ((b[0] & 0x70) != 0 || !is_masked)
        *code = WEBSOCKET_CODE_PROTOCOL;
    else if (size < 2 + extra + MASK_SIZE)
        return WEBSOCKET_MORE;
    *out = (struct frame){(b[0] & 0x80) != 0, (enum opcode)(b[0] & 0x0F), (uint64_t)length,
                          2 + extra + MASK_SIZE, bytes + 2 + extra + MASK_SIZE};
    if (*code != 0 || extra == 0)
        return WEBSOCKET_TAKEN;
    out->size = 0;
    for (size_t i = 0; i < extra; i++)
        out->size = out->size << 8 | b[2 + i];
    /* Lengths are written in the shortest way (5.2). */
    if (out->size < (extra == 2 ? 126u : 0x10000u) || out->size >> 63 != 0)
        *code = WEBSOCKET_CODE_PROTOCOL;
    return WEBSOCKET_TAKEN;
}

static bool is_control(const struct frame *frame) {
    return frame->opcode >= OPCODE_CLOSE;
}

/* Codes a client may give (7.4): others are answered as an error of its own. */
static enum websocket_code answer_code(const struct frame *frame) {
    if (frame->size == 0)
        return WEBSOCKET_CODE_NONE;
    const unsigned char *b = (const unsigned char *)frame->payload;
    const int code = frame->size < 2 ? 0 : b[0] << 8 | b[1];
    const bool is_defined = (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
                            (code >= 3000 && code <= 4999);
    return is_defined ? (enum websocket_code)code : WEBSOCKET_CODE_PROTOCOL;
}

enum websocket_step websocket_read(struct websocket_reader *reader, char *bytes, size_t size, size_t *taken,
                                   struct text *answer) {
    assert(reader->message_size <= WEBSOCKET_FRAME_MAX);
    struct frame frame;
    int code;
    *taken = 0;
    if (read_head(bytes, size, &frame, &code) == WEBSOCKET_MORE)
        return WEBSOCKET_MORE;
    if (code == 0 && is_control(&frame)) {
        if (frame.opcode > OPCODE_PONG || !frame.is_last || frame.size > CONTROL_MAX)
            code = WEBSOCKET_CODE_PROTOCOL;
    } else if (code == 0) {
        if (frame.opcode > OPCODE_BINARY || (frame.opcode == OPCODE_MORE) != reader->in_message)
            code = WEBSOCKET_CODE_PROTOCOL;
        else if (frame.size > WEBSOCKET_FRAME_MAX - reader->message_size)
            code = WEBSOCKET_CODE_TOO_BIG;
    }
    if (code != 0) {
        websocket_write_close((enum websocket_code)code, answer);
        return WEBSOCKET_CLOSED;
    }
    if (size - frame.head_size < frame.size)
        return WEBSOCKET_MORE;
    const char *mask = frame.payload - MASK_SIZE;
    for (uint64_t i = 0; i < frame.size; i++)
        frame.payload[i] ^= mask[i % MASK_SIZE];
    *taken = frame.head_size + (size_t)frame.size;
    if (frame.opcode == OPCODE_CLOSE) {
        websocket_write_close(answer_code(&frame), answer);
        return WEBSOCKET_CLOSED;
    }
    if (frame.opcode == OPCODE_PING)
        write_frame(OPCODE_PONG, frame.payload, (size_t)frame.size, answer);
    if (!is_control(&frame)) {
        reader->in_message = !frame.is_last;
        reader->message_size = frame.is_last ? 0 : reader->message_size + (size_t)frame.size;
    }
    return WEBSOCKET_TAKEN;
}
