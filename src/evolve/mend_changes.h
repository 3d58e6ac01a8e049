/* SPDX-License-Identifier: MIT
 *
 * The single changes of a map: listing, applying, and saying them. Private to src/evolve/mend*.c and tests.
 */
#ifndef EVOLVE_MEND_CHANGES_H
#define EVOLVE_MEND_CHANGES_H

#include "evolve/mend.h"

struct mend_change {
    enum mend_kind kind;
    int cost;
    int unit;     /* all but MEND_TERRAIN */
    int other;    /* MEND_SWAP: the other unit; otherwise -1 */
    bool types;   /* MEND_SWAP: they change types; otherwise places */
    int x, y;     /* MEND_MOVE: where to; MEND_TERRAIN: the cell */
    int value;    /* MEND_HP, MEND_TERRAIN: the new one */
    int rank;     /* 0: it works against the side that is ahead; 1: nobody knows; 2: it helps that side */
    uint64_t lot; /* decides between changes that are alike otherwise */
};

struct mend_changes {
    int count, capacity;
    struct mend_change *items;
};

/* Every change of the kinds that leaves the map legal, by cost; of one cost those that work against `ahead`
 * (the side that scores too much) first, those for it last. Walls are neither made nor torn down. False when
 * memory ran out; the caller calls done in any case. */
bool mend_changes_list(const struct tbs_map *map, unsigned kinds, int ahead, uint64_t seed,
                       struct mend_changes *out);
void mend_changes_done(struct mend_changes *list);

/* Do they touch the same unit or the same cell's terrain? Two that do are never made together. */
bool mend_changes_clash(const struct mend_change *a, const struct mend_change *b);

/* Makes the change; false, and nothing is changed, when it is not possible on this map. */
bool mend_change_apply(const struct mend_change *change, struct tbs_map *map);

/* As a sentence without its full stop, about the map before it. */
void mend_change_say(const struct mend_change *change, const struct tbs_map *map, char *out, size_t out_size);

#endif
