/* SPDX-License-Identifier: MIT
 *
 * Private to src/serve/job*.c: a job, and all of them. All of struct job is guarded by the workbench's lock,
 * but for what says otherwise.
 */
#ifndef SERVE_JOB_H
#define SERVE_JOB_H

#include "serve/job_kind.h"

#include "net/topic.h"

#include <stdatomic.h>

enum {
    JOBS_MAX = 200,
    JOBS_RUNNING_MAX = 2,
    JOB_NOTE_MAX = 80,
    JOB_SUMMARY_MAX = 512,
    JOB_DATE_MAX = 64,
};

enum job_state {
    JOB_QUEUED,
    JOB_RUNNING,
    JOB_DONE,
    JOB_FAILED,
    JOB_CANCELLED,
    JOB_REMOVED, /* nobody sees it any more; its folder goes once nobody works in it */
    JOB_STATES,
};

struct job_progress {
    int done, total; /* a negative total: not known */
    char note[JOB_NOTE_MAX];
    double seconds, left; /* worked so far, in all runs; a negative number left: not known */
    int64_t at_ns;        /* when that was so, while a thread works on it */
};

struct job_games; /* job_games.h */

struct job {
    struct jobs *jobs;
    char id[SERVE_ID_MAX];
    const struct job_kind *kind;
    int number; /* they are begun in this order */
    json_t *params;
    enum job_state state;
    char title[JOB_TITLE_MAX], created[JOB_DATE_MAX], finished[JOB_DATE_MAX];
    char error[ERR_TEXT_MAX], summary[JOB_SUMMARY_MAX];
    struct job_progress progress;
    struct text result;      /* JSON on one line; empty: there is none */
    bool result_was_read;    /* from the folder, or there is a newer one */
    bool is_busy;            /* a thread works on it */
    struct topic *topic;     /* NULL until somebody listens */
    struct job_games *games; /* NULL until somebody asks; then it stays */
    atomic_bool stop;        /* not guarded */
};

struct jobs {
    struct workbench *bench;
    int count;
    struct job *items[JOBS_MAX]; /* by number */
    int running;
    bool closing;
    struct topic *list;
};

/* ---- jobs.c ---- */

/* NULL after a 404. */
struct job *jobs_find(struct jobs *jobs, const char *id, struct message_out *out);

/* Begins what waits and may begin. */
void jobs_pump(struct jobs *jobs);

/* Takes it out of the list and drops it; nobody works on it. */
void jobs_drop(struct job *job);

#endif
