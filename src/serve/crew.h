/* SPDX-License-Identifier: MIT
 *
 * Threads for what takes longer than an answer may: a player's thinking, an analysis, a job. Each task has
 * its own; how many there may be at a time is limited.
 */
#ifndef SERVE_CREW_H
#define SERVE_CREW_H

#include "base/err.h"

struct crew;

/* `idle`: tasks are taken and never run; their `dropped` is called at the end. */
struct crew *crew_open(int tasks_max, bool idle, struct err *e);

struct crew_task {
    void (*run)(void *context);     /* on a thread of its own */
    void (*dropped)(void *context); /* in place of run, in a crew that is idle or closing; may be NULL */
    void *context;
    const void *owner; /* for crew_finish; may be NULL */
};

/* False when there are too many at the moment, or no thread can be had. */
bool crew_start(struct crew *crew, const struct crew_task *task, struct err *e);

int crew_size(struct crew *crew); /* tasks under way */

/* Waits for all tasks of that owner: for a part that is closed, after it has told them to stop. Those that
 * an idle crew holds are dropped. Not with the workbench's lock: the tasks want it. */
void crew_finish(struct crew *crew, const void *owner);

/* Waits for all. Whoever started long ones has told them to stop. */
void crew_close(struct crew *crew);

#endif
