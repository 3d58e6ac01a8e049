/* SPDX-License-Identifier: MIT
 *
 * `acteval`: no search. Every available action gets a score and the best is played, until the turn is over.
 *
 * style=paper follows Sato, Fujiki and Ikeda, section 4.2: an attack is worth the damage it deals less the
 * damage of the counter-attack, each weighted by piece value; a move is worth the cover at its end and how
 * close it brings the unit to enemies it can hurt. Moves are always worth less than one point of damage, so
 * an attack that gains is preferred to a move, and a move to an attack that loses. Ties are broken at random.
 *
 * style=sample is the platform's Sample_MaxActEval, reproduced exactly.
 *
 * The position is read once for a decision, into the player: scoring thousands of actions must not decode the
 * state each time.
 */
#include "game/tbs/tbs.h"
#include "player/player.h"

#include <stdlib.h>

enum { STYLE_PAPER, STYLE_SAMPLE };

struct options {
    int style;
    double value[TBS_TYPES], cover, approach;
};

#define AT(field) offsetof(struct options, field)

static const struct param params[] = {
    {"style", PARAM_CHOICE, AT(style), .choices = "paper|sample",
     .help = "the paper's scoring, or the platform's Sample_MaxActEval (which ignores the options below)"},
    {"fighter", PARAM_REAL, AT(value[TBS_FIGHTER]), 0, 100, 1.0, .help = "value of a fighter's HP"},
    {"attacker", PARAM_REAL, AT(value[TBS_ATTACKER]), 0, 100, 1.0, .help = "of an attacker's"},
    {"panzer", PARAM_REAL, AT(value[TBS_PANZER]), 0, 100, 1.0, .help = "of a panzer's"},
    {"cannon", PARAM_REAL, AT(value[TBS_CANNON]), 0, 100, 1.0, .help = "of a cannon's"},
    {"antiair", PARAM_REAL, AT(value[TBS_ANTIAIR]), 0, 100, 1.0, .help = "of an antiair's"},
    {"infantry", PARAM_REAL, AT(value[TBS_INFANTRY]), 0, 100, 0.5, .help = "of an infantry's"},
    {"cover", PARAM_REAL, AT(cover), 0, 1, 0.05, .help = "worth of one defence star at the end of a move"},
    {"approach", PARAM_REAL, AT(approach), 0, 1, 0.5, .help = "worth of being near an enemy it can hurt"},
    {0},
};

struct acteval {
    struct player player; /* first member */
    struct options options;
    const struct tbs_map *map;
    const struct tbs_rules *rules;
    struct tbs_position position; /* of the current decision */
    int threat[TBS_UNITS_MAX];
    action actions[TBS_UNIT_ACTIONS_MAX];
};

/* The unit's defence where the action ends. */
static int stars_of(const struct acteval *p, action a) {
    const int terrain = p->map->terrain[tbs_action_x(a)][tbs_action_y(a)];
    return tbs_stars(p->position.units[tbs_action_unit(a)].type, terrain);
}

/* The unit's fight from a stand cell, in the current position. */
static struct tbs_exchange exchange(const struct acteval *p, action a) {
    const struct tbs_unit *u = &p->position.units[tbs_action_unit(a)],
                          *t = &p->position.units[tbs_action_target(a)];
    return tbs_fight(p->rules, (struct tbs_fighter){u->type, u->hp, stars_of(p, a)},
                     (struct tbs_fighter){t->type, t->hp, tbs_stars(t->type, p->map->terrain[t->x][t->y])});
}

static int distance(const struct tbs_unit *enemy, action a) {
    return abs(enemy->x - tbs_action_x(a)) + abs(enemy->y - tbs_action_y(a));
}

/* Dead units keep their place in the list, with no HP. */
static bool is_enemy(const struct acteval *p, int id) {
    const struct tbs_unit *u = &p->position.units[id];
    return u->hp > 0 && u->side != p->position.side;
}

/* ---- the paper's style ---- */

/* 1 beside the enemy it can hurt most, falling towards 0 with the distance. */
static double closeness(const struct acteval *p, action a) {
    const struct tbs_unit *u = &p->position.units[tbs_action_unit(a)];
    double best = 0;
    for (int id = 0; id < p->position.unit_count; id++) {
        if (!is_enemy(p, id))
            continue;
        const struct tbs_unit *t = &p->position.units[id];
        const double near = p->rules->power[u->type][t->type] / 115.0 / (distance(t, a) + 1) * 2;
        if (near > best)
            best = near;
    }
    return best > 1 ? 1 : best;
}

/* In weighted HP; attacks are raised by `approach`, the most that any move can reach. */
static double score_paper(const struct acteval *p, action a) {
    const struct options *o = &p->options;
    const struct tbs_unit *units = p->position.units;
    const double cover = o->cover * stars_of(p, a);
    if (tbs_action_target(a) == TBS_NO_TARGET)
        return o->approach * closeness(p, a) + cover;
    const struct tbs_exchange x = exchange(p, a);
    return o->value[units[tbs_action_target(a)].type] * x.damage -
           o->value[units[tbs_action_unit(a)].type] * x.counter + o->approach + cover;
}

/* One pass with reservoir sampling among equals, so that no list of all actions is needed. */
static void choose_paper(struct acteval *p, const struct ask *ask, struct answer *out) {
    uint32_t equals = 0;
    for (int id = 0; id < p->position.unit_count; id++) {
        int attacks;
        const int count = tbs_can_act(&p->position, id)
                              ? tbs_unit_actions(ask->view, id, TBS_ATTACKS_POWER, p->actions, &attacks)
                              : 0;
        for (int i = 0; i < count; i++) {
            const double score = score_paper(p, p->actions[i]);
            if (equals > 0 && score < out->value)
                continue;
            equals = equals > 0 && !(score > out->value) ? equals + 1 : 1;
            if (equals == 1 || rng_below(ask->rng, equals) == 0) {
                out->chosen = p->actions[i];
                out->value = score;
            }
        }
        out->work_done += (uint64_t)count;
    }
}

/* ---- the platform's sample ---- */

/* For each enemy the most damage it can do now to one of our units that have acted. */
static void find_threats(struct acteval *p, const struct ask *ask) {
    for (int id = 0; id < p->position.unit_count; id++) {
        p->threat[id] = 0;
        if (!is_enemy(p, id))
            continue;
        int attacks;
        tbs_unit_actions(ask->view, id, TBS_ATTACKS_ALL, p->actions, &attacks);
        for (int i = 0; i < attacks; i++) {
            const int damage = exchange(p, p->actions[i]).damage;
            if (p->position.units[tbs_action_target(p->actions[i])].done && damage > p->threat[id])
                p->threat[id] = damage;
        }
    }
}

/* Units in the order of ids and the first of equals, as on the platform. */
static bool choose_sample_attack(struct acteval *p, const struct ask *ask, struct answer *out) {
    int best = -20; /* the platform's least acceptable value: it must be exceeded */
    for (int id = 0; id < p->position.unit_count; id++) {
        int attacks = 0;
        if (tbs_can_act(&p->position, id))
            tbs_unit_actions(ask->view, id, TBS_ATTACKS_DAMAGE, p->actions, &attacks);
        for (int i = 0; i < attacks; i++) {
            const struct tbs_exchange x = exchange(p, p->actions[i]);
            const int value = x.damage * (10 + p->threat[tbs_action_target(p->actions[i])]) -
                              x.counter * (10 + p->position.units[id].hp);
            if (value > best) {
                best = value;
                out->chosen = p->actions[i];
            }
        }
        out->work_done += (uint64_t)attacks;
    }
    out->value = best;
    return best > -20;
}

/* Integer arithmetic as in the original, rounding included. */
static int score_sample_move(const struct acteval *p, action a) {
    const struct tbs_unit *u = &p->position.units[tbs_action_unit(a)];
    int best = 0;
    for (int id = 0; id < p->position.unit_count; id++) {
        if (!is_enemy(p, id))
            continue;
        const struct tbs_unit *t = &p->position.units[id];
        const int value = 5 * stars_of(p, a) + p->rules->power[u->type][t->type] / (distance(t, a) + 5);
        if (value > best)
            best = value;
    }
    return best;
}

/* The unit is drawn, its move is not: the first of equal scores. */
static void choose_sample_move(struct acteval *p, const struct ask *ask, struct answer *out) {
    int ready[TBS_UNITS_MAX], count = 0;
    for (int id = 0; id < p->position.unit_count; id++)
        if (tbs_can_act(&p->position, id))
            ready[count++] = id;
    const int unit = ready[rng_below(ask->rng, (uint32_t)count)];
    int attacks;
    const int total = tbs_unit_actions(ask->view, unit, TBS_ATTACKS_ALL, p->actions, &attacks);
    int best = -1;
    for (int i = attacks; i < total; i++) {
        const int score = score_sample_move(p, p->actions[i]);
        if (score > best) {
            best = score;
            out->chosen = p->actions[i];
        }
    }
    out->value = best;
    out->work_done += (uint64_t)(total - attacks);
}

/* Map and rules are those of the view's scenario: a player may be asked about several maps. */
static void choose_acteval(struct player *player, const struct ask *ask, struct answer *out) {
    struct acteval *p = (struct acteval *)player;
    p->map = tbs_map_of(ask->view);
    p->rules = tbs_rules_of(ask->view);
    tbs_position_of(ask->view, &p->position);
    if (p->options.style == STYLE_PAPER) {
        choose_paper(p, ask, out);
        return;
    }
    find_threats(p, ask);
    if (!choose_sample_attack(p, ask, out))
        choose_sample_move(p, ask, out);
}

const struct player_type player_acteval = {
    .name = "acteval",
    .help = "no search: scores each action by damage, cover and approach and plays the best (tactical game)",
    .games = PLAYER_TBS,
    .size = sizeof(struct acteval),
    .params = params,
    .options_size = sizeof(struct options),
    .choose = choose_acteval,
};
