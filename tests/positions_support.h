/* SPDX-License-Identifier: MIT
 *
 * Exact facts about small positions of the tactical game: every way a turn can go, and what a side can force.
 * Written for the tests of our own positions, on small boards only.
 */
#ifndef TESTS_POSITIONS_SUPPORT_H
#define TESTS_POSITIONS_SUPPORT_H

#include "game/tbs/small.h"

/* One of our own maps and its start. */
struct spot {
    struct scenario *scenario;
    struct tbs_small start;
};

void spot_open(struct spot *spot, const char *name);
void spot_close(struct spot *spot);

/* No position here has more actions. */
enum { SPOT_ACTIONS_MAX = 512 };

static inline bool is_attack(action a) {
    return tbs_is_unit_action(a) && tbs_action_target(a) != TBS_NO_TARGET;
}

/* The position behind an action. */
struct tbs_small after(const struct tbs_small *s, action a);

/* HP of the unit of that id, 0 when it was destroyed. */
int hp_of(const struct tbs_small *s, int id);

/* HP of red less HP of blue, each weighted by type; NULL: all weights are 1. */
double lead(const struct tbs_small *s, const double *weights);

/* ---- known results of positions, by key ---- */

struct known {
    uint64_t key; /* 0: an empty place */
    double value[3];
};

struct known_table {
    struct known *places;
    size_t count, capacity;
};

/* The place of a key: empty (its key is 0) when it is new, then the caller fills it in or leaves it. Valid
 * until the next call. */
struct known *known_at(struct known_table *table, uint64_t key);
void known_add(struct known_table *table, uint64_t key, const double value[3]);
void known_done(struct known_table *table);

/* ---- all turns ---- */

/* Every position in which the turn at hand can end, each once. */
struct endings {
    struct tbs_small *items;
    int count, capacity;
    struct known_table seen;
};

void endings_collect(struct endings *e, const struct tbs_small *s);
void endings_done(struct endings *e);

/* ---- what a side can force ---- */

/* Proves that a side gets at least `goal` against every defence, by a search to the end of the game. A branch
 * ends earlier where the HP are decisive and safe: a unit that only stays preserves its HP if no living enemy
 * has power against it, or none could ever come where it could attack it.
 *
 * The proving side may be restricted to the actions of a plan. Then a proof is still valid (the plan is good
 * enough), while a failure shows only that the plan is not. */
struct proof;
typedef bool proof_plan(const struct proof *p, const struct tbs_small *s, action a);

struct proof {
    const struct tbs_scenario *scenario;
    int side;
    double goal;
    proof_plan *plan;                             /* NULL: any action */
    uint64_t danger[TBS_SIDES][SMALL_SIDE_UNITS]; /* cells where that unit could ever attack an enemy */
    uint64_t *marks;                              /* keys of visited positions; the last bit: it holds */
    size_t nodes, capacity;
};

void proof_open(struct proof *p, const struct spot *spot, int side, double goal, proof_plan *plan);
bool proof_holds(struct proof *p, const struct tbs_small *s);
void proof_close(struct proof *p);

#endif
