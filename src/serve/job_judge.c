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

enum { GAMES_MAX = 100000, ESTIMATE_GAMES_MIN = 20 };

/* The task; read in the same way from a request and from work.json. */
struct judge_task {
    const char *map, *map_text, *rules;
    struct text players[2]; /* strong, weak */
    struct judge_limits limits;
    double fair;
    uint64_t seed;
};

static void task_done(struct judge_task *task) {
    text_done(&task->players[0]);
    text_done(&task->players[1]);
}

static bool read_limits(const json_t *params, struct judge_limits *out, struct message_out *failure) {
    static const struct judge_limits defaults = JUDGE_LIMITS_DEFAULT;
    long games_max, games_min;
    if (!job_real(params, "tight", (struct job_range){0.005, 0.5, defaults.width}, &out->width, failure) ||
        !request_int(params, "games", (struct request_range){2, GAMES_MAX, defaults.games_max}, &games_max,
                     failure))
        return false;
    const long least = defaults.games_min < games_max ? defaults.games_min : games_max;
    if (!request_int(params, "min_games", (struct request_range){0, games_max, least}, &games_min, failure))
        return false;
    out->games_max = (int)games_max;
    out->games_min = (int)games_min;
    return true;
}

static bool read_task(struct workbench *bench, const json_t *params, struct judge_task *out,
                      struct message_out *failure) {
    struct err e;
    *out = (struct judge_task){0};
    if (!request_text(params, "map", NULL, &out->map, failure) ||
        !request_text(params, "map_text", NULL, &out->map_text, failure) ||
        !request_text(params, "rules", tbs_rule_sets[0].name, &out->rules, failure) ||
        !job_player(bench, params, (struct job_role){"strong", JUDGE_STRONG}, &out->players[0], failure) ||
        !job_player(bench, params, (struct job_role){"weak", JUDGE_WEAK}, &out->players[1], failure) ||
        !read_limits(params, &out->limits, failure) ||
        !job_real(params, "fair", (struct job_range){0.001, 0.5, JUDGE_FAIR_DEFAULT}, &out->fair, failure) ||
        !request_seed(params, "seed", JOB_SEED_DEFAULT, &out->seed, failure))
        return false;
    if (tbs_read_rules(out->rules, &e) != NULL)
        return true;
    message_fail(failure, 400, "rules", "%s", e.text);
    return false;
}

/* Can they play the tactical game at all? */
static bool check_players(const struct workbench *bench, const struct judge_task *task,
                          const struct game *game, struct message_out *out) {
    static const char *const fields[] = {"strong", "weak"};
    struct err e;
    for (int i = 0; i < 2; i++)
        if (!serve_try_player(bench, text_string(&task->players[i]), game, NULL, &e)) {
            message_fail(out, 400, fields[i], "%s", e.text);
            return false;
        }
    return true;
}

/* The map as it is now: it may be changed or removed later. */
static json_t *draft_work(const struct scenario *scenario) {
    struct text text = {0};
    tbs_map_write(tbs_scenario_map(scenario), &text);
    json_t *map = text.failed ? NULL : jsontext_string(text_string(&text), text.size);
    text_done(&text);
    return map != NULL ? json_pack("{so}", "map", map) : NULL;
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
    if (task->map == NULL && task->map_text == NULL) {
        message_fail(failure, 400, "map", "which map? Expected \"map\" or \"map_text\"");
        return false;
    }
    struct scenario *scenario = start_position_scenario(bench, params, failure);
    if (scenario == NULL)
        return false;
    draft_title(task, tbs_scenario_map(scenario), out);
    const bool ok = check_players(bench, task, scenario->game, failure);
    out->work = ok ? draft_work(scenario) : NULL;
    scenario->game->unload(scenario);
    if (ok && out->work == NULL)
        message_fail(failure, 500, NULL, "not enough memory for the map");
    return out->work != NULL;
}

static bool draft(struct workbench *bench, const json_t *params, struct job_draft *out,
                  struct message_out *failure) {
    static const char *const known[] = {"map",       "map_text", "strong", "weak", "tight", "games",
                                        "min_games", "fair",     "rules",  "seed", NULL};
    struct judge_task task = {0};
    const bool ok = serve_knows(params, known, failure) && read_task(bench, params, &task, failure) &&
                    draft_map(bench, params, &task, out, failure);
    out->total = ok ? task.limits.games_max : -1;
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
    json_t *result = judge_json(&j->seen, j->rules, task->fair);
    json_t *more =
        json_pack("{s[ss] ss so sf sf si si sb}", "players", text_string(&task->players[0]),
                  text_string(&task->players[1]), "rules", j->rules->name, "seed", jsontext_seed(task->seed),
                  "width", task->limits.width, "fair", task->fair, "games_min", task->limits.games_min,
                  "games_max", task->limits.games_max, "complete", complete);
    if (result != NULL)
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
    const struct judge_limits *limits = &j->task->limits;
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
        .seed = j->task->seed,
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
    const bool ok = evaluator != NULL && judge_maps(evaluator, &j->task->limits, &subject, 1, &complete, e);
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
    j.rules = tbs_read_rules(task->rules, e);
    if (j.rules == NULL || !load_map(run, &map, e) || !job_path(run->job, "games.db", path, e))
        return JOB_HAS_FAILED;
    struct store *store = store_open(path, STORE_WRITE, e);
    const enum job_outcome outcome = store != NULL ? judge(&j, store, e) : JOB_HAS_FAILED;
    store_close(store);
    return outcome;
}

static enum job_outcome run(struct job_run *run, struct err *e) {
    struct message_out failure = {0};
    struct judge_task task = {0};
    enum job_outcome outcome = JOB_HAS_FAILED;
    if (read_task(run->bench, run->params, &task, &failure))
        outcome = run_task(run, &task, e);
    else
        job_take_failure(&failure, e);
    message_done(&failure);
    task_done(&task);
    return outcome;
}

const struct job_kind job_judge = {.name = "judge", .unit = "games", .draft = draft, .run = run};
