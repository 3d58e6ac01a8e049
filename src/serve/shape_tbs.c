/* SPDX-License-Identifier: MIT
 *
 * The tactical game: nothing is hidden.
 */
#include "serve/shape_inside.h"

#include "game/tbs/tbs.h"

#include <assert.h>
#include <string.h>

enum { UNIT_TEXT_MAX = 160 };

/* ---- states ---- */

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

static void write_unit(int id, const struct tbs_unit *u, struct text *out) {
    char unit[UNIT_TEXT_MAX], *at = put_int(put(unit, "{\"id\":"), id);
    at = put(put(put(at, ",\"type\":\""), tbs_unit_types[u->type].name), "\"");
    at = put_int(put(at, ",\"side\":"), u->side);
    at = put_int(put(at, ",\"x\":"), u->x);
    at = put_int(put(at, ",\"y\":"), u->y);
    at = put_int(put(at, ",\"hp\":"), u->hp);
    at = put(at, u->done ? ",\"done\":true}" : ",\"done\":false}");
    text_add_bytes(out, unit, (size_t)(at - unit));
}

/* A long game on a large map has hundreds of thousands of units in its steps. */
static void write_units(const void *view, struct text *out) {
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

static bool fill_state(json_t *out, const struct scenario *scenario, const void *view) {
    const struct tbs_map *map = tbs_scenario_map(scenario);
    struct tbs_position p;
    tbs_position_of(view, &p);
    json_t *more = json_pack("{ss si si s[ii]}", "game", "tbs", "turn_limit", map->turn_limit, "threshold",
                             map->threshold, "hp", p.hp_sum[TBS_RED], p.hp_sum[TBS_BLUE]);
    const bool ok = more != NULL && json_object_update(out, more) == 0;
    json_decref(more);
    return ok;
}

/* ---- actions ---- */

static json_t *unit_actions(const void *state, int id) {
    action list[TBS_UNIT_ACTIONS_MAX];
    int attack_count;
    const int count = tbs_unit_actions(state, id, TBS_ATTACKS_POWER, list, &attack_count);
    json_t *stays = json_array(), *attacks = json_array();
    for (int i = 0; i < count; i++) {
        const int x = tbs_action_x(list[i]), y = tbs_action_y(list[i]), target = tbs_action_target(list[i]);
        if (target == TBS_NO_TARGET) {
            json_array_append_new(stays, shape_cell(x, y));
            continue;
        }
        const struct tbs_exchange fight = tbs_preview(state, list[i]);
        json_array_append_new(attacks, json_pack("[iiiii]", x, y, target, fight.damage, fight.counter));
    }
    return json_pack("{si so so}", "id", id, "stays", stays, "attacks", attacks);
}

static json_t *actions(const struct scenario *scenario, const void *state) {
    struct tbs_position p;
    (void)scenario;
    tbs_position_of(state, &p);
    json_t *units = json_array();
    for (int id = 0; id < p.unit_count; id++)
        if (tbs_can_act(&p, id))
            json_array_append_new(units, unit_actions(state, id));
    return json_pack("{ss so}", "game", "tbs", "units", units);
}

/* ---- what an action does ---- */

static json_t *fight_json(const struct tbs_position *p, const void *state, action a) {
    const int id = tbs_action_target(a);
    const struct tbs_unit *t = &p->units[id], *u = &p->units[tbs_action_unit(a)];
    const struct tbs_exchange fight = tbs_preview(state, a);
    return json_pack("{si ss so si si sb sb}", "id", id, "type", tbs_unit_types[t->type].name, "at",
                     shape_cell(t->x, t->y), "damage", fight.damage, "counter", fight.counter, "destroyed",
                     fight.damage >= t->hp, "lost", fight.counter >= u->hp);
}

static json_t *did(const struct shape_deed *deed) {
    const action a = deed->action;
    if (!tbs_is_unit_action(a))
        return json_pack("{ss si}", "kind", a == TBS_PASS ? "pass" : "resign", "side", deed->side);
    struct tbs_position p;
    tbs_position_of(deed->state, &p);
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)];
    return json_pack("{ss si ss si so so so*}", "kind", "tbs", "unit", tbs_action_unit(a), "type",
                     tbs_unit_types[u->type].name, "side", u->side, "from", shape_cell(u->x, u->y), "to",
                     shape_cell(tbs_action_x(a), tbs_action_y(a)), "target",
                     tbs_action_target(a) != TBS_NO_TARGET ? fight_json(&p, deed->state, a) : NULL);
}

const struct shape_game shape_tbs = {game_is_tbs, fill_state, write_units, actions, did};
