/* SPDX-License-Identifier: MIT
 *
 * The tactical game: nothing is hidden.
 */
#include "serve/shape_inside.h"

#include "game/tbs/tbs.h"

/* ---- states ---- */

static json_t *unit_json(int id, const struct tbs_unit *u) {
    return json_pack("{si ss si si si si sb}", "id", id, "type", tbs_unit_types[u->type].name, "side",
                     u->side, "x", u->x, "y", u->y, "hp", u->hp, "done", u->done);
}

static bool fill_state(json_t *out, const struct scenario *scenario, const void *view) {
    const struct tbs_map *map = tbs_scenario_map(scenario);
    struct tbs_position p;
    tbs_position_of(view, &p);
    json_t *units = json_array();
    for (int id = 0; id < p.unit_count; id++)
        if (p.units[id].hp > 0)
            json_array_append_new(units, unit_json(id, &p.units[id]));
    json_t *more =
        json_pack("{ss so si si s[ii]}", "game", "tbs", "units", units, "turn_limit", map->turn_limit,
                  "threshold", map->threshold, "hp", p.hp_sum[TBS_RED], p.hp_sum[TBS_BLUE]);
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

const struct shape_game shape_tbs = {tbs_is_table_of, fill_state, actions, did};
