/* SPDX-License-Identifier: MIT
 *
 * The Min-Max search against the definition of its value, written down without pruning, table or order, on
 * random tiny positions.
 */
#include "base/mem.h"
#include "game/game.h"
#include "minmax_support.h"
#include "sample.h"
#include "search/minmax.h"
#include "tests/memory_support.h"
#include "search/solve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- the definition ---- */

struct brute {
    const struct game *game;
    const struct eval *eval;
    const struct action_list *list;
    const double *weights;
    int side, turn, turns, plies; /* of the root; how deep */
};

/* The number of positions of the definition, the root not included; `cut` when one of them is evaluated. */
static uint64_t brute_count(const struct brute *b, const void *state, bool *cut) {
    const struct game *game = b->game;
    action list[TBS_UNIT_ACTIONS_MAX];
    if (game->mover(state) == NOBODY)
        return 0;
    if (game->turn(state) >= b->turn + b->turns) {
        *cut = true;
        return 0;
    }
    const int count = b->list->list(state, list);
    uint64_t positions = (uint64_t)count;
    for (int i = 0; i < count; i++) {
        struct position next;
        memcpy(next.state, state, game->state_size);
        game->play(next.state, list[i], NULL);
        positions += brute_count(b, next.state, cut);
    }
    return positions;
}

/* What the position is worth to the root's side. */
static double brute_value(const struct brute *b, const void *state, int ply) {
    const struct game *game = b->game;
    const int mover = game->mover(state), turn = game->turn(state);
    if (mover == NOBODY) {
        const double payoff = game->payoff(state, b->side);
        return payoff > 0.5   ? MINMAX_WIN - (turn - b->turn)
               : payoff < 0.5 ? (turn - b->turn) - MINMAX_WIN
                              : 0;
    }
    if (b->plies > 0 ? ply == b->plies : turn >= b->turn + b->turns)
        return b->eval->value(state, b->side, b->weights);
    action list[TBS_UNIT_ACTIONS_MAX];
    const int count = b->list->list(state, list);
    double best = mover == b->side ? -(double)INFINITY : (double)INFINITY;
    for (int i = 0; i < count; i++) {
        struct position next;
        memcpy(next.state, state, game->state_size);
        game->play(next.state, list[i], NULL);
        const double value = brute_value(b, next.state, ply + 1);
        best = (mover == b->side) == (value > best) ? value : best;
    }
    return best;
}

static double brute_after(const struct brute *b, const struct position *p, action a) {
    struct position next = *p;
    b->game->play(next.state, a, NULL);
    return brute_value(b, next.state, 1);
}

static struct brute brute_of(const struct position *p, const struct minmax_settings *settings,
                             const double *weights) {
    const struct game *game = p->scenario->game;
    return (struct brute){.game = game,
                          .eval = settings->eval,
                          .list = settings->list != NULL ? settings->list : &game->lists[0],
                          .weights = weights,
                          .side = game->mover(p->state),
                          .turn = game->turn(p->state),
                          .turns = settings->turns,
                          .plies = settings->plies};
}

/* Memory for searches, by game and size: shared by all tests, so that each search finds the entries of
 * others. */
static struct {
    const struct game *game;
    size_t bytes;
    struct minmax_cache *cache;
} caches[16];

static struct minmax_cache *cache_for(const struct game *game, size_t bytes) {
    struct err e;
    for (int i = 0;; i++) {
        assert_true(i < 16);
        if (caches[i].cache == NULL) {
            caches[i].game = game;
            caches[i].bytes = bytes;
            caches[i].cache = minmax_cache_open(game, bytes, &e);
            assert_non_null(caches[i].cache);
        }
        if (caches[i].game == game && caches[i].bytes == bytes)
            return caches[i].cache;
    }
}

static int close_caches(void **unused) {
    (void)unused;
    for (int i = 0; i < 16; i++)
        minmax_cache_close(caches[i].cache);
    return 0;
}

static struct search_result search(const struct position *p, const struct minmax_settings *settings) {
    struct rng r;
    struct search_result result;
    rng_seed(&r, 5);
    const struct search_task task = {.game = p->scenario->game, .root = p->state, .rng = &r};
    struct minmax_settings kept = *settings;
    if (kept.cache == NULL)
        kept.cache = cache_for(task.game, 0);
    minmax_search(&task, &kept, &result);
    return result;
}

/* ---- values ---- */

struct seen {
    int positions, wins, losses, draws, open;
};

static void count_value(struct seen *seen, double value) {
    seen->positions++;
    seen->wins += value > MINMAX_WIN / 2;
    seen->losses += value < -MINMAX_WIN / 2;
    seen->open += !minmax_is_decided(value);
}

/* Every way of searching must find the definition's value and an action that has it. */
static void compare_all_ways(const struct position *p, int turns, int plies, const double *weights,
                             struct seen *seen) {
    static const size_t memories[] = {0, 200, 3000, 1 << 20};
    const struct game *game = p->scenario->game;
    for (const struct eval *eval = game->evals; eval->name != NULL; eval++) {
        struct minmax_settings settings = {.turns = turns, .plies = plies, .eval = eval, .weights = weights};
        const struct brute b = brute_of(p, &settings, weights);
        const double expected = brute_value(&b, p->state, 0);
        count_value(seen, expected);
        for (int way = 0; way < 10; way++) {
            settings.table = way < 8;
            settings.cache = cache_for(game, memories[way % 4]);
            settings.order = way % 3 == 0 ? NULL : &game->priors[way % 3 - 1];
            settings.random_ties = way % 2 != 0;
            const struct search_result result = search(p, &settings);
            assert_true(result.value >= expected && result.value <= expected);
            const double achieved = brute_after(&b, p, result.chosen);
            assert_true(achieved >= expected && achieved <= expected);
            assert_true(game->is_legal(p->state, result.chosen));
        }
    }
}

static void test_values_are_the_definitions(void **unused) {
    (void)unused;
    struct seen seen = {0};
    struct rng r;
    rng_seed(&r, 11);
    for (int i = 0; i < SAMPLE(220, 24); i++) {
        struct position p;
        double weights[GAME_WEIGHTS_MAX];
        struct scenario *scenario = draw_tiny(&r, 2, i % 4 == 0 ? TBS_PATH_WIDE : TBS_PATH_SMALL, &p);
        weights_default(scenario->game, weights);
        for (int k = 0; i % 2 == 0 && k <= TBS_TYPES; k++)
            weights[k] = rng_below(&r, 5) * 0.3;
        for (int turns = 1; turns <= 2; turns++)
            compare_all_ways(&p, turns, 0, weights, &seen);
        for (int plies = 1; plies <= 3; plies++)
            compare_all_ways(&p, 0, plies, weights, &seen);
        if (i % 8 == 0)
            compare_all_ways(&p, 0, 4, weights, &seen);
        game_unload(scenario);
    }
    assert_true(seen.positions > SAMPLE(2000, 200));
    assert_true(seen.wins > SAMPLE(100, 8) && seen.losses > SAMPLE(100, 8) && seen.open > SAMPLE(500, 50));
}

/* One unit a side, and several turns: positions come back in other windows than they were searched with. */
static void test_deep_values(void **unused) {
    (void)unused;
    struct seen seen = {0};
    struct rng r;
    rng_seed(&r, 21);
    for (int i = 0; i < SAMPLE(100, 20); i++) {
        struct position p;
        double weights[GAME_WEIGHTS_MAX];
        struct scenario *scenario = draw_tiny(&r, 1, TBS_PATH_SMALL, &p);
        weights_default(scenario->game, weights);
        for (int k = 0; k <= TBS_TYPES; k++)
            weights[k] = rng_below(&r, 100) * 0.01;
        compare_all_ways(&p, 3 + i % 2, 0, weights, &seen);
        game_unload(scenario);
    }
    assert_true(seen.open > SAMPLE(50, 10));
}

/* Any of the best actions, and none but them. */
static void check_ties(const struct position *p, struct rng *r, int *tied) {
    enum { ASKS = 200 };
    const struct game *game = p->scenario->game;
    double weights[GAME_WEIGHTS_MAX];
    action list[TBS_UNIT_ACTIONS_MAX];
    const struct minmax_settings settings = {.turns = 2,
                                             .eval = &game->evals[0],
                                             .table = true,
                                             .random_ties = true,
                                             .cache = cache_for(game, 3000)};
    weights_default(game, weights);
    const struct brute b = brute_of(p, &settings, weights);
    const double best = brute_value(&b, p->state, 0);
    if (best > MINMAX_WIN / 2)
        return; /* the first win ends the search */
    const int count = game->actions(p->state, list);
    int asks[TBS_UNIT_ACTIONS_MAX] = {0};
    const struct search_task task = {.game = game, .root = p->state, .rng = r};
    for (int k = 0; k < ASKS; k++) {
        struct search_result result;
        minmax_search(&task, &settings, &result);
        for (int i = 0; i < count; i++)
            asks[i] += list[i] == result.chosen;
    }
    for (int i = 0; i < count; i++) {
        assert_int_equal(asks[i] > 0, brute_after(&b, p, list[i]) >= best);
        *tied += asks[i] > 0 && asks[i] < ASKS;
    }
}

static void test_ties_are_drawn(void **unused) {
    (void)unused;
    struct rng r;
    int tied = 0;
    rng_seed(&r, 22);
    for (int i = 0; i < SAMPLE(40, 10); i++) {
        struct position p;
        struct scenario *scenario = draw_tiny(&r, 2, TBS_PATH_SMALL, &p);
        check_ties(&p, &r, &tied);
        game_unload(scenario);
    }
    assert_true(tied > SAMPLE(100, 20));
}

/* The shorter lists: the value is the definition's over that list alone. */
static void test_lists_restrict(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 12);
    int differs = 0;
    for (int i = 0; i < SAMPLE(150, 30); i++) {
        struct position p;
        double weights[GAME_WEIGHTS_MAX];
        struct scenario *scenario = draw_tiny(&r, 2, TBS_PATH_AUTO, &p);
        weights_default(scenario->game, weights);
        double first = 0;
        for (const struct action_list *list = scenario->game->lists; list->name != NULL; list++) {
            const struct minmax_settings settings = {.turns = 2,
                                                     .eval = &scenario->game->evals[0],
                                                     .list = list,
                                                     .order = &scenario->game->priors[1],
                                                     .table = true,
                                                     .cache = cache_for(scenario->game, 1 << 16)};
            const struct brute b = brute_of(&p, &settings, weights);
            const struct search_result result = search(&p, &settings);
            const double expected = brute_value(&b, p.state, 0);
            assert_true(result.value >= expected && result.value <= expected);
            first = list == scenario->game->lists ? expected : first;
            differs += expected < first || expected > first;
        }
        game_unload(scenario);
    }
    assert_true(differs > SAMPLE(20, 4));
}

/* Plain Min-Max visits every position of every order at every depth, and finds the definition's value. */
static void test_exhaustive_search_cuts_nothing(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 13);
    int decided = 0, saved = 0;
    for (int i = 0; i < SAMPLE(150, 40); i++) {
        struct position p;
        double weights[GAME_WEIGHTS_MAX];
        struct scenario *scenario = draw_tiny(&r, 2, TBS_PATH_SMALL, &p);
        struct minmax_settings settings = {
            .turns = 2, .eval = &scenario->game->evals[0], .exhaustive = true, .random_ties = i % 2 == 0};
        weights_default(scenario->game, weights);
        struct brute b = brute_of(&p, &settings, weights);
        const double value = brute_value(&b, p.state, 0);
        bool cut = false;
        b.turns = 1;
        const double sooner = brute_value(&b, p.state, 0);
        uint64_t expected = brute_count(&b, p.state, &cut);
        if (cut && !minmax_is_decided(sooner)) {
            b.turns = 2;
            expected += brute_count(&b, p.state, &cut);
        }
        const struct search_result result = search(&p, &settings);
        assert_int_equal(result.work, expected);
        assert_true(result.value >= value && result.value <= value);
        settings.exhaustive = false;
        decided += minmax_is_decided(value);
        saved += search(&p, &settings).work < expected;
        game_unload(scenario);
    }
    assert_true(decided > SAMPLE(10, 2) && saved > SAMPLE(30, 8));
}

/* An order is drawn once: of the list that is drawn, the search visits that of its draw, at every depth. */
static void test_drawn_order(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 17);
    int differs = 0;
    for (uint64_t draw = 0; draw < SAMPLE(60, 20); draw++) {
        struct position p;
        struct scenario *scenario = draw_tiny(&r, 3, TBS_PATH_SMALL, &p);
        const struct minmax_settings settings = {.turns = 1,
                                                 .eval = &scenario->game->evals[0],
                                                 .list = game_list(scenario->game, "random"),
                                                 .draw = draw};
        action list[TBS_UNIT_ACTIONS_MAX];
        const int count = settings.list->list_drawn(p.state, draw, list);
        bool found = false;
        const action chosen = search(&p, &settings).chosen;
        for (int i = 0; i < count; i++)
            found = found || list[i] == chosen;
        assert_true(found);
        settings.list->list(p.state, list);
        differs += tbs_action_unit(list[0]) != tbs_action_unit(chosen);
        game_unload(scenario);
    }
    assert_true(differs > 3);
}

/* Deeper than the game can last, the value is the exact one: that of the solver, with the same number of
 * turns. */
static void test_full_depth_is_the_solution(void **unused) {
    (void)unused;
    int won = 0, drawn = 0, lost = 0;
    struct rng r;
    rng_seed(&r, 19);
    for (int i = 0; i < SAMPLE(240, 60); i++) {
        struct position p;
        static struct solution solution;
        struct scenario *scenario = draw_tiny(&r, i % 3 == 0 ? 2 : 1, TBS_PATH_AUTO, &p);
        const struct search_task task = {.game = scenario->game, .root = p.state, .rng = &r};
        struct err e;
        assert_true(solve(&task, &(struct solve_settings){.memory_bytes = 1 << 20}, &solution, &e));
        assert_true(solution.solved);
        const struct minmax_settings settings = {.turns = 20,
                                                 .order = &scenario->game->priors[1],
                                                 .table = true,
                                                 .cache = cache_for(scenario->game, 1 << 20)};
        const double value = search(&p, &settings).value;
        const double payoff = !minmax_is_decided(value) ? 0.5 : value > 0 ? 1 : 0;
        assert_true(payoff >= solution.low && payoff <= solution.high);
        if (minmax_is_decided(value)) {
            assert_true(solution.distance_known);
            assert_int_equal((int)(MINMAX_WIN - fabs(value)), solution.turns_low);
        }
        won += payoff > 0.5;
        lost += payoff < 0.5;
        drawn += !minmax_is_decided(value);
        game_unload(scenario);
    }
    assert_true(won > SAMPLE(20, 4) && drawn > SAMPLE(20, 4) && lost > SAMPLE(20, 4));
}

/* ---- work ---- */

/* Four units in a row: all orders of the same actions meet in one entry. */
static void test_table_saves_work(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario =
        load_position("SIZEX[8];SIZEY[3];TURNLIMIT[8];HPTHRESHOLD[0];UNITNUMRED[4];UNITNUMBLUE[1];"
                      "MAP[0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0,0];"
                      "UNIT[1,1,infantry,0,10,0];UNIT[2,1,infantry,0,10,0];UNIT[3,1,infantry,0,10,0];"
                      "UNIT[4,1,infantry,0,10,0];UNIT[6,1,panzer,1,10,0];",
                      &p);
    struct minmax_settings settings = {
        .turns = 1, .table = true, .cache = cache_for(scenario->game, 1 << 20)};
    const struct search_result with = search(&p, &settings);
    settings.table = false;
    const struct search_result without = search(&p, &settings);
    assert_int_equal(with.chosen, without.chosen);
    assert_true(with.nodes * 2 < without.nodes);
    game_unload(scenario);
}

/* ---- budgets ---- */

/* A budget that ends within an iteration leaves the answer of the one before it. */
static void test_last_completed_iteration_answers(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 17);
    for (int i = 0; i < 30; i++) {
        struct position p;
        struct scenario *scenario = draw_tiny(&r, 3, TBS_PATH_SMALL, &p);
        struct minmax_settings settings = {
            .plies = 3, .table = true, .cache = cache_for(scenario->game, 1 << 16)};
        const struct search_result whole = search(&p, &settings);
        settings.plies = 2;
        const struct search_result two = search(&p, &settings);
        settings.plies = 3;
        for (uint64_t nodes = two.nodes; nodes <= whole.nodes; nodes += 1 + whole.nodes / 7) {
            static struct thoughts thoughts;
            struct search_result result;
            const struct search_task task = {.game = scenario->game,
                                             .root = p.state,
                                             .budget = {.work_max = nodes},
                                             .rng = &r,
                                             .thoughts = &thoughts};
            minmax_search(&task, &settings, &result);
            const struct search_result *expected = nodes < whole.nodes ? &two : &whole;
            assert_int_equal(result.chosen, expected->chosen);
            assert_int_equal(result.work, nodes);
            assert_true(result.value >= expected->value && result.value <= expected->value);
        }
        game_unload(scenario);
    }
}

static int64_t tick(void *self) {
    return *(int64_t *)self += 1000000;
}

struct shown {
    int count, depth;
};

static void note_shown(void *context, const struct thoughts *so_far) {
    struct shown *shown = context;
    shown->count++;
    shown->depth = so_far->depth;
    assert_true(so_far->count > 0);
}

static void test_watcher_gets_reports(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(two_victims, &p);
    int64_t now = 0;
    struct rng r;
    rng_seed(&r, 1);
    struct shown shown = {0};
    static struct thoughts thoughts;
    const struct clock clock = {.now_ns = tick, .self = &now};
    const struct watch watch = {note_shown, &shown, 3000000};
    const struct search_task task = {.game = scenario->game,
                                     .root = p.state,
                                     .budget = {.work_max = 20000, .clock = &clock},
                                     .rng = &r,
                                     .thoughts = &thoughts,
                                     .watch = &watch};
    const struct minmax_settings settings = {
        .order = &scenario->game->priors[1], .table = true, .cache = cache_for(scenario->game, 1 << 20)};
    struct search_result result;
    minmax_search(&task, &settings, &result);
    assert_true(result.work <= 20000);
    assert_true(shown.count > 5 && shown.depth >= 1);
    assert_true(thoughts.depth >= shown.depth);
    game_unload(scenario);
}

/* ---- thoughts ---- */

static void check_line(const struct position *p, const struct thought *t) {
    struct position at = *p;
    assert_true(t->line_count >= 1);
    assert_int_equal(t->line[0], t->action);
    for (int i = 0; i < t->line_count; i++) {
        assert_int_not_equal(p->scenario->game->mover(at.state), NOBODY);
        assert_true(p->scenario->game->is_legal(at.state, t->line[i]));
        p->scenario->game->play(at.state, t->line[i], NULL);
    }
}

static void check_thoughts(const struct position *p, const struct thoughts *t,
                           const struct search_result *result, const struct brute *b) {
    assert_true(t->count >= 1 && t->count <= THOUGHTS_MAX && t->total >= t->count);
    assert_int_equal(t->candidates[0].action, result->chosen);
    assert_int_equal(t->nodes, result->nodes);
    uint64_t visits = 0;
    for (int i = 0; i < t->count; i++) {
        check_line(p, &t->candidates[i]);
        /* The others' values are exact or bounds from above. */
        const double exact = brute_after(b, p, t->candidates[i].action);
        assert_true(t->candidates[i].value >= exact);
        assert_true(i > 0 || t->candidates[i].value <= exact);
        assert_true(i == 0 || t->candidates[i].value <= t->candidates[i - 1].value);
        visits += t->candidates[i].visits;
    }
    assert_true(visits <= t->nodes);
}

static void test_thoughts(void **unused) {
    (void)unused;
    static struct thoughts thoughts;
    struct rng r;
    rng_seed(&r, 18);
    int lines = 0;
    for (int i = 0; i < 60; i++) {
        struct position p;
        struct scenario *scenario = draw_tiny(&r, 2, TBS_PATH_SMALL, &p);
        double weights[GAME_WEIGHTS_MAX];
        weights_default(scenario->game, weights);
        const struct minmax_settings settings = {.turns = 2,
                                                 .eval = &scenario->game->evals[0],
                                                 .order = &scenario->game->priors[1],
                                                 .table = true,
                                                 .cache = cache_for(scenario->game, 1 << 20)};
        struct search_result result;
        const struct search_task task = {
            .game = scenario->game, .root = p.state, .rng = &r, .thoughts = &thoughts};
        minmax_search(&task, &settings, &result);
        const struct brute b = brute_of(&p, &settings, weights);
        if (!minmax_is_decided(result.value)) {
            assert_in_range(thoughts.depth, 1, 2);
            check_thoughts(&p, &thoughts, &result, &b);
            lines += thoughts.candidates[0].line_count;
        }
        game_unload(scenario);
    }
    assert_true(lines > 60);
}

/* ---- wins ---- */

static const char melee[] =
    "SIZEX[10];SIZEY[10];TURNLIMIT[16];HPTHRESHOLD[10];UNITNUMRED[6];UNITNUMBLUE[6];MAP[0,0,0,0,0,0,0,0,0,0];"
    "MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];"
    "MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];"
    "MAP[0,0,0,0,0,0,0,0,0,0];"
    "UNIT[1,1,panzer,0,10,0];UNIT[1,2,panzer,0,10,0];UNIT[1,3,panzer,0,10,0];UNIT[2,1,attacker,0,10,0];"
    "UNIT[2,2,antiair,0,10,0];UNIT[2,3,cannon,0,10,0];UNIT[5,1,infantry,1,5,0];UNIT[5,2,panzer,1,4,0];"
    "UNIT[5,3,antiair,1,5,0];UNIT[4,2,cannon,1,5,0];UNIT[6,2,fighter,1,6,0];UNIT[6,3,infantry,1,6,0];";

/* Six against six, and blue can be removed in one turn: found at once, in the narrow turn. */
static void test_wins_are_found_soon(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(melee, &p);
    static struct thoughts thoughts;
    struct rng r;
    rng_seed(&r, 1);
    const struct search_task task = {
        .game = scenario->game, .root = p.state, .rng = &r, .thoughts = &thoughts};
    const struct minmax_settings settings = {.turns = 1,
                                             .order = &scenario->game->priors[1],
                                             .table = true,
                                             .cache = cache_for(scenario->game, 1 << 24)};
    struct search_result result;
    minmax_search(&task, &settings, &result);
    assert_true(result.value >= MINMAX_WIN - 1);
    assert_true(result.nodes < 10000);
    check_line(&p, &thoughts.candidates[0]);
    assert_int_equal(thoughts.candidates[0].line_count, 6);
    game_unload(scenario);
}

/* ---- memory ---- */

static struct minmax_entry entry_of(uint64_t i) {
    return (struct minmax_entry){.key = rng_mix(i + 1), .value = (double)i, .best = (action)i, .depth = 7};
}

/* While there is room nearly everything is found again, also after the table has grown; then nothing is. */
static void test_table_remembers(void **unused) {
    (void)unused;
    enum { ENTRIES = 20000, CLEARS = 600 };
    struct minmax_table table;
    struct err e;
    int found = 0;
    assert_true(minmax_table_init(&table, 1 << 22, &e));
    for (int k = 0; k < CLEARS; k++)
        minmax_table_clear(&table);
    for (uint64_t i = 0; i < ENTRIES; i++) {
        const struct minmax_entry entry = entry_of(i);
        minmax_table_store(&table, &entry);
    }
    assert_true(table.count > 1024 && table.count <= table.count_max);
    for (uint64_t i = 0; i < ENTRIES; i++) {
        const struct minmax_entry expected = entry_of(i), *entry = minmax_table_find(&table, expected.key);
        found += entry != NULL;
        assert_true(entry == NULL || (entry->best == expected.best && entry->depth == 7));
    }
    assert_in_range(found, ENTRIES * 9 / 10, ENTRIES);
    minmax_table_clear(&table);
    for (uint64_t i = 0; i < ENTRIES; i++)
        assert_null(minmax_table_find(&table, entry_of(i).key));
    minmax_table_done(&table);
}

static bool too_large; /* the table was refused with a sentence */

static void search_with_new_cache(void *context) {
    const struct search_task *task = context;
    struct search_result result;
    struct err e = {0};
    const struct minmax_settings settings = {
        .turns = 1, .table = true, .cache = minmax_cache_open(task->game, 1 << 16, &e)};
    too_large = settings.cache == NULL;
    if (!too_large)
        minmax_search(task, &settings, &result);
    minmax_cache_close(settings.cache);
    assert_true(!too_large || strstr(e.text, "not enough memory for a table") != NULL);
}

static void test_out_of_memory(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(two_victims, &p);
    struct search_task task = {.game = scenario->game, .root = p.state};
    long n = 1;
    bool was_too_large = false;
    while (memory_runs_out(n, search_with_new_cache, &task) || too_large) {
        was_too_large = was_too_large || too_large;
        too_large = false;
        n++;
    }
    assert_true(n > 3 && was_too_large);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_the_definitions),
        cmocka_unit_test(test_deep_values),
        cmocka_unit_test(test_ties_are_drawn),
        cmocka_unit_test(test_lists_restrict),
        cmocka_unit_test(test_exhaustive_search_cuts_nothing),
        cmocka_unit_test(test_drawn_order),
        cmocka_unit_test(test_full_depth_is_the_solution),
        cmocka_unit_test(test_table_saves_work),
        cmocka_unit_test(test_last_completed_iteration_answers),
        cmocka_unit_test(test_watcher_gets_reports),
        cmocka_unit_test(test_thoughts),
        cmocka_unit_test(test_wins_are_found_soon),
        cmocka_unit_test(test_table_remembers),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, close_caches);
}
