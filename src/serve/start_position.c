/* SPDX-License-Identifier: MIT
 *
 * Reading requests: members of JSON objects, maps, scenarios, players and positions.
 */
#include "player/player.h"
#include "serve/live_game.h"

#include "base/mem.h"
#include "game/tbs/map.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_CHARS = 64 };

#define DEFAULT_MAP  "standard"
#define DEFAULT_GAME "tbs"

/* ---- members ---- */

json_t *request_member(const json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

bool request_text(const json_t *object, const char *key, const char *fallback, const char **text,
                  struct message_out *out) {
    *text = fallback;
    return request_read(object, &(struct param){key, PARAM_STRING}, text, out);
}

bool request_read(const json_t *object, const struct param *row, void *field, struct message_out *out) {
    assert(row->offset == 0);
    const struct param table[] = {*row, {0}};
    struct params sections[] = {{.table = table, .options = field}, {0}};
    json_t *one = json_pack("{sO*}", row->name, json_object_get(object, row->name));
    const bool ok = params_read_json(sections, one, &out->why);
    json_decref(one);
    return ok;
}

/* ---- maps ---- */

bool serve_is_name(const char *name) {
    const size_t size = strlen(name);
    return size >= 1 && size <= NAME_MAX_CHARS &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == size;
}

bool serve_is_mine(const char *name) {
    return strncmp(name, SERVE_MINE, strlen(SERVE_MINE)) == 0;
}

/* It protects serve_map_path: a name has no dot and no further slash, so its path cannot leave the folder. */
static bool is_map_name(const char *name) {
    return serve_is_name(serve_is_mine(name) ? name + strlen(SERVE_MINE) : name);
}

bool serve_map_path(const struct workbench *bench, const char *name, char *out, size_t out_size) {
    if (!is_map_name(name))
        return false;
    const int size = serve_is_mine(name) ? snprintf(out, out_size, "%s/maps/%s.tbsmap", bench->setup.data,
                                                    name + strlen(SERVE_MINE))
                                         : snprintf(out, out_size, "%s/%s.tbsmap", bench->setup.maps, name);
    return size > 0 && (size_t)size < out_size;
}

bool serve_read_map(struct workbench *bench, const char *name, struct text *text, struct message_out *out) {
    char path[SERVE_PATH_MAX];
    if (!serve_map_path(bench, name, path, sizeof path) ||
        !(serve_is_mine(name) ? file_is_plain(path) : file_exists(path)))
        return message_fail_code(out, 404, "map", "refused.no_map",
                                 "there is no map '%.80s'; /api/maps lists those there are", name);
    return file_read(path, TBS_MAP_TEXT_MAX, text, &out->why) || message_fail_err(out, 500, "map", &out->why);
}

/* ---- scenarios ---- */

/* The members of a request that name a scenario; borrowed from its body. */
struct wanted {
    const char *game, *map, *map_text, *rules;
    struct spec spec; /* of the game, with the rules in it */
    bool takes_map;
};

/* The members, and that they go together. The rules become an option of the game's spec, as on a command
 * line, so that one reader knows them. */
static bool read_wanted(const json_t *body, struct wanted *out, struct message_out *failure) {
    struct err *e = &failure->why;
    if (!request_text(body, "game", DEFAULT_GAME, &out->game, failure) ||
        !request_text(body, "map", NULL, &out->map, failure) ||
        !request_text(body, "map_text", NULL, &out->map_text, failure) ||
        !request_text(body, "rules", NULL, &out->rules, failure))
        return false;
    if (!spec_parse(out->game, &out->spec, e))
        return err_field(e, "game");
    const struct game *game = game_find(out->spec.name);
    if (game == NULL)
        return message_fail_code(failure, 400, "game", "refused.game",
                                 "game '%s' is unknown; /api/games lists those there are", out->spec.name);
    out->takes_map = game_offer(game)->takes_map;
    const char *odd = out->map != NULL ? "map" : out->map_text != NULL ? "map_text" : "rules";
    if (!out->takes_map && (out->map != NULL || out->map_text != NULL || out->rules != NULL))
        return message_fail_code(failure, 400, odd, "refused.game_maps",
                                 "\"%s\" does not go with %s, which is played without maps", odd, game->name);
    if (out->map != NULL && out->map_text != NULL && !is_map_name(out->map))
        return message_fail(failure, 400, "map",
                            "\"map\" beside \"map_text\" is its name, as /api/maps has them");
    return ((out->rules == NULL || spec_add(&out->spec, "rules", out->rules, e)) &&
            params_check(game->options, &out->spec, e)) ||
           err_field(e, out->rules != NULL ? "rules" : "game");
}

/* The text of the requested map; one that came as JSON is converted. */
static bool find_map(struct workbench *bench, const struct wanted *wanted, struct text *out,
                     struct message_out *failure) {
    const char *given = wanted->map_text;
    struct tbs_map map;
    struct tbs_problems problems = {0};
    if (given == NULL)
        return serve_read_map(bench, wanted->map != NULL ? wanted->map : DEFAULT_MAP, out, failure);
    if (strlen(given) > TBS_MAP_TEXT_MAX)
        return message_fail_code(failure, 400, "map_text", "refused.map_size",
                                 "the map is too large; the limit is %d bytes", TBS_MAP_TEXT_MAX);
    if (given[strspn(given, " \t\r\n")] != '{') {
        text_add_string(out, given);
    } else if (tbs_map_read_json(given, strlen(given), &map, &problems)) {
        tbs_map_write(&map, out);
    } else {
        tbs_problems_explain(&problems, "map_text", &failure->why);
        return err_field(&failure->why, "map_text");
    }
    return true;
}

/* The map's file is read for each request, because its owner may have changed it. */
struct scenario *start_position_scenario(struct workbench *bench, const json_t *body,
                                         struct message_out *out) {
    struct wanted wanted = {0};
    struct text text = {0};
    struct scenario *scenario = NULL;
    if (!read_wanted(body, &wanted, out))
        return NULL;
    if (!wanted.takes_map) {
        scenario = game_load_spec(wanted.game, &out->why);
        if (scenario == NULL)
            err_field(&out->why, "game");
    } else if (find_map(bench, &wanted, &text, out)) {
        const char *name = wanted.map_text != NULL ? "map_text"
                           : wanted.map != NULL    ? wanted.map
                                                   : DEFAULT_MAP;
        const struct game_source source = {name, text_string(&text), text.size, &wanted.spec};
        scenario = game_load(game_find(wanted.spec.name), &source, &out->why);
        if (scenario == NULL)
            err_field(&out->why, wanted.map_text != NULL ? "map_text" : "map");
    }
    text_done(&text);
    return scenario;
}

/* ---- players ----
 *
 * A page may name players whose options need no permission (player/player.h), or only
 * permissions that the server's owner gave, and that need no more memory and threads than allowed. */

enum { NESTED_MAX = 8 };

/* Programs and connections only with --programs; files never. */
const struct grant *serve_grant(const struct workbench *bench) {
    static const struct grant programs = {.powers = 1U << PARAM_STARTS | 1U << PARAM_CONNECTS};
    return bench->setup.programs ? &programs : NULL;
}

/* All nested specs are checked before any player is opened or runs its own check. `nested` counts the players
 * of one spec, which also limits how deep this function calls itself. */
static bool look_at(const struct workbench *bench, const char *string, int *nested, struct err *e) {
    static const unsigned files = 1U << PARAM_READS | 1U << PARAM_WRITES;
    struct spec spec;
    union player_options options = {0};
    if (++*nested > NESTED_MAX)
        return err_set(e, "more than %d players in one", NESTED_MAX);
    if (!spec_parse(string, &spec, e))
        return false;
    const struct player_type *type = player_type_find(spec.name);
    if (type == NULL)
        return err_code(e, "refused.player", "player '%s' is unknown; /api/players lists those there are",
                        spec.name);
    const bool is_program = type == &player_ext && !bench->setup.programs; /* also without a command */
    if (!is_program && !params_read(type->params, &spec, &options, e))
        return false;
    if (is_program || !grant_allows_options(serve_grant(bench), type, &options, NULL)) {
        const struct param *p = type->params;
        const bool has_file = !is_program && (params_powers(type->params, &options) & files) != 0;
        while (has_file && (1U << p->power & files) == 0)
            p++;
        if (has_file)
            return err_code(e, "refused.file_option", "%s: %s names a file, which a page must not",
                            type->name, p->name);
        return err_code(e, "refused.programs",
                        "%s: programs of others are not allowed here; 'senjutsu serve --programs' allows "
                        "them",
                        type->name);
    }
    for (const struct param *p = type->params; p != NULL && p->name != NULL; p++)
        if (p->power == PARAM_SPEC && !look_at(bench, (const char *)&options + p->offset, nested, e))
            return err_prefix(e, "%s: %s: ", type->name, p->name);
    return true;
}

bool serve_check_player(const struct workbench *bench, const char *spec, struct text *out, struct err *e) {
    int nested = 0;
    return look_at(bench, spec, &nested, e) &&
           player_check_needs(spec, SERVE_PLAYER_MB_MAX, bench->setup.cores, e) && player_check(spec, out, e);
}

/* Some options are valid only in some games: opening the player checks that. */
bool serve_try_player(const struct workbench *bench, const char *spec, const struct game *game,
                      struct text *out, struct err *e) {
    if (!serve_check_player(bench, spec, out, e))
        return false;
    struct player *player = player_open_granted(spec, game, serve_grant(bench), e);
    player_close(player);
    return player != NULL;
}

/* ---- the position a request names: of a map, a text, a record or a live game ---- */

enum { ALL_ACTIONS = -1 };

/* Begins the replay of its record and scenario, at the position of that text (NULL: at its start). */
static bool begin(struct start_position *out, const char *position, struct err *e) {
    assert(out->scenario != NULL);
    replay_start(&out->replay, &out->record, out->scenario);
    out->placed = position != NULL;
    if (out->placed && !game_read_position(out->scenario, position, out->replay.state, e))
        return false;
    turn_count_start(&out->replay.turn, out->scenario->game, out->replay.state);
    return true;
}

/* A record as text of any form, or as the JSON that the form is. One that leaves the rules is good up to
 * there: its earlier positions can be named with "after". */
static bool replay_record(const json_t *given, int after, struct start_position *out,
                          struct message_out *failure) {
    struct err difference = {0}, *e = &failure->why;
    const char *text = json_string_value(given);
    char *dump = text == NULL && json_is_object(given) ? json_dumps(given, JSON_COMPACT) : NULL;
    if (dump == NULL && text == NULL)
        return message_fail(failure, 400, "record",
                            "\"record\": expected a game as record.json has it, or its text");
    text = dump != NULL ? dump : text;
    const bool ok = record_read("record", text, strlen(text), &out->record, &difference, e);
    mem_free(dump);
    if (!ok)
        return err_field(e, "record");
    const int count = out->record.count;
    if (difference.text[0] != '\0' && (after == ALL_ACTIONS || after > count))
        return message_fail(failure, 400, "record", "%s", difference.text);
    if (after > count)
        return message_fail_code(failure, 400, "after", "refused.after", "the record has %d action%s, not %d",
                                 count, count == 1 ? "" : "s", after);
    out->scenario = record_scenario(&out->record, e);
    return (out->scenario != NULL &&
            replay_to(&out->replay, &out->record, out->scenario, after == ALL_ACTIONS ? count : after, e)) ||
           err_field(e, "record");
}

/* The complete position, which may show more than the caller may see. It owns copies of everything: an
 * analysis of it goes on when the game is changed or deleted. */
static bool copy_position(const struct live_game *live, int count, struct start_position *out,
                          struct err *e) {
    const struct record *from = &live->record;
    struct record *to = &out->record;
    struct text start = {0};
    record_done(to);
    *to = *from;
    to->map = to->options = (struct text){0};
    text_add_bytes(&to->map, text_string(&from->map), from->map.size);
    text_add_bytes(&to->options, text_string(&from->options), from->options.size);
    to->count = to->capacity = count;
    to->actions = count > 0 ? mem_copy(from->actions, (size_t)count * sizeof from->actions[0]) : NULL;
    out->scenario = record_scenario(to, e);
    if (live->game.is_placed)
        live->scenario->game->text->write_state(live->game.start, &start);
    bool ok = out->scenario != NULL && begin(out, start.data, e);
    text_done(&start);
    while (ok && out->replay.next < count)
        ok = replay_step(&out->replay, e);
    return ok;
}

/* A position in a live game. */
struct live_place {
    const char *id, *key; /* the key may be NULL */
    int after;            /* this many actions; negative: all */
};

/* Fills the position from a live game, as far as the holder of the key may see it. In a game with hidden
 * parts the holder's side must be to move (or the game over), and the state is that side's view. */
static bool find_live(struct workbench *bench, const struct live_place *place, struct start_position *out,
                      struct message_out *failure) {
    const struct live_game *live = live_games_find(bench->live_games, place->id, failure);
    if (live == NULL)
        return false;
    const int sides = live_game_sides(live, place->key), played = live->record.count;
    if (sides < 0)
        return message_fail_code(failure, 403, "key", "refused.key", "that is not a key of this game");
    if (place->after > played)
        return message_fail(failure, 409, "after", "%d actions were played, not %d", played, place->after);
    if (!copy_position(live, place->after < 0 ? played : place->after, out, &failure->why))
        return message_fail_err(failure, 500, NULL, &failure->why);
    if (!live_game_has_secrets(live))
        return true;
    const struct game *game = out->scenario->game;
    const int mover = game->mover(out->replay.state);
    assert(mover != NOBODY); /* the game goes on */
    if (!live_game_has_side((unsigned)sides, mover))
        return message_fail_code(
            failure, 403, "key", "refused.hidden_position",
            "the position has hidden parts: only the side to move may see it, with the key of its seat");
    game->hide(out->replay.state, mover);
    return true;
}

/* A source names exactly one position. */
static bool fill(struct workbench *bench, const json_t *source, struct start_position *out,
                 struct message_out *failure) {
    static const struct param actions = {"after", PARAM_INT, .high = RECORD_ACTIONS_MAX};
    static const char *const no_players[2] = {"", ""};
    const char *live, *key, *position;
    int after = ALL_ACTIONS;
    if (!json_is_object(source))
        return message_fail(failure, 400, "source", "\"source\": expected an object that names a position");
    if (!serve_knows(source, "game map map_text rules position record table key after", failure))
        return false;
    const bool is_live = request_member(source, "table") != NULL,
               is_record = request_member(source, "record") != NULL;
    if (is_live + is_record + (request_member(source, "position") != NULL) > 1)
        return message_fail(failure, 400, "source",
                            "expected one of \"position\", \"record\" and \"table\", not several");
    if (request_member(source, "key") != NULL && !is_live)
        return message_fail(failure, 400, "key", "\"key\" belongs to \"table\"");
    if (request_member(source, "after") != NULL && !is_live && !is_record)
        return message_fail(failure, 400, "after", "\"after\" belongs to \"record\" or \"table\"");
    if (!request_text(source, "table", NULL, &live, failure) ||
        !request_text(source, "key", NULL, &key, failure) ||
        !request_text(source, "position", NULL, &position, failure) ||
        !request_read(source, &actions, &after, failure))
        return false;
    if (is_live)
        return find_live(bench, &(struct live_place){live, key, after}, out, failure);
    if (is_record)
        return replay_record(json_object_get(source, "record"), after, out, failure);
    out->scenario = start_position_scenario(bench, source, failure);
    if (out->scenario == NULL)
        return false;
    record_describe(&out->record, out->scenario, no_players);
    return begin(out, position, &failure->why) || err_field(&failure->why, "position");
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
    game_unload(position->scenario);
    record_done(&position->record);
    *position = (struct start_position){0};
}
