/* SPDX-License-Identifier: MIT
 *
 * What can be said about a map without playing on it: does it look as if a person had made it, does every
 * unit have something to do. docs/map-generation.md explains every number.
 */
#ifndef EVOLVE_LOOKS_H
#define EVOLVE_LOOKS_H

#include "evolve/genome.h"

enum useless { USELESS_NOT, USELESS_NO_PREY, USELESS_STRANDED };

struct looks {
    int roads, isolated_roads; /* road cells; those without another road (or fortress) beside them */
    int road_ends;           /* roads that lead nowhere: one road beside them, inside the map, no fortress */
    double coherence;        /* 0 … 1: woods, mountains and sea in patches rather than strewn */
    int no_prey[TBS_SIDES];  /* units that can attack no enemy type on the map */
    int stranded[TBS_SIDES]; /* other units that will never attack, the enemies standing still, and cannot be
                                attacked by them either, or that cannot leave their cell though nobody
                                stands in the way */
    int first_attacks[TBS_SIDES]; /* attacks with power in a first turn, if that side began */
    int attackers[TBS_SIDES];     /* units that have one */
    double natural;               /* 0 … 1: all of it in one number */
};

void looks_of(const struct tbs_map *map, const struct tbs_rules *rules, struct looks *out);

/* What is the matter with one unit (its id on the map)? */
enum useless looks_unit(const struct tbs_map *map, const struct tbs_rules *rules, int unit);

/* Mends what a person would never have drawn, without leaving the space: isolated road cells and single
 * strewn cells take the terrain around them, units without prey another type, stranded units another place.
 * Few rounds; what it cannot mend it leaves. Returns whether anything was changed. */
bool looks_tidy(const struct space *space, const struct tbs_rules *rules, struct rng *r, struct genome *g);

/* Nothing that looks_tidy would have to mend: no isolated road, no unit without prey, none stranded. */
bool looks_are_tidy(const struct looks *looks);

#endif
