/* SPDX-License-Identifier: MIT
 *
 * The pool on threads. Workers draw the next job number under one lock; one of them at a time hands over what
 * is done, landings first, while the others work on. There are a few places for results for each worker: when
 * all are in use a worker waits, so memory stays bounded, and a stop leaves a clean prefix.
 */
#include "pool/pool.h"

#include "base/budget.h"
#include "base/mem.h"
#include "pool/message.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { WINDOW_PER_WORKER = 4 };

/* Room for one job's result, from when it is drawn until it is handed over. */
struct place {
    int job;
    unsigned char *result;
    struct place *next; /* in the list it is in */
};

struct pool {
    const struct pool_work *work;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* a place became free, or all is over */
    int next, taken, window;
    bool handing, failed;
    struct err reason;
    unsigned char *results;
    struct place *places;            /* `window` of them */
    struct place *unused;            /* those without a job */
    struct place *done, **done_last; /* finished jobs that have not landed yet, in the order they ended */
    struct place **landed;           /* that of job i at i % window, when it waits to be taken */
};

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

static void add_done(struct pool *p, struct place *place) {
    *p->done_last = place;
    p->done_last = &place->next;
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

static void land_next(struct pool *p) {
    struct place *place = p->done;
    p->done = place->next;
    if (p->done == NULL)
        p->done_last = &p->done;
    place->next = NULL;
    call(p, p->work->landed, place);
    if (p->work->take == NULL)
        give_back(p, place);
    else
        p->landed[place->job % p->window] = place;
}

static void take_next(struct pool *p) {
    struct place *place = p->landed[p->taken % p->window];
    p->landed[p->taken % p->window] = NULL;
    call(p, p->work->take, place);
    give_back(p, place);
}

/* Hands over all that can be. A result that is done must not wait for others to be taken: landings come
 * first, also those that come in meanwhile. */
static void hand_over(struct pool *p) {
    if (p->handing)
        return; /* another thread is at it and will see ours too */
    p->handing = true;
    for (;;) {
        if (p->done != NULL)
            land_next(p);
        else if (p->landed[p->taken % p->window] != NULL)
            take_next(p);
        else
            break;
    }
    p->handing = false;
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
    for (struct place *place; worker != NULL && (place = draw_job(p)) != NULL;) {
        pthread_mutex_unlock(&p->lock);
        memset(place->result, 0, p->work->result_size);
        p->work->run(p->work->shared, worker, place->job, place->result);
        pthread_mutex_lock(&p->lock);
        add_done(p, place);
        hand_over(p);
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

static bool make_places(struct pool *p) {
    p->results = mem_alloc((size_t)p->window * p->work->result_size);
    p->places = mem_alloc((size_t)p->window * sizeof *p->places);
    p->landed = mem_alloc((size_t)p->window * sizeof *p->landed);
    if (p->results == NULL || p->places == NULL || p->landed == NULL)
        return false;
    for (int i = p->window - 1; i >= 0; i--) {
        p->places[i] =
            (struct place){.result = p->results + (size_t)i * p->work->result_size, .next = p->unused};
        p->unused = &p->places[i];
    }
    p->done_last = &p->done;
    return true;
}

static int run_here(const struct pool_work *work, struct err *e) {
    int workers = work->workers < 1 ? 1 : work->workers > POOL_WORKERS_MAX ? POOL_WORKERS_MAX : work->workers;
    if (workers > work->jobs)
        workers = work->jobs > 0 ? work->jobs : 1;
    struct pool p = {.work = work, .window = workers * WINDOW_PER_WORKER};
    int taken = -1;
    if (!make_places(&p)) {
        err_set(e, "not enough memory for %d workers", workers);
    } else {
        pthread_mutex_init(&p.lock, NULL);
        pthread_cond_init(&p.moved, NULL);
        taken = run_threads(&p, workers);
        pthread_cond_destroy(&p.moved);
        pthread_mutex_destroy(&p.lock);
    }
    mem_free(p.results);
    mem_free(p.places);
    mem_free(p.landed);
    if (p.failed) {
        err_set(e, "%s", p.reason.text);
        return -1;
    }
    return taken;
}

int pool_run(const struct pool_work *work, struct err *e) {
    assert(work->result_size > 0);
    assert(work->begin != NULL || work->shared != NULL);
    if (work->cluster != NULL && cluster_size(work->cluster) > 1)
        return ranks_run(work, e);
    return run_here(work, e);
}
