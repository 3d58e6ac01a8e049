/* SPDX-License-Identifier: MIT
 *
 * All jobs: kept in the data folder, begun in the order in which they came, two at a time.
 */
#include "serve/jobs.h"

#include "base/file.h"
#include "base/mem.h"
#include "serve/job_games.h"
#include "serve/job_run.h"
#include "serve/job_show.h"
#include "serve/job_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct topic_limits list_limits = {.events_max = 256, .bytes_max = 1 << 20};

/* ---- finding and dropping ---- */

struct job *jobs_find(struct jobs *jobs, const char *id, struct message_out *out) {
    for (int i = 0; i < jobs->count; i++)
        if (jobs->items[i]->state != JOB_REMOVED && strcmp(jobs->items[i]->id, id) == 0)
            return jobs->items[i];
    message_fail(out, 404, NULL, "there is no job '%.32s'", id);
    return NULL;
}

static void job_free(struct job *job) {
    job_tell_end(job);
    job_games_close(job->games);
    json_decref(job->params);
    text_done(&job->result);
    mem_free(job);
}

void jobs_drop(struct job *job) {
    struct jobs *jobs = job->jobs;
    int i = 0;
    while (i < jobs->count && jobs->items[i] != job)
        i++;
    if (i < jobs->count) {
        memmove(&jobs->items[i], &jobs->items[i + 1], (size_t)(jobs->count - i - 1) * sizeof jobs->items[0]);
        jobs->count--;
    }
    job_free(job);
}

void jobs_pump(struct jobs *jobs) {
    struct err e;
    if (jobs->closing || jobs->bench->setup.idle)
        return;
    for (int i = 0; i < jobs->count && jobs->running < JOBS_RUNNING_MAX; i++)
        if (jobs->items[i]->state == JOB_QUEUED && !jobs->items[i]->is_busy && !job_start(jobs->items[i], &e))
            return; /* later: whenever somebody asks for jobs, or one ends */
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
    return last == NULL ? NULL
                        : json_pack("{ss ss ss}", "job", last->id, "finished", last->finished, "summary",
                                    last->summary);
}

/* ---- opening and closing ---- */

/* A job that was under way goes on; one that was removed is gone now. */
static void take_folder(struct jobs *jobs, const char *id) {
    struct err e;
    struct job *job = jobs->count < JOBS_MAX ? job_load(jobs, id, &e) : NULL;
    if (job == NULL) { /* whatever it is, it is left alone */
        serve_note_damage(jobs->bench, "job %s cannot be read: %s; its folder is left as it is", id,
                          jobs->count < JOBS_MAX ? e.text : "there are too many");
        return;
    }
    if (job->state == JOB_REMOVED) {
        job_remove_folder(jobs->bench, id, &e);
        job_free(job);
        return;
    }
    job->state = job->state == JOB_RUNNING ? JOB_QUEUED : job->state;
    jobs->items[jobs->count++] = job;
}

static bool take_entry(void *context, const char *name) {
    if (serve_is_id(name))
        take_folder(context, name);
    return true;
}

static int by_number(const void *a, const void *b) {
    const struct job *const *left = a, *const *right = b;
    const int difference = (*left)->number - (*right)->number;
    return difference != 0 ? difference : strcmp((*left)->id, (*right)->id);
}

static bool read_folders(struct jobs *jobs, struct err *e) {
    char path[SERVE_PATH_MAX];
    if (!serve_make_folder(jobs->bench, "jobs", e) || !serve_path(jobs->bench, "jobs", "", path, e))
        return false;
    if (!file_list(path, &(struct file_visit){take_entry, jobs}, e))
        return false;
    qsort(jobs->items, (size_t)jobs->count, sizeof jobs->items[0], by_number);
    return true;
}

static void free_all(struct jobs *jobs) {
    for (int i = 0; i < jobs->count; i++)
        job_free(jobs->items[i]);
    if (jobs->list != NULL)
        topic_end(jobs->list);
    topic_drop(jobs->list);
    mem_free(jobs);
}

struct jobs *jobs_open(struct workbench *bench, struct err *e) {
    struct jobs *jobs = mem_alloc(sizeof *jobs);
    if (jobs == NULL) {
        err_set(e, "not enough memory for the jobs");
        return NULL;
    }
    jobs->bench = bench;
    jobs->list = topic_open(&list_limits);
    if ((jobs->list == NULL && !err_set(e, "not enough memory for the jobs")) || !read_folders(jobs, e)) {
        free_all(jobs);
        return NULL;
    }
    workbench_lock(bench);
    jobs_tell(jobs);
    jobs_pump(jobs);
    workbench_unlock(bench);
    return jobs;
}

/* Those that are under way stay so in their folders. */
void jobs_close(struct jobs *jobs) {
    struct workbench *bench = jobs->bench;
    workbench_lock(bench);
    jobs->closing = true;
    for (int i = 0; i < jobs->count; i++)
        atomic_store(&jobs->items[i]->stop, true);
    workbench_unlock(bench);
    crew_finish(bench->crew, jobs);
    free_all(jobs);
}
