/* SPDX-License-Identifier: MIT
 *
 * JSON of states, actions and thoughts: members that all games share, and those of the game's face.
 */
#include "player/player.h"
#include "serve/inside.h"

#include "base/encode.h"
#include "base/mem.h"
#include "game/face.h"
#include "match/clocked_game.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define NUMBER_MAX 1e9 /* above every evaluation of an undecided game */

json_t *json_view_number(double number) {
    if (isnan(number))
        return json_real(0);
    return json_real(number > NUMBER_MAX ? NUMBER_MAX : number < -NUMBER_MAX ? -NUMBER_MAX : number + 0.0);
}

/* ---- viewers ---- */

/* The side whose view it is; the public has the view of NOBODY. */
static int side_of(enum json_viewer viewer) {
    return viewer == JSON_VIEWER_PUBLIC ? NOBODY : (int)viewer;
}

/* Fills `out` with the state as the viewer may see it. A copy in any case: callers go on with it. */
static void see(const struct game *game, const void *state, enum json_viewer viewer, void *out) {
    if (viewer == JSON_VIEWER_ALL)
        memcpy(out, state, game->state_size);
    else
        game_view(game, state, side_of(viewer), out);
}

/* Is the action itself hidden from the viewer? A side always knows its own actions. */
static bool is_secret(const struct game *game, const void *state, action a, enum json_viewer viewer) {
    return viewer != JSON_VIEWER_ALL && side_of(viewer) != game->mover(state) &&
           secret_is(game, state, a, side_of(viewer));
}

/* ---- states ---- */

/* The view is made first, and everything below is made from it: what is not in the view cannot be in the
 * text. jansson makes only the short members. The text and the game's own members are appended as text: a
 * complete game has thousands of states. */
void json_view_write_state(const struct scenario *scenario, const void *state, enum json_viewer viewer,
                           struct text *out) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    see(game, state, viewer, view);
    const int mover = game->mover(view);
    const char *result = game->text->result(view);
    struct text text = {0};
    /* Null while the game goes on, and where the result depends on something hidden. */
    json_t *payoff = mover != NOBODY || strcmp(result, "unknown") == 0
                         ? json_null()
                         : json_pack("[ff]", game->payoff(view, 0), game->payoff(view, 1));
    json_t *members =
        json_pack("{so si ss so sb}", "mover", mover == NOBODY ? json_null() : json_integer(mover), "turn",
                  game->turn(view), "result", result, "payoff", payoff, "over", mover == NOBODY);
    face_fill_json(members, scenario, view);
    char *dump = json_dumps(members, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(members);
    text_add_bytes(out, dump, strlen(dump) - 1); /* the bracket comes last */
    mem_free(dump);
    /* States are printable text: only ends of lines, quotation marks and backslashes need another form in
     * JSON. */
    game->text->write_state(view, &text);
    text_add_string(out, ",\"text\":\"");
    for (const char *at = text_trim(text.data); *at != '\0'; at += *at != '\0') {
        const size_t size = strcspn(at, "\n\"\\");
        text_add_bytes(out, at, size);
        at += size;
        if (*at != '\0')
            text_add(out, "\\%c", *at == '\n' ? 'n' : *at);
    }
    text_add_string(out, "\"");
    text_done(&text);
    if (game_face(game)->write_json != NULL)
        game_face(game)->write_json(view, out);
    text_add_string(out, "}");
}

json_t *json_view_state(const struct scenario *scenario, const void *state, enum json_viewer viewer) {
    struct text text = {0};
    json_view_write_state(scenario, state, viewer, &text);
    json_t *object = jsontext_own(&text);
    text_done(&text);
    return object;
}

/* ---- actions ---- */

json_t *json_view_actions(const struct scenario *scenario, const void *state) {
    if (scenario->game->mover(state) == NOBODY)
        return json_null();
    return face_actions_json(scenario, state);
}

json_t *json_view_action(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer) {
    return is_secret(scenario->game, state, a, viewer) ? json_null()
                                                       : face_action_json(scenario->game, state, a);
}

json_t *json_view_did(const struct scenario *scenario, const void *state, action a, enum json_viewer viewer) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    see(game, state, viewer, view);
    const struct face_action played = {
        scenario, view, view, a, game->mover(view), is_secret(game, state, a, viewer)};
    return face_effects_json(&played);
}

/* The view after the action contains what the action has revealed: of a piece that was taken, its colour. */
json_t *json_view_played(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char after[GAME_STATE_MAX], known[GAME_STATE_MAX];
    struct rng chance;
    rng_seed(&chance, 0);
    memcpy(after, state, game->state_size);
    game->play(after, a, &chance);
    see(game, after, viewer, known);
    const struct face_action played = {
        scenario, state, known, a, game->mover(state), is_secret(game, state, a, viewer)};
    return face_effects_json(&played);
}

/* The line is played in one world of the view, because a view with unknown pieces cannot be played on; fields
 * unknown in the view are omitted. The world is always the same one: a line does not flicker when it is shown
 * again. */
json_t *json_view_line(const struct scenario *scenario, const void *state, const action *line, int count,
                       enum json_viewer viewer) {
    assert(count >= 0);
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX], at[GAME_STATE_MAX];
    struct rng chance;
    rng_seed(&chance, 0);
    see(game, state, viewer, view);
    memcpy(at, view, game->state_size);
    if (game->hide != NULL && game->mover(at) != NOBODY)
        game->determinize(at, &chance);
    json_t *out = json_array();
    for (int i = 0; i < count && game->mover(at) != NOBODY && game->is_legal(at, line[i]); i++) {
        const struct face_action played = {scenario, at, view, line[i], game->mover(at), false};
        json_array_append_new(out, json_pack("{so so}", "action", face_action_json(game, at, line[i]), "did",
                                             face_effects_json(&played)));
        game->play(at, line[i], &chance);
    }
    return out;
}

/* ---- maps ---- */

json_t *json_view_map(const struct scenario *scenario) {
    const struct game_face *face = game_face(scenario->game);
    return face->map_json != NULL ? face->map_json(scenario) : json_null();
}

/* Thoughts. The values of players that expect payoffs are chances to win. */

json_t *json_view_thoughts(const struct scenario *scenario, const void *state,
                           const struct json_view_thoughts *of) {
    const struct game *game = scenario->game;
    const int mover = game->mover(state);
    assert(mover != NOBODY);
    assert(of->top > 0);
    const struct thoughts *thoughts = of->thoughts;
    const bool is_chance = player_expects_payoffs(of->player);
    const enum json_viewer viewer = (enum json_viewer)mover;
    json_t *candidates = json_array();
    for (int i = 0; i < thoughts->count && i < of->top; i++) {
        const struct thought *t = &thoughts->candidates[i];
        const double chance = t->value < 0 ? 0 : t->value > 1 ? 1 : t->value;
        if (!game->is_legal(state, t->action))
            continue;
        json_array_append_new(
            candidates,
            json_pack("{so so so so sb sI so}", "action", face_action_json(game, state, t->action), "did",
                      json_view_did(scenario, state, t->action, viewer), "value", json_view_number(t->value),
                      "chance", is_chance && !isnan(t->value) ? json_real(chance) : json_null(), "at_most",
                      t->at_most, "visits", (json_int_t)t->visits, "line",
                      json_view_line(scenario, state, t->line, t->line_count, viewer)));
    }
    return json_pack("{si ss so si sI sI si so}", "side", mover, "player", of->player, "candidates",
                     candidates, "total", thoughts->total, "simulations", (json_int_t)thoughts->simulations,
                     "nodes", (json_int_t)thoughts->nodes, "depth", thoughts->depth, "seconds",
                     json_view_number(of->seconds));
}
