/* SPDX-License-Identifier: MIT
 *
 * Threads that have ended are joined at the start of the next task, or when the pool is closed.
 */
#include "serve/task_pool.h"

#include "base/mem.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

enum worker_state { WORKER_HELD, WORKER_RUNNING, WORKER_ENDED };

struct worker {
    struct task_pool *pool;
    struct task task;
    enum worker_state state;
    pthread_t thread;
    struct worker *next;
};

struct task_pool {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    struct worker *workers;
    int running, tasks_max;
    bool idle, closing;
};

struct task_pool *task_pool_open(int tasks_max, bool idle) {
    assert(tasks_max > 0);
    struct task_pool *pool = mem_alloc(sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->ended, NULL);
    pool->tasks_max = tasks_max;
    pool->idle = idle;
    return pool;
}

static void *work(void *context) {
    struct worker *worker = context;
    struct task_pool *pool = worker->pool;
    worker->task.run(worker->task.context);
    pthread_mutex_lock(&pool->lock);
    worker->state = WORKER_ENDED;
    pool->running--;
    pthread_cond_broadcast(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Joins threads that have ended: they return at once, so this does not block for long. */
static void sweep(struct task_pool *pool) {
    assert(pool->running >= 0);
    for (struct worker **at = &pool->workers; *at != NULL;) {
        struct worker *worker = *at;
        if (worker->state != WORKER_ENDED) {
            at = &worker->next;
            continue;
        }
        *at = worker->next;
        pthread_join(worker->thread, NULL);
        mem_free(worker);
    }
}

bool task_pool_start(struct task_pool *pool, const struct task *task, struct err *e) {
    assert(task->run != NULL);
    struct worker *worker = NULL;
    int problem = 0;
    pthread_mutex_lock(&pool->lock);
    const bool drop = pool->closing;
    if (!drop)
        sweep(pool);
    const bool is_full = !drop && pool->running >= pool->tasks_max;
    if (!drop && !is_full) {
        worker = mem_alloc(sizeof *worker);
        *worker = (struct worker){.pool = pool, .task = *task, .next = pool->workers};
        problem = pool->idle ? 0 : pthread_create(&worker->thread, NULL, work, worker);
        if (problem != 0) {
            mem_free(worker);
        } else {
            worker->state = pool->idle ? WORKER_HELD : WORKER_RUNNING;
            pool->running += !pool->idle;
            pool->workers = worker;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    if (drop && task->dropped != NULL)
        task->dropped(task->context);
    if (is_full)
        return err_set(e, "%d things are thought about at the moment; that is the most there may be",
                       pool->tasks_max);
    return problem == 0 || err_set(e, "no thread could be started: %s", strerror(problem));
}

int task_pool_size(struct task_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    const int size = pool->running;
    pthread_mutex_unlock(&pool->lock);
    return size;
}

/* A task of the owner (NULL: of any) in that state; with the lock. The place that points to it, or to the end
 * of the list. */
static struct worker **find(struct task_pool *pool, const void *owner, enum worker_state state) {
    struct worker **at = &pool->workers;
    while (*at != NULL && ((*at)->state != state || (owner != NULL && (*at)->task.owner != owner)))
        at = &(*at)->next;
    return at;
}

/* `dropped` may call the pool, so the lock is released for the call. A NULL owner: all tasks. */
static void finish(struct task_pool *pool, const void *owner) {
    pthread_mutex_lock(&pool->lock);
    pool->closing = pool->closing || owner == NULL;
    for (struct worker **at; *(at = find(pool, owner, WORKER_HELD)) != NULL;) {
        struct worker *worker = *at;
        *at = worker->next;
        pthread_mutex_unlock(&pool->lock);
        if (worker->task.dropped != NULL)
            worker->task.dropped(worker->task.context);
        mem_free(worker);
        pthread_mutex_lock(&pool->lock);
    }
    while (*find(pool, owner, WORKER_RUNNING) != NULL)
        pthread_cond_wait(&pool->ended, &pool->lock);
    sweep(pool);
    pthread_mutex_unlock(&pool->lock);
}

void task_pool_finish(struct task_pool *pool, const void *owner) {
    if (owner != NULL)
        finish(pool, owner);
}

void task_pool_close(struct task_pool *pool) {
    if (pool == NULL)
        return;
    finish(pool, NULL);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
    mem_free(pool);
}
