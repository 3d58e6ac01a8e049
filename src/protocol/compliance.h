/* SPDX-License-Identifier: MIT
 *
 * Does an engine speak the protocol well enough to play in a tournament? A list of items, each a small
 * conversation with the engine; each ends with a sentence that says what was seen and what was expected.
 * docs/protocol.md is what is expected.
 */
#ifndef PROTOCOL_COMPLIANCE_H
#define PROTOCOL_COMPLIANCE_H

#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "game/game.h"
#include "player/ext.h"

#include <stdatomic.h>

enum {
    COMPLIANCE_ITEMS_MAX = 32,
    COMPLIANCE_QUIT_MS = 2000, /* to end after `quit`, and after the end of the input */
};

struct compliance_check; /* private: see compliance_check.h */

struct compliance_item {
    const char *name, *description; /* "answers `go` with an action that is legal" */
    bool needed;                    /* in a tournament; otherwise recommended */
    const char *after;              /* the item without which this one makes no sense; NULL: none */
    bool alone;                     /* it opens its conversation itself, or looks back at one that is over */
    void (*run)(struct compliance_check *check);
};

extern const struct compliance_item compliance_items[]; /* ended by a NULL name */

enum compliance_result { COMPLIANCE_PASS, COMPLIANCE_FAIL, COMPLIANCE_SKIPPED };
extern const char *const compliance_result_names[]; /* "pass", "fail", "skipped" */

struct compliance_finding {
    const struct compliance_item *item;
    bool needed; /* whole turns are, too, where the engine is to play by them */
    enum compliance_result result;
    char words[ERR_TEXT_MAX];
    double seconds;
    struct text conversation; /* the last lines both ways, of a failed item; see link_tail */
};

struct compliance {
    const struct ext_options *engine;
    const struct grant *grant; /* what it may be; NULL: nothing */
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */

    struct scenario *const *scenarios; /* one map or more, all of one game */
    const char *const *map_names;
    int map_count;
    int positions; /* random ones, in which the engine is asked */
    uint64_t seed;
    double timeout_s; /* for an answer that has no other limit */
    int grace_ms;     /* forgiven beyond a `go time` */

    /* Called before (with NULL) and after each item; may be NULL. */
    void (*watch)(void *watcher, const struct compliance_item *item,
                  const struct compliance_finding *finding);
    void *watcher;
};

struct compliance_report {
    char name[64], version[64]; /* as the engine calls itself; may be empty */
    int count;
    struct compliance_finding findings[COMPLIANCE_ITEMS_MAX];
    int passed, failed, skipped;
    bool ready; /* no needed item failed */
    bool stopped;
};

/* Runs all items. False only when this machine is short of memory, descriptors or processes; either way the
 * report is to be done with. */
bool compliance_run(const struct compliance *setup, struct compliance_report *out, struct err *e);
void compliance_report_done(struct compliance_report *report);

#endif
