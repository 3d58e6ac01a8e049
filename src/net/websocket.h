/* SPDX-License-Identifier: MIT
 *
 * The server's side of WebSocket (RFC 6455) without sockets: the answer to the handshake, frames to send,
 * and a reader of what a client sends. Nothing here waits or keeps bytes: the caller owns both buffers.
 *
 *     http_read                 the request; then, if it wants_websocket on our path:
 *     websocket_handshake       101 (from now on frames) or an error (send it, then close)
 *     websocket_write_text      as often as there is news
 *     websocket_read            for what comes from the client, until it says WEBSOCKET_CLOSED
 */
#ifndef NET_WEBSOCKET_H
#define NET_WEBSOCKET_H

#include "net/http.h"

enum {
    WEBSOCKET_FRAME_MAX = 1024, /* payload of one frame of a client, and of a message in fragments */
    WEBSOCKET_BUFFER = WEBSOCKET_FRAME_MAX + 14, /* a buffer of this size always holds one whole frame */
};

enum websocket_code { /* of closing */
                      WEBSOCKET_CODE_NORMAL = 1000,
                      WEBSOCKET_CODE_GOING = 1001, /* the server ends */
                      WEBSOCKET_CODE_PROTOCOL = 1002,
                      WEBSOCKET_CODE_NONE = 1005, /* the client's close frame had none; never sent */
                      WEBSOCKET_CODE_TOO_BIG = 1009,
};

/* Appends the answer to `out`, the official server's bytes for a good one. Returns its status: 101, or 400
 * (no key, no Host), 405 (HEAD), 426 (not WebSocket 13). Where a page comes from (Origin) does not matter, as
 * with the official server: whoever reaches the port may watch. */
int websocket_handshake(const struct http_request *request, struct text *out);

/* Appends one frame. */
void websocket_write_text(const char *bytes, size_t size, struct text *out);
void websocket_write_close(enum websocket_code code, struct text *out);

/* One for each connection; starts as zeros. */
struct websocket_reader {
    bool in_message;     /* fragments are still to come */
    size_t message_size; /* so far */
};

enum websocket_step {
    WEBSOCKET_MORE,   /* no whole frame yet; nothing was taken */
    WEBSOCKET_TAKEN,  /* one frame of `*taken` bytes; call again for the next */
    WEBSOCKET_CLOSED, /* send `answer` and close: the client said goodbye or broke the protocol */
};

/* Takes one frame from the front of the buffer (which it may unmask in place). What has to be answered (pong,
 * close) is appended to `answer`. What clients say in data frames is read and forgotten. */
enum websocket_step websocket_read(struct websocket_reader *reader, char *bytes, size_t size, size_t *taken,
                                   struct text *answer);

#endif
