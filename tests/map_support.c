/* SPDX-License-Identifier: MIT */
#include "map_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

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
