/* SPDX-License-Identifier: MIT
 *
 * Lists of games, players, rules, presets and experiments, made from the registries, so that the page needs
 * no list of its own.
 */
#include "serve/inside.h"

#include "config.h"
#include "evolve/recipe.h"
#include "game/tbs/tbs.h"
#include "player/grant.h"
#include "player/players.h"
#include "player/player.h"
#include "repro/repro.h"
#include "serve/job.h"
#include "tournament/event.h"

#include <string.h>

enum { PLAYERS_MAX = 64 };

/* ---- about ---- */

static void show_about(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
#ifdef SENJUTSU_CAIRO
    const bool pictures = true;
#else
    const bool pictures = false;
#endif
    message_json(out, 200,
                 json_pack("{ss ss ss si ss sb sb sO}", "version", SENJUTSU_VERSION, "build", SENJUTSU_BUILD,
                           "compiler", SENJUTSU_COMPILER, "cores", bench->setup.cores, "data", bench->data,
                           "pictures", pictures, "programs", bench->setup.programs, "damaged",
                           bench->damaged));
}

/* ---- games ---- */

/* Is it listed as a game? The wide table is the tactical game on larger boards; "tbs" selects it by itself.
 */
static bool is_listed(const struct game *game) {
    return game != &tbs_wide_game;
}

static json_t *show_game(const struct game *game) {
    const struct game_offer *offer = game_offer(game);
    return json_pack("{ss ss sb sb s[ss] so ss ss}", "name", game->name, "help", game->help, "hidden",
                     game->hide != NULL, "takes_maps", game_offer(game)->takes_map, "sides",
                     game->text->side_names[0], game->text->side_names[1], "options",
                     params_describe(game->options, NULL), "opponent", offer->opponent, "adviser",
                     offer->adviser);
}

static void list_games(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)bench;
    (void)call;
    json_t *list = json_array();
    for (int i = 0; game_tables[i] != NULL; i++)
        if (is_listed(game_tables[i]))
            json_array_append_new(list, show_game(game_tables[i]));
    message_json(out, 200, list);
}

/* ---- players ---- */

/* Which games each player can be opened for: computed once, by trying. */
static struct {
    pthread_once_t once;
    unsigned games[PLAYERS_MAX]; /* bit i: the i-th game */
} plays = {.once = PTHREAD_ONCE_INIT};

static void try_player(int index) {
    /* A program is only started by the first question, so that any command will do. */
    const char *spec = player_types[index] == &player_ext ? "ext:cmd=true" : player_types[index]->name;
    for (int i = 0; game_tables[i] != NULL; i++) {
        struct player *player = player_open_granted(spec, game_tables[i], &grant_everything, NULL);
        plays.games[index] |= player != NULL ? 1U << i : 0;
        player_close(player);
    }
}

static void try_players(void) {
    for (int i = 0; i < PLAYERS_MAX && player_types[i] != NULL; i++)
        try_player(i);
}

static json_t *games_of(int index) {
    json_t *list = json_array();
    for (int i = 0; game_tables[i] != NULL; i++)
        if (is_listed(game_tables[i]) && (plays.games[index] >> i & 1) != 0)
            json_array_append_new(list, json_string(game_tables[i]->name));
    return list;
}

static void list_players(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
    pthread_once(&plays.once, try_players);
    json_t *list = json_array();
    for (int i = 0; i < PLAYERS_MAX && player_types[i] != NULL; i++) {
        const struct player_type *type = player_types[i];
        const bool allowed = type != &player_ext || bench->setup.programs;
        json_array_append_new(list, json_pack("{ss ss so so}", "name", type->name, "help", type->help,
                                              "options", params_describe(type->params, NULL), "games",
                                              allowed ? games_of(i) : json_array()));
    }
    message_json(out, 200, list);
}

/* ---- the tactical game ---- */

static const char *const class_names[TBS_CLASSES] = {
    [TBS_AIR] = "air", [TBS_VEHICLE] = "vehicle", [TBS_FOOT] = "foot"};

static json_t *show_units(void) {
    json_t *list = json_array();
    for (int i = 0; i < TBS_TYPES; i++) {
        const struct tbs_unit_type *type = &tbs_unit_types[i];
        json_array_append_new(list, json_pack("{ss ss# si sb ss}", "name", type->name, "mark", &type->mark, 1,
                                              "move", type->move, "direct", type->direct, "class",
                                              class_names[type->class]));
    }
    return list;
}

static json_t *show_terrains(void) {
    json_t *list = json_array();
    for (int i = 0; i < TBS_TERRAINS; i++) {
        const struct tbs_terrain_type *type = &tbs_terrain_types[i];
        json_t *cost = json_object();
        for (int class = 0; class < TBS_CLASSES; class ++)
            json_object_set_new(cost, class_names[class],
                                type->cost[class] == TBS_IMPASSABLE ? json_null()
                                                                    : json_integer(type->cost[class]));
        json_array_append_new(list, json_pack("{ss ss# si so}", "name", type->name, "mark", &type->mark, 1,
                                              "stars", type->stars, "cost", cost));
    }
    return list;
}

static json_t *show_power(const struct tbs_rules *rules) {
    json_t *rows = json_array();
    for (int attacker = 0; attacker < TBS_TYPES; attacker++) {
        json_t *row = json_array();
        for (int defender = 0; defender < TBS_TYPES; defender++)
            json_array_append_new(row, json_integer(rules->power[attacker][defender]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static void show_tbs(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)bench;
    (void)call;
    json_t *rules = json_array();
    for (const struct tbs_rules *set = tbs_rule_sets; set->name != NULL; set++)
        json_array_append_new(
            rules, json_pack("{ss ss so}", "name", set->name, "help", set->help, "power", show_power(set)));
    message_json(out, 200,
                 json_pack("{so so so s[ii] si si si si}", "units", show_units(), "terrains", show_terrains(),
                           "rules", rules, "range", TBS_RANGE_LOW, TBS_RANGE_HIGH, "hp_usual", TBS_HP_FULL,
                           "hp_max", TBS_HP_MAX, "cells_max", TBS_CELLS_MAX, "side_units_max",
                           TBS_SIDE_UNITS_MAX));
}

/* ---- experiments ---- */

static void list_experiments(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
    json_t *list = json_array();
    for (int i = 0; repro_experiments[i] != NULL; i++) {
        const struct repro_experiment *x = repro_experiments[i];
        json_t *last = jobs_last_result(bench, x->name);
        json_array_append_new(list,
                              json_pack("{ss ss ss ss ss ss si si so}", "name", x->name, "group", x->group,
                                        "title", x->title, "source", x->source, "published", x->published,
                                        "duration", x->duration, "trials", x->repetitions, "trials_quick",
                                        x->repetitions_quick, "last", last != NULL ? last : json_null()));
    }
    message_json(out, 200, list);
}

/* ---- presets ---- */

static void list_event_presets(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)bench;
    (void)call;
    json_t *list = json_array();
    for (const struct event_rules_preset *preset = event_rules_presets; preset->name != NULL; preset++)
        json_array_append_new(list, json_pack("{ss ss}", "name", preset->name, "help", preset->help));
    message_json(out, 200, list);
}

/* The table's first parameter is the preset itself. */
static void list_evolve_presets(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)bench;
    (void)call;
    json_t *list = json_array();
    struct recipe recipe;
    for (int i = 0; recipe_presets[i] != NULL; i++)
        if (recipe_preset(&recipe, recipe_presets[i], NULL))
            json_array_append_new(list, json_pack("{ss ss so}", "name", recipe_presets[i], "help",
                                                  recipe_preset_help[i], "options",
                                                  params_describe(recipe_params + 1, &recipe)));
    message_json(out, 200, list);
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
