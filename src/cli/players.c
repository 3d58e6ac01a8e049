/* SPDX-License-Identifier: MIT
 *
 * `senjutsu players` and `senjutsu games`: lists of players and games, made from the registries.
 */
#include "cli/cli.h"
#include "game/game.h"
#include "player/player.h"

#include <jansson.h>
#include <stdio.h>

/* For scripts that write specs. "default" of a choice is an index into the choices, which are one string:
 * "a|b|c". */
static json_t *options_to_json(const struct param *table) {
    static const char *const kinds[] = {[PARAM_INT] = "int",
                                        [PARAM_REAL] = "real",
                                        [PARAM_SWITCH] = "switch",
                                        [PARAM_CHOICE] = "choice",
                                        [PARAM_TEXT] = "text"};
    json_t *list = json_array();
    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
        const bool is_number = p->kind == PARAM_INT || p->kind == PARAM_REAL;
        json_t *fallback = p->kind != PARAM_TEXT ? json_real(p->fallback)
                                                 : json_string(p->choices != NULL ? p->choices : "");
        json_array_append_new(list, json_pack("{ss ss ss so ss* so*}", "name", p->name, "kind",
                                              kinds[p->kind], "help", p->help, "default", fallback, "choices",
                                              p->kind == PARAM_CHOICE ? p->choices : NULL, "range",
                                              is_number ? json_pack("[ff]", p->low, p->high) : NULL));
    }
    return list;
}

/* Reads a list command's one argument; *name is NULL without one. */
static bool read_name(const struct cli_arguments *arguments, const char **name, struct err *e) {
    *name = arguments->count > 0 ? arguments->values[0] : NULL;
    return arguments->count <= 1 || err_set(e, "one name at a time; '%s' is too many", arguments->values[1]);
}

/* Ends a list command: prints the list as JSON or as text, and releases both. A list of all ends with a hint
 * at options, `how` to give them. */
static int finish_list(bool json, json_t *list, const char *how, struct text *out) {
    if (how != NULL)
        text_add(out, "\nA %s:KEY=VALUE,KEY=VALUE. Behind a key its range and [default].\n", how);
    const int status = json ? cli_show_json(json_incref(list)) : cli_show_text(out);
    json_decref(list);
    text_done(out);
    return status;
}

/* ---- players ---- */

/* The state is the one option. */
static const struct param players_params[] = {
    {"json", PARAM_FLAG, 0, .help = "for scripts"},
    {0},
};

/* Both lists are built together, so that no player can be in one and not in the other. */
static int run_players(void *state, const struct cli_call *call, struct err *e) {
    const bool *json = state;
    const char *name;
    if (!read_name(&call->arguments, &name, e))
        return CLI_USAGE;
    const struct player_type *only = name != NULL ? player_type_find(name) : NULL;
    if (name != NULL && only == NULL)
        return cli_error(CLI_FAILED, "player '%s' is unknown; 'senjutsu players' lists them", name);
    json_t *list = json_array();
    struct text out = {0};
    for (int i = 0; player_types[i] != NULL; i++) {
        const struct player_type *type = player_types[i];
        if (only != NULL && only != type)
            continue;
        json_array_append_new(list, json_pack("{ss ss so}", "name", type->name, "help", type->help, "options",
                                              options_to_json(type->params)));
        text_add(&out, "%-10s %s\n", type->name, type->help);
        params_help(type->params, "    ", &out);
    }
    return finish_list(*json, list, only == NULL ? "player with options: NAME" : NULL, &out);
}

const struct cli_body cli_players = {
    sizeof(bool), {{players_params}}, .takes_arguments = true, .run = run_players};

/* ---- games ---- */

/* Plays random games and tests after each action the laws that hold for every game (game_check). This is the
 * first test of a new game: see CONTRIBUTING.md. */
static int check_laws(const struct cli_source *source, int count, uint64_t seed, struct err *e) {
    if (!cli_check_source(source, e))
        return CLI_USAGE;
    struct scenario *scenario = cli_load_source(source, e);
    if (scenario == NULL)
        return CLI_FAILED;
    const bool ok = game_check(scenario, count, seed, e), maps = game_offer(scenario->game)->takes_map;
    if (ok)
        printf("%s: the laws hold over %d random game%s%s%s\n", maps ? scenario->game->name : source->game,
               count, count == 1 ? "" : "s", maps ? " on " : "",
               !maps                 ? ""
               : source->map != NULL ? source->map
                                     : "standard");
    game_unload(scenario);
    return ok ? CLI_OK : CLI_FAILED;
}

/* Adds a game to both lists; the caller prints one of them. Playouts are in the text alone. */
static void add_game(const struct game *game, json_t *list, struct text *out) {
    struct payoff_scale s;
    /* Scales belong to scenarios: the one of the default options is shown. Most games have none. */
    struct scenario *scenario = game->text->scale != NULL ? game_load_spec(game->name, NULL) : NULL;
    const bool has_scale = scenario != NULL && game_scale(scenario, &s);
    game_unload(scenario);
    const char *const *sides = game->text->side_names;
    json_array_append_new(
        list,
        json_pack("{ss ss si sb s[ss] so? so}", "name", game->name, "help", game->help, "state_bytes",
                  (int)game->state_size, "hidden_information", game->hide != NULL, "sides", sides[0],
                  sides[1], "payoffs",
                  has_scale ? json_pack("{sf sf ss}", "low", s.low, "high", s.high, "unit", s.unit) : NULL,
                  "options", options_to_json(game->options)));
    text_add(out, "%-10s %s\n", game->name, game->help);
    if (game->hide != NULL)
        text_add(out, "    hidden information: each side (%s, %s) sees a part of the state\n", sides[0],
                 sides[1]);
    if (has_scale)
        text_add(out, "    payoffs from %g to %g%s%s\n", s.low, s.high, s.unit[0] != '\0' ? " " : "", s.unit);
    params_help(game->options, "    ", out);
    for (const struct rollout *r = game->rollouts; r->name != NULL; r++)
        text_add(out, "    playout %-12s %s\n", r->name, r->help);
}

struct games_options {
    int check; /* number of random games; 0: list games instead */
    struct cli_source source;
    uint64_t seed;
    bool json;
};

#define AT(field) offsetof(struct games_options, field)

static const struct param games_params[] = {
    {"check", PARAM_INT, AT(check), 1, 1000000, .help = "test the game's laws in N random games"},
    {"map", PARAM_STRING, AT(source.map), .value = "FILE", .help = "on this map (default: standard)"},
    {"game", PARAM_STRING, AT(source.game), .value = "SPEC", .help = CLI_GAME_HELP},
    {"seed", PARAM_U64, AT(seed), .fallback = 1, .help = "of the random games"},
    {"json", PARAM_FLAG, AT(json), .help = "for scripts"},
    {0},
};

static int run_games(void *state, const struct cli_call *call, struct err *e) {
    const struct games_options *o = state;
    const char *name;
    if (!read_name(&call->arguments, &name, e))
        return CLI_USAGE;
    const struct game *only = name != NULL ? game_find(name) : NULL;
    if (name != NULL && only == NULL)
        return cli_error(CLI_FAILED, "game '%s' is unknown; 'senjutsu games' lists them", name);
    if (o->check > 0)
        return check_laws(&o->source, o->check, o->seed, e);
    json_t *list = json_array();
    struct text out = {0};
    for (int i = 0; game_tables[i] != NULL; i++)
        if (only == NULL || only == game_tables[i])
            add_game(game_tables[i], list, &out);
    return finish_list(o->json, list, only == NULL ? "game with options: --game NAME" : NULL, &out);
}

const struct cli_body cli_games = {
    sizeof(struct games_options), {{games_params}}, .takes_arguments = true, .run = run_games};
