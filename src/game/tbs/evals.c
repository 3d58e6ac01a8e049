/* SPDX-License-Identifier: MIT
 *
 * Knowledge about the tactical game for searches: evaluations, action scores, shorter action lists, bounds on
 * the result. Sources: Sato, Fujiki and Ikeda, sections 4.1 and 5.2.
 */
#include "game/tbs/core.h"

#include <string.h>

/* ---- weights: one a unit type, in the order of the types, then the evaluations' own ---- */

enum { WEIGHT_THREAT = TBS_TYPES };

const struct weight core_weights[] = {
    {"F", "of a fighter's HP", 1},
    {"A", "of an attacker's", 1},
    {"P", "of a panzer's", 1},
    {"U", "of a cannon's", 1},
    {"R", "of an antiair's", 1},
    {"I", "of an infantry's", 1},
    {"threat", "of HP that may be lost in the enemy's next turn (threat evaluation)", 1},
    {0},
};

/* ---- evaluations ---- */

static double side_worth(const void *state, int side, const double *weights) {
    const struct tbs_core *c = core_of(state);
    const uint8_t *hp = core_path(c->scenario)->hp_of(state, side);
    double sum = 0;
    for (uint64_t left = c->alive[side]; left != 0; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        sum += weights[c->scenario->type[side][slot]] * hp[slot];
    }
    return sum;
}

static double linear_value(const void *state, int side, const double *weights) {
    return side_worth(state, side, weights) - side_worth(state, side ^ 1, weights);
}

/* The highest value that one enemy's attack takes from the exposed units. The victim's HP are reduced, so
 * that the next enemy finds it weaker. */
static double worst_attack(const void *state, int enemy_id, const bool *exposed, struct tbs_position *p,
                           const double *weights) {
    action list[TBS_UNIT_ACTIONS_MAX];
    int attacks, victim = -1, worst_loss = 0;
    double worst = 0;
    tbs_unit_actions(state, enemy_id, TBS_ATTACKS_POWER, list, &attacks);
    const struct tbs_unit *u = &p->units[enemy_id];
    for (int i = 0; i < attacks; i++) {
        const int target = tbs_action_target(list[i]);
        const struct tbs_unit *t = &p->units[target];
        if (!exposed[target] || t->hp == 0)
            continue;
        const int stars = tbs_stars(t->type, tbs_map_of(state)->terrain[t->x][t->y]);
        const int loss = tbs_fight(tbs_rules_of(state), (struct tbs_fighter){u->type, u->hp, 0},
                                   (struct tbs_fighter){t->type, t->hp, stars})
                             .damage;
        if (loss * weights[t->type] > worst) {
            worst = loss * weights[t->type];
            worst_loss = loss;
            victim = target;
        }
    }
    if (victim >= 0)
        p->units[victim].hp = (uint8_t)(p->units[victim].hp - worst_loss);
    return worst;
}

/* Exposed are the units that cannot get out of the way any more: between turns all units of the side that has
 * just played, within a turn the mover's units that have acted. */
static double threat_value(const void *state, int side, const double *weights) {
    const struct tbs_core *c = core_of(state);
    const double linear = linear_value(state, side, weights);
    if (c->result != TBS_RUNNING)
        return linear;
    struct tbs_position p;
    bool exposed[TBS_UNITS_MAX];
    tbs_position_of(state, &p);
    const bool within = c->ready[c->side] != c->alive[c->side];
    const int exposed_side = within ? p.side : p.side ^ 1;
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        exposed[id] = u->hp > 0 && u->side == exposed_side && (u->done || !within);
    }
    double loss = 0;
    for (int id = 0; id < p.unit_count; id++)
        if (p.units[id].hp > 0 && p.units[id].side != exposed_side)
            loss += worst_attack(state, id, exposed, &p, weights);
    loss *= weights[WEIGHT_THREAT];
    return exposed_side == side ? linear - loss : linear + loss;
}

const struct eval core_evals[] = {
    {"linear", "own HP less enemy HP, each unit's weighted by its type", linear_value},
    {"threat", "linear, less what units that have acted can lose in the enemy's next turn", threat_value},
    {0},
};

/* ---- priors ---- */

static bool is_attack(action a) {
    return tbs_is_unit_action(a) && tbs_action_target(a) != TBS_NO_TARGET;
}

static void score_attacks(const void *state, const action *list, int count, float *out) {
    (void)state;
    for (int i = 0; i < count; i++)
        out[i] = is_attack(list[i]) ? 1 : 0;
}

/* An attack's damage counts twice its counter's, and a kill counts more: it also prevents the victim's future
 * damage. */
static float attack_score(const void *state, action a) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_scenario *sc = c->scenario;
    const struct tbs_path_table *path = core_path(sc);
    const int slot = sc->slot_of[tbs_action_unit(a)], target = sc->slot_of[tbs_action_target(a)];
    const int side = c->side, type = sc->type[side][slot], target_type = sc->type[side ^ 1][target];
    const struct core_place at = path->place_of(state, side ^ 1, target);
    const int stand = sc->map.terrain[tbs_action_x(a)][tbs_action_y(a)];
    const struct tbs_exchange x = core_fight(
        sc, (struct tbs_fighter){type, path->hp_of(state, side)[slot], tbs_stars(type, stand)},
        (struct tbs_fighter){target_type, at.hp, tbs_stars(target_type, sc->map.terrain[at.x][at.y])});
    return (float)(1 + 2 * x.damage - x.counter + (x.damage == at.hp ? 10 : 0));
}

static void score_damage(const void *state, const action *list, int count, float *out) {
    for (int i = 0; i < count; i++)
        out[i] = is_attack(list[i]) ? attack_score(state, list[i]) : 0;
}

const struct prior core_priors[] = {
    {"attacks", "attacks before moves", score_attacks},
    {"damage", "attacks by the damage they do and suffer, kills first; then moves", score_damage},
    {0},
};

/* ---- shorter lists ---- */

static int list_attacks(const void *state, action *out) {
    const struct tbs_core *c = core_of(state);
    int count = 0, attacks;
    if (c->result != TBS_RUNNING)
        return 0;
    for (uint64_t left = c->ready[c->side]; left != 0; left = bits_without_first(left)) {
        core_path(c->scenario)
            ->slot_actions(state, c->side, bits_first(left), TBS_ATTACKS_POWER, out + count, &attacks);
        count += attacks;
    }
    if (count == 0)
        out[count++] = TBS_PASS;
    return count;
}

/* The actions of the ready unit with the most HP (the first of equals): a fixed order, because units that
 * have not acted keep their HP while their own side moves. With `only_attacks` it stays if it has none. */
static int list_first(const void *state, bool only_attacks, action *out) {
    const struct tbs_core *c = core_of(state);
    if (c->result != TBS_RUNNING)
        return 0;
    const uint8_t *hp = core_path(c->scenario)->hp_of(state, c->side);
    int best = bits_first(c->ready[c->side]);
    for (uint64_t left = c->ready[c->side]; left != 0; left = bits_without_first(left))
        if (hp[bits_first(left)] > hp[best])
            best = bits_first(left);
    int attacks;
    const int count =
        core_path(c->scenario)->slot_actions(state, c->side, best, TBS_ATTACKS_POWER, out, &attacks);
    if (!only_attacks || attacks > 0)
        return only_attacks ? attacks : count;
    const struct core_place here = core_path(c->scenario)->place_of(state, c->side, best);
    out[0] = tbs_action(c->scenario->id[c->side][best], here.x, here.y, TBS_NO_TARGET);
    return 1;
}

static int list_fixed(const void *state, action *out) {
    return list_first(state, false, out);
}

static int list_fixed_attacks(const void *state, action *out) {
    return list_first(state, true, out);
}

const struct action_list core_lists[] = {
    {"all", "every action", core_actions},
    {"attacks", "attacks only; when there is none the turn ends", list_attacks},
    {"fixed", "units in one order, most HP first", list_fixed},
    {"fixed-attacks", "both: in one order, attacks only, units that have none stay", list_fixed_attacks},
    {0},
};

/* ---- bounds ---- */

/* HP that a side cannot lose: of the units against which no living enemy has power (without power the formula
 * gives no damage, and enemies only become fewer). */
static int safe_hp(const void *state, int side) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_scenario *sc = c->scenario;
    bool air_in_danger = false, ground_in_danger = false;
    for (uint64_t left = c->alive[side ^ 1]; left != 0; left = bits_without_first(left)) {
        const int enemy = sc->type[side ^ 1][bits_first(left)];
        air_in_danger |= sc->hits_air[enemy];
        ground_in_danger |= sc->hits_ground[enemy];
    }
    if (air_in_danger && ground_in_danger)
        return 0;
    const uint8_t *hp = core_path(sc)->hp_of(state, side);
    int sum = 0;
    for (uint64_t left = c->alive[side]; left != 0; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        sum += (tbs_is_air(sc->type[side][slot]) ? air_in_danger : ground_in_danger) ? 0 : hp[slot];
    }
    return sum;
}

/* The most HP that one turn of a side can cost the other, if only the `acting` units attack: no attack does
 * more damage than the formula gives against a unit without stars. */
static int most_damage(const void *state, int side, uint64_t acting) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_scenario *sc = c->scenario;
    const uint8_t *hp = core_path(sc)->hp_of(state, side);
    unsigned types = 0;
    for (uint64_t left = c->alive[side ^ 1]; left != 0; left = bits_without_first(left))
        types |= 1U << sc->type[side ^ 1][bits_first(left)];
    int sum = 0;
    for (uint64_t left = acting; left != 0; left = bits_without_first(left)) {
        const uint8_t *power = sc->rules->power[sc->type[side][bits_first(left)]];
        int most = 0;
        for (int type = 0; type < TBS_TYPES; type++)
            if ((types >> type & 1) != 0 && power[type] > most)
                most = power[type];
        sum += (most * hp[bits_first(left)] + 70) / 100;
    }
    return sum;
}

/* HP that a side still has at the limit if its units only stay: then it is hurt only in the enemy's turns. */
static int lasting_hp(const void *state, int side) {
    const struct tbs_core *c = core_of(state);
    const int enemy = side ^ 1, turns = c->scenario->map.turn_limit - c->turn;
    const int whole_turns = (turns - (c->side == enemy)) / 2; /* enemy turns that are still to begin */
    const int loss = whole_turns * most_damage(state, enemy, c->alive[enemy]) +
                     (c->side == enemy ? most_damage(state, enemy, c->ready[enemy]) : 0);
    return c->hp_sum[side] > loss ? c->hp_sum[side] - loss : 0;
}

/* The least payoff of a side that keeps its safe HP (they are never lost in any play), or, with `stays`, at
 * least those that it has at the limit if its units only stay. The enemy never gains HP. */
static double least_payoff(const void *state, int side, bool stays) {
    const struct tbs_core *c = core_of(state);
    const int needed = core_needed_lead(c->scenario), safe = safe_hp(state, side);
    const int lasting = stays ? lasting_hp(state, side) : 0, kept = safe > lasting ? safe : lasting;
    if (kept == 0)
        return 0;
    return kept - c->hp_sum[side ^ 1] >= needed ? 1 : c->hp_sum[side ^ 1] - kept < needed ? 0.5 : 0;
}

static void find_bounds(const void *state, bool stays, double *low, double *high) {
    const bool over = core_of(state)->result != TBS_RUNNING;
    *low = over ? core_payoff(state, TBS_RED) : least_payoff(state, TBS_RED, stays);
    *high = over ? *low : 1 - least_payoff(state, TBS_BLUE, stays);
}

void core_secured(const void *state, double *low, double *high) {
    find_bounds(state, true, low, high);
}

void core_bounds(const void *state, double *low, double *high) {
    find_bounds(state, false, low, high);
}

struct turn_progress core_progress(const void *state) {
    const struct tbs_core *c = core_of(state);
    const uint64_t ready = c->ready[c->side], alive = c->alive[c->side];
    return c->result != TBS_RUNNING ? (struct turn_progress){0, 0}
                                    : (struct turn_progress){bits_count(alive & ~ready), bits_count(ready)};
}
