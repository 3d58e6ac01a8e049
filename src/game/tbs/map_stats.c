/* SPDX-License-Identifier: MIT */
#include "game/tbs/map_stats.h"

static void unit_stats(const void *state, const struct tbs_map_unit *unit, int id,
                       struct tbs_unit_stats *out) {
    action list[TBS_UNIT_ACTIONS_MAX];
    for (int which = 0; which < TBS_ATTACK_KINDS; which++) {
        int attacks;
        const int count = tbs_unit_actions(state, id, (enum tbs_attacks)which, list, &attacks);
        out->reach = count - attacks;
        out->attacks[which] = unit->done ? 0 : attacks;
    }
    out->moves = unit->done ? 0 : out->reach;
}

static void add_to_side(const struct tbs_map_unit *unit, const struct tbs_unit_stats *stats,
                        struct tbs_side_stats *side) {
    side->units++;
    side->ready += !unit->done;
    side->hp += unit->hp;
    side->type_units[unit->type]++;
    side->type_hp[unit->type] += unit->hp;
    side->moves += stats->moves;
    for (int which = 0; which < TBS_ATTACK_KINDS; which++)
        side->attacks[which] += stats->attacks[which];
    side->attackers += stats->attacks[TBS_ATTACKS_POWER] > 0;
    if (stats->contact > 0 && (side->contact == 0 || stats->contact < side->contact))
        side->contact = stats->contact;
}

bool tbs_map_stats(const struct tbs_map *map, const struct tbs_rules *rules, uint64_t positions_max,
                   struct tbs_map_stats *out, struct err *e) {
    *out = (struct tbs_map_stats){0};
    struct scenario *scenario = tbs_scenario_make(map, rules, TBS_PATH_AUTO, e);
    if (scenario == NULL)
        return false;
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng unused;
    rng_seed(&unused, 0);
    game->start(state, scenario, &unused);
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *unit = &map->units[id];
        unit_stats(state, unit, id, &out->units[id]);
        out->units[id].contact = tbs_unit_contact(map, rules, id);
        add_to_side(unit, &out->units[id], &out->sides[unit->side]);
    }
    const bool ok = tbs_turn_stats(game, state, positions_max, &out->turn, e);
    game->unload(scenario);
    return ok;
}
