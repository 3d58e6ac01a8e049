/* SPDX-License-Identifier: MIT
 *
 * A map as a JSON object, for programs that read or make maps:
 *
 *     {"format": "senjutsu-map", "width": 6, "height": 5, "turn_limit": 8, "threshold": 2,
 *      "author": "me", "comment": "",
 *      "terrain": ["000000", "011310", "010520", "061140", "000000"],
 *      "units": [{"x": 1, "y": 1, "type": "panzer", "side": "red", "hp": 10, "done": false}, …]}
 *
 * Sizes and coordinates are the map file's (with the border); terrain is a string a row, a digit a cell. The
 * unit's place in the list is its id. "author", "comment" and "done" may be left out when reading.
 */
#ifndef GAME_TBS_MAP_JSON_H
#define GAME_TBS_MAP_JSON_H

#include "game/tbs/map.h"

/* Appends the object and a line end. False when memory ran out or a note is no UTF-8. */
bool tbs_map_write_json(const struct tbs_map *map, struct text *out, struct err *e);

/* Like tbs_map_read: lists every problem; false when one of them is fatal. Only a syntax error has a line. */
bool tbs_map_read_json(const char *text, size_t size, struct tbs_map *out, struct tbs_problems *problems);

#endif
