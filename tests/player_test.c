/* SPDX-License-Identifier: MIT
 *
 * Players: the registry and its spec strings, the laws every player keeps (legal, repeatable, no memory), and
 * each player against its definition.
 */
#include "player/players.h"

#include "base/mem.h"
#include "game/tbs/map_random.h"
#include "game/tbs/tbs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ACTIONS_MAX = 1 << 15, POSITIONS = 40 };

static action legal[ACTIONS_MAX];

/* One position on one of the two tables. */
struct position {
    const struct scenario *scenario;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* ---- positions ---- */

/* A map of 3 x 3 to 8 x 8 cells in which units may be flagged and weak, so that all branches are met. */
static void draw_map(struct rng *r, struct tbs_map *map) {
    struct tbs_random_options options;
    struct err e;
    tbs_random_defaults(&options);
    options.width = 3 + (int)rng_below(r, 6);
    options.height = 3 + (int)rng_below(r, 6);
    options.units[TBS_RED] = 1 + (int)rng_below(r, 4);
    options.units[TBS_BLUE] = 1 + (int)rng_below(r, 4);
    options.hp_low = 1;
    options.turn_limit = 8 + (int)rng_below(r, 12);
    assert_true(tbs_map_random(&options, r, map, &e));
    for (int id = 0; id < map->unit_count; id++)
        map->units[id].done = rng_below(r, 8) == 0;
}

static struct scenario *make(const struct tbs_map *map, enum tbs_path path) {
    struct err e;
    struct scenario *scenario = tbs_scenario_make(map, &tbs_rule_sets[0], path, &e);
    assert_non_null(scenario);
    return scenario;
}

static action any_action(const struct position *p, struct rng *r) {
    const int count = p->scenario->game->actions(p->state, legal);
    assert_true(count > 0);
    return legal[rng_below(r, (uint32_t)count)];
}

/* Plays up to `steps` random actions but never the one that would end the game. False when it is over at once. */
static bool walk(struct position *p, const struct scenario *scenario, int steps, struct rng *r) {
    const struct game *game = scenario->game;
    p->scenario = scenario;
    game->start(p->state, scenario, r);
    if (game->mover(p->state) == NOBODY)
        return false;
    for (int i = 0; i < steps; i++) {
        struct position next = *p;
        game->play(next.state, any_action(p, r), r);
        if (game->mover(next.state) == NOBODY)
            break;
        *p = next;
    }
    return true;
}

/* A position of a map that is written down: "SIZEX[…];…". */
static struct scenario *load(const char *text, struct position *p) {
    struct err e = {0};
    const struct game_source source = {.name = "test", .text = text, .size = strlen(text)};
    struct scenario *scenario = tbs_game.load(&source, &e);
    assert_string_equal(e.text, "");
    assert_non_null(scenario);
    struct rng r;
    rng_seed(&r, 1);
    assert_true(walk(p, scenario, 0, &r));
    return scenario;
}

/* ---- asking ---- */

static struct player *open_player(const char *spec, const struct game *game) {
    struct err e = {0};
    struct player *player = player_open(spec, game, &e);
    assert_string_equal(e.text, "");
    assert_non_null(player);
    return player;
}

/* Asks with the random stream `seed`; `after` (may be NULL) gets the generator as the player left it. */
static struct answer ask(struct player *player, const struct position *p, uint64_t seed, struct rng *after) {
    const struct game *game = p->scenario->game;
    struct position before = *p;
    struct rng r;
    rng_seed(&r, seed);
    const struct ask question = {.game = game, .view = before.state, .side = game->mover(p->state), .rng = &r};
    struct answer answer;
    player_choose(player, &question, &answer);
    assert_memory_equal(before.state, p->state, game->state_size);
    if (after != NULL)
        *after = r;
    return answer;
}

static bool same_answer(const struct answer *a, const struct answer *b) {
    return a->chosen == b->chosen && a->work_done == b->work_done && memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

/* ---- the registry ---- */

static int choices_count(const char *choices) {
    int count = 1;
    for (; *choices != '\0'; choices++)
        count += *choices == '|';
    return count;
}

static size_t param_size(enum param_kind kind) {
    return kind == PARAM_REAL ? sizeof(double) : kind == PARAM_SWITCH ? sizeof(bool) : sizeof(int);
}

static void check_param(const struct param *p, size_t options_size) {
    assert_non_null(p->help);
    assert_true(p->help[0] != '\0');
    assert_true(p->offset + param_size(p->kind) <= options_size);
    if (p->kind != PARAM_REAL)
        assert_true(fabs(p->fallback - round(p->fallback)) < 1e-12);
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_REAL:
        assert_true(p->low < p->high);
        assert_true(p->low <= p->fallback && p->fallback <= p->high);
        break;
    case PARAM_SWITCH: assert_true(p->fallback >= 0 && p->fallback <= 1); break;
    case PARAM_CHOICE:
        assert_non_null(p->choices);
        assert_true(p->fallback >= 0 && p->fallback < choices_count(p->choices));
        break;
    }
}

/* No two parameters of the same name or in the same bytes. */
static void check_params(const struct param *table, size_t options_size) {
    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
        check_param(p, options_size);
        for (const struct param *q = table; q != p; q++) {
            assert_string_not_equal(p->name, q->name);
            assert_true(q->offset + param_size(q->kind) <= p->offset || p->offset + param_size(p->kind) <= q->offset);
        }
    }
}

static void registry_is_sane(void **state) {
    (void)state;
    int count = 0;
    for (; player_types[count] != NULL; count++) {
        const struct player_type *type = player_types[count];
        assert_true(type->name != NULL && type->help != NULL);
        assert_true(type->open != NULL && type->choose != NULL && type->close != NULL);
        assert_true(type->options_size <= PLAYER_OPTIONS_MAX);
        assert_true(player_type_find(type->name) == type); /* so names are unique, too */
        check_params(type->params, type->options_size);
        struct spec spec;
        struct err e;
        assert_true(spec_parse(type->name, &spec, &e));
    }
    assert_true(count >= 2);
    assert_null(player_type_find("nobody"));
}

/* ---- spec strings ---- */

static void wrong_specs_are_explained(void **state) {
    (void)state;
    static const struct {
        const char *spec, *expected;
    } cases[] = {
        {"acteva", "player 'acteva' is unknown; known are random, acteval"},
        {"", "'' is no name; expected name or name:key=value,key=value"},
        {"random:sims=3", "random: option 'sims' is unknown; random has no options"},
        {"acteval:styl=paper", "acteval: option 'styl' is unknown; known are style, fighter, attacker, panzer, "
                               "cannon, antiair, infantry, cover, approach"},
        {"acteval:style=papr", "acteval: style=papr is unknown; expected one of paper|sample"},
        {"acteval:cover=1.5", "acteval: cover=1.5: expected a number from 0 to 1"},
        {"acteval:panzer=-1", "acteval: panzer=-1: expected a number from 0 to 100"},
        {"acteval:panzer=nan", "acteval: panzer=nan: expected a number from 0 to 100"},
        {"acteval:panzer=", "acteval: panzer=: expected a number from 0 to 100"},
        {"acteval:panzer", "acteval: 'panzer' has no '='; expected key=value"},
        {"acteval:", "acteval: '' has no '='; expected key=value"},
        {"acteval:panzer=1,panzer=2", "acteval: option 'panzer' is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {0};
        assert_false(player_check(cases[i].spec, NULL, &e));
        assert_string_equal(e.text, cases[i].expected);
        e.text[0] = '\0';
        assert_null(player_open(cases[i].spec, &tbs_game, &e));
        assert_string_equal(e.text, cases[i].expected);
    }
}

static void assert_canonical(const char *spec, const char *expected) {
    struct err e = {0};
    struct text canonical = {0};
    assert_true(player_check(spec, &canonical, &e));
    assert_string_equal(text_string(&canonical), expected);
    text_done(&canonical);
}

static void specs_have_a_canonical_form(void **state) {
    (void)state;
    assert_canonical("random", "random");
    assert_canonical("acteval:style=paper", "acteval");
    assert_canonical("acteval:infantry=0.50,panzer=1", "acteval");
    assert_canonical("acteval:cover=0.25,style=sample", "acteval:style=sample,cover=0.25");
    assert_canonical("acteval:approach=1e-3", "acteval:approach=0.001");
    assert_canonical("acteval:panzer=0.1000000000000000055", "acteval:panzer=0.1");
    assert_canonical("acteval:panzer=33.333333333333336", "acteval:panzer=33.333333333333336");
}

/* Each parameter at both ends of its range (each choice): the canonical form says so and is its own. */
static void canonical_specs_come_back(void **state) {
    (void)state;
    for (int i = 0; player_types[i] != NULL; i++) {
        for (const struct param *p = player_types[i]->params; p != NULL && p->name != NULL; p++) {
            for (int end = 0; end < 2; end++) {
                char spec[200];
                struct text first = {0};
                struct err e = {0};
                const int n = snprintf(spec, sizeof spec, "%s:%s=", player_types[i]->name, p->name);
                char *value = spec + n;
                if (p->kind == PARAM_CHOICE)
                    snprintf(value, 100, "%s", end == 0 ? p->choices : strrchr(p->choices, '|') + 1);
                else
                    snprintf(value, 100, "%g", p->kind == PARAM_SWITCH ? end : end == 0 ? p->low : p->high);
                value[strcspn(value, "|")] = '\0';
                assert_true(player_check(spec, &first, &e));
                assert_canonical(text_string(&first), text_string(&first));
                text_done(&first);
            }
        }
    }
}

static void lack_of_memory_is_reported(void **state) {
    (void)state;
    for (int i = 0; player_types[i] != NULL; i++) {
        long n = 1;
        for (;; n++) {
            struct err e = {0};
            mem_fail_at(n);
            struct player *player = player_open(player_types[i]->name, &tbs_game, &e);
            mem_fail_at(0);
            if (player != NULL) {
                player_close(player);
                break;
            }
            assert_non_null(strstr(e.text, "not enough memory"));
        }
        assert_true(n > 1);
    }
    player_close(NULL);
}

/* ---- laws for all players ---- */

static const char *const law_specs[] = {"random", "acteval", "acteval:style=sample", "acteval:infantry=3,cover=1"};
enum { LAW_SPECS = sizeof law_specs / sizeof law_specs[0] };

/* Every registered player is among them, so a new one cannot be forgotten. */
static void laws_cover_the_registry(void **state) {
    (void)state;
    for (int i = 0; player_types[i] != NULL; i++) {
        bool found = false;
        for (int k = 0; k < LAW_SPECS; k++) {
            struct spec spec;
            assert_true(spec_parse(law_specs[k], &spec, NULL));
            found = found || strcmp(spec.name, player_types[i]->name) == 0;
        }
        assert_true(found);
    }
}

/* The same ask gives the same answer: by another player of the same spec, and by the same one after others. */
static void check_laws(const char *spec, struct position *positions, int count, struct answer *answers) {
    const struct game *game = positions[0].scenario->game;
    struct player *fresh = NULL, *used = open_player(spec, game);
    for (int i = 0; i < count; i++) {
        fresh = open_player(spec, game);
        answers[i] = ask(fresh, &positions[i], (uint64_t)i, NULL);
        player_close(fresh);
        assert_true(game->is_legal(positions[i].state, answers[i].chosen));
        assert_true(answers[i].work_done > 0);
        const struct answer first = ask(used, &positions[i], (uint64_t)i, NULL);
        assert_true(same_answer(&first, &answers[i]));
    }
    for (int i = count - 1; i >= 0; i--) { /* another order: what was asked before does not matter */
        const struct answer again = ask(used, &positions[i], (uint64_t)i, NULL);
        assert_true(same_answer(&again, &answers[i]));
    }
    player_close(used);
}

/* Both tables list the same actions in the same order, so they also get the same answers. */
static void all_players_keep_the_laws(void **state) {
    (void)state;
    static struct position small[POSITIONS], wide[POSITIONS];
    static struct answer answers[2][POSITIONS];
    struct scenario *scenarios[2][POSITIONS];
    int count = 0;
    for (uint64_t seed = 1; count < POSITIONS; seed++) {
        struct rng r, again;
        struct tbs_map map;
        rng_seed(&r, seed);
        draw_map(&r, &map);
        const int steps = (int)rng_below(&r, 30);
        again = r;
        scenarios[0][count] = make(&map, TBS_PATH_SMALL);
        scenarios[1][count] = make(&map, TBS_PATH_WIDE);
        const bool running = walk(&small[count], scenarios[0][count], steps, &r);
        assert_true(walk(&wide[count], scenarios[1][count], steps, &again) == running);
        if (running) {
            count++;
        } else {
            tbs_game.unload(scenarios[0][count]);
            tbs_wide_game.unload(scenarios[1][count]);
        }
    }
    for (int k = 0; k < LAW_SPECS; k++) {
        check_laws(law_specs[k], small, count, answers[0]);
        check_laws(law_specs[k], wide, count, answers[1]);
        for (int i = 0; i < count; i++)
            assert_true(same_answer(&answers[0][i], &answers[1][i]));
    }
    for (int i = 0; i < count; i++) {
        tbs_game.unload(scenarios[0][i]);
        tbs_wide_game.unload(scenarios[1][i]);
    }
}

/* ---- random ---- */

/* The chi-square quantile of `z` standard deviations (Wilson and Hilferty's approximation). */
static double chi_square(int freedom, double z) {
    const double part = 2.0 / (9.0 * freedom);
    return freedom * pow(1 - part + z * sqrt(part), 3);
}

static void random_is_uniform(void **state) {
    (void)state;
    static int seen[ACTIONS_MAX];
    struct position p;
    struct scenario *scenario = load("SIZEX[7];SIZEY[7];TURNLIMIT[9];HPTHRESHOLD[0];UNITNUMRED[3];UNITNUMBLUE[2];"
                                     "UNIT[1,1,panzer,0,10,0];UNIT[2,1,infantry,0,9,0];UNIT[5,5,fighter,0,8,0];"
                                     "UNIT[3,3,infantry,1,10,0];UNIT[5,3,attacker,1,10,0];"
                                     "MAP[0,0,0,0,0,0,0];MAP[0,1,1,3,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];"
                                     "MAP[0,1,4,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0];",
                                     &p);
    struct player *player = open_player("random", &tbs_game);
    struct rng r;
    rng_seed(&r, 20240229);
    const int count = tbs_game.actions(p.state, legal), each = 400;
    assert_true(count > 40);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < count * each; i++) {
        const struct ask question = {.game = &tbs_game, .view = p.state, .side = 0, .rng = &r};
        struct answer answer;
        player_choose(player, &question, &answer);
        assert_true(isnan(answer.value));
        int at = 0;
        while (at < count && legal[at] != answer.chosen)
            at++;
        assert_true(at < count); /* listed, so neither pass nor resign nor an attack without power */
        seen[at]++;
    }
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)(seen[i] - each) * (seen[i] - each) / each;
    assert_true(sum < chi_square(count - 1, 3.1));
    assert_true(sum > chi_square(count - 1, -3.1)); /* too even would not be random either */
    player_close(player);
    tbs_game.unload(scenario);
}

/* ---- acteval, the platform's sample ---- */

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

/* What happened, to be sure that every branch was compared. */
struct seen {
    int attacks, moves, refused, threatened;
};

static void compare_sample(struct player *player, const struct position *p, uint64_t seed, struct seen *seen) {
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
    const struct answer answer = ask(player, p, seed, &left);
    assert_int_equal(answer.chosen, expected);
    assert_true(fabs(answer.value - value) < 1e-9);
    assert_memory_equal(&left, &expected_rng, sizeof left); /* the one draw is the only one */
}

static void sample_style_is_the_platforms(void **state) {
    (void)state;
    struct seen seen = {0};
    struct player *players[2] = {open_player("acteval:style=sample", &tbs_game),
                                 open_player("acteval:style=sample", &tbs_wide_game)};
    for (uint64_t seed = 1; seed <= 600; seed++) {
        struct rng r;
        struct tbs_map map;
        struct position p;
        rng_seed_stream(&r, 7, seed);
        draw_map(&r, &map);
        const int wide = (int)(seed % 2);
        struct scenario *scenario = make(&map, wide ? TBS_PATH_WIDE : TBS_PATH_SMALL);
        if (walk(&p, scenario, (int)rng_below(&r, 25), &r))
            compare_sample(players[wide], &p, seed, &seen);
        scenario->game->unload(scenario);
    }
    player_close(players[0]);
    player_close(players[1]);
    printf("%d %d %d %d\n", seen.attacks, seen.moves, seen.refused, seen.threatened);
    assert_true(seen.attacks >= 100 && seen.moves >= 100 && seen.refused >= 10 && seen.threatened >= 20);
}

/* ---- acteval, the paper's style ---- */

#define PLAIN5 "MAP[0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];" \
               "MAP[0,6,1,1,1,1,0];MAP[0,0,0,0,0,0,0];"
#define HEAD "SIZEX[7];SIZEY[7];TURNLIMIT[9];HPTHRESHOLD[0];"

/* Asks a paper-style player for many seeds; returns how many different actions it chose, the first in *out. */
static int choices_of(const char *spec, const char *map, struct answer *out, action *others) {
    struct position p;
    struct scenario *scenario = load(map, &p);
    struct player *player = open_player(spec, &tbs_game);
    int count = 0;
    for (uint64_t seed = 0; seed < 64; seed++) {
        const struct answer answer = ask(player, &p, seed, NULL);
        int at = 0;
        while (at < count && others[at] != answer.chosen)
            at++;
        if (at == count)
            others[count++] = answer.chosen;
        if (seed == 0)
            *out = answer;
        assert_true(fabs(answer.value - out->value) < 1e-12); /* a lot decides only between equals */
    }
    player_close(player);
    tbs_game.unload(scenario);
    return count;
}

/* A panzer hits the infantry, from any of three cells, rather than going to the fortress beside it. */
static void paper_prefers_a_gain_to_a_move(void **state) {
    (void)state;
    struct answer answer;
    action others[64];
    const char *map = HEAD "UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,4,panzer,0,10,0];UNIT[1,3,infantry,1,10,0];" PLAIN5;
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
    const char *map = HEAD "UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,4,infantry,0,10,0];UNIT[2,4,panzer,1,10,0];" PLAIN5;
    assert_int_equal(choices_of("acteval", map, &answer, others), 1);
    assert_int_equal(answer.chosen, tbs_action(0, 1, 5, TBS_NO_TARGET));
    assert_true(fabs(answer.value - (0.5 * (5 / 115.0 / 3 * 2) + 4 * 0.05)) < 1e-12);
    /* Whoever counts its infantry for nothing attacks after all. */
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

/* Nothing in reach: the way leads towards the enemy, on equal cells by lot. */
static void paper_approaches(void **state) {
    (void)state;
    struct answer answer;
    action others[64];
    const char *map = HEAD "UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,1,infantry,0,10,0];UNIT[5,5,infantry,1,10,0];" PLAIN5;
    assert_int_equal(choices_of("acteval", map, &answer, others), 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(tbs_action_x(others[i]) + tbs_action_y(others[i]), 5); /* three steps from 1,1 */
    assert_int_equal(choices_of("acteval:approach=0,cover=0", map, &answer, others), 10); /* every cell is equal */
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
        cmocka_unit_test(registry_is_sane),
        cmocka_unit_test(wrong_specs_are_explained),
        cmocka_unit_test(specs_have_a_canonical_form),
        cmocka_unit_test(canonical_specs_come_back),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(laws_cover_the_registry),
        cmocka_unit_test(all_players_keep_the_laws),
        cmocka_unit_test(random_is_uniform),
        cmocka_unit_test(sample_style_is_the_platforms),
        cmocka_unit_test(paper_prefers_a_gain_to_a_move),
        cmocka_unit_test(paper_avoids_a_loss),
        cmocka_unit_test(paper_weighs_by_value),
        cmocka_unit_test(paper_approaches),
        cmocka_unit_test(acteval_refuses_other_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
