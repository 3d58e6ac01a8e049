/* SPDX-License-Identifier: MIT
 *
 * Groups of units that cannot influence each other within a horizon, the position of one such group alone
 * (Sato, Fujiki and Ikeda, section 5.2 a), and contact: how soon a unit can attack.
 */
#ifndef GAME_TBS_GROUPS_H
#define GAME_TBS_GROUPS_H

#include "game/tbs/tbs.h"

/* A set of cells: bit y of column x. */
struct tbs_cells {
    uint64_t columns[TBS_EDGE_MAX];
};

struct tbs_cell {
    uint8_t x, y; /* 0, 0: nowhere */
};

enum { TBS_NO_GROUP = -1, TBS_NO_UNIT = -1 };

struct tbs_groups {
    int count;
    int16_t of[TBS_UNITS_MAX]; /* by unit; TBS_NO_GROUP when destroyed */
    /* The place of the stand-in for a side's other units in a group's game. */
    struct tbs_cell stand_in[TBS_UNITS_MAX][TBS_SIDES];
    /* By unit: the cells that it may reach and the cells that it may attack within the horizon. */
    struct tbs_cells reach[TBS_UNITS_MAX], attack[TBS_UNITS_MAX];
};

/* Groups are numbered by their lowest unit. Two units are in one group when one could attack the other within
 * `horizon` turns (the current one is the first), or when both could reach the same cell. Units in the way
 * are ignored, so the separation is certain and groups may be larger than necessary. One group means that the
 * position cannot be split. */
void tbs_groups_find(const void *state, int horizon, struct tbs_groups *out);

/* One group's game: same map, turn and flags, but only the group's units. A side that has units elsewhere
 * gets one infantry in a closed cell that no unit can come near within the horizon: it represents them, with
 * their HP (as far as a unit can have them), so that losing the group does not lose the game. */
struct tbs_group_game {
    struct scenario *scenario;
    int16_t id_of[TBS_UNITS_MAX]; /* from this game's units to the whole position's; TBS_NO_UNIT: stand-in */
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* Its states belong to the same table as the whole position's. If the mover has no unit left to act in this
 * group, it is already the other side's turn. False when memory ran out. The caller unloads the scenario. */
bool tbs_group_start(const void *state, const struct tbs_groups *groups, int group,
                     struct tbs_group_game *out, struct err *e);

/* Converts a unit's action in the group's game to an action of the whole position; false for other actions
 * and those of the stand-in. */
bool tbs_group_action(const struct tbs_group_game *game, action a, action *out);

/* The first of a unit's own turns, counted from 1, in which it can attack (with power) some enemy, if the
 * enemies stand still and only the target is in the way; 0 for never. */
int tbs_unit_contact(const struct tbs_map *map, const struct tbs_rules *rules, int unit);

#endif
