/* SPDX-License-Identifier: MIT
 *
 * The experiments on the tactical game, for the registry, and what several of them share. Source: Sato,
 * Fujiki and Ikeda, "Proposal of Challenges and Approaches to Create Effective Artificial Players for
 * Turn-based Tactics Game", IPSJ Journal 2016 (in Japanese).
 */
#ifndef REPRO_TBS_H
#define REPRO_TBS_H

#include "game/tbs/tbs.h"
#include "repro/repro.h"

extern const struct repro_experiment repro_tbs_fig2, repro_tbs_branching, repro_tbs_fig4, repro_tbs_fig5,
    repro_tbs_table5, repro_tbs_table6, repro_tbs_table7, repro_tbs_remedies;

/* Does the action attack the weaker of the enemy's fighters among units first … first + count - 1? */
bool fig4_is_right(const struct tbs_position *position, action a, int first, int count);

/* Figure 4's map twice on one, as far apart as there is room. */
bool remedies_double_map(const struct tbs_map *one, struct tbs_map *out, struct err *e);

#endif
