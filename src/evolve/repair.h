/* SPDX-License-Identifier: MIT
 *
 * The smallest changes that bring a map's balance into an interval, found by search: all changes of cost 1,
 * 2 and 3 first, then large changes, then those between. Promising ones get more games. Draws count half,
 * so a map on which nothing is decided would be balanced. Therefore enough games must be decided, and of
 * changes of the same cost the one with more decided games is taken.
 */
#ifndef EVOLVE_REPAIR_H
#define EVOLVE_REPAIR_H

#include "evolve/judge.h"

enum repair_kind { REPAIR_HP, REPAIR_MOVE, REPAIR_SWAP, REPAIR_TERRAIN, REPAIR_KINDS };

enum {
    REPAIR_ALL = (1 << REPAIR_KINDS) - 1,
    REPAIR_CHANGES_MAX = 8,
    REPAIR_TEXT_MAX = 120,
    REPAIR_SURE_MIN = 20,
    REPAIR_LARGE = 0
};

extern const char *const repair_kind_names[REPAIR_KINDS]; /* "hp", "move", "swap", "terrain" */

struct repair_options {
    double low, high; /* red's score between equals shall be in here */
    double decided; /* share of those games that must be decided, 0 … 1; less if the map had fewer before */
    unsigned kinds; /* which changes are allowed: bit 1 << kind */
    int changes_max; /* at most so many, 1 … REPAIR_CHANGES_MAX */
    int games_max;   /* budget of games, at least repair_games_least(games_sure) */
    int games_sure;  /* games of peers of a map before it is believed, at least REPAIR_SURE_MIN */
};

/* What judging the map before and after takes, and a little for the search between. */
int repair_games_least(int games_sure);

struct repair_result {
    bool was_good; /* the map's balance lies in the interval already: nothing was changed */
    bool found;    /* otherwise `map` is the best that was seen, perhaps with no change at all */
    struct tbs_map map;
    int change_count;
    int alike; /* found: how many of that cost seemed good; this is the one with the most decided games */
    bool
        out_of_reach; /* not even the largest changes of HP that were tried brought the score to the target */
    int cost; /* sum of the sizes of the changes: a point of HP 1, a step 1, a swap 2, a cell's terrain 2 */
    char changes[REPAIR_CHANGES_MAX][REPAIR_TEXT_MAX]; /* "red panzer at (3, 2): HP 10 becomes 8" */
    struct judgement before, after; /* contests too; `after` from games that were not used to choose it */
    int games, candidates;
};

struct repair_run {
    const struct tbs_map *map;
    const struct repair_options *options;
    struct evaluator *evaluator;
    uint64_t seed; /* which changes come first when there are more than the budget allows */
    /* Before the changes of each cost are tried, or large ones of several costs (REPAIR_LARGE); may be NULL.
     */
    void (*on_round)(void *context, int cost, int candidates, int games);
    void *context;
};

/* Whether the map can be repaired: units on both sides, every unit on terrain it can enter, HP in the
 * ordinary range. */
bool repair_check(const struct tbs_map *map, struct err *e);

/* *complete is false when it was stopped: then the result means nothing. False when the map or an option
 * cannot be used, or something failed. */
bool repair_map(const struct repair_run *run, struct repair_result *out, bool *complete, struct err *e);

/* ---- between the files of src/evolve, and for tests: single changes ---- */

struct repair_change {
    enum repair_kind kind;
    int cost;
    int unit;     /* all but REPAIR_TERRAIN */
    int other;    /* REPAIR_SWAP: the other unit; otherwise -1 */
    bool types;   /* REPAIR_SWAP: they change types; otherwise places */
    int x, y;     /* REPAIR_MOVE: where to; REPAIR_TERRAIN: the cell */
    int value;    /* REPAIR_HP, REPAIR_TERRAIN: the new one */
    int rank;     /* 0: works against the side that is ahead; 1: effect unknown; 2: helps that side */
    uint64_t lot; /* decides between changes that are alike otherwise */
};

struct repair_changes {
    int count, capacity;
    struct repair_change *items;
};

/* Every change of the kinds that leaves the map legal, by cost; of one cost those that work against `ahead`
 * (the side that scores too much) first, those for it last. Walls are neither made nor torn down. The
 * caller frees the items. */
void repair_changes_list(const struct tbs_map *map, unsigned kinds, int ahead, uint64_t seed,
                         struct repair_changes *out);

/* Whether they touch the same unit or the same cell's terrain. Two that do are never made together. */
bool repair_changes_clash(const struct repair_change *a, const struct repair_change *b);

/* Makes the change; false, and nothing is changed, when it is not possible on this map. */
bool repair_change_apply(const struct repair_change *change, struct tbs_map *map);

/* As a sentence without its full stop, about the map before it. */
void repair_change_describe(const struct repair_change *change, const struct tbs_map *map, char *out,
                            size_t out_size);

/* ---- sets of several changes, built of those that helped ---- */

enum {
    REPAIR_JOINED_MAX = 16, /* sets of one cost that are built of changes seen to help */
    REPAIR_DRAWN_MAX = 8,   /* those drawn at random */
    REPAIR_SETS_MAX = REPAIR_JOINED_MAX + REPAIR_DRAWN_MAX,
    REPAIR_KNOWN_MAX = 512,
};

struct repair_set {
    int count, cost;
    int changes[REPAIR_CHANGES_MAX]; /* indices into the list, ascending */
    double effect; /* on the log-odds of red's score: expected for a set that was just joined */
};

struct repair_sets {
    const struct repair_changes *list;
    int changes_max;
    uint64_t seed;
    double goal; /* the effect the search needs */
    int known_count;
    struct repair_set known[REPAIR_KNOWN_MAX]; /* the sets that others are built on */
};

/* Adds one more change and its cost. False, and nothing is changed, when it clashes with one that is there.
 */
bool repair_set_join(const struct repair_sets *sets, struct repair_set *set, int change);

/* Records the observed effect of a set. A known set gets the new effect; a new one is recorded only if it
 * helps. */
void repair_sets_note(struct repair_sets *sets, const struct repair_set *set, bool helps);

/* Different sets of two and more changes of that cost, at most REPAIR_SETS_MAX; those expected to be nearest
 * the goal come first. Some may not be possible on the map. Returns how many. */
int repair_sets_build(const struct repair_sets *sets, int cost, struct repair_set *out);

/* ---- rays ----
 *
 * Large changes: HP of several units, more and more of it. Where one side always wins no small change shows
 * any effect that could be built on; but along such a ray the score goes from one end to the other, and
 * halving finds where it crosses the middle. */

enum { REPAIR_RAYS_MAX = 16 };

struct repair_ray {
    struct repair_set base;  /* changes of other kinds that are made first; may be none */
    int count;               /* units on the ray */
    int most[TBS_UNITS_MAX]; /* points of HP at most, against the side that is ahead; 0: not on the ray */
};

/* Rays that differ, no more changes than `sets` allows: those with the most points first, others drawn at
 * random; another `round`, other draws. A few begin with what helped most of the other kinds. Returns how
 * many; none when HP may not change. */
int repair_rays_draw(const struct repair_sets *sets, int round, struct repair_ray out[REPAIR_RAYS_MAX]);

/* What its end costs. */
int repair_ray_cost(const struct repair_ray *ray);

/* The set of changes of that cost on the ray, beyond that of its base and at most that of its end; all units
 * get alike, as long as they have points left. */
void repair_ray_at(const struct repair_sets *sets, const struct repair_ray *ray, int cost,
                   struct repair_set *out);

#endif
