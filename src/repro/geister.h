/* SPDX-License-Identifier: MIT
 *
 * The experiments on Geister, for the registry. Source: Nishikori, Aoki and Hashimoto, "Research of Geister
 * AI using UCT" (in Japanese).
 */
#ifndef REPRO_GEISTER_H
#define REPRO_GEISTER_H

#include "repro/repro.h"

extern const struct repro_experiment repro_geister_table1, repro_geister_table2, repro_geister_table3,
    repro_geister_fusion;

#define GEISTER_SOURCE "Nishikori, Aoki and Hashimoto, research of Geister AI using UCT (in Japanese)"

#endif
