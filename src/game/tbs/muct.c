/* SPDX-License-Identifier: MIT
 *
 * M-UCT's own model of the tactical game (by Muto, in the TUBSTAP distribution; winner of GAT 2016 and 2017):
 * another table of functions over a state, for a tree search. It reproduces all deviations of M-UCT from the
 * rules:
 *
 * - Turns do not end. After one unit the searcher's next unfinished unit acts, then the enemy's; when none is
 *   left, both sides are enabled and the searcher begins again.
 * - The turn counter goes up when a side acts that has no finished unit. (A unit that died in its attack
 *   leaves no trace, so the counter may go up twice.)
 * - A playout plays the searcher's half first, even from within the enemy's, counts a turn for each half, and
 *   checks for annihilation once a round. With probability 0.8 it takes a random attack of any unit, attacks
 *   that do nothing included; otherwise a random unit's random action.
 * - A lead equal to the threshold wins the playout; so with threshold 0 equal HP are a win for the searcher.
 *
 * The model runs on both kinds of board. There are two playouts, which make the same choices from the same
 * random numbers: a plain one that lists actions, and a faster one on small boards.
 */
#include "game/tbs/small.h"

#include <string.h>

/* ---- the model's data behind a state ---- */

/* The share of playout decisions that do not look for an attack. */
#define MUCT_RANDOM_SHARE 0.2

struct muct_tail {
    uint8_t searcher; /* the side to move at the root */
    bool at_root;     /* no action was played yet */
};

static inline const struct muct_tail *muct_tail(const void *state) {
    return (const struct muct_tail *)((const char *)state + core_state_size(core_of(state)->scenario));
}

/* ---- turns as M-UCT's tree sees them ---- */

static bool none_is_ready(const struct tbs_core *c) {
    return (c->ready[TBS_RED] | c->ready[TBS_BLUE]) == 0;
}

/* The searcher's units first, then the enemy's; when none is ready, a new round begins. */
static int muct_mover(const void *state) {
    const struct tbs_core *c = core_of(state);
    const struct muct_tail *tail = muct_tail(state);
    const int own = tail->searcher;
    if (tail->at_root || c->ready[own] != 0)
        return own;
    if (c->ready[own ^ 1] != 0)
        return own ^ 1;
    return c->alive[own] != 0 ? own : own ^ 1;
}

static int muct_actions(const void *state, action *out) {
    const struct tbs_core *c = core_of(state);
    const int side = muct_mover(state);
    const uint64_t units = none_is_ready(c) ? c->alive[side] : c->ready[side];
    return core_list_actions(state, side, units, TBS_ATTACKS_DAMAGE, out);
}

static void muct_play(void *state, action a, struct rng *r) {
    (void)r;
    struct tbs_core *c = state; /* the core is the state's first member */
    struct muct_tail *tail = (struct muct_tail *)((char *)state + core_state_size(c->scenario));
    const int side = muct_mover(state);
    if (!tail->at_root) {
        if (none_is_ready(c))
            for (int i = 0; i < TBS_SIDES; i++)
                c->ready[i] = c->alive[i];
        if (c->ready[side] == c->alive[side]) /* no unit has acted: the turn has just changed */
            c->turn++;
    }
    tail->at_root = false;
    c->side = (uint8_t)side;
    core_act(state, a, c->scenario->wide);
}

/* By the searcher's lead; annihilation decides whatever the HP are. */
static double muct_payoff(const void *state, int side) {
    const struct tbs_core *c = core_of(state);
    const int own = muct_tail(state)->searcher, threshold = c->scenario->map.threshold;
    const int lead = (int)c->hp_sum[own] - (int)c->hp_sum[own ^ 1];
    double won = lead >= threshold ? 1 : -lead < threshold ? 0.5 : 0;
    if (c->alive[own] == 0 || c->alive[own ^ 1] == 0)
        won = c->alive[own] != 0;
    return side == own ? won : 1 - won;
}

/* ---- playouts ---- */

/* The fast playout needs the attacks of all ready units before most actions. That is cheap because within a
 * half the cells a unit can reach depend only on where enemies stand (own units may be passed): the flood
 * fill of a unit is done once a half and again only after an enemy was destroyed. */
struct half {
    void *state;
    int side;
    uint64_t filled;                    /* slots whose `reached` is current */
    uint64_t reached[SMALL_SIDE_UNITS]; /* cells, own units' included */
};

/* The loop of both playouts; `play_action` is a constant where this is inlined. Once a side is destroyed the
 * score is known and no more is played. M-UCT has no horizon but the turn limit. */
BITS_INLINE long playout(void *state, struct rng *rng, bool bmi2,
                         void (*play_action)(struct half *h, struct rng *r, bool bmi2)) {
    struct tbs_core *c = state; /* the core is the state's first member */
    struct rng r = *rng;        /* a local copy stays in registers */
    const int limit = c->scenario->map.turn_limit;
    long count = 0;
    for (int side = muct_tail(state)->searcher; c->turn < limit && c->alive[0] != 0 && c->alive[1] != 0;
         side ^= 1) {
        struct half h; /* not zeroed: `filled` marks the valid entries of `reached` */
        h.state = state;
        h.side = side;
        h.filled = 0;
        c->side = (uint8_t)side;
        for (; c->ready[side] != 0 && c->alive[side ^ 1] != 0; count++)
            play_action(&h, &r, bmi2);
        c->ready[side] = c->alive[side];
        c->turn++;
    }
    *rng = r;
    return count;
}

/* ---- the plain playout ---- */

/* One of all attacks of the side's ready units, or an action of a random unit. */
static void play_listed(struct half *h, struct rng *r, bool bmi2) {
    enum { LIST_MAX = TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX };
    action list[LIST_MAX];
    void *state = h->state;
    const int side = h->side;
    const struct tbs_core *c = core_of(state);
    const uint64_t ready = c->ready[side];
    int count = 0, attacks;
    uint64_t left = rng_unit(r) < MUCT_RANDOM_SHARE ? 0 : ready; /* the units whose attacks are listed */
    for (; left != 0; left = bits_without_first(left)) {
        core_slot_actions(state, side, bits_first(left), TBS_ATTACKS_ALL, list + count, &attacks);
        count += attacks;
    }
    if (count == 0) {
        const int slot = bits_select(ready, (int)rng_below(r, (uint32_t)bits_count(ready)), bmi2);
        count = core_slot_actions(state, side, slot, TBS_ATTACKS_DAMAGE, list, &attacks);
    }
    core_act(state, list[rng_below(r, (uint32_t)count)], c->scenario->wide);
}

static long run_plain(void *state, struct rng *r, int turns_max) {
    (void)turns_max;
    return playout(state, r, false, play_listed);
}

/* ---- the playout on small boards ---- */

/* The cells where the unit may stop: reached ones without own units, and its own. */
BITS_INLINE uint64_t ends_of(struct half *h, int slot) {
    const struct tbs_small *s = h->state;
    const int side = h->side, cell = s->cell[side][slot];
    if ((h->filled >> slot & 1) == 0) {
        h->reached[slot] = small_reached(s, side, cell, s->core.scenario->type[side][slot]);
        h->filled |= UINT64_C(1) << slot;
    }
    return (h->reached[slot] & ~small_side_cells(s, side)) | small_bit(cell);
}

/* `target` is a slot of the enemy; negative: only a move. */
BITS_INLINE void act(struct half *h, int slot, int to, int target) {
    struct tbs_small *s = h->state;
    core_move(s, slot, to, CORE_SMALL);
    if (target < 0)
        return;
    const uint64_t enemies = s->core.alive[h->side ^ 1];
    core_attack(s, slot, target, CORE_SMALL);
    if (s->core.alive[h->side ^ 1] != enemies)
        h->filled = 0; /* a way has opened */
}

/* A random attack of any ready unit, those without effect included; false when there is none. Attacks are
 * counted without a test whether there are any: here it is unpredictable and takes longer than counting. */
BITS_INLINE bool play_any_attack(struct half *h, struct rng *r) {
    const struct tbs_small *s = h->state;
    const struct tbs_scenario *sc = s->core.scenario;
    const uint64_t enemies = small_side_cells(s, h->side ^ 1);
    int counts[SMALL_SIDE_UNITS], total = 0;
    for (uint64_t left = s->core.ready[h->side]; left != 0; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        counts[slot] = sc->type[h->side][slot] == TBS_CANNON
                           ? bits_count(enemies & sc->small_ring[s->cell[h->side][slot]])
                           : small_direct_attacks(ends_of(h, slot), enemies);
        total += counts[slot];
    }
    if (total == 0)
        return false;
    int k = (int)rng_below(r, (uint32_t)total);
    for (uint64_t left = s->core.ready[h->side];; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        if (k < counts[slot]) {
            int stand;
            const int target = small_nth_attack(s, h->side, slot, ends_of(h, slot), UINT64_MAX, k, &stand);
            act(h, slot, stand, target);
            return true;
        }
        k -= counts[slot];
    }
}

/* A random unit's random action: its attacks that do damage, then its moves. */
BITS_INLINE void play_any_action(struct half *h, struct rng *r, bool bmi2) {
    const struct tbs_small *s = h->state;
    const struct tbs_scenario *sc = s->core.scenario;
    const int side = h->side;
    const uint64_t ready = s->core.ready[side];
    const int slot = bits_select(ready, (int)rng_below(r, (uint32_t)bits_count(ready)), bmi2);
    const uint8_t *power = sc->rules->power[sc->type[side][slot]];
    const uint64_t ends = ends_of(h, slot);
    int targets[SMALL_SIDE_UNITS], counts[SMALL_SIDE_UNITS], target_count = 0, attacks = 0;
    for (uint64_t left = s->core.alive[side ^ 1]; left != 0; left = bits_without_first(left)) {
        const int target = bits_first(left), count = bits_count(small_stands(s, side, slot, target, ends));
        if (count == 0)
            continue;
        const struct tbs_fighter d = core_fighter(s, side ^ 1, target, s->cell[side ^ 1][target], CORE_SMALL);
        if (core_strike(sc, power[d.type], s->hp[side][slot], d.stars, d.hp) == 0)
            continue; /* its stand cell does not matter */
        targets[target_count] = target;
        counts[target_count++] = count;
        attacks += count;
    }
    int k = (int)rng_below(r, (uint32_t)(attacks + bits_count(ends)));
    if (k >= attacks) {
        act(h, slot, bits_select(ends, k - attacks, bmi2), -1);
        return;
    }
    int i = 0;
    for (; k >= counts[i]; i++)
        k -= counts[i];
    const uint64_t stands = small_stands(s, side, slot, targets[i], ends);
    act(h, slot, small_nth_stand(s, side, slot, targets[i], stands, k), targets[i]);
}

BITS_INLINE void play_small(struct half *h, struct rng *r, bool bmi2) {
    if (rng_unit(r) < MUCT_RANDOM_SHARE || !play_any_attack(h, r))
        play_any_action(h, r, bmi2);
}

BITS_FOR_BMI2 static long small_bmi2(void *state, struct rng *r) {
    return playout(state, r, true, play_small);
}

static long small_muct_run(void *state, struct rng *r, int turns_max) {
    (void)turns_max;
    return core_of(state)->scenario->bmi2 ? small_bmi2(state, r) : playout(state, r, false, play_small);
}

/* ---- tables ---- */

static const struct rollout small_muct_rollouts[] = {
    {"muct", "M-UCT's playout", small_muct_run},
    {"muct-plain", "the same, listing all actions", run_plain},
    {0},
};

static const struct rollout wide_muct_rollouts[] = {{"muct", "M-UCT's playout", run_plain}, {0}};

#define MUCT_SLOTS                                                                                           \
    .mover = muct_mover, .actions = muct_actions, .play = muct_play, .payoff = muct_payoff, .turn = core_turn

static const struct game small_model = {
    .name = "tbs-muct",
    .help = "the tactical game as M-UCT sees it",
    .state_size = sizeof(struct tbs_small) + sizeof(struct muct_tail),
    .actions_max = SMALL_SIDE_UNITS * (64 + 4 * SMALL_SIDE_UNITS),
    .rollouts = small_muct_rollouts,
    MUCT_SLOTS,
};

static const struct game wide_model = {
    .name = "tbs-wide-muct",
    .help = "the tactical game as M-UCT sees it, on wide boards",
    .state_size = sizeof(struct tbs_wide) + sizeof(struct muct_tail),
    .actions_max = TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX,
    .rollouts = wide_muct_rollouts,
    MUCT_SLOTS,
};

const struct game *tbs_muct_model(const struct game *game) {
    return game == &tbs_wide_game ? &wide_model : &small_model;
}

void tbs_muct_start(void *out, const void *state) {
    const struct tbs_core *c = core_of(state);
    const struct muct_tail tail = {.searcher = c->side, .at_root = true};
    const size_t size = core_state_size(c->scenario);
    memcpy(out, state, size);
    memcpy((char *)out + size, &tail, sizeof tail);
}
