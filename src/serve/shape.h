/* SPDX-License-Identifier: MIT
 *
 * States, actions and thoughts as JSON for the page (docs/http-api.md). What is hidden is left out here and
 * nowhere else: every function takes the viewer and makes its own view first.
 */
#ifndef SERVE_SHAPE_H
#define SERVE_SHAPE_H

#include "game/game.h"
#include "search/thoughts.h"

#include <jansson.h>

/* Who looks: a side, somebody who sees only what is public, or everything. */
enum shape_viewer { SHAPE_FIRST, SHAPE_SECOND, SHAPE_PUBLIC, SHAPE_ALL };

/* All return new values, NULL when memory ran out. */
json_t *shape_state(const struct scenario *scenario, const void *state, enum shape_viewer viewer);

/* The same as text, many times faster: for whole games. */
void shape_write_state(const struct scenario *scenario, const void *state, enum shape_viewer viewer,
                       struct text *out);

/* Of who is to move; json null when nobody is. */
json_t *shape_actions(const struct scenario *scenario, const void *state);

/* What an action would do in a state: "did", as far as the viewer knows before. */
json_t *shape_did(const struct scenario *scenario, const void *state, action a, enum shape_viewer viewer);

/* The same of an action that was played in this (whole) state: what it has shown to all is told. */
json_t *shape_played(const struct scenario *scenario, const void *state, action a, enum shape_viewer viewer);

/* The action's text, or json null where the viewer cannot know it. */
json_t *shape_action(const struct scenario *scenario, const void *state, action a, enum shape_viewer viewer);

/* [{"action": …, "did": …}, …] of a line that begins in this state; as far as it is legal. */
json_t *shape_line(const struct scenario *scenario, const void *state, const action *line, int count,
                   enum shape_viewer viewer);

struct shape_thoughts {
    const struct thoughts *thoughts;
    const char *player; /* spec */
    double seconds;
    int top; /* candidates */
};

/* `state` is what the player saw: a view where something is hidden. Somebody must be to move. */
json_t *shape_thoughts(const struct scenario *scenario, const void *state, const struct shape_thoughts *of);

/* A number as JSON has it: what is no number is 0, and there is an end to infinity. */
json_t *shape_number(double number);

/* The map as the page wants it; json null for games without maps. */
json_t *shape_map(const struct scenario *scenario);

#endif
