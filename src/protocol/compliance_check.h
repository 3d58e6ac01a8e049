/* SPDX-License-Identifier: MIT
 *
 * Private to the compliance items (compliance.c) and its tests: results, the conversation with the engine,
 * positions from random games, and judging answers there.
 */
#ifndef PROTOCOL_COMPLIANCE_CHECK_H
#define PROTOCOL_COMPLIANCE_CHECK_H

#include "protocol/compliance.h"
#include "protocol/talk.h"

enum { COMPLIANCE_LINE_MAX = 512, COMPLIANCE_PLIES_MAX = 300, COMPLIANCE_LISTEN_MS = 100 };

/* The conversation goes on from item to item; after a failure the next item has a new one. */
struct compliance_check {
    const struct compliance *setup;
    struct compliance_report *report;
    struct compliance_finding *finding; /* of the item that runs */
    struct talk talk;                   /* its link is NULL while there is no conversation */
    struct talk_answer answer;          /* the last one */
    struct talk_strays foreign;         /* lines of answers that the protocol does not have there */
    bool has_seed;                      /* it declares an option `seed` */
};

/* The item's result; the first failure counts. All three return false, so that an item can say `return`. */
bool compliance_pass(struct compliance_check *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool compliance_fail(struct compliance_check *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool compliance_skip(struct compliance_check *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends a line and demands `ok`; otherwise the item has failed. */
bool compliance_ok(struct compliance_check *c, const char *line);

/* The last answer was not what `command` must have: says so. */
bool compliance_fail_answer(struct compliance_check *c, const char *command, const char *expected);

/* A new conversation, in place of the one there is. */
bool compliance_open(struct compliance_check *c);
void compliance_close(struct compliance_check *c, int grace_ms);

/* `sjp 1` and what must be in its answer. */
bool compliance_handshake(struct compliance_check *c);

/* ---- positions ---- */

/* A position somewhere in a random game. */
struct compliance_position {
    int number; /* in the list of positions: its map and its random numbers follow from it */
    const struct scenario *scenario;
    const char *map;
    struct rng rng;
    int count; /* actions from the start */
    action actions[COMPLIANCE_PLIES_MAX];
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* Finds position `number`; with `at_start` it is the map's start. False when memory ran out. */
bool compliance_find_position(struct compliance_check *c, int number, bool at_start,
                              struct compliance_position *p);

/* Plays random actions (at most `plies`) until the other side is to move or, had the game been over, before
 * that; tells the engine. Returns how many were played, -1 after a failure. */
int compliance_play_on(struct compliance_check *c, struct compliance_position *p, int plies);

/* Sends the bytes, one command, and demands `ok` alone; `what` stands for it in messages. */
bool compliance_tell(struct compliance_check *c, const struct text *bytes, const char *what);

/* Is something hidden in the game? Then the engine is sent `position` with what its side sees, never the
 * course of the game: there is no `play` and no `undo`. */
bool compliance_hides(const struct compliance_check *c);

/* `newgame`, `map`, `play` …, or `newgame` and `position`: false after a failure. */
bool compliance_set_up(struct compliance_check *c, const struct compliance_position *p);

/* All that `newgame` and `map` (or `position`) need, to be sent at once. */
void compliance_opening(const struct compliance_position *p, const char *line_end, struct text *newgame,
                        struct text *map);

/* Asks `command` (a `go …`) and demands an action that is legal in the position; with `turn`, actions that
 * end the turn. `best` (may be NULL) gets what it answered. */
bool compliance_go(struct compliance_check *c, const struct compliance_position *p, const char *command,
                   struct text *best);

/* The same for an answer that has been read already. */
bool compliance_best(struct compliance_check *c, const struct compliance_position *p, const char *command,
                     struct text *best);

/* "standard, after 17 actions" */
void compliance_place(const struct compliance_position *p, char *out, size_t out_size);

#endif
