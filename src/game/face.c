/* SPDX-License-Identifier: MIT
 *
 * Entries of a game's face, with the general form where the game has none of its own.
 */
#include "game/face.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* An empty face in place of NULL, so that callers test only the entry they need. */
const struct game_face *game_face(const struct game *game) {
    static const struct game_face none = {0};
    return game->face != NULL ? game->face : &none;
}

/* ---- terminal ---- */

void face_draw(const struct game *game, const void *view, int side, bool colour, struct text *out) {
    assert(side == 0 || side == 1);
    const struct game_face *face = game_face(game);
    if (face->draw != NULL) {
        face->draw(view, side, colour, out);
        return;
    }
    if (face->board != NULL) {
        struct face_board board = {0};
        face->board(view, &board);
        for (int y = 0; y < board.height; y++) {
            text_add_string(out, " ");
            for (int x = 0; x < board.width; x++) {
                const char *text = board.cells[y][x].text;
                text_add(out, " %s", text[0] != '\0' ? text : ".");
            }
            text_add_string(out, "\n");
        }
        return;
    }
    text_add_string(out, "  ");
    game->text->write_state(view, out);
}

/* The general form reads the result text of the notation: the winner, a blank, and how it was won. */
void face_end(const struct game *game, const void *view, struct text *out) {
    const struct game_face *face = game_face(game);
    if (face->end != NULL) {
        face->end(view, out);
        return;
    }
    const char *result = game->text->result(view), *how = strchr(result, ' ');
    const bool is_scaled = game->text->scale != NULL;
    if (strcmp(result, "unknown") == 0)
        text_add_string(out, "who gets what depends on what is hidden");
    else if (!is_scaled && how != NULL && strncmp(result, "draw ", 5) == 0)
        text_add(out, "a draw:%s", how);
    else if (!is_scaled && how != NULL)
        text_add(out, "%.*s won:%s", (int)(how - result), result, how);
    else
        text_add(out, "%s gets %s", game->text->side_names[0], result);
}

/* ---- page ---- */

json_t *face_action_json(const struct game *game, const void *state, action a) {
    struct text text = {0};
    game->text->write_action(state, a, &text);
    json_t *string = json_string(text_string(&text));
    text_done(&text);
    return string;
}

void face_fill_json(json_t *out, const struct scenario *scenario, const void *view) {
    const struct game_face *face = game_face(scenario->game);
    if (face->fill_json != NULL) {
        face->fill_json(out, scenario, view);
        return;
    }
    json_object_set_new(out, "game", json_string("plain"));
    json_object_set_new(out, "name", json_string(scenario->game->name));
    if (face->board == NULL)
        return;
    struct face_board board = {0};
    json_t *rows = json_array();
    face->board(view, &board);
    for (int y = 0; y < board.height; y++) {
        json_t *row = json_array();
        for (int x = 0; x < board.width; x++)
            json_array_append_new(row, json_pack("[ss]", board.cells[y][x].text, board.cells[y][x].action));
        json_array_append_new(rows, row);
    }
    json_object_set_new(out, "board", rows);
}

/* `state` is the view of the side to move, which has the same actions as the state itself. */
json_t *face_actions_json(const struct scenario *scenario, const void *state) {
    const struct game *game = scenario->game;
    if (game_face(game)->actions_json != NULL)
        return game_face(game)->actions_json(scenario, state);
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    const int count = game->actions(state, list);
    json_t *texts = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(texts, face_action_json(game, state, list[i]));
    mem_free(list);
    return json_pack("{ss so}", "game", "plain", "list", texts);
}

json_t *face_effects_json(const struct face_action *played) {
    const struct game *game = played->scenario->game;
    if (game_face(game)->effects_json != NULL)
        return game_face(game)->effects_json(played);
    return json_pack("{ss si so}", "kind", "plain", "side", played->side, "text",
                     played->hidden ? json_string("")
                                    : face_action_json(game, played->state, played->action));
}
