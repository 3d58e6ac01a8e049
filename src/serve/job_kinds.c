/* SPDX-License-Identifier: MIT
 *
 * Jobs other than matches: judging whether a map is fair (games are played until the intervals are narrow
 * enough), the evolution of maps, and published experiments. The first two publish their result while it
 * grows.
 */
#include "evolve/evaluator.h"
#include "evolve/evolution.h"
#include "evolve/judge.h"
#include "game/tbs/map.h"
#include "game/tbs/tbs.h"
#include "serve/inside.h"

#include "base/encode.h"
#include "base/mem.h"
#include "config.h"
#include "evolve/gallery.h"
#include "repro/repro.h"
#include "store/store.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The part of an evaluator's setup that both kinds share. */
static struct evaluator_setup setup_of(const struct job_run *run, struct store *store) {
    assert(store != NULL);
    const struct workbench_setup *bench = &run->bench->setup;
    return (struct evaluator_setup){.workers = bench->cores,
                                    .store = store,
                                    .clock = bench->clock,
                                    .stop = &run->job->stop,
                                    .grant = serve_grant(run->bench),
                                    .date = bench->date};
}

static struct store *open_store(const struct job_run *run, struct err *e) {
    char path[SERVE_PATH_MAX];
    return job_path(run->job, "games.db", path, e) ? store_open(path, STORE_WRITE, e) : NULL;
}

/* ---- judging: the task ---- */

enum { ESTIMATE_GAMES_MIN = 20 };

/* The task; read in the same way from a request and from work.json. */
struct judge_task {
    const char *map, *map_text;
    struct judge_options options;
    struct text players[2]; /* canonical: strong, weak */
};

static const struct param map_params[] = {
    {"map", PARAM_STRING, offsetof(struct judge_task, map), .help = "the map's name"},
    {"map_text", PARAM_STRING, offsetof(struct judge_task, map_text), .help = "or the map itself"},
    {0},
};

static bool read_judge_task(struct workbench *bench, const json_t *params, struct judge_task *out,
                            struct err *e) {
    struct judge_options *o = &out->options;
    struct params sections[] = {{map_params, out, 0, false}, {judge_params, o, 0, false}, {0}};
    *out = (struct judge_task){0};
    params_default(judge_params, o);
    if (!params_read_json(sections, params, e))
        return false;
    if (!judge_fit_limits(&sections[1])) {
        err_code(e, "json.int", "\"%s\": expected a whole number from %d to %d", "min_games", 0,
                 o->limits.games_max);
        return err_field(e, "min_games");
    }
    return (serve_check_player(bench, o->strong, &out->players[0], e) || err_field(e, "strong")) &&
           (serve_check_player(bench, o->weak, &out->players[1], e) || err_field(e, "weak")) &&
           (tbs_read_rules(o->rules, e) != NULL || err_field(e, "rules"));
}

/* The work is the map as it is now: it may be changed or removed later. The title is the map's name, its own
 * description, or else its size (independent of language). The number of games is not known before, so the
 * limit is the total of progress. */
static json_t *draft_judge(struct job *job, struct message_out *failure) {
    static const char *const fields[] = {"strong", "weak"};
    struct workbench *bench = job->jobs->bench;
    struct judge_task task = {0};
    struct text text = {0};
    json_t *work = NULL;
    bool ok = read_judge_task(bench, job->params, &task, &failure->why);
    if (ok && task.map == NULL && task.map_text == NULL)
        ok = message_fail(failure, 400, "map", "which map? Expected \"map\" or \"map_text\"");
    struct scenario *scenario = ok ? start_position_scenario(bench, job->params, failure) : NULL;
    for (int i = 0; scenario != NULL && ok && i < 2; i++) /* can they play the tactical game at all? */
        ok = serve_try_player(bench, text_string(&task.players[i]), scenario->game, NULL, &failure->why) ||
             err_field(&failure->why, fields[i]);
    if (scenario != NULL && ok) {
        const struct tbs_map *map = tbs_scenario_map(scenario);
        const char *title = task.map != NULL ? task.map : map->comment;
        charset_copy(job->title, sizeof job->title, title, strlen(title));
        if (text_trim(job->title)[0] == '\0')
            snprintf(job->title, sizeof job->title, "%dx%d, %d:%d", map->width - 2, map->height - 2,
                     tbs_map_side_units(map, TBS_RED), tbs_map_side_units(map, TBS_BLUE));
        tbs_map_write(map, &text);
        work = json_pack("{so}", "map", jsontext_string(text_string(&text), text.size));
        job->progress.total = task.options.limits.games_max;
    }
    game_unload(scenario);
    text_done(&text);
    text_done(&task.players[0]);
    text_done(&task.players[1]);
    return work;
}

/* ---- judging: the run ---- */

/* One judgement while it runs. */
struct judging {
    struct job_run *run;
    const struct judge_task *task;
    const struct tbs_rules *rules;
    struct judge_subject seen; /* every game that is over, also of the batch that is played */
    int games, played;         /* played: in this run, not found in the store */
};

/* The judgement with the conditions under which it was made. */
static json_t *judge_result_json(const struct judging *j, bool complete) {
    const struct judge_task *task = j->task;
    const struct judge_options *o = &task->options;
    return serve_join(judge_json(&j->seen, j->rules, o->fair),
                      json_pack("{s[ss] ss so sf sf si si sb}", "players", text_string(&task->players[0]),
                                text_string(&task->players[1]), "rules", j->rules->name, "seed",
                                jsontext_seed(o->seed), "width", o->limits.width, "fair", o->fair,
                                "games_min", o->limits.games_min, "games_max", o->limits.games_max,
                                "complete", complete));
}

/* How many games an interval of that width will take: errors shrink with the square root. */
static double games_needed(const struct share *share, double width) {
    const double ratio = judge_margin(share) / width;
    return ratio > 1 ? share->games * ratio * ratio : share->games;
}

/* Until the first interval is known, only the maximum number of games is. */
static int games_expected(const struct judging *j) {
    const struct judge_limits *limits = &j->task->options.limits;
    const struct share strength = judgement_strength(&j->seen.judgement),
                       red = judgement_red(&j->seen.judgement);
    if (strength.games < ESTIMATE_GAMES_MIN || tally_games(&j->seen.judgement.peers) < ESTIMATE_GAMES_MIN)
        return limits->games_max;
    const double needed = games_needed(&strength, limits->width) + games_needed(&red, limits->width);
    return (int)ceil(fmin(fmax(fmax(needed, limits->games_min), j->games), limits->games_max));
}

static void on_judged_game(void *context, const struct sample_game *sample, bool stored) {
    struct judging *j = context;
    judgement_add(&j->seen.judgement, sample);
    j->games++;
    j->played += !stored;
    job_report_progress(j->run, j->games, games_expected(j), j->played, NULL);
    if (job_result_is_due(j->run))
        job_publish_result(j->run, judge_result_json(j, false));
}

/* The params are read again, because permissions may have changed since the request. */
static bool run_judge(struct job_run *run, bool *complete, struct err *e) {
    struct judge_task task = {0};
    struct tbs_map map;
    struct judging j = {.run = run, .task = &task, .seen.map = &map};
    const char *text = json_string_value(json_object_get(run->work, "map"));
    bool ok = read_judge_task(run->bench, run->params, &task, e) &&
              (text != NULL || err_set(e, "the job has no map")) &&
              tbs_map_load("the job's map", text, strlen(text), &map, e);
    j.rules = ok ? tbs_read_rules(task.options.rules, e) : NULL;
    struct store *store = j.rules != NULL ? open_store(run, e) : NULL;
    ok = store != NULL;
    if (ok) {
        struct evaluator_setup setup = setup_of(run, store);
        setup.rules = j.rules;
        setup.strong = text_string(&task.players[0]);
        setup.weak = text_string(&task.players[1]);
        setup.seed = task.options.seed;
        setup.on_game = on_judged_game;
        setup.context = &j;
        struct judge_subject subject = {.map = &map, .id = judge_id(&map, j.rules, setup.strong, setup.weak)};
        struct evaluator *evaluator = evaluator_open(&setup, e);
        ok = evaluator != NULL && judge_maps(evaluator, &task.options.limits, &subject, 1, complete, e);
        evaluator_close(evaluator);
        if (ok && *complete)
            j.seen =
                subject; /* otherwise the result ends with the last complete batch, before the last games */
    }
    if (ok) {
        const int games = judgement_games(&j.seen.judgement);
        job_report_progress(run, games, *complete ? games : games_expected(&j), 0, NULL);
        job_publish_result(run, judge_result_json(&j, *complete));
    }
    store_close(store);
    text_done(&task.players[0]);
    text_done(&task.players[1]);
    return ok;
}

const struct job_kind job_judge = {.name = "judge",
                                   .unit = "games",
                                   .params = {map_params, judge_params},
                                   .draft = draft_judge,
                                   .run = run_judge};

/* ---- evolution: the task ---- */

#define WRITE_NS INT64_C(2000000000) /* the folder is not written more often than that */

/* The members of a request. */
struct evolve_request {
    const char *preset;
    uint64_t seed;
    double seconds; /* 0: no limit */
    const json_t *from, *options;
};

#define AT(field) offsetof(struct evolve_request, field)

static const struct param evolve_request_params[] = {
    {EVOLVE_PRESET_ROW(AT(preset))},
    {PARAM_SEED_ROW(AT(seed))},
    {EVOLVE_TIME_ROW("seconds", AT(seconds))},
    {"from", PARAM_TEXTS, AT(from), .high = EVOLVE_FROM_MAX, .help = "names of maps to begin with"},
    {"options", PARAM_JSON, AT(options), .help = "fields of the recipe, as texts"},
    {0},
};

/* Options come as texts, as they are typed on a command line, and the same reader checks them: then a recipe
 * means the same here and there. The overrides point into params and `recipe`. */
static bool read_overrides(struct workbench *bench, const json_t *params, struct recipe *recipe,
                           struct evolve_overrides *overrides, struct err *e) {
    struct evolve_request request;
    struct params sections[] = {{.table = evolve_request_params, .options = &request}, {0}};
    params_default(evolve_request_params, &request);
    if (!params_read_json(sections, params, e))
        return false;
    *overrides = (struct evolve_overrides){.preset = request.preset,
                                           .recipe = {recipe_params + 1, recipe, 0, false},
                                           .has_seed = true,
                                           .seed = request.seed,
                                           .folder = "the job",
                                           .from_label = "…",
                                           .mark = ""};
    bool ok = request.options == NULL || json_is_object(request.options) ||
              err_code(e, "json.object", "\"%s\": expected an object%s", "options", " of texts");
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(params, "options"), name, value) {
        const char *text = json_string_value(value);
        if (!ok)
            break;
        if (text == NULL)
            ok = err_code(e, "json.text", "\"%.64s\" is no text", name);
        else if (strcmp(name, "preset") == 0)
            ok = err_set(e, "the preset is named by \"preset\"");
        else if (recipe_names_player(name) && !serve_check_player(bench, text, NULL, e))
            ok = err_prefix(e, "%s: ", name);
        else
            ok = params_give(&overrides->recipe, name, text, e);
    }
    return ok || err_field(e, "options");
}

/* The maps as they are now; they may be changed or removed later. */
static bool gather_from(struct workbench *bench, const json_t *params, json_t *from,
                        struct message_out *out) {
    const json_t *names = json_object_get(params, "from");
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        struct text text = {0};
        struct tbs_map map;
        ok = serve_read_map(bench, name, &text, out) &&
             ((tbs_map_load(name, text_string(&text), text.size, &map, &out->why) &&
               evolve_add_map(from, name, &map, &out->why)) ||
              err_field(&out->why, "from"));
        text_done(&text);
    }
    return ok;
}

/* The maps as text for the task, for free(); "" when there are none. */
static char *from_text(const json_t *from) {
    return json_array_size(from) > 0 ? json_dumps(from, JSON_COMPACT) : mem_copy("", 1);
}

/* Upper limit of games of the run; -1: not known. */
static int games_planned(const struct evolution_progress *progress) {
    const double planned = evolution_progress_planned(progress);
    return planned > 0 && planned >= progress->games && planned < INT_MAX ? (int)ceil(planned) : -1;
}

static json_t *draft_evolve(struct job *job, struct message_out *failure) {
    struct workbench *bench = job->jobs->bench;
    json_t *from = json_array(), *work = NULL;
    struct evolve_overrides overrides;
    struct recipe recipe, preset;
    struct err *e = &failure->why;
    bool ok = read_overrides(bench, job->params, &recipe, &overrides, e) &&
              gather_from(bench, job->params, from, failure) &&
              (recipe_preset(&preset, overrides.preset, e) || err_field(e, "preset"));
    char *maps = from_text(from);
    overrides.from = maps;
    if (ok) {
        struct evolution_progress progress;
        struct evolve_task *task = mem_alloc(sizeof *task);
        const enum evolve_resolution resolution = evolve_resolve(&overrides, NULL, false, task, e);
        ok = resolution == EVOLVE_RESOLVED || err_field(e, resolution == EVOLVE_WRONG ? "options" : "from");
        evolution_progress_init(&progress, &task->plan);
        job->progress.total = ok ? games_planned(&progress) : -1;
        evolve_task_done(task);
        mem_free(task);
    }
    if (ok) {
        snprintf(job->title, sizeof job->title, "%s",
                 overrides.preset != NULL ? overrides.preset : recipe_presets[0]);
        work = json_pack("{sO}", "from", from);
    }
    mem_free(maps);
    json_decref(from);
    return work;
}

/* ---- evolution: the run ---- */

/* One evolution while it runs. */
struct evolving {
    struct job_run *run;
    struct evolve_task task;
    struct evolution_progress progress;
    double seconds_max; /* 0: no limit */
    int64_t written_ns;
    struct text title, command;
    struct err failed; /* a folder that could not be written to ends the run */
};

/* Writes maps and tables of the run so far into the job's files. */
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

static void on_evolved_game(void *context, const struct sample_game *sample, bool stored) {
    (void)sample;
    struct evolving *v = context;
    const struct evolution_progress *p = &v->progress;
    struct job_note stage;
    evolution_progress_game(&v->progress, stored);
    evolution_progress_stage(p, &stage.msg, stage.text, sizeof stage.text);
    job_report_progress(v->run, p->games, games_planned(p), p->games - p->stored, &stage);
}

static void on_generation(void *context, const struct evolution *ev) {
    struct evolving *v = context;
    const bool is_new = evolution_progress_generation(&v->progress, ev);
    const int64_t now = clock_now_ns(v->run->bench->setup.clock);
    if (is_new && now - v->written_ns >= WRITE_NS && v->failed.text[0] == '\0' &&
        !write_folder(v, ev, false, &v->failed))
        atomic_store(&v->run->job->stop, true);
    if (job_result_is_due(v->run))
        job_publish_result(v->run, gallery_json(ev, true));
}

/* The limit counts the seconds of all runs of the job. */
static bool is_enough(void *context) {
    struct evolving *v = context;
    v->progress.ending = v->progress.ending || (v->seconds_max > 0 && job_seconds(v->run) >= v->seconds_max);
    return v->progress.ending;
}

/* A run that was stopped leaves its folder complete up to the last generation. */
static bool evolve(struct evolving *v, struct store *store, bool *complete, struct err *e) {
    const struct evolve_task *task = &v->task;
    struct evaluator_setup setup = setup_of(v->run, store);
    setup.rules = task->plan.rules;
    setup.strong = task->recipe.strong;
    setup.weak = task->recipe.weak;
    setup.seed = task->seed;
    setup.on_game = on_evolved_game;
    setup.context = v;
    evolution_progress_init(&v->progress, &task->plan);
    v->written_ns = v->run->start_ns - WRITE_NS;
    evolve_title(task, &v->title);
    evolve_command_line(task, &v->command);
    struct evaluator *evaluator = evaluator_open(&setup, e);
    if (evaluator == NULL)
        return false;
    struct evolution ev = {.plan = &task->plan, .seed = task->seed};
    const struct evolution_run evolution = {.evaluator = evaluator,
                                            .seed_count = task->from_count,
                                            .seeds = task->from,
                                            .seed_names = task->names,
                                            .is_enough = is_enough,
                                            .on_generation = on_generation,
                                            .context = v};
    bool ok = evolution_play(&evolution, &ev, complete, e);
    if (ok && v->failed.text[0] != '\0') {
        *e = v->failed;
        ok = false;
    }
    if (ok && ev.generation_count > 0) {
        ok = write_folder(v, &ev, *complete, e);
        if (ok)
            job_publish_result(v->run, gallery_json(&ev, true));
    }
    const int games = v->progress.games;
    if (ok && *complete)
        job_report_progress(v->run, games, games, 0, NULL);
    evolution_done(&ev);
    evaluator_close(evaluator);
    return ok;
}

static bool run_evolve(struct job_run *run, bool *complete, struct err *e) {
    struct evolve_overrides overrides;
    struct recipe recipe;
    if (!read_overrides(run->bench, run->params, &recipe, &overrides, e))
        return false;
    struct evolving *v = mem_alloc(sizeof *v);
    v->run = run;
    v->seconds_max = json_number_value(json_object_get(run->params, "seconds"));
    struct store *store = open_store(run, e);
    char *maps = from_text(json_object_get(run->work, "from"));
    overrides.from = maps;
    const bool ok = store != NULL &&
                    evolve_resolve(&overrides, store, true, &v->task, e) == EVOLVE_RESOLVED &&
                    evolve(v, store, complete, e);
    store_close(store);
    mem_free(maps);
    evolve_task_done(&v->task);
    text_done(&v->title);
    text_done(&v->command);
    mem_free(v);
    return ok;
}

const struct job_kind job_evolve = {.name = "evolve",
                                    .unit = "games",
                                    .params = {evolve_request_params},
                                    .draft = draft_evolve,
                                    .run = run_evolve};

/* ---- published experiments ---- */

struct repro_request {
    const char *name;
    const struct repro_experiment *experiment;
    struct repro_options options;
};

static const struct param experiment_params[] = {
    {"experiment", PARAM_STRING, offsetof(struct repro_request, name), .choices = "", .help = "its name"},
    {0},
};

static bool read_repro_request(const json_t *params, struct repro_request *out, struct err *e) {
    struct params sections[] = {
        {.table = experiment_params, .options = out}, {.table = repro_params, .options = &out->options}, {0}};
    *out = (struct repro_request){0};
    params_default(experiment_params, out);
    params_default(repro_params, &out->options);
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

/* The params and the built-in maps determine the work. */
static json_t *draft_repro(struct job *job, struct message_out *failure) {
    struct repro_request request;
    if (!read_repro_request(job->params, &request, &failure->why))
        return NULL;
    snprintf(job->title, sizeof job->title, "%s", request.experiment->name);
    job->progress.total = repro_repetitions_all(request.experiment, &request.options);
    return json_object();
}

/* Experiments use the built-in maps only. */
static bool read_map(void *context, const char *name, struct text *out, struct err *e) {
    struct job_run *run = context;
    return repro_read_map((void *)(uintptr_t)run->bench->setup.maps, name, out, e);
}

/* Repetitions that the journal has from an earlier run are done, but took no time in this one. */
static void on_repetition(void *context, const struct repro_result *so_far) {
    job_report_progress(context, so_far->repetitions_done, so_far->repetitions_all,
                        so_far->repetitions_done - so_far->repetitions_before, NULL);
}

/* Pictures that could not be made are missing; the result is complete without them. */
static bool run_repro(struct job_run *run, bool *complete, struct err *e) {
    const struct workbench_setup *setup = &run->bench->setup;
    struct repro_result *result = mem_alloc(sizeof *result); /* too large for a stack */
    struct repro_request request;
    struct repro_missing missing;
    bool ok =
        read_repro_request(run->params, &request, e) && repro_make_folders(request.experiment, run->files, e);
    struct clock cpu = clock_thread();
    const struct repro_options options = {
        .cpu = &cpu,
        .seed = request.options.seed,
        .repetitions = request.options.repetitions,
        .quick = request.options.quick,
        .workers = setup->cores,
        .folder = run->files,
        .program = SENJUTSU_VERSION,
        .clock = setup->clock,
        .stop = &run->job->stop,
        .read_map = read_map,
        .on_repetition = on_repetition,
        .context = run,
    };
    const enum repro_outcome outcome = ok ? repro_run(request.experiment, &options, result, e) : REPRO_FAILED;
    if (outcome != REPRO_FAILED)
        on_repetition(run, result); /* also when everything was there already */
    *complete = outcome == REPRO_DONE;
    ok = *complete
             ? output_store(result, run->files, e) && repro_draw(result, run->files, setup->maps, &missing, e)
             : outcome == REPRO_STOPPED;
    if (ok && *complete) {
        job_summarize(run, result->summary, output_summary_json(result));
        job_publish_result(run, output_json(result));
    }
    repro_result_done(result);
    mem_free(result);
    return ok;
}

const struct job_kind job_repro = {.name = "repro",
                                   .unit = "trials",
                                   .params = {experiment_params, repro_params},
                                   .draft = draft_repro,
                                   .run = run_repro};
