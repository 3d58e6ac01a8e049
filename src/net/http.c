/* SPDX-License-Identifier: MIT
 *
 * HTTP heads and answers, WebSocket frames, and checks of a request before its body is read: who may ask, and
 * what the address means.
 */
#include "net/http.h"

#include "base/encode.h"

#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- statuses ---- */

/* Every status that this port sends, with the sentence of its plain page. */
static const struct status_words {
    int status;
    const char *words, *sentence;
} statuses[] = {
    {200, "OK", ""},
    {400, "Bad Request", "This is not a request that can be understood."},
    {404, "Not Found", "There is nothing here."},
    {405, "Method Not Allowed", "Only GET and HEAD are answered here."},
    {408, "Request Timeout", ""},
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

#define LETTERS_AND_DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* RFC 9110, section 5.6.2: the characters of methods and of headers' names. */
static const char token_chars[] = LETTERS_AND_DIGITS "!#$%&'*+-.^_`|~";

/* Only these: a path without escapes cannot mean two things. */
static const char path_chars[] = LETTERS_AND_DIGITS "/-._~";

static bool is_made_of(const char *text, const char *chars) {
    return text[0] != '\0' && text[strspn(text, chars)] == '\0';
}

/* Copies a text of visible ASCII and blanks; false for any other text, and when it does not fit. Control
 * characters could end a line of a log or of an answer. */
static bool copy_visible(char *out, size_t out_size, const char *from, size_t size) {
    size_t visible = 0;
    while (visible < size && from[visible] >= ' ' && from[visible] <= '~')
        visible++;
    if (visible < size || size >= out_size)
        return false;
    memcpy(out, from, size);
    out[size] = '\0';
    return true;
}

/* METHOD SP /path?query SP HTTP/1.x; 0, or the status of the error. */
static int read_first_line(char *line, struct http_request *out) {
    char *pieces[3];
    if (text_split(line, ' ', pieces, 3) != 3 || !is_made_of(pieces[0], token_chars))
        return 400;
    const char *method = pieces[0], *target = pieces[1], *version = pieces[2];
    if (strlen(version) != 8 || strncmp(version, "HTTP/", 5) != 0)
        return 400;
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        return 505;
    out->is_head = strcmp(method, "HEAD") == 0;
    if (!out->is_head && strcmp(method, "GET") != 0)
        return 405;
    const size_t path_size = strcspn(target, "?");
    const char *query = target + path_size + (target[path_size] == '?');
    if (target[0] != '/')
        return 400;
    if (path_size >= sizeof out->path || strlen(query) >= sizeof out->query)
        return 414;
    return copy_visible(out->path, sizeof out->path, target, path_size) &&
                   is_made_of(out->path, path_chars) &&
                   copy_visible(out->query, sizeof out->query, query, strlen(query))
               ? 0
               : 400;
}

/* "Name: value"; 0, or the status of the error. Headers that this server does not use are skipped. */
static int read_field(char *line, struct http_request *out) {
    const struct {
        const char *name;
        char *value;
    } used[] = {
        {"Host", out->host},
        {"Upgrade", out->upgrade},
        {"Connection", out->connection},
        {"Sec-WebSocket-Key", out->websocket_key},
        {"Sec-WebSocket-Version", out->version},
    };
    char *colon = strchr(line, ':');
    if (colon == NULL)
        return 400;
    *colon = '\0';
    if (!is_made_of(line, token_chars))
        return 400;
    const char *value = colon + 1 + strspn(colon + 1, " \t");
    size_t size = strlen(value), i = 0;
    while (size > 0 && (value[size - 1] == ' ' || value[size - 1] == '\t'))
        size--;
    while (i < sizeof used / sizeof used[0] && strcasecmp(used[i].name, line) != 0)
        i++;
    if (i == sizeof used / sizeof used[0])
        return 0;
    if (i == 0 && out->has_host)
        return 400;
    out->has_host = out->has_host || i == 0;
    if (size >= HTTP_FIELD_MAX)
        return 431;
    return copy_visible(used[i].value, HTTP_FIELD_MAX, value, size) ? 0 : 400;
}

enum http_step http_read(const char *bytes, size_t size, struct http_request *out) {
    *out = (struct http_request){0};
    const size_t limit = size < HTTP_HEAD_MAX ? size : HTTP_HEAD_MAX;
    const char *end;
    while ((end = memchr(bytes + out->size, '\n', limit - out->size)) != NULL) {
        char line[HTTP_HEAD_MAX];
        const bool is_first = out->size == 0;
        size_t length = (size_t)(end - (bytes + out->size));
        memcpy(line, bytes + out->size, length);
        out->size += length + 1;
        if (length > 0 && line[length - 1] == '\r') /* lines end with CR LF or LF */
            length--;
        line[length] = '\0';
        if (length == 0 && !is_first) { /* the head is complete: what its headers mean together */
            long number = 0;
            out->status = out->version[0] != '\0' && !text_to_int(out->version, &number) ? 400 : 0;
            out->websocket_version = number > 0 && number < 256 ? (int)number : 0;
            out->wants_websocket =
                web_accepts(out->upgrade, "websocket") && web_accepts(out->connection, "upgrade");
            return out->status == 0 ? HTTP_READY : HTTP_BAD;
        }
        const bool is_text = strlen(line) == length; /* no NUL inside: the readers would stop there */
        out->status = !is_text ? 400 : is_first ? read_first_line(line, out) : read_field(line, out);
        if (out->status != 0)
            return HTTP_BAD;
    }
    if (size < HTTP_HEAD_MAX)
        return HTTP_MORE;
    out->status = out->size == 0 ? 414 : 431;
    return HTTP_BAD;
}

/* The first value of that name counts. A name without '=' has no value. */
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

/* Answers are not to be stored: a state is old after a move. "nosniff": a list is not read as a page. */
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

/* The sentence is for people who open the port in a browser, or talk to it by hand. */
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

enum {
    KEY_BYTES = 16,
    CONTROL_MAX = 125, /* bytes of a control frame's payload (5.5) */
    MASK_SIZE = 4,
    INCOMPLETE = -1, /* of a frame's head: more bytes are needed */
};

/* Section 5.2; those from OPCODE_CLOSE on are control frames. */
enum opcode {
    OPCODE_MORE = 0,
    OPCODE_TEXT = 1,
    OPCODE_BINARY = 2,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    OPCODE_PONG = 10,
};

/* ---- the handshake ---- */

/* The order and the words of a successful answer are the official server's. */
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

/* The length has 7, 16 or 64 bits, the shortest that fits (5.2). */
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

/* A code is two bytes, most significant first (5.5.1). 1005 stands for a frame without one. */
void websocket_write_close(enum websocket_code code, struct text *out) {
    const char bytes[2] = {(char)((unsigned)code >> 8), (char)((unsigned)code & 0xFF)};
    write_frame(OPCODE_CLOSE, bytes, code == WEBSOCKET_CODE_NONE ? 0 : 2, out);
}

/* ---- reading ---- */

/* The head of a frame, decoded. */
struct frame {
    bool is_last;
    enum opcode opcode;
    uint64_t size; /* of the payload */
    size_t head_size;
    char *payload; /* in the caller's buffer; the mask is before it */
};

/* Reads a frame's head. Returns 0, the code of the error, or INCOMPLETE. Sizes are judged here, before the
 * payload has come: a client cannot make the server wait for, or store, a payload that is refused. */
static int read_head(const struct websocket_reader *reader, char *bytes, size_t size, struct frame *out) {
    const unsigned char *b = (const unsigned char *)bytes;
    if (size < 2)
        return INCOMPLETE;
    const int length = b[1] & 0x7F;
    const size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0;
    if ((b[0] & 0x70) != 0 || (b[1] & 0x80) == 0) /* reserved bits; not masked */
        return WEBSOCKET_CODE_PROTOCOL;
    if (size < 2 + extra + MASK_SIZE)
        return INCOMPLETE;
    *out = (struct frame){(b[0] & 0x80) != 0, (enum opcode)(b[0] & 0x0F), extra == 0 ? (uint64_t)length : 0,
                          2 + extra + MASK_SIZE, bytes + 2 + extra + MASK_SIZE};
    for (size_t i = 0; i < extra; i++)
        out->size = out->size << 8 | b[2 + i];
    /* Lengths are written in the shortest way (5.2). */
    if (extra > 0 && (out->size < (extra == 2 ? 126u : 0x10000u) || out->size >> 63 != 0))
        return WEBSOCKET_CODE_PROTOCOL;
    if (out->opcode >= OPCODE_CLOSE) /* 5.5: short, and never in fragments */
        return out->opcode > OPCODE_PONG || !out->is_last || out->size > CONTROL_MAX ? WEBSOCKET_CODE_PROTOCOL
                                                                                     : 0;
    if (out->opcode > OPCODE_BINARY || (out->opcode == OPCODE_MORE) != reader->in_message)
        return WEBSOCKET_CODE_PROTOCOL;
    return out->size > WEBSOCKET_FRAME_MAX - reader->message_size ? WEBSOCKET_CODE_TOO_BIG : 0;
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

/* Until a frame is complete its bytes stay as they came: unmasking in place must happen once. */
enum websocket_step websocket_read(struct websocket_reader *reader, char *bytes, size_t size, size_t *taken,
                                   struct text *answer) {
    assert(reader->message_size <= WEBSOCKET_FRAME_MAX);
    struct frame frame;
    *taken = 0;
    const int code = read_head(reader, bytes, size, &frame);
    if (code > 0) {
        websocket_write_close((enum websocket_code)code, answer);
        return WEBSOCKET_CLOSED;
    }
    if (code == INCOMPLETE || size - frame.head_size < frame.size)
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
    if (frame.opcode < OPCODE_CLOSE) { /* others may come between the fragments of a message (5.4) */
        reader->in_message = !frame.is_last;
        reader->message_size = frame.is_last ? 0 : reader->message_size + (size_t)frame.size;
    }
    return WEBSOCKET_TAKEN;
}

/* ---- checks: names ---- */

/* A numeric address, IPv4 or IPv6, without brackets. */
static bool is_address(const char *text) {
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

/* Characters of names, addresses and ports; nothing that could break a header or a message. */
static bool is_name(const char *text) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]";
    const size_t length = strlen(text);
    return length > 0 && length < WEB_GUARD_NAME_MAX && strspn(text, allowed) == length;
}

/* As they stand in a Host header: an address with colons in brackets. */
static bool add_name(struct web_guard *guard, const char *name, unsigned schemes, bool exact, struct err *e) {
    if (!is_name(name))
        return err_set(e, "'%.100s' is no name of a host", name);
    if (guard->name_count == WEB_GUARD_NAMES_MAX)
        return err_set(e, "more than %d names of hosts", WEB_GUARD_NAMES_MAX);
    const bool is_bare = strchr(name, ':') != NULL && is_address(name);
    struct web_guard_name *out = &guard->names[guard->name_count++];
    snprintf(out->text, sizeof out->text, is_bare ? "[%.250s]" : "%.255s", name);
    out->schemes = schemes;
    out->exact = exact;
    return true;
}

/* All of 127.0.0.0/8 is this machine. */
bool web_guard_is_loopback(const char *bind) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, bind, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 == 127;
    if (inet_pton(AF_INET6, bind, &v6) == 1)
        return IN6_IS_ADDR_LOOPBACK(&v6);
    return strcasecmp(bind, "localhost") == 0;
}

/* The names of the loopback are always ours: the command prints such an address. */
bool web_guard_init(struct web_guard *guard, const char *bind, const char *const *hosts, struct err *e) {
    assert(hosts != NULL);
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    struct in6_addr v6;
    const bool everywhere =
        strcmp(bind, "0.0.0.0") == 0 || (inet_pton(AF_INET6, bind, &v6) == 1 && IN6_IS_ADDR_UNSPECIFIED(&v6));
    *guard = (struct web_guard){.any_address = everywhere};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        add_name(guard, own[i], WEB_GUARD_HTTP, false, e);
    if (!add_name(guard, bind, WEB_GUARD_HTTP, false, e))
        return false;
    for (; *hosts != NULL; hosts++)
        if (!add_name(guard, *hosts, WEB_GUARD_HTTP | WEB_GUARD_HTTPS, false, e))
            return false;
    return true;
}

/* Where the port begins in "name:port" or "[address]:port"; the end when there is none. */
static const char *port_of(const char *host) {
    const char *bracket = strrchr(host, ']'), *colon = strrchr(host, ':');
    return colon != NULL && (bracket == NULL || colon > bracket) ? colon : host + strlen(host);
}

/* ---- checks: schemes ---- */

/* Browsers leave out the port that a scheme has by default. */
static const struct scheme {
    const char *text, *port; /* "http://", and the port that stands for itself */
    unsigned bit;
} schemes[] = {{"http://", ":80", WEB_GUARD_HTTP}, {"https://", ":443", WEB_GUARD_HTTPS}};

/* NULL: neither; `rest` is the part after it, "" without one. */
static const struct scheme *scheme_of(const char *origin, const char **rest) {
    *rest = "";
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        const size_t size = strlen(schemes[i].text);
        if (strncasecmp(origin, schemes[i].text, size) == 0) {
            *rest = origin + size;
            return &schemes[i];
        }
    }
    return NULL;
}

/* Browsers omit the scheme's default port, some proxies do not: both forms are accepted. */
bool web_guard_add_origin(struct web_guard *guard, const char *origin, struct err *e) {
    const char *rest;
    const struct scheme *scheme = scheme_of(origin, &rest);
    char name[WEB_GUARD_NAME_MAX], with_port[WEB_GUARD_NAME_MAX];
    size_t size = strlen(rest);
    if (size > 0 && rest[size - 1] == '/')
        size--;
    snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), rest);
    char *port = name + (port_of(name) - name);
    long number = 1;
    if (!is_name(name) || port == name || strlen(name) + strlen(":443") >= sizeof name ||
        (*port != '\0' && (!text_to_int(port + 1, &number) || number < 1 || number > 65535)))
        return err_set(e, "'%.100s' is no origin; expected https://NAME or https://NAME:PORT", origin);
    if (guard->origin_count == WEB_GUARD_ORIGINS_MAX)
        return err_set(e, "more than %d origins", WEB_GUARD_ORIGINS_MAX);
    if (strcmp(port, scheme->port) == 0)
        *port = '\0';
    snprintf(guard->origins[guard->origin_count++], sizeof guard->origins[0], "%s%s", scheme->text, name);
    snprintf(with_port, sizeof with_port, "%.250s%s", name, scheme->port);
    return add_name(guard, name, scheme->bit, true, e) &&
           (*port != '\0' || add_name(guard, with_port, scheme->bit, true, e));
}

/* ---- checks: headers ---- */

/* Names are compared without regard to case, like in DNS. */
static unsigned schemes_of(const struct web_guard *guard, const char *name, bool exact) {
    unsigned found = 0;
    for (int i = 0; i < guard->name_count; i++)
        if ((exact || !guard->names[i].exact) && strcasecmp(guard->names[i].text, name) == 0)
            found |= guard->names[i].schemes;
    return found;
}

/* A numeric Host cannot be the result of DNS rebinding: no name was looked up. */
static bool is_bracketed_address(const char *name) {
    char inside[WEB_GUARD_NAME_MAX];
    const size_t length = strlen(name);
    if (name[0] != '[' || name[length - 1] != ']')
        return strchr(name, ':') == NULL && is_address(name);
    snprintf(inside, sizeof inside, "%.*s", (int)length - 2, name + 1);
    return is_address(inside);
}

/* A Host without a port is accepted with any port of ours: a proxy may have removed it. */
unsigned web_guard_schemes(const struct web_guard *guard, const char *host) {
    char name[WEB_GUARD_NAME_MAX];
    if (host == NULL || !is_name(host))
        return 0;
    unsigned found = schemes_of(guard, host, true);
    const char *port = port_of(host);
    char ours[16];
    snprintf(ours, sizeof ours, ":%d", guard->port);
    if ((*port != '\0' && strcmp(port, ours) != 0) || port == host)
        return found;
    snprintf(name, sizeof name, "%.*s", (int)(port - host), host);
    found |= schemes_of(guard, name, false);
    return guard->any_address && is_bracketed_address(name) ? found | WEB_GUARD_HTTP : found;
}

/* "null" (a file, a sandboxed frame) has no scheme and is refused. */
bool web_guard_origin(const struct web_guard *guard, const char *origin, const char *host) {
    const char *rest;
    for (int i = 0; i < guard->origin_count; i++)
        if (strcasecmp(guard->origins[i], origin) == 0)
            return true;
    const struct scheme *scheme = scheme_of(origin, &rest);
    return scheme != NULL && (web_guard_schemes(guard, host) & scheme->bit) != 0 &&
           strcasecmp(rest, host) == 0;
}

bool web_guard_token(const char *token, const char *given) {
    if (token[0] == '\0' || given == NULL)
        return token[0] == '\0';
    const size_t size = strlen(token), given_size = strlen(given);
    unsigned char difference = size != given_size;
    for (size_t i = 0; i < given_size; i++)
        difference |= (unsigned char)(token[i % size] ^ given[i]);
    return difference == 0;
}

/* ---- checks: the address ---- */

/* A part of the address that is decoded on its own. */
struct piece {
    const char *from;
    size_t size;
    const char *what; /* for sentences */
    bool plus_is_blank;
};

/* %-escapes are decoded once. Control characters and broken UTF-8 would end up in logs, files and answers. */
static bool decode(const struct piece *piece, char *out, size_t out_size, struct err *e) {
    size_t length = 0;
    for (size_t i = 0; i < piece->size; i++) {
        const char *from = piece->from + i;
        char c = piece->plus_is_blank && *from == '+' ? ' ' : *from;
        if (length + 1 >= out_size)
            return err_set(e, "the %s is longer than %zu characters", piece->what, out_size - 1);
        if (c == '%') {
            if (piece->size - i < 3 || !isxdigit((unsigned char)from[1]) || !isxdigit((unsigned char)from[2]))
                return err_set(e, "the %s has a '%%' that two hexadecimal digits do not follow", piece->what);
            c = (char)strtol((const char[]){from[1], from[2], '\0'}, NULL, 16);
            i += 2;
        }
        if ((unsigned char)c < 0x20 || c == 0x7F)
            return err_set(e, "the %s has a control character", piece->what);
        out[length++] = c;
    }
    out[length] = '\0';
    return charset_is_utf8(out, length) || err_set(e, "the %s is not UTF-8", piece->what);
}

/* Refuses segments that climb, or that another reader might skip. */
static bool check_segments(const char *path, struct err *e) {
    if (path[0] != '/')
        return err_set(e, "the path does not begin with '/'");
    if (strchr(path, '\\') != NULL)
        return err_set(e, "the path has a backslash");
    for (const char *segment = path; segment != NULL; segment = strchr(segment, '/')) {
        segment++;
        const size_t size = strcspn(segment, "/");
        const bool is_last = segment[size] == '\0';
        if ((size == 0 && !(is_last && segment == path + 1)) || (size == 1 && segment[0] == '.') ||
            (size == 2 && memcmp(segment, "..", 2) == 0))
            return err_set(e, "the path has a segment that is '.', '..' or empty");
    }
    return true;
}

/* A parameter that comes twice is refused: readers differ in which one counts. */
static bool read_parameter(const char *text, size_t size, struct web_target *out, struct message_in *in,
                           struct err *e) {
    const char *equals = memchr(text, '=', size);
    const size_t name_size = equals != NULL ? (size_t)(equals - text) : size;
    const struct piece name = {text, name_size, "name of a parameter", true};
    const struct piece value = {equals != NULL ? equals + 1 : text, equals != NULL ? size - name_size - 1 : 0,
                                "value of a parameter", true};
    const int i = in->query_count;
    if (i == MESSAGE_QUERY_MAX)
        return err_set(e, "more than %d parameters", MESSAGE_QUERY_MAX);
    if (!decode(&name, out->names[i], MESSAGE_VALUE_MAX, e) ||
        !decode(&value, out->values[i], MESSAGE_VALUE_MAX, e))
        return false;
    if (message_query(in, out->names[i]) != NULL)
        return err_set(e, "the parameter '%s' is there twice", out->names[i]);
    in->query[in->query_count++] = (struct message_query){out->names[i], out->values[i]};
    return true;
}

/* The path is judged after decoding: "%2e%2e" is "..". */
bool web_target_read(const char *raw, struct web_target *out, struct message_in *in, struct err *e) {
    const size_t path_size = strcspn(raw, "?");
    const struct piece path = {raw, path_size, "path", false};
    out->path[0] = '\0';
    in->path = out->path;
    in->query_count = 0;
    if (!decode(&path, out->path, sizeof out->path, e) || !check_segments(out->path, e))
        return false;
    for (const char *at = raw + path_size; *at != '\0';) {
        at++;
        const size_t size = strcspn(at, "&");
        if (size > 0 && !read_parameter(at, size, out, in, e))
            return false;
        at += size;
    }
    return true;
}

/* A weight of 0 ("gzip;q=0", "q=0.000") means the opposite. */
bool web_accepts(const char *list, const char *word) {
    const size_t size = strlen(word);
    while (list != NULL && *list != '\0') {
        list += strspn(list, " \t,");
        const size_t length = strcspn(list, " \t,;"), whole = strcspn(list, ",");
        if (length == size && strncasecmp(list, word, size) == 0) {
            const char *weight = strstr(list, "q=0");
            return weight == NULL || weight >= list + whole ||
                   strspn(weight + 2, "0.") < strcspn(weight + 2, ", \t");
        }
        list += whole;
    }
    return false;
}
