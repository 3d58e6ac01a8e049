/* SPDX-License-Identifier: MIT
 *
 * The tactical game's rules as data: unit types, terrain, attack powers, and the fight formula. A rule set is
 * a row of `tbs_rule_sets`; everything else is shared.
 */
#ifndef GAME_TBS_RULES_H
#define GAME_TBS_RULES_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum tbs_side { TBS_RED, TBS_BLUE, TBS_SIDES };

enum tbs_type { TBS_FIGHTER, TBS_ATTACKER, TBS_PANZER, TBS_CANNON, TBS_ANTIAIR, TBS_INFANTRY, TBS_TYPES };

enum tbs_terrain {
    TBS_NO_ENTRY,
    TBS_PLAIN,
    TBS_SEA,
    TBS_WOOD,
    TBS_MOUNTAIN,
    TBS_ROAD,
    TBS_FORTRESS,
    TBS_TERRAINS,
};

/* Units of one class pay the same for each terrain. */
enum tbs_class { TBS_AIR, TBS_VEHICLE, TBS_FOOT, TBS_CLASSES };

enum {
    TBS_IMPASSABLE = 99,
    TBS_HP_FULL = 10, /* the most in any map of the platform */
    TBS_HP_MAX = 99,  /* the most that a state can hold */
    TBS_STARS_MAX = 4,
    TBS_MOVE_MAX = 9,
    TBS_RANGE_LOW = 2, /* a cannon's range, in Manhattan distance */
    TBS_RANGE_HIGH = 3,
};

struct tbs_unit_type {
    const char *name;
    char mark;
    uint8_t move;
    bool direct; /* attacks its four neighbours; otherwise the cannon's range, without moving */
    uint8_t class;
};

struct tbs_terrain_type {
    const char *name;
    char mark;
    uint8_t stars;
    uint8_t cost[TBS_CLASSES];
};

struct tbs_rules {
    const char *name, *help;
    uint8_t power[TBS_TYPES][TBS_TYPES]; /* [attacker][defender] */
    bool equal_lead_wins;                /* at the turn limit a lead equal to the threshold wins too */
};

extern const struct tbs_unit_type tbs_unit_types[TBS_TYPES];
extern const struct tbs_terrain_type tbs_terrain_types[TBS_TERRAINS];
extern const struct tbs_rules tbs_rule_sets[]; /* ends with a NULL name; the first is the default */
extern const char *const tbs_side_names[TBS_SIDES];

/* TBS_TYPES when there is no unit of that name. */
int tbs_type_find(const char *name);

static inline bool tbs_is_air(int type) {
    return tbs_unit_types[type].class == TBS_AIR;
}

/* Defence stars of a unit of that type on that terrain: aircraft have none. */
int tbs_stars(int type, int terrain);

/* One side of a fight, before it. */
struct tbs_fighter {
    int type, hp, stars;
};

struct tbs_exchange {
    int damage, counter;
};

/* The damage of both sides in a fight: the formula of the rules, written plainly. */
struct tbs_exchange tbs_fight(const struct tbs_rules *rules, struct tbs_fighter attacker,
                              struct tbs_fighter defender);

/* The rule set of that name; NULL and a sentence that lists the known ones. */
const struct tbs_rules *tbs_read_rules(const char *name, struct err *e);

#endif
