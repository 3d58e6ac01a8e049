/* SPDX-License-Identifier: MIT
 *
 * Boards as text. Both modes share one layout of a cell,
 *
 *     sign, id (optional), letter, HP in two columns
 *
 * so that units line up in columns. The sign is a mark's ('[' a destination, '!' a target, '>' the unit that
 * acts), or '-' for a unit that has acted. With colour the background shows the terrain; plain text adds a
 * fifth column with the terrain under a unit. Letters are upper-case for red and lower-case for blue in both
 * modes, because some readers cannot distinguish the colours.
 *
 * Widths are fixed for a map, so that boards printed one below the other can be compared line by line.
 */
#include "game/tbs/tbs.h"

#include <ctype.h>
#include <string.h>

enum { LABEL_WIDTH = 3, UNIT_WIDTH = 3 /* letter and HP */, NO_UNIT = -1 };

struct board {
    const struct tbs_map *map;
    const struct tbs_position *position;
    const struct tbs_show *how;
    int id_width, cell_width;
    int16_t unit_at[TBS_EDGE_MAX][TBS_EDGE_MAX];
};

/* Colours are numbers of the 256-colour palette: light backgrounds, and signs a few shades darker. */
struct tint {
    uint8_t background, foreground;
};

static const struct tint terrain_tints[TBS_TERRAINS] = {
    [TBS_NO_ENTRY] = {236, 241}, [TBS_PLAIN] = {150, 107}, [TBS_SEA] = {110, 67},       [TBS_WOOD] = {71, 22},
    [TBS_MOUNTAIN] = {137, 94},  [TBS_ROAD] = {187, 144},  [TBS_FORTRESS] = {247, 237},
};

static const struct tint unit_tints[TBS_SIDES][2] = {
    /* ready, done */
    [TBS_RED] = {{160, 231}, {131, 252}},
    [TBS_BLUE] = {{26, 231}, {60, 252}},
};

static const struct tint mark_tint = {226, 16};
static const char mark_signs[] = {
    [TBS_MARK_NONE] = ' ', [TBS_MARK_END] = '[', [TBS_MARK_TARGET] = '!', [TBS_MARK_FROM] = '>'};

#define RESET "\033[0m"

static void add_tint(struct text *out, struct tint tint, const char *attribute) {
    text_add(out, "\033[0;%s48;5;%d;38;5;%dm", attribute, tint.background, tint.foreground);
}

/* No trailing blanks, which are invisible in editors and tests. */
static void end_plain_line(struct text *out) {
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    text_add_string(out, "\n");
}

/* ---- cells ---- */

/* With colour a mark tints the sign; without colour the sign alone shows it. */
static void add_unit(const struct board *b, int x, int y, struct text *out) {
    const struct tbs_unit *u = &b->position->units[b->unit_at[x][y]];
    const int terrain = b->map->terrain[x][y], mark = b->how->marks[x][y];
    const char ground = terrain == TBS_PLAIN ? ' ' : tbs_terrain_types[terrain].mark;
    const bool colour = b->how->colour;
    char sign = mark_signs[mark];
    if (mark == TBS_MARK_NONE)
        sign = colour ? ground : u->done ? '-' : sign;
    if (colour)
        add_tint(out, mark == TBS_MARK_NONE ? terrain_tints[terrain] : mark_tint,
                 mark == TBS_MARK_NONE ? "" : "1;");
    text_add(out, "%c", sign);
    if (b->how->ids && colour)
        add_tint(out, (struct tint){terrain_tints[terrain].background, mark_tint.foreground}, "");
    if (b->how->ids)
        text_add(out, "%*d", b->id_width, b->unit_at[x][y]);
    if (colour)
        add_tint(out, unit_tints[u->side][u->done], u->done ? "2;" : "1;");
    const char letter = tbs_unit_types[u->type].mark;
    text_add(out, "%c%-2d", u->side == TBS_RED ? letter : tolower((unsigned char)letter), u->hp);
    if (!colour)
        text_add(out, "%c", ground);
}

/* As wide as a unit, so that columns stay aligned. */
static void add_ground(const struct board *b, int x, int y, struct text *out) {
    const int terrain = b->map->terrain[x][y], mark = b->how->marks[x][y];
    const bool is_tinted = b->how->colour && mark != TBS_MARK_NONE;
    if (b->how->colour)
        add_tint(out, terrain_tints[terrain], "");
    text_add(out, "%*s", b->id_width, "");
    if (is_tinted)
        add_tint(out, mark_tint, "1;");
    text_add(out, "%c%c%c", mark_signs[mark], tbs_terrain_types[terrain].mark,
             mark == TBS_MARK_END ? ']' : ' ');
    if (is_tinted)
        add_tint(out, terrain_tints[terrain], "");
    text_add(out, "%*s", b->cell_width - b->id_width - 3, "");
}

/* ---- the whole board ---- */

static void add_rows(const struct board *b, struct text *out) {
    text_add(out, "%*s", LABEL_WIDTH, "");
    for (int x = 1; x < b->map->width - 1; x++) /* the number stands above the letters */
        text_add(out, "%*s%-*d", b->id_width + 1, "", b->cell_width - b->id_width - 1, x);
    end_plain_line(out);
    for (int y = 1; y < b->map->height - 1; y++) {
        text_add(out, "%2d ", y);
        for (int x = 1; x < b->map->width - 1; x++)
            (b->unit_at[x][y] != NO_UNIT ? add_unit : add_ground)(b, x, y, out);
        if (b->how->colour)
            text_add_string(out, RESET "\n");
        else
            end_plain_line(out);
    }
}

static void add_legend(const struct board *b, struct text *out) {
    text_add_string(out, "units   ");
    for (int type = 0; type < TBS_TYPES; type++)
        text_add(out, " %c %s ", tbs_unit_types[type].mark, tbs_unit_types[type].name);
    end_plain_line(out);
    text_add_string(out, "sides    red upper-case, blue lower-case; the number is HP\nterrain ");
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++) {
        if (b->how->colour)
            add_tint(out, terrain_tints[terrain], "");
        text_add(out, " %c ", tbs_terrain_types[terrain].mark);
        text_add(out, "%s%s ", b->how->colour ? RESET " " : "", tbs_terrain_types[terrain].name);
    }
    end_plain_line(out);
    text_add(out, "marks    [ may end there   ! may be attacked   > acts   %s\n",
             b->how->colour ? "faded: has acted" : "- has acted");
}

void tbs_show_position(const struct tbs_map *map, const struct tbs_position *position,
                       const struct tbs_show *how, struct text *out) {
    struct board b = {.map = map, .position = position, .how = how};
    const int count = position->unit_count;
    if (how->ids) /* as wide as the largest of the map, so that nothing moves when units are destroyed */
        b.id_width = count > 100 ? 3 : count > 10 ? 2 : 1;
    b.cell_width = 1 + b.id_width + UNIT_WIDTH + (how->colour ? 0 : 1);
    memset(b.unit_at, 0xFF, sizeof b.unit_at); /* NO_UNIT everywhere */
    for (int id = 0; id < count; id++) {
        const struct tbs_unit *u = &position->units[id];
        if (u->hp > 0 && tbs_map_is_playable(map, u->x, u->y))
            b.unit_at[u->x][u->y] = (int16_t)id;
    }
    add_rows(&b, out);
    if (how->legend)
        add_legend(&b, out);
}

void tbs_show_map(const struct tbs_map *map, const struct tbs_show *how, struct text *out) {
    struct tbs_position position;
    tbs_map_position(map, &position);
    tbs_show_position(map, &position, how, out);
}
