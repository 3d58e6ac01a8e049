/* SPDX-License-Identifier: MIT
 *
 * Jobs: their JSON and streams, their folders, their threads, the list of all, and requests about them
 * (docs/http-api.md). Jobs are started in the order of their creation, two at a time.
 *
 * A job's files are on the disk when the write returns. work.json holds a copy of the first job.json: if
 * job.json is empty or truncated (by another program, or a broken disk), it is rebuilt from that copy.
 */
#include "serve/inside.h"

#include "base/encode.h"
#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORMAT      "senjutsu-job"
#define WORK_FORMAT "senjutsu-work"

enum { COUNT_MAX = 1000000000 };

static const char *const state_names[JOB_STATES] = {
    [JOB_QUEUED] = "queued", [JOB_RUNNING] = "running",     [JOB_DONE] = "done",
    [JOB_FAILED] = "failed", [JOB_CANCELLED] = "cancelled", [JOB_REMOVED] = "removed"};

const struct job_kind *const job_kinds[] = {&job_match,  &job_tournament, &job_judge,
                                            &job_evolve, &job_repro,      NULL};

/* NULL: there is none of that name. */
static const struct job_kind *find_kind(const char *name) {
    int i = 0;
    while (job_kinds[i] != NULL && (name == NULL || strcmp(job_kinds[i]->name, name) != 0))
        i++;
    return job_kinds[i];
}

/* ---- files for the page ---- */

bool job_path(const struct job *job, const char *name, char out[SERVE_PATH_MAX], struct err *e) {
    assert(serve_is_id(job->id));
    return file_path(out, e, "%s/jobs/%s%s%s", job->jobs->bench->setup.data, job->id,
                     name[0] != '\0' ? "/" : "", name);
}

/* How a file is sent to the page, by its name; NULL: it is not for the page. */
struct file_type {
    const char *ending, *type;
    bool is_shown; /* in the page; others are saved */
};

static const struct file_type *file_type_of(const char *name) {
    static const struct file_type types[] = {
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
    if (file_type_of(name) == NULL || !file_path(path, NULL, "%s/%s", names->path, name) ||
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

/* The names of all files for the page, sorted: "fitness.csv", "maps/12.tbsmap". The folder is read each time,
 * because a running job adds files. A place that is not there has no files. */
static json_t *job_files_json(const struct job *job) {
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

/* ---- JSON (docs/http-api.md) ---- */

/* Includes the time since the last step, which may be minutes. */
static json_t *progress_json(const struct job *job) {
    const struct job_progress *p = &job->progress;
    double seconds = p->seconds;
    if (job->state == JOB_RUNNING)
        seconds += clock_seconds_since(job->jobs->bench->setup.clock, p->at_ns);
    return json_pack("{si so ss ss so* sf so}", "done", p->done, "total",
                     p->total >= 0 ? json_integer(p->total) : json_null(), "unit", job->kind->unit, "note",
                     p->note.text, "note_message", msg_json(&p->note.msg, p->note.text), "seconds", seconds,
                     "left", p->left >= 0 ? json_real(p->left) : json_null());
}

/* The entry of the list of jobs. */
static json_t *job_info_json(const struct job *job) {
    assert(job->state < JOB_STATES);
    return json_pack("{ss ss ss ss so ss ss ss}", "id", job->id, "kind", job->kind->name, "title", job->title,
                     "state", state_names[job->state], "progress", progress_json(job), "created",
                     job->created, "finished", job->finished, "error", job->error);
}

/* Newest first. */
static json_t *list_json(const struct jobs *jobs) {
    json_t *list = json_array();
    for (int i = jobs->count - 1; i >= 0; i--)
        if (jobs->items[i]->state != JOB_REMOVED)
            json_array_append_new(list, job_info_json(jobs->items[i]));
    return list;
}

/* Reads a file of the job, whole. A link is refused: it could lead to any file of this machine. */
static bool read_file(const struct job *job, const char *name, struct text *out, struct err *e) {
    char path[SERVE_PATH_MAX];
    return job_path(job, name, path, e) && (file_is_plain(path) || err_set(e, "%s: is no file", path)) &&
           file_read(path, JOB_FILE_MAX, out, e);
}

/* Is the file empty or no JSON, as after a crash of the machine? A file with other valid JSON was edited by
 * its owner, and is kept as it is. */
static bool is_cut_off(const struct text *text) {
    json_t *value = jsontext_load("it", text_string(text), text->size, NULL);
    json_decref(value);
    return value == NULL;
}

/* The whole job on one line. The result is text already, and may be large: the object is written around it.
 * A result file that an editor wrote anew has line breaks, and an event of a stream is one line: in JSON they
 * stand between tokens only. */
static void job_write(struct job *job, struct text *out) {
    struct text *result = &job->result;
    if (!job->result_was_read) {
        if (!read_file(job, "result.json", result, NULL) || is_cut_off(result))
            text_clear(result);
        for (size_t i = 0; i < result->size; i++)
            if (result->data[i] == '\n' || result->data[i] == '\r')
                result->data[i] = ' ';
        job->result_was_read = true;
    }
    char *dump = serve_dump(serve_join(job_info_json(job), json_pack("{sO so}", "params", job->params,
                                                                     "files", job_files_json(job))),
                            9);
    text_add(out, "{\"result\":%s,", result->size > 0 ? text_string(result) : "null");
    text_add_string(out, dump + 1);
    mem_free(dump);
}

/* ---- streams ---- */

/* Publishes the whole job to its readers; jobs_publish does it for those of the list. */
static void job_publish(struct job *job, enum topic_kind kind) {
    assert(workbench_is_locked(job->jobs->bench));
    struct text text = {0};
    if (job->topic == NULL)
        return;
    job_write(job, &text);
    topic_add(job->topic, "job", text_string(&text), kind);
    text_done(&text);
}

static void jobs_publish(struct jobs *jobs) {
    assert(workbench_is_locked(jobs->bench));
    char *dump = serve_dump(list_json(jobs), 9);
    topic_add(jobs->list, "jobs", dump, TOPIC_SNAPSHOT);
    mem_free(dump);
}

/* Replaces the last progress event of that key: a reader needs only the newest. In the list's stream the key
 * is the job's number, so that the progress of one job does not replace that of another. */
static void set_progress(struct topic *topic, int key, json_t *value) {
    char *dump = serve_dump(value, 9);
    topic_set(topic, "progress", (uint64_t)key, dump);
    mem_free(dump);
}

/* New readers get a snapshot when many events follow the last one. */
static void publish_progress(struct job *job) {
    struct jobs *jobs = job->jobs;
    set_progress(jobs->list, job->number,
                 json_pack("{ss so}", "id", job->id, "progress", progress_json(job)));
    if (topic_wants_base(jobs->list))
        jobs_publish(jobs);
    if (job->topic == NULL)
        return;
    set_progress(job->topic, 0, progress_json(job));
    if (topic_wants_base(job->topic))
        job_publish(job, TOPIC_BASE);
}

/* ---- the folder: writing ---- */

/* Replaces a file of the job. It is on the disk when this returns true. */
static bool write_text(const struct job *job, const char *name, const char *text, struct err *e) {
    char path[SERVE_PATH_MAX];
    return job_path(job, name, path, e) && file_write(path, text, strlen(text), e);
}

/* The content of job.json: the entry of the list, and what only the server needs. Without messages their
 * member is left out, as in files of earlier versions. */
static json_t *description_json(const struct job *job) {
    json_t *messages = json_loads(job->summary_messages, 0, NULL), *info = job_info_json(job);
    json_object_del(json_object_get(info, "progress"), "note_message"); /* only for what is running */
    return serve_join(info, json_pack("{ss si si ss so* sO}", "format", FORMAT, "version", 1, "number",
                                      job->number, "summary", job->summary, "summary_messages", messages,
                                      "params", job->params));
}

static bool job_save(const struct job *job, struct err *e) {
    assert(job->kind != NULL);
    assert(job->state < JOB_STATES);
    char path[SERVE_PATH_MAX];
    return job_path(job, "job.json", path, e) && serve_save(path, description_json(job), e);
}

/* For a new job. The texts are made before the folder: where memory runs out no folder without its files
 * stays behind. After another failure a part of the folder may be there: the caller discards the job. */
static bool job_make_folder(const struct job *job, json_t *work, struct err *e) {
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

static bool job_remove_folder(const struct job *job) {
    char path[SERVE_PATH_MAX];
    return job_path(job, "", path, NULL) && file_remove_folder(path, NULL);
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
    const char *state = json_string_value(json_object_get(root, "state"));
    const json_t *progress = json_object_get(root, "progress"), *total = json_object_get(progress, "total");
    job->kind = find_kind(json_string_value(json_object_get(root, "kind")));
    job->params = json_incref(json_object_get(root, "params"));
    job->number = read_count(json_object_get(root, "number"));
    job->progress = (struct job_progress){.done = read_count(json_object_get(progress, "done")),
                                          .total = json_is_integer(total) ? read_count(total) : -1,
                                          .seconds = json_number_value(json_object_get(progress, "seconds")),
                                          .left = -1};
    copy_text(progress, "note", job->progress.note.text, sizeof job->progress.note.text);
    set_messages(job, json_object_get(root, "summary_messages"));
    int known = 0;
    while (known < JOB_STATES && state != NULL && strcmp(state_names[known], state) != 0)
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

/* Frees what is in memory; the folder stays. */
static void job_free(struct job *job) {
    serve_end_stream(&job->topic);
    job_games_close(job->games);
    json_decref(job->params);
    text_done(&job->result);
    mem_free(job);
}

/* The result is not read here: it may be long, and most jobs are never looked at again. The state is
 * the one that was saved last: the caller continues a job that was running, and removes a removed one. */
static bool job_load(struct job *job, struct err *e) {
    json_t *root = read_json(job, "job.json", e);
    const bool ok = root != NULL && jsontext_is(root, FORMAT, e) && read_members(root, job, e);
    json_decref(root);
    if (!ok && !rebuild(job, e))
        return false;
    check_files(job);
    return true;
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
void job_report_progress(struct job_run *run, int done, int total, int here, const struct job_note *note) {
    assert(done >= 0);
    assert(here <= done);
    struct job_progress *p = &run->progress;
    p->at_ns = now_ns(run);
    const double seconds = (double)(p->at_ns - run->start_ns) * 1e-9;
    p->done = done;
    p->total = total;
    p->seconds = run->seconds_before + seconds;
    p->left = total >= done && here > 0 ? seconds / here * (total - done) : -1;
    p->note = note != NULL ? *note : (struct job_note){0};
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
        job_publish(run->job, TOPIC_SNAPSHOT);
    workbench_unlock(run->bench);
    mem_free(dump);
    run->growth_ns = now_ns(run) - run->grown_ns;
}

void job_summarize(struct job_run *run, const char *sentence, json_t *messages) {
    workbench_lock(run->bench);
    set_messages(run->job, messages);
    json_decref(messages);
    snprintf(run->job->summary, sizeof run->job->summary, "%s", sentence);
    charset_repair(run->job->summary);
    workbench_unlock(run->bench);
}

/* ---- the list ---- */

/* Takes the job, on which no thread works, out of the list. Then no request finds it; the caller owns it. */
static void jobs_take_out(struct job *job) {
    assert(!job->is_busy);
    struct jobs *jobs = job->jobs;
    int i = 0;
    while (jobs->items[i] != job)
        i++;
    assert(i < jobs->count);
    jobs->count--;
    memmove(&jobs->items[i], &jobs->items[i + 1], (size_t)(jobs->count - i) * sizeof jobs->items[0]);
}

/* Removes the folder of a job that is in no list, and frees the job. Needs no lock: the folder may have
 * thousands of files. Those that cannot be removed are removed at the next start. */
static void job_discard(void *context) {
    job_remove_folder(context);
    job_free(context);
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

/* ---- the thread ---- */

static void jobs_pump(struct jobs *jobs); /* starts the next job, whose end calls it again */

/* Also where the pool does not run the task: the job keeps its state, and is started at the next start. */
static void run_free(void *context) {
    struct job_run *run = context;
    json_decref(run->params);
    json_decref(run->work);
    mem_free(run);
}

/* Only this thread writes the result: it is read here without the lock. The result is on the disk before the
 * state is: after a crash between the two the job runs once more, finds its games in the store, and makes the
 * same result. A job stopped because the server ends keeps its state and continues at the next start. */
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
    if (job->state != JOB_REMOVED && !(outcome == JOB_CANCELLED && run->bench->is_idle)) {
        job->state = outcome;
        if (outcome == JOB_FAILED)
            snprintf(job->error, sizeof job->error, "%s", e->text);
        charset_repair(job->error); /* JSON must be UTF-8 */
        run->bench->setup.date(job->finished, sizeof job->finished);
    }
    job->is_busy = false;
    jobs->running--;
    const bool is_removed = job->state == JOB_REMOVED;
    if (is_removed) {
        jobs_take_out(job);
    } else {
        if (!job_save(job, &unsaved)) /* then the next start runs the job again */
            serve_warn(run->bench, SERVE_UNSAVED, "job %s: how it ended is not saved: %s", job->id,
                       unsaved.text);
        job_publish(job, TOPIC_SNAPSHOT);
        if (job->state == JOB_DONE)
            serve_end_stream(&job->topic);
        jobs_publish(jobs);
    }
    jobs_pump(jobs);
    workbench_unlock(run->bench);
    if (is_removed)
        job_discard(job);
}

/* The job's thread. The run belongs to it alone: requests see only what is copied into the job. */
static void work(void *context) {
    struct job_run *run = context;
    struct err e = {{0}};
    run->start_ns = run->grown_ns = run->saved_ns = now_ns(run);
    run->work = job_read_work(run->job, &e);
    bool complete = false;
    const bool ok = run->work != NULL && run->job->kind->run(run, &complete, &e);
    finish(run, !ok ? JOB_FAILED : complete ? JOB_DONE : JOB_CANCELLED, &e);
    run_free(run);
}

/* Without a free thread the job stays as it is. The new thread takes the lock, which the caller holds, before
 * it looks at the job's state. A state that cannot be saved is no reason to stop: the file says "queued", so
 * the job would be started again. */
static void job_start(struct job *job) {
    struct workbench *bench = job->jobs->bench;
    assert(workbench_is_locked(bench));
    assert(!job->is_busy);
    assert(job->kind != NULL);
    struct job_run *run = mem_alloc(sizeof *run);
    const struct task task = {.run = work, .dropped = run_free, .context = run};
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
    job_publish(job, TOPIC_SNAPSHOT);
    jobs_publish(job->jobs);
}

/* Starts queued jobs, as many as may run at once. Called after each change that may free a place; GET
 * /api/jobs calls it, too, for a job that found no thread before. */
static void jobs_pump(struct jobs *jobs) {
    if (jobs->bench->is_idle)
        return;
    /* One that cannot be started is retried at the next request about jobs, or when a job ends. */
    for (int i = 0; i < jobs->count && jobs->running < JOBS_RUNNING_MAX; i++)
        if (jobs->items[i]->state == JOB_QUEUED && !jobs->items[i]->is_busy)
            job_start(jobs->items[i]);
}

/* ---- opening and closing ---- */

/* A folder is unfinished when it has nothing but the work and an empty place for files. */
static bool is_part_of_making(void *context, const char *name) {
    bool *is_unfinished = context;
    *is_unfinished = *is_unfinished && (strcmp(name, "files") == 0 || strcmp(name, "work.json") == 0);
    return *is_unfinished;
}

static bool is_of_no_file(void *context, const char *name) {
    (void)name;
    return *(bool *)context = false;
}

/* Removes the folder of a job that was never made: the server ended before the description was written, which
 * is the last step, so that the request was not answered. */
static bool remove_unfinished(const struct job *job) {
    bool is_unfinished = true;
    char path[SERVE_PATH_MAX], files[SERVE_PATH_MAX];
    return job_path(job, "", path, NULL) && file_remove_leftovers(path, NULL) &&
           file_list(path, &(struct file_visit){is_part_of_making, &is_unfinished}, NULL) && is_unfinished &&
           job_path(job, "files", files, NULL) &&
           (!file_exists(files) ||
            file_list(files, &(struct file_visit){is_of_no_file, &is_unfinished}, NULL)) &&
           is_unfinished && file_remove_folder(path, NULL);
}

/* A running job is queued again; the folder of a removed one is deleted. */
static bool take_entry(void *context, const char *name) {
    struct jobs *jobs = context;
    struct err e;
    if (!serve_is_id(name))
        return true;
    struct job *job = mem_alloc(sizeof *job);
    job->jobs = jobs;
    memcpy(job->id, name, strlen(name) + 1);
    const bool ok = jobs->count < JOBS_MAX ? job_load(job, &e) : err_set(&e, "there are too many");
    if (!ok && remove_unfinished(job)) {
        job_free(job);
    } else if (!ok) {
        serve_warn(jobs->bench, SERVE_DAMAGED, "job %s cannot be read: %s; its folder is left as it is", name,
                   e.text);
        job_free(job); /* whatever it is, it is left alone */
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

struct jobs *jobs_open(struct workbench *bench, struct err *e) {
    static const struct topic_limits limits = {.events_max = 256, .bytes_max = 1 << 20};
    char path[SERVE_PATH_MAX];
    struct jobs *jobs = mem_alloc(sizeof *jobs);
    jobs->bench = bench;
    jobs->list = topic_open(&limits);
    if (!serve_make_folder(bench, "jobs", path, e) ||
        !file_list(path, &(struct file_visit){take_entry, jobs}, e)) {
        jobs_close(jobs);
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
void jobs_stop(struct jobs *jobs) {
    for (int i = 0; i < jobs->count; i++)
        atomic_store(&jobs->items[i]->stop, true);
}

void jobs_close(struct jobs *jobs) {
    for (int i = 0; i < jobs->count; i++)
        job_free(jobs->items[i]);
    serve_end_stream(&jobs->list);
    mem_free(jobs);
}

/* ---- requests ---- */

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

/* 201 with the job's entry. The kind checks the params and makes the work from them; its 400 names the
 * member. 429 when the list is full. The folder is written before the job is acknowledged, so that a job that
 * an answer has shown exists after a crash. 507 when it cannot be written. */
static bool post_job(const struct call *call, struct message_out *out) {
    struct jobs *jobs = call->bench->jobs;
    const json_t *params = json_object_get(call->body, "params");
    const char *name;
    if (!request_text(call->body, "kind", "", &name, out))
        return false;
    const struct job_kind *kind = find_kind(name);
    if (kind == NULL)
        return message_fail_code(out, 400, "kind", "json.choice", "\"%s\": expected %s", "kind",
                                 "match, tournament, judge, evolve or repro");
    if (!json_is_object(params))
        return message_fail_code(out, 400, "params", "json.object", "\"%s\": expected an object%s", "params",
                                 "");
    if (jobs->count == JOBS_MAX)
        return message_fail_code(out, 429, NULL, "refused.jobs",
                                 "there are %d jobs; remove some that are not needed any more", JOBS_MAX);
    struct job *job = mem_alloc(sizeof *job);
    job->jobs = jobs;
    job->kind = kind;
    job->params = json_deep_copy(params);
    job->progress = (struct job_progress){.total = -1, .left = -1};
    job->result_was_read = true;
    json_t *work = kind->draft(job, out);
    if (work == NULL) {
        job_free(job);
        return false;
    }
    job->number = jobs->count > 0 ? jobs->items[jobs->count - 1]->number + 1 : 1;
    serve_new_id(jobs->bench, job->id);
    jobs->bench->setup.date(job->created, sizeof job->created);
    const bool is_made = job_make_folder(job, work, &out->why);
    json_decref(work);
    if (!is_made) {
        job_discard(job);
        return message_fail_err(out, 507, NULL, &out->why);
    }
    jobs->items[jobs->count++] = job;
    jobs_pump(jobs);
    if (job->state == JOB_QUEUED)
        jobs_publish(jobs);
    return message_json(out, 201, job_info_json(job));
}

static bool get_jobs(const struct call *call, struct message_out *out) {
    jobs_pump(call->bench->jobs);
    return message_json(out, 200, list_json(call->bench->jobs));
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
        job_publish(job, TOPIC_SNAPSHOT);
    }
    serve_stream(out, topic_hold(job->topic));
    if (job->state == JOB_DONE)
        serve_end_stream(&job->topic);
    return true;
}

/* ---- stopping, going on, removing ---- */

/* A change of state is saved before it is acknowledged, and refused if it cannot be saved. A job that runs is
 * finished by its thread, one that waits is finished here. */
static bool save_state(struct job *job, enum job_state state, struct message_out *out) {
    const enum job_state before = job->state;
    const char error = job->error[0];
    char finished[JOB_DATE_MAX];
    memcpy(finished, job->finished, sizeof finished);
    job->state = state;
    if (state == JOB_QUEUED)
        job->error[0] = job->finished[0] = '\0';
    else if (state == JOB_CANCELLED && before == JOB_QUEUED)
        job->jobs->bench->setup.date(job->finished, sizeof job->finished);
    if (job_save(job, &out->why))
        return true;
    job->state = before;
    job->error[0] = error;
    memcpy(job->finished, finished, sizeof finished);
    return message_fail_code(out, 507, NULL, "refused.undone", "it was not done: %s", out->why.text);
}

/* A running job is saved as cancelled at once, and gets that state when its thread has stopped. */
static bool post_cancel(const struct call *call, struct message_out *out) {
    struct job *job = call->job;
    if (job->state != JOB_QUEUED && job->state != JOB_RUNNING)
        return message_fail_code(out, 409, NULL, "refused.job_stop",
                                 "the job is %s: there is nothing to stop", state_names[job->state]);
    const bool is_running = job->state == JOB_RUNNING;
    if (!save_state(job, JOB_CANCELLED, out))
        return false;
    atomic_store(&job->stop, true);
    if (is_running) {
        job->state = JOB_RUNNING;
    } else {
        job_publish(job, TOPIC_SNAPSHOT);
        jobs_publish(job->jobs);
    }
    return message_json(out, 200, job_info_json(job));
}

/* What was done is stored in the job's folder: it goes on where it stopped. 409 in another state. */
static bool post_resume(const struct call *call, struct message_out *out) {
    struct job *job = call->job;
    if (job->state != JOB_CANCELLED && job->state != JOB_FAILED)
        return message_fail_code(out, 409, NULL, "refused.job_resume",
                                 "the job is %s: only one that was cancelled or has failed can continue",
                                 state_names[job->state]);
    if (!save_state(job, JOB_QUEUED, out))
        return false;
    job_publish(job, TOPIC_SNAPSHOT);
    jobs_publish(job->jobs);
    jobs_pump(job->jobs);
    return message_json(out, 200, job_info_json(job));
}

/* "removed" is written down first: after a crash in the middle the rest of the folder is removed at the next
 * start. On a full disk nothing can be written down, but a folder can be removed. 204 before the files are
 * gone: a task removes them, since there may be thousands. */
static bool delete_job(const struct call *call, struct message_out *out) {
    struct jobs *jobs = call->bench->jobs;
    struct job *job = call->job;
    if (!save_state(job, JOB_REMOVED, out)) {
        if (job->is_busy || !job_remove_folder(job))
            return false;
        text_clear(&out->body);
        job->state = JOB_REMOVED;
    }
    serve_end_stream(&job->topic);
    if (job->is_busy) {
        atomic_store(&job->stop, true); /* its thread removes it when it has stopped */
    } else {
        const struct task task = {job_discard, job_discard, job};
        jobs_take_out(job);
        if (!task_pool_start(call->bench->task_pool, &task, NULL))
            job_free(job); /* its folder is removed at the next start */
    }
    jobs_publish(jobs);
    return serve_done(out, 204);
}

/* "files/NAME" or "files/FOLDER/NAME". Only names that the job's list of files has are ever opened. */
static bool get_file(const struct call *call, struct message_out *out) {
    char path[SERVE_PATH_MAX];
    const char *place = strstr(call->in->path, "/files/") + 1, *name = strchr(place, '/') + 1;
    json_t *list = job_files_json(call->job);
    bool is_listed = false;
    for (size_t i = 0; !is_listed && i < json_array_size(list); i++)
        is_listed = strcmp(json_string_value(json_array_get(list, i)), name) == 0;
    json_decref(list);
    if (!is_listed)
        return message_fail_code(out, 404, NULL, "refused.no_file", "the job has no file '%.80s'", name);
    if (!job_path(call->job, place, path, &out->why) || !file_read(path, JOB_FILE_MAX, &out->body, &out->why))
        return message_fail_err(out, 500, NULL, &out->why);
    const char *last = strrchr(place, '/') + 1;
    const struct file_type *type = file_type_of(last);
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
    {MESSAGE_GET, "/api/jobs/*/games", job_get_games},
    {MESSAGE_GET, "/api/jobs/*/games/*", job_get_game},
    {MESSAGE_GET, "/api/jobs/*/games/*/record", job_get_record},
    {MESSAGE_GET, "/api/jobs/*/files/*", get_file},
    {MESSAGE_GET, "/api/jobs/*/files/*/*", get_file},
    {MESSAGE_GET, NULL, NULL},
};
