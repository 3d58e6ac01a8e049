/* SPDX-License-Identifier: MIT
 *
 * One position for commands that look at it (`analyze`, `solve`, `play`, `replay`): where it comes from, and
 * how it, its actions and its end are told to a person. The functions named `tell` take any game; the others
 * know the tactical one only.
 *
 * A command puts a `struct position_source` behind its options --game, --map, --rules and --after, all NULL
 * at first, and calls position_load; position_done at the end, also after a failure.
 */
#ifndef CLI_POSITION_H
#define CLI_POSITION_H

#include "cli/cli.h"
#include "game/tbs/show.h"
#include "match/record.h"

/* NULL means that the option was not given. */
struct position_source {
    const char *map;      /* default: the record's own, or "standard" without a record */
    const char *rules;    /* default: the record's own, or "tubstap" */
    const char *after;    /* RECORD or RECORD:N; default: the start of the map, or of the game */
    const char *game;     /* a spec; default: the record's own, or the tactical game */
    const char *position; /* its text, or what else the game can be told by; default: as above */
    uint64_t seed;        /* of what the game deals, without a record */
    bool any_game;        /* otherwise only the tactical one is understood */
};

struct cli_position {
    struct scenario *scenario;
    struct record record; /* of a map's start: without actions */
    struct replay replay; /* replay.state is the position, replay.turn.taken what its turn has had already */
    bool placed;          /* it was given as text: how it came about is not known */
    bool partial;         /* and something in it is unknown, so that nothing can be played in it */
};

/* CLI_OK, or another status after the reason was printed. The game may be over in that position. */
int position_load(const struct cli_command *command, const struct position_source *source,
                  struct cli_position *out);
void position_done(struct cli_position *position);

/* Prints a line about the turn and HP, then the board with unit ids; `marks` may be NULL. */
void position_show(const void *state, const struct tbs_show *marks, bool colour);

/* "red infantry 3 moves from 1,3 to 2,3 and attacks blue panzer 9: damage 5 of 10 HP, …" */
void position_describe(const void *state, action a, struct text *out);

/* The same in half the width, for a table: "infantry to 2,3, attacks panzer: deals 5 of 10, takes 2 of 9" */
void position_describe_short(const void *state, action a, struct text *out);

/* How a finished game ended: "red won by annihilation", "a draw at the turn limit". */
void position_describe_end(const void *state, struct text *out);

/* In place of a side: somebody who sees everything. */
enum { POSITION_SEES_ALL = 2 };

/* Appends what that side sees, and from its place: a board where the game has one, the state's text
 * otherwise.
 */
void position_draw(const struct scenario *scenario, const void *state, int side, bool colour,
                   struct text *out);

/* Prints the position as a side sees it, and from its place: a board where the game has one. */
void position_tell(const struct scenario *scenario, const void *state, int side, bool colour);

/* "red infantry 3 moves …", "first plays L", "first moves A north to 1,3": to somebody on that side (or who
 * sees all), and no more than it may know: "second has chosen its reds". */
void position_tell_action(const struct scenario *scenario, const void *state, action a, int side,
                          struct text *out);

/* How a finished game ended, as far as a side knows: "red won by annihilation", "first gets 3 of 4",
 * "who gets what depends on what is hidden". */
void position_tell_end(const struct scenario *scenario, const void *state, int side, struct text *out);

/* Copies the state less what that side cannot know. */
void position_view(const struct game *game, const void *state, int side, void *out);

#endif
