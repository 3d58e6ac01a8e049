/* SPDX-License-Identifier: MIT
 *
 * Sets of several changes, built of what is known about those that were tried. Private to src/evolve/mend*.c.
 */
#ifndef EVOLVE_MEND_SETS_H
#define EVOLVE_MEND_SETS_H

#include "evolve/mend_changes.h"

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

#endif
