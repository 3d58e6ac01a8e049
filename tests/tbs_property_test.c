/* SPDX-License-Identifier: MIT
 *
 * Properties over random games on random maps: the laws of games, the small path against the wide one, both
 * against a naive implementation, and every compiled variant of the rollouts against choosing from lists.
 */
#include "base/mem.h"
#include "game/game.h"
#include "game/tbs/core.h"
#include "sample.h"
#include "tbs_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { SMALL, WIDE, PATHS, LIST_MAX = TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX };

/* One game on the paths that hold it, and beside them the naive one. */
struct trial {
    struct tbs_map map;
    const struct tbs_rules *rules;
    struct scenario *scenario[PATHS]; /* the small one is NULL for maps too large for it */
    _Alignas(16) unsigned char state[PATHS][GAME_STATE_MAX];
    struct naive naive;
    struct rng rng;
};

static const enum tbs_path path_codes[PATHS] = {TBS_PATH_SMALL, TBS_PATH_WIDE};

static void trial_open(struct trial *t, const struct shape *shape, uint64_t seed) {
    memset(t, 0, sizeof *t);
    rng_seed(&t->rng, seed);
    random_map(shape, &t->rng, &t->map);
    t->rules = &tbs_rule_sets[rng_below(&t->rng, 2)];
    struct tbs_problems problems = {0};
    tbs_map_check(&t->map, &problems);
    assert_false(problems.fatal);
    const bool small = shape->cells_x <= SMALL_CELLS && shape->cells_y <= SMALL_CELLS &&
                       shape->units[0] <= SMALL_SIDE_UNITS && shape->units[1] <= SMALL_SIDE_UNITS;
    for (int path = small ? SMALL : WIDE; path < PATHS; path++) {
        struct err e;
        t->scenario[path] = tbs_scenario_make(&t->map, t->rules, path_codes[path], &e);
        if (t->scenario[path] == NULL)
            fail_msg("%s", e.text);
        assert_ptr_equal(t->scenario[path]->game, path == SMALL ? &tbs_game : &tbs_wide_game);
        t->scenario[path]->game->start(t->state[path], t->scenario[path], NULL);
    }
    naive_start(&t->naive, &t->map, t->rules);
}

static void trial_close(struct trial *t) {
    for (int path = 0; path < PATHS; path++)
        game_unload(t->scenario[path]);
}

static void random_small_trial(struct trial *t, uint64_t seed) {
    struct rng r;
    rng_seed_stream(&r, seed, 1);
    const struct shape shape = random_small_shape(&r);
    trial_open(t, &shape, seed);
}

/* ---- laws ---- */

static void check_laws(const struct shape *shape, uint64_t seed, int games_count) {
    static struct trial t;
    trial_open(&t, shape, seed);
    for (int path = 0; path < PATHS; path++) {
        struct err e;
        if (t.scenario[path] != NULL && !game_check(t.scenario[path], games_count, seed, &e))
            fail_msg("map of seed %llu: %s", (unsigned long long)seed, e.text);
    }
    trial_close(&t);
}

static void laws_hold_on_random_maps(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 11);
    for (uint64_t seed = 0; seed < SAMPLE(60, 12); seed++) {
        const struct shape shape = random_small_shape(&r);
        check_laws(&shape, seed, 2);
    }
    check_laws(&(struct shape){20, 13, {9, 11}}, 100, 1);
    check_laws(&(struct shape){9, 32, {17, 3}}, 101, 1);
}

/* ---- positions ---- */

static void compare_positions(const struct trial *t, const struct tbs_position *ours) {
    const struct tbs_position *naive = &t->naive.p;
    assert_int_equal(ours->turn, naive->turn);
    assert_int_equal(ours->side, naive->side);
    assert_int_equal(ours->result, naive->result);
    assert_int_equal(ours->hp_sum[0], naive->hp_sum[0]);
    assert_int_equal(ours->hp_sum[1], naive->hp_sum[1]);
    for (int id = 0; id < naive->unit_count; id++) {
        const struct tbs_unit *u = &ours->units[id], *v = &naive->units[id];
        assert_true(u->hp == v->hp && u->type == v->type && u->side == v->side);
        assert_true(u->hp == 0 || (u->x == v->x && u->y == v->y && u->done == v->done));
    }
}

static void write_state(const void *state, const struct scenario *scenario, struct text *out) {
    text_clear(out);
    scenario->game->text->write_state(state, out);
}

/* Both paths at once: the same text, the same keys. */
static void compare_paths(const struct trial *t, const void *small, const void *wide) {
    struct text a = {0}, b = {0};
    write_state(small, t->scenario[SMALL], &a);
    write_state(wide, t->scenario[WIDE], &b);
    assert_string_equal(text_string(&a), text_string(&b));
    assert_true(tbs_game.key(small) == tbs_wide_game.key(wide));
    text_done(&a);
    text_done(&b);
}

/* ---- generator ---- */

static void compare_unit(const struct trial *t, int path, int unit) {
    static action ours[LIST_MAX], naive[LIST_MAX];
    for (int which = TBS_ATTACKS_ALL; which <= TBS_ATTACKS_DAMAGE; which++) {
        int attacks, naive_attacks;
        const int count = tbs_unit_actions(t->state[path], unit, (enum tbs_attacks)which, ours, &attacks);
        assert_int_equal(count,
                         naive_unit_actions(&t->naive, unit, (enum tbs_attacks)which, naive, &naive_attacks));
        assert_int_equal(attacks, naive_attacks);
        assert_memory_equal(ours, naive, (size_t)count * sizeof(action));
        assert_true(count <= TBS_UNIT_ACTIONS_MAX);
    }
}

/* Every living unit of both sides, for each side to move; then the mover's list. */
static void compare_generators(const struct trial *t) {
    static action ours[LIST_MAX], naive[LIST_MAX];
    for (int path = 0; path < PATHS; path++) {
        if (t->scenario[path] == NULL)
            continue;
        for (int id = 0; id < t->map.unit_count; id++)
            if (t->naive.p.units[id].hp > 0)
                compare_unit(t, path, id);
        const int count = t->scenario[path]->game->actions(t->state[path], ours);
        assert_int_equal(count, naive_actions(&t->naive, TBS_ATTACKS_POWER, naive));
        assert_memory_equal(ours, naive, (size_t)count * sizeof(action));
    }
}

/* Mostly any action of the platform's list, sometimes a pass, rarely the end. */
static action random_action(struct trial *t) {
    static action list[LIST_MAX];
    const uint32_t fate = rng_below(&t->rng, 200);
    if (fate < 3)
        return fate == 0 ? TBS_RESIGN : TBS_PASS;
    return list[rng_below(&t->rng, (uint32_t)naive_actions(&t->naive, TBS_ATTACKS_ALL, list))];
}

static void play_everywhere(struct trial *t, action a) {
    naive_play(&t->naive, a);
    for (int path = 0; path < PATHS; path++) {
        if (t->scenario[path] == NULL)
            continue;
        const struct game *game = t->scenario[path]->game;
        struct tbs_position p;
        assert_true(game->is_legal(t->state[path], a));
        game->play(t->state[path], a, NULL);
        assert_true(game->valid(t->state[path]));
        tbs_position_of(t->state[path], &p);
        compare_positions(t, &p);
    }
    if (t->scenario[SMALL] != NULL)
        compare_paths(t, t->state[SMALL], t->state[WIDE]);
}

static void play_and_compare(struct trial *t, int plies_max) {
    for (int ply = 0; t->naive.p.result == TBS_RUNNING && ply < plies_max; ply++) {
        compare_generators(t);
        play_everywhere(t, random_action(t));
    }
    compare_generators(t);
}

static void paths_and_naive_rules_play_the_same_games(void **state) {
    (void)state;
    static struct trial t;
    for (uint64_t seed = 0; seed < SAMPLE(150, 30); seed++) {
        random_small_trial(&t, seed);
        compare_paths(&t, t.state[SMALL], t.state[WIDE]);
        play_and_compare(&t, 200);
        trial_close(&t);
    }
}

static void wide_maps_agree_with_naive_rules(void **state) {
    (void)state;
    static const struct shape shapes[] = {{9, 9, {5, 5}},  {32, 32, {12, 12}}, {32, 1, {3, 3}},
                                          {1, 32, {3, 3}}, {25, 10, {8, 20}},  {12, 32, {30, 30}},
                                          {8, 8, {17, 3}}, {31, 2, {20, 20}}};
    static struct trial t;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (uint64_t seed = 0; seed < SAMPLE(3, 1); seed++) {
            trial_open(&t, &shapes[i], seed * 100 + i);
            play_and_compare(&t, 30);
            trial_close(&t);
        }
}

/* Actions that are not listed are not legal: every readable action, against the naive list. */
static void is_legal_accepts_what_the_rules_allow(void **state) {
    (void)state;
    static struct trial t;
    static action list[LIST_MAX];
    for (uint64_t seed = 300; seed < 306; seed++) {
        random_small_trial(&t, seed);
        const int count = naive_actions(&t.naive, TBS_ATTACKS_ALL, list);
        int legal[PATHS] = {0};
        for (int unit = 0; unit <= t.map.unit_count; unit++)
            for (int x = 0; x < t.map.width; x++)
                for (int y = 0; y < t.map.height; y++)
                    for (int target = TBS_NO_TARGET; target <= t.map.unit_count; target++)
                        for (int path = 0; path < PATHS; path++)
                            legal[path] += t.scenario[path]->game->is_legal(t.state[path],
                                                                            tbs_action(unit, x, y, target));
        assert_int_equal(legal[SMALL], count);
        assert_int_equal(legal[WIDE], count);
        trial_close(&t);
    }
}

/* ---- fights ---- */

static void play_and_account(struct trial *t, int path) {
    const struct game *game = t->scenario[path]->game;
    static action list[LIST_MAX];
    while (game->mover(t->state[path]) != NOBODY) {
        struct tbs_position before, after;
        const action a = list[rng_below(&t->rng, (uint32_t)game->actions(t->state[path], list))];
        const struct tbs_exchange x = tbs_preview(t->state[path], a);
        tbs_position_of(t->state[path], &before);
        game->play(t->state[path], a, NULL);
        tbs_position_of(t->state[path], &after);
        assert_int_equal(before.hp_sum[before.side] - x.counter, after.hp_sum[before.side]);
        assert_int_equal(before.hp_sum[before.side ^ 1] - x.damage, after.hp_sum[before.side ^ 1]);
        if (tbs_action_target(a) == TBS_NO_TARGET)
            assert_int_equal(x.damage + x.counter, 0);
    }
}

static void hp_changes_as_previewed(void **state) {
    (void)state;
    static struct trial t;
    for (uint64_t seed = 1000; seed < 1000 + SAMPLE(100, 20); seed++) {
        random_small_trial(&t, seed);
        play_and_account(&t, SMALL);
        play_and_account(&t, WIDE);
        trial_close(&t);
    }
}

/* ---- rollouts ---- */

static struct tbs_scenario *tables_of(struct trial *t, int path) {
    return (struct tbs_scenario *)t->scenario[path];
}

/* A rollout's outcome: all results that must not depend on path, machine or way of choosing. */
struct outcome {
    long actions;
    struct rng rng;
    uint64_t key;
    struct text text;
};

static void outcome_of(const void *state, const struct scenario *scenario, struct outcome *out) {
    out->key = scenario->game->key(state);
    write_state(state, scenario, &out->text);
}

static void run_rollout(struct trial *t, int path, int policy, int turns_max, struct outcome *out) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    const struct game *game = t->scenario[path]->game;
    memcpy(state, t->state[path], game->state_size);
    out->rng = t->rng;
    out->actions = game->rollouts[policy].run(state, &out->rng, turns_max);
    assert_true(game->valid(state));
    outcome_of(state, t->scenario[path], out);
}

/* The policy's definition: the nth ready unit, then the nth of its list. */
static action choose_from_lists(const void *state, enum tbs_attacks which, struct rng *r) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    int ready[TBS_UNITS_MAX], count = 0;
    for (int id = 0; id < p.unit_count; id++)
        if (p.units[id].hp > 0 && p.units[id].side == p.side && !p.units[id].done)
            ready[count++] = id;
    const int unit = ready[rng_below(r, (uint32_t)count)];
    action list[TBS_UNIT_ACTIONS_MAX];
    int attacks;
    const int actions = tbs_unit_actions(state, unit, which, list, &attacks);
    return list[rng_below(r, (uint32_t)actions)];
}

static void run_from_lists(struct trial *t, int path, int policy, int turns_max, struct outcome *out) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    const struct game *game = t->scenario[path]->game;
    memcpy(state, t->state[path], game->state_size);
    out->rng = t->rng;
    const int turn_end = game->turn(state) + turns_max;
    for (out->actions = 0; game->mover(state) != NOBODY && (turns_max == 0 || game->turn(state) < turn_end);
         out->actions++)
        game->play(state,
                   choose_from_lists(state, policy == 0 ? TBS_ATTACKS_POWER : TBS_ATTACKS_ALL, &out->rng),
                   NULL);
    outcome_of(state, t->scenario[path], out);
}

static void compare_outcomes(const struct outcome *a, const struct outcome *b) {
    assert_int_equal(a->actions, b->actions);
    assert_memory_equal(&a->rng, &b->rng, sizeof a->rng);
    assert_true(a->key == b->key);
    assert_string_equal(text_string(&a->text), text_string(&b->text));
}

/* Plain and fast variant of each path against the choice from lists. */
static void compare_rollouts(struct trial *t, int policy, int turns_max) {
    struct outcome expected = {0}, got = {0};
    run_from_lists(t, WIDE, policy, turns_max, &expected);
    for (int path = t->scenario[SMALL] != NULL ? SMALL : WIDE; path < PATHS; path++)
        for (int fast = 0; fast < 2; fast++) {
            tables_of(t, path)->bmi2 = fast && bits_have_bmi2();
            tables_of(t, path)->avx2 = fast && bits_have_avx2();
            run_rollout(t, path, policy, turns_max, &got);
            compare_outcomes(&expected, &got);
        }
    text_done(&expected.text);
    text_done(&got.text);
}

static void rollouts_are_choices_from_lists(void **state) {
    (void)state;
    static struct trial t;
    if (!bits_have_bmi2() || !bits_have_avx2())
        print_message("This machine lacks BMI2 or AVX2: the variants for it are not compared.\n");
    assert_string_equal(tbs_game.rollouts[0].name, "uniform");
    assert_string_equal(tbs_game.rollouts[1].name, "uniform-all");
    for (uint64_t seed = 2000; seed < 2000 + SAMPLE(300, 40); seed++) {
        random_small_trial(&t, seed);
        for (int policy = 0; policy < 2; policy++)
            for (int turns_max = 0; turns_max < 3; turns_max++)
                compare_rollouts(&t, policy, turns_max);
        trial_close(&t);
    }
}

static void rollouts_on_wide_maps_are_choices_from_lists(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {32, 32, {20, 20}}, {9, 9, {17, 17}}, {32, 3, {10, 10}}, {3, 32, {10, 10}}};
    static struct trial t;
    for (size_t i = 0; i < 4; i++)
        for (uint64_t seed = 0; seed < SAMPLE(5, 1); seed++) {
            trial_open(&t, &shapes[i], 50 + seed);
            compare_rollouts(&t, 0, 0);
            compare_rollouts(&t, 1, 2);
            trial_close(&t);
        }
}

/* ---- perft ---- */

static uint64_t perft_of(const struct trial *t, int path, int depth) {
    uint64_t nodes = 0;
    assert_true(game_perft(t->scenario[path]->game, t->state[path], depth, NULL, &nodes));
    return nodes;
}

static void perft_agrees(void **state) {
    (void)state;
    static struct trial t;
    for (uint64_t seed = 0; seed < SAMPLE(4, 1); seed++) {
        trial_open(&t, &(struct shape){6, 6, {4, 4}}, seed);
        for (int depth = 0; depth <= 2; depth++) {
            const uint64_t nodes = naive_perft(&t.naive, depth);
            assert_true(nodes > 0 || t.naive.p.result != TBS_RUNNING);
            assert_true(perft_of(&t, SMALL, depth) == nodes);
            assert_true(perft_of(&t, WIDE, depth) == nodes);
        }
        trial_close(&t);
    }
}

static void perft_stops_on_request(void **state) {
    (void)state;
    static struct trial t;
    atomic_bool stop = true;
    const struct budget stopped = {.stop = &stop}, small = {.work_max = 2};
    uint64_t nodes;
    trial_open(&t, &(struct shape){6, 6, {4, 4}}, 1);
    assert_false(game_perft(&tbs_game, t.state[SMALL], 3, &stopped, &nodes));
    assert_false(game_perft(&tbs_game, t.state[SMALL], 2, &small, &nodes));
    trial_close(&t);
}

/* ---- limits ---- */

/* Two units cannot share one cell, so one side is missing: the game is over before it starts. */
static void one_cell_is_a_map(void **state) {
    (void)state;
    static struct trial t;
    trial_open(&t, &(struct shape){1, 1, {1, 0}}, 1);
    for (int path = 0; path < PATHS; path++) {
        assert_int_equal(t.scenario[path]->game->mover(t.state[path]), NOBODY);
        assert_string_equal(t.scenario[path]->game->text->result(t.state[path]), "red annihilation");
    }
    trial_close(&t);
    check_laws(&(struct shape){1, 1, {0, 1}}, 2, 1);
    check_laws(&(struct shape){1, 2, {1, 1}}, 3, 3);
    check_laws(&(struct shape){2, 1, {1, 1}}, 4, 3);
}

static void a_full_small_map(void **state) {
    (void)state;
    static struct trial t;
    const struct shape shape = {8, 8, {16, 16}};
    check_laws(&shape, 5, 2);
    for (uint64_t seed = 0; seed < SAMPLE(5, 1); seed++) {
        trial_open(&t, &shape, seed);
        play_and_compare(&t, 60);
        trial_close(&t);
    }
}

static void a_board_without_a_free_cell(void **state) {
    (void)state;
    static struct trial t;
    for (uint64_t seed = 0; seed < SAMPLE(5, 1); seed++) {
        trial_open(&t, &(struct shape){4, 8, {16, 16}}, seed);
        play_and_compare(&t, 100);
        trial_close(&t);
    }
}

static void the_largest_map(void **state) {
    (void)state;
    static struct trial t;
    const struct shape shape = {32, 32, {64, 64}};
    trial_open(&t, &shape, 6);
    assert_null(t.scenario[SMALL]);
    play_and_compare(&t, SAMPLE(20, 1));
    trial_close(&t);
    trial_open(&t, &(struct shape){16, 8, {64, 64}}, 7);
    play_and_compare(&t, SAMPLE(20, 1));
    trial_close(&t);
    check_laws(&(struct shape){SAMPLE(32, 12), SAMPLE(32, 12), {64, 64}}, 8, 1);
}

/* One unit in the open, every neighbour of every target free: the longest lists there can be. */
static void the_longest_list_fits(void **state) {
    (void)state;
    struct tbs_map map = {.width = TBS_EDGE_MAX, .height = TBS_EDGE_MAX, .turn_limit = 2, .unit_count = 1};
    for (int x = 1; x <= TBS_CELLS_MAX; x++)
        for (int y = 1; y <= TBS_CELLS_MAX; y++)
            map.terrain[x][y] = TBS_PLAIN;
    map.units[0] = (struct tbs_map_unit){.x = 16, .y = 16, .type = TBS_FIGHTER, .side = TBS_RED, .hp = 10};
    for (int i = 0; i < TBS_SIDE_UNITS_MAX;
         i++) /* every third cell of a diagonal pattern: no two share neighbours */
        map.units[map.unit_count++] = (struct tbs_map_unit){.x = (uint8_t)(5 + 3 * (i % 8)),
                                                            .y = (uint8_t)(6 + 3 * (i / 8)),
                                                            .type = TBS_FIGHTER,
                                                            .side = TBS_BLUE,
                                                            .hp = 10};
    struct scenario *sc = tbs_scenario_make(&map, &tbs_rule_sets[0], TBS_PATH_AUTO, NULL);
    assert_non_null(sc);
    _Alignas(16) unsigned char state_bytes[GAME_STATE_MAX];
    action list[TBS_UNIT_ACTIONS_MAX + 1], naive_list[TBS_UNIT_ACTIONS_MAX + 1];
    int attacks, naive_attacks;
    static struct naive n;
    sc->game->start(state_bytes, sc, NULL);
    naive_start(&n, &map, &tbs_rule_sets[0]);
    const int count = tbs_unit_actions(state_bytes, 0, TBS_ATTACKS_ALL, list, &attacks);
    assert_int_equal(count, naive_unit_actions(&n, 0, TBS_ATTACKS_ALL, naive_list, &naive_attacks));
    assert_memory_equal(list, naive_list, (size_t)count * sizeof(action));
    assert_true(attacks > 60 && count <= TBS_UNIT_ACTIONS_MAX);
    game_unload(sc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold_on_random_maps),
        cmocka_unit_test(paths_and_naive_rules_play_the_same_games),
        cmocka_unit_test(wide_maps_agree_with_naive_rules),
        cmocka_unit_test(is_legal_accepts_what_the_rules_allow),
        cmocka_unit_test(hp_changes_as_previewed),
        cmocka_unit_test(rollouts_are_choices_from_lists),
        cmocka_unit_test(rollouts_on_wide_maps_are_choices_from_lists),
        cmocka_unit_test(perft_agrees),
        cmocka_unit_test(perft_stops_on_request),
        cmocka_unit_test(one_cell_is_a_map),
        cmocka_unit_test(a_full_small_map),
        cmocka_unit_test(a_board_without_a_free_cell),
        cmocka_unit_test(the_largest_map),
        cmocka_unit_test(the_longest_list_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
