/* SPDX-License-Identifier: MIT
 *
 * Whether there is a map of a space is answered by making one, with the most units it allows: the generator
 * of random maps knows every range and everything that has nowhere to stand.
 */
#include "evolve/space.h"

#include "game/tbs/map_random.h"

#include <stdlib.h>

bool space_can_stand(int type, int terrain) {
    return tbs_terrain_types[terrain].cost[tbs_unit_types[type].class] < TBS_IMPASSABLE;
}

int space_beside(const struct space *space, int cell, int out[4]) {
    const int width = space->width, x = cell % width, y = cell / width;
    int count = 0;
    if (x > 0)
        out[count++] = cell - 1;
    if (x < width - 1)
        out[count++] = cell + 1;
    if (y > 0)
        out[count++] = cell - width;
    if (y < space->height - 1)
        out[count++] = cell + width;
    return count;
}

int space_distance(const struct space *space, int a, int b) {
    return abs(a % space->width - b % space->width) + abs(a / space->width - b / space->width);
}

static bool check_kinds(const struct space *space, struct err *e) {
    if ((int)space->symmetry < 0 || space->symmetry >= SYMMETRIES)
        return err_set(e, "the symmetry is number %d; expected 0 to %d", (int)space->symmetry,
                       SYMMETRIES - 1);
    if ((int)space->placement < 0 || space->placement >= PLACEMENTS)
        return err_set(e, "the placement is number %d; expected 0 to %d", (int)space->placement,
                       PLACEMENTS - 1);
    if (!(space->patches >= 0 && space->patches <= 1))
        return err_set(e, "the patches are %g; expected 0 to 1", space->patches);
    return true;
}

static bool make_one(const struct space *space, struct err *e) {
    struct tbs_random_options options = {
        .width = space->width,
        .height = space->height,
        .units = {space->units_max[TBS_RED], space->units_max[TBS_BLUE]},
        .turn_limit = space->turn_limit,
        .threshold = space->threshold,
        .hp_low = space->hp_low,
        .hp_high = space->hp_high,
        .types = space->types,
    };
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        options.weight[terrain] = space->weight[terrain];
    struct rng r;
    struct tbs_map map;
    rng_seed(&r, 0);
    return tbs_map_random(&options, &r, &map, e);
}

static bool check_least(const struct space *space, struct err *e) {
    for (int side = 0; side < TBS_SIDES; side++)
        if (space->units_min[side] < 1 || space->units_min[side] > space->units_max[side])
            return err_set(e, "the least number of %s units is %d; expected 1 to %d, the most",
                           tbs_side_names[side], space->units_min[side], space->units_max[side]);
    return true;
}

static bool check_symmetry(const struct space *space, struct err *e) {
    if (space->symmetry == SYMMETRY_NONE)
        return true;
    for (int i = 0; i < 2; i++) {
        const int *limit = i == 0 ? space->units_min : space->units_max;
        if (limit[TBS_RED] != limit[TBS_BLUE])
            return err_set(e, "a symmetric map has as many red as blue units: at %s %d and %d cannot be",
                           i == 0 ? "least" : "most", limit[TBS_RED], limit[TBS_BLUE]);
    }
    int room = 0;
    for (int cell = 0; cell < space_cells(space); cell++)
        room += space_may_hold(space, cell);
    if (2 * space->units_max[TBS_RED] > room)
        return err_set(
            e, "%d units a side do not fit on %d x %d cells: a map with this symmetry has room for %d",
            space->units_max[TBS_RED], space->width, space->height, room / 2);
    return true;
}

bool space_check(const struct space *space, struct err *e) {
    return check_kinds(space, e) && make_one(space, e) && check_least(space, e) && check_symmetry(space, e);
}
