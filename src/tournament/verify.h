/* SPDX-License-Identifier: MIT
 *
 * Verifies a store: replays every record, compares every game with the schedule that follows from the event,
 * and computes the standings again.
 */
#ifndef TOURNAMENT_VERIFY_H
#define TOURNAMENT_VERIFY_H

#include "tournament/standings.h"

struct store;

struct verify_report {
    int games, problems;
    bool complete;           /* are all games of the event there? */
    bool standings_compared; /* did the store have standings to compare with? */
    int voids;               /* games that were void and played again */
};

/* What to do with what is found. */
struct verify_watch {
    void (*problem)(void *context, const char *sentence); /* everything that is wrong */
    bool (*progress)(void *context, int games);           /* false ends it; may be NULL */
    void *context;
};

/* False only when the store cannot be read at all, or memory runs out: that is not reported as a problem of
 * the store. Fills `event` and `games`, which the caller frees. */
bool verify_store(struct store *store, const struct verify_watch *watch, struct event *event,
                  struct games *games, struct verify_report *out, struct err *e);

/* The table as text, one line a player, for storing and comparing. */
void standings_text(const struct event *event, const struct games *games, struct text *out);

#endif
