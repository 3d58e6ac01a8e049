/* SPDX-License-Identifier: MIT
 *
 * Boards for people: as text for a terminal (show.c), as pictures in files (draw.c).
 */
#ifndef GAME_TBS_SHOW_H
#define GAME_TBS_SHOW_H

#include "game/tbs/tbs.h"

/* ---- text ---- */

/* Terrain is the background, a unit is its letter in the colour of its side and its HP; coordinates are along
 * the edges. Without colour the same board is readable as plain ASCII. */

enum tbs_mark { TBS_MARK_NONE, TBS_MARK_END, TBS_MARK_TARGET, TBS_MARK_FROM };

struct tbs_show {
    bool colour;                               /* ANSI escapes, 256 colours */
    bool ids;                                  /* print unit ids in the cells, beside letter and HP */
    bool legend;                               /* what letters and terrain marks mean, below the board */
    uint8_t marks[TBS_EDGE_MAX][TBS_EDGE_MAX]; /* enum tbs_mark by [x][y]: destinations, targets … */
};

/* A position on its map. */
void tbs_show_position(const struct tbs_map *map, const struct tbs_position *position,
                       const struct tbs_show *how, struct text *out);

/* A map at its start. */
void tbs_show_map(const struct tbs_map *map, const struct tbs_show *how, struct text *out);

/* ---- pictures ---- */

/* One drawing, written as PNG, SVG or PDF. These functions exist only when the program was built with Cairo:
 * callers use `#ifdef SENJUTSU_CAIRO` (config.h) and otherwise report that this build draws no pictures. */

enum tbs_picture { TBS_PICTURE_PNG, TBS_PICTURE_SVG, TBS_PICTURE_PDF, TBS_PICTURES };

enum { TBS_DRAW_CELL_MIN = 8, TBS_DRAW_CELL_DEFAULT = 64, TBS_DRAW_CELL_MAX = 200 };

/* The format of the file name's ending (in any case); TBS_PICTURES for other endings. */
enum tbs_picture tbs_picture_of(const char *path);

/* Draws a complete position on its map; tbs_map_position gives a map's start. One cell is `cell_pixels` wide
 * (PNG), or as many units of 1/96 inch (SVG), or points (PDF), within TBS_DRAW_CELL_MIN..MAX. On false an
 * existing file is unchanged. */
bool tbs_draw(const struct tbs_map *map, const struct tbs_position *position, const char *path,
              enum tbs_picture format, int cell_pixels, struct err *e);

#endif
