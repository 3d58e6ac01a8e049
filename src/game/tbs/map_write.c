/* SPDX-License-Identifier: MIT
 *
 * Writing .tbsmap in the platform's layout.
 */
#include "game/tbs/map.h"

/* ']' and ';' would end the value early, a line break would vanish: they become harmless neighbours. */
static void write_note(struct text *out, const char *key, const char *note) {
    if (note[0] == '\0')
        return;
    text_add(out, "%s[", key);
    for (; *note != '\0'; note++) {
        const char c = *note == ']' ? ')' : *note == '[' ? '(' : *note == ';' ? ',' : *note;
        if (c != '\n' && c != '\r')
            text_add_bytes(out, &c, 1);
    }
    text_add(out, "];\n");
}

void tbs_map_write(const struct tbs_map *map, struct text *out) {
    text_add(out, "SIZEX[%d];SIZEY[%d];\n", map->width, map->height);
    text_add(out, "TURNLIMIT[%d];HPTHRESHOLD[%d];\n", map->turn_limit, map->threshold);
    text_add(out, "UNITNUMRED[%d];UNITNUMBLUE[%d];\n", tbs_map_side_units(map, TBS_RED),
             tbs_map_side_units(map, TBS_BLUE));
    write_note(out, "AUTHOR", map->author);
    write_note(out, "MAPCOM", map->comment);
    for (int i = 0; i < map->unit_count; i++) {
        const struct tbs_map_unit *u = &map->units[i];
        text_add(out, "UNIT[%d,%d,%s,%d,%d,%d];\n", u->x, u->y, tbs_unit_types[u->type].name, u->side, u->hp,
                 u->done);
    }
    for (int y = 0; y < map->height; y++) {
        text_add(out, "MAP[");
        for (int x = 0; x < map->width; x++)
            text_add(out, "%s%d", x > 0 ? "," : "", map->terrain[x][y]);
        text_add(out, "];\n");
    }
}
