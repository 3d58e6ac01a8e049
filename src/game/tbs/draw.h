/* SPDX-License-Identifier: MIT
 *
 * Boards as pictures: one drawing, written as PNG, SVG or PDF. Only there when the program was built with
 * Cairo: whoever calls these functions does so under `#ifdef SENJUTSU_CAIRO` (config.h) and otherwise says
 * that this build draws no pictures.
 */
#ifndef GAME_TBS_DRAW_H
#define GAME_TBS_DRAW_H

#include "game/tbs/tbs.h"

enum tbs_picture { TBS_PICTURE_PNG, TBS_PICTURE_SVG, TBS_PICTURE_PDF, TBS_PICTURES };

enum { TBS_DRAW_CELL_MIN = 8, TBS_DRAW_CELL_USUAL = 64, TBS_DRAW_CELL_MAX = 200 };

/* What the file name's ending asks for (in any case); TBS_PICTURES when it is none of them. */
enum tbs_picture tbs_picture_of(const char *path);

/* Draws a position on its map. One cell is `cell_pixels` wide (PNG), or as many units of 1/96 inch (SVG), or
 * points (PDF), within TBS_DRAW_CELL_MIN..MAX. The file is there whole, or (false) as it was before. Not for
 * half a position: tbs_map_position gives a map's start. */
bool tbs_draw(const struct tbs_map *map, const struct tbs_position *position, const char *path,
              enum tbs_picture format, int cell_pixels, struct err *e);

#endif
