/* SPDX-License-Identifier: MIT
 *
 * Private to shape*.c: what differs between games.
 */
#ifndef SERVE_SHAPE_INSIDE_H
#define SERVE_SHAPE_INSIDE_H

#include "serve/shape.h"

/* An action to be told. */
struct shape_deed {
    const struct scenario *scenario;
    const void *state; /* it is played here; may be a world that was drawn */
    const void *known; /* what is known of the colours, cards, … : a view, or the state itself */
    action action;
    int side;    /* whose it is */
    bool hidden; /* which action it is must not be told */
};

struct shape_game {
    bool (*is)(const struct game *game);
    /* Adds the members of this game alone; false when memory ran out. */
    bool (*fill_state)(json_t *out, const struct scenario *scenario, const void *view);
    /* May be NULL. Members of which a game has so many that they are written as text at once, each behind a
     * comma. */
    void (*write_more)(const void *view, struct text *out);
    json_t *(*actions)(const struct scenario *scenario, const void *state);
    json_t *(*did)(const struct shape_deed *deed);
};

extern const struct shape_game shape_tbs, shape_geister, shape_plain;

json_t *shape_cell(int x, int y);

/* The action as text. */
json_t *shape_notation(const struct game *game, const void *state, action a);

#endif
