/* SPDX-License-Identifier: MIT
 *
 * Private to table*.c and tables.c: who sits at a table, and who follows it.
 */
#ifndef SERVE_TABLE_SEAT_H
#define SERVE_TABLE_SEAT_H

#include "serve/inside.h"

#include "base/spec.h"

enum { TABLE_NAME_MAX = 81 }; /* of a person or player, with its NUL */

/* Who follows a table, by the sides whose keys it has: bit 0 the first, bit 1 the second. */
enum table_audience { AUDIENCE_PUBLIC, AUDIENCE_FIRST, AUDIENCE_SECOND, AUDIENCE_BOTH, AUDIENCES };

struct table_seat {
    bool is_human;
    char name[TABLE_NAME_MAX];
    char spec[SPEC_TEXT_MAX]; /* "" for a person */
    char key[SERVE_ID_MAX];   /* "" for a player */
};

#endif
