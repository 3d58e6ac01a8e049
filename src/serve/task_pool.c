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

static bool begin(struct task_pool *pool, struct worker *worker, struct err *e) {
    if (!pool->idle) {
        const int problem = pthread_create(&worker->thread, NULL, work, worker);
        if (problem != 0)
            return err_set(e, "no thread could be started: %s", strerror(problem));
        worker->state = WORKER_RUNNING;
        pool->running++;
    }
    worker->next = pool->workers;
    pool->workers = worker;
    return true;
}

/* With the lock. */
static bool admit(struct task_pool *pool, const struct task *task, struct err *e) {
    sweep(pool);
    if (pool->running >= pool->tasks_max)
        return err_set(e, "%d things are thought about at the moment; that is the most there may be",
                       pool->tasks_max);
    struct worker *worker = mem_alloc(sizeof *worker);
    worker->pool = pool;
    worker->task = *task;
    if (begin(pool, worker, e))
        return true;
    mem_free(worker);
    return false;
}

bool task_pool_start(struct task_pool *pool, const struct task *task, struct err *e) {
    assert(task->run != NULL);
    pthread_mutex_lock(&pool->lock);
    const bool drop = pool->closing;
    const bool ok = drop || admit(pool, task, e);
    pthread_mutex_unlock(&pool->lock);
    if (drop && task->dropped != NULL)
        task->dropped(task->context);
    return ok;
}

int task_pool_size(struct task_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    const int size = pool->running;
    pthread_mutex_unlock(&pool->lock);
    return size;
}

/* Takes one of the owner's tasks that were held out of the list (with the lock); NULL: there is none. */
static struct worker *take_held(struct task_pool *pool, const void *owner) {
    for (struct worker **at = &pool->workers; *at != NULL; at = &(*at)->next) {
        struct worker *worker = *at;
        if (worker->state == WORKER_HELD && (owner == NULL || worker->task.owner == owner)) {
            *at = worker->next;
            return worker;
        }
    }
    return NULL;
}

static bool has_running(const struct task_pool *pool, const void *owner) {
    for (const struct worker *worker = pool->workers; worker != NULL; worker = worker->next)
        if (worker->state == WORKER_RUNNING && (owner == NULL || worker->task.owner == owner))
            return true;
    return false;
}

/* `dropped` may call the pool, so the lock is released for the call. */
static void drop_held(struct task_pool *pool, const void *owner) {
    for (struct worker *worker; (worker = take_held(pool, owner)) != NULL;) {
        pthread_mutex_unlock(&pool->lock);
        if (worker->task.dropped != NULL)
            worker->task.dropped(worker->task.context);
        mem_free(worker);
        pthread_mutex_lock(&pool->lock);
    }
}

/* A NULL owner: all tasks. */
static void finish(struct task_pool *pool, const void *owner) {
    pthread_mutex_lock(&pool->lock);
    pool->closing = pool->closing || owner == NULL;
    drop_held(pool, owner);
    while (has_running(pool, owner))
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
