/* SPDX-License-Identifier: MIT
 *
 * Jobs as JSON (docs/http-api.md), and the streams of those who follow them.
 */
#include "serve/job_show.h"

#include "base/file.h"
#include "base/jsontext.h"
#include "serve/job_store.h"

#include <stdlib.h>

static const char *const state_names[JOB_STATES] = {
    [JOB_QUEUED] = "queued", [JOB_RUNNING] = "running",     [JOB_DONE] = "done",
    [JOB_FAILED] = "failed", [JOB_CANCELLED] = "cancelled", [JOB_REMOVED] = "removed"};

static const struct topic_limits job_limits = {.events_max = 1024, .bytes_max = 8 << 20};

const char *job_state_name(enum job_state state) {
    return state_names[state];
}

/* ---- JSON ---- */

/* Time goes on between two steps, which may be minutes apart. */
static double seconds_of(const struct job *job) {
    return job->progress.seconds +
           (job->state == JOB_RUNNING
                ? clock_seconds_since(job->jobs->bench->setup.clock, job->progress.at_ns)
                : 0);
}

static json_t *progress_json(const struct job *job) {
    const struct job_progress *p = &job->progress;
    return json_pack("{si so ss ss sf so}", "done", p->done, "total",
                     p->total >= 0 ? json_integer(p->total) : json_null(), "unit", job->kind->unit, "note",
                     p->note, "seconds", seconds_of(job), "left",
                     p->left >= 0 ? json_real(p->left) : json_null());
}

json_t *job_info_json(const struct job *job) {
    return json_pack("{ss ss ss ss so ss ss ss}", "id", job->id, "kind", job->kind->name, "title", job->title,
                     "state", state_names[job->state], "progress", progress_json(job), "created",
                     job->created, "finished", job->finished, "error", job->error);
}

json_t *jobs_list_json(const struct jobs *jobs) {
    json_t *list = json_array();
    for (int i = jobs->count - 1; i >= 0; i--)
        if (jobs->items[i]->state != JOB_REMOVED)
            json_array_append_new(list, job_info_json(jobs->items[i]));
    return list;
}

static void read_result(struct job *job) {
    char path[SERVE_PATH_MAX];
    struct err e;
    if (job->result_was_read)
        return;
    job->result_was_read = true;
    if (!job_path(job, "result.json", path, &e) || !file_is_plain(path) ||
        !file_read(path, JOB_FILE_MAX, &job->result, &e))
        text_clear(&job->result);
    json_t *read =
        job->result.size > 0 ? jsontext_load(path, text_string(&job->result), job->result.size, &e) : NULL;
    if (read == NULL) /* it is told as it is: it must be JSON */
        text_clear(&job->result);
    json_decref(read);
}

/* The result is text already, and may be large: the object is written around it. */
void job_write(struct job *job, struct text *out) {
    json_t *root = job_info_json(job);
    if (root != NULL) {
        json_object_set(root, "params", job->params);
        json_object_set_new(root, "files", job_files_json(job));
    }
    char *dump = root != NULL ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(root);
    read_result(job);
    if (dump == NULL || dump[0] != '{') {
        out->failed = true;
    } else {
        text_add(out, "{\"result\":%s,", job->result.size > 0 ? text_string(&job->result) : "null");
        text_add_string(out, dump + 1);
    }
    free(dump);
}

/* ---- streams ---- */

static void add_json(struct topic *topic, const char *name, json_t *value) {
    char *dump = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (dump != NULL)
        topic_add(topic, name, dump, true);
    free(dump);
    json_decref(value);
}

void jobs_tell(struct jobs *jobs) {
    add_json(jobs->list, "jobs", jobs_list_json(jobs));
}

void job_tell(struct job *job) {
    struct text text = {0};
    if (job->topic == NULL)
        return;
    job_write(job, &text);
    if (!text.failed)
        topic_add(job->topic, "job", text_string(&text), true);
    text_done(&text);
}

/* What is far behind begins with a new picture. */
static void refresh(struct job *job) {
    struct text text = {0};
    if (!topic_wants_base(job->topic))
        return;
    job_write(job, &text);
    if (!text.failed)
        topic_add_base(job->topic, "job", text_string(&text));
    text_done(&text);
}

static void set_keyed(struct topic *topic, int key, json_t *value) {
    char *dump = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (dump != NULL)
        topic_set_keyed(topic, "progress", (uint64_t)key, dump);
    free(dump);
    json_decref(value);
}

void job_tell_progress(struct job *job) {
    struct jobs *jobs = job->jobs;
    set_keyed(jobs->list, job->number, json_pack("{ss so}", "id", job->id, "progress", progress_json(job)));
    if (topic_wants_base(jobs->list))
        jobs_tell(jobs);
    if (job->topic == NULL)
        return;
    set_keyed(job->topic, 0, progress_json(job));
    refresh(job);
}

void job_tell_end(struct job *job) {
    if (job->topic != NULL)
        topic_end(job->topic);
    topic_drop(job->topic);
    job->topic = NULL;
}

/* A job that is done says all there is and ends; others may go on. */
struct topic *job_listen(struct job *job) {
    if (job->topic != NULL)
        return topic_hold(job->topic);
    job->topic = topic_open(&job_limits);
    if (job->topic == NULL)
        return NULL;
    job_tell(job);
    struct topic *held = topic_hold(job->topic);
    if (job->state == JOB_DONE)
        job_tell_end(job);
    return held;
}
