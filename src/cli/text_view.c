/* SPDX-License-Identifier: MIT */
#include "cli/text_view.h"

#include "game/geister/geister.h"
#include "game/tbs/tbs.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ---- Geister ---- */

/* The board is shown from the side of the person who looks at it: own pieces are capital letters, the other
 * side's small ones, each followed by r (red), b (blue) or ? (unknown).
 *
 *      0   1   2   3   4   5
 *   0  ^   h?  g?  f?  e?  ^
 *   1  .   d?  c?  b?  a?  . */

#define RED   "\033[1;31m"
#define BLUE  "\033[1;34m"
#define FAINT "\033[2m"
#define RESET "\033[0m"

static const char *const geister_side_names[] = {"first", "second"};
static const char *const direction_names[] = {"north", "east", "west", "south"}; /* ORDER DIRECTIONS */

/* ---- Geister: pieces ---- */

/* 'r', 'b' or '?'. */
static char mark_of(const struct geister *s, int side, int piece) {
    if ((s->known[side] >> piece & 1) == 0)
        return '?';
    return (s->reds[side] >> piece & 1) != 0 ? 'r' : 'b';
}

static const char *colour_name(char mark) {
    return mark == 'r' ? "red" : "blue";
}

static void add_piece(const struct geister *s, int side, int piece, bool own, bool colour, struct text *out) {
    const char mark = mark_of(s, side, piece);
    const char *start = !colour ? "" : mark == 'r' ? RED : mark == 'b' ? BLUE : "";
    text_add(out, "%s%c%c%s", start, (own ? 'A' : 'a') + piece, mark, start[0] != '\0' ? RESET : "");
}

/* ---- Geister: the board ---- */

static void add_cell(const struct geister *s, int viewer, int cell, bool colour, struct text *out) {
    const int at = viewer == 0 ? cell : GEISTER_CELLS - 1 - cell;
    for (int side = 0; side < 2; side++) {
        const int piece = geister_piece_at(s, side, at);
        if (piece >= 0) {
            add_piece(s, side, piece, side == viewer, colour, out);
            return;
        }
    }
    const int y = cell / GEISTER_SIZE, x = cell % GEISTER_SIZE;
    const bool exit = (x == 0 || x == GEISTER_SIZE - 1) && (y == 0 || y == GEISTER_SIZE - 1);
    text_add(out, "%s%s %s", colour ? FAINT : "", !exit ? "." : y == 0 ? "^" : "v", colour ? RESET : "");
}

/* "taken from second: cr eb" */
static void add_taken(const struct geister *s, int side, int viewer, bool colour, struct text *out) {
    int count = 0;
    for (int piece = 0; piece < GEISTER_PIECES; piece++) {
        if (s->where[side][piece] != GEISTER_TAKEN)
            continue;
        if (count++ == 0)
            text_add(out, "  taken from %s:", geister_side_names[side]);
        text_add_string(out, " ");
        add_piece(s, side, piece, side == viewer, colour, out);
    }
    text_add_string(out, count > 0 ? "\n" : "");
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (s->where[side][piece] == GEISTER_ESCAPED)
            text_add(out, "  %c of %s has left the board\n", (side == viewer ? 'A' : 'a') + piece,
                     geister_side_names[side]);
}

static void geister_picture(const void *view, int viewer, bool colour, struct text *out) {
    assert(viewer == 0 || viewer == 1);
    const struct geister *s = view;
    text_add_string(out, "       0   1   2   3   4   5");
    if (s->stage == GEISTER_PLAYING)
        text_add(out, "      after %d of %d moves", s->ply,
                 ((const struct geister_scenario *)s->scenario)->plies);
    text_add_string(out, "\n");
    for (int y = 0; y < GEISTER_SIZE; y++) {
        struct text line = {0};
        for (int x = 0; x < GEISTER_SIZE; x++) {
            text_add_string(&line, "  ");
            add_cell(s, viewer, y * GEISTER_SIZE + x, colour, &line);
        }
        while (line.size > 0 && line.data[line.size - 1] == ' ')
            line.data[--line.size] = '\0';
        text_add(out, "    %d%s\n", y, text_string(&line));
        out->failed = out->failed || line.failed;
        text_done(&line);
    }
    add_taken(s, viewer ^ 1, viewer, colour, out);
    add_taken(s, viewer, viewer, colour, out);
}

/* ---- Geister: descriptions ---- */

static bool leaves(action own) {
    const int x = (int)own / 4 % GEISTER_SIZE, y = (int)own / 4 / GEISTER_SIZE;
    const enum geister_direction d = (enum geister_direction)(own % 4);
    return (d == GEISTER_NORTH && y == 0) || (d == GEISTER_WEST && x == 0) ||
           (d == GEISTER_EAST && x == GEISTER_SIZE - 1);
}

static int cell_after(action a) {
    static const int steps[] = {-GEISTER_SIZE, 1, -1, GEISTER_SIZE}; /* ORDER DIRECTIONS */
    return (int)a / 4 + steps[a % 4];
}

static void add_move(const struct geister *s, action a, int viewer, struct text *out) {
    const int mover = s->mover, piece = geister_piece_at(s, mover, (int)a / 4);
    const action seen = geister_turned(a, viewer);
    text_add(out, "moves %c %s", (mover == viewer ? 'A' : 'a') + piece, direction_names[seen % 4]);
    if (leaves(geister_turned(a, mover))) {
        text_add_string(out, ", off the board");
        return;
    }
    const int to = cell_after(seen), taken = geister_piece_at(s, mover ^ 1, cell_after(a));
    text_add(out, " to %d,%d", to % GEISTER_SIZE, to / GEISTER_SIZE);
    if (taken < 0)
        return;
    const char mark = mark_of(s, mover ^ 1, taken);
    text_add(out, " and takes %c%s%s", (mover == viewer ? 'a' : 'A') + taken, mark == '?' ? "" : ", ",
             mark == '?' ? "" : colour_name(mark));
}

static void geister_action(const void *view, action a, int viewer, struct text *out) {
    char letters[GEISTER_REDS + 1];
    if (!geister_is_setup(a)) {
        add_move(view, a, viewer, out);
        return;
    }
    geister_write_reds(a & ~(action)GEISTER_SETUP_FLAG, letters);
    text_add(out, "chooses %s as its reds", letters);
}

static void geister_end(const void *state, struct text *out) {
    static const char *const ways[] = {[GEISTER_NOT_ENDED] = "",
                                       [GEISTER_BY_ESCAPE] = "a blue piece of it has left the board",
                                       [GEISTER_BY_BLUES] = "it has taken four blues",
                                       [GEISTER_BY_REDS] = "its four reds were taken"};
    const struct geister *s = state;
    if (s->end == GEISTER_BY_LIMIT)
        text_add(out, "a draw after %d moves", s->ply);
    else
        text_add(out, "%s won after %d moves: %s", geister_side_names[s->winner], s->ply, ways[s->end]);
}

/* ---- Geister: typed actions ---- */

/* Converts "a n", "A,North" and "MOV:A,N" to AN, "b c f g" and "SET:BCFG" to BCFG. */
static void geister_typed(const void *state, char *line) {
    const struct geister *s = state;
    const bool prefixed = strncmp(line, "SET:", 4) == 0 || strncmp(line, "MOV:", 4) == 0;
    size_t n = 0;
    for (const char *at = prefixed ? line + 4 : line; *at != '\0'; at++)
        if (!isspace((unsigned char)*at) && *at != ',')
            line[n++] = (char)toupper((unsigned char)*at);
    line[n] = '\0';
    if (s->stage != GEISTER_PLAYING)
        return;
    for (int d = 0; d < 4; d++) { /* replace a direction's name by its letter */
        const char *name = direction_names[d];
        size_t same = 0;
        while (name[same] != '\0' && toupper((unsigned char)name[same]) == line[1 + same])
            same++;
        if (n > 2 && name[same] == '\0' && line[1 + same] == '\0')
            line[2] = '\0';
    }
}

static const char *geister_question(const void *state) {
    const struct geister *s = state;
    return s->stage == GEISTER_PLAYING ? "piece and direction, as in an" : "your four reds, as in bcfg";
}

static const struct text_view geister_view = {
    .game = "geister",
    .picture = geister_picture,
    .action = geister_action,
    .secret = "has chosen its reds",
    .end = geister_end,
    .typed = geister_typed,
    .question = geister_question,
    .how_to_type =
        "  bcfg         at the start: the letters of your four red pieces\n"
        "  an, A N      move piece A north (n, e, s, w as you see the board)\n"
        "  You are the capital letters; r is red, b blue, ? not known. Lead a blue piece out\n"
        "  of a corner marked ^ (north or sideways; some rules allow only one of them), take four\n"
        "  blues, or have your reds taken. The other side leaves by the corners marked v.\n",
};

/* ---- all games ---- */

static const struct text_view default_view = {
    .secret = "has chosen",
    .how_to_type = "  Type the action you choose, as it is written in the brackets.\n",
};

/* The tactical game has its own functions. */
static const struct text_view tactical_view = {.game = "tbs"};

static const struct text_view *const views[] = {&geister_view};

const struct text_view *text_view_of(const struct game *game) {
    if (game_is_tbs(game))
        return &tactical_view;
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
        if (strcmp(views[i]->game, game->name) == 0)
            return views[i];
    return &default_view;
}
