/* SPDX-License-Identifier: MIT
 *
 * The pool on threads. Workers draw the next job number under one lock and hand finished results to a window
 * of waiting ones; whoever completes the prefix takes it. A worker that is too far ahead waits, so the window
 * and with it memory stay bounded, and a stop leaves a clean prefix.
 */
#include "pool/pool.h"

#include "base/budget.h"
#include "base/mem.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { WINDOW_PER_WORKER = 4 };

struct pool {
    const struct pool_work *work;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* the window moved on, or all is over */
    int next, taken, window;
    bool taking, failed;
    struct err reason;
    unsigned char *results; /* `window` of them, job i in slot i % window */
    bool *done;
};

static bool is_stopped(const struct pool *p) {
    return p->failed || budget_is_stopped(p->work->stop);
}

/* The next job's number, or -1 when there is none left. Called with the lock held. */
static int draw_job(struct pool *p) {
    while (!is_stopped(p) && p->next < p->work->jobs && p->next >= p->taken + p->window)
        pthread_cond_wait(&p->moved, &p->lock);
    if (is_stopped(p) || p->next >= p->work->jobs)
        return -1;
    return p->next++;
}

static void *slot(struct pool *p, int job) {
    return p->results + (size_t)(job % p->window) * p->work->result_size;
}

/* Takes the finished prefix. Called with the lock held; lets go of it while taking. */
static void take_finished(struct pool *p) {
    if (p->taking)
        return; /* another thread is at it and will see ours too */
    p->taking = true;
    while (p->taken < p->next && p->done[p->taken % p->window]) {
        const int job = p->taken;
        pthread_mutex_unlock(&p->lock);
        if (p->work->take != NULL)
            p->work->take(p->work->shared, job, slot(p, job));
        pthread_mutex_lock(&p->lock);
        p->done[job % p->window] = false;
        p->taken++;
        pthread_cond_broadcast(&p->moved);
    }
    p->taking = false;
}

static void *worker_main(void *argument) {
    struct pool *p = argument;
    struct err e;
    void *worker = p->work->begin != NULL ? p->work->begin(p->work->shared, &e) : p->work->shared;
    pthread_mutex_lock(&p->lock);
    if (worker == NULL && !p->failed) {
        p->failed = true;
        p->reason = e;
        pthread_cond_broadcast(&p->moved);
    }
    for (int job; worker != NULL && (job = draw_job(p)) >= 0;) {
        void *result = slot(p, job);
        pthread_mutex_unlock(&p->lock);
        memset(result, 0, p->work->result_size);
        p->work->run(p->work->shared, worker, job, result);
        pthread_mutex_lock(&p->lock);
        p->done[job % p->window] = true;
        take_finished(p);
    }
    pthread_cond_broadcast(&p->moved);
    pthread_mutex_unlock(&p->lock);
    if (worker != NULL && p->work->end != NULL)
        p->work->end(worker);
    return NULL;
}

static int run_threads(struct pool *p, int workers) {
    pthread_t threads[POOL_WORKERS_MAX];
    int started = 0;
    while (started < workers && pthread_create(&threads[started], NULL, worker_main, p) == 0)
        started++;
    if (started == 0)
        worker_main(p); /* no thread to be had: this one does it all */
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return p->taken;
}

int pool_run(const struct pool_work *work, struct err *e) {
    assert(work->result_size > 0);
    assert(work->begin != NULL || work->shared != NULL);
    int workers = work->workers < 1 ? 1 : work->workers > POOL_WORKERS_MAX ? POOL_WORKERS_MAX : work->workers;
    if (workers > work->jobs)
        workers = work->jobs > 0 ? work->jobs : 1;
    struct pool p = {.work = work, .window = workers * WINDOW_PER_WORKER};
    p.results = mem_alloc((size_t)p.window * work->result_size);
    p.done = mem_alloc((size_t)p.window * sizeof(bool));
    int taken = -1;
    if (p.results == NULL || p.done == NULL) {
        err_set(e, "not enough memory for %d workers", workers);
    } else {
        pthread_mutex_init(&p.lock, NULL);
        pthread_cond_init(&p.moved, NULL);
        taken = run_threads(&p, workers);
        pthread_cond_destroy(&p.moved);
        pthread_mutex_destroy(&p.lock);
    }
    mem_free(p.results);
    mem_free(p.done);
    if (p.failed) {
        err_set(e, "%s", p.reason.text);
        return -1;
    }
    return taken;
}
