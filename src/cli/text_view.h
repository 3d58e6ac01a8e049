/* SPDX-License-Identifier: MIT
 *
 * How games other than the tactical one are shown to a person: one row for each game, and a default row for
 * those that have no picture.
 */
#ifndef CLI_TEXT_VIEW_H
#define CLI_TEXT_VIEW_H

#include "game/game.h"

struct text_view {
    const char *game; /* the game's name; NULL: all others */

    /* Appends a picture of a view, from that side of the board (0 or 1), in whole lines. NULL: the text of
     * the state. */
    void (*picture)(const void *view, int side, bool colour, struct text *out);

    /* Appends a description of an action as that side sees it, to follow the mover's name: "moves A north
     * to 1,3 and takes c". NULL: "plays" and the action's text. */
    void (*action)(const void *view, action a, int side, struct text *out);

    /* Replaces that description when the action is hidden from the reader. */
    const char *secret;

    /* Appends the result: "first won: its piece escaped". NULL: the payoffs. */
    void (*end)(const void *state, struct text *out);

    /* Converts other input for an action to its notation, in place. NULL: only the notation is accepted. */
    void (*typed)(const void *state, char *line);
    const char *(*question)(const void *state); /* for the prompt; NULL: the list of actions */
    const char *how_to_type;                    /* whole lines of help, indented */
};

/* Never NULL. */
const struct text_view *text_view_of(const struct game *game);

#endif
