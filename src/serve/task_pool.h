/* SPDX-License-Identifier: MIT
 *
 * Threads for background work: a player's decision, an analysis, a job. Each task has a thread of its own;
 * the number of running tasks is limited.
 */
#ifndef SERVE_TASK_POOL_H
#define SERVE_TASK_POOL_H

#include "base/err.h"

struct task_pool;

/* An `idle` pool accepts tasks and never runs them; it calls their `dropped` at the end. */
struct task_pool *task_pool_open(int tasks_max, bool idle);

struct task {
    void (*run)(void *context);     /* on a thread of its own */
    void (*dropped)(void *context); /* called instead by an idle or closing pool; may be NULL */
    void *context;
    const void *owner; /* for task_pool_finish; may be NULL */
};

/* False when too many tasks are running, or no thread could be started. */
bool task_pool_start(struct task_pool *pool, const struct task *task, struct err *e);

int task_pool_size(struct task_pool *pool); /* running tasks */

/* Waits for all tasks of that owner, which has signalled them to stop. Tasks held by an idle pool are
 * dropped. The caller must not hold the workbench's lock, because the tasks take it. */
void task_pool_finish(struct task_pool *pool, const void *owner);

/* Waits for all tasks. Their owners have signalled long ones to stop. */
void task_pool_close(struct task_pool *pool);

#endif
