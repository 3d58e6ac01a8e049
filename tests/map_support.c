/* SPDX-License-Identifier: MIT */
#include "map_support.h"

#include "game/tbs/tbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

const char *const map_faultless[MAP_FAULTLESS_LINES] = {
    "SIZEX[6];SIZEY[5];",
    "TURNLIMIT[8];HPTHRESHOLD[2];",
    "UNITNUMRED[2];UNITNUMBLUE[1];",
    "AUTHOR[us];MAPCOM[a pond];",
    "MAP[0,0,0,0,0,0];",
    "MAP[0,1,1,3,1,0];",
    "MAP[0,1,0,5,2,0];",
    "MAP[0,6,1,1,4,0];",
    "MAP[0,0,0,0,0,0];",
    "UNIT[1,1,panzer,0,10,0];",
    "UNIT[1,3,cannon,0,7,1];",
    "UNIT[4,1,infantry,1,10,0];",
};

static void add_wall(int width, struct text *out) {
    text_add_string(out, "MAP[0");
    for (int x = 0; x <= width; x++)
        text_add_string(out, ",0");
    text_add_string(out, "];");
}

static void add_row(const char *marks, int width, struct text *out) {
    text_add_string(out, "MAP[0");
    for (int x = 0; x < width; x++) {
        int terrain = 0;
        while (terrain < TBS_TERRAINS && tbs_terrain_types[terrain].mark != marks[x])
            terrain++;
        text_add(out, ",%d", terrain);
    }
    text_add_string(out, ",0];");
}

void map_of_rows(const char *rows, const char *units, struct tbs_map *out) {
    const int width = (int)strcspn(rows, " "), height = ((int)strlen(rows) + 1) / (width + 1);
    struct text text = {0};
    struct err e;
    text_add(&text, "SIZEX[%d];SIZEY[%d];TURNLIMIT[20];HPTHRESHOLD[0];%s", width + 2, height + 2, units);
    add_wall(width, &text);
    for (int y = 0; y < height; y++)
        add_row(rows + y * (width + 1), width, &text);
    add_wall(width, &text);
    if (!tbs_map_load("a map of rows", text_string(&text), text.size, out, &e))
        fail_msg("\"%s\": %s", rows, e.text);
    text_done(&text);
}

struct scenario *map_scenario(const char *text) {
    struct err e = {0};
    const struct game_source source = {.name = "test", .text = text, .size = strlen(text)};
    struct scenario *scenario = game_load(&tbs_game, &source, &e);
    assert_string_equal(e.text, "");
    return scenario;
}
