/* SPDX-License-Identifier: MIT
 *
 * A job under way: its thread, and what it tells while it works.
 */
#include "serve/job_run.h"

#include "base/charset.h"
#include "base/file.h"
#include "base/mem.h"
#include "serve/job_show.h"
#include "serve/job_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often progress is told, and a result at most. Making one takes no more than a twentieth of the time. */
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

/* ---- telling ---- */

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
static void tell_running(struct job_run *run) {
    struct err unheard;
    job_tell_progress(run->job);
    /* The folder of one that is to stop says so already. */
    if (run->told_ns - run->saved_ns < SAVE_NS || atomic_load(&run->job->stop))
        return;
    run->saved_ns = run->told_ns;
    job_save(run->job, &unheard);
}

void job_step(struct job_run *run, const struct job_step *step) {
    estimate(run, step);
    if (now_ns(run) - run->told_ns < PROGRESS_NS)
        return;
    run->told_ns = now_ns(run);
    workbench_lock(run->bench);
    run->job->progress = run->progress;
    if (run->job->state == JOB_RUNNING)
        tell_running(run);
    workbench_unlock(run->bench);
}

bool job_may_grow(struct job_run *run) {
    const int64_t pause =
        run->growth_ns * GROWTH_SHARE > GROWTH_NS ? run->growth_ns * GROWTH_SHARE : GROWTH_NS;
    const int64_t now = now_ns(run);
    if (now - run->grown_ns < pause)
        return false;
    run->grown_ns = now;
    return true;
}

void job_grow(struct job_run *run, json_t *result) {
    char *dump = result != NULL ? json_dumps(result, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    struct text text = {0};
    json_decref(result);
    if (dump != NULL)
        text_add_string(&text, dump);
    free(dump);
    if (text.size > 0 && !text.failed) {
        run->has_result = true;
        workbench_lock(run->bench);
        const struct text before = run->job->result;
        run->job->result = text;
        run->job->result_was_read = true;
        run->job->progress = run->progress;
        text = before;
        if (run->job->state == JOB_RUNNING)
            job_tell(run->job);
        workbench_unlock(run->bench);
    }
    text_done(&text);
    run->growth_ns = now_ns(run) - run->grown_ns;
}

void job_summarize(struct job_run *run, const char *sentence) {
    workbench_lock(run->bench);
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

/* Where it goes from here. One that was stopped because the server ends goes on the next time. */
static void settle(struct job *job, enum job_outcome outcome, const struct err *e) {
    static const enum job_state states[] = {
        [JOB_IS_DONE] = JOB_DONE, [JOB_WAS_STOPPED] = JOB_CANCELLED, [JOB_HAS_FAILED] = JOB_FAILED};
    const struct workbench *bench = job->jobs->bench;
    job->progress.left = outcome == JOB_IS_DONE ? 0 : -1;
    if (job->state == JOB_REMOVED || (outcome == JOB_WAS_STOPPED && job->jobs->closing))
        return;
    job->state = states[outcome];
    if (outcome == JOB_HAS_FAILED)
        snprintf(job->error, sizeof job->error, "%s", e->text);
    charset_mend(job->error); /* what is no UTF-8 cannot be told as JSON */
    bench->setup.date(job->finished, sizeof job->finished);
}

static void finish(struct job_run *run, enum job_outcome outcome, struct err *e) {
    struct job *job = run->job;
    struct jobs *jobs = job->jobs;
    struct err unheard;
    char removed[SERVE_ID_MAX] = "";
    if (!save_result(run, e) && outcome == JOB_IS_DONE)
        outcome = JOB_HAS_FAILED;
    workbench_lock(run->bench);
    job->progress = run->progress;
    job->progress.seconds = job_seconds(run);
    job->progress.at_ns = now_ns(run);
    settle(job, outcome, e);
    job->is_busy = false;
    jobs->running--;
    if (job->state == JOB_REMOVED) {
        snprintf(removed, sizeof removed, "%s", job->id);
        jobs_drop(job);
    } else {
        if (!job_save(job, &unheard)) /* then the job is done once more the next time */
            serve_warn(run->bench, "job %s: how it ended is not saved: %s", job->id, unheard.text);
        job_tell(job);
        if (job->state == JOB_DONE)
            job_tell_end(job);
        jobs_tell(jobs);
    }
    jobs_pump(jobs);
    workbench_unlock(run->bench);
    if (removed[0] != '\0')
        job_remove_folder(run->bench, removed, &unheard);
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

/* Nobody is there to do it; the job stays as it was. */
static void drop(void *context) {
    run_free(context);
}

static struct job_run *run_open(struct job *job, struct err *e) {
    struct job_run *run = mem_alloc(sizeof *run);
    json_t *params = json_deep_copy(job->params); /* values must not be looked at by two threads at a time */
    if (run == NULL || params == NULL) {
        mem_free(run);
        json_decref(params);
        err_set(e, "not enough memory for the job");
        return NULL;
    }
    run->bench = job->jobs->bench;
    run->job = job;
    run->params = params;
    run->stop = &job->stop;
    run->seconds_before = job->progress.seconds;
    run->progress = job->progress;
    if (job_path(job, "", run->folder, e) && job_path(job, "files", run->files, e))
        return run;
    run_free(run);
    return NULL;
}

bool job_start(struct job *job, struct err *e) {
    job->progress.at_ns = clock_now_ns(job->jobs->bench->setup.clock);
    struct job_run *run = run_open(job, e);
    if (run == NULL)
        return false;
    struct err unheard;
    const enum job_state before = job->state;
    job->state = JOB_RUNNING;
    job->is_busy = true;
    job->jobs->running++;
    atomic_store(&job->stop, false);
    const struct crew_task task = {.run = work, .dropped = drop, .context = run, .owner = job->jobs};
    if (!crew_start(job->jobs->bench->crew, &task, e)) {
        job->state = before;
        job->is_busy = false;
        job->jobs->running--;
        run_free(run);
        return false;
    }
    job_save(job, &unheard);
    job_tell(job);
    jobs_tell(job->jobs);
    return true;
}
