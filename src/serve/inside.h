/* SPDX-License-Identifier: MIT
 *
 * Private to src/serve: the workbench's parts and the arguments of handlers. Each part stores its own data
 * behind a pointer here, and is used with the lock held.
 */
#ifndef SERVE_INSIDE_H
#define SERVE_INSIDE_H

#include "base/spec.h"
#include "serve/workbench.h"

#include <jansson.h>
#include <pthread.h>

enum { SERVE_PATH_MAX = 4096, SERVE_ID_MAX = 24, SERVE_PARTS_MAX = 4 };

struct live_games;
struct analyses;
struct jobs;
struct task_pool;

struct workbench {
    struct workbench_setup setup;
    char data[SERVE_PATH_MAX], maps[SERVE_PATH_MAX];
    pthread_mutex_t lock;
    bool is_locked; /* for workbench_is_locked, with the thread that did it */
    pthread_t locker;
    struct task_pool *task_pool;
    struct live_games *live_games;
    struct analyses *analyses;
    struct jobs *jobs;
    bool has_lost;   /* something, when it was closed */
    json_t *damaged; /* sentences about files in the data folder that could not be read */
};

void workbench_lock(struct workbench *bench);
void workbench_unlock(struct workbench *bench);
bool workbench_is_locked(const struct workbench *bench); /* by this thread; for asserts */

/* A request that found its route: the parts of the path that stand for something, and the body read. */
struct call {
    const struct message_in *in;
    const char *parts[SERVE_PARTS_MAX]; /* for "/api/tables/ID/steps/N": ID, then N */
    const json_t *body;                 /* an object; NULL for GET and DELETE */
};

/* Called with the lock held. Returns whether it has done what was asked, like the functions that it ends
 * with: `return message_fail(…)`, `return serve_answer(…)`. The answer is in `out` in any case. */
typedef bool serve_handler(struct workbench *bench, const struct call *call, struct message_out *out);

struct route {
    enum message_method method;
    const char *path; /* a part "*" matches any text */
    serve_handler *handler;
};

/* Each part's routes, ended by a NULL path. */
extern const struct route catalogue_routes[], map_routes[], live_game_routes[], analysis_routes[],
    job_routes[];

/* An unguessable id of 16 letters and digits. */
void serve_new_id(const struct workbench *bench, char out[SERVE_ID_MAX]);

/* Has the text the form of such an id? Checked for everything that becomes part of a file name. */
bool serve_is_id(const char *id);

/* Answers with the reason in `e`: its sentence, its field and the status of its kind (400, 404 or 500).
 * False, so that handlers can `return serve_refuse(…)`. */
bool serve_refuse(struct message_out *out, const struct err *e);

/* Answers with the value, which it drops, or with the events of the topic, which the answer takes. True. */
bool serve_answer(struct message_out *out, int status, json_t *value);
bool serve_stream(struct message_out *out, struct topic *topic);

/* Ends a topic for its readers, if there is one, and drops it: *topic is NULL afterwards. */
void serve_end_stream(struct topic **topic);

/* Reads the body with these tables, whose structs have their defaults already; if it cannot, 400 in `out`. */
bool serve_read(const json_t *body, struct params *sections, struct message_out *out);

/* Are all members of the body among `names` (ended by NULL)? If not, 400 in `out`, with those it takes. */
bool serve_knows(const json_t *body, const char *const *names, struct message_out *out);

/* Adds the members of `more`, which it drops, to the object; returns the object. */
json_t *serve_join(json_t *object, json_t *more);

/* The value on one line, for free(); drops the value. Real numbers have that many digits; 0: all. */
char *serve_dump(json_t *value, int digits);

/* The path of something in the data folder: "DATA/folder/name". False when it is too long. */
bool serve_path(const struct workbench *bench, const char *folder, const char *name, char out[SERVE_PATH_MAX],
                struct err *e);

/* Reports a problem to the server's owner. */
void serve_warn(const struct workbench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports a file that cannot be read and is left alone; the page shows it, too. */
void serve_note_damage(struct workbench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The folder of that name in the data folder is there afterwards. */
bool serve_make_folder(const struct workbench *bench, const char *folder, struct err *e);

/* ---- tasks ----
 *
 * Threads for background work: a player's decision, an analysis, a job. Each task has a thread of its own;
 * the number of running tasks is limited. */

/* An `idle` pool accepts tasks and never runs them; it calls their `dropped` at the end. */
struct task_pool *task_pool_open(int tasks_max, bool idle);

struct task {
    void (*run)(void *context);     /* on a thread of its own */
    void (*dropped)(void *context); /* called instead by an idle or closing pool; may be NULL */
    void *context;
    const void *owner; /* for task_pool_finish; may be NULL */
};

/* False when too many tasks are running, or no thread could be started. */
bool task_pool_start(struct task_pool *pool, const struct task *task, struct err *e);

int task_pool_size(struct task_pool *pool); /* running tasks */

/* Waits for all tasks of that owner, which has signalled them to stop. Tasks held by an idle pool are
 * dropped. The caller must not hold the workbench's lock, because the tasks take it. */
void task_pool_finish(struct task_pool *pool, const void *owner);

/* Waits for all tasks. Their owners have signalled long ones to stop. */
void task_pool_close(struct task_pool *pool);

/* ---- parts ---- */

/* Each part is opened after the data folder exists, and closed without the lock held, before the task pool:
 * closing signals its tasks to stop and waits for them (task_pool_finish). Until then the tasks may take the
 * lock. */
struct live_games *live_games_open(struct workbench *bench, struct err *e);
void live_games_close(struct live_games *games);
struct analyses *analyses_open(struct workbench *bench);
void analyses_close(struct analyses *analyses);
struct jobs *jobs_open(struct workbench *bench, struct err *e);
void jobs_close(struct jobs *jobs);

#endif
