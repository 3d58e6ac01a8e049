/* SPDX-License-Identifier: MIT
 *
 * How a game looks to people: drawing in the terminal, sentences about actions, JSON for the page. Every
 * entry is optional; a game without a face is shown as the text of its states and actions. All functions get
 * a view, from which hidden parts have been erased.
 */
#ifndef GAME_FACE_H
#define GAME_FACE_H

#include "game/game.h"

#include <jansson.h>

enum { FACE_BOARD_MAX = 32, FACE_CELL_TEXT_MAX = 8, FACE_ACTION_MAX = 16 };

/* A cell of a plain board. */
struct face_cell {
    char text[FACE_CELL_TEXT_MAX]; /* "": nothing stands there; the terminal draws a point */
    char action[FACE_ACTION_MAX];  /* the action that a click plays if it is legal; "": none */
};

struct face_board {
    int width, height;                                      /* at most FACE_BOARD_MAX */
    struct face_cell cells[FACE_BOARD_MAX][FACE_BOARD_MAX]; /* [row][column] */
};

/* A moment of a replay. */
struct face_step {
    const void *state;
    bool has_last;
    action last; /* the action that led here */
    bool colour;
};

/* An action to be described to a viewer. */
struct face_action {
    const struct scenario *scenario;
    const void *state; /* it is played here; may be a world that was drawn */
    const void *known; /* what the viewer knows of colours, cards, …: a view, or the state itself */
    action action;
    int side;    /* the side that plays it */
    bool hidden; /* the viewer may not see which action it is */
};

/* ---- commands of a game in the terminal ---- */

enum { FACE_NOTHING_PICKED = -1 };

/* What a command leads to. */
enum face_reply {
    FACE_PRINT, /* `out` is printed */
    FACE_ASK,   /* `action` is played if the person agrees to the question in `out` */
    FACE_PLAY,  /* the same; the question describes the action */
};

struct face_input {
    const void *state;
    bool colour;
    int picked; /* the piece that commands without a piece are about, or FACE_NOTHING_PICKED */
    action action;
    struct text *out;
};

/* For games in which a person composes an action in steps, and plays many actions in a turn: the board is
 * shown once a turn, and each action is confirmed. */
struct face_console {
    const char *help;   /* whole lines */
    const char *picked; /* what is picked, for the prompt: "unit" */
    enum face_reply (*run)(struct face_input *in, const char *line);
    /* Appends what follows "The game is over": " after 12 turns: red (NAME) wins (annihilation)". */
    void (*result)(const void *state, const char *const players[2], struct text *out);
};

struct game_face {
    /* ---- terminal ---- */

    /* Fills a plain board. Terminal and page draw it, and the page lets people click its cells. */
    void (*board)(const void *view, struct face_board *out);

    /* Appends a picture, from that side of the board (0 or 1), in whole lines. NULL: the plain board, or the
     * text of the state. */
    void (*draw)(const void *view, int side, bool colour, struct text *out);

    /* Appends the line above the picture, without its end. NULL: the game and the side to move. */
    void (*heading)(const void *view, struct text *out);

    /* Appends what a replay shows behind "action 3 of 90". NULL: the side to move, the last action with its
     * description, picture and result. */
    void (*replay)(const struct face_step *step, struct text *out);

    /* Appends a description of an action as that side sees it, to follow the mover's name: "moves A north to
     * 1,3 and takes c"; with `names_mover` it contains that name. NULL: "plays" and the action's text. */
    void (*describe)(const void *view, action a, int side, struct text *out);
    void (*describe_short)(const void *view, action a, int side, struct text *out); /* NULL: `describe` */
    bool names_mover;

    /* Replaces the description when the action is hidden from the reader; NULL: "has chosen". */
    const char *secret;

    /* Appends the result: "first won: its piece escaped". NULL: payoffs, or the result's text. */
    void (*end)(const void *state, struct text *out);

    /* Converts other input for an action to its notation, in place. NULL: only the notation is accepted. */
    void (*typed)(const void *state, char *line);
    const char *(*question)(const void *state); /* for the prompt; NULL: the list of actions */
    const char *how_to_type;                    /* whole lines of help, indented; NULL: a general line */
    const struct face_console *console;         /* NULL: actions are typed; then the three above matter */

    /* ---- page ---- */

    /* Adds the members of this game to the JSON of a state. NULL: "game": "plain", "name", and "board". */
    void (*fill_json)(json_t *out, const struct scenario *scenario, const void *view);

    /* Writes members that are too many for json_t directly as text, each after a comma. NULL: none. */
    void (*write_json)(const void *view, struct text *out);

    /* The legal actions of the side to move. NULL: their texts. */
    json_t *(*actions_json)(const struct scenario *scenario, const void *state);

    /* The effects of an action. NULL: its side and its text. */
    json_t *(*effects_json)(const struct face_action *played);

    /* The map; NULL: there is none. */
    json_t *(*map_json)(const struct scenario *scenario);
};

const struct game_face *game_face(const struct game *game); /* never NULL */

/* The action's notation as a JSON string. */
json_t *face_action_json(const struct game *game, const void *state, action a);

/* ---- what games without entries of their own look like ---- */

void face_draw(const struct game *game, const void *view, int side, bool colour, struct text *out);
void face_fill_json(json_t *out, const struct scenario *scenario, const void *view);
json_t *face_actions_json(const struct scenario *scenario, const void *state);
json_t *face_effects_json(const struct face_action *played);

/* Appends the result of a finished game. */
void face_end(const struct game *game, const void *view, struct text *out);

#endif
