/* SPDX-License-Identifier: MIT
 *
 * What the small and the wide path share (private to the tactical game): the scenario's tables, both states,
 * the rules on units, the sequence of turns, the loop of playouts and the list of attacks. Each side's units
 * have slots 0, 1, … in the order of their ids: one 64-bit word a side holds which units live, another which
 * may still act, and iterating over slots iterates over ids.
 */
#ifndef GAME_TBS_CORE_H
#define GAME_TBS_CORE_H

#include "base/bits.h"
#include "game/plain.h"
#include "game/tbs/tbs.h"

#include <assert.h>

enum {
    SMALL_CELLS = 8, /* playable cells along an edge of a small board */
    SMALL_SIDE_UNITS = 16,
    WIDE_CELLS = TBS_CELLS_MAX,
    RECIPROCALS = TBS_STARS_MAX * TBS_HP_MAX + 1,
};

/* Asserts in the innermost loops are for debug and sanitizer builds only. */
#ifdef SENJUTSU_DEBUG
#define HOT_ASSERT(condition) assert(condition)
#else
#define HOT_ASSERT(condition) ((void)0)
#endif

struct tbs_scenario {
    struct scenario base; /* first member */
    const struct tbs_rules *rules;
    struct tbs_map map;
    bool wide, bmi2, avx2;

    uint8_t type[TBS_SIDES][TBS_SIDE_UNITS_MAX]; /* by slot */
    uint8_t id[TBS_SIDES][TBS_SIDE_UNITS_MAX];
    uint8_t slot_of[TBS_UNITS_MAX];
    int slots[TBS_SIDES];

    /* Whether this type has power against aircraft, against ground units. The rule sets' power tables are
     * zero for all or none of each group, which tbs_scenario_make checks. */
    bool hits_air[TBS_TYPES], hits_ground[TBS_TYPES];

    /* floor(n / (100 + k)) == n * reciprocal[k] >> 32 for every numerator the fight formula can have. */
    uint32_t reciprocal[RECIPROCALS];

    /* Small boards: bit (x-1)*8 + (y-1), so that ascending bits are the generator's order of cells. */
    uint64_t small_cost1[TBS_CLASSES], small_cost2[TBS_CLASSES]; /* cells entered for 1, for 2 */
    uint64_t small_ring[64];                                     /* cells in a cannon's range */
    uint64_t small_adjacent[64];
    uint8_t small_stars[64];

    /* Wide boards: word x-1, bit y-1. */
    uint32_t wide_cost1[TBS_CLASSES][WIDE_CELLS], wide_cost2[TBS_CLASSES][WIDE_CELLS];
    uint8_t wide_stars[WIDE_CELLS * WIDE_CELLS];
};

/* The part of a state that both paths share. It is the first member of their states, so a pointer to a state
 * is a pointer to its core. */
struct tbs_core {
    const struct tbs_scenario *scenario;
    uint64_t units_key; /* over (id, cell, HP) of living units */
    uint64_t alive[TBS_SIDES], ready[TBS_SIDES];
    uint16_t hp_sum[TBS_SIDES];
    uint16_t turn;
    uint8_t side, result;
};

/* The state of the small path. One word for each kind of unit of a side: moves and attacks are a few logical
 * operations on whole boards. */
struct tbs_small {
    struct tbs_core core;
    uint64_t occupied[TBS_SIDES][2]; /* [side][is air] */
    uint8_t cell[TBS_SIDES][SMALL_SIDE_UNITS], hp[TBS_SIDES][SMALL_SIDE_UNITS];
};

_Static_assert(sizeof(struct tbs_small) <= 256, "a small state is at most 256 bytes");

/* The state of the wide path. */
struct tbs_wide {
    struct tbs_core core;
    uint32_t occupied[TBS_SIDES][2][WIDE_CELLS]; /* [side][is air][column] */
    uint16_t cell[TBS_SIDES][TBS_SIDE_UNITS_MAX];
    uint8_t hp[TBS_SIDES][TBS_SIDE_UNITS_MAX];
};

_Static_assert(sizeof(struct tbs_wide) <= GAME_STATE_MAX, "a wide state fits the limit for states");

static inline const struct tbs_core *core_of(const void *state) {
    return state;
}

static inline size_t core_state_size(const struct tbs_scenario *sc) {
    return sc->wide ? sizeof(struct tbs_wide) : sizeof(struct tbs_small);
}

/* ---- keys ---- */

/* Flags and turn are added only when the key is needed: otherwise re-enabling a whole side would cost as many
 * updates as it has units. */
static inline uint64_t core_key(const struct tbs_core *c, uint64_t units_key) {
    uint64_t key = units_key;
    key = rng_mix(key ^ rng_mix(c->ready[TBS_RED] + 1));
    key = rng_mix(key + c->ready[TBS_BLUE]);
    return rng_mix(key + ((uint64_t)c->turn << 16 | (uint64_t)c->side << 8 | c->result));
}

/* ---- fights ---- */

/* The damage of one blow, at most the defender's HP: (power * hp + 70) / (100 + stars * hp), rounded down. */
BITS_INLINE int core_strike(const struct tbs_scenario *sc, int power, int hp, int defender_stars,
                            int defender_hp) {
    const uint64_t numerator = (uint64_t)(power * hp + 70);
    const int damage = (int)(numerator * sc->reciprocal[defender_stars * defender_hp] >> 32);
    return damage < defender_hp ? damage : defender_hp;
}

/* tbs_fight by table: the same results (tested for all inputs), without a division. */
BITS_INLINE struct tbs_exchange core_fight(const struct tbs_scenario *sc, struct tbs_fighter a,
                                           struct tbs_fighter d) {
    struct tbs_exchange x = {.damage =
                                 core_strike(sc, sc->rules->power[a.type][d.type], a.hp, d.stars, d.hp)};
    if (x.damage < d.hp && a.type != TBS_CANNON && d.type != TBS_CANNON)
        x.counter = core_strike(sc, sc->rules->power[d.type][a.type], d.hp - x.damage, a.stars, a.hp);
    return x;
}

/* ---- units on either board ---- */

/* What an action does to units is written once. `wide` says which board the state has; in the code of one
 * path it is a constant, and nothing of the other board remains there. */
enum { CORE_SMALL, CORE_WIDE };

/* A cell's number: columns one after the other. */
BITS_INLINE int core_cell(int x, int y, bool wide) {
    return (x - 1) << (wide ? 5 : 3) | (y - 1);
}

BITS_INLINE int core_x(int cell, bool wide) {
    return (cell >> (wide ? 5 : 3)) + 1;
}

BITS_INLINE int core_y(int cell, bool wide) {
    return (cell & (wide ? WIDE_CELLS - 1 : SMALL_CELLS - 1)) + 1;
}

/* Of a destroyed unit: where it stood. */
BITS_INLINE int core_cell_of(const void *state, int side, int slot, bool wide) {
    return wide ? ((const struct tbs_wide *)state)->cell[side][slot]
                : ((const struct tbs_small *)state)->cell[side][slot];
}

/* By slot; 0 when destroyed. */
BITS_INLINE const uint8_t *core_hp(const void *state, int side, bool wide) {
    return wide ? ((const struct tbs_wide *)state)->hp[side] : ((const struct tbs_small *)state)->hp[side];
}

BITS_INLINE void core_set_hp(void *state, int side, int slot, int hp, bool wide) {
    *(wide ? &((struct tbs_wide *)state)->hp[side][slot] : &((struct tbs_small *)state)->hp[side][slot]) =
        (uint8_t)hp;
}

BITS_INLINE void core_set_cell(void *state, int side, int slot, int cell, bool wide) {
    if (wide)
        ((struct tbs_wide *)state)->cell[side][slot] = (uint16_t)cell;
    else
        ((struct tbs_small *)state)->cell[side][slot] = (uint8_t)cell;
}

/* Takes a unit from its cell and puts it into another one. */
BITS_INLINE void core_relocate(void *state, int side, int slot, int to, bool wide) {
    const bool air = tbs_is_air(core_of(state)->scenario->type[side][slot]);
    const int from = core_cell_of(state, side, slot, wide);
    if (wide) {
        uint32_t *columns = ((struct tbs_wide *)state)->occupied[side][air];
        columns[from >> 5] &= ~(UINT32_C(1) << (from & 31));
        columns[to >> 5] |= UINT32_C(1) << (to & 31);
    } else {
        uint64_t *board = &((struct tbs_small *)state)->occupied[side][air];
        *board = (*board & ~(UINT64_C(1) << from)) | UINT64_C(1) << to;
    }
    core_set_cell(state, side, slot, to, wide);
}

/* Moves the mover's unit to a cell and marks it as done. Neither this nor an attack updates the key. */
BITS_INLINE void core_move(void *state, int slot, int to, bool wide) {
    struct tbs_core *c = state; /* the core is the state's first member */
    core_relocate(state, c->side, slot, to, wide);
    c->ready[c->side] &= ~(UINT64_C(1) << slot);
}

/* A destroyed unit leaves the board, and can neither act nor be attacked; its cell stays stored. */
BITS_INLINE void core_hurt(void *state, int side, int slot, int loss, bool wide) {
    struct tbs_core *c = state;
    const int hp = core_hp(state, side, wide)[slot] - loss;
    core_set_hp(state, side, slot, hp, wide);
    c->hp_sum[side] = (uint16_t)(c->hp_sum[side] - loss);
    if (hp > 0)
        return;
    const uint64_t bit = UINT64_C(1) << slot;
    c->alive[side] &= ~bit;
    c->ready[side] &= ~bit;
    const bool air = tbs_is_air(c->scenario->type[side][slot]);
    const int cell = core_cell_of(state, side, slot, wide);
    if (wide)
        ((struct tbs_wide *)state)->occupied[side][air][cell >> 5] &= ~(UINT32_C(1) << (cell & 31));
    else
        ((struct tbs_small *)state)->occupied[side][air] &= ~(UINT64_C(1) << cell);
}

/* A unit in a cell, where it may not stand yet. */
BITS_INLINE struct tbs_fighter core_fighter(const void *state, int side, int slot, int cell, bool wide) {
    const struct tbs_scenario *sc = core_of(state)->scenario;
    const int type = sc->type[side][slot], stars = wide ? sc->wide_stars[cell] : sc->small_stars[cell];
    return (struct tbs_fighter){type, core_hp(state, side, wide)[slot], tbs_is_air(type) ? 0 : stars};
}

/* The mover's unit, already at its destination, attacks. */
BITS_INLINE void core_attack(void *state, int slot, int target, bool wide) {
    const int side = core_of(state)->side, enemy = side ^ 1;
    const struct tbs_fighter a = core_fighter(state, side, slot, core_cell_of(state, side, slot, wide), wide);
    const struct tbs_fighter d =
        core_fighter(state, enemy, target, core_cell_of(state, enemy, target, wide), wide);
    const struct tbs_exchange x = core_fight(core_of(state)->scenario, a, d);
    core_hurt(state, enemy, target, x.damage, wide);
    core_hurt(state, side, slot, x.counter, wide);
}

/* The part of a unit in the key of its state, 0 once it is destroyed. Cells are the map's, so both paths have
 * the same keys. */
BITS_INLINE uint64_t core_unit_key(const void *state, int side, int slot, bool wide) {
    const int cell = core_cell_of(state, side, slot, wide), hp = core_hp(state, side, wide)[slot];
    const int id = core_of(state)->scenario->id[side][slot], x = core_x(cell, wide), y = core_y(cell, wide);
    if (hp == 0)
        return 0;
    uint64_t k = ((uint64_t)id << 24 | (uint64_t)x << 16 | (uint64_t)y << 8 | (uint64_t)hp) + 1;
    k *= UINT64_C(0x9E3779B97F4A7C15);
    k ^= k >> 32;
    k *= UINT64_C(0xD6E8FEB86659FD93);
    return k ^ (k >> 29);
}

/* One unit's action alone, without ending a turn. The key loses the parts of both units before the action and
 * gets them again after it. */
BITS_INLINE void core_act(void *state, action a, bool wide) {
    struct tbs_core *c = state;
    const struct tbs_scenario *sc = c->scenario;
    const int side = c->side, slot = sc->slot_of[tbs_action_unit(a)], id = tbs_action_target(a);
    uint64_t change = core_unit_key(state, side, slot, wide);
    core_move(state, slot, core_cell(tbs_action_x(a), tbs_action_y(a), wide), wide);
    if (id != TBS_NO_TARGET) {
        const int target = sc->slot_of[id];
        change ^= core_unit_key(state, side ^ 1, target, wide);
        core_attack(state, slot, target, wide);
        change ^= core_unit_key(state, side ^ 1, target, wide);
    }
    c->units_key ^= change ^ core_unit_key(state, side, slot, wide);
}

/* ---- turns ---- */

/* The lead in HP that wins at the limit. */
static inline int core_needed_lead(const struct tbs_scenario *sc) {
    return sc->map.threshold + (sc->rules->equal_lead_wins && sc->map.threshold > 0 ? 0 : 1);
}

/* The result at the turn limit, by the lead in HP. */
static inline int core_judge(const struct tbs_core *c) {
    const int needed = core_needed_lead(c->scenario);
    const int lead = (int)c->hp_sum[TBS_RED] - (int)c->hp_sum[TBS_BLUE];
    return lead >= needed ? TBS_RED_LIMIT : -lead >= needed ? TBS_BLUE_LIMIT : TBS_DRAW_LIMIT;
}

/* Ends the mover's phase: its units are ready again, the counter goes up, and the game may be over. */
BITS_INLINE void core_end_phase(struct tbs_core *c) {
    c->ready[c->side] = c->alive[c->side];
    c->turn++;
    c->side ^= 1;
    if (c->alive[TBS_RED] == 0)
        c->result = TBS_BLUE_ANNIHILATION;
    else if (c->alive[TBS_BLUE] == 0)
        c->result = TBS_RED_ANNIHILATION;
    else if (c->turn == c->scenario->map.turn_limit)
        c->result = (uint8_t)core_judge(c);
}

/* A phase ends when all units have acted, or when no enemy is left. */
BITS_INLINE bool core_phase_is_over(const struct tbs_core *c) {
    return c->ready[c->side] == 0 || c->alive[c->side ^ 1] == 0;
}

/* Ends phases until a side can act or the game is over. A side whose units are all flagged at the start has
 * an empty phase; hence the loop. */
BITS_INLINE void core_advance(struct tbs_core *c) {
    while (c->result == TBS_RUNNING && core_phase_is_over(c))
        core_end_phase(c);
}

bool core_is_legal(const void *state, action a);

/* One action of the mover and its consequences. */
BITS_INLINE void core_play(void *state, action a, bool wide) {
    struct tbs_core *c = state; /* the core is the state's first member */
    assert(c->result == TBS_RUNNING);
    HOT_ASSERT(core_is_legal(state, a));
    if (a == TBS_RESIGN) {
        const int side = c->side;
        core_end_phase(c);
        c->result = side == TBS_RED ? TBS_BLUE_RESIGNATION : TBS_RED_RESIGNATION;
        return;
    }
    if (a == TBS_PASS)
        c->ready[c->side] = 0;
    else
        core_act(state, a, wide);
    core_advance(c);
}

/* ---- playouts ---- */

/* Differences between playout policies; constants where they are used. */
struct core_policy {
    bool all;   /* attacks without power count as attacks */
    bool eager; /* a unit that can attack does */
};

/* Computes units_key from scratch. */
uint64_t core_units_key(const void *state);

/* The loop of all playouts. `play_random` plays one action of the mover; it is the path's own, a constant
 * where this is inlined. It leaves the key as it was: the key is computed at the end. */
BITS_INLINE long core_playout(void *state, struct rng *rng, int turns_max, struct core_policy policy,
                              bool bmi2,
                              void (*play_random)(void *, struct rng *, struct core_policy, bool)) {
    struct tbs_core *c = state;
    struct rng r = *rng; /* a local copy stays in registers */
    const int turn_end = turns_max > 0 ? c->turn + turns_max : TBS_TURN_LIMIT_MAX + 1;
    long count = 0;
    while (c->result == TBS_RUNNING && c->turn < turn_end) {
        do {
            play_random(state, &r, policy, bmi2);
            count++;
        } while (!core_phase_is_over(c));
        core_advance(c);
    }
    c->units_key = core_units_key(state);
    *rng = r;
    return count;
}

/* A playout with the policy that the last arguments initialise, compiled twice: for every machine, and for
 * those with the instructions of `target`, which the scenario's field `has` reports. Both give the same games
 * from the same seed. */
#define CORE_ROLLOUT(name, target, has, play_random, ...)                                                    \
    static long name##_plain(void *state, struct rng *r, int turns_max) {                                    \
        return core_playout(state, r, turns_max, (struct core_policy){__VA_ARGS__}, false, play_random);     \
    }                                                                                                        \
    target static long name##_fast(void *state, struct rng *r, int turns_max) {                              \
        return core_playout(state, r, turns_max, (struct core_policy){__VA_ARGS__}, true, play_random);      \
    }                                                                                                        \
    static long name(void *state, struct rng *r, int turns_max) {                                            \
        return (((const struct tbs_core *)state)->scenario->has ? name##_fast : name##_plain)(state, r,      \
                                                                                              turns_max);    \
    }

#define CORE_ROLLOUTS                                                                                        \
    {                                                                                                        \
        {"uniform", "a random unit, then one of its moves and attacks with power, evenly", run_uniform},     \
            {"uniform-all",                                                                                  \
             "the same with attacks that have no power, as the platform's generator lists them",             \
             run_uniform_all},                                                                               \
            {"attack",                                                                                       \
             "a random unit; if it can attack, one of its attacks with power, otherwise one of its moves",   \
             run_attack},                                                                                    \
            {0},                                                                                             \
    }

/* ---- lists of actions ---- */

/* A unit whose actions are listed, and the cells where it may end its move, in the form of its path. */
struct core_lister {
    const void *state, *ends;
    int side, slot;
};

/* True when this type has power against that one. */
BITS_INLINE bool core_hits(const struct tbs_scenario *sc, int type, int target_type) {
    return tbs_is_air(target_type) ? sc->hits_air[type] : sc->hits_ground[type];
}

/* Lists its attacks: targets by id, then stand cells. `stands` fills the stand cells against a target in the
 * order east, north, west, south; it is the path's own, a constant where this is inlined. */
BITS_INLINE int core_list_attacks(const struct core_lister *l, enum tbs_attacks which, action *out, bool wide,
                                  int (*stands)(const struct core_lister *l, int target, int out[4])) {
    const struct tbs_scenario *sc = core_of(l->state)->scenario;
    const int side = l->side, enemy = side ^ 1, type = sc->type[side][l->slot];
    int count = 0, cells[4];
    for (uint64_t left = core_of(l->state)->alive[enemy]; left != 0; left = bits_without_first(left)) {
        const int target = bits_first(left);
        if (which != TBS_ATTACKS_ALL && !core_hits(sc, type, sc->type[enemy][target]))
            continue;
        const int total = stands(l, target, cells), cell = core_cell_of(l->state, enemy, target, wide);
        for (int i = 0; i < total; i++) {
            if (which == TBS_ATTACKS_DAMAGE &&
                core_fight(sc, core_fighter(l->state, side, l->slot, cells[i], wide),
                           core_fighter(l->state, enemy, target, cell, wide))
                        .damage == 0)
                continue;
            out[count++] = tbs_action(sc->id[side][l->slot], core_x(cells[i], wide), core_y(cells[i], wide),
                                      sc->id[enemy][target]);
        }
    }
    return count;
}

/* ---- what a path provides (small.c, wide.c) ---- */

/* The actions of a side's unit in generator order; attacks come first, *attacks of them. */
int small_slot_actions(const void *state, int side, int slot, enum tbs_attacks which, action *out,
                       int *attacks);
int wide_slot_actions(const void *state, int side, int slot, enum tbs_attacks which, action *out,
                      int *attacks);

static inline int core_slot_actions(const void *state, int side, int slot, enum tbs_attacks which,
                                    action *out, int *attacks) {
    return (core_of(state)->scenario->wide ? wide_slot_actions : small_slot_actions)(state, side, slot, which,
                                                                                     out, attacks);
}

/* The same for all units of a side that have a bit in `slots`. Slots are in the order of ids, so this is the
 * order of the platform's generator: units by id, attacks before moves. */
static inline int core_list_actions(const void *state, int side, uint64_t slots, enum tbs_attacks which,
                                    action *out) {
    int count = 0, attacks;
    for (uint64_t left = slots; left != 0; left = bits_without_first(left))
        count += core_slot_actions(state, side, bits_first(left), which, out + count, &attacks);
    return count;
}

extern const struct rollout small_rollouts[], wide_rollouts[];
void small_play(void *state, action a, struct rng *r);
void wide_play(void *state, action a, struct rng *r);

/* ---- slots of the game tables ---- */

int core_turn(const void *state);
extern const struct game_face core_face;
extern const struct notation core_notation;

/* Converts a position into a state of the scenario's path. */
void core_set_position(void *state, const struct tbs_scenario *sc, const struct tbs_position *in);

#endif
