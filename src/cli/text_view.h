/* SPDX-License-Identifier: MIT
 *
 * How games other than the tactical one are shown to a person: one row for each game, and a default row for
 * those that have no picture.
 */
#ifndef CLI_TEXT_VIEW_H
#define CLI_TEXT_VIEW_H

#include "game/game.h"

struct text_view {
    const char *game; /* its name; NULL: all others */

    /* Appends a picture of a view, from that side's place (0 or 1), whole lines. NULL: the text of the state.
     */
    void (*picture)(const void *view, int side, bool colour, struct text *out);

    /* What an action does, as that side sees the board, in words that follow the mover's name: "moves A north
     * to 1,3 and takes c". NULL: "plays" and the action's text. */
    void (*action)(const void *view, action a, int side, struct text *out);

    /* In place of those words where the action is hidden from who reads them. */
    const char *secret;

    /* How it ended, in words: "first won: its piece escaped". NULL: who gets what. */
    void (*end)(const void *state, struct text *out);

    /* What a person may type for an action beside its text: changes it into that. NULL: nothing else. */
    void (*typed)(const void *state, char *line);
    const char *(*question)(const void *state); /* for the prompt; NULL: the list of actions */
    const char *how_to_type;                    /* whole lines of help, indented */
};

/* Never NULL. */
const struct text_view *text_view_of(const struct game *game);

#endif
