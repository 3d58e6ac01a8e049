/* SPDX-License-Identifier: MIT
 *
 * What makes a map legal, whoever made it: a file, a random generator or a designer.
 */
#include "game/tbs/map.h"

#include <string.h>

int tbs_map_side_units(const struct tbs_map *map, int side) {
    int count = 0;
    for (int i = 0; i < map->unit_count; i++)
        count += map->units[i].side == side;
    return count;
}

static void check_border(const struct tbs_map *map, struct tbs_problems *problems) {
    for (int x = 0; x < map->width; x++)
        for (int y = 0; y < map->height; y++)
            if (!tbs_map_is_playable(map, x, y) && map->terrain[x][y] != TBS_NO_ENTRY)
                tbs_problems_add(problems, true, map->row_line[y],
                                 "border cell %d,%d is %s; the outer ring must be no-entry (0)", x, y,
                                 tbs_terrain_types[map->terrain[x][y]].name);
}

static void check_place(const struct tbs_map *map, int id, struct tbs_problems *problems) {
    const struct tbs_map_unit *u = &map->units[id];
    const struct tbs_unit_type *type = &tbs_unit_types[u->type];
    if (!tbs_map_is_playable(map, u->x, u->y)) {
        tbs_problems_add(problems, true, u->line,
                         "unit %d (%s) stands at %d,%d, outside the playable cells 1..%d,1..%d", id,
                         type->name, u->x, u->y, map->width - 2, map->height - 2);
        return;
    }
    const struct tbs_terrain_type *terrain = &tbs_terrain_types[map->terrain[u->x][u->y]];
    if (terrain->cost[type->class] == TBS_IMPASSABLE)
        tbs_problems_add(problems, false, u->line,
                         "unit %d (%s) stands at %d,%d on %s, which it cannot enter", id, type->name, u->x,
                         u->y, terrain->name);
}

static void check_hp(const struct tbs_map *map, int id, struct tbs_problems *problems) {
    const struct tbs_map_unit *u = &map->units[id];
    if (u->hp < 1 || u->hp > TBS_HP_MAX)
        tbs_problems_add(problems, true, u->line, "unit %d has HP %d; expected 1 to %d", id, u->hp,
                         TBS_HP_MAX);
    else if (u->hp > TBS_HP_USUAL)
        tbs_problems_add(problems, false, u->line, "unit %d has HP %d, more than the usual %d", id, u->hp,
                         TBS_HP_USUAL);
}

static void check_sharing(const struct tbs_map *map, int id, struct tbs_problems *problems) {
    const struct tbs_map_unit *u = &map->units[id];
    for (int other = 0; other < id; other++)
        if (map->units[other].line != TBS_UNREADABLE && map->units[other].x == u->x &&
            map->units[other].y == u->y)
            tbs_problems_add(problems, true, u->line, "units %d and %d both stand at %d,%d", other, id, u->x,
                             u->y);
}

void tbs_map_check(const struct tbs_map *map, struct tbs_problems *problems) {
    check_border(map, problems);
    for (int id = 0; id < map->unit_count; id++) {
        if (map->units[id].line == TBS_UNREADABLE)
            continue; /* already reported */
        check_place(map, id, problems);
        check_hp(map, id, problems);
        check_sharing(map, id, problems);
    }
    for (int side = 0; side < TBS_SIDES; side++) {
        const int count = tbs_map_side_units(map, side);
        if (count == 0)
            tbs_problems_add(problems, false, 0, "%s has no units", tbs_side_names[side]);
        if (count > TBS_SIDE_UNITS_MAX)
            tbs_problems_add(problems, true, 0, "%s has %d units; at most %d fit", tbs_side_names[side],
                             count, TBS_SIDE_UNITS_MAX);
    }
}
