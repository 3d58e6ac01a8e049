/* SPDX-License-Identifier: MIT */
#include "net/websocket.h"

#include "base/encode.h"
#include "base/hash.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Section 1.3: what every server appends to the key. */
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

static void write_accept(const char *key, char out[BASE64_CHARS(SHA1_SIZE) + 1]) {
    char both[HTTP_FIELD_MAX + sizeof accept_suffix];
    unsigned char digest[SHA1_SIZE];
    const int size = snprintf(both, sizeof both, "%s%s", key, accept_suffix);
    sha1(both, (size_t)size, digest);
    base64_write(digest, sizeof digest, out);
}

static int handshake_status(const struct http_request *request) {
    if (request->is_head)
        return 405;
    if (!request->wants_websocket || request->websocket_version != 13)
        return 426;
    if (base64_size(request->websocket_key) != KEY_BYTES || request->host[0] == '\0')
        return 400;
    return 101;
}

int websocket_handshake(const struct http_request *request, struct text *out) {
    const int status = handshake_status(request);
    char accept[BASE64_CHARS(SHA1_SIZE) + 1];
    if (status != 101) {
        http_write_error(status, request, out);
        return status;
    }
    write_accept(request->websocket_key, accept);
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

/* WEBSOCKET_TAKEN when all of the head is there (*code is 0, or what is wrong with it). */
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

/* What is wrong with a frame at this point of the conversation, or 0. */
static int frame_error(const struct websocket_reader *reader, const struct frame *frame) {
    if (is_control(frame))
        return frame->opcode > OPCODE_PONG || !frame->is_last || frame->size > CONTROL_MAX
                   ? WEBSOCKET_CODE_PROTOCOL
                   : 0;
    if (frame->opcode > OPCODE_BINARY || (frame->opcode == OPCODE_MORE) != reader->in_message)
        return WEBSOCKET_CODE_PROTOCOL;
    return frame->size > WEBSOCKET_FRAME_MAX - reader->message_size ? WEBSOCKET_CODE_TOO_BIG : 0;
}

static void unmask(struct frame *frame) {
    const char *mask = frame->payload - MASK_SIZE;
    for (uint64_t i = 0; i < frame->size; i++)
        frame->payload[i] ^= mask[i % MASK_SIZE];
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

static enum websocket_step take_frame(struct websocket_reader *reader, const struct frame *frame,
                                      struct text *answer) {
    if (frame->opcode == OPCODE_CLOSE) {
        websocket_write_close(answer_code(frame), answer);
        return WEBSOCKET_CLOSED;
    }
    if (frame->opcode == OPCODE_PING)
        write_frame(OPCODE_PONG, frame->payload, (size_t)frame->size, answer);
    if (!is_control(frame)) {
        reader->in_message = !frame->is_last;
        reader->message_size = frame->is_last ? 0 : reader->message_size + (size_t)frame->size;
    }
    return WEBSOCKET_TAKEN;
}

enum websocket_step websocket_read(struct websocket_reader *reader, char *bytes, size_t size, size_t *taken,
                                   struct text *answer) {
    struct frame frame;
    int code;
    *taken = 0;
    if (read_head(bytes, size, &frame, &code) == WEBSOCKET_MORE)
        return WEBSOCKET_MORE;
    if (code == 0)
        code = frame_error(reader, &frame);
    if (code != 0) {
        websocket_write_close((enum websocket_code)code, answer);
        return WEBSOCKET_CLOSED;
    }
    if (size - frame.head_size < frame.size)
        return WEBSOCKET_MORE;
    unmask(&frame);
    *taken = frame.head_size + (size_t)frame.size;
    return take_frame(reader, &frame, answer);
}
