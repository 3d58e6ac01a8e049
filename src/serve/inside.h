/* SPDX-License-Identifier: MIT
 *
 * Private to src/serve: the workbench's parts and the arguments of handlers. Each part stores its own data
 * behind a pointer here, and is used with the lock held.
 */
#ifndef SERVE_INSIDE_H
#define SERVE_INSIDE_H

#include "base/file.h"
#include "match/record.h"
#include "player/player.h"
#include "search/search.h"
#include "serve/workbench.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SERVE_PATH_MAX = FILE_PATH_MAX, SERVE_ID_MAX = 24, SERVE_PARTS_MAX = 4 };

struct analysis;
struct job;
struct jobs;
struct live_game;
struct live_games;
struct task_pool;

struct workbench {
    struct workbench_setup setup;
    pthread_mutex_t lock;
    bool is_locked; /* for workbench_is_locked, with the thread that did it */
    pthread_t locker;
    struct task_pool *task_pool;
    struct live_games *live_games;
    struct analysis *analyses; /* the newest */
    struct jobs *jobs;
    bool is_idle;    /* no background work is begun: by the setup, or because it is being closed */
    bool has_lost;   /* moves of a game, when it was closed */
    json_t *damaged; /* sentences about files in the data folder that could not be read */
};

/* The lock of the whole workbench, which is not recursive. One lock for all parts: a request may touch
 * several of them, and none of them does long work with it. Handlers are called with it held. Tasks take it
 * for short moments, never while a player thinks. */
void workbench_lock(struct workbench *bench);
void workbench_unlock(struct workbench *bench);
bool workbench_is_locked(const struct workbench *bench); /* by this thread; for asserts */

/* A request that found its route: the parts of the path that stand for something, the thing that the first of
 * them names, and the body read. All of it is valid until the handler returns. */
struct call {
    struct workbench *bench;
    const struct message_in *in;
    const char *parts[SERVE_PARTS_MAX]; /* for "/api/tables/ID/steps/N": ID, then N; NULL: no more */
    char storage[MESSAGE_PATH_MAX];     /* of the parts */
    const json_t *body;                 /* an object; NULL for GET and DELETE */

    /* Set by the part's serve_find, each by its own part. */
    struct job *job;
    struct analysis *analysis;
    struct live_game *live;
    unsigned sides;             /* of the live game: bits of the seats whose keys the request gives */
    char map[MESSAGE_PATH_MAX]; /* the map's name; there may be no such map */
};

/* Finds what the first part of the path names, with the lock held; false after a 400, 403 or 404 in `out`.
 * Called before the handler where the route has a "*". */
typedef bool serve_find(struct call *call, struct message_out *out);
serve_find jobs_find_call, analyses_find_call, live_games_find_call, maps_find_call;

/* A live game of which the request has the key of a seat: without one it is 403. */
serve_find live_games_find_seat;

/* Called with the lock held. Returns whether it has done what was asked, like the functions that it ends
 * with: `return message_fail(…)`, `return message_json(…)`. The answer is in `out` in any case, except that a
 * handler, and whatever it calls, may return false with a reason in `out->why`: a 400, with its field. */
typedef bool serve_handler(const struct call *call, struct message_out *out);

struct route {
    enum message_method method;
    const char *path; /* a part "*" matches any text */
    serve_handler *handler;
    const char *members; /* those a body may have (serve_knows); NULL: the handler checks them itself */
};

/* Each part's routes, ended by a NULL path. */
extern const struct route catalogue_routes[], live_game_routes[], analysis_routes[], job_routes[];

/* Those of a study's participants: its own, and the few of live games and of the catalogue that a game needs.
 */
extern const struct route study_routes[], study_table_routes[], study_catalogue_routes[];

/* An unguessable id of 16 letters and digits. The bytes come from setup.secret. The keys of seats are such
 * ids, too: who could guess one could play for another person. */
void serve_new_id(const struct workbench *bench, char out[SERVE_ID_MAX]);

/* Has the text the form of such an id? Checked for everything that becomes part of a file name. It protects
 * from names such as "../x", in requests and in files that were edited. */
bool serve_is_id(const char *id);

/* Answers with the events of the topic, which the answer takes; or with what the body has already. True. */
bool serve_stream(struct message_out *out, struct topic *topic);
bool serve_done(struct message_out *out, int status);

/* Ends a topic for its readers, if there is one, and drops it: *topic is NULL afterwards. */
void serve_end_stream(struct topic **topic);

/* Are all members of the body among `names`, which are separated by one blank each? If not, the reason in
 * out->why, with those it takes. A misspelt member must not be ignored: its default would be used without a
 * word. */
bool serve_knows(const json_t *body, const char *names, struct message_out *out);
bool serve_has_name(const char *names, const char *name);

/* Adds the members of `more`, which it drops, to the object; returns the object, so that parts of an answer
 * can be nested in one expression. Members of `more` replace those of the same name. */
json_t *serve_join(json_t *object, json_t *more);

/* The value on one line, for free(); drops the value. Real numbers have that many digits; 0: all. json_pack
 * gives NULL when a text is not UTF-8 or a number not finite, so callers mend texts before they pack them. If
 * one was missed, readers get an empty object, and the file keeps what it has. */
char *serve_dump(json_t *value, int digits);
bool serve_save(const char *path, json_t *value, struct err *e);

/* The path of something in the data folder: "DATA/folder/name". False when it is too long. Neither part is
 * checked here: `folder` is a constant, `name` a constant or a name that the caller has checked. */
bool serve_path(const struct workbench *bench, const char *folder, const char *name, char out[SERVE_PATH_MAX],
                struct err *e);

/* Problems that no request can be answered with. Of a damaged file, which is left alone, the page is
 * informed, too: what is missing there without a reason would look as if it had never existed. */
enum serve_problem { SERVE_UNSAVED, SERVE_DAMAGED };

/* Reports a problem to the server's owner. SERVE_UNSAVED is for any thread. SERVE_DAMAGED changes the list
 * that /api/about shows: it is only used while the workbench is opened, before requests come. */
void serve_warn(struct workbench *bench, enum serve_problem problem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The folder of that name in the data folder is there afterwards, and `path` is where. One that is there
 * already is kept as it is. */
bool serve_make_folder(const struct workbench *bench, const char *folder, char path[SERVE_PATH_MAX],
                       struct err *e);

/* ---- what requests name: start_position.c ----
 *
 * A request never names a file: maps are built in or saved, and given by name, or they come as text.
 *
 * Functions that take a message_out return false (or NULL) after they have written the answer to it, or a
 * reason for a 400 into its `why`; both name the field. Members that are null count as missing. */

/* NULL when it is not there. Borrowed from the object. */
json_t *request_member(const json_t *object, const char *key);

/* Borrowed from the object; `fallback` (may be NULL) when it is not there. */
bool request_text(const json_t *object, const char *key, const char *fallback, const char **text,
                  struct message_out *out);

/* Reads the member of that row into the field, which keeps its value when the member is not there. */
bool request_read(const json_t *object, const struct param *row, void *field, struct message_out *out);

/* The scenario of {"game": …, "map": …, "map_text": …, "rules": …}; the caller unloads it. The default game
 * is the tactical one, the default map "standard". Other members are ignored. */
struct scenario *start_position_scenario(struct workbench *bench, const json_t *body,
                                         struct message_out *out);

/* A position (docs/http-api.md, "Source"): scenario, record and replay, as the command line's --after has
 * them. To be filled in place: the replay points to the record. start_position_done also after a failure. */
struct start_position {
    struct scenario *scenario;
    struct record record;
    struct replay replay; /* replay.state is the position */
    bool placed;          /* given as text, without a history */
    bool partial;         /* something in it is unknown, so that nothing can be played in it */
};

bool start_position_load(struct workbench *bench, const json_t *source, struct start_position *out,
                         struct message_out *failure);
void start_position_done(struct start_position *position);

/* May a page name this player? Programs only if allowed, no files, no more memory or threads than this
 * machine has; nested specs are checked, too. Writes the canonical spec into `out` (may be NULL). */
bool serve_check_player(const struct workbench *bench, const char *spec, struct text *out, struct err *e);

/* The same, and the player must play this game with these options. Starts no program. */
bool serve_try_player(const struct workbench *bench, const char *spec, const struct game *game,
                      struct text *out, struct err *e);

enum { SERVE_PLAYER_MB_MAX = 1024 }; /* of all the players that one spec names */

/* What players on this server may do beside thinking; they are opened with it. */
const struct grant *serve_grant(const struct workbench *bench);

/* Is this a valid name of a file in the data folder? 1 … 64 of a-z A-Z 0-9 _ -. */
bool serve_is_name(const char *name);

/* Names of saved maps begin with this; other names are those of built-in maps. */
#define SERVE_MINE "mine/"
bool serve_is_mine(const char *name);

/* Reads a map's text by its name ("duel", "mine/first"); 404 in `out` when there is none. */
bool serve_read_map(struct workbench *bench, const char *name, struct text *text, struct message_out *out);

/* The file of that name; false when it is no name of a map. It need not be there. */
bool serve_map_path(const struct workbench *bench, const char *name, char *out, size_t out_size);

/* ---- states, actions and thoughts as JSON for the page (docs/http-api.md): json_view.c ----
 *
 * Only this file removes hidden information: every function takes the viewer and makes its own view first. */

/* Who looks: a side, a spectator of a game with hidden parts, or a viewer from whom nothing is hidden. */
enum json_viewer { JSON_VIEWER_FIRST, JSON_VIEWER_SECOND, JSON_VIEWER_PUBLIC, JSON_VIEWER_ALL };

/* All return new values. */
json_t *json_view_state(const struct scenario *scenario, const void *state, enum json_viewer viewer);

/* The same as text, many times faster, for complete games. */
void json_view_write_state(const struct scenario *scenario, const void *state, enum json_viewer viewer,
                           struct text *out);

/* The legal actions of the side to move; json null when the game is over. Complete: the caller must be
 * allowed to see what the side to move sees. */
json_t *json_view_actions(const struct scenario *scenario, const void *state);

/* The effects of an action in a state ("did"), as far as the viewer knows them before it is played. */
json_t *json_view_did(const struct scenario *scenario, const void *state, action a, enum json_viewer viewer);

/* The same for an action that was played in this complete state: includes what it revealed to all. */
json_t *json_view_played(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer);

/* The action's text; json null if the viewer may not see it. */
json_t *json_view_action(const struct scenario *scenario, const void *state, action a,
                         enum json_viewer viewer);

/* [{"action": …, "did": …}, …] of a line that begins in this state; as far as it is legal. */
json_t *json_view_line(const struct scenario *scenario, const void *state, const action *line, int count,
                       enum json_viewer viewer);

struct json_view_thoughts {
    const struct thoughts *thoughts;
    const char *player; /* spec */
    double seconds;
    int top; /* candidates */
};

/* `state` is the player's view. A side must be to move. Candidates that are illegal in `state` are left out.
 * Values of players that expect payoffs are also given as chances to win. */
json_t *json_view_thoughts(const struct scenario *scenario, const void *state,
                           const struct json_view_thoughts *of);

/* A finite number for JSON: NAN becomes 0, large values are clamped. */
json_t *json_view_number(double number);

/* The map for the page; json null for games without maps. */
json_t *json_view_map(const struct scenario *scenario);

/* ---- studies: study_site.c ---- */

/* A live game has changed: if it is a participant's and is over, its result is stored in the study. Nothing
 * happens without a study, for other games, and for a result that is stored already. */
void study_site_note(struct live_game *live);

/* The same for all live games, when the workbench is opened: a server that was killed may have left results.
 */
void study_site_take_results(struct workbench *bench);

/* ---- live games, for other parts: live_game*.c ---- */

/* Answers with a recorded game as *Table* with all steps, without thoughts, with nothing hidden; 500 when the
 * record breaks the rules. Takes ownership of the record, also after a failure. `map` is the map's name,
 * which a record does not have; NULL: not known. */
bool live_games_show_record(struct workbench *bench, struct record *record, const char *id, const char *map,
                            struct message_out *out);

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
};

/* False when too many tasks are running, or no thread could be started. The pool copies the task. After false
 * neither function of the task is called. A closing pool calls `dropped` and returns true. */
bool task_pool_start(struct task_pool *pool, const struct task *task, struct err *e);

int task_pool_size(struct task_pool *pool); /* running tasks */

/* Waits for all tasks; long ones have been signalled to stop. Tasks that an idle pool holds, and those that
 * are started from now on, are dropped. The caller must not hold the workbench's lock, because the tasks take
 * it. NULL is allowed. */
void task_pool_close(struct task_pool *pool);

/* ---- parts ---- */

/* Each part is opened after the data folder exists. At the end all parts signal their tasks to stop, with the
 * lock held, so that the tasks end at the same time; the task pool waits for them; the parts are closed. */
struct live_games *live_games_open(struct workbench *bench, struct err *e);
void live_games_stop(struct live_games *games);
void live_games_close(struct live_games *games);
void analyses_stop(struct workbench *bench);
void analyses_close(struct workbench *bench);
struct jobs *jobs_open(struct workbench *bench, struct err *e);
void jobs_stop(struct jobs *jobs);
void jobs_close(struct jobs *jobs);

/* ---- jobs ----
 *
 * Long runs in the background: a match, a tournament, a map's judgement, an evolution of maps, or a published
 * experiment. The workbench's lock guards all members of struct job and struct jobs, except where a comment
 * says otherwise. Only job*.c and the catalogue use them:
 *
 *     jobs.c                    jobs, the list of all, and requests under /api/jobs
 *     job_tournament.c, job_kinds.c  the kinds of jobs
 */

enum {
    JOB_FILE_MAX = 64 << 20, /* bytes of job.json, work.json or result.json */
    JOB_FILES_MAX = 512,     /* files for the page */
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
    const char *name, *unit;       /* the unit of progress */
    const struct param *params[3]; /* the tables of a request's members */
    const char *members;           /* of these tables, as in serve_knows; NULL: all */
    bool has_games;
    /* Checks the params of a new job, fills in its title and, if it is known before the start, the total of
     * its progress. Returns the work for work.json, a new value; NULL after a refusal. */
    json_t *(*draft)(struct job *job, struct message_out *failure);
    /* Does the work, without the lock, on the job's own thread. *complete, which is false before, stays false
     * after a stop. False and a reason when it has failed. */
    bool (*run)(struct job_run *run, bool *complete, struct err *e);
};

extern const struct job_kind job_match, job_tournament, job_judge, job_evolve, job_repro;
extern const struct job_kind *const job_kinds[]; /* ended by NULL */
extern const struct param analysis_params[];

/* The stage of a run as a message; job.json has only its text. Empty: a run without stages. */
struct job_note {
    struct msg msg;
    char text[JOB_NOTE_MAX];
};

struct job_progress {
    int done, total; /* a negative total: not known */
    struct job_note note;
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

/* Publishes progress, at most four times a second. Calls in between only note the numbers; the end of the run
 * publishes the last ones in any case. A negative total is not known; `here` is how many of `done` were done
 * in this run, not found in the store. `note` may be NULL. */
void job_report_progress(struct job_run *run, int done, int total, int here, const struct job_note *note);

/* Should a new intermediate result be made? At most once a second. A result that takes long to make is due
 * less often, so that the work itself gets most of the time. */
bool job_result_is_due(struct job_run *run);

/* Publishes the result so far and takes ownership of it. NULL keeps the previous one. */
void job_publish_result(struct job_run *run, json_t *result);

/* Sets the one-sentence summary of the result; `messages`, which is dropped, is the same as data, or NULL. */
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

/* "DATA/jobs/ID/name". The name "" gives the folder itself. Names of requests must be listed files. */
bool job_path(const struct job *job, const char *name, char out[SERVE_PATH_MAX], struct err *e);

/* The "work" of work.json, as the kind's draft made it: a new value, or NULL and a reason. Needs no lock,
 * because the file never changes after the job was made. */
json_t *job_read_work(const struct job *job, struct err *e);

/* The newest finished run of a published experiment, {"job": id, "finished": date, "summary": sentence}, a
 * new value; NULL: there is none. With the lock held. */
json_t *jobs_last_result(struct workbench *bench, const char *experiment);

/* ---- job_tournament.c: the games of a match or tournament ---- */

/* Frees the job's list of games; NULL is allowed. */
void job_games_close(struct job_games *games);

/* Requests for the list of games, one game, and its record. */
serve_handler job_get_games, job_get_game, job_get_record;

#endif
