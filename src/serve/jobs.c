/* SPDX-License-Identifier: MIT
 *
 * All jobs: their folders in the data folder, and the list. Jobs are started in the order of their creation,
 * two at a time.
 *
 * A job's files are on the disk when the write returns. work.json holds a copy of the first job.json: if
 * job.json is empty or truncated (by another program, or a broken disk), it is rebuilt from that copy.
 */
#include "serve/job.h"

#include "base/charset.h"
#include "base/file.h"
#include "base/jsontext.h"
#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- folders ---- */

#define FORMAT      "senjutsu-job"
#define WORK_FORMAT "senjutsu-work"

enum { COUNT_MAX = 1000000000 };

static const struct job_kind *const kinds[] = {&job_match,  &job_tournament, &job_judge,
                                               &job_evolve, &job_repro,      NULL};

const struct job_kind *job_kind_find(const char *name) {
    for (int i = 0; kinds[i] != NULL; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

bool job_path(const struct job *job, const char *name, char out[SERVE_PATH_MAX], struct err *e) {
    char within[256];
    const int size = snprintf(within, sizeof within, "%s%s%s", job->id, name[0] != '\0' ? "/" : "", name);
    assert(size > 0);
    assert((size_t)size < sizeof within); /* names for the page are limited: is_for_page */
    (void)size;
    return serve_path(job->jobs->bench, "jobs", within, out, e);
}

/* ---- JSON files ---- */

static bool write_json(const struct job *job, const char *name, const json_t *value, struct err *e) {
    char path[SERVE_PATH_MAX];
    char *dump = json_dumps(value, JSON_COMPACT);
    const bool ok = job_path(job, name, path, e) && file_write(path, dump, strlen(dump), e);
    free(dump);
    return ok;
}

static json_t *read_json(const struct job *job, const char *name, struct err *e) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    json_t *value = NULL;
    if (!job_path(job, name, path, e))
        return NULL;
    if (!file_is_plain(path))
        err_set(e, "%s: is no file", path);
    else if (file_read(path, JOB_FILE_MAX, &text, e))
        value = jsontext_load(path, text_string(&text), text.size, e);
    text_done(&text);
    return value;
}

static json_t *description_json(const struct job *job) {
    json_t *root = job_info_json(job);
    json_object_set_new(root, "format", json_string(FORMAT));
    json_object_set_new(root, "version", json_integer(1));
    json_object_set_new(root, "number", json_integer(job->number));
    json_object_set_new(root, "summary", json_string(job->summary));
    json_object_set_new(root, "summary_messages", json_loads(job->summary_messages, 0, NULL));
    json_object_set(root, "params", job->params);
    return root;
}

bool job_save(const struct job *job, struct err *e) {
    assert(job->kind != NULL);
    assert(job->state < JOB_STATES);
    json_t *root = description_json(job);
    const bool ok = write_json(job, "job.json", root, e);
    json_decref(root);
    return ok;
}

static bool save_work(const struct job *job, const json_t *work, struct err *e) {
    json_t *root = json_pack("{ss si so sO}", "format", WORK_FORMAT, "version", 1, "job",
                             description_json(job), "work", (json_t *)(uintptr_t)work);
    const bool ok = write_json(job, "work.json", root, e);
    json_decref(root);
    return ok;
}

bool job_make_folder(const struct job *job, const json_t *work, struct err *e) {
    char path[SERVE_PATH_MAX];
    return job_path(job, "", path, e) && file_make_folder(path, e) && job_path(job, "files", path, e) &&
           file_make_folder(path, e) && save_work(job, work, e) && job_save(job, e);
}

/* Earlier versions wrote the work alone. */
json_t *job_read_work(const struct job *job, struct err *e) {
    json_t *root = read_json(job, "work.json", e);
    json_t *format = json_object_get(root, "format");
    if (!json_is_string(format) || strcmp(json_string_value(format), WORK_FORMAT) != 0)
        return root;
    json_t *work = json_incref(json_object_get(root, "work"));
    json_decref(root);
    return work != NULL || err_set(e, "job %s: its work.json is not whole", job->id) ? work : NULL;
}

/* ---- loading ---- */

static bool copy_text(const json_t *root, const char *key, char *out, size_t out_size) {
    const char *text = json_string_value(json_object_get(root, key));
    charset_copy(out, out_size, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
    return text != NULL;
}

static bool read_state(const json_t *root, struct job *job) {
    const char *name = json_string_value(json_object_get(root, "state"));
    for (int i = 0; name != NULL && i < JOB_STATES; i++)
        if (strcmp(job_state_name((enum job_state)i), name) == 0) {
            job->state = (enum job_state)i;
            return true;
        }
    return false;
}

/* An impossible count (from an edited file) becomes 0. */
static int read_count(const json_t *value) {
    const json_int_t number = json_integer_value(value);
    return number >= 0 && number <= COUNT_MAX ? (int)number : 0;
}

static void read_progress(const json_t *root, struct job_progress *out) {
    const json_t *progress = json_object_get(root, "progress"), *total = json_object_get(progress, "total");
    out->done = read_count(json_object_get(progress, "done"));
    out->total = json_is_integer(total) ? read_count(total) : -1;
    out->seconds = json_number_value(json_object_get(progress, "seconds"));
    out->left = -1;
    copy_text(progress, "note", out->note, sizeof out->note);
}

static bool read_members(const json_t *root, struct job *job, struct err *e) {
    const char *kind = json_string_value(json_object_get(root, "kind"));
    job->kind = kind != NULL ? job_kind_find(kind) : NULL;
    job->params = json_incref(json_object_get(root, "params"));
    job->number = read_count(json_object_get(root, "number"));
    read_progress(root, &job->progress);
    job_set_messages(job, json_object_get(root, "summary_messages"));
    const bool whole = job->kind != NULL && json_is_object(job->params) && read_state(root, job) &&
                       copy_text(root, "title", job->title, sizeof job->title) &&
                       copy_text(root, "created", job->created, sizeof job->created) &&
                       copy_text(root, "finished", job->finished, sizeof job->finished) &&
                       copy_text(root, "error", job->error, sizeof job->error) &&
                       copy_text(root, "summary", job->summary, sizeof job->summary);
    return whole || err_set(e, "job %s: its job.json is not whole", job->id);
}

/* A file of the job's with all its bytes; false when it cannot be read. */
static bool read_bytes(const struct job *job, const char *name, struct text *out) {
    char path[SERVE_PATH_MAX];
    return job_path(job, name, path, NULL) && file_is_plain(path) && file_read(path, JOB_FILE_MAX, out, NULL);
}

/* Is the file empty or no JSON? A file with other valid JSON is not ours to replace. */
static bool is_cut_off(const struct text *text) {
    json_t *value = jsontext_load("it", text_string(text), text->size, NULL);
    json_decref(value);
    return value == NULL;
}

static bool write_aside(const struct job *job, const struct text *damaged, struct err *e) {
    char path[SERVE_PATH_MAX];
    return job_path(job, "job.json.damaged", path, e) &&
           file_write(path, text_string(damaged), damaged->size, e);
}

/* Rebuilds job.json. Progress and a possible stop are lost, so the job does not resume by itself. The
 * damaged file is stored beside the new one. */
static bool make_again(struct job *job, struct err *e) {
    struct text text = {0};
    json_t *root =
        read_bytes(job, "job.json", &text) && is_cut_off(&text) ? read_json(job, "work.json", NULL) : NULL;
    const json_t *description = json_object_get(root, "job");
    bool ok =
        description != NULL && jsontext_is(description, FORMAT, NULL) && read_members(description, job, NULL);
    json_decref(root);
    if (ok) {
        job->state = JOB_CANCELLED;
        snprintf(job->error, sizeof job->error,
                 "its job.json was empty or cut off, and was made again; if it is resumed, what was done is "
                 "found in its folder");
        ok = write_aside(job, &text, e) && job_save(job, e);
    }
    if (ok)
        serve_note_damage(job->jobs->bench,
                          "job %s: its job.json was empty or cut off, and was made again from work.json; "
                          "job.json.damaged is what was there",
                          job->id);
    text_done(&text);
    return ok;
}

/* Checks only the first and last byte, since results are many and long. A missing file counts as complete:
 * it was never written. */
static bool is_whole_result(const struct job *job) {
    struct text text = {0};
    const bool is = !read_bytes(job, "result.json", &text) ||
                    (text.size > 1 && text.data[0] == '{' && text.data[text.size - 1] == '}');
    text_done(&text);
    return is;
}

/* A truncated result is made again when the job resumes: its games are stored. */
static void check_files(struct job *job) {
    char path[SERVE_PATH_MAX];
    struct stat info;
    if (job_path(job, "games.db", path, NULL) && job->progress.done > 0 && stat(path, &info) == 0 &&
        info.st_size == 0)
        serve_note_damage(job->jobs->bench, "%s: the games of job %s are lost: the file is empty", path,
                          job->id);
    if (job->state != JOB_DONE || is_whole_result(job))
        return;
    serve_note_damage(job->jobs->bench,
                      "job %s: its result.json is empty or cut off; resume the job to have it made again",
                      job->id);
    job->state = JOB_CANCELLED;
    snprintf(job->error, sizeof job->error, "its result was lost; if it is resumed, it is made again");
}

/* Reads job.json of the folder of that name; NULL and a reason. */
static struct job *job_load(struct jobs *jobs, const char *id, struct err *e) {
    struct job *job = mem_alloc(sizeof *job);
    job->jobs = jobs;
    snprintf(job->id, sizeof job->id, "%s", id);
    json_t *root = read_json(job, "job.json", e);
    bool ok = root != NULL && jsontext_is(root, FORMAT, e) && read_members(root, job, e);
    json_decref(root);
    ok = ok || make_again(job, e);
    if (ok) {
        check_files(job);
        return job;
    }
    json_decref(job->params);
    mem_free(job);
    return NULL;
}

/* ---- removing it ---- */

bool job_remove_folder(const struct workbench *bench, const char *id, struct err *e) {
    char path[SERVE_PATH_MAX];
    return serve_path(bench, "jobs", id, path, e) && file_remove_folder(path, e);
}

/* ---- files ---- */

/* Where files for the page may be. */
static const char *const places[] = {"", "faults", "maps", "pictures"};

static const char *const endings[] = {".csv", ".gp", ".html", ".json", ".png", ".svg", ".tbsmap"};

static bool is_for_page(const char *name) {
    const size_t size = strlen(name);
    if (name[0] == '.' || size > 200)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t ending = strlen(endings[i]);
        if (size > ending && strcmp(name + size - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

struct names {
    const char *place; /* being listed */
    char path[SERVE_PATH_MAX];
    int count;
    char *items[JOB_FILES_MAX];
};

static bool is_plain_within(const char *folder, const char *name) {
    char path[SERVE_PATH_MAX];
    const int size = snprintf(path, sizeof path, "%s/%s", folder, name);
    return size > 0 && (size_t)size < sizeof path && file_is_plain(path);
}

static bool add_name(void *context, const char *name) {
    struct names *names = context;
    if (!is_for_page(name) || !is_plain_within(names->path, name))
        return true;
    struct text full = {0};
    text_add(&full, "%s%s%s", names->place, names->place[0] != '\0' ? "/" : "", name);
    names->items[names->count++] = full.data; /* the list's from now on */
    return names->count < JOB_FILES_MAX;
}

/* A place that is not there has no files. */
static void list_place(const struct job *job, struct names *out) {
    char within[64];
    snprintf(within, sizeof within, "files%s%s", out->place[0] != '\0' ? "/" : "", out->place);
    if (out->count < JOB_FILES_MAX && job_path(job, within, out->path, NULL))
        file_list(out->path, &(struct file_visit){add_name, out}, NULL);
}

static int by_name(const void *a, const void *b) {
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

json_t *job_files_json(const struct job *job) {
    struct names names = {0};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        names.place = places[i];
        list_place(job, &names);
    }
    qsort(names.items, (size_t)names.count, sizeof names.items[0], by_name);
    json_t *list = json_array();
    for (int i = 0; i < names.count; i++) {
        json_array_append_new(list, json_string(names.items[i]));
        mem_free(names.items[i]);
    }
    return list;
}

bool job_has_file(const struct job *job, const char *name) {
    json_t *list = job_files_json(job);
    bool found = false;
    for (size_t i = 0; !found && i < json_array_size(list); i++)
        found = strcmp(json_string_value(json_array_get(list, i)), name) == 0;
    json_decref(list);
    return found;
}

static const struct topic_limits list_limits = {.events_max = 256, .bytes_max = 1 << 20};

/* ---- finding and dropping ---- */

struct job *jobs_find(struct jobs *jobs, const char *id, struct message_out *out) {
    for (int i = 0; i < jobs->count; i++)
        if (jobs->items[i]->state != JOB_REMOVED && strcmp(jobs->items[i]->id, id) == 0)
            return jobs->items[i];
    message_fail_code(out, 404, NULL, "refused.no_job", "there is no job '%.32s'", id);
    return NULL;
}

static void job_free(struct job *job) {
    job_end_stream(job);
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
    topic_end(jobs->list);
    topic_drop(jobs->list);
    mem_free(jobs);
}

struct jobs *jobs_open(struct workbench *bench, struct err *e) {
    struct jobs *jobs = mem_alloc(sizeof *jobs);
    jobs->bench = bench;
    jobs->list = topic_open(&list_limits);
    if (!read_folders(jobs, e)) {
        free_all(jobs);
        return NULL;
    }
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
