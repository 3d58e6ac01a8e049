/* SPDX-License-Identifier: MIT
 *
 * Changes of a map for repair.c: single changes (listing, applying, describing them), sets of several, and
 * rays of large changes. Private to src/evolve and tests.
 */
#ifndef EVOLVE_REPAIR_CHANGES_H
#define EVOLVE_REPAIR_CHANGES_H

#include "evolve/repair.h"

/* ---- single changes ---- */

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

/* ---- sets of several changes, built of those that helped ---- */

enum {
    MEND_JOINED_MAX = 16, /* sets of one cost that are built of changes seen to help */
    MEND_DRAWN_MAX = 8,   /* those drawn at random */
    MEND_SETS_MAX = MEND_JOINED_MAX + MEND_DRAWN_MAX,
    MEND_KEPT_MAX = 512,
};

struct mend_set {
    int count, cost;
    int changes[MEND_CHANGES_MAX]; /* indices into the list, ascending */
    double effect; /* on the log-odds of red's score: expected for a set that was just joined */
};

struct mend_sets {
    const struct mend_changes *list;
    int changes_max;
    uint64_t seed;
    double goal; /* the effect that is wanted */
    int kept_count;
    struct mend_set kept[MEND_KEPT_MAX]; /* what others are built on */
};

/* One more change; the cost is the caller's to add. False when it clashes with one that is there. */
bool mend_set_join(const struct mend_sets *sets, const struct mend_set *set, int change,
                   struct mend_set *out);

/* Notes what a set was seen to do: a set that is there already gets the new effect, another one is kept only
 * if it helps. */
void mend_sets_note(struct mend_sets *sets, const struct mend_set *set, bool helps);

/* Different sets of two and more changes of that cost, at most MEND_SETS_MAX; those expected to be nearest
 * the goal come first. Some may not be possible on the map. Returns how many. */
int mend_sets_build(const struct mend_sets *sets, int cost, struct mend_set *out);

/* ---- rays ----
 *
 * Large changes: HP of several units, more and more of it. Where one side always wins no small change shows
 * any effect that could be built on; but along such a ray the score goes from one end to the other, and
 * halving finds where it crosses the middle. */

enum { MEND_RAYS_MAX = 16 };

struct mend_ray {
    struct mend_set base; /* changes of other kinds that are made first; may be none */
    int count;
    int units[MEND_CHANGES_MAX]; /* ascending; theirs is the HP that changes, against the side that is ahead
                                  */
    int most[MEND_CHANGES_MAX];  /* points at most */
};

/* Rays that differ, no more changes than `sets` allows: those with the most points first, others drawn at
 * random; another `round`, other draws. A few begin with what helped most of the other kinds. Returns how
 * many; none when HP may not change. */
int mend_rays_draw(const struct mend_sets *sets, int round, struct mend_ray out[MEND_RAYS_MAX]);

/* What its end costs. */
int mend_ray_cost(const struct mend_ray *ray);

/* The set of changes of that cost on the ray, beyond that of its base and at most that of its end; all units
 * get alike, as long as they have points left. */
void mend_ray_at(const struct mend_sets *sets, const struct mend_ray *ray, int cost, struct mend_set *out);

#endif
