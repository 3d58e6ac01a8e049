/* SPDX-License-Identifier: MIT
 *
 * Private to the protocol's session: what its verbs (session.c) and `go` (session_go.c) share.
 */
#ifndef PROTOCOL_SESSION_INSIDE_H
#define PROTOCOL_SESSION_INSIDE_H

#include "match/record.h"
#include "protocol/session.h"

enum { SESSION_SETUPS = 2 }; /* actions of a Geister game before its first move */

/* A game of Geister that is played for one side; see session_side.c. */
struct session_side {
    int plays;         /* the side, or NOBODY: the engine holds the whole game */
    bool is_set;       /* its reds were given, or chosen */
    unsigned own_reds; /* by pieces, bit 0: A */
    unsigned their[2]; /* of the other's pieces: those known to be blue, and red */
};

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
    struct session_side one_side;
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

/* ---- session_side.c: Geister for one side ---- */

static inline bool session_plays_one_side(const struct session *s) {
    return s->one_side.plays != NOBODY;
}

/* The game was begun: it goes on behind both set-ups. */
bool session_side_begin(struct session *s, int plays, struct err *e);

/* What this side knows of the position, also at the end of the game. */
void session_side_view(const struct session *s, void *out);

/* May sequences of so many plies be counted, was the own set-up made, is it this side's turn? False after the
 * answer. */
bool session_side_may_count(const struct session *s, int plies, struct text *out);
bool session_side_is_set(const struct session *s, struct text *out);
bool session_side_is_to_move(const struct session *s, struct text *out);

/* An action of either side, "AN taken=r" with what is seen of it; `text` is changed. */
bool session_side_play(struct session *s, char *text, struct err *e);

void session_setup(struct session *s, char *arguments, struct text *out);        /* the verb setup */
void session_choose_setup(struct session *s, char *arguments, struct text *out); /* the verb setup? */

#endif
