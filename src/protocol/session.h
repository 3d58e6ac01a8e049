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

struct session_setup {
    const char *version;
    const char *player; /* spec of the player that answers `go` */
    /* Who answers in that game while `setoption player` has chosen nobody; NULL: `player` in all of them. */
    const char *(*usual_player)(const struct game *game);
    const char
        *game; /* a spec: begins with it, as if there had been a `newgame`; NULL: with the tactical game */
    uint64_t seed;
    const struct clock *clock; /* for `go time`; NULL: that is refused */
    const atomic_bool *stop;   /* ends a running go or perft; NULL: nothing does */
    bool files;                /* may `map PATH` open files? */
    bool outsiders;            /* may `setoption player` choose external players, that is, start programs? */
};

struct session *session_open(const struct session_setup *setup, struct err *e);
void session_close(struct session *session);

/* Takes one line (without its line end) and appends the answer. False after `quit`. */
bool session_line(struct session *session, const char *line, struct text *out);

#endif
