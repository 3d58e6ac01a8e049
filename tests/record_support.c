/* SPDX-License-Identifier: MIT */
#include "record_support.h"

#include "game/tbs/tbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

const char row_sgf[] = ROW_MAP "PLAYEDDATE[2024-05-01T10:00:00Z];\n"     /* line 10 */
                               "PLAYEDRULE[rule_set_version_0100];\n"    /* 11 */
                               "PLAYERRED[acteval]PLAYERBLUE[random];\n" /* 12 */
                               "TURNINFO[0,0,1];\n"                      /* 13 */
                               "ACTION[0,3,1,1,1,2,4,1,2,7,0];\n"        /* 14 */
                               "TURNINFO[1,1,1];\n"                      /* 15 */
                               "ACTION[2,4,1,4,1,-1,0,0,1,0,0];\n"       /* 16 */
                               "TURNINFO[2,0,2];\n"                      /* 17 */
                               "ACTION[1,1,1,2,1,-1,0,0,1,0,0];\n"       /* 18 */
                               "ACTION[0,3,1,3,1,2,4,1,2,3,0];\n";       /* 19 */

void add_action(struct record *record, action a, double milliseconds) {
    struct err e;
    assert_true(record_add(record, a, milliseconds, &e));
}

void make_row_game(struct record *record) {
    record_init(record);
    snprintf(record->game, sizeof record->game, "tbs");
    snprintf(record->rules, sizeof record->rules, "tubstap");
    snprintf(record->players[0], RECORD_NAME_MAX, "acteval");
    snprintf(record->players[1], RECORD_NAME_MAX, "random");
    snprintf(record->date, sizeof record->date, "2024-05-01T10:00:00Z");
    snprintf(record->result, sizeof record->result, "red annihilation");
    text_add_string(&record->map, ROW_MAP);
    record->seed = 7;
    add_action(record, tbs_action(0, 3, 1, 2), 1.5);
    add_action(record, TBS_PASS, -1);
    add_action(record, tbs_action(1, 1, 1, TBS_NO_TARGET), 0);
    add_action(record, tbs_action(0, 3, 1, 2), 2);
}

struct text replaced(const char *text, const char *from, const char *to) {
    struct text out = {0};
    const char *at = strstr(text, from);
    assert_non_null(at);
    text_add_bytes(&out, text, (size_t)(at - text));
    text_add_string(&out, to);
    text_add_string(&out, at + strlen(from));
    return out;
}
