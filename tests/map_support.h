/* SPDX-License-Identifier: MIT
 *
 * Small maps drawn in a line, for tests.
 */
#ifndef TESTS_MAP_SUPPORT_H
#define TESTS_MAP_SUPPORT_H

#include "game/tbs/map.h"

/* Rows of terrain marks with blanks between them ("..* .=.") and UNIT segments of a .tbsmap. Fails the test
 * when that is no map. */
void map_of_rows(const char *rows, const char *units, struct tbs_map *out);

/* The text of a map that uses every segment and has no problem, line by line. */
enum { MAP_FAULTLESS_LINES = 12 };
extern const char *const map_faultless[MAP_FAULTLESS_LINES];

/* A row of four plain cells: a panzer against an infantry. */
#define MAP_ROW                                                                                              \
    "SIZEX[6];SIZEY[3];TURNLIMIT[6];HPTHRESHOLD[3];UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,1,panzer,0,10,0];"    \
    "UNIT[4,1,infantry,1,10,0];MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];"

/* The scenario of that text; fails the test when it is no map. The caller unloads it. */
struct scenario *map_scenario(const char *text);

#endif
