/* SPDX-License-Identifier: MIT
 *
 * Section 5.1.4 of Taguchi and Sato: how long it takes to judge one map, ten games of M-UCT with 250
 * simulations against 10. A trial is a random map of the published kind.
 */
#include "base/clock.h"
#include "repro/mapgen.h"

#include <stdio.h>

enum { FITNESS, ACTIONS, UNITS };

static const char *const value_names[] = {"fitness", "actions", "units", NULL};
static const struct repro_cell cells[] = {{"a random map", 0, {NULL}}};

static bool judge_one(struct mapgen_judge *judge, const struct repro_task *task, struct repro_trial *out,
                      struct err *e) {
    static const int games[2] = {10, 0};
    struct rng r;
    struct genome genome;
    struct tbs_map map;
    struct judgement judgement = {0};
    rng_seed(&r, task->seed);
    genome_random(&judge->plan.space, &r, &genome);
    genome_to_map(&judge->plan.space, &genome, &map);
    const int64_t start = clock_now_ns(task->clock);
    if (!mapgen_judge_more(judge, 0, &map, games, &judgement, e))
        return false;
    out->ms = (double)(clock_now_ns(task->clock) - start) * 1e-6;
    out->values[FITNESS] = judgement_fitness(judgement_points(&judgement), judgement_contests(&judgement));
    out->values[ACTIONS] = (double)judgement.actions;
    out->values[UNITS] = map.unit_count;
    return true;
}

static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    struct mapgen_judge judge;
    const bool ok = mapgen_judge_open(&judge, task, e) && judge_one(&judge, task, out, e);
    mapgen_judge_close(&judge);
    return ok;
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    const struct cell_sum time = rows_sum(data, 0, CELL_TIME), fitness = rows_sum(data, 0, FITNESS),
                          actions = rows_sum(data, 0, ACTIONS);
    rows_add_time(out, "ten games on one map", 15000, &time);
    rows_add_mean(out, "fitness of a random map", "", 1, &fitness);
    rows_add_mean(out, "actions in ten games", "", 1, &actions);
    rows_add_finding(out, time.mean < 15000, "a map is judged sooner than published (ours: %.0f ms)",
                     time.mean);
    return true;
}

const struct repro_experiment repro_mapgen_cost = {
    .name = "mapgen-cost",
    .group = "mapgen",
    .title = "how long it takes to judge one map",
    .source = MAPGEN_SOURCE ", section 5.1.4",
    .published = "about 15 seconds on a Pentium G4400",
    .duration = "about ten seconds",
    .version = 1,
    .trials = 200,
    .trials_quick = 40,
    .cells = cells,
    .cell_count = 1,
    .value_names = value_names,
    .run = run,
    .finish = finish,
};
