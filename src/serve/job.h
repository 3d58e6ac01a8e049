/* SPDX-License-Identifier: MIT
 *
 * Private to src/serve/job*.c: jobs, which are long runs in the background. A job is a match, a tournament, a
 * map's judgement, an evolution of maps, or a published experiment.
 *
 *     job.c   one job: its JSON and streams, its folder, its thread
 *     jobs.c  the list of all jobs, and requests under /api/jobs
 *     job_event.c, job_kinds.c  the kinds of jobs
 *
 * The workbench's lock guards all members of struct job and struct jobs, except where a comment says
 * otherwise.
 */
#ifndef SERVE_JOB_H
#define SERVE_JOB_H

#include "net/message.h"
#include "serve/inside.h"

#include <stdatomic.h>

enum {
    JOB_FILE_MAX = 64 << 20, /* bytes of job.json, work.json or result.json */
    JOB_FILES_MAX = 512,     /* files for the page */
    JOB_SEED_DEFAULT = 1,
};

/* Jobs in the list; those that run at once; bytes of texts. */
enum { JOBS_MAX = 200, JOBS_RUNNING_MAX = 2 };
enum { JOB_TITLE_MAX = 200, JOB_NOTE_MAX = 80, JOB_SUMMARY_MAX = 512, JOB_DATE_MAX = 64 };

/* ---- types ---- */

enum job_state {
    JOB_QUEUED,
    JOB_RUNNING,
    JOB_DONE,
    JOB_FAILED,
    JOB_CANCELLED,
    JOB_REMOVED, /* not shown any more; its folder is removed when its thread has ended */
    JOB_STATES,
};

extern const char *const job_state_names[JOB_STATES];

struct job_run;
struct job_games;
struct record;

/* What a kind makes of the params of a request. */
struct job_draft {
    char title[JOB_TITLE_MAX];
    int total;    /* of progress, if it is known before the start; negative: not known */
    json_t *work; /* for work.json; a new value */
};

struct job_kind {
    const char *name, *unit; /* the unit of progress */
    bool has_games;
    /* Checks the params. False after the answer was written to `failure`. */
    bool (*draft)(struct workbench *bench, const json_t *params, struct job_draft *out,
                  struct message_out *failure);
    /* Does the work, without the lock, on the job's own thread. JOB_DONE; JOB_CANCELLED after a stop; or
     * JOB_FAILED and a reason. */
    enum job_state (*run)(struct job_run *run, struct err *e);
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
    bool closing;
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

/* ---- job.c: running; called on the job's own thread, without the lock ---- */

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

/* ---- job.c: the rest; called with the lock held ---- */

/* Starts the job's thread. When no thread is available, the job stays as it is. */
void job_start(struct job *job);

/* The entry of the list of jobs: id, kind, title, state, progress, dates and error. A new value. */
json_t *job_info_json(const struct job *job);

/* The whole job on one line; reads the result file if that was not done yet. A result file that is no JSON
 * counts as no result. */
void job_write(struct job *job, struct text *out);

/* Publishes a change other than progress to the job's readers (job_publish) or to the list's (jobs_publish).
 */
void job_publish(struct job *job);
void jobs_publish(struct jobs *jobs);

/* ---- jobs.c: the list ---- */

const struct job_kind *job_kind_find(const char *name); /* NULL: there is none */

/* Starts queued jobs, as many as may run at once. Does nothing in an idle workbench, or in one that is being
 * closed. Called after each change that may free a place; GET /api/jobs calls it, too, for a job that found
 * no thread before. */
void jobs_pump(struct jobs *jobs);

/* Takes the job, on which no thread works, out of the list. With the lock held. Afterwards no request finds
 * the job, and the caller owns it. */
void jobs_take_out(struct job *job);

/* Removes the folder of a job that is in no list, and frees the job. Needs no lock: the folder may have
 * thousands of files. Files that cannot be removed are removed at the next start. */
void job_discard(void *job);

/* The newest finished run of a published experiment, {"job": id, "finished": date, "summary": sentence}, a
 * new value; NULL: there is none. */
json_t *jobs_last_result(struct workbench *bench, const char *experiment);

/* ---- job.c: a job's folder, data/jobs/ID ----
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
/* Writes job.json; it is on the disk when this returns true. */
bool job_save(const struct job *job, struct err *e);
/* The "work" of work.json, as the kind's draft made it: a new value, or NULL and a reason. Needs no lock,
 * because the file never changes after the job was made. */
json_t *job_read_work(const struct job *job, struct err *e);
/* Makes the folder of a new job with its first two files. `work` stays the caller's. After a failure a part
 * of the folder may be there: the caller discards the job. */
bool job_make_folder(const struct job *job, json_t *work, struct err *e);

/* Reads job.json of the folder of that name; NULL and a reason. */
struct job *job_load(struct jobs *jobs, const char *id, struct err *e);

/* Removes data/jobs/ID with all files; does not follow symbolic links. */
bool job_remove_folder(const struct workbench *bench, const char *id, struct err *e);

/* How a file is sent to the page, by its name; NULL: it is not for the page. */
struct job_file_type {
    const char *ending, *type;
    bool is_shown; /* in the page; others are saved */
};
const struct job_file_type *job_file_type(const char *name);

/* Names of the files for the page, sorted: "fitness.csv", "maps/12.tbsmap". At most JOB_FILES_MAX. The folder
 * is read each time, because a running job adds files. A new value. */
json_t *job_files_json(const struct job *job);

/* ---- job_event.c: the games of a match or tournament ---- */

/* The job's list of games, with the lock held. The first call reads it from the folder: finished games are in
 * the store, and the schedule of the others follows from them. NULL and a reason. */
struct job_games *job_games_of(struct job *job, struct err *e);
void job_games_close(struct job_games *games); /* NULL is allowed */
/* The rows from number `from` on, at most `count`, as GET /api/jobs/ID/games shows them. A new array. */
json_t *job_games_json(const struct job_games *list, int from, int count);

/* The name of the map of game `number`; NULL: there is no such game. */
const char *job_games_map(const struct job_games *list, int number);

/* One game that is over as a record; the caller calls record_done also after a failure. */
bool job_games_load(const struct job *job, int number, struct record *out);

#endif
