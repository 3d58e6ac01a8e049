/* SPDX-License-Identifier: MIT
 *
 * What there is: games, players, rules, presets and experiments, listed from the registries, so that the page
 * needs no list of its own; and maps, built-in and saved ones.
 */
#include "serve/inside.h"

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "config.h"
#include "evolve/judge.h"
#include "evolve/recipe.h"
#include "game/tbs/tbs.h"
#include "player/player.h"
#include "repro/repro.h"
#include "tournament/tournament.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAYERS_MAX = 64 };

/* ---- about ---- */

/* `pictures`: was the program built with PNG pictures? `damaged`: sentences about unreadable files. */
static bool show_about(const struct call *call, struct message_out *out) {
    const struct workbench *bench = call->bench;
#ifdef SENJUTSU_CAIRO
    const bool pictures = true;
#else
    const bool pictures = false;
#endif
    return message_json(out, 200,
                        json_pack("{ss ss ss si ss sb sb sO}", "version", SENJUTSU_VERSION, "build",
                                  SENJUTSU_BUILD, "compiler", SENJUTSU_COMPILER, "cores", bench->setup.cores,
                                  "data", bench->setup.data, "pictures", pictures, "programs",
                                  bench->setup.programs, "damaged", bench->damaged));
}

/* ---- games ---- */

/* A table whose game has another's name is not listed: that one selects it by itself, as "tbs" selects larger
 * boards. */
static bool is_listed(const struct game *game) {
    return strcmp(game_public_name(game), game->name) == 0;
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
    return message_json(out, 200, list);
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
    return message_json(out, 200, list);
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
    return message_json(out, 200,
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
    return message_json(out, 200, list);
}

/* ---- presets ---- */

static bool list_tournament_presets(const struct call *call, struct message_out *out) {
    (void)call;
    json_t *list = json_array();
    for (const struct tournament_rules_preset *preset = tournament_rules_presets; preset->name != NULL;
         preset++)
        json_array_append_new(list, json_pack("{ss ss}", "name", preset->name, "help", preset->help));
    return message_json(out, 200, list);
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
    return message_json(out, 200, list);
}

/* ---- maps ----
 *
 * The built-in ones, which are only read, and those that users save in the data folder. The name of a saved
 * map begins with "mine/". A request never names a file: names are checked before they become a part of a
 * path (serve_map_path).
 *
 * The maps are not cached. A folder has at most some hundred files, which its owner may change. */

#define ENDING ".tbsmap"
#define FOLDER "maps"

enum { SAVED_MAX = 500, LISTED_MAX = 1000, FULL_NAME_MAX = 72 };

/* A map that was read, with all that is wrong with it. */
struct read_map {
    struct tbs_map map;
    struct tbs_problems problems;
};

/* ---- maps: reading ---- */

/* A map as JSON, or in the platform's own format. The text is NUL-terminated behind its size. */
static void read_text(const char *text, size_t size, struct read_map *out) {
    assert(text[size] == '\0');
    if (text[strspn(text, " \t\r\n")] == '{')
        tbs_map_read_json(text, size, &out->map, &out->problems);
    else
        tbs_map_read(text, size, &out->map, &out->problems);
}

/* {"map": an object} or {"text": that of a file}. */
static bool read_body(const json_t *body, struct read_map *out, struct message_out *failure) {
    const json_t *map = json_object_get(body, "map"); /* also null, which is no object */
    const char *text;
    if (!request_text(body, "text", NULL, &text, failure))
        return false;
    if ((map != NULL) == (text != NULL))
        return message_fail(failure, 400, NULL,
                            "expected either \"map\" (an object) or \"text\" (a .tbsmap)");
    if (map != NULL && !json_is_object(map))
        return message_fail_code(failure, 400, "map", "json.object", "\"%s\": expected an object%s", "map",
                                 "");
    char *dump = map != NULL ? json_dumps(map, JSON_COMPACT) : NULL;
    const char *given = map != NULL ? dump : text;
    const bool fits = strlen(given) <= TBS_MAP_TEXT_MAX;
    if (fits)
        read_text(given, strlen(given), out);
    mem_free(dump);
    return fits || message_fail_code(failure, 400, text != NULL ? "text" : "map", "refused.map_size",
                                     "the map is too large; the limit is %d bytes", TBS_MAP_TEXT_MAX);
}

/* ---- maps: showing ---- */

static json_t *map_json(const struct tbs_map *map) {
    struct text text = {0};
    json_t *object = tbs_map_write_json(map, &text, NULL) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return object;
}

static json_t *text_json(const struct tbs_map *map) {
    struct text text = {0};
    tbs_map_write(map, &text);
    json_t *string = jsontext_string(text_string(&text), text.size);
    text_done(&text);
    return string;
}

/* *MapInfo* */
static json_t *info_json(const char *name, const struct tbs_map *map) {
    return json_pack("{ss sb si si s[ii] so so}", "name", name, "mine", serve_is_mine(name), "width",
                     map->width - 2, "height", map->height - 2, "units", tbs_map_side_units(map, TBS_RED),
                     tbs_map_side_units(map, TBS_BLUE), "comment",
                     jsontext_string(map->comment, strlen(map->comment)), "author",
                     jsontext_string(map->author, strlen(map->author)));
}

static bool answer_details(const char *name, const struct read_map *read, struct message_out *out) {
    return message_json(
        out, 200,
        serve_join(info_json(name, &read->map),
                   json_pack("{so so so}", "map", map_json(&read->map), "text", text_json(&read->map),
                             "problems", tbs_problems_json(&read->problems))));
}

/* Numbers for the editor that need no game, so that it can ask after every change of the map: actions of the
 * first turn, the first contact, and remarks. NULL for a map that cannot be set up. */
static json_t *stats_json(const struct tbs_map *map) {
    struct tbs_map_stats stats = {0};
    struct remarks remarks = {0};
    if (!tbs_map_stats(map, &tbs_rule_sets[0], 0, &stats, NULL))
        return NULL;
    const struct tbs_side_stats *first = &stats.sides[stats.turn.side == TBS_BLUE ? TBS_BLUE : TBS_RED];
    const int red = stats.sides[TBS_RED].contact, blue = stats.sides[TBS_BLUE].contact; /* 0: never */
    const int contact = red == 0 || (blue > 0 && blue < red) ? blue : red;
    const struct judgement nothing_played = {0};
    json_t *sentences = json_array();
    remarks_make(map, &tbs_rule_sets[0], &nothing_played, &remarks);
    for (int i = 0; i < remarks.count; i++)
        json_array_append_new(sentences, json_string(remarks.items[i].text));
    return json_pack("{si so so so}", "actions",
                     stats.turn.side == NOBODY ? 0 : first->moves + first->attacks[TBS_ATTACKS_POWER],
                     "contact", contact > 0 ? json_integer(contact) : json_null(), "unused", sentences,
                     "remarks", remarks_json(&remarks));
}

/* *MapCheck* */
static bool answer_check(const struct read_map *read, struct message_out *out) {
    const bool playable = !read->problems.fatal;
    const struct tbs_map *map = &read->map;
    return message_json(
        out, 200,
        json_pack("{sb so so so so}", "playable", playable, "problems", tbs_problems_json(&read->problems),
                  "text", playable ? text_json(map) : json_string(""), "map",
                  playable ? map_json(map) : json_null(), "stats", playable ? stats_json(map) : json_null()));
}

/* ---- maps: the list ---- */

/* Built-in maps: the smallest first, as the command line lists them. Then saved maps, by name. */
struct listed {
    int order[3]; /* is it saved?; cells and units, 0 for saved maps; then by name */
    char name[FULL_NAME_MAX];
    json_t *info; /* owned until the answer takes it */
};

struct listing {
    struct workbench *bench;
    const char *prefix; /* of the names in the folder that is being listed: "" or "mine/" */
    int count;
    struct listed items[LISTED_MAX];
};

/* "first.tbsmap" becomes "mine/first"; false if it is no saved map. */
static bool name_of_file(const char *file, const char *prefix, char out[FULL_NAME_MAX]) {
    const char *ending = strrchr(file, '.');
    if (ending == NULL || strcmp(ending, ENDING) != 0)
        return false;
    const int size = snprintf(out, FULL_NAME_MAX, "%s%.*s", prefix, (int)(ending - file), file);
    return size < FULL_NAME_MAX && serve_is_name(out + strlen(prefix));
}

/* Reads a map by its name, with its problems; false after a 404 or 500. */
static bool load_map(struct workbench *bench, const char *name, struct read_map *out,
                     struct message_out *failure) {
    struct text text = {0};
    const bool ok = serve_read_map(bench, name, &text, failure);
    if (ok)
        read_text(text_string(&text), text.size, out);
    text_done(&text);
    return ok;
}

/* A file that is no playable map is left out. */
static bool list_entry(void *context, const char *file) {
    struct listing *list = context;
    char name[FULL_NAME_MAX];
    if (list->count == LISTED_MAX || !name_of_file(file, list->prefix, name))
        return list->count < LISTED_MAX;
    struct read_map read = {0};
    struct message_out ignored = {0};
    if (load_map(list->bench, name, &read, &ignored) && !read.problems.fatal) {
        struct listed *item = &list->items[list->count++];
        const int cells = (read.map.width - 2) * (read.map.height - 2), is_mine = serve_is_mine(name);
        *item = (struct listed){{is_mine, is_mine ? 0 : cells, is_mine ? 0 : read.map.unit_count}};
        memcpy(item->name, name, sizeof name);
        item->info = info_json(name, &read.map);
    }
    message_done(&ignored);
    return true;
}

static int by_order(const void *a, const void *b) {
    const struct listed *p = a, *q = b;
    for (int i = 0; i < 3; i++)
        if (p->order[i] != q->order[i])
            return p->order[i] < q->order[i] ? -1 : 1;
    return strcmp(p->name, q->name);
}

/* A folder that is not there has no maps. */
static bool list_maps(const struct call *call, struct message_out *out) {
    char folder[SERVE_PATH_MAX];
    if (!serve_path(call->bench, FOLDER, "", folder, &out->why))
        return message_fail_err(out, 500, NULL, &out->why);
    struct listing *list = mem_alloc(sizeof *list);
    list->bench = call->bench;
    list->prefix = "";
    file_list(call->bench->setup.maps, &(struct file_visit){list_entry, list}, NULL);
    list->prefix = SERVE_MINE;
    file_list(folder, &(struct file_visit){list_entry, list}, NULL);
    qsort(list->items, (size_t)list->count, sizeof list->items[0], by_order);
    json_t *array = json_array();
    for (int i = 0; i < list->count; i++)
        json_array_append_new(array, list->items[i].info);
    mem_free(list);
    return message_json(out, 200, array);
}

/* ---- maps: one of them ----
 *
 * /api/maps/mine/NAME is a saved map, /api/maps/NAME one of ours. */

bool maps_find_call(struct call *call, struct message_out *out) {
    (void)out;
    const bool is_mine = serve_is_mine(call->in->path + strlen("/api/maps/"));
    snprintf(call->map, sizeof call->map, "%s%s", is_mine ? SERVE_MINE : "", call->parts[0]);
    return true;
}

/* A file that is no playable map is 404, as a missing one is. */
static bool show_map(const struct call *call, struct message_out *out) {
    struct read_map read = {0};
    if (!load_map(call->bench, call->map, &read, out))
        return false;
    if (read.problems.fatal)
        return message_fail(out, 404, "map", "the file of '%.80s' is no map that can be played", call->map);
    return answer_details(call->map, &read, out);
}

/* The file itself, converted to UTF-8: maps of other programs may have another encoding. */
static bool send_file(const struct call *call, struct message_out *out) {
    struct text text = {0};
    const bool ok = serve_read_map(call->bench, call->map, &text, out);
    if (ok) {
        out->status = 200;
        out->type = "text/plain; charset=utf-8";
        charset_to_utf8(text_string(&text), text.size, &out->body);
        snprintf(out->file_name, sizeof out->file_name, "%.64s" ENDING, call->parts[0]);
    }
    text_done(&text);
    return ok;
}

/* ---- maps: saving ---- */

/* Counts what is a saved map by its name; its content is not read. The limit protects the list of maps, which
 * reads all of them for every request. */
static bool count_entry(void *context, const char *file) {
    char name[FULL_NAME_MAX];
    *(int *)context += name_of_file(file, "", name);
    return true;
}

/* The path to save under; false after the answer was written. A file that is no map of ours (a link, a
 * folder) is never replaced. */
static bool choose_path(struct workbench *bench, const char *name, char path[SERVE_PATH_MAX],
                        struct message_out *out) {
    assert(serve_is_mine(name));
    char folder[SERVE_PATH_MAX];
    const char *bare = name + strlen(SERVE_MINE);
    if (!serve_map_path(bench, name, path, SERVE_PATH_MAX))
        return message_fail_code(out, 400, "name", "refused.map_name",
                                 "'%.80s' is no name for a map; expected 1 to 64 letters, digits, _ or -",
                                 bare);
    if (!serve_make_folder(bench, FOLDER, folder, &out->why))
        return message_fail_err(out, 500, NULL, &out->why);
    if (file_is_plain(path))
        return true;
    if (file_exists(path))
        return message_fail(out, 409, "name",
                            "what has the name '%.80s' in the data folder is no map of ours", bare);
    int saved = 0;
    file_list(folder, &(struct file_visit){count_entry, &saved}, NULL);
    return saved < SAVED_MAX ||
           message_fail_code(out, 409, NULL, "refused.maps",
                             "there are %d saved maps, which is the limit; expected one less", SAVED_MAX);
}

/* The map is written in the platform's own format, whichever form it came in, so that the platform and the
 * command line can read the data folder's files, too. 507 when it cannot be written. */
static bool save_map(const struct call *call, struct message_out *out) {
    char path[SERVE_PATH_MAX];
    struct read_map read = {0};
    struct text text = {0};
    if (!read_body(call->body, &read, out))
        return false;
    if (!tbs_problems_explain(&read.problems, "the map", &out->why))
        return err_field(&out->why, "map");
    if (!choose_path(call->bench, call->map, path, out))
        return false;
    tbs_map_write(&read.map, &text);
    const bool ok = file_write(path, text_string(&text), text.size, &out->why);
    text_done(&text);
    return ok ? answer_details(call->map, &read, out) : message_fail_err(out, 507, NULL, &out->why);
}

/* Built-in maps have no such route. */
static bool delete_map(const struct call *call, struct message_out *out) {
    char path[SERVE_PATH_MAX];
    if (!serve_map_path(call->bench, call->map, path, sizeof path) || file_kind(path) == FILE_NONE)
        return message_fail_code(out, 404, "name", "refused.no_map", "there is no map '%.80s'", call->map);
    return file_remove(path, &out->why) ? serve_done(out, 204) : message_fail_err(out, 507, NULL, &out->why);
}

/* ---- maps: checking and making ---- */

/* Stores nothing. A map that cannot be played is answered with 200 and its problems: the editor asks while
 * the map is still being drawn. */
static bool check_map(const struct call *call, struct message_out *out) {
    struct read_map read = {0};
    return read_body(call->body, &read, out) && answer_check(&read, out);
}

static const struct param seed_params[] = {{PARAM_SEED_ROW(0)}, {0}};

/* The same request gives the same map. */
static bool make_random(const struct call *call, struct message_out *out) {
    uint64_t seed;
    struct tbs_random_options options;
    struct params sections[] = {
        {.table = seed_params, .options = &seed}, {.table = tbs_random_params, .options = &options}, {0}};
    struct rng rng;
    params_default(seed_params, &seed);
    tbs_random_defaults(&options);
    if (!params_read_json(sections, call->body, &out->why))
        return false;
    options.units[TBS_BLUE] = options.units[TBS_RED];
    struct read_map read = {0};
    rng_seed(&rng, seed);
    return tbs_map_random(&options, &rng, &read.map, &out->why) ? answer_check(&read, out)
                                                                : err_field(&out->why, "units");
}

/* ---- what requests take ---- */

/* The rows of the tables, but only those of the names (NULL: all). A later row of a name is never read. */
static json_t *describe_tables(const struct param *const *tables, int count, const char *names) {
    json_t *all = json_array();
    struct text seen = {0};
    for (int i = 0; i < count && tables[i] != NULL; i++) {
        json_t *rows = params_describe(tables[i], NULL);
        for (const struct param *p = tables[i]; p->name != NULL; p++) {
            const char *name =
                p->option != NULL && names != NULL && serve_has_name(names, p->option) ? p->option : p->name;
            if (serve_has_name(text_string(&seen), name) || (names != NULL && !serve_has_name(names, name)))
                continue;
            text_add(&seen, "%s ", name);
            json_t *row = json_array_get(rows, (size_t)(p - tables[i]));
            json_object_set_new(row, "name", json_string(name));
            json_array_append(all, row);
        }
        json_decref(rows);
    }
    text_done(&seen);
    return all;
}

/* Ranges, defaults and help of the members that jobs and other requests take. */
static bool list_requests(const struct call *call, struct message_out *out) {
    static const struct param *const analysis[] = {analysis_params}, *const random[] = {seed_params,
                                                                                        tbs_random_params};
    (void)call;
    json_t *all = json_pack("{so so}", "analysis", describe_tables(analysis, 1, NULL), "random_map",
                            describe_tables(random, 2, NULL));
    for (int i = 0; job_kinds[i] != NULL; i++)
        json_object_set_new(all, job_kinds[i]->name,
                            describe_tables(job_kinds[i]->params, 3, job_kinds[i]->members));
    return message_json(out, 200, all);
}

const struct route study_catalogue_routes[] = {
    {MESSAGE_GET, "/api/games", list_games},
    {MESSAGE_GET, "/api/tbs", show_tbs},
    {MESSAGE_GET, NULL, NULL},
};

const struct route catalogue_routes[] = {
    {MESSAGE_GET, "/api/about", show_about},
    {MESSAGE_GET, "/api/games", list_games},
    {MESSAGE_GET, "/api/players", list_players},
    {MESSAGE_GET, "/api/tbs", show_tbs},
    {MESSAGE_GET, "/api/experiments", list_experiments},
    {MESSAGE_GET, "/api/presets/tournament", list_tournament_presets},
    {MESSAGE_GET, "/api/presets/evolve", list_evolve_presets},
    {MESSAGE_GET, "/api/requests", list_requests},
    {MESSAGE_GET, "/api/maps", list_maps},
    {MESSAGE_POST, "/api/maps/check", check_map, "map text"},
    {MESSAGE_POST, "/api/maps/random", make_random},
    {MESSAGE_GET, "/api/maps/mine/*", show_map},
    {MESSAGE_PUT, "/api/maps/mine/*", save_map, "map text"},
    {MESSAGE_DELETE, "/api/maps/mine/*", delete_map},
    {MESSAGE_GET, "/api/maps/mine/*/file", send_file},
    {MESSAGE_GET, "/api/maps/*", show_map},
    {MESSAGE_GET, "/api/maps/*/file", send_file},
    {MESSAGE_GET, NULL, NULL},
};
