/* SPDX-License-Identifier: MIT
 *
 * One conversation of the engine protocol, line by line, without any input or output of its own: `senjutsu
 * engine` feeds it from standard input, tests and the fuzzer from memory. docs/protocol.md is the reference.
 */
#ifndef PROTOCOL_SESSION_H
#define PROTOCOL_SESSION_H

#include "base/clock.h"
#include "base/text.h"
#include "player/player.h"

#include <stdatomic.h>

enum {
    SESSION_TURN_MAX = 256, /* actions of one turn that are answered at once */
    SESSION_LINE_MAX = 65536,
    SESSION_PERFT_MAX = 32,
    SESSION_TIME_MAX = 1000000000 /* milliseconds */
};

struct session;

/* What a peer over the network may use: its wishes cost our memory and our cores. A peer that asks for more
 * gets a sentence. */
struct session_limits {
    int memory_mb, threads; /* of all the players that one spec names, together */
    int64_t command_ns;     /* the longest that one go or perft may take; needs a clock */
};

struct session_setup {
    const char *version;
    const char *player; /* spec of the player that answers `go` */
    /* Who answers in that game while `setoption player` has chosen nobody; NULL: `player` in all of them. */
    const char *(*usual_player)(const struct game *game);
    const char
        *game; /* a spec: begins with it, as if there had been a `newgame`; NULL: with the tactical game */
    uint64_t seed;
    const struct clock *clock;           /* for `go time`; NULL: that is refused */
    const atomic_bool *stop;             /* ends a running go or perft; NULL: nothing does */
    const struct session_limits *limits; /* NULL: none; otherwise the other end is a peer over the network */
    bool files;                          /* may `map PATH` open files? */
    const struct grant *grant;           /* what players may do beside thinking; NULL: nothing */
};

struct session *session_open(const struct session_setup *setup, struct err *e);
void session_close(struct session *session);

/* Takes one line (without its line end) and appends the answer. False after `quit`, and after a line that no
 * program speaking the protocol sends, when the other end is a peer over the network (see
 * session_is_foreign). */
bool session_line(struct session *session, const char *line, struct text *out);

/* Is that the line of another protocol: an HTTP request or header, or bytes that are no text (TLS, STUN)? A
 * web page can make a browser connect to any port and send lines of the page's choice, but only behind such a
 * beginning. */
bool session_is_foreign(const char *line);

#endif
