/* SPDX-License-Identifier: MIT
 *
 * All games without a board of their own: what their notation says.
 */
#include "serve/shape_inside.h"

#include "base/mem.h"

static bool is_any(const struct game *game) {
    return game != NULL;
}

static bool fill_state(json_t *out, const struct scenario *scenario, const void *view) {
    (void)view;
    return json_object_set_new(out, "game", json_string("plain")) == 0 &&
           json_object_set_new(out, "name", json_string(scenario->game->name)) == 0;
}

static json_t *actions(const struct scenario *scenario, const void *state) {
    const struct game *game = scenario->game;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    if (list == NULL)
        return NULL;
    const int count = game->actions(state, list);
    json_t *texts = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(texts, shape_notation(game, state, list[i]));
    mem_free(list);
    return json_pack("{ss so}", "game", "plain", "list", texts);
}

static json_t *did(const struct shape_deed *deed) {
    return json_pack("{ss si so}", "kind", "plain", "side", deed->side, "text",
                     deed->hidden ? json_string("")
                                  : shape_notation(deed->scenario->game, deed->state, deed->action));
}

const struct shape_game shape_plain = {is_any, fill_state, NULL, actions, did};
