/* SPDX-License-Identifier: MIT
 *
 * All experiments, for the registry and for tests, and the functions of single experiments that another
 * experiment or a test uses. Sources:
 *
 * - tbs: Sato, Fujiki and Ikeda, "Proposal of Challenges and Approaches to Create Effective Artificial
 *   Players for Turn-based Tactics Game", IPSJ Journal 2016 (in Japanese).
 * - mapgen: Taguchi and Sato, "Initial game position generation for Turn based war simulation games using
 *   genetic algorithm technique", IPSJ SIG Technical Report, 2019 (in Japanese).
 * - synth: see synth.h.
 * - geister: Nishikori, Aoki and Hashimoto, "Research of Geister AI using UCT" (in Japanese).
 */
#ifndef REPRO_EXPERIMENTS_H
#define REPRO_EXPERIMENTS_H

#include "game/tbs/tbs.h"
#include "repro/repro.h"

struct evolution;
struct judgement;
struct plan;

extern const struct repro_experiment repro_tbs_fig2, repro_tbs_branching, repro_tbs_fig4, repro_tbs_fig5,
    repro_tbs_table5, repro_tbs_table6, repro_tbs_table7, repro_tbs_remedies;
extern const struct repro_experiment repro_mapgen_trials, repro_mapgen_cost, repro_mapgen_random,
    repro_mapgen_features;
extern const struct repro_experiment repro_synth_fig2, repro_synth_fig3, repro_synth_fig4, repro_synth_fig5,
    repro_synth_fig6, repro_synth_fig7, repro_synth_fig8, repro_synth_fig9, repro_synth_readings,
    repro_synth_switching, repro_synth_space;
extern const struct repro_experiment repro_geister_table1, repro_geister_table2, repro_geister_table3,
    repro_geister_fusion;

/* ---- tbs ---- */

/* Principal components. The sign of a component is arbitrary in theory; here its largest loading (the first
 * of those) is positive, so that results can be compared. */
enum { PCA_VARIABLES_MAX = 20, PCA_OBSERVATIONS_MAX = 40 };

struct pca_table {
    int observations, variables;
    double x[PCA_OBSERVATIONS_MAX][PCA_VARIABLES_MAX];
};

struct pca {
    double variance[PCA_VARIABLES_MAX];                    /* of the components, largest first */
    double share[PCA_VARIABLES_MAX];                       /* of the whole variance */
    double loading[PCA_VARIABLES_MAX][PCA_VARIABLES_MAX];  /* [component][variable], unit length */
    double score[PCA_OBSERVATIONS_MAX][PCA_VARIABLES_MAX]; /* [observation][component] */
};

/* Of the covariance matrix, or with `standardize` of the correlation matrix (a variable that is the same in
 * all observations counts as zero then). At least two observations. */
void pca_compute(const struct pca_table *table, int standardize, struct pca *out);

/* Whether the action attacks the weaker of the enemy's fighters among units first … first + count - 1. */
bool fig4_is_right(const struct tbs_position *position, action a, int first, int count);

/* Figure 4's map twice on one, as far apart as there is room. */
bool remedies_double_map(const struct tbs_map *one, struct tbs_map *out, struct err *e);

/* ---- mapgen ---- */

/* One whole run of a preset inside a repetition, on its own thread, with nothing stored. `settings` is
 * "name=value" pairs with blanks between, in addition to the preset. `out` is initialised here; the caller
 * drops it with evolution_done, whatever is returned. `plan` must outlive it. */
bool mapgen_evolve(const struct repro_task *task, const char *preset, const char *settings, struct plan *plan,
                   struct evolution *out, struct err *e);

/* The values and the note of a run, as a repetition of mapgen-trials and of mapgen-random. */
void mapgen_describe_history(const struct evolution *run, struct repro_repetition *out);
void mapgen_describe_best(const struct evolution *run, struct repro_repetition *out);

/* The fitness on the published scale, of ten games, at the rate of points of these; 1 without games. */
double mapgen_fitness(const struct judgement *judgement);

#endif
