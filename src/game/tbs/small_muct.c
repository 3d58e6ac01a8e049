/* SPDX-License-Identifier: MIT
 *
 * M-UCT's playout on small boards. It asks for the attacks of all ready units before most actions; what makes
 * that cheap is that within a half the cells a unit can get to depend only on where enemies stand (own units
 * may be passed), so the flood fill of a unit is done once a half and again only after an enemy died.
 */
#include "game/tbs/muct_tail.h"

struct half {
    struct tbs_small *s;
    int side;
    uint64_t filled;                    /* slots whose `reached` is current */
    uint64_t reached[SMALL_SIDE_UNITS]; /* cells, own units' included */
};

BITS_INLINE uint64_t ends_of(struct half *h, int slot) {
    const struct tbs_small *s = h->s;
    const int side = h->side, cell = s->cell[side][slot];
    if ((h->filled >> slot & 1) == 0) {
        h->reached[slot] = small_reached(s, side, cell, s->core.scenario->type[side][slot]);
        h->filled |= UINT64_C(1) << slot;
    }
    return (h->reached[slot] & ~small_side_cells(s, side)) | small_bit(cell);
}

/* How many attacks a unit has, those without effect included. */
BITS_INLINE int count_attacks(struct half *h, int slot) {
    const struct tbs_small *s = h->s;
    const struct tbs_scenario *sc = s->core.scenario;
    const uint64_t enemies = small_side_cells(s, h->side ^ 1);
    if (sc->type[h->side][slot] == TBS_CANNON)
        return bits_count(enemies & sc->small_ring[s->cell[h->side][slot]]);
    /* As small_direct_attacks, which looks first whether there are any: that cannot be foreseen here, and
     * takes longer than counting. */
    const uint64_t ends = ends_of(h, slot);
    return bits_count(small_east(enemies) & ends) + bits_count(small_north(enemies) & ends) +
           bits_count(small_west(enemies) & ends) + bits_count(small_south(enemies) & ends);
}

BITS_INLINE void act(struct half *h, int slot, int to, int target) {
    struct tbs_small *s = h->s;
    small_move(s, slot, to, false);
    if (target < 0)
        return;
    const uint64_t enemies = s->core.alive[h->side ^ 1];
    small_attack(s, slot, target, false);
    if (s->core.alive[h->side ^ 1] != enemies)
        h->filled = 0; /* a way has opened */
}

/* The stand cells from which a unit attacks that target. */
BITS_INLINE uint64_t stands_against(struct half *h, int slot, int target, uint64_t ends) {
    const struct tbs_small *s = h->s;
    const struct tbs_scenario *sc = s->core.scenario;
    const int own = s->cell[h->side][slot], cell = s->cell[h->side ^ 1][target];
    if (sc->type[h->side][slot] != TBS_CANNON)
        return sc->small_adjacent[cell] & ends;
    return (sc->small_ring[own] & small_bit(cell)) != 0 ? small_bit(own) : 0;
}

/* For units beside their target as small_nth_stand, whose loop ends after a random number of steps: adding up
 * how many stands there are to the east, to the north of that, and so on, needs no branch. A tenth of all
 * time is saved by it. */
BITS_INLINE int nth_stand(const struct half *h, int slot, int target, uint64_t stands, int n) {
    static const int8_t steps[4] = {SMALL_CELLS, -1, -SMALL_CELLS, 1};
    const struct tbs_small *s = h->s;
    if (s->core.scenario->type[h->side][slot] == TBS_CANNON)
        return bits_first(stands);
    const int cell = s->cell[h->side ^ 1][target];
    const uint64_t bit = small_bit(cell);
    const int east = (small_east(bit) & stands) != 0;
    const int north = east + ((small_north(bit) & stands) != 0);
    const int west = north + ((small_west(bit) & stands) != 0);
    return cell + steps[(east <= n) + (north <= n) + (west <= n)];
}

/* Plays the k-th of the unit's attacks. */
BITS_INLINE void play_attack(struct half *h, int slot, int k) {
    const uint64_t ends = ends_of(h, slot);
    for (uint64_t left = h->s->core.alive[h->side ^ 1];; left = bits_without_first(left)) {
        HOT_ASSERT(left != 0);
        const int target = bits_first(left);
        const uint64_t stands = stands_against(h, slot, target, ends);
        const int count = bits_count(stands);
        if (k < count) {
            act(h, slot, nth_stand(h, slot, target, stands, k), target);
            return;
        }
        k -= count;
    }
}

/* A random attack of any ready unit; false when there is none. */
BITS_INLINE bool play_any_attack(struct half *h, struct rng *r) {
    int counts[SMALL_SIDE_UNITS], total = 0;
    for (uint64_t left = h->s->core.ready[h->side]; left != 0; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        counts[slot] = count_attacks(h, slot);
        total += counts[slot];
    }
    if (total == 0)
        return false;
    int k = (int)rng_below(r, (uint32_t)total);
    for (uint64_t left = h->s->core.ready[h->side];; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        if (k < counts[slot]) {
            play_attack(h, slot, k);
            return true;
        }
        k -= counts[slot];
    }
}

/* Does this unit's attack on that target do any damage? Where it stands does not matter. */
BITS_INLINE bool does_damage(const struct half *h, int slot, int target) {
    const struct tbs_small *s = h->s;
    const struct tbs_scenario *sc = s->core.scenario;
    const int enemy = h->side ^ 1;
    const struct tbs_fighter d = small_fighter(s, enemy, target, s->cell[enemy][target]);
    return core_strike(sc, sc->rules->power[sc->type[h->side][slot]][d.type], s->hp[h->side][slot], d.stars,
                       d.hp) > 0;
}

/* A random unit's random action: its attacks that do damage, then its moves. */
BITS_INLINE void play_any_action(struct half *h, struct rng *r, bool bmi2) {
    const struct tbs_small *s = h->s;
    const uint64_t ready = s->core.ready[h->side];
    const int slot = bits_select(ready, (int)rng_below(r, (uint32_t)bits_count(ready)), bmi2);
    const uint64_t ends = ends_of(h, slot);
    int targets[SMALL_SIDE_UNITS], counts[SMALL_SIDE_UNITS], target_count = 0, attacks = 0;
    for (uint64_t left = s->core.alive[h->side ^ 1]; left != 0; left = bits_without_first(left)) {
        const int target = bits_first(left), count = bits_count(stands_against(h, slot, target, ends));
        if (count == 0 || !does_damage(h, slot, target))
            continue;
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
    act(h, slot, nth_stand(h, slot, targets[i], stands_against(h, slot, targets[i], ends), k), targets[i]);
}

BITS_INLINE long play_half(struct tbs_small *s, int side, struct rng *r, bool bmi2) {
    struct half h; /* not zeroed: `filled` says what of `reached` counts */
    long count = 0;
    h.s = s;
    h.side = side;
    h.filled = 0;
    s->core.side = (uint8_t)side;
    for (; s->core.ready[side] != 0 && s->core.alive[side ^ 1] != 0; count++)
        if (rng_unit(r) < MUCT_RANDOM_SHARE || !play_any_attack(&h, r))
            play_any_action(&h, r, bmi2);
    s->core.ready[side] = s->core.alive[side];
    s->core.turn++;
    return count;
}

BITS_INLINE long run_body(struct tbs_small *s, int own, struct rng *rng, bool bmi2) {
    struct rng r = *rng; /* a local copy stays in registers */
    const int limit = s->core.scenario->map.turn_limit;
    long count = 0;
    for (int half = 0; s->core.turn < limit && s->core.alive[0] != 0 && s->core.alive[1] != 0; half ^= 1)
        count += play_half(s, own ^ half, &r, bmi2);
    *rng = r;
    return count;
}

BITS_FOR_BMI2 static long run_bmi2(struct tbs_small *s, int own, struct rng *r) {
    return run_body(s, own, r, true);
}

static long run_plain(struct tbs_small *s, int own, struct rng *r) {
    return run_body(s, own, r, false);
}

long small_muct_run(void *state, struct rng *r, int turns_max) {
    (void)turns_max; /* M-UCT knows no horizon but the turn limit */
    struct tbs_small *s = state;
    const int own = muct_tail(state)->searcher;
    return s->core.scenario->bmi2 ? run_bmi2(s, own, r) : run_plain(s, own, r);
}
