/* SPDX-License-Identifier: MIT
 *
 * A map's picture, where the build can draw.
 */
#include "evolve/gallery.h"

#include "config.h"
#include "game/tbs/draw.h"

#ifdef SENJUTSU_CAIRO
static bool draw_map(const struct tbs_map *map, const char *path, struct err *e) {
    struct tbs_position position;
    tbs_map_position(map, &position);
    return tbs_draw(map, &position, path, tbs_picture_of(path), TBS_DRAW_CELL_USUAL, e);
}
#else
#define draw_map NULL
#endif

bool (*const gallery_draw)(const struct tbs_map *map, const char *path, struct err *e) = draw_map;
