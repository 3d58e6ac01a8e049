/* SPDX-License-Identifier: MIT
 *
 * A fault once more, from its bundle: the engine is started again, is sent the same lines, and is waited for
 * as long. What it does wrong, if anything, is named as a referee would name it.
 */
#ifndef PROTOCOL_REPRODUCE_H
#define PROTOCOL_REPRODUCE_H

#include "match/fault_report.h"
#include "player/ext.h"

struct reproduce {
    const struct bundle *bundle;
    const struct ext_options *engine; /* the bundle's own, or another one */
    const struct grant *grant;        /* what it may be; NULL: nothing */
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    double timeout_s;        /* for answers the bundle has no limit for */
};

struct reproduction {
    enum player_fault fault; /* NONE: it did everything right this time */
    bool again;              /* the same as in the bundle */
    bool stopped;
    char words[ERR_TEXT_MAX];   /* what it did */
    char command[ERR_TEXT_MAX]; /* on which command; "" when it was after the last one */
    int commands_sent, commands_in_all;
    bool is_cut;      /* the bundle remembers only the beginning of what was sent */
    struct text tail; /* the last lines of both: see link_tail */
};

/* The engine of a bundle: false when it was a connection, which only its owner can make again. */
bool reproduce_engine(const struct bundle *bundle, struct ext_options *out, struct err *e);

/* False when the bundle cannot be played again or the engine not be opened. Either way `out` is to be done
 * with. */
bool reproduce_run(const struct reproduce *r, struct reproduction *out, struct err *e);
void reproduction_done(struct reproduction *r);

#endif
