/* SPDX-License-Identifier: MIT
 *
 * The platform's .sgf: the map's text, a few lines about the game, then per turn TURNINFO[turn,team,actions]
 * and one ACTION[11 numbers] a unit action. The format has neither passing nor resigning: both appear as
 * "stay" moves of the units that were left. The platform replays the stored damages; we recompute and
 * compare.
 */
#include "match/record.h"

#include "base/charset.h"
#include "game/tbs/tbs.h"

#include <stdio.h>
#include <string.h>

#define RULES_MARK "rule_set_version_0100"

enum { FIELDS = 11, TYPE_MOVE = 1, TYPE_ATTACK = 2 };

/* ---- writing ---- */

struct phase {
    int turn, side, count;
    struct text lines;
};

static void flush_phase(struct phase *phase, struct text *out) {
    text_add(out, "TURNINFO[%d,%d,%d];\n", phase->turn, phase->side, phase->count);
    text_add_string(out, text_string(&phase->lines));
    text_clear(&phase->lines);
    phase->count = 0;
    phase->turn++;
    phase->side ^= 1;
}

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

/* Passing and resigning: the ready units stay, in id order. */
static void write_stays(struct phase *phase, const void *state) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        if (tbs_can_act(&p, id))
            write_unit_action(phase, state, tbs_action(id, u->x, u->y, TBS_NO_TARGET));
    }
}

static bool write_actions(const struct record *record, const struct scenario *scenario, struct text *out,
                          struct err *e) {
    struct replay replay;
    struct phase phase = {0};
    bool ok = true;
    replay_start(&replay, record, scenario);
    for (;;) {
        while (phase.turn <
               scenario->game->turn(replay.state)) /* also writes phases in which neither side could act */
            flush_phase(&phase, out);
        if (replay.next == record->count)
            break;
        const action a = record->actions[replay.next].action;
        if (!tbs_is_unit_action(a))
            write_stays(&phase, replay.state);
        else if (scenario->game->is_legal(replay.state, a))
            write_unit_action(&phase, replay.state, a);
        ok = replay_step(&replay, e);
        if (!ok)
            break;
    }
    if (ok && phase.count > 0)
        flush_phase(&phase, out); /* the game stops within a turn */
    text_done(&phase.lines);
    return ok;
}

static void write_name(struct text *out, const char *key, const char *name) {
    text_add(out, "%s[", key);
    for (; *name != '\0'; name++)
        if (strchr("[];\r\n", *name) == NULL)
            text_add_bytes(out, name, 1);
    text_add_string(out, "]");
}

/* The platform has one rule set and writes RULES_MARK; the name of another one follows it. */
static void write_rules(struct text *out, const struct tbs_rules *rules) {
    text_add(out, ";\nPLAYEDRULE[" RULES_MARK "%s%s];\n", rules == tbs_rule_sets ? "" : " ",
             rules == tbs_rule_sets ? "" : rules->name);
}

bool record_write_sgf(const struct record *record, struct text *out, struct err *e) {
    struct scenario *scenario = record_scenario(record, e);
    if (scenario == NULL)
        return false;
    bool ok =
        game_has_record_form(scenario->game, "sgf") || err_set(e, "only the tactical game has .sgf records");
    if (ok) {
        tbs_map_write(tbs_scenario_map(scenario), out);
        write_name(out, "PLAYEDDATE", record->date);
        write_rules(out, tbs_scenario_rules(scenario));
        write_name(out, "PLAYERRED", record->players[0]);
        write_name(out, "PLAYERBLUE", record->players[1]);
        text_add_string(out, ";\n");
        ok = write_actions(record, scenario, out, e);
    }
    scenario->game->unload(scenario);
    return ok;
}

/* ---- reading ---- */

struct reader {
    const char *name;
    int line;
    struct record *record;
    const struct scenario *scenario;
    struct err *difference;
    bool differs;
    long announced, came; /* actions of this turn: by its TURNINFO, and so far */
    int announced_line;
    unsigned char *state;
};

static bool differ(struct reader *r, const char *what) {
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

/* At the end of a turn: does the number of actions agree with its TURNINFO? This detects a truncated file. */
static bool check_count(struct reader *r) {
    char what[120];
    if (r->announced_line == 0 || r->announced == r->came)
        return true;
    r->line = r->announced_line;
    snprintf(what, sizeof what, "TURNINFO says %ld actions in this turn; the file has %ld", r->announced,
             r->came);
    return differ(r, what);
}

static bool check_turn(struct reader *r, const long f[3]) {
    struct tbs_position p;
    tbs_position_of(r->state, &p);
    char what[120];
    const bool is_empty_phase = f[0] < p.turn && f[2] == 0;
    if ((f[0] == p.turn && f[1] == p.side) || is_empty_phase)
        return true;
    snprintf(what, sizeof what, "the file says turn %ld of team %ld; by the rules it is turn %d of team %d",
             f[0], f[1], p.turn, p.side);
    return differ(r, what);
}

/* Do the action's numbers in the file agree with the position? */
static bool check_action(struct reader *r, const long f[FIELDS], action a) {
    struct tbs_position p;
    char what[120];
    tbs_position_of(r->state, &p);
    const struct tbs_unit *u = &p.units[f[0]];
    if (!r->scenario->game->is_legal(r->state, a))
        return differ(r, p.result != TBS_RUNNING ? "the game is over by the rules" : "illegal by the rules");
    if (f[3] != u->x || f[4] != u->y) {
        snprintf(what, sizeof what, "the file moves the unit from %ld,%ld; it stands at %d,%d", f[3], f[4],
                 u->x, u->y);
        return differ(r, what);
    }
    const struct tbs_exchange x = tbs_preview(r->state, a);
    if (x.damage != f[9] || x.counter != f[10]) {
        snprintf(what, sizeof what, "the file says damage %ld and counter %ld; the rules give %d and %d",
                 f[9], f[10], x.damage, x.counter);
        return differ(r, what);
    }
    return true;
}

static bool fields_in_range(const long f[FIELDS], int unit_count) {
    return f[0] >= 0 && f[0] < unit_count && f[1] >= 0 && f[1] < TBS_EDGE_MAX && f[2] >= 0 &&
           f[2] < TBS_EDGE_MAX && f[5] >= -1 && f[5] < unit_count &&
           (f[8] == TYPE_MOVE || f[8] == TYPE_ATTACK) && (f[8] == TYPE_ATTACK) == (f[5] >= 0);
}

static bool play_action(struct reader *r, const long f[FIELDS], struct err *e) {
    if (!fields_in_range(f, tbs_scenario_map(r->scenario)->unit_count))
        return differ(r, "the numbers name no action of this map");
    const action a = tbs_action((int)f[0], (int)f[1], (int)f[2], (int)f[5]);
    if (!check_action(r, f, a))
        return false;
    if (!record_add(r->record, a, RECORD_NO_TIME, e))
        return false;
    r->scenario->game->play(r->state, a, NULL);
    r->came++;
    return true;
}

/* One segment; false on a fault (e) or the first difference (r->differs). */
static bool read_segment(struct reader *r, const char *segment, struct err *e) {
    size_t length;
    long f[FIELDS];
    const char *value = tbs_segment_value(segment, "TURNINFO", &length);
    if (value != NULL) {
        if (!read_numbers(value, length, 3, f))
            return err_set(e, "%s:%d: TURNINFO needs turn,team,actions", r->name, r->line);
        if (!check_count(r) || !check_turn(r, f))
            return false;
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

static void copy_name(const char *segment, const char *key, char *out, size_t out_size) {
    size_t length;
    const char *value = tbs_segment_value(segment, key, &length);
    if (value != NULL)
        charset_copy(out, out_size, value, length);
}

static bool read_segments(struct reader *r, const struct text *utf8, struct err *e) {
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
    ok = ok && check_count(r);
    if (ok && !is_record) /* a map alone: TURNINFO is missing without actions */
        return err_set(e, "%s: neither PLAYEDRULE nor TURNINFO in it; it is no game record", r->name);
    return ok || r->differs;
}

/* See write_rules. What the platform or another program wrote there means the first rule set. */
static void read_rules(struct reader *r, const struct text *utf8) {
    const struct tbs_rules *found = tbs_rule_sets;
    char written[64] = "";
    copy_name(text_string(utf8), "PLAYEDRULE", written, sizeof written);
    const size_t mark = strlen(RULES_MARK " ");
    for (const struct tbs_rules *rules = tbs_rule_sets; rules->name != NULL; rules++)
        if (strncmp(written, RULES_MARK " ", mark) == 0 && strcmp(written + mark, rules->name) == 0)
            found = rules;
    snprintf(r->record->rules, sizeof r->record->rules, "%s", found->name);
}

/* The map's part alone, in our own layout: what the record is replayed on. */
static bool read_map(struct reader *r, const struct text *utf8, struct err *e) {
    struct tbs_map map;
    if (!tbs_map_load(r->name, text_string(utf8), utf8->size, &map, e))
        return false;
    tbs_map_write(&map, &r->record->map);
    snprintf(r->record->game, sizeof r->record->game, "%s", tbs_game.name);
    read_rules(r, utf8);
    return true;
}

bool record_read_sgf(const char *name, const char *text, size_t size, struct record *out,
                     struct err *difference, struct err *e) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct reader r = {.name = name, .record = out, .difference = difference, .state = state};
    struct text utf8 = {0};
    if (difference != NULL)
        difference->text[0] = '\0';
    charset_to_utf8(text, size, &utf8);
    struct scenario *scenario = NULL;
    bool ok = read_map(&r, &utf8, e) && (scenario = record_scenario(out, e)) != NULL;
    if (ok) {
        r.scenario = scenario;
        scenario->game->start(state, scenario, NULL);
        ok = read_segments(&r, &utf8, e);
        snprintf(out->result, sizeof out->result, "%s", scenario->game->text->result(state));
        scenario->game->unload(scenario);
    }
    text_done(&utf8);
    return ok;
}
