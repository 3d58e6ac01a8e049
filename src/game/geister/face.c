/* SPDX-License-Identifier: MIT
 *
 * Geister in the terminal and on the page. A colour that is unknown in the view is shown as unknown.
 */
#include "game/face.h"
#include "game/geister/core.h"

#include <assert.h>
#include <ctype.h>

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

static const char *const side_names[] = {"first", "second"};
static const char *const direction_names[] = {"north", "east", "west", "south"}; /* ORDER DIRECTIONS */

/* ---- the board ---- */

/* The first letter is also the mark of the colour on the board. */
static const char *colour_of(const struct geister *view, int side, int piece) {
    if ((view->known[side] >> piece & 1) == 0)
        return "unknown";
    return (view->reds[side] >> piece & 1) != 0 ? "red" : "blue";
}

static void add_piece(const struct geister *s, int side, int piece, bool own, bool colour, struct text *out) {
    const char mark = colour_of(s, side, piece)[0];
    const char *start = !colour || mark == 'u' ? "" : mark == 'r' ? RED : BLUE;
    text_add(out, "%s%c%c%s", start, (own ? 'A' : 'a') + piece, mark == 'u' ? '?' : mark,
             start[0] != '\0' ? RESET : "");
}

static void add_cell(const struct geister *s, int viewer, int cell, bool colour, struct text *out) {
    const int at = viewer == 0 ? cell : GEISTER_CELLS - 1 - cell;
    for (int side = 0; side < 2; side++) {
        const int piece = geister_piece_at(s, side, at);
        if (piece < 0)
            continue;
        add_piece(s, side, piece, side == viewer, colour, out);
        return;
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
            text_add(out, "  taken from %s:", side_names[side]);
        text_add_string(out, " ");
        add_piece(s, side, piece, side == viewer, colour, out);
    }
    text_add_string(out, count > 0 ? "\n" : "");
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (s->where[side][piece] == GEISTER_ESCAPED)
            text_add(out, "  %c of %s has left the board\n", (side == viewer ? 'A' : 'a') + piece,
                     side_names[side]);
}

static void draw(const void *view, int viewer, bool colour, struct text *out) {
    assert(viewer == 0 || viewer == 1);
    const struct geister *s = view;
    text_add_string(out, "       0   1   2   3   4   5");
    if (s->stage == GEISTER_PLAYING)
        text_add(out, "      after %d of %d moves", s->ply, core_scenario(s)->plies);
    text_add_string(out, "\n");
    for (int y = 0; y < GEISTER_SIZE; y++) {
        text_add(out, "    %d", y);
        for (int x = 0; x < GEISTER_SIZE; x++) {
            text_add_string(out, "  ");
            add_cell(s, viewer, y * GEISTER_SIZE + x, colour, out);
        }
        while (out->data[out->size - 1] == ' ') /* the row's number ends this */
            out->data[--out->size] = '\0';
        text_add_string(out, "\n");
    }
    add_taken(s, viewer ^ 1, viewer, colour, out);
    add_taken(s, viewer, viewer, colour, out);
}

/* ---- descriptions ---- */

/* Cells, letters and directions are the viewer's; the colour of a taken piece is named if the view has it. */
static void describe(const void *view, action a, int viewer, struct text *out) {
    const struct geister *s = view;
    if (geister_is_setup(a)) {
        char letters[GEISTER_REDS + 1];
        geister_write_reds(a & ~(action)GEISTER_SETUP_FLAG, letters);
        text_add(out, "chooses %s as its reds", letters);
        return;
    }
    const int mover = s->mover, piece = geister_piece_at(s, mover, (int)a / 4);
    const action seen = geister_turned(a, viewer);
    text_add(out, "moves %c %s", (mover == viewer ? 'A' : 'a') + piece, direction_names[seen % 4]);
    const int to = core_target(seen);
    if (to == GEISTER_ESCAPED) {
        text_add_string(out, ", off the board");
        return;
    }
    text_add(out, " to %d,%d", to % GEISTER_SIZE, to / GEISTER_SIZE);
    const int taken = geister_piece_at(s, mover ^ 1, core_target(a));
    if (taken >= 0)
        text_add(out, " and takes %c", (mover == viewer ? 'a' : 'A') + taken);
    if (taken >= 0 && (s->known[mover ^ 1] >> taken & 1) != 0)
        text_add(out, ", %s", colour_of(s, mover ^ 1, taken));
}

static void describe_end(const void *state, struct text *out) {
    static const char *const ways[] = {[GEISTER_NOT_ENDED] = "",
                                       [GEISTER_BY_ESCAPE] = "a blue piece of it has left the board",
                                       [GEISTER_BY_BLUES] = "it has taken four blues",
                                       [GEISTER_BY_REDS] = "its four reds were taken"};
    const struct geister *s = state;
    if (s->end == GEISTER_BY_LIMIT)
        text_add(out, "a draw after %d moves", s->ply);
    else
        text_add(out, "%s won after %d moves: %s", side_names[s->winner], s->ply, ways[s->end]);
}

/* ---- typed actions ---- */

/* Converts "a n", "A,North" and "MOV:A,N" to AN, "b c f g" and "SET:BCFG" to BCFG. */
static void read_typed(const void *state, char *line) {
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

static const char *question(const void *state) {
    const struct geister *s = state;
    return s->stage == GEISTER_PLAYING ? "piece and direction, as in an" : "your four reds, as in bcfg";
}

/* ---- page ---- */

/* Null for a piece that is taken or has left. */
static json_t *cell_json(int cell) {
    return cell < GEISTER_CELLS ? json_pack("[ii]", cell % GEISTER_SIZE, cell / GEISTER_SIZE) : json_null();
}

static json_t *letter_json(int piece) {
    const char letter = (char)('A' + piece);
    return json_stringn(&letter, 1);
}

static void fill_json(json_t *out, const struct scenario *scenario, const void *view) {
    static const char *const phases[] = {"setup", "setup", "play", "over"}; /* by enum geister_stage */
    const struct geister_scenario *rules = (const struct geister_scenario *)(const void *)scenario;
    const struct geister *s = view;
    json_t *pieces = json_array();
    for (int i = 0; i < 2 * GEISTER_PIECES; i++) {
        const int side = i / GEISTER_PIECES, piece = i % GEISTER_PIECES, where = s->where[side][piece];
        const char *fate = where == GEISTER_TAKEN ? "taken" : where == GEISTER_ESCAPED ? "escaped" : "board";
        json_array_append_new(pieces,
                              json_pack("{si so so ss ss}", "side", side, "letter", letter_json(piece), "at",
                                        cell_json(where), "fate", fate, "colour", colour_of(s, side, piece)));
    }
    json_t *more = json_pack("{ss ss si si so s{sb sb}}", "game", "geister", "phase", phases[s->stage], "ply",
                             s->ply, "plies_max", rules->plies, "pieces", pieces, "exits", "forward",
                             rules->forward, "sideways", rules->sideways);
    json_object_update_new(out, more);
}

/* A choice of reds is announced by `setup` alone: its 70 actions are not listed. */
static json_t *actions_json(const struct scenario *scenario, const void *state) {
    const struct geister *s = state;
    const bool is_setup = s->stage != GEISTER_PLAYING;
    action list[GEISTER_SETUPS];
    (void)scenario;
    const int count = is_setup ? 0 : geister_actions(state, list);
    json_t *moves = json_array();
    for (int i = 0; i < count; i++) {
        const int from = (int)list[i] / 4;
        json_array_append_new(moves, json_pack("{so so so so}", "action",
                                               face_action_json(&geister_game, s, list[i]), "letter",
                                               letter_json(geister_piece_at(s, s->mover, from)), "from",
                                               cell_json(from), "to", cell_json(core_target(list[i]))));
    }
    return json_pack("{ss sb so}", "game", "geister", "setup", is_setup, "moves", moves);
}

/* `known` decides which colour of a taken piece the viewer sees. */
static json_t *effects_json(const struct face_action *played) {
    const int side = played->side, from = (int)played->action / 4;
    if (geister_is_setup(played->action)) {
        char letters[GEISTER_REDS + 1];
        geister_write_reds(played->action & ~(action)GEISTER_SETUP_FLAG, letters);
        return json_pack("{ss si so}", "kind", "setup", "side", side, "reds",
                         played->hidden ? json_null() : json_string(letters));
    }
    const int to = core_target(played->action);
    const int taken = to < GEISTER_CELLS ? geister_piece_at(played->state, side ^ 1, to) : -1;
    json_t *took = taken < 0 ? NULL /* then the member is left out */
                             : json_pack("{so ss}", "letter", letter_json(taken), "colour",
                                         colour_of(played->known, side ^ 1, taken));
    return json_pack("{ss si so so so so*}", "kind", "geister", "side", side, "letter",
                     letter_json(geister_piece_at(played->state, side, from)), "from", cell_json(from), "to",
                     cell_json(to), "took", took);
}

const struct game_face geister_face = {
    .draw = draw,
    .describe = describe,
    .secret = "has chosen its reds",
    .end = describe_end,
    .typed = read_typed,
    .question = question,
    .how_to_type =
        "  bcfg         at the start: the letters of your four red pieces\n"
        "  an, A N      move piece A north (n, e, s, w as you see the board)\n"
        "  You are the capital letters; r is red, b blue, ? not known. Lead a blue piece out\n"
        "  of a corner marked ^ (north or sideways; some rules allow only one of them), take four\n"
        "  blues, or have your reds taken. The other side leaves by the corners marked v.\n",
    .fill_json = fill_json,
    .actions_json = actions_json,
    .effects_json = effects_json,
};
