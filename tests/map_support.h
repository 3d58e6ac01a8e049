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

#endif
