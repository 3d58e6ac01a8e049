/* SPDX-License-Identifier: MIT
 *
 * Records in memory, replaying them, and their forms: JSON, the platform's .sgf, and logs of the Geister
 * server.
 */
#include "match/record.h"

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

/* Options are stored as in a spec, without the game's name, and only those that differ from the defaults. */
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

/* The limit protects the memory against a game that never ends. */
bool record_add(struct record *record, action a, double milliseconds, struct err *e) {
    assert(record->count <= record->capacity);
    if (record->count == RECORD_ACTIONS_MAX)
        return err_set(e, "a record holds at most %d actions", RECORD_ACTIONS_MAX);
    record->actions =
        mem_grow(record->actions, &record->capacity, record->count + 1, sizeof record->actions[0]);
    record->actions[record->count++] = (struct record_action){a, (float)milliseconds};
    return true;
}

/* The record contains the map itself, not its name: a map file that has changed since does not change the
 * record. */
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

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static action action_at(const void *from, int index) {
    const struct record_line *line = from;
    assert(index >= 0);
    assert(index < line->count + line->further_count);
    return index < line->count ? line->record->actions[index].action : line->further[index - line->count];
}

/* In games with hidden information no player may see the actions: one of them may be the hidden information.
 * With chance they do not say what was drawn. The id distinguishes games; there the seed itself would reveal
 * the deal, or outcomes that are drawn later. */
struct game_history record_history(const struct record_line *line, const struct scenario *scenario) {
    assert(line->count <= line->record->count);
    assert(line->further != NULL || line->further_count == 0);
    const bool open = game_is_determined(scenario->game);
    const uint64_t seed = line->record->seed;
    return (struct game_history){.scenario = scenario,
                                 .id = open ? seed : rng_mix(seed) >> 32,
                                 .count = line->count + line->further_count,
                                 .at = open ? action_at : NULL,
                                 .from = open ? line : NULL};
}

struct rng record_game_rng(uint64_t seed, uint64_t deal) {
    struct rng r;
    rng_seed_stream(&r, deal != 0 ? deal : seed, RECORD_STREAM_GAME);
    return r;
}

/* Starts the game once and looks whether it has drawn a number. */
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

/* The action is checked although records were checked when they were read: they may have been changed
 * since. */
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

const struct record_form *record_find_form(const struct game *game, const char *name, struct err *e) {
    static const struct record_form forms[] = {
        {"json", "JSON", "json", "application/json", record_write_json},
        {"sgf", "sgf", "sgf", "text/plain; charset=utf-8", record_write_sgf},
        {"log", "a server's log", "txt", "text/plain; charset=utf-8", record_write_log},
    };
    const char *own = game_offer(game)->record_form;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].name, name) == 0 && (i == 0 || (own != NULL && strcmp(own, name) == 0)))
            return &forms[i];
    err_set(e, "a record of %s has no form '%.16s'; expected json%s%s", game_public_name(game), name,
            own != NULL ? " or " : "", own != NULL ? own : "");
    return NULL;
}

/* A record of the platform has no mark at its start: what is neither JSON nor a log is read as .sgf, whose
 * reader reports what is missing. */
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

/* For callers without the scenario, which is loaded from the record itself. */
bool record_write_json(const struct record *record, struct text *out, struct err *e) {
    struct scenario *scenario = record_scenario(record, e);
    const bool ok = scenario != NULL && record_write_json_of(record, scenario, out, e);
    game_unload(scenario);
    return ok;
}

/* Actions are written in the positions they are played in, so the record is replayed. */
bool record_write_json_of(const struct record *record, const struct scenario *scenario, struct text *out,
                          struct err *e) {
    json_t *actions = json_array(), *times = json_array();
    struct replay replay;
    struct text text = {0};
    bool is_legal = true;
    replay_start(&replay, record, scenario);
    while (is_legal && replay.next < record->count) {
        const struct record_action *played = &record->actions[replay.next];
        text_clear(&text);
        scenario->game->text->write_action(replay.state, played->action, &text);
        json_array_append_new(actions, json_string(text_string(&text)));
        json_array_append_new(times, json_real((double)played->milliseconds));
        is_legal = replay_step(&replay, e);
    }
    text_done(&text);
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
    const bool ok = is_legal && json_object_size(root) == 10 + (maps ? 2U : 1U) + (dealt ? 1U : 0U) &&
                    jsontext_add_line(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6), out);
    json_decref(root);
    if (is_legal && !ok)
        err_set(e, "the record cannot be written as JSON (a text in it is not UTF-8, or memory ran out)");
    return ok;
}

/* All fields but "format", "version" and "players" are optional: a missing one stays as record_init left it.
 * The game refuses a missing map when it is loaded. */
static bool copy_text(const json_t *root, const char *key, char *out, size_t out_size, struct err *e) {
    const json_t *value = json_object_get(root, key);
    if (value == NULL)
        return true;
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

static bool read_text(const json_t *root, const char *key, struct text *out, struct err *e) {
    const json_t *value = json_object_get(root, key);
    if (value != NULL && !json_is_string(value))
        return err_set(e, "\"%s\" is no text", key);
    if (value != NULL)
        text_add_bytes(out, json_string_value(value), json_string_length(value));
    return true;
}

/* An unknown field is refused: otherwise a misspelt one would silently be missing. */
static bool read_head(json_t *root, struct record *out, struct err *e) {
    static const char *const fields[] = {"format",  "version",      "game",   "rules",  "map",
                                         "options", "players",      "date",   "seed",   "deal",
                                         "actions", "milliseconds", "result", "comment"};
    const char *key, *first, *second;
    json_t *value;
    json_object_foreach(root, key, value) {
        size_t i = 0;
        while (i < sizeof fields / sizeof fields[0] && strcmp(fields[i], key) != 0)
            i++;
        if (i == sizeof fields / sizeof fields[0])
            return err_set(e, "\"%.64s\" is no field of a record", key);
    }
    if (!jsontext_is(root, FORMAT, e) || !read_text(root, "map", &out->map, e) ||
        !read_text(root, "options", &out->options, e) ||
        !copy_text(root, "game", out->game, sizeof out->game, e) ||
        !copy_text(root, "rules", out->rules, sizeof out->rules, e) ||
        !copy_text(root, "date", out->date, sizeof out->date, e) ||
        !copy_text(root, "result", out->result, sizeof out->result, e) ||
        !copy_text(root, "comment", out->comment, sizeof out->comment, e))
        return false;
    if (json_unpack(root, "{s[ss!]}", "players", &first, &second) != 0 || strlen(first) >= RECORD_NAME_MAX ||
        strlen(second) >= RECORD_NAME_MAX)
        return err_set(e, "\"players\" is no list of two names of at most %d bytes", RECORD_NAME_MAX - 1);
    snprintf(out->players[0], sizeof out->players[0], "%s", first);
    snprintf(out->players[1], sizeof out->players[1], "%s", second);
    return read_seed(root, "seed", &out->seed, e) && read_seed(root, "deal", &out->deal, e);
}

/* Each action is read in its position, because its notation may depend on it, and then played. */
static bool read_actions(const json_t *root, const struct scenario *scenario, struct record *out,
                         struct err *e) {
    const json_t *actions = json_object_get(root, "actions"), *times = json_object_get(root, "milliseconds");
    if (!json_is_array(actions))
        return err_set(e, "\"actions\" is no list");
    struct replay replay;
    replay_start(&replay, out, scenario);
    for (size_t i = 0; i < json_array_size(actions); i++) {
        const char *text = json_string_value(json_array_get(actions, i));
        const json_t *time = json_array_get(times, i);
        const double given = json_number_value(time);
        const double milliseconds = time == NULL || given < 0 ? RECORD_NO_TIME : given;
        action a;
        if (text == NULL)
            return err_set(e, "action %zu is no text", i + 1);
        if (!scenario->game->text->read_action(replay.state, text, &a, e))
            return err_prefix(e, "action %zu: ", i + 1);
        if ((times != NULL && !json_is_array(times)) || (time != NULL && !json_is_number(time)) ||
            milliseconds > MILLISECONDS_MAX)
            return err_set(e, "\"milliseconds\" is no list of numbers up to %g", MILLISECONDS_MAX);
        if (!record_add(out, a, milliseconds, e) || !replay_step(&replay, e))
            return false;
    }
    const char *result = scenario->game->text->result(replay.state);
    if (out->comment[0] == '\0' && strcmp(result, out->result) != 0)
        return err_set(e, "\"result\" is \"%s\"; the actions end with \"%s\"", out->result, result);
    return true;
}

/* Fields that would have no effect are refused. */
bool record_read_json(const char *name, const char *text, size_t size, struct record *out, struct err *e) {
    json_t *root = jsontext_load(name, text, size, e);
    if (root == NULL)
        return false;
    bool ok = json_is_object(root) || err_set(e, "not a JSON object");
    struct scenario *scenario = ok && read_head(root, out, e) ? record_scenario(out, e) : NULL;
    if (scenario != NULL) {
        const bool maps = game_offer(scenario->game)->takes_map;
        if (maps && out->options.size > 0)
            ok = err_set(e, "\"options\" belongs to games without maps; %s has \"rules\"", out->game);
        else if (!maps && (out->rules[0] != '\0' || out->map.size > 0))
            ok = err_set(e, "\"rules\" and \"map\" do not belong to %s, which has \"options\"", out->game);
        ok = ok && read_actions(root, scenario, out, e);
        game_unload(scenario);
    }
    json_decref(root);
    return (ok && scenario != NULL) || err_prefix(e, "%s: ", name);
}

/* ---- the platform's .sgf ----
 *
 * The map's text, a few lines about the game, then per turn TURNINFO[turn,team,actions] and one
 * ACTION[11 numbers] a unit action. The format has neither passing nor resigning: both appear as "stay" moves
 * of the units that were left. The platform replays the stored damages; we recompute and compare. */

#define RULES_MARK "rule_set_version_0100"

enum { FIELDS = 11, TYPE_MOVE = 1, TYPE_ATTACK = 2 };

/* The turn that is being written. Its lines wait for the number of actions, which stands before them. */
struct phase {
    int turn, side, count;
    struct text lines;
};

/* The position before the action gives the unit's old place; damages are those that the rules compute. */
static void write_unit_action(struct phase *phase, const void *state, action a) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    const struct tbs_exchange x = tbs_preview(state, a);
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)];
    const int target = tbs_action_target(a);
    text_add(&phase->lines, "ACTION[%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d];\n", tbs_action_unit(a),
             tbs_action_x(a), tbs_action_y(a), u->x, u->y, target, target < 0 ? 0 : p.units[target].x,
             target < 0 ? 0 : p.units[target].y, target < 0 ? TYPE_MOVE : TYPE_ATTACK, x.damage, x.counter);
    phase->count++;
}

/* Writes the turn and begins the next one, of the other side. */
static void flush_phase(struct phase *phase, struct text *out) {
    text_add(out, "TURNINFO[%d,%d,%d];\n", phase->turn, phase->side, phase->count);
    text_add_string(out, text_string(&phase->lines));
    text_clear(&phase->lines);
    phase->count = 0;
    phase->turn++;
    phase->side ^= 1;
}

/* Passing and resigning: the ready units stay, in id order. */
static bool write_actions(const struct record *record, const struct scenario *scenario, struct text *out,
                          struct err *e) {
    struct replay replay;
    struct phase phase = {0};
    struct tbs_position p;
    replay_start(&replay, record, scenario);
    for (;;) {
        while (phase.turn < scenario->game->turn(replay.state))
            flush_phase(&phase, out); /* also phases in which neither side could act */
        if (replay.next == record->count)
            break;
        const action a = record->actions[replay.next].action;
        tbs_position_of(replay.state, &p);
        for (int id = 0; id < p.unit_count && !tbs_is_unit_action(a); id++)
            if (tbs_can_act(&p, id))
                write_unit_action(&phase, replay.state,
                                  tbs_action(id, p.units[id].x, p.units[id].y, TBS_NO_TARGET));
        if (tbs_is_unit_action(a) && scenario->game->is_legal(replay.state, a))
            write_unit_action(&phase, replay.state, a);
        if (!replay_step(&replay, e)) {
            text_done(&phase.lines);
            return false;
        }
    }
    if (phase.count > 0)
        flush_phase(&phase, out); /* the game stops within a turn */
    text_done(&phase.lines);
    return true;
}

/* Characters that have a meaning in the format are left out. */
static void write_name(struct text *out, const char *key, const char *name) {
    text_add(out, "%s[", key);
    for (; *name != '\0'; name++)
        if (strchr("[];\r\n", *name) == NULL)
            text_add_bytes(out, name, 1);
    text_add_string(out, "]");
}

/* The platform has one rule set and writes RULES_MARK; the name of another one follows it. */
bool record_write_sgf(const struct record *record, struct text *out, struct err *e) {
    struct scenario *scenario = record_scenario(record, e);
    if (scenario == NULL)
        return false;
    bool ok = record_find_form(scenario->game, "sgf", e) != NULL;
    if (ok) {
        const struct tbs_rules *rules = tbs_scenario_rules(scenario);
        tbs_map_write(tbs_scenario_map(scenario), out);
        write_name(out, "PLAYEDDATE", record->date);
        text_add(out, ";\nPLAYEDRULE[" RULES_MARK "%s%s];\n", rules == tbs_rule_sets ? "" : " ",
                 rules == tbs_rule_sets ? "" : rules->name);
        write_name(out, "PLAYERRED", record->players[0]);
        write_name(out, "PLAYERBLUE", record->players[1]);
        text_add_string(out, ";\n");
        ok = write_actions(record, scenario, out, e);
    }
    game_unload(scenario);
    return ok;
}

struct sgf_reader {
    const char *name; /* of the file, for messages */
    int line;         /* of the segment that is being read, from 1 */
    struct record *record;
    struct replay replay; /* the actions so far, by the rules */
    struct err *difference;
    bool differs;         /* `difference` is filled: the rest of the file is not read */
    long announced, came; /* actions of this turn: by its TURNINFO, and so far */
    int announced_line;   /* of that TURNINFO; 0: none yet */
};

/* Notes the first difference between the file and the rules; false. */
__attribute__((format(printf, 2, 3))) static bool differ(struct sgf_reader *r, const char *format, ...) {
    char what[120];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    r->differs = true;
    return err_set(r->difference, "%s:%d: action %d: %s", r->name, r->line, r->record->count + 1, what);
}

/* Reads exactly `count` comma-separated numbers. */
static bool read_numbers(const char *value, size_t length, int count, long *out) {
    char copy[256];
    char *pieces[FIELDS];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, value, length);
    copy[length] = '\0';
    if (text_split(copy, ',', pieces, count) != count)
        return false;
    for (int i = 0; i < count; i++)
        if (!text_to_int(pieces[i], &out[i]))
            return false;
    return true;
}

/* At the end of a turn: does the number of actions agree with its TURNINFO? This detects a truncated file,
 * which otherwise looks like a game that was broken off. */
static bool check_count(struct sgf_reader *r) {
    if (r->announced_line == 0 || r->announced == r->came)
        return true;
    r->line = r->announced_line;
    return differ(r, "TURNINFO says %ld actions in this turn; the file has %ld", r->announced, r->came);
}

/* Plays an action whose numbers in the file agree with the position. */
static bool play_action(struct sgf_reader *r, const long f[FIELDS], struct err *e) {
    const void *state = r->replay.state;
    const int units = tbs_scenario_map(r->replay.scenario)->unit_count;
    if (f[0] < 0 || f[0] >= units || f[1] < 0 || f[1] >= TBS_EDGE_MAX || f[2] < 0 || f[2] >= TBS_EDGE_MAX ||
        f[5] < -1 || f[5] >= units || (f[8] != TYPE_MOVE && f[8] != TYPE_ATTACK) ||
        (f[8] == TYPE_ATTACK) != (f[5] >= 0))
        return differ(r, "the numbers name no action of this map");
    const action a = tbs_action((int)f[0], (int)f[1], (int)f[2], (int)f[5]);
    struct tbs_position p;
    tbs_position_of(state, &p);
    const struct tbs_unit *u = &p.units[f[0]];
    if (!tbs_game.is_legal(state, a))
        return differ(r, "%s",
                      p.result != TBS_RUNNING ? "the game is over by the rules" : "illegal by the rules");
    if (f[3] != u->x || f[4] != u->y)
        return differ(r, "the file moves the unit from %ld,%ld; it stands at %d,%d", f[3], f[4], u->x, u->y);
    const struct tbs_exchange x = tbs_preview(state, a);
    if (x.damage != f[9] || x.counter != f[10])
        return differ(r, "the file says damage %ld and counter %ld; the rules give %d and %d", f[9], f[10],
                      x.damage, x.counter);
    r->came++;
    return record_add(r->record, a, RECORD_NO_TIME, e) && replay_step(&r->replay, e);
}

/* One segment; false on a fault (e) or the first difference (r->differs). */
static bool read_segment(struct sgf_reader *r, const char *segment, struct err *e) {
    size_t length;
    long f[FIELDS];
    const char *value = tbs_segment_value(segment, "TURNINFO", &length);
    if (value != NULL) {
        struct tbs_position p;
        tbs_position_of(r->replay.state, &p);
        if (!read_numbers(value, length, 3, f))
            return err_set(e, "%s:%d: TURNINFO needs turn,team,actions", r->name, r->line);
        if (!check_count(r))
            return false;
        const bool is_empty_phase = f[0] < p.turn && f[2] == 0;
        if ((f[0] != p.turn || f[1] != p.side) && !is_empty_phase)
            return differ(r, "the file says turn %ld of team %ld; by the rules it is turn %d of team %d",
                          f[0], f[1], p.turn, p.side);
        r->announced = f[2];
        r->announced_line = r->line;
        r->came = 0;
    }
    value = tbs_segment_value(segment, "ACTION", &length);
    if (value == NULL)
        return true;
    if (!read_numbers(value, length, FIELDS, f))
        return err_set(e, "%s:%d: ACTION needs %d numbers", r->name, r->line, FIELDS);
    return play_action(r, f, e);
}

/* Copies the value of a segment, if the segment is one of that key; cut at the size of `out`. */
static void copy_name(const char *segment, const char *key, char *out, size_t out_size) {
    size_t length;
    const char *value = tbs_segment_value(segment, key, &length);
    if (value != NULL)
        charset_copy(out, out_size, value, length);
}

static bool read_segments(struct sgf_reader *r, const struct text *utf8, struct err *e) {
    struct tbs_segments s;
    bool ok = true, is_record = false;
    tbs_segments_start(&s, text_string(utf8), utf8->size);
    while (ok && tbs_segments_next(&s)) {
        const char *segment = text_string(&s.segment);
        r->line = s.line;
        copy_name(segment, "PLAYEDDATE", r->record->date, sizeof r->record->date);
        copy_name(segment, "PLAYERRED", r->record->players[0], RECORD_NAME_MAX);
        copy_name(segment, "PLAYERBLUE", r->record->players[1], RECORD_NAME_MAX);
        size_t length;
        is_record = is_record || tbs_segment_value(segment, "PLAYEDRULE", &length) != NULL ||
                    tbs_segment_value(segment, "TURNINFO", &length) != NULL;
        ok = read_segment(r, segment, e);
    }
    tbs_segments_done(&s);
    if (!ok || !check_count(r))
        return r->differs;
    /* A map alone is no record. TURNINFO is missing in a record without actions. */
    return is_record ||
           err_set(e, "%s: neither PLAYEDRULE nor TURNINFO in it; it is no game record", r->name);
}

/* The record is replayed on the map's part alone, in our own layout. What the platform or another program
 * wrote as PLAYEDRULE means the first rule set. */
bool record_read_sgf(const char *name, const char *text, size_t size, struct record *out,
                     struct err *difference, struct err *e) {
    struct sgf_reader r = {.name = name, .record = out, .difference = difference};
    struct text utf8 = {0};
    struct scenario *scenario = NULL;
    struct tbs_map map;
    char written[64] = "";
    bool ok = false;
    if (difference != NULL)
        difference->text[0] = '\0';
    charset_to_utf8(text, size, &utf8);
    if (tbs_map_load(name, text_string(&utf8), utf8.size, &map, e)) {
        tbs_map_write(&map, &out->map);
        copy_name(text_string(&utf8), "PLAYEDRULE", written, sizeof written);
        snprintf(out->game, sizeof out->game, "%s", tbs_game.name);
        snprintf(out->rules, sizeof out->rules, "%s", tbs_rule_sets[0].name);
        for (const struct tbs_rules *rules = tbs_rule_sets; rules->name != NULL; rules++)
            if (begins(written, RULES_MARK " ") && strcmp(written + strlen(RULES_MARK " "), rules->name) == 0)
                snprintf(out->rules, sizeof out->rules, "%s", rules->name);
        scenario = record_scenario(out, e);
    }
    if (scenario != NULL) {
        replay_start(&r.replay, out, scenario);
        ok = read_segments(&r, &utf8, e);
        snprintf(out->result, sizeof out->result, "%s", scenario->game->text->result(r.replay.state));
        game_unload(scenario);
    }
    text_done(&utf8);
    return ok;
}

/* ---- logs of the Geister server ----
 *
 * Every line that a player sent, including rejected ones, and the winner.
 *
 *     player=0,SET:BCFG
 *     player=1,SET:ADEH
 *     player=0,MOV:A,W
 *     fault=1,hang: no move in time        our server's: a fault that ended the game; 2: of both
 *     winner=0                             2: drawn; missing where the official server ended it by a fault
 */

enum { LINE_MAX_BYTES = 512, DRAWN = 2 };

static const char log_game[] = "geister";
static const char player_is[] = "player=", fault_is[] = "fault=", winner_is[] = "winner=";
static const char forfeits[] = " forfeits: "; /* in a comment, between the side and the reason */

bool record_is_log(const char *text) {
    return begins(text, player_is) || begins(text, fault_is) || begins(text, winner_is);
}

/* The fault of that name; PLAYER_FAULT_NONE when there is none. */
static int find_fault(const char *name) {
    int fault = PLAYER_FAULTS - 1;
    while (fault > PLAYER_FAULT_NONE && strcmp(name, player_fault_names[fault]) != 0)
        fault--;
    return fault;
}

/* "second hang": the winner by a fault (0, 1 or DRAWN) and the fault's name; NOBODY for other results. */
static int won_by_fault(const struct record *record, const struct game *game, const char **fault) {
    const char *const winners[] = {game->text->side_names[0], game->text->side_names[1], "draw"};
    const char *blank = strchr(record->result, ' ');
    if (blank == NULL || find_fault(blank + 1) == PLAYER_FAULT_NONE)
        return NOBODY;
    *fault = blank + 1;
    int who = DRAWN;
    while (who >= 0 && (strlen(winners[who]) != (size_t)(blank - record->result) ||
                        !begins(record->result, winners[who])))
        who--;
    return who; /* NOBODY is -1 */
}

/* The winner by the rules: 0, 1, DRAWN, or NOBODY while the game goes on. */
static int winner_of(const struct replay *replay) {
    const struct game *game = replay->scenario->game;
    if (game->mover(replay->state) != NOBODY)
        return NOBODY;
    const double payoff = game->payoff(replay->state, 0);
    return payoff > 0.5 ? 0 : payoff < 0.5 ? 1 : DRAWN;
}

/* The winner, and before it the fault that made it so; the fault's reason may be any text, here it is one
 * line. */
static void write_end(const struct replay *replay, struct text *out) {
    const char *fault, *comment = replay->record->comment, *at = strstr(comment, forfeits);
    int winner = winner_of(replay);
    if (winner == NOBODY) {
        winner = won_by_fault(replay->record, replay->scenario->game, &fault);
        if (winner == NOBODY)
            return;
        text_add(out, "fault=%d,%s: ", winner == DRAWN ? DRAWN : winner ^ 1, fault);
        for (const char *c = at != NULL ? at + strlen(forfeits) : comment; *c != '\0'; c++)
            text_add(out, "%c", iscntrl((unsigned char)*c) ? ' ' : *c);
        text_add_string(out, "\n");
    }
    text_add(out, "winner=%d\n", winner);
}

bool record_write_log(const struct record *record, struct text *out, struct err *e) {
    if (strcmp(record->game, log_game) != 0)
        return err_set(e, "only Geister has server logs; this is a game of %s", record->game);
    struct scenario *scenario = record_scenario(record, e);
    if (scenario == NULL)
        return false;
    struct replay replay;
    struct text text = {0};
    bool ok = true;
    replay_start(&replay, record, scenario);
    while (ok && replay.next < record->count) {
        text_clear(&text);
        scenario->game->text->write_action(replay.state, record->actions[replay.next].action, &text);
        const char *word = text_string(&text);
        text_add(out, "player=%d,", scenario->game->mover(replay.state));
        if (text.size == 2) /* a piece and its direction; otherwise a set-up, the letters of the red pieces */
            text_add(out, "MOV:%c,%c\n", word[0], word[1]);
        else
            text_add(out, "SET:%s\n", word);
        ok = replay_step(&replay, e);
    }
    write_end(&replay, out);
    text_done(&text);
    game_unload(scenario);
    return ok;
}

struct log_reader {
    const char *name; /* of the file, for messages */
    int line;         /* from 1 */
    struct record *record;
    struct replay replay;
    char reds[2][8];                 /* by player: its set-up; empty: none yet. They come in any order */
    char refused[PLAYER_REASON_MAX]; /* the mover's last line, when it was no legal move */
    int winner;                      /* from the log, or NOBODY */
    int ruled;                       /* the winner by a fault: 0, 1, DRAWN; NOBODY: no fault */
};

/* Plays a word of the game's notation. */
static bool add(struct log_reader *r, const char *word, struct err *e) {
    const struct game *game = r->replay.scenario->game;
    action a;
    return game->text->read_action(r->replay.state, word, &a, e) &&
           record_add(r->record, a, RECORD_NO_TIME, e) && replay_step(&r->replay, e);
}

/* The first valid set-up of each player counts. Once both are there they are played, the first player's
 * first. */
static bool take_set(struct log_reader *r, int player, const char *letters, struct err *e) {
    struct err refused;
    action a;
    if (r->record->count > 0 || r->reds[player][0] != '\0' ||
        !r->replay.scenario->game->text->read_action(r->replay.state, letters, &a, &refused))
        return true; /* was rejected */
    snprintf(r->reds[player], sizeof r->reds[player], "%s", letters);
    return r->reds[0][0] == '\0' || r->reds[1][0] == '\0' || (add(r, r->reds[0], e) && add(r, r->reds[1], e));
}

/* "A,N", "a,north": the first letter and the direction's are the game's word. A line out of turn was
 * rejected. An invalid move of the mover may have lost the game; the end of the log decides. */
static bool take_move(struct log_reader *r, int player, const char *move, struct err *e) {
    static const char *const ways[] = {"NORTH", "EAST", "SOUTH", "WEST"};
    const struct game *game = r->replay.scenario->game;
    const char *comma = strchr(move, ','), *way = comma != NULL ? comma + 1 : "";
    char word[3] = "";
    struct err why;
    action a;
    if (r->record->count == 0 || game->mover(r->replay.state) != player)
        return true;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (strcasecmp(way, ways[i]) == 0 || (strncasecmp(way, ways[i], 1) == 0 && way[1] == '\0'))
            memcpy(word, (char[]){move[0], ways[i][0], '\0'}, 3);
    if (!game->text->read_action(r->replay.state, word, &a, &why)) {
        snprintf(r->refused, sizeof r->refused, "MOV:%.40s is illegal", move);
        return true;
    }
    r->refused[0] = '\0';
    return add(r, word, e);
}

/* A fault of one side (0, 1) or of both (DRAWN). */
static void rule(struct log_reader *r, int side, const char *fault, const char *reason) {
    const char *const *names = r->replay.scenario->game->text->side_names;
    struct record *record = r->record;
    const bool drawn = side == DRAWN;
    r->ruled = drawn ? DRAWN : side ^ 1;
    snprintf(record->result, sizeof record->result, "%s %s", drawn ? "draw" : names[side ^ 1], fault);
    snprintf(record->comment, sizeof record->comment, "%s%s%s", drawn ? "" : names[side],
             drawn ? "" : forfeits, reason);
}

/* "hang: no move in time" */
static bool take_fault(struct log_reader *r, int side, char *text, struct err *e) {
    char *colon = strstr(text, ": ");
    if (colon != NULL)
        *colon = '\0';
    if (colon == NULL || find_fault(text) == PLAYER_FAULT_NONE)
        return err_set(e, "%s:%d: '%.64s' is no fault; expected one as in hang: no move in time", r->name,
                       r->line, text);
    rule(r, side, text, colon + 2);
    return true;
}

/* A line of a player is never an error: the official server logs whatever was sent. Only the forms that the
 * servers write themselves are checked. */
static bool take_line(struct log_reader *r, char *line, struct err *e) {
    char *equals = strchr(line, '=');
    const int who = equals != NULL && equals[1] >= '0' && equals[1] <= '2' ? equals[1] - '0' : NOBODY;
    if (line[0] == '\0')
        return true;
    if (who != NOBODY && begins(line, winner_is) && equals[2] == '\0') {
        r->winner = who;
        return true;
    }
    if (who != NOBODY && begins(line, fault_is) && equals[2] == ',')
        return take_fault(r, who, equals + 3, e);
    if (who != NOBODY && who != DRAWN && begins(line, player_is) && equals[2] == ',') {
        const char *said = equals + 3;
        const bool counts = r->ruled == NOBODY; /* after a fault only the winner does */
        if (counts && begins(said, "SET:"))
            return take_set(r, who, said + 4, e);
        return !counts || !begins(said, "MOV:") || take_move(r, who, said + 4, e); /* nonsense was rejected */
    }
    return err_set(
        e, "%s:%d: '%.64s' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or winner=0",
        r->name, r->line, line);
}

/* Lines end with LF or CR LF. A NUL or a very long line shows that the file is no log. */
static bool read_log_lines(struct log_reader *r, const char *text, size_t size, struct err *e) {
    const char *end = text + size;
    for (const char *at = text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = stop != NULL ? (size_t)(stop - at) : (size_t)(end - at);
        char line[LINE_MAX_BYTES];
        r->line++;
        if (length >= sizeof line || memchr(at, '\0', length) != NULL)
            return err_set(e, "%s:%d: is no line of a log", r->name, r->line);
        memcpy(line, at, length);
        line[length] = '\0';
        line[strcspn(line, "\r")] = '\0';
        if (!take_line(r, line, e))
            return false;
        at += length + 1;
    }
    return true;
}

/* At the end, the result by the rules is compared with the winner in the log. */
bool record_read_log(const char *name, const char *text, size_t size, struct record *out,
                     struct err *difference, struct err *e) {
    static const char *const players[2] = {"player 0", "player 1"};
    struct log_reader r = {.name = name, .record = out, .winner = NOBODY, .ruled = NOBODY};
    struct scenario *scenario = game_load_spec(log_game, e);
    if (scenario == NULL)
        return false;
    const struct game *game = scenario->game;
    if (difference != NULL)
        difference->text[0] = '\0';
    record_describe(out, scenario, players);
    replay_start(&r.replay, out, scenario);
    const bool ok = read_log_lines(&r, text, size, e);
    if (ok) {
        const int mover = game->mover(r.replay.state);
        if (r.ruled == NOBODY && mover != NOBODY && r.refused[0] != '\0' && r.winner == NOBODY)
            rule(&r, mover, player_fault_names[PLAYER_FAULT_ILLEGAL], r.refused);
        else if (r.ruled == NOBODY)
            snprintf(out->result, sizeof out->result, "%s", game->text->result(r.replay.state));
        const int won = r.ruled != NOBODY ? r.ruled : winner_of(&r.replay);
        if (r.winner != NOBODY && r.winner != won)
            err_set(difference, "%s: the log says winner=%d; its moves end with '%s'", name, r.winner,
                    out->result);
    }
    game_unload(scenario);
    return ok;
}
