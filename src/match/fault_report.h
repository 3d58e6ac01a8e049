/* SPDX-License-Identifier: MIT
 *
 * A fault report: everything needed to examine a fault and to reproduce it, in one file. It contains the
 * ruling, the game up to it, what the player was sent and its last lines.
 *
 *     {"format": "senjutsu-bundle", "version": 1, "ruling": "hang", "side": 1, "player": "ext:cmd=./bot",
 *      "reason": "…", "limit_ms": 10100, "patience_ms": 2000, "clock": "10 s a turn", "command": "./bot",
 *      "sent": ["sjp 1", …], "tail": ["> go time 950", "< bset 3:4,2"], "record": {…}}
 */
#ifndef MATCH_FAULT_REPORT_H
#define MATCH_FAULT_REPORT_H

#include "match/record.h"
#include "match/timing.h"

enum { FAULT_REPORT_TEXT_MAX = 80 << 20 };

struct fault_report {
    enum player_fault fault;
    int side;
    char reason[ERR_TEXT_MAX];
    char clock[128]; /* as text: "10 s a turn" */
    double limit_ms; /* of the decision that failed; 0: none */
    double patience_ms;
    struct player_transcript transcript;
    struct record record;
};

void fault_report_init(struct fault_report *fault_report);
void fault_report_done(struct fault_report *fault_report);

/* `record` is the game; the fault report's own record is not looked at, so that nothing need be copied. */
bool fault_report_write(const struct fault_report *fault_report, const struct record *record,
                        struct text *out, struct err *e);

/* Fills all of it, the record included. */
bool fault_report_read(const char *name, const char *text, size_t size, struct fault_report *out,
                       struct err *e);

#endif
