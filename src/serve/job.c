/* SPDX-License-Identifier: MIT
 *
 * One job: its JSON and streams, its folder, and its thread.
 *
 * A job's files are on the disk when the write returns. work.json holds a copy of the first job.json: if
 * job.json is empty or truncated (by another program, or a broken disk), it is rebuilt from that copy.
 */
#include "serve/job.h"

#include "base/charset.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORMAT      "senjutsu-job"
#define WORK_FORMAT "senjutsu-work"

enum { COUNT_MAX = 1000000000 };

const char *const job_state_names[JOB_STATES] = {
    [JOB_QUEUED] = "queued", [JOB_RUNNING] = "running",     [JOB_DONE] = "done",
    [JOB_FAILED] = "failed", [JOB_CANCELLED] = "cancelled", [JOB_REMOVED] = "removed"};

/* ---- JSON (docs/http-api.md) ---- */

/* Includes the time since the last step, which may be minutes. */
static json_t *progress_json(const struct job *job) {
    const struct job_progress *p = &job->progress;
    double seconds = p->seconds;
    if (job->state == JOB_RUNNING)
        seconds += clock_seconds_since(job->jobs->bench->setup.clock, p->at_ns);
    return json_pack("{si so ss ss sf so}", "done", p->done, "total",
                     p->total >= 0 ? json_integer(p->total) : json_null(), "unit", job->kind->unit, "note",
                     p->note, "seconds", seconds, "left", p->left >= 0 ? json_real(p->left) : json_null());
}

json_t *job_info_json(const struct job *job) {
    assert(job->state < JOB_STATES);
    return json_pack("{ss ss ss ss so ss ss ss}", "id", job->id, "kind", job->kind->name, "title", job->title,
                     "state", job_state_names[job->state], "progress", progress_json(job), "created",
                     job->created, "finished", job->finished, "error", job->error);
}

/* Reads a file of the job, whole. A link is refused: it could lead to any file of this machine. */
static bool read_file(const struct job *job, const char *name, struct text *out, struct err *e) {
    char path[SERVE_PATH_MAX];
    return job_path(job, name, path, e) && (file_is_plain(path) || err_set(e, "%s: is no file", path)) &&
           file_read(path, JOB_FILE_MAX, out, e);
}

/* Is the file empty or no JSON? A file with other valid JSON is kept as it is. */
static bool is_cut_off(const struct text *text) {
    json_t *value = jsontext_load("it", text_string(text), text->size, NULL);
    json_decref(value);
    return value == NULL;
}

/* A file that an editor wrote anew has line breaks, and an event of a stream is one line. In JSON they stand
 * between tokens only. */
static void read_result(struct job *job) {
    if (!read_file(job, "result.json", &job->result, NULL) || is_cut_off(&job->result))
        text_clear(&job->result);
    for (size_t i = 0; i < job->result.size; i++)
        if (job->result.data[i] == '\n' || job->result.data[i] == '\r')
            job->result.data[i] = ' ';
    job->result_was_read = true;
}

/* The result is text already, and may be large: the object is written around it. */
void job_write(struct job *job, struct text *out) {
    if (!job->result_was_read)
        read_result(job);
    char *dump = serve_dump(serve_join(job_info_json(job), json_pack("{sO so}", "params", job->params,
                                                                     "files", job_files_json(job))),
                            9);
    text_add(out, "{\"result\":%s,", job->result.size > 0 ? text_string(&job->result) : "null");
    text_add_string(out, dump + 1);
    mem_free(dump);
}

/* ---- streams ---- */

void job_publish(struct job *job) {
    assert(workbench_is_locked(job->jobs->bench));
    struct text text = {0};
    if (job->topic == NULL)
        return;
    job_write(job, &text);
    topic_add(job->topic, "job", text_string(&text), true);
    text_done(&text);
}

/* Replaces the last progress event of that key: a reader needs only the newest. */
static void set_progress(struct topic *topic, int key, json_t *value) {
    char *dump = serve_dump(value, 9);
    topic_set_keyed(topic, "progress", (uint64_t)key, dump);
    mem_free(dump);
}

/* New readers get a snapshot when many events follow the last one. */
static void publish_progress(struct job *job) {
    struct jobs *jobs = job->jobs;
    struct text text = {0};
    set_progress(jobs->list, job->number,
                 json_pack("{ss so}", "id", job->id, "progress", progress_json(job)));
    if (topic_wants_base(jobs->list))
        jobs_publish(jobs);
    if (job->topic == NULL)
        return;
    set_progress(job->topic, 0, progress_json(job));
    if (topic_wants_base(job->topic)) {
        job_write(job, &text);
        topic_add_base(job->topic, "job", text_string(&text));
    }
    text_done(&text);
}

/* ---- the folder: writing ---- */

bool job_path(const struct job *job, const char *name, char out[SERVE_PATH_MAX], struct err *e) {
    char within[256];
    const int size = snprintf(within, sizeof within, "%s%s%s", job->id, name[0] != '\0' ? "/" : "", name);
    assert(size > 0);
    assert((size_t)size < sizeof within); /* names for the page are limited: job_file_type */
    (void)size;
    return serve_path(job->jobs->bench, "jobs", within, out, e);
}

/* Replaces a file of the job. It is on the disk when this returns true. */
static bool write_text(const struct job *job, const char *name, const char *text, struct err *e) {
    char path[SERVE_PATH_MAX];
    return job_path(job, name, path, e) && file_write(path, text, strlen(text), e);
}

/* The content of job.json: the entry of the list, and what only the server needs. Without messages their
 * member is left out, as in files of earlier versions. */
static json_t *description_json(const struct job *job) {
    json_t *messages = json_loads(job->summary_messages, 0, NULL);
    return serve_join(job_info_json(job), json_pack("{ss si si ss so* sO}", "format", FORMAT, "version", 1,
                                                    "number", job->number, "summary", job->summary,
                                                    "summary_messages", messages, "params", job->params));
}

bool job_save(const struct job *job, struct err *e) {
    assert(job->kind != NULL);
    assert(job->state < JOB_STATES);
    char *dump = serve_dump(description_json(job), 0);
    const bool ok = write_text(job, "job.json", dump, e);
    mem_free(dump);
    return ok;
}

/* The texts are made before the folder: where memory runs out no folder without its files stays behind. */
bool job_make_folder(const struct job *job, json_t *work, struct err *e) {
    char path[SERVE_PATH_MAX];
    char *task = serve_dump(json_pack("{ss si so sO}", "format", WORK_FORMAT, "version", 1, "job",
                                      description_json(job), "work", work),
                            0);
    char *description = serve_dump(description_json(job), 0);
    const bool ok = job_path(job, "", path, e) && file_make_folder(path, e) &&
                    job_path(job, "files", path, e) && file_make_folder(path, e) &&
                    write_text(job, "work.json", task, e) && write_text(job, "job.json", description, e);
    mem_free(task);
    mem_free(description);
    return ok;
}

bool job_remove_folder(const struct workbench *bench, const char *id, struct err *e) {
    assert(serve_is_id(id));
    char path[SERVE_PATH_MAX];
    return serve_path(bench, "jobs", id, path, e) && file_remove_folder(path, e);
}

/* ---- the folder: reading ---- */

/* A file of the job as JSON, a new value; NULL and a reason that names the file. */
static json_t *read_json(const struct job *job, const char *name, struct err *e) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    json_t *value = job_path(job, name, path, e) && read_file(job, name, &text, e)
                        ? jsontext_load(path, text_string(&text), text.size, e)
                        : NULL;
    text_done(&text);
    return value;
}

/* Earlier versions wrote the work alone. */
json_t *job_read_work(const struct job *job, struct err *e) {
    json_t *root = read_json(job, "work.json", e);
    const char *format = json_string_value(json_object_get(root, "format"));
    if (format == NULL || strcmp(format, WORK_FORMAT) != 0)
        return root;
    json_t *work = json_incref(json_object_get(root, "work"));
    json_decref(root);
    return work != NULL || err_set(e, "job %s: its work.json is not whole", job->id) ? work : NULL;
}

/* Messages that are no list, or too long to be stored, become "": then only the sentence is shown. */
static void set_messages(struct job *job, const json_t *messages) {
    char *dump = json_is_array(messages) ? json_dumps(messages, JSON_COMPACT) : NULL;
    const bool fits = dump != NULL && strlen(dump) < sizeof job->summary_messages;
    snprintf(job->summary_messages, sizeof job->summary_messages, "%s", fits ? dump : "");
    mem_free(dump);
}

/* A text that is too long (of an edited file) is cut. */
static bool copy_text(const json_t *root, const char *key, char *out, size_t out_size) {
    const char *text = json_string_value(json_object_get(root, key));
    charset_copy(out, out_size, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
    return text != NULL;
}

/* An impossible count (from an edited file) becomes 0. */
static int read_count(const json_t *value) {
    const json_int_t number = json_integer_value(value);
    return number >= 0 && number <= COUNT_MAX ? (int)number : 0;
}

/* Fills the job from job.json or its copy. False and a reason when a text is missing, or a kind or state is
 * unknown. Counts out of range become 0: they do not make a job unreadable. */
static bool read_members(const json_t *root, struct job *job, struct err *e) {
    const char *kind = json_string_value(json_object_get(root, "kind"));
    const char *state = json_string_value(json_object_get(root, "state"));
    const json_t *progress = json_object_get(root, "progress"), *total = json_object_get(progress, "total");
    job->kind = kind != NULL ? job_kind_find(kind) : NULL;
    job->params = json_incref(json_object_get(root, "params"));
    job->number = read_count(json_object_get(root, "number"));
    job->progress = (struct job_progress){.done = read_count(json_object_get(progress, "done")),
                                          .total = json_is_integer(total) ? read_count(total) : -1,
                                          .seconds = json_number_value(json_object_get(progress, "seconds")),
                                          .left = -1};
    copy_text(progress, "note", job->progress.note, sizeof job->progress.note);
    set_messages(job, json_object_get(root, "summary_messages"));
    int known = 0;
    while (known < JOB_STATES && state != NULL && strcmp(job_state_names[known], state) != 0)
        known++;
    const bool whole = job->kind != NULL && json_is_object(job->params) && state != NULL &&
                       known < JOB_STATES && copy_text(root, "title", job->title, sizeof job->title) &&
                       copy_text(root, "created", job->created, sizeof job->created) &&
                       copy_text(root, "finished", job->finished, sizeof job->finished) &&
                       copy_text(root, "error", job->error, sizeof job->error) &&
                       copy_text(root, "summary", job->summary, sizeof job->summary);
    if (whole)
        job->state = (enum job_state)known;
    return whole || err_set(e, "job %s: its job.json is not whole", job->id);
}

/* Rebuilds job.json. Progress and a possible stop are lost, so the job does not resume by itself. The
 * damaged file is stored beside the new one. */
static bool rebuild(struct job *job, struct err *e) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    json_t *root = read_file(job, "job.json", &text, NULL) && is_cut_off(&text)
                       ? read_json(job, "work.json", NULL)
                       : NULL;
    const json_t *description = json_object_get(root, "job");
    bool ok =
        description != NULL && jsontext_is(description, FORMAT, NULL) && read_members(description, job, NULL);
    json_decref(root);
    if (ok) {
        job->state = JOB_CANCELLED;
        snprintf(job->error, sizeof job->error,
                 "its job.json was empty or cut off, and was made again; if it is resumed, what was done is "
                 "found in its folder");
        ok = job_path(job, "job.json.damaged", path, e) &&
             file_write(path, text_string(&text), text.size, e) && job_save(job, e);
    }
    if (ok)
        serve_warn(job->jobs->bench, SERVE_DAMAGED,
                   "job %s: its job.json was empty or cut off, and was made again from work.json; "
                   "job.json.damaged is what was there",
                   job->id);
    text_done(&text);
    return ok;
}

/* A truncated result is made again when the job resumes: its games are stored. Only its first and last byte
 * are checked, since results are many and long. A missing one counts as complete: it was never written. */
static void check_files(struct job *job) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    struct stat info;
    if (job_path(job, "games.db", path, NULL) && job->progress.done > 0 && stat(path, &info) == 0 &&
        info.st_size == 0)
        serve_warn(job->jobs->bench, SERVE_DAMAGED, "%s: the games of job %s are lost: the file is empty",
                   path, job->id);
    if (job->state == JOB_DONE && read_file(job, "result.json", &text, NULL) &&
        (text.size < 2 || text.data[0] != '{' || text.data[text.size - 1] != '}')) {
        serve_warn(job->jobs->bench, SERVE_DAMAGED,
                   "job %s: its result.json is empty or cut off; resume the job to have it made again",
                   job->id);
        job->state = JOB_CANCELLED;
        snprintf(job->error, sizeof job->error, "its result was lost; if it is resumed, it is made again");
    }
    text_done(&text);
}

/* The job is read as it was left. The caller decides what becomes of one that was running or removed. */
struct job *job_load(struct jobs *jobs, const char *id, struct err *e) {
    struct job *job = mem_alloc(sizeof *job);
    job->jobs = jobs;
    snprintf(job->id, sizeof job->id, "%s", id);
    json_t *root = read_json(job, "job.json", e);
    const bool ok = root != NULL && jsontext_is(root, FORMAT, e) && read_members(root, job, e);
    json_decref(root);
    if (ok || rebuild(job, e)) {
        check_files(job);
        return job;
    }
    json_decref(job->params);
    mem_free(job);
    return NULL;
}

/* ---- files for the page ---- */

const struct job_file_type *job_file_type(const char *name) {
    static const struct job_file_type types[] = {
        {".svg", "image/svg+xml", true},
        {".png", "image/png", true},
        {".csv", "text/csv; charset=utf-8", false},
        {".json", "application/json", false},
        {".html", "text/html; charset=utf-8", true},
        {".gp", "text/plain; charset=utf-8", false},
        {".tbsmap", "text/plain; charset=utf-8", false},
    };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0;
         dot != NULL && name[0] != '.' && strlen(name) <= 200 && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(dot, types[i].ending) == 0)
            return &types[i];
    return NULL;
}

/* The files for the page that were found so far. */
struct names {
    const char *place; /* being listed */
    char path[SERVE_PATH_MAX];
    int count;
    char *items[JOB_FILES_MAX];
};

/* Takes a name into the list if the page may fetch the file. Links and folders are left out: a link could
 * lead out of the job's folder. */
static bool add_name(void *context, const char *name) {
    struct names *names = context;
    char path[SERVE_PATH_MAX];
    if (job_file_type(name) == NULL || !file_path(path, NULL, "%s/%s", names->path, name) ||
        !file_is_plain(path))
        return true;
    struct text full = {0};
    text_add(&full, "%s%s%s", names->place, names->place[0] != '\0' ? "/" : "", name);
    names->items[names->count++] = full.data; /* the list's from now on */
    return names->count < JOB_FILES_MAX;
}

static int by_name(const void *a, const void *b) {
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* A place that is not there has no files. */
json_t *job_files_json(const struct job *job) {
    static const char *const places[] = {"", "faults", "maps", "pictures"};
    struct names names = {0};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char within[64];
        names.place = places[i];
        snprintf(within, sizeof within, "files%s%s", places[i][0] != '\0' ? "/" : "", places[i]);
        if (names.count < JOB_FILES_MAX && job_path(job, within, names.path, NULL))
            file_list(names.path, &(struct file_visit){add_name, &names}, NULL);
    }
    qsort(names.items, (size_t)names.count, sizeof names.items[0], by_name);
    json_t *list = json_array();
    for (int i = 0; i < names.count; i++) {
        json_array_append_new(list, json_string(names.items[i]));
        mem_free(names.items[i]);
    }
    return list;
}

/* ---- progress and results ---- */

/* Intervals of progress reports, intermediate results and saves. Making results takes at most 1/GROWTH_SHARE
 * of the time. */
#define PROGRESS_NS INT64_C(250000000)
#define GROWTH_NS   INT64_C(1000000000)
#define SAVE_NS     INT64_C(5000000000)
enum { GROWTH_SHARE = 20 };

static int64_t now_ns(const struct job_run *run) {
    return clock_now_ns(run->bench->setup.clock);
}

double job_seconds(const struct job_run *run) {
    return run->seconds_before + clock_seconds_since(run->bench->setup.clock, run->start_ns);
}

/* The time is written now and then, so that it is not forgotten when the server is killed. A job that is
 * being stopped was already saved as such. */
void job_report_progress(struct job_run *run, const struct job_step *step) {
    assert(step->done >= 0);
    assert(step->here <= step->done);
    struct job_progress *p = &run->progress;
    p->at_ns = now_ns(run);
    const double seconds = (double)(p->at_ns - run->start_ns) * 1e-9;
    p->done = step->done;
    p->total = step->total;
    p->seconds = run->seconds_before + seconds;
    p->left =
        step->total >= step->done && step->here > 0 ? seconds / step->here * (step->total - step->done) : -1;
    snprintf(p->note, sizeof p->note, "%s", step->note != NULL ? step->note : "");
    if (now_ns(run) - run->published_ns < PROGRESS_NS)
        return;
    run->published_ns = now_ns(run);
    workbench_lock(run->bench);
    run->job->progress = *p;
    if (run->job->state == JOB_RUNNING) {
        publish_progress(run->job);
        if (run->published_ns - run->saved_ns >= SAVE_NS && !atomic_load(&run->job->stop)) {
            run->saved_ns = run->published_ns;
            job_save(run->job, NULL);
        }
    }
    workbench_unlock(run->bench);
}

bool job_result_is_due(struct job_run *run) {
    const int64_t pause =
        run->growth_ns * GROWTH_SHARE > GROWTH_NS ? run->growth_ns * GROWTH_SHARE : GROWTH_NS;
    const int64_t now = now_ns(run);
    if (now - run->grown_ns < pause)
        return false;
    run->grown_ns = now;
    return true;
}

void job_publish_result(struct job_run *run, json_t *result) {
    if (result == NULL) /* a text in it is not UTF-8 */
        return;
    char *dump = serve_dump(result, 12);
    run->has_result = true;
    workbench_lock(run->bench);
    text_clear(&run->job->result);
    text_add_string(&run->job->result, dump);
    run->job->result_was_read = true;
    run->job->progress = run->progress;
    if (run->job->state == JOB_RUNNING)
        job_publish(run->job);
    workbench_unlock(run->bench);
    mem_free(dump);
    run->growth_ns = now_ns(run) - run->grown_ns;
}

void job_summarize(struct job_run *run, const char *sentence, json_t *messages) {
    workbench_lock(run->bench);
    set_messages(run->job, messages);
    json_decref(messages);
    snprintf(run->job->summary, sizeof run->job->summary, "%s", sentence);
    charset_mend(run->job->summary);
    workbench_unlock(run->bench);
}

/* ---- the thread ---- */

/* Also where the pool does not run the task: then the job keeps its state. */
static void run_free(void *context) {
    struct job_run *run = context;
    json_decref(run->params);
    json_decref(run->work);
    mem_free(run);
}

/* Only this thread writes the result: it is read here without the lock. A job stopped because the server ends
 * keeps its state and continues at the next start. */
static void finish(struct job_run *run, enum job_state outcome, struct err *e) {
    assert(outcome == JOB_DONE || outcome == JOB_CANCELLED || outcome == JOB_FAILED);
    struct job *job = run->job;
    struct jobs *jobs = job->jobs;
    struct err unsaved;
    char path[SERVE_PATH_MAX];
    const bool is_saved =
        !run->has_result || (job_path(job, "result.json", path, e) &&
                             file_write(path, text_string(&job->result), job->result.size, e));
    if (!is_saved && outcome == JOB_DONE)
        outcome = JOB_FAILED;
    workbench_lock(run->bench);
    job->progress = run->progress;
    job->progress.seconds = job_seconds(run);
    job->progress.at_ns = now_ns(run);
    job->progress.left = outcome == JOB_DONE ? 0 : -1;
    if (job->state != JOB_REMOVED && !(outcome == JOB_CANCELLED && jobs->closing)) {
        job->state = outcome;
        if (outcome == JOB_FAILED)
            snprintf(job->error, sizeof job->error, "%s", e->text);
        charset_mend(job->error); /* JSON must be UTF-8 */
        run->bench->setup.date(job->finished, sizeof job->finished);
    }
    job->is_busy = false;
    jobs->running--;
    const bool is_removed = job->state == JOB_REMOVED;
    if (is_removed) {
        jobs_take_out(job);
    } else {
        if (!job_save(job, &unsaved)) /* then the job is done once more the next time */
            serve_warn(run->bench, SERVE_UNSAVED, "job %s: how it ended is not saved: %s", job->id,
                       unsaved.text);
        job_publish(job);
        if (job->state == JOB_DONE)
            serve_end_stream(&job->topic);
        jobs_publish(jobs);
    }
    jobs_pump(jobs);
    workbench_unlock(run->bench);
    if (is_removed)
        job_discard(job);
}

/* The job's thread. The run belongs to it alone: requests see only what is copied into the job with the lock
 * held. */
static void work(void *context) {
    struct job_run *run = context;
    struct err e = {{0}};
    run->start_ns = run->grown_ns = run->saved_ns = now_ns(run);
    run->work = job_read_work(run->job, &e);
    const enum job_state outcome = run->work != NULL ? run->job->kind->run(run, &e) : JOB_FAILED;
    finish(run, outcome, &e);
    run_free(run);
}

/* The new thread takes the lock, which the caller holds, before it looks at the job's state. */
void job_start(struct job *job) {
    struct workbench *bench = job->jobs->bench;
    assert(workbench_is_locked(bench));
    assert(!job->is_busy);
    assert(job->kind != NULL);
    struct job_run *run = mem_alloc(sizeof *run);
    const struct task task = {.run = work, .dropped = run_free, .context = run, .owner = job->jobs};
    job->progress.at_ns = clock_now_ns(bench->setup.clock);
    run->bench = bench;
    run->job = job;
    run->params = json_deep_copy(job->params); /* jansson values must not be used by two threads at once */
    run->seconds_before = job->progress.seconds;
    run->progress = job->progress;
    atomic_store(&job->stop, false);
    if (!job_path(job, "files", run->files, NULL) || !task_pool_start(bench->task_pool, &task, NULL)) {
        run_free(run);
        return;
    }
    job->state = JOB_RUNNING;
    job->is_busy = true;
    job->jobs->running++;
    job_save(job, NULL);
    job_publish(job);
    jobs_publish(job->jobs);
}
