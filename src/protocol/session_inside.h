/* SPDX-License-Identifier: MIT
 *
 * Private to the protocol's session: what its verbs (session.c) and `go` (session_go.c) share.
 */
#ifndef PROTOCOL_SESSION_INSIDE_H
#define PROTOCOL_SESSION_INSIDE_H

#include "match/record.h"
#include "protocol/session.h"

struct session {
    struct session_setup setup;
    struct text player_spec;
    bool player_chosen;    /* by `setoption` */
    struct spec game_spec; /* points into itself: filled in place */
    const struct game *game;
    struct scenario *scenario; /* NULL before a map, where the game needs one */
    struct player *player;     /* opened at the first go */
    struct record record;
    struct replay replay;
    bool placed;  /* the position was sent as text: the record begins there, and not at the game's start */
    bool partial; /* and it is what one side sees of it: nothing can be played on it */
    _Alignas(16) unsigned char base[GAME_STATE_MAX]; /* that position */
    action *actions;
    uint64_t decisions; /* numbers the random streams of `go` */
    uint64_t games;     /* begun since the seed was set: numbers what is dealt */
    bool in_map;
    bool map_too_large; /* as a whole, or a line of it */
    struct text map_lines;
};

void session_error(struct text *out, const struct err *e);

/* False (and the answer is given) when there is none. */
bool session_has_position(const struct session *s, struct text *out);

/* What one command may use: the setup's stop, and the time of a peer over the network. */
struct budget session_budget(const struct session *s);

/* Has that time run out? */
bool session_time_is_over(const struct budget *budget);

void session_go(struct session *s, char *arguments, struct text *out);

#endif
