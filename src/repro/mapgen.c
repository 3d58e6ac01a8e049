/* SPDX-License-Identifier: MIT */
#include "repro/mapgen.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- whole runs ---- */

static bool set_pairs(struct recipe *recipe, const char *settings, struct err *e) {
    char copy[512];
    char *pairs[32];
    assert(strlen(settings) < sizeof copy);
    snprintf(copy, sizeof copy, "%s", settings);
    const int count = settings[0] == '\0' ? 0 : text_split(copy, ' ', pairs, 32);
    assert(count >= 0);
    for (int i = 0; i < count; i++) {
        char *value = strchr(pairs[i], '=');
        if (value == NULL)
            return err_set(e, "'%s' sets nothing; expected name=value", pairs[i]);
        *value = '\0';
        if (!recipe_set(recipe, pairs[i], value + 1, e))
            return false;
    }
    return true;
}

static void pass_stop(void *context, bool recalled) {
    (void)recalled;
    struct mapgen_stop *stop = context;
    if (budget_is_stopped(stop->outer))
        atomic_store(&stop->own, true);
}

/* On the trial's own thread, with nothing kept. */
static struct evaluator *open_evaluator(const struct repro_task *task, const struct plan *plan,
                                        struct mapgen_stop *stop, struct err *e) {
    stop->outer = task->stop;
    atomic_init(&stop->own, false);
    const struct evaluator_setup setup = {.rules = plan->rules,
                                          .strong = plan->recipe.strong,
                                          .weak = plan->recipe.weak,
                                          .seed = task->seed,
                                          .workers = 1,
                                          .stop = &stop->own,
                                          .on_trial = pass_stop,
                                          .context = stop};
    return evaluator_open(&setup, e);
}

static bool play(const struct repro_task *task, const struct plan *plan, struct evolution *out,
                 struct err *e) {
    struct mapgen_stop stop;
    struct evaluator *evaluator = open_evaluator(task, plan, &stop, e);
    if (evaluator == NULL)
        return false;
    const struct evolution_run run = {.plan = plan, .seed = task->seed, .evaluator = evaluator};
    bool complete = false;
    const bool ok = evolution_play(&run, out, &complete, e);
    evaluator_close(evaluator);
    return ok && (complete || err_set(e, "stopped"));
}

bool mapgen_evolve(const struct repro_task *task, const char *preset, const char *settings, struct plan *plan,
                   struct evolution *out, struct err *e) {
    struct recipe recipe;
    evolution_init(out, plan, task->seed);
    return recipe_preset(&recipe, preset, e) && set_pairs(&recipe, settings, e) &&
           recipe_plan(&recipe, plan, e) && play(task, plan, out, e);
}

/* ---- single maps ---- */

bool mapgen_judge_open(struct mapgen_judge *judge, const struct repro_task *task, struct err *e) {
    struct recipe recipe;
    memset(judge, 0, sizeof *judge);
    if (!recipe_preset(&recipe, "paper", e) || !recipe_plan(&recipe, &judge->plan, e))
        return false;
    judge->evaluator = open_evaluator(task, &judge->plan, &judge->stop, e);
    return judge->evaluator != NULL;
}

void mapgen_judge_close(struct mapgen_judge *judge) {
    evaluator_close(judge->evaluator);
}

bool mapgen_judge_more(struct mapgen_judge *judge, int id, const struct tbs_map *map, const int games[2],
                       struct judgement *into, struct err *e) {
    const struct request of = {.id = id, .map = map, .into = into};
    const int counts[TRIAL_KINDS] = {games[0] / 2, games[0] - games[0] / 2, games[1]};
    struct request requests[TRIAL_KINDS];
    const int count = request_more(&of, counts, requests);
    bool complete = false;
    return evaluator_play(judge->evaluator, requests, count, &complete, e) &&
           (complete || err_set(e, "stopped"));
}

double mapgen_fitness(const struct judgement *judgement) {
    const int contests = judgement_contests(judgement);
    return contests > 0 ? judgement_fitness(10 * judgement_points(judgement) / contests, 10) : 1;
}
