/* SPDX-License-Identifier: MIT
 *
 * Private to src/serve/job*.c: jobs, their kinds, and what a job under way tells. A job has a folder
 * data/jobs/ID with
 *
 *     job.json     what it is and how far, written at every change of state
 *     work.json    what it works on, whole: later changes of saved maps do not matter
 *     result.json  the result, as far as it is known
 *     games.db     its store, if it has one
 *     files/       what the page may fetch
 *
 * All of struct job is guarded by the workbench's lock, but for what says otherwise.
 */
#ifndef SERVE_JOB_H
#define SERVE_JOB_H

#include "serve/inside.h"

#include "net/topic.h"

#include <stdatomic.h>

enum {
    JOBS_MAX = 200,
    JOBS_RUNNING_MAX = 2,
    JOB_TITLE_MAX = 200,
    JOB_NOTE_MAX = 80,
    JOB_SUMMARY_MAX = 512,
    JOB_DATE_MAX = 64,
    JOB_SEED_USUAL = 1,
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

enum job_outcome { JOB_IS_DONE, JOB_WAS_STOPPED, JOB_HAS_FAILED };

struct job_run;

/* What follows from the params of a request. */
struct job_draft {
    char title[JOB_TITLE_MAX];
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

struct job_progress {
    int done, total; /* a negative total: not known */
    char note[JOB_NOTE_MAX];
    double seconds, left; /* worked so far, in all runs; a negative number left: not known */
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

/* ---- job_show.c: as JSON, and to those who listen ---- */

const char *job_state_name(enum job_state state);
json_t *job_info_json(const struct job *job);
json_t *jobs_list_json(const struct jobs *jobs); /* newest first */

/* The whole of it on one line; reads the result when it has not been read yet. */
void job_write(struct job *job, struct text *out);

/* Something has changed but for progress: to who listens to it, and (its state) to who listens to the list.
 */
void job_tell(struct job *job);
void jobs_tell(struct jobs *jobs);
void job_tell_progress(struct job *job);

/* The stream ends: it is done, or removed. */
void job_tell_end(struct job *job);

/* Somebody wants to listen: a held topic that begins with a whole picture; NULL when memory ran out. */
struct topic *job_listen(struct job *job);

/* ---- job_store.c: its folder ---- */

enum { JOB_FILE_MAX = 64 << 20, JOB_FILES_MAX = 512 };

const struct job_kind *job_kind_find(const char *name); /* NULL: there is none */

/* "DATA/jobs/ID/name". */
bool job_path(const struct job *job, const char *name, char out[SERVE_PATH_MAX], struct err *e);
bool job_save(const struct job *job, struct err *e);

/* Reads job.json of a folder of that name; NULL and a reason. */
struct job *job_load(struct jobs *jobs, const char *id, struct err *e);
json_t *job_read_work(const struct job *job, struct err *e);
bool job_make_folder(const struct job *job, const json_t *work, struct err *e);

/* Removes data/jobs/ID with everything in it; symbolic links are not followed. */
bool job_remove_folder(const struct workbench *bench, const char *id, struct err *e);

/* Names of its files, sorted: "fitness.csv", "maps/12.tbsmap". */
json_t *job_files_json(const struct job *job);
bool job_has_file(const struct job *job, const char *name);

/* ---- job_run.c: while it runs ---- */

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
    int64_t start_ns, told_ns, grown_ns, growth_ns; /* growth: what the last one took */
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

/* ---- job_params.c: what requests say ---- */

/* A number with or without a fraction. */
struct job_range {
    double low, high, fallback;
};
bool job_real(const json_t *params, const char *key, struct job_range range, double *number,
              struct message_out *out);

/* A player's spec that a page may name, canonical, or the usual one. */
bool job_player(struct workbench *bench, const json_t *params, const char *key, const char *usual,
                struct text *out, struct message_out *failure);

/* The sentence of a failure, for a job that finds out when it runs. */
void job_take_failure(const struct message_out *failure, struct err *e);

/* A list of at most `count_max` texts; json NULL when it is not there. */
bool job_texts(const json_t *params, const char *key, int count_max, const json_t **list,
               struct message_out *out);

#endif
