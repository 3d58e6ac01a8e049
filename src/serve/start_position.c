/* SPDX-License-Identifier: MIT
 *
 * Reading requests: members of JSON objects, maps, scenarios, players and positions.
 */
#include "serve/start_position.h"

#include "base/file.h"
#include "game/tbs/map.h"
#include "game/tbs/tbs.h"
#include "player/players.h"
#include "serve/live_game.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_CHARS = 64 };

#define MINE         "mine/"
#define DEFAULT_MAP  "standard"
#define DEFAULT_GAME "tbs"

/* ---- members ---- */

/* NULL when it is not there. */
static const json_t *member(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

static bool refuse(struct message_out *out, const char *field, const char *sentence) {
    return message_fail(out, 400, field, "%s", sentence);
}

bool request_text(const json_t *object, const char *key, const char *fallback, const char **text,
                  struct message_out *out) {
    const json_t *value = member(object, key);
    *text = value == NULL ? fallback : json_string_value(value);
    if (value == NULL || *text != NULL)
        return true;
    return message_fail(out, 400, key, "\"%s\" is no text", key);
}

bool request_read(const json_t *object, const struct param *row, void *field, struct message_out *out) {
    assert(row->offset == 0);
    const struct param table[] = {*row, {0}};
    struct params sections[] = {{.table = table, .options = field}, {0}};
    json_t *one = json_pack("{sO*}", row->name, json_object_get(object, row->name));
    const bool ok = serve_read(one, sections, out);
    json_decref(one);
    return ok;
}

/* ---- maps ---- */

bool serve_is_name(const char *name) {
    const size_t size = strlen(name);
    return size >= 1 && size <= NAME_MAX_CHARS &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == size;
}

static bool is_mine(const char *name) {
    return strncmp(name, MINE, strlen(MINE)) == 0;
}

static const char *bare_name(const char *name) {
    return is_mine(name) ? name + strlen(MINE) : name;
}

static bool is_map_name(const char *name) {
    return serve_is_name(bare_name(name));
}

bool serve_map_path(const struct workbench *bench, const char *name, char *out, size_t out_size) {
    if (!is_map_name(name))
        return false;
    const int size = is_mine(name)
                         ? snprintf(out, out_size, "%s/maps/%s.tbsmap", bench->data, bare_name(name))
                         : snprintf(out, out_size, "%s/%s.tbsmap", bench->maps, name);
    return size > 0 && (size_t)size < out_size;
}

bool serve_read_map(struct workbench *bench, const char *name, struct text *text, struct message_out *out) {
    char path[SERVE_PATH_MAX];
    struct err e;
    if (!serve_map_path(bench, name, path, sizeof path) ||
        !(is_mine(name) ? file_is_plain(path) : file_exists(path)))
        return message_fail_code(out, 404, "map", "refused.no_map",
                                 "there is no map '%.80s'; /api/maps lists those there are", name);
    if (file_read(path, TBS_MAP_TEXT_MAX, text, &e))
        return true;
    return message_fail_err(out, 500, "map", &e);
}

/* ---- scenarios ---- */

struct wanted {
    const char *game, *map, *map_text, *rules;
    struct spec spec; /* of the game, with the rules in it */
    bool takes_map;
};

/* The members, and that they go together. */
static bool read_wanted(const json_t *body, struct wanted *out, struct message_out *failure) {
    struct err e;
    if (!request_text(body, "game", DEFAULT_GAME, &out->game, failure) ||
        !request_text(body, "map", NULL, &out->map, failure) ||
        !request_text(body, "map_text", NULL, &out->map_text, failure) ||
        !request_text(body, "rules", NULL, &out->rules, failure))
        return false;
    if (!spec_parse(out->game, &out->spec, &e))
        return refuse(failure, "game", e.text);
    const struct game *game = game_find(out->spec.name);
    if (game == NULL)
        return message_fail(failure, 400, "game", "game '%s' is unknown; /api/games lists those there are",
                            out->spec.name);
    out->takes_map = game_offer(game)->takes_map;
    const char *odd = out->map != NULL ? "map" : out->map_text != NULL ? "map_text" : "rules";
    if (!out->takes_map && (out->map != NULL || out->map_text != NULL || out->rules != NULL))
        return message_fail(failure, 400, odd, "\"%s\" does not go with %s, which is played without maps",
                            odd, game->name);
    if (out->map != NULL && out->map_text != NULL && !is_map_name(out->map))
        return refuse(failure, "map", "\"map\" beside \"map_text\" is its name, as /api/maps has them");
    if ((out->rules != NULL && !spec_add(&out->spec, "rules", out->rules, &e)) ||
        !params_check(game->options, &out->spec, &e))
        return refuse(failure, out->rules != NULL ? "rules" : "game", e.text);
    return true;
}

/* Converts a map that came as JSON into the text of a map file. */
static bool write_map_text(const char *json, struct text *out, struct message_out *failure) {
    struct tbs_map map;
    struct tbs_problems problems = {0};
    struct err e;
    if (!tbs_map_read_json(json, strlen(json), &map, &problems)) {
        tbs_problems_explain(&problems, "map_text", &e);
        return refuse(failure, "map_text", e.text);
    }
    tbs_map_write(&map, out);
    return true;
}

/* The text of the requested map. */
static bool find_map(struct workbench *bench, const struct wanted *wanted, struct text *out,
                     struct message_out *failure) {
    if (wanted->map_text == NULL)
        return serve_read_map(bench, wanted->map != NULL ? wanted->map : DEFAULT_MAP, out, failure);
    if (strlen(wanted->map_text) > TBS_MAP_TEXT_MAX)
        return refuse(failure, "map_text", "the map is too large; the limit is 1 MB");
    if (wanted->map_text[strspn(wanted->map_text, " \t\r\n")] == '{')
        return write_map_text(wanted->map_text, out, failure);
    text_add_string(out, wanted->map_text);
    return true;
}

static struct scenario *load_on_map(struct workbench *bench, const struct wanted *wanted,
                                    struct message_out *failure) {
    struct text text = {0};
    struct err e;
    struct scenario *scenario = NULL;
    const char *name = wanted->map_text != NULL ? "map_text"
                       : wanted->map != NULL    ? wanted->map
                                                : DEFAULT_MAP;
    if (find_map(bench, wanted, &text, failure)) {
        const struct game_source source = {name, text_string(&text), text.size, &wanted->spec};
        scenario = game_find(wanted->spec.name)->load(&source, &e);
        if (scenario == NULL)
            message_fail_err(failure, 400, wanted->map_text != NULL ? "map_text" : "map", &e);
    }
    text_done(&text);
    return scenario;
}

struct scenario *start_position_scenario(struct workbench *bench, const json_t *body,
                                         struct message_out *out) {
    struct wanted wanted = {0};
    struct err e;
    if (!read_wanted(body, &wanted, out))
        return NULL;
    if (wanted.takes_map)
        return load_on_map(bench, &wanted, out);
    struct scenario *scenario = game_load_spec(wanted.game, &e);
    if (scenario == NULL)
        message_fail_err(out, 400, "game", &e);
    return scenario;
}

/* ---- players ----
 *
 * A page may name players whose options need no permission (player/grant.h), or only
 * permissions that the server's owner gave, and that need no more memory and threads than allowed. */

enum { NESTED_MAX = 8 };

/* Programs and connections only with --programs; files never. */
const struct grant *serve_grant(const struct workbench *bench) {
    static const struct grant programs = {.powers = 1U << PARAM_STARTS | 1U << PARAM_CONNECTS};
    return bench->setup.programs ? &programs : NULL;
}

/* Through the players of one spec. */
struct walk {
    const struct workbench *bench;
    int nested;
};

static bool look_at(struct walk *walk, const char *string, struct err *e);

static bool refuse_programs(const struct player_type *type, struct err *e) {
    return err_code(e, "refused.programs",
                    "%s: programs of others are not allowed here; 'senjutsu serve --programs' allows them",
                    type->name);
}

/* The name of the option that reads or writes a file; NULL: none does. */
static const char *file_option(const struct player_type *type, const void *options) {
    const unsigned files = 1U << PARAM_READS | 1U << PARAM_WRITES;
    const struct param *p = type->params;
    while ((params_powers(type->params, options) & files) != 0 && (1U << p->power & files) == 0)
        p++;
    return (params_powers(type->params, options) & files) != 0 ? p->name : NULL;
}

static bool check_powers(const struct walk *walk, const struct player_type *type, const void *options,
                         struct err *e) {
    if (grant_allows_options(serve_grant(walk->bench), type, options, NULL))
        return true;
    const char *file = file_option(type, options);
    if (file != NULL)
        return err_set(e, "%s: %s names a file, which a page must not", type->name, file);
    return refuse_programs(type, e);
}

static bool check_nested(struct walk *walk, const struct player_type *type, const void *options,
                         struct err *e) {
    for (const struct param *p = type->params; p != NULL && p->name != NULL; p++)
        if (p->power == PARAM_SPEC && !look_at(walk, (const char *)options + p->offset, e))
            return err_prefix(e, "%s: %s: ", type->name, p->name);
    return true;
}

/* All nested specs are checked before any player is opened or runs its own check. */
static bool look_at(struct walk *walk, const char *string, struct err *e) {
    struct spec spec;
    union player_options options = {0};
    if (++walk->nested > NESTED_MAX)
        return err_set(e, "more than %d players in one", NESTED_MAX);
    if (!spec_parse(string, &spec, e))
        return false;
    const struct player_type *type = player_type_find(spec.name);
    if (type == NULL)
        return err_code(e, "refused.player", "player '%s' is unknown; /api/players lists those there are",
                        spec.name);
    if (type == &player_ext && !walk->bench->setup.programs) /* also when no command is given */
        return refuse_programs(type, e);
    return params_read(type->params, &spec, &options, e) && check_powers(walk, type, &options, e) &&
           check_nested(walk, type, &options, e);
}

bool serve_check_player(const struct workbench *bench, const char *spec, struct text *out, struct err *e) {
    struct walk walk = {.bench = bench};
    return look_at(&walk, spec, e) && player_check_needs(spec, SERVE_PLAYER_MB_MAX, bench->setup.cores, e) &&
           player_check(spec, out, e);
}

/* Some options are valid only in some games: opening the player checks that. */
bool serve_try_player(const struct workbench *bench, const char *spec, const struct game *game,
                      struct text *out, struct err *e) {
    if (!serve_check_player(bench, spec, out, e))
        return false;
    struct player *player = player_open_granted(spec, game, serve_grant(bench), e);
    if (player == NULL)
        return false;
    player_close(player);
    return true;
}

/* The position a request names: of a map, a text, a record or a live game. */

static const char *const source_members[] = {"game",   "map",   "map_text", "rules", "position",
                                             "record", "table", "key",      "after", NULL};

enum { ALL_ACTIONS = -1 };

/* A record as text of any form, or as the JSON that the form is. */
static bool read_record(const json_t *given, struct record *out, struct err *difference,
                        struct message_out *failure) {
    struct err e;
    const char *text = json_string_value(given);
    char *dump = text == NULL && json_is_object(given) ? json_dumps(given, JSON_COMPACT) : NULL;
    if (dump != NULL)
        text = dump;
    if (text == NULL)
        return refuse(failure, "record", "\"record\": expected a game as record.json has it, or its text");
    const bool ok = record_read("record", text, strlen(text), out, difference, &e);
    free(dump);
    return ok || refuse(failure, "record", e.text);
}

/* A record that leaves the rules is good up to there. */
static bool replay_record(const json_t *given, int after, struct start_position *out,
                          struct message_out *failure) {
    struct err difference = {0}, e;
    if (!read_record(given, &out->record, &difference, failure))
        return false;
    if (difference.text[0] != '\0' && (after == ALL_ACTIONS || after > out->record.count))
        return refuse(failure, "record", difference.text);
    if (after > out->record.count)
        return message_fail(failure, 400, "after", "the record has %d action%s, not %d", out->record.count,
                            out->record.count == 1 ? "" : "s", after);
    out->scenario = record_scenario(&out->record, &e);
    if (out->scenario == NULL)
        return refuse(failure, "record", e.text);
    const int wanted = after == ALL_ACTIONS ? out->record.count : after;
    return replay_to(&out->replay, &out->record, out->scenario, wanted, &e) ||
           refuse(failure, "record", e.text);
}

static bool start_game(struct workbench *bench, const json_t *source, const char *position,
                       struct start_position *out, struct message_out *failure) {
    static const char *const nobody[2] = {"", ""};
    struct err e;
    out->scenario = start_position_scenario(bench, source, failure);
    if (out->scenario == NULL)
        return false;
    const struct game *game = out->scenario->game;
    record_describe(&out->record, out->scenario, nobody);
    replay_start(&out->replay, &out->record, out->scenario);
    if (position == NULL)
        return true;
    if (!game_read_position(out->scenario, position, out->replay.state, &e))
        return refuse(failure, "position", e.text);
    out->placed = true;
    turn_count_start(&out->replay.turn, game, out->replay.state);
    return true;
}

/* A source names exactly one position. */
static bool check_source(const json_t *source, struct message_out *failure) {
    if (!json_is_object(source))
        return refuse(failure, "source", "\"source\": expected an object that says which position");
    if (!serve_knows(source, source_members, failure))
        return false;
    const bool live = member(source, "table") != NULL, record = member(source, "record") != NULL;
    if (live + record + (member(source, "position") != NULL) > 1)
        return refuse(failure, "source",
                      "expected one of \"position\", \"record\" and \"table\", not several");
    if (member(source, "key") != NULL && !live)
        return refuse(failure, "key", "\"key\" belongs to \"table\"");
    if (member(source, "after") != NULL && !live && !record)
        return refuse(failure, "after", "\"after\" belongs to \"record\" or \"table\"");
    return true;
}

static bool fill(struct workbench *bench, const json_t *source, struct start_position *out,
                 struct message_out *failure) {
    static const struct param actions = {"after", PARAM_INT, .high = RECORD_ACTIONS_MAX};
    const char *live, *key, *position;
    int after = ALL_ACTIONS;
    if (!check_source(source, failure) || !request_text(source, "table", NULL, &live, failure) ||
        !request_text(source, "key", NULL, &key, failure) ||
        !request_text(source, "position", NULL, &position, failure) ||
        !request_read(source, &actions, &after, failure))
        return false;
    if (live != NULL)
        return live_games_position(bench, &(struct live_game_place){live, key, after}, out, failure);
    if (member(source, "record") != NULL)
        return replay_record(json_object_get(source, "record"), after, out, failure);
    return start_game(bench, source, position, out, failure);
}

bool start_position_load(struct workbench *bench, const json_t *source, struct start_position *out,
                         struct message_out *failure) {
    *out = (struct start_position){0};
    record_init(&out->record);
    if (!fill(bench, source, out, failure))
        return false;
    const struct game *game = out->scenario->game;
    out->partial = game->hide != NULL && game->worlds(out->replay.state) > 1;
    return true;
}

void start_position_done(struct start_position *position) {
    if (position->scenario != NULL)
        position->scenario->game->unload(position->scenario);
    record_done(&position->record);
    *position = (struct start_position){0};
}
