/* SPDX-License-Identifier: MIT
 *
 * The pool's guarantees: every job once, results in order and independent of the number of workers, a clean
 * prefix when stopped. Assertions are made after the run, by the thread that started it: cmocka's do not work
 * elsewhere.
 */
#include "pool/pool.h"

#include "base/mem.h"
#include "base/numbers.h"
#include "config.h"
#include "tests/memory_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

enum { JOBS_MAX = 3000 };

/* A result larger than a word, so that a slot written too early or too late shows. */
struct result {
    uint64_t value[5];
    int job;
};

struct tracker {
    /* How to behave. */
    int stop_at;      /* `take` of this job sets `stop`; -1: never */
    int begin_fails;  /* the n-th begin (from 1) fails; 0: none */
    bool first_waits; /* job 0 waits until the others have come to a halt */
    int yields;       /* how unevenly jobs take their time */

    /* What happened. Plain members belong to `take` alone: a sanitizer sees when two run at once. */
    atomic_bool stop;
    atomic_int begun, ended, runs[JOBS_MAX], started, inside_take;
    atomic_bool overlapped, was_dirty, wrong_worker;
    int started_at_first; /* how many jobs had been started when job 0 was done */
    int taken;
    bool in_order;
    uint64_t digest;

    /* Plain members of `landed`, which runs one at a time with `take`. */
    int landings, landed_at_first; /* how many had landed before job 0 did */
    int wait_for_landings;         /* job 0 takes until so many have landed; 0: no such thing */
    atomic_int landed_so_far;
    bool has_landed[JOBS_MAX], landed_twice, taken_first;
};

static void nap(long microseconds) {
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

static void *begin(void *shared, struct err *e) {
    struct tracker *t = shared;
    const int number = 1 + atomic_fetch_add(&t->begun, 1);
    if (number == t->begin_fails) {
        atomic_fetch_sub(&t->begun, 1);
        err_set(e, "worker %d has no tools", number);
        return NULL;
    }
    return &t->ended; /* any pointer: `end` and `run` must get this one back */
}

static void end(void *worker) {
    atomic_fetch_add((atomic_int *)worker, 1);
}

/* Waits until no job has started for a while. */
static void wait_for_halt(struct tracker *t) {
    int last = -1;
    for (int quiet = 0; quiet < 20; quiet++) {
        const int now = atomic_load(&t->started);
        if (now != last)
            quiet = 0;
        last = now;
        nap(2000);
    }
}

static void run(void *shared, void *worker, int job, void *out) {
    struct tracker *t = shared;
    static const struct result zero;
    struct result *result = out;
    if (memcmp(result, &zero, sizeof zero) != 0)
        atomic_store(&t->was_dirty, true);
    if (worker != &t->ended)
        atomic_store(&t->wrong_worker, true);
    atomic_fetch_add(&t->started, 1);
    atomic_fetch_add(&t->runs[job], 1);
    struct rng r;
    rng_seed_stream(&r, 99, (uint64_t)job);
    if (t->yields > 0 && rng_below(&r, (uint32_t)t->yields) == 0)
        nap(200);
    if (t->first_waits && job == 0) {
        wait_for_halt(t);
        t->started_at_first = atomic_load(&t->started);
    }
    if (job == 0)
        for (int i = 0; i < 10000 && atomic_load(&t->landed_so_far) < t->wait_for_landings; i++)
            nap(2000);
    result->job = job;
    for (int i = 0; i < 5; i++)
        result->value[i] = rng_next(&r);
}

static void landed(void *shared, int job, void *in) {
    struct tracker *t = shared;
    struct result *result = in;
    if (atomic_fetch_add(&t->inside_take, 1) != 0)
        atomic_store(&t->overlapped, true);
    t->landed_twice = t->landed_twice || t->has_landed[job] || result->job != job;
    t->has_landed[job] = true;
    if (job == 0)
        t->landed_at_first = t->landings;
    t->landings++;
    result->value[0] += 1; /* `take` is handed the same result */
    atomic_fetch_add(&t->landed_so_far, 1);
    atomic_fetch_sub(&t->inside_take, 1);
}

static void take(void *shared, int job, void *in) {
    struct tracker *t = shared;
    const struct result *result = in;
    if (atomic_fetch_add(&t->inside_take, 1) != 0)
        atomic_store(&t->overlapped, true);
    t->in_order = t->in_order && job == t->taken && result->job == job;
    t->taken_first = t->taken_first || !t->has_landed[job];
    t->taken++;
    for (int i = 0; i < 5; i++)
        t->digest = rng_mix(t->digest + result->value[i]);
    if (job == t->stop_at)
        atomic_store(&t->stop, true);
    atomic_fetch_sub(&t->inside_take, 1);
}

static struct tracker tracker;

static struct tracker *new_tracker(void) {
    memset(&tracker, 0, sizeof tracker);
    tracker.stop_at = -1;
    tracker.in_order = true;
    return &tracker;
}

static int run_pool(struct tracker *t, int jobs, int workers, struct err *e) {
    const struct pool_work work = {.jobs = jobs,
                                   .workers = workers,
                                   .shared = t,
                                   .result_size = sizeof(struct result),
                                   .begin = begin,
                                   .end = end,
                                   .run = run,
                                   .take = take,
                                   .stop = &t->stop};
    return pool_run(&work, e);
}

/* What holds after every run: a prefix of `count` jobs was run once each and taken in order, nothing else
 * was. */
static void assert_clean(const struct tracker *t, int count) {
    assert_int_equal(t->taken, count);
    assert_true(t->in_order);
    for (int job = 0; job < JOBS_MAX; job++)
        assert_int_equal(atomic_load(&t->runs[job]), job < count);
    assert_false(atomic_load(&t->overlapped));
    assert_false(atomic_load(&t->was_dirty));
    assert_false(atomic_load(&t->wrong_worker));
    assert_int_equal(atomic_load(&t->begun), atomic_load(&t->ended));
}

static void results_do_not_depend_on_workers(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (int workers = 1; workers <= 16; workers++) {
        struct err e = {0};
        struct tracker *t = new_tracker();
        t->yields = 6;
        assert_int_equal(run_pool(t, 300, workers, &e), 300);
        assert_clean(t, 300);
        assert_in_range(atomic_load(&t->begun), 1, workers);
        if (workers == 1)
            digest = t->digest;
        assert_true(t->digest == digest);
    }
}

/* Without delays the workers meet at the lock all the time. */
static void fast_jobs_are_each_done_once(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct err e = {0};
        struct tracker *t = new_tracker();
        assert_int_equal(run_pool(t, JOBS_MAX, 2 + round % 7, &e), JOBS_MAX);
        assert_clean(t, JOBS_MAX);
    }
}

static void few_jobs_and_strange_worker_counts(void **state) {
    (void)state;
    static const struct {
        int jobs, workers, begun_max;
    } cases[] = {
        {0, 1, 1},  {0, 8, 1}, {1, 1, 1},  {1, 16, 1},
        {3, 16, 3}, {5, 0, 1}, {5, -3, 1}, {600, 100000, POOL_WORKERS_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {0};
        struct tracker *t = new_tracker();
        assert_int_equal(run_pool(t, cases[i].jobs, cases[i].workers, &e), cases[i].jobs);
        assert_clean(t, cases[i].jobs);
        assert_in_range(atomic_load(&t->begun), 1, cases[i].begun_max);
    }
}

/* The others go on while job 0 takes long, but not without end: their results would fill the memory. */
static void a_slow_first_job_bounds_the_rest(void **state) {
    (void)state;
    for (int workers = 2; workers <= 8; workers *= 2) {
        struct err e = {0};
        struct tracker *t = new_tracker();
        t->first_waits = true;
        assert_int_equal(run_pool(t, JOBS_MAX, workers, &e), JOBS_MAX);
        assert_clean(t, JOBS_MAX);
        assert_in_range(t->started_at_first, workers, 16 * workers);
    }
}

static void a_stop_leaves_a_prefix(void **state) {
    (void)state;
    for (int workers = 1; workers <= 8; workers++) {
        struct err e = {0};
        struct tracker *t = new_tracker();
        t->stop_at = 40;
        t->yields = 4;
        const int done = run_pool(t, JOBS_MAX, workers, &e);
        assert_in_range(done, 41, 41 + 16 * workers); /* running jobs are finished and taken */
        assert_clean(t, done);
        if (workers == 1)
            assert_int_equal(done, 41);
    }
}

static void a_stop_before_the_start_does_nothing(void **state) {
    (void)state;
    struct err e = {0};
    struct tracker *t = new_tracker();
    atomic_store(&t->stop, true);
    assert_int_equal(run_pool(t, 50, 4, &e), 0);
    assert_clean(t, 0);
}

static void no_stop_is_needed(void **state) {
    (void)state;
    struct err e = {0};
    struct tracker *t = new_tracker();
    const struct pool_work work = {.jobs = 10,
                                   .workers = 2,
                                   .shared = t,
                                   .result_size = sizeof(struct result),
                                   .begin = begin,
                                   .end = end,
                                   .run = run,
                                   .take = take};
    assert_int_equal(pool_run(&work, &e), 10);
    assert_clean(t, 10);
}

/* Results from before the failure are still taken, so that they can be freed. */
static void a_worker_that_cannot_begin_is_an_error(void **state) {
    (void)state;
    for (int workers = 1; workers <= 6; workers++) {
        for (int failing = 1; failing <= workers; failing++) {
            struct err e = {0};
            struct tracker *t = new_tracker();
            char expected[80];
            t->begin_fails = failing;
            assert_int_equal(run_pool(t, JOBS_MAX, workers, &e), -1);
            snprintf(expected, sizeof expected, "worker %d has no tools", failing);
            assert_string_equal(e.text, expected);
            assert_clean(t, workers == 1 ? 0 : t->taken);
        }
    }
}

static struct pool_work landing_work(struct tracker *t, int jobs, int workers) {
    return (struct pool_work){.jobs = jobs,
                              .workers = workers,
                              .shared = t,
                              .result_size = sizeof(struct result),
                              .begin = begin,
                              .end = end,
                              .run = run,
                              .landed = landed,
                              .take = take,
                              .stop = &t->stop};
}

static void results_land_once_and_are_taken_later(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (int workers = 1; workers <= 8; workers++) {
        struct err e = {0};
        struct tracker *t = new_tracker();
        t->yields = 5;
        const struct pool_work work = landing_work(t, 400, workers);
        assert_int_equal(pool_run(&work, &e), 400);
        assert_clean(t, 400);
        assert_int_equal(t->landings, 400);
        assert_false(t->landed_twice);
        assert_false(t->taken_first);
        digest = workers == 1 ? t->digest : digest;
        assert_true(t->digest == digest);
    }
}

/* Job 0 is not over until others have landed: they land before it, though it will be taken first. */
static void results_land_as_soon_as_they_are_done(void **state) {
    (void)state;
    struct err e = {0};
    struct tracker *t = new_tracker();
    t->wait_for_landings = 3;
    const struct pool_work work = landing_work(t, 100, 2);
    assert_int_equal(pool_run(&work, &e), 100);
    assert_clean(t, 100);
    assert_in_range(t->landed_at_first, 3, 2 * 16);
}

/* When no result is to be taken no worker waits for a slow job, however long it takes. */
static void without_taking_no_worker_waits(void **state) {
    (void)state;
    for (int workers = 2; workers <= 4; workers++) {
        struct err e = {0};
        struct tracker *t = new_tracker();
        t->wait_for_landings = JOBS_MAX - 1;
        struct pool_work work = landing_work(t, JOBS_MAX, workers);
        work.take = NULL;
        assert_int_equal(pool_run(&work, &e), JOBS_MAX);
        assert_int_equal(t->landings, JOBS_MAX);
        assert_int_equal(t->landed_at_first, JOBS_MAX - 1);
        assert_false(t->landed_twice);
        assert_false(atomic_load(&t->overlapped));
        assert_false(atomic_load(&t->was_dirty));
    }
}

static void what_has_landed_is_taken_after_a_stop(void **state) {
    (void)state;
    for (int workers = 1; workers <= 4; workers++) {
        struct err e = {0};
        struct tracker *t = new_tracker();
        t->stop_at = 40;
        const struct pool_work work = landing_work(t, JOBS_MAX, workers);
        const int done = pool_run(&work, &e);
        assert_in_range(done, 41, 41 + 16 * workers);
        assert_clean(t, done);
        assert_int_equal(t->landings, done);
    }
}

static void without_mpi_there_is_no_cluster(void **state) {
    (void)state;
#ifdef SENJUTSU_MPI
    assert_true(cluster_is_built()); /* cluster_test.c sees to the rest */
#else
    assert_false(cluster_is_built());
    struct err e = {0};
    assert_null(cluster_open(&e));
    assert_non_null(strstr(e.text, "was built without MPI"));
#endif
    cluster_close(NULL);
}

static void lack_of_memory_is_an_error(void **state) {
    (void)state;
    struct tracker *t = new_tracker();
    struct err e = {0};
    mem_fail_at(1);
    const int done = run_pool(t, 5, 1, &e);
    mem_fail_at(0);
    assert_int_equal(done, -1);
    assert_string_equal(e.text, "not enough memory");
    assert_clean(t, 0);
}

static void allocate_without_memory(void *shared, void *worker, int job, void *result) {
    (void)shared, (void)worker, (void)result;
    if (job == 3)
        mem_exhausted();
}

static void run_without_memory(void *context) {
    struct err e = {0};
    struct pool_work work = {
        .jobs = 8, .workers = 2, .shared = context, .result_size = 1, .run = allocate_without_memory};
    assert_int_equal(pool_run(&work, &e), -1);
    assert_string_equal(e.text, "not enough memory");
}

/* On a thread of the pool, in a call that turns exhausted memory into an error. */
static void a_job_without_memory_fails_the_run(void **state) {
    (void)state;
    assert_false(memory_runs_out(1000, run_without_memory, &(int){0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_do_not_depend_on_workers),
        cmocka_unit_test(fast_jobs_are_each_done_once),
        cmocka_unit_test(few_jobs_and_strange_worker_counts),
        cmocka_unit_test(a_slow_first_job_bounds_the_rest),
        cmocka_unit_test(a_stop_leaves_a_prefix),
        cmocka_unit_test(a_stop_before_the_start_does_nothing),
        cmocka_unit_test(no_stop_is_needed),
        cmocka_unit_test(a_worker_that_cannot_begin_is_an_error),
        cmocka_unit_test(results_land_once_and_are_taken_later),
        cmocka_unit_test(results_land_as_soon_as_they_are_done),
        cmocka_unit_test(without_taking_no_worker_waits),
        cmocka_unit_test(what_has_landed_is_taken_after_a_stop),
        cmocka_unit_test(without_mpi_there_is_no_cluster),
        cmocka_unit_test(lack_of_memory_is_an_error),
        cmocka_unit_test(a_job_without_memory_fails_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
