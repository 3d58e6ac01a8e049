/* SPDX-License-Identifier: MIT
 *
 * Private to src/serve/job*.c: jobs, which are long runs in the background. A job is a match, a tournament, a
 * map's judgement, an evolution of maps, or a published experiment.
 *
 *     jobs.c                    jobs, the list of all, and requests under /api/jobs
 *     job_event.c, job_kinds.c  the kinds of jobs
 *
 * The workbench's lock guards all members of struct job and struct jobs, except where a comment says
 * otherwise.
 */
#ifndef SERVE_JOB_H
#define SERVE_JOB_H

#include "serve/inside.h"

enum {
    JOB_FILE_MAX = 64 << 20, /* bytes of job.json, work.json or result.json */
    JOB_FILES_MAX = 512,     /* files for the page */
    JOB_SEED_DEFAULT = 1,
};

/* Jobs in the list; those that run at once; bytes of texts. */
enum { JOBS_MAX = 200, JOBS_RUNNING_MAX = 2 };
enum { JOB_TITLE_MAX = 200, JOB_NOTE_MAX = 80, JOB_SUMMARY_MAX = 512, JOB_DATE_MAX = 64 };

/* ---- types ---- */

/* A job is made queued. Its thread makes it running, then done, failed or cancelled. Requests stop it, resume
 * it (a cancelled or failed job is queued again) and remove it. A job that runs when the program ends, in
 * whatever way, is queued again at the next start:
 *
 *     queued  --> running, cancelled
 *     running --> done, failed, cancelled
 *     failed, cancelled --> queued
 */
enum job_state {
    JOB_QUEUED,
    JOB_RUNNING,
    JOB_DONE,
    JOB_FAILED,
    JOB_CANCELLED,
    JOB_REMOVED, /* not shown any more; its folder is removed when its thread has ended */
    JOB_STATES,
};

struct job_run;
struct job_games;

struct job_kind {
    const char *name, *unit; /* the unit of progress */
    bool has_games;
    /* Checks the params of a new job, fills in its title and, if it is known before the start, the total of
     * its progress. Returns the work for work.json, a new value; NULL after a refusal. */
    json_t *(*draft)(struct job *job, struct message_out *failure);
    /* Does the work, without the lock, on the job's own thread. *complete, which is false before, stays false
     * after a stop. False and a reason when it has failed. */
    bool (*run)(struct job_run *run, bool *complete, struct err *e);
};

extern const struct job_kind job_match, job_tournament, job_judge, job_evolve, job_repro;

struct job_progress {
    int done, total; /* a negative total: not known */
    char note[JOB_NOTE_MAX];
    double seconds, left; /* seconds: worked in all runs; left: estimated, negative: not known */
    int64_t at_ns;        /* when `seconds` was measured, while a thread works on it */
};

struct job {
    struct jobs *jobs;
    char id[SERVE_ID_MAX];
    const struct job_kind *kind;
    int number; /* jobs are started in this order */
    json_t *params;
    enum job_state state;
    char title[JOB_TITLE_MAX], created[JOB_DATE_MAX], finished[JOB_DATE_MAX];
    char error[ERR_TEXT_MAX], summary[JOB_SUMMARY_MAX];
    char summary_messages[JOB_SUMMARY_MAX]; /* the summary as data: a JSON array of messages, or "" */
    struct job_progress progress;
    struct text result;      /* JSON on one line; empty: none */
    bool result_was_read;    /* from the folder, or a newer one is in memory */
    bool is_busy;            /* a thread works on it */
    struct topic *topic;     /* NULL until the first reader comes */
    struct job_games *games; /* NULL until they are first needed; then they stay until the job is freed */
    atomic_bool stop;        /* not guarded by the lock */
};

struct jobs {
    struct workbench *bench;
    int count;
    struct job *items[JOBS_MAX]; /* by number */
    int running;
    struct topic *list;
};

/* One run of a job: from the start of its thread to its end. Belongs to that thread. */
struct job_run {
    struct workbench *bench;
    struct job *job;
    json_t *params, *work; /* owned */
    char files[SERVE_PATH_MAX];
    int64_t start_ns, published_ns, saved_ns, grown_ns;
    int64_t growth_ns;     /* how long the last result took to make */
    double seconds_before; /* of earlier runs */
    struct job_progress progress;
    bool has_result;
};

/* ---- jobs.c: running; called on the job's own thread, without the lock ---- */

struct job_step {
    int done, total; /* a negative total: not known */
    int here;        /* how many of `done` were done in this run, not found in the store */
    const char *note;
};

/* Publishes progress, at most four times a second. Calls in between only note the numbers; the end of the run
 * publishes the last ones in any case. */
void job_report_progress(struct job_run *run, const struct job_step *step);

/* Should a new intermediate result be made? At most once a second. A result that takes long to make is due
 * less often, so that the work itself gets most of the time. */
bool job_result_is_due(struct job_run *run);

/* Publishes the result so far and takes ownership of it. NULL keeps the previous one. */
void job_publish_result(struct job_run *run, json_t *result);

/* Sets the one-sentence summary of the result; `messages`, which is dropped, is the same as data (an array),
 * or NULL. */
void job_summarize(struct job_run *run, const char *sentence, json_t *messages);
double job_seconds(const struct job_run *run); /* in all runs */

/* ---- jobs.c: a job's folder, data/jobs/ID ----
 *
 *     job.json     the job and its progress, written at every change of state
 *     work.json    all inputs of the work, so that later changes of saved maps do not matter; and a copy of
 *                  job.json from when the job was created
 *     result.json  the result so far
 *     games.db     its store, if it has one
 *     files/       files that the page may fetch
 */

/* "DATA/jobs/ID/name". The name "" gives the folder itself. A name from a request must be one that the job's
 * list of files has. */
bool job_path(const struct job *job, const char *name, char out[SERVE_PATH_MAX], struct err *e);

/* The "work" of work.json, as the kind's draft made it: a new value, or NULL and a reason. Needs no lock,
 * because the file never changes after the job was made. */
json_t *job_read_work(const struct job *job, struct err *e);

/* The newest finished run of a published experiment, {"job": id, "finished": date, "summary": sentence}, a
 * new value; NULL: there is none. With the lock held. */
json_t *jobs_last_result(struct workbench *bench, const char *experiment);

/* ---- job_event.c: the games of a match or tournament ---- */

/* Frees the job's list of games; NULL is allowed. */
void job_games_close(struct job_games *games);

/* Requests for the list of games, one game, and its record. */
serve_handler job_get_games, job_get_game, job_get_record;

#endif
