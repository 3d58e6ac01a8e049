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

/* The overrides point into params; `from` owns a text they point to. */
static bool add_choice(struct workbench *bench, const char *name, const json_t *value,
                       struct evolve_overrides *overrides, struct message_out *out) {
    const bool is_player = recipe_names_player(name);
    struct err e;
    if (!json_is_string(value) || overrides->choice_count == EVOLVE_CHOICES_MAX) {
        message_fail(out, 400, "options", "\"options\": %.64s: expected a text", name);
        return false;
    }
    if (strcmp(name, "preset") == 0) {
        message_fail(out, 400, "options", "the preset is said by \"preset\"");
        return false;
    }
    if (is_player && !serve_check_player(bench, json_string_value(value), NULL, &e)) {
        message_fail(out, 400, "options", "%s: %s", name, e.text);
        return false;
    }
    overrides->choices[overrides->choice_count++] = (struct evolve_choice){name, json_string_value(value)};
    return true;
}

static bool add_choices(struct workbench *bench, const json_t *params, struct evolve_overrides *overrides,
                        struct message_out *out) {
    json_t *options = json_object_get(params, "options");
    const char *name;
    json_t *value;
    if (options == NULL || json_is_null(options))
        return true;
    if (!json_is_object(options)) {
        message_fail(out, 400, "options", "\"options\": expected an object of texts");
        return false;
    }
    json_object_foreach(options, name, value) {
        if (!add_choice(bench, name, value, overrides, out))
            return false;
    }
    return true;
}

static bool read_overrides(struct workbench *bench, const json_t *params, struct evolve_overrides *overrides,
                           struct message_out *out) {
    double seconds;
    *overrides =
        (struct evolve_overrides){.has_seed = true, .folder = "the job", .from_label = "…", .mark = ""};
    return request_text(params, "preset", NULL, &overrides->preset, out) &&
           request_seed(params, "seed", JOB_SEED_DEFAULT, &overrides->seed, out) &&
           job_real(params, "seconds", (struct job_range){0, SECONDS_MAX, 0}, &seconds, out) &&
           add_choices(bench, params, overrides, out);
}

static bool add_from(struct workbench *bench, const char *name, json_t *from, struct message_out *out) {
    struct text text = {0};
    struct tbs_map map;
    struct err e;
    bool ok = serve_read_map(bench, name, &text, out);
    if (ok && (!tbs_map_load(name, text_string(&text), text.size, &map, &e) ||
               !evolve_add_map(from, name, &map, &e))) {
        message_fail(out, 400, "from", "%s", e.text);
        ok = false;
    }
    text_done(&text);
    return ok;
}

/* The maps as they are now; they may be changed or removed later. */
static bool gather(struct workbench *bench, const json_t *params, json_t *from, struct message_out *out) {
    const json_t *names;
    bool ok = job_texts(params, "from", EVOLVE_FROM_MAX, &names, out);
    for (size_t i = 0; ok && i < json_array_size(names); i++)
        ok = add_from(bench, json_string_value(json_array_get(names, i)), from, out);
    return ok;
}

/* The maps as text for the task; "" when there are none. */
static bool write_from(const json_t *from, struct text *out) {
    char *dump = json_array_size(from) > 0 ? json_dumps(from, JSON_COMPACT) : NULL;
    text_add_string(out, dump != NULL ? dump : "");
    const bool ok = dump != NULL || json_array_size(from) == 0;
    free(dump);
    return ok && !out->failed;
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
    if (task == NULL) {
        message_fail(failure, 500, NULL, "not enough memory for the job");
        return false;
    }
    const enum evolve_resolution settled = evolve_resolve(overrides, NULL, false, task, &e);
    if (settled != EVOLVE_RESOLVED)
        message_fail(failure, 400, settled == EVOLVE_WRONG ? "options" : "from", "%s", e.text);
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
    struct recipe recipe;
    struct err e;
    bool ok = read_overrides(bench, params, &overrides, failure) && gather(bench, params, from, failure);
    if (ok && !recipe_preset(&recipe, overrides.preset, &e)) {
        message_fail(failure, 400, "preset", "%s", e.text);
        ok = false;
    }
    if (ok && !write_from(from, &text)) {
        message_fail(failure, 500, NULL, "not enough memory for the job");
        ok = false;
    }
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
    static const char *const known[] = {"preset", "seed", "seconds", "from", "options", NULL};
    json_t *from = json_array();
    bool ok = serve_knows(params, known, failure) && draft_task(bench, params, from, out, failure);
    out->work = ok ? json_pack("{sO}", "from", from) : NULL;
    json_decref(from);
    if (ok && out->work == NULL)
        message_fail(failure, 500, NULL, "not enough memory for the job");
    return out->work != NULL;
}

/* ---- the result ---- */

/* The map as JSON for the page. */
static json_t *map_json(const char *text) {
    struct tbs_map map;
    struct text json = {0};
    struct err e;
    json_t *value = NULL;
    if (text != NULL && tbs_map_load("map", text, strlen(text), &map, &e) &&
        tbs_map_write_json(&map, &json, &e))
        value = jsontext_own(&json);
    text_done(&json);
    return value != NULL ? value : json_null();
}

/* A run's own JSON has a map's text as "map"; here that is "text", and "map" the map. */
static json_t *result_json(const struct evolution *ev) {
    json_t *result = gallery_json(ev), *maps = json_object_get(result, "maps");
    for (size_t i = 0; i < json_array_size(maps); i++) {
        json_t *one = json_array_get(maps, i), *text = json_incref(json_object_get(one, "map"));
        json_object_set_new(one, "map", map_json(json_string_value(text)));
        json_object_set_new(one, "text", text);
    }
    return result;
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
        job_publish_result(v->run, result_json(ev));
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
        job_publish_result(v->run, result_json(ev));
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
    const bool is_ready = store != NULL && (write_from(json_object_get(v->run->work, "from"), &from) ||
                                            err_set(e, "not enough memory for the maps"));
    overrides->from = text_string(&from);
    if (is_ready && evolve_resolve(overrides, store, true, &v->task, e) == EVOLVE_RESOLVED)
        outcome = play(v, store, e);
    store_close(store);
    text_done(&from);
    return outcome;
}

static enum job_outcome run(struct job_run *run, struct err *e) {
    struct message_out failure = {0};
    struct evolve_overrides overrides;
    struct evolving *v = mem_alloc(sizeof *v);
    enum job_outcome outcome = JOB_HAS_FAILED;
    if (v == NULL) {
        err_set(e, "not enough memory for the job");
    } else if (!read_overrides(run->bench, run->params, &overrides, &failure)) {
        job_take_failure(&failure, e);
    } else {
        v->run = run;
        v->seconds_max = json_number_value(json_object_get(run->params, "seconds"));
        outcome = run_evolution(v, &overrides, e);
        evolve_task_done(&v->task);
        text_done(&v->title);
        text_done(&v->command);
    }
    message_done(&failure);
    mem_free(v);
    return outcome;
}

const struct job_kind job_evolve = {.name = "evolve", .unit = "games", .draft = draft, .run = run};
