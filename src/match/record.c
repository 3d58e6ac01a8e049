/* SPDX-License-Identifier: MIT
 *
 * Records in memory, replaying them, and their JSON form. The platform's form is in record_sgf.c, Geister
 * logs are in record_log.c.
 */
#include "match/record.h"

#include "base/file.h"
#include "base/jsontext.h"
#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

void record_init(struct record *record) {
    *record = (struct record){0};
    memcpy(record->result, "none", sizeof "none");
}

void record_done(struct record *record) {
    text_done(&record->map);
    text_done(&record->options);
    mem_free(record->actions);
    *record = (struct record){0};
}

void record_describe(struct record *record, const struct scenario *scenario, const char *const players[2]) {
    snprintf(record->game, sizeof record->game, "%s", scenario->game->name);
    if (game_offer(scenario->game)->takes_map) {
        snprintf(record->rules, sizeof record->rules, "%s", scenario->game->text->rules(scenario));
        scenario->game->text->write_map(scenario, &record->map);
    } else {
        struct text spec = {0};
        game_write_spec(scenario, &spec);
        const char *colon = strchr(text_string(&spec), ':');
        text_add_string(&record->options, colon != NULL ? colon + 1 : "");
        text_done(&spec);
    }
    for (int side = 0; side < 2; side++)
        snprintf(record->players[side], sizeof record->players[side], "%s", players[side]);
}

bool record_add(struct record *record, action a, double milliseconds, struct err *e) {
    assert(record->count <= record->capacity);
    if (record->count == RECORD_ACTIONS_MAX)
        return err_set(e, "a record holds at most %d actions", RECORD_ACTIONS_MAX);
    record->actions =
        mem_grow(record->actions, &record->capacity, record->count + 1, sizeof record->actions[0]);
    record->actions[record->count++] = (struct record_action){a, (float)milliseconds};
    return true;
}

struct scenario *record_scenario(const struct record *record, struct err *e) {
    const struct game *game = game_find(record->game);
    if (game == NULL) {
        err_set(e, "the record's game '%s' is unknown", record->game);
        return NULL;
    }
    if (game_offer(game)->takes_map) {
        const struct game_source map = {"the record's map", text_string(&record->map), record->map.size,
                                        NULL};
        return game_load_map(game, record->rules[0] != '\0' ? record->rules : NULL, &map, e);
    }
    struct text spec = {0};
    text_add(&spec, "%s%s%s", record->game, record->options.size > 0 ? ":" : "",
             text_string(&record->options));
    struct scenario *scenario = game_load_spec(text_string(&spec), e);
    text_done(&spec);
    return scenario;
}

static action action_at(const void *from, int index) {
    const struct record_line *line = from;
    assert(index >= 0);
    assert(index < line->count + line->further_count);
    return index < line->count ? line->record->actions[index].action : line->further[index - line->count];
}

/* A number that distinguishes games. The seed itself would reveal the deal, or outcomes that are drawn later.
 */
static uint64_t history_id(const struct record *record, const struct game *game) {
    return game_is_determined(game) ? record->seed : rng_mix(record->seed) >> 32;
}

/* In games with hidden information no player may see the actions: one of them may be the hidden information.
 * With chance they do not say what was drawn. */
struct game_history record_history(const struct record_line *line, const struct scenario *scenario) {
    assert(line->count <= line->record->count);
    assert(line->further != NULL || line->further_count == 0);
    const bool open = game_is_determined(scenario->game);
    return (struct game_history){.scenario = scenario,
                                 .id = history_id(line->record, scenario->game),
                                 .count = line->count + line->further_count,
                                 .at = open ? action_at : NULL,
                                 .from = open ? line : NULL};
}

struct rng record_game_rng(uint64_t seed, uint64_t deal) {
    struct rng r;
    rng_seed_stream(&r, deal != 0 ? deal : seed, RECORD_STREAM_GAME);
    return r;
}

bool record_deals(const struct scenario *scenario) {
    const struct rng before = record_game_rng(0, 0);
    struct rng r = before;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    scenario->game->start(state, scenario, &r);
    return memcmp(&r, &before, sizeof r) != 0;
}

void replay_start(struct replay *replay, const struct record *record, const struct scenario *scenario) {
    replay->record = record;
    replay->scenario = scenario;
    replay->next = 0;
    replay->rng = record_game_rng(record->seed, record->deal);
    scenario->game->start(replay->state, scenario, &replay->rng);
    turn_count_start(&replay->turn, scenario->game, replay->state);
}

bool replay_step(struct replay *replay, struct err *e) {
    const struct game *game = replay->scenario->game;
    assert(replay->next < replay->record->count);
    const action a = replay->record->actions[replay->next].action;
    if (!game->is_legal(replay->state, a)) {
        struct text text = {0};
        game->text->write_action(replay->state, a, &text);
        err_set(e, "action %d, %s, is illegal", replay->next + 1, text_string(&text));
        text_done(&text);
        return false;
    }
    game->play(replay->state, a, &replay->rng);
    turn_count_step(&replay->turn, game, replay->state);
    replay->next++;
    return true;
}

bool replay_to(struct replay *replay, const struct record *record, const struct scenario *scenario, int count,
               struct err *e) {
    assert(count >= 0);
    replay_start(replay, record, scenario);
    while (replay->next < count && replay->next < record->count)
        if (!replay_step(replay, e))
            return false;
    return true;
}

bool record_read(const char *name, const char *text, size_t size, struct record *out, struct err *difference,
                 struct err *e) {
    record_init(out);
    if (difference != NULL)
        difference->text[0] = '\0'; /* JSON records are refused instead */
    size_t first = 0;
    while (first < size && isspace((unsigned char)text[first]))
        first++;
    if (first == size)
        return err_set(e, "%s: is empty; expected a game record", name);
    return text[first] == '{'            ? record_read_json(name, text, size, out, e)
           : record_is_log(text + first) ? record_read_log(name, text, size, out, difference, e)
                                         : record_read_sgf(name, text, size, out, difference, e);
}

bool record_load(const char *path, struct record *out, struct err *difference, struct err *e) {
    struct text text = {0};
    record_init(out);
    const bool ok = file_read(path, RECORD_TEXT_MAX, &text, e) &&
                    record_read(path, text_string(&text), text.size, out, difference, e);
    text_done(&text);
    return ok;
}

/* ---- JSON ----
 *
 * {"format": "senjutsu-record", "version": 1, "game": "tbs", "rules": "tubstap", "map": "SIZEX[8];…",
 * "players": ["acteval", "random"], "date": "", "seed": 7, "actions": ["3:4,2x9", …],
 * "milliseconds": [0.1, …], "result": "red annihilation", "comment": ""}
 *
 * Games other than the tactical one have "options" in place of "rules" and "map". "deal" is present when the
 * game's own random numbers do not follow from the seed. */

#define FORMAT           "senjutsu-record"
#define MILLISECONDS_MAX 1e12

static const char *const fields[] = {"format",  "version",      "game",   "rules",  "map",
                                     "options", "players",      "date",   "seed",   "deal",
                                     "actions", "milliseconds", "result", "comment"};

/* ---- writing JSON ---- */

/* Actions are written in the positions they are played in, so the record is replayed. */
static bool add_actions(const struct record *record, const struct scenario *scenario, json_t *actions,
                        json_t *times, struct err *e) {
    struct replay replay;
    struct text text = {0};
    replay_start(&replay, record, scenario);
    bool ok = true;
    while (ok && replay.next < record->count) {
        const struct record_action *played = &record->actions[replay.next];
        text_clear(&text);
        scenario->game->text->write_action(replay.state, played->action, &text);
        json_array_append_new(actions, json_string(text_string(&text)));
        json_array_append_new(times, json_real((double)played->milliseconds));
        ok = replay_step(&replay, e);
    }
    text_done(&text);
    return ok;
}

bool record_write_json(const struct record *record, struct text *out, struct err *e) {
    struct scenario *scenario = record_scenario(record, e);
    const bool ok = scenario != NULL && record_write_json_of(record, scenario, out, e);
    if (scenario != NULL)
        scenario->game->unload(scenario);
    return ok;
}

bool record_write_json_of(const struct record *record, const struct scenario *scenario, struct text *out,
                          struct err *e) {
    json_t *actions = json_array(), *times = json_array();
    if (!add_actions(record, scenario, actions, times, e)) {
        json_decref(actions);
        json_decref(times);
        return false;
    }
    const bool maps = game_offer(scenario->game)->takes_map;
    const bool dealt = record->deal != 0 && record->deal != record->seed;
    json_t *root = json_pack("{ss si ss ss* ss* ss* s[ss] ss so so* so so ss ss}", "format", FORMAT,
                             "version", 1, "game", record->game, "rules", maps ? record->rules : NULL, "map",
                             maps ? text_string(&record->map) : NULL, "options",
                             maps ? NULL : text_string(&record->options), "players", record->players[0],
                             record->players[1], "date", record->date, "seed", jsontext_seed(record->seed),
                             "deal", dealt ? jsontext_seed(record->deal) : NULL, "actions", actions,
                             "milliseconds", times, "result", record->result, "comment", record->comment);
    /* json_pack omits a field marked * that is not UTF-8, so the fields are counted: 10 others, rules and map
     * or options, deal. */
    const bool whole = json_object_size(root) == 10 + (maps ? 2U : 1U) + (dealt ? 1U : 0U);
    char *dump = whole ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(root);
    if (dump == NULL)
        return err_set(e,
                       "the record cannot be written as JSON (a text in it is not UTF-8, or memory ran out)");
    text_add_string(out, dump);
    text_add_string(out, "\n");
    free(dump);
    return true;
}

/* ---- reading JSON ---- */

/* Otherwise a misspelt field would silently be missing. */
static bool check_fields(json_t *root, struct err *e) {
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value) {
        size_t i = 0;
        while (i < sizeof fields / sizeof fields[0] && strcmp(fields[i], key) != 0)
            i++;
        if (i == sizeof fields / sizeof fields[0])
            return err_set(e, "\"%.64s\" is no field of a record", key);
    }
    return true;
}

static bool copy_text(const json_t *root, const char *key, char *out, size_t out_size, struct err *e) {
    const json_t *value = json_object_get(root, key);
    if (value == NULL)
        return true; /* optional: stays as it is */
    if (!json_is_string(value) || json_string_length(value) >= out_size)
        return err_set(e, "\"%s\" is no text of at most %zu bytes", key, out_size - 1);
    memcpy(out, json_string_value(value), json_string_length(value));
    out[json_string_length(value)] = '\0';
    return true;
}

static bool read_seed(const json_t *root, const char *key, uint64_t *out, struct err *e) {
    const json_t *value = json_object_get(root, key);
    unsigned long long number = 0;
    if (value == NULL)
        return true;
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        number = (unsigned long long)json_integer_value(value);
    else if (!json_is_string(value) || !text_to_u64(json_string_value(value), &number))
        return err_set(e, "\"%s\" is no whole number", key);
    *out = number;
    return true;
}

static bool read_players(const json_t *root, struct record *out, struct err *e) {
    const json_t *players = json_object_get(root, "players");
    bool ok = json_is_array(players) && json_array_size(players) == 2;
    for (size_t i = 0; ok && i < 2; i++) {
        const json_t *name = json_array_get(players, i);
        ok = json_is_string(name) && json_string_length(name) < RECORD_NAME_MAX;
        if (ok)
            snprintf(out->players[i], sizeof out->players[i], "%s", json_string_value(name));
    }
    return ok || err_set(e, "\"players\" is no list of two names of at most %d bytes", RECORD_NAME_MAX - 1);
}

/* Both are optional here; the game refuses a missing map when it is loaded. */
static bool read_text(const json_t *root, const char *key, struct text *out, struct err *e) {
    const json_t *value = json_object_get(root, key);
    if (value == NULL)
        return true;
    if (!json_is_string(value))
        return err_set(e, "\"%s\" is no text", key);
    text_add_bytes(out, json_string_value(value), json_string_length(value));
    return true;
}

static bool read_head(const json_t *root, struct record *out, struct err *e) {
    return jsontext_is(root, FORMAT, e) && read_text(root, "map", &out->map, e) &&
           read_text(root, "options", &out->options, e) &&
           copy_text(root, "game", out->game, sizeof out->game, e) &&
           copy_text(root, "rules", out->rules, sizeof out->rules, e) &&
           copy_text(root, "date", out->date, sizeof out->date, e) &&
           copy_text(root, "result", out->result, sizeof out->result, e) &&
           copy_text(root, "comment", out->comment, sizeof out->comment, e) && read_players(root, out, e) &&
           read_seed(root, "seed", &out->seed, e) && read_seed(root, "deal", &out->deal, e);
}

/* The time of action i in milliseconds; negative: unknown. */
static bool read_time(const json_t *times, size_t i, double *out, struct err *e) {
    const json_t *time = json_array_get(times, i);
    *out = time != NULL ? json_number_value(time) : -1;
    if (*out < 0)
        *out = -1;
    if ((times == NULL || json_is_array(times)) && (time == NULL || json_is_number(time)) &&
        *out <= MILLISECONDS_MAX)
        return true;
    return err_set(e, "\"milliseconds\" is no list of numbers up to %g", MILLISECONDS_MAX);
}

static bool read_actions(const json_t *root, const struct scenario *scenario, struct record *out,
                         struct err *e) {
    const json_t *actions = json_object_get(root, "actions"), *times = json_object_get(root, "milliseconds");
    if (!json_is_array(actions))
        return err_set(e, "\"actions\" is no list");
    struct replay replay;
    replay_start(&replay, out, scenario);
    for (size_t i = 0; i < json_array_size(actions); i++) {
        const char *text = json_string_value(json_array_get(actions, i));
        double milliseconds;
        action a;
        if (text == NULL)
            return err_set(e, "action %zu is no text", i + 1);
        if (!scenario->game->text->read_action(replay.state, text, &a, e))
            return err_prefix(e, "action %zu: ", i + 1);
        if (!read_time(times, i, &milliseconds, e) || !record_add(out, a, milliseconds, e) ||
            !replay_step(&replay, e))
            return false;
    }
    const char *result = scenario->game->text->result(replay.state);
    if (out->comment[0] == '\0' && strcmp(result, out->result) != 0)
        return err_set(e, "\"result\" is \"%s\"; the actions end with \"%s\"", out->result, result);
    return true;
}

/* Refuses fields that would have no effect. */
static bool check_source(const struct scenario *scenario, const struct record *record, struct err *e) {
    const bool maps = game_offer(scenario->game)->takes_map;
    if (maps && record->options.size > 0)
        return err_set(e, "\"options\" belongs to games without maps; %s has \"rules\"", record->game);
    if (!maps && (record->rules[0] != '\0' || record->map.size > 0))
        return err_set(e, "\"rules\" and \"map\" do not belong to %s, which has \"options\"", record->game);
    return true;
}

static bool read_root(json_t *root, struct record *out, struct err *e) {
    if (!json_is_object(root))
        return err_set(e, "not a JSON object");
    if (!check_fields(root, e) || !read_head(root, out, e))
        return false;
    struct scenario *scenario = record_scenario(out, e);
    if (scenario == NULL)
        return false;
    const bool ok = check_source(scenario, out, e) && read_actions(root, scenario, out, e);
    scenario->game->unload(scenario);
    return ok;
}

bool record_read_json(const char *name, const char *text, size_t size, struct record *out, struct err *e) {
    json_t *root = jsontext_load(name, text, size, e);
    if (root == NULL)
        return false;
    const bool ok = read_root(root, out, e);
    json_decref(root);
    return ok || err_prefix(e, "%s: ", name);
}
