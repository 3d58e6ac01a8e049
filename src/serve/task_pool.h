/* SPDX-License-Identifier: MIT
 *
 * Threads for what takes longer than an answer may: a player's thinking, an analysis, a job. Each task has
 * its own; how many there may be at a time is limited.
 */
#ifndef SERVE_TASK_POOL_H
#define SERVE_TASK_POOL_H

#include "base/err.h"

struct task_pool;

/* `idle`: tasks are taken and never run; their `dropped` is called at the end. */
struct task_pool *task_pool_open(int tasks_max, bool idle, struct err *e);

struct task {
    void (*run)(void *context);     /* on a thread of its own */
    void (*dropped)(void *context); /* in place of run, in a crew that is idle or closing; may be NULL */
    void *context;
    const void *owner; /* for task_pool_finish; may be NULL */
};

/* False when there are too many at the moment, or no thread can be had. */
bool task_pool_start(struct task_pool *pool, const struct task *task, struct err *e);

int task_pool_size(struct task_pool *pool); /* tasks under way */

/* Waits for all tasks of that owner: for a part that is closed, after it has told them to stop. Those that
 * an idle crew holds are dropped. Not with the workbench's lock: the tasks want it. */
void task_pool_finish(struct task_pool *pool, const void *owner);

/* Waits for all. Whoever started long ones has told them to stop. */
void task_pool_close(struct task_pool *pool);

#endif
