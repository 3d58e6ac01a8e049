/* SPDX-License-Identifier: MIT
 *
 * All jobs: the list, and requests about jobs (docs/http-api.md). Jobs are started in the order of their
 * creation, two at a time.
 */
#include "serve/job.h"

#include "base/file.h"
#include "base/mem.h"
#include "serve/live_game.h"
#include "serve/start_position.h"
#include "tournament/event.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

static const struct job_kind *const kinds[] = {&job_match,  &job_tournament, &job_judge,
                                               &job_evolve, &job_repro,      NULL};

const struct job_kind *job_kind_find(const char *name) {
    for (int i = 0; kinds[i] != NULL; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

/* A job that is being removed counts as absent: its files may go at any moment. */
bool jobs_find_call(struct call *call, struct message_out *out) {
    const struct jobs *jobs = call->bench->jobs;
    const char *id = call->parts[0];
    for (int i = 0; i < jobs->count && call->job == NULL; i++)
        if (jobs->items[i]->state != JOB_REMOVED && strcmp(jobs->items[i]->id, id) == 0)
            call->job = jobs->items[i];
    return call->job != NULL ||
           message_fail_code(out, 404, NULL, "refused.no_job", "there is no job '%.32s'", id);
}

/* Newest first. */
static json_t *list_json(const struct jobs *jobs) {
    json_t *list = json_array();
    for (int i = jobs->count - 1; i >= 0; i--)
        if (jobs->items[i]->state != JOB_REMOVED)
            json_array_append_new(list, job_info_json(jobs->items[i]));
    return list;
}

void jobs_publish(struct jobs *jobs) {
    assert(workbench_is_locked(jobs->bench));
    char *dump = serve_dump(list_json(jobs), 9);
    topic_add(jobs->list, "jobs", dump, true);
    mem_free(dump);
}

/* Frees what is in memory; the folder stays. */
static void job_free(struct job *job) {
    serve_end_stream(&job->topic);
    job_games_close(job->games);
    json_decref(job->params);
    text_done(&job->result);
    mem_free(job);
}

void jobs_take_out(struct job *job) {
    assert(!job->is_busy);
    struct jobs *jobs = job->jobs;
    int i = 0;
    while (jobs->items[i] != job)
        i++;
    assert(i < jobs->count);
    jobs->count--;
    memmove(&jobs->items[i], &jobs->items[i + 1], (size_t)(jobs->count - i) * sizeof jobs->items[0]);
}

void job_discard(void *context) {
    struct job *job = context;
    job_remove_folder(job->jobs->bench, job->id, NULL);
    job_free(job);
}

void jobs_pump(struct jobs *jobs) {
    if (jobs->closing || jobs->bench->setup.idle)
        return;
    /* One that cannot be started is retried at the next request about jobs, or when a job ends. */
    for (int i = 0; i < jobs->count && jobs->running < JOBS_RUNNING_MAX; i++)
        if (jobs->items[i]->state == JOB_QUEUED && !jobs->items[i]->is_busy)
            job_start(jobs->items[i]);
}

json_t *jobs_last_result(struct workbench *bench, const char *experiment) {
    const struct job *last = NULL;
    for (int i = 0; i < bench->jobs->count; i++) {
        const struct job *job = bench->jobs->items[i];
        const char *name = json_string_value(json_object_get(job->params, "experiment"));
        if (job->kind == &job_repro && job->state == JOB_DONE && name != NULL &&
            strcmp(name, experiment) == 0 && (last == NULL || strcmp(job->finished, last->finished) >= 0))
            last = job;
    }
    return last == NULL
               ? NULL
               : json_pack("{ss ss ss so*}", "job", last->id, "finished", last->finished, "summary",
                           last->summary, "summary_messages", json_loads(last->summary_messages, 0, NULL));
}

/* ---- opening and closing ---- */

/* A running job is queued again; the folder of a removed one is deleted. */
static bool take_entry(void *context, const char *name) {
    struct jobs *jobs = context;
    struct err e;
    if (!serve_is_id(name))
        return true;
    struct job *job = jobs->count < JOBS_MAX ? job_load(jobs, name, &e) : NULL;
    if (job == NULL) { /* whatever it is, it is left alone */
        serve_warn(jobs->bench, SERVE_DAMAGED, "job %s cannot be read: %s; its folder is left as it is", name,
                   jobs->count < JOBS_MAX ? e.text : "there are too many");
    } else if (job->state == JOB_REMOVED) {
        job_discard(job);
    } else {
        job->state = job->state == JOB_RUNNING ? JOB_QUEUED : job->state;
        jobs->items[jobs->count++] = job;
    }
    return true;
}

/* In the order of creation. Numbers of edited files may be equal: then the id decides, so that the order is
 * the same at every start. */
static int by_number(const void *a, const void *b) {
    const struct job *const *left = a, *const *right = b;
    const int difference = (*left)->number - (*right)->number;
    return difference != 0 ? difference : strcmp((*left)->id, (*right)->id);
}

/* No task of a job runs any more. */
static void free_all(struct jobs *jobs) {
    for (int i = 0; i < jobs->count; i++)
        job_free(jobs->items[i]);
    serve_end_stream(&jobs->list);
    mem_free(jobs);
}

struct jobs *jobs_open(struct workbench *bench, struct err *e) {
    static const struct topic_limits limits = {.events_max = 256, .bytes_max = 1 << 20};
    char path[SERVE_PATH_MAX];
    struct jobs *jobs = mem_alloc(sizeof *jobs);
    jobs->bench = bench;
    jobs->list = topic_open(&limits);
    if (!serve_make_folder(bench, "jobs", path, e) ||
        !file_list(path, &(struct file_visit){take_entry, jobs}, e)) {
        free_all(jobs);
        return NULL;
    }
    qsort(jobs->items, (size_t)jobs->count, sizeof jobs->items[0], by_number);
    workbench_lock(bench);
    jobs_publish(jobs);
    jobs_pump(jobs);
    workbench_unlock(bench);
    return jobs;
}

/* Running jobs stay marked as running in their folders. */
void jobs_close(struct jobs *jobs) {
    struct workbench *bench = jobs->bench;
    workbench_lock(bench);
    jobs->closing = true;
    for (int i = 0; i < jobs->count; i++)
        atomic_store(&jobs->items[i]->stop, true);
    workbench_unlock(bench);
    task_pool_finish(bench->task_pool, jobs);
    free_all(jobs);
}

/* ---- requests ---- */

enum { ROWS_DEFAULT = 100, ROWS_MAX = 1000 };

/* The folder is written before the job is acknowledged, so that a job that an answer has shown exists after a
 * crash. 507 when it cannot be written. */
static bool add_job(struct jobs *jobs, const struct job_kind *kind, const json_t *params,
                    const struct job_draft *draft, struct message_out *out) {
    assert(jobs->count < JOBS_MAX);
    struct job *job = mem_alloc(sizeof *job);
    job->jobs = jobs;
    job->kind = kind;
    job->number = jobs->count > 0 ? jobs->items[jobs->count - 1]->number + 1 : 1;
    job->params = json_deep_copy(params);
    job->progress = (struct job_progress){.total = draft->total, .left = -1};
    job->result_was_read = true;
    serve_new_id(jobs->bench, job->id);
    snprintf(job->title, sizeof job->title, "%s", draft->title);
    jobs->bench->setup.date(job->created, sizeof job->created);
    jobs->items[jobs->count++] = job;
    if (!job_make_folder(job, draft->work, &out->why)) {
        jobs_take_out(job);
        job_discard(job);
        return message_fail_err(out, 507, NULL, &out->why);
    }
    jobs_pump(jobs);
    if (job->state == JOB_QUEUED)
        jobs_publish(jobs);
    return serve_answer(out, 201, job_info_json(job));
}

/* 201 with the job's entry. The kind checks the params and makes the work from them; its 400 names the
 * member. 429 when the list is full. */
static bool post_job(const struct call *call, struct message_out *out) {
    struct jobs *jobs = call->bench->jobs;
    struct job_draft draft = {.total = -1};
    const json_t *params = json_object_get(call->body, "params");
    const char *name;
    if (!request_text(call->body, "kind", "", &name, out))
        return false;
    const struct job_kind *kind = job_kind_find(name);
    if (kind == NULL)
        return message_fail(
            out, 400, "kind",
            "\"kind\": '%.32s' is unknown; expected match, tournament, judge, evolve or repro", name);
    if (!json_is_object(params))
        return message_fail(out, 400, "params", "\"params\": expected an object");
    if (jobs->count == JOBS_MAX)
        return message_fail_code(out, 429, NULL, "refused.jobs",
                                 "there are %d jobs; remove some that are not needed any more", JOBS_MAX);
    const bool ok = kind->draft(call->bench, params, &draft, out) && add_job(jobs, kind, params, &draft, out);
    json_decref(draft.work);
    return ok;
}

static bool get_jobs(const struct call *call, struct message_out *out) {
    jobs_pump(call->bench->jobs);
    return serve_answer(out, 200, list_json(call->bench->jobs));
}

static bool get_list_events(const struct call *call, struct message_out *out) {
    return serve_stream(out, topic_hold(call->bench->jobs->list));
}

/* The whole job, its result included. */
static bool get_job(const struct call *call, struct message_out *out) {
    job_write(call->job, &out->body);
    return serve_done(out, 200);
}

/* A stream begins with a snapshot. That of a finished job ends after it. */
static bool get_events(const struct call *call, struct message_out *out) {
    static const struct topic_limits limits = {.events_max = 1024, .bytes_max = 8 << 20};
    struct job *job = call->job;
    if (job->topic == NULL) {
        job->topic = topic_open(&limits);
        job_publish(job);
    }
    serve_stream(out, topic_hold(job->topic));
    if (job->state == JOB_DONE)
        serve_end_stream(&job->topic);
    return true;
}

/* ---- stopping, going on, removing ---- */

/* A change of state is saved before it is acknowledged, and refused if it cannot be saved. */
static bool save_state(struct job *job, enum job_state state, struct message_out *out) {
    const enum job_state before = job->state;
    job->state = state;
    if (job_save(job, &out->why))
        return true;
    job->state = before;
    return message_fail_code(out, 507, NULL, "refused.undone", "it was not done: %s", out->why.text);
}

/* One that runs is written down as cancelled, and is so when its thread has stopped. */
static bool post_cancel(const struct call *call, struct message_out *out) {
    struct job *job = call->job;
    if (job->state != JOB_QUEUED && job->state != JOB_RUNNING)
        return message_fail_code(out, 409, NULL, "refused.job_stop",
                                 "the job is %s: there is nothing to stop", job_state_names[job->state]);
    const bool is_running = job->state == JOB_RUNNING;
    if (!is_running)
        call->bench->setup.date(job->finished, sizeof job->finished);
    if (!save_state(job, JOB_CANCELLED, out)) {
        job->finished[0] = '\0';
        return false;
    }
    atomic_store(&job->stop, true);
    if (is_running) {
        job->state = JOB_RUNNING;
    } else {
        job_publish(job);
        jobs_publish(job->jobs);
    }
    return serve_answer(out, 200, job_info_json(job));
}

/* What was done is stored in the job's folder: the job goes on where it stopped. 409 for a job in another
 * state. */
static bool post_resume(const struct call *call, struct message_out *out) {
    struct job *job = call->job;
    if (job->state != JOB_CANCELLED && job->state != JOB_FAILED)
        return message_fail_code(out, 409, NULL, "refused.job_resume",
                                 "the job is %s: only one that was cancelled or has failed can continue",
                                 job_state_names[job->state]);
    const char error = job->error[0], finished = job->finished[0];
    job->error[0] = job->finished[0] = '\0';
    if (!save_state(job, JOB_QUEUED, out)) {
        job->error[0] = error;
        job->finished[0] = finished;
        return false;
    }
    job_publish(job);
    jobs_publish(job->jobs);
    jobs_pump(job->jobs);
    return serve_answer(out, 200, job_info_json(job));
}

/* On a full disk nothing can be written down, but a folder can be removed. 204 before the files are gone: a
 * task removes them, since there may be thousands. */
static bool delete_job(const struct call *call, struct message_out *out) {
    struct jobs *jobs = call->bench->jobs;
    struct job *job = call->job;
    if (!save_state(job, JOB_REMOVED, out)) {
        if (job->is_busy || !job_remove_folder(call->bench, job->id, NULL))
            return false;
        text_clear(&out->body);
        job->state = JOB_REMOVED;
    }
    serve_end_stream(&job->topic);
    if (job->is_busy) {
        atomic_store(&job->stop, true); /* its thread removes it when it has stopped */
    } else {
        const struct task task = {job_discard, job_discard, job, jobs};
        jobs_take_out(job);
        if (!task_pool_start(call->bench->task_pool, &task, NULL))
            job_free(job); /* its folder is removed at the next start */
    }
    jobs_publish(jobs);
    return serve_done(out, 204);
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

/* 404 for a kind of job without games. */
static bool has_games(const struct call *call, struct message_out *out) {
    const struct job_kind *kind = call->job->kind;
    return kind->has_games ||
           message_fail(out, 404, NULL, "a job of the kind %s has no games to look at", kind->name);
}

/* A part of the list of games, chosen by "from" and "count" in the query. */
static bool get_games(const struct call *call, struct message_out *out) {
    int from = 0, count = ROWS_DEFAULT;
    if (!has_games(call, out) || !query_int(call->in, "from", 0, EVENT_GAMES_MAX, &from, out) ||
        !query_int(call->in, "count", 1, ROWS_MAX, &count, out))
        return false;
    const struct job_games *games = job_games_of(call->job, &out->why);
    return games != NULL ? serve_answer(out, 200, job_games_json(games, from, count))
                         : message_fail_err(out, 500, NULL, &out->why);
}

/* The game as a record, for which the caller calls record_done; false after a 404. */
static bool load_game(const struct call *call, long *number, struct record *record, struct message_out *out) {
    if (!has_games(call, out))
        return false;
    if (text_to_int(call->parts[1], number) && *number >= 0 && *number < EVENT_GAMES_MAX) {
        if (job_games_load(call->job, (int)*number, record))
            return true;
        record_done(record);
    }
    return message_fail_code(out, 404, NULL, "refused.no_game", "there is no game '%.20s' that is over",
                             call->parts[1]);
}

/* A record contains the map's text; only the event has its name. */
static bool get_game(const struct call *call, struct message_out *out) {
    struct record record;
    long number;
    if (!load_game(call, &number, &record, out))
        return false;
    const struct job_games *games = job_games_of(call->job, &out->why);
    const char *map = games != NULL ? job_games_map(games, (int)number) : NULL;
    return live_games_show_record(call->bench, &record, call->parts[1], map, out);
}

/* The record as a file; 404 for a game that is not over. */
static bool get_record(const struct call *call, struct message_out *out) {
    struct record record;
    long number;
    if (!load_game(call, &number, &record, out))
        return false;
    const bool ok = record_write_json(&record, &out->body, &out->why);
    record_done(&record);
    snprintf(out->file_name, sizeof out->file_name, "game-%.20s.json", call->parts[1]);
    return ok ? serve_done(out, 200) : message_fail_err(out, 500, NULL, &out->why);
}

/* ---- files ---- */

/* "files/NAME" or "files/FOLDER/NAME". Only names that the job's list of files has: nothing else is ever
 * opened. */
static bool get_file(const struct call *call, struct message_out *out) {
    char name[MESSAGE_PATH_MAX], path[SERVE_PATH_MAX];
    const struct job *job = call->job;
    const char *last = call->parts[2] != NULL ? call->parts[2] : call->parts[1];
    if (call->parts[2] != NULL)
        snprintf(name, sizeof name, "files/%.200s/%.200s", call->parts[1], last);
    else
        snprintf(name, sizeof name, "files/%.400s", last);
    json_t *list = job_files_json(job);
    bool is_listed = false;
    for (size_t i = 0; !is_listed && i < json_array_size(list); i++)
        is_listed = strcmp(json_string_value(json_array_get(list, i)), name + strlen("files/")) == 0;
    json_decref(list);
    if (!is_listed)
        return message_fail_code(out, 404, NULL, "refused.no_file", "the job has no file '%.80s'",
                                 name + strlen("files/"));
    if (!job_path(job, name, path, &out->why) || !file_read(path, JOB_FILE_MAX, &out->body, &out->why))
        return message_fail_err(out, 500, NULL, &out->why);
    const struct job_file_type *type = job_file_type(last);
    assert(type != NULL); /* it is listed */
    out->type = type->type;
    if (!type->is_shown)
        snprintf(out->file_name, sizeof out->file_name, "%.100s", last);
    return serve_done(out, 200);
}

const struct route job_routes[] = {
    {MESSAGE_POST, "/api/jobs", post_job, "kind params"},
    {MESSAGE_GET, "/api/jobs", get_jobs},
    {MESSAGE_GET, "/api/jobs/events", get_list_events},
    {MESSAGE_GET, "/api/jobs/*", get_job},
    {MESSAGE_DELETE, "/api/jobs/*", delete_job},
    {MESSAGE_GET, "/api/jobs/*/events", get_events},
    {MESSAGE_POST, "/api/jobs/*/cancel", post_cancel, ""},
    {MESSAGE_POST, "/api/jobs/*/resume", post_resume, ""},
    {MESSAGE_GET, "/api/jobs/*/games", get_games},
    {MESSAGE_GET, "/api/jobs/*/games/*", get_game},
    {MESSAGE_GET, "/api/jobs/*/games/*/record", get_record},
    {MESSAGE_GET, "/api/jobs/*/files/*", get_file},
    {MESSAGE_GET, "/api/jobs/*/files/*/*", get_file},
    {MESSAGE_GET, NULL, NULL},
};
