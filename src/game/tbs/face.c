/* SPDX-License-Identifier: MIT
 *
 * The tactical game in the terminal and on the page. Nothing is hidden: every view is the state.
 *
 * A person in the terminal picks a unit by its number; then a cell moves it there and xTARGET attacks.
 */
#include "base/encode.h"
#include "game/face.h"
#include "game/tbs/core.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- terminal: boards ---- */

/* The HP of both sides are always shown: they decide at the turn limit. */
static void write_heading(const void *state, struct text *out) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    if (p.result == TBS_RUNNING)
        text_add(out, "turn %d of %d, %s to move; ", p.turn + 1, tbs_map_of(state)->turn_limit,
                 tbs_side_names[p.side]);
    else
        text_add(out, "after turn %d; ", p.turn);
    text_add(out, "HP red %d, blue %d", p.hp_sum[TBS_RED], p.hp_sum[TBS_BLUE]);
}

static void draw(const void *state, int side, bool colour, struct text *out) {
    struct tbs_position p;
    (void)side; /* the platform draws it alike for both */
    tbs_position_of(state, &p);
    tbs_show_position(tbs_map_of(state), &p, &(struct tbs_show){.colour = colour, .ids = true}, out);
}

/* The board shows where the last action ended. */
static void draw_replay(const struct face_step *step, struct text *out) {
    struct tbs_position p;
    struct tbs_show how = {.colour = step->colour, .ids = true};
    tbs_position_of(step->state, &p);
    if (p.result == TBS_RUNNING)
        text_add(out, ", turn %d of %d, %s to move", p.turn + 1, tbs_map_of(step->state)->turn_limit,
                 tbs_side_names[p.side]);
    if (step->has_last) {
        text_add_string(out, "; last: ");
        core_notation.write_action(step->state, step->last, out);
        if (tbs_is_unit_action(step->last))
            how.marks[tbs_action_x(step->last)][tbs_action_y(step->last)] = TBS_MARK_FROM;
    }
    text_add(out, "; HP %d : %d\n", p.hp_sum[TBS_RED], p.hp_sum[TBS_BLUE]);
    tbs_show_position(tbs_map_of(step->state), &p, &how, out);
    if (p.result != TBS_RUNNING)
        text_add(out, "result: %s\n", tbs_result_names[p.result]);
}

/* ---- terminal: sentences ---- */

static void describe_unit(const struct tbs_position *p, int id, struct text *out) {
    const struct tbs_unit *u = &p->units[id];
    text_add(out, "%s %s %d", tbs_side_names[u->side], tbs_unit_types[u->type].name, id);
}

/* A sentence that names the unit by side, type and id, with the outcome of a fight. */
static void describe(const void *state, action a, int side, struct text *out) {
    struct tbs_position p;
    (void)side;
    tbs_position_of(state, &p);
    if (!tbs_is_unit_action(a)) {
        text_add(out, "%s %s", tbs_side_names[p.side], a == TBS_PASS ? "ends the turn" : "resigns");
        return;
    }
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)];
    const int x = tbs_action_x(a), y = tbs_action_y(a), target = tbs_action_target(a);
    describe_unit(&p, tbs_action_unit(a), out);
    if (x == u->x && y == u->y)
        text_add(out, " stays at %d,%d", x, y);
    else
        text_add(out, " moves from %d,%d to %d,%d", u->x, u->y, x, y);
    if (target == TBS_NO_TARGET)
        return;
    const struct tbs_exchange fight = tbs_preview(state, a);
    text_add_string(out, " and attacks ");
    describe_unit(&p, target, out);
    text_add(out, ": damage %d of %d HP%s, counter-attack %d of %d HP%s", fight.damage, p.units[target].hp,
             fight.damage == p.units[target].hp ? " (destroyed)" : "", fight.counter, u->hp,
             fight.counter == u->hp ? " (destroyed)" : "");
}

/* Half as wide, for tables. */
static void describe_short(const void *state, action a, int side, struct text *out) {
    struct tbs_position p;
    (void)side;
    tbs_position_of(state, &p);
    if (!tbs_is_unit_action(a)) {
        text_add_string(out, a == TBS_PASS ? "ends the turn" : "resigns");
        return;
    }
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)];
    const int x = tbs_action_x(a), y = tbs_action_y(a), target = tbs_action_target(a);
    const bool stays = x == u->x && y == u->y;
    text_add(out, "%s %s %d,%d", tbs_unit_types[u->type].name, stays ? "stays at" : "to", x, y);
    if (target == TBS_NO_TARGET)
        return;
    const struct tbs_exchange fight = tbs_preview(state, a);
    const struct tbs_unit *t = &p.units[target];
    text_add(out, ", attacks %s: deals %d of %d, takes %d of %d", tbs_unit_types[t->type].name, fight.damage,
             t->hp, fight.counter, u->hp);
}

/* A result's name is the side that has won, or "draw", and the way. */
static void describe_end(const void *state, struct text *out) {
    const int result = core_of(state)->result, winner = tbs_winner(result);
    const char *way = strchr(tbs_result_names[result], ' ') + 1; /* "annihilation", "limit", … */
    const char *before = strcmp(way, "limit") == 0 ? "at the turn" : "by";
    if (winner == NOBODY)
        text_add(out, "a draw %s %s", before, way);
    else
        text_add(out, "%s won %s %s", tbs_side_names[winner], before, way);
}

/* ---- terminal: commands ---- */

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

/* Units of both sides. Numbers of actions only for the side to move: the other's depend on its next turn. */
static enum face_reply list_units(struct face_input *in) {
    struct tbs_position p;
    tbs_position_of(in->state, &p);
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        action actions[TBS_UNIT_ACTIONS_MAX];
        int attacks = 0, count = 0;
        if (u->hp == 0)
            continue;
        if (tbs_can_act(&p, id))
            count = tbs_unit_actions(in->state, id, TBS_ATTACKS_POWER, actions, &attacks);
        text_add(in->out, "  %3d  %-4s %-8s at %2d,%-2d  HP %2d", id, tbs_side_names[u->side],
                 tbs_unit_types[u->type].name, u->x, u->y, u->hp);
        if (u->side == p.side && u->done)
            text_add_string(in->out, "  has acted");
        else if (u->side == p.side)
            text_add(in->out, "  %d move%s, %d attack%s", count - attacks, plural(count - attacks), attacks,
                     plural(attacks));
        text_add_string(in->out, "\n");
    }
    return FACE_PRINT;
}

/* Marks the unit's destinations and targets, and lists the attacks with their effects. */
static enum face_reply pick_unit(struct face_input *in, int id) {
    struct tbs_position p;
    tbs_position_of(in->state, &p);
    if (id < 0 || id >= p.unit_count || p.units[id].hp == 0 || p.units[id].side != p.side) {
        text_add(in->out, "%d is none of your units; 'units' lists them.\n", id);
        return FACE_PRINT;
    }
    if (p.units[id].done) {
        text_add(in->out, "Unit %d has acted in this turn.\n", id);
        return FACE_PRINT;
    }
    action actions[TBS_UNIT_ACTIONS_MAX];
    int attacks;
    const int count = tbs_unit_actions(in->state, id, TBS_ATTACKS_POWER, actions, &attacks);
    struct tbs_show how = {.colour = in->colour, .ids = true};
    for (int i = count - 1; i >= 0; i--) {
        const struct tbs_unit *t = i < attacks ? &p.units[tbs_action_target(actions[i])] : NULL;
        if (t != NULL)
            how.marks[t->x][t->y] = TBS_MARK_TARGET;
        else
            how.marks[tbs_action_x(actions[i])][tbs_action_y(actions[i])] = TBS_MARK_END;
    }
    how.marks[p.units[id].x][p.units[id].y] = TBS_MARK_FROM;
    in->picked = id;
    text_add_string(in->out, "\n");
    write_heading(in->state, in->out);
    text_add_string(in->out, "\n");
    tbs_show_position(tbs_map_of(in->state), &p, &how, in->out);
    text_add(in->out,
             "%s %d: %d cell%s to go to, %d attack%s. Type X,Y to move, X,Y xTARGET or xTARGET to attack.\n",
             tbs_unit_types[p.units[id].type].name, id, count - attacks, plural(count - attacks), attacks,
             plural(attacks));
    for (int i = 0; i < attacks; i++) {
        const int x = tbs_action_x(actions[i]), y = tbs_action_y(actions[i]);
        const int target = tbs_action_target(actions[i]);
        const struct tbs_exchange fight = tbs_preview(in->state, actions[i]);
        text_add(in->out, "  %d,%d x%-3d  %s (HP %d) from %d,%d: damage %d, counter-attack %d\n", x, y,
                 target, tbs_unit_types[p.units[target].type].name, p.units[target].hp, x, y, fight.damage,
                 fight.counter);
    }
    return FACE_PRINT;
}

/* For `xTARGET` alone: the stand cell with the best balance of damage and counter-attack. */
static enum face_reply attack(struct face_input *in, const char *word) {
    action actions[TBS_UNIT_ACTIONS_MAX];
    long target;
    int attacks, best = -1000;
    if (text_to_int(word, &target)) {
        tbs_unit_actions(in->state, in->picked, TBS_ATTACKS_ALL, actions, &attacks);
        for (int i = 0; i < attacks; i++) {
            const struct tbs_exchange x = tbs_preview(in->state, actions[i]);
            if (tbs_action_target(actions[i]) == (int)target && x.damage - x.counter > best) {
                best = x.damage - x.counter;
                in->action = actions[i];
            }
        }
    }
    if (best > -1000)
        return FACE_PLAY;
    text_add(in->out, "Unit %d cannot attack %s.\n", in->picked, word);
    return FACE_PRINT;
}

/* Units that have not acted are easily forgotten on a large map, so the question counts them. */
static enum face_reply ask_end(struct face_input *in) {
    struct tbs_position p;
    int left = 0;
    tbs_position_of(in->state, &p);
    for (int id = 0; id < p.unit_count; id++)
        left += tbs_can_act(&p, id);
    text_add(in->out, "End the turn with %d unit%s that %s not acted? [Y/n] ", left, plural(left),
             left == 1 ? "has" : "have");
    in->action = TBS_PASS;
    return FACE_ASK;
}

/* Reads "4,2", "4,2 x9" or "4,2x9" for the picked unit, or a complete action in protocol notation. */
static enum face_reply run_command(struct face_input *in, const char *line) {
    char text[256];
    struct err e;
    long number;
    size_t n = 0;
    const bool is_cell = strchr(line, ':') == NULL && strchr(line, ',') != NULL;
    if (strcmp(line, "units") == 0)
        return list_units(in);
    if (strcmp(line, "end") == 0 || strcmp(line, "pass") == 0)
        return ask_end(in);
    if (strcmp(line, "resign") == 0) {
        text_add_string(in->out, "Resign the game? [Y/n] ");
        in->action = TBS_RESIGN;
        return FACE_ASK;
    }
    if (text_to_int(line, &number))
        return pick_unit(in, (int)number);
    if ((line[0] == 'x' || is_cell) && in->picked == FACE_NOTHING_PICKED) {
        text_add_string(in->out, "Pick one of your units first, by its number.\n");
        return FACE_PRINT;
    }
    if (line[0] == 'x')
        return attack(in, line + 1);
    if (is_cell)
        n = (size_t)snprintf(text, sizeof text, "%d:", in->picked);
    for (; *line != '\0' && n + 1 < sizeof text; line++)
        if (!isspace((unsigned char)*line))
            text[n++] = *line;
    text[n] = '\0';
    if (core_notation.read_action(in->state, text, &in->action, &e))
        return FACE_PLAY;
    text_add(in->out, "%s. 'help' lists the commands.\n", e.text);
    return FACE_PRINT;
}

static void write_result(const void *state, const char *const players[2], struct text *out) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    const int winner = tbs_winner(p.result);
    text_add(out, " after %d turns: ", p.turn);
    if (winner == NOBODY)
        text_add(out, "a draw, %d HP against %d", p.hp_sum[0], p.hp_sum[1]);
    else
        text_add(out, "%s (%s) wins (%s)", tbs_side_names[winner], players[winner],
                 strchr(tbs_result_names[p.result], ' ') + 1);
}

static const struct face_console console = {
    .help = "  3            pick unit 3: where it can go, whom it can attack\n"
            "  4,2          move the picked unit to column 4, row 2 (its own cell: stay)\n"
            "  4,2 x9       move there and attack unit 9;  x9 alone finds a cell to attack from\n"
            "  3:4,2x9      the same in one word, for any unit\n"
            "  end          end the turn (the remaining units stay)\n"
            "  undo         take back your last action of this turn\n"
            "  units  board  hint\n"
            "  save FILE    as .json or .sgf;   resign;   quit\n",
    .picked = "unit",
    .run = run_command,
    .result = write_result,
};

/* ---- page: states ---- */

static char *put(char *at, const char *text) {
    const size_t size = strlen(text);
    memcpy(at, text, size);
    return at + size;
}

/* From 0 to 9999. */
static char *put_int(char *at, int number) {
    char digits[4];
    int count = 0;
    assert(number >= 0);
    assert(number < 10000);
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

/* By hand in place of formatted output: see write_json. */
static void write_unit(int id, const struct tbs_unit *u, struct text *out) {
    char unit[160], *at = put_int(put(unit, "{\"id\":"), id);
    at = put(put(put(at, ",\"type\":\""), tbs_unit_types[u->type].name), "\"");
    at = put_int(put(at, ",\"side\":"), u->side);
    at = put_int(put(at, ",\"x\":"), u->x);
    at = put_int(put(at, ",\"y\":"), u->y);
    at = put_int(put(at, ",\"hp\":"), u->hp);
    at = put(at, u->done ? ",\"done\":true}" : ",\"done\":false}");
    text_add_bytes(out, unit, (size_t)(at - unit));
}

/* A long game on a large map has hundreds of thousands of units in its steps. */
static void write_json(const void *view, struct text *out) {
    struct tbs_position p;
    tbs_position_of(view, &p);
    const char *before = ",\"units\":[";
    for (int id = 0; id < p.unit_count; id++)
        if (p.units[id].hp > 0) {
            text_add_string(out, before);
            write_unit(id, &p.units[id], out);
            before = ",";
        }
    text_add_string(out, before[1] == '\0' ? "]" : ",\"units\":[]");
}

static void fill_json(json_t *out, const struct scenario *scenario, const void *view) {
    const struct tbs_map *map = tbs_scenario_map(scenario);
    struct tbs_position p;
    tbs_position_of(view, &p);
    json_t *more = json_pack("{ss si si s[ii]}", "game", "tbs", "turn_limit", map->turn_limit, "threshold",
                             map->threshold, "hp", p.hp_sum[TBS_RED], p.hp_sum[TBS_BLUE]);
    json_object_update_new(out, more);
}

/* ---- page: actions ---- */

/* [x, y] of moves; [x, y, target, damage, counter] of attacks. */
static json_t *unit_actions(const void *state, int id) {
    action list[TBS_UNIT_ACTIONS_MAX];
    int attack_count;
    const int count = tbs_unit_actions(state, id, TBS_ATTACKS_POWER, list, &attack_count);
    json_t *stays = json_array(), *attacks = json_array();
    for (int i = 0; i < count; i++) {
        const int x = tbs_action_x(list[i]), y = tbs_action_y(list[i]);
        const struct tbs_exchange fight = tbs_preview(state, list[i]);
        json_array_append_new(i < attack_count ? attacks : stays,
                              i < attack_count ? json_pack("[iiiii]", x, y, tbs_action_target(list[i]),
                                                           fight.damage, fight.counter)
                                               : json_pack("[ii]", x, y));
    }
    return json_pack("{si so so}", "id", id, "stays", stays, "attacks", attacks);
}

/* By units, not by actions: the page shows the cells of one unit when it is picked. */
static json_t *actions_json(const struct scenario *scenario, const void *state) {
    struct tbs_position p;
    (void)scenario;
    tbs_position_of(state, &p);
    json_t *units = json_array();
    for (int id = 0; id < p.unit_count; id++)
        if (tbs_can_act(&p, id))
            json_array_append_new(units, unit_actions(state, id));
    return json_pack("{ss so}", "game", "tbs", "units", units);
}

/* ---- page: effects of an action ---- */

/* `played->state` is the position before the action, in which the fight can be computed. */
static json_t *effects_json(const struct face_action *played) {
    const action a = played->action;
    if (!tbs_is_unit_action(a))
        return json_pack("{ss si}", "kind", a == TBS_PASS ? "pass" : "resign", "side", played->side);
    struct tbs_position p;
    tbs_position_of(played->state, &p);
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)];
    json_t *fight = NULL; /* then the member is left out */
    if (tbs_action_target(a) != TBS_NO_TARGET) {
        const struct tbs_unit *t = &p.units[tbs_action_target(a)];
        const struct tbs_exchange x = tbs_preview(played->state, a);
        fight = json_pack("{si ss s[ii] si si sb sb}", "id", tbs_action_target(a), "type",
                          tbs_unit_types[t->type].name, "at", t->x, t->y, "damage", x.damage, "counter",
                          x.counter, "destroyed", x.damage >= t->hp, "lost", x.counter >= u->hp);
    }
    return json_pack("{ss si ss si s[ii] s[ii] so*}", "kind", "tbs", "unit", tbs_action_unit(a), "type",
                     tbs_unit_types[u->type].name, "side", u->side, "from", u->x, u->y, "to", tbs_action_x(a),
                     tbs_action_y(a), "target", fight);
}

/* The form of map files in JSON, so that the page has one reader for both. NULL: a note is no UTF-8. */
static json_t *map_json(const struct scenario *scenario) {
    struct text text = {0};
    json_t *map = tbs_map_write_json(tbs_scenario_map(scenario), &text, NULL) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return map;
}

const struct game_face core_face = {
    .draw = draw,
    .heading = write_heading,
    .replay = draw_replay,
    .describe = describe,
    .describe_short = describe_short,
    .names_mover = true,
    .end = describe_end,
    .console = &console,
    .fill_json = fill_json,
    .write_json = write_json,
    .actions_json = actions_json,
    .effects_json = effects_json,
    .map_json = map_json,
};
