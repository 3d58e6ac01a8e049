/* SPDX-License-Identifier: MIT
 *
 * JSON of states, actions and thoughts. Each game has a row of functions (struct game_json); everything that
 * all games share comes after them.
 */
#include "serve/json_view.h"

#include "base/jsontext.h"
#include "base/mem.h"
#include "game/geister/geister.h"
#include "game/tbs/map.h"
#include "game/tbs/tbs.h"
#include "match/secret.h"
#include "player/player.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 1e9 /* above every evaluation of an undecided game */

/* An action to be described. */
struct action_view {
    const struct scenario *scenario;
    const void *state; /* it is played here; may be a world that was drawn */
    const void *known; /* what the viewer knows of colours, cards, …: a view, or the state itself */
    action action;
    int side;    /* the side that plays it */
    bool hidden; /* the viewer may not see which action it is */
};

struct game_json {
    bool (*is)(const struct game *game);
    /* Adds the members of this game alone; false when memory ran out. */
    bool (*fill_state)(json_t *out, const struct scenario *scenario, const void *view);
    /* May be NULL. Writes members that are too many for json_t directly as text, each after a comma. */
    void (*write_more)(const void *view, struct text *out);
    json_t *(*actions)(const struct scenario *scenario, const void *state);
    json_t *(*did)(const struct action_view *deed);
};

/* ---- shared helpers ---- */

static json_t *xy_json(int x, int y) {
    return json_pack("[ii]", x, y);
}

json_t *json_view_number(double number) {
    if (isnan(number))
        return json_real(0);
    return json_real(number > NUMBER_MAX ? NUMBER_MAX : number < -NUMBER_MAX ? -NUMBER_MAX : number + 0.0);
}

static json_t *notation_json(const struct game *game, const void *state, action a) {
    struct text text = {0};
    game->text->write_action(state, a, &text);
    json_t *string = text.failed ? NULL : json_string(text_string(&text));
    text_done(&text);
    return string;
}

/* ---- games without a board of their own: their notation as text ---- */

static bool is_any(const struct game *game) {
    return game != NULL;
}

static bool plain_fill_state(json_t *out, const struct scenario *scenario, const void *view) {
    (void)view;
    return json_object_set_new(out, "game", json_string("plain")) == 0 &&
           json_object_set_new(out, "name", json_string(scenario->game->name)) == 0;
}

static json_t *plain_actions(const struct scenario *scenario, const void *state) {
    const struct game *game = scenario->game;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    if (list == NULL)
        return NULL;
    const int count = game->actions(state, list);
    json_t *texts = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(texts, notation_json(game, state, list[i]));
    mem_free(list);
    return json_pack("{ss so}", "game", "plain", "list", texts);
}

static json_t *plain_did(const struct action_view *deed) {
    return json_pack("{ss si so}", "kind", "plain", "side", deed->side, "text",
                     deed->hidden ? json_string("")
                                  : notation_json(deed->scenario->game, deed->state, deed->action));
}

static const struct game_json plain_json = {is_any, plain_fill_state, NULL, plain_actions, plain_did};

/* The tactical game: nothing is hidden. */

enum { UNIT_TEXT_MAX = 160 };

/* ---- states ---- */

static char *put(char *at, const char *text) {
    const size_t size = strlen(text);
    memcpy(at, text, size);
    return at + size;
}

/* From 0 to 9999. */
static char *put_int(char *at, int number) {
    char digits[4];
    int count = 0;
    assert(number >= 0);
    assert(number < 10000);
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

static void write_unit(int id, const struct tbs_unit *u, struct text *out) {
    char unit[UNIT_TEXT_MAX], *at = put_int(put(unit, "{\"id\":"), id);
    at = put(put(put(at, ",\"type\":\""), tbs_unit_types[u->type].name), "\"");
    at = put_int(put(at, ",\"side\":"), u->side);
    at = put_int(put(at, ",\"x\":"), u->x);
    at = put_int(put(at, ",\"y\":"), u->y);
    at = put_int(put(at, ",\"hp\":"), u->hp);
    at = put(at, u->done ? ",\"done\":true}" : ",\"done\":false}");
    text_add_bytes(out, unit, (size_t)(at - unit));
}

/* A long game on a large map has hundreds of thousands of units in its steps. */
static void write_units(const void *view, struct text *out) {
    struct tbs_position p;
    tbs_position_of(view, &p);
    const char *before = ",\"units\":[";
    for (int id = 0; id < p.unit_count; id++)
        if (p.units[id].hp > 0) {
            text_add_string(out, before);
            write_unit(id, &p.units[id], out);
            before = ",";
        }
    text_add_string(out, before[1] == '\0' ? "]" : ",\"units\":[]");
}

static bool tbs_fill_state(json_t *out, const struct scenario *scenario, const void *view) {
    const struct tbs_map *map = tbs_scenario_map(scenario);
    struct tbs_position p;
    tbs_position_of(view, &p);
    json_t *more = json_pack("{ss si si s[ii]}", "game", "tbs", "turn_limit", map->turn_limit, "threshold",
                             map->threshold, "hp", p.hp_sum[TBS_RED], p.hp_sum[TBS_BLUE]);
    const bool ok = more != NULL && json_object_update(out, more) == 0;
    json_decref(more);
    return ok;
}

/* ---- actions ---- */

static json_t *unit_actions(const void *state, int id) {
    action list[TBS_UNIT_ACTIONS_MAX];
    int attack_count;
    const int count = tbs_unit_actions(state, id, TBS_ATTACKS_POWER, list, &attack_count);
    json_t *stays = json_array(), *attacks = json_array();
    for (int i = 0; i < count; i++) {
        const int x = tbs_action_x(list[i]), y = tbs_action_y(list[i]), target = tbs_action_target(list[i]);
        if (target == TBS_NO_TARGET) {
            json_array_append_new(stays, xy_json(x, y));
            continue;
        }
        const struct tbs_exchange fight = tbs_preview(state, list[i]);
        json_array_append_new(attacks, json_pack("[iiiii]", x, y, target, fight.damage, fight.counter));
    }
    return json_pack("{si so so}", "id", id, "stays", stays, "attacks", attacks);
}

static json_t *tbs_actions(const struct scenario *scenario, const void *state) {
    struct tbs_position p;
    (void)scenario;
    tbs_position_of(state, &p);
    json_t *units = json_array();
    for (int id = 0; id < p.unit_count; id++)
        if (tbs_can_act(&p, id))
            json_array_append_new(units, unit_actions(state, id));
    return json_pack("{ss so}", "game", "tbs", "units", units);
}

/* ---- effects of an action ---- */

static json_t *fight_json(const struct tbs_position *p, const void *state, action a) {
    const int id = tbs_action_target(a);
    const struct tbs_unit *t = &p->units[id], *u = &p->units[tbs_action_unit(a)];
    const struct tbs_exchange fight = tbs_preview(state, a);
    return json_pack("{si ss so si si sb sb}", "id", id, "type", tbs_unit_types[t->type].name, "at",
                     xy_json(t->x, t->y), "damage", fight.damage, "counter", fight.counter, "destroyed",
                     fight.damage >= t->hp, "lost", fight.counter >= u->hp);
}

static json_t *tbs_did(const struct action_view *deed) {
    const action a = deed->action;
    if (!tbs_is_unit_action(a))
        return json_pack("{ss si}", "kind", a == TBS_PASS ? "pass" : "resign", "side", deed->side);
    struct tbs_position p;
    tbs_position_of(deed->state, &p);
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)];
    return json_pack("{ss si ss si so so so*}", "kind", "tbs", "unit", tbs_action_unit(a), "type",
                     tbs_unit_types[u->type].name, "side", u->side, "from", xy_json(u->x, u->y), "to",
                     xy_json(tbs_action_x(a), tbs_action_y(a)), "target",
                     tbs_action_target(a) != TBS_NO_TARGET ? fight_json(&p, deed->state, a) : NULL);
}

static const struct game_json tbs_json = {game_is_tbs, tbs_fill_state, write_units, tbs_actions, tbs_did};

/* ---- Geister: a colour that is unknown in the view is written as unknown ---- */

static bool is_geister(const struct game *game) {
    return game == &geister_game;
}

static const char *colour_of(const struct geister *view, int side, int piece) {
    if ((view->known[side] >> piece & 1) == 0)
        return "unknown";
    return (view->reds[side] >> piece & 1) != 0 ? "red" : "blue";
}

static json_t *cell_json(int cell) {
    return cell < GEISTER_CELLS ? xy_json(cell % GEISTER_SIZE, cell / GEISTER_SIZE) : json_null();
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

static bool geister_fill_state(json_t *out, const struct scenario *scenario, const void *view) {
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

/* The target cell of a move, or GEISTER_ESCAPED: a piece leaves the board only by escaping. */
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
    return json_pack("{so so so so}", "action", notation_json(&geister_game, s, a), "letter",
                     letter_json(geister_piece_at(s, s->mover, (int)a / 4)), "from", cell_json((int)a / 4),
                     "to", cell_json(target_of(a)));
}

static json_t *geister_actions(const struct scenario *scenario, const void *state) {
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

/* ---- effects of an action ---- */

static json_t *setup_json(const struct action_view *deed) {
    char letters[GEISTER_REDS + 1];
    geister_write_reds(deed->action & ~(action)GEISTER_SETUP_FLAG, letters);
    return json_pack("{ss si so}", "kind", "setup", "side", deed->side, "reds",
                     deed->hidden ? json_null() : json_string(letters));
}

/* Left out when nothing is taken. */
static json_t *taken_json(const struct action_view *deed, int cell) {
    const int other = deed->side ^ 1;
    const int piece = cell < GEISTER_CELLS ? geister_piece_at(deed->state, other, cell) : -1;
    return piece < 0 ? NULL
                     : json_pack("{so ss}", "letter", letter_json(piece), "colour",
                                 colour_of(deed->known, other, piece));
}

static json_t *geister_did(const struct action_view *deed) {
    const int from = (int)deed->action / 4;
    if (geister_is_setup(deed->action))
        return setup_json(deed);
    return json_pack("{ss si so so so so*}", "kind", "geister", "side", deed->side, "letter",
                     letter_json(geister_piece_at(deed->state, deed->side, from)), "from", cell_json(from),
                     "to", cell_json(target_of(deed->action)), "took",
                     taken_json(deed, target_of(deed->action)));
}

static const struct game_json geister_json = {is_geister, geister_fill_state, NULL, geister_actions,
                                              geister_did};

static const struct game_json *const games[] = {&tbs_json, &geister_json, &plain_json};

static const struct game_json *json_of(const struct scenario *scenario) {
    size_t i = 0;
    while (!games[i]->is(scenario->game)) /* the last one is for all */
        i++;
    return games[i];
}

/* ---- viewers ---- */

static int side_of(enum json_viewer viewer) {
    return viewer == JSON_VIEWER_PUBLIC ? NOBODY : (int)viewer;
}

static void see(const struct game *game, const void *state, enum json_viewer viewer, void *out) {
    if (viewer == JSON_VIEWER_ALL)
        memcpy(out, state, game->state_size);
    else
        game_view(game, state, side_of(viewer), out);
}

static bool is_secret(const struct game *game, const void *state, action a, enum json_viewer viewer) {
    return viewer != JSON_VIEWER_ALL && side_of(viewer) != game->mover(state) &&
           secret_is(game, state, a, side_of(viewer));
}

/* ---- states ---- */

static json_t *side_or_null(int side) {
    return side == NOBODY ? json_null() : json_integer(side);
}

/* Null while the game goes on, and where the result depends on something hidden. */
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

/* All members except those written as text. */
static json_t *members_of(const struct scenario *scenario, const void *view) {
    const struct game *game = scenario->game;
    const int mover = game->mover(view);
    json_t *out =
        json_pack("{so si ss so sb}", "mover", side_or_null(mover), "turn", game->turn(view), "result",
                  game->text->result(view), "payoff", payoffs(game, view), "over", mover == NOBODY);
    if (out == NULL || json_of(scenario)->fill_state(out, scenario, view))
        return out;
    json_decref(out);
    return NULL;
}

void json_view_write_state(const struct scenario *scenario, const void *state, enum json_viewer viewer,
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
        if (json_of(scenario)->write_more != NULL)
            json_of(scenario)->write_more(view, out);
        text_add_string(out, "}");
    }
    free(dump);
}

json_t *json_view_state(const struct scenario *scenario, const void *state, enum json_viewer viewer) {
    struct text text = {0};
    json_view_write_state(scenario, state, viewer, &text);
    json_t *object = text.failed ? NULL : jsontext_own(&text);
    text_done(&text);
    return object;
}

/* ---- actions ---- */

json_t *json_view_actions(const struct scenario *scenario, const void *state) {
    if (scenario->game->mover(state) == NOBODY)
        return json_null();
    return json_of(scenario)->actions(scenario, state);
}

json_t *json_view_action(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer) {
    return is_secret(scenario->game, state, a, viewer) ? json_null()
                                                       : notation_json(scenario->game, state, a);
}

json_t *json_view_did(const struct scenario *scenario, const void *state, action a, enum json_viewer viewer) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    see(game, state, viewer, view);
    const struct action_view deed = {
        scenario, view, view, a, game->mover(view), is_secret(game, state, a, viewer)};
    return json_of(scenario)->did(&deed);
}

/* The view after the action contains what the action has revealed. */
json_t *json_view_played(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char after[GAME_STATE_MAX], known[GAME_STATE_MAX];
    struct rng chance;
    rng_seed(&chance, 0);
    memcpy(after, state, game->state_size);
    game->play(after, a, &chance);
    see(game, after, viewer, known);
    const struct action_view deed = {
        scenario, state, known, a, game->mover(state), is_secret(game, state, a, viewer)};
    return json_of(scenario)->did(&deed);
}

/* The line is played in one world of the view; fields unknown in the view are omitted. */
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
        const struct action_view deed = {scenario, at, view, line[i], game->mover(at), false};
        json_array_append_new(out, json_pack("{so so}", "action", notation_json(game, at, line[i]), "did",
                                             json_of(scenario)->did(&deed)));
        game->play(at, line[i], &chance);
    }
    return out;
}

/* ---- maps ---- */

json_t *json_view_map(const struct scenario *scenario) {
    if (!game_is_tbs(scenario->game))
        return json_null();
    struct text text = {0};
    json_t *map = tbs_map_write_json(tbs_scenario_map(scenario), &text, NULL) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return map;
}

/* Thoughts. The values of players that expect payoffs are chances to win. */

static double clamp(double chance) {
    return chance < 0 ? 0 : chance > 1 ? 1 : chance;
}

static json_t *candidate_json(const struct scenario *scenario, const void *view, const struct thought *t,
                              bool is_chance) {
    const enum json_viewer mover = (enum json_viewer)scenario->game->mover(view);
    const bool has_chance = is_chance && t->value == t->value;
    return json_pack(
        "{so so so so sb sI so}", "action", notation_json(scenario->game, view, t->action), "did",
        json_view_did(scenario, view, t->action, mover), "value", json_view_number(t->value), "chance",
        has_chance ? json_real(clamp(t->value)) : json_null(), "at_most", t->at_most, "visits",
        (json_int_t)t->visits, "line", json_view_line(scenario, view, t->line, t->line_count, mover));
}

json_t *json_view_thoughts(const struct scenario *scenario, const void *state,
                           const struct json_view_thoughts *of) {
    assert(scenario->game->mover(state) != NOBODY);
    assert(of->top > 0);
    const struct thoughts *thoughts = of->thoughts;
    const bool is_chance = player_expects_payoffs(of->player);
    json_t *candidates = json_array();
    for (int i = 0; i < thoughts->count && i < of->top; i++)
        if (scenario->game->is_legal(state, thoughts->candidates[i].action))
            json_array_append_new(candidates,
                                  candidate_json(scenario, state, &thoughts->candidates[i], is_chance));
    return json_pack("{si ss so si sI sI si so}", "side", scenario->game->mover(state), "player", of->player,
                     "candidates", candidates, "total", thoughts->total, "simulations",
                     (json_int_t)thoughts->simulations, "nodes", (json_int_t)thoughts->nodes, "depth",
                     thoughts->depth, "seconds", json_view_number(of->seconds));
}
