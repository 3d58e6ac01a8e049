/* SPDX-License-Identifier: MIT
 *
 * Requests about jobs (docs/http-api.md).
 */
#include "serve/start_position.h"
#include "serve/job.h"
#include "serve/live_game.h"

#include "base/file.h"
#include "base/mem.h"
#include "tournament/event.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_DEFAULT = 100, ROWS_MAX = 1000 };

static void answer_text(struct message_out *out, struct text *text) {
    if (text->size == 0) {
        message_fail(out, 500, NULL, "the job cannot be written as JSON");
        return;
    }
    assert(out->body.data == NULL);
    out->body = *text;
    out->status = 200;
}

/* ---- a new one ---- */

static int next_number(const struct jobs *jobs) {
    return jobs->count > 0 ? jobs->items[jobs->count - 1]->number + 1 : 1;
}

static struct job *make_job(struct jobs *jobs, const struct job_kind *kind, const json_t *params,
                            const struct job_draft *draft) {
    struct job *job = mem_alloc(sizeof *job);
    job->jobs = jobs;
    job->kind = kind;
    job->number = next_number(jobs);
    job->params = json_deep_copy(params);
    job->progress = (struct job_progress){.total = draft->total, .left = -1};
    job->result_was_read = true;
    serve_new_id(jobs->bench, job->id);
    snprintf(job->title, sizeof job->title, "%s", draft->title);
    jobs->bench->setup.date(job->created, sizeof job->created);
    return job;
}

static void add_job(struct jobs *jobs, const struct job_kind *kind, const json_t *params,
                    const struct job_draft *draft, struct message_out *out) {
    struct err e, ignored;
    struct job *job = make_job(jobs, kind, params, draft);
    jobs->items[jobs->count++] = job;
    if (!job_make_folder(job, draft->work, &e)) {
        job_remove_folder(jobs->bench, job->id, &ignored);
        jobs_drop(job);
        message_fail_err(out, 507, NULL, &e);
        return;
    }
    jobs_pump(jobs);
    if (job->state == JOB_QUEUED)
        jobs_publish(jobs);
    message_json(out, 201, job_info_json(job));
}

static const struct job_kind *read_kind(const json_t *body, struct message_out *out) {
    const char *name;
    if (!request_text(body, "kind", "", &name, out))
        return NULL;
    const struct job_kind *kind = job_kind_find(name);
    if (kind == NULL)
        message_fail(out, 400, "kind",
                     "\"kind\": '%.32s' is unknown; expected match, tournament, judge, evolve or repro",
                     name);
    return kind;
}

static void post_job(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const known[] = {"kind", "params", NULL};
    struct job_draft draft = {.total = -1};
    const json_t *params = json_object_get(call->body, "params");
    if (!serve_knows(call->body, known, out))
        return;
    const struct job_kind *kind = read_kind(call->body, out);
    if (kind == NULL)
        return;
    if (!json_is_object(params))
        message_fail(out, 400, "params", "\"params\": expected an object");
    else if (bench->jobs->count == JOBS_MAX)
        message_fail_code(out, 429, NULL, "refused.jobs",
                          "there are %d jobs; remove some that are not needed any more", JOBS_MAX);
    else if (kind->draft(bench, params, &draft, out))
        add_job(bench->jobs, kind, params, &draft, out);
    json_decref(draft.work);
}

/* ---- looking at them ---- */

static void get_jobs(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
    jobs_pump(bench->jobs);
    message_json(out, 200, jobs_list_json(bench->jobs));
}

static void get_list_events(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
    out->status = 200;
    out->stream = topic_hold(bench->jobs->list);
}

static void get_job(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct text text = {0};
    struct job *job = jobs_find(bench->jobs, call->parts[0], out);
    if (job == NULL)
        return;
    job_write(job, &text);
    answer_text(out, &text);
}

static void get_events(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = jobs_find(bench->jobs, call->parts[0], out);
    if (job == NULL)
        return;
    out->stream = job_listen(job);
    out->status = 200;
}

/* ---- stopping, going on, removing ---- */

static struct job *find_to_change(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const none[] = {NULL};
    return call->body == NULL || serve_knows(call->body, none, out)
               ? jobs_find(bench->jobs, call->parts[0], out)
               : NULL;
}

/* A change of state is saved before it is acknowledged, and refused if it cannot be saved. */
static bool keep_state(struct job *job, enum job_state state, struct message_out *out) {
    const enum job_state before = job->state;
    struct err e;
    job->state = state;
    if (job_save(job, &e))
        return true;
    job->state = before;
    return message_fail_code(out, 507, NULL, "refused.undone", "it was not done: %s", e.text);
}

static void tell_state(struct job *job) {
    job_publish(job);
    jobs_publish(job->jobs);
}

/* One that runs is written down as cancelled, and is so when its thread has stopped. */
static void post_cancel(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = find_to_change(bench, call, out);
    if (job == NULL)
        return;
    if (job->state != JOB_QUEUED && job->state != JOB_RUNNING) {
        message_fail_code(out, 409, NULL, "refused.job_stop", "the job is %s: there is nothing to stop",
                          job_state_name(job->state));
        return;
    }
    const bool is_running = job->state == JOB_RUNNING;
    if (!is_running)
        bench->setup.date(job->finished, sizeof job->finished);
    if (!keep_state(job, JOB_CANCELLED, out)) {
        job->finished[0] = '\0';
        return;
    }
    atomic_store(&job->stop, true);
    if (is_running)
        job->state = JOB_RUNNING;
    else
        tell_state(job);
    message_json(out, 200, job_info_json(job));
}

static void post_resume(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = find_to_change(bench, call, out);
    if (job == NULL)
        return;
    if (job->state != JOB_CANCELLED && job->state != JOB_FAILED) {
        message_fail_code(out, 409, NULL, "refused.job_resume",
                          "the job is %s: only one that was cancelled or has failed goes on",
                          job_state_name(job->state));
        return;
    }
    const char error = job->error[0], finished = job->finished[0];
    job->error[0] = job->finished[0] = '\0';
    if (!keep_state(job, JOB_QUEUED, out)) {
        job->error[0] = error;
        job->finished[0] = finished;
        return;
    }
    tell_state(job);
    jobs_pump(bench->jobs);
    message_json(out, 200, job_info_json(job));
}

/* The folder of an idle job may contain thousands of files: a separate thread removes them. */
struct removal {
    struct workbench *bench;
    char id[SERVE_ID_MAX];
};

static void remove_folder(void *context) {
    struct removal *removal = context;
    struct err ignored;
    job_remove_folder(removal->bench, removal->id, &ignored); /* the rest is removed at the next start */
    mem_free(removal);
}

static void start_removal(struct workbench *bench, const char *id) {
    struct removal *removal = mem_alloc(sizeof *removal);
    struct err ignored;
    removal->bench = bench;
    snprintf(removal->id, sizeof removal->id, "%s", id);
    const struct task task = {
        .run = remove_folder, .dropped = remove_folder, .context = removal, .owner = bench->jobs};
    if (!task_pool_start(bench->task_pool, &task, &ignored))
        mem_free(removal);
}

/* On a full disk nothing can be written down, but a folder can be removed. */
static bool note_removed(struct job *job, struct message_out *out) {
    struct err e;
    if (keep_state(job, JOB_REMOVED, out))
        return true;
    if (job->is_busy || !job_remove_folder(job->jobs->bench, job->id, &e))
        return false;
    text_clear(&out->body);
    job->state = JOB_REMOVED;
    return true;
}

static void delete_job(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = find_to_change(bench, call, out);
    if (job == NULL || !note_removed(job, out))
        return;
    job_end_stream(job);
    if (job->is_busy) {
        atomic_store(&job->stop, true); /* its thread removes it when it has stopped */
    } else {
        start_removal(bench, job->id);
        jobs_drop(job);
    }
    jobs_publish(bench->jobs);
    out->status = 204;
}

/* ---- games ---- */

/* *out keeps its value when the query does not have it. */
static bool query_int(const struct message_in *in, const char *name, int low, int high, int *out,
                      struct message_out *failure) {
    const char *text = message_query(in, name);
    long number = *out;
    if (text == NULL || (text_to_int(text, &number) && number >= low && number <= high)) {
        *out = (int)number;
        return true;
    }
    return message_fail(failure, 400, name, "%s: expected a whole number from %d to %d", name, low, high);
}

/* NULL after a 404. */
static struct job *find_event(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = jobs_find(bench->jobs, call->parts[0], out);
    if (job == NULL || job->kind->has_games)
        return job;
    message_fail(out, 404, NULL, "a job of the kind %s has no games to look at", job->kind->name);
    return NULL;
}

static void get_games(struct workbench *bench, const struct call *call, struct message_out *out) {
    int from = 0, count = ROWS_DEFAULT;
    struct err e;
    struct job *job = find_event(bench, call, out);
    if (job == NULL || !query_int(call->in, "from", 0, EVENT_GAMES_MAX, &from, out) ||
        !query_int(call->in, "count", 1, ROWS_MAX, &count, out))
        return;
    const struct job_games *games = job_games_of(job, &e);
    if (games == NULL)
        message_fail_err(out, 500, NULL, &e);
    else
        message_json(out, 200, job_games_json(games, from, count));
}

/* The game's job, and the game as a record, for which the caller calls record_done; NULL after a 404. */
static struct job *load_game(struct workbench *bench, const struct call *call, long *number,
                             struct record *record, struct message_out *out) {
    struct job *job = find_event(bench, call, out);
    if (job == NULL)
        return NULL;
    if (text_to_int(call->parts[1], number) && *number >= 0 && *number < EVENT_GAMES_MAX) {
        if (job_games_load(job, (int)*number, record))
            return job;
        record_done(record);
    }
    message_fail_code(out, 404, NULL, "refused.no_game", "there is no game '%.20s' that is over",
                      call->parts[1]);
    return NULL;
}

/* A record contains the map's text; only the event has its name. NULL: there is none. */
static const char *map_name(struct job *job, long number) {
    struct err ignored;
    const struct job_games *games = job_games_of(job, &ignored);
    return games != NULL ? job_games_map(games, (int)number) : NULL;
}

static void get_game(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct record record;
    struct text text = {0};
    struct err e;
    long number;
    struct job *job = load_game(bench, call, &number, &record, out);
    if (job == NULL)
        return;
    const struct live_game_label as = {.id = call->parts[1], .map = map_name(job, number)};
    const bool ok = live_games_write_record(bench, &record, &as, &text, &e);
    record_done(&record);
    if (ok) {
        answer_text(out, &text);
        return;
    }
    text_done(&text);
    message_fail_err(out, 500, NULL, &e);
}

static void get_record(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct record record;
    struct text text = {0};
    struct err e;
    long number;
    if (load_game(bench, call, &number, &record, out) == NULL)
        return;
    const bool ok = record_write_json(&record, &text, &e);
    record_done(&record);
    if (!ok) {
        text_done(&text);
        message_fail_err(out, 500, NULL, &e);
        return;
    }
    snprintf(out->file_name, sizeof out->file_name, "game-%.20s.json", call->parts[1]);
    answer_text(out, &text);
}

/* ---- files ---- */

struct file_type {
    const char *ending, *type;
    bool is_shown; /* in the page; others are saved */
};

static const struct file_type *type_of(const char *name) {
    static const struct file_type types[] = {
        {".svg", "image/svg+xml", true},
        {".png", "image/png", true},
        {".csv", "text/csv; charset=utf-8", false},
        {".json", "application/json", false},
        {".html", "text/html; charset=utf-8", true},
        {"", "text/plain; charset=utf-8", false},
    };
    const struct file_type *type = types;
    const char *dot = strrchr(name, '.');
    assert(dot != NULL); /* is_for_page in jobs.c */
    while (type->ending[0] != '\0' && strcmp(dot, type->ending) != 0)
        type++;
    return type;
}

/* Only names that the job's list of files has: nothing else is ever opened. */
static void send_file(const struct job *job, const char *name, struct message_out *out) {
    char within[256], path[SERVE_PATH_MAX];
    struct text text = {0};
    struct err e;
    if (!job_has_file(job, name)) {
        message_fail_code(out, 404, NULL, "refused.no_file", "the job has no file '%.80s'", name);
        return;
    }
    snprintf(within, sizeof within, "files/%s", name);
    if (!job_path(job, within, path, &e) || !file_read(path, JOB_FILE_MAX, &text, &e)) {
        text_done(&text);
        message_fail_err(out, 500, NULL, &e);
        return;
    }
    const struct file_type *type = type_of(name);
    const char *slash = strrchr(name, '/');
    out->type = type->type;
    if (!type->is_shown)
        snprintf(out->file_name, sizeof out->file_name, "%.100s", slash != NULL ? slash + 1 : name);
    answer_text(out, &text);
}

static void get_file(struct workbench *bench, const struct call *call, struct message_out *out) {
    const struct job *job = jobs_find(bench->jobs, call->parts[0], out);
    if (job != NULL)
        send_file(job, call->parts[1], out);
}

static void get_folder_file(struct workbench *bench, const struct call *call, struct message_out *out) {
    char name[MESSAGE_PATH_MAX];
    const struct job *job = jobs_find(bench->jobs, call->parts[0], out);
    snprintf(name, sizeof name, "%.200s/%.200s", call->parts[1], call->parts[2]);
    if (job != NULL)
        send_file(job, name, out);
}

const struct route job_routes[] = {
    {MESSAGE_POST, "/api/jobs", post_job},
    {MESSAGE_GET, "/api/jobs", get_jobs},
    {MESSAGE_GET, "/api/jobs/events", get_list_events},
    {MESSAGE_GET, "/api/jobs/*", get_job},
    {MESSAGE_DELETE, "/api/jobs/*", delete_job},
    {MESSAGE_GET, "/api/jobs/*/events", get_events},
    {MESSAGE_POST, "/api/jobs/*/cancel", post_cancel},
    {MESSAGE_POST, "/api/jobs/*/resume", post_resume},
    {MESSAGE_GET, "/api/jobs/*/games", get_games},
    {MESSAGE_GET, "/api/jobs/*/games/*", get_game},
    {MESSAGE_GET, "/api/jobs/*/games/*/record", get_record},
    {MESSAGE_GET, "/api/jobs/*/files/*", get_file},
    {MESSAGE_GET, "/api/jobs/*/files/*/*", get_folder_file},
    {MESSAGE_GET, NULL, NULL},
};
