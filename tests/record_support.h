/* SPDX-License-Identifier: MIT
 *
 * One small game, as a record and as the text of its .sgf.
 */
#ifndef TESTS_RECORD_SUPPORT_H
#define TESTS_RECORD_SUPPORT_H

#include "match/record.h"

/* A row of four plain cells: a panzer and an infantry, which has acted already, against an infantry. */
#define ROW_MAP                                                                                              \
    "SIZEX[6];SIZEY[3];\nTURNLIMIT[6];HPTHRESHOLD[3];\nUNITNUMRED[2];UNITNUMBLUE[1];\n"                      \
    "UNIT[1,1,panzer,0,10,0];\nUNIT[2,1,infantry,0,8,1];\nUNIT[4,1,infantry,1,10,0];\n"                      \
    "MAP[0,0,0,0,0,0];\nMAP[0,1,1,1,1,0];\nMAP[0,0,0,0,0,0];\n"

/* Attack, pass, move, attack: red wins. The pass is a stay in the .sgf. */
void make_row_game(struct record *record);
extern const char row_sgf[];

/* record_add that must succeed. */
void add_action(struct record *record, action a, double milliseconds);

/* `text` with the first `from` (there must be one) replaced by `to`; the caller frees it. */
struct text replaced(const char *text, const char *from, const char *to);

#endif
