/* SPDX-License-Identifier: MIT
 *
 * A position for commands that examine it (`analyze`, `solve`, `play`, `replay`): its source, and
 * descriptions of it, its actions and its end for a person.
 *
 * A command binds a `struct position_source` to its options --game, --map, --rules and --after, all NULL at
 * first, and calls position_load, then position_done, also after a failure.
 */
#ifndef CLI_POSITION_H
#define CLI_POSITION_H

#include "cli/cli.h"
#include "match/record.h"

/* NULL: option not given. */
struct position_source {
    const char *map;      /* default: the record's own, or "standard" without a record */
    const char *rules;    /* default: the record's own, or "tubstap" */
    const char *after;    /* RECORD or RECORD:N; default: the start of the map, or of the game */
    const char *game;     /* a spec; default: the record's own, or the tactical game */
    const char *position; /* as text, or in another notation of the game; default: as above */
    uint64_t seed;        /* of the deal, without a record */
};

struct cli_position {
    struct scenario *scenario;
    struct record record; /* without actions at a map's start */
    struct replay
        replay;   /* replay.state is the position, replay.turn.taken the actions already taken in its turn */
    bool placed;  /* the position was given as text: its history is unknown */
    bool partial; /* and a part of it is unknown, so that no action can be played */
};

/* Returns CLI_OK, or another status after the reason was printed. The game may be over in the position. */
int position_load(const struct position_source *source, struct cli_position *out);

/* False after a message when the game is over in the loaded position. The command's name is a verb that the
 * message uses: "nothing to solve". */
bool position_is_open(const struct cli_position *position);
void position_done(struct cli_position *position);

/* Used instead of a side: an observer who sees everything. */
enum { POSITION_SEES_ALL = 2 };

/* Appends the view of a side, from its side of the board: a board, or the state's text. */
void position_draw(const struct scenario *scenario, const void *state, int side, bool colour,
                   struct text *out);

/* Prints the view of a side, from its side of the board. */
void position_print_view(const struct scenario *scenario, const void *state, int side, bool colour);

/* Appends "red infantry 3 moves …", "first plays L" or "first moves A north to 1,3", limited to what that
 * side may know: "second has chosen its reds". */
void position_add_action(const struct scenario *scenario, const void *state, action a, int side,
                         struct text *out);

/* Appends the result of a finished game as far as the side may know it: "red won by annihilation", "first
 * gets 3 of 4", "who gets what depends on what is hidden". */
void position_add_end(const struct scenario *scenario, const void *state, int side, struct text *out);

/* Copies the state and hides what that side cannot know. */
void position_view(const struct game *game, const void *state, int side, void *out);

#endif
