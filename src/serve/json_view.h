/* SPDX-License-Identifier: MIT
 *
 * States, actions and thoughts as JSON for the page (docs/http-api.md). What is hidden is left out here and
 * nowhere else: every function takes the viewer and makes its own view first.
 */
#ifndef SERVE_JSON_VIEW_H
#define SERVE_JSON_VIEW_H

#include "game/game.h"
#include "search/thoughts.h"

#include <jansson.h>

/* Who looks: a side, somebody who sees only what is public, or everything. */
enum json_viewer { JSON_VIEWER_FIRST, JSON_VIEWER_SECOND, JSON_VIEWER_PUBLIC, JSON_VIEWER_ALL };

/* All return new values, NULL when memory ran out. */
json_t *json_view_state(const struct scenario *scenario, const void *state, enum json_viewer viewer);

/* The same as text, many times faster: for whole games. */
void json_view_write_state(const struct scenario *scenario, const void *state, enum json_viewer viewer,
                           struct text *out);

/* Of who is to move; json null when nobody is. */
json_t *json_view_actions(const struct scenario *scenario, const void *state);

/* What an action would do in a state: "did", as far as the viewer knows before. */
json_t *json_view_did(const struct scenario *scenario, const void *state, action a, enum json_viewer viewer);

/* The same of an action that was played in this (whole) state: what it has shown to all is told. */
json_t *json_view_played(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer);

/* The action's text, or json null where the viewer cannot know it. */
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

/* `state` is what the player saw: a view where something is hidden. Somebody must be to move. */
json_t *json_view_thoughts(const struct scenario *scenario, const void *state,
                           const struct json_view_thoughts *of);

/* A number as JSON has it: what is no number is 0, and there is an end to infinity. */
json_t *json_view_number(double number);

/* The map as the page wants it; json null for games without maps. */
json_t *json_view_map(const struct scenario *scenario);

#endif
