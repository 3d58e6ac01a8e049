/* SPDX-License-Identifier: MIT
 *
 * Private to src/serve/job*.c: the kinds of jobs. A kind knows what its params mean and how to do the work.
 */
#ifndef SERVE_JOB_KIND_H
#define SERVE_JOB_KIND_H

#include "serve/inside.h"

enum { JOB_TITLE_MAX = 200, JOB_SEED_USUAL = 1 };

enum job_outcome { JOB_IS_DONE, JOB_WAS_STOPPED, JOB_HAS_FAILED };

struct job_run;

/* What follows from the params of a request. */
struct job_draft {
    char title[JOB_TITLE_MAX];
    int total;    /* of progress, as far as it can be known before; negative: not known */
    json_t *work; /* for work.json; new */
};

struct job_kind {
    const char *name, *unit; /* of progress */
    bool has_games;
    /* Is everything right? Otherwise the answer is in `failure`. */
    bool (*draft)(struct workbench *bench, const json_t *params, struct job_draft *out,
                  struct message_out *failure);
    /* Without the lock, on the job's own thread. */
    enum job_outcome (*run)(struct job_run *run, struct err *e);
};

extern const struct job_kind job_match, job_tournament, job_judge, job_evolve, job_repro;

#endif
