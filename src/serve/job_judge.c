/* SPDX-License-Identifier: MIT
 *
 * Judging whether a map is fair: plays games until the intervals are narrow enough, and publishes them
 * meanwhile.
 */
#include "serve/start_position.h"
#include "serve/job.h"

#include "base/charset.h"
#include "base/jsontext.h"
#include "evolve/evaluator.h"
#include "evolve/judge.h"
#include "game/tbs/map_random.h"
#include "game/tbs/tbs.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void task_done(struct judge_task *task) {
    text_done(&task->players[0]);
    text_done(&task->players[1]);
}

static bool read_task(struct workbench *bench, const json_t *params, struct judge_task *out, struct err *e) {
    struct judge_options *o = &out->options;
    struct params sections[] = {{map_params, out, 0, false}, {judge_params, o, 0, false}, {0}};
    *out = (struct judge_task){0};
    params_default(judge_params, o);
    if (!params_read_json(sections, params, e))
        return false;
    if (!params_given(&sections[1], "min_games") && o->limits.games_min > o->limits.games_max)
        o->limits.games_min = o->limits.games_max;
    if (o->limits.games_min > o->limits.games_max) {
        err_code(e, "json.int", "\"%s\": expected a whole number from %d to %d", "min_games", 0,
                 o->limits.games_max);
        return err_field(e, "min_games");
    }
    return (serve_check_player(bench, o->strong, &out->players[0], e) || err_field(e, "strong")) &&
           (serve_check_player(bench, o->weak, &out->players[1], e) || err_field(e, "weak")) &&
           (tbs_read_rules(o->rules, e) != NULL || err_field(e, "rules"));
}

/* Can they play the tactical game at all? */
static bool check_players(const struct workbench *bench, const struct judge_task *task,
                          const struct game *game, struct message_out *out) {
    static const char *const fields[] = {"strong", "weak"};
    struct err e;
    for (int i = 0; i < 2; i++)
        if (!serve_try_player(bench, text_string(&task->players[i]), game, NULL, &e))
            return message_fail_err(out, 400, fields[i], &e);
    return true;
}

/* The map as it is now: it may be changed or removed later. */
static json_t *draft_work(const struct scenario *scenario) {
    struct text text = {0};
    tbs_map_write(tbs_scenario_map(scenario), &text);
    json_t *map = jsontext_string(text_string(&text), text.size);
    text_done(&text);
    return json_pack("{so}", "map", map);
}

/* The map's name, its own description, or else its size (independent of language). */
static void draft_title(const struct judge_task *task, const struct tbs_map *map, struct job_draft *out) {
    const char *title = task->map != NULL ? task->map : map->comment;
    charset_copy(out->title, sizeof out->title, title, strlen(title));
    if (text_trim(out->title)[0] == '\0')
        snprintf(out->title, sizeof out->title, "%dx%d, %d:%d", map->width - 2, map->height - 2,
                 tbs_map_side_units(map, TBS_RED), tbs_map_side_units(map, TBS_BLUE));
}

static bool draft_map(struct workbench *bench, const json_t *params, const struct judge_task *task,
                      struct job_draft *out, struct message_out *failure) {
    if (task->map == NULL && task->map_text == NULL)
        return message_fail(failure, 400, "map", "which map? Expected \"map\" or \"map_text\"");
    struct scenario *scenario = start_position_scenario(bench, params, failure);
    if (scenario == NULL)
        return false;
    draft_title(task, tbs_scenario_map(scenario), out);
    const bool ok = check_players(bench, task, scenario->game, failure);
    out->work = ok ? draft_work(scenario) : NULL;
    scenario->game->unload(scenario);
    return ok;
}

static bool draft(struct workbench *bench, const json_t *params, struct job_draft *out,
                  struct message_out *failure) {
    struct judge_task task = {0};
    struct err e;
    const bool ok = (read_task(bench, params, &task, &e) || serve_refuse(failure, &e)) &&
                    draft_map(bench, params, &task, out, failure);
    out->total = ok ? task.options.limits.games_max : -1;
    task_done(&task);
    return ok;
}

/* ---- running ---- */

struct judging {
    struct job_run *run;
    const struct judge_task *task;
    const struct tbs_rules *rules;
    struct judge_subject seen; /* every game that is over, also of the batch that is played */
    int games, played;         /* played: in this run, not found in the store */
};

static json_t *result_json(const struct judging *j, bool complete) {
    const struct judge_task *task = j->task;
    json_t *result = judge_json(&j->seen, j->rules, task->options.fair);
    json_t *more = json_pack("{s[ss] ss so sf sf si si sb}", "players", text_string(&task->players[0]),
                             text_string(&task->players[1]), "rules", j->rules->name, "seed",
                             jsontext_seed(task->options.seed), "width", task->options.limits.width, "fair",
                             task->options.fair, "games_min", task->options.limits.games_min, "games_max",
                             task->options.limits.games_max, "complete", complete);
    json_object_update(result, more);
    json_decref(more);
    return result;
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

static void on_result(void *context, const struct sample_game *trial) {
    struct judging *j = context;
    judgement_add(&j->seen.judgement, trial);
}

static void on_game(void *context, bool recalled) {
    struct judging *j = context;
    j->games++;
    j->played += !recalled;
    job_report_progress(j->run,
                        &(struct job_step){.done = j->games, .total = games_expected(j), .here = j->played});
    if (job_result_is_due(j->run))
        job_publish_result(j->run, result_json(j, false));
}

static enum job_outcome judge(struct judging *j, struct store *store, struct err *e) {
    const struct workbench_setup *bench = &j->run->bench->setup;
    const struct evaluator_setup setup = {
        .rules = j->rules,
        .strong = text_string(&j->task->players[0]),
        .weak = text_string(&j->task->players[1]),
        .seed = j->task->options.seed,
        .workers = bench->cores,
        .store = store,
        .clock = bench->clock,
        .stop = j->run->stop,
        .grant = serve_grant(j->run->bench),
        .date = bench->date,
        .on_game = on_game,
        .on_result = on_result,
        .context = j,
    };
    struct judge_subject subject = {.map = j->seen.map,
                                    .id = judge_id(j->seen.map, j->rules, setup.strong, setup.weak)};
    bool complete = false;
    struct evaluator *evaluator = evaluator_open(&setup, e);
    const bool ok =
        evaluator != NULL && judge_maps(evaluator, &j->task->options.limits, &subject, 1, &complete, e);
    evaluator_close(evaluator);
    if (!ok)
        return JOB_HAS_FAILED;
    if (complete)
        j->seen = subject; /* otherwise the result ends with the last complete batch, before the last games */
    const int games = judgement_games(&j->seen.judgement);
    job_report_progress(j->run,
                        &(struct job_step){.done = games, .total = complete ? games : games_expected(j)});
    job_publish_result(j->run, result_json(j, complete));
    return complete ? JOB_IS_DONE : JOB_WAS_STOPPED;
}

static bool load_map(const struct job_run *run, struct tbs_map *out, struct err *e) {
    const char *text = json_string_value(json_object_get(run->work, "map"));
    return text != NULL ? tbs_map_load("the job's map", text, strlen(text), out, e)
                        : err_set(e, "the job has no map");
}

static enum job_outcome run_task(struct job_run *run, const struct judge_task *task, struct err *e) {
    char path[SERVE_PATH_MAX];
    struct tbs_map map;
    struct judging j = {.run = run, .task = task, .seen.map = &map};
    j.rules = tbs_read_rules(task->options.rules, e);
    if (j.rules == NULL || !load_map(run, &map, e) || !job_path(run->job, "games.db", path, e))
        return JOB_HAS_FAILED;
    struct store *store = store_open(path, STORE_WRITE, e);
    const enum job_outcome outcome = store != NULL ? judge(&j, store, e) : JOB_HAS_FAILED;
    store_close(store);
    return outcome;
}

static enum job_outcome run(struct job_run *run, struct err *e) {
    struct judge_task task = {0};
    const enum job_outcome outcome =
        read_task(run->bench, run->params, &task, e) ? run_task(run, &task, e) : JOB_HAS_FAILED;
    task_done(&task);
    return outcome;
}

const struct job_kind job_judge = {.name = "judge", .unit = "games", .draft = draft, .run = run};
