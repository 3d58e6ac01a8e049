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

/* The conversation continues from item to item; after a failure the next item opens a new one. */
struct compliance_check {
    const struct compliance *setup;
    struct compliance_report *report;
    struct compliance_finding *finding; /* of the current item */
    struct talk talk;                   /* its link is NULL without a conversation */
    struct talk_answer answer;          /* the last one */
    struct talk_strays foreign; /* lines that the protocol does not allow in the answers they were in */
    bool has_seed;              /* it declares an option `seed` */
};

/* Sets the item's result; the first failure is final. All three return false, so that an item can `return`
 * the call. */
bool compliance_pass(struct compliance_check *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool compliance_fail(struct compliance_check *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool compliance_skip(struct compliance_check *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends a line and expects `ok`; anything else fails the item. */
bool compliance_ok(struct compliance_check *c, const char *line);

/* Fails the item because the last answer is not a valid answer to `command`. */
bool compliance_fail_answer(struct compliance_check *c, const char *command, const char *expected);

/* Opens a new conversation and closes the previous one. */
bool compliance_open(struct compliance_check *c);
void compliance_close(struct compliance_check *c, int grace_ms);

/* Sends `sjp 1` and checks the answer. */
bool compliance_handshake(struct compliance_check *c);

/* ---- positions ---- */

/* A position of a random game. */
struct compliance_position {
    int number; /* index of the position: determines its map and its random numbers */
    const struct scenario *scenario;
    const char *map;
    struct rng rng;
    int count; /* actions from the start */
    action actions[COMPLIANCE_PLIES_MAX];
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* Finds position `number`; with `at_start` it is the map's start. */
void compliance_find_position(struct compliance_check *c, int number, bool at_start,
                              struct compliance_position *p);

/* Plays random actions (at most `plies`) until the other side is to move, but stops before the end of the
 * game, and sends them to the engine. Returns their number, -1 after a failure. */
int compliance_play_on(struct compliance_check *c, struct compliance_position *p, int plies);

/* Sends the bytes of one command and expects `ok` alone; messages name it `what`. */
bool compliance_send(struct compliance_check *c, const struct text *bytes, const char *what);

/* True when the game hides something. Then the engine is sent `position` with its side's view, never the
 * history: `play` and `undo` are not used. */
bool compliance_hides(const struct compliance_check *c);

/* Is the first command after `newgame` a map? Otherwise it is a position. */
bool compliance_has_map(const struct compliance_check *c);

/* Sends `newgame`, `map` and `play` …, or `newgame` and `position`. False after a failure. */
bool compliance_set_up(struct compliance_check *c, const struct compliance_position *p);

/* Writes the complete `newgame` and `map` (or `position`) commands. */
void compliance_opening(const struct compliance_position *p, const char *line_end, struct text *newgame,
                        struct text *map);

/* Sends `command` (a `go …`) and expects a legal action; with `turn`, legal actions that end the turn.
 * `best` (may be NULL) gets the answer. */
bool compliance_go(struct compliance_check *c, const struct compliance_position *p, const char *command,
                   struct text *best);

/* The same for an answer that has already been read. */
bool compliance_best(struct compliance_check *c, const struct compliance_position *p, const char *command,
                     struct text *best);

/* "standard, after 17 actions" */
void compliance_describe(const struct compliance_position *p, char *out, size_t out_size);

#endif
