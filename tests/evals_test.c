/* SPDX-License-Identifier: MIT
 *
 * What searches may use of the tactical game: evaluations, action scores, shorter lists, bounds and progress,
 * each compared with its definition on the plain model of the game; and the weights that tune them.
 */
#include "game/game.h"
#include "player_support.h"
#include "tbs_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { ACTIONS_MAX = 1 << 15, POSITIONS = 400, THREAT = TBS_TYPES };

static action listed[ACTIONS_MAX], expected[ACTIONS_MAX];
static float scores[ACTIONS_MAX];

/* The same position on both tables and on the plain model. */
struct views {
    struct scenario *scenarios[2];
    struct position p[2];
    struct naive naive;
};

static bool draw_views(struct views *v, uint64_t seed, bool few_units) {
    static struct tbs_map map;
    struct rng r, again;
    rng_seed(&r, seed);
    struct shape shape = random_small_shape(&r);
    if (few_units)
        shape.units[TBS_RED] = shape.units[TBS_BLUE] = 1 + (int)rng_below(&r, 2);
    while (shape.cells_x * shape.cells_y < shape.units[0] + shape.units[1])
        shape.cells_x = shape.cells_y = 8;
    random_map(&shape, &r, &map);
    const int steps = (int)rng_below(&r, 25);
    again = r;
    v->scenarios[0] = make_scenario(&map, TBS_PATH_SMALL);
    v->scenarios[1] = make_scenario(&map, TBS_PATH_WIDE);
    const bool running = walk(&v->p[0], v->scenarios[0], steps, &r);
    assert_true(walk(&v->p[1], v->scenarios[1], steps, &again) == running);
    v->naive = (struct naive){tbs_map_of(v->p[0].state), tbs_rules_of(v->p[0].state), {0}};
    tbs_position_of(v->p[0].state, &v->naive.p);
    return running;
}

static void drop_views(struct views *v) {
    for (int i = 0; i < 2; i++)
        game_unload(v->scenarios[i]);
}

/* Multiples of 1/8: sums of products with HP are exact in any order. */
static void draw_weights(struct rng *r, double *out) {
    for (int i = 0; i < GAME_WEIGHTS_MAX; i++)
        out[i] = rng_below(r, 80) / 8.0;
}

static bool same(double a, double b) {
    return !(a < b) && !(a > b);
}

/* ---- evaluations ---- */

static double naive_linear(const struct naive *n, int side, const double *weights) {
    double sum = 0;
    for (int id = 0; id < n->p.unit_count; id++) {
        const struct tbs_unit *u = &n->p.units[id];
        sum += (u->side == side ? 1 : -1) * weights[u->type] * u->hp;
    }
    return sum;
}

static bool naive_is_alive(const struct naive *n, int id, int side) {
    return n->p.units[id].hp > 0 && n->p.units[id].side == side;
}

/* The threatened side, and which of its units cannot act any more before the enemy does. */
static int naive_exposed(const struct naive *n, bool *exposed) {
    int done = 0;
    for (int id = 0; id < n->p.unit_count; id++)
        done += naive_is_alive(n, id, n->p.side) && n->p.units[id].done;
    const int side = done > 0 ? n->p.side : 1 - n->p.side;
    for (int id = 0; id < n->p.unit_count; id++)
        exposed[id] = naive_is_alive(n, id, side) && (done == 0 || n->p.units[id].done);
    return side;
}

static double naive_threat(const struct naive *n, int side, const double *weights) {
    bool exposed[TBS_UNITS_MAX];
    int hp[TBS_UNITS_MAX];
    double lost = 0;
    const int victim_side = naive_exposed(n, exposed);
    for (int id = 0; id < n->p.unit_count; id++)
        hp[id] = n->p.units[id].hp;
    for (int id = 0; id < n->p.unit_count; id++) {
        int attacks, best = -1, best_damage = 0;
        if (!naive_is_alive(n, id, 1 - victim_side))
            continue;
        naive_unit_actions(n, id, TBS_ATTACKS_POWER, listed, &attacks);
        for (int i = 0; i < attacks; i++) {
            const int target = tbs_action_target(listed[i]);
            const struct tbs_unit *u = &n->p.units[id], *t = &n->p.units[target];
            const int stars = tbs_stars(t->type, n->map->terrain[t->x][t->y]);
            int damage = (n->rules->power[u->type][t->type] * u->hp + 70) / (100 + stars * hp[target]);
            damage = damage > hp[target] ? hp[target] : damage;
            const double worth = damage * weights[t->type];
            if (exposed[target] && worth > 0 &&
                (best < 0 || worth > best_damage * weights[n->p.units[best].type])) {
                best = target;
                best_damage = damage;
            }
        }
        if (best >= 0) {
            hp[best] -= best_damage;
            lost += best_damage * weights[n->p.units[best].type];
        }
    }
    return naive_linear(n, side, weights) + (side == victim_side ? -1 : 1) * weights[THREAT] * lost;
}

static void evaluations_are_as_defined(void **state) {
    (void)state;
    static struct views v;
    int compared = 0, threatened = 0;
    for (uint64_t seed = 1; compared < POSITIONS; seed++) {
        double weights[GAME_WEIGHTS_MAX];
        struct rng r;
        rng_seed(&r, seed + 1000);
        draw_weights(&r, weights);
        if (draw_views(&v, seed, false)) {
            compared++;
            for (int side = 0; side < 2; side++) {
                const double linear = naive_linear(&v.naive, side, weights),
                             threat = naive_threat(&v.naive, side, weights);
                threatened += !same(linear, threat);
                for (int i = 0; i < 2; i++) {
                    const struct game *game = v.scenarios[i]->game;
                    assert_true(same(game_eval(game, "linear")->value(v.p[i].state, side, weights), linear));
                    assert_true(same(game_eval(game, "threat")->value(v.p[i].state, side, weights), threat));
                }
            }
        }
        drop_views(&v);
    }
    assert_true(threatened > POSITIONS / 4);
}

/* When the game is over both evaluations count the remaining units, and one side's value is the other's loss.
 */
static void ended_games_are_evaluated(void **state) {
    (void)state;
    static struct views v;
    double weights[GAME_WEIGHTS_MAX];
    struct rng r;
    rng_seed(&r, 5);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        draw_weights(&r, weights);
        const bool running = draw_views(&v, seed, false);
        if (running)
            tbs_game.rollouts[0].run(v.p[0].state, &r, 0);
        assert_int_equal(tbs_game.mover(v.p[0].state), NOBODY);
        tbs_position_of(v.p[0].state, &v.naive.p);
        for (int i = 0; i < 2; i++) {
            const double value = tbs_game.evals[i].value(v.p[0].state, 0, weights);
            assert_true(same(value, naive_linear(&v.naive, 0, weights)));
            assert_true(same(value, -tbs_game.evals[i].value(v.p[0].state, 1, weights)));
        }
        drop_views(&v);
    }
}

#define LANE     "SIZEX[9];SIZEY[3];TURNLIMIT[9];HPTHRESHOLD[0];"
#define LANE_MAP "MAP[0,0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0,0,0];"

static double value_on(const char *text, const char *eval, const double *weights, const action *played) {
    struct position p;
    struct rng r;
    struct scenario *scenario = load_position(text, &p);
    rng_seed(&r, 1);
    for (; *played != 0; played++) {
        assert_true(tbs_game.is_legal(p.state, *played));
        tbs_game.play(p.state, *played, &r);
    }
    const double value = game_eval(&tbs_game, eval)->value(p.state, TBS_RED, weights);
    game_unload(scenario);
    return value;
}

static void threats_on_positions_made_by_hand(void **state) {
    (void)state;
    double w[GAME_WEIGHTS_MAX];
    weights_default(&tbs_game, w);
    /* Panzers of 10 HP on plain: 55 * 10 + 70 = 620, by 100 + 1 * 10: 5 HP. */
    static const char panzers[] = LANE "UNIT[1,1,panzer,0,10,0];UNIT[7,1,panzer,1,10,0];" LANE_MAP;
    const action none[] = {0};
    assert_true(same(value_on(panzers, "linear", w, none), 0));
    assert_true(same(value_on(panzers, "threat", w, none), 5)); /* red to move: blue cannot get away */
    const action stay[] = {tbs_action(0, 1, 1, TBS_NO_TARGET), 0};
    assert_true(same(value_on(panzers, "threat", w, stay), -5));
    w[TBS_PANZER] = 3;
    assert_true(same(value_on(panzers, "threat", w, stay), -15));
    w[THREAT] = 0.5;
    assert_true(same(value_on(panzers, "threat", w, stay), -7.5));
    /* Two attackers share one victim: 5 HP of 10, then (620 / 105 = 5) the rest of it, no more. */
    weights_default(&tbs_game, w);
    static const char two[] = LANE "UNIT[4,1,panzer,0,10,0];UNIT[7,1,panzer,1,10,0];"
                                   "UNIT[2,1,panzer,1,10,0];" LANE_MAP;
    const action two_stay[] = {tbs_action(0, 4, 1, TBS_NO_TARGET), 0};
    assert_true(same(value_on(two, "linear", w, none), -10));
    assert_true(same(value_on(two, "threat", w, two_stay), -20));
    /* Within the turn only units that have acted are exposed: the second unit may still get away. */
    static const char within[] = LANE "UNIT[3,1,panzer,0,10,0];UNIT[1,1,infantry,0,10,0];"
                                      "UNIT[6,1,panzer,1,10,0];" LANE_MAP;
    const action first[] = {tbs_action(1, 1, 1, TBS_NO_TARGET), 0};
    assert_true(same(value_on(within, "threat", w, first), 10)); /* the panzer hides the infantry */
    const action both[] = {tbs_action(1, 1, 1, TBS_NO_TARGET), tbs_action(0, 3, 1, TBS_NO_TARGET), 0};
    assert_true(same(value_on(within, "threat", w, both), 5));
    /* Out of reach, or harmless: nothing is lost. */
    static const char harmless[] = LANE "UNIT[4,1,fighter,0,10,0];UNIT[6,1,panzer,1,10,0];" LANE_MAP;
    const action fly[] = {tbs_action(0, 4, 1, TBS_NO_TARGET), 0};
    assert_true(same(value_on(harmless, "threat", w, fly), 0));
}

/* ---- scores of actions ---- */

static void check_scores(const struct views *v, int i) {
    const struct game *game = v->scenarios[i]->game;
    const void *state = v->p[i].state;
    int count = game->actions(state, listed);
    listed[count++] = TBS_PASS;
    game_prior(game, "attacks")->score(state, listed, count, scores);
    for (int k = 0; k < count; k++) {
        const bool attack = listed[k] != TBS_PASS && tbs_action_target(listed[k]) != TBS_NO_TARGET;
        assert_true(same((double)scores[k], attack ? 1 : 0));
    }
    game_prior(game, "damage")->score(state, listed, count, scores);
    for (int k = 0; k < count; k++) {
        double score = 0;
        if (listed[k] != TBS_PASS && tbs_action_target(listed[k]) != TBS_NO_TARGET) {
            const struct tbs_exchange x = tbs_preview(state, listed[k]);
            const bool kill = x.damage == v->naive.p.units[tbs_action_target(listed[k])].hp;
            score = 1 + 2 * x.damage - x.counter + (kill ? 10 : 0);
        }
        assert_true(same((double)scores[k], score));
    }
}

static void scores_are_as_defined(void **state) {
    (void)state;
    static struct views v;
    for (uint64_t seed = 1; seed <= POSITIONS; seed++) {
        if (draw_views(&v, seed, false)) {
            check_scores(&v, 0);
            check_scores(&v, 1);
        }
        drop_views(&v);
    }
}

/* ---- lists ---- */

static bool is_ready(const struct naive *n, int id) {
    return naive_is_alive(n, id, n->p.side) && !n->p.units[id].done;
}

static int naive_attacks(const struct naive *n, action *out) {
    int count = 0;
    for (int id = 0; id < n->p.unit_count; id++) {
        int attacks = 0;
        if (is_ready(n, id))
            naive_unit_actions(n, id, TBS_ATTACKS_POWER, out + count, &attacks);
        count += attacks;
    }
    if (count == 0)
        out[count++] = TBS_PASS;
    return count;
}

/* One unit's part of a list: everything, or attacks, or moves where it has no attack. */
static int naive_unit(const struct naive *n, int id, const char *kept, action *out) {
    int attacks;
    const int all = naive_unit_actions(n, id, TBS_ATTACKS_POWER, out, &attacks);
    if (kept[0] == '\0' || (strcmp(kept, "-late-moves") == 0 && attacks == 0))
        return all;
    if (attacks == 0)
        out[0] = tbs_action(id, n->p.units[id].x, n->p.units[id].y, TBS_NO_TARGET);
    return attacks > 0 ? attacks : 1;
}

static int naive_fixed(const struct naive *n, const char *kept, action *out) {
    int first = -1;
    for (int id = 0; id < n->p.unit_count; id++)
        if (is_ready(n, id) && (first < 0 || n->p.units[id].hp > n->p.units[first].hp))
            first = id;
    return naive_unit(n, first, kept, out);
}

static int naive_random(const struct naive *n, uint64_t draw, const char *kept, action *out) {
    int first = -1;
    uint64_t lots[TBS_UNITS_MAX];
    for (int id = 0; id < n->p.unit_count; id++) {
        lots[id] = rng_mix(draw ^ rng_mix((uint64_t)id + 1));
        if (is_ready(n, id) && (first < 0 || lots[id] < lots[first]))
            first = id;
    }
    return naive_unit(n, first, kept, out);
}

static int naive_list(const struct naive *n, const char *name, uint64_t draw, action *out) {
    if (strcmp(name, "all") == 0)
        return naive_actions(n, TBS_ATTACKS_POWER, out);
    if (strcmp(name, "attacks") == 0)
        return naive_attacks(n, out);
    if (strcmp(name, "late-moves") == 0) {
        const int count = naive_attacks(n, out);
        return out[0] != TBS_PASS ? count : naive_actions(n, TBS_ATTACKS_POWER, out);
    }
    return strncmp(name, "fixed", 5) == 0 ? naive_fixed(n, name + 5, out)
                                          : naive_random(n, draw, name + 6, out);
}

/* A list with an order that is drawn, for that draw; draw 0 is also the list without one. */
static void check_list(const struct views *v, int i, const struct action_list *l, uint64_t draw) {
    const struct game *game = v->scenarios[i]->game;
    const void *state = v->p[i].state;
    const bool is_drawn = l->list_drawn != NULL;
    const int count = is_drawn && draw > 0 ? l->list_drawn(state, draw, listed) : l->list(state, listed);
    assert_true(count > 0);
    assert_int_equal(is_drawn, strncmp(l->name, "random", 6) == 0);
    assert_int_equal(count, naive_list(&v->naive, l->name, draw, expected));
    assert_memory_equal(listed, expected, (size_t)count * sizeof listed[0]);
    for (int k = 0; k < count; k++)
        assert_true(game->is_legal(state, listed[k]));
}

static void lists_are_as_defined(void **state) {
    (void)state;
    static struct views v;
    int passes = 0, attacks = 0;
    for (uint64_t seed = 1; seed <= POSITIONS; seed++) {
        const bool running = draw_views(&v, seed, seed % 3 == 0);
        for (int i = 0; i < 2 && running; i++) {
            const struct game *game = v.scenarios[i]->game;
            for (const struct action_list *l = game->lists; l->name != NULL; l++) {
                check_list(&v, i, l, 0);
                check_list(&v, i, l, seed);
            }
            game_list(game, "attacks")->list(v.p[i].state, listed);
            passes += listed[0] == TBS_PASS;
            attacks += listed[0] != TBS_PASS;
        }
        drop_views(&v);
    }
    assert_true(passes > 50 && attacks > 50);
}

static void ended_games_have_empty_lists(void **state) {
    (void)state;
    struct position p;
    struct rng r;
    struct scenario *scenario =
        load_position(LANE "UNIT[1,1,panzer,0,10,0];UNIT[7,1,panzer,1,10,0];" LANE_MAP, &p);
    rng_seed(&r, 1);
    tbs_game.play(p.state, TBS_RESIGN, &r);
    for (const struct action_list *l = tbs_game.lists; l->name != NULL; l++)
        assert_int_equal(
            l->list(p.state, listed) + (l->list_drawn != NULL ? l->list_drawn(p.state, 1, listed) : 0), 0);
    game_unload(scenario);
}

/* ---- bounds and progress ---- */

static void bounds_hold_in_playouts(void **state) {
    (void)state;
    static struct views v;
    int compared = 0, told = 0;
    for (uint64_t seed = 1; compared < 2 * POSITIONS; seed++) {
        if (draw_views(&v, seed, true)) {
            double low[2], high[2];
            struct rng r;
            compared++;
            rng_seed(&r, seed);
            for (int i = 0; i < 2; i++)
                v.scenarios[i]->game->bounds(v.p[i].state, &low[i], &high[i]);
            assert_true(same(low[0], low[1]) && same(high[0], high[1]));
            assert_true(0 <= low[0] && low[0] <= high[0] && high[0] <= 1);
            told += low[0] > 0 || high[0] < 1;
            for (int k = 0; k < 12; k++) {
                struct position end = v.p[0];
                tbs_game.rollouts[k % 2].run(end.state, &r, 0);
                const double payoff = tbs_game.payoff(end.state, TBS_RED);
                assert_true(low[0] <= payoff && payoff <= high[0]);
                double end_low, end_high;
                tbs_game.bounds(end.state, &end_low, &end_high);
                assert_true(same(end_low, payoff) && same(end_high, payoff));
            }
        }
        drop_views(&v);
    }
    assert_true(told > POSITIONS / 4);
}

/* Bounds never widen on the way: what was proven stays proven. */
static void bounds_only_narrow(void **state) {
    (void)state;
    static struct views v;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        if (draw_views(&v, seed, true)) {
            double low, high;
            struct rng r;
            rng_seed(&r, seed);
            tbs_game.bounds(v.p[0].state, &low, &high);
            while (tbs_game.mover(v.p[0].state) != NOBODY) {
                double next_low, next_high;
                const int count = tbs_game.actions(v.p[0].state, listed);
                tbs_game.play(v.p[0].state, listed[rng_below(&r, (uint32_t)count)], &r);
                tbs_game.bounds(v.p[0].state, &next_low, &next_high);
                assert_true(next_low >= low && next_high <= high);
                low = next_low;
                high = next_high;
            }
        }
        drop_views(&v);
    }
}

static void assert_bounds(const char *units, const char *threshold, double low, double high) {
    char text[600];
    struct position p;
    double found_low, found_high;
    snprintf(text, sizeof text, "SIZEX[9];SIZEY[3];TURNLIMIT[9];HPTHRESHOLD[%s];%s" LANE_MAP, threshold,
             units);
    struct scenario *scenario = load_position(text, &p);
    tbs_game.bounds(p.state, &found_low, &found_high);
    if (!same(found_low, low) || !same(found_high, high))
        fail_msg("%s: %g..%g, expected %g..%g", units, found_low, found_high, low, high);
    game_unload(scenario);
}

static void bounds_are_sharp(void **state) {
    (void)state;
    /* A panzer cannot be hurt by fighters, nor hurt them: HP decide. */
    assert_bounds("UNIT[1,1,panzer,0,10,0];UNIT[7,1,fighter,1,9,0];", "0", 1, 1);
    assert_bounds("UNIT[1,1,panzer,0,9,0];UNIT[7,1,fighter,1,10,0];", "0", 0, 0);
    assert_bounds("UNIT[1,1,panzer,0,10,0];UNIT[7,1,fighter,1,10,0];", "0", 0.5, 0.5);
    /* A lead equal to the threshold is a draw, one more wins. */
    assert_bounds("UNIT[1,1,panzer,0,10,0];UNIT[7,1,fighter,1,7,0];", "3", 0.5, 0.5);
    assert_bounds("UNIT[1,1,panzer,0,10,0];UNIT[7,1,fighter,1,6,0];", "3", 1, 1);
    /* The infantry can be killed, but the fighter's HP are safe: blue has at least a draw. */
    assert_bounds("UNIT[1,1,panzer,0,10,0];UNIT[6,1,fighter,1,10,0];UNIT[7,1,infantry,1,1,0];", "0", 0, 0.5);
    /* All units can be hurt: the bounds give no information. */
    assert_bounds("UNIT[1,1,panzer,0,10,0];UNIT[7,1,panzer,1,1,0];", "0", 0, 1);
    /* An anti-air hurts the fighter, which can hurt no unit here: red cannot lose when it has the HP. */
    assert_bounds("UNIT[1,1,antiair,0,10,0];UNIT[7,1,fighter,1,9,0];", "0", 1, 1);
    assert_bounds("UNIT[1,1,antiair,0,8,0];UNIT[7,1,fighter,1,9,0];", "0", 0, 1);
}

static void progress_is_as_defined(void **state) {
    (void)state;
    static struct views v;
    for (uint64_t seed = 1; seed <= POSITIONS; seed++) {
        if (draw_views(&v, seed, false)) {
            int ready = 0, acted = 0;
            for (int id = 0; id < v.naive.p.unit_count; id++) {
                ready += is_ready(&v.naive, id);
                acted += naive_is_alive(&v.naive, id, v.naive.p.side) && v.naive.p.units[id].done;
            }
            for (int i = 0; i < 2; i++) {
                const struct turn_progress progress = v.scenarios[i]->game->progress(v.p[i].state);
                assert_int_equal(progress.left, ready);
                assert_int_equal(progress.taken, acted);
            }
        }
        drop_views(&v);
    }
}

/* ---- weights ---- */

static void weights_are_read(void **state) {
    (void)state;
    double w[GAME_WEIGHTS_MAX];
    memset(w, 0x55, sizeof w);
    weights_default(&tbs_game, w);
    for (int i = 0; i < GAME_WEIGHTS_MAX; i++)
        assert_true(same(w[i], i <= THREAT ? 1 : 0));
    assert_true(weights_read(&tbs_game, "", w, NULL));
    assert_true(weights_read(&tbs_game, "A:100,f:-2.5,Threat:0.25", w, NULL));
    assert_true(same(w[TBS_ATTACKER], 100) && same(w[TBS_FIGHTER], -2.5) && same(w[THREAT], 0.25));
    assert_true(same(w[TBS_PANZER], 1));
    assert_true(weights_read(&tbs_game, "I:1000000,R:-1000000", w, NULL));
    assert_true(same(w[TBS_INFANTRY], 1e6) && same(w[TBS_ANTIAIR], -1e6));
}

static void wrong_weights_are_explained(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"X:1", "value 'X' is unknown; known are F, A, P, U, R, I, threat"},
        {"F", "'F' is no value; expected NAME:NUMBER"},
        {"F:1,", "a value is missing behind the last comma"},
        {",F:1", "'' is no value; expected NAME:NUMBER"},
        {"F:", "'F:': expected a number up to 1000000 behind the colon"},
        {"F:one", "'F:one': expected a number up to 1000000 behind the colon"},
        {"F:1000001", "'F:1000001': expected a number up to 1000000 behind the colon"},
        {"F:nan", "'F:nan': expected a number up to 1000000 behind the colon"},
        {"F:1:2", "'F:1:2': expected a number up to 1000000 behind the colon"},
        {"thr:1", "value 'thr' is unknown; known are F, A, P, U, R, I, threat"},
        {"F:00000000000000000000000000000000000000001",
         "'F:00000000000000000000000000000000000000001': expected a number up to 1000000 behind the colon"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {0};
        double w[GAME_WEIGHTS_MAX];
        weights_default(&tbs_game, w);
        assert_false(weights_read(&tbs_game, cases[i][0], w, &e));
        assert_string_equal(e.text, cases[i][1]);
        assert_true(same(w[TBS_FIGHTER], 1)); /* an error changes nothing */
    }
}

static void games_without_weights_know_none(void **state) {
    (void)state;
    struct game bare = tbs_game;
    struct err e;
    double w[GAME_WEIGHTS_MAX];
    bare.weights = NULL;
    weights_default(&bare, w);
    for (int i = 0; i < GAME_WEIGHTS_MAX; i++)
        assert_true(same(w[i], 0));
    assert_true(weights_read(&bare, "", w, &e));
    assert_false(weights_read(&bare, "F:1", w, &e));
    assert_string_equal(e.text, "value 'F' is unknown; tbs has none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations_are_as_defined),
        cmocka_unit_test(ended_games_are_evaluated),
        cmocka_unit_test(threats_on_positions_made_by_hand),
        cmocka_unit_test(scores_are_as_defined),
        cmocka_unit_test(lists_are_as_defined),
        cmocka_unit_test(ended_games_have_empty_lists),
        cmocka_unit_test(bounds_hold_in_playouts),
        cmocka_unit_test(bounds_only_narrow),
        cmocka_unit_test(bounds_are_sharp),
        cmocka_unit_test(progress_is_as_defined),
        cmocka_unit_test(weights_are_read),
        cmocka_unit_test(wrong_weights_are_explained),
        cmocka_unit_test(games_without_weights_know_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
