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
    const char *name;
    const struct repro_experiment *experiment;
    bool quick;
    int repetitions; /* 0: as published */
    uint64_t seed;
};

#define AT(field) offsetof(struct repro_request, field)

static const struct param repro_params[] = {
    {"experiment", PARAM_STRING, AT(name), .choices = "", .help = "its name"},
    {"quick", PARAM_FLAG, AT(quick), .help = "fewer trials"},
    {"trials", PARAM_INT, AT(repetitions), 1, REPRO_REPETITIONS_MAX, 0, .help = "of a cell"},
    {"seed", PARAM_U64, AT(seed), .fallback = JOB_SEED_DEFAULT, .help = "everything random follows from it"},
    {0},
};

static bool read_request(const json_t *params, struct repro_request *out, struct err *e) {
    struct params sections[] = {{.table = repro_params, .options = out}, {0}};
    *out = (struct repro_request){0};
    params_default(repro_params, out);
    if (!params_read_json(sections, params, e))
        return false;
    for (int i = 0; repro_experiments[i] != NULL; i++)
        if (strcmp(repro_experiments[i]->name, out->name) == 0)
            out->experiment = repro_experiments[i];
    if (out->experiment != NULL)
        return true;
    err_code(e, "refused.no_experiment", "'%.64s' is no experiment; /api/experiments lists those there are",
             out->name);
    return err_field(e, "experiment");
}

static bool draft(struct workbench *bench, const json_t *params, struct job_draft *out,
                  struct message_out *failure) {
    struct repro_request request;
    struct err e;
    (void)bench;
    if (!read_request(params, &request, &e))
        return serve_refuse(failure, &e);
    const struct repro_options options = {.repetitions = request.repetitions, .quick = request.quick};
    snprintf(out->title, sizeof out->title, "%s", request.experiment->name);
    out->total = repro_repetitions_all(request.experiment, &options);
    out->work = json_object(); /* the params and the built-in maps determine the work */
    return true;
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
static enum job_outcome run_experiment(struct job_run *run, struct repro_result *result, struct err *e) {
    const struct workbench_setup *setup = &run->bench->setup;
    struct repro_request request;
    struct repro_missing missing;
    if (!read_request(run->params, &request, e) || !repro_make_folders(request.experiment, run->files, e))
        return JOB_HAS_FAILED;
    const struct repro_options options = {
        .seed = request.seed,
        .repetitions = request.repetitions,
        .quick = request.quick,
        .workers = setup->cores,
        .folder = run->files,
        .program = SENJUTSU_VERSION,
        .clock = setup->clock,
        .stop = run->stop,
        .read_map = read_map,
        .on_repetition = on_repetition,
        .context = run,
    };
    const enum repro_outcome outcome = repro_run(request.experiment, &options, result, e);
    if (outcome == REPRO_FAILED)
        return JOB_HAS_FAILED;
    on_repetition(run, result); /* also when everything was there already */
    if (outcome == REPRO_STOPPED)
        return JOB_WAS_STOPPED;
    if (!output_store(result, run->files, e) ||
        !repro_draw(result, run->files, run->bench->maps, &missing, e))
        return JOB_HAS_FAILED;
    job_summarize(run, result->summary, output_summary_json(result));
    job_publish_result(run, output_json(result));
    return JOB_IS_DONE;
}

static enum job_outcome run(struct job_run *run, struct err *e) {
    struct repro_result *result = mem_alloc(sizeof *result); /* too large for a stack */
    const enum job_outcome outcome = run_experiment(run, result, e);
    repro_result_done(result);
    mem_free(result);
    return outcome;
}

const struct job_kind job_repro = {.name = "repro", .unit = "trials", .draft = draft, .run = run};
