/* SPDX-License-Identifier: MIT
 *
 * `acteval`: the platform's style against its definition written a second time, the paper's on positions made
 * by hand.
 */
#include "player_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static action legal[TBS_UNIT_ACTIONS_MAX];

/* ---- the platform's sample ---- */

/* Its definition, once more, with nothing but the public functions of the tactical game. */
struct sample {
    const void *state;
    const struct tbs_map *map;
    const struct tbs_rules *rules;
    struct tbs_position p;
};

static int sample_threat(const struct sample *s, int enemy) {
    static action list[TBS_UNIT_ACTIONS_MAX];
    int attacks, most = 0;
    tbs_unit_actions(s->state, enemy, TBS_ATTACKS_ALL, list, &attacks);
    for (int i = 0; i < attacks; i++) {
        const int damage = tbs_preview(s->state, list[i]).damage;
        if (s->p.units[tbs_action_target(list[i])].done && damage > most)
            most = damage;
    }
    return most;
}

static bool is_ready(const struct sample *s, int id) {
    return s->p.units[id].hp > 0 && s->p.units[id].side == s->p.side && !s->p.units[id].done;
}

/* The best attack's value, or -20 when none exceeds it. */
static int sample_attack(const struct sample *s, action *chosen) {
    static action list[TBS_UNIT_ACTIONS_MAX];
    int best = -20;
    for (int id = 0; id < s->p.unit_count; id++) {
        int attacks = 0;
        if (is_ready(s, id))
            tbs_unit_actions(s->state, id, TBS_ATTACKS_ALL, list, &attacks);
        for (int i = 0; i < attacks; i++) {
            const struct tbs_exchange x = tbs_preview(s->state, list[i]);
            const int threat = sample_threat(s, tbs_action_target(list[i]));
            const int value = x.damage * (10 + threat) - x.counter * (10 + s->p.units[id].hp);
            if (x.damage > 0 && value > best) {
                best = value;
                *chosen = list[i];
            }
        }
    }
    return best;
}

static int sample_cell(const struct sample *s, int unit, int x, int y) {
    const struct tbs_unit *u = &s->p.units[unit];
    const bool air = u->type == TBS_FIGHTER || u->type == TBS_ATTACKER;
    const int cover = air ? 0 : 5 * tbs_terrain_types[s->map->terrain[x][y]].stars;
    int best = 0;
    for (int id = 0; id < s->p.unit_count; id++) {
        const struct tbs_unit *t = &s->p.units[id];
        const int value = cover + s->rules->power[u->type][t->type] / (abs(t->x - x) + abs(t->y - y) + 5);
        if (t->hp > 0 && t->side != u->side && value > best)
            best = value;
    }
    return best;
}

static int sample_move(const struct sample *s, struct rng *r, action *chosen) {
    static action list[TBS_UNIT_ACTIONS_MAX];
    int ready[TBS_UNITS_MAX], count = 0, attacks, best = -1;
    for (int id = 0; id < s->p.unit_count; id++)
        if (is_ready(s, id))
            ready[count++] = id;
    const int unit = ready[rng_below(r, (uint32_t)count)];
    const int total = tbs_unit_actions(s->state, unit, TBS_ATTACKS_ALL, list, &attacks);
    for (int i = attacks; i < total; i++) {
        const int value = sample_cell(s, unit, tbs_action_x(list[i]), tbs_action_y(list[i]));
        if (value > best) {
            best = value;
            *chosen = list[i];
        }
    }
    return best;
}

/* Counts of branches, to check that every branch was compared. */
struct seen {
    int attacks, moves, refused, threatened;
};

static void compare_sample(struct player *player, const struct position *p, uint64_t seed,
                           struct seen *seen) {
    struct sample s = {p->state, tbs_map_of(p->state), tbs_rules_of(p->state), {0}};
    tbs_position_of(p->state, &s.p);
    struct rng expected_rng, left;
    action expected = 0;
    rng_seed(&expected_rng, seed);
    int value = sample_attack(&s, &expected);
    const bool attacks = value > -20;
    seen->attacks += attacks;
    seen->threatened += attacks && sample_threat(&s, tbs_action_target(expected)) > 0;
    if (!attacks) {
        int listed;
        for (int id = 0; id < s.p.unit_count; id++)
            if (is_ready(&s, id) && tbs_unit_actions(p->state, id, TBS_ATTACKS_DAMAGE, legal, &listed) > 0)
                seen->refused += listed > 0;
        value = sample_move(&s, &expected_rng, &expected);
        seen->moves++;
    }
    const struct answer answer = ask_player(player, p, seed, &left);
    assert_int_equal(answer.chosen, expected);
    assert_true(fabs(answer.value - value) < 1e-9);
    assert_memory_equal(&left, &expected_rng, sizeof left); /* the one draw is the only one */
}

static void sample_style_is_the_platforms(void **state) {
    (void)state;
    struct seen seen = {0};
    struct player *players[2] = {open_player("acteval:style=sample", &tbs_game),
                                 open_player("acteval:style=sample", &tbs_wide_game)};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        struct rng r;
        struct tbs_map map;
        struct position p;
        rng_seed_stream(&r, 7, seed);
        draw_map(&r, &map);
        const int wide = (int)(seed % 2);
        struct scenario *scenario = make_scenario(&map, wide ? TBS_PATH_WIDE : TBS_PATH_SMALL);
        if (walk(&p, scenario, (int)rng_below(&r, 25), &r))
            compare_sample(players[wide], &p, seed, &seen);
        game_unload(scenario);
    }
    player_close(players[0]);
    player_close(players[1]);
    assert_true(seen.attacks >= 100 && seen.moves >= 100 && seen.refused >= 5 && seen.threatened >= 20);
}

/* ---- positions made by hand ---- */

#define PLAIN5                                                                                               \
    "MAP[0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];"        \
    "MAP[0,6,1,1,1,1,0];MAP[0,0,0,0,0,0,0];"
#define HEAD "SIZEX[7];SIZEY[7];TURNLIMIT[9];HPTHRESHOLD[0];"

/* Asks a player for many seeds; returns how many different actions it chose, the first in *out. */
static int choices_of(const char *spec, const char *map, struct answer *out, action *others) {
    struct position p;
    struct scenario *scenario = load_position(map, &p);
    struct player *player = open_player(spec, &tbs_game);
    int count = 0;
    for (uint64_t seed = 0; seed < 64; seed++) {
        const struct answer answer = ask_player(player, &p, seed, NULL);
        int at = 0;
        while (at < count && others[at] != answer.chosen)
            at++;
        if (at == count)
            others[count++] = answer.chosen;
        if (seed == 0)
            *out = answer;
        assert_true(fabs(answer.value - out->value) < 1e-12); /* only equal actions are drawn at random */
    }
    player_close(player);
    game_unload(scenario);
    return count;
}

/* The platform requires more than -20: 4 damage for 4 at 5 HP is exactly that, 2 for 3 at 3 HP is one more.
 */
static void sample_attacks_above_minus_twenty(void **state) {
    (void)state;
    struct answer answer;
    action others[64];
    choices_of("acteval:style=sample",
               HEAD "UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,1,attacker,0,5,0];UNIT[1,3,antiair,1,10,0];" PLAIN5,
               &answer, others);
    assert_int_equal(tbs_action_target(answer.chosen), TBS_NO_TARGET);
    choices_of("acteval:style=sample",
               HEAD "UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,1,panzer,0,3,0];UNIT[1,3,panzer,1,10,0];" PLAIN5,
               &answer, others);
    assert_int_equal(tbs_action_target(answer.chosen), 1);
    assert_true(fabs(answer.value + 19) < 1e-9);
}

/* A panzer hits the infantry, from any of three cells, rather than going to the fortress beside it. */
static void paper_prefers_a_gain_to_a_move(void **state) {
    (void)state;
    struct answer answer;
    action others[64];
    const char *map =
        HEAD "UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,4,panzer,0,10,0];UNIT[1,3,infantry,1,10,0];" PLAIN5;
    assert_int_equal(choices_of("acteval", map, &answer, others), 3);
    assert_int_equal(tbs_action_target(answer.chosen), 1);
    /* (75*10+70)/(100+10) = 7 damage at half a point, the counter (5*3+70)/110 = 0; 0.5 for being near and
     * 0.05 for the plain's star. */
    assert_true(fabs(answer.value - (7 * 0.5 + 0.5 + 0.05)) < 1e-12);
}

/* An infantry that would lose six HP for one stays away from attacking, and takes the fortress. */
static void paper_avoids_a_loss(void **state) {
    (void)state;
    struct answer answer;
    action others[64];
    const char *map =
        HEAD "UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,4,infantry,0,10,0];UNIT[2,4,panzer,1,10,0];" PLAIN5;
    assert_int_equal(choices_of("acteval", map, &answer, others), 1);
    assert_int_equal(answer.chosen, tbs_action(0, 1, 5, TBS_NO_TARGET));
    assert_true(fabs(answer.value - (0.5 * (5 / 115.0 / 3 * 2) + 4 * 0.05)) < 1e-12);
    /* With a value of 0 for its infantry the player attacks. */
    assert_true(choices_of("acteval:infantry=0", map, &answer, others) >= 1);
    assert_int_equal(tbs_action_target(answer.chosen), 1);
}

/* Piece values decide between targets: 8 HP of an infantry at a half each, or 6 of a panzer at one each. */
static void paper_weighs_by_value(void **state) {
    (void)state;
    struct answer answer;
    action others[64];
    const char *map = HEAD "UNITNUMRED[1];UNITNUMBLUE[2];UNIT[1,1,cannon,0,10,0];UNIT[1,3,panzer,1,10,0];"
                           "UNIT[3,1,infantry,1,10,0];" PLAIN5;
    assert_int_equal(choices_of("acteval", map, &answer, others), 1);
    assert_int_equal(answer.chosen, tbs_action(0, 1, 1, 1));
    assert_int_equal(choices_of("acteval:infantry=1", map, &answer, others), 1);
    assert_int_equal(answer.chosen, tbs_action(0, 1, 1, 2));
}

/* Nothing in reach: the unit approaches the enemy; ties between cells are broken at random. */
static void paper_approaches(void **state) {
    (void)state;
    struct answer answer;
    action others[64];
    const char *map =
        HEAD "UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,1,infantry,0,10,0];UNIT[5,5,infantry,1,10,0];" PLAIN5;
    assert_int_equal(choices_of("acteval", map, &answer, others), 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(tbs_action_x(others[i]) + tbs_action_y(others[i]), 5); /* three steps from 1,1 */
    assert_int_equal(choices_of("acteval:approach=0,cover=0", map, &answer, others),
                     10); /* every cell is equal */
}

/* ---- other games ---- */

static void acteval_refuses_other_games(void **state) {
    (void)state;
    const struct game dummy = {.name = "pebbles", .state_size = 8, .actions_max = 4};
    struct err e = {0};
    assert_null(player_open("acteval", &dummy, &e));
    assert_string_equal(e.text, "acteval plays only the tactical game, not pebbles");
    assert_null(player_open("acteval:style=sample", &dummy, &e));
    player_close(open_player("random", &dummy));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample_style_is_the_platforms),  cmocka_unit_test(sample_attacks_above_minus_twenty),
        cmocka_unit_test(paper_prefers_a_gain_to_a_move), cmocka_unit_test(paper_avoids_a_loss),
        cmocka_unit_test(paper_weighs_by_value),          cmocka_unit_test(paper_approaches),
        cmocka_unit_test(acteval_refuses_other_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
