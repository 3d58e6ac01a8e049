/* SPDX-License-Identifier: MIT
 *
 * The lines of the official Geister server's protocol as text. geister_session.h and geister_client.h are its
 * two ends. Lines end with CR LF in both directions.
 *
 *     SET?            SET:BCFG        OK | NG
 *     MOV?BOARD       MOV:A,N         OK | OKR | OKB | NG     (a blank follows OK and NG)
 *     WON:BOARD       LST:BOARD       DRW:BOARD
 */
#ifndef NET_GEISTER_H
#define NET_GEISTER_H

#include "base/err.h"
#include "game/geister/geister.h"

enum {
    GEISTER_PORT_FIRST = 10000,
    GEISTER_PORT_SECOND = 10001,
    GEISTER_PORT_VIEWER = 8080,
    GEISTER_LINE_MAX = 256,  /* bytes of one line that is received, its end included */
    GEISTER_ANSWER_MAX = 16, /* bytes of a client's line to send, CR LF and NUL included */
};

/* A client's line, without its end. */
enum geister_command { GEISTER_COMMAND_SET, GEISTER_COMMAND_MOVE, GEISTER_COMMAND_BAD };

/* A client's line, parsed; piece (0 … 7) and direction are from the sender's point of view. */
struct geister_request {
    enum geister_command command;
    unsigned reds;
    int piece;
    enum geister_direction direction;
};

/* Accepts exactly what the official server accepts: SET and MOV in capitals, letters in any case, long
 * direction names, word characters after the piece's letter. GEISTER_COMMAND_BAD for everything else. */
void geister_read_request(const char *line, size_t size, struct geister_request *out);

/* Writes the line, with CR LF, that asks for this action of that side. */
void geister_write_request(const struct geister *s, int side, action a, char out[GEISTER_ANSWER_MAX]);

/* The action a request means in that state (for its mover), if it is legal. */
bool geister_request_action(const struct geister *s, const struct geister_request *request, action *out);

/* A server's line, for clients. */
enum geister_reply {
    GEISTER_REPLY_SET,
    GEISTER_REPLY_MOVE,
    GEISTER_REPLY_OK,
    GEISTER_REPLY_OK_RED,
    GEISTER_REPLY_OK_BLUE,
    GEISTER_REPLY_NG,
    GEISTER_REPLY_WON,
    GEISTER_REPLY_LOST,
    GEISTER_REPLY_DRAWN,
    GEISTER_REPLY_BAD,
};

enum geister_reply geister_read_reply(const char *line, const char **board);

#endif
