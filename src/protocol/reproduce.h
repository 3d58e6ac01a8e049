/* SPDX-License-Identifier: MIT
 *
 * Repeats a fault from its fault report: the engine is started again, is sent the same lines and gets the
 * same time limits. Its faults, if any, are classified as a referee classifies them.
 */
#ifndef PROTOCOL_REPRODUCE_H
#define PROTOCOL_REPRODUCE_H

#include "match/fault_report.h"
#include "player/ext.h"

struct reproduce {
    const struct fault_report *fault_report;
    const struct ext_options *engine; /* the one of the fault report, or another */
    const struct grant *grant;        /* permissions of the engine; NULL: none */
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    double timeout_s;        /* limit for answers that have none in the fault report */
};

struct reproduction {
    enum player_fault fault; /* NONE: no fault this time */
    bool again;              /* the same fault as in the report */
    bool stopped;
    char message[ERR_TEXT_MAX]; /* description of the fault */
    char command[ERR_TEXT_MAX]; /* the command that it followed; "" after the last one */
    int commands_sent, commands_in_all;
    bool is_cut;      /* the fault report holds only the first part of the conversation */
    struct text tail; /* last lines in both directions: see link_tail */
};

/* Reads the engine of a fault report. False when it was a connection, which only its owner can open again. */
bool reproduce_engine(const struct fault_report *fault_report, struct ext_options *out, struct err *e);

/* False when the report cannot be replayed or the engine not opened. The caller frees out->tail. */
bool reproduce_run(const struct reproduce *r, struct reproduction *out, struct err *e);

#endif
