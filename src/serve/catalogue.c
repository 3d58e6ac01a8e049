/* SPDX-License-Identifier: MIT
 *
 * Lists of games, players, rules, presets and experiments, made from the registries, so that the page needs
 * no list of its own.
 */

#include "config.h"
#include "evolve/recipe.h"
#include "game/tbs/tbs.h"
#include "repro/repro.h"
#include "serve/job.h"
#include "tournament/event.h"

enum { PLAYERS_MAX = 64 };

/* ---- about ---- */

/* `pictures`: was the program built with PNG pictures? `damaged`: sentences about files that could not be
 * read at the start. */
static bool show_about(const struct call *call, struct message_out *out) {
    const struct workbench *bench = call->bench;
#ifdef SENJUTSU_CAIRO
    const bool pictures = true;
#else
    const bool pictures = false;
#endif
    return serve_answer(out, 200,
                        json_pack("{ss ss ss si ss sb sb sO}", "version", SENJUTSU_VERSION, "build",
                                  SENJUTSU_BUILD, "compiler", SENJUTSU_COMPILER, "cores", bench->setup.cores,
                                  "data", bench->setup.data, "pictures", pictures, "programs",
                                  bench->setup.programs, "damaged", bench->damaged));
}

/* ---- games ---- */

/* Is it listed as a game? The wide table is the tactical game on larger boards; "tbs" selects it by itself.
 */
static bool is_listed(const struct game *game) {
    return game != &tbs_wide_game;
}

/* The options are described from the table that reads them. */
static bool list_games(const struct call *call, struct message_out *out) {
    (void)call;
    json_t *list = json_array();
    for (int i = 0; game_tables[i] != NULL; i++) {
        const struct game *game = game_tables[i];
        const struct game_offer *offer = game_offer(game);
        if (is_listed(game))
            json_array_append_new(list, json_pack("{ss ss sb sb s[ss] so ss ss}", "name", game->name, "help",
                                                  game->help, "hidden", game->hide != NULL, "takes_maps",
                                                  offer->takes_map, "sides", game->text->side_names[0],
                                                  game->text->side_names[1], "options",
                                                  params_describe(game->options, NULL), "opponent",
                                                  offer->opponent, "adviser", offer->adviser));
    }
    return serve_answer(out, 200, list);
}

/* ---- players ---- */

/* Which games each player can be opened for: computed once, by trying. The types' own statement (`games`) is
 * not enough: a player with another one inside, such as first, plays only what that one plays. Trying takes
 * tens of milliseconds, so it is not repeated for every request. */
static struct {
    pthread_once_t once;
    unsigned games[PLAYERS_MAX]; /* bit i: the i-th game */
} plays = {.once = PTHREAD_ONCE_INIT};

/* A program is only started by the first question, so that any command will do. */
static void try_players(void) {
    for (int i = 0; i < PLAYERS_MAX && player_types[i] != NULL; i++) {
        const char *spec = player_types[i] == &player_ext ? "ext:cmd=true" : player_types[i]->name;
        for (int game = 0; game_tables[game] != NULL; game++) {
            struct player *player = player_open_granted(spec, game_tables[game], &grant_everything, NULL);
            plays.games[i] |= player != NULL ? 1U << game : 0;
            player_close(player);
        }
    }
}

/* A player that is not allowed here is listed without games. */
static bool list_players(const struct call *call, struct message_out *out) {
    pthread_once(&plays.once, try_players);
    json_t *list = json_array();
    for (int i = 0; i < PLAYERS_MAX && player_types[i] != NULL; i++) {
        const struct player_type *type = player_types[i];
        const bool is_allowed = type != &player_ext || call->bench->setup.programs;
        json_t *games = json_array();
        for (int game = 0; game_tables[game] != NULL; game++)
            if (is_allowed && is_listed(game_tables[game]) && (plays.games[i] >> game & 1) != 0)
                json_array_append_new(games, json_string(game_tables[game]->name));
        json_array_append_new(list,
                              json_pack("{ss ss so so}", "name", type->name, "help", type->help, "options",
                                        params_describe(type->params, NULL), "games", games));
    }
    return serve_answer(out, 200, list);
}

/* ---- the tactical game ---- */

/* The tables of the rules, so that the page needs no copy of them. Powers are percentages by the attacker's
 * type, then the defender's; a cost of null means that the terrain cannot be entered. */
static bool show_tbs(const struct call *call, struct message_out *out) {
    static const char *const class_names[TBS_CLASSES] = {
        [TBS_AIR] = "air", [TBS_VEHICLE] = "vehicle", [TBS_FOOT] = "foot"};
    (void)call;
    json_t *units = json_array(), *terrains = json_array(), *rules = json_array();
    for (int i = 0; i < TBS_TYPES; i++) {
        const struct tbs_unit_type *type = &tbs_unit_types[i];
        json_array_append_new(units, json_pack("{ss ss# si sb ss}", "name", type->name, "mark", &type->mark,
                                               1, "move", type->move, "direct", type->direct, "class",
                                               class_names[type->class]));
    }
    for (int i = 0; i < TBS_TERRAINS; i++) {
        const struct tbs_terrain_type *type = &tbs_terrain_types[i];
        json_t *costs = json_object();
        for (int class = 0; class < TBS_CLASSES; class ++) {
            const int cost = type->cost[class];
            json_object_set_new(costs, class_names[class],
                                cost == TBS_IMPASSABLE ? json_null() : json_integer(cost));
        }
        json_array_append_new(terrains, json_pack("{ss ss# si so}", "name", type->name, "mark", &type->mark,
                                                  1, "stars", type->stars, "cost", costs));
    }
    for (const struct tbs_rules *set = tbs_rule_sets; set->name != NULL; set++) {
        json_t *rows = json_array();
        for (int attacker = 0; attacker < TBS_TYPES; attacker++) {
            json_t *row = json_array();
            for (int defender = 0; defender < TBS_TYPES; defender++)
                json_array_append_new(row, json_integer(set->power[attacker][defender]));
            json_array_append_new(rows, row);
        }
        json_array_append_new(rules,
                              json_pack("{ss ss so}", "name", set->name, "help", set->help, "power", rows));
    }
    return serve_answer(out, 200,
                        json_pack("{so so so s[ii] si si si si}", "units", units, "terrains", terrains,
                                  "rules", rules, "range", TBS_RANGE_LOW, TBS_RANGE_HIGH, "hp_usual",
                                  TBS_HP_FULL, "hp_max", TBS_HP_MAX, "cells_max", TBS_CELLS_MAX,
                                  "side_units_max", TBS_SIDE_UNITS_MAX));
}

/* ---- experiments ---- */

/* "last" is the newest finished run as a job; null: there is none. Runs of the command line are not known
 * here: their folders can be anywhere. */
static bool list_experiments(const struct call *call, struct message_out *out) {
    json_t *list = json_array();
    for (int i = 0; repro_experiments[i] != NULL; i++) {
        const struct repro_experiment *x = repro_experiments[i];
        json_t *last = jobs_last_result(call->bench, x->name);
        json_array_append_new(list, json_pack("{ss ss ss ss ss ss si si so?}", "name", x->name, "group",
                                              x->group, "title", x->title, "source", x->source, "published",
                                              x->published, "duration", x->duration, "trials", x->repetitions,
                                              "trials_quick", x->repetitions_quick, "last", last));
    }
    return serve_answer(out, 200, list);
}

/* ---- presets ---- */

static bool list_event_presets(const struct call *call, struct message_out *out) {
    (void)call;
    json_t *list = json_array();
    for (const struct event_rules_preset *preset = event_rules_presets; preset->name != NULL; preset++)
        json_array_append_new(list, json_pack("{ss ss}", "name", preset->name, "help", preset->help));
    return serve_answer(out, 200, list);
}

/* The table's first parameter is the preset itself. */
static bool list_evolve_presets(const struct call *call, struct message_out *out) {
    (void)call;
    json_t *list = json_array();
    struct recipe recipe;
    for (int i = 0; recipe_presets[i] != NULL; i++)
        if (recipe_preset(&recipe, recipe_presets[i], NULL))
            json_array_append_new(list, json_pack("{ss ss so}", "name", recipe_presets[i], "help",
                                                  recipe_preset_help[i], "options",
                                                  params_describe(recipe_params + 1, &recipe)));
    return serve_answer(out, 200, list);
}

const struct route catalogue_routes[] = {
    {MESSAGE_GET, "/api/about", show_about},
    {MESSAGE_GET, "/api/games", list_games},
    {MESSAGE_GET, "/api/players", list_players},
    {MESSAGE_GET, "/api/tbs", show_tbs},
    {MESSAGE_GET, "/api/experiments", list_experiments},
    {MESSAGE_GET, "/api/presets/tournament", list_event_presets},
    {MESSAGE_GET, "/api/presets/evolve", list_evolve_presets},
    {MESSAGE_GET, NULL, NULL},
};
