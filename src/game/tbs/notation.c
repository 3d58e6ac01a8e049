/* SPDX-License-Identifier: MIT
 *
 * States and actions as the engine protocol writes them:
 *
 *     turn 3 side red limit 29 threshold 10
 *     unit 0 red infantry 1,1 hp 10 ready
 *     result none
 *
 * `3:4,2` moves unit 3 to column 4, row 2; `3:4,2x9` attacks unit 9 from there; `pass`; `resign`.
 *
 * Positions are read from programs and people: a text that is accepted is always a valid state of its
 * scenario.
 */
#include "game/tbs/core.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- writing ---- */

/* Destroyed units have no line; the map says which units there were. */
static void write_state(const void *state, struct text *out) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    const struct tbs_map *map = tbs_map_of(state);
    text_add(out, "turn %d side %s limit %d threshold %d\n", p.turn, tbs_side_names[p.side], map->turn_limit,
             map->threshold);
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        if (u->hp > 0)
            text_add(out, "unit %d %s %s %d,%d hp %d %s\n", id, tbs_side_names[u->side],
                     tbs_unit_types[u->type].name, u->x, u->y, u->hp, u->done ? "done" : "ready");
    }
    text_add(out, "result %s\n", tbs_result_names[p.result]);
}

static void write_action(const void *state, action a, struct text *out) {
    (void)state;
    if (a == TBS_PASS)
        text_add_string(out, "pass");
    else if (a == TBS_RESIGN)
        text_add_string(out, "resign");
    else if (tbs_action_target(a) == TBS_NO_TARGET)
        text_add(out, "%d:%d,%d", tbs_action_unit(a), tbs_action_x(a), tbs_action_y(a));
    else
        text_add(out, "%d:%d,%dx%d", tbs_action_unit(a), tbs_action_x(a), tbs_action_y(a),
                 tbs_action_target(a));
}

static const char *result(const void *state) {
    return tbs_result_names[core_of(state)->result];
}

/* ---- reading actions ---- */

/* Digits only: no sign and no blanks, as the protocol defines it. `limit` guards against overflow. */
static bool read_number(const char **at, int limit, int *out) {
    if (!isdigit((unsigned char)**at))
        return false;
    int value = 0;
    for (; isdigit((unsigned char)**at); (*at)++)
        if ((value = value * 10 + (**at - '0')) > limit)
            return false;
    *out = value;
    return true;
}

static bool parse_unit_action(const char *text, action *out) {
    int unit, x, y, target = TBS_NO_TARGET;
    if (!read_number(&text, TBS_UNITS_MAX - 1, &unit) || *text++ != ':' ||
        !read_number(&text, TBS_EDGE_MAX - 1, &x) || *text++ != ',' ||
        !read_number(&text, TBS_EDGE_MAX - 1, &y))
        return false;
    if (*text == 'x') {
        text++;
        if (!read_number(&text, TBS_UNITS_MAX - 1, &target))
            return false;
    }
    *out = tbs_action(unit, x, y, target);
    return *text == '\0';
}

/* Why a well-formed action is not legal, as a sentence. */
static bool explain(const void *state, const char *text, action a, struct err *e) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    if (p.result != TBS_RUNNING)
        return err_set(e, "'%s' is illegal: the game is over (%s)", text, tbs_result_names[p.result]);
    const int id = tbs_action_unit(a), target = tbs_action_target(a);
    if (id >= p.unit_count)
        return err_set(e, "'%s' is illegal: there is no unit %d", text, id);
    const struct tbs_unit *u = &p.units[id];
    if (u->hp == 0)
        return err_set(e, "'%s' is illegal: unit %d is destroyed", text, id);
    if (u->side != p.side)
        return err_set(e, "'%s' is illegal: unit %d is %s and it is %s's turn", text, id,
                       tbs_side_names[u->side], tbs_side_names[p.side]);
    if (u->done)
        return err_set(e, "'%s' is illegal: unit %d has already acted in this turn", text, id);
    if (target == TBS_NO_TARGET)
        return err_set(e, "'%s' is illegal: unit %d cannot end its move there", text, id);
    if (target >= p.unit_count || p.units[target].hp == 0 || p.units[target].side == p.side)
        return err_set(e, "'%s' is illegal: unit %d is no enemy on the board", text, target);
    return err_set(e, "'%s' is illegal: unit %d cannot attack unit %d from there", text, id, target);
}

static bool read_action(const void *state, const char *text, action *out, struct err *e) {
    if (strcmp(text, "pass") == 0)
        *out = TBS_PASS;
    else if (strcmp(text, "resign") == 0)
        *out = TBS_RESIGN;
    else if (!parse_unit_action(text, out))
        return err_set(e,
                       "'%.64s' is no action; expected UNIT:X,Y or UNIT:X,YxTARGET (say 3:4,2 or 3:4,2x9), "
                       "pass or resign",
                       text);
    return core_is_legal(state, *out) || explain(state, text, *out, e);
}

/* ---- reading states ---- */

/* Index of `word` in `names`, or -1. */
static int find_word(const char *const *names, int count, const char *word) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    return -1;
}

/* The map defines a unit's side and type; the line must agree with it. */
static bool read_unit_line(const char *line, const struct tbs_map *map, struct tbs_position *p,
                           struct err *e) {
    int id, x, y, hp, used = 0;
    char side[8], type[16], flag[8];
    const int found =
        sscanf(line, "unit %3d %7s %15s %3d,%3d hp %3d %7s%n", &id, side, type, &x, &y, &hp, flag, &used);
    if (found != 7 || line[used] != '\0')
        return err_set(e, "'%.80s' is no unit line; expected: unit ID SIDE TYPE X,Y hp HP ready|done", line);
    if (id < 0 || id >= p->unit_count || find_word(tbs_side_names, 2, side) != p->units[id].side ||
        tbs_type_find(type) != p->units[id].type)
        return err_set(e, "'%.80s': the map has no such unit", line);
    if (hp < 1 || hp > TBS_HP_MAX || (strcmp(flag, "ready") != 0 && strcmp(flag, "done") != 0))
        return err_set(e, "'%.80s': expected HP 1 to %d and ready or done", line, TBS_HP_MAX);
    struct tbs_unit *u = &p->units[id];
    if (u->hp > 0)
        return err_set(e, "'%.80s': unit %d is given twice", line, id);
    if (!tbs_map_is_playable(map, x, y))
        return err_set(e, "'%.80s': %d,%d is outside the map", line, x, y);
    *u = (struct tbs_unit){(uint8_t)x, (uint8_t)y, u->type, u->side, (uint8_t)hp, strcmp(flag, "done") == 0};
    return true;
}

static bool read_turn_line(const char *line, const struct tbs_map *map, struct tbs_position *p,
                           struct err *e) {
    char side[8];
    int limit, threshold, used = 0;
    if (sscanf(line, "turn %5d side %7s limit %5d threshold %7d%n", &p->turn, side, &limit, &threshold,
               &used) != 4 ||
        line[used] != '\0')
        return err_code(e, "position.turn",
                        "'%.80s' is no turn line; expected: turn N side red|blue limit N threshold N", line);
    p->side = find_word(tbs_side_names, 2, side);
    if (p->side < 0 || p->turn < 0 || p->turn > map->turn_limit || limit != map->turn_limit ||
        threshold != map->threshold)
        return err_set(e, "'%.80s' does not fit the map (limit %d, threshold %d)", line, map->turn_limit,
                       map->threshold);
    return true;
}

static bool read_line(const char *line, const struct tbs_map *map, struct tbs_position *p, struct err *e) {
    if (strncmp(line, "turn ", 5) == 0)
        return read_turn_line(line, map, p, e);
    if (strncmp(line, "unit ", 5) == 0)
        return read_unit_line(line, map, p, e);
    if (strncmp(line, "result ", 7) == 0) {
        p->result = find_word(tbs_result_names, TBS_RESULTS, line + 7);
        return p->result >= 0 || err_set(e, "'%.80s': no such result", line);
    }
    return err_set(e, "'%.80s' is no line of a state; expected turn, unit or result", line);
}

/* Units without a line are destroyed. The rules decide at the end whether the lines are a position. */
static bool read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    const struct tbs_scenario *sc = (const struct tbs_scenario *)scenario;
    struct tbs_position p = {.unit_count = sc->map.unit_count, .turn = -1};
    for (int id = 0; id < p.unit_count; id++)
        p.units[id] =
            (struct tbs_unit){.x = 1, .y = 1, .type = sc->map.units[id].type, .side = sc->map.units[id].side};
    while (*text != '\0') {
        char line[160];
        const size_t length = strcspn(text, "\n");
        if (length >= sizeof line)
            return err_set(e, "a line of a state has %zu characters; the limit is %zu", length,
                           sizeof line - 1);
        memcpy(line, text, length);
        line[length] = '\0';
        if (!read_line(line, &sc->map, &p, e))
            return false;
        text += length + (text[length] == '\n');
    }
    if (p.turn < 0)
        return err_set(e, "the turn line is missing");
    core_set_position(state, sc, &p);
    return sc->base.game->valid(state) ||
           err_set(e, "the lines do not make a position: two units in one cell, or a result that cannot be");
}

static const char *rules_name(const struct scenario *scenario) {
    return tbs_scenario_rules(scenario)->name;
}

/* The path is not written: it does not change the game. */
static void write_options(const struct scenario *scenario, struct text *out) {
    if (tbs_scenario_rules(scenario) != tbs_rule_sets)
        text_add(out, ":rules=%s", rules_name(scenario));
}

static void write_map(const struct scenario *scenario, struct text *out) {
    tbs_map_write(tbs_scenario_map(scenario), out);
}

static const char *map_author(const struct scenario *scenario) {
    return tbs_scenario_map(scenario)->author;
}

/* Attacks of zero power as well, like the platform's own generator. */
static int all_actions(const void *state, action *out) {
    const struct tbs_core *c = core_of(state);
    const uint64_t units = c->result == TBS_RUNNING ? c->ready[c->side] : 0;
    return core_list_actions(state, c->side, units, TBS_ATTACKS_ALL, out);
}

const struct notation core_notation = {
    PLAIN_NOTATION,
    .write_options = write_options,
    .write_map = write_map,
    .rules = rules_name,
    .map_author = map_author,
    .all_actions = all_actions,
    .side_names = {"red", "blue"},
};
