/* SPDX-License-Identifier: MIT
 *
 * States, actions and thoughts as JSON for the page (docs/http-api.md). Only this module removes hidden
 * information: every function takes the viewer and makes its own view first.
 */
#ifndef SERVE_JSON_VIEW_H
#define SERVE_JSON_VIEW_H

#include "game/game.h"
#include "search/search.h"

#include <jansson.h>

/* Who looks: a side, a spectator of a game with hidden parts, or a viewer from whom nothing is hidden. */
enum json_viewer { JSON_VIEWER_FIRST, JSON_VIEWER_SECOND, JSON_VIEWER_PUBLIC, JSON_VIEWER_ALL };

/* All return new values. */
json_t *json_view_state(const struct scenario *scenario, const void *state, enum json_viewer viewer);

/* The same as text, many times faster, for complete games. */
void json_view_write_state(const struct scenario *scenario, const void *state, enum json_viewer viewer,
                           struct text *out);

/* The legal actions of the side to move; json null when the game is over. Complete: the caller must be
 * allowed to see what the side to move sees. */
json_t *json_view_actions(const struct scenario *scenario, const void *state);

/* The effects of an action in a state ("did"), as far as the viewer knows them before it is played. */
json_t *json_view_did(const struct scenario *scenario, const void *state, action a, enum json_viewer viewer);

/* The same for an action that was played in this complete state: includes what it revealed to all. */
json_t *json_view_played(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer);

/* The action's text; json null if the viewer may not see it. */
json_t *json_view_action(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer);

/* [{"action": …, "did": …}, …] of a line that begins in this state; as far as it is legal. */
json_t *json_view_line(const struct scenario *scenario, const void *state, const action *line, int count,
                       enum json_viewer viewer);

struct json_view_thoughts {
    const struct thoughts *thoughts;
    const char *player; /* spec */
    double seconds;
    int top; /* candidates */
};

/* `state` is the player's view. A side must be to move. Candidates that are illegal in `state` are left out.
 * Values of players that expect payoffs are also given as chances to win. */
json_t *json_view_thoughts(const struct scenario *scenario, const void *state,
                           const struct json_view_thoughts *of);

/* A finite number for JSON: NAN becomes 0, large values are clamped. */
json_t *json_view_number(double number);

/* The map for the page; json null for games without maps. */
json_t *json_view_map(const struct scenario *scenario);

#endif
