/* SPDX-License-Identifier: MIT
 *
 * The compliance check: whether an engine implements the protocol (docs/protocol.md) well enough for a
 * tournament. It is a list of items, each a short conversation with the engine that ends with a message:
 * what was observed and what was expected.
 */
#ifndef PROTOCOL_COMPLIANCE_H
#define PROTOCOL_COMPLIANCE_H

#include "protocol/talk.h"

enum {
    COMPLIANCE_ITEMS_MAX = 32,
    COMPLIANCE_QUIT_MS = 2000, /* limit for ending after `quit`, and after the end of the input */
};

struct compliance_check; /* private */

struct compliance_item {
    const char *name, *description;              /* "answers `go` with an action that is legal" */
    bool (*run)(struct compliance_check *check); /* what it returns has no meaning */
    const char *after;                           /* name of the item that must pass first; NULL: none */
    bool needed;                                 /* required in a tournament; otherwise recommended */
    bool alone; /* the item opens its own conversation, or inspects one that has ended */
};

extern const struct compliance_item compliance_items[]; /* ended by a NULL name */

enum compliance_result { COMPLIANCE_PASS, COMPLIANCE_FAIL, COMPLIANCE_SKIPPED };
extern const char *const compliance_result_names[]; /* "pass", "fail", "skipped" */

struct compliance_finding {
    const struct compliance_item *item;
    bool needed; /* also true for whole turns when the engine is configured to play them */
    enum compliance_result result;
    char message[ERR_TEXT_MAX];
    double seconds;
    struct text conversation; /* last lines in both directions, if the item failed; see link_tail */
};

struct compliance {
    struct talk_setup talk;
    struct scenario *const *scenarios; /* one or more maps of one game */
    const char *const *map_names;
    int map_count;
    int positions; /* number of random positions in which the engine is asked */
    uint64_t seed;
    int grace_ms; /* tolerance beyond a `go time` */

    /* Called before (with NULL) and after each item; may be NULL. */
    void (*watch)(void *watcher, const struct compliance_item *item,
                  const struct compliance_finding *finding);
    void *watcher;
};

struct compliance_report {
    char name[64], version[64]; /* as the engine reports them; may be empty */
    int count;
    struct compliance_finding findings[COMPLIANCE_ITEMS_MAX];
    int passed, failed, skipped;
    bool ready; /* no required item failed */
    bool stopped;
};

/* Runs all items. False only when this machine is short of memory, descriptors or processes. In either case
 * call compliance_report_done. Blocks until the last
 * item has ended or setup->talk.stop is set. */
bool compliance_run(const struct compliance *setup, struct compliance_report *out, struct err *e);
void compliance_report_done(struct compliance_report *report);

#endif
