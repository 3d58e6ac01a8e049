/* SPDX-License-Identifier: MIT */
#include "game/tbs/rules.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

const struct tbs_unit_type tbs_unit_types[TBS_TYPES] = {
    /*                name        mark move direct class */
    [TBS_FIGHTER] = {"fighter", 'F', 9, true, TBS_AIR},
    [TBS_ATTACKER] = {"attacker", 'A', 7, true, TBS_AIR},
    [TBS_PANZER] = {"panzer", 'P', 6, true, TBS_VEHICLE},
    [TBS_CANNON] = {"cannon", 'U', 5, false, TBS_VEHICLE},
    [TBS_ANTIAIR] = {"antiair", 'R', 6, true, TBS_VEHICLE},
    [TBS_INFANTRY] = {"infantry", 'I', 3, true, TBS_FOOT},
};

#define NO TBS_IMPASSABLE
const struct tbs_terrain_type tbs_terrain_types[TBS_TERRAINS] = {
    /*                  name        mark stars  air vehicle foot */
    [TBS_NO_ENTRY] = {"no-entry", '#', 0, {NO, NO, NO}},
    [TBS_PLAIN] = {"plain", '.', 1, {1, 1, 1}},
    [TBS_SEA] = {"sea", '~', 0, {1, NO, NO}},
    [TBS_WOOD] = {"wood", '*', 3, {1, 2, 1}},
    [TBS_MOUNTAIN] = {"mountain", '^', 4, {1, NO, 2}},
    [TBS_ROAD] = {"road", '=', 0, {1, 1, 1}},
    [TBS_FORTRESS] = {"fortress", '@', 4, {1, 1, 1}},
};
#undef NO

/* ORDER TYPES: rows attack, columns defend, both F A P U R I. */
#define POWER(antiair_on_infantry)                                                                           \
    {                                                                                                        \
        {55, 65, 0, 0, 0, 0}, {0, 0, 105, 105, 85, 115}, {0, 0, 55, 70, 75, 75}, {0, 0, 60, 75, 65, 90},     \
            {70, 70, 15, 50, 45, antiair_on_infantry}, {                                                     \
            0, 0, 5, 10, 3, 55                                                                               \
        }                                                                                                    \
    }

const struct tbs_rules tbs_rule_sets[] = {
    {"tubstap", "as the TUBSTAP platform, version 1.08, plays", POWER(105), false},
    {"paper",
     "as Sato, Fujiki and Ikeda print them: antiair on infantry 115, a lead equal to the threshold wins",
     POWER(115), true},
    {0},
};

const char *const tbs_side_names[TBS_SIDES] = {"red", "blue"};

int tbs_type_find(const char *name) {
    int type = 0;
    while (type < TBS_TYPES && strcmp(tbs_unit_types[type].name, name) != 0)
        type++;
    return type;
}

int tbs_stars(int type, int terrain) {
    return tbs_is_air(type) ? 0 : tbs_terrain_types[terrain].stars;
}

static int strike(const struct tbs_rules *rules, struct tbs_fighter attacker, struct tbs_fighter defender) {
    int damage = (rules->power[attacker.type][defender.type] * attacker.hp + 70) /
                 (100 + defender.stars * defender.hp);
    return damage < defender.hp ? damage : defender.hp;
}

struct tbs_exchange tbs_fight(const struct tbs_rules *rules, struct tbs_fighter attacker,
                              struct tbs_fighter defender) {
    assert(attacker.hp > 0);
    assert(defender.hp > 0);
    struct tbs_exchange x = {.damage = strike(rules, attacker, defender)};
    defender.hp -= x.damage;
    bool both_direct = tbs_unit_types[attacker.type].direct && tbs_unit_types[defender.type].direct;
    if (defender.hp > 0 && both_direct)
        x.counter =
            strike(rules, defender, attacker); /* the attacker's own loss comes last: it is undamaged here */
    return x;
}

const struct tbs_rules *tbs_read_rules(const char *name, struct err *e) {
    struct text known = {0};
    const struct tbs_rules *found = NULL;
    for (const struct tbs_rules *r = tbs_rule_sets; r->name != NULL; r++) {
        if (strcmp(r->name, name) == 0)
            found = r;
        text_add(&known, "%s%s", r == tbs_rule_sets ? "" : ", ", r->name);
    }
    if (found == NULL)
        err_set(e, "rule set '%.64s' is unknown; known are %s", name, text_string(&known));
    text_done(&known);
    return found;
}
