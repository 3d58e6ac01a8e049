/* SPDX-License-Identifier: MIT */
#include "serve/positions.h"

#include "serve/ground.h"
#include "serve/shape.h"

#include "base/mem.h"

#include <string.h>

enum { PLAYED_MAX = 512 }; /* actions in one request */

/* A position is whole, or it is a view already: nothing more is to be hidden. */
static json_t *show_position(const struct ground_position *p) {
    return json_pack("{so so so}", "state", shape_state(p->scenario, p->replay.state, SHAPE_ALL), "map",
                     shape_map(p->scenario), "actions", shape_actions(p->scenario, p->replay.state));
}

/* ---- playing ---- */

static json_t *show_step(const struct ground_position *p, const void *before, action a) {
    const struct game *game = p->scenario->game;
    return json_pack("{si si so so so so so so}", "ply", p->replay.next, "side", game->mover(before),
                     "action", shape_action(p->scenario, before, a, SHAPE_ALL), "did",
                     shape_played(p->scenario, before, a, SHAPE_ALL), "state",
                     shape_state(p->scenario, p->replay.state, SHAPE_ALL), "ms", json_null(), "chance",
                     json_null(), "thoughts", json_null());
}

/* Plays one and appends its step; false after the answer was written. */
static bool play_one(struct ground_position *p, const json_t *given, json_t *steps, struct message_out *out) {
    const struct game *game = p->scenario->game;
    const char *text = json_string_value(given);
    _Alignas(16) unsigned char before[GAME_STATE_MAX];
    struct err e;
    action a;
    const int number = (int)json_array_size(steps) + 1;
    if (text == NULL || game->mover(p->replay.state) == NOBODY) {
        message_fail(out, 400, "actions",
                     text == NULL ? "action %d is no text" : "action %d: the game is over", number);
        return false;
    }
    if (!game->text->read_action(p->replay.state, text, &a, &e)) {
        message_fail(out, 400, "actions", "action %d: %s", number, e.text);
        return false;
    }
    memcpy(before, p->replay.state, game->state_size);
    game->play(p->replay.state, a, &p->replay.rng);
    p->replay.next++;
    json_array_append_new(steps, show_step(p, before, a));
    return true;
}

static bool check_play(const struct ground_position *p, const json_t *actions, struct message_out *out) {
    if (!json_is_array(actions) || json_array_size(actions) > PLAYED_MAX)
        message_fail(out, 400, "actions", "\"actions\": expected a list of at most %d actions' texts",
                     PLAYED_MAX);
    else if (p->partial)
        message_fail(out, 400, "source",
                     "something is unknown in this position, so that nothing can be played in it");
    return out->status == 0;
}

static void play_loaded(struct ground_position *p, const json_t *actions, struct message_out *out) {
    if (!check_play(p, actions, out))
        return;
    json_t *steps = json_array();
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(actions); i++)
        ok = play_one(p, json_array_get(actions, i), steps, out);
    if (!ok) {
        json_decref(steps);
        return;
    }
    json_t *answer = show_position(p);
    json_object_set_new(answer, "steps", steps);
    message_json(out, 200, answer);
}

/* ---- handlers ---- */

void positions_show(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct ground_position *position = mem_alloc(sizeof *position);
    if (position == NULL) {
        message_fail(out, 500, NULL, "not enough memory");
        return;
    }
    if (ground_position_load(bench, call->body, position, out))
        message_json(out, 200, show_position(position));
    ground_position_done(position);
    mem_free(position);
}

void positions_play(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const members[] = {"source", "actions", NULL};
    struct ground_position *position = mem_alloc(sizeof *position);
    if (position == NULL) {
        message_fail(out, 500, NULL, "not enough memory");
        return;
    }
    if (serve_knows(call->body, members, out) &&
        ground_position_load(bench, json_object_get(call->body, "source"), position, out))
        play_loaded(position, json_object_get(call->body, "actions"), out);
    ground_position_done(position);
    mem_free(position);
}
