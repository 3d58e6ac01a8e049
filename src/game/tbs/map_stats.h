/* SPDX-License-Identifier: MIT
 *
 * Numbers about the start of a map: material, what each unit can do, the size of the first turn, and how soon
 * the sides meet.
 */
#ifndef GAME_TBS_MAP_STATS_H
#define GAME_TBS_MAP_STATS_H

#include "game/tbs/tbs.h"

enum { TBS_ATTACK_KINDS = TBS_ATTACKS_DAMAGE + 1 };

/* A unit that cannot act in its side's first turn has cells in reach, but neither moves nor attacks. */
struct tbs_unit_stats {
    int reach;                     /* cells where it may end, its own included */
    int moves;                     /* as actions: the same, or 0 */
    int attacks[TBS_ATTACK_KINDS]; /* by enum tbs_attacks */
    int contact;                   /* as for its side, see below */
};

struct tbs_side_stats {
    int units, ready;
    int hp;
    int type_units[TBS_TYPES], type_hp[TBS_TYPES];
    int moves, attacks[TBS_ATTACK_KINDS]; /* sums over its units, as if it were to move at the start */
    int attackers;                        /* ready units that have an attack with power at once */

    /* The first of its own turns, counted from 1, in which some unit can attack (with power) some enemy, if
     * the enemies stand still and only the target is in the way; 0 for never. */
    int contact;
};

/* The first turn of the side to move. A combination is a sequence of actions in which every ready unit acts
 * once (fewer when one destroys the last enemy); the same actions in another order are another combination.
 */
struct tbs_turn_stats {
    int side; /* NOBODY: the game is over before it begins */
    int units;
    double actions_mean; /* n: actions per ready unit, attacks with power and moves */
    double estimate;     /* n^units * units!, the estimate of the papers on this game */
    bool is_counted;     /* false: it would have taken more than positions_max positions */
    bool is_exact; /* `combinations` is exact; otherwise it exceeds 64 bits, and only combinations_real is
                      valid */
    uint64_t combinations;
    double combinations_real;
    bool ends_are_counted;
    uint64_t ends; /* different positions at the end of the turn */
};

struct tbs_map_stats {
    struct tbs_unit_stats units[TBS_UNITS_MAX];
    struct tbs_side_stats sides[TBS_SIDES];
    struct tbs_turn_stats turn;
};

enum { TBS_STATS_POSITIONS_DEFAULT = 10000000 };

/* `positions_max` limits the work of each of the two counts of the first turn (visited positions, repeated
 * ones too), and with it memory: at most about 70 bytes a position, in practice a small part of that. 0 skips
 * the counts. False only when memory ran out. */
bool tbs_map_stats(const struct tbs_map *map, const struct tbs_rules *rules, uint64_t positions_max,
                   struct tbs_map_stats *out, struct err *e);

/* The part about the turn that begins or continues in a state. */
bool tbs_turn_stats(const struct game *game, const void *state, uint64_t positions_max,
                    struct tbs_turn_stats *out, struct err *e);

/* ---- a count that shows when it left 64 bits (for tests) ---- */

struct map_tally {
    uint64_t exact; /* UINT64_MAX: at least that, see `real` */
    double real;
};

static inline struct map_tally map_tally_of(int n) {
    return (struct map_tally){(uint64_t)n, n};
}

static inline struct map_tally map_tally_sum(struct map_tally a, struct map_tally b) {
    const uint64_t room = UINT64_MAX - a.exact;
    return (struct map_tally){b.exact < room ? a.exact + b.exact : UINT64_MAX, a.real + b.real};
}

#endif
