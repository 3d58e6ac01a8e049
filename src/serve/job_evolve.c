/* SPDX-License-Identifier: MIT
 *
 * Evolution of maps as a job; the gallery is published while it grows.
 */
#include "serve/start_position.h"
#include "serve/job.h"

#include "base/charset.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "evolve/gallery.h"
#include "evolve/evolution.h"
#include "evolve/task.h"
#include "game/tbs/map.h"
#include "store/store.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_MAX 1e7
#define WRITE_NS    INT64_C(2000000000) /* the folder is not written more often than that */

/* ---- params ---- */

/* The members of a request. */
struct evolve_request {
    const char *preset;
    uint64_t seed;
    double seconds; /* 0: no limit */
    const json_t *from, *options;
};

#define AT(field) offsetof(struct evolve_request, field)

static const struct param request_params[] = {
    {"preset", PARAM_STRING, AT(preset), .help = "where the recipe's defaults come from"},
    {"seed", PARAM_U64, AT(seed), .fallback = JOB_SEED_DEFAULT, .help = "everything random follows from it"},
    {"seconds", PARAM_REAL, AT(seconds), 0, SECONDS_MAX, .help = "no more generations after that"},
    {"from", PARAM_TEXTS, AT(from), .high = EVOLVE_FROM_MAX, .help = "names of maps to begin with"},
    {"options", PARAM_JSON, AT(options), .help = "fields of the recipe, as texts"},
    {0},
};

static bool add_choice(struct workbench *bench, const char *name, const json_t *value,
                       struct evolve_overrides *overrides, struct err *e) {
    if (!json_is_string(value))
        return err_set(e, "\"options\": %.64s: expected a text", name);
    if (strcmp(name, "preset") == 0)
        return err_set(e, "the preset is said by \"preset\"");
    if (recipe_names_player(name) && !serve_check_player(bench, json_string_value(value), NULL, e))
        return err_prefix(e, "%s: ", name);
    return params_give(&overrides->recipe, name, json_string_value(value), e);
}

/* The overrides point into params and `recipe`. */
static bool read_overrides(struct workbench *bench, const json_t *params, struct recipe *recipe,
                           struct evolve_overrides *overrides, struct err *e) {
    struct evolve_request request;
    struct params sections[] = {{.table = request_params, .options = &request}, {0}};
    params_default(request_params, &request);
    if (!params_read_json(sections, params, e))
        return false;
    *overrides = (struct evolve_overrides){.preset = request.preset,
                                           .recipe = {evolve_params_first(), recipe, 0, false},
                                           .has_seed = true,
                                           .seed = request.seed,
                                           .folder = "the job",
                                           .from_label = "…",
                                           .mark = ""};
    if (request.options != NULL && !json_is_object(request.options))
        return err_set(e, "\"options\": expected an object of texts") || err_field(e, "options");
    json_t *options = json_object_get(params, "options");
    const char *name;
    json_t *value;
    json_object_foreach(options, name, value) {
        if (!add_choice(bench, name, value, overrides, e))
            return err_field(e, "options");
    }
    return true;
}

static bool add_from(struct workbench *bench, const char *name, json_t *from, struct message_out *out) {
    struct text text = {0};
    struct tbs_map map;
    struct err e;
    bool ok = serve_read_map(bench, name, &text, out);
    if (ok && (!tbs_map_load(name, text_string(&text), text.size, &map, &e) ||
               !evolve_add_map(from, name, &map, &e))) {
        message_fail_err(out, 400, "from", &e);
        ok = false;
    }
    text_done(&text);
    return ok;
}

/* The maps as they are now; they may be changed or removed later. */
static bool gather(struct workbench *bench, const json_t *params, json_t *from, struct message_out *out) {
    const json_t *names = json_object_get(params, "from");
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(names); i++)
        ok = add_from(bench, json_string_value(json_array_get(names, i)), from, out);
    return ok;
}

/* The maps as text for the task; "" when there are none. */
static void write_from(const json_t *from, struct text *out) {
    if (json_array_size(from) == 0)
        return;
    char *dump = json_dumps(from, JSON_COMPACT);
    text_add_string(out, dump);
    free(dump);
}

/* Upper limit of games of the run; -1: not known. */
static int games_planned(const struct evolution_progress *progress) {
    const double planned = evolution_progress_planned(progress);
    return planned > 0 && planned >= progress->games && planned < INT_MAX ? (int)ceil(planned) : -1;
}

static bool try_task(const struct evolve_overrides *overrides, struct job_draft *out,
                     struct message_out *failure) {
    struct evolution_progress progress;
    struct evolve_task *task = mem_alloc(sizeof *task);
    struct err e;
    const enum evolve_resolution settled = evolve_resolve(overrides, NULL, false, task, &e);
    if (settled != EVOLVE_RESOLVED)
        message_fail_err(failure, 400, settled == EVOLVE_WRONG ? "options" : "from", &e);
    evolution_progress_init(&progress, &task->plan);
    out->total = settled == EVOLVE_RESOLVED ? games_planned(&progress) : -1;
    evolve_task_done(task);
    mem_free(task);
    return settled == EVOLVE_RESOLVED;
}

static bool draft_task(struct workbench *bench, const json_t *params, json_t *from, struct job_draft *out,
                       struct message_out *failure) {
    struct evolve_overrides overrides;
    struct text text = {0};
    struct recipe recipe, preset;
    struct err e;
    bool ok = (read_overrides(bench, params, &recipe, &overrides, &e) || serve_refuse(failure, &e)) &&
              gather(bench, params, from, failure);
    if (ok && !recipe_preset(&preset, overrides.preset, &e)) {
        message_fail_err(failure, 400, "preset", &e);
        ok = false;
    }
    write_from(from, &text);
    overrides.from = text_string(&text);
    ok = ok && try_task(&overrides, out, failure);
    text_done(&text);
    if (ok)
        snprintf(out->title, sizeof out->title, "%s",
                 overrides.preset != NULL ? overrides.preset : recipe_presets[0]);
    return ok;
}

static bool draft(struct workbench *bench, const json_t *params, struct job_draft *out,
                  struct message_out *failure) {
    json_t *from = json_array();
    const bool ok = draft_task(bench, params, from, out, failure);
    out->work = ok ? json_pack("{sO}", "from", from) : NULL;
    json_decref(from);
    return ok;
}

/* ---- running ---- */

struct evolving {
    struct job_run *run;
    struct evolve_task task;
    struct evolution_progress progress;
    double seconds_max; /* 0: no limit */
    int64_t written_ns;
    struct text title, command;
    struct err failed; /* a folder that could not be written to ends the run */
};

static bool write_folder(struct evolving *v, const struct evolution *ev, bool finished, struct err *e) {
    const struct gallery gallery = {
        .folder = v->run->files,
        .title = text_string(&v->title),
        .command = text_string(&v->command),
        .draw = gallery_draw,
        .finished = finished,
    };
    const bool ok = gallery_write(&gallery, ev, e);
    v->written_ns = clock_now_ns(v->run->bench->setup.clock);
    return ok;
}

static void report_step(struct evolving *v) {
    const struct evolution_progress *p = &v->progress;
    struct text stage = {0};
    evolution_progress_stage(p, &stage);
    job_report_progress(v->run, &(struct job_step){.done = p->games,
                                                   .total = games_planned(p),
                                                   .here = p->games - p->stored,
                                                   .note = text_string(&stage)});
    text_done(&stage);
}

static void on_game(void *context, bool stored) {
    struct evolving *v = context;
    evolution_progress_game(&v->progress, stored);
    report_step(v);
}

static void on_generation(void *context, const struct evolution *ev) {
    struct evolving *v = context;
    const bool is_new = evolution_progress_generation(&v->progress, ev);
    const int64_t now = clock_now_ns(v->run->bench->setup.clock);
    if (is_new && now - v->written_ns >= WRITE_NS && v->failed.text[0] == '\0' &&
        !write_folder(v, ev, false, &v->failed))
        atomic_store(v->run->stop, true);
    if (job_result_is_due(v->run))
        job_publish_result(v->run, gallery_view_json(ev));
}

static bool is_enough(void *context) {
    struct evolving *v = context;
    v->progress.ending = v->progress.ending || (v->seconds_max > 0 && job_seconds(v->run) >= v->seconds_max);
    return v->progress.ending;
}

static enum job_outcome conclude(struct evolving *v, const struct evolution *ev, bool complete,
                                 struct err *e) {
    if (v->failed.text[0] != '\0') {
        *e = v->failed;
        return JOB_HAS_FAILED;
    }
    if (ev->generation_count > 0) {
        if (!write_folder(v, ev, complete, e))
            return JOB_HAS_FAILED;
        job_publish_result(v->run, gallery_view_json(ev));
    }
    if (complete)
        job_report_progress(v->run,
                            &(struct job_step){.done = v->progress.games, .total = v->progress.games});
    return complete ? JOB_IS_DONE : JOB_WAS_STOPPED;
}

static enum job_outcome evolve(struct evolving *v, struct evaluator *evaluator, struct err *e) {
    const struct evolve_task *task = &v->task;
    struct evolution ev;
    bool complete = false;
    evolution_init(&ev, &task->plan, task->seed);
    struct evolution_run evolution = evolve_task_run(task, evaluator);
    evolution.is_enough = is_enough;
    evolution.on_generation = on_generation;
    evolution.context = v;
    const bool ok = evolution_play(&evolution, &ev, &complete, e);
    const enum job_outcome outcome = ok ? conclude(v, &ev, complete, e) : JOB_HAS_FAILED;
    evolution_done(&ev);
    return outcome;
}

static enum job_outcome play(struct evolving *v, struct store *store, struct err *e) {
    const struct workbench_setup *bench = &v->run->bench->setup;
    const struct evaluator_setup setup = {
        .rules = v->task.plan.rules,
        .strong = v->task.recipe.strong,
        .weak = v->task.recipe.weak,
        .seed = v->task.seed,
        .workers = bench->cores,
        .store = store,
        .clock = bench->clock,
        .stop = v->run->stop,
        .grant = serve_grant(v->run->bench),
        .date = bench->date,
        .on_game = on_game,
        .context = v,
    };
    evolution_progress_init(&v->progress, &v->task.plan);
    v->written_ns = v->run->start_ns - WRITE_NS;
    evolve_title(&v->task, &v->title);
    evolve_command_line(&v->task, &v->command);
    struct evaluator *evaluator = evaluator_open(&setup, e);
    const enum job_outcome outcome = evaluator != NULL ? evolve(v, evaluator, e) : JOB_HAS_FAILED;
    evaluator_close(evaluator);
    return outcome;
}

static enum job_outcome run_evolution(struct evolving *v, struct evolve_overrides *overrides, struct err *e) {
    char path[SERVE_PATH_MAX];
    struct text from = {0};
    enum job_outcome outcome = JOB_HAS_FAILED;
    if (!job_path(v->run->job, "games.db", path, e))
        return JOB_HAS_FAILED;
    struct store *store = store_open(path, STORE_WRITE, e);
    write_from(json_object_get(v->run->work, "from"), &from);
    overrides->from = text_string(&from);
    if (store != NULL && evolve_resolve(overrides, store, true, &v->task, e) == EVOLVE_RESOLVED)
        outcome = play(v, store, e);
    store_close(store);
    text_done(&from);
    return outcome;
}

static enum job_outcome run(struct job_run *run, struct err *e) {
    struct evolve_overrides overrides;
    struct recipe recipe;
    if (!read_overrides(run->bench, run->params, &recipe, &overrides, e))
        return JOB_HAS_FAILED;
    struct evolving *v = mem_alloc(sizeof *v);
    v->run = run;
    v->seconds_max = json_number_value(json_object_get(run->params, "seconds"));
    const enum job_outcome outcome = run_evolution(v, &overrides, e);
    evolve_task_done(&v->task);
    text_done(&v->title);
    text_done(&v->command);
    mem_free(v);
    return outcome;
}

const struct job_kind job_evolve = {.name = "evolve", .unit = "games", .draft = draft, .run = run};
