/* SPDX-License-Identifier: MIT
 *
 * One job: its JSON and streams, and its thread.
 */
#include "serve/job.h"

#include "base/charset.h"
#include "base/file.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "serve/start_position.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON and streams (docs/http-api.md) ---- */

static const char *const state_names[JOB_STATES] = {
    [JOB_QUEUED] = "queued", [JOB_RUNNING] = "running",     [JOB_DONE] = "done",
    [JOB_FAILED] = "failed", [JOB_CANCELLED] = "cancelled", [JOB_REMOVED] = "removed"};

static const struct topic_limits job_limits = {.events_max = 1024, .bytes_max = 8 << 20};

const char *job_state_name(enum job_state state) {
    assert(state < JOB_STATES);
    return state_names[state];
}

/* ---- JSON ---- */

/* Includes the time since the last step, which may be minutes. */
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
    json_t *read = NULL;
    if (job->result_was_read)
        return;
    job->result_was_read = true;
    if (job_path(job, "result.json", path, NULL) && file_is_plain(path) &&
        file_read(path, JOB_FILE_MAX, &job->result, NULL))
        read = jsontext_load(path, text_string(&job->result), job->result.size, NULL);
    if (read == NULL) /* it is sent unchanged, so it must be JSON */
        text_clear(&job->result);
    json_decref(read);
}

/* The result is text already, and may be large: the object is written around it. */
void job_write(struct job *job, struct text *out) {
    json_t *root = job_info_json(job);
    json_object_set(root, "params", job->params);
    json_object_set_new(root, "files", job_files_json(job));
    char *dump = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    read_result(job);
    text_add(out, "{\"result\":%s,", job->result.size > 0 ? text_string(&job->result) : "null");
    text_add_string(out, dump + 1);
    free(dump);
}

/* ---- streams ---- */

void jobs_publish(struct jobs *jobs) {
    json_t *list = jobs_list_json(jobs);
    char *dump = json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(9));
    topic_add(jobs->list, "jobs", dump, true);
    free(dump);
    json_decref(list);
}

void job_publish(struct job *job) {
    struct text text = {0};
    if (job->topic == NULL)
        return;
    job_write(job, &text);
    topic_add(job->topic, "job", text_string(&text), true);
    text_done(&text);
}

/* A snapshot for new readers, when many events follow the last one. */
static void refresh(struct job *job) {
    struct text text = {0};
    if (!topic_wants_base(job->topic))
        return;
    job_write(job, &text);
    topic_add_base(job->topic, "job", text_string(&text));
    text_done(&text);
}

static void set_keyed(struct topic *topic, int key, json_t *value) {
    char *dump = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9));
    topic_set_keyed(topic, "progress", (uint64_t)key, dump);
    free(dump);
    json_decref(value);
}

static void publish_progress(struct job *job) {
    struct jobs *jobs = job->jobs;
    set_keyed(jobs->list, job->number, json_pack("{ss so}", "id", job->id, "progress", progress_json(job)));
    if (topic_wants_base(jobs->list))
        jobs_publish(jobs);
    if (job->topic == NULL)
        return;
    set_keyed(job->topic, 0, progress_json(job));
    refresh(job);
}

void job_end_stream(struct job *job) {
    if (job->topic != NULL)
        topic_end(job->topic);
    topic_drop(job->topic);
    job->topic = NULL;
}

/* A finished job sends one snapshot and ends the stream. */
struct topic *job_listen(struct job *job) {
    if (job->topic != NULL)
        return topic_hold(job->topic);
    job->topic = topic_open(&job_limits);
    job_publish(job);
    struct topic *held = topic_hold(job->topic);
    if (job->state == JOB_DONE)
        job_end_stream(job);
    return held;
}

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

/* ---- reporting ---- */

static void estimate(struct job_run *run, const struct job_step *step) {
    struct job_progress *p = &run->progress;
    p->at_ns = now_ns(run);
    const double seconds = (double)(p->at_ns - run->start_ns) * 1e-9;
    p->done = step->done;
    p->total = step->total;
    p->seconds = run->seconds_before + seconds;
    p->left =
        step->total >= step->done && step->here > 0 ? seconds / step->here * (step->total - step->done) : -1;
    snprintf(p->note, sizeof p->note, "%s", step->note != NULL ? step->note : "");
}

/* Written now and then, so that the time is not forgotten when the server is killed. */
static void publish_running(struct job_run *run) {
    struct err ignored;
    publish_progress(run->job);
    /* A job that is being stopped was already saved as such. */
    if (run->published_ns - run->saved_ns < SAVE_NS || atomic_load(&run->job->stop))
        return;
    run->saved_ns = run->published_ns;
    job_save(run->job, &ignored);
}

void job_report_progress(struct job_run *run, const struct job_step *step) {
    estimate(run, step);
    if (now_ns(run) - run->published_ns < PROGRESS_NS)
        return;
    run->published_ns = now_ns(run);
    workbench_lock(run->bench);
    run->job->progress = run->progress;
    if (run->job->state == JOB_RUNNING)
        publish_running(run);
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
    char *dump = json_dumps(result, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(result);
    run->has_result = true;
    workbench_lock(run->bench);
    text_clear(&run->job->result);
    text_add_string(&run->job->result, dump);
    run->job->result_was_read = true;
    run->job->progress = run->progress;
    if (run->job->state == JOB_RUNNING)
        job_publish(run->job);
    workbench_unlock(run->bench);
    free(dump);
    run->growth_ns = now_ns(run) - run->grown_ns;
}

void job_set_messages(struct job *job, const json_t *messages) {
    char *dump = json_is_array(messages) ? json_dumps(messages, JSON_COMPACT) : NULL;
    const bool fits = dump != NULL && strlen(dump) < sizeof job->summary_messages;
    snprintf(job->summary_messages, sizeof job->summary_messages, "%s", fits ? dump : "");
    free(dump);
}

void job_summarize(struct job_run *run, const char *sentence, json_t *messages) {
    workbench_lock(run->bench);
    job_set_messages(run->job, messages);
    json_decref(messages);
    snprintf(run->job->summary, sizeof run->job->summary, "%s", sentence);
    charset_mend(run->job->summary);
    workbench_unlock(run->bench);
}

/* ---- the thread ---- */

static void run_free(struct job_run *run) {
    json_decref(run->params);
    json_decref(run->work);
    mem_free(run);
}

/* Only this thread writes the result: it is read here without the lock. */
static bool save_result(struct job_run *run, struct err *e) {
    char path[SERVE_PATH_MAX];
    const struct text *result = &run->job->result;
    return !run->has_result || (job_path(run->job, "result.json", path, e) &&
                                file_write(path, text_string(result), result->size, e));
}

/* Sets the final state. A job stopped because the server ends keeps its state and continues at the next
 * start. */
static void set_final_state(struct job *job, enum job_outcome outcome, const struct err *e) {
    static const enum job_state states[] = {
        [JOB_IS_DONE] = JOB_DONE, [JOB_WAS_STOPPED] = JOB_CANCELLED, [JOB_HAS_FAILED] = JOB_FAILED};
    const struct workbench *bench = job->jobs->bench;
    job->progress.left = outcome == JOB_IS_DONE ? 0 : -1;
    if (job->state == JOB_REMOVED || (outcome == JOB_WAS_STOPPED && job->jobs->closing))
        return;
    job->state = states[outcome];
    if (outcome == JOB_HAS_FAILED)
        snprintf(job->error, sizeof job->error, "%s", e->text);
    charset_mend(job->error); /* JSON must be UTF-8 */
    bench->setup.date(job->finished, sizeof job->finished);
}

static void finish(struct job_run *run, enum job_outcome outcome, struct err *e) {
    struct job *job = run->job;
    struct jobs *jobs = job->jobs;
    struct err ignored;
    char removed[SERVE_ID_MAX] = "";
    if (!save_result(run, e) && outcome == JOB_IS_DONE)
        outcome = JOB_HAS_FAILED;
    workbench_lock(run->bench);
    job->progress = run->progress;
    job->progress.seconds = job_seconds(run);
    job->progress.at_ns = now_ns(run);
    set_final_state(job, outcome, e);
    job->is_busy = false;
    jobs->running--;
    if (job->state == JOB_REMOVED) {
        snprintf(removed, sizeof removed, "%s", job->id);
        jobs_drop(job);
    } else {
        if (!job_save(job, &ignored)) /* then the job is done once more the next time */
            serve_warn(run->bench, "job %s: how it ended is not saved: %s", job->id, ignored.text);
        job_publish(job);
        if (job->state == JOB_DONE)
            job_end_stream(job);
        jobs_publish(jobs);
    }
    jobs_pump(jobs);
    workbench_unlock(run->bench);
    if (removed[0] != '\0')
        job_remove_folder(run->bench, removed, &ignored);
}

static void work(void *context) {
    struct job_run *run = context;
    struct err e = {{0}};
    run->start_ns = run->grown_ns = run->saved_ns = now_ns(run);
    run->work = job_read_work(run->job, &e);
    const enum job_outcome outcome = run->work != NULL ? run->job->kind->run(run, &e) : JOB_HAS_FAILED;
    finish(run, outcome, &e);
    run_free(run);
}

/* The pool does not run the task: the job keeps its state. */
static void drop(void *context) {
    run_free(context);
}

static struct job_run *run_open(struct job *job) {
    struct job_run *run = mem_alloc(sizeof *run);
    run->bench = job->jobs->bench;
    run->job = job;
    run->params = json_deep_copy(job->params); /* jansson values must not be used by two threads at once */
    run->stop = &job->stop;
    run->seconds_before = job->progress.seconds;
    run->progress = job->progress;
    if (job_path(job, "files", run->files, NULL))
        return run;
    run_free(run);
    return NULL;
}

/* The new thread takes the lock, which the caller holds, before it looks at the job's state. */
void job_start(struct job *job) {
    assert(!job->is_busy);
    assert(job->kind != NULL);
    job->progress.at_ns = clock_now_ns(job->jobs->bench->setup.clock);
    struct job_run *run = run_open(job);
    if (run == NULL)
        return;
    struct err ignored;
    const struct task task = {.run = work, .dropped = drop, .context = run, .owner = job->jobs};
    atomic_store(&job->stop, false);
    if (!task_pool_start(job->jobs->bench->task_pool, &task, &ignored)) {
        run_free(run);
        return;
    }
    job->state = JOB_RUNNING;
    job->is_busy = true;
    job->jobs->running++;
    job_save(job, &ignored);
    job_publish(job);
    jobs_publish(job->jobs);
}
