/* SPDX-License-Identifier: MIT
 *
 * Boards as text for a terminal: terrain as background, units as side-coloured letter and HP, with
 * coordinates along the edges. Without colour the same board is readable as plain ASCII.
 */
#ifndef GAME_TBS_SHOW_H
#define GAME_TBS_SHOW_H

#include "game/tbs/tbs.h"

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

#endif
