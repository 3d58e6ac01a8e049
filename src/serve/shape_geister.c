/* SPDX-License-Identifier: MIT
 *
 * Geister. Colours come from the view that is handed in: one that is not known there is told as unknown.
 */
#include "serve/shape_inside.h"

#include "game/geister/geister.h"

static bool is_geister(const struct game *game) {
    return game == &geister_game;
}

static const char *colour_of(const struct geister *view, int side, int piece) {
    if ((view->known[side] >> piece & 1) == 0)
        return "unknown";
    return (view->reds[side] >> piece & 1) != 0 ? "red" : "blue";
}

static json_t *cell_json(int cell) {
    return cell < GEISTER_CELLS ? shape_cell(cell % GEISTER_SIZE, cell / GEISTER_SIZE) : json_null();
}

static json_t *letter_json(int piece) {
    const char letter = (char)('A' + piece);
    return json_stringn(&letter, 1);
}

/* ---- states ---- */

static json_t *piece_json(const struct geister *s, int side, int piece) {
    const int where = s->where[side][piece];
    const char *fate = where == GEISTER_TAKEN ? "taken" : where == GEISTER_ESCAPED ? "escaped" : "board";
    return json_pack("{si so so ss ss}", "side", side, "letter", letter_json(piece), "at", cell_json(where),
                     "fate", fate, "colour", colour_of(s, side, piece));
}

static bool fill_state(json_t *out, const struct scenario *scenario, const void *view) {
    static const char *const phases[] = {[GEISTER_FIRST_SETS] = "setup",
                                         [GEISTER_SECOND_SETS] = "setup",
                                         [GEISTER_PLAYING] = "play",
                                         [GEISTER_OVER] = "over"};
    const struct geister_scenario *rules = (const struct geister_scenario *)(const void *)scenario;
    const struct geister *s = view;
    json_t *pieces = json_array();
    for (int side = 0; side < 2; side++)
        for (int piece = 0; piece < GEISTER_PIECES; piece++)
            json_array_append_new(pieces, piece_json(s, side, piece));
    json_t *more = json_pack("{ss ss si si so s{sb sb}}", "game", "geister", "phase", phases[s->stage], "ply",
                             s->ply, "plies_max", rules->plies, "pieces", pieces, "exits", "forward",
                             rules->forward, "sideways", rules->sideways);
    const bool ok = more != NULL && json_object_update(out, more) == 0;
    json_decref(more);
    return ok;
}

/* ---- actions ---- */

/* Where a move leads, or GEISTER_ESCAPED. Nobody steps off the board but to leave. */
static int target_of(action a) {
    static const int steps[][2] = {[GEISTER_NORTH] = {0, -1},
                                   [GEISTER_EAST] = {1, 0},
                                   [GEISTER_WEST] = {-1, 0},
                                   [GEISTER_SOUTH] = {0, 1}};
    const int cell = (int)a / 4, x = cell % GEISTER_SIZE + steps[a % 4][0],
              y = cell / GEISTER_SIZE + steps[a % 4][1];
    return x < 0 || y < 0 || x >= GEISTER_SIZE || y >= GEISTER_SIZE ? GEISTER_ESCAPED : y * GEISTER_SIZE + x;
}

static json_t *move_json(const struct geister *s, action a) {
    return json_pack("{so so so so}", "action", shape_notation(&geister_game, s, a), "letter",
                     letter_json(geister_piece_at(s, s->mover, (int)a / 4)), "from", cell_json((int)a / 4),
                     "to", cell_json(target_of(a)));
}

static json_t *actions(const struct scenario *scenario, const void *state) {
    const struct geister *s = state;
    const bool is_setup = s->stage != GEISTER_PLAYING;
    action list[GEISTER_SETUPS];
    (void)scenario;
    const int count = is_setup ? 0 : geister_game.actions(state, list);
    json_t *moves = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(moves, move_json(s, list[i]));
    return json_pack("{ss sb so}", "game", "geister", "setup", is_setup, "moves", moves);
}

/* ---- what an action does ---- */

static json_t *setup_json(const struct shape_deed *deed) {
    char letters[GEISTER_REDS + 1];
    geister_write_reds(deed->action & ~(action)GEISTER_SETUP_FLAG, letters);
    return json_pack("{ss si so}", "kind", "setup", "side", deed->side, "reds",
                     deed->hidden ? json_null() : json_string(letters));
}

/* Left out when nothing is taken. */
static json_t *taken_json(const struct shape_deed *deed, int cell) {
    const int other = deed->side ^ 1;
    const int piece = cell < GEISTER_CELLS ? geister_piece_at(deed->state, other, cell) : -1;
    return piece < 0 ? NULL
                     : json_pack("{so ss}", "letter", letter_json(piece), "colour",
                                 colour_of(deed->known, other, piece));
}

static json_t *did(const struct shape_deed *deed) {
    const int from = (int)deed->action / 4;
    if (geister_is_setup(deed->action))
        return setup_json(deed);
    return json_pack("{ss si so so so so*}", "kind", "geister", "side", deed->side, "letter",
                     letter_json(geister_piece_at(deed->state, deed->side, from)), "from", cell_json(from),
                     "to", cell_json(target_of(deed->action)), "took",
                     taken_json(deed, target_of(deed->action)));
}

const struct shape_game shape_geister = {is_geister, fill_state, NULL, actions, did};
