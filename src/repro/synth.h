/* SPDX-License-Identifier: MIT
 *
 * The experiments on synthetic trees, for the registry, and what they share. Source: a Japanese paper on
 * adaptive Monte Carlo tree search (AMCTS) for games with imperfect information, on the trees of Long,
 * Sturtevant, Buro and Furtak (AAAI 2010). The paper survives in parts only: no bar of its figures can be
 * read, so what it claims in words stands beside our figures.
 */
#ifndef REPRO_SYNTH_H
#define REPRO_SYNTH_H

#include "repro/rows.h"

extern const struct repro_experiment repro_synth_fig2, repro_synth_fig3, repro_synth_fig4, repro_synth_fig5,
    repro_synth_fig6, repro_synth_fig7, repro_synth_fig8, repro_synth_fig9, repro_synth_readings,
    repro_synth_switching, repro_synth_space;

#endif
