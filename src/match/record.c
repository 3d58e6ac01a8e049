/* SPDX-License-Identifier: MIT
 *
 * Records in memory, and replaying them. The JSON form is in record_json.c, the platform's in record_sgf.c,
 * Geister logs in record_log.c.
 */
#include "match/record.h"

#include "base/file.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"

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

/* As a spec has them: a comma where the notation has a blank. */
static void write_options(const struct scenario *scenario, struct text *out) {
    struct text map = {0}, options = {0};
    scenario->game->text->write_source(scenario, &map, &options);
    for (char *at = options.data; at != NULL && *at != '\0'; at++)
        if (*at == ' ')
            *at = ',';
    text_add_string(out, text_string(&options));
    out->failed = out->failed || options.failed || map.failed;
    text_done(&map);
    text_done(&options);
}

static void add_spec(const char *name, const char *options, struct text *out) {
    text_add(out, "%s%s%s", name, options[0] != '\0' ? ":" : "", options);
}

void record_write_game(const struct scenario *scenario, struct text *out) {
    struct text options = {0};
    write_options(scenario, &options);
    add_spec(scenario->game->name, text_string(&options), out);
    out->failed = out->failed || options.failed;
    text_done(&options);
}

void record_describe(struct record *record, const struct scenario *scenario, const char *const players[2]) {
    snprintf(record->game, sizeof record->game, "%s", scenario->game->name);
    if (tbs_is_table_of(scenario->game)) {
        snprintf(record->rules, sizeof record->rules, "%s", tbs_scenario_rules(scenario)->name);
        tbs_map_write(tbs_scenario_map(scenario), &record->map);
    } else {
        write_options(scenario, &record->options);
        record->map.failed = record->options.failed;
    }
    for (int side = 0; side < 2; side++)
        snprintf(record->players[side], sizeof record->players[side], "%s", players[side]);
}

bool record_add(struct record *record, action a, double milliseconds, struct err *e) {
    if (record->count == RECORD_ACTIONS_MAX)
        return err_set(e, "a record holds at most %d actions", RECORD_ACTIONS_MAX);
    if (record->count == record->capacity) {
        const int capacity = record->capacity > 0 ? 2 * record->capacity : 64;
        void *grown = mem_resize(record->actions, (size_t)capacity * sizeof record->actions[0]);
        if (grown == NULL)
            return err_set(e, "not enough memory for the record");
        record->actions = grown;
        record->capacity = capacity;
    }
    record->actions[record->count++] = (struct record_action){a, (float)milliseconds};
    return true;
}

struct scenario *record_scenario(const struct record *record, struct err *e) {
    const struct game *game = game_find(record->game);
    if (game == NULL) {
        err_set(e, "the record's game '%s' is unknown", record->game);
        return NULL;
    }
    if (tbs_is_table_of(game)) {
        const struct game_source map = {"the record's map", text_string(&record->map), record->map.size,
                                        NULL};
        return game_load_map(game, record->rules[0] != '\0' ? record->rules : NULL, &map, e);
    }
    struct text spec = {0};
    struct scenario *scenario = NULL;
    add_spec(record->game, text_string(&record->options), &spec);
    if (spec.failed)
        err_set(e, "not enough memory for the record");
    else
        scenario = game_load_spec(text_string(&spec), e);
    text_done(&spec);
    return scenario;
}

static action action_at(const void *from, int index) {
    const struct record_line *line = from;
    return index < line->count ? line->record->actions[index].action : line->further[index - line->count];
}

/* It only tells games apart. Where something is hidden, the seed would tell what was dealt. */
static uint64_t course_id(const struct record *record, const struct game *game) {
    return game->hide == NULL ? record->seed : rng_mix(record->seed) >> 32;
}

/* The actions themselves are nobody's to see where something is hidden: one of them may be what is. */
struct course record_course(const struct record_line *line, const struct scenario *scenario) {
    const bool open = scenario->game->hide == NULL;
    return (struct course){.scenario = scenario,
                           .id = course_id(line->record, scenario->game),
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
        difference->text[0] = '\0'; /* JSON knows no difference: it is wrong or right */
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
