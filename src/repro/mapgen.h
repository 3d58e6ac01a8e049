/* SPDX-License-Identifier: MIT
 *
 * The experiments on map generation, for the registry, and what they share. Source: Taguchi and Sato,
 * "Initial game position generation for Turn based war simulation games using genetic algorithm technique",
 * IPSJ SIG Technical Report, 2019 (in Japanese).
 */
#ifndef REPRO_MAPGEN_H
#define REPRO_MAPGEN_H

#include "evolve/evolution.h"
#include "repro/rows.h"

extern const struct repro_experiment repro_mapgen_trials, repro_mapgen_cost, repro_mapgen_random,
    repro_mapgen_features;

#define MAPGEN_SOURCE "Taguchi and Sato, IPSJ SIG Technical Report, 2019"

/* One whole run of a preset inside a trial, on the trial's own thread, with nothing kept. `settings` is
 * "name=value" pairs with blanks between, in addition to the preset. `out` is initialised here and the
 * caller's to drop with evolution_done, whatever is returned; `plan` must outlive it. */
bool mapgen_evolve(const struct repro_task *task, const char *preset, const char *settings, struct plan *plan,
                   struct evolution *out, struct err *e);

/* What a run says as a trial of mapgen-trials and of mapgen-random. */
void mapgen_describe_course(const struct evolution *run, struct repro_trial *out);
void mapgen_describe_best(const struct evolution *run, struct repro_trial *out);

/* The evaluator sets its stop when something fails; a trial must not stop the others that way. So it has its
 * own, and looks at the run's after each game. */
struct mapgen_stop {
    const atomic_bool *outer;
    atomic_bool own;
};

/* An evaluator for a trial that judges maps by itself. It stays where it was opened. */
struct mapgen_judge {
    struct plan plan; /* the published setting */
    struct mapgen_stop stop;
    struct evaluator *evaluator;
};

bool mapgen_judge_open(struct mapgen_judge *judge, const struct repro_task *task, struct err *e);
void mapgen_judge_close(struct mapgen_judge *judge);

/* Plays so many contests (half of them from each side) and games of peers more. False also when stopped. */
bool mapgen_judge_more(struct mapgen_judge *judge, int id, const struct tbs_map *map, const int games[2],
                       struct judgement *into, struct err *e);

/* The fitness on the published scale, of ten games, at the rate of points of these; 1 without games. */
double mapgen_fitness(const struct judgement *judgement);

#endif
