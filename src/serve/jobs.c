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

static struct job *find_job(struct workbench *bench, const struct call *call, struct message_out *out) {
    const char *id = call->parts[0];
    for (int i = 0; i < bench->jobs->count; i++) {
        struct job *job = bench->jobs->items[i];
        if (job->state != JOB_REMOVED && strcmp(job->id, id) == 0)
            return job;
    }
    message_fail_code(out, 404, NULL, "refused.no_job", "there is no job '%.32s'", id);
    return NULL;
}

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
    free(dump);
}

static void job_free(struct job *job) {
    serve_end_stream(&job->topic);
    job_games_close(job->games);
    json_decref(job->params);
    text_done(&job->result);
    mem_free(job);
}

void jobs_drop(struct job *job) {
    assert(!job->is_busy);
    struct jobs *jobs = job->jobs;
    int i = 0;
    while (jobs->items[i] != job)
        i++;
    assert(i < jobs->count);
    jobs->count--;
    memmove(&jobs->items[i], &jobs->items[i + 1], (size_t)(jobs->count - i) * sizeof jobs->items[0]);
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
        serve_note_damage(jobs->bench, "job %s cannot be read: %s; its folder is left as it is", name,
                          jobs->count < JOBS_MAX ? e.text : "there are too many");
    } else if (job->state == JOB_REMOVED) {
        job_remove_folder(jobs->bench, name, &e);
        job_free(job);
    } else {
        job->state = job->state == JOB_RUNNING ? JOB_QUEUED : job->state;
        jobs->items[jobs->count++] = job;
    }
    return true;
}

static int by_number(const void *a, const void *b) {
    const struct job *const *left = a, *const *right = b;
    const int difference = (*left)->number - (*right)->number;
    return difference != 0 ? difference : strcmp((*left)->id, (*right)->id);
}

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
    if (!serve_make_folder(bench, "jobs", e) || !serve_path(bench, "jobs", "", path, e) ||
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

/* Takes the text. */
static bool answer_text(struct message_out *out, struct text *text) {
    assert(out->body.data == NULL);
    if (text->size == 0)
        return message_fail(out, 500, NULL, "the job cannot be written as JSON");
    out->body = *text;
    out->status = 200;
    return true;
}

static bool add_job(struct jobs *jobs, const struct job_kind *kind, const json_t *params,
                    const struct job_draft *draft, struct message_out *out) {
    assert(jobs->count < JOBS_MAX);
    struct err e;
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
    if (!job_make_folder(job, draft->work, &e)) {
        job_remove_folder(jobs->bench, job->id, NULL);
        jobs_drop(job);
        return message_fail_err(out, 507, NULL, &e);
    }
    jobs_pump(jobs);
    if (job->state == JOB_QUEUED)
        jobs_publish(jobs);
    return serve_answer(out, 201, job_info_json(job));
}

static bool post_job(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const known[] = {"kind", "params", NULL};
    struct job_draft draft = {.total = -1};
    const json_t *params = json_object_get(call->body, "params");
    const char *name;
    if (!serve_knows(call->body, known, out) || !request_text(call->body, "kind", "", &name, out))
        return false;
    const struct job_kind *kind = job_kind_find(name);
    if (kind == NULL)
        return message_fail(
            out, 400, "kind",
            "\"kind\": '%.32s' is unknown; expected match, tournament, judge, evolve or repro", name);
    if (!json_is_object(params))
        return message_fail(out, 400, "params", "\"params\": expected an object");
    if (bench->jobs->count == JOBS_MAX)
        return message_fail_code(out, 429, NULL, "refused.jobs",
                                 "there are %d jobs; remove some that are not needed any more", JOBS_MAX);
    const bool ok =
        kind->draft(bench, params, &draft, out) && add_job(bench->jobs, kind, params, &draft, out);
    json_decref(draft.work);
    return ok;
}

static bool get_jobs(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
    jobs_pump(bench->jobs);
    return serve_answer(out, 200, list_json(bench->jobs));
}

static bool get_list_events(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
    return serve_stream(out, topic_hold(bench->jobs->list));
}

static bool get_job(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct text text = {0};
    struct job *job = find_job(bench, call, out);
    if (job == NULL)
        return false;
    job_write(job, &text);
    return answer_text(out, &text);
}

static bool get_events(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = find_job(bench, call, out);
    return job != NULL && serve_stream(out, job_listen(job));
}

/* ---- stopping, going on, removing ---- */

static struct job *find_to_change(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const none[] = {NULL};
    return call->body == NULL || serve_knows(call->body, none, out) ? find_job(bench, call, out) : NULL;
}

/* A change of state is saved before it is acknowledged, and refused if it cannot be saved. */
static bool save_state(struct job *job, enum job_state state, struct message_out *out) {
    const enum job_state before = job->state;
    struct err e;
    job->state = state;
    if (job_save(job, &e))
        return true;
    job->state = before;
    return message_fail_code(out, 507, NULL, "refused.undone", "it was not done: %s", e.text);
}

/* One that runs is written down as cancelled, and is so when its thread has stopped. */
static bool post_cancel(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = find_to_change(bench, call, out);
    if (job == NULL)
        return false;
    if (job->state != JOB_QUEUED && job->state != JOB_RUNNING)
        return message_fail_code(out, 409, NULL, "refused.job_stop",
                                 "the job is %s: there is nothing to stop", job_state_names[job->state]);
    const bool is_running = job->state == JOB_RUNNING;
    if (!is_running)
        bench->setup.date(job->finished, sizeof job->finished);
    if (!save_state(job, JOB_CANCELLED, out)) {
        job->finished[0] = '\0';
        return false;
    }
    atomic_store(&job->stop, true);
    if (is_running) {
        job->state = JOB_RUNNING;
    } else {
        job_publish(job);
        jobs_publish(bench->jobs);
    }
    return serve_answer(out, 200, job_info_json(job));
}

static bool post_resume(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = find_to_change(bench, call, out);
    if (job == NULL)
        return false;
    if (job->state != JOB_CANCELLED && job->state != JOB_FAILED)
        return message_fail_code(out, 409, NULL, "refused.job_resume",
                                 "the job is %s: only one that was cancelled or has failed goes on",
                                 job_state_names[job->state]);
    const char error = job->error[0], finished = job->finished[0];
    job->error[0] = job->finished[0] = '\0';
    if (!save_state(job, JOB_QUEUED, out)) {
        job->error[0] = error;
        job->finished[0] = finished;
        return false;
    }
    job_publish(job);
    jobs_publish(bench->jobs);
    jobs_pump(bench->jobs);
    return serve_answer(out, 200, job_info_json(job));
}

/* The folder of an idle job may contain thousands of files: a separate thread removes them. */
struct removal {
    struct workbench *bench;
    char id[SERVE_ID_MAX];
};

static void remove_folder(void *context) {
    struct removal *removal = context;
    job_remove_folder(removal->bench, removal->id, NULL); /* the rest is removed at the next start */
    mem_free(removal);
}

/* On a full disk nothing can be written down, but a folder can be removed. */
static bool delete_job(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct job *job = find_to_change(bench, call, out);
    struct err e;
    if (job == NULL)
        return false;
    if (!save_state(job, JOB_REMOVED, out)) {
        if (job->is_busy || !job_remove_folder(bench, job->id, &e))
            return false;
        text_clear(&out->body);
        job->state = JOB_REMOVED;
    }
    serve_end_stream(&job->topic);
    if (job->is_busy) {
        atomic_store(&job->stop, true); /* its thread removes it when it has stopped */
    } else {
        struct removal *removal = mem_alloc(sizeof *removal);
        const struct task task = {
            .run = remove_folder, .dropped = remove_folder, .context = removal, .owner = bench->jobs};
        removal->bench = bench;
        memcpy(removal->id, job->id, sizeof removal->id);
        if (!task_pool_start(bench->task_pool, &task, &e))
            mem_free(removal);
        jobs_drop(job);
    }
    jobs_publish(bench->jobs);
    out->status = 204;
    return true;
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
    struct job *job = find_job(bench, call, out);
    if (job == NULL || job->kind->has_games)
        return job;
    message_fail(out, 404, NULL, "a job of the kind %s has no games to look at", job->kind->name);
    return NULL;
}

static bool get_games(struct workbench *bench, const struct call *call, struct message_out *out) {
    int from = 0, count = ROWS_DEFAULT;
    struct err e;
    struct job *job = find_event(bench, call, out);
    if (job == NULL || !query_int(call->in, "from", 0, EVENT_GAMES_MAX, &from, out) ||
        !query_int(call->in, "count", 1, ROWS_MAX, &count, out))
        return false;
    const struct job_games *games = job_games_of(job, &e);
    return games != NULL ? serve_answer(out, 200, job_games_json(games, from, count))
                         : message_fail_err(out, 500, NULL, &e);
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

/* A record contains the map's text; only the event has its name. */
static bool get_game(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct record record;
    struct text text = {0};
    struct err e, ignored;
    long number;
    struct job *job = load_game(bench, call, &number, &record, out);
    if (job == NULL)
        return false;
    const struct job_games *games = job_games_of(job, &ignored);
    const struct live_game_label as = {.id = call->parts[1],
                                       .map = games != NULL ? job_games_map(games, (int)number) : NULL};
    const bool ok = live_games_write_record(bench, &record, &as, &text, &e);
    record_done(&record);
    if (ok)
        return answer_text(out, &text);
    text_done(&text);
    return message_fail_err(out, 500, NULL, &e);
}

static bool get_record(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct record record;
    struct text text = {0};
    struct err e;
    long number;
    if (load_game(bench, call, &number, &record, out) == NULL)
        return false;
    const bool ok = record_write_json(&record, &text, &e);
    record_done(&record);
    if (!ok) {
        text_done(&text);
        return message_fail_err(out, 500, NULL, &e);
    }
    snprintf(out->file_name, sizeof out->file_name, "game-%.20s.json", call->parts[1]);
    return answer_text(out, &text);
}

/* ---- files ---- */

/* "files/NAME" or "files/FOLDER/NAME". Only names that the job's list of files has: nothing else is ever
 * opened. */
static bool get_file(struct workbench *bench, const struct call *call, struct message_out *out) {
    char name[MESSAGE_PATH_MAX], path[SERVE_PATH_MAX];
    struct text text = {0};
    struct err e;
    const struct job *job = find_job(bench, call, out);
    if (job == NULL)
        return false;
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
    if (!job_path(job, name, path, &e) || !file_read(path, JOB_FILE_MAX, &text, &e)) {
        text_done(&text);
        return message_fail_err(out, 500, NULL, &e);
    }
    const struct job_file_type *type = job_file_type(last);
    assert(type != NULL); /* it is listed */
    out->type = type->type;
    if (!type->is_shown)
        snprintf(out->file_name, sizeof out->file_name, "%.100s", last);
    return answer_text(out, &text);
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
    {MESSAGE_GET, "/api/jobs/*/files/*/*", get_file},
    {MESSAGE_GET, NULL, NULL},
};
