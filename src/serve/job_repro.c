/* SPDX-License-Identifier: MIT
 *
 * Published experiments as jobs.
 */
#include "serve/start_position.h"
#include "serve/job.h"

#include "base/mem.h"
#include "config.h"
#include "repro/output.h"
#include "repro/plot.h"

#include <stdio.h>
#include <string.h>

struct repro_request {
    const struct repro_experiment *experiment;
    bool quick;
    long repetitions; /* 0: as published */
    uint64_t seed;
};

static const struct repro_experiment *find_experiment(const char *name) {
    for (int i = 0; repro_experiments[i] != NULL; i++)
        if (strcmp(repro_experiments[i]->name, name) == 0)
            return repro_experiments[i];
    return NULL;
}

static bool read_request(const json_t *params, struct repro_request *out, struct message_out *failure) {
    const char *name;
    *out = (struct repro_request){0};
    if (!request_text(params, "experiment", "", &name, failure) ||
        !request_bool(params, "quick", false, &out->quick, failure) ||
        !request_int(params, "trials", (struct request_range){1, REPRO_REPETITIONS_MAX, 0}, &out->repetitions,
                     failure) ||
        !request_seed(params, "seed", JOB_SEED_DEFAULT, &out->seed, failure))
        return false;
    out->experiment = find_experiment(name);
    if (out->experiment != NULL)
        return true;
    message_fail(failure, 400, "experiment",
                 "'%.64s' is no experiment; /api/experiments lists those there are", name);
    return false;
}

static bool draft(struct workbench *bench, const json_t *params, struct job_draft *out,
                  struct message_out *failure) {
    static const char *const known[] = {"experiment", "quick", "trials", "seed", NULL};
    struct repro_request request;
    (void)bench;
    if (!serve_knows(params, known, failure) || !read_request(params, &request, failure))
        return false;
    const struct repro_options options = {.repetitions = (int)request.repetitions, .quick = request.quick};
    snprintf(out->title, sizeof out->title, "%s", request.experiment->name);
    out->total = repro_repetitions_all(request.experiment, &options);
    out->work = json_object(); /* the params and the built-in maps determine the work */
    if (out->work == NULL)
        message_fail(failure, 500, NULL, "not enough memory for the job");
    return out->work != NULL;
}

/* ---- running ---- */

static bool read_map(void *context, const char *name, struct text *out, struct err *e) {
    struct job_run *run = context;
    return repro_read_map(run->bench->maps, name, out, e);
}

static void on_repetition(void *context, const struct repro_result *so_far) {
    job_report_progress(context,
                        &(struct job_step){.done = so_far->repetitions_done,
                                           .total = so_far->repetitions_all,
                                           .here = so_far->repetitions_done - so_far->repetitions_before});
}

/* Pictures that could not be made are missing; the result is complete without them. */
static bool conclude(struct job_run *run, const struct repro_result *result, struct err *e) {
    struct repro_missing missing;
    if (!output_store(result, run->files, e) ||
        !repro_draw(result, run->files, run->bench->maps, &missing, e))
        return false;
    job_summarize(run, result->summary);
    job_publish_result(run, output_json(result));
    return true;
}

static enum job_outcome run_experiment(struct job_run *run, const struct repro_request *request,
                                       struct repro_result *result, struct err *e) {
    const struct workbench_setup *setup = &run->bench->setup;
    const struct repro_options options = {
        .seed = request->seed,
        .repetitions = (int)request->repetitions,
        .quick = request->quick,
        .workers = setup->cores,
        .folder = run->files,
        .program = SENJUTSU_VERSION,
        .clock = setup->clock,
        .stop = run->stop,
        .read_map = read_map,
        .on_repetition = on_repetition,
        .context = run,
    };
    if (!repro_make_folders(request->experiment, run->files, e))
        return JOB_HAS_FAILED;
    const enum repro_outcome outcome = repro_run(request->experiment, &options, result, e);
    if (outcome == REPRO_FAILED)
        return JOB_HAS_FAILED;
    on_repetition(run, result); /* also when everything was there already */
    if (outcome == REPRO_STOPPED)
        return JOB_WAS_STOPPED;
    return conclude(run, result, e) ? JOB_IS_DONE : JOB_HAS_FAILED;
}

static enum job_outcome run(struct job_run *run, struct err *e) {
    struct message_out failure = {0};
    struct repro_request request;
    struct repro_result *result = mem_alloc(sizeof *result); /* too large for a stack */
    enum job_outcome outcome = JOB_HAS_FAILED;
    if (result == NULL)
        err_set(e, "not enough memory for the result");
    else if (!read_request(run->params, &request, &failure))
        job_take_failure(&failure, e);
    else
        outcome = run_experiment(run, &request, result, e);
    if (result != NULL)
        repro_result_done(result);
    mem_free(result);
    message_done(&failure);
    return outcome;
}

const struct job_kind job_repro = {.name = "repro", .unit = "trials", .draft = draft, .run = run};
