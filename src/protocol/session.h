/* SPDX-License-Identifier: MIT
 *
 * One conversation of the engine protocol (docs/protocol.md), line by line, without input or output of its
 * own: `senjutsu engine` feeds it from standard input, tests and the fuzzer from memory.
 */
#ifndef PROTOCOL_SESSION_H
#define PROTOCOL_SESSION_H

#include "player/player.h"

#include <stdatomic.h>

enum {
    SESSION_TURN_MAX = 256, /* most actions in one answer */
    SESSION_LINE_MAX = 65536,
    SESSION_PERFT_MAX = 32,
    SESSION_TIME_MAX = 1000000000 /* milliseconds */
};

struct session;

/* Limits of a network peer, whose requests cost memory and cores of this machine. A request beyond them is
 * answered with an error. */
struct session_limits {
    int memory_mb, threads; /* total of all players in one spec */
    int64_t command_ns;     /* longest time of one go or perft; needs a clock */
};

struct session_setup {
    const char *version;
    const char *player; /* spec of the player that answers `go` */
    /* Each game is played by its own opponent while `setoption player` has not chosen another player. */
    bool plays_opponents;
    const char *game; /* spec of the first game, as after a `newgame`; NULL: the tactical game */
    uint64_t seed;
    const struct clock *clock;           /* for `go time`; NULL: refuses it */
    const atomic_bool *stop;             /* ends a running go or perft; may be NULL */
    const struct session_limits *limits; /* NULL: none; otherwise the peer is on the network */
    bool files;                          /* `map PATH` may open files */
    const struct grant *grant;           /* what players may do besides thinking; NULL: nothing */
};

/* NULL and a reason when the player or the game is wrong. The setup is copied; what it points to stays the
 * caller's and outlives the session. A session is for one thread; only `stop` may be set by another one. */
struct session *session_open(const struct session_setup *setup, struct err *e);
/* Frees the session with its player, and so ends a program that plays for it. */
void session_close(struct session *session);

/* Processes one line (without its line end) and appends the answer. False after `quit`; for a network peer
 * also after a line that no program speaking the protocol sends (see session_is_foreign). */
bool session_line(struct session *session, const char *line, struct text *out);

/* True for a line of another protocol: an HTTP request or header, or bytes that are not text (TLS, STUN).
 * A web page can make a browser connect to any port and send lines of its choice, but only after such a
 * line. */
bool session_is_foreign(const char *line);

#endif
