/* SPDX-License-Identifier: MIT
 *
 * The registry: all experiments in the order in which they are listed and run.
 */
#include "repro/experiments.h"

const struct repro_experiment *const repro_experiments[] = {
    &repro_tbs_fig2,       &repro_tbs_branching,   &repro_tbs_fig4,       &repro_tbs_fig5,
    &repro_tbs_table5,     &repro_tbs_table6,      &repro_tbs_table7,     &repro_tbs_remedies,
    &repro_mapgen_trials,  &repro_mapgen_cost,     &repro_mapgen_random,  &repro_mapgen_features,
    &repro_synth_fig2,     &repro_synth_fig3,      &repro_synth_fig4,     &repro_synth_fig5,
    &repro_synth_fig6,     &repro_synth_fig7,      &repro_synth_fig8,     &repro_synth_fig9,
    &repro_synth_readings, &repro_synth_switching, &repro_synth_space,    &repro_geister_table1,
    &repro_geister_table2, &repro_geister_table3,  &repro_geister_fusion, NULL,
};
