/* SPDX-License-Identifier: MIT */
#include "repro/mapgen.h"

#include <stdio.h>
#include <string.h>

/* ---- whole runs ---- */

static bool set_pairs(struct recipe *recipe, const char *settings, struct err *e) {
    char copy[512];
    char *pairs[32];
    snprintf(copy, sizeof copy, "%s", settings);
    const int count = settings[0] == '\0' ? 0 : text_split(copy, ' ', pairs, 32);
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

/* The evaluator sets its stop when something fails; a trial must not stop the others that way. So it has its
 * own, and looks at the run's between two generations. */
struct stopper {
    const atomic_bool *outer;
    atomic_bool own;
};

static void pass_stop(void *context, bool recalled) {
    (void)recalled;
    struct stopper *stopper = context;
    if (budget_is_stopped(stopper->outer))
        atomic_store(&stopper->own, true);
}

static bool play(const struct repro_task *task, const struct plan *plan, struct evolution *out,
                 struct err *e) {
    struct stopper stopper = {.outer = task->stop};
    const struct evaluator_setup setup = {.rules = plan->rules,
                                          .strong = plan->recipe.strong,
                                          .weak = plan->recipe.weak,
                                          .seed = task->seed,
                                          .workers = 1,
                                          .stop = &stopper.own,
                                          .on_trial = pass_stop,
                                          .context = &stopper};
    struct evaluator *evaluator = evaluator_open(&setup, e);
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
    judge->setup = (struct evaluator_setup){.rules = judge->plan.rules,
                                            .strong = judge->plan.recipe.strong,
                                            .weak = judge->plan.recipe.weak,
                                            .seed = task->seed,
                                            .workers = 1,
                                            .stop = &judge->stop};
    judge->evaluator = evaluator_open(&judge->setup, e);
    return judge->evaluator != NULL;
}

void mapgen_judge_close(struct mapgen_judge *judge) {
    evaluator_close(judge->evaluator);
}

bool mapgen_judge_more(struct mapgen_judge *judge, int id, const struct tbs_map *map, const int games[2],
                       struct judgement *into, struct err *e) {
    const int first[TRIAL_KINDS] = {tally_games(&into->strong[0]), tally_games(&into->strong[1]),
                                    tally_games(&into->peers)};
    const int counts[TRIAL_KINDS] = {games[0] / 2, games[0] - games[0] / 2, games[1]};
    struct request requests[TRIAL_KINDS];
    int count = 0;
    for (int kind = 0; kind < TRIAL_KINDS; kind++)
        if (counts[kind] > 0)
            requests[count++] =
                (struct request){id, map, (enum trial_kind)kind, first[kind], counts[kind], into};
    bool complete = false;
    return evaluator_play(judge->evaluator, requests, count, &complete, e) &&
           (complete || err_set(e, "stopped"));
}

double mapgen_fitness(const struct judgement *judgement) {
    const int contests = judgement_contests(judgement);
    return contests > 0 ? judgement_fitness(10 * judgement_points(judgement) / contests, 10) : 1;
}
