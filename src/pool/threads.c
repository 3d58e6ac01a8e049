/* SPDX-License-Identifier: MIT
 *
 * The pool on threads. Workers draw the next job number under one lock; one of them at a time hands over what
 * is done, landings first, while the others work on. There are a few places for results for each worker: when
 * all are in use a worker waits, so memory stays bounded, and a stop leaves a clean prefix.
 */
#include "pool/pool.h"

#include "base/clock.h"
#include "base/mem.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { WINDOW_PER_WORKER = 4 };

/* Room for one job's result, from when it is drawn until it is handed over. */
struct place {
    int job;
    unsigned char *result;
    struct place *next; /* in the list it is in */
};

/* All fields but `work` and `window` are protected by the lock. */
struct pool {
    const struct pool_work *work;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* a place became free, or all is over */
    int next, taken, window;
    bool handing, failed;
    bool catches; /* exhausted memory fails the run (base/mem.h) instead of ending the program */
    struct err reason;
    struct place *unused;            /* those without a job */
    struct place *done, **done_last; /* finished jobs that have not landed yet, in the order they ended */
    struct place **landed;           /* that of job i at i % window, when it waits to be taken */
};

/* After a failure no further job is begun. */
static bool is_stopped(const struct pool *p) {
    return p->failed || budget_is_stopped(p->work->stop);
}

/* A place with the next job, or NULL when none is left. The caller holds the lock. */
static struct place *draw_job(struct pool *p) {
    while (!is_stopped(p) && p->next < p->work->jobs && p->unused == NULL)
        pthread_cond_wait(&p->moved, &p->lock);
    if (is_stopped(p) || p->next >= p->work->jobs)
        return NULL;
    struct place *place = p->unused;
    p->unused = place->next;
    place->next = NULL;
    place->job = p->next++;
    return place;
}

/* Its job is handed over. */
static void give_back(struct pool *p, struct place *place) {
    place->next = p->unused;
    p->unused = place;
    p->taken++;
    pthread_cond_broadcast(&p->moved);
}

/* Called with the lock held, which is let go meanwhile. */
static void call(struct pool *p, void (*function)(void *, int, void *), struct place *place) {
    if (function == NULL)
        return;
    pthread_mutex_unlock(&p->lock);
    function(p->work->shared, place->job, place->result);
    pthread_mutex_lock(&p->lock);
}

/* Hands over all that can be. A result that is done must not wait for others to be taken: landings come
 * first, also those that come in meanwhile. */
static void hand_over(struct pool *p) {
    if (p->handing)
        return; /* another thread hands over, and finds ours too */
    p->handing = true;
    for (struct place *place;;) {
        struct place **turn = &p->landed[p->taken % p->window];
        if (p->done != NULL) {
            place = p->done;
            p->done = place->next;
            if (p->done == NULL)
                p->done_last = &p->done;
            place->next = NULL;
            call(p, p->work->landed, place);
            if (p->work->take == NULL)
                give_back(p, place);
            else
                p->landed[place->job % p->window] = place;
        } else if ((place = *turn) != NULL) {
            *turn = NULL;
            call(p, p->work->take, place);
            give_back(p, place);
        } else {
            break;
        }
    }
    p->handing = false;
}

/* Wakes the workers that wait for a place. */
static void fail_run(struct pool *p, const char *reason) {
    if (!p->failed)
        err_set(&p->reason, "%s", reason);
    p->failed = true;
    pthread_cond_broadcast(&p->moved);
}

/* The life of a worker. `worker` is the caller's, so that it is ended also after an escape. */
static void do_jobs(struct pool *p, void *volatile *worker) {
    const struct pool_work *work = p->work;
    struct err e;
    *worker = work->begin != NULL ? work->begin(work->shared, &e) : work->shared;
    pthread_mutex_lock(&p->lock);
    if (*worker == NULL)
        fail_run(p, e.text);
    for (struct place *place; *worker != NULL && (place = draw_job(p)) != NULL;) {
        pthread_mutex_unlock(&p->lock);
        memset(place->result, 0, work->result_size);
        work->run(work->shared, *worker, place->job, place->result);
        pthread_mutex_lock(&p->lock);
        *p->done_last = place;
        p->done_last = &place->next;
        hand_over(p);
    }
    pthread_cond_broadcast(&p->moved);
    pthread_mutex_unlock(&p->lock);
}

/* No function of the work is called with the lock held, so an escape never holds it. */
static void *worker_main(void *argument) {
    struct pool *p = argument;
    struct mem_scope scope;
    void *volatile worker = NULL;
    if (p->catches)
        mem_scope_begin(&scope, MEM_LEAVES);
    if (p->catches && setjmp(scope.escape) != 0) {
        pthread_mutex_lock(&p->lock);
        fail_run(p, "not enough memory");
        pthread_mutex_unlock(&p->lock);
    } else {
        do_jobs(p, &worker);
        if (p->catches)
            mem_scope_end(&scope);
    }
    if (worker != NULL && p->work->end != NULL)
        p->work->end(worker);
    return NULL;
}

/* The places, their results and the list of those that have landed, in one block; NULL without memory. */
static void *make_places(struct pool *p) {
    const size_t window = (size_t)p->window, size = (p->work->result_size + 15) / 16 * 16;
    struct place *places =
        mem_try_alloc(window * (size + sizeof *places + sizeof *p->landed) + _Alignof(max_align_t));
    if (places == NULL)
        return NULL;
    p->landed = (struct place **)(places + window);
    unsigned char *results = (unsigned char *)(p->landed + window);
    results += -(uintptr_t)results % _Alignof(max_align_t);
    for (size_t i = window; i-- > 0;) {
        places[i] = (struct place){.result = results + i * size, .next = p->unused};
        p->unused = &places[i];
    }
    p->done_last = &p->done;
    return places;
}

/* More workers than jobs would only wait. A single one needs no thread: work inside a job of another pool
 * then counts as processor time of that job. */
static int run_here(const struct pool_work *work, struct err *e) {
    int workers = work->workers < 1 ? 1 : work->workers > POOL_WORKERS_MAX ? POOL_WORKERS_MAX : work->workers;
    if (workers > work->jobs)
        workers = work->jobs > 0 ? work->jobs : 1;
    struct pool p = {.work = work, .window = workers * WINDOW_PER_WORKER, .catches = mem_scope_is_open()};
    void *places = make_places(&p);
    if (places == NULL) {
        err_set(e, "not enough memory");
        return -1;
    }
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.moved, NULL);
    pthread_t threads[POOL_WORKERS_MAX];
    int started = 0;
    while (workers > 1 && started < workers && pthread_create(&threads[started], NULL, worker_main, &p) == 0)
        started++;
    if (started == 0)
        worker_main(&p); /* also where no thread can be started */
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&p.moved);
    pthread_mutex_destroy(&p.lock);
    mem_free(places);
    if (p.failed) {
        err_set(e, "%s", p.reason.text);
        return -1;
    }
    return p.taken;
}

/* A cluster of one rank has no other rank to hand jobs to, so it uses threads. */
int pool_run(const struct pool_work *work, struct err *e) {
    assert(work->result_size > 0);
    assert(work->begin != NULL || work->shared != NULL);
    if (work->cluster != NULL && cluster_size(work->cluster) > 1)
        return cluster_run(work, e);
    return run_here(work, e);
}
