/* SPDX-License-Identifier: MIT
 *
 * Features of a map that need no games: whether it looks as if a person had made it, and whether every unit
 * has something to do. docs/map-generation.md explains every number. "Beside" a cell are its four
 * neighbours, "around" it all eight.
 */
#ifndef EVOLVE_STATIC_FEATURES_H
#define EVOLVE_STATIC_FEATURES_H

#include "evolve/genome.h"

enum useless {
    USELESS_NOT,
    USELESS_NO_PREY,  /* can attack no enemy type on the map */
    USELESS_STRANDED, /* never attacks while the enemies stand still, and they cannot attack it either */
    USELESS_STUCK,    /* cannot leave its cell even on an empty map */
};

struct static_features {
    /* Road cells; those with neither road nor fortress beside them; those that lead nowhere: one road beside
     * them, inside the map, no fortress. A road with sea on two opposite sides and none on the other two is
     * a bridge, and neither. */
    int roads, isolated_roads, road_ends;
    /* Cells of wood, mountain and sea; those with a like one beside them; those that look strewn: no like one
     * around, and less than half of the wood, mountain, sea and plain around them is plain. */
    int rough, gathered, strewn;
    double coherence;             /* 0 … 1: woods, mountains and sea in patches or among plains */
    int no_prey[TBS_SIDES];       /* units by enum useless */
    int stranded[TBS_SIDES];      /* stuck ones as well */
    int first_attacks[TBS_SIDES]; /* attacks with power in a first turn, if that side began */
    int attackers[TBS_SIDES];     /* units that have one */
    double natural;               /* 0 … 1: all of it in one number */
    uint8_t use[TBS_UNITS_MAX];   /* enum useless, by the unit's id on the map */
};

void static_features_of(const struct tbs_map *map, const struct tbs_rules *rules,
                        struct static_features *out);

/* The same questions about one cell (playable, with the border counted). */
bool static_features_is_isolated_road(const struct tbs_map *map, int x, int y);
bool static_features_is_road_end(const struct tbs_map *map, int x, int y);

/* Removes what a person would never have drawn, without leaving the space: isolated roads and strewn cells
 * take the terrain around them or spread to a neighbour, units without prey get another type, stranded
 * units another place. It makes as few changes as possible and leaves what it cannot remove in a few
 * rounds. A tidy map stays as it is. */
void tidy_map(const struct space *space, const struct tbs_rules *rules, struct rng *r, struct genome *g);

/* The number of defects: isolated roads, strewn cells, units without prey, stranded ones. A tidy map has
 * none. */
int static_features_defects(const struct static_features *features);

#endif
