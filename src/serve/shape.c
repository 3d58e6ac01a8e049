/* SPDX-License-Identifier: MIT
 *
 * What all games have in common; the rest is in shape_tbs.c, shape_geister.c and shape_plain.c.
 */
#include "serve/shape_inside.h"

#include "base/jsontext.h"
#include "game/tbs/map.h"
#include "game/tbs/tbs.h"
#include "match/secret.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 1e9 /* more than any evaluation says of a game that is not decided */

static const struct shape_game *const games[] = {&shape_tbs, &shape_geister, &shape_plain};

static const struct shape_game *shape_of(const struct scenario *scenario) {
    size_t i = 0;
    while (!games[i]->is(scenario->game)) /* the last one is for all */
        i++;
    return games[i];
}

/* ---- small things ---- */

json_t *shape_cell(int x, int y) {
    return json_pack("[ii]", x, y);
}

json_t *shape_number(double number) {
    if (isnan(number))
        return json_real(0);
    return json_real(number > NUMBER_MAX ? NUMBER_MAX : number < -NUMBER_MAX ? -NUMBER_MAX : number + 0.0);
}

json_t *shape_notation(const struct game *game, const void *state, action a) {
    struct text text = {0};
    game->text->write_action(state, a, &text);
    json_t *string = text.failed ? NULL : json_string(text_string(&text));
    text_done(&text);
    return string;
}

/* ---- who sees what ---- */

static int side_of(enum shape_viewer viewer) {
    return viewer == SHAPE_PUBLIC ? NOBODY : (int)viewer;
}

static void see(const struct game *game, const void *state, enum shape_viewer viewer, void *out) {
    if (viewer == SHAPE_ALL)
        memcpy(out, state, game->state_size);
    else
        game_view(game, state, side_of(viewer), out);
}

static bool is_secret(const struct game *game, const void *state, action a, enum shape_viewer viewer) {
    return viewer != SHAPE_ALL && side_of(viewer) != game->mover(state) &&
           secret_is(game, state, a, side_of(viewer));
}

/* ---- states ---- */

static json_t *side_or_null(int side) {
    return side == NOBODY ? json_null() : json_integer(side);
}

/* Where the result depends on what is hidden, so does who gets what. */
static json_t *payoffs(const struct game *game, const void *view) {
    if (game->mover(view) != NOBODY || strcmp(game->text->result(view), "unknown") == 0)
        return json_null();
    return json_pack("[ff]", game->payoff(view, 0), game->payoff(view, 1));
}

/* Letters that stand for themselves in JSON, and ends of lines? */
static bool is_simple(const char *string) {
    for (; *string != '\0'; string++)
        if ((*string < ' ' && *string != '\n') || *string > '~' || *string == '"' || *string == '\\')
            return false;
    return true;
}

static void quote_lines(const char *at, struct text *out) {
    text_add_string(out, "\"");
    for (;;) {
        const size_t size = strcspn(at, "\n");
        text_add_bytes(out, at, size);
        if (at[size] == '\0')
            break;
        text_add_string(out, "\\n");
        at += size + 1;
    }
    text_add_string(out, "\"");
}

/* Games write such lines, and many of them: that is quicker done here. */
static void quote(const char *string, struct text *out) {
    if (is_simple(string)) {
        quote_lines(string, out);
        return;
    }
    json_t *value = json_string(string);
    char *dump = value != NULL ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    out->failed = out->failed || dump == NULL;
    text_add_string(out, dump != NULL ? dump : "");
    free(dump);
    json_decref(value);
}

static void write_text(const struct game *game, const void *view, struct text *out) {
    struct text text = {0};
    game->text->write_state(view, &text);
    out->failed = out->failed || text.failed || text.data == NULL;
    text_add_string(out, ",\"text\":");
    quote(text.data != NULL ? text_trim(text.data) : "", out);
    text_done(&text);
}

/* All but what is written as text. */
static json_t *members_of(const struct scenario *scenario, const void *view) {
    const struct game *game = scenario->game;
    const int mover = game->mover(view);
    json_t *out =
        json_pack("{so si ss so sb}", "mover", side_or_null(mover), "turn", game->turn(view), "result",
                  game->text->result(view), "payoff", payoffs(game, view), "over", mover == NOBODY);
    if (out == NULL || shape_of(scenario)->fill_state(out, scenario, view))
        return out;
    json_decref(out);
    return NULL;
}

void shape_write_state(const struct scenario *scenario, const void *state, enum shape_viewer viewer,
                       struct text *out) {
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    see(scenario->game, state, viewer, view);
    json_t *members = members_of(scenario, view);
    char *dump = members != NULL ? json_dumps(members, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(members);
    out->failed = out->failed || dump == NULL;
    if (dump != NULL) {
        text_add_bytes(out, dump, strlen(dump) - 1); /* the bracket comes last */
        write_text(scenario->game, view, out);
        if (shape_of(scenario)->write_more != NULL)
            shape_of(scenario)->write_more(view, out);
        text_add_string(out, "}");
    }
    free(dump);
}

json_t *shape_state(const struct scenario *scenario, const void *state, enum shape_viewer viewer) {
    struct text text = {0};
    shape_write_state(scenario, state, viewer, &text);
    json_t *object = text.failed ? NULL : jsontext_own(&text);
    text_done(&text);
    return object;
}

/* ---- actions ---- */

json_t *shape_actions(const struct scenario *scenario, const void *state) {
    if (scenario->game->mover(state) == NOBODY)
        return json_null();
    return shape_of(scenario)->actions(scenario, state);
}

json_t *shape_action(const struct scenario *scenario, const void *state, action a, enum shape_viewer viewer) {
    return is_secret(scenario->game, state, a, viewer) ? json_null()
                                                       : shape_notation(scenario->game, state, a);
}

json_t *shape_did(const struct scenario *scenario, const void *state, action a, enum shape_viewer viewer) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    see(game, state, viewer, view);
    const struct shape_deed deed = {
        scenario, view, view, a, game->mover(view), is_secret(game, state, a, viewer)};
    return shape_of(scenario)->did(&deed);
}

/* The view afterwards says what the action has shown. */
json_t *shape_played(const struct scenario *scenario, const void *state, action a, enum shape_viewer viewer) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char after[GAME_STATE_MAX], known[GAME_STATE_MAX];
    struct rng chance;
    rng_seed(&chance, 0);
    memcpy(after, state, game->state_size);
    game->play(after, a, &chance);
    see(game, after, viewer, known);
    const struct shape_deed deed = {
        scenario, state, known, a, game->mover(state), is_secret(game, state, a, viewer)};
    return shape_of(scenario)->did(&deed);
}

/* A line is the same for every world that the view can be; what is not known in the view is told of none. */
json_t *shape_line(const struct scenario *scenario, const void *state, const action *line, int count,
                   enum shape_viewer viewer) {
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
        const struct shape_deed deed = {scenario, at, view, line[i], game->mover(at), false};
        json_array_append_new(out, json_pack("{so so}", "action", shape_notation(game, at, line[i]), "did",
                                             shape_of(scenario)->did(&deed)));
        game->play(at, line[i], &chance);
    }
    return out;
}

/* ---- maps ---- */

json_t *shape_map(const struct scenario *scenario) {
    if (!game_is_tbs(scenario->game))
        return json_null();
    struct text text = {0};
    json_t *map = tbs_map_write_json(tbs_scenario_map(scenario), &text, NULL) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return map;
}
