/* SPDX-License-Identifier: MIT
 *
 * A job under way, and what it tells. Private to src/serve/job*.c.
 */
#ifndef SERVE_JOB_RUN_H
#define SERVE_JOB_RUN_H

#include "serve/job.h"

struct job_step {
    int done, total; /* a negative total: not known */
    int here;        /* of those done: in this run, not found in the store */
    const char *note;
};

struct job_run {
    struct workbench *bench;
    struct job *job;
    json_t *params, *work; /* its own */
    char folder[SERVE_PATH_MAX], files[SERVE_PATH_MAX];
    atomic_bool *stop;
    int64_t start_ns, told_ns, saved_ns, grown_ns, growth_ns; /* growth: what the last one took */
    double seconds_before;
    struct job_progress progress;
    bool has_result;
};

/* With the lock; false when no thread can be had at the moment. */
bool job_start(struct job *job, struct err *e);

/* The rest is for the job's own threads, one at a time and without the lock. Told at most four times a
 * second. */
void job_step(struct job_run *run, const struct job_step *step);

/* Is it worth while to make a new result, a second or more after the last one? */
bool job_may_grow(struct job_run *run);

/* The result so far, which is taken over; NULL (memory ran out) leaves the one before. */
void job_grow(struct job_run *run, json_t *result);

/* One sentence about the result. */
void job_summarize(struct job_run *run, const char *sentence);
double job_seconds(const struct job_run *run); /* in all runs */

#endif
